// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Cone problems for tests, and plain formulas to judge solutions by: nothing of src/solve/cone_*.c
// is used for that.
#ifndef TESTS_CONE_HELPER_H
#define TESTS_CONE_HELPER_H

#include "helper.h"
#include "solve/cone.h"

enum { CONE_BODIES = 4096, CONE_CONTACTS = 16384 };

/// A problem with room for its arrays, and a workspace whose memory is counted.
typedef struct cone_fixture {
    helper_allocator counter;
    kai_allocator allocator;
    kai_memory memory;
    kai_cone cone;
    kai_cone_motion start[CONE_BODIES], motion[CONE_BODIES];
    double inertia[CONE_BODIES][6];
    kai_cone_contact contacts[CONE_CONTACTS];
    kai_vec3 impulse[CONE_CONTACTS], couple[CONE_CONTACTS];
    kai_cone_problem problem; // motion is set from start before each solve
    kai_cone_options options;
    kai_cone_result result;
    kai_error err;
} cone_fixture;

HELPER cone_fixture* cone_begin(void)
{
    cone_fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &f->allocator);
    kai_cone_init(&f->cone, &f->memory);
    f->problem = (kai_cone_problem){.motion = f->motion,
                                    .inertia = (const double(*)[6])f->inertia,
                                    .contacts = f->contacts,
                                    .impulse = f->impulse,
                                    .couple = f->couple};
    f->options = (kai_cone_options){.method = KAI_CONE_PSOR, .iterations = 100, .threads = 1};
    return f;
}

HELPER void cone_end(cone_fixture* f)
{
    kai_cone_free(&f->cone);
    assert_int_equal(f->counter.blocks, 0);
    free(f);
}

/// Bodies: a ball (equal moments), or one with its own inverse inertia.
HELPER uint32_t cone_ball(cone_fixture* f, double mass, double radius, kai_vec3 v, kai_vec3 w)
{
    const uint32_t i = (uint32_t)f->problem.body_count++;
    assert_true(i < CONE_BODIES);
    f->start[i] = (kai_cone_motion){v, w, 1.0 / mass, 2.5 / (mass * radius * radius)};
    return i;
}

HELPER uint32_t cone_block(cone_fixture* f, double mass, kai_vec3 half, kai_quat q, kai_vec3 v)
{
    const uint32_t i = (uint32_t)f->problem.body_count++;
    assert_true(i < CONE_BODIES);
    f->start[i] = (kai_cone_motion){v, kai_vec3_zero(), 1.0 / mass, -1.0};
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    const double s = 3.0 / mass;
    const kai_mat33 r = kai_quat_to_mat33(q);
    const double d[3] = {s / (y + z), s / (x + z), s / (x + y)};
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; k++) {
        f->inertia[i][k] = 0.0;
        for (int j = 0; j < 3; j++) f->inertia[i][k] += r.m[at[k][0]][j] * d[j] * r.m[at[k][1]][j];
    }
    return i;
}

HELPER kai_cone_contact* cone_touch(cone_fixture* f, uint32_t a, uint32_t b, kai_vec3 n,
                                    kai_vec3 arm_a, kai_vec3 arm_b, double friction)
{
    assert_true(f->problem.contact_count < CONE_CONTACTS);
    kai_cone_contact* c = &f->contacts[f->problem.contact_count++];
    *c = (kai_cone_contact){
        .a = a, .b = b, .normal = n, .arm_a = arm_a, .arm_b = arm_b, .friction = friction};
    return c;
}

HELPER void cone_solve(cone_fixture* f, kai_cone_method method)
{
    memcpy(f->motion, f->start, f->problem.body_count * sizeof *f->motion);
    f->options.method = method;
    const kai_result r = kai_cone_solve(&f->cone, &f->problem, &f->options, &f->result, &f->err);
    if (r != KAI_OK) print_error("%s\n", f->err.message);
    check_ok(r);
}

HELPER void cone_forget(cone_fixture* f)
{
    memset(f->impulse, 0, sizeof f->impulse);
    memset(f->couple, 0, sizeof f->couple);
}

// Random problems --------------------------------------------------------------------------------

