// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/trajectory_fields.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "contact/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

#define BIT(field) (UINT32_C(1) << KAI_TRAJECTORY_FIELD_##field)

const char* const kai_trajectory_fields_words[] = {
#define WORD(name, word, unit, text) word,
    KAI_TRAJECTORY_FIELDS(WORD)
#undef WORD
        NULL};

static const char* const UNITS[] = {
#define UNIT(name, word, unit, text) unit,
    KAI_TRAJECTORY_FIELDS(UNIT)
#undef UNIT
};

const char* kai_trajectory_fields_word(size_t field) { return kai_trajectory_fields_words[field]; }

const char* kai_trajectory_fields_unit(size_t field) { return UNITS[field]; }

// Contacts ---------------------------------------------------------------------------------------

static kai_result make_room(kai_trajectory_fields* s, size_t bodies, kai_error* err)
{
    if (bodies > s->capacity || s->load == NULL) {
        kai_trajectory_fields_free(s);
        s->load = malloc((bodies + 1) * sizeof *s->load);
        s->count = malloc((bodies + 1) * sizeof *s->count);
        if (s->load == NULL || s->count == NULL) {
            kai_trajectory_fields_free(s);
            return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for fields of %zu bodies",
                                 bodies);
        }
        s->capacity = bodies;
    }
    memset(s->load, 0, bodies * sizeof *s->load);
    memset(s->count, 0, bodies * sizeof *s->count);
    return KAI_OK;
}

// In the order of contacts, on one thread: the same bits for any number of them.
static void add_loads(kai_trajectory_fields* s, const kai_world* world, size_t contacts)
{
    if (contacts == 0) return; // there may not even be a list of them
    const kai_contacts* c = world->contact;
    const kai_wrench* force = c->force.data;
    for (size_t i = 0; i < contacts; i++) {
        uint32_t a, b;
        kai_contacts_owners(world, i, &a, &b);
        a &= ~KAI_BROAD_FIXED;
        b &= ~KAI_BROAD_FIXED;
        const double size = kai_vec3_norm(force[i].force);
        s->load[a] += size;
        s->load[b] += size;
        s->count[a] += size > 0.0;
        s->count[b] += size > 0.0;
    }
}

kai_result kai_trajectory_fields_look(kai_trajectory_fields* s, kai_world* world, uint32_t fields,
                                      kai_error* err)
{
    const size_t contacts = kai_contact_report_count(world);
    kai_result r = KAI_OK;
    if (fields & BIT(CONTACT_FORCE) && contacts > 0) {
        kai_contacts* c = world->contact;
        r = kai_contacts_sum(c, world, err);
    }
    if (r == KAI_OK && fields & (BIT(CONTACT_LOAD) | BIT(CONTACT_COUNT))) {
        kai_contact_report first;
        r = make_room(s, world->bodies.count, err);
        // Asking for one contact brings all of them together.
        if (r == KAI_OK && contacts > 0) {
            r = kai_contact_report_at(world, 0, &first);
            if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
        }
        if (r == KAI_OK) add_loads(s, world, contacts);
    }
    return r;
}

// Numbers ----------------------------------------------------------------------------------------

typedef struct context {
    const kai_trajectory_fields* scratch;
    const kai_world* world;
    const kai_wrench* sums; // contact forces by slot, or NULL
    size_t field;
    const uint32_t* slot;
    bool doubles;
    void* out;
} context;

static double energy_of(const kai_bodies* bodies, size_t slot)
{
    const kai_motion* motion = &bodies->motion[slot];
    const kai_bodies_mass* mass = kai_bodies_mass_of(bodies, slot);
    const kai_vec3 w = motion->spin, j = mass->moments;
    if (motion->flags & KAI_BODY_FIXED) return 0.0;
    return 0.5 * (mass->mass * kai_vec3_norm2(motion->velocity) +
                  (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z));
}

KAI_INLINE double number_of(const context* c, size_t slot)
{
    const kai_bodies* bodies = &c->world->bodies;
    switch ((kai_trajectory_field)c->field) {
    case KAI_TRAJECTORY_FIELD_SPEED: return kai_vec3_norm(bodies->motion[slot].velocity);
    case KAI_TRAJECTORY_FIELD_ANGULAR_SPEED: return kai_vec3_norm(bodies->motion[slot].spin);
    case KAI_TRAJECTORY_FIELD_KINETIC_ENERGY: return energy_of(bodies, slot);
    case KAI_TRAJECTORY_FIELD_CONTACT_FORCE:
        return c->sums != NULL ? kai_vec3_norm(c->sums[slot].force) : 0.0;
    case KAI_TRAJECTORY_FIELD_CONTACT_LOAD: return c->scratch->load[slot];
    case KAI_TRAJECTORY_FIELD_CONTACT_COUNT: return (double)c->scratch->count[slot];
    case KAI_TRAJECTORY_FIELD_COUNT: break;
    }
    return (double)NAN;
}

static void gather_range(size_t begin, size_t end, void* data)
{
    const context* c = data;
    for (size_t i = begin; i < end; i++) {
        const double x = c->slot[i] != UINT32_MAX ? number_of(c, c->slot[i]) : (double)NAN;
        if (c->doubles)
            ((double*)c->out)[i] = x;
        else
            ((float*)c->out)[i] = (float)x;
    }
}

void kai_trajectory_fields_gather(const kai_trajectory_fields* s, const kai_world* world,
                                  size_t field, const uint32_t* slot, size_t count, bool doubles,
                                  void* out)
{
    context c = {.scratch = s,
                 .world = world,
                 .sums = kai_contacts_sums(world),
                 .field = field,
                 .slot = slot,
                 .doubles = doubles,
                 .out = out};
    kai_parallel_for(world->threads, count, BLOCK, gather_range, &c);
}

void kai_trajectory_fields_free(kai_trajectory_fields* s)
{
    free(s->load);
    free(s->count);
    *s = (kai_trajectory_fields){0};
}
