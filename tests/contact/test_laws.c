// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Several contact laws in one world, chosen by the materials of a pair; laws of the user's own in
// scenes, files and the fast path of spheres.
#include "contact/contacts.h"
#include "helper.h"
#include "model/contact_law.h"

#include <kairos/contact.h>
#include <kairos/particles.h>
#include <kairos/scene.h>
#include <kairos/world.h>
#include <stdlib.h>
#include <unistd.h>

static const double STEP = 2e-5;

// A law of the user's own -------------------------------------------------------------------------

/// F = k δ², γ = c δ, and a friction spring of k δ.
typedef struct foam {
    double stiffness, damping;
} foam;

KAI_CONTACT_INLINE kai_contact_normal foam_pair(const foam* m, kai_contact_factors f,
                                                kai_contact_pressed s)
{
    (void)f;
    const double k = m->stiffness * s.overlap, force = k * s.overlap, c = m->damping * s.overlap;
    const kai_contact_normal out = {force, c, k, c, force * s.overlap / 3.0};
    return out;
}
KAI_CONTACT_LAW_NORMAL(foam_normal, foam, NULL, foam_pair)
KAI_CONTACT_LAW_LANES(foam_lanes, foam, foam_pair)

static const kai_param FOAM_PARAMS[] = {
    KAI_PARAM(REAL, foam, stiffness, .unit = "N/m²", .initial = {5e7}, .range = KAI_ABOVE(0.0),
              .doc = "Force over overlap squared."),
    KAI_PARAM(REAL, foam, damping, .unit = "N s/m²", .initial = {1e3}, .range = KAI_AT_LEAST(0.0),
              .doc = "Damping over overlap."),
};
static const kai_contact_law_kind FOAM = {.kind = KAI_KIND("foam", foam, FOAM_PARAMS,
                                                           KAI_SIZES(kai_contact_law_kind),
                                                           .doc = "Stiffens as it is pressed."),
                                          .normal = foam_normal,
                                          .lanes = foam_lanes};
static const kai_contact_law_kind* const KINDS[] = {&FOAM, NULL};

// Worlds -----------------------------------------------------------------------------------------

static kai_world* make_world(int threads)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = threads;
    def.kinds.laws = KINDS;
    check_ok(kai_world_create(&def, &world, NULL));
    return world;
}

static kai_contact_law make_law(kai_world* world, const kai_contact_law_kind* kind)
{
    kai_contact_law out;
    check_ok(kai_contact_law_create(world, kind, NULL, &out));
    return out;
}

static kai_material make_material(kai_world* world, kai_contact_law law)
{
    kai_material_def def = kai_material_def_default();
    kai_material out;
    def.young = 1e7;
    def.restitution = 0.5;
    def.friction = 0.4;
    def.density = 2500.0;
    def.law = law;
    check_ok(kai_material_create(world, &def, &out));
    return out;
}

static void make_pair(kai_world* world, kai_material a, kai_material b, kai_contact_law law)
{
    kai_material_pair_def def = kai_material_pair_def_default();
    kai_material_pair out;
    def.materials[0] = a;
    def.materials[1] = b;
    def.law = law;
    check_ok(kai_material_pair_create(world, &def, &out));
}

static void use(kai_world* world, kai_contact_law law)
{
    kai_contact_def def = kai_contact_def_default();
    def.method = KAI_CONTACT_SMC;
    def.law = law;
    check_ok(kai_contact_set(world, &def));
}

static void run(kai_world* world, int steps)
{
    for (int i = 0; i < steps; i++) check_ok(kai_world_step(world, STEP));
}

