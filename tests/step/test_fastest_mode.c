// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The longest stable step of explicit methods, against closed forms and against what happens.
#include "step/scene.h"

#include "step/fastest_mode.h"

#include <kairos/joint.h>
#include <kairos/load.h>
#include <stdio.h>
#include <string.h>

static const kai_vec3 UNIT = {1.0, 1.0, 1.0};

typedef struct rig {
    kai_world* world;
    kai_body ground, body; // m = 2, moments 1
} rig;

static rig make_rig(const kai_integrator_kind* integrator)
{
    rig r = {.world = scene_world(integrator, 1)};
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    check_ok(kai_body_create(r.world, &def, &r.ground));
    r.body = scene_body(r.world, UNIT, kai_vec3_zero());
    return r;
}

/// A spring between a point of one body and one of another, at rest.
static void add_spring(const rig* r, kai_body a, kai_body b, kai_vec3 from, kai_vec3 to, double k,
                       double c, const char* name)
{
    kai_load_spring_params p;
    kai_load load;
    kai_kind_defaults(&kai_load_spring.kind, &p);
    p.bodies[0] = a, p.bodies[1] = b;
    p.points[0] = from, p.points[1] = to;
    p.stiffness = kai_curve_line(k);
    p.damping = kai_curve_line(c);
    check_ok(kai_load_create(r->world, &kai_load_spring, &p, name, &load));
}

static void add_pin(const rig* r, kai_vec3 at, const char* name)
{
    kai_joint_base pin;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_revolute.kind, &pin);
    pin.bodies[0] = r->ground;
    pin.bodies[1] = r->body;
    pin.at = at;
    pin.axis = kai_vec3_make(0.0, 1.0, 0.0);
    check_ok(kai_joint_create(r->world, &kai_joint_revolute, &pin, name, &joint));
}

static double stable_step(const rig* r, char* text, size_t size)
{
    double step = -1.0;
    const uint64_t before = kai_world_hash(r->world);
    check_ok(kai_fastest_mode_step(r->world, &step, text, size, NULL));
    assert_true(kai_world_hash(r->world) == before);
    return step;
}

#define X(x) kai_vec3_make(x, 0.0, 0.0)
#define Z(z) kai_vec3_make(0.0, 0.0, z)

static const kai_integrator_kind* const EXPLICIT[] = {
    &kai_integrator_euler, &kai_integrator_leapfrog, &kai_integrator_rk4};

// ω² = k/m of one spring, 2k/m of two side by side, (k₁ + k₂)/m of one before and one behind.
static void springs(void** state)
{
    (void)state;
    const double k = 1e6, m = 2.0, limit[] = {2.0, 2.0, 2.8};
    for (size_t i = 0; i < KAI_COUNT(EXPLICIT); i++) {
        char text[512] = "";
        rig r = make_rig(EXPLICIT[i]);
        assert_true(stable_step(&r, text, sizeof text) == HUGE_VAL);
        add_spring(&r, r.ground, r.body, X(-1.0), kai_vec3_zero(), k, 0.0, "front");
        check_relative(stable_step(&r, text, sizeof text), limit[i] / sqrt(k / m), 1e-6,
                       "ω² = k/m");
        assert_non_null(strstr(text, "spring 'front'"));
        assert_non_null(strstr(text, "1e+06 N/m on 2 kg swings with a period of 0.00889 s"));
        add_spring(&r, r.ground, r.body, X(-1.0), kai_vec3_zero(), k, 0.0, "beside");
        check_relative(stable_step(&r, text, sizeof text), limit[i] / sqrt(2.0 * k / m), 1e-6,
                       "ω² = 2k/m");
        add_spring(&r, r.ground, r.body, X(1.0), kai_vec3_zero(), 7.0 * k, 0.0, "back");
        check_relative(stable_step(&r, text, sizeof text), limit[i] / sqrt(9.0 * k / m), 1e-6,
                       "ω² = 9k/m");
        assert_non_null(strstr(text, "spring 'back'"));
        kai_world_destroy(r.world);
    }
}

// A damper takes the velocity with c/m.
static void dampers(void** state)
{
    (void)state;
    const double limit[] = {2.0, 2.0, 2.78};
    for (size_t i = 0; i < KAI_COUNT(EXPLICIT); i++) {
        char text[512] = "";
        rig r = make_rig(EXPLICIT[i]);
        add_spring(&r, r.ground, r.body, X(-1.0), kai_vec3_zero(), 10.0, 5e4, "damper");
        check_relative(stable_step(&r, text, sizeof text), limit[i] / (5e4 / 2.0), 1e-5, "c/m");
        assert_non_null(strstr(text, "5e+04 N s/m on 2 kg decays within 4e-05 s"));
        kai_world_destroy(r.world);
    }
}

