// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Forces of spheres on a pair_batch against kai_penalty_evaluate, touch by touch.
#include "contact/grains_law.h"
#include "contact/penalty.h"
#include "helper.h"

typedef struct one {
    kai_vec3 d, v, wa, wb, u;
    double ra, rb, ma, mb;
} one;

/// A touch of random size, depth, motion and history; friction sticks in some and slips in others.
static one draw(uint64_t i, bool equal)
{
    one t = {.ra = 0.005, .rb = 0.005, .ma = 1.3e-3, .mb = 1.3e-3};
    if (!equal) {
        t.ra *= 1.0 + 0.5 * helper_random(10 * i);
        t.rb *= 1.0 + 0.5 * helper_random(10 * i + 1);
        t.ma *= 1.0 + 0.5 * helper_random(10 * i + 2);
        t.mb *= 1.0 + 0.5 * helper_random(10 * i + 3);
    }
    const double overlap = 1e-5 * exp(3.0 * helper_random(10 * i + 4));
    const kai_vec3 n = helper_random_direction(i);
    t.d = kai_vec3_scale(n, t.ra + t.rb - overlap);
    t.v = kai_vec3_scale(helper_random_vec3(4 * i), 0.01);
    t.wa = kai_vec3_scale(helper_random_vec3(4 * i + 1), 2.0);
    t.wb = kai_vec3_scale(helper_random_vec3(4 * i + 2), 2.0);
    // Nearly in the plane, as the turn of a step leaves it.
    t.u = kai_vec3_scale(helper_random_vec3(4 * i + 3), 0.3 * overlap);
    t.u = kai_vec3_mul_add(t.u, n, -0.999 * kai_vec3_dot(t.u, n));
    return t;
}

