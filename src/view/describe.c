// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/describe.h"

#include "model/id.h"
#include "model/loads/load_spring.h"
#include "record/trajectory/trajectory_surfaces.h"
#include "view/describe_drives.h"
#include "view/json.h"

#include <kairos/structure.h>
#include <stdlib.h>

// Shapes -----------------------------------------------------------------------------------------

static void add_param(kai_text* to, const kai_param* p, const char* field)
{
    const size_t numbers = kai_kind_type_numbers(p->type);
    if (p->type == KAI_PARAM_VALUE || p->type == KAI_PARAM_VALUE3 ||
        (numbers == 0 && p->type != KAI_PARAM_INT && p->type != KAI_PARAM_BOOL))
        return; // nothing a shape has; tables become meshes
    kai_text_add(to, ",\"%s\":", p->name);
    if (p->type == KAI_PARAM_INT)
        kai_json_number(to, (double)*(const int64_t*)(const void*)field);
    else if (p->type == KAI_PARAM_BOOL)
        kai_text_add(to, "%s", *(const bool*)(const void*)field ? "true" : "false");
    else if (numbers == 1)
        kai_json_number(to, *(const double*)(const void*)field);
    else
        kai_json_numbers(to, (const double*)(const void*)field, numbers);
}

// Surfaces of shapes that numbers do not describe; equal ones are one mesh.
typedef struct meshes {
    kai_trajectory_surfaces set;
    kai_text list; // kai_trajectory_surface
    bool failed;
} meshes;

static const kai_trajectory_surface* list_of(const meshes* m, size_t* count)
{
    *count = m->list.size / sizeof(kai_trajectory_surface);
    return (const kai_trajectory_surface*)(const void*)m->list.data;
}

// The mesh of a shape, -1: it has none.
static long mesh_of(meshes* m, const kai_world* world, kai_shape shape)
{
    const kai_store_entry* entry = kai_store_find(&world->shapes, KAI_ID_OF(shape));
    kai_trajectory_surface surface;
    if (entry == NULL || kai_trajectory_surfaces_add(&m->set, &world->shapes.batches[entry->batch],
                                                     entry->slot, &surface, NULL) != KAI_OK) {
        m->failed = m->failed || entry != NULL;
        return -1;
    }
    size_t count;
    const kai_trajectory_surface* list = list_of(m, &count);
    if (surface.triangle_count == 0) return -1;
    if (count > 0 && list[count - 1].first_triangle == surface.first_triangle)
        return (long)count - 1;
    kai_text_add_bytes(&m->list, &surface, sizeof surface);
    return (long)count;
}

static kai_result add_meshes(kai_text* to, const meshes* m, kai_chunks* chunks, kai_error* err)
{
    size_t count;
    const kai_trajectory_surface* list = list_of(m, &count);
    if (m->failed || m->list.failed)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for meshes");
    kai_text_add(to, ",\"meshes\":[");
    for (size_t i = 0; i < count; i++) {
        const kai_trajectory_surface* s = &list[i];
        size_t vertices, triangles;
        KAI_TRY(kai_chunks_pack(chunks, (const float*)m->set.vertices.data + 3 * s->first_vertex,
                                12 * (size_t)s->vertex_count, &vertices, err));
        KAI_TRY(kai_chunks_pack(chunks,
                                (const uint32_t*)m->set.triangles.data + 3 * s->first_triangle,
                                12 * (size_t)s->triangle_count, &triangles, err));
        kai_text_add(to,
                     "%s{\"vertices\":{\"chunk\":%zu,\"count\":%u},"
                     "\"triangles\":{\"chunk\":%zu,\"count\":%u}}",
                     i > 0 ? "," : "", vertices, s->vertex_count, triangles, s->triangle_count);
    }
    kai_text_add(to, "]");
    return KAI_OK;
}

static void add_shape(kai_text* to, const kai_world* world, kai_shape shape, meshes* m)
{
    const kai_shape_kind* kind;
    const void* params;
    kai_shape_def def;
    if (kai_shape_get(world, shape, &kind, &params, &def, NULL) != KAI_OK) return;
    kai_text_add(to, "{\"type\":");
    kai_json_string(to, kind->kind.name);
    for (size_t i = 0; i < kind->kind.param_count; i++)
        if (!kind->kind.params[i].hidden)
            add_param(to, &kind->kind.params[i], (const char*)params + kind->kind.params[i].offset);
    if (def.radius_margin > 0.0) {
        kai_text_add(to, ",\"radius_margin\":");
        kai_json_number(to, def.radius_margin);
    }
    const long mesh = mesh_of(m, world, shape);
    if (mesh >= 0) kai_text_add(to, ",\"mesh\":%ld", mesh);
    kai_text_add(to, ",\"at\":");
    kai_json_vec3(to, def.at);
    kai_text_add(to, ",\"rotation\":");
    kai_json_quat(to, def.rotation);
    kai_text_add(to, ",\"color\":");
    if (def.color.x < 0.0)
        kai_text_add(to, "null");
    else
        kai_json_vec3(to, def.color);
    kai_text_add(to, ",\"visible\":%s}", def.visible ? "true" : "false");
}

