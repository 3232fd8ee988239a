// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What every solid must show (stress the slope of energy, stiffness the slope of stress, nothing at
// rest), and closed forms of each.
#include "fea/solid_list.h"
#include "helper.h"

#include <kairos/solid.h>

static const kai_solid_kind* const KINDS[] = {
#define SOLID_KIND(name) &kai_solid_##name,
    KAI_SOLID_KINDS(SOLID_KIND)};

static const kai_solid_elastic_params ELASTIC = {{1000, 0, 0}, 2e5, 0.3};
// Spruce, as tables give it: along, across the rings, along the rings.
static const kai_solid_orthotropic_params SPRUCE = {
    {450, 0, 0}, {11e9, 0.8e9, 0.45e9}, {0.47, 0.45, 0.4}, {0.04e9, 0.65e9, 0.7e9}};
static const kai_solid_neo_hookean_params NEO_HOOKEAN = {{1000, 0, 0}, 2e5, 0.4};
static const kai_solid_mooney_rivlin_params MOONEY = {{1000, 0, 0}, 8e4, 2e4, 3e6};

typedef struct sample {
    const kai_solid_kind* kind;
    const void* instance;
    double shear, bulk; // at small strain, Pa; 0: not isotropic
} sample;

static const sample SAMPLES[] = {
    {&kai_solid_elastic, &ELASTIC, 2e5 / 2.6, 2e5 / 1.2},
    {&kai_solid_orthotropic, &SPRUCE, 0.0, 0.0},
    {&kai_solid_neo_hookean, &NEO_HOOKEAN, 2e5 / 2.8, 2e5 / 0.6},
    {&kai_solid_mooney_rivlin, &MOONEY, 2e5, 3e6},
};

static double energy_at(const sample* s, const double e[6])
{
    double w;
    assert_true(s->kind->evaluate(s->instance, e, &w, NULL, NULL));
    return w;
}

static void test_every_kind_has_a_sample(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        size_t found = 0;
        kai_error err = {0};
        for (size_t k = 0; k < KAI_COUNT(SAMPLES); k++) found += SAMPLES[k].kind == KINDS[i];
        if (found == 0) fail_msg("%s has no line in SAMPLES", KINDS[i]->kind.name);
        check_ok(kai_kind_validate(&KINDS[i]->kind, &err));
    }
    for (size_t i = 0; i < KAI_COUNT(SAMPLES); i++) {
        kai_error err = {0};
        if (kai_kind_check(&SAMPLES[i].kind->kind, SAMPLES[i].instance, &err))
            fail_msg("%s", err.message);
    }
}

// At rest: no energy, no stress, and a stiffness that is symmetric and positive.
static void test_rest(void** state)
{
    const double none[6] = {0.0};
    for (size_t i = 0; i < KAI_COUNT(SAMPLES); i++) {
        const sample* s = &SAMPLES[i];
        double w, stress[6], d[36];
        assert_true(s->kind->evaluate(s->instance, none, &w, stress, d));
        check_near(w, 0.0, 0.0, "no energy at rest");
        for (int a = 0; a < 6; a++) {
            check_near(stress[a], 0.0, 1e-15 * d[0], "no stress at rest");
            for (int b = 0; b < 6; b++)
                check_near(d[6 * a + b], d[6 * b + a], 1e-12 * d[0], "symmetric");
        }
        for (uint64_t k = 0; k < 20; k++) {
            double e[6];
            for (uint64_t a = 0; a < 6; a++) e[a] = 1e-3 * helper_random(100 * k + a);
            assert_true(energy_at(s, e) > 0.0);
        }
        if (s->shear == 0.0) continue;
        const double lambda = s->bulk - 2.0 * s->shear / 3.0;
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++)
                check_near(d[6 * a + b], lambda + (a == b ? 2.0 * s->shear : 0.0), 1e-12 * s->bulk,
                           "small strain: λ and μ");
            check_relative(d[7 * (a + 3)], s->shear, 1e-12, "small strain: μ");
        }
    }
}

