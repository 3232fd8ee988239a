// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_grains.h"

#include "contact/contacts_grains_follow.h"
#include "contact/grains_list_repair.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// Who ---------------------------------------------------------------------------------------------

static size_t slot_of(const kai_proximity* p, size_t item)
{
    return kai_proximity_owner(p, item) & ~KAI_BROAD_FIXED;
}

/// Whether an item is a sphere about its body's mass centre and all that the body has.
static bool is_grain(const kai_proximity* p, size_t i)
{
    const kai_proximity_group* group = kai_proximity_group_of(p, i);
    if (group->geometry != KAI_PROXIMITY_SPHERE || group->frame != 0) return false;
    if (kai_proximity_item_at(p, i).group & KAI_PROXIMITY_SKIPS) return false;
    const bool first = i == 0 || slot_of(p, i - 1) != slot_of(p, i);
    const bool last = i + 1 == kai_proximity_count(p) || slot_of(p, i + 1) != slot_of(p, i);
    return first && last && group->radius > 0.0;
}

/// Whether an item is a half space that does not move.
static bool is_wall(const kai_proximity* p, size_t i)
{
    const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
    const uint32_t geometry = kai_proximity_group_of(p, i)->geometry;
    if (geometry == KAI_PROXIMITY_SPHERE || (item->group & KAI_PROXIMITY_SKIPS)) return false;
    const kai_geometry* g = (const kai_geometry*)p->geometries.data + geometry;
    return g->type == KAI_GEOMETRY_PLANE && (item->owner & KAI_BROAD_FIXED);
}

static kai_grains_sphere sphere_of(const kai_world* world, size_t i)
{
    const kai_proximity* p = &world->collision->proximity;
    const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
    return (kai_grains_sphere){.radius = kai_proximity_group_of(p, i)->radius,
                               .inverse_mass =
                                   kai_bodies_mass_of(&world->bodies, slot_of(p, i))->inverse_mass,
                               .material = kai_shape_record_of(world, item->id).material};
}

kai_grains_sphere kai_contacts_grains_sphere(const kai_contacts* c, size_t slot)
{
    return sphere_of(c->world, c->spheres.item + (slot - c->spheres.slot));
}

static bool same(const kai_grains_sphere* a, const kai_grains_sphere* b)
{
    return a->radius == b->radius && a->inverse_mass == b->inverse_mass &&
           a->material == b->material;
}

enum { SPHERE = 1, WALL = 2 }; // of kai_contacts.grain

static kai_result list_wall(kai_contacts* c, const kai_world* world, size_t i, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
    if (!is_wall(p, i) || c->grains.walls.count == KAI_GRAINS_WALLS) return KAI_OK;
    const kai_grains_wall wall = {.slot = (uint32_t)slot_of(p, i),
                                  .material = kai_shape_record_of(world, item->id).material,
                                  .item = (uint32_t)i,
                                  .shape = item->id};
    return kai_array_append(&c->grains.walls, c->memory, &wall, 1, err);
}

/// A wall where it is now.
static kai_grains_wall wall_at(const kai_world* world, const kai_grains_wall* wall)
{
    const kai_proximity* p = &world->collision->proximity;
    const kai_pose* pose = &world->bodies.pose[wall->slot];
    const uint32_t on = kai_proximity_group_of(p, wall->item)->frame;
    kai_frame frame = {pose->position, pose->rotation};
    if (on) frame = kai_frame_compose(frame, ((const kai_frame*)p->frames.data)[on - 1]);
    const kai_geometry* g = kai_proximity_geometry(p, wall->item, NULL);
    kai_grains_wall now = *wall;
    now.normal = kai_vec3_normalize(kai_quat_rotate(frame.rotation, g->size));
    now.offset = kai_vec3_dot(now.normal, frame.position) + g->margin;
    now.centre = pose->position;
    return now;
}

/// Where walls are now.
static void place_walls(kai_contacts* c, const kai_world* world)
{
    kai_grains_wall* walls = c->grains.walls.data;
    for (size_t k = 0; k < c->grains.walls.count; k++) walls[k] = wall_at(world, &walls[k]);
}

/// Whether the laws of all pairs do without effective radius and mass, which are not those of
/// spheres at walls.
static bool walls_alike(const kai_contacts* c)
{
    const kai_contacts_pair* pairs = c->pairs.data;
    for (size_t i = 0; i < c->pairs.count; i++)
        if (!kai_grains_can(kai_contacts_law(c, &pairs[i]), &pairs[i].both, NULL)) return false;
    return true;
}

/// Marks items and notes their shapes by slot, where neither follows from where they are.
static kai_result mark_spheres(kai_contacts* c, const kai_world* world, bool row, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    const size_t count = kai_proximity_count(p), bodies = world->bodies.count;
    if (row) {
        kai_array_free(&c->spheres.kind, c->memory);
        kai_array_free(&c->spheres.shape, c->memory);
        return KAI_OK;
    }
    KAI_TRY(kai_array_resize(&c->spheres.kind, c->memory, count, err));
    KAI_TRY(kai_array_resize(&c->spheres.shape, c->memory, 0, err));
    KAI_TRY(kai_array_resize(&c->spheres.shape, c->memory, bodies, err));
    uint8_t* grain = c->spheres.kind.data;
    uint32_t* shape = c->spheres.shape.data;
    const kai_grains_wall* walls = c->grains.walls.data;
    for (size_t i = 0; i < count; i++) {
        grain[i] = is_grain(p, i) ? SPHERE : 0;
        if (grain[i]) shape[slot_of(p, i)] = kai_proximity_item_at(p, i).id;
    }
    for (size_t k = 0; k < c->grains.walls.count; k++) grain[walls[k].item] = WALL;
    return KAI_OK;
}

