// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tetrahedra and hexahedra in a world: patch tests, order of convergence, and that paths of
// different speed agree.
#include "rig.h"
#include "volume_mesh.h"

static const kai_element_kind* const KINDS[] = {&kai_element_tet4, &kai_element_tet10,
                                                &kai_element_hex8, &kai_element_hex20};

static const kai_solid_elastic_params STEEL = {{7800.0, 0.0, 0.0}, 2e11, 0.3};
static const kai_solid_neo_hookean_params RUBBER = {{1000.0, 0.0, 0.0}, 1e6, 0.4};

// Patch tests ------------------------------------------------------------------------------------

// A cube whose inner points are out of place; middles of edges stay between corners.
static kai_vec3 crooked_corner(double x, double y, double z)
{
    const double inside = x * (1.0 - x) * y * (1.0 - y) * z * (1.0 - z) * 64.0;
    return kai_vec3_make(x + 0.11 * inside, y - 0.08 * inside, z + 0.13 * inside);
}

static kai_vec3 crooked(double x, double y, double z)
{
    // Two cells along each axis: a point between corners is their mean.
    kai_vec3 sum = kai_vec3_zero();
    for (int c = 0; c < 8; c++) {
        const double s[3] = {x, y, z};
        double corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = (c >> k & 1) ? ceil(2.0 * s[k]) / 2.0 : floor(2.0 * s[k]) / 2.0;
        sum = kai_vec3_add(sum, crooked_corner(corner[0], corner[1], corner[2]));
    }
    return kai_vec3_scale(sum, 0.125);
}

static const kai_mat33 F = {{{1.04, 0.02, -0.03}, {0.01, 0.95, 0.02}, {-0.02, 0.03, 1.03}}};

// Boundary nodes go where a linear field puts them; statics must bring the others there too, and
// the stress must be the same everywhere.
static void check_patch(const kai_element_kind* kind, int32_t formulation, bool enhanced,
                        const kai_solid_kind* solid_kind, const void* solid, double modulus)
{
    volume_mesh m;
    mesh_make(&m, kind, formulation, enhanced, solid_kind, solid, 2, 2, 2, crooked,
              kai_vec3_zero());
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side <= 4; side += 4) mesh_fix(&m, axis, side, KAI_NODE_FIX_POSITION);
    for (size_t p = 0; p < mesh_points(&m); p++) {
        kai_node_def def;
        if (KAI_IS_NULL(m.nodes[p])) continue;
        mesh_check(&m, kai_node_get(m.world, m.nodes[p], &def));
        const kai_vec3 to = kai_mat33_mul_vec(F, m.places[p]);
        if (def.fixed) mesh_check(&m, kai_node_set_motion(m.world, m.nodes[p], &to, NULL));
    }
    mesh_check(&m, kai_world_statics(m.world));
    for (size_t p = 0; p < mesh_points(&m); p++) {
        kai_node_def def;
        if (KAI_IS_NULL(m.nodes[p])) continue;
        mesh_check(&m, kai_node_get(m.world, m.nodes[p], &def));
        check_vec3(def.position, kai_mat33_mul_vec(F, m.places[p]), 1e-9, "patch test");
    }
    kai_element_sample first = {0}, s;
    for (size_t e = 0; e < m.count; e++) {
        const double at[3] = {0.3, -0.2, 0.1};
        mesh_check(&m, kai_element_sample_at(m.world, m.elements[e], at, e ? &s : &first));
        for (int k = 0; e && k < 6; k++)
            check_near(s.stress[k], first.stress[k], 1e-8 * modulus, "patch test");
    }
    mesh_free(&m);
}

static void test_patches(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        check_patch(KINDS[k], KAI_ELEMENT_COROTATIONAL, true, &kai_solid_elastic, &STEEL, 2e11);
        check_patch(KINDS[k], KAI_ELEMENT_TOTAL, true, &kai_solid_elastic, &STEEL, 2e11);
        check_patch(KINDS[k], KAI_ELEMENT_AUTOMATIC, true, &kai_solid_neo_hookean, &RUBBER, 1e6);
    }
    check_patch(&kai_element_hex8, KAI_ELEMENT_COROTATIONAL, false, &kai_solid_elastic, &STEEL,
                2e11);
}

// Convergence ------------------------------------------------------------------------------------

#define AMOUNT 1e-6 // so small that strains are linear to six digits

static kai_vec3 cube(double x, double y, double z) { return kai_vec3_make(x, y, z); }

// u = ∇φ with φ harmonic solves Navier's equation for every ν: φ = Re (x + iy)⁴ + Re (y + iz)⁴.
static kai_vec3 harmonic(kai_vec3 p)
{
    const double x = p.x, y = p.y, z = p.z;
    return kai_vec3_scale(kai_vec3_make(4 * x * x * x - 12 * x * y * y,
                                        8 * y * y * y - 12 * x * x * y - 12 * y * z * z,
                                        4 * z * z * z - 12 * y * y * z),
                          AMOUNT);
}

static void harmonic_strain(kai_vec3 p, double e[6])
{
    const double x = p.x, y = p.y, z = p.z;
    const double all[6] = {12 * x * x - 12 * y * y,
                           24 * y * y - 12 * x * x - 12 * z * z,
                           12 * z * z - 12 * y * y,
                           -48 * y * z,
                           0.0,
                           -48 * x * y};
    for (int k = 0; k < 6; k++) e[k] = AMOUNT * all[k];
}

