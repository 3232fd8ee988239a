// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Small worlds that the tests of step/ share.
#ifndef TESTS_STEP_SCENE_H
#define TESTS_STEP_SCENE_H

#include "helper.h"

#include <kairos/world.h>

enum { SCENE_PARAMS = 512 };

/// Default parameters of an integrator, but equal steps: convergence is measured over them. NULL
/// when it has no parameters.
HELPER const void* scene_equal_steps(const kai_integrator_kind* kind, void* buffer)
{
    if (kind->kind.size == 0) return NULL;
    assert_true(kind->kind.size <= SCENE_PARAMS);
    kai_kind_defaults(&kind->kind, buffer);
    const kai_param* p = kai_kind_param(&kind->kind, "adaptive");
    if (p) *(bool*)((char*)buffer + p->offset) = false;
    return buffer;
}

/// A world without gravity on `threads` threads, equal steps.
HELPER kai_world* scene_world(const kai_integrator_kind* integrator, int threads)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.gravity = kai_vec3_zero();
    def.threads = threads;
    check_ok(kai_world_create(&def, &world, NULL));
    _Alignas(64) char buffer[SCENE_PARAMS];
    check_ok(kai_integrator_set(world, integrator, scene_equal_steps(integrator, buffer)));
    return world;
}

/// A body of mass 2 at the origin with the given moments and angular velocity (world = body frame).
HELPER kai_body scene_body(kai_world* world, kai_vec3 moments, kai_vec3 omega)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = 2.0;
    def.inertia = (kai_inertia){moments.x, moments.y, moments.z, 0.0, 0.0, 0.0};
    def.angular_velocity = omega;
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

/// Angular momentum in space and kinetic energy of a world without gravity.
HELPER double scene_energy(kai_world* world)
{
    kai_energy e;
    check_ok(kai_world_energy(world, &e));
    return e.kinetic;
}

HELPER kai_vec3 scene_momentum(kai_world* world)
{
    kai_vec3 linear, angular;
    check_ok(kai_world_momentum(world, &linear, &angular));
    return angular;
}

HELPER void scene_steps(kai_world* world, int n, double h)
{
    for (int i = 0; i < n; i++) check_ok(kai_world_step(world, h));
}

#endif
