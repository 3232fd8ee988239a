// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bytes moved a box by a build, without the search (broad_search.c) and the sort of pairs
// (broad_pairs.c): tight boxes 32 + 4 written; grown 36 read, 32 written; cells 32 read, 8 written;
// radix sort 32 a pass (2 passes for a million packed boxes); sorted copy 8 + 32 read, 24 written:
// 280 in all, fetches for writing included. By an update without a build: 32 read, beside
// what fill reads.
#include "proximity/broad.h"

#include "base/parallel.h"
#include "proximity/broad_search.h"
#include "proximity/radix.h"

#include <float.h>
#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 4096, CHECK = 256 };

/// What one thread has seen; combined by sums of integers, minima and maxima, so the number of
/// threads does not show.
typedef struct sight {
    float low[3], high[3]; // bounds of bounded boxes
    uint64_t motion;       // sum of travel / size, in units of 2⁻²⁴
    uint64_t moving;       // boxes that are not fixed
    uint64_t fixed;
    size_t bad;  // first box that is not a number
    bool choosy; // some masks or owners rule out pairs
    kai_grid_bin bins[KAI_GRID_BINS];
} sight;

typedef struct build {
    kai_broad* broad;
    kai_broad_fill_fn* fill;
    void* context;
    int threads;
    size_t count;
    int index_bits;
    sight* sights;   // [threads]
    float* travel;   // [count], then what ball_of says
    uint64_t* items; // [count]
    double mean;     // of travel / size over moving boxes
    double horizon;  // steps that the skin shall last
    kai_broad_sorted sorted;
} build;

void kai_broad_init(kai_broad* broad, kai_memory* memory)
{
    *broad = (kai_broad){.memory = memory, .skin = -1.0};
}

kai_result kai_broad_reserve(kai_memory* memory, kai_broad_block* block, size_t bytes,
                             kai_error* err)
{
    if (bytes <= block->bytes) return KAI_OK;
    kai_memory_release(memory, block->data, block->bytes);
    *block = (kai_broad_block){kai_memory_allocate(memory, bytes), bytes};
    if (block->data) return KAI_OK;
    block->bytes = 0;
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu bytes of the broad phase",
                         bytes);
}

void kai_broad_free(kai_broad* broad)
{
    kai_broad_block* blocks[] = {&broad->boxes, &broad->found, &broad->work,
                                 &broad->rows,  &broad->table, &broad->halves};
    for (int k = 0; k < 6; k++) {
        kai_memory_release(broad->memory, blocks[k]->data, blocks[k]->bytes);
        *blocks[k] = (kai_broad_block){NULL, 0};
    }
    broad->built = false;
    broad->pairs = NULL;
    broad->pair_count = broad->count = broad->giant_count = 0;
}

size_t kai_broad_bytes(const kai_broad* broad)
{
    return broad->boxes.bytes + broad->found.bytes + broad->work.bytes + broad->rows.bytes +
           broad->table.bytes + broad->halves.bytes;
}

// Reuse -------------------------------------------------------------------------------------------

typedef struct containment {
    const kai_broad* broad;
    kai_broad_fill_fn* fill;
    void* context;
    atomic_bool left; // some box has left its grown one
} containment;

// Written so that NaN is outside.
static bool inside(const kai_broad_box* box, const kai_broad_box* grown)
{
    bool in = true;
    for (int k = 0; k < 3; k++) in = in & (box->low[k] >= grown->low[k]);
    for (int k = 0; k < 3; k++) in = in & (box->high[k] <= grown->high[k]);
    return in;
}

static void check_boxes(size_t begin, size_t end, void* context)
{
    containment* c = context;
    if (atomic_load_explicit(&c->left, memory_order_relaxed)) return;
    kai_broad_box boxes[CHECK];
    c->fill(begin, end, c->broad->origin, boxes, NULL, c->context);
    const kai_broad_box* grown = (const kai_broad_box*)c->broad->boxes.data + begin;
    bool in = true;
    for (size_t k = 0; k < end - begin; k++) in = in & inside(&boxes[k], &grown[k]);
    if (!in) atomic_store_explicit(&c->left, true, memory_order_relaxed);
}

