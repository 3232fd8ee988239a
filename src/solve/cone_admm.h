// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef SOLVE_CONE_ADMM_H
#define SOLVE_CONE_ADMM_H

#include "solve/cone_work.h"

/// Its arrays in an empty workspace.
void kai_cone_admm_init(kai_cone* cone);

/// Alternating directions: velocities of all bodies at once by a sparse factorisation, then each
/// contact alone. For small problems that others are slow on: long stacks, large ratios of masses.
/// KAI_ERROR_LIMIT where the factors would take more than 256 MiB (thousands of bodies in a heap).
kai_result kai_cone_admm(kai_cone_work* work);

#endif
