// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What every kind of joint that couples shafts must show, without listing them: rows that are the
// derivative of their g, torques that add up to nothing with the housing, no dependence on where
// the whole stands, parameters that keep to their ranges, ends that must be there and stay, the
// same bits for any number of threads. Couplings that are loads are in test_driveline.c.
#include "helper.h"
#include "model/joint.h"
#include "model/shaft.h"
#include "model/world.h"

#include <kairos/driveline.h>

// A coupling of any kind --------------------------------------------------------------------------

enum { SAMPLES = 12, LARGEST = 4096, FURTHER = KAI_JOINT_ENDS - 2 };

/// One coupling, and two bodies that may be its ends.
typedef struct pair {
    kai_world* world;
    const kai_joint_kind* kind;
    uint32_t slot[2];         // of the two bodies
    uint32_t end[2];          // of those that are ends of the joint, UINT32_MAX: none
    uint32_t beyond[FURTHER]; // of further ends
    kai_joint joint;
    const void* instance;
} pair;

/// Pieces of the rows that were last evaluated, beyond a and b.
static kai_wrench further[KAI_JOINT_ROWS * FURTHER];

/// How many shafts a pair has, and the factor of the k-th in a row.
static int shaft_count(const pair* p) { return p->kind->shaft_count; }

static double* shaft_factor(const pair* p, int row, int k)
{
    return &further[row * kai_joint_further(p->kind) + p->kind->other_count + k].force.x;
}

/// That shaft, NULL when it is not given.
static kai_shaft_def* shaft_of(const pair* p, int k)
{
    const uint32_t slot = p->beyond[p->kind->other_count + k];
    return slot == UINT32_MAX ? NULL : &kai_shaft_all(p->world)[slot];
}

/// Fails the test with the name of the kind.
#define expect(p, condition)                                       \
    do {                                                           \
        if (condition) break;                                      \
        print_error("%s: " #condition "\n", (p)->kind->kind.name); \
        fail();                                                    \
    } while (0)

static kai_world* make_world(int threads)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = threads;
    check_ok(kai_world_create(&def, &world, NULL));
    return world;
}

/// Number i of the kinds that have shafts, NULL after the last.
static const kai_joint_kind* kind_at(const kai_world* world, size_t i)
{
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_joint_kind* kind =
            (const kai_joint_kind*)(const void*)world->joints.batches[b].kind;
        if (kind->shaft_count > 0 && i-- == 0) return kind;
    }
    return NULL;
}

static size_t kind_count(void)
{
    kai_world* world = make_world(1);
    size_t count = 0;
    while (kind_at(world, count)) count++;
    kai_world_destroy(world);
    assert_true(count >= 9);
    return count;
}

/// A body with a mass centre off its origin and a full inertia.
static kai_body make_body(kai_world* world, uint64_t seed)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = 1.5 + 0.5 * helper_random(seed);
    def.inertia = (kai_inertia){0.5, 0.6, 0.7, 0.05, -0.08, 0.1};
    def.com = kai_vec3_scale(helper_random_vec3(seed + 1), 0.3);
    def.position = helper_random_vec3(seed + 2);
    def.rotation = helper_random_rotation(seed + 3);
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

/// A number that a parameter may have.
static double some_number(const kai_param* p)
{
    if (!p->range.bounded) return 0.7;
    return isinf(p->range.max) ? p->range.min + 0.7 : 0.3 * p->range.min + 0.7 * p->range.max;
}

static kai_value some_value(kai_world* world, const kai_param* p)
{
    kai_function_sine_params sine;
    kai_value value = {0};
    kai_kind_defaults(&kai_function_sine.kind, &sine);
    sine.amplitude = 0.1;
    sine.frequency = 0.8;
    sine.offset = some_number(p);
    check_ok(kai_function_create(world, &kai_function_sine, &sine, &value.function));
    return value;
}

static kai_shaft make_shaft(kai_world* world, uint64_t seed)
{
    kai_shaft_def def = kai_shaft_def_default();
    kai_shaft shaft;
    def.inertia = 1.5 + helper_random(seed);
    def.angle = helper_random(seed + 1);
    def.speed = helper_random(seed + 2);
    check_ok(kai_shaft_create(world, &def, NULL, &shaft));
    return shaft;
}

