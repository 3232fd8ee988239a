// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints: creation, frames, coordinates. Rows are evaluated and solved in step/constraints.c.
#include "model/joint.h"

#include "base/kind.h"
#include "model/body.h"
#include "model/check.h"
#include "model/id.h"
#include "model/joints/joint_view.h"
#include "model/node.h"
#include "model/shaft.h"

#include <string.h>

static const kai_joint_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_joint_kind*)(const void*)batch->kind;
}

static bool is_given(kai_vec3 v) { return !isnan(v.x); }

kai_result kai_joint_register(kai_world* world, const kai_joint_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_joint_kind whole;
    KAI_TRY(kai_world_fail(
        world, __func__, kai_kind_read_table(given, "joint", sizeof whole, &whole, &world->error)));
    kind = &whole;
    kai_error* err = &world->error;
    if (!kind->evaluate)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_joint_register: the kind has no evaluate()");
    if (kind->rows < 1 || kind->rows > KAI_JOINT_ROWS)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_joint_register: rows is %d; must be from 1 to %d", kind->rows,
                             KAI_JOINT_ROWS);
    if (kind->other_count < 0 || kind->shaft_count < 0 || kind->node_count < 0 ||
        kai_joint_further(kind) > KAI_JOINT_ENDS - 2)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_joint_register: %d other bodies, %d shafts and %d nodes, which "
                             "count twice; at most %d in all",
                             kind->other_count, kind->shaft_count, kind->node_count,
                             KAI_JOINT_ENDS - 2);
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->joints, given, sizeof whole, 0, &world->error));
}

void kai_joint_find_further(const kai_world* world, const kai_joint_kind* kind,
                            const void* instance, uint32_t* slots)
{
    const kai_body* others = (const void*)((const char*)instance + kind->others);
    const kai_shaft* shafts = (const void*)((const char*)instance + kind->shafts);
    for (int i = 0; i < kind->other_count; i++)
        *slots++ = (uint32_t)kai_bodies_slot(&world->bodies, others[i]);
    for (int i = 0; i < kind->shaft_count; i++) *slots++ = kai_shaft_slot(world, shafts[i]);
    const kai_node* nodes = (const void*)((const char*)instance + kind->nodes);
    for (int i = 0; i < 2 * kind->node_count; i++) *slots++ = kai_node_slot(world, nodes[i / 2]);
}

kai_vec3 kai_joint_direction(const kai_world* world, kai_body body, kai_vec3 direction)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX) return kai_vec3_zero();
    return kai_quat_unrotate(world->bodies.pose[slot].rotation, kai_vec3_normalize(direction));
}

// Frames -----------------------------------------------------------------------------------------

/// The direction that the joint's x axis is to take, NaN for any.
static kai_vec3 x_hint(const kai_joint_kind* kind, const kai_joint_base* j)
{
    if (is_given(j->x_axis) || !kind->axis2) return j->x_axis;
    return *(const kai_vec3*)((const char*)j + kind->axis2);
}

/// The joint frame in the world, from at, axis and x_axis.
static kai_result world_frame(const kai_joint_kind* table, const kai_joint_base* j, kai_vec3 at,
                              kai_frame* out, kai_error* err)
{
    const char* kind = table->kind.name;
    const kai_vec3 z = is_given(j->axis) ? j->axis : kai_vec3_make(0.0, 0.0, 1.0);
    if (!is_given(at))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: %s is missing; give it, or frame_a and frame_b", kind,
                             table->points ? "points" : "at");
    if (kai_vec3_norm(z) == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: axis is [0, 0, 0]; must have a length > 0", kind);
    const kai_vec3 unit = kai_vec3_normalize(z);
    const kai_vec3 x = x_hint(table, j);
    if (is_given(x)) {
        if (kai_vec3_norm(kai_vec3_cross(unit, kai_vec3_normalize(x))) < 1e-6)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s: x_axis is parallel to axis; must not be", kind);
        *out = kai_frame_make(at, kai_quat_from_axes(unit, x));
    } else {
        *out = kai_frame_make(at, kai_quat_from_z_axis(unit));
    }
    return KAI_OK;
}

/// A frame given in the world, in the principal frame of a body.
static kai_frame inside(const kai_world* world, kai_body body, kai_frame frame)
{
    const kai_pose* pose = &world->bodies.pose[kai_bodies_slot(&world->bodies, body)];
    return kai_frame_compose(kai_frame_inverse(kai_frame_make(pose->position, pose->rotation)),
                             frame);
}

