// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes that may meet while contacts have no effect.
#ifndef MODEL_COLLISION_UNHEEDED_H
#define MODEL_COLLISION_UNHEEDED_H

#include "model/world.h"

/// Warns, naming two bodies, where contacts have no effect and the boxes around two bodies will
/// meet within `span` seconds of free flight. One of the two moves freely: no chain of joints and
/// loads holds it to something fixed, nor the one to the other. For scenes that do not say
/// themselves that they want no contact. Looks at the first bodies only.
kai_result kai_collision_unheeded(kai_world* world, double span, kai_error* err);

#endif
