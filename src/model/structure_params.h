// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The parameters that every structure has.
#ifndef MODEL_STRUCTURE_PARAMS_H
#define MODEL_STRUCTURE_PARAMS_H

#include <kairos/structure.h>

/// What a set of nodes is kept as.
typedef struct kai_structure_set {
    kai_string name;
    kai_table nodes; // numbers in the mesh
} kai_structure_set;

extern const kai_kind kai_structure_set_kind;

/// Description of kai_structure_field.
extern const kai_kind kai_structure_field_kind;

/// Of kai_structure_base, which is the first member `base` of struct `type_`.
#define KAI_STRUCTURE_PARAMS(type_)                                                       \
    {.name = "position",                                                                  \
     .type = KAI_PARAM_VEC3,                                                              \
     .offset = offsetof(type_, base.position),                                            \
     .unit = "m",                                                                         \
     .doc = "Where the origin of the mesh is."},                                          \
        {.name = "rotation",                                                              \
         .type = KAI_PARAM_ROTATION,                                                      \
         .offset = offsetof(type_, base.rotation),                                        \
         .initial = {1.0},                                                                \
         .doc = "How the mesh is turned about it."},                                      \
        {.name = "velocity",                                                              \
         .type = KAI_PARAM_VEC3,                                                          \
         .offset = offsetof(type_, base.velocity),                                        \
         .unit = "m/s",                                                                   \
         .doc = "Velocity of the origin at the start."},                                  \
        {.name = "angular_velocity",                                                      \
         .type = KAI_PARAM_VEC3,                                                          \
         .offset = offsetof(type_, base.angular_velocity),                                \
         .unit = "rad/s",                                                                 \
         .doc = "Angular velocity about the origin at the start, world frame."},          \
        {.name = "color",                                                                 \
         .type = KAI_PARAM_COLOR,                                                         \
         .offset = offsetof(type_, base.color),                                           \
         .initial = {-1.0, -1.0, -1.0},                                                   \
         .range = KAI_BETWEEN(0.0, 1.0),                                                  \
         .doc = "Color in pictures; chosen by the viewer when absent."},                  \
        {.name = "fields",                                                                \
         .type = KAI_PARAM_LIST,                                                          \
         .offset = offsetof(type_, base.fields),                                          \
         .item = &kai_structure_field_kind,                                               \
         .doc = "What pictures and meshes.h5 show beside displacement and speed: means "  \
                "at nodes. Absent: von_mises, of lines axial_force."},                    \
        {.name = "nodes",                                                                 \
         .type = KAI_PARAM_TABLE,                                                         \
         .offset = offsetof(type_, base.nodes),                                           \
         .columns = 2,                                                                    \
         .hidden = true},                                                                 \
        {.name = "elements",                                                              \
         .type = KAI_PARAM_TABLE,                                                         \
         .offset = offsetof(type_, base.elements),                                        \
         .columns = 2,                                                                    \
         .hidden = true},                                                                 \
        {.name = "sets",                                                                  \
         .type = KAI_PARAM_LIST,                                                          \
         .offset = offsetof(type_, base.sets),                                            \
         .item = &kai_structure_set_kind,                                                 \
         .hidden = true},                                                                 \
    {                                                                                     \
        .name = "frames", .type = KAI_PARAM_BOOL, .offset = offsetof(type_, base.frames), \
        .hidden = true                                                                    \
    }

#endif
