// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mass properties and bounds of every kind of shape: closed forms, integrals over an inside test
// that knows nothing of them, and points on the surface.
#include "geometry/shape_list.h"
#include "helper.h"

#include <kairos/shape.h>

static const double PI = 3.14159265358979323846;

// An independent description of each kind: whether a point is inside, and the farthest point in a
// direction.
typedef union any_params {
    kai_shape_sphere_params sphere;
    kai_shape_ellipsoid_params ellipsoid;
    kai_shape_box_params box;
    kai_shape_round_params round;
} any_params;

typedef struct twin {
    const kai_shape_kind* kind;
    any_params params;
    bool (*inside)(const any_params* p, kai_vec3 x);
    kai_vec3 (*support)(const any_params* p, kai_vec3 d); // farthest point in direction d
    kai_vec3 reach;                                       // half-size of a box around it
} twin;

static bool in_sphere(const any_params* p, kai_vec3 x)
{
    return kai_vec3_norm2(x) <= p->sphere.radius * p->sphere.radius;
}

static kai_vec3 far_sphere(const any_params* p, kai_vec3 d)
{
    return kai_vec3_scale(kai_vec3_normalize(d), p->sphere.radius);
}

static bool in_ellipsoid(const any_params* p, kai_vec3 x)
{
    const kai_vec3 a = p->ellipsoid.semi_axes;
    return kai_vec3_norm2(kai_vec3_make(x.x / a.x, x.y / a.y, x.z / a.z)) <= 1.0;
}

static kai_vec3 far_ellipsoid(const any_params* p, kai_vec3 d)
{
    const kai_vec3 a = p->ellipsoid.semi_axes;
    const kai_vec3 u = kai_vec3_normalize(kai_vec3_make(a.x * d.x, a.y * d.y, a.z * d.z));
    return kai_vec3_make(a.x * u.x, a.y * u.y, a.z * u.z);
}

static bool in_box(const any_params* p, kai_vec3 x)
{
    const kai_vec3 s = p->box.size;
    return fabs(x.x) <= 0.5 * s.x && fabs(x.y) <= 0.5 * s.y && fabs(x.z) <= 0.5 * s.z;
}

static kai_vec3 far_box(const any_params* p, kai_vec3 d)
{
    const kai_vec3 s = kai_vec3_scale(p->box.size, 0.5);
    return kai_vec3_make(copysign(s.x, d.x), copysign(s.y, d.y), copysign(s.z, d.z));
}

static bool in_cylinder(const any_params* p, kai_vec3 x)
{
    return fabs(x.z) <= 0.5 * p->round.length && hypot(x.x, x.y) <= p->round.radius;
}

// The point of the rim at height z that is farthest in direction d.
static kai_vec3 on_rim(double radius, double z, kai_vec3 d)
{
    const double n = hypot(d.x, d.y);
    return n > 0.0 ? kai_vec3_make(radius * d.x / n, radius * d.y / n, z)
                   : kai_vec3_make(0.0, 0.0, z);
}

static kai_vec3 far_cylinder(const any_params* p, kai_vec3 d)
{
    return on_rim(p->round.radius, copysign(0.5 * p->round.length, d.z), d);
}

static bool in_capsule(const any_params* p, kai_vec3 x)
{
    const double over = fmax(0.0, fabs(x.z) - 0.5 * p->round.length);
    return kai_vec3_norm(kai_vec3_make(x.x, x.y, over)) <= p->round.radius;
}

static kai_vec3 far_capsule(const any_params* p, kai_vec3 d)
{
    const kai_vec3 end = kai_vec3_make(0.0, 0.0, copysign(0.5 * p->round.length, d.z));
    return kai_vec3_mul_add(end, kai_vec3_normalize(d), p->round.radius);
}

static bool in_cone(const any_params* p, kai_vec3 x)
{
    const double from_tip = 0.5 * p->round.length - x.z;
    return from_tip >= 0.0 && from_tip <= p->round.length &&
           hypot(x.x, x.y) <= p->round.radius * from_tip / p->round.length;
}

static kai_vec3 far_cone(const any_params* p, kai_vec3 d)
{
    const kai_vec3 tip = kai_vec3_make(0.0, 0.0, 0.5 * p->round.length);
    const kai_vec3 rim = on_rim(p->round.radius, -0.5 * p->round.length, d);
    return kai_vec3_dot(tip, d) > kai_vec3_dot(rim, d) ? tip : rim;
}

static const twin TWINS[] = {
    {&kai_shape_sphere, {.sphere = {0.7}}, in_sphere, far_sphere, {0.7, 0.7, 0.7}},
    {&kai_shape_ellipsoid,
     {.ellipsoid = {{0.5, 1.0, 0.3}}},
     in_ellipsoid,
     far_ellipsoid,
     {0.5, 1.0, 0.3}},
    {&kai_shape_box, {.box = {{1.0, 0.4, 2.0}}}, in_box, far_box, {0.5, 0.2, 1.0}},
    {&kai_shape_cylinder, {.round = {0.5, 1.4}}, in_cylinder, far_cylinder, {0.5, 0.5, 0.7}},
    {&kai_shape_capsule, {.round = {0.4, 1.2}}, in_capsule, far_capsule, {0.4, 0.4, 1.0}},
    {&kai_shape_cone, {.round = {0.6, 1.5}}, in_cone, far_cone, {0.6, 0.6, 0.75}},
};

