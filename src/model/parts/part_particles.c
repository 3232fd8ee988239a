// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Particle groups. In files: how many particles each has, and index and generation of every body.
#include "model/part.h"
#include "model/shape.h"

#include <stdlib.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->groups = kai_array_make(sizeof(kai_particles_group));
    kai_names_init(&world->group_names, kai_part_memory(world));
    return KAI_OK;
}

static void free_groups(kai_world* world, void* data)
{
    (void)data;
    kai_memory* memory = kai_part_memory(world);
    kai_particles_group* groups = world->groups.data;
    for (size_t i = 0; i < world->groups.count; i++)
        kai_memory_release(memory, groups[i].bodies, groups[i].count * sizeof(kai_body));
    kai_array_free(&world->groups, memory);
    if (world->group_names.memory) kai_names_free(&world->group_names);
}

// Files ------------------------------------------------------------------------------------------

static const kai_part_list COUNTS = {.name = "counts", .number = KAI_NUMBER_U64, .size = 8};
static const kai_part_list INDEX = {.name = "index", .number = KAI_NUMBER_U32, .size = 4};
static const kai_part_list GENERATION = {.name = "generation", .number = KAI_NUMBER_U16, .size = 2};

typedef struct group_lists {
    uint64_t* counts; // [count]
    uint32_t* index;  // [total]
    uint16_t* generation;
    const char** name; // [count], for writing
    kai_part_names names;
    size_t count, total;
} group_lists;

static void free_lists(group_lists* l)
{
    free(l->counts);
    free(l->index);
    free(l->generation);
    free(l->name);
    free(l->names.named);
    free(l->names.texts);
}

static kai_result fill_lists(group_lists* l, const kai_world* world, kai_error* err)
{
    const kai_particles_group* groups = world->groups.data;
    l->count = world->groups.count;
    for (size_t i = 0; i < l->count; i++) l->total += groups[i].count;
    l->counts = malloc((l->count + 1) * sizeof *l->counts);
    l->name = calloc(l->count + 1, sizeof *l->name);
    l->index = malloc((l->total + 1) * sizeof *l->index);
    l->generation = malloc((l->total + 1) * sizeof *l->generation);
    if (!l->counts || !l->name || !l->index || !l->generation)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'particles'");
    for (size_t i = 0, k = 0; i < l->count; i++) {
        l->counts[i] = groups[i].count;
        l->name[i] = groups[i].name;
        for (size_t j = 0; j < groups[i].count; j++, k++) {
            l->index[k] = kai_particles_group_body(&groups[i], j).index;
            l->generation[k] = kai_particles_group_body(&groups[i], j).generation;
        }
    }
    return KAI_OK;
}

static kai_result write_lists(const group_lists* l, kai_part_writer* w, kai_error* err)
{
    KAI_TRY(w->list(w, &COUNTS, l->counts, l->count, err));
    KAI_TRY(w->names(w, l->name, l->count, err));
    KAI_TRY(w->list(w, &INDEX, l->index, l->total, err));
    return w->list(w, &GENERATION, l->generation, l->total, err);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)data;
    group_lists lists = {0};
    kai_result r = fill_lists(&lists, world, err);
    if (r == KAI_OK) r = w->begin(w, part->name, err);
    if (r == KAI_OK) {
        r = write_lists(&lists, w, err);
        w->end(w);
    }
    free_lists(&lists);
    return r;
}

static kai_result read_lists(group_lists* l, kai_part_reader* r, kai_error* err)
{
    void *counts = NULL, *index = NULL, *generation = NULL;
    size_t generations = 0;
    KAI_TRY(r->list(r, &COUNTS, &counts, &l->count, err));
    l->counts = counts;
    KAI_TRY(r->list(r, &INDEX, &index, &l->total, err));
    l->index = index;
    KAI_TRY(r->list(r, &GENERATION, &generation, &generations, err));
    l->generation = generation;
    if (generations != l->total)
        return kai_error_set(err, KAI_ERROR_FORMAT, "'generation' has %zu rows; must have %zu",
                             generations, l->total);
    return r->names(r, l->count, &l->names, err);
}

static kai_result add_groups(kai_world* p, const group_lists* l, uint16_t world, kai_error* err)
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
        if (!row) g.bodies = kai_memory_allocate(kai_part_memory(p), g.count * sizeof(kai_body));
        if (g.bodies == NULL && !row)
            return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu particles", g.count);
        for (size_t k = 0; !row && k < g.count; k++)
            g.bodies[k] = (kai_body){l->index[used + k], l->generation[used + k], world};
        used += g.count;
        const kai_result r = kai_array_append(&p->groups, kai_part_memory(p), &g, 1, err);
        if (r == KAI_OK) continue;
        kai_memory_release(kai_part_memory(p), g.bodies, g.count * sizeof(kai_body));
        return r;
    }
    kai_particles_group* groups = p->groups.data;
    for (size_t i = 0; i < l->names.count; i++) {
        kai_particles_group* g = &groups[l->names.named[i]];
        const kai_id id = {l->names.named[i] + 1, 0, world};
        if (g->name != NULL)
            return kai_error_set(err, KAI_ERROR_FORMAT, "'named' has a place twice");
        KAI_TRY(kai_names_add(&p->group_names, "particles", l->names.texts + i * l->names.stride,
                              id, &g->name, err));
    }
    return KAI_OK;
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)data;
    KAI_TRY(r->begin(r, part->name, err));
    group_lists lists = {0};
    kai_result result = read_lists(&lists, r, err);
    r->end(r);
    if (result == KAI_OK) result = add_groups(p, &lists, p->tag, err);
    free_lists(&lists);
    return result;
}

static kai_result check_groups(const kai_world* p, kai_error* err)
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

// Shapes of particles that are alike become runs again, those that are gone included.
static kai_result fold_shapes(kai_world* p, kai_error* err)
{
    const kai_particles_group* groups = p->groups.data;
    for (size_t i = 0; i < p->groups.count; i++) {
        const kai_particles_group* g = &groups[i];
        size_t k = 0, slot = SIZE_MAX;
        while (!g->bodies && k < g->count && slot == SIZE_MAX)
            slot = kai_bodies_slot(&p->bodies, kai_particles_group_body(g, k++));
        if (slot == SIZE_MAX) continue;
        const kai_bodies_cold cold = kai_bodies_cold_of(&p->bodies, slot);
        if (cold.first_shape < k) continue;
        KAI_TRY(kai_shape_fold(&p->shapes, &p->shape_records, &p->shape_runs,
                               cold.first_shape - (uint32_t)(k - 1), g->count, err));
    }
    return KAI_OK;
}

static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    KAI_TRY(check_groups(p, err));
    return fold_shapes(p, err);
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    const kai_particles_group* groups = world->groups.data;
    size_t sum = kai_part_array_bytes(&world->groups) + kai_part_names_bytes(&world->group_names);
    for (size_t i = 0; i < world->groups.count; i++)
        if (groups[i].bodies) sum += groups[i].count * sizeof(kai_body);
    return sum;
}

const kai_part kai_part_particles = {.name = "particles",
                                     KAI_PART_SPAN(groups, group_names),
                                     .init = init,
                                     .free = free_groups,
                                     .save = save,
                                     .load = load,
                                     .check = check,
                                     .bytes = bytes};
