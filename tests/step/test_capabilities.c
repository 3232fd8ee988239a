// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What integrators say that they can do is what they do: a world that needs a capability takes a
// step with every integrator that has it, and every other one names those that have it.
#include "helper.h"

#include <kairos/kairos.h>
#include <stdio.h>
#include <string.h>

#define BALL                                                                                   \
    "{'name': 'a', 'density': 500, 'position': [0, 0, 0.0999], 'shapes': [{'type': 'sphere', " \
    "'radius': 0.1}]}"
#define FLOOR "{'name': 'floor', 'fixed': true, 'shapes': [{'type': 'plane'}]}"
#define PIN                                                                                      \
    "'bodies': [" FLOOR ", " BALL "], 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': " \
    "['floor', 'a'], 'at': [1, 0, 0.1], 'axis': [0, 1, 0]"

/// Scenes are written with ' for ".
static const struct {
    unsigned capability;
    const char *text, *message;
} NEEDS[] = {
    {0, "'bodies': [" BALL "]", ""},
    {KAI_INTEGRATOR_JOINTS, PIN "}]", "cannot do joints; use euler, rk4"},
    {KAI_INTEGRATOR_JOINTS | KAI_INTEGRATOR_BOUNDS, PIN ", 'limits': [-1, 1]}]",
     "cannot do limits, ropes and friction of joints; use euler, euler-implicit"},
    {KAI_INTEGRATOR_ELEMENTS,
     "'solids': {'steel': {'type': 'elastic', 'density': 7800, 'young': 2e9}}, 'structures': "
     "[{'name': 'rope', 'type': 'cable', 'points': [[0, 0, 0], [1, 0, 0]], 'cells': 3, 'element': "
     "{'type': 'ancf-cable', 'solid': 'steel', 'radius': 0.01}, 'fixed': [{'set': 'x0'}]}]",
     "cannot do finite elements; use euler, "},
    {KAI_INTEGRATOR_PENALTY_CONTACT, "'contact': 'smc', 'bodies': [" FLOOR ", " BALL "]",
     "cannot do contact smc; use euler"},
    {KAI_INTEGRATOR_CONE_CONTACT, "'contact': 'nsc', 'bodies': [" FLOOR ", " BALL "]",
     "cannot do contact nsc; use euler or euler-implicit"},
};

static kai_scene* open_world(const char* rest)
{
    char text[2048];
    snprintf(text, sizeof text, "{'kairos': 1, 'step': 1e-4, 'end': 1, %s}", rest);
    for (char* p = text; *p; p++)
        if (*p == '\'') *p = '"';
    kai_scene_def def = kai_scene_def_default();
    def.text = text;
    def.text_size = strlen(text);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s", err.message);
    return scene;
}

static void bits_are_what_steps_do(void** state)
{
    (void)state;
    for (size_t i = 0; i < KAI_COUNT(NEEDS); i++) {
        for (size_t k = 0; kai_integrator_built_in(k); k++) {
            const kai_integrator_kind* kind = kai_integrator_built_in(k);
            kai_scene* scene = open_world(NEEDS[i].text);
            kai_world* world = kai_scene_world(scene);
            check_ok(kai_integrator_set(world, kind, NULL));
            const uint64_t before = kai_world_hash(world);
            const kai_result r = kai_world_step(world, 1e-4);
            const char* message = kai_world_error(world)->message;
            if ((kind->capabilities & NEEDS[i].capability) == NEEDS[i].capability) {
                if (r != KAI_OK) fail_msg("%s, need %zu: %s", kind->kind.name, i, message);
            } else {
                assert_int_equal(r, KAI_ERROR_UNSUPPORTED);
                const bool joints = kind->capabilities & KAI_INTEGRATOR_JOINTS;
                const char* expected = (NEEDS[i].capability & KAI_INTEGRATOR_JOINTS) && !joints
                                           ? NEEDS[1].message
                                           : NEEDS[i].message;
                if (!strstr(message, expected) || !strstr(message, kind->kind.name))
                    fail_msg("%s, need %zu: %s", kind->kind.name, i, message);
                assert_true(kai_world_hash(world) == before);
            }
            kai_scene_close(scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits_are_what_steps_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
