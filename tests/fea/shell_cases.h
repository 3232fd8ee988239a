// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shells of any kind against published cases, each at the mesh that the test of the kind names.
// KAIROS_VALIDATE=1 also runs others.
#ifndef TESTS_FEA_SHELL_CASES_H
#define TESTS_FEA_SHELL_CASES_H

#include "fea/shell_mesh.h"

static const double PI = 3.14159265358979323846;

// A strip that is clamped at x = 0 and loaded at its other end -----------------------------------

HELPER void clamp_end(shell_mesh* m)
{
    for (size_t j = 0; j <= m->across; j++) newton_fix(&m->n, shell_node(m, 0, j), 0, m->n.rows);
}

// Sze, Liu, Lo 2004: L 10, b 1, h 0.1, E 1.2e6, ν 0, end force up to 4.
HELPER void cantilever(const kai_element_kind* kind, size_t along, double tolerance)
{
    static const double DEFLECTION[10] = {1.309, 2.493, 3.488, 4.292, 4.933,
                                          5.444, 5.855, 6.190, 6.467, 6.698};
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1.2e6};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    const double side[2] = {10.0, 1.0};
    void* instance = shell_instance(kind, 0.1);
    shell_mesh m;
    shell_mesh_init(&m, kind, along, 1, shell_rectangle, side, instance, solids);
    clamp_end(&m);
    for (size_t j = 0; j <= 1; j++) m.n.load[shell_node(&m, along, j) * m.n.rows + 2] = 2.0;
    for (int k = 1; k <= 10; k++) {
        assert_true(newton_advance(&m.n, 0.1 * k - 0.1, 0.1 * k, 1e-9, 6));
        const double w = shell_moved(&m, along, 0).z;
        print_message("cantilever %s %zu x 1: %.1f Pmax, W = %.4f, published %.3f (%+.2f %%)\n",
                      kind->kind.name, along, 0.1 * k, w, DEFLECTION[k - 1],
                      100.0 * (w / DEFLECTION[k - 1] - 1.0));
        check_relative(w, DEFLECTION[k - 1], tolerance, "Sze, Liu, Lo 2004, cantilever");
    }
    print_message("    %d Newton iterations\n", m.n.iterations);
    newton_free(&m.n);
    free(instance);
}

// Its deflection at the full load.
HELPER double cantilever_end(const kai_element_kind* kind, size_t along)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1.2e6};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    const double side[2] = {10.0, 1.0};
    void* instance = shell_instance(kind, 0.1);
    shell_mesh m;
    shell_mesh_init(&m, kind, along, 1, shell_rectangle, side, instance, solids);
    clamp_end(&m);
    for (size_t j = 0; j <= 1; j++) m.n.load[shell_node(&m, along, j) * m.n.rows + 2] = 2.0;
    newton_solve(&m.n, 10, 1e-9);
    const double w = shell_moved(&m, along, 0).z;
    newton_free(&m.n);
    free(instance);
    return w;
}

// A moment about -y on a vector d that turns with the material: force M × d / d². Nodes that are
// frames take the moment as it is.
HELPER void end_moment(newton* n, double factor, double* f)
{
    const shell_mesh* m = n->context;
    for (size_t j = 0; j <= m->across; j++) {
        const size_t row = shell_node(m, m->along, j) * n->rows;
        const double moment =
            -factor * 50.0 * PI / 3.0 * (j == 0 || j == m->across ? 0.5 : 1.0) / (double)m->across;
        if (n->kind->slopes < 0) {
            f[row + 4] += moment;
            continue;
        }
        const double* d = n->q + row + 3;
        const double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double turned[3] = {moment * d[2] / d2, 0.0, -moment * d[0] / d2};
        for (size_t i = 0; i < 3; i++) {
            f[row + 3 + i] += turned[i];
            for (size_t k = 0; k < 3; k++)
                *newton_entry(n, row + 3 + i, row + 3 + k) += 2.0 * turned[i] * d[k] / d2;
        }
        *newton_entry(n, row + 3, row + 5) -= moment / d2;
        *newton_entry(n, row + 5, row + 3) += moment / d2;
    }
}

