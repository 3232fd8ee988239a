// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the keys of a scene turn into: every type of value, the three forms of a rotation, colors,
// where mass comes from, particles, outputs, and kinds of a program's own.
#include "scene_helper.h"

static kai_body first_body(const kai_scene* scene)
{
    return kai_body_at(kai_scene_world(scene), 0);
}

// Rotations --------------------------------------------------------------------------------------

static kai_quat rotation_of(const char* text)
{
    char json[256];
    snprintf(json, sizeof json, BODY("'fixed': true, 'rotation': %s"), text);
    kai_scene* scene = good_scene(json);
    const kai_quat q = kai_body_rotation(kai_scene_world(scene), first_body(scene));
    kai_scene_close(scene);
    return q;
}

static kai_quat about(int axis, double angle)
{
    return kai_quat_from_axis_angle(kai_vec3_axis(axis), angle);
}

static void rotations_in_three_forms(void** state)
{
    (void)state;
    const char* source = "the definition of the form";
    check_rotation(rotation_of("[0.5, 0.5, -0.5, 0.5]"), kai_quat_make(0.5, 0.5, -0.5, 0.5), 1e-15,
                   source);
    // Nearly unit: made exactly so.
    const kai_quat q = rotation_of("[1.0005, 0, 0, 0]");
    check_near(q.w, 1.0, 0.0, source);
    check_rotation(rotation_of("{'axis': [0, 0, 5], 'angle': 0.3}"), about(2, 0.3), 1e-15, source);
    // Intrinsic: first about x, then about the new y, then about the newest z.
    const kai_quat xyz = kai_quat_mul(kai_quat_mul(about(0, 0.1), about(1, 0.2)), about(2, 0.3));
    check_rotation(rotation_of("{'euler': [0.1, 0.2, 0.3]}"), xyz, 1e-15, source);
    check_rotation(rotation_of("{'euler': [0.1, 0.2, 0.3], 'order': 'xyz'}"), xyz, 1e-15, source);
    const kai_quat zxz = kai_quat_mul(kai_quat_mul(about(2, 0.1), about(0, 0.2)), about(2, 0.3));
    check_rotation(rotation_of("{'order': 'zxz', 'euler': [0.1, 0.2, 0.3]}"), zxz, 1e-15, source);
    const kai_quat yzx = kai_quat_mul(kai_quat_mul(about(1, 0.1), about(2, 0.2)), about(0, 0.3));
    check_rotation(rotation_of("{'order': 'yzx', 'euler': [0.1, 0.2, 0.3]}"), yzx, 1e-15, source);
}

// Shapes -----------------------------------------------------------------------------------------

static void shapes_with_all_keys(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'materials': {'steel': {'density': 7850}},"
        "'bodies': [{'fixed': true, 'shapes': ["
        "  {'type': 'box', 'size': [1, 2, 3], 'at': [4, 5, 6], 'rotation': [0, 1, 0, 0], 'material': 'steel',"
        "   'color': '#ff8000', 'collide': false, 'visible': false},"
        "  {'type': 'sphere', 'radius': 2, 'color': [0, 0.2, 1]}, {'type': 'plane'}]}]"));
    kai_world* world = kai_scene_world(scene);
    const kai_shape_kind* kind;
    const void* params;
    kai_shape_def def;
    kai_shape shape = kai_shape_first(world, first_body(scene));
    check_ok(kai_shape_get(world, shape, &kind, &params, &def, NULL));
    assert_ptr_equal(kind, &kai_shape_box);
    check_vec3(((const kai_shape_box_params*)params)->size, kai_vec3_make(1, 2, 3), 0.0,
               "the scene");
    check_vec3(def.at, kai_vec3_make(4, 5, 6), 0.0, "the scene");
    check_rotation(def.rotation, kai_quat_make(0, 1, 0, 0), 1e-15, "the scene");
    check_vec3(def.color, kai_vec3_make(1, 128 / 255.0, 0), 1e-15, "0xff 0x80 0x00 of 0xff");
    assert_true(KAI_ID_EQUALS(def.material, kai_material_find(world, "steel")));
    assert_false(def.collide);
    assert_false(def.visible);
    shape = kai_shape_next(world, shape);
    check_ok(kai_shape_get(world, shape, &kind, &params, &def, NULL));
    check_near(((const kai_shape_sphere_params*)params)->radius, 2.0, 0.0, "the scene");
    check_vec3(def.color, kai_vec3_make(0, 0.2, 1), 1e-15, "the scene");
    assert_true(def.collide && def.visible && KAI_IS_NULL(def.material));
    kai_scene_close(scene);
}

