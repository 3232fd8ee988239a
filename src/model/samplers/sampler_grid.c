// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/sampler.h"

typedef kai_sampler_lattice_params params;

static kai_result sampler_grid_sample(const kai_sampler_view* view, kai_error* err)
{
    const double s = kai_sampler_spacing(view, ((const params*)view->instance)->spacing);
    const kai_vec3 low = view->low, high = view->high;
    const kai_sampler_row x = kai_sampler_row_make(low.x, high.x, view->radius, s),
                          y = kai_sampler_row_make(low.y, high.y, view->radius, s),
                          z = kai_sampler_row_make(low.z, high.z, view->radius, s);
    KAI_TRY(kai_sampler_expect(view, x.count * y.count * z.count, 0.0, err));
    for (double k = 0.0; k < z.count; k++)
        for (double j = 0.0; j < y.count; j++)
            for (double i = 0.0; i < x.count; i++) {
                const kai_sampler_point point = {
                    .position = {x.first + i * s, y.first + j * s, z.first + k * s}};
                KAI_TRY(kai_sampler_add(view, &point, err));
            }
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, spacing, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Distance between neighbours along x, y and z; 0: the diameter of the ball "
                     "around a particle."),
};

const kai_sampler_kind kai_sampler_grid = {
    .kind = KAI_KIND("grid", params, PARAMS,
                     .doc = "A simple cubic lattice in the middle of the domain."),
    .sample = sampler_grid_sample};
