// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef SOLVE_CONE_PSOR_H
#define SOLVE_CONE_PSOR_H

#include "solve/cone_work.h"

/// Projected successive over-relaxation: contact by contact, each solved alone with the velocities
/// that the others have left.
kai_result kai_cone_psor(kai_cone_work* work);

#endif
