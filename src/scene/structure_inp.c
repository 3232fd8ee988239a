// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes of Abaqus: *NODE, *ELEMENT, *NSET and *ELSET. Other keywords are passed over; instances of
// parts are not moved.
#include "base/error.h"
#include "scene/structure_data.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/// The start of a type's name, and its cells.
typedef struct type {
    const char* name;
    kai_structure_cell cell;
    uint8_t count;
} type;

// Longer names first where one starts with another.
static const type TYPES[] = {
    {"C3D10", KAI_STRUCTURE_TETRAHEDRON, 10}, {"C3D20", KAI_STRUCTURE_HEXAHEDRON, 20},
    {"C3D4", KAI_STRUCTURE_TETRAHEDRON, 4},   {"C3D8", KAI_STRUCTURE_HEXAHEDRON, 8},
    {"STRI3", KAI_STRUCTURE_TRIANGLE, 3},     {"S3", KAI_STRUCTURE_TRIANGLE, 3},
    {"M3D3", KAI_STRUCTURE_TRIANGLE, 3},      {"CPS3", KAI_STRUCTURE_TRIANGLE, 3},
    {"S4", KAI_STRUCTURE_QUADRANGLE, 4},      {"M3D4", KAI_STRUCTURE_QUADRANGLE, 4},
    {"CPS4", KAI_STRUCTURE_QUADRANGLE, 4},    {"CPE4", KAI_STRUCTURE_QUADRANGLE, 4},
    {"T3D2", KAI_STRUCTURE_LINE, 2},          {"B31", KAI_STRUCTURE_LINE, 2},
    {"B33", KAI_STRUCTURE_LINE, 2},
};

/// A cell by its number, for sets of cells.
typedef struct numbered {
    int64_t number;
    size_t first, count;
} numbered;

/// A set by GENERATE: what is there of from, from + step, … to.
typedef struct range {
    uint32_t group;
    bool cells;
    int64_t from, to, step;
} range;

enum { MEMBERS = 50000000 }; // most of all sets

enum { PASS, NODES, CELLS, NODE_SET, CELL_SET };

typedef struct reading {
    kai_structure_data_text text;
    kai_structure_data* data;
    int block;      // what data lines are
    bool generate;  // sets: from, to, step
    uint32_t group; // of the block; UINT32_MAX: none
    type type;      // of cells
    int64_t cell[64];
    size_t filled;    // of it, where a cell goes on over lines
    kai_array cells;  // numbered
    kai_array orders; // kai_structure_data_member: cells of groups, by number
    kai_array ranges; // range
} reading;

/// The value of KEY=value in a keyword line; false when it is not there.
static bool structure_inp_option(const char* at, const char* end, const char* key,
                                 const char** begin, const char** stop)
{
    const char *word, *word_end;
    while (kai_structure_data_word(&at, end, true, &word, &word_end)) {
        const char* equals = memchr(word, '=', (size_t)(word_end - word));
        const char* key_end = equals ? equals : word_end;
        while (key_end > word && key_end[-1] == ' ') key_end--;
        const size_t length = (size_t)(key_end - word);
        if (length != strlen(key) || strncasecmp(word, key, length) != 0) continue;
        *begin = equals ? equals + 1 : word_end;
        while (*begin < word_end && **begin == ' ') ++*begin;
        *stop = word_end;
        return true;
    }
    return false;
}

static kai_result set_group(reading* r, const char* at, const char* end, const char* key)
{
    const char *begin, *stop;
    r->group = UINT32_MAX;
    if (!structure_inp_option(at, end, key, &begin, &stop)) return KAI_OK;
    return kai_structure_data_group(r->data, begin, (size_t)(stop - begin), &r->group);
}

static kai_result read_type(reading* r, const char* at, const char* end)
{
    const char *begin, *stop;
    if (!structure_inp_option(at, end, "TYPE", &begin, &stop))
        return kai_structure_data_bad(&r->text, "*ELEMENT has no TYPE");
    r->type = (type){"", KAI_STRUCTURE_NONE, 0};
    for (size_t i = 0; i < KAI_COUNT(TYPES); i++) {
        const size_t n = strlen(TYPES[i].name);
        if ((size_t)(stop - begin) < n || strncasecmp(begin, TYPES[i].name, n) != 0) continue;
        r->type = TYPES[i];
        break;
    }
    return KAI_OK;
}

