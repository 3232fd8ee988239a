// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes: their store, and what each has beside its instance.
#include "geometry/shape_list.h"
#include "model/collision/patch.h"
#include "model/part.h"
#include "model/shape.h"

#include <math.h>
#include <stdlib.h>

static const kai_kind* const SHAPE_KINDS[] = {
#define SHAPE_KIND(name) &kai_shape_##name.kind,
    KAI_SHAPE_KINDS(SHAPE_KIND)
#undef SHAPE_KIND
        & kai_patch_kind.kind,
    NULL};

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    world->shape_records = kai_array_make(sizeof(kai_shape_record));
    world->shape_runs = kai_array_make(sizeof(kai_shape_record));
    kai_frames_init(&world->shape_frames);
    return kai_part_store_init(world, part, data, err);
}

static void free_shapes(kai_world* world, void* data)
{
    kai_memory* memory = kai_part_memory(world);
    if (world->shapes.memory) kai_shape_release_all(&world->shapes);
    kai_part_store_free(world, data);
    kai_array_free(&world->shape_records, memory);
    kai_array_free(&world->shape_runs, memory);
    kai_frames_free(&world->shape_frames, memory);
}

// Files ------------------------------------------------------------------------------------------

#define RECORD(field)                                                \
    {                                                                \
#field, offsetof(kai_shape_record, field), KAI_NUMBER_U32, 1 \
    }
static const kai_member MEMBERS[] = {
    RECORD(body),
    RECORD(next),
    RECORD(material),
    RECORD(frame),
    RECORD(color),
    RECORD(flags),
    {"margin", offsetof(kai_shape_record, margin), KAI_NUMBER_F64, 1}};
static const kai_part_list RECORDS = {.name = "shape_records",
                                      .members = MEMBERS,
                                      .member_count = KAI_COUNT(MEMBERS),
                                      .size = sizeof(kai_shape_record)};

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    KAI_TRY(kai_part_store_save(world, part, data, w, err));
    KAI_TRY(w->frames(w, "shape_frames", &world->shape_frames, err));
    const size_t count = kai_store_last(&world->shapes);
    kai_shape_record* records = malloc((count + 1) * sizeof *records);
    for (size_t i = 0; records && i < count; i++)
        records[i] = kai_shape_record_of(world, (uint32_t)i + 1);
    const kai_result r =
        records ? w->list(w, &RECORDS, records, count, err)
                : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'shape_records'");
    free(records);
    return r;
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    KAI_TRY(kai_part_store_load(p, part, data, r, err));
    KAI_TRY(kai_shape_prepare_all(&p->shapes, err));
    KAI_TRY(r->frames(r, "shape_frames", &p->shape_frames, kai_part_memory(p), err));
    void* records = NULL;
    size_t count = 0;
    KAI_TRY(r->list(r, &RECORDS, &records, &count, err));
    const kai_result result =
        kai_array_append(&p->shape_records, kai_part_memory(p), records, count, err);
    free(records);
    return result;
}

// Each body's chain of shapes is walked; every shape must be met once, at its own body.
static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    const kai_shape_record* records = p->shape_records.data;
    size_t met = 0;
    if (p->shape_records.count < p->shapes.entries.count)
        return kai_error_set(err, KAI_ERROR_FORMAT, "'shape_records' is too short");
    for (size_t slot = 0; slot < p->bodies.count; slot++) {
        const kai_bodies_cold cold = kai_bodies_cold_of(&p->bodies, slot);
        uint32_t count = 0;
        for (uint32_t index = cold.first_shape; index != 0; count++) {
            if (!kai_part_refer_in_use(&p->shapes, index) || met++ >= p->shapes.count)
                return kai_error_set(err, KAI_ERROR_FORMAT, "the shapes of body %zu are broken",
                                     slot);
            const kai_shape_record* r = &records[index - 1];
            if (r->body != cold.owner ||
                (r->material != 0 && !kai_part_refer_in_use(&p->materials, r->material)) ||
                r->frame > p->shape_frames.items.count ||
                !(r->margin >= 0.0 && r->margin < HUGE_VAL))
                return kai_error_set(err, KAI_ERROR_FORMAT, "shape %u breaks its rules", index);
            index = r->next;
        }
        if (cold.shape_count == count) continue;
        kai_bodies_cold* own;
        KAI_TRY(kai_bodies_own(&p->bodies, slot, &own, err));
        own->shape_count = count;
    }
    if (met == p->shapes.count) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%zu shapes belong to no body",
                         p->shapes.count - met);
}

static size_t bytes(const kai_world* world, const void* data)
{
    return kai_part_store_bytes(world, data) + kai_part_array_bytes(&world->shape_records) +
           kai_part_array_bytes(&world->shape_runs) +
           kai_part_array_bytes(&world->shape_frames.items) +
           kai_part_array_bytes(&world->shape_frames.unused);
}

const kai_part kai_part_shapes = {.name = "shapes",
                                  KAI_PART_SPAN(shapes, shape_frames),
                                  .family = "shape",
                                  .kinds = SHAPE_KINDS,
                                  .init = init,
                                  .free = free_shapes,
                                  .save = save,
                                  .load = load,
                                  .check = check,
                                  .loaded = kai_part_store_loaded,
                                  .bytes = bytes};
