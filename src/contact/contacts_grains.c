// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_grains.h"

#include <stdlib.h>
#include <string.h>

// Who ---------------------------------------------------------------------------------------------

static size_t slot_of(const kai_proximity_item* item) { return item->owner & ~KAI_BROAD_FIXED; }

/// Whether an item is a sphere about its body's mass centre and all that the body has.
static bool is_grain(const kai_proximity* p, size_t i)
{
    const kai_proximity_item* items = p->items.data;
    if (items[i].geometry != KAI_PROXIMITY_SPHERE || items[i].frame != 0 || items[i].skips)
        return false;
    const bool first = i == 0 || slot_of(&items[i - 1]) != slot_of(&items[i]);
    const bool last = i + 1 == p->items.count || slot_of(&items[i + 1]) != slot_of(&items[i]);
    return first && last && items[i].radius > 0.0;
}

static kai_grains_sphere sphere_of(const kai_world* world, const kai_proximity_item* item)
{
    const kai_shape_record* records = world->shape_records.data;
    return (kai_grains_sphere){.radius = item->radius,
                               .inverse_mass = world->bodies.mass[slot_of(item)].inverse_mass,
                               .material = records[item->id - 1].material};
}

static bool same(const kai_grains_sphere* a, const kai_grains_sphere* b)
{
    return a->radius == b->radius && a->inverse_mass == b->inverse_mass &&
           a->material == b->material;
}

/// Marks the items, notes their shapes by slot, and sees whether they are all alike.
static kai_result list_spheres(kai_contacts* c, kai_world* world, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    const kai_proximity_item* items = p->items.data;
    const size_t count = p->items.count, bodies = world->bodies.count;
    kai_grains* g = &c->grains;
    KAI_TRY(kai_array_resize(&c->grain, c->memory, count, err));
    KAI_TRY(kai_array_resize(&c->grain_shape, c->memory, bodies, err));
    uint8_t* grain = c->grain.data;
    uint32_t* shape = c->grain_shape.data;
    memset(shape, 0, bodies * sizeof *shape);
    g->count = bodies;
    g->equal = true;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        grain[i] = is_grain(p, i);
        if (!grain[i]) continue;
        const kai_grains_sphere sphere = sphere_of(world, &items[i]);
        if (found++ == 0) g->one = sphere;
        g->equal = g->equal && same(&sphere, &g->one);
        shape[slot_of(&items[i])] = items[i].id;
    }
    KAI_TRY(kai_array_resize(&g->spheres, g->memory, g->equal ? 0 : bodies, err));
    for (size_t i = 0; !g->equal && i < count; i++)
        if (grain[i])
            *(kai_grains_sphere*)kai_array_at(&g->spheres, slot_of(&items[i])) =
                sphere_of(world, &items[i]);
    c->grain_count = found;
    return KAI_OK;
}

/// Whether the law of the world, for all materials, is one that the fast way knows.
static bool knows_law(const kai_contacts* c, const kai_world* world)
{
    if (world->contact_def.method != KAI_CONTACT_SMC || c->grain_count < 2 || c->plain)
        return false;
    kai_contact_law_hooke_params hooke;
    const kai_penalty_law law = kai_contacts_push_law(world, &hooke);
    const kai_contacts_pair* pairs = c->pairs.data;
    for (size_t i = 0; i < c->pairs.count; i++)
        if (!kai_grains_can(&law, &pairs[i].both, c->grains.equal)) return false;
    return true;
}

// Histories ---------------------------------------------------------------------------------------

typedef struct list_walk {
    const kai_contacts* c;
    size_t block;  // of the entry
    size_t at;     // entry
    uint32_t a, b; // slots
} list_walk;

/// Reads an entry of the list.
static void read_entry(list_walk* w)
{
    const kai_grains_list* list = &w->c->grains.list;
    const kai_grains_block* range = (const kai_grains_block*)list->blocks.data + w->block;
    const uint32_t entry = ((const uint32_t*)list->entries.data)[w->at];
    const size_t begin = w->block * KAI_GRAINS_BLOCK, left = w->c->grains.count - begin;
    const uint32_t own = (uint32_t)(left < KAI_GRAINS_BLOCK ? left : KAI_GRAINS_BLOCK);
    const uint32_t b = KAI_GRAINS_B(entry);
    w->a = (uint32_t)begin + KAI_GRAINS_A(entry);
    w->b = b < own ? (uint32_t)begin + b
                   : ((const uint32_t*)list->ghosts.data)[range->ghost + b - own];
}