/// A frame given in a body's own frame, in its principal frame.
static kai_frame inside_own(const kai_world* world, kai_body body, kai_frame frame)
{
    const kai_frame offset =
        kai_bodies_offset(&world->bodies, kai_bodies_slot(&world->bodies, body));
    frame.rotation = kai_quat_normalize(frame.rotation);
    return kai_frame_compose(offset, frame);
}

kai_result kai_joint_set_frames(const kai_world* world, const kai_joint_kind* kind,
                                kai_joint_base* j, kai_error* err)
{
    const char* name = kind->kind.name;
    const bool a = is_given(j->frame_a.position), b = is_given(j->frame_b.position);
    if (a != b)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: frame_a and frame_b come together",
                             name);
    if (a) {
        j->inner[0] = inside_own(world, j->bodies[0], j->frame_a);
        j->inner[1] = inside_own(world, j->bodies[1], j->frame_b);
        return KAI_OK;
    }
    kai_vec3 at[2] = {j->at, j->at};
    if (kind->points) memcpy(at, (const char*)j + kind->points, sizeof at);
    for (int i = 0; i < 2; i++) {
        kai_frame frame = kai_frame_identity();
        KAI_TRY(world_frame(kind, j, at[i], &frame, err));
        j->inner[i] = inside(world, j->bodies[i], frame);
    }
    return KAI_OK;
}

void kai_joint_zero_frames(const kai_world* world, bool angle, bool travel, kai_joint_base* j)
{
    if (!is_given(j->frame_a.position)) return;
    const kai_joint_view v = kai_joint_view_now(world, j);
    // The x axis of b that is across both y of a and z of b.
    const kai_vec3 x = kai_vec3_cross(v.a[1], v.b[2]);
    if (angle && kai_vec3_norm(x) > 1e-6)
        j->inner[1].rotation = kai_quat_mul(kai_quat_conj(v.qb), kai_quat_from_axes(v.b[2], x));
    const kai_vec3 along = kai_vec3_scale(v.a[2], kai_vec3_dot(v.a[2], v.d));
    if (travel)
        j->inner[0].position = kai_vec3_add(j->inner[0].position, kai_quat_unrotate(v.qa, along));
}

/// Whether an instance says something about bodies or frames that is not what `from` has.
static bool contradicts(const kai_joint_base* j, const kai_joint_base* from)
{
    for (int i = 0; i < 2; i++)
        if (!KAI_IS_NULL(j->bodies[i]) && !KAI_ID_EQUALS(j->bodies[i], from->bodies[i]))
            return true;
    return is_given(j->at) || is_given(j->axis) || is_given(j->x_axis) ||
           is_given(j->frame_a.position) || is_given(j->frame_b.position);
}

kai_result kai_joint_take(const kai_world* world, const kai_joint_kind* kind, kai_joint joint,
                          kai_joint_base* j, kai_error* err)
{
    const char* name = kind->kind.name;
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(joint));
    if (!entry) {
        kai_store_id_error(&world->joints, KAI_ID_OF(joint), err);
        kai_error_prefix(err, "%s: joint", name);
        return KAI_ERROR_ID;
    }
    const kai_joint_kind* other = kind_of(&world->joints.batches[entry->batch]);
    const kai_joint_base* from = kai_store_at(&world->joints, KAI_ID_OF(joint));
    if ((kind->has_angle && !other->has_angle) || (kind->has_travel && !other->has_travel))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: joint is a %s joint, which has no %s",
                             name, other->kind.name, kind->has_angle ? "angle" : "travel");
    if (contradicts(j, from))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: joint is given, and bodies or a frame as well; give one", name);
    memcpy(j->bodies, from->bodies, sizeof j->bodies);
    memcpy(j->inner, from->inner, sizeof j->inner);
    return KAI_OK;
}

/// The length of a distance defaults to what the frames have now.
static void set_length(const kai_world* world, const kai_joint_kind* kind, kai_joint_base* j)
{
    if (!kind->length) return;
    double* length = (double*)((char*)j + kind->length);
    if (*length > 0.0) return;
    kai_vec3 p[2];
    for (int i = 0; i < 2; i++) {
        const kai_pose* pose = &world->bodies.pose[kai_bodies_slot(&world->bodies, j->bodies[i])];
        p[i] = kai_vec3_add(pose->position, kai_quat_rotate(pose->rotation, j->inner[i].position));
    }
    *length = kai_vec3_distance(p[0], p[1]);
}

// Creation ---------------------------------------------------------------------------------------

