// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The shear-deformable shell on its own: derivatives, rigid motion, patch test, mass, layers,
// messages. Published cases: test_cases_ancf_shell.c.
#include "fea/elements/ancf_shell.h"
#include "fea/shell_mesh.h"

enum { ROWS = 24 };

typedef kai_element_ancf_shell_params shell;

// A shell, distorted, warped and curved, of one of several make-ups.
typedef struct sample {
    shell params;
    kai_element_layer items[2];
    kai_solid_view solids[KAI_LAYERS_SOLIDS];
    kai_solid_elastic_params soft, stiff;
    kai_solid_neo_hookean_params rubber;
    double q[ROWS], v[ROWS], reference[ROWS];
    char* data;
} sample;

static void directors(double* q)
{
    for (int a = 0; a < 4; a++) {
        double* d = q + 6 * a + 3;
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; k++) d[k] /= length;
    }
}

static kai_result prepare(sample* s, kai_error* err)
{
    const kai_element_setup setup = {&s->params, s->reference, s->solids};
    return kai_element_ancf_shell.prepare(&setup, s->data, err);
}

static void begin(sample* s, int make)
{
    memset(s, 0, sizeof *s);
    const double q[ROWS] = {0.0, 0.0, 0.0, -0.1, -0.05, 1.0, 1.1, 0.1, 0.05, 0.15, -0.05, 1.0,
                            1.0, 0.9, 0.1, 0.1,  0.1,   1.0, 0.1, 1.0, 0.0,  -0.1, 0.12,  1.0};
    memcpy(s->reference, q, sizeof q);
    directors(s->reference);
    s->soft = (kai_solid_elastic_params){
        .base = {.density = 500.0, .damping = 0.01}, .young = 1e4, .poisson = 0.3};
    s->stiff = (kai_solid_elastic_params){
        .base = {.density = 900.0, .damping = 0.02}, .young = 5e4, .poisson = 0.1};
    s->params.natural_strain = make != 2;
    s->params.enhanced_strain = make != 2;
    if (make == 1) {
        s->items[0] = (kai_element_layer){.thickness = 0.06, .angle = 0.5};
        s->items[1] = (kai_element_layer){.thickness = 0.04, .angle = -0.5};
        s->params.layers.list = (kai_list){s->items, 2};
        s->solids[1] = (kai_solid_view){&kai_solid_elastic, &s->soft};
        s->solids[2] = (kai_solid_view){&kai_solid_elastic, &s->stiff};
    } else {
        s->params.layers.thickness = 0.1;
        s->solids[0] = (kai_solid_view){&kai_solid_elastic, &s->soft};
    }
    s->rubber = (kai_solid_neo_hookean_params){.base.density = 500.0, .young = 1e4, .poisson = 0.3};
    if (make == 3) s->solids[0] = (kai_solid_view){&kai_solid_neo_hookean, &s->rubber};
    s->data = newton_zeros(1, kai_element_ancf_shell.data_size);
    kai_error err = {0};
    check_ok(prepare(s, &err));
    for (int k = 0; k < ROWS; k++) {
        s->q[k] = s->reference[k] + 0.1 * helper_random((uint64_t)k);
        s->v[k] = helper_random((uint64_t)(100 + k));
    }
}

static kai_element_batch batch_of(const sample* s)
{
    kai_element_batch b = {.instances = &s->params,
                           .data = s->data,
                           .solids = s->solids,
                           .count = 1,
                           .q = s->q,
                           .v = s->v,
                           .position = 1.0};
    return b;
}

static void force_of(const sample* s, double* f, double* t, double position, double velocity)
{
    kai_element_batch b = batch_of(s);
    b.force = f;
    b.tangent = t;
    b.position = position;
    b.velocity = velocity;
    kai_element_ancf_shell.force(&b);
}

static double energy_of(const sample* s)
{
    const kai_element_batch b = batch_of(s);
    return kai_element_ancf_shell.energy(&b, 0);
}