/// Balls and blocks in a heap with contacts here and there, some with the ground.
HELPER cone_fixture* cone_random_heap(uint32_t bodies, uint32_t contacts, double couples)
{
    cone_fixture* f = cone_begin();
    for (uint32_t i = 0; i < bodies; i++) {
        const double size = 0.5 + 0.3 * helper_random(10 * i);
        const kai_vec3 v =
            kai_vec3_add(helper_random_vec3(10 * i + 1), kai_vec3_scale(kai_vec3_axis(2), -1.0));
        if (i % 3 == 0)
            cone_block(f, 1.0 + 0.5 * helper_random(10 * i + 2),
                       kai_vec3_make(size, 0.7 * size, 0.4), helper_random_rotation(i), v);
        else
            cone_ball(f, 1.0 + 0.5 * helper_random(10 * i + 2), size, v,
                      helper_random_vec3(10 * i + 3));
    }
    for (uint32_t i = 0; i < contacts; i++) {
        const uint32_t a = i % bodies;
        const uint32_t b = (a + 1 + (i / bodies) * 7) % bodies;
        const kai_vec3 n = helper_random_direction(i);
        const bool ground = i % 11 == 0, balls = a % 3 && b % 3;
        kai_vec3 arm_a = kai_vec3_scale(n, 0.5), arm_b = kai_vec3_scale(n, -0.4);
        if (!balls) {
            arm_a = kai_vec3_mul_add(arm_a, helper_random_vec3(3 * i), 0.3);
            arm_b = kai_vec3_mul_add(arm_b, helper_random_vec3(3 * i + 1), 0.3);
        }
        if (a == b) continue;
        kai_cone_contact* c = cone_touch(f, ground ? KAI_CONE_NONE : a, b, n, arm_a, arm_b,
                                         0.5 + 0.5 * helper_random(5 * i));
        c->bias = 0.2 * helper_random(5 * i + 1);
        if (i % 5 == 0) c->compliance = 0.1;
        if (couples > 0.0 && i % 2 == 0) {
            c->rolling = couples * (1.0 + helper_random(5 * i + 2));
            c->spinning = couples * (1.0 + helper_random(5 * i + 3));
        }
    }
    return f;
}

/// Several blocks of bodies, many colours, one body that touches more others than there are
/// colours.
HELPER cone_fixture* cone_large_heap(void)
{
    cone_fixture* f = cone_random_heap(3000, 6000, 0.02);
    for (uint32_t i = 0; i < 300; i++) {
        const kai_vec3 n = helper_random_direction(i);
        cone_touch(f, 17, 10 * i, n, kai_vec3_scale(n, 0.5), kai_vec3_scale(n, -0.4), 0.3);
    }
    // A body that contacts do not move may have any number of them.
    f->start[1].inverse_mass = f->start[1].inverse_moment = 0.0;
    for (uint32_t i = 0; i < 300; i++) {
        const kai_vec3 n = helper_random_direction(i);
        cone_touch(f, 9 * i + 2, 1, n, kai_vec3_scale(n, 0.5), kai_vec3_scale(n, -0.4), 0.3);
    }
    return f;
}

// Plain formulas ---------------------------------------------------------------------------------

HELPER kai_vec3 cone_turn(const cone_fixture* f, uint32_t body, kai_vec3 k)
{
    if (body == KAI_CONE_NONE) return kai_vec3_zero();
    const double same = f->start[body].inverse_moment, *m = f->inertia[body];
    if (same >= 0.0) return kai_vec3_scale(k, same);
    return kai_vec3_make(m[0] * k.x + m[3] * k.y + m[4] * k.z, m[3] * k.x + m[1] * k.y + m[5] * k.z,
                         m[4] * k.x + m[5] * k.y + m[2] * k.z);
}

HELPER kai_cone_motion cone_at(const cone_fixture* f, uint32_t body)
{
    return body == KAI_CONE_NONE ? (kai_cone_motion){.inverse_mass = 0.0} : f->motion[body];
}

/// Velocity of b against a at contact i.
HELPER kai_vec3 cone_speed(const cone_fixture* f, size_t i)
{
    const kai_cone_contact* c = &f->contacts[i];
    const kai_cone_motion a = cone_at(f, c->a), b = cone_at(f, c->b);
    return kai_vec3_sub(kai_vec3_add(b.v, kai_vec3_cross(b.w, c->arm_b)),
                        kai_vec3_add(a.v, kai_vec3_cross(a.w, c->arm_a)));
}

HELPER double cone_stiffness(const cone_fixture* f, size_t i)
{
    const kai_cone_contact* c = &f->contacts[i];
    const uint32_t body[2] = {c->a, c->b};
    const kai_vec3 arm[2] = {c->arm_a, c->arm_b};
    double r = 0.0;
    for (int k = 0; k < 2; k++) {
        if (body[k] == KAI_CONE_NONE) continue;
        const kai_vec3 turn = kai_vec3_cross(arm[k], c->normal);
        r += f->start[body[k]].inverse_mass + kai_vec3_dot(turn, cone_turn(f, body[k], turn));
    }
    return r;
}

