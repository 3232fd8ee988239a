// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The arrays of all bodies.
//
// Body data is split by who reads it: a stage that moves bodies streams pose and motion; contact
// and joints gather them; mass is read where it differs; the rest is cold. Each hot record is one
// 64-byte cache line.
//
//     id.index - 1 ──entries──▶ slot ──▶ pose[slot] motion[slot] owner[slot] shared_properties[slot]
//                                                                              │
//                                                          masses[shared_properties] colds[shared_properties]
//
// What particles of a group have in common, mass and cold record, is one *shared_properties* for all of them; any
// other body has one of its own. A particle that becomes different gets its own (kai_bodies_own).
//
// Bytes a body: 64 pose + 64 motion + 4 owner + 4 shared_properties + 8 entry = 144, and 64 mass + 48 cold = 112
// unless it shares them. Beside these, only while asked for: 48 wrench (once there is a load), 48
// acceleration (when kept), 64 next poses (contacts without joints and loads).
#ifndef MODEL_BODIES_H
#define MODEL_BODIES_H

#include "base/array.h"
#include "base/keys.h"
#include "base/names.h"
#include "model/frames.h"

#include <kairos/body.h>

/// Mass properties in the principal frame: constant and diagonal.
typedef struct kai_bodies_mass {
    double mass, inverse_mass;         // kg, 1/kg; inverse 0: fixed
    kai_vec3 moments, inverse_moments; // kg m², and inverse; 0: fixed
} kai_bodies_mass;

/// What no loop over all bodies reads. In a shared one `owner`, `group_index` and `first_shape` are
/// those of one of its bodies: of the others they are as far on as their ids are.
typedef struct kai_bodies_cold {
    const char* name; // owned by names; NULL without one
    uint64_t user_data;
    uint32_t owner;       // id index
    uint32_t group;       // 1 + index of the particle group, 0: none
    uint32_t group_index; // place in the group
    uint32_t offset; // index into offsets: own frame in the principal frame; 0: they are the same
    uint32_t first_shape; // id index of the first shape, 0: none
    uint32_t shape_count;
    uint32_t load_count; // loads that refer to the body
    uint32_t users;      // bodies that have this record; of a free one: 1 + the next free one
} kai_bodies_cold;

/// Every array with one item a body: X(name, item type). Drives growth and removal.
#define KAI_BODIES_FIELDS(X) \
    X(pose, kai_pose)        \
    X(motion, kai_motion)    \
    X(owner, uint32_t)       \
    X(shared_properties, uint32_t)

/// Bytes of the largest item of all arrays.
#define KAI_BODIES_WIDEST 64

_Static_assert(sizeof(kai_wrench) <= KAI_BODIES_WIDEST, "room to permute");
_Static_assert(sizeof(kai_pose) == 64, "one cache line");
_Static_assert(sizeof(kai_motion) == 64, "one cache line");
_Static_assert(sizeof(kai_bodies_mass) == 64, "one cache line");

/// Where an id leads to.
typedef struct kai_bodies_entry {
    uint32_t slot; // for a free entry: 1 + index of the next free one, 0: none; KAI_STORE_RETIRED
    uint16_t generation;
    uint16_t used; // 0: free
} kai_bodies_entry;

typedef struct kai_bodies {
    kai_memory* memory;
    uint16_t world; // tag in ids
    size_t count;
    size_t owned; // slots below are of bodies that this rank moves; from here on: ghosts, copies of
                  // bodies of other ranks, for contacts alone
    size_t capacity;                              // of every array below
#define KAI_BODIES_MEMBER(name, type) type* name; /* [capacity] */
    KAI_BODIES_FIELDS(KAI_BODIES_MEMBER)
#undef KAI_BODIES_MEMBER
    kai_bodies_mass* masses; // [shared_properties_capacity]
    kai_bodies_cold* colds;  // [shared_properties_capacity]
    size_t shared_properties_count, shared_properties_capacity;
    uint32_t shared_properties_free; // 1 + index of the first free shared_properties, 0: none
    uint32_t recent[8];              // 1 + shared_properties of groups of late: candidates to share
    uint64_t records_version; // bodies that shared their properties have got some of their own
    kai_wrench* wrench; // [capacity] or NULL: sum of all loads, without gravity; zero between steps
    kai_wrench* acceleration; // [capacity] or NULL: of the last evaluation
    kai_pose* pose_next; // [capacity] or NULL: room for poses of a step that may fail; see euler
    kai_array entries;   // kai_bodies_entry
    uint32_t free_head;  // 1 + index of the first free entry, 0: none
    kai_frames offsets;  // own frame in the principal frame
    kai_keys keys;       // of bodies from other ranks
    size_t massless;     // bodies that are neither fixed nor have a mass yet: no step before
    kai_names names;
} kai_bodies;

/// An empty set.
kai_result kai_bodies_init(kai_bodies* bodies, kai_memory* memory, uint16_t world, kai_error* err);