// Every kind of the list is covered here, or has neither mass nor bounds, or is made of many
// numbers (test_shape_data.c).
static void test_every_kind_has_a_twin(void** state)
{
#define KIND(name) &kai_shape_##name,
    static const kai_shape_kind* const kinds[] = {KAI_SHAPE_KINDS(KIND)};
#undef KIND
    for (size_t i = 0; i < KAI_COUNT(kinds); i++) {
        bool found = (!kinds[i]->mass && !kinds[i]->bounds) || kinds[i]->prepare;
        for (size_t k = 0; k < KAI_COUNT(TWINS); k++) found = found || TWINS[k].kind == kinds[i];
        if (!found) fail_msg("%s has no twin in this test", kinds[i]->kind.name);
    }
}

static kai_mass_properties mass_of(const kai_shape_kind* kind, const void* params)
{
    kai_mass_properties m;
    memset(&m, 0xff, sizeof m);
    kind->mass(params, &m);
    return m;
}

static void check_mass(kai_mass_properties m, double mass, double com_z, kai_vec3 moments)
{
    check_relative(m.mass, mass, 1e-14, "closed form");
    check_vec3(m.com, kai_vec3_make(0.0, 0.0, com_z), 1e-15, "closed form");
    check_mat33(m.inertia, kai_mat33_diagonal(moments), 1e-13 * kai_vec3_max_abs(moments),
                "closed form");
}

static void test_closed_forms(void** state)
{
    const kai_shape_sphere_params ball = {2.0};
    check_mass(mass_of(&kai_shape_sphere, &ball), 32.0 * PI / 3.0, 0.0,
               kai_vec3_make(256.0 * PI / 15.0, 256.0 * PI / 15.0, 256.0 * PI / 15.0));
    const kai_shape_ellipsoid_params egg = {{1.0, 2.0, 3.0}};
    check_mass(mass_of(&kai_shape_ellipsoid, &egg), 8.0 * PI, 0.0,
               kai_vec3_make(8.0 * PI * 13.0 / 5.0, 8.0 * PI * 10.0 / 5.0, 8.0 * PI * 5.0 / 5.0));
    const kai_shape_box_params brick = {{1.0, 2.0, 3.0}};
    check_mass(mass_of(&kai_shape_box, &brick), 6.0, 0.0, kai_vec3_make(6.5, 5.0, 2.5));
    const kai_shape_round_params r = {2.0, 3.0};
    check_mass(mass_of(&kai_shape_cylinder, &r), 12.0 * PI, 0.0,
               kai_vec3_make(21.0 * PI, 21.0 * PI, 24.0 * PI));
    check_mass(mass_of(&kai_shape_cone, &r), 4.0 * PI, -0.75,
               kai_vec3_make(4.0 * PI * 3.0 / 80.0 * 25.0, 4.0 * PI * 3.0 / 80.0 * 25.0, 4.8 * PI));
}

// A capsule put together from its cylinder and two half balls by the rules of parallel axes.
static void test_capsule_from_parts(void** state)
{
    const double r = 0.7, l = 1.9, half_mass = 2.0 / 3.0 * PI * r * r * r,
                 across = 83.0 / 320.0 * half_mass * r * r;
    const kai_shape_round_params p = {r, l};
    kai_mass_properties sum = mass_of(&kai_shape_cylinder, &p);
    for (int side = -1; side <= 1; side += 2) {
        const kai_mass_properties cap = {
            half_mass, kai_vec3_make(0.0, 0.0, side * (0.5 * l + 0.375 * r)),
            kai_mat33_diagonal(kai_vec3_make(across, across, 0.4 * half_mass * r * r))};
        sum = kai_inertia_combine(&sum, &cap);
    }
    check_mass(mass_of(&kai_shape_capsule, &p), sum.mass, 0.0,
               kai_vec3_make(sum.inertia.m[0][0], sum.inertia.m[1][1], sum.inertia.m[2][2]));
}

