// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A packet goes down the tree of boxes together; an item whose box some ray enters is tried for
// those rays that enter it. Boxes, spheres, meshes and height fields take all rays at once, the
// other geometries one after the other. Bytes: 24 a box of the tree, 12 + 24 an item and its group,
// 64 a pose, all read once a packet.
#include "proximity/query_rays.h"

#include "geometry/heightfield.h"
#include "geometry/mesh.h"
#include "geometry/ray_packet.h"
#include "proximity/query_ray.h"

enum { LANES = KAI_RAY_LANES };

/// A packet on its way.
typedef struct walk {
    const kai_query* query;
    const kai_proximity* proximity;
    const kai_query_ray* rays; // [count]
    kai_query_hit* hits;       // [count]
    size_t count;
    kai_ray_packet world; // its distances: of the hits so far
    kai_ray_packet local; // the same in the frame of an item
    kai_ray_boxes boxes;
    float farthest; // how far some ray still looks
} walk;

// Items ------------------------------------------------------------------------------------------

// The rays that see an item, in its frame; false: none does.
KAI_INLINE bool turn_rays(walk* w, uint32_t item, const kai_frame* frame)
{
    const uint32_t owner = kai_proximity_owner(w->proximity, item) & ~KAI_BROAD_FIXED;
    const uint16_t family = kai_proximity_group_of(w->proximity, item)->family;
    const kai_ray_packet* from = &w->world;
    kai_ray_packet* to = &w->local;
    bool any = false;
    for (size_t l = 0; l < w->count; l++) {
        const bool seen = w->rays[l].ignore != owner && (w->rays[l].mask & family);
        const double limit = fmin(from->limit[l], from->distance[l]);
        to->limit[l] = seen ? limit : -1.0;
        any = any || seen;
    }
    for (size_t l = w->count; l < LANES; l++) to->limit[l] = -1.0;
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        const kai_vec3 o = kai_frame_point_from_parent(
            *frame, kai_vec3_make(from->origin[0][l], from->origin[1][l], from->origin[2][l]));
        const kai_vec3 d = kai_frame_vector_from_parent(
            *frame,
            kai_vec3_make(from->direction[0][l], from->direction[1][l], from->direction[2][l]));
        to->origin[0][l] = o.x;
        to->origin[1][l] = o.y;
        to->origin[2][l] = o.z;
        to->direction[0][l] = d.x;
        to->direction[1][l] = d.y;
        to->direction[2][l] = d.z;
        to->distance[l] = HUGE_VAL;
        to->triangle[l] = UINT64_MAX;
    }
    return any;
}

KAI_INLINE kai_vec3 origin_of(const kai_ray_packet* p, size_t l)
{
    return kai_vec3_make(p->origin[0][l], p->origin[1][l], p->origin[2][l]);
}

KAI_INLINE kai_vec3 direction_of(const kai_ray_packet* p, size_t l)
{
    return kai_vec3_make(p->direction[0][l], p->direction[1][l], p->direction[2][l]);
}

// A box: entered where the last of three pairs of planes is. Which plane is kept as the number of a
// triangle: 2 axis + (1: the negative side).
KAI_INLINE void enter_boxes(kai_ray_packet* p, kai_vec3 half)
{
    const double h[3] = {half.x, half.y, half.z};
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        double enter = -HUGE_VAL, leave = HUGE_VAL;
        uint64_t side = 0;
        for (int k = 0; k < 3; k++) {
            const double o = p->origin[k][l], d = p->direction[k][l];
            const double up = (h[k] - o) / d, down = (-h[k] - o) / d;
            // Along the planes: never inside, or always.
            const bool along = d == 0.0, outside = fabs(o) > h[k];
            const double in = along ? (outside ? HUGE_VAL : -HUGE_VAL) : d > 0.0 ? down : up;
            const double out = along ? HUGE_VAL : d > 0.0 ? up : down;
            const bool later = in > enter;
            side = later ? (uint64_t)(2 * k) + (d > 0.0 ? 1u : 0u) : side;
            enter = later ? in : enter;
            leave = out < leave ? out : leave;
        }
        const bool met = (enter <= leave) & (leave >= 0.0) & (enter <= p->limit[l]) &
                         (p->limit[l] >= 0.0) & (enter < HUGE_VAL);
        p->distance[l] = met ? (enter < 0.0 ? 0.0 : enter) : HUGE_VAL;
        p->triangle[l] = enter < 0.0 ? 6 : side; // 6: it begins inside
    }
}

