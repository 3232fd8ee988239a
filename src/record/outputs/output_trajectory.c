// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The keys of "trajectory": what a scene says about its snapshots.
#include "record/trajectory/trajectory_fields.h"

typedef kai_trajectory_def def_type;

static const char* const KEPT[] = {"auto", "always", "never", NULL};
_Static_assert(KAI_TRAJECTORY_VELOCITY_BODIES == 1000 && KAI_TRAJECTORY_TOUCH_BODIES == 500,
               "the numbers in the texts below");

static const kai_param PARAMS[] = {
    KAI_PARAM(BOOL, def_type, enabled, .initial = {1.0},
              .doc = "Whether trajectory.h5 is written."),
    KAI_PARAM(
        REAL, def_type, every, .unit = "s", .range = KAI_AT_LEAST(0.0),
        .doc =
            "Time between frames; 0: the whole number of steps nearest to 1/30 s, but fewer where a run "
            "to the scene's end would have less than 100 frames, more where it would have over 3,000, "
            "and at least 50 "
            "of them for more than 10,000 bodies without contact, joints and elements."),
    KAI_PARAM(BOOL, def_type, double_precision,
              .doc =
                  "Positions, rotations and velocities as 64-bit numbers instead of 32-bit ones."),
    KAI_PARAM(
        ENUM, def_type, velocity, .words = KEPT,
        .doc =
            "Whether velocities are stored in addition to positions and rotations; `auto`: for up to 1,000 bodies."),
    KAI_PARAM(
        ENUM, def_type, contacts, .words = KEPT,
        .doc =
            "Whether contacts and their forces are stored, and so shown on the page; `auto`: for up to 500 bodies and nodes, and where contacts are detected without forces (`collision`). Contacts of a bed of grains take three times the space of its motion."),
    KAI_PARAM(
        INT, def_type, compression, .initial = {-1.0}, .range = KAI_BETWEEN(-1.0, 9.0),
        .doc = "Deflate level of the file, 0: none; -1: 4 for up to 32,768 bodies, none for more. "
               "Files of up to 32,768 bodies are packed when the run ends."),
    KAI_PARAM(
        WORDS, def_type, fields, .words = kai_trajectory_fields_words,
        .doc =
            "Quantities of every body that are stored for colours, here and on the page: speed of the mass centre (m/s), angular speed (rad/s), kinetic energy (J), magnitude of the sum of its contact forces (N), sum of their magnitudes (N), and number of contacts with a force."),
};

const kai_kind kai_output_trajectory_kind =
    KAI_KIND("trajectory", def_type, PARAMS, .doc = "The snapshots for replay (trajectory.h5).");
