// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies in the order of space: neighbours share cache lines and pages. Ids, names, groups, joints,
// loads and files do not see it.
#ifndef MODEL_BODY_ORDER_H
#define MODEL_BODY_ORDER_H

#include "base/error.h"

#include <kairos/world.h>

/// Sorts the slots of bodies along a Morton curve through their centres of mass; bodies in one cell
/// of the curve, 1/1024 of the scene, stay in their order. Plans that know slots follow
/// (bodies_version, term_slots_version), integrators start anew, and two shapes of a contact may change places. Between
/// steps only.
kai_result kai_body_order(kai_world* world, kai_error* err);

/// How far apart in memory bodies are whose boxes overlap, by the pairs of the last contact search:
/// the mean of |slot - slot| over n^(2/3), the size of a layer, for n bodies. Below 1 in the order
/// of kai_body_order, n^(1/3) / 3 in random order: 15 for 100,000 bodies, 33 for a million. 0
/// without pairs. Sorting pays from about 4 on with more than 50,000 bodies.
double kai_body_order_spread(const kai_world* world);

#endif
