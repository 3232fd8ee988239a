// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/skins.h"

#include "model/world.h"

#include <string.h>

// The source of mesh k of all, and its number there.
static const kai_skins_source* source_of(const kai_world* world, size_t k, size_t* i)
{
    const kai_skins_entry* entries = world->skins.data;
    if (k >= kai_skins_count(world)) return NULL;
    size_t low = 0, high = world->skins.count; // the last that begins at k or before
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

static kai_result check(const kai_world* world, const kai_skins_source* source, size_t i,
                        kai_error* err)
{
    const kai_result code = KAI_ERROR_ARGUMENT;
    kai_skins_mesh m = {0};
    source->describe(source->context, i, &m);
    if (m.name == NULL || m.name[0] == '\0')
        return kai_error_set(err, code, "kai_skins_add: mesh %zu has no name", i);
    if (!KAI_IS_NULL(kai_names_find(&world->skin_names, m.name)))
        return kai_error_set(err, code, "kai_skins_add: there is a mesh '%s' already", m.name);
    if (m.vertex_count > UINT32_MAX / 4 || m.triangle_count > UINT32_MAX / 4 ||
        m.line_count > UINT32_MAX / 4)
        return kai_error_set(err, code, "kai_skins_add: mesh '%s' is too large", m.name);
    if (!are_vertices(m.triangles, 3 * m.triangle_count, m.vertex_count) ||
        !are_vertices(m.lines, 2 * m.line_count, m.vertex_count))
        return kai_error_set(err, code,
                             "kai_skins_add: mesh '%s' has a corner that is none of its %zu "
                             "vertices",
                             m.name, m.vertex_count);
    if (m.field_count > KAI_SKINS_FIELDS)
        return kai_error_set(err, code, "kai_skins_add: mesh '%s' has %zu fields; at most %d",
                             m.name, m.field_count, KAI_SKINS_FIELDS);
    for (size_t f = 0; f < m.field_count; f++) {
        const char* name = m.fields[f].name;
        if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL ||
            m.fields[f].unit == NULL)
            return kai_error_set(err, code,
                                 "kai_skins_add: field %zu of mesh '%s' needs a plain name and a "
                                 "unit",
                                 f, m.name);
    }
    return KAI_OK;
}

/// Takes the names of the first `count` meshes back.
static void forget(kai_world* world, const kai_skins_source* source, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kai_skins_mesh m = {0};
        source->describe(source->context, i, &m);
        kai_names_remove(&world->skin_names, m.name);
    }
}

static kai_result add_mesh(kai_world* world, const kai_skins_source* source, size_t i,
                           kai_error* err)
{
    kai_skins_mesh m = {0};
    KAI_TRY(check(world, source, i, err));
    source->describe(source->context, i, &m);
    return kai_names_add(&world->skin_names, "mesh", m.name, (kai_id){.index = 1}, NULL, err);
}

kai_result kai_skins_add(kai_world* world, const kai_skins_source* source, kai_error* err)
{
    if (source->describe == NULL || source->gather == NULL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_skins_add: a source needs describe and gather");
    const kai_skins_entry entry = {*source, kai_skins_count(world)};
    kai_result r = KAI_OK;
    size_t added = 0;
    for (; r == KAI_OK && added < source->count; added += r == KAI_OK)
        r = add_mesh(world, source, added, err);
    if (r == KAI_OK) r = kai_array_append(&world->skins, &world->memory, &entry, 1, err);
    if (r != KAI_OK) forget(world, source, added);
    return r;
}

size_t kai_skins_count(const kai_world* world)
{
    const kai_skins_entry* entries = world->skins.data;
    const size_t count = world->skins.count;
    return count > 0 ? entries[count - 1].first + entries[count - 1].source.count : 0;
}

size_t kai_skins_vertices(const kai_world* world)
{
    size_t vertices = 0;
    for (size_t k = 0; k < kai_skins_count(world); k++) {
        kai_skins_mesh mesh;
        kai_skins_describe(world, k, &mesh);
        vertices += mesh.vertex_count;
    }
    return vertices;
}

void kai_skins_describe(const kai_world* world, size_t k, kai_skins_mesh* out)
{
    size_t i = 0;
    const kai_skins_source* source = source_of(world, k, &i);
    *out = (kai_skins_mesh){.name = ""};
    if (source != NULL) source->describe(source->context, i, out);
}

void kai_skins_gather(const kai_world* world, size_t k, double* position, double* const* fields)
{
    size_t i = 0;
    const kai_skins_source* source = source_of(world, k, &i);
    if (source != NULL) source->gather(source->context, world, i, position, fields);
}
