// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A world from a file. Everything is read and checked aside, in `parts`; only when nothing can fail
// any more do the parts take the place of the world's own.
#include "model/element.h"
#include "model/material_pair.h"
#include "model/shape.h"
#include "model/structure.h"
#include "model/structure_skin.h"
#include "record/bodies_file.h"
#include "record/contact_file.h"
#include "record/param_file.h"
#include "record/store_file.h"
#include "record/world_file.h"

#include <kairos/element.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct parts {
    kai_memory* memory;
    double time, time_base, time_step, work, dissipated, energy_reference;
    uint64_t steps, steps_base, integrator_steps;
    kai_vec3 gravity;
    double collision_reach;
    uint8_t collision_detect;
    uint8_t energy_known;
    kai_bodies bodies;
    kai_store materials, material_pairs, shapes, loads, joints, shafts, states, solids, nodes,
        elements, structures;
    kai_array integrator_state;
    kai_array shape_records, shape_runs;
    kai_frames shape_frames;
    kai_function_set functions;
    kai_array groups;
    kai_names group_names;
    kai_contact_def contact;
    kai_array contact_memory;
    double contact_elastic;
    kai_solver_def solver;
    kai_solver_tally tally;
} parts;

// Parts ------------------------------------------------------------------------------------------

// An empty store with the kinds of another.
static kai_result like(kai_store* store, const kai_store* model, kai_error* err)
{
    const kai_kind* kinds[KAI_STORE_KINDS + 1];
    for (size_t b = 0; b < model->batch_count; b++) kinds[b] = model->batches[b].kind;
    kinds[model->batch_count] = NULL;
    return kai_store_init(store, model->memory, model->family, model->world, kinds, err);
}

static kai_result init(parts* p, kai_world* world, kai_error* err)
{
    memset(p, 0, sizeof *p);
    p->memory = &world->memory;
    p->shape_records = kai_array_make(sizeof(kai_shape_record));
    p->shape_runs = kai_array_make(sizeof(kai_shape_record));
    p->groups = kai_array_make(sizeof(kai_particles_group));
    p->integrator_state = kai_array_make(sizeof(double));
    p->contact_memory = kai_array_make(sizeof(kai_contact_memory));
    p->functions.depth = kai_array_make(sizeof(uint8_t));
    kai_frames_init(&p->shape_frames);
    kai_names_init(&p->group_names, p->memory);
    KAI_TRY(kai_bodies_init(&p->bodies, p->memory, world->tag, err));
    KAI_TRY(like(&p->materials, &world->materials, err));
    KAI_TRY(like(&p->material_pairs, &world->material_pairs, err));
    KAI_TRY(like(&p->shapes, &world->shapes, err));
    KAI_TRY(like(&p->loads, &world->loads, err));
    KAI_TRY(like(&p->joints, &world->joints, err));
    KAI_TRY(like(&p->shafts, &world->shafts, err));
    KAI_TRY(like(&p->states, &world->states, err));
    KAI_TRY(like(&p->solids, &world->solids, err));
    KAI_TRY(like(&p->nodes, &world->nodes, err));
    KAI_TRY(like(&p->elements, &world->elements, err));
    KAI_TRY(like(&p->structures, &world->structures, err));
    return like(&p->functions.store, &world->functions.store, err);
}

static void release(parts* p)
{
    kai_particles_group* groups = p->groups.data;
    for (size_t i = 0; i < p->groups.count; i++)
        kai_memory_release(p->memory, groups[i].bodies, groups[i].count * sizeof(kai_body));
    kai_array_free(&p->groups, p->memory);
    kai_names_free(&p->group_names);
    kai_array_free(&p->functions.depth, p->memory);
    kai_array_free(&p->integrator_state, p->memory);
    kai_array_free(&p->contact_memory, p->memory);
    if (p->shapes.memory) kai_shape_release_all(&p->shapes);
    kai_store* stores[] = {&p->functions.store, &p->joints, &p->loads,    &p->shapes,
                           &p->materials,       &p->shafts, &p->states,   &p->material_pairs,
                           &p->solids,          &p->nodes,  &p->elements, &p->structures};
    for (size_t i = 0; i < KAI_COUNT(stores); i++)
        if (stores[i]->memory) kai_store_free(stores[i]);
    kai_array_free(&p->shape_records, p->memory);
    kai_array_free(&p->shape_runs, p->memory);
    kai_frames_free(&p->shape_frames, p->memory);
    if (p->bodies.memory) kai_bodies_free(&p->bodies);
}

