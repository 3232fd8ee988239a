// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/element.h"

#include "base/kind.h"
#include "model/body.h"
#include "model/check.h"
#include "model/id.h"
#include "model/label.h"
#include "model/node.h"

#include <stdio.h>
#include <string.h>

// Coordinates ------------------------------------------------------------------------------------

void kai_element_frame(const kai_world* world, size_t slot, double q[7])
{
    const kai_pose* pose = &world->bodies.pose[slot];
    const kai_frame own = kai_bodies_offset(&world->bodies, slot);
    const kai_quat r = kai_quat_mul(pose->rotation, own.rotation);
    const double all[7] = {
        pose->position.x, pose->position.y, pose->position.z, r.w, r.x, r.y, r.z};
    memcpy(q, all, sizeof all);
}

uint8_t kai_element_slope(const kai_world* world, const kai_element_kind* kind,
                          const kai_node* nodes, int k)
{
    const kai_node_record* all = kai_node_all(world);
    const kai_node_record* node = &all[kai_node_slot(world, nodes[k])];
    if (kind->nodes != 2 || kind->slopes != 1 || node->def.slopes != 2) return 0;
    const kai_vec3 line = kai_vec3_sub(all[kai_node_slot(world, nodes[1])].reference[0],
                                       all[kai_node_slot(world, nodes[0])].reference[0]);
    return kai_vec3_dot(node->reference[2], line) > kai_vec3_dot(node->reference[1], line);
}

void kai_element_mark_held(const kai_world* world, uint8_t* held)
{
    for (size_t b = 0; b < world->elements.batch_count; b++) {
        const kai_store_batch* batch = &world->elements.batches[b];
        const kai_element_kind* kind = kai_element_kind_at(batch);
        const char* instance = batch->items.data;
        if (kind->slopes < 0 || !kind->mass) continue;
        for (size_t i = 0; i < batch->items.count; i++, instance += kind->kind.size) {
            const kai_node* nodes = (const kai_node*)(const void*)instance;
            for (int k = 0; k < kind->nodes; k++) {
                const uint32_t slot = kai_node_slot(world, nodes[k]);
                if (slot == UINT32_MAX) continue;
                held[slot] |= 1;
                for (int s = 1; s <= kind->slopes; s++)
                    held[slot] |= (uint8_t)(1u << (s + kai_element_slope(world, kind, nodes, k)));
            }
        }
    }
}

void kai_element_gather(const kai_world* world, const kai_element_kind* kind, const void* instance,
                        bool reference, double* q)
{
    if (kind->slopes < 0) {
        const double* before =
            (const double*)(const void*)((const char*)instance + kind->reference);
        const kai_body* body = instance;
        for (int k = 0; k < kind->nodes; k++, q += 7) {
            if (reference)
                memcpy(q, before + (size_t)(7 * k), 7 * sizeof *q);
            else
                kai_element_frame(world, kai_bodies_slot(&world->bodies, body[k]), q);
        }
        return;
    }
    const size_t size = 3 * (size_t)(1 + kind->slopes);
    const kai_node* node = instance;
    for (int k = 0; k < kind->nodes; k++, q += size) {
        kai_node_record* record = &kai_node_all(world)[kai_node_slot(world, node[k])];
        const double* from = reference ? &record->reference[0].x : kai_node_q(record);
        memcpy(q, from, size * sizeof *q);
        const uint8_t slope = kai_element_slope(world, kind, node, k);
        if (slope > 0) memcpy(q + 3, from + 3 + 3 * slope, 3 * sizeof *q);
    }
}

// Solids -----------------------------------------------------------------------------------------

static void take_solid(const kai_world* world, const void* field, kai_solid_view** out,
                       const kai_solid_view* end)
{
    kai_solid id;
    memcpy(&id, field, sizeof id);
    if (*out < end) *(*out)++ = kai_solid_get(world, id);
}

static void take_items(const kai_world* world, const kai_param* list, const char* instance,
                       kai_solid_view** out, const kai_solid_view* end)
{
    const kai_list* l = (const kai_list*)(const void*)(instance + list->offset);
    for (uint32_t i = 0; i < l->count; i++) {
        const char* item = (const char*)l->items + i * list->item->size;
        for (size_t k = 0; k < list->item->param_count; k++)
            if (list->item->params[k].type == KAI_PARAM_SOLID)
                take_solid(world, item + list->item->params[k].offset, out, end);
    }
}

