// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/outputs/output_table.h"

#include "base/error.h"
#include "base/text.h"
#include "model/check.h"
#include "model/collision.h"
#include "model/node.h"
#include "model/shaft.h"
#include "model/world.h"
#include "record/outputs/output_element.h"
#include "record/outputs/output_joints.h"
#include "record/outputs/output_queries.h"
#include "step/constraints.h"

#include <kairos/driveline.h>
#include <kairos/structure.h>
#include <math.h>
#include <string.h>

typedef kai_output_table_item quantity;

static const char* const TARGET_WORDS[] = {
#define TARGET_WORD(name, key) [KAI_OUTPUT_##name] = key,
    KAI_OUTPUT_TARGETS(TARGET_WORD)
#undef TARGET_WORD
};

enum { HAS_ANGLE = 1, HAS_TRAVEL = 2, HAS_EFFORT = 4, HAS_REACTION = 8 };

static const char* const XYZ[] = {"x", "y", "z"};
static const char* const WXYZ[] = {"w", "x", "y", "z"};
static const char* const BODY_ENERGY[] = {"kinetic", "potential"};
static const char* const ENERGY[] = {"kinetic",    "potential", "elastic",
                                     "dissipated", "work",      "drift"};
static const char* const MOMENTUM[] = {"px", "py", "pz", "lx", "ly", "lz"};

// Getters: bodies --------------------------------------------------------------------------------

static void put3(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

#define BODY_VECTOR(call)                                                                    \
    static kai_result get_##call(kai_world* world, const kai_output_subject* s, double* out, \
                                 kai_error* err)                                             \
    {                                                                                        \
        (void)err;                                                                           \
        put3(out, kai_body_##call(world, s->body));                                          \
        return KAI_OK;                                                                       \
    }
BODY_VECTOR(position)
BODY_VECTOR(velocity)
BODY_VECTOR(acceleration)
BODY_VECTOR(angular_velocity)
BODY_VECTOR(angular_acceleration)
BODY_VECTOR(com_position)
BODY_VECTOR(com_velocity)

static kai_result get_rotation(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    (void)err;
    const kai_quat q = kai_body_rotation(world, s->body);
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
    return KAI_OK;
}

static kai_result told(const kai_world* world, kai_result r, kai_error* err)
{
    if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
    return r;
}

static kai_result get_loads(kai_world* world, kai_body body, kai_vec3* force, kai_vec3* torque,
                            kai_error* err)
{
    return told(world, kai_body_force(world, body, force, torque), err);
}

static kai_result get_force(kai_world* world, const kai_output_subject* s, double* out,
                            kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(get_loads(world, s->body, &force, &torque, err));
    put3(out, force);
    return KAI_OK;
}

static kai_result get_torque(kai_world* world, const kai_output_subject* s, double* out,
                             kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(get_loads(world, s->body, &force, &torque, err));
    put3(out, torque);
    return KAI_OK;
}

static kai_result get_contact_force(kai_world* world, const kai_output_subject* s, double* out,
                                    kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(told(world, kai_contact_report_body(world, s->body, &force, &torque), err));
    put3(out, force);
    return KAI_OK;
}

static kai_result get_contact_torque(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(told(world, kai_contact_report_body(world, s->body, &force, &torque), err));
    put3(out, torque);
    return KAI_OK;
}

static kai_result get_body_energy(kai_world* world, const kai_output_subject* s, double* out,
                                  kai_error* err)
{
    (void)err;
    const size_t slot = kai_bodies_slot(&world->bodies, s->body);
    out[0] = out[1] = 0.0;
    if (slot == SIZE_MAX || (world->bodies.motion[slot].flags & KAI_BODY_FIXED)) return KAI_OK;
    const kai_motion* motion = &world->bodies.motion[slot];
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
    const kai_vec3 w = motion->spin, j = mass->moments;
    out[0] = 0.5 * (mass->mass * kai_vec3_norm2(motion->velocity) +
                    (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z));
    out[1] = -mass->mass * kai_vec3_dot(world->gravity, world->bodies.pose[slot].position);
    return KAI_OK;
}

// Radius of a particle: that of its first shape, 0 when that is no sphere.
static kai_result get_radius(kai_world* world, const kai_output_subject* s, double* out,
                             kai_error* err)
{
    (void)err;
    *out = 0.0;
    const kai_shape shape = kai_shape_first(world, s->body);
    const kai_shape_kind* kind = NULL;
    const void* params = NULL;
    if (KAI_IS_NULL(shape)) return KAI_OK;
    if (kai_shape_get(world, shape, &kind, &params, NULL, NULL) == KAI_OK &&
        kind == &kai_shape_sphere)
        *out = ((const kai_shape_sphere_params*)params)->radius;
    return KAI_OK;
}

// Getters: joints --------------------------------------------------------------------------------

static kai_result get_joint_force(kai_world* world, const kai_output_subject* s, double* out,
                                  kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(told(world, kai_joint_reaction(world, s->joint, &force, &torque), err));
    put3(out, force);
    return KAI_OK;
}

static kai_result get_joint_torque(kai_world* world, const kai_output_subject* s, double* out,
                                   kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(told(world, kai_joint_reaction(world, s->joint, &force, &torque), err));
    put3(out, torque);
    return KAI_OK;
}

static kai_result get_angle(kai_world* world, const kai_output_subject* s, double* out,
                            kai_error* err)
{
    double travel;
    KAI_TRY(told(world, kai_joint_coordinates(world, s->joint, out, &travel), err));
    *out += 2.0 * KAI_PI * (double)s->turns;
    return KAI_OK;
}

static kai_result get_travel(kai_world* world, const kai_output_subject* s, double* out,
                             kai_error* err)
{
    double angle;
    return told(world, kai_joint_coordinates(world, s->joint, &angle, out), err);
}

static kai_result get_angle_rate(kai_world* world, const kai_output_subject* s, double* out,
                                 kai_error* err)
{
    double sliding;
    return told(world, kai_joint_rates(world, s->joint, out, &sliding), err);
}

static kai_result get_travel_rate(kai_world* world, const kai_output_subject* s, double* out,
                                  kai_error* err)
{
    double turning;
    return told(world, kai_joint_rates(world, s->joint, &turning, out), err);
}

static kai_result get_violation(kai_world* world, const kai_output_subject* s, double* out,
                                kai_error* err)
{
    return told(world, kai_joint_violation(world, s->joint, out), err);
}

// Getters: motors and loads ----------------------------------------------------------------------

#define LOAD_NUMBER(field)                                                                         \
    static kai_result get_load_##field(kai_world* world, const kai_output_subject* s, double* out, \
                                       kai_error* err)                                             \
    {                                                                                              \
        kai_load_state state = {0};                                                                \
        KAI_TRY(told(world, kai_load_output(world, s->load, &state), err));                        \
        *out = state.field;                                                                        \
        return KAI_OK;                                                                             \
    }
