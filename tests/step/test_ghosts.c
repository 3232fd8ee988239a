// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Keys of bodies, shapes and nodes through removal, reordering and files; removal of many at once;
// ghosts: copies of bodies that another rank moves.
#include "fea/reload.h"

#include <kairos/kairos.h>

#include "model/body.h"

enum { BODIES = 20 };

static const double RADIUS = 0.5, H = 1e-4;

static kai_world* make_world(int32_t method)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = 2;
    def.gravity = kai_vec3_zero();
    check_ok(kai_world_create(&def, &world, NULL));
    kai_contact_def contact = kai_contact_def_default();
    contact.method = method;
    check_ok(kai_contact_set(world, &contact));
    return world;
}

static kai_body_def ball_at(double x)
{
    kai_body_def def = kai_body_def_default();
    def.mass = 2.0;
    def.inertia = (kai_inertia){0.2, 0.2, 0.2, 0.0, 0.0, 0.0};
    def.position.x = x;
    return def;
}

static kai_shape add_sphere(kai_world* world, kai_body body)
{
    const kai_shape_sphere_params sphere = {RADIUS};
    const kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    check_ok(kai_shape_create(world, body, &kai_shape_sphere, &sphere, &def, &shape));
    return shape;
}

static kai_body add_ball(kai_world* world, double x, double speed)
{
    kai_body_def def = ball_at(x);
    def.velocity.x = speed;
    kai_body body;
    check_ok(kai_body_create(world, &def, &body));
    add_sphere(world, body);
    return body;
}

static kai_body add_ghost(kai_world* world, double x, double speed, uint64_t key)
{
    kai_body_def def = ball_at(x);
    def.velocity.x = speed;
    kai_body body;
    check_ok(kai_body_create_ghost(world, &def, key, &body));
    add_sphere(world, body);
    return body;
}

static uint64_t foreign(uint64_t i) { return UINT64_C(1) << 48 | (i + 1); }

// Keys -------------------------------------------------------------------------------------------

static void keys_last(void** state)
{
    (void)state;
    kai_world* world = make_world(KAI_CONTACT_NONE);
    kai_body body[BODIES];
    uint64_t key[BODIES], shape[BODIES];
    for (int i = 0; i < BODIES; i++) {
        body[i] = add_ball(world, 3.0 * ((7 * i) % BODIES), 0.0);
        key[i] = kai_body_key(world, body[i]);
        shape[i] = kai_shape_key(world, kai_shape_first(world, body[i]));
    }
    kai_node_def def = kai_node_def_default();
    kai_node node;
    check_ok(kai_node_create(world, &def, NULL, &node));
    const uint64_t node_key = kai_node_key(world, node);
    check_ok(kai_body_destroy(world, body[3]));
    const kai_body late =
        add_ball(world, -5.0, 0.0); // which gets the place of that one, not its key
    const uint64_t late_key = kai_body_key(world, late);
    check_ok(kai_world_reorder(world));
    world = reload(world, 1);
    for (int i = 0; i < BODIES; i++) {
        const kai_body found = kai_body_by_key(world, key[i]);
        const kai_shape its = kai_shape_by_key(world, shape[i]);
        assert_true(KAI_IS_NULL(found) == (i == 3) && KAI_IS_NULL(its) == (i == 3));
        assert_true(late_key != key[i]);
        if (i == 3) continue;
        assert_true(kai_body_position(world, found).x == 3.0 * ((7 * i) % BODIES));
        assert_true(kai_body_key(world, found) == key[i]);
        assert_true(KAI_ID_EQUALS(its, kai_shape_first(world, found)));
    }
    assert_true(kai_body_position(world, kai_body_by_key(world, late_key)).x == -5.0);
    assert_true(kai_node_key(world, kai_node_by_key(world, node_key)) == node_key);
    assert_true(KAI_IS_NULL(kai_body_by_key(world, 0)) && kai_body_key(world, (kai_body){0}) == 0);
    kai_world_destroy(world);
}

// Removal of many --------------------------------------------------------------------------------

