// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Results that follow from energy() and sample() of a kind of element; see kai_element_result_of.
#ifndef FEA_RESULTS_H
#define FEA_RESULTS_H

#include <kairos/element_kinds.h>

/// What the six strains of sample() are.
typedef enum kai_results_form {
    KAI_RESULTS_NONE,  ///< there is no sample()
    KAI_RESULTS_LINE,  ///< one face of two nodes
    KAI_RESULTS_SHELL, ///< one face of three or four
    KAI_RESULTS_SOLID  ///< more
} kai_results_form;

/// Which of them a kind has.
kai_results_form kai_results_form_of(const kai_element_kind* kind);

/// Result i of a form, NULL after the last; `energy`, which all have, is the first.
const kai_element_result* kai_results_at(kai_results_form form, size_t i);

/// Von Mises' stress of xx yy zz yz xz xy.
double kai_results_von_mises(const double stress[6]);

#endif
