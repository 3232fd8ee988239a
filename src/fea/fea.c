// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The layout. Forces and tangents: fea_forces.c; mass and energy: fea_mass.c.
#include "fea/fea.h"

#include "base/error.h"
#include "base/stop.h"
#include "fea/fea_mass.h"
#include "math/dense.h"
#include "model/collision/collision.h"
#include "model/part.h"

#include <stdlib.h>
#include <string.h>

static void free_fea(kai_world* world, void* data)
{
    kai_fea* f = data;
    kai_array* all[] = {&f->batches,    &f->first,       &f->ends,         &f->bodies,
                        &f->data,       &f->solids,      &f->forces,       &f->tangents,
                        &f->masses,     &f->damping,     &f->gather_first, &f->gather,
                        &f->mass_first, &f->mass_column, &f->mass_value,   &f->damping_value,
                        &f->force,      &f->weight,      &f->touching,     &f->slopes};
    for (size_t i = 0; i < KAI_COUNT(all); i++) kai_array_free(all[i], &world->memory);
    world->fea = NULL;
}

static kai_result init_fea(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)err;
    kai_fea* f = data;
    f->batches = kai_array_make(sizeof(kai_fea_batch));
    f->first = f->ends = f->bodies = f->gather_first = f->gather = f->mass_first = f->mass_column =
        kai_array_make(sizeof(uint32_t));
    f->data = f->forces = f->tangents = f->masses = f->damping = f->mass_value = f->damping_value =
        f->force = f->weight = kai_array_make(sizeof(double));
    f->solids = kai_array_make(sizeof(kai_solid_view));
    f->touching = kai_array_make(sizeof(kai_fea_touch));
    f->slopes = kai_array_make(sizeof(uint8_t));
    world->fea = f;
    return KAI_OK;
}

static kai_result create(kai_world* world, kai_error* err)
{
    static const kai_part PART = {
        .name = "finite elements", .size = sizeof(kai_fea), .init = init_fea, .free = free_fea};
    return world->fea ? KAI_OK : kai_part_attach(world, &PART, NULL, err);
}

/// First coordinate of every node.
static kai_result number_nodes(kai_fea* f, kai_world* world, kai_error* err)
{
    const kai_node_record* nodes = kai_node_all(world);
    KAI_TRY(kai_array_resize(&f->first, &world->memory, world->nodes.count + 1, err));
    uint32_t *first = f->first.data, sum = 0;
    for (size_t i = 0; i < world->nodes.count; i++) {
        first[i] = sum;
        sum += (uint32_t)kai_node_size(&nodes[i]);
    }
    first[world->nodes.count] = sum;
    f->coordinates = sum;
    return kai_array_resize(&f->force, &world->memory, sum, err);
}

/// The batches that have elements, and where their things begin.
static kai_result list_batches(kai_fea* f, kai_world* world, kai_error* err)
{
    kai_memory* m = &world->memory;
    size_t elements = 0, ends = 0, forces = 0, tangents = 0, masses = 0, data = 0, solids = 0;
    f->batches.count = 0;
    for (size_t b = 0; b < world->elements.batch_count; b++) {
        const kai_store_batch* items = &world->elements.batches[b];
        const kai_element_kind* kind = kai_element_kind_at(items);
        const size_t count = items->items.count, rows = kai_element_rows(kind);
        const size_t vectors = kind->slopes < 0 || !kind->mass ? 0 : rows / 3;
        if (count == 0) continue;
        const kai_fea_batch batch = {.kind = kind,
                                     .batch = (uint32_t)b,
                                     .count = (uint32_t)count,
                                     .first_element = elements,
                                     .rows = rows,
                                     .coordinates = kai_element_coordinates(kind),
                                     .first_end = ends,
                                     .first_force = forces,
                                     .first_tangent = tangents,
                                     .first_mass = masses,
                                     .first_data = data,
                                     .first_solid = solids};
        KAI_TRY(kai_array_append(&f->batches, m, &batch, 1, err));
        elements += count;
        ends += count * (size_t)kind->nodes;
        forces += count * rows;
        tangents += count * rows * rows;
        masses += count * vectors * vectors;
        data += count * kind->data_size / 8;
        solids += count * (size_t)kind->solids;
    }
    if (tangents / 3 >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu elements; too many for one world",
                             world->elements.count);
    KAI_TRY(kai_array_resize(&f->ends, m, ends, err));
    KAI_TRY(kai_array_resize(&f->slopes, m, ends, err));
    KAI_TRY(kai_array_resize(&f->forces, m, forces, err));
    KAI_TRY(kai_array_resize(&f->masses, m, masses, err));
    KAI_TRY(kai_array_resize(&f->data, m, data, err));
    KAI_TRY(kai_array_resize(&f->solids, m, solids, err));
    return kai_array_resize(&f->damping, m, world->elements.count, err);
}

