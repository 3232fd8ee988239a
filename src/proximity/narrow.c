// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See narrow.h. One table says who handles which pair.
#include "proximity/narrow.h"

#include "proximity/manifold_clip.h"
#include "proximity/narrow_axes.h"
#include "proximity/narrow_pair.h"

#include <stddef.h>

// The table --------------------------------------------------------------------------------------

typedef enum contacts {
    NO_CONTACT, // the pair never touches
    ONE_POINT,  // the solver's nearest points
    AREA,       // nearest points, then faces and edges that lie flat
} contacts;

/// What handles a pair: a solver and what is made of its answer, or one that does all.
typedef struct handler {
    kai_narrow_solver* solve;
    contacts make;
    kai_narrow_collider* collide;
    kai_narrow_batch* batch; // does all for some pairs at once
} handler;

#define POINT    KAI_CONVEX_POINT
#define SEGMENT  KAI_CONVEX_SEGMENT
#define BOX      KAI_CONVEX_BOX
#define CYLINDER KAI_CONVEX_CYLINDER
#define CONE     KAI_CONVEX_CONE
#define ELLIPSE  KAI_CONVEX_ELLIPSOID
#define TRIANGLE KAI_CONVEX_TRIANGLE
#define HULL     KAI_CONVEX_HULL
#define PLANE    KAI_GEOMETRY_PLANE
#define MESH     KAI_GEOMETRY_MESH
#define FIELD    KAI_GEOMETRY_HEIGHTFIELD

#define GENERAL kai_narrow_convex
#define FLAT                                                          \
    {                                                                 \
        kai_narrow_plane, NO_CONTACT, kai_narrow_plane_contacts, NULL \
    }
#define ON_MESH                                 \
    {                                           \
        NULL, NO_CONTACT, kai_narrow_mesh, NULL \
    }
#define ON_FIELD                                      \
    {                                                 \
        NULL, NO_CONTACT, kai_narrow_mesh_field, NULL \
    }

/// What every convex geometry has to do with those that are not.
#define ON_SURFACES [PLANE] = FLAT, [MESH] = ON_MESH, [FIELD] = ON_FIELD

// clang-format off
/// [type of a][type of b]; below the diagonal a and b change places.
static const handler TABLE[KAI_GEOMETRY_COUNT][KAI_GEOMETRY_COUNT] = {
    [POINT] = {
        [POINT]    = {kai_narrow_point_point,     ONE_POINT, NULL, NULL},
        [SEGMENT]  = {kai_narrow_point_segment,   ONE_POINT, NULL, NULL},
        [BOX]      = {kai_narrow_point_box,       ONE_POINT, NULL, NULL},
        [CYLINDER] = {kai_narrow_point_cylinder,  ONE_POINT, NULL, NULL},
        [CONE]     = {kai_narrow_point_cone,      ONE_POINT, NULL, NULL},
        [ELLIPSE]  = {kai_narrow_point_ellipsoid, ONE_POINT, NULL, NULL},
        [TRIANGLE] = {kai_narrow_point_triangle,  ONE_POINT, NULL, NULL},
        [HULL]     = {kai_narrow_point_hull,      ONE_POINT, NULL, NULL},
        ON_SURFACES},
    [SEGMENT] = {
        [SEGMENT]  = {kai_narrow_segment_segment, AREA, NULL, NULL},
        [BOX]      = {GENERAL, AREA, NULL, NULL},
        [CYLINDER] = {GENERAL, AREA, NULL, NULL},
        [CONE]     = {GENERAL, AREA, NULL, NULL},
        [ELLIPSE]  = {GENERAL, ONE_POINT, NULL, NULL},
        [TRIANGLE] = {GENERAL, AREA, NULL, NULL},
        [HULL]     = {GENERAL, AREA, NULL, NULL},
        ON_SURFACES},
    [BOX] = {
        [BOX]      = {kai_narrow_box_box, AREA, NULL, kai_narrow_box_many},
        [CYLINDER] = {kai_narrow_cylinder_box, AREA, NULL, NULL},
        [CONE]     = {GENERAL, AREA, NULL, NULL},
        [ELLIPSE]  = {GENERAL, ONE_POINT, NULL, NULL},
        [TRIANGLE] = {GENERAL, AREA, NULL, NULL},
        [HULL]     = {GENERAL, AREA, NULL, NULL},
        ON_SURFACES},
    [CYLINDER] = {
        [CYLINDER] = {kai_narrow_cylinder_cylinder, AREA, NULL, NULL},
        [CONE]     = {GENERAL, AREA, NULL, NULL},
        [ELLIPSE]  = {GENERAL, ONE_POINT, NULL, NULL},
        [TRIANGLE] = {GENERAL, AREA, NULL, NULL},
        [HULL]     = {GENERAL, AREA, NULL, NULL},
        ON_SURFACES},
    [CONE] = {
        [CONE]     = {GENERAL, AREA, NULL, NULL},
        [ELLIPSE]  = {GENERAL, ONE_POINT, NULL, NULL},
        [TRIANGLE] = {GENERAL, AREA, NULL, NULL},
        [HULL]     = {GENERAL, AREA, NULL, NULL},
        ON_SURFACES},
    [ELLIPSE] = {
        [ELLIPSE]  = {kai_narrow_smooth_ellipsoids, ONE_POINT, NULL, NULL},
        [TRIANGLE] = {GENERAL, ONE_POINT, NULL, NULL},
        [HULL]     = {GENERAL, ONE_POINT, NULL, NULL},
        ON_SURFACES},
    [TRIANGLE] = {
        [TRIANGLE] = {GENERAL, AREA, NULL, NULL},
        [HULL]     = {GENERAL, AREA, NULL, NULL},
        ON_SURFACES},
    [HULL] = {
        [HULL]     = {kai_narrow_hull_hull, AREA, NULL, kai_narrow_hull_many},
        ON_SURFACES},
    // Two planes and two height fields have no contacts: kai_narrow_offers.
    [PLANE] = {
        [MESH]     = {NULL, NO_CONTACT, kai_narrow_mesh_plane, NULL},
        [FIELD]    = {NULL, NO_CONTACT, kai_narrow_surface_plane, NULL}},
    [MESH] = {
        [MESH]     = {NULL, NO_CONTACT, kai_narrow_surface, NULL},
        [FIELD]    = {NULL, NO_CONTACT, kai_narrow_surface, NULL}},
};
// clang-format on

