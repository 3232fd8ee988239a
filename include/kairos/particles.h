// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Particle groups: many equal bodies from one table. Each particle is a full body; the group keeps
// them together under one name for outputs and queries.
#ifndef KAIROS_PARTICLES_H
#define KAIROS_PARTICLES_H

#include <kairos/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Columns of a particle table, each [count] or NULL. position is needed, the rest may be absent.
typedef struct kai_particle_table {
    size_t count;
    const double *x, *y, *z;         ///< m
    const double *vx, *vy, *vz;      ///< m/s, NULL: at rest
    const double *qw, *qx, *qy, *qz; ///< body to world, NULL: not turned
    const double *wx, *wy, *wz;      ///< rad/s, world frame, NULL: no spin
    const double* radius;            ///< m, spheres only; NULL: that of the shape
} kai_particle_table;

/// What a group is created from.
typedef struct kai_particles_def {
    uint64_t cookie;             ///< set by kai_particles_def_default
    kai_string name;             ///< unique among groups; may be empty
    const kai_shape_kind* shape; ///< kind of every particle's shape
    const void* shape_params;    ///< instance of that kind
    kai_shape_def common;        ///< common part of every particle's shape
    double density;              ///< kg/m³; 0: the material's
    /// false: particles never turn, whatever acts on them: three unknowns each instead of six.
    /// Where their material has no friction either, a contact has one unknown. No joint can hold
    /// them.
    bool rotates;
    kai_particle_table table; ///< one row a particle
} kai_particles_def;

/// The defaults.
KAI_API kai_particles_def kai_particles_def_default(void);

/// Creates all particles, or none. A bad row is named in the message.
KAI_API kai_result kai_particles_create(kai_world* world, const kai_particles_def* def,
                                        kai_particles* out);

/// The group of a name, null when there is none.
KAI_API kai_particles kai_particles_find(const kai_world* world, const char* name);

/// How many groups the world has, and the i-th of them.
KAI_API size_t kai_particles_groups(const kai_world* world);
KAI_API kai_particles kai_particles_at(const kai_world* world,
                                       size_t i); ///< null when out of range

/// The group's name, and how many particles it was created with.
KAI_API const char* kai_particles_name(const kai_world* world, kai_particles group);
KAI_API size_t kai_particles_count(const kai_world* world,
                                   kai_particles group); ///< destroyed ones included

/// The body of the i-th particle; its id goes stale when it is destroyed.
KAI_API kai_body kai_particles_body(const kai_world* world, kai_particles group, size_t i);

#ifdef __cplusplus
}
#endif

#endif
