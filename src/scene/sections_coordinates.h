// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The keys limits, spring, damping and friction of joints that have an angle or a travel.
#ifndef SCENE_SECTIONS_COORDINATES_H
#define SCENE_SECTIONS_COORDINATES_H

#include "scene/sections.h"

#include <kairos/coordinate.h>

/// Instances are a kai_coordinate_def.
extern const kai_kind kai_sections_coordinates_spring;     // the object of "spring"
extern const kai_param kai_sections_coordinates_stiffness; // "spring" as a number or rows
extern const kai_param kai_sections_coordinates_damping;
extern const kai_param kai_sections_coordinates_friction;

/// What a joint with an angle or a travel takes: the part of joints with four keys more.
extern const kai_sections_part kai_sections_coordinates_part;

/// The part that describes one kind of a family: `part`, or for joints with a coordinate the above.
const kai_sections_part* kai_sections_coordinates_part_of(const kai_sections_part* part,
                                                          const kai_kind* kind);

#endif
