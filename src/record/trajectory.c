// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A frame takes 12 bytes a body for positions, 16 for rotations, 12 for velocities where they are
// asked for; twice that in double precision. What repeats is written once: ids until bodies come or
// go, rotations until the first one changes, cells while the number of bodies stays.
//
// Frames are gathered in the precision of the file, and those of many bodies go to the file from
// where they were gathered: one chunk a dataset, past HDF5's cache. A copy less halves what a frame
// costs beside the system's own.
#include "record/trajectory.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/worker.h"
#include "model/world.h"
#include "record/file.h"
#include "record/h5.h"
#include "record/trajectory_contacts.h"
#include "record/trajectory_describe.h"
#include "record/trajectory_gather.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Every growing dataset: X(place, path, columns, number). REAL is F32 or F64 as the file was asked
// for.
#define REAL KAI_H5_F32
#define SETS(X)                                                                  \
    X(PART_POINTS, "VTKHDF/NumberOfPoints", 1, KAI_H5_I64)                       \
    X(PART_CELLS, "VTKHDF/NumberOfCells", 1, KAI_H5_I64)                         \
    X(PART_IDS, "VTKHDF/NumberOfConnectivityIds", 1, KAI_H5_I64)                 \
    X(CONNECTIVITY, "VTKHDF/Connectivity", 1, KAI_H5_I64)                        \
    X(OFFSETS, "VTKHDF/Offsets", 1, KAI_H5_I64)                                  \
    X(TYPES, "VTKHDF/Types", 1, KAI_H5_U8)                                       \
    X(POINTS, "VTKHDF/Points", 3, REAL)                                          \
    X(ROTATION, "VTKHDF/PointData/rotation", 4, REAL)                            \
    X(VELOCITY, "VTKHDF/PointData/velocity", 3, REAL)                            \
    X(ID, "VTKHDF/PointData/id", 1, KAI_H5_U32)                                  \
    X(CONTACT_POINTS, "Contacts/points", 3, REAL)                                \
    X(CONTACT_NORMALS, "Contacts/normals", 3, REAL)                              \
    X(CONTACT_GAPS, "Contacts/gaps", 1, REAL)                                    \
    X(CONTACT_FIRST, "Contacts/first", 1, KAI_H5_I64)                            \
    X(CONTACT_COUNT, "Contacts/count", 1, KAI_H5_I64)                            \
    X(CONTACT_FOUND, "Contacts/found", 1, KAI_H5_I64)                            \
    X(PART_OFFSETS, "VTKHDF/Steps/PartOffsets", 1, KAI_H5_I64)                   \
    X(PARTS, "VTKHDF/Steps/NumberOfParts", 1, KAI_H5_I64)                        \
    X(POINT_OFFSETS, "VTKHDF/Steps/PointOffsets", 1, KAI_H5_I64)                 \
    X(CELL_OFFSETS, "VTKHDF/Steps/CellOffsets", 0, KAI_H5_I64)                   \
    X(ID_OFFSETS, "VTKHDF/Steps/ConnectivityIdOffsets", 0, KAI_H5_I64)           \
    X(ROTATION_OFFSETS, "VTKHDF/Steps/PointDataOffsets/rotation", 1, KAI_H5_I64) \
    X(VELOCITY_OFFSETS, "VTKHDF/Steps/PointDataOffsets/velocity", 1, KAI_H5_I64) \
    X(ID_DATA_OFFSETS, "VTKHDF/Steps/PointDataOffsets/id", 1, KAI_H5_I64)        \
    X(VALUES, "VTKHDF/Steps/Values", 1, KAI_H5_F64) /* last: makes a frame whole */

enum {
#define SET_ENUM(place, path, columns, number) SET_##place,
    SETS(SET_ENUM)
#undef SET_ENUM
        SET_COUNT
};

static const struct {
    const char* path;
    unsigned columns; // 0: one column, but of two dimensions, as VTKHDF wants offsets of cells
    kai_h5_number number;
} SETS_TABLE[SET_COUNT] = {
#define SET_ROW(place, path, columns, number) {path, columns, number},
    SETS(SET_ROW)
#undef SET_ROW
};

// One dataset: where it stands, rows that wait, and rows that are being appended.
typedef struct set {
    hid_t dataset;
    hsize_t rows; // in the file
    size_t row_bytes;
    kai_text waiting, leaving; // bytes
} set;