/// The residual of cone.h: projection onto the cone by bisection, contact by contact.
HELPER double cone_residual(const cone_fixture* f, bool associated)
{
    double worst = 0.0;
    for (size_t i = 0; i < f->problem.contact_count; i++) {
        const kai_cone_contact* c = &f->contacts[i];
        const kai_vec3 n = c->normal, u = cone_speed(f, i), g = f->impulse[i];
        const kai_vec3 spin = kai_vec3_sub(cone_at(f, c->b).w, cone_at(f, c->a).w);
        if (cone_stiffness(f, i) <= 0.0) continue; // of bodies that nothing moves
        double trace = 0.0;
        for (int k = 0; k < 3; k++) {
            const kai_vec3 e = kai_vec3_axis(k);
            trace +=
                kai_vec3_dot(e, cone_turn(f, c->a, e)) + kai_vec3_dot(e, cone_turn(f, c->b, e));
        }
        const double stiff = cone_stiffness(f, i), m = 1.0 / (stiff + c->compliance);
        const double length = trace > 0.0 ? sqrt(3.0 * stiff / trace) : 0.0;
        const double per = length > 0.0 ? 1.0 / length : 0.0;
        const bool coupled = f->problem.couple && (c->rolling > 0.0 || c->spinning > 0.0);
        const kai_vec3 k = coupled ? kai_vec3_scale(f->couple[i], per) : kai_vec3_zero();
        // Parts: impulse along, across; couple along, across.
        const double gn = kai_vec3_dot(g, n), un = kai_vec3_dot(u, n);
        const double kn = kai_vec3_dot(k, n), wn = coupled ? kai_vec3_dot(spin, n) : 0.0;
        const kai_vec3 gt = kai_vec3_mul_add(g, n, -gn), ut = kai_vec3_mul_add(u, n, -un);
        const kai_vec3 kt = kai_vec3_mul_add(k, n, -kn);
        const kai_vec3 wt = coupled ? kai_vec3_mul_add(spin, n, -wn) : kai_vec3_zero();
        double shifted = un + c->bias + c->compliance * gn;
        if (!associated)
            shifted += c->friction * kai_vec3_norm(ut) + c->spinning * fabs(wn) +
                       c->rolling * kai_vec3_norm(wt);
        const double pn = gn - m * shifted, ps = kn - m * length * wn;
        const kai_vec3 pt = kai_vec3_mul_add(gt, ut, -m);
        const kai_vec3 pr = kai_vec3_mul_add(kt, wt, -m * length);
        const double size[3] = {kai_vec3_norm(pt), fabs(ps), kai_vec3_norm(pr)};
        const double limit[3] = {c->friction, c->spinning * per, c->rolling * per};
        double low = 0.0, high = fabs(pn);
        for (int j = 0; j < 3; j++) high += limit[j] * size[j];
        for (int step = 0; step < 200; step++) {
            const double x = 0.5 * (low + high);
            double slope = x - pn;
            for (int j = 0; j < 3; j++) slope -= limit[j] * fmax(0.0, size[j] - limit[j] * x);
            if (slope > 0.0)
                high = x;
            else
                low = x;
        }
        double scale[3];
        for (int j = 0; j < 3; j++)
            scale[j] = size[j] > limit[j] * low ? limit[j] * low / size[j] : 1.0;
        const kai_vec3 dt = kai_vec3_sub(gt, kai_vec3_scale(pt, scale[0]));
        const kai_vec3 dr = kai_vec3_sub(kt, kai_vec3_scale(pr, scale[2]));
        const double dn = gn - low, ds = kn - ps * scale[1];
        const double r = sqrt(dn * dn + ds * ds + kai_vec3_norm2(dt) + kai_vec3_norm2(dr)) / m;
        if (!(r <= worst)) worst = r;
    }
    return worst;
}

/// Largest difference of velocities from v0 + M⁻¹ D γ.
HELPER double cone_momentum_error(const cone_fixture* f)
{
    const size_t n = f->problem.body_count;
    kai_cone_motion* m = malloc((n + 1) * sizeof *m);
    double worst = 0.0;
    assert_non_null(m);
    memcpy(m, f->start, n * sizeof *m);
    for (size_t i = 0; i < f->problem.contact_count; i++) {
        const kai_cone_contact* c = &f->contacts[i];
        const uint32_t body[2] = {c->a, c->b};
        const kai_vec3 arm[2] = {c->arm_a, c->arm_b};
        for (int k = 0; k < 2; k++) {
            if (body[k] == KAI_CONE_NONE) continue;
            const double sign = k == 0 ? -1.0 : 1.0;
            const kai_vec3 g = kai_vec3_scale(f->impulse[i], sign);
            kai_vec3 turn = kai_vec3_cross(arm[k], g);
            if (f->problem.couple) turn = kai_vec3_mul_add(turn, f->couple[i], sign);
            kai_cone_motion* b = &m[body[k]];
            b->v = kai_vec3_mul_add(b->v, g, b->inverse_mass);
            b->w = kai_vec3_add(b->w, cone_turn(f, body[k], turn));
        }
    }
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fmax(kai_vec3_distance(m[i].v, f->motion[i].v),
                                 kai_vec3_distance(m[i].w, f->motion[i].w)));
    free(m);
    return worst;
}

#endif
