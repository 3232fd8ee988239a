// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The longest safe step of the penalty method in a world: over all bodies that move, against one
// like itself and against something that does not move, of every material there is.
#include "contact/contacts.h"
#include "model/check.h"
#include "model/label.h"

#include <stdio.h>
#include <string.h>

typedef struct limit {
    double step;
    size_t slot;       // of the body that sets it
    uint32_t material; // of what it meets
    bool wall;         // what it meets does not move
} limit;

static void try_pair(limit* l, const kai_penalty_law* law, const kai_contact_coefficients* pair,
                     double radius, double mass, double speed, limit candidate)
{
    candidate.step = kai_penalty_stable_step(law, pair, radius, mass, speed);
    if (candidate.step < l->step) *l = candidate;
}

/// Materials of shapes that collide, by id index.
static uint8_t* materials_in_use(kai_world* world, size_t count, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    uint8_t* used = kai_arena_take(&world->arena, count, 1, err);
    if (!used) return NULL;
    memset(used, 0, count);
    for (size_t i = 0; i < kai_proximity_count(p); i++)
        used[kai_shape_record_of(world, kai_proximity_item_at(p, i).id).material] = 1;
    return used;
}

static kai_result find(kai_world* world, limit* l, kai_error* err)
{
    kai_contacts* c;
    kai_proximity_poses poses;
    KAI_TRY(kai_contacts_get(world, &c, err));
    KAI_TRY(kai_contacts_update_pairs(c, world, err));
    KAI_TRY(kai_collision_items(world, &poses, err));
    const kai_proximity* p = &world->collision->proximity;
    const double speed = world->contact_def.characteristic_speed;
    const uint8_t* used = materials_in_use(world, c->materials, err);
    if (!used) return KAI_ERROR_MEMORY;
    double last[2] = {-1.0, -1.0};
    uint32_t last_material = UINT32_MAX;
    for (size_t i = 0; i < kai_proximity_count(p); i++) {
        const kai_proximity_item item = kai_proximity_item_at(p, i);
        const double r = kai_proximity_group_of(p, i)->radius;
        if (item.owner & KAI_BROAD_FIXED || !(r < HUGE_VAL)) continue;
        // Pieces and nodes of structures move as elements let them, which a step solves for.
        if (world->bodies.motion[item.owner].flags & KAI_BODY_NODE) continue;
        const uint32_t material = kai_shape_record_of(world, item.id).material;
        const double m = kai_bodies_mass_of(&world->bodies, item.owner)->mass;
        if (r == last[0] && m == last[1] && material == last_material) continue;
        last[0] = r, last[1] = m, last_material = material;
        for (uint32_t k = 0; k < c->materials; k++) {
            if (!used[k]) continue;
            const kai_contacts_pair* pair =
                (const kai_contacts_pair*)c->pairs.data + material * c->materials + k;
            const limit like = {0.0, item.owner, k, false}, wall = {0.0, item.owner, k, true};
            const kai_penalty_law* law = kai_contacts_law(c, pair);
            try_pair(l, law, &pair->both, 0.5 * r, 0.5 * m, speed, like);
            try_pair(l, law, &pair->both, r, m, speed, wall);
        }
    }
    return KAI_OK;
}

kai_result kai_contact_stable_step(kai_world* world, double* step, char* text, size_t size)
{
    KAI_CHANGE(world, step);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    limit l = {.step = HUGE_VAL};
    kai_result r = KAI_OK;
    if (world->contact_def.method == KAI_CONTACT_SMC) r = find(world, &l, &world->error);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(kai_world_fail(world, __func__, r));
    *step = l.step;
    if (!text || size == 0) return KAI_OK;
    text[0] = 0;
    if (l.step == HUGE_VAL) return KAI_OK;
    char body[KAI_STRING_SIZE + 32];
    kai_label_body(world, l.slot, body, sizeof body);
    char name[KAI_STRING_SIZE] = "default";
    if (l.material > 0) {
        const kai_store_entry* entries = world->materials.entries.data;
        const kai_id id = {l.material, entries[l.material - 1].generation, world->tag};
        snprintf(name, sizeof name, "%s", kai_store_name(&world->materials, id));
    }
    snprintf(text, size, "%s against %s of material '%s'", body,
             l.wall ? "something fixed" : "one like it", name);
    return KAI_OK;
}
