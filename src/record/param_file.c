// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/param_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Fields -----------------------------------------------------------------------------------------

// Every id has the layout of kai_id. The tag of the world is not written: it is the reader's.
#define ID_MEMBERS(prefix, at)                                                      \
    {prefix "index", (at) + offsetof(kai_id, index), KAI_NUMBER_U32, 1},            \
    {                                                                               \
        prefix "generation", (at) + offsetof(kai_id, generation), KAI_NUMBER_U16, 1 \
    }
#define VALUE_MEMBERS(prefix, at)                                                 \
    {prefix "constant", (at) + offsetof(kai_value, constant), KAI_NUMBER_F64, 1}, \
        ID_MEMBERS(prefix "function_", (at) + offsetof(kai_value, function))

static const kai_member ID[] = {ID_MEMBERS("", 0)};
static const kai_member VALUE[] = {VALUE_MEMBERS("", 0)};
static const kai_member VALUE3[] = {VALUE_MEMBERS("x_", offsetof(kai_value3, x)),
                                    VALUE_MEMBERS("y_", offsetof(kai_value3, y)),
                                    VALUE_MEMBERS("z_", offsetof(kai_value3, z))};

// How a field of a type lies in memory: as numbers in a row, or as a compound.
typedef struct field_layout {
    kai_number number;
    unsigned columns; // 0: a compound
    const kai_member* members;
    size_t member_count;
} field_layout;

#define COMPOUND(list)                                     \
    {                                                      \
        .members = (list), .member_count = KAI_COUNT(list) \
    }

static const field_layout FIELDS[KAI_PARAM_TYPE_COUNT] = {
    [KAI_PARAM_BOOL] = {KAI_NUMBER_U8, 1, NULL, 0},
    [KAI_PARAM_INT] = {KAI_NUMBER_I64, 1, NULL, 0},
    [KAI_PARAM_REAL] = {KAI_NUMBER_F64, 1, NULL, 0},
    [KAI_PARAM_VALUE] = COMPOUND(VALUE),
    [KAI_PARAM_VALUE3] = COMPOUND(VALUE3),
    [KAI_PARAM_VEC3] = {KAI_NUMBER_F64, 3, NULL, 0},
    [KAI_PARAM_ROTATION] = {KAI_NUMBER_F64, 4, NULL, 0},
    [KAI_PARAM_FRAME] = {KAI_NUMBER_F64, 7, NULL, 0},
    [KAI_PARAM_INERTIA] = {KAI_NUMBER_F64, 6, NULL, 0},
    [KAI_PARAM_COLOR] = {KAI_NUMBER_F64, 3, NULL, 0},
    [KAI_PARAM_ENUM] = {KAI_NUMBER_I32, 1, NULL, 0},
    [KAI_PARAM_WORDS] = {KAI_NUMBER_U32, 1, NULL, 0},
    [KAI_PARAM_BODY] = COMPOUND(ID),
    [KAI_PARAM_JOINT] = COMPOUND(ID),
    [KAI_PARAM_SHAFT] = COMPOUND(ID),
    [KAI_PARAM_MATERIAL] = COMPOUND(ID),
    [KAI_PARAM_NODE] = COMPOUND(ID),
    [KAI_PARAM_SOLID] = COMPOUND(ID),
    [KAI_PARAM_FUNCTION] = COMPOUND(ID),
    [KAI_PARAM_LAW] = COMPOUND(ID),
};

// The memory type of one field, to be closed, and how many of it make a row.
static hid_t field_type(const kai_param* p, size_t* columns)
{
    const kai_param_type type = p->type;
    const field_layout* layout = &FIELDS[type];
    *columns = kai_kind_repeats(p);
    if (type == KAI_PARAM_STRING) return kai_h5_text_type(KAI_STRING_SIZE);
    if (layout->columns == 0)
        return kai_h5_compound(layout->members, layout->member_count, kai_kind_type_size(type));
    *columns *= layout->columns;
    return H5Tcopy(kai_h5_native(layout->number));
}

// "<name>.rows" and the like.
static const char* param_file_joined(char* out, size_t size, const char* name, const char* suffix)
{
    snprintf(out, size, "%s.%s", name, suffix);
    return out;
}

// Writing ----------------------------------------------------------------------------------------

