// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/collision/collision.h"

#include "model/check.h"
#include "model/collision/collision_geometry.h"
#include "model/collision/collision_pairs.h"
#include "model/id.h"
#include "model/label.h"
#include "model/sleep.h"
#include "proximity/broad_bounds.h"
#include "proximity/radix.h"

#include <string.h>

// Settings ---------------------------------------------------------------------------------------

typedef kai_collision_def def_type;

static const kai_param PARAMS[] = {
    KAI_PARAM(
        BOOL, def_type, detect, .initial = {1.0},
        .doc =
            "Whether contacts are detected after every step, for outputs and run.json. They exert no force."),
    KAI_PARAM(REAL, def_type, reach, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Shapes whose gap is at most this count as being in contact."),
};

const kai_kind kai_collision_kind =
    KAI_KIND("collision", def_type, PARAMS, .doc = "Detection of contacts without contact forces.");

kai_result kai_collision_set(kai_world* world, const kai_collision_def* def)
{
    KAI_CHANGE(world, def);
    if (!def)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT, "kai_collision_set: def is NULL");
    const kai_result r = kai_kind_check(&kai_collision_kind, def, &world->error);
    if (r != KAI_OK) return kai_world_fail(world, __func__, r);
    world->collision_detect = def->detect;
    world->collision_reach = def->reach;
    if (world->collision) world->collision->found = false;
    return KAI_OK;
}

kai_collision_def kai_collision_get(const kai_world* world)
{
    KAI_GIVEN_OR((kai_collision_def){0}, world);
    return (kai_collision_def){world->collision_detect, world->collision_reach};
}

// Items ------------------------------------------------------------------------------------------

static const kai_store_entry* entry_at(const kai_world* world, uint32_t index)
{
    return kai_store_entry_of(&world->shapes, index);
}

// Where a shape is in its body's principal frame; 0 for the frame itself. Equal neighbours share.
static kai_result add_frame(kai_world* world, size_t slot, uint32_t frame, bool round,
                            uint32_t* out, kai_error* err)
{
    kai_array* frames = &world->collision->proximity.frames;
    *out = 0;
    if (frame == 0 && !kai_bodies_is_offset(&world->bodies, slot)) return KAI_OK;
    kai_frame f = kai_frame_compose(kai_bodies_offset(&world->bodies, slot),
                                    kai_frames_at(&world->shape_frames, frame));
    if (round) f.rotation = kai_quat_identity();
    const kai_frame identity = kai_frame_identity();
    if (kai_frames_equal(&f, &identity)) return KAI_OK;
    const kai_frame* last = frames->count ? kai_array_at(frames, frames->count - 1) : NULL;
    if (!last || !kai_frames_equal(&f, last))
        KAI_TRY(kai_array_append(frames, &world->memory, &f, 1, err));
    *out = (uint32_t)frames->count;
    return KAI_OK;
}

static bool same_geometry(const kai_geometry* a, const kai_geometry* b)
{
    return a->type == b->type && a->margin == b->margin && a->size.x == b->size.x &&
           a->size.y == b->size.y && a->size.z == b->size.z && a->hull == b->hull;
}

static kai_result add_geometry(kai_world* world, const kai_geometry* g, kai_proximity_group* group,
                               kai_error* err)
{
    kai_array* geometries = &world->collision->proximity.geometries;
    group->radius = kai_broad_bounds_radius(g);
    group->geometry = KAI_PROXIMITY_SPHERE;
    if (g->type == KAI_CONVEX_POINT) return KAI_OK;
    const kai_geometry* last =
        geometries->count ? kai_array_at(geometries, geometries->count - 1) : NULL;
    if (!last || !same_geometry(g, last))
        KAI_TRY(kai_array_append(geometries, &world->memory, g, 1, err));
    group->geometry = (uint32_t)geometries->count - 1;
    return KAI_OK;
}