/// Two balls that meet at an angle, near x.
static void add_impact(kai_world* world, kai_material a, kai_material b, double x)
{
    kai_body_def def = kai_body_def_default();
    const kai_shape_sphere_params sphere = {.radius = 0.01};
    kai_shape_def shape = kai_shape_def_default();
    kai_shape out;
    kai_body body;
    def.mass = 0.01;
    def.inertia = (kai_inertia){4e-7, 4e-7, 4e-7, 0.0, 0.0, 0.0};
    for (int side = 0; side < 2; side++) {
        def.position = kai_vec3_make(x + 0.0201 * side, 0.005 * side, 0.0);
        def.velocity = kai_vec3_make(side ? -0.5 : 0.5, 0.0, 0.0);
        shape.material = side ? b : a;
        check_ok(kai_body_create(world, &def, &body));
        check_ok(kai_shape_create(world, body, &kai_shape_sphere, &sphere, &shape, &out));
    }
}

// Which law --------------------------------------------------------------------------------------

static const kai_contact_law_kind* kind_between(kai_world* world, kai_material a, kai_material b)
{
    kai_contacts* c;
    check_ok(kai_contacts_get(world, &c, NULL));
    check_ok(kai_contacts_update_pairs(c, world, NULL));
    const kai_contacts_pair* pair =
        (const kai_contacts_pair*)c->pairs.data + a.index * c->materials + b.index;
    return kai_contacts_law(c, pair)->kind;
}

static void test_choice(void** state)
{
    (void)state;
    kai_world* world = make_world(1);
    const kai_contact_law none = {0}, hooke = make_law(world, &kai_contact_law_hooke),
                          flores = make_law(world, &kai_contact_law_flores),
                          mine = make_law(world, &FOAM);
    const kai_material plain = make_material(world, none), linear = make_material(world, hooke),
                       soft = make_material(world, flores), other = make_material(world, none);
    make_pair(world, plain, other, mine);
    use(world, none);
    assert_int_equal(kai_contact_law_count(world), 3);
    assert_ptr_equal(kind_between(world, plain, plain), &kai_contact_law_hertz);
    assert_ptr_equal(kind_between(world, linear, linear), &kai_contact_law_hooke);
    assert_ptr_equal(kind_between(world, linear, plain), &kai_contact_law_hooke);
    assert_ptr_equal(kind_between(world, plain, linear), &kai_contact_law_hooke);
    assert_ptr_equal(kind_between(world, soft, linear), &kai_contact_law_hertz); // they differ
    assert_ptr_equal(kind_between(world, plain, other), &FOAM);
    assert_ptr_equal(kind_between(world, other, plain), &FOAM);
    use(world, flores); // what nobody names follows
    assert_ptr_equal(kind_between(world, plain, plain), &kai_contact_law_flores);
    assert_ptr_equal(kind_between(world, soft, linear), &kai_contact_law_flores);
    assert_ptr_equal(kind_between(world, plain, other), &FOAM);
    kai_world_destroy(world);
}

/// Three impacts by three laws in one world move as each does in a world of its own: bit for bit.
static void test_side_by_side(void** state)
{
    (void)state;
    const kai_contact_law_kind* kinds[] = {&kai_contact_law_hertz, &kai_contact_law_hooke,
                                           &kai_contact_law_flores, &FOAM};
    enum { LAWS = KAI_COUNT(kinds) };
    kai_world* all = make_world(1);
    use(all, (kai_contact_law){0});
    for (int k = 0; k < LAWS; k++) {
        const kai_material m = make_material(all, make_law(all, kinds[k]));
        add_impact(all, m, m, 0.1 * k);
    }
    run(all, 400);
    for (size_t k = 0; k < LAWS; k++) {
        kai_world* one = make_world(1);
        use(one, make_law(one, kinds[k]));
        const kai_material m = make_material(one, (kai_contact_law){0});
        add_impact(one, m, m, 0.1 * (double)k);
        kai_contacts* c;
        check_ok(kai_contacts_get(one, &c, NULL));
        c->plain = true; // as all are, for flores
        run(one, 400);
        for (size_t i = 0; i < 2; i++) {
            const kai_vec3 v = kai_body_velocity(one, kai_body_at(one, i)),
                           w = kai_body_velocity(all, kai_body_at(all, 2 * k + i));
            check_vec3(w, v, 0.0, kinds[k]->kind.name);
            assert_true(v.y != 0.0); // they met
        }
        kai_world_destroy(one);
    }
    assert_false(((const kai_contacts*)all->contact)->fast);
    kai_world_destroy(all);
}