static kai_result write_field(hid_t group, const kai_kind* kind, const kai_param* p,
                              const char* items, size_t count, kai_error* err)
{
    const size_t bytes = kai_kind_repeats(p) * kai_kind_type_size(p->type);
    char* row = calloc(count + 1, bytes);
    if (row == NULL) return kai_h5_no_memory(p->name, err);
    for (size_t i = 0; i < count; i++)
        memcpy(row + i * bytes, items + i * kind->size + p->offset, bytes);
    size_t columns;
    const hid_t type = field_type(p, &columns);
    const kai_result r = type < 0 ? kai_h5_no_memory(p->name, err)
                                  : kai_h5_write(group, p->name, type, count, columns, row, err);
    if (type >= 0) H5Tclose(type);
    free(row);
    return r;
}

static kai_result write_counts(hid_t group, const char* name, const uint32_t* counts, size_t count,
                               kai_error* err)
{
    return kai_h5_write(group, name, H5T_NATIVE_UINT32, count, 1, counts, err);
}

// The table of a parameter that is one, or that has one (a curve).
static const kai_table* table_at(const kai_kind* kind, const kai_param* p, const char* items,
                                 size_t i)
{
    const char* field = items + i * kind->size + p->offset;
    if (p->type == KAI_PARAM_CURVE) return &((const kai_curve*)(const void*)field)->points;
    return (const kai_table*)(const void*)field;
}

static kai_table* table_to(const kai_kind* kind, const kai_param* p, char* items, size_t i)
{
    return (kai_table*)(uintptr_t)table_at(kind, p, items, i);
}

static kai_result write_table(hid_t group, const kai_kind* kind, const kai_param* p,
                              const char* items, size_t count, kai_error* err)
{
    uint32_t* rows = calloc(2 * count + 2, sizeof *rows);
    uint32_t* columns = rows == NULL ? NULL : rows + count + 1;
    size_t total = 0;
    for (size_t i = 0; rows != NULL && i < count; i++) {
        const kai_table* t = table_at(kind, p, items, i);
        rows[i] = t->rows;
        columns[i] = t->columns;
        total += (size_t)t->rows * t->columns;
    }
    double* data = rows == NULL ? NULL : malloc((total + 1) * sizeof *data);
    if (data == NULL) {
        free(rows);
        return kai_h5_no_memory(p->name, err);
    }
    double* end = data;
    for (size_t i = 0; i < count; i++) {
        const kai_table* t = table_at(kind, p, items, i);
        const size_t n = (size_t)t->rows * t->columns;
        if (n > 0) memcpy(end, t->data, n * sizeof *data);
        end += n;
    }
    char name[KAI_STRING_SIZE];
    kai_result r = kai_h5_write(group, p->name, H5T_NATIVE_DOUBLE, total, 1, data, err);
    if (r == KAI_OK)
        r = write_counts(group, param_file_joined(name, sizeof name, p->name, "rows"), rows, count,
                         err);
    if (r == KAI_OK)
        r = write_counts(group, param_file_joined(name, sizeof name, p->name, "columns"), columns,
                         count, err);
    free(data);
    free(rows);
    return r;
}

static const double* slope_at(const kai_kind* kind, const kai_param* p, const char* items, size_t i)
{
    return &((const kai_curve*)(const void*)(items + i * kind->size + p->offset))->slope;
}

static kai_result write_curve(hid_t group, const kai_kind* kind, const kai_param* p,
                              const char* items, size_t count, kai_error* err)
{
    char name[KAI_STRING_SIZE];
    double* slopes = malloc((count + 1) * sizeof *slopes);
    if (slopes == NULL) return kai_h5_no_memory(p->name, err);
    for (size_t i = 0; i < count; i++) slopes[i] = *slope_at(kind, p, items, i);
    kai_result r = kai_h5_write(group, param_file_joined(name, sizeof name, p->name, "slope"),
                                H5T_NATIVE_DOUBLE, count, 1, slopes, err);
    free(slopes);
    return r == KAI_OK ? write_table(group, kind, p, items, count, err) : r;
}