// Mass -------------------------------------------------------------------------------------------

static kai_mass_properties mass_of(const char* keys)
{
    char json[1024];
    snprintf(
        json, sizeof json,
        SCENE(
            "'materials': {'water': {'density': 1000}, 'lead': {'density': 11000}}, 'bodies': [{%s}]"),
        keys);
    kai_scene* scene = good_scene(json);
    kai_mass_properties mass;
    check_ok(kai_body_mass(kai_scene_world(scene), first_body(scene), &mass));
    kai_scene_close(scene);
    return mass;
}

static void where_mass_comes_from(void** state)
{
    (void)state;
    // Given in full, six numbers: xx yy zz xy xz yz.
    kai_mass_properties m =
        mass_of("'mass': 3, 'inertia': [4, 5, 6, 0.1, 0.2, 0.3], 'com': [1, 2, 3]");
    const kai_mat33 full = {{{4, 0.1, 0.2}, {0.1, 5, 0.3}, {0.2, 0.3, 6}}};
    check_near(m.mass, 3.0, 0.0, "the scene");
    check_vec3(m.com, kai_vec3_make(1, 2, 3), 1e-14, "the scene");
    check_mat33(m.inertia, full, 1e-13, "the scene");

    // Density and a box: m = 2·3·4·10, I = m/12 (b² + c²) …
    m = mass_of("'density': 10, 'shapes': [{'type': 'box', 'size': [2, 3, 4], 'at': [0, 0, 1]}]");
    const kai_mat33 box = {
        {{240 / 12.0 * 25, 0, 0}, {0, 240 / 12.0 * 20, 0}, {0, 0, 240 / 12.0 * 13}}};
    check_near(m.mass, 240.0, 1e-12, "volume times density");
    check_vec3(m.com, kai_vec3_make(0, 0, 1), 1e-14, "where the box is");
    check_mat33(m.inertia, box, 1e-11, "a solid box");

    // The same shape with a mass: the same distribution, scaled.
    m = mass_of("'mass': 24, 'shapes': [{'type': 'box', 'size': [2, 3, 4], 'at': [0, 0, 1]}]");
    check_near(m.mass, 24.0, 1e-13, "the scene");
    check_vec3(m.com, kai_vec3_make(0, 0, 1), 1e-14, "where the box is");
    check_mat33(m.inertia, kai_mat33_scale(box, 0.1), 1e-12, "a solid box");

    // Two materials: the mass centre lies where the heavy one pulls it.
    const char* two =
        "'shapes': [{'type': 'box', 'size': [1, 1, 1], 'material': 'water', 'at': [-1, 0, 0]},"
        "{'type': 'box', 'size': [1, 1, 1], 'material': 'lead', 'at': [1, 0, 0]}]";
    m = mass_of(two);
    check_near(m.mass, 12000.0, 1e-9, "volumes times densities");
    check_near(m.com.x, 10000.0 / 12000.0, 1e-14, "lever rule");
    char shared[512];
    snprintf(shared, sizeof shared, "'mass': 12, %s", two);
    m = mass_of(shared);
    check_near(m.mass, 12.0, 1e-13, "the scene");
    check_near(m.com.x, 10000.0 / 12000.0, 1e-14, "lever rule");

    // Density replaces a mass that is given as well.
    m = mass_of("'mass': 1, 'density': 10, 'shapes': [{'type': 'box', 'size': [1, 1, 1]}]");
    check_near(m.mass, 10.0, 1e-13, "volume times density");
}

// position is the origin of the body's own frame, velocity that of this point.
static void states_are_of_the_own_frame(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(
        BODY("'density': 1, 'position': [1, 2, 3], 'velocity': [4, 5, 6],"
             "'angular_velocity': [0, 0, 2], 'rotation': {'axis': [0, 0, 1], 'angle': 0.5},"
             "'shapes': [{'type': 'sphere', 'radius': 1, 'at': [3, 0, 0]}]"));
    const kai_world* world = kai_scene_world(scene);
    const kai_body body = first_body(scene);
    const kai_vec3 arm = kai_vec3_make(3 * cos(0.5), 3 * sin(0.5), 0);
    check_vec3(kai_body_position(world, body), kai_vec3_make(1, 2, 3), 1e-14, "the scene");
    check_vec3(kai_body_velocity(world, body), kai_vec3_make(4, 5, 6), 1e-14, "the scene");
    check_vec3(kai_body_angular_velocity(world, body), kai_vec3_make(0, 0, 2), 1e-14,
               "the scene, world frame");
    check_vec3(kai_body_com_position(world, body), kai_vec3_add(kai_vec3_make(1, 2, 3), arm), 1e-14,
               "turned arm");
    check_vec3(kai_body_com_velocity(world, body), kai_vec3_make(4 - 2 * arm.y, 5 + 2 * arm.x, 6),
               1e-14, "v + ω × r");
    kai_scene_close(scene);
}