static kai_result check_bodies(const kai_world* world, const kai_joint_kind* kind,
                               const kai_joint_base* j, kai_error* err)
{
    for (int i = 0; i < 2; i++) {
        const size_t slot = kai_bodies_slot(&world->bodies, j->bodies[i]);
        if (slot != SIZE_MAX && !(world->bodies.motion[slot].flags & KAI_BODY_STRAIGHT)) continue;
        if (slot != SIZE_MAX)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s: bodies[%d] is a particle that does not rotate; joints need "
                                 "bodies that do",
                                 kind->kind.name, i);
        if (kind->frameless && KAI_IS_NULL(j->bodies[i])) continue;
        kai_body_id_error(j->bodies[i], err);
        kai_error_prefix(err, "%s: bodies[%d]", kind->kind.name, i);
        return KAI_ERROR_ID;
    }
    if (!KAI_IS_NULL(j->bodies[0]) && KAI_ID_EQUALS(j->bodies[0], j->bodies[1]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: both bodies are the same; must be two",
                             kind->kind.name);
    return KAI_OK;
}

/// Checks the ends beside a and b: null ones are left out, the others must exist.
static kai_result check_further(const kai_world* world, const kai_joint_kind* kind,
                                const kai_joint_base* j, kai_error* err)
{
    const kai_body* others = (const void*)((const char*)j + kind->others);
    const kai_shaft* shafts = (const void*)((const char*)j + kind->shafts);
    for (int i = 0; i < kind->other_count; i++) {
        if (KAI_IS_NULL(others[i]) || kai_bodies_slot(&world->bodies, others[i]) != SIZE_MAX)
            continue;
        kai_body_id_error(others[i], err);
        kai_error_prefix(err, "%s", kind->kind.name);
        return KAI_ERROR_ID;
    }
    for (int i = 0; i < kind->shaft_count; i++) {
        if (!KAI_IS_NULL(shafts[i]) && kai_shaft_slot(world, shafts[i]) == UINT32_MAX) {
            kai_store_id_error(&world->shafts, KAI_ID_OF(shafts[i]), err);
            kai_error_prefix(err, "%s: shafts[%d]", kind->kind.name, i);
            return KAI_ERROR_ID;
        }
        for (int k = 0; k < i; k++)
            if (!KAI_IS_NULL(shafts[i]) && KAI_ID_EQUALS(shafts[i], shafts[k]))
                return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                     "%s: shaft '%s' is given twice; must be different ones",
                                     kind->kind.name, kai_shaft_name(world, shafts[i]));
    }
    const kai_node* nodes = (const void*)((const char*)j + kind->nodes);
    for (int i = 0; i < kind->node_count; i++) {
        if (KAI_IS_NULL(nodes[i]) || kai_node_slot(world, nodes[i]) != UINT32_MAX) continue;
        kai_store_id_error(&world->nodes, KAI_ID_OF(nodes[i]), err);
        kai_error_prefix(err, "%s: node", kind->kind.name);
        return KAI_ERROR_ID;
    }
    return KAI_OK;
}

static void count_links(kai_world* world, const kai_joint_kind* kind, const kai_joint_base* j,
                        uint32_t change)
{
    const kai_body* others = (const void*)((const char*)j + kind->others);
    for (int i = 0; i < 2; i++) kai_bodies_count_load(&world->bodies, j->bodies[i], change);
    for (int i = 0; i < kind->other_count; i++)
        kai_bodies_count_load(&world->bodies, others[i], change);
    world->integrator_steps = 0;
}

/// Bodies that are to be counted get a record of their own.
static kai_result own_links(kai_world* world, const kai_joint_kind* kind, const kai_joint_base* j,
                            kai_error* err)
{
    const kai_body* others = (const void*)((const char*)j + kind->others);
    for (int i = 0; i < 2; i++) KAI_TRY(kai_bodies_own_id(&world->bodies, j->bodies[i], err));
    for (int i = 0; i < kind->other_count; i++)
        KAI_TRY(kai_bodies_own_id(&world->bodies, others[i], err));
    return KAI_OK;
}

kai_result kai_joint_check_made(const kai_kind* kind, const void* instance, kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (!p->hidden || p->offset != offsetof(kai_joint_base, made) ||
            strcmp(p->name, "made") != 0)
            continue;
        const kai_joint_base* j = instance;
        if (j->active || j->made) return KAI_OK;
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: active is false in parameters that do not come from "
                             "kai_kind_defaults(); start from it",
                             kind->name);
    }
    return KAI_OK;
}

