// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The spring with which a viewer drags a body.
#ifndef VIEW_LIVE_DRAG_H
#define VIEW_LIVE_DRAG_H

#include "model/world.h"

typedef struct kai_live_drag_params {
    kai_body body;
    kai_vec3 point;            // that is pulled, own frame
    kai_vec3 target;           // world
    double step;               // s; of the run
    double stiffness, damping; // hidden: from the mass
    kai_vec3 inner;            // hidden: the point in the principal frame
} kai_live_drag_params;

/// Force -k (p - target) - c ṗ at the point p, critically damped for the mass of the body. Stands
/// in no scene and in no checkpoint: it lasts as long as somebody drags.
extern const kai_load_kind kai_live_drag;

#endif