static kai_result write_list(hid_t group, const kai_kind* kind, const kai_param* p,
                             const char* items, size_t count, kai_error* err)
{
    uint32_t* counts = calloc(count + 1, sizeof *counts);
    size_t total = 0;
    for (size_t i = 0; counts != NULL && i < count; i++) {
        const kai_list* list = (const kai_list*)(const void*)(items + i * kind->size + p->offset);
        counts[i] = list->count;
        total += list->count;
    }
    char* all = counts == NULL ? NULL : calloc(total + 1, p->item->size);
    if (all == NULL) {
        free(counts);
        return kai_h5_no_memory(p->name, err);
    }
    char* end = all;
    for (size_t i = 0; i < count; i++) {
        const kai_list* list = (const kai_list*)(const void*)(items + i * kind->size + p->offset);
        if (list->count > 0) memcpy(end, list->items, list->count * p->item->size);
        end += list->count * p->item->size;
    }
    char name[KAI_STRING_SIZE];
    hid_t inner = -1;
    kai_result r = write_counts(group, param_file_joined(name, sizeof name, p->name, "count"),
                                counts, count, err);
    if (r == KAI_OK) r = kai_h5_make_group(group, p->name, &inner, err);
    if (r == KAI_OK) r = kai_param_file_write(inner, p->item, all, total, err);
    if (inner >= 0) H5Gclose(inner);
    free(all);
    free(counts);
    return r;
}

kai_result kai_param_file_write(hid_t group, const kai_kind* kind, const void* items, size_t count,
                                kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (strchr(p->name, '/') != NULL)
            return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                                 "%s: parameter '%s' cannot be saved; its name has a '/'",
                                 kind->name, p->name);
        if (p->type == KAI_PARAM_TABLE) {
            KAI_TRY(write_table(group, kind, p, items, count, err));
        } else if (p->type == KAI_PARAM_CURVE) {
            KAI_TRY(write_curve(group, kind, p, items, count, err));
        } else if (p->type == KAI_PARAM_LIST) {
            KAI_TRY(write_list(group, kind, p, items, count, err));
        } else {
            KAI_TRY(write_field(group, kind, p, items, count, err));
        }
    }
    return KAI_OK;
}

// Reading ----------------------------------------------------------------------------------------

struct kai_param_file_pool {
    kai_param_file_pool* next;
    void* block;
};

void kai_param_file_free(kai_param_file_pool* pool)
{
    while (pool != NULL) {
        kai_param_file_pool* next = pool->next;
        free(pool->block);
        free(pool);
        pool = next;
    }
}

// Hands a block over to the pool; on failure it is freed.
static kai_result param_file_keep(kai_param_file_pool** pool, void* block, kai_error* err)
{
    kai_param_file_pool* link = malloc(sizeof *link);
    if (link == NULL) {
        free(block);
        return kai_h5_no_memory("tables", err);
    }
    *link = (kai_param_file_pool){*pool, block};
    *pool = link;
    return KAI_OK;
}

// Ids in a field get the tag of the world they are read into, null ids stay null.
static void set_world(kai_param_type type, char* field, uint16_t world)
{
    if (type == KAI_PARAM_VALUE || type == KAI_PARAM_VALUE3) {
        kai_value* v = (kai_value*)(void*)field;
        for (int i = 0; i < (type == KAI_PARAM_VALUE ? 1 : 3); i++)
            v[i].function.world = v[i].function.index == 0 ? 0 : world;
    } else if (type == KAI_PARAM_BODY || type == KAI_PARAM_JOINT || type == KAI_PARAM_SHAFT ||
               type == KAI_PARAM_MATERIAL || type == KAI_PARAM_NODE || type == KAI_PARAM_SOLID ||
               type == KAI_PARAM_FUNCTION || type == KAI_PARAM_LAW) {
        kai_id* id = (kai_id*)(void*)field;
        id->world = id->index == 0 ? 0 : world;
    } else if (type == KAI_PARAM_STRING) {
        field[KAI_STRING_SIZE - 1] = '\0';
    }
}

static kai_result read_field(hid_t group, const kai_kind* kind, const kai_param* p, char* items,
                             size_t count, uint16_t world, kai_error* err)
{
    size_t columns;
    const hid_t type = field_type(p, &columns);
    if (type < 0) return kai_h5_no_memory(p->name, err);
    void* data = NULL;
    const kai_result r = kai_h5_read_exactly(group, p->name, type, columns, count, &data, err);
    H5Tclose(type);
    KAI_TRY(r);
    const size_t one = kai_kind_type_size(p->type), bytes = kai_kind_repeats(p) * one;
    for (size_t i = 0; i < count; i++) {
        char* source = (char*)data + i * bytes;
        char* field = items + i * kind->size + p->offset;
        for (size_t k = 0; k < bytes; k += one) set_world(p->type, source + k, world);
        if (p->type == KAI_PARAM_BOOL)
            *(bool*)field = *source != 0;
        else
            memcpy(field, source, bytes);
    }
    free(data);
    return KAI_OK;
}

