// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pressure on faces: over a closed surface it is -p times the slope of the volume inside.
#include "helper.h"

#include <kairos/element_kinds.h>
#include <kairos/world.h>

// A cube with crooked corners, faces counter-clockwise from outside.
static const uint32_t FACES[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static void corners(double q[24])
{
    for (int i = 0; i < 8; i++) {
        const kai_vec3 r = helper_random_vec3((uint64_t)i);
        q[3 * i] = ((i % 4 + 1) / 2 % 2) + 0.2 * r.x;
        q[3 * i + 1] = (i % 4 / 2) + 0.2 * r.y;
        q[3 * i + 2] = (i / 4) + 0.2 * r.z;
    }
}

typedef struct layout {
    const kai_element_kind* kind;
    size_t corners, each, rows;
} layout;

// Forces [8][3] and tangents [24][24] of a pressure of 3 Pa on all faces.
static void press(const layout* l, const double* q, double* force, double* tangent)
{
    memset(force, 0, 24 * sizeof *force);
    memset(tangent, 0, 576 * sizeof *tangent);
    const size_t parts = l->corners == 4 ? 1 : 2, rows = l->rows * l->corners;
    for (size_t i = 0; i < 6 * parts; i++) {
        const uint32_t* f = FACES[i / parts];
        const uint32_t all[2][4] = {{f[0], f[1], f[2], f[3]}, {f[0], f[2], f[3], 0}};
        const uint32_t* c = all[i % parts];
        double x[36] = {0.0}, v[36] = {0.0}, out[36], t[1296];
        for (size_t a = 0; a < l->corners; a++)
            memcpy(x + a * l->each, q + (size_t)(3 * c[a]), 3 * sizeof *x);
        const kai_element_pressure_params p = {.pressure = kai_value_constant(3.0)};
        const kai_element_batch b = {.instances = &p,
                                     .count = 1,
                                     .q = x,
                                     .v = v,
                                     .position = 1.0,
                                     .force = out,
                                     .tangent = t};
        l->kind->force(&b);
        for (size_t r = 0; r < rows; r++) {
            if (r % l->rows >= 3) {
                check_near(out[r], 0.0, 0.0, "slopes and turns have no part in it");
                continue;
            }
            force[3 * c[r / l->rows] + r % l->rows] += out[r];
            for (size_t k = 0; k < rows; k++)
                if (k % l->rows < 3)
                    tangent[24 * (3 * c[r / l->rows] + r % l->rows) + 3 * c[k / l->rows] +
                            k % l->rows] += t[r * rows + k];
        }
    }
}

static kai_vec3 at(const double* q, uint32_t i)
{
    return kai_vec3_make(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
}

// Bilinear faces: a sixth of the mean of both ways to cut them. Triangles: one way.
static double volume(const double* q, bool cut)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++) {
        const uint32_t* f = FACES[i];
        const kai_vec3 a = at(q, f[0]), b = at(q, f[1]), c = at(q, f[2]), d = at(q, f[3]);
        const double one =
            kai_vec3_dot(a, kai_vec3_cross(b, c)) + kai_vec3_dot(a, kai_vec3_cross(c, d));
        const double two =
            kai_vec3_dot(b, kai_vec3_cross(c, d)) + kai_vec3_dot(b, kai_vec3_cross(d, a));
        sum += cut ? one / 6.0 : (one + two) / 12.0;
    }
    return sum;
}

static void test_slope_of_volume(void** state)
{
    static const layout LAYOUTS[] = {{&kai_element_pressure_quadrangle_0, 4, 3, 3},
                                     {&kai_element_pressure_quadrangle_1, 4, 6, 6},
                                     {&kai_element_pressure_quadrangle_2, 4, 9, 9},
                                     {&kai_element_pressure_quadrangle_frames, 4, 7, 6},
                                     {&kai_element_pressure_triangle_0, 3, 3, 3},
                                     {&kai_element_pressure_triangle_1, 3, 6, 6},
                                     {&kai_element_pressure_triangle_2, 3, 9, 9},
                                     {&kai_element_pressure_triangle_frames, 3, 7, 6}};
    for (size_t n = 0; n < KAI_COUNT(LAYOUTS); n++) {
        const layout* l = &LAYOUTS[n];
        double q[24], f[24], t[576], f1[24], f2[24], none[576];
        corners(q);
        assert_int_equal(kai_element_coordinates(l->kind), l->each * l->corners);
        press(l, q, f, t);
        for (int k = 0; k < 24; k++) {
            // The volume is linear in each coordinate and forces are quadratic: differences are
            // exact but for rounding.
            const double was = q[k], h = 1e-3;
            q[k] = was + h;
            const double high = volume(q, l->corners == 3);
            press(l, q, f1, none);
            q[k] = was - h;
            const double low = volume(q, l->corners == 3);
            press(l, q, f2, none);
            q[k] = was;
            check_near(f[k], -3.0 * (high - low) / (2.0 * h), 1e-11, "-p dV/dq");
            for (int i = 0; i < 24; i++) {
                check_near(t[24 * i + k], -(f1[i] - f2[i]) / (2.0 * h), 1e-11, "-df/dq");
                check_near(t[24 * i + k], t[24 * k + i], 1e-15, "symmetric");
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slope_of_volume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
