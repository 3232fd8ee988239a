// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The contacts of a page: points, normals and gaps of each of its frames, from trajectory.h5.
#ifndef VIEW_PAGE_CONTACTS_H
#define VIEW_PAGE_CONTACTS_H

#include "view/frames_plan.h"

/// Every how many-th contact fits into `room` bytes of a page; 1: all of them.
size_t kai_page_contacts_stride(const kai_frames_plan* plan, double room);

/// Adds ,"contacts": {…} to the text, where there were any looked for, and their chunks.
kai_result kai_page_contacts_write(const kai_frames_plan* plan, size_t stride, kai_chunks* chunks,
                                   kai_text* to, kai_error* err);

#endif
