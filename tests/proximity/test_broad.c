// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/broad.h"

#include "helper.h"
#include "proximity/broad_order.h"
#include "proximity/radix.h"

static const int THREADS[] = {1, 2, 5, 16};
enum { CHOICES = 4 };

// Boxes that move ---------------------------------------------------------------------------------

typedef struct scene {
    size_t count;
    kai_vec3 *centre, *half, *velocity;
    uint32_t* owner;
    uint16_t *family, *mask;
    double h;
} scene;

static void scene_make(scene* s, size_t count)
{
    *s = (scene){.count = count, .h = 0.0};
    s->centre = calloc(count + 1, sizeof *s->centre);
    s->half = calloc(count + 1, sizeof *s->half);
    s->velocity = calloc(count + 1, sizeof *s->velocity);
    s->owner = calloc(count + 1, sizeof *s->owner);
    s->family = calloc(count + 1, sizeof *s->family);
    s->mask = calloc(count + 1, sizeof *s->mask);
    assert_true(s->centre && s->half && s->velocity && s->owner && s->family && s->mask);
    for (size_t i = 0; i < count; i++) {
        s->owner[i] = (uint32_t)i;
        s->family[i] = 1;
        s->mask[i] = UINT16_MAX;
    }
}

static void scene_free(scene* s)
{
    free(s->centre);
    free(s->half);
    free(s->velocity);
    free(s->owner);
    free(s->family);
    free(s->mask);
}

static void fill(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes, float* travel,
                 void* context)
{
    const scene* s = context;
    for (size_t i = begin; i < end; i++) {
        kai_broad_box* box = &boxes[i - begin];
        kai_broad_round(box, kai_vec3_sub(s->centre[i], s->half[i]),
                        kai_vec3_add(s->centre[i], s->half[i]), origin);
        box->owner = s->owner[i];
        box->family = s->family[i];
        box->mask = s->mask[i];
        if (travel)
            travel[i - begin] = (float)(s->h * kai_vec3_norm(s->velocity[i]) +
                                        (s->h > 0.0 ? 0.003 * s->half[i].x : 0.0));
    }
}

// All pairs, by the plainest means, in double precision and in the scene's own coordinates.
static bool true_overlap(const scene* s, size_t a, size_t b)
{
    const kai_vec3 d = kai_vec3_sub(s->centre[a], s->centre[b]);
    const kai_vec3 h = kai_vec3_add(s->half[a], s->half[b]);
    if (!(fabs(d.x) <= h.x && fabs(d.y) <= h.y && fabs(d.z) <= h.z)) return false;
    if (s->owner[a] == s->owner[b] || (s->owner[a] & s->owner[b] & KAI_BROAD_FIXED)) return false;
    return (s->family[a] & s->mask[b]) && (s->family[b] & s->mask[a]);
}

static bool listed(const kai_broad* broad, size_t a, size_t b)
{
    const uint64_t pair = (uint64_t)a << 32 | b;
    size_t begin = 0, end = broad->pair_count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (broad->pairs[middle] < pair)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < broad->pair_count && broad->pairs[begin] == pair;
}

// Sorted, unique, a < b, and none missing.
static void check_pairs(const kai_broad* broad, const scene* s)
{
    for (size_t k = 0; k < broad->pair_count; k++) {
        if (k > 0) assert_true(broad->pairs[k - 1] < broad->pairs[k]);
        assert_true(KAI_BROAD_A(broad->pairs[k]) < KAI_BROAD_B(broad->pairs[k]));
        assert_true(KAI_BROAD_B(broad->pairs[k]) < s->count);
    }
    size_t missed = 0;
    for (size_t a = 0; a < s->count; a++)
        for (size_t b = a + 1; b < s->count; b++)
            if (true_overlap(s, a, b) && !listed(broad, a, b)) missed++;
    assert_int_equal(missed, 0);
}

// Exactly the overlaps of the boxes that the build was made with: nothing needless either.
static void check_exact(const kai_broad* broad)
{
    const kai_broad_box* boxes = broad->boxes.data;
    size_t expected = 0;
    for (size_t a = 0; a < broad->count; a++)
        for (size_t b = a + 1; b < broad->count; b++)
            expected +=
                kai_broad_overlap(&boxes[a], &boxes[b]) && kai_broad_may_meet(&boxes[a], &boxes[b]);
    assert_int_equal(broad->pair_count, expected);
}

typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_broad broad;
    kai_error err;
} fixture;

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
    kai_broad_init(&f->broad, &f->memory);
}

static void finish(fixture* f)
{
    kai_broad_free(&f->broad);
    assert_int_equal(f->counter.blocks, 0);
}

// Random scenes -----------------------------------------------------------------------------------

typedef enum layout { EVEN, CLUSTERED, SPARSE, LINE, FAR, LAYOUTS } layout;

// Sizes spread over 1 : ratio evenly in their logarithm; `seed` makes scenes differ.
static void scene_random(scene* s, size_t count, layout how, double ratio, uint64_t seed)
{
    scene_make(s, count);
    const double largest = pow((double)count, -1.0 / 3.0) * (how == SPARSE ? 0.2 : 0.6);
    for (size_t i = 0; i < count; i++) {
        const uint64_t k = seed * 100000 + 4 * i;
        kai_vec3 c = helper_random_vec3(k);
        if (how == CLUSTERED) {
            const kai_vec3 home = helper_random_vec3(seed * 100000 + 50000000 + i % 7);
            c = kai_vec3_mul_add(kai_vec3_scale(home, 1000.0), c, 0.5);
        }
        if (how == LINE) c = kai_vec3_make(40.0 * c.x, 0.05 * c.y, 0.0);
        if (how == FAR) c = kai_vec3_add(c, kai_vec3_make(1e6, -3e6, 2e6));
        s->centre[i] = c;
        const double size = largest * pow(ratio, -0.5 * (1.0 + helper_random(k + 1)));
        const kai_vec3 shape = helper_random_vec3(k + 2);
        s->half[i] = kai_vec3_make(size * (0.6 + 0.4 * shape.x), size * (0.6 + 0.4 * shape.y),
                                   size * (0.6 + 0.4 * shape.z));
        s->velocity[i] = helper_random_vec3(k + 3);
    }
}

static void test_all_pairs(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const size_t counts[] = {0, 1, 2, 3, 40, 700, 3000};
    const double ratios[] = {1.0, 1.3, 30.0, 1000.0};
    uint64_t seed = 1;
    for (int c = 0; c < 7; c++)
        for (int how = 0; how < LAYOUTS; how++)
            for (int r = 0; r < 4; r++) {
                if (counts[c] == 3000 && (how + r) % 3 != 0) continue; // they take long
                scene s;
                scene_random(&s, counts[c], (layout)how, ratios[r], seed++);
                f.broad.skin = r == 2 ? 0.0 : -1.0;
                check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err));
                check_pairs(&f.broad, &s);
                check_exact(&f.broad);
                scene_free(&s);
            }
    finish(&f);
}

// A few huge boxes, sheets and rods, points, and unbounded ones among many small ones.
static void test_odd_sizes(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    scene s;
    scene_random(&s, 2500, EVEN, 1.2, 77);
    s.half[0] = kai_vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    s.half[1] = kai_vec3_make(50.0, 50.0, 0.01);
    s.half[2] = kai_vec3_make(0.001, 3.0, 0.001);
    s.half[3] = kai_vec3_make(1e20, 1e20, 1e20);
    s.half[4] = kai_vec3_zero();
    s.half[5] = kai_vec3_zero();
    s.centre[5] = s.centre[4];
    s.half[2499] = kai_vec3_make(HUGE_VAL, HUGE_VAL, 0.01);
    for (size_t i = 6; i < 40; i++) s.half[i] = kai_vec3_make(0.5, 0.001, 0.4);
    check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err));
    check_pairs(&f.broad, &s);
    check_exact(&f.broad);
    assert_true(listed(&f.broad, 4, 5));
    assert_true(listed(&f.broad, 0, 2499));
    // All in one place: as many pairs as there can be.
    scene_free(&s);
    scene_make(&s, 700);
    check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err));
    assert_int_equal(f.broad.pair_count, 700 * 699 / 2);
    scene_free(&s);
    finish(&f);
}