void kai_element_solids(const kai_world* world, const kai_element_kind* kind, const void* instance,
                        kai_solid_view* out)
{
    const kai_solid_view* end = out + kind->solids;
    const kai_kind* k = &kind->kind;
    for (size_t i = 0; i < k->param_count; i++)
        for (size_t n = 0;
             k->params[i].type == KAI_PARAM_SOLID && n < kai_kind_repeats(&k->params[i]); n++)
            take_solid(world, (const char*)instance + k->params[i].offset + n * sizeof(kai_solid),
                       &out, end);
    for (size_t i = 0; i < k->param_count; i++)
        if (k->params[i].type == KAI_PARAM_LIST)
            take_items(world, &k->params[i], instance, &out, end);
    while (out < end) *out++ = (kai_solid_view){0};
}

// Creation ---------------------------------------------------------------------------------------

kai_result kai_element_register(kai_world* world, const kai_element_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_element_kind whole;
    KAI_TRY(
        kai_world_fail(world, __func__,
                       kai_kind_read_table(given, "element", sizeof whole, &whole, &world->error)));
    kind = &whole;
    kai_error* err = &world->error;
    if (!kind->force || (!kind->energy && !kind->external))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_element_register: the kind lacks one of force() and energy()");
    if (kind->nodes < 1 || kind->nodes > KAI_ELEMENT_NODES || kind->slopes < KAI_ELEMENT_FRAMES ||
        kind->slopes > KAI_NODE_SLOPES || kai_element_rows(kind) > KAI_ELEMENT_ROWS ||
        kind->solids < 0 || kind->solids > KAI_ELEMENT_SOLIDS || kind->data_size % 8 != 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_element_register: kind %s has %d nodes with %d slopes, %d solids "
                             "and %zu bytes of data; see kairos/element.h for what is allowed",
                             kind->kind.name, kind->nodes, kind->slopes, kind->solids,
                             kind->data_size);
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->elements, given, sizeof whole, 0, &world->error));
}

static kai_result check_nodes(const kai_world* world, const kai_element_kind* kind,
                              const kai_node* nodes, kai_error* err)
{
    for (int k = 0; k < kind->nodes; k++) {
        const uint32_t slot = kai_node_slot(world, nodes[k]);
        if (slot == UINT32_MAX) return kai_store_id_error(&world->nodes, KAI_ID_OF(nodes[k]), err);
        if (!kai_element_fits(kind, kai_node_all(world)[slot].def.slopes))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "nodes: node '%s' (#%u) has %lld slopes; must have %d",
                                 kai_node_name(world, nodes[k]), nodes[k].index,
                                 (long long)kai_node_all(world)[slot].def.slopes, kind->slopes);
        for (int j = 0; j < k; j++)
            if (KAI_ID_EQUALS(nodes[j], nodes[k]))
                return kai_error_set(err, KAI_ERROR_ARGUMENT, "nodes: node '%s' (#%u) stands twice",
                                     kai_node_name(world, nodes[k]), nodes[k].index);
    }
    return KAI_OK;
}

static kai_result check_bodies(const kai_world* world, const kai_element_kind* kind,
                               const kai_body* bodies, kai_error* err)
{
    for (int k = 0; k < kind->nodes; k++) {
        if (kai_bodies_slot(&world->bodies, bodies[k]) == SIZE_MAX)
            return kai_body_id_error(bodies[k], err);
        for (int j = 0; j < k; j++)
            if (KAI_ID_EQUALS(bodies[j], bodies[k]))
                return kai_error_set(err, KAI_ERROR_ARGUMENT, "nodes: body '%s' (#%u) stands twice",
                                     kai_body_name(world, bodies[k]), bodies[k].index);
    }
    return KAI_OK;
}

static kai_result check_solids(const kai_world* world, const kai_element_kind* kind,
                               const char* instance, kai_error* err)
{
    for (size_t i = 0; i < kind->kind.param_count; i++) {
        const kai_param* p = &kind->kind.params[i];
        if (p->type != KAI_PARAM_SOLID) continue;
        const kai_solid* solid = (const kai_solid*)(const void*)(instance + p->offset);
        for (size_t k = 0; k < kai_kind_repeats(p); k++)
            if (!KAI_IS_NULL(solid[k]) && !kai_store_find(&world->solids, KAI_ID_OF(solid[k])))
                return kai_store_id_error(&world->solids, KAI_ID_OF(solid[k]), err);
    }
    return KAI_OK;
}

static kai_result set_up(const kai_world* world, const kai_element_kind* kind, const void* instance,
                         void* data, kai_solid_view* solids, kai_error* err)
{
    double q[7 * KAI_ELEMENT_NODES];
    kai_element_gather(world, kind, instance, true, q);
    kai_element_solids(world, kind, instance, solids);
    const kai_element_setup setup = {.instance = instance, .q = q, .solids = solids};
    return kind->prepare ? kind->prepare(&setup, data, err) : KAI_OK;
}

