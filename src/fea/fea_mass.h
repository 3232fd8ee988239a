// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mass of finite elements.
#ifndef FEA_FEA_MASS_H
#define FEA_FEA_MASS_H

#include "fea/fea.h"

/// Mass of every element, and the sparse matrix of all.
kai_result kai_fea_mass_assemble(kai_fea* fea, kai_world* world, kai_error* err);

#endif
