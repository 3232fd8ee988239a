// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Lists against every pair of points in turn; threads; histories that go on while points move, come,
// go and change places.
#include "proximity/neighbor_list.h"

#include "helper.h"

enum { MOST = 5000, WIDTH = 3 };

typedef struct fixture {
    kai_memory memory;
    kai_vec3 position[MOST], velocity[MOST];
    double radius[MOST];
    uint32_t id[MOST]; // stays with a point
    kai_cell_list_points points;
    kai_neighbor_list list;
} fixture;

/// How points are spread.
typedef struct setting {
    size_t count;
    double side;        // of the cube that they are in
    double origin;      // of the cube
    double least, most; // radius
    double speed;
    bool full;
    int threads;
} setting;

static fixture* start(setting s)
{
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    kai_memory_init(&f->memory, NULL);
    for (size_t i = 0; i < s.count; i++) {
        f->id[i] = (uint32_t)i;
        f->radius[i] = s.least + (s.most - s.least) * pow(0.5 + 0.5 * helper_random(7000 + i), 3.0);
        f->position[i] = kai_vec3_add(kai_vec3_scale(helper_random_vec3(i), 0.5 * s.side),
                                      kai_vec3_make(s.origin, -s.origin, 0.3 * s.origin));
        f->velocity[i] = kai_vec3_scale(helper_random_vec3(90000 + i), s.speed);
    }
    f->points = (kai_cell_list_points){.position = f->position,
                                       .velocity = f->velocity,
                                       .radius = f->radius,
                                       .position_stride = sizeof(kai_vec3),
                                       .velocity_stride = sizeof(kai_vec3),
                                       .radius_stride = s.least < s.most ? sizeof(double) : 0,
                                       .count = s.count,
                                       .lead = 0.5e-3,
                                       .step = 1e-3};
    kai_neighbor_list_init(&f->list, &f->memory, s.full, WIDTH);
    return f;
}

static void finish(fixture* f)
{
    kai_neighbor_list_free(&f->list);
    assert_int_equal(f->memory.bytes, 0);
    free(f);
}

static double radius_of(const fixture* f, size_t i)
{
    return f->radius[f->points.radius_stride ? i : 0];
}

static kai_vec3 centre_of(const fixture* f, size_t i)
{
    return kai_vec3_mul_add(f->position[i], f->velocity[i], f->points.lead);
}

/// The least distance of two centres while both are in their skin boxes.
static double least(const fixture* f, size_t a, size_t b)
{
    const kai_cell_list_box *boxes = f->list.boxes.data, *p = &boxes[a], *q = &boxes[b];
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double low_a = (double)p->low[k] + radius_of(f, a),
                     high_a = (double)p->low[k] + (double)p->width - radius_of(f, a),
                     low_b = (double)q->low[k] + radius_of(f, b),
                     high_b = (double)q->low[k] + (double)q->width - radius_of(f, b);
        const double gap = fmax(fmax(low_b - high_a, low_a - high_b), 0.0);
        sum += gap * gap;
    }
    return sqrt(sum);
}

/// Every pair that may touch is in the list, and no other one; all that touch are. Returns pairs.
static size_t check(const fixture* f)
{
    const kai_neighbor_list* list = &f->list;
    const kai_neighbor_list_rows rows = kai_neighbor_list_rows_of(list);
    uint32_t room[KAI_CELL_LIST_ROW];
    size_t pairs = 0, n;
    assert_int_equal(list->count, f->points.count);
    assert_true(kai_neighbor_list_holds(list, 3, &f->points));
    for (size_t a = 0; a < list->count; a++) {
        const uint32_t* row = kai_neighbor_list_row(&rows, a, room, &n);
        size_t next = 0;
        for (size_t b = list->full ? 0 : a + 1; b < list->count; b++) {
            if (b == a) continue;
            const double sum = radius_of(f, a) + radius_of(f, b), d = least(f, a, b);
            const bool listed = next < n && row[next] == b;
            if (d < sum * (1.0 - 1e-9)) assert_true(listed);
            if (d > sum * (1.0 + 1e-9)) assert_false(listed);
            if (kai_vec3_distance(centre_of(f, a), centre_of(f, b)) < sum) assert_true(listed);
            if (listed)
                assert_int_equal(kai_neighbor_list_find(list, (uint32_t)a, (uint32_t)b),
                                 rows.offsets[a] + next);
            next += listed;
        }
        assert_int_equal(next, n);
        pairs += n;
    }
    return pairs;
}

static void make(fixture* f, int threads, const uint32_t* from)
{
    kai_error err = {0};
    if (kai_neighbor_list_make(&f->list, threads, &f->points, from, &err) != KAI_OK)
        fail_msg("%s", err.message);
}

