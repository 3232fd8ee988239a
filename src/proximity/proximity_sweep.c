// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/proximity_sweep.h"

#include "proximity/narrow.h"

/// Convex shapes that meet are found in a handful of rounds. Something that flies along a mesh may
/// take more: what it is next to after this many is its contact.
enum { ROUNDS = 32 };

/// An item under way.
typedef struct moving {
    const kai_geometry* geometry;
    kai_geometry sphere; // where it is one
    kai_frame pose;      // of its owner, now
    kai_frame place;     // on the owner
    kai_vec3 velocity, spin;
    double arm; // of the point that turning moves most, m
} moving;

/// Velocity of an owner that moves, with what it will gain.
static kai_vec3 velocity_of(const kai_proximity* p, size_t slot)
{
    const kai_proximity_poses* poses = &p->poses;
    return kai_vec3_add(kai_proximity_vec3(poses->velocity, poses->motion_stride, slot), p->kick);
}

static moving look_up(const kai_proximity* p, size_t i)
{
    const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
    const kai_proximity_group* group = kai_proximity_group_of(p, i);
    const kai_proximity_poses* poses = &p->poses;
    const size_t slot = item->owner & ~KAI_BROAD_FIXED;
    const char* rotation = (const char*)poses->rotation + poses->stride * slot;
    moving m = {.place = kai_frame_identity(), .arm = kai_proximity_arm(p, group)};
    m.pose.position = kai_proximity_vec3(poses->position, poses->stride, slot);
    m.pose.rotation = *(const kai_quat*)(const void*)rotation;
    if (group->frame != 0) m.place = ((const kai_frame*)p->frames.data)[group->frame - 1];
    if (!poses->velocity || (item->owner & KAI_BROAD_FIXED)) return m;
    m.velocity = velocity_of(p, slot);
    m.spin = kai_proximity_vec3(poses->spin, poses->motion_stride, slot);
    return m;
}

/// The way of an item, fast or not.
static kai_proximity_way whole_way(const kai_proximity* p, size_t i)
{
    const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
    const kai_proximity_group* group = kai_proximity_group_of(p, i);
    const kai_proximity_poses* poses = &p->poses;
    kai_proximity_way way = {.length = 0.0};
    if (!poses->velocity || (item->owner & KAI_BROAD_FIXED)) return way;
    const size_t slot = item->owner & ~KAI_BROAD_FIXED;
    const kai_vec3 v = velocity_of(p, slot);
    const double arm = kai_proximity_arm(p, group);
    double turn = 0.0;
    if (arm > 0.0 && isfinite(arm)) {
        const kai_vec3 w = kai_proximity_vec3(poses->spin, poses->motion_stride, slot);
        turn = fmin(p->sweep * kai_vec3_norm(w), 2.0) * arm;
    }
    return (kai_proximity_way){kai_vec3_scale(v, p->sweep), turn,
                               p->sweep * kai_vec3_norm(v) + turn};
}

kai_proximity_way kai_proximity_sweep_way(const kai_proximity* p, size_t i)
{
    const kai_proximity_way way = whole_way(p, i);
    return way.length > 0.5 * p->reach ? way : (kai_proximity_way){.length = 0.0};
}

double kai_proximity_sweep_pair(const kai_proximity* p, uint32_t a, uint32_t b)
{
    const kai_proximity_way x = whole_way(p, a), y = whole_way(p, b);
    const kai_vec3 travel = kai_vec3_sub(y.travel, x.travel);
    const double turn = x.turn + y.turn, length = kai_vec3_norm(travel), more = length + turn;
    const kai_vec3 d = kai_vec3_sub(p->balls[b].centre, p->balls[a].centre);
    const double most = fabs(p->balls[a].radius) + fabs(p->balls[b].radius) + p->reach + turn;
    if (!isfinite(most)) return more > p->reach ? more : 0.0;
    // The point of the way that is nearest; a trace more than the sum of radii, as in
    // proximity_contacts.c.
    const double along = -kai_vec3_dot(d, travel);
    const double s = along > 0.0 ? fmin(along / (length * length), 1.0) : 0.0;
    const double nearest2 = kai_vec3_norm2(kai_vec3_mul_add(d, travel, s));
    if (nearest2 > most * most * (1.0 + 1e-11)) return -1.0;
    return more > p->reach ? more : 0.0;
}

static kai_frame frame_at(const moving* m, double t)
{
    const kai_frame pose = {kai_vec3_mul_add(m->pose.position, m->velocity, t),
                            kai_quat_integrate_body(m->pose.rotation, m->spin, t)};
    return kai_frame_compose(pose, m->place);
}

/// How fast turning brings points of one nearer to the other at most. Points of an unbounded one
/// matter up to the far end of the other.
static double turning(const moving* m, const moving* other)
{
    const double w = kai_vec3_norm(m->spin);
    if (w == 0.0 || isfinite(m->arm)) return w == 0.0 ? 0.0 : w * m->arm;
    if (!isfinite(other->arm)) return 0.0;
    return w * (kai_vec3_distance(m->pose.position, other->pose.position) + other->arm +
                other->geometry->margin);
}

/// A bound on the speed at which the gap closes. The plane between two convex shapes parts them as
/// long as it moves with one of them; of others only the speed itself is known.
static double closing(const moving* a, const moving* b, kai_vec3 normal)
{
    const kai_vec3 v = kai_vec3_sub(a->velocity, b->velocity);
    const bool convex =
        a->geometry->type <= KAI_GEOMETRY_PLANE && b->geometry->type <= KAI_GEOMETRY_PLANE;
    return (convex ? kai_vec3_dot(v, normal) : kai_vec3_norm(v)) + turning(a, b) + turning(b, a);
}

/// Where the point that is at x at time t would be now if it had always moved as it does then.
static kai_vec3 bring_back(const moving* m, double t, kai_vec3 x)
{
    const kai_quat rotation = kai_quat_integrate_body(m->pose.rotation, m->spin, t);
    const kai_vec3 centre = kai_vec3_mul_add(m->pose.position, m->velocity, t);
    const kai_vec3 w = kai_quat_rotate(rotation, m->spin);
    const kai_vec3 v = kai_vec3_add(m->velocity, kai_vec3_cross(w, kai_vec3_sub(x, centre)));
    return kai_vec3_mul_add(x, v, -t);
}

void kai_proximity_sweep_meet(const kai_proximity* p, uint32_t a, uint32_t b, double more,
                              kai_manifold* m)
{
    moving x = look_up(p, a), y = look_up(p, b);
    x.geometry = kai_proximity_geometry(p, a, &x.sphere);
    y.geometry = kai_proximity_geometry(p, b, &y.sphere);
    double t = 0.0;
    for (int k = 0; k < ROUNDS && m->count > 0; k++) {
        const double gap = m->contacts[0].gap;
        if (gap <= p->reach) break;
        const double speed = closing(&x, &y, m->contacts[0].normal);
        m->count = 0;
        if (!(speed > 0.0)) return;
        t += (gap - 0.5 * p->reach) / speed;
        if (!(t < p->sweep)) return;
        const kai_frame in = frame_at(&x, t), on = frame_at(&y, t);
        kai_narrow_find(x.geometry, &in, y.geometry, &on, p->reach + more, m);
    }
    for (int i = 0; i < m->count; i++) {
        kai_contact* c = &m->contacts[i];
        c->point_a = bring_back(&x, t, c->point_a);
        c->point_b = bring_back(&y, t, c->point_b);
        c->gap = kai_vec3_dot(c->normal, kai_vec3_sub(c->point_b, c->point_a));
    }
}
