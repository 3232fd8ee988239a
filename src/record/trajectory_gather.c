// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory_gather.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "model/world.h"

#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 4096 };

typedef struct context {
    const kai_trajectory_gather* gather;
    const kai_world* world;
    atomic_int turned;
} context;

// Numbers from `at` on of a column, in its precision. `spill`: a fourth number may be written after
// three, since the next body overwrites it; four at once are one instruction.
KAI_INLINE void put(void* column, bool doubles, size_t at, const double values[4], size_t width,
                    bool spill)
{
    if (doubles) {
        memcpy((double*)column + at, values, width * sizeof *values);
        return;
    }
    float* to = (float*)column + at;
    if (spill) width = 4;
    for (size_t c = 0; c < width; c++) to[c] = (float)values[c];
}

KAI_INLINE bool differs(const void* column, bool doubles, size_t at, const double q[4])
{
    if (doubles) return memcmp((const double*)column + at, q, 4 * sizeof *q) != 0;
    float now[4];
    uint64_t a[2], b[2];
    for (size_t c = 0; c < 4; c++) now[c] = (float)q[c];
    memcpy(a, now, sizeof a);
    memcpy(b, (const float*)column + at, sizeof b);
    return ((a[0] ^ b[0]) | (a[1] ^ b[1])) != 0;
}

// Row i: the arrays directly, since going through ids costs several times as much as the rest of
// a frame. `shifted`: its own frame may not be its principal frame.
KAI_INLINE bool gather_body(const kai_trajectory_gather* g, const kai_world* world, size_t i,
                            bool doubles, bool shifted, bool spill)
{
    const kai_bodies* bodies = &world->bodies;
    const size_t slot = g->slot[i];
    kai_frame frame = {bodies->pose[slot].position, bodies->pose[slot].rotation};
    kai_vec3 v = bodies->motion[slot].velocity;
    if (shifted && kai_bodies_is_offset(bodies, slot)) {
        frame = kai_frame_compose(frame, kai_bodies_offset(bodies, slot));
        if (g->velocity != NULL) v = kai_body_velocity(world, kai_bodies_id(bodies, slot));
    }
    const double x[4] = {frame.position.x, frame.position.y, frame.position.z, 0.0};
    const double q[4] = {frame.rotation.w, frame.rotation.x, frame.rotation.y, frame.rotation.z};
    if (g->position != NULL) put(g->position, doubles, 3 * i, x, 3, spill);
    if (g->rotation != NULL) put(g->rotation, doubles, 4 * i, q, 4, false);
    if (g->velocity != NULL)
        put(g->velocity, doubles, 3 * i, (const double[4]){v.x, v.y, v.z, 0.0}, 3, spill);
    return g->still != NULL && differs(g->still, doubles, 4 * i, q);
}

// Rows [begin, end). The last one must not touch what belongs to another range.
KAI_INLINE bool gather_bodies(const kai_trajectory_gather* g, const kai_world* world, size_t begin,
                              size_t end, bool doubles, bool shifted)
{
    const kai_trajectory_gather local = *g;
    bool turned = false;
    for (size_t i = begin; i + 1 < end; i++)
        turned |= gather_body(&local, world, i, doubles, shifted, true);
    if (begin < end) turned |= gather_body(&local, world, end - 1, doubles, shifted, false);
    return turned;
}

static void gather_range(size_t begin, size_t end, int worker, void* data)
{
    (void)worker;
    context* c = data;
    const kai_trajectory_gather* g = c->gather;
    const bool shifted = c->world->bodies.offsets.items.count > 0;
    bool turned;
    if (g->doubles)
        turned = gather_bodies(g, c->world, begin, end, true, shifted);
    else if (shifted)
        turned = gather_bodies(g, c->world, begin, end, false, true);
    else
        turned = gather_bodies(g, c->world, begin, end, false, false);
    if (turned) atomic_store_explicit(&c->turned, 1, memory_order_relaxed);
}

bool kai_trajectory_gather_world(const kai_trajectory_gather* gather, const kai_world* world)
{
    context c = {.gather = gather, .world = world};
    kai_parallel_for(world->threads, world->bodies.count, BLOCK, gather_range, &c);
    return atomic_load(&c.turned) != 0;
}

void kai_trajectory_gather_ids(const kai_world* world, const uint32_t* slot, uint32_t* id)
{
    for (size_t i = 0; i < world->bodies.count; i++) id[i] = world->bodies.owner[slot[i]];
}
