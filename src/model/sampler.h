// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What lattices of samplers share.
#ifndef MODEL_SAMPLER_H
#define MODEL_SAMPLER_H

#include <kairos/sampler.h>

/// Points along one axis, in the middle of what balls leave free.
typedef struct kai_sampler_row {
    double first, spacing;
    double count; // whole; 0: no ball fits
} kai_sampler_row;

kai_sampler_row kai_sampler_row_make(double low, double high, double radius, double spacing);

/// The distance that was given, or the diameter of a particle's ball.
static inline double kai_sampler_spacing(const kai_sampler_view* view, double given)
{
    return given > 0.0 ? given : 2.0 * view->radius;
}

#endif
