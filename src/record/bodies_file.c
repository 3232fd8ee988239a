// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/bodies_file.h"

#include "record/param_file.h"
#include "record/store_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Layout -----------------------------------------------------------------------------------------

static const kai_member POSE[] = {KAI_MEMBER(kai_pose, position, F64, 3),
                                  KAI_MEMBER(kai_pose, rotation, F64, 4)};
static const kai_member MOTION[] = {
    KAI_MEMBER(kai_motion, velocity, F64, 3), KAI_MEMBER(kai_motion, spin, F64, 3),
    KAI_MEMBER(kai_motion, flags, U64, 1), KAI_MEMBER(kai_motion, rest, U64, 1)};
static const kai_member MASS[] = {KAI_MEMBER(kai_bodies_mass, mass, F64, 1),
                                  KAI_MEMBER(kai_bodies_mass, inverse_mass, F64, 1),
                                  KAI_MEMBER(kai_bodies_mass, moments, F64, 3),
                                  KAI_MEMBER(kai_bodies_mass, inverse_moments, F64, 3)};
// Names stand apart; counts of shapes and loads follow from these.
static const kai_member COLD[] = {KAI_MEMBER(kai_bodies_cold, user_data, U64, 1),
                                  KAI_MEMBER(kai_bodies_cold, owner, U32, 1),
                                  KAI_MEMBER(kai_bodies_cold, group, U32, 1),
                                  KAI_MEMBER(kai_bodies_cold, group_index, U32, 1),
                                  KAI_MEMBER(kai_bodies_cold, offset, U32, 1),
                                  KAI_MEMBER(kai_bodies_cold, first_shape, U32, 1),
                                  KAI_MEMBER(kai_bodies_cold, shape_count, U32, 1),
                                  KAI_MEMBER(kai_bodies_cold, load_count, U32, 1)};
static const kai_member WRENCH[] = {KAI_MEMBER(kai_wrench, force, F64, 3),
                                    KAI_MEMBER(kai_wrench, torque, F64, 3)};
static const kai_member ENTRY[] = {KAI_MEMBER(kai_bodies_entry, slot, U32, 1),
                                   KAI_MEMBER(kai_bodies_entry, generation, U16, 1),
                                   KAI_MEMBER(kai_bodies_entry, used, U16, 1)};
static const kai_member FRAME[] = {KAI_MEMBER(kai_frame, position, F64, 3),
                                   KAI_MEMBER(kai_frame, rotation, F64, 4)};

_Static_assert(sizeof(kai_vec3) == 3 * sizeof(double) && sizeof(kai_quat) == 4 * sizeof(double),
               "numbers in a row");

static const kai_member_list POSES = KAI_MEMBER_LIST("pose", POSE, kai_pose),
                             MOTIONS = KAI_MEMBER_LIST("motion", MOTION, kai_motion),
                             MASSES = KAI_MEMBER_LIST("mass", MASS, kai_bodies_mass),
                             COLDS = KAI_MEMBER_LIST("cold", COLD, kai_bodies_cold),
                             ACCELERATIONS = KAI_MEMBER_LIST("acceleration", WRENCH, kai_wrench),
                             ENTRIES = KAI_MEMBER_LIST("entries", ENTRY, kai_bodies_entry),
                             FRAMES = KAI_MEMBER_LIST("frames", FRAME, kai_frame);

static kai_result bodies_file_malformed(kai_error* err, const char* what, size_t slot)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s of body %zu breaks its rule", what, slot);
}

// Reads into memory that is there.
static kai_result fill_from(hid_t group, const kai_member_list* list, void* to, size_t count,
                            kai_error* err)
{
    void* data = NULL;
    KAI_TRY(kai_h5_read_list(group, list, &data, &count, err));
    if (count > 0) memcpy(to, data, count * list->size);
    free(data);
    return KAI_OK;
}

// Frames -----------------------------------------------------------------------------------------

