// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts one by one. This is here and not in model/: a step of spheres leaves its contacts in their
// list, and the first one that is asked for brings them among the others.
#include "contact/contacts_grains.h"
#include "model/check.h"
#include "model/id.h"

kai_result kai_collision_at(kai_world* world, size_t i, kai_collision_contact* out)
{
    KAI_CHANGE(world, out);
    const size_t count = kai_collision_count(world);
    if (i >= count)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_collision_at: i is %zu; there are %zu contacts", i, count);
    KAI_TRY(kai_world_fail(world, __func__, kai_contacts_grains_gather(world, &world->error)));
    const kai_proximity* p = &world->collision->proximity;
    const kai_proximity_contact* c = &p->contacts[i];
    const kai_proximity_item first = kai_proximity_item_at(p, c->a),
                             second = kai_proximity_item_at(p, c->b), *a = &first, *b = &second;
    *out = (kai_collision_contact){
        .body_a = kai_bodies_id(&world->bodies, a->owner & ~KAI_BROAD_FIXED),
        .body_b = kai_bodies_id(&world->bodies, b->owner & ~KAI_BROAD_FIXED),
        .shape_a = {a->id, kai_store_entry_of(&world->shapes, a->id)->generation, world->tag},
        .shape_b = {b->id, kai_store_entry_of(&world->shapes, b->id)->generation, world->tag},
        .part_a = kai_proximity_group_of(p, c->a)->part,
        .part_b = kai_proximity_group_of(p, c->b)->part,
        .feature = c->contact.feature,
        .point_a = c->contact.point_a,
        .point_b = c->contact.point_b,
        .normal = c->contact.normal,
        .gap = c->contact.gap,
        .radius_a = c->contact.radius_a,
        .radius_b = c->contact.radius_b};
    return KAI_OK;
}
