// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/sections.h"

#include "base/error.h"

#include <kairos/driveline.h>
#include <kairos/joint_nodes.h>
#include <stdio.h>
#include <string.h>

// The scene --------------------------------------------------------------------------------------

static const char* const ANALYSIS_WORDS[] = {"dynamics",       "statics",       "assembly",
                                             "linear-statics", "quasi-statics", NULL};

static const kai_param SCENE_PARAMS[] = {
    {.name = "kairos",
     .type = KAI_PARAM_INT,
     .offset = offsetof(kai_sections_scene, kairos),
     .required = true,
     .range = KAI_BETWEEN(1, 1),
     .doc = "Version of the scene format: 1."},
    {.name = "name",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_scene, name),
     .doc = "Title of the scene."},
    {.name = "gravity",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_scene, gravity),
     .unit = "m/s²",
     .initial = {0.0, 0.0, -9.81},
     .doc = "Acceleration of free fall."},
    {.name = "end",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_sections_scene, end),
     .unit = "s",
     .required = true,
     .range = KAI_AT_LEAST(0.0),
     .doc = "Time at which a run ends."},
    {.name = "analysis",
     .type = KAI_PARAM_ENUM,
     .offset = offsetof(kai_sections_scene, analysis),
     .words = ANALYSIS_WORDS,
     .doc = "What is asked of the system: its motion in time; its equilibrium near the given "
            "positions; positions and velocities near the given ones with which all joints "
            "hold; equilibrium by linear theory; or equilibrium at every step, for loads and "
            "motions that vary in time. All but the first and the last are written as one sample "
            "at the start."},
};

static const kai_kind SCENE_KIND = {.name = "scene",
                                    .doc = "The whole scene.",
                                    .size = sizeof(kai_sections_scene),
                                    .params = SCENE_PARAMS,
                                    .param_count = KAI_COUNT(SCENE_PARAMS)};

static const kai_sections_key SCENE_KEYS[] = {
    {.name = "description"}, {.name = "step", .required = true},
    {.name = "include"},     {.name = "integrator"},
    {.name = "solver"},      {.name = "contact"},
    {.name = "materials"},   {.name = "material_pairs"},
    {.name = "bodies"},      {.name = "particles"},
    {.name = "joints"},      {.name = "motors"},
    {.name = "forces"},      {.name = "solids"},
    {.name = "nodes"},       {.name = "elements"},
    {.name = "structures"},  {.name = "shafts"},
    {.name = "driveline"},   {.name = "outputs"},
    {.name = "collision"},   {.name = "checks"},
    {.name = "trajectory"},  {.name = "view"}};

const kai_sections_part kai_sections_scene_part = {
    .kind = &SCENE_KIND, .keys = SCENE_KEYS, .key_count = KAI_COUNT(SCENE_KEYS)};

// Includes ---------------------------------------------------------------------------------------

static const kai_sections_key INCLUDE_KEYS[] = {{.name = "file", .required = true},
                                                {.name = "set"}};

const kai_sections_part kai_sections_include_part = {.keys = INCLUDE_KEYS,
                                                     .key_count = KAI_COUNT(INCLUDE_KEYS)};

// Bodies, shapes, particles ----------------------------------------------------------------------

static const kai_sections_key BODY_KEYS[] = {{.name = "shapes"}};

const kai_sections_part kai_sections_body_part = {
    .kind = &kai_body_kind, .keys = BODY_KEYS, .key_count = KAI_COUNT(BODY_KEYS)};

static const kai_sections_key TYPE_KEYS[] = {{.name = "type", .required = true}};

const kai_sections_part kai_sections_shape_part = {
    .kind = &kai_shape_common, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

static const kai_param PARTICLES_PARAMS[] = {
    {.name = "name",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_particles, name),
     .doc = "Unique among particle groups; outputs refer to it."},
    {.name = "file",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_particles, file),
     .required = true,
     .doc = "The table, .csv or .csv.gz, relative to the file that names it."},
    {.name = "density",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_sections_particles, density),
     .unit = "kg/m³",
     .range = KAI_ABOVE(0.0),
     .doc = "Density; that of the material when absent."},
    {.name = "material",
     .type = KAI_PARAM_MATERIAL,
     .offset = offsetof(kai_sections_particles, material),
     .doc = "Name of a material; that of the shape when absent."},
    {.name = "rotates",
     .type = KAI_PARAM_BOOL,
     .offset = offsetof(kai_sections_particles, rotates),
     .initial = {1.0},
     .doc = "false: particles never turn. With a material of friction 0 they are the cheapest "
            "matter there is: three unknowns a particle, one a contact."},
};

