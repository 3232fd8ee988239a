// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Coefficients of pairs, the family of laws, what all laws must obey, and users' laws.
#include "model/contact_law.h"
#include "penalty_rig.h"

#include "model/law_list.h"

// Pairs ------------------------------------------------------------------------------------------

static void coefficients_of_a_pair(void** state)
{
    kai_material_def a = rig_material(2e11, .3, .8), b = rig_material(7e10, .33, .6);
    a.friction = .5, b.friction = .3, b.static_friction = .45;
    a.rolling_friction = .01, b.rolling_friction = .02;
    a.spinning_friction = .03, b.spinning_friction = .02;
    a.cohesion = 5.0, b.cohesion = 4.0, a.adhesion = 2.0, b.adhesion = 3.0;
    a.kn = 1e5, b.kn = 3e5, a.kt = 2e4, b.gn = 7.0;
    kai_contact_coefficients p, q;
    check_ok(kai_penalty_pair_combine(&a, &b, &p, NULL));
    check_relative(p.young, 1.0 / (.91 / 2e11 + .8911 / 7e10), 1e-14, "E*");
    const double ga = 2e11 / 2.6, gb = 7e10 / 2.66;
    check_relative(p.shear, 1.0 / (1.7 / ga + 1.67 / gb), 1e-14, "G*");
    check_near(p.restitution, .6, 0.0, "smaller");
    check_near(p.friction, .3, 0.0, "smaller");
    check_near(p.static_friction, .45, 0.0, "smaller of .5 (sliding one of a) and .45");
    check_near(p.rolling_friction, .01, 0.0, "smaller");
    check_near(p.spinning_friction, .02, 0.0, "smaller");
    check_near(p.cohesion, 4.0, 0.0, "smaller");
    check_near(p.adhesion, 2.0, 0.0, "smaller");
    check_near(p.kn, 2e5, 0.0, "mean");
    check_near(p.kt, 2e4, 0.0, "the one given");
    check_near(p.gn, 7.0, 0.0, "the one given");
    check_near(p.gt, 0.0, 0.0, "none given");
    check_relative(p.damping_ratio, -log(.6) / sqrt(log(.6) * log(.6) + KAI_PI * KAI_PI), 1e-14,
                   "β");
    check_ok(kai_penalty_pair_combine(&b, &a, &q, NULL));
    assert_memory_equal(&p, &q, sizeof p); // a sum of two does not depend on their order
}

static void bad_materials_are_named(void** state)
{
    const kai_material_def good = kai_material_def_default();
    kai_material_def bad = good;
    bad.young = -1.0;
    kai_contact_coefficients p;
    kai_error err = {0};
    check_error(kai_penalty_pair_combine(&good, &bad, &p, &err), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "young is -1"));
    bad = good, bad.restitution = 1.5;
    check_error(kai_penalty_pair_combine(&bad, &good, &p, &err), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "restitution is 1.5"));
}

/// η (1 + e) = ln((1 + η)/(1 - η e)); near e = 1 it is 3/2 (1 - e), as Hunt & Crossley have it.
static void hysteresis_solves_its_equation(void** state)
{
    for (double e = 0.1; e < 1.0; e += 0.02) {
        kai_contact_coefficients p = {.restitution = e};
        kai_penalty_pair_complete(&p);
        const double n = p.hysteresis;
        // 1 - η e is 2e-4 at e = .1: rounding of η e counts 5e3 times.
        check_near(n * (1.0 + e) - log1p(n) + log1p(-n * e), 0.0, 1e-11, "definition");
    }
    kai_contact_coefficients p = {.restitution = 0.9999};
    kai_penalty_pair_complete(&p);
    const double below = p.hysteresis;
    p.restitution = 0.99990001;
    kai_penalty_pair_complete(&p);
    check_relative(p.hysteresis, below, 2e-4, "both branches meet");
    p.restitution = 1.0;
    kai_penalty_pair_complete(&p);
    check_near(p.hysteresis, 0.0, 0.0, "elastic");
}

// The family -------------------------------------------------------------------------------------

