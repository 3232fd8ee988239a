// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_grains_follow.h"

#include "base/parallel.h"
#include "contact/contacts_grains.h"
#include "contact/grains_list_edit.h"

#include <stdlib.h>
#include <string.h>

// Beyond one of so many spheres that changed, or one pair with nobody for so many spheres, a new list
// costs less.
static const size_t MOST_NOTES = 4, MOST_CHANGES = 16, MOST_DROPPED = 4;
// What is near spheres that change is searched on several threads, for so many at once.
enum { BATCH = 512, PART = 16, MOST_PAIRS = 64 };
// Room for ghosts of spheres that come, for each block of a list that has had too little.
static const size_t SPARE_GHOSTS = 64;

/// A slot whose sphere of the list is no longer there.
typedef struct follow_change {
    uint32_t slot, body;
    uint32_t order; // of notes: the first one tells who was there when the list was right
    uint16_t generation;
} follow_change;

typedef struct follow_context {
    kai_contacts* c;
    kai_world* world;
    kai_grains* grains;
    uint32_t first, end, new_end; // slots of spheres, as they were and as they are
    kai_cell_list_points points;  // as they were, then as they are
    follow_change* changes;       // sorted by slot
    size_t count;
    uint32_t* slots; // of changes; then those that came or hold another sphere
    // What is found for a batch of slots, from `batch` on
    const uint32_t* batch;
    size_t batch_count;
    kai_grains_list_edit_pair* found; // [BATCH][MOST_PAIRS]
    size_t* found_count;              // [BATCH]; above MOST_PAIRS: too many
    kai_array* dropped;               // size_t: places of pairs that are no more
} follow_context;

static int compare_changes(const void* x, const void* y)
{
    const follow_change *p = x, *q = y;
    if (p->slot != q->slot) return p->slot < q->slot ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

// What changed -----------------------------------------------------------------------------------

/// Slots of the list that hold others now. `*possible` false: the list knows too little of them.
static kai_result find_changes(follow_context* f, bool* possible, kai_error* err)
{
    const kai_array* moved = &f->world->collision->moved;
    const kai_collision_moved* notes = moved->data;
    *possible = false;
    if (moved->count > (f->end - f->first) / MOST_NOTES) return KAI_OK;
    const size_t came = f->new_end > f->end ? f->new_end - f->end : 0;
    f->changes = kai_arena_take(&f->world->arena, moved->count + 1, sizeof *f->changes, err);
    f->slots = kai_arena_take(&f->world->arena, moved->count + came + 1, sizeof *f->slots, err);
    f->found = kai_arena_take(&f->world->arena, BATCH * MOST_PAIRS, sizeof *f->found, err);
    f->found_count = kai_arena_take(&f->world->arena, BATCH, sizeof *f->found_count, err);
    if (!f->changes || !f->slots || !f->found || !f->found_count) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < moved->count; i++) {
        if (notes[i].slot < f->first) return KAI_OK;
        if (notes[i].slot >= f->end) continue; // came after the list was right
        f->changes[f->count++] =
            (follow_change){notes[i].slot, notes[i].body, (uint32_t)i, notes[i].generation};
    }
    if (f->count > 0) qsort(f->changes, f->count, sizeof *f->changes, compare_changes);
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++)
        if (kept == 0 || f->changes[kept - 1].slot != f->changes[i].slot)
            f->changes[kept++] = f->changes[i];
    f->count = kept;
    *possible = kept <= (f->end - f->first) / MOST_CHANGES;
    return KAI_OK;
}

static const follow_change* change_of(const follow_context* f, uint32_t slot)
{
    size_t begin = 0, end = f->count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (f->changes[middle].slot < slot)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < f->count && f->changes[begin].slot == slot ? &f->changes[begin] : NULL;
}

/// Whether the sphere in a slot is one that the list can hold: like the others where they are equal.
static bool fits(const follow_context* f, uint32_t slot)
{
    const kai_grains_sphere s = kai_contacts_grains_sphere(f->c, slot), *one = &f->grains->one;
    return !f->grains->equal || (s.radius == one->radius && s.inverse_mass == one->inverse_mass &&
                                 s.material == one->material);
}