// Owners, fixed owners, families and masks.
static void test_filters(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    scene s;
    scene_random(&s, 2000, EVEN, 3.0, 5);
    for (size_t i = 0; i < s.count; i++) {
        s.owner[i] = (uint32_t)(i / 3);
        if (i % 5 == 0) s.owner[i] |= KAI_BROAD_FIXED;
        s.family[i] = (uint16_t)(1u << (i % 4));
        s.mask[i] = i % 7 == 0 ? 0x3 : UINT16_MAX;
    }
    check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err));
    check_pairs(&f.broad, &s);
    check_exact(&f.broad);
    for (size_t k = 0; k < f.broad.pair_count; k++) {
        const size_t a = KAI_BROAD_A(f.broad.pairs[k]), b = KAI_BROAD_B(f.broad.pairs[k]);
        assert_true(s.owner[a] != s.owner[b]);
        assert_false(s.owner[a] & s.owner[b] & KAI_BROAD_FIXED);
    }
    scene_free(&s);
    finish(&f);
}

// Motion ------------------------------------------------------------------------------------------

// Boxes fly, bounce off the walls of a room, turn (their sides change) and speed up.
static void scene_step(scene* s, double h, uint64_t step)
{
    s->h = h;
    for (size_t i = 0; i < s->count; i++) {
        double c[3] = {s->centre[i].x, s->centre[i].y, s->centre[i].z};
        double v[3] = {s->velocity[i].x, s->velocity[i].y, s->velocity[i].z};
        for (int k = 0; k < 3; k++) {
            c[k] += h * v[k];
            if (fabs(c[k]) > 1.0 && c[k] * v[k] > 0.0) v[k] = -v[k];
        }
        if (i == step % s->count) v[0] *= 3.0;
        s->centre[i] = kai_vec3_make(c[0], c[1], c[2]);
        s->velocity[i] = kai_vec3_make(v[0], v[1], v[2]);
        const double turn = 1.0 + 0.3 * sin(0.01 * (double)step + (double)i);
        s->half[i].x *= turn / (1.0 + 0.3 * sin(0.01 * ((double)step - 1.0) + (double)i));
    }
}

static void move(size_t count, double ratio, double speed, double skin, int steps, uint64_t seed)
{
    fixture f;
    start(&f);
    f.broad.skin = skin;
    scene s;
    scene_random(&s, count, EVEN, ratio, seed);
    for (int step = 0; step < steps; step++) {
        scene_step(&s, 1e-3 * speed, (uint64_t)step);
        check_ok(
            kai_broad_update(&f.broad, 1 + (step % 50 == 0), s.count, fill, &s, step == 0, &f.err));
        check_pairs(&f.broad, &s);
        if (f.broad.rebuilt) check_exact(&f.broad);
    }
    assert_int_equal(f.broad.builds + f.broad.reuses, steps);
    if (speed <= 0.1 && skin != 0.0) assert_true(f.broad.reuses > f.broad.builds);
    scene_free(&s);
    finish(&f);
}

// The bar: 1,000 steps, every step against all pairs of true boxes.
static void test_moving(void** state)
{
    (void)state;
    move(300, 2.0, 0.1, -1.0, 1000, 11);
    move(300, 1000.0, 1.0, -1.0, 1000, 12);
    move(120, 10.0, 20.0, -1.0, 1000, 13);
    move(300, 2.0, 0.1, 0.02, 1000, 14);
    move(60, 2.0, 0.1, 0.0, 100, 15);
}

// Half spaces -------------------------------------------------------------------------------------

// A room: items 0 … 5 are its walls, half spaces that lean, turn and move, and all others boxes.
enum { WALLS = 6 };

typedef struct room {
    scene boxes;
    kai_vec3 normal[WALLS], point[WALLS];
    kai_vec3 spin[WALLS];
} room;

static void fill_room(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes,
                      float* travel, void* context)
{
    room* r = context;
    fill(begin, end, origin, boxes, travel, &r->boxes);
}