static const size_t KIND_COUNT = 0
#define COUNT_KIND(name) +1
    KAI_CONTACT_LAW_KINDS(COUNT_KIND);

static void kinds_are_found(void** state)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const kai_contact_law_kind* kind = kai_contact_law_built_in(i);
        check_ok(kai_contact_law_validate(kind, NULL));
    }
    assert_null(kai_contact_law_built_in(KIND_COUNT));
    assert_ptr_equal(kai_penalty_law_default().kind, &kai_contact_law_hertz);
    assert_int_equal(sizeof(kai_contact_history), KAI_CONTACT_HISTORY_SIZE * sizeof(double));
}

/// A whole law with a memory of its own: a constant push while it is crushed.
static void wall_evaluate(const void* instance, const kai_contact_touch* touches, size_t count,
                          double h, kai_contact_answer* out)
{
    (void)instance;
    for (size_t i = 0; i < count; i++) {
        const kai_contact_touch* t = &touches[i];
        const double rate = -kai_vec3_dot(t->velocity, t->normal);
        double* crushed = &t->history->impact_speed;
        if (*crushed < t->overlap) *crushed = t->overlap;
        if (rate > 0.0) out[i].force = kai_vec3_scale(t->normal, 100.0);
        out[i].dissipation = rate > 0.0 ? 100.0 * rate : 0.0;
        (void)h;
    }
}

static void incomplete_kinds_are_refused(void** state)
{
    kai_error err = {0};
    kai_contact_law_kind kind = {.kind = {.name = "mine", .doc = "Nothing."}};
    check_error(kai_contact_law_validate(&kind, &err), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "mine has neither"));
    kind = kai_contact_law_hertz;
    kind.evaluate =
        (void (*)(const void*, const kai_contact_touch*, size_t, double, kai_contact_answer*))NULL;
    check_ok(kai_contact_law_validate(&kind, &err));
    kind.kind.name = NULL;
    check_error(kai_contact_law_validate(&kind, &err), KAI_ERROR_ARGUMENT);
    check_error(kai_contact_law_validate(NULL, &err), KAI_ERROR_ARGUMENT);
}

// What all laws obey -----------------------------------------------------------------------------

enum { TOUCHES = 150 }; // two blocks and a part

typedef struct batch {
    kai_penalty_law law;
    union {
        double align;
        char bytes[256];
    } params;
    kai_contact_coefficients pair;
    kai_contact_touch touches[TOUCHES];
    kai_contact_history past[TOUCHES];
    kai_contact_answer answers[TOUCHES];
} batch;

static kai_vec3 some_vec3(uint64_t i, double size)
{
    return kai_vec3_scale(helper_random_vec3(i), size);
}

/// Random touches, some that stick and some that slide, with all parts of a law at work.
static void fill(batch* b, const kai_contact_law_kind* kind, uint64_t seed)
{
    kai_material_def m = rig_material(1e6, .3, .4);
    m.friction = .4, m.static_friction = .5, m.rolling_friction = .01, m.spinning_friction = .02;
    m.adhesion = .1;
    check_ok(kai_penalty_pair_combine(&m, &m, &b->pair, NULL));
    kai_kind_defaults(&kind->kind, b->params.bytes);
    b->law = (kai_penalty_law){
        .kind = kind, .instance = b->params.bytes, .adhesion = KAI_CONTACT_ADHESION_DMT};
    for (size_t i = 0; i < TOUCHES; i++) {
        const uint64_t j = 1000 * seed + 5 * i;
        b->past[i] = (kai_contact_history){.sliding = some_vec3(j, 1e-4),
                                           .rolling = some_vec3(j + 1, 1e-3),
                                           .spinning = 1e-3 * helper_random(j),
                                           .impact_speed = fabs(helper_random(j + 1)),
                                           .slipping = i % 3 == 0 ? 1.0 : 0.0};
        b->touches[i] = (kai_contact_touch){.overlap = 1e-3 * fabs(helper_random(j + 2)) + 1e-6,
                                            .radius = .05,
                                            .mass = .5,
                                            .radius_a = .1,
                                            .radius_b = .1,
                                            .normal = helper_random_direction(j),
                                            .velocity = some_vec3(j + 2, i % 2 ? 1e-3 : 1.0),
                                            .spin = some_vec3(j + 3, i % 2 ? 1e-2 : 3.0),
                                            .pair = &b->pair,
                                            .history = &b->past[i]};
    }
}

