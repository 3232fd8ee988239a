// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The tables of quantities, one a target. A new quantity is a getter and a line.
#ifndef RECORD_OUTPUT_TABLE_H
#define RECORD_OUTPUT_TABLE_H

#include "record/outputs/output.h"

/// A quantity and how its numbers are found.
typedef struct kai_output_table_item {
    kai_quantity shown;
    kai_result (*get)(kai_world* world, const kai_output_subject* s, double* out, kai_error* err);
    bool evaluated;   // needs accelerations, forces or reactions at the state that is shown
    unsigned offered; // JOINT: HAS_… of the kind; FORCE: kai_load_output_bit; 0: always
} kai_output_table_item;

/// The quantities of a target.
typedef struct kai_output_table {
    const kai_output_table_item* list;
    int count;
} kai_output_table;

extern const kai_output_table kai_output_node_table;
extern const kai_output_table kai_output_element_table;   ///< of ELEMENT and ELEMENTS
extern const kai_output_table kai_output_structure_table; ///< likewise
extern const kai_output_table kai_output_contact_table;

#define KAI_OUTPUT_LABELS(list) KAI_COUNT(list), list
#define KAI_OUTPUT_SCALAR       1, NULL

#endif
