// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The state of one world for the things of the same name in another.
#include "model/check.h"
#include "model/id.h"
#include "model/world.h"

#include <kairos/particles.h>
#include <kairos/shaft.h>
#include <kairos/state.h>
#include <kairos/structure.h>
#include <kairos/world.h>
#include <stdio.h>
#include <string.h>

static void note_missing(size_t* count, kai_string* first, const char* name)
{
    if ((*count)++ == 0) snprintf(first->text, sizeof first->text, "%s", name);
}

static bool is_same_frame(const kai_bodies* a, size_t i, const kai_bodies* b, size_t k)
{
    if (!kai_bodies_is_offset(a, i) && !kai_bodies_is_offset(b, k)) return true;
    if (!kai_bodies_is_offset(a, i) || !kai_bodies_is_offset(b, k)) return false;
    const kai_frame one = kai_bodies_offset(a, i), other = kai_bodies_offset(b, k);
    return memcmp(&one, &other, sizeof one) == 0;
}

// Where the frames agree the numbers are copied as they stand; the calls before tell the world.
static kai_result take_body(kai_world* world, kai_body body, const kai_world* from, kai_body other,
                            kai_world_taken* taken)
{
    kai_bodies* to = &world->bodies;
    const kai_bodies* all = &from->bodies;
    if (kai_body_is_fixed(world, body)) return KAI_OK;
    KAI_TRY(kai_body_set_frame(world, body, kai_body_frame(from, other)));
    KAI_TRY(kai_body_set_velocity(world, body, kai_body_velocity(from, other),
                                  kai_body_angular_velocity(from, other)));
    const size_t i = kai_bodies_slot(to, body), k = kai_bodies_slot(all, other);
    if (is_same_frame(to, i, all, k)) {
        to->pose[i].position = all->pose[k].position;
        to->pose[i].rotation = all->pose[k].rotation;
        to->motion[i].velocity = all->motion[k].velocity;
        to->motion[i].spin = all->motion[k].spin;
    }
    taken->bodies++;
    return KAI_OK;
}

static kai_result take_bodies(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    for (size_t i = 0; i < kai_body_count(world); i++) {
        const kai_body body = kai_body_at(world, i);
        const char* name = kai_body_name(world, body);
        if (name[0] == '\0') continue;
        const kai_body other = kai_body_find(from, name);
        if (!KAI_IS_NULL(other))
            KAI_TRY(take_body(world, body, from, other, taken));
        else if (!kai_body_is_fixed(world, body))
            note_missing(&taken->missing, &taken->first_missing, name);
    }
    for (size_t i = 0; i < kai_body_count(from); i++) {
        const char* name = kai_body_name(from, kai_body_at(from, i));
        if (name[0] != '\0' && KAI_IS_NULL(kai_body_find(world, name)))
            note_missing(&taken->left, &taken->first_left, name);
    }
    return KAI_OK;
}

static kai_result take_particles(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    for (size_t g = 0; g < kai_particles_groups(world); g++) {
        const kai_particles group = kai_particles_at(world, g);
        const char* name = kai_particles_name(world, group);
        const kai_particles other = kai_particles_find(from, name);
        const size_t count = kai_particles_count(world, group);
        if (KAI_IS_NULL(other) || kai_particles_count(from, other) != count) {
            note_missing(&taken->missing, &taken->first_missing, name);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            const kai_body body = kai_particles_body(world, group, i),
                           before = kai_particles_body(from, other, i);
            if (!KAI_IS_NULL(body) && !KAI_IS_NULL(before))
                KAI_TRY(take_body(world, body, from, before, taken));
        }
    }
    for (size_t g = 0; g < kai_particles_groups(from); g++) {
        const char* name = kai_particles_name(from, kai_particles_at(from, g));
        if (KAI_IS_NULL(kai_particles_find(world, name)))
            note_missing(&taken->left, &taken->first_left, name);
    }
    return KAI_OK;
}

static kai_result take_node(kai_world* world, kai_node node, const kai_world* from, kai_node other,
                            kai_world_taken* taken)
{
    kai_node_def here, there;
    kai_vec3 place[1 + KAI_NODE_SLOPES], motion[1 + KAI_NODE_SLOPES];
    if (kai_node_get(world, node, &here) != KAI_OK || kai_node_get(from, other, &there) != KAI_OK ||
        here.slopes != there.slopes)
        return KAI_OK;
    place[0] = there.position;
    motion[0] = there.velocity;
    for (int s = 0; s < KAI_NODE_SLOPES; s++) {
        place[1 + s] = there.slope[s];
        motion[1 + s] = there.slope_velocity[s];
    }
    taken->nodes++;
    return kai_node_set_motion(world, node, place, motion);
}

