// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/contacts_impact.h"

#include "step/contacts_rolling.h"
#include "step/impact.h"

#include <string.h>

static const double ROUNDING = 1e-9; // of the energy of impacts

kai_result kai_contacts_impact_begin(kai_contacts_cones* c, const kai_constraints* joints,
                                     kai_error* err)
{
    kai_world* world = c->world;
    if (!joints || !c->contacts->bounces) return KAI_OK;
    const uint32_t* slots = joints->bodies.data;
    c->held = kai_arena_take(&world->arena, world->bodies.count, sizeof *c->held, err);
    if (!c->held) return KAI_ERROR_MEMORY;
    memset(c->held, 0, world->bodies.count * sizeof *c->held);
    for (size_t i = 0; i < joints->bodies.count; i++) c->held[slots[i]] = true;
    return KAI_OK;
}

// One impact -------------------------------------------------------------------------------------

static kai_vec3 moment_response(const kai_contacts_cones* c, uint32_t slot, kai_vec3 l)
{
    const kai_cone_motion* m = &c->problem.motion[slot];
    const double* I = c->inertia[slot];
    if (m->inverse_moment >= 0.0) return kai_vec3_scale(l, m->inverse_moment);
    return kai_vec3_make(I[0] * l.x + I[3] * l.y + I[4] * l.z, I[3] * l.x + I[1] * l.y + I[5] * l.z,
                         I[4] * l.x + I[5] * l.y + I[2] * l.z);
}

/// Of the relative velocity at a row to an impulse.
static kai_mat33 response_of(const kai_contacts_cones* c, const kai_cone_contact* row)
{
    kai_vec3 column[3];
    for (int k = 0; k < 3; k++) {
        const kai_vec3 p = kai_vec3_axis(k);
        column[k] = kai_vec3_zero();
        for (int side = 0; side < 2; side++) {
            const uint32_t slot = side ? row->b : row->a;
            const kai_vec3 arm = side ? row->arm_b : row->arm_a;
            if (slot == KAI_CONE_NONE) continue;
            const kai_vec3 w = moment_response(c, slot, kai_vec3_cross(arm, p));
            column[k] = kai_vec3_add(column[k], kai_vec3_cross(w, arm));
            column[k] = kai_vec3_mul_add(column[k], p, c->problem.motion[slot].inverse_mass);
        }
    }
    return kai_mat33_from_columns(column[0], column[1], column[2]);
}

static kai_impact impact_of(const kai_contacts_cones* c, const kai_cone_contact* row,
                            double restitution)
{
    return (kai_impact){.response = response_of(c, row),
                        .normal = row->normal,
                        .velocity = kai_contacts_cones_speed_before(c, row),
                        .friction = row->friction,
                        .restitution = restitution};
}

static bool is_held(const kai_contacts_cones* c, uint32_t slot)
{
    return c->held && slot < c->world->bodies.count && c->held[slot];
}

double kai_contacts_impact_part(const kai_contacts_cones* c, const kai_cone_contact* row,
                                double restitution, double before)
{
    const double newton = -restitution * before;
    if (c->world->contact_def.impact != KAI_CONTACT_POISSON || row->friction <= 0.0) return newton;
    if (is_held(c, row->a) || is_held(c, row->b)) return newton;
    const kai_impact impact = impact_of(c, row, restitution);
    if (kai_impact_is_direct(&impact)) return newton;
    const kai_vec3 change = kai_mat33_mul_vec(impact.response, kai_impact_poisson(&impact));
    return fmax(before + kai_vec3_dot(row->normal, change), 0.0);
}

// When they meet ---------------------------------------------------------------------------------

static bool bounces(const kai_cone_contact* row)
{
    return row->bias < 0.0 && row->compliance == 0.0;
}

static double gap_of(const kai_contacts_cones* c, size_t i)
{
    return c->world->collision->proximity.contacts[i].contact.gap;
}

/// The radius of a side whose arm is along the normal; 0: it is no ball.
static double radius_of(kai_vec3 arm, kai_vec3 out, double gap)
{
    static const double ROUND = 1e-10;
    const double length = kai_vec3_dot(arm, out);
    const kai_vec3 aside = kai_vec3_mul_add(arm, out, -length);
    return kai_vec3_norm(aside) <= ROUND * length ? fmax(length - 0.5 * gap, 0.0) : 0.0;
}

