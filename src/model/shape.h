// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of model/ needs of shapes.
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "model/world.h"

/// Checks the common part of a shape.
kai_result kai_shape_check(const kai_world* world, const kai_shape_def* def, kai_error* err);

/// Destroys all shapes of the body in a slot, which is to be removed itself. What it shares with other
/// particles stays as it is. There is memory for it after kai_shape_prepare_destroy_all.
kai_result kai_shape_prepare_destroy_all(kai_world* world, size_t slot, kai_error* err);
void kai_shape_destroy_all(kai_world* world, size_t slot);

/// Fixes a shape, whose common part was checked, to the body in a slot.
kai_result kai_shape_add(kai_world* world, size_t slot, const kai_shape_kind* kind,
                         const void* params, const kai_shape_def* def, kai_shape* out,
                         kai_error* err);

/// Fixes equal shapes, whose common part was checked, to `count` bodies that will have ids in a row
/// from `body` on: ids `*first` and following. Their cold records are the caller's to set.
/// KAI_ERROR_LIMIT where they cannot be a run.
kai_result kai_shape_add_run(kai_world* world, const kai_shape_kind* kind, const void* params,
                             const kai_shape_def* def, uint32_t body, size_t count, uint32_t* first,
                             kai_error* err);

/// Whether shapes may be a run: they own nothing and lie at the origin of their body. And the last
/// run taken back.
bool kai_shape_can_run(const kai_shape_kind* kind, const kai_shape_def* def);
void kai_shape_drop_run(kai_world* world);

/// Makes a run of shapes that were read from a file, `count` ids from `first` on, where they can be
/// one. `records` and `runs` are those of the world that the store is for.
kai_result kai_shape_fold(kai_store* shapes, kai_array* records, kai_array* runs, uint32_t first,
                          size_t count, kai_error* err);

/// Prepares every shape of a store that was read from a file: hulls, trees of boxes.
kai_result kai_shape_prepare_all(kai_store* shapes, kai_error* err);

/// A copy of parameters for a kind of the store, prepared aside where it asks for that. Tables stay
/// the caller's.
kai_result kai_shape_copy(const kai_shape_kind* kind, const void* params, kai_memory* memory,
                          void** out, kai_error* err);
void kai_shape_copy_free(const kai_shape_kind* kind, void* copy, kai_memory* memory);

/// Gives back what preparing built, before the store itself is freed.
void kai_shape_release_all(kai_store* shapes);

/// Volume, centre and inertia for density 1 of a shape, its margin included, in its own frame.
kai_result kai_shape_mass_of(const kai_world* world, kai_shape shape, kai_mass_properties* out,
                             kai_error* err);

/// The table in the store of a shape, NULL for an id that leads nowhere.
const kai_shape_kind* kai_shape_table(const kai_world* world, kai_shape shape);

/// Whether shapes of a kind may have a volume; and the bounds of one as kai_shape_kind.bounds says,
/// false: it has none. `kind` is the table in the store.
bool kai_shape_has_volume(const kai_shape_kind* kind);
bool kai_shape_bounds(const kai_shape_kind* kind, const void* instance, const kai_mat33* rotation,
                      kai_vec3* centre, kai_vec3* half);

/// Half the least width of a shape by id index, its margin included, m: of a sphere the radius.
/// HUGE_VAL for surfaces without end, flat sheets and kinds without bounds.
double kai_shape_half_width(const kai_world* world, uint32_t index);

/// The least of all shapes of a world, margins left out.
double kai_shape_least_half_width(const kai_world* world);

#endif
