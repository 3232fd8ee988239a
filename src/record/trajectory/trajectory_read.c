// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/trajectory_read.h"

#include "record/file.h"
#include "record/h5_file.h"
#include "record/h5_set.h"
#include "record/trajectory/trajectory_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The newest frame in the precision of the file. Rotations and ids stay while frames share them.
typedef struct places {
    bool doubles;
    void *position, *rotation; // [capacity][3], [capacity][4]
    uint32_t* id;              // [capacity]
    size_t capacity;
    int64_t turn_offset, id_offset; // of the rows that are here; -1: none
    size_t turn_count, id_count;
} places;

// Datasets of rows.
enum {
    POSITION,
    ROTATION,
    VELOCITY, // may be absent, as may what follows the ids
    ID,
    POINT,
    NORMAL,
    GAP,
    FORCE,
    PAIR,
    FIELDS, // one of each field
    SETS = FIELDS + KAI_TRAJECTORY_FIELD_COUNT
};

struct kai_trajectory_read {
    char* path;
    hid_t file;
    hid_t sets[SETS]; // -1: not in the file
    kai_h5_set shapes[SETS];
    hsize_t points, rotations, id_rows, contacts; // least rows of those that go together
    double* times;
    int64_t* offsets;                   // row of each frame's first point
    int64_t *turn_offsets, *id_offsets; // the same of rotations and of ids, which frames share
    int64_t* parts;                     // each frame's row of sizes
    int64_t* sizes;                     // points of each part
    size_t frames, part_count;
    double* numbers; // [(10 + fields) * capacity]
    uint32_t* ids;   // [capacity]
    size_t capacity;
    places near; // what kai_trajectory_read_places gives
    // Contacts, where the file has them
    int64_t *first, *kept, *found; // of each frame
    double* touches;               // [10 * KAI_TRAJECTORY_CONTACTS]
    uint32_t* pairs;               // [2 * KAI_TRAJECTORY_CONTACTS]
};

typedef kai_trajectory_read source;

static kai_result trajectory_read_malformed(kai_error* err, const char* path)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: cannot be read as a trajectory", path);
}

// Reads rows [start, start + count) of a dataset.
static bool read_rows(const source* s, int set, hid_t type, int64_t start, size_t count, void* out)
{
    return kai_h5_set_read(s->sets[set], &s->shapes[set], type, (hsize_t)start, count, out);
}

static bool read_reals(const source* s, int set, int64_t start, size_t count, double* out)
{
    return read_rows(s, set, H5T_NATIVE_DOUBLE, start, count, out);
}

static bool has(const source* s, int set) { return s->sets[set] >= 0; }

// Opens a dataset of `columns` columns; `*rows` becomes what is stored of it, if that is less.
static bool open_set(source* s, int set, const char* path, hsize_t columns, hid_t type,
                     hsize_t* rows)
{
    kai_h5_set* shape = &s->shapes[set];
    kai_h5_set_open(s->file, path, columns > 1 ? 2 : 1, columns, type, &s->sets[set], shape, NULL);
    if (shape->stored < *rows) *rows = shape->stored;
    return has(s, set);
}

static bool open_reals(source* s, int set, const char* path, hsize_t columns, hsize_t* rows)
{
    return open_set(s, set, path, columns, H5T_NATIVE_DOUBLE, rows);
}

// True for 64-bit numbers.
static bool has_doubles(hid_t set)
{
    const hid_t type = H5Dget_type(set);
    const bool doubles = type >= 0 && H5Tget_size(type) == sizeof(double);
    if (type >= 0) H5Tclose(type);
    return doubles;
}

// A whole list of numbers of 8 bytes, of which at most `*count` are wanted, in a new block.
static void* read_list(hid_t file, const char* path, hid_t type, size_t* count)
{
    hid_t set;
    kai_h5_set shape;
    if (kai_h5_set_open(file, path, 1, 1, type, &set, &shape, NULL) != KAI_OK) return NULL;
    if (shape.stored < *count) *count = (size_t)shape.stored;
    void* data = calloc(*count + 1, 8);
    if (data != NULL && !kai_h5_set_read(set, &shape, type, 0, *count, data)) {
        free(data);
        data = NULL;
    }
    H5Dclose(set);
    return data;
}