/// SPHERE, WALL or neither.
static int kind_of(const kai_contacts* c, size_t item)
{
    if (c->spheres.kind.count > 0) return ((const uint8_t*)c->spheres.kind.data)[item];
    if (item - c->spheres.item < c->spheres.count) return SPHERE;
    const kai_grains_wall* walls = c->grains.walls.data;
    for (size_t k = 0; k < c->grains.walls.count; k++)
        if (walls[k].item == item) return WALL;
    return 0;
}

/// The shape of a sphere by slot; 0 for other bodies. Of the world as it is now; see
/// shapes_as_listed.
static uint32_t shape_of(const kai_contacts* c, size_t slot)
{
    if (c->spheres.shape.count > 0) return ((const uint32_t*)c->spheres.shape.data)[slot];
    if (slot - c->spheres.slot >= c->spheres.count) return 0;
    return kai_bodies_cold_of(&c->world->bodies, slot).first_shape;
}

/// Finds the items and sees whether they are all alike.
static kai_result list_spheres(kai_contacts* c, kai_world* world, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    const size_t count = kai_proximity_count(p), bodies = world->bodies.count;
    kai_grains* g = &c->grains;
    KAI_TRY(kai_array_resize(&g->walls, c->memory, 0, err));
    bool first_shapes = true;
    g->count = bodies;
    g->equal = c->spheres.row = c->spheres.alike = true;
    c->spheres.fixed = false;
    const bool alike = walls_alike(c);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_grain(p, i)) {
            if (alike) KAI_TRY(list_wall(c, world, i, err));
            continue;
        }
        const kai_grains_sphere sphere = sphere_of(world, i);
        if (found++ == 0) {
            g->one = sphere;
            c->spheres.item = i;
            c->spheres.slot = slot_of(p, i);
        }
        c->spheres.row = c->spheres.row && i - c->spheres.item == found - 1 &&
                         slot_of(p, i) - c->spheres.slot == found - 1;
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot_of(p, i));
        const kai_bodies_mass* first = kai_bodies_mass_of(&world->bodies, c->spheres.slot);
        c->spheres.alike = c->spheres.alike && memcmp(mass, first, sizeof *mass) == 0;
        c->spheres.fixed = c->spheres.fixed || (kai_proximity_owner(p, i) & KAI_BROAD_FIXED);
        g->equal = g->equal && same(&sphere, &g->one);
        first_shapes =
            first_shapes && kai_proximity_item_at(p, i).id ==
                                kai_bodies_cold_of(&world->bodies, slot_of(p, i)).first_shape;
    }
    c->spheres.count = found;
    KAI_TRY(mark_spheres(c, world, found > 0 && c->spheres.row && first_shapes, err));
    KAI_TRY(kai_array_resize(&g->spheres, g->memory, g->equal ? 0 : bodies, err));
    for (size_t i = 0; !g->equal && i < count; i++)
        if (kind_of(c, i) == SPHERE)
            *(kai_grains_sphere*)kai_array_at(&g->spheres, slot_of(p, i)) = sphere_of(world, i);
    c->spheres.alone = found + g->walls.count == count;
    return KAI_OK;
}

/// Whether the fast path can do the laws of all pairs of materials.
static bool knows_law(const kai_contacts* c, const kai_world* world, bool may_be)
{
    if (world->contact_def.method != KAI_CONTACT_SMC || c->spheres.count < 2 || !may_be)
        return false;
    const kai_contacts_pair* pairs = c->pairs.data;
    const kai_grains_sphere* one = c->grains.equal ? &c->grains.one : NULL;
    for (size_t i = 0; i < c->pairs.count; i++)
        if (!kai_grains_can(kai_contacts_law(c, &pairs[i]), &pairs[i].both, one)) return false;
    return true;
}

// Histories ---------------------------------------------------------------------------------------

/// Goes backwards through what touched in the last step.
typedef struct list_walk {
    const kai_contacts* c;
    bool walls;             // pairs with walls, else of spheres
    size_t block;           // of the pair
    size_t i;               // pair of the block
    size_t at;              // where it is among entries
    uint32_t a, b;          // slots; b of a wall: which one
    const uint32_t* shapes; // by slot of the list; NULL: those of the world as it is
} list_walk;

/// Reads an entry of the list.
static void read_entry(list_walk* w)
{
    const kai_grains_list* list = &w->c->grains.list;
    const kai_grains_block* range = (const kai_grains_block*)list->blocks.data + w->block;
    const uint32_t entry = ((const uint32_t*)list->entries.data)[w->at];
    const size_t begin = w->block * KAI_GRAINS_BLOCK;
    w->a = (uint32_t)begin + KAI_GRAINS_A(entry);
    w->b = w->walls ? KAI_GRAINS_B(entry) : kai_grains_slot_b(list, range, begin, entry);
}

/// Goes back to the last pair before that touched; false: none.
static bool step_back(list_walk* w)
{
    const kai_grains_list* list = &w->c->grains.list;
    const kai_grains_block* blocks = list->blocks.data;
    const uint32_t* entries = list->entries.data;
    while (blocks) {
        const kai_grains_block* block = &blocks[w->block];
        const size_t first = w->walls ? block->wall : 0;
        while (w->i > first) {
            w->at = kai_grains_place(list, block, --w->i);
            if (!(entries[w->at] & KAI_GRAINS_TOUCH)) continue;
            read_entry(w);
            return true;
        }
        if (w->block == 0) return false;
        w->block--;
        w->i = w->walls ? blocks[w->block].end : blocks[w->block].wall;
    }
    return false;
}

