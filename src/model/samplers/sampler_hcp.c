// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Layers of triangles, rows √3/2 s apart; every second layer is moved by √3/6 s along y and s/2
// along x, and lies √(2/3) s higher: each ball touches twelve others, π/√18 = 0.7405 is filled.
#include "model/sampler.h"

typedef kai_sampler_lattice_params params;

static kai_result add_layer(const kai_sampler_view* view, const kai_sampler_row* x,
                            const kai_sampler_row* y, double z, bool second, kai_error* err)
{
    for (double j = 0.0; j < y->count; j++) {
        const bool odd = ((uint64_t)j % 2 == 1) != second;
        for (double i = 0.0; i < x->count; i++) {
            const kai_sampler_point point = {
                .position = {x->first + (odd ? i + 0.5 : i) * x->spacing,
                             y->first + (second ? j + 1.0 / 3.0 : j) * y->spacing, z}};
            KAI_TRY(kai_sampler_add(view, &point, err));
        }
    }
    return KAI_OK;
}

static kai_result sampler_hcp_sample(const kai_sampler_view* view, kai_error* err)
{
    const double s = kai_sampler_spacing(view, ((const params*)view->instance)->spacing);
    const kai_vec3 low = view->low, high = view->high;
    const double r = view->radius;
    const kai_sampler_row x = kai_sampler_row_make(low.x, high.x, r, s),
                          y = kai_sampler_row_make(low.y, high.y, r, sqrt(0.75) * s),
                          z = kai_sampler_row_make(low.z, high.z, r, sqrt(2.0 / 3.0) * s);
    KAI_TRY(kai_sampler_expect(view, x.count * y.count * z.count, 0.0, err));
    for (double k = 0.0; k < z.count; k++)
        KAI_TRY(add_layer(view, &x, &y, z.first + k * z.spacing, (uint64_t)k % 2 == 1, err));
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, spacing, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Distance between neighbours; 0: the diameter of the ball around a particle."),
};

const kai_sampler_kind kai_sampler_hcp = {
    .kind = KAI_KIND("hcp", params, PARAMS,
                     .doc = "A hexagonal close packing, layers across z: the densest one."),
    .sample = sampler_hcp_sample};