// Numbers of each frame; as many frames as the shortest list has.
static const struct {
    const char* path;
    size_t place; // of the pointer
} LISTS[] = {
    {"VTKHDF/Steps/PointOffsets", offsetof(source, offsets)},
    {"VTKHDF/Steps/PointDataOffsets/rotation", offsetof(source, turn_offsets)},
    {"VTKHDF/Steps/PointDataOffsets/id", offsetof(source, id_offsets)},
    {"VTKHDF/Steps/PartOffsets", offsetof(source, parts)},
    {"Contacts/first", offsetof(source, first)}, // the last three: of contacts
    {"Contacts/count", offsetof(source, kept)},
    {"Contacts/found", offsetof(source, found)},
};

static int64_t** list_at(source* s, size_t i)
{
    return (int64_t**)(void*)((char*)s + LISTS[i].place);
}

static bool read_lists(source* s, bool contacts)
{
    for (size_t i = 0; i < KAI_COUNT(LISTS) - (contacts ? 0 : 3); i++) {
        *list_at(s, i) = read_list(s->file, LISTS[i].path, H5T_NATIVE_INT64, &s->frames);
        if (*list_at(s, i) == NULL) return false;
    }
    return true;
}

static size_t trajectory_read_least(size_t a, size_t b) { return a < b ? a : b; }

static bool open_contacts(source* s)
{
    s->touches = malloc(10 * KAI_TRAJECTORY_CONTACTS * sizeof *s->touches);
    s->pairs = malloc(2 * KAI_TRAJECTORY_CONTACTS * sizeof *s->pairs);
    return s->touches != NULL && s->pairs != NULL &&
           open_reals(s, POINT, "Contacts/points", 3, &s->contacts) &&
           open_reals(s, NORMAL, "Contacts/normals", 3, &s->contacts) &&
           open_reals(s, GAP, "Contacts/gaps", 1, &s->contacts) &&
           (!kai_h5_has(s->file, "Contacts/forces") ||
            open_reals(s, FORCE, "Contacts/forces", 3, &s->contacts)) &&
           (!kai_h5_has(s->file, "Contacts/bodies") ||
            open_set(s, PAIR, "Contacts/bodies", 2, H5T_NATIVE_UINT32, &s->contacts));
}

// What some files have beside positions, with as many rows.
static bool open_beside(source* s, int set, const char* name, hsize_t columns)
{
    char path[128];
    snprintf(path, sizeof path, "VTKHDF/PointData/%s", name);
    return !kai_h5_has(s->file, path) || open_reals(s, set, path, columns, &s->points);
}

