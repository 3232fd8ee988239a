// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sections of scenes of a program's own: read as the built-in ones are, in every scope, and asked for
// figures at the end.
#include "scene_helper.h"

#include <kairos/joint.h>
#include <kairos/particles.h>
#include <kairos/plugin.h>
#include <kairos/section.h>

// A pole on a hinge, and a ball that flies -------------------------------------------------------

typedef struct pole {
    kai_vec3 at;
    double length;
    kai_body on;
    kai_table weights; // [m, kg] rows
    kai_body bob;      // hidden: made by create()
} pole;

static const kai_param POLE_PARAMS[] = {
    KAI_PARAM(VEC3, pole, at, .unit = "m", .placing = KAI_PLACING_POINT, .doc = "Its foot."),
    KAI_PARAM(REAL, pole, length, .unit = "m", .initial = {1.0}, .range = KAI_ABOVE(0.0),
              .doc = "Its length."),
    KAI_PARAM(BODY, pole, on, .required = true, .doc = "Body that it stands on."),
    KAI_PARAM(TABLE, pole, weights, .columns = 2, .doc = "Heights and masses."),
    KAI_PARAM(BODY, pole, bob, .hidden = true),
};

static const kai_kind POLE =
    KAI_KIND("pole", pole, POLE_PARAMS, KAI_SIZES(kai_kind), .doc = "A pole on a hinge.");

typedef struct ball {
    kai_vec3 at;
    double mass;
} ball;

static const kai_param BALL_PARAMS[] = {
    KAI_PARAM(VEC3, ball, at, .unit = "m", .placing = KAI_PLACING_POINT, .doc = "Where it is."),
    KAI_PARAM(REAL, ball, mass, .unit = "kg", .initial = {1.0}, .doc = "Its mass: -1 fails."),
};

static const kai_kind BALL =
    KAI_KIND("ball", ball, BALL_PARAMS, KAI_SIZES(kai_kind), .doc = "A ball in the air.");

static int context = 7; // what the program hands over

static kai_result make_body(const kai_section_item* item, kai_vec3 at, double mass, kai_body* out)
{
    kai_body_def def = kai_body_def_default();
    if (item->name[0]) snprintf(def.name.text, sizeof def.name.text, "%.200s.bob", item->name);
    def.mass = mass;
    def.inertia = (kai_inertia){0.1, 0.1, 0.1, 0.0, 0.0, 0.0};
    def.position = at;
    return kai_body_create(item->world, &def, out);
}

static kai_result create(const kai_section_item* item, kai_error* err)
{
    assert_ptr_equal(item->section->context, &context);
    if (strcmp(item->name, "cursed") == 0) {
        snprintf(err->message, sizeof err->message, "it is cursed");
        return KAI_ERROR_ARGUMENT;
    }
    if (strcmp(item->name, "silent") == 0) return KAI_ERROR_LIMIT;
    kai_body body;
    if (item->kind == &BALL) {
        const ball* b = item->instance;
        return make_body(item, b->at, b->mass, &body);
    }
    pole* p = item->instance;
    const kai_vec3 top = kai_vec3_add(p->at, kai_vec3_make(0.0, 0.0, p->length));
    KAI_TRY(make_body(item, top, 1.0, &p->bob));
    kai_joint_base hinge;
    kai_kind_defaults(&kai_joint_revolute.kind, &hinge);
    hinge.bodies[0] = p->on;
    hinge.bodies[1] = p->bob;
    hinge.at = p->at;
    hinge.axis = kai_vec3_make(0.0, 1.0, 0.0);
    kai_joint joint;
    return kai_joint_create(item->world, &kai_joint_revolute, &hinge, item->name, &joint);
}

static kai_result finish(const kai_section_item* item, kai_section_results* results, kai_error* err)
{
    char name[300];
    if (item->kind == &BALL) return KAI_OK;
    const pole* p = item->instance;
    snprintf(name, sizeof name, "%s.height", item->name);
    const double weight = p->weights.rows ? p->weights.data[1] : 0.0;
    const kai_section_figure figure = {name, kai_body_position(item->world, p->bob).z + weight, "m",
                                       "Height of its end."};
    return kai_section_results_add(results, &figure, err);
}

// Grains, as a sampler makes them.
typedef struct heap {
    double radius;
    int64_t count;
} heap;

static const kai_param HEAP_PARAMS[] = {
    KAI_PARAM(REAL, heap, radius, .unit = "m", .initial = {0.1}, .doc = "Of a grain."),
    KAI_PARAM(INT, heap, count, .initial = {5.0}, .range = KAI_BETWEEN(1, 8), .doc = "Grains."),
};