static list_walk walk_from_end(const kai_contacts* c, bool walls)
{
    const size_t blocks = c->grains.list.blocks.count;
    list_walk w = {.c = c, .walls = walls, .block = blocks > 1 ? blocks - 2 : 0};
    const kai_grains_block* last = (const kai_grains_block*)c->grains.list.blocks.data + w.block;
    if (blocks > 1) w.i = walls ? last->end : last->wall;
    return w;
}

/// What a pair remembers, turned round where `round`.
static kai_contact_memory memory_of(const kai_contacts* c, const list_walk* w, bool round)
{
    const kai_grains_wall* walls = c->grains.walls.data;
    const uint32_t a = w->shapes ? w->shapes[w->a] : shape_of(c, w->a),
                   b = w->walls    ? walls[w->b].shape
                       : w->shapes ? w->shapes[w->b]
                                   : shape_of(c, w->b);
    const double* u = ((const double(*)[3])c->grains.list.history.data)[w->at];
    kai_contact_memory m = {.shape_a = round ? b : a, .shape_b = round ? a : b};
    const double(*turning)[4] = (const double(*)[4])kai_grains_turning(&c->grains.list);
    for (int k = 0; k < 3; k++) m.data[k] = round ? -u[k] : u[k];
    for (int k = 0; turning && k < 4; k++) // about the normal a turn is the same from both sides
        m.data[3 + k] = round && k < 3 ? -turning[w->at][k] : turning[w->at][k];
    return m;
}

/// The shapes of slots when the list was made: bodies may have come, gone or changed places since,
/// and what their slots held first is in collision->moved. NULL in `*out`: as they are now.
static kai_result shapes_as_listed(const kai_contacts* c, kai_world* world, uint32_t** out,
                                   kai_error* err)
{
    const kai_array* moved = &world->collision->moved;
    const size_t count = c->grains.count;
    *out = NULL;
    if (moved->count == 0 || c->spheres.shape.count > 0) return KAI_OK;
    uint32_t* shapes = kai_arena_take(&world->arena, count + 1, sizeof *shapes, err);
    if (!shapes) return KAI_ERROR_MEMORY;
    for (size_t slot = 0; slot < count; slot++)
        shapes[slot] = slot < world->bodies.count ? shape_of(c, slot) : 0;
    const kai_collision_moved* all = moved->data;
    for (size_t i = moved->count; i-- > 0;)
        if (all[i].slot < count) shapes[all[i].slot] = all[i].shape;
    *out = shapes;
    return KAI_OK;
}

/// Adds what waits for a list that could not be made.
static kai_result append_pending(kai_contacts* c, kai_world* world, kai_error* err)
{
    const kai_contacts_pending* pending = c->spheres.pending.data;
    const kai_grains_wall* walls = c->grains.walls.data;
    for (size_t i = 0; i < c->spheres.pending.count; i++) {
        const bool wall = KAI_IS_NULL(pending[i].b);
        const size_t a = kai_bodies_slot(&world->bodies, pending[i].a),
                     b = wall ? a : kai_bodies_slot(&world->bodies, pending[i].b);
        if (a == SIZE_MAX || b == SIZE_MAX) continue;
        kai_contact_memory m = {.shape_a = kai_bodies_cold_of(&world->bodies, a).first_shape,
                                .shape_b = wall
                                               ? walls[pending[i].wall].shape
                                               : kai_bodies_cold_of(&world->bodies, b).first_shape};
        memcpy(m.data, pending[i].u, sizeof pending[i].u);
        memcpy(m.data + 3, pending[i].turning, sizeof pending[i].turning);
        KAI_TRY(kai_array_append(&world->contact_memory, c->memory, &m, 1, err));
    }
    return kai_array_resize(&c->spheres.pending, c->memory, 0, err);
}

/// Adds what the list remembers to what all others do, by the names of shapes.
static kai_result append_memory(kai_contacts* c, kai_world* world, kai_error* err)
{
    if (!world->contacts_deferred) return KAI_OK;
    const size_t n = world->contact_memory.count, more = c->grains.tally.touching;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    uint32_t* shapes;
    KAI_TRY(shapes_as_listed(c, world, &shapes, err));
    KAI_TRY(kai_array_resize(&world->contact_memory, c->memory, n + more, err));
    kai_contact_memory* memory = world->contact_memory.data;
    size_t i = n + more;
    for (int walls = 0; walls < 2; walls++) {
        list_walk w = walk_from_end(c, walls);
        w.shapes = shapes;
        while (i > n && step_back(&w)) memory[--i] = memory_of(c, &w, false);
    }
    kai_arena_release(&world->arena, mark);
    KAI_TRY(append_pending(c, world, err));
    world->contacts_deferred = false;
    c->items_for = 0; // numbers of items are to be found anew, and the order
    return KAI_OK;
}

static int compare_pair_history(const void* x, const void* y)
{
    const kai_grains_pair_history *p = x, *q = y;
    return p->key < q->key ? -1 : p->key > q->key;
}

