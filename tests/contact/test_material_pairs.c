// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pairs of materials given explicitly: what they give counts, the rest follows from both materials;
// they go with the world into a file; wrong ones are refused.
#include "helper.h"

#include "base/memory.h"
#include "contact/contacts.h"

#include <kairos/kairos.h>
#include <unistd.h>

static const double G = 9.81;

typedef struct rig {
    kai_world* world;
    kai_material wood, ice;
    kai_body body;
} rig;

static kai_material make_material(kai_world* world, const char* name, double friction)
{
    kai_material_def def = kai_material_def_default();
    snprintf(def.name.text, sizeof def.name.text, "%s", name);
    def.friction = friction;
    def.density = 500.0;
    def.young = 1e6;
    kai_material out;
    check_ok(kai_material_create(world, &def, &out));
    return out;
}

/// A block (or ball) of wood on ice, friction 0.5 and 0.1.
static rig make_rig(kai_contact_method method, bool ball, kai_vec3 gravity)
{
    rig r;
    kai_world_def def = kai_world_def_default();
    def.gravity = gravity;
    def.threads = 1;
    check_ok(kai_world_create(&def, &r.world, NULL));
    kai_contact_def contact = kai_contact_def_default();
    contact.method = method;
    check_ok(kai_contact_set(r.world, &contact));
    kai_solver_def solver = kai_solver_def_default();
    solver.tolerance = 1e-10; // closed forms
    check_ok(kai_solver_set(r.world, &solver));
    r.wood = make_material(r.world, "wood", 0.5);
    r.ice = make_material(r.world, "ice", 0.1);
    kai_body_def floor = kai_body_def_default();
    floor.fixed = true;
    kai_body ground;
    kai_shape shape;
    check_ok(kai_body_create(r.world, &floor, &ground));
    kai_shape_def common = kai_shape_def_default();
    common.material = r.ice;
    const kai_shape_plane_params plane = {.normal = {0.0, 0.0, 1.0}};
    check_ok(kai_shape_create(r.world, ground, &kai_shape_plane, &plane, &common, &shape));
    kai_body_def moving = kai_body_def_default();
    moving.mass = 1.0;
    moving.inertia = (kai_inertia){0.01, 0.01, 0.01, 0.0, 0.0, 0.0};
    moving.position.z = ball ? 0.15 : 0.1;
    check_ok(kai_body_create(r.world, &moving, &r.body));
    common.material = r.wood;
    if (ball) {
        const kai_shape_sphere_params sphere = {.radius = 0.1};
        check_ok(kai_shape_create(r.world, r.body, &kai_shape_sphere, &sphere, &common, &shape));
    } else {
        const kai_shape_box_params box = {.size = {0.4, 0.4, 0.2}};
        check_ok(kai_shape_create(r.world, r.body, &kai_shape_box, &box, &common, &shape));
    }
    return r;
}

static kai_material_pair add_pair(rig* r, double friction, double restitution)
{
    kai_material_pair_def def = kai_material_pair_def_default();
    def.materials[0] = r->ice;
    def.materials[1] = r->wood;
    def.friction = friction;
    def.restitution = restitution;
    kai_material_pair out;
    check_ok(kai_material_pair_create(r->world, &def, &out));
    return out;
}

static void run(rig* r, double end, double h)
{
    while (kai_world_time(r->world) < end - 0.5 * h) check_ok(kai_world_step(r->world, h));
}

/// The speed of a block that slid for 0.3 s from 2 m/s.
static double slide(kai_contact_method method, double friction)
{
    rig r = make_rig(method, false, kai_vec3_make(0.0, 0.0, -G));
    if (friction >= 0.0) add_pair(&r, friction, -1.0);
    check_ok(kai_body_set_velocity(r.world, r.body, kai_vec3_make(2.0, 0.0, 0.0), kai_vec3_zero()));
    run(&r, 0.3, method == KAI_CONTACT_NSC ? 1e-3 : 1e-4);
    const double v = kai_body_velocity(r.world, r.body).x;
    kai_world_destroy(r.world);
    return v;
}

