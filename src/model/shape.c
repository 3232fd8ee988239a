// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes on bodies. Bytes a shape: 32 record + 8 entry + 4 owner + its instance (sphere 8): 52;
// equal shapes of a particle group are one run of the store and cost nothing each.
#include "model/shape.h"

#include "base/kind.h"
#include "geometry/shape_surface.h"
#include "model/body.h"
#include "model/check.h"
#include "model/collision/collision.h"
#include "model/id.h"

#include <string.h>

typedef kai_shape_def def_type;

static const kai_param PARAMS[] = {
    KAI_PARAM(VEC3, def_type, at, .placing = KAI_PLACING_OWN, .unit = "m",
              .doc = "Origin of the shape in the body's own frame."),
    KAI_PARAM(ROTATION, def_type, rotation, .placing = KAI_PLACING_OWN,
              .doc = "Orientation of the shape relative to the body's own frame."),
    KAI_PARAM(MATERIAL, def_type, material,
              .doc = "Name of a material; a default one when absent."),
    KAI_PARAM(COLOR, def_type, color, .initial = {-1.0, -1.0, -1.0}, .range = KAI_BETWEEN(0.0, 1.0),
              .doc = "Color in pictures; chosen by the viewer when absent."),
    KAI_PARAM(BOOL, def_type, collide, .initial = {1.0},
              .doc = "Whether it takes part in contact."),
    KAI_PARAM(BOOL, def_type, visible, .initial = {1.0}, .doc = "Whether it is drawn."),
    KAI_PARAM(REAL, def_type, radius_margin, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc =
                  "Enlarges the shape by this distance in all directions, which rounds its edges."),
    KAI_PARAM(INT, def_type, family, .range = KAI_BETWEEN(0.0, KAI_SHAPE_FAMILIES - 1.0),
              .doc = "Collision family of the shape, for mask."),
    KAI_PARAM(
        INT, def_type, mask, .initial = {65535.0}, .range = KAI_BETWEEN(0.0, 65535.0),
        .doc =
            "Collision mask: the shape may touch shapes of family f when bit f (2 to the power f) is set. Both shapes must agree."),
};

const kai_kind kai_shape_common =
    KAI_KIND("shape", def_type, PARAMS, .doc = "Keys of every shape.");

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
    return (kai_shape_record*)world->shape_records.data + kai_store_place(&world->shapes, index);
}

kai_result kai_shape_register(kai_world* world, const kai_shape_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_shape_kind whole;
    KAI_TRY(kai_world_fail(
        world, __func__, kai_kind_read_table(given, "shape", sizeof whole, &whole, &world->error)));
    kind = &whole;
    if ((kind->prepare == NULL) != (kind->release == NULL))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_shape_register: %s has only one of prepare and release",
                             kind->kind.name);
    return kai_world_fail(world, __func__,
                          kai_store_register_table(&world->shapes, given, sizeof whole,
                                                   whole.surface ? KAI_SHAPE_SURFACE_TAIL : 0,
                                                   &world->error));
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

// What is built from parameters ------------------------------------------------------------------

// Whether two instances have the same parameters; false when that is not easily told.
static bool same(const kai_kind* kind, const char* a, const char* b)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const void *x = a + p->offset, *y = b + p->offset;
        if (p->hidden) continue; // follows from the others
        if (p->type == KAI_PARAM_TABLE) {
            const kai_table *s = x, *t = y;
            const size_t bytes = (size_t)s->rows * s->columns * sizeof(double);
            if (s->rows != t->rows || s->columns != t->columns) return false;
            if (bytes > 0 && memcmp(s->data, t->data, bytes) != 0) return false;
        } else if (kai_kind_is_text(p->type)) {
            if (strcmp(x, y) != 0) return false;
        } else if (p->type == KAI_PARAM_LIST || p->type == KAI_PARAM_CURVE) {
            return false;
        } else if (memcmp(x, y, kai_kind_type_size(p->type) * kai_kind_repeats(p)) != 0) {
            return false;
        }
    }
    return true;
}

