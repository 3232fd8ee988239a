// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "record/checkpoint.h"

#include <kairos/world.h>

kai_result kai_world_load(const kai_world_def* def, const char* path, kai_world** out,
                          kai_error* err)
{
    kai_error own;
    if (err == NULL) err = &own;
    KAI_CLEAR(out);
    KAI_GIVEN(err, def, path, out);
    if (path[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_world_load: path is empty");
    kai_world* world = NULL;
    KAI_TRY(kai_world_create(def, &world, err));
    const kai_result r = kai_checkpoint_read(world, NULL, path, err);
    if (r != KAI_OK) {
        kai_error_prefix(err, "kai_world_load");
        kai_world_destroy(world);
        return r;
    }
    *out = world;
    return KAI_OK;
}