kai_result kai_bodies_file_write_frames(hid_t parent, const char* name, const kai_frames* frames,
                                        kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(parent, name, &group, err));
    kai_result r = kai_h5_write_list(group, &FRAMES, frames->items.data, frames->items.count, err);
    if (r == KAI_OK)
        r = kai_h5_write(group, "unused", H5T_NATIVE_UINT32, frames->unused.count, 1,
                         frames->unused.data, err);
    H5Gclose(group);
    return r;
}

static kai_result fill_frames(hid_t group, kai_frames* frames, kai_memory* memory, kai_error* err)
{
    void *items = NULL, *unused = NULL;
    size_t count = SIZE_MAX, unused_count = 0;
    kai_result r = kai_h5_read_list(group, &FRAMES, &items, &count, err);
    if (r == KAI_OK)
        r = kai_h5_read(group, "unused", H5T_NATIVE_UINT32, 1, &unused, &unused_count, err);
    if (r == KAI_OK && (count >= UINT32_MAX || unused_count > count))
        r = kai_error_set(err, KAI_ERROR_FORMAT, "'unused' has %zu places of %zu", unused_count,
                          count);
    for (size_t i = 0; r == KAI_OK && i < unused_count; i++) {
        const uint32_t place = ((const uint32_t*)unused)[i];
        if (place == 0 || place > count)
            r = kai_error_set(err, KAI_ERROR_FORMAT, "'unused' has %u; must be from 1 to %zu",
                              place, count);
    }
    // Room to take every index back, as kai_frames_drop needs.
    if (r == KAI_OK) r = kai_array_reserve(&frames->unused, memory, count, err);
    if (r == KAI_OK) r = kai_array_append(&frames->unused, memory, unused, unused_count, err);
    if (r == KAI_OK) r = kai_array_append(&frames->items, memory, items, count, err);
    free(items);
    free(unused);
    return r;
}

kai_result kai_bodies_file_read_frames(hid_t parent, const char* name, kai_frames* frames,
                                       kai_memory* memory, kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_open_group(parent, name, &group, err));
    const kai_result r = fill_frames(group, frames, memory, err);
    H5Gclose(group);
    return r;
}

// Writing ----------------------------------------------------------------------------------------

static kai_result write_names(hid_t group, const kai_bodies* bodies, kai_error* err)
{
    const char** names = calloc(bodies->count + 1, sizeof *names);
    if (names == NULL) return kai_h5_no_memory("names", err);
    for (size_t i = 0; i < bodies->count; i++)
        names[i] = bodies->colds[bodies->shared_properties[i]].name;
    const kai_result r = kai_param_file_write_names(group, names, bodies->count, err);
    free(names);
    return r;
}

// Mass and cold record of every body, also of those that share them.
static kai_result write_shared(hid_t group, const kai_bodies* bodies, kai_error* err)
{
    const size_t n = bodies->count;
    kai_bodies_mass* mass = malloc((n + 1) * sizeof *mass);
    kai_bodies_cold* cold = malloc((n + 1) * sizeof *cold);
    kai_result r = mass && cold ? KAI_OK : kai_h5_no_memory("mass", err);
    for (size_t i = 0; r == KAI_OK && i < n; i++) {
        mass[i] = *kai_bodies_mass_of(bodies, i);
        cold[i] = kai_bodies_cold_of(bodies, i);
    }
    if (r == KAI_OK) r = kai_h5_write_list(group, &MASSES, mass, n, err);
    if (r == KAI_OK) r = kai_h5_write_list(group, &COLDS, cold, n, err);
    free(mass);
    free(cold);
    return r;
}

static kai_result write_all(hid_t group, const kai_bodies* bodies, kai_error* err)
{
    KAI_TRY(kai_h5_write_list(group, &POSES, bodies->pose, bodies->count, err));
    KAI_TRY(kai_h5_write_list(group, &MOTIONS, bodies->motion, bodies->count, err));
    KAI_TRY(write_shared(group, bodies, err));
    if (bodies->acceleration != NULL)
        KAI_TRY(kai_h5_write_list(group, &ACCELERATIONS, bodies->acceleration, bodies->count, err));
    KAI_TRY(kai_h5_write_list(group, &ENTRIES, bodies->entries.data, bodies->entries.count, err));
    KAI_TRY(kai_h5_write_attribute(group, "free_head", KAI_NUMBER_U32, 1, &bodies->free_head, err));
    KAI_TRY(write_names(group, bodies, err));
    return kai_bodies_file_write_frames(group, "offsets", &bodies->offsets, err);
}