// Half spaces are few.
static bool halves_inside(const build* b)
{
    const kai_broad* broad = b->broad;
    const kai_broad_half* grown = broad->halves.data;
    for (size_t k = 0; broad->half && k < broad->giant_count; k++) {
        if (kai_vec3_norm2(grown[k].normal) == 0.0) continue;
        const kai_broad_half half = broad->half(grown[k].item, broad->origin, b->context);
        if (!kai_broad_half_holds(&grown[k], &half, &broad->region)) return false;
    }
    return true;
}

static bool all_inside(const build* b)
{
    if (!halves_inside(b)) return false;
    containment c = {.broad = b->broad, .fill = b->fill, .context = b->context};
    const size_t known[2] = {b->broad->known_begin, b->broad->known_end};
    if (known[0] < known[1]) {
        // What is left is little.
        for (size_t i = 0; i < known[0]; i++) check_boxes(i, i + 1, &c);
        for (size_t i = known[1]; i < b->count; i++) check_boxes(i, i + 1, &c);
    } else {
        kai_parallel_for(b->threads, b->count, CHECK, check_boxes, &c);
    }
    return !atomic_load(&c.left);
}

// Tight boxes -------------------------------------------------------------------------------------

// As fminf and fmaxf where no operand is NaN, and compiled to one instruction.
static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

// Infinite when a side is, wherever the other one is.
static float size_of(const kai_broad_box* box)
{
    float size = 0.0f, farthest = 0.0f;
    for (int k = 0; k < 3; k++) {
        size = larger(size, box->high[k] - box->low[k]);
        farthest = larger(farthest, larger(fabsf(box->low[k]), fabsf(box->high[k])));
    }
    return farthest <= FLT_MAX ? size : HUGE_VALF;
}

static void fill_boxes(size_t begin, size_t end, int worker, void* context)
{
    build* b = context;
    sight* s = &b->sights[worker];
    kai_broad_box* boxes = b->broad->boxes.data;
    b->fill(begin, end, b->broad->origin, boxes + begin, b->travel + begin, b->context);
    for (size_t i = begin; i < end; i++) {
        const kai_broad_box* box = &boxes[i];
        const float size = size_of(box);
        for (int k = 0; k < 3; k++)
            if (!(box->low[k] <= box->high[k]) && i < s->bad) s->bad = i;
        if (!(size <= FLT_MAX)) continue;
        s->choosy |= box->mask != UINT16_MAX || box->family == 0;
        if (box->owner & KAI_BROAD_FIXED)
            s->fixed++;
        else {
            s->moving++;
            const float ratio = b->travel[i] / size;
            if (ratio > 0.0f) s->motion += (uint64_t)(smaller(ratio, 16.0f) * 0x1p24f);
        }
        for (int k = 0; k < 3; k++) {
            s->low[k] = smaller(s->low[k], box->low[k]);
            s->high[k] = larger(s->high[k], box->high[k]);
        }
    }
}

static void clear_sights(build* b)
{
    for (int t = 0; t < b->threads; t++) {
        sight* s = &b->sights[t];
        for (int k = 0; k < 3; k++) s->low[k] = HUGE_VALF, s->high[k] = -HUGE_VALF;
        s->motion = s->moving = s->fixed = 0;
        s->bad = SIZE_MAX;
        s->choosy = false;
    }
}

// Adds up what the threads have seen, into the first one's.
static const sight* join_sights(build* b)
{
    sight* sum = b->sights;
    for (int t = 1; t < b->threads; t++) {
        const sight* s = &b->sights[t];
        for (int k = 0; k < 3; k++) {
            sum->low[k] = smaller(sum->low[k], s->low[k]);
            sum->high[k] = larger(sum->high[k], s->high[k]);
        }
        sum->motion += s->motion;
        sum->moving += s->moving;
        sum->fixed += s->fixed;
        sum->choosy |= s->choosy;
        if (s->bad < sum->bad) sum->bad = s->bad;
    }
    return sum;
}

