// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Samplers: where the particles of a group lie, in place of a table.
//
//     "particles": [{"name": "sand", "shape": {"type": "sphere", "radius": "2 mm"}, "density": 2600,
//                    "sampler": {"type": "hcp", "domain": {"type": "box", "size": [1, 1, 0.2]}}}]
//
// A sampler fills a domain, the inside of a shape, with balls that hold one particle each. A kind of
// a program's own lays out points by any rule and hands them over one by one; those whose ball is
// not inside the domain are left out. Its parameters are described as those of a load are (kind.h):
// scene keys, defaults, ranges, units, formulas and messages follow.
#ifndef KAIROS_SAMPLER_H
#define KAIROS_SAMPLER_H

#include <kairos/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The inside of a shape whose kind has depth() and bounds().
typedef struct kai_sampler_domain {
    const kai_shape_kind* shape;
    const void* params; ///< instance of that kind
    kai_vec3 at;        ///< origin of the shape, in the coordinates of the points, m
    kai_quat rotation;  ///< of the shape
} kai_sampler_domain;

/// The defaults: at the origin, not turned, no shape.
KAI_API kai_sampler_domain kai_sampler_domain_default(void);

/// Points that a sampler laid out.
typedef struct kai_sampler_points kai_sampler_points;

/// One of them.
typedef struct kai_sampler_point {
    kai_vec3 position; ///< m
    double radius;     ///< of the ball around this particle, m; 0: that of the view
} kai_sampler_point;

/// What a kind's sample() gets.
typedef struct kai_sampler_view {
    const void* instance;
    kai_vec3 low, high; ///< corners of a box around the domain, m
    double radius;      ///< of the ball around a particle that has no radius of its own, m
    kai_sampler_points* points;
} kai_sampler_view;

/// Whether a ball lies inside the domain, to 1e-9 of its radius. `radius` 0: that of the view.
KAI_API bool kai_sampler_fits(const kai_sampler_view* view, kai_vec3 position, double radius);

/// Adds a point, from inside sample(), if its ball lies inside the domain; else does nothing. Radii
/// of points become those of spheres; other shapes have one size. KAI_ERROR_LIMIT: so many
/// particles do not fit into the world's memory.
KAI_API kai_result kai_sampler_add(const kai_sampler_view* view, const kai_sampler_point* point,
                                   kai_error* err);

/// How many points were added so far, and the i-th.
KAI_API size_t kai_sampler_count(const kai_sampler_view* view);
KAI_API kai_sampler_point kai_sampler_at(const kai_sampler_view* view,
                                         size_t i); ///< zeros when out of range

/// To be asked before long work: KAI_ERROR_LIMIT when `count` particles, and `bytes` that sample()
/// takes beside them, do not fit into the world's memory.
KAI_API kai_result kai_sampler_expect(const kai_sampler_view* view, double count, double bytes,
                                      kai_error* err);

/// A kind of sampler.
typedef struct kai_sampler_kind {
    kai_kind kind;
    /// Lays out points. The same parameters and view must give the same points in the same order. A
    /// message goes to `err`.
    kai_result (*sample)(const kai_sampler_view* view, kai_error* err);
} kai_sampler_kind;

// Instances of the built-in kinds ----------------------------------------------------------------

/// Parameters of `grid` and `hcp`.
typedef struct kai_sampler_lattice_params {
    double spacing; ///< between neighbours, m; 0: the diameter of the ball around a particle
} kai_sampler_lattice_params;

/// Parameters of `poisson-disk`.
typedef struct kai_sampler_poisson_disk_params {
    double distance;  ///< least one of two points, m; 0: the diameter of the ball around a particle
    int64_t seed;     ///< of its random numbers
    int64_t attempts; ///< candidates around a point before it is given up
} kai_sampler_poisson_disk_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_sampler_kind kai_sampler_grid;
KAI_API extern const kai_sampler_kind kai_sampler_hcp;          ///< see kai_sampler_lattice_params
KAI_API extern const kai_sampler_kind kai_sampler_poisson_disk; ///< see its params

// Calls ------------------------------------------------------------------------------------------

/// Adds a kind of the user's own to this world. The table must outlive the world.
KAI_API kai_result kai_sampler_register(kai_world* world, const kai_sampler_kind* kind);

/// Radius of a ball around the origin of a particle that holds its shape: of a sphere its own, of
/// other kinds that of the box around the shape.
KAI_API kai_result kai_sampler_ball(kai_world* world, const kai_shape_kind* kind,
                                    const void* params, const kai_shape_def* def, double* out);

/// Fills a domain with balls of a radius > 0. KAI_ERROR_ARGUMENT when none fits. Give the points to
/// kai_sampler_free().
KAI_API kai_result kai_sampler_sample(kai_world* world, const kai_sampler_kind* kind,
                                      const void* params, const kai_sampler_domain* domain,
                                      double radius, kai_sampler_points** out);

/// The points as kai_particles_create takes them; valid until they are freed.
KAI_API kai_particle_table kai_sampler_table(const kai_sampler_points* points);

/// Gives points back. NULL is allowed.
KAI_API void kai_sampler_free(kai_sampler_points* points);

#ifdef __cplusplus
}
#endif

#endif
