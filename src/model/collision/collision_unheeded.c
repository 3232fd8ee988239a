// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies that joints or loads hold together are one *group*; all that is fixed is one group, too. A
// body of a group that is not held to something fixed flies freely, as far as can be known:
//
//     x(t) = x + v t + g t² / 2
//
// Two bodies of different groups meet when the boxes around their shapes overlap at some t. A body
// that turns has the box of the ball that it turns in.
#include "model/collision/collision_unheeded.h"

#include "model/collision/collision.h"
#include "model/id.h"
#include "model/label.h"
#include "model/load.h"
#include "model/shape.h"

#include <string.h>

enum {
    MOST = 64,     // free bodies that are looked at, and others
    MOMENTS = 256, // of the flight
    NAME = KAI_STRING_SIZE + 96
};

/// A body with a shape that can touch others.
typedef struct candidate {
    size_t slot;
    uint32_t family, mask; // of its shapes, together
    uint32_t group;
    bool free;
    kai_vec3 low, high; // of its box, from its mass centre, m
} candidate;

// Groups -----------------------------------------------------------------------------------------

static uint32_t group_of(uint32_t* parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void unite(uint32_t* parent, uint32_t a, uint32_t b)
{
    parent[group_of(parent, a)] = group_of(parent, b);
}

static void unite_joined(const kai_world* world, uint32_t* parent)
{
    for (size_t k = 0; k < world->joints.batch_count; k++) {
        const kai_store_batch* batch = &world->joints.batches[k];
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_joint_base* joint = kai_array_at(&batch->items, i);
            if (KAI_IS_NULL(joint->bodies[0]) || KAI_IS_NULL(joint->bodies[1])) continue;
            unite(parent, (uint32_t)kai_bodies_slot(&world->bodies, joint->bodies[0]),
                  (uint32_t)kai_bodies_slot(&world->bodies, joint->bodies[1]));
        }
    }
}

/// Elements hold the bodies that are their nodes.
static void unite_meshed(const kai_world* world, uint32_t* parent)
{
    for (size_t k = 0; k < world->elements.batch_count; k++) {
        const kai_store_batch* batch = &world->elements.batches[k];
        for (size_t p = 0; p < batch->kind->param_count; p++) {
            const kai_param* param = &batch->kind->params[p];
            if (param->type != KAI_PARAM_BODY) continue;
            for (size_t i = 0; i < batch->items.count; i++) {
                const char* instance = kai_array_at(&batch->items, i);
                const kai_body* body = (const kai_body*)(const void*)(instance + param->offset);
                for (size_t e = 1; e < kai_kind_repeats(param); e++)
                    unite(parent, (uint32_t)kai_bodies_slot(&world->bodies, body[0]),
                          (uint32_t)kai_bodies_slot(&world->bodies, body[e]));
            }
        }
    }
}

/// Loads between bodies hold them as well as springs can.
static kai_result unite_loaded(kai_world* world, uint32_t* parent, kai_error* err)
{
    if (world->loads.count == 0) return KAI_OK;
    KAI_TRY(kai_load_ready(world, err));
    const uint32_t* slot = world->plan.slot.data;
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const size_t ends = kai_load_bodies(world->loads.batches[b].kind);
        for (size_t i = 0; i < world->loads.batches[b].items.count; i++, slot += ends)
            for (size_t k = 1; k < ends; k++)
                if (slot[k] < world->bodies.count && slot[0] < world->bodies.count)
                    unite(parent, slot[0], slot[k]);
    }
    return KAI_OK;
}

