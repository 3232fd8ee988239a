// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/node.h"

#include "base/error.h"
#include "base/kind.h"
#include "model/body.h"
#include "model/check.h"
#include "model/collision/patch.h"
#include "model/id.h"
#include "model/label.h"

#include <stdio.h>
#include <string.h>

typedef kai_node_def def_type;

static const kai_param PARAMS[] = {
    KAI_PARAM(
        INT, def_type, slopes, .range = KAI_BETWEEN(0.0, 2.0),
        .doc =
            "Number of slopes: vectors that move with the material, in addition to the position."),
    KAI_PARAM(
        INT, def_type, fixed, .range = KAI_BETWEEN(0.0, 511.0),
        .doc = "Fixed coordinates, a sum of bits: 1, 2, 4 for x, y, z, then those of the slopes."),
    KAI_PARAM(REAL, def_type, mass, .unit = "kg", .range = KAI_AT_LEAST(0.0),
              .doc = "Point mass at its position, in addition to that of elements."),
    KAI_PARAM(VEC3, def_type, position, .placing = KAI_PLACING_POINT, .unit = "m",
              .doc = "Position without deformation."),
    KAI_PARAM(VEC3, def_type, slope, .placing = KAI_PLACING_VECTOR, .columns = KAI_NODE_SLOPES,
              .doc = "Slopes without deformation."),
    KAI_PARAM(VEC3, def_type, velocity, .placing = KAI_PLACING_VECTOR, .unit = "m/s",
              .doc = "Velocity at the start."),
    KAI_PARAM(VEC3, def_type, slope_velocity, .placing = KAI_PLACING_VECTOR, .unit = "1/s",
              .columns = KAI_NODE_SLOPES, .doc = "Velocity of the slopes at the start."),
    KAI_PARAM(VEC3, kai_node_record, reference, .columns = 1 + KAI_NODE_SLOPES, .hidden = true),
    KAI_PARAM(BODY, kai_node_record, contact, .hidden = true),
    KAI_PARAM(VEC3, def_type, force, .columns = 1 + KAI_NODE_SLOPES, .hidden = true),
};

const kai_kind kai_node_kind =
    KAI_KIND("node", kai_node_record, PARAMS, .given = sizeof(def_type),
             .doc = "A node of finite elements, with slopes where elements need them.");

_Static_assert(offsetof(def_type, slope) == offsetof(def_type, position) + sizeof(kai_vec3) &&
                   offsetof(def_type, slope_velocity) ==
                       offsetof(def_type, velocity) + sizeof(kai_vec3),
               "coordinates lie side by side");

kai_node_def kai_node_def_default(void)
{
    kai_node_def def;
    kai_kind_defaults(&kai_node_kind, &def);
    return def;
}

// What an integrator carries from step to step, and what is laid out by coordinates, is no longer
// true.
static void changed(kai_world* world)
{
    kai_body_terms_changed(world);
    world->integrator_steps = 0;
}

/// Coordinates that a node does not have, or that are fixed, do not move.
static void stop_fixed(kai_node_record* node)
{
    double* v = kai_node_v(node);
    for (size_t k = 0; k < KAI_NODE_COORDINATES; k++)
        if (k >= kai_node_size(node) || (node->def.fixed >> k & 1)) v[k] = 0.0;
}

kai_result kai_node_create(kai_world* world, const kai_node_def* def, const char* name,
                           kai_node* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_node_record node;
    kai_kind_take(&kai_node_kind, def, &node);
    node.reference[0] = def->position;
    for (int i = 0; i < KAI_NODE_SLOPES; i++) node.reference[1 + i] = def->slope[i];
    memset(node.def.acceleration, 0, sizeof node.def.acceleration);
    memset(node.def.force, 0, sizeof node.def.force);
    stop_fixed(&node);
    kai_id id;
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_store_add_prepared(&world->nodes, &kai_node_kind, &node, name, &id, &world->error)));
    changed(world);
    *out = KAI_ID_AS(kai_node, id);
    return KAI_OK;
}

static kai_result fail(const kai_world* world, const char* function, kai_node node)
{
    return kai_world_fail(
        world, function,
        kai_store_id_error(&world->nodes, KAI_ID_OF(node), kai_world_error_of(world)));
}

