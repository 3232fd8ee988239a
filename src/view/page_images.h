// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The part of a page that shows what lidars and depth cameras saw.
#ifndef VIEW_PAGE_IMAGES_H
#define VIEW_PAGE_IMAGES_H

#include "view/chunks.h"

#include <kairos/world.h>

/// Adds ,"images": […] of the files of a run's sensors to the text, and their chunks: at most about
/// `room` bytes of a page.
kai_result kai_page_images_write(const kai_world* world, const char* folder, double room,
                                 kai_chunks* chunks, kai_text* to, kai_error* err);

#endif