LOAD_NUMBER(force)
LOAD_NUMBER(length)
LOAD_NUMBER(rate)
LOAD_NUMBER(torque)
LOAD_NUMBER(angle)

// Whether a motor turns; else it pushes.
static bool is_turning(const kai_world* world, kai_joint joint, kai_load load)
{
    const kai_joint_kind* joint_kind = NULL;
    const kai_load_kind* load_kind = NULL;
    if (!KAI_IS_NULL(joint))
        return kai_joint_get(world, joint, &joint_kind, NULL) == KAI_OK && joint_kind->has_angle;
    return kai_load_get(world, load, &load_kind, NULL) == KAI_OK &&
           (load_kind->outputs & KAI_LOAD_ANGLE);
}

static kai_result get_effort(kai_world* world, const kai_output_subject* s, double* out,
                             kai_error* err)
{
    if (!KAI_IS_NULL(s->joint)) return told(world, kai_joint_effort(world, s->joint, out), err);
    return is_turning(world, s->joint, s->load) ? get_load_torque(world, s, out, err)
                                                : get_load_force(world, s, out, err);
}

static kai_result get_motor_position(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    const bool turns = is_turning(world, s->joint, s->load);
    if (!KAI_IS_NULL(s->joint))
        return turns ? get_angle(world, s, out, err) : get_travel(world, s, out, err);
    return turns ? get_load_angle(world, s, out, err) : get_load_length(world, s, out, err);
}

