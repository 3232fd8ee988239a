// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads: creation, and their evaluation on threads.
//
// Every instance writes its forces to a place of its own; then each body sums the places that
// concern it, in a fixed order. The list of places a body is the plan (kai_load_plan), built when
// loads or bodies change: no locks, and the same bits for any number of threads.
#include "model/load.h"

#include "base/kind.h"
#include "model/body.h"
#include "model/check.h"
#include "model/id.h"
#include "model/joint.h"
#include "model/label.h"
#include "model/load_switch.h"
#include "model/shaft.h"
#include "proximity/radix.h"

#include <string.h>

static const size_t BLOCK = 256; // instances, or bodies, a block of work

enum { MOST_BODIES = 16 }; // of one kind

static bool is_end(const kai_param* p)
{
    return p->type == KAI_PARAM_BODY || p->type == KAI_PARAM_SHAFT;
}

/// True when a list of a kind holds bodies: the plan below would not see them.
static bool lists_bodies(const kai_kind* kind, bool inside)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (inside && is_end(p)) return true;
        if (p->type == KAI_PARAM_LIST && lists_bodies(p->item, true)) return true;
    }
    return false;
}

size_t kai_load_bodies(const kai_kind* kind)
{
    size_t n = 0;
    for (size_t i = 0; i < kind->param_count; i++)
        if (is_end(&kind->params[i])) n += kai_kind_repeats(&kind->params[i]);
    return n;
}

/// The bodies of an instance, over all its BODY parameters; returns how many.
static size_t list_bodies(const kai_kind* kind, const char* instance, kai_body bodies[MOST_BODIES])
{
    size_t n = 0;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->type != KAI_PARAM_BODY) continue;
        const size_t repeats = kai_kind_repeats(p);
        memcpy(&bodies[n], instance + p->offset, repeats * sizeof(kai_body));
        n += repeats;
    }
    return n;
}

static uint32_t shaft_end(const kai_world* world, kai_shaft shaft)
{
    const uint32_t slot = kai_shaft_slot(world, shaft);
    return slot == UINT32_MAX ? slot : (uint32_t)world->bodies.count + slot;
}

/// Where the ends of an instance are: slots of bodies, and of shafts after those, UINT32_MAX for
/// those that are not there; returns how many.
static size_t list_ends(const kai_world* world, const kai_kind* kind, const char* instance,
                        uint32_t slots[MOST_BODIES])
{
    size_t n = 0;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const void* field = instance + p->offset;
        for (size_t k = 0; is_end(p) && k < kai_kind_repeats(p); k++)
            slots[n++] =
                p->type == KAI_PARAM_BODY
                    ? (uint32_t)kai_bodies_slot(&world->bodies, ((const kai_body*)field)[k])
                    : shaft_end(world, ((const kai_shaft*)field)[k]);
    }
    return n;
}

static const kai_load_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_load_kind*)(const void*)batch->kind;
}

// Creation ---------------------------------------------------------------------------------------

kai_result kai_load_register(kai_world* world, const kai_load_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_load_kind whole;
    KAI_TRY(kai_world_fail(
        world, __func__, kai_kind_read_table(given, "load", sizeof whole, &whole, &world->error)));
    kind = &whole;
    kai_error* err = &world->error;
    if (!kind->apply)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_load_register: the kind has no apply()");
    KAI_TRY(kai_world_fail(world, __func__, kai_kind_validate(&kind->kind, err)));
    if (kind->state_count > 0 && !kind->rates)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_load_register: kind %s has states and no rates()",
                             kind->kind.name);
    if (kind->state_count > kind->kind.size / sizeof(double) ||
        kind->states > kind->kind.size - kind->state_count * sizeof(double))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_load_register: the states of kind %s are not in its instance",
                             kind->kind.name);
    const size_t bodies = kai_load_bodies(&kind->kind);
    if (bodies == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_load_register: kind %s has no parameter of type BODY or SHAFT",
                             kind->kind.name);
    if (bodies > MOST_BODIES)
        return kai_error_set(err, KAI_ERROR_LIMIT,
                             "kai_load_register: kind %s has %zu bodies; at most %d",
                             kind->kind.name, bodies, MOST_BODIES);
    if (lists_bodies(&kind->kind, false))
        return kai_error_set(
            err, KAI_ERROR_UNSUPPORTED,
            "kai_load_register: kind %s has bodies in a list; a load takes a fixed number of them",
            kind->kind.name);
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->loads, given, sizeof whole, 0, &world->error));
}

