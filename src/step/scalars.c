// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/scalars.h"

#include "fea/fea.h"
#include "model/shaft.h"
#include "model/state.h"
#include "step/term.h"

#include <string.h>

void kai_scalars_drift(kai_world* world, double h)
{
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) shafts[i].angle += h * shafts[i].speed;
}

void kai_scalars_kick(kai_world* world, double h)
{
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++)
        shafts[i].speed += h * kai_shaft_inverse(&shafts[i]) * shafts[i].torque;
}

void kai_scalars_average(kai_world* world, const kai_system_backup* start)
{
    kai_motion* motion = world->bodies.motion;
    for (size_t i = 0; i < world->bodies.count; i++) {
        motion[i].velocity = kai_vec3_lerp(start->motion[i].velocity, motion[i].velocity, 0.5);
        motion[i].spin = kai_vec3_lerp(start->motion[i].spin, motion[i].spin, 0.5);
    }
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++)
        shafts[i].speed = 0.5 * (start->scalars[2 * i + 1] + shafts[i].speed);
    kai_node_record* nodes = kai_node_all(world);
    const double* before = start->node_v;
    for (size_t i = 0; i < world->nodes.count; i++) {
        double* v = kai_node_v(&nodes[i]);
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++) v[k] = 0.5 * (*before++ + v[k]);
    }
}

/// States := those at the start + seconds · their rates at what the world holds and mid-step.
static kai_result advance(kai_system* system, const kai_system_backup* start, double seconds,
                          double middle, kai_error* err)
{
    kai_world* world = system->world;
    const size_t count = kai_state_total(world);
    const double* before = start->states;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    double* y = kai_arena_take(&world->arena, count, sizeof *y, err);
    if (!y) return KAI_ERROR_MEMORY;
    const kai_result found = kai_term_observe_all(world, middle, err);
    if (found == KAI_OK) kai_state_rates(world, middle, y);
    for (size_t i = 0; i < count; i++) y[i] = before[i] + seconds * y[i];
    if (found == KAI_OK) kai_state_write(world, y);
    kai_arena_release(&world->arena, mark);
    return found;
}

kai_result kai_scalars_begin(kai_system* system, const kai_system_backup* start, double h,
                             kai_error* err)
{
    if (kai_state_total(system->world) == 0) return KAI_OK;
    return advance(system, start, 0.5 * h, system->time + 0.5 * h, err);
}

kai_result kai_scalars_finish(kai_system* system, const kai_system_backup* start, double h,
                              kai_error* err)
{
    kai_world* world = system->world;
    if (kai_state_total(world) == 0) return KAI_OK;
    const size_t bodies = world->bodies.count, shafts = world->shafts.count;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_motion* motion = kai_arena_take(&world->arena, bodies, sizeof *motion, err);
    double* speed = kai_arena_take(&world->arena, shafts, sizeof *speed, err);
    double* node_v = kai_arena_take(&world->arena, kai_fea_coordinates(world), sizeof *node_v, err);
    if (!motion || !speed || !node_v) return KAI_ERROR_MEMORY;
    kai_fea_read(world, NULL, node_v);
    if (bodies > 0) memcpy(motion, world->bodies.motion, bodies * sizeof *motion);
    for (size_t i = 0; i < shafts; i++) speed[i] = kai_shaft_all(world)[i].speed;
    kai_scalars_average(world, start);
    const kai_result r = advance(system, start, h, system->time + 0.5 * h, err);
    if (bodies > 0) memcpy(world->bodies.motion, motion, bodies * sizeof *motion);
    for (size_t i = 0; i < shafts; i++) kai_shaft_all(world)[i].speed = speed[i];
    kai_fea_write(world, NULL, node_v);
    kai_arena_release(&world->arena, mark);
    return r;
}