static kai_result get_motor_speed(kai_world* world, const kai_output_subject* s, double* out,
                                  kai_error* err)
{
    if (KAI_IS_NULL(s->joint)) return get_load_rate(world, s, out, err);
    return is_turning(world, s->joint, s->load) ? get_angle_rate(world, s, out, err)
                                                : get_travel_rate(world, s, out, err);
}

// Getters: shafts and couplings ------------------------------------------------------------------

#define SHAFT_NUMBER(field)                                                            \
    static kai_result get_shaft_##field(kai_world* world, const kai_output_subject* s, \
                                        double* out, kai_error* err)                   \
    {                                                                                  \
        kai_shaft_def def = {0};                                                       \
        KAI_TRY(told(world, kai_shaft_get(world, s->shaft, &def), err));               \
        *out = def.field;                                                              \
        return KAI_OK;                                                                 \
    }
SHAFT_NUMBER(angle)
SHAFT_NUMBER(speed)
SHAFT_NUMBER(acceleration)
SHAFT_NUMBER(torque)

static kai_result get_coupling_torque(kai_world* world, const kai_output_subject* s, double* out,
                                      kai_error* err)
{
    if (KAI_IS_NULL(s->joint)) return get_load_torque(world, s, out, err);
    return told(world, kai_joint_effort(world, s->joint, out), err);
}

static kai_result get_coupling_speed(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    if (KAI_IS_NULL(s->joint)) return get_load_rate(world, s, out, err);
    return told(world, kai_joint_slip(world, s->joint, out), err);
}

LOAD_NUMBER(power)

static kai_result get_coupling_power(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    double torque, speed;
    if (KAI_IS_NULL(s->joint)) return get_load_power(world, s, out, err);
    KAI_TRY(get_coupling_torque(world, s, &torque, err));
    KAI_TRY(get_coupling_speed(world, s, &speed, err));
    *out = torque * speed;
    return KAI_OK;
}

// Getters: the system ----------------------------------------------------------------------------

static kai_result energy_of(kai_world* world, kai_energy* energy, kai_error* err)
{
    const kai_result r = kai_world_energy(world, energy);
    if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
    return r;
}

static kai_result get_energy(kai_world* world, const kai_output_subject* s, double* out,
                             kai_error* err)
{
    (void)s;
    kai_energy e;
    KAI_TRY(energy_of(world, &e, err));
    const double values[] = {e.kinetic, e.potential, e.elastic, e.dissipated, e.work, e.drift};
    memcpy(out, values, sizeof values);
    return KAI_OK;
}

static kai_result get_kinetic_energy(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    (void)s;
    kai_energy e;
    KAI_TRY(energy_of(world, &e, err));
    *out = e.kinetic;
    return KAI_OK;
}

static kai_result get_momentum(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    (void)s;
    kai_vec3 linear, angular;
    const kai_result r = kai_world_momentum(world, &linear, &angular);
    if (r != KAI_OK) {
        if (err != NULL) *err = *kai_world_error(world);
        return r;
    }
    put3(out, linear);
    put3(out + 3, angular);
    return KAI_OK;
}

static kai_result get_bodies(kai_world* world, const kai_output_subject* s, double* out,
                             kai_error* err)
{
    (void)s;
    (void)err;
    *out = (double)kai_body_count(world);
    return KAI_OK;
}

static kai_result get_rows(kai_world* world, const kai_output_subject* s, double* out,
                           kai_error* err)
{
    (void)s;
    (void)err;
    *out = (double)kai_output_joints_rows(world);
    return KAI_OK;
}

static kai_result get_max_violation(kai_world* world, const kai_output_subject* s, double* out,
                                    kai_error* err)
{
    (void)s;
    return told(world, kai_output_joints_violation(world, out), err);
}

static kai_result get_residual(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    (void)s;
    KAI_TRY(kai_constraints_residual(world, out, err));
    *out = fmax(*out, world->solver_tally.cone_last);
    return KAI_OK;
}

static kai_result get_iterations(kai_world* world, const kai_output_subject* s, double* out,
                                 kai_error* err)
{
    (void)s;
    (void)err;
    *out = (double)kai_solver_measured(world).iterations;
    return KAI_OK;
}

