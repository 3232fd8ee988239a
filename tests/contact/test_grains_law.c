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

static void lay(kai_grains_pair_batch* pair_batch, size_t i, const one* t,
                const kai_grains_pair* pair, bool equal)
{
    put(pair_batch->d[i], t->d);
    put(pair_batch->d[i] + 5, t->v);
    const kai_vec3 wa = equal ? kai_vec3_add(t->wa, t->wb) : t->wa;
    pair_batch->wa[i][0] = wa.x, pair_batch->wa[i][1] = wa.y, pair_batch->wa[i][3] = wa.z;
    pair_batch->wb[i][0] = t->wb.x, pair_batch->wb[i][1] = t->wb.y, pair_batch->wb[i][3] = t->wb.z;
    pair_batch->ra[i] = t->ra;
    pair_batch->rb[i] = t->rb;
    pair_batch->radius[i] = t->ra * t->rb / (t->ra + t->rb);
    pair_batch->inverse[i] = 1.0 / t->ma + 1.0 / t->mb;
    for (int k = 0; k < KAI_GRAINS_PAIR; k++) pair_batch->pair[k][i] = ((const double*)pair)[k];
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

static void compare(bool equal, bool hooke, bool smooth, double h)
{
    static kai_grains_pair_batch pair_batch;
    kai_contact_coefficients both = {.young = 5.5e6,
                                     .shear = 1.1e6,
                                     .restitution = 0.3,
                                     .friction = 0.4,
                                     .static_friction = -1.0,
                                     .kn = hooke ? 3000.0 : 0.0};
    kai_penalty_pair_complete(&both);
    kai_penalty_law law = kai_penalty_law_default();
    kai_contact_law_hooke_params params = {1.0};
    if (hooke) law.kind = &kai_contact_law_hooke, law.instance = &params;
    if (smooth) law.tangential = KAI_CONTACT_TANGENTIAL_NONE;
    const kai_penalty_hertz_factors f =
        kai_penalty_hertz_prepare(both.young, both.shear, both.damping_ratio);
    kai_grains_pair pair = {
        .push = f.push, .shear = f.shear, .damping = f.damping, .friction = 0.4};
    if (hooke)
        pair = (kai_grains_pair){.push = both.kn,
                                 .shear = KAI_PENALTY_SHARE * both.kn,
                                 .damping = 2.0 * both.damping_ratio * sqrt(both.kn),
                                 .share = KAI_PENALTY_SHARE,
                                 .friction = 0.4};
    const kai_grains_law fast = {
        .h = h, .radius = 0.005, .inverse_mass = 1.0 / 1.3e-3, .pair = pair};
    double u[KAI_GRAINS_DESK][3];
    const kai_grains_rows rows = {.to = KAI_GRAINS_DESK, .u = u};
    size_t rare = 0, slips = 0;
    for (uint64_t round = 0; round < 20; round++) {
        for (size_t i = 0; i < KAI_GRAINS_DESK; i++) {
            const one t = draw(round * KAI_GRAINS_DESK + i, equal);
            lay(&pair_batch, i, &t, &pair, equal);
            put(u[i], t.u);
        }
        assert_int_equal(kai_grains_forces_of(&pair_batch, &rows, fast, equal, hooke, smooth),
                         KAI_GRAINS_DESK);
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

static void test_equal_hertz(void** state)
{
    (void)state;
    compare(true, false, false, 4e-5);
    compare(true, false, false, 1e-6);
}

static void test_other_laws(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) compare(false, k & 1, k & 2, 4e-5);
}

/// Pairs that do not touch have no force, energy and heat, and go on remembering nothing; those
/// outside the rows that are asked for may be anything, and what they remember stays.
static void apart(bool equal, bool hooke, bool smooth, bool all)
{
    static kai_grains_pair_batch pair_batch;
    const kai_grains_pair pair = {
        .push = 5e6, .shear = 8e6, .damping = 1e3, .gt = 1.0, .friction = 0.4, .pull = 0.1};
    const kai_grains_law law = {
        .h = 1e-6, .radius = 0.005, .inverse_mass = 1.0 / 1.3e-3, .pair = pair};
    double u[KAI_GRAINS_DESK][3];
    const kai_grains_rows rows = {.from = 11, .to = 45, .u = u};
    size_t expected = 0;
    for (size_t i = 0; i < KAI_GRAINS_DESK; i++) {
        one t = draw(i, equal);
        const bool inside = i >= rows.from && i < rows.to, touches = !all && i % 3 != 0;
        if (!inside) t.d.x = i % 2 ? (double)NAN : 0.0;
        if (!touches) t.d = kai_vec3_scale(t.d, 1.1), t.u = kai_vec3_zero();
        if (!inside) t.u = kai_vec3_make((double)i, 1.0, 2.0);
        lay(&pair_batch, i, &t, &pair, equal);
        put(u[i], t.u);
        expected += inside && touches;
    }
    assert_int_equal(kai_grains_forces_of(&pair_batch, &rows, law, equal, hooke, smooth), expected);
    for (size_t i = 0; i < KAI_GRAINS_DESK; i++) {
        const bool inside = i >= rows.from && i < rows.to, touches = inside && !all && i % 3 != 0;
        if (!inside) assert_true(u[i][0] == (double)i && u[i][1] == 1.0 && u[i][2] == 2.0);
        if (inside) assert_true((pair_batch.overlap[i] > 0.0) == touches);
        if (!inside || touches) continue;
        for (int k = 0; k < 3; k++) assert_true(u[i][k] == 0.0);
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
        check_relative(kai_grains_root(x), sqrt(1.0 + x), 4e-16, "two roundings");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_hertz),
                                       cmocka_unit_test(test_other_laws),
                                       cmocka_unit_test(test_apart), cmocka_unit_test(test_root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
