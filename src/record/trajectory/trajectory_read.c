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

struct kai_trajectory_read {
    char* path;
    hid_t file;
    hid_t position, rotation, velocity, id; // velocity: -1 where the file has none
    hsize_t points, rotations, id_rows;     // rows of them; points: of velocities as well
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
    hid_t point, normal, gap, force; // force: -1 where the file has none
    hsize_t contacts;                // rows of each of them
    int64_t *first, *kept, *found;   // of each frame
    double* touches;                 // [10 * KAI_TRAJECTORY_CONTACTS]
    // Fields; -1: not in the file
    hid_t field[KAI_TRAJECTORY_FIELD_COUNT];
};

typedef kai_trajectory_read source;

static kai_result trajectory_read_malformed(kai_error* err, const char* path)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: cannot be read as a trajectory", path);
}

// Reads rows [start, start + count), which are there, of a dataset with `columns` columns.
static bool read_rows(hid_t set, hsize_t columns, hid_t type, hsize_t start, hsize_t count,
                      void* out)
{
    const kai_h5_set shape = {.rank = columns > 1 ? 2 : 1,
                              .rows = start + count,
                              .stored = start + count,
                              .columns = columns};
    return kai_h5_set_read(set, &shape, type, start, count, out);
}

// Opens a dataset of `columns` columns; `*rows` receives how many rows are stored.
static hid_t open_set(hid_t file, const char* path, hsize_t columns, hid_t type, hsize_t* rows)
{
    hid_t set;
    kai_h5_set shape;
    kai_h5_set_open(file, path, columns > 1 ? 2 : 1, columns, type, &set, &shape, NULL);
    *rows = shape.stored;
    return set;
}

// True for 64-bit numbers.
static bool has_doubles(hid_t set)
{
    const hid_t type = H5Dget_type(set);
    const bool doubles = type >= 0 && H5Tget_size(type) == sizeof(double);
    if (type >= 0) H5Tclose(type);
    return doubles;
}

// A whole list of numbers, in a new block.
static void* read_list(hid_t file, const char* path, hid_t type, size_t most, size_t* count)
{
    hsize_t rows = 0;
    const hid_t set = open_set(file, path, 1, type, &rows);
    if (set < 0) return NULL;
    if (rows > most) rows = most;
    void* data = calloc((size_t)rows + 1, 8);
    if (data != NULL && !read_rows(set, 1, type, 0, rows, data)) {
        free(data);
        data = NULL;
    }
    *count = (size_t)rows;
    H5Dclose(set);
    return data;
}

static size_t trajectory_read_least(size_t a, size_t b) { return a < b ? a : b; }

static bool open_contacts(source* s, size_t most)
{
    size_t a = 0, b = 0, c = 0;
    s->first = read_list(s->file, "Contacts/first", H5T_NATIVE_INT64, most, &a);
    s->kept = read_list(s->file, "Contacts/count", H5T_NATIVE_INT64, most, &b);
    s->found = read_list(s->file, "Contacts/found", H5T_NATIVE_INT64, most, &c);
    hsize_t points = 0, normals = 0, gaps = 0;
    s->point = open_set(s->file, "Contacts/points", 3, H5T_NATIVE_DOUBLE, &points);
    s->normal = open_set(s->file, "Contacts/normals", 3, H5T_NATIVE_DOUBLE, &normals);
    s->gap = open_set(s->file, "Contacts/gaps", 1, H5T_NATIVE_DOUBLE, &gaps);
    s->contacts = points < normals ? points : normals;
    if (gaps < s->contacts) s->contacts = gaps;
    if (kai_h5_has(s->file, "Contacts/forces")) {
        hsize_t forces = 0;
        s->force = open_set(s->file, "Contacts/forces", 3, H5T_NATIVE_DOUBLE, &forces);
        if (s->force < 0) return false;
        if (forces < s->contacts) s->contacts = forces;
    }
    s->touches = malloc(10 * KAI_TRAJECTORY_CONTACTS * sizeof *s->touches);
    s->frames =
        trajectory_read_least(s->frames, trajectory_read_least(a, trajectory_read_least(b, c)));
    return s->first && s->kept && s->found && s->point >= 0 && s->normal >= 0 && s->gap >= 0 &&
           s->touches;
}

// Fields have a row a point, as positions have.
static bool open_fields(source* s)
{
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++) {
        char path[128];
        hsize_t rows = 0;
        snprintf(path, sizeof path, "VTKHDF/PointData/%s", kai_trajectory_fields_word(f));
        if (!kai_h5_has(s->file, path)) continue;
        s->field[f] = open_set(s->file, path, 1, H5T_NATIVE_DOUBLE, &rows);
        if (s->field[f] < 0) return false;
        if (rows < s->points) s->points = rows;
    }
    return true;
}

