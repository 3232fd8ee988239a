// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The contacts of a world, gathered for a frame.
#ifndef RECORD_TRAJECTORY_CONTACTS_H
#define RECORD_TRAJECTORY_CONTACTS_H

#include "record/trajectory/trajectory.h"

/// Memory that frames share. A zeroed one is empty.
typedef struct kai_trajectory_contacts_list {
    double* numbers;  // [10 * capacity]
    uint32_t* bodies; // [2 * capacity]
    size_t capacity;
} kai_trajectory_contacts_list;

/// The contacts that were found last, at most KAI_TRAJECTORY_CONTACTS of them. What `out` points to
/// is valid until the next call.
kai_result kai_trajectory_contacts_gather(kai_trajectory_contacts_list* list, kai_world* world,
                                          kai_trajectory_contacts* out, kai_error* err);

/// Gives the memory back.
void kai_trajectory_contacts_free(kai_trajectory_contacts_list* list);

#endif
