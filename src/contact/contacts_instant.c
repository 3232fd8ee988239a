// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_instant.h"

#include "contact/contacts_failed.h"

#include <string.h>

enum { BATCH = 64, BLOCK = 4 * BATCH, AXES = 3, PROBES = 2 + 2 * AXES };

static const double PART = 1e-6; // of overlaps and velocities, for differences

typedef struct instant_context {
    const kai_contacts* c;
    const kai_world* world;
    const kai_contacts_instant* step;
} instant_context;

static double gap_of(const kai_world* world, size_t i)
{
    return world->collision->proximity.contacts[i].contact.gap;
}

static const kai_contact_history* history_of(const kai_contacts* c, size_t i)
{
    return (const kai_contact_history*)c->history.data + i;
}

// Contacts ---------------------------------------------------------------------------------------

kai_result kai_contacts_instant_find(kai_contacts* c, kai_world* world, double h, double reach,
                                     kai_error* err)
{
    const double usual = world->contact_reach;
    world->contact_reach = reach;
    const kai_result r = kai_contacts_find(c, world, &(kai_contacts_options){.h = h}, err);
    world->contact_reach = usual;
    KAI_TRY(r);
    const size_t count = world->contact_memory.count;
    KAI_TRY(kai_array_resize(&c->history, c->memory, count, err));
    kai_contact_history* history = c->history.data;
    for (size_t i = 0; i < count; i++)
        memcpy(&history[i], kai_contacts_memory(world, i)->data, sizeof history[i]);
    return KAI_OK;
}

static kai_vec3 into_body(const kai_world* world, uint32_t owner, kai_vec3 point)
{
    const kai_pose* pose = &world->bodies.pose[owner & ~KAI_BROAD_FIXED];
    return kai_quat_unrotate(pose->rotation, kai_vec3_sub(point, pose->position));
}

static kai_vec3 out_of_body(const kai_world* world, uint32_t owner, kai_vec3 local)
{
    const kai_pose* pose = &world->bodies.pose[owner & ~KAI_BROAD_FIXED];
    return kai_vec3_add(pose->position, kai_quat_rotate(pose->rotation, local));
}

kai_result kai_contacts_instant_freeze(kai_contacts* c, kai_world* world, kai_error* err)
{
    const size_t count = world->contact_memory.count;
    KAI_TRY(kai_array_resize(&c->frozen, c->memory, count, err));
    kai_contacts_frozen* frozen = c->frozen.data;
    for (size_t i = 0; i < count; i++) {
        const kai_contact* contact = &world->collision->proximity.contacts[i].contact;
        uint32_t a, b;
        kai_contacts_owners(world, i, &a, &b);
        frozen[i].a = into_body(world, a, contact->point_a);
        frozen[i].b = into_body(world, b, contact->point_b);
    }
    return KAI_OK;
}

void kai_contacts_instant_move(kai_contacts* c, kai_world* world)
{
    kai_proximity* p = &world->collision->proximity;
    const kai_contacts_frozen* frozen = c->frozen.data;
    kai_patch_follow(&world->collision->surface, world);
    p->deepest = 0.0;
    for (size_t i = 0; i < world->contact_memory.count; i++) {
        kai_contact* contact = &p->contacts[i].contact;
        uint32_t a, b;
        kai_contacts_owners(world, i, &a, &b);
        contact->point_a = out_of_body(world, a, frozen[i].a);
        contact->point_b = out_of_body(world, b, frozen[i].b);
        contact->gap =
            kai_vec3_dot(kai_vec3_sub(contact->point_b, contact->point_a), contact->normal);
        p->deepest = fmax(p->deepest, -contact->gap);
    }
}

uint64_t kai_contacts_instant_pattern(const kai_contacts* c, const kai_world* world)
{
    const uint64_t* keys = c->keys.data;
    uint64_t sum = 0;
    for (size_t i = 0; i < world->contact_memory.count; i++) {
        const kai_contact_memory* m = kai_contacts_memory(world, i);
        const kai_contact_history* h = (const void*)m->data;
        if (gap_of(world, i) >= 0.0) continue;
        const uint64_t one = keys[i] * 0x9e3779b97f4a7c15u + m->feature * 2u + (h->slipping > 0.0);
        sum += (one ^ one >> 29) * 0xbf58476d1ce4e5b9u;
    }
    return sum;
}

kai_result kai_contacts_instant_save(kai_contacts* c, const kai_world* world, kai_error* err)
{
    const kai_array* memory = &world->contact_memory;
    KAI_TRY(kai_array_resize(&c->kept, c->memory, memory->count, err));
    if (memory->count > 0)
        memcpy(c->kept.data, memory->data, memory->count * sizeof(kai_contact_memory));
    return KAI_OK;
}

