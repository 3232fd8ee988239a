// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Descriptions of what makes scenes out of parts: parameters, templates and instances.
#ifndef SCENE_SECTIONS_LANGUAGE_H
#define SCENE_SECTIONS_LANGUAGE_H

#include "scene/sections.h"

/// A parameter given as an object.
typedef struct kai_sections_language_parameter {
    kai_string text, unit, doc;
    double min, max;
} kai_sections_language_parameter;

/// An instance of a template; `count` and what may be given by formulas over i, j and k are keys.
typedef struct kai_sections_language_instance {
    kai_string name;
    kai_vec3 at;
    kai_quat rotation;
    int32_t mirror; // into kai_sections_language_axes
    bool when;
} kai_sections_language_instance;

/// What a template says of itself.
typedef struct kai_sections_language_template {
    kai_string doc;
} kai_sections_language_template;

extern const kai_kind kai_sections_language_parameter_kind;
extern const kai_kind kai_sections_language_instance_kind;
extern const kai_kind kai_sections_language_template_kind;

extern const kai_sections_part kai_sections_language_parameter_part;
extern const kai_sections_part kai_sections_language_instance_part;
extern const kai_sections_part kai_sections_language_template_part;

/// Words of `mirror`, ended by NULL.
extern const char* const kai_sections_language_axes[];

#endif