static kai_broad_half half_of(size_t item, kai_vec3 origin, void* context)
{
    const room* r = context;
    if (item >= WALLS) return KAI_BROAD_HALF_ALL;
    const kai_vec3 at = kai_vec3_sub(r->point[item], origin);
    return (kai_broad_half){
        .normal = r->normal[item],
        .offset = kai_vec3_dot(r->normal[item], at) +
                  0x1p-48 * (kai_vec3_max_abs(r->point[item]) + kai_vec3_max_abs(origin)),
        .travel = r->boxes.h * kai_vec3_norm(r->spin[item])};
}

static void room_make(room* r, size_t count, double ratio, kai_vec3 at, uint64_t seed)
{
    scene_random(&r->boxes, count, EVEN, ratio, seed);
    for (size_t i = 0; i < count; i++) r->boxes.centre[i] = kai_vec3_add(r->boxes.centre[i], at);
    for (size_t w = 0; w < WALLS; w++) {
        r->boxes.half[w] = kai_vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
        r->boxes.velocity[w] = kai_vec3_zero();
        kai_vec3 n = kai_vec3_scale(kai_vec3_axis((int)w / 2), w % 2 ? 1.0 : -1.0);
        if (w >= 3) n = kai_vec3_normalize(kai_vec3_mul_add(n, helper_random_vec3(seed + w), 0.3));
        r->normal[w] = n;
        r->point[w] = kai_vec3_mul_add(at, n, -0.9);
        r->spin[w] = w >= 4 ? helper_random_vec3(seed + 77 + w) : kai_vec3_zero();
        if (w < 4) r->boxes.owner[w] |= KAI_BROAD_FIXED;
    }
}

// Whether the box reaches into the half space, in double precision and in coordinates about `at`.
static bool truly_reaches(const room* r, size_t w, size_t i)
{
    const kai_vec3 n = r->normal[w], h = r->boxes.half[i];
    const double middle = kai_vec3_dot(n, kai_vec3_sub(r->boxes.centre[i], r->point[w]));
    return middle - fabs(n.x) * h.x - fabs(n.y) * h.y - fabs(n.z) * h.z <= 0.0;
}

static void check_room(const kai_broad* broad, const room* r, bool rebuilt)
{
    const kai_broad_box* boxes = broad->boxes.data;
    const kai_broad_half* halves = broad->halves.data;
    size_t expected = 0;
    assert_int_equal(broad->giant_count, WALLS);
    for (size_t a = 0; a < broad->count; a++) {
        for (size_t b = a + 1; b < broad->count; b++) {
            if (!kai_broad_may_meet(&boxes[a], &boxes[b])) continue;
            bool grown = kai_broad_overlap(&boxes[a], &boxes[b]), tight;
            if (a < WALLS && b >= WALLS) {
                grown = kai_broad_half_least(halves[a].normal, boxes[b].low, boxes[b].high) <=
                        halves[a].offset;
                tight = truly_reaches(r, a, b);
            } else {
                tight = true_overlap(&r->boxes, a, b);
            }
            if (b < WALLS) tight = true; // two walls always meet
            if (tight) assert_true(listed(broad, a, b));
            expected += grown;
        }
    }
    if (rebuilt) assert_int_equal(broad->pair_count, expected);
}

static void room_step(room* r, double h)
{
    scene* s = &r->boxes;
    s->h = h;
    for (size_t i = WALLS; i < s->count; i++) {
        s->centre[i] = kai_vec3_mul_add(s->centre[i], s->velocity[i], h);
        // Turned back where the walls once were: some pass through.
        for (size_t w = 0; w < WALLS; w++) {
            const kai_vec3 n = r->normal[w];
            const double v = kai_vec3_dot(s->velocity[i], n);
            if (v < 0.0 && kai_vec3_dot(n, kai_vec3_sub(s->centre[i], r->point[w])) < -0.1)
                s->velocity[i] = kai_vec3_mul_add(s->velocity[i], n, -2.0 * v);
        }
    }
    for (size_t w = 4; w < WALLS; w++) {
        const kai_vec3 turn = kai_vec3_cross(r->spin[w], r->normal[w]);
        r->normal[w] = kai_vec3_normalize(kai_vec3_mul_add(r->normal[w], turn, h));
        r->point[w] = kai_vec3_mul_add(r->point[w], r->spin[w], 0.3 * h);
    }
}

