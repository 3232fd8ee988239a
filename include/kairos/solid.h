// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Materials of finite elements (solids). In scenes they stand under "solids".
//
// A material is a density and a strain energy W(E) of the Green-Lagrange strain E, per volume of the
// undeformed body. Stress S = ∂W/∂E (second Piola-Kirchhoff) and stiffness D = ∂S/∂E follow. As E
// does not see rotations, any rotation is allowed.
//
// Strain and stress are six numbers, xx yy zz yz xz xy; shear strains are engineering ones (2 E).
#ifndef KAIROS_SOLID_H
#define KAIROS_SOLID_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What every instance of a material starts with.
typedef struct kai_solid_base {
    double density;      ///< kg/m³, undeformed
    double damping;      ///< s: stress per strain rate, as a multiple of D (stiffness-proportional)
    double mass_damping; ///< 1/s: force per velocity, as a multiple of mass (mass-proportional)
} kai_solid_base;

/// A kind of material. Its instance starts with a kai_solid_base.
typedef struct kai_solid_kind {
    kai_kind kind;
    /// True: D does not depend on the strain.
    bool linear;
    /// Energy W (J/m³) to `*energy`, S (Pa) to `stress`, D (Pa) to `stiffness` [36], by rows. Each
    /// may be NULL. False when the strain is beyond what the material allows (a volume that
    /// vanished).
    bool (*evaluate)(const void* instance, const double strain[6], double* energy, double* stress,
                     double* stiffness);
} kai_solid_kind;

/// A material as elements see it.
typedef struct kai_solid_view {
    const kai_solid_kind* kind; ///< NULL: not given
    const void* instance;
} kai_solid_view;

/// What every material has, of a view.
static inline const kai_solid_base* kai_solid_view_base(const kai_solid_view* view)
{
    return (const kai_solid_base*)view->instance;
}

/// Parameters of `elastic`: isotropic. St Venant-Kirchhoff where strains are large.
typedef struct kai_solid_elastic_params {
    kai_solid_base base;
    double young;   ///< Pa
    double poisson; ///< -1 < ν < 0.5
} kai_solid_elastic_params;

/// Parameters of `orthotropic`: three planes of symmetry, axes are the element's material axes.
typedef struct kai_solid_orthotropic_params {
    kai_solid_base base;
    kai_vec3 young;   ///< Pa, along x, y, z
    kai_vec3 poisson; ///< ν_yz, ν_xz, ν_xy: strain along the second for a pull along the first
    kai_vec3 shear;   ///< Pa, G_yz, G_xz, G_xy
} kai_solid_orthotropic_params;

/// Parameters of `neo-hookean`: W = μ/2 (tr C - 3) - μ ln J + λ/2 (ln J)².
typedef struct kai_solid_neo_hookean_params {
    kai_solid_base base;
    double young;   ///< Pa, at small strain
    double poisson; ///< 0 ≤ ν < 0.5
} kai_solid_neo_hookean_params;

/// Parameters of `mooney-rivlin`: W = c₁₀ (Ī₁ - 3) + c₀₁ (Ī₂ - 3) + κ/2 (J - 1)².
typedef struct kai_solid_mooney_rivlin_params {
    kai_solid_base base;
    double c10, c01; ///< Pa
    double bulk;     ///< κ, Pa
} kai_solid_mooney_rivlin_params;

KAI_API extern const kai_solid_kind kai_solid_elastic;       ///< isotropic, linear
KAI_API extern const kai_solid_kind kai_solid_orthotropic;   ///< three planes of symmetry
KAI_API extern const kai_solid_kind kai_solid_neo_hookean;   ///< rubber at moderate strain
KAI_API extern const kai_solid_kind kai_solid_mooney_rivlin; ///< rubber, nearly incompressible

/// Makes a kind of the user's own known to a world.
KAI_API kai_result kai_solid_register(kai_world* world, const kai_solid_kind* kind);

/// Adds a solid. `params` is an instance of the kind; `name` may be NULL or "".
KAI_API kai_result kai_solid_create(kai_world* world, const kai_solid_kind* kind,
                                    const void* params, const char* name, kai_solid* out);

/// The solid of a name, null when there is none; its kind and instance, NULL for a stale id.
KAI_API kai_solid kai_solid_find(const kai_world* world, const char* name);
KAI_API kai_solid_view kai_solid_get(const kai_world* world,
                                     kai_solid solid); ///< as elements see it

/// How many solids the world has.
KAI_API size_t kai_solid_count(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
