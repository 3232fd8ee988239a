// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What every kind of load on shafts must show, without listing them: torques that add up to nothing
// with the housing, no forces, a balance of power, nothing that depends on how fast the whole
// turns, ends that must be there. Those that are joints are in test_joints.c.
#include "helper.h"
#include "model/shaft.h"
#include "model/world.h"

#include <kairos/driveline.h>

enum { SAMPLES = 24, LARGEST = 4096, MOST_SHAFTS = 4 };

static const kai_load_kind* kind_at(const kai_world* world, size_t b)
{
    return (const kai_load_kind*)(const void*)world->loads.batches[b].kind;
}

static bool is_coupling(const kai_load_kind* kind)
{
    return kind->section && strcmp(kind->section, "driveline") == 0;
}

/// One load on shafts, perhaps with a housing.
typedef struct unit {
    kai_world* world;
    const kai_load_kind* kind;
    kai_load load;
    kai_shaft shafts[MOST_SHAFTS];
    size_t count;
    kai_body housing; // null: none
    kai_vec3 axis;
} unit;

static kai_body make_body(kai_world* world, uint64_t seed)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = 2.0;
    def.inertia = (kai_inertia){0.5, 0.6, 0.7, 0.05, -0.08, 0.1};
    def.rotation = helper_random_rotation(seed);
    def.angular_velocity = helper_random_vec3(seed + 1);
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

static kai_shaft make_shaft(kai_world* world, uint64_t seed)
{
    kai_shaft_def def = kai_shaft_def_default();
    kai_shaft shaft;
    def.inertia = 1.5 + helper_random(seed);
    def.angle = helper_random(seed + 1);
    def.speed = 5.0 * helper_random(seed + 2);
    check_ok(kai_shaft_create(world, &def, NULL, &shaft));
    return shaft;
}

/// Curves and tables: x from 0 to 0.8, y positive and falling.
static void fill_numbers(const kai_param* p, char* field)
{
    static const double rows[] = {0.0, 0.9, 0.5, 0.8, 0.8, 0.3};
    if (p->type == KAI_PARAM_TABLE) *(kai_table*)(void*)field = (kai_table){rows, 3, 2};
    if (p->type == KAI_PARAM_CURVE) *(kai_curve*)(void*)field = kai_curve_line(0.7);
    if (p->type == KAI_PARAM_REAL) *(double*)(void*)field = 0.3;
    if (p->type == KAI_PARAM_VALUE) *(kai_value*)(void*)field = kai_value_constant(0.6);
}

/// What a kind needs; with `housed` a housing, with `all` optional shafts.
static void fill(unit* u, uint64_t seed, bool housed, bool all, char* instance)
{
    assert_true(u->kind->kind.size <= LARGEST);
    kai_kind_defaults(&u->kind->kind, instance);
    for (size_t i = 0; i < u->kind->kind.param_count; i++) {
        const kai_param* p = &u->kind->kind.params[i];
        char* field = instance + p->offset;
        if (p->hidden) continue;
        if (p->type == KAI_PARAM_SHAFT && (p->required || all)) {
            for (size_t k = 0; k < kai_kind_repeats(p); k++) {
                u->shafts[u->count] = make_shaft(u->world, seed + 10 * u->count);
                ((kai_shaft*)(void*)field)[k] = u->shafts[u->count++];
            }
        } else if (p->type == KAI_PARAM_BODY && housed) {
            u->housing = *(kai_body*)(void*)field = make_body(u->world, seed + 50);
        } else if (p->type == KAI_PARAM_VEC3) {
            u->axis = *(kai_vec3*)(void*)field = helper_random_direction(seed + 60);
        } else {
            fill_numbers(p, field);
        }
    }
}

static unit make_unit(size_t b, uint64_t seed, int threads)
{
    _Alignas(64) char instance[LARGEST];
    kai_world_def def = kai_world_def_default();
    unit u = {0};
    def.threads = threads;
    check_ok(kai_world_create(&def, &u.world, NULL));
    u.kind = kind_at(u.world, b);
    if (!is_coupling(u.kind)) return u;
    fill(&u, seed, seed % 3 == 1, seed % 3 == 2, instance);
    if (kai_load_create(u.world, u.kind, instance, "coupling", &u.load) != KAI_OK)
        fail_msg("%s", kai_world_error(u.world)->message);
    check_ok(kai_world_evaluate(u.world));
    return u;
}

static size_t kind_count(void)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    check_ok(kai_world_create(&def, &world, NULL));
    const size_t count = world->loads.batch_count;
    kai_world_destroy(world);
    return count;
}

