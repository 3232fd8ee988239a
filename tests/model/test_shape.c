// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes on bodies: lists, copies, materials, and the mass that follows from them.
#include "fixture.h"

static kai_body empty_body(fixture* f)
{
    kai_body_def def = kai_body_def_default();
    return add_body(f, &def);
}

static kai_mass_properties mass_of(fixture* f, kai_body body, double density)
{
    kai_mass_properties m = {0};
    if (kai_body_set_density(f->world, body, density) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    check_ok(kai_body_mass(f->world, body, &m));
    return m;
}

static void check_same(kai_mass_properties a, kai_mass_properties b)
{
    check_relative(a.mass, b.mass, 1e-14, "mass");
    check_vec3(a.com, b.com, 1e-14, "mass centre");
    check_mat33(a.inertia, b.inertia, 1e-13 * kai_mat33_max_abs(b.inertia), "inertia");
}

// Mass -------------------------------------------------------------------------------------------

static void test_two_halves_of_a_box(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_shape_box_params whole = {{2.0, 1.0, 0.5}}, half = {{1.0, 1.0, 0.5}};
    const kai_vec3 at = kai_vec3_make(0.3, -0.1, 2.0);
    const kai_quat q = helper_random_rotation(3);
    const kai_body a = empty_body(&f), b = empty_body(&f);
    add_shape(&f, a, &kai_shape_box, &whole, at, q);
    for (int side = -1; side <= 1; side += 2)
        add_shape(&f, b, &kai_shape_box, &half,
                  kai_vec3_add(at, kai_quat_rotate(q, kai_vec3_make(0.5 * side, 0.0, 0.0))), q);
    const kai_mass_properties expected = mass_of(&f, a, 3.0);
    check_relative(expected.mass, 3.0, 1e-15, "density · volume");
    check_vec3(expected.com, at, 1e-15, "its centre");
    check_same(mass_of(&f, b, 3.0), expected);
    check_vec3(kai_body_position(f.world, b), kai_vec3_zero(), 1e-15,
               "the own frame does not move");
    check_vec3(kai_body_com_position(f.world, b), at, 1e-14,
               "the mass centre is where the boxes are");
    fixture_finish(&f);
}

static void test_cone_is_off_centre(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_shape_round_params cone = {0.5, 2.0};
    const kai_body b = empty_body(&f);
    add_shape(&f, b, &kai_shape_cone, &cone, kai_vec3_zero(), kai_quat_identity());
    check_vec3(mass_of(&f, b, 1000.0).com, kai_vec3_make(0.0, 0.0, -0.5), 1e-15,
               "a quarter of the height");
    fixture_finish(&f);
}

static void test_overlaps_count_twice(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_shape_sphere_params ball = {1.0};
    const kai_body a = empty_body(&f), b = empty_body(&f);
    add_shape(&f, a, &kai_shape_sphere, &ball, kai_vec3_zero(), kai_quat_identity());
    for (int i = 0; i < 2; i++)
        add_shape(&f, b, &kai_shape_sphere, &ball, kai_vec3_zero(), kai_quat_identity());
    check_relative(mass_of(&f, b, 1.0).mass, 2.0 * mass_of(&f, a, 1.0).mass, 1e-15, "documented");
    fixture_finish(&f);
}

static void test_densities_of_materials(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_material_def steel = kai_material_def_default(), wood = kai_material_def_default();
    set_name(&steel.name, "steel");
    steel.density = 7800.0;
    wood.density = 600.0;
    kai_shape_def def = kai_shape_def_default();
    kai_material material[2];
    check_ok(kai_material_create(f.world, &steel, &material[0]));
    check_ok(kai_material_create(f.world, &wood, &material[1]));
    const kai_shape_box_params cube = {{1.0, 1.0, 1.0}};
    const kai_body b = empty_body(&f);
    for (int i = 0; i < 2; i++) {
        kai_shape shape;
        def.material = material[i];
        def.at = kai_vec3_make(i, 0.0, 0.0);
        check_ok(kai_shape_create(f.world, b, &kai_shape_box, &cube, &def, &shape));
    }
    const kai_shape_plane_params plane = {{0.0, 0.0, 1.0}}; // no volume: does not count
    add_shape(&f, b, &kai_shape_plane, &plane, kai_vec3_zero(), kai_quat_identity());
    const kai_mass_properties m = mass_of(&f, b, 0.0);
    check_relative(m.mass, 8400.0, 1e-15, "7800 + 600");
    check_vec3(m.com, kai_vec3_make(600.0 / 8400.0, 0.0, 0.0), 1e-15, "lever rule");
    check_relative(mass_of(&f, b, 2.0).mass, 4.0, 1e-15,
                   "the body's density comes before those of materials");

    add_shape(&f, b, &kai_shape_box, &cube, kai_vec3_zero(),
              kai_quat_identity()); // default material: none
    check_error(kai_body_set_density(f.world, b, 0.0), KAI_ERROR_ARGUMENT);
    check_message(
        &f, "kai_body_set_density: body: a box has no density; give the body or its material one");
    fixture_finish(&f);
}

static void test_refused_densities(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body b = empty_body(&f);
    check_error(kai_body_set_density(f.world, b, 1.0), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_set_density: body: has no shape with a volume; needs one");
    check_error(kai_body_set_density(f.world, b, -1.0), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_set_density: density is -1 kg/m³; must be >= 0");
    check_error(kai_body_set_density(f.world, b, nan("")), KAI_ERROR_ARGUMENT);
    check_error(kai_body_set_density(f.world, b, HUGE_VAL), KAI_ERROR_ARGUMENT);
    const kai_shape_sphere_params huge = {1e200};
    add_shape(&f, b, &kai_shape_sphere, &huge, kai_vec3_zero(), kai_quat_identity());
    check_error(kai_body_set_density(f.world, b, 1.0), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_set_density: mass is inf kg; must be > 0 and finite");
    fixture_finish(&f);
}

// Lists ------------------------------------------------------------------------------------------

static void test_shapes_of_a_body(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body a = empty_body(&f), b = empty_body(&f);
    kai_shape shapes[6];
    for (int i = 0; i < 6; i++) {
        const kai_shape_sphere_params ball = {1.0 + i};
        shapes[i] = add_shape(&f, i % 2 ? b : a, &kai_shape_sphere, &ball, kai_vec3_zero(),
                              kai_quat_identity());
    }
    assert_true(KAI_ID_EQUALS(kai_shape_first(f.world, b), shapes[1]));
    assert_true(
        KAI_ID_EQUALS(kai_shape_next(f.world, shapes[1]), shapes[3])); // in order of creation
    check_ok(kai_shape_destroy(f.world, shapes[3]));
    assert_true(KAI_ID_EQUALS(kai_shape_next(f.world, shapes[1]), shapes[5]));
    assert_true(KAI_IS_NULL(kai_shape_next(f.world, shapes[5])));
    assert_true(KAI_IS_NULL(kai_shape_next(f.world, shapes[3])));
    check_error(kai_shape_destroy(f.world, shapes[3]), KAI_ERROR_ID);
    check_message(&f, "kai_shape_destroy: shape id 4 is of one that was destroyed");
    check_ok(kai_body_destroy(f.world, a)); // takes its shapes along; b moves into its slot
    assert_int_equal(kai_shape_count(f.world), 2);
    const void* params;
    kai_body owner;
    check_ok(kai_shape_get(f.world, shapes[5], NULL, &params, NULL, &owner));
    assert_true(((const kai_shape_sphere_params*)params)->radius == 6.0);
    assert_true(KAI_ID_EQUALS(owner, b));
    check_error(kai_shape_get(f.world, shapes[0], NULL, NULL, NULL, NULL), KAI_ERROR_ID);
    fixture_finish(&f);
}

static void test_common_part_is_kept(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body b = empty_body(&f);
    const kai_shape_sphere_params ball = {1.0};
    kai_material_def m = kai_material_def_default();
    kai_shape_def def = kai_shape_def_default(), back;
    check_ok(kai_material_create(f.world, &m, &def.material));
    def.at = kai_vec3_make(1.0, 2.0, 3.0);
    def.rotation = kai_quat_make(0.0, 0.0, 2.0, 0.0);
    def.color = kai_vec3_make(1.0, 0.0, 0.2);
    def.collide = false;
    kai_shape shape;
    const kai_shape_kind* kind;
    check_ok(kai_shape_create(f.world, b, &kai_shape_sphere, &ball, &def, &shape));
    check_ok(kai_shape_get(f.world, shape, &kind, NULL, &back, NULL));
    assert_ptr_equal(kind, &kai_shape_sphere);
    check_vec3(back.at, def.at, 0.0, "as given");
    check_rotation(back.rotation, kai_quat_make(0.0, 0.0, 1.0, 0.0), 1e-15, "normalised");
    check_vec3(back.color, def.color, 0.5 / 255.0, "eight bits a color");
    assert_true(KAI_ID_EQUALS(back.material, def.material));
    assert_true(!back.collide && back.visible);
    const kai_shape plain =
        add_shape(&f, b, &kai_shape_sphere, &ball, kai_vec3_zero(), kai_quat_identity());
    check_ok(kai_shape_get(f.world, plain, NULL, NULL, &back, NULL));
    assert_true(back.color.x < 0.0 && KAI_IS_NULL(back.material) && back.collide);
    fixture_finish(&f);
}

// The parameters of one shape may be given for another; adding moves what they point into.
static void test_params_of_another_shape(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body b = empty_body(&f);
    const kai_shape_box_params box = {{1.0, 2.0, 3.0}};
    const kai_shape_def def = kai_shape_def_default();
    const kai_shape first =
        add_shape(&f, b, &kai_shape_box, &box, kai_vec3_zero(), kai_quat_identity());
    for (int i = 0; i < 50; i++) {
        const kai_shape_kind* kind;
        const void* params;
        kai_shape out;
        check_ok(kai_shape_get(f.world, first, &kind, &params, NULL, NULL));
        check_ok(kai_shape_create(f.world, b, kind, params, &def, &out));
        check_ok(kai_shape_get(f.world, out, NULL, &params, NULL, NULL));
        assert_memory_equal(params, &box, sizeof box);
    }
    fixture_finish(&f);
}

static void test_refused_shapes(void** state)
{
    fixture f, other;
    fixture_start(&f);
    fixture_start(&other);
    const kai_body b = empty_body(&f);
    kai_shape_sphere_params ball = {-1.0};
    kai_shape_def def = kai_shape_def_default();
    kai_shape out = {9, 9, 9};
    kai_world* w = f.world;
    check_error(kai_shape_create(w, b, &kai_shape_sphere, &ball, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: sphere: radius is -1 m; must be > 0");
    ball.radius = 1.0;
    check_error(kai_shape_create(w, (kai_body){0}, &kai_shape_sphere, &ball, &def, &out),
                KAI_ERROR_ID);
    check_message(&f, "kai_shape_create: body id 0 is null, stale or from another world");
    check_error(kai_shape_create(w, b, NULL, &ball, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: kind is NULL");
    check_error(kai_shape_create(w, b, &kai_shape_sphere, NULL, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: params is NULL");
    check_error(kai_shape_create(w, b, &kai_shape_sphere, &ball, NULL, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: def is NULL");
    def.rotation = (kai_quat){0};
    check_error(kai_shape_create(w, b, &kai_shape_sphere, &ball, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: shape: rotation is [0, 0, 0, 0]; must have norm 1");
    def = kai_shape_def_default();
    def.color.y = 0.5; // half a color
    check_error(kai_shape_create(w, b, &kai_shape_sphere, &ball, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: shape: color is -1; must be from 0 to 1");
    def = kai_shape_def_default();
    const kai_material_def m = kai_material_def_default();
    check_ok(kai_material_create(other.world, &m, &def.material));
    check_error(kai_shape_create(w, b, &kai_shape_sphere, &ball, &def, &out), KAI_ERROR_ID);
    check_message(&f, "kai_shape_create: material id 1 is from another world");
    assert_int_equal(kai_shape_count(w), 0);
    assert_int_equal(out.index, 0);
    fixture_finish(&f);
    fixture_finish(&other);
}

// A kind of the user's own -----------------------------------------------------------------------

static void cube_mass(const void* instance, kai_mass_properties* out)
{
    const double a = *(const double*)instance, m = a * a * a;
    *out = (kai_mass_properties){
        m, kai_vec3_zero(),
        kai_mat33_diagonal(kai_vec3_make(m * a * a / 6, m * a * a / 6, m * a * a / 6))};
}

static void test_user_kind(void** state)
{
    static const kai_param param = {.name = "edge",
                                    .type = KAI_PARAM_REAL,
                                    .required = true,
                                    .range = KAI_ABOVE(0.0),
                                    .doc = "Edge."};
    static const kai_shape_kind cube = {.kind = {KAI_SIZES(kai_shape_kind), .name = "cube",
                                                 .doc = "A cube.", .size = sizeof(double),
                                                 .params = &param, .param_count = 1},
                                        .mass = cube_mass};
    static const kai_shape_kind taken = {
        .kind = {KAI_SIZES(kai_shape_kind), .name = "box", .doc = "Another box.", .size = 8}};
    fixture f;
    fixture_start(&f);
    const kai_body b = empty_body(&f);
    const double edge = 2.0;
    const kai_shape_def def = kai_shape_def_default();
    kai_shape out;
    check_error(kai_shape_create(f.world, b, &cube, &edge, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: shape kind 'cube' is not registered in this world");
    check_ok(kai_shape_register(f.world, &cube));
    add_shape(&f, b, &cube, &edge, kai_vec3_zero(), kai_quat_identity());
    check_relative(mass_of(&f, b, 1.0).mass, 8.0, 0.0, "a³");
    check_error(kai_shape_register(f.world, &taken), KAI_ERROR_NAME);
    check_message(&f, "kai_shape_register: shape kind 'box' exists already");
    check_error(kai_shape_register(f.world, NULL), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_register: kind is NULL");
    fixture_finish(&f);
}

// Materials --------------------------------------------------------------------------------------

static void test_materials(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_material_def def = kai_material_def_default(), back;
    set_name(&def.name, "rubber");
    def.friction = 0.9;
    kai_material m = {0}, out = {0};
    check_ok(kai_material_create(f.world, &def, &m));
    assert_true(KAI_ID_EQUALS(kai_material_find(f.world, "rubber"), m));
    assert_true(KAI_IS_NULL(kai_material_find(f.world, "ruber")));
    check_ok(kai_material_get(f.world, m, &back));
    assert_true(back.friction == 0.9);
    check_error(kai_material_create(f.world, &def, &out), KAI_ERROR_NAME);
    check_message(&f,
                  "kai_material_create: material name \"rubber\" is used twice; must be unique");
    memset(def.name.text, 'x', sizeof def.name.text);
    check_error(kai_material_create(f.world, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_material_create: material: name has no end; at most 255 bytes");
    def = kai_material_def_default();
    def.restitution = 1.5;
    check_error(kai_material_create(f.world, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_material_create: material: restitution is 1.5; must be from 0 to 1");
    check_error(kai_material_get(f.world, (kai_material){7, 0, m.world}, &back), KAI_ERROR_ID);
    check_message(&f, "kai_material_get: material id 7 is not of this world");
    assert_int_equal(kai_material_count(f.world), 1);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_halves_of_a_box),
        cmocka_unit_test(test_cone_is_off_centre),
        cmocka_unit_test(test_overlaps_count_twice),
        cmocka_unit_test(test_densities_of_materials),
        cmocka_unit_test(test_refused_densities),
        cmocka_unit_test(test_shapes_of_a_body),
        cmocka_unit_test(test_common_part_is_kept),
        cmocka_unit_test(test_params_of_another_shape),
        cmocka_unit_test(test_refused_shapes),
        cmocka_unit_test(test_user_kind),
        cmocka_unit_test(test_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