#define SWAP(type, a, b)  \
    do {                  \
        const type t = a; \
        a = b;            \
        b = t;            \
    } while (0)

// Exchanges the contents; caches of the world see new versions.
static void exchange(parts* p, kai_world* world)
{
    const uint64_t loads = world->loads.version, shapes = world->shapes.version;
    const uint64_t joints = world->joints.version, shafts = world->shafts.version;
    const uint64_t states = world->states.version;
    const uint64_t materials = world->materials.version, functions = world->functions.store.version;
    const uint64_t pairs = world->material_pairs.version, elements = world->elements.version;
    SWAP(kai_bodies, p->bodies, world->bodies);
    SWAP(kai_store, p->materials, world->materials);
    SWAP(kai_store, p->material_pairs, world->material_pairs);
    SWAP(kai_store, p->shapes, world->shapes);
    SWAP(kai_store, p->loads, world->loads);
    SWAP(kai_store, p->joints, world->joints);
    SWAP(kai_store, p->shafts, world->shafts);
    SWAP(kai_store, p->states, world->states);
    SWAP(kai_store, p->solids, world->solids);
    SWAP(kai_store, p->nodes, world->nodes);
    SWAP(kai_store, p->elements, world->elements);
    SWAP(kai_store, p->structures, world->structures);
    SWAP(kai_array, p->integrator_state, world->integrator_state);
    SWAP(kai_array, p->shape_records, world->shape_records);
    SWAP(kai_array, p->shape_runs, world->shape_runs);
    SWAP(kai_frames, p->shape_frames, world->shape_frames);
    SWAP(kai_function_set, p->functions, world->functions);
    SWAP(kai_array, p->groups, world->groups);
    SWAP(kai_names, p->group_names, world->group_names);
    SWAP(kai_array, p->contact_memory, world->contact_memory);
    world->contact_apart = false;
    world->contact_def = p->contact;
    world->contact_elastic = p->contact_elastic;
    world->contact_version++;
    world->loads.version += loads;
    world->joints.version += joints;
    world->shafts.version += shafts;
    world->states.version += states;
    world->elements.version += elements;
    world->shapes.version += shapes;
    world->materials.version += materials;
    world->material_pairs.version += pairs;
    world->functions.store.version += functions;
    world->bodies_version++;

    world->time = p->time;
    world->time_base = p->time_base;
    world->time_step = p->time_step;
    world->steps = p->steps;
    world->steps_base = p->steps_base;
    world->gravity = p->gravity;
    world->work = p->work;
    world->dissipated = p->dissipated;
    world->energy_reference = p->energy_reference;
    world->energy_known = p->energy_known != 0;
    world->tame_steps = 0;
    world->integrator_steps = p->integrator_steps;
    world->collision_detect = p->collision_detect != 0;
    world->collision_reach = p->collision_reach;
    world->solver_def = p->solver;
    world->solver_version++;
    world->solver_tally = p->tally;
    world->solver_resumed = p->tally.solutions > 0.0; // else the first layout is still to come
}

// Reading ----------------------------------------------------------------------------------------