// L 12, b 1, h 0.1, E 1.2e6, ν 0 under an end moment up to 50π/3, which closes a circle:
// u = 12 (1 - sin 2πt / 2πt), w = 12 (1 - cos 2πt) / 2πt.
HELPER void roll_up(const kai_element_kind* kind, size_t along, int steps, double tolerance)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1.2e6};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    const double side[2] = {12.0, 1.0};
    void* instance = shell_instance(kind, 0.1);
    shell_mesh m;
    shell_mesh_init(&m, kind, along, 1, shell_rectangle, side, instance, solids);
    clamp_end(&m);
    m.n.follow = end_moment;
    m.n.context = &m;
    for (int k = 1; k <= steps; k++) {
        assert_true(newton_advance(&m.n, (k - 1.0) / steps, (double)k / steps, 1e-9, 6));
        if (k * 4 % steps != 0) continue;
        const double turn = 2.0 * PI * k / steps;
        const double u = 12.0 * (1.0 - sin(turn) / turn), w = 12.0 * (1.0 - cos(turn)) / turn;
        const kai_vec3 at = shell_moved(&m, along, 0);
        print_message("roll-up %s %zu x 1: t = %.2f, u = %.4f (%.4f), w = %.4f (%.4f)\n",
                      kind->kind.name, along, (double)k / steps, -at.x, u, at.z, w);
        // w ends at zero: errors are measured against the length.
        check_near(-at.x, u, 12.0 * tolerance, "circle, closed form");
        check_near(at.z, w, 12.0 * tolerance, "circle, closed form");
    }
    print_message("    %d Newton iterations\n", m.n.iterations);
    newton_free(&m.n);
    free(instance);
}

// An annular plate that is slit ------------------------------------------------------------------

HELPER shell_point annulus(double u, double v, const void* context)
{
    const double angle = 2.0 * PI * u, radius = 10.0 - 4.0 * v;
    const kai_vec3 out = kai_vec3_make(cos(angle), sin(angle), 0.0);
    shell_point p = {kai_vec3_scale(out, radius), kai_vec3_make(-out.y, out.x, 0.0),
                     kai_vec3_scale(out, -1.0), kai_vec3_axis(2)};
    return p;
}

// Sze, Liu, Lo 2004: radii 6 and 10, h 0.03, E 21e6, ν 0; one side of the slit is clamped, the
// other lifted by 0.8 a length. Point A is its inner end.
HELPER void slit(const kai_element_kind* kind, size_t along, size_t across, int steps,
                 double tolerance)
{
    static const double AT[6] = {0.1, 0.2, 0.4, 0.6, 0.8, 1.0};
    static const double LIFT[6] = {4.277, 6.725, 9.529, 11.257, 12.642, 13.891};
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 21e6};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    void* instance = shell_instance(kind, 0.03);
    shell_mesh m;
    shell_mesh_init(&m, kind, along, across, annulus, NULL, instance, solids);
    clamp_end(&m);
    const double piece = 0.8 * 4.0 / (double)across;
    for (size_t j = 0; j <= across; j++)
        m.n.load[shell_node(&m, along, j) * m.n.rows + 2] =
            piece * (j == 0 || j == across ? 0.5 : 1.0);
    int next = 0;
    for (int k = 1; k <= steps; k++) {
        const double factor = (double)k / steps;
        assert_true(newton_advance(&m.n, (k - 1.0) / steps, factor, 1e-8, 10));
        if (fabs(factor - AT[next]) > 1e-9) continue;
        const double w = shell_moved(&m, along, across).z;
        print_message("slit annulus %s %zu x %zu: %.1f q, A = %.4f, published %.3f (%+.2f %%)\n",
                      kind->kind.name, across, along, factor, w, LIFT[next],
                      100.0 * (w / LIFT[next] - 1.0));
        check_relative(w, LIFT[next], tolerance, "Sze, Liu, Lo 2004, slit annular plate");
        next++;
    }
    print_message("    %d Newton iterations\n", m.n.iterations);
    newton_free(&m.n);
    free(instance);
}