static kai_result get_contacts(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    (void)s;
    *out = 0.0;
    if (!kai_collision_wanted(world)) return KAI_OK;
    KAI_TRY(kai_collision_refresh(world, err));
    *out = (double)kai_collision_count(world);
    return KAI_OK;
}

static kai_result get_max_penetration(kai_world* world, const kai_output_subject* s, double* out,
                                      kai_error* err)
{
    (void)s;
    *out = 0.0;
    if (!kai_collision_wanted(world)) return KAI_OK;
    KAI_TRY(kai_collision_refresh(world, err));
    *out = kai_collision_depth(world);
    return KAI_OK;
}

// Tables -----------------------------------------------------------------------------------------

#define LABELS(list) KAI_OUTPUT_LABELS(list)
#define SCALAR       KAI_OUTPUT_SCALAR

static const quantity BODY[] = {
    {{"position", "m", "Origin of the body's own frame, world frame.", LABELS(XYZ)},
     get_position,
     false,
     0},
    {{"velocity", "m/s", "Velocity of that origin, world frame.", LABELS(XYZ)},
     get_velocity,
     false,
     0},
    {{"acceleration", "m/s²", "Acceleration of that origin, world frame.", LABELS(XYZ)},
     get_acceleration,
     true,
     0},
    {{"rotation", "", "Quaternion that takes body coordinates to world coordinates.", LABELS(WXYZ)},
     get_rotation,
     false,
     0},
    {{"angular_velocity", "rad/s", "Angular velocity, world frame.", LABELS(XYZ)},
     get_angular_velocity,
     false,
     0},
    {{"angular_acceleration", "rad/s²", "Angular acceleration, world frame.", LABELS(XYZ)},
     get_angular_acceleration,
     true,
     0},
    {{"com_position", "m", "Centre of mass, world frame.", LABELS(XYZ)},
     get_com_position,
     false,
     0},
    {{"com_velocity", "m/s", "Velocity of the centre of mass, world frame.", LABELS(XYZ)},
     get_com_velocity,
     false,
     0},
    {{"force", "N", "Sum of the loads on the body, world frame, without gravity.", LABELS(XYZ)},
     get_force,
     true,
     0},
    {{"torque", "N m", "Sum of their torques about the centre of mass, world frame.", LABELS(XYZ)},
     get_torque,
     true,
     0},
    {{"contact_force", "N", "Sum of the contact forces on it in the last step, world frame.",
      LABELS(XYZ)},
     get_contact_force,
     false,
     0},
    {{"contact_torque", "N m", "Sum of their moments about the centre of mass, world frame.",
      LABELS(XYZ)},
     get_contact_torque,
     false,
     0},
    {{"energy", "J", "Kinetic energy, and potential energy of gravity, zero at the origin.",
      LABELS(BODY_ENERGY)},
     get_body_energy,
     false,
     0},
};

static const quantity JOINT[] = {
    {{"force", "N",
      "Force that the joint puts on b, joint frame fixed to a; of joints of nodes on the (first) "
      "node, world frame.",
      LABELS(XYZ)},
     get_joint_force,
     true,
     0},
    {{"torque", "N m",
      "Its torque on b about the joint point on b, same frame; of joints of nodes on slopes.",
      LABELS(XYZ)},
     get_joint_torque,
     true,
     0},
    {{"angle", "rad", "Angle of b against a about the axis, turns counted.", SCALAR},
     get_angle,
     false,
     HAS_ANGLE},
    {{"angle_rate", "rad/s", "Its rate.", SCALAR}, get_angle_rate, false, HAS_ANGLE},
    {{"travel", "m", "Way of b against a along the axis.", SCALAR}, get_travel, false, HAS_TRAVEL},
    {{"travel_rate", "m/s", "Its rate.", SCALAR}, get_travel_rate, false, HAS_TRAVEL},
    {{"violation", "m, rad", "Largest amount by which a row of the joint is off.", SCALAR},
     get_violation,
     false,
     0},
};