static void evaluate(batch* b)
{
    kai_penalty_evaluate(&b->law, b->touches, TOUCHES, 1e-4, b->answers);
}

static double size_of_force(const kai_contact_answer* a)
{
    return kai_vec3_norm(a->force) + kai_vec3_norm(a->couple) + 1.0;
}

/// A rigid rotation of everything rotates the answers, to rounding.
static void laws_do_not_know_directions(void** state)
{
    static batch b, r;
    for (size_t k = 0; k < KIND_COUNT; k++) {
        const kai_quat q = helper_random_rotation(k);
        fill(&b, kai_contact_law_built_in(k), 5);
        fill(&r, kai_contact_law_built_in(k), 5);
        for (size_t i = 0; i < TOUCHES; i++) {
            kai_contact_touch* t = &r.touches[i];
            t->normal = kai_quat_rotate(q, t->normal);
            t->velocity = kai_quat_rotate(q, t->velocity);
            t->spin = kai_quat_rotate(q, t->spin);
            r.past[i].sliding = kai_quat_rotate(q, r.past[i].sliding);
            r.past[i].rolling = kai_quat_rotate(q, r.past[i].rolling);
        }
        evaluate(&b);
        evaluate(&r);
        for (size_t i = 0; i < TOUCHES; i++) {
            const double scale = 1e-12 * size_of_force(&b.answers[i]);
            check_vec3(r.answers[i].force, kai_quat_rotate(q, b.answers[i].force), scale, "force");
            check_vec3(r.answers[i].couple, kai_quat_rotate(q, b.answers[i].couple), scale,
                       "couple");
            check_near(r.answers[i].energy, b.answers[i].energy, scale, "energy");
            check_near(r.past[i].slipping, b.past[i].slipping, 0.0, "slips alike");
        }
    }
}

/// Who is a and who is b does not matter.
static void laws_are_symmetric(void** state)
{
    static batch b, r;
    for (size_t k = 0; k < KIND_COUNT; k++) {
        fill(&b, kai_contact_law_built_in(k), 6);
        fill(&r, kai_contact_law_built_in(k), 6);
        for (size_t i = 0; i < TOUCHES; i++) {
            kai_contact_touch* t = &r.touches[i];
            t->normal = kai_vec3_neg(t->normal);
            t->velocity = kai_vec3_neg(t->velocity);
            t->spin = kai_vec3_neg(t->spin);
            r.past[i].sliding = kai_vec3_neg(r.past[i].sliding);
            r.past[i].rolling = kai_vec3_neg(r.past[i].rolling);
        }
        evaluate(&b);
        evaluate(&r);
        for (size_t i = 0; i < TOUCHES; i++) {
            check_vec3(r.answers[i].force, kai_vec3_neg(b.answers[i].force), 0.0, "force");
            check_vec3(r.answers[i].couple, kai_vec3_neg(b.answers[i].couple), 0.0, "couple");
            // The angle about the normal is the same seen from a and from b.
            check_near(r.past[i].spinning, b.past[i].spinning, 0.0, "spin");
        }
    }
}

/// A touch does not see the others of its batch.
static void batches_are_touches(void** state)
{
    static batch b, one;
    for (size_t k = 0; k < KIND_COUNT; k++) {
        fill(&b, kai_contact_law_built_in(k), 7);
        fill(&one, kai_contact_law_built_in(k), 7);
        evaluate(&b);
        for (size_t i = 0; i < TOUCHES; i++) {
            kai_penalty_evaluate(&one.law, &one.touches[i], 1, 1e-4, &one.answers[i]);
            assert_memory_equal(&one.answers[i], &b.answers[i], sizeof b.answers[i]);
            assert_memory_equal(&one.past[i], &b.past[i], sizeof b.past[i]);
        }
    }
}