// Moves the origin to the middle of the boxes when it is far from it; returns whether it did.
static bool centre_origin(kai_broad* broad, const sight* s)
{
    double middle[3], widest = 0.0, off = 0.0;
    if (!(s->low[0] <= s->high[0])) return false;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * ((double)s->low[k] + (double)s->high[k]);
        widest = fmax(widest, (double)s->high[k] - (double)s->low[k]);
        off = fmax(off, fabs(middle[k]));
    }
    if (off <= 0.25 * widest) return false;
    broad->origin = kai_vec3_add(broad->origin, kai_vec3_make(middle[0], middle[1], middle[2]));
    return true;
}

static kai_result make_tight(build* b, kai_error* err)
{
    for (int round = 0; round < 2; round++) {
        clear_sights(b);
        kai_parallel_for_workers(b->threads, b->count, BLOCK, fill_boxes, b);
        const sight* s = join_sights(b);
        if (s->bad != SIZE_MAX)
            return kai_error_set(err, KAI_ERROR_DIVERGED, "the box of item %zu is not a number",
                                 s->bad);
        if (round > 0 || !centre_origin(b->broad, s)) break;
    }
    return KAI_OK;
}

// Grown boxes -------------------------------------------------------------------------------------

// With boxes of size d that travel u d a step, a skin of s d makes pairs that cost about s in every
// step, and lasts s / u steps before a build that costs about as much as ten pairs a box. The sum
// is least near s = √u, which lasts 1 / √u steps.
static void choose_horizon(build* b)
{
    const sight* s = b->sights;
    b->mean = s->moving ? (double)s->motion * 0x1p-24 / (double)s->moving : 0.0;
    b->horizon = b->mean > 0.0 ? fmin(fmax(1.0 / sqrt(b->mean), 1.0), 64.0) : 0.0;
}

// A box may travel as now for the horizon, one at rest as the mean does. The cap keeps a few fast
// ones from filling the scene.
static float skin_of(const build* b, const kai_broad_box* box, float travel)
{
    if (b->broad->skin >= 0.0) return (float)b->broad->skin * (1.0f + FLT_EPSILON);
    if (box->owner & KAI_BROAD_FIXED) return 0.0f;
    const double size = (double)size_of(box);
    if (!(size <= (double)FLT_MAX)) return 0.0f;
    if (b->horizon == 0.0) return (float)(0.02 * size);
    const double motion = fmax(travel > 0.0f ? (double)travel / size : 0.0, b->mean);
    return (float)(size * fmin(1.25 * b->horizon * motion + 0.002, 4.0));
}

// How far from the middle of its grown box a ball of this radius may reach: see broad.h. Floats
// have rounded both boxes outwards by less than what is added.
static float ball_of(const kai_broad_box* grown, float radius, float half)
{
    if (!(grown->owner & KAI_BROAD_ROUND) || !(half <= FLT_MAX)) return HUGE_VALF;
    float farthest = 0.0f;
    for (int k = 0; k < 3; k++)
        farthest = larger(farthest, larger(fabsf(grown->low[k]), fabsf(grown->high[k])));
    return (radius + 1.7320508f * (half - radius)) * (1.0f + 0x1p-20f) + 0x1p-19f * farthest;
}

static void grow_boxes(size_t begin, size_t end, int worker, void* context)
{
    build* b = context;
    sight* s = &b->sights[worker];
    kai_broad_box* boxes = b->broad->boxes.data;
    for (size_t i = begin; i < end; i++) {
        kai_broad_box* box = &boxes[i];
        // Owners that grow with every bounded box are all different, fixed or not. (The owner of
        // the box before is not written here.)
        const bool bounded = size_of(box) <= FLT_MAX;
        s->choosy |=
            i > 0 && KAI_BROAD_OWNER(box->owner) < KAI_BROAD_OWNER(boxes[i - 1].owner) + bounded;
        const float skin = skin_of(b, box, b->travel[i]), radius = 0.5f * size_of(box);
        for (int k = 0; skin > 0.0f && k < 3; k++) {
            // Rounded outwards once more: the skin is at least what it says.
            box->low[k] -= skin + fabsf(box->low[k]) * FLT_EPSILON;
            box->high[k] += skin + fabsf(box->high[k]) * FLT_EPSILON;
        }
        const float size = size_of(box);
        b->travel[i] = ball_of(box, radius, 0.5f * size);
        if (!(size <= FLT_MAX)) continue;
        kai_grid_bin* bin = &s->bins[kai_grid_bin_of(size)];
        bin->count++;
        bin->size = larger(bin->size, size);
        for (int k = 0; k < 3; k++) {
            bin->low[k] = smaller(bin->low[k], box->low[k]);
            bin->high[k] = larger(bin->high[k], box->high[k]);
        }
    }
}