/// Whether contact i is one of free balls that bounce before they touch.
static bool is_late(const kai_contacts_cones* c, size_t i)
{
    const kai_cone_contact* row = &c->rows[i];
    const size_t bodies = c->world->bodies.owned;
    if (!bounces(row) || gap_of(c, i) <= 0.0 || row->a >= bodies || row->b >= bodies) return false;
    if (is_held(c, row->a) || is_held(c, row->b)) return false;
    return radius_of(row->arm_a, row->normal, gap_of(c, i)) > 0.0 &&
           radius_of(row->arm_b, kai_vec3_neg(row->normal), gap_of(c, i)) > 0.0;
}

/// The row at the moment when both meet, on their ways of before; returns when that is, s, or 0.
static double meet(const kai_contacts_cones* c, size_t i, kai_cone_contact* row)
{
    const double gap = gap_of(c, i);
    const double a = radius_of(row->arm_a, row->normal, gap),
                 b = radius_of(row->arm_b, kai_vec3_neg(row->normal), gap);
    const kai_vec3 d = kai_vec3_sub(row->arm_a, row->arm_b),
                   v = kai_vec3_sub(c->before[row->b].force, c->before[row->a].force);
    // |d + t v| = a + b
    const double far = gap * (2.0 * (a + b) + gap), along = -kai_vec3_dot(d, v);
    const double left = along * along - kai_vec3_norm2(v) * far;
    if (!(along > 0.0) || !(left > 0.0)) return 0.0;
    const double t = far / (along + sqrt(left));
    row->normal = kai_vec3_scale(kai_vec3_mul_add(d, v, t), 1.0 / (a + b));
    row->arm_a = kai_vec3_scale(row->normal, a);
    row->arm_b = kai_vec3_scale(row->normal, -b);
    const double before = kai_vec3_dot(row->normal, kai_contacts_cones_speed_before(c, row));
    if (!(before < -c->world->contact_def.restitution_speed) || t > c->h) return 0.0;
    const kai_contacts_pair* pair = kai_contacts_pair_of(c->contacts, c->world, i);
    row->bias = -kai_contacts_impact_part(c, row, pair->both.restitution, before);
    return t;
}

kai_result kai_contacts_impact_meet(kai_contacts_cones* c, kai_error* err)
{
    kai_world* world = c->world;
    const size_t count = c->problem.contact_count, bodies = world->bodies.count;
    if (!c->contacts->bounces || world->contact_def.impact == KAI_CONTACT_SEQUENTIAL) return KAI_OK;
    size_t first = 0;
    while (first < count && !is_late(c, first)) first++;
    if (first == count) return KAI_OK;
    uint8_t* touched = kai_arena_take(&world->arena, bodies, sizeof *touched, err);
    c->late = kai_arena_take(&world->arena, count, sizeof *c->late, err);
    if (!touched || !c->late) return KAI_ERROR_MEMORY;
    memset(touched, 0, bodies);
    memset(c->late, 0, count * sizeof *c->late);
    for (size_t i = 0; i < count; i++) {
        const uint32_t sides[2] = {c->rows[i].a, c->rows[i].b};
        for (int k = 0; k < 2; k++)
            if (sides[k] < bodies && touched[sides[k]] < 2) touched[sides[k]]++;
    }
    for (size_t i = first; i < count; i++) {
        kai_cone_contact row = c->rows[i];
        if (!is_late(c, i) || touched[row.a] > 1 || touched[row.b] > 1) continue;
        c->late[i] = meet(c, i, &row);
        if (c->late[i] > 0.0) c->rows[i] = row;
    }
    return KAI_OK;
}

void kai_contacts_impact_part_late(const kai_contacts_cones* c)
{
    kai_pose* pose = c->world->bodies.pose;
    for (size_t i = 0; c->late && i < c->problem.contact_count; i++) {
        if (c->late[i] == 0.0) continue;
        const kai_cone_contact* row = &c->rows[i];
        const kai_vec3 p = kai_vec3_scale(c->problem.impulse[i], c->late[i]);
        const double ma = c->problem.motion[row->a].inverse_mass,
                     mb = c->problem.motion[row->b].inverse_mass;
        pose[row->a].position = kai_vec3_mul_add(pose[row->a].position, p, ma);
        pose[row->b].position = kai_vec3_mul_add(pose[row->b].position, p, -mb);
    }
}

// One after the other ----------------------------------------------------------------------------

enum { ROUNDS = 1000 };