static bool all_fit(const follow_context* f)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->changes[i].slot < f->new_end && !fits(f, f->changes[i].slot)) return false;
    for (uint32_t slot = f->end; slot < f->new_end; slot++)
        if (!fits(f, slot)) return false;
    return true;
}

// What pairs remember ----------------------------------------------------------------------------

/// The body that the list has in a slot.
static kai_body listed_body(const follow_context* f, uint32_t slot)
{
    const follow_change* change = change_of(f, slot);
    if (change) return (kai_body){change->body, change->generation, f->world->tag};
    return kai_bodies_id(&f->world->bodies, slot);
}

static bool touches(const follow_context* f, size_t place)
{
    return ((const uint32_t*)f->grains->list.entries.data)[place] & KAI_GRAINS_TOUCH;
}

/// Keeps what the pair at a place remembers; `turned`: b is the one that changed.
static kai_result keep(const follow_context* f, size_t place, kai_contacts_pending one, bool turned,
                       kai_error* err)
{
    const double* u = ((const double(*)[3])f->grains->list.history.data)[place];
    const double(*turning)[4] = (const double(*)[4])kai_grains_turning(&f->grains->list);
    for (int k = 0; k < 3; k++) one.u[k] = turned ? -u[k] : u[k];
    for (int k = 0; turning && k < 4; k++) // about the normal a turn is the same from both sides
        one.turning[k] = turned && k < 3 ? -turning[place][k] : turning[place][k];
    return kai_array_append(&f->c->spheres.pending, f->c->memory, &one, 1, err);
}

/// Finds the pairs of spheres of a batch.
static void find_pairs_range(size_t begin, size_t end, void* context)
{
    const follow_context* f = context;
    for (size_t i = begin; i < end; i++) {
        kai_grains_list_edit_prefetch(f->grains, f->batch + begin, end - begin, i - begin);
        f->found_count[i] = kai_grains_list_edit_pairs(f->grains, &f->points, f->batch[i],
                                                       f->found + i * MOST_PAIRS, MOST_PAIRS);
    }
}

/// Notes all pairs of a sphere that changed, number i of the batch, and keeps what they remember.
static kai_result note_pairs(const follow_context* f, const follow_change* change, size_t i,
                             kai_error* err)
{
    const kai_grains* g = f->grains;
    const uint32_t slot = change->slot;
    const kai_body body = {change->body, change->generation, f->world->tag};
    const bool gone = kai_bodies_slot(&f->world->bodies, body) == SIZE_MAX; // nothing is to be kept
    for (size_t k = 0; k < f->found_count[i]; k++) {
        const uint32_t other = f->found[i * MOST_PAIRS + k].other;
        const size_t place = f->found[i * MOST_PAIRS + k].place;
        if (other < slot && change_of(f, other)) continue; // noted there
        KAI_TRY(kai_array_append(f->dropped, f->c->memory, &place, 1, err));
        if (gone || !touches(f, place)) continue;
        const kai_contacts_pending one = {.a = body, .b = listed_body(f, other)};
        KAI_TRY(keep(f, place, one, other < slot, err));
    }
    if (gone) return KAI_OK;
    size_t walls[KAI_GRAINS_WALLS];
    const size_t wall_count = kai_grains_list_edit_walls(g, slot, walls);
    for (size_t k = 0; k < wall_count; k++) {
        const uint32_t entry = ((const uint32_t*)g->list.entries.data)[walls[k]];
        if (!touches(f, walls[k])) continue;
        const kai_contacts_pending one = {.a = body, .wall = KAI_GRAINS_B(entry)};
        KAI_TRY(keep(f, walls[k], one, false, err));
    }
    return KAI_OK;
}

/// Searches the next slots of `count`, of which so many are done.
static void find_batch(follow_context* f, size_t done, size_t count, kai_range_fn* find)
{
    f->batch = f->slots + done;
    f->batch_count = count - done < BATCH ? count - done : BATCH;
    kai_parallel_for(f->world->threads, f->batch_count, PART, find, f);
}