/// Slots of spheres and, from `first_wall` on, walls, by shape; UINT32_MAX for all others.
static uint32_t* places_of_shapes(const kai_contacts* c, kai_world* world, uint32_t first_wall,
                                  kai_error* err)
{
    const size_t shapes = kai_store_last(&world->shapes);
    const kai_grains_wall* walls = c->grains.walls.data;
    uint32_t* place = kai_arena_take(&world->arena, shapes + 1, sizeof *place, err);
    if (!place) return NULL;
    memset(place, 0xff, (shapes + 1) * sizeof *place);
    for (size_t k = 0; k < world->bodies.count; k++) {
        const uint32_t shape = shape_of(c, k);
        if (shape) place[shape] = (uint32_t)k;
    }
    for (size_t k = 0; k < c->grains.walls.count; k++)
        place[walls[k].shape] = first_wall + (uint32_t)k;
    return place;
}

/// What spheres remember, from what all contacts do, in the order of slots.
static kai_result find_pair_history(const kai_contacts* c, kai_world* world,
                                    kai_grains_pair_history** out, size_t* count, kai_error* err)
{
    const size_t n = world->contact_memory.count, shapes = kai_store_last(&world->shapes);
    const uint32_t wall = (uint32_t)world->bodies.count;
    const kai_contact_memory* memory = world->contact_memory.data;
    kai_grains_pair_history* pair_history =
        kai_arena_take(&world->arena, n + 1, sizeof *pair_history, err);
    *out = pair_history;
    *count = 0;
    if (n == 0) return pair_history ? KAI_OK : KAI_ERROR_MEMORY;
    const uint32_t* place = places_of_shapes(c, world, wall, err);
    if (!pair_history || !place) return KAI_ERROR_MEMORY;
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const kai_contact_memory* m = &memory[i];
        if (m->shape_a > shapes || m->shape_b > shapes) continue;
        uint64_t a = place[m->shape_a], b = place[m->shape_b];
        if (a == UINT32_MAX || b == UINT32_MAX || a == b || (a >= wall && b >= wall)) continue;
        const double sign = a < b ? 1.0 : -1.0;
        if (a > b) {
            const uint64_t swap = a;
            a = b;
            b = swap;
        }
        pair_history[found++] = (kai_grains_pair_history){
            b < wall ? a << 32 | b : KAI_GRAINS_WALL | a << 32 | (b - wall),
            {sign * m->data[0], sign * m->data[1], sign * m->data[2]},
            {sign * m->data[3], sign * m->data[4], sign * m->data[5], m->data[6]}};
    }
    if (found > 0) qsort(pair_history, found, sizeof *pair_history, compare_pair_history);
    *out = pair_history;
    *count = found;
    return KAI_OK;
}

// Pairs -------------------------------------------------------------------------------------------

static int compare_keys(const void* x, const void* y)
{
    const uint64_t p = *(const uint64_t*)x, q = *(const uint64_t*)y;
    return p < q ? -1 : p > q;
}

/// A pair of a sphere and a wall as grains.h wants it.
static uint64_t wall_pair(const kai_contacts* c, const kai_proximity* p, uint64_t pair)
{
    const kai_grains_wall* walls = c->grains.walls.data;
    const bool first = kind_of(c, KAI_BROAD_A(pair)) == WALL;
    const uint32_t wall = first ? KAI_BROAD_A(pair) : KAI_BROAD_B(pair),
                   sphere = first ? KAI_BROAD_B(pair) : KAI_BROAD_A(pair);
    uint64_t k = 0;
    while (walls[k].item != wall) k++;
    return (uint64_t)slot_of(p, sphere) << 32 | k;
}

/// Whether two spheres may touch while boxes hold: of the pairs of the broad phase about six in ten.
/// As long as a sphere's own box is inside its grown one, its centre is inside the grown box less the
/// radius, and the distance of two such boxes is the least possible.
static bool may_touch(const kai_proximity* p, size_t a, size_t b)
{
    const kai_broad_box *boxes = p->broad.boxes.data, *x = &boxes[a], *y = &boxes[b];
    const double r = kai_proximity_group_of(p, a)->radius + kai_proximity_group_of(p, b)->radius;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double right = (double)y->low[k] - (double)x->high[k] + r,
                     left = (double)x->low[k] - (double)y->high[k] + r;
        const double gap = fmax(fmax(right, left), 0.0);
        square += gap * gap;
    }
    return square <= r * r * (1.0 + 1e-12);
}

/// Sorts pairs: those of two spheres that may touch to `taken`, by slot, of a sphere and a wall to
/// its end, from the end on. The others stay, in order. `offsets` [bodies + 1] is for rows of slots.
static kai_grains_source split(const kai_contacts* c, kai_proximity* p, uint64_t* taken,
                               uint32_t* offsets)
{
    uint64_t* pairs = p->broad.found.data;
    const size_t count = p->broad.pair_count;
    size_t others = 0, spheres = 0, walls = 0;
    for (size_t k = 0; k < count; k++) {
        const uint64_t pair = pairs[k];
        const int kind = kind_of(c, KAI_BROAD_A(pair)) | kind_of(c, KAI_BROAD_B(pair)) << 2;
        const bool both = kind == (SPHERE | SPHERE << 2);
        if (kind == (SPHERE | WALL << 2) || kind == (WALL | SPHERE << 2)) {
            taken[count - ++walls] = wall_pair(c, p, pair);
            continue;
        }
        if (both && may_touch(p, KAI_BROAD_A(pair), KAI_BROAD_B(pair)))
            taken[spheres++] =
                (uint64_t)slot_of(p, KAI_BROAD_A(pair)) << 32 | slot_of(p, KAI_BROAD_B(pair));
        pairs[others] = pair;
        others += !both;
    }
    p->broad.pair_count = others;
    uint64_t* wall_pairs = taken + (count - walls);
    if (walls > 0) qsort(wall_pairs, walls, sizeof *wall_pairs, compare_keys);
    return (kai_grains_source){
        .rows = kai_neighbor_list_rows_from(taken, spheres, offsets, c->grains.count),
        .wall_pairs = wall_pairs,
        .wall_pair_count = walls};
}

