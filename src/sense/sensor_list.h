// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of sensors. A new kind is one file, sensors/sensor_<name>.c, and one word here.
#ifndef SENSE_SENSOR_LIST_H
#define SENSE_SENSOR_LIST_H

#include <kairos/sensor.h>

#define KAI_SENSOR_KINDS(X) \
    X(imu)                  \
    X(gps)                  \
    X(encoder)              \
    X(force_plate)          \
    X(contact)              \
    X(lidar)                \
    X(depth_camera)

#endif