// A facet of a surface: it changes from step to step, and shares nothing.
static kai_result add_piece(kai_world* world, uint32_t owner, uint32_t index, const kai_geometry* g,
                            kai_proximity_group* group, kai_error* err)
{
    kai_collision* c = world->collision;
    kai_proximity* p = &c->proximity;
    const uint32_t* facet_of = c->surface.facet_of.data;
    const uint32_t facet = c->surface.facets.count ? facet_of[owner & ~KAI_BROAD_FIXED] : 0;
    if (facet == 0) return KAI_OK; // its nodes are gone
    group->geometry = (uint32_t)p->geometries.count;
    group->radius = kai_broad_bounds_radius(g);
    KAI_TRY(kai_array_append(&p->geometries, &world->memory, g, 1, err));
    KAI_TRY(kai_proximity_add(p, owner, index, group, err));
    const kai_proximity_item* item = kai_array_at(&p->items, p->items.count - 1);
    ((uint32_t*)c->facet_items.data)[facet - 1] = (uint32_t)kai_proximity_count(p) - 1;
    const kai_collision_facet one = {facet - 1, item->group, group->geometry};
    return kai_array_append(&c->surface_items, &world->memory, &one, 1, err);
}

/// Facets go where their ends are, and their geometry with them.
static void follow_surface(kai_world* world)
{
    kai_collision* c = world->collision;
    const kai_patch* s = &c->surface;
    if (s->facets.count == 0) return;
    kai_patch_follow(s, world);
    const kai_collision_facet* items = c->surface_items.data;
    for (size_t i = 0; i < c->surface_items.count; i++) {
        const kai_patch_facet* facet = kai_array_at(&s->facets, items[i].facet);
        kai_geometry* g = kai_array_at(&c->proximity.geometries, items[i].geometry);
        kai_proximity_group* group = kai_array_at(&c->proximity.groups, items[i].group);
        g->triangle = kai_patch_instance(s, world, facet)->corners;
        if (g->type == KAI_CONVEX_SEGMENT) g->size.z = g->triangle[1].z;
        group->radius = kai_broad_bounds_radius(g);
    }
}

// The items of one shape.
static kai_result add_shape(kai_world* world, size_t slot, uint32_t index, kai_error* err)
{
    const kai_shape_record copy = kai_shape_record_of(world, index), *record = &copy;
    if (!kai_shape_record_collides(record->flags)) return KAI_OK;
    const kai_store_entry* entry = entry_at(world, index);
    const kai_store_batch* batch = &world->shapes.batches[entry->batch];
    const kai_shape_kind* kind = (const kai_shape_kind*)(const void*)batch->kind;
    const void* params = kai_array_at(&batch->items, entry->slot);
    const bool still = world->bodies.motion[slot].flags & KAI_SLEEP_STILL;
    const uint32_t owner = (uint32_t)slot | (still ? KAI_BROAD_FIXED : 0);
    kai_proximity_group group = {.family = (uint16_t)(1u << kai_shape_record_family(record)),
                                 .mask = (uint16_t)kai_shape_record_mask(record)};
    KAI_TRY(add_frame(world, slot, record->frame, kind == &kai_shape_sphere, &group.frame, err));
    const size_t parts = kai_collision_geometry_parts(kind, params);
    for (size_t part = 0; part < parts; part++) {
        kai_geometry g;
        KAI_TRY(kai_collision_geometry_make(kind, params, part, record->margin, &g, err));
        if (kind == &kai_patch_kind) return add_piece(world, owner, index, &g, &group, err);
        KAI_TRY(add_geometry(world, &g, &group, err));
        group.part = (uint16_t)part;
        KAI_TRY(kai_proximity_add(&world->collision->proximity, owner, index, &group, err));
    }
    return KAI_OK;
}

// Many alike --------------------------------------------------------------------------------------
// Particles that are spheres have no items of their own: proximity reads what they are called and
// which are alike from the arrays of bodies.

enum { RUN = 256 }; // fewer have items

