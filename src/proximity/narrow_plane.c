// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A half space against convex cores: support points of the core, exact. The core is a, the half
// space b; the normal from a to b points into it.
#include "proximity/manifold_reduce.h"
#include "proximity/narrow_feature.h"
#include "proximity/narrow_pair.h"

#include <math.h>

/// Corners that lean away up to 60 degrees are looked at; their gaps decide.
static const kai_narrow_lean LEAN = {.face = 0.5, .edge = 0.866};

/// Contacts of one pair with a plane.
#define MOST 4
#define LIST 64

/// Into the half space, unit, in a's frame.
static kai_vec3 inward(const kai_narrow_pair* p)
{
    return kai_vec3_neg(kai_vec3_normalize(kai_mat33_mul_vec(p->r, p->b->size)));
}

void kai_narrow_plane(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    kai_narrow_hint hint = {0, 0};
    out->normal = inward(p);
    out->a = kai_narrow_support_a(p, out->normal, &hint);
    out->gap = kai_vec3_dot(kai_vec3_sub(p->t, out->a), out->normal);
    out->b = kai_vec3_mul_add(out->a, out->normal, out->gap);
}

typedef struct list {
    const kai_narrow_pair* pair;
    kai_vec3 normal;
    int count;
    kai_contact contacts[LIST];
} list;

/// Adds a point of the core when it is within reach; `corners` of the feature it belongs to.
static void add(list* r, kai_vec3 x, uint32_t name, int corners)
{
    const kai_narrow_pair* p = r->pair;
    const double gap = kai_vec3_dot(kai_vec3_sub(p->t, x), r->normal);
    if (!(gap <= p->reach) || r->count == LIST) return;
    kai_contact* c = &r->contacts[r->count++];
    c->point_a = kai_vec3_mul_add(x, r->normal, p->a->margin);
    c->point_b = kai_vec3_mul_add(x, r->normal, gap - p->b->margin);
    c->normal = r->normal;
    c->gap = gap - p->a->margin - p->b->margin;
    c->radius_a = kai_narrow_feature_radius(p->a, corners, r->normal, x) + p->a->margin;
    c->radius_b = HUGE_VAL;
    c->feature = name;
    c->rim = 0;
}

/// A cap on the plane: its four quarters, the lowest point in place of the nearest of them.
static void add_disc(list* r, const kai_narrow_feature* f, kai_vec3 lowest)
{
    int near = 0;
    for (int k = 2; k < 8; k += 2) {
        if (kai_vec3_distance(f->corner[k], lowest) < kai_vec3_distance(f->corner[near], lowest))
            near = k;
    }
    // Flat on it, the whole cap is lowest, and its middle stands for it.
    if (kai_vec3_distance(f->corner[near], lowest) > 0.99 * r->pair->a->size.x) near = -1;
    for (int k = 0; k < 8; k += 2) add(r, k == near ? lowest : f->corner[k], f->name[k], 8);
}

static void add_hull(list* r, const struct kai_hull* h)
{
    // Only what is near the lowest corner: a body deep below the plane is pushed out by its bottom.
    const uint32_t low =
        h->vertex_count <= KAI_NARROW_SCAN
            ? kai_narrow_hull_scan(h, r->normal)
            : kai_narrow_hull_climb(h, r->normal, kai_narrow_hull_start(h, r->normal));
    const double top = kai_vec3_dot(h->vertices[low], r->normal);
    if (kai_vec3_dot(r->pair->t, r->normal) - top > r->pair->reach) return;
    add(r, h->vertices[low], low, 1);
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const double x = kai_vec3_dot(h->vertices[i], r->normal);
        if (i != low && top - x < 0.5 * h->outer_radius) add(r, h->vertices[i], i, 1);
    }
}

void kai_narrow_plane_contacts(const kai_narrow_pair* p, kai_manifold* out)
{
    kai_narrow_feature f;
    list r;
    r.pair = p;
    r.normal = inward(p);
    r.count = 0;
    if (p->a->type == KAI_CONVEX_HULL) {
        add_hull(&r, p->a->hull);
    } else {
        kai_narrow_hint hint = {0, 0};
        const kai_vec3 lowest = kai_narrow_support_a(p, r.normal, &hint);
        kai_narrow_feature_find(p->a, r.normal, LEAN, &f);
        if (f.count == 8) {
            add_disc(&r, &f, lowest);
        } else {
            for (int i = 0; i < f.count; i++) add(&r, f.corner[i], f.name[i], f.count);
        }
    }
    kai_manifold_reduce(r.contacts, r.count, MOST, 1e-9 * p->size, out);
}