kai_result kai_bodies_file_write(hid_t parent, const kai_bodies* bodies, kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(parent, "bodies", &group, err));
    const kai_result r = write_all(group, bodies, err);
    H5Gclose(group);
    return r;
}

// Reading ----------------------------------------------------------------------------------------

static bool all_finite(const double* x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool is_massless(const kai_bodies* bodies, size_t slot)
{
    return !(bodies->motion[slot].flags & KAI_BODY_FIXED) &&
           kai_bodies_mass_of(bodies, slot)->inverse_mass == 0.0;
}

// Every number of a body; `massless` is counted anew.
static kai_result check_numbers(kai_bodies* bodies, kai_error* err)
{
    for (size_t i = 0; i < bodies->count; i++) {
        kai_pose* pose = &bodies->pose[i];
        kai_motion* motion = &bodies->motion[i];
        const kai_bodies_mass* mass = kai_bodies_mass_of(bodies, i);
        pose->reserved = 0.0;
        const bool finite = all_finite(&pose->position.x, 3) && all_finite(&pose->rotation.w, 4) &&
                            all_finite(&motion->velocity.x, 3) && all_finite(&motion->spin.x, 3);
        if (!finite) return bodies_file_malformed(err, "pose or motion", i);
        if (!all_finite(&mass->mass, 8) || mass->mass < 0.0 || mass->inverse_mass < 0.0)
            return bodies_file_malformed(err, "mass", i);
        if (motion->flags & ~(KAI_BODY_FIXED | KAI_BODY_ISOTROPIC | KAI_BODY_STRAIGHT |
                              KAI_BODY_NODE | KAI_BODY_ASLEEP))
            return bodies_file_malformed(err, "flags", i);
        bodies->massless += is_massless(bodies, i);
    }
    return KAI_OK;
}

// Entries and slots must lead to each other.
static kai_result check_entries(const kai_bodies* bodies, kai_error* err)
{
    const size_t count = bodies->entries.count;
    const kai_bodies_entry* entries = bodies->entries.data;
    uint32_t* next = malloc((count + 1) * sizeof *next);
    uint8_t* used = malloc(count + 1);
    kai_result r = next && used ? KAI_OK : kai_h5_no_memory("entries", err);
    size_t in_use = 0;
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        next[i] = entries[i].slot;
        used[i] = entries[i].used != 0;
        in_use += used[i];
        if (used[i] &&
            (entries[i].slot >= bodies->count || bodies->owner[entries[i].slot] != (uint32_t)i + 1))
            r = bodies_file_malformed(err, "entry", i);
    }
    // As many used entries as bodies, each body the owner of its own: a one-to-one map.
    if (r == KAI_OK && in_use != bodies->count)
        r = kai_error_set(err, KAI_ERROR_FORMAT, "%zu entries for %zu bodies", in_use,
                          bodies->count);
    if (r == KAI_OK)
        r = kai_store_file_check_free(next, used, count, bodies->free_head, "bodies", err);
    free(next);
    free(used);
    return r;
}

static kai_result read_names(hid_t group, kai_bodies* bodies, kai_error* err)
{
    uint32_t* named = NULL;
    char* names = NULL;
    size_t stride = 0, count = 0;
    KAI_TRY(kai_param_file_read_names(group, bodies->count, &named, &names, &stride, &count, err));
    kai_result r = KAI_OK;
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        kai_bodies_cold* cold;
        const kai_body body = kai_bodies_id(bodies, named[i]);
        const kai_id id = {body.index, body.generation, body.world};
        r = kai_bodies_own(bodies, named[i], &cold, err);
        if (r == KAI_OK && cold->name != NULL) r = bodies_file_malformed(err, "name", named[i]);
        if (r == KAI_OK)
            r = kai_names_add(&bodies->names, "body", names + i * stride, id, &cold->name, err);
    }
    free(named);
    free(names);
    return r;
}