/// Friction is never more than Coulomb allows, and nothing makes energy out of sliding.
static void limits_hold(void** state)
{
    static batch b;
    for (size_t k = 0; k < KIND_COUNT; k++) {
        fill(&b, kai_contact_law_built_in(k), 8);
        evaluate(&b);
        for (size_t i = 0; i < TOUCHES; i++) {
            const kai_contact_touch* t = &b.touches[i];
            const kai_contact_answer* a = &b.answers[i];
            const double along = kai_vec3_dot(a->force, t->normal);
            const double push = fmax(along + 4.0 * KAI_PI * .1 * t->radius, 0.0);
            const kai_vec3 f = kai_vec3_mul_add(a->force, t->normal, -along);
            assert_true(kai_vec3_norm(f) <= 0.5 * push * (1.0 + 1e-9) + 1e-12);
            assert_true(kai_vec3_norm(a->couple) <= hypot(.01, .02) * push * (1.0 + 1e-9) + 1e-12);
            assert_true(a->dissipation >= 0.0);
        }
    }
}

/// A pair that turns as a whole, its touch loaded and at rest, carries its forces round: a quarter
/// turn about the y axis in `steps`. Returns how far the force is off, as a share of friction.
static double quarter_turn(const kai_contact_law_kind* kind, kai_vec3 direction, int steps)
{
    static batch b;
    fill(&b, kind, 9);
    kai_contact_touch t = b.touches[0];
    t.velocity = t.spin = kai_vec3_zero();
    t.overlap = 1e-3;
    t.normal = kai_vec3_axis(2);
    *t.history = (kai_contact_history){.sliding = kai_vec3_scale(direction, 2e-5),
                                       .rolling = kai_vec3_scale(direction, 2e-4)};
    kai_contact_answer first, a = {.energy = 0.0};
    kai_penalty_evaluate(&b.law, &t, 1, 1e-4, &first);
    kai_quat q = kai_quat_identity();
    for (int i = 1; i <= steps; i++) {
        q = kai_quat_from_axis_angle(kai_vec3_axis(1), 0.5 * KAI_PI * i / steps);
        t.normal = kai_quat_rotate(q, kai_vec3_axis(2));
        kai_penalty_evaluate(&b.law, &t, 1, 1e-4, &a);
    }
    const double friction = hypot(first.force.x, first.force.y),
                 moment = kai_vec3_norm(first.couple);
    assert_true(friction > 1e-3 && moment > 1e-6);
    return kai_vec3_distance(a.force, kai_quat_rotate(q, first.force)) / friction +
           kai_vec3_distance(a.couple, kai_quat_rotate(q, first.couple)) / moment;
}

/// Displacements along the turn, or about its axis, go round to rounding. Between both a step that
/// turns by dθ is off by dθ²/4, since one vector does not tell the axis: π/2 dθ/4 in all, twice.
static void history_turns_with_the_pair(void** state)
{
    for (size_t k = 0; k < KIND_COUNT; k++) {
        const kai_contact_law_kind* kind = kai_contact_law_built_in(k);
        check_near(quarter_turn(kind, kai_vec3_axis(0), 300), 0.0, 1e-11, "along");
        check_near(quarter_turn(kind, kai_vec3_axis(1), 300), 0.0, 1e-11, "about");
        const kai_vec3 both = kai_vec3_normalize(kai_vec3_make(1.0, 1.0, 0.0));
        const double coarse = quarter_turn(kind, both, 300), fine = quarter_turn(kind, both, 3000);
        check_near(coarse, 2.0 * KAI_PI / 8.0 * KAI_PI / 600.0, 1e-4, "dθ");
        check_relative(coarse / fine, 10.0, 0.01, "first order in dθ");
    }
}

// Users' laws ------------------------------------------------------------------------------------

typedef struct rubber {
    double stiffness; // N/m²
} rubber;

