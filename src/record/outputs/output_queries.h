// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Outputs that ask about the present state: rays, nearest surfaces, overlaps.
#ifndef RECORD_OUTPUT_QUERIES_H
#define RECORD_OUTPUT_QUERIES_H

#include "record/outputs/output.h"

/// Asks the query of an output that has one, so that the values of its quantities are known.
kai_result kai_output_queries_ask(kai_world* world, const kai_output_def* def,
                                  kai_output_subject* subject, kai_error* err);

/// Checks the query of a definition.
kai_result kai_output_queries_check(const kai_world* world, const kai_output_def* def,
                                    kai_error* err);

#endif