/// Bodies and shafts of a coupling. Besides what it needs: a housing (`all`), or else other shafts
/// for every third sample.
static void fill_coupling(kai_world* world, const kai_joint_kind* kind, const kai_body body[2],
                          uint64_t seed, bool all, kai_joint_base* j)
{
    for (size_t i = 0; i < kind->kind.param_count; i++) {
        const kai_param* p = &kind->kind.params[i];
        void* field = (char*)j + p->offset;
        if (p->type == KAI_PARAM_BODY && (p->required || all))
            *(kai_body*)field = body[p->offset != offsetof(kai_joint_base, bodies[0])];
        if (p->type == KAI_PARAM_SHAFT && (p->required || (!all && seed % 300 == 0)))
            for (size_t k = 0; k < kai_kind_repeats(p); k++)
                ((kai_shaft*)field)[k] = make_shaft(world, seed + 60 + p->offset + k);
    }
}

/// Gives a parameter of the kind's own a value if it needs one; with `all` the optional ones too.
static void fill_param(kai_world* world, const kai_param* p, kai_joint_base* j, bool all)
{
    void* field = (char*)j + p->offset;
    if (p->type == KAI_PARAM_BOOL && all) {
        *(bool*)field = true;
    } else if (p->type == KAI_PARAM_REAL && (p->required || all)) {
        *(double*)field = some_number(p);
    } else if (p->type == KAI_PARAM_VALUE) {
        *(kai_value*)field = some_value(world, p);
    } // one axis: that torques balance is then a matter of numbers
}

/// An instance of a kind between two bodies, with everything that it needs.
static void fill(kai_world* world, const kai_joint_kind* kind, const kai_body body[2],
                 uint64_t seed, bool all, void* instance)
{
    kai_joint_base* j = instance;
    assert_true(kind->kind.size <= LARGEST);
    kai_kind_defaults(&kind->kind, instance);
    j->axis = helper_random_direction(seed + 11);
    fill_coupling(world, kind, body, seed, all, j);
    for (size_t i = 0; i < kind->kind.param_count; i++) {
        const kai_param* p = &kind->kind.params[i];
        if (!p->hidden && p->offset >= sizeof(kai_joint_base)) fill_param(world, p, j, all);
    }
}

static pair make_pair(kai_world* world, size_t b, uint64_t seed, bool all)
{
    _Alignas(64) char instance[LARGEST];
    pair p = {.world = world, .kind = kind_at(world, b)};
    const kai_body body[2] = {make_body(world, seed), make_body(world, seed + 5)};
    fill(world, p.kind, body, seed, all, instance);
    if (kai_joint_create(world, p.kind, instance, "", &p.joint) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    check_ok(kai_joint_get(world, p.joint, NULL, &p.instance));
    const kai_joint_base* j = p.instance;
    for (int k = 0; k < 2; k++) {
        p.slot[k] = (uint32_t)kai_bodies_slot(&world->bodies, body[k]);
        p.end[k] = (uint32_t)kai_bodies_slot(&world->bodies, j->bodies[k]);
    }
    kai_joint_find_further(world, p.kind, p.instance, p.beyond);
    return p;
}

static void move(kai_pose* pose, kai_vec3 by, kai_vec3 turn)
{
    pose->position = kai_vec3_add(pose->position, by);
    pose->rotation = kai_quat_mul(pose->rotation, kai_quat_from_rotation_vector(turn));
}

/// Away from the assembled position, where errors of the rows would hide.
static void disturb(const pair* p, uint64_t seed, double size)
{
    for (uint64_t k = 0; k < 2; k++)
        move(&p->world->bodies.pose[p->slot[k]],
             kai_vec3_scale(helper_random_vec3(seed + 20 + k), size),
             kai_vec3_scale(helper_random_vec3(seed + 22 + k), size));
}

static void evaluate(const pair* p, double time, kai_joint_row rows[KAI_JOINT_ROWS])
{
    memset(further, 0, sizeof further);
    const kai_joint_batch one = {.world = p->world,
                                 .time = time,
                                 .instances = p->instance,
                                 .size = p->kind->kind.size,
                                 .end = 1,
                                 .slot = p->end,
                                 .further_slot = p->beyond,
                                 .further = further,
                                 .shafts = kai_shaft_all(p->world),
                                 .pose = p->world->bodies.pose,
                                 .motion = p->world->bodies.motion,
                                 .functions = &p->world->functions,
                                 .rows = rows};
    p->kind->evaluate(&one);
}

typedef void property(const pair* p, uint64_t seed);

/// Tries a property on several joints of every kind, with and without optional parameters.
static void for_every_kind(property* holds, double disturbance)
{
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        for (uint64_t n = 0; n < SAMPLES; n++) {
            kai_world* world = make_world(1);
            const pair p = make_pair(world, b, 100 * n, n % 2);
            disturb(&p, 100 * n, disturbance);
            holds(&p, 100 * n);
            kai_world_destroy(world);
        }
    }
}

