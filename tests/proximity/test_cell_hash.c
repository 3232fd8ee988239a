// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The table of skin boxes against every box in turn, while boxes come, go and change: one width, mixed
// widths, single wide ones and many; in a cloud, in clusters that are far from each other, far from the
// origin, in one place; boxes that do not fit.
#include "proximity/cell_hash.h"

#include "helper.h"

enum { MOST = 3000 };

typedef struct fixture {
    kai_memory memory;
    kai_cell_hash hash;
    kai_cell_list_box boxes[MOST];
    bool in[MOST];
    size_t count;
    double widest;
    uint64_t random;
} fixture;

/// How boxes are spread.
typedef struct setting {
    size_t count;
    double side;        // of the cubes that their centres are in
    double apart;       // of two such cubes; 0: there is one
    double origin;      // of the first of them
    double least, most; // widths
    double share;       // of the widest
} setting;

static const setting SETTINGS[] = {
    {.count = 1000, .side = 10.0, .least = 1.0, .most = 1.0},
    {.count = 1000, .side = 10.0, .origin = -200.0, .least = 1.0, .most = 1.0},
    {.count = 1000, .side = 12.0, .least = 0.8, .most = 1.6, .share = 0.5},
    {.count = 1000, .side = 12.0, .least = 0.5, .most = 9.0, .share = 0.02},
    {.count = 3000, .side = 12.0, .least = 0.2, .most = 1.9, .share = 0.1},
    {.count = 800, .side = 6.0, .least = 1e-3, .most = 5.0, .share = 0.01}, // wider than all cells
    {.count = 800, .side = 1e-2, .least = 1e-3, .most = 40.0, .share = 0.01}, // around all others
    {.count = 1000, .side = 8.0, .apart = 1e6, .least = 1.0, .most = 1.2, .share = 0.5},
    {.count = 1000, .side = 8.0, .apart = 3e7, .least = 1.0, .most = 1.0},
    {.count = 1000, .side = 8.0, .origin = -1e6, .least = 1.0, .most = 1.2, .share = 0.5},
    {.count = 500, .side = 0.0, .least = 1.0, .most = 1.0},
    {.count = 1000, .side = 1e-18, .least = 1e-19, .most = 2e-19, .share = 0.5},
    {.count = 1000, .side = 1e18, .least = 1e17, .most = 2e17, .share = 0.5},
    {.count = 2, .side = 1.0, .least = 1.0, .most = 1.0},
};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof *SETTINGS };

static double draw(fixture* f) { return 0.5 + 0.5 * helper_random(f->random++); }

static kai_cell_list_box draw_box(fixture* f, const setting* s)
{
    const double width = draw(f) < s->share ? s->most : s->least * (1.0 + 0.1 * draw(f)),
                 shift = s->apart > 0.0 && draw(f) < 0.5 ? s->apart : 0.0;
    kai_cell_list_box box = {.width = (float)width};
    for (int k = 0; k < 3; k++) {
        const double sign = k == 1 ? -1.0 : 1.0;
        box.low[k] = (float)(sign * (s->origin + shift) + s->side * (draw(f) - 0.5) - 0.5 * width);
    }
    return box;
}

static fixture* start(const setting* s)
{
    fixture* f = calloc(1, sizeof *f);
    kai_error err = {0};
    assert_non_null(f);
    kai_memory_init(&f->memory, NULL);
    kai_cell_hash_init(&f->hash, &f->memory);
    f->count = s->count;
    f->widest = 2.0 * s->most;
    for (size_t i = 0; i < s->count; i++) {
        f->boxes[i] = draw_box(f, s);
        f->in[i] = true;
    }
    assert_int_equal(kai_cell_hash_make(&f->hash, f->boxes, s->count, &err), KAI_OK);
    assert_true(f->hash.made);
    assert_true(kai_cell_hash_bytes(&f->hash) <= 40 * s->count + 4096);
    return f;
}

static void finish(fixture* f)
{
    kai_cell_hash_free(&f->hash);
    assert_int_equal(f->memory.bytes, 0);
    free(f);
}

/// By how much two boxes overlap, along the axis where it is least; below 0: they are apart.
static double overlap(const kai_cell_list_box* p, const kai_cell_list_box* q)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double p_low = (double)p->low[k], q_low = (double)q->low[k];
        least =
            fmin(least, fmin(p_low + (double)p->width - q_low, q_low + (double)q->width - p_low));
    }
    return least;
}

/// Each box that overlaps another one is found once, itself and what has gone are not.
static size_t check(const fixture* f)
{
    static uint32_t near[MOST], times[MOST];
    size_t pairs = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!f->in[i]) continue;
        const size_t n = kai_cell_hash_near(&f->hash, f->boxes, i, near, MOST);
        assert_true(n < f->count);
        memset(times, 0, f->count * sizeof *times);
        for (size_t k = 0; k < n; k++) times[near[k]]++;
        for (size_t j = 0; j < f->count; j++) {
            const double over = overlap(&f->boxes[i], &f->boxes[j]);
            const double size = fabs((double)f->boxes[i].low[0]) +
                                fabs((double)f->boxes[i].low[1]) +
                                fabs((double)f->boxes[i].low[2]) + 2.0 * f->widest;
            if (!f->in[j] || j == i || over < -1e-6 * size)
                assert_int_equal(times[j], 0);
            else if (over >= 0.0)
                assert_int_equal(times[j], 1);
            else
                assert_true(times[j] <= 1);
        }
        pairs += n;
        // Less room: the same number.
        assert_int_equal(kai_cell_hash_near(&f->hash, f->boxes, i, near, n / 2), n);
    }
    return pairs;
}