// A spring on the end of an arm: free, ω² = k (1/m + l²/I); on a pin at its middle, ω² = k l²/I;
// on a pin at distance a from its middle, ω² = k (l + a)² / (I + m a²). Along a rail across the
// spring nothing vibrates.
static void joints_hold(void** state)
{
    (void)state;
    const double k = 1e6, m = 2.0, inertia = 1.0, l = 3.0, a = 2.0;
    for (int i = 0; i < 3; i++) {
        const double exact[] = {k * (1.0 / m + l * l / inertia), k * l * l / inertia,
                                k * (l + a) * (l + a) / (inertia + m * a * a)};
        for (int rk4 = 0; rk4 < 2; rk4++) {
            rig r = make_rig(rk4 ? &kai_integrator_rk4 : &kai_integrator_euler);
            add_spring(&r, r.ground, r.body, kai_vec3_make(l, 0.0, -1.0), X(l), k, 0.0, "leaf");
            if (i > 0) add_pin(&r, X(i == 1 ? 0.0 : -a), "pin");
            check_relative(stable_step(&r, NULL, 0), (rk4 ? 2.8 : 2.0) / sqrt(exact[i]), 1e-6,
                           "closed forms above");
            kai_world_destroy(r.world);
        }
    }
    rig r = make_rig(&kai_integrator_euler);
    add_spring(&r, r.ground, r.body, Z(-1.0), kai_vec3_zero(), k, 0.0, "leaf");
    kai_joint_base rail;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_prismatic.kind, &rail);
    rail.bodies[0] = r.ground;
    rail.bodies[1] = r.body;
    rail.at = kai_vec3_zero();
    rail.axis = X(1.0);
    check_ok(kai_joint_create(r.world, &kai_joint_prismatic, &rail, "rail", &joint));
    assert_true(stable_step(&r, NULL, 0) > 0.1);
    kai_world_destroy(r.world);
}

static void implicit_methods_have_no_limit(void** state)
{
    (void)state;
    const kai_integrator_kind* const all[] = {&kai_integrator_hht, &kai_integrator_newmark,
                                              &kai_integrator_trapezoidal,
                                              &kai_integrator_euler_implicit};
    for (size_t i = 0; i < KAI_COUNT(all); i++) {
        rig r = make_rig(all[i]);
        add_spring(&r, r.ground, r.body, X(-1.0), kai_vec3_zero(), 1e12, 0.0, "stiff");
        assert_true(stable_step(&r, NULL, 0) == HUGE_VAL);
        kai_world_destroy(r.world);
    }
}

/// How far the body gets in 4,000 steps of `share` of the longest stable one, from 1 mm; HUGE_VAL
/// where a step fails.
static double reach(const kai_integrator_kind* integrator, bool pinned, double share)
{
    rig r = make_rig(integrator);
    add_spring(&r, r.ground, r.body, kai_vec3_make(3.0, 0.0, -1.0), X(3.0), 1e4, 0.0, "leaf");
    if (pinned) add_pin(&r, X(-1.0), "pin");
    const double h = share * stable_step(&r, NULL, 0);
    check_ok(kai_body_set_velocity(r.world, r.body, Z(1e-4),
                                   kai_vec3_make(0.0, pinned ? -1e-4 : 0.0, 0.0)));
    double most = 0.0;
    for (int i = 0; i < 4000; i++) {
        if (kai_world_step(r.world, h) != KAI_OK) most = HUGE_VAL;
        most = fmax(most, fabs(kai_body_position(r.world, r.body).z));
    }
    kai_world_destroy(r.world);
    return most;
}

// Just below the limit vibrations stay, just above they grow until something else ends it.
static void the_limit_is_one(void** state)
{
    (void)state;
    for (int pinned = 0; pinned < 2; pinned++) {
        assert_true(reach(&kai_integrator_euler, pinned, 0.98) < 0.01);
        assert_true(reach(&kai_integrator_euler, pinned, 1.02) > 0.05);
        assert_true(reach(&kai_integrator_rk4, pinned, 0.98) < 0.01);
        assert_true(reach(&kai_integrator_rk4, pinned, 1.04) > 0.05);
    }
    assert_true(reach(&kai_integrator_leapfrog, false, 0.98) < 0.01);
    assert_true(reach(&kai_integrator_leapfrog, false, 1.02) > 0.05);
}

/// The state after 20 steps of a pendulum with a stop on a spring.
static uint64_t end_state(bool looked)
{
    rig r = make_rig(&kai_integrator_euler);
    check_ok(kai_world_set_gravity(r.world, Z(-10.0)));
    add_spring(&r, r.ground, r.body, kai_vec3_make(3.0, 0.0, -1.0), X(3.0), 1e4, 3.0, "leaf");
    add_pin(&r, X(-1.0), "pin");
    add_pin(&r, X(-1.0), "double"); // redundant: told once, in the run
    if (looked) stable_step(&r, NULL, 0);
    scene_steps(r.world, 20, 1e-3);
    const uint64_t hash = kai_world_hash(r.world);
    kai_world_destroy(r.world);
    return hash;
}

static void a_look_changes_nothing(void** state)
{
    (void)state;
    assert_true(end_state(true) == end_state(false));
}

