// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Thin limits: a cantilever strip of 8 × 1 elements and a clamped square of 8 × 8, thickness 1e-1
// to 1e-4 of the side, with and without the remedies of ancf-shell.
// tools/plot-shells draws what this prints.
#include "fea/shell_mesh.h"

typedef struct variant {
    const char* name;
    const kai_element_kind* kind;
    bool natural, enhanced;
} variant;

static const variant VARIANTS[] = {
    {"ancf-shell", &kai_element_ancf_shell, true, true},
    {"ancf-shell, no enhanced strain", &kai_element_ancf_shell, true, false},
    {"ancf-shell, no natural strain", &kai_element_ancf_shell, false, true},
    {"ancf-shell, none", &kai_element_ancf_shell, false, false},
    {"ancf-plate", &kai_element_ancf_plate, true, true},
    {"reissner-shell", &kai_element_reissner_shell, true, true}};

static void* make(const variant* v, double thickness)
{
    void* instance = shell_instance(v->kind, thickness);
    if (v->kind == &kai_element_ancf_shell) {
        shell_set(v->kind, instance, "natural_strain", &v->natural);
        shell_set(v->kind, instance, "enhanced_strain", &v->enhanced);
    }
    return instance;
}

static const kai_solid_elastic_params SOLID = {.base.density = 1.0, .young = 1e9, .poisson = 0.3};

// Small deflection of the tip over that of a beam, P L³ / 3 E I, for a strip of length 1 and width
// 0.1: with a free rim the strip is in plane stress.
static double strip(const variant* v, double thickness)
{
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &SOLID}};
    const double side[2] = {1.0, 0.1}, force = 1e-6 * thickness * thickness * thickness;
    void* instance = make(v, thickness);
    shell_mesh m;
    shell_mesh_init(&m, v->kind, 8, 1, shell_rectangle, side, instance, solids);
    for (size_t j = 0; j <= 1; j++) {
        newton_fix(&m.n, shell_node(&m, 0, j), 0, m.n.rows);
        m.n.load[shell_node(&m, 8, j) * m.n.rows + 2] = 0.5 * force;
    }
    newton_equilibrium(&m.n, 1.0, 0.0, 1);
    const double w = shell_moved(&m, 8, 0).z;
    const double bend = 1e9 * 0.1 * thickness * thickness * thickness / 12.0;
    newton_free(&m.n);
    free(instance);
    return w * 3.0 * bend / force;
}

// Deflection of the middle of a clamped square under a pressure over that of thin plates,
// 0.00126532 p a⁴ / D (Timoshenko). A quarter of it, 8 × 8 elements.
static double square(const variant* v, double thickness)
{
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &SOLID}};
    const double side[2] = {0.5, 0.5}, pressure = thickness * thickness * thickness;
    enum { EACH = 8 };
    void* instance = make(v, thickness);
    shell_mesh m;
    shell_mesh_init(&m, v->kind, EACH, EACH, shell_rectangle, side, instance, solids);
    for (size_t i = 0; i <= EACH; i++) {
        shell_mirror(&m, EACH, i, 0);
        shell_mirror(&m, i, EACH, 1);
        newton_fix(&m.n, shell_node(&m, 0, i), 0, m.n.rows);
        newton_fix(&m.n, shell_node(&m, i, 0), 0, m.n.rows);
        for (size_t j = 0; j <= EACH; j++) {
            const double share =
                (i == 0 || i == EACH ? 0.5 : 1.0) * (j == 0 || j == EACH ? 0.5 : 1.0);
            m.n.load[shell_node(&m, i, j) * m.n.rows + 2] =
                share * pressure * 0.25 / (double)(EACH * EACH);
        }
    }
    newton_equilibrium(&m.n, 1.0, 0.0, 1);
    const double w = shell_moved(&m, EACH, EACH).z;
    const double bend = 1e9 * thickness * thickness * thickness / 12.0 / (1.0 - 0.09);
    newton_free(&m.n);
    free(instance);
    return w * bend / (0.00126532 * pressure);
}

static void thin_limits(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(VARIANTS); i++) {
        const variant* v = &VARIANTS[i];
        double bar[4], plate[4];
        for (int k = 0; k < 4; k++) {
            bar[k] = strip(v, pow(10.0, -1 - k));
            plate[k] = square(v, pow(10.0, -1 - k));
        }
        print_message("| %s | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n", v->name,
                      bar[0], bar[1], bar[2], bar[3], plate[0], plate[1], plate[2], plate[3]);
        if (v->natural) {
            check_relative(bar[3], bar[2], 1e-3, "no locking: thinner is not stiffer");
            check_relative(plate[3], plate[2], 1e-3, "no locking: thinner is not stiffer");
        }
        if (v->natural && v->enhanced) {
            // The clamped end holds the width, which beam theory does not know: 1 % less.
            check_near(bar[3], 1.0, 0.02, "beam of Euler and Bernoulli");
            check_near(plate[3], 1.0, 0.01, "Timoshenko: 0.00126532 p a^4 / D");
        }
        // Shear in a bilinear element: as (t / element)²
        if (!v->natural) assert_true(bar[2] < 1e-3 && plate[2] < 1e-2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thin_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
