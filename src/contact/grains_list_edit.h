// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Changes of a list of pairs that cost what changes, not what the list has: a sphere gets another skin
// box, comes, goes, or takes another slot. Whoever is near is found in a table of skin boxes by cells
// (proximity/cell_hash.h), which is made when a list is first changed.
//
// A list holds pairs in the order (a, b). Pairs that are no more keep their place in it as pairs with
// nobody, and those that come take such a place where there is one beside them; else the pairs behind
// them move up, at most one block's.
#ifndef CONTACT_GRAINS_LIST_EDIT_H
#define CONTACT_GRAINS_LIST_EDIT_H

#include "contact/grains.h"

/// Gets ready for changes of a list from cells. `*ready` false: it cannot be changed.
kai_result kai_grains_list_edit_begin(kai_grains* grains, bool* ready, kai_error* err);

/// The place of a pair of spheres among entries and histories; SIZE_MAX: it is not in the list.
size_t kai_grains_list_edit_find(const kai_grains* grains, uint32_t slot, uint32_t other);

/// Likewise of a sphere and a wall.
size_t kai_grains_list_edit_find_wall(const kai_grains* grains, uint32_t slot, uint32_t wall);

/// Places of all pairs of a sphere with walls; how many there are.
size_t kai_grains_list_edit_walls(const kai_grains* grains, uint32_t slot,
                                  size_t places[KAI_GRAINS_WALLS]);

/// Slots of all spheres whose skin boxes overlap that of a sphere; how many there are, of which those
/// beyond `room` are not written.
size_t kai_grains_list_edit_near(const kai_grains* grains, uint32_t slot, uint32_t* out,
                                 size_t room);

/// The pair at a place is no more.
void kai_grains_list_edit_drop(kai_grains* grains, size_t place);

/// The sphere in a slot is gone from there, after all its pairs with others were dropped.
void kai_grains_list_edit_leave(kai_grains* grains, uint32_t slot);

/// Room for `count` bodies, of which `spheres` are in the slots from skin_box_slot on; pairs of those
/// that had the slots beyond are dropped.
kai_result kai_grains_list_edit_resize(kai_grains* grains, size_t count, size_t spheres,
                                       kai_error* err);

/// Lists the pairs of a sphere that came to a slot; its skin box is laid where it is. `*more`: a block
/// has another ghost, so that kai_grains_list_make_sums is to be called when all is done. False: there
/// is no room, make the list anew.
bool kai_grains_list_edit_come(kai_grains* grains, const kai_cell_list_points* points,
                               uint32_t slot, bool* more);

#endif
