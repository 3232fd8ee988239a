// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Neighbours from cells against every pair of spheres in turn, and what cells leave to others.
#include "contact/grains_cells.h"
#include "helper.h"

enum { COUNT = 600, FIRST = 3 }; // bodies before the first sphere

typedef struct fixture {
    kai_memory memory;
    kai_grains grains;
    kai_pose pose[FIRST + COUNT];
    kai_motion motion[FIRST + COUNT];
    kai_grains_cells_source source;
    kai_grains_cells cells;
} fixture;

/// Spheres in a cube of a side, some of them faster than others.
static fixture* start(double side, double origin, bool mixed, double speed)
{
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    kai_memory_init(&f->memory, NULL);
    kai_grains* g = &f->grains;
    kai_grains_init(g, &f->memory);
    g->count = FIRST + COUNT;
    g->equal = !mixed;
    g->one = (kai_grains_sphere){.radius = 0.5};
    g->skin_box_slot = FIRST;
    check_ok(kai_array_resize(&g->spheres, &f->memory, FIRST + COUNT, NULL));
    kai_grains_sphere* spheres = g->spheres.data;
    for (size_t i = 0; i < FIRST + COUNT; i++) {
        spheres[i].radius = mixed ? 0.4 + 0.05 * helper_random(9999 + i) : 0.5;
        const kai_vec3 x = helper_random_vec3(i), v = helper_random_vec3(5000 + i);
        f->pose[i].position = kai_vec3_add(kai_vec3_scale(x, 0.5 * side),
                                           kai_vec3_make(origin, -origin, 0.5 * origin));
        f->motion[i].velocity = kai_vec3_scale(v, speed);
    }
    f->source = (kai_grains_cells_source){
        .pose = f->pose, .motion = f->motion, .first = FIRST, .count = COUNT, .step = 1e-3};
    f->source.lead = 0.5 * f->source.step;
    return f;
}

static void finish(fixture* f)
{
    kai_grains_free(&f->grains);
    assert_int_equal(f->memory.bytes, 0);
    free(f);
}

static double radius_of(const fixture* f, size_t i)
{
    return f->grains.equal ? 0.5
                           : ((const kai_grains_sphere*)f->grains.spheres.data)[FIRST + i].radius;
}

/// The least distance of two centres while both are in their skin_boxes.
static double least(const fixture* f, size_t a, size_t b)
{
    const kai_grains_skin_box* skin_boxes = f->grains.skin_boxes.data;
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
    bool done;
    check_ok(kai_grains_cells_make(&f->grains, 2, &f->source, &f->cells, &done, NULL));
    assert_true(done);
    const kai_grains_skin_box* skin_boxes = f->grains.skin_boxes.data;
    size_t pairs = 0;
    for (size_t a = 0; a < COUNT; a++) {
        const kai_vec3 at = kai_vec3_mul_add(f->pose[FIRST + a].position,
                                             f->motion[FIRST + a].velocity, f->source.lead);
        const double x[3] = {at.x - f->grains.skin_box_origin.x, at.y - f->grains.skin_box_origin.y,
                             at.z - f->grains.skin_box_origin.z};
        for (int k = 0; k < 3; k++) { // a sphere is in its skin_box, with room to move
            assert_true(x[k] - radius_of(f, a) > (double)skin_boxes[a].low[k]);
            assert_true(x[k] + radius_of(f, a) <
                        (double)skin_boxes[a].low[k] + (double)skin_boxes[a].width);
        }
        uint32_t row[KAI_GRAINS_CELLS_ROW];
        const size_t n = kai_grains_cells_row(&f->grains, &f->cells, a, row);
        size_t next = 0;
        for (size_t b = a + 1; b < COUNT; b++) {
            const double sum = radius_of(f, a) + radius_of(f, b), d = least(f, a, b);
            const bool listed = next < n && row[next] == b;
            if (d < sum * (1.0 - 1e-9)) assert_true(listed);
            if (d > sum * (1.0 + 1e-9)) assert_false(listed);
            next += listed;
        }
        assert_int_equal(next, n);
        pairs += n;
    }
    assert_true(pairs > COUNT / 4);
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

static void test_walls(void** state)
{
    (void)state;
    fixture* f = start(10.0, 50.0, true, 1.0);
    kai_grains* g = &f->grains;
    for (int k = 0; k < 64; k++) {
        kai_grains_wall wall = {.normal =
                                    kai_vec3_normalize(helper_random_vec3(100 + (uint64_t)k))};
        wall.offset = kai_vec3_dot(wall.normal, f->pose[FIRST + k].position) - 0.5 * (k % 5 - 2);
        check_ok(kai_array_append(&g->walls, &f->memory, &wall, 1, NULL));
    }
    check_rows(f);
    uint64_t met[COUNT];
    size_t some = 0;
    kai_grains_cells_walls(g, 0, COUNT, met);
    const kai_grains_skin_box* skin_boxes = g->skin_boxes.data;
    const double o[3] = {g->skin_box_origin.x, g->skin_box_origin.y, g->skin_box_origin.z};
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < g->walls.count; k++) {
            const kai_grains_wall* wall = (const kai_grains_wall*)g->walls.data + k;
            const double m[3] = {wall->normal.x, wall->normal.y, wall->normal.z};
            const double r = radius_of(f, i);
            double low = -wall->offset; // of the centre above the plane
            for (int j = 0; j < 3; j++) {
                const double from = o[j] + (double)skin_boxes[i].low[j] + r,
                             to = from + (double)skin_boxes[i].width - 2.0 * r;
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
    bool done;
    check_ok(kai_grains_cells_make(&f->grains, 1, &f->source, &f->cells, &done, NULL));
    finish(f);
    return done;
}

/// Sizes and speeds that differ much, spheres far apart, fixed ones: the broad phase takes those.
static void test_left_to_others(void** state)
{
    (void)state;
    fixture* f = start(10.0, 0.0, false, 0.0);
    assert_true(fits(f));
    f = start(10.0, 0.0, true, 0.0);
    ((kai_grains_sphere*)f->grains.spheres.data)[FIRST + 7].radius = 5.0;
    assert_false(fits(f));
    f = start(10.0, 0.0, false, 0.0);
    f->motion[FIRST + 7].velocity.x = 1e6;
    assert_false(fits(f));
    assert_false(fits(start(1000.0, 0.0, false, 0.0)));
    f = start(10.0, 0.0, false, 0.0);
    f->motion[FIRST + 7].flags = KAI_BODY_FIXED;
    assert_false(fits(f));
    f = start(10.0, 0.0, false, 0.0);
    f->pose[FIRST + 7].position.x = (double)NAN;
    fits(f); // no matter which, but no harm
}

/// Too many in one place.
static void test_crowd(void** state)
{
    (void)state;
    fixture* f = start(0.1, 0.0, false, 0.0);
    bool done;
    check_ok(kai_grains_cells_make(&f->grains, 1, &f->source, &f->cells, &done, NULL));
    assert_true(done);
    uint32_t row[KAI_GRAINS_CELLS_ROW];
    assert_true(kai_grains_cells_row(&f->grains, &f->cells, 0, row) > KAI_GRAINS_CELLS_ROW);
    kai_grains_source source = {.cells = &f->cells};
    const kai_grains_pair_history none[1] = {0};
    source.pair_history = none;
    check_ok(kai_grains_list_make(&f->grains, 1, &source, &done, NULL));
    assert_false(done);
    finish(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_walls),
                                       cmocka_unit_test(test_left_to_others),
                                       cmocka_unit_test(test_crowd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
