// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds as the generated pages list them.
#ifndef GENDOCS_FAMILIES_H
#define GENDOCS_FAMILIES_H

#include <kairos/kind.h>

struct kai_world;

/// The kinds built into a family, in the order of its list, NULL after the last.
const kai_kind* docs_shapes(size_t i);
const kai_kind* docs_functions(size_t i);
const kai_kind* docs_integrators(size_t i);
const kai_kind* docs_laws(size_t i);
const kai_kind* docs_solids(size_t i);
const kai_kind* docs_elements(size_t i);
const kai_kind* docs_structures(size_t i);
const kai_kind* docs_sensors(size_t i);
const kai_kind* docs_signals(size_t i);
const kai_kind* docs_samplers(size_t i);
const kai_kind* docs_domains(size_t i); // shapes that samplers fill

/// From now on they end with the kinds that a world has beside its built-in ones: of a plug-in. NULL:
/// no longer.
void docs_families_of(const struct kai_world* world);

/// Likewise the kinds of joints and loads, by the list of a scene that they stand in.
const kai_kind* docs_joints(size_t i);
const kai_kind* docs_motors(size_t i);
const kai_kind* docs_loads(size_t i);     // of "forces"
const kai_kind* docs_couplings(size_t i); // of "driveline"

/// Keys that all kinds of joints have.
extern const kai_kind docs_joint_base;

#endif