/// Adds the mass of an element, times `sign`, to the bodies that are its nodes.
static kai_result add_lumps(kai_world* world, const kai_element_kind* kind, const void* instance,
                            const void* data, const kai_solid_view* solids, double sign)
{
    double q[7 * KAI_ELEMENT_NODES];
    kai_element_lump lump[KAI_ELEMENT_NODES];
    kai_element_gather(world, kind, instance, true, q);
    const kai_element_batch batch = {
        .instances = instance, .data = data, .solids = solids, .count = 1, .q = q};
    kind->lump(&batch, 0, lump);
    const kai_body* bodies = instance;
    for (int k = 0; k < kind->nodes; k++) {
        kai_mass_properties mass;
        if (kai_body_is_fixed(world, bodies[k])) continue;
        KAI_TRY(kai_body_mass(world, bodies[k], &mass));
        const double* r = q + 7 * k + 3;
        const kai_mat33 turn = kai_quat_to_mat33((kai_quat){r[0], r[1], r[2], r[3]});
        const kai_inertia* i = &lump[k].inertia;
        const kai_mat33 tensor = {
            {{i->xx, i->xy, i->xz}, {i->xy, i->yy, i->yz}, {i->xz, i->yz, i->zz}}};
        // The same about all axes: turning it would only add rounding, and turn principal axes.
        const bool equal =
            i->xx == i->yy && i->yy == i->zz && i->xy == 0.0 && i->xz == 0.0 && i->yz == 0.0;
        const kai_mat33 own =
            equal ? tensor : kai_mat33_mul(kai_mat33_transpose(turn), kai_mat33_mul(tensor, turn));
        mass.mass += sign * lump[k].mass;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) mass.inertia.m[a][b] += sign * own.m[a][b];
        if (sign < 0.0 && !(mass.mass > 1e-9 * lump[k].mass)) { // it had no other
            kai_bodies_set_mass(&world->bodies, kai_bodies_slot(&world->bodies, bodies[k]), 0.0,
                                kai_vec3_zero(), false);
            continue;
        }
        KAI_TRY(kai_body_set_mass(world, bodies[k], &mass));
    }
    return KAI_OK;
}

/// Bodies cannot go while an element uses them.
static void count_uses(kai_world* world, const kai_element_kind* kind, const void* instance,
                       uint32_t change)
{
    const kai_body* bodies = instance;
    for (int k = 0; kind->slopes < 0 && k < kind->nodes; k++)
        kai_bodies_count_load(&world->bodies, bodies[k], change);
}

/// What is laid out by coordinates is no longer true.
static void changed(kai_world* world)
{
    kai_body_terms_changed(world);
    world->integrator_steps = 0;
    world->energy_known = false;
}

/// Checks an instance in scratch memory and gets it ready.
static kai_result make(kai_world* world, const kai_element_kind* kind, char* instance, char* data,
                       kai_solid_view* solids, kai_error* err)
{
    KAI_TRY(kind->slopes < 0 ? check_bodies(world, kind, (const kai_body*)(void*)instance, err)
                             : check_nodes(world, kind, (const kai_node*)(void*)instance, err));
    KAI_TRY(check_solids(world, kind, instance, err));
    if (kind->slopes < 0) {
        double* reference = (double*)(void*)(instance + kind->reference);
        for (int k = 0; k < kind->nodes; k++)
            kai_element_frame(
                world, kai_bodies_slot(&world->bodies, ((const kai_body*)(void*)instance)[k]),
                reference + (size_t)(7 * k));
    }
    return set_up(world, kind, instance, data, solids, err);
}

