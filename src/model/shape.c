// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes on bodies. Bytes a shape: 24 record + 8 entry + 4 owner + its instance (sphere 8): 44.
#include "model/shape.h"

#include "model/body.h"
#include "model/id.h"

typedef kai_shape_def def_type;

static const kai_param PARAMS[] = {
    {.name = "at",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(def_type, at),
     .unit = "m",
     .doc = "Origin of the shape in the body's own frame."},
    {.name = "rotation",
     .type = KAI_PARAM_ROTATION,
     .offset = offsetof(def_type, rotation),
     .doc = "Of the shape against the body's own frame."},
    {.name = "material",
     .type = KAI_PARAM_MATERIAL,
     .offset = offsetof(def_type, material),
     .doc = "Name of a material; a default one when absent."},
    {.name = "color",
     .type = KAI_PARAM_COLOR,
     .offset = offsetof(def_type, color),
     .initial = {-1.0, -1.0, -1.0},
     .range = KAI_BETWEEN(0.0, 1.0),
     .doc = "Color in pictures; chosen by the viewer when absent."},
    {.name = "collide",
     .type = KAI_PARAM_BOOL,
     .offset = offsetof(def_type, collide),
     .initial = {1.0},
     .doc = "Takes part in contact."},
    {.name = "visible",
     .type = KAI_PARAM_BOOL,
     .offset = offsetof(def_type, visible),
     .initial = {1.0},
     .doc = "Is drawn."},
};

const kai_kind kai_shape_common = {.name = "shape",
                                   .doc = "What every shape takes.",
                                   .size = sizeof(def_type),
                                   .params = PARAMS,
                                   .param_count = KAI_COUNT(PARAMS)};

kai_shape_def kai_shape_def_default(void)
{
    kai_shape_def def;
    kai_kind_defaults(&kai_shape_common, &def);
    return def;
}

static kai_result fail(const kai_world* world, const char* function, kai_shape shape)
{
    return kai_world_fail(
        world, function,
        kai_store_id_error(&world->shapes, KAI_ID_OF(shape), kai_world_error_of(world)));
}

static kai_shape_record* record_at(const kai_world* world, uint32_t index)
{
    return (kai_shape_record*)world->shape_records.data + (index - 1);
}

kai_result kai_shape_register(kai_world* world, const kai_shape_kind* kind)
{
    return kai_world_fail(
        world, __func__,
        kai_store_register(&world->shapes, kind ? &kind->kind : NULL, &world->error));
}

// Color as 0x01rrggbb, 0 when it is left to the viewer -------------------------------------------

static uint32_t pack_color(kai_vec3 c)
{
    if (c.x < 0.0) return 0;
    return 0x01000000u | (uint32_t)lround(c.x * 255.0) << 16 | (uint32_t)lround(c.y * 255.0) << 8 |
           (uint32_t)lround(c.z * 255.0);
}

static kai_vec3 unpack_color(uint32_t color)
{
    if (color == 0) return kai_vec3_make(-1.0, -1.0, -1.0);
    return kai_vec3_make((color >> 16 & 255u) / 255.0, (color >> 8 & 255u) / 255.0,
                         (color & 255u) / 255.0);
}

// Creation ---------------------------------------------------------------------------------------

kai_result kai_shape_check(const kai_world* world, const kai_shape_def* def, kai_error* err)
{
    KAI_TRY(kai_kind_check(&kai_shape_common, def, err));
    if (!kai_body_is_rotation(def->rotation))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "shape: rotation is [0, 0, 0, 0]; must have norm 1");
    if (!KAI_IS_NULL(def->material) && !kai_store_find(&world->materials, KAI_ID_OF(def->material)))
        return kai_store_id_error(&world->materials, KAI_ID_OF(def->material), err);
    return KAI_OK;
}