static const kai_kind PARTICLES_KIND = {.name = "particles",
                                        .doc = "Many equal bodies from a table.",
                                        .size = sizeof(kai_sections_particles),
                                        .params = PARTICLES_PARAMS,
                                        .param_count = KAI_COUNT(PARTICLES_PARAMS)};

static const kai_sections_key PARTICLES_KEYS[] = {{.name = "shape", .required = true}};

const kai_sections_part kai_sections_particles_part = {
    .kind = &PARTICLES_KIND, .keys = PARTICLES_KEYS, .key_count = KAI_COUNT(PARTICLES_KEYS)};

// Loads, integrators -----------------------------------------------------------------------------

static const kai_param LOAD_PARAMS[] = {
    {.name = "name",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_element, name),
     .doc = "Unique among loads; outputs refer to it."},
};

static const kai_kind LOAD_KIND = {.name = "load",
                                   .doc = "What every load takes.",
                                   .size = sizeof(kai_sections_element),
                                   .params = LOAD_PARAMS,
                                   .param_count = KAI_COUNT(LOAD_PARAMS)};

const kai_sections_part kai_sections_load_part = {
    .kind = &LOAD_KIND, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

const kai_sections_part kai_sections_integrator_part = {.keys = TYPE_KEYS,
                                                        .key_count = KAI_COUNT(TYPE_KEYS)};

// Joints -----------------------------------------------------------------------------------------

static const kai_param JOINT_PARAMS[] = {
    {.name = "name",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_element, name),
     .doc = "Unique among joints and motors; motors and outputs refer to it."},
};

static const kai_kind JOINT_KIND = {.name = "joint",
                                    .doc = "What every joint takes.",
                                    .size = sizeof(kai_sections_element),
                                    .params = JOINT_PARAMS,
                                    .param_count = KAI_COUNT(JOINT_PARAMS)};

const kai_sections_part kai_sections_joint_part = {
    .kind = &JOINT_KIND, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

const kai_sections_part kai_sections_motor_part = {
    .kind = &JOINT_KIND, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

// Shafts and what couples them -------------------------------------------------------------------

static const kai_param SHAFT_PARAMS[] = {
    {.name = "name",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_element, name),
     .doc = "Unique among shafts; couplings and outputs refer to it."},
};

const kai_kind kai_sections_shaft_kind = {.name = "shaft",
                                          .doc = "One shaft of the list `shafts`.",
                                          .size = sizeof(kai_sections_element),
                                          .params = SHAFT_PARAMS,
                                          .param_count = KAI_COUNT(SHAFT_PARAMS)};

static const kai_param COUPLING_PARAMS[] = {
    {.name = "name",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_element, name),
     .doc = "Unique among couplings; outputs refer to it."},
};

static const kai_kind COUPLING_KIND = {.name = "coupling",
                                       .doc = "What every coupling takes.",
                                       .size = sizeof(kai_sections_element),
                                       .params = COUPLING_PARAMS,
                                       .param_count = KAI_COUNT(COUPLING_PARAMS)};

const kai_sections_part kai_sections_coupling_part = {
    .kind = &COUPLING_KIND, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

// Frames -----------------------------------------------------------------------------------------

static const kai_param FRAME_PARAMS[] = {
    {.name = "at",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_frame, at),
     .unit = "m",
     .doc = "Its origin."},
    {.name = "rotation",
     .type = KAI_PARAM_ROTATION,
     .offset = offsetof(kai_sections_frame, rotation),
     .doc = "Takes its coordinates to those of the body."},
};

const kai_kind kai_sections_frame_kind = {.name = "frame",
                                          .doc = "A frame in a body's own frame.",
                                          .size = sizeof(kai_sections_frame),
                                          .params = FRAME_PARAMS,
                                          .param_count = KAI_COUNT(FRAME_PARAMS)};

// Outputs ----------------------------------------------------------------------------------------

static const kai_param OUTPUT_PARAMS[] = {
    {.name = "every",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_sections_output, every),
     .unit = "s",
     .initial = {0.01},
     .range = KAI_AT_LEAST(0.0),
     .doc = "Time between samples; 0: every step."},
    {.name = "file",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_output, file),
     .required = true,
     .doc =
         "Plain name of the file in the run's folder: ends in .csv (or .csv.gz for snapshots), used once."},
};

static const kai_kind OUTPUT_KIND = {.name = "output",
                                     .doc = "A time series.",
                                     .size = sizeof(kai_sections_output),
                                     .params = OUTPUT_PARAMS,
                                     .param_count = KAI_COUNT(OUTPUT_PARAMS)};

