// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Descriptions: defaults, checks with their messages, and checks of the description itself.
#include "helper.h"

#include "base/kind.h"

#include <kairos/kind.h>
#include <stdlib.h>

// A kind with one parameter of every type --------------------------------------------------------

typedef struct part {
    double weight;
    kai_table rows;
} part;

typedef struct everything {
    double guard;
    bool flag;
    int64_t count;
    double radius;
    kai_value rate;
    kai_value3 force;
    kai_vec3 at;
    kai_quat rotation;
    kai_inertia inertia;
    kai_vec3 color;
    int32_t mode;
    kai_string title;
    kai_body body;
    kai_material material;
    kai_node node;
    kai_solid solid;
    kai_load load;
    kai_element element;
    kai_structure structure;
    kai_string signal, formula;
    kai_function function;
    kai_table points;
    kai_list parts;
    double inner; // hidden
    kai_frame frame;
    kai_joint joint;
    kai_shaft shaft;
    kai_curve curve;
    kai_contact_law law;
    uint32_t extras;
} everything;

static const kai_param PART_PARAMS[] = {
    {.name = "weight",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(part, weight),
     .unit = "kg",
     .initial = {1.0},
     .range = KAI_AT_LEAST(0.0),
     .doc = "Weight."},
    {.name = "rows",
     .type = KAI_PARAM_TABLE,
     .offset = offsetof(part, rows),
     .columns = 1,
     .rows_max = 3,
     .required = true,
     .doc = "Rows."},
};

static const kai_kind PART = {.name = "part",
                              .doc = "A part.",
                              .size = sizeof(part),
                              .params = PART_PARAMS,
                              .param_count = KAI_COUNT(PART_PARAMS)};

static const char* const MODES[] = {"slow", "fast", NULL};

#define FIELD(field) .name = #field, .offset = offsetof(everything, field), .doc = "Text."

static const kai_param PARAMS[] = {
    {FIELD(flag), .type = KAI_PARAM_BOOL, .initial = {1.0}},
    {FIELD(count), .type = KAI_PARAM_INT, .initial = {-1.0}, .range = KAI_AT_LEAST(1.0)},
    {FIELD(radius), .type = KAI_PARAM_REAL, .unit = "m", .initial = {0.5}, .range = KAI_ABOVE(0.0)},
    {FIELD(rate), .type = KAI_PARAM_VALUE, .unit = "1/s", .initial = {2.0},
     .range = KAI_BETWEEN(0.0, 10.0)},
    {FIELD(force), .type = KAI_PARAM_VALUE3, .unit = "N", .initial = {1.0, -2.0, 3.0},
     .range = KAI_AT_LEAST(0.0)},
    {FIELD(at), .type = KAI_PARAM_VEC3, .unit = "m",
     .initial = {(double)NAN, (double)NAN, (double)NAN}},
    {FIELD(rotation), .type = KAI_PARAM_ROTATION},
    {FIELD(inertia), .type = KAI_PARAM_INERTIA, .initial = {1, 2, 3, 4, 5, 6}},
    {FIELD(color), .type = KAI_PARAM_COLOR, .initial = {-1.0, -1.0, -1.0},
     .range = KAI_BETWEEN(0.0, 1.0)},
    {FIELD(mode), .type = KAI_PARAM_ENUM, .words = MODES, .initial = {1.0}},
    {FIELD(title), .type = KAI_PARAM_STRING},
    {FIELD(body), .type = KAI_PARAM_BODY, .required = true},
    {FIELD(material), .type = KAI_PARAM_MATERIAL},
    {FIELD(node), .type = KAI_PARAM_NODE},
    {FIELD(solid), .type = KAI_PARAM_SOLID},
    {FIELD(load), .type = KAI_PARAM_LOAD},
    {FIELD(element), .type = KAI_PARAM_ELEMENT},
    {FIELD(structure), .type = KAI_PARAM_STRUCTURE},
    {FIELD(signal), .type = KAI_PARAM_SIGNAL},
    {FIELD(formula), .type = KAI_PARAM_EXPRESSION},
    {FIELD(function), .type = KAI_PARAM_FUNCTION},
    {FIELD(points), .type = KAI_PARAM_TABLE, .columns = 2, .rows_min = 2, .rows_max = 4,
     .range = KAI_AT_LEAST(-5.0)},
    {FIELD(parts), .type = KAI_PARAM_LIST, .item = &PART, .rows_max = 2},
    {FIELD(inner), .type = KAI_PARAM_REAL, .hidden = true, .initial = {7.0},
     .range = KAI_BETWEEN(0.0, 8.0)},
    {.name = "frame",
     .type = KAI_PARAM_FRAME,
     .offset = offsetof(everything, frame),
     .initial = {(double)NAN, (double)NAN, (double)NAN},
     .doc = "A frame."},
    {.name = "joint",
     .type = KAI_PARAM_JOINT,
     .offset = offsetof(everything, joint),
     .doc = "A joint."},
    {.name = "shaft",
     .type = KAI_PARAM_SHAFT,
     .offset = offsetof(everything, shaft),
     .doc = "A shaft."},
    {.name = "curve",
     .type = KAI_PARAM_CURVE,
     .offset = offsetof(everything, curve),
     .doc = "A curve."},
    {.name = "law", .type = KAI_PARAM_LAW, .offset = offsetof(everything, law), .doc = "A law."},
    {FIELD(extras), .type = KAI_PARAM_WORDS, .words = MODES, .initial = {2.0}},
};

