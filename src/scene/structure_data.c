// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/structure_data.h"

#include "base/error.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kai_structure_data_init(kai_structure_data* data, kai_error* err)
{
    *data = (kai_structure_data){.err = err,
                                 .points = kai_array_make(sizeof(kai_structure_data_point)),
                                 .cells = kai_array_make(sizeof(kai_structure_data_cell)),
                                 .nodes = kai_array_make(sizeof(int64_t)),
                                 .groups = kai_array_make(sizeof(kai_string)),
                                 .members = kai_array_make(sizeof(kai_structure_data_member))};
    kai_memory_init(&data->memory, NULL);
}

void kai_structure_data_free(kai_structure_data* data)
{
    kai_array_free(&data->points, &data->memory);
    kai_array_free(&data->cells, &data->memory);
    kai_array_free(&data->nodes, &data->memory);
    kai_array_free(&data->groups, &data->memory);
    kai_array_free(&data->members, &data->memory);
}

kai_result kai_structure_data_group(kai_structure_data* data, const char* name, size_t length,
                                    uint32_t* out)
{
    const kai_string* groups = data->groups.data;
    if (length == 0 || length >= sizeof groups->text)
        return kai_error_set(data->err, KAI_ERROR_FORMAT,
                             "a group has a name of %zu bytes; must have 1 to %zu", length,
                             sizeof groups->text - 1);
    for (size_t i = data->groups.count; i-- > 0;) {
        if (strncmp(groups[i].text, name, length) != 0 || groups[i].text[length] != '\0') continue;
        *out = (uint32_t)i;
        return KAI_OK;
    }
    if (data->groups.count >= 100000)
        return kai_error_set(data->err, KAI_ERROR_LIMIT, "there are more than 100000 groups");
    kai_string group = {{0}};
    memcpy(group.text, name, length);
    *out = (uint32_t)data->groups.count;
    return kai_array_append(&data->groups, &data->memory, &group, 1, data->err);
}

kai_result kai_structure_data_point_add(kai_structure_data* data, int64_t number, kai_vec3 at)
{
    const kai_structure_data_point point = {number, at};
    return kai_array_append(&data->points, &data->memory, &point, 1, data->err);
}

kai_result kai_structure_data_cell_add(kai_structure_data* data, int64_t number,
                                       kai_structure_cell sort, const int64_t* nodes, size_t count)
{
    const kai_structure_data_cell cell = {data->nodes.count, number, (uint16_t)count,
                                          (uint16_t)sort};
    KAI_TRY(kai_array_append(&data->cells, &data->memory, &cell, 1, data->err));
    return kai_array_append(&data->nodes, &data->memory, nodes, count, data->err);
}

kai_result kai_structure_data_member_add(kai_structure_data* data, uint32_t group, int64_t node)
{
    const kai_structure_data_member member = {group, node};
    return kai_array_append(&data->members, &data->memory, &member, 1, data->err);
}

// Taking cells out -------------------------------------------------------------------------------