// Of one layer, two layers that damp differently, without remedies, and of rubber (not damped).
static void derivatives(void** state)
{
    for (int make = 0; make < 4; make++) {
        sample s;
        begin(&s, make);
        double f[ROWS], t[ROWS * ROWS], fv[ROWS], up[ROWS], down[ROWS], v[ROWS];
        memcpy(v, s.v, sizeof v);
        const double h = 1e-6;
        memset(s.v, 0, sizeof s.v);
        force_of(&s, f, t, 1.0, 0.0);
        for (int k = 0; k < ROWS; k++) {
            const double at = s.q[k];
            s.q[k] = at + h;
            const double high = energy_of(&s);
            s.q[k] = at - h;
            const double low = energy_of(&s);
            s.q[k] = at;
            check_near(f[k], -(high - low) / (2.0 * h), 1e-5, "central difference of W ~ 1e2");
        }
        memcpy(s.v, v, sizeof v);
        for (int pass = 0; pass < 2; pass++) {
            static double by[ROWS][ROWS];
            force_of(&s, f, t, pass ? 0.0 : 1.0, pass ? 1.0 : 0.0);
            for (int k = 0; k < ROWS; k++) {
                double* x = pass ? &s.v[k] : &s.q[k];
                const double at = *x;
                *x = at + h;
                force_of(&s, up, NULL, 0.0, 0.0);
                *x = at - h;
                force_of(&s, down, NULL, 0.0, 0.0);
                *x = at;
                for (int j = 0; j < ROWS; j++) by[j][k] = -(up[j] - down[j]) / (2.0 * h);
            }
            for (int i = 0; i < ROWS * ROWS; i++) {
                const int j = i / ROWS, k = i % ROWS;
                check_near(t[i], 0.5 * (by[j][k] + by[k][j]), 1e-4,
                           "central difference of forces ~ 1e3, the symmetric part");
                check_near(t[i], t[ROWS * k + j], 1e-9, "symmetric");
            }
        }
        double still[ROWS] = {0.0}, power = 0.0, sum[3] = {0.0};
        memcpy(v, s.v, sizeof v);
        force_of(&s, fv, NULL, 0.0, 0.0);
        memcpy(s.v, still, sizeof still);
        force_of(&s, f, NULL, 0.0, 0.0);
        for (int k = 0; k < ROWS; k++) power += (fv[k] - f[k]) * v[k];
        assert_true(make == 3 ? power == 0.0 : power < 0.0);
        for (int a = 0; a < 4; a++)
            for (int k = 0; k < 3; k++) sum[k] += fv[6 * a + k];
        for (int k = 0; k < 3; k++) check_near(sum[k], 0.0, 1e-10, "no net force");
        free(s.data);
    }
}

// Patch tests ------------------------------------------------------------------------------------

// MacNeal and Harder's patch of five distorted elements, 0.24 × 0.12.
static const double PATCH[8][2] = {{0.0, 0.0},   {0.24, 0.0},  {0.24, 0.12}, {0.0, 0.12},
                                   {0.04, 0.02}, {0.18, 0.03}, {0.16, 0.08}, {0.08, 0.08}};