static void many_go_at_once_or_none(void** state)
{
    (void)state;
    kai_world* world = make_world(KAI_CONTACT_SMC);
    kai_particles_def group = kai_particles_def_default();
    const kai_shape_sphere_params sphere = {RADIUS};
    double x[BODIES], zero[BODIES] = {0};
    for (int i = 0; i < BODIES; i++) x[i] = 2.0 * i;
    group.shape = &kai_shape_sphere;
    group.shape_params = &sphere;
    group.density = 1000.0;
    group.table = (kai_particle_table){.count = BODIES, .x = x, .y = zero, .z = zero};
    kai_particles particles;
    check_ok(kai_particles_create(world, &group, &particles));
    kai_body go[BODIES];
    for (int i = 0; i < BODIES; i++) go[i] = kai_particles_body(world, particles, (size_t)i);
    const uint64_t before = kai_world_hash(world);
    go[7] = go[4];
    check_error(kai_body_destroy_many(world, go, BODIES), KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(world)->message,
                        "kai_body_destroy_many: bodies[7]: body #5 is there twice");
    go[7] = (kai_body){0};
    check_error(kai_body_destroy_many(world, go, BODIES), KAI_ERROR_ID);
    assert_true(kai_body_count(world) == BODIES && kai_world_hash(world) == before);
    assert_int_equal(kai_shape_count(world), BODIES);
    check_ok(kai_body_destroy_many(world, go, 7));
    assert_int_equal(kai_body_count(world), BODIES - 7);
    assert_int_equal(kai_shape_count(world), BODIES - 7);
    for (int i = 0; i < BODIES; i++) {
        const kai_body left = kai_particles_body(world, particles, (size_t)i);
        assert_true(kai_body_is_valid(world, left) == (i >= 7));
        if (i >= 7) assert_true(kai_body_position(world, left).x == 2.0 * i);
    }
    check_ok(kai_world_step(world, H));
    kai_world_destroy(world);
}

// Ghosts -----------------------------------------------------------------------------------------

/// Owned bodies stand first whoever comes or goes, and ids lead where they did.
static void ghosts_stand_behind(void** state)
{
    (void)state;
    kai_world* world = make_world(KAI_CONTACT_NONE);
    kai_body owned[BODIES] = {{0}}, ghosts[BODIES] = {{0}};
    for (int i = 0; i < 40 * BODIES; i++) {
        kai_body* b = (i % 3 ? owned : ghosts) + (7 * i + i / 11) % BODIES;
        const int place = (7 * i + i / 11) % BODIES;
        if (!KAI_IS_NULL(*b)) {
            check_ok(kai_body_destroy(world, *b));
            *b = (kai_body){0};
        } else {
            *b = i % 3 ? add_ball(world, place, 0.0)
                       : add_ghost(world, 100 + place, 0.0, foreign((uint64_t)place));
        }
        size_t counts[2] = {0};
        for (int k = 0; k < BODIES; k++) {
            if (!KAI_IS_NULL(owned[k])) {
                counts[0]++;
                assert_true(kai_bodies_slot(&world->bodies, owned[k]) < world->bodies.owned);
                assert_true(kai_body_position(world, owned[k]).x == k);
            }
            if (!KAI_IS_NULL(ghosts[k])) {
                counts[1]++;
                assert_true(kai_bodies_slot(&world->bodies, ghosts[k]) >= world->bodies.owned);
                assert_true(kai_body_position(world, ghosts[k]).x == 100 + k);
                assert_true(KAI_ID_EQUALS(kai_body_by_key(world, foreign((uint64_t)k)), ghosts[k]));
            } else {
                assert_true(KAI_IS_NULL(kai_body_by_key(world, foreign((uint64_t)k))));
            }
        }
        assert_true(kai_body_count(world) == counts[0]);
        assert_true(world->bodies.count == counts[0] + counts[1]);
    }
    kai_world_destroy(world);
}