static const kai_param RUBBER_PARAMS[] = {{.name = "stiffness",
                                           .type = KAI_PARAM_REAL,
                                           .offset = offsetof(rubber, stiffness),
                                           .unit = "N/m²",
                                           .initial = {1e6},
                                           .range = KAI_ABOVE(0.0),
                                           .doc = "Force over overlap squared."}};

static void rubber_normal(const void* instance, const kai_contact_touch* touches, size_t count,
                          double h, kai_contact_normal* out)
{
    (void)h;
    const rubber* r = instance;
    for (size_t i = 0; i < count; i++) {
        const double d = touches[i].overlap;
        out[i].force = r->stiffness * d * d;
        out[i].energy = r->stiffness * d * d * d / 3.0;
    }
}

static const kai_contact_law_kind RUBBER = {.kind = {.name = "rubber",
                                                     .doc = "Stiffens as it is pressed.",
                                                     .size = sizeof(rubber),
                                                     .params = RUBBER_PARAMS,
                                                     .param_count = KAI_COUNT(RUBBER_PARAMS)},
                                            .normal = rubber_normal};

/// k δ³/3 = m v²/2 at the deepest point; elastic, without friction spring.
static void a_normal_law_of_ones_own(void** state)
{
    check_ok(kai_contact_law_validate(&RUBBER, NULL));
    rubber params;
    kai_kind_defaults(&RUBBER.kind, &params);
    rig r = rig_make(rig_material(1e7, .3, 1.0), 1e-5);
    r.law = (kai_penalty_law){.kind = &RUBBER, .instance = &params};
    r.a = (rig_ball){.mass = HUGE_VAL, .radius = HUGE_VAL};
    r.b = (rig_ball){.mass = 2.0, .radius = .1, .x = {0, 0, .1001}, .v = {0, 0, -1.0}};
    rig_impact(&r, 1.0);
    check_relative(r.deepest, cbrt(1.5 * 2.0 / 1e6), 1e-4, "energy");
    check_near(r.b.v.z, 1.0, 1e-5, "elastic");
    // dF/dδ = 2 k δ; no damping, no friction: a tenth of the period.
    check_relative(kai_penalty_stable_step(&r.law, &r.pair, .1, 2.0, 1.0),
                   0.2 * KAI_PI * sqrt(2.0 / (2e6 * cbrt(1.5 * 2.0 / 1e6))), 1e-9, "T/10");
}

/// It stops after m v² / 2F; the dissipated energy is all there was.
static void a_whole_law_of_ones_own(void** state)
{
    static const kai_contact_law_kind crush = {
        .kind = {.name = "crush", .doc = "Gives way under a constant force."},
        .evaluate = wall_evaluate};
    check_ok(kai_contact_law_validate(&crush, NULL));
    rig r = rig_make(rig_material(1e7, .3, 1.0), 1e-5);
    r.law = (kai_penalty_law){.kind = &crush};
    r.a = (rig_ball){.mass = HUGE_VAL, .radius = HUGE_VAL};
    r.b = (rig_ball){.mass = 2.0, .radius = .1, .x = {0, 0, .1}, .v = {0, 0, -1.0}};
    for (int i = 0; i < 5000; i++) rig_step(&r);
    check_relative(r.history.impact_speed, 2.0 / 200.0, 2e-3, "m v² / 2F");
    check_relative(r.spent, 1.0, 2e-3, "all of it");
    assert_true(isinf(kai_penalty_stable_step(&r.law, &r.pair, .1, 2.0, 1.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_of_a_pair),
        cmocka_unit_test(bad_materials_are_named),
        cmocka_unit_test(hysteresis_solves_its_equation),
        cmocka_unit_test(kinds_are_found),
        cmocka_unit_test(incomplete_kinds_are_refused),
        cmocka_unit_test(laws_do_not_know_directions),
        cmocka_unit_test(laws_are_symmetric),
        cmocka_unit_test(batches_are_touches),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(history_turns_with_the_pair),
        cmocka_unit_test(a_normal_law_of_ones_own),
        cmocka_unit_test(a_whole_law_of_ones_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