/// Adds `change` to the count of loads of every body that an instance refers to. What an integrator
/// carries from step to step, such as accelerations, is no longer true then.
static void count_loads(kai_world* world, const kai_kind* kind, const char* instance,
                        uint32_t change)
{
    kai_body bodies[MOST_BODIES];
    const size_t n = list_bodies(kind, instance, bodies);
    world->integrator_steps = 0;
    for (size_t i = 0; i < n; i++) kai_bodies_count_load(&world->bodies, bodies[i], change);
}

/// Bodies that are to be counted get a record of their own.
static kai_result own_bodies(kai_world* world, const kai_kind* kind, const char* instance,
                             kai_error* err)
{
    kai_body bodies[MOST_BODIES];
    const size_t n = list_bodies(kind, instance, bodies);
    for (size_t i = 0; i < n; i++) KAI_TRY(kai_bodies_own_id(&world->bodies, bodies[i], err));
    return KAI_OK;
}

/// Checks the bodies of a parameter. Those that need not be given may be null until prepare() had
/// its turn (`all` false).
static kai_result check_bodies(const kai_world* world, const kai_param* p, const kai_body* body,
                               bool all, kai_error* err)
{
    for (size_t k = 0; k < kai_kind_repeats(p); k++) {
        if (!all && !p->required && KAI_IS_NULL(body[k])) continue;
        if (kai_bodies_slot(&world->bodies, body[k]) == SIZE_MAX)
            return kai_body_id_error(body[k], err);
    }
    return KAI_OK;
}

/// The same for the shafts of a parameter.
static kai_result check_shafts(const kai_world* world, const kai_param* p, const kai_shaft* shaft,
                               bool all, kai_error* err)
{
    for (size_t k = 0; k < kai_kind_repeats(p); k++) {
        if (!all && !p->required && KAI_IS_NULL(shaft[k])) continue;
        if (kai_shaft_slot(world, shaft[k]) == UINT32_MAX)
            return kai_store_id_error(&world->shafts, KAI_ID_OF(shaft[k]), err);
    }
    return KAI_OK;
}

/// Checks what only the world can: bodies, shafts, materials and functions exist.
static kai_result check_references(const kai_world* world, const kai_kind* kind,
                                   const char* instance, bool all, kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        kai_result r = KAI_OK;
        if (p->type == KAI_PARAM_BODY) {
            r = check_bodies(world, p, (const kai_body*)(instance + p->offset), all, err);
        } else if (p->type == KAI_PARAM_SHAFT) {
            r = check_shafts(world, p, (const kai_shaft*)(instance + p->offset), all, err);
        } else if (p->type == KAI_PARAM_MATERIAL && !p->hidden) {
            const kai_material material = *(const kai_material*)(instance + p->offset);
            if (!KAI_IS_NULL(material) && !kai_store_find(&world->materials, KAI_ID_OF(material)))
                r = kai_store_id_error(&world->materials, KAI_ID_OF(material), err);
        }
        if (r == KAI_OK) continue;
        kai_error_prefix(err, "%s: %s", kind->name, p->name);
        return r;
    }
    return kai_function_set_check(&world->functions, kind, instance, err);
}