static void bound_region(kai_broad_region* region, const kai_grid_bin* bins)
{
    for (int i = 0; i < 3; i++) region->low[i] = HUGE_VAL, region->high[i] = -HUGE_VAL;
    for (int k = 0; k < KAI_GRID_BINS; k++) {
        if (bins[k].count == 0) continue;
        for (int i = 0; i < 3; i++) {
            region->low[i] = fmin(region->low[i], (double)bins[k].low[i]);
            region->high[i] = fmax(region->high[i], (double)bins[k].high[i]);
        }
    }
}

static void make_grown(build* b)
{
    choose_horizon(b);
    for (int t = 0; t < b->threads; t++) {
        kai_grid_bin empty = {.count = 0, .size = 0.0f};
        for (int k = 0; k < 3; k++) empty.low[k] = HUGE_VALF, empty.high[k] = -HUGE_VALF;
        for (int k = 0; k < KAI_GRID_BINS; k++) b->sights[t].bins[k] = empty;
    }
    kai_parallel_for_workers(b->threads, b->count, BLOCK, grow_boxes, b);
    kai_grid_bin* sum = b->sights[0].bins;
    for (int t = 1; t < b->threads; t++) {
        b->sights[0].choosy |= b->sights[t].choosy;
        for (int k = 0; k < KAI_GRID_BINS; k++) {
            const kai_grid_bin* bin = &b->sights[t].bins[k];
            if (bin->count == 0) continue;
            sum[k].count += bin->count;
            sum[k].size = larger(sum[k].size, bin->size);
            for (int i = 0; i < 3; i++) {
                sum[k].low[i] = smaller(sum[k].low[i], bin->low[i]);
                sum[k].high[i] = larger(sum[k].high[i], bin->high[i]);
            }
        }
    }
    b->broad->plain = !b->sights[0].choosy && b->sights[0].fixed <= 1;
    bound_region(&b->broad->region, sum);
    kai_grid_choose(&b->broad->grid, sum, 63 - b->index_bits);
}

// Sorted boxes ------------------------------------------------------------------------------------

static void place_boxes(size_t begin, size_t end, void* context)
{
    build* b = context;
    const kai_broad_box* boxes = b->broad->boxes.data;
    for (size_t i = begin; i < end; i++)
        b->items[i] =
            kai_grid_place(&b->broad->grid, boxes[i].low, boxes[i].high, size_of(&boxes[i]))
                << b->index_bits |
            i;
}

static void copy_boxes(size_t begin, size_t end, void* context)
{
    build* b = context;
    const kai_broad_box* boxes = b->broad->boxes.data;
    const kai_grid* grid = &b->broad->grid;
    const uint64_t mask = (UINT64_C(1) << b->index_bits) - 1;
    int level = 0;
    for (size_t p = begin; p < end; p++) {
        // Boxes lie anywhere: ask for those of later turns now.
        __builtin_prefetch(&boxes[b->sorted.items[p + 16 < end ? p + 16 : p] & mask]);
        const kai_broad_box* box = &boxes[b->sorted.items[p] & mask];
        kai_broad_sides* sides = &b->sorted.sides[p];
        for (int k = 0; k < 3; k++) {
            sides->low[k] = box->low[k];
            sides->high[k] = box->high[k];
        }
        while (level < grid->level_count && p >= grid->levels[level].end) level++;
        if (level < grid->level_count)
            b->sorted.codes[p] = kai_broad_search_code(&grid->levels[level], box);
    }
}

