// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A frame takes 12 bytes per body for positions, 16 for rotations, 12 for velocities where they are
// asked for, 4 for each field; twice that in double precision. What repeats is written once: ids
// until bodies come or go, rotations until the first one changes, cells while the number of bodies
// stays. Digits that nobody looks at are noise to deflate: in files that are packed, rotations of
// single precision are rounded to 2⁻¹⁸ and contacts to 1 part in 4,000, points to 1 in 260,000.
//
// Frames of many bodies go to the file from where they were gathered: one chunk a dataset, past
// HDF5's cache. A copy less halves what a frame costs beside the system's own.
#include "record/trajectory/trajectory.h"

#include "model/world.h"
#include "record/file.h"
#include "record/trajectory/trajectory_contacts.h"
#include "record/trajectory/trajectory_describe.h"
#include "record/trajectory/trajectory_fields.h"
#include "record/trajectory/trajectory_gather.h"
#include "record/trajectory/trajectory_read.h"
#include "record/trajectory/vtkhdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Every growing dataset. REAL is F32 or F64 as the file was asked for.
#define KAI_NUMBER_REAL KAI_NUMBER_F32
#define SETS(X)                                                           \
    KAI_VTKHDF_PARTS(X)                                                   \
    X(POINTS, "VTKHDF/Points", 3, REAL)                                   \
    X(ROTATION, "VTKHDF/PointData/rotation", 4, REAL)                     \
    X(VELOCITY, "VTKHDF/PointData/velocity", 3, REAL)                     \
    X(ID, "VTKHDF/PointData/id", 1, U32)                                  \
    X(CONTACT_POINTS, "Contacts/points", 3, REAL)                         \
    X(CONTACT_NORMALS, "Contacts/normals", 3, REAL)                       \
    X(CONTACT_FORCES, "Contacts/forces", 3, REAL)                         \
    X(CONTACT_BODIES, "Contacts/bodies", 2, U32)                          \
    X(CONTACT_GAPS, "Contacts/gaps", 1, REAL)                             \
    X(CONTACT_FIRST, "Contacts/first", 1, I64)                            \
    X(CONTACT_COUNT, "Contacts/count", 1, I64)                            \
    X(CONTACT_FOUND, "Contacts/found", 1, I64)                            \
    KAI_VTKHDF_STEPS(X)                                                   \
    X(ROTATION_OFFSETS, "VTKHDF/Steps/PointDataOffsets/rotation", 1, I64) \
    X(VELOCITY_OFFSETS, "VTKHDF/Steps/PointDataOffsets/velocity", 1, I64) \
    X(ID_DATA_OFFSETS, "VTKHDF/Steps/PointDataOffsets/id", 1, I64)        \
    X(VALUES, "VTKHDF/Steps/Values", 1, F64)

enum {
    SETS(KAI_VTKHDF_PLACE) SET_COUNT,
    SET_FIELDS = SET_COUNT // then two of each field: its numbers, and its offsets
};

static const kai_vtkhdf_def TABLE[SET_COUNT] = {SETS(KAI_VTKHDF_DEF)};

// Rows that the next frames may share: `first` of the newest, and how many there are in all.
typedef struct shared {
    uint64_t first, rows;
} shared;

struct kai_trajectory {
    kai_vtkhdf vtk;
    bool doubles;
    int64_t compression;             // of chunks that are whole frames
    bool rounds;                     // numbers lose digits that nobody looks at
    hsize_t chunk_rows;              // of datasets with a row a point
    bool moving;                     // velocities are kept
    bool touching;                   // contacts are kept
    bool pushing;                    // … with forces
    bool told;                       // some contacts were left out, and that was said
    uint32_t fields;                 // bits of those that are kept
    uint64_t frames, points;         // added so far
    uint64_t contacts;               // the same
    int64_t parts, part_size, cells; // parts so far, size of the newest, cells before it
    bool turning;                    // a rotation has changed: each frame has its own
    shared rotation, id;             // rows that frames share
    kai_text still, ids;             // the newest of them
    kai_text slots;                  // of the bodies, in the order of rows: uint32_t
    bool straight;                   // these are 0, 1, 2 …
    bool alike;                      // all rotations of `still` are equal
    uint64_t bodies_version;         // of the world that `ids` and `slots` are of
    kai_trajectory_contacts_list list;
    kai_trajectory_fields scratch;
};

