// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Penalty forces of contacts of any shapes, in batches for the law.
//
// Effective radius: that of the surfaces where they are curved. Faces on faces, edges and corners
// have none; there the balls around both shapes stand in, so that the force of a law grows with the
// size of the bodies.
#include "contact/contacts_failed.h"
#include "contact/contacts_grains.h"
#include "contact/contacts_instant.h"
#include "contact/contacts_surface_map.h"

#include <string.h>

enum { BATCH = 64, BLOCK = 4 * BATCH };

typedef struct push_context {
    kai_contacts* c;
    const kai_world* world;
    double h;
} push_context;

static bool has_curvature(double a, double b)
{
    return a > 0.0 && b > 0.0 && (a < HUGE_VAL || b < HUGE_VAL);
}

static double effective(double a, double b) { return 1.0 / (1.0 / a + 1.0 / b); }

/// Velocity and spin of b against a at the contact, and the mass that meets it.
static void add_body(const kai_world* world, uint32_t owner, kai_vec3 point, double sign,
                     kai_contact_touch* touch, double* inverse_mass)
{
    if (owner & KAI_BROAD_FIXED) return;
    const kai_motion* m = &world->bodies.motion[owner];
    const kai_pose* pose = &world->bodies.pose[owner];
    const kai_vec3 w = kai_quat_rotate(pose->rotation, m->spin);
    const kai_vec3 arm = kai_vec3_sub(point, pose->position);
    const kai_vec3 v = kai_vec3_add(m->velocity, kai_vec3_cross(w, arm));
    touch->velocity = kai_vec3_mul_add(touch->velocity, v, sign);
    touch->spin = kai_vec3_mul_add(touch->spin, w, sign);
    *inverse_mass += kai_bodies_mass_of(&world->bodies, owner)->inverse_mass;
}

/// The same at the start of the step, with the arm of now: of a body that rolls the velocity at the
/// point of contact is zero then as well.
static void add_body_before(const kai_world* world, const kai_contacts_instant* start,
                            uint32_t owner, kai_vec3 point, double sign, kai_wrench* before)
{
    if (owner & KAI_BROAD_FIXED) return;
    const kai_motion* m = &start->motion[owner];
    const kai_vec3 w = kai_quat_rotate(start->pose[owner].rotation, m->spin);
    const kai_vec3 arm = kai_vec3_sub(point, world->bodies.pose[owner].position);
    before->force =
        kai_vec3_mul_add(before->force, kai_vec3_add(m->velocity, kai_vec3_cross(w, arm)), sign);
    before->torque = kai_vec3_mul_add(before->torque, w, sign);
}

static void add_facet_before(const kai_contacts_instant* start, const kai_patch_point* p,
                             double sign, kai_wrench* before)
{
    kai_vec3 v[KAI_PATCH_ENDS] = {{0}}, w[KAI_PATCH_ENDS] = {{0}};
    for (int k = 0; k < p->count; k++) {
        const uint32_t end = p->ends[k];
        if (p->frames) {
            v[k] = start->motion[end].velocity;
            w[k] = kai_quat_rotate(start->pose[end].rotation, start->motion[end].spin);
        } else {
            memcpy(&v[k], start->node_v + start->node_first[end], sizeof v[k]);
        }
    }
    before->force = kai_vec3_mul_add(before->force, kai_patch_velocity(p, v, w), sign);
    before->torque = kai_vec3_mul_add(before->torque, kai_patch_spin(p, v, w), sign);
}

/// Where surfaces of flexible bodies touch.
static void add_sides(const kai_world* world, const kai_contacts_instant* start,
                      const kai_contacts_surface_map* s, const uint32_t owner[2],
                      kai_contact_touch* touch, kai_wrench* before, double* inverse_mass)
{
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0;
        if (!s->facet[side]) {
            add_body(world, owner[side], s->at[side], sign, touch, inverse_mass);
            if (start) add_body_before(world, start, owner[side], s->at[side], sign, before);
            continue;
        }
        kai_vec3 v, w;
        kai_patch_motion(world, &s->point[side], &v, &w);
        touch->velocity = kai_vec3_mul_add(touch->velocity, v, sign);
        touch->spin = kai_vec3_mul_add(touch->spin, w, sign);
        *inverse_mass += kai_contacts_surface_map_inverse_mass(world, s, side);
        if (start) add_facet_before(start, &s->point[side], sign, before);
    }
}

