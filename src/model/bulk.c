// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include <kairos/bulk.h>

#include "base/error.h"
#include "model/body.h"
#include "model/check.h"
#include "model/node.h"
#include "model/shaft.h"

#include <stdatomic.h>
#include <string.h>

static const size_t BLOCK = 1024; // bodies of a block of work

static kai_result bulk_bad_word(const kai_world* world, const char* function, int what, int count)
{
    return kai_error_set(kai_world_error_of(world), KAI_ERROR_ARGUMENT,
                         "%s: what is %d; must be from 0 to %d", function, what, count - 1);
}

static bool is_word(int what, int count) { return what >= 0 && what < count; }

static size_t numbers_of(kai_bulk_body what)
{
    return what == KAI_BULK_ROTATION || what == KAI_BULK_PRINCIPAL_ROTATION ? 4 : 3;
}

// Views ------------------------------------------------------------------------------------------

static kai_bulk_view bulk_view(const void* first, size_t offset, size_t stride, size_t numbers,
                               size_t count)
{
    if (!first || count == 0) return (kai_bulk_view){.stride = stride, .numbers = numbers};
    return (kai_bulk_view){(const double*)(const void*)((const char*)first + offset), count, stride,
                           numbers};
}

/// The array of what is kept, and where in its items it lies. False: it is worked out.
static bool bulk_find(const kai_bodies* b, kai_bulk_body what, kai_bulk_view* out)
{
    const void* first = NULL;
    size_t offset = 0, stride = sizeof(kai_wrench);
    switch (what) {
    case KAI_BULK_COM_POSITION:
    case KAI_BULK_PRINCIPAL_ROTATION:
        first = b->pose;
        stride = sizeof(kai_pose);
        offset = what == KAI_BULK_COM_POSITION ? offsetof(kai_pose, position)
                                               : offsetof(kai_pose, rotation);
        break;
    case KAI_BULK_COM_VELOCITY:
    case KAI_BULK_SPIN:
        first = b->motion;
        stride = sizeof(kai_motion);
        offset = what == KAI_BULK_COM_VELOCITY ? offsetof(kai_motion, velocity)
                                               : offsetof(kai_motion, spin);
        break;
    case KAI_BULK_FORCE: first = b->wrench; break;
    case KAI_BULK_PRINCIPAL_TORQUE:
        first = b->wrench;
        offset = offsetof(kai_wrench, torque);
        break;
    case KAI_BULK_COM_ACCELERATION: first = b->acceleration; break;
    case KAI_BULK_SPIN_ACCELERATION:
        first = b->acceleration;
        offset = offsetof(kai_wrench, torque);
        break;
    default: return false;
    }
    *out = bulk_view(first, offset, stride, numbers_of(what), b->count);
    return true;
}

kai_result kai_bulk_bodies(const kai_world* world, kai_bulk_body what, kai_bulk_view* out)
{
    KAI_READ(world, out);
    if (!is_word((int)what, KAI_BULK_BODY_QUANTITIES))
        return bulk_bad_word(world, __func__, (int)what, KAI_BULK_BODY_QUANTITIES);
    if (bulk_find(&world->bodies, what, out)) return KAI_OK;
    return kai_error_set(kai_world_error_of(world), KAI_ERROR_UNSUPPORTED,
                         "kai_bulk_bodies: quantity %d is worked out from others; use "
                         "kai_bulk_copy_bodies",
                         (int)what);
}

kai_result kai_bulk_nodes(const kai_world* world, kai_bulk_node what, kai_bulk_view* out)
{
    static const size_t offsets[] = {
        [KAI_BULK_NODE_POSITION] = offsetof(kai_node_def, position),
        [KAI_BULK_NODE_SLOPE_0] = offsetof(kai_node_def, slope[0]),
        [KAI_BULK_NODE_SLOPE_1] = offsetof(kai_node_def, slope[1]),
        [KAI_BULK_NODE_VELOCITY] = offsetof(kai_node_def, velocity),
        [KAI_BULK_NODE_SLOPE_VELOCITY_0] = offsetof(kai_node_def, slope_velocity[0]),
        [KAI_BULK_NODE_SLOPE_VELOCITY_1] = offsetof(kai_node_def, slope_velocity[1]),
        [KAI_BULK_NODE_ACCELERATION] = offsetof(kai_node_def, acceleration[0]),
        [KAI_BULK_NODE_FORCE] = offsetof(kai_node_def, force[0])};
    KAI_READ(world, out);
    if (!is_word((int)what, KAI_BULK_NODE_QUANTITIES))
        return bulk_bad_word(world, __func__, (int)what, KAI_BULK_NODE_QUANTITIES);
    *out = bulk_view(kai_node_all(world), offsets[what], sizeof(kai_node_record), 3,
                     world->nodes.count);
    return KAI_OK;
}

