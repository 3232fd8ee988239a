// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/h5.h"

#include "record/h5_set.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One door for all worlds of the process, since HDF5 has one state for all of them.
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool inside; // this thread is

// Memory -----------------------------------------------------------------------------------------

enum {
    ROOM = 4 << 20, // bytes; HDF5 takes small blocks, and chunks of about a megabyte
    LAST = 1 << 16  // the same at the end of the process, when it only gives back
};

static bool has_room(size_t size)
{
    void* volatile block = malloc(size); // volatile: compilers leave out blocks that nobody uses
    free(block);
    return block != NULL;
}

kai_result kai_h5_room(const char* path, kai_error* err)
{
    return has_room(ROOM) ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
}

kai_result kai_h5_no_memory(const char* name, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for '%s'", name);
}

// Runs before the handler of HDF5, which crashes where memory is gone. HDF5 itself calls exit(-1),
// without a word, when it cannot remember a new object.
static void h5_leave(void)
{
    static const char words[] = "kairos: no memory: HDF5 could not finish its files\n";
    if (!inside && has_room(LAST)) return;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) {
        // There is nobody to tell.
    }
    _exit(EXIT_FAILURE);
}

static void h5_watch(void) { atexit(h5_leave); }

// The door ---------------------------------------------------------------------------------------

// What kai_h5_end puts back; of who is inside.
static struct {
    H5E_auto2_t print;
    void* context;
    unsigned plugins;
} before;

void kai_h5_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_mutex_lock(&door);
    inside = true;
    H5Eget_auto2(H5E_DEFAULT, &before.print, &before.context);
    pthread_once(&once, h5_watch); // after HDF5 has begun, and asked to be called at exit
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLget_loading_state(&before.plugins);
    H5PLset_loading_state(0);
}

void kai_h5_end(void)
{
    H5PLset_loading_state(before.plugins);
    H5Eset_auto2(H5E_DEFAULT, before.print, before.context);
    inside = false;
    pthread_mutex_unlock(&door);
}

// Files in memory --------------------------------------------------------------------------------

herr_t kai_h5_image_keep(void* data, H5FD_file_image_op_t op, void* context)
{
    (void)data, (void)op, (void)context;
    return 0;
}

void* kai_h5_image_context(void* context) { return context; }

herr_t kai_h5_image_leave(void* context)
{
    (void)context;
    return 0;
}

// Types ------------------------------------------------------------------------------------------

hid_t kai_h5_native(kai_number number)
{
    switch (number) {
    case KAI_NUMBER_F64: return H5T_NATIVE_DOUBLE;
    case KAI_NUMBER_F32: return H5T_NATIVE_FLOAT;
    case KAI_NUMBER_I64: return H5T_NATIVE_INT64;
    case KAI_NUMBER_U64: return H5T_NATIVE_UINT64;
    case KAI_NUMBER_I32: return H5T_NATIVE_INT32;
    case KAI_NUMBER_U32: return H5T_NATIVE_UINT32;
    case KAI_NUMBER_U16: return H5T_NATIVE_UINT16;
    case KAI_NUMBER_U8: return H5T_NATIVE_UINT8;
    case KAI_NUMBER_TEXT: break; // has a size: kai_h5_text_type
    }
    return -1;
}

hid_t kai_h5_compound(const kai_member* members, size_t count, size_t size)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, size);
    for (size_t i = 0; type >= 0 && i < count; i++) {
        const kai_member* m = &members[i];
        const hsize_t n = m->count;
        const hid_t field = m->number == KAI_NUMBER_TEXT ? kai_h5_text_type(n)
                            : n > 1 ? H5Tarray_create2(kai_h5_native(m->number), 1, &n)
                                    : H5Tcopy(kai_h5_native(m->number));
        const herr_t done = field < 0 ? -1 : H5Tinsert(type, m->name, m->offset, field);
        if (field >= 0) H5Tclose(field);
        if (done < 0) {
            H5Tclose(type);
            return -1;
        }
    }
    return type;
}

hid_t kai_h5_text_type(size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return -1;
    if (H5Tset_size(type, size) >= 0 && H5Tset_strpad(type, H5T_STR_NULLTERM) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0) {
        return type;
    }
    H5Tclose(type);
    return -1;
}