// Marks the slots of bodies that are nodes of a structure: its render mesh shows them. NULL: there are
// none, or no memory, and they are shown as all others are.
static bool* find_nodes(const kai_world* world)
{
    const size_t structures = kai_structure_count(world);
    bool* found = structures > 0 ? calloc(world->bodies.count + 1, sizeof *found) : NULL;
    for (size_t k = 0; found && k < structures; k++) {
        const kai_structure s = kai_structure_at(world, k);
        const size_t count = kai_structure_size(world, s, NULL);
        for (size_t i = 0; i < count; i++) {
            const size_t slot =
                kai_bodies_slot(&world->bodies, kai_structure_body_at(world, s, NULL, i));
            if (slot != SIZE_MAX) found[slot] = true;
        }
    }
    return found;
}

static void add_bodies(kai_text* to, const kai_world* world, const kai_movers* m, meshes* surfaces)
{
    bool* nodes = find_nodes(world);
    kai_text_add(to, "\"bodies\":[");
    for (size_t i = 0; i < m->bodies; i++) {
        const kai_body body = kai_movers_body(m, world, i);
        kai_text_add(to, "%s{\"name\":", i > 0 ? "," : "");
        kai_json_string(to, kai_body_name(world, body));
        const bool is_node = nodes && nodes[kai_bodies_slot(&world->bodies, body)];
        kai_text_add(to, ",\"group\":\"%s\",\"fixed\":%s,\"shapes\":[",
                     is_node ? "nodes" : "bodies",
                     kai_body_is_fixed(world, body) ? "true" : "false");
        bool first = true;
        for (kai_shape s = kai_shape_first(world, body); !KAI_IS_NULL(s);
             s = kai_shape_next(world, s)) {
            if (!first) kai_text_add(to, ",");
            add_shape(to, world, s, surfaces);
            first = false;
        }
        kai_text_add(to, "]}");
    }
    kai_text_add(to, "]");
    free(nodes);
}

// Particles --------------------------------------------------------------------------------------

// The radius of the ball in a slot; 0 for what is none. Straight from the stores: there are many.
static double radius_of(const kai_world* world, size_t slot)
{
    const uint32_t shape = kai_bodies_cold_of(&world->bodies, slot).first_shape;
    if (shape == 0) return 0.0;
    const kai_store_entry* entry = kai_store_entry_of(&world->shapes, shape);
    const kai_store_batch* batch = &world->shapes.batches[entry->batch];
    if (batch->kind != &kai_shape_sphere.kind) return 0.0;
    return ((const kai_shape_sphere_params*)batch->items.data)[entry->slot].radius;
}

// Radii go into a chunk when they are not all the same.
static kai_result add_radii(kai_text* to, const kai_world* world, const kai_particles_group* group,
                            kai_chunks* chunks, kai_error* err)
{
    float* radii = malloc((group->count + 1) * sizeof *radii);
    if (radii == NULL)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu radii", group->count);
    size_t n = 0;
    bool differ = false;
    for (size_t i = 0; i < group->count; i++) {
        const size_t slot = kai_bodies_slot(&world->bodies, kai_particles_group_body(group, i));
        if (slot == SIZE_MAX) continue;
        radii[n] = (float)radius_of(world, slot);
        differ = differ || radii[n] != radii[0];
        n++;
    }
    size_t chunk = 0;
    const kai_result r =
        differ ? kai_chunks_pack(chunks, radii, n * sizeof *radii, &chunk, err) : KAI_OK;
    if (differ && r == KAI_OK) kai_text_add(to, ",\"radii\":{\"chunk\":%zu}", chunk);
    free(radii);
    return r;
}

static kai_result add_particles(kai_text* to, const kai_world* world, const kai_movers* m,
                                meshes* surfaces, kai_chunks* chunks, kai_error* err)
{
    kai_text_add(to, ",\"particles\":[");
    for (size_t g = 0; g < m->group_count; g++) {
        const kai_particles_group* group =
            (const kai_particles_group*)world->groups.data + m->groups[g];
        kai_body sample = {0};
        size_t count = 0;
        for (size_t i = 0; i < group->count; i++) {
            const kai_body body = kai_particles_group_body(group, i);
            if (!kai_body_is_valid(world, body)) continue;
            if (count++ == 0) sample = body;
        }
        kai_text_add(to, "%s{\"name\":", g > 0 ? "," : "");
        kai_json_string(to, group->name != NULL ? group->name : "");
        kai_text_add(to, ",\"count\":%zu,\"shape\":", count);
        const kai_shape shape = count > 0 ? kai_shape_first(world, sample) : (kai_shape){0};
        kai_shape_def def = kai_shape_def_default();
        if (KAI_IS_NULL(shape)) {
            kai_text_add(to, "null");
        } else {
            add_shape(to, world, shape, surfaces);
            kai_shape_get(world, shape, NULL, NULL, &def, NULL);
        }
        KAI_TRY(add_radii(to, world, group, chunks, err));
        kai_text_add(to, ",\"color\":");
        if (def.color.x < 0.0)
            kai_text_add(to, "null}");
        else {
            kai_json_vec3(to, def.color);
            kai_text_add(to, "}");
        }
    }
    kai_text_add(to, "]");
    return KAI_OK;
}