void kai_contacts_instant_restore(kai_contacts* c, kai_world* world)
{
    const kai_array memory = world->contact_memory;
    world->contact_memory = c->kept;
    c->kept = memory;
    c->items_for = 0; // numbers are found anew
    c->count = 0;
    c->summed = false;
}

// Forces -----------------------------------------------------------------------------------------

/// Motion of b against a at a contact, at both ends of the step.
typedef struct instant_motion {
    kai_wrench before, now; // velocity and spin
} instant_motion;

/// What a touch is at an overlap and a motion.
static void set_touch(const kai_contacts_instant* step, const instant_motion* m, double overlap,
                      kai_contact_touch* touch)
{
    const double s = step->share, h = step->h;
    const kai_vec3 way = kai_vec3_scale(
        kai_vec3_add(kai_vec3_scale(m->before.force, 1.0 - s), kai_vec3_scale(m->now.force, s)), h);
    const kai_vec3 turn = kai_vec3_scale(
        kai_vec3_add(kai_vec3_scale(m->before.torque, 1.0 - s), kai_vec3_scale(m->now.torque, s)),
        h);
    const double departure = kai_vec3_dot(touch->normal, m->now.force);
    const double closing = -kai_vec3_dot(touch->normal, way),
                 fastest = fmax(closing, -s * h * departure);
    const double lasted = closing > overlap ? overlap / closing : 1.0;
    const double damped = fastest > overlap ? overlap / fastest : 1.0;
    touch->overlap = overlap;
    touch->velocity = kai_vec3_mul_add(m->now.force, touch->normal, (damped - 1.0) * departure);
    touch->spin = m->now.torque;
    touch->extra_slide = kai_vec3_mul_add(kai_vec3_scale(way, lasted), m->now.force, -h);
    touch->extra_turn = kai_vec3_mul_add(kai_vec3_scale(turn, lasted), m->now.torque, -h);
}

/// Touch i and its motion; returns its law.
static const kai_penalty_law* fill(const instant_context* p, size_t i, kai_contact_touch* touch,
                                   instant_motion* m)
{
    m->before = (kai_wrench){0};
    const kai_contacts_pair* pair =
        kai_contacts_push_fill(p->c, p->world, i, p->step, touch, &m->before);
    m->now = (kai_wrench){touch->velocity, touch->spin};
    set_touch(p->step, m, touch->overlap, touch);
    return kai_contacts_law_instant(p->c, pair);
}

static void push_range(size_t begin, size_t end, double* sums, void* context)
{
    const instant_context* p = context;
    kai_wrench* force = p->c->force.data;
    kai_contact_touch touches[BATCH];
    kai_contact_history histories[BATCH];
    kai_contact_answer answers[BATCH];
    const kai_penalty_law* laws[BATCH];
    uint32_t which[BATCH];
    instant_motion motion;
    for (size_t first = begin; first < end; first += BATCH) {
        const size_t last = first + BATCH < end ? first + BATCH : end;
        size_t n = 0;
        for (size_t i = first; i < last; i++) {
            force[i] = (kai_wrench){0};
            memset(kai_contacts_memory(p->world, i)->data, 0, sizeof(kai_contact_history));
            if (gap_of(p->world, i) >= 0.0) continue;
            laws[n] = fill(p, i, &touches[n], &motion);
            histories[n] = *history_of(p->c, i);
            touches[n].history = &histories[n];
            which[n++] = (uint32_t)i;
        }
        kai_penalty_evaluate_by_law(laws, touches, n, p->step->h, answers);
        for (size_t k = 0; k < n; k++) {
            force[which[k]] = (kai_wrench){answers[k].force, answers[k].couple};
            memcpy(kai_contacts_memory(p->world, which[k])->data, &histories[k],
                   sizeof histories[k]);
            sums[0] += answers[k].energy;
            sums[1] += answers[k].dissipation;
        }
    }
}

kai_result kai_contacts_instant_push(kai_contacts* c, kai_world* world,
                                     const kai_contacts_instant* step, double* power,
                                     kai_error* err)
{
    instant_context p = {c, world, step};
    double sums[2] = {0.0, 0.0};
    KAI_TRY(kai_parallel_sum(world->threads, world->collision->proximity.contact_count, BLOCK,
                             push_range, &p, 2, sums, &world->arena, err));
    world->contact_elastic = sums[0];
    *power = sums[1];
    c->summed = false;
    c->count = world->contact_memory.count;
    KAI_TRY(kai_contacts_sum(c, world, err));
    return isfinite(sums[0] + sums[1]) ? KAI_OK
                                       : kai_contacts_failed(world, world->time + step->h, err);
}

// Derivatives ------------------------------------------------------------------------------------