/// The last entry before w->at that touched in the last step; false: none.
static bool step_back(list_walk* w)
{
    const kai_grains_list* list = &w->c->grains.list;
    const kai_grains_block* blocks = list->blocks.data;
    const uint32_t* entries = list->entries.data;
    while (w->at > 0) {
        w->at--;
        while (blocks[w->block].entry > w->at) w->block--;
        if (!(entries[w->at] & KAI_GRAINS_TOUCH)) continue;
        read_entry(w);
        return true;
    }
    return false;
}

static list_walk walk_from_end(const kai_contacts* c)
{
    const size_t blocks = c->grains.list.blocks.count;
    return (list_walk){
        .c = c, .block = blocks > 1 ? blocks - 2 : 0, .at = c->grains.list.entries.count};
}

static kai_contact_memory memory_of(const kai_contacts* c, const list_walk* w)
{
    const uint32_t* shape = c->grain_shape.data;
    kai_contact_memory m = {.shape_a = shape[w->a], .shape_b = shape[w->b]};
    memcpy(m.data, (const double(*)[3])c->grains.list.history.data + w->at, 3 * sizeof(double));
    return m;
}

/// Adds what the list remembers to what all others do, by the names of shapes.
static kai_result append_memory(kai_contacts* c, kai_world* world, kai_error* err)
{
    if (!world->contact_apart) return KAI_OK;
    list_walk w = walk_from_end(c);
    const size_t n = world->contact_memory.count, more = c->grains.tally.touching;
    KAI_TRY(kai_array_resize(&world->contact_memory, c->memory, n + more, err));
    kai_contact_memory* memory = world->contact_memory.data;
    for (size_t i = n + more; i > n && step_back(&w); i--) memory[i - 1] = memory_of(c, &w);
    world->contact_apart = false;
    c->items_for = 0; // numbers of items are to be found anew, and the order
    return KAI_OK;
}

static int compare_past(const void* x, const void* y)
{
    const kai_grains_past *p = x, *q = y;
    return p->key < q->key ? -1 : p->key > q->key;
}

/// What spheres remember, from what all contacts do, in the order of slots.
static kai_result find_past(const kai_contacts* c, kai_world* world, kai_grains_past** out,
                            size_t* count, kai_error* err)
{
    const size_t n = world->contact_memory.count, shapes = world->shape_records.count;
    const uint32_t* shape = c->grain_shape.data;
    const kai_contact_memory* memory = world->contact_memory.data;
    kai_grains_past* past = kai_arena_take(&world->arena, n + 1, sizeof *past, err);
    uint32_t* slot = kai_arena_take(&world->arena, shapes + 1, sizeof *slot, err);
    if (!past || !slot) return KAI_ERROR_MEMORY;
    memset(slot, 0xff, (shapes + 1) * sizeof *slot);
    for (size_t k = 0; k < c->grain_shape.count; k++)
        if (shape[k]) slot[shape[k]] = (uint32_t)k;
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const kai_contact_memory* m = &memory[i];
        if (m->shape_a > shapes || m->shape_b > shapes) continue;
        const uint64_t a = slot[m->shape_a], b = slot[m->shape_b];
        if (a == UINT32_MAX || b == UINT32_MAX || a == b) continue;
        const double sign = a < b ? 1.0 : -1.0;
        past[found++] =
            (kai_grains_past){a < b ? a << 32 | b : b << 32 | a,
                              {sign * m->data[0], sign * m->data[1], sign * m->data[2]}};
    }
    if (found > 0) qsort(past, found, sizeof *past, compare_past);
    *out = past;
    *count = found;
    return KAI_OK;
}

// Pairs -------------------------------------------------------------------------------------------