static int by_number(const void* a, const void* b)
{
    const kai_structure_data_point *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_member(const void* a, const void* b)
{
    const kai_structure_data_member *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/// The place of a node among the sorted points, SIZE_MAX when it is not there.
static size_t structure_data_find(const kai_structure_data* data, int64_t number)
{
    const kai_structure_data_point key = {.number = number};
    const kai_structure_data_point* points = data->points.data;
    const kai_structure_data_point* p =
        data->points.count ? bsearch(&key, points, data->points.count, sizeof key, by_number)
                           : NULL;
    return p ? (size_t)(p - points) : SIZE_MAX;
}

static kai_result sort_points(kai_structure_data* data)
{
    kai_structure_data_point* points = data->points.data;
    if (data->points.count > 0) qsort(points, data->points.count, sizeof *points, by_number);
    for (size_t i = 1; i < data->points.count; i++)
        if (points[i].number == points[i - 1].number)
            return kai_error_set(data->err, KAI_ERROR_FORMAT, "node %lld is given twice",
                                 (long long)points[i].number);
    return KAI_OK;
}

static const char* const SORTS[] = {"other cells", "lines",      "triangles",
                                    "quadrangles", "tetrahedra", "hexahedra"};

/// Says which cells there are instead of those that were asked for.
static kai_result structure_data_nothing(const kai_structure_data* data,
                                         const kai_element_kind* element)
{
    char text[256] = "";
    size_t size = 0;
    const kai_structure_data_cell* cells = data->cells.data;
    for (uint16_t sort = 1; sort < KAI_COUNT(SORTS); sort++) {
        for (uint16_t count = 1; count <= 27; count++) {
            size_t found = 0;
            for (size_t i = 0; i < data->cells.count; i++)
                found += cells[i].sort == sort && cells[i].count == count;
            if (found > 0 && size < sizeof text)
                size += (size_t)snprintf(text + size, sizeof text - size, "%s%zu %s of %u nodes",
                                         size ? ", " : "", found, SORTS[sort], count);
        }
    }
    return kai_error_set(data->err, KAI_ERROR_FORMAT, "it has no %s of %d nodes for %s; it has %s",
                         SORTS[kai_structure_cell_of(element)], element->nodes, element->kind.name,
                         size ? text : "no cells");
}

typedef struct taking {
    kai_structure_data* data;
    double* number; // [points]: 1 + node of the structure, 0: not used
    kai_structure_file_params* out;
    uint32_t points, cells;
    size_t columns;
} taking;

/// Numbers the points of the cells that are taken, in the order of the file.
static kai_result structure_data_mark(taking* t, const kai_element_kind* element)
{
    const kai_structure_data* data = t->data;
    const kai_structure_data_cell* cells = data->cells.data;
    const int64_t* nodes = data->nodes.data;
    const kai_structure_cell sort = kai_structure_cell_of(element);
    t->columns = (size_t)element->nodes;
    for (size_t i = 0; i < data->cells.count; i++) {
        if (cells[i].sort != sort || cells[i].count != t->columns) continue;
        t->cells++;
        for (size_t k = 0; k < t->columns; k++) {
            const size_t at = structure_data_find(data, nodes[cells[i].first + k]);
            if (at == SIZE_MAX)
                return kai_error_set(
                    data->err, KAI_ERROR_FORMAT, "cell %lld names node %lld, which is not there",
                    (long long)cells[i].number, (long long)nodes[cells[i].first + k]);
            t->number[at] = 1.0;
        }
    }
    if (t->cells == 0) return structure_data_nothing(data, element);
    for (size_t i = 0; i < data->points.count; i++)
        if (t->number[i] != 0.0) t->number[i] = ++t->points;
    return KAI_OK;
}

static double* structure_data_table(taking* t, size_t rows, size_t columns, kai_table* out)
{
    double* data = calloc(rows * columns + 1, sizeof *data);
    if (!data) {
        kai_error_set(t->data->err, KAI_ERROR_MEMORY, "no memory for the mesh");
        return NULL;
    }
    *out = (kai_table){data, (uint32_t)rows, (uint32_t)columns};
    return data;
}

static kai_result copy_cells(taking* t, const kai_element_kind* element)
{
    const kai_structure_data* data = t->data;
    const kai_structure_data_cell* cells = data->cells.data;
    const int64_t* nodes = data->nodes.data;
    double* points = structure_data_table(t, t->points, 3, &t->out->points);
    double* rows = points ? structure_data_table(t, t->cells, t->columns, &t->out->cells) : NULL;
    double* numbers = rows ? structure_data_table(t, t->points, 1, &t->out->numbers[0]) : NULL;
    double* cell_numbers =
        numbers ? structure_data_table(t, t->cells, 1, &t->out->numbers[1]) : NULL;
    if (!cell_numbers) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < data->points.count; i++) {
        if (t->number[i] == 0.0) continue;
        const kai_structure_data_point* point =
            (const kai_structure_data_point*)data->points.data + i;
        const kai_vec3 at = point->at;
        numbers[(size_t)t->number[i] - 1] = (double)point->number;
        double* p = points + 3 * ((size_t)t->number[i] - 1);
        p[0] = at.x, p[1] = at.y, p[2] = at.z;
    }
    for (size_t i = 0; i < data->cells.count; i++) {
        if (cells[i].sort != (uint16_t)kai_structure_cell_of(element) ||
            cells[i].count != t->columns)
            continue;
        *cell_numbers++ = (double)cells[i].number;
        for (size_t k = 0; k < t->columns; k++)
            *rows++ = t->number[structure_data_find(data, nodes[cells[i].first + k])] - 1.0;
    }
    return KAI_OK;
}

/// Groups with the nodes that are used, each once.
static kai_result copy_groups(taking* t)
{
    kai_structure_data* data = t->data;
    kai_structure_data_member* members = data->members.data;
    const size_t count = data->members.count;
    kai_structure_group* groups = calloc(data->groups.count + 1, sizeof *groups);
    if (!groups) return kai_error_set(data->err, KAI_ERROR_MEMORY, "no memory for groups");
    t->out->groups.items = groups;
    if (count > 0) qsort(members, count, sizeof *members, by_member);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && members[end].group == members[i].group;) end++;
        kai_structure_group* g = &groups[t->out->groups.count];
        double* nodes = structure_data_table(t, end - i, 1, &g->nodes);
        if (!nodes) return KAI_ERROR_MEMORY;
        t->out->groups.count++;
        g->name = ((const kai_string*)data->groups.data)[members[i].group];
        g->nodes.rows = 0;
        for (size_t k = i; k < end; k++) {
            const size_t at = structure_data_find(data, members[k].node);
            if ((k > i && members[k].node == members[k - 1].node) || at == SIZE_MAX ||
                t->number[at] == 0.0)
                continue;
            nodes[g->nodes.rows++] = t->number[at] - 1.0;
        }
        if (g->nodes.rows > 0) continue;
        free(nodes); // nothing of it is used
        *g = (kai_structure_group){0};
        t->out->groups.count--;
    }
    return KAI_OK;
}