// An instance like the one in a slot, among the few before it: equal shapes are mostly made in a
// row.
static const void* find_like(const kai_store_batch* batch, size_t slot)
{
    const char *items = batch->items.data, *wanted = items + slot * batch->kind->size;
    for (size_t back = 1; back <= 16 && back <= slot; back++)
        if (same(batch->kind, wanted - back * batch->kind->size, wanted))
            return wanted - back * batch->kind->size;
    return NULL;
}

static const kai_shape_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_shape_kind*)(const void*)batch->kind;
}

/// Gives back what was built for an instance.
static void shape_release(const kai_shape_kind* kind, void* instance, kai_memory* memory)
{
    if (kind->surface) {
        kai_shape_surface_release(*kai_shape_surface_place(kind, instance), memory);
        *kai_shape_surface_place(kind, instance) = NULL;
    }
    if (kind->release) kind->release(instance, memory);
}

/// Builds it; `like` is an equal instance, or NULL.
static kai_result shape_prepare(const kai_shape_kind* kind, void* instance, const void* like,
                                kai_memory* memory, kai_error* err)
{
    if (kind->surface) *kai_shape_surface_place(kind, instance) = NULL;
    if (kind->prepare) KAI_TRY(kind->prepare(instance, like, memory, err));
    if (!kind->surface) return KAI_OK;
    kai_shape_surface_data** place = kai_shape_surface_place(kind, instance);
    if (like) {
        *place = *kai_shape_surface_place(kind, like);
        (*place)->users++;
        return KAI_OK;
    }
    const kai_result r = kai_shape_surface_build(kind, instance, memory, place, err);
    if (r != KAI_OK && kind->release) kind->release(instance, memory);
    return r;
}

/// Whether something is built for instances of a kind.
static bool is_prepared(const kai_shape_kind* kind) { return kind->prepare || kind->surface; }

static kai_result prepare(kai_store* shapes, size_t b, size_t slot, kai_error* err)
{
    const kai_store_batch* batch = &shapes->batches[b];
    const kai_shape_kind* kind = kind_of(batch);
    if (!is_prepared(kind)) return KAI_OK;
    void* instance = (char*)batch->items.data + slot * batch->kind->size;
    return shape_prepare(kind, instance, find_like(batch, slot), shapes->memory, err);
}

kai_result kai_shape_prepare_all(kai_store* shapes, kai_error* err)
{
    for (size_t b = 0; b < shapes->batch_count; b++) {
        kai_store_batch* batch = &shapes->batches[b];
        for (size_t i = 0; is_prepared(kind_of(batch)) && i < batch->items.count; i++) {
            const kai_result r = prepare(shapes, b, i, err);
            if (r == KAI_OK) continue;
            kai_error_prefix(err, "%s %zu", batch->kind->name, i + 1);
            return r;
        }
    }
    return KAI_OK;
}

void kai_shape_release_all(kai_store* shapes)
{
    for (size_t b = 0; b < shapes->batch_count; b++) {
        const kai_store_batch* batch = &shapes->batches[b];
        const kai_shape_kind* kind = kind_of(batch);
        for (size_t i = 0; is_prepared(kind) && i < batch->items.count; i++)
            shape_release(kind, (char*)batch->items.data + i * batch->kind->size, shapes->memory);
    }
}

// Size -------------------------------------------------------------------------------------------

bool kai_shape_has_volume(const kai_shape_kind* kind) { return kind->mass || kind->surface; }

bool kai_shape_bounds(const kai_shape_kind* kind, const void* instance, const kai_mat33* rotation,
                      kai_vec3* centre, kai_vec3* half)
{
    const kai_shape_surface_data* surface = kai_shape_surface_of(kind, instance);
    if (kind->bounds)
        kind->bounds(instance, rotation, centre, half);
    else if (surface)
        kai_shape_surface_bounds(surface, rotation, centre, half);
    return kind->bounds || surface;
}

