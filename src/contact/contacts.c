// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts.h"

#include "contact/contacts_edges.h"
#include "contact/contacts_grains.h"
#include "contact/contacts_grains_follow.h"
#include "contact/contacts_instant.h"
#include "contact/contacts_match.h"
#include "model/contact_law.h"
#include "model/material_pair.h"
#include "model/part.h"

#include <string.h>

static const double ENVELOPE = 0.05; // of the smallest body that moves

static void free_contacts(kai_world* world, void* data)
{
    kai_contacts* c = data;
    kai_array* arrays[] = {&c->force,        &c->pairs,           &c->laws,           &c->law_ids,
                           &c->law_params,   &c->previous,        &c->moved,          &c->keys,
                           &c->old_keys,     &c->first,           &c->incidence,      &c->sums,
                           &c->spheres.kind, &c->spheres.shape,   &c->history,        &c->frozen,
                           &c->kept,         &c->spheres.pending, &c->spheres.dropped};
    for (size_t i = 0; i < KAI_COUNT(arrays); i++) kai_array_free(arrays[i], c->memory);
    kai_grains_free(&c->grains);
    world->contact = NULL;
}

static kai_result init_contacts(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)err;
    kai_contacts* c = data;
    c->world = world;
    c->memory = &world->memory;
    c->force = kai_array_make(sizeof(kai_wrench));
    c->pairs = kai_array_make(sizeof(kai_contacts_pair));
    c->laws = kai_array_make(sizeof(kai_penalty_law));
    c->law_ids = kai_array_make(sizeof(kai_contact_law));
    c->law_params = kai_array_make(sizeof(double));
    c->previous = kai_array_make(sizeof(kai_contact_memory));
    c->keys = kai_array_make(sizeof(uint64_t));
    c->moved = kai_array_make(sizeof(kai_contacts_moved));
    c->old_keys = kai_array_make(sizeof(uint64_t));
    c->spheres.kind = kai_array_make(sizeof(uint8_t));
    c->spheres.shape = kai_array_make(sizeof(uint32_t));
    c->spheres.pending = kai_array_make(sizeof(kai_contacts_pending));
    c->spheres.dropped = kai_array_make(sizeof(size_t));
    kai_grains_init(&c->grains, c->memory);
    c->first = kai_array_make(sizeof(uint32_t));
    c->incidence = kai_array_make(sizeof(uint32_t));
    c->history = kai_array_make(sizeof(kai_contact_history));
    c->frozen = kai_array_make(sizeof(kai_contacts_frozen));
    c->kept = kai_array_make(sizeof(kai_contact_memory));
    c->sums = kai_array_make(sizeof(kai_wrench));
    world->contact = c;
    return KAI_OK;
}

kai_result kai_contacts_get(kai_world* world, kai_contacts** out, kai_error* err)
{
    static const kai_part PART = {.name = "contacts",
                                  .size = sizeof(kai_contacts),
                                  .init = init_contacts,
                                  .free = free_contacts};
    if (!world->contact) KAI_TRY(kai_part_attach(world, &PART, NULL, err));
    *out = world->contact;
    return KAI_OK;
}

// Coefficients -----------------------------------------------------------------------------------

/// A material by id index; the default one for 0 and for ids that are not in use.
static kai_material_def material_at(const kai_world* world, size_t index)
{
    const kai_store_entry* entries = world->materials.entries.data;
    if (index > 0 && entries[index - 1].batch != KAI_STORE_FREE) {
        const kai_store_batch* batch = &world->materials.batches[entries[index - 1].batch];
        return *(const kai_material_def*)kai_array_at(&batch->items, entries[index - 1].slot);
    }
    return kai_material_def_default();
}

/// What two surfaces are together. Soft on soft is softer.
static kai_result combine(const kai_material_def* a, const kai_material_def* b,
                          kai_contacts_pair* out, kai_error* err)
{
    out->compliance = a->compliance + b->compliance;
    out->damping = fmax(a->damping, b->damping);
    return kai_penalty_pair_combine(a, b, &out->both, err);
}

static void take(double given, double* out)
{
    if (given >= 0.0) *out = given;
}

/// Puts what a pair gives in the place of what followed from its materials.
static void override(const kai_material_pair_def* def, kai_contacts_pair* out)
{
    kai_contact_coefficients* both = &out->both;
    if (def->friction >= 0.0) both->static_friction = def->friction;
    take(def->friction, &both->friction);
    take(def->static_friction, &both->static_friction);
    take(def->rolling_friction, &both->rolling_friction);
    take(def->spinning_friction, &both->spinning_friction);
    take(def->restitution, &both->restitution);
    take(def->cohesion, &both->cohesion);
    take(def->adhesion, &both->adhesion);
    take(def->kn, &both->kn);
    take(def->kt, &both->kt);
    take(def->gn, &both->gn);
    take(def->gt, &both->gt);
    take(def->compliance, &out->compliance);
    take(def->damping, &out->damping);
    kai_penalty_pair_complete(both);
}