// Making a file ----------------------------------------------------------------------------------

// Datasets with many rows per frame.
static bool is_per_point(int i) { return i >= SET_CONNECTIVITY && i <= SET_CONTACT_GAPS; }

static bool is_there(const kai_trajectory* t, int i)
{
    if (i == SET_VELOCITY || i == SET_VELOCITY_OFFSETS) return t->moving;
    if (i == SET_CONTACT_FORCES) return t->pushing;
    return t->touching || i < SET_CONTACT_POINTS || i > SET_CONTACT_FOUND;
}

static kai_number real_of(const kai_trajectory* t)
{
    return t->doubles ? KAI_NUMBER_F64 : KAI_NUMBER_F32;
}

static kai_result make_set(kai_trajectory* t, int i, kai_error* err)
{
    const bool contact = i >= SET_CONTACT_POINTS && i <= SET_CONTACT_GAPS;
    const bool many = t->chunk_rows >= KAI_VTKHDF_MANY;
    kai_vtkhdf_def def = TABLE[i];
    if (!is_there(t, i)) def.path = NULL;
    if (def.number == KAI_NUMBER_REAL) def.number = real_of(t);
    def.chunk_rows = KAI_VTKHDF_STEP_ROWS;
    if (is_per_point(i)) {
        def.chunk_rows = contact && many ? KAI_VTKHDF_MANY : t->chunk_rows;
        def.compression = t->compression;
        def.direct = many && !contact;
    }
    return kai_vtkhdf_add(&t->vtk, &def, err);
}

// The numbers of a field, and where those of each frame begin.
static kai_result make_field(kai_trajectory* t, size_t f, kai_error* err)
{
    const kai_vtkhdf_def numbers = {.columns = 1,
                                    .number = real_of(t),
                                    .chunk_rows = t->chunk_rows,
                                    .compression = t->compression,
                                    .direct = t->chunk_rows >= KAI_VTKHDF_MANY};
    return kai_vtkhdf_add_field(&t->vtk, kai_trajectory_fields_word(f), t->fields >> f & 1,
                                &numbers, err);
}

static kai_result make_file(kai_trajectory* t, const char* path, const kai_world* world,
                            const char* scene, kai_error* err)
{
    KAI_TRY(kai_vtkhdf_make(&t->vtk, path, kai_trajectory_describe_size(world), err));
    for (int i = 0; i < SET_COUNT; i++) KAI_TRY(make_set(t, i, err));
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++) KAI_TRY(make_field(t, f, err));
    KAI_TRY(kai_trajectory_describe(t->vtk.file, world, scene, err));
    return kai_vtkhdf_start(&t->vtk, SET_VALUES, err);
}

// Whether frames have contacts.
static bool keeps_contacts(const kai_world* world, const kai_trajectory_def* def)
{
    const bool pushing = world->contact_def.method != KAI_CONTACT_NONE;
    if (!pushing && !world->collision_detect) return false;
    if (def->contacts != KAI_TRAJECTORY_TOUCH_AUTO)
        return def->contacts == KAI_TRAJECTORY_TOUCH_ALWAYS;
    return !pushing || world->bodies.count + world->nodes.count <= KAI_TRAJECTORY_TOUCH_BODIES;
}

kai_result kai_trajectory_create(kai_trajectory** out, const char* path, const kai_world* world,
                                 const kai_trajectory_def* def, const char* scene, kai_error* err)
{
    *out = NULL;
    KAI_TRY(kai_h5_room(path, err));
    kai_trajectory* t = calloc(1, sizeof *t);
    if (t == NULL) return kai_file_no_memory(path, err);
    t->doubles = def->double_precision;
    const size_t rows = kai_body_count(world);
    const int64_t level = kai_vtkhdf_level(def->compression, rows);
    t->compression = rows > KAI_VTKHDF_LATER ? level : 0;
    t->rounds = level > 0 && !t->doubles;
    t->fields = def->fields;
    t->moving =
        def->velocity == KAI_TRAJECTORY_VELOCITY_ALWAYS ||
        (def->velocity == KAI_TRAJECTORY_VELOCITY_AUTO && rows <= KAI_TRAJECTORY_VELOCITY_BODIES);
    t->pushing = world->contact_def.method != KAI_CONTACT_NONE;
    t->touching = keeps_contacts(world, def);
    t->pushing = t->pushing && t->touching;
    t->part_size = -1;
    t->bodies_version = UINT64_MAX;
    t->chunk_rows = kai_vtkhdf_chunk_rows(rows);
    kai_h5_begin();
    const kai_result r = make_file(t, path, world, scene, err);
    kai_h5_end();
    t->vtk.pack = t->compression == 0 ? level : 0;
    if (r == KAI_OK)
        *out = t;
    else
        kai_trajectory_close(t, true, NULL);
    return r;
}

