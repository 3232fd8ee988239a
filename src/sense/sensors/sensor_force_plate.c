// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// With F the sum of the contact forces on the body and M their moment about the sensor's origin, in
// the sensor's frame, the centre of pressure is the point (x, y, 0) about which M has no component
// in the plane: M = (x, y, 0) × F + (0, 0, M_z'), so
//
//     x = -M_y / F_z        y = M_x / F_z
#include "sense/sensors/sensor_error.h"

#include "base/error.h"

#include <kairos/body.h>
#include <kairos/contact.h>
#include <kairos/world.h>

static kai_result measure_plate(const kai_sensor_view* view, double* values, kai_error* err)
{
    const kai_sensor_force_plate_params* g = view->instance;
    kai_world* world = view->world;
    kai_vec3 force, torque;
    const kai_result r = kai_contact_report_body(world, g->place.body, &force, &torque);
    if (r != KAI_OK) {
        if (err) *err = *kai_world_error(world);
        return r;
    }
    const kai_frame frame = kai_sensor_frame(world, &g->place);
    const kai_vec3 lever =
        kai_vec3_sub(kai_body_com_position(world, g->place.body), frame.position);
    torque = kai_vec3_add(torque, kai_vec3_cross(lever, force));
    kai_vec3 f = kai_frame_vector_from_parent(frame, force);
    kai_vec3 m = kai_frame_vector_from_parent(frame, torque);
    if (g->noise > 0.0) f = kai_vec3_mul_add(f, kai_sensor_error_draw(view, 0), g->noise);
    if (g->moment_noise > 0.0)
        m = kai_vec3_mul_add(m, kai_sensor_error_draw(view, 3), g->moment_noise);
    const bool loaded = fabs(f.z) > g->threshold;
    const double out[8] = {
        f.x, f.y, f.z, m.x, m.y, m.z, loaded ? -m.y / f.z : 0.0, loaded ? m.x / f.z : 0.0};
    for (int i = 0; i < 8; i++) values[i] = out[i];
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(100.0),
    KAI_SENSOR_PLACE_PARAMS(kai_sensor_force_plate_params, true,
                            "The plate: contact forces on it are summed."),
    KAI_PARAM(REAL, kai_sensor_force_plate_params, noise, .unit = "N", .range = KAI_AT_LEAST(0.0),
              .doc = "Standard deviation of each component of the force."),
    KAI_PARAM(REAL, kai_sensor_force_plate_params, moment_noise, .unit = "N m",
              .range = KAI_AT_LEAST(0.0), .doc = "Likewise of the moment."),
    KAI_PARAM(REAL, kai_sensor_force_plate_params, threshold, .unit = "N", .initial = {1.0},
              .range = KAI_AT_LEAST(0.0),
              .doc =
                  "Least normal force for which there is a centre of pressure; below it is 0 0."),
};

static const char* const XYZ[] = {"x", "y", "z"};
static const kai_sensor_channel CHANNELS[] = {
    {"force", "N", "Sum of the contact forces on the body in the last step, sensor's frame.", 3,
     XYZ},
    {"moment", "N m", "Their moment about the sensor's origin, sensor's frame.", 3, XYZ},
    {"center_of_pressure", "m",
     "Where the force pierces the plane z = 0 of the sensor's frame: x and y.", 2, XYZ},
    {NULL, NULL, NULL, 0, NULL}};

const kai_sensor_kind kai_sensor_force_plate = {
    .kind = KAI_KIND("force-plate", kai_sensor_force_plate_params, PARAMS,
                     .doc = "A force plate: force, moment and centre of pressure of what presses "
                            "on a body."),
    .channels = CHANNELS,
    .measure = measure_plate};
