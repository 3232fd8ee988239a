// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Friction, rolling and spinning resistance, and adhesion of the penalty method.
#include "penalty_rig.h"

static const double G = 9.81;

static kai_material_def rough(double restitution, double friction)
{
    kai_material_def m = rig_material(1e9, .3, restitution);
    m.friction = friction;
    return m;
}

/// A ball of radius .1 and 1 kg that lies on a plane with its weight, sunk in as far as it carries.
static rig ball_on_plane(kai_material_def material, double h)
{
    rig r = rig_make(material, h);
    r.a = (rig_ball){.mass = HUGE_VAL, .radius = HUGE_VAL};
    r.b = (rig_ball){.mass = 1.0, .radius = .1, .force = {0.0, 0.0, -G}};
    r.b.x.z = .1 - pow(G / (4.0 / 3.0 * r.pair.young * sqrt(.1)), 2.0 / 3.0);
    return r;
}

static void run(rig* r, double seconds)
{
    const double end = r->time + seconds;
    while (r->time < end) rig_step(r);
}

/// A force along the plane that comes on slowly, so that nothing swings beyond it.
static void ramp(rig* r, double force, double seconds)
{
    const double from = r->b.force.x, begin = r->time;
    while (r->time < begin + seconds) {
        r->b.force.x = from + (force - from) * (r->time - begin) / seconds;
        rig_step(r);
    }
    r->b.force.x = force;
}

// Sliding ----------------------------------------------------------------------------------------

/// A ball that slides all through an impact loses μ (1 + e) vn along the plane, and its spin gains
/// 5/2 of that over its radius. Flores' law never pulls: the formula holds at any e.
static void oblique_impact_that_slides(void** state)
{
    const struct {
        const kai_contact_law_kind* law;
        double e;
    } cases[] = {{&kai_contact_law_hertz, 1.0},
                 {&kai_contact_law_flores, 1.0},
                 {&kai_contact_law_flores, 0.5}};
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        const double mu = 0.1, vn = 0.7, e = cases[i].e;
        rig r = ball_on_plane(rough(e, mu), 2e-7);
        r.law.kind = cases[i].law;
        r.b.force = kai_vec3_zero();
        r.b.x.z = 0.1 + 1e-6;
        r.b.v = kai_vec3_make(3.0, 4.0, -vn);
        rig_impact(&r, 0.1);
        check_near(r.b.v.z, e * vn, 1e-3, "restitution");
        const double lost = mu * (1.0 + e) * vn;
        // 700 steps; the friction spring takes a few of them to load up (1e-3 of the impulse).
        check_near(5.0 - hypot(r.b.v.x, r.b.v.y), lost, 5e-3 * lost, "sliding formula");
        check_near(r.b.v.x / r.b.v.y, 0.75, 1e-9, "in one plane");
        check_near(kai_vec3_norm(r.b.w), 2.5 * lost / 0.1, 1e-2 * 2.5 * lost / 0.1, "sphere");
    }
}

/// Under the limit the block comes to rest where the spring holds it; above it slides with what is
/// left of the force.
static void stick_below_the_limit_slide_above(void** state)
{
    const double mu = 0.5;
    for (int law = 0; law < 2; law++) {
        rig r = ball_on_plane(rough(0.3, mu), 1e-5);
        const kai_contact_law_hooke_params params = {.characteristic_speed = 1.0};
        r.law.kind = law ? &kai_contact_law_hooke : &kai_contact_law_hertz;
        r.law.instance = &params;
        r.b.upright = true;
        ramp(&r, 0.9 * mu * G, 0.5);
        run(&r, 1.0);
        assert_true(fabs(r.b.v.x) < 1e-9);
        const double there = r.b.x.x;
        run(&r, 0.5);
        check_near(r.b.x.x, there, 1e-12, "does not creep");
        check_near(r.answer.force.x, -0.9 * mu * G, 1e-9 * G, "balance");
        r.b.force.x = 1.1 * mu * G;
        const double v = r.b.v.x;
        run(&r, 0.5);
        check_near(r.b.v.x - v, 0.1 * mu * G * 0.5, 1e-3 * G, "Coulomb");
    }
}

