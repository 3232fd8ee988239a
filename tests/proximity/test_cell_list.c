// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Neighbours from cells against every pair of points in turn, and what cells leave to others.
#include "proximity/cell_list.h"

#include "helper.h"

enum { COUNT = 600 };

typedef struct fixture {
    kai_memory memory;
    kai_vec3 position[COUNT], velocity[COUNT];
    double radius[COUNT];
    kai_cell_list_points points;
    kai_cell_list_box boxes[COUNT];
    kai_array scratch;
    kai_cell_list cells;
} fixture;

/// Points in a cube of a side, some of them faster than others.
static fixture* start(double side, double origin, bool mixed, double speed)
{
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    kai_memory_init(&f->memory, NULL);
    f->scratch = kai_array_make(3 * sizeof(double));
    for (size_t i = 0; i < COUNT; i++) {
        f->radius[i] = mixed ? 0.4 + 0.05 * helper_random(9999 + i) : 0.5;
        const kai_vec3 x = helper_random_vec3(i), v = helper_random_vec3(5000 + i);
        f->position[i] = kai_vec3_add(kai_vec3_scale(x, 0.5 * side),
                                      kai_vec3_make(origin, -origin, 0.5 * origin));
        f->velocity[i] = kai_vec3_scale(v, speed);
    }
    f->points = (kai_cell_list_points){.position = f->position,
                                       .velocity = f->velocity,
                                       .radius = f->radius,
                                       .position_stride = sizeof(kai_vec3),
                                       .velocity_stride = sizeof(kai_vec3),
                                       .radius_stride = mixed ? sizeof(double) : 0,
                                       .count = COUNT,
                                       .step = 1e-3,
                                       .lead = 0.5e-3};
    return f;
}

static void finish(fixture* f)
{
    kai_array_free(&f->scratch, &f->memory);
    assert_int_equal(f->memory.bytes, 0);
    free(f);
}

static double radius_of(const fixture* f, size_t i) { return f->radius[i]; }

static bool make(fixture* f, int threads)
{
    bool done;
    check_ok(kai_cell_list_make(&f->points, &f->memory, threads, f->boxes, &f->scratch, &f->cells,
                                &done, NULL));
    return done;
}

/// The least distance of two centres while both are in their skin_boxes.
static double least(const fixture* f, size_t a, size_t b)
{
    const kai_cell_list_box* skin_boxes = f->boxes;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double low_a = (double)skin_boxes[a].low[k] + radius_of(f, a),
                     high_a = (double)skin_boxes[a].low[k] + (double)skin_boxes[a].width -
                              radius_of(f, a);
        const double low_b = (double)skin_boxes[b].low[k] + radius_of(f, b),
                     high_b = (double)skin_boxes[b].low[k] + (double)skin_boxes[b].width -
                              radius_of(f, b);
        const double gap = fmax(fmax(low_b - high_a, low_a - high_b), 0.0);
        sum += gap * gap;
    }
    return sqrt(sum);
}

static void check_rows(fixture* f)
{
    assert_true(make(f, 2));
    size_t pairs = 0;
    for (size_t a = 0; a < COUNT; a++) {
        const kai_vec3 at = kai_vec3_mul_add(f->position[a], f->velocity[a], f->points.lead);
        const kai_vec3 o = f->cells.origin;
        const double x[3] = {at.x - o.x, at.y - o.y, at.z - o.z};
        for (int k = 0; k < 3; k++) { // a ball is in its skin box, with room to move
            assert_true(x[k] - radius_of(f, a) > (double)f->boxes[a].low[k]);
            assert_true(x[k] + radius_of(f, a) <
                        (double)f->boxes[a].low[k] + (double)f->boxes[a].width);
        }
        uint32_t row[KAI_CELL_LIST_ROW], full[KAI_CELL_LIST_ROW];
        const size_t n = kai_cell_list_row(&f->cells, a, false, row),
                     all = kai_cell_list_row(&f->cells, a, true, full);
        size_t next = 0;
        for (size_t b = 0; b < COUNT; b++) {
            if (b == a) continue;
            const double sum = radius_of(f, a) + radius_of(f, b), d = least(f, a, b);
            const bool listed = next < all && full[next] == b;
            if (d < sum * (1.0 - 1e-9)) assert_true(listed);
            if (d > sum * (1.0 + 1e-9)) assert_false(listed);
            next += listed;
        }
        assert_int_equal(next, all);
        assert_true(n <= all);
        for (size_t k = 0; k < n; k++) { // the half row is the end of the whole one
            assert_true(row[k] > a);
            assert_int_equal(row[k], full[all - n + k]);
        }
        if (n < all) assert_true(full[all - n - 1] < a);
        pairs += n;
    }
    assert_true(pairs > COUNT / 4);
    assert_true(kai_cell_list_holds(&f->points, f->boxes, f->cells.origin, 0, COUNT));
    f->position[COUNT / 2].y += 100.0;
    assert_false(kai_cell_list_holds(&f->points, f->boxes, f->cells.origin, 0, COUNT));
    assert_true(kai_cell_list_holds(&f->points, f->boxes, f->cells.origin, 0, COUNT / 2));
    f->position[COUNT / 2].y = (double)NAN;
    assert_false(kai_cell_list_holds(&f->points, f->boxes, f->cells.origin, 0, COUNT));
}

