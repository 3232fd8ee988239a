// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A probe is made of pieces: one a shape, or one a convex part of a decomposed mesh. Each piece is
// asked about on its own; what the pieces of one probe touch is put together.
#include "model/check.h"
#include "model/collision/collision.h"
#include "model/collision/collision_geometry.h"
#include "model/shape.h"

#include <stdlib.h>

enum { BLOCK = 4 };

/// Instances of kinds that had to be prepared, and the pieces of all probes.
typedef struct probing {
    kai_world* world;
    const kai_collision_probe* probes;
    size_t count;
    const kai_shape_kind** kinds; // [count] tables in the store
    void** copies;                // [count] or NULL
    size_t* first_piece;          // [count + 1]
    kai_geometry* geometry;       // [pieces]
    kai_query_probe* pieces;      // [pieces]
    size_t* first;                // [pieces + 1]: counts, then places
    uint32_t* items;              // NULL: only count
} probing;

// Pieces -----------------------------------------------------------------------------------------

static kai_result check_probe(const kai_world* world, const kai_collision_probe* probe, size_t i,
                              kai_error* err)
{
    const bool of_body = !probe->kind;
    if (of_body ? KAI_IS_NULL(probe->body) : !probe->params)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "probe %zu: %s", i,
                             of_body ? "has neither a kind nor a body" : "params is NULL");
    if (!of_body) KAI_TRY(kai_kind_check(&probe->kind->kind, probe->params, err));
    const double norm2 = kai_quat_norm2(probe->rotation);
    if (!kai_vec3_is_finite(probe->at) || !(norm2 > 0.0 || of_body) || !isfinite(norm2) ||
        !(probe->margin >= 0.0) || !(probe->reach >= 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "probe %zu: at and rotation must be finite, rotation not zero, margin "
                             "and reach >= 0",
                             i);
    const kai_body bodies[] = {probe->body, probe->ignore};
    for (int k = 0; k < 2; k++) {
        if (KAI_IS_NULL(bodies[k]) || kai_bodies_slot(&world->bodies, bodies[k]) != SIZE_MAX)
            continue;
        return kai_error_set(err, KAI_ERROR_ID, "body id %u is stale or from another world",
                             bodies[k].index);
    }
    return KAI_OK;
}

/// Adds the pieces of one shape, or counts them when there is no room yet.
static kai_result add_shape(probing* p, size_t i, const kai_shape_kind* kind, const void* params,
                            double margin, kai_frame frame, size_t* next, kai_error* err)
{
    const kai_collision_probe* probe = &p->probes[i];
    const size_t parts = kai_collision_geometry_parts(kind, params);
    for (size_t part = 0; p->pieces && part < parts; part++) {
        kai_geometry* g = &p->geometry[*next + part];
        const kai_body unseen = probe->kind ? probe->ignore : probe->body;
        KAI_TRY(kai_collision_geometry_make(kind, params, part, margin + probe->margin, g, err));
        p->pieces[*next + part] = (kai_query_probe){.geometry = g,
                                                    .frame = frame,
                                                    .reach = probe->reach,
                                                    .ignore = KAI_QUERY_NONE,
                                                    .also_ignore = KAI_QUERY_NONE,
                                                    .mask = probe->mask ? probe->mask : UINT16_MAX};
        if (!KAI_IS_NULL(unseen))
            p->pieces[*next + part].ignore = (uint32_t)kai_bodies_slot(&p->world->bodies, unseen);
        if (!KAI_IS_NULL(probe->ignore))
            p->pieces[*next + part].also_ignore =
                (uint32_t)kai_bodies_slot(&p->world->bodies, probe->ignore);
    }
    *next += parts;
    return KAI_OK;
}

static kai_result add_body(probing* p, size_t i, size_t* next, kai_error* err)
{
    const kai_world* world = p->world;
    const kai_collision_probe* probe = &p->probes[i];
    const bool here = kai_quat_norm2(probe->rotation) == 0.0;
    const kai_frame given = {probe->at, kai_quat_normalize(probe->rotation)};
    const kai_frame own = here ? kai_body_frame(world, probe->body) : given;
    const size_t slot = kai_bodies_slot(&world->bodies, probe->body);
    for (uint32_t s = kai_bodies_cold_of(&world->bodies, slot).first_shape; s != 0;) {
        const kai_shape_record record = kai_shape_record_of(world, s);
        const kai_store_entry* entry = kai_store_entry_of(&world->shapes, s);
        const kai_store_batch* batch = &world->shapes.batches[entry->batch];
        const kai_frame place = kai_frames_at(&world->shape_frames, record.frame);
        KAI_TRY(add_shape(p, i, (const kai_shape_kind*)(const void*)batch->kind,
                          kai_array_at(&batch->items, entry->slot), record.margin,
                          kai_frame_compose(own, place), next, err));
        s = record.next;
    }
    return KAI_OK;
}

static kai_result add_pieces(probing* p, kai_error* err)
{
    size_t next = 0;
    for (size_t i = 0; i < p->count; i++) {
        const kai_collision_probe* probe = &p->probes[i];
        p->first_piece[i] = next;
        if (!probe->kind) {
            KAI_TRY(add_body(p, i, &next, err));
            continue;
        }
        const kai_frame frame = {probe->at, kai_quat_normalize(probe->rotation)};
        const void* params = p->copies[i] ? p->copies[i] : probe->params;
        KAI_TRY(add_shape(p, i, p->kinds[i], params, 0.0, frame, &next, err));
    }
    p->first_piece[p->count] = next;
    return KAI_OK;
}

