// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The shell between bodies on its own: plane stress, drilling, directors of frames, mass, messages.
// test_elements.c has derivatives and rigid motion, test_cases_reissner_shell.c published cases.
#include "fea/rig.h"
#include "fea/shell_mesh.h"

static const kai_element_kind* const KIND = &kai_element_reissner_shell;
static const kai_solid_elastic_params STEEL = {
    .base.density = 1000.0, .young = 1e6, .poisson = 0.25};
static const kai_solid_view SOLID = {&kai_solid_elastic, &STEEL};
static const rig_param THIN[] = {{"thickness", {0.01}}, {NULL, {0.0}}};
static const double SQUARE[28] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0,
                                  1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0};

static void plane_stress(void** state)
{
    static rig r;
    rig_make(&r, KIND, THIN, NULL, SOLID, SQUARE);
    for (int a = 0; a < 4; a++) r.q[7 * a] *= 1.001;
    const kai_element_sample s = rig_sample(&r, 0.2, 0.3, 0.4);
    const double e = 0.5 * (1.001 * 1.001 - 1.0);
    check_relative(s.strain[0], e, 1e-12, "stretch");
    check_near(s.strain[1], 0.0, 1e-15, "held");
    check_relative(s.strain[2], -0.25 / 0.75 * e, 1e-9, "it thins");
    check_relative(s.stress[0], 1e6 / (1.0 - 0.0625) * e, 1e-9, "plane stress");
    check_near(s.stress[2], 0.0, 1e-6, "none across");
}

// All nodes turned about their directors by φ: each δ is 2 sin φ (t₁ · x,₂ = -t₂ · x,₁ = sin φ), so
// that W = ½ Σ k (2 sin φ)² = 2 c G t A sin² φ.
static void drilling(void** state)
{
    static rig r;
    rig_make(&r, KIND, THIN, NULL, SOLID, SQUARE);
    const double angle = 0.2;
    for (int a = 0; a < 4; a++) rig_turn_frame(r.q + 7 * a, kai_vec3_make(0.0, 0.0, angle));
    const double shear = 1e6 / 2.5 * 0.01, s = sin(angle);
    check_relative(rig_energy(&r), 2.0 * 1e-4 * shear * s * s, 1e-12, "springs of drilling");
}

// Directors of frames: a body whose z axis leans by 0.1 in the reference is no strain.
static void frames(void** state)
{
    static rig r;
    double q[28];
    memcpy(q, SQUARE, sizeof q);
    for (int a = 0; a < 4; a++)
        rig_turn_frame(q + 7 * a, kai_vec3_make(0.1, a % 2 ? 0.05 : -0.05, 0.0));
    const rig_param params[] = {{"thickness", {0.01}}, {"director", {1}}, {NULL, {0.0}}};
    rig_make(&r, KIND, params, NULL, SOLID, q);
    check_near(rig_energy(&r), 0.0, 1e-25, "undeformed");
    rig_turn_frame(r.q, kai_vec3_make(0.1, 0.0, 0.0));
    assert_true(rig_energy(&r) > 1e-3);
}

// A quarter of the mass at each corner, and t²/12 of it as inertia about all axes.
static void mass(void** state)
{
    static rig r;
    kai_element_lump lump[4];
    rig_make(&r, KIND, THIN, NULL, SOLID, SQUARE);
    const kai_element_batch b = rig_batch(&r);
    KIND->lump(&b, 0, lump);
    for (int a = 0; a < 4; a++) {
        check_relative(lump[a].mass, 2.5, 1e-12, "ρ t A / 4");
        check_relative(lump[a].inertia.xx, 2.5 * 1e-4 / 12.0, 1e-12, "m t² / 12");
        assert_true(lump[a].inertia.xx == lump[a].inertia.zz && lump[a].inertia.xy == 0.0);
    }
}

static void message(rig* r, const char* expected)
{
    kai_error err = {0};
    check_error(rig_prepare(r, &err), KAI_ERROR_ARGUMENT);
    if (!strstr(err.message, expected)) fail_msg("%s\nlacks: %s", err.message, expected);
}

static void messages(void** state)
{
    const kai_solid_mooney_rivlin_params rubber = {
        .base.density = 1.0, .c10 = 1e6, .c01 = 1e5, .bulk = 1e8};
    static rig r;
    rig_lay(&r, KIND, NULL, NULL, SOLID, SQUARE);
    message(&r, "its thickness is 0 m; must be > 0");
    rig_lay(&r, KIND, THIN, NULL, SOLID, SQUARE);
    memcpy(r.q0 + 7, SQUARE, 3 * sizeof *SQUARE);
    message(&r, "its Jacobian at node 0 is 0; must be > 0");
    rig_lay(&r, KIND, THIN, NULL, (kai_solid_view){&kai_solid_mooney_rivlin, &rubber}, SQUARE);
    message(&r, "its layers must be of linear solids");
    const rig_param params[] = {{"thickness", {0.01}}, {"director", {1}}, {NULL, {0.0}}};
    rig_lay(&r, KIND, params, NULL, SOLID, SQUARE);
    for (int a = 0; a < 4; a++) rig_turn_frame(r.q0 + 7 * a, kai_vec3_make(2.0, 0.0, 0.0));
    message(&r, "its Jacobian at node 0 is -0.104");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plane_stress), cmocka_unit_test(drilling),
                                       cmocka_unit_test(frames), cmocka_unit_test(mass),
                                       cmocka_unit_test(messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