/// The law of a pair: its own, that of its materials, or the world's.
static kai_contact_law choose_law(const kai_world* world, const kai_material_def* a,
                                  const kai_material_def* b, const kai_material_pair_def* given)
{
    if (given && !KAI_IS_NULL(given->law)) return given->law;
    if (KAI_IS_NULL(a->law)) return KAI_IS_NULL(b->law) ? world->contact_def.law : b->law;
    if (KAI_IS_NULL(b->law) || KAI_ID_EQUALS(a->law, b->law)) return a->law;
    return world->contact_def.law;
}

/// Whether two laws are of one kind with the same parameters.
static bool is_same_law(const kai_world* world, kai_contact_law a, kai_contact_law b)
{
    const void *p, *q;
    const kai_contact_law_kind* kind = kai_contact_law_at(world, a, &p);
    if (kai_contact_law_at(world, b, &q) != kind) return false;
    return p == q || kind->kind.param_count == 0 || memcmp(p, q, kind->kind.size) == 0;
}

/// Finds a law among those of pairs, or adds it.
static kai_result find_law(kai_contacts* c, kai_contact_law law, uint32_t* out, kai_error* err)
{
    const kai_contact_law* ids = c->law_ids.data;
    for (*out = 0; *out < c->law_ids.count; ++*out)
        if (is_same_law(c->world, ids[*out], law)) return KAI_OK;
    return kai_array_append(&c->law_ids, c->memory, &law, 1, err);
}

/// Gives parameters of a law that are not given, and that `contact` has too, its values.
static void inherit(const kai_kind* kind, char* params, const kai_contact_def* def)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param *p = &kind->params[i], *from = kai_kind_param(&kai_contact_kind, p->name);
        double* value = (double*)(void*)(params + p->offset);
        if (!from || p->type != KAI_PARAM_REAL || from->type != KAI_PARAM_REAL) continue;
        if (p->initial[0] < 0.0 && *value == p->initial[0])
            *value = *(const double*)(const void*)((const char*)def + from->offset);
    }
}

/// Doubles that parameters of a kind take.
static size_t numbers_of(const kai_contact_law_kind* kind)
{
    return (kind->kind.size + sizeof(double) - 1) / sizeof(double);
}

/// Looks up kinds and parameters of the laws of pairs.
static kai_result fill_laws(kai_contacts* c, const kai_world* world, kai_error* err)
{
    const kai_contact_law* ids = c->law_ids.data;
    const kai_contact_def* def = &world->contact_def;
    const size_t count = c->law_ids.count;
    size_t numbers = 0;
    const void* params;
    for (size_t i = 0; i < count; i++)
        numbers += numbers_of(kai_contact_law_at(world, ids[i], &params));
    KAI_TRY(kai_array_resize(&c->laws, c->memory, 2 * count, err));
    KAI_TRY(kai_array_resize(&c->law_params, c->memory, numbers, err));
    kai_penalty_law* laws = c->laws.data;
    double* next = c->law_params.data;
    for (size_t i = 0; i < count; i++) {
        const kai_contact_law_kind* kind = kai_contact_law_at(world, ids[i], &params);
        laws[i] = (kai_penalty_law){.kind = kind,
                                    .tangential = (kai_contact_tangential)def->tangential,
                                    .adhesion = (kai_contact_adhesion)def->adhesion};
        if (params) {
            memcpy(next, params, kind->kind.size);
            inherit(&kind->kind, (char*)next, def);
            laws[i].instance = next;
            next += numbers_of(kind);
        }
        laws[count + i] = laws[i];
        laws[count + i].instant = true;
    }
    return KAI_OK;
}

kai_result kai_contacts_update_pairs(kai_contacts* c, kai_world* world, kai_error* err)
{
    const uint64_t version = world->materials.version + world->material_pairs.version +
                             world->laws.version + world->contact_version + 1;
    if (c->materials_version == version) return KAI_OK;
    c->materials_version = 0;
    KAI_TRY(kai_array_resize(&c->law_ids, c->memory, 0, err));
    const size_t n = world->materials.entries.count + 1;
    KAI_TRY(kai_array_resize(&c->pairs, c->memory, n * n, err));
    c->materials = n;
    c->rolls = c->sticks = c->bounces = false;
    for (size_t i = 0; i < n; i++) {
        const kai_material_def a = material_at(world, i);
        for (size_t k = 0; k < n; k++) {
            const kai_material_def b = material_at(world, k);
            kai_contacts_pair* pair = (kai_contacts_pair*)c->pairs.data + i * n + k;
            KAI_TRY(combine(&a, &b, pair, err));
            const kai_material_pair_def* given =
                kai_material_pair_between(&world->material_pairs, (uint32_t)i, (uint32_t)k);
            if (given) override(given, pair);
            KAI_TRY(find_law(c, choose_law(world, &a, &b, given), &pair->law, err));
            c->rolls |= pair->both.rolling_friction > 0.0 || pair->both.spinning_friction > 0.0;
            c->sticks |= pair->both.cohesion > 0.0;
            c->bounces |= pair->both.restitution > 0.0;
        }
    }
    KAI_TRY(fill_laws(c, world, err));
    c->materials_version = version;
    return KAI_OK;
}

