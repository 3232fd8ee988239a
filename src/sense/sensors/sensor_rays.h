// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What lidar and depth camera share: an image whose pixels are distances along rays.
#ifndef SENSE_SENSOR_RAYS_H
#define SENSE_SENSOR_RAYS_H

#include <kairos/sensor.h>

/// Most pixels of an image.
#define KAI_SENSOR_RAYS_MOST (1 << 24)

/// Rays of one image.
typedef struct kai_sensor_rays {
    const kai_sensor_place* place;
    uint32_t rows, columns;
    const double* range; // least and largest distance along `axis`
    double noise;        // m
    bool depth;          // pixels are distances along x, not along the ray
    /// The direction of a ray, of length 1, in the sensor's frame.
    kai_vec3 (*direction)(const void* context, uint32_t row, uint32_t column);
    const void* context;
} kai_sensor_rays;

/// Writes the image.
kai_result kai_sensor_rays_cast(const kai_sensor_rays* rays, const kai_sensor_view* view,
                                float* pixels, kai_error* err);

/// Rules that both kinds have.
kai_result kai_sensor_rays_check(int64_t rows, int64_t columns, const double range[2],
                                 kai_error* err);

#endif
