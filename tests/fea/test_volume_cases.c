// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Published and closed-form cases of volume elements: beams, torsion, Cook's membrane, a thick
// cylinder that hardly changes volume, rubber, the elastica.
//
// ctest-labels: slow
#include "volume_mesh.h"

static const kai_vec3 NO_GRAVITY = {0.0, 0.0, 0.0};

typedef struct mesh_case {
    const kai_element_kind* kind;
    int nx, ny, nz;
    double tolerance;
} mesh_case;

// Beams ------------------------------------------------------------------------------------------

// 1 m × 50 mm × 50 mm along x, held at x = 0.
#define LENGTH 1.0
#define SIDE   0.05
#define YOUNG  2e11
#define NU     0.0 // a held end may then contract as beam theory has it

static const kai_solid_elastic_params STEEL = {{7800.0, 0.0, 0.0}, YOUNG, NU};

static kai_vec3 beam(double x, double y, double z)
{
    return kai_vec3_make(LENGTH * x, SIDE * (y - 0.5), SIDE * (z - 0.5));
}

static kai_vec3 down(kai_vec3 place) { return kai_vec3_make(0, 0, -1000.0); }
static kai_vec3 along(kai_vec3 place) { return kai_vec3_make(1e5, 0, 0); }

static double tip(const volume_mesh* m)
{
    return mesh_moved(m, m->size[0] - 1, m->size[1] - 1, m->size[2] - 1).z;
}

static const mesh_case BEAMS[] = {
    {&kai_element_tet10, 20, 2, 2, 0.005},
    {&kai_element_hex8, 20, 2, 2, 0.005},
    {&kai_element_hex20, 10, 1, 1, 0.005},
};

// P L³/3 E I, and P L/(k G A) of shear (k = 5/6): together Timoshenko's.
static void test_cantilever(void** state)
{
    const double inertia = pow(SIDE, 4) / 12.0, shear = 5.0 / 6.0 * YOUNG / (2.0 * (1.0 + NU));
    const double expected =
        -1000.0 * (pow(LENGTH, 3) / (3.0 * YOUNG * inertia) + LENGTH / (shear * SIDE * SIDE));
    for (size_t k = 0; k < KAI_COUNT(BEAMS); k++) {
        volume_mesh m;
        mesh_make(&m, BEAMS[k].kind, KAI_ELEMENT_AUTOMATIC, true, &kai_solid_elastic, &STEEL,
                  BEAMS[k].nx, BEAMS[k].ny, BEAMS[k].nz, beam, NO_GRAVITY);
        mesh_fix(&m, 0, 0, KAI_NODE_FIX_POSITION);
        mesh_pull(&m, 0, m.size[0] - 1, down);
        mesh_check(&m, kai_world_statics(m.world));
        check_relative(tip(&m), expected, BEAMS[k].tolerance, "P L³/3 E I + P L/k G A");
        mesh_free(&m);
    }
}

// ρ A g L⁴/8 E I, and ρ g L²/2 k G of shear.
static void test_self_weight(void** state)
{
    const double inertia = pow(SIDE, 4) / 12.0, shear = 5.0 / 6.0 * YOUNG / (2.0 * (1.0 + NU));
    const double load = 7800.0 * 9.81;
    const double expected = -load * (SIDE * SIDE * pow(LENGTH, 4) / (8.0 * YOUNG * inertia) +
                                     LENGTH * LENGTH / (2.0 * shear));
    for (size_t k = 0; k < KAI_COUNT(BEAMS); k++) {
        volume_mesh m;
        mesh_make(&m, BEAMS[k].kind, KAI_ELEMENT_AUTOMATIC, true, &kai_solid_elastic, &STEEL,
                  BEAMS[k].nx, BEAMS[k].ny, BEAMS[k].nz, beam, kai_vec3_make(0, 0, -9.81));
        mesh_fix(&m, 0, 0, KAI_NODE_FIX_POSITION);
        mesh_check(&m, kai_world_statics(m.world));
        check_relative(tip(&m), expected, BEAMS[k].tolerance, "ρ A g L⁴/8 E I + ρ g L²/2 k G");
        mesh_free(&m);
    }
}