static kai_result read_figures(parts* p, hid_t group, kai_error* err)
{
    uint32_t format = 0;
    KAI_TRY(kai_h5_read_attribute(group, "format", KAI_H5_U32, 1, &format, err));
    if (format != KAI_WORLD_FILE_FORMAT)
        return kai_error_set(err, KAI_ERROR_FORMAT, "format is %u; this version reads %d", format,
                             KAI_WORLD_FILE_FORMAT);
    KAI_TRY(kai_h5_read_attribute(group, "time", KAI_H5_F64, 1, &p->time, err));
    KAI_TRY(kai_h5_read_attribute(group, "steps", KAI_H5_U64, 1, &p->steps, err));
    KAI_TRY(kai_h5_read_attribute(group, "time_base", KAI_H5_F64, 1, &p->time_base, err));
    KAI_TRY(kai_h5_read_attribute(group, "time_step", KAI_H5_F64, 1, &p->time_step, err));
    KAI_TRY(kai_h5_read_attribute(group, "steps_base", KAI_H5_U64, 1, &p->steps_base, err));
    KAI_TRY(kai_h5_read_attribute(group, "gravity", KAI_H5_F64, 3, &p->gravity, err));
    KAI_TRY(
        kai_h5_read_attribute(group, "integrator_steps", KAI_H5_U64, 1, &p->integrator_steps, err));
    KAI_TRY(kai_h5_read_attribute(group, "work", KAI_H5_F64, 1, &p->work, err));
    KAI_TRY(kai_h5_read_attribute(group, "dissipated", KAI_H5_F64, 1, &p->dissipated, err));
    KAI_TRY(
        kai_h5_read_attribute(group, "energy_reference", KAI_H5_F64, 1, &p->energy_reference, err));
    KAI_TRY(kai_h5_read_attribute(group, "energy_known", KAI_H5_U8, 1, &p->energy_known, err));
    KAI_TRY(
        kai_h5_read_attribute(group, "collision_detect", KAI_H5_U8, 1, &p->collision_detect, err));
    KAI_TRY(
        kai_h5_read_attribute(group, "collision_reach", KAI_H5_F64, 1, &p->collision_reach, err));
    if (!(p->collision_reach >= 0.0) || !isfinite(p->collision_reach))
        return kai_error_set(err, KAI_ERROR_FORMAT, "collision_reach is %g m; must be >= 0",
                             p->collision_reach);
    if (!isfinite(p->time) || !isfinite(p->time_base) || !isfinite(p->time_step) ||
        p->steps_base > p->steps || !kai_vec3_is_finite(p->gravity))
        return kai_error_set(err, KAI_ERROR_FORMAT, "time or gravity breaks its rule");
    return KAI_OK;
}

static kai_result read_shapes(parts* p, hid_t group, kai_error* err)
{
    KAI_TRY(kai_store_file_read(group, "shapes", &p->shapes, true, err));
    KAI_TRY(kai_shape_prepare_all(&p->shapes, err));
    KAI_TRY(kai_bodies_file_read_frames(group, "shape_frames", &p->shape_frames, p->memory, err));
    const hid_t type = kai_world_save_shape_record_type();
    if (type < 0) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'shape_records'");
    void* data = NULL;
    size_t count = 0;
    kai_result r = kai_h5_read(group, "shape_records", type, 1, &data, &count, err);
    H5Tclose(type);
    if (r == KAI_OK) r = kai_array_append(&p->shape_records, p->memory, data, count, err);
    free(data);
    return r;
}

static kai_result read_functions(parts* p, hid_t group, kai_error* err)
{
    KAI_TRY(kai_store_file_read(group, "functions", &p->functions.store, false, err));
    void* depth = NULL;
    size_t count = 0;
    KAI_TRY(kai_h5_read(group, "functions.depth", H5T_NATIVE_UINT8, 1, &depth, &count, err));
    const kai_result r = kai_array_append(&p->functions.depth, p->memory, depth, count, err);
    free(depth);
    KAI_TRY(r);
    if (count < p->functions.store.entries.count)
        return kai_error_set(err, KAI_ERROR_FORMAT, "'functions.depth' has %zu rows; must have %zu",
                             count, p->functions.store.entries.count);
    return KAI_OK;
}

// Particle groups: names, counts, and index and generation of every body.
typedef struct group_lists {
    uint64_t* counts;
    uint32_t *index, *named;
    uint16_t* generation;
    char* names;
    size_t count, total, stride, named_count;
} group_lists;

static kai_result read_group_lists(group_lists* l, hid_t group, kai_error* err)
{
    void *counts = NULL, *index = NULL, *generation = NULL;
    KAI_TRY(kai_h5_read(group, "counts", H5T_NATIVE_UINT64, 1, &counts, &l->count, err));
    l->counts = counts;
    KAI_TRY(kai_h5_read(group, "index", H5T_NATIVE_UINT32, 1, &index, &l->total, err));
    l->index = index;
    KAI_TRY(
        kai_h5_read_exactly(group, "generation", H5T_NATIVE_UINT16, 1, l->total, &generation, err));
    l->generation = generation;
    return kai_param_file_read_names(group, l->count, &l->named, &l->names, &l->stride,
                                     &l->named_count, err);
}