kai_result kai_bulk_shafts(const kai_world* world, kai_bulk_shaft what, kai_bulk_view* out)
{
    static const size_t offsets[] = {[KAI_BULK_SHAFT_ANGLE] = offsetof(kai_shaft_def, angle),
                                     [KAI_BULK_SHAFT_SPEED] = offsetof(kai_shaft_def, speed),
                                     [KAI_BULK_SHAFT_ACCELERATION] =
                                         offsetof(kai_shaft_def, acceleration),
                                     [KAI_BULK_SHAFT_TORQUE] = offsetof(kai_shaft_def, torque)};
    KAI_READ(world, out);
    if (!is_word((int)what, KAI_BULK_SHAFT_QUANTITIES))
        return bulk_bad_word(world, __func__, (int)what, KAI_BULK_SHAFT_QUANTITIES);
    *out = bulk_view(world->shafts.batches[0].items.data, offsets[what], sizeof(kai_shaft_def), 1,
                     world->shafts.count);
    return KAI_OK;
}

kai_result kai_bulk_body_ids(const kai_world* world, kai_body* out)
{
    KAI_READ(world, out);
    for (size_t i = 0; i < world->bodies.count; i++) out[i] = kai_bodies_id(&world->bodies, i);
    return KAI_OK;
}

// Copies -----------------------------------------------------------------------------------------

typedef struct bulk_copy {
    const kai_world* world;
    kai_bulk_body what;
    const kai_body* bodies;           // NULL: in storage order
    const kai_particles_group* group; // instead, or NULL
    double* out;
} bulk_copy;

static void put3(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/// What is worked out, for the body in a slot.
static void bulk_work_out(const kai_bodies* b, kai_bulk_body what, size_t slot, double* out)
{
    const kai_pose* pose = &b->pose[slot];
    const kai_frame offset = kai_bodies_offset(b, slot);
    const kai_vec3 arm = kai_quat_rotate(pose->rotation, offset.position);
    const kai_vec3 omega = kai_quat_rotate(pose->rotation, b->motion[slot].spin);
    const kai_wrench none = {0};
    const kai_wrench* a = b->acceleration ? &b->acceleration[slot] : &none;
    const kai_vec3 alpha = kai_quat_rotate(pose->rotation, a->torque);
    const kai_frame own = kai_frame_compose(kai_frame_make(pose->position, pose->rotation), offset);
    switch (what) {
    case KAI_BULK_POSITION: put3(out, own.position); break;
    case KAI_BULK_ROTATION: memcpy(out, &own.rotation, 4 * sizeof *out); break;
    case KAI_BULK_VELOCITY:
        put3(out, kai_vec3_add(b->motion[slot].velocity, kai_vec3_cross(omega, arm)));
        break;
    case KAI_BULK_ANGULAR_VELOCITY: put3(out, omega); break;
    case KAI_BULK_ACCELERATION: {
        const kai_vec3 turning = kai_vec3_add(kai_vec3_cross(alpha, arm),
                                              kai_vec3_cross(omega, kai_vec3_cross(omega, arm)));
        const bool known = b->acceleration;
        put3(out, known ? kai_vec3_add(a->force, turning) : kai_vec3_zero());
        break;
    }
    case KAI_BULK_ANGULAR_ACCELERATION: put3(out, alpha); break;
    default:
        put3(out,
             b->wrench ? kai_quat_rotate(pose->rotation, b->wrench[slot].torque) : kai_vec3_zero());
    }
}

static void bulk_copy_range(size_t begin, size_t end, void* context)
{
    const bulk_copy* c = context;
    const kai_bodies* b = &c->world->bodies;
    const size_t numbers = numbers_of(c->what);
    kai_bulk_view view = {0};
    const bool kept = bulk_find(b, c->what, &view);
    for (size_t i = begin; i < end; i++) {
        double* out = c->out + i * numbers;
        const size_t slot = c->group    ? kai_bodies_slot(b, kai_particles_group_body(c->group, i))
                            : c->bodies ? kai_bodies_slot(b, c->bodies[i])
                                        : i;
        if (slot == SIZE_MAX)
            for (size_t k = 0; k < numbers; k++) out[k] = (double)NAN;
        else if (!kept)
            bulk_work_out(b, c->what, slot, out);
        else if (view.data)
            memcpy(out, (const char*)view.data + slot * view.stride, numbers * sizeof *out);
        else
            memset(out, 0, numbers * sizeof *out);
    }
}

static kai_result check_bodies(const kai_world* world, const char* function, const kai_body* bodies,
                               size_t count)
{
    kai_error* err = kai_world_error_of(world);
    if (!bodies && count > world->bodies.count)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: count is %zu; there are %zu bodies",
                             function, count, world->bodies.count);
    for (size_t i = 0; bodies && i < count; i++)
        if (kai_bodies_slot(&world->bodies, bodies[i]) == SIZE_MAX) {
            kai_body_id_error(bodies[i], err);
            kai_error_prefix(err, "%s: bodies[%zu]", function, i);
            return KAI_ERROR_ID;
        }
    return KAI_OK;
}

