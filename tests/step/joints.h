// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Small mechanisms that the tests of joints share.
#ifndef TESTS_STEP_JOINTS_H
#define TESTS_STEP_JOINTS_H

#include "step/scene.h"

#include <kairos/joint.h>

static const double JOINTS_G = 9.81;

/// Parameters of an integrator for equal steps, with that tolerance where it has one and it is not
/// 0. NULL when it has no parameters.
HELPER const void* joints_tight(const kai_integrator_kind* kind, double tolerance, void* buffer)
{
    if (!scene_equal_steps(kind, buffer)) return NULL;
    if (tolerance == 0.0) return buffer;
    const kai_param* p = kai_kind_param(&kind->kind, "tolerance");
    if (p) *(double*)((char*)buffer + p->offset) = tolerance;
    p = kai_kind_param(&kind->kind, "iterations");
    if (p) *(int64_t*)((char*)buffer + p->offset) = 40;
    return buffer;
}

/// A world with gravity along -z; the integrator with that tolerance, 0: its default.
HELPER kai_world* joints_world(const kai_integrator_kind* integrator, double tolerance)
{
    _Alignas(64) char buffer[SCENE_PARAMS];
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = 1;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_integrator_set(world, integrator, joints_tight(integrator, tolerance, buffer)));
    return world;
}

HELPER kai_body joints_ground(kai_world* world)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.fixed = true;
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

HELPER kai_body_def joints_body_def(double mass, double xx, double yy, double zz)
{
    kai_body_def def = kai_body_def_default();
    def.mass = mass;
    def.inertia = (kai_inertia){xx, yy, zz, 0.0, 0.0, 0.0};
    return def;
}

HELPER kai_body joints_add(kai_world* world, const kai_body_def* def)
{
    kai_body body;
    if (kai_body_create(world, def, &body) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return body;
}

/// Fills the base of an instance: defaults, bodies, point and axis.
HELPER void joints_set(const kai_joint_kind* kind, void* params, kai_body a, kai_body b,
                       kai_vec3 at, kai_vec3 axis)
{
    kai_joint_base* base = params;
    kai_kind_defaults(&kind->kind, params);
    base->bodies[0] = a;
    base->bodies[1] = b;
    base->at = at;
    base->axis = axis;
}

HELPER kai_joint joints_make(kai_world* world, const kai_joint_kind* kind, const void* params)
{
    kai_joint joint;
    if (kai_joint_create(world, kind, params, "", &joint) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return joint;
}

/// A joint of a kind that needs nothing but point and axis.
HELPER kai_joint joints_simple(kai_world* world, const kai_joint_kind* kind, kai_body a, kai_body b,
                               kai_vec3 at, kai_vec3 axis)
{
    kai_joint_base base;
    assert_true(kind->kind.size == sizeof base);
    joints_set(kind, &base, a, b, at, axis);
    return joints_make(world, kind, &base);
}

/// A torque in world axes.
HELPER void joints_torque(kai_world* world, kai_body body, kai_vec3 torque)
{
    kai_load_torque_params p;
    kai_load load;
    kai_kind_defaults(&kai_load_torque.kind, &p);
    p.body = body;
    p.value = (kai_value3){kai_value_constant(torque.x), kai_value_constant(torque.y),
                           kai_value_constant(torque.z)};
    check_ok(kai_load_create(world, &kai_load_torque, &p, "", &load));
}

HELPER void joints_run(kai_world* world, double end, double h)
{
    if (kai_world_step_until(world, end, h) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
}

/// Largest violation of any joint.
HELPER double joints_violation(kai_world* world)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_joint_count(world); i++) {
        double v;
        check_ok(kai_joint_violation(world, kai_joint_at_index(world, i), &v));
        most = fmax(most, v);
    }
    return most;
}

/// A bar that swings in the plane y = 0: its mass centre c from the pivot at angle θ from hanging.
HELPER kai_body_def joints_bar(double mass, double moment, kai_vec3 pivot, double c, double theta,
                               double rate)
{
    kai_body_def def = joints_body_def(mass, moment, moment, 0.5 * moment);
    const kai_vec3 along = kai_vec3_make(sin(theta), 0.0, -cos(theta));
    def.position = kai_vec3_mul_add(pivot, along, c);
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), -theta);
    def.angular_velocity = kai_vec3_make(0.0, -rate, 0.0);
    def.velocity = kai_vec3_scale(kai_vec3_make(cos(theta), 0.0, sin(theta)), c * rate);
    return def;
}

#endif
