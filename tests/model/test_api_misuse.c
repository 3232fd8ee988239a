// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The public functions called wrongly: with NULL, with ids that lead nowhere, with numbers that are
// not finite, and from inside a step. The calls are made from the headers by api_calls.py, so that
// a new function is among them.
#include "fixture.h"

#include <kairos/driveline.h>
#include <kairos/kairos.h>
#include <kairos/run.h>
#include <kairos/scene.h>
#include <kairos/structure_file.h>
#include <kairos/view.h>

typedef struct pair_state {
    double y[2];
} pair_state;

static void no_rates(const kai_state_batch* batch) { (void)batch; }

static const kai_param STATE_PARAMS[] = {{.name = "y",
                                          .type = KAI_PARAM_REAL,
                                          .offset = offsetof(pair_state, y),
                                          .columns = 2,
                                          .doc = "Two."}};
static const kai_state_kind STATE = {.kind = {KAI_SIZES(kai_state_kind), .name = "pair",
                                              .doc = "Two.", .size = sizeof(pair_state),
                                              .params = STATE_PARAMS, .param_count = 1},
                                     .values = offsetof(pair_state, y),
                                     .count = 2,
                                     .rates = no_rates};

#define SAMPLE_kai_kind             (&kai_body_kind)
#define SAMPLE_kai_joint_kind       (&kai_joint_revolute)
#define SAMPLE_kai_load_kind        (&kai_load_force)
#define SAMPLE_kai_shape_kind       (&kai_shape_sphere)
#define SAMPLE_kai_element_kind     (&kai_element_bar)
#define SAMPLE_kai_solid_kind       (&kai_solid_elastic)
#define SAMPLE_kai_structure_kind   (&kai_structure_net)
#define SAMPLE_kai_function_kind    (&kai_function_sine)
#define SAMPLE_kai_state_kind       (&STATE)
#define SAMPLE_kai_integrator_kind  (&kai_integrator_euler)
#define SAMPLE_kai_sensor_kind      (&kai_sensor_gps)
#define SAMPLE_kai_sampler_kind     (&kai_sampler_grid)
#define SAMPLE_kai_signal_kind      (&kai_block_gain)
#define SAMPLE_kai_contact_law_kind (&kai_contact_law_hertz)