static const kai_kind HEAP =
    KAI_KIND("heap", heap, HEAP_PARAMS, KAI_SIZES(kai_kind), .doc = "A row of grains.");

static kai_result create_heap(const kai_section_item* item, kai_error* err)
{
    (void)err;
    const heap* h = item->instance;
    double x[8], zero[8] = {0.0};
    for (int i = 0; i < 8; i++) x[i] = 2.0 * h->radius * i;
    kai_shape_sphere_params sphere;
    kai_kind_defaults(&kai_shape_sphere.kind, &sphere);
    sphere.radius = h->radius;
    kai_particles_def def = kai_particles_def_default();
    snprintf(def.name.text, sizeof def.name.text, "%s", item->name);
    def.shape = &kai_shape_sphere;
    def.shape_params = &sphere;
    def.density = 2000.0;
    def.table = (kai_particle_table){.count = (size_t)h->count, .x = x, .y = zero, .z = zero};
    kai_particles group;
    return kai_particles_create(item->world, &def, &group);
}

static const kai_kind* const HEAP_KINDS[] = {&HEAP, NULL};
static const kai_section HEAPS = {KAI_SIZES(kai_section), .name = "heaps",     .item = "heap",
                                  .doc = "Grains.",       .kinds = HEAP_KINDS, .typeless = true,
                                  .create = create_heap};

static const kai_kind* const KINDS[] = {&POLE, &BALL, NULL};
static const kai_kind* const ONE[] = {&BALL, NULL};

static const kai_section THINGS = {KAI_SIZES(kai_section),    .name = "things",   .item = "thing",
                                   .doc = "Poles and balls.", .kinds = KINDS,     .create = create,
                                   .finish = finish,          .context = &context};
static const kai_section BALLS = {KAI_SIZES(kai_section), .name = "balls",    .item = "ball",
                                  .doc = "Balls.",        .kinds = ONE,       .typeless = true,
                                  .create = create,       .context = &context};
static const kai_section* const SECTIONS[] = {&THINGS, &BALLS, &HEAPS, NULL};

// Scenes that know them --------------------------------------------------------------------------

static kai_scene* open_text(const char* text)
{
    char* json = quoted(text);
    kai_scene_def def = kai_scene_def_default();
    def.path = "scene.json";
    def.text = json;
    def.text_size = strlen(json);
    def.world.kinds.sections = SECTIONS;
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    free(json);
    assert_non_null(scene);
    return scene;
}

// The one problem of a scene, behind file, line and column.
static void check_text(const char* text, const char* expected)
{
    kai_scene* scene = open_text(text);
    char* problems = problems_text(scene);
    kai_scene_close(scene);
    const char *said = problems, *head = "scene.json:1:";
    if (strncmp(said, head, strlen(head)) == 0) said = strchr(said + strlen(head), ' ') + 1;
    const bool same = strcmp(said, expected) == 0;
    if (!same) print_error("%s\n  says      %s\n  expected  %s\n", text, problems, expected);
    free(problems);
    assert_true(same);
}

#define GROUND   "'bodies': [{'name': 'ground', 'fixed': true}], "
#define THING(x) SCENE(GROUND "'things': [{" x "}]")
#define OK_POLE  "'type': 'pole', 'on': 'ground'"

static void items_are_read_as_others_are(void** state)
{
    kai_scene* scene = open_text(SCENE(
        "'parameters': {'h': {'value': 2, 'unit': 'm'}}, " GROUND
        "'things': [{'type': 'pole', 'name': 'p', 'on': 'ground', 'length': 'h/2 + 500 mm', "
        "'weights': [[0, 0.25], [1, 2]]}, {'type': 'ball', 'name': 'q', 'at': [1, 2, 3]}], "
        "'balls': [{'at': [5, 0, 0]}], "
        "'outputs': [{'body': 'p.bob', 'quantities': ['position'], 'file': 'p.csv'}, "
        "{'joint': 'p', 'quantities': ['angle'], 'file': 'j.csv'}], "
        "'signals': [{'name': 's', 'type': 'measure', 'joint': 'p', 'quantity': 'angle'}], "
        "'events': [{'signal': 's', 'crosses': 1, 'actions': [{'type': 'activate', 'joint': 'p', "
        "'active': false}]}]"));
    char* problems = problems_text(scene);
    assert_string_equal(problems, "");
    free(problems);
    kai_world* world = kai_scene_world(scene);
    assert_int_equal(kai_section_count(world, &THINGS), 2);
    assert_int_equal(kai_section_count(world, &BALLS), 1);
    check_near(kai_body_position(world, kai_body_find(world, "p.bob")).z, 1.5, 0.0, "formula");
    kai_section_results* results = NULL;
    check_ok(kai_section_finish(world, &results));
    assert_int_equal(kai_section_results_count(results), 1);
    const kai_section_figure* figure = kai_section_results_at(results, 0);
    assert_string_equal(figure->name, "p.height");
    assert_string_equal(figure->unit, "m");
    check_near(figure->value, 1.75, 0.0, "figure");
    assert_null(kai_section_results_at(results, 1));
    kai_error err;
    check_error(kai_section_results_add(results, figure, &err), KAI_ERROR_NAME);
    check_error(
        kai_section_results_add(results, &(kai_section_figure){"x", (double)NAN, "", ""}, &err),
        KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "figure 'x' is nan; must be finite");
    kai_section_results_free(results);
    kai_scene_close(scene);
}