static void put(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/// What all pairs of a test have in common.
typedef struct fast_law {
    kai_grains_pair parts;
    kai_penalty_law law;
    kai_contact_factors factors;
    kai_grains_law step;
} fast_law;

static void lay(kai_grains_pair_batch* pair_batch, size_t i, const one* t, const fast_law* fast,
                bool equal)
{
    put(pair_batch->d[i], t->d);
    put(pair_batch->d[i] + 5, t->v);
    const kai_vec3 wa = equal ? kai_vec3_add(t->wa, t->wb) : t->wa;
    pair_batch->wa[i][0] = wa.x, pair_batch->wa[i][1] = wa.y, pair_batch->wa[i][3] = wa.z;
    pair_batch->wb[i][0] = t->wb.x, pair_batch->wb[i][1] = t->wb.y, pair_batch->wb[i][3] = t->wb.z;
    pair_batch->ra[i] = t->ra;
    pair_batch->rb[i] = t->rb;
    pair_batch->inverse[i] = 1.0 / t->ma + 1.0 / t->mb;
    for (int k = 0; k < KAI_GRAINS_PAIR; k++)
        pair_batch->pair[k][i] = ((const double*)&fast->parts)[k];
    // Where all pairs are alike, those behind the first one may be anything.
    kai_contact_lanes* lanes = &pair_batch->lanes;
    lanes->h = fast->step.h;
    lanes->uniform = equal;
    lanes->radius[i] = equal && i > 0 ? (double)NAN : t->ra * t->rb / (t->ra + t->rb);
    lanes->mass[i] = equal && i > 0 ? (double)NAN : 1.0 / pair_batch->inverse[i];
    for (int k = 0; k < KAI_CONTACT_FACTORS; k++)
        lanes->factors[k][i] = equal && i > 0 ? (double)NAN : fast->factors.f[k];
}

/// All stages, as grains_block.h has them.
static size_t forces_of(kai_grains_pair_batch* pair_batch, const kai_grains_rows* rows,
                        const fast_law* fast, bool equal, bool smooth)
{
    const size_t touching = kai_grains_meet(pair_batch, rows, fast->step.radius, equal),
                 begin = kai_grains_begin(rows);
    if (touching == 0) return 0;
    fast->law.kind->lanes(fast->law.instance, &pair_batch->lanes, begin,
                          begin + kai_grains_lanes(rows));
    kai_grains_forces_of(pair_batch, rows, fast->step, equal, smooth);
    return touching;
}

static kai_contact_answer general(const one* t, const kai_penalty_law* law,
                                  const kai_contact_coefficients* pair, double h,
                                  kai_contact_history* history, kai_vec3* n)
{
    const double distance = kai_vec3_norm(t->d), overlap = t->ra + t->rb - distance;
    *n = kai_vec3_scale(t->d, 1.0 / distance);
    const kai_vec3 s = kai_vec3_add(kai_vec3_scale(t->wa, t->ra - 0.5 * overlap),
                                    kai_vec3_scale(t->wb, t->rb - 0.5 * overlap));
    *history = (kai_contact_history){.sliding = t->u};
    const kai_contact_touch touch = {.overlap = overlap,
                                     .radius = 1.0 / (1.0 / t->ra + 1.0 / t->rb),
                                     .mass = 1.0 / (1.0 / t->ma + 1.0 / t->mb),
                                     .radius_a = t->ra,
                                     .radius_b = t->rb,
                                     .normal = *n,
                                     .velocity = kai_vec3_sub(t->v, kai_vec3_cross(s, *n)),
                                     .spin = kai_vec3_sub(t->wb, t->wa),
                                     .pair = pair,
                                     .history = history};
    kai_contact_answer answer;
    kai_penalty_evaluate(law, &touch, 1, h, &answer);
    return answer;
}

// A law of a user's own: a function of a pair, without lag and edges, that never pulls -------------

typedef struct rubber {
    double stiffness, damping;
} rubber;

KAI_CONTACT_INLINE kai_contact_normal rubber_pair(const rubber* r, kai_contact_factors f,
                                                  kai_contact_pressed s)
{
    const double force = r->stiffness * s.overlap * s.overlap * f.f[0];
    const kai_contact_normal out = {.force = force,
                                    .damping = r->damping * s.overlap,
                                    .kt = f.f[1] * s.overlap,
                                    .gt = 0.01 + s.mass,
                                    .energy = force * s.overlap / 3.0};
    return out;
}

static bool rubber_prepare(const void* instance, const kai_contact_coefficients* pair,
                           double radius, double mass, kai_contact_factors* out)
{
    (void)instance, (void)radius, (void)mass;
    out->f[0] = 1.0 + pair->restitution;
    out->f[1] = pair->shear;
    return true;
}

KAI_CONTACT_LAW_NORMAL(rubber_normal, rubber, rubber_prepare, rubber_pair)
KAI_CONTACT_LAW_LANES(rubber_lanes, rubber, rubber_pair)

static const kai_param RUBBER_PARAMS[] = {
    {.name = "stiffness", .type = KAI_PARAM_REAL, .offset = 0, .doc = "Of it."},
    {.name = "damping",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(rubber, damping),
     .doc = "Of it."}};

static const kai_contact_law_kind RUBBER = {.kind = {.name = "rubber",
                                                     .doc = "Stiffens.",
                                                     .size = sizeof(rubber),
                                                     .params = RUBBER_PARAMS,
                                                     .param_count = KAI_COUNT(RUBBER_PARAMS)},
                                            .normal = rubber_normal,
                                            .lanes = rubber_lanes,
                                            .prepare = rubber_prepare,
                                            .factor_count = 2,
                                            .no_pull = true};

/// The laws that have lanes, in this order.
enum { HERTZ, HOOKE, HOOKE_GIVEN, MINE, LAWS };

static void compare(bool equal, int which, bool smooth, double h)
{
    static kai_grains_pair_batch pair_batch;
    const bool hooke = which == HOOKE || which == HOOKE_GIVEN;
    kai_contact_coefficients both = {.young = 5.5e6,
                                     .shear = 1.1e6,
                                     .restitution = 0.3,
                                     .friction = 0.4,
                                     .static_friction = -1.0,
                                     .adhesion = 0.01,
                                     .kn = hooke ? 3000.0 : 0.0,
                                     .gn = which == HOOKE_GIVEN ? 0.4 : 0.0,
                                     .gt = which == HOOKE_GIVEN ? 0.2 : 0.0,
                                     .kt = which == HOOKE_GIVEN ? 2000.0 : 0.0};
    kai_penalty_pair_complete(&both);
    kai_penalty_law law = kai_penalty_law_default();
    const kai_contact_law_hooke_params params = {1.0};
    const rubber mine = {2e7, 3e3};
    if (hooke) law.kind = &kai_contact_law_hooke, law.instance = &params;
    if (which == MINE) law.kind = &RUBBER, law.instance = &mine;
    if (smooth) law.tangential = KAI_CONTACT_TANGENTIAL_NONE;
    law.adhesion = KAI_CONTACT_ADHESION_CONSTANT;
    fast_law fast = {.parts = {.friction = 0.4,
                               .pull = 0.01,
                               .lag = law.kind->dashpot ? 1.0 : 0.0,
                               .slack = law.kind->no_pull ? 0.0 : HUGE_VAL},
                     .law = law};
    assert_true(law.kind->prepare(law.instance, &both, 0.0, 0.0, &fast.factors));
    fast.step =
        (kai_grains_law){.h = h, .radius = 0.005, .inverse_mass = 1.0 / 1.3e-3, .pair = fast.parts};
    double u[KAI_GRAINS_DESK][3];
    const kai_grains_rows rows = {.to = KAI_GRAINS_DESK, .u = u};
    size_t rare = 0, slips = 0;
    for (uint64_t round = 0; round < 20; round++) {
        for (size_t i = 0; i < KAI_GRAINS_DESK; i++) {
            const one t = draw(round * KAI_GRAINS_DESK + i, equal);
            lay(&pair_batch, i, &t, &fast, equal);
            put(u[i], t.u);
        }
        assert_int_equal(forces_of(&pair_batch, &rows, &fast, equal, smooth), KAI_GRAINS_DESK);
        for (size_t i = 0; i < KAI_GRAINS_DESK; i++) {
            const one t = draw(round * KAI_GRAINS_DESK + i, equal);
            kai_contact_history history;
            kai_vec3 n;
            const kai_contact_answer a = general(&t, &law, &both, h, &history, &n);
            if (pair_batch.rare[i] != 0.0) {
                rare++;
                check_vec3(kai_vec3_make(u[i][0], u[i][1], u[i][2]), t.u, 0.0, "left as it was");
                continue;
            }
            slips += history.slipping > 0.0;
            // The overlap, 1e-3 of the distance, loses three digits of 16.
            const double force = 1e-12 * kai_vec3_norm(a.force),
                         slide = 1e-12 * (kai_vec3_norm(t.u) + h * kai_vec3_norm(t.v));
            const double* row = pair_batch.f[i];
            const double arm = t.ra - 0.5 * (t.ra + t.rb - kai_vec3_norm(t.d));
            check_vec3(kai_vec3_make(row[0], row[1], row[2]), a.force, force,
                       "kai_penalty_evaluate");
            check_vec3(kai_vec3_scale(kai_vec3_make(row[5], row[6], row[7]), equal ? 1.0 : row[3]),
                       kai_vec3_scale(kai_vec3_cross(n, a.force), -arm), arm * force, "moment");
            check_vec3(kai_vec3_make(u[i][0], u[i][1], u[i][2]), history.sliding, slide, "history");
            check_relative(pair_batch.energy[i], a.energy, 1e-11, "energy");
            check_near(pair_batch.heat[i], a.dissipation,
                       1e-11 * (a.dissipation + kai_vec3_norm(a.force) * kai_vec3_norm(t.v)),
                       "dissipation");
        }
    }
    assert_true(rare < 200);
    if (!smooth) assert_true(slips > 50 && slips < 1200);
}

static void test_equal(void** state)
{
    (void)state;
    for (int which = 0; which < LAWS; which++) compare(true, which, false, 4e-5);
    compare(true, HERTZ, false, 1e-6);
}

static void test_different(void** state)
{
    (void)state;
    for (int which = 0; which < LAWS; which++)
        for (int smooth = 0; smooth < 2; smooth++) compare(false, which, smooth, 4e-5);
}

/// Pairs that do not touch have no force, energy and heat, and go on remembering nothing; those
/// outside the rows that are asked for may be anything, and what they remember stays.
static void apart(bool equal, bool hooke, bool smooth, bool all)
{
    static kai_grains_pair_batch pair_batch;
    static const kai_contact_law_hooke_params params = {1.0};
    const fast_law fast = {
        .parts = {.friction = 0.4, .pull = 0.1, .lag = 1.0, .slack = HUGE_VAL},
        .law = {.kind = hooke ? &kai_contact_law_hooke : &kai_contact_law_hertz,
                .instance = &params},
        .factors = {{5e6, 8e6, 1e3, 0.3, 1.0}},
        .step = {.h = 1e-6,
                 .radius = 0.005,
                 .inverse_mass = 1.0 / 1.3e-3,
                 .pair = {.friction = 0.4, .pull = 0.1, .lag = 1.0, .slack = HUGE_VAL}}};
    double u[KAI_GRAINS_DESK][3];
    const kai_grains_rows rows = {.from = 11, .to = 45, .u = u};
    size_t expected = 0;
    for (size_t i = 0; i < KAI_GRAINS_DESK; i++) {
        one t = draw(i, equal);
        const bool inside = i >= rows.from && i < rows.to, touches = !all && i % 3 != 0;
        if (!inside) t.d.x = i % 2 ? (double)NAN : 0.0;
        // Every other one of them touched a step ago, and remembers that.
        if (!touches) t.d = kai_vec3_scale(t.d, 1.1);
        if (!touches && (all || i % 2 == 0)) t.u = kai_vec3_zero();
        if (!inside) t.u = kai_vec3_make((double)i, 1.0, 2.0);
        lay(&pair_batch, i, &t, &fast, equal);
        put(u[i], t.u);
        expected += inside && touches;
    }
    assert_int_equal(forces_of(&pair_batch, &rows, &fast, equal, smooth), expected);
    for (size_t i = 0; i < KAI_GRAINS_DESK; i++) {
        const bool inside = i >= rows.from && i < rows.to, touches = inside && !all && i % 3 != 0;
        if (!inside) assert_true(u[i][0] == (double)i && u[i][1] == 1.0 && u[i][2] == 2.0);
        if (inside) assert_true((pair_batch.lanes.overlap[i] > 0.0) == touches);
        if (!inside || touches) continue;
        for (int k = 0; (all || i % 2 == 0) && k < 3; k++) assert_true(u[i][k] == 0.0);
        if (all) continue;
        for (int k = 0; k < 3; k++)
            assert_true(pair_batch.f[i][k] == 0.0 && pair_batch.f[i][k + 5] == 0.0);
        assert_true(pair_batch.energy[i] == 0.0 && pair_batch.heat[i] == 0.0 &&
                    pair_batch.rare[i] == 0.0);
    }
}

static void test_apart(void** state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        apart(true, false, false, all);
        for (int k = 0; k < 4; k++) apart(false, k & 1, k & 2, all);
    }
}

/// √(1 + x) over its range.
static void test_root(void** state)
{
    (void)state;
    for (int i = 0; i <= 1000; i++) {
        const double x = 1e-3 * i;
        check_relative(kai_law_root(x), sqrt(1.0 + x), 4e-16, "two roundings");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal),
                                       cmocka_unit_test(test_different),
                                       cmocka_unit_test(test_apart), cmocka_unit_test(test_root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
