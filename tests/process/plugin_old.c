// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// For test_plugins.py: a plug-in that was built for another version of Kairos.
#include <kairos/plugin.h>

static kai_result add(kai_world* world, kai_error* err)
{
    (void)world, (void)err;
    return KAI_OK;
}

KAI_API extern const kai_plugin kai_plugin_entry;
const kai_plugin kai_plugin_entry = {sizeof(kai_plugin), 99, 1, "old", add};
