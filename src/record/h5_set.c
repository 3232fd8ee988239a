// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/h5_set.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

enum {
    TEXT_MOST = 1 << 16,    // bytes of a text
    MEMBERS_MOST = 256,     // of a compound type
    PACKED_MOST = 64 << 20, // bytes of a chunk that is deflated; Kairos writes at most 8 MiB
    PIECE = 1 << 16         // bytes that are unpacked at a time
};

static kai_result h5_set_malformed(kai_error* err, const char* name, const char* why)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "'%s' %s", name, why);
}

// Types ------------------------------------------------------------------------------------------

static bool is_number(hid_t type)
{
    for (int n = KAI_NUMBER_F64; n <= KAI_NUMBER_U8; n++)
        if (H5Tequal(type, kai_h5_native((kai_number)n)) > 0) return true;
    return false;
}

// A number, a text or a row of numbers.
static bool is_item(hid_t type)
{
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
    case H5T_FLOAT: return is_number(type);
    case H5T_STRING: return H5Tis_variable_str(type) == 0 && H5Tget_size(type) <= TEXT_MOST;
    case H5T_ARRAY: {
        hsize_t dims = 0;
        if (H5Tget_array_ndims(type) != 1 || H5Tget_array_dims2(type, &dims) != 1) return false;
        const hid_t number = H5Tget_super(type);
        const bool good =
            number >= 0 && is_number(number) && dims > 0 && dims <= TEXT_MOST / H5Tget_size(number);
        if (number >= 0) H5Tclose(number);
        return good;
    }
    default: return false;
    }
}

// Members lie within the whole and beside each other.
static bool is_record(hid_t type)
{
    size_t from[MEMBERS_MOST], size[MEMBERS_MOST];
    const int count = H5Tget_nmembers(type);
    const size_t whole = H5Tget_size(type);
    if (count < 1 || count > MEMBERS_MOST) return false;
    for (int i = 0; i < count; i++) {
        const hid_t member = H5Tget_member_type(type, (unsigned)i);
        if (member < 0) return false;
        const bool good = is_item(member);
        from[i] = H5Tget_member_offset(type, (unsigned)i);
        size[i] = H5Tget_size(member);
        H5Tclose(member);
        if (!good || size[i] > whole || from[i] > whole - size[i]) return false;
        for (int j = 0; j < i; j++)
            if (from[i] < from[j] + size[j] && from[j] < from[i] + size[i]) return false;
    }
    return true;
}

bool kai_h5_set_is_type(hid_t type)
{
    return H5Tget_class(type) == H5T_COMPOUND ? is_record(type) : is_item(type);
}

// Storage ----------------------------------------------------------------------------------------

// How a dataset lies in the file.
typedef struct storage {
    H5D_layout_t layout;
    int deflate;         // number of that filter; -1: not deflated
    hsize_t chunk_rows;  // of a chunk
    hsize_t chunk_bytes; // unpacked
    hsize_t row_bytes;
    hsize_t file_bytes; // that the file has
} storage;

// How long the file is. HDF5 holds what a file says against that when it opens it, but not where
// the file may grow.
static bool file_size(hid_t object, hsize_t* bytes)
{
    void* handle = NULL;
    unsigned intent = 0;
    struct stat info;
    const hid_t file = H5Iget_file_id(object);
    bool good = file >= 0 && H5Fget_intent(file, &intent) >= 0;
    if (good && (intent & H5F_ACC_SWMR_READ)) {
        good = H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 &&
               fstat(*(const int*)handle, &info) == 0;
        if (good) *bytes = (hsize_t)info.st_size;
    } else {
        good = good && H5Fget_filesize(file, bytes) >= 0;
    }
    if (file >= 0) H5Fclose(file);
    return good;
}

// Only filters that Kairos writes, each at most once.
static bool check_filters(hid_t layout, int* deflate)
{
    const int count = H5Pget_nfilters(layout);
    int shuffles = 0;
    *deflate = -1;
    for (int i = 0; i < count; i++) {
        unsigned flags = 0, values[4] = {0}, config = 0;
        size_t value_count = 4;
        char name[64];
        const H5Z_filter_t filter = H5Pget_filter2(layout, (unsigned)i, &flags, &value_count,
                                                   values, sizeof name, name, &config);
        if (filter == H5Z_FILTER_DEFLATE && *deflate < 0)
            *deflate = i;
        else if (filter != H5Z_FILTER_SHUFFLE || shuffles++ > 0)
            return false;
    }
    return count >= 0;
}