static kai_result prepare(const kai_world* world, const kai_joint_kind* kind, kai_joint_base* j,
                          kai_error* err)
{
    KAI_TRY(kai_kind_check(&kind->kind, j, err));
    KAI_TRY(kai_joint_check_made(&kind->kind, j, err));
    const kai_joint* taken = kind->joint ? (const kai_joint*)((const char*)j + kind->joint) : NULL;
    const bool takes = taken && !KAI_IS_NULL(*taken);
    if (takes) KAI_TRY(kai_joint_take(world, kind, *taken, j, err));
    KAI_TRY(check_bodies(world, kind, j, err));
    KAI_TRY(check_further(world, kind, j, err));
    KAI_TRY(kai_function_set_check(&world->functions, &kind->kind, j, err));
    if (!takes && !kind->frameless) KAI_TRY(kai_joint_set_frames(world, kind, j, err));
    if (!takes && !kind->frameless && !kind->driven && !kind->rows_of)
        kai_joint_zero_frames(world, kind->has_angle, kind->has_travel, j);
    set_length(world, kind, j);
    return kind->prepare ? kind->prepare(world, j, err) : KAI_OK;
}

kai_result kai_joint_create(kai_world* world, const kai_joint_kind* kind, const void* params,
                            const char* name, kai_joint* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    kai_error* err = &world->error;
    kind = kai_store_table(&world->joints, kind, err);
    if (!kind) return kai_world_fail(world, __func__, KAI_ERROR_ARGUMENT);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_joint_base* j = kai_arena_take(&world->arena, 1, kind->kind.size, err);
    if (!j) return kai_world_fail(world, __func__, KAI_ERROR_MEMORY);
    kai_kind_take(&kind->kind, params, j);
    kai_store_drop_hidden(&kind->kind, j);
    kai_id id;
    kai_result r = prepare(world, kind, j, err);
    if (r == KAI_OK) r = own_links(world, kind, j, err);
    if (r == KAI_OK) r = kai_store_add_prepared(&world->joints, &kind->kind, j, name, &id, err);
    if (r == KAI_OK) {
        count_links(world, kind, j, 1);
        *out = KAI_ID_AS(kai_joint, id);
    }
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}

/// One joint: uses of bodies are counted for the ends that it has.
static kai_result pass_one(kai_world* world, const kai_joint_kind* kind, char* instance,
                           bool* changed, kai_error* err)
{
    bool moved = false;
    kai_body* others = (void*)(instance + kind->others);
    for (int k = 0; k < kind->other_count; k++)
        kai_bodies_count_load(&world->bodies, others[k], (uint32_t)-1);
    kai_result r = kind->pass(world, instance, &moved, err);
    for (int k = 0; k < kind->other_count; k++) {
        const kai_result own = kai_bodies_own_id(&world->bodies, others[k], err);
        if (own == KAI_OK) kai_bodies_count_load(&world->bodies, others[k], 1);
        if (r == KAI_OK) r = own;
    }
    *changed |= moved;
    return r;
}

kai_result kai_joint_pass(kai_world* world, bool* changed, kai_error* err)
{
    bool any = false;
    kai_result r = KAI_OK;
    for (size_t b = 0; r == KAI_OK && b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        if (!kind_of(batch)->pass) continue;
        for (size_t i = 0; r == KAI_OK && i < batch->items.count; i++) {
            char* instance = (char*)batch->items.data + i * batch->kind->size;
            if (((const kai_joint_base*)(void*)instance)->active)
                r = pass_one(world, kind_of(batch), instance, &any, err);
            if (r != KAI_OK)
                kai_error_prefix(
                    err, "joint '%s'",
                    kai_store_name(&world->joints, kai_store_id(&world->joints, b, i)));
        }
    }
    if (any) {
        // The system is laid out anew but goes on as it was, as after a checkpoint.
        world->joints.version++;
        world->solver_resumed = world->joints_passed = true;
    }
    if (changed) *changed = any;
    return r;
}

static kai_joint_base* base_of(const kai_world* world, kai_joint joint)
{
    return kai_store_at(&world->joints, KAI_ID_OF(joint));
}

static kai_result fail(const kai_world* world, const char* function, kai_joint joint)
{
    return kai_world_fail(
        world, function,
        kai_store_id_error(&world->joints, KAI_ID_OF(joint), kai_world_error_of(world)));
}