// Joints and springs -----------------------------------------------------------------------------

long kai_describe_mover(const kai_movers* m, kai_body body)
{
    return body.index < m->id_count && m->of_id[body.index] != UINT32_MAX
               ? (long)m->of_id[body.index]
               : -1;
}

// A frame of a body's principal frame in its own frame.
static kai_frame own_frame(const kai_world* world, kai_body body, kai_frame inner)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX) return inner;
    return kai_frame_compose(kai_frame_inverse(kai_bodies_offset(&world->bodies, slot)), inner);
}

void kai_describe_frame(kai_text* to, const kai_world* world, const char* key, kai_body body,
                        kai_frame inner)
{
    const kai_frame frame = own_frame(world, body, inner);
    kai_text_add(to, ",\"%s\":{\"position\":", key);
    kai_json_vec3(to, frame.position);
    kai_text_add(to, ",\"rotation\":");
    kai_json_quat(to, frame.rotation);
    kai_text_add(to, "}");
}

static void add_joints(kai_text* to, const kai_world* world, const kai_movers* m)
{
    bool first = true;
    kai_text_add(to, ",\"joints\":[");
    for (size_t i = 0; i < kai_joint_count(world); i++) {
        const kai_joint joint = kai_joint_at_index(world, i);
        const kai_joint_kind* kind;
        const void* params;
        if (kai_joint_get(world, joint, &kind, &params) != KAI_OK || kind->section != NULL)
            continue; // motors: describe_drives.c
        const kai_joint_base* base = params;
        kai_text_add(to, "%s{\"name\":", first ? "" : ",");
        kai_json_string(to, kai_joint_name(world, joint));
        kai_text_add(to, ",\"type\":");
        kai_json_string(to, kind->kind.name);
        kai_text_add(to, ",\"a\":%ld,\"b\":%ld", kai_describe_mover(m, base->bodies[0]),
                     kai_describe_mover(m, base->bodies[1]));
        kai_describe_frame(to, world, "frame_a", base->bodies[0], base->inner[0]);
        kai_describe_frame(to, world, "frame_b", base->bodies[1], base->inner[1]);
        kai_text_add(to, "}");
        first = false;
    }
    kai_text_add(to, "]");
}

static void add_springs(kai_text* to, const kai_world* world, const kai_movers* m)
{
    bool first = true;
    kai_text_add(to, ",\"springs\":[");
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        if (batch->kind != &kai_load_spring.kind) continue;
        const kai_load_spring_instance* list = batch->items.data;
        for (size_t i = 0; i < batch->items.count; i++) {
            kai_text_add(to, "%s{\"name\":", first ? "" : ",");
            kai_json_string(to, kai_store_name(&world->loads, kai_store_id(&world->loads, b, i)));
            kai_text_add(to, ",\"type\":\"spring\",\"a\":%ld,\"b\":%ld",
                         kai_describe_mover(m, list[i].given.bodies[0]),
                         kai_describe_mover(m, list[i].given.bodies[1]));
            for (int k = 0; k < 2; k++) {
                const kai_frame inner = {list[i].inner[k], kai_quat_identity()};
                kai_text_add(to, ",\"point_%c\":", 'a' + k);
                kai_json_vec3(to, own_frame(world, list[i].given.bodies[k], inner).position);
            }
            kai_text_add(to, "}");
            first = false;
        }
    }
    kai_text_add(to, "]");
}

kai_result kai_describe(const kai_world* world, const kai_movers* movers, kai_chunks* chunks,
                        kai_text* to, kai_error* err)
{
    meshes surfaces = {0};
    kai_trajectory_surfaces_init(&surfaces.set);
    add_bodies(to, world, movers, &surfaces);
    kai_result r = add_particles(to, world, movers, &surfaces, chunks, err);
    if (r == KAI_OK) r = add_meshes(to, &surfaces, chunks, err);
    kai_trajectory_surfaces_free(&surfaces.set);
    kai_text_free(&surfaces.list);
    add_joints(to, world, movers);
    add_springs(to, world, movers);
    kai_describe_drives(world, movers, to);
    return r;
}
