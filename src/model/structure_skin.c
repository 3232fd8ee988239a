// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/structure_skin.h"

#include "base/error.h"
#include "model/id.h"
#include "model/node.h"
#include "model/skins.h"
#include "model/structure_faces.h"

#include <stdio.h>
#include <string.h>

/// One structure. Its vertices are its nodes.
typedef struct skin {
    kai_structure structure;
    kai_string name;
    uint32_t index; // in the id, kept for restored worlds
    size_t nodes, triangle_count, line_count;
    uint32_t *triangles, *lines;
    double* start;   // [nodes][3]: bodies without deformation
    uint32_t* place; // [places]: 1 + vertex of the node with that index of its id
    size_t places;
    double* share; // [nodes]: scratch, cells that a vertex has a number from
} skin;

enum { DISPLACEMENT, SPEED, STRESS, FIELDS };

static const kai_skins_field SURFACE_FIELDS[FIELDS] = {
    {"displacement", "m"}, {"speed", "m/s"}, {"von_mises", "Pa"}};
static const kai_skins_field LINE_FIELDS[FIELDS] = {
    {"displacement", "m"}, {"speed", "m/s"}, {"axial_force", "N"}};

/// The vertex of a node, by the index of its id; UINT32_MAX where a file tells of one that is not
/// there.
static uint32_t vertex_of(const skin* s, uint32_t index)
{
    return index < s->places ? s->place[index] - 1 : UINT32_MAX;
}

static void describe(const void* context, size_t i, kai_skins_mesh* out)
{
    (void)i;
    const skin* s = context;
    *out = (kai_skins_mesh){.name = s->name.text,
                            .vertex_count = s->nodes,
                            .triangles = s->triangles,
                            .triangle_count = s->triangle_count,
                            .lines = s->lines,
                            .line_count = s->line_count,
                            .fields = s->triangle_count > 0 ? SURFACE_FIELDS : LINE_FIELDS,
                            .field_count = FIELDS};
}

// State ------------------------------------------------------------------------------------------

static void gather_node(const skin* s, const kai_world* world, size_t i, double* position,
                        double* const* fields)
{
    const kai_node node = kai_structure_node_at(world, s->structure, NULL, i);
    kai_vec3 at, start, velocity;
    if (KAI_IS_NULL(node)) {
        const kai_body body = kai_structure_body_at(world, s->structure, NULL, i);
        at = kai_body_position(world, body);
        velocity = kai_body_velocity(world, body);
        start = kai_vec3_make(s->start[3 * i], s->start[3 * i + 1], s->start[3 * i + 2]);
    } else {
        const uint32_t slot = kai_node_slot(world, node);
        const kai_node_def* def = slot == UINT32_MAX ? NULL : &kai_node_all(world)[slot];
        at = def ? def->position : kai_vec3_zero();
        velocity = def ? def->velocity : kai_vec3_zero();
        start = def ? def->reference[0] : at;
    }
    position[3 * i] = at.x, position[3 * i + 1] = at.y, position[3 * i + 2] = at.z;
    fields[DISPLACEMENT][i] = kai_vec3_distance(at, start);
    fields[SPEED][i] = kai_vec3_norm(velocity);
}

static double stress_of(const kai_element_sample* x, bool line)
{
    const double* s = x->stress;
    if (line) return s[0];
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/// Stress in the middle of cells (of shells: on the side of their normal), as a mean at nodes.
static void gather_stress(const skin* s, kai_world* world, double* out)
{
    static const double AT[3] = {0.0, 0.0, 1.0}, MIDDLE[3] = {0.0, 0.0, 0.0};
    memset(s->share, 0, s->nodes * sizeof *s->share);
    memset(out, 0, s->nodes * sizeof *out);
    const kai_error before = world->error;
    const size_t count = kai_structure_element_count(world, s->structure);
    for (size_t i = 0; i < count; i++) {
        const kai_element element = kai_structure_element_at(world, s->structure, i);
        const kai_element_kind* kind = kai_element_kind_of(world, element);
        const kai_node* nodes = kai_element_params(world, element);
        kai_element_sample sample;
        if (!kind || !kind->sample ||
            kai_element_sample_at(world, element, kind->face_count == 1 ? AT : MIDDLE, &sample) !=
                KAI_OK)
            continue;
        const double stress = stress_of(&sample, s->triangle_count == 0);
        for (int k = 0; k < kind->nodes; k++) {
            const uint32_t v = vertex_of(s, nodes[k].index);
            if (v == UINT32_MAX) continue;
            out[v] += stress;
            s->share[v] += 1.0;
        }
    }
    world->error = before;
    for (size_t i = 0; i < s->nodes; i++)
        out[i] = s->share[i] > 0.0 ? out[i] / s->share[i] : (double)NAN;
}

static void gather(const void* context, const kai_world* world, size_t i, double* position,
                   double* const* fields)
{
    (void)i;
    const skin* s = context;
    for (size_t k = 0; k < s->nodes; k++) gather_node(s, world, k, position, fields);
    gather_stress(s, (kai_world*)(uintptr_t)world, fields[STRESS]);
}

// Making -----------------------------------------------------------------------------------------

static void free_skin(kai_memory* memory, skin* s)
{
    kai_memory_release(memory, s->triangles, 3 * s->triangle_count * sizeof *s->triangles);
    kai_memory_release(memory, s->lines, 2 * s->line_count * sizeof *s->lines);
    kai_memory_release(memory, s->start, 3 * s->nodes * sizeof *s->start);
    kai_memory_release(memory, s->place, s->places * sizeof *s->place);
    kai_memory_release(memory, s->share, s->nodes * sizeof *s->share);
    kai_memory_release(memory, s, sizeof *s);
}

/// Faces as triangles, and lines.
static void fill(skin* s, const kai_structure_faces_item* faces, size_t count)
{
    size_t t = 0, l = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t v[4];
        for (uint32_t k = 0; k < faces[i].count; k++) v[k] = vertex_of(s, faces[i].nodes[k].index);
        if (faces[i].count == 2) {
            memcpy(s->lines + 2 * l++, v, 2 * sizeof *v);
            continue;
        }
        for (uint32_t k = 2; k < faces[i].count; k++, t++) {
            s->triangles[3 * t] = v[0];
            s->triangles[3 * t + 1] = v[k - 1];
            s->triangles[3 * t + 2] = v[k];
        }
    }
}

