// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Worlds with signals, made from scenes: what tests of control/ share.
#ifndef TESTS_CONTROL_RIG_H
#define TESTS_CONTROL_RIG_H

#include "scene/scene_helper.h"

#include <kairos/kairos.h>
#include <math.h>

/// A scene with an integrator for equal steps, and what else stands in `rest` (' for ").
HELPER kai_scene* rig_scene(const char* integrator, const char* rest)
{
    char text[16384];
    const bool adapts = strcmp(integrator, "hht") == 0;
    snprintf(text, sizeof text,
             "{'kairos': 1, 'step': 0.001, 'end': 1, 'gravity': [0, 0, 0], 'integrator': {'type': "
             "'%s'%s}, %s}",
             integrator, adapts ? ", 'adaptive': false, 'tolerance': 1e-12" : "", rest);
    return good_scene(text);
}

/// The value of a signal now.
HELPER double rig_value(kai_world* world, const char* name)
{
    kai_jet jet = {0};
    const kai_signal signal = kai_signal_find(world, name);
    assert_false(KAI_IS_NULL(signal));
    if (kai_signal_value(world, signal, &jet) != KAI_OK)
        fail_msg("%s: %s", name, kai_world_error(world)->message);
    return jet.y;
}

HELPER void rig_steps(kai_world* world, int n, double h)
{
    for (int i = 0; i < n; i++)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

/// A cart of 2 kg that slides along x from 0, pushed by signal u.
#define RIG_CART                                                                                    \
    "'bodies': [{'name': 'ground', 'fixed': true}, {'name': 'cart', 'mass': 2, 'inertia': [1, 1, "  \
    "1]}], 'joints': [{'name': 'slide', 'type': 'prismatic', 'bodies': ['ground', 'cart'], 'at': "  \
    "[0, 0, 0], 'axis': [1, 0, 0]}], 'motors': [{'name': 'push', 'type': 'linear-force', 'joint': " \
    "'slide', 'value': {'signal': 'u'}}], "

/// The same without a joint: all integrators can.
#define RIG_FREE                                                                                  \
    "'bodies': [{'name': 'cart', 'mass': 2, 'inertia': [1, 1, 1]}], 'forces': [{'name': 'push', " \
    "'type': 'force', 'body': 'cart', 'value': [{'signal': 'u'}, 0, 0]}], "

#endif