// Five-point differences of step 1e-3: error about 1e-12 of the fifth derivative.
static void test_slopes(void** state)
{
    const double h = 1e-3;
    for (size_t i = 0; i < KAI_COUNT(SAMPLES); i++) {
        const sample* s = &SAMPLES[i];
        for (uint64_t k = 0; k < 5; k++) {
            double e[6], stress[6], d[36], w;
            for (uint64_t a = 0; a < 6; a++) e[a] = 0.15 * helper_random(1000 + 100 * k + a);
            assert_true(s->kind->evaluate(s->instance, e, &w, stress, d));
            double top = 0.0, most = 0.0;
            for (int a = 0; a < 36; a++) top = fmax(top, fabs(d[a]));
            for (int a = 0; a < 6; a++) most = fmax(most, fabs(stress[a]));
            for (int b = 0; b < 6; b++) {
                double x[4], at[4][6];
                for (int n = 0; n < 4; n++) {
                    static const double STEPS[4] = {-2.0, -1.0, 1.0, 2.0};
                    double moved[6];
                    memcpy(moved, e, sizeof e);
                    moved[b] += STEPS[n] * h;
                    assert_true(s->kind->evaluate(s->instance, moved, &x[n], at[n], NULL));
                }
                check_near(stress[b], (8.0 * (x[2] - x[1]) - (x[3] - x[0])) / (12.0 * h),
                           1e-8 * most, "S = dW/dE by differences");
                for (int a = 0; a < 6; a++)
                    check_near(d[6 * a + b],
                               (8.0 * (at[2][a] - at[1][a]) - (at[3][a] - at[0][a])) / (12.0 * h),
                               1e-8 * top, "D = dS/dE by differences");
            }
        }
    }
}

// Energy of tiny strains keeps its digits: W = E : D : E / 2.
static void test_small_strain_keeps_digits(void** state)
{
    const double e[6] = {3e-9, -1e-9, 2e-9, 4e-9, -2e-9, 1e-9};
    for (size_t i = 0; i < KAI_COUNT(SAMPLES); i++) {
        const double none[6] = {0.0};
        double d[36], w = 0.0;
        SAMPLES[i].kind->evaluate(SAMPLES[i].instance, none, NULL, NULL, d);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) w += 0.5 * e[a] * d[6 * a + b] * e[b];
        // A third-order term of W is 1e-8 of the second; rounding of first-order terms that cancel
        // is eps / |E|, another 1e-7.
        check_relative(energy_at(&SAMPLES[i], e), w, 2e-7, "quadratic form of D");
    }
}

// Closed forms -----------------------------------------------------------------------------------

static void stretch(double x, double y, double z, double e[6])
{
    const double all[6] = {0.5 * (x * x - 1.0), 0.5 * (y * y - 1.0), 0.5 * (z * z - 1.0)};
    memcpy(e, all, sizeof all);
}

// Uniaxial pull with free sides: ln J = μ (1 - t²)/λ of the transverse stretch t, and
// S = μ (1 - t²/l²) of the axial stretch l.
static void test_neo_hookean_pull(void** state)
{
    const double mu = 2e5 / 2.8, lambda = 2e5 * 0.4 / (1.4 * 0.2);
    for (double t = 0.75; t < 1.3; t += 0.05) {
        const double j = exp(mu * (1.0 - t * t) / lambda), l = j / (t * t);
        double e[6], s[6];
        stretch(l, t, t, e);
        assert_true(kai_solid_neo_hookean.evaluate(&NEO_HOOKEAN, e, NULL, s, NULL));
        check_near(s[0], mu * (1.0 - t * t / (l * l)), 1e-9, "closed form");
        check_near(s[1], 0.0, 1e-9, "free sides");
        check_near(s[2], 0.0, 1e-9, "free sides");
    }
}

// Simple shear x += g y: J = 1, Cauchy stress μ g in shear and μ g² along x.
static void test_neo_hookean_shear(void** state)
{
    const double mu = 2e5 / 2.8, g = 0.7;
    const double e[6] = {0.0, 0.5 * g * g, 0.0, 0.0, 0.0, g};
    double s[6];
    assert_true(kai_solid_neo_hookean.evaluate(&NEO_HOOKEAN, e, NULL, s, NULL));
    // σ = F S Fᵀ with F = 1 + g x yᵀ
    check_near(s[5] + g * s[1], mu * g, 1e-9, "shear");
    check_near(s[0] + 2.0 * g * s[5] + g * g * s[1], mu * g * g, 1e-9, "normal");
    check_near(s[1], 0.0, 1e-9, "across");
}