/// A checked and prepared instance of what is given, in scratch memory. The kind's own part starts
/// as that of `like`, or (NULL) with its defaults.
static kai_result prepare(kai_world* world, const kai_load_kind* kind, const void* params,
                          const char* like, char** out, kai_error* err)
{
    const size_t given = kai_kind_given(&kind->kind);
    KAI_TRY(kai_kind_check(&kind->kind, params, err));
    *out = kai_arena_take(&world->arena, 1, kind->kind.size, err);
    if (!*out) return KAI_ERROR_MEMORY;
    kai_kind_take(&kind->kind, params, *out);
    if (like) memcpy(*out + given, like + given, kind->kind.size - given);
    kai_store_drop_hidden(&kind->kind, *out);
    KAI_TRY(kai_joint_check_made(&kind->kind, *out, err));
    KAI_TRY(check_references(world, &kind->kind, *out, false, err));
    if (kind->prepare) KAI_TRY(kind->prepare(world, *out, err));
    KAI_TRY(check_references(world, &kind->kind, *out, !kind->grounded, err));
    return own_bodies(world, &kind->kind, *out, err);
}

kai_result kai_load_create(kai_world* world, const kai_load_kind* kind, const void* params,
                           const char* name, kai_load* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    kai_error* err = &world->error;
    kind = kai_store_table(&world->loads, kind, err);
    if (!kind) return kai_world_fail(world, __func__, KAI_ERROR_ARGUMENT);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    char* instance = NULL;
    kai_id id;
    kai_result r = prepare(world, kind, params, NULL, &instance, err);
    if (r == KAI_OK) r = kai_bodies_need_wrench(&world->bodies, err);
    if (r == KAI_OK)
        r = kai_store_add_prepared(&world->loads, &kind->kind, instance, name, &id, err);
    if (r == KAI_OK) {
        count_loads(world, &kind->kind, instance, 1);
        *out = KAI_ID_AS(kai_load, id);
    }
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_load_set(kai_world* world, kai_load load, const void* params)
{
    KAI_CHANGE(world, params);
    kai_error* err = &world->error;
    const kai_store_entry* entry = kai_store_find(&world->loads, KAI_ID_OF(load));
    if (!entry)
        return kai_world_fail(world, __func__,
                              kai_store_id_error(&world->loads, KAI_ID_OF(load), err));
    const kai_load_kind* kind = kind_of(&world->loads.batches[entry->batch]);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    char* instance = NULL;
    kai_result r =
        prepare(world, kind, params, kai_store_at(&world->loads, KAI_ID_OF(load)), &instance, err);
    if (r == KAI_OK) {
        count_loads(world, &kind->kind, kai_store_at(&world->loads, KAI_ID_OF(load)), (uint32_t)-1);
        r = kai_store_set(&world->loads, KAI_ID_OF(load), instance, err);
        count_loads(world, &kind->kind, kai_store_at(&world->loads, KAI_ID_OF(load)), 1);
    }
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_load_destroy(kai_world* world, kai_load load)
{
    KAI_CHANGE(world);
    const kai_store_entry* entry = kai_store_find(&world->loads, KAI_ID_OF(load));
    if (entry) kai_load_switch_remove(world, load.index);
    if (entry)
        count_loads(world, world->loads.batches[entry->batch].kind,
                    kai_store_at(&world->loads, KAI_ID_OF(load)), (uint32_t)-1);
    return kai_world_fail(world, __func__,
                          kai_store_remove(&world->loads, KAI_ID_OF(load), &world->error));
}

kai_result kai_load_get(const kai_world* world, kai_load load, const kai_load_kind** kind,
                        const void** params)
{
    KAI_READ(world);
    const kai_store_entry* entry = kai_store_find(&world->loads, KAI_ID_OF(load));
    if (!entry)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->loads, KAI_ID_OF(load), kai_world_error_of(world)));
    if (kind) *kind = kind_of(&world->loads.batches[entry->batch]);
    if (params) *params = kai_store_at(&world->loads, KAI_ID_OF(load));
    return KAI_OK;
}

kai_load kai_load_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_load){0}, world, name);
    const kai_id id = kai_names_find(&world->loads.names, name);
    return KAI_ID_AS(kai_load, id);
}

size_t kai_load_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->loads.count;
}