// The fast path ----------------------------------------------------------------------------------

enum { NX = 10, COUNT = NX * NX * NX };

/// A lattice of spheres of three materials that fall together, in layers: pairs by three laws.
static kai_world* make_bed(int threads, bool plain, bool mixed_sizes)
{
    kai_world* world = make_world(threads);
    const kai_contact_law none = {0}, hooke = make_law(world, &kai_contact_law_hooke);
    kai_material_def stiff = kai_material_def_default();
    kai_material m[3];
    m[0] = make_material(world, none);
    m[1] = make_material(world, make_law(world, &FOAM));
    stiff.kn = 3000.0;
    stiff.restitution = 0.4;
    stiff.density = 2500.0;
    stiff.law = hooke;
    check_ok(kai_material_create(world, &stiff, &m[2]));
    use(world, none);
    const kai_shape_sphere_params sphere = {0.005};
    for (int k = 0; k < 3; k++) {
        static double x[6][COUNT];
        kai_particles_def grains = kai_particles_def_default();
        kai_particles group;
        size_t n = 0;
        for (size_t i = 0; i < COUNT; i++) {
            if ((int)(i % 3) != k) continue;
            x[0][n] = 0.00999 * (double)(i % NX);
            x[1][n] = 0.00999 * (double)(i / NX % NX);
            x[2][n] = 0.00999 * (double)(i / NX / NX);
            for (uint64_t j = 0; j < 3; j++) x[3 + j][n] = 0.3 * helper_random(3 * i + j);
            n++;
        }
        static double radius[COUNT];
        for (size_t i = 0; i < n; i++) radius[i] = 0.005 * (1.0 + 0.002 * (double)(i % 5));
        grains.shape = &kai_shape_sphere;
        grains.shape_params = &sphere;
        grains.common.material = m[k];
        grains.table = (kai_particle_table){.count = n,
                                            .x = x[0],
                                            .y = x[1],
                                            .z = x[2],
                                            .vx = x[3],
                                            .vy = x[4],
                                            .vz = x[5],
                                            .radius = mixed_sizes ? radius : NULL};
        check_ok(kai_particles_create(world, &grains, &group));
    }
    kai_contacts* c;
    check_ok(kai_contacts_get(world, &c, NULL));
    c->plain = plain;
    return world;
}

/// Pairs by three laws in one list, as the general path has them.
static void test_lanes(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        kai_world *fast = make_bed(1, false, k), *general = make_bed(1, true, k);
        run(fast, 60);
        run(general, 60);
        const kai_contacts* c = fast->contact;
        assert_true(c->fast && !general->contact->fast);
        assert_true(c->law_ids.count == 3 && c->grains.tally.touching > COUNT / 2);
        assert_true(c->grains.tally.rare < c->grains.tally.touching / 4);
        for (size_t i = 0; i < kai_body_count(fast); i++)
            check_vec3(kai_body_velocity(fast, kai_body_at(fast, i)),
                       kai_body_velocity(general, kai_body_at(general, i)), 1e-9, "general path");
        kai_energy e, f;
        check_ok(kai_world_energy(fast, &e));
        check_ok(kai_world_energy(general, &f));
        check_relative(e.elastic, f.elastic, 1e-9, "general path");
        check_relative(e.dissipated, f.dissipated, 1e-9, "general path");
        kai_world_destroy(fast);
        kai_world_destroy(general);
    }
}

