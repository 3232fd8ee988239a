// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// viewer/dist/viewer.html, as it was when the library was built.
#ifndef VIEW_TEMPLATE_H
#define VIEW_TEMPLATE_H

#include <stddef.h>

/// What the viewer needs of a browser, as a Content-Security-Policy: its own scripts and styles,
/// and nothing from anywhere. What it may connect to is added.
#define KAI_TEMPLATE_POLICY                                                                 \
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; "              \
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; " \
    "connect-src "

/// The page, cut at the place for its data: everything before it, and everything after.
typedef struct kai_template_text {
    const char *head, *tail;
    size_t head_size, tail_size;
} kai_template_text;

/// The viewer that is built in. Without the mark for data, all of it is head.
kai_template_text kai_template_get(void);

#endif