/// A batch of one, for queries.
static kai_load_batch batch_of_one(const kai_world* world, const kai_load_kind* kind,
                                   const void* instance, double time, uint32_t slot[MOST_BODIES])
{
    const size_t n = list_ends(world, &kind->kind, instance, slot);
    return (kai_load_batch){.world = world,
                            .time = time,
                            .instances = instance,
                            .end = 1,
                            .bodies = n,
                            .slot = slot,
                            .pose = world->bodies.pose,
                            .motion = world->bodies.motion,
                            .shafts = kai_shaft_all(world),
                            .body_count = world->bodies.count,
                            .functions = &world->functions};
}

kai_result kai_load_output(const kai_world* world, kai_load load, kai_load_state* out)
{
    KAI_READ(world, out);
    const kai_load_kind* kind;
    const void* instance;
    KAI_TRY(kai_load_get(world, load, &kind, &instance));
    if (!kind->output)
        return kai_error_set(kai_world_error_of(world), KAI_ERROR_UNSUPPORTED,
                             "kai_load_output: a load of kind %s has no outputs", kind->kind.name);
    uint32_t slot[MOST_BODIES];
    const kai_load_batch one = batch_of_one(world, kind, instance, world->time, slot);
    *out = (kai_load_state){0};
    kind->output(&one, 0, out);
    if (!kai_load_is_active(world, load)) out->force = out->torque = out->power = 0.0;
    return KAI_OK;
}

typedef struct rates_context {
    const kai_world* world;
    const kai_store_batch* batch;
    double time;
    double* rates;
} rates_context;

static void rates_range(size_t begin, size_t end, void* context)
{
    const rates_context* c = context;
    const kai_load_kind* kind = kind_of(c->batch);
    for (size_t i = begin; i < end; i++) {
        uint32_t slot[MOST_BODIES];
        const char* instance = (const char*)c->batch->items.data + i * kind->kind.size;
        const kai_load_batch one = batch_of_one(c->world, kind, instance, c->time, slot);
        kind->rates(&one, 0, c->rates + i * kind->state_count);
    }
}

void kai_load_rates(const kai_world* world, size_t b, double time, double* rates)
{
    rates_context c = {world, &world->loads.batches[b], time, rates};
    kai_parallel_for(world->threads, c.batch->items.count, BLOCK, rates_range, &c);
}

// Switches ---------------------------------------------------------------------------------------

/// Energy stored in loads that are on.
static kai_result stored(kai_world* world, double* energy, kai_error* err)
{
    kai_check_enter(world);
    const kai_result r = kai_load_energy(world, energy, err);
    kai_check_leave(world, r);
    return r;
}

kai_result kai_load_set_active(kai_world* world, kai_load load, bool active)
{
    KAI_CHANGE(world);
    kai_error* err = &world->error;
    if (!kai_store_find(&world->loads, KAI_ID_OF(load)))
        return kai_world_fail(world, __func__,
                              kai_store_id_error(&world->loads, KAI_ID_OF(load), err));
    if (active == !kai_load_switch_has(world, load.index)) return KAI_OK;
    double before, after;
    KAI_TRY(kai_world_fail(world, __func__, stored(world, &before, err)));
    if (active)
        kai_load_switch_remove(world, load.index);
    else
        KAI_TRY(kai_world_fail(world, __func__, kai_load_switch_add(world, load.index, err)));
    KAI_TRY(kai_world_fail(world, __func__, stored(world, &after, err)));
    if (active)
        world->work += after - before;
    else
        world->dissipated += before - after;
    world->plan.evaluated = false;
    world->loads.version++; // what is laid out for stiff loads
    world->integrator_steps = 0;
    return KAI_OK;
}

bool kai_load_is_active(const kai_world* world, kai_load load)
{
    KAI_GIVEN_OR(false, world);
    return kai_store_find(&world->loads, KAI_ID_OF(load)) &&
           !kai_load_switch_has(world, load.index);
}

// The plan ---------------------------------------------------------------------------------------

static size_t count_ends(const kai_store* loads)
{
    size_t ends = 0;
    for (size_t b = 0; b < loads->batch_count; b++)
        ends += loads->batches[b].items.count * kai_load_bodies(loads->batches[b].kind);
    return ends;
}

