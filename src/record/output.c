// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The tables of quantities, one a target. A new quantity is a getter and a line.
#include "record/output.h"

#include "base/error.h"
#include "base/text.h"
#include "model/world.h"

#include <math.h>
#include <string.h>

// A quantity and how its numbers are found.
typedef struct quantity {
    kai_quantity shown;
    kai_result (*get)(kai_world* world, kai_body body, double* out, kai_error* err);
    bool needs_acceleration; // also for forces: loads are then evaluated at the state that is shown
} quantity;

static const char* const XYZ[] = {"x", "y", "z"};
static const char* const WXYZ[] = {"w", "x", "y", "z"};
static const char* const BODY_ENERGY[] = {"kinetic", "potential"};
static const char* const ENERGY[] = {"kinetic",    "potential", "elastic",
                                     "dissipated", "work",      "drift"};
static const char* const MOMENTUM[] = {"px", "py", "pz", "lx", "ly", "lz"};

// Getters: bodies
// -----------------------------------------------------------------------------------

static void put3(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

#define BODY_VECTOR(call)                                                                      \
    static kai_result get_##call(kai_world* world, kai_body body, double* out, kai_error* err) \
    {                                                                                          \
        (void)err;                                                                             \
        put3(out, kai_body_##call(world, body));                                               \
        return KAI_OK;                                                                         \
    }
BODY_VECTOR(position)
BODY_VECTOR(velocity)
BODY_VECTOR(acceleration)
BODY_VECTOR(angular_velocity)
BODY_VECTOR(angular_acceleration)
BODY_VECTOR(com_position)
BODY_VECTOR(com_velocity)

static kai_result get_rotation(kai_world* world, kai_body body, double* out, kai_error* err)
{
    (void)err;
    const kai_quat q = kai_body_rotation(world, body);
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
    return KAI_OK;
}

static kai_result get_loads(kai_world* world, kai_body body, kai_vec3* force, kai_vec3* torque,
                            kai_error* err)
{
    const kai_result r = kai_body_force(world, body, force, torque);
    if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
    return r;
}

static kai_result get_force(kai_world* world, kai_body body, double* out, kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(get_loads(world, body, &force, &torque, err));
    put3(out, force);
    return KAI_OK;
}

static kai_result get_torque(kai_world* world, kai_body body, double* out, kai_error* err)
{
    kai_vec3 force, torque;
    KAI_TRY(get_loads(world, body, &force, &torque, err));
    put3(out, torque);
    return KAI_OK;
}

static kai_result get_body_energy(kai_world* world, kai_body body, double* out, kai_error* err)
{
    (void)err;
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    out[0] = out[1] = 0.0;
    if (slot == SIZE_MAX || (world->bodies.motion[slot].flags & KAI_BODY_FIXED)) return KAI_OK;
    const kai_motion* motion = &world->bodies.motion[slot];
    const kai_bodies_mass* mass = &world->bodies.mass[slot];
    const kai_vec3 w = motion->spin, j = mass->moments;
    out[0] = 0.5 * (mass->mass * kai_vec3_norm2(motion->velocity) +
                    (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z));
    out[1] = -mass->mass * kai_vec3_dot(world->gravity, world->bodies.pose[slot].position);
    return KAI_OK;
}

// Radius of a particle: that of its first shape, 0 when that is no sphere.
static kai_result get_radius(kai_world* world, kai_body body, double* out, kai_error* err)
{
    (void)err;
    *out = 0.0;
    const kai_shape shape = kai_shape_first(world, body);
    const kai_shape_kind* kind = NULL;
    const void* params = NULL;
    if (KAI_IS_NULL(shape)) return KAI_OK;
    if (kai_shape_get(world, shape, &kind, &params, NULL, NULL) == KAI_OK &&
        kind == &kai_shape_sphere)
        *out = ((const kai_shape_sphere_params*)params)->radius;
    return KAI_OK;
}

// Getters: the system
// -------------------------------------------------------------------------------

static kai_result energy_of(kai_world* world, kai_energy* energy, kai_error* err)
{
    const kai_result r = kai_world_energy(world, energy);
    if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
    return r;
}

static kai_result get_energy(kai_world* world, kai_body body, double* out, kai_error* err)
{
    (void)body;
    kai_energy e;
    KAI_TRY(energy_of(world, &e, err));
    const double values[] = {e.kinetic, e.potential, e.elastic, e.dissipated, e.work, e.drift};
    memcpy(out, values, sizeof values);
    return KAI_OK;
}

static kai_result get_kinetic_energy(kai_world* world, kai_body body, double* out, kai_error* err)
{
    (void)body;
    kai_energy e;
    KAI_TRY(energy_of(world, &e, err));
    *out = e.kinetic;
    return KAI_OK;
}

static kai_result get_momentum(kai_world* world, kai_body body, double* out, kai_error* err)
{
    (void)body;
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

static kai_result get_bodies(kai_world* world, kai_body body, double* out, kai_error* err)
{
    (void)body;
    (void)err;
    *out = (double)kai_body_count(world);
    return KAI_OK;
}

// Tables ------------------------------------------------------------------------------------------

#define LABELS(list) KAI_COUNT(list), list
#define SCALAR       1, NULL

static const quantity BODY[] = {
    {{"position", "m", "Origin of the body's own frame, world frame.", LABELS(XYZ)},
     get_position,
     false},
    {{"velocity", "m/s", "Velocity of that origin, world frame.", LABELS(XYZ)},
     get_velocity,
     false},
    {{"acceleration", "m/s²", "Acceleration of that origin, world frame.", LABELS(XYZ)},
     get_acceleration,
     true},
    {{"rotation", "", "Quaternion that takes body coordinates to world coordinates.", LABELS(WXYZ)},
     get_rotation,
     false},
    {{"angular_velocity", "rad/s", "Angular velocity, world frame.", LABELS(XYZ)},
     get_angular_velocity,
     false},
    {{"angular_acceleration", "rad/s²", "Angular acceleration, world frame.", LABELS(XYZ)},
     get_angular_acceleration,
     true},
    {{"com_position", "m", "Centre of mass, world frame.", LABELS(XYZ)}, get_com_position, false},
    {{"com_velocity", "m/s", "Velocity of the centre of mass, world frame.", LABELS(XYZ)},
     get_com_velocity,
     false},
    {{"force", "N", "Sum of the loads on the body, world frame, without gravity.", LABELS(XYZ)},
     get_force,
     true},
    {{"torque", "N m", "Sum of their torques about the centre of mass, world frame.", LABELS(XYZ)},
     get_torque,
     true},
    {{"energy", "J", "Kinetic energy, and potential energy of gravity, zero at the origin.",
      LABELS(BODY_ENERGY)},
     get_body_energy,
     false},
};

static const quantity PARTICLES[] = {
    {{"position", "m", "Origin of each particle's own frame: columns x y z.", LABELS(XYZ)},
     get_position,
     false},
    {{"velocity", "m/s", "Its velocity, world frame: columns vx vy vz.", LABELS(XYZ)},
     get_velocity,
     false},
    {{"rotation", "", "Quaternion, particle to world: columns qw qx qy qz.", LABELS(WXYZ)},
     get_rotation,
     false},
    {{"angular_velocity", "rad/s", "Angular velocity, world frame: columns wx wy wz.", LABELS(XYZ)},
     get_angular_velocity,
     false},
    {{"radius", "m", "Radius, 0 for particles that are no spheres: column radius.", SCALAR},
     get_radius,
     false},
};

static const quantity SYSTEM[] = {
    {{"energy", "J", "Energy of the whole system and its balance.", LABELS(ENERGY)},
     get_energy,
     false},
    {{"momentum", "kg m/s, kg m²/s",
      "Linear momentum, and angular momentum about the world's origin.", LABELS(MOMENTUM)},
     get_momentum,
     false},
    {{"kinetic_energy", "J", "Kinetic energy of all bodies.", SCALAR}, get_kinetic_energy, false},
    {{"bodies", "", "How many bodies there are.", SCALAR}, get_bodies, false},
};

static const struct {
    const quantity* list;
    int count;
} TABLES[KAI_OUTPUT_TARGET_COUNT] = {[KAI_OUTPUT_BODY] = {BODY, KAI_COUNT(BODY)},
                                     [KAI_OUTPUT_PARTICLES] = {PARTICLES, KAI_COUNT(PARTICLES)},
                                     [KAI_OUTPUT_SYSTEM] = {SYSTEM, KAI_COUNT(SYSTEM)}};

static const quantity* find(kai_output_target target, int i)
{
    if ((unsigned)target >= KAI_OUTPUT_TARGET_COUNT || i < 0 || i >= TABLES[target].count)
        return NULL;
    return &TABLES[target].list[i];
}

const kai_quantity* kai_output_quantity(kai_output_target target, int i)
{
    const quantity* q = find(target, i);
    return q == NULL ? NULL : &q->shown;
}

int kai_output_quantity_find(kai_output_target target, const char* name)
{
    const quantity* q;
    for (int i = 0; name != NULL && (q = find(target, i)) != NULL; i++)
        if (strcmp(q->shown.name, name) == 0) return i;
    return -1;
}

bool kai_output_needs_acceleration(kai_output_target target, int i)
{
    const quantity* q = find(target, i);
    return q != NULL && q->needs_acceleration;
}

kai_result kai_output_value(kai_world* world, kai_output_target target, int i, kai_body body,
                            double out[KAI_OUTPUT_COMPONENTS], kai_error* err)
{
    const quantity* q = find(target, i);
    if (q == NULL) return kai_error_set(err, KAI_ERROR_ARGUMENT, "quantity %d does not exist", i);
    return q->get(world, body, out, err);
}

// Definitions
// ---------------------------------------------------------------------------------------

static bool ends_with(const char* text, const char* end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static kai_result check_file(const kai_output_def* def, kai_error* err)
{
    const char* file = def->file.text;
    const bool particles = def->target == KAI_OUTPUT_PARTICLES;
    if (memchr(file, '\0', sizeof def->file.text) == NULL || strchr(file, '/') != NULL ||
        file[0] == '.')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output file '%.64s' is no plain file name",
                             file);
    if (!ends_with(file, ".csv") && !(particles && ends_with(file, ".csv.gz")))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output file '%s' must end in .csv%s", file,
                             particles ? " or .csv.gz" : "");
    return KAI_OK;
}

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
        (def->quantity_count == 0 && def->target != KAI_OUTPUT_PARTICLES))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "output %s: has %u quantities; must have 1 to %d", def->file.text,
                             def->quantity_count, KAI_OUTPUT_QUANTITIES);
    for (uint32_t i = 0; i < def->quantity_count; i++)
        if (find(def->target, def->quantities[i]) == NULL)
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: quantity %d does not exist",
                                 def->file.text, def->quantities[i]);
    if (def->target == KAI_OUTPUT_BODY && !kai_body_is_valid(world, def->body))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its body does not exist",
                             def->file.text);
    if (def->target == KAI_OUTPUT_PARTICLES &&
        (def->particles.index == 0 || def->particles.index > kai_particles_groups(world)))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its particles do not exist",
                             def->file.text);
    return KAI_OK;
}