// Rows -------------------------------------------------------------------------------------------

/// Factors of the speeds of shafts are the derivatives of g with their angles.
static void check_shaft_jacobian(const pair* p, uint64_t seed)
{
    (void)seed;
    const double eps = 1e-5;
    kai_joint_row plus[KAI_JOINT_ROWS], minus[KAI_JOINT_ROWS];
    for (int k = 0; !p->kind->velocity_level && k < shaft_count(p); k++) {
        kai_shaft_def* shaft = shaft_of(p, k);
        if (!shaft) continue;
        const double before = shaft->angle;
        shaft->angle = before + eps;
        evaluate(p, 0.3, plus);
        shaft->angle = before - eps;
        evaluate(p, 0.3, minus);
        shaft->angle = before;
        for (int r = 0; r < p->kind->rows; r++) {
            const double slope = (plus[r].g - minus[r].g) / (2.0 * eps);
            expect(p, fabs(*shaft_factor(p, r, k) - slope) < 1e-8);
        }
    }
}

static void test_rows_are_derivatives(void** state) { for_every_kind(check_shaft_jacobian, 0.1); }

static void check_time(const pair* p, uint64_t seed)
{
    (void)seed;
    const double eps = 1e-5;
    kai_joint_row rows[KAI_JOINT_ROWS], plus[KAI_JOINT_ROWS], minus[KAI_JOINT_ROWS];
    if (p->kind->velocity_level) return;
    evaluate(p, 0.3, rows);
    evaluate(p, 0.3 + eps, plus);
    evaluate(p, 0.3 - eps, minus);
    for (int r = 0; r < p->kind->rows; r++) {
        const double slope = (plus[r].g - minus[r].g) / (2.0 * eps);
        expect(p, fabs(rows[r].gt - slope) < 1e-8);
        expect(p, rows[r].gt == 0.0 || p->kind->driven);
    }
}

static void test_time_derivatives(void** state) { for_every_kind(check_time, 0.1); }

/// dg/dt is linear in velocities: factors do not depend on them.
static void check_linear(const pair* p, uint64_t seed)
{
    kai_joint_row rows[KAI_JOINT_ROWS], moving[KAI_JOINT_ROWS];
    kai_wrench pieces[KAI_JOINT_ROWS * FURTHER];
    evaluate(p, 0.3, rows);
    memcpy(pieces, further, sizeof pieces);
    for (int k = 0; k < shaft_count(p); k++)
        if (shaft_of(p, k)) shaft_of(p, k)->speed += 1.0 + k;
    for (uint64_t k = 0; k < 2; k++) {
        p->world->bodies.motion[p->slot[k]].velocity = helper_random_vec3(seed + 30 + k);
        p->world->bodies.motion[p->slot[k]].spin = helper_random_vec3(seed + 32 + k);
    }
    evaluate(p, 0.3, moving);
    expect(p, memcmp(pieces, further, sizeof pieces) == 0);
    for (int r = 0; r < p->kind->rows; r++) {
        expect(p, memcmp(&rows[r].a, &moving[r].a, sizeof rows[r].a) == 0);
        expect(p, memcmp(&rows[r].b, &moving[r].b, sizeof rows[r].b) == 0);
        expect(p, rows[r].g == moving[r].g && rows[r].gt == moving[r].gt);
    }
}