/// The group of each slot; that of all that is fixed is the group of slot `bodies.count`. NULL: no
/// memory.
static uint32_t* find_groups(kai_world* world, kai_error* err)
{
    const uint32_t count = (uint32_t)world->bodies.count;
    uint32_t* parent = kai_arena_take(&world->arena, count + 1u, sizeof *parent, err);
    if (!parent) return NULL;
    for (uint32_t i = 0; i <= count; i++) parent[i] = i;
    for (uint32_t i = 0; i < count; i++)
        if (world->bodies.motion[i].flags & KAI_BODY_FIXED) unite(parent, i, count);
    unite_joined(world, parent);
    unite_meshed(world, parent);
    return unite_loaded(world, parent, err) == KAI_OK ? parent : NULL;
}

// Boxes ------------------------------------------------------------------------------------------

/// The box around a surface without end: below it where it is along an axis of the world.
static void plane_box(kai_vec3 normal, kai_vec3* low, kai_vec3* high)
{
    const double flat = 1.0 - 1e-9, out = HUGE_VAL;
    *low = kai_vec3_make(normal.x < -flat ? 0.0 : -out, normal.y < -flat ? 0.0 : -out,
                         normal.z < -flat ? 0.0 : -out);
    *high = kai_vec3_make(normal.x > flat ? 0.0 : out, normal.y > flat ? 0.0 : out,
                          normal.z > flat ? 0.0 : out);
}

/// Adds a shape to the box of its body, relative to the mass centre.
static void add_shape(const kai_world* world, uint32_t index, const kai_shape_record* record,
                      candidate* c)
{
    const kai_store_entry* entry = kai_store_entry_of(&world->shapes, index);
    const kai_store_batch* batch = &world->shapes.batches[entry->batch];
    const kai_shape_kind* kind = (const kai_shape_kind*)(const void*)batch->kind;
    const kai_pose* pose = &world->bodies.pose[c->slot];
    kai_frame frame = {kai_vec3_zero(), pose->rotation};
    if (kai_bodies_is_offset(&world->bodies, c->slot))
        frame = kai_frame_compose(frame, kai_bodies_offset(&world->bodies, c->slot));
    frame = kai_frame_compose(frame, kai_frames_at(&world->shape_frames, record->frame));
    const kai_mat33 turn = kai_quat_to_mat33(frame.rotation);
    const void* instance = kai_array_at(&batch->items, entry->slot);
    kai_vec3 low, high, centre, half;
    if (kai_shape_bounds(kind, instance, &turn, &centre, &half)) {
        const double m = record->margin;
        half = kai_vec3_add(half, kai_vec3_make(m, m, m));
        low = kai_vec3_sub(centre, half);
        high = kai_vec3_add(centre, half);
    } else if (kind == &kai_shape_plane) {
        const kai_shape_plane_params* plane = instance;
        plane_box(kai_quat_rotate(frame.rotation, kai_vec3_normalize(plane->normal)), &low, &high);
    } else {
        plane_box(kai_vec3_zero(), &low, &high);
    }
    c->low = kai_vec3_min(c->low, kai_vec3_add(frame.position, low));
    c->high = kai_vec3_max(c->high, kai_vec3_add(frame.position, high));
}

/// The box of a body that turns: that of the ball about its mass centre.
static void let_turn(const kai_world* world, candidate* c)
{
    if (kai_vec3_norm2(world->bodies.motion[c->slot].spin) == 0.0) return;
    const kai_vec3 far = kai_vec3_max(kai_vec3_neg(c->low), c->high);
    const double r = kai_vec3_norm(far);
    c->low = kai_vec3_make(-r, -r, -r);
    c->high = kai_vec3_make(r, r, r);
}