static void friction_of_a_pair(void** state)
{
    (void)state;
    // Coulomb: v = v0 - μ g t. Complementarity is exact to the solver's tolerance.
    check_near(slide(KAI_CONTACT_NSC, -1.0), 2.0 - 0.1 * G * 0.3, 1e-8, "the smaller of both");
    check_near(slide(KAI_CONTACT_NSC, 0.4), 2.0 - 0.4 * G * 0.3, 1e-8, "the pair's");
    check_near(slide(KAI_CONTACT_NSC, 0.0), 2.0, 1e-8, "zero is given, not absent");
    // The block of the penalty method sinks in and rocks a little at first.
    check_near(slide(KAI_CONTACT_SMC, -1.0), 2.0 - 0.1 * G * 0.3, 0.01, "the smaller of both");
    check_near(slide(KAI_CONTACT_SMC, 0.4), 2.0 - 0.4 * G * 0.3, 0.02, "the pair's");
}

static void restitution_of_a_pair(void** state)
{
    (void)state;
    static const kai_contact_method methods[] = {KAI_CONTACT_NSC, KAI_CONTACT_SMC};
    for (size_t m = 0; m < 2; m++) {
        rig r = make_rig(methods[m], true, kai_vec3_zero());
        add_pair(&r, -1.0, 0.7);
        check_ok(
            kai_body_set_velocity(r.world, r.body, kai_vec3_make(0.0, 0.0, -1.0), kai_vec3_zero()));
        run(&r, 0.4, 1e-4);
        // test_penalty_impact.c has the law itself; here the pair's value arrives.
        check_near(kai_body_velocity(r.world, r.body).z, 0.7, 2e-3, "Newton's law");
        kai_world_destroy(r.world);
    }
}

/// Every coefficient, as contacts see it.
static void coefficients_of_a_pair(void** state)
{
    (void)state;
    rig r = make_rig(KAI_CONTACT_NSC, false, kai_vec3_make(0.0, 0.0, -G));
    kai_material_pair_def def = kai_material_pair_def_default();
    def.materials[0] = r.wood;
    def.materials[1] = r.ice;
    def.friction = 0.2;
    def.rolling_friction = 0.01;
    def.spinning_friction = 0.02;
    def.restitution = 0.3;
    def.cohesion = 4.0;
    def.adhesion = 5.0;
    def.compliance = 6e-6;
    def.damping = 7e-3;
    def.kn = 8e4;
    def.kt = 9e4;
    def.gn = 10.0;
    def.gt = 11.0;
    kai_material_pair pair;
    check_ok(kai_material_pair_create(r.world, &def, &pair));
    check_ok(kai_world_step(r.world, 1e-3));
    const kai_contacts* c = r.world->contact;
    assert_true(c->count > 0);
    const kai_contacts_pair* p = kai_contacts_pair_of(c, r.world, 0);
    assert_true(p->both.friction == 0.2 && p->both.static_friction == 0.2);
    assert_true(p->both.rolling_friction == 0.01 && p->both.spinning_friction == 0.02);
    assert_true(p->both.restitution == 0.3 && p->both.cohesion == 4.0 && p->both.adhesion == 5.0);
    assert_true(p->compliance == 6e-6 && p->damping == 7e-3);
    assert_true(p->both.kn == 8e4 && p->both.kt == 9e4 && p->both.gn == 10.0 && p->both.gt == 11.0);
    // β of e = 0.3 by its formula: the pair is completed after it was given.
    const double l = log(0.3);
    check_near(p->both.damping_ratio, -l / sqrt(l * l + KAI_PI * KAI_PI), 1e-12, "closed form");
    // The material with itself is not touched.
    kai_contacts_pair* all = c->pairs.data;
    assert_true(all[r.wood.index * c->materials + r.wood.index].both.friction == 0.5);
    kai_world_destroy(r.world);
}

/// A pair that comes later counts from the next step on.
static void a_pair_comes_later(void** state)
{
    (void)state;
    rig r = make_rig(KAI_CONTACT_NSC, false, kai_vec3_make(0.0, 0.0, -G));
    check_ok(kai_body_set_velocity(r.world, r.body, kai_vec3_make(2.0, 0.0, 0.0), kai_vec3_zero()));
    run(&r, 0.1, 1e-3);
    add_pair(&r, 0.3, -1.0);
    run(&r, 0.2, 1e-3);
    check_near(kai_body_velocity(r.world, r.body).x, 2.0 - 0.1 * G * 0.1 - 0.3 * G * 0.1, 1e-8,
               "Coulomb, one after the other");
    kai_world_destroy(r.world);
}

