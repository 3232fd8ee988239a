// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/collision.h"
#include "model/collision_geometry.h"

enum { BLOCK = 4 };

typedef struct probing {
    const kai_world* world;
    const kai_query_probe* probes;
    size_t* first;   // [count + 1]: counts, then places
    uint32_t* items; // NULL: only count
} probing;

static void probe_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const probing* p = context;
    const kai_collision* c = p->world->collision;
    for (size_t i = begin; i < end; i++) {
        const size_t at = p->items ? p->first[i] : 0;
        const size_t room = p->items ? p->first[i + 1] - at : 0;
        const size_t n = kai_query_overlap(&c->query, &c->proximity, &p->probes[i],
                                           p->items ? p->items + at : NULL, room);
        if (!p->items) p->first[i] = n;
    }
}

static kai_result take_probe(const kai_world* world, const kai_collision_probe* probe, size_t i,
                             kai_geometry* geometry, kai_query_probe* out, kai_error* err)
{
    if (!probe->kind || !probe->params)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "probe %zu: %s is NULL", i,
                             probe->kind ? "params" : "kind");
    KAI_TRY(kai_kind_check(&probe->kind->kind, probe->params, err));
    const double norm2 = kai_quat_norm2(probe->rotation);
    if (!kai_vec3_is_finite(probe->at) || !(norm2 > 0.0) || !isfinite(norm2) ||
        !(probe->margin >= 0.0) || !(probe->reach >= 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "probe %zu: at and rotation must be finite, rotation not zero, margin "
                             "and reach >= 0",
                             i);
    KAI_TRY(
        kai_collision_geometry_make(probe->kind, probe->params, 0, probe->margin, geometry, err));
    *out = (kai_query_probe){.geometry = geometry,
                             .frame = {probe->at, kai_quat_normalize(probe->rotation)},
                             .reach = probe->reach,
                             .ignore = KAI_QUERY_NONE,
                             .mask = probe->mask ? probe->mask : UINT16_MAX};
    if (KAI_IS_NULL(probe->ignore)) return KAI_OK;
    const size_t slot = kai_bodies_slot(&world->bodies, probe->ignore);
    if (slot == SIZE_MAX)
        return kai_error_set(err, KAI_ERROR_ID, "body id %u is stale or from another world",
                             probe->ignore.index);
    out->ignore = (uint32_t)slot;
    return KAI_OK;
}

// Parts of one shape stand side by side: they become one.
static void show(const kai_world* world, const uint32_t* items, size_t count, size_t* first,
                 kai_shape* out)
{
    const kai_proximity_item* list = world->collision->proximity.items.data;
    const kai_store_entry* entries = world->shapes.entries.data;
    size_t next = 0, from = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t to = first[i + 1], begin = next;
        for (size_t k = from; k < to; k++) {
            const uint32_t id = list[items[k]].id;
            if (next > begin && out[next - 1].index == id) continue;
            out[next++] = (kai_shape){id, entries[id - 1].generation, world->tag};
        }
        from = to;
        first[i + 1] = next;
    }
}

static kai_result overlap(kai_world* world, const kai_collision_probe* probes, size_t count,
                          size_t* first, kai_shape* shapes, size_t capacity, kai_error* err)
{
    kai_query_probe* asked = kai_arena_take(&world->arena, count, sizeof *asked, err);
    kai_geometry* geometries = kai_arena_take(&world->arena, count, sizeof *geometries, err);
    if (!asked || !geometries) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++)
        KAI_TRY(take_probe(world, &probes[i], i, &geometries[i], &asked[i], err));
    KAI_TRY(kai_collision_prepare(world, err));
    probing p = {world, asked, first, NULL};
    kai_parallel_for(world->threads, count, BLOCK, probe_range, &p);
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t n = first[i];
        first[i] = total;
        total += n;
    }
    first[count] = total;
    if (total > capacity)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu shapes are touched; capacity is %zu", total,
                             capacity);
    p.items = kai_arena_take(&world->arena, total + 1, sizeof *p.items, err);
    if (!p.items) return KAI_ERROR_MEMORY;
    kai_parallel_for(world->threads, count, BLOCK, probe_range, &p);
    show(world, p.items, count, first, shapes);
    return KAI_OK;
}

kai_result kai_collision_overlap(kai_world* world, const kai_collision_probe* probes, size_t count,
                                 size_t* first, kai_shape* shapes, size_t capacity)
{
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = overlap(world, probes, count, first, shapes, capacity, &world->error);
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}