static kai_result check_ray(const void* instance, kai_error* err)
{
    const kai_sections_ray* ray = instance;
    const bool to = !isnan(ray->to.x), direction = !isnan(ray->direction.x);
    if (to == direction)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "ray has %s of to and direction; must have exactly one",
                             to ? "both" : "none");
    if (to && ray->length > 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "length goes with direction, not with to");
    const kai_vec3 d = to ? kai_vec3_sub(ray->to, ray->from) : ray->direction;
    if (!(kai_vec3_max_abs(d) > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s must not be %s", to ? "to" : "direction",
                             to ? "equal to from" : "[0, 0, 0]");
    return KAI_OK;
}

static const kai_param RAY_PARAMS[] = {
    {.name = "from",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_ray, from),
     .unit = "m",
     .required = true,
     .doc = "Where it begins: own frame of body, or world."},
    {.name = "to",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_ray, to),
     .unit = "m",
     .initial = {(double)NAN, (double)NAN, (double)NAN},
     .doc = "Where it ends, same frame."},
    {.name = "direction",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_ray, direction),
     .initial = {(double)NAN, (double)NAN, (double)NAN},
     .doc = "Instead of to: where it goes, same frame; need not be of length 1."},
    {.name = "length",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_sections_ray, length),
     .unit = "m",
     .range = KAI_AT_LEAST(0.0),
     .doc = "With direction: how far it looks; 0: any distance."},
    {.name = "body",
     .type = KAI_PARAM_BODY,
     .offset = offsetof(kai_sections_ray, body),
     .doc = "Name of a body that carries the ray and is not seen by it."},
};

const kai_kind kai_sections_ray_kind = {.name = "ray",
                                        .doc = "A ray that meets the shapes that collide.",
                                        .size = sizeof(kai_sections_ray),
                                        .params = RAY_PARAMS,
                                        .param_count = KAI_COUNT(RAY_PARAMS),
                                        .check = check_ray};

static const kai_param NEAREST_PARAMS[] = {
    {.name = "at",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_nearest, at),
     .unit = "m",
     .required = true,
     .doc = "The point: own frame of body, or world."},
    {.name = "limit",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_sections_nearest, limit),
     .unit = "m",
     .range = KAI_AT_LEAST(0.0),
     .doc = "Farthest distance that counts; 0: any."},
    {.name = "body",
     .type = KAI_PARAM_BODY,
     .offset = offsetof(kai_sections_nearest, body),
     .doc = "Name of a body that carries the point and is not seen by it."},
};

const kai_kind kai_sections_nearest_kind = {
    .name = "nearest",
    .doc = "A point and the surface nearest to it, of the shapes that collide.",
    .size = sizeof(kai_sections_nearest),
    .params = NEAREST_PARAMS,
    .param_count = KAI_COUNT(NEAREST_PARAMS)};

static kai_result check_element(const void* instance, kai_error* err)
{
    const kai_sections_place* p = instance;
    const bool name = p->name.text[0], structure = p->structure.text[0];
    if (name == structure || (p->number >= 0) != structure)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "element must have either name, or structure and number");
    return KAI_OK;
}

#define PLACE_AT                                                                                  \
    {.name = "at",                                                                                \
     .type = KAI_PARAM_VEC3,                                                                      \
     .offset = offsetof(kai_sections_place, at),                                                  \
     .doc = "Where in an element, each from -1 to 1 along its sides; of lines the first counts, " \
            "of shells the third goes through the thickness. Absent: in its middle."},            \
    {                                                                                             \
        .name = "layer", .type = KAI_PARAM_INT, .offset = offsetof(kai_sections_place, layer),    \
        .initial = {-1.0}, .range = KAI_BETWEEN(-1.0, 7.0),                                       \
        .doc = "Of shells: the third of at is the height in this layer, from 0 at the bottom; "   \
               "-1: in the whole shell."                                                          \
    }

static const kai_param ONE_ELEMENT_PARAMS[] = {
    {.name = "name",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_place, name),
     .doc = "Name of an element of the list `elements`."},
    {.name = "structure",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_place, structure),
     .doc = "Instead of name: the structure that it is in."},
    {.name = "number",
     .type = KAI_PARAM_INT,
     .offset = offsetof(kai_sections_place, number),
     .initial = {-1.0},
     .range = KAI_AT_LEAST(-1.0),
     .doc = "With structure: its number there, from 0 in the order of the mesh."},
    PLACE_AT,
};

const kai_kind kai_sections_one_element_kind = {
    .name = "one element",
    .doc = "A finite element and a place in it. Either name, or structure and number.",
    .size = sizeof(kai_sections_place),
    .params = ONE_ELEMENT_PARAMS,
    .param_count = KAI_COUNT(ONE_ELEMENT_PARAMS),
    .check = check_element};

static const kai_param ALL_ELEMENTS_PARAMS[] = {
    {.name = "structure",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_place, structure),
     .required = true,
     .doc = "The structure."},
    {.name = "set",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_place, set),
     .doc = "Elements that have a node in this set; absent: all."},
    PLACE_AT,
};

