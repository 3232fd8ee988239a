// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/vtkhdf.h"

#include "base/clock.h"
#include "record/file.h"
#include "record/h5_set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WAITING_MOST = 2 << 20, // bytes gathered before they are appended; in the cache until then
    SPARE = 1 << 18         // room for HDF5's own bookkeeping
};
static const double WAIT_SECONDS = 0.5;

static kai_result cannot_write(const kai_vtkhdf* t, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FILE, "%s: HDF5 could not write to it", t->path);
}

// Room on disk -----------------------------------------------------------------------------------

// Makes sure that the next `bytes` bytes HDF5 appends have room (see h5.h, rule 2).
static kai_result vtkhdf_reserve(kai_vtkhdf* t, uint64_t bytes, kai_error* err)
{
    hsize_t end = 0;
    if (H5Fget_filesize(t->file, &end) < 0) return cannot_write(t, err);
    if (end + bytes <= t->reserved) return KAI_OK;
    const uint64_t wanted = end + bytes + bytes / 2;
    const int why = posix_fallocate(t->descriptor, 0, (off_t)wanted);
    if (why != 0) return kai_file_error(err, t->path, why);
    t->reserved = wanted;
    return KAI_OK;
}

// The same before there is a file: HDF5 must not even begin on a full disk. Leaves nothing of that
// name behind, so that HDF5 makes a file and opens none.
static kai_result check_room(const char* path, uint64_t bytes, kai_error* err)
{
    const int descriptor = kai_file_create(path);
    if (descriptor < 0) return kai_file_error(err, path, errno);
    const int why = posix_fallocate(descriptor, 0, (off_t)bytes);
    close(descriptor);
    unlink(path);
    return why == 0 ? KAI_OK : kai_file_error(err, path, why);
}

// Cuts off the room that was not used. HDF5 keeps the end of its data at byte 28 of its header
// (superblock 2, 3).
static void vtkhdf_trim(const char* path)
{
    unsigned char header[36];
    int descriptor;
    struct stat info;
    if (kai_file_continue(path, &descriptor, NULL) != KAI_OK) return;
    if (pread(descriptor, header, sizeof header, 0) == (ssize_t)sizeof header && header[8] >= 2 &&
        header[9] == 8 && fstat(descriptor, &info) == 0) {
        uint64_t end = 0;
        for (int i = 7; i >= 0; i--) end = end << 8 | header[28 + i];
        if (end >= sizeof header && end < (uint64_t)info.st_size &&
            ftruncate(descriptor, (off_t)end) != 0) {
            // Too long is harmless.
        }
    }
    close(descriptor);
}

// Making a file ----------------------------------------------------------------------------------

static hid_t access_latest(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0)
        return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

static void append_leaving(void* context);

kai_result kai_vtkhdf_make(kai_vtkhdf* t, const char* path, uint64_t bytes, kai_error* err)
{
    *t = (kai_vtkhdf){.path = strdup(path), .file = -1, .settled = true};
    kai_worker_init(&t->worker, append_leaving, t);
    t->flushed = kai_clock_now();
    if (t->path == NULL) return kai_file_no_memory(path, err);
    KAI_TRY(check_room(t->path, bytes + 2 * SPARE, err));
    const hid_t access = access_latest();
    if (access >= 0) t->file = H5Fcreate(t->path, H5F_ACC_EXCL, H5P_DEFAULT, access);
    if (access >= 0) H5Pclose(access);
    void* handle = NULL;
    if (t->file < 0 || H5Fget_vfd_handle(t->file, H5P_DEFAULT, &handle) < 0)
        return cannot_write(t, err);
    t->descriptor = *(int*)handle;
    return vtkhdf_reserve(t, bytes + SPARE, err);
}

static int rank_of(unsigned columns, unsigned depth)
{
    return depth > 0 ? 3 : columns == 1 ? 1 : 2;
}