/// Whether the body in a slot is a particle with one sphere and nothing that refers to it.
static bool is_run_member(const kai_world* world, size_t slot)
{
    const kai_bodies* bodies = &world->bodies;
    const kai_bodies_cold* cold = &bodies->colds[bodies->shared_properties[slot]];
    if (cold->group == 0 || cold->shape_count != 1 || cold->first_shape == 0 ||
        cold->load_count > 0 || (bodies->motion[slot].flags & KAI_SLEEP_STILL))
        return false;
    const uint32_t shape = kai_bodies_cold_of(bodies, slot).first_shape;
    const kai_store_entry* entry = entry_at(world, shape);
    return world->shapes.batches[entry->batch].kind == &kai_shape_sphere.kind &&
           kai_shape_record_collides(kai_shape_record_of(world, shape).flags) &&
           (cold->users == 1 || kai_store_run_of(&world->shapes, shape) != SIZE_MAX);
}

/// The first slots in a row whose bodies can be a run.
static void find_run(const kai_world* world, size_t* begin, size_t* end)
{
    const kai_bodies* bodies = &world->bodies;
    for (*begin = *end = 0; *end < bodies->count;) {
        const uint32_t* number = &bodies->shared_properties[*end];
        const bool like_last = *end > *begin && number[0] == number[-1];
        if (like_last || is_run_member(world, *end)) {
            ++*end;
            continue;
        }
        if (*end - *begin >= RUN) return;
        *begin = ++*end;
    }
    if (*end - *begin < RUN) *begin = *end;
}

/// Says what items of bodies [begin, end) of the run have in common with others of the same number.
static kai_result set_alike(kai_world* world, size_t begin, size_t end, kai_error* err)
{
    const kai_bodies* bodies = &world->bodies;
    kai_proximity* p = &world->collision->proximity;
    for (size_t slot = begin; slot < end; slot++) {
        const uint32_t* number = &bodies->shared_properties[slot];
        if (slot > begin && number[0] == number[-1]) continue;
        const uint32_t shape = kai_bodies_cold_of(bodies, slot).first_shape;
        const kai_store_entry* entry = entry_at(world, shape);
        const kai_shape_record record = kai_shape_record_of(world, shape);
        const void* params = kai_array_at(&world->shapes.batches[entry->batch].items, entry->slot);
        kai_proximity_group group = {.family = (uint16_t)(1u << kai_shape_record_family(&record)),
                                     .mask = (uint16_t)kai_shape_record_mask(&record)};
        kai_proximity_alike alike = {.on = shape - bodies->owner[slot]};
        kai_geometry g;
        KAI_TRY(add_frame(world, slot, record.frame, true, &group.frame, err));
        KAI_TRY(kai_collision_geometry_make(&kai_shape_sphere, params, 0, record.margin, &g, err));
        KAI_TRY(add_geometry(world, &g, &group, err));
        KAI_TRY(kai_proximity_add_group(p, &group, &alike.group, err));
        KAI_TRY(kai_proximity_set_alike(p, number[0], &alike, err));
    }
    return KAI_OK;
}

/// Makes bodies [begin, end) the run.
static kai_result add_run(kai_world* world, size_t begin, size_t end, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    const kai_bodies* bodies = &world->bodies;
    kai_proximity_begin_run(p, (uint32_t)begin, (const uint32_t* const*)&bodies->owner,
                            (const uint32_t* const*)&bodies->shared_properties);
    KAI_TRY(set_alike(world, begin, end, err));
    p->run.count = end - begin;
    return KAI_OK;
}

/// The run, where it ends with the last body of this rank, all of which it has; else NULL.
static kai_proximity_run* last_run(const kai_world* world)
{
    kai_proximity_run* run = &world->collision->proximity.run;
    const kai_bodies* bodies = &world->bodies;
    const bool last = run->count > 0 && run->first == world->collision->proximity.items.count;
    return last && bodies->owned == bodies->count ? run : NULL;
}