static void test_rows_do_not_depend_on_velocities(void** state)
{
    for_every_kind(check_linear, 0.1);
}

/// Torques of a coupling, along its axis. They add up to nothing where a housing is given, and
/// where the kind has none with just what it needs; else the rest goes into the ground.
static void check_balance(const pair* p, uint64_t seed)
{
    kai_joint_row rows[KAI_JOINT_ROWS];
    const bool housed = kai_kind_param(&p->kind->kind, "housing") != NULL;
    const bool against = shaft_count(p) > 1 && shaft_of(p, 1) != NULL;
    const kai_joint_base* j = p->instance;
    const kai_vec3 axis = kai_vec3_normalize(j->axis);
    if (housed && p->end[0] == UINT32_MAX && !(p->kind->driven && against)) return;
    if (!housed && (seed % 200 || (p->kind->driven && !against))) return;
    evaluate(p, 0.3, rows);
    for (int r = 0; r < p->kind->rows; r++) {
        double sum = 0.0;
        for (int k = 0; k < shaft_count(p); k++)
            if (shaft_of(p, k)) sum += *shaft_factor(p, r, k);
        for (int k = 0; k < 2; k++) {
            const kai_wrench* w = k ? &rows[r].b : &rows[r].a;
            if (p->end[k] == UINT32_MAX) continue;
            const kai_pose* pose = &p->world->bodies.pose[p->end[k]];
            expect(p, kai_vec3_norm(w->force) == 0.0);
            expect(p, kai_vec3_norm(kai_vec3_cross(kai_quat_rotate(pose->rotation, w->torque),
                                                   axis)) < 1e-12);
            sum += kai_vec3_dot(kai_quat_rotate(pose->rotation, w->torque), axis);
        }
        expect(p, fabs(sum) < 1e-13);
    }
}

static void test_action_equals_reaction(void** state) { for_every_kind(check_balance, 0.0); }

/// A motion of both bodies as one changes neither g nor the factors as the bodies see them.
static void check_invariance(const pair* p, uint64_t seed)
{
    kai_joint_row rows[KAI_JOINT_ROWS], moved[KAI_JOINT_ROWS];
    evaluate(p, 0.3, rows);
    const kai_frame motion =
        kai_frame_make(helper_random_vec3(seed + 40), helper_random_rotation(seed + 41));
    for (int k = 0; k < 2; k++) {
        kai_pose* pose = &p->world->bodies.pose[p->slot[k]];
        pose->position = kai_frame_point_to_parent(motion, pose->position);
        pose->rotation = kai_quat_mul(motion.rotation, pose->rotation);
    }
    evaluate(p, 0.3, moved);
    for (int r = 0; r < p->kind->rows; r++) {
        const kai_vec3 turned = kai_quat_rotate(motion.rotation, rows[r].b.force);
        expect(p, fabs(rows[r].g - moved[r].g) < 1e-12);
        expect(p, kai_vec3_distance(turned, moved[r].b.force) < 1e-12);
        expect(p, kai_vec3_distance(rows[r].a.torque, moved[r].a.torque) < 1e-12);
        expect(p, kai_vec3_distance(rows[r].b.torque, moved[r].b.torque) < 1e-12);
    }
}

static void test_rigid_motion_changes_nothing(void** state)
{
    for_every_kind(check_invariance, 0.1);
}

// Parameters -------------------------------------------------------------------------------------

/// Puts x into every number of a parameter; false when it holds none.
static bool put_number(const kai_param* p, char* instance, double x)
{
    char* field = instance + p->offset;
    switch (p->type) {
    case KAI_PARAM_INT: *(int64_t*)field = isfinite(x) ? (int64_t)x : 0; return isfinite(x);
    case KAI_PARAM_VALUE: *(kai_value*)field = kai_value_constant(x); return true;
    case KAI_PARAM_REAL: *(double*)field = x; return true;
    case KAI_PARAM_VEC3:
        for (size_t k = 0; k < 3 * kai_kind_repeats(p); k++) ((double*)field)[k] = x;
        return true;
    default: return false;
    }
}