// `still`: only the walls move, so that nothing but them makes pairs anew.
static void run_room(size_t count, double ratio, double speed, double skin, kai_vec3 at, int steps,
                     bool still)
{
    fixture f;
    room r;
    start(&f);
    f.broad.skin = skin;
    f.broad.half = half_of;
    room_make(&r, count, ratio, at, 31);
    for (size_t i = 0; still && i < count; i++) r.boxes.velocity[i] = kai_vec3_zero();
    size_t walls = 0;
    for (int step = 0; step < steps; step++) {
        check_ok(kai_broad_update(&f.broad, 1 + step % 2, count, fill_room, &r, false, &f.err));
        check_room(&f.broad, &r, f.broad.rebuilt);
        for (size_t k = 0; k < f.broad.pair_count; k++)
            walls += KAI_BROAD_A(f.broad.pairs[k]) < WALLS;
        room_step(&r, 1e-3 * speed);
    }
    assert_true(f.broad.builds > 1);
    if (speed <= 0.1 && skin != 0.0) assert_true(f.broad.reuses > f.broad.builds);
    // Far from every box with every wall: 0.9 of 1 is free on all six sides.
    assert_true(walls > 0 && walls < (size_t)steps * count * WALLS / 3);
    scene_free(&r.boxes);
    finish(&f);
}

// Zero missed pairs with walls that stand, move and turn, near the origin and far from it.
static void test_half_spaces(void** state)
{
    (void)state;
    const kai_vec3 here = kai_vec3_zero(), far = kai_vec3_make(1e6, -3e6, 2e6);
    run_room(200, 2.0, 0.1, -1.0, here, 1000, false);
    run_room(200, 100.0, 1.0, -1.0, far, 1000, false);
    run_room(100, 2.0, 20.0, -1.0, here, 300, false);
    run_room(200, 2.0, 0.1, 0.02, far, 300, false);
    run_room(100, 2.0, 1.0, 0.0, here, 100, false);
    run_room(300, 2.0, 2.0, 0.02, here, 300, true);
    run_room(300, 2.0, 2.0, -1.0, far, 300, true);
}

static void test_half_spaces_alone(void** state)
{
    (void)state;
    fixture f;
    room r;
    start(&f);
    f.broad.half = half_of;
    room_make(&r, WALLS + 60, 2.0, kai_vec3_zero(), 5);
    // No box at all: four walls are fixed, so only pairs with the other two are left.
    for (int step = 0; step < 3; step++) {
        check_ok(kai_broad_update(&f.broad, 2, WALLS, fill_room, &r, step == 0, &f.err));
        assert_int_equal(f.broad.pair_count, 9);
        room_step(&r, 1e-2);
    }
    r.normal[5].y = (double)NAN;
    check_error(kai_broad_update(&f.broad, 2, WALLS, fill_room, &r, false, &f.err),
                KAI_ERROR_DIVERGED);
    assert_string_equal(f.err.message, "the half space of item 5 is not a number");
    scene_free(&r.boxes);
    finish(&f);
}

// Balls -------------------------------------------------------------------------------------------

// Boxes of balls, and every seventh a plain one, moving: all that touch are listed, and many boxes
// that overlap at their corners are not.
static void run_balls(size_t count, double ratio, double speed, double skin, layout how, int steps)
{
    fixture f;
    scene s;
    start(&f);
    f.broad.skin = skin;
    scene_random(&s, count, how, ratio, 51);
    for (size_t i = 0; i < count; i++) {
        s.half[i].y = s.half[i].z = s.half[i].x;
        if (i % 7) s.owner[i] |= KAI_BROAD_ROUND;
    }
    size_t touching = 0, pairs = 0, overlapping = 0;
    for (int step = 0; step < steps; step++) {
        check_ok(kai_broad_update(&f.broad, 2, count, fill, &s, step == 0, &f.err));
        for (size_t a = 0; a < count; a++) {
            for (size_t b = a + 1; b < count; b++) {
                if (!true_overlap(&s, a, b)) continue;
                overlapping++;
                const double d = kai_vec3_distance(s.centre[a], s.centre[b]);
                if (a % 7 && b % 7 && d > s.half[a].x + s.half[b].x) continue;
                touching++;
                assert_true(listed(&f.broad, a, b));
            }
        }
        pairs += f.broad.pair_count;
        s.h = 1e-3 * speed;
        for (size_t i = 0; i < count; i++)
            s.centre[i] = kai_vec3_mul_add(s.centre[i], s.velocity[i], s.h);
    }
    assert_true(touching > 0 && pairs >= touching);
    if (skin == 0.0) assert_true(pairs < overlapping && pairs < touching + touching / 20);
    scene_free(&s);
    finish(&f);
}