/// Makes the list.
static kai_result make_list(kai_contacts* c, int threads, kai_grains_source* source, bool* done,
                            kai_error* err)
{
    kai_world* world = c->world;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_grains_pair_history* pair_history = NULL;
    kai_result r = KAI_OK;
    *done = false;
    if (!c->spheres.listed)
        r = find_pair_history(c, world, &pair_history, &source->pair_history_count, err);
    source->pair_history = pair_history;
    if (r == KAI_OK) r = kai_grains_list_make(&c->grains, threads, source, done, err);
    kai_arena_release(&world->arena, mark);
    // A list that was there keeps its histories, whatever comes of the new one.
    c->spheres.listed = c->spheres.listed || (r == KAI_OK && *done);
    if (r == KAI_OK && *done) kai_contacts_grains_follow_restore(c);
    return r;
}

/// The largest cube in a box, from its lower corner.
static kai_grains_skin_box skin_box_in(const kai_broad_box* box)
{
    float width = HUGE_VALF;
    for (int k = 0; k < 3; k++) width = fminf(width, box->high[k] - box->low[k]);
    return (kai_grains_skin_box){{box->low[0], box->low[1], box->low[2]},
                                 width * (1.0f - 2.0f * FLT_EPSILON)};
}

/// Takes pairs of spheres out of those of the broad phase and makes the list of them.
static kai_result take_pairs(kai_contacts* c, kai_proximity* p, int threads, kai_error* err)
{
    kai_grains* g = &c->grains;
    kai_arena* arena = &c->world->arena;
    const kai_arena_mark mark = kai_arena_marked(arena);
    uint32_t* offsets = kai_arena_take(arena, g->count + 1, sizeof *offsets, err);
    if (!offsets) return KAI_ERROR_MEMORY;
    kai_grains_source source = split(c, p, p->broad.work.data, offsets);
    p->partial = true;
    bool done;
    const kai_result r = make_list(c, threads, &source, &done, err);
    kai_arena_release(arena, mark);
    KAI_TRY(r);
    KAI_TRY(
        kai_array_resize(&g->skin_boxes, g->memory, c->spheres.row ? c->spheres.count : 0, err));
    kai_grains_skin_box* skin_boxes = g->skin_boxes.data;
    const kai_broad_box* boxes = (const kai_broad_box*)p->broad.boxes.data + c->spheres.item;
    for (size_t i = 0; i < g->skin_boxes.count; i++) skin_boxes[i] = skin_box_in(&boxes[i]);
    g->skin_box_slot = c->spheres.slot;
    g->skin_box_origin = p->broad.origin;
    return KAI_OK;
}

/// Whether every sphere may touch every other one, and walls: none has a family that others shun.
static bool all_may_meet(const kai_proximity* p)
{
    const kai_proximity_group* groups = p->groups.data;
    for (size_t i = 0; i < p->groups.count; i++)
        if (groups[i].mask != UINT16_MAX || groups[i].family == 0) return false;
    return true;
}

/// Where spheres will be after `lead`, half a step.
static kai_cell_list_points where_are(const kai_contacts* c, double lead)
{
    const kai_bodies* bodies = &c->world->bodies;
    return kai_grains_points(&c->grains, bodies->pose, bodies->motion, c->spheres.count, lead);
}

kai_cell_list_points kai_contacts_grains_points(const kai_contacts* c)
{
    return where_are(c, c->world->collision->proximity.poses.lead);
}

/// Makes the list without the broad phase, where spheres are much alike.
static kai_result find_pairs(kai_contacts* c, kai_proximity* p, int threads, bool* done,
                             kai_error* err)
{
    kai_world* world = c->world;
    kai_grains* g = &c->grains;
    *done = false;
    if (!c->spheres.alone || !c->spheres.row || c->spheres.fixed || !all_may_meet(p)) return KAI_OK;
    kai_cell_list cells;
    g->skin_box_slot = c->spheres.slot;
    if (g->skin_boxes.capacity < c->spheres.count) kai_array_free(&g->skin_boxes, g->memory);
    KAI_TRY(kai_array_resize(&g->skin_boxes, g->memory, c->spheres.count, err));
    // Cells take the memory of forces: those of the last step are of no use any more.
    const kai_cell_list_points points = where_are(c, p->poses.lead);
    KAI_TRY(kai_cell_list_make(&points, g->memory, threads, g->skin_boxes.data, &g->force, &cells,
                               done, err));
    if (!*done) return KAI_OK;
    g->skin_box_origin = cells.origin;
    place_walls(c, world);
    kai_grains_source source = {
        .rows = {.cells = &cells, .first = c->spheres.slot, .count = c->spheres.count}};
    KAI_TRY(make_list(c, threads, &source, done, err));
    if (!*done) return KAI_OK;
    kai_broad_free(&p->broad);
    p->partial = true;
    p->changed = false;
    return KAI_OK;
}

/// Whether the list was made from cells: the broad phase has nothing then.
static bool is_from_cells(const kai_proximity* p) { return p->partial && !p->broad.built; }