KAI_INLINE kai_vec3 box_normal(uint64_t side, kai_vec3 direction)
{
    if (side == 6) return kai_vec3_neg(direction);
    const kai_vec3 n = kai_vec3_axis((int)(side / 2));
    return side % 2 ? kai_vec3_neg(n) : n;
}

// A ball about the origin, by the formulas of query_ray.c. 1: it begins inside.
KAI_INLINE void enter_balls(kai_ray_packet* p, double radius)
{
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        const kai_vec3 o = kai_vec3_make(p->origin[0][l], p->origin[1][l], p->origin[2][l]);
        const kai_vec3 d =
            kai_vec3_make(p->direction[0][l], p->direction[1][l], p->direction[2][l]);
        const double middle = -kai_vec3_dot(o, d);
        const double rest = radius * radius - kai_vec3_norm2(kai_vec3_mul_add(o, d, middle));
        const double half = sqrt(rest > 0.0 ? rest : 0.0);
        const double enter = middle - half;
        const bool met =
            (rest >= 0.0) & (middle + half >= 0.0) & (enter <= p->limit[l]) & (p->limit[l] >= 0.0);
        p->distance[l] = met ? (enter < 0.0 ? 0.0 : enter) : HUGE_VAL;
        p->triangle[l] = enter < 0.0 ? 1 : 0;
    }
}

static kai_vec3 ball_normal(double radius, uint64_t inside, kai_vec3 origin, kai_vec3 direction)
{
    if (inside) return kai_vec3_neg(direction);
    const double middle = -kai_vec3_dot(origin, direction);
    const kai_vec3 near = kai_vec3_mul_add(origin, direction, middle);
    const double half = sqrt(radius * radius - kai_vec3_norm2(near));
    return kai_vec3_scale(kai_vec3_mul_add(near, direction, -half), 1.0 / radius);
}

static kai_vec3 triangle_normal(const kai_geometry* g, uint64_t triangle, kai_vec3 direction)
{
    kai_vec3 c[3];
    if (g->type == KAI_GEOMETRY_MESH)
        kai_mesh_corners(g->mesh, (uint32_t)triangle, c);
    else
        kai_heightfield_triangle(g->field, (uint32_t)triangle, c);
    const kai_vec3 n = kai_triangle_normal(c);
    return kai_vec3_dot(n, direction) > 0.0 ? kai_vec3_neg(n) : n;
}

// What a ray has met counts when it is nearer, or as near and of a lower number.
KAI_INLINE bool is_first(const walk* w, size_t l, uint32_t item)
{
    const double t = w->local.distance[l];
    return t < w->world.distance[l] ||
           (t == w->world.distance[l] && t < HUGE_VAL && item < w->hits[l].item);
}

KAI_INLINE void keep_hit(walk* w, size_t l, uint32_t item, const kai_frame* frame, kai_vec3 normal)
{
    const kai_query_ray* ray = &w->rays[l];
    const double t = w->local.distance[l];
    w->world.distance[l] = t;
    w->hits[l] = (kai_query_hit){item, t, kai_vec3_mul_add(ray->from, ray->direction, t),
                                 kai_frame_vector_to_parent(*frame, normal)};
}

// Geometries that take all rays at once. False: this is none of them.
KAI_INLINE bool enter_together(walk* w, const kai_geometry* g)
{
    if (g->type == KAI_CONVEX_POINT)
        enter_balls(&w->local, g->margin);
    else if (g->margin != 0.0)
        return false;
    else if (g->type == KAI_GEOMETRY_MESH)
        kai_mesh_rays(g->mesh, &w->local);
    else if (g->type == KAI_GEOMETRY_HEIGHTFIELD)
        kai_heightfield_rays(g->field, &w->local);
    else if (g->type == KAI_CONVEX_BOX)
        enter_boxes(&w->local, g->size);
    else
        return false;
    return true;
}

// The normal of what a ray has met in the local frame.
KAI_INLINE kai_vec3 normal_of(const walk* w, const kai_geometry* g, size_t l)
{
    const kai_vec3 direction = direction_of(&w->local, l);
    const uint64_t met = w->local.triangle[l];
    if (g->type == KAI_CONVEX_POINT)
        return ball_normal(g->margin, met, origin_of(&w->local, l), direction);
    if (g->type == KAI_CONVEX_BOX) return box_normal(met, direction);
    return triangle_normal(g, met, direction);
}

