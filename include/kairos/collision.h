// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Collision detection: who touches whom, what a ray hits, what is near, what overlaps.
//
// Shapes with `collide` take part, where family and mask of both agree. Shapes of one body do not
// meet, nor those of two fixed bodies, nor those of two bodies that an active joint holds together,
// unless it says collide_bodies. Two planes and two height fields have no contacts; where one of
// them moves, a warning names both bodies. Detection moves nothing: forces are those of contact.h.
//
// Closed meshes and height fields are solid; open meshes are sheets with two sides, and what
// touches one lies on the side where its middle is.
#ifndef KAIROS_COLLISION_H
#define KAIROS_COLLISION_H

#include <kairos/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Detection of contacts without contact forces; scene key "collision".
typedef struct kai_collision_def {
    bool detect;  ///< runs look for contacts after every step, for outputs and run.json
    double reach; ///< shapes whose gap is at most this are in contact, m
} kai_collision_def;

/// Description of kai_collision_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_collision_kind;

/// Sets how contacts are detected. A world begins with detect false and reach 0.
KAI_API kai_result kai_collision_set(kai_world* world, const kai_collision_def* def);

/// The same, as it stands.
KAI_API kai_collision_def kai_collision_get(const kai_world* world);

// Contacts ---------------------------------------------------------------------------------------

/// One contact. Two shapes may have up to eight. (shape_a, shape_b, part_a, part_b, feature) names
/// it: the same contact has the same name in the next step.
typedef struct kai_collision_contact {
    kai_body body_a, body_b;
    kai_shape shape_a, shape_b;
    uint16_t part_a, part_b; ///< which convex part of a decomposed mesh; 0 for all others
    uint32_t feature;        ///< which vertex, edge or face, as a number
    kai_vec3 point_a;        ///< on the surface of a, world, m
    kai_vec3 point_b;        ///< on the surface of b, world, m
    kai_vec3 normal;         ///< unit, from a to b
    double gap;              ///< (point_b - point_a) · normal, m; negative when they overlap
    double radius_a;         ///< radius of curvature of a there, m; HUGE_VAL flat, 0 sharp
    double radius_b;         ///< of b
} kai_collision_contact;

/// Finds all contacts at the present state. KAI_ERROR_DIVERGED when a position is not finite;
/// KAI_ERROR_UNSUPPORTED names a kind of shape of the user's own that collides.
KAI_API kai_result kai_world_collide(kai_world* world);

/// How many contacts the last kai_world_collide found; 0 when bodies, shapes or joints have come or
/// gone since.
KAI_API size_t kai_collision_count(const kai_world* world);

/// Contact i of them. Their order follows from the bodies and shapes alone, not from threads. The
/// world is not const: the first call after a step may bring the contacts of spheres together, see
/// kai_contact_report_update.
KAI_API kai_result kai_collision_at(kai_world* world, size_t i, kai_collision_contact* out);

/// The largest overlap of these contacts, m; 0 without one.
KAI_API double kai_collision_depth(const kai_world* world);

// Questions: at the present state, many at once, on the world's threads ---------------------------

/// A ray.
typedef struct kai_collision_ray {
    kai_vec3 from;      ///< world, m
    kai_vec3 direction; ///< world; need not be of length 1
    double length;      ///< how far to look, m; 0: any distance
    kai_body ignore; ///< a body that is not seen, such as the one that carries the sensor; or null
    uint16_t mask;   ///< bit f: shapes of family f are seen; 0: all
} kai_collision_ray;

/// What was found.
typedef struct kai_collision_hit {
    kai_body body;   ///< null: nothing
    kai_shape shape; ///< null: nothing
    double distance; ///< m; HUGE_VAL: nothing. Of a point inside a shape: negative
    kai_vec3 point;  ///< on the surface, world, m
    kai_vec3 normal; ///< of the surface, out of it, world
} kai_collision_hit;

/// The first shape that each ray meets. A ray that begins inside a shape meets it at once, with the
/// normal against the ray; meshes and height fields are surfaces that are met from either side,
/// with a margin sheets twice as thick. Rays go through the trees of boxes in packets of 16 in their
/// order: neighbours that look the same way, as those of a camera, are several times as fast as
/// others; what each meets does not depend on the others, to the last bit. KAI_ERROR_ARGUMENT for a direction of length 0 or a number
/// that is not finite.
KAI_API kai_result kai_collision_rays(kai_world* world, const kai_collision_ray* rays, size_t count,
                                      kai_collision_hit* hits);

/// A query point, whose nearest surface is found.
typedef struct kai_collision_point {
    kai_vec3 at;     ///< world, m
    double limit;    ///< farthest distance that counts, m; 0: any
    kai_body ignore; ///< a body that is not seen, or null
    uint16_t mask;   ///< bit f: shapes of family f are seen; 0: all
} kai_collision_point;

/// The surface nearest to each point: distance, point on it and normal.
KAI_API kai_result kai_collision_closest(kai_world* world, const kai_collision_point* points,
                                         size_t count, kai_collision_hit* hits);

/// A query shape that belongs to no body, or all shapes of a body: what touches it is found.
typedef struct kai_collision_probe {
    const kai_shape_kind* kind; ///< any built-in kind; NULL: the shapes of `body`
    const void* params;         ///< instance of that kind. Hulls and meshes are built for the call
    kai_body body;     ///< without a kind: its shapes, whether they collide or not; it is not seen
    kai_vec3 at;       ///< of the shape's or the body's own frame, world, m
    kai_quat rotation; ///< to world; need not be normalised; 0 with a body: where the body is now
    double margin;     ///< shapes are enlarged by this, in addition to their own margin, m
    double reach;      ///< shapes within this distance count, m
    kai_body ignore;   ///< a body that is not seen, or null
    uint16_t mask;     ///< bit f: shapes of family f are seen; 0: all
} kai_collision_probe;

/// The shapes that each probe touches. Those of probe i are written to shapes[first[i]] …
/// shapes[first[i + 1] - 1]; first has room for count + 1. Where `capacity` shapes are not enough,
/// only `first` is written, first[count] says how many are, and the result is KAI_ERROR_LIMIT.
KAI_API kai_result kai_collision_overlap(kai_world* world, const kai_collision_probe* probes,
                                         size_t count, size_t* first, kai_shape* shapes,
                                         size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
