// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/sleep.h"

#include "model/check.h"

#include <string.h>

static const uint64_t COOKIE = 0x6b61692d736c6570; // "kai-slep"

static const kai_param PARAMS[] = {
    KAI_PARAM(
        REAL, kai_sleep_def, time, .unit = "s", .range = KAI_AT_LEAST(0.0),
        .doc =
            "How long all bodies that touch each other must be at rest before they fall asleep. 0: never."),
    KAI_PARAM(
        REAL, kai_sleep_def, speed, .unit = "m/s", .initial = {0.01}, .range = KAI_AT_LEAST(0.0),
        .doc =
            "Speed below which a body counts as at rest: of its mass centre, and of its rotation at twice its largest radius of gyration."),
};

const kai_kind kai_sleep_kind = KAI_KIND(
    "sleep", kai_sleep_def, PARAMS,
    .doc =
        "Bodies at rest fall asleep, together with all that they touch, and then cost nearly nothing; a body that comes into contact with them, or any change of the world, wakes them.");

kai_sleep_def kai_sleep_def_default(void)
{
    kai_sleep_def def;
    kai_kind_defaults(&kai_sleep_kind, &def);
    def.cookie = COOKIE;
    return def;
}

kai_result kai_sleep_set(kai_world* world, const kai_sleep_def* def)
{
    KAI_CHANGE(world, def);
    kai_error* err = &world->error;
    if (def->cookie != COOKIE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_sleep_set: def is not from kai_sleep_def_default");
    KAI_TRY(kai_world_fail(world, __func__, kai_kind_check(&kai_sleep_kind, def, err)));
    world->sleep_def = *def;
    kai_sleep_wake_island(world, 0);
    return KAI_OK;
}

kai_sleep_def kai_sleep_get(const kai_world* world)
{
    KAI_GIVEN_OR((kai_sleep_def){0}, world);
    return world->sleep_def;
}

size_t kai_sleep_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    size_t count = 0;
    for (size_t i = 0; world->asleep > 0 && i < world->bodies.count; i++)
        count += (world->bodies.motion[i].flags & KAI_BODY_ASLEEP) != 0;
    return count;
}

kai_result kai_sleep_wake(kai_world* world)
{
    KAI_CHANGE(world);
    kai_sleep_wake_island(world, 0);
    return KAI_OK;
}

kai_result kai_sleep_check(const kai_world* world, const char* integrator, kai_error* err)
{
    if (!(world->sleep_def.time > 0.0)) return KAI_OK;
    if (world->contact_def.method == KAI_CONTACT_NSC && strcmp(integrator, "euler") == 0)
        return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "sleep needs contact nsc and integrator euler; contact is %s and "
                         "integrator is %s",
                         world->contact_def.method == KAI_CONTACT_NSC   ? "nsc"
                         : world->contact_def.method == KAI_CONTACT_SMC ? "smc"
                                                                        : "none",
                         integrator);
}

void kai_sleep_wake_island(kai_world* world, uint32_t island)
{
    bool any = false;
    for (size_t i = 0; i < world->bodies.count; i++) {
        kai_motion* m = &world->bodies.motion[i];
        if (island == 0) m->rest = m->flags & KAI_BODY_ASLEEP ? m->rest : 0;
        if (!(m->flags & KAI_BODY_ASLEEP)) continue;
        if (island != 0 && kai_sleep_island(m) != island) continue;
        m->flags &= ~KAI_BODY_ASLEEP;
        m->rest = 0;
        any = true;
    }
    if (any) world->bodies_version++; // they are no longer like fixed ones
}

/// Counters of all that may be changed between steps.
static void read_versions(const kai_world* world, uint64_t out[KAI_SLEEP_VERSIONS])
{
    const uint64_t now[] = {world->bodies_version,        world->terms_version,
                            world->shapes.version,        world->joints.version,
                            world->materials.version,     world->contact_version,
                            world->bodies.records_version};
    _Static_assert(sizeof now == KAI_SLEEP_VERSIONS * sizeof *out, "one place for each");
    memcpy(out, now, sizeof now);
}

void kai_sleep_look(kai_world* world)
{
    uint64_t now[KAI_SLEEP_VERSIONS];
    if (world->asleep == 0) return;
    read_versions(world, now);
    const bool loaded = world->sleep_seen[0] == UINT64_MAX; // counters are those of another process
    if (world->energy_known && (loaded || memcmp(now, world->sleep_seen, sizeof now) == 0)) return;
    kai_sleep_wake_island(world, 0);
    world->asleep = 0;
}

void kai_sleep_note(kai_world* world, size_t asleep)
{
    world->asleep = asleep;
    read_versions(world, world->sleep_seen);
}