/// Brings the list up to date, and the contacts of all that is not in it.
static kai_result find_with_list(kai_contacts* c, kai_proximity* p, int threads, bool alone,
                                 kai_error* err)
{
    const bool inside = c->spheres.inside;
    c->spheres.inside = false;
    if (is_from_cells(p)) {
        if (alone && c->spheres.listed && inside && !p->changed) return KAI_OK;
    } else if (kai_proximity_holds(p, threads, true)) {
        return kai_proximity_finish(p, threads, err);
    }
    bool done = false;
    if (alone) KAI_TRY(find_pairs(c, p, threads, &done, err));
    if (done) return KAI_OK;
    KAI_TRY(kai_proximity_pairs(p, threads, err));
    KAI_TRY(take_pairs(c, p, threads, err));
    return kai_proximity_finish(p, threads, err);
}

kai_result kai_contacts_grains_find(kai_contacts* c, kai_world* world,
                                    const kai_collision_ahead* ahead, bool alone, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_proximity),
              threads = world->threads < 1 ? 1 : world->threads;
    kai_proximity_poses poses;
    kai_result r = kai_collision_begin(world, ahead, &poses, err);
    if (r == KAI_OK) {
        kai_proximity_begin(p, &poses);
        r = find_with_list(c, p, threads, alone, err);
        r = kai_collision_end(world, r, err);
    }
    kai_clock_end(&world->clock, outer);
    return r;
}

kai_result kai_contacts_grains_begin(kai_contacts* c, kai_world* world, kai_error* err)
{
    kai_collision* collision = world->collision;
    // Who asks for shapes that are near wants those that do not touch as well; implicit integrators
    // want forces at the end of a step, which the lanes do not have.
    const bool implicit =
        world->integrator && (world->integrator->capabilities & KAI_INTEGRATOR_IMPLICIT);
    const bool may_be = !c->plain && !implicit && world->collision_reach == 0.0;
    const uint64_t now[4] = {collision->items_version, world->contact_version + 1,
                             c->materials_version, may_be};
    if (memcmp(now, c->spheres.made_for, sizeof now) != 0) {
        bool followed = false;
        if (memcmp(now + 1, c->spheres.made_for + 1, sizeof now - sizeof *now) == 0)
            KAI_TRY(kai_contacts_grains_follow(c, world, &followed, err));
        if (!followed) {
            KAI_TRY(append_memory(c, world, err));
            c->grains.turns = c->rolls;
            KAI_TRY(list_spheres(c, world, err));
            collision->moved.count = 0;
            collision->proximity.changed = true;
            c->spheres.listed = false;
            c->spheres.layout = collision->layout_version;
            c->fast = knows_law(c, world, may_be);
        }
        memcpy(c->spheres.made_for, now, sizeof now);
    }
    collision->listed = 0;
    if (c->fast && !c->spheres.listed) collision->proximity.changed = true;
    return KAI_OK;
}

bool kai_contacts_grains_watch(const kai_contacts* c, const kai_world* world,
                               kai_contacts_list_check* watch)
{
    if (!c->fast || !c->spheres.listed || !c->spheres.row || !world->collision) return false;
    const kai_proximity* p = &world->collision->proximity;
    const kai_grains* g = &c->grains;
    const size_t few = 256, count = kai_proximity_count(p);
    if (!p->partial || p->changed || (p->broad.built && p->broad.count != count) ||
        g->skin_boxes.count != c->spheres.count || c->spheres.item + c->spheres.count > count ||
        count - c->spheres.count > few)
        return false;
    const kai_grains_sphere* spheres = c->grains.spheres.data;
    *watch =
        (kai_contacts_list_check){.skin_boxes = g->skin_boxes.data,
                                  .origin = g->skin_box_origin,
                                  .begin = c->spheres.slot,
                                  .end = c->spheres.slot + c->spheres.count,
                                  .radius = c->grains.one.radius,
                                  .spheres = c->grains.equal ? NULL : spheres + c->spheres.slot,
                                  .left = g->left.data};
    return true;
}

void kai_contacts_grains_uniform(const kai_contacts* c, size_t* begin, size_t* end)
{
    const bool known = c->fast && c->spheres.row && c->spheres.alike;
    *begin = known ? c->spheres.slot : 0;
    *end = known ? c->spheres.slot + c->spheres.count : 0;
}

/// Whether walls are where they were when the list was made without the broad phase.
static bool walls_hold(const kai_contacts* c, const kai_world* world)
{
    const kai_proximity* p = &world->collision->proximity;
    const kai_grains_wall* walls = c->grains.walls.data;
    for (size_t k = 0; is_from_cells(p) && k < c->grains.walls.count; k++) {
        const kai_grains_wall now = wall_at(world, &walls[k]);
        if (memcmp(&now, &walls[k], sizeof now) != 0) return false;
    }
    return true;
}

bool kai_contacts_grains_list_repair(kai_contacts* c, const kai_world* world,
                                     const kai_contacts_list_check* watch, double lead)
{
    const kai_cell_list_points points = where_are(c, lead);
    return is_from_cells(&world->collision->proximity) && walls_hold(c, world) &&
           kai_grains_list_repair(&c->grains, watch, &points);
}

void kai_contacts_grains_seen(kai_contacts* c, kai_world* world, bool inside)
{
    kai_proximity* p = &world->collision->proximity;
    if (!inside || !walls_hold(c, world)) p->changed = true;
    c->spheres.inside = true;
    if (is_from_cells(p)) return;
    p->broad.known_begin = c->spheres.item;
    p->broad.known_end = c->spheres.item + c->spheres.count;
}

