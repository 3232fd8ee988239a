// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/render_mesh.h"

#include "model/world.h"

#include <string.h>

// The source of mesh k of all, and its number there.
static const kai_render_mesh_source* source_of(const kai_world* world, size_t k, size_t* i)
{
    const kai_render_mesh_entry* entries = world->render_meshes.data;
    if (k >= kai_render_mesh_count(world)) return NULL;
    size_t low = 0, high = world->render_meshes.count; // the last that begins at k or before
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (entries[middle].first <= k)
            low = middle;
        else
            high = middle;
    }
    *i = k - entries[low].first;
    return &entries[low].source;
}

static bool are_vertices(const uint32_t* list, size_t count, size_t vertices)
{
    if (count > 0 && list == NULL) return false;
    for (size_t i = 0; i < count; i++)
        if (list[i] >= vertices) return false;
    return true;
}

static kai_result check(const kai_world* world, const kai_render_mesh_source* source, size_t i,
                        kai_error* err)
{
    const kai_result code = KAI_ERROR_ARGUMENT;
    kai_render_mesh m = {0};
    source->describe(source->context, i, &m);
    if (m.name == NULL || m.name[0] == '\0')
        return kai_error_set(err, code, "kai_render_mesh_add: mesh %zu has no name", i);
    if (!KAI_IS_NULL(kai_names_find(&world->render_mesh_names, m.name)))
        return kai_error_set(err, code, "kai_render_mesh_add: there is a mesh '%s' already",
                             m.name);
    if (m.vertex_count > UINT32_MAX / 4 || m.triangle_count > UINT32_MAX / 4 ||
        m.line_count > UINT32_MAX / 4)
        return kai_error_set(err, code, "kai_render_mesh_add: mesh '%s' is too large", m.name);
    if (!are_vertices(m.triangles, 3 * m.triangle_count, m.vertex_count) ||
        !are_vertices(m.lines, 2 * m.line_count, m.vertex_count))
        return kai_error_set(err, code,
                             "kai_render_mesh_add: mesh '%s' has a corner that is none of its %zu "
                             "vertices",
                             m.name, m.vertex_count);
    if (m.field_count > KAI_RENDER_MESH_FIELDS)
        return kai_error_set(err, code, "kai_render_mesh_add: mesh '%s' has %zu fields; at most %d",
                             m.name, m.field_count, KAI_RENDER_MESH_FIELDS);
    for (size_t f = 0; f < m.field_count; f++) {
        const char* name = m.fields[f].name;
        if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL ||
            m.fields[f].unit == NULL)
            return kai_error_set(
                err, code,
                "kai_render_mesh_add: field %zu of mesh '%s' needs a plain name and a "
                "unit",
                f, m.name);
    }
    return KAI_OK;
}

/// Takes the names of the first `count` meshes back.
static void forget(kai_world* world, const kai_render_mesh_source* source, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kai_render_mesh m = {0};
        source->describe(source->context, i, &m);
        kai_names_remove(&world->render_mesh_names, m.name);
    }
}

static kai_result add_mesh(kai_world* world, const kai_render_mesh_source* source, size_t i,
                           kai_error* err)
{
    kai_render_mesh m = {0};
    KAI_TRY(check(world, source, i, err));
    source->describe(source->context, i, &m);
    return kai_names_add(&world->render_mesh_names, "mesh", m.name, (kai_id){.index = 1}, NULL,
                         err);
}

kai_result kai_render_mesh_add(kai_world* world, const kai_render_mesh_source* source,
                               kai_error* err)
{
    if (source->describe == NULL || source->gather == NULL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_render_mesh_add: a source needs describe and gather");
    const kai_render_mesh_entry entry = {*source, kai_render_mesh_count(world)};
    kai_result r = KAI_OK;
    size_t added = 0;
    for (; r == KAI_OK && added < source->count; added += r == KAI_OK)
        r = add_mesh(world, source, added, err);
    if (r == KAI_OK) r = kai_array_append(&world->render_meshes, &world->memory, &entry, 1, err);
    if (r != KAI_OK) forget(world, source, added);
    return r;
}

size_t kai_render_mesh_count(const kai_world* world)
{
    const kai_render_mesh_entry* entries = world->render_meshes.data;
    const size_t count = world->render_meshes.count;
    return count > 0 ? entries[count - 1].first + entries[count - 1].source.count : 0;
}

size_t kai_render_mesh_vertices(const kai_world* world)
{
    size_t vertices = 0;
    for (size_t k = 0; k < kai_render_mesh_count(world); k++) {
        kai_render_mesh mesh;
        kai_render_mesh_describe(world, k, &mesh);
        vertices += mesh.vertex_count;
    }
    return vertices;
}

void kai_render_mesh_describe(const kai_world* world, size_t k, kai_render_mesh* out)
{
    size_t i = 0;
    const kai_render_mesh_source* source = source_of(world, k, &i);
    *out = (kai_render_mesh){.name = ""};
    if (source != NULL) source->describe(source->context, i, out);
}

void kai_render_mesh_gather(kai_world* world, size_t k, double* position, double* const* fields)
{
    size_t i = 0;
    const kai_render_mesh_source* source = source_of(world, k, &i);
    if (source != NULL) source->gather(source->context, world, i, position, fields);
}