/// A symmetric 2 × 2 matrix in the plane of t and u, without its negative eigenvalues.
static kai_mat33 in_plane(kai_vec3 t, kai_vec3 u, double a, double b, double c)
{
    const double mean = 0.5 * (a + c), half = 0.5 * (a - c), radius = sqrt(half * half + b * b);
    if (mean - radius < 0.0) {
        // The larger eigenvalue and its direction are left.
        const double most = fmax(mean + radius, 0.0);
        const double x = half >= 0.0 ? radius + half : b, y = half >= 0.0 ? b : radius - half;
        const double size2 = x * x + y * y, scale = size2 > 0.0 ? most / size2 : 0.0;
        a = scale * x * x, b = scale * x * y, c = scale * y * y;
    }
    const kai_vec3 p = kai_vec3_mul_add(kai_vec3_scale(t, a), u, b),
                   q = kai_vec3_mul_add(kai_vec3_scale(t, b), u, c);
    return kai_mat33_add(kai_mat33_outer(p, t), kai_mat33_outer(q, u));
}

/// One row of a force's derivatives: its component along `axis` against three motions.
static void set_row(const kai_vec3* rise, kai_vec3 axis, double row[AXES])
{
    for (int k = 0; k < AXES; k++) row[k] = -kai_vec3_dot(rise[k], axis);
}

/// n n · `normal` and, in the contact plane, `scale` times the derivatives `rise` along t and u.
static kai_mat33 assemble(const kai_vec3 axes[AXES], double normal, const kai_vec3* rise,
                          double scale)
{
    double t[AXES], u[AXES];
    set_row(rise, axes[1], t);
    set_row(rise, axes[2], u);
    return kai_mat33_add(
        kai_mat33_scale(kai_mat33_outer(axes[0], axes[0]), fmax(normal, 0.0)),
        in_plane(axes[1], axes[2], scale * t[1], 0.5 * scale * (t[2] + u[1]), scale * u[2]));
}

void kai_contacts_instant_stiffness(const kai_contacts* c, const kai_world* world,
                                    const kai_contacts_instant* step, size_t i, double position,
                                    double velocity, kai_contacts_stiffness* out)
{
    *out = (kai_contacts_stiffness){0};
    if (!(gap_of(world, i) < 0.0)) return;
    const instant_context p = {c, world, step};
    kai_contact_touch touches[PROBES];
    kai_contact_history histories[PROBES];
    kai_contact_answer answers[PROBES];
    instant_motion at;
    const kai_penalty_law* law = fill(&p, i, &touches[0], &at);
    const double overlap = touches[0].overlap;
    kai_vec3 axes[AXES] = {touches[0].normal, kai_vec3_perpendicular(touches[0].normal)};
    axes[2] = kai_vec3_cross(axes[0], axes[1]);
    // Steps of the differences: shares of what changes within a step.
    const double deeper = PART * (overlap + step->h * kai_vec3_norm(at.now.force)),
                 faster = deeper / step->h,
                 spin = PART *
                        (kai_vec3_norm(at.now.torque) + overlap / (step->h * touches[0].radius));
    const bool turns = law->kind->evaluate || touches[0].pair->rolling_friction > 0.0 ||
                       touches[0].pair->spinning_friction > 0.0;
    const size_t count = turns ? PROBES : 2 + AXES;
    for (size_t k = 0; k < count; k++) {
        instant_motion m = at;
        touches[k] = touches[0];
        if (k >= 2 && k < 2 + AXES)
            m.now.force = kai_vec3_mul_add(m.now.force, axes[k - 2], faster);
        if (k >= 2 + AXES) m.now.torque = kai_vec3_mul_add(m.now.torque, axes[k - 2 - AXES], spin);
        set_touch(step, &m, k == 1 ? overlap + deeper : overlap, &touches[k]);
        histories[k] = *history_of(c, i);
        touches[k].history = &histories[k];
    }
    kai_penalty_evaluate(law, touches, count, step->h, answers);
    kai_vec3 rise[AXES];
    for (int k = 0; k < AXES; k++)
        rise[k] =
            kai_vec3_scale(kai_vec3_sub(answers[2 + k].force, answers[0].force), 1.0 / faster);
    const double push =
        kai_vec3_dot(kai_vec3_sub(answers[1].force, answers[0].force), axes[0]) / deeper;
    const double damp = -kai_vec3_dot(rise[0], axes[0]);
    out->force =
        assemble(axes, position * fmax(push, 0.0) + velocity * fmax(damp, 0.0), rise, velocity);
    if (!turns) return;
    for (int k = 0; k < AXES; k++)
        rise[k] = kai_vec3_scale(kai_vec3_sub(answers[2 + AXES + k].couple, answers[0].couple),
                                 1.0 / spin);
    out->couple = assemble(axes, -velocity * kai_vec3_dot(rise[0], axes[0]), rise, velocity);
}