static const char* check_layout(hid_t set, const kai_h5_set* shape, storage* s)
{
    const hid_t list = H5Dget_create_plist(set);
    const char* wrong = list < 0 ? "cannot be read" : NULL;
    hsize_t chunk[3] = {1, 1, 1};
    if (!wrong) s->layout = H5Pget_layout(list);
    if (!wrong && s->layout != H5D_COMPACT && s->layout != H5D_CONTIGUOUS &&
        s->layout != H5D_CHUNKED)
        wrong = "is made of other datasets, which is not allowed";
    if (!wrong && H5Pget_external_count(list) != 0)
        wrong = "lies in other files, which is not allowed";
    if (!wrong && !check_filters(list, &s->deflate))
        wrong = "is packed by a filter that is not allowed";
    if (!wrong && s->layout == H5D_CHUNKED) {
        if (H5Pget_chunk(list, 3, chunk) != shape->rank || chunk[0] == 0 ||
            (shape->rank >= 2 && chunk[1] != shape->columns / shape->inner) ||
            (shape->rank == 3 && chunk[2] != shape->inner) || chunk[0] > UINT32_MAX / s->row_bytes)
            wrong = "has chunks that it should not have";
        s->chunk_rows = chunk[0];
        s->chunk_bytes = chunk[0] * s->row_bytes;
        if (!wrong && s->deflate >= 0 && s->chunk_bytes > PACKED_MOST)
            wrong = "has chunks that are too large";
    }
    if (list >= 0) H5Pclose(list);
    return wrong;
}

// Whether a packed chunk becomes as many bytes as it should.
static bool h5_set_unpacks(hid_t set, const hsize_t at[3], hsize_t packed, hsize_t wanted)
{
    uint32_t mask = 0;
    unsigned char* bytes = malloc((size_t)packed + PIECE);
    z_stream stream = {0};
    hsize_t done = 0;
    bool good = bytes != NULL && packed <= UINT32_MAX &&
                H5Dread_chunk(set, H5P_DEFAULT, at, &mask, bytes) >= 0 &&
                inflateInit(&stream) == Z_OK;
    if (good) {
        int state = Z_OK;
        stream.next_in = bytes;
        stream.avail_in = (uInt)packed;
        while (state == Z_OK && done <= wanted) {
            stream.next_out = bytes + packed;
            stream.avail_out = PIECE;
            state = inflate(&stream, Z_NO_FLUSH);
            done += PIECE - stream.avail_out;
        }
        inflateEnd(&stream);
        good = state == Z_STREAM_END && done == wanted;
    }
    free(bytes);
    return good;
}

// Counts rows whose chunks are there, from the first on.
static const char* check_chunks(hid_t set, const storage* s, bool unpack, kai_h5_set* shape)
{
    for (shape->stored = 0; shape->stored < shape->rows;) {
        const hsize_t at[3] = {shape->stored, 0, 0};
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        unsigned mask = 0;
        if (H5Dget_chunk_info_by_coord(set, at, &mask, &address, &size) < 0)
            return "cannot be read";
        if (address == HADDR_UNDEF || size == 0) break;
        if (size > s->file_bytes || address > s->file_bytes - size)
            return "points outside of the file";
        const bool packed = s->deflate >= 0 && !(mask >> s->deflate & 1u);
        if (!packed && size != s->chunk_bytes) return "has a chunk of a wrong size";
        if (packed && unpack && !h5_set_unpacks(set, at, size, s->chunk_bytes))
            return "has a chunk that cannot be unpacked";
        shape->stored += s->chunk_rows;
    }
    if (shape->stored > shape->rows) shape->stored = shape->rows;
    return NULL;
}

static const char* check_storage(hid_t set, const storage* s, bool unpack, kai_h5_set* shape)
{
    if (shape->rows == 0) return NULL;
    if (s->layout == H5D_CHUNKED) return check_chunks(set, s, unpack, shape);
    const hsize_t bytes = H5Dget_storage_size(set);
    if (bytes > s->file_bytes || shape->rows > bytes / s->row_bytes) return "is not whole";
    if (s->layout == H5D_CONTIGUOUS) {
        const haddr_t address = H5Dget_offset(set);
        if (address == HADDR_UNDEF || address > s->file_bytes - bytes)
            return "points outside of the file";
    }
    shape->stored = shape->rows;
    return NULL;
}

// Datasets ---------------------------------------------------------------------------------------

