// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef MODEL_SECTION_RESULTS_H
#define MODEL_SECTION_RESULTS_H

#include <kairos/section.h>

/// An empty list of figures; NULL without memory.
kai_section_results* kai_section_results_make(void);

#endif