static void a_file_keeps_pairs(void** state)
{
    (void)state;
    char path[] = "/tmp/kairos-pairs-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    rig r = make_rig(KAI_CONTACT_NSC, false, kai_vec3_make(0.0, 0.0, -G));
    const kai_material_pair pair = add_pair(&r, 0.4, -1.0);
    check_ok(kai_body_set_velocity(r.world, r.body, kai_vec3_make(2.0, 0.0, 0.0), kai_vec3_zero()));
    run(&r, 0.1, 1e-3);
    check_ok(kai_world_save(r.world, path));
    kai_world_def def = kai_world_def_default();
    kai_world* other = NULL;
    check_ok(kai_world_load(&def, path, &other, NULL));
    unlink(path);
    assert_int_equal(kai_material_pair_count(other), 1);
    kai_material_pair_def back;
    check_error(kai_material_pair_get(other, pair, &back), KAI_ERROR_ID); // of another world
    const kai_store_batch* batch = &other->material_pairs.batches[0];
    const kai_material_pair_def* kept = batch->items.data;
    assert_true(kept->friction == 0.4 && kept->restitution == -1.0);
    rig s = r;
    s.world = other;
    run(&r, 0.2, 1e-3);
    run(&s, 0.2, 1e-3);
    assert_true(kai_world_hash(r.world) == kai_world_hash(other));
    kai_world_destroy(other);
    kai_world_destroy(r.world);
}

static void wrong_pairs(void** state)
{
    (void)state;
    rig r = make_rig(KAI_CONTACT_NSC, false, kai_vec3_zero());
    kai_material_pair_def def = kai_material_pair_def_default();
    kai_material_pair pair;
    check_error(kai_material_pair_create(r.world, NULL, &pair), KAI_ERROR_ARGUMENT);
    check_error(kai_material_pair_create(r.world, &def, NULL), KAI_ERROR_ARGUMENT);
    check_error(kai_material_pair_create(r.world, &def, &pair), KAI_ERROR_ARGUMENT);
    assert_string_equal(
        kai_world_error(r.world)->message,
        "kai_material_pair_create: material pair: materials is missing; must be the "
        "name of a material");
    def.materials[0] = r.ice;
    def.materials[1] = (kai_material){77, 0, r.ice.world};
    check_error(kai_material_pair_create(r.world, &def, &pair), KAI_ERROR_ID);
    def.materials[1] = r.ice;
    def.restitution = 1.5;
    check_error(kai_material_pair_create(r.world, &def, &pair), KAI_ERROR_ARGUMENT);
    assert_string_equal(
        kai_world_error(r.world)->message,
        "kai_material_pair_create: material pair: restitution is 1.5; must be from 0 to 1");
    def.restitution = (double)NAN;
    check_error(kai_material_pair_create(r.world, &def, &pair), KAI_ERROR_ARGUMENT);
    def.restitution = 0.5;
    check_ok(kai_material_pair_create(r.world, &def, &pair));
    check_error(kai_material_pair_create(r.world, &def, &pair), KAI_ERROR_NAME);
    def.materials[0] = r.wood;
    check_ok(kai_material_pair_create(r.world, &def, &pair));
    def.materials[0] = r.ice;
    def.materials[1] = r.wood;
    check_error(kai_material_pair_create(r.world, &def, &pair), KAI_ERROR_NAME);
    assert_string_equal(
        kai_world_error(r.world)->message,
        "kai_material_pair_create: material pair: 'ice' with 'wood' is given twice; "
        "must be given once");
    assert_int_equal(kai_material_pair_count(r.world), 2);
    check_error(kai_material_pair_get(r.world, (kai_material_pair){9, 0, r.ice.world}, &def),
                KAI_ERROR_ID);
    kai_world_destroy(r.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_of_a_pair),     cmocka_unit_test(restitution_of_a_pair),
        cmocka_unit_test(coefficients_of_a_pair), cmocka_unit_test(a_pair_comes_later),
        cmocka_unit_test(a_file_keeps_pairs),     cmocka_unit_test(wrong_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
