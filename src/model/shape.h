// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of model/ needs of shapes.
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "model/world.h"

/// Checks the common part of a shape.
kai_result kai_shape_check(const kai_world* world, const kai_shape_def* def, kai_error* err);

/// Fixes a shape, whose common part was checked, to the body in a slot.
kai_result kai_shape_add(kai_world* world, size_t slot, const kai_shape_kind* kind,
                         const void* params, const kai_shape_def* def, kai_shape* out,
                         kai_error* err);

/// Prepares every shape of a store that was read from a file: hulls, trees of boxes.
kai_result kai_shape_prepare_all(kai_store* shapes, kai_error* err);

/// A copy of an instance, prepared aside where its kind asks for it. Tables stay the caller's.
kai_result kai_shape_copy(const kai_shape_kind* kind, const void* params, kai_memory* memory,
                          void** out, kai_error* err);
void kai_shape_copy_free(const kai_shape_kind* kind, void* copy, kai_memory* memory);

/// Gives back what preparing built, before the store itself is freed.
void kai_shape_release_all(kai_store* shapes);

/// Volume, centre and inertia for density 1 of a shape, its margin included, in its own frame.
kai_result kai_shape_mass_of(const kai_world* world, kai_shape shape, kai_mass_properties* out,
                             kai_error* err);

#endif
