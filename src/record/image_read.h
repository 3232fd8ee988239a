// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Reading the images of a sensor back (image_file.h). Nothing in the file is believed.
#ifndef RECORD_IMAGE_READ_H
#define RECORD_IMAGE_READ_H

#include "base/error.h"

#include <kairos/kind.h>

typedef struct kai_image_read kai_image_read;

/// What a file holds.
typedef struct kai_image_info {
    char sensor[KAI_STRING_SIZE], kind[64], quantity[64], unit[64];
    uint32_t rows, columns;
    size_t frames;
    const double* times;               // [frames] s
    double horizontal[2], vertical[2]; // rad; NaN where the kind has none
    double field_of_view;              // likewise
    double range[2];                   // likewise, m
} kai_image_info;

/// Opens a file. KAI_ERROR_FORMAT when it is none, KAI_ERROR_FILE when it cannot be opened.
kai_result kai_image_read_open(kai_image_read** out, const char* path, kai_error* err);

/// What it holds, until it is closed.
kai_image_info kai_image_read_info(const kai_image_read* reader);

/// Image k: rows × columns pixels, and where the sensor was (position, quaternion: 7 numbers).
kai_result kai_image_read_image(kai_image_read* reader, size_t k, float* pixels, double* frame,
                                kai_error* err);

/// Closes. NULL is allowed.
void kai_image_read_close(kai_image_read* reader);

#endif
