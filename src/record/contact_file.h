// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contact in checkpoints: settings, and what contacts remember.
#ifndef RECORD_CONTACT_FILE_H
#define RECORD_CONTACT_FILE_H

#include "model/world.h"
#include "record/h5.h"

/// Writes both to a group.
kai_result kai_contact_file_write(const kai_world* world, hid_t group, kai_error* err);

/// Reads both from a group. Nothing in it is believed.
kai_result kai_contact_file_read(hid_t group, kai_memory* memory, kai_contact_def* def,
                                 kai_array* remembered, double* elastic, kai_error* err);

#endif
