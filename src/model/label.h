// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Names of things for messages: a user knows bodies, joints, forces and structures by their names,
// and never the numbers that the engine gives them.
#ifndef MODEL_LABEL_H
#define MODEL_LABEL_H

#include "model/world.h"

#define KAI_LABEL_SIZE 512 ///< room for a text of kai_label_describe

/// Names the body in a slot: "body 'arm'", "particle 7 of 'gravel'", "node 12 of structure 'cable'"
/// where the body stands for a node or a piece of the surface of a structure, or "body #3".
void kai_label_body(const kai_world* world, size_t slot, char* out, size_t size);

/// Names the structure that a node (`elements` false) or an element of this id index belongs to,
/// and its number there: "node 12 of structure 'cable'". False where it is part of none.
bool kai_label_structure(const kai_world* world, bool elements, uint32_t index, bool frames,
                         char* out, size_t size);

/// Names a load or joint with what it acts on: "spring 's' between body 'a' and body 'b'".
void kai_label_describe(const kai_world* world, const kai_store* store, size_t batch, size_t index,
                        char* out, size_t size);

/// Names a parameter of a load or joint whose function of time gives a number that is not finite:
/// "its torque is nan"; false and "" when there is none.
bool kai_label_value(const kai_world* world, const kai_store* store, size_t batch, size_t index,
                     double time, char* out, size_t size);

/// Names the first load whose forces, as last evaluated, are not finite: KAI_ERROR_DIVERGED. KAI_OK
/// when there is none.
kai_result kai_label_load_failed(const kai_world* world, double time, kai_error* err);

/// A number for a message: NaN without a sign, which says nothing.
static inline double kai_label_number(double x) { return isnan(x) ? (double)NAN : x; }

/// The place and velocity of a body that is so far off that its numbers overflow: "; body 'a' is at
/// …"; "" for others.
void kai_label_overflow(const kai_world* world, size_t slot, char* out, size_t size);

#endif