/// Sticks up to the static limit; once it slips the sliding coefficient rules until it stops.
static void stick_slip_turn(void** state)
{
    kai_material_def m = rough(0.3, 0.4);
    m.static_friction = 0.6;
    rig r = ball_on_plane(m, 1e-5);
    r.b.upright = true;
    ramp(&r, 0.58 * G, 0.3); // between both
    run(&r, 0.3);
    assert_true(fabs(r.b.v.x) < 1e-9);
    ramp(&r, 0.61 * G, 0.1);
    r.b.force.x = 0.5 * G; // slips on
    double v = r.b.v.x;
    run(&r, 0.2);
    check_near(r.b.v.x - v, 0.1 * G * 0.2, 1e-3, "sliding friction 0.4");
    r.b.force.x = 0.0; // stops, and sticks again
    run(&r, 0.5);
    assert_true(fabs(r.b.v.x) < 1e-9);
    ramp(&r, 0.58 * G, 0.3);
    run(&r, 0.3);
    assert_true(fabs(r.b.v.x) < 1e-9);
}

/// The spring over one step is a dashpot kt h + gt: it creeps.
static void one_step_friction_creeps(void** state)
{
    rig r = ball_on_plane(rough(0.3, 0.5), 1e-5);
    r.law.tangential = KAI_CONTACT_TANGENTIAL_ONE_STEP;
    r.b.upright = true;
    r.b.force.x = 0.25 * G;
    run(&r, 0.5);
    assert_true(r.b.v.x > 0.0);
    const double speed = r.b.v.x;
    run(&r, 0.1);
    check_relative(r.b.v.x, speed, 1e-6, "steady");
    r.b.force.x = 0.6 * G;
    run(&r, 0.1);
    const double before = r.b.v.x;
    run(&r, 0.1);
    check_near(r.b.v.x - before, 0.1 * G * 0.1, 1e-3, "Coulomb");
}

static void no_friction_without_a_tangential_part(void** state)
{
    rig r = ball_on_plane(rough(0.3, 0.5), 1e-5);
    r.law.tangential = KAI_CONTACT_TANGENTIAL_NONE;
    r.b.v.x = 1.0;
    run(&r, 0.1);
    check_near(r.b.v.x, 1.0, 0.0, "smooth");
}

/// 5 m/s, μ .3: rolls after 2/7 v/(μ g) s at 5/7 of its speed (closed form).
static void slip_turns_into_roll(void** state)
{
    rig r = ball_on_plane(rough(0.5, 0.3), 1e-5);
    r.b.v.x = 5.0;
    double rolls = 0.0;
    while (r.time < 0.6) {
        rig_step(&r);
        if (rolls == 0.0 && r.history.slipping == 0.0 && r.time > 0.01) rolls = r.time;
    }
    check_relative(rolls, 2.0 / 7.0 * 5.0 / (0.3 * G), 1e-3, "0.485413 s");
    check_relative(r.b.v.x, 25.0 / 7.0, 1e-3, "3.571429 m/s");
}

/// Energy in a stick with Hooke, whose tangential stiffness is constant: all is accounted for.
static void friction_accounts_for_energy(void** state)
{
    const kai_contact_law_hooke_params params = {.characteristic_speed = 1.0};
    for (int slides = 0; slides < 2; slides++) {
        rig r = ball_on_plane(rough(0.6, slides ? 0.2 : 10.0), 2e-7);
        r.law.kind = &kai_contact_law_hooke, r.law.instance = &params;
        r.b.force = kai_vec3_zero();
        r.b.x.z = 0.1 + 1e-7;
        r.b.v = kai_vec3_make(1.0, 0.0, -0.5);
        r.b.w = kai_vec3_make(0.0, -5.0, 3.0);
        const double before = rig_kinetic(&r);
        rig_impact(&r, 0.1);
        assert_false(r.touching);
        // A stuck spring gives its energy back but for what it holds when the bodies part.
        const double held = slides ? 0.0 : 0.02;
        check_near((rig_kinetic(&r) + r.spent) / before, 1.0, 2e-3 + held, "energy");
        assert_true(rig_kinetic(&r) < before);
    }
}

// Rolling and spinning ---------------------------------------------------------------------------

