// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Worlds with contact that the tests share: a stage, and short ways to put bodies on it.
#ifndef TESTS_CONTACT_STAGE_H
#define TESTS_CONTACT_STAGE_H

#include "helper.h"

#include <kairos/contact.h>
#include <kairos/solver.h>
#include <kairos/world.h>

static const double STAGE_G = 9.81;

/// True under `make validate`: long runs at their full length, large scenes at their full size.
HELPER bool stage_full(void)
{
    const char* value = getenv("KAIROS_VALIDATE");
    return value && *value && strcmp(value, "0") != 0;
}

/// Gravity along -z. Cone problems are solved to 1e-12 m/s where 2,000 iterations are enough for
/// it.
HELPER kai_world* stage_world(kai_contact_method method, int threads)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = threads;
    check_ok(kai_world_create(&def, &world, NULL));
    kai_contact_def contact = kai_contact_def_default();
    contact.method = method;
    check_ok(kai_contact_set(world, &contact));
    kai_solver_def solver = kai_solver_def_default();
    solver.type = KAI_SOLVER_PSOR;
    solver.iterations = 2000;
    solver.tolerance = 1e-12;
    check_ok(kai_solver_set(world, &solver));
    return world;
}

/// Another solver, or other limits of its work.
HELPER void stage_solver(kai_world* world, kai_solver_type type, int iterations, double tolerance)
{
    kai_solver_def solver = kai_solver_get(world);
    solver.type = type;
    solver.iterations = iterations;
    solver.tolerance = tolerance;
    check_ok(kai_solver_set(world, &solver));
}

HELPER kai_material stage_material(kai_world* world, const kai_material_def* def)
{
    kai_material material = {0};
    if (kai_material_create(world, def, &material) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return material;
}

/// A material with that friction, inelastic, stiff enough for the penalty method at short steps.
HELPER kai_material_def stage_rough(double friction)
{
    kai_material_def def = kai_material_def_default();
    def.friction = friction;
    def.young = 2e7;
    return def;
}

HELPER kai_shape stage_shape(kai_world* world, kai_body body, const kai_shape_kind* kind,
                             const void* params, kai_vec3 at, kai_material material)
{
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape = {0};
    def.at = at;
    def.material = material;
    if (kai_shape_create(world, body, kind, params, &def, &shape) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return shape;
}

HELPER kai_body stage_body(kai_world* world, const kai_body_def* def)
{
    kai_body body = {0};
    if (kai_body_create(world, def, &body) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return body;
}

/// A fixed half space through `at`, solid on the side away from the normal.
HELPER kai_body stage_plane(kai_world* world, kai_vec3 at, kai_vec3 normal, kai_material material)
{
    kai_body_def def = kai_body_def_default();
    const kai_shape_plane_params plane = {normal};
    def.fixed = true;
    def.position = at;
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_plane, &plane, kai_vec3_zero(), material);
    return body;
}

HELPER kai_body stage_floor(kai_world* world, kai_material material)
{
    return stage_plane(world, kai_vec3_zero(), kai_vec3_axis(2), material);
}

/// A homogeneous ball.
HELPER kai_body stage_ball(kai_world* world, double radius, double mass, kai_vec3 position,
                           kai_material material)
{
    kai_body_def def = kai_body_def_default();
    const kai_shape_sphere_params sphere = {radius};
    const double i = 0.4 * mass * radius * radius;
    def.mass = mass;
    def.inertia = (kai_inertia){.xx = i, .yy = i, .zz = i};
    def.position = position;
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_sphere, &sphere, kai_vec3_zero(), material);
    return body;
}

/// A homogeneous box.
HELPER kai_body stage_box(kai_world* world, kai_vec3 size, double mass, kai_vec3 position,
                          kai_quat rotation, kai_material material)
{
    kai_body_def def = kai_body_def_default();
    const kai_shape_box_params box = {size};
    const double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
    def.mass = mass;
    def.inertia = (kai_inertia){
        .xx = mass / 12.0 * (y + z), .yy = mass / 12.0 * (x + z), .zz = mass / 12.0 * (x + y)};
    def.position = position;
    def.rotation = rotation;
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_box, &box, kai_vec3_zero(), material);
    return body;
}

HELPER void stage_push(kai_world* world, kai_body body, kai_vec3 velocity, kai_vec3 spin)
{
    check_ok(kai_body_set_velocity(world, body, velocity, spin));
}

HELPER void stage_steps(kai_world* world, int n, double h)
{
    for (int i = 0; i < n; i++)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

/// Kinetic, potential and elastic energy together.
HELPER double stage_energy(kai_world* world)
{
    kai_energy e;
    check_ok(kai_world_energy(world, &e));
    return e.kinetic + e.potential + e.elastic;
}

/// The fastest body's speed.
HELPER double stage_fastest(const kai_world* world)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_body_count(world); i++) {
        const double v = kai_vec3_norm(kai_body_com_velocity(world, kai_body_at(world, i)));
        most = v > most || !(v == v) ? v : most;
    }
    return most;
}

/// The deepest overlap of the contacts of the last step.
HELPER double stage_depth(kai_world* world)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_contact_report_count(world); i++) {
        kai_contact_report report;
        check_ok(kai_contact_report_at(world, i, &report));
        most = fmax(most, -report.contact.gap);
    }
    return most;
}

/// The sum of all contact forces on a body in the last step.
HELPER kai_vec3 stage_force(kai_world* world, kai_body body)
{
    kai_vec3 force, torque;
    check_ok(kai_contact_report_body(world, body, &force, &torque));
    return force;
}

#endif
