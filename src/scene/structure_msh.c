// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes of Gmsh as text, versions 2.2 and 4.1. Physical groups become groups of nodes.
#include "base/error.h"
#include "scene/structure_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What Gmsh calls a type of cell.
typedef struct sort {
    kai_structure_cell cell;
    uint8_t count;
    const uint8_t* order; // VTK's node k is Gmsh's node order[k]; NULL: the same
} sort;

static const uint8_t TET10[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const uint8_t HEX20[20] = {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                  13, 9, 16, 18, 19, 17, 10, 12, 14, 15};

static sort sort_of(int64_t type)
{
    switch (type) {
    case 1: return (sort){KAI_STRUCTURE_LINE, 2, NULL};
    case 2: return (sort){KAI_STRUCTURE_TRIANGLE, 3, NULL};
    case 3: return (sort){KAI_STRUCTURE_QUADRANGLE, 4, NULL};
    case 4: return (sort){KAI_STRUCTURE_TETRAHEDRON, 4, NULL};
    case 5: return (sort){KAI_STRUCTURE_HEXAHEDRON, 8, NULL};
    case 11: return (sort){KAI_STRUCTURE_TETRAHEDRON, 10, TET10};
    case 17: return (sort){KAI_STRUCTURE_HEXAHEDRON, 20, HEX20};
    default: return (sort){KAI_STRUCTURE_NONE, 0, NULL};
    }
}

/// A physical group, and which geometry belongs to it (4.1).
typedef struct physical {
    int64_t dimension, tag;
    uint32_t group;
} physical;

typedef struct entity {
    int64_t dimension, tag, physical;
} entity;

typedef struct reading {
    kai_structure_data_text text;
    kai_structure_data* data;
    kai_array physicals, entities;
    int version; // 2 or 4
} reading;

// One line at a time -----------------------------------------------------------------------------

/// A line as whole numbers, `most` of them; the rest is left out.
static kai_result structure_msh_wholes(reading* r, int64_t* out, size_t most, size_t* count)
{
    const char *at, *end, *begin, *stop;
    if (!kai_structure_data_line(&r->text, &at, &end))
        return kai_structure_data_bad(&r->text, "the file ends too early");
    *count = 0;
    while (*count < most && kai_structure_data_word(&at, end, false, &begin, &stop))
        KAI_TRY(kai_structure_data_whole(&r->text, begin, stop, &out[(*count)++]));
    return KAI_OK;
}

static kai_result wholes_exactly(reading* r, int64_t* out, size_t count)
{
    size_t found;
    KAI_TRY(structure_msh_wholes(r, out, count, &found));
    return found == count ? KAI_OK : kai_structure_data_bad(&r->text, "a number is missing");
}

static kai_result structure_msh_reals(reading* r, double* out, size_t most, size_t* count)
{
    const char *at, *end, *begin, *stop;
    if (!kai_structure_data_line(&r->text, &at, &end))
        return kai_structure_data_bad(&r->text, "the file ends too early");
    *count = 0;
    while (*count < most && kai_structure_data_word(&at, end, false, &begin, &stop))
        KAI_TRY(kai_structure_data_real(&r->text, begin, stop, &out[(*count)++]));
    return KAI_OK;
}

// Groups -----------------------------------------------------------------------------------------

/// The group of a physical tag; one without a name is called "group-TAG".
static kai_result group_of(reading* r, int64_t dimension, int64_t tag, uint32_t* out)
{
    const physical* all = r->physicals.data;
    if (r->physicals.count > 10000)
        return kai_error_set(r->data->err, KAI_ERROR_LIMIT, "there are more than 10000 groups");
    for (size_t i = 0; i < r->physicals.count; i++)
        if (all[i].dimension == dimension && all[i].tag == tag) {
            *out = all[i].group;
            return KAI_OK;
        }
    char name[32];
    const int size = snprintf(name, sizeof name, "group-%lld", (long long)tag);
    physical p = {dimension, tag, 0};
    KAI_TRY(kai_structure_data_group(r->data, name, (size_t)size, &p.group));
    *out = p.group;
    return kai_array_append(&r->physicals, &r->data->memory, &p, 1, r->data->err);
}

static kai_result read_names(reading* r)
{
    int64_t count;
    KAI_TRY(wholes_exactly(r, &count, 1));
    for (int64_t i = 0; i < count; i++) {
        const char *at, *end, *begin, *stop;
        int64_t number[2];
        if (!kai_structure_data_line(&r->text, &at, &end))
            return kai_structure_data_bad(&r->text, "the file ends too early");
        for (int k = 0; k < 2; k++) {
            if (!kai_structure_data_word(&at, end, false, &begin, &stop))
                return kai_structure_data_bad(&r->text, "a number is missing");
            KAI_TRY(kai_structure_data_whole(&r->text, begin, stop, &number[k]));
        }
        begin = memchr(at, '"', (size_t)(end - at));
        stop = begin ? memchr(begin + 1, '"', (size_t)(end - begin - 1)) : NULL;
        if (!stop) return kai_structure_data_bad(&r->text, "a name in quotes is expected");
        physical p = {number[0], number[1], 0};
        KAI_TRY(kai_structure_data_group(r->data, begin + 1, (size_t)(stop - begin - 1), &p.group));
        KAI_TRY(kai_array_append(&r->physicals, &r->data->memory, &p, 1, r->data->err));
    }
    return KAI_OK;
}

static int by_entity(const void* a, const void* b)
{
    const entity *x = a, *y = b;
    if (x->dimension != y->dimension) return x->dimension < y->dimension ? -1 : 1;
    if (x->tag != y->tag) return x->tag < y->tag ? -1 : 1;
    return (x->physical > y->physical) - (x->physical < y->physical);
}

/// Lines of $Entities: tag, 3 or 6 numbers of bounds, then how many physical tags and which.
static kai_result read_entities(reading* r)
{
    int64_t counts[4];
    KAI_TRY(wholes_exactly(r, counts, 4));
    for (int64_t dimension = 0; dimension < 4; dimension++) {
        const size_t skip = dimension == 0 ? 3 : 6;
        for (int64_t i = 0; i < counts[dimension]; i++) {
            double x[64];
            size_t found;
            KAI_TRY(structure_msh_reals(r, x, KAI_COUNT(x), &found));
            if (found < skip + 2 || !(x[skip + 1] >= 0.0) || !(fabs(x[0]) <= 9e15))
                return kai_structure_data_bad(&r->text, "a number is missing");
            for (size_t k = skip + 2; k < found && (double)(k - skip - 2) < x[skip + 1]; k++) {
                if (!(fabs(x[k]) <= 9e15))
                    return kai_structure_data_bad(&r->text, "a whole number is expected");
                const entity e = {dimension, (int64_t)x[0], (int64_t)fabs(x[k])};
                KAI_TRY(kai_array_append(&r->entities, &r->data->memory, &e, 1, r->data->err));
            }
        }
    }
    if (r->entities.count > 0)
        qsort(r->entities.data, r->entities.count, sizeof(entity), by_entity);
    return KAI_OK;
}

// Nodes and cells --------------------------------------------------------------------------------

static kai_result read_nodes_2(reading* r)
{
    int64_t count;
    KAI_TRY(wholes_exactly(r, &count, 1));
    for (int64_t i = 0; i < count; i++) {
        double x[4];
        size_t found;
        KAI_TRY(structure_msh_reals(r, x, 4, &found));
        if (found < 4 || x[0] != floor(x[0]) || !(fabs(x[0]) <= 9e15))
            return kai_structure_data_bad(&r->text, "a node must be a number, x, y and z");
        KAI_TRY(
            kai_structure_data_point_add(r->data, (int64_t)x[0], kai_vec3_make(x[1], x[2], x[3])));
    }
    return KAI_OK;
}

/// Blocks: all numbers of nodes, then all places.
static kai_result read_nodes_4(reading* r)
{
    int64_t head[4], block[4];
    KAI_TRY(wholes_exactly(r, head, 4));
    for (int64_t b = 0; b < head[0]; b++) {
        KAI_TRY(wholes_exactly(r, block, 4));
        const size_t first = r->data->points.count;
        for (int64_t i = 0; i < block[3]; i++) {
            int64_t number;
            KAI_TRY(wholes_exactly(r, &number, 1));
            KAI_TRY(kai_structure_data_point_add(r->data, number, kai_vec3_zero()));
        }
        for (int64_t i = 0; i < block[3]; i++) {
            double x[3];
            size_t found;
            KAI_TRY(structure_msh_reals(r, x, 3, &found));
            if (found < 3) return kai_structure_data_bad(&r->text, "a node must have x, y and z");
            ((kai_structure_data_point*)r->data->points.data)[first + (size_t)i].at =
                kai_vec3_make(x[0], x[1], x[2]);
        }
    }
    return KAI_OK;
}

static kai_result add_cell(reading* r, int64_t number, int64_t type, const int64_t* nodes,
                           size_t count)
{
    const sort s = sort_of(type);
    int64_t ordered[KAI_ELEMENT_NODES];
    if (s.cell == KAI_STRUCTURE_NONE) return KAI_OK; // a point, or a cell that nobody asks for
    if (count != s.count) {
        char name[32];
        snprintf(name, sizeof name, "%lld", (long long)type);
        return kai_structure_data_miscounted(&r->text, number, count, name, s.count);
    }
    for (size_t k = 0; k < count; k++) ordered[k] = nodes[s.order ? s.order[k] : k];
    return kai_structure_data_cell_add(r->data, number, s.cell, ordered, count);
}

static kai_result add_members(reading* r, int64_t dimension, int64_t tag, const int64_t* nodes,
                              size_t count)
{
    uint32_t group = 0;
    KAI_TRY(group_of(r, dimension, tag, &group));
    for (size_t k = 0; k < count; k++)
        KAI_TRY(kai_structure_data_member_add(r->data, group, nodes[k]));
    return KAI_OK;
}

static int64_t dimension_of(int64_t type)
{
    static const uint8_t DIMENSION[20] = {0, 1, 2, 2, 3, 3, 3, 3, 1, 2,
                                          2, 3, 3, 3, 3, 0, 2, 3, 3, 3};
    return type > 0 && type < 20 ? DIMENSION[type] : 3;
}

static kai_result read_cells_2(reading* r)
{
    int64_t count;
    KAI_TRY(wholes_exactly(r, &count, 1));
    for (int64_t i = 0; i < count; i++) {
        int64_t x[64];
        size_t found;
        KAI_TRY(structure_msh_wholes(r, x, KAI_COUNT(x), &found));
        if (found < 3 || x[2] < 0 || x[2] > (int64_t)found - 3)
            return kai_structure_data_bad(&r->text, "a cell must be a number, a type and tags");
        const int64_t* nodes = x + 3 + x[2];
        const size_t n = found - 3 - (size_t)x[2];
        KAI_TRY(add_cell(r, x[0], x[1], nodes, n));
        // The first tag is the physical group, 0: none.
        if (x[2] > 0 && x[3] != 0) KAI_TRY(add_members(r, dimension_of(x[1]), x[3], nodes, n));
    }
    return KAI_OK;
}

/// The first of the physical groups that a piece of geometry belongs to.
static size_t find_entity(const reading* r, int64_t dimension, int64_t tag)
{
    const entity *e = r->entities.data, key = {dimension, tag, INT64_MIN};
    size_t low = 0, high = r->entities.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_entity(&e[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static kai_result read_cells_4(reading* r)
{
    int64_t head[4], block[4];
    KAI_TRY(wholes_exactly(r, head, 4));
    for (int64_t b = 0; b < head[0]; b++) {
        KAI_TRY(wholes_exactly(r, block, 4));
        const entity* e = r->entities.data;
        const size_t first = find_entity(r, block[0], block[1]);
        for (int64_t i = 0; i < block[3]; i++) {
            int64_t x[64];
            size_t found;
            KAI_TRY(structure_msh_wholes(r, x, KAI_COUNT(x), &found));
            if (found < 2)
                return kai_structure_data_bad(&r->text, "a cell must be a number and its nodes");
            KAI_TRY(add_cell(r, x[0], block[2], x + 1, found - 1));
            for (size_t k = first;
                 k < r->entities.count && e[k].dimension == block[0] && e[k].tag == block[1]; k++)
                KAI_TRY(add_members(r, block[0], e[k].physical, x + 1, found - 1));
        }
    }
    return KAI_OK;
}

// The file ---------------------------------------------------------------------------------------

static kai_result read_format(reading* r)
{
    const char *at, *end, *begin, *stop;
    double version;
    if (!kai_structure_data_line(&r->text, &at, &end) ||
        !kai_structure_data_word(&at, end, false, &begin, &stop))
        return kai_structure_data_bad(&r->text, "the file ends too early");
    KAI_TRY(kai_structure_data_real(&r->text, begin, stop, &version));
    int64_t binary = 0;
    if (kai_structure_data_word(&at, end, false, &begin, &stop))
        KAI_TRY(kai_structure_data_whole(&r->text, begin, stop, &binary));
    if (binary != 0 || !(version == 4.1 || (version >= 2.0 && version < 3.0)))
        return kai_error_set(r->data->err, KAI_ERROR_UNSUPPORTED,
                             "it is a mesh of version %g%s; must be text of version 2.2 or 4.1",
                             version, binary ? " as bytes" : "");
    r->version = version > 3.0 ? 4 : 2;
    return KAI_OK;
}

static kai_result read_section(reading* r, const char* name, size_t length)
{
#define IS(word) (length == strlen(word) && memcmp(name, word, length) == 0)
    if (IS("MeshFormat")) return read_format(r);
    if (r->version == 0) return kai_structure_data_bad(&r->text, "$MeshFormat must come first");
    if (IS("PhysicalNames")) return read_names(r);
    if (IS("Entities")) return read_entities(r);
    if (IS("Nodes")) return r->version == 2 ? read_nodes_2(r) : read_nodes_4(r);
    if (IS("Elements")) return r->version == 2 ? read_cells_2(r) : read_cells_4(r);
#undef IS
    return KAI_OK; // others are passed over up to the next $
}

static kai_result read_all(reading* r)
{
    const char *begin, *end;
    while (kai_structure_data_line(&r->text, &begin, &end)) {
        const size_t length = (size_t)(end - begin);
        if (length < 2 || *begin != '$' || (length > 4 && memcmp(begin, "$End", 4) == 0)) continue;
        KAI_TRY(read_section(r, begin + 1, length - 1));
    }
    if (r->version == 0) return kai_structure_data_bad(&r->text, "$MeshFormat is missing");
    return KAI_OK;
}

kai_result kai_structure_msh_parse(const char* bytes, size_t size, kai_structure_data* data)
{
    reading r = {.text = {bytes, bytes + size, 0, data->err},
                 .data = data,
                 .physicals = kai_array_make(sizeof(physical)),
                 .entities = kai_array_make(sizeof(entity))};
    const kai_result result = read_all(&r);
    kai_array_free(&r.physicals, &data->memory);
    kai_array_free(&r.entities, &data->memory);
    return result;
}
