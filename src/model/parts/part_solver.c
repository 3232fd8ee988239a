// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How linear systems and cones are solved, and what was counted.
#include "model/part.h"

#include <math.h>
#include <string.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->solver_def = kai_solver_def_default();
    return KAI_OK;
}

static kai_result write(const kai_world* world, kai_part_writer* w, kai_error* err)
{
    KAI_TRY(w->numbers(w, "tally", KAI_NUMBER_F64, KAI_SOLVER_TALLY, &world->solver_tally, err));
    return w->instance(w, &kai_solver_kind, &world->solver_def, err);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)data;
    KAI_TRY(w->begin(w, part->name, err));
    const kai_result r = write(world, w, err);
    w->end(w);
    return r;
}

static kai_result read(kai_world* p, kai_part_reader* r, kai_error* err)
{
    double tally[KAI_SOLVER_TALLY];
    KAI_TRY(r->numbers(r, "tally", KAI_NUMBER_F64, KAI_SOLVER_TALLY, tally, err));
    for (size_t i = 0; i < KAI_SOLVER_TALLY; i++)
        if (!(tally[i] >= 0.0) || isinf(tally[i]))
            return kai_error_set(err, KAI_ERROR_FORMAT, "tally %zu of the solver is %g", i,
                                 tally[i]);
    memcpy(&p->solver_tally, tally, sizeof tally);
    return r->instance(r, &kai_solver_kind, &p->solver_def, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)data;
    KAI_TRY(r->begin(r, part->name, err));
    const kai_result result = read(p, r, err);
    r->end(r);
    return result;
}

static void loaded(kai_world* world, void* data, const void* old)
{
    (void)data, (void)old;
    world->solver_version++;
    world->solver_resumed =
        world->solver_tally.solutions > 0.0; // else the first layout is still to come
}

typedef struct copy {
    kai_solver_tally tally;
    const char* name;
    bool resumed, joints_passed;
} copy;

static size_t backup_bytes(const kai_world* world, const void* data)
{
    (void)world, (void)data;
    return sizeof(copy);
}

static void backup(const kai_world* world, const void* data, void* to)
{
    (void)data;
    *(copy*)to = (copy){world->solver_tally, world->solver_name, world->solver_resumed,
                        world->joints_passed};
}

/// The system goes on as after a checkpoint, where it was in use before.
static void restore(kai_world* world, void* data, const void* from)
{
    (void)data;
    const copy* c = from;
    world->solver_tally = c->tally;
    world->solver_name = c->name;
    world->joints_passed = c->joints_passed;
    world->solver_resumed = c->resumed || c->tally.solutions > 0.0;
}

const kai_part kai_part_solver = {.name = "solver",
                                  KAI_PART_SPAN(solver_def, solver_tally),
                                  .init = init,
                                  .save = save,
                                  .load = load,
                                  .loaded = loaded,
                                  .undo = KAI_PART_STOP,
                                  .backup_bytes = backup_bytes,
                                  .backup = backup,
                                  .restore = restore};