/// Body slot of every end, batch by batch.
static void fill_slots(const kai_world* world, uint32_t* slot)
{
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        const kai_kind* kind = batch->kind;
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (const char*)batch->items.data + i * kind->size;
            slot += list_ends(world, kind, instance, slot);
        }
    }
}

/// Sorts the ends by body, those of a body in their order: fills body, first, end. It costs what
/// there are of ends, however many bodies carry none. `keys` [2 · ends], `scratch` are scratch.
static void sort_ends(kai_load_plan* plan, size_t ends, uint64_t* keys, uint32_t* scratch)
{
    const uint32_t* slot = plan->slot.data;
    uint32_t *body = plan->body.data, *first = plan->first.data, *end = plan->end.data;
    size_t held = 0;
    for (size_t e = 0; e < ends; e++)
        if (slot[e] != UINT32_MAX) keys[held++] = (uint64_t)slot[e] << 32 | e;
    const uint64_t* sorted = kai_radix_sort(keys, keys + ends, held, 0, 64, 1, scratch);
    uint32_t rows = 0;
    for (size_t k = 0; k < held; k++) {
        if (k == 0 || sorted[k] >> 32 != sorted[k - 1] >> 32) {
            body[rows] = (uint32_t)(sorted[k] >> 32);
            first[rows++] = (uint32_t)k;
        }
        end[k] = (uint32_t)sorted[k];
    }
    first[rows] = (uint32_t)held;
    plan->body.count = rows;
    plan->first.count = rows + 1;
}

kai_result kai_load_ready(kai_world* world, kai_error* err)
{
    kai_load_plan* plan = &world->plan;
    const bool same = plan->loads_version == world->loads.version;
    if (same && plan->term_slots_version == world->term_slots_version) return KAI_OK;
    const size_t ends = count_ends(&world->loads);
    if (ends >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu loads on bodies; at most %u", ends,
                             UINT32_MAX - 1);
    kai_memory* memory = &world->memory;
    KAI_TRY(kai_array_resize(&plan->slot, memory, ends, err));
    KAI_TRY(kai_array_resize(&plan->wrench, memory, ends, err));
    KAI_TRY(kai_array_resize(&plan->end, memory, ends, err));
    KAI_TRY(kai_array_resize(&plan->body, memory, ends, err));
    KAI_TRY(kai_array_resize(&plan->first, memory, ends + 1, err));

    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    uint64_t* keys = kai_arena_take(&world->arena, 2 * ends, sizeof *keys, err);
    uint32_t* scratch = kai_arena_take(&world->arena, 1, KAI_RADIX_SCRATCH(1), err);
    if (!keys || !scratch) {
        kai_arena_release(&world->arena, mark);
        return KAI_ERROR_MEMORY;
    }
    fill_slots(world, plan->slot.data);
    sort_ends(plan, ends, keys, scratch);
    kai_arena_release(&world->arena, mark);
    // Sums move with their bodies; only a load that has gone leaves one behind.
    if (!same && world->bodies.wrench)
        memset(world->bodies.wrench, 0, world->bodies.count * sizeof(kai_wrench));
    for (size_t i = 0; i < world->shafts.count; i++) kai_shaft_all(world)[i].torque = 0.0;
    plan->evaluated = false;
    plan->loads_version = world->loads.version;
    plan->term_slots_version = world->term_slots_version;
    plan->builds++;
    return KAI_OK;
}

// Evaluation -------------------------------------------------------------------------------------

kai_load_batch kai_load_batch_make(const kai_world* world, size_t b, size_t ends, double time)
{
    const kai_store_batch* batch = &world->loads.batches[b];
    return (kai_load_batch){.world = world,
                            .time = time,
                            .instances = batch->items.data,
                            .end = batch->items.count,
                            .bodies = kai_load_bodies(batch->kind),
                            .slot = (const uint32_t*)world->plan.slot.data + ends,
                            .pose = world->bodies.pose,
                            .motion = world->bodies.motion,
                            .out = (kai_wrench*)world->plan.wrench.data + ends,
                            .shafts = kai_shaft_all(world),
                            .body_count = world->bodies.count,
                            .functions = &world->functions};
}