static const quantity MOTOR[] = {
    {{"effort", "N m, N", "Torque about, or force along, its coordinate, on body b.", SCALAR},
     get_effort,
     true,
     HAS_EFFORT},
    {{"position", "rad, m", "Its coordinate, turns counted.", SCALAR},
     get_motor_position,
     false,
     HAS_EFFORT},
    {{"speed", "rad/s, m/s", "The rate of its coordinate.", SCALAR},
     get_motor_speed,
     false,
     HAS_EFFORT},
    {{"force", "N", "Force that it puts on b, joint frame fixed to a.", LABELS(XYZ)},
     get_joint_force,
     true,
     HAS_REACTION},
    {{"torque", "N m", "Its torque on b about the joint point on b, same frame.", LABELS(XYZ)},
     get_joint_torque,
     true,
     HAS_REACTION},
};

static const quantity FORCE[] = {
    {{"force", "N", "Along its line; positive pulls the ends together.", SCALAR},
     get_load_force,
     true,
     KAI_LOAD_FORCE},
    {{"length", "m", "Distance of its ends.", SCALAR}, get_load_length, true, KAI_LOAD_LENGTH},
    {{"rate", "m/s, rad/s", "Rate of its length or angle.", SCALAR},
     get_load_rate,
     true,
     KAI_LOAD_RATE},
    {{"torque", "N m", "About its axis, on body b.", SCALAR},
     get_load_torque,
     true,
     KAI_LOAD_TORQUE},
    {{"angle", "rad", "Angle of b against a about its axis, turns counted.", SCALAR},
     get_load_angle,
     true,
     KAI_LOAD_ANGLE},
};

static const quantity SHAFT[] = {
    {{"angle", "rad", "Its angle, turns counted.", SCALAR}, get_shaft_angle, false, 0},
    {{"speed", "rad/s", "Its speed.", SCALAR}, get_shaft_speed, false, 0},
    {{"acceleration", "rad/s²", "Its acceleration.", SCALAR}, get_shaft_acceleration, true, 0},
    {{"torque", "N m",
      "Sum of the torques that springs, engines and the like put on it, without "
      "those of couplings that hold speeds.",
      SCALAR},
     get_shaft_torque,
     true,
     0},
};

static const quantity COUPLING[] = {
    {{"torque", "N m", "Torque on shaft 2, on the output or on its one shaft.", SCALAR},
     get_coupling_torque,
     true,
     0},
    {{"speed", "rad/s", "Slip of 2 against 1, or the speed of its one shaft.", SCALAR},
     get_coupling_speed,
     false,
     0},
    {{"power", "W", "Power that it puts into the shafts; what it takes is negative.", SCALAR},
     get_coupling_power,
     true,
     0},
};

static const quantity PARTICLES[] = {
    {{"position", "m", "Origin of each particle's own frame: columns x y z.", LABELS(XYZ)},
     get_position,
     false,
     0},
    {{"velocity", "m/s", "Its velocity, world frame: columns vx vy vz.", LABELS(XYZ)},
     get_velocity,
     false,
     0},
    {{"rotation", "", "Quaternion, particle to world: columns qw qx qy qz.", LABELS(WXYZ)},
     get_rotation,
     false,
     0},
    {{"angular_velocity", "rad/s", "Angular velocity, world frame: columns wx wy wz.", LABELS(XYZ)},
     get_angular_velocity,
     false,
     0},
    {{"radius", "m", "Radius, 0 for particles that are no spheres: column radius.", SCALAR},
     get_radius,
     false,
     0},
};

static const quantity SYSTEM[] = {
    {{"energy", "J", "Energy of the whole system and its balance.", LABELS(ENERGY)},
     get_energy,
     false,
     0},
    {{"momentum", "kg m/s, kg m²/s",
      "Linear momentum, and angular momentum about the world's origin.", LABELS(MOMENTUM)},
     get_momentum,
     false,
     0},
    {{"kinetic_energy", "J", "Kinetic energy of all bodies.", SCALAR},
     get_kinetic_energy,
     false,
     0},
    {{"bodies", "", "How many bodies there are.", SCALAR}, get_bodies, false, 0},
    {{"rows", "", "How many rows the active joints have.", SCALAR}, get_rows, false, 0},
    {{"max_violation", "m, rad", "Largest violation of all active joints.", SCALAR},
     get_max_violation,
     false,
     0},
    {{"residual", "m/s, rad/s",
      "Largest rate at which velocities leave a joint that holds, or the residual of contacts.",
      SCALAR},
     get_residual,
     false,
     0},
    {{"iterations", "", "Iterations of the solver in the last step; a direct solution is one.",
      SCALAR},
     get_iterations,
     false,
     0},
    {{"contacts", "", "How many contacts there are; 0 unless `collision` detects them.", SCALAR},
     get_contacts,
     false,
     0},
    {{"max_penetration", "m", "Largest overlap of two shapes, likewise.", SCALAR},
     get_max_penetration,
     false,
     0},
};