kai_result kai_vtkhdf_add(kai_vtkhdf* t, const kai_vtkhdf_def* def, kai_error* err)
{
    if (t->set_count == KAI_VTKHDF_SETS)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%s: more than %d datasets", t->path,
                             KAI_VTKHDF_SETS);
    kai_vtkhdf_set* s = &t->sets[t->set_count++];
    const unsigned columns = def->columns > 1 ? def->columns : 1;
    const unsigned depth = def->depth > 1 ? def->depth : 1;
    const hid_t type = kai_h5_native(def->number);
    *s = (kai_vtkhdf_set){
        .dataset = -1, .columns = def->columns, .depth = def->depth, .number = def->number};
    s->row_bytes = H5Tget_size(type) * columns * depth;
    if (def->path == NULL) return KAI_OK;
    s->path = strdup(def->path);
    if (s->path == NULL) return kai_file_no_memory(t->path, err);
    const int rank = rank_of(def->columns, def->depth);
    const hsize_t now[3] = {0, columns, depth}, most[3] = {H5S_UNLIMITED, columns, depth},
                  chunk[3] = {def->chunk_rows, columns, depth};
    const hid_t space = H5Screate_simple(rank, now, most), access = H5Pcreate(H5P_DATASET_ACCESS);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    bool good = space >= 0 && layout >= 0 && links >= 0 && access >= 0 &&
                H5Pset_chunk(layout, rank, chunk) >= 0 &&
                H5Pset_create_intermediate_group(links, 1) >= 0;
    if (good && def->compression > 0)
        good =
            H5Pset_shuffle(layout) >= 0 && H5Pset_deflate(layout, (unsigned)def->compression) >= 0;
    // No cache, and nothing to fill new chunks with: rows beyond the end are never read.
    if (good && def->direct && def->compression == 0)
        good = H5Pset_chunk_cache(access, 1, 0, 1.0) >= 0 &&
               H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER) >= 0;
    t->chunk_bytes += s->row_bytes * chunk[0];
    if (good) s->dataset = H5Dcreate2(t->file, def->path, type, space, links, layout, access);
    if (space >= 0) H5Sclose(space);
    if (access >= 0) H5Pclose(access);
    if (layout >= 0) H5Pclose(layout);
    if (links >= 0) H5Pclose(links);
    return s->dataset >= 0 ? KAI_OK : cannot_write(t, err);
}

kai_result kai_vtkhdf_add_field(kai_vtkhdf* t, const char* name, bool kept,
                                const kai_vtkhdf_def* def, kai_error* err)
{
    char path[320];
    kai_vtkhdf_def numbers = *def, offsets = {.columns = 1,
                                              .number = KAI_NUMBER_I64,
                                              .chunk_rows = KAI_VTKHDF_STEP_ROWS};
    numbers.path = offsets.path = kept ? path : NULL;
    snprintf(path, sizeof path, "VTKHDF/PointData/%s", name);
    KAI_TRY(kai_vtkhdf_add(t, &numbers, err));
    snprintf(path, sizeof path, "VTKHDF/Steps/PointDataOffsets/%s", name);
    return kai_vtkhdf_add(t, &offsets, err);
}

hsize_t kai_vtkhdf_chunk_rows(size_t rows)
{
    enum { MOST = 1 << 18 };
    if (rows < KAI_VTKHDF_MANY / 16) return rows < 16 ? 256 : 16 * rows;
    if (rows < KAI_VTKHDF_MANY) return KAI_VTKHDF_MANY - 1;
    const size_t pieces = (rows + MOST - 1) / MOST;
    return (rows + pieces - 1) / pieces;
}

int64_t kai_vtkhdf_level(int64_t asked, size_t rows)
{
    return asked >= 0 ? asked : rows <= KAI_VTKHDF_LATER ? 4 : 0;
}

// The attributes by which readers know the layout. NSteps is set when the file is closed.
static kai_result vtkhdf_mark(kai_vtkhdf* t, kai_error* err)
{
    static const int64_t version[2] = {2, 0}, none = 0;
    hid_t root = -1, steps = -1;
    KAI_TRY(kai_h5_open_group(t->file, "VTKHDF", &root, err));
    kai_result r = kai_h5_open_group(root, "Steps", &steps, err);
    if (r == KAI_OK) r = kai_h5_write_attribute(root, "Version", KAI_NUMBER_I64, 2, version, err);
    if (r == KAI_OK) r = kai_h5_write_attribute(steps, "NSteps", KAI_NUMBER_I64, 1, &none, err);
    if (r == KAI_OK) {
        // VTK wants ASCII of exact length.
        static const char name[] = "UnstructuredGrid";
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, sizeof name - 1);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        const hid_t attribute = H5Acreate2(root, "Type", type, space, H5P_DEFAULT, H5P_DEFAULT);
        if (attribute < 0 || H5Awrite(attribute, type, name) < 0) r = cannot_write(t, err);
        if (attribute >= 0) H5Aclose(attribute);
        H5Tclose(type);
        H5Sclose(space);
    }
    if (steps >= 0) H5Gclose(steps);
    H5Gclose(root);
    return r;
}

