// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints. A step may let some take hold of other ends: their instances are kept for a stop.
#include "model/joint_list.h"
#include "model/part.h"

#include <kairos/driveline.h>
#include <kairos/joint_nodes.h>
#include <string.h>

static const kai_kind* const JOINT_KINDS[] = {
#define JOINT_KIND(name) &kai_joint_##name.kind,
    KAI_JOINT_KINDS(JOINT_KIND)
#undef JOINT_KIND
        NULL};

static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    for (size_t b = 0; b < p->joints.batch_count; b++) {
        const kai_store_batch* batch = &p->joints.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (char*)batch->items.data + i * batch->kind->size;
            const kai_joint_base* base = (const void*)instance;
            KAI_TRY(
                kai_part_refer_check(p, batch->kind, instance, KAI_FUNCTION_SET_DEPTH + 1, err));
            const kai_joint_kind* kind = (const kai_joint_kind*)(const void*)batch->kind;
            const kai_param ends = {.name = "bodies", .required = true};
            for (int k = 0; !kind->frameless && k < 2; k++)
                KAI_TRY(kai_part_refer_check_body(p, &ends, &base->bodies[k], err));
            if (!kind->frameless && KAI_ID_EQUALS(base->bodies[0], base->bodies[1]))
                return kai_error_set(err, KAI_ERROR_FORMAT, "%s %zu has one body twice",
                                     batch->kind->name, i);
            const kai_body* others = (const void*)(instance + kind->others);
            for (int k = 0; k < 2; k++) KAI_TRY(kai_part_refer_count(p, base->bodies[k], err));
            for (int k = 0; k < kind->other_count; k++)
                KAI_TRY(kai_part_refer_count(p, others[k], err));
        }
    }
    return KAI_OK;
}

static const kai_joint_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_joint_kind*)(const void*)batch->kind;
}

/// Bytes of a batch whose joints may take hold of other ends.
static size_t bytes_of(const kai_store_batch* batch)
{
    return kind_of(batch)->pass ? batch->items.count * batch->kind->size : 0;
}

static size_t backup_bytes(const kai_world* world, const void* data)
{
    (void)data;
    size_t bytes = 0;
    for (size_t b = 0; b < world->joints.batch_count; b++)
        bytes += bytes_of(&world->joints.batches[b]);
    return bytes;
}

static void backup(const kai_world* world, const void* data, void* to)
{
    (void)data;
    char* at = to;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        if (bytes_of(batch) == 0) continue;
        memcpy(at, batch->items.data, bytes_of(batch));
        at += bytes_of(batch);
    }
}

/// Ends of joints: uses of bodies are counted for those that they have.
static void restore(kai_world* world, void* data, const void* copy)
{
    const char* from = copy;
    (void)data;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const kai_joint_kind* kind = kind_of(batch);
        if (!kind->pass) continue;
        for (size_t i = 0; i < batch->items.count; i++, from += batch->kind->size) {
            char* instance = (char*)batch->items.data + i * batch->kind->size;
            const kai_body* others = (const void*)(instance + kind->others);
            for (int k = 0; k < kind->other_count; k++)
                kai_bodies_count_load(&world->bodies, others[k], (uint32_t)-1);
            memcpy(instance, from, batch->kind->size);
            for (int k = 0; k < kind->other_count; k++)
                kai_bodies_count_load(&world->bodies, others[k], 1);
        }
    }
    world->joints.version++; // the system is laid out anew
}

const kai_part kai_part_joints = {KAI_PART_STORE(joints, "joint", JOINT_KINDS),
                                  .check = check,
                                  .undo = KAI_PART_STOP,
                                  .backup_bytes = backup_bytes,
                                  .backup = backup,
                                  .restore = restore};
