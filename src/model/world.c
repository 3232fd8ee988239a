// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/world.h"

#include "model/check.h"
#include "model/part.h"
#include "model/plugin.h"
#include "parallel/comm.h"

#include <kairos/structure.h>
#include <kairos/world.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const uint64_t COOKIE = UINT64_C(0x4b41494f53574f52);

// Creation ---------------------------------------------------------------------------------------

kai_world_def kai_world_def_default(void)
{
    return (kai_world_def){.cookie = COOKIE, .gravity = {0.0, 0.0, -9.81}};
}

static kai_result check_def(const kai_world_def* def, kai_error* err)
{
    const kai_result code = KAI_ERROR_ARGUMENT;
    if (def->cookie != COOKIE)
        return kai_error_set(err, code, "def was not made by kai_world_def_default()");
    if (def->threads < 0 || def->threads > 1024)
        return kai_error_set(err, code, "def.threads is %d; must be from 0 to 1024", def->threads);
    if (!kai_vec3_is_finite(def->gravity))
        return kai_error_set(err, code, "def.gravity is [%g, %g, %g]; must be finite",
                             def->gravity.x, def->gravity.y, def->gravity.z);
    if (!def->allocator.allocate != !def->allocator.release)
        return kai_error_set(err, code, "def.allocator has one of its two calls; needs both");
    return KAI_OK;
}

/// Worlds are told apart by a tag in their ids; the only thing that worlds share. A bit of `tags`
/// is set while a world has that tag.
static atomic_uint tags[(UINT16_MAX + 1) / 32];

/// A tag that no other world has, 0 when all are taken.
static uint16_t take_tag(void)
{
    static atomic_uint counter;
    for (int tries = 0; tries < UINT16_MAX; tries++) {
        const unsigned tag = 1 + atomic_fetch_add(&counter, 1) % UINT16_MAX, bit = 1u << tag % 32;
        if (!(atomic_fetch_or(&tags[tag / 32], bit) & bit)) return (uint16_t)tag;
    }
    return 0;
}

static void return_tag(uint16_t tag) { atomic_fetch_and(&tags[tag / 32], ~(1u << tag % 32)); }

/// Registers a list of the user's own kinds of one family.
#define WORLD_REGISTER(family, list)                            \
    for (size_t i = 0; r == KAI_OK && (list) && (list)[i]; i++) \
        r = kai_##family##_register(world, (list)[i]);

static kai_result world_register_kinds(kai_world* world, const kai_world_kinds* kinds,
                                       kai_error* err)
{
    kai_result r = KAI_OK;
    WORLD_REGISTER(function, kinds->functions)
    WORLD_REGISTER(load, kinds->loads)
    WORLD_REGISTER(joint, kinds->joints)
    WORLD_REGISTER(state, kinds->states)
    WORLD_REGISTER(shape, kinds->shapes)
    WORLD_REGISTER(solid, kinds->solids)
    WORLD_REGISTER(element, kinds->elements)
    WORLD_REGISTER(structure, kinds->structures)
    WORLD_REGISTER(contact_law, kinds->laws)
    WORLD_REGISTER(sensor, kinds->sensors)
    WORLD_REGISTER(sampler, kinds->samplers)
    WORLD_REGISTER(section, kinds->sections)
    for (size_t i = 0; r == KAI_OK && kinds->plugins && kinds->plugins[i]; i++)
        r = kai_plugin_add(world, kinds->plugins[i]);
    if (r != KAI_OK && err) *err = world->error;
    return r;
}

kai_result kai_world_make(const kai_world_def* def, const kai_part* const* parts, size_t part_count,
                          kai_world** out, kai_error* err)
{
    KAI_TRY(check_def(def, err));
    kai_memory memory;
    kai_memory_init(&memory, &def->allocator);
    kai_memory_set_limit(&memory, def->memory_limit);
    kai_world* world = kai_memory_allocate_zeroed(&memory, 1, sizeof *world);
    if (!world) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory");

    world->memory = memory;
    world->parts = parts;
    world->part_count = part_count;
    kai_arena_init(&world->arena, &world->memory);
    world->log = def->log;
    world->log_context = def->log_context;
    world->tag = take_tag();
    world->comm = kai_comm_serial();
    world->threads = def->threads > 0 ? def->threads : kai_parallel_hardware();
    world->gravity = def->gravity;
    kai_result r = world->tag
                       ? KAI_OK
                       : kai_error_set(err, KAI_ERROR_LIMIT, "%u worlds exist already", UINT16_MAX);
    if (r == KAI_OK) r = kai_part_init_all(world, err);
    if (r == KAI_OK) r = world_register_kinds(world, &def->kinds, err);
    if (r != KAI_OK) {
        kai_world_destroy(world);
        return r;
    }
    *out = world;
    return KAI_OK;
}

