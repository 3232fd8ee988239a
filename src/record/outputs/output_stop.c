// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The keys of items of "stop": what ends a run before its end.
#include <kairos/output.h>
#include <math.h>

typedef kai_stop_def def_type;

static const char* const WHEN[] = {"value", "settled", "wall", NULL};

static const kai_param PARAMS[] = {
    KAI_PARAM(
        ENUM, def_type, when, .words = WHEN,
        .doc =
            "`value`: a quantity passes a limit; `settled`: the kinetic energy of the world "
            "stays below a limit; `wall`: the run has taken some time. Absent: what the other keys say."),
    KAI_PARAM(STRING, def_type, component,
              .doc = "Of a quantity with several numbers: which, such as `z`."),
    KAI_PARAM(REAL, def_type, below, .initial = {(double)NAN},
              .doc =
                  "Ends the run when the number is less than this, in the unit of the quantity."),
    KAI_PARAM(REAL, def_type, above, .initial = {(double)NAN},
              .doc = "Ends the run when the number is greater than this."),
    KAI_PARAM(REAL, def_type, kinetic_energy, .unit = "J", .initial = {(double)NAN},
              .range = KAI_ABOVE(0.0), .doc = "With `settled`: the limit."),
    KAI_PARAM_AS("for", REAL, def_type, duration, .unit = "s", .range = KAI_AT_LEAST(0.0),
                 .doc = "Simulated time for which the condition must hold at every step; 0: once."),
    KAI_PARAM(REAL, def_type, wall_time, .unit = "s", .range = KAI_AT_LEAST(0.0),
              .doc = "With `wall`: wall-clock time since the run, or its resumption, began."),
};

const kai_kind kai_output_stop_kind = KAI_KIND(
    "stop", def_type, PARAMS,
    .doc = "A condition that ends a run before its end. The run is done then; run.json says "
           "by what (`stopped_by`).");
