// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The schema and the reference name every key of every kind. tests/process/test_schema.py validates
// with it.
#include "families.h"
#include "gendocs.h"
#include "keys.h"

#include "base/text.h"
#include "helper.h"

#include "scene/language/sections_language.h"

#include <jansson.h>
#include <kairos/scene.h>

static char *schema, *reference;

static void check_named(const char* key, const char* doc)
{
    char text[300];
    snprintf(text, sizeof text, "\"%s\": {", key);
    if (!strstr(schema, text)) fail_msg("the schema lacks %s", key);
    snprintf(text, sizeof text, "| `%s`", key);
    if (!strstr(reference, text)) fail_msg("the reference lacks %s", key);
    if (!strstr(reference, doc)) fail_msg("the reference lacks the meaning of %s", key);
}

static void check_kind(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++)
        if (!kind->params[i].hidden) check_named(kind->params[i].name, kind->params[i].doc);
}

static void check_part(const kai_sections_part* part)
{
    if (part->kind) check_kind(part->kind);
    for (size_t i = 0; i < part->key_count; i++) {
        const docs_key* key = docs_key_of(part, part->keys[i].name);
        assert_non_null(key);
        check_named(key->name, key->doc);
        json_t* s = json_loads(key->schema, 0, NULL);
        assert_non_null(s); // written by hand
        json_decref(s);
    }
}

static void every_key_is_named(void** state)
{
    (void)state;
    check_part(&kai_sections_scene_part);
    check_part(&kai_sections_include_part);
    check_part(&kai_sections_body_part);
    check_part(&kai_sections_shape_part);
    check_part(&kai_sections_particles_part);
    check_part(&kai_sections_load_part);
    check_part(&kai_sections_output_part);
    check_part(&kai_sections_integrator_part);
    check_part(&kai_sections_law_part);
    check_part(&kai_sections_language_parameter_part);
    check_part(&kai_sections_language_instance_part);
    check_part(&kai_sections_language_template_part);
    check_kind(&kai_material_kind);
    check_kind(&kai_output_trajectory_kind);
    check_kind(&kai_sections_axis_angle_kind);
    check_kind(&kai_sections_euler_kind);
    const kai_kind* kind;
    for (size_t i = 0; (kind = docs_shapes(i)) != NULL; i++) check_kind(kind);
    for (size_t i = 0; (kind = docs_loads(i)) != NULL; i++) check_kind(kind);
    for (size_t i = 0; (kind = docs_functions(i)) != NULL; i++) check_kind(kind);
    for (size_t i = 0; (kind = docs_integrators(i)) != NULL; i++) check_kind(kind);
}

static void descriptions_of_sections_are_valid(void** state)
{
    (void)state;
    const kai_sections_part* const parts[] = {
        &kai_sections_scene_part,     &kai_sections_body_part, &kai_sections_shape_part,
        &kai_sections_particles_part, &kai_sections_load_part, &kai_sections_output_part};
    kai_error err = {0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (kai_kind_validate(parts[i]->kind, &err) != KAI_OK) fail_msg("%s", err.message);
    check_ok(kai_kind_validate(&kai_sections_axis_angle_kind, NULL));
    check_ok(kai_kind_validate(&kai_sections_euler_kind, NULL));
}

static void the_schema_is_json(void** state)
{
    (void)state;
    json_t* s = json_loads(schema, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(s);
    assert_string_equal(json_string_value(json_object_get(s, "$schema")),
                        "https://json-schema.org/draft/2020-12/schema");
    json_decref(s);
}

// The scene that the reference begins with opens as written.
static void the_example_opens(void** state)
{
    (void)state;
    const char* begin = strstr(reference, "```json\n");
    assert_non_null(begin);
    begin += strlen("```json\n");
    kai_scene_def def = kai_scene_def_default();
    def.text = begin;
    def.text_size = (size_t)(strstr(begin, "```") - begin);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_scene_close(scene);
}

int main(void)
{
    schema = docs_schema(NULL);
    kai_text all = {0};
    for (size_t i = 0; docs_reference_path(i); i++) {
        char* page = docs_reference(i);
        if (!page) return 1;
        kai_text_add(&all, "%s", page);
        free(page);
    }
    reference = all.data;
    if (!schema || !reference) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_named),
        cmocka_unit_test(descriptions_of_sections_are_valid),
        cmocka_unit_test(the_schema_is_json),
        cmocka_unit_test(the_example_opens),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(schema);
    free(reference);
    return failed;
}
