// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sections of scenes that programs have registered, with the items that were made.
#ifndef MODEL_SECTION_H
#define MODEL_SECTION_H

#include "model/world.h"

#include <kairos/section.h>

typedef struct kai_section_record {
    kai_section table;        // the program's, slots that it lacks NULL
    const kai_section* given; // the program's own
    kai_store items;          // instances of its kinds
} kai_section_record;

/// The i-th section of a world, in order of registration; NULL beyond the last.
const kai_section_record* kai_section_at(const kai_world* world, size_t i);

#endif