// Rows that the next frames may share: `first` of the newest, and how many there are in all.
typedef struct shared {
    uint64_t first, rows;
} shared;

struct kai_trajectory {
    char* path;
    hid_t file;
    int descriptor;       // of the file, owned by HDF5
    uint64_t reserved;    // bytes of the file that have room on disk
    uint64_t chunk_bytes; // one chunk of every dataset
    bool doubles;
    int64_t compression;
    hsize_t chunk_rows; // of datasets with a row a point
    set sets[SET_COUNT];
    bool moving;                     // velocities are kept
    bool touching, told;             // contacts are kept; some were left out, and that was said
    uint64_t frames, points;         // added so far
    uint64_t contacts;               // the same
    int64_t parts, part_size, cells; // parts so far, size of the newest, cells before it
    double flushed;                  // when, by kai_clock_now
    bool turning;                    // a rotation has changed: each frame has its own
    shared rotation, id;             // rows that frames share
    kai_text still, ids;             // the newest of them
    kai_text slots;                  // of the bodies, in the order of rows: uint32_t
    uint64_t bodies_version;         // of the world that `ids` and `slots` are of
    kai_trajectory_contacts_list list;
    // Many bytes are appended by a thread of their own while the next steps are taken. It owns the
    // file, `reserved`, `rows` and `leaving` of the sets, and these three, until kai_worker_wait.
    kai_worker worker;
    bool settled;      // times of frames do not wait in HDF5's memory
    kai_result result; // of the first append that failed; nothing is appended after it
    kai_error error;
};

static void append_leaving(void* context);

enum {
    WAITING_MOST = 2 << 20, // bytes gathered before they are appended; in the cache until then
    SPARE = 1 << 18,        // room for HDF5's own bookkeeping
    STEP_ROWS = 256,        // rows of a chunk of datasets with a row a frame
    MANY = 4096,            // bodies from which on a frame is a chunk of its own
    CHUNK_ROWS = 1 << 18    // most rows of such a chunk
};
static const double WAIT_SECONDS = 0.5;

static kai_result no_memory(const char* path, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
}

static kai_result cannot_write(const kai_trajectory* t, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FILE, "%s: HDF5 could not write to it", t->path);
}

// Room on disk -----------------------------------------------------------------------------------

// Makes sure that the next `bytes` bytes HDF5 appends have room (see h5.h, rule 2).
static kai_result reserve(kai_trajectory* t, uint64_t bytes, kai_error* err)
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

// The same before there is a file: HDF5 must not even begin on a full disk.
static kai_result check_room(const char* path, uint64_t bytes, kai_error* err)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return kai_file_error(err, path, errno);
    const int why = posix_fallocate(descriptor, 0, (off_t)bytes);
    close(descriptor);
    if (why == 0) return KAI_OK;
    unlink(path);
    return kai_file_error(err, path, why);
}