// The trajectory's keys
// -------------------------------------------------------------------------------

typedef kai_trajectory_def def_type;

static const kai_param TRAJECTORY[] = {
    {.name = "enabled",
     .type = KAI_PARAM_BOOL,
     .offset = offsetof(def_type, enabled),
     .initial = {1.0},
     .doc = "Whether trajectory.h5 is written."},
    {.name = "every",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(def_type, every),
     .unit = "s",
     .range = KAI_AT_LEAST(0.0),
     .doc = "Time between frames; 0: 1/30 s, or the step when that is longer."},
    {.name = "double_precision",
     .type = KAI_PARAM_BOOL,
     .offset = offsetof(def_type, double_precision),
     .doc = "Positions, rotations and velocities as 64-bit numbers instead of 32-bit ones."},
    {.name = "compression",
     .type = KAI_PARAM_INT,
     .offset = offsetof(def_type, compression),
     .range = KAI_BETWEEN(0.0, 9.0),
     .doc = "Deflate level of the file, 0: none."},
};

const kai_kind kai_output_trajectory_kind = {.name = "trajectory",
                                             .doc = "The snapshots for replay (trajectory.h5).",
                                             .size = sizeof(def_type),
                                             .params = TRAJECTORY,
                                             .param_count = KAI_COUNT(TRAJECTORY)};
