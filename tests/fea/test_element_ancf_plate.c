// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The thin plate on its own: patch tests, a curved reference, messages. test_elements.c has
// derivatives and rigid motion, test_cases_ancf_plate.c published cases.
#include "fea/rig.h"
#include "fea/shell_mesh.h"

static const kai_element_kind* const KIND = &kai_element_ancf_plate;

// MacNeal and Harder's patch of five distorted elements, 0.24 × 0.12.
static const double PATCH[8][2] = {{0.0, 0.0},   {0.24, 0.0},  {0.24, 0.12}, {0.0, 0.12},
                                   {0.04, 0.02}, {0.18, 0.03}, {0.16, 0.08}, {0.08, 0.08}};
static const uint32_t CORNERS[5][4] = {
    {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};

// A homogeneous deformation of the rim is taken over by the inner nodes.
static void membrane_patch(void** state)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e6, .poisson = 0.25};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    void* instance = shell_instance(KIND, 0.001);
    const kai_vec3 x_axis = kai_vec3_axis(0);
    shell_set(KIND, instance, "x_axis", &x_axis);
    const double f[2][2] = {{1.05, 0.02}, {0.01, 0.97}};
    newton n;
    newton_init(&n, KIND, 8, 5);
    for (size_t i = 0; i < 8; i++)
        newton_node(&n, i, (const double[]){PATCH[i][0], PATCH[i][1], 0, 1, 0, 0, 0, 1, 0});
    for (size_t e = 0; e < 5; e++) newton_element(&n, e, CORNERS[e], instance, solids);
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 2; k++) {
            n.q[9 * i + k] = f[k][0] * PATCH[i][0] + f[k][1] * PATCH[i][1];
            n.q[9 * i + 3 + k] = f[k][0];
            n.q[9 * i + 6 + k] = f[k][1];
        }
        newton_fix(&n, i, 0, 9);
    }
    newton_solve(&n, 1, 1e-14);
    const double strain[6] = {0.5 * (f[0][0] * f[0][0] + f[1][0] * f[1][0] - 1.0),
                              0.5 * (f[0][1] * f[0][1] + f[1][1] * f[1][1] - 1.0),
                              0.0,
                              0.0,
                              0.0,
                              f[0][0] * f[0][1] + f[1][0] * f[1][1]};
    for (size_t e = 0; e < 5; e++) {
        double q[36], v[36] = {0.0};
        kai_element_sample at;
        newton_gather(&n, e, n.q, 9, q);
        const kai_element_batch b = newton_batch(&n, e, q, v);
        KIND->sample(&b, 0, (const double[]){0.3, -0.6, 0.2}, &at);
        for (int k = 0; k < 6; k++)
            check_near(at.strain[k], strain[k], 1e-11, "homogeneous deformation");
    }
    newton_free(&n);
    free(instance);
}

// A flat rectangle bent and twisted, w = c (x² + xy + y²)/2: its cubic holds that exactly. Strains
// at the top are -c z, and 12 terms of 1e-16 are rounded off.
static void constant_curvature(void** state)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e6, .poisson = 0.25};
    const kai_solid_view view = {&kai_solid_elastic, &solid};
    const double corner[4][2] = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 0.7}, {0.0, 0.7}}, c = 1e-7;
    const rig_param params[] = {{"thickness", {0.2}}, {NULL, {0.0}}};
    double q[36] = {0.0};
    static rig r;
    for (int a = 0; a < 4; a++) {
        q[9 * a] = corner[a][0], q[9 * a + 1] = corner[a][1];
        q[9 * a + 3] = q[9 * a + 7] = 1.0;
    }
    rig_make(&r, KIND, params, NULL, view, q);
    for (int a = 0; a < 4; a++) {
        const double x = corner[a][0], y = corner[a][1];
        r.q[9 * a + 2] = 0.5 * c * (x * x + x * y + y * y);
        r.q[9 * a + 5] = c * (x + 0.5 * y);
        r.q[9 * a + 8] = c * (y + 0.5 * x);
    }
    const kai_element_sample top = rig_sample(&r, 0.3, -0.8, 1.0);
    const double strain[6] = {-0.1 * c, -0.1 * c, 0.0, 0.0, 0.0, -0.1 * c};
    for (int k = 0; k < 6; k++)
        check_near(top.strain[k], strain[k], 1e-5 * 0.1 * c, "constant curvature and twist");
    const double stiff = 1e6 / (1.0 - 0.25 * 0.25);
    check_relative(top.stress[0], -0.1 * c * stiff * 1.25, 1e-5, "plane stress, both ways bent");
    check_relative(top.stress[5], -0.1 * c * 1e6 / 2.5, 1e-5, "shear");
}

static void message(rig* r, const char* expected)
{
    kai_error err = {0};
    check_error(rig_prepare(r, &err), KAI_ERROR_ARGUMENT);
    if (!strstr(err.message, expected)) fail_msg("%s\nlacks: %s", err.message, expected);
}

static void messages(void** state)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e6, .poisson = 0.25};
    const kai_solid_mooney_rivlin_params rubber = {
        .base.density = 1.0, .c10 = 1e6, .c01 = 1e5, .bulk = 1e8};
    const kai_solid_view view = {&kai_solid_elastic, &solid};
    const double q[36] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0,
                          1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0};
    const rig_param params[] = {{"thickness", {0.01}}, {NULL, {0.0}}};
    static rig r;
    rig_lay(&r, KIND, NULL, NULL, view, q);
    message(&r, "its thickness is 0 m; must be > 0");
    rig_lay(&r, KIND, params, NULL, view, q);
    r.q0[7] = 0.0;
    message(&r, "the slopes of its node 0 are parallel or zero");
    rig_lay(&r, KIND, params, NULL, view, q);
    memcpy(r.q0 + 9, q + 27, 3 * sizeof *q);
    memcpy(r.q0 + 27, q + 9, 3 * sizeof *q);
    message(&r, "its Jacobian at point 0 is -0.25; must be > 0");
    rig_lay(&r, KIND, params, NULL, view, q);
    r.q0[3] = 0.1, r.q0[5] = 1.0;
    message(&r, "a side at its node 0 leaves the plane of the slopes by 84 degrees");
    rig_lay(&r, KIND, params, NULL, (kai_solid_view){&kai_solid_mooney_rivlin, &rubber}, q);
    message(&r, "its layers must be of linear solids");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(membrane_patch),
                                       cmocka_unit_test(constant_curvature),
                                       cmocka_unit_test(messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