static kai_result add_groups(parts* p, const group_lists* l, uint16_t world, kai_error* err)
{
    size_t used = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (l->counts[i] > l->total - used)
            return kai_error_set(err, KAI_ERROR_FORMAT, "'counts' ask for more than %zu particles",
                                 l->total);
        kai_particles_group g = {.count = (size_t)l->counts[i]};
        if (g.count > 0) g.first = (kai_body){l->index[used], l->generation[used], world};
        bool row = true;
        for (size_t k = 0; k < g.count; k++)
            row = row && l->index[used + k] - l->index[used] == k &&
                  l->generation[used + k] == l->generation[used];
        if (!row) g.bodies = kai_memory_allocate(p->memory, g.count * sizeof(kai_body));
        if (g.bodies == NULL && !row)
            return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu particles", g.count);
        for (size_t k = 0; !row && k < g.count; k++)
            g.bodies[k] = (kai_body){l->index[used + k], l->generation[used + k], world};
        used += g.count;
        const kai_result r = kai_array_append(&p->groups, p->memory, &g, 1, err);
        if (r == KAI_OK) continue;
        kai_memory_release(p->memory, g.bodies, g.count * sizeof(kai_body));
        return r;
    }
    kai_particles_group* groups = p->groups.data;
    for (size_t i = 0; i < l->named_count; i++) {
        kai_particles_group* g = &groups[l->named[i]];
        const kai_id id = {l->named[i] + 1, 0, world};
        if (g->name != NULL)
            return kai_error_set(err, KAI_ERROR_FORMAT, "'named' has a place twice");
        KAI_TRY(kai_names_add(&p->group_names, "particles", l->names + i * l->stride, id, &g->name,
                              err));
    }
    return KAI_OK;
}

static kai_result read_particles(parts* p, hid_t group, kai_error* err)
{
    group_lists lists = {0};
    kai_result r = read_group_lists(&lists, group, err);
    if (r == KAI_OK) r = add_groups(p, &lists, p->bodies.world, err);
    free(lists.counts);
    free(lists.index);
    free(lists.generation);
    free(lists.named);
    free(lists.names);
    return r;
}

static kai_result read_integrator_state(parts* p, hid_t group, kai_error* err)
{
    void* data = NULL;
    size_t count = 0;
    KAI_TRY(kai_h5_read(group, "integrator_state", H5T_NATIVE_DOUBLE, 1, &data, &count, err));
    const kai_result r = kai_array_append(&p->integrator_state, p->memory, data, count, err);
    free(data);
    return r;
}

static kai_result read_parts(parts* p, hid_t group, kai_error* err)
{
    KAI_TRY(read_figures(p, group, err));
    KAI_TRY(kai_bodies_file_read(group, &p->bodies, err));
    KAI_TRY(kai_store_file_read(group, "materials", &p->materials, true, err));
    KAI_TRY(kai_store_file_read(group, "material_pairs", &p->material_pairs, true, err));
    KAI_TRY(read_shapes(p, group, err));
    KAI_TRY(read_functions(p, group, err));
    KAI_TRY(kai_store_file_read(group, "shafts", &p->shafts, true, err));
    KAI_TRY(kai_store_file_read(group, "states", &p->states, true, err));
    KAI_TRY(kai_store_file_read(group, "solids", &p->solids, true, err));
    KAI_TRY(kai_store_file_read(group, "nodes", &p->nodes, true, err));
    KAI_TRY(kai_store_file_read(group, "elements", &p->elements, true, err));
    KAI_TRY(kai_store_file_read(group, "structures", &p->structures, true, err));
    KAI_TRY(kai_store_file_read(group, "loads", &p->loads, true, err));
    KAI_TRY(kai_store_file_read(group, "joints", &p->joints, true, err));
    KAI_TRY(read_integrator_state(p, group, err));
    hid_t inner = -1;
    KAI_TRY(kai_h5_open_group(group, "particles", &inner, err));
    const kai_result r = read_particles(p, inner, err);
    H5Gclose(inner);
    return r;
}

// What refers to what ----------------------------------------------------------------------------

static bool in_use(const kai_store* store, uint32_t index)
{
    const kai_store_entry* entries = store->entries.data;
    return index >= 1 && index <= store->entries.count &&
           entries[index - 1].batch != KAI_STORE_FREE;
}

// Both materials of a pair are there, and no other pair has the same two.
static kai_result check_pairs(const parts* p, kai_error* err)
{
    const kai_store_batch* batch = &p->material_pairs.batches[0];
    const kai_material_pair_def* items = batch->items.data;
    for (size_t i = 0; i < batch->items.count; i++) {
        const uint32_t a = items[i].materials[0].index, b = items[i].materials[1].index;
        if (!in_use(&p->materials, a) || !in_use(&p->materials, b) ||
            kai_material_pair_between(&p->material_pairs, a, b) != &items[i])
            return kai_error_set(err, KAI_ERROR_FORMAT, "material pair %zu breaks its rules", i);
    }
    return KAI_OK;
}

