// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Corotational beams against closed forms and published cases. What every element must show is in
// test_elements.c.
#include "fea/element_list.h"
#include "fea/newton.h"
#include "fea/rig.h"

#define PI 3.14159265358979323846

static char INSTANCE[1024]; // of a beam

static const void* params(const rig_param* values)
{
    kai_kind_defaults(&kai_element_euler_beam.kind, INSTANCE);
    for (; values->name; values++) rig_set(&kai_element_euler_beam.kind, INSTANCE, values);
    return INSTANCE;
}

static const kai_element_kind* const KIND = &kai_element_euler_beam;

// A beam along a curve, clamped at its first node. Nodes have the axes of the world.
static void cantilever(newton* n, size_t elements, kai_vec3 (*curve)(double s),
                       const rig_param* values, const kai_solid_elastic_params* solid)
{
    const kai_solid_view view = {&kai_solid_elastic, solid};
    newton_init(n, KIND, elements + 1, elements);
    for (size_t i = 0; i <= elements; i++) {
        const kai_vec3 r = curve((double)i / (double)elements);
        newton_node(n, i, (const double[]){r.x, r.y, r.z, 1, 0, 0, 0});
    }
    for (size_t i = 0; i < elements; i++)
        newton_element(n, i, (const uint32_t[]){(uint32_t)i, (uint32_t)i + 1}, params(values),
                       &view);
    newton_fix(n, 0, 0, 6);
}

static kai_vec3 line(double s) { return kai_vec3_make(s, 0.0, 0.0); }
static const rig_param THIN[] = {
    {"area", {1e6}}, {"iyy", {1}}, {"izz", {1}}, {"torsion", {2}}, {NULL, {0}}};
static const kai_solid_elastic_params ONE = {.base.density = 1.0, .young = 1.0};

// Mattiasson, "Numerical results from large deflection beam and frame problems analysed by means of
// elliptic integrals", IJNME 17 (1981). The line is stretched by P/EA ≤ 1e-5, the last digit of the
// table is 5e-6. Two elements are within 0.7 %.
static void check_elastica(size_t elements, double tolerance)
{
    static const double CASES[][3] = {{1, 0.05643, 0.30172},
                                      {2, 0.16064, 0.49346},
                                      {5, 0.38763, 0.71379},
                                      {10, 0.55500, 0.81061}}; // P L²/EI, u/L, w/L
    for (size_t i = 0; i < KAI_COUNT(CASES); i++) {
        newton n;
        cantilever(&n, elements, line, THIN, &ONE);
        const double* tip = n.q + elements * 7;
        n.load[elements * 6 + 2] = CASES[i][0];
        newton_solve(&n, 10, 1e-9);
        check_near(1.0 - tip[0], CASES[i][1], tolerance, "Mattiasson's u/L");
        check_near(tip[2], CASES[i][2], tolerance, "Mattiasson's w/L");
        newton_free(&n);
    }
}

static void test_elastica(void** state)
{
    check_elastica(2, 0.0052);
    check_elastica(20, 2e-5);
}

static kai_vec3 princeton(double s) { return kai_vec3_make(0.508 * s, 0.0, 0.0); }

// Dowell, Traybar, "An experimental study of the nonlinear stiffness of a rotor blade undergoing
// flap, lag and twist deformations", NASA CR-137968 (1975); numbers of geometrically exact beams.
// Those bend by shear as well: y of the stiff side is short of it by 0.05 %.
static void test_princeton(void** state)
{
    static const double Y[4] = {10.714, 10.112, 6.605, 0.0}, Z[4] = {0.0, 79.39, 129.89, 146.25};
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 71.7e9, .poisson = 0.31};
    const rig_param values[] = {{"width", {12.3777e-3}}, {"height", {3.2024e-3}}, {NULL, {0}}};
    for (size_t i = 0; i < 4; i++) {
        newton n;
        cantilever(&n, 10, princeton, values, &solid);
        const double *tip = n.q + 70, angle = PI / 6.0 * (double)i;
        n.load[61] = 8.896 * cos(angle);
        n.load[62] = 8.896 * sin(angle);
        newton_solve(&n, 10, 1e-9);
        check_near(1e3 * tip[1], Y[i], 0.005 * Y[i] + 1e-9, "Princeton beam, y in mm");
        check_near(1e3 * tip[2], Z[i], 0.001 * Z[i] + 1e-9, "Princeton beam, z in mm");
        newton_free(&n);
    }
}

static kai_vec3 bend(double s)
{
    return kai_vec3_make(100.0 * sin(PI / 4.0 * s), 100.0 * (cos(PI / 4.0 * s) - 1.0), 0.0);
}

// Bathe, Bolourchi, "Large displacement analysis of three-dimensional beam structures", IJNME 14
// (1979): a bend of 45° in the plane, loaded across it.
static void test_curved_cantilever(void** state)
{
    enum { ELEMENTS = 16 };
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e7};
    const rig_param values[] = {
        {"width", {1}}, {"height", {1}}, {"y_axis", {0, 0, 1}}, {NULL, {0}}};
    newton n;
    cantilever(&n, ELEMENTS, bend, values, &solid);
    n.load[6 * ELEMENTS + 2] = 600.0;
    newton_solve(&n, 20, 1e-9);
    const double *tip = n.q + 7 * ELEMENTS, *was = n.reference + 7 * ELEMENTS;
    check_relative(tip[0] - was[0], -23.821, 0.0015, "published tip displacement");
    check_relative(tip[1] - was[1], 13.732, 0.0015, "published tip displacement");
    check_relative(tip[2] - was[2], 53.610, 0.0015, "published tip displacement");
    newton_free(&n);
}