static bool open_source(source* s, uint64_t wanted)
{
    const size_t most = wanted < (1u << 30) ? (size_t)wanted : 1u << 30;
    size_t times = 0, offsets = 0, turns = 0, ids = 0, parts = 0;
    s->times = read_list(s->file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, most, &times);
    s->offsets = read_list(s->file, "VTKHDF/Steps/PointOffsets", H5T_NATIVE_INT64, most, &offsets);
    s->turn_offsets = read_list(s->file, "VTKHDF/Steps/PointDataOffsets/rotation", H5T_NATIVE_INT64,
                                most, &turns);
    s->id_offsets =
        read_list(s->file, "VTKHDF/Steps/PointDataOffsets/id", H5T_NATIVE_INT64, most, &ids);
    s->parts = read_list(s->file, "VTKHDF/Steps/PartOffsets", H5T_NATIVE_INT64, most, &parts);
    s->sizes =
        read_list(s->file, "VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, 1u << 30, &s->part_count);
    hsize_t velocities = 0;
    s->position = open_set(s->file, "VTKHDF/Points", 3, H5T_NATIVE_DOUBLE, &s->points);
    s->rotation =
        open_set(s->file, "VTKHDF/PointData/rotation", 4, H5T_NATIVE_DOUBLE, &s->rotations);
    s->id = open_set(s->file, "VTKHDF/PointData/id", 1, H5T_NATIVE_UINT32, &s->id_rows);
    const bool moving = kai_h5_has(s->file, "VTKHDF/PointData/velocity");
    if (moving)
        s->velocity =
            open_set(s->file, "VTKHDF/PointData/velocity", 3, H5T_NATIVE_DOUBLE, &velocities);
    if (moving && velocities < s->points) s->points = velocities;
    s->frames =
        trajectory_read_least(times, trajectory_read_least(trajectory_read_least(offsets, parts),
                                                           trajectory_read_least(turns, ids)));
    s->near.doubles = s->position >= 0 && has_doubles(s->position);
    if (kai_h5_has(s->file, "Contacts") && !open_contacts(s, most)) return false;
    if (!open_fields(s)) return false;
    return s->times && s->offsets && s->turn_offsets && s->id_offsets && s->parts && s->sizes &&
           s->position >= 0 && s->rotation >= 0 && (!moving || s->velocity >= 0) && s->id >= 0;
}

static void close_sets(source* s)
{
    const hid_t sets[] = {s->position, s->rotation, s->velocity, s->id,
                          s->point,    s->normal,   s->gap,      s->force};
    for (size_t i = 0; i < KAI_COUNT(sets); i++)
        if (sets[i] >= 0) H5Dclose(sets[i]);
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++)
        if (s->field[f] >= 0) H5Dclose(s->field[f]);
    if (s->file >= 0) H5Fclose(s->file);
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
    s->position = s->rotation = s->velocity = s->id = -1;
    s->point = s->normal = s->gap = s->force = -1;
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++) s->field[f] = -1;
    s->near.turn_offset = s->near.id_offset = -1;
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    kai_result r = kai_h5_file_open(path, &s->file, err);
    if (r == KAI_OK && !open_source(s, most)) r = trajectory_read_malformed(err, path);
    kai_h5_end(&scope);
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
    const hsize_t from = (hsize_t)s->offsets[k];
    if (!read_rows(s->position, 3, H5T_NATIVE_DOUBLE, from, n, x) ||
        !read_rows(s->rotation, 4, H5T_NATIVE_DOUBLE, (hsize_t)s->turn_offsets[k], n, q) ||
        (s->velocity >= 0 && !read_rows(s->velocity, 3, H5T_NATIVE_DOUBLE, from, n, v)) ||
        !read_rows(s->id, 1, H5T_NATIVE_UINT32, (hsize_t)s->id_offsets[k], n, s->ids))
        return trajectory_read_malformed(err, s->path);
    *frame = (kai_trajectory_frame){.time = s->times[k],
                                    .count = n,
                                    .position = x,
                                    .rotation = q,
                                    .velocity = s->velocity >= 0 ? v : NULL,
                                    .id = s->ids};
    double* numbers = v + 3 * n;
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++, numbers += n) {
        if (s->field[f] < 0) continue;
        if (!read_rows(s->field[f], 1, H5T_NATIVE_DOUBLE, from, n, numbers))
            return trajectory_read_malformed(err, s->path);
        frame->fields[f] = numbers;
    }
    return KAI_OK;
}

