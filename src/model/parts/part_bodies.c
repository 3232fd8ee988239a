// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/body.h"
#include "model/part.h"

#include <string.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part;
    world->bodies_version = world->terms_version = world->term_slots_version = 1;
    return kai_bodies_init(data, kai_part_memory(world), world->tag, err);
}

static void free_bodies(kai_world* world, void* data)
{
    (void)world;
    kai_bodies* bodies = data;
    if (bodies->memory) kai_bodies_free(bodies);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)world, (void)part;
    return w->bodies(w, data, err);
}

static kai_result load(kai_world* aside, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)aside, (void)part;
    return r->bodies(r, data, err);
}

/// Uses are counted anew by the parts that use bodies.
static kai_result check(kai_world* aside, void* data, kai_error* err)
{
    (void)aside, (void)err;
    kai_bodies* bodies = data;
    for (size_t i = 0; i < bodies->shared_properties_count; i++) bodies->colds[i].load_count = 0;
    return KAI_OK;
}

static void loaded(kai_world* world, void* data, const void* old)
{
    (void)data, (void)old;
    kai_body_terms_changed(world);
}

static uint64_t hash_bodies(const kai_world* world, const void* data, uint64_t hash)
{
    (void)world;
    const kai_bodies* bodies = data;
    hash = kai_hash_bytes(hash, bodies->pose, bodies->owned * sizeof(kai_pose));
    return kai_hash_bytes(hash, bodies->motion, bodies->owned * sizeof(kai_motion));
}

// Poses of all bodies, then motions --------------------------------------------------------------

static size_t backup_bytes(const kai_world* world, const void* data)
{
    (void)world;
    return ((const kai_bodies*)data)->count * (sizeof(kai_pose) + sizeof(kai_motion));
}

typedef struct copy_context {
    const kai_bodies* bodies;
    kai_pose* pose;
    kai_motion* motion;
} copy_context;

static void copy_range(size_t begin, size_t end, void* context)
{
    const copy_context* c = context;
    memcpy(c->pose + begin, c->bodies->pose + begin, (end - begin) * sizeof(kai_pose));
    memcpy(c->motion + begin, c->bodies->motion + begin, (end - begin) * sizeof(kai_motion));
}

static void backup(const kai_world* world, const void* data, void* to)
{
    const kai_bodies* bodies = data;
    kai_pose* pose = to;
    copy_context c = {bodies, pose, (kai_motion*)(void*)(pose + bodies->count)};
    kai_parallel_for(world->threads, bodies->count, 512, copy_range, &c);
}

static void restore(kai_world* world, void* data, const void* from)
{
    (void)world;
    kai_bodies* bodies = data;
    if (bodies->count == 0) return;
    memcpy(bodies->pose, from, bodies->count * sizeof(kai_pose));
    memcpy(bodies->motion, (const kai_pose*)from + bodies->count,
           bodies->count * sizeof(kai_motion));
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)world;
    const kai_bodies* b = data;
    size_t each = 0;
#define ADD(name, type) each += sizeof(type);
    KAI_BODIES_FIELDS(ADD)
#undef ADD
    each += (b->wrench ? sizeof *b->wrench : 0) + (b->acceleration ? sizeof *b->acceleration : 0) +
            (b->pose_next ? sizeof *b->pose_next : 0);
    return b->capacity * each +
           b->shared_properties_capacity * (sizeof *b->masses + sizeof *b->colds) +
           kai_part_array_bytes(&b->entries) + kai_part_array_bytes(&b->offsets.items) +
           kai_part_array_bytes(&b->offsets.unused) + kai_part_names_bytes(&b->names);
}

const kai_part kai_part_bodies = {.name = "bodies",
                                  KAI_PART_SPAN(bodies, bodies),
                                  .init = init,
                                  .free = free_bodies,
                                  .save = save,
                                  .load = load,
                                  .check = check,
                                  .loaded = loaded,
                                  .hash = hash_bodies,
                                  .undo = KAI_PART_STEP,
                                  .backup_bytes = backup_bytes,
                                  .backup = backup,
                                  .restore = restore,
                                  .bytes = bytes};
