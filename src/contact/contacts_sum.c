// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Each body adds up its own contacts: no locks, and the same bits for any number of threads. The
// list of contacts by body is a counting sort, on one thread: two passes over 8 bytes a contact.
#include "contact/contacts_grains.h"
#include "contact/contacts_surface_map.h"

#include <string.h>

enum { BLOCK = 256 };

static kai_result list_by_body(kai_contacts* c, const kai_world* world, kai_error* err)
{
    const size_t bodies = world->bodies.count, count = world->collision->proximity.contact_count;
    KAI_TRY(kai_array_resize(&c->first, c->memory, bodies + 1, err));
    KAI_TRY(kai_array_resize(&c->incidence, c->memory, 2 * count, err));
    KAI_TRY(kai_array_resize(&c->sums, c->memory, bodies, err));
    uint32_t *first = c->first.data, *incidence = c->incidence.data, a, b;
    memset(first, 0, (bodies + 1) * sizeof *first);
    for (size_t i = 0; i < count; i++) {
        kai_contacts_owners(world, i, &a, &b);
        first[(a & ~KAI_BROAD_FIXED) + 1]++;
        first[(b & ~KAI_BROAD_FIXED) + 1]++;
    }
    for (size_t k = 0; k < bodies; k++) first[k + 1] += first[k];
    // Filling moves each first to the end of its body: one place on.
    for (size_t i = 0; i < count; i++) {
        kai_contacts_owners(world, i, &a, &b);
        incidence[first[a & ~KAI_BROAD_FIXED]++] = (uint32_t)(i << 1);
        incidence[first[b & ~KAI_BROAD_FIXED]++] = (uint32_t)(i << 1 | 1u);
    }
    memmove(first + 1, first, bodies * sizeof *first);
    first[0] = 0;
    return KAI_OK;
}

/// Adds what contact i does to a body: sign 1 for b, -1 for a.
static void add(kai_wrench* sum, const kai_contacts* c, size_t i, kai_vec3 centre, double sign)
{
    const kai_wrench* force = (const kai_wrench*)c->force.data + i;
    kai_vec3 at[2];
    kai_contacts_places(c->world, i, at);
    const kai_vec3 arm = kai_vec3_sub(at[sign > 0.0], centre);
    const kai_vec3 moment = kai_vec3_add(kai_vec3_cross(arm, force->force), force->torque);
    sum->force = kai_vec3_mul_add(sum->force, force->force, sign);
    sum->torque = kai_vec3_mul_add(sum->torque, moment, sign);
}

/// Where a body's mass centre was when contacts were found: now, or half a step ago.
static kai_vec3 centre_of(const kai_contacts* c, size_t k)
{
    const kai_bodies* bodies = &c->world->bodies;
    const double ago = c->fast && !c->spheres.summed ? 0.5 * c->spheres.step : 0.0;
    return kai_vec3_mul_add(bodies->pose[k].position, bodies->motion[k].velocity, -ago);
}

static void sum_range(size_t begin, size_t end, void* context)
{
    const kai_contacts* c = context;
    const uint32_t *first = c->first.data, *incidence = c->incidence.data;
    kai_wrench* sums = c->sums.data;
    for (size_t k = begin; k < end; k++) {
        kai_wrench sum = c->fast && c->spheres.summed ? sums[k] : (kai_wrench){0};
        for (uint32_t j = first[k]; j < first[k + 1]; j++)
            add(&sum, c, incidence[j] >> 1, centre_of(c, k), incidence[j] & 1u ? 1.0 : -1.0);
        sums[k] = sum;
    }
}

/// Few contacts, beside the sums of spheres: one after the other, in the order that sum_range has.
static void sum_few(kai_contacts* c, const kai_world* world)
{
    kai_wrench* sums = c->sums.data;
    const kai_pose* pose = world->bodies.pose;
    uint32_t a, b;
    for (size_t i = 0; i < world->collision->proximity.contact_count; i++) {
        kai_contacts_owners(world, i, &a, &b);
        a &= ~KAI_BROAD_FIXED;
        b &= ~KAI_BROAD_FIXED;
        add(&sums[a], c, i, pose[a].position, -1.0);
        add(&sums[b], c, i, pose[b].position, 1.0);
    }
}

kai_result kai_contacts_sum(kai_contacts* c, kai_world* world, kai_error* err)
{
    if (c->summed) return KAI_OK;
    // Spheres whose forces nobody has summed are contacts like all others.
    if (c->fast && !c->spheres.summed) KAI_TRY(kai_contacts_grains_gather(world, err));
    if (c->fast && c->spheres.summed &&
        world->collision->proximity.contact_count < world->bodies.count / 4) {
        sum_few(c, world);
    } else {
        KAI_TRY(list_by_body(c, world, err));
        kai_parallel_for(world->threads, world->bodies.count, BLOCK, sum_range, c);
    }
    if (world->collision->surface.frames) kai_contacts_surface_map_bodies(c, world, c->sums.data);
    c->summed = true;
    return KAI_OK;
}