// Each body's chain of shapes is walked; every shape must be met once, at its own body.
static kai_result check_shapes(parts* p, kai_error* err)
{
    const kai_shape_record* records = p->shape_records.data;
    size_t met = 0;
    if (p->shape_records.count < p->shapes.entries.count)
        return kai_error_set(err, KAI_ERROR_FORMAT, "'shape_records' is too short");
    for (size_t slot = 0; slot < p->bodies.count; slot++) {
        const kai_bodies_cold cold = kai_bodies_cold_of(&p->bodies, slot);
        uint32_t count = 0;
        for (uint32_t index = cold.first_shape; index != 0; count++) {
            if (!in_use(&p->shapes, index) || met++ >= p->shapes.count)
                return kai_error_set(err, KAI_ERROR_FORMAT, "the shapes of body %zu are broken",
                                     slot);
            const kai_shape_record* r = &records[index - 1];
            if (r->body != cold.owner ||
                (r->material != 0 && !in_use(&p->materials, r->material)) ||
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

static kai_result check_function(const parts* p, kai_function f, int above, kai_error* err)
{
    if (KAI_IS_NULL(f)) return KAI_OK;
    const kai_id id = {f.index, f.generation, f.world};
    if (!kai_store_find(&p->functions.store, id))
        return kai_error_set(err, KAI_ERROR_FORMAT, "function %u does not exist", f.index);
    const int depth = ((const uint8_t*)p->functions.depth.data)[f.index - 1];
    if (depth >= 1 && depth < above) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "function %u is nested in a circle or too deep",
                         f.index);
}

static kai_result check_body(const parts* p, const kai_param* param, const kai_body* body,
                             kai_error* err)
{
    if (!param->required && KAI_IS_NULL(*body)) return KAI_OK;
    if (kai_bodies_slot(&p->bodies, *body) != SIZE_MAX) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: body %u does not exist", param->name,
                         body->index);
}

static kai_result check_joint(const parts* p, const kai_param* param, const kai_joint* joint,
                              kai_error* err)
{
    const kai_id id = {joint->index, joint->generation, joint->world};
    if (!param->required && KAI_IS_NULL(id)) return KAI_OK;
    if (kai_store_find(&p->joints, id)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: joint %u does not exist", param->name,
                         id.index);
}

static kai_result check_shaft(const parts* p, const kai_param* param, const kai_shaft* shaft,
                              kai_error* err)
{
    const kai_id id = {shaft->index, shaft->generation, shaft->world};
    if (!param->required && KAI_IS_NULL(id)) return KAI_OK;
    if (kai_store_find(&p->shafts, id)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: shaft %u does not exist", param->name,
                         id.index);
}

// The same for things that lie in a store.
static kai_result check_in(const kai_store* store, const kai_param* param, const void* field,
                           kai_error* err)
{
    kai_id id;
    memcpy(&id, field, sizeof id);
    if ((!param->required && KAI_IS_NULL(id)) || kai_store_find(store, id)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: %s %u does not exist", param->name,
                         store->family, id.index);
}

// Every id in an instance leads to something, and functions only to shallower ones (`above`).
static kai_result check_instance(const parts* p, const kai_kind* kind, const char* instance,
                                 int above, kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* param = &kind->params[i];
        const void* field = instance + param->offset;
        if (param->type == KAI_PARAM_FUNCTION) {
            KAI_TRY(check_function(p, *(const kai_function*)field, above, err));
        } else if (param->type == KAI_PARAM_VALUE || param->type == KAI_PARAM_VALUE3) {
            const kai_value* v = field;
            for (size_t k = 0; k < kai_kind_type_numbers(param->type); k++)
                KAI_TRY(check_function(p, v[k].function, above, err));
        } else if (param->type == KAI_PARAM_LIST) {
            const kai_list* list = field;
            for (uint32_t k = 0; k < list->count; k++)
                KAI_TRY(check_instance(
                    p, param->item, (const char*)list->items + k * param->item->size, above, err));
        } else if (param->type == KAI_PARAM_BODY) {
            for (size_t k = 0; k < kai_kind_repeats(param); k++)
                KAI_TRY(check_body(p, param, (const kai_body*)field + k, err));
        } else if (param->type == KAI_PARAM_SHAFT) {
            for (size_t k = 0; k < kai_kind_repeats(param); k++)
                KAI_TRY(check_shaft(p, param, (const kai_shaft*)field + k, err));
        } else if (param->type == KAI_PARAM_JOINT) {
            KAI_TRY(check_joint(p, param, field, err));
        } else if (param->type == KAI_PARAM_NODE || param->type == KAI_PARAM_SOLID) {
            for (size_t k = 0; k < kai_kind_repeats(param); k++)
                KAI_TRY(check_in(param->type == KAI_PARAM_NODE ? &p->nodes : &p->solids, param,
                                 (const kai_id*)field + k, err));
        }
    }
    return KAI_OK;
}

// Counts a load at a body; one that is not there was let pass because it need not be.
static kai_result count_at(parts* p, kai_body body, kai_error* err)
{
    KAI_TRY(kai_bodies_own_id(&p->bodies, body, err));
    kai_bodies_count_load(&p->bodies, body, 1);
    return KAI_OK;
}

static kai_result count_load(parts* p, const kai_kind* kind, const char* instance, kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_body* body = (const void*)(instance + kind->params[i].offset);
        if (kind->params[i].type != KAI_PARAM_BODY) continue;
        for (size_t k = 0; k < kai_kind_repeats(&kind->params[i]); k++)
            KAI_TRY(count_at(p, body[k], err));
    }
    return KAI_OK;
}