// Stretches l, l^-½, l^-½ keep the volume: σ₁ - σ₂ = 2 (l² - 1/l)(c₁₀ + c₀₁/l) (Rivlin).
static void test_mooney_pull(void** state)
{
    for (double l = 0.5; l < 3.0; l += 0.25) {
        double e[6], s[6];
        stretch(l, 1.0 / sqrt(l), 1.0 / sqrt(l), e);
        assert_true(kai_solid_mooney_rivlin.evaluate(&MOONEY, e, NULL, s, NULL));
        check_near(l * l * s[0] - s[1] / l, 2.0 * (l * l - 1.0 / l) * (8e4 + 2e4 / l), 1e-6,
                   "Rivlin 1948");
    }
    // Uniform: p = κ (J - 1)
    double e[6], s[6];
    stretch(1.1, 1.1, 1.1, e);
    assert_true(kai_solid_mooney_rivlin.evaluate(&MOONEY, e, NULL, s, NULL));
    check_relative(s[0] / 1.1, 3e6 * (1.1 * 1.1 * 1.1 - 1.0), 1e-12, "pressure");
}

// Strains of a pull along each axis are 1/E and -ν/E: the stiffness undoes the compliance.
static void test_orthotropic_moduli(void** state)
{
    const double e[3] = {11e9, 0.8e9, 0.45e9};
    const double columns[3][3] = {{1.0 / e[0], -0.4 / e[0], -0.45 / e[0]},
                                  {-0.4 / e[0], 1.0 / e[1], -0.47 / e[1]},
                                  {-0.45 / e[0], -0.47 / e[1], 1.0 / e[2]}};
    for (int k = 0; k < 3; k++) {
        const double strain[6] = {columns[k][0], columns[k][1], columns[k][2]};
        double s[6];
        kai_solid_orthotropic.evaluate(&SPRUCE, strain, NULL, s, NULL);
        for (int a = 0; a < 3; a++) check_near(s[a], a == k, 1e-12, "pull of 1 Pa");
    }
    // Of equal moduli it is the isotropic one.
    const kai_solid_orthotropic_params same = {
        {1, 0, 0}, {2e5, 2e5, 2e5}, {0.3, 0.3, 0.3}, {2e5 / 2.6, 2e5 / 2.6, 2e5 / 2.6}};
    const double none[6] = {0.0};
    double d[36], expected[36];
    kai_solid_orthotropic.evaluate(&same, none, NULL, NULL, d);
    kai_solid_elastic.evaluate(&ELASTIC, none, NULL, NULL, expected);
    for (int k = 0; k < 36; k++) check_near(d[k], expected[k], 1e-9, "isotropic");
}

// What cannot be ---------------------------------------------------------------------------------

static void check_refused(const kai_solid_kind* kind, const void* instance, const char* part)
{
    kai_error err = {0};
    check_error(kai_kind_check(&kind->kind, instance, &err), KAI_ERROR_ARGUMENT);
    if (!strstr(err.message, part)) fail_msg("'%s' lacks '%s'", err.message, part);
}

static void test_refusals(void** state)
{
    kai_solid_orthotropic_params o = SPRUCE;
    o.poisson.x = 1.4; // beyond sqrt(0.8/0.45)
    check_refused(&kai_solid_orthotropic, &o, "poisson yz is 1.4; its square must be < 1.77778");
    o = (kai_solid_orthotropic_params){{1, 0, 0}, {1, 1, 1}, {0.6, 0.6, 0.6}, {1, 1, 1}};
    check_refused(&kai_solid_orthotropic, &o, "must be > 0, or a pull would give energy");
    o = SPRUCE;
    o.young.y = 0.0;
    check_refused(&kai_solid_orthotropic, &o, "young");
    kai_solid_mooney_rivlin_params m = MOONEY;
    m.c01 = -8e4;
    check_refused(&kai_solid_mooney_rivlin, &m, "c10 + c01 is 0 Pa");
    kai_solid_neo_hookean_params n = NEO_HOOKEAN;
    n.poisson = 0.5;
    check_refused(&kai_solid_neo_hookean, &n, "poisson is 0.5");
    // A volume that vanished
    const double flat[6] = {-0.5, 0.0, 0.0, 0.0, 0.0, 0.0};
    double w;
    assert_false(kai_solid_neo_hookean.evaluate(&NEO_HOOKEAN, flat, &w, NULL, NULL));
    assert_false(kai_solid_mooney_rivlin.evaluate(&MOONEY, flat, &w, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_has_a_sample),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_small_strain_keeps_digits),
        cmocka_unit_test(test_neo_hookean_pull),
        cmocka_unit_test(test_neo_hookean_shear),
        cmocka_unit_test(test_mooney_pull),
        cmocka_unit_test(test_orthotropic_moduli),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