const kai_kind kai_sections_all_elements_kind = {
    .name = "elements of a structure",
    .doc = "Finite elements of a structure and a place in each.",
    .size = sizeof(kai_sections_place),
    .params = ALL_ELEMENTS_PARAMS,
    .param_count = KAI_COUNT(ALL_ELEMENTS_PARAMS)};

static const kai_param WHOLE_PARAMS[] = {
    {.name = "structure",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_place, structure),
     .required = true,
     .doc = "The structure."},
    {.name = "set",
     .type = KAI_PARAM_STRING,
     .offset = offsetof(kai_sections_place, set),
     .doc = "Nodes that positions, velocities and reactions are those of; absent: all."},
};

const kai_kind kai_sections_whole_kind = {.name = "nodes of a structure",
                                          .doc = "A structure and a set of its nodes.",
                                          .size = sizeof(kai_sections_place),
                                          .params = WHOLE_PARAMS,
                                          .param_count = KAI_COUNT(WHOLE_PARAMS)};

static const kai_sections_key OUTPUT_KEYS[] = {
    {.name = "body"},      {.name = "joint"},     {.name = "motor"},     {.name = "force"},
    {.name = "shaft"},     {.name = "coupling"},  {.name = "node"},      {.name = "element"},
    {.name = "elements"},  {.name = "structure"}, {.name = "particles"}, {.name = "ray"},
    {.name = "nearest"},   {.name = "overlap"},   {.name = "system"},    {.name = "contacts"},
    {.name = "quantities"}};

const kai_sections_part kai_sections_output_part = {
    .kind = &OUTPUT_KIND, .keys = OUTPUT_KEYS, .key_count = KAI_COUNT(OUTPUT_KEYS)};

// Rotations --------------------------------------------------------------------------------------

static kai_result check_axis(const void* instance, kai_error* err)
{
    const kai_vec3 axis = ((const kai_sections_axis_angle*)instance)->axis;
    if (kai_vec3_max_abs(axis) > 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "axis is [0, 0, 0]; must not be zero");
}

static const kai_param AXIS_ANGLE_PARAMS[] = {
    {.name = "axis",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_axis_angle, axis),
     .required = true,
     .doc = "Axis of the rotation; need not be of length 1."},
    {.name = "angle",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_sections_axis_angle, angle),
     .unit = "rad",
     .required = true,
     .doc = "Angle about that axis, right-handed."},
};

const kai_kind kai_sections_axis_angle_kind = {.name = "axis and angle",
                                               .doc = "A rotation about an axis.",
                                               .size = sizeof(kai_sections_axis_angle),
                                               .params = AXIS_ANGLE_PARAMS,
                                               .param_count = KAI_COUNT(AXIS_ANGLE_PARAMS),
                                               .check = check_axis};

const char* const kai_sections_orders[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx",
                                           "xzx", "yxy", "yzy", "zxz", "zyz", NULL};

static const kai_param EULER_PARAMS[] = {
    {.name = "euler",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(kai_sections_euler, euler),
     .unit = "rad",
     .required = true,
     .doc = "Three angles, in the order of the letters of `order`."},
    {.name = "order",
     .type = KAI_PARAM_ENUM,
     .offset = offsetof(kai_sections_euler, order),
     .words = kai_sections_orders,
     .doc = "Axes of the three turns, each about the axis as already turned."},
};

const kai_kind kai_sections_euler_kind = {
    .name = "Euler angles",
    .doc = "Three turns, one after the other, about the body's own axes.",
    .size = sizeof(kai_sections_euler),
    .params = EULER_PARAMS,
    .param_count = KAI_COUNT(EULER_PARAMS)};

// What the reader asks -----------------------------------------------------------------------------

const char* kai_sections_of_joint(const kai_joint_kind* kind)
{
    return kind->section ? kind->section : "joints";
}

const char* kai_sections_of_load(const kai_load_kind* kind)
{
    return kind->section ? kind->section : "forces";
}

void kai_sections_type_text(const kai_param* param, char* out, size_t size)
{
    const size_t repeats = kai_kind_repeats(param);
    const char* one = kai_kind_type_text(param->type);
    if (repeats > 1)
        snprintf(out, size, "a list of %zu, each %s", repeats, one);
    else
        snprintf(out, size, "%s", one);
}

bool kai_sections_is_square(const kai_param* param)
{
    return param->type == KAI_PARAM_TABLE && param->columns > 1 &&
           param->rows_max == param->columns;
}

uint32_t kai_sections_rows_min(const kai_param* param)
{
    return param->rows_min ? param->rows_min : param->required ? 1 : 0;
}
