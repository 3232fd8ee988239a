// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The keys of "view": what a scene says about its page.
#include <kairos/output.h>

typedef kai_view_def def_type;

static const kai_param PARAMS[] = {
    KAI_PARAM(BOOL, def_type, enabled, .initial = {1.0}, .doc = "Whether index.html is written."),
    KAI_PARAM(
        REAL, def_type, frame_rate, .unit = "1/s", .range = KAI_AT_LEAST(0.0),
        .doc =
            "Frames per simulated second, also of the trajectory unless `every` is given there; 0: those of the trajectory, at most 600 in all."),
    KAI_PARAM(REAL, def_type, budget, .unit = "bytes", .initial = {1e8},
              .range = KAI_BETWEEN(1e4, 2e9),
              .doc = "Largest size of the page; what does not fit is shown by `kairos view`."),
    KAI_PARAM(REAL, def_type, position_error, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Largest error of positions on the page; 0: from the size of the scene."),
    KAI_PARAM(VEC3, def_type, camera, .unit = "m",
              .initial = {(double)NAN, (double)NAN, (double)NAN},
              .doc = "Initial position of the camera; chosen when absent."),
    KAI_PARAM(VEC3, def_type, target, .unit = "m",
              .initial = {(double)NAN, (double)NAN, (double)NAN},
              .doc = "Initial target point of the camera; chosen when absent."),
    KAI_PARAM(BODY, def_type, follow, .doc = "Body that the camera follows."),
};

const kai_kind kai_output_view_kind =
    KAI_KIND("view", def_type, PARAMS, .doc = "The page of the run (index.html).");