// Frames -----------------------------------------------------------------------------------------

// A new part: `count` vertices, each the cell of one point.
static void add_part(kai_trajectory* t, size_t count)
{
    enum { VERTEX = 1 }; // VTK_VERTEX
    if (t->part_size > 0) t->cells += t->part_size;
    t->part_size = (int64_t)count;
    t->parts++;
    kai_vtkhdf_integer(&t->vtk, SET_PART_POINTS, t->part_size);
    kai_vtkhdf_integer(&t->vtk, SET_PART_CELLS, t->part_size);
    kai_vtkhdf_integer(&t->vtk, SET_PART_IDS, t->part_size);
    kai_vtkhdf_integer(&t->vtk, SET_OFFSETS, 0);
    int64_t* points = kai_vtkhdf_room(&t->vtk, SET_CONNECTIVITY, count);
    int64_t* ends = kai_vtkhdf_room(&t->vtk, SET_OFFSETS, count);
    void* types = kai_vtkhdf_room(&t->vtk, SET_TYPES, count);
    if (points == NULL || ends == NULL || types == NULL) return; // told when frames are pushed
    for (size_t i = 0; i < count; i++) points[i] = (int64_t)i;
    for (size_t i = 0; i < count; i++) ends[i] = (int64_t)i + 1;
    memset(types, VERTEX, count);
}

// Vectors; a file that lacks them has none to copy.
static void add_vectors(kai_trajectory* t, int i, const double* vectors, size_t count)
{
    static const double unknown[3] = {(double)NAN, (double)NAN, (double)NAN};
    if (vectors != NULL) kai_vtkhdf_reals(&t->vtk, (size_t)i, vectors, 3 * count);
    for (size_t k = 0; vectors == NULL && k < count; k++)
        kai_vtkhdf_reals(&t->vtk, (size_t)i, unknown, 3);
}

// Keeps so many bits of each of the last numbers of a dataset, besides the leading one.
static void round_bits(kai_trajectory* t, int i, size_t count, int bits)
{
    enum { BITS = 23 };
    kai_text* waiting = &t->vtk.sets[i].waiting;
    if (!t->rounds || waiting->failed) return;
    const uint32_t half = UINT32_C(1) << (BITS - 1 - bits), mask = ~(2 * half - 1);
    uint32_t* number = (uint32_t*)(void*)(waiting->data + waiting->size - count * sizeof *number);
    for (size_t k = 0; k < count; k++) {
        const bool finite = (~number[k] & UINT32_C(0x7f800000)) != 0;
        if (finite) number[k] = (number[k] + half) & mask;
    }
}

// Bodies of contacts; those that are not known are no id.
static void add_bodies(kai_trajectory* t, const kai_trajectory_contacts* c)
{
    char* room =
        kai_text_room(&t->vtk.sets[SET_CONTACT_BODIES].waiting, 2 * c->count * sizeof *c->body);
    if (room == NULL) return; // kai_vtkhdf_push tells
    if (c->body != NULL)
        memcpy(room, c->body, 2 * c->count * sizeof *c->body);
    else
        memset(room, 0xff, 2 * c->count * sizeof *c->body);
}

