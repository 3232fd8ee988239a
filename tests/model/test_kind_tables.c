// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tables of kinds that come from programs: what sizes they say, and tables that were compiled when
// they had fewer slots.
#include "fixture.h"

#include <kairos/kairos.h>
#include <unistd.h>

typedef struct pull {
    kai_body body;
    double force;
} pull;

static void pull_apply(const kai_load_batch* b)
{
    const pull* all = b->instances;
    for (size_t i = b->begin; i < b->end; i++) {
        b->out[i].force = kai_vec3_make(all[i].force, 0.0, 0.0);
        b->out[i].torque = kai_vec3_zero();
    }
}

static const kai_param PULL_PARAMS[] = {
    KAI_PARAM(BODY, pull, body, .required = true, .doc = "Body that is pulled."),
    KAI_PARAM(REAL, pull, force, .unit = "N", .initial = {1.0}, .doc = "Along x.")};

static const kai_load_kind PULL = {
    .kind = KAI_KIND("pull", pull, PULL_PARAMS, KAI_SIZES(kai_load_kind), .doc = "Pulls."),
    .apply = pull_apply};

/// A table that ends behind `apply`, in memory that ends there too: reading on would be found by the
/// sanitizer.
static kai_load_kind* older_table(void)
{
    const size_t size = offsetof(kai_load_kind, prepare);
    char* old = malloc(size);
    assert_non_null(old);
    memcpy(old, &PULL, size);
    ((kai_kind*)(void*)old)->sizes.table = (uint32_t)size;
    return (kai_load_kind*)(void*)old;
}

