// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/project.h"

#include "model/label.h"
#include "step/rotation.h"

#include <string.h>

// Near a singular position rows all but coincide, and what is left of g no longer shrinks: this
// much is let be.
static const double STUCK = 1e-8;

/// Moves the bodies of the system by the solution.
static void move(const kai_constraints* c, const kai_world* world)
{
    const uint32_t* slot = c->bodies.data;
    const double* x = kai_constraints_unknowns(c);
    for (size_t i = 0; i < c->bodies.count; i++, x += 6) {
        kai_pose* p = &world->bodies.pose[slot[i]];
        p->position = kai_vec3_add(p->position, kai_vec3_make(x[0], x[1], x[2]));
        p->rotation = kai_rotation_polish(
            kai_quat_mul(p->rotation, kai_rotation_exp(kai_vec3_make(x[3], x[4], x[5]))));
    }
    for (size_t i = 0; i < c->shafts.count; i++)
        kai_shaft_all(world)[((const uint32_t*)c->shafts.data)[i]].angle += x[i];
    if (c->elements.fea) kai_elements_move(world, kai_constraints_element_x(c), 1.0);
}

/// Zero for bodies, -g for rows (0 for rows that hold for velocities only).
static void set_gaps(const kai_constraints* c)
{
    const kai_constraints_joint* joints = c->joints.data;
    const kai_joint_row* rows = c->rows.data;
    double *x = kai_constraints_unknowns(c), *b = x + kai_constraints_coordinates(c);
    memset(x, 0, kai_constraints_coordinates(c) * sizeof *x);
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; r < joints[i].count; r++)
            *b++ = joints[i].velocity_level ? 0.0 : -rows[joints[i].first + r].g;
}

static kai_result cannot_assemble(const kai_constraints* c, const kai_world* world, kai_error* err)
{
    const kai_constraints_joint* joints = c->joints.data;
    const kai_joint_row* rows = c->rows.data;
    size_t worst = 0;
    double most = -1.0;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++) {
            const double off = joints[i].velocity_level ? 0.0 : fabs(rows[joints[i].first + r].g);
            if (off > most) most = off, worst = i;
        }
    }
    char name[KAI_LABEL_SIZE];
    kai_label_describe(world, &world->joints, joints[worst].batch, joints[worst].index, name,
                       sizeof name);
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "joints cannot all hold: %s stays off by %.3g m or rad", name, most);
}

kai_result kai_project_positions(kai_constraints* c, kai_world* world, double time,
                                 double tolerance, int rounds, kai_error* err)
{
    double before = HUGE_VAL;
    for (int i = 0; i <= rounds; i++) {
        kai_constraints_evaluate(c, world, time);
        const double off = kai_constraints_violation(c, world);
        const bool stuck = off <= STUCK && (off > 0.5 * before || i == rounds);
        if (off <= tolerance || stuck) return KAI_OK;
        if (i == rounds) break;
        before = off;
        KAI_TRY(kai_constraints_factor(c, world, false, err));
        set_gaps(c);
        c->gaps = true;
        const kai_result r = kai_constraints_solve(c, world, err);
        c->gaps = false;
        KAI_TRY(r);
        move(c, world);
    }
    return cannot_assemble(c, world, err);
}

kai_result kai_project_velocities(kai_constraints* c, kai_world* world, kai_error* err)
{
    const kai_constraints_joint* joints = c->joints.data;
    const kai_joint_row* rows = c->rows.data;
    double* b = kai_constraints_unknowns(c) + kai_constraints_coordinates(c);
    kai_constraints_set_momenta(c, world);
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; r < joints[i].count; r++) *b++ = -rows[joints[i].first + r].gt;
    KAI_TRY(kai_constraints_solve(c, world, err));
    kai_constraints_take_velocities(c, world);
    return KAI_OK;
}

double kai_project_work(const kai_constraints* c)
{
    // The impulse -μ along a row meets the velocity G v = -∂g/∂t.
    const kai_constraints_joint* joints = c->joints.data;
    const kai_joint_row* rows = c->rows.data;
    const double* mu = kai_constraints_unknowns(c) + kai_constraints_coordinates(c);
    double work = 0.0;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; r < joints[i].count; r++) work += *mu++ * rows[joints[i].first + r].gt;
    return work;
}