static void add_contacts(kai_trajectory* t, const kai_trajectory_contacts* c)
{
    enum { POINT_BITS = 17, BITS = 11 };
    if (c->count > 0) {
        kai_vtkhdf_reals(&t->vtk, SET_CONTACT_POINTS, c->point, 3 * c->count);
        kai_vtkhdf_reals(&t->vtk, SET_CONTACT_NORMALS, c->normal, 3 * c->count);
        kai_vtkhdf_reals(&t->vtk, SET_CONTACT_GAPS, c->gap, c->count);
        if (t->pushing) add_vectors(t, SET_CONTACT_FORCES, c->force, c->count);
        add_bodies(t, c);
        round_bits(t, SET_CONTACT_POINTS, 3 * c->count, POINT_BITS);
        round_bits(t, SET_CONTACT_NORMALS, 3 * c->count, BITS);
        round_bits(t, SET_CONTACT_GAPS, c->count, BITS);
        if (t->pushing) round_bits(t, SET_CONTACT_FORCES, 3 * c->count, BITS);
    }
    kai_vtkhdf_integer(&t->vtk, SET_CONTACT_FIRST, (int64_t)t->contacts);
    kai_vtkhdf_integer(&t->vtk, SET_CONTACT_COUNT, (int64_t)c->count);
    kai_vtkhdf_integer(&t->vtk, SET_CONTACT_FOUND, (int64_t)c->found);
    t->contacts += c->count;
}

// The rows of `count` bodies that were added to a dataset last become those that frames share.
static void trajectory_share(kai_trajectory* t, int i, shared* rows, kai_text* copy, size_t count)
{
    const kai_vtkhdf_set* s = &t->vtk.sets[i];
    rows->first = rows->rows;
    rows->rows += count;
    copy->size = 0;
    if (s->waiting.failed) return;
    const size_t bytes = count * s->row_bytes;
    kai_text_add_bytes(copy, s->waiting.data + s->waiting.size - bytes, bytes);
}

// Whether the rows that were added last are the shared ones; then they are taken back.
static bool trajectory_repeats(kai_trajectory* t, int i, const kai_text* copy, size_t count)
{
    kai_vtkhdf_set* s = &t->vtk.sets[i];
    const size_t bytes = count * s->row_bytes;
    if (s->waiting.failed || copy->failed || t->part_size != (int64_t)count ||
        copy->size != bytes || t->frames == 0)
        return false;
    if (bytes > 0 && memcmp(copy->data, s->waiting.data + s->waiting.size - bytes, bytes) != 0)
        return false;
    s->waiting.size -= bytes;
    return true;
}

// Rounds the rotations that were added last to multiples of 2⁻¹⁸: less than a thousandth of a degree.
static void round_rotations(kai_trajectory* t, size_t count)
{
    static const float STEPS = 262144.0f;
    kai_text* waiting = &t->vtk.sets[SET_ROTATION].waiting;
    if (!t->rounds || waiting->failed) return;
    float* number = (float*)(void*)(waiting->data + waiting->size - 4 * count * sizeof *number);
    for (size_t k = 0; k < 4 * count; k++) number[k] = rintf(number[k] * STEPS) / STEPS;
}

// The rotations of a frame have been added: are they the same as before?
static void note_rotations(kai_trajectory* t, size_t count)
{
    if (!t->turning && trajectory_repeats(t, SET_ROTATION, &t->still, count)) return;
    t->turning = t->turning || t->frames > 0;
    if (t->turning) round_rotations(t, count);
    if (!t->turning) {
        trajectory_share(t, SET_ROTATION, &t->rotation, &t->still, count);
        const size_t row = t->vtk.sets[SET_ROTATION].row_bytes;
        t->alike = t->still.size > row &&
                   memcmp(t->still.data, t->still.data + row, t->still.size - row) == 0;
        return;
    }
    kai_text_free(&t->still);
    t->rotation.first = t->rotation.rows;
    t->rotation.rows += count;
}

static void note_ids(kai_trajectory* t, size_t count)
{
    if (!trajectory_repeats(t, SET_ID, &t->ids, count))
        trajectory_share(t, SET_ID, &t->id, &t->ids, count);
}