static const kai_kind EVERYTHING = {.name = "thing",
                                    .doc = "All types.",
                                    .size = sizeof(everything),
                                    .params = PARAMS,
                                    .param_count = KAI_COUNT(PARAMS)};

static const double POINTS[] = {0.0, 1.0, 2.0, 3.0};
static const part PARTS[] = {{1.0, {POINTS, 2, 1}}, {2.0, {POINTS, 3, 1}}};

// The defaults, with what is required or must have rows.
static everything good(void)
{
    everything e;
    kai_kind_defaults(&EVERYTHING, &e);
    e.body = (kai_body){1, 0, 1};
    e.points = (kai_table){POINTS, 2, 2};
    e.parts = (kai_list){PARTS, 2};
    return e;
}

static void check_refused(const everything* e, const char* message)
{
    kai_error err = {0};
    check_error(kai_kind_check(&EVERYTHING, e, &err), KAI_ERROR_ARGUMENT);
    check_error(err.code, KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, message);
    check_error(kai_kind_check(&EVERYTHING, e, NULL), KAI_ERROR_ARGUMENT);
}

static void test_types(void** state)
{
    kai_error err = {0};
    check_ok(kai_kind_validate(&EVERYTHING, &err));
    assert_int_equal(KAI_COUNT(PARAMS), KAI_PARAM_TYPE_COUNT + 1); // one of each, and a hidden one
    assert_int_equal(kai_kind_type_size(KAI_PARAM_VALUE3), sizeof(kai_value3));
    assert_int_equal(kai_kind_type_size(KAI_PARAM_LIST), sizeof(kai_list));
    assert_int_equal(kai_kind_type_size((kai_param_type)99), 0);
    assert_string_equal(kai_kind_type_text(KAI_PARAM_VEC3), "three numbers");
    assert_string_equal(kai_kind_type_text((kai_param_type)-1), "unknown type");
    assert_int_equal(kai_kind_type_numbers(KAI_PARAM_REAL), 1);
    assert_int_equal(kai_kind_type_numbers(KAI_PARAM_INERTIA), 6);
    assert_int_equal(kai_kind_type_numbers(KAI_PARAM_STRING), 0);
    assert_int_equal(kai_kind_type_numbers((kai_param_type)99), 0);
}

