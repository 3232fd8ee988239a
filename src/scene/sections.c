// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/sections.h"

#include "base/error.h"

#include <kairos/driveline.h>
#include <kairos/joint_nodes.h>
#include <stdio.h>

// The scene --------------------------------------------------------------------------------------

static const char* const ANALYSIS_WORDS[] = {"dynamics",       "statics",       "assembly",
                                             "linear-statics", "quasi-statics", NULL};

static const kai_param SCENE_PARAMS[] = {
    KAI_PARAM(INT, kai_sections_scene, kairos, .required = true, .range = KAI_BETWEEN(1, 1),
              .doc = "Version of the scene format: 1."),
    KAI_PARAM(STRING, kai_sections_scene, name, .doc = "Title of the scene."),
    KAI_PARAM(VEC3, kai_sections_scene, gravity, .unit = "m/s²", .initial = {0.0, 0.0, -9.81},
              .doc = "Acceleration of gravity."),
    KAI_PARAM(REAL, kai_sections_scene, end, .unit = "s", .required = true,
              .range = KAI_AT_LEAST(0.0), .doc = "Time at which a run ends."),
    KAI_PARAM(
        ENUM, kai_sections_scene, analysis, .words = ANALYSIS_WORDS,
        .doc =
            "dynamics: motion in time; statics: equilibrium near the given positions; assembly: positions and velocities near the given ones that satisfy all constraints; linear-statics: equilibrium by linear theory; quasi-statics: equilibrium at every step, for loads and prescribed motions that vary in time. All but dynamics and quasi-statics write one sample at the start."),
};

static const kai_kind SCENE_KIND =
    KAI_KIND("scene", kai_sections_scene, SCENE_PARAMS, .doc = "The whole scene.");

static const kai_sections_key SCENE_KEYS[] = {
    {.name = "description"}, {.name = "step"},           {.name = "include"},
    {.name = "integrator"},  {.name = "solver"},         {.name = "contact"},
    {.name = "materials"},   {.name = "material_pairs"}, {.name = "bodies"},
    {.name = "particles"},   {.name = "joints"},         {.name = "motors"},
    {.name = "forces"},      {.name = "solids"},         {.name = "nodes"},
    {.name = "elements"},    {.name = "structures"},     {.name = "shafts"},
    {.name = "driveline"},   {.name = "sensors"},        {.name = "outputs"},
    {.name = "collision"},   {.name = "checks"},         {.name = "stop"},
    {.name = "sleep"},       {.name = "start"},          {.name = "trajectory"},
    {.name = "view"},        {.name = "parameters"},     {.name = "templates"},
    {.name = "instances"},   {.name = "template"},       {.name = "signals"},
    {.name = "events"}};

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

static const kai_param PARTICLES_PARAMS[] = {
    KAI_PARAM(STRING, kai_sections_particles, name, .placing = KAI_PLACING_NAME,
              .doc = "Unique among particle groups; outputs refer to it."),
    KAI_PARAM(STRING, kai_sections_particles, file,
              .doc = "A table, .csv or .csv.gz, relative to the file that names it; or `sampler`."),
    KAI_PARAM(VEC3, kai_sections_particles, at, .unit = "m", .placing = KAI_PLACING_POINT,
              .doc = "Position of the origin of the table, or of the sampler's domain."),
    KAI_PARAM(ROTATION, kai_sections_particles, rotation, .placing = KAI_PLACING_POINT,
              .doc = "Orientation of the whole group about that origin."),
    KAI_PARAM(REAL, kai_sections_particles, density, .unit = "kg/m³", .range = KAI_ABOVE(0.0),
              .doc = "Density; that of the material when absent."),
    KAI_PARAM(MATERIAL, kai_sections_particles, material,
              .doc = "Name of a material; that of the shape when absent."),
    KAI_PARAM(
        BOOL, kai_sections_particles, rotates, .initial = {1.0},
        .doc =
            "Whether particles have rotational degrees of freedom. Without them and with a material of friction 0 the cost is lowest: three unknowns per particle, one per contact."),
};

static const kai_kind PARTICLES_KIND =
    KAI_KIND("particles", kai_sections_particles, PARTICLES_PARAMS,
             .doc = "Many equal bodies, from a table or a sampler.");

static const kai_sections_key PARTICLES_KEYS[] = {{.name = "shape", .required = true},
                                                  {.name = "sampler"}};

