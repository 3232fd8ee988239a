// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two segments (the cores of capsules), in closed form.
#include "proximity/narrow_pair.h"

#include <math.h>

static double clamp(double x, double h) { return kai_narrow_min(kai_narrow_max(x, -h), h); }

void kai_narrow_segment_segment(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    // Points x z of a and t + y u of b. |t + y u - x z|² is least where both derivatives vanish.
    const double ha = p->a->size.z, hb = p->b->size.z;
    const kai_vec3 z = kai_vec3_axis(2), u = kai_mat33_column(p->r, 2), t = p->t;
    const kai_vec3 turn = kai_vec3_cross(z, u);
    const double b = u.z, d = t.z, e = kai_vec3_dot(u, t), sine2 = kai_vec3_norm2(turn);
    double x, y;
    if (sine2 > 1e-14) {
        x = clamp((d - b * e) / sine2, ha);
    } else {
        // Parallel: the middle of the shared part.
        const double reach = hb * fabs(b);
        x = clamp(0.5 * (clamp(d - reach, ha) + clamp(d + reach, ha)), ha);
    }
    y = clamp(b * x - e, hb);
    x = clamp(b * y + d, ha);
    y = clamp(b * x - e, hb);
    out->a = kai_vec3_scale(z, x);
    out->b = kai_vec3_mul_add(t, u, y);
    const kai_vec3 v = kai_vec3_sub(out->b, out->a);
    out->gap = kai_vec3_norm(v);
    if (out->gap > 1e-15 * kai_narrow_max(ha, hb)) {
        out->normal = kai_vec3_normalize(v);
        return;
    }
    // They cross: the way out is across both.
    out->normal = sine2 > 1e-14 ? kai_vec3_normalize(turn) : kai_vec3_axis(0);
    if (kai_vec3_dot(out->normal, t) < 0.0) out->normal = kai_vec3_neg(out->normal);
}
