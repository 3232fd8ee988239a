// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Spheres that leave their skin_boxes long before the others do. In a bed they are few: of a million,
// ten have left when nearly all others have used less than half of their play. Each gets a new
// skin_box, and the list the pairs that come with it, in their places, so that it lasts longer: a
// million packed spheres need 3 lists in 100 steps instead of 5. Results do not show it: what a
// list holds beside what touches adds nothing.
//
// A sphere costs some 50 µs: a look at the skin_boxes of the blocks around it, and pairs behind the new
// ones moved by one. A new list costs 0.3 µs for each sphere there is.
#ifndef CONTACT_GRAINS_LIST_REPAIR_H
#define CONTACT_GRAINS_LIST_REPAIR_H

#include "contact/contacts_list_check.h"

/// Mends a list that was made from cells, for spheres of the blocks in watch->left. False: they are
/// too many, or there is no room; the list is to be made anew, and has all histories.
bool kai_grains_list_repair(kai_grains* grains, const kai_contacts_list_check* watch,
                            const kai_cell_list_points* points);

#endif