static void mistakes_are_told_where_they_are(void** state)
{
    check_text(THING(OK_POLE ", 'length': -1"), "/things/0/length: length is -1 m; must be > 0");
    check_text(THING(OK_POLE ", 'lenght': 1"),
               "/things/0/lenght: unknown key \"lenght\"; did you mean \"length\"?");
    check_text(THING("'type': 'pol', 'on': 'ground'"),
               "/things/0/type: type is \"pol\"; did you mean \"pole\"?");
    check_text(THING("'type': 'pole'"), "/things/0: on is missing");
    check_text(THING("'on': 'ground'"), "/things/0: type is missing");
    check_text(THING("'type': 'pole', 'on': 'grond'"),
               "/things/0/on: there is no body \"grond\"; did you mean \"ground\"?");
    check_text(THING("'type': 'ball', 'mass': -1, 'name': 'b'"),
               "/things/0: thing: body: mass is -1 kg; must be > 0");
    check_text(THING("'type': 'ball', 'name': 'cursed'"), "/things/0: thing: it is cursed");
    check_text(THING("'type': 'ball', 'name': 'silent'"),
               "/things/0: thing: create() gives no reason: a size limit is exceeded");
    check_text(SCENE("'things': [{'type': 'ball', 'name': 'b'}, {'type': 'ball', 'name': 'b'}]"),
               "/things/1/name: thing name \"b\" is used twice; must be unique");
    check_text(SCENE("'thing': []"), "/thing: unknown key \"thing\"; did you mean \"things\"?");
    check_text(SCENE("'balls': [{'type': 'ball'}]"),
               "/balls/0/type: unknown key \"type\"; allowed: name, at, mass");
    check_text(SCENE("'balls': 3"), "/balls: balls is 3; must be a list");
}

static void figures_that_fail_are_told(void** state)
{
    kai_scene* scene = open_text(THING(OK_POLE "}, {" OK_POLE)); // without names: one figure twice
    kai_world* world = kai_scene_world(scene);
    kai_section_results* results = NULL;
    check_error(kai_section_finish(world, &results), KAI_ERROR_NAME);
    assert_null(results);
    assert_string_equal(kai_world_error(world)->message,
                        "kai_section_finish: thing: there is a figure '.height' already");
    kai_scene_close(scene);
}

static void items_make_particles(void** state)
{
    kai_scene* scene = open_text(
        SCENE("'heaps': [{'name': 'sand', 'count': 7}], "
              "'outputs': [{'particles': 'sand', 'quantities': ['position'], 'file': 's.csv'}]"));
    char* problems = problems_text(scene);
    assert_string_equal(problems, "");
    free(problems);
    assert_int_equal(kai_world_stats(kai_scene_world(scene)).particles, 7);
    assert_int_equal(kai_scene_output_count(scene), 1);
    kai_scene_close(scene);
    check_text(SCENE("'heaps': [{'count': 9}]"), "/heaps/0/count: count is 9; must be from 1 to 8");
}

