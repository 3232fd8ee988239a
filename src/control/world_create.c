// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The first module that knows all parts of a world makes it.
#include "control/term_signals.h"
#include "model/check.h"
#include "step/part_list.h"

static const kai_part* const PARTS[KAI_PART_COUNT] = {
#define PART(name) &kai_part_##name,
    KAI_PART_LIST(PART)
#undef PART
};

kai_result kai_world_create(const kai_world_def* def, kai_world** out, kai_error* err)
{
    KAI_CLEAR(out);
    KAI_GIVEN(err, def, out);
    kai_world* world = NULL;
    kai_result r = kai_world_make(def, PARTS, KAI_PART_COUNT, &world, err);
    if (r == KAI_OK) r = kai_term_attach(world, &kai_term_signals, NULL, err);
    // Kinds of the other families are registered where these are known, in model/.
    for (size_t i = 0; r == KAI_OK && def->kinds.signals && def->kinds.signals[i]; i++) {
        r = kai_signal_register(world, def->kinds.signals[i]);
        if (r != KAI_OK && err) *err = world->error;
    }
    if (r != KAI_OK) {
        kai_world_destroy(world);
        kai_error_prefix(err, "%s", __func__);
        return r;
    }
    *out = world;
    return KAI_OK;
}