static bool open_source(source* s, uint64_t wanted)
{
    const size_t most = (size_t)1 << 30;
    const bool contacts = kai_h5_has(s->file, "Contacts");
    s->frames = wanted < most ? (size_t)wanted : most;
    s->part_count = most;
    s->points = s->rotations = s->id_rows = s->contacts = UINT64_MAX;
    s->times = read_list(s->file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, &s->frames);
    s->sizes = read_list(s->file, "VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, &s->part_count);
    bool good = s->times != NULL && s->sizes != NULL && read_lists(s, contacts) &&
                open_reals(s, POSITION, "VTKHDF/Points", 3, &s->points) &&
                open_reals(s, ROTATION, "VTKHDF/PointData/rotation", 4, &s->rotations) &&
                open_set(s, ID, "VTKHDF/PointData/id", 1, H5T_NATIVE_UINT32, &s->id_rows) &&
                open_beside(s, VELOCITY, "velocity", 3) && (!contacts || open_contacts(s));
    for (size_t f = 0; good && f < KAI_TRAJECTORY_FIELD_COUNT; f++)
        good = open_beside(s, FIELDS + (int)f, kai_trajectory_fields_word(f), 1);
    s->near.doubles = good && has_doubles(s->sets[POSITION]);
    return good;
}

kai_result kai_trajectory_read_open(kai_trajectory_read** out, const char* path, uint64_t most,
                                    kai_error* err)
{
    *out = NULL;
    source* s = calloc(1, sizeof *s);
    char* copy = strdup(path);
    if (s == NULL || copy == NULL) {
        free(s);
        free(copy);
        return kai_file_no_memory(path, err);
    }
    s->path = copy;
    s->file = -1;
    for (int i = 0; i < SETS; i++) s->sets[i] = -1;
    s->near.turn_offset = s->near.id_offset = -1;
    kai_h5_begin();
    kai_result r = kai_h5_file_open(path, &s->file, err);
    if (r == KAI_OK && !open_source(s, most)) r = trajectory_read_malformed(err, path);
    kai_h5_end();
    if (r != KAI_OK) {
        kai_trajectory_read_close(s);
        return r;
    }
    *out = s;
    return KAI_OK;
}

size_t kai_trajectory_read_frames(const kai_trajectory_read* s) { return s->frames; }

const double* kai_trajectory_read_times(const kai_trajectory_read* s) { return s->times; }

int64_t kai_trajectory_read_file(const kai_trajectory_read* s) { return s->file; }

// Whether `count` rows from `start` on are there.
static bool trajectory_read_inside(int64_t start, size_t count, hsize_t rows)
{
    return start >= 0 && (uint64_t)start <= rows && count <= rows - (uint64_t)start;
}

// Points of frame k; false for one that is broken.
static bool count_of(const source* s, size_t k, size_t* count)
{
    *count = 0;
    if (k >= s->frames) return false;
    const int64_t part = s->parts[k];
    if (part < 0 || (uint64_t)part >= s->part_count || s->sizes[part] < 0) return false;
    const size_t n = (size_t)s->sizes[part];
    if (!trajectory_read_inside(s->offsets[k], n, s->points) ||
        !trajectory_read_inside(s->turn_offsets[k], n, s->rotations) ||
        !trajectory_read_inside(s->id_offsets[k], n, s->id_rows))
        return false;
    *count = n;
    return true;
}

size_t kai_trajectory_read_count(const kai_trajectory_read* s, size_t k)
{
    size_t count;
    return count_of(s, k, &count) ? count : 0;
}

static kai_result read_frame(source* s, size_t k, kai_trajectory_frame* frame, kai_error* err)
{
    size_t n;
    if (!count_of(s, k, &n)) return trajectory_read_malformed(err, s->path);
    if (n > s->capacity || s->numbers == NULL) {
        free(s->numbers);
        free(s->ids);
        s->numbers = malloc(((10 + KAI_TRAJECTORY_FIELD_COUNT) * n + 1) * sizeof *s->numbers);
        s->ids = malloc((n + 1) * sizeof *s->ids);
        s->capacity = n;
        if (s->numbers == NULL || s->ids == NULL) return kai_file_no_memory(s->path, err);
    }
    double *x = s->numbers, *q = x + 3 * n, *v = q + 4 * n;
    const int64_t from = s->offsets[k];
    if (!read_reals(s, POSITION, from, n, x) ||
        !read_reals(s, ROTATION, s->turn_offsets[k], n, q) ||
        (has(s, VELOCITY) && !read_reals(s, VELOCITY, from, n, v)) ||
        !read_rows(s, ID, H5T_NATIVE_UINT32, s->id_offsets[k], n, s->ids))
        return trajectory_read_malformed(err, s->path);
    *frame = (kai_trajectory_frame){.time = s->times[k],
                                    .count = n,
                                    .position = x,
                                    .rotation = q,
                                    .velocity = has(s, VELOCITY) ? v : NULL,
                                    .id = s->ids};
    double* numbers = v + 3 * n;
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++, numbers += n) {
        if (!has(s, FIELDS + (int)f)) continue;
        if (!read_reals(s, FIELDS + (int)f, from, n, numbers))
            return trajectory_read_malformed(err, s->path);
        frame->fields[f] = numbers;
    }
    return KAI_OK;
}