/// Room for `capacity` bodies in every array, without shared properties; `exact`: no more than that
/// where it is an eighth more than there was. On failure nothing has changed.
kai_result kai_bodies_reserve(kai_bodies* bodies, size_t capacity, bool exact, kai_error* err);

/// Makes the optional arrays.
kai_result kai_bodies_need_wrench(kai_bodies* bodies, kai_error* err);
kai_result kai_bodies_need_acceleration(kai_bodies* bodies, kai_error* err);
kai_result kai_bodies_need_pose_next(kai_bodies* bodies, kai_error* err);

/// Room for so many more shared properties.
kai_result kai_bodies_reserve_shared(kai_bodies* bodies, size_t more, kai_error* err);

/// Adds a body without checks; there must be room for it and for a shared_properties. Returns its
/// id; its slot is owned - 1, or count - 1 of a ghost. Particles get ids in a row.
kai_body kai_bodies_add(kai_bodies* bodies, const kai_pose* pose, const kai_motion* motion,
                        const kai_bodies_mass* mass, const kai_bodies_cold* cold);
kai_body kai_bodies_add_ghost(kai_bodies* bodies, const kai_pose* pose, const kai_motion* motion,
                              const kai_bodies_mass* mass, const kai_bodies_cold* cold);

/// Lets the body in a slot share the shared_properties of another one of its group, where they are alike.
void kai_bodies_share(kai_bodies* bodies, size_t slot);

/// Gives the body in a slot a shared_properties of its own, to be changed through `*cold` (which may be NULL).
kai_result kai_bodies_own(kai_bodies* bodies, size_t slot, kai_bodies_cold** cold, kai_error* err);

/// The same by id, for what will count as a load; ids that lead nowhere are let pass.
kai_result kai_bodies_own_id(kai_bodies* bodies, kai_body body, kai_error* err);

/// Adds to the number of loads of a body, whose shared_properties is its own; likewise.
void kai_bodies_count_load(kai_bodies* bodies, kai_body body, uint32_t change);

/// Gives a body, which has none yet, a shared_properties with these records, or lets it share one that is alike;
/// its name is left out.
kai_result kai_bodies_set_shared_properties(kai_bodies* bodies, size_t slot,
                                            const kai_bodies_mass* mass,
                                            const kai_bodies_cold* cold, kai_error* err);

/// Sets mass and motion of a slot to fixed or free, inverses and flags included. Its shared_properties is its
/// own.
void kai_bodies_set_mass(kai_bodies* bodies, size_t slot, double mass, kai_vec3 moments,
                         bool fixed);

/// Likewise, with the mass that it has.
void kai_bodies_set_fixed(kai_bodies* bodies, size_t slot, bool fixed);

/// Removes a body; the last owned one moves into its slot, and the last ghost into that one's.
void kai_bodies_remove(kai_bodies* bodies, size_t slot);

/// Puts the body of slot order[k] into slot k, for all k below owned; ids follow. `scratch` has
/// owned * KAI_BODIES_WIDEST bytes.
void kai_bodies_permute(kai_bodies* bodies, int threads, const uint32_t* order, void* scratch);

/// Writes the slots of all bodies to slots [count], in the order of their ids: the order of files
/// and pages, which slots are free to leave.
void kai_bodies_list(const kai_bodies* bodies, uint32_t* slots);

/// The slot of an id, SIZE_MAX when it is null, stale or foreign.
size_t kai_bodies_slot(const kai_bodies* bodies, kai_body body);

/// The id of the body in a slot.
kai_body kai_bodies_id(const kai_bodies* bodies, size_t slot);

/// The mass of the body in a slot.
static inline const kai_bodies_mass* kai_bodies_mass_of(const kai_bodies* bodies, size_t slot)
{
    return &bodies->masses[bodies->shared_properties[slot]];
}

/// The masses of n bodies in a row: where they lie, or copied to room [n].
const kai_bodies_mass* kai_bodies_masses_of(const kai_bodies* bodies, size_t slot, size_t n,
                                            kai_bodies_mass* room);

/// The cold record of the body in a slot, as if it were its own.
kai_bodies_cold kai_bodies_cold_of(const kai_bodies* bodies, size_t slot);

/// Whether the body's own frame is not its principal frame.
static inline bool kai_bodies_is_offset(const kai_bodies* bodies, size_t slot)
{
    return bodies->colds[bodies->shared_properties[slot]].offset != 0;
}

/// The body's own frame in the principal frame.
kai_frame kai_bodies_offset(const kai_bodies* bodies, size_t slot);

/// A text that names the body in a slot for messages: its name, "particle 7 of group 2", or "body
/// #3".
void kai_bodies_describe(const kai_bodies* bodies, size_t slot, char* out, size_t size);

/// Gives all memory back.
void kai_bodies_free(kai_bodies* bodies);

#endif