static void test_rows(void** state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        fixture* f = start(10.0, 0.0, mixed, 0.0);
        check_rows(f);
        finish(f);
        f = start(10.0, 1e5, mixed, 20.0); // far away, and moving
        check_rows(f);
        finish(f);
    }
}

static void test_planes(void** state)
{
    (void)state;
    fixture* f = start(10.0, 50.0, true, 1.0);
    kai_cell_list_plane planes[64];
    for (int k = 0; k < 64; k++) {
        planes[k].normal = kai_vec3_normalize(helper_random_vec3(100 + (uint64_t)k));
        planes[k].offset = kai_vec3_dot(planes[k].normal, f->position[k]) - 0.5 * (k % 5 - 2);
    }
    check_rows(f);
    uint64_t met[COUNT];
    size_t some = 0;
    kai_cell_list_planes(&f->points, f->boxes, f->cells.origin, planes, sizeof *planes, 64, 0,
                         COUNT, met);
    const double o[3] = {f->cells.origin.x, f->cells.origin.y, f->cells.origin.z};
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < 64; k++) {
            const kai_vec3 n = planes[k].normal;
            const double m[3] = {n.x, n.y, n.z}, r = radius_of(f, i);
            double low = -planes[k].offset; // of the centre above the plane
            for (int j = 0; j < 3; j++) {
                const double from = o[j] + (double)f->boxes[i].low[j] + r,
                             to = from + (double)f->boxes[i].width - 2.0 * r;
                low += fmin(m[j] * from, m[j] * to);
            }
            if (low < r - 1e-9) assert_true(met[i] >> k & 1u);
            if (low > r + 1e-9) assert_false(met[i] >> k & 1u);
            some += met[i] >> k & 1u;
        }
    }
    assert_true(some > 0 && some < 64 * COUNT);
    finish(f);
}

static bool fits(fixture* f)
{
    const bool done = make(f, 1);
    finish(f);
    return done;
}

/// Sizes and speeds that differ much, points far apart or not finite: others find those.
static void test_left_to_others(void** state)
{
    (void)state;
    fixture* f = start(10.0, 0.0, false, 0.0);
    assert_true(fits(f));
    f = start(10.0, 0.0, true, 0.0);
    f->radius[7] = 5.0;
    assert_false(fits(f));
    f = start(10.0, 0.0, true, 0.0);
    f->radius[7] = 0.0;
    assert_false(fits(f));
    f = start(10.0, 0.0, false, 0.0);
    f->velocity[7].x = 1e6;
    assert_false(fits(f));
    assert_false(fits(start(1000.0, 0.0, false, 0.0)));
    const double beyond[] = {(double)NAN, HUGE_VAL, 1e300};
    for (int k = 0; k < 3; k++) {
        f = start(10.0, 0.0, false, 0.0);
        f->position[7].x = beyond[k];
        assert_false(fits(f));
        f = start(10.0, 0.0, true, 0.0);
        f->velocity[7].z = beyond[k];
        assert_false(fits(f));
    }
    f = start(10.0, 0.0, false, 0.0);
    f->points.count = 0;
    assert_false(fits(f));
}

/// Too many in one place.
static void test_crowd(void** state)
{
    (void)state;
    fixture* f = start(0.1, 0.0, false, 0.0);
    assert_true(make(f, 1));
    uint32_t row[KAI_CELL_LIST_ROW];
    assert_true(kai_cell_list_row(&f->cells, 0, false, row) > KAI_CELL_LIST_ROW);
    finish(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_planes),
                                       cmocka_unit_test(test_left_to_others),
                                       cmocka_unit_test(test_crowd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