/// Adds an impulse to the velocities of the problem, and to those before the step.
static void strike(const kai_contacts_cones* c, const kai_cone_contact* row, kai_vec3 impulse)
{
    for (int side = 0; side < 2; side++) {
        const uint32_t slot = side ? row->b : row->a;
        if (slot == KAI_CONE_NONE) continue;
        kai_cone_motion* m = &c->problem.motion[slot];
        kai_wrench* before = &c->before[slot];
        const kai_vec3 p = side ? impulse : kai_vec3_neg(impulse);
        const kai_vec3 v = kai_vec3_scale(p, m->inverse_mass),
                       w = moment_response(c, slot,
                                           kai_vec3_cross(side ? row->arm_b : row->arm_a, p));
        m->v = kai_vec3_add(m->v, v);
        m->w = kai_vec3_add(m->w, w);
        before->force = kai_vec3_add(before->force, v);
        before->torque = kai_vec3_add(before->torque, w);
    }
}

/// The speed at which the surfaces of contact i approach, where they would meet in this step.
static double approach(const kai_contacts_cones* c, size_t i)
{
    const kai_cone_contact* row = &c->rows[i];
    const double gap = c->world->collision->proximity.contacts[i].contact.gap;
    if (row->compliance > 0.0) return 0.0;
    const double now = kai_vec3_dot(row->normal, kai_contacts_cones_speed(c, row));
    if (gap + c->h * now >= 0.0) return 0.0;
    return -kai_vec3_dot(row->normal, kai_contacts_cones_speed_before(c, row));
}

kai_result kai_contacts_impact_sequence(kai_contacts_cones* c, double* heat, kai_error* err)
{
    kai_world* world = c->world;
    const size_t count = c->problem.contact_count;
    c->struck = kai_arena_take(&world->arena, count, sizeof *c->struck, err);
    if (!c->struck) return KAI_ERROR_MEMORY;
    memset(c->struck, 0, count * sizeof *c->struck);
    for (int round = 0; round < ROUNDS; round++) {
        double most = 0.0;
        for (size_t i = 0; i < count; i++) most = fmax(most, approach(c, i));
        if (most <= world->contact_def.restitution_speed) break;
        for (size_t i = 0; i < count; i++) {
            if (approach(c, i) < 0.5 * most) continue;
            const kai_cone_contact* row = &c->rows[i];
            const kai_contacts_pair* pair = kai_contacts_pair_of(c->contacts, world, i);
            const kai_impact impact = impact_of(c, row, pair->both.restitution);
            const kai_vec3 p = kai_impact_poisson(&impact);
            strike(c, row, p);
            c->struck[i] = kai_vec3_add(c->struck[i], p);
            *heat -= 0.5 * kai_vec3_dot(p, kai_vec3_add(impact.velocity,
                                                        kai_contacts_cones_speed_before(c, row)));
        }
    }
    return KAI_OK;
}

// Together ---------------------------------------------------------------------------------------

kai_result kai_contacts_impact_mark(kai_contacts_cones* c, kai_error* err)
{
    const size_t count = c->problem.contact_count;
    if (c->world->contact_def.impact != KAI_CONTACT_POISSON || !c->contacts->bounces) return KAI_OK;
    size_t first = 0;
    while (first < count && !(bounces(&c->rows[first]) && c->rows[first].friction > 0.0)) first++;
    if (first == count) return KAI_OK;
    c->bounce = kai_arena_take(&c->world->arena, count, sizeof *c->bounce, err);
    if (!c->bounce) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) c->bounce[i] = bounces(&c->rows[i]);
    return KAI_OK;
}

/// What contact i gave to the bodies: the impulse times the mean of the speeds before and after.
static double gain_of(const kai_contacts_cones* c, size_t i)
{
    const kai_cone_contact* row = &c->rows[i];
    const kai_vec3 after =
        kai_vec3_add(kai_contacts_cones_speed(c, row), kai_contacts_rolling_lag(c, row));
    const kai_vec3 u = kai_vec3_add(kai_contacts_cones_speed_before(c, row), after);
    return 0.5 * kai_vec3_dot(c->problem.impulse[i], u);
}

bool kai_contacts_impact_lower(const kai_contacts_cones* c, bool last)
{
    double gain = 0.0, size = 0.0;
    for (size_t i = 0; i < c->problem.contact_count; i++) {
        const double w = gain_of(c, i);
        gain += w;
        size += fabs(w);
    }
    if (!(gain > ROUNDING * size)) return false;
    bool lower = false;
    for (size_t i = 0; i < c->problem.contact_count; i++) {
        kai_cone_contact* row = &c->rows[i];
        const double along = kai_vec3_dot(c->problem.impulse[i], row->normal), w = gain_of(c, i);
        if (!c->bounce[i] || !(along > 0.0) || !(w > 0.0)) continue;
        // With the impulse as it is; it falls with the speed, so that this is more than enough.
        row->bias = last ? 0.0 : fmin(row->bias + 2.0 * w / along, 0.0);
        lower = true;
    }
    return lower;
}
