// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Impacts of spheres against closed forms, and against Chung and Ooi (2011), "Benchmark tests for
// verifying discrete element modelling codes at particle impact level", tests 1 to 3.
// ctest-labels: validate
#include "contact/stage.h"

static kai_world* empty_space(kai_contact_method method)
{
    kai_world* world = stage_world(method, 1);
    check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
    return world;
}

// Restitution: two balls of 1 kg and r = 0.5 m at ±1 m/s. NSC reverses the speed of approach in one
// step, to rounding. The penalty method has e from its damping, which is made for it: within 1e-3
// at 240 steps a contact. NSC is as exact as the solver's tolerance, 1e-10 m/s.
static void test_restitution(void** state)
{
    const double asked[] = {0.0, 0.25, 0.5, 0.75, 1.0};
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
            kai_world* world = empty_space(method);
            kai_material_def surface = kai_material_def_default();
            surface.restitution = asked[i];
            surface.young = 2e5;
            surface.poisson = 0.3;
            const kai_material material = stage_material(world, &surface);
            const kai_body a = stage_ball(world, 0.5, 1.0, kai_vec3_make(-0.51, 0, 0), material),
                           b = stage_ball(world, 0.5, 1.0, kai_vec3_make(0.51, 0, 0), material);
            stage_push(world, a, kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero());
            stage_push(world, b, kai_vec3_make(-1.0, 0.0, 0.0), kai_vec3_zero());
            const double h = method == KAI_CONTACT_NSC ? 1e-3 : 1e-4;
            stage_steps(world, (int)lround(0.5 / h), h);
            const double e = 0.5 * (kai_body_velocity(world, b).x - kai_body_velocity(world, a).x);
            check_near(e, asked[i], method == KAI_CONTACT_NSC ? 1e-10 : 1e-3, "asked restitution");
            kai_world_destroy(world);
        }
    }
}

// A ball of 1 kg that meets the floor along a slope, spin 0. Friction is μ times the push as long
// as it slides: v_t falls by μ (1 + e) v_n, or to 5/7 of it where it stops sliding first, and the
// spin grows by 5/2 of that over R (e.g. Maw, Barber and Fawcett 1976, rigid limit).
static void oblique(kai_contact_method method, double e, double vt, bool slides)
{
    const double mu = 0.25, vn = 2.0, radius = 0.1;
    kai_world* world = empty_space(method);
    kai_material_def surface = stage_rough(mu);
    surface.restitution = e;
    surface.young = 2e10;
    const kai_material material = stage_material(world, &surface);
    stage_floor(world, material);
    const kai_body ball = stage_ball(world, radius, 1.0, kai_vec3_make(0, 0, 0.101), material);
    stage_push(world, ball, kai_vec3_make(vt, 0.0, -vn), kai_vec3_zero());
    const double h = method == KAI_CONTACT_NSC ? 1e-4 : 1e-6;
    stage_steps(world, (int)lround(0.02 / h), h);
    const kai_vec3 v = kai_body_velocity(world, ball);
    const double spin = kai_body_angular_velocity(world, ball).y;
    // NSC: the impact is found up to h v_n before the surfaces touch, and acts where they will.
    // Penalty: friction acts where the ball is pressed in, by δ = 3e-3 R at most; the mean arm is
    // about R - δ / 4.
    const double rough = method == KAI_CONTACT_NSC ? 1e-9 : 1e-3,
                 arm = method == KAI_CONTACT_NSC ? 1e-9 : 2e-3;
    check_relative(v.z, e * vn, rough, "e v_n");
    if (slides)
        check_relative(v.x, vt - mu * (1.0 + e) * vn, rough, "v_t - μ (1 + e) v_n");
    else
        check_relative(v.x, 5.0 / 7.0 * vt, arm, "5/7 v_t");
    check_relative(spin, 2.5 * (vt - v.x) / radius, arm, "5 Δv_t / 2R");
    kai_world_destroy(world);
}

// Sliding all the way needs v_t ≥ 7/2 μ (1 + e) v_n = 3.5 for e = 1. That a contact which sticks
// leaves with 5/7 v_t is the rigid law: springs give some of it back, so that is for NSC alone.
static void test_oblique(void** state)
{
    oblique(KAI_CONTACT_NSC, 1.0, 5.0, true);
    oblique(KAI_CONTACT_NSC, 0.5, 5.0, true);
    oblique(KAI_CONTACT_NSC, 1.0, 3.6, true);
    oblique(KAI_CONTACT_NSC, 1.0, 3.4, false);
    oblique(KAI_CONTACT_NSC, 0.5, 1.0, false);
    oblique(KAI_CONTACT_SMC, 1.0, 8.0, true);
    oblique(KAI_CONTACT_SMC, 1.0, 20.0, true);
}

