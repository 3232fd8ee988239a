// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Outputs of sensors: the values of the last sample, or images.
#ifndef RECORD_OUTPUT_SENSOR_H
#define RECORD_OUTPUT_SENSOR_H

#include "measure/output.h"

/// Whether an output is the images of a sensor, which go to one HDF5 file.
bool kai_output_sensor_is_image(const kai_world* world, const kai_output_def* def);

/// Channel i of the sensor of an output, as a quantity; its name is NULL after the last.
kai_quantity kai_output_sensor_quantity(const kai_world* world, const kai_output_def* def, int i);

/// The values of channel i in the sensor's last sample.
kai_result kai_output_sensor_value(const kai_world* world, kai_sensor sensor, int i,
                                   double out[KAI_OUTPUT_COMPONENTS], kai_error* err);

/// Checks the definition of an output of a sensor.
kai_result kai_output_sensor_check(const kai_world* world, const kai_output_def* def,
                                   kai_error* err);

#endif