bool kai_trajectory_read_moving(const kai_trajectory_read* s) { return has(s, VELOCITY); }

// Fields -----------------------------------------------------------------------------------------

uint32_t kai_trajectory_read_fields(const kai_trajectory_read* s)
{
    uint32_t fields = 0;
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++)
        if (has(s, FIELDS + (int)f)) fields |= UINT32_C(1) << f;
    return fields;
}

kai_result kai_trajectory_read_field(kai_trajectory_read* s, size_t k, size_t field, float* out,
                                     kai_error* err)
{
    size_t n;
    if (field >= KAI_TRAJECTORY_FIELD_COUNT || !has(s, FIELDS + (int)field) || !count_of(s, k, &n))
        return trajectory_read_malformed(err, s->path);
    kai_h5_begin();
    const bool good = read_rows(s, FIELDS + (int)field, H5T_NATIVE_FLOAT, s->offsets[k], n, out);
    kai_h5_end();
    return good ? KAI_OK : trajectory_read_malformed(err, s->path);
}

// Places -----------------------------------------------------------------------------------------

static bool make_places(places* p, size_t n)
{
    if (n <= p->capacity && p->position != NULL) return true;
    free(p->position);
    free(p->rotation);
    free(p->id);
    p->position = malloc((3 * n + 1) * sizeof(double));
    p->rotation = malloc((4 * n + 1) * sizeof(double));
    p->id = malloc((n + 1) * sizeof *p->id);
    p->turn_offset = p->id_offset = -1;
    p->capacity = n;
    return p->position != NULL && p->rotation != NULL && p->id != NULL;
}

// The ids of frame k into `near`; `*same`: they are those that are there already.
static bool read_ids(source* s, size_t k, size_t n, bool* same)
{
    places* p = &s->near;
    *same = p->id_offset == s->id_offsets[k] && p->id_count == n;
    if (*same) return true;
    p->id_offset = s->id_offsets[k];
    p->id_count = n;
    if (read_rows(s, ID, H5T_NATIVE_UINT32, p->id_offset, n, p->id)) return true;
    p->id_offset = -1;
    return false;
}

kai_result kai_trajectory_read_ids(kai_trajectory_read* s, size_t k, const uint32_t** id,
                                   size_t* count, kai_error* err)
{
    bool same;
    if (!count_of(s, k, count)) return trajectory_read_malformed(err, s->path);
    if (!make_places(&s->near, *count)) return kai_file_no_memory(s->path, err);
    kai_h5_begin();
    const bool good = read_ids(s, k, *count, &same);
    kai_h5_end();
    *id = s->near.id;
    return good ? KAI_OK : trajectory_read_malformed(err, s->path);
}

static kai_result read_places(source* s, size_t k, size_t turned, kai_trajectory_places* out,
                              kai_error* err)
{
    size_t n;
    places* p = &s->near;
    const hid_t type = p->doubles ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    if (!count_of(s, k, &n)) return trajectory_read_malformed(err, s->path);
    if (!make_places(p, n)) return kai_file_no_memory(s->path, err);
    turned = trajectory_read_least(turned, n);
    bool good = read_rows(s, POSITION, type, s->offsets[k], n, p->position);
    if (good && turned > 0 && (p->turn_offset != s->turn_offsets[k] || p->turn_count < turned)) {
        p->turn_offset = s->turn_offsets[k];
        p->turn_count = turned;
        good = read_rows(s, ROTATION, type, p->turn_offset, turned, p->rotation);
    }
    bool same = false;
    good = good && read_ids(s, k, n, &same);
    if (!good) p->turn_offset = p->id_offset = -1;
    *out = (kai_trajectory_places){n, p->doubles, p->position, p->rotation, p->id, same};
    return good ? KAI_OK : trajectory_read_malformed(err, s->path);
}