static void for_every_kind(void (*holds)(unit* u, uint64_t seed))
{
    const size_t kinds = kind_count();
    int met = 0;
    for (size_t b = 0; b < kinds; b++) {
        for (uint64_t n = 0; n < SAMPLES; n++) {
            unit u = make_unit(b, 999 * n + n % 3, 1);
            if (is_coupling(u.kind)) holds(&u, n);
            met += is_coupling(u.kind);
            kai_world_destroy(u.world);
        }
    }
    assert_true(met >= 5 * SAMPLES);
}

/// Fails the test with the name of the kind.
#define expect(u, condition)                                       \
    do {                                                           \
        if (condition) break;                                      \
        print_error("%s: " #condition "\n", (u)->kind->kind.name); \
        fail();                                                    \
    } while (0)

static kai_shaft_def look(const unit* u, size_t k)
{
    kai_shaft_def def;
    check_ok(kai_shaft_get(u->world, u->shafts[k], &def));
    return def;
}

/// Torque on the housing about its axis; it gets nothing else.
static double housing_torque(const unit* u)
{
    kai_vec3 force, torque;
    if (KAI_IS_NULL(u->housing)) return 0.0;
    check_ok(kai_body_force(u->world, u->housing, &force, &torque));
    expect(u, kai_vec3_norm(force) == 0.0);
    expect(u, kai_vec3_norm(kai_vec3_cross(torque, u->axis)) < 1e-12);
    return kai_vec3_dot(torque, u->axis);
}

// Without a housing, and without a second shaft, the ground takes the rest.
static void check_balance(unit* u, uint64_t seed)
{
    double sum = housing_torque(u), size = 0.0;
    for (size_t k = 0; k < u->count; k++) {
        sum += look(u, k).torque;
        size += fabs(look(u, k).torque);
    }
    expect(u, size > 1e-6);
    const bool takes_housing = kai_kind_param(&u->kind->kind, "housing") != NULL;
    const bool takes_against = kai_kind_param(&u->kind->kind, "against") != NULL;
    const bool grounded = takes_housing && seed % 3 != 1 && !(takes_against && seed % 3 == 2);
    if (!grounded) expect(u, fabs(sum) < 1e-12 * size);
}

static void test_torques_add_up_to_nothing(void** state) { for_every_kind(check_balance); }

/// Power on all ends.
static double power_of(const unit* u)
{
    double power = 0.0;
    for (size_t k = 0; k < u->count; k++) power += look(u, k).torque * look(u, k).speed;
    if (KAI_IS_NULL(u->housing)) return power;
    const kai_vec3 spin = kai_body_angular_velocity(u->world, u->housing);
    return power + housing_torque(u) * kai_vec3_dot(spin, u->axis);
}

// P = W - D - Ė over a short time without any other change, and output() tells P.
static void check_power(unit* u, uint64_t seed)
{
    (void)seed;
    kai_load_state s;
    check_ok(kai_load_output(u->world, u->load, &s));
    const double power = power_of(u);
    expect(u, fabs(s.power - power) < 1e-11 * (1.0 + fabs(power)));
    if (!u->kind->energy && !u->kind->dissipation) return;
    // Stored energy along the motion, by central differences.
    const double eps = 1e-6;
    kai_energy e[2];
    for (int side = 0; side < 2; side++) {
        for (size_t k = 0; k < u->count; k++) {
            const kai_shaft_def d = look(u, k);
            const double by = (side ? 2.0 * eps : -eps) * d.speed;
            check_ok(kai_shaft_set_motion(u->world, u->shafts[k], d.angle + by, d.speed));
        }
        check_ok(kai_world_energy(u->world, &e[side]));
    }
    const double stored = (e[1].elastic - e[0].elastic) / (2.0 * eps);
    for (size_t k = 0; k < u->count; k++) {
        const kai_shaft_def d = look(u, k);
        check_ok(kai_shaft_set_motion(u->world, u->shafts[k], d.angle - eps * d.speed, d.speed));
    }
    // What is lost, from the balance that the engine keeps.
    const double before = u->world->dissipated;
    check_ok(kai_world_evaluate(u->world));
    check_ok(kai_load_energy_spend(u->world, 1.0, NULL));
    const double lost = u->world->dissipated - before;
    expect(u, lost >= 0.0);
    expect(u, fabs(power + lost + stored) < 1e-6 * (1.0 + fabs(power))); // rounding / eps
}

static void test_power_is_accounted_for(void** state) { for_every_kind(check_power); }

// Torques depend on speeds against the housing or the other shaft only.
static void check_whole(unit* u, uint64_t seed)
{
    if (u->count < 2 && seed % 3 != 1) return; // the ground does not turn along
    if (KAI_IS_NULL(u->housing) && kai_kind_param(&u->kind->kind, "housing") &&
        !(kai_kind_param(&u->kind->kind, "against") && seed % 3 == 2))
        return;
    double torque[MOST_SHAFTS];
    for (size_t k = 0; k < u->count; k++) {
        const kai_shaft_def d = look(u, k);
        torque[k] = d.torque;
        check_ok(kai_shaft_set_motion(u->world, u->shafts[k], d.angle, d.speed + 3.0));
    }
    if (!KAI_IS_NULL(u->housing)) {
        const kai_vec3 spin = kai_body_angular_velocity(u->world, u->housing);
        check_ok(kai_body_set_velocity(u->world, u->housing, kai_vec3_zero(),
                                       kai_vec3_mul_add(spin, u->axis, 3.0)));
    }
    check_ok(kai_world_evaluate(u->world));
    for (size_t k = 0; k < u->count; k++)
        expect(u, fabs(look(u, k).torque - torque[k]) < 1e-10 * (1.0 + fabs(torque[k])));
}

static void test_only_differences_of_speeds_count(void** state) { for_every_kind(check_whole); }

// Every shaft that is needed must be there, and be another.
static void check_ends(unit* u, uint64_t seed)
{
    (void)seed;
    const void* params;
    _Alignas(64) char bad[LARGEST];
    kai_load load;
    check_ok(kai_load_get(u->world, u->load, NULL, &params));
    for (size_t i = 0; i < u->kind->kind.param_count; i++) {
        const kai_param* p = &u->kind->kind.params[i];
        if (p->type != KAI_PARAM_SHAFT && p->type != KAI_PARAM_BODY) continue;
        for (size_t k = 0; k < kai_kind_repeats(p); k++) {
            memcpy(bad, params, u->kind->kind.size);
            kai_id* id = (kai_id*)(void*)(bad + p->offset) + k;
            *id = (kai_id){.index = 99, .world = u->world->tag};
            assert_int_not_equal(kai_load_create(u->world, u->kind, bad, "", &load), KAI_OK);
            *id = (kai_id){0};
            if (p->required)
                assert_int_not_equal(kai_load_create(u->world, u->kind, bad, "", &load), KAI_OK);
        }
    }
    assert_int_equal(kai_load_count(u->world), 1);
    // What a load acts on cannot go before it.
    for (size_t k = 0; k < u->count; k++)
        check_error(kai_shaft_destroy(u->world, u->shafts[k]), KAI_ERROR_ARGUMENT);
    if (!KAI_IS_NULL(u->housing))
        assert_int_not_equal(kai_body_destroy(u->world, u->housing), KAI_OK);
    check_ok(kai_load_destroy(u->world, u->load));
    for (size_t k = 0; k < u->count; k++) check_ok(kai_shaft_destroy(u->world, u->shafts[k]));
    if (!KAI_IS_NULL(u->housing)) check_ok(kai_body_destroy(u->world, u->housing));
}

static void test_ends_are_needed(void** state) { for_every_kind(check_ends); }

// Many of every kind, on any number of threads.
static uint64_t hash_after(int threads)
{
    _Alignas(64) char instance[LARGEST];
    kai_world_def def = kai_world_def_default();
    unit u = {0};
    def.threads = threads;
    check_ok(kai_world_create(&def, &u.world, NULL));
    for (size_t b = 0; b < u.world->loads.batch_count; b++) {
        u.kind = kind_at(u.world, b);
        for (uint64_t n = 0; is_coupling(u.kind) && n < 400; n++) {
            u.count = 0;
            fill(&u, 1000 * n + b, n % 3 == 1, n % 3 == 2, instance);
            check_ok(kai_load_create(u.world, u.kind, instance, "", &u.load));
        }
    }
    for (int i = 0; i < 3; i++) check_ok(kai_world_step(u.world, 1e-3));
    const uint64_t hash = kai_world_hash(u.world);
    kai_world_destroy(u.world);
    return hash;
}

static void test_threads_change_nothing(void** state)
{
    const uint64_t one = hash_after(1);
    static const int threads[] = {2, 3, 7, 16};
    for (size_t i = 0; i < KAI_COUNT(threads); i++) assert_true(one == hash_after(threads[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torques_add_up_to_nothing),
        cmocka_unit_test(test_power_is_accounted_for),
        cmocka_unit_test(test_only_differences_of_speeds_count),
        cmocka_unit_test(test_ends_are_needed),
        cmocka_unit_test(test_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
