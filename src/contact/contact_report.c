// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_grains.h"

#include "model/check.h"
#include "model/id.h"

size_t kai_contact_report_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    const kai_contacts* c = world->contact;
    return c && kai_collision_count(world) == c->count ? c->count : 0;
}

kai_result kai_contact_report_update(kai_world* world)
{
    KAI_CHANGE(world);
    if (kai_contact_report_count(world) == 0) return KAI_OK;
    kai_contacts* c = world->contact;
    kai_result r = kai_contacts_sum(c, world, &world->error);
    if (r == KAI_OK) r = kai_contacts_grains_gather(world, &world->error);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_contact_report_at(kai_world* world, size_t i, kai_contact_report* out)
{
    KAI_CHANGE(world, out);
    const size_t count = kai_contact_report_count(world);
    if (i >= count)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_contact_report_at: i is %zu; the last step had %zu contacts", i,
                             count);
    const kai_contacts* c = world->contact;
    KAI_TRY(kai_world_fail(world, __func__, kai_contacts_grains_gather(world, &world->error)));
    const kai_wrench* force = kai_array_at(&c->force, i);
    out->force = force->force;
    out->torque = force->torque;
    return kai_collision_at(world, i, &out->contact);
}

kai_result kai_contact_report_body(kai_world* world, kai_body body, kai_vec3* force,
                                   kai_vec3* torque)
{
    KAI_CHANGE(world, force, torque);
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX)
        return kai_error_set(&world->error, KAI_ERROR_ID,
                             "kai_contact_report_body: body id %u is stale or from another world",
                             body.index);
    *force = *torque = kai_vec3_zero();
    const size_t count = kai_contact_report_count(world);
    if (count == 0) return KAI_OK;
    kai_contacts* c = world->contact;
    KAI_TRY(kai_world_fail(world, __func__, kai_contacts_sum(c, world, &world->error)));
    const kai_wrench* sum = kai_array_at(&c->sums, slot);
    *force = sum->force;
    *torque = sum->torque;
    return KAI_OK;
}
