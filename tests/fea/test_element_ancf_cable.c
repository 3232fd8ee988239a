// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// ANCF cables against closed forms. What every element must show is in test_elements.c.
#include "fea/element_list.h"
#include "fea/newton.h"
#include "fea/rig.h"

static char INSTANCE[512]; // of a cable

static const void* params(const rig_param* values)
{
    kai_kind_defaults(&kai_element_ancf_cable.kind, INSTANCE);
    for (; values->name; values++) rig_set(&kai_element_ancf_cable.kind, INSTANCE, values);
    return INSTANCE;
}

// A straight cable along x, clamped at its first node.
static void cantilever(newton* n, size_t elements, double length, const rig_param* values,
                       const kai_solid_elastic_params* solid)
{
    const kai_solid_view view = {&kai_solid_elastic, solid};
    newton_init(n, &kai_element_ancf_cable, elements + 1, elements);
    for (size_t i = 0; i <= elements; i++)
        newton_node(n, i, (const double[]){length * (double)i / (double)elements, 0, 0, 1, 0, 0});
    for (size_t i = 0; i < elements; i++)
        newton_element(n, i, (const uint32_t[]){(uint32_t)i, (uint32_t)i + 1}, params(values),
                       &view);
    newton_fix(n, 0, 0, 6);
}

// Mattiasson, "Numerical results from large deflection beam and frame problems analysed by means of
// elliptic integrals", IJNME 17 (1981). The line is stretched by P/EA ≤ 1e-5, the last digit of the
// table is 5e-6. Eight elements: within 0.6 %, as cubics that cannot stretch cannot bend freely.
static void check_elastica(size_t elements, double tolerance)
{
    static const double CASES[][3] = {{1, 0.05643, 0.30172},
                                      {2, 0.16064, 0.49346},
                                      {5, 0.38763, 0.71379},
                                      {10, 0.55500, 0.81061}}; // P L²/EI, u/L, w/L
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1.0};
    for (size_t i = 0; i < KAI_COUNT(CASES); i++) {
        newton n;
        cantilever(&n, elements, 1.0,
                   (const rig_param[]){{"area", {1e6}}, {"moment", {1.0}}, {NULL, {0}}}, &solid);
        const double* tip = n.q + elements * 6;
        n.load[elements * 6 + 2] = CASES[i][0];
        newton_solve(&n, 10, 1e-9);
        check_near(1.0 - tip[0], CASES[i][1], tolerance, "Mattiasson's u/L");
        check_near(tip[2], CASES[i][2], tolerance, "Mattiasson's w/L");
        newton_free(&n);
    }
}

static void test_elastica(void** state)
{
    check_elastica(8, 0.003);
    check_elastica(40, 2e-5);
}

// Cubics are exact at the nodes for a small load: PL/EA and PL³/3EI.
static void test_small_loads(void** state)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 2e11, .poisson = 0.3};
    const double radius = 0.01, area = 3.14159265358979323846 * radius * radius;
    const double moment = 0.25 * area * radius * radius, length = 1.2, load = 1e-3;
    newton n;
    cantilever(&n, 3, length, (const rig_param[]){{"radius", {radius}}, {NULL, {0}}}, &solid);
    double* tip = n.q + 3 * 6;
    n.load[3 * 6 + 1] = load;
    newton_solve(&n, 1, 1e-15);
    const double down = load * length * length * length / (3.0 * solid.young * moment);
    check_relative(tip[1], down, 1e-9, "PL³/3EI");
    memcpy(n.q, n.reference, n.nodes * n.numbers * sizeof *n.q);
    n.load[3 * 6 + 1] = 0.0;
    n.fixed[3] = false; // a clamp that lets the cable stretch there
    n.load[3 * 6] = 1000.0;
    newton_solve(&n, 1, 1e-15);
    const double strain = 1000.0 / (solid.young * area);
    check_relative(tip[0] - length, length * strain, 2.0 * strain, "PL/EA to first order");
    newton_free(&n);
}

