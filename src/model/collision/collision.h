// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The world's collision detection: items of the pipeline from shapes on bodies. One item a shape,
// in the order of body slots and, on a body, of its shapes; one a part for decomposed meshes.
#ifndef MODEL_COLLISION_H
#define MODEL_COLLISION_H

#include "model/collision/patch.h"
#include "proximity/query.h"

#include <kairos/collision.h>

/// What changes of a facet when its shape does.
typedef struct kai_collision_facet {
    uint32_t facet, group, geometry; // in their lists
} kai_collision_facet;

/// What a slot held before bodies came, went or changed places.
typedef struct kai_collision_moved {
    uint32_t slot, shape; // shape: id index of the body's first one, 0: none
    uint32_t body;        // id index
    uint16_t generation;  // of its id
} kai_collision_moved;

typedef struct kai_collision {
    kai_proximity proximity;
    kai_query query;
    kai_patch surface;       // facets of flexible bodies
    kai_array surface_items; // kai_collision_facet
    kai_array facet_items;   // uint32_t [facets]: items of facets; UINT32_MAX: it has none
    uint64_t items_version;  // changes whenever items do; 0: never made
    uint64_t layout_version; // changes whenever they are made anew: between two such changes bodies
        // have come and gone at the end of proximity.run, or changed slots in it
    bool run_changed; // nothing else has made proximity.changed true
    bool fresh_items; // the tree of queries has not seen the present items
    bool still;       // bodies do not move until it is false: see kai_collision_hold
    bool tree_holds;  // with `still`: the tree of queries is that of the present state
    bool warned;      // of pairs without contacts (collision_pairs.h)
    // What items were made for
    uint64_t bodies_version, records_version, shapes_version, joints_version;
    // What contacts are for
    bool found;
    uint64_t steps;
    double time;
    // Contacts of the last step that the list of spheres holds and proximity.contacts does not.
    size_t listed;
    double listed_depth; // m, the deepest of them
    kai_array moved;     // kai_collision_moved: slots whose shape has changed, oldest first
} kai_collision;

/// Finds contacts at the present state. The message of a failure goes to err.
kai_result kai_collision_update(kai_world* world, kai_error* err);

/// What a step wants of contacts that the present state does not have yet.
typedef struct kai_collision_ahead {
    double lead;   // s ahead of the present state that contacts of spheres are found
    double sweep;  // s ahead in which fast items may meet (proximity_sweep.h)
    kai_vec3 kick; // what velocities will gain before that, m/s
    bool level;    // shapes that lie level make one surface (proximity_seams.h)
} kai_collision_ahead;

/// The same for a step.
kai_result kai_collision_update_ahead(kai_world* world, const kai_collision_ahead* ahead,
                                      kai_error* err);

/// The same, unless the last one was at this step and time and nothing has come or gone since: for
/// readers between steps, when nobody moves bodies by hand.
kai_result kai_collision_refresh(kai_world* world, kai_error* err);

/// Whether contacts are there to be read after every step.
static inline bool kai_collision_wanted(const kai_world* world)
{
    return world->collision_detect || world->contact_def.method != KAI_CONTACT_NONE;
}

/// Takes the contacts last found as those of the present state: contact forces look for them in the
/// middle of a step, and reports show those.
void kai_collision_stamp(kai_world* world);

/// Says that nobody moves until it is said again with false: the tree is then made once for all
/// queries, and only when there is one.
void kai_collision_hold(kai_world* world, bool still);

/// Before the bodies of slots [begin, end) change slots or lose shapes: notes who they are, for lists
/// that remember contacts by slot.
kai_result kai_collision_note_slots(kai_world* world, size_t begin, size_t end, kai_error* err);

/// Whether items are those of the world as it is.
bool kai_collision_is_current(const kai_world* world);

/// Particles have come to slots from `begin` on, where items were current before: items of spheres among
/// others of their kind cost no more than they are.
void kai_collision_particles_came(kai_world* world, size_t begin);

/// Whether the body in a slot can be removed, the last one taking its slot, without items being made
/// anew; and that this was done.
bool kai_collision_can_leave(const kai_world* world, size_t slot);
void kai_collision_particle_left(kai_world* world);

/// The list of pairs of all items of the run has followed what came and left.
void kai_collision_followed(kai_world* world);

/// Makes items and the tree of queries for the present state.
kai_result kai_collision_prepare(kai_world* world, kai_error* err);

/// The facets of surfaces of a world, up to date. `*out` is NULL when there are none.
kai_result kai_collision_surface(kai_world* world, kai_patch** out, kai_error* err);

/// The two ends of kai_collision_update, for a caller who finds pairs of its own between them: items
/// and poses for the pipeline, and what is known afterwards, `r` being what came of it.
kai_result kai_collision_begin(kai_world* world, const kai_collision_ahead* ahead,
                               kai_proximity_poses* poses, kai_error* err);
kai_result kai_collision_end(kai_world* world, kai_result r, kai_error* err);

/// Gives all memory back.
void kai_collision_destroy(kai_world* world);

/// Makes items anew where bodies, shapes or joints have changed, and the world's kai_collision with
/// them. `*poses` is for the pipeline.
kai_result kai_collision_items(kai_world* world, kai_proximity_poses* poses, kai_error* err);

#endif