static kai_result make_pieces(probing* p, kai_error* err)
{
    kai_arena* arena = &p->world->arena;
    KAI_TRY(add_pieces(p, err));
    const size_t n = p->first_piece[p->count];
    p->geometry = kai_arena_take(arena, n + 1, sizeof *p->geometry, err);
    p->first = kai_arena_take(arena, n + 1, sizeof *p->first, err);
    p->pieces = kai_arena_take(arena, n + 1, sizeof *p->pieces, err);
    if (!p->geometry || !p->first || !p->pieces) return KAI_ERROR_MEMORY;
    return add_pieces(p, err);
}

// Answers ----------------------------------------------------------------------------------------

static void probe_range(size_t begin, size_t end, void* context)
{
    const probing* p = context;
    const kai_collision* c = p->world->collision;
    for (size_t i = begin; i < end; i++) {
        const size_t at = p->items ? p->first[i] : 0;
        const size_t room = p->items ? p->first[i + 1] - at : 0;
        const size_t n = kai_query_overlap(&c->query, &c->proximity, &p->pieces[i],
                                           p->items ? p->items + at : NULL, room);
        if (!p->items) p->first[i] = n;
    }
}

static kai_result ask(probing* p, kai_error* err)
{
    const size_t n = p->first_piece[p->count];
    KAI_TRY(kai_collision_prepare(p->world, err));
    kai_parallel_for(p->world->threads, n, BLOCK, probe_range, p);
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t found = p->first[i];
        p->first[i] = total;
        total += found;
    }
    p->first[n] = total;
    p->items = kai_arena_take(&p->world->arena, total + 1, sizeof *p->items, err);
    if (!p->items) return KAI_ERROR_MEMORY;
    kai_parallel_for(p->world->threads, n, BLOCK, probe_range, p);
    return KAI_OK;
}

static int compare(const void* x, const void* y)
{
    const uint32_t a = *(const uint32_t*)x, b = *(const uint32_t*)y;
    return a < b ? -1 : a > b;
}

/// What the pieces of a probe touch, in the order of items; parts of one shape stand side by side
/// and become one. Only counts when there is no room.
static void show(const probing* p, size_t* first, kai_shape* out)
{
    const kai_proximity* list = &p->world->collision->proximity;
    size_t next = 0;
    for (size_t i = 0; i < p->count; i++) {
        const size_t from = p->first[p->first_piece[i]], to = p->first[p->first_piece[i + 1]];
        const bool several = p->first_piece[i + 1] - p->first_piece[i] > 1;
        if (several && to > from + 1) qsort(p->items + from, to - from, sizeof *p->items, compare);
        first[i] = next;
        uint32_t last = 0;
        for (size_t k = from; k < to; k++) {
            const uint32_t id = kai_proximity_item_at(list, p->items[k]).id;
            if (id == last) continue;
            if (out)
                out[next] = (kai_shape){id, kai_store_entry_of(&p->world->shapes, id)->generation,
                                        p->world->tag};
            last = id;
            next++;
        }
    }
    first[p->count] = next;
}

static kai_result overlap(probing* p, size_t* first, kai_shape* shapes, size_t capacity,
                          kai_error* err)
{
    for (size_t i = 0; i < p->count; i++) {
        const kai_collision_probe* probe = &p->probes[i];
        KAI_TRY(check_probe(p->world, probe, i, err));
        if (!probe->kind) continue;
        p->kinds[i] = kai_store_table(&p->world->shapes, probe->kind, err);
        if (!p->kinds[i]) return KAI_ERROR_ARGUMENT;
        if (p->kinds[i]->prepare || p->kinds[i]->surface || p->kinds[i]->kind.given > 0)
            KAI_TRY(
                kai_shape_copy(p->kinds[i], probe->params, &p->world->memory, &p->copies[i], err));
    }
    KAI_TRY(make_pieces(p, err));
    KAI_TRY(ask(p, err));
    show(p, first, NULL);
    if (first[p->count] > capacity)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu shapes are touched; capacity is %zu",
                             first[p->count], capacity);
    show(p, first, shapes);
    return KAI_OK;
}

kai_result kai_collision_overlap(kai_world* world, const kai_collision_probe* probes, size_t count,
                                 size_t* first, kai_shape* shapes, size_t capacity)
{
    KAI_CHANGE(world, first);
    if (count > 0) KAI_READ(world, probes);
    if (capacity > 0) KAI_READ(world, shapes);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    probing p = {.world = world, .probes = probes, .count = count};
    kai_result r = KAI_ERROR_MEMORY;
    p.copies = kai_arena_take(&world->arena, count + 1, sizeof *p.copies, &world->error);
    p.first_piece = kai_arena_take(&world->arena, count + 1, sizeof *p.first_piece, &world->error);
    p.kinds = kai_arena_take(&world->arena, count + 1, sizeof *p.kinds, &world->error);
    if (p.copies && p.first_piece && p.kinds) {
        for (size_t i = 0; i < count; i++) p.copies[i] = NULL;
        r = overlap(&p, first, shapes, capacity, &world->error);
        for (size_t i = 0; i < count; i++)
            if (p.copies[i]) kai_shape_copy_free(p.kinds[i], p.copies[i], &world->memory);
    }
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}
