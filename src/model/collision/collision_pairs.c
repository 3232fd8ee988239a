// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/collision/collision_pairs.h"

#include "model/label.h"
#include "proximity/narrow.h"

/// Surfaces without contacts are few; of more than this, the first are looked at.
enum { MOST = 256 };

static const char* name_of(kai_convex_type type)
{
    return type == KAI_GEOMETRY_PLANE ? "plane" : "height field";
}

// Skipped pairs are those that joints hold, sorted.
static bool is_skipped(const kai_proximity* p, const kai_proximity_item* a,
                       const kai_proximity_item* b)
{
    const uint64_t x = a->owner & ~KAI_BROAD_FIXED, y = b->owner & ~KAI_BROAD_FIXED;
    const uint64_t pair = x < y ? x << 32 | y : y << 32 | x;
    const uint64_t* skips = p->skips.data;
    for (size_t k = 0; k < p->skips.count; k++)
        if (skips[k] == pair) return true;
    return false;
}

static const kai_proximity_group* group_of(const kai_proximity* p, const kai_proximity_item* item)
{
    return (const kai_proximity_group*)p->groups.data + (item->group & ~KAI_PROXIMITY_SKIPS);
}

static bool may_meet(const kai_proximity* p, const kai_proximity_item* a,
                     const kai_proximity_item* b)
{
    const kai_proximity_group *g = group_of(p, a), *h = group_of(p, b);
    const kai_broad_box x = {.owner = a->owner, .family = g->family, .mask = g->mask};
    const kai_broad_box y = {.owner = b->owner, .family = h->family, .mask = h->mask};
    return kai_broad_may_meet(&x, &y) && !is_skipped(p, a, b);
}

static kai_convex_type type_of(const kai_proximity* p, const kai_proximity_item* item)
{
    const uint32_t geometry = group_of(p, item)->geometry;
    if (geometry == KAI_PROXIMITY_SPHERE) return KAI_CONVEX_POINT;
    return ((const kai_geometry*)p->geometries.data)[geometry].type;
}

static void warn(kai_world* world, const kai_proximity_item* a, const kai_proximity_item* b,
                 kai_convex_type type)
{
    char first[KAI_STRING_SIZE + 96], second[KAI_STRING_SIZE + 96];
    kai_label_body(world, a->owner & ~KAI_BROAD_FIXED, first, sizeof first);
    kai_label_body(world, b->owner & ~KAI_BROAD_FIXED, second, sizeof second);
    kai_world_log(world, KAI_LOG_WARNING,
                  "%s and %s each have a %s, and one of them moves: two of these have no contacts "
                  "with each other; give one of them another shape, or masks that part them",
                  first, second, name_of(type));
}

void kai_collision_pairs_warn(kai_world* world)
{
    kai_collision* c = world->collision;
    const kai_proximity* p = &c->proximity;
    const kai_proximity_item *items = p->items.data, *found[MOST];
    size_t count = 0;
    if (c->warned || p->geometries.count == 0) return;
    // Those of a run are spheres.
    for (size_t i = 0; i < p->items.count && count < MOST; i++) {
        const kai_convex_type type = type_of(p, &items[i]);
        if (!kai_narrow_offers(type, type)) found[count++] = &items[i];
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            const kai_convex_type type = type_of(p, found[i]);
            if (kai_narrow_offers(type, type_of(p, found[k]))) continue;
            if (!may_meet(p, found[i], found[k])) continue;
            c->warned = true;
            warn(world, found[i], found[k], type);
            return;
        }
    }
}
