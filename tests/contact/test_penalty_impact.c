// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Normal impacts: published figures, restitution, energy.
#include "penalty_rig.h"

static double ball_mass(double radius, double density)
{
    return 4.0 / 3.0 * KAI_PI * radius * radius * radius * density;
}

// Chung & Ooi ------------------------------------------------------------------------------------

typedef struct benchmark {
    const char* name;
    double young, poisson, density, radius, speed; // of each sphere, or of the one before a wall
    bool wall;
    double deepest, strongest, duration; // m, N, s
} benchmark;

static const benchmark BENCHMARKS[] = {
    {"1 glass", 48e9, .20, 2800, .010, 10.0, false, 274.11e-6, 10.697e3, 40.34e-6},
    {"1 limestone", 20e9, .25, 2500, .010, 10.0, false, 368.30e-6, 7.108e3, 54.20e-6},
    {"2 aluminium alloy", 70e9, .30, 2699, .100, 0.2, true, 49.72e-6, 11.370e3, 731.7e-6},
    {"3 aluminium oxide", 380e9, .23, 4000, .0025, 3.9, true, 8.089e-6, 0.6154e3, 6.105e-6},
};

static void chung_and_ooi(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(BENCHMARKS); i++) {
        const benchmark* c = &BENCHMARKS[i];
        const kai_material_def ball = rig_material(c->young, c->poisson, 1.0);
        kai_material_def wall = ball;
        wall.young = c->wall ? 1e30 : c->young; // the walls of these tests are rigid
        rig r = rig_make(ball, c->duration / 1000.0);
        check_ok(kai_penalty_pair_combine(&ball, &wall, &r.pair, NULL));
        const double mass = ball_mass(c->radius, c->density);
        r.a =
            (rig_ball){.mass = c->wall ? HUGE_VAL : mass, .radius = c->wall ? HUGE_VAL : c->radius};
        r.b = (rig_ball){.mass = mass, .radius = c->radius};
        const double way = 3.3 * r.h * c->speed;
        r.b.x.z = (c->wall ? 1.0 : 2.0) * c->radius + way;
        r.b.v.z = -c->speed;
        r.a.v.z = c->wall ? 0.0 : c->speed;
        rig_impact(&r, 3.0 * c->duration);
        check_relative(r.deepest, c->deepest, 0.005, c->name);
        check_relative(r.strongest, c->strongest, 0.005, c->name);
        check_relative(r.ended - r.began, c->duration, 0.005, c->name);
        // A thousand steps an impact: the error of the midpoint rule is 1e-6 of each.
        check_relative(r.b.v.z, c->speed, 1e-5, "elastic");
    }
}

// Restitution ------------------------------------------------------------------------------------

static kai_contact_law_hooke_params hooke_params = {.characteristic_speed = 1.0};

static void use_law(rig* r, const kai_contact_law_kind* kind)
{
    r->law.kind = kind;
    r->law.instance = kind == &kai_contact_law_hooke ? &hooke_params : NULL;
}

/// The case of the reference list: r .5 m, 1 kg, ±1 m/s, E 2e5, ν .3; `phase` is where in a step
/// the touch begins.
static rig pair_of_spheres(const kai_contact_law_kind* kind, double e, double steps, double phase)
{
    rig r = rig_make(rig_material(2e5, .3, e), 1.0);
    use_law(&r, kind);
    r.h = rig_hertz_time(&r, .25, .5, 2.0) / steps;
    r.a = (rig_ball){.mass = 1.0, .radius = .5, .v = {1.0, 0.0, 0.0}};
    r.b = (rig_ball){.mass = 1.0, .radius = .5, .v = {-1.0, 0.0, 0.0}};
    r.b.x.x = 1.0 + (2.0 + phase) * r.h * 2.0;
    return r;
}

static double measured_restitution(rig* r, double steps)
{
    // A pair without restitution parts in infinite time: after 40 durations it is at rest.
    rig_impact(r, 40.0 * steps * r->h);
    return (r->b.v.x - r->a.v.x) / 2.0;
}

/// 400 steps a contact: hertz and hooke are off by 4e-5; flores takes 0 for 5e-4.
static void restitution_is_the_one_asked_for(void** state)
{
    const double asked[] = {0.0, .25, .5, .75, 1.0};
    const kai_contact_law_kind* laws[] = {&kai_contact_law_hertz, &kai_contact_law_hooke,
                                          &kai_contact_law_flores};
    for (size_t l = 0; l < KAI_COUNT(laws); l++)
        for (size_t i = 0; i < KAI_COUNT(asked); i++)
            for (double phase = 0.05; phase < 1.0; phase += 0.1) {
                rig r = pair_of_spheres(laws[l], asked[i], 400.0, phase);
                check_near(measured_restitution(&r, 400.0), asked[i], 1e-3, laws[l]->kind.name);
            }
}

/// Hertz and Hooke promise the same restitution at any speed.
static void restitution_does_not_depend_on_speed(void** state)
{
    const kai_contact_law_kind* laws[] = {&kai_contact_law_hertz, &kai_contact_law_hooke};
    for (size_t l = 0; l < 2; l++)
        for (double speed = 1e-3; speed < 1e3; speed *= 100.0) {
            rig r = pair_of_spheres(laws[l], 0.6, 100.0, 0.3);
            // Hertz' contacts last as v^(-1/5), Hooke's as long at any speed.
            r.h = l == 0 ? rig_hertz_time(&r, .25, .5, 2.0 * speed) / 200.0 : r.h;
            r.a.v.x = speed, r.b.v.x = -speed;
            r.b.x.x = 1.0 + 2.3 * r.h * 2.0 * speed;
            rig_impact(&r, 1000.0 * r.h);
            check_near((r.b.v.x - r.a.v.x) / (2.0 * speed), 0.6, 1e-3, laws[l]->kind.name);
        }
}