/// Slowed by 5/7 g λ/R, a rolling ball stops after v² / 2a, and stays.
static void rolling_ball_stops(void** state)
{
    kai_material_def m = rough(0.3, 0.5);
    m.rolling_friction = 0.005;
    rig r = ball_on_plane(m, 1e-5);
    r.b.v.x = 0.3, r.b.w.y = 3.0;
    const double a = 5.0 / 7.0 * G * 0.005 / 0.1;
    run(&r, 0.3 / a * 1.5 + 1.0);
    // The torsion spring loads up and swings back: some 1e-4 rad of R = .1 m.
    check_relative(r.b.x.x, 0.09 / (2.0 * a), 0.01, "v²/2a");
    assert_true(kai_vec3_norm(r.b.v) < 1e-7 && kai_vec3_norm(r.b.w) < 1e-6);
    const double there = r.b.x.x;
    run(&r, 1.0);
    check_near(r.b.x.x, there, 1e-8, "does not creep");
    // A push under the limit of rolling is held; one over it rolls.
    r.b.force.x = 0.8 * G * 0.005 / 0.1;
    run(&r, 1.0);
    assert_true(kai_vec3_norm(r.b.v) < 1e-6);
    r.b.force.x = 1.5 * G * 0.005 / 0.1;
    const double v = r.b.v.x;
    run(&r, 0.5);
    check_relative(r.b.v.x - v, 5.0 / 7.0 * 0.5 * G * 0.05 * 0.5, 0.05, "rolls");
}

/// A spinning ball is slowed by λ m g / (2/5 m R²).
static void spinning_ball_stops(void** state)
{
    kai_material_def m = rough(0.3, 0.5);
    m.spinning_friction = 0.002;
    rig r = ball_on_plane(m, 1e-5);
    r.b.w.z = 4.0;
    const double a = 0.002 * G / (0.4 * 0.01);
    run(&r, 0.5 * 4.0 / a);
    check_relative(r.b.w.z, 2.0, 1e-3, "half way");
    run(&r, 2.0 * 4.0 / a);
    assert_true(fabs(r.b.w.z) < 1e-5);
}

// Adhesion ---------------------------------------------------------------------------------------

/// A ball hangs on a plane and is pulled off slowly; returns the force at which it goes.
static double pull_off(kai_contact_adhesion adhesion, double number)
{
    kai_material_def m = rough(0.1, 0.5);
    m.adhesion = number;
    rig r = ball_on_plane(m, 1e-5);
    r.law.adhesion = adhesion;
    r.b.force = kai_vec3_zero();
    run(&r, 0.2);
    while (r.touching && r.b.force.z < 100.0) {
        r.b.force.z += 1e-5;
        rig_step(&r);
    }
    return r.b.force.z;
}

static void pull_off_force(void** state)
{
    // Pulled off within .5 s; inertia of the ball and the dashpot add a percent.
    check_relative(pull_off(KAI_CONTACT_ADHESION_CONSTANT, 3.0), 3.0, 0.02, "constant");
    check_relative(pull_off(KAI_CONTACT_ADHESION_DMT, 2.5), 4.0 * KAI_PI * 2.5 * 0.1, 0.02,
                   "4π γ R");
    check_relative(pull_off(KAI_CONTACT_ADHESION_PERKO, 30.0), 0.036 * 900.0 * 0.1, 0.02,
                   "0.036 S² R");
    check_near(pull_off(KAI_CONTACT_ADHESION_NONE, 3.0), 0.0, 0.02, "none");
}

/// Attraction presses the surfaces together: friction carries μ times it without any load.
static void adhesion_carries_shear(void** state)
{
    kai_material_def m = rough(0.3, 0.5);
    m.adhesion = 4.0;
    rig r = ball_on_plane(m, 1e-5);
    r.law.adhesion = KAI_CONTACT_ADHESION_CONSTANT;
    r.b.upright = true;
    r.b.force = kai_vec3_make(1.9, 0.0, 0.0);
    run(&r, 0.5);
    assert_true(r.touching && fabs(r.b.v.x) < 1e-8);
    r.b.force.x = 2.1;
    run(&r, 0.5);
    check_near(r.b.v.x, 0.1 * 0.5, 2e-3, "slides");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oblique_impact_that_slides),
        cmocka_unit_test(stick_below_the_limit_slide_above),
        cmocka_unit_test(stick_slip_turn),
        cmocka_unit_test(one_step_friction_creeps),
        cmocka_unit_test(no_friction_without_a_tangential_part),
        cmocka_unit_test(slip_turns_into_roll),
        cmocka_unit_test(friction_accounts_for_energy),
        cmocka_unit_test(rolling_ball_stops),
        cmocka_unit_test(spinning_ball_stops),
        cmocka_unit_test(pull_off_force),
        cmocka_unit_test(adhesion_carries_shear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
