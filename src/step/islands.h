// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Islands: bodies that touch each other, directly or through others that move. An island falls
// asleep as a whole after a step, and is woken as a whole within one, as soon as its contacts are
// known and before anything is computed from them.
#ifndef STEP_ISLANDS_H
#define STEP_ISLANDS_H

#include "model/world.h"

/// Wakes islands that a body which is awake is in contact with, by the contacts last found. True:
/// contacts are to be found again.
bool kai_islands_wake(kai_world* world);

/// After a step of h: counts how long bodies have been at rest, and lets islands fall asleep.
kai_result kai_islands_rest(kai_world* world, double h, kai_error* err);

#endif