static kai_result read_counts(hid_t group, const char* param, const char* suffix, size_t count,
                              uint32_t** out, kai_error* err)
{
    char name[KAI_STRING_SIZE];
    void* data = NULL;
    KAI_TRY(kai_h5_read_exactly(group, param_file_joined(name, sizeof name, param, suffix),
                                H5T_NATIVE_UINT32, 1, count, &data, err));
    *out = data;
    return KAI_OK;
}

static kai_result share_table(const kai_kind* kind, const kai_param* p, char* items, size_t count,
                              const uint32_t* rows, const uint32_t* columns, double* data,
                              size_t total, kai_error* err)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t n = (size_t)rows[i] * columns[i];
        if (n > total - used)
            return kai_error_set(err, KAI_ERROR_FORMAT,
                                 "'%s' has %zu numbers; its tables need more", p->name, total);
        kai_table* t = table_to(kind, p, items, i);
        *t =
            (kai_table){.data = n > 0 ? data + used : NULL, .rows = rows[i], .columns = columns[i]};
        used += n;
    }
    return KAI_OK;
}

static kai_result read_table(hid_t group, const kai_kind* kind, const kai_param* p, char* items,
                             size_t count, kai_param_file_pool** pool, kai_error* err)
{
    void* data = NULL;
    size_t total = 0;
    KAI_TRY(kai_h5_read(group, p->name, H5T_NATIVE_DOUBLE, 1, &data, &total, err));
    KAI_TRY(param_file_keep(pool, data, err));
    uint32_t *rows = NULL, *columns = NULL;
    kai_result r = read_counts(group, p->name, "rows", count, &rows, err);
    if (r == KAI_OK) r = read_counts(group, p->name, "columns", count, &columns, err);
    if (r == KAI_OK) r = share_table(kind, p, items, count, rows, columns, data, total, err);
    free(rows);
    free(columns);
    return r;
}

static kai_result read_curve(hid_t group, const kai_kind* kind, const kai_param* p, char* items,
                             size_t count, kai_param_file_pool** pool, kai_error* err)
{
    char name[KAI_STRING_SIZE];
    void* slopes = NULL;
    KAI_TRY(kai_h5_read_exactly(group, param_file_joined(name, sizeof name, p->name, "slope"),
                                H5T_NATIVE_DOUBLE, 1, count, &slopes, err));
    for (size_t i = 0; i < count; i++)
        *(double*)(uintptr_t)slope_at(kind, p, items, i) = ((const double*)slopes)[i];
    free(slopes);
    return read_table(group, kind, p, items, count, pool, err);
}

static size_t size_of_file(hid_t group)
{
    hsize_t size = 0;
    const hid_t file = H5Iget_file_id(group);
    if (file < 0) return 0;
    if (H5Fget_filesize(file, &size) < 0) size = 0;
    H5Fclose(file);
    return (size_t)size;
}

static kai_result read_list(hid_t group, const kai_kind* kind, const kai_param* p, char* items,
                            size_t count, uint16_t world, kai_param_file_pool** pool,
                            kai_error* err)
{
    uint32_t* counts = NULL;
    KAI_TRY(read_counts(group, p->name, "count", count, &counts, err));
    size_t total = 0;
    for (size_t i = 0; i < count; i++) total += counts[i];

    // Each item has at least one parameter of one byte in the file.
    if (total > size_of_file(group)) {
        free(counts);
        return kai_error_set(err, KAI_ERROR_FORMAT,
                             "'%s' says it has %zu items; the file is smaller", p->name, total);
    }
    char* all = calloc(total + 1, p->item->size);
    kai_result r = all == NULL ? kai_h5_no_memory(p->name, err) : param_file_keep(pool, all, err);
    hid_t inner = -1;
    if (r == KAI_OK) r = kai_h5_open_group(group, p->name, &inner, err);
    if (r == KAI_OK) r = kai_param_file_read(inner, p->item, all, total, world, pool, err);
    if (inner >= 0) H5Gclose(inner);
    size_t used = 0;
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        kai_list* list = (kai_list*)(void*)(items + i * kind->size + p->offset);
        *list = (kai_list){.items = counts[i] > 0 ? all + used * p->item->size : NULL,
                           .count = counts[i]};
        used += counts[i];
    }
    free(counts);
    return r;
}

