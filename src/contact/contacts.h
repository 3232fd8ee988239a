// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The contacts of a step: found in its middle, matched with those of the step before, given the
// coefficients of their surfaces, and kept with their forces until the next step.
//
//     proximity.contacts[i] ─ world->contact_memory[i] ─ force[i]
//
// A step that fails puts the memory of the step before back.
#ifndef CONTACT_CONTACTS_H
#define CONTACT_CONTACTS_H

#include "contact/grains.h"
#include "contact/penalty.h"
#include "model/collision/collision.h"

/// Surfaces of two materials.
typedef struct kai_contacts_pair {
    kai_contact_coefficients both; // used by both methods
    double compliance;             // m/N, NSC
    double damping;                // s, NSC
    uint32_t law;                  // of the penalty method, which of kai_contacts.laws
} kai_contacts_pair;

/// Which spheres are in the list of kai_grains, and what is known of it.
typedef struct kai_contacts_spheres {
    uint64_t made_for[4]; // versions of items, settings and materials, and whether there may be any
    size_t count;
    size_t item, slot; // where they begin, with `row`
    bool row;          // items and slots of all follow each other
    bool alike;        // they have the same mass and moments
    bool fixed;        // some of them never move
    bool alone;        // all other items are walls
    kai_array kind;    // uint8_t [items]: sphere, wall or neither; empty with `row`
    kai_array shape;   // uint32_t [bodies]: id index of their shapes, 0: none; likewise
    bool listed;       // the list is for the present items and settings
    uint64_t layout;   // of items: bodies that come and go without another one are followed
    kai_array
        pending; // kai_contacts_pending: histories that wait for a list (contacts_grains_follow.h)
    kai_array dropped;    // size_t: room for places of pairs
    bool inside;          // the next search may take it that all are inside their skin boxes
    bool kept;            // grains.last holds the list as it was before the step
    bool deferred_before; // world->contacts_deferred before the step
    // The last step
    bool summed; // sums hold what acts on them
    bool forces; // forces of contacts were kept
    double step; // s
    // A step for which it is known who has left its skin box, s (0: none), and steps before it
    double checked_for;
    uint64_t checked_at;
} kai_contacts_spheres;

/// How a contact has moved since the step before.
typedef struct kai_contacts_moved {
    kai_vec3 place;  // against the mass centre of a, world axes, m
    kai_vec3 normal; // world axes
    double gap;      // m, the larger one of both steps
    bool known;      // it was there
} kai_contacts_moved;

typedef struct kai_contacts {
    kai_world* world; // whose they are
    kai_memory* memory;
    size_t count;          // contacts of the last step
    bool busy;             // between kai_contacts_find and kai_contacts_end
    double elastic_before; // world->contact_elastic at kai_contacts_find

    kai_array force; // kai_wrench [count]: on b at the point, and couple on b; world

    // Coefficients: pairs[ma * materials + mb], materials by id index, 0 the default one
    kai_array pairs;   // kai_contacts_pair
    kai_array laws;    // kai_penalty_law: those of pairs, each once; then the same again, `instant`
    kai_array law_ids; // kai_contact_law: of each
    kai_array law_params; // double: their parameters one after the other, as pairs have them
    size_t materials;
    uint64_t materials_version;
    bool rolls;   // some pair has rolling or spinning friction
    bool sticks;  // … cohesion
    bool bounces; // … restitution

    // Sums over the contacts of a body, made when they are asked for
    kai_array first;     // uint32_t [bodies + 1]: its first place in `incidence`
    kai_array incidence; // uint32_t [2 count]: contact << 1, + 1 where the body is b
    kai_array sums;      // kai_wrench [bodies]: force, and moment about the mass centre; world
    bool summed;

    // Forces at the end of a step, see contacts_instant.h
    kai_array history; // kai_contact_history [count]: what contacts remember of the step before
    kai_array frozen;  // kai_contacts_frozen [count]: where they act on their bodies
    kai_array kept;    // kai_contact_memory: those before a step that is divided into parts

    // Contacts of the step before
    kai_array previous; // kai_contact_memory
    kai_array keys;     // uint64_t: a << 32 | b by item, of the contacts now; ascending
    kai_array old_keys; // uint64_t: of `previous`
    kai_array moved;    // kai_contacts_moved [count], NSC
    uint64_t items_for; // version of items that `keys` are for

    // Spheres whose pairs have a list of their own; see contacts_grains.h
    kai_grains grains;
    kai_contacts_spheres spheres;
    bool fast;  // in this step they are those of the list
    bool plain; // never; tests compare both ways

    uint64_t reach_for[2]; // versions of items and settings that world->contact_reach is for
} kai_contacts;

/// The contacts of a world, made when first asked for.
kai_result kai_contacts_get(kai_world* world, kai_contacts** out, kai_error* err);

/// What a step wants of its contacts.
typedef struct kai_contacts_options {
    double h;           // s, length of the step
    double lead;        // s, spheres are found where they will be so long after the present state
    bool spheres_alone; // spheres and walls are all that can touch
    bool no_undo;       // the step keeps no copy: what contacts remember changes only when nothing
                        // can fail any more
    bool unobserved;    // a step between equal ones, where nobody reads or changes the state:
                        // forces need not be stored
} kai_contacts_options;

