// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Numbers of bodies that colours show: kai_trajectory_field of kairos/output.h, of many bodies at
// once.
#ifndef RECORD_TRAJECTORY_FIELDS_H
#define RECORD_TRAJECTORY_FIELDS_H

#include "base/error.h"

#include <kairos/output.h>

/// The word and the unit of a field.
const char* kai_trajectory_fields_word(size_t field);
const char* kai_trajectory_fields_unit(size_t field);

/// The words of all fields, ended by NULL.
extern const char* const kai_trajectory_fields_words[];

/// Memory that calls share. A zeroed one is empty.
typedef struct kai_trajectory_fields {
    double* load;    // [capacity] N, by slot
    uint32_t* count; // [capacity]
    size_t capacity;
} kai_trajectory_fields;

/// Looks at contacts, once for the present state, where `fields` (bits) need it. Before any
/// kai_trajectory_fields_gather of that state.
kai_result kai_trajectory_fields_look(kai_trajectory_fields* scratch, kai_world* world,
                                      uint32_t fields, kai_error* err);

/// Numbers of one field: `out` receives [count], double or float, of the bodies in these slots;
/// UINT32_MAX is none, whose number becomes NaN.
void kai_trajectory_fields_gather(const kai_trajectory_fields* scratch, const kai_world* world,
                                  size_t field, const uint32_t* slot, size_t count, bool doubles,
                                  void* out);

/// Gives the memory back.
void kai_trajectory_fields_free(kai_trajectory_fields* scratch);

#endif