// Cuts off the room that was not used. HDF5 keeps the end of its data at byte 28 of its header
// (superblock 2, 3).
static void trim(const char* path)
{
    unsigned char header[36];
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat info;
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

// Datasets with many rows a frame.
static bool is_per_point(int i) { return i >= SET_CONNECTIVITY && i <= SET_CONTACT_GAPS; }

static bool is_there(const kai_trajectory* t, int i)
{
    if (i == SET_VELOCITY || i == SET_VELOCITY_OFFSETS) return t->moving;
    return t->touching || i < SET_CONTACT_POINTS || i > SET_CONTACT_FOUND;
}

// Datasets whose rows go from where they were gathered straight to the file. A dataset with filters
// cannot: HDF5 needs its chunks in memory.
static bool is_direct(const kai_trajectory* t, int i)
{
    return is_per_point(i) && i < SET_CONTACT_POINTS && t->chunk_rows >= MANY &&
           t->compression == 0;
}

// Chunks of some frames for few bodies; of many, a frame is a whole number of chunks.
static hsize_t rows_of_chunk(size_t bodies)
{
    if (bodies < MANY / 16) return bodies < 16 ? 256 : 16 * bodies;
    if (bodies < MANY) return MANY - 1;
    const size_t pieces = (bodies + CHUNK_ROWS - 1) / CHUNK_ROWS;
    return (bodies + pieces - 1) / pieces;
}

static kai_h5_number number_of(const kai_trajectory* t, int i)
{
    return SETS_TABLE[i].number == REAL && t->doubles ? KAI_H5_F64 : SETS_TABLE[i].number;
}

static size_t columns_of(int i) { return SETS_TABLE[i].columns > 1 ? SETS_TABLE[i].columns : 1; }

static bool make_set(kai_trajectory* t, int i)
{
    const hid_t type = kai_h5_native(number_of(t, i));
    const int rank = SETS_TABLE[i].columns == 1 ? 1 : 2;
    const hsize_t now[2] = {0, columns_of(i)}, most[2] = {H5S_UNLIMITED, columns_of(i)};
    hsize_t chunk[2] = {is_per_point(i) ? t->chunk_rows : STEP_ROWS, columns_of(i)};
    if (i >= SET_CONTACT_POINTS && chunk[0] > MANY) chunk[0] = MANY;
    const hid_t space = H5Screate_simple(rank, now, most), access = H5Pcreate(H5P_DATASET_ACCESS);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    bool good = space >= 0 && layout >= 0 && links >= 0 && access >= 0 &&
                H5Pset_chunk(layout, rank, chunk) >= 0 &&
                H5Pset_create_intermediate_group(links, 1) >= 0;
    if (good && t->compression > 0 && is_per_point(i))
        good = H5Pset_shuffle(layout) >= 0 && H5Pset_deflate(layout, (unsigned)t->compression) >= 0;
    // No cache, and nothing to fill new chunks with: rows beyond the end are never read.
    if (good && is_direct(t, i))
        good = H5Pset_chunk_cache(access, 1, 0, 1.0) >= 0 &&
               H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER) >= 0;
    set* s = &t->sets[i];
    s->row_bytes = H5Tget_size(type) * columns_of(i);
    t->chunk_bytes += s->row_bytes * chunk[0];
    if (good)
        s->dataset = H5Dcreate2(t->file, SETS_TABLE[i].path, type, space, links, layout, access);
    if (space >= 0) H5Sclose(space);
    if (access >= 0) H5Pclose(access);
    if (layout >= 0) H5Pclose(layout);
    if (links >= 0) H5Pclose(links);
    return good && s->dataset >= 0;
}

