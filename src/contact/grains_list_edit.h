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

/// Prefetches what is near the spheres in a list of slots, before the k-th of them is looked at;
/// k = 0, 1, 2 …
void kai_grains_list_edit_prefetch(const kai_grains* grains, const uint32_t* slots, size_t count,
                                   size_t k);

/// Slots below `end` of spheres that may touch a sphere while skin boxes hold; how many there are,
/// SIZE_MAX: too many. What is near is read only: several threads may ask.
size_t kai_grains_list_edit_near(const kai_grains* grains, const kai_cell_list_points* points,
                                 uint32_t slot, uint32_t end, uint32_t out[KAI_CELL_LIST_ROW]);

/// A pair that a sphere has with another one.
typedef struct kai_grains_list_edit_pair {
    size_t place;
    uint32_t other; // slot
} kai_grains_list_edit_pair;

/// The pairs of a sphere with others that may touch it; how many there are, of which those beyond
/// `room` are not written; SIZE_MAX: too many are near it.
size_t kai_grains_list_edit_pairs(const kai_grains* grains, const kai_cell_list_points* points,
                                  uint32_t slot, kai_grains_list_edit_pair* out, size_t room);

/// The pair at a place is no more.
void kai_grains_list_edit_drop(kai_grains* grains, size_t place);

/// The sphere in a slot is gone from there, after all its pairs with others were dropped.
void kai_grains_list_edit_leave(kai_grains* grains, uint32_t slot);

/// Room for `count` bodies, of which `spheres` are in the slots from skin_box_slot on.
kai_result kai_grains_list_edit_reserve(kai_grains* grains, size_t count, size_t spheres,
                                        kai_error* err);

/// There are so many now, for whom there is room; pairs of those that had the slots beyond are dropped.
void kai_grains_list_edit_resize(kai_grains* grains, size_t count, size_t spheres);

/// A sphere came to a slot: its skin box is laid where it is. False: there is no room, make the list
/// anew.
bool kai_grains_list_edit_come(kai_grains* grains, const kai_cell_list_points* points,
                               uint32_t slot);

/// Lists its pairs with those near it and with walls. False: as above. When all is done,
/// kai_grains_list_make_sums is to be called if the list is no longer `summed`.
bool kai_grains_list_edit_meet(kai_grains* grains, const kai_cell_list_points* points,
                               uint32_t slot, const uint32_t* near, size_t count);

#endif