static double half_width(const kai_shape_kind* kind, const void* instance, double margin)
{
    const kai_mat33 straight = kai_mat33_identity();
    kai_vec3 centre, half;
    if (!kai_shape_bounds(kind, instance, &straight, &centre, &half)) return HUGE_VAL;
    const double least = fmin(fmin(half.x, half.y), half.z);
    const double most = fmax(fmax(half.x, half.y), half.z);
    return least + margin > 1e-6 * most ? least + margin : HUGE_VAL;
}

double kai_shape_half_width(const kai_world* world, uint32_t index)
{
    const kai_store_entry* entry = kai_store_entry_of(&world->shapes, index);
    const kai_store_batch* batch = &world->shapes.batches[entry->batch];
    return half_width(kind_of(batch), kai_array_at(&batch->items, entry->slot),
                      kai_shape_record_of(world, index).margin);
}

double kai_shape_least_half_width(const kai_world* world)
{
    double least = HUGE_VAL;
    for (size_t b = 0; b < world->shapes.batch_count; b++) {
        const kai_store_batch* batch = &world->shapes.batches[b];
        for (size_t i = 0; i < batch->items.count; i++)
            least = fmin(least, half_width(kind_of(batch), kai_array_at(&batch->items, i), 0.0));
    }
    return least;
}

// Mass -------------------------------------------------------------------------------------------

// Stretches about the middle of the box, along the shape's axes: x → c + S (x - c).
static void grow(const kai_shape_kind* kind, const void* instance, double margin,
                 kai_mass_properties* m)
{
    const kai_mat33 straight = kai_mat33_identity();
    kai_vec3 centre, half;
    if (!kai_shape_bounds(kind, instance, &straight, &centre, &half)) return;
    const double s[3] = {(half.x + margin) / half.x, (half.y + margin) / half.y,
                         (half.z + margin) / half.z};
    const double volume = s[0] * s[1] * s[2];
    const kai_vec3 arm = kai_vec3_sub(m->com, centre);
    m->com = kai_vec3_add(centre, kai_vec3_make(s[0] * arm.x, s[1] * arm.y, s[2] * arm.z));
    m->mass *= volume;
    // Second moments C = (tr I / 2) 1 - I scale by s_i s_j, and I = (tr C) 1 - C.
    const double trace = m->inertia.m[0][0] + m->inertia.m[1][1] + m->inertia.m[2][2];
    kai_mat33 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = volume * s[i] * s[j] * ((i == j ? 0.5 * trace : 0.0) - m->inertia.m[i][j]);
    const double sum = c.m[0][0] + c.m[1][1] + c.m[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m->inertia.m[i][j] = (i == j ? sum : 0.0) - c.m[i][j];
}

static kai_result mass_of(const kai_shape_kind* kind, const void* instance, double margin,
                          kai_mass_properties* out, kai_error* err)
{
    if (kind->check_mass) KAI_TRY(kind->check_mass(instance, err));
    const kai_shape_surface_data* surface = kai_shape_surface_of(kind, instance);
    if (kind->mass)
        kind->mass(instance, out);
    else
        *out = surface->mass;
    if (!kind->mass && !(out->mass > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: its surface encloses no volume",
                             kind->kind.name);
    if (margin > 0.0) grow(kind, instance, margin, out);
    return KAI_OK;
}

// Empties the hidden tables of an instance; gives them back when a memory is given.
static void drop_hidden(const kai_kind* kind, char* instance, kai_memory* memory)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (!p->hidden || p->type != KAI_PARAM_TABLE) continue;
        kai_table* t = (kai_table*)(instance + p->offset);
        if (memory)
            kai_memory_release(memory, (void*)(uintptr_t)t->data,
                               (size_t)t->rows * t->columns * sizeof(double));
        *t = (kai_table){0};
    }
}

kai_result kai_shape_copy(const kai_shape_kind* kind, const void* params, kai_memory* memory,
                          void** out, kai_error* err)
{
    char* copy = kai_memory_allocate_zeroed(memory, 1, kind->kind.size);
    if (!copy) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a shape");
    kai_kind_take(&kind->kind, params, copy);
    drop_hidden(&kind->kind, copy, NULL);
    const kai_result r = shape_prepare(kind, copy, NULL, memory, err);
    if (r != KAI_OK) {
        kai_memory_release(memory, copy, kind->kind.size);
        return r;
    }
    *out = copy;
    return KAI_OK;
}