const kai_sections_part kai_sections_particles_part = {
    .kind = &PARTICLES_KIND, .keys = PARTICLES_KEYS, .key_count = KAI_COUNT(PARTICLES_KEYS)};

static const kai_sections_key SAMPLER_KEYS[] = {{.name = "type", .required = true},
                                                {.name = "domain", .required = true}};

const kai_sections_part kai_sections_sampler_part = {.keys = SAMPLER_KEYS,
                                                     .key_count = KAI_COUNT(SAMPLER_KEYS)};

static const kai_param DOMAIN_PARAMS[] = {
    KAI_PARAM(VEC3, kai_sections_frame, at, .unit = "m",
              .doc = "Origin of the shape, in the coordinates of the group."),
    KAI_PARAM(ROTATION, kai_sections_frame, rotation, .doc = "Orientation of the shape there."),
};

static const kai_kind DOMAIN_KIND =
    KAI_KIND("domain", kai_sections_frame, DOMAIN_PARAMS, .doc = "Keys of every domain.");

const kai_sections_part kai_sections_domain_part = {
    .kind = &DOMAIN_KIND, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

// Items of lists that have a name ----------------------------------------------------------------

/// What they take beside the keys of their kind.
#define NAMED(id, name_, unique, doc_)                                                    \
    static const kai_param id##_PARAMS[] = {KAI_PARAM(                                    \
        STRING, kai_sections_element, name, .placing = KAI_PLACING_NAME, .doc = unique)}; \
    const kai_kind kai_sections_##id##_kind =                                             \
        KAI_KIND(name_, kai_sections_element, id##_PARAMS, .doc = doc_);

NAMED(load, "load", "Unique among loads; outputs refer to it.", "Keys of every load.")
NAMED(joint, "joint", "Unique among joints and motors; motors and outputs refer to it.",
      "What every joint takes.")
NAMED(shaft, "shaft", "Unique among shafts; couplings and outputs refer to it.",
      "One shaft of the list `shafts`.")
NAMED(signal, "signal", "Unique among signals; others refer to it, and formulas.",
      "What every signal takes.")
NAMED(event, "event", "Unique among events; events.csv calls it so.", "What every event takes.")
NAMED(coupling, "coupling", "Unique among couplings; outputs refer to it.",
      "What every coupling takes.")

NAMED(item, "item", "Unique in its section.", "What every item of a program's own section takes.")
NAMED(sensor, "sensor", "Unique among sensors; outputs refer to it, and its noise depends on it.",
      "What every sensor takes.")

/// With a type; and those that have nothing else.
#define TYPED(name, kind_)                                 \
    const kai_sections_part kai_sections_##name##_part = { \
        .kind = kind_, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

TYPED(load, &kai_sections_load_kind)
TYPED(joint, &kai_sections_joint_kind)
TYPED(motor, &kai_sections_joint_kind)
TYPED(coupling, &kai_sections_coupling_kind)
TYPED(sensor, &kai_sections_sensor_kind)
TYPED(signal, &kai_sections_signal_kind)
TYPED(item, &kai_sections_item_kind)
TYPED(shape, &kai_shape_common)
TYPED(integrator, NULL)
TYPED(law, NULL)

// Frames -----------------------------------------------------------------------------------------

static const kai_param FRAME_PARAMS[] = {
    KAI_PARAM(VEC3, kai_sections_frame, at, .unit = "m", .doc = "Origin of the frame."),
    KAI_PARAM(ROTATION, kai_sections_frame, rotation,
              .doc = "Orientation: takes its coordinates to those of the body."),
};

const kai_kind kai_sections_frame_kind =
    KAI_KIND("frame", kai_sections_frame, FRAME_PARAMS, .doc = "A frame in a body's own frame.");

// Outputs ----------------------------------------------------------------------------------------

static const kai_param OUTPUT_PARAMS[] = {
    KAI_PARAM(REAL, kai_sections_output, every, .unit = "s", .initial = {0.01},
              .range = KAI_AT_LEAST(0.0), .doc = "Time between samples; 0: every step."),
    KAI_PARAM(
        STRING, kai_sections_output, file, .required = true, .placing = KAI_PLACING_NAME,
        .doc =
            "File name in the run's folder, without a path; must end in .csv (or .csv.gz for snapshots) and be unique."),
};

static const kai_kind OUTPUT_KIND =
    KAI_KIND("output", kai_sections_output, OUTPUT_PARAMS, .doc = "A time series.");

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
    KAI_PARAM(VEC3, kai_sections_ray, from, .placing = KAI_PLACING_CARRIED_POINT, .unit = "m",
              .required = true, .doc = "Origin: in the own frame of body, or world coordinates."),
    KAI_PARAM(VEC3, kai_sections_ray, to, .placing = KAI_PLACING_CARRIED_POINT, .unit = "m",
              .initial = {(double)NAN, (double)NAN, (double)NAN}, .doc = "End, same frame."),
    KAI_PARAM(VEC3, kai_sections_ray, direction, .placing = KAI_PLACING_CARRIED_VECTOR,
              .initial = {(double)NAN, (double)NAN, (double)NAN},
              .doc = "Instead of to: direction, same frame; need not be of length 1."),
    KAI_PARAM(REAL, kai_sections_ray, length, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "With direction: maximum distance; 0: unlimited."),
    KAI_PARAM(BODY, kai_sections_ray, body,
              .doc = "Name of a body that carries the ray and is not seen by it."),
};