// Two free balls of different size that meet askew and spin, from anywhere in a step. At the moment
// when they touch, with the normal n of then, G_n = 1/m₁ + 1/m₂ and G_t = G_n + R₁²/I₁ + R₂²/I₂:
// γ_n = -(1 + e) u_n / G_n; friction stops the slip, -u_t / G_t, or is μ γ_n. Angular momentum is
// kept.
static void test_pairs(void** state)
{
    const double ra = 0.1, rb = 0.06, ma = 1.0, mb = 0.4, e = 0.8, h = 2e-4;
    for (int k = 0; k < 40; k++) {
        kai_world* world = empty_space(KAI_CONTACT_NSC);
        const double mu = k % 2 ? 0.1 : 1.0;
        kai_material_def surface = stage_rough(mu);
        surface.restitution = e;
        const kai_material material = stage_material(world, &surface);
        const kai_vec3 offset = kai_vec3_make(0.17 + 1.7e-5 * k, 0.03, 0.05),
                       va = kai_vec3_make(0.3, 0.1, 0), vb = kai_vec3_make(-1.5, 0.2, 0.3);
        const kai_vec3 wa = kai_vec3_scale(helper_random_vec3((uint64_t)k), 10.0),
                       wb = kai_vec3_scale(helper_random_vec3((uint64_t)k + 100), 10.0);
        const kai_body a = stage_ball(world, ra, ma, kai_vec3_zero(), material),
                       b = stage_ball(world, rb, mb, offset, material);
        stage_push(world, a, va, wa);
        stage_push(world, b, vb, wb);
        const kai_vec3 v = kai_vec3_sub(vb, va);
        const double along = kai_vec3_dot(offset, v), square = kai_vec3_norm2(v),
                     far = kai_vec3_norm2(offset) - (ra + rb) * (ra + rb);
        const double t = (-along - sqrt(along * along - square * far)) / square;
        const kai_vec3 n = kai_vec3_scale(kai_vec3_mul_add(offset, v, t), 1.0 / (ra + rb));
        const kai_vec3 u = kai_vec3_sub(
            v, kai_vec3_cross(kai_vec3_add(kai_vec3_scale(wa, ra), kai_vec3_scale(wb, rb)), n));
        const double un = kai_vec3_dot(u, n), gn = 1.0 / ma + 1.0 / mb, gt = 3.5 * gn;
        const kai_vec3 ut = kai_vec3_mul_add(u, n, -un);
        const double p = -(1.0 + e) * un / gn, q = fmin(kai_vec3_norm(ut) / gt, mu * p);
        const kai_vec3 impulse =
            kai_vec3_add(kai_vec3_scale(n, p), kai_vec3_scale(kai_vec3_normalize(ut), -q));
        kai_vec3 linear, before, after;
        check_ok(kai_world_momentum(world, &linear, &before));
        stage_steps(world, (int)lround(0.04 / h), h);
        check_ok(kai_world_momentum(world, &linear, &after));
        assert_true(t > 0.0 && t < 0.03);
        check_vec3(after, before, 1e-13, "angular momentum");
        check_vec3(kai_body_velocity(world, b), kai_vec3_mul_add(vb, impulse, 1.0 / mb), 1e-9, "v");
        check_vec3(kai_body_velocity(world, a), kai_vec3_mul_add(va, impulse, -1.0 / ma), 1e-9,
                   "v");
        const kai_vec3 turn = kai_vec3_cross(n, impulse);
        check_vec3(kai_body_angular_velocity(world, b),
                   kai_vec3_mul_add(wb, turn, -2.5 / (mb * rb)), 1e-7, "spin");
        check_vec3(kai_body_angular_velocity(world, a),
                   kai_vec3_mul_add(wa, turn, -2.5 / (ma * ra)), 1e-7, "spin");
        check_vec3(kai_body_position(world, b),
                   kai_vec3_add(kai_vec3_mul_add(offset, vb, t),
                                kai_vec3_scale(kai_body_velocity(world, b), 0.04 - t)),
                   1e-9, "place");
        kai_world_destroy(world);
    }
}

// What an elastic impact is like: deepest overlap, largest force and duration.
typedef struct impact {
    double depth, force, duration;
} impact;

// Follows an impact that begins at t = 0 with the surfaces touching. `ball` is a body in it.
static impact follow(kai_world* world, kai_body ball, double h)
{
    impact result = {0};
    double before = 0.0;
    for (int i = 0; i < 100000; i++) {
        stage_steps(world, 1, h);
        const double depth = stage_depth(world);
        result.force = fmax(result.force, kai_vec3_norm(stage_force(world, ball)));
        result.depth = fmax(result.depth, depth);
        // Contacts are those in the middle of a step; the surfaces part where a line says 0.
        if (kai_contact_report_count(world) == 0 || depth == 0.0) {
            result.duration = (i + 0.5) * h;
            return result;
        }
        before = depth;
    }
    (void)before;
    fail_msg("the bodies do not part");
    return result;
}

