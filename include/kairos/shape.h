// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes: geometry fixed to a body, for mass properties, for contact and for the picture.
#ifndef KAIROS_SHAPE_H
#define KAIROS_SHAPE_H

#include <kairos/material.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kai_memory;

/// The surface that a kind's surface() lays out.
typedef struct kai_shape_surface kai_shape_surface;

/// A kind of shape. Geometry sits in the shape's own frame.
typedef struct kai_shape_kind {
    kai_kind kind;
    /// Volume, centre and inertia for density 1, in the shape's frame. NULL: has no mass (a plane),
    /// or that of its surface().
    void (*mass)(const void* instance, kai_mass_properties* out);
    /// Half-size of the smallest axis-aligned box around the shape turned by `rotation` and its
    /// centre relative to the shape's origin. NULL: unbounded (a plane), or that of its surface().
    void (*bounds)(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                   kai_vec3* half);
    /// Optional: builds what the other functions need in addition to the parameters (a hull, a tree of
    /// boxes), once, when a shape is made or read from a checkpoint. `like` is an instance with the
    /// same parameters that was prepared before, whose data may be shared, or NULL. On failure the
    /// instance is as it was.
    kai_result (*prepare)(void* instance, const void* like, struct kai_memory* memory,
                          kai_error* err);
    /// Gives back what prepare built; mandatory with it.
    void (*release)(void* instance, struct kai_memory* memory);
    /// Optional: whether mass may be taken from this instance. NULL: always.
    kai_result (*check_mass)(const void* instance, kai_error* err);
    /// How a kind of the user's own collides, is hit by rays and is drawn: writes the surface of an
    /// instance with the calls below. Points alone: their convex hull. Points and triangles: the
    /// triangles, counter-clockwise from outside. Called once when a shape is made or read from a
    /// checkpoint, after prepare(). NULL: the shape can do none of this and must not collide.
    kai_result (*surface)(const void* instance, kai_shape_surface* to, kai_error* err);
    /// Optional: how far a point inside is from the surface, in the shape's frame; negative for one
    /// outside. Samplers (sampler.h) fill shapes that have it.
    double (*depth)(const void* instance, kai_vec3 point);
} kai_shape_kind;

/// Adds a point to a surface, in the shape's frame; points are counted from 0.
KAI_API kai_result kai_shape_surface_point(kai_shape_surface* to, kai_vec3 point, kai_error* err);

/// Adds a triangle between three points.
KAI_API kai_result kai_shape_surface_triangle(kai_shape_surface* to, uint32_t a, uint32_t b,
                                              uint32_t c, kai_error* err);

/// What every shape has in addition to the parameters of its kind.
typedef struct kai_shape_def {
    kai_vec3 at;           ///< origin of the shape in the body's own frame, m
    kai_quat rotation;     ///< of the shape against the body's own frame
    kai_material material; ///< null: the world's default material
    kai_vec3 color;        ///< red, green, blue in 0…1; negative: chosen by the viewer
    bool collide;          ///< takes part in contact
    bool visible;          ///< is drawn
    double radius_margin;  ///< the shape is grown by a ball of this radius, which rounds it, m
    int64_t family;        ///< 0 … KAI_SHAPE_FAMILIES - 1, for `mask`
    int64_t mask;          ///< bit f: may touch shapes of family f; both shapes must agree
} kai_shape_def;

/// How many families there are.
#define KAI_SHAPE_FAMILIES 16

// Instances of the built-in kinds ----------------------------------------------------------------

/// Parameters of `sphere`.
typedef struct kai_shape_sphere_params {
    double radius; ///< m
} kai_shape_sphere_params;

/// Parameters of `ellipsoid`.
typedef struct kai_shape_ellipsoid_params {
    kai_vec3 semi_axes; ///< m
} kai_shape_ellipsoid_params;

/// Parameters of `box`.
typedef struct kai_shape_box_params {
    kai_vec3 size; ///< full edge lengths, m
} kai_shape_box_params;

/// Parameters of `cylinder`, `capsule` and `cone`: axis z, centred; a cone's tip is at +length/2, a
/// capsule's length is that of its straight part.
typedef struct kai_shape_round_params {
    double radius, length; ///< m
} kai_shape_round_params;

/// Parameters of `plane`: through the shape's origin, solid on the side away from the normal.
typedef struct kai_shape_plane_params {
    kai_vec3 normal; ///< need not be of length 1
} kai_shape_plane_params;

/// Parameters of `hull`: the convex hull of points. Thinner than 1e-9 of its length it is refused.
typedef struct kai_shape_hull_params {
    kai_table points; ///< rows [x, y, z], m; four or more, inner ones are allowed
    kai_string file;  ///< scenes: where the points come from; else a name for messages
    double scale;     ///< every coordinate is multiplied by it
    uint32_t mirror;  ///< bits: 1, 2, 4 change the signs of x, y, z
} kai_shape_hull_params;