// Gives every body a shared_properties, or lets it share one. `met` is zero for every frame.
static kai_result set_shared(kai_bodies* bodies, const kai_bodies_mass* mass, kai_bodies_cold* cold,
                             uint8_t* met, size_t frames, kai_error* err)
{
    for (size_t i = 0; i < bodies->count; i++) {
        if (cold[i].offset > frames) return bodies_file_malformed(err, "offset", i);
        // Bodies that shared a shared_properties share its frame: one that does no longer gets its own.
        if (met[cold[i].offset] && cold[i].offset != 0) {
            const kai_frame frame = kai_frames_at(&bodies->offsets, cold[i].offset);
            KAI_TRY(kai_frames_add(&bodies->offsets, bodies->memory, &frame, &cold[i].offset, err));
        } else {
            met[cold[i].offset] = 1;
        }
        KAI_TRY(kai_bodies_set_shared_properties(bodies, i, &mass[i], &cold[i], err));
    }
    return KAI_OK;
}

static kai_result read_shared(hid_t group, kai_bodies* bodies, kai_error* err)
{
    void *mass = NULL, *cold = NULL;
    size_t count = bodies->count;
    kai_result r = kai_h5_read_list(group, &MASSES, &mass, &count, err);
    if (r == KAI_OK) r = kai_h5_read_list(group, &COLDS, &cold, &count, err);
    const size_t frames = bodies->offsets.items.count;
    uint8_t* met = calloc(frames + 1, 1);
    if (r == KAI_OK && !met) r = kai_h5_no_memory("cold", err);
    if (r == KAI_OK) r = set_shared(bodies, mass, cold, met, frames, err);
    free(met);
    free(mass);
    free(cold);
    return r;
}

static kai_result read_all(hid_t group, kai_bodies* bodies, kai_error* err)
{
    void *pose = NULL, *entries = NULL;
    size_t count = SIZE_MAX, entry_count = SIZE_MAX;
    KAI_TRY(kai_h5_read_list(group, &POSES, &pose, &count, err)); // says how many there are
    free(pose);
    KAI_TRY(kai_h5_read_list(group, &ENTRIES, &entries, &entry_count, err));
    kai_result r =
        entry_count >= UINT32_MAX ? bodies_file_malformed(err, "number", entry_count) : KAI_OK;
    if (r == KAI_OK)
        r = kai_array_append(&bodies->entries, bodies->memory, entries, entry_count, err);
    free(entries);
    KAI_TRY(r);

    if (count > 0) KAI_TRY(kai_bodies_reserve(bodies, count, true, err));
    KAI_TRY(fill_from(group, &POSES, bodies->pose, count, err));
    KAI_TRY(fill_from(group, &MOTIONS, bodies->motion, count, err));
    bodies->count = bodies->owned = count;
    if (kai_h5_has(group, "acceleration")) {
        KAI_TRY(kai_bodies_need_acceleration(bodies, err));
        if (bodies->acceleration != NULL)
            KAI_TRY(fill_from(group, &ACCELERATIONS, bodies->acceleration, count, err));
    }
    KAI_TRY(kai_h5_read_attribute(group, "free_head", KAI_NUMBER_U32, 1, &bodies->free_head, err));
    KAI_TRY(kai_bodies_file_read_frames(group, "offsets", &bodies->offsets, bodies->memory, err));
    KAI_TRY(read_shared(group, bodies, err));
    KAI_TRY(check_numbers(bodies, err));
    KAI_TRY(check_entries(bodies, err));
    return read_names(group, bodies, err);
}

kai_result kai_bodies_file_read(hid_t parent, kai_bodies* bodies, kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_open_group(parent, "bodies", &group, err));
    const kai_result r = read_all(group, bodies, err);
    H5Gclose(group);
    if (r != KAI_OK) kai_error_prefix(err, "bodies");
    return r;
}