// How a memory type lies in the file.
static hid_t file_type_of(hid_t type)
{
    const hid_t copy = H5Tcopy(type);
    if (copy >= 0 && H5Tget_class(copy) == H5T_COMPOUND && H5Tpack(copy) < 0) {
        H5Tclose(copy);
        return -1;
    }
    return copy;
}

// Writing ----------------------------------------------------------------------------------------

// Files are made in memory, so what fails is memory.
static kai_result cannot_write(const char* name, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not write '%s'", name);
}

kai_result kai_h5_make_group(hid_t parent, const char* name, hid_t* out, kai_error* err)
{
    *out = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return *out < 0 ? cannot_write(name, err) : KAI_OK;
}

kai_result kai_h5_make(hid_t parent, const char* name, hid_t type, size_t count, size_t columns,
                       hid_t* out, kai_error* err)
{
    const hsize_t dims[2] = {count, columns};
    const hid_t space = H5Screate_simple(columns > 1 ? 2 : 1, dims, NULL);
    const hid_t file_type = file_type_of(type);
    *out = -1;
    if (space >= 0 && file_type >= 0) {
        *out = H5Dcreate2(parent, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    }
    if (file_type >= 0) H5Tclose(file_type);
    if (space >= 0) H5Sclose(space);
    return *out < 0 ? cannot_write(name, err) : KAI_OK;
}

kai_result kai_h5_put(hid_t set, const char* name, hid_t type, size_t first, size_t count,
                      const void* data, kai_error* err)
{
    if (count == 0) return KAI_OK;
    const hsize_t start = first, size = count;
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &size, NULL);
    const bool good = space >= 0 && memory >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &size, NULL) >= 0 &&
                      H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) >= 0;
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    return good ? KAI_OK : cannot_write(name, err);
}

kai_result kai_h5_write(hid_t parent, const char* name, hid_t type, size_t count, size_t columns,
                        const void* data, kai_error* err)
{
    hid_t set;
    KAI_TRY(kai_h5_make(parent, name, type, count, columns, &set, err));
    herr_t done = 0;
    if (count > 0) done = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    if (H5Dclose(set) < 0) done = -1;
    return done < 0 ? cannot_write(name, err) : KAI_OK;
}

// The type of the items of a list, to be closed.
static kai_result type_of(const kai_member_list* list, hid_t* type, kai_error* err)
{
    *type = list->members != NULL ? kai_h5_compound(list->members, list->member_count, list->size)
                                  : H5Tcopy(kai_h5_native(list->number));
    return *type >= 0 ? KAI_OK : kai_h5_no_memory(list->name, err);
}

kai_result kai_h5_write_list(hid_t parent, const kai_member_list* list, const void* items,
                             size_t count, kai_error* err)
{
    hid_t type;
    KAI_TRY(type_of(list, &type, err));
    const kai_result r = kai_h5_write(parent, list->name, type, count, 1, items, err);
    H5Tclose(type);
    return r;
}

static kai_result write_attribute(hid_t object, const char* name, hid_t type, hid_t space,
                                  const void* data, kai_error* err)
{
    hid_t attribute = -1;
    if (type >= 0 && space >= 0)
        attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t done = attribute < 0 ? -1 : H5Awrite(attribute, type, data);
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    return done < 0 ? cannot_write(name, err) : KAI_OK;
}

kai_result kai_h5_write_attribute(hid_t object, const char* name, kai_number number, size_t count,
                                  const void* data, kai_error* err)
{
    const hsize_t n = count;
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
    return write_attribute(object, name, kai_h5_native(number), space, data, err);
}

kai_result kai_h5_write_members(hid_t object, const kai_member* members, size_t count,
                                const void* from, kai_error* err)
{
    for (const kai_member* m = members; m < members + count; m++)
        KAI_TRY(kai_h5_write_attribute(object, m->name, m->number, m->count,
                                       (const char*)from + m->offset, err));
    return KAI_OK;
}

kai_result kai_h5_write_text(hid_t object, const char* name, const char* text, kai_error* err)
{
    const hid_t type = kai_h5_text_type(strlen(text) + 1);
    const kai_result r = write_attribute(object, name, type, H5Screate(H5S_SCALAR), text, err);
    if (type >= 0) H5Tclose(type);
    return r;
}

// Reading ----------------------------------------------------------------------------------------