// P L/E A, exact for every kind when the end may contract.
static void test_pull(void** state)
{
    static const kai_element_kind* const kinds[] = {&kai_element_tet4, &kai_element_tet10,
                                                    &kai_element_hex8, &kai_element_hex20};
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        volume_mesh m;
        mesh_make(&m, kinds[k], KAI_ELEMENT_AUTOMATIC, true, &kai_solid_elastic, &STEEL, 4, 1, 1,
                  beam, NO_GRAVITY);
        mesh_fix(&m, 0, 0, 1);
        mesh_fix(&m, 1, 0, 2);
        mesh_fix(&m, 2, 0, 4);
        mesh_pull(&m, 0, m.size[0] - 1, along);
        mesh_check(&m, kai_world_statics(m.world));
        // Strain of 2e-4: the corotational law is linear in the stretch, so nothing else is left.
        check_relative(mesh_moved(&m, m.size[0] - 1, 0, 0).x, 1e5 * LENGTH / (YOUNG * SIDE * SIDE),
                       1e-8, "P L/E A");
        mesh_free(&m);
    }
}

// Torsion: T L/G J of a square, J = 0.140577 a⁴ (Timoshenko & Goodier, 109). The ends may warp; the
// twist is taken between the quarters, where the way the torque is brought in has died out.
static kai_vec3 whirl(kai_vec3 place) { return kai_vec3_make(0, -1e6 * place.z, 1e6 * place.y); }

static void test_torsion(void** state)
{
    static const mesh_case cases[] = {{&kai_element_tet10, 12, 4, 4, 0.02},
                                      {&kai_element_hex8, 20, 8, 8, 0.02},
                                      {&kai_element_hex20, 12, 2, 2, 0.02}};
    const double stiffness = YOUNG / (2.0 * (1.0 + NU)) * 0.140577 * pow(SIDE, 4);
    for (size_t k = 0; k < KAI_COUNT(cases); k++) {
        volume_mesh m;
        mesh_make(&m, cases[k].kind, KAI_ELEMENT_AUTOMATIC, true, &kai_solid_elastic, &STEEL,
                  cases[k].nx, cases[k].ny, cases[k].nz, beam, NO_GRAVITY);
        mesh_fix(&m, 0, 0, 6);
        const int j = m.size[1] / 2, last = m.size[0] - 1;
        // Corners do not warp.
        for (int c = 0; c < 4; c++) {
            const size_t p =
                mesh_index(&m, 0, (c & 1) * (m.size[1] - 1), (c >> 1) * (m.size[2] - 1));
            mesh_check(&m, kai_node_set_fixed(m.world, m.nodes[p], 7));
        }
        mesh_pull(&m, 0, last, whirl);
        double torque = 0.0;
        for (size_t p = 0; p < mesh_points(&m); p++) {
            kai_node_def def;
            if (KAI_IS_NULL(m.nodes[p])) continue;
            mesh_check(&m, kai_node_get(m.world, m.nodes[p], &def));
            torque += m.places[p].y * def.force[0].z - m.places[p].z * def.force[0].y;
        }
        mesh_check(&m, kai_world_statics(m.world));
        // Middles of an edge of the section
        const double twist =
            (mesh_moved(&m, 3 * last / 4, j, 0).y - mesh_moved(&m, last / 4, j, 0).y) /
            (0.5 * SIDE);
        const double expected = torque * 0.5 * LENGTH / stiffness;
        check_relative(twist, expected, cases[k].tolerance, "T L/G J");
        mesh_free(&m);
    }
}

// Cook's membrane --------------------------------------------------------------------------------

// Corners (0, 0), (48, 44), (48, 60), (0, 44); plane stress, E = 1, ν = 1/3, a shear of 1 on the
// right side. Vertical displacement of its middle: 23.96 (Cook, Malkus, Plesha & Witt).
static kai_vec3 cook(double x, double y, double z)
{
    return kai_vec3_make(48.0 * x, 44.0 * x + y * (44.0 - 28.0 * x), z - 0.5);
}

static kai_vec3 shear(kai_vec3 place) { return kai_vec3_make(0, 1e-4, 0); }