void kai_shape_copy_free(const kai_shape_kind* kind, void* copy, kai_memory* memory)
{
    if (!copy) return;
    shape_release(kind, copy, memory);
    drop_hidden(&kind->kind, copy, memory);
    kai_memory_release(memory, copy, kind->kind.size);
}

kai_result kai_shape_mass(const kai_shape_kind* kind, const void* params, double margin,
                          kai_mass_properties* out, kai_error* err)
{
    KAI_GIVEN(err, kind, params, out);
    if (!(margin >= 0.0) || isinf(margin))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_shape_mass: margin is %g m; must be >= 0 and finite", margin);
    // A table as the store would have it: of a world's own kinds it is one already.
    kai_shape_kind own = {0};
    if (kind->kind.sizes.table > 0)
        KAI_TRY(kai_kind_read_table(&kind->kind, "shape", sizeof own, &own, err));
    else
        own = *kind;
    if (own.surface) {
        own.kind.given = kai_kind_given(&own.kind);
        own.kind.size = (own.kind.size + 7) / 8 * 8 + KAI_SHAPE_SURFACE_TAIL;
    }
    if (!kai_shape_has_volume(&own))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: has no volume", own.kind.name);
    KAI_TRY(kai_kind_check(&own.kind, params, err));
    if (!is_prepared(&own) && own.kind.given == 0) return mass_of(&own, params, margin, out, err);
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    void* copy;
    KAI_TRY(kai_shape_copy(&own, params, &memory, &copy, err));
    const kai_result r = mass_of(&own, copy, margin, out, err);
    kai_shape_copy_free(&own, copy, &memory);
    return r;
}

kai_result kai_shape_mass_of(const kai_world* world, kai_shape shape, kai_mass_properties* out,
                             kai_error* err)
{
    const void* params;
    kai_shape_def def;
    KAI_TRY(kai_shape_get(world, shape, NULL, &params, &def, NULL));
    return mass_of(kai_shape_table(world, shape), params, def.radius_margin, out, err);
}

// Creation ---------------------------------------------------------------------------------------

kai_result kai_shape_check(const kai_world* world, const kai_shape_def* def, kai_error* err)
{
    KAI_TRY(kai_kind_check(&kai_shape_common, def, err));
    if (!KAI_IS_NULL(def->material) && !kai_store_find(&world->materials, KAI_ID_OF(def->material)))
        return kai_store_id_error(&world->materials, KAI_ID_OF(def->material), err);
    return KAI_OK;
}

static kai_shape_record record_from(const kai_shape_def* def)
{
    return (kai_shape_record){.material = def->material.index,
                              .color = pack_color(def->color),
                              .flags = (def->collide ? KAI_SHAPE_COLLIDE : 0u) |
                                       (def->visible ? KAI_SHAPE_VISIBLE : 0u) |
                                       (uint32_t)def->family << 4 | (uint32_t)def->mask << 16,
                              .margin = def->radius_margin};
}

/// Gives a shape that is in a run, and all others there, records of their own.
static kai_result unfold(kai_world* world, uint32_t index, kai_error* err)
{
    const size_t r = kai_store_run_of(&world->shapes, index);
    if (r == SIZE_MAX) return KAI_OK;
    const kai_store_run run = ((const kai_store_run*)world->shapes.runs.data)[r];
    kai_array *records = &world->shape_records, *runs = &world->shape_runs;
    const size_t place = kai_store_place(&world->shapes, run.first);
    KAI_TRY(kai_array_reserve(records, &world->memory, records->count + run.count, err));
    KAI_TRY(kai_store_unfold(&world->shapes, r, err));
    kai_shape_record* all = records->data;
    memmove(all + place + run.count, all + place, (records->count - place) * sizeof *all);
    for (uint32_t k = 0; k < run.count; k++) {
        all[place + k] = ((const kai_shape_record*)runs->data)[r];
        all[place + k].body += k;
    }
    records->count += run.count;
    kai_shape_record* others = runs->data;
    for (size_t k = r; k + 1 < runs->count; k++) others[k] = others[k + 1];
    others[--runs->count] = (kai_shape_record){0};
    return KAI_OK;
}

