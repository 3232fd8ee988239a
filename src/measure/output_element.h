// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Outputs about finite elements and structures of them.
#ifndef MEASURE_OUTPUT_ELEMENT_H
#define MEASURE_OUTPUT_ELEMENT_H

#include "measure/output_table.h"

#include <kairos/structure.h>

/// The kind of element that an output looks at, NULL when there is none.
const kai_element_kind* kai_output_element_kind(const kai_world* world, const kai_output_def* def);

/// Result i of a kind's own that kai_output_element_table does not have, NULL after the last.
const kai_element_result* kai_output_element_own(const kai_element_kind* kind, int i);

/// Its numbers.
kai_result kai_output_element_result(kai_world* world, const kai_output_subject* s, int i,
                                     double* out, kai_error* err);

/// Whether the kind has quantity i.
bool kai_output_element_offers(const kai_world* world, const kai_output_def* def, int i);

/// Says what is wrong with an element, a structure, a set, a place or a quantity.
kai_result kai_output_element_check(const kai_world* world, const kai_output_def* def,
                                    kai_error* err);

/// The number of the element in its structure, 0 where it has none.
size_t kai_output_element_number(const kai_world* world, const kai_output_def* def);

/// Marks the nodes of a set by the index of their ids; free() them. NULL: all.
kai_result kai_output_element_mark(const kai_world* world, const kai_output_def* def,
                                   uint8_t** inside, size_t* size, kai_error* err);

/// Whether an element has a node that is marked.
bool kai_output_element_is_in(const kai_world* world, kai_element element, const uint8_t* inside,
                              size_t size);

#endif
