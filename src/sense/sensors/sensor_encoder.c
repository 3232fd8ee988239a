// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An angle is known in (-π, π]; turns are counted from step to step.
#include "base/error.h"

#include <kairos/joint.h>
#include <kairos/sensor.h>
#include <kairos/world.h>
#include <math.h>

enum { ANY, ANGLE, TRAVEL };
static const char* const COORDINATES[] = {"any", "angle", "travel", NULL};

typedef struct encoder {
    kai_sensor_encoder_params given;
    bool turns;   // it reads an angle
    double angle; // of the last step, rad
    int64_t turn; // whole turns until then
} encoder;

static double angle_now(const kai_world* world, const encoder* s, double* travel)
{
    double angle = 0.0;
    *travel = 0.0;
    kai_joint_coordinates(world, s->given.joint, &angle, travel);
    return angle;
}

static void follow_encoder(const kai_world* world, void* instance)
{
    encoder* s = instance;
    double travel;
    if (!s->turns) return;
    // More than half a turn is the other way round through ±π.
    const double angle = angle_now(world, s, &travel);
    if (angle - s->angle > KAI_PI) s->turn--;
    if (angle - s->angle < -KAI_PI) s->turn++;
    s->angle = angle;
}

static kai_result measure_encoder(const kai_sensor_view* view, double* values, kai_error* err)
{
    (void)err;
    encoder* s = view->instance;
    const kai_sensor_encoder_params* g = &s->given;
    follow_encoder(view->world, s);
    double travel;
    const double angle = angle_now(view->world, s, &travel);
    const double x = s->turns ? angle + 2.0 * KAI_PI * (double)s->turn : travel;
    const double count_size = (s->turns ? 2.0 * KAI_PI : 1.0) / g->resolution;
    const double count = floor((x - g->offset) / count_size);
    const double before = g->base.values[0];
    values[0] = count;
    values[1] = count * count_size;
    values[2] = view->interval > 0.0 ? (count - before) * count_size / view->interval : 0.0;
    return KAI_OK;
}

static kai_result prepare_encoder(const kai_world* world, void* instance, kai_error* err)
{
    encoder* s = instance;
    const kai_joint_kind* kind = NULL;
    if (kai_joint_get(world, s->given.joint, &kind, NULL) != KAI_OK)
        return kai_error_set(err, KAI_ERROR_ID, "encoder: joint %u does not exist",
                             s->given.joint.index);
    const int32_t wanted = s->given.coordinate;
    s->turns = wanted == ANGLE || (wanted == ANY && kind->has_angle);
    if (s->turns ? !kind->has_angle : !kind->has_travel)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "encoder: a joint of kind %s has no %s",
                             kind->kind.name,
                             wanted == ANY ? "angle or travel" : COORDINATES[wanted]);
    double travel;
    s->turn = 0;
    s->angle = angle_now(world, s, &travel);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(100.0),
    KAI_PARAM_AS("joint", JOINT, encoder, given.joint, .required = true,
                 .doc = "Joint whose angle or travel it reads."),
    KAI_PARAM_AS("coordinate", ENUM, encoder, given.coordinate, .words = COORDINATES,
                 .doc = "Which coordinate; `any`: the angle where the joint has one."),
    KAI_PARAM_AS("resolution", REAL, encoder, given.resolution, .initial = {4096.0},
                 .range = KAI_ABOVE(0.0), .doc = "Counts per turn, or per metre of a travel."),
    KAI_PARAM_AS("offset", REAL, encoder, given.offset, .unit = "rad, m",
                 .doc = "Coordinate at which the count is 0."),
    KAI_PARAM(BOOL, encoder, turns, .hidden = true),
    KAI_PARAM(REAL, encoder, angle, .hidden = true),
    KAI_PARAM(INT, encoder, turn, .hidden = true),
};

static const kai_sensor_channel CHANNELS[] = {
    {"count", "", "Whole counts from 0, rounded down; turns are counted.", 1, NULL},
    {"position", "rad, m", "The same as an angle or a travel.", 1, NULL},
    {"speed", "rad/s, m/s", "Difference of the last two positions over the time between them.", 1,
     NULL},
    {NULL, NULL, NULL, 0, NULL}};

const kai_sensor_kind kai_sensor_encoder = {
    .kind = KAI_KIND("encoder", encoder, PARAMS, .given = sizeof(kai_sensor_encoder_params),
                     .doc = "A rotary or linear encoder: the coordinate of a joint in counts."),
    .channels = CHANNELS,
    .measure = measure_encoder,
    .prepare = prepare_encoder,
    .follow = follow_encoder};