kai_result kai_param_file_read(hid_t group, const kai_kind* kind, void* items, size_t count,
                               uint16_t world, kai_param_file_pool** pool, kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->type == KAI_PARAM_TABLE) {
            KAI_TRY(read_table(group, kind, p, items, count, pool, err));
        } else if (p->type == KAI_PARAM_CURVE) {
            KAI_TRY(read_curve(group, kind, p, items, count, pool, err));
        } else if (p->type == KAI_PARAM_LIST) {
            KAI_TRY(read_list(group, kind, p, items, count, world, pool, err));
        } else {
            KAI_TRY(read_field(group, kind, p, items, count, world, err));
        }
    }
    return KAI_OK;
}

// Names ------------------------------------------------------------------------------------------

static bool has_name(const char* name) { return name != NULL && name[0] != '\0'; }

kai_result kai_param_file_write_names(hid_t group, const char* const* names, size_t count,
                                      kai_error* err)
{
    size_t longest = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!has_name(names[i])) continue;
        const size_t length = strlen(names[i]);
        if (length > longest) longest = length;
        n++;
    }
    const size_t stride = longest + 1;
    uint32_t* named = malloc((n + 1) * sizeof *named);
    char* texts = calloc(n + 1, stride);
    const hid_t type = kai_h5_text_type(stride);
    kai_result r = named && texts && type >= 0 ? KAI_OK : kai_h5_no_memory("names", err);
    for (size_t i = 0, k = 0; r == KAI_OK && i < count; i++) {
        if (!has_name(names[i])) continue;
        named[k] = (uint32_t)i;
        memcpy(texts + k++ * stride, names[i], strlen(names[i]));
    }
    if (r == KAI_OK) r = kai_h5_write(group, "named", H5T_NATIVE_UINT32, n, 1, named, err);
    if (r == KAI_OK) r = kai_h5_write(group, "names", type, n, 1, texts, err);
    if (type >= 0) H5Tclose(type);
    free(texts);
    free(named);
    return r;
}

// Bytes of a text in the dataset "names", 0 when it is no such dataset.
static size_t text_size(hid_t group)
{
    const hid_t set = kai_h5_has(group, "names") ? H5Dopen2(group, "names", H5P_DEFAULT) : -1;
    if (set < 0) return 0;
    const hid_t type = H5Dget_type(set);
    const size_t size =
        type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0
            ? H5Tget_size(type)
            : 0;
    if (type >= 0) H5Tclose(type);
    H5Dclose(set);
    return size <= KAI_STRING_SIZE ? size : 0;
}

kai_result kai_param_file_read_names(hid_t group, size_t limit, uint32_t** named, char** names,
                                     size_t* stride, size_t* count, kai_error* err)
{
    void *places = NULL, *texts = NULL;
    *stride = text_size(group);
    if (*stride == 0) return kai_error_set(err, KAI_ERROR_FORMAT, "'names' is missing or no text");
    KAI_TRY(kai_h5_read(group, "named", H5T_NATIVE_UINT32, 1, &places, count, err));
    const hid_t type = kai_h5_text_type(*stride);
    kai_result r = type < 0 ? kai_h5_no_memory("names", err)
                            : kai_h5_read_exactly(group, "names", type, 1, *count, &texts, err);
    if (type >= 0) H5Tclose(type);
    for (size_t i = 0; r == KAI_OK && i < *count; i++) {
        ((char*)texts)[(i + 1) * *stride - 1] = '\0';
        if (((uint32_t*)places)[i] >= limit)
            r = kai_error_set(err, KAI_ERROR_FORMAT, "'named' has place %u; must be below %zu",
                              ((uint32_t*)places)[i], limit);
    }
    if (r != KAI_OK) {
        free(places);
        free(texts);
        return r;
    }
    *named = places;
    *names = texts;
    return KAI_OK;
}
