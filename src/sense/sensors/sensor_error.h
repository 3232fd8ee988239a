// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What instruments of three components add to the truth: bias, its random walk, noise and a limit.
#ifndef SENSE_SENSOR_ERROR_H
#define SENSE_SENSOR_ERROR_H

#include <kairos/sensor.h>
#include <math.h>

/// Three random numbers from `index` on.
static inline kai_vec3 kai_sensor_error_draw(const kai_sensor_view* view, uint64_t index)
{
    return kai_vec3_make(kai_sensor_noise(view, index), kai_sensor_noise(view, index + 1),
                         kai_sensor_noise(view, index + 2));
}

/// Writes a sample of `truth` to values[3]. Takes six random numbers from `index` on; the walk of
/// the bias goes on.
static inline void kai_sensor_error_apply(const kai_sensor_view* view, const kai_list* errors,
                                          uint64_t index, kai_vec3 truth, kai_vec3* walk,
                                          double* values)
{
    static const kai_sensor_error exact = {0};
    const kai_sensor_error* e = errors->count > 0 ? errors->items : &exact;
    kai_vec3 x = kai_vec3_add(truth, e->bias);
    if (e->bias_walk > 0.0)
        *walk = kai_vec3_mul_add(*walk, kai_sensor_error_draw(view, index + 3),
                                 e->bias_walk * sqrt(view->interval));
    x = kai_vec3_add(x, *walk);
    if (e->noise > 0.0) x = kai_vec3_mul_add(x, kai_sensor_error_draw(view, index), e->noise);
    for (int k = 0; k < 3; k++) {
        const double v = kai_vec3_get(x, k);
        values[k] = e->range > 0.0 ? fmin(fmax(v, -e->range), e->range) : v;
    }
}

#endif