/// One size (cells), sizes that differ much (the broad phase), far from the origin, all in one place,
/// in a line, alone, none.
static void test_brute_force(void** state)
{
    (void)state;
    const setting settings[] = {
        {.count = 700, .side = 10.0, .least = 0.5, .most = 0.5},
        {.count = 700, .side = 10.0, .least = 0.4, .most = 0.6, .speed = 20.0},
        {.count = 700, .side = 20.0, .least = 0.05, .most = 4.0, .speed = 5.0},
        {.count = 700, .side = 10.0, .origin = 1e7, .least = 0.5, .most = 0.5},
        {.count = 300, .side = 1e9, .origin = -1e12, .least = 0.5, .most = 3e7},
        {.count = 600, .side = 0.0, .least = 0.5, .most = 0.5},
        {.count = 600, .side = 0.1, .least = 0.5, .most = 0.6},
        {.count = 1, .side = 1.0, .least = 0.5, .most = 0.5},
        {.count = 0, .side = 1.0, .least = 0.5, .most = 0.5},
    };
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        size_t pairs[2];
        for (int full = 0; full < 2; full++) {
            setting s = settings[k];
            s.full = full;
            fixture* f = start(s);
            make(f, 2, NULL);
            pairs[full] = check(f);
            if (s.count > 1) assert_true(pairs[full] > 0 || s.side > 1e8);
            finish(f);
        }
        assert_int_equal(pairs[1], 2 * pairs[0]);
    }
}

static void test_threads(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 5, 16};
    for (int mixed = 0; mixed < 2; mixed++)
        for (int full = 0; full < 2; full++) {
            fixture* f[4];
            for (int k = 0; k < 4; k++) {
                f[k] = start((setting){.count = MOST,
                                       .side = 20.0,
                                       .least = mixed ? 0.1 : 0.5,
                                       .most = mixed ? 1.5 : 0.5,
                                       .full = full});
                make(f[k], threads[k], NULL);
                const kai_array *p = &f[0]->list.indices, *q = &f[k]->list.indices;
                assert_true(p->count > MOST);
                assert_int_equal(p->count, q->count);
                assert_memory_equal(p->data, q->data, p->count * sizeof(uint32_t));
                assert_memory_equal(f[0]->list.offsets.data, f[k]->list.offsets.data,
                                    (MOST + 1) * sizeof(uint32_t));
            }
            for (int k = 0; k < 4; k++) finish(f[k]);
        }
}

/// Something that a pair of points remembers, seen from the first one: seen from the other one it
/// has the other sign.
static double memory_of(uint32_t p, uint32_t q, size_t k)
{
    const double sign = p < q ? 1.0 : -1.0, x = p < q ? p : q, y = p < q ? q : p;
    return sign * (1.0 + x + 1e-4 * y + 1e4 * (double)k);
}

static void write_histories(fixture* f)
{
    const uint32_t *offsets = f->list.offsets.data, *indices = f->list.indices.data;
    double* history = f->list.history.data;
    for (size_t a = 0; a < f->list.count; a++)
        for (size_t at = offsets[a]; at < offsets[a + 1]; at++)
            for (size_t k = 0; k < WIDTH; k++)
                history[WIDTH * at + k] = f->list.full
                                              ? memory_of(f->id[a], f->id[indices[at]], k) + 0.5
                                              : memory_of(f->id[a], f->id[indices[at]], k);
}

/// Every pair of the list remembers what it is to, or nothing where it was not in the list before:
/// `old` [ids][ids] bits.
static void check_histories(const fixture* f, const uint8_t* old, size_t ids)
{
    const uint32_t *offsets = f->list.offsets.data, *indices = f->list.indices.data;
    const double* history = f->list.history.data;
    size_t kept = 0, fresh = 0;
    for (size_t a = 0; a < f->list.count; a++)
        for (size_t at = offsets[a]; at < offsets[a + 1]; at++) {
            const uint32_t p = f->id[a], q = f->id[indices[at]];
            const bool was = old[p * ids + q];
            kept += was;
            fresh += !was;
            for (size_t k = 0; k < WIDTH; k++) {
                const double expected =
                    !was ? 0.0 : memory_of(p, q, k) + (f->list.full ? 0.5 : 0.0);
                assert_true(history[WIDTH * at + k] == expected);
            }
        }
    assert_true(kept > f->list.count / 4 && fresh > 0);
}

static void note_pairs(const fixture* f, uint8_t* old, size_t ids)
{
    const uint32_t *offsets = f->list.offsets.data, *indices = f->list.indices.data;
    memset(old, 0, ids * ids);
    for (size_t a = 0; a < f->list.count; a++)
        for (size_t at = offsets[a]; at < offsets[a + 1]; at++)
            old[f->id[a] * ids + f->id[indices[at]]] = old[f->id[indices[at]] * ids + f->id[a]] = 1;
}