static kai_result check_functions(parts* p, kai_error* err)
{
    const kai_store* store = &p->functions.store;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const uint32_t index = ((const uint32_t*)batch->owner.data)[i];
            const int depth = ((const uint8_t*)p->functions.depth.data)[index - 1];
            if (depth < 1 || depth > KAI_FUNCTION_SET_DEPTH)
                return kai_error_set(err, KAI_ERROR_FORMAT, "'functions.depth' has %d", depth);
            KAI_TRY(check_instance(p, batch->kind, (char*)batch->items.data + i * batch->kind->size,
                                   depth, err));
        }
    }
    return KAI_OK;
}

// What a function makes of itself when it is created (a spline, say) is made again rather than
// believed; shallow ones first, since others are made of them.
static kai_result prepare_functions(parts* p, kai_error* err)
{
    const kai_store* store = &p->functions.store;
    for (int depth = 1; depth <= KAI_FUNCTION_SET_DEPTH; depth++) {
        for (size_t b = 0; b < store->batch_count; b++) {
            const kai_store_batch* batch = &store->batches[b];
            const kai_function_kind* kind = (const kai_function_kind*)(const void*)batch->kind;
            for (size_t i = 0; kind->prepare != NULL && i < batch->items.count; i++) {
                const uint32_t index = ((const uint32_t*)batch->owner.data)[i];
                if (((const uint8_t*)p->functions.depth.data)[index - 1] != depth) continue;
                KAI_TRY(kind->prepare(&p->functions,
                                      (char*)batch->items.data + i * batch->kind->size, err));
            }
        }
    }
    return KAI_OK;
}

// Ends that creation would have filled in are there, unless the kind does without them.
static kai_result check_ends(const parts* p, const kai_kind* kind, const char* instance,
                             kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        kai_param needed = kind->params[i];
        needed.required = true;
        const void* field = instance + needed.offset;
        for (size_t k = 0; k < kai_kind_repeats(&needed); k++) {
            if (needed.type == KAI_PARAM_BODY)
                KAI_TRY(check_body(p, &needed, (const kai_body*)field + k, err));
            if (needed.type == KAI_PARAM_SHAFT)
                KAI_TRY(check_shaft(p, &needed, (const kai_shaft*)field + k, err));
        }
    }
    return KAI_OK;
}

static kai_result check_loads(parts* p, kai_error* err)
{
    for (size_t i = 0; i < p->bodies.kin_count; i++) p->bodies.colds[i].load_count = 0;
    for (size_t b = 0; b < p->loads.batch_count; b++) {
        const kai_store_batch* batch = &p->loads.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (char*)batch->items.data + i * batch->kind->size;
            KAI_TRY(check_instance(p, batch->kind, instance, KAI_FUNCTION_SET_DEPTH + 1, err));
            if (!((const kai_load_kind*)(const void*)batch->kind)->grounded)
                KAI_TRY(check_ends(p, batch->kind, instance, err));
            KAI_TRY(count_load(p, batch->kind, instance, err));
        }
    }
    return p->loads.count > 0 ? kai_bodies_need_wrench(&p->bodies, err) : KAI_OK;
}