// Functions --------------------------------------------------------------------------------------

// The value at t of a function given as the x component of a force.
static double value_at(const char* text, double t)
{
    char json[1024];
    snprintf(json, sizeof json,
             SCENE("'bodies': [{'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]}],"
                   "'forces': [{'name': 'f', 'type': 'force', 'body': 'a', 'value': [%s, 0, 0]}]"),
             text);
    kai_scene* scene = good_scene(json);
    kai_world* world = kai_scene_world(scene);
    const kai_load_kind* kind;
    const void* params;
    check_ok(kai_load_get(world, kai_load_find(world, "f"), &kind, &params));
    assert_ptr_equal(kind, &kai_load_force);
    const kai_value x = ((const kai_load_force_params*)params)->value.x;
    kai_jet jet = {x.constant, 0, 0};
    if (!KAI_IS_NULL(x.function)) check_ok(kai_function_at(world, x.function, t, &jet));
    kai_scene_close(scene);
    return jet.y;
}

static void functions_in_every_form(void** state)
{
    (void)state;
    const char* source = "the definition of the function";
    check_near(value_at("2.5", 1.0), 2.5, 0.0, source);
    check_near(
        value_at("{'sine': {'amplitude': 2, 'frequency': 0.5, 'phase': 0.1, 'offset': 3}}", 0.7),
        2 * sin(KAI_PI * 0.7 + 0.1) + 3, 1e-14, source);
    check_near(value_at("{'sine': {}}", 0.25), 1.0, 1e-15, source);
    check_near(value_at("{'ramp': {'slope': 3, 'start': 1}}", 2.0), 3.0, 1e-15, source);
    check_near(value_at("{'ramp': {'slope': 3, 'start': 1}}", 0.5), 0.0, 0.0, source);
    check_near(value_at("{'step': {'from': 1, 'to': 3, 'at': 1, 'duration': 2}}", 2.0), 2.0, 1e-15,
               source);
    check_near(value_at("{'table': [[0, 1], [2, 5]]}", 0.5), 2.0, 1e-15, source);
    check_near(value_at("{'table': [[0, 0], [1, 1], [2, 0]], 'interpolation': 'cubic'}", 0.5),
               0.6875, 1e-14, "natural spline: y = 1.5 x - 0.5 x³ on the first interval");
    check_near(value_at("{'interpolation': 'linear', 'table': [[0, 0], [1, 1], [2, 0]]}", 0.5), 0.5,
               1e-15, source);
    check_near(value_at("{'table': {'points': [[0, 0], [1, 4]], 'interpolation': 'linear'}}", 0.5),
               2.0, 1e-15, source);
    check_near(value_at("{'polynomial': [1, 2, 3]}", 2.0), 17.0, 1e-14, source);
    check_near(value_at("{'polynomial': {'coefficients': [1, 2, 3]}}", 2.0), 17.0, 1e-14, source);
    check_near(value_at("{'sum': [1, {'ramp': {}}, {'value': 5}]}", 2.0), 8.0, 1e-15, source);
    check_near(value_at("{'product': [3, {'ramp': {}}, {'value': {'ramp': {}}}]}", 2.0), 12.0,
               1e-14, source);
    check_near(
        value_at(
            "{'sequence': [{'duration': 1, 'value': 5}, {'duration': 2, 'value': {'ramp': {}}}]}",
            1.5),
        0.5, 1e-15, source);
    check_near(value_at("{'repeat': {'function': {'ramp': {}}, 'period': 2}}", 5.0), 1.0, 1e-14,
               source);
    check_near(
        value_at("{'repeat': {'function': {'sum': [1, {'ramp': {}}]}, 'period': 2, 'start': 1}}",
                 4.0),
        2.0, 1e-14, source);
}

