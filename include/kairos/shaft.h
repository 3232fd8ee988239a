// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shafts: coordinates that only turn. A driveline is made of them: an engine's crank, the two sides
// of a clutch, the wheels of a gearbox. A shaft has an angle, a speed and a moment of inertia, and
// no place in space. In scenes they stand under "shafts"; what couples them stands under
// "driveline": kinds of joints and of loads with SHAFT parameters (joint.h, load.h).
#ifndef KAIROS_SHAFT_H
#define KAIROS_SHAFT_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A shaft: what it is, and its state.
typedef struct kai_shaft_def {
    double inertia;      ///< kg m²
    double angle;        ///< rad, any number of turns
    double speed;        ///< rad/s
    bool fixed;          ///< it cannot turn
    double torque;       ///< sum of the loads last evaluated, N m; set by the engine
    double acceleration; ///< last evaluated, rad/s²; set by the engine
} kai_shaft_def;

/// Description of kai_shaft_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_shaft_kind;

/// The defaults: inertia 1 kg m², at rest.
KAI_API kai_shaft_def kai_shaft_def_default(void);

/// Adds a shaft. `name` may be NULL or "". KAI_ERROR_ARGUMENT for a value out of range.
KAI_API kai_result kai_shaft_create(kai_world* world, const kai_shaft_def* def, const char* name,
                                    kai_shaft* out);

/// Removes a shaft. KAI_ERROR_ARGUMENT while a joint, a load or a state names it.
KAI_API kai_result kai_shaft_destroy(kai_world* world, kai_shaft shaft);

/// The shaft as it stands.
KAI_API kai_result kai_shaft_get(const kai_world* world, kai_shaft shaft, kai_shaft_def* out);

/// Sets angle and speed.
KAI_API kai_result kai_shaft_set_motion(kai_world* world, kai_shaft shaft, double angle,
                                        double speed);

/// The shaft of a name, null when there is none; and the name of a shaft, "" when it has none.
KAI_API kai_shaft kai_shaft_find(const kai_world* world, const char* name);
KAI_API const char* kai_shaft_name(const kai_world* world, kai_shaft shaft); ///< "" without one

/// How many shafts the world has, and the i-th of them.
KAI_API size_t kai_shaft_count(const kai_world* world);
KAI_API kai_shaft kai_shaft_at_index(const kai_world* world, size_t i); ///< null beyond the last

#ifdef __cplusplus
}
#endif

#endif
