// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/trajectory_gather.h"

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

// What a loop over rows knows about all of them: the compiler makes a loop of its own of each case.
typedef struct sort {
    bool doubles;  // of numbers
    bool shifted;  // a body's own frame may not be its principal frame
    bool straight; // row i is slot i
    bool alike;    // rotations to compare with are equal
} sort;

// Row i: the arrays directly, since going through ids costs several times as much as the rest of
// a frame.
KAI_INLINE bool gather_body(const kai_trajectory_gather* g, const kai_world* world, size_t i,
                            sort s, bool spill)
{
    const kai_bodies* bodies = &world->bodies;
    const size_t slot = s.straight ? i : g->slot[i];
    kai_frame frame = {bodies->pose[slot].position, bodies->pose[slot].rotation};
    if (s.shifted && kai_bodies_is_offset(bodies, slot))
        frame = kai_frame_compose(frame, kai_bodies_offset(bodies, slot));
    const double x[4] = {frame.position.x, frame.position.y, frame.position.z, 0.0};
    const double q[4] = {frame.rotation.w, frame.rotation.x, frame.rotation.y, frame.rotation.z};
    if (g->position != NULL) put(g->position, s.doubles, 3 * i, x, 3, spill);
    if (g->rotation != NULL) put(g->rotation, s.doubles, 4 * i, q, 4, false);
    if (g->velocity != NULL) {
        kai_vec3 v = bodies->motion[slot].velocity;
        if (s.shifted && kai_bodies_is_offset(bodies, slot))
            v = kai_body_velocity(world, kai_bodies_id(bodies, slot));
        const double out[4] = {v.x, v.y, v.z, 0.0};
        put(g->velocity, s.doubles, 3 * i, out, 3, spill);
    }
    return g->still != NULL && differs(g->still, s.doubles, s.alike ? 0 : 4 * i, q);
}

// Rows [begin, end). The last one must not touch what belongs to another range.
KAI_INLINE bool gather_bodies(const kai_trajectory_gather* g, const kai_world* world, size_t begin,
                              size_t end, sort s)
{
    const kai_trajectory_gather local = *g;
    bool turned = false;
    for (size_t i = begin; i + 1 < end; i++) turned |= gather_body(&local, world, i, s, true);
    if (begin < end) turned |= gather_body(&local, world, end - 1, s, false);
    return turned;
}

// Positions of very many, of which none turns and all began alike: a line per body is read, and 12
// bytes are written. Rotations that are the same to the last bit of a double need no rounding to be
// compared.
KAI_CLONES
static bool gather_plain(const kai_pose* poses, float* restrict to, const float* still,
                         size_t begin, size_t end)
{
    const double(*pose)[8] = (const void*)poses;
    const double first[4] = {(double)still[0], (double)still[1], (double)still[2],
                             (double)still[3]};
    uint64_t other[4] = {0}, want[4];
    memcpy(want, first, sizeof want);
    for (size_t i = begin; i < end; i++) {
        float x[4];
        uint64_t q[4];
        for (int k = 0; k < 4; k++) x[k] = (float)pose[i][k];
        // Four at once, of which the next body overwrites the last.
        memcpy(to + 3 * i, x, (i + 1 < end ? 4 : 3) * sizeof *to);
        memcpy(q, &pose[i][4], sizeof q);
#pragma omp simd
        for (int k = 0; k < 4; k++) other[k] |= q[k] ^ want[k];
    }
    if ((other[0] | other[1] | other[2] | other[3]) == 0) return false;
    for (size_t i = begin; i < end; i++)
        if (differs(still, false, 0, &pose[i][4])) return true;
    return false;
}
_Static_assert(sizeof(kai_pose) == 8 * sizeof(double) &&
                   offsetof(kai_pose, rotation) == 4 * sizeof(double),
               "poses are read as rows");

// Rows [begin, end), on the calling thread.
static bool gather_rows(const kai_trajectory_gather* g, const kai_world* world, size_t begin,
                        size_t end)
{
    const bool shifted = world->bodies.offsets.items.count > 0, straight = g->slot == NULL;
    if (g->doubles)
        return gather_bodies(g, world, begin, end, (sort){true, true, straight, g->alike});
    if (shifted)
        return gather_bodies(g, world, begin, end, (sort){false, true, straight, g->alike});
    if (!straight) return gather_bodies(g, world, begin, end, (sort){.alike = g->alike});
    if (g->alike && g->position && g->still && !g->rotation && !g->velocity)
        return gather_plain(world->bodies.pose, g->position, g->still, begin, end);
    return gather_bodies(g, world, begin, end, (sort){.straight = true, .alike = g->alike});
}

static void gather_range(size_t begin, size_t end, void* data)
{
    context* c = data;
    if (gather_rows(c->gather, c->world, begin, end))
        atomic_store_explicit(&c->turned, 1, memory_order_relaxed);
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