/// Takes the last point into the place of another one.
static void swap_remove(fixture* f, size_t i, uint32_t* from)
{
    const size_t last = --f->points.count;
    f->position[i] = f->position[last];
    f->velocity[i] = f->velocity[last];
    f->radius[i] = f->radius[last];
    f->id[i] = f->id[last];
    from[i] = from[last];
}

static void test_histories(void** state)
{
    (void)state;
    enum { COUNT = 900, ROUNDS = 6, FEW = 20, IDS = COUNT + ROUNDS * FEW };
    uint8_t* old = calloc(IDS, IDS);
    assert_non_null(old);
    for (int kind = 0; kind < 4; kind++) {
        const bool mixed = kind & 1;
        fixture* f = start((setting){.count = COUNT,
                                     .side = 11.0,
                                     .least = mixed ? 0.1 : 0.45,
                                     .most = mixed ? 1.5 : 0.55,
                                     .full = kind & 2});
        make(f, 2, NULL);
        uint32_t ids = COUNT, from[MOST];
        for (uint64_t round = 0; round < ROUNDS; round++) {
            write_histories(f);
            note_pairs(f, old, IDS);
            for (size_t i = 0; i < f->points.count; i++) {
                from[i] = (uint32_t)i;
                f->position[i] = kai_vec3_mul_add(
                    f->position[i], helper_random_vec3(1000000 + round * MOST + i), 0.08);
            }
            assert_false(kai_neighbor_list_holds(&f->list, 1, &f->points));
            if (round == 0) { // all stay: no names are needed
                make(f, 1 + kind, NULL);
                check(f);
                check_histories(f, old, IDS);
                continue;
            }
            for (size_t k = 0; k < FEW; k++) // some go, and the last ones take their places
                swap_remove(f, (round * 131 + k * 37) % f->points.count, from);
            for (size_t k = 0; k < FEW; k++) { // some come
                const size_t i = f->points.count++;
                f->position[i] = kai_vec3_scale(helper_random_vec3(500000 + ids), 5.0);
                f->velocity[i] = kai_vec3_zero();
                f->radius[i] = 0.5;
                f->id[i] = ids++;
                from[i] = UINT32_MAX;
            }
            make(f, 1 + kind, from);
            check(f);
            check_histories(f, old, IDS);
        }
        finish(f);
    }
    free(old);
}

/// What is not finite is told, and the list stays as it was.
static void test_not_finite(void** state)
{
    (void)state;
    fixture* f = start((setting){.count = 300, .side = 7.0, .least = 0.4, .most = 0.6});
    make(f, 1, NULL);
    const size_t pairs = f->list.indices.count;
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    kai_error err = {0};
    for (int k = 0; k < 3; k++) {
        const kai_vec3 at = f->position[17];
        f->position[17].y = bad[k];
        assert_int_equal(kai_neighbor_list_make(&f->list, 2, &f->points, NULL, &err),
                         KAI_ERROR_DIVERGED);
        assert_non_null(strstr(err.message, "point 17"));
        f->position[17] = at;
    }
    f->radius[5] = 0.0;
    assert_int_equal(kai_neighbor_list_make(&f->list, 2, &f->points, NULL, &err),
                     KAI_ERROR_DIVERGED);
    assert_non_null(strstr(err.message, "point 5"));
    f->radius[5] = 0.5;
    assert_int_equal(f->list.indices.count, pairs);
    make(f, 1, NULL);
    check(f);
    finish(f);
}

/// Pairs of the broad phase as rows.
static void test_rows_from_pairs(void** state)
{
    (void)state;
    const uint64_t pairs[] = {(uint64_t)1 << 32 | 2, (uint64_t)1 << 32 | 7, (uint64_t)4 << 32 | 5};
    const uint32_t expected[] = {0, 0, 2, 2, 2, 3, 3, 3, 3};
    uint64_t copy[3];
    uint32_t offsets[9], room[KAI_CELL_LIST_ROW];
    memcpy(copy, pairs, sizeof copy);
    const kai_neighbor_list_rows rows = kai_neighbor_list_rows_from(copy, 3, offsets, 8);
    assert_memory_equal(offsets, expected, sizeof expected);
    size_t n;
    const uint32_t* row = kai_neighbor_list_row(&rows, 1, room, &n);
    assert_int_equal(n, 2);
    assert_true(row[0] == 2 && row[1] == 7);
    row = kai_neighbor_list_row(&rows, 4, room, &n);
    assert_true(n == 1 && row[0] == 5);
    kai_neighbor_list_row(&rows, 7, room, &n);
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_histories), cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_rows_from_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
