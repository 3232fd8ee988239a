// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/param_file.h"

#include "base/kind.h"
#include "base/text.h"

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
    [KAI_PARAM_LOAD] = COMPOUND(ID),
    [KAI_PARAM_ELEMENT] = COMPOUND(ID),
    [KAI_PARAM_STRUCTURE] = COMPOUND(ID),
    [KAI_PARAM_FUNCTION] = COMPOUND(ID),
    [KAI_PARAM_LAW] = COMPOUND(ID),
};

// The memory type of one field, to be closed, and how many of it make a row.
static hid_t field_type(const kai_param* p, size_t* columns)
{
    const kai_param_type type = p->type;
    const field_layout* layout = &FIELDS[type];
    *columns = kai_kind_repeats(p);
    if (kai_kind_is_text(type)) return kai_h5_text_type(KAI_STRING_SIZE);
    if (layout->columns == 0)
        return kai_h5_compound(layout->members, layout->member_count, kai_kind_type_size(type));
    *columns *= layout->columns;
    return H5Tcopy(kai_h5_native(layout->number));
}

// What is written or read: parameters of instances that lie side by side.
typedef struct instances {
    hid_t group;
    const kai_kind* kind;
    char* items; // [count]
    size_t count;
    kai_error* err;
    // For reading
    uint16_t world;
    kai_param_file_pool** pool;
} instances;

// What lies at some bytes of instance i.
static void* place_at(const instances* s, size_t i, size_t place)
{
    return s->items + i * s->kind->size + place;
}

// "<name>.<suffix>", or the name.
static const char* dataset_name(char out[KAI_STRING_SIZE], const char* name, const char* suffix)
{
    snprintf(out, KAI_STRING_SIZE, suffix != NULL ? "%s.%s" : "%s", name, suffix);
    return out;
}

static size_t table_place(const kai_param* p)
{
    return p->offset + (p->type == KAI_PARAM_CURVE ? offsetof(kai_curve, points) : 0);
}

static size_t table_numbers(const kai_table* t) { return (size_t)t->rows * t->columns; }

// Writing ----------------------------------------------------------------------------------------

// One member of every instance as a dataset with a row each.
static kai_result write_column(const instances* s, const char* name, const char* suffix, hid_t type,
                               size_t columns, size_t place)
{
    char text[KAI_STRING_SIZE];
    const size_t bytes = columns * H5Tget_size(type);
    char* rows = calloc(s->count + 1, bytes);
    if (rows == NULL) return kai_h5_no_memory(name, s->err);
    for (size_t i = 0; i < s->count; i++) memcpy(rows + i * bytes, place_at(s, i, place), bytes);
    const kai_result r = kai_h5_write(s->group, dataset_name(text, name, suffix), type, s->count,
                                      columns, rows, s->err);
    free(rows);
    return r;
}

static kai_result write_field(const instances* s, const kai_param* p)
{
    size_t columns;
    const hid_t type = field_type(p, &columns);
    if (type < 0) return kai_h5_no_memory(p->name, s->err);
    const kai_result r = write_column(s, p->name, NULL, type, columns, p->offset);
    H5Tclose(type);
    return r;
}

static kai_result write_table(const instances* s, const kai_param* p)
{
    const size_t place = table_place(p);
    kai_text all = {0};
    for (size_t i = 0; i < s->count; i++) {
        const kai_table* t = place_at(s, i, place);
        kai_text_add_bytes(&all, t->data, table_numbers(t) * sizeof *t->data);
    }
    kai_result r = all.failed ? kai_h5_no_memory(p->name, s->err)
                              : kai_h5_write(s->group, p->name, H5T_NATIVE_DOUBLE,
                                             all.size / sizeof(double), 1, all.data, s->err);
    kai_text_free(&all);
    if (r == KAI_OK)
        r = write_column(s, p->name, "rows", H5T_NATIVE_UINT32, 1,
                         place + offsetof(kai_table, rows));
    if (r == KAI_OK)
        r = write_column(s, p->name, "columns", H5T_NATIVE_UINT32, 1,
                         place + offsetof(kai_table, columns));
    return r;
}

