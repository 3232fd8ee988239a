// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Creation of a structure: its kind lays out a mesh, of which nodes, elements and ties are made.
#include "base/kind.h"
#include "fea/structures/structure_mesh.h"
#include "fea/structures/structure_render_mesh.h"
#include "model/body.h"
#include "model/check.h"
#include "model/id.h"
#include "model/structures/structure.h"
#include "model/structures/structure_params.h"

#include <kairos/joint_nodes.h>
#include <stdio.h>
#include <string.h>

/// What is made so far.
typedef struct making {
    kai_world* world;
    const kai_structure_base* base;
    const kai_element_kind* element;
    const char* name;
    kai_structure_mesh mesh;
    kai_array nodes, elements, ties; // kai_id; ties are joints
    kai_array sets;                  // kai_structure_set, tables owned
    kai_array filled;                // uint32_t [sets]: rows of their tables so far
    kai_array alone;                 // uint32_t [nodes]: 1 + the set in which a node is alone
} making;

/// Calls of the engine put their own name before a message; here it would come second.
static void drop_call(kai_error* err, const char* call)
{
    const size_t n = strlen(call);
    if (strncmp(err->message, call, n) == 0 && strncmp(err->message + n, ": ", 2) == 0)
        memmove(err->message, err->message + n + 2, strlen(err->message + n + 2) + 1);
}

/// Sets as tables: counted, then filled.
static kai_result collect_sets(making* m)
{
    kai_world* world = m->world;
    kai_memory* memory = &world->memory;
    const kai_structure_mesh_place* places = m->mesh.places.data;
    KAI_TRY(kai_array_resize(&m->alone, memory, m->mesh.nodes.count, &world->error));
    KAI_TRY(kai_array_resize(&m->sets, memory, m->mesh.names.count, &world->error));
    kai_structure_set* sets = m->sets.data;
    for (size_t i = 0; i < m->mesh.places.count; i++) sets[places[i].set].nodes.rows++;
    for (size_t s = 0; s < m->sets.count; s++) {
        sets[s].name = ((const kai_string*)m->mesh.names.data)[s];
        sets[s].nodes.columns = 1;
        sets[s].nodes.data = kai_memory_allocate_zeroed(memory, sets[s].nodes.rows, sizeof(double));
        if (!sets[s].nodes.data)
            return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for set '%s'",
                                 sets[s].name.text);
    }
    uint32_t* alone = m->alone.data;
    KAI_TRY(kai_array_resize(&m->filled, memory, m->sets.count, &world->error));
    uint32_t* filled = m->filled.data;
    for (size_t i = 0; i < m->mesh.places.count; i++) {
        double* nodes = (double*)(uintptr_t)sets[places[i].set].nodes.data;
        nodes[filled[places[i].set]++] = places[i].node;
    }
    for (size_t s = 0; s < m->sets.count; s++)
        if (sets[s].nodes.rows == 1 && alone[(size_t)sets[s].nodes.data[0]] == 0)
            alone[(size_t)sets[s].nodes.data[0]] = (uint32_t)s + 1;
    return KAI_OK;
}

static kai_result make_node(making* m, const kai_structure_node* node, const kai_string* name,
                            bool knot, kai_id* id)
{
    const kai_structure_base* b = m->base;
    const kai_vec3 r = kai_quat_rotate(b->rotation, node->position);
    const kai_vec3 at = kai_vec3_add(b->position, r), w = b->angular_velocity;
    const kai_vec3 velocity = kai_vec3_add(b->velocity, kai_vec3_cross(w, r));
    kai_vec3 axes[3];
    for (int k = 0; k < 3; k++) axes[k] = kai_quat_rotate(b->rotation, node->axes[k]);
    if (m->element->slopes < 0) {
        kai_body_def def = kai_body_def_default();
        kai_body body;
        def.name = *name;
        def.position = at;
        def.rotation = kai_quat_from_mat33(kai_mat33_from_columns(axes[0], axes[1], axes[2]));
        def.velocity = velocity;
        def.angular_velocity = w;
        KAI_TRY(kai_body_create(m->world, &def, &body));
        *id = KAI_ID_OF(body);
        return KAI_OK;
    }
    // One slope: along a line, or across a surface.
    const bool across = kai_structure_cell_of(m->element) != KAI_STRUCTURE_LINE;
    kai_node_def def = kai_node_def_default();
    kai_node made;
    def.slopes = m->element->slopes + knot;
    def.position = at;
    def.velocity = velocity;
    for (int k = 0; k < def.slopes; k++) {
        def.slope[k] = axes[def.slopes == 1 && across ? 2 : k];
        def.slope_velocity[k] = kai_vec3_cross(w, def.slope[k]);
    }
    KAI_TRY(kai_node_create(m->world, &def, name->text, &made));
    *id = KAI_ID_OF(made);
    return KAI_OK;
}