kai_result kai_bulk_copy_bodies(const kai_world* world, kai_bulk_body what, const kai_body* bodies,
                                size_t count, double* out)
{
    KAI_READ(world, out);
    if (!is_word((int)what, KAI_BULK_BODY_QUANTITIES))
        return bulk_bad_word(world, __func__, (int)what, KAI_BULK_BODY_QUANTITIES);
    KAI_TRY(check_bodies(world, __func__, bodies, count));
    bulk_copy copy = {.world = world, .what = what, .bodies = bodies, .out = out};
    kai_parallel_for(world->threads, count, BLOCK, bulk_copy_range, &copy);
    return KAI_OK;
}

kai_result kai_bulk_copy_particles(const kai_world* world, kai_bulk_body what, kai_particles group,
                                   double* out)
{
    KAI_READ(world, out);
    if (!is_word((int)what, KAI_BULK_BODY_QUANTITIES))
        return bulk_bad_word(world, __func__, (int)what, KAI_BULK_BODY_QUANTITIES);
    if (group.index == 0 || group.index > world->groups.count || group.generation != 0 ||
        group.world != world->tag)
        return kai_error_set(kai_world_error_of(world), KAI_ERROR_ID,
                             "kai_bulk_copy_particles: group id %u is null, stale or from another "
                             "world",
                             group.index);
    const kai_particles_group* g =
        (const kai_particles_group*)world->groups.data + (group.index - 1);
    bulk_copy copy = {.world = world, .what = what, .group = g, .out = out};
    kai_parallel_for(world->threads, g->count, BLOCK, bulk_copy_range, &copy);
    return KAI_OK;
}

// Changes ----------------------------------------------------------------------------------------

typedef struct bulk_set {
    kai_world* world;
    const kai_body* bodies;
    const double *position, *rotation, *velocity, *omega;
    bool check;          // only look whether all can be set
    atomic_size_t wrong; // 1 + the least index that cannot
} bulk_set;

static kai_vec3 take3(const double* from, size_t i)
{
    return kai_vec3_make(from[3 * i], from[3 * i + 1], from[3 * i + 2]);
}

static bool bulk_set_one(const bulk_set* s, size_t i, size_t slot)
{
    kai_bodies* b = &s->world->bodies;
    double now[4];
    kai_frame frame;
    kai_vec3 v, w;
    bulk_work_out(b, KAI_BULK_ROTATION, slot, now);
    const double* q = s->rotation ? s->rotation + 4 * i : now;
    frame.rotation = kai_quat_make(q[0], q[1], q[2], q[3]);
    bulk_work_out(b, KAI_BULK_POSITION, slot, now);
    frame.position = s->position ? take3(s->position, i) : take3(now, 0);
    bulk_work_out(b, KAI_BULK_VELOCITY, slot, now);
    v = s->velocity ? take3(s->velocity, i) : take3(now, 0);
    bulk_work_out(b, KAI_BULK_ANGULAR_VELOCITY, slot, now);
    w = s->omega ? take3(s->omega, i) : take3(now, 0);
    if (s->check && !kai_body_is_rotation(frame.rotation)) return false;
    frame.rotation = kai_quat_normalize(frame.rotation);
    if (s->check) { // also what follows for the mass centre must be finite
        const kai_frame offset = kai_bodies_offset(b, slot);
        const kai_vec3 centre = kai_frame_compose(frame, kai_frame_inverse(offset)).position;
        const kai_vec3 arm = kai_vec3_sub(centre, frame.position);
        return kai_vec3_is_finite(centre) && kai_vec3_is_finite(w) &&
               kai_vec3_is_finite(kai_vec3_add(v, kai_vec3_cross(w, arm)));
    }
    return kai_body_place(b, slot, frame, v, w, NULL) == KAI_OK;
}

static void bulk_set_range(size_t begin, size_t end, void* context)
{
    bulk_set* s = context;
    for (size_t i = begin; i < end; i++) {
        const size_t slot = s->bodies ? kai_bodies_slot(&s->world->bodies, s->bodies[i]) : i;
        if (bulk_set_one(s, i, slot)) continue;
        size_t least = atomic_load(&s->wrong);
        while ((least == 0 || i + 1 < least) &&
               !atomic_compare_exchange_weak(&s->wrong, &least, i + 1))
            continue;
        return;
    }
}

kai_result kai_bulk_set_bodies(kai_world* world, const kai_body* bodies, size_t count,
                               const double* positions, const double* rotations,
                               const double* velocities, const double* angular_velocities)
{
    KAI_CHANGE(world);
    KAI_TRY(check_bodies(world, __func__, bodies, count));
    bulk_set set = {.world = world,
                    .bodies = bodies,
                    .position = positions,
                    .rotation = rotations,
                    .velocity = velocities,
                    .omega = angular_velocities,
                    .check = true};
    kai_parallel_for(world->threads, count, BLOCK, bulk_set_range, &set);
    const size_t wrong = atomic_load(&set.wrong);
    if (wrong > 0)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_bulk_set_bodies: row %zu has a number that is not finite, or a "
                             "rotation of norm 0",
                             wrong - 1);
    set.check = false;
    // A list may name a body twice: the later row counts.
    kai_parallel_for(bodies ? 1 : world->threads, count, BLOCK, bulk_set_range, &set);
    world->energy_known = false;
    return KAI_OK;
}
