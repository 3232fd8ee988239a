// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which contacts of a world go the fast way of grains.h, and how they come back among the others.
//
// Spheres about the mass centre of a body that has no other shape, by penalty, with a law that
// grains.h knows: their pairs are taken out of the broad phase's and listed there. What they
// remember stays with the list. It joins world->contact_memory, and their contacts and forces join
// those of all others, when somebody asks: a report, a checkpoint, a change of items or settings.
#ifndef CONTACT_CONTACTS_GRAINS_H
#define CONTACT_CONTACTS_GRAINS_H

#include "contact/contacts.h"
#include "contact/contacts_list_check.h"

/// What the sphere in a slot of the row of spheres is.
kai_grains_sphere kai_contacts_grains_sphere(const kai_contacts* c, size_t slot);

/// Where spheres will be when contacts are found, as the last step had it.
kai_cell_list_points kai_contacts_grains_points(const kai_contacts* c);

/// Fills `watch` for the next step; false: pairs are to be checked in the usual way.
bool kai_contacts_grains_watch(const kai_contacts* c, const kai_world* world,
                               kai_contacts_list_check* watch);

/// Slots [*begin, *end) whose bodies have the same mass and moments; none: *begin is *end.
void kai_contacts_grains_uniform(const kai_contacts* c, size_t* begin, size_t* end);

/// Gives those that will have left their skin_boxes after `lead` new ones; false: pairs are to be found
/// anew.
bool kai_contacts_grains_list_repair(kai_contacts* c, const kai_world* world,
                                     const kai_contacts_list_check* watch, double lead);

/// Says what was seen: all inside, or not.
void kai_contacts_grains_seen(kai_contacts* c, kai_world* world, bool inside);

/// Notes that for the step after this one, of h (0: of no length), it is known which blocks have
/// left their skin_boxes or are wild; and whether that was noted for the present one.
void kai_contacts_grains_cache_list_check(kai_contacts* c, const kai_world* world, double h);
bool kai_contacts_grains_cache_list_check_valid(const kai_contacts* c, const kai_world* world,
                                                double h);

/// Before contacts are found: whether and which spheres go the fast way in this step.
kai_result kai_contacts_grains_begin(kai_contacts* c, kai_world* world, kai_error* err);

/// Finds the contacts of a step in which spheres are in the list: those of all others, and pairs for
/// the list where it does not hold. `alone`: the step looks for nothing but the list's.
kai_result kai_contacts_grains_find(kai_contacts* c, kai_world* world,
                                    const kai_collision_ahead* ahead, bool alone, kai_error* err);

/// Their forces: `sums` of all bodies are written, energy and heat (W) added.
kai_result kai_contacts_grains_push(kai_contacts* c, kai_world* world,
                                    const kai_contacts_options* options, double* energy,
                                    double* heat, kai_error* err);

/// Whether nothing but them and walls can touch, so that a step may take the way of
/// kai_contacts_grains_step: this follows from the scene alone. Before contacts are found.
kai_result kai_contacts_grains_alone(kai_contacts* c, kai_world* world, bool* alone,
                                     kai_error* err);

/// Their forces options->lead ahead of the present state, given to `finish` as soon as all that acts
/// on some bodies is known. `*heat` as in kai_contacts_push.
kai_result kai_contacts_grains_step(kai_contacts* c, kai_world* world,
                                    const kai_contacts_options* options,
                                    kai_grains_finish_fn* finish, void* context, double* heat,
                                    kai_error* err);

/// Puts them among the other contacts of the last step.
kai_result kai_contacts_grains_gather(kai_world* world, kai_error* err);

/// Puts only what they remember among what all contacts do, for a file.
kai_result kai_contacts_grains_remember(kai_world* world, kai_error* err);

/// Ends a step. One that fails leaves them as they were.
void kai_contacts_grains_end(kai_contacts* c, kai_world* world, bool keep);

#endif