static kai_result make_nodes(making* m)
{
    kai_world* world = m->world;
    const uint32_t *alone = m->alone.data, *knots = m->mesh.knots.data;
    size_t knot = 0;
    for (size_t i = 0; i < m->mesh.nodes.count; i++) {
        kai_string name = {""};
        if (alone[i] && m->name && m->name[0] &&
            snprintf(name.text, sizeof name.text, "%s.%s", m->name,
                     ((const kai_string*)m->mesh.names.data)[alone[i] - 1].text) >=
                (int)sizeof name.text)
            return kai_error_set(&world->error, KAI_ERROR_NAME,
                                 "the name of a node, structure.set, has more than %zu bytes",
                                 sizeof name.text - 1);
        kai_id id;
        const bool crossed = knot < m->mesh.knots.count && knots[knot] == i;
        knot += crossed;
        const kai_result r =
            make_node(m, kai_structure_mesh_node_at(&m->mesh, i), &name, crossed, &id);
        if (r != KAI_OK) {
            drop_call(&world->error,
                      m->element->slopes < 0 ? "kai_body_create" : "kai_node_create");
            return r;
        }
        KAI_TRY(kai_array_append(&m->nodes, &world->memory, &id, 1, &world->error));
    }
    return KAI_OK;
}

static kai_result make_elements(making* m, char* instance)
{
    kai_world* world = m->world;
    const kai_id* nodes = m->nodes.data;
    kai_node* ends = (kai_node*)(void*)instance; // ids of bodies have the same layout
    for (size_t i = 0; i < kai_structure_mesh_cell_count(&m->mesh); i++) {
        const uint32_t* cell = kai_structure_mesh_cell_at(&m->mesh, i);
        for (int k = 0; k < m->element->nodes; k++) ends[k] = KAI_ID_AS(kai_node, nodes[cell[k]]);
        kai_element element;
        const kai_result r = kai_element_create(world, m->element, instance, NULL, &element);
        if (r != KAI_OK) {
            drop_call(&world->error, "kai_element_create");
            const kai_vec3 p = kai_structure_mesh_node_at(&m->mesh, cell[0])->position;
            kai_error_prefix(&world->error, "cell %lld of the mesh, from node %lld at [%g, %g, %g]",
                             kai_structure_mesh_cell_number(&m->mesh, i),
                             kai_structure_mesh_node_number(&m->mesh, cell[0]), p.x, p.y, p.z);
            return r;
        }
        const kai_id id = KAI_ID_OF(element);
        KAI_TRY(kai_array_append(&m->elements, &world->memory, &id, 1, &world->error));
    }
    return KAI_OK;
}

static kai_result make_ties(making* m)
{
    kai_world* world = m->world;
    const kai_id* nodes = m->nodes.data;
    const uint32_t* ties = m->mesh.ties.data;
    if (m->mesh.ties.count > 0 && m->element->slopes < 0)
        return kai_error_set(&world->error, KAI_ERROR_UNSUPPORTED, "bodies cannot be tied");
    for (size_t i = 0; i < m->mesh.ties.count; i++) {
        kai_joint_node_node_params p;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_node_node.kind, &p);
        for (int k = 0; k < 2; k++)
            p.nodes[k] = KAI_ID_AS(kai_node, nodes[ties[2 * i + (size_t)k]]);
        KAI_TRY(kai_joint_create(world, &kai_joint_node_node, &p, NULL, &joint));
        const kai_id id = KAI_ID_OF(joint);
        KAI_TRY(kai_array_append(&m->ties, &world->memory, &id, 1, &world->error));
    }
    return KAI_OK;
}

/// Rows [index, generation] in place of ids.
static kai_result table_of(making* m, const kai_array* ids, kai_table* out)
{
    double* data = kai_memory_allocate_zeroed(&m->world->memory, 2 * ids->count, sizeof *data);
    if (!data) return kai_error_set(&m->world->error, KAI_ERROR_MEMORY, "no memory for its nodes");
    for (size_t i = 0; i < ids->count; i++) {
        data[2 * i] = ((const kai_id*)ids->data)[i].index;
        data[2 * i + 1] = ((const kai_id*)ids->data)[i].generation;
    }
    *out = (kai_table){data, (uint32_t)ids->count, 2};
    return KAI_OK;
}

static kai_result store(making* m, const kai_kind* kind, char* instance, kai_id* id)
{
    kai_structure_base* base = (kai_structure_base*)(void*)instance;
    kai_memory* memory = &m->world->memory;
    kai_store_drop_hidden(kind, instance);
    base->frames = m->element->slopes < 0;
    kai_result r = table_of(m, &m->nodes, &base->nodes);
    if (r == KAI_OK) r = table_of(m, &m->elements, &base->elements);
    base->sets = (kai_list){m->sets.data, (uint32_t)m->sets.count};
    if (r == KAI_OK)
        r = kai_store_add_prepared(&m->world->structures, kind, instance, m->name, id,
                                   &m->world->error);
    kai_memory_release(memory, (void*)(uintptr_t)base->nodes.data,
                       2 * m->nodes.count * sizeof(double));
    kai_memory_release(memory, (void*)(uintptr_t)base->elements.data,
                       2 * m->elements.count * sizeof(double));
    return r;
}