KAI_INLINE void try_item(walk* w, uint32_t item)
{
    kai_geometry sphere;
    const kai_geometry* g = kai_proximity_geometry(w->proximity, item, &sphere);
    const kai_frame frame = kai_proximity_frame(w->proximity, item);
    if (!turn_rays(w, item, &frame)) return;
    const bool together = enter_together(w, g);
    bool nearer = false;
    for (size_t l = 0; l < w->count; l++) {
        kai_vec3 normal = kai_vec3_zero();
        if (!together && w->local.limit[l] >= 0.0)
            w->local.distance[l] = kai_query_ray_enter(
                g, origin_of(&w->local, l), direction_of(&w->local, l), w->local.limit[l], &normal);
        if (!is_first(w, l, item)) continue;
        if (together) normal = normal_of(w, g, l);
        keep_hit(w, l, item, &frame, normal);
        nearer = true;
    }
    if (nearer) w->farthest = kai_ray_boxes_shrink(&w->boxes, w->world.distance);
}

// The tree ---------------------------------------------------------------------------------------

typedef struct waiting {
    float near; // where the first ray enters it
    int level;
    size_t index;
} waiting;

// Puts the children of a node on the stack, the nearest last, so that it is taken first.
KAI_INLINE size_t push_children(const walk* w, const waiting* node, waiting* stack, size_t top)
{
    const kai_broad_tree* t = &w->query->tree;
    const int level = node->level - 1;
    const kai_broad_tree_box* boxes = (kai_broad_tree_box*)t->boxes.data + t->level_first[level];
    const size_t bottom = top, begin = node->index * KAI_BROAD_TREE_WIDTH;
    for (size_t c = begin; c < begin + KAI_BROAD_TREE_WIDTH && c < t->level_size[level]; c++) {
        const float near = kai_ray_boxes_meet(&w->boxes, boxes[c].low, boxes[c].high);
        if (!(near <= w->farthest)) continue;
        size_t k = top++;
        for (; k > bottom && stack[k - 1].near < near; k--) stack[k] = stack[k - 1];
        stack[k] = (waiting){near, level, c};
    }
    return top;
}

KAI_CLONES static void walk_tree(walk* w)
{
    const kai_broad_tree* t = &w->query->tree;
    const uint32_t* order = t->order.data;
    for (size_t i = t->bounded; i < t->count; i++) try_item(w, order[i]);
    if (t->level_count == 0) return;
    const int root = t->level_count - 1;
    const kai_broad_tree_box* box = (kai_broad_tree_box*)t->boxes.data + t->level_first[root];
    kai_ray_boxes_make(&w->boxes, &w->world, w->world.limit, box->low, box->high, t->origin);
    w->farthest = kai_ray_boxes_shrink(&w->boxes, w->world.distance);
    waiting stack[KAI_BROAD_TREE_LEVELS * KAI_BROAD_TREE_WIDTH];
    size_t top = 0;
    if (w->farthest >= 0.0f) stack[top++] = (waiting){0.0f, root, 0};
    while (top > 0) {
        const waiting node = stack[--top];
        if (!(node.near <= w->farthest)) continue;
        if (node.level == 0)
            try_item(w, order[node.index]);
        else
            top = push_children(w, &node, stack, top);
    }
}

void kai_query_rays_cast(const kai_query* query, const kai_proximity* proximity,
                         const kai_query_ray* rays, size_t count, kai_query_hit* hits)
{
    walk w = {.query = query, .proximity = proximity, .rays = rays, .hits = hits, .count = count};
    for (size_t l = 0; l < LANES; l++) {
        const kai_query_ray* ray = &rays[l < count ? l : 0];
        for (int k = 0; k < 3; k++) {
            w.world.origin[k][l] = kai_vec3_get(ray->from, k);
            w.world.direction[k][l] = kai_vec3_get(ray->direction, k);
        }
        w.world.limit[l] = l < count ? ray->length : -1.0;
        w.world.distance[l] = HUGE_VAL;
        w.boxes.limit[l] = -1.0f;
        if (l < count) hits[l] = (kai_query_hit){.item = KAI_QUERY_NONE, .distance = HUGE_VAL};
    }
    walk_tree(&w);
}