static const struct {
    const char* what;
    bool wall;
    double radius, speed; // m, m/s of each ball
    double young, poisson, density;
    double depth, force, duration; // µm, kN, µs
} CHUNG_OOI[] = {
    {"1 glass", false, 0.01, 10.0, 48e9, 0.20, 2800.0, 274.11, 10.697, 40.34},
    {"1 limestone", false, 0.01, 10.0, 20e9, 0.25, 2500.0, 368.30, 7.108, 54.20},
    {"2 aluminium alloy", true, 0.1, 0.2, 70e9, 0.30, 2699.0, 49.72, 11.370, 731.7},
    {"3 aluminium oxide", true, 0.0025, 3.9, 380e9, 0.23, 4000.0, 8.089, 0.6154, 6.105},
};

// Walls are rigid. 1,000 steps a contact: the duration is found to one step, 0.1 %, the rest to
// 1e-5, order 2. Bar of the table: 0.5 %.
static void test_chung_ooi(void** state)
{
    for (size_t i = 0; i < sizeof CHUNG_OOI / sizeof CHUNG_OOI[0]; i++) {
        kai_world* world = empty_space(KAI_CONTACT_SMC);
        kai_material_def surface = kai_material_def_default(), rigid = surface;
        surface.young = CHUNG_OOI[i].young;
        surface.poisson = CHUNG_OOI[i].poisson;
        surface.restitution = rigid.restitution = 1.0;
        surface.friction = 0.0;
        rigid.young = 1e30;
        const kai_material m = stage_material(world, &surface), w = stage_material(world, &rigid);
        const double r = CHUNG_OOI[i].radius, v = CHUNG_OOI[i].speed,
                     mass = CHUNG_OOI[i].density * 4.0 / 3.0 * KAI_PI * r * r * r;
        const kai_body ball = stage_ball(world, r, mass, kai_vec3_make(0, 0, r), m);
        stage_push(world, ball, kai_vec3_make(0, 0, -v), kai_vec3_zero());
        if (CHUNG_OOI[i].wall) {
            stage_floor(world, w);
        } else {
            const kai_body other = stage_ball(world, r, mass, kai_vec3_make(0, 0, -r), m);
            stage_push(world, other, kai_vec3_make(0, 0, v), kai_vec3_zero());
        }
        const impact found = follow(world, ball, 1e-9 * CHUNG_OOI[i].duration);
        check_relative(1e6 * found.depth, CHUNG_OOI[i].depth, 1e-3, CHUNG_OOI[i].what);
        check_relative(1e-3 * found.force, CHUNG_OOI[i].force, 1e-3, CHUNG_OOI[i].what);
        check_relative(1e6 * found.duration, CHUNG_OOI[i].duration, 2e-3, CHUNG_OOI[i].what);
        check_near(kai_body_velocity(world, ball).z, v, 1e-4 * v, "elastic");
        kai_world_destroy(world);
    }
}

// Newton's cradle, NSC: balls that touch are one problem, whose solution for e = 1 by Newton's law
// conserves momentum and does not gain energy; a row with gaps hands the speed on, ball by ball.
static void test_cradle(void** state)
{
    enum { BALLS = 5 };
    for (int gap = 0; gap < 2; gap++) {
        kai_world* world = empty_space(KAI_CONTACT_NSC);
        kai_material_def surface = stage_rough(0.0);
        surface.restitution = 1.0;
        const kai_material material = stage_material(world, &surface);
        kai_body balls[BALLS];
        for (int i = 0; i < BALLS; i++)
            balls[i] =
                stage_ball(world, 0.05, 1.0, kai_vec3_make(i * (0.1 + 0.02 * gap), 0, 0), material);
        stage_push(world, balls[0], kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero());
        stage_steps(world, 500, 1e-3);
        kai_vec3 linear, angular;
        check_ok(kai_world_momentum(world, &linear, &angular));
        check_near(linear.x, 1.0, 1e-12, "momentum");
        assert_true(stage_energy(world) <= 0.5 + 1e-12);
        for (int i = 0; gap && i < BALLS; i++)
            check_near(kai_body_velocity(world, balls[i]).x, i == BALLS - 1 ? 1.0 : 0.0, 1e-9,
                       "the last one leaves with all of it");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restitution), cmocka_unit_test(test_oblique),
        cmocka_unit_test(test_pairs),       cmocka_unit_test(test_chung_ooi),
        cmocka_unit_test(test_cradle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
