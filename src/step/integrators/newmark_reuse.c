// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/newmark_reuse.h"

#include <string.h>

// What is carried: whether there is something, two weights, the times of rows and of elements, then
// of bodies of the system pose and motion (7 + 6 numbers each), then coordinates and velocities of
// nodes.
enum { HEAD = 5, BODY = 13 };

bool kai_newmark_reuse_possible(const kai_constraints* c)
{
    return c && c->elements.fea && !c->bounded && c->tangents.terms.count == 0 && !c->touch.room;
}

size_t kai_newmark_reuse_size(const kai_constraints* c)
{
    if (!kai_newmark_reuse_possible(c)) return 0;
    return HEAD + BODY * c->bodies.count + 2 * c->elements.fea->coordinates;
}

static void read_state(const kai_constraints* c, const kai_world* world, double* out)
{
    const uint32_t* slot = c->bodies.data;
    for (size_t i = 0; i < c->bodies.count; i++, out += BODY) {
        const kai_pose* p = &world->bodies.pose[slot[i]];
        const kai_motion* m = &world->bodies.motion[slot[i]];
        memcpy(out, &p->position, sizeof p->position);
        memcpy(out + 3, &p->rotation, sizeof p->rotation);
        memcpy(out + 7, &m->velocity, sizeof m->velocity);
        memcpy(out + 10, &m->spin, sizeof m->spin);
    }
    kai_fea_read(world, out, out + c->elements.fea->coordinates);
}

static void write_state(const kai_constraints* c, kai_world* world, const double* in)
{
    const uint32_t* slot = c->bodies.data;
    for (size_t i = 0; i < c->bodies.count; i++, in += BODY) {
        kai_pose* p = &world->bodies.pose[slot[i]];
        kai_motion* m = &world->bodies.motion[slot[i]];
        memcpy(&p->position, in, sizeof p->position);
        memcpy(&p->rotation, in + 3, sizeof p->rotation);
        memcpy(&m->velocity, in + 7, sizeof m->velocity);
        memcpy(&m->spin, in + 10, sizeof m->spin);
    }
    kai_fea_write(world, in, in + c->elements.fea->coordinates);
}

kai_result kai_newmark_reuse_note(kai_constraints* c, kai_world* world,
                                  const kai_fea_options* options, double time, kai_error* err)
{
    const size_t size = kai_newmark_reuse_size(c);
    if (c->kept.count != size) KAI_TRY(kai_array_resize(&c->kept, &world->memory, size, err));
    double* kept = c->kept.data;
    // Tangents that were no good, so that masses had to do alone, are not worth keeping.
    kept[0] = c->elements.fea->has_tangents ? 1.0 : 0.0;
    kept[1] = options->position;
    kept[2] = options->velocity;
    kept[3] = time;
    kept[4] = c->elements.fea->time; // tangents of loads may vary in it
    read_state(c, world, kept + HEAD);
    c->kept_factors = c->factors;
    return KAI_OK;
}

/// Finds the factors anew at the state they were first found for.
static kai_result find_again(kai_constraints* c, kai_world* world, const kai_fea_options* options,
                             kai_error* err)
{
    const size_t size = kai_newmark_reuse_size(c) - HEAD;
    const double* kept = c->kept.data;
    double* now = kai_arena_take(&world->arena, size, sizeof *now, err);
    if (!now) return KAI_ERROR_MEMORY;
    read_state(c, world, now);
    write_state(c, world, kept + HEAD);
    c->elements.fea->time = kept[4];
    kai_constraints_evaluate(c, world, kept[3]);
    kai_result r = kai_elements_find(&c->elements, world, options, err);
    if (r == KAI_OK) r = kai_constraints_factor(c, world, true, err);
    write_state(c, world, now);
    c->kept_factors = c->factors;
    return r;
}

kai_result kai_newmark_reuse_find(kai_constraints* c, kai_world* world,
                                  const kai_fea_options* options, bool* ready, kai_error* err)
{
    const double* kept = c->kept.data;
    *ready = kai_newmark_reuse_possible(c) && c->kept.count == kai_newmark_reuse_size(c) &&
             kept[0] == 1.0 && kept[1] == options->position && kept[2] == options->velocity;
    if (!*ready || (c->kept_factors > 0 && c->kept_factors == c->factors)) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = find_again(c, world, options, err);
    kai_arena_release(&world->arena, mark);
    return r;
}

void kai_newmark_reuse_forget(kai_constraints* c)
{
    if (c->kept.count > 0) *(double*)c->kept.data = 0.0;
}

void kai_newmark_reuse_read(const kai_constraints* c, double* out)
{
    const size_t size = kai_newmark_reuse_size(c);
    if (size == 0) return;
    if (c->kept.count == size)
        memcpy(out, c->kept.data, size * sizeof *out);
    else
        memset(out, 0, size * sizeof *out);
}

kai_result kai_newmark_reuse_write(kai_constraints* c, kai_world* world, const double* in,
                                   kai_error* err)
{
    const size_t size = kai_newmark_reuse_size(c);
    if (size == 0) return KAI_OK;
    // What the system holds already was carried here by the same steps.
    if (c->kept.count == size && memcmp(c->kept.data, in, size * sizeof *in) == 0) return KAI_OK;
    KAI_TRY(kai_array_resize(&c->kept, &world->memory, size, err));
    memcpy(c->kept.data, in, size * sizeof *in);
    c->kept_factors = 0;
    return KAI_OK;
}
