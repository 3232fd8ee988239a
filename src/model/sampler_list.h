// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of samplers. A new kind is a file samplers/sampler_<name>.c, and one word here.
#ifndef MODEL_SAMPLER_LIST_H
#define MODEL_SAMPLER_LIST_H

#include <kairos/sampler.h>

#define KAI_SAMPLER_KINDS(X) \
    X(grid)                  \
    X(hcp)                   \
    X(poisson_disk)

#endif
