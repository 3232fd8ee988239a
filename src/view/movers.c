// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/movers.h"

#include "base/error.h"
#include "model/shape.h"

#include <stdlib.h>
#include <string.h>

static const kai_particles_group* groups_of(const kai_world* world) { return world->groups.data; }

// A group whose particles are balls at their own origins.
static bool is_round(const kai_world* world, const kai_particles_group* group)
{
    for (size_t i = 0; i < group->count; i++) {
        const kai_shape shape = kai_shape_first(world, kai_particles_group_body(group, i));
        const kai_shape_kind* kind;
        kai_shape_def def;
        if (KAI_IS_NULL(shape)) continue;
        if (kai_shape_get(world, shape, &kind, NULL, &def, NULL) != KAI_OK ||
            kind != &kai_shape_sphere || kai_vec3_max_abs(def.at) > 0.0)
            return false;
        break; // all have the same kind of shape in the same place
    }
    return true;
}

static void movers_add(kai_movers* m, const kai_world* world, size_t slot)
{
    const uint32_t id = world->bodies.owner[slot];
    m->id[m->count] = id;
    m->of_id[id] = (uint32_t)m->count++;
}

static const kai_bodies_entry* entry_of(const kai_movers* m, const kai_world* world, size_t mover)
{
    return (const kai_bodies_entry*)world->bodies.entries.data + (m->id[mover] - 1);
}

// Rows of a frame in a file, in the order of ids.
static size_t count_turned(const kai_movers* m, const kai_world* world)
{
    const kai_bodies_entry* entries = world->bodies.entries.data;
    size_t row = 0, turned = 0;
    for (size_t i = 0; i < world->bodies.entries.count; i++) {
        if (!entries[i].used) continue;
        row++;
        if (m->of_id[i + 1] < m->rotated) turned = row;
    }
    return turned;
}

static void add_group(kai_movers* m, const kai_world* world, size_t g)
{
    const kai_particles_group* group = &groups_of(world)[g];
    m->groups[m->group_count++] = (uint32_t)g;
    for (size_t i = 0; i < group->count; i++) {
        const size_t slot = kai_bodies_slot(&world->bodies, kai_particles_group_body(group, i));
        if (slot != SIZE_MAX) movers_add(m, world, slot);
    }
}

kai_result kai_movers_make(kai_movers* m, const kai_world* world, kai_error* err)
{
    const kai_bodies* bodies = &world->bodies;
    *m = (kai_movers){.id_count = bodies->entries.count + 1};
    m->id = malloc((bodies->count + 1) * sizeof *m->id);
    m->of_id = malloc(m->id_count * sizeof *m->of_id);
    m->groups = malloc((world->groups.count + 1) * sizeof *m->groups);
    if (m->id == NULL || m->of_id == NULL || m->groups == NULL) {
        kai_movers_free(m);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu bodies", bodies->count);
    }
    memset(m->of_id, 0xff, m->id_count * sizeof *m->of_id);
    const kai_bodies_entry* entries = bodies->entries.data;
    for (size_t i = 0; i < bodies->entries.count; i++)
        if (entries[i].used &&
            bodies->colds[bodies->shared_properties[entries[i].slot]].group == 0 &&
            !(bodies->motion[entries[i].slot].flags & KAI_BODY_NODE)) // the mesh shows those
            movers_add(m, world, entries[i].slot);
    m->bodies = m->count;
    for (size_t g = 0; g < world->groups.count; g++)
        if (!is_round(world, &groups_of(world)[g])) add_group(m, world, g);
    m->rotated = m->count;
    m->turned = count_turned(m, world);
    for (size_t g = 0; g < world->groups.count; g++)
        if (is_round(world, &groups_of(world)[g])) add_group(m, world, g);
    return KAI_OK;
}

void kai_movers_gather(const kai_movers* m, const kai_world* world, double* position,
                       double* rotation)
{
    for (size_t i = 0; i < m->count; i++) {
        const kai_bodies_entry* entry = entry_of(m, world, i);
        if (!entry->used) continue;
        const size_t slot = entry->slot;
        const kai_pose* pose = &world->bodies.pose[slot];
        kai_frame frame = {pose->position, pose->rotation};
        if (kai_bodies_is_offset(&world->bodies, slot))
            frame = kai_frame_compose(frame, kai_bodies_offset(&world->bodies, slot));
        memcpy(position + 3 * i, &frame.position, 3 * sizeof *position);
        if (i >= m->rotated) continue;
        const double q[4] = {frame.rotation.w, frame.rotation.x, frame.rotation.y,
                             frame.rotation.z};
        memcpy(rotation + 4 * i, q, sizeof q);
    }
}

kai_body kai_movers_body(const kai_movers* m, const kai_world* world, size_t mover)
{
    const kai_bodies_entry* entry = entry_of(m, world, mover);
    return entry->used ? kai_bodies_id(&world->bodies, entry->slot) : (kai_body){0};
}

void kai_movers_sizes(const kai_world* world, double* least, double* most)
{
    const kai_mat33 straight = kai_mat33_identity();
    *least = HUGE_VAL;
    *most = 0.0;
    for (size_t b = 0; b < world->shapes.batch_count; b++) {
        const kai_store_batch* batch = &world->shapes.batches[b];
        const kai_shape_kind* kind = (const kai_shape_kind*)(const void*)batch->kind;
        if (kind == &kai_shape_sphere) { // most of very many shapes are
            const kai_shape_sphere_params* spheres = batch->items.data;
            for (size_t i = 0; i < batch->items.count; i++) {
                const double size = 2.0 * spheres[i].radius;
                *most = size > *most ? size : *most;
                *least = size < *least ? size : *least;
            }
            continue;
        }
        for (size_t i = 0; i < batch->items.count; i++) {
            kai_vec3 centre, half;
            if (!kai_shape_bounds(kind, kai_array_at(&batch->items, i), &straight, &centre, &half))
                break;
            const double size = 2.0 * kai_vec3_max_abs(half);
            if (size > *most) *most = size;
            if (size < *least) *least = size;
        }
    }
    if (*most == 0.0) *least = 0.0;
}

void kai_movers_free(kai_movers* m)
{
    free(m->id);
    free(m->of_id);
    free(m->groups);
    *m = (kai_movers){0};
}
