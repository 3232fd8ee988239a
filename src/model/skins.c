// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/skins.h"

#include "model/world.h"

#include <string.h>

// The source of mesh k of all, and its number there.
static const kai_skins_source* source_of(const kai_world* world, size_t k, size_t* i)
{
    const kai_skins_source* sources = world->skins.data;
    for (size_t s = 0; s < world->skins.count; s++) {
        if (k < sources[s].count) {
            *i = k;
            return &sources[s];
        }
        k -= sources[s].count;
    }
    return NULL;
}

static bool are_vertices(const uint32_t* list, size_t count, size_t vertices)
{
    if (count > 0 && list == NULL) return false;
    for (size_t i = 0; i < count; i++)
        if (list[i] >= vertices) return false;
    return true;
}

static bool is_taken(const kai_world* world, const kai_skins_source* source, size_t i,
                     const char* name)
{
    kai_skins_mesh other;
    for (size_t k = 0; k < kai_skins_count(world); k++) {
        kai_skins_describe(world, k, &other);
        if (strcmp(other.name, name) == 0) return true;
    }
    for (size_t k = 0; k < i; k++) {
        source->describe(source->context, k, &other);
        if (strcmp(other.name, name) == 0) return true;
    }
    return false;
}

static kai_result check(const kai_world* world, const kai_skins_source* source, size_t i,
                        kai_error* err)
{
    const kai_result code = KAI_ERROR_ARGUMENT;
    kai_skins_mesh m = {0};
    source->describe(source->context, i, &m);
    if (m.name == NULL || m.name[0] == '\0')
        return kai_error_set(err, code, "kai_skins_add: mesh %zu has no name", i);
    if (is_taken(world, source, i, m.name))
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

kai_result kai_skins_add(kai_world* world, const kai_skins_source* source, kai_error* err)
{
    if (source->describe == NULL || source->gather == NULL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_skins_add: a source needs describe and gather");
    for (size_t i = 0; i < source->count; i++) KAI_TRY(check(world, source, i, err));
    return kai_array_append(&world->skins, &world->memory, source, 1, err);
}

size_t kai_skins_count(const kai_world* world)
{
    const kai_skins_source* sources = world->skins.data;
    size_t count = 0;
    for (size_t s = 0; s < world->skins.count; s++) count += sources[s].count;
    return count;
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