// Midpoints of a fine grid over the box around the shape. Cells cut by the surface err by half
// their share at random: with 160³ cells about 1e-4 of the whole.
static void test_integrals(void** state)
{
    enum { N = 160 };
    for (size_t k = 0; k < KAI_COUNT(TWINS); k++) {
        const twin* t = &TWINS[k];
        double m = 0.0;
        kai_vec3 first = kai_vec3_zero();
        kai_mat33 second = kai_mat33_zero();
        for (int i = 0; i < N * N * N; i++) {
            const double u[3] = {(i % N + 0.5) / N, (i / N % N + 0.5) / N, (i / N / N + 0.5) / N};
            const kai_vec3 x =
                kai_vec3_make((2.0 * u[0] - 1.0) * t->reach.x, (2.0 * u[1] - 1.0) * t->reach.y,
                              (2.0 * u[2] - 1.0) * t->reach.z);
            if (!t->inside(&t->params, x)) continue;
            const double c[3] = {x.x, x.y, x.z};
            m += 1.0;
            first = kai_vec3_add(first, x);
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    second.m[a][b] += (a == b ? kai_vec3_norm2(x) : 0.0) - c[a] * c[b];
        }
        const double cell = 8.0 * t->reach.x * t->reach.y * t->reach.z / ((double)N * N * N);
        const kai_mat33 about_origin = kai_mat33_scale(second, cell);
        const kai_mass_properties sum = kai_inertia_unshift(
            m * cell, kai_vec3_scale(first, 1.0 / m), &about_origin, kai_vec3_zero());
        const kai_mass_properties exact = mass_of(t->kind, &t->params);
        check_relative(sum.mass, exact.mass, 5e-4, t->kind->kind.name);
        check_vec3(sum.com, exact.com, 5e-4, t->kind->kind.name);
        check_mat33(sum.inertia, exact.inertia, 1e-3 * kai_mat33_max_abs(exact.inertia),
                    t->kind->kind.name);
    }
}

// Bounds -----------------------------------------------------------------------------------------

static void bounds_of(const twin* t, const kai_mat33* rotation, double low[3], double high[3])
{
    kai_vec3 c, h;
    t->kind->bounds(&t->params, rotation, &c, &h);
    const double centre[3] = {c.x, c.y, c.z}, half[3] = {h.x, h.y, h.z};
    for (int i = 0; i < 3; i++) low[i] = centre[i] - half[i], high[i] = centre[i] + half[i];
}

// The farthest point along each axis of the turned shape touches the box.
static void check_tight(const twin* t, const kai_mat33* rotation)
{
    double low[3], high[3];
    bounds_of(t, rotation, low, high);
    for (int i = 0; i < 3; i++) {
        const kai_vec3 axis =
            kai_vec3_make(rotation->m[i][0], rotation->m[i][1], rotation->m[i][2]);
        const double most = kai_vec3_dot(axis, t->support(&t->params, axis));
        const double least = kai_vec3_dot(axis, t->support(&t->params, kai_vec3_neg(axis)));
        check_near(high[i], most, 1e-12, t->kind->kind.name);
        check_near(low[i], least, 1e-12, t->kind->kind.name);
    }
}

static void test_bounds_are_tight(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(TWINS); k++) {
        const kai_mat33 straight = kai_mat33_identity();
        check_tight(&TWINS[k], &straight);
        for (uint64_t i = 0; i < 1000; i++) {
            const kai_mat33 r = kai_quat_to_mat33(helper_random_rotation(i));
            check_tight(&TWINS[k], &r);
        }
        for (int axis = 0; axis < 3; axis++) { // quarter turns put axes exactly on axes
            const kai_quat q = kai_quat_from_axis_angle(kai_vec3_axis(axis), 0.5 * PI);
            const kai_mat33 r = kai_quat_to_mat33(q);
            check_tight(&TWINS[k], &r);
        }
    }
}

// Points inside the shape never leave the box.
static void test_bounds_hold_every_point(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(TWINS); k++) {
        const twin* t = &TWINS[k];
        for (uint64_t i = 0; i < 20; i++) {
            const kai_mat33 r = kai_quat_to_mat33(helper_random_rotation(i));
            double low[3], high[3];
            bounds_of(t, &r, low, high);
            for (uint64_t j = 0; j < 2000; j++) {
                const kai_vec3 u = helper_random_vec3(j);
                const kai_vec3 x =
                    kai_vec3_make(u.x * t->reach.x, u.y * t->reach.y, u.z * t->reach.z);
                if (!t->inside(&t->params, x)) continue;
                const kai_vec3 y = kai_mat33_mul_vec(r, x);
                const double c[3] = {y.x, y.y, y.z};
                for (int a = 0; a < 3; a++)
                    assert_true(c[a] >= low[a] - 1e-12 && c[a] <= high[a] + 1e-12);
            }
        }
    }
}

static void test_plane(void** state)
{
    assert_null(kai_shape_plane.mass);
    assert_null(kai_shape_plane.bounds);
    kai_shape_plane_params p;
    kai_error err = {0};
    kai_kind_defaults(&kai_shape_plane.kind, &p);
    check_vec3(p.normal, kai_vec3_axis(2), 0.0, "up");
    check_ok(kai_kind_check(&kai_shape_plane.kind, &p, &err));
    p.normal = kai_vec3_zero();
    check_error(kai_kind_check(&kai_shape_plane.kind, &p, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "plane: normal is [0, 0, 0]; must have a length > 0");
    p.normal = kai_vec3_make(0.0, 1e-200, 0.0);
    check_ok(kai_kind_check(&kai_shape_plane.kind, &p, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_has_a_twin),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_capsule_from_parts),
        cmocka_unit_test(test_integrals),
        cmocka_unit_test(test_bounds_are_tight),
        cmocka_unit_test(test_bounds_hold_every_point),
        cmocka_unit_test(test_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