static bool names_node(const kai_kind* kind, const char* instance, kai_node node)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const kai_node* field = (const kai_node*)(const void*)(instance + p->offset);
        for (size_t k = 0; p->type == KAI_PARAM_NODE && k < kai_kind_repeats(p); k++)
            if (KAI_ID_EQUALS(field[k], node)) return true;
    }
    return false;
}

static bool is_used(const kai_store* store, kai_node node)
{
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++)
            if (names_node(batch->kind, (char*)batch->items.data + i * batch->kind->size, node))
                return true;
    }
    return false;
}

kai_result kai_node_destroy(kai_world* world, kai_node node)
{
    KAI_CHANGE(world);
    if (!kai_store_at(&world->nodes, KAI_ID_OF(node))) return fail(world, __func__, node);
    if (is_used(&world->elements, node) || is_used(&world->joints, node) ||
        is_used(&world->loads, node) || kai_patch_uses(world, node))
        return kai_error_set(
            &world->error, KAI_ERROR_ARGUMENT,
            "kai_node_destroy: node '%s' (#%u) is still used; remove what uses it first",
            kai_node_name(world, node), node.index);
    changed(world);
    return kai_store_remove(&world->nodes, KAI_ID_OF(node), &world->error);
}

kai_result kai_node_get(const kai_world* world, kai_node node, kai_node_def* out)
{
    KAI_READ(world, out);
    const kai_node_record* record = kai_store_at(&world->nodes, KAI_ID_OF(node));
    if (!record) return fail(world, __func__, node);
    *out = record->def;
    return KAI_OK;
}

kai_result kai_node_reference(const kai_world* world, kai_node node,
                              kai_vec3 out[1 + KAI_NODE_SLOPES])
{
    KAI_READ(world, out);
    const kai_node_record* record = kai_store_at(&world->nodes, KAI_ID_OF(node));
    if (!record) return fail(world, __func__, node);
    memset(out, 0, (1 + KAI_NODE_SLOPES) * sizeof *out);
    memcpy(out, record->reference, kai_node_size(record) * sizeof(double));
    return KAI_OK;
}

kai_result kai_node_set_motion(kai_world* world, kai_node node, const kai_vec3* coordinates,
                               const kai_vec3* velocities)
{
    KAI_CHANGE(world);
    kai_node_record* record = kai_store_at(&world->nodes, KAI_ID_OF(node));
    if (!record) return fail(world, __func__, node);
    for (int64_t i = 0; i <= record->def.slopes; i++)
        if ((coordinates && !kai_vec3_is_finite(coordinates[i])) ||
            (velocities && !kai_vec3_is_finite(velocities[i])))
            return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                                 "kai_node_set_motion: a coordinate or velocity of node '%s' (#%u) "
                                 "is not finite",
                                 kai_node_name(world, node), node.index);
    const size_t size = (size_t)(1 + record->def.slopes) * sizeof(kai_vec3);
    if (coordinates) memcpy(&record->def.position, coordinates, size);
    if (velocities) memcpy(&record->def.velocity, velocities, size);
    stop_fixed(record);
    world->integrator_steps = 0;
    world->energy_known = false;
    return KAI_OK;
}

kai_result kai_node_set_fixed(kai_world* world, kai_node node, int64_t fixed)
{
    KAI_CHANGE(world);
    kai_node_record* record = kai_store_at(&world->nodes, KAI_ID_OF(node));
    if (!record) return fail(world, __func__, node);
    if (fixed < 0 || fixed > KAI_NODE_FIX_ALL)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_node_set_fixed: fixed is %lld; must be from 0 to 511",
                             (long long)fixed);
    record->def.fixed = fixed;
    stop_fixed(record);
    const size_t slot = kai_bodies_slot(&world->bodies, record->contact);
    if (slot != SIZE_MAX) kai_bodies_set_fixed(&world->bodies, slot, kai_node_is_fixed(record));
    changed(world);
    return KAI_OK;
}