const kai_contacts_pair* kai_contacts_push_fill(const kai_contacts* c, const kai_world* world,
                                                size_t i, const kai_contacts_instant* start,
                                                kai_contact_touch* touch, kai_wrench* before)
{
    const kai_proximity* proximity = &world->collision->proximity;
    const kai_proximity_contact* found = &proximity->contacts[i];
    const kai_contact* contact = &found->contact;
    const uint32_t owner[2] = {kai_proximity_owner(proximity, found->a),
                               kai_proximity_owner(proximity, found->b)};
    const kai_vec3 point = kai_contacts_point(contact);
    const kai_contacts_pair* pair = kai_contacts_pair_of(c, world, i);
    double inverse_mass = 0.0, ra = contact->radius_a, rb = contact->radius_b;
    if (!has_curvature(ra, rb)) {
        ra = kai_proximity_group_of(proximity, found->a)->radius;
        rb = kai_proximity_group_of(proximity, found->b)->radius;
    }
    *touch = (kai_contact_touch){.overlap = -contact->gap,
                                 .radius = effective(ra, rb),
                                 .radius_a = ra,
                                 .radius_b = rb,
                                 .normal = contact->normal,
                                 .pair = &pair->both};
    kai_contacts_surface_map spread;
    if (kai_contacts_surface_map_find(world, i, &spread)) {
        add_sides(world, start, &spread, owner, touch, before, &inverse_mass);
    } else {
        for (int side = 0; side < 2; side++) {
            const double sign = side ? 1.0 : -1.0;
            add_body(world, owner[side], point, sign, touch, &inverse_mass);
            if (start) add_body_before(world, start, owner[side], point, sign, before);
        }
    }
    touch->mass = 1.0 / inverse_mass;
    return pair;
}

static void push_range(size_t begin, size_t end, double* sums, void* context)
{
    const push_context* p = context;
    kai_wrench* force = p->c->force.data;
    kai_contact_touch touches[BATCH];
    kai_contact_history histories[BATCH];
    kai_contact_answer answers[BATCH];
    const kai_penalty_law* laws[BATCH];
    uint32_t which[BATCH];
    for (size_t first = begin; first < end; first += BATCH) {
        const size_t last = first + BATCH < end ? first + BATCH : end;
        size_t n = 0;
        for (size_t i = first; i < last; i++) {
            force[i] = (kai_wrench){0};
            if (p->world->collision->proximity.contacts[i].contact.gap < 0.0) {
                memcpy(&histories[n], kai_contacts_memory(p->world, i)->data, sizeof histories[n]);
                laws[n] = kai_contacts_law(
                    p->c, kai_contacts_push_fill(p->c, p->world, i, NULL, &touches[n], NULL));
                touches[n].history = &histories[n];
                which[n++] = (uint32_t)i;
            } else {
                memset(kai_contacts_memory(p->world, i)->data, 0, sizeof(kai_contact_history));
            }
        }
        kai_penalty_evaluate_by_law(laws, touches, n, p->h, answers);
        for (size_t k = 0; k < n; k++) {
            force[which[k]] = (kai_wrench){answers[k].force, answers[k].couple};
            memcpy(kai_contacts_memory(p->world, which[k])->data, &histories[k],
                   sizeof histories[k]);
            sums[0] += answers[k].energy;
            sums[1] += answers[k].dissipation;
        }
    }
}

kai_result kai_contacts_push(kai_contacts* c, kai_world* world, const kai_contacts_options* options,
                             double* heat, kai_error* err)
{
    const double h = options->h;
    push_context p = {c, world, h};
    double sums[2] = {0.0, 0.0};
    KAI_TRY(kai_parallel_sum(world->threads, world->collision->proximity.contact_count, BLOCK,
                             push_range, &p, 2, sums, &world->arena, err));
    // The fast path updates tangential springs in place, so skip it if this step already failed.
    const bool fails = options->no_undo && !isfinite(sums[0] + sums[1]);
    if (c->fast && !fails)
        KAI_TRY(kai_contacts_grains_push(c, world, options, &sums[0], &sums[1], err));
    world->contact_elastic = sums[0];
    *heat = h * sums[1];
    c->summed = false;
    if (fails) return KAI_OK;
    KAI_TRY(kai_contacts_sum(c, world, err));
    return isfinite(sums[0] + sums[1]) ? KAI_OK
                                       : kai_contacts_failed(world, world->time + 0.5 * h, err);
}