static void set_current(kai_world* world)
{
    kai_collision* c = world->collision;
    c->bodies_version = world->bodies_version;
    c->records_version = world->bodies.records_version;
    c->shapes_version = world->shapes.version + 1;
    c->joints_version = world->joints.version;
    c->fresh_items = true;
    c->items_version++;
}

static void change_run(kai_world* world)
{
    kai_collision* c = world->collision;
    c->run_changed = c->run_changed || !c->proximity.changed;
    c->proximity.changed = true;
    c->found = false;
    set_current(world);
}

void kai_collision_particles_came(kai_world* world, size_t begin)
{
    kai_proximity_run* run = last_run(world);
    const size_t end = world->bodies.owned;
    if (!run || run->owner + run->count != begin) return;
    for (size_t slot = begin; slot < end; slot++) {
        const uint32_t* number = &world->bodies.shared_properties[slot];
        if (slot > begin && number[0] == number[-1]) continue;
        if (!is_run_member(world, slot)) return;
    }
    // Without memory for it items are made anew, which says so.
    if (set_alike(world, begin, end, NULL) != KAI_OK) return;
    run->count += end - begin;
    change_run(world);
}

bool kai_collision_can_leave(const kai_world* world, size_t slot)
{
    if (!kai_collision_is_current(world)) return false;
    const kai_proximity_run* run = last_run(world);
    return run && slot >= run->owner && run->owner + run->count == world->bodies.owned &&
           run->count > RUN;
}

void kai_collision_particle_left(kai_world* world)
{
    world->collision->proximity.run.count--;
    change_run(world);
}

void kai_collision_followed(kai_world* world)
{
    kai_collision* c = world->collision;
    if (c->run_changed) c->proximity.changed = false;
    c->run_changed = false;
}

static kai_result add_shapes(kai_world* world, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    KAI_TRY(kai_proximity_clear(p, err));
    KAI_TRY(kai_array_resize(&p->frames, &world->memory, 0, err));
    KAI_TRY(kai_array_resize(&p->geometries, &world->memory, 0, err));
    KAI_TRY(kai_array_resize(&world->collision->surface_items, &world->memory, 0, err));
    kai_array* facet_items = &world->collision->facet_items;
    const size_t facets = world->collision->surface.facets.count;
    KAI_TRY(kai_array_resize(facet_items, &world->memory, facets, err));
    if (facets > 0) memset(facet_items->data, 0xff, facets * sizeof(uint32_t));
    size_t begin, end;
    find_run(world, &begin, &end);
    KAI_TRY(kai_array_reserve(&p->items, &world->memory, world->shapes.count - (end - begin), err));
    for (size_t slot = 0; slot < world->bodies.count; slot++) {
        if (slot == begin && begin < end) {
            KAI_TRY(add_run(world, begin, end, err));
            slot = end - 1;
            continue;
        }
        for (uint32_t shape = kai_bodies_cold_of(&world->bodies, slot).first_shape; shape != 0;
             shape = kai_shape_record_of(world, shape).next)
            KAI_TRY(add_shape(world, slot, shape, err));
    }
    return KAI_OK;
}

// Pairs that joints hold -------------------------------------------------------------------------

// A motor or limit on another joint says nothing of its own: that joint does.
static bool stands_alone(const kai_joint_kind* kind, const void* joint)
{
    return !kind->joint || KAI_IS_NULL(*(const kai_joint*)((const char*)joint + kind->joint));
}