static kai_load add_pull(kai_world* world, const kai_load_kind* kind, const char* body)
{
    kai_load load = {0};
    pull p;
    kai_kind_defaults(&kind->kind, &p);
    p.body = kai_body_find(world, body);
    if (kai_load_create(world, kind, &p, "pull", &load) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return load;
}

static void test_older_tables_work(void** state)
{
    (void)state;
    fixture f;
    kai_load_kind* old = older_table();
    const kai_load_kind* const loads[] = {old, NULL};
    memset(&f, 0, sizeof f);
    kai_world_def def = fixture_def(&f);
    def.kinds.loads = loads;
    check_ok(kai_world_create(&def, &f.world, NULL));
    const kai_body_def body = body_def("cart");
    const kai_body cart = add_body(&f, &body);
    add_pull(f.world, old, "cart");
    check_ok(kai_world_step_until(f.world, 1.0, 1e-3));
    // v = F t / m
    check_near(kai_body_velocity(f.world, cart).x, 1.0 / body.mass, 1e-12, "F t / m");

    // A checkpoint, and another world that takes its place.
    char path[64];
    snprintf(path, sizeof path, "kind-tables-%d.h5", (int)getpid());
    check_ok(kai_world_save(f.world, path));
    kai_world* back = NULL;
    kai_error err = {0};
    if (kai_world_load(&def, path, &back, &err) != KAI_OK) fail_msg("%s", err.message);
    assert_int_equal(unlink(path), 0);
    assert_true(kai_world_hash(back) == kai_world_hash(f.world));
    check_ok(kai_world_step(back, 1e-3));
    check_ok(kai_world_step(f.world, 1e-3));
    assert_true(kai_world_hash(back) == kai_world_hash(f.world));
    kai_world_destroy(back);
    fixture_finish(&f);
    free(old);
}

/// A load with a part of its own: what users give, and how often it was set up.
typedef struct counting {
    pull given;
    double sets;
} counting;

static void counting_apply(const kai_load_batch* b)
{
    const counting* all = b->instances;
    for (size_t i = b->begin; i < b->end; i++) {
        b->out[i].force = kai_vec3_make(all[i].given.force, 0.0, 0.0);
        b->out[i].torque = kai_vec3_zero();
    }
}

static kai_result counting_prepare(const kai_world* world, void* instance, kai_error* err)
{
    ((counting*)instance)->sets += 1.0;
    return KAI_OK;
}

static const kai_param COUNTING_PARAMS[] = {
    KAI_PARAM(BODY, pull, body, .required = true, .doc = "Body that is pulled."),
    KAI_PARAM(REAL, pull, force, .unit = "N", .initial = {1.0}, .doc = "Along x."),
    KAI_PARAM(REAL, counting, sets, .initial = {10.0}, .hidden = true)};

static const kai_load_kind COUNTING = {
    .kind = KAI_KIND("counting", counting, COUNTING_PARAMS, KAI_SIZES(kai_load_kind),
                     .given = sizeof(pull), .doc = "Pulls, and counts how often it was set."),
    .apply = counting_apply,
    .prepare = counting_prepare};

static double sets_of(const kai_world* world)
{
    const kai_load_kind* kind;
    const void* instance;
    check_ok(kai_load_get(world, kai_load_find(world, "pull"), &kind, &instance));
    return ((const counting*)instance)->sets;
}

static void test_part_of_its_own(void** state)
{
    (void)state;
    fixture f;
    const kai_load_kind* const loads[] = {&COUNTING, NULL};
    memset(&f, 0, sizeof f);
    kai_world_def def = fixture_def(&f);
    def.kinds.loads = loads;
    check_ok(kai_world_create(&def, &f.world, NULL));
    const kai_body_def body = body_def("cart");
    const kai_body cart = add_body(&f, &body);
    const kai_load load = add_pull(f.world, &COUNTING, "cart");
    assert_true(sets_of(f.world) == 11.0);
    const pull twice = {cart, 2.0};
    check_ok(kai_load_set(f.world, load, &twice));
    assert_true(sets_of(f.world) == 12.0); // it went on
    check_ok(kai_world_step_until(f.world, 1.0, 1e-3));
    check_near(kai_body_velocity(f.world, cart).x, 2.0 / body.mass, 1e-12, "F t / m");

    char path[64];
    snprintf(path, sizeof path, "kind-tables-%d.h5", (int)getpid());
    check_ok(kai_world_save(f.world, path));
    kai_world* back = NULL;
    kai_error err = {0};
    if (kai_world_load(&def, path, &back, &err) != KAI_OK) fail_msg("%s", err.message);
    assert_int_equal(unlink(path), 0);
    assert_true(sets_of(back) == 12.0);
    assert_true(kai_world_hash(back) == kai_world_hash(f.world));
    kai_world_destroy(back);
    fixture_finish(&f);
}

static void check_refused(fixture* f, kai_kind_sizes sizes, const char* message)
{
    kai_load_kind kind = PULL;
    kind.kind.sizes = sizes;
    check_error(kai_load_register(f->world, &kind), KAI_ERROR_ARGUMENT);
    check_message(f, message);
}

static void test_wrong_sizes_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    const kai_kind_sizes good = PULL.kind.sizes;
    char text[256];
    check_refused(&f, (kai_kind_sizes){0},
                  "kai_load_register: load kind 'pull' has no sizes; its kind must have "
                  "KAI_SIZES(kai_load_kind)");
    snprintf(text, sizeof text,
             "kai_load_register: load kind 'pull' has a table of %zu bytes; must be from %zu to "
             "%zu, which is what this library knows",
             sizeof(kai_load_kind) + 8, sizeof(kai_kind), sizeof(kai_load_kind));
    check_refused(&f, (kai_kind_sizes){good.table + 8, good.head, good.param}, text);
    snprintf(text, sizeof text,
             "kai_load_register: load kind has %zu bytes of kai_kind and %zu of kai_param; this "
             "library knows %zu and %zu: compile the program for it",
             sizeof(kai_kind) - 8, sizeof(kai_param), sizeof(kai_kind), sizeof(kai_param));
    check_refused(&f, (kai_kind_sizes){good.table, (uint16_t)(good.head - 8), good.param}, text);
    // A table too short for what it must have lacks it.
    kai_load_kind kind = PULL;
    kind.kind.sizes.table = sizeof(kai_kind);
    check_error(kai_load_register(f.world, &kind), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_load_register: the kind has no apply()");
    fixture_finish(&f);
}

/// Every family refuses a table without sizes before it looks at anything else.
static void test_every_family_asks_for_sizes(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
#define CHECK_FAMILY(family)                                                                     \
    do {                                                                                         \
        const kai_##family##_kind none = {.kind = {.name = "none", .doc = "None."}};             \
        check_error(kai_##family##_register(f.world, &none), KAI_ERROR_ARGUMENT);                \
        check_message(&f, "kai_" #family "_register: " #family                                   \
                          " kind 'none' has no sizes; its kind must have KAI_SIZES(kai_" #family \
                          "_kind)");                                                             \
    } while (0)
    CHECK_FAMILY(function);
    CHECK_FAMILY(load);
    CHECK_FAMILY(joint);
    CHECK_FAMILY(state);
    CHECK_FAMILY(shape);
    CHECK_FAMILY(solid);
    CHECK_FAMILY(element);
    CHECK_FAMILY(structure);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_older_tables_work),
        cmocka_unit_test(test_part_of_its_own),
        cmocka_unit_test(test_wrong_sizes_are_refused),
        cmocka_unit_test(test_every_family_asks_for_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