// Mean square error of the strain over all elements, at some points of each.
static double strain_error(const kai_element_kind* kind, int n)
{
    volume_mesh m;
    double sum = 0.0;
    mesh_make(&m, kind, KAI_ELEMENT_AUTOMATIC, true, &kai_solid_elastic, &STEEL, n, n, n, cube,
              kai_vec3_zero());
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side <= 2 * n; side += 2 * n)
            mesh_fix(&m, axis, side, KAI_NODE_FIX_POSITION);
    for (size_t p = 0; p < mesh_points(&m); p++) {
        if (KAI_IS_NULL(m.nodes[p])) continue;
        const kai_vec3 to = kai_vec3_add(m.places[p], harmonic(m.places[p]));
        mesh_check(&m, kai_node_set_motion(m.world, m.nodes[p], &to, NULL));
    }
    mesh_check(&m, kai_world_statics(m.world));
    static const double AT[5][3] = {
        {0, 0, 0}, {0.6, 0.5, -0.5}, {-0.5, 0.6, 0.4}, {0.4, -0.6, 0.5}, {-0.5, -0.5, -0.6}};
    for (size_t e = 0; e < m.count; e++) {
        for (int k = 0; k < 5; k++) {
            kai_element_sample s;
            double exact[6];
            mesh_check(&m, kai_element_sample_at(m.world, m.elements[e], AT[k], &s));
            harmonic_strain(s.position, exact);
            for (int c = 0; c < 6; c++) sum += (s.strain[c] - exact[c]) * (s.strain[c] - exact[c]);
        }
    }
    const double count = 5.0 * (double)m.count;
    mesh_free(&m);
    return sqrt(sum / count) / AMOUNT;
}

// Strains of linear elements have order 1, of quadratic ones order 2; these meshes measure 0.996 to
// 1.004 and 1.999 to 2.000.
static void test_order(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        const bool quadratic = KINDS[k]->nodes >= 10;
        const int n = quadratic ? 2 : 4;
        const double order = log2(strain_error(KINDS[k], n) / strain_error(KINDS[k], 2 * n));
        check_near(order, quadratic ? 2.0 : 1.0, 0.02, "order of the strain");
    }
}

// Lanes ------------------------------------------------------------------------------------------

// The tetrahedron of lanes against the one of any linear solid, with the same moduli given as
// orthotropic ones: undamped, as their damping differs (rates of Green-Lagrange strain there).
static void test_lanes_agree_with_plain(void** state)
{
    static rig a, b;
    const double g = 1e7 / 2.6;
    const kai_solid_elastic_params one = {{1000.0, 0.0, 0.0}, 1e7, 0.3};
    const kai_solid_orthotropic_params same = {
        {1000.0, 0.0, 0.0}, {1e7, 1e7, 1e7}, {0.3, 0.3, 0.3}, {g, g, g}};
    const double q[12] = {0.1, 0, 0, 0.6, 0.1, 0, 0.1, 0.5, 0.1, 0.2, 0.1, 0.6};
    rig_make(&a, &kai_element_tet4, NULL, NULL, (kai_solid_view){&kai_solid_elastic, &one}, q);
    rig_make(&b, &kai_element_tet4, NULL, NULL, (kai_solid_view){&kai_solid_orthotropic, &same}, q);
    for (uint64_t seed = 1; seed < 20; seed++) {
        rig_deform(&a, seed, 0.1, false);
        memcpy(b.q, a.q, sizeof a.q);
        rig_force(&a, true);
        rig_force(&b, true);
        const double most = rig_most(a.force, 12), top = rig_most(a.tangent, 144);
        for (int k = 0; k < 12; k++) check_near(a.force[k], b.force[k], 1e-12 * most, "plain");
        for (int k = 0; k < 144; k++)
            check_near(a.tangent[k], b.tangent[k], 1e-11 * top, "plain, sums in another order");
        check_relative(rig_energy(&a), rig_energy(&b), 1e-11, "plain");
    }
}

// Turned inside out: NaN, not a force that looks right.
static void test_inside_out(void** state)
{
    static rig r;
    const double q[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    rig_make(&r, &kai_element_tet4, NULL, NULL, rig_elastic(), q);
    r.q[11] = -1.0;
    rig_force(&r, true);
    assert_true(isnan(r.force[0]) && isnan(r.tangent[0]) && isnan(rig_energy(&r)));
}

// Messages ---------------------------------------------------------------------------------------

static void test_messages(void** state)
{
    static rig r;
    kai_error err = {0};
    const double q[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, 0};
    rig_lay(&r, &kai_element_tet4, NULL, NULL, rig_elastic(), q);
    check_error(rig_prepare(&r, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message,
                        "its Jacobian is 0 m³ at (0.250, 0.250, 0.250); must be > 0 (nodes in "
                        "another order, or an element that is flat or inside out)");
    r.q0[11] = 1.0;
    *(int32_t*)(void*)(r.instance + offsetof(kai_element_tet4_params, formulation)) =
        KAI_ELEMENT_COROTATIONAL;
    r.solids[0] = (kai_solid_view){&kai_solid_neo_hookean, &RUBBER};
    check_error(rig_prepare(&r, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "its formulation is corotational and its solid neo-hookean; "
                                     "must be linear, or the formulation total");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patches),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_lanes_agree_with_plain),
        cmocka_unit_test(test_inside_out),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