/// Takes pairs of spheres out of those of the broad phase, which keeps the order of the others, and
/// makes the list of them.
static kai_result take_pairs(kai_proximity* p, int threads, void* context, kai_error* err)
{
    kai_contacts* c = context;
    kai_world* world = c->world;
    const uint8_t* grain = c->grain.data;
    uint64_t *pairs = p->broad.found.data, *taken = p->broad.work.data;
    size_t others = 0, spheres = 0;
    for (size_t k = 0; k < p->broad.pair_count; k++) {
        const uint64_t pair = pairs[k];
        const bool both = grain[KAI_BROAD_A(pair)] & grain[KAI_BROAD_B(pair)];
        taken[spheres] = pair;
        pairs[others] = pair;
        spheres += both;
        others += !both;
    }
    p->broad.pair_count = others;
    kai_grains_source source = {.items = p->items.data,
                                .item_count = p->items.count,
                                .boxes = p->broad.boxes.data,
                                .pairs = taken,
                                .pair_count = spheres};
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_grains_past* past = NULL;
    kai_result r = KAI_OK;
    if (!c->grain_listed) r = find_past(c, world, &past, &source.past_count, err);
    source.past = past;
    if (r == KAI_OK) r = kai_grains_list_make(&c->grains, threads, &source, err);
    kai_arena_release(&world->arena, mark);
    c->grain_listed = r == KAI_OK;
    return r;
}

kai_result kai_contacts_grains_begin(kai_contacts* c, kai_world* world, kai_error* err)
{
    kai_collision* collision = world->collision;
    kai_proximity* p = &collision->proximity;
    const uint64_t now[4] = {collision->items_version, world->contact_version + 1,
                             c->materials_version, c->plain};
    if (memcmp(now, c->grain_for, sizeof now) != 0) {
        KAI_TRY(append_memory(c, world, err));
        KAI_TRY(list_spheres(c, world, err));
        memcpy(c->grain_for, now, sizeof now);
        c->grain_listed = false;
        c->fast = knows_law(c, world);
    }
    collision->apart = 0;
    p->take = c->fast ? take_pairs : NULL;
    p->take_context = c;
    if (c->fast && !c->grain_listed) p->changed = true;
    return KAI_OK;
}

// Forces ------------------------------------------------------------------------------------------

/// Keeps the list as it is, for a step that fails after it.
static kai_result keep_list(kai_contacts* c, kai_error* err)
{
    kai_grains* g = &c->grains;
    const kai_array* from[] = {&g->list.entries, &g->list.history};
    kai_array* to[] = {&g->last.entries, &g->last.history};
    for (int k = 0; k < 2; k++) {
        KAI_TRY(kai_array_resize(to[k], g->memory, from[k]->count, err));
        if (from[k]->count > 0)
            memcpy(to[k]->data, from[k]->data, from[k]->count * from[k]->stride);
    }
    c->grain_kept = true;
    return KAI_OK;
}

kai_result kai_contacts_grains_push(kai_contacts* c, kai_world* world, const kai_penalty_law* law,
                                    double h, double* energy, double* heat, kai_error* err)
{
    KAI_TRY(kai_array_resize(&c->sums, c->memory, world->bodies.count, err));
    const kai_grains_step step = {.pose = world->bodies.pose,
                                  .motion = world->bodies.motion,
                                  .law = law,
                                  .pairs = &((const kai_contacts_pair*)c->pairs.data)->both,
                                  .pair_stride = sizeof(kai_contacts_pair),
                                  .materials = c->materials,
                                  .h = h,
                                  .sums = c->sums.data};
    c->grain_apart = world->contact_apart;
    if (!c->grain_safe) KAI_TRY(keep_list(c, err));
    KAI_TRY(kai_grains_push(&c->grains, world->threads, &step, err));
    c->grain_step = h;
    *energy += c->grains.tally.elastic;
    *heat += c->grains.tally.heat;
    world->contact_apart = true;
    world->collision->apart = c->grains.tally.touching;
    world->collision->apart_depth = c->grains.tally.deepest;
    world->collision->gather = kai_contacts_grains_gather;
    return KAI_OK;
}

void kai_contacts_grains_end(kai_contacts* c, kai_world* world, bool keep)
{
    if (!c->grain_kept) return;
    c->grain_kept = false;
    if (keep) return;
    kai_grains* g = &c->grains;
    const kai_array entries = g->list.entries, history = g->list.history;
    g->list.entries = g->last.entries;
    g->list.history = g->last.history;
    g->last.entries = entries;
    g->last.history = history;
    world->contact_apart = c->grain_apart;
    world->collision->apart = 0;
}

// Together ----------------------------------------------------------------------------------------

kai_result kai_contacts_grains_remember(kai_world* world, kai_error* err)
{
    return world->contact ? append_memory(world->contact, world, err) : KAI_OK;
}