static void functions_are_not_nested_without_end(void** state)
{
    (void)state;
    char text[1024] = "";
    for (int i = 0; i < 33; i++) strcat(text, "{'sum': [");
    strcat(text, "1");
    for (int i = 0; i < 33; i++) strcat(text, "]}");
    char json[2048];
    snprintf(json, sizeof json, VALUE("%s"), text);
    kai_scene* scene = NULL;
    check_error(open_scene(json, NULL, &scene), KAI_ERROR_FORMAT);
    assert_int_equal(kai_scene_problem_count(scene), 1);
    assert_non_null(
        strstr(kai_scene_problem(scene, 0)->message, "functions are nested more than 32 deep"));
    kai_scene_close(scene);
}

// Loads of a program's own -----------------------------------------------------------------------

typedef struct brake {
    kai_body body;
    double rate;
    kai_function share;
    kai_string label;
    int64_t level;
} brake;

static const kai_param BRAKE_PARAMS[] = {
    {.name = "body",
     .type = KAI_PARAM_BODY,
     .offset = offsetof(brake, body),
     .required = true,
     .doc = "Body."},
    {.name = "rate",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(brake, rate),
     .unit = "1/s",
     .initial = {1.0},
     .range = KAI_BETWEEN(0.0, 9.0),
     .doc = "Rate."},
    {.name = "share",
     .type = KAI_PARAM_FUNCTION,
     .offset = offsetof(brake, share),
     .doc = "Share."},
    {.name = "label", .type = KAI_PARAM_STRING, .offset = offsetof(brake, label), .doc = "Label."},
    {.name = "level", .type = KAI_PARAM_INT, .offset = offsetof(brake, level), .doc = "Level."},
};

static void brake_apply(const kai_load_batch* batch)
{
    for (size_t i = batch->begin; i < batch->end; i++)
        batch->out[i].force = kai_vec3_scale(batch->motion[batch->slot[i]].velocity,
                                             -KAI_LOAD_AT(batch, brake, i)->rate);
}

static const kai_load_kind BRAKE = {
    .kind = {KAI_SIZES(kai_load_kind), .name = "brake", .doc = "Slows a body down.",
             .size = sizeof(brake), .params = BRAKE_PARAMS, .param_count = KAI_COUNT(BRAKE_PARAMS)},
    .apply = brake_apply,
    .needs_velocity = true};

static kai_scene* open_brake(const char* keys, char** problems)
{
    const kai_load_kind* const kinds[] = {&BRAKE, NULL};
    char json[1024];
    snprintf(
        json, sizeof json,
        SCENE(
            "'bodies': [{'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]}], 'forces': [{'name': 'b', %s}]"),
        keys);
    char* text = quoted(json);
    kai_scene_def def = kai_scene_def_default();
    def.text = text;
    def.text_size = strlen(text);
    def.world.kinds.loads = kinds;
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    free(text);
    *problems = problems_text(scene);
    return scene;
}

static void kinds_of_a_program_have_scene_keys(void** state)
{
    (void)state;
    char* problems;
    kai_scene* scene = open_brake(
        "'type': 'brake', 'body': 'a', 'rate': 3, 'share': 0.5, 'label': 'x', 'level': -7",
        &problems);
    assert_string_equal(problems, "");
    free(problems);
    kai_world* world = kai_scene_world(scene);
    const void* params;
    check_ok(kai_load_get(world, kai_load_find(world, "b"), NULL, &params));
    const brake* b = params;
    check_near(b->rate, 3.0, 0.0, "the scene");
    assert_int_equal(b->level, -7);
    assert_string_equal(b->label.text, "x");
    kai_jet jet;
    check_ok(kai_function_at(world, b->share, 4.0, &jet));
    check_near(jet.y, 0.5, 0.0, "the scene");
    kai_scene_close(scene);

    scene = open_brake("'type': 'brake', 'body': 'a', 'rat': 3", &problems);
    assert_string_equal(problems,
                        "scene:1:155: /forces/0/rat: unknown key \"rat\"; did you mean \"rate\"?");
    free(problems);
    kai_scene_close(scene);
    scene = open_brake("'type': 'brake', 'body': 'a', 'rate': 10, 'share': true", &problems);
    assert_string_equal(problems,
                        "scene:1:163: /forces/0/rate: rate is 10 1/s; must be from 0 to 9\n"
                        "scene:1:176: /forces/0/share: share is true; must be a function");
    free(problems);
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_in_three_forms),
        cmocka_unit_test(shapes_with_all_keys),
        cmocka_unit_test(where_mass_comes_from),
        cmocka_unit_test(states_are_of_the_own_frame),
        cmocka_unit_test(functions_in_every_form),
        cmocka_unit_test(functions_are_not_nested_without_end),
        cmocka_unit_test(kinds_of_a_program_have_scene_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
