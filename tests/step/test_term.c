// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A term of the test's own, as a fluid would be one: a string of markers with coordinates of their
// own that pulls at a body. It is one table and one part of the world; integrators, energy balance,
// momentum, undo, checkpoints and the hash see it without being told.
#include "base/hash.h"
#include "helper.h"
#include "model/part.h"
#include "record/checkpoint.h"
#include "step/term.h"

#include <kairos/kairos.h>
#include <unistd.h>

// The string -------------------------------------------------------------------------------------

enum { MARKERS = 8 };
static const double K = 50.0, M = 0.25; // N/m of each piece, kg of each marker

typedef struct string {
    kai_vec3 x[MARKERS], v[MARKERS], f[MARKERS];
    kai_body body; // at the end; index 0: it hangs free
} string;

static const kai_vec3 ORIGIN = {0, 0, 0};

/// The ends of piece i: marker i, and the next one, or the body.
static kai_vec3 other_end(const kai_world* world, const string* s, int i)
{
    return i + 1 < MARKERS ? s->x[i + 1] : kai_body_position(world, s->body);
}

static kai_result string_needs(kai_world* world, void* data, unsigned* capabilities, kai_error* err)
{
    (void)world, (void)data, (void)err;
    *capabilities = KAI_INTEGRATOR_TERM_COORDINATES;
    return KAI_OK;
}

static kai_result string_begin(kai_world* world, void* data, kai_error* err)
{
    const string* s = data;
    KAI_TRY(kai_bodies_need_wrench(&world->bodies, err));
    world->bodies.wrench[kai_bodies_slot(&world->bodies, s->body)] = (kai_wrench){0};
    return KAI_OK;
}

static kai_result string_forces(kai_world* world, void* data, double time,
                                const kai_fea_options* options, kai_error* err)
{
    (void)time, (void)options, (void)err;
    string* s = data;
    kai_wrench* w = &world->bodies.wrench[kai_bodies_slot(&world->bodies, s->body)];
    for (int i = 0; i < MARKERS; i++) s->f[i] = kai_vec3_scale(world->gravity, M);
    for (int i = 0; i < MARKERS; i++) {
        const kai_vec3 f = kai_vec3_scale(kai_vec3_sub(other_end(world, s, i), s->x[i]), K);
        s->f[i] = kai_vec3_add(s->f[i], f);
        if (i + 1 < MARKERS)
            s->f[i + 1] = kai_vec3_sub(s->f[i + 1], f);
        else
            w->force = kai_vec3_sub(w->force, f);
    }
    return KAI_OK;
}

static void string_drift(kai_world* world, void* data, double h)
{
    (void)world;
    string* s = data;
    for (int i = 0; i < MARKERS; i++) s->x[i] = kai_vec3_mul_add(s->x[i], s->v[i], h);
}

static void string_kick(kai_world* world, void* data, double h)
{
    (void)world;
    string* s = data;
    for (int i = 0; i < MARKERS; i++) s->v[i] = kai_vec3_mul_add(s->v[i], s->f[i], h / M);
}

static kai_result string_check(const kai_world* world, void* data, double time, kai_error* err)
{
    (void)world;
    const string* s = data;
    for (int i = 0; i < MARKERS; i++)
        if (!kai_vec3_is_finite(s->x[i]) || !kai_vec3_is_finite(s->v[i]))
            return kai_error_set(err, KAI_ERROR_DIVERGED, "marker %d is not finite at t = %g s", i,
                                 time);
    return KAI_OK;
}

static kai_result string_energy(kai_world* world, void* data, kai_energy* sum, kai_error* err)
{
    (void)err;
    const string* s = data;
    for (int i = 0; i < MARKERS; i++) {
        sum->kinetic += 0.5 * M * kai_vec3_norm2(s->v[i]);
        sum->potential -= M * kai_vec3_dot(world->gravity, s->x[i]);
        sum->elastic += 0.5 * K * kai_vec3_norm2(kai_vec3_sub(other_end(world, s, i), s->x[i]));
    }
    return KAI_OK;
}

