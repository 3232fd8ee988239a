// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The fastest vibration or decay that loads make, which bounds the step of explicit methods: they
// are stable while h ω < 2 and h c < 2 (rk4: 2.8 and 2.78). ω² and c are the largest eigenvalues of
//
//     K x = ω² M x,   C x = c M x
//
// over all motions x that joints let through (rows with bounds are open), with the derivatives K and
// C of the forces of all loads by positions and velocities (tangents.h).
//
// Joints under force are stiff too: a chain that holds a weight swings across like a string, faster
// the more it holds and the lighter its links are. With `taut`, K also has the derivatives of Gᵀ λ.
#ifndef STEP_FASTEST_MODE_H
#define STEP_FASTEST_MODE_H

#include "step/constraints.h"

typedef struct kai_fastest_mode {
    uint32_t batch, index; // in the store of loads, or of joints: the one with the largest share
    bool joint;            // which of the two
    double rate;           // ω or c, 1/s; 0: no load resists
    double limit;          // of h times that
    bool damping;          // it is c
    bool turns;            // the largest part of the load's motion is one of turning
    double stiffness;      // N/m, N m/rad, N s/m or N m s/rad of the load in that direction
    double mass;           // that it meets, kg or kg m²
    double force;          // of a joint: N
} kai_fastest_mode;

/// Finds it at the present state. `joints`: rows evaluated at that state and factorised, without
/// tangents, or NULL: as if there were no joints. `taut`: with what their multipliers do. Rates come
/// out as they are or slightly too small.
kai_result kai_fastest_mode_find(kai_world* world, kai_constraints* joints, bool taut,
                                 kai_fastest_mode* out, kai_error* err);

/// "spring 'leaf': 1e+07 N/m on 0.5 kg swings with a period of 0.0014 s".
void kai_fastest_mode_describe(const kai_world* world, const kai_fastest_mode* mode, char* out,
                               size_t size);

/// What helps, apart from a shorter step: "make it softer, or use the integrator hht".
const char* kai_fastest_mode_advice(const kai_world* world);

/// The longest stable step of the world's integrator at the present state: HUGE_VAL where its
/// method is implicit or no load resists. With finite elements beside joints nothing is looked at
/// (HUGE_VAL). `text` names the load. The world stays as it is.
kai_result kai_fastest_mode_step(kai_world* world, double* step, char* text, size_t size,
                                 kai_error* err);

/// The same where it is joints that set it, by the forces that they have: HUGE_VAL where a load is
/// faster. `stepped`: forces are those of the last step, else they are found for the present state.
kai_result kai_fastest_mode_taut_step(kai_world* world, bool stepped, double* step, char* text,
                                      size_t size, kai_error* err);

/// What helps there, apart from a shorter step: "less different masses, or the integrator hht".
const char* kai_fastest_mode_taut_advice(const kai_world* world);

#endif
