// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pairs of materials that are given explicitly.
#ifndef MODEL_MATERIAL_PAIR_H
#define MODEL_MATERIAL_PAIR_H

#include "model/world.h"

/// The pair of two materials by id index, in either order; NULL when it is not given.
const kai_material_pair_def* kai_material_pair_between(const kai_store* pairs, uint32_t a,
                                                       uint32_t b);

#endif