static double cook_deflection(const kai_element_kind* kind, int n, bool enhanced)
{
    const kai_solid_elastic_params soft = {{1.0, 0.0, 0.0}, 1.0, 1.0 / 3.0};
    volume_mesh m;
    mesh_make(&m, kind, KAI_ELEMENT_AUTOMATIC, enhanced, &kai_solid_elastic, &soft, n, n, 1, cook,
              NO_GRAVITY);
    mesh_fix(&m, 0, 0, 3);
    mesh_fix(&m, 2, 0, 4);
    mesh_pull(&m, 0, m.size[0] - 1, shear);
    mesh_check(&m, kai_world_statics(m.world));
    const double v = mesh_moved(&m, m.size[0] - 1, m.size[1] / 2, 0).y * 1e4;
    mesh_free(&m);
    return v;
}

static void test_cook(void** state)
{
    check_relative(cook_deflection(&kai_element_hex8, 16, true), 23.96, 0.01, "Cook");
    check_relative(cook_deflection(&kai_element_hex20, 8, true), 23.96, 0.01, "Cook");
    check_relative(cook_deflection(&kai_element_tet10, 8, true), 23.96, 0.01, "Cook");
}

// Hardly any change of volume --------------------------------------------------------------------

// A thick cylinder under inner pressure in plane strain: radii 3 and 9, E = 1000, p = 1 (MacNeal &
// Harder, Finite Elements in Analysis and Design 1, 1985). A quarter, five rings of their radii.
static kai_vec3 cylinder(double x, double y, double z)
{
    static const double RADII[6] = {3.0, 3.5, 4.2, 5.2, 6.75, 9.0};
    const double at = 5.0 * x;
    const int i = at >= 5.0 ? 4 : (int)at;
    const double r = RADII[i] + (at - i) * (RADII[i + 1] - RADII[i]);
    const double angle = 0.5 * acos(-1.0) * y;
    return kai_vec3_make(r * cos(angle), r * sin(angle), z);
}

#define SEGMENTS 9

// The force of p on the inner face whose nodes lie on an arc: consistent with straight or quadratic
// edges to the order of the elements.
static kai_vec3 burst(kai_vec3 place)
{
    const double size = 3.0 * 0.5 * acos(-1.0) * 1e-4;
    return kai_vec3_scale(kai_vec3_make(place.x, place.y, 0.0), size / 3.0);
}

static double cylinder_growth(const kai_element_kind* kind, bool enhanced, double poisson,
                              double* exact)
{
    const kai_solid_elastic_params solid = {{1.0, 0.0, 0.0}, 1000.0, poisson};
    volume_mesh m;
    mesh_make(&m, kind, KAI_ELEMENT_AUTOMATIC, enhanced, &kai_solid_elastic, &solid, 5, SEGMENTS, 1,
              cylinder, NO_GRAVITY);
    mesh_fix(&m, 1, 0, 2);
    mesh_fix(&m, 1, m.size[1] - 1, 1);
    mesh_fix(&m, 2, 0, 4);
    mesh_fix(&m, 2, m.size[2] - 1, 4);
    mesh_pull(&m, 0, 0, burst);
    mesh_check(&m, kai_world_statics(m.world));
    // Lamé in plane strain
    *exact =
        1e-4 * (1.0 + poisson) * 9.0 / (1000.0 * 72.0) * (81.0 / 3.0 + (1.0 - 2.0 * poisson) * 3.0);
    const double grown = mesh_moved(&m, 0, 0, 0).x;
    mesh_free(&m);
    return grown;
}

// At ν = 0.3 the straight edges of hex8 cost half a per cent. Its enhanced modes keep it within 1 %
// whatever ν; without them 0.053 is left at 0.4999. hex20 falls to 0.88 there when its change of
// volume is not projected, and has 0.9993 when it is; tet10 goes from 0.987 to 0.9986.
static void test_thick_cylinder(void** state)
{
    static const double RATIOS[] = {0.3, 0.49, 0.499, 0.4999};
    static const double PUBLISHED[] = {0.0, 5.0399e-3, 5.0602e-3, 5.0623e-3};
    for (size_t k = 0; k < KAI_COUNT(RATIOS); k++) {
        double exact;
        const double hex8 = cylinder_growth(&kai_element_hex8, true, RATIOS[k], &exact);
        const double tet10 = cylinder_growth(&kai_element_tet10, true, RATIOS[k], &exact);
        const double hex20 = cylinder_growth(&kai_element_hex20, true, RATIOS[k], &exact);
        if (k > 0) check_relative(exact * 1e4, PUBLISHED[k], 1e-4, "MacNeal & Harder, digits");
        check_relative(hex8, exact, 0.01, "MacNeal & Harder");
        check_relative(tet10, exact, 0.015, "MacNeal & Harder");
        check_relative(hex20, exact, 0.001, "MacNeal & Harder");
        mesh_mean_volume = true;
        check_relative(cylinder_growth(&kai_element_tet10, true, RATIOS[k], &exact), exact, 0.002,
                       "MacNeal & Harder");
        mesh_mean_volume = false;
    }
    double exact;
    assert_true(cylinder_growth(&kai_element_hex20, false, 0.4999, &exact) < 0.9 * exact);
    assert_true(cylinder_growth(&kai_element_hex8, false, 0.4999, &exact) < 0.1 * exact);
}

