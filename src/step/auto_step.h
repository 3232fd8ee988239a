// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A step for a world, where none is given: the shortest of what each of these asks for.
//
//     gravity      (d / g)^½ / 100: d, the size of the smallest body that moves
//     loads        a fifteenth of what is stable: about a twentieth of the shortest period
//                  (explicit methods, fastest_mode.h)
//     joints       half of what is stable under the forces that they have at first (likewise)
//     contact smc  the longest safe step (explicit methods)
//     turning      a hundredth of a turn, of bodies at the start and of motors at their fastest
//     motion       with contact, a fifth of the size of a body at the speed of the start
//     functions    of time, of motors and forces: a hundredth of their time, 2π max|f'| / max|f''|
//     the run      a thousandth of it
//
// The size is twice the radius of gyration; with contact also the smallest width of a shape, where
// that is less; of meshes of finite elements the mean distance of nodes on a surface of as many.
#ifndef STEP_AUTO_STEP_H
#define STEP_AUTO_STEP_H

#include "model/world.h"

/// The step, rounded down to 1, 1.25, 2, 2.5, 4, 5 or 8 times a power of ten if the run to `end` is a
/// whole number of such steps, else to one that divides it. `text` says what it follows from.
kai_result kai_auto_step(kai_world* world, double end, double* step, char* text, size_t size,
                         kai_error* err);

#endif