/// Fills in what is to be known of a body; false: none of its shapes collides.
static bool look_at(const kai_world* world, size_t slot, candidate* out)
{
    *out = (candidate){.slot = slot,
                       .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                       .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    uint32_t index = kai_bodies_cold_of(&world->bodies, slot).first_shape;
    while (index != 0) {
        const kai_shape_record record = kai_shape_record_of(world, index);
        if (record.flags & KAI_SHAPE_COLLIDE) {
            out->family |= 1u << kai_shape_record_family(&record);
            out->mask |= kai_shape_record_mask(&record);
            add_shape(world, index, &record, out);
        }
        index = record.next;
    }
    if (out->family != 0) let_turn(world, out);
    return out->family != 0;
}

// Flight -----------------------------------------------------------------------------------------

/// Whether s + v t + a t²/2 comes into [low, high] between two moments.
static bool is_inside(double low, double high, double s, double v, double a, const double* t)
{
    const double from = s + t[0] * (v + 0.5 * a * t[0]), to = s + t[1] * (v + 0.5 * a * t[1]);
    const double bulge = 0.125 * fabs(a) * (t[1] - t[0]) * (t[1] - t[0]);
    return fmax(from, to) + bulge >= low && fmin(from, to) - bulge <= high;
}

static bool will_meet(const kai_world* world, const candidate* a, const candidate* b, double span)
{
    const kai_pose *at = &world->bodies.pose[a->slot], *to = &world->bodies.pose[b->slot];
    const kai_motion* motion = world->bodies.motion;
    // What is held moves about its place: it counts as standing.
    const kai_vec3 s = kai_vec3_sub(at->position, to->position),
                   va = a->free ? motion[a->slot].velocity : kai_vec3_zero(),
                   vb = b->free ? motion[b->slot].velocity : kai_vec3_zero(),
                   v = kai_vec3_sub(va, vb);
    const kai_vec3 g = kai_vec3_scale(world->gravity, (double)a->free - (double)b->free);
    const kai_vec3 low = kai_vec3_sub(b->low, a->high), high = kai_vec3_sub(b->high, a->low);
    for (int i = 0; i < MOMENTS; i++) {
        const double t[2] = {span * i / MOMENTS, span * (i + 1) / MOMENTS};
        if (is_inside(low.x, high.x, s.x, v.x, g.x, t) &&
            is_inside(low.y, high.y, s.y, v.y, g.y, t) &&
            is_inside(low.z, high.z, s.z, v.z, g.z, t))
            return true;
    }
    return false;
}

static bool may_touch(const kai_world* world, const candidate* a, const candidate* b, double span)
{
    return (a->free || b->free) && a->group != b->group && (a->family & b->mask) &&
           (b->family & a->mask) && will_meet(world, a, b, span);
}

// All --------------------------------------------------------------------------------------------

static void tell(const kai_world* world, const candidate* a, const candidate* b)
{
    char first[NAME], second[NAME];
    kai_label_body(world, a->slot, first, sizeof first);
    kai_label_body(world, b->slot, second, sizeof second);
    kai_world_log(world, KAI_LOG_WARNING,
                  "no contact: shapes of %s and %s pass through each other; set \"contact\" to "
                  "\"nsc\" or \"smc\", or to \"none\" where this is meant",
                  first, second);
}

kai_result kai_collision_unheeded(kai_world* world, double span, kai_error* err)
{
    if (kai_collision_wanted(world) || world->bodies.count == 0) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    candidate all[2 * MOST];
    size_t count = 0, seen[2] = {0, 0};
    uint32_t* parent = find_groups(world, err);
    const uint32_t ground = parent ? group_of(parent, (uint32_t)world->bodies.count) : 0;
    bool told = false;
    for (size_t i = 0; parent && !told && i < world->bodies.count; i++) {
        if (world->bodies.motion[i].flags & KAI_BODY_NODE) continue;
        const uint32_t group = group_of(parent, (uint32_t)i);
        candidate* now = &all[count];
        if (seen[group != ground] == MOST || !look_at(world, i, now)) continue;
        now->group = group;
        now->free = group != ground;
        for (size_t k = 0; k < count && !told; k++) {
            told = may_touch(world, &all[k], now, span);
            if (told) tell(world, &all[k], now);
        }
        seen[now->free]++;
        count++;
    }
    kai_arena_release(&world->arena, mark);
    return parent ? KAI_OK : KAI_ERROR_MEMORY;
}