typedef struct apply_context {
    const kai_load_kind* kind;
    kai_load_batch batch;
    void* instances; // those of the batch, for follow()
} apply_context;

static void apply_range(size_t begin, size_t end, void* context)
{
    const apply_context* c = context;
    kai_load_batch batch = c->batch;
    batch.begin = begin;
    batch.end = end;
    memset(batch.out + begin * batch.bodies, 0, (end - begin) * batch.bodies * sizeof(kai_wrench));
    if (c->kind->follow) c->kind->follow(&batch, c->instances);
    c->kind->apply(&batch);
}

static void gather_range(size_t begin, size_t end, void* context)
{
    const kai_world* world = context;
    const kai_load_plan* plan = &world->plan;
    const uint32_t *body = plan->body.data, *first = plan->first.data, *ends = plan->end.data;
    const kai_wrench* wrench = plan->wrench.data;
    for (size_t row = begin; row < end; row++) {
        kai_wrench sum = {0};
        for (uint32_t e = first[row]; e < first[row + 1]; e++) {
            sum.force = kai_vec3_add(sum.force, wrench[ends[e]].force);
            sum.torque = kai_vec3_add(sum.torque, wrench[ends[e]].torque);
        }
        if (body[row] < world->bodies.count)
            world->bodies.wrench[body[row]] = sum;
        else
            kai_shaft_all(world)[body[row] - world->bodies.count].torque = sum.force.x;
    }
}

/// The sum of all loads on a body or shaft is finite: else some load is not, or they overflow
/// together.
static bool is_finite(const kai_world* world, uint32_t slot)
{
    if (slot >= world->bodies.count)
        return isfinite(kai_shaft_all(world)[slot - world->bodies.count].torque);
    const kai_wrench* w = &world->bodies.wrench[slot];
    return kai_vec3_is_finite(w->force) && kai_vec3_is_finite(w->torque);
}

static kai_result tell_sum(const kai_world* world, uint32_t slot, double time, kai_error* err)
{
    char text[KAI_STRING_SIZE + 96];
    if (slot >= world->bodies.count)
        kai_shaft_describe(world, slot - world->bodies.count, text, sizeof text);
    else
        kai_label_body(world, slot, text, sizeof text);
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "%s: the sum of the forces on it at t = %.9g s is not finite, though each "
                         "of them is",
                         text, time);
}

static kai_result check_finite(const kai_world* world, double time, kai_error* err)
{
    const uint32_t* body = world->plan.body.data;
    for (size_t row = 0; row < world->plan.body.count; row++) {
        if (is_finite(world, body[row])) continue;
        KAI_TRY(kai_label_load_failed(world, time, err));
        return tell_sum(world, body[row], time, err);
    }
    return KAI_OK;
}

kai_result kai_load_evaluate(kai_world* world, double time, kai_error* err)
{
    if (world->loads.count == 0 && world->plan.body.count == 0) return KAI_OK;
    KAI_TRY(kai_bodies_need_wrench(&world->bodies, err));
    KAI_TRY(kai_load_ready(world, err));
    size_t ends = 0;
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        if (batch->items.count == 0) continue;
        apply_context c = {kind_of(batch), kai_load_batch_make(world, b, ends, time),
                           batch->items.data};
        kai_parallel_for(world->threads, batch->items.count, BLOCK, apply_range, &c);
        ends += batch->items.count * c.batch.bodies;
    }
    kai_load_switch_silence(world);
    kai_parallel_for(world->threads, world->plan.body.count, BLOCK, gather_range, world);
    world->plan.evaluated = true;
    world->plan.time = time;
    return check_finite(world, time, err);
}

bool kai_load_needs_velocity(const kai_world* world)
{
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        if (batch->items.count > 0 && kind_of(batch)->needs_velocity) return true;
    }
    return false;
}