static kai_result string_momentum(kai_world* world, void* data, kai_vec3* linear, kai_vec3* angular,
                                  kai_error* err)
{
    (void)world, (void)err;
    const string* s = data;
    for (int i = 0; i < MARKERS; i++) {
        *linear = kai_vec3_mul_add(*linear, s->v[i], M);
        *angular = kai_vec3_mul_add(*angular, kai_vec3_cross(s->x[i], s->v[i]), M);
    }
    return KAI_OK;
}

static const kai_term STRING = {.name = "string",
                                .needs = string_needs,
                                .begin = string_begin,
                                .forces = string_forces,
                                .drift = string_drift,
                                .kick = string_kick,
                                .check = string_check,
                                .energy = string_energy,
                                .momentum = string_momentum};

static kai_result string_save(const kai_world* world, const kai_part* part, const void* data,
                              kai_part_writer* w, kai_error* err)
{
    (void)world;
    KAI_TRY(w->begin(w, part->name, err));
    const kai_result r =
        w->numbers(w, "state", KAI_NUMBER_F64, 6 * MARKERS, ((const string*)data)->x, err);
    w->end(w);
    return r;
}

static kai_result string_load(kai_world* aside, const kai_part* part, void* data,
                              kai_part_reader* r, kai_error* err)
{
    (void)aside;
    KAI_TRY(r->begin(r, part->name, err));
    const kai_result result =
        r->numbers(r, "state", KAI_NUMBER_F64, 6 * MARKERS, ((string*)data)->x, err);
    r->end(r);
    return result;
}

/// What it is fixed to is no part of the state: it stays when one is read.
static void string_loaded(kai_world* world, void* data, const void* old)
{
    (void)world;
    ((string*)data)->body = ((const string*)old)->body;
}

static uint64_t string_hash(const kai_world* world, const void* data, uint64_t hash)
{
    (void)world;
    return kai_hash_bytes(hash, data, 2 * sizeof((const string*)data)->x);
}

static const kai_part STRING_PART = {.name = "string",
                                     .size = sizeof(string),
                                     .save = string_save,
                                     .load = string_load,
                                     .loaded = string_loaded,
                                     .hash = string_hash,
                                     .undo = KAI_PART_STEP};

// Worlds -----------------------------------------------------------------------------------------

/// A body of 3 kg at the origin with a string that is stretched along x and moves a little.
static kai_world* string_world(const kai_integrator_kind* kind, int threads, string** out)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    void* data;
    def.threads = threads;
    def.gravity = ORIGIN;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_integrator_set(world, kind, NULL));
    check_ok(kai_part_attach(world, &STRING_PART, &data, NULL));
    check_ok(kai_term_attach(world, &STRING, data, NULL));
    string* s = data;
    kai_body_def body = kai_body_def_default();
    body.mass = 3.0;
    body.inertia = (kai_inertia){0.1, 0.2, 0.3, 0, 0, 0};
    body.angular_velocity = kai_vec3_make(0.5, 1, -2);
    check_ok(kai_body_create(world, &body, &s->body));
    for (int i = 0; i < MARKERS; i++) {
        s->x[i] = kai_vec3_make(0.1 * (MARKERS - i), 0.02 * i, 0);
        s->v[i] = kai_vec3_make(0, 0.1 * i, 0.3);
    }
    *out = s;
    return world;
}

static void take_steps(kai_world* world, int n, double h)
{
    for (int i = 0; i < n; i++) check_ok(kai_world_step(world, h));
}

// Tests ------------------------------------------------------------------------------------------

static const kai_integrator_kind* const KINDS[] = {&kai_integrator_euler, &kai_integrator_leapfrog};