#define STALE(type)                                                            \
    ((type){t->in_##type[0].index, (uint16_t)(t->in_##type[0].generation + 1), \
            t->in_##type[0].world})
#define FOREIGN(type)                                          \
    ((type){t->in_##type[0].index, t->in_##type[0].generation, \
            (uint16_t)(t->in_##type[0].world + 1)})

#define BAD_VEC3  (kai_vec3_make((double)NAN, 0.0, 0.0))
#define BAD_FRAME (kai_frame_make(kai_vec3_make(0.0, HUGE_VAL, 0.0), kai_quat_identity()))
#define BAD_VALUE (kai_value_constant((double)NAN))
#define BAD_VALUE3 \
    ((kai_value3){kai_value_constant(0.0), kai_value_constant(HUGE_VAL), kai_value_constant(0.0)})

static size_t calls; // whose answer was looked at

static void expect(bool good, kai_result result, const char* call, const char* rule)
{
    calls++;
    if (!good) fail_msg("%s answers %s; must be %s", call, kai_result_name(result), rule);
}

#define EXPECT(call, condition, rule)           \
    do {                                        \
        const kai_result result = (call);       \
        expect(condition, result, #call, rule); \
    } while (0)
#define EXPECT_ARGUMENT(call) EXPECT(call, result == KAI_ERROR_ARGUMENT, "KAI_ERROR_ARGUMENT")
#define EXPECT_FAILURE(call)  EXPECT(call, result != KAI_OK, "an error")
#define EXPECT_BUSY(call)     EXPECT(call, result == KAI_ERROR_BUSY, "KAI_ERROR_BUSY")
#define EXPECT_ANY(call)      EXPECT(call, true, "")
#define EXPECT_TEXT(call)     expect((call) != NULL, KAI_OK, #call, "a text")

#include "api_calls.inc"

static const char SCENE[] =
    "{\"kairos\":1,\"step\":0.001,\"end\":1,"
    "\"solids\":{\"rope\":{\"type\":\"elastic\",\"density\":1100,\"young\":5e6}},"
    "\"materials\":{\"wood\":{\"density\":500}},"
    "\"bodies\":[{\"name\":\"a\",\"fixed\":true},"
    "{\"name\":\"b\",\"mass\":1,\"inertia\":[1,1,1],\"shapes\":[{\"type\":\"sphere\",\"radius\":1}]}],"
    "\"joints\":[{\"name\":\"hinge\",\"type\":\"revolute\",\"bodies\":[\"a\",\"b\"],\"at\":[0,0,0]}],"
    "\"forces\":[{\"name\":\"push\",\"type\":\"force\",\"body\":\"b\",\"value\":[1,0,0]}],"
    "\"shafts\":[{\"name\":\"shaft\",\"inertia\":1}],"
    "\"sensors\":[{\"name\":\"gps\",\"type\":\"gps\",\"body\":\"b\"}],"
    "\"signals\":[{\"name\":\"height\",\"type\":\"value\",\"value\":1}],"
    "\"events\":[{\"name\":\"high\",\"signal\":\"height\",\"crosses\":2,"
    "\"actions\":[{\"type\":\"stop\"}]}],"
    "\"structures\":[{\"name\":\"net\",\"type\":\"net\",\"size\":[1,1],\"cells\":[1,1],"
    "\"element\":{\"type\":\"ancf-cable\",\"solid\":\"rope\",\"radius\":0.01}}]}";

static void find_ids(things* t)
{
    kai_world* world = t->world;
    const kai_function_sine_params sine = {1.0, 1.0, 0.0, 0.0};
    const kai_shape_sphere_params ball = {0.1};
    const double place = 5.0;
    kai_material_pair_def pair = kai_material_pair_def_default();
    kai_particles_def grains = kai_particles_def_default();
    t->in_kai_body[0] = kai_body_find(world, "b");
    t->in_kai_shape[0] = kai_shape_first(world, t->in_kai_body[0]);
    t->in_kai_material[0] = kai_material_find(world, "wood");
    t->in_kai_joint[0] = kai_joint_find(world, "hinge");
    t->in_kai_load[0] = kai_load_find(world, "push");
    t->in_kai_sensor[0] = kai_sensor_find(world, "gps");
    t->in_kai_signal[0] = kai_signal_find(world, "height");
    t->in_kai_event[0] = kai_event_find(world, "high");
    t->in_kai_shaft[0] = kai_shaft_find(world, "shaft");
    t->in_kai_solid[0] = kai_solid_find(world, "rope");
    t->in_kai_structure[0] = kai_structure_find(world, "net");
    t->in_kai_node[0] = kai_structure_node_at(world, t->in_kai_structure[0], NULL, 0);
    t->in_kai_element[0] = kai_structure_element_at(world, t->in_kai_structure[0], 0);
    pair.materials[0] = pair.materials[1] = t->in_kai_material[0];
    grains.shape = &kai_shape_sphere;
    grains.shape_params = &ball;
    grains.density = 1.0;
    grains.table = (kai_particle_table){.count = 1, .x = &place, .y = &place, .z = &place};
    check_ok(kai_material_pair_create(world, &pair, &t->in_kai_material_pair[0]));
    check_ok(kai_function_create(world, &kai_function_sine, &sine, &t->in_kai_function[0]));
    check_ok(kai_particles_create(world, &grains, &t->in_kai_particles[0]));
    check_ok(kai_state_register(world, &STATE));
    check_ok(kai_state_create(world, &STATE, &(pair_state){{1.0, 2.0}}, NULL, &t->in_kai_state[0]));
}

/// Definitions of worlds, scenes and runs stay zeroed: no call makes what nobody would give back.
static things* start(void)
{
    things* t = calloc(1, sizeof *t);
    assert_non_null(t);
    kai_scene_def def = kai_scene_def_default();
    def.text = SCENE;
    def.text_size = strlen(SCENE);
    def.world.threads = 1;
    kai_error err = {0};
    if (kai_scene_open(&def, &t->scene, &err) != KAI_OK) fail_msg("%s", err.message);
    t->world = kai_scene_world(t->scene);
    snprintf(t->text, sizeof t->text, "%s", "nothing");
    find_ids(t);
    t->in_kai_body_def[0] = kai_body_def_default();
    t->in_kai_body_def[0].mass = 1.0;
    t->in_kai_body_def[0].inertia = (kai_inertia){1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    t->in_kai_shape_def[0] = kai_shape_def_default();
    t->in_kai_contact_def[0] = kai_contact_def_default();
    t->in_kai_solver_def[0] = kai_solver_def_default();
    t->in_kai_material_def[0] = kai_material_def_default();
    t->in_kai_shaft_def[0] = kai_shaft_def_default();
    t->in_kai_node_def[0] = kai_node_def_default();
    t->in_kai_coordinate_def[0] = kai_coordinate_def_default(KAI_JOINT_ANGLE);
    t->in_kai_output_def[0] = kai_output_def_default();
    t->in_kai_frame[0] = kai_frame_identity();
    t->in_kai_collision_ray[0].direction = kai_vec3_axis(0);
    return t;
}

static void finish(things* t)
{
    kai_scene_close(t->scene);
    free(t);
}

#define TEST_CALLS(name, least)           \
    static void test_##name(void** state) \
    {                                     \
        things* t = start();              \
        calls = 0;                        \
        call_##name(t);                   \
        assert_true(calls >= (least));    \
        finish(t);                        \
    }

TEST_CALLS(nulls, 250)
TEST_CALLS(ids, 150)
TEST_CALLS(numbers, 20)
TEST_CALLS(enums, 2)

// Calls from inside a step -----------------------------------------------------------------------

static things* inside;

static void call_all(const kai_load_batch* batch)
{
    // The world may be read.
    assert_int_equal(kai_body_count(batch->world), kai_body_count(inside->world));
    assert_true(kai_body_is_valid(batch->world, inside->in_kai_body[0]));
    (void)kai_body_position(batch->world, (kai_body){0}); // leaves no message
    call_busy(inside);
}

static int lines;

static void count_line(void* context, kai_log_level level, const char* message)
{
    (void)context;
    (void)level;
    if (strstr(message, "from inside a step")) lines++;
}

static void test_busy(void** state)
{
    static const kai_param params[] = {
        {.name = "body", .type = KAI_PARAM_BODY, .required = true, .doc = "One."}};
    static const kai_load_kind kind = {.kind = {KAI_SIZES(kai_load_kind), .name = "caller",
                                                .doc = "Calls.", .size = sizeof(kai_body),
                                                .params = params, .param_count = 1},
                                       .apply = call_all};
    things* t = inside = start();
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    kai_load load;
    kai_body body;
    def.threads = 1;
    def.log = count_line;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_load_register(world, &kind));
    check_ok(kai_body_create(world, &t->in_kai_body_def[0], &body));
    check_ok(kai_load_create(world, &kind, &body, NULL, &load));
    kai_world* other = t->world;
    t->world = world;
    t->in_kai_body[0] = body;
    calls = 0;
    check_ok(kai_world_step(world, 1e-3));
    assert_true(calls >= 80);
    assert_int_equal(lines, 1);
    check_error(kai_world_error(world)->code, KAI_ERROR_BUSY);
    assert_non_null(strstr(kai_world_error(world)->message, "called from inside a step"));
    check_ok(kai_world_evaluate(world));
    check_ok(kai_world_assemble(world));
    check_ok(kai_world_step_until(world, kai_world_time(world) + 0.01, 1e-3));
    assert_int_equal(lines, 1); // told once

    // Between steps all is as ever.
    check_ok(kai_load_destroy(world, load));
    check_ok(kai_world_step(world, 1e-3));
    kai_world_destroy(world);
    t->world = other;
    finish(t);
}

// One by one -------------------------------------------------------------------------------------

static void test_step_until(void** state)
{
    fixture f;
    fixture_start(&f);
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < KAI_COUNT(bad); i++) {
        check_error(kai_world_step_until(f.world, bad[i], 1e-3), KAI_ERROR_ARGUMENT);
        check_error(kai_world_step_until(f.world, 1.0, bad[i]), KAI_ERROR_ARGUMENT);
        check_error(kai_world_step(f.world, bad[i]), KAI_ERROR_ARGUMENT);
        check_error(kai_world_step_statics(f.world, bad[i]), KAI_ERROR_ARGUMENT);
    }
    check_message(&f, "kai_world_step_statics: h is -inf s; must be > 0 and finite");
    check_error(kai_world_step_until(f.world, 1.0, 0.0), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_world_step_until: h is 0 s; must be > 0 and finite");
    check_error(kai_world_step_until(f.world, (double)NAN, 1e-3), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_world_step_until: end is nan s; must be finite");
    check_ok(kai_world_step_until(f.world, -1.0, 1e-3)); // there already
    assert_int_equal(kai_world_steps(f.world), 0);
    fixture_finish(&f);
}

// What a call gives back is nothing when it fails.
static void test_outs(void** state)
{
    fixture f;
    fixture_start(&f);
    int place = 0;
    kai_world* world = (kai_world*)(void*)&place;
    kai_scene* scene = (kai_scene*)(void*)&place;
    kai_view_live* live = (kai_view_live*)(void*)&place;
    kai_world_def def = kai_world_def_default();
    check_error(kai_world_load(&def, "missing.h5", &world, NULL), KAI_ERROR_FILE);
    assert_null(world);
    world = (kai_world*)(void*)&place;
    check_error(kai_world_load(NULL, "missing.h5", &world, NULL), KAI_ERROR_ARGUMENT);
    assert_null(world);
    def.threads = -1;
    world = (kai_world*)(void*)&place;
    check_error(kai_world_create(&def, &world, NULL), KAI_ERROR_ARGUMENT);
    assert_null(world);
    check_error(kai_scene_open(NULL, &scene, NULL), KAI_ERROR_ARGUMENT);
    assert_null(scene);
    check_error(kai_view_live_start(NULL, &live, NULL), KAI_ERROR_ARGUMENT);
    assert_null(live);
    kai_body_def bodies[2] = {body_def(""), body_def("")};
    kai_body out[2] = {{9, 9, 9}, {9, 9, 9}};
    bodies[1].mass = -1.0;
    check_error(kai_body_create_many(f.world, bodies, 2, out), KAI_ERROR_ARGUMENT);
    assert_true(KAI_IS_NULL(out[0]) && KAI_IS_NULL(out[1]));
    assert_string_equal(kai_world_error(NULL)->message, "world is NULL");
    fixture_finish(&f);
}

// A joint whose parameters were zeroed would do nothing; loads that begin like one likewise.
static void test_zeroed(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = body_def("");
    const kai_body a = add_body(&f, &def), b = add_body(&f, &def);
    kai_joint_base base = {.bodies = {a, b}};
    kai_joint joint;
    check_error(kai_joint_create(f.world, &kai_joint_revolute, &base, NULL, &joint),
                KAI_ERROR_ARGUMENT);
    check_message(
        &f,
        "kai_joint_create: revolute: the rotation of frame_a is [0, 0, 0, 0]; must have norm 1");
    base.frame_a.position = base.frame_b.position =
        kai_vec3_make((double)NAN, (double)NAN, (double)NAN);
    check_error(kai_joint_create(f.world, &kai_joint_revolute, &base, NULL, &joint),
                KAI_ERROR_ARGUMENT);
    check_message(&f,
                  "kai_joint_create: revolute: active is false in parameters that do not come from "
                  "kai_kind_defaults(); start from it");
    kai_joint_shaft_gear_params gear = {.ratio = 2.0};
    const kai_shaft_def shaft = kai_shaft_def_default();
    for (size_t i = 0; i < 2; i++)
        check_ok(kai_shaft_create(f.world, &shaft, NULL, &gear.shafts[i]));
    check_error(kai_joint_create(f.world, &kai_joint_shaft_gear, &gear, NULL, &joint),
                KAI_ERROR_ARGUMENT);
    kai_load_bushing_params bushing = {.base = base};
    kai_load load;
    check_error(kai_load_create(f.world, &kai_load_bushing, &bushing, NULL, &load),
                KAI_ERROR_ARGUMENT);

    // One that is meant to be passive is made of defaults.
    kai_kind_defaults(&kai_joint_revolute.kind, &base);
    base.bodies[0] = a;
    base.bodies[1] = b;
    base.at = kai_vec3_zero();
    base.active = false;
    check_ok(kai_joint_create(f.world, &kai_joint_revolute, &base, NULL, &joint));
    const void* kept;
    check_ok(kai_joint_get(f.world, joint, NULL, &kept));
    check_ok(
        kai_joint_create(f.world, &kai_joint_revolute, kept, NULL, &joint)); // a copy of it too
    fixture_finish(&f);
}

// An id never becomes valid again, however often its place is used.
static void test_generations(void** state)
{
    enum { TIMES = 70000 };
    fixture f;
    fixture_start(&f);
    const kai_body_def def = body_def("");
    const kai_shaft_def shaft = kai_shaft_def_default();
    const kai_body keep = add_body(&f, &def), first = add_body(&f, &def);
    kai_shaft made, once;
    check_ok(kai_shaft_create(f.world, &shaft, NULL, &once));
    check_ok(kai_body_destroy(f.world, first));
    check_ok(kai_shaft_destroy(f.world, once));
    uint32_t last = 0;
    for (int i = 0; i < TIMES; i++) {
        const kai_body body = add_body(&f, &def);
        check_ok(kai_shaft_create(f.world, &shaft, NULL, &made));
        if (kai_body_is_valid(f.world, first)) fail_msg("valid again after %d uses", i);
        kai_shaft_def got;
        check_error(kai_shaft_get(f.world, once, &got), KAI_ERROR_ID);
        last = body.index > last ? body.index : last;
        check_ok(kai_body_destroy(f.world, body));
        check_ok(kai_shaft_destroy(f.world, made));
    }
    assert_true(kai_body_is_valid(f.world, keep));
    assert_int_equal(last, 3); // one place more for all these uses

    // A checkpoint keeps what is used up.
    kai_world* copy = NULL;
    kai_error err;
    const kai_world_def other = fixture_def(&f);
    check_ok(kai_world_save(f.world, "generations.h5"));
    if (kai_world_load(&other, "generations.h5", &copy, &err) != KAI_OK)
        fail_msg("%s", err.message);
    kai_body body;
    check_ok(kai_body_create(copy, &def, &body));
    assert_int_equal(body.index, 3);
    check_ok(kai_shaft_create(copy, &shaft, NULL, &made));
    assert_int_equal(made.index, 2);
    kai_world_destroy(copy);
    remove("generations.h5");
    fixture_finish(&f);
}

// Worlds that live at once are told apart, however many there were between them.
static void test_tags(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = body_def("");
    const kai_body body = add_body(&f, &def);
    for (int i = 0; i < 70000; i++) {
        kai_world* world;
        const kai_world_def other = kai_world_def_default();
        check_ok(kai_world_create(&other, &world, NULL));
        if (i > 65000) {
            kai_body own;
            check_ok(kai_body_create(world, &def, &own));
            if (kai_body_is_valid(world, body)) fail_msg("world %d takes the id of another", i);
        }
        kai_world_destroy(world);
    }
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nulls),       cmocka_unit_test(test_ids),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_enums),
        cmocka_unit_test(test_busy),        cmocka_unit_test(test_step_until),
        cmocka_unit_test(test_outs),        cmocka_unit_test(test_zeroed),
        cmocka_unit_test(test_generations), cmocka_unit_test(test_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
