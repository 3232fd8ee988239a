// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The first part of a manifest: what the run was.
#ifndef VIEW_MANIFEST_H
#define VIEW_MANIFEST_H

#include "base/text.h"

#include <kairos/output.h>

/// What a page says about its run beside what the world knows.
typedef struct kai_manifest {
    const kai_world* world;
    const kai_view_def* view;
    const char* name;       // title of the scene
    const char* scene_text; // resolved scene
    const char* summary;    // run.json, or NULL
    bool live;
} kai_manifest;

/// Adds "kairos": 1, … "view": {…} to the text, without braces around.
void kai_manifest_write(const kai_manifest* manifest, kai_text* to);

#endif