static void check_refused(const pair* p, const kai_param* param, const void* good, double x)
{
    _Alignas(64) char bad[LARGEST];
    kai_joint joint;
    memcpy(bad, good, p->kind->kind.size);
    if (!put_number(param, bad, x)) return;
    const size_t before = kai_joint_count(p->world);
    const kai_result r = kai_joint_create(p->world, p->kind, bad, "", &joint);
    const char* message = kai_world_error(p->world)->message;
    if (r != KAI_ERROR_ARGUMENT || kai_joint_count(p->world) != before)
        fail_msg("%s: %s = %g was not refused", p->kind->kind.name, param->name, x);
    if (!strstr(message, param->name))
        fail_msg("%s: the message does not name %s: %s", p->kind->kind.name, param->name, message);
}

static void test_parameters_keep_to_their_ranges(void** state)
{
    _Alignas(64) char good[LARGEST];
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        kai_world* world = make_world(1);
        const pair p = make_pair(world, b, 0, false);
        const kai_body body[2] = {kai_bodies_id(&world->bodies, p.slot[0]),
                                  kai_bodies_id(&world->bodies, p.slot[1])};
        fill(world, p.kind, body, 0, false, good);
        for (size_t i = 0; i < p.kind->kind.param_count; i++) {
            const kai_param* param = &p.kind->kind.params[i];
            if (param->hidden) continue;
            check_refused(&p, param, good, HUGE_VAL);
            if (param->range.bounded) check_refused(&p, param, good, param->range.min - 1.0);
            if (param->range.bounded && isfinite(param->range.max))
                check_refused(&p, param, good, param->range.max + 1.0);
        }
        kai_world_destroy(world);
    }
}

/// Every end that a coupling needs must be there, and shafts be different ones.
static void test_couplings_need_their_ends(void** state)
{
    _Alignas(64) char good[LARGEST], bad[LARGEST];
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        kai_world* world = make_world(1);
        const kai_joint_kind* kind = kind_at(world, b);
        const kai_body body[2] = {make_body(world, 0), make_body(world, 5)};
        kai_joint joint;
        fill(world, kind, body, 0, false, good);
        for (size_t i = 0; i < kind->kind.param_count; i++) {
            const kai_param* p = &kind->kind.params[i];
            if (p->hidden || (p->type != KAI_PARAM_SHAFT && p->type != KAI_PARAM_BODY)) continue;
            for (size_t k = 0; k < kai_kind_repeats(p); k++) {
                memcpy(bad, good, kind->kind.size);
                kai_id* id = (kai_id*)(void*)(bad + p->offset) + k;
                *id = (kai_id){.index = 99, .world = id->world};
                assert_int_not_equal(kai_joint_create(world, kind, bad, "", &joint), KAI_OK);
                *id = (kai_id){0};
                if (p->required)
                    assert_int_not_equal(kai_joint_create(world, kind, bad, "", &joint), KAI_OK);
                if (p->type != KAI_PARAM_SHAFT || kind->shaft_count < 2) continue;
                const kai_shaft* shafts = (const kai_shaft*)(const void*)(good + kind->shafts);
                const bool first = KAI_ID_EQUALS(shafts[0], *(kai_shaft*)(good + p->offset));
                memcpy(id, &shafts[first && k == 0], sizeof *id);
                check_error(kai_joint_create(world, kind, bad, "", &joint), KAI_ERROR_ARGUMENT);
            }
        }
        assert_int_equal(kai_joint_count(world), 0);
        kai_world_destroy(world);
    }
}

