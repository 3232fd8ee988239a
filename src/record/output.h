// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What outputs can write, and its value now. See kairos/output.h.
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include <kairos/output.h>

/// Most numbers of one quantity.
#define KAI_OUTPUT_COMPONENTS 6

/// Values of a quantity of a body, a particle's body, or (body null) the system.
kai_result kai_output_value(kai_world* world, kai_output_target target, int quantity, kai_body body,
                            double out[KAI_OUTPUT_COMPONENTS], kai_error* err);

/// True when the quantity needs accelerations to be kept.
bool kai_output_needs_acceleration(kai_output_target target, int quantity);

/// Checks a definition: target there, quantities known, file name plain, no negative or non-finite
/// interval.
kai_result kai_output_check(const kai_world* world, const kai_output_def* def, kai_error* err);

#endif