static bool shape_of(hid_t set, kai_h5_set* out)
{
    hsize_t dims[3] = {1, 1, 1}; // rank 0: one item
    const hid_t space = H5Dget_space(set);
    *out = (kai_h5_set){.rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space)};
    const bool good = out->rank >= 0 && out->rank <= 3 &&
                      H5Sget_simple_extent_type(space) != H5S_NULL &&
                      H5Sget_simple_extent_dims(space, dims, NULL) == out->rank && dims[1] > 0 &&
                      dims[2] > 0 && dims[1] <= UINT32_MAX / dims[2];
    if (space >= 0) H5Sclose(space);
    out->rows = dims[0];
    out->columns = dims[1] * dims[2];
    out->inner = dims[2];
    return good;
}

kai_result kai_h5_set_check(hid_t set, const char* name, bool unpack, kai_h5_set* out,
                            kai_error* err)
{
    storage s = {0};
    if (!shape_of(set, out)) return h5_set_malformed(err, name, "has not the shape it should have");
    const hid_t type = H5Dget_type(set);
    const bool known = type >= 0 && kai_h5_set_is_type(type);
    const size_t size = known ? H5Tget_size(type) : 0;
    if (type >= 0) H5Tclose(type);
    if (size == 0) return h5_set_malformed(err, name, "has a wrong type");
    if (out->columns > UINT32_MAX / size)
        return h5_set_malformed(err, name, "has not the shape it should have");
    s.row_bytes = out->columns * size;
    if (!file_size(set, &s.file_bytes)) return h5_set_malformed(err, name, "cannot be read");
    const char* wrong = check_layout(set, out, &s);
    if (wrong == NULL) wrong = check_storage(set, &s, unpack, out);
    return wrong == NULL ? KAI_OK : h5_set_malformed(err, name, wrong);
}

bool kai_h5_set_types_agree(hid_t file_type, hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    if (H5Tget_class(file_type) != class) return false;
    if (class == H5T_ARRAY) {
        hsize_t a = 0, b = 0;
        return H5Tget_array_dims2(type, &a) == 1 && H5Tget_array_dims2(file_type, &b) == 1 &&
               a == b;
    }
    if (class != H5T_COMPOUND) return true;
    const int count = H5Tget_nmembers(type);
    bool agree = count > 0;
    for (int i = 0; agree && i < count; i++) {
        char* name = H5Tget_member_name(type, (unsigned)i);
        const int j = name == NULL ? -1 : H5Tget_member_index(file_type, name);
        H5free_memory(name);
        if (j < 0) return false;
        const hid_t a = H5Tget_member_type(file_type, (unsigned)j);
        const hid_t b = H5Tget_member_type(type, (unsigned)i);
        agree = a >= 0 && b >= 0 && kai_h5_set_types_agree(a, b);
        if (a >= 0) H5Tclose(a);
        if (b >= 0) H5Tclose(b);
    }
    return agree;
}

static kai_result check_wanted(hid_t set, const char* name, int rank, hsize_t columns, hid_t type,
                               kai_h5_set* out, kai_error* err)
{
    KAI_TRY(kai_h5_set_check(set, name, false, out, err));
    if (out->rank != rank || out->columns != columns)
        return h5_set_malformed(err, name, "has not the shape it should have");
    const hid_t file_type = H5Dget_type(set);
    const bool agree = file_type >= 0 && kai_h5_set_types_agree(file_type, type);
    if (file_type >= 0) H5Tclose(file_type);
    return agree ? KAI_OK : h5_set_malformed(err, name, "has a wrong type");
}

kai_result kai_h5_set_open(hid_t parent, const char* name, int rank, hsize_t columns, hid_t type,
                           hid_t* set, kai_h5_set* out, kai_error* err)
{
    *set = kai_h5_has(parent, name) ? H5Dopen2(parent, name, H5P_DEFAULT) : -1;
    *out = (kai_h5_set){0};
    if (*set < 0) return h5_set_malformed(err, name, "is missing");
    const kai_result r = check_wanted(*set, name, rank, columns, type, out, err);
    if (r == KAI_OK) return KAI_OK;
    H5Dclose(*set);
    *set = -1;
    *out = (kai_h5_set){0};
    return r;
}

bool kai_h5_set_read(hid_t set, const kai_h5_set* shape, hid_t type, hsize_t first, hsize_t count,
                     void* out)
{
    if (count == 0) return true;
    if (first > shape->stored || count > shape->stored - first) return false;
    const hsize_t from[3] = {first, 0, 0},
                  size[3] = {count, shape->columns / shape->inner, shape->inner};
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(shape->rank, size, NULL);
    const bool good = space >= 0 && memory >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    if (space >= 0) H5Sclose(space);
    if (memory >= 0) H5Sclose(memory);
    return good;
}
