// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A late sample is that of an earlier state: the states of the last samples are kept in a ring.
#include "base/error.h"
#include "sense/sensors/sensor_error.h"

#include <kairos/body.h>
#include <kairos/world.h>

enum { NUMBERS = 6, RING = (KAI_SENSOR_DELAY + 1) * NUMBERS };

typedef struct gps {
    kai_sensor_gps_params given;
    kai_vec3 walk;     // what the bias has gained
    int64_t late;      // samples that it is late
    double past[RING]; // position and velocity at sample n in place n mod (late + 1)
} gps;

static kai_vec3 scaled(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

static void put(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static kai_vec3 get(const double* from) { return kai_vec3_make(from[0], from[1], from[2]); }

static kai_result measure_gps(const kai_sensor_view* view, double* values, kai_error* err)
{
    (void)err;
    gps* s = view->instance;
    const kai_sensor_gps_params* g = &s->given;
    const kai_vec3 at = kai_sensor_frame(view->world, &g->place).position;
    double* here = s->past + NUMBERS * (view->sample % (s->late + 1));
    put(here, at);
    put(here + 3, kai_body_point_velocity(view->world, g->place.body, at));
    // Before there is a state so old, the first one.
    const int64_t then = view->sample > s->late ? view->sample - s->late : 0;
    const double* old = s->past + NUMBERS * (then % (s->late + 1));
    if (kai_vec3_max_abs(g->bias_walk) > 0.0)
        s->walk = kai_vec3_mul_add(s->walk, scaled(g->bias_walk, kai_sensor_error_draw(view, 6)),
                                   sqrt(view->interval));
    kai_vec3 x = kai_vec3_add(kai_vec3_add(get(old), g->bias), s->walk);
    x = kai_vec3_add(x, scaled(g->noise, kai_sensor_error_draw(view, 0)));
    put(values, x);
    put(values + 3,
        kai_vec3_add(get(old + 3), scaled(g->velocity_noise, kai_sensor_error_draw(view, 3))));
    return KAI_OK;
}

static kai_result check_gps(const void* instance, kai_error* err)
{
    const kai_sensor_gps_params* g = instance;
    if (g->delay == 0.0) return KAI_OK;
    if (g->base.rate == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "delay is %g s; needs a rate > 0, in whose samples it is counted",
                             g->delay);
    if (round(g->delay * g->base.rate) <= KAI_SENSOR_DELAY) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "delay is %g s, %.0f samples at %g Hz; must be at most %d samples",
                         g->delay, round(g->delay * g->base.rate), g->base.rate, KAI_SENSOR_DELAY);
}

static kai_result prepare_gps(const kai_world* world, void* instance, kai_error* err)
{
    (void)world;
    (void)err;
    gps* s = instance;
    s->walk = kai_vec3_zero();
    s->late = (int64_t)round(s->given.delay * s->given.base.rate);
    for (int i = 0; i < RING; i++) s->past[i] = 0.0;
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(10.0),
    KAI_SENSOR_PLACE_PARAMS(kai_sensor_gps_params, true, "Body that carries it."),
    KAI_PARAM_AS("noise", VEC3, gps, given.noise, .unit = "m", .range = KAI_AT_LEAST(0.0),
                 .doc = "Standard deviations of x, y and z of the position."),
    KAI_PARAM_AS("velocity_noise", VEC3, gps, given.velocity_noise, .unit = "m/s",
                 .range = KAI_AT_LEAST(0.0), .doc = "Likewise of the velocity."),
    KAI_PARAM_AS("bias", VEC3, gps, given.bias, .unit = "m", .doc = "Is added to the position."),
    KAI_PARAM_AS("bias_walk", VEC3, gps, given.bias_walk, .unit = "m/√s",
                 .range = KAI_AT_LEAST(0.0),
                 .doc = "Standard deviations that the bias gains per square root of a second."),
    KAI_PARAM_AS("delay", REAL, gps, given.delay, .unit = "s", .range = KAI_AT_LEAST(0.0),
                 .doc = "Samples are of a state so long ago, in whole samples, at most 32; of the "
                        "first one until then."),
    KAI_PARAM(VEC3, gps, walk, .hidden = true),
    KAI_PARAM(INT, gps, late, .range = KAI_BETWEEN(0, KAI_SENSOR_DELAY), .hidden = true),
    KAI_PARAM(REAL, gps, past, .columns = RING, .hidden = true),
};

static const char* const XYZ[] = {"x", "y", "z"};
static const kai_sensor_channel CHANNELS[] = {
    {"position", "m", "Of the point where it sits, world frame.", 3, XYZ},
    {"velocity", "m/s", "Its velocity, world frame.", 3, XYZ},
    {NULL, NULL, NULL, 0, NULL}};

const kai_sensor_kind kai_sensor_gps = {
    .kind = KAI_KIND("gps", gps, PARAMS, .given = sizeof(kai_sensor_gps_params), .check = check_gps,
                     .doc = "A receiver of satellite navigation: position and velocity in the "
                            "world's coordinates, with noise, drift and delay."),
    .channels = CHANNELS,
    .measure = measure_gps,
    .prepare = prepare_gps};