static kai_result structure_inp_keyword(reading* r, const char* at, const char* end)
{
    const char *begin, *stop, *rest = at, *unused[2];
    if (!kai_structure_data_word(&rest, end, true, &begin, &stop)) return KAI_OK;
    const size_t n = (size_t)(stop - begin);
#define IS(word) (n == strlen(word) && strncasecmp(begin, word, n) == 0)
    r->block = PASS;
    r->filled = 0;
    r->generate = structure_inp_option(rest, end, "GENERATE", &unused[0], &unused[1]);
    if (IS("*INCLUDE"))
        return kai_structure_data_bad(&r->text, "*INCLUDE is not supported; put all into one file");
    if (IS("*NODE")) {
        r->block = NODES;
        return set_group(r, rest, end, "NSET");
    }
    if (IS("*ELEMENT")) {
        r->block = CELLS;
        KAI_TRY(read_type(r, rest, end));
        return set_group(r, rest, end, "ELSET");
    }
    if (IS("*NSET") || IS("*ELSET")) {
        r->block = IS("*NSET") ? NODE_SET : CELL_SET;
        KAI_TRY(set_group(r, rest, end, r->block == NODE_SET ? "NSET" : "ELSET"));
        return r->group == UINT32_MAX ? kai_structure_data_bad(&r->text, "a set has no name")
                                      : KAI_OK;
    }
#undef IS
    return KAI_OK;
}

// Data lines -------------------------------------------------------------------------------------

static kai_result read_node(reading* r, const char* at, const char* end)
{
    double x[4] = {0.0};
    const char *begin, *stop;
    int count = 0;
    while (count < 4 && kai_structure_data_word(&at, end, true, &begin, &stop))
        KAI_TRY(kai_structure_data_real(&r->text, begin, stop, &x[count++]));
    if (count < 3 || x[0] != floor(x[0]) || !(fabs(x[0]) <= 9e15))
        return kai_structure_data_bad(&r->text, "a node must be a number, x, y and z");
    const int64_t number = (int64_t)x[0];
    if (r->group != UINT32_MAX) KAI_TRY(kai_structure_data_member_add(r->data, r->group, number));
    return kai_structure_data_point_add(r->data, number, kai_vec3_make(x[1], x[2], x[3]));
}

static kai_result add_cell(reading* r)
{
    const size_t count = r->filled - 1;
    const numbered cell = {r->cell[0], r->data->nodes.count, count};
    if (r->type.cell != KAI_STRUCTURE_NONE && count != r->type.count)
        return kai_structure_data_miscounted(&r->text, r->cell[0], count, r->type.name,
                                             r->type.count);
    r->filled = 0;
    KAI_TRY(kai_structure_data_cell_add(r->data, r->cell[0], r->type.cell, r->cell + 1, count));
    KAI_TRY(kai_array_append(&r->cells, &r->data->memory, &cell, 1, r->data->err));
    for (size_t k = 0; r->group != UINT32_MAX && k < count; k++)
        KAI_TRY(kai_structure_data_member_add(r->data, r->group, r->cell[1 + k]));
    return KAI_OK;
}

/// A cell goes on in the next line where one ends in a comma, or where nodes are missing.
static kai_result read_cell(reading* r, const char* at, const char* end)
{
    const char *begin, *stop;
    while (at < end && kai_structure_data_word(&at, end, true, &begin, &stop)) {
        if (r->filled == KAI_COUNT(r->cell))
            return kai_structure_data_bad(&r->text, "a cell has too many nodes");
        KAI_TRY(kai_structure_data_whole(&r->text, begin, stop, &r->cell[r->filled++]));
    }
    const bool more =
        r->type.cell == KAI_STRUCTURE_NONE ? end[-1] == ',' : r->filled < 1u + r->type.count;
    return more || r->filled == 0 ? KAI_OK : add_cell(r);
}

static kai_result add_to_set(reading* r, int64_t number)
{
    if (r->block == NODE_SET) return kai_structure_data_member_add(r->data, r->group, number);
    const kai_structure_data_member order = {r->group, number};
    return kai_array_append(&r->orders, &r->data->memory, &order, 1, r->data->err);
}

static kai_result read_set(reading* r, const char* at, const char* end)
{
    const char *begin, *stop;
    int64_t x[3] = {0, 0, 1};
    int count = 0;
    while (kai_structure_data_word(&at, end, true, &begin, &stop)) {
        int64_t number;
        if (stop == begin) continue;
        KAI_TRY(kai_structure_data_whole(&r->text, begin, stop, &number));
        if (!r->generate)
            KAI_TRY(add_to_set(r, number));
        else if (count < 3)
            x[count++] = number;
    }
    if (!r->generate || count == 0) return KAI_OK;
    if (count < 2 || x[2] < 1 || x[1] < x[0])
        return kai_structure_data_bad(&r->text, "GENERATE must be from, to and step");
    const range all = {r->group, r->block == CELL_SET, x[0], x[1], x[2]};
    return kai_array_append(&r->ranges, &r->data->memory, &all, 1, r->data->err);
}