static void instances_of_templates_hold_them(void** state)
{
    kai_scene* scene = open_text(SCENE(
        GROUND "'templates': {'t': {'template': {'connect': ['ground']}, "
               "'things': [{'type': 'pole', 'name': 'p', 'on': 'ground', 'at': [1, 0, 0]}]}}, "
               "'instances': [{'template': 't', 'name': 'left', 'at': [0, 1, 0], "
               "'connect': {'ground': 'ground'}}, {'template': 't', 'name': 'right', "
               "'at': [0, -1, 0], 'mirror': 'x', 'connect': {'ground': 'ground'}}]"));
    char* problems = problems_text(scene);
    assert_string_equal(problems, "");
    free(problems);
    const kai_world* world = kai_scene_world(scene);
    const kai_vec3 left = kai_body_position(world, kai_body_find(world, "left.p.bob")),
                   right = kai_body_position(world, kai_body_find(world, "right.p.bob"));
    check_near(left.x, 1.0, 0.0, "x");
    check_near(left.y, 1.0, 0.0, "y");
    check_near(right.x, -1.0, 0.0, "mirrored x");
    // Spelled out it is the same scene.
    char* text = strdup(kai_scene_text(scene));
    const uint64_t hash = kai_world_hash(world);
    kai_scene_close(scene);
    assert_non_null(strstr(text, "\"things\":[{"));
    assert_null(strstr(text, "instances"));
    scene = open_text(text);
    assert_non_null(kai_scene_world(scene));
    assert_true(kai_world_hash(kai_scene_world(scene)) == hash);
    assert_string_equal(kai_scene_text(scene), text);
    kai_scene_close(scene);
    free(text);
}

// Registration -----------------------------------------------------------------------------------

static void check_refused(const kai_section* section, kai_result code, const char* message)
{
    kai_world* world = NULL;
    kai_world_def def = kai_world_def_default();
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_section_register(world, &BALLS));
    check_error(kai_section_register(world, section), code);
    assert_string_equal(kai_world_error(world)->message, message);
    kai_world_destroy(world);
}

static void descriptions_must_be_whole(void** state)
{
    kai_section bad = THINGS;
    bad.sizes.table = 0;
    check_refused(&bad, KAI_ERROR_ARGUMENT,
                  "kai_section_register: the section has no sizes; it must have "
                  "KAI_SIZES(kai_section)");
    bad = THINGS, bad.name = "My things";
    check_refused(&bad, KAI_ERROR_ARGUMENT,
                  "kai_section_register: section 'My things': its name must be small letters, "
                  "digits and _, a letter first");
    bad = THINGS, bad.create = NULL;
    check_refused(&bad, KAI_ERROR_ARGUMENT, "kai_section_register: section 'things' has no create");
    bad = THINGS, bad.typeless = true;
    check_refused(&bad, KAI_ERROR_ARGUMENT,
                  "kai_section_register: section 'things' is typeless and has several kinds; must "
                  "have one");
    check_refused(&BALLS, KAI_ERROR_NAME,
                  "kai_section_register: there is a section 'balls' already");
    static const kai_param PARAMS[] = {
        KAI_PARAM_AS("type", REAL, ball, mass, .doc = "Taken by every item.")};
    static const kai_kind TAKEN = KAI_KIND("t", ball, PARAMS, KAI_SIZES(kai_kind), .doc = "Bad.");
    static const kai_kind* const kinds[] = {&TAKEN, NULL};
    bad = THINGS, bad.kinds = kinds;
    check_refused(&bad, KAI_ERROR_ARGUMENT,
                  "kai_section_register: section 'things': kind 't' has a parameter 'type', which "
                  "every item has already");
}

static void names_of_scenes_are_taken(void** state)
{
    kai_section bad = THINGS;
    bad.name = "joints";
    const kai_section* const sections[] = {&bad, NULL};
    kai_scene_def def = kai_scene_def_default();
    def.text = "{\"kairos\": 1, \"end\": 1}";
    def.text_size = strlen(def.text);
    def.world.kinds.sections = sections;
    kai_scene* scene = NULL;
    check_error(kai_scene_open(&def, &scene, NULL), KAI_ERROR_FORMAT);
    assert_string_equal(
        kai_scene_problem(scene, 0)->message,
        "the program's section 'joints' has the name of a key that every scene has");
    kai_scene_close(scene);
}

static void programs_make_items_too(void** state)
{
    kai_world* world = NULL;
    kai_world_def def = kai_world_def_default();
    check_ok(kai_world_create(&def, &world, NULL));
    ball b;
    kai_kind_defaults(&BALL, &b);
    check_error(kai_section_create(world, &BALLS, &BALL, &b, "a"), KAI_ERROR_ARGUMENT);
    check_ok(kai_section_register(world, &BALLS));
    check_ok(kai_section_create(world, &BALLS, &BALL, &b, "a"));
    check_error(kai_section_create(world, &BALLS, &BALL, &b, "a"), KAI_ERROR_NAME);
    assert_int_equal(kai_section_count(world, &BALLS), 1);
    assert_false(KAI_IS_NULL(kai_body_find(world, "a.bob")));
    b.mass = 0.0;
    check_error(kai_section_create(world, &BALLS, &BALL, &b, "c"), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "kai_section_create: ball: body"));
    kai_world_destroy(world);
}