static void test_threads(void** state)
{
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        kai_world* world = make_bed(threads, false, true);
        run(world, 40);
        if (threads == 1) hash = kai_world_hash(world);
        assert_true(kai_world_hash(world) == hash);
        kai_world_destroy(world);
    }
}

// Scenes -----------------------------------------------------------------------------------------

#define BODY(name, x, v, material)                                                  \
    "{'name': '" name "', 'position': [" x ", 0, 0], 'velocity': [" v ", 0.1, 0], " \
    "'shapes': [{'type': 'sphere', 'radius': 0.01, 'material': '" material "'}]}"
#define SCENE(law, pairs)                                                                     \
    "{'kairos': 1, 'step': 2e-5, 'end': 0.01, 'contact': {'method': 'smc', 'law': " law "}, " \
    "'materials': {'a': {'density': 2000}, 'b': {'density': 2000, 'law': 'foam'}}, "          \
    "'material_pairs': [" pairs "], "                                                         \
    "'bodies': [" BODY("one", "0", "0.5", "a") ", " BODY("two", "0.0201", "-0.5", "b") "]}"

static kai_result open_scene(const char* text, bool known, kai_scene** out)
{
    char json[2048];
    size_t n = 0;
    for (; text[n] && n + 1 < sizeof json; n++) json[n] = (char)(text[n] == '\'' ? '"' : text[n]);
    kai_scene_def def = kai_scene_def_default();
    def.path = "scene.json";
    def.text = json;
    def.text_size = n;
    if (known) def.world.kinds.laws = KINDS;
    return kai_scene_open(&def, out, NULL);
}

static void check_problem(const char* text, bool known, const char* wanted)
{
    kai_scene* scene = NULL;
    check_error(open_scene(text, known, &scene), KAI_ERROR_FORMAT);
    const kai_error* problem = kai_scene_problem(scene, 0);
    assert_non_null(problem);
    if (!strstr(problem->message, wanted)) assert_string_equal(problem->message, wanted);
    kai_scene_close(scene);
}

#define PAIR "{'materials': ['a', 'b'], 'law': {'type': 'foam', 'stiffness': 2e7}}"

/// What a scene says is what a program does.
static void test_scene(void** state)
{
    (void)state;
    kai_scene* scene = NULL;
    check_ok(open_scene(SCENE("{'type': 'hooke', 'characteristic_speed': 2}", PAIR), true, &scene));
    kai_world* world = kai_scene_world(scene);
    const kai_material a = kai_material_find(world, "a"), b = kai_material_find(world, "b");
    assert_ptr_equal(kind_between(world, a, a), &kai_contact_law_hooke);
    assert_ptr_equal(kind_between(world, b, b), &FOAM);
    const kai_contacts* c = world->contact;
    const kai_contacts_pair* pairs = c->pairs.data;
    const kai_contact_law_hooke_params* p =
        kai_contacts_law(c, &pairs[a.index * c->materials + a.index])->instance;
    assert_true(p->characteristic_speed == 2.0);
    const foam* m = kai_contacts_law(c, &pairs[b.index * c->materials + a.index])->instance;
    assert_true(m->stiffness == 2e7 && m->damping == 1e3);
    m = kai_contacts_law(c, &pairs[b.index * c->materials + b.index])->instance;
    assert_true(m->stiffness == 5e7);
    kai_scene_close(scene);

    // Hooke without a speed of its own takes that of `contact`.
    check_ok(open_scene(SCENE("'hooke', 'characteristic_speed': 3", ""), true, &scene));
    world = kai_scene_world(scene);
    assert_ptr_equal(kind_between(world, (kai_material){0}, (kai_material){0}),
                     &kai_contact_law_hooke);
    c = world->contact;
    p = kai_contacts_law(c, c->pairs.data)->instance;
    assert_true(p->characteristic_speed == 3.0);
    kai_scene_close(scene);
}