/// A cell that ends before it has its nodes.
static kai_result structure_inp_unfinished(const reading* r)
{
    if (r->type.cell == KAI_STRUCTURE_NONE)
        return kai_structure_data_bad(&r->text, "a cell ends in a comma, and no more nodes follow");
    return kai_structure_data_miscounted(&r->text, r->cell[0], r->filled - 1, r->type.name,
                                         r->type.count);
}

static kai_result read_lines(reading* r)
{
    const char *begin, *end;
    while (kai_structure_data_line(&r->text, &begin, &end)) {
        if (begin == end || (end - begin > 1 && begin[0] == '*' && begin[1] == '*')) continue;
        if (*begin == '*') {
            if (r->filled > 0) return structure_inp_unfinished(r);
            KAI_TRY(structure_inp_keyword(r, begin, end));
        } else if (r->block == NODES) {
            KAI_TRY(read_node(r, begin, end));
        } else if (r->block == CELLS) {
            KAI_TRY(read_cell(r, begin, end));
        } else if (r->block != PASS) {
            KAI_TRY(read_set(r, begin, end));
        }
    }
    return r->filled > 0 ? structure_inp_unfinished(r) : KAI_OK;
}

static int by_number(const void* a, const void* b)
{
    const numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_value(const void* a, const void* b)
{
    const int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
    return (x > y) - (x < y);
}

/// Members of a range among sorted numbers of nodes or cells.
static kai_result add_range(reading* r, const range* g, const int64_t* numbers, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (numbers[middle] < g->from)
            low = middle + 1;
        else
            high = middle;
    }
    kai_array* to = g->cells ? &r->orders : &r->data->members;
    for (; low < count && numbers[low] <= g->to; low++) {
        if ((numbers[low] - g->from) % g->step != 0) continue;
        const kai_structure_data_member member = {g->group, numbers[low]};
        if (to->count > MEMBERS)
            return kai_error_set(r->data->err, KAI_ERROR_LIMIT, "sets have more than %d members",
                                 MEMBERS);
        KAI_TRY(kai_array_append(to, &r->data->memory, &member, 1, r->data->err));
    }
    return KAI_OK;
}

static kai_result add_ranges(reading* r, bool cells)
{
    const size_t count = cells ? r->cells.count : r->data->points.count;
    const range* ranges = r->ranges.data;
    if (r->ranges.count == 0 || count == 0) return KAI_OK;
    int64_t* numbers = kai_memory_allocate_zeroed(&r->data->memory, count, sizeof *numbers);
    if (!numbers) return kai_error_set(r->data->err, KAI_ERROR_MEMORY, "no memory for sets");
    for (size_t i = 0; i < count; i++)
        numbers[i] = cells ? ((const numbered*)r->cells.data)[i].number
                           : ((const kai_structure_data_point*)r->data->points.data)[i].number;
    qsort(numbers, count, sizeof *numbers, by_value);
    kai_result result = KAI_OK;
    for (size_t i = 0; result == KAI_OK && i < r->ranges.count; i++)
        if (ranges[i].cells == cells) result = add_range(r, &ranges[i], numbers, count);
    kai_memory_release(&r->data->memory, numbers, count * sizeof *numbers);
    return result;
}

/// Sets of cells: their nodes.
static kai_result structure_inp_resolve(reading* r)
{
    KAI_TRY(add_ranges(r, false));
    KAI_TRY(add_ranges(r, true));
    const kai_structure_data_member* orders = r->orders.data;
    const size_t count = r->cells.count;
    if (count > 0) qsort(r->cells.data, count, sizeof(numbered), by_number);
    for (size_t i = 0; i < r->orders.count; i++) {
        const numbered key = {orders[i].node, 0, 0};
        const numbered* c =
            count ? bsearch(&key, r->cells.data, count, sizeof key, by_number) : NULL;
        for (size_t k = 0; c && k < c->count; k++)
            KAI_TRY(kai_structure_data_member_add(
                r->data, orders[i].group, ((const int64_t*)r->data->nodes.data)[c->first + k]));
    }
    return KAI_OK;
}

kai_result kai_structure_inp_parse(const char* bytes, size_t size, kai_structure_data* data)
{
    reading r = {.text = {bytes, bytes + size, 0, data->err},
                 .data = data,
                 .group = UINT32_MAX,
                 .cells = kai_array_make(sizeof(numbered)),
                 .orders = kai_array_make(sizeof(kai_structure_data_member)),
                 .ranges = kai_array_make(sizeof(range))};
    kai_result result = read_lines(&r);
    if (result == KAI_OK) result = structure_inp_resolve(&r);
    kai_array_free(&r.cells, &data->memory);
    kai_array_free(&r.orders, &data->memory);
    kai_array_free(&r.ranges, &data->memory);
    return result;
}