/// A ball runs into another: the push on the owned one is the same whether the other one is there
/// or a ghost that is put where it would be, and the ghost moves by nothing of its own.
static void contacts_see_ghosts(void** state)
{
    (void)state;
    const int32_t methods[] = {KAI_CONTACT_SMC, KAI_CONTACT_NSC};
    for (size_t m = 0; m < KAI_COUNT(methods); m++) {
        kai_world *both = make_world(methods[m]), *split = make_world(methods[m]);
        const kai_body a = add_ball(both, -0.499, 1.0), b = add_ball(both, 0.499, -1.0),
                       own = add_ball(split, -0.499, 1.0),
                       ghost = add_ghost(split, 0.499, -1.0, foreign(0));
        check_ok(kai_world_step(both, H));
        check_ok(kai_world_step(split, H));
        (void)b;
        const kai_vec3 v = kai_body_velocity(both, a), u = kai_body_velocity(split, own);
        assert_true(u.x < 1.0 && v.x < 1.0); // it was pushed
        if (methods[m] == KAI_CONTACT_NSC) check_vec3(u, v, 1e-6, "the same impulse");
        assert_true(kai_body_position(split, ghost).x == 0.499);
        assert_true(kai_body_velocity(split, ghost).x == -1.0);
        kai_world_destroy(both);
        kai_world_destroy(split);
    }
}

static void no_integrator_moves_ghosts(void** state)
{
    (void)state;
    const kai_integrator_kind* kind;
    for (size_t i = 0; (kind = kai_integrator_built_in(i)); i++) {
        kai_world* world = make_world(KAI_CONTACT_NONE);
        check_ok(kai_integrator_set(world, kind, NULL));
        check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -9.81)));
        const kai_body own = add_ball(world, 0.0, 1.0),
                       ghost = add_ghost(world, 9.0, 1.0, foreign(0));
        for (int k = 0; k < 10; k++) check_ok(kai_world_step(world, 1e-3));
        check_vec3(kai_body_velocity(world, own), kai_vec3_make(1.0, 0.0, -0.0981), 1e-9, "g t");
        check_vec3(kai_body_velocity(world, ghost), kai_vec3_make(1.0, 0.0, 0.0), 0.0, "at rest");
        check_vec3(kai_body_position(world, ghost), kai_vec3_make(9.0, 0.0, 0.0), 0.0, "at rest");
        kai_energy energy;
        kai_vec3 linear, angular;
        check_ok(kai_world_energy(world, &energy));
        check_ok(kai_world_momentum(world, &linear, &angular));
        check_relative(energy.kinetic, 0.5 * 2.0 * (1.0 + 0.0981 * 0.0981), 1e-9,
                       "of its own alone");
        check_near(linear.x, 2.0, 1e-12, "likewise");
        kai_world_destroy(world);
    }
}

static void ghosts_are_not_saved(void** state)
{
    (void)state;
    kai_world* world = make_world(KAI_CONTACT_SMC);
    add_ball(world, 0.0, 0.0);
    add_ghost(world, 3.0, 0.0, foreign(0));
    const uint64_t hash = kai_world_hash(world);
    assert_int_equal(kai_world_stats(world).bodies, 1);
    world = reload(world, 1);
    assert_true(kai_world_hash(world) == hash);
    assert_true(kai_body_count(world) == 1 && world->bodies.count == 1);
    assert_int_equal(kai_shape_count(world), 1);
    add_ghost(world, 3.0, 0.0, foreign(0));
    check_ok(kai_world_step(world, H));
    kai_world_destroy(world);
}

static void keys_of_ghosts_are_checked(void** state)
{
    (void)state;
    kai_world* world = make_world(KAI_CONTACT_NONE);
    add_ghost(world, 0.0, 0.0, foreign(0));
    kai_body_def def = ball_at(1.0);
    kai_body body;
    check_error(kai_body_create_ghost(world, &def, foreign(0), &body), KAI_ERROR_NAME);
    assert_true(KAI_IS_NULL(body) && world->bodies.count == 1);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_last),
        cmocka_unit_test(many_go_at_once_or_none),
        cmocka_unit_test(ghosts_stand_behind),
        cmocka_unit_test(contacts_see_ghosts),
        cmocka_unit_test(no_integrator_moves_ghosts),
        cmocka_unit_test(ghosts_are_not_saved),
        cmocka_unit_test(keys_of_ghosts_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