// Two links of length l hold a weight M that is far heavier. Their middle swings across, each link
// about its outer end: ω² = F l / (I + m l²/4) with F = M g, to 1/M of the links' masses.
enum { LINKS = 2 };

static kai_world* make_string(const kai_integrator_kind* integrator, double weight)
{
    static const kai_vec3 AXIS = {0.0, 1.0, 0.0};
    const double l = 0.1;
    kai_world* world = scene_world(integrator, 1);
    check_ok(kai_world_set_gravity(world, Z(-10.0)));
    kai_body_def def = kai_body_def_default();
    kai_body bodies[LINKS + 2];
    def.fixed = true;
    check_ok(kai_body_create(world, &def, &bodies[0]));
    def.fixed = false;
    for (int i = 1; i <= LINKS + 1; i++) {
        const bool link = i <= LINKS;
        def.mass = link ? 1.0 : weight;
        const double moment = link ? 1e-3 : weight;
        def.inertia = (kai_inertia){moment, moment, moment, 0.0, 0.0, 0.0};
        def.position = Z(link ? -l * (i - 0.5) : -l * LINKS);
        def.velocity = X(i == 1 ? 1e-6 : 0.0);
        snprintf(def.name.text, sizeof def.name.text, "%s", i == 1 ? "upper" : "");
        check_ok(kai_body_create(world, &def, &bodies[i]));
    }
    for (int i = 0; i <= LINKS; i++) {
        kai_joint_base pin;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_revolute.kind, &pin);
        pin.bodies[0] = bodies[i];
        pin.bodies[1] = bodies[i + 1];
        pin.at = Z(-l * i);
        pin.axis = AXIS;
        check_ok(
            kai_joint_create(world, &kai_joint_revolute, &pin, i == 1 ? "middle" : "", &joint));
    }
    return world;
}

static double taut_step(kai_world* world, bool stepped, char* text, size_t size)
{
    double step = -1.0;
    const uint64_t before = kai_world_hash(world);
    check_ok(kai_fastest_mode_taut_step(world, stepped, &step, text, size, NULL));
    assert_true(kai_world_hash(world) == before);
    return step;
}

static void joints_under_force_are_stiff(void** state)
{
    (void)state;
    const double limit[] = {2.0, 2.0, 2.8}, omega2 = 1e6 * 10.0 * 0.1 / (1e-3 + 0.01 / 4.0);
    for (size_t i = 0; i < KAI_COUNT(EXPLICIT); i++) {
        if (EXPLICIT[i] == &kai_integrator_leapfrog) continue; // has no joints
        char text[512] = "";
        kai_world* world = make_string(EXPLICIT[i], 1e6);
        check_relative(taut_step(world, false, text, sizeof text), limit[i] / sqrt(omega2), 1e-4,
                       "ω² = F l / (I + m l²/4)");
        assert_non_null(strstr(text, "revolute joint 'middle'"));
        assert_non_null(strstr(text, "under its force of 1e+07 N"));
        scene_steps(world, 10, 1e-5);
        check_relative(taut_step(world, true, NULL, 0), limit[i] / sqrt(omega2), 1e-4,
                       "with the forces of the last step");
        kai_world_destroy(world);
    }
    kai_world* world = make_string(&kai_integrator_hht, 1e6);
    assert_true(taut_step(world, false, NULL, 0) == HUGE_VAL);
    kai_world_destroy(world);
}

/// How far the middle gets in 2,000 steps of `share` of the longest stable one; `looked`: each step
/// is followed by a look.
static double string_reach(double share, bool looked, uint64_t* hash)
{
    kai_world* world = make_string(&kai_integrator_euler, 1e6);
    const double h = share * taut_step(world, false, NULL, 0);
    double most = 0.0;
    for (int i = 0; i < 2000; i++) {
        if (kai_world_step(world, h) != KAI_OK) most = HUGE_VAL;
        most = fmax(most, fabs(kai_body_position(world, kai_body_find(world, "upper")).x));
        if (looked && i % 100 == 0) taut_step(world, true, NULL, 0);
    }
    *hash = kai_world_hash(world);
    kai_world_destroy(world);
    return most;
}

static void the_limit_of_a_string_is_one(void** state)
{
    (void)state;
    uint64_t plain, looked;
    assert_true(string_reach(0.98, false, &plain) < 1e-6);
    assert_true(string_reach(0.98, true, &looked) < 1e-6);
    assert_true(plain == looked); // a look changes nothing
    assert_true(string_reach(1.02, false, &plain) > 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs),
        cmocka_unit_test(dampers),
        cmocka_unit_test(joints_hold),
        cmocka_unit_test(implicit_methods_have_no_limit),
        cmocka_unit_test(the_limit_is_one),
        cmocka_unit_test(a_look_changes_nothing),
        cmocka_unit_test(joints_under_force_are_stiff),
        cmocka_unit_test(the_limit_of_a_string_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