const kai_kind kai_sections_ray_kind =
    KAI_KIND("ray", kai_sections_ray, RAY_PARAMS, .check = check_ray,
             .doc = "A ray that is cast against the shapes that collide.");

static const kai_param NEAREST_PARAMS[] = {
    KAI_PARAM(VEC3, kai_sections_nearest, at, .placing = KAI_PLACING_CARRIED_POINT, .unit = "m",
              .required = true,
              .doc = "The point: in the own frame of body, or world coordinates."),
    KAI_PARAM(REAL, kai_sections_nearest, limit, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Maximum distance; 0: unlimited."),
    KAI_PARAM(BODY, kai_sections_nearest, body,
              .doc = "Name of a body that carries the point and is not seen by it."),
};

const kai_kind kai_sections_nearest_kind =
    KAI_KIND("nearest", kai_sections_nearest, NEAREST_PARAMS,
             .doc = "A point and the nearest surface of the shapes that collide.");

static kai_result check_element(const void* instance, kai_error* err)
{
    const kai_sections_place* p = instance;
    const bool name = p->name.text[0], structure = p->structure.text[0];
    if (name == structure || (p->number >= 0) != structure)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "element must have either name, or structure and number");
    return KAI_OK;
}

#define PLACE_AT                                                                                                                                                                 \
    KAI_PARAM(                                                                                                                                                                   \
        VEC3, kai_sections_place, at,                                                                                                                                            \
        .doc =                                                                                                                                                                   \
            "Natural coordinates ξ, η, ζ in the element, each from -1 to 1; lines use the first, and of shells the third goes through the thickness. When absent: its centre."), \
        KAI_PARAM(                                                                                                                                                               \
            INT, kai_sections_place, layer, .initial = {-1.0}, .range = KAI_BETWEEN(-1.0, 7.0),                                                                                  \
            .doc =                                                                                                                                                               \
                "Of shells: layer, from 0 at the bottom, that the third number of at refers to; -1: the whole shell.")

static const kai_param ONE_ELEMENT_PARAMS[] = {
    KAI_PARAM(STRING, kai_sections_place, name, .placing = KAI_PLACING_REFERENCE,
              .doc = "Name of an element of the list `elements`."),
    KAI_PARAM(STRING, kai_sections_place, structure, .placing = KAI_PLACING_REFERENCE,
              .doc = "Instead of name: the structure that it is in."),
    KAI_PARAM(INT, kai_sections_place, number, .initial = {-1.0}, .range = KAI_AT_LEAST(-1.0),
              .doc = "With structure: its number there, from 0 in the order of the mesh."),
    PLACE_AT,
};

const kai_kind kai_sections_one_element_kind =
    KAI_KIND("one element", kai_sections_place, ONE_ELEMENT_PARAMS, .check = check_element,
             .doc = "A finite element and a point in it. Either name, or structure and number.");

static const kai_param ALL_ELEMENTS_PARAMS[] = {
    KAI_PARAM(STRING, kai_sections_place, structure, .placing = KAI_PLACING_REFERENCE,
              .required = true, .doc = "The structure."),
    KAI_PARAM(STRING, kai_sections_place, set,
              .doc = "Elements that have a node in this set; all when absent."),
    PLACE_AT,
};