// Plug-ins ---------------------------------------------------------------------------------------

static kai_result add(kai_world* world, kai_error* err)
{
    (void)err;
    KAI_TRY(kai_section_register(world, &THINGS));
    return kai_section_register(world, &BALLS);
}

static kai_result add_twice(kai_world* world, kai_error* err)
{
    KAI_TRY(add(world, err));
    return kai_section_register(world, &BALLS);
}

static void plugins_tell_what_they_were_made_for(void** state)
{
    kai_plugin plugin = {sizeof plugin, KAI_VERSION_MAJOR, KAI_VERSION_MINOR, "things", add};
    kai_error err = {0};
    check_ok(kai_plugin_check(&plugin, &err));
    check_ok(kai_plugin_check(&plugin, NULL));
    plugin.size += 64; // of a later version, with more at its end
    check_ok(kai_plugin_check(&plugin, &err));
    plugin.major = KAI_VERSION_MAJOR + 1;
    check_error(kai_plugin_check(&plugin, &err), KAI_ERROR_UNSUPPORTED);
    char text[128];
    snprintf(text, sizeof text,
             "plug-in 'things' was built for Kairos %d.%d; this is %d.%d: build it",
             KAI_VERSION_MAJOR + 1, KAI_VERSION_MINOR, KAI_VERSION_MAJOR, KAI_VERSION_MINOR);
    assert_memory_equal(err.message, text, strlen(text));
    plugin.major = KAI_VERSION_MAJOR;
    plugin.add = NULL;
    check_error(kai_plugin_check(&plugin, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message,
                        "the plug-in was not made by KAI_PLUGIN, or names no function");
    check_error(kai_plugin_check(NULL, &err), KAI_ERROR_ARGUMENT);

    // Its reference has the keys of its sections, and nothing that every world has.
    plugin.add = add;
    char* pages = NULL;
    check_ok(kai_plugin_reference(&plugin, &pages, &err));
    assert_memory_equal(pages, "# `things`\n\nPoles and balls.\n\n", 30);
    assert_non_null(strstr(pages, "## `\"type\": \"pole\"`"));
    assert_non_null(strstr(pages, "\n| `length` | "));
    assert_non_null(strstr(pages, "# `balls`"));
    assert_null(strstr(pages, "revolute"));
    free(pages);
    plugin.add = add_twice;
    check_error(kai_plugin_reference(&plugin, &pages, &err), KAI_ERROR_NAME);
    assert_null(pages);
}

static void plugins_are_asked(void** state)
{
    kai_plugin plugin = {sizeof plugin, KAI_VERSION_MAJOR, KAI_VERSION_MINOR, "things", add};
    const kai_plugin* const plugins[] = {&plugin, NULL};
    kai_world* world = NULL;
    kai_error err = {0};
    kai_world_def def = kai_world_def_default();
    def.kinds.plugins = plugins;
    check_ok(kai_world_create(&def, &world, &err));
    check_error(kai_section_register(world, &THINGS), KAI_ERROR_NAME);
    kai_world_destroy(world);
    plugin.add = add_twice;
    check_error(kai_world_create(&def, &world, &err), KAI_ERROR_NAME);
    assert_string_equal(err.message,
                        "kai_world_create: plug-in 'things': there is a section 'balls' already");
    plugin.minor = 999;
    check_error(kai_world_create(&def, &world, &err), KAI_ERROR_UNSUPPORTED);
    assert_non_null(strstr(err.message, "plug-in 'things' was built for Kairos "));
    plugin.size = 0;
    check_error(kai_world_create(&def, &world, &err), KAI_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_read_as_others_are),
        cmocka_unit_test(mistakes_are_told_where_they_are),
        cmocka_unit_test(figures_that_fail_are_told),
        cmocka_unit_test(items_make_particles),
        cmocka_unit_test(instances_of_templates_hold_them),
        cmocka_unit_test(descriptions_must_be_whole),
        cmocka_unit_test(names_of_scenes_are_taken),
        cmocka_unit_test(programs_make_items_too),
        cmocka_unit_test(plugins_are_asked),
        cmocka_unit_test(plugins_tell_what_they_were_made_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
