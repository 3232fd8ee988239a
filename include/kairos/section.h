// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sections of scenes of a program's own: lists like `joints`, whose items a toolkit describes and
// makes of bodies, joints, particles and whatever else a world holds.
//
//     "vehicles": [{"type": "cart", "name": "red", "at": [0, 0, 1], "track": "1.8 m"}]
//
// A kind describes the keys of an item as that of a load does (kind.h): defaults, ranges, units,
// formulas, references, positions in instances of templates, messages and "did you mean" follow from
// it. Items are made after joints, motors, forces and driveline and before sensors, signals, events
// and outputs, which may refer to what they made by name.
//
// A section is registered with the world's definition (kai_world_def.kinds.sections), so that it is
// there before a scene is read.
#ifndef KAIROS_SECTION_H
#define KAIROS_SECTION_H

#include <kairos/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A world: see world.h.
typedef struct kai_world kai_world;

struct kai_section;

/// One item of a section, as create() and finish() get it.
typedef struct kai_section_item {
    kai_world* world;
    const struct kai_section* section; ///< with its `context`
    const kai_kind* kind;              ///< of the item: one of section->kinds
    /// [kind->size] its parameters. create() may fill hidden ones, such as ids of the bodies that it
    /// made: finish() finds them there.
    void* instance;
    const char* name; ///< "" when it has none; in an instance of a template with the name before it
} kai_section_item;

/// Figures that a run derives at its end: its results.json.
typedef struct kai_section_results kai_section_results;

/// One figure.
typedef struct kai_section_figure {
    const char* name; ///< unique
    double value;     ///< finite
    const char* unit; ///< SI, "" for none
    const char* doc;  ///< one sentence
} kai_section_figure;

/// A section of scenes. Tables must outlive the worlds in which they are registered.
typedef struct kai_section {
    kai_kind_sizes sizes; ///< KAI_SIZES(kai_section)
    const char* name;     ///< key of scenes: small letters, digits and _, such as "vehicles"
    const char* item;     ///< what messages call one item, such as "vehicle"
    const char* doc;      ///< one or two sentences
    /// Kinds of items, ended by NULL, each with KAI_SIZES(kai_kind). They have no parameters `name`
    /// and `type`, which every item has.
    const kai_kind* const* kinds;
    bool typeless; ///< there is one kind, and items have no `type`
    /// Makes the item. A message goes to `err`; without one, that of the last call on the world that
    /// failed is told. A scene reports it at the item. What was made before a failure stays.
    kai_result (*create)(const kai_section_item* item, kai_error* err);
    /// Optional: at the end of a run that came to its end, item by item in their order: adds figures
    /// by kai_section_results_add. May evaluate the world, and must not change it.
    kai_result (*finish)(const kai_section_item* item, kai_section_results* results,
                         kai_error* err);
    void* context; ///< the program's own
} kai_section;

/// Adds a section to a world. KAI_ERROR_NAME when the world has one of that name; KAI_ERROR_ARGUMENT
/// when its description is not whole.
KAI_API kai_result kai_section_register(kai_world* world, const kai_section* section);

/// Makes an item of a section that is registered, as scenes do. `params`: what users give of an
/// instance of `kind`; start from kai_kind_defaults. `name` may be NULL. Items belong to what a world
/// is made of: kai_world_save keeps what they made, not the items.
KAI_API kai_result kai_section_create(kai_world* world, const kai_section* section,
                                      const kai_kind* kind, const void* params, const char* name);

/// How many items of a section there are; 0 for one that is not registered.
KAI_API size_t kai_section_count(const kai_world* world, const kai_section* section);

/// Adds a figure, from inside finish(). Texts are copied. Messages name the figure.
KAI_API kai_result kai_section_results_add(kai_section_results* results,
                                           const kai_section_figure* figure, kai_error* err);

/// Asks all items for their figures as the world stands: what runs do at their end. Give the results
/// to kai_section_results_free().
KAI_API kai_result kai_section_finish(kai_world* world, kai_section_results** out);

/// How many figures there are.
KAI_API size_t kai_section_results_count(const kai_section_results* results);

/// The i-th; NULL when out of range.
KAI_API const kai_section_figure* kai_section_results_at(const kai_section_results* results,
                                                         size_t i);

/// Gives results back. NULL is allowed.
KAI_API void kai_section_results_free(kai_section_results* results);

#ifdef __cplusplus
}
#endif

#endif