static const quantity RAY[] = {
    {{"distance", "m", "From its origin to the first shape that it meets; -1: none.", SCALAR},
     kai_output_queries_distance,
     false,
     0},
    {{"body", "", "Number of the body it meets, from 1 in the order of creation; 0: none.", SCALAR},
     kai_output_queries_body,
     false,
     0},
    {{"point", "m", "Where it meets the shape, world frame; 0 when it meets none.", LABELS(XYZ)},
     kai_output_queries_point,
     false,
     0},
    {{"normal", "", "Of the surface there, world frame; 0 when it meets none.", LABELS(XYZ)},
     kai_output_queries_normal,
     false,
     0},
};

static const quantity NEAREST[] = {
    {{"distance", "m",
      "To the nearest surface; negative inside a shape; an empty cell: none is near.", SCALAR},
     kai_output_queries_distance,
     false,
     0},
    {{"body", "", "Number of its body, from 1 in the order of creation; 0: none.", SCALAR},
     kai_output_queries_body,
     false,
     0},
    {{"point", "m", "On that surface, world frame; 0 when there is none.", LABELS(XYZ)},
     kai_output_queries_point,
     false,
     0},
    {{"normal", "", "Of the surface there, out of it, world frame; 0 when there is none.",
      LABELS(XYZ)},
     kai_output_queries_normal,
     false,
     0},
};

static const quantity OVERLAP[] = {
    {{"count", "", "Number of other bodies that touch shapes of this one.", SCALAR},
     kai_output_queries_count,
     false,
     0},
    {{"shapes", "", "Number of shapes of those bodies that do.", SCALAR},
     kai_output_queries_shapes,
     false,
     0},
    {{"body", "", "The lowest number of one of them, from 1 in the order of creation; 0: none.",
      SCALAR},
     kai_output_queries_body,
     false,
     0},
};

// All of them ------------------------------------------------------------------------------------