kai_result kai_joint_destroy(kai_world* world, kai_joint joint)
{
    KAI_CHANGE(world);
    const kai_joint_base* j = base_of(world, joint);
    if (!j) return fail(world, __func__, joint);
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(joint));
    count_links(world, kind_of(&world->joints.batches[entry->batch]), j, (uint32_t)-1);
    return kai_store_remove(&world->joints, KAI_ID_OF(joint), &world->error);
}

kai_result kai_joint_set_active(kai_world* world, kai_joint joint, bool active)
{
    KAI_CHANGE(world);
    kai_joint_base* j = base_of(world, joint);
    if (!j) return fail(world, __func__, joint);
    if (j->active != active) world->joints.version++;
    j->active = active;
    return KAI_OK;
}

// Queries ----------------------------------------------------------------------------------------

kai_result kai_joint_get(const kai_world* world, kai_joint joint, const kai_joint_kind** kind,
                         const void** params)
{
    KAI_READ(world);
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(joint));
    if (!entry) return fail(world, __func__, joint);
    if (kind) *kind = kind_of(&world->joints.batches[entry->batch]);
    if (params) *params = base_of(world, joint);
    return KAI_OK;
}

kai_joint kai_joint_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_joint){0}, world, name);
    const kai_id id = kai_names_find(&world->joints.names, name);
    return KAI_ID_AS(kai_joint, id);
}

const char* kai_joint_name(const kai_world* world, kai_joint joint)
{
    KAI_GIVEN_OR("", world);
    return kai_store_name(&world->joints, KAI_ID_OF(joint));
}

size_t kai_joint_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->joints.count;
}

kai_joint kai_joint_at_index(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_joint){0}, world);
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const size_t count = world->joints.batches[b].items.count;
        if (i < count) {
            const kai_id id = kai_store_id(&world->joints, b, i);
            return KAI_ID_AS(kai_joint, id);
        }
        i -= count;
    }
    return (kai_joint){0};
}

/// A batch of one, for queries.
static kai_joint_batch batch_of_one(const kai_world* world, const kai_store_batch* batch,
                                    const kai_joint_base* j, uint32_t slot[2])
{
    for (int i = 0; i < 2; i++) slot[i] = (uint32_t)kai_bodies_slot(&world->bodies, j->bodies[i]);
    return (kai_joint_batch){.world = world,
                             .time = world->time,
                             .instances = j,
                             .size = batch->kind->size,
                             .end = 1,
                             .slot = slot,
                             .pose = world->bodies.pose,
                             .motion = world->bodies.motion,
                             .shafts = kai_shaft_all(world),
                             .nodes = kai_node_all(world),
                             .node_size = sizeof(kai_node_record),
                             .functions = &world->functions};
}

kai_result kai_joint_coordinates(const kai_world* world, kai_joint joint, double* angle,
                                 double* travel)
{
    KAI_READ(world, angle, travel);
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(joint));
    if (!entry) return fail(world, __func__, joint);
    if (kind_of(&world->joints.batches[entry->batch])->frameless) {
        *angle = *travel = 0.0;
        return KAI_OK;
    }
    uint32_t slot[2];
    const kai_joint_batch one =
        batch_of_one(world, &world->joints.batches[entry->batch], base_of(world, joint), slot);
    const kai_joint_view v = kai_joint_view_look(&one, 0);
    *angle = atan2(kai_vec3_dot(v.a[1], v.b[0]), kai_vec3_dot(v.a[0], v.b[0]));
    *travel = kai_vec3_dot(v.a[2], v.d);
    return KAI_OK;
}

kai_result kai_joint_violation(kai_world* world, kai_joint joint, double* violation)
{
    KAI_CHANGE(world, violation);
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(joint));
    if (!entry) return fail(world, __func__, joint);
    const kai_store_batch* batch = &world->joints.batches[entry->batch];
    uint32_t slot[2], further_slot[KAI_JOINT_ENDS - 2];
    kai_joint_row rows[KAI_JOINT_ROWS];
    kai_wrench further[KAI_JOINT_ROWS * (KAI_JOINT_ENDS - 2)] = {0};
    kai_joint_batch one = batch_of_one(world, batch, base_of(world, joint), slot);
    kai_joint_find_further(world, kind_of(batch), base_of(world, joint), further_slot);
    one.rows = rows;
    one.further = further;
    one.further_slot = further_slot;
    kind_of(batch)->evaluate(&one);
    *violation = 0.0;
    for (int r = 0; r < kind_of(batch)->rows; r++)
        *violation = fmax(*violation, kai_joint_view_gap(kind_of(batch), &rows[r]));
    return KAI_OK;
}
