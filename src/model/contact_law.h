// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contact laws of a world: instances of kinds in kai_world.laws.
#ifndef MODEL_CONTACT_LAW_H
#define MODEL_CONTACT_LAW_H

#include "model/world.h"

/// The built-in kinds, in the order of law_list.h; NULL when i is past the last.
const kai_contact_law_kind* kai_contact_law_built_in(size_t i);

/// Checks a kind that comes from outside: its description, and that it has what a law must have.
kai_result kai_contact_law_validate(const kai_contact_law_kind* kind, kai_error* err);

/// KAI_ERROR_ID for a law that is neither null nor one of the world's.
kai_result kai_contact_law_check(const kai_world* world, kai_contact_law law, kai_error* err);

/// The kind and the parameters of a law; `hertz` for null.
const kai_contact_law_kind* kai_contact_law_at(const kai_world* world, kai_contact_law law,
                                               const void** params);

#endif