void kai_contacts_grains_cache_list_check(kai_contacts* c, const kai_world* world, double h)
{
    c->spheres.checked_for = h;
    c->spheres.checked_at = world->steps + 1;
}

bool kai_contacts_grains_cache_list_check_valid(const kai_contacts* c, const kai_world* world,
                                                double h)
{
    return c->spheres.checked_for == h && c->spheres.checked_at == world->steps;
}

// Forces ------------------------------------------------------------------------------------------

/// Keeps the list as it is, for a step that fails after it.
static kai_result keep_list(kai_contacts* c, kai_error* err)
{
    kai_grains* g = &c->grains;
    const kai_array* from[] = {&g->list.entries, &g->list.history, &g->list.turning};
    kai_array* to[] = {&g->last.entries, &g->last.history, &g->last.turning};
    for (int k = 0; k < 3; k++) {
        KAI_TRY(kai_array_resize(to[k], g->memory, from[k]->count, err));
        if (from[k]->count > 0)
            memcpy(to[k]->data, from[k]->data, from[k]->count * from[k]->stride);
    }
    c->spheres.kept = true;
    return KAI_OK;
}

/// What a step needs to know of the world.
static kai_grains_step step_of(const kai_contacts* c, const kai_world* world, double h)
{
    return (kai_grains_step){.pose = world->bodies.pose,
                             .motion = world->bodies.motion,
                             .forces = true,
                             .laws = c->laws.data,
                             .law_count = c->law_ids.count,
                             .pairs = &((const kai_contacts_pair*)c->pairs.data)->both,
                             .pair_laws = &((const kai_contacts_pair*)c->pairs.data)->law,
                             .pair_stride = sizeof(kai_contacts_pair),
                             .materials = c->materials,
                             .h = h};
}

static void tell_touching(kai_contacts* c, kai_world* world, double h)
{
    c->spheres.step = h;
    world->contacts_deferred = true;
    world->collision->listed = c->grains.tally.touching;
    world->collision->listed_depth = c->grains.tally.deepest;
    world->collision->moved.count = 0; // slots are those of the list
}

kai_result kai_contacts_grains_push(kai_contacts* c, kai_world* world,
                                    const kai_contacts_options* options, double* energy,
                                    double* heat, kai_error* err)
{
    KAI_TRY(kai_array_resize(&c->sums, c->memory, world->bodies.count, err));
    kai_grains_step step = step_of(c, world, options->h);
    step.sums = c->sums.data;
    c->spheres.deferred_before = world->contacts_deferred;
    place_walls(c, world);
    if (!options->no_undo) KAI_TRY(keep_list(c, err));
    KAI_TRY(kai_grains_push(&c->grains, world->threads, &step, err));
    c->spheres.summed = c->spheres.forces = true;
    *energy += c->grains.tally.elastic;
    *heat += c->grains.tally.heat;
    tell_touching(c, world, options->h);
    return KAI_OK;
}

kai_result kai_contacts_grains_alone(kai_contacts* c, kai_world* world, bool* alone, kai_error* err)
{
    KAI_TRY(kai_contacts_prepare(c, world, err));
    *alone = c->fast && c->spheres.alone;
    return KAI_OK;
}

kai_result kai_contacts_grains_step(kai_contacts* c, kai_world* world,
                                    const kai_contacts_options* options,
                                    kai_grains_finish_fn* finish, void* context, double* heat,
                                    kai_error* err)
{
    kai_grains_step step = step_of(c, world, options->h);
    step.lead = options->lead;
    step.forces = !options->unobserved;
    step.finish = finish;
    step.finish_context = context;
    place_walls(c, world);
    KAI_TRY(kai_grains_push(&c->grains, world->threads, &step, err));
    c->spheres.summed = false;
    c->spheres.forces = step.forces;
    world->contact_elastic = c->grains.tally.elastic;
    *heat = options->h * c->grains.tally.heat;
    tell_touching(c, world, options->h);
    return KAI_OK;
}

void kai_contacts_grains_end(kai_contacts* c, kai_world* world, bool keep)
{
    if (!c->spheres.kept) return;
    c->spheres.kept = false;
    if (keep) return;
    kai_grains* g = &c->grains;
    const kai_array entries = g->list.entries, history = g->list.history, turning = g->list.turning;
    g->list.entries = g->last.entries;
    g->list.history = g->last.history;
    g->list.turning = g->last.turning;
    g->last.entries = entries;
    g->last.history = history;
    g->last.turning = turning;
    world->contacts_deferred = c->spheres.deferred_before;
    world->collision->listed = 0;
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
                            -0.5 * c->spheres.step);
}

/// The force and couple of a pair in the last step; none where they were not to be kept.
static kai_wrench force_of(const kai_contacts* c, const list_walk* w)
{
    if (!c->spheres.forces) return (kai_wrench){0};
    const double* f = ((const double(*)[3])c->grains.force.data)[w->at];
    kai_wrench out = {.force = kai_vec3_make(f[0], f[1], f[2])};
    if (!c->grains.turns) return out;
    const double* couple = ((const double(*)[3])c->grains.couple.data)[w->at];
    out.torque = kai_vec3_make(couple[0], couple[1], couple[2]);
    return out;
}

/// A contact that joins the others.
typedef struct joining {
    uint64_t key;
    kai_proximity_contact contact;
    kai_contact_memory memory;
    kai_wrench force;
} joining;