// Linear shells of revolution --------------------------------------------------------------------

HELPER void linear(shell_mesh* m)
{
    newton_equilibrium(&m->n, 1.0, 0.0, 1); // one iteration from rest
}

// u round the shell, v along its axis x. The context: radius, first and last angle, length.
HELPER shell_point barrel(double u, double v, const void* context)
{
    const double* c = context;
    const double angle = c[1] + u * (c[2] - c[1]);
    const kai_vec3 out = kai_vec3_make(0.0, sin(angle), cos(angle));
    shell_point p = {kai_vec3_make(v * c[3], c[0] * out.y, c[0] * out.z),
                     kai_vec3_make(0.0, out.z, -out.y), kai_vec3_axis(0), kai_vec3_scale(out, 1.0)};
    p.normal = kai_vec3_cross(p.x, p.y);
    return p;
}

// Scordelis-Lo roof: R 25, L 50, 2 × 40°, t 0.25, E 4.32e8, ν 0, weight 90 an area, diaphragms at
// its ends. A quarter: v from the diaphragm to the middle, u from the crown to the free side.
HELPER double roof(const kai_element_kind* kind, size_t each)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 4.32e8};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    const double shape[4] = {25.0, 0.0, 40.0 * PI / 180.0, 25.0};
    void* instance = shell_instance(kind, 0.25);
    shell_mesh m;
    shell_mesh_init(&m, kind, each, each, barrel, shape, instance, solids);
    for (size_t i = 0; i <= each; i++) {
        shell_fix(&m, i, 0, false, true, true);
        shell_mirror(&m, i, each, 0);
        shell_mirror(&m, 0, i, 1);
        for (size_t j = 0; j <= each; j++) {
            const double share =
                (i == 0 || i == each ? 0.5 : 1.0) * (j == 0 || j == each ? 0.5 : 1.0);
            m.n.load[shell_node(&m, i, j) * m.n.rows + 2] =
                -90.0 * share * 25.0 * shape[2] * 25.0 / (double)(each * each);
        }
    }
    linear(&m);
    const double w = -shell_moved(&m, each, each).z;
    newton_free(&m.n);
    free(instance);
    return w;
}

// Pinched cylinder: R 300, L 600, t 3, E 3e6, ν 0.3, diaphragms, two forces of 1. An eighth.
HELPER double pinched(const kai_element_kind* kind, size_t each)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 3e6, .poisson = 0.3};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    const double shape[4] = {300.0, 0.0, 0.5 * PI, 300.0};
    void* instance = shell_instance(kind, 3.0);
    shell_mesh m;
    shell_mesh_init(&m, kind, each, each, barrel, shape, instance, solids);
    for (size_t i = 0; i <= each; i++) {
        shell_fix(&m, i, 0, false, true, true);
        shell_mirror(&m, i, each, 0);
        shell_mirror(&m, 0, i, 1);
        shell_mirror(&m, each, i, 2);
    }
    m.n.load[shell_node(&m, 0, each) * m.n.rows + 2] = -0.25;
    linear(&m);
    const double w = -shell_moved(&m, 0, each).z;
    newton_free(&m.n);
    free(instance);
    return w;
}

// Warped and doubly curved shells ----------------------------------------------------------------