/// `*room` false: some sphere has too many neighbours.
static kai_result note_all(follow_context* f, bool* room, kai_error* err)
{
    KAI_TRY(kai_array_resize(&f->c->spheres.pending, f->c->memory, 0, err));
    KAI_TRY(kai_array_resize(f->dropped, f->c->memory, 0, err));
    *room = true;
    for (size_t i = 0; i < f->count; i++) f->slots[i] = f->changes[i].slot;
    for (size_t done = 0; done < f->count; done += f->batch_count) {
        find_batch(f, done, f->count, find_pairs_range);
        for (size_t i = 0; i < f->batch_count; i++) {
            *room = f->found_count[i] <= MOST_PAIRS;
            if (!*room) return KAI_OK;
            KAI_TRY(note_pairs(f, &f->changes[done + i], i, err));
        }
    }
    return KAI_OK;
}

void kai_contacts_grains_follow_restore(kai_contacts* c)
{
    const kai_grains* g = &c->grains;
    const kai_bodies* bodies = &c->world->bodies;
    const kai_contacts_pending* kept = c->spheres.pending.data;
    uint32_t* entries = g->list.entries.data;
    for (size_t i = 0; i < c->spheres.pending.count; i++) {
        const bool wall = KAI_IS_NULL(kept[i].b);
        const size_t a = kai_bodies_slot(bodies, kept[i].a),
                     b = wall ? 0 : kai_bodies_slot(bodies, kept[i].b);
        if (a == SIZE_MAX || b == SIZE_MAX) continue; // it is gone
        const size_t place = wall ? kai_grains_list_edit_find_wall(g, (uint32_t)a, kept[i].wall)
                                  : kai_grains_list_edit_find(g, (uint32_t)a, (uint32_t)b);
        if (place == SIZE_MAX) continue; // it has been moved away
        double* u = ((double(*)[3])g->list.history.data)[place];
        entries[place] |= KAI_GRAINS_TOUCH;
        const bool turned = !wall && a > b;
        double(*turning)[4] = kai_grains_turning(&g->list);
        for (int k = 0; k < 3; k++) u[k] = turned ? -kept[i].u[k] : kept[i].u[k];
        for (int k = 0; turning && k < 4; k++)
            turning[place][k] = turned && k < 3 ? -kept[i].turning[k] : kept[i].turning[k];
    }
    c->spheres.pending.count = 0;
}

// The list ---------------------------------------------------------------------------------------

/// Takes what changed out of the list.
static void take_out(const follow_context* f)
{
    kai_grains* g = f->grains;
    const size_t* dropped = f->dropped->data;
    uint32_t* entries = g->list.entries.data;
    for (size_t i = 0; i < f->dropped->count; i++) kai_grains_list_edit_drop(g, dropped[i]);
    for (size_t i = 0; i < f->count; i++) {
        size_t walls[KAI_GRAINS_WALLS];
        const size_t n = kai_grains_list_edit_walls(g, f->changes[i].slot, walls);
        for (size_t k = 0; k < n; k++) {
            entries[walls[k]] &= ~KAI_GRAINS_TOUCH;
            kai_grains_forget(&g->list, walls[k]);
        }
        kai_grains_list_edit_leave(g, f->changes[i].slot);
    }
    kai_grains_list_edit_resize(g, f->world->bodies.count, f->new_end - f->first);
}

/// The slots that came or hold another sphere; how many there are.
static size_t find_slots(const follow_context* f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->count && f->changes[i].slot < f->new_end; i++)
        f->slots[n++] = f->changes[i].slot;
    for (uint32_t slot = f->end; slot < f->new_end; slot++) f->slots[n++] = slot;
    return n;
}

/// Says what the spheres are.
static void describe(const follow_context* f, uint32_t slot)
{
    const kai_bodies* bodies = &f->world->bodies;
    const kai_bodies_mass *mass = kai_bodies_mass_of(bodies, slot),
                          *first = kai_bodies_mass_of(bodies, f->first);
    f->c->spheres.alike = f->c->spheres.alike && memcmp(mass, first, sizeof *mass) == 0;
    if (!f->grains->equal)
        ((kai_grains_sphere*)f->grains->spheres.data)[slot] =
            kai_contacts_grains_sphere(f->c, slot);
}

/// Finds what is near the spheres of a batch.
static void find_near_range(size_t begin, size_t end, void* context)
{
    const follow_context* f = context;
    for (size_t i = begin; i < end; i++) {
        uint32_t near[KAI_CELL_LIST_ROW];
        kai_grains_list_edit_prefetch(f->grains, f->batch + begin, end - begin, i - begin);
        const size_t n =
            kai_grains_list_edit_near(f->grains, &f->points, f->batch[i], UINT32_MAX, near);
        f->found_count[i] = n;
        if (n <= MOST_PAIRS) memcpy(f->found + i * MOST_PAIRS, near, n * sizeof *near);
    }
}

