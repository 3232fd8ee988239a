// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The images of one sensor, as an HDF5 file that grows by frames:
//
//     images   [frames, rows, columns]   32-bit numbers, packed; rows from the top, inf: nothing met
//     time     [frames]                  s
//     frame    [frames, 7]               where the sensor was: position x y z, m, and quaternion w x y z
//
// and at its root what these are: sensor, kind, quantity, unit, and for points in space the numbers
// that its kind's documentation names. A frame with a time is whole.
#ifndef RECORD_IMAGE_FILE_H
#define RECORD_IMAGE_FILE_H

#include "base/error.h"

#include <kairos/sensor.h>

typedef struct kai_image_file kai_image_file;

/// Numbers of `frame` for each image.
enum { KAI_IMAGE_FILE_FRAME = 7 };

/// Begins the file of a sensor, or goes on with one that has `frames` images, cut back to these.
kai_result kai_image_file_create(kai_image_file** out, const char* path, const kai_world* world,
                                 kai_sensor sensor, uint64_t frames, kai_error* err);

/// Takes an image at the present state and adds it.
kai_result kai_image_file_add(kai_image_file* file, kai_world* world, kai_error* err);

/// Hands all images to the system; `sync`: waits until they are on disk.
kai_result kai_image_file_flush(kai_image_file* file, bool sync, kai_error* err);

/// Closes. `discard`: what waits is not written, after an error. NULL is allowed.
kai_result kai_image_file_close(kai_image_file* file, bool discard, kai_error* err);

#endif