bool kai_shape_can_run(const kai_shape_kind* kind, const kai_shape_def* def)
{
    const kai_frame frame = kai_frame_make(def->at, kai_quat_normalize(def->rotation)),
                    none = kai_frame_identity();
    return !is_prepared(kind) && kai_store_can_run(&kind->kind) && kai_frames_equal(&frame, &none);
}

kai_result kai_shape_prepare_destroy_all(kai_world* world, size_t slot, kai_error* err)
{
    const kai_bodies_cold cold = kai_bodies_cold_of(&world->bodies, slot);
    const kai_id first = {.index = cold.first_shape, .world = world->tag};
    if (kai_store_run_of(&world->shapes, first.index) != SIZE_MAX)
        return kai_store_prepare_remove(&world->shapes, first, err);
    return kai_bodies_own(&world->bodies, slot, NULL, err);
}

void kai_shape_destroy_all(kai_world* world, size_t slot)
{
    const uint32_t first = kai_bodies_cold_of(&world->bodies, slot).first_shape;
    if (kai_store_run_of(&world->shapes, first) != SIZE_MAX) {
        // What it shares with others stays as it is.
        kai_store_remove(&world->shapes, (kai_id){.index = first, .world = world->tag}, NULL);
        return;
    }
    const kai_body body = kai_bodies_id(&world->bodies, slot);
    for (kai_shape s = kai_shape_first(world, body); !KAI_IS_NULL(s);
         s = kai_shape_first(world, body))
        kai_shape_destroy(world, s);
}

/// Whether shape `k` places behind `first` is like the one `one` places behind it, on the body so many
/// places on; or was removed from a run.
static bool follows(const kai_store* shapes, const kai_shape_record* records, uint32_t first,
                    uint32_t one, uint32_t k)
{
    const size_t place = kai_store_place(shapes, first);
    const kai_store_entry* entries = (const kai_store_entry*)shapes->entries.data + place;
    const kai_shape_record *p = &records[place + one], *q = &records[place + k];
    if (entries[k].batch == KAI_STORE_FREE)
        return entries[k].slot == KAI_STORE_RETIRED && entries[k].generation == 1;
    if (entries[k].batch != entries[one].batch || entries[k].generation != 0) return false;
    const kai_store_batch* batch = &shapes->batches[entries[one].batch];
    const char* items = batch->items.data;
    const size_t size = batch->kind->size;
    return q->body - p->body == k - one && p->next == 0 && q->next == 0 &&
           p->material == q->material && p->frame == 0 && q->frame == 0 && p->color == q->color &&
           p->flags == q->flags && p->margin == q->margin &&
           (batch->name.count == 0 || !((const char* const*)batch->name.data)[entries[k].slot]) &&
           memcmp(items + entries[one].slot * size, items + entries[k].slot * size, size) == 0;
}

kai_result kai_shape_fold(kai_store* shapes, kai_array* records, kai_array* runs, uint32_t first,
                          size_t count, kai_error* err)
{
    if (first == 0 || count == 0 || first > kai_store_last(shapes) ||
        count > kai_store_last(shapes) - first + 1)
        return KAI_OK;
    uint32_t one = 0;
    while (one < count && !kai_store_in_use(shapes, first + one)) one++;
    if (one == count) return KAI_OK;
    for (uint32_t k = 0; k < count; k++)
        if (kai_store_run_of(shapes, first + k) != SIZE_MAX ||
            !follows(shapes, records->data, first, one, k))
            return KAI_OK;
    const size_t place = kai_store_place(shapes, first), r = kai_store_runs_to(shapes, first);
    const kai_store_entry* entry = kai_store_entry_of(shapes, first + one);
    const kai_shape_kind* kind = kind_of(&shapes->batches[entry->batch]);
    if (is_prepared(kind) || !kai_store_can_run(&kind->kind)) return KAI_OK;
    KAI_TRY(kai_array_append(runs, shapes->memory, NULL, 1, err));
    const kai_result folded = kai_store_fold(shapes, first, count, err);
    if (folded != KAI_OK) {
        runs->count--;
        return folded;
    }
    kai_shape_record *all = records->data, *run = runs->data;
    for (size_t k = runs->count - 1; k > r; k--) run[k] = run[k - 1];
    run[r] = all[place + one];
    run[r].body -= one;
    const size_t left = records->count - count;
    memmove(all + place, all + place + count, (left - place) * sizeof *all);
    memset(all + left, 0, count * sizeof *all);
    records->count = left;
    return KAI_OK;
}