// Mass acts as it should: a cable held at both ends and loaded by M g hangs as an elastic catenary,
// x = H s/EA + H/w asinh(w s/H), z = w s²/2EA + (√(H² + w² s²) - H)/w from its lowest point.
static void test_catenary(void** state)
{
    enum { ELEMENTS = 40 };
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e4};
    newton n;
    cantilever(&n, ELEMENTS, 1.2,
               (const rig_param[]){{"area", {1.0}}, {"moment", {1e-8}}, {NULL, {0}}}, &solid);
    n.fixed[3] = n.fixed[4] = n.fixed[5] = false;
    for (size_t e = 0; e < ELEMENTS; e++) {
        double m[16];
        const kai_element_batch b = newton_batch(&n, e, NULL, NULL);
        kai_element_ancf_cable.mass(&b, 0, m);
        for (size_t r = 0; r < 4; r++)
            for (size_t k = 0; k < 2; k++)
                n.load[6 * (e + r / 2) + 3 * (r % 2) + 2] -= 9.81 * m[4 * r + 2 * k];
    }
    for (size_t i = 0; i <= ELEMENTS; i++) { // starts as an arc of the same length
        const double radius = 0.46, a = 1.2 / radius * ((double)i / ELEMENTS - 0.5);
        double* q = n.q + 6 * i;
        q[0] = radius * sin(a), q[2] = -radius * cos(a);
        q[3] = cos(a), q[5] = sin(a);
        newton_fix(&n, i, 1, 1);
        newton_fix(&n, i, 4, 1);
    }
    newton_fix(&n, ELEMENTS, 0, 3);
    n.q[0] = n.q[2] = n.q[6 * ELEMENTS + 2] = 0.0;
    n.q[6 * ELEMENTS] = 1.0;
    assert_true(newton_equilibrium(&n, 1.0, 1e-10, 200));
    const double w = 9.81, half = 0.6;
    double low = 0.1, high = 100.0; // of H
    for (int k = 0; k < 100; k++) {
        const double h = 0.5 * (low + high);
        const double x = h * half / solid.young + h / w * asinh(w * half / h);
        if (x < 0.5)
            low = h;
        else
            high = h;
    }
    const double sag = 0.5 * w * half * half / solid.young + (hypot(low, w * half) - low) / w;
    // Elements of 0.03 m against a radius of 0.3 m: a cubic is off by some (1/10)⁴; the strain of
    // Green is off by strain², 1e-6.
    check_near(n.q[6 * (ELEMENTS / 2) + 2], -sag, 1e-5, "elastic catenary");
    newton_free(&n);
}

static void refuse(const rig_param* values, const double* q, const char* message)
{
    static rig r;
    kai_error err = {0};
    rig_lay(&r, &kai_element_ancf_cable, values, NULL, rig_elastic(), q);
    check_error(rig_prepare(&r, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, message);
}

static void test_refusals(void** state)
{
    static const double STRAIGHT[12] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    static const double LONG[12] = {0, 0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0};
    static const double BACK[12] = {0, 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0};
    static const rig_param NOTHING[] = {{NULL, {0}}},
                           BOTH[] = {{"radius", {1}}, {"area", {1}}, {NULL, {0}}},
                           MOMENT[] = {{"radius", {1}}, {"moment", {1}}, {NULL, {0}}},
                           ROUND[] = {{"radius", {0.01}}, {NULL, {0}}};
    refuse(NOTHING, STRAIGHT,
           "its cross section is given by nothing; must be by either radius or area");
    refuse(BOTH, STRAIGHT,
           "its cross section is given by radius and area; must be by either radius or area");
    refuse(MOMENT, STRAIGHT, "moment is 1 m⁴ beside radius; must go with area");
    refuse(ROUND, LONG, "the slope of its node 0 has length 2; must be 1");
    refuse(
        ROUND, BACK,
        "the slope of its node 1 is [-1, 0, 0]; must point along the cable, from its first node to its second");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastica),
        cmocka_unit_test(test_small_loads),
        cmocka_unit_test(test_catenary),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