// Two balls that come closer along the diagonal, as far as their grown boxes let them.
static void check_diagonal(void)
{
    const double r = 1.0, skin = 0.05, way = 0.99 * skin;
    fixture f;
    scene s;
    start(&f);
    f.broad.skin = skin;
    scene_make(&s, 2);
    // Apart by a little less than both can go: √3 skin each.
    const double x = (2.0 * r + 1.9 * sqrt(3.0) * way) / sqrt(3.0);
    s.centre[1] = kai_vec3_make(x, x, x);
    for (size_t i = 0; i < 2; i++) {
        s.half[i] = kai_vec3_make(r, r, r);
        s.owner[i] |= KAI_BROAD_ROUND;
    }
    check_ok(kai_broad_update(&f.broad, 1, 2, fill, &s, true, &f.err));
    s.centre[0] = kai_vec3_make(way, way, way);
    s.centre[1] = kai_vec3_make(x - way, x - way, x - way);
    assert_true(kai_vec3_distance(s.centre[0], s.centre[1]) < 2.0 * r);
    check_ok(kai_broad_update(&f.broad, 1, 2, fill, &s, false, &f.err));
    assert_true(!f.broad.rebuilt && f.broad.pair_count == 1);
    scene_free(&s);
    finish(&f);
}

static void test_balls(void** state)
{
    (void)state;
    check_diagonal();
    run_balls(400, 1.0, 0.0, 0.0, EVEN, 1);
    run_balls(400, 1.0, 0.1, -1.0, EVEN, 300);
    run_balls(400, 1000.0, 1.0, -1.0, EVEN, 200);
    run_balls(300, 2.0, 0.2, 0.02, FAR, 200);
    run_balls(400, 3.0, 20.0, -1.0, CLUSTERED, 50);
}

// Threads -----------------------------------------------------------------------------------------

static void test_same_on_threads(void** state)
{
    (void)state;
    uint64_t* first[3] = {NULL};
    size_t count[3] = {0};
    for (int t = 0; t < CHOICES; t++) {
        fixture f;
        start(&f);
        scene s;
        scene_random(&s, 20000, CLUSTERED, 100.0, 3);
        for (int step = 0; step < 3; step++) {
            scene_step(&s, 5e-3, (uint64_t)step);
            check_ok(kai_broad_update(&f.broad, THREADS[t], s.count, fill, &s, true, &f.err));
            const size_t bytes = f.broad.pair_count * sizeof(uint64_t);
            if (t == 0) {
                first[step] = malloc(bytes + 1);
                assert_non_null(first[step]);
                memcpy(first[step], f.broad.pairs, bytes);
                count[step] = f.broad.pair_count;
                assert_true(f.broad.pair_count > 1000);
            }
            assert_int_equal(f.broad.pair_count, count[step]);
            assert_memory_equal(f.broad.pairs, first[step], bytes);
        }
        scene_free(&s);
        finish(&f);
    }
    for (int step = 0; step < 3; step++) free(first[step]);
}

// Memory, errors ----------------------------------------------------------------------------------

static void test_warm(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    scene s;
    scene_random(&s, 5000, EVEN, 2.0, 9);
    for (int step = 0; step < 3; step++)
        check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err));
    const uint64_t before = f.memory.allocations;
    for (int step = 0; step < 20; step++)
        check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err));
    assert_int_equal(f.memory.allocations, before);
    scene_free(&s);
    finish(&f);
}

