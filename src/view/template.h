// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// viewer/dist/viewer.html, as it was when the library was built.
#ifndef VIEW_TEMPLATE_H
#define VIEW_TEMPLATE_H

#include <stddef.h>

/// The page, cut at the place for its data: everything before it, and everything after.
typedef struct kai_template_text {
    const char *head, *tail;
    size_t head_size, tail_size;
} kai_template_text;

/// The viewer that is built in. Without the mark for data, all of it is head.
kai_template_text kai_template_get(void);

#endif
