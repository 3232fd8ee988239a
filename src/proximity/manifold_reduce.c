// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See manifold_reduce.h.
#include "proximity/manifold_reduce.h"

#include "proximity/narrow_pair.h"

static void swap(kai_contact* a, kai_contact* b)
{
    const kai_contact c = *a;
    *a = *b;
    *b = c;
}

/// Drops contacts that repeat an earlier, deeper one.
static int unite(kai_contact* c, int count, double apart)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int k = 0; k < n && !again; k++) {
            const kai_vec3 d = kai_vec3_sub(c[i].point_a, c[k].point_a);
            again = kai_vec3_norm2(d) <= apart * apart &&
                    kai_vec3_dot(c[i].normal, c[k].normal) > 1.0 - 1e-6;
        }
        if (!again) c[n++] = c[i];
    }
    return n;
}

/// Moves the deepest contact whose normal differs from all kept ones (by 25 degrees or more) to the
/// end of these. False when there is none.
static bool keep_normal(kai_contact* c, int count, int kept)
{
    int best = -1;
    for (int i = kept; i < count; i++) {
        bool other = true;
        for (int k = 0; k < kept && other; k++)
            other = kai_vec3_dot(c[i].normal, c[k].normal) < 0.9;
        if (other && (best < 0 || c[i].gap < c[best].gap)) best = i;
    }
    if (best >= 0) swap(&c[kept], &c[best]);
    return best >= 0;
}

/// Moves the outermost contacts to the front, in eight directions across the first one's normal.
static int keep_outermost(kai_contact* c, int count, int kept, int most)
{
    // Off the axes, so that points along an edge of a box do not tie.
    static const double WAY[8][2] = {{0.9801, 0.1987},  {-0.9801, -0.1987}, {-0.1987, 0.9801},
                                     {0.1987, -0.9801}, {0.5525, 0.8335},   {-0.5525, -0.8335},
                                     {-0.8335, 0.5525}, {0.8335, -0.5525}};
    const kai_vec3 u = kai_vec3_perpendicular(c[0].normal), v = kai_vec3_cross(c[0].normal, u);
    for (int k = 0; k < 8 && kept < most; k++) {
        const kai_vec3 d = kai_vec3_add(kai_vec3_scale(u, WAY[k][0]), kai_vec3_scale(v, WAY[k][1]));
        int best = 0;
        for (int i = 1; i < count; i++) {
            if (kai_vec3_dot(c[i].point_a, d) > kai_vec3_dot(c[best].point_a, d)) best = i;
        }
        if (best >= kept) swap(&c[kept++], &c[best]);
    }
    return kept;
}

/// Moves the one farthest from all kept ones to the end of these.
static void keep_farthest(kai_contact* c, int count, int kept)
{
    int best = kept;
    double far = -1.0;
    for (int i = kept; i < count; i++) {
        double near = HUGE_VAL;
        for (int k = 0; k < kept; k++)
            near = kai_narrow_min(near, kai_vec3_norm2(kai_vec3_sub(c[i].point_a, c[k].point_a)));
        if (near <= far) continue;
        far = near;
        best = i;
    }
    swap(&c[kept], &c[best]);
}

void kai_manifold_reduce(kai_contact* c, int count, int most, double apart, kai_manifold* out)
{
    out->count = 0;
    if (count == 0) return;
    int deepest = 0;
    for (int i = 1; i < count; i++) {
        if (c[i].gap < c[deepest].gap) deepest = i;
    }
    if (deepest > 0) swap(&c[0], &c[deepest]);
    count = unite(c, count, apart);
    if (count > most) {
        int kept = 1;
        while (kept < most / 2 && keep_normal(c, count, kept)) kept++;
        if (most == KAI_MANIFOLD_MOST) kept = keep_outermost(c, count, kept, most);
        for (; kept < most; kept++) keep_farthest(c, count, kept);
        count = most;
    }
    out->count = count;
    for (int i = 0; i < count; i++) out->contacts[i] = c[i];
}