bool kai_trajectory_read_moving(const kai_trajectory_read* s) { return s->velocity >= 0; }

// Fields -----------------------------------------------------------------------------------------

uint32_t kai_trajectory_read_fields(const kai_trajectory_read* s)
{
    uint32_t fields = 0;
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++)
        if (s->field[f] >= 0) fields |= UINT32_C(1) << f;
    return fields;
}

kai_result kai_trajectory_read_field(kai_trajectory_read* s, size_t k, size_t field, float* out,
                                     kai_error* err)
{
    size_t n;
    if (field >= KAI_TRAJECTORY_FIELD_COUNT || s->field[field] < 0 || !count_of(s, k, &n))
        return trajectory_read_malformed(err, s->path);
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const bool good =
        read_rows(s->field[field], 1, H5T_NATIVE_FLOAT, (hsize_t)s->offsets[k], n, out);
    kai_h5_end(&scope);
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
    if (read_rows(s->id, 1, H5T_NATIVE_UINT32, (hsize_t)p->id_offset, n, p->id)) return true;
    p->id_offset = -1;
    return false;
}

kai_result kai_trajectory_read_ids(kai_trajectory_read* s, size_t k, const uint32_t** id,
                                   size_t* count, kai_error* err)
{
    bool same;
    if (!count_of(s, k, count)) return trajectory_read_malformed(err, s->path);
    if (!make_places(&s->near, *count)) return kai_file_no_memory(s->path, err);
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const bool good = read_ids(s, k, *count, &same);
    kai_h5_end(&scope);
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
    bool good = read_rows(s->position, 3, type, (hsize_t)s->offsets[k], n, p->position);
    if (good && turned > 0 && (p->turn_offset != s->turn_offsets[k] || p->turn_count < turned)) {
        p->turn_offset = s->turn_offsets[k];
        p->turn_count = turned;
        good = read_rows(s->rotation, 4, type, (hsize_t)p->turn_offset, turned, p->rotation);
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
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const kai_result r = read_places(s, k, turned, out, err);
    kai_h5_end(&scope);
    return r;
}

// Contacts ---------------------------------------------------------------------------------------

bool kai_trajectory_read_touching(const kai_trajectory_read* s) { return s->touches != NULL; }

bool kai_trajectory_read_pushing(const kai_trajectory_read* s) { return s->force >= 0; }

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
    const hsize_t from = (hsize_t)s->first[k];
    double *x = s->touches, *normal = x + 3 * n, *gap = normal + 3 * n, *force = gap + n;
    if (!read_rows(s->point, 3, H5T_NATIVE_DOUBLE, from, n, x) ||
        !read_rows(s->normal, 3, H5T_NATIVE_DOUBLE, from, n, normal) ||
        !read_rows(s->gap, 1, H5T_NATIVE_DOUBLE, from, n, gap) ||
        (s->force >= 0 && !read_rows(s->force, 3, H5T_NATIVE_DOUBLE, from, n, force)))
        return trajectory_read_malformed(err, s->path);
    *out = (kai_trajectory_contacts){n,   (size_t)s->found[k],         x, normal,
                                     gap, s->force >= 0 ? force : NULL};
    return KAI_OK;
}

kai_result kai_trajectory_read_contacts(kai_trajectory_read* s, size_t k,
                                        kai_trajectory_contacts* contacts, kai_error* err)
{
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const kai_result r = read_contacts(s, k, contacts, err);
    kai_h5_end(&scope);
    return r;
}

kai_result kai_trajectory_read_frame(kai_trajectory_read* s, size_t k, kai_trajectory_frame* frame,
                                     kai_error* err)
{
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    kai_result r = read_frame(s, k, frame, err);
    if (r == KAI_OK) r = read_contacts(s, k, &frame->contacts, err);
    kai_h5_end(&scope);
    return r;
}

void kai_trajectory_read_close(kai_trajectory_read* s)
{
    if (s == NULL) return;
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    close_sets(s);
    kai_h5_end(&scope);
    free(s->times);
    free(s->offsets);
    free(s->turn_offsets);
    free(s->id_offsets);
    free(s->parts);
    free(s->sizes);
    free(s->numbers);
    free(s->ids);
    free(s->near.position);
    free(s->near.rotation);
    free(s->near.id);
    free(s->first);
    free(s->kept);
    free(s->found);
    free(s->touches);
    free(s->path);
    free(s);
}