// All of a frame but what it is about.
static kai_result add_frame(kai_trajectory* t, double time, size_t n,
                            const kai_trajectory_contacts* contacts, kai_error* err)
{
    if (t->part_size != (int64_t)n) add_part(t, n);
    if (t->touching) add_contacts(t, contacts);
    kai_vtkhdf_integer(&t->vtk, SET_PART_OFFSETS, t->parts - 1);
    kai_vtkhdf_integer(&t->vtk, SET_PARTS, 1);
    kai_vtkhdf_integer(&t->vtk, SET_CELL_OFFSETS, t->cells);
    kai_vtkhdf_integer(&t->vtk, SET_ID_OFFSETS, t->cells);
    kai_vtkhdf_integer(&t->vtk, SET_POINT_OFFSETS, (int64_t)t->points);
    if (t->moving) kai_vtkhdf_integer(&t->vtk, SET_VELOCITY_OFFSETS, (int64_t)t->points);
    kai_vtkhdf_integer(&t->vtk, SET_ROTATION_OFFSETS, (int64_t)t->rotation.first);
    kai_vtkhdf_integer(&t->vtk, SET_ID_DATA_OFFSETS, (int64_t)t->id.first);
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++)
        if (t->fields >> f & 1)
            kai_vtkhdf_integer(&t->vtk, SET_FIELDS + 2 * f + 1, (int64_t)t->points);
    kai_text_add_bytes(&t->vtk.sets[SET_VALUES].waiting, &time, sizeof time);
    t->points += n;
    t->frames++;
    return kai_vtkhdf_push(&t->vtk, err);
}

// A file that lacks a field has none to copy.
static void add_field(kai_trajectory* t, size_t f, const double* numbers, size_t count)
{
    static const double unknown = (double)NAN;
    const size_t i = SET_FIELDS + 2 * f;
    if (numbers != NULL) kai_vtkhdf_reals(&t->vtk, i, numbers, count);
    for (size_t k = 0; numbers == NULL && k < count; k++) kai_vtkhdf_reals(&t->vtk, i, &unknown, 1);
}

kai_result kai_trajectory_add(kai_trajectory* t, const kai_trajectory_frame* frame, kai_error* err)
{
    const size_t n = frame->count;
    kai_vtkhdf_reals(&t->vtk, SET_POINTS, frame->position, 3 * n);
    kai_vtkhdf_reals(&t->vtk, SET_ROTATION, frame->rotation, 4 * n);
    note_rotations(t, n);
    if (t->moving) add_vectors(t, SET_VELOCITY, frame->velocity, n);
    kai_text_add_bytes(&t->vtk.sets[SET_ID].waiting, frame->id, n * sizeof *frame->id);
    note_ids(t, n);
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++)
        if (t->fields >> f & 1) add_field(t, f, frame->fields[f], n);
    return add_frame(t, frame->time, n, &frame->contacts, err);
}

static kai_result gather_contacts(kai_trajectory* t, kai_world* world, kai_trajectory_contacts* out,
                                  kai_error* err)
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

// Rows of positions, rotations and velocities of the next frame. Rotations that nobody has seen
// change are only compared. False when memory runs out.
static bool make_rows(kai_trajectory* t, size_t n, kai_trajectory_gather* g)
{
    const bool compare = !t->turning && t->frames > 0 && t->part_size == (int64_t)n && n > 0;
    *g = (kai_trajectory_gather){.doubles = t->doubles, .alike = t->alike};
    if (!t->straight) g->slot = (const uint32_t*)(void*)t->slots.data;
    g->position = kai_vtkhdf_room(&t->vtk, SET_POINTS, n);
    if (t->moving) g->velocity = kai_vtkhdf_room(&t->vtk, SET_VELOCITY, n);
    if (compare)
        g->still = t->still.data;
    else
        g->rotation = kai_vtkhdf_room(&t->vtk, SET_ROTATION, n);
    return g->position && (g->velocity || !t->moving) && (g->rotation || g->still);
}

