// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/broad_order.h"

#include "base/parallel.h"
#include "proximity/radix.h"

#include <float.h>

enum { BLOCK = 256, AXIS_BITS = 10, CURVE_BITS = 3 * AXIS_BITS };

typedef struct ordering {
    kai_broad_fill_fn* fill;
    void* context;
    kai_vec3 origin;
    float (*bounds)[6];  // [threads] low, high of middles
    float low[3], scale; // of the curve's cube
    uint64_t* items;     // place on the curve << 32 | index
    const uint64_t* sorted;
    uint32_t* order;
} ordering;

// Three zero bits between the bits of x < 1024.
static uint64_t widen(uint64_t x)
{
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

static bool middle_of(const kai_broad_box* box, float middle[3])
{
    bool bounded = true;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5f * box->low[k] + 0.5f * box->high[k];
        bounded = bounded && middle[k] >= -FLT_MAX && middle[k] <= FLT_MAX;
    }
    return bounded;
}

static void bound_range(size_t begin, size_t end, int worker, void* context)
{
    const ordering* o = context;
    kai_broad_box boxes[BLOCK];
    float middle[3], *bounds = o->bounds[worker];
    o->fill(begin, end, o->origin, boxes, NULL, o->context);
    for (size_t i = 0; i < end - begin; i++) {
        if (!middle_of(&boxes[i], middle)) continue;
        for (int k = 0; k < 3; k++) {
            bounds[k] = fminf(bounds[k], middle[k]);
            bounds[3 + k] = fmaxf(bounds[3 + k], middle[k]);
        }
    }
}

static void place_range(size_t begin, size_t end, void* context)
{
    const ordering* o = context;
    kai_broad_box boxes[BLOCK];
    float middle[3];
    o->fill(begin, end, o->origin, boxes, NULL, o->context);
    for (size_t i = 0; i < end - begin; i++) {
        uint64_t place = UINT64_C(1) << CURVE_BITS;
        if (middle_of(&boxes[i], middle)) {
            place = 0;
            for (int k = 0; k < 3; k++) {
                const float c = (middle[k] - o->low[k]) * o->scale;
                const float cell = c >= 0.0f ? c <= 1023.0f ? c : 1023.0f : 0.0f;
                place |= widen((uint64_t)cell) << k;
            }
        }
        o->items[begin + i] = place << 32 | (begin + i);
    }
}

static void copy_range(size_t begin, size_t end, void* context)
{
    const ordering* o = context;
    for (size_t i = begin; i < end; i++) o->order[i] = (uint32_t)o->sorted[i];
}

// The cube around all middles, relative to the origin. Returns its largest offset over its width.
static double find_cube(ordering* o, int threads, size_t count)
{
    for (int t = 0; t < threads; t++)
        for (int k = 0; k < 3; k++) o->bounds[t][k] = HUGE_VALF, o->bounds[t][3 + k] = -HUGE_VALF;
    kai_parallel_for_workers(threads, count, BLOCK, bound_range, o);
    float width = 0.0f, off = 0.0f;
    for (int k = 0; k < 3; k++) {
        float low = HUGE_VALF, high = -HUGE_VALF;
        for (int t = 0; t < threads; t++) {
            low = fminf(low, o->bounds[t][k]);
            high = fmaxf(high, o->bounds[t][3 + k]);
        }
        o->low[k] = low;
        if (low > high) continue;
        width = fmaxf(width, high - low);
        off = fmaxf(off, fabsf(low));
    }
    o->scale = width > 0.0f ? 1024.0f / width : 0.0f;
    return width > 0.0f ? (double)off / (double)width : 0.0;
}

kai_result kai_broad_order(kai_memory* memory, int threads, size_t count, kai_broad_fill_fn* fill,
                           void* context, uint32_t* order, kai_error* err)
{
    if (threads < 1) threads = 1;
    const size_t bounds = ((size_t)threads * sizeof(float[6]) + 63) / 64 * 64;
    kai_broad_block block = {NULL, 0};
    KAI_TRY(
        kai_broad_reserve(memory, &block, bounds + 16 * count + KAI_RADIX_SCRATCH(threads), err));
    ordering o = {.fill = fill, .context = context, .bounds = block.data, .order = order};
    o.items = (uint64_t*)((char*)block.data + bounds);

    // Far from zero floats would lose what the curve needs: move the origin there.
    if (find_cube(&o, threads, count) > 16.0) {
        o.origin = kai_vec3_make((double)o.low[0], (double)o.low[1], (double)o.low[2]);
        find_cube(&o, threads, count);
    }
    kai_parallel_for(threads, count, BLOCK, place_range, &o);
    o.sorted = kai_radix_sort(o.items, o.items + count, count, 32, 32 + CURVE_BITS + 1, threads,
                              (uint32_t*)(o.items + 2 * count));
    kai_parallel_for(threads, count, 4096, copy_range, &o);
    kai_memory_release(memory, block.data, block.bytes);
    return KAI_OK;
}