static joining join_spheres(const kai_contacts* c, const list_walk* w, const uint32_t* item)
{
    const kai_proximity* p = &c->world->collision->proximity;
    const double ra = kai_proximity_group_of(p, item[w->a])->radius,
                 rb = kai_proximity_group_of(p, item[w->b])->radius;
    const kai_vec3 at = centre_of(c, w->a), d = kai_vec3_sub(centre_of(c, w->b), at);
    const double distance = kai_vec3_norm(d);
    const kai_vec3 n = distance > 1e-150 ? kai_vec3_scale(d, 1.0 / distance) : kai_vec3_axis(2);
    return (joining){
        .key = (uint64_t)item[w->a] << 32 | item[w->b],
        .contact = {.contact = {.normal = n,
                                .gap = distance - ra - rb,
                                .radius_a = ra,
                                .radius_b = rb,
                                .point_a = kai_vec3_mul_add(at, n, ra),
                                .point_b = kai_vec3_add(at, kai_vec3_mul_add(d, n, -rb))},
                    .a = item[w->a],
                    .b = item[w->b]},
        .memory = memory_of(c, w, false),
        .force = force_of(c, w)};
}

static joining join_wall(const kai_contacts* c, const list_walk* w, const uint32_t* item)
{
    const kai_proximity* p = &c->world->collision->proximity;
    const kai_grains_wall* wall = (const kai_grains_wall*)c->grains.walls.data + w->b;
    const uint32_t sphere = item[w->a];
    const bool round = wall->item < sphere;
    const double r = kai_proximity_group_of(p, sphere)->radius;
    const kai_vec3 at = centre_of(c, w->a), m = wall->normal;
    const kai_wrench force = force_of(c, w),
                     turned = {kai_vec3_neg(force.force), kai_vec3_neg(force.torque)};
    const double height = kai_vec3_dot(m, at) - wall->offset;
    const kai_vec3 on_sphere = kai_vec3_mul_add(at, m, -r),
                   on_wall = kai_vec3_mul_add(at, m, -height);
    const uint32_t a = round ? wall->item : sphere, b = round ? sphere : wall->item;
    return (joining){.key = (uint64_t)a << 32 | b,
                     .contact = {.contact = {.normal = round ? m : kai_vec3_neg(m),
                                             .gap = height - r,
                                             .radius_a = round ? HUGE_VAL : r,
                                             .radius_b = round ? r : HUGE_VAL,
                                             .point_a = round ? on_wall : on_sphere,
                                             .point_b = round ? on_sphere : on_wall},
                                 .a = a,
                                 .b = b},
                     .memory = memory_of(c, w, round),
                     .force = round ? turned : force};
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

/// Puts one contact among the `*n` first, all of them sorted, at `*to`; those behind it move.
static void put(kai_contacts* c, kai_world* world, const joining* one, size_t* n, size_t* to)
{
    kai_proximity* p = &world->collision->proximity;
    kai_contact_memory* memory = world->contact_memory.data;
    kai_wrench* force = c->force.data;
    uint64_t* keys = c->keys.data;
    for (; *n > 0 && keys[*n - 1] > one->key; (*n)--) {
        (*to)--;
        p->contacts[*to] = p->contacts[*n - 1];
        memory[*to] = memory[*n - 1];
        force[*to] = force[*n - 1];
        keys[*to] = keys[*n - 1];
    }
    (*to)--;
    p->contacts[*to] = one->contact;
    memory[*to] = one->memory;
    force[*to] = one->force;
    keys[*to] = one->key;
}

static int compare_joining(const void* x, const void* y)
{
    const joining *p = x, *q = y;
    return p->key < q->key ? -1 : p->key > q->key;
}

/// Contacts with walls, few, are sorted first; then both sorts go in from the end on.
static kai_result merge(kai_contacts* c, kai_world* world, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    const size_t total = p->contact_count + world->collision->listed;
    size_t n = p->contact_count, count = 0;
    KAI_TRY(make_room(c, world, n, total, err));
    uint32_t* item = kai_arena_take(&world->arena, c->grains.count + 1, sizeof *item, err);
    if (!item) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < kai_proximity_count(p); i++) item[slot_of(p, i)] = (uint32_t)i;
    list_walk w = walk_from_end(c, true);
    while (step_back(&w)) count++;
    joining* with_walls = kai_arena_take(&world->arena, count + 1, sizeof *with_walls, err);
    if (!with_walls) return KAI_ERROR_MEMORY;
    w = walk_from_end(c, true);
    for (size_t i = 0; step_back(&w); i++) with_walls[i] = join_wall(c, &w, item);
    if (count > 0) qsort(with_walls, count, sizeof *with_walls, compare_joining);
    size_t to = n + count;
    for (size_t i = count; i > 0; i--) put(c, world, &with_walls[i - 1], &n, &to);
    n = p->contact_count + count;
    to = total;
    w = walk_from_end(c, false);
    while (step_back(&w)) {
        const joining one = join_spheres(c, &w, item);
        put(c, world, &one, &n, &to);
    }
    return KAI_OK;
}

kai_result kai_contacts_grains_gather(kai_world* world, kai_error* err)
{
    kai_collision* collision = world->collision;
    kai_contacts* c = world->contact;
    if (!c || !collision || collision->listed == 0) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = merge(c, world, err);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(r);
    collision->proximity.contact_count += collision->listed;
    collision->proximity.deepest = fmax(collision->proximity.deepest, collision->listed_depth);
    collision->listed = 0;
    world->contacts_deferred = false;
    c->items_for = collision->items_version;
    return KAI_OK;
}