/// Mean error of restitution over 200 places in a step at which a touch may begin.
static double mean_error(const kai_contact_law_kind* law, double e, double steps)
{
    double sum = 0.0;
    for (double phase = 0.0025; phase < 1.0; phase += 0.005) {
        rig r = pair_of_spheres(law, e, steps, phase);
        sum += fabs(measured_restitution(&r, steps) - e) / 200.0;
    }
    return sum;
}

/// Measured: 1.1e-3, 3e-4, 1.5e-4 at worst with 20, 50, 100 steps a contact; without the
/// corrections of law.h 1.3e-2, 5e-3, 2.3e-3. Flores' law without restitution is stiff
/// and left out.
static void coarse_steps_keep_restitution(void** state)
{
    const kai_contact_law_kind* laws[] = {&kai_contact_law_hertz, &kai_contact_law_hooke,
                                          &kai_contact_law_flores};
    const double asked[] = {.25, .5, .75, 1.0};
    for (size_t l = 0; l < KAI_COUNT(laws); l++)
        for (size_t i = 0; i < KAI_COUNT(asked); i++) {
            const char* name = laws[l]->kind.name;
            if (laws[l] != &kai_contact_law_flores || asked[i] > .25)
                check_near(mean_error(laws[l], asked[i], 20.0), 0.0, 1.5e-3, name);
            check_near(mean_error(laws[l], asked[i], 50.0), 0.0, 4e-4, name);
            check_near(mean_error(laws[l], asked[i], 100.0), 0.0, 2e-4, name);
        }
}

// Energy -----------------------------------------------------------------------------------------

/// Kinetic + stored + dissipated stays what it was: 2000 steps, to first order since power is taken
/// with the velocity before each kick.
static void energy_is_accounted_for(void** state)
{
    const kai_contact_law_kind* laws[] = {&kai_contact_law_hertz, &kai_contact_law_hooke,
                                          &kai_contact_law_flores};
    for (size_t l = 0; l < KAI_COUNT(laws); l++) {
        rig r = pair_of_spheres(laws[l], 0.5, 2000.0, 0.3);
        const double before = rig_kinetic(&r);
        for (int i = 0; i < 4000; i++) {
            rig_step(&r);
            // Positions of the stored energy are half a step older than velocities.
            check_near(rig_kinetic(&r) + r.energy + r.spent, before, 3e-3 * before,
                       laws[l]->kind.name);
        }
        assert_false(r.touching);
        check_near(rig_kinetic(&r) + r.spent, before, 2e-3 * before, laws[l]->kind.name);
        check_relative(rig_kinetic(&r), 0.25 * before, 2e-3, "e²");
    }
}

// Steps ------------------------------------------------------------------------------------------

/// The safe step of a pair is at most a fifth of Hooke's contact, about an eighth of Hertz':
/// coarse, and yet no energy appears.
static void the_safe_step_is_safe(void** state)
{
    const kai_contact_law_kind* laws[] = {&kai_contact_law_hertz, &kai_contact_law_hooke,
                                          &kai_contact_law_flores};
    for (size_t l = 0; l < KAI_COUNT(laws); l++)
        for (double e = 0.0; e <= 1.0; e += 0.25)
            for (double phase = 0.05; phase < 1.0; phase += 0.1) {
                rig r = pair_of_spheres(laws[l], e, 1.0, phase);
                r.h = kai_penalty_stable_step(&r.law, &r.pair, .25, .5, 2.0);
                r.b.x.x = 1.0 + (2.0 + phase) * r.h * 2.0;
                rig_impact(&r, 200.0 * r.h);
                assert_true(rig_kinetic(&r) < 1.15); // of 1 J; e = 1, five steps: 7 % in speed
            }
    // Hooke: T/10 = 2π/10 √(m/k).
    rig r = pair_of_spheres(&kai_contact_law_hooke, 1.0, 1.0, 0.0);
    r.pair.kn = 2000.0;
    check_relative(kai_penalty_stable_step(&r.law, &r.pair, .25, .5, 2.0),
                   0.2 * KAI_PI * sqrt(.5 / 2000.0), 1e-9, "closed form");
    // Hertz: the tangential vibration is the faster, 7/2 · 8 G* √(R δmax) / m.
    r = pair_of_spheres(&kai_contact_law_hertz, 1.0, 1.0, 0.0);
    const double deepest = pow(15.0 * .5 * 4.0 / (16.0 * r.pair.young * .5), 0.4);
    check_relative(kai_penalty_stable_step(&r.law, &r.pair, .25, .5, 2.0),
                   0.2 * KAI_PI * sqrt(.5 / (28.0 * r.pair.shear * sqrt(.25 * deepest))), 1e-9,
                   "closed form");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chung_and_ooi),
        cmocka_unit_test(restitution_is_the_one_asked_for),
        cmocka_unit_test(restitution_does_not_depend_on_speed),
        cmocka_unit_test(coarse_steps_keep_restitution),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(the_safe_step_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
