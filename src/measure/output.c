// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "measure/output_table.h"

#include "base/error.h"
#include "base/text.h"
#include "measure/output.h"
#include "measure/output_element.h"
#include "measure/output_sensor.h"
#include "model/check.h"
#include "model/collision/collision.h"
#include "model/id.h"
#include "model/node.h"
#include "model/shaft.h"
#include "model/world.h"
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

const char* const kai_output_xyz[3] = {"x", "y", "z"};
static const char* const WXYZ[] = {"w", "x", "y", "z"};
static const char* const BODY_ENERGY[] = {"kinetic", "potential"};
static const char* const ENERGY[] = {"kinetic",    "potential", "elastic",
                                     "dissipated", "work",      "drift"};
static const char* const MOMENTUM[] = {"px", "py", "pz", "lx", "ly", "lz"};

// Getters: bodies --------------------------------------------------------------------------------

#define BODY_VECTOR(call)                                     \
    KAI_OUTPUT_GETTER(get_##call)                             \
    {                                                         \
        kai_output_put(out, kai_body_##call(world, s->body)); \
        return KAI_OK;                                        \
    }
BODY_VECTOR(position)
BODY_VECTOR(velocity)
BODY_VECTOR(acceleration)
BODY_VECTOR(angular_velocity)
BODY_VECTOR(angular_acceleration)
BODY_VECTOR(com_position)
BODY_VECTOR(com_velocity)

KAI_OUTPUT_GETTER(get_rotation)
{
    const kai_quat q = kai_body_rotation(world, s->body);
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
    return KAI_OK;
}

KAI_OUTPUT_TWO_VECTORS(get_loads, kai_body_force(world, s->body, &a, &b))

KAI_OUTPUT_TWO_VECTORS(get_contact_loads, kai_contact_report_body(world, s->body, &a, &b))

KAI_OUTPUT_GETTER(get_body_energy)
{
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
KAI_OUTPUT_GETTER(get_radius)
{
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

KAI_OUTPUT_TWO_VECTORS(get_reaction, kai_joint_reaction(world, s->joint, &a, &b))

// Angle and travel.
KAI_OUTPUT_GETTER(get_coordinates)
{
    KAI_TRY(kai_output_told(world, kai_joint_coordinates(world, s->joint, out, out + 1), err));
    out[0] += 2.0 * KAI_PI * (double)s->turns;
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_rates)
{
    return kai_output_told(world, kai_joint_rates(world, s->joint, out, out + 1), err);
}

KAI_OUTPUT_GETTER(get_violation)
{
    return kai_output_told(world, kai_joint_violation(world, s->joint, out), err);
}

// Getters: motors and loads ----------------------------------------------------------------------

// Places of numbers among those of a load.
enum { LOAD_FORCE, LOAD_LENGTH, LOAD_RATE, LOAD_TORQUE, LOAD_ANGLE, LOAD_POWER };

KAI_OUTPUT_GETTER(get_load)
{
    kai_load_state state = {0};
    KAI_TRY(kai_output_told(world, kai_load_output(world, s->load, &state), err));
    out[LOAD_FORCE] = state.force;
    out[LOAD_LENGTH] = state.length;
    out[LOAD_RATE] = state.rate;
    out[LOAD_TORQUE] = state.torque;
    out[LOAD_ANGLE] = state.angle;
    out[LOAD_POWER] = state.power;
    return KAI_OK;
}

bool kai_output_is_turning(const kai_world* world, kai_joint joint, kai_load load)
{
    const kai_joint_kind* joint_kind = NULL;
    const kai_load_kind* load_kind = NULL;
    if (!KAI_IS_NULL(joint))
        return kai_joint_get(world, joint, &joint_kind, NULL) == KAI_OK && joint_kind->has_angle;
    return kai_load_get(world, load, &load_kind, NULL) == KAI_OK &&
           (load_kind->outputs & KAI_LOAD_ANGLE);
}

KAI_OUTPUT_GETTER(get_effort)
{
    double load[KAI_OUTPUT_NUMBERS];
    if (!KAI_IS_NULL(s->joint))
        return kai_output_told(world, kai_joint_effort(world, s->joint, out), err);
    KAI_TRY(get_load(world, s, load, err));
    *out = load[kai_output_is_turning(world, s->joint, s->load) ? LOAD_TORQUE : LOAD_FORCE];
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_motor_position)
{
    const bool turns = kai_output_is_turning(world, s->joint, s->load);
    double numbers[KAI_OUTPUT_NUMBERS];
    if (!KAI_IS_NULL(s->joint)) {
        KAI_TRY(get_coordinates(world, s, numbers, err));
        *out = numbers[turns ? 0 : 1];
    } else {
        KAI_TRY(get_load(world, s, numbers, err));
        *out = numbers[turns ? LOAD_ANGLE : LOAD_LENGTH];
    }
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_motor_speed)
{
    const bool held = !KAI_IS_NULL(s->joint);
    double numbers[KAI_OUTPUT_NUMBERS];
    KAI_TRY((held ? get_rates : get_load)(world, s, numbers, err));
    *out = numbers[!held ? LOAD_RATE : kai_output_is_turning(world, s->joint, s->load) ? 0 : 1];
    return KAI_OK;
}

// Getters: shafts and couplings ------------------------------------------------------------------

KAI_OUTPUT_GETTER(get_shaft)
{
    kai_shaft_def def = {0};
    KAI_TRY(kai_output_told(world, kai_shaft_get(world, s->shaft, &def), err));
    const double numbers[] = {def.angle, def.speed, def.acceleration, def.torque};
    memcpy(out, numbers, sizeof numbers);
    return KAI_OK;
}

// Torque, speed and power.
KAI_OUTPUT_GETTER(get_coupling)
{
    if (!KAI_IS_NULL(s->joint)) {
        KAI_TRY(kai_output_told(world, kai_joint_effort(world, s->joint, &out[0]), err));
        KAI_TRY(kai_output_told(world, kai_joint_slip(world, s->joint, &out[1]), err));
        out[2] = out[0] * out[1];
        return KAI_OK;
    }
    double load[KAI_OUTPUT_NUMBERS];
    KAI_TRY(get_load(world, s, load, err));
    out[0] = load[LOAD_TORQUE];
    out[1] = load[LOAD_RATE];
    out[2] = load[LOAD_POWER];
    return KAI_OK;
}

// Getters: the system ----------------------------------------------------------------------------

KAI_OUTPUT_GETTER(get_energy)
{
    kai_energy e;
    KAI_TRY(kai_output_told(world, kai_world_energy(world, &e), err));
    const double values[] = {e.kinetic, e.potential, e.elastic, e.dissipated, e.work, e.drift};
    memcpy(out, values, sizeof values);
    return KAI_OK;
}

KAI_OUTPUT_TWO_VECTORS(get_momentum, kai_world_momentum(world, &a, &b))

KAI_OUTPUT_GETTER(get_bodies)
{
    *out = (double)kai_body_count(world);
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_rows)
{
    *out = (double)kai_output_joints_rows(world);
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_max_violation)
{
    return kai_output_told(world, kai_output_joints_violation(world, out), err);
}

KAI_OUTPUT_GETTER(get_residual)
{
    KAI_TRY(kai_constraints_residual(world, out, err));
    *out = fmax(*out, world->solver_tally.cone_last);
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_asleep)
{
    *out = (double)kai_sleep_count(world);
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_iterations)
{
    *out = (double)kai_solver_measured(world).iterations;
    return KAI_OK;
}

// How many there are, and the largest overlap.
KAI_OUTPUT_GETTER(get_contacts)
{
    out[0] = out[1] = 0.0;
    if (!kai_collision_wanted(world)) return KAI_OK;
    KAI_TRY(kai_collision_refresh(world, err));
    out[0] = (double)kai_collision_count(world);
    out[1] = kai_collision_depth(world);
    return KAI_OK;
}

// Tables -----------------------------------------------------------------------------------------

static const quantity BODY[] = {
    KAI_OUTPUT_VEC3("position", "m", "Origin of the body's own frame, world frame.",
                    .get = get_position, .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_VEC3("velocity", "m/s", "Velocity of that origin, world frame.", .get = get_velocity,
                    .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_VEC3("acceleration", "m/s²", "Acceleration of that origin, world frame.",
                    .get = get_acceleration, .evaluated = true),
    KAI_OUTPUT_ITEM("rotation", "", "Quaternion that takes body coordinates to world coordinates.",
                    WXYZ, .get = get_rotation, .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_VEC3("angular_velocity", "rad/s", "Angular velocity, world frame.",
                    .get = get_angular_velocity, .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_VEC3("angular_acceleration", "rad/s²", "Angular acceleration, world frame.",
                    .get = get_angular_acceleration, .evaluated = true),
    KAI_OUTPUT_VEC3("com_position", "m", "Centre of mass, world frame.", .get = get_com_position,
                    .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_VEC3("com_velocity", "m/s", "Velocity of the centre of mass, world frame.",
                    .get = get_com_velocity, .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_VEC3("force", "N", "Sum of the loads on the body, world frame, without gravity.",
                    .get = get_loads, .evaluated = true),
    KAI_OUTPUT_VEC3("torque", "N m", "Sum of their torques about the centre of mass, world frame.",
                    .get = get_loads, .first = 3, .evaluated = true),
    KAI_OUTPUT_VEC3("contact_force", "N",
                    "Sum of the contact forces on it in the last step, world frame.",
                    .get = get_contact_loads),
    KAI_OUTPUT_VEC3("contact_torque", "N m",
                    "Sum of their moments about the centre of mass, world frame.",
                    .get = get_contact_loads, .first = 3),
    KAI_OUTPUT_ITEM("energy", "J",
                    "Kinetic energy, and potential energy of gravity, zero at the origin.",
                    BODY_ENERGY, .get = get_body_energy, .moment = KAI_OUTPUT_VELOCITIES),
};

static const quantity JOINT[] = {
    KAI_OUTPUT_VEC3(
        "force", "N",
        "Force that the joint puts on b, joint frame fixed to a; of joints of nodes on the (first) "
        "node, world frame.",
        .get = get_reaction, .evaluated = true),
    KAI_OUTPUT_VEC3(
        "torque", "N m",
        "Its torque on b about the joint point on b, same frame; of joints of nodes on slopes.",
        .get = get_reaction, .first = 3, .evaluated = true),
    KAI_OUTPUT_REAL("angle", "rad",
                    "Angle of b relative to a about the axis; whole turns are counted.",
                    .get = get_coordinates, .offered = HAS_ANGLE, .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_REAL("angle_rate", "rad/s", "Its rate.", .get = get_rates, .offered = HAS_ANGLE,
                    .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_REAL("travel", "m", "Displacement of b relative to a along the axis.",
                    .get = get_coordinates, .first = 1, .offered = HAS_TRAVEL,
                    .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_REAL("travel_rate", "m/s", "Its rate.", .get = get_rates, .first = 1,
                    .offered = HAS_TRAVEL, .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_REAL("violation", "m, rad",
                    "Constraint violation: largest error of the equations of the joint.",
                    .get = get_violation),
};

static const quantity MOTOR[] = {
    KAI_OUTPUT_REAL("effort", "N m, N", "Torque about, or force along, its coordinate, on body b.",
                    .get = get_effort, .evaluated = true, .offered = HAS_EFFORT),
    KAI_OUTPUT_REAL("position", "rad, m", "Its coordinate; whole turns are counted.",
                    .get = get_motor_position, .offered = HAS_EFFORT,
                    .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_REAL("speed", "rad/s, m/s", "The rate of its coordinate.", .get = get_motor_speed,
                    .offered = HAS_EFFORT, .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_VEC3("force", "N", "Force on b, joint frame fixed to a.", .get = get_reaction,
                    .evaluated = true, .offered = HAS_REACTION),
    KAI_OUTPUT_VEC3("torque", "N m", "Its torque on b about the joint point on b, same frame.",
                    .get = get_reaction, .first = 3, .evaluated = true, .offered = HAS_REACTION),
};

static const quantity FORCE[] = {
    KAI_OUTPUT_REAL("force", "N", "Force along its line; positive pulls the ends together.",
                    .get = get_load, .first = LOAD_FORCE, .evaluated = true,
                    .offered = KAI_LOAD_FORCE),
    KAI_OUTPUT_REAL("length", "m", "Distance between its ends.", .get = get_load,
                    .first = LOAD_LENGTH, .evaluated = true, .offered = KAI_LOAD_LENGTH,
                    .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_REAL("rate", "m/s, rad/s", "Rate of its length or angle.", .get = get_load,
                    .first = LOAD_RATE, .evaluated = true, .offered = KAI_LOAD_RATE,
                    .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_REAL("torque", "N m", "Torque about its axis, on body b.", .get = get_load,
                    .first = LOAD_TORQUE, .evaluated = true, .offered = KAI_LOAD_TORQUE),
    KAI_OUTPUT_REAL(
        "angle", "rad", "Angle of b relative to a about its axis; whole turns are counted.",
        .get = get_load, .first = LOAD_ANGLE, .evaluated = true, .offered = KAI_LOAD_ANGLE),
};

static const quantity SHAFT[] = {
    KAI_OUTPUT_REAL("angle", "rad", "Its angle; whole turns are counted.", .get = get_shaft,
                    .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_REAL("speed", "rad/s", "Its speed.", .get = get_shaft, .first = 1,
                    .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_REAL("acceleration", "rad/s²", "Its acceleration.", .get = get_shaft, .first = 2,
                    .evaluated = true),
    KAI_OUTPUT_REAL("torque", "N m",
                    "Sum of the torques that springs, engines and the like put on it, without "
                    "those of couplings that hold speeds.",
                    .get = get_shaft, .first = 3, .evaluated = true),
};

static const quantity COUPLING[] = {
    KAI_OUTPUT_REAL("torque", "N m", "Torque on shaft 2, on the output or on its only shaft.",
                    .get = get_coupling, .evaluated = true),
    KAI_OUTPUT_REAL("speed", "rad/s",
                    "Speed of shaft 2 relative to shaft 1, or the speed of its only shaft.",
                    .get = get_coupling, .first = 1),
    KAI_OUTPUT_REAL("power", "W",
                    "Power that it delivers to the shafts; negative where it absorbs power.",
                    .get = get_coupling, .first = 2, .evaluated = true),
};

// The value that control/ has found for the world's state.
KAI_OUTPUT_GETTER(get_signal)
{
    const kai_jet* values = world->functions.signals.data;
    const uint32_t place = s->signal.index - 1;
    *out = place < world->functions.signals.count ? values[place].y : 0.0;
    return KAI_OK;
}

static const quantity SIGNAL[] = {
    KAI_OUTPUT_REAL("value", "", "Its value.", .get = get_signal),
};

static const quantity PARTICLES[] = {
    KAI_OUTPUT_VEC3("position", "m", "Origin of each particle's own frame: columns x y z.",
                    .get = get_position),
    KAI_OUTPUT_VEC3("velocity", "m/s", "Its velocity, world frame: columns vx vy vz.",
                    .get = get_velocity),
    KAI_OUTPUT_ITEM("rotation", "", "Quaternion, particle to world: columns qw qx qy qz.", WXYZ,
                    .get = get_rotation),
    KAI_OUTPUT_VEC3("angular_velocity", "rad/s", "Angular velocity, world frame: columns wx wy wz.",
                    .get = get_angular_velocity),
    KAI_OUTPUT_REAL("radius", "m", "Radius, 0 for particles that are no spheres: column radius.",
                    .get = get_radius),
};

static const quantity SYSTEM[] = {
    KAI_OUTPUT_ITEM("energy", "J", "Energy of the whole system and its balance.", ENERGY,
                    .get = get_energy),
    KAI_OUTPUT_ITEM("momentum", "kg m/s, kg m²/s",
                    "Linear momentum, and angular momentum about the world's origin.", MOMENTUM,
                    .get = get_momentum),
    KAI_OUTPUT_REAL("kinetic_energy", "J", "Kinetic energy of all bodies.", .get = get_energy),
    KAI_OUTPUT_REAL("bodies", "", "Number of bodies.", .get = get_bodies),
    KAI_OUTPUT_REAL("rows", "", "Number of constraint equations of active joints.",
                    .get = get_rows),
    KAI_OUTPUT_REAL("max_violation", "m, rad", "Largest constraint violation of all active joints.",
                    .get = get_max_violation),
    KAI_OUTPUT_REAL("residual", "m/s, rad/s",
                    "Largest error of velocities in joints, or the residual of the contact solver.",
                    .get = get_residual),
    KAI_OUTPUT_REAL("iterations", "",
                    "Iterations of the solver in the last step; a direct solution counts as one.",
                    .get = get_iterations),
    KAI_OUTPUT_REAL("contacts", "",
                    "Number of contacts; 0 in a scene with neither `contact` nor `collision`.",
                    .get = get_contacts),
    KAI_OUTPUT_REAL("asleep", "", "Number of bodies that are asleep.", .get = get_asleep),
    KAI_OUTPUT_REAL("max_penetration", "m", "Largest overlap of two shapes.", .get = get_contacts,
                    .first = 1),
};

// All of them ------------------------------------------------------------------------------------

#define TABLE(name) \
    [KAI_OUTPUT_##name] = &(const kai_output_table) { name, KAI_COUNT(name) }

/// Events have no quantities: each has a row of its own.
static const kai_output_table EVENTS = {NULL, 0};

static const kai_output_table* const TABLES[KAI_OUTPUT_TARGET_COUNT] = {
    TABLE(BODY),
    TABLE(JOINT),
    TABLE(MOTOR),
    TABLE(FORCE),
    TABLE(SHAFT),
    TABLE(SIGNAL),
    TABLE(COUPLING),
    TABLE(PARTICLES),
    TABLE(SYSTEM),
    [KAI_OUTPUT_SENSOR] = &(const kai_output_table){NULL, 0}, // channels of its kind
    [KAI_OUTPUT_RAY] = &kai_output_queries_ray,
    [KAI_OUTPUT_NEAREST] = &kai_output_queries_nearest,
    [KAI_OUTPUT_OVERLAP] = &kai_output_queries_overlap,
    [KAI_OUTPUT_NODE] = &kai_output_node_table,
    [KAI_OUTPUT_ELEMENT] = &kai_output_element_table,
    [KAI_OUTPUT_ELEMENTS] = &kai_output_element_table,
    [KAI_OUTPUT_STRUCTURE] = &kai_output_structure_table,
    [KAI_OUTPUT_CONTACTS] = &kai_output_contact_table,
    [KAI_OUTPUT_EVENTS] = &EVENTS};

static const quantity* output_find(kai_output_target target, int i)
{
    if ((unsigned)target >= KAI_OUTPUT_TARGET_COUNT || i < 0 || i >= TABLES[target]->count)
        return NULL;
    return &TABLES[target]->list[i];
}

const kai_quantity* kai_output_quantity(kai_output_target target, int i)
{
    const quantity* q = output_find(target, i);
    return q == NULL ? NULL : &q->shown;
}

int kai_output_quantity_find(kai_output_target target, const char* name)
{
    KAI_GIVEN_OR(-1, name);
    const quantity* q;
    for (int i = 0; (q = output_find(target, i)) != NULL; i++)
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
    if (def->target == KAI_OUTPUT_SENSOR) return kai_output_sensor_quantity(world, def, i);
    const quantity* q = output_find(def->target, i);
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
    const quantity* q = output_find(def->target, i);
    const kai_joint_kind* joint = NULL;
    const kai_load_kind* load = NULL;
    if (is_of_elements(def->target)) return kai_output_element_offers(world, def, i);
    if (def->target == KAI_OUTPUT_SENSOR)
        return kai_output_sensor_quantity(world, def, i).name != NULL;
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
    const quantity* q = output_find(target, i);
    return q != NULL && q->evaluated;
}

kai_output_moment kai_output_when(kai_output_target target, int i)
{
    const quantity* q = output_find(target, i);
    return q != NULL ? q->moment : KAI_OUTPUT_STEPS;
}

bool kai_output_counts_turns(const kai_world* world, const kai_output_def* def, int i)
{
    const quantity* q = output_find(def->target, i);
    if (q == NULL || KAI_IS_NULL(def->joint)) return false;
    return (q->get == get_coordinates && q->first == 0) ||
           (q->get == get_motor_position && kai_output_is_turning(world, def->joint, def->load));
}

kai_result kai_output_value(kai_world* world, kai_output_target target, int i,
                            const kai_output_subject* subject, double out[KAI_OUTPUT_COMPONENTS],
                            kai_error* err)
{
    const quantity* q = output_find(target, i);
    if (is_of_elements(target) && (q == NULL || q->get == NULL))
        return kai_output_element_result(world, subject, i, out, err);
    if (target == KAI_OUTPUT_SENSOR)
        return kai_output_sensor_value(world, subject->sensor, i, out, err);
    if (q == NULL) return kai_error_set(err, KAI_ERROR_ARGUMENT, "quantity %d does not exist", i);
    double numbers[KAI_OUTPUT_NUMBERS];
    KAI_TRY(q->get(world, subject, numbers, err));
    memcpy(out, numbers + q->first, (size_t)q->shown.components * sizeof *out);
    return KAI_OK;
}

bool kai_output_is_motor(const kai_joint_kind* joint, const kai_load_kind* load)
{
    if (joint) return has_effort(joint) || joint->driven;
    return load && (load->outputs & KAI_LOAD_EFFORT);
}

// Definitions ------------------------------------------------------------------------------------

kai_result kai_output_check_image_file(const char* file, kai_error* err)
{
    static const char* const OWN[] = {"trajectory.h5", "meshes.h5", "checkpoint.h5"};
    if (!kai_text_ends(file, ".h5"))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "file '%s' of images must end in .h5", file);
    for (size_t i = 0; i < KAI_COUNT(OWN); i++)
        if (strcmp(file, OWN[i]) == 0)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "file '%s' is one that every run writes; choose another", file);
    return KAI_OK;
}

static kai_result check_file(const kai_output_def* def, bool image, kai_error* err)
{
    const char* file = def->file.text;
    const bool particles = kai_output_is_snapshot(def->target);
    if (memchr(file, '\0', sizeof def->file.text) == NULL || strchr(file, '/') != NULL ||
        file[0] == '.')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output file '%.64s' is no plain file name",
                             file);
    if (image) return kai_output_check_image_file(file, err);
    if (!kai_text_ends(file, ".csv") && !(particles && kai_text_ends(file, ".csv.gz")))
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
    const bool image = kai_output_sensor_is_image(world, def);
    KAI_TRY(check_file(def, image, err));
    return kai_output_check_subject(world, def, err);
}

kai_result kai_output_check_subject(const kai_world* world, const kai_output_def* def,
                                    kai_error* err)
{
    if (!(def->every >= 0.0) || !isfinite(def->every))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: every is %g s; must be >= 0",
                             def->file.text, def->every);
    if (def->quantity_count > KAI_OUTPUT_QUANTITIES ||
        (def->quantity_count == 0 && !kai_output_is_snapshot(def->target) &&
         !kai_output_sensor_is_image(world, def) && def->target != KAI_OUTPUT_EVENTS))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "output %s: has %u quantities; must have 1 to %d", def->file.text,
                             def->quantity_count, KAI_OUTPUT_QUANTITIES);
    if (is_of_elements(def->target) || def->target == KAI_OUTPUT_STRUCTURE)
        KAI_TRY(kai_output_element_check(world, def, err));
    for (uint32_t i = 0; i < def->quantity_count; i++)
        if (kai_output_quantity_of(world, def, def->quantities[i]).name == NULL)
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: quantity %d does not exist",
                                 def->file.text, def->quantities[i]);
    if (def->target == KAI_OUTPUT_SENSOR) return kai_output_sensor_check(world, def, err);
    if (def->target == KAI_OUTPUT_BODY && !kai_body_is_valid(world, def->body))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its body does not exist",
                             def->file.text);
    if (def->target == KAI_OUTPUT_SHAFT && kai_shaft_slot(world, def->shaft) == UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its shaft does not exist",
                             def->file.text);
    if (def->target == KAI_OUTPUT_SIGNAL &&
        !kai_store_find(&world->signals, KAI_ID_OF(def->signal)))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its signal does not exist",
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
