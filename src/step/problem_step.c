// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/problem_step.h"

#include "model/check.h"
#include "model/part.h"
#include "solve/problem_make.h"

// What a world keeps.
typedef struct kai_problem_kept {
    bool on;
    uint64_t steps; // of the world when it was kept
    kai_problem* problem;
    kai_error why; // there is none
} kai_problem_kept;

static void kept_free(kai_world* world, void* data)
{
    kai_problem_kept* kept = data;
    kai_problem_free(kept->problem);
    world->problem_kept = NULL;
}

static const kai_part PART = {
    .name = "the problem of a step", .size = sizeof(kai_problem_kept), .free = kept_free};

kai_result kai_problem_step_keep(kai_world* world, bool keep)
{
    KAI_CHANGE(world);
    if (!world->problem_kept && keep) {
        void* data = NULL;
        KAI_TRY(
            kai_world_fail(world, __func__, kai_part_attach(world, &PART, &data, &world->error)));
        world->problem_kept = data;
    }
    kai_problem_kept* kept = world->problem_kept;
    if (!kept) return KAI_OK;
    kai_problem_free(kept->problem);
    *kept = (kai_problem_kept){.on = keep};
    return KAI_OK;
}

// Joints as rows, where they can be; else the message says what the projection stands for.
static kai_result make(kai_contacts_cones* cones, kai_constraints* joints, bool rows,
                       kai_problem_kept* kept)
{
    kai_contacts_rows with;
    const bool associated = cones->world->contact_def.friction == KAI_CONTACT_ASSOCIATED;
    if (!rows) return kai_problem_make(&cones->problem, associated, &kept->problem, &kept->why);
    KAI_TRY(kai_contacts_rows_make(&with, cones, joints, NULL, &kept->why));
    return kai_problem_make(&with.problem, associated, &kept->problem, &kept->why);
}

void kai_problem_step_begin(kai_contacts_cones* cones, kai_constraints* joints, bool rows)
{
    kai_world* world = cones->world;
    kai_problem_kept* kept = world->problem_kept;
    if (!kept || !kept->on) return;
    kai_problem_free(kept->problem);
    kept->problem = NULL;
    kept->why = (kai_error){0};
    kept->steps = world->steps;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    make(cones, joints, rows, kept);
    kai_arena_release(&world->arena, mark);
}

void kai_problem_step_end(const kai_contacts_cones* cones)
{
    kai_problem_kept* kept = cones->world->problem_kept;
    if (!kept || !kept->problem) return;
    if (kai_problem_make_impulses(kept->problem, &cones->problem, &kept->why) == KAI_OK) return;
    kai_problem_free(kept->problem);
    kept->problem = NULL;
}

// Velocities that follow from the impulses of the step.
static kai_result finish(kai_world* world, kai_problem* p, kai_error* err)
{
    KAI_TRY(kai_problem_check(p, err));
    KAI_TRY(kai_problem_system_make(p, world->threads, err));
    if (p->r == NULL) return KAI_OK; // the solver found none
    return kai_problem_system_apply(p, world->threads, p->r, p->v, p->l, p->u, err);
}

kai_result kai_problem_step_take(kai_world* world, kai_problem** out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, out);
    kai_problem_kept* kept = world->problem_kept;
    kai_error* err = &world->error;
    if (!kept || !kept->on)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_problem_step_take: no problem was kept; call "
                             "kai_problem_step_keep before the step");
    if (!kept->problem && kept->why.code != KAI_OK) {
        *err = kept->why;
        return kai_world_fail(world, __func__, err->code);
    }
    if (!kept->problem || kept->steps + 1 < world->steps)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_problem_step_take: the last step had no contact by "
                             "complementarity");
    KAI_TRY(kai_world_fail(world, __func__, finish(world, kept->problem, err)));
    *out = kept->problem;
    kept->problem = NULL;
    return KAI_OK;
}