/// Takes back what was made, and keeps the message.
static void undo(making* m)
{
    kai_world* world = m->world;
    const kai_error err = world->error;
    for (size_t i = m->ties.count; i-- > 0;) {
        const kai_id id = ((const kai_id*)m->ties.data)[i];
        kai_joint_destroy(world, KAI_ID_AS(kai_joint, id));
    }
    for (size_t i = m->elements.count; i-- > 0;) {
        const kai_id id = ((const kai_id*)m->elements.data)[i];
        kai_element_destroy(world, KAI_ID_AS(kai_element, id));
    }
    for (size_t i = m->nodes.count; i-- > 0;) {
        const kai_id id = ((const kai_id*)m->nodes.data)[i];
        if (m->element->slopes < 0)
            kai_body_destroy(world, KAI_ID_AS(kai_body, id));
        else
            kai_store_remove(&world->nodes, id, NULL);
    }
    kai_body_terms_changed(world);
    world->error = err;
}

static kai_result make(making* m, const kai_structure_kind* kind, char* instance, char* element,
                       kai_id* id)
{
    kai_error* err = &m->world->error;
    KAI_TRY(kind->build(instance, m->element, &m->mesh, err));
    KAI_TRY(kai_structure_mesh_check(&m->mesh));
    KAI_TRY(collect_sets(m));
    kai_result r = make_nodes(m);
    if (r == KAI_OK) r = make_elements(m, element);
    if (r == KAI_OK) r = make_ties(m);
    if (r == KAI_OK) r = store(m, &kind->kind, instance, id);
    if (r == KAI_OK) {
        r = kai_structure_render_mesh_make(m->world, KAI_ID_AS(kai_structure, *id));
        if (r != KAI_OK) kai_store_remove(&m->world->structures, *id, NULL);
    }
    if (r != KAI_OK) undo(m);
    return r;
}

static void free_making(making* m)
{
    kai_memory* memory = &m->world->memory;
    for (size_t i = 0; i < m->sets.count; i++) {
        const kai_table* t = &((const kai_structure_set*)m->sets.data)[i].nodes;
        kai_memory_release(memory, (void*)(uintptr_t)t->data, t->rows * sizeof(double));
    }
    kai_array_free(&m->sets, memory);
    kai_array_free(&m->nodes, memory);
    kai_array_free(&m->elements, memory);
    kai_array_free(&m->ties, memory);
    kai_array_free(&m->alone, memory);
    kai_array_free(&m->filled, memory);
    kai_structure_mesh_free(&m->mesh);
}

static kai_result check(kai_world* world, const kai_structure_kind* kind, const void* params,
                        const kai_element_kind* element)
{
    kai_error* err = &world->error;
    const kai_structure_cell cell = kai_structure_cell_of(element);
    if (cell == KAI_STRUCTURE_NONE || !(kind->cells >> cell & 1))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s cannot be made of %s, which has %d nodes",
                             kind->kind.name, element->kind.name, element->nodes);
    return kai_kind_check(&kind->kind, params, err);
}

static kai_result add(kai_world* world, const kai_structure_kind* kind, const void* params,
                      const kai_element_kind* element, const void* element_params, const char* name,
                      kai_id* id)
{
    kind = kai_store_table(&world->structures, kind, &world->error);
    element = kind ? kai_store_table(&world->elements, element, &world->error) : NULL;
    if (!element) return KAI_ERROR_ARGUMENT;
    KAI_TRY(check(world, kind, params, element));
    char* instance = kai_memory_allocate(&world->memory, kind->kind.size);
    char* cell = kai_memory_allocate(&world->memory, element->kind.size);
    kai_result r = KAI_ERROR_MEMORY;
    if (instance && cell) {
        kai_kind_take(&kind->kind, params, instance);
        kai_kind_take(&element->kind, element_params, cell);
        making m = {.world = world,
                    .base = (const kai_structure_base*)(void*)instance,
                    .element = element,
                    .name = name,
                    .nodes = kai_array_make(sizeof(kai_id)),
                    .elements = kai_array_make(sizeof(kai_id)),
                    .ties = kai_array_make(sizeof(kai_id)),
                    .sets = kai_array_make(sizeof(kai_structure_set)),
                    .filled = kai_array_make(sizeof(uint32_t)),
                    .alone = kai_array_make(sizeof(uint32_t))};
        kai_structure_mesh_init(&m.mesh, element, &world->memory, &world->error);
        r = make(&m, kind, instance, cell, id);
        free_making(&m);
    } else {
        kai_error_set(&world->error, r, "no memory for a structure");
    }
    kai_memory_release(&world->memory, instance, kind->kind.size);
    kai_memory_release(&world->memory, cell, element->kind.size);
    return r;
}

kai_result kai_structure_create(kai_world* world, const kai_structure_kind* kind,
                                const void* params, const kai_element_kind* element,
                                const void* element_params, const char* name, kai_structure* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, element, element_params, out);
    kai_id id;
    const kai_result r = add(world, kind, params, element, element_params, name, &id);
    if (r != KAI_OK && name && name[0]) kai_error_prefix(&world->error, "'%s'", name);
    KAI_TRY(kai_world_fail(world, __func__, r));
    *out = KAI_ID_AS(kai_structure, id);
    kai_structure_index_sets_of(world, *out);
    return KAI_OK;
}
