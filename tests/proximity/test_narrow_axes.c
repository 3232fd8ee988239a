// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Many pairs at once: boxes in columns against every axis written out, groups against single pairs,
// and the corners of what two boxes share against a test of every candidate point.
#include "helper.h"

#include "proximity/narrow.h"
#include "proximity/narrow_axes.h"

#include <math.h>

enum { L = KAI_NARROW_AXES_LANES };

static kai_geometry make_box(uint64_t i)
{
    const kai_vec3 s = helper_random_vec3(i);
    return (kai_geometry){.type = KAI_CONVEX_BOX,
                          .size = {0.2 + fabs(s.x), 0.2 + fabs(s.y), 0.2 + fabs(s.z)}};
}

/// Width of the gap along n of two boxes: size, rotation and place of b in a's frame.
static double width(const kai_narrow_axes* x, int l, const kai_mat33* r, kai_vec3 n)
{
    const kai_vec3 t = kai_vec3_make(x->t[0][l], x->t[1][l], x->t[2][l]);
    const kai_vec3 nb = kai_mat33_transpose_mul_vec(*r, n);
    return fabs(kai_vec3_dot(n, t)) - x->a[0][l] * fabs(n.x) - x->a[1][l] * fabs(n.y) -
           x->a[2][l] * fabs(n.z) - x->b[0][l] * fabs(nb.x) - x->b[1][l] * fabs(nb.y) -
           x->b[2][l] * fabs(nb.z);
}

static void check_column(const kai_narrow_axes* x, int l, kai_quat qa, kai_quat qb, kai_vec3 d)
{
    const kai_mat33 r = kai_quat_to_mat33(kai_quat_mul(kai_quat_conj(qa), qb));
    const kai_vec3 t = kai_quat_unrotate(qa, d);
    double face = -HUGE_VAL, all;
    for (int i = 0; i < 3; i++) {
        check_near(x->t[i][l], kai_vec3_get(t, i), 4e-15, "some 20 roundings of numbers up to 2");
        for (int j = 0; j < 3; j++)
            check_near(x->r[3 * i + j][l], r.m[i][j], 4e-15,
                       "some 20 roundings of numbers up to 2");
        face = fmax(face, width(x, l, &r, kai_vec3_axis(i)));
        face = fmax(face, width(x, l, &r, kai_mat33_column(r, i)));
    }
    all = face;
    for (int k = 0; k < 9; k++) {
        const kai_vec3 n = kai_vec3_cross(kai_vec3_axis(k / 3), kai_mat33_column(r, k % 3));
        if (kai_vec3_norm2(n) > 1e-14) all = fmax(all, width(x, l, &r, kai_vec3_normalize(n)));
    }
    // Edges nearly parallel lose digits as one over their sine: 1e-15 / 1e-3 at these poses.
    check_near(x->face[l], face, 1e-14, "widest gap of six faces");
    check_near(x->gap[l], all, 1e-12, "widest gap of all axes");
    assert_true(x->axis[l] >= 6 || x->axis[l] == x->which[l]);
}

static void columns_against_every_axis(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        kai_narrow_axes x;
        kai_quat qa[L], qb[L];
        kai_vec3 d[L];
        for (int l = 0; l < L; l++) {
            const uint64_t k = i * L + (uint64_t)l;
            const kai_geometry a = make_box(2 * k), b = make_box(2 * k + 1);
            qa[l] = helper_random_rotation(2 * k);
            qb[l] = helper_random_rotation(2 * k + 1);
            d[l] = kai_vec3_scale(helper_random_vec3(k + 77), 0.5 + 0.1 * (double)(k % 10));
            for (int c = 0; c < 3; c++) {
                x.a[c][l] = kai_vec3_get(a.size, c);
                x.b[c][l] = kai_vec3_get(b.size, c);
                x.d[c][l] = kai_vec3_get(d[l], c);
            }
            const double w[2][4] = {{qa[l].w, qa[l].x, qa[l].y, qa[l].z},
                                    {qb[l].w, qb[l].x, qb[l].y, qb[l].z}};
            for (int c = 0; c < 4; c++) {
                x.qa[c][l] = w[0][c];
                x.qb[c][l] = w[1][c];
            }
        }
        kai_narrow_axes_place(&x);
        kai_narrow_axes_separate(&x);
        for (int l = 0; l < L; l++) check_column(&x, l, qa[l], qb[l], d[l]);
    }
}

