// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Each body adds up its own contacts: no locks, and the same bits for any number of threads. The
// list of contacts by body is a counting sort, on one thread: two passes over 8 bytes a contact.
#include "contact/contacts.h"

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

static void sum_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const kai_contacts* c = context;
    const uint32_t *first = c->first.data, *incidence = c->incidence.data;
    const kai_proximity* p = &c->world->collision->proximity;
    const kai_wrench* force = c->force.data;
    kai_wrench* sums = c->sums.data;
    for (size_t k = begin; k < end; k++) {
        const kai_vec3 centre = c->world->bodies.pose[k].position;
        kai_wrench sum = {0};
        for (uint32_t j = first[k]; j < first[k + 1]; j++) {
            const size_t i = incidence[j] >> 1;
            const double sign = incidence[j] & 1u ? 1.0 : -1.0;
            const kai_vec3 arm = kai_vec3_sub(kai_contacts_point(&p->contacts[i].contact), centre);
            const kai_vec3 moment =
                kai_vec3_add(kai_vec3_cross(arm, force[i].force), force[i].torque);
            sum.force = kai_vec3_mul_add(sum.force, force[i].force, sign);
            sum.torque = kai_vec3_mul_add(sum.torque, moment, sign);
        }
        sums[k] = sum;
    }
}

kai_result kai_contacts_sum(kai_contacts* c, kai_world* world, kai_error* err)
{
    if (c->summed) return KAI_OK;
    KAI_TRY(list_by_body(c, world, err));
    kai_parallel_for(world->threads, world->bodies.count, BLOCK, sum_range, c);
    c->summed = true;
    return KAI_OK;
}