/// What a coupling holds cannot go before it, and others may: what is left stays coupled.
static void test_ends_stay_while_they_are_held(void** state)
{
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        kai_world* world = make_world(1);
        const kai_shaft loose = make_shaft(world, 1);
        const pair p = make_pair(world, b, 100, true);
        const kai_joint_base* j = p.instance;
        const kai_shaft* shafts = (const kai_shaft*)(const void*)((const char*)j + p.kind->shafts);
        for (int k = 0; k < shaft_count(&p); k++)
            if (!KAI_IS_NULL(shafts[k]))
                check_error(kai_shaft_destroy(world, shafts[k]), KAI_ERROR_ARGUMENT);
        for (int k = 0; k < 2; k++)
            if (!KAI_IS_NULL(j->bodies[k]))
                assert_int_not_equal(kai_body_destroy(world, j->bodies[k]), KAI_OK);
        check_ok(kai_shaft_destroy(world, loose)); // the last one takes its place
        if (kai_world_step(world, 1e-3) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
        check_ok(kai_joint_destroy(world, p.joint));
        while (kai_shaft_count(world) > 0)
            check_ok(kai_shaft_destroy(world, kai_shaft_at_index(world, 0)));
        check_ok(kai_body_destroy(world, kai_bodies_id(&world->bodies, 0)));
        check_ok(kai_world_step(world, 1e-3));
        kai_world_destroy(world);
    }
}

/// Rules that ranges cannot say: each line spoils an instance that is right otherwise.
static void test_rules_across_parameters(void** state)
{
    kai_world* world = make_world(1);
    const kai_body body[2] = {make_body(world, 0), make_body(world, 5)};
    _Alignas(64) char instance[LARGEST];
    kai_joint joint;
#define REFUSED(kind_, type, spoil)                                                             \
    do {                                                                                        \
        type* p = (type*)(void*)instance;                                                       \
        fill(world, &kind_, body, 0, false, instance);                                          \
        check_ok(kai_joint_create(world, &kind_, instance, "", &joint));                        \
        spoil;                                                                                  \
        check_error(kai_joint_create(world, &kind_, instance, "", &joint), KAI_ERROR_ARGUMENT); \
    } while (0)
    REFUSED(kai_joint_shaft_gear, kai_joint_shaft_gear_params, p->ratio = 0.0);
    REFUSED(kai_joint_shaft_gear, kai_joint_shaft_gear_params, p->base.axis = kai_vec3_zero());
    REFUSED(kai_joint_shaft_gear, kai_joint_shaft_gear_params, p->axis2 = kai_vec3_zero());
    REFUSED(kai_joint_planetary, kai_joint_planetary_params, p->ratio = 0.0);
    REFUSED(kai_joint_planetary, kai_joint_planetary_params, p->ratio = 1.0);
    REFUSED(kai_joint_differential, kai_joint_differential_params, p->ratio = 0.0);
    REFUSED(kai_joint_differential, kai_joint_differential_params, p->split = 1.0);
    REFUSED(kai_joint_differential, kai_joint_differential_params, p->axis2 = kai_vec3_zero());
    REFUSED(kai_joint_shaft_brake, kai_joint_shaft_brake_params, p->base.axis = kai_vec3_zero());
    REFUSED(kai_joint_shaft_body, kai_joint_shaft_body_params, p->base.axis = kai_vec3_zero());
    REFUSED(kai_joint_shaft_speed, kai_joint_shaft_speed_params, p->base.bodies[0] = body[0]);
#undef REFUSED
    kai_world_destroy(world);
}

// Threads ----------------------------------------------------------------------------------------

static uint64_t hash_after(size_t b, int threads)
{
    kai_world* world = make_world(threads);
    for (uint64_t i = 0; i < 200; i++) make_pair(world, b, 1000 + 50 * i, false);
    for (int i = 0; i < 3; i++)
        if (kai_world_step(world, 1e-3) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void test_threads_change_nothing(void** state)
{
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        const uint64_t one = hash_after(b, 1);
        assert_true(one == hash_after(b, 2));
        assert_true(one == hash_after(b, 7));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_derivatives),
        cmocka_unit_test(test_time_derivatives),
        cmocka_unit_test(test_rows_do_not_depend_on_velocities),
        cmocka_unit_test(test_action_equals_reaction),
        cmocka_unit_test(test_rigid_motion_changes_nothing),
        cmocka_unit_test(test_parameters_keep_to_their_ranges),
        cmocka_unit_test(test_couplings_need_their_ends),
        cmocka_unit_test(test_ends_stay_while_they_are_held),
        cmocka_unit_test(test_rules_across_parameters),
        cmocka_unit_test(test_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