// Cook's membrane in plane strain at ν = 0.4999, E = 1.
static double cook_strain(const kai_element_kind* kind, int n, bool enhanced)
{
    const kai_solid_elastic_params soft = {{1.0, 0.0, 0.0}, 1.0, 0.4999};
    volume_mesh m;
    mesh_make(&m, kind, KAI_ELEMENT_AUTOMATIC, enhanced, &kai_solid_elastic, &soft, n, n, 1, cook,
              NO_GRAVITY);
    mesh_fix(&m, 0, 0, 3);
    mesh_fix(&m, 2, 0, 4);
    mesh_fix(&m, 2, m.size[2] - 1, 4);
    mesh_pull(&m, 0, m.size[0] - 1, shear);
    mesh_check(&m, kai_world_statics(m.world));
    const double v = mesh_moved(&m, m.size[0] - 1, m.size[1] / 2, 0).y * 1e4;
    mesh_free(&m);
    return v;
}

// Its limit is that of three kinds with three remedies: 18.49 (hex20 at 4, 8, 16: 17.76, 18.21,
// 18.38; tet10: 18.13, 18.46, 18.49). Without a remedy 16 cells have 5.8, 18.20 and 18.13.
static void test_cook_incompressible(void** state)
{
    check_relative(cook_strain(&kai_element_hex8, 16, true), 18.49, 0.02, "limit");
    check_relative(cook_strain(&kai_element_hex20, 8, true), 18.49, 0.02, "limit");
    mesh_mean_volume = true;
    check_relative(cook_strain(&kai_element_tet10, 8, true), 18.49, 0.005, "limit");
    mesh_mean_volume = false;
    assert_true(cook_strain(&kai_element_hex20, 4, false) < 0.88 * 18.49);
}

// Rubber -----------------------------------------------------------------------------------------

static const kai_solid_neo_hookean_params RUBBER = {{1000.0, 0.0, 0.0}, 1e6, 0.45};

static kai_vec3 cube(double x, double y, double z) { return kai_vec3_make(x, y, z); }

static double rubber_pull; // N on a face of 1 m²
static kai_vec3 stretch(kai_vec3 place) { return kai_vec3_make(rubber_pull, 0, 0); }

// A transverse stretch t asks for ln J = μ (1 - t²)/λ, an axial stretch l = J/t², and a pull
// μ (l - t²/l) on the undeformed face.
static void test_rubber_pull(void** state)
{
    static const kai_element_kind* const kinds[] = {&kai_element_tet4, &kai_element_tet10,
                                                    &kai_element_hex8, &kai_element_hex20};
    const double mu = 1e6 / 2.9, lambda = 2.0 * mu * 0.45 / 0.1;
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        for (double t = 0.75; t < 1.15; t += 0.35) {
            volume_mesh m;
            const double l = exp(mu * (1.0 - t * t) / lambda) / (t * t);
            mesh_make(&m, kinds[k], KAI_ELEMENT_AUTOMATIC, true, &kai_solid_neo_hookean, &RUBBER, 2,
                      2, 2, cube, NO_GRAVITY);
            for (int axis = 0; axis < 3; axis++) mesh_fix(&m, axis, 0, 1 << axis);
            rubber_pull = mu * (l - t * t / l);
            mesh_pull(&m, 0, 4, stretch);
            mesh_check(&m, kai_world_statics(m.world));
            const kai_vec3 u = mesh_moved(&m, 4, 4, 4);
            check_vec3(u, kai_vec3_make(l - 1.0, t - 1.0, t - 1.0), 1e-8, "closed form");
            mesh_free(&m);
        }
    }
}

