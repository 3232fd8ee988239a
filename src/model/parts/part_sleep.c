// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// When bodies fall asleep. Who is asleep stands with the bodies.
#include "model/part.h"
#include "model/sleep.h"

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->sleep_def = kai_sleep_def_default();
    return KAI_OK;
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)data;
    KAI_TRY(w->begin(w, part->name, err));
    const kai_result r = w->instance(w, &kai_sleep_kind, &world->sleep_def, err);
    w->end(w);
    return r;
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)data;
    KAI_TRY(r->begin(r, part->name, err));
    const kai_result result = r->instance(r, &kai_sleep_kind, &p->sleep_def, err);
    r->end(r);
    return result;
}

static void loaded(kai_world* world, void* data, const void* old)
{
    (void)data, (void)old;
    world->asleep = SIZE_MAX; // perhaps all
    world->sleep_seen[0] = UINT64_MAX;
}

const kai_part kai_part_sleep = {.name = "sleep",
                                 KAI_PART_SPAN(sleep_def, sleep_seen),
                                 .init = init,
                                 .save = save,
                                 .load = load,
                                 .loaded = loaded};