kai_result kai_shape_add(kai_world* world, size_t slot, const kai_shape_kind* kind,
                         const void* params, const kai_shape_def* def, kai_shape* out,
                         kai_error* err)
{
    const kai_frame frame = kai_frame_make(def->at, kai_quat_normalize(def->rotation));
    kai_shape_record record = {.material = def->material.index,
                               .color = pack_color(def->color),
                               .flags = (def->collide ? KAI_SHAPE_COLLIDE : 0u) |
                                        (def->visible ? KAI_SHAPE_VISIBLE : 0u)};
    KAI_TRY(kai_array_reserve(&world->shape_records, &world->memory,
                              world->shapes.entries.count + 1, err));
    KAI_TRY(kai_frames_add(&world->shape_frames, &world->memory, &frame, &record.frame, err));
    kai_id id;
    const kai_result r = kai_store_add(&world->shapes, &kind->kind, params, NULL, &id, err);
    if (r != KAI_OK) {
        kai_frames_drop(&world->shape_frames, record.frame);
        return r;
    }

    // The newest shape goes to the end of the body's list, so that shapes keep the order of the
    // scene.
    kai_bodies_cold* cold = &world->bodies.cold[slot];
    record.body = cold->owner;
    if (id.index > world->shape_records.count) world->shape_records.count = id.index;
    *record_at(world, id.index) = record;
    uint32_t* link = &cold->first_shape;
    while (*link) link = &record_at(world, *link)->next;
    *link = id.index;
    cold->shape_count++;
    *out = KAI_ID_AS(kai_shape, id);
    return KAI_OK;
}

kai_result kai_shape_create(kai_world* world, kai_body body, const kai_shape_kind* kind,
                            const void* params, const kai_shape_def* def, kai_shape* out)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX)
        return kai_error_set(&world->error, KAI_ERROR_ID,
                             "kai_shape_create: body id %u is null, stale or from another world",
                             body.index);
    if (!kind || !def)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT, "kai_shape_create: %s is NULL",
                             kind ? "def" : "kind");
    kai_result r = kai_shape_check(world, def, &world->error);
    if (r == KAI_OK) r = kai_shape_add(world, slot, kind, params, def, out, &world->error);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_shape_destroy(kai_world* world, kai_shape shape)
{
    if (!kai_store_find(&world->shapes, KAI_ID_OF(shape))) return fail(world, __func__, shape);
    const kai_shape_record record = *record_at(world, shape.index);
    const kai_bodies_entry* entry =
        (const kai_bodies_entry*)world->bodies.entries.data + (record.body - 1);
    kai_bodies_cold* cold = &world->bodies.cold[entry->slot];
    uint32_t* link = &cold->first_shape;
    while (*link != shape.index) link = &record_at(world, *link)->next;
    *link = record.next;
    cold->shape_count--;
    kai_frames_drop(&world->shape_frames, record.frame);
    return kai_store_remove(&world->shapes, KAI_ID_OF(shape), &world->error);
}

// Queries ----------------------------------------------------------------------------------------

static kai_shape shape_of(const kai_world* world, uint32_t index)
{
    if (index == 0) return (kai_shape){0};
    const kai_store_entry* entry = (const kai_store_entry*)world->shapes.entries.data + (index - 1);
    return (kai_shape){index, entry->generation, world->tag};
}

kai_result kai_shape_get(const kai_world* world, kai_shape shape, const kai_shape_kind** kind,
                         const void** params, kai_shape_def* def, kai_body* body)
{
    const kai_store_entry* entry = kai_store_find(&world->shapes, KAI_ID_OF(shape));
    if (!entry) return fail(world, __func__, shape);
    const kai_shape_record* record = record_at(world, shape.index);
    if (kind) *kind = (const kai_shape_kind*)(const void*)world->shapes.batches[entry->batch].kind;
    if (params) *params = kai_store_at(&world->shapes, KAI_ID_OF(shape));
    if (body) {
        const kai_bodies_entry* owner =
            (const kai_bodies_entry*)world->bodies.entries.data + (record->body - 1);
        *body = kai_bodies_id(&world->bodies, owner->slot);
    }
    if (def) {
        const kai_frame frame = kai_frames_at(&world->shape_frames, record->frame);
        kai_material material = {0};
        if (record->material) {
            const kai_store_entry* m =
                (const kai_store_entry*)world->materials.entries.data + (record->material - 1);
            material = (kai_material){record->material, m->generation, world->tag};
        }
        *def = (kai_shape_def){.at = frame.position,
                               .rotation = frame.rotation,
                               .material = material,
                               .color = unpack_color(record->color),
                               .collide = record->flags & KAI_SHAPE_COLLIDE,
                               .visible = record->flags & KAI_SHAPE_VISIBLE};
    }
    return KAI_OK;
}

kai_shape kai_shape_first(const kai_world* world, kai_body body)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    return slot == SIZE_MAX ? (kai_shape){0}
                            : shape_of(world, world->bodies.cold[slot].first_shape);
}

kai_shape kai_shape_next(const kai_world* world, kai_shape shape)
{
    if (!kai_store_find(&world->shapes, KAI_ID_OF(shape))) return (kai_shape){0};
    return shape_of(world, record_at(world, shape.index)->next);
}

size_t kai_shape_count(const kai_world* world) { return world->shapes.count; }