static kai_result h5_malformed(kai_error* err, const char* name, const char* why)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "'%s' %s", name, why);
}

bool kai_h5_has(hid_t parent, const char* name) { return H5Lexists(parent, name, H5P_DEFAULT) > 0; }

kai_result kai_h5_open_group(hid_t parent, const char* name, hid_t* out, kai_error* err)
{
    *out = H5Gopen2(parent, name, H5P_DEFAULT);
    return *out < 0 ? h5_malformed(err, name, "is missing or no group") : KAI_OK;
}

kai_result kai_h5_read(hid_t parent, const char* name, hid_t type, size_t columns, void** data,
                       size_t* count, kai_error* err)
{
    hid_t set = -1;
    kai_h5_set shape;
    *data = NULL;
    *count = 0;
    const int rank = columns > 1 ? 2 : 1;
    KAI_TRY(
        kai_h5_set_open(parent, name, rank, columns > 1 ? columns : 1, type, &set, &shape, err));
    const size_t row = H5Tget_size(type) * columns;
    kai_result r = shape.stored < shape.rows ? h5_malformed(err, name, "is not whole") : KAI_OK;
    if (r == KAI_OK) {
        *count = (size_t)shape.rows;
        *data = *count > SIZE_MAX / row - 1 ? NULL : calloc(*count + 1, row);
        if (*data == NULL)
            r = kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu rows of '%s'", *count,
                              name);
        else if (!kai_h5_set_read(set, &shape, type, 0, shape.rows, *data))
            r = h5_malformed(err, name, "cannot be read");
    }
    if (r != KAI_OK) {
        free(*data);
        *data = NULL;
    }
    H5Dclose(set);
    return r;
}

kai_result kai_h5_read_exactly(hid_t parent, const char* name, hid_t type, size_t columns,
                               size_t count, void** data, kai_error* err)
{
    size_t found = 0;
    KAI_TRY(kai_h5_read(parent, name, type, columns, data, &found, err));
    if (found == count) return KAI_OK;
    free(*data);
    *data = NULL;
    return kai_error_set(err, KAI_ERROR_FORMAT, "'%s' has %zu rows; must have %zu", name, found,
                         count);
}

kai_result kai_h5_read_list(hid_t parent, const kai_member_list* list, void** items, size_t* count,
                            kai_error* err)
{
    hid_t type;
    KAI_TRY(type_of(list, &type, err));
    const kai_result r = *count == SIZE_MAX
                             ? kai_h5_read(parent, list->name, type, 1, items, count, err)
                             : kai_h5_read_exactly(parent, list->name, type, 1, *count, items, err);
    H5Tclose(type);
    return r;
}

kai_result kai_h5_read_attribute(hid_t object, const char* name, kai_number number, size_t count,
                                 void* data, kai_error* err)
{
    const hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    if (attribute < 0) return h5_malformed(err, name, "is missing");
    const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    const bool good =
        space >= 0 && type >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
        kai_h5_set_is_type(type) && kai_h5_set_types_agree(type, kai_h5_native(number)) &&
        H5Aread(attribute, kai_h5_native(number), data) >= 0;
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return good ? KAI_OK : h5_malformed(err, name, "has a wrong type or size");
}

kai_result kai_h5_read_members(hid_t object, const kai_member* members, size_t count, void* to,
                               kai_error* err)
{
    for (const kai_member* m = members; m < members + count; m++)
        KAI_TRY(kai_h5_read_attribute(object, m->name, m->number, m->count, (char*)to + m->offset,
                                      err));
    return KAI_OK;
}

kai_result kai_h5_read_text(hid_t object, const char* name, char* out, size_t size, kai_error* err)
{
    const hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    if (attribute < 0) return h5_malformed(err, name, "is missing");
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hid_t wanted = kai_h5_text_type(size);
    memset(out, 0, size);
    const bool good = type >= 0 && space >= 0 && wanted >= 0 && kai_h5_set_is_type(type) &&
                      kai_h5_set_types_agree(type, wanted) && H5Tget_size(type) <= size &&
                      H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Aread(attribute, wanted, out) >= 0;
    out[size - 1] = '\0';
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (wanted >= 0) H5Tclose(wanted);
    H5Aclose(attribute);
    return good ? KAI_OK : h5_malformed(err, name, "is no text, or too long");
}