void kai_world_destroy(kai_world* world)
{
    if (!world) return;
    if (world->in_step) {
        kai_check_busy(world, __func__);
        return;
    }
    kai_part_free_all(world);
    kai_arena_free(&world->arena);
    if (world->tag) return_tag(world->tag);
    kai_memory last = world->memory;
    kai_memory_release(&last, world, sizeof *world);
}

// Errors and messages ----------------------------------------------------------------------------

const kai_error* kai_world_error(const kai_world* world)
{
    static const kai_error NONE = {.code = KAI_ERROR_ARGUMENT, .message = "world is NULL"};
    return world ? &world->error : &NONE;
}

kai_error* kai_world_error_of(const kai_world* world)
{
    return world->in_step ? NULL : &((kai_world*)(uintptr_t)world)->error;
}

kai_result kai_world_fail(const kai_world* world, const char* function, kai_result result)
{
    if (result != KAI_OK) {
        kai_error* err = kai_world_error_of(world);
        kai_memory_explain(&((kai_world*)(uintptr_t)world)->memory, err);
        kai_error_prefix(err, "%s", function);
    }
    return result;
}

void kai_world_log(const kai_world* world, kai_log_level level, const char* format, ...)
{
    if (!world->log) return;
    char line[KAI_ERROR_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    world->log(world->log_context, level, line);
}

// Settings ---------------------------------------------------------------------------------------

double kai_world_time(const kai_world* world)
{
    KAI_GIVEN_OR(0.0, world);
    return world->time;
}
uint64_t kai_world_steps(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->steps;
}
kai_vec3 kai_world_gravity(const kai_world* world)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    return world->gravity;
}
int kai_world_threads(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->threads;
}

kai_result kai_world_set_stop(kai_world* world, const volatile int* stop)
{
    KAI_CHANGE(world);
    world->stop = stop;
    return KAI_OK;
}

kai_result kai_world_set_gravity(kai_world* world, kai_vec3 gravity)
{
    KAI_CHANGE(world);
    if (!kai_vec3_is_finite(gravity))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_world_set_gravity: gravity is [%g, %g, %g]; must be finite",
                             gravity.x, gravity.y, gravity.z);
    world->gravity = gravity;
    world->energy_known = false; // the balance starts anew
    return KAI_OK;
}

kai_result kai_world_set_threads(kai_world* world, int threads)
{
    KAI_CHANGE(world);
    if (threads < 0 || threads > 1024)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_world_set_threads: threads is %d; must be from 0 to 1024",
                             threads);
    world->threads = threads > 0 ? threads : kai_parallel_hardware();
    return KAI_OK;
}

/// Bodies that are nodes of structures, and those that stand for nodes and surfaces in contacts.
static void count_nodes(const kai_world* world, size_t* frames, size_t* stand_ins)
{
    *frames = *stand_ins = 0;
    if (world->structures.count + world->nodes.count == 0) return;
    for (size_t i = 0; i < kai_structure_count(world); i++) {
        const kai_structure s = kai_structure_at(world, i);
        if (!KAI_IS_NULL(kai_structure_body_at(world, s, NULL, 0)))
            *frames += kai_structure_size(world, s, NULL);
    }
    for (size_t i = 0; i < world->bodies.owned; i++)
        *stand_ins += (world->bodies.motion[i].flags & KAI_BODY_NODE) != 0;
}

/// Bodies of particle groups that are still there.
static size_t count_particles(const kai_world* world)
{
    size_t count = 0;
    if (world->groups.count == 0) return 0;
    for (size_t i = 0; i < world->bodies.owned; i++)
        count += kai_bodies_cold_of(&world->bodies, i).group != 0;
    return count;
}

static size_t without(size_t all, size_t some) { return all > some ? all - some : 0; }

kai_stats kai_world_stats(const kai_world* world)
{
    KAI_GIVEN_OR((kai_stats){0}, world);
    size_t frames, stand_ins;
    count_nodes(world, &frames, &stand_ins);
    return (kai_stats){.bodies = without(world->bodies.owned, frames + stand_ins),
                       .shapes = without(world->shapes.count, stand_ins),
                       .loads = world->loads.count,
                       .nodes = world->nodes.count + frames,
                       .particles = count_particles(world),
                       .bytes = world->memory.bytes,
                       .peak_bytes = world->memory.peak,
                       .scratch_peak_bytes = world->arena.peak,
                       .allocations = world->memory.allocations,
                       .proximity_seconds = world->clock.seconds[KAI_CLOCK_proximity],
                       .formulation_seconds = world->clock.seconds[KAI_CLOCK_formulation],
                       .solve_seconds = world->clock.seconds[KAI_CLOCK_solve],
                       .step_seconds = world->clock.seconds[KAI_CLOCK_step]};
}
