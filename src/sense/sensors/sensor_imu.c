// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// With R the rotation of the sensor's frame to the world, ω and α the angular velocity and
// acceleration of the body, r from the origin of its own frame to the sensor:
//
//     a = a_body + α × r + ω × (ω × r)
//     accelerometer = Rᵀ (a - g)        gyroscope = Rᵀ ω
#include "sense/sensors/sensor_error.h"

#include <kairos/body.h>
#include <kairos/world.h>

typedef struct imu {
    kai_sensor_imu_params given;
    kai_vec3 accelerometer_walk, gyroscope_walk; // what the biases have gained
} imu;

static kai_result measure_imu(const kai_sensor_view* view, double* values, kai_error* err)
{
    (void)err;
    imu* s = view->instance;
    const kai_world* world = view->world;
    const kai_body body = s->given.place.body;
    const kai_frame frame = kai_sensor_frame(world, &s->given.place);
    const kai_vec3 w = kai_body_angular_velocity(world, body),
                   alpha = kai_body_angular_acceleration(world, body);
    const kai_vec3 r = kai_vec3_sub(frame.position, kai_body_position(world, body));
    kai_vec3 a = kai_vec3_sub(kai_body_acceleration(world, body), kai_world_gravity(world));
    a = kai_vec3_add(a, kai_vec3_cross(alpha, r));
    a = kai_vec3_add(a, kai_vec3_cross(w, kai_vec3_cross(w, r)));
    if (kai_body_is_fixed(world, body)) a = kai_vec3_neg(kai_world_gravity(world));
    kai_sensor_error_apply(view, &s->given.accelerometer, 0, kai_frame_vector_from_parent(frame, a),
                           &s->accelerometer_walk, values);
    kai_sensor_error_apply(view, &s->given.gyroscope, 6, kai_frame_vector_from_parent(frame, w),
                           &s->gyroscope_walk, values + 3);
    return KAI_OK;
}

static kai_result prepare_imu(const kai_world* world, void* instance, kai_error* err)
{
    (void)world;
    (void)err;
    imu* s = instance;
    s->accelerometer_walk = s->gyroscope_walk = kai_vec3_zero();
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(100.0),
    KAI_SENSOR_PLACE_PARAMS(kai_sensor_imu_params, true, "Body that carries it."),
    KAI_PARAM_AS("accelerometer", LIST, imu, given.accelerometer, .item = &kai_sensor_error_kind,
                 .rows_max = 1, .unit = "m/s²",
                 .doc = "Errors of the accelerometer; absent: it is exact."),
    KAI_PARAM_AS("gyroscope", LIST, imu, given.gyroscope, .item = &kai_sensor_error_kind,
                 .rows_max = 1, .unit = "rad/s",
                 .doc = "Errors of the gyroscope; absent: it is exact."),
    KAI_PARAM(VEC3, imu, accelerometer_walk, .hidden = true),
    KAI_PARAM(VEC3, imu, gyroscope_walk, .hidden = true),
};

static const char* const XYZ[] = {"x", "y", "z"};
static const kai_sensor_channel CHANNELS[] = {
    {"acceleration", "m/s²",
     "Acceleration of the point where it sits less gravity, in the sensor's frame: at rest 9.81 "
     "upwards, in free fall 0.",
     3, XYZ},
    {"angular_velocity", "rad/s", "Angular velocity in the sensor's frame.", 3, XYZ},
    {NULL, NULL, NULL, 0, NULL}};

const kai_sensor_kind kai_sensor_imu = {
    .kind = KAI_KIND("imu", imu, PARAMS, .given = sizeof(kai_sensor_imu_params),
                     .doc = "An inertial measurement unit: accelerometer and gyroscope."),
    .channels = CHANNELS,
    .measure = measure_imu,
    .evaluated = true,
    .prepare = prepare_imu};