// M = 2π EI/L bends a beam to a full circle; nodes lie on it, and each element carries the same
// curvature and no force.
static void test_roll_up(void** state)
{
    enum { ELEMENTS = 6 };
    newton n;
    cantilever(&n, ELEMENTS, line, THIN, &ONE);
    n.load[6 * ELEMENTS + 5] = 2.0 * PI;
    newton_solve(&n, 8, 1e-12);
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const double a = 2.0 * PI * (double)i / ELEMENTS, *q = n.q + 7 * i;
        const kai_quat turn = kai_quat_from_axis_angle(kai_vec3_axis(2), a);
        check_rotation(kai_quat_make(q[3], q[4], q[5], q[6]), turn, 1e-9, "turns evenly");
        // The chord is that of the bent line to θ⁴, θ = ½ · 60°: ε of the element is not exact.
        const double off = hypot(q[0] - sin(a) / (2.0 * PI), q[1] - (1.0 - cos(a)) / (2.0 * PI));
        check_near(off, 0.0, 1.2e-3, "lies on the circle");
    }
    const kai_vec3 end = kai_vec3_make(n.q[7 * ELEMENTS], n.q[7 * ELEMENTS + 1], 0.0);
    check_near(kai_vec3_norm(end), 0.0, 1e-9, "the circle is closed");
    newton_free(&n);
}

// Exact for small loads, whatever the mesh: PL/EA, PL³/3EI, TL/GJ.
static void test_small_loads(void** state)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 2e11, .poisson = 0.3};
    const rig_param tube[] = {{"radius", {0.02}}, {"inner_radius", {0.015}}, {NULL, {0}}};
    const double area = PI * (4e-4 - 2.25e-4), moment = PI / 4.0 * (1.6e-7 - 5.0625e-8);
    newton n;
    cantilever(&n, 3, line, tube, &solid);
    n.load[18] = 1000.0;
    newton_solve(&n, 1, 1e-15);
    check_relative(n.q[21] - 1.0, 1000.0 / (solid.young * area), 1e-9, "PL/EA");
    n.load[18] = 0.0;
    n.load[19] = 0.01;
    newton_solve(&n, 2, 1e-15);
    check_relative(n.q[22], 0.01 / (3.0 * solid.young * moment), 1e-9, "PL³/3EI");
    n.load[19] = 0.0;
    n.load[21] = 100.0;
    newton_solve(&n, 2, 1e-15);
    const kai_vec3 turn =
        kai_quat_to_rotation_vector((kai_quat){n.q[24], n.q[25], n.q[26], n.q[27]});
    const double shear = solid.young / 2.6;
    check_relative(turn.x, 100.0 / (shear * 2.0 * moment), 1e-9, "TL/GJ");
    newton_free(&n);
}

// Geometric stiffness: a column under P bends as F/(P k) (tan kL - kL), k² = P/EI, up to Euler's
// load π²/4. One cubic is off by (kL)⁶ terms of tan: with four elements by 1e-5.
static void test_column(void** state)
{
    for (int i = 1; i <= 9; i++) {
        const double load = 0.1 * i * PI * PI / 4.0, side = 1e-7, k = sqrt(load);
        newton n;
        cantilever(&n, 4, line, THIN, &ONE);
        n.load[24] = -load;
        n.load[25] = side;
        newton_solve(&n, 1, 1e-14);
        check_relative(n.q[29], side / (load * k) * (tan(k) - k), 3e-4, "column under an end load");
        newton_free(&n);
    }
}

static void refuse(const rig_param* values, const double* q, const char* message)
{
    static rig r;
    kai_error err = {0};
    rig_lay(&r, KIND, values, NULL, rig_elastic(), q);
    check_error(rig_prepare(&r, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, message);
}

static void test_refusals(void** state)
{
    static const double GOOD[14] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    static const double UP[14] = {0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0};
    static const double SHORT[14] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    static const rig_param NOTHING[] = {{NULL, {0}}}, HALF[] = {{"width", {1}}, {NULL, {0}}},
                           TWO[] = {{"radius", {1}}, {"area", {1}}, {NULL, {0}}},
                           TUBE[] = {{"radius", {1}}, {"inner_radius", {2}}, {NULL, {0}}},
                           FLAT[] = {{"width", {1}}, {"height", {2}}, {NULL, {0}}};
    refuse(NOTHING, GOOD,
           "its section is given in 0 ways; must be given by radius, by width and height, or by "
           "area, iyy, izz and torsion");
    refuse(TWO, GOOD,
           "its section is given in 2 ways; must be given by radius, by width and height, or by "
           "area, iyy, izz and torsion");
    refuse(HALF, GOOD,
           "its section is not whole; must have radius, or width and height, or area, iyy, izz and "
           "torsion, and nothing else");
    refuse(TUBE, GOOD, "inner_radius is 2 m; must be < radius, 1 m");
    refuse(FLAT, SHORT, "its length is 0 m; must be > 0");
    refuse(
        FLAT, UP,
        "the y axis of its section is [0, 1, 0], that of the first body (y_axis); must not point "
        "along the beam");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastica),          cmocka_unit_test(test_princeton),
        cmocka_unit_test(test_curved_cantilever), cmocka_unit_test(test_roll_up),
        cmocka_unit_test(test_small_loads),       cmocka_unit_test(test_column),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