static const uint32_t CORNERS[5][4] = {
    {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};

static void patch_begin(newton* n, const void* instance, const kai_solid_view* solids)
{
    newton_init(n, &kai_element_ancf_shell, 8, 5);
    for (size_t i = 0; i < 8; i++)
        newton_node(n, i, (const double[]){PATCH[i][0], PATCH[i][1], 0.0, 0.0, 0.0, 1.0});
    for (size_t e = 0; e < 5; e++) newton_element(n, e, CORNERS[e], instance, solids);
}

// Homogeneous deformation of the rim is taken over by the inner nodes, and strain is the same
// everywhere. The thickness takes what Poisson's ratio wants.
static void membrane_patch(void** state)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e6, .poisson = 0.25};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    void* instance = shell_instance(&kai_element_ancf_shell, 0.001);
    const kai_vec3 x_axis = kai_vec3_axis(0);
    shell_set(&kai_element_ancf_shell, instance, "x_axis", &x_axis);
    const double f[2][2] = {{1.05, 0.02}, {0.01, 0.97}};
    newton n;
    patch_begin(&n, instance, solids);
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 2; k++)
            n.q[6 * i + k] = f[k][0] * PATCH[i][0] + f[k][1] * PATCH[i][1];
        newton_fix(&n, i, 0, 3);
    }
    newton_solve(&n, 1, 1e-14);
    const double exx = 0.5 * (f[0][0] * f[0][0] + f[1][0] * f[1][0] - 1.0);
    const double eyy = 0.5 * (f[0][1] * f[0][1] + f[1][1] * f[1][1] - 1.0);
    const double gxy = f[0][0] * f[0][1] + f[1][0] * f[1][1];
    const double strain[6] = {exx, eyy, -0.25 / 0.75 * (exx + eyy), 0.0, 0.0, gxy};
    for (size_t e = 0; e < 5; e++) {
        double q[ROWS], v[ROWS] = {0.0};
        kai_element_sample at;
        newton_gather(&n, e, n.q, 6, q);
        const kai_element_batch b = newton_batch(&n, e, q, v);
        kai_element_ancf_shell.sample(&b, 0, (const double[]){0.3, -0.6, 0.2}, &at);
        for (int k = 0; k < 6; k++)
            check_near(at.strain[k], strain[k], 1e-12, "homogeneous deformation, plane stress");
        check_near(at.stress[2], 0.0, 1e-6, "plane stress of 1e5");
    }
    newton_free(&n);
    free(instance);
}

// Constant curvature w = c (x² + xy + y²)/2 as in MacNeal and Harder: moments are the same
// everywhere. Half the difference between top and bottom leaves out the stretch, of order c².
// Strains are 5e-9 and rounding 1e-16.
static void bending_patch(void** state)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e6, .poisson = 0.25};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    void* instance = shell_instance(&kai_element_ancf_shell, 0.001);
    const kai_vec3 x_axis = kai_vec3_axis(0);
    shell_set(&kai_element_ancf_shell, instance, "x_axis", &x_axis);
    const double c = 1e-5, z = 0.0005;
    newton n;
    patch_begin(&n, instance, solids);
    for (size_t i = 0; i < 4; i++) {
        const double x = PATCH[i][0], y = PATCH[i][1];
        n.q[6 * i + 2] = 0.5 * c * (x * x + x * y + y * y);
        n.q[6 * i + 3] = -c * (x + 0.5 * y);
        n.q[6 * i + 4] = -c * (y + 0.5 * x);
        newton_fix(&n, i, 0, 5);
    }
    newton_solve(&n, 1, 1e-14);
    const double strain[6] = {-c * z, -c * z, 0.25 / 0.75 * 2.0 * c * z, 0.0, 0.0, -c * z};
    for (size_t e = 0; e < 5; e++) {
        double q[ROWS], v[ROWS] = {0.0};
        kai_element_sample top, bottom;
        newton_gather(&n, e, n.q, 6, q);
        const kai_element_batch b = newton_batch(&n, e, q, v);
        kai_element_ancf_shell.sample(&b, 0, (const double[]){0.3, -0.6, 1.0}, &top);
        kai_element_ancf_shell.sample(&b, 0, (const double[]){0.3, -0.6, -1.0}, &bottom);
        for (int k = 0; k < 6; k++)
            check_near(0.5 * (top.strain[k] - bottom.strain[k]), strain[k], 1e-6 * c * z,
                       "constant curvature");
    }
    newton_free(&n);
    free(instance);
}

// Layers and messages ----------------------------------------------------------------------------

// Layers of one solid, whatever their angles, are one layer when the solid is isotropic. Two points
// through each layer are exact for all but the z⁴ of bending squares.
static void layers_of_one_solid(void** state)
{
    sample one, two;
    begin(&one, 0);
    begin(&two, 1);
    two.solids[2] = two.solids[1];
    kai_error err = {0};
    check_ok(prepare(&two, &err));
    memcpy(two.q, one.q, sizeof one.q);
    const double w = energy_of(&one);
    check_relative(energy_of(&two), w, 1e-5, "the same shell cut in two");
    free(one.data);
    free(two.data);
}

