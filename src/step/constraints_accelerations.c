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

/// What second_rates moves, to be put back.
typedef struct start_state {
    kai_pose* pose; // [bodies of the system]
    double* angle;  // [shafts of the system]
    double *q, *v;  // coordinates of nodes of elements; NULL: there are none
    double* moved;  // room for them
} start_state;

/// dg/dt of every row at the positions that follow after `s` seconds at the present velocities.
static void rates_after(kai_constraints* c, kai_world* world, const start_state* start, double time,
                        double s, double* rates)
{
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_motion* m = &world->bodies.motion[slot[i]];
        kai_pose* p = &world->bodies.pose[slot[i]];
        p->position = kai_vec3_mul_add(start->pose[i].position, m->velocity, s);
        p->rotation =
            kai_quat_mul(start->pose[i].rotation, kai_rotation_exp(kai_vec3_scale(m->spin, s)));
    }
    for (size_t i = 0; i < c->shafts.count; i++) {
        kai_shaft_def* one = &kai_shaft_all(world)[shaft[i]];
        one->angle = start->angle[i] + s * one->speed;
    }
    if (start->q) {
        double* q = start->moved;
        for (size_t i = 0; i < c->elements.fea->coordinates; i++)
            q[i] = start->q[i] + s * start->v[i];
        kai_fea_write(world, q, NULL);
    }
    kai_constraints_evaluate(c, world, time + s);
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; r < joints[i].count; r++)
            *rates++ = kai_constraints_rate(c, world, &joints[i], r);
}

/// -d²g/dt² at zero acceleration, joint by joint, to `out`. Rows are left as they were.
static kai_result second_rates(kai_constraints* c, kai_world* world, double time, double* out,
                               kai_error* err)
{
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    const size_t rows = c->x.count - kai_constraints_coordinates(c);
    start_state start = {kai_arena_take(&world->arena, c->bodies.count, sizeof *start.pose, err),
                         kai_arena_take(&world->arena, c->shafts.count, sizeof *start.angle, err),
                         NULL, NULL, NULL};
    if (c->elements.fea && c->elements.fea->coordinates > 0) {
        const size_t n = c->elements.fea->coordinates;
        start.q = kai_arena_take(&world->arena, 3 * n, sizeof *start.q, err);
        if (!start.q) return KAI_ERROR_MEMORY;
        start.v = start.q + n;
        start.moved = start.v + n;
        kai_fea_read(world, start.q, start.v);
    }
    double* after = kai_arena_take(&world->arena, rows, sizeof *after, err);
    double* later = kai_arena_take(&world->arena, rows, sizeof *later, err);
    double* now = kai_arena_take(&world->arena, rows, sizeof *now, err);
    if (!start.pose || !start.angle || !after || !later || !now) return KAI_ERROR_MEMORY;
    double fastest = 1.0;
    for (size_t i = 0; i < c->bodies.count; i++) {
        start.pose[i] = world->bodies.pose[slot[i]];
        fastest = fmax(fastest, kai_vec3_norm(world->bodies.motion[slot[i]].spin));
    }
    for (size_t i = 0; i < c->shafts.count; i++)
        start.angle[i] = kai_shaft_all(world)[shaft[i]].angle;
    const double s = 1e-5 / fastest; // 1e-5 rad: rounding 1e-11, truncation 1e-10 of the answer
    // Forward, three points: a motor whose course has a bend here, such as a ramp that starts, goes
    // on with what follows. The last one leaves positions and rows as they were.
    rates_after(c, world, &start, time, s, after);
    rates_after(c, world, &start, time, 2.0 * s, later);
    rates_after(c, world, &start, time, 0.0, now);
    for (size_t i = 0; i < c->bodies.count; i++) world->bodies.pose[slot[i]] = start.pose[i];
    if (start.q) kai_fea_write(world, start.q, NULL);
    for (size_t i = 0; i < rows; i++)
        out[i] = (3.0 * now[i] - 4.0 * after[i] + later[i]) / (2.0 * s);
    return KAI_OK;
}

/// Rows that do not hold ask for nothing.
static void clear_cut_rows(const kai_constraints* c)
{
    const kai_constraints_joint* joints = c->joints.data;
    double* b = (double*)c->x.data + kai_constraints_coordinates(c);
    for (size_t i = 0; i < c->joints.count; b += joints[i++].count)
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++)
            if (*kai_constraints_state_of(c, joints[i].first + r) != KAI_CONSTRAINTS_HELD)
                b[r] = 0.0;
}

/// Adds the forces of rows at their bounds to the right-hand side.
static void add_bound_forces(const kai_constraints* c)
{
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++) {
            const uint8_t state = *kai_constraints_state_of(c, joints[i].first + r);
            if (state == KAI_CONSTRAINTS_HELD) continue;
            const kai_joint_row* row = kai_constraints_row(c, joints[i].first + r);
            kai_constraints_scatter(c, &joints[i], r, kai_constraints_bound(row, state), c->x.data);
        }
    }
}