/// Lists all that came or have other slots; false: not all pairs found room.
static bool come_all(follow_context* f)
{
    bool whole = true;
    const size_t n = find_slots(f);
    f->points = kai_contacts_grains_points(f->c);
    for (size_t i = 0; i < n; i++) describe(f, f->slots[i]);
    for (size_t i = 0; whole && i < n; i++)
        whole = kai_grains_list_edit_come(f->grains, &f->points, f->slots[i]);
    for (size_t done = 0; whole && done < n; done += f->batch_count) {
        find_batch(f, done, n, find_near_range);
        for (size_t i = 0; whole && i < f->batch_count; i++) {
            const uint32_t* near = (const void*)(f->found + i * MOST_PAIRS);
            whole = f->found_count[i] <= MOST_PAIRS &&
                    kai_grains_list_edit_meet(f->grains, &f->points, f->batch[i], near,
                                              f->found_count[i]);
        }
    }
    return whole;
}

/// Notes what is to change, and makes room for it: what may fail. `*possible` false: a new list is
/// needed.
static kai_result prepare(follow_context* f, bool* possible, kai_error* err)
{
    kai_grains* g = f->grains;
    const size_t count = f->world->bodies.count;
    KAI_TRY(find_changes(f, possible, err));
    *possible = *possible && all_fit(f);
    if (*possible) KAI_TRY(kai_grains_list_edit_begin(g, possible, err));
    if (!*possible) return KAI_OK;
    if (!g->equal) KAI_TRY(kai_array_reserve(&g->spheres, g->memory, count, err));
    KAI_TRY(kai_grains_list_edit_reserve(g, count, f->new_end - f->first, err));
    f->points = kai_contacts_grains_points(f->c);
    return note_all(f, possible, err);
}

static kai_result follow(follow_context* f, bool* followed, kai_error* err)
{
    kai_contacts* c = f->c;
    kai_grains* g = f->grains;
    bool possible;
    const kai_result r = prepare(f, &possible, err);
    if (r != KAI_OK || !possible) c->spheres.pending.count = 0; // the list still has it all
    if (r != KAI_OK || !possible) return r;
    take_out(f);
    *followed = true;
    c->spheres.count = f->new_end - f->first;
    c->spheres.checked_for = 0.0;
    f->world->collision->moved.count = 0;
    if (!g->equal) (void)kai_array_resize(&g->spheres, g->memory, g->count, NULL); // there is room
    const bool whole = come_all(f);
    if (!whole) {
        kai_cell_hash_clear(&g->near); // not all boxes are in it
        g->spare_ghosts = SPARE_GHOSTS;
    }
    if (!whole || g->dropped > c->spheres.count / MOST_DROPPED) {
        f->world->collision->proximity.changed = true;
        return KAI_OK;
    }
    kai_contacts_grains_follow_restore(c);
    kai_collision_followed(f->world);
    return g->summed ? KAI_OK : kai_grains_list_make_sums(g, err);
}

kai_result kai_contacts_grains_follow(kai_contacts* c, kai_world* world, bool* followed,
                                      kai_error* err)
{
    const kai_contacts_spheres* s = &c->spheres;
    const kai_proximity_run* run = &world->collision->proximity.run;
    *followed = false;
    if (!c->fast || !s->listed || s->pending.count > 0 || !s->row || !s->alone ||
        s->shape.count > 0 || s->layout != world->collision->layout_version ||
        run->first != s->item || run->owner != s->slot || run->count < 2 ||
        c->grains.skin_boxes.count != s->count)
        return KAI_OK;
    follow_context f = {.c = c,
                        .world = world,
                        .grains = &c->grains,
                        .first = (uint32_t)s->slot,
                        .end = (uint32_t)(s->slot + s->count),
                        .new_end = (uint32_t)(run->owner + run->count),
                        .dropped = &c->spheres.dropped};
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = follow(&f, followed, err);
    kai_arena_release(&world->arena, mark);
    return r;
}