kai_result kai_trajectory_read_places(kai_trajectory_read* s, size_t k, size_t turned,
                                      kai_trajectory_places* out, kai_error* err)
{
    kai_h5_begin();
    const kai_result r = read_places(s, k, turned, out, err);
    kai_h5_end();
    return r;
}

// Contacts ---------------------------------------------------------------------------------------

bool kai_trajectory_read_touching(const kai_trajectory_read* s) { return s->touches != NULL; }

bool kai_trajectory_read_pushing(const kai_trajectory_read* s) { return has(s, FORCE); }

bool kai_trajectory_read_pairing(const kai_trajectory_read* s) { return has(s, PAIR); }

// Whether the rows of a frame's contacts are there.
static bool is_sound(const source* s, size_t k)
{
    const int64_t first = s->first[k], kept = s->kept[k];
    return first >= 0 && kept >= 0 && kept <= KAI_TRAJECTORY_CONTACTS && s->found[k] >= kept &&
           (uint64_t)first <= s->contacts && (uint64_t)kept <= s->contacts - (uint64_t)first;
}

size_t kai_trajectory_read_contact_count(const kai_trajectory_read* s, size_t k)
{
    return s->touches != NULL && k < s->frames && is_sound(s, k) ? (size_t)s->kept[k] : 0;
}

static kai_result read_contacts(source* s, size_t k, kai_trajectory_contacts* out, kai_error* err)
{
    *out = (kai_trajectory_contacts){0};
    if (s->touches == NULL) return KAI_OK;
    if (k >= s->frames || !is_sound(s, k)) return trajectory_read_malformed(err, s->path);
    const size_t n = (size_t)s->kept[k];
    const int64_t from = s->first[k];
    double *x = s->touches, *normal = x + 3 * n, *gap = normal + 3 * n, *force = gap + n;
    if (!read_reals(s, POINT, from, n, x) || !read_reals(s, NORMAL, from, n, normal) ||
        !read_reals(s, GAP, from, n, gap) ||
        (has(s, FORCE) && !read_reals(s, FORCE, from, n, force)) ||
        (has(s, PAIR) && !read_rows(s, PAIR, H5T_NATIVE_UINT32, from, n, s->pairs)))
        return trajectory_read_malformed(err, s->path);
    *out = (kai_trajectory_contacts){n,
                                     (size_t)s->found[k],
                                     x,
                                     normal,
                                     gap,
                                     has(s, FORCE) ? force : NULL,
                                     has(s, PAIR) ? s->pairs : NULL};
    return KAI_OK;
}

kai_result kai_trajectory_read_contacts(kai_trajectory_read* s, size_t k,
                                        kai_trajectory_contacts* contacts, kai_error* err)
{
    kai_h5_begin();
    const kai_result r = read_contacts(s, k, contacts, err);
    kai_h5_end();
    return r;
}

kai_result kai_trajectory_read_frame(kai_trajectory_read* s, size_t k, kai_trajectory_frame* frame,
                                     kai_error* err)
{
    kai_h5_begin();
    kai_result r = read_frame(s, k, frame, err);
    if (r == KAI_OK) r = read_contacts(s, k, &frame->contacts, err);
    kai_h5_end();
    return r;
}

void kai_trajectory_read_close(kai_trajectory_read* s)
{
    if (s == NULL) return;
    kai_h5_begin();
    for (int i = 0; i < SETS; i++)
        if (s->sets[i] >= 0) H5Dclose(s->sets[i]);
    if (s->file >= 0) H5Fclose(s->file);
    kai_h5_end();
    for (size_t i = 0; i < KAI_COUNT(LISTS); i++) free(*list_at(s, i));
    free(s->times);
    free(s->sizes);
    free(s->numbers);
    free(s->ids);
    free(s->near.position);
    free(s->near.rotation);
    free(s->near.id);
    free(s->touches);
    free(s->pairs);
    free(s->path);
    free(s);
}
