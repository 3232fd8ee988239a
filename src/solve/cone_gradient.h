// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Methods that move all impulses at once, along the projected gradient: f = ½ γᵀN γ + γᵀ û0 falls.
#ifndef SOLVE_CONE_GRADIENT_H
#define SOLVE_CONE_GRADIENT_H

#include "solve/cone_work.h"

/// Nesterov's accelerated method; begins anew where momentum leads astray (O'Donoghue and Candès
/// 2015; for contact: Mazhar and others 2015).
kai_result kai_cone_gradient_apgd(kai_cone_work* work);

/// Steps of Barzilai and Borwein with a line search that lets f grow now and then (spectral
/// projected gradient, Birgin and others 2000; for contact: Heyn and others 2013).
kai_result kai_cone_gradient_bb(kai_cone_work* work);

#endif
