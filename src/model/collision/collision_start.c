// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/collision/collision_start.h"

#include "model/collision/collision.h"
#include "model/id.h"
#include "model/joint.h"
#include "model/label.h"
#include "model/shape.h"

#include <stdio.h>

enum { NAME = KAI_STRING_SIZE + 96 };

// Shapes that nobody keeps apart -----------------------------------------------------------------

enum { MOST = 64 }; // bodies that are looked at

/// A body with a shape that can touch others.
typedef struct candidate {
    size_t slot;
    uint32_t family, mask; // of its shapes, together
    bool free;             // it moves, and no chain of joints holds it to something fixed
} candidate;

/// Puts the families and masks of a body's shapes together; false: none of them collides.
static bool look_at(const kai_world* world, size_t slot, bool held, candidate* out)
{
    *out = (candidate){.slot = slot, .free = !held};
    uint32_t index = kai_bodies_cold_of(&world->bodies, slot).first_shape;
    while (index != 0) {
        const kai_shape_record record = kai_shape_record_of(world, index);
        if (record.flags & KAI_SHAPE_COLLIDE) {
            out->family |= 1u << kai_shape_record_family(&record);
            out->mask |= kai_shape_record_mask(&record);
        }
        index = record.next;
    }
    return out->family != 0;
}

static const kai_joint_base* joint_at(const kai_store_batch* batch, size_t i)
{
    return (const kai_joint_base*)((const char*)batch->items.data + i * batch->kind->size);
}

/// Whether a joint holds both, which parts them in contacts too.
static bool are_joined(const kai_world* world, size_t a, size_t b)
{
    const kai_body first = kai_bodies_id(&world->bodies, a),
                   second = kai_bodies_id(&world->bodies, b);
    for (size_t k = 0; k < world->joints.batch_count; k++) {
        const kai_store_batch* batch = &world->joints.batches[k];
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_body* ends = joint_at(batch, i)->bodies;
            if ((KAI_ID_EQUALS(ends[0], first) && KAI_ID_EQUALS(ends[1], second)) ||
                (KAI_ID_EQUALS(ends[0], second) && KAI_ID_EQUALS(ends[1], first)))
                return true;
        }
    }
    return false;
}

/// Hands `held` on from one body of a joint to the other; false: nothing has changed.
static bool pass_on(const kai_world* world, const kai_joint_base* joint, bool* held)
{
    if (KAI_IS_NULL(joint->bodies[0]) || KAI_IS_NULL(joint->bodies[1])) return false;
    bool* a = &held[kai_bodies_slot(&world->bodies, joint->bodies[0])];
    bool* b = &held[kai_bodies_slot(&world->bodies, joint->bodies[1])];
    if (*a == *b) return false;
    return *a = *b = true;
}

/// Which bodies are fixed, or held to fixed ones by a chain of joints.
static void find_held(const kai_world* world, bool* held)
{
    enum { ROUNDS = 64 }; // a longer chain in a bad order counts as free
    for (size_t i = 0; i < world->bodies.count; i++)
        held[i] = world->bodies.motion[i].flags & KAI_BODY_FIXED;
    bool changed = true;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (size_t k = 0; k < world->joints.batch_count; k++) {
            const kai_store_batch* batch = &world->joints.batches[k];
            for (size_t i = 0; i < batch->items.count; i++)
                changed = pass_on(world, joint_at(batch, i), held) || changed;
        }
    }
}

static bool may_touch(const kai_world* world, const candidate* a, const candidate* b)
{
    return (a->free || b->free) && (a->family & b->mask) && (b->family & a->mask) &&
           !are_joined(world, a->slot, b->slot);
}

static void warn_unheeded(const kai_world* world, const bool* held)
{
    candidate all[MOST];
    size_t count = 0;
    for (size_t i = 0; i < world->bodies.count && count < MOST; i++) {
        if (world->bodies.motion[i].flags & KAI_BODY_NODE) continue;
        if (!look_at(world, i, held[i], &all[count])) continue;
        for (size_t k = 0; k < count; k++) {
            if (!may_touch(world, &all[k], &all[count])) continue;
            char first[NAME], second[NAME];
            kai_label_body(world, all[k].slot, first, sizeof first);
            kai_label_body(world, i, second, sizeof second);
            kai_world_log(world, KAI_LOG_WARNING,
                          "no contact: shapes of %s and %s pass through each other; set "
                          "\"contact\" to \"nsc\" or \"smc\", or to \"none\" where this is meant",
                          first, second);
            return;
        }
        count++;
    }
}

void kai_collision_start_unheeded(kai_world* world)
{
    if (kai_collision_wanted(world) || world->bodies.count == 0) return;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    bool* held = kai_arena_take(&world->arena, world->bodies.count, sizeof *held, NULL);
    if (held) {
        find_held(world, held);
        warn_unheeded(world, held);
    }
    kai_arena_release(&world->arena, mark);
}

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