static void test_wrong_scenes(void** state)
{
    (void)state;
    check_problem(SCENE("'hook'", ""), true, "law is \"hook\"; did you mean \"hooke\"?");
    check_problem(SCENE("'x'", ""), true, "must be one of: hertz, hooke, flores, foam");
    check_problem(SCENE("'hertz'", ""), false, "law is \"foam\"");
    check_problem(SCENE("{'stiffness': 1}", ""), true, "type is missing");
    check_problem(
        SCENE("'hertz'", "{'materials': ['a', 'b'], 'law': {'type': 'foam', 'damping': -1}}"), true,
        "damping is -1 N s/m²; must be >= 0");
    check_problem(
        SCENE("'hertz'", "{'materials': ['a', 'b'], 'law': {'type': 'foam', 'stifness': 1}}"), true,
        "did you mean \"stiffness\"?");
}

// Files ------------------------------------------------------------------------------------------

static void test_files(void** state)
{
    (void)state;
    char path[] = "/tmp/kairos-laws-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    kai_scene* scene = NULL;
    check_ok(open_scene(SCENE("{'type': 'hooke', 'characteristic_speed': 2}", PAIR), true, &scene));
    kai_world *world = kai_scene_world(scene), *other = NULL;
    run(world, 60);
    check_ok(kai_world_save(world, path));
    kai_world_def def = kai_world_def_default();
    kai_error err = {0};
    assert_true(kai_world_load(&def, path, &other, &err) != KAI_OK);
    assert_non_null(strstr(err.message, "foam"));
    def.kinds.laws = KINDS;
    check_ok(kai_world_load(&def, path, &other, NULL));
    unlink(path);
    assert_int_equal(kai_contact_law_count(other), kai_contact_law_count(world));
    assert_ptr_equal(
        kind_between(other, kai_material_find(other, "a"), kai_material_find(other, "b")), &FOAM);
    run(world, 300);
    run(other, 300);
    assert_true(kai_world_hash(world) == kai_world_hash(other));
    assert_true(kai_body_velocity(world, kai_body_at(world, 0)).x < 0.0); // they met
    kai_world_destroy(other);
    kai_scene_close(scene);
}

static void test_wrong_laws(void** state)
{
    (void)state;
    kai_world *world = make_world(1), *second = make_world(1);
    kai_contact_law law;
    kai_contact_law_kind kind = FOAM;
    kind.kind.name = "other";
    check_error(kai_contact_law_create(world, &kind, NULL, &law), KAI_ERROR_ARGUMENT);
    kind.normal = NULL;
    check_error(kai_contact_law_register(world, &kind), KAI_ERROR_ARGUMENT);
    check_error(kai_contact_law_register(world, &FOAM), KAI_ERROR_NAME); // twice
    const foam wrong = {.stiffness = -1.0};
    check_error(kai_contact_law_create(world, &FOAM, &wrong, &law), KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(world)->message,
                        "kai_contact_law_create: foam: stiffness is -1 N/m²; must be > 0");
    law = make_law(second, &FOAM); // not of this world
    kai_contact_def contact = kai_contact_def_default();
    contact.law = law;
    check_error(kai_contact_set(world, &contact), KAI_ERROR_ID);
    kai_material_def def = kai_material_def_default();
    kai_material m;
    def.law = law;
    check_error(kai_material_create(world, &def, &m), KAI_ERROR_ID);
    kai_material_pair_def pair = kai_material_pair_def_default();
    kai_material_pair p;
    pair.materials[0] = pair.materials[1] = make_material(world, (kai_contact_law){0});
    pair.law = law;
    check_error(kai_material_pair_create(world, &pair, &p), KAI_ERROR_ID);
    kai_world_destroy(second);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice), cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_lanes),  cmocka_unit_test(test_threads),
        cmocka_unit_test(test_scene),  cmocka_unit_test(test_wrong_scenes),
        cmocka_unit_test(test_files),  cmocka_unit_test(test_wrong_laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