const kai_contacts_pair* kai_contacts_pair_of(const kai_contacts* c, const kai_world* world,
                                              size_t i)
{
    const kai_contact_memory* m = kai_contacts_memory(world, i);
    return (const kai_contacts_pair*)c->pairs.data +
           kai_shape_record_of(world, m->shape_a).material * c->materials +
           kai_shape_record_of(world, m->shape_b).material;
}

// A step -----------------------------------------------------------------------------------------

/// How far shapes are looked for. It follows from the scene alone, so that a resumed run finds the
/// same.
static void choose_reach(kai_contacts* c, kai_world* world)
{
    const kai_contact_def* def = &world->contact_def;
    const kai_proximity* p = &world->collision->proximity;
    const uint64_t items_version = world->collision->items_version;
    if (c->reach_for[0] == items_version && c->reach_for[1] == world->contact_version + 1) return;
    c->reach_for[0] = items_version;
    c->reach_for[1] = world->contact_version + 1;
    world->contact_reach = 0.0;
    if (def->method != KAI_CONTACT_NSC) return;
    if (def->envelope > 0.0) {
        world->contact_reach = def->envelope;
        return;
    }
    double smallest = HUGE_VAL;
    const kai_patch* s = &world->collision->surface;
    for (size_t i = 0; i < kai_proximity_count(p); i++) {
        const uint32_t owner = kai_proximity_owner(p, i);
        if (owner & KAI_BROAD_FIXED) continue;
        // Facets of surfaces change their size.
        const kai_patch_facet* facet = kai_patch_of(s, owner);
        smallest = fmin(smallest, facet ? kai_patch_instance(s, world, facet)->radius
                                        : kai_proximity_group_of(p, i)->radius);
    }
    if (isfinite(smallest)) world->contact_reach = ENVELOPE * smallest;
}

kai_result kai_contacts_prepare(kai_contacts* c, kai_world* world, kai_error* err)
{
    kai_proximity_poses poses;
    KAI_TRY(kai_contacts_update_pairs(c, world, err));
    KAI_TRY(kai_collision_items(world, &poses, err));
    choose_reach(c, world);
    return kai_contacts_grains_begin(c, world, err);
}

/// What contacts remember of this step changes places with what they remembered before it.
static void exchange_memory(kai_contacts* c, kai_world* world)
{
    const kai_array memory = world->contact_memory, keys = c->keys;
    world->contact_memory = c->previous;
    c->previous = memory;
    c->keys = c->old_keys;
    c->old_keys = keys;
}

/// Gives the contacts that were found what those of the step before remember.
static kai_result match(kai_contacts* c, kai_world* world, kai_error* err)
{
    KAI_TRY(kai_contacts_edges(world, err));
    exchange_memory(c, world);
    c->busy = true;
    c->summed = false;
    KAI_TRY(kai_contacts_match(c, world, err));
    return kai_array_resize(&c->force, c->memory, world->collision->proximity.contact_count, err);
}

kai_result kai_contacts_find(kai_contacts* c, kai_world* world, const kai_contacts_options* options,
                             kai_error* err)
{
    if (c->busy)
        exchange_memory(c, world);
    else
        c->elastic_before = world->contact_elastic;
    c->busy = false;
    KAI_TRY(kai_contacts_prepare(c, world, err));
    const bool sweep = world->contact_def.method == KAI_CONTACT_NSC;
    const kai_collision_ahead ahead = {.lead = options->lead,
                                       .sweep = sweep ? options->h : 0.0,
                                       .kick = kai_vec3_scale(world->gravity, options->h),
                                       .level = true};
    const kai_result found =
        c->fast ? kai_contacts_grains_find(c, world, &ahead, options->spheres_alone, err)
                : kai_collision_update_ahead(world, &ahead, err);
    KAI_TRY(found);
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    const kai_result r = match(c, world, err);
    kai_clock_end(&world->clock, outer);
    return r;
}

void kai_contacts_end(kai_contacts* c, kai_world* world, bool keep)
{
    if (!c->busy) return;
    c->busy = false;
    kai_contacts_grains_end(c, world, keep);
    if (keep) {
        c->count = world->contact_memory.count + world->collision->listed;
        if (c->fast && !c->spheres.forces) c->count = 0; // there is nothing to report
        return;
    }
    exchange_memory(c, world);
    world->contact_elastic = c->elastic_before;
    c->items_for = 0; // numbers may be those of other items
    c->count = 0;     // forces are gone
    c->summed = false;
}