// Hemisphere with a hole of 18° at its pole: R 10, t 0.04, E 6.825e7, ν 0.3, forces of 1 in and out
// at the rim. A quarter, loads halved by the mirrors; 0.093 where they act (Simo, Fox, Rifai
// 1989).
HELPER shell_point ball(double u, double v, const void* context)
{
    const double at = 0.5 * PI * u, up = v * 72.0 * PI / 180.0;
    shell_point p;
    p.normal = kai_vec3_make(cos(up) * cos(at), cos(up) * sin(at), sin(up));
    p.x = kai_vec3_make(-sin(at), cos(at), 0.0);
    p.y = kai_vec3_cross(p.normal, p.x);
    p.r = kai_vec3_scale(p.normal, 10.0);
    return p;
}

HELPER double hemisphere(const kai_element_kind* kind, size_t each)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 6.825e7, .poisson = 0.3};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    void* instance = shell_instance(kind, 0.04);
    shell_mesh m;
    shell_mesh_init(&m, kind, each, each, ball, NULL, instance, solids);
    for (size_t i = 0; i <= each; i++) {
        shell_mirror(&m, 0, i, 1);
        shell_mirror(&m, each, i, 0);
    }
    shell_fix(&m, 0, 0, false, false, true); // nothing else holds it up
    m.n.load[shell_node(&m, 0, 0) * m.n.rows] = 1.0;
    m.n.load[shell_node(&m, each, 0) * m.n.rows + 1] = -1.0;
    linear(&m);
    const double w = shell_moved(&m, 0, 0).x;
    newton_free(&m.n);
    free(instance);
    return w;
}

// Beam twisted by 90°: length 12, width 1.1, t 0.32, E 29e6, ν 0.22, end force of 1 along the width
// (0.005424) or across it (0.001754), MacNeal and Harder 1985. n across, 6 n along.
HELPER shell_point twist(double u, double v, const void* context)
{
    const double angle = 0.5 * PI * u, y = 1.1 * (v - 0.5), rate = 0.5 * PI / 12.0;
    const kai_vec3 across = kai_vec3_make(0.0, cos(angle), sin(angle));
    const kai_vec3 turned = kai_vec3_make(0.0, -sin(angle), cos(angle));
    shell_point p;
    p.r = kai_vec3_add(kai_vec3_make(12.0 * u, 0.0, 0.0), kai_vec3_scale(across, y));
    p.x = kai_vec3_normalize(kai_vec3_add(kai_vec3_axis(0), kai_vec3_scale(turned, rate * y)));
    p.y = across;
    p.normal = kai_vec3_cross(p.x, p.y);
    return p;
}

HELPER double twisted(const kai_element_kind* kind, size_t each, size_t axis)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 29e6, .poisson = 0.22};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    void* instance = shell_instance(kind, 0.32);
    shell_mesh m;
    const size_t along = 6 * each;
    shell_mesh_init(&m, kind, along, each, twist, NULL, instance, solids);
    clamp_end(&m);
    for (size_t j = 0; j <= each; j++)
        m.n.load[shell_node(&m, along, j) * m.n.rows + axis] =
            (j == 0 || j == each ? 0.5 : 1.0) / (double)each;
    linear(&m);
    const kai_vec3 w = shell_moved(&m, along, each / 2);
    newton_free(&m.n);
    free(instance);
    return axis == 1 ? w.y : w.z;
}

// The end stands upright: along its width is z.
HELPER double twisted_along(const kai_element_kind* kind, size_t each)
{
    return twisted(kind, each, 2);
}
HELPER double twisted_across(const kai_element_kind* kind, size_t each)
{
    return twisted(kind, each, 1);
}

// Laminated plate --------------------------------------------------------------------------------