static kai_result list_joined(kai_world* world, kai_array* skips, kai_error* err)
{
    KAI_TRY(kai_array_resize(skips, &world->memory, 0, err));
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const kai_joint_kind* kind = (const kai_joint_kind*)(const void*)batch->kind;
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_joint_base* joint = kai_array_at(&batch->items, i);
            if (!joint->active || joint->collide_bodies || !stands_alone(kind, joint)) continue;
            KAI_TRY(kai_patch_joined(&world->collision->surface, world, batch->kind, joint, skips,
                                     err));
            const uint64_t x = kai_bodies_slot(&world->bodies, joint->bodies[0]);
            const uint64_t y = kai_bodies_slot(&world->bodies, joint->bodies[1]);
            if (x >= world->bodies.count || y >= world->bodies.count) continue;
            const uint64_t pair = x < y ? x << 32 | y : y << 32 | x;
            KAI_TRY(kai_array_append(skips, &world->memory, &pair, 1, err));
        }
    }
    return KAI_OK;
}

// Sorts them and marks the items of their bodies.
static kai_result add_skips(kai_world* world, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    KAI_TRY(list_joined(world, &p->skips, err));
    KAI_TRY(kai_patch_neighbours(&world->collision->surface, world, &p->skips, err));
    const size_t n = p->skips.count;
    if (n == 0) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    uint64_t* other = kai_arena_take(&world->arena, n, sizeof *other, err);
    uint32_t* counts = kai_arena_take(&world->arena, 1, KAI_RADIX_SCRATCH(1), err);
    uint8_t* joined = kai_arena_take(&world->arena, world->bodies.count, 1, err);
    if (!other || !counts || !joined) {
        kai_arena_release(&world->arena, mark);
        return KAI_ERROR_MEMORY;
    }
    uint64_t* skips = p->skips.data;
    const uint64_t* sorted = kai_radix_sort(skips, other, n, 0, 64, 1, counts);
    if (sorted != skips) memcpy(skips, sorted, n * sizeof *skips);
    memset(joined, 0, world->bodies.count);
    for (size_t k = 0; k < n; k++) joined[skips[k] >> 32] = joined[(uint32_t)skips[k]] = 1;
    kai_proximity_item* items = p->items.data;
    for (size_t k = 0; k < p->items.count; k++)
        if (joined[items[k].owner & ~KAI_BROAD_FIXED]) items[k].group |= KAI_PROXIMITY_SKIPS;
    kai_arena_release(&world->arena, mark);
    return KAI_OK;
}

// Up to date -------------------------------------------------------------------------------------

static kai_result create(kai_world* world, kai_error* err)
{
    if (world->collision) return KAI_OK;
    world->collision = kai_memory_allocate_zeroed(&world->memory, 1, sizeof *world->collision);
    if (!world->collision)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for collision detection");
    kai_proximity_init(&world->collision->proximity, &world->memory);
    kai_query_init(&world->collision->query, &world->memory);
    kai_patch_init(&world->collision->surface);
    world->collision->facet_items = kai_array_make(sizeof(uint32_t));
    world->collision->surface_items = kai_array_make(sizeof(kai_collision_facet));
    world->collision->moved = kai_array_make(sizeof(kai_collision_moved));
    return KAI_OK;
}

void kai_collision_destroy(kai_world* world)
{
    if (!world->collision) return;
    kai_proximity_free(&world->collision->proximity);
    kai_query_free(&world->collision->query);
    kai_patch_free(&world->collision->surface, &world->memory);
    kai_array_free(&world->collision->surface_items, &world->memory);
    kai_array_free(&world->collision->facet_items, &world->memory);
    kai_array_free(&world->collision->moved, &world->memory);
    kai_memory_release(&world->memory, world->collision, sizeof *world->collision);
    world->collision = NULL;
}

bool kai_collision_is_current(const kai_world* world)
{
    const kai_collision* c = world->collision;
    return c && c->bodies_version == world->bodies_version &&
           c->records_version == world->bodies.records_version &&
           c->shapes_version == world->shapes.version + 1 &&
           c->joints_version == world->joints.version;
}

kai_result kai_collision_surface(kai_world* world, kai_patch** out, kai_error* err)
{
    *out = NULL;
    size_t count = 0;
    for (size_t b = 0; b < world->shapes.batch_count; b++)
        if (world->shapes.batches[b].kind == &kai_patch_kind.kind)
            count += world->shapes.batches[b].items.count;
    if (count == 0) return KAI_OK;
    KAI_TRY(create(world, err));
    *out = &world->collision->surface;
    return kai_patch_list(*out, world, err);
}