static kai_result check_joints(parts* p, kai_error* err)
{
    for (size_t b = 0; b < p->joints.batch_count; b++) {
        const kai_store_batch* batch = &p->joints.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (char*)batch->items.data + i * batch->kind->size;
            const kai_joint_base* base = (const void*)instance;
            KAI_TRY(check_instance(p, batch->kind, instance, KAI_FUNCTION_SET_DEPTH + 1, err));
            const kai_joint_kind* kind = (const kai_joint_kind*)(const void*)batch->kind;
            const kai_param ends = {.name = "bodies", .required = true};
            for (int k = 0; !kind->frameless && k < 2; k++)
                KAI_TRY(check_body(p, &ends, &base->bodies[k], err));
            if (!kind->frameless && KAI_ID_EQUALS(base->bodies[0], base->bodies[1]))
                return kai_error_set(err, KAI_ERROR_FORMAT, "%s %zu has one body twice",
                                     batch->kind->name, i);
            const kai_body* others = (const void*)(instance + kind->others);
            for (int k = 0; k < 2; k++) KAI_TRY(count_at(p, base->bodies[k], err));
            for (int k = 0; k < kind->other_count; k++) KAI_TRY(count_at(p, others[k], err));
        }
    }
    return KAI_OK;
}

// Elements have the nodes that their kind wants; frames are bodies, whose uses are counted.
static kai_result check_elements(parts* p, kai_error* err)
{
    for (size_t b = 0; b < p->elements.batch_count; b++) {
        const kai_store_batch* batch = &p->elements.batches[b];
        const kai_element_kind* kind = (const kai_element_kind*)(const void*)batch->kind;
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (char*)batch->items.data + i * batch->kind->size;
            KAI_TRY(check_instance(p, batch->kind, instance, KAI_FUNCTION_SET_DEPTH + 1, err));
            for (int k = 0; k < kind->nodes; k++) {
                if (kind->slopes < 0) {
                    KAI_TRY(count_at(p, ((const kai_body*)(const void*)instance)[k], err));
                    continue;
                }
                const kai_node node = ((const kai_node*)(const void*)instance)[k];
                const kai_node_def* def =
                    kai_store_at(&p->nodes, (kai_id){node.index, node.generation, node.world});
                if (!def || !kai_element_fits(kind, def->slopes))
                    return kai_error_set(err, KAI_ERROR_FORMAT,
                                         "%s %zu: node %d does not have %d slopes",
                                         batch->kind->name, i, k, kind->slopes);
            }
        }
    }
    return KAI_OK;
}

// Structures: tables of ids and of places in them.
static kai_result check_structures(parts* p, kai_error* err)
{
    for (size_t b = 0; b < p->structures.batch_count; b++) {
        const kai_store_batch* batch = &p->structures.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const void* instance = (char*)batch->items.data + i * batch->kind->size;
            if (!kai_structure_is_whole(instance))
                return kai_error_set(err, KAI_ERROR_FORMAT,
                                     "%s %zu: its nodes or sets are not whole", batch->kind->name,
                                     i);
        }
    }
    return KAI_OK;
}

static kai_result check_groups(const parts* p, kai_error* err)
{
    const kai_particles_group* groups = p->groups.data;
    for (size_t i = 0; i < p->bodies.count; i++) {
        const kai_bodies_cold cold = kai_bodies_cold_of(&p->bodies, i);
        if (cold.group == 0) continue;
        if (cold.group > p->groups.count || cold.group_index >= groups[cold.group - 1].count)
            return kai_error_set(err, KAI_ERROR_FORMAT,
                                 "body %zu is in no particle group that exists", i);
    }
    return KAI_OK;
}

// Shapes of particles that are alike become runs again.
static kai_result fold_shapes(parts* p, kai_error* err)
{
    const kai_particles_group* groups = p->groups.data;
    for (size_t i = 0; i < p->groups.count; i++) {
        const kai_particles_group* g = &groups[i];
        const size_t slot = g->count > 0 ? kai_bodies_slot(&p->bodies, g->first) : SIZE_MAX;
        if (g->bodies || slot == SIZE_MAX) continue;
        const kai_bodies_cold cold = kai_bodies_cold_of(&p->bodies, slot);
        KAI_TRY(kai_shape_fold(&p->shapes, &p->shape_records, &p->shape_runs, cold.first_shape,
                               g->count, err));
    }
    return KAI_OK;
}