// 500 × 500 mm of four layers of 0.25 mm, E (177, 10.8, 10.8) GPa, ν 0, G (7.6, 7.6, 8.504) GPa,
// ρ 7800, clamped at x = 0, under its weight of g = 9.81. Deflection of a corner, mm.
HELPER double laminate(const kai_element_kind* kind, size_t each, const double angles[4])
{
    const kai_solid_orthotropic_params solid = {
        .base.density = 7800.0, .young = {177e9, 10.8e9, 10.8e9}, .shear = {7.6e9, 8.504e9, 7.6e9}};
    kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{0}};
    kai_element_layer items[4];
    for (int k = 0; k < 4; k++) {
        items[k] = (kai_element_layer){.thickness = 0.25e-3, .angle = angles[k]};
        solids[1 + k] = (kai_solid_view){&kai_solid_orthotropic, &solid};
    }
    const kai_list list = {items, 4};
    const double side[2] = {0.5, 0.5};
    void* instance = shell_instance(kind, 0.0);
    shell_set(kind, instance, "layers", &list);
    shell_mesh m;
    shell_mesh_init(&m, kind, each, each, shell_rectangle, side, instance, solids);
    clamp_end(&m);
    for (size_t i = 0; i <= each; i++)
        for (size_t j = 0; j <= each; j++) {
            const double share =
                (i == 0 || i == each ? 0.5 : 1.0) * (j == 0 || j == each ? 0.5 : 1.0);
            m.n.load[shell_node(&m, i, j) * m.n.rows + 2] =
                -9.81 * 7800.0 * 1e-3 * share * 0.25 / (double)(each * each);
        }
    newton_solve(&m.n, 1, 1e-9);
    const double w = 1e3 * shell_moved(&m, each, 0).z;
    newton_free(&m.n);
    free(instance);
    return w;
}

// What is checked at which mesh ------------------------------------------------------------------

HELPER bool validating(void) { return getenv("KAIROS_VALIDATE") != NULL; }

// Errors at a mesh of n × n, and at others on request.
HELPER void check_mesh(const char* what, const kai_element_kind* kind,
                       double (*run)(const kai_element_kind*, size_t), size_t n, double expected,
                       double tolerance, const char* source)
{
    for (size_t k = 4; validating() && k <= 32; k *= 2) {
        const double w = run(kind, k);
        print_message("%s %s %zu x %zu: %.6g (%+.2f %%)\n", what, kind->kind.name, k, k, w,
                      100.0 * (w / expected - 1.0));
    }
    const double w = run(kind, n);
    print_message("%s %s %zu x %zu: %.6g (%+.2f %%)\n", what, kind->kind.name, n, n, w,
                  100.0 * (w / expected - 1.0));
    check_relative(w, expected, tolerance, source);
}

HELPER double straight(const kai_element_kind* kind, size_t n)
{
    return laminate(kind, n, (const double[]){0.0, 0.0, 0.0, 0.0});
}

HELPER double crossed(const kai_element_kind* kind, size_t n)
{
    return laminate(kind, n, (const double[]){0.0, 0.5 * PI, 0.5 * PI, 0.0});
}

// Elements along each side of the linear cases.
HELPER void check_linear(const kai_element_kind* kind, size_t of_roof, size_t of_cylinder,
                         size_t of_hemisphere, size_t of_laminate, double tolerance)
{
    check_mesh("cantilever at Pmax", kind, cantilever_end, of_roof, 6.698, 0.02,
               "Sze, Liu, Lo 2004");
    check_mesh("roof", kind, roof, of_roof, 0.3024, tolerance, "Scordelis-Lo roof");
    check_mesh("pinched cylinder", kind, pinched, of_cylinder, 1.8248e-5, tolerance,
               "pinched cylinder");
    check_mesh("hemisphere", kind, hemisphere, of_hemisphere, 0.093, tolerance,
               "hemisphere with a hole, 0.093 (Simo, Fox, Rifai 1989)");
    check_mesh("twisted beam, along", kind, twisted_along, 4, 0.005424, tolerance,
               "MacNeal and Harder 1985");
    check_mesh("twisted beam, across", kind, twisted_across, 4, 0.001754, tolerance,
               "MacNeal and Harder 1985");
    check_mesh("laminate 0 0 0 0", kind, straight, of_laminate, -40.3, tolerance,
               "corner under its weight, mm");
    check_mesh("laminate 0 90 90 0", kind, crossed, of_laminate, -45.6, tolerance,
               "corner under its weight, mm");
}

#endif