kai_result kai_collision_items(kai_world* world, kai_proximity_poses* poses, kai_error* err)
{
    KAI_TRY(create(world, err));
    kai_collision* c = world->collision;
    if (!kai_collision_is_current(world)) {
        c->found = false;
        c->shapes_version = 0;
        KAI_TRY(kai_patch_list(&c->surface, world, err));
        kai_patch_follow(&c->surface, world);
        KAI_TRY(add_shapes(world, err));
        KAI_TRY(add_skips(world, err));
        kai_collision_pairs_warn(world);
        c->proximity.changed = true;
        c->run_changed = false;
        c->layout_version++;
        set_current(world);
    }
    *poses = (kai_proximity_poses){
        .stride = sizeof(kai_pose), .motion_stride = sizeof(kai_motion), .step = world->time_step};
    if (world->bodies.count == 0) return KAI_OK;
    poses->position = &world->bodies.pose->position;
    poses->rotation = &world->bodies.pose->rotation;
    poses->velocity = &world->bodies.motion->velocity;
    poses->spin = &world->bodies.motion->spin;
    return KAI_OK;
}

// Names the body of an item whose box is not a number.
static kai_result tell_body(const kai_world* world, kai_result r, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    if (r != KAI_ERROR_DIVERGED || !err) return r;
    for (size_t i = 0; i < kai_proximity_count(p); i++) {
        const size_t slot = kai_proximity_owner(p, i) & ~KAI_BROAD_FIXED;
        const kai_pose* pose = &world->bodies.pose[slot];
        if (kai_vec3_is_finite(pose->position) && isfinite(kai_quat_norm2(pose->rotation)))
            continue;
        char name[KAI_STRING_SIZE + 96];
        kai_label_body(world, slot, name, sizeof name);
        return kai_error_set(err, r, "%s: its position [%g, %g, %g] m is not finite", name,
                             kai_label_number(pose->position.x), kai_label_number(pose->position.y),
                             kai_label_number(pose->position.z));
    }
    // Finite, but so far away or fast that its box is not.
    for (size_t i = 0; i < kai_proximity_count(p); i++) {
        char overflow[512];
        kai_label_overflow(world, kai_proximity_owner(p, i) & ~KAI_BROAD_FIXED, overflow,
                           sizeof overflow);
        if (overflow[0])
            return kai_error_set(err, r, "%s: too far or too fast for contacts", overflow + 2);
    }
    return r;
}

kai_result kai_collision_begin(kai_world* world, const kai_collision_ahead* ahead,
                               kai_proximity_poses* poses, kai_error* err)
{
    KAI_TRY(kai_collision_items(world, poses, err));
    kai_collision* c = world->collision;
    c->found = false;
    c->listed = 0;
    const double reach = fmax(world->collision_reach, world->contact_reach);
    if (c->proximity.reach != reach) c->proximity.changed = true;
    c->proximity.reach = reach;
    c->proximity.sweep = ahead->sweep;
    c->proximity.kick = ahead->kick;
    c->proximity.level = ahead->level;
    poses->lead = ahead->lead;
    follow_surface(world);
    return KAI_OK;
}

kai_result kai_collision_end(kai_world* world, kai_result r, kai_error* err)
{
    kai_collision* c = world->collision;
    if (r != KAI_OK) return tell_body(world, r, err);
    c->found = true;
    c->steps = world->steps;
    c->time = world->time;
    return KAI_OK;
}

static kai_result find_contacts(kai_world* world, const kai_collision_ahead* ahead, kai_error* err)
{
    kai_proximity_poses poses;
    KAI_TRY(kai_collision_begin(world, ahead, &poses, err));
    const kai_result r =
        kai_proximity_update(&world->collision->proximity, world->threads, &poses, err);
    return kai_collision_end(world, r, err);
}