kai_result kai_structure_data_take(kai_structure_data* data, const kai_element_kind* element,
                                   kai_structure_file_params* out)
{
    if (data->points.count > UINT32_MAX / 8 || data->cells.count > UINT32_MAX / 8)
        return kai_error_set(data->err, KAI_ERROR_LIMIT, "it has %zu nodes and %zu cells; too many",
                             data->points.count, data->cells.count);
    KAI_TRY(sort_points(data));
    taking t = {.data = data, .out = out, .number = calloc(data->points.count + 1, sizeof(double))};
    kai_result r = t.number ? structure_data_mark(&t, element)
                            : kai_error_set(data->err, KAI_ERROR_MEMORY, "no memory for the mesh");
    if (r == KAI_OK) r = copy_cells(&t, element);
    if (r == KAI_OK) r = copy_groups(&t);
    free(t.number);
    if (r != KAI_OK) kai_structure_file_free(out);
    return r;
}

// Text -------------------------------------------------------------------------------------------

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool kai_structure_data_line(kai_structure_data_text* text, const char** begin, const char** end)
{
    if (text->at >= text->end) return false;
    const char* stop = memchr(text->at, '\n', (size_t)(text->end - text->at));
    if (!stop) stop = text->end;
    *begin = text->at;
    *end = stop;
    while (*begin < *end && is_space(**begin)) ++*begin;
    while (*begin < *end && is_space((*end)[-1])) --*end;
    text->at = stop < text->end ? stop + 1 : stop;
    text->line++;
    return true;
}

bool kai_structure_data_word(const char** at, const char* end, bool commas, const char** begin,
                             const char** word_end)
{
    const char* p = *at;
    while (p < end && is_space(*p)) p++;
    if (p == end) return false;
    *begin = p;
    while (p < end && (commas ? *p != ',' : !is_space(*p))) p++;
    *at = p < end ? p + 1 : p;
    while (commas && p > *begin && is_space(p[-1])) p--;
    *word_end = p;
    return true;
}

kai_result kai_structure_data_bad(const kai_structure_data_text* text, const char* what)
{
    return kai_error_set(text->err, KAI_ERROR_FORMAT, "line %zu: %s", text->line, what);
}

kai_result kai_structure_data_miscounted(const kai_structure_data_text* text, int64_t cell,
                                         size_t count, const char* type, size_t wanted)
{
    return kai_error_set(text->err, KAI_ERROR_FORMAT,
                         "line %zu: cell %lld has %zu nodes; one of type %s must have %zu",
                         text->line, (long long)cell, count, type, wanted);
}

kai_result kai_structure_data_real(kai_structure_data_text* text, const char* begin,
                                   const char* end, double* out)
{
    return kai_number_parse(begin, end, out) == KAI_NUMBER_OK
               ? KAI_OK
               : kai_structure_data_bad(text, "a number is expected");
}

kai_result kai_structure_data_whole(kai_structure_data_text* text, const char* begin,
                                    const char* end, int64_t* out)
{
    double x;
    KAI_TRY(kai_structure_data_real(text, begin, end, &x));
    if (x != floor(x) || !(fabs(x) <= 9e15))
        return kai_structure_data_bad(text, "a whole number is expected");
    *out = (int64_t)x;
    return KAI_OK;
}