/// M a of bodies and shafts at the accelerations without joints.
static void set_forces(const kai_constraints* c, const kai_world* world)
{
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    double* x = c->x.data;
    for (size_t i = 0; i < c->bodies.count; i++, x += 6) {
        const kai_wrench* a = &world->bodies.acceleration[slot[i]];
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot[i]);
        const kai_vec3 f = kai_vec3_scale(a->force, mass->mass),
                       t = kai_rotation_momentum(mass, a->torque);
        const double rhs[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
        memcpy(x, rhs, sizeof rhs);
    }
    for (size_t i = 0; i < c->shafts.count; i++) {
        const kai_shaft_def* one = &kai_shaft_all(world)[shaft[i]];
        x[i] = one->inertia * one->acceleration;
    }
    if (c->elements.fea && c->elements.fea->coordinates > 0)
        memcpy(kai_constraints_element_x(c), c->elements.fea->force.data,
               c->elements.fea->coordinates * sizeof *x);
}

kai_result kai_constraints_accelerations(kai_constraints* c, kai_world* world, double time,
                                         kai_error* err)
{
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    double *x = c->x.data, *mu = x + kai_constraints_coordinates(c);
    set_forces(c, world);
    add_bound_forces(c);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result found = second_rates(c, world, time, mu, err);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(found);
    clear_cut_rows(c);
    if (c->elements.fea) kai_fea_clear_fixed(world, kai_constraints_element_x(c));
    KAI_TRY(kai_constraints_solve(c, world, err));
    for (size_t i = 0; i < c->bodies.count; i++, x += 6)
        memcpy(&world->bodies.acceleration[slot[i]], x, 6 * sizeof *x);
    for (size_t i = 0; i < c->shafts.count; i++) kai_shaft_all(world)[shaft[i]].acceleration = x[i];
    if (c->elements.fea) kai_elements_take_accelerations(world, kai_constraints_element_x(c));
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = joints[i].first; r < joints[i].first + joints[i].count; r++, mu++) {
            const uint8_t state = *kai_constraints_state_of(c, r);
            ((double*)c->lambda.data)[r] =
                state == KAI_CONSTRAINTS_HELD
                    ? -*mu
                    : kai_constraints_bound(kai_constraints_row(c, r), state);
        }
    return KAI_OK;
}

// Rows with bounds -------------------------------------------------------------------------------

/// Sum of the sizes of what makes up the rate of a row, with 1 rad/s or m/s for those at rest.
static double rate_size(const kai_constraints* c, const kai_world* world,
                        const kai_constraints_joint* joint, uint32_t r)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    double size = 1.0;
    for (int k = 0; k < joint->ends; k++) {
        const double* g = kai_constraints_piece(c, joint, r, &ends[k]);
        if (ends[k].shaft) {
            size += fabs(g[0] * kai_shaft_all(world)[ends[k].slot].speed);
            continue;
        }
        if (ends[k].element) {
            const double* v = kai_node_v(&kai_node_all(world)[ends[k].slot]) + ends[k].at;
            for (size_t p = 0; p < ends[k].width; p++) size += fabs(g[p] * v[p]);
            continue;
        }
        const kai_motion* m = &world->bodies.motion[ends[k].slot];
        const kai_wrench* w = (const kai_wrench*)(const void*)g;
        size += fabs(kai_vec3_dot(w->force, m->velocity)) + fabs(kai_vec3_dot(w->torque, m->spin));
    }
    return size;
}

void kai_constraints_accelerations_slip(kai_constraints* c, const kai_world* world)
{
    const double still = 1e-5; // share of the speeds that is taken for what methods leave
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; c->bounded && i < c->joints.count; i++) {
        if (!joints[i].bounded || !joints[i].velocity_level) continue;
        for (uint32_t r = 0; r < joints[i].count; r++) {
            const double rate = kai_constraints_rate(c, world, &joints[i], r),
                         most = still * rate_size(c, world, &joints[i], r);
            *kai_constraints_state_of(c, joints[i].first + r) =
                (uint8_t)(rate > most    ? KAI_CONSTRAINTS_LOW
                          : rate < -most ? KAI_CONSTRAINTS_HIGH
                                         : KAI_CONSTRAINTS_HELD);
        }
    }
}

bool kai_constraints_accelerations_cut(kai_constraints* c)
{
    const kai_constraints_joint* joints = c->joints.data;
    bool cut = false;
    for (size_t i = 0; c->bounded && i < c->joints.count; i++) {
        if (!joints[i].bounded || !joints[i].velocity_level) continue;
        for (uint32_t r = joints[i].first; r < joints[i].first + joints[i].count; r++) {
            const kai_joint_row* row = kai_constraints_row(c, r);
            const double force = ((const double*)c->lambda.data)[r], slack = 1e-12;
            uint8_t* state = kai_constraints_state_of(c, r);
            if (*state != KAI_CONSTRAINTS_HELD) continue;
            if (force < row->low - slack * (1.0 + fabs(row->low))) *state = KAI_CONSTRAINTS_LOW;
            if (force > row->high + slack * (1.0 + fabs(row->high))) *state = KAI_CONSTRAINTS_HIGH;
            cut = cut || *state != KAI_CONSTRAINTS_HELD;
        }
    }
    return cut;
}