static kai_result take_nodes(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    for (size_t i = 0; i < kai_node_count(world); i++) {
        const kai_node node = kai_node_at_index(world, i);
        const char* name = kai_node_name(world, node);
        if (name[0] == '\0') continue;
        const kai_node other = kai_node_find(from, name);
        if (KAI_IS_NULL(other))
            note_missing(&taken->missing, &taken->first_missing, name);
        else
            KAI_TRY(take_node(world, node, from, other, taken));
    }
    return KAI_OK;
}

// Nodes of a structure may be bodies, where elements turn.
static kai_result take_structure(kai_world* world, kai_structure structure, const kai_world* from,
                                 kai_structure other, kai_world_taken* taken)
{
    for (size_t i = 0; i < kai_structure_size(world, structure, NULL); i++) {
        const kai_node node = kai_structure_node_at(world, structure, NULL, i),
                       before = kai_structure_node_at(from, other, NULL, i);
        const kai_body body = kai_structure_body_at(world, structure, NULL, i),
                       moved = kai_structure_body_at(from, other, NULL, i);
        if (!KAI_IS_NULL(node) && !KAI_IS_NULL(before))
            KAI_TRY(take_node(world, node, from, before, taken));
        if (!KAI_IS_NULL(body) && !KAI_IS_NULL(moved))
            KAI_TRY(take_body(world, body, from, moved, taken));
    }
    return KAI_OK;
}

static kai_result take_structures(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    for (size_t i = 0; i < kai_structure_count(world); i++) {
        const kai_structure structure = kai_structure_at(world, i);
        const char* name = kai_structure_name(world, structure);
        const kai_structure other = kai_structure_find(from, name);
        if (KAI_IS_NULL(other) ||
            kai_structure_size(world, structure, NULL) != kai_structure_size(from, other, NULL))
            note_missing(&taken->missing, &taken->first_missing, name);
        else
            KAI_TRY(take_structure(world, structure, from, other, taken));
    }
    return KAI_OK;
}

static kai_result take_shafts(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    for (size_t i = 0; i < kai_shaft_count(world); i++) {
        const kai_shaft shaft = kai_shaft_at_index(world, i);
        const char* name = kai_shaft_name(world, shaft);
        kai_shaft_def def;
        if (name[0] == '\0') continue;
        if (kai_shaft_get(from, kai_shaft_find(from, name), &def) != KAI_OK) {
            note_missing(&taken->missing, &taken->first_missing, name);
            continue;
        }
        KAI_TRY(kai_shaft_set_motion(world, shaft, def.angle, def.speed));
        taken->shafts++;
    }
    return KAI_OK;
}

// User states of one name and kind.
static kai_result take_states(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    const kai_names* names = &world->states.names;
    for (size_t i = 0; i < names->capacity; i++) {
        const char* name = names->entries[i].text;
        if (name == NULL) continue;
        const kai_state state = kai_state_find(world, name), other = kai_state_find(from, name);
        const kai_store_entry* here = kai_store_find(&world->states, KAI_ID_OF(state));
        const kai_store_entry* there = kai_store_find(&from->states, KAI_ID_OF(other));
        if (here == NULL) continue;
        if (there == NULL || strcmp(world->states.batches[here->batch].kind->name,
                                    from->states.batches[there->batch].kind->name) != 0) {
            note_missing(&taken->missing, &taken->first_missing, name);
            continue;
        }
        KAI_TRY(kai_state_set_values(world, state, kai_state_values(from, other)));
        taken->states++;
    }
    return KAI_OK;
}

static kai_result take_all(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    KAI_TRY(take_bodies(world, from, taken));
    KAI_TRY(take_particles(world, from, taken));
    KAI_TRY(take_nodes(world, from, taken));
    KAI_TRY(take_structures(world, from, taken));
    KAI_TRY(take_shafts(world, from, taken));
    return take_states(world, from, taken);
}

kai_result kai_world_take(kai_world* world, const kai_world* from, kai_world_taken* taken)
{
    KAI_CHANGE(world, from);
    kai_world_taken own;
    if (taken == NULL) taken = &own;
    *taken = (kai_world_taken){0};
    return take_all(world, from, taken);
}
