// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/language/sections_language.h"

// Parameters -------------------------------------------------------------------------------------

#define PARAMETER kai_sections_language_parameter

static const kai_param PARAMETER_PARAMS[] = {
    KAI_PARAM(STRING, PARAMETER, text,
              .doc = "Instead of a value: a text, which texts use as `{name}`."),
    KAI_PARAM(STRING, PARAMETER, unit,
              .doc =
                  "Unit of the value, min and max: a plain number is in it, a formula is checked "
                  "against it."),
    KAI_PARAM(REAL, PARAMETER, min, .initial = {-HUGE_VAL}, .doc = "Minimum, in that unit."),
    KAI_PARAM(REAL, PARAMETER, max, .initial = {HUGE_VAL}, .doc = "Maximum, in that unit."),
    KAI_PARAM(STRING, PARAMETER, doc, .doc = "Description, in one sentence."),
};

const kai_kind kai_sections_language_parameter_kind =
    KAI_KIND("parameter", PARAMETER, PARAMETER_PARAMS,
             .doc = "A name for a number or text, used in formulas.");

static const kai_sections_key PARAMETER_KEYS[] = {{.name = "value"}};

const kai_sections_part kai_sections_language_parameter_part = {
    .kind = &kai_sections_language_parameter_kind,
    .keys = PARAMETER_KEYS,
    .key_count = KAI_COUNT(PARAMETER_KEYS)};

// Instances --------------------------------------------------------------------------------------

#define INSTANCE kai_sections_language_instance

const char* const kai_sections_language_axes[] = {"none", "x", "y", "z", NULL};

static const kai_param INSTANCE_PARAMS[] = {
    KAI_PARAM(STRING, INSTANCE, name,
              .doc = "Names of the template's items begin with it and a point: "
                     "`front-left.upright`. Without one they keep their names."),
    KAI_PARAM(VEC3, INSTANCE, at, .unit = "m", .doc = "Position of the template's origin."),
    KAI_PARAM(ROTATION, INSTANCE, rotation, .doc = "Orientation of the template about its origin."),
    KAI_PARAM(
        ENUM, INSTANCE, mirror, .words = kai_sections_language_axes,
        .doc =
            "Coordinate of the template whose sign is changed before it is rotated: `y` makes a right part of a left one."),
    KAI_PARAM(BOOL, INSTANCE, when, .initial = {1.0},
              .doc = "Whether the instance exists; a formula that gives 0 means no."),
};

const kai_kind kai_sections_language_instance_kind =
    KAI_KIND("instance", INSTANCE, INSTANCE_PARAMS, .doc = "A template put into the scene.");

static const kai_sections_key INSTANCE_KEYS[] = {{.name = "template", .required = true},
                                                 {.name = "count"},
                                                 {.name = "parameters"},
                                                 {.name = "connect"},
                                                 {.name = "set"}};

const kai_sections_part kai_sections_language_instance_part = {
    .kind = &kai_sections_language_instance_kind,
    .keys = INSTANCE_KEYS,
    .key_count = KAI_COUNT(INSTANCE_KEYS)};

// Templates --------------------------------------------------------------------------------------

static const kai_param TEMPLATE_PARAMS[] = {
    KAI_PARAM(STRING, kai_sections_language_template, doc, .doc = "What it is."),
};

const kai_kind kai_sections_language_template_kind =
    KAI_KIND("template", kai_sections_language_template, TEMPLATE_PARAMS,
             .doc = "What a template says of itself.");

static const kai_sections_key TEMPLATE_KEYS[] = {{.name = "connect"}, {.name = "preview"}};

const kai_sections_part kai_sections_language_template_part = {
    .kind = &kai_sections_language_template_kind,
    .keys = TEMPLATE_KEYS,
    .key_count = KAI_COUNT(TEMPLATE_KEYS)};