#define TABLE(name) \
    [KAI_OUTPUT_##name] = &(const kai_output_table) { name, KAI_COUNT(name) }

static const kai_output_table* const TABLES[KAI_OUTPUT_TARGET_COUNT] = {
    TABLE(BODY),
    TABLE(JOINT),
    TABLE(MOTOR),
    TABLE(FORCE),
    TABLE(SHAFT),
    TABLE(COUPLING),
    TABLE(PARTICLES),
    TABLE(RAY),
    TABLE(NEAREST),
    TABLE(OVERLAP),
    TABLE(SYSTEM),
    [KAI_OUTPUT_NODE] = &kai_output_node_table,
    [KAI_OUTPUT_ELEMENT] = &kai_output_element_table,
    [KAI_OUTPUT_ELEMENTS] = &kai_output_element_table,
    [KAI_OUTPUT_STRUCTURE] = &kai_output_structure_table,
    [KAI_OUTPUT_CONTACTS] = &kai_output_contact_table};

static const quantity* find(kai_output_target target, int i)
{
    if ((unsigned)target >= KAI_OUTPUT_TARGET_COUNT || i < 0 || i >= TABLES[target]->count)
        return NULL;
    return &TABLES[target]->list[i];
}

const kai_quantity* kai_output_quantity(kai_output_target target, int i)
{
    const quantity* q = find(target, i);
    return q == NULL ? NULL : &q->shown;
}

int kai_output_quantity_find(kai_output_target target, const char* name)
{
    KAI_GIVEN_OR(-1, name);
    const quantity* q;
    for (int i = 0; (q = find(target, i)) != NULL; i++)
        if (strcmp(q->shown.name, name) == 0) return i;
    return -1;
}

static bool is_of_elements(kai_output_target target)
{
    return target == KAI_OUTPUT_ELEMENT || target == KAI_OUTPUT_ELEMENTS;
}

kai_quantity kai_output_quantity_of(const kai_world* world, const kai_output_def* def, int i)
{
    KAI_GIVEN_OR((kai_quantity){0}, world, def);
    const quantity* q = find(def->target, i);
    const kai_element_kind* kind =
        is_of_elements(def->target) ? kai_output_element_kind(world, def) : NULL;
    const kai_element_result* r = NULL;
    if (kind != NULL && q != NULL) r = kai_element_result_find(kind, q->shown.name);
    if (kind != NULL && q == NULL)
        r = kai_output_element_own(kind, i - kai_output_element_table.count);
    if (r == NULL) return q != NULL ? q->shown : (kai_quantity){0};
    return (kai_quantity){r->name, r->unit, r->doc, r->components, r->labels};
}

int kai_output_quantity_search(const kai_world* world, const kai_output_def* def, const char* name)
{
    KAI_GIVEN_OR(-1, world, def, name);
    const char* word;
    for (int i = 0; (word = kai_output_quantity_of(world, def, i).name) != NULL; i++)
        if (strcmp(word, name) == 0) return i;
    return -1;
}

// Efforts are those of one row.
static bool has_effort(const kai_joint_kind* joint)
{
    return joint->rows == 1 && (joint->has_angle || joint->has_travel);
}

bool kai_output_offers(const kai_world* world, const kai_output_def* def, int i)
{
    KAI_GIVEN_OR(false, world, def);
    const quantity* q = find(def->target, i);
    const kai_joint_kind* joint = NULL;
    const kai_load_kind* load = NULL;
    if (is_of_elements(def->target)) return kai_output_element_offers(world, def, i);
    if (q == NULL || q->offered == 0) return q != NULL;
    if (def->target == KAI_OUTPUT_JOINT)
        return kai_joint_get(world, def->joint, &joint, NULL) == KAI_OK &&
               (q->offered == HAS_ANGLE ? joint->has_angle : joint->has_travel);
    if (def->target == KAI_OUTPUT_MOTOR && !KAI_IS_NULL(def->joint))
        return kai_joint_get(world, def->joint, &joint, NULL) == KAI_OK &&
               (q->offered == HAS_REACTION || has_effort(joint));
    if (kai_load_get(world, def->load, &load, NULL) != KAI_OK) return false;
    if (def->target == KAI_OUTPUT_MOTOR)
        return q->offered == HAS_EFFORT && (load->outputs & KAI_LOAD_EFFORT);
    return (load->outputs & q->offered) != 0;
}

bool kai_output_needs_evaluation(kai_output_target target, int i)
{
    const quantity* q = find(target, i);
    return q != NULL && q->evaluated;
}

bool kai_output_counts_turns(const kai_world* world, const kai_output_def* def, int i)
{
    const quantity* q = find(def->target, i);
    if (q == NULL || KAI_IS_NULL(def->joint)) return false;
    return q->get == get_angle ||
           (q->get == get_motor_position && is_turning(world, def->joint, def->load));
}

kai_result kai_output_value(kai_world* world, kai_output_target target, int i,
                            const kai_output_subject* subject, double out[KAI_OUTPUT_COMPONENTS],
                            kai_error* err)
{
    const quantity* q = find(target, i);
    if (q == NULL && is_of_elements(target))
        return kai_output_element_own_value(world, subject, i - kai_output_element_table.count, out,
                                            err);
    if (q == NULL) return kai_error_set(err, KAI_ERROR_ARGUMENT, "quantity %d does not exist", i);
    return q->get(world, subject, out, err);
}

bool kai_output_is_motor(const kai_joint_kind* joint, const kai_load_kind* load)
{
    if (joint) return has_effort(joint) || joint->driven;
    return load && (load->outputs & KAI_LOAD_EFFORT);
}

// Definitions ------------------------------------------------------------------------------------

static bool ends_with(const char* text, const char* end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static kai_result check_file(const kai_output_def* def, kai_error* err)
{
    const char* file = def->file.text;
    const bool particles = kai_output_is_snapshot(def->target);
    if (memchr(file, '\0', sizeof def->file.text) == NULL || strchr(file, '/') != NULL ||
        file[0] == '.')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output file '%.64s' is no plain file name",
                             file);
    if (!ends_with(file, ".csv") && !(particles && ends_with(file, ".csv.gz")))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output file '%s' must end in .csv%s", file,
                             particles ? " or .csv.gz" : "");
    return KAI_OK;
}

