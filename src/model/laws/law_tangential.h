// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Friction: a spring k beside a dashpot g, both in line with a slider. With the spring's
// displacement u and the rate v of the whole, over a step of h:
//
//     T = k u + (g + k h) v, at most `slide` long once it is longer than the limit
//     u ← u + (T - k u) h / (g + k h)
//
// which is u + h v while it sticks; the slider takes what is left of v where it slides, and the
// spring goes on towards slide/k.
#ifndef MODEL_LAWS_LAW_TANGENTIAL_H
#define MODEL_LAWS_LAW_TANGENTIAL_H

#include "model/laws/law.h"

/// A displacement turned into the plane of the present normal n: its part there, times `turn`. With
/// turn = 1/√(1 - y), y = (u·n)²/|u|², it keeps its length.
KAI_LAW kai_vec3 kai_law_tangential_project(kai_vec3 u, kai_vec3 n, double un, double turn)
{
    return kai_vec3_make(turn * (u.x - un * n.x), turn * (u.y - un * n.y), turn * (u.z - un * n.z));
}

/// 1/√(1 - y) for y ≤ KAI_LAW_TANGENTIAL_TURN, to rounding: what the turn of one step leaves.
#define KAI_LAW_TANGENTIAL_TURN 1e-3
KAI_LAW double kai_law_tangential_turn(double y)
{
    return 1.0 + y * (0.5 + y * (0.375 + y * (0.3125 + y * 0.2734375)));
}

/// The same for any turn.
KAI_LAW kai_vec3 kai_law_tangential_carry(kai_vec3 u, kai_vec3 n)
{
    const double un = kai_vec3_dot(u, n), before = kai_vec3_norm2(u);
    const kai_vec3 t = kai_law_tangential_project(u, n, un, 1.0);
    const double after = kai_vec3_norm2(t);
    return after > 0.0 ? kai_vec3_scale(t, sqrt(before / after)) : t;
}

/// What a spring, dashpot and slider do in a step.
typedef struct kai_law_tangential_answer {
    kai_vec3 force; // against the motion
    kai_vec3 u;     // the spring's displacement after the step
    double energy;  // stored after the step, J
    double heat;    // power lost: all that the force does and the spring does not store, W
    bool slips;
} kai_law_tangential_answer;

/// `stored` is |u|² before it was turned; inverse_h is 1/h.
KAI_LAW kai_law_tangential_answer kai_law_tangential(kai_vec3 u, kai_vec3 v, double k, double g,
                                                     double limit, double slide, double stored,
                                                     double h, double inverse_h)
{
    const double q = g + k * h;
    double fx = k * u.x + q * v.x, fy = k * u.y + q * v.y, fz = k * u.z + q * v.z;
    const double size = sqrt(fx * fx + fy * fy + fz * fz);
    const bool slips = size > limit;
    // One division for 1/size and 1/q. What is added is nothing beside any q but that of surfaces
    // without spring and dashpot, or that do not touch.
    const double length = slips ? size : 1.0, part = 1.0 / (length * (q + 1e-300));
    const double keep = slips ? slide * q * part : 1.0, soft = h * (length * part);
    fx *= keep, fy *= keep, fz *= keep;
    const double ux = u.x + soft * (fx - k * u.x), uy = u.y + soft * (fy - k * u.y),
                 uz = u.z + soft * (fz - k * u.z);
    const double before = 0.5 * k * stored, after = 0.5 * k * (ux * ux + uy * uy + uz * uz);
    const double spent = fx * v.x + fy * v.y + fz * v.z - (after - before) * inverse_h;
    const double heat = slips ? kai_law_positive(spent) : g * (v.x * v.x + v.y * v.y + v.z * v.z);
    const kai_law_tangential_answer out = {kai_vec3_make(fx, fy, fz), kai_vec3_make(ux, uy, uz),
                                           after, heat, slips};
    return out;
}

#endif