bool kai_narrow_offers(kai_convex_type a, kai_convex_type b)
{
    const handler* h = a < b ? &TABLE[a][b] : &TABLE[b][a];
    return h->solve || h->collide;
}

// Entry points -----------------------------------------------------------------------------------

/// Contacts of one pair, by all handlers but batches.
KAI_CLONES static void find(const kai_narrow_request* q, double reach, kai_manifold* out)
{
    const bool swapped = q->a->type > q->b->type;
    kai_narrow_pair p;
    kai_narrow_witness w = {.pointless = false};
    out->count = 0;
    reach += q->more;
    if (swapped)
        kai_narrow_place(q->b, q->frame_b, q->a, q->frame_a, reach, &p);
    else
        kai_narrow_place(q->a, q->frame_a, q->b, q->frame_b, reach, &p);
    const handler* h = &TABLE[p.a->type][p.b->type];
    if (!kai_narrow_is_finite(&p)) return;
    if (h->collide) {
        h->collide(&p, out);
    } else if (h->solve) {
        h->solve(&p, &w);
        if (!(w.gap <= p.reach)) return;
        if (h->make == AREA)
            kai_manifold_clip_contacts(&p, &w, out);
        else
            kai_manifold_clip_single(&p, &w, out);
    }
    kai_narrow_to_world(swapped ? q->frame_b : q->frame_a, swapped, out);
}

/// Pairs that wait for others of their kind.
typedef struct waiting {
    int count;
    kai_narrow_batch* batch;
    const kai_narrow_request* requests[KAI_NARROW_AXES_LANES];
    kai_manifold* out[KAI_NARROW_AXES_LANES];
} waiting;

static void serve(waiting* w, double reach)
{
    if (w->count == 0) return;
    w->batch(w->requests, w->count, reach, w->out);
    w->count = 0;
}

void kai_narrow_find_many(const kai_narrow_request* requests, int count, double reach,
                          kai_manifold* out)
{
    waiting w = {.count = 0};
    for (int i = 0; i < count; i++) {
        const kai_narrow_request* q = &requests[i];
        kai_narrow_batch* batch = TABLE[q->a->type][q->b->type].batch;
        if (!batch) {
            find(q, reach, &out[i]);
            continue;
        }
        if (batch != w.batch) serve(&w, reach);
        w.batch = batch;
        w.requests[w.count] = q;
        w.out[w.count++] = &out[i];
        if (w.count == KAI_NARROW_AXES_LANES) serve(&w, reach);
    }
    serve(&w, reach);
}

void kai_narrow_find(const kai_geometry* a, const kai_frame* frame_a, const kai_geometry* b,
                     const kai_frame* frame_b, double reach, kai_manifold* out)
{
    const kai_narrow_request q = {a, b, frame_a, frame_b, 0.0};
    kai_narrow_find_many(&q, 1, reach, out);
}

double kai_narrow_distance(const kai_geometry* a, const kai_frame* frame_a, const kai_geometry* b,
                           const kai_frame* frame_b, kai_vec3* point_a, kai_vec3* point_b,
                           kai_vec3* normal)
{
    const bool swapped = a->type > b->type;
    const kai_frame* frame = swapped ? frame_b : frame_a;
    kai_narrow_pair p;
    kai_narrow_witness w = {.pointless = false};
    if (swapped)
        kai_narrow_place(b, frame_b, a, frame_a, HUGE_VAL, &p);
    else
        kai_narrow_place(a, frame_a, b, frame_b, HUGE_VAL, &p);
    const handler* h = &TABLE[p.a->type][p.b->type];
    if (!h->solve || !kai_narrow_is_finite(&p)) return (double)NAN;
    h->solve(&p, &w);
    if (w.pointless) kai_manifold_clip_witness(&p, &w);
    kai_vec3 x = kai_vec3_mul_add(w.a, w.normal, p.a->margin);
    kai_vec3 y = kai_vec3_mul_add(w.b, w.normal, -p.b->margin);
    x = kai_frame_point_to_parent(*frame, x);
    y = kai_frame_point_to_parent(*frame, y);
    const kai_vec3 n = kai_quat_rotate(frame->rotation, w.normal);
    if (point_a) *point_a = swapped ? y : x;
    if (point_b) *point_b = swapped ? x : y;
    if (normal) *normal = swapped ? kai_vec3_neg(n) : n;
    return w.gap - p.a->margin - p.b->margin;
}