// A solid that is linear goes through the constant matrix; the same law by Gauss points must agree.
static bool as_elastic(const void* instance, const double strain[6], double* energy, double* stress,
                       double* stiffness)
{
    return kai_solid_elastic.evaluate(instance, strain, energy, stress, stiffness);
}

static void both_ways_agree(void** state)
{
    kai_solid_kind other = kai_solid_elastic;
    other.linear = false;
    other.evaluate = as_elastic;
    sample fast, slow;
    begin(&fast, 0);
    begin(&slow, 0);
    slow.solids[0].kind = &other;
    kai_error err = {0};
    check_ok(prepare(&slow, &err));
    double f[2][ROWS], t[2][ROWS * ROWS];
    force_of(&fast, f[0], t[0], 1.0, 0.3);
    force_of(&slow, f[1], t[1], 1.0, 0.3);
    for (int k = 0; k < ROWS; k++) check_near(f[0][k], f[1][k], 1e-9, "forces ~ 1e3");
    for (int k = 0; k < ROWS * ROWS; k++) check_near(t[0][k], t[1][k], 1e-8, "tangents ~ 1e4");
    check_relative(energy_of(&fast), energy_of(&slow), 1e-12, "energy");
    free(fast.data);
    free(slow.data);
}

// Kernels of other CPUs than this one agree with its own.
static void all_kernels_agree(void** state)
{
#ifdef KAI_ANCF_SHELL_CPUS
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
    sample s;
    begin(&s, 0);
    double f[2][ROWS], t[2][ROWS * ROWS];
    force_of(&s, f[0], t[0], 1.0, 0.3);
    kai_element_batch b = batch_of(&s);
    b.force = f[1];
    b.tangent = t[1];
    b.velocity = 0.3;
    kai_ancf_shell_v3(&b, 0, 1);
    for (int k = 0; k < ROWS; k++) check_near(f[1][k], f[0][k], 1e-9, "forces ~ 1e3");
    for (int k = 0; k < ROWS * ROWS; k++) check_near(t[1][k], t[0][k], 1e-8, "tangents ~ 1e4");
    free(s.data);
#endif
}

static void check_message(sample* s, const char* expected)
{
    kai_error err = {0};
    check_error(prepare(s, &err), KAI_ERROR_ARGUMENT);
    if (!strstr(err.message, expected)) fail_msg("%s\nlacks: %s", err.message, expected);
}

static void messages(void** state)
{
    sample s;
    begin(&s, 0);
    s.params.layers.thickness = 0.0;
    check_message(&s, "its thickness is 0 m; must be > 0");
    s.params.layers.thickness = 0.1;
    for (int k = 0; k < 3; k++) s.reference[3 + k] *= 2.0;
    check_message(&s, "the slope of its node 0 has length 2; must be 1");
    for (int k = 0; k < 3; k++) s.reference[3 + k] *= -0.5;
    check_message(&s, "its Jacobian at node 0 is -");
    for (int k = 0; k < 3; k++) s.reference[3 + k] *= -1.0;
    s.params.layers.x_axis = kai_vec3_make(-0.1, -0.05, 1.0);
    check_message(&s, "stands on the shell at node");
    s.params.layers.x_axis = kai_vec3_zero();
    s.solids[0] = (kai_solid_view){0};
    check_message(&s, "neither solid nor layers");
    s.items[0].thickness = 0.1;
    s.params.layers.list = (kai_list){s.items, 1};
    check_message(&s, "it has layers beside solid and thickness");
    s.params.layers.thickness = 0.0;
    check_message(&s, "layer 0 has no solid");
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),     cmocka_unit_test(membrane_patch),
        cmocka_unit_test(bending_patch),   cmocka_unit_test(layers_of_one_solid),
        cmocka_unit_test(both_ways_agree), cmocka_unit_test(all_kernels_agree),
        cmocka_unit_test(messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