kai_result kai_collision_update_ahead(kai_world* world, const kai_collision_ahead* ahead,
                                      kai_error* err)
{
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_proximity);
    const kai_result r = find_contacts(world, ahead, err);
    kai_clock_end(&world->clock, outer);
    return r;
}

kai_result kai_collision_update(kai_world* world, kai_error* err)
{
    return kai_collision_update_ahead(world, &(kai_collision_ahead){0}, err);
}

kai_result kai_collision_refresh(kai_world* world, kai_error* err)
{
    const kai_collision* c = world->collision;
    if (kai_collision_is_current(world) && c->found && c->steps == world->steps &&
        c->time == world->time)
        return KAI_OK;
    return kai_collision_update(world, err);
}

void kai_collision_stamp(kai_world* world)
{
    kai_collision* c = world->collision;
    if (!c || !c->found) return;
    c->steps = world->steps;
    c->time = world->time;
}

// Contacts ---------------------------------------------------------------------------------------

size_t kai_collision_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    if (!kai_collision_is_current(world) || !world->collision->found) return 0;
    return world->collision->proximity.contact_count + world->collision->listed;
}

double kai_collision_depth(const kai_world* world)
{
    KAI_GIVEN_OR(0.0, world);
    if (kai_collision_count(world) == 0) return 0.0;
    const kai_collision* c = world->collision;
    return c->listed > 0 ? fmax(c->proximity.deepest, c->listed_depth) : c->proximity.deepest;
}

// Questions --------------------------------------------------------------------------------------

kai_result kai_collision_note_slots(kai_world* world, size_t begin, size_t end, kai_error* err)
{
    kai_collision* c = world->collision;
    if (!c || !world->contact) return KAI_OK;
    for (size_t slot = begin; slot < end; slot++) {
        const kai_body body = kai_bodies_id(&world->bodies, slot);
        const kai_collision_moved moved = {.slot = (uint32_t)slot,
                                           .shape =
                                               kai_bodies_cold_of(&world->bodies, slot).first_shape,
                                           .body = body.index,
                                           .generation = body.generation};
        KAI_TRY(kai_array_append(&c->moved, &world->memory, &moved, 1, err));
    }
    return KAI_OK;
}

void kai_collision_hold(kai_world* world, bool still)
{
    if (!world->collision) return;
    world->collision->still = still;
    world->collision->tree_holds = false;
}

kai_result kai_collision_prepare(kai_world* world, kai_error* err)
{
    kai_proximity_poses poses;
    KAI_TRY(kai_collision_items(world, &poses, err));
    kai_collision* c = world->collision;
    if (c->still && c->tree_holds && !c->fresh_items) return KAI_OK;
    follow_surface(world);
    KAI_TRY(
        kai_query_update(&c->query, &c->proximity, world->threads, &poses, c->fresh_items, err));
    c->fresh_items = false;
    c->tree_holds = c->still;
    return KAI_OK;
}

// The owner that is not seen; a null id sees all. KAI_ERROR_ID for one that is stale or foreign.
static kai_result find_ignored(const kai_world* world, kai_body body, uint32_t* out, kai_error* err)
{
    *out = KAI_QUERY_NONE;
    if (KAI_IS_NULL(body)) return KAI_OK;
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX)
        return kai_error_set(err, KAI_ERROR_ID, "body id %u is stale or from another world",
                             body.index);
    *out = (uint32_t)slot;
    return KAI_OK;
}

static uint16_t mask_of(uint16_t mask) { return mask ? mask : UINT16_MAX; }

