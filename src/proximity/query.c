// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/query.h"

#include "base/parallel.h"
#include "geometry/heightfield.h"
#include "geometry/mesh.h"
#include "geometry/ray_packet.h"
#include "proximity/broad_bounds.h"
#include "proximity/narrow.h"
#include "proximity/query_rays.h"

enum { BLOCK = 16, PACKETS = 16 };

// Updates after which boxes are put in order anew: what moves leaves its neighbours.
enum { OLD = 64 };

void kai_query_init(kai_query* query, kai_memory* memory)
{
    *query = (kai_query){.age = OLD};
    kai_broad_tree_init(&query->tree, memory);
}

void kai_query_free(kai_query* query)
{
    kai_broad_tree_free(&query->tree);
    query->age = OLD;
}

kai_result kai_query_update(kai_query* query, kai_proximity* proximity, int threads,
                            const kai_proximity_poses* poses, bool changed, kai_error* err)
{
    const bool reorder = changed || query->age >= OLD;
    proximity->poses = *poses;
    const unsigned age = query->age;
    query->age = OLD;
    KAI_TRY(kai_broad_tree_update(&query->tree, threads, kai_proximity_count(proximity),
                                  kai_proximity_boxes, proximity, reorder, err));
    query->age = reorder ? 1 : age + 1;
    return KAI_OK;
}

static bool is_seen(const kai_proximity* p, uint32_t item, uint32_t ignore, uint16_t mask)
{
    return (kai_proximity_owner(p, item) & ~KAI_BROAD_FIXED) != ignore &&
           (kai_proximity_group_of(p, item)->family & mask);
}

// Rays --------------------------------------------------------------------------------------------

typedef struct batch {
    const kai_query* query;
    const kai_proximity* proximity;
    const void* queries;
    kai_query_hit* hits;
} batch;

static void cast_rays(size_t begin, size_t end, void* context)
{
    const batch* b = context;
    const kai_query_ray* rays = b->queries;
    for (size_t i = begin; i < end; i += KAI_RAY_LANES) {
        const size_t count = end - i < KAI_RAY_LANES ? end - i : KAI_RAY_LANES;
        kai_query_rays_cast(b->query, b->proximity, rays + i, count, b->hits + i);
    }
}

void kai_query_rays(const kai_query* query, const kai_proximity* proximity, int threads,
                    const kai_query_ray* rays, size_t count, kai_query_hit* hits)
{
    batch b = {query, proximity, rays, hits};
    kai_parallel_for(threads, count, PACKETS * KAI_RAY_LANES, cast_rays, &b);
}

// Nearest points ----------------------------------------------------------------------------------

typedef struct nearness {
    const kai_proximity* proximity;
    const kai_query_point* point;
    kai_query_hit* hit;
} nearness;

// A bound on the distance to a surface of many triangles, so that not all of them are looked at.
static double bound(const kai_geometry* g, const kai_frame* frame, kai_vec3 at, double limit)
{
    const kai_vec3 p = kai_frame_point_from_parent(*frame, at);
    if (g->type == KAI_GEOMETRY_MESH) {
        const double d = kai_mesh_nearest(g->mesh, p, limit + g->margin, NULL);
        return fmin(limit, d * (1.0 + 1e-9) - g->margin);
    }
    if (g->type == KAI_GEOMETRY_HEIGHTFIELD) {
        const double d = fabs(p.z - kai_heightfield_height(g->field, p.x, p.y));
        return d == d ? fmin(limit, d * (1.0 + 1e-9)) : limit;
    }
    return limit;
}

static void try_point(uint32_t item, double* limit, void* context)
{
    const nearness* n = context;
    if (!is_seen(n->proximity, item, n->point->ignore, n->point->mask)) return;
    kai_geometry sphere;
    const kai_geometry point = {.type = KAI_CONVEX_POINT};
    const kai_geometry* g = kai_proximity_geometry(n->proximity, item, &sphere);
    const kai_frame frame = kai_proximity_frame(n->proximity, item);
    const kai_frame here = {n->point->at, kai_quat_identity()};
    kai_manifold m;
    kai_narrow_find(&point, &here, g, &frame, bound(g, &frame, n->point->at, *limit), &m);
    if (m.count == 0) return;
    const kai_contact* c = &m.contacts[0];
    kai_query_hit* hit = n->hit;
    if (!(c->gap < hit->distance || (c->gap == hit->distance && item < hit->item))) return;
    // A point inside one solid may be deeper inside another: boxes are searched at no less than 0.
    *limit = fmax(c->gap, 0.0);
    *hit = (kai_query_hit){item, c->gap, c->point_b, kai_vec3_neg(c->normal)};
}

static void find_nearest(size_t begin, size_t end, void* context)
{
    const batch* b = context;
    for (size_t i = begin; i < end; i++) {
        const kai_query_point* point = (const kai_query_point*)b->queries + i;
        b->hits[i] = (kai_query_hit){.item = KAI_QUERY_NONE, .distance = HUGE_VAL};
        nearness n = {b->proximity, point, &b->hits[i]};
        kai_broad_tree_near(&b->query->tree, point->at, point->at, point->limit, try_point, &n);
    }
}

void kai_query_nearest(const kai_query* query, const kai_proximity* proximity, int threads,
                       const kai_query_point* points, size_t count, kai_query_hit* hits)
{
    batch b = {query, proximity, points, hits};
    kai_parallel_for(threads, count, BLOCK, find_nearest, &b);
}

// Probes ------------------------------------------------------------------------------------------

typedef struct probing {
    const kai_proximity* proximity;
    const kai_query_probe* probe;
    uint32_t* items;
    size_t count, capacity;
} probing;

static void try_probe(uint32_t item, double* limit, void* context)
{
    (void)limit;
    probing* p = context;
    const kai_query_probe* probe = p->probe;
    if (!is_seen(p->proximity, item, probe->ignore, probe->mask) ||
        !is_seen(p->proximity, item, probe->also_ignore, probe->mask))
        return;
    kai_geometry sphere;
    const kai_geometry* g = kai_proximity_geometry(p->proximity, item, &sphere);
    const kai_frame frame = kai_proximity_frame(p->proximity, item);
    kai_manifold m;
    kai_narrow_find(probe->geometry, &probe->frame, g, &frame, probe->reach, &m);
    if (m.count == 0) return;
    // Kept in order by insertion: the tree's order is that of space.
    const size_t last = p->count < p->capacity ? p->count : p->capacity;
    p->count++;
    size_t k = last;
    for (; k > 0 && p->items[k - 1] > item; k--)
        if (k < p->capacity) p->items[k] = p->items[k - 1];
    if (k < p->capacity) p->items[k] = item;
}

size_t kai_query_overlap(const kai_query* query, const kai_proximity* proximity,
                         const kai_query_probe* probe, uint32_t* items, size_t capacity)
{
    kai_vec3 low, high;
    probing p = {proximity, probe, items, 0, capacity};
    kai_broad_bounds(probe->geometry, &probe->frame, &low, &high);
    kai_broad_tree_near(&query->tree, low, high, fmax(probe->reach, 0.0), try_probe, &p);
    return p.count;
}