// x += g y: Cauchy stress μ g in shear, μ g² along x, nothing else, as the volume stays.
static void test_rubber_shear(void** state)
{
    const double g = 0.6, mu = 1e6 / 2.9, at[3] = {0.2, 0.1, -0.3};
    volume_mesh m;
    kai_element_sample s;
    mesh_make(&m, &kai_element_hex8, KAI_ELEMENT_AUTOMATIC, true, &kai_solid_neo_hookean, &RUBBER,
              2, 2, 2, cube, NO_GRAVITY);
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side <= 4; side += 4) mesh_fix(&m, axis, side, KAI_NODE_FIX_POSITION);
    for (size_t p = 0; p < mesh_points(&m); p++) {
        if (KAI_IS_NULL(m.nodes[p])) continue;
        const kai_vec3 to = kai_vec3_add(m.places[p], kai_vec3_make(g * m.places[p].y, 0, 0));
        mesh_check(&m, kai_node_set_motion(m.world, m.nodes[p], &to, NULL));
    }
    mesh_check(&m, kai_world_statics(m.world));
    mesh_check(&m, kai_element_sample_at(m.world, m.elements[3], at, &s));
    const double expected[6] = {mu * g * g, 0, 0, 0, 0, mu * g};
    for (int k = 0; k < 6; k++) check_near(s.stress[k], expected[k], 1e-8 * mu, "closed form");
    mesh_free(&m);
}

// The elastica -----------------------------------------------------------------------------------

// A strip of 1 m × 20 mm × 20 mm, ν = 0, with P L²/E I = 2 and 10 at its tip (Mattiasson, IJNME 17,
// 1981): w/L = .49346 and .81061, u/L = .16064 and .55500.
#define STRIP 0.02

static kai_vec3 strip(double x, double y, double z)
{
    return kai_vec3_make(x, STRIP * (y - 0.5), STRIP * (z - 0.5));
}

static double strip_load;
static kai_vec3 lift(kai_vec3 place) { return kai_vec3_make(0, 0, strip_load); }

static void check_elastica(const kai_element_kind* kind, int32_t formulation, int n,
                           double tolerance)
{
    static const double CASES[2][3] = {{2.0, 0.49346, 0.16064}, {10.0, 0.81061, 0.55500}};
    const kai_solid_elastic_params solid = {{1000.0, 0.0, 0.0}, 1e9, 0.0};
    const double bending = 1e9 * pow(STRIP, 4) / 12.0;
    volume_mesh m;
    mesh_make(&m, kind, formulation, true, &kai_solid_elastic, &solid, n, 1, 1, strip, NO_GRAVITY);
    mesh_fix(&m, 0, 0, KAI_NODE_FIX_POSITION);
    for (int k = 0; k < 2; k++) {
        strip_load = CASES[k][0] * bending;
        mesh_pull(&m, 0, m.size[0] - 1, lift);
        mesh_check(&m, kai_world_statics(m.world));
        const kai_vec3 low = mesh_moved(&m, m.size[0] - 1, 0, 0);
        const kai_vec3 high = mesh_moved(&m, m.size[0] - 1, 0, 2);
        check_near(0.5 * (low.z + high.z), CASES[k][1], tolerance, "Mattiasson");
        check_near(-0.5 * (low.x + high.x), CASES[k][2], tolerance, "Mattiasson");
    }
    mesh_free(&m);
}

static void test_elastica(void** state)
{
    check_elastica(&kai_element_hex8, KAI_ELEMENT_COROTATIONAL, 40, 0.01);
    check_elastica(&kai_element_hex8, KAI_ELEMENT_TOTAL, 40, 0.01);
    check_elastica(&kai_element_hex20, KAI_ELEMENT_COROTATIONAL, 20, 0.01);
    check_elastica(&kai_element_tet10, KAI_ELEMENT_COROTATIONAL, 20, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cook_incompressible),
        cmocka_unit_test(test_pull),
        cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_self_weight),
        cmocka_unit_test(test_torsion),
        cmocka_unit_test(test_cook),
        cmocka_unit_test(test_thick_cylinder),
        cmocka_unit_test(test_rubber_pull),
        cmocka_unit_test(test_rubber_shear),
        cmocka_unit_test(test_elastica),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
