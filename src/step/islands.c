// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/islands.h"

#include "contact/contacts.h"
#include "model/sleep.h"
#include "step/term.h"

// Steps between two looks for islands.
enum { PERIOD = 8 };

bool kai_islands_wake(kai_world* world)
{
    const size_t count = world->asleep > 0 ? world->collision->proximity.contact_count : 0;
    bool woken = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t owner[2];
        kai_contacts_owners(world, i, &owner[0], &owner[1]);
        for (int k = 0; k < 2; k++) {
            const kai_motion* m = &world->bodies.motion[owner[k] & ~KAI_BROAD_FIXED];
            // What is asleep or fixed has no contacts with others of that sort.
            if (!(m->flags & KAI_BODY_ASLEEP)) continue;
            kai_sleep_wake_island(world, kai_sleep_island(m));
            woken = true;
        }
    }
    return woken;
}

/// Whether nothing but gravity and contacts acts on a body.
static bool may_sleep(const kai_world* world, size_t slot)
{
    const kai_bodies* bodies = &world->bodies;
    return bodies->colds[bodies->shared_properties[slot]].load_count == 0 &&
           !(bodies->motion[slot].flags & KAI_BODY_NODE);
}

static bool rests(const kai_world* world, size_t slot)
{
    const kai_motion* m = &world->bodies.motion[slot];
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
    const double most = world->sleep_def.speed;
    const double moment = fmax(fmax(mass->moments.x, mass->moments.y), mass->moments.z);
    return kai_vec3_norm2(m->velocity) < most * most &&
           4.0 * moment * kai_vec3_norm2(m->spin) < mass->mass * most * most;
}

typedef struct islands {
    uint32_t* parent; // [bodies]
    uint8_t* awake;   // [bodies], of roots: some body of the island stays awake
} islands;

static uint32_t root_of(const islands* s, uint32_t i)
{
    while (s->parent[i] != i) i = s->parent[i] = s->parent[s->parent[i]];
    return i;
}

static void unite(const kai_world* world, const islands* s)
{
    for (size_t i = 0; i < world->collision->proximity.contact_count; i++) {
        uint32_t a, b;
        kai_contacts_owners(world, i, &a, &b);
        if ((a | b) & KAI_BROAD_FIXED) continue;
        a = root_of(s, a), b = root_of(s, b);
        if (a < b) s->parent[b] = a;
        if (b < a) s->parent[a] = b;
    }
}

/// The largest number of an island that is asleep.
static uint32_t last_island(const kai_world* world)
{
    uint32_t last = 0;
    for (size_t i = 0; i < world->bodies.count; i++) {
        const uint32_t island = kai_sleep_island(&world->bodies.motion[i]);
        last = island > last ? island : last;
    }
    return last;
}

/// Puts a body to sleep; its energy is lost.
static void put_to_sleep(kai_world* world, size_t slot, uint32_t island)
{
    kai_motion* m = &world->bodies.motion[slot];
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
    const kai_vec3 turn = kai_vec3_make(mass->moments.x * m->spin.x, mass->moments.y * m->spin.y,
                                        mass->moments.z * m->spin.z);
    world->dissipated +=
        0.5 * (mass->mass * kai_vec3_norm2(m->velocity) + kai_vec3_dot(turn, m->spin));
    m->velocity = m->spin = kai_vec3_zero();
    m->flags |= KAI_BODY_ASLEEP;
    m->rest |= (uint64_t)island << 32;
}

/// Lets islands fall asleep whose bodies have all been at rest for so many steps.
static kai_result find_islands(kai_world* world, uint32_t steps, size_t* asleep, kai_error* err)
{
    const size_t count = world->bodies.count;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    islands s = {kai_arena_take(&world->arena, count, sizeof *s.parent, err),
                 kai_arena_take(&world->arena, count, sizeof *s.awake, err)};
    if (!s.parent || !s.awake) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        s.parent[i] = (uint32_t)i;
        s.awake[i] = 0;
    }
    unite(world, &s);
    for (uint32_t i = 0; i < count; i++) {
        const kai_motion* m = &world->bodies.motion[i];
        if ((uint32_t)m->rest < steps || !may_sleep(world, i)) s.awake[root_of(&s, i)] = 1;
    }
    const uint32_t last = last_island(world);
    const size_t before = *asleep;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t root = root_of(&s, i);
        if (s.awake[root] || (world->bodies.motion[i].flags & KAI_SLEEP_STILL)) continue;
        put_to_sleep(world, i, last + 1 + root);
        ++*asleep;
    }
    if (*asleep > before) world->bodies_version++; // they are like fixed ones now
    kai_arena_release(&world->arena, mark);
    return KAI_OK;
}

kai_result kai_islands_rest(kai_world* world, double h, kai_error* err)
{
    const double wanted = ceil(world->sleep_def.time / h);
    if (!(wanted > 0.0)) return KAI_OK;
    const uint32_t steps = wanted < 1e9 ? (uint32_t)wanted : 1000000000;
    size_t asleep = 0;
    bool ready = false;
    for (size_t i = 0; i < world->bodies.owned; i++) {
        kai_motion* m = &world->bodies.motion[i];
        asleep += (m->flags & KAI_BODY_ASLEEP) != 0;
        if (m->flags & KAI_SLEEP_STILL) continue;
        if (!rests(world, i))
            m->rest = 0;
        else if (m->rest < steps)
            m->rest++;
        ready |= m->rest >= steps;
    }
    const bool now = (world->steps + 1) % PERIOD == 0;
    if (ready && now && world->collision && !kai_term_attached(world))
        KAI_TRY(find_islands(world, steps, &asleep, err));
    kai_sleep_note(world, asleep);
    return KAI_OK;
}