kai_result kai_vtkhdf_start(kai_vtkhdf* t, size_t last, kai_error* err)
{
    t->last = last;
    if (kai_h5_has(t->file, "VTKHDF")) KAI_TRY(vtkhdf_mark(t, err));
    // From here on only the datasets grow, in an order that readers can follow at any time.
    return H5Fflush(t->file, H5F_SCOPE_GLOBAL) < 0 || H5Fstart_swmr_write(t->file) < 0
               ? cannot_write(t, err)
               : KAI_OK;
}

// Rows -------------------------------------------------------------------------------------------

void kai_vtkhdf_integer(kai_vtkhdf* t, size_t i, int64_t value)
{
    kai_text_add_bytes(&t->sets[i].waiting, &value, sizeof value);
}

void kai_vtkhdf_reals(kai_vtkhdf* t, size_t i, const double* data, size_t count)
{
    if (t->sets[i].number == KAI_NUMBER_F64) {
        kai_text_add_bytes(&t->sets[i].waiting, data, count * sizeof *data);
        return;
    }
    float* to = (float*)(void*)kai_text_room(&t->sets[i].waiting, count * sizeof *to);
    for (size_t k = 0; to != NULL && k < count; k++) to[k] = (float)data[k];
}

void* kai_vtkhdf_room(kai_vtkhdf* t, size_t i, size_t rows)
{
    return kai_text_room(&t->sets[i].waiting, rows * t->sets[i].row_bytes);
}

// Appending --------------------------------------------------------------------------------------

// What waits becomes what is to be appended, once that of before is. An error of before is told
// here.
static kai_result hand_over(kai_vtkhdf* t, kai_error* err)
{
    kai_worker_wait(&t->worker);
    t->flushed = kai_clock_now();
    if (t->result != KAI_OK) {
        if (err != NULL) *err = t->error;
        return t->result;
    }
    for (size_t i = 0; i < t->set_count; i++) {
        const kai_text empty = t->sets[i].leaving;
        t->sets[i].leaving = t->sets[i].waiting;
        t->sets[i].waiting = empty;
    }
    return KAI_OK;
}

static bool vtkhdf_append(kai_vtkhdf_set* s)
{
    const int rank = rank_of(s->columns, s->depth);
    const hsize_t columns = s->columns > 1 ? s->columns : 1, depth = s->depth > 1 ? s->depth : 1;
    const hid_t type = kai_h5_native(s->number);
    const hsize_t count[3] = {s->leaving.size / s->row_bytes, columns, depth};
    if (count[0] == 0) return true;
    const hsize_t start[3] = {s->rows, 0, 0}, size[3] = {s->rows + count[0], columns, depth};
    bool good = H5Dset_extent(s->dataset, size) >= 0;
    const hid_t file_space = good ? H5Dget_space(s->dataset) : -1,
                memory = H5Screate_simple(rank, count, NULL);
    good = file_space >= 0 && memory >= 0 &&
           H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
           H5Dwrite(s->dataset, type, memory, file_space, H5P_DEFAULT, s->leaving.data) >= 0;
    if (file_space >= 0) H5Sclose(file_space);
    if (memory >= 0) H5Sclose(memory);
    if (!good) return false;
    s->rows = size[0];
    s->leaving.size = 0;
    return true;
}

// `settle`: the times of the frames, too, are in the file at the end; else they are once more
// frames come, which saves half of what HDF5 itself costs.
static kai_result append_all(kai_vtkhdf* t, bool settle, kai_error* err)
{
    uint64_t bytes = 2 * t->chunk_bytes + SPARE;
    for (size_t i = 0; i < t->set_count; i++) bytes += 2 * t->sets[i].leaving.size;
    KAI_TRY(vtkhdf_reserve(t, bytes, err));
    for (size_t i = 0; i < t->set_count; i++)
        if (i != t->last && t->sets[i].dataset >= 0 && !vtkhdf_append(&t->sets[i]))
            return cannot_write(t, err);
    // What a frame is made of is in the file before its time is.
    if (H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0 || !vtkhdf_append(&t->sets[t->last]))
        return cannot_write(t, err);
    t->settled = settle;
    return settle && H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0 ? cannot_write(t, err) : KAI_OK;
}

static kai_result append_now(kai_vtkhdf* t, bool settle, kai_error* err)
{
    if (t->sets[t->last].leaving.size == 0 && (t->settled || !settle)) return KAI_OK;
    KAI_TRY(kai_h5_room(t->path, err));
    kai_h5_begin();
    const kai_result r = append_all(t, settle, err);
    kai_h5_end();
    return r;
}