static void test_no_memory(void** state)
{
    (void)state;
    scene s;
    scene_random(&s, 2000, EVEN, 100.0, 9);
    for (uint64_t fail_at = 1; fail_at < 8; fail_at++) {
        fixture f;
        start(&f);
        f.counter.fail_at = fail_at;
        const kai_result r = kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err);
        if (r != KAI_OK) {
            check_error(r, KAI_ERROR_MEMORY);
            assert_int_equal(f.broad.pair_count, 0);
            f.counter.fail_at = 0;
            check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, false, &f.err));
        }
        check_pairs(&f.broad, &s);
        finish(&f);
    }
    scene_free(&s);
}

static void test_not_a_number(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    scene s;
    scene_random(&s, 100, EVEN, 2.0, 9);
    check_ok(kai_broad_update(&f.broad, 2, s.count, fill, &s, true, &f.err));
    s.centre[42].y = (double)NAN;
    check_error(kai_broad_update(&f.broad, 2, s.count, fill, &s, false, &f.err),
                KAI_ERROR_DIVERGED);
    assert_string_equal(f.err.message, "the box of item 42 is not a number");
    scene_free(&s);
    finish(&f);
}

// Radix sort --------------------------------------------------------------------------------------

static void test_radix(void** state)
{
    (void)state;
    enum { MOST = 30000 };
    static uint64_t items[MOST], other[MOST];
    uint32_t* counts = malloc(KAI_RADIX_SCRATCH(16));
    assert_non_null(counts);
    const size_t sizes[] = {0, 1, 2, 100, 5000, MOST};
    const int low[] = {0, 15, 20}, high[] = {40, 16, 20};
    for (int t = 0; t < CHOICES; t++)
        for (int k = 0; k < 6; k++)
            for (int r = 0; r < 3; r++) {
                for (size_t i = 0; i < sizes[k]; i++) {
                    uint32_t words[4];
                    kai_random_words(HELPER_SEED, (uint64_t)r, i, words);
                    items[i] = (uint64_t)(words[0] & 0xffff) << 32 | words[1];
                }
                const uint64_t first = items[0];
                const uint64_t* sorted =
                    kai_radix_sort(items, other, sizes[k], low[r], high[r], THREADS[t], counts);
                const uint64_t mask = (UINT64_C(1) << (high[r] - low[r])) - 1;
                for (size_t i = 1; i < sizes[k]; i++)
                    assert_true((sorted[i - 1] >> low[r] & mask) <= (sorted[i] >> low[r] & mask));
                if (r == 2 && sizes[k]) assert_true(sorted == items && items[0] == first);
            }
    assert_int_equal(kai_radix_bits(0), 0);
    assert_int_equal(kai_radix_bits(1), 0);
    assert_int_equal(kai_radix_bits(2), 1);
    assert_int_equal(kai_radix_bits(1025), 11);
    free(counts);
}

// Order in space ----------------------------------------------------------------------------------

// Every item once, unbounded ones last, the same on any number of threads, and neighbours in the
// order near each other: 5,000 points in a cube of side 2 are 0.12 apart, in no order 1.3.
static void test_order(void** state)
{
    (void)state;
    enum { COUNT = 5000 };
    fixture f;
    start(&f);
    scene s;
    scene_random(&s, COUNT, FAR, 1.0, 8);
    s.half[17] = kai_vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    static uint32_t order[COUNT], first[COUNT];
    static uint8_t seen[COUNT];
    for (int t = 0; t < CHOICES; t++) {
        check_ok(kai_broad_order(&f.memory, THREADS[t], COUNT, fill, &s, order, &f.err));
        if (t == 0) memcpy(first, order, sizeof order);
        assert_memory_equal(order, first, sizeof order);
    }
    double way = 0.0;
    for (size_t k = 0; k < COUNT; k++) {
        assert_true(order[k] < COUNT && !seen[order[k]]);
        seen[order[k]] = 1;
        if (k > 0 && k + 1 < COUNT)
            way += kai_vec3_distance(s.centre[order[k]], s.centre[order[k - 1]]);
    }
    assert_int_equal(order[COUNT - 1], 17);
    assert_true(way / COUNT < 0.25);
    scene_free(&s);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_half_spaces),
        cmocka_unit_test(test_half_spaces_alone),
        cmocka_unit_test(test_same_on_threads),
        cmocka_unit_test(test_warm),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_radix),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
