// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/contacts_rows.h"

#include <string.h>

bool kai_contacts_rows_can(const kai_contacts_cones* cones, const kai_constraints* joints)
{
    if (cones->point_count > 0) return false;
    return !joints || (!joints->elements.fea && joints->tangents.terms.count == 0);
}

/// The body that stands for a shaft.
static size_t place_of_shaft(const kai_contacts_rows* r, uint32_t slot)
{
    return r->cones->problem.body_count + slot;
}

static void fill_shafts(kai_contacts_rows* r)
{
    const kai_world* world = r->cones->world;
    for (uint32_t i = 0; i < world->shafts.count; i++) {
        const kai_shaft_def* shaft = &kai_shaft_all(world)[i];
        r->problem.motion[place_of_shaft(r, i)] = (kai_cone_motion){
            .v = {shaft->speed, 0.0, 0.0}, .inverse_mass = kai_shaft_inverse(shaft)};
    }
}

/// The factors of an end in row k of a joint, in world axes.
static kai_cone_piece piece_of(const kai_contacts_rows* r, const kai_constraints_joint* joint,
                               uint32_t k, const kai_constraints_end* end)
{
    const double* g = kai_constraints_piece(r->joints, joint, k, end);
    if (end->shaft)
        return (kai_cone_piece){.body = (uint32_t)place_of_shaft(r, end->slot), .factor = {g[0]}};
    const kai_vec3 w =
        kai_quat_rotate(r->cones->pose[end->slot].rotation, kai_vec3_make(g[3], g[4], g[5]));
    return (kai_cone_piece){.body = end->slot, .factor = {g[0], g[1], g[2], w.x, w.y, w.z}};
}

/// What a row has of the velocities that the problem does not see (contacts_rolling.h).
static double rate_of_roll(const kai_contacts_rows* r, const kai_cone_row* row)
{
    const kai_vec3* roll = r->cones->roll;
    double sum = 0.0;
    for (uint32_t k = row->first; roll && k < row->first + row->count; k++) {
        const kai_cone_piece* piece = &r->pieces[k];
        if (piece->body >= r->cones->problem.body_count) continue; // a shaft
        const kai_vec3 d = roll[piece->body];
        sum += piece->factor[0] * d.x + piece->factor[1] * d.y + piece->factor[2] * d.z;
    }
    return sum;
}

static void fill_joint(kai_contacts_rows* r, const kai_constraints_joint* joint,
                       const double* guess, size_t* pieces)
{
    const double h = r->cones->h;
    const kai_constraints_end* ends = kai_constraints_ends(r->joints, joint);
    const double* lambda = (const double*)r->joints->lambda.data + joint->first;
    for (uint32_t k = 0; k < joint->count; k++) {
        const kai_joint_row* from = kai_constraints_row(r->joints, joint->first + k);
        kai_cone_row* row = &r->rows[r->problem.row_count];
        *row = (kai_cone_row){.first = (uint32_t)*pieces,
                              .rate =
                                  joint->velocity_level ? -from->gt : -from->g / h - 0.5 * from->gt,
                              .low = (double)-INFINITY,
                              .high = (double)INFINITY};
        if (joint->bounded) {
            row->low = h * (from->low - lambda[k]);
            row->high = h * (from->high - lambda[k]);
        }
        for (int e = 0; e < joint->ends; e++)
            if (ends[e].node != UINT32_MAX)
                r->pieces[(*pieces)++] = piece_of(r, joint, k, &ends[e]);
        row->count = (uint32_t)*pieces - row->first;
        row->rate -= rate_of_roll(r, row);
        r->problem.multiplier[r->problem.row_count++] =
            guess ? h * (guess[joint->first + k] - lambda[k]) : 0.0;
    }
}

kai_result kai_contacts_rows_make(kai_contacts_rows* r, kai_contacts_cones* cones,
                                  kai_constraints* joints, const double* lambda, kai_error* err)
{
    kai_world* world = cones->world;
    *r = (kai_contacts_rows){.cones = cones, .joints = joints, .problem = cones->problem};
    r->problem.project = NULL;
    if (!joints) return KAI_OK;
    size_t rows = 0, pieces = 0;
    const kai_constraints_joint* list = joints->joints.data;
    for (size_t i = 0; i < joints->joints.count; i++) {
        rows += list[i].count;
        pieces += (size_t)list[i].count * list[i].ends;
    }
    const size_t bodies = cones->problem.body_count + world->shafts.count;
    r->problem.motion = kai_arena_take(&world->arena, bodies, sizeof *r->problem.motion, err);
    double(*inertia)[6] = kai_arena_take(&world->arena, bodies, sizeof *inertia, err);
    r->rows = kai_arena_take(&world->arena, rows, sizeof *r->rows, err);
    r->pieces = kai_arena_take(&world->arena, pieces, sizeof *r->pieces, err);
    r->problem.multiplier = kai_arena_take(&world->arena, rows, sizeof(double), err);
    if (!r->problem.motion || !inertia || !r->rows || !r->pieces || !r->problem.multiplier)
        return KAI_ERROR_MEMORY;
    r->problem.body_count = bodies;
    r->problem.inertia = (const double(*)[6])inertia;
    memcpy(r->problem.motion, cones->problem.motion,
           cones->problem.body_count * sizeof *r->problem.motion);
    memcpy(inertia, cones->inertia, cones->problem.body_count * sizeof *inertia);
    fill_shafts(r);
    pieces = 0;
    for (size_t i = 0; i < joints->joints.count; i++) fill_joint(r, &list[i], lambda, &pieces);
    r->problem.rows = r->rows;
    r->problem.pieces = r->pieces;
    return KAI_OK;
}

/// What a bounded row does after the solution.
static uint8_t state_of(const kai_cone_row* row, double impulse)
{
    if (impulse <= row->low) return KAI_CONSTRAINTS_LOW;
    return impulse >= row->high ? KAI_CONSTRAINTS_HIGH : KAI_CONSTRAINTS_HELD;
}

void kai_contacts_rows_take(const kai_contacts_rows* r)
{
    if (!r->joints) return;
    const kai_world* world = r->cones->world;
    const kai_cone_problem* to = &r->cones->problem;
    memcpy(to->motion, r->problem.motion, to->body_count * sizeof *to->motion);
    for (uint32_t i = 0; i < world->shafts.count; i++)
        kai_shaft_all(world)[i].speed = r->problem.motion[place_of_shaft(r, i)].v.x;
    const kai_constraints_joint* list = r->joints->joints.data;
    double* lambda = r->joints->lambda.data;
    const double* more = r->problem.multiplier;
    const kai_cone_row* row = r->rows;
    for (size_t i = 0; i < r->joints->joints.count; i++) {
        for (uint32_t k = list[i].first; k < list[i].first + list[i].count; k++, more++, row++) {
            lambda[k] += *more / r->cones->h;
            if (list[i].bounded) *kai_constraints_state_of(r->joints, k) = state_of(row, *more);
        }
    }
}
