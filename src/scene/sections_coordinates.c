// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/sections_coordinates.h"

#define STIFFNESS(name_)                                                                           \
    {                                                                                              \
        .name = name_, .type = KAI_PARAM_CURVE, .offset = offsetof(kai_coordinate_def, stiffness), \
        .unit = "N m/rad, N/m",                                                                    \
        .doc = "Stiffness, or rows [deflection, resisting torque or force]."                       \
    }

static const kai_param SPRING_PARAMS[] = {
    STIFFNESS("stiffness"),
    KAI_PARAM(REAL, kai_coordinate_def, rest, .unit = "rad, m",
              .doc = "Value of the coordinate at which the spring is not deflected."),
    KAI_PARAM(
        REAL, kai_coordinate_def, preload, .unit = "N m, N",
        .doc = "Torque or force at rest; positive pushes the coordinate towards smaller values."),
    KAI_PARAM(
        FUNCTION, kai_coordinate_def, law, .unit = "N m, N",
        .doc =
            "Additional resisting torque or force: a function whose argument is the deflection instead of time."),
};

const kai_kind kai_sections_coordinates_spring = KAI_KIND(
    "spring", kai_coordinate_def, SPRING_PARAMS, .doc = "A spring in a coordinate of a joint.");

const kai_param kai_sections_coordinates_stiffness = STIFFNESS("spring");

const kai_param kai_sections_coordinates_damping = KAI_PARAM(
    CURVE, kai_coordinate_def, damping, .unit = "N m s/rad, N s/m", .range = KAI_AT_LEAST(0.0),
    .doc = "Damping coefficient, or rows [rate, resisting torque or force].");

const kai_param kai_sections_coordinates_friction =
    KAI_PARAM(VALUE, kai_coordinate_def, friction, .unit = "N m, N", .range = KAI_AT_LEAST(0.0),
              .doc = "Maximum dry friction torque or force; a number or a function of time.");

// The keys ---------------------------------------------------------------------------------------

static const kai_sections_key KEYS[] = {{.name = "type", .required = true},
                                        {.name = "limits"},
                                        {.name = "spring"},
                                        {.name = "damping"},
                                        {.name = "friction"}};

const kai_sections_part kai_sections_coordinates_part = {.keys = KEYS,
                                                         .key_count = KAI_COUNT(KEYS)};

const kai_sections_part* kai_sections_coordinates_part_of(const kai_sections_part* part,
                                                          const kai_kind* kind)
{
    if (part != &kai_sections_joint_part) return part;
    const kai_joint_kind* joint = (const kai_joint_kind*)(const void*)kind;
    return joint->has_angle || joint->has_travel ? &kai_sections_coordinates_part : part;
}