// The first sorted box whose cell is not before `key`.
static size_t first_from(const build* b, uint64_t key)
{
    size_t begin = 0, end = b->count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (b->sorted.items[middle] >> b->index_bits < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// `work` holds the items in front and, behind them, the radix sort's other buffer, which then takes
// the codes of sorted boxes, and their sides.
static kai_result sort_boxes(build* b, kai_error* err)
{
    kai_broad* broad = b->broad;
    kai_grid* grid = &broad->grid;
    const size_t n = b->count;
    uint64_t *items = broad->work.data, *other = items + n;
    b->items = items;
    kai_parallel_for(b->threads, n, BLOCK, place_boxes, b);
    const uint64_t* result =
        kai_radix_sort(items, other, n, b->index_bits, b->index_bits + grid->key_bits, b->threads,
                       broad->table.data);
    if (result != items) memcpy(items, result, n * sizeof *items);

    kai_broad_sorted* sorted = &b->sorted;
    sorted->items = items;
    sorted->index_bits = b->index_bits;
    sorted->count = n;
    sorted->codes = other;
    sorted->balls = b->travel;
    sorted->sides = (kai_broad_sides*)(other + n + KAI_BROAD_LANES);
    memset(other + n, 0, KAI_BROAD_LANES * sizeof *other);
    for (int l = 0; l < grid->level_count; l++) {
        grid->levels[l].first = l ? grid->levels[l - 1].end : 0;
        grid->levels[l].end =
            first_from(b, l + 1 < grid->level_count ? grid->levels[l + 1].base : grid->giant);
    }
    sorted->giants = first_from(b, grid->giant);
    kai_parallel_for(b->threads, n, BLOCK, copy_boxes, b);
    const size_t rows = kai_broad_search_rows_size(grid, sorted);
    KAI_TRY(kai_broad_reserve(broad->memory, &broad->rows, rows * sizeof(uint32_t), err));
    sorted->rows = broad->rows.data;
    kai_broad_search_rows(grid, sorted, broad->rows.data);
    return KAI_OK;
}

// Half spaces -------------------------------------------------------------------------------------

// As that of a box, which is as large as the boxes would be if they filled the region.
static double half_skin(const build* b, const kai_broad_half* half, bool fixed)
{
    const kai_broad_region* r = &b->broad->region;
    if (b->broad->skin >= 0.0) return b->broad->skin;
    if (fixed || !(r->low[0] <= r->high[0])) return 0.0;
    double widest = 0.0;
    for (int k = 0; k < 3; k++) widest = fmax(widest, r->high[k] - r->low[k]);
    const double size = widest / cbrt((double)b->count);
    if (b->horizon == 0.0 || !(half->travel >= 0.0)) return 0.02 * size;
    return fmin(1.25 * b->horizon * half->travel + 0.002 * size, widest);
}

static kai_result make_halves(build* b, kai_error* err)
{
    kai_broad* broad = b->broad;
    const kai_broad_box* boxes = broad->boxes.data;
    const size_t first = b->sorted.giants;
    const uint64_t mask = (UINT64_C(1) << b->index_bits) - 1;
    broad->giant_count = b->count - first;
    KAI_TRY(kai_broad_reserve(broad->memory, &broad->halves,
                              broad->giant_count * sizeof(kai_broad_half), err));
    kai_broad_half* halves = broad->halves.data;
    for (size_t k = 0; k < broad->giant_count; k++) {
        const size_t i = b->sorted.items[first + k] & mask;
        bool unbounded = broad->half != NULL;
        for (int j = 0; j < 3; j++)
            unbounded = unbounded && boxes[i].low[j] < -FLT_MAX && boxes[i].high[j] > FLT_MAX;
        halves[k] = unbounded ? broad->half(i, broad->origin, b->context) : KAI_BROAD_HALF_ALL;
        halves[k].item = (uint32_t)i;
        if (!kai_broad_half_is_finite(&halves[k]))
            return kai_error_set(err, KAI_ERROR_DIVERGED,
                                 "the half space of item %zu is not a number", i);
        kai_broad_half_grow(&halves[k], &broad->region,
                            half_skin(b, &halves[k], boxes[i].owner & KAI_BROAD_FIXED));
    }
    return KAI_OK;
}

// Pairs -------------------------------------------------------------------------------------------

static kai_result find_pairs(build* b, kai_error* err)
{
    kai_broad* broad = b->broad;
    size_t count;
    for (;;) {
        const size_t capacity = broad->found.bytes / sizeof(uint64_t);
        count = kai_broad_search(broad, &b->sorted, b->threads, broad->found.data, capacity);
        if (count > UINT32_MAX)
            return kai_error_set(err, KAI_ERROR_LIMIT,
                                 "%zu boxes overlap in %zu pairs; most are %u", b->count, count,
                                 UINT32_MAX);
        if (count <= capacity) break;
        // The search is repeated with enough room: only while a scene warms up.
        KAI_TRY(kai_broad_reserve(broad->memory, &broad->found,
                                  (count + count / 32 + 64) * sizeof(uint64_t), err));
    }
    // As much room as `found` has: both grow together.
    KAI_TRY(kai_broad_reserve(broad->memory, &broad->work, broad->found.bytes, err));
    kai_broad_pairs_sort(broad->found.data, broad->work.data, count, b->count, b->threads,
                         broad->table.data);
    broad->pairs = broad->found.data;
    broad->pair_count = count;
    return KAI_OK;
}

static kai_result reserve(build* b, kai_error* err)
{
    kai_broad* broad = b->broad;
    const size_t n = b->count, threads = (size_t)b->threads;
    size_t table = threads * sizeof(sight);
    if (table < KAI_RADIX_SCRATCH(threads)) table = KAI_RADIX_SCRATCH(threads);
    const size_t pairs = kai_broad_pairs_table(n, b->threads);
    KAI_TRY(kai_broad_reserve(broad->memory, &broad->table, table > pairs ? table : pairs, err));
    KAI_TRY(kai_broad_reserve(broad->memory, &broad->boxes, n * sizeof(kai_broad_box), err));
    KAI_TRY(kai_broad_reserve(broad->memory, &broad->work,
                              n * (2 * sizeof(uint64_t) + sizeof(kai_broad_sides) + sizeof(float)) +
                                  KAI_BROAD_LANES * sizeof(uint64_t),
                              err));
    b->sights = broad->table.data;
    // Behind all that sorting writes.
    b->travel =
        (float*)((char*)broad->work.data + n * (2 * sizeof(uint64_t) + sizeof(kai_broad_sides)) +
                 KAI_BROAD_LANES * sizeof(uint64_t));
    return KAI_OK;
}

bool kai_broad_holds(kai_broad* broad, int threads, size_t count, kai_broad_fill_fn* fill,
                     void* context)
{
    const build b = {.broad = broad,
                     .fill = fill,
                     .context = context,
                     .count = count,
                     .threads = threads > 1 ? threads : 1};
    broad->rebuilt = false;
    if (!broad->built || count != broad->count || !all_inside(&b)) return false;
    broad->reuses++;
    return true;
}

kai_result kai_broad_build(kai_broad* broad, int threads, size_t count, kai_broad_fill_fn* fill,
                           void* context, kai_error* err)
{
    build b = {.broad = broad,
               .fill = fill,
               .context = context,
               .count = count,
               .threads = threads > 1 ? threads : 1,
               .index_bits = kai_radix_bits(count)};
    broad->built = broad->rebuilt = false;
    broad->pair_count = 0;
    broad->count = 0;
    if (count >= KAI_BROAD_ROUND)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu boxes; most are %u", count,
                             KAI_BROAD_ROUND - 1);
    broad->count = count;
    KAI_TRY(reserve(&b, err));
    KAI_TRY(make_tight(&b, err));
    make_grown(&b);
    KAI_TRY(sort_boxes(&b, err));
    KAI_TRY(make_halves(&b, err));
    KAI_TRY(find_pairs(&b, err));
    broad->built = broad->rebuilt = true;
    broad->builds++;
    return KAI_OK;
}

kai_result kai_broad_update(kai_broad* broad, int threads, size_t count, kai_broad_fill_fn* fill,
                            void* context, bool changed, kai_error* err)
{
    if (!changed && kai_broad_holds(broad, threads, count, fill, context)) return KAI_OK;
    return kai_broad_build(broad, threads, count, fill, context, err);
}