const kai_kind kai_sections_all_elements_kind =
    KAI_KIND("elements of a structure", kai_sections_place, ALL_ELEMENTS_PARAMS,
             .doc = "Finite elements of a structure and a point in each.");

static const kai_param WHOLE_PARAMS[] = {
    KAI_PARAM(STRING, kai_sections_place, structure, .placing = KAI_PLACING_REFERENCE,
              .required = true, .doc = "The structure."),
    KAI_PARAM(STRING, kai_sections_place, set,
              .doc = "Set of nodes for positions, velocities and reactions; all when absent."),
};

const kai_kind kai_sections_whole_kind =
    KAI_KIND("nodes of a structure", kai_sections_place, WHOLE_PARAMS,
             .doc = "A structure and a set of its nodes.");

static const kai_sections_key MEASURE_KEYS[] = {{.name = "type", .required = true},
                                                {.name = "body"},
                                                {.name = "joint"},
                                                {.name = "motor"},
                                                {.name = "force"},
                                                {.name = "shaft"},
                                                {.name = "coupling"},
                                                {.name = "node"},
                                                {.name = "element"},
                                                {.name = "structure"},
                                                {.name = "ray"},
                                                {.name = "nearest"},
                                                {.name = "overlap"},
                                                {.name = "sensor"},
                                                {.name = "system"}};

const kai_sections_part kai_sections_measure_part = {
    .kind = &kai_sections_signal_kind, .keys = MEASURE_KEYS, .key_count = KAI_COUNT(MEASURE_KEYS)};

static const kai_sections_key OUTPUT_KEYS[] = {
    {.name = "body"},    {.name = "joint"},    {.name = "motor"},     {.name = "force"},
    {.name = "signal"},  {.name = "shaft"},    {.name = "coupling"},  {.name = "node"},
    {.name = "element"}, {.name = "elements"}, {.name = "structure"}, {.name = "particles"},
    {.name = "ray"},     {.name = "nearest"},  {.name = "overlap"},   {.name = "sensor"},
    {.name = "system"},  {.name = "contacts"}, {.name = "events"},    {.name = "quantities"}};

const kai_sections_part kai_sections_output_part = {
    .kind = &OUTPUT_KIND, .keys = OUTPUT_KEYS, .key_count = KAI_COUNT(OUTPUT_KEYS)};

static const kai_sections_key STOP_KEYS[] = {
    {.name = "quantity"}, {.name = "body"},  {.name = "joint"},
    {.name = "motor"},    {.name = "force"}, {.name = "shaft"},
    {.name = "coupling"}, {.name = "node"},  {.name = "system"}};

const kai_sections_part kai_sections_stop_part = {
    .kind = &kai_output_stop_kind, .keys = STOP_KEYS, .key_count = KAI_COUNT(STOP_KEYS)};

// Rotations --------------------------------------------------------------------------------------

static kai_result check_axis(const void* instance, kai_error* err)
{
    const kai_vec3 axis = ((const kai_sections_axis_angle*)instance)->axis;
    if (kai_vec3_max_abs(axis) > 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "axis is [0, 0, 0]; must not be zero");
}

static const kai_param AXIS_ANGLE_PARAMS[] = {
    KAI_PARAM(VEC3, kai_sections_axis_angle, axis, .required = true,
              .doc = "Axis of the rotation; need not be of length 1."),
    KAI_PARAM(REAL, kai_sections_axis_angle, angle, .unit = "rad", .required = true,
              .doc = "Angle about that axis, right-handed."),
};

const kai_kind kai_sections_axis_angle_kind =
    KAI_KIND("axis and angle", kai_sections_axis_angle, AXIS_ANGLE_PARAMS, .check = check_axis,
             .doc = "A rotation about an axis.");

const char* const kai_sections_orders[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx",
                                           "xzx", "yxy", "yzy", "zxz", "zyz", NULL};

static const kai_param EULER_PARAMS[] = {
    KAI_PARAM(VEC3, kai_sections_euler, euler, .unit = "rad", .required = true,
              .doc = "Three angles, in the order of the letters of `order`."),
    KAI_PARAM(ENUM, kai_sections_euler, order, .words = kai_sections_orders,
              .doc = "Axes of the three rotations, each about the axis as already rotated."),
};

const kai_kind kai_sections_euler_kind =
    KAI_KIND("Euler angles", kai_sections_euler, EULER_PARAMS,
             .doc = "Three rotations, one after the other, about the body's own axes.");

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
