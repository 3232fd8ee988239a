// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Render meshes: meshes whose vertices move one by one, such as surfaces and lines of finite elements, with
// numbers that colour them. A module that has some adds a *source* to the world once they are
// there; pages, files and live runs ask it:
//
//     static void describe(const void* context, size_t i, kai_render_mesh* out);
//     static void gather(const void* context, kai_world* world, size_t i, double* position,
//                        double* const* fields);
//     kai_render_mesh_add(world, &(kai_render_mesh_source){model, model->part_count, describe, gather}, err);
//
// What a mesh is made of must not change once a run has begun; where its vertices are may. Sources
// are not saved with a world: who restores the module adds them again.
#ifndef MODEL_RENDER_MESH_H
#define MODEL_RENDER_MESH_H

#include "base/array.h"

#include <kairos/world.h>

/// Most fields of one mesh.
#define KAI_RENDER_MESH_FIELDS 16

/// A number that every vertex has.
typedef struct kai_render_mesh_field {
    const char* name; // lower snake_case, such as von_mises; equal names are one field
    const char* unit; // "" for none
} kai_render_mesh_field;

/// What a mesh is made of. All that is pointed to lives as long as the source.
typedef struct kai_render_mesh {
    const char* name; // unique
    size_t vertex_count;
    const uint32_t* triangles; // [triangle_count][3] vertices, counterclockwise from outside
    size_t triangle_count;
    const uint32_t* lines; // [line_count][2] vertices: each a straight piece
    size_t line_count;
    const uint32_t*
        elements; // [triangle_count + line_count] that each belongs to, counted from 0; NULL: none
    const kai_render_mesh_field* fields; // [field_count]
    size_t field_count;                  // at most KAI_RENDER_MESH_FIELDS
    const kai_vec3* color;               // red, green, blue in 0…1; NULL: chosen by the viewer
} kai_render_mesh;

/// Some meshes of one module.
typedef struct kai_render_mesh_source {
    const void* context;
    size_t count; // meshes
    /// What mesh i is made of.
    void (*describe)(const void* context, size_t i, kai_render_mesh* out);
    /// Where the vertices of mesh i are, position[vertex_count][3] in the world, m, and the numbers
    /// of its fields, fields[field_count][vertex_count]; NaN: not known. Of the present state.
    /// Not beside other readers: results of elements may be laid out anew.
    void (*gather)(const void* context, kai_world* world, size_t i, double* position,
                   double* const* fields);
} kai_render_mesh_source;

/// A source of a world and the number of its first mesh.
typedef struct kai_render_mesh_entry {
    kai_render_mesh_source source;
    size_t first;
} kai_render_mesh_entry;

/// Adds a source. KAI_ERROR_ARGUMENT for a mesh that is not sound: without a name, with one that is
/// taken, or with corners that are no vertices.
kai_result kai_render_mesh_add(kai_world* world, const kai_render_mesh_source* source,
                               kai_error* err);

/// Meshes of all sources.
size_t kai_render_mesh_count(const kai_world* world);

/// Vertices of all meshes, which lie one after the other.
size_t kai_render_mesh_vertices(const kai_world* world);

/// What mesh k of all is made of.
void kai_render_mesh_describe(const kai_world* world, size_t k, kai_render_mesh* out);

/// Where its vertices are and what its fields are. One call at a time, and no other reader beside it:
/// a source may lay out what it needs.
void kai_render_mesh_gather(kai_world* world, size_t k, double* position, double* const* fields);

#endif