// The integrator ---------------------------------------------------------------------------------

static const kai_integrator_kind* find_integrator(const kai_world* world, const char* name)
{
    if (world->integrator != NULL && strcmp(world->integrator->kind.name, name) == 0)
        return world->integrator;
    return kai_integrator_find(name);
}

// The last thing that can fail: it changes the world only when it succeeds.
static kai_result set_integrator(kai_world* world, hid_t group, kai_error* err)
{
    char name[KAI_STRING_SIZE];
    KAI_TRY(kai_h5_read_text(group, "kind", name, sizeof name, err));
    if (name[0] == '\0') return KAI_OK;
    const kai_integrator_kind* kind = find_integrator(world, name);
    if (kind == NULL)
        return kai_error_set(err, KAI_ERROR_FORMAT, "integrator '%s' is not known here", name);
    char* instance = calloc(1, kind->kind.size + 1);
    if (instance == NULL)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the integrator");
    kai_param_file_pool* pool = NULL;
    kai_result r = kai_param_file_read(group, &kind->kind, instance, 1, world->tag, &pool, err);
    if (r == KAI_OK) {
        r = kai_integrator_set(world, kind, instance);
        if (r != KAI_OK && err != NULL) *err = world->error;
    }
    kai_param_file_free(pool);
    free(instance);
    return r;
}

static kai_result read_solver(parts* p, hid_t group, kai_error* err)
{
    double tally[KAI_SOLVER_TALLY];
    KAI_TRY(kai_h5_read_attribute(group, "tally", KAI_H5_F64, KAI_SOLVER_TALLY, tally, err));
    for (size_t i = 0; i < KAI_SOLVER_TALLY; i++)
        if (!(tally[i] >= 0.0) || isinf(tally[i]))
            return kai_error_set(err, KAI_ERROR_FORMAT, "tally %zu of the solver is %g", i,
                                 tally[i]);
    memcpy(&p->tally, tally, sizeof tally);
    kai_param_file_pool* pool = NULL;
    p->solver = kai_solver_def_default();
    kai_result r = kai_param_file_read(group, &kai_solver_kind, &p->solver, 1, 0, &pool, err);
    if (r == KAI_OK) r = kai_kind_check(&kai_solver_kind, &p->solver, err);
    kai_param_file_free(pool);
    return r == KAI_ERROR_ARGUMENT ? KAI_ERROR_FORMAT : r;
}

static kai_result read_and_check(parts* p, kai_world* world, hid_t group, kai_error* err)
{
    KAI_TRY(init(p, world, err));
    KAI_TRY(read_parts(p, group, err));
    KAI_TRY(check_pairs(p, err));
    KAI_TRY(check_shapes(p, err));
    KAI_TRY(check_functions(p, err));
    KAI_TRY(prepare_functions(p, err));
    KAI_TRY(check_loads(p, err));
    KAI_TRY(check_joints(p, err));
    KAI_TRY(check_elements(p, err));
    KAI_TRY(check_structures(p, err));
    KAI_TRY(check_groups(p, err));
    KAI_TRY(fold_shapes(p, err));
    hid_t inner = -1;
    KAI_TRY(kai_h5_open_group(group, "solver", &inner, err));
    const kai_result solver = read_solver(p, inner, err);
    H5Gclose(inner);
    KAI_TRY(solver);
    KAI_TRY(kai_h5_open_group(group, "contact", &inner, err));
    const kai_result contact = kai_contact_file_read(inner, p->memory, &p->contact,
                                                     &p->contact_memory, &p->contact_elastic, err);
    H5Gclose(inner);
    KAI_TRY(contact);
    KAI_TRY(kai_h5_open_group(group, "integrator", &inner, err));
    const kai_result r = set_integrator(world, inner, err);
    H5Gclose(inner);
    return r;
}

kai_result kai_world_restore(kai_world* world, hid_t parent, kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_open_group(parent, "world", &group, err));
    parts p;
    const kai_result r = read_and_check(&p, world, group, err);
    H5Gclose(group);
    if (r == KAI_OK) exchange(&p, world);
    release(&p);
    return r == KAI_OK ? kai_structure_skin_add(world, err) : r;
}