static int by_number(const void* a, const void* b)
{
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

/// Slots of the nodes of all elements, and of the bodies among them.
static kai_result list_ends(kai_fea* f, kai_world* world, kai_error* err)
{
    uint32_t* end = f->ends.data;
    uint8_t* slope = f->slopes.data;
    f->bodies.count = 0;
    const kai_fea_batch* batches = f->batches.data;
    for (size_t b = 0; b < f->batches.count; b++) {
        const kai_element_kind* kind = batches[b].kind;
        const char* instance = world->elements.batches[batches[b].batch].items.data;
        for (size_t i = 0; i < batches[b].count; i++, instance += kind->kind.size) {
            for (int k = 0; k < kind->nodes; k++, end++, slope++) {
                *slope = 0;
                if (kind->slopes >= 0) {
                    const kai_node* nodes = (const kai_node*)(const void*)instance;
                    *end = kai_node_slot(world, nodes[k]);
                    *slope = kai_element_slope(world, kind, nodes, k);
                    continue;
                }
                *end = (uint32_t)kai_bodies_slot(&world->bodies,
                                                 ((const kai_body*)(const void*)instance)[k]);
                KAI_TRY(kai_array_append(&f->bodies, &world->memory, end, 1, err));
            }
        }
    }
    uint32_t* bodies = f->bodies.data;
    size_t kept = 0;
    if (f->bodies.count > 1) qsort(bodies, f->bodies.count, sizeof *bodies, by_number);
    for (size_t i = 0; i < f->bodies.count; i++)
        if (kept == 0 || bodies[kept - 1] != bodies[i]) bodies[kept++] = bodies[i];
    f->bodies.count = kept;
    return KAI_OK;
}

/// What kinds keep of each element, and mass.
static kai_result prepare(kai_fea* f, kai_world* world, kai_error* err)
{
    const kai_fea_batch* batches = f->batches.data;
    double* damping = f->damping.data;
    f->damped = false;
    for (size_t b = 0; b < f->batches.count; b++) {
        const kai_element_kind* kind = batches[b].kind;
        char* data = (char*)((double*)f->data.data + batches[b].first_data);
        kai_solid_view* solids = (kai_solid_view*)f->solids.data + batches[b].first_solid;
        for (size_t i = 0; i < batches[b].count; i++, data += kind->data_size) {
            KAI_TRY(kai_stop_check(world->stop, err));
            KAI_TRY(kai_element_prepare(world, batches[b].batch, i, data, solids, err));
            *damping = 0.0;
            for (int k = kind->solids - 1; k >= 0; k--) // that of the first solid given
                if (solids[k].kind) *damping = kai_solid_view_base(&solids[k])->mass_damping;
            f->damped |= *damping++ > 0.0;
            solids += kind->solids;
        }
    }
    return KAI_OK;
}

/// The vector that local vector j of an element adds to.
static uint32_t vector_of(const kai_fea* f, const kai_fea_batch* batch, const uint32_t* ends,
                          size_t j)
{
    if (batch->kind->slopes >= 0) return kai_fea_vector(f, batch, ends, j);
    const uint32_t* body =
        bsearch(&ends[j / 2], f->bodies.data, f->bodies.count, sizeof *body, by_number);
    return (uint32_t)(f->coordinates / 3 + 2 * (size_t)(body - (const uint32_t*)f->bodies.data) +
                      j % 2);
}

/// Which places each vector adds up: a counting sort, which keeps the order of elements.
static kai_result plan_sums(kai_fea* f, kai_world* world, kai_error* err)
{
    const size_t vectors = f->coordinates / 3 + 2 * f->bodies.count, places = f->forces.count / 3;
    const kai_fea_batch* batches = f->batches.data;
    KAI_TRY(kai_array_resize(&f->gather_first, &world->memory, vectors + 2, err));
    KAI_TRY(kai_array_resize(&f->gather, &world->memory, places, err));
    uint32_t *first = f->gather_first.data, *gather = f->gather.data;
    memset(first, 0, (vectors + 2) * sizeof *first);
    for (int pass = 0; pass < 2; pass++) {
        uint32_t place = 0;
        for (size_t b = 0; b < f->batches.count; b++) {
            const uint32_t* ends = (const uint32_t*)f->ends.data + batches[b].first_end;
            for (size_t i = 0; i < batches[b].count; i++, ends += batches[b].kind->nodes) {
                for (size_t j = 0; j < batches[b].rows / 3; j++, place++) {
                    const uint32_t v = vector_of(f, &batches[b], ends, j);
                    if (pass == 0)
                        first[v + 2]++;
                    else
                        gather[first[v + 1]++] = place;
                }
            }
        }
        // Before the second pass first[v + 1] is where v begins; after it, where it ends.
        for (size_t v = 2; pass == 0 && v < vectors + 2; v++) first[v] += first[v - 1];
    }
    return KAI_OK;
}

/// What a push on single nodes of an element meets, against its share of the weight, goes to
/// `ratio` [nodes of the element]. Of elements that are linear along each side a node alone has
/// 1/2ⁿ, and all of them pushed to and fro 1/3ⁿ: the power below.
static void find_ratios(const kai_fea_batch* batch, const double* mass, double* ratio)
{
    const int m = (int)(batch->rows / 3), each = 1 + batch->kind->slopes;
    double l[KAI_ELEMENT_ROWS / 3 * (KAI_ELEMENT_ROWS / 3)], x[KAI_ELEMENT_ROWS / 3];
    memcpy(l, mass, (size_t)(m * m) * sizeof *l);
    const bool good = kai_dense_cholesky(m, l, m);
    for (int k = 0; k < batch->kind->nodes; k++) {
        double weight = 0.0;
        for (int j = 0; j < m; j += each) weight += mass[k * each * m + j];
        memset(x, 0, (size_t)m * sizeof *x);
        x[k * each] = 1.0;
        if (good) kai_dense_cholesky_solve(m, l, m, x);
        const double alone = good && weight > 0.0 ? 1.0 / (x[k * each] * weight) : 0.1;
        ratio[k] = pow(fmin(alone, 1.0), log(3.0) / log(2.0));
    }
}

/// The least of these ratios at every node [nodes], 1 where there is no element.
static void find_least_ratios(const kai_fea* f, double* least, size_t nodes)
{
    const kai_fea_batch* batches = f->batches.data;
    for (size_t i = 0; i < nodes; i++) least[i] = 1.0;
    for (size_t b = 0; b < f->batches.count; b++) {
        const size_t m = batches[b].rows / 3, count = (size_t)batches[b].kind->nodes;
        if (batches[b].kind->slopes < 0 || !batches[b].kind->mass) continue;
        for (size_t i = 0; i < batches[b].count; i++) {
            const uint32_t* ends = (const uint32_t*)f->ends.data + batches[b].first_end + i * count;
            double ratio[KAI_ELEMENT_NODES];
            find_ratios(&batches[b],
                        (const double*)f->masses.data + batches[b].first_mass + i * m * m, ratio);
            for (size_t k = 0; k < count; k++) least[ends[k]] = fmin(least[ends[k]], ratio[k]);
        }
    }
}

/// Tells pieces of surfaces what their nodes weigh: likewise.
static void weigh_surface(const kai_fea* f, kai_world* world, const kai_patch* s,
                          const double* least)
{
    const kai_node_record* nodes = kai_node_all(world);
    const kai_patch_facet* pieces = s->facets.data;
    for (size_t i = 0; i < s->facets.count; i++) {
        double mass[KAI_PATCH_ENDS] = {0.0};
        for (int k = 0; k < pieces[i].count; k++) {
            const uint32_t end = pieces[i].ends[k];
            if (pieces[i].frames) {
                mass[k] = kai_bodies_mass_of(&world->bodies, end)->mass;
                continue;
            }
            const uint32_t first = ((const uint32_t*)f->first.data)[end];
            if (!kai_node_is_fixed(&nodes[end]))
                mass[k] = least[end] * ((const double*)f->weight.data)[first / 3];
        }
        kai_patch_set_mass(world, &pieces[i], mass);
    }
}

/// Nodes that can touch things. Their bodies get no more mass than a push on nodes meets, so that
/// what the cone solver does with them is never too much for the elements.
static kai_result list_touching(kai_fea* f, kai_world* world, kai_error* err)
{
    const kai_node_record* nodes = kai_node_all(world);
    f->touching.count = 0;
    size_t touching = 0;
    for (size_t i = 0; i < world->nodes.count; i++) touching += !KAI_IS_NULL(nodes[i].contact);
    kai_patch* surface;
    KAI_TRY(kai_collision_surface(world, &surface, err));
    if (touching == 0 && !surface) return KAI_OK;
    double* least = kai_arena_take(&world->arena, world->nodes.count, sizeof *least, err);
    if (!least) return KAI_ERROR_MEMORY;
    find_least_ratios(f, least, world->nodes.count);
    if (surface) weigh_surface(f, world, surface, least);
    for (size_t i = 0; i < world->nodes.count; i++) {
        if (KAI_IS_NULL(nodes[i].contact)) continue;
        const size_t slot = kai_bodies_slot(&world->bodies, nodes[i].contact);
        if (slot == SIZE_MAX) continue; // it was destroyed
        const uint32_t first = ((const uint32_t*)f->first.data)[i];
        kai_fea_touch touch = {.node = (uint32_t)i, .body = (uint32_t)slot, .first = first};
        touch.mass = least[i] * ((const double*)f->weight.data)[first / 3];
        const bool fixed = kai_node_is_fixed(&nodes[i]);
        if (!fixed && !(touch.mass > 0.0)) continue; // the mass of a node is checked elsewhere
        const double m = fixed ? 1.0 : touch.mass;
        kai_bodies_set_mass(&world->bodies, slot, m, kai_vec3_make(m, m, m), fixed);
        KAI_TRY(kai_array_append(&f->touching, &world->memory, &touch, 1, err));
    }
    kai_fea_follow_nodes(f, world);
    return KAI_OK;
}

/// Bodies that stand for nodes in contacts have other slots.
static void follow_touching(const kai_fea* f, const kai_world* world)
{
    const kai_node_record* nodes = kai_node_all(world);
    kai_fea_touch* touching = f->touching.data;
    for (size_t i = 0; i < f->touching.count; i++)
        touching[i].body =
            (uint32_t)kai_bodies_slot(&world->bodies, nodes[touching[i].node].contact);
}

static kai_result lay_out(kai_fea* f, kai_world* world, kai_error* err)
{
    KAI_TRY(number_nodes(f, world, err));
    KAI_TRY(list_batches(f, world, err));
    KAI_TRY(list_ends(f, world, err));
    KAI_TRY(prepare(f, world, err));
    KAI_TRY(plan_sums(f, world, err));
    KAI_TRY(kai_stop_check(world->stop, err));
    f->has_tangents = false;
    f->sink = (kai_fea_sink){0};
    f->tangents.count = 0;
    KAI_TRY(kai_fea_mass_assemble(f, world, err));
    return list_touching(f, world, err);
}

kai_result kai_fea_get(kai_world* world, kai_fea** out, kai_error* err)
{
    *out = NULL;
    if (world->nodes.count + world->elements.count == 0) return KAI_OK;
    KAI_TRY(create(world, err));
    kai_fea* f = world->fea;
    // The order of bodies that are nodes is that of their slots: where one moved, all is new.
    const bool moved = f->term_slots_version != world->term_slots_version;
    if (f->terms_version != world->terms_version || (moved && f->bodies.count > 0) ||
        f->elements_version != world->elements.version) {
        f->elements_version = 0;
        const kai_arena_mark mark = kai_arena_marked(&world->arena);
        const kai_result r = lay_out(f, world, err);
        kai_arena_release(&world->arena, mark);
        KAI_TRY(r);
        f->terms_version = world->terms_version;
        f->elements_version = world->elements.version;
        f->layouts++;
    } else if (moved) {
        follow_touching(f, world);
    }
    f->term_slots_version = world->term_slots_version;
    *out = f;
    return KAI_OK;
}

// Coordinates ------------------------------------------------------------------------------------

void kai_fea_read(const kai_world* world, double* q, double* v)
{
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        const size_t n = kai_node_size(&nodes[i]);
        if (q) memcpy(q, kai_node_q(&nodes[i]), n * sizeof *q), q += n;
        if (v) memcpy(v, kai_node_v(&nodes[i]), n * sizeof *v), v += n;
    }
}