static kai_result write_all(const instances* s);

static kai_result write_list(const instances* s, const kai_param* p)
{
    kai_text all = {0};
    for (size_t i = 0; i < s->count; i++) {
        const kai_list* list = place_at(s, i, p->offset);
        kai_text_add_bytes(&all, list->items, list->count * p->item->size);
    }
    instances inner = {.group = -1, .kind = p->item, .items = all.data, .err = s->err};
    inner.count = all.size / p->item->size;
    kai_result r = all.failed ? kai_h5_no_memory(p->name, s->err) : KAI_OK;
    if (r == KAI_OK)
        r = write_column(s, p->name, "count", H5T_NATIVE_UINT32, 1,
                         p->offset + offsetof(kai_list, count));
    if (r == KAI_OK) r = kai_h5_make_group(s->group, p->name, &inner.group, s->err);
    if (r == KAI_OK) r = write_all(&inner);
    if (inner.group >= 0) H5Gclose(inner.group);
    kai_text_free(&all);
    return r;
}

static kai_result write_all(const instances* s)
{
    for (size_t i = 0; i < s->kind->param_count; i++) {
        const kai_param* p = &s->kind->params[i];
        if (strchr(p->name, '/') != NULL)
            return kai_error_set(s->err, KAI_ERROR_UNSUPPORTED,
                                 "%s: parameter '%s' cannot be saved; its name has a '/'",
                                 s->kind->name, p->name);
        switch (p->type) {
        case KAI_PARAM_CURVE:
            KAI_TRY(write_column(s, p->name, "slope", H5T_NATIVE_DOUBLE, 1,
                                 p->offset + offsetof(kai_curve, slope)));
            KAI_TRY(write_table(s, p));
            break;
        case KAI_PARAM_TABLE: KAI_TRY(write_table(s, p)); break;
        case KAI_PARAM_LIST: KAI_TRY(write_list(s, p)); break;
        default: KAI_TRY(write_field(s, p));
        }
    }
    return KAI_OK;
}

kai_result kai_param_file_write(hid_t group, const kai_kind* kind, const void* items, size_t count,
                                kai_error* err)
{
    char* from = (char*)(uintptr_t)items; // only read
    return write_all(&(instances){group, kind, from, count, err, 0, NULL});
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
static kai_result param_file_keep(const instances* s, void* block)
{
    kai_param_file_pool* link = malloc(sizeof *link);
    if (link == NULL) {
        free(block);
        return kai_h5_no_memory("tables", s->err);
    }
    *link = (kai_param_file_pool){*s->pool, block};
    *s->pool = link;
    return KAI_OK;
}

// Ids in a field get the tag of the world they are read into, null ids stay null.
static void set_world(kai_param_type type, char* field, uint16_t world)
{
    if (type == KAI_PARAM_VALUE || type == KAI_PARAM_VALUE3) {
        kai_value* v = (kai_value*)(void*)field;
        for (int i = 0; i < (type == KAI_PARAM_VALUE ? 1 : 3); i++)
            v[i].function.world = v[i].function.index == 0 ? 0 : world;
    } else if (FIELDS[type].members == ID) {
        kai_id* id = (kai_id*)(void*)field;
        id->world = id->index == 0 ? 0 : world;
    } else if (kai_kind_is_text(type)) {
        field[KAI_STRING_SIZE - 1] = '\0';
    } else if (type == KAI_PARAM_BOOL) {
        *field = *field != 0;
    }
}

static kai_result read_column(const instances* s, const char* name, const char* suffix, hid_t type,
                              size_t columns, size_t place)
{
    char text[KAI_STRING_SIZE];
    void* rows = NULL;
    KAI_TRY(kai_h5_read_exactly(s->group, dataset_name(text, name, suffix), type, columns, s->count,
                                &rows, s->err));
    const size_t bytes = columns * H5Tget_size(type);
    for (size_t i = 0; i < s->count; i++)
        memcpy(place_at(s, i, place), (char*)rows + i * bytes, bytes);
    free(rows);
    return KAI_OK;
}

static kai_result read_field(const instances* s, const kai_param* p)
{
    size_t columns;
    const hid_t type = field_type(p, &columns);
    if (type < 0) return kai_h5_no_memory(p->name, s->err);
    const kai_result r = read_column(s, p->name, NULL, type, columns, p->offset);
    H5Tclose(type);
    KAI_TRY(r);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < kai_kind_repeats(p); k++)
            set_world(p->type, place_at(s, i, p->offset + k * kai_kind_type_size(p->type)),
                      s->world);
    return KAI_OK;
}

