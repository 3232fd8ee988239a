// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A pinhole camera that looks along x, y to the left and z up: the ray of the pixel in row r and
// column c is (f, (width - 1)/2 - c, (height - 1)/2 - r), f = (width / 2) / tan(field_of_view / 2)
// pixels. A pixel is the depth: the distance along x.
#include "base/error.h"
#include "sense/sensors/sensor_rays.h"

#include <math.h>

/// A camera and its focal length, pixels.
typedef struct lens {
    double focal, middle_row, middle_column;
} lens;

static kai_vec3 direction(const void* context, uint32_t row, uint32_t column)
{
    const lens* l = context;
    return kai_vec3_normalize(
        kai_vec3_make(l->focal, l->middle_column - column, l->middle_row - row));
}

static void size_of_image(const void* instance, uint32_t* rows, uint32_t* columns)
{
    const kai_sensor_depth_camera_params* g = instance;
    *rows = (uint32_t)g->height;
    *columns = (uint32_t)g->width;
}

static kai_result take(const kai_sensor_view* view, float* pixels, kai_error* err)
{
    const kai_sensor_depth_camera_params* g = view->instance;
    const lens l = {.focal = 0.5 * (double)g->width / tan(0.5 * g->field_of_view),
                    .middle_row = 0.5 * (double)(g->height - 1),
                    .middle_column = 0.5 * (double)(g->width - 1)};
    const kai_sensor_rays rays = {.place = &g->place,
                                  .rows = (uint32_t)g->height,
                                  .columns = (uint32_t)g->width,
                                  .range = g->range,
                                  .noise = g->noise,
                                  .depth = true,
                                  .direction = direction,
                                  .context = &l};
    return kai_sensor_rays_cast(&rays, view, pixels, err);
}

static kai_result check_camera(const void* instance, kai_error* err)
{
    const kai_sensor_depth_camera_params* g = instance;
    return kai_sensor_rays_check(g->height, g->width, g->range, err);
}

static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(10.0),
    KAI_SENSOR_PLACE_PARAMS(
        kai_sensor_depth_camera_params, false,
        "Body that carries it and is not seen; absent: it stands in the world."),
    KAI_PARAM(INT, kai_sensor_depth_camera_params, width, .required = true,
              .range = KAI_BETWEEN(1, 16384), .doc = "Pixels across."),
    KAI_PARAM(INT, kai_sensor_depth_camera_params, height, .required = true,
              .range = KAI_BETWEEN(1, 16384), .doc = "Pixels down."),
    KAI_PARAM(REAL, kai_sensor_depth_camera_params, field_of_view, .unit = "rad", .initial = {1.0},
              .range = {.bounded = true, .open_min = true, .min = 0.0, .max = 3.1},
              .doc = "Horizontal angle of view."),
    KAI_PARAM(REAL, kai_sensor_depth_camera_params, range, .unit = "m", .columns = 2,
              .required = true, .range = KAI_AT_LEAST(0.0),
              .doc = "Least and largest depth that counts."),
    KAI_PARAM(REAL, kai_sensor_depth_camera_params, noise, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Standard deviation of a depth."),
};

static const kai_sensor_channel PIXEL = {
    "depth", "m", "Distance of the first shape along the view axis; inf: nothing within the range.",
    1, NULL};

const kai_sensor_kind kai_sensor_depth_camera = {
    .kind = KAI_KIND("depth-camera", kai_sensor_depth_camera_params, PARAMS, .check = check_camera,
                     .doc = "A depth camera: looks along x, y to the left, z up. It sees shapes "
                            "that collide."),
    .size = size_of_image,
    .image = take,
    .pixel = &PIXEL};
