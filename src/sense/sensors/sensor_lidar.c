// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Column c of n looks along the middle of its share of the horizontal angle, azimuth
// a + (c + ½) (b - a) / n about z from x; rows are spread from the first vertical angle to the last,
// both included. All rays of a scan are of one moment.
#include "base/error.h"
#include "sense/sensors/sensor_rays.h"

#include <math.h>

static kai_vec3 direction(const void* context, uint32_t row, uint32_t column)
{
    const kai_sensor_lidar_params* g = context;
    const double *h = g->horizontal, *v = g->vertical;
    const double azimuth = h[0] + (column + 0.5) * (h[1] - h[0]) / (double)g->columns;
    const double share = g->rows > 1 ? (double)row / (double)(g->rows - 1) : 0.5;
    const double up = v[0] + share * (v[1] - v[0]);
    return kai_vec3_make(cos(azimuth) * cos(up), sin(azimuth) * cos(up), sin(up));
}

static void size_of_scan(const void* instance, uint32_t* rows, uint32_t* columns)
{
    const kai_sensor_lidar_params* g = instance;
    *rows = (uint32_t)g->rows;
    *columns = (uint32_t)g->columns;
}

static kai_result scan(const kai_sensor_view* view, float* pixels, kai_error* err)
{
    const kai_sensor_lidar_params* g = view->instance;
    const kai_sensor_rays rays = {.place = &g->place,
                                  .rows = (uint32_t)g->rows,
                                  .columns = (uint32_t)g->columns,
                                  .range = g->range,
                                  .noise = g->noise,
                                  .direction = direction,
                                  .context = g};
    return kai_sensor_rays_cast(&rays, view, pixels, err);
}

static kai_result check_lidar(const void* instance, kai_error* err)
{
    const kai_sensor_lidar_params* g = instance;
    return kai_sensor_rays_check(g->rows, g->columns, g->range, err);
}

static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(10.0),
    KAI_SENSOR_PLACE_PARAMS(
        kai_sensor_lidar_params, false,
        "Body that carries it and is not seen; absent: it stands in the world."),
    KAI_PARAM(INT, kai_sensor_lidar_params, columns, .required = true,
              .range = KAI_BETWEEN(1, 65536), .doc = "Rays around."),
    KAI_PARAM(INT, kai_sensor_lidar_params, rows, .initial = {1.0}, .range = KAI_BETWEEN(1, 4096),
              .doc = "Rays above each other."),
    KAI_PARAM(REAL, kai_sensor_lidar_params, horizontal, .unit = "rad", .columns = 2,
              .required = true, .range = KAI_BETWEEN(-7.0, 7.0),
              .doc = "Angles about z, from x, between which the columns look, each in the middle "
                     "of its share."),
    KAI_PARAM(REAL, kai_sensor_lidar_params, vertical, .unit = "rad", .columns = 2,
              .range = KAI_BETWEEN(-1.6, 1.6),
              .doc = "Angles up from the x-y plane of the first and the last row."),
    KAI_PARAM(REAL, kai_sensor_lidar_params, range, .unit = "m", .columns = 2, .required = true,
              .range = KAI_AT_LEAST(0.0), .doc = "Least and largest distance that counts."),
    KAI_PARAM(REAL, kai_sensor_lidar_params, noise, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Standard deviation of a distance."),
};

static const kai_sensor_channel PIXEL = {
    "range", "m", "Distance to the first shape along the ray; inf: nothing within the range.", 1,
    NULL};

const kai_sensor_kind kai_sensor_lidar = {
    .kind = KAI_KIND("lidar", kai_sensor_lidar_params, PARAMS, .check = check_lidar,
                     .doc = "A laser scanner: distances along rays in rows and columns. It sees "
                            "shapes that collide."),
    .size = size_of_scan,
    .image = scan,
    .pixel = &PIXEL};
