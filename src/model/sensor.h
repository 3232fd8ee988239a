// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of the engine needs of sensors. Their kinds are in sense/, sampling in
// step/sensor_measure.c.
#ifndef MODEL_SENSOR_H
#define MODEL_SENSOR_H

#include "model/world.h"

#include <kairos/sensor.h>

static inline const kai_sensor_kind* kai_sensor_kind_of(const kai_store_batch* batch)
{
    return (const kai_sensor_kind*)(const void*)batch->kind;
}

/// How many numbers a sample of a kind has; 0 for images.
size_t kai_sensor_value_count(const kai_sensor_kind* kind);

/// Whether every body and joint that an instance refers to is there.
kai_result kai_sensor_check_ends(const kai_world* world, const kai_kind* kind, const void* instance,
                                 kai_error* err);

/// The stream of the random numbers of a sensor: by its name, or its id where it has none.
uint64_t kai_sensor_stream(const kai_world* world, kai_sensor sensor);

#endif