static kai_result add(kai_world* world, const kai_element_kind* kind, const void* params,
                      const char* name, kai_id* id, kai_error* err)
{
    kind = kai_store_table(&world->elements, kind, err);
    if (!kind) return KAI_ERROR_ARGUMENT;
    KAI_TRY(kai_kind_check(&kind->kind, params, err));
    char* instance = kai_arena_take(&world->arena, 1, kind->kind.size, err);
    char* data = kai_arena_take(&world->arena, 1, kind->data_size + 8, err);
    kai_solid_view solids[KAI_ELEMENT_SOLIDS];
    if (!instance || !data) return KAI_ERROR_MEMORY;
    kai_kind_take(&kind->kind, params, instance);
    kai_store_drop_hidden(&kind->kind, instance);
    const kai_result r = make(world, kind, instance, data, solids, err);
    if (r != KAI_OK) {
        kai_error_prefix(err, "%s%s%s%s", kind->kind.name, name && name[0] ? " '" : "",
                         name ? name : "", name && name[0] ? "'" : "");
        return r;
    }
    for (int k = 0; kind->slopes < 0 && k < kind->nodes; k++)
        KAI_TRY(kai_bodies_own_id(&world->bodies, ((const kai_body*)(void*)instance)[k], err));
    KAI_TRY(kai_store_add_prepared(&world->elements, &kind->kind, instance, name, id, err));
    if (kind->slopes < 0 && kind->lump) {
        const kai_result lumped = add_lumps(world, kind, instance, data, solids, 1.0);
        if (lumped != KAI_OK) kai_store_remove(&world->elements, *id, NULL);
        KAI_TRY(lumped);
    }
    count_uses(world, kind, instance, 1);
    return KAI_OK;
}

kai_result kai_element_create(kai_world* world, const kai_element_kind* kind, const void* params,
                              const char* name, kai_element* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    kai_id id;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = add(world, kind, params, name, &id, &world->error);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(kai_world_fail(world, __func__, r));
    changed(world);
    *out = KAI_ID_AS(kai_element, id);
    return KAI_OK;
}

kai_result kai_element_prepare(const kai_world* world, size_t batch, size_t index, void* data,
                               kai_solid_view* solids, kai_error* err)
{
    const kai_store_batch* items = &world->elements.batches[batch];
    const kai_element_kind* kind = kai_element_kind_at(items);
    const kai_result r =
        set_up(world, kind, (char*)items->items.data + index * kind->kind.size, data, solids, err);
    if (r == KAI_OK) return KAI_OK;
    char text[KAI_STRING_SIZE + 64];
    kai_element_describe(world, batch, index, text, sizeof text);
    kai_error_prefix(err, "%s", text);
    return r;
}

/// Bodies lose the mass that an element gave them.
static kai_result take_lumps_back(kai_world* world, const kai_element_kind* kind,
                                  const void* instance)
{
    if (kind->slopes >= 0 || !kind->lump) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_solid_view solids[KAI_ELEMENT_SOLIDS];
    char* data = kai_arena_take(&world->arena, 1, kind->data_size + 8, &world->error);
    kai_result r =
        data ? set_up(world, kind, instance, data, solids, &world->error) : KAI_ERROR_MEMORY;
    if (r == KAI_OK) r = add_lumps(world, kind, instance, data, solids, -1.0);
    kai_arena_release(&world->arena, mark);
    return r;
}

kai_result kai_element_destroy(kai_world* world, kai_element element)
{
    KAI_CHANGE(world);
    const kai_store_entry* entry = kai_store_find(&world->elements, KAI_ID_OF(element));
    if (!entry)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->elements, KAI_ID_OF(element), &world->error));
    const kai_element_kind* kind = kai_element_kind_at(&world->elements.batches[entry->batch]);
    const void* instance = kai_store_at(&world->elements, KAI_ID_OF(element));
    KAI_TRY(kai_world_fail(world, __func__, take_lumps_back(world, kind, instance)));
    count_uses(world, kind, instance, UINT32_MAX);
    changed(world);
    return kai_world_fail(world, __func__,
                          kai_store_remove(&world->elements, KAI_ID_OF(element), &world->error));
}

// Queries ----------------------------------------------------------------------------------------

const kai_element_kind* kai_element_kind_of(const kai_world* world, kai_element element)
{
    KAI_GIVEN_OR(NULL, world);
    const kai_store_entry* entry = kai_store_find(&world->elements, KAI_ID_OF(element));
    return entry ? kai_element_kind_at(&world->elements.batches[entry->batch]) : NULL;
}

const void* kai_element_params(const kai_world* world, kai_element element)
{
    KAI_GIVEN_OR(NULL, world);
    return kai_store_at(&world->elements, KAI_ID_OF(element));
}

size_t kai_element_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->elements.count;
}

void kai_element_describe(const kai_world* world, size_t batch, size_t index, char* out,
                          size_t size)
{
    const kai_id id = kai_store_id(&world->elements, batch, index);
    const char *kind = world->elements.batches[batch].kind->name,
               *name = kai_store_name(&world->elements, id);
    char structure[KAI_STRING_SIZE + 64];
    if (*name)
        snprintf(out, size, "%s '%s'", kind, name);
    else if (kai_label_structure(world, true, id.index, false, structure, sizeof structure))
        snprintf(out, size, "%s %s", kind, structure);
    else
        snprintf(out, size, "%s #%u", kind, id.index);
}