kai_result kai_node_set_force(kai_world* world, kai_node node, kai_vec3 force)
{
    KAI_CHANGE(world);
    kai_node_record* record = kai_store_at(&world->nodes, KAI_ID_OF(node));
    if (!record) return fail(world, __func__, node);
    if (!kai_vec3_is_finite(force))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_node_set_force: force is [%g, %g, %g] N; must be finite", force.x,
                             force.y, force.z);
    record->def.force[0] = force;
    return KAI_OK;
}

static kai_result add_sphere(kai_world* world, kai_body body, double radius, kai_material material,
                             int family, bool among)
{
    kai_shape_sphere_params sphere = {.radius = radius};
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    def.material = material;
    def.family = family;
    def.visible = false; // what is seen is the mesh
    if (!among) def.mask &= ~(1 << family);
    return kai_shape_create(world, body, &kai_shape_sphere, &sphere, &def, &shape);
}

kai_result kai_node_set_contact(kai_world* world, kai_node node, double radius,
                                kai_material material, int family, bool among)
{
    KAI_CHANGE(world);
    kai_node_record* record = kai_store_at(&world->nodes, KAI_ID_OF(node));
    if (!record) return fail(world, __func__, node);
    if (!(radius > 0.0) || isinf(radius) || family < 0 || family > 15)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_node_set_contact: radius is %g m and family %d; must be > 0 and "
                             "finite, and from 0 to 15",
                             radius, family);
    if (!KAI_IS_NULL(record->contact))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_node_set_contact: node '%s' (#%u) has one already",
                             kai_node_name(world, node), node.index);
    kai_body_def body = kai_body_def_default();
    kai_body made;
    body.position = record->def.position;
    body.velocity = record->def.velocity;
    KAI_TRY(kai_body_create(world, &body, &made));
    const kai_result r = add_sphere(world, made, radius, material, family, among);
    if (r != KAI_OK) {
        const kai_error keep = world->error;
        kai_body_destroy(world, made);
        world->error = keep;
        return r;
    }
    const size_t slot = kai_bodies_slot(&world->bodies, made);
    world->bodies.motion[slot].flags |= KAI_BODY_STRAIGHT | KAI_BODY_NODE;
    // Until the mass of elements is known.
    kai_bodies_set_mass(&world->bodies, slot, 1.0, kai_vec3_make(1.0, 1.0, 1.0),
                        kai_node_is_fixed(record));
    record->contact = made;
    changed(world);
    return KAI_OK;
}

kai_node kai_node_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_node){0}, world, name);
    const kai_id id = kai_names_find(&world->nodes.names, name);
    return KAI_ID_AS(kai_node, id);
}

const char* kai_node_name(const kai_world* world, kai_node node)
{
    KAI_GIVEN_OR("", world);
    return kai_store_name(&world->nodes, KAI_ID_OF(node));
}

size_t kai_node_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->nodes.count;
}

kai_node kai_node_at_index(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_node){0}, world);
    if (i >= world->nodes.count) return (kai_node){0};
    const kai_id id = kai_store_id(&world->nodes, 0, i);
    return KAI_ID_AS(kai_node, id);
}

uint32_t kai_node_slot(const kai_world* world, kai_node node)
{
    const kai_store_entry* entry = kai_store_find(&world->nodes, KAI_ID_OF(node));
    return entry ? entry->slot : UINT32_MAX;
}

void kai_node_describe(const kai_world* world, size_t slot, char* out, size_t size)
{
    const kai_id id = kai_store_id(&world->nodes, 0, slot);
    const char* name = kai_store_name(&world->nodes, id);
    if (*name)
        snprintf(out, size, "node '%s'", name);
    else if (!kai_label_structure(world, false, id.index, false, out, size))
        snprintf(out, size, "node #%u", id.index);
}

uint64_t kai_node_key(const kai_world* world, kai_node node)
{
    KAI_GIVEN_OR(0, world);
    return kai_store_key(&world->nodes, KAI_ID_OF(node));
}

kai_node kai_node_by_key(const kai_world* world, uint64_t key)
{
    KAI_GIVEN_OR((kai_node){0}, world);
    const kai_id id = kai_store_by_key(&world->nodes, key);
    return KAI_ID_AS(kai_node, id);
}