static void test_defaults(void** state)
{
    everything e;
    memset(&e, 0xff, sizeof e);
    kai_kind_defaults(&EVERYTHING, &e);
    assert_true(e.guard == 0.0); // not described: zero
    assert_true(e.flag);
    assert_int_equal(e.count, -1);
    assert_true(e.radius == 0.5 && e.rate.constant == 2.0 && KAI_IS_NULL(e.rate.function));
    assert_true(e.force.x.constant == 1.0 && e.force.y.constant == -2.0 &&
                e.force.z.constant == 3.0);
    assert_true(isnan(e.at.x) && isnan(e.at.y) && isnan(e.at.z));
    assert_true(e.rotation.w == 1.0 && e.rotation.x == 0.0 && e.rotation.z == 0.0);
    assert_true(e.inertia.xx == 1.0 && e.inertia.yz == 6.0);
    assert_true(e.color.x == -1.0 && e.color.z == -1.0);
    assert_int_equal(e.mode, 1);
    assert_int_equal(e.extras, 2);
    assert_string_equal(e.title.text, "");
    assert_true(KAI_IS_NULL(e.body) && KAI_IS_NULL(e.material) && KAI_IS_NULL(e.function));
    assert_null(e.points.data);
    assert_null(e.parts.items);
    assert_true(e.inner == 7.0);
}

static void test_good_instance_passes(void** state)
{
    everything e = good();
    kai_error err = {0};
    check_ok(kai_kind_check(&EVERYTHING, &e, &err));
    e.inner = 1e9;                           // hidden: not the user's
    e.rate = (kai_value){-1e300, {3, 0, 1}}; // a function: the constant does not count
    check_ok(kai_kind_check(&EVERYTHING, &e, &err));
}

