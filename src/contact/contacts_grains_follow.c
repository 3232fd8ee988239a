// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_grains_follow.h"

#include "contact/contacts_grains.h"
#include "contact/grains_list_edit.h"

#include <stdlib.h>
#include <string.h>

// Beyond one of so many spheres that changed, or one pair with nobody for so many spheres, a new list
// costs less.
static const size_t MOST_NOTES = 4, MOST_CHANGES = 16, MOST_DROPPED = 4;
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
    follow_change* changes;       // sorted by slot
    size_t count;
    kai_array* dropped; // size_t: places of pairs that are no more
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
    f->changes = kai_arena_take(&f->world->arena, moved->count + 1, sizeof *f->changes, err);
    if (!f->changes) return KAI_ERROR_MEMORY;
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

/// Keeps what the pair at a place remembers; `turned`: b is the one that changed.
static kai_result keep(const follow_context* f, size_t place, kai_contacts_pending one, bool turned,
                       kai_error* err)
{
    const uint32_t entry = ((const uint32_t*)f->grains->list.entries.data)[place];
    const double* u = ((const double(*)[3])f->grains->list.history.data)[place];
    if (!(entry & KAI_GRAINS_TOUCH)) return KAI_OK;
    for (int k = 0; k < 3; k++) one.u[k] = turned ? -u[k] : u[k];
    return kai_array_append(&f->c->spheres.pending, f->c->memory, &one, 1, err);
}

/// Notes all pairs of a sphere that changed, and keeps what they remember. `*room` false: it has too
/// many neighbours.
static kai_result note_pairs(const follow_context* f, const follow_change* change, bool* room,
                             kai_error* err)
{
    uint32_t near[KAI_CELL_LIST_ROW];
    const kai_grains* g = f->grains;
    const uint32_t slot = change->slot;
    const kai_body body = {change->body, change->generation, f->world->tag};
    const size_t n = kai_grains_list_edit_near(g, slot, near, KAI_CELL_LIST_ROW);
    *room = n <= KAI_CELL_LIST_ROW;
    for (size_t k = 0; *room && k < n; k++) {
        if (near[k] < slot && change_of(f, near[k])) continue; // noted there
        const size_t place = kai_grains_list_edit_find(g, slot, near[k]);
        if (place == SIZE_MAX) continue;
        const kai_contacts_pending one = {.a = body, .b = listed_body(f, near[k])};
        KAI_TRY(keep(f, place, one, near[k] < slot, err));
        KAI_TRY(kai_array_append(f->dropped, f->c->memory, &place, 1, err));
    }
    size_t walls[KAI_GRAINS_WALLS];
    const size_t wall_count = kai_grains_list_edit_walls(g, slot, walls);
    for (size_t k = 0; *room && k < wall_count; k++) {
        const uint32_t entry = ((const uint32_t*)g->list.entries.data)[walls[k]];
        const kai_contacts_pending one = {.a = body, .wall = KAI_GRAINS_B(entry)};
        KAI_TRY(keep(f, walls[k], one, false, err));
    }
    return KAI_OK;
}

static kai_result note_all(const follow_context* f, bool* room, kai_error* err)
{
    KAI_TRY(kai_array_resize(&f->c->spheres.pending, f->c->memory, 0, err));
    KAI_TRY(kai_array_resize(f->dropped, f->c->memory, 0, err));
    *room = true;
    for (size_t i = 0; *room && i < f->count; i++)
        KAI_TRY(note_pairs(f, &f->changes[i], room, err));
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
        for (int k = 0; k < 3; k++) u[k] = !wall && a > b ? -kept[i].u[k] : kept[i].u[k];
    }
    c->spheres.pending.count = 0;
}

// The list ---------------------------------------------------------------------------------------

/// Takes what changed out of the list.
static kai_result take_out(const follow_context* f, kai_error* err)
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
            memset(((double(*)[3])g->list.history.data)[walls[k]], 0, 3 * sizeof(double));
        }
        kai_grains_list_edit_leave(g, f->changes[i].slot);
    }
    return kai_grains_list_edit_resize(g, f->world->bodies.count, f->new_end - f->first, err);
}

/// Slot `i` of those that came or hold another sphere, `*i` one on; false: that were all.
static bool next_slot(const follow_context* f, size_t* i, uint32_t* slot)
{
    while (*i < f->count && f->changes[*i].slot >= f->new_end) ++*i;
    *slot = *i < f->count ? f->changes[*i].slot : f->end + (uint32_t)(*i - f->count);
    return (*i)++ < f->count || *slot < f->new_end;
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

/// Lists all that came or have other slots. `*whole` false: not all pairs found room.
static kai_result come_all(const follow_context* f, bool more, bool* whole, kai_error* err)
{
    const kai_cell_list_points points = kai_contacts_grains_points(f->c);
    uint32_t slot;
    *whole = true;
    for (size_t i = 0; next_slot(f, &i, &slot);) describe(f, slot);
    for (size_t i = 0; *whole && next_slot(f, &i, &slot);)
        *whole = kai_grains_list_edit_come(f->grains, &points, slot, &more);
    return *whole && more ? kai_grains_list_make_sums(f->grains, err) : KAI_OK;
}

static kai_result follow(follow_context* f, bool* followed, kai_error* err)
{
    kai_contacts* c = f->c;
    kai_grains* g = f->grains;
    bool possible, whole;
    KAI_TRY(find_changes(f, &possible, err));
    if (!possible || !all_fit(f)) return KAI_OK;
    KAI_TRY(kai_grains_list_edit_begin(g, &possible, err));
    if (!possible) return KAI_OK;
    KAI_TRY(note_all(f, &possible, err));
    if (!possible) return KAI_OK;
    if (!g->equal) KAI_TRY(kai_array_reserve(&g->spheres, g->memory, f->world->bodies.count, err));
    const size_t before = g->count;
    KAI_TRY(take_out(f, err));
    *followed = true;
    c->spheres.count = f->new_end - f->first;
    c->spheres.checked_for = 0.0;
    f->world->collision->moved.count = 0;
    if (!g->equal) KAI_TRY(kai_array_resize(&g->spheres, g->memory, g->count, err));
    KAI_TRY(come_all(f, g->count != before, &whole, err));
    if (whole && g->dropped <= c->spheres.count / MOST_DROPPED) {
        kai_contacts_grains_follow_restore(c);
        kai_collision_followed(f->world);
    }
    if (whole) return KAI_OK;
    kai_cell_hash_clear(&g->near); // not all boxes are in it
    g->spare_ghosts = SPARE_GHOSTS;
    return KAI_OK;
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
