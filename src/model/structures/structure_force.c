// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/structures/structure_force.h"

#include "base/error.h"
#include "model/check.h"
#include "model/id.h"

#include <kairos/load.h>

typedef kai_structure_force_shares shares;

static kai_vec3 place(const kai_world* world, const kai_element_kind* kind, kai_node id)
{
    if (kind->slopes < 0) return kai_body_position(world, KAI_ID_AS(kai_body, id));
    kai_vec3 reference[1 + KAI_NODE_SLOPES];
    return kai_node_reference(world, id, reference) == KAI_OK ? reference[0] : kai_vec3_zero();
}

static double area_of(const kai_world* world, const kai_element_kind* kind,
                      const kai_element_face* face, const kai_node* nodes)
{
    kai_vec3 p[4];
    for (int k = 0; k < face->count; k++) p[k] = place(world, kind, nodes[face->nodes[k]]);
    if (face->count == 2) return kai_vec3_distance(p[0], p[1]);
    const kai_vec3 last = face->count == 3 ? p[0] : p[3];
    return 0.5 * kai_vec3_norm(kai_vec3_cross(kai_vec3_sub(p[2], p[0]), kai_vec3_sub(p[1], last)));
}

static void share(shares* s, const kai_element_face* face, const kai_node* nodes, double area)
{
    for (int k = 0; k < face->count; k++)
        s->weight[nodes[face->nodes[k]].index] += area / face->count;
    s->total += area;
}

static bool is_inside(const shares* s, const kai_element_face* face, const kai_node* nodes)
{
    for (int k = 0; k < face->count; k++)
        if (nodes[face->nodes[k]].index >= s->size || s->weight[nodes[face->nodes[k]].index] < 0.0)
            return false;
    return true;
}

/// Weighs nodes by the faces (or `edges` of faces) whose nodes all belong to the set.
static void weigh(const kai_world* world, kai_structure structure, bool edges, shares* s)
{
    const size_t count = kai_structure_element_count(world, structure);
    for (size_t i = 0; i < count; i++) {
        const kai_element element = kai_structure_element_at(world, structure, i);
        const kai_element_kind* kind = kai_element_kind_of(world, element);
        const kai_node* nodes = kai_element_params(world, element);
        for (size_t f = 0; kind && f < kind->face_count; f++) {
            const kai_element_face* face = &kind->faces[f];
            for (int k = 0; edges && k < face->count; k++) {
                const kai_element_face edge = {
                    2, {face->nodes[k], face->nodes[(k + 1) % face->count]}};
                if (is_inside(s, &edge, nodes))
                    share(s, &edge, nodes, area_of(world, kind, &edge, nodes));
            }
            if (!edges && is_inside(s, face, nodes))
                share(s, face, nodes, area_of(world, kind, face, nodes));
        }
    }
}

kai_result kai_structure_force_share(kai_world* world, kai_structure structure, const char* set,
                                     shares* s)
{
    const size_t count = kai_structure_size(world, structure, set);
    *s = (shares){.size = 0};
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = kai_structure_index(world, structure, set, i);
        if (index >= s->size) s->size = (size_t)index + 1;
    }
    s->weight = kai_memory_allocate_zeroed(&world->memory, s->size, sizeof *s->weight);
    if (!s->weight)
        return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for %zu nodes", s->size);
    for (size_t i = 0; i < s->size; i++) s->weight[i] = -1.0;
    for (size_t i = 0; i < count; i++)
        s->weight[kai_structure_index(world, structure, set, i)] = 0.0;
    weigh(world, structure, false, s);
    if (!(s->total > 0.0)) weigh(world, structure, true, s);
    for (size_t i = 0; i < s->size; i++) {
        if (s->weight[i] < 0.0) continue;
        s->weight[i] = s->total > 0.0 ? s->weight[i] / s->total : 1.0 / (double)count;
    }
    return KAI_OK;
}

void kai_structure_force_free(kai_world* world, const shares* s)
{
    kai_memory_release(&world->memory, s->weight, s->size * sizeof *s->weight);
}

// Constant forces --------------------------------------------------------------------------------

static kai_result push(kai_world* world, kai_structure structure, const char* set, size_t i,
                       bool frames, kai_vec3 force)
{
    if (!frames) {
        const kai_node node = kai_structure_node_at(world, structure, set, i);
        kai_node_def def;
        KAI_TRY(kai_node_get(world, node, &def));
        return kai_node_set_force(world, node, kai_vec3_add(def.force[0], force));
    }
    kai_load_force_params params;
    kai_load load;
    kai_kind_defaults(&kai_load_force.kind, &params);
    params.body = kai_structure_body_at(world, structure, set, i);
    params.value = (kai_value3){kai_value_constant(force.x), kai_value_constant(force.y),
                                kai_value_constant(force.z)};
    return kai_load_create(world, &kai_load_force, &params, NULL, &load);
}

kai_result kai_structure_force(kai_world* world, kai_structure structure, const char* set,
                               kai_vec3 force)
{
    KAI_CHANGE(world);
    bool frames;
    KAI_TRY(kai_world_fail(world, __func__, kai_structure_check(world, structure, set, &frames)));
    if (!kai_vec3_is_finite(force))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_structure_force: force is [%g, %g, %g] N; must be finite",
                             force.x, force.y, force.z);
    shares s;
    KAI_TRY(kai_world_fail(world, __func__, kai_structure_force_share(world, structure, set, &s)));
    const size_t count = kai_structure_size(world, structure, set);
    kai_result r = KAI_OK;
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        const uint32_t index = kai_structure_index(world, structure, set, i);
        r = push(world, structure, set, i, frames, kai_vec3_scale(force, s.weight[index]));
    }
    kai_structure_force_free(world, &s);
    return r;
}
