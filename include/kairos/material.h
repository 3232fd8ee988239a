// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Materials: surface and bulk properties that shapes refer to.
#ifndef KAIROS_MATERIAL_H
#define KAIROS_MATERIAL_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a material is made of. Contact laws read what they need; see the reference page for units.
typedef struct kai_material_def {
    kai_string name;        ///< unique among materials; may be empty
    double density;         ///< kg/m³, used by shapes when the body gives no density; 0: not given
    double friction;        ///< Coulomb coefficient of sliding
    double static_friction; ///< Coulomb coefficient of sticking; negative: the same as friction
    double rolling_friction;  ///< m
    double spinning_friction; ///< m
    double restitution;       ///< 0…1
    double cohesion;          ///< N, largest pulling force of a contact
    double adhesion;          ///< N
    double compliance;        ///< m/N
    double damping;           ///< s
    double young;             ///< Pa
    double poisson;           ///< -1…0.5
    double kn, kt;            ///< N/m, contact stiffness given directly; 0: from young and poisson
    double gn, gt;            ///< N s/m, contact damping given directly
    kai_contact_law law;      ///< of the penalty method; null: that of kai_contact_def
} kai_material_def;

/// Description of kai_material_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_material_kind;

/// The defaults.
KAI_API kai_material_def kai_material_def_default(void);

/// Adds a material. KAI_ERROR_ARGUMENT for a value out of range, KAI_ERROR_ID for a law that does
/// not exist, KAI_ERROR_NAME for a name used twice.
KAI_API kai_result kai_material_create(kai_world* world, const kai_material_def* def,
                                       kai_material* out);

/// The definition as it stands.
KAI_API kai_result kai_material_get(const kai_world* world, kai_material material,
                                    kai_material_def* out);

/// The material of a name, null when there is none.
KAI_API kai_material kai_material_find(const kai_world* world, const char* name);

/// How many materials the world has.
KAI_API size_t kai_material_count(const kai_world* world);

// Pairs ------------------------------------------------------------------------------------------

/// What two materials are together, instead of what follows from each of them. A coefficient that
/// is negative is not given: it follows from both, as ever.
typedef struct kai_material_pair_def {
    kai_material materials[2]; ///< in any order; twice the same: the material with itself
    double friction;           ///< Coulomb coefficient of sliding
    double static_friction;    ///< of sticking; that of sliding when friction alone is given
    double rolling_friction;   ///< m
    double spinning_friction;  ///< m
    double restitution;        ///< 0…1
    double cohesion;           ///< N
    double adhesion;           ///< N
    double compliance;         ///< m/N
    double damping;            ///< s
    double kn, kt;             ///< N/m
    double gn, gt;             ///< N s/m
    kai_contact_law law;       ///< of the penalty method; null: follows from both
} kai_material_pair_def;

/// Description of kai_material_pair_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_material_pair_kind;

/// Two null materials, and nothing given.
KAI_API kai_material_pair_def kai_material_pair_def_default(void);

/// Says what two materials are together. KAI_ERROR_ARGUMENT for a value out of range, KAI_ERROR_ID
/// for a material or law that does not exist, KAI_ERROR_NAME for two that have a pair already.
KAI_API kai_result kai_material_pair_create(kai_world* world, const kai_material_pair_def* def,
                                            kai_material_pair* out);

/// The definition as it stands.
KAI_API kai_result kai_material_pair_get(const kai_world* world, kai_material_pair pair,
                                         kai_material_pair_def* out);

/// How many pairs are given.
KAI_API size_t kai_material_pair_count(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