static void show_hits(const kai_world* world, const kai_query_hit* found, size_t count,
                      kai_collision_hit* out)
{
    const kai_proximity* p = &world->collision->proximity;
    for (size_t i = 0; i < count; i++) {
        out[i] = (kai_collision_hit){.distance = HUGE_VAL};
        if (found[i].item == KAI_QUERY_NONE) continue;
        const kai_proximity_item copy = kai_proximity_item_at(p, found[i].item), *item = &copy;
        out[i].body = kai_bodies_id(&world->bodies, item->owner & ~KAI_BROAD_FIXED);
        out[i].shape = (kai_shape){item->id, entry_at(world, item->id)->generation, world->tag};
        out[i].distance = found[i].distance;
        out[i].point = found[i].point;
        out[i].normal = found[i].normal;
    }
}

static kai_result take_rays(const kai_world* world, const kai_collision_ray* rays, size_t count,
                            kai_query_ray* out, kai_error* err)
{
    for (size_t i = 0; i < count; i++) {
        const kai_collision_ray* r = &rays[i];
        const kai_vec3 d = r->direction;
        if (!kai_vec3_is_finite(r->from) || !kai_vec3_is_finite(d) || !(r->length >= 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "ray %zu: from and direction must be finite and length >= 0", i);
        if (!(kai_vec3_max_abs(d) > 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "ray %zu: direction is [0, 0, 0]; must have a length > 0", i);
        out[i] = (kai_query_ray){.from = r->from,
                                 .direction = kai_vec3_normalize(d),
                                 .length = r->length > 0.0 ? r->length : HUGE_VAL,
                                 .mask = mask_of(r->mask)};
        KAI_TRY(find_ignored(world, r->ignore, &out[i].ignore, err));
    }
    return KAI_OK;
}

static kai_result cast_rays(kai_world* world, const kai_collision_ray* rays, size_t count,
                            kai_collision_hit* hits, kai_error* err)
{
    kai_query_ray* asked = kai_arena_take(&world->arena, count, sizeof *asked, err);
    kai_query_hit* found = kai_arena_take(&world->arena, count, sizeof *found, err);
    if (!asked || !found) return KAI_ERROR_MEMORY;
    KAI_TRY(take_rays(world, rays, count, asked, err));
    KAI_TRY(kai_collision_prepare(world, err));
    const kai_collision* c = world->collision;
    kai_query_rays(&c->query, &c->proximity, world->threads, asked, count, found);
    show_hits(world, found, count, hits);
    return KAI_OK;
}

kai_result kai_collision_rays(kai_world* world, const kai_collision_ray* rays, size_t count,
                              kai_collision_hit* hits)
{
    KAI_CHANGE(world);
    if (count > 0) KAI_READ(world, rays, hits);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = cast_rays(world, rays, count, hits, &world->error);
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}

static kai_result find_closest(kai_world* world, const kai_collision_point* points, size_t count,
                               kai_collision_hit* hits, kai_error* err)
{
    kai_query_point* asked = kai_arena_take(&world->arena, count, sizeof *asked, err);
    kai_query_hit* found = kai_arena_take(&world->arena, count, sizeof *found, err);
    if (!asked || !found) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const kai_collision_point* p = &points[i];
        if (!kai_vec3_is_finite(p->at) || !(p->limit >= 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "point %zu: at must be finite and limit >= 0", i);
        asked[i] = (kai_query_point){
            .at = p->at, .limit = p->limit > 0.0 ? p->limit : HUGE_VAL, .mask = mask_of(p->mask)};
        KAI_TRY(find_ignored(world, p->ignore, &asked[i].ignore, err));
    }
    KAI_TRY(kai_collision_prepare(world, err));
    const kai_collision* c = world->collision;
    kai_query_nearest(&c->query, &c->proximity, world->threads, asked, count, found);
    show_hits(world, found, count, hits);
    return KAI_OK;
}

kai_result kai_collision_closest(kai_world* world, const kai_collision_point* points, size_t count,
                                 kai_collision_hit* hits)
{
    KAI_CHANGE(world);
    if (count > 0) KAI_READ(world, points, hits);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = find_closest(world, points, count, hits, &world->error);
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}