kai_result kai_shape_add_run(kai_world* world, const kai_shape_kind* kind, const void* params,
                             const kai_shape_def* def, uint32_t body, size_t count, uint32_t* first,
                             kai_error* err)
{
    kai_shape_record record = record_from(def);
    record.body = body;
    KAI_TRY(
        kai_array_reserve(&world->shape_runs, &world->memory, world->shape_runs.count + 1, err));
    KAI_TRY(kai_store_add_run(&world->shapes, &kind->kind, params, count, first, err));
    ((kai_shape_record*)world->shape_runs.data)[world->shape_runs.count++] = record;
    return KAI_OK;
}

void kai_shape_drop_run(kai_world* world)
{
    ((kai_shape_record*)world->shape_runs.data)[--world->shape_runs.count] = (kai_shape_record){0};
    kai_store_drop_run(&world->shapes);
}

kai_result kai_shape_add(kai_world* world, size_t slot, const kai_shape_kind* kind,
                         const void* params, const kai_shape_def* def, kai_shape* out,
                         kai_error* err)
{
    const kai_frame frame = kai_frame_make(def->at, kai_quat_normalize(def->rotation));
    kai_shape_record record = record_from(def);
    KAI_TRY(kai_bodies_own(&world->bodies, slot, NULL, err));
    KAI_TRY(
        unfold(world, world->bodies.colds[world->bodies.shared_properties[slot]].first_shape, err));
    KAI_TRY(kai_array_reserve(&world->shape_records, &world->memory,
                              world->shapes.entries.count + 1, err));
    KAI_TRY(kai_frames_add(&world->shape_frames, &world->memory, &frame, &record.frame, err));
    kai_id id;
    kai_result r = kai_store_add(&world->shapes, &kind->kind, params, NULL, &id, err);
    if (r == KAI_OK) {
        const kai_store_entry entry = *kai_store_find(&world->shapes, id);
        r = prepare(&world->shapes, entry.batch, entry.slot, err);
        if (r != KAI_OK) kai_store_remove(&world->shapes, id, NULL);
    }
    if (r != KAI_OK) {
        kai_frames_drop(&world->shape_frames, record.frame);
        return r;
    }

    // The newest shape goes to the end of the body's list, so that shapes keep the order of the
    // scene.
    kai_bodies_cold* cold = &world->bodies.colds[world->bodies.shared_properties[slot]];
    record.body = cold->owner;
    const size_t place = kai_store_place(&world->shapes, id.index);
    if (place >= world->shape_records.count) world->shape_records.count = place + 1;
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
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, def, out);
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
    KAI_CHANGE(world);
    if (!kai_store_find(&world->shapes, KAI_ID_OF(shape))) return fail(world, __func__, shape);
    KAI_TRY(
        kai_world_fail(world, __func__,
                       kai_store_prepare_remove(&world->shapes, KAI_ID_OF(shape), &world->error)));
    const kai_shape_record record = kai_shape_record_of(world, shape.index);
    const kai_bodies_entry* entry =
        (const kai_bodies_entry*)world->bodies.entries.data + (record.body - 1);
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_collision_note_slots(world, entry->slot, (size_t)entry->slot + 1, &world->error)));
    kai_bodies_cold* cold;
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_bodies_own(&world->bodies, entry->slot, &cold, &world->error)));
    uint32_t* link = &cold->first_shape;
    while (*link != shape.index) link = &record_at(world, *link)->next;
    *link = record.next;
    cold->shape_count--;
    kai_frames_drop(&world->shape_frames, record.frame);
    const kai_store_entry* found = kai_store_find(&world->shapes, KAI_ID_OF(shape));
    const kai_shape_kind* kind = kind_of(&world->shapes.batches[found->batch]);
    shape_release(kind, kai_store_at(&world->shapes, KAI_ID_OF(shape)), &world->memory);
    return kai_store_remove(&world->shapes, KAI_ID_OF(shape), &world->error);
}