static kai_result read_table(const instances* s, const kai_param* p)
{
    const size_t place = table_place(p);
    void* data = NULL;
    size_t total = 0, used = 0;
    KAI_TRY(kai_h5_read(s->group, p->name, H5T_NATIVE_DOUBLE, 1, &data, &total, s->err));
    KAI_TRY(param_file_keep(s, data));
    KAI_TRY(
        read_column(s, p->name, "rows", H5T_NATIVE_UINT32, 1, place + offsetof(kai_table, rows)));
    KAI_TRY(read_column(s, p->name, "columns", H5T_NATIVE_UINT32, 1,
                        place + offsetof(kai_table, columns)));
    for (size_t i = 0; i < s->count; i++) {
        kai_table* t = place_at(s, i, place);
        const size_t n = table_numbers(t);
        if (n > total - used)
            return kai_error_set(s->err, KAI_ERROR_FORMAT,
                                 "'%s' has %zu numbers; its tables need more", p->name, total);
        t->data = n > 0 ? (const double*)data + used : NULL;
        used += n;
    }
    return KAI_OK;
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

static kai_result read_all(const instances* s);

static kai_result read_list(const instances* s, const kai_param* p)
{
    KAI_TRY(read_column(s, p->name, "count", H5T_NATIVE_UINT32, 1,
                        p->offset + offsetof(kai_list, count)));
    instances inner = *s;
    inner.kind = p->item;
    inner.count = 0;
    for (size_t i = 0; i < s->count; i++)
        inner.count += ((const kai_list*)place_at(s, i, p->offset))->count;
    // Each item has at least one parameter of one byte in the file.
    if (inner.count > size_of_file(s->group))
        return kai_error_set(s->err, KAI_ERROR_FORMAT,
                             "'%s' says it has %zu items; the file is smaller", p->name,
                             inner.count);
    inner.items = calloc(inner.count + 1, p->item->size);
    if (inner.items == NULL) return kai_h5_no_memory(p->name, s->err);
    KAI_TRY(param_file_keep(s, inner.items));
    KAI_TRY(kai_h5_open_group(s->group, p->name, &inner.group, s->err));
    const kai_result r = read_all(&inner);
    H5Gclose(inner.group);
    for (size_t i = 0, used = 0; i < s->count; i++) {
        kai_list* list = place_at(s, i, p->offset);
        list->items = list->count > 0 ? place_at(&inner, used, 0) : NULL;
        used += list->count;
    }
    return r;
}

static kai_result read_all(const instances* s)
{
    for (size_t i = 0; i < s->kind->param_count; i++) {
        const kai_param* p = &s->kind->params[i];
        switch (p->type) {
        case KAI_PARAM_CURVE:
            KAI_TRY(read_column(s, p->name, "slope", H5T_NATIVE_DOUBLE, 1,
                                p->offset + offsetof(kai_curve, slope)));
            KAI_TRY(read_table(s, p));
            break;
        case KAI_PARAM_TABLE: KAI_TRY(read_table(s, p)); break;
        case KAI_PARAM_LIST: KAI_TRY(read_list(s, p)); break;
        default: KAI_TRY(read_field(s, p));
        }
    }
    return KAI_OK;
}

kai_result kai_param_file_read(hid_t group, const kai_kind* kind, void* items, size_t count,
                               uint16_t world, kai_param_file_pool** pool, kai_error* err)
{
    return read_all(&(instances){group, kind, items, count, err, world, pool});
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
