// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/collision/collision_start.h"

#include "model/collision/collision.h"
#include "model/label.h"
#include "model/shape.h"

#include <stdio.h>

enum { NAME = KAI_STRING_SIZE + 96 };

// Shapes that overlap ----------------------------------------------------------------------------

static const double LEAST = 1e-6; // m

/// Whether a contact is deeper than surfaces that are meant to touch.
static bool is_deep(const kai_world* world, const kai_proximity_contact* found, double share)
{
    const kai_proximity* p = &world->collision->proximity;
    if (!(-found->contact.gap > LEAST)) return false;
    const kai_proximity_item a = kai_proximity_item_at(p, found->a),
                             b = kai_proximity_item_at(p, found->b);
    const kai_motion* motion = world->bodies.motion;
    // A structure that touches itself is laid out that way.
    if ((motion[a.owner & ~KAI_BROAD_FIXED].flags & KAI_BODY_NODE) &&
        (motion[b.owner & ~KAI_BROAD_FIXED].flags & KAI_BODY_NODE))
        return false;
    return -found->contact.gap >
           share * fmin(kai_shape_half_width(world, a.id), kai_shape_half_width(world, b.id));
}

static void tell_overlap(const kai_world* world, const kai_proximity_contact* worst, size_t pairs)
{
    const kai_proximity* p = &world->collision->proximity;
    char first[NAME], second[NAME], others[64] = "";
    kai_label_body(world, kai_proximity_owner(p, worst->a) & ~KAI_BROAD_FIXED, first, sizeof first);
    kai_label_body(world, kai_proximity_owner(p, worst->b) & ~KAI_BROAD_FIXED, second,
                   sizeof second);
    if (pairs > 1) snprintf(others, sizeof others, ", the deepest of %zu such pairs", pairs);
    kai_world_log(world, KAI_LOG_WARNING,
                  "at the start %s and %s overlap by %.3g m%s; they will be pushed apart: move "
                  "them, or part them by masks or a joint",
                  first, second, -worst->contact.gap, others);
}

kai_result kai_collision_start_overlaps(kai_world* world, double share, kai_error* err)
{
    if (world->contact_def.method == KAI_CONTACT_NONE) return KAI_OK;
    KAI_TRY(kai_collision_update(world, err));
    kai_proximity* p = &world->collision->proximity;
    const kai_proximity_contact *worst = NULL, *last = NULL;
    size_t pairs = 0;
    for (size_t i = 0; i < p->contact_count; i++) {
        const kai_proximity_contact* now = &p->contacts[i];
        if (!is_deep(world, now, share)) continue;
        if (!worst || now->contact.gap < worst->contact.gap) worst = now;
        pairs += !last || last->a != now->a || last->b != now->b; // those of a pair stand together
        last = now;
    }
    if (worst) tell_overlap(world, worst, pairs);
    p->changed = true; // the first step finds all anew, as after a checkpoint
    return KAI_OK;
}
