// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/plugin.h"

#include "base/check.h"

#include <string.h>

kai_result kai_plugin_check(const kai_plugin* plugin, kai_error* err)
{
    KAI_GIVEN(err, plugin);
    if (plugin->size < sizeof *plugin || !plugin->add)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "the plug-in was not made by KAI_PLUGIN, or names no function");
    if (plugin->major == KAI_VERSION_MAJOR && plugin->minor == KAI_VERSION_MINOR) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "plug-in '%.64s' was built for Kairos %u.%u; this is %d.%d: build it for "
                         "this one",
                         plugin->name ? plugin->name : "", plugin->major, plugin->minor,
                         KAI_VERSION_MAJOR, KAI_VERSION_MINOR);
}

const char* kai_plugin_said(kai_world* world, kai_error* own)
{
    if (!own->message[0]) *own = world->error;
    const char* colon = strstr(own->message, ": ");
    return strncmp(own->message, "kai_", 4) == 0 && colon ? colon + 2 : own->message;
}

kai_result kai_plugin_add(kai_world* world, const kai_plugin* plugin)
{
    kai_error own = {0};
    KAI_TRY(kai_plugin_check(plugin, &world->error));
    world->error = own;
    const kai_result r = plugin->add(world, &own);
    const char* name = plugin->name ? plugin->name : "";
    if (r == KAI_OK)
        return kai_array_append(&world->plugins, &world->memory, &name, 1, &world->error);
    const char* text = kai_plugin_said(world, &own);
    return kai_error_set(&world->error, r, "plug-in '%.64s': %s", name,
                         text[0] ? text : kai_result_text(r));
}

const char* kai_plugin_at(const kai_world* world, size_t i)
{
    return i < world->plugins.count ? ((const char* const*)world->plugins.data)[i] : NULL;
}