static void test_brute_force(void** state)
{
    (void)state;
    for (size_t k = 0; k < SETTING_COUNT; k++) {
        fixture* f = start(&SETTINGS[k]);
        assert_true(check(f) > 0 || f->count == 2);
        finish(f);
    }
}

/// Boxes leave, come back elsewhere and with other widths, and more than there were at first.
static void test_changes(void** state)
{
    (void)state;
    static uint32_t list[MOST];
    for (size_t k = 0; k < SETTING_COUNT; k++) {
        const setting* s = &SETTINGS[k];
        kai_error err = {0};
        fixture* f = start(s);
        const size_t more = s->count < MOST / 2 ? s->count / 4 : 0;
        assert_int_equal(kai_cell_hash_reserve(&f->hash, s->count + more, &err), KAI_OK);
        for (int round = 0; round < 4; round++) {
            for (size_t i = 0; i < f->count; i++)
                if (f->in[i] && draw(f) < 0.3) {
                    kai_cell_hash_remove(&f->hash, f->boxes, i);
                    f->in[i] = false;
                }
            if (round == 1) f->count += more;
            size_t n = 0;
            for (size_t i = 0; i < f->count; i++) {
                if (!f->in[i] && draw(f) < 0.8) {
                    f->boxes[i] = draw_box(f, s);
                    f->in[i] = kai_cell_hash_add(&f->hash, f->boxes, i);
                    assert_true(f->in[i] || f->hash.wide_count == KAI_CELL_HASH_WIDE);
                }
                if (f->in[i]) list[n++] = (uint32_t)i + 7;
            }
            for (size_t i = 0; i < n; i++)
                kai_cell_hash_prefetch(&f->hash, f->boxes, list, 7, n, i);
            check(f);
        }
        for (size_t i = 0; i < f->count; i++)
            if (f->in[i]) kai_cell_hash_remove(&f->hash, f->boxes, i);
        memset(f->in, 0, sizeof f->in);
        f->in[0] = kai_cell_hash_add(&f->hash, f->boxes, 0);
        assert_true(f->in[0]);
        assert_int_equal(check(f), 0);
        finish(f);
    }
}

/// What cannot be in the table, and when there is none.
static void test_limits(void** state)
{
    (void)state;
    kai_error err = {0};
    fixture* f = start(&SETTINGS[0]);
    const float far[] = {NAN, INFINITY, -INFINITY, 1e20f, -3e38f};
    const size_t wide_before = f->hash.wide_count;
    kai_cell_hash_remove(&f->hash, f->boxes, 0);
    for (int k = 0; k < 5; k++) {
        f->boxes[0] = (kai_cell_list_box){{0.0f, far[k], 0.0f}, 1.0f};
        assert_false(kai_cell_hash_add(&f->hash, f->boxes, 0));
        f->boxes[0] = (kai_cell_list_box){{0.0f, 0.0f, 0.0f}, fabsf(far[k])};
        assert_false(kai_cell_hash_add(&f->hash, f->boxes, 0));
    }
    // Only so many may be wider than all cells; a query of one looks at all.
    size_t came = 0;
    for (; came < f->count; came++) {
        if (came > 0) kai_cell_hash_remove(&f->hash, f->boxes, came);
        f->boxes[came] = (kai_cell_list_box){{-4e6f, -4e6f, -4e6f}, 8e6f};
        f->in[came] = kai_cell_hash_add(&f->hash, f->boxes, came);
        if (!f->in[came]) break;
    }
    assert_int_equal(came, KAI_CELL_HASH_WIDE - wide_before);
    check(f);
    kai_cell_hash_clear(&f->hash);
    assert_false(f->hash.made);
    // No table: none, a width that is not finite, all of them 0, too many wide ones, one too far away.
    assert_int_equal(kai_cell_hash_make(&f->hash, f->boxes, 0, &err), KAI_OK);
    assert_false(f->hash.made);
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < f->count; i++) f->boxes[i] = draw_box(f, &SETTINGS[0]);
        if (k == 0) f->boxes[17].width = NAN;
        if (k == 1) f->boxes[17].width = INFINITY;
        if (k == 2) f->boxes[17].low[1] = 3e38f;
        for (size_t i = 0; k == 3 && i < f->count; i++) f->boxes[i].width = 0.0f;
        assert_int_equal(kai_cell_hash_make(&f->hash, f->boxes, f->count, &err), KAI_OK);
        assert_false(f->hash.made);
    }
    finish(f);
}

/// Memory that runs out leaves no table, and nothing behind.
static void test_memory(void** state)
{
    (void)state;
    fixture* f = start(&SETTINGS[2]);
    kai_cell_hash_free(&f->hash);
    size_t failed = 0;
    for (uint64_t at = 1; !f->hash.made; at++) {
        kai_error err = {0};
        helper_allocator counted = {.fail_at = at};
        const kai_allocator allocator = helper_allocator_make(&counted);
        kai_memory memory;
        kai_cell_hash hash;
        kai_memory_init(&memory, &allocator);
        kai_cell_hash_init(&hash, &memory);
        const kai_result r = kai_cell_hash_make(&hash, f->boxes, f->count, &err);
        assert_true(hash.made == (r == KAI_OK));
        failed += r == KAI_ERROR_MEMORY;
        f->hash.made = hash.made;
        kai_cell_hash_free(&hash);
        assert_int_equal(counted.blocks, 0);
    }
    assert_true(failed >= 3);
    finish(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
