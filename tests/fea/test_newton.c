// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The solver of the element tests, on a case with a closed form: two bars that meet under a load.
#include "fea/element_list.h"
#include "fea/newton.h"

// The instance of a bar as element_bar.c lays it out.
typedef struct bar {
    kai_node nodes[2];
    kai_solid solid;
    double area;
} bar;

// Height z of the top under a load P: P = -2 (EA / L³) (l² - L²)/2 z with l² = 1 + z².
static void two_bars(void** state)
{
    const kai_solid_elastic_params steel = {.base.density = 1.0, .young = 1e6, .poisson = 0.0};
    const kai_solid_view solid = {&kai_solid_elastic, &steel};
    const double height = 0.5, length2 = 1.0 + height * height, area = 0.01, z = 0.4;
    const double stiff = steel.young * area / (length2 * sqrt(length2));
    const double load = -stiff * (z * z - height * height) * z;
    newton n;
    newton_init(&n, &kai_element_bar, 3, 2);
    newton_node(&n, 0, (const double[]){-1.0, 0.0, 0.0});
    newton_node(&n, 1, (const double[]){0.0, 0.0, height});
    newton_node(&n, 2, (const double[]){1.0, 0.0, 0.0});
    const bar params = {.area = area};
    newton_element(&n, 0, (const uint32_t[]){0, 1}, &params, &solid);
    newton_element(&n, 1, (const uint32_t[]){1, 2}, &params, &solid);
    newton_fix(&n, 0, 0, 3);
    newton_fix(&n, 1, 1, 1);
    newton_fix(&n, 2, 0, 3);
    n.load[5] = -load;
    newton_solve(&n, 4, 1e-12);
    check_near(n.q[5], z, 1e-12, "equilibrium of the top, in closed form");
    check_near(n.q[3], 0.0, 1e-12, "symmetry");
    newton_free(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_bars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