static void test_instance_is_null(void** state)
{
    kai_error err = {0};
    check_error(kai_kind_check(&EVERYTHING, NULL, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "thing: its parameters are NULL");
    const kai_kind plain = {.name = "plain", .doc = "No parameters."};
    check_ok(kai_kind_check(&plain, NULL, &err));
}

static void test_numbers_out_of_range(void** state)
{
    everything e = good();
    e.radius = -1.0;
    check_refused(&e, "thing: radius is -1 m; must be > 0");
    e.radius = 0.0;
    check_refused(&e, "thing: radius is 0 m; must be > 0");
    e.radius = HUGE_VAL;
    check_refused(&e, "thing: radius is inf m; must be finite");
    e.radius = nan("");
    assert_int_equal(kai_kind_check(&EVERYTHING, &e, NULL), KAI_ERROR_ARGUMENT);
    e = good();
    e.count = 0;
    check_refused(&e, "thing: count is 0; must be >= 1");
    e = good();
    e.rate.constant = 10.5;
    check_refused(&e, "thing: rate is 10.5 1/s; must be from 0 to 10");
    e = good();
    e.inertia.xz = HUGE_VAL;
    check_refused(&e, "thing: inertia is inf; must be finite");
    e = good();
    e.rotation.y = -HUGE_VAL;
    check_refused(&e, "thing: rotation is -inf; must be finite");
}

// -1 and NaN as defaults mean "not given": they pass whole, and not as a part of another value.
static void test_defaults_out_of_range(void** state)
{
    everything e = good();
    kai_error err = {0};
    check_ok(kai_kind_check(&EVERYTHING, &e, &err));
    e.color = kai_vec3_make(0.5, -1.0, 0.5);
    check_refused(&e, "thing: color is -1; must be from 0 to 1");
    e = good();
    e.at = kai_vec3_make(1.0, 2.0, 3.0);
    check_ok(kai_kind_check(&EVERYTHING, &e, &err));
    e.at.x = HUGE_VAL;
    check_refused(&e, "thing: at is inf m; must be finite");
    e.at = kai_vec3_make(nan(""), 2.0, 3.0);
    check_error(kai_kind_check(&EVERYTHING, &e, &err), KAI_ERROR_ARGUMENT);
    e = good();
    e.force.x.constant = 0.0; // the -2 of y was allowed only beside the other defaults
    check_refused(&e, "thing: force is -2 N; must be >= 0");
    e.force.y = (kai_value){0.0, {5, 0, 1}};
    check_ok(kai_kind_check(&EVERYTHING, &e, &err));
    e = good();
    e.count = -2;
    check_refused(&e, "thing: count is -2; must be >= 1");
}

// A required parameter has no default, so that its initial value is checked like any other.
static void test_required_numbers(void** state)
{
    const kai_param needed = {.name = "radius",
                              .type = KAI_PARAM_REAL,
                              .unit = "m",
                              .required = true,
                              .range = KAI_ABOVE(0.0),
                              .doc = "Radius."};
    const kai_kind ball = {.name = "sphere",
                           .doc = "A ball.",
                           .size = sizeof(double),
                           .params = &needed,
                           .param_count = 1};
    double radius = 0.0;
    kai_error err = {0};
    check_error(kai_kind_check(&ball, &radius, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "sphere: radius is 0 m; must be > 0");
}

static void test_words_texts_and_ids(void** state)
{
    everything e = good();
    e.mode = 2;
    check_refused(&e, "thing: mode is word number 2; there are 2 words");
    e.mode = -1;
    check_refused(&e, "thing: mode is word number -1; there are 2 words");
    e.mode = 0;
    e.extras = 3;
    check_ok(kai_kind_check(&EVERYTHING, &e, NULL));
    e.extras = 5;
    check_refused(&e, "thing: extras has bits 0x5; there are 2 words");
    e = good();
    memset(e.title.text, 'x', sizeof e.title.text);
    check_refused(&e, "thing: title has no end; at most 255 bytes");
    e = good();
    e.body = (kai_body){0};
    check_refused(&e, "thing: body is missing; must be the name of a body");
}

static void test_tables(void** state)
{
    everything e = good();
    e.points.rows = 0; // optional: not given
    check_ok(kai_kind_check(&EVERYTHING, &e, NULL));
    e.points.rows = 1;
    check_refused(&e, "thing: points has 1 rows; needs at least 2");
    e.points.rows = 5;
    check_refused(&e, "thing: points has 5 rows; takes at most 4");
    e.points = (kai_table){POINTS, 2, 1};
    check_refused(&e, "thing: points has 1 columns; must have 2");
    e.points = (kai_table){NULL, 2, 2};
    check_refused(&e, "thing: points points to NULL; must point to its rows");
    const double low[] = {0.0, 0.0, 0.0, -6.0}, odd[] = {0.0, 0.0, nan(""), 0.0};
    e.points = (kai_table){low, 2, 2};
    check_refused(&e, "thing: points is -6; must be >= -5");
    e.points.data = odd;
    check_error(kai_kind_check(&EVERYTHING, &e, NULL), KAI_ERROR_ARGUMENT);
}

// Rows of an optional table are no defaults: zero is refused where zero is out of range.
static void test_table_of_zeros(void** state)
{
    const kai_param param = {.name = "widths",
                             .type = KAI_PARAM_TABLE,
                             .columns = 1,
                             .range = KAI_ABOVE(0.0),
                             .doc = "Widths."};
    const kai_kind kind = {.name = "comb",
                           .doc = "A comb.",
                           .size = sizeof(kai_table),
                           .params = &param,
                           .param_count = 1};
    const double zeros[] = {0.0, 0.0};
    const kai_table table = {zeros, 2, 1};
    kai_error err = {0};
    check_error(kai_kind_check(&kind, &table, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "comb: widths is 0; must be > 0");
}

static void test_nested_lists(void** state)
{
    everything e = good();
    e.parts.count = 0; // optional: not given
    check_ok(kai_kind_check(&EVERYTHING, &e, NULL));
    e.parts = (kai_list){PARTS, 3};
    check_refused(&e, "thing: parts has 3 rows; takes at most 2");
    e.parts = (kai_list){NULL, 1};
    check_refused(&e, "thing: parts points to NULL; must point to its rows");
    part bad[] = {PARTS[0], PARTS[1]};
    bad[1].weight = -3.0;
    e.parts = (kai_list){bad, 2};
    check_refused(&e, "thing: parts[1]: part: weight is -3 kg; must be >= 0");
    bad[1] = PARTS[1];
    bad[0].rows.rows = 0;
    check_refused(&e, "thing: parts[0]: part: rows has 0 rows; needs at least 1");
}

static kai_result odd_radius(const void* instance, kai_error* err)
{
    (void)err;
    return ((const everything*)instance)->radius == 0.25 ? KAI_ERROR_LIMIT : KAI_OK;
}

static void test_own_check_comes_last(void** state)
{
    kai_kind kind = EVERYTHING;
    kind.check = odd_radius;
    everything e = good();
    kai_error err = {0};
    check_ok(kai_kind_check(&kind, &e, &err));
    e.radius = 0.25;
    check_error(kai_kind_check(&kind, &e, &err), KAI_ERROR_LIMIT);
    e.count = 0;
    check_error(kai_kind_check(&kind, &e, &err), KAI_ERROR_ARGUMENT);
}

static void test_range_texts(void** state)
{
    const struct {
        kai_range range;
        const char* text;
    } cases[] = {
        {{0}, "must be finite"},
        {KAI_ABOVE(0.0), "must be > 0"},
        {KAI_AT_LEAST(-2.5), "must be >= -2.5"},
        {KAI_BETWEEN(-1.0, 0.5), "must be from -1 to 0.5"},
        {{.bounded = true, .min = -HUGE_VAL, .max = 3.0}, "must be <= 3"},
        {{.bounded = true, .open_min = true, .min = 0.0, .max = 1.0}, "must be > 0 and <= 1"},
        {{.bounded = true, .min = -HUGE_VAL, .max = HUGE_VAL}, "must be finite"},
        {KAI_AT_LEAST(1234567.0), "must be >= 1234567"},
    };
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        char text[96];
        kai_kind_range_text(&cases[i].range, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    char tiny[8];
    kai_kind_range_text(&cases[1].range, tiny, sizeof tiny); // cut, not overrun
    assert_string_equal(tiny, "must be");
}

static void test_look_up(void** state)
{
    assert_ptr_equal(kai_kind_param(&EVERYTHING, "radius"), &PARAMS[2]);
    assert_null(kai_kind_param(&EVERYTHING, "raduis"));
    assert_null(kai_kind_param(&EVERYTHING, "inner")); // hidden
    assert_string_equal(kai_kind_nearest_param(&EVERYTHING, "raduis"), "radius");
    assert_string_equal(kai_kind_nearest_param(&EVERYTHING, "Colour"), "color");
    assert_null(kai_kind_nearest_param(&EVERYTHING, "inne")); // hidden
    assert_null(kai_kind_nearest_param(&EVERYTHING, "wavelength"));
}

// What users give of an instance -----------------------------------------------------------------

typedef struct half_given {
    double radius;
} half_given;

typedef struct half {
    half_given given;
    double volume, turns;
} half;

static const kai_param HALF_PARAMS[] = {
    KAI_PARAM(REAL, half_given, radius, .initial = {2.0}, .doc = "Radius."),
    KAI_PARAM(REAL, half, volume, .hidden = true),
    KAI_PARAM(REAL, half, turns, .initial = {-1.0}, .hidden = true),
};
static const kai_kind HALF = KAI_KIND("half", half, HALF_PARAMS, .given = sizeof(half_given),
                                      .doc = "Users see half of it.");

static void test_defaults_of_what_is_given(void** state)
{
    half h = {.volume = 7.0, .turns = 8.0};
    kai_error err;
    check_ok(kai_kind_validate(&HALF, &err));
    kai_kind_defaults(&HALF, &h);
    assert_true(h.given.radius == 2.0 && h.volume == 7.0 && h.turns == 8.0);
    half_given* given = malloc(sizeof *given); // reading on would be found by the sanitizer
    assert_non_null(given);
    given->radius = 3.0;
    kai_kind_take(&HALF, given, &h);
    assert_true(h.given.radius == 3.0 && h.volume == 0.0 && h.turns == -1.0);
    kai_kind_take(&HALF, NULL, &h);
    assert_true(h.given.radius == 2.0 && h.volume == 0.0 && h.turns == -1.0);
    free(given);
}

// Broken descriptions ----------------------------------------------------------------------------

static void check_broken(const kai_kind* kind, const char* message)
{
    kai_error err = {0};
    check_error(kai_kind_validate(kind, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, message);
}

static void test_broken_kinds(void** state)
{
    check_broken(NULL, "a kind has no name");
    kai_kind kind = EVERYTHING;
    kind.name = NULL;
    check_broken(&kind, "a kind has no name");
    kind.name = "";
    check_broken(&kind, "a kind has no name");
    kind = EVERYTHING;
    kind.doc = NULL;
    check_broken(&kind, "kind thing has no doc");
    kind = EVERYTHING;
    kind.params = NULL;
    check_broken(&kind, "kind thing has no list of parameters");
    kind = HALF;
    kind.given = sizeof(half) + 8;
    check_broken(&kind, "kind half has 32 bytes given of instances of 24 bytes");
    kind = EVERYTHING;
    kind.params = NULL;
    kind.param_count = 0;
    kai_error err;
    check_ok(kai_kind_validate(&kind, &err));
}

static const char* const NO_WORDS[] = {NULL};
/// A parameter lies within what is given; only hidden ones lie behind it.
static void test_broken_halves(void** state)
{
    kai_param params[] = {HALF_PARAMS[0], HALF_PARAMS[1], HALF_PARAMS[2]};
    kai_kind kind = HALF;
    kind.params = params;
    params[1].hidden = false;
    params[1].doc = "Volume.";
    check_broken(&kind, "kind half: volume at offset 8 is not within the 8 bytes given");
    params[1] = (kai_param){.name = "volume", .type = KAI_PARAM_VEC3, .hidden = true};
    check_broken(&kind, "kind half: volume at offset 0 is not within the 8 bytes given");
    const kai_param list = {
        .name = "parts", .type = KAI_PARAM_LIST, .item = &HALF, .doc = "Parts."};
    const kai_kind box = {
        .name = "box", .doc = "A box.", .size = 64, .params = &list, .param_count = 1};
    check_broken(&box, "kind box: parts is a list of items with a part of their own");
}

static const kai_kind NAMELESS = {.doc = "An item.", .size = 8};
static const kai_kind EMPTY_ITEM = {.name = "dot", .doc = "An item."};

static void test_broken_params(void** state)
{
    const kai_param fine = {.name = "a", .type = KAI_PARAM_REAL, .doc = "Text."};
    const struct {
        kai_param param;
        const char* message;
    } cases[] = {
        {{.type = KAI_PARAM_REAL, .doc = "Text."}, "kind k: parameter 1 has no name"},
        {{.name = "", .type = KAI_PARAM_REAL, .doc = "Text."}, "kind k: parameter 1 has no name"},
        {{.name = "b", .type = (kai_param_type)77, .doc = "Text."},
         "kind k: b has type 77, which is none"},
        {{.name = "b", .type = KAI_PARAM_REAL, .offset = 1024, .doc = "Text."},
         "kind k: b at offset 1024 does not fit into 1024 bytes"},
        {{.name = "b", .type = KAI_PARAM_VEC3, .offset = 1008, .doc = "Text."},
         "kind k: b at offset 1008 does not fit into 1024 bytes"},
        {{.name = "b", .type = KAI_PARAM_REAL, .offset = SIZE_MAX - 7, .doc = "Text."},
         "kind k: b at offset 18446744073709551608 does not fit into 1024 bytes"},
        {{.name = "b", .type = KAI_PARAM_REAL, .offset = 12, .doc = "Text."},
         "kind k: b at offset 12 is not aligned to 8 bytes"},
        {{.name = "b", .type = KAI_PARAM_REAL, .offset = 8}, "kind k: b has no doc"},
        {{.name = "b", .type = KAI_PARAM_ENUM, .offset = 8, .doc = "Text."},
         "kind k: b is an enum without words"},
        {{.name = "b", .type = KAI_PARAM_ENUM, .offset = 8, .doc = "Text.", .words = NO_WORDS},
         "kind k: b is an enum without words"},
        {{.name = "b",
          .type = KAI_PARAM_ENUM,
          .offset = 8,
          .doc = "Text.",
          .words = MODES,
          .initial = {2.0}},
         "kind k: b starts with word number 2; there are 2 words"},
        {{.name = "b", .type = KAI_PARAM_WORDS, .offset = 8, .doc = "Text.", .words = NO_WORDS},
         "kind k: b needs from 1 to 32 words"},
        {{.name = "b", .type = KAI_PARAM_TABLE, .offset = 8, .doc = "Text."},
         "kind k: b is a table without columns"},
        {{.name = "b",
          .type = KAI_PARAM_TABLE,
          .offset = 8,
          .doc = "Text.",
          .columns = 1,
          .rows_min = 3,
          .rows_max = 2},
         "kind k: b takes from 3 to 2 rows, which is none"},
        {{.name = "b",
          .type = KAI_PARAM_REAL,
          .offset = 8,
          .doc = "Text.",
          .range = KAI_BETWEEN(2.0, 1.0)},
         "kind k: b has a range from 2 to 1, which is empty"},
        {{.name = "b", .type = KAI_PARAM_LIST, .offset = 8, .doc = "Text."},
         "kind k: b is a list without item"},
        {{.name = "b", .type = KAI_PARAM_LIST, .offset = 8, .doc = "Text.", .item = &NAMELESS},
         "a kind has no name"},
        {{.name = "b", .type = KAI_PARAM_LIST, .offset = 8, .doc = "Text.", .item = &EMPTY_ITEM},
         "kind k: b is a list of items of 0 bytes"},
        {{.name = "a", .type = KAI_PARAM_REAL, .offset = 8, .doc = "Text."},
         "kind k: a is described twice"},
    };
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        const kai_param params[] = {fine, cases[i].param};
        const kai_kind kind = {
            .name = "k", .doc = "A kind.", .size = 1024, .params = params, .param_count = 2};
        check_broken(&kind, cases[i].message);
    }
    const kai_param hidden[] = {
        {.name = "a", .type = KAI_PARAM_REAL, .hidden = true}}; // needs no doc
    const kai_kind kind = {
        .name = "k", .doc = "A kind.", .size = 8, .params = hidden, .param_count = 1};
    check_ok(kai_kind_validate(&kind, NULL));
}

// A tree of lists without end is refused, not followed.
static void test_kind_of_itself(void** state)
{
    kai_param param = {.name = "children", .type = KAI_PARAM_LIST, .doc = "Text."};
    const kai_kind kind = {.name = "tree",
                           .doc = "A kind.",
                           .size = sizeof(kai_list),
                           .params = &param,
                           .param_count = 1};
    param.item = &kind;
    check_broken(&kind, "kind tree: children is a list more than 8 lists deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_good_instance_passes),
        cmocka_unit_test(test_instance_is_null),
        cmocka_unit_test(test_numbers_out_of_range),
        cmocka_unit_test(test_defaults_out_of_range),
        cmocka_unit_test(test_required_numbers),
        cmocka_unit_test(test_words_texts_and_ids),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_table_of_zeros),
        cmocka_unit_test(test_nested_lists),
        cmocka_unit_test(test_own_check_comes_last),
        cmocka_unit_test(test_range_texts),
        cmocka_unit_test(test_look_up),
        cmocka_unit_test(test_defaults_of_what_is_given),
        cmocka_unit_test(test_broken_kinds),
        cmocka_unit_test(test_broken_halves),
        cmocka_unit_test(test_broken_params),
        cmocka_unit_test(test_kind_of_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