/// Where bodies were without deformation: elements keep it.
static void fill_start(const kai_world* world, skin* s)
{
    for (size_t i = 0; i < kai_structure_element_count(world, s->structure); i++) {
        const kai_element element = kai_structure_element_at(world, s->structure, i);
        const kai_element_kind* kind = kai_element_kind_of(world, element);
        const kai_node* nodes = kai_element_params(world, element);
        if (!kind || kind->slopes >= 0) return;
        const double* q = (const double*)(const void*)((const char*)nodes + kind->reference);
        for (int k = 0; k < kind->nodes; k++) {
            const uint32_t v = vertex_of(s, nodes[k].index);
            if (v != UINT32_MAX) memcpy(s->start + 3 * (size_t)v, q + 7 * k, 3 * sizeof *q);
        }
    }
}

static kai_result allocate(kai_world* world, skin* s, const kai_structure_faces_item* faces,
                           size_t count)
{
    kai_memory* memory = &world->memory;
    for (size_t i = 0; i < count; i++) {
        s->line_count += faces[i].count == 2;
        s->triangle_count += faces[i].count - 2;
    }
    for (size_t i = 0; i < s->nodes; i++) {
        const uint32_t index = kai_structure_index(world, s->structure, NULL, i);
        if (index >= s->places) s->places = (size_t)index + 1;
    }
    s->triangles = kai_memory_allocate_zeroed(memory, 3 * s->triangle_count, sizeof(uint32_t));
    s->lines = kai_memory_allocate_zeroed(memory, 2 * s->line_count, sizeof(uint32_t));
    s->start = kai_memory_allocate_zeroed(memory, 3 * s->nodes, sizeof(double));
    s->place = kai_memory_allocate_zeroed(memory, s->places, sizeof(uint32_t));
    s->share = kai_memory_allocate_zeroed(memory, s->nodes, sizeof(double));
    if ((s->triangle_count && !s->triangles) || (s->line_count && !s->lines) || !s->start ||
        !s->place || !s->share)
        return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for a skin");
    for (size_t i = 0; i < s->nodes; i++)
        s->place[kai_structure_index(world, s->structure, NULL, i)] = (uint32_t)i + 1;
    return KAI_OK;
}

static kai_result make(kai_world* world, kai_structure structure, kai_array* faces)
{
    kai_memory* memory = &world->memory;
    skin* s = kai_memory_allocate_zeroed(memory, 1, sizeof *s);
    if (!s) return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for a skin");
    s->structure = structure;
    s->index = structure.index;
    s->nodes = kai_structure_size(world, structure, NULL);
    const char* name = kai_structure_name(world, structure);
    if (name[0])
        snprintf(s->name.text, sizeof s->name.text, "%s", name);
    else
        snprintf(s->name.text, sizeof s->name.text, "structure-%u", structure.index);
    kai_result r = kai_structure_faces_find(world, structure, NULL, 0, faces);
    if (r == KAI_OK) r = allocate(world, s, faces->data, faces->count);
    if (r == KAI_OK) {
        fill(s, faces->data, faces->count);
        fill_start(world, s);
        r = kai_array_append(&world->structure_skins, memory, &s, 1, &world->error);
    }
    if (r != KAI_OK) {
        free_skin(memory, s);
        return r;
    }
    const kai_skins_source source = {s, 1, describe, gather};
    r = kai_skins_add(world, &source, &world->error);
    if (r == KAI_OK) return r;
    world->structure_skins.count--;
    free_skin(memory, s);
    return r;
}

kai_result kai_structure_skin_add(kai_world* world, kai_error* err)
{
    for (size_t i = 0; i < kai_structure_count(world); i++) {
        const kai_structure structure = kai_structure_at(world, i);
        skin* const* skins = world->structure_skins.data;
        bool there = false;
        for (size_t k = 0; k < world->structure_skins.count; k++)
            there = there || skins[k]->index == structure.index;
        if (there) continue;
        kai_array faces = kai_array_make(sizeof(kai_structure_faces_item));
        const kai_result r = make(world, structure, &faces);
        kai_array_free(&faces, &world->memory);
        if (r != KAI_OK) {
            if (err && err != &world->error) *err = world->error;
            return r;
        }
    }
    return KAI_OK;
}

void kai_structure_skin_free(kai_world* world)
{
    skin* const* skins = world->structure_skins.data;
    for (size_t i = 0; i < world->structure_skins.count; i++) free_skin(&world->memory, skins[i]);
    kai_array_free(&world->structure_skins, &world->memory);
}