/// A pair gets the same bits alone and among others, of whatever kinds these are.
static void groups_are_single_pairs(void** state)
{
    (void)state;
    enum { MOST = 40 };
    int contacts = 0;
    for (int count = 0; count <= MOST; count++) {
        kai_geometry g[2 * MOST];
        kai_frame f[2 * MOST];
        kai_narrow_request q[MOST] = {{0}};
        kai_manifold m[MOST], one;
        for (int k = 0; k < 2 * count; k++) {
            const uint64_t i = (uint64_t)(count * 1000 + k);
            g[k] = make_box(i);
            if (k % 7 == 3) g[k] = (kai_geometry){.type = KAI_CONVEX_POINT, .margin = 0.5};
            f[k] = kai_frame_make(helper_random_vec3(i + 5), helper_random_rotation(i));
        }
        for (int k = 0; k < count; k++)
            q[k] = (kai_narrow_request){&g[2 * k], &g[2 * k + 1], &f[2 * k], &f[2 * k + 1], 0.0};
        kai_narrow_find_many(q, count, 0.1, m);
        for (int k = 0; k < count; k++) {
            kai_narrow_find(q[k].a, q[k].frame_a, q[k].b, q[k].frame_b, 0.1, &one);
            assert_int_equal(one.count, m[k].count);
            contacts += one.count;
            for (int i = 0; i < one.count; i++) {
                const kai_contact *x = &one.contacts[i], *y = &m[k].contacts[i];
                assert_memory_equal(&x->point_a, &y->point_a, 12 * sizeof(double));
                assert_int_equal(x->feature, y->feature);
            }
        }
    }
    assert_true(contacts > 1000);
}

static bool is_inside(const kai_geometry* g, const kai_frame* f, kai_vec3 x, double slack)
{
    const kai_vec3 y = kai_frame_point_from_parent(*f, x);
    return fabs(y.x) <= g->size.x + slack && fabs(y.y) <= g->size.y + slack &&
           fabs(y.z) <= g->size.z + slack;
}

/// Every corner of one box inside the other is a contact, when a face of the other is the way out:
/// none is lost among the points that are computed and then chosen.
static void no_corner_is_lost(void** state)
{
    (void)state;
    int found = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        const kai_geometry a = make_box(2 * i), b = make_box(2 * i + 1);
        // Every fourth pair is aligned: corners fall onto edges and onto each other.
        const kai_quat turn = i % 4 ? helper_random_rotation(i) : kai_quat_identity();
        const kai_frame fa = kai_frame_identity();
        const kai_frame fb = kai_frame_make(kai_vec3_scale(helper_random_direction(i), 0.8), turn);
        kai_manifold m;
        kai_narrow_find(&a, &fa, &b, &fb, 0.0, &m);
        if (m.count == 0) continue;
        const kai_vec3 n = m.contacts[0].normal;
        const double up = kai_vec3_max_abs(n);
        if (up < 1.0 - 1e-12) continue; // not a face of a
        for (int k = 0; k < m.count; k++) {
            assert_true(m.contacts[0].gap <= m.contacts[k].gap);
            assert_true(is_inside(&a, &fa, m.contacts[k].point_a, 1e-9));
            assert_true(is_inside(&b, &fb, m.contacts[k].point_b, 1e-9));
            for (int j = 0; j < k; j++)
                assert_true(kai_vec3_distance(m.contacts[k].point_a, m.contacts[j].point_a) > 1e-9);
        }
        // Which face of b looks at a: its corners are those that can touch.
        const kai_vec3 nb = kai_quat_unrotate(turn, n);
        int axis = 0;
        for (int c = 1; c < 3; c++)
            axis = fabs(kai_vec3_get(nb, c)) > fabs(kai_vec3_get(nb, axis)) ? c : axis;
        for (int k = 0; k < 8; k++) {
            const kai_vec3 s =
                kai_vec3_make(k & 1 ? b.size.x : -b.size.x, k & 2 ? b.size.y : -b.size.y,
                              k & 4 ? b.size.z : -b.size.z);
            if (kai_vec3_get(s, axis) * kai_vec3_get(nb, axis) > 0.0) continue;
            const kai_vec3 x = kai_frame_point_to_parent(fb, s);
            if (!is_inside(&a, &fa, x, -1e-9)) continue;
            double nearest = HUGE_VAL;
            for (int j = 0; j < m.count; j++)
                nearest = fmin(nearest, kai_vec3_distance(m.contacts[j].point_b, x));
            check_near(nearest, 0.0, 1e-12, "a corner inside is a contact");
            found++;
        }
    }
    assert_true(found > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_against_every_axis),
        cmocka_unit_test(groups_are_single_pairs),
        cmocka_unit_test(no_corner_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