// Queries ----------------------------------------------------------------------------------------

static kai_shape shape_of(const kai_world* world, uint32_t index)
{
    if (index == 0) return (kai_shape){0};
    return (kai_shape){index, kai_store_entry_of(&world->shapes, index)->generation, world->tag};
}

kai_result kai_shape_get(const kai_world* world, kai_shape shape, const kai_shape_kind** kind,
                         const void** params, kai_shape_def* def, kai_body* body)
{
    KAI_READ(world);
    const kai_store_entry* entry = kai_store_find(&world->shapes, KAI_ID_OF(shape));
    if (!entry) return fail(world, __func__, shape);
    const kai_shape_record copy = kai_shape_record_of(world, shape.index), *record = &copy;
    if (kind) *kind = (const kai_shape_kind*)(const void*)world->shapes.batches[entry->batch].given;
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
                               .visible = record->flags & KAI_SHAPE_VISIBLE,
                               .radius_margin = record->margin,
                               .family = kai_shape_record_family(record),
                               .mask = kai_shape_record_mask(record)};
    }
    return KAI_OK;
}

const kai_shape_kind* kai_shape_table(const kai_world* world, kai_shape shape)
{
    const kai_store_entry* entry = kai_store_find(&world->shapes, KAI_ID_OF(shape));
    return entry ? kind_of(&world->shapes.batches[entry->batch]) : NULL;
}

kai_result kai_shape_set_colliding(kai_world* world, kai_body body, bool colliding)
{
    KAI_CHANGE(world);
    kai_error* err = &world->error;
    if (kai_bodies_slot(&world->bodies, body) == SIZE_MAX)
        return kai_error_set(err, KAI_ERROR_ID, "kai_shape_set_colliding: the body does not exist");
    for (kai_shape s = kai_shape_first(world, body); !KAI_IS_NULL(s);
         s = kai_shape_next(world, s)) {
        if (kai_store_run_of(&world->shapes, s.index) != SIZE_MAX)
            return kai_error_set(
                err, KAI_ERROR_UNSUPPORTED,
                "kai_shape_set_colliding: the body is a particle of a group, which "
                "share their shape");
        kai_shape_record* record =
            (kai_shape_record*)world->shape_records.data + kai_store_place(&world->shapes, s.index);
        record->flags =
            colliding ? record->flags & ~KAI_SHAPE_MUTED : record->flags | KAI_SHAPE_MUTED;
    }
    world->shapes.version++;
    return KAI_OK;
}

kai_shape kai_shape_first(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_shape){0}, world);
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    return slot == SIZE_MAX ? (kai_shape){0}
                            : shape_of(world, kai_bodies_cold_of(&world->bodies, slot).first_shape);
}

kai_shape kai_shape_next(const kai_world* world, kai_shape shape)
{
    KAI_GIVEN_OR((kai_shape){0}, world);
    if (!kai_store_find(&world->shapes, KAI_ID_OF(shape))) return (kai_shape){0};
    return shape_of(world, kai_shape_record_of(world, shape.index).next);
}

size_t kai_shape_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->shapes.count;
}

uint64_t kai_shape_key(const kai_world* world, kai_shape shape)
{
    KAI_GIVEN_OR(0, world);
    return kai_store_key(&world->shapes, KAI_ID_OF(shape));
}

kai_shape kai_shape_by_key(const kai_world* world, uint64_t key)
{
    KAI_GIVEN_OR((kai_shape){0}, world);
    const kai_id id = kai_store_by_key(&world->shapes, key);
    return KAI_ID_AS(kai_shape, id);
}