// The job of the thread.
static void append_leaving(void* context)
{
    kai_vtkhdf* t = context;
    t->result = append_now(t, false, &t->error);
}

kai_result kai_vtkhdf_flush(kai_vtkhdf* t, bool sync, kai_error* err)
{
    KAI_TRY(hand_over(t, err));
    t->result = append_now(t, true, &t->error);
    kai_result r = t->result;
    if (r != KAI_OK && err != NULL) *err = t->error;
    if (r == KAI_OK && sync && fsync(t->descriptor) != 0 && errno != EINVAL)
        r = kai_file_error(err, t->path, errno);
    return r;
}

kai_result kai_vtkhdf_push(kai_vtkhdf* t, kai_error* err)
{
    size_t waiting = 0;
    for (size_t i = 0; i < t->set_count; i++) {
        waiting += t->sets[i].waiting.size;
        if (t->sets[i].waiting.failed) return kai_file_no_memory(t->path, err);
    }
    if (waiting >= WAITING_MOST) {
        KAI_TRY(hand_over(t, err));
        kai_worker_run(&t->worker);
        return KAI_OK;
    }
    if (kai_clock_now() - t->flushed < WAIT_SECONDS) return KAI_OK;
    return kai_vtkhdf_flush(t, false, err);
}

// Closing ----------------------------------------------------------------------------------------

// How many frames there are, where ParaView looks for it. Not allowed while readers may follow.
static kai_result set_count(const kai_vtkhdf* t, int64_t frames, kai_error* err)
{
    const hid_t access = access_latest();
    const hid_t file = access < 0 ? -1 : H5Fopen(t->path, H5F_ACC_RDWR, access);
    if (access >= 0) H5Pclose(access);
    if (file < 0) return cannot_write(t, err);
    // Through its group: HDF5 1.10 does not find an attribute again that H5Aopen_by_name opened.
    const bool marked = kai_h5_has(file, "VTKHDF");
    const hid_t group = marked ? H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT) : -1;
    const hid_t attribute = group < 0 ? -1 : H5Aopen(group, "NSteps", H5P_DEFAULT);
    bool good = !marked || (attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &frames) >= 0);
    if (attribute >= 0) H5Aclose(attribute);
    if (group >= 0) H5Gclose(group);
    good = H5Fclose(file) >= 0 && good;
    return good ? KAI_OK : cannot_write(t, err);
}

// Closes the datasets and the file; false when HDF5 could not write what was left.
static bool close_sets(kai_vtkhdf* t)
{
    bool good = true;
    for (size_t i = 0; i < t->set_count; i++)
        if (t->sets[i].dataset >= 0) good = H5Dclose(t->sets[i].dataset) >= 0 && good;
    good = H5Fclose(t->file) >= 0 && good;
    t->file = -1;
    return good;
}

static kai_result close_file(kai_vtkhdf* t, kai_error* err)
{
    KAI_TRY(kai_h5_room(t->path, err));
    kai_h5_begin();
    const bool good = close_sets(t);
    const int64_t frames = t->set_count > 0 ? (int64_t)t->sets[t->last].rows : 0;
    const kai_result r = good ? set_count(t, frames, err) : cannot_write(t, err);
    kai_h5_end();
    vtkhdf_trim(t->path);
    return r;
}

static void free_memory(kai_vtkhdf* t)
{
    kai_worker_free(&t->worker);
    for (size_t i = 0; i < t->set_count; i++) {
        kai_text_free(&t->sets[i].waiting);
        kai_text_free(&t->sets[i].leaving);
        free(t->sets[i].path);
    }
    free(t->path);
    t->path = NULL;
}

// Packing ----------------------------------------------------------------------------------------

// Chunks fit in the cache of a megabyte that readers have by themselves.
enum { PACKED_BYTES = 1000000 };