// Positions, rotations and velocities.
static kai_result gather_motion(kai_trajectory* t, const kai_world* world, kai_error* err)
{
    const size_t n = kai_body_count(world);
    kai_trajectory_gather g;
    if (!make_rows(t, n, &g)) return kai_file_no_memory(t->vtk.path, err);
    const bool turned = kai_trajectory_gather_world(&g, world), compare = g.still != NULL;
    if (compare && !turned) return KAI_OK;
    if (compare) {
        g = (kai_trajectory_gather){.doubles = t->doubles, .slot = g.slot};
        g.rotation = kai_vtkhdf_room(&t->vtk, SET_ROTATION, n);
        if (g.rotation == NULL) return kai_file_no_memory(t->vtk.path, err);
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
    char* id = kai_text_room(&t->vtk.sets[SET_ID].waiting, n * sizeof(uint32_t));
    if (slots == NULL || id == NULL) return kai_file_no_memory(t->vtk.path, err);
    kai_bodies_list(&world->bodies, (uint32_t*)(void*)slots);
    t->straight = true;
    for (size_t i = 0; i < n; i++)
        t->straight = t->straight && ((const uint32_t*)(void*)slots)[i] == i;
    kai_trajectory_gather_ids(world, (const uint32_t*)(void*)slots, (uint32_t*)(void*)id);
    note_ids(t, n);
    return KAI_OK;
}

static kai_result gather_fields(kai_trajectory* t, kai_world* world, kai_error* err)
{
    const size_t n = kai_body_count(world);
    KAI_TRY(kai_trajectory_fields_look(&t->scratch, world, t->fields, err));
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++) {
        if (!(t->fields >> f & 1)) continue;
        void* to = kai_vtkhdf_room(&t->vtk, SET_FIELDS + 2 * f, n);
        if (to == NULL) return kai_file_no_memory(t->vtk.path, err);
        kai_trajectory_fields_gather(&t->scratch, world, f, (const uint32_t*)(void*)t->slots.data,
                                     n, t->doubles, to);
    }
    return KAI_OK;
}

kai_result kai_trajectory_add_world(kai_trajectory* t, kai_world* world, kai_error* err)
{
    kai_trajectory_contacts contacts = {0};
    KAI_TRY(gather_ids(t, world, err));
    KAI_TRY(gather_motion(t, world, err));
    if (t->touching) KAI_TRY(gather_contacts(t, world, &contacts, err));
    KAI_TRY(gather_fields(t, world, err));
    return add_frame(t, kai_world_time(world), kai_body_count(world), &contacts, err);
}

uint64_t kai_trajectory_frames(const kai_trajectory* t) { return t->frames; }

kai_result kai_trajectory_flush(kai_trajectory* t, bool sync, kai_error* err)
{
    return kai_vtkhdf_flush(&t->vtk, sync, err);
}

kai_result kai_trajectory_close(kai_trajectory* t, bool discard, kai_error* err)
{
    if (t == NULL) return KAI_OK;
    const kai_result r = kai_vtkhdf_close(&t->vtk, discard, err);
    kai_trajectory_contacts_free(&t->list);
    kai_trajectory_fields_free(&t->scratch);
    kai_text_free(&t->still);
    kai_text_free(&t->ids);
    kai_text_free(&t->slots);
    free(t);
    return r;
}

// Going on: the first frames of a file are read, whatever state a kill left it in, and written to a
// new file that then takes its name -----------------------------------------------------------------

static kai_result copy_frames(kai_trajectory* to, const char* path, uint64_t frames, kai_error* err)
{
    kai_trajectory_read* from = NULL;
    kai_result r = kai_trajectory_read_open(&from, path, frames, err);
    if (r == KAI_OK && kai_trajectory_read_frames(from) != frames)
        r = kai_error_set(err, KAI_ERROR_FORMAT, "%s: has %zu frames; the checkpoint has %llu",
                          path, kai_trajectory_read_frames(from), (unsigned long long)frames);
    for (size_t k = 0; r == KAI_OK && k < frames; k++) {
        kai_trajectory_frame frame;
        r = kai_trajectory_read_frame(from, k, &frame, err);
        if (r == KAI_OK) r = kai_trajectory_add(to, &frame, err);
    }
    kai_trajectory_read_close(from);
    if (r == KAI_ERROR_FORMAT && err != NULL)
        kai_error_set(err, r, "%s; remove it to go on without its frames", err->message);
    return r == KAI_OK ? kai_trajectory_flush(to, true, err) : r;
}

kai_result kai_trajectory_resume(kai_trajectory** out, const char* path, const kai_world* world,
                                 const kai_trajectory_def* def, const char* scene, uint64_t frames,
                                 kai_error* err)
{
    char* aside = kai_file_aside(path);
    *out = NULL;
    if (aside == NULL) return kai_file_no_memory(path, err);
    kai_trajectory* t = NULL;
    kai_result r = kai_trajectory_create(&t, aside, world, def, scene, err);
    if (r == KAI_OK) r = copy_frames(t, path, frames, err);
    if (r == KAI_OK) r = kai_vtkhdf_rename(&t->vtk, path, err);
    if (r == KAI_OK) {
        *out = t;
    } else {
        kai_trajectory_close(t, true, NULL);
        unlink(aside);
    }
    free(aside);
    return r;
}