/// Where a sphere was in the middle of the last step.
static kai_vec3 centre_of(const kai_contacts* c, size_t slot)
{
    const kai_bodies* bodies = &c->world->bodies;
    return kai_vec3_mul_add(bodies->pose[slot].position, bodies->motion[slot].velocity,
                            -0.5 * c->grain_step);
}

static kai_proximity_contact contact_of(const kai_contacts* c, const list_walk* w,
                                        const uint32_t* item)
{
    const kai_proximity_item* items = c->world->collision->proximity.items.data;
    const double ra = items[item[w->a]].radius, rb = items[item[w->b]].radius;
    const kai_vec3 at = centre_of(c, w->a), d = kai_vec3_sub(centre_of(c, w->b), at);
    const double distance = kai_vec3_norm(d);
    const kai_vec3 n = distance > 1e-150 ? kai_vec3_scale(d, 1.0 / distance) : kai_vec3_axis(2);
    return (kai_proximity_contact){
        .contact = {.normal = n,
                    .gap = distance - ra - rb,
                    .radius_a = ra,
                    .radius_b = rb,
                    .point_a = kai_vec3_mul_add(at, n, ra),
                    .point_b = kai_vec3_add(at, kai_vec3_mul_add(d, n, -rb))},
        .a = item[w->a],
        .b = item[w->b]};
}

/// Room for `total` contacts where there are `n`.
static kai_result make_room(kai_contacts* c, kai_world* world, size_t n, size_t total,
                            kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    kai_proximity_contact* copy = kai_arena_take(&world->arena, n + 1, sizeof *copy, err);
    if (!copy) return KAI_ERROR_MEMORY;
    if (n > 0) memcpy(copy, p->contacts, n * sizeof *copy);
    KAI_TRY(kai_broad_reserve(p->memory, &p->room, total * sizeof *copy, err));
    p->contacts = p->room.data;
    if (n > 0) memcpy(p->contacts, copy, n * sizeof *copy);
    KAI_TRY(kai_array_resize(&world->contact_memory, c->memory, n, err));
    KAI_TRY(kai_array_resize(&world->contact_memory, c->memory, total, err));
    KAI_TRY(kai_array_resize(&c->keys, c->memory, total, err));
    return kai_array_resize(&c->force, c->memory, total, err);
}

/// Both sorts of contacts are sorted; from the end on the larger goes last.
static kai_result merge(kai_contacts* c, kai_world* world, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    const kai_proximity_item* items = p->items.data;
    size_t n = p->contact_count, to = n + world->collision->apart;
    KAI_TRY(make_room(c, world, n, to, err));
    uint32_t* item = kai_arena_take(&world->arena, c->grains.count + 1, sizeof *item, err);
    if (!item) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < p->items.count; i++) item[slot_of(&items[i])] = (uint32_t)i;
    kai_contact_memory* memory = world->contact_memory.data;
    kai_wrench* force = c->force.data;
    uint64_t* keys = c->keys.data;
    const double(*forces)[3] = c->grains.force.data;
    list_walk w = walk_from_end(c);
    for (bool more = step_back(&w); more; more = step_back(&w)) {
        const uint64_t key = (uint64_t)item[w.a] << 32 | item[w.b];
        for (; n > 0 && keys[n - 1] > key; n--) {
            to--;
            p->contacts[to] = p->contacts[n - 1];
            memory[to] = memory[n - 1];
            force[to] = force[n - 1];
            keys[to] = keys[n - 1];
        }
        to--;
        const double* f = forces[w.at];
        p->contacts[to] = contact_of(c, &w, item);
        memory[to] = memory_of(c, &w);
        force[to] = (kai_wrench){.force = kai_vec3_make(f[0], f[1], f[2])};
        keys[to] = key;
    }
    return KAI_OK;
}

kai_result kai_contacts_grains_gather(kai_world* world, kai_error* err)
{
    kai_collision* collision = world->collision;
    kai_contacts* c = world->contact;
    if (!c || collision->apart == 0) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = merge(c, world, err);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(r);
    collision->proximity.contact_count += collision->apart;
    collision->proximity.deepest = fmax(collision->proximity.deepest, collision->apart_depth);
    collision->apart = 0;
    world->contact_apart = false;
    c->items_for = collision->items_version;
    return KAI_OK;
}