// The dataset of `from` with its rows, in a chunk or several; `number` is the one of the new set.
static bool pack_set(const kai_vtkhdf_set* from, hid_t file, kai_vtkhdf* to, hsize_t most)
{
    kai_vtkhdf_set* s = &to->sets[to->set_count - 1];
    const hid_t set = H5Dopen2(file, from->path, H5P_DEFAULT);
    const hsize_t columns = from->columns > 1 ? from->columns : 1;
    const hsize_t depth = from->depth > 1 ? from->depth : 1;
    const kai_h5_set shape = {.rank = rank_of(from->columns, from->depth),
                              .rows = from->rows,
                              .columns = columns * depth,
                              .inner = depth,
                              .stored = from->rows};
    bool good = set >= 0;
    while (good && s->rows < from->rows) {
        const hsize_t left = from->rows - s->rows, count = left < most ? left : most;
        char* room = kai_text_room(&s->leaving, (size_t)count * s->row_bytes);
        good = room != NULL &&
               kai_h5_set_read(set, &shape, kai_h5_native(s->number), s->rows, count, room) &&
               vtkhdf_append(s);
    }
    if (set >= 0) H5Dclose(set);
    return good;
}

static kai_result pack_sets(const kai_vtkhdf* t, hid_t file, kai_vtkhdf* to, kai_error* err)
{
    for (size_t i = 0; i < t->set_count; i++) {
        const kai_vtkhdf_set* from = &t->sets[i];
        if (from->path == NULL) continue;
        const hsize_t most = PACKED_BYTES / from->row_bytes;
        const kai_vtkhdf_def def = {.path = from->path,
                                    .columns = from->columns,
                                    .depth = from->depth,
                                    .number = from->number,
                                    .chunk_rows = from->rows == 0     ? 1
                                                  : from->rows < most ? from->rows
                                                                      : most,
                                    .compression = t->pack};
        KAI_TRY(kai_vtkhdf_add(to, &def, err));
        if (!pack_set(from, file, to, def.chunk_rows)) return cannot_write(to, err);
    }
    KAI_TRY(vtkhdf_mark(to, err));
    const bool described = H5Lexists(file, "Kairos", H5P_DEFAULT) > 0;
    return !described || H5Ocopy(file, "Kairos", to->file, "Kairos", H5P_DEFAULT, H5P_DEFAULT) >= 0
               ? KAI_OK
               : cannot_write(to, err);
}

// A copy of the closed file beside it, with larger chunks that are deflated. There is room on the
// disk for all of it before it begins: HDF5 must not meet a full one.
static kai_result write_packed(const kai_vtkhdf* t, const char* aside, uint64_t bytes,
                               kai_error* err)
{
    kai_vtkhdf to = {.file = -1};
    kai_h5_begin();
    const hid_t file = H5Fopen(t->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    kai_result r = file < 0 ? cannot_write(t, err) : kai_vtkhdf_make(&to, aside, bytes, err);
    if (r == KAI_OK) r = pack_sets(t, file, &to, err);
    if (file >= 0) H5Fclose(file);
    if (to.file >= 0 && !close_sets(&to) && r == KAI_OK) r = cannot_write(&to, err);
    if (r == KAI_OK) r = set_count(&to, (int64_t)t->sets[t->last].rows, err);
    kai_h5_end();
    if (r == KAI_OK) vtkhdf_trim(aside);
    if (to.path != NULL) free_memory(&to);
    return r;
}

static void vtkhdf_pack(const kai_vtkhdf* t)
{
    struct stat info;
    char* aside = kai_file_aside(t->path);
    const bool known = aside != NULL && stat(t->path, &info) == 0;
    const uint64_t bytes = known ? (uint64_t)info.st_size + 2 * (uint64_t)PACKED_BYTES : 0;
    if (known && kai_h5_room(t->path, NULL) == KAI_OK &&
        (write_packed(t, aside, bytes, NULL) != KAI_OK || rename(aside, t->path) != 0))
        unlink(aside);
    free(aside);
}

kai_result kai_vtkhdf_close(kai_vtkhdf* t, bool discard, kai_error* err)
{
    kai_result r = KAI_OK;
    kai_worker_wait(&t->worker);
    if (t->file >= 0) {
        if (!discard) r = kai_vtkhdf_flush(t, false, err);
        const kai_result closed = close_file(t, r == KAI_OK ? err : NULL);
        if (r == KAI_OK) r = closed;
        if (r == KAI_OK && !discard && t->pack > 0) vtkhdf_pack(t);
    }
    free_memory(t);
    return r;
}

kai_result kai_vtkhdf_rename(kai_vtkhdf* t, const char* path, kai_error* err)
{
    kai_worker_wait(&t->worker);
    char* copy = strdup(path);
    if (copy == NULL) return kai_file_no_memory(path, err);
    if (rename(t->path, path) != 0) {
        free(copy);
        return kai_file_error(err, path, errno);
    }
    free(t->path);
    t->path = copy;
    return KAI_OK;
}