/// Parameters of `mesh`: a surface of triangles.
typedef struct kai_shape_mesh_params {
    kai_table vertices;  ///< rows [x, y, z], m
    kai_table triangles; ///< rows of three rows of `vertices`, counter-clockwise from outside
    kai_string file;     ///< scenes: where both come from; else a name for messages
    double scale;        ///< every coordinate is multiplied by it
    double weld;         ///< vertices nearer than this become one, m, after scaling
    bool decompose;      ///< convex parts collide instead of the triangles
    double concavity;    ///< how far the surface may lie inside a part's hull, share of the size
    kai_table parts;     ///< rows [part, x, y, z] of the corners of convex parts, before scaling
    uint32_t mirror;     ///< bits: 1, 2, 4 change the signs of x, y, z; triangles are turned over
} kai_shape_mesh_params;

/// Parameters of `heightfield`: heights over a regular grid of x and y, centred; solid below.
typedef struct kai_shape_heightfield_params {
    kai_table grid;   ///< rows along x, the lowest y first
    kai_string file;  ///< scenes: where the heights come from; else a name for messages
    double spacing;   ///< between columns, m
    double spacing_y; ///< between rows, m; 0: as between columns
    double scale;     ///< every height is multiplied by it
} kai_shape_heightfield_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_shape_kind kai_shape_sphere;
KAI_API extern const kai_shape_kind kai_shape_ellipsoid;   ///< see kai_shape_ellipsoid_params
KAI_API extern const kai_shape_kind kai_shape_box;         ///< see kai_shape_box_params
KAI_API extern const kai_shape_kind kai_shape_cylinder;    ///< see kai_shape_round_params
KAI_API extern const kai_shape_kind kai_shape_capsule;     ///< see kai_shape_round_params
KAI_API extern const kai_shape_kind kai_shape_cone;        ///< see kai_shape_round_params
KAI_API extern const kai_shape_kind kai_shape_plane;       ///< see kai_shape_plane_params
KAI_API extern const kai_shape_kind kai_shape_hull;        ///< see kai_shape_hull_params
KAI_API extern const kai_shape_kind kai_shape_mesh;        ///< see kai_shape_mesh_params
KAI_API extern const kai_shape_kind kai_shape_heightfield; ///< see kai_shape_heightfield_params

/// Description of kai_shape_def: the keys that every shape takes.
KAI_API extern const kai_kind kai_shape_common;

// Calls ------------------------------------------------------------------------------------------

/// The defaults: at the body's origin, default material, takes part in contact, visible.
KAI_API kai_shape_def kai_shape_def_default(void);

/// Volume, centre and inertia for density 1 of a shape of that kind, grown by a margin. The margin
/// stretches the shape along its own axes so that its box becomes that of the rounded shape: exact
/// for spheres, right to first order in the margin for others. KAI_ERROR_ARGUMENT when it has no
/// volume or a parameter breaks its rule.
KAI_API kai_result kai_shape_mass(const kai_shape_kind* kind, const void* params, double margin,
                                  kai_mass_properties* out, kai_error* err);

/// Adds a kind of the user's own to this world. The table must outlive the world.
KAI_API kai_result kai_shape_register(kai_world* world, const kai_shape_kind* kind);

/// Fixes a shape to a body. Does not change the body's mass; see kai_body_set_density.
KAI_API kai_result kai_shape_create(kai_world* world, kai_body body, const kai_shape_kind* kind,
                                    const void* params, const kai_shape_def* def, kai_shape* out);

/// Lets the shapes of a body that collide do so no longer, and again. KAI_ERROR_UNSUPPORTED for a
/// particle, whose shape is one with others.
KAI_API kai_result kai_shape_set_colliding(kai_world* world, kai_body body, bool colliding);

/// Removes a shape from its body.
KAI_API kai_result kai_shape_destroy(kai_world* world, kai_shape shape);

/// The kind, instance, common part and body of a shape; any output may be NULL. `*params` is valid
/// until the next call that changes the world's shapes.
KAI_API kai_result kai_shape_get(const kai_world* world, kai_shape shape,
                                 const kai_shape_kind** kind, const void** params,
                                 kai_shape_def* def, kai_body* body);

/// The first shape of a body (null: it has none), and the one after a given shape.
KAI_API kai_shape kai_shape_first(const kai_world* world, kai_body body);
KAI_API kai_shape kai_shape_next(const kai_world* world, kai_shape shape); ///< null after the last

/// How many shapes the world has.
KAI_API size_t kai_shape_count(const kai_world* world);

/// The key of a shape, and the shape of a key, null when there is none: see kai_body_key.
KAI_API uint64_t kai_shape_key(const kai_world* world, kai_shape shape);
KAI_API kai_shape kai_shape_by_key(const kai_world* world,
                                   uint64_t key); ///< null when there is none

#ifdef __cplusplus
}
#endif

#endif