/// Brings items, coefficients and settings up to date, before contacts are found.
kai_result kai_contacts_prepare(kai_contacts* c, kai_world* world, kai_error* err);

/// Finds the contacts at the present positions and what each of them had in the step before, also
/// when they were found in this step already. Fast bodies that will meet within h have contacts too
/// (NSC).
kai_result kai_contacts_find(kai_contacts* c, kai_world* world, const kai_contacts_options* options,
                             kai_error* err);

/// Ends a step: keeps what it left in memory and force, or puts the step before back.
void kai_contacts_end(kai_contacts* c, kai_world* world, bool keep);

/// The coefficients of contact i.
const kai_contacts_pair* kai_contacts_pair_of(const kai_contacts* c, const kai_world* world,
                                              size_t i);

/// Sums the forces of contacts body by body, in the order of contacts; once a step.
kai_result kai_contacts_sum(kai_contacts* c, kai_world* world, kai_error* err);

/// Those sums, by slot; NULL where the last step had no contacts or nobody has asked for them.
static inline const kai_wrench* kai_contacts_sums(const kai_world* world)
{
    const kai_contacts* c = world->contact;
    return c && c->summed && kai_contact_report_count(world) > 0 ? c->sums.data : NULL;
}

/// The penalty law of a pair of materials.
static inline const kai_penalty_law* kai_contacts_law(const kai_contacts* c,
                                                      const kai_contacts_pair* pair)
{
    return (const kai_penalty_law*)c->laws.data + pair->law;
}

/// The same at an instant, for implicit integrators.
static inline const kai_penalty_law* kai_contacts_law_instant(const kai_contacts* c,
                                                              const kai_contacts_pair* pair)
{
    return kai_contacts_law(c, pair) + c->law_ids.count;
}

/// Combines materials, and finds their laws, anew where some have changed.
kai_result kai_contacts_update_pairs(kai_contacts* c, kai_world* world, kai_error* err);

/// Penalty forces of the contacts found, at the present velocities. `*heat` is the energy they turn
/// into heat in the step, J. With `no_undo`, forces that are not finite are no error, but told by
/// world->contact_elastic or `*heat`.
kai_result kai_contacts_push(kai_contacts* c, kai_world* world, const kai_contacts_options* options,
                             double* heat, kai_error* err);

/// Those forces by slot of the bodies, torques in the world frame; NULL: nothing touches.
static inline const kai_wrench* kai_contacts_forces(const kai_contacts* c, const kai_world* world)
{
    return c->fast || world->collision->proximity.contact_count > 0 ? c->sums.data : NULL;
}

/// What contact i keeps.
static inline kai_contact_memory* kai_contacts_memory(const kai_world* world, size_t i)
{
    return (kai_contact_memory*)world->contact_memory.data + i;
}

/// The slots of the bodies of contact i, with KAI_BROAD_FIXED where one never moves.
static inline void kai_contacts_owners(const kai_world* world, size_t i, uint32_t* a, uint32_t* b)
{
    const kai_proximity* p = &world->collision->proximity;
    *a = kai_proximity_owner(p, p->contacts[i].a);
    *b = kai_proximity_owner(p, p->contacts[i].b);
}

/// Where the contact acts: half way between the two surfaces.
static inline kai_vec3 kai_contacts_point(const kai_contact* contact)
{
    return kai_vec3_scale(kai_vec3_add(contact->point_a, contact->point_b), 0.5);
}

/// Where it acts on a and on b. Points that do not face each other belong to surfaces that will
/// meet in the course of the step: it acts where each of them will be touched.
static inline void kai_contacts_points(const kai_contact* contact, kai_vec3* a, kai_vec3* b)
{
    const kai_vec3 d = kai_vec3_sub(contact->point_b, contact->point_a);
    const kai_vec3 aside = kai_vec3_mul_add(d, contact->normal, -contact->gap);
    if (kai_vec3_norm2(aside) > 1e-12 * kai_vec3_norm2(d)) {
        *a = contact->point_a;
        *b = contact->point_b;
    } else {
        *a = *b = kai_contacts_point(contact);
    }
}

/// Moves these where surfaces of flexible bodies ask for it; see contacts_surface_map.h.
void kai_contacts_surface_map_place(const kai_world* world, size_t i, kai_vec3 at[2]);

/// Where contact i acts on its sides. A body that comes to one that never moves is hit, in the
/// course of the step (NSC), when there is no gap any more: at its own surface.
static inline void kai_contacts_places(const kai_world* world, size_t i, kai_vec3 at[2])
{
    const kai_proximity* p = &world->collision->proximity;
    const kai_contact* contact = &p->contacts[i].contact;
    kai_contacts_points(contact, &at[0], &at[1]);
    if (contact->gap > 0.0 && world->contact_def.method == KAI_CONTACT_NSC) {
        if (kai_proximity_owner(p, p->contacts[i].a) & KAI_BROAD_FIXED)
            at[0] = at[1] = contact->point_b;
        else if (kai_proximity_owner(p, p->contacts[i].b) & KAI_BROAD_FIXED)
            at[0] = at[1] = contact->point_a;
    }
    if (world->collision->surface.facets.count > 0) kai_contacts_surface_map_place(world, i, at);
}

#endif
