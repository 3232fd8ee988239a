// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Accelerations of bodies that joints hold:
//
//     M a + Gᵀ μ = f,   G a = -d/ds (G(q(s)) v + ∂g/∂t)
//
// The right-hand side is taken by central differences along the motion at constant velocities, so
// that kinds of joints need not write down second derivatives.
#include "step/constraints.h"
#include "step/rotation.h"

#include <string.h>

/// dg/dt of every row at the positions that follow after `s` seconds at the present velocities.
static void rates_after(kai_constraints* c, kai_world* world, const kai_pose* start, double time,
                        double s, double* rates)
{
    const uint32_t* slot = c->bodies.data;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_motion* m = &world->bodies.motion[slot[i]];
        kai_pose* p = &world->bodies.pose[slot[i]];
        p->position = kai_vec3_mul_add(start[i].position, m->velocity, s);
        p->rotation = kai_quat_mul(start[i].rotation, kai_rotation_exp(kai_vec3_scale(m->spin, s)));
    }
    kai_constraints_evaluate(c, world, time + s);
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        const kai_motion *a = &world->bodies.motion[joints[i].slot[0]],
                         *b = &world->bodies.motion[joints[i].slot[1]];
        for (uint32_t r = 0; r < joints[i].count; r++) {
            const kai_joint_row* row = (const kai_joint_row*)c->rows.data + joints[i].first + r;
            *rates++ = row->gt + kai_vec3_dot(row->a.force, a->velocity) +
                       kai_vec3_dot(row->a.torque, a->spin) +
                       kai_vec3_dot(row->b.force, b->velocity) +
                       kai_vec3_dot(row->b.torque, b->spin);
        }
    }
}

/// -d²g/dt² at zero acceleration, joint by joint, to `out`. Rows are left as they were.
static kai_result second_rates(kai_constraints* c, kai_world* world, double time, double* out,
                               kai_error* err)
{
    const uint32_t* slot = c->bodies.data;
    const size_t rows = c->x.count - 6 * c->bodies.count;
    kai_pose* start = kai_arena_take(&world->arena, c->bodies.count, sizeof *start, err);
    double* after = kai_arena_take(&world->arena, rows, sizeof *after, err);
    double* later = kai_arena_take(&world->arena, rows, sizeof *later, err);
    double* now = kai_arena_take(&world->arena, rows, sizeof *now, err);
    if (!start || !after || !later || !now) return KAI_ERROR_MEMORY;
    double fastest = 1.0;
    for (size_t i = 0; i < c->bodies.count; i++) {
        start[i] = world->bodies.pose[slot[i]];
        fastest = fmax(fastest, kai_vec3_norm(world->bodies.motion[slot[i]].spin));
    }
    const double s = 1e-5 / fastest; // 1e-5 rad: rounding 1e-11, truncation 1e-10 of the answer
    // Forward, three points: a motor whose course has a bend here, such as a ramp that starts, goes
    // on with what follows. The last one leaves positions and rows as they were.
    rates_after(c, world, start, time, s, after);
    rates_after(c, world, start, time, 2.0 * s, later);
    rates_after(c, world, start, time, 0.0, now);
    for (size_t i = 0; i < c->bodies.count; i++) world->bodies.pose[slot[i]] = start[i];
    for (size_t i = 0; i < rows; i++)
        out[i] = (3.0 * now[i] - 4.0 * after[i] + later[i]) / (2.0 * s);
    return KAI_OK;
}

/// Rows that do not hold ask for nothing.
static void clear_cut_rows(const kai_constraints* c)
{
    const kai_constraints_joint* joints = c->joints.data;
    double* b = (double*)c->x.data + 6 * c->bodies.count;
    for (size_t i = 0; i < c->joints.count; b += joints[i++].count)
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++)
            if (*kai_constraints_state_of(c, joints[i].first + r) != KAI_CONSTRAINTS_HELD)
                b[r] = 0.0;
}

/// Adds the forces of rows at their bounds to the right-hand side.
static void add_bound_forces(const kai_constraints* c)
{
    const uint32_t* node_of = c->node_of.data;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = joints[i].first;
             joints[i].bounded && r < joints[i].first + joints[i].count; r++) {
            const kai_joint_row* row = (const kai_joint_row*)c->rows.data + r;
            const uint8_t state = *kai_constraints_state_of(c, r);
            if (state == KAI_CONSTRAINTS_HELD) continue;
            for (int k = 0; k < 2; k++) {
                const uint32_t node = node_of[joints[i].slot[k]];
                const double *g = (const double*)(k ? &row->b : &row->a),
                             force = state == KAI_CONSTRAINTS_LOW ? row->low : row->high;
                for (size_t p = 0; node != UINT32_MAX && p < 6; p++)
                    ((double*)c->x.data)[6 * node + p] += force * g[p];
            }
        }
    }
}

kai_result kai_constraints_accelerations(kai_constraints* c, kai_world* world, double time,
                                         kai_error* err)
{
    const uint32_t* slot = c->bodies.data;
    double *x = c->x.data, *mu = x + 6 * c->bodies.count;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_wrench* a = &world->bodies.acceleration[slot[i]];
        const kai_bodies_mass* mass = &world->bodies.mass[slot[i]];
        const kai_vec3 f = kai_vec3_scale(a->force, mass->mass),
                       t = kai_rotation_momentum(mass, a->torque);
        const double rhs[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
        memcpy(x + 6 * i, rhs, sizeof rhs);
    }
    add_bound_forces(c);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result found = second_rates(c, world, time, mu, err);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(found);
    clear_cut_rows(c);
    KAI_TRY(kai_constraints_solve(c, world, err));
    for (size_t i = 0; i < c->bodies.count; i++)
        memcpy(&world->bodies.acceleration[slot[i]], x + 6 * i, 6 * sizeof *x);
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = joints[i].first; r < joints[i].first + joints[i].count; r++, mu++) {
            const kai_joint_row* row = (const kai_joint_row*)c->rows.data + r;
            const uint8_t state = *kai_constraints_state_of(c, r);
            ((double*)c->lambda.data)[r] = state == KAI_CONSTRAINTS_LOW    ? row->low
                                           : state == KAI_CONSTRAINTS_HIGH ? row->high
                                                                           : -*mu;
        }
    return KAI_OK;
}