void kai_fea_write(kai_world* world, const double* q, const double* v)
{
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        const size_t n = kai_node_size(&nodes[i]);
        if (q) memcpy(kai_node_q(&nodes[i]), q, n * sizeof *q), q += n;
        if (v) memcpy(kai_node_v(&nodes[i]), v, n * sizeof *v), v += n;
    }
}

void kai_fea_follow_nodes(const kai_fea* f, kai_world* world)
{
    const kai_fea_touch* touching = f->touching.data;
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < f->touching.count; i++) {
        world->bodies.pose[touching[i].body].position = nodes[touching[i].node].def.position;
        world->bodies.motion[touching[i].body].velocity = nodes[touching[i].node].def.velocity;
    }
}

void kai_fea_follow_bodies(const kai_fea* f, kai_world* world)
{
    const kai_fea_touch* touching = f->touching.data;
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < f->touching.count; i++)
        nodes[touching[i].node].def.position = world->bodies.pose[touching[i].body].position;
}

void kai_fea_clear_fixed(const kai_world* world, double* x)
{
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        const size_t n = kai_node_size(&nodes[i]);
        for (size_t k = 0; nodes[i].def.fixed && k < n; k++)
            if (nodes[i].def.fixed >> k & 1) x[k] = 0.0;
        x += n;
    }
}