// Whether a kind (the other one is NULL) couples shafts.
static bool is_coupling(const kai_joint_kind* joint, const kai_load_kind* load)
{
    const unsigned needed = KAI_LOAD_TORQUE | KAI_LOAD_RATE | KAI_LOAD_POWER;
    if (joint) return joint->rows == 1 && joint->shaft_count > 0;
    return load && (load->outputs & needed) == needed;
}

// The joint, motor, load or coupling is there and has what is asked of it.
static kai_result check_element(const kai_world* world, const kai_output_def* def, kai_error* err)
{
    const kai_joint_kind* joint = NULL;
    const kai_load_kind* load = NULL;
    const bool held = def->target == KAI_OUTPUT_JOINT || !KAI_IS_NULL(def->joint);
    const kai_result r = held ? kai_joint_get(world, def->joint, &joint, NULL)
                              : kai_load_get(world, def->load, &load, NULL);
    if (r != KAI_OK || (def->target == KAI_OUTPUT_MOTOR && !kai_output_is_motor(joint, load)) ||
        (def->target == KAI_OUTPUT_COUPLING && !is_coupling(joint, load)))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its %s does not exist", def->file.text,
                             TARGET_WORDS[def->target]);
    for (uint32_t i = 0; i < def->quantity_count; i++)
        if (!kai_output_offers(world, def, def->quantities[i]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: a %s has no %s",
                                 def->file.text, joint ? joint->kind.name : load->kind.name,
                                 kai_output_quantity(def->target, def->quantities[i])->name);
    return KAI_OK;
}

kai_output_def kai_output_def_default(void) { return (kai_output_def){.layer = -1}; }

kai_result kai_output_check(const kai_world* world, const kai_output_def* def, kai_error* err)
{
    if ((unsigned)def->target >= KAI_OUTPUT_TARGET_COUNT)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output target %d does not exist",
                             (int)def->target);
    KAI_TRY(check_file(def, err));
    if (!(def->every >= 0.0) || !isfinite(def->every))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: every is %g s; must be >= 0",
                             def->file.text, def->every);
    if (def->quantity_count > KAI_OUTPUT_QUANTITIES ||
        (def->quantity_count == 0 && !kai_output_is_snapshot(def->target)))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "output %s: has %u quantities; must have 1 to %d", def->file.text,
                             def->quantity_count, KAI_OUTPUT_QUANTITIES);
    if (is_of_elements(def->target) || def->target == KAI_OUTPUT_STRUCTURE)
        KAI_TRY(kai_output_element_check(world, def, err));
    for (uint32_t i = 0; i < def->quantity_count; i++)
        if (kai_output_quantity_of(world, def, def->quantities[i]).name == NULL)
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: quantity %d does not exist",
                                 def->file.text, def->quantities[i]);
    if (def->target == KAI_OUTPUT_BODY && !kai_body_is_valid(world, def->body))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its body does not exist",
                             def->file.text);
    if (def->target == KAI_OUTPUT_SHAFT && kai_shaft_slot(world, def->shaft) == UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its shaft does not exist",
                             def->file.text);
    if (def->target == KAI_OUTPUT_NODE && kai_node_slot(world, def->node) == UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its node does not exist",
                             def->file.text);
    if (def->target == KAI_OUTPUT_JOINT || def->target == KAI_OUTPUT_MOTOR ||
        def->target == KAI_OUTPUT_FORCE || def->target == KAI_OUTPUT_COUPLING)
        return check_element(world, def, err);
    if (def->target == KAI_OUTPUT_RAY || def->target == KAI_OUTPUT_NEAREST ||
        def->target == KAI_OUTPUT_OVERLAP)
        return kai_output_queries_check(world, def, err);
    if (def->target == KAI_OUTPUT_PARTICLES &&
        (def->particles.index == 0 || def->particles.index > kai_particles_groups(world)))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its particles do not exist",
                             def->file.text);
    return KAI_OK;
}

const char* kai_output_odd_word(double value)
{
    return isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}
