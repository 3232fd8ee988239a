// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a program is warned of before a run: what is mostly a mistake, and nothing else.
#include "scene/scene_helper.h"

#include <kairos/kairos.h>

static char said[2048]; // all warnings

static void listen(void* context, kai_log_level level, const char* message)
{
    (void)context;
    if (level != KAI_LOG_WARNING) return;
    const size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", message);
}

static kai_scene* open_text(const char* text)
{
    char* json = quoted(text);
    kai_scene_def def = kai_scene_def_default();
    def.path = "scene.json";
    def.text = json;
    def.text_size = strlen(json);
    def.world.log = listen;
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    free(json);
    assert_non_null(scene);
    return scene;
}

static const char* check_text(const char* text, double step)
{
    kai_scene* scene = open_text(text);
    said[0] = '\0';
    check_ok(kai_run_check(scene, step, NULL));
    kai_scene_close(scene);
    return said;
}

#define BOX(name, x)                                                                              \
    "{'name': '" name "', 'density': 1000, 'position': [" x ", 0, 0], 'shapes': [{'type': 'box'," \
    " 'size': [1, 1, 1]}]}"
#define BOXES(contact, x, more)                                   \
    "{'kairos': 1, 'step': 0.001, 'end': 1, 'contact': '" contact \
    "', 'bodies': [" BOX("a", "0") ", " BOX("b", x) "]" more "}"
#define SPRING                                                                                  \
    "{'kairos': 1, 'step': 0.001, 'end': 1, 'bodies': [{'name': 'g', 'fixed': true}, {'name': " \
    "'m', 'mass': 1, 'inertia': [1, 1, 1]}], 'forces': [{'name': 's', 'type': 'spring', "       \
    "'bodies': ['g', 'm'], 'points': [[-1, 0, 0], [0, 0, 0]], 'stiffness': 10000}]}"

static void overlaps_are_told(void** state)
{
    (void)state;
    assert_string_equal(check_text(BOXES("nsc", "1.001", ""), 0.0), "");
    assert_non_null(strstr(check_text(BOXES("nsc", "0.9", ""), 0.0),
                           "at the start body 'a' and body 'b' overlap by 0.1 m"));
    assert_string_equal(check_text(BOXES("nsc", "0.9", ", 'checks': {'enabled': false}"), 0.0), "");
}

/// ω = 100 rad/s: a step of 1 ms is a tenth of a radian, one of 0.1 s far beyond 2 / ω.
static void steps_that_are_too_long_are_told(void** state)
{
    (void)state;
    assert_string_equal(check_text(SPRING, 0.0), "");
    assert_non_null(strstr(check_text(SPRING, 0.1), "step 0.1 s is longer than"));
    assert_non_null(strstr(said, "spring 's'"));
}

static void calls_that_make_no_sense_are_refused(void** state)
{
    (void)state;
    kai_error err = {0};
    kai_scene* scene = open_text(SPRING);
    check_error(kai_run_check(scene, -1.0, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "kai_run_check: step is -1 s; must be >= 0");
    check_error(kai_run_check(NULL, 0.0, &err), KAI_ERROR_ARGUMENT);
    kai_scene_close(scene);
    scene = open_text("{'kairos': 2}");
    check_error(kai_run_check(scene, 0.0, &err), KAI_ERROR_ARGUMENT);
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_are_told),
        cmocka_unit_test(steps_that_are_too_long_are_told),
        cmocka_unit_test(calls_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