// One marker off the others: two pieces pull at it, and one at the body.
static void a_kick_is_force_over_mass(void** state)
{
    (void)state;
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        string* s;
        kai_world* world = string_world(KINDS[k], 1, &s);
        for (int i = 0; i < MARKERS; i++) s->v[i] = ORIGIN, s->x[i] = ORIGIN;
        s->x[MARKERS - 1] = kai_vec3_make(0.1, 0, 0);
        const double h = 1e-5;
        take_steps(world, 1, h);
        check_relative(s->v[MARKERS - 1].x, -2.0 * K * 0.1 / M * h, 1e-6, "2 K x / M");
        check_relative(kai_body_velocity(world, s->body).x, K * 0.1 / 3.0 * h, 1e-6, "K x / m");
        kai_world_destroy(world);
    }
}

// Nothing acts from outside: momentum and its moment stay to rounding; energy goes on without
// drift, with an error of order 2.
static void what_is_kept_is_kept(void** state)
{
    (void)state;
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        double drift[2];
        for (int fine = 0; fine < 2; fine++) {
            string* s;
            kai_world* world = string_world(KINDS[k], 1, &s);
            kai_vec3 before[2], after[2];
            kai_energy e;
            const double h = fine ? 5e-4 : 1e-3;
            double most = 0.0;
            check_ok(kai_world_momentum(world, &before[0], &before[1]));
            for (int i = 0; i < (fine ? 4000 : 2000); i++) {
                take_steps(world, 1, h);
                check_ok(kai_world_energy(world, &e));
                most = fmax(most, fabs(e.drift));
            }
            check_ok(kai_world_momentum(world, &after[0], &after[1]));
            check_vec3(after[0], before[0], 1e-13, "momentum");
            // euler turns free spins to order 1, leapfrog keeps their moment.
            if (k == 1) check_vec3(after[1], before[1], 1e-12, "moment of momentum");
            drift[fine] = most;
            kai_world_destroy(world);
        }
        if (k == 1) check_near(log2(drift[0] / drift[1]), 2.0, 0.1, "order 2");
        assert_true(drift[1] < 1e-2 * 0.5);
    }
}

static void others_refuse(void** state)
{
    (void)state;
    for (size_t i = 0; kai_integrator_built_in(i); i++) {
        const kai_integrator_kind* kind = kai_integrator_built_in(i);
        if (kind->capabilities & KAI_INTEGRATOR_TERM_COORDINATES) continue;
        string* s;
        kai_world* world = string_world(kind, 1, &s);
        check_error(kai_world_step(world, 1e-3), KAI_ERROR_UNSUPPORTED);
        const char* message = kai_world_error(world)->message;
        if (!strstr(message, "cannot do coordinates of attached terms; use euler or leapfrog"))
            fail_msg("%s", message);
        kai_world_destroy(world);
    }
}

static void repeats_to_the_bit(void** state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "test_term_%ld.h5", (long)getpid());
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        string *s, *t;
        kai_world *world = string_world(KINDS[k], 1, &s), *other = string_world(KINDS[k], 5, &t);
        take_steps(world, 100, 1e-3);
        check_ok(kai_world_save(world, path));
        check_ok(kai_checkpoint_read(other, NULL, path, NULL));
        unlink(path);
        assert_int_equal(kai_world_hash(other), kai_world_hash(world));
        take_steps(world, 100, 1e-3);
        take_steps(other, 100, 1e-3);
        assert_int_equal(kai_world_hash(other), kai_world_hash(world));
        kai_world_destroy(world);
        kai_world_destroy(other);
    }
}

// A step that fails names the marker and leaves all as it was.
static void failures_are_undone(void** state)
{
    (void)state;
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        string* s;
        kai_world* world = string_world(KINDS[k], 1, &s);
        take_steps(world, 10, 1e-3);
        s->v[3].x = 1e300;
        const uint64_t hash = kai_world_hash(world);
        check_error(kai_world_step(world, 1e200), KAI_ERROR_DIVERGED);
        assert_int_equal(kai_world_hash(world), hash);
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kick_is_force_over_mass), cmocka_unit_test(what_is_kept_is_kept),
        cmocka_unit_test(others_refuse), cmocka_unit_test(repeats_to_the_bit),
        cmocka_unit_test(failures_are_undone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
