// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "sense/sensors/sensor_rays.h"

#include "base/arena.h"
#include "base/error.h"
#include "model/collision/collision.h"
#include "model/world.h"

#include <math.h>

// Rays at a time: 9 MiB of rays and hits.
enum { BLOCK = 1 << 16 };

kai_result kai_sensor_rays_check(int64_t rows, int64_t columns, const double range[2],
                                 kai_error* err)
{
    if (!(range[0] < range[1]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "range is [%g, %g] m; the first must be below the second", range[0],
                             range[1]);
    if (rows * columns <= KAI_SENSOR_RAYS_MOST) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%lld x %lld pixels; must be at most %d",
                         (long long)columns, (long long)rows, KAI_SENSOR_RAYS_MOST);
}

typedef struct block {
    kai_collision_ray* rays;
    kai_collision_hit* hits;
    double* cosine; // [BLOCK] between ray and x axis
} block;

static void aim(const kai_sensor_rays* r, kai_frame frame, size_t first, size_t count, block* b)
{
    for (size_t i = 0; i < count; i++) {
        const kai_vec3 d = r->direction(r->context, (uint32_t)((first + i) / r->columns),
                                        (uint32_t)((first + i) % r->columns));
        b->cosine[i] = r->depth ? d.x : 1.0;
        b->rays[i] = (kai_collision_ray){.from = frame.position,
                                         .direction = kai_frame_vector_to_parent(frame, d),
                                         .length = r->range[1] / b->cosine[i],
                                         .ignore = r->place->body};
    }
}

static void read_hits(const kai_sensor_rays* r, const kai_sensor_view* view, size_t first,
                      size_t count, const block* b, float* pixels)
{
    for (size_t i = 0; i < count; i++) {
        double x = b->hits[i].distance * b->cosine[i];
        if (x < HUGE_VAL && r->noise > 0.0) x += r->noise * kai_sensor_noise(view, first + i);
        pixels[first + i] = x >= r->range[0] && x <= r->range[1] ? (float)x : INFINITY;
    }
}

static kai_result cast_blocks(const kai_sensor_rays* r, const kai_sensor_view* view, float* pixels,
                              kai_error* err)
{
    kai_world* world = view->world;
    const kai_frame frame = kai_sensor_frame(world, r->place);
    const size_t count = (size_t)r->rows * r->columns, most = count < BLOCK ? count : BLOCK;
    block b = {.rays = kai_arena_take(&world->arena, most, sizeof *b.rays, err),
               .hits = kai_arena_take(&world->arena, most, sizeof *b.hits, err),
               .cosine = kai_arena_take(&world->arena, most, sizeof *b.cosine, err)};
    if (!b.rays || !b.hits || !b.cosine) return KAI_ERROR_MEMORY;
    for (size_t first = 0; first < count; first += most) {
        const size_t n = count - first < most ? count - first : most;
        aim(r, frame, first, n, &b);
        const kai_result result = kai_collision_rays(world, b.rays, n, b.hits);
        if (result != KAI_OK) {
            if (err) *err = world->error;
            return result;
        }
        read_hits(r, view, first, n, &b, pixels);
    }
    return KAI_OK;
}

kai_result kai_sensor_rays_cast(const kai_sensor_rays* rays, const kai_sensor_view* view,
                                float* pixels, kai_error* err)
{
    kai_world* world = view->world;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = cast_blocks(rays, view, pixels, err);
    kai_arena_release(&world->arena, mark);
    return r;
}