// The attributes by which readers know the layout. NSteps is set when the file is closed.
static kai_result mark(kai_trajectory* t, kai_error* err)
{
    static const int64_t version[2] = {2, 0}, none = 0;
    hid_t root = -1, steps = -1;
    KAI_TRY(kai_h5_open_group(t->file, "VTKHDF", &root, err));
    kai_result r = kai_h5_open_group(root, "Steps", &steps, err);
    if (r == KAI_OK) r = kai_h5_write_attribute(root, "Version", KAI_H5_I64, 2, version, err);
    if (r == KAI_OK) r = kai_h5_write_attribute(steps, "NSteps", KAI_H5_I64, 1, &none, err);
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

static kai_result make_sets(kai_trajectory* t, const kai_world* world, const char* scene,
                            kai_error* err)
{
    void* handle = NULL;
    if (H5Fget_vfd_handle(t->file, H5P_DEFAULT, &handle) < 0) return cannot_write(t, err);
    t->descriptor = *(int*)handle;
    KAI_TRY(reserve(t, kai_trajectory_describe_size(world) + SPARE, err));
    for (int i = 0; i < SET_COUNT; i++)
        if (is_there(t, i) && !make_set(t, i)) return cannot_write(t, err);
    KAI_TRY(mark(t, err));
    KAI_TRY(kai_trajectory_describe(t->file, world, scene, err));
    // From here on only the datasets grow, in an order that readers can follow at any time.
    return H5Fflush(t->file, H5F_SCOPE_GLOBAL) < 0 || H5Fstart_swmr_write(t->file) < 0
               ? cannot_write(t, err)
               : KAI_OK;
}

static hid_t access_latest(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0)
        return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

static kai_result make_file(kai_trajectory* t, const kai_world* world, const char* scene,
                            kai_error* err)
{
    KAI_TRY(check_room(t->path, kai_trajectory_describe_size(world) + 2 * SPARE, err));
    const hid_t access = access_latest();
    if (access >= 0) t->file = H5Fcreate(t->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (access >= 0) H5Pclose(access);
    if (t->file < 0) return cannot_write(t, err);
    return make_sets(t, world, scene, err);
}

kai_result kai_trajectory_create(kai_trajectory** out, const char* path, const kai_world* world,
                                 const kai_trajectory_def* def, const char* scene, kai_error* err)
{
    kai_trajectory* t = calloc(1, sizeof *t);
    *out = NULL;
    if (t == NULL) return no_memory(path, err);
    t->file = -1;
    t->doubles = def->double_precision;
    t->compression = def->compression;
    t->moving = def->velocity == KAI_TRAJECTORY_VELOCITY_ALWAYS ||
                (def->velocity == KAI_TRAJECTORY_VELOCITY_AUTO &&
                 kai_body_count(world) <= KAI_TRAJECTORY_VELOCITY_BODIES);
    t->touching = world->collision_detect || world->contact_def.method != KAI_CONTACT_NONE;
    t->part_size = -1;
    t->settled = true;
    t->bodies_version = UINT64_MAX;
    t->flushed = kai_clock_now();
    t->chunk_rows = rows_of_chunk(kai_body_count(world));
    for (int i = 0; i < SET_COUNT; i++) t->sets[i].dataset = -1;
    t->path = strdup(path);
    if (t->path == NULL) {
        free(t);
        return no_memory(path, err);
    }
    kai_worker_init(&t->worker, append_leaving, t);
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const kai_result r = make_file(t, world, scene, err);
    kai_h5_end(&scope);
    if (r == KAI_OK)
        *out = t;
    else
        kai_trajectory_close(t, true, NULL);
    return r;
}

// Frames -----------------------------------------------------------------------------------------

static void add_integer(kai_trajectory* t, int i, int64_t value)
{
    kai_text_add_bytes(&t->sets[i].waiting, (const char*)&value, sizeof value);
}

static void add_reals(kai_trajectory* t, int i, const double* data, size_t count)
{
    if (t->doubles) {
        kai_text_add_bytes(&t->sets[i].waiting, (const char*)data, count * sizeof *data);
        return;
    }
    float* to = (float*)(void*)kai_text_room(&t->sets[i].waiting, count * sizeof *to);
    for (size_t k = 0; to != NULL && k < count; k++) to[k] = (float)data[k];
}

// A new part: `count` vertices, each the cell of one point.
static void add_part(kai_trajectory* t, size_t count)
{
    static const unsigned char vertex = 1; // VTK_VERTEX
    if (t->part_size > 0) t->cells += t->part_size;
    t->part_size = (int64_t)count;
    t->parts++;
    add_integer(t, SET_PART_POINTS, t->part_size);
    add_integer(t, SET_PART_CELLS, t->part_size);
    add_integer(t, SET_PART_IDS, t->part_size);
    add_integer(t, SET_OFFSETS, 0);
    for (int64_t i = 0; i < t->part_size; i++) {
        add_integer(t, SET_CONNECTIVITY, i);
        add_integer(t, SET_OFFSETS, i + 1);
        kai_text_add_bytes(&t->sets[SET_TYPES].waiting, (const char*)&vertex, 1);
    }
}

// What waits becomes what is to be appended, once that of before is. An error of before is told
// here.
static kai_result hand_over(kai_trajectory* t, kai_error* err)
{
    kai_worker_wait(&t->worker);
    t->flushed = kai_clock_now();
    if (t->result != KAI_OK) {
        if (err != NULL) *err = t->error;
        return t->result;
    }
    for (int i = 0; i < SET_COUNT; i++) {
        const kai_text empty = t->sets[i].leaving;
        t->sets[i].leaving = t->sets[i].waiting;
        t->sets[i].waiting = empty;
    }
    return KAI_OK;
}

static kai_result flush_when_due(kai_trajectory* t, kai_error* err)
{
    size_t waiting = 0;
    for (int i = 0; i < SET_COUNT; i++) {
        waiting += t->sets[i].waiting.size;
        if (t->sets[i].waiting.failed) return no_memory(t->path, err);
    }
    if (waiting >= WAITING_MOST) {
        KAI_TRY(hand_over(t, err));
        kai_worker_run(&t->worker);
        return KAI_OK;
    }
    if (kai_clock_now() - t->flushed < WAIT_SECONDS) return KAI_OK;
    return kai_trajectory_flush(t, false, err);
}

static void add_contacts(kai_trajectory* t, const kai_trajectory_contacts* c)
{
    if (c->count > 0) {
        add_reals(t, SET_CONTACT_POINTS, c->point, 3 * c->count);
        add_reals(t, SET_CONTACT_NORMALS, c->normal, 3 * c->count);
        add_reals(t, SET_CONTACT_GAPS, c->gap, c->count);
    }
    add_integer(t, SET_CONTACT_FIRST, (int64_t)t->contacts);
    add_integer(t, SET_CONTACT_COUNT, (int64_t)c->count);
    add_integer(t, SET_CONTACT_FOUND, (int64_t)c->found);
    t->contacts += c->count;
}

// The rows of `count` bodies that were added to a dataset last become those that frames share.
static void share(kai_trajectory* t, int i, shared* rows, kai_text* copy, size_t count)
{
    const set* s = &t->sets[i];
    rows->first = rows->rows;
    rows->rows += count;
    copy->size = 0;
    if (s->waiting.failed) return;
    const size_t bytes = count * s->row_bytes;
    kai_text_add_bytes(copy, s->waiting.data + s->waiting.size - bytes, bytes);
}

// Whether the rows that were added last are the shared ones; then they are taken back.
static bool repeats(kai_trajectory* t, int i, const kai_text* copy, size_t count)
{
    set* s = &t->sets[i];
    const size_t bytes = count * s->row_bytes;
    if (s->waiting.failed || copy->failed || t->part_size != (int64_t)count ||
        copy->size != bytes || t->frames == 0)
        return false;
    if (bytes > 0 && memcmp(copy->data, s->waiting.data + s->waiting.size - bytes, bytes) != 0)
        return false;
    s->waiting.size -= bytes;
    return true;
}

// The rotations of a frame have been added: are they the same as before?
static void note_rotations(kai_trajectory* t, size_t count)
{
    if (!t->turning && repeats(t, SET_ROTATION, &t->still, count)) return;
    t->turning = t->turning || t->frames > 0;
    if (!t->turning) {
        share(t, SET_ROTATION, &t->rotation, &t->still, count);
        return;
    }
    kai_text_free(&t->still);
    t->rotation.first = t->rotation.rows;
    t->rotation.rows += count;
}

static void note_ids(kai_trajectory* t, size_t count)
{
    if (!repeats(t, SET_ID, &t->ids, count)) share(t, SET_ID, &t->id, &t->ids, count);
}

// All of a frame but what it is about.
static kai_result add_frame(kai_trajectory* t, double time, size_t n,
                            const kai_trajectory_contacts* contacts, kai_error* err)
{
    if (t->part_size != (int64_t)n) add_part(t, n);
    if (t->touching) add_contacts(t, contacts);
    add_integer(t, SET_PART_OFFSETS, t->parts - 1);
    add_integer(t, SET_PARTS, 1);
    add_integer(t, SET_CELL_OFFSETS, t->cells);
    add_integer(t, SET_ID_OFFSETS, t->cells);
    add_integer(t, SET_POINT_OFFSETS, (int64_t)t->points);
    if (t->moving) add_integer(t, SET_VELOCITY_OFFSETS, (int64_t)t->points);
    add_integer(t, SET_ROTATION_OFFSETS, (int64_t)t->rotation.first);
    add_integer(t, SET_ID_DATA_OFFSETS, (int64_t)t->id.first);
    kai_text_add_bytes(&t->sets[SET_VALUES].waiting, (const char*)&time, sizeof time);
    t->points += n;
    t->frames++;
    return flush_when_due(t, err);
}

// A file that lacks velocities has none to copy.
static void add_velocities(kai_trajectory* t, const double* velocity, size_t count)
{
    static const double unknown[3] = {(double)NAN, (double)NAN, (double)NAN};
    if (velocity != NULL) add_reals(t, SET_VELOCITY, velocity, 3 * count);
    for (size_t i = 0; velocity == NULL && i < count; i++) add_reals(t, SET_VELOCITY, unknown, 3);
}

kai_result kai_trajectory_add(kai_trajectory* t, const kai_trajectory_frame* frame, kai_error* err)
{
    const size_t n = frame->count;
    add_reals(t, SET_POINTS, frame->position, 3 * n);
    add_reals(t, SET_ROTATION, frame->rotation, 4 * n);
    note_rotations(t, n);
    if (t->moving) add_velocities(t, frame->velocity, n);
    kai_text_add_bytes(&t->sets[SET_ID].waiting, (const char*)frame->id, n * sizeof *frame->id);
    note_ids(t, n);
    return add_frame(t, frame->time, n, &frame->contacts, err);
}

static kai_result gather_contacts(kai_trajectory* t, const kai_world* world,
                                  kai_trajectory_contacts* out, kai_error* err)
{
    KAI_TRY(kai_trajectory_contacts_gather(&t->list, world, out, err));
    if (out->count < out->found && !t->told) {
        t->told = true;
        kai_world_log(world, KAI_LOG_WARNING,
                      "trajectory.h5 keeps %d of %zu contacts of a frame, evenly spread",
                      KAI_TRAJECTORY_CONTACTS, out->found);
    }
    return KAI_OK;
}

// Positions, rotations and velocities. Rotations that nobody has seen change are only compared.
static kai_result gather_motion(kai_trajectory* t, const kai_world* world, kai_error* err)
{
    const size_t n = kai_body_count(world);
    kai_trajectory_gather g = {.doubles = t->doubles,
                               .slot = (const uint32_t*)(void*)t->slots.data};
    const bool compare = !t->turning && t->frames > 0 && t->part_size == (int64_t)n && n > 0;
    g.position = kai_text_room(&t->sets[SET_POINTS].waiting, n * t->sets[SET_POINTS].row_bytes);
    if (t->moving)
        g.velocity =
            kai_text_room(&t->sets[SET_VELOCITY].waiting, n * t->sets[SET_VELOCITY].row_bytes);
    if (compare)
        g.still = t->still.data;
    else
        g.rotation =
            kai_text_room(&t->sets[SET_ROTATION].waiting, n * t->sets[SET_ROTATION].row_bytes);
    if (g.position == NULL || (t->moving && g.velocity == NULL) ||
        (g.rotation == NULL && g.still == NULL))
        return no_memory(t->path, err);
    const bool turned = kai_trajectory_gather_world(&g, world);
    if (compare && !turned) return KAI_OK;
    if (compare) {
        g = (kai_trajectory_gather){.doubles = t->doubles, .slot = g.slot};
        g.rotation =
            kai_text_room(&t->sets[SET_ROTATION].waiting, n * t->sets[SET_ROTATION].row_bytes);
        if (g.rotation == NULL) return no_memory(t->path, err);
        kai_trajectory_gather_world(&g, world);
    }
    note_rotations(t, n);
    return KAI_OK;
}

static kai_result gather_ids(kai_trajectory* t, const kai_world* world, kai_error* err)
{
    const size_t n = kai_body_count(world);
    if (t->frames > 0 && t->bodies_version == world->bodies_version && t->part_size == (int64_t)n)
        return KAI_OK;
    t->bodies_version = world->bodies_version;
    t->slots.size = 0;
    char* slots = kai_text_room(&t->slots, n * sizeof(uint32_t));
    char* id = kai_text_room(&t->sets[SET_ID].waiting, n * sizeof(uint32_t));
    if (slots == NULL || id == NULL) return no_memory(t->path, err);
    kai_bodies_list(&world->bodies, (uint32_t*)(void*)slots);
    kai_trajectory_gather_ids(world, (const uint32_t*)(void*)slots, (uint32_t*)(void*)id);
    note_ids(t, n);
    return KAI_OK;
}

kai_result kai_trajectory_add_world(kai_trajectory* t, const kai_world* world, kai_error* err)
{
    kai_trajectory_contacts contacts = {0};
    KAI_TRY(gather_ids(t, world, err));
    KAI_TRY(gather_motion(t, world, err));
    if (t->touching) KAI_TRY(gather_contacts(t, world, &contacts, err));
    return add_frame(t, kai_world_time(world), kai_body_count(world), &contacts, err);
}

uint64_t kai_trajectory_frames(const kai_trajectory* t) { return t->frames; }

// Appending --------------------------------------------------------------------------------------

static bool append(set* s, int rank, size_t columns, hid_t type)
{
    const hsize_t count[2] = {s->leaving.size / s->row_bytes, columns};
    if (count[0] == 0) return true;
    const hsize_t start[2] = {s->rows, 0}, size[2] = {s->rows + count[0], columns};
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
static kai_result append_all(kai_trajectory* t, bool settle, kai_error* err)
{
    uint64_t bytes = 2 * t->chunk_bytes + SPARE;
    for (int i = 0; i < SET_COUNT; i++) bytes += 2 * t->sets[i].leaving.size;
    KAI_TRY(reserve(t, bytes, err));
    for (int i = 0; i < SET_COUNT; i++) {
        // What a frame is made of is in the file before its time is.
        if (i == SET_VALUES && H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0) return cannot_write(t, err);
        const int rank = SETS_TABLE[i].columns == 1 ? 1 : 2;
        if (is_there(t, i) &&
            !append(&t->sets[i], rank, columns_of(i), kai_h5_native(number_of(t, i))))
            return cannot_write(t, err);
    }
    t->settled = settle;
    return settle && H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0 ? cannot_write(t, err) : KAI_OK;
}

static kai_result append_now(kai_trajectory* t, bool settle, kai_error* err)
{
    if (t->sets[SET_VALUES].leaving.size == 0 && (t->settled || !settle)) return KAI_OK;
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const kai_result r = append_all(t, settle, err);
    kai_h5_end(&scope);
    return r;
}

// The job of the thread.
static void append_leaving(void* context)
{
    kai_trajectory* t = context;
    t->result = append_now(t, false, &t->error);
}

kai_result kai_trajectory_flush(kai_trajectory* t, bool sync, kai_error* err)
{
    KAI_TRY(hand_over(t, err));
    t->result = append_now(t, true, &t->error);
    kai_result r = t->result;
    if (r != KAI_OK && err != NULL) *err = t->error;
    if (r == KAI_OK && sync && fsync(t->descriptor) != 0 && errno != EINVAL)
        r = kai_file_error(err, t->path, errno);
    return r;
}

// Closing ----------------------------------------------------------------------------------------

// How many frames there are, where ParaView looks for it. Not allowed while readers may follow.
static kai_result set_count(const kai_trajectory* t, int64_t frames, kai_error* err)
{
    const hid_t access = access_latest();
    const hid_t file = access < 0 ? -1 : H5Fopen(t->path, H5F_ACC_RDWR, access);
    if (access >= 0) H5Pclose(access);
    if (file < 0) return cannot_write(t, err);
    // Through its group: HDF5 1.10 does not find an attribute again that H5Aopen_by_name opened.
    const hid_t group = H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT);
    const hid_t attribute = group < 0 ? -1 : H5Aopen(group, "NSteps", H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &frames) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (group >= 0) H5Gclose(group);
    good = H5Fclose(file) >= 0 && good;
    return good ? KAI_OK : cannot_write(t, err);
}

static kai_result close_file(kai_trajectory* t, kai_error* err)
{
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    bool good = true;
    for (int i = 0; i < SET_COUNT; i++)
        if (t->sets[i].dataset >= 0) good = H5Dclose(t->sets[i].dataset) >= 0 && good;
    good = H5Fclose(t->file) >= 0 && good;
    kai_result r =
        good ? set_count(t, (int64_t)t->sets[SET_VALUES].rows, err) : cannot_write(t, err);
    kai_h5_end(&scope);
    trim(t->path);
    return r;
}

kai_result kai_trajectory_close(kai_trajectory* t, bool discard, kai_error* err)
{
    if (t == NULL) return KAI_OK;
    kai_result r = KAI_OK;
    kai_worker_wait(&t->worker);
    if (t->file >= 0) {
        if (!discard) r = kai_trajectory_flush(t, false, err);
        const kai_result closed = close_file(t, r == KAI_OK ? err : NULL);
        if (r == KAI_OK) r = closed;
    }
    kai_worker_free(&t->worker);
    for (int i = 0; i < SET_COUNT; i++) {
        kai_text_free(&t->sets[i].waiting);
        kai_text_free(&t->sets[i].leaving);
    }
    kai_trajectory_contacts_free(&t->list);
    kai_text_free(&t->still);
    kai_text_free(&t->ids);
    kai_text_free(&t->slots);
    free(t->path);
    free(t);
    return r;
}

kai_result kai_trajectory_rename(kai_trajectory* t, const char* path, kai_error* err)
{
    kai_worker_wait(&t->worker);
    char* copy = strdup(path);
    if (copy == NULL) return no_memory(path, err);
    if (rename(t->path, path) != 0) {
        free(copy);
        return kai_file_error(err, path, errno);
    }
    free(t->path);
    t->path = copy;
    return KAI_OK;
}
