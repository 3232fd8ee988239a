// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/language/placement.h"

kai_placement kai_placement_none(void)
{
    return (kai_placement){kai_quat_identity(), {1.0, 1.0, 1.0}, {0.0, 0.0, 0.0}};
}

static bool is_turned(const kai_placement* p)
{
    return p->turn.x != 0.0 || p->turn.y != 0.0 || p->turn.z != 0.0;
}

bool kai_placement_is_none(const kai_placement* p)
{
    return !is_turned(p) && p->sign.x > 0.0 && p->sign.y > 0.0 && p->sign.z > 0.0 &&
           kai_vec3_max_abs(p->shift) == 0.0;
}

bool kai_placement_is_mirrored(const kai_placement* p)
{
    return p->sign.x * p->sign.y * p->sign.z < 0.0;
}

// Plus zero: no negative zeros.
static kai_vec3 signed_vector(const kai_placement* p, kai_vec3 x)
{
    return kai_vec3_make(p->sign.x * x.x + 0.0, p->sign.y * x.y + 0.0, p->sign.z * x.z + 0.0);
}

static kai_vec3 axial_vector(const kai_placement* p, kai_vec3 x)
{
    const double hand = kai_placement_is_mirrored(p) ? -1.0 : 1.0;
    return kai_vec3_make(hand * p->sign.x * x.x + 0.0, hand * p->sign.y * x.y + 0.0,
                         hand * p->sign.z * x.z + 0.0);
}

// S R S as a quaternion: its axis is axial.
static kai_quat signed_rotation(const kai_placement* p, kai_quat q)
{
    const kai_vec3 axis = axial_vector(p, kai_vec3_make(q.x, q.y, q.z));
    return (kai_quat){q.w, axis.x, axis.y, axis.z};
}

// What is not turned keeps its digits.
static kai_vec3 turned(const kai_placement* p, kai_vec3 x)
{
    return is_turned(p) ? kai_quat_rotate(p->turn, x) : x;
}

kai_vec3 kai_placement_vector(const kai_placement* p, kai_placing placing, kai_vec3 x)
{
    switch (placing) {
    case KAI_PLACING_POINT: return kai_vec3_add(p->shift, turned(p, signed_vector(p, x)));
    case KAI_PLACING_VECTOR: return turned(p, signed_vector(p, x));
    case KAI_PLACING_AXIAL: return turned(p, axial_vector(p, x));
    case KAI_PLACING_OWN: return signed_vector(p, x);
    case KAI_PLACING_OWN_AXIAL: return axial_vector(p, x);
    default: return x;
    }
}

kai_quat kai_placement_rotation(const kai_placement* p, kai_placing placing, kai_quat q)
{
    const kai_quat own = signed_rotation(p, q);
    if (placing == KAI_PLACING_OWN) return own;
    return is_turned(p) ? kai_quat_mul(p->turn, own) : own;
}

kai_placement kai_placement_within(const kai_placement* outer, const kai_placement* inner)
{
    return (kai_placement){kai_placement_rotation(outer, KAI_PLACING_POINT, inner->turn),
                           signed_vector(outer, inner->sign),
                           kai_placement_vector(outer, KAI_PLACING_POINT, inner->shift)};
}
