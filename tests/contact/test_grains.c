// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Worlds whose spheres go the fast way, against the same worlds by the general path.
#include "contact/contacts.h"
#include "helper.h"

#include <kairos/contact.h>
#include <kairos/load.h>
#include <kairos/particles.h>
#include <kairos/world.h>

typedef struct setting {
    bool mixed_sizes, two_materials, hooke, box;
    int threads;
    bool plain; // by the general path
    bool rolls; // resistance against rolling and spinning
} setting;

enum { NX = 14, NZ = 14, COUNT = NX * NX * NZ };
static const double STEP = 2e-5;

static kai_material material(kai_world* world, double friction, bool rolls)
{
    kai_material_def def = kai_material_def_default();
    kai_material out;
    def.young = 1e7;
    def.poisson = 0.3;
    def.restitution = 0.4;
    def.friction = friction;
    def.rolling_friction = rolls ? 4e-4 * friction : 0.0;
    def.spinning_friction = rolls ? 2e-4 * friction : 0.0;
    def.density = 2500.0;
    check_ok(kai_material_create(world, &def, &out));
    return out;
}

static void be_plain(kai_world* world, bool plain)
{
    kai_contacts* contacts;
    check_ok(kai_contacts_get(world, &contacts, NULL));
    contacts->plain = plain;
}

static void add_walls(kai_world* world, kai_material m, double width)
{
    kai_body_def fixed = kai_body_def_default();
    kai_body ground;
    fixed.fixed = true;
    check_ok(kai_body_create(world, &fixed, &ground));
    const kai_vec3 normals[3] = {kai_vec3_axis(0), kai_vec3_axis(1), kai_vec3_axis(2)};
    for (int k = 0; k < 5; k++) {
        const bool far = k >= 3;
        kai_shape_plane_params plane = {kai_vec3_scale(normals[k % 3], far ? -1.0 : 1.0)};
        kai_shape_def def = kai_shape_def_default();
        kai_shape wall;
        def.material = m;
        if (k == 3) def.at.x = width;
        if (k == 4) def.at.y = width;
        check_ok(kai_shape_create(world, ground, &kai_shape_plane, &plane, &def, &wall));
    }
}

/// A box that falls on the bed.
static void add_box(kai_world* world, kai_material m, double width)
{
    kai_body_def def = kai_body_def_default();
    kai_shape_def common = kai_shape_def_default();
    kai_shape_box_params box = {.size = kai_vec3_make(0.05, 0.05, 0.02)};
    kai_body body;
    kai_shape shape;
    def.position = kai_vec3_make(0.5 * width, 0.5 * width, 0.01 * NZ + 0.012);
    def.velocity.z = -0.5;
    def.angular_velocity.x = 3.0;
    common.material = m;
    check_ok(kai_body_create(world, &def, &body));
    check_ok(kai_shape_create(world, body, &kai_shape_box, &box, &common, &shape));
    check_ok(kai_body_set_density(world, body, 1000.0));
}

static kai_world* make(setting s)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    def.threads = s.threads;
    check_ok(kai_world_create(&def, &world, NULL));
    const double width = 0.00998 * NX;
    const kai_material first = material(world, 0.5, s.rolls),
                       second = material(world, 0.2, s.rolls);
    add_walls(world, first, width);
    if (s.box) add_box(world, first, width);
    static double x[6][COUNT], radius[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        const size_t at[3] = {i % NX, i / NX % NX, i / NX / NX};
        for (uint64_t k = 0; k < 3; k++) {
            x[k][i] = 0.00998 * (0.5 + (double)at[k]) + 1e-4 * helper_random(6 * i + k);
            x[3 + k][i] = 0.2 * helper_random(6 * i + 3 + k);
        }
        radius[i] = s.mixed_sizes ? 0.005 * (1.0 + 0.1 * helper_random(7777 + i)) : 0.005;
    }
    const size_t half = s.two_materials ? COUNT / 2 : COUNT;
    kai_shape_sphere_params sphere = {0.005};
    for (size_t begin = 0; begin < COUNT; begin += half) {
        kai_particles_def grains = kai_particles_def_default();
        kai_particles group;
        grains.shape = &kai_shape_sphere;
        grains.shape_params = &sphere;
        grains.common.material = begin == 0 ? first : second;
        grains.table = (kai_particle_table){.count = half,
                                            .x = x[0] + begin,
                                            .y = x[1] + begin,
                                            .z = x[2] + begin,
                                            .vx = x[3] + begin,
                                            .vy = x[4] + begin,
                                            .vz = x[5] + begin,
                                            .radius = s.mixed_sizes ? radius + begin : NULL};
        check_ok(kai_particles_create(world, &grains, &group));
    }
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_SMC;
    if (s.hooke)
        check_ok(kai_contact_law_create(world, &kai_contact_law_hooke, NULL, &contact.law));
    check_ok(kai_contact_set(world, &contact));
    be_plain(world, s.plain);
    return world;
}

static void run(kai_world* world, int steps)
{
    for (int i = 0; i < steps; i++) check_ok(kai_world_step(world, STEP));
}

static bool is_fast(const kai_world* world) { return world->contact->fast; }

/// Positions, velocities, energies.
static void compare(kai_world* a, kai_world* b, double tolerance)
{
    assert_int_equal(kai_body_count(a), kai_body_count(b));
    for (size_t i = 0; i < kai_body_count(a); i++) {
        const kai_body p = kai_body_at(a, i), q = kai_body_at(b, i);
        check_vec3(kai_body_position(a, p), kai_body_position(b, q), tolerance, "general path");
        check_vec3(kai_body_velocity(a, p), kai_body_velocity(b, q), 1e4 * tolerance,
                   "general path");
    }
    kai_energy e, f;
    check_ok(kai_world_energy(a, &e));
    check_ok(kai_world_energy(b, &f));
    check_relative(e.elastic, f.elastic, 1e-6, "general path");
    check_relative(e.dissipated, f.dissipated, 1e-6, "general path");
    assert_int_equal(kai_collision_count(a), kai_collision_count(b));
    check_near(kai_collision_depth(a), kai_collision_depth(b), 1e3 * tolerance, "general path");
}

/// Differences are rounding, grown by the collisions of 120 steps (2.4 ms): 1e-16 m becomes some
/// 1e-14 here.
static void test_equal_to_general(void** state)
{
    (void)state;
    const setting settings[] = {
        {.threads = 1},
        {.mixed_sizes = true, .threads = 1},
        {.two_materials = true, .threads = 1},
        {.hooke = true, .threads = 1},
        {.mixed_sizes = true, .two_materials = true, .box = true, .threads = 1},
        {.rolls = true, .threads = 1},
        {.rolls = true, .hooke = true, .threads = 1},
        {.rolls = true, .mixed_sizes = true, .two_materials = true, .box = true, .threads = 1}};
    for (size_t k = 0; k < KAI_COUNT(settings); k++) {
        setting s = settings[k];
        kai_world* fast = make(s);
        s.plain = true;
        kai_world* general = make(s);
        run(fast, 120);
        run(general, 120);
        assert_true(is_fast(fast) && !is_fast(general));
        const kai_grains_tally* tally = &((const kai_contacts*)fast->contact)->grains.tally;
        assert_true(tally->touching > COUNT / 2 && tally->rare < tally->touching / 4);
        compare(fast, general, 1e-11);
        kai_world_destroy(fast);
        kai_world_destroy(general);
    }
}

static void test_threads(void** state)
{
    (void)state;
    uint64_t hash = 0;
    const int threads[] = {1, 2, 5, 16};
    for (int k = 0; k < 8; k++) {
        kai_world* world = make((setting){
            .mixed_sizes = true, .box = true, .threads = threads[k % 4], .rolls = k >= 4});
        run(world, 60);
        if (k % 4 == 0) hash = kai_world_hash(world);
        assert_true(kai_world_hash(world) == hash);
        kai_world_destroy(world);
    }
}

/// Contacts one by one, as both ways report them. They are sorted by shape there and by item here.
static void test_reports(void** state)
{
    (void)state;
    setting s = {.mixed_sizes = true, .box = true, .threads = 2, .rolls = true};
    kai_world* fast = make(s);
    s.plain = true;
    kai_world* general = make(s);
    run(fast, 50);
    run(general, 50);
    const size_t count = kai_contact_report_count(fast);
    assert_int_equal(count, kai_contact_report_count(general));
    for (size_t i = 0; i < count; i++) {
        kai_contact_report p, q;
        check_ok(kai_contact_report_at(fast, i, &p));
        check_ok(kai_contact_report_at(general, i, &q));
        assert_int_equal(p.contact.shape_a.index, q.contact.shape_a.index);
        assert_int_equal(p.contact.shape_b.index, q.contact.shape_b.index);
        assert_int_equal(p.contact.feature, q.contact.feature);
        check_vec3(p.contact.point_a, q.contact.point_a, 1e-12, "general path");
        check_vec3(p.contact.point_b, q.contact.point_b, 1e-12, "general path");
        check_vec3(p.contact.normal, q.contact.normal, 1e-9, "general path");
        check_vec3(p.force, q.force, 1e-6, "general path");
        check_vec3(p.torque, q.torque, 1e-9, "general path");
    }
    for (size_t i = 0; i < kai_body_count(fast); i++) {
        kai_vec3 f[2], m[2];
        check_ok(kai_contact_report_body(fast, kai_body_at(fast, i), &f[0], &m[0]));
        check_ok(kai_contact_report_body(general, kai_body_at(general, i), &f[1], &m[1]));
        check_vec3(f[0], f[1], 1e-6, "general path");
        check_vec3(m[0], m[1], 1e-8, "general path");
    }
    // Who asked is not noticed.
    kai_world* silent =
        make((setting){.mixed_sizes = true, .box = true, .threads = 1, .rolls = true});
    run(silent, 80);
    run(fast, 30);
    assert_true(kai_world_hash(silent) == kai_world_hash(fast));
    kai_world_destroy(fast);
    kai_world_destroy(general);
    kai_world_destroy(silent);
}

/// Histories go on when bodies come and go, when the way changes, and through files.
static void change(bool mixed, bool rolls)
{
    setting s = {.mixed_sizes = mixed, .threads = 2, .rolls = rolls};
    kai_world* fast = make(s);
    s.plain = true;
    kai_world* general = make(s);
    kai_world* worlds[2] = {fast, general};
    for (int k = 0; k < 2; k++) {
        kai_world* w = worlds[k];
        run(w, 30);
        for (int i = 0; i < 5; i++)
            check_ok(kai_body_destroy(w, kai_body_at(w, (size_t)(100 + 300 * i))));
        run(w, 30);
        check_ok(kai_world_reorder(w));
        be_plain(w, k == 0);
        run(w, 30);
        assert_true(is_fast(w) == (k == 1));
        be_plain(w, k == 1);
        run(w, 30);
    }
    compare(fast, general, 1e-11);

    const char* path = "test_grains.h5";
    check_ok(kai_world_save(fast, path));
    kai_world_def def = kai_world_def_default();
    kai_world* resumed;
    def.threads = 1;
    check_ok(kai_world_load(&def, path, &resumed, NULL));
    remove(path);
    assert_true(kai_world_hash(resumed) == kai_world_hash(fast));
    // One has a list that was made a while ago, the other one a new list: it does not show, not
    // even in sums over all contacts.
    for (int step = 0; step < 30; step++) {
        kai_energy e, f;
        run(fast, 1);
        run(resumed, 1);
        check_ok(kai_world_energy(fast, &e));
        check_ok(kai_world_energy(resumed, &f));
        assert_memory_equal(&e, &f, sizeof e);
    }
    assert_true(is_fast(resumed));
    assert_true(kai_world_hash(resumed) == kai_world_hash(fast));
    kai_world_destroy(fast);
    kai_world_destroy(general);
    kai_world_destroy(resumed);
}

/// Takes some spheres away or none, adds some above the others, and may put all in the order of space.
static void come_and_go(kai_world* world, int round, bool rolls)
{
    for (int i = 0; i < 7 && round % 3 != 2; i++) {
        const size_t count = kai_body_count(world);
        check_ok(kai_body_destroy(
            world, kai_body_at(world, i < 2 ? count - 1 : 50 + (size_t)(100 * i + 13 * round))));
    }
    enum { MANY = 700 }; // more than the last block of the list has room for, sooner or later
    static double x[MANY], y[MANY], z[MANY], none[MANY];
    const size_t come = round == 2 || round == 5 ? MANY : 1;
    for (size_t i = 0; i < come; i++) {
        x[i] = 0.02 + 0.0101 * (double)(i % 10);
        y[i] = 0.02 + 0.0101 * (double)(i / 10 % 10);
        z[i] = 0.5 + 0.1 * round + 0.0101 * (double)(i / 100);
    }
    kai_shape_sphere_params sphere = {0.005};
    kai_particles_def grains = kai_particles_def_default();
    kai_particles group;
    grains.shape = &kai_shape_sphere;
    grains.shape_params = &sphere;
    grains.common.material = material(world, 0.5, rolls);
    grains.table = (kai_particle_table){
        .count = come, .x = x, .y = y, .z = z, .vx = none, .vy = none, .vz = none};
    check_ok(kai_particles_create(world, &grains, &group));
    if (round % 2) check_ok(kai_world_reorder(world));
}

/// What spheres remember is by slot: after bodies came, went and changed places it is read by what the
/// slots held. A file that is written right then and a world that goes on agree.
static void test_slots_change(void** state)
{
    (void)state;
    const char* path = "test_grains_slots.h5";
    for (int k = 0; k < 4; k++) {
        const bool mixed = k % 2, rolls = k >= 2;
        kai_world* on = make((setting){.mixed_sizes = mixed, .threads = 2, .rolls = rolls});
        kai_world* saved = make((setting){.mixed_sizes = mixed, .threads = 1, .rolls = rolls});
        for (int round = 0; round < 6; round++) {
            run(on, 20);
            run(saved, 20);
            come_and_go(on, round, rolls);
            come_and_go(saved, round, rolls);
            check_ok(kai_world_save(saved, path));
            kai_world_destroy(saved);
            kai_world_def def = kai_world_def_default();
            def.threads = 1;
            check_ok(kai_world_load(&def, path, &saved, NULL));
            run(on, 1);
            run(saved, 1);
            assert_true(is_fast(on) && is_fast(saved));
            assert_true(kai_world_hash(on) == kai_world_hash(saved));
        }
        run(on, 20);
        run(saved, 20);
        assert_true(kai_world_hash(on) == kai_world_hash(saved));
        assert_true(kai_contact_report_count(on) > COUNT / 2);
        kai_world_destroy(on);
        kai_world_destroy(saved);
    }
    remove(path);
}

static void test_changes(void** state)
{
    (void)state;
    change(true, false);
    change(true, true);
    change(false, false);
    change(false, true);
}

/// Spheres that fly towards each other: the list grows, and blocks move.
static void test_longer_lists(void** state)
{
    (void)state;
    enum { SIDE = 18, MANY = SIDE * SIDE * SIDE };
    kai_world* worlds[3];
    static double x[6][MANY];
    for (size_t i = 0; i < MANY; i++) {
        const size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (uint64_t k = 0; k < 3; k++) {
            x[k][i] = 0.0108 * ((double)at[k] - 8.5) + 1e-4 * helper_random(6 * i + k);
            x[3 + k][i] = -60.0 * x[k][i];
        }
    }
    for (int w = 0; w < 3; w++) {
        kai_world_def def = kai_world_def_default();
        def.threads = w + 1;
        def.gravity = kai_vec3_zero();
        check_ok(kai_world_create(&def, &worlds[w], NULL));
        kai_shape_sphere_params sphere = {0.005};
        kai_particles_def grains = kai_particles_def_default();
        kai_particles group;
        grains.shape = &kai_shape_sphere;
        grains.shape_params = &sphere;
        grains.common.material = material(worlds[w], 0.5, false);
        grains.table = (kai_particle_table){
            .count = MANY, .x = x[0], .y = x[1], .z = x[2], .vx = x[3], .vy = x[4], .vz = x[5]};
        check_ok(kai_particles_create(worlds[w], &grains, &group));
        kai_contact_def contact = kai_contact_def_default();
        contact.method = KAI_CONTACT_SMC;
        check_ok(kai_contact_set(worlds[w], &contact));
        be_plain(worlds[w], w == 2);
    }
    size_t before = 0, moves = 0;
    for (int step = 0; step < 120; step++) {
        for (int w = 0; w < 3; w++) run(worlds[w], 1);
        const size_t now = ((const kai_contacts*)worlds[0]->contact)->grains.list.entries.count;
        moves += now != before;
        before = now;
    }
    assert_true(is_fast(worlds[0]) && !is_fast(worlds[2]) && moves > 3);
    assert_true(kai_world_hash(worlds[0]) == kai_world_hash(worlds[1]));
    assert_true(kai_contact_report_count(worlds[0]) > MANY);
    compare(worlds[0], worlds[2], 1e-11);
    for (int w = 0; w < 3; w++) kai_world_destroy(worlds[w]);
}

/// What a sphere takes: 144 body, 16 skin_box, 52 a pair of the list, 60 a ghost (grains.h), and 11 of
/// a pair_batch that a larger bed would share.
static void test_memory(void** state)
{
    (void)state;
    enum { SIDE = 40, HIGH = 26, MANY = SIDE * SIDE * HIGH };
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    def.threads = 1;
    check_ok(kai_world_create(&def, &world, NULL));
    const kai_material m = material(world, 0.5, false);
    add_walls(world, m, 0.00998 * SIDE);
    double* x = calloc(3 * MANY, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < MANY; i++) {
        x[i] = 0.00998 * (0.5 + (double)(i % SIDE));
        x[MANY + i] = 0.00998 * (0.5 + (double)(i / SIDE % SIDE));
        x[2 * MANY + i] = 0.00998 * (0.5 + (double)(i / SIDE / SIDE));
    }
    kai_shape_sphere_params sphere = {0.005};
    kai_particles_def grains = kai_particles_def_default();
    kai_particles group;
    grains.shape = &kai_shape_sphere;
    grains.shape_params = &sphere;
    grains.common.material = m;
    grains.table = (kai_particle_table){.count = MANY, .x = x, .y = x + MANY, .z = x + 2 * MANY};
    check_ok(kai_particles_create(world, &grains, &group));
    free(x);
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_SMC;
    check_ok(kai_contact_set(world, &contact));
    check_ok(kai_world_reorder(world));
    run(world, 10);
    const kai_stats stats = kai_world_stats(world);
    const double bytes = (double)stats.peak_bytes / MANY;
    if (bytes > 370.0) fail_msg("%g bytes a sphere", bytes);
    // A bed at rest: nothing more is asked for.
    run(world, 20);
    assert_int_equal(kai_world_stats(world).allocations, stats.allocations);
    kai_world_destroy(world);
}

/// Spheres far below a wall's plane are pushed out as by the general path. They meet others at some
/// 50 m/s, so that rounding grows faster than above.
static void test_deep_in_wall(void** state)
{
    (void)state;
    kai_world* worlds[2];
    for (int k = 0; k < 2; k++) {
        kai_world* w = worlds[k] = make((setting){.threads = 1, .plain = k == 1});
        for (size_t i = 0; i < 3; i++) {
            kai_frame frame = kai_frame_identity();
            frame.position = kai_vec3_make(0.02 + 0.03 * (double)i, 0.05, -0.004 * (double)(i + 1));
            check_ok(kai_body_set_frame(w, kai_body_at(w, 2000 + i), frame));
        }
        run(w, 30);
    }
    assert_true(is_fast(worlds[0]) && !is_fast(worlds[1]));
    compare(worlds[0], worlds[1], 1e-9);
    kai_world_destroy(worlds[0]);
    kai_world_destroy(worlds[1]);
}

/// One sphere that flies off is too fast for cells, so that the list comes from the broad phase as
/// long as it flies: the others lose no contact. 400 steps let them move by more than their skins.
static void test_one_too_fast(void** state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        kai_world* worlds[2];
        for (int k = 0; k < 2; k++) {
            worlds[k] = make((setting){.mixed_sizes = mixed, .threads = 1 + k, .plain = k == 1});
            run(worlds[k], 20);
            check_ok(kai_body_set_velocity(worlds[k], kai_body_at(worlds[k], COUNT),
                                           kai_vec3_make(0.0, 0.0, 30.0), kai_vec3_zero()));
            run(worlds[k], 400);
        }
        assert_true(is_fast(worlds[0]) && !is_fast(worlds[1]));
        compare(worlds[0], worlds[1], 1e-10);
        kai_world_destroy(worlds[0]);
        kai_world_destroy(worlds[1]);
    }
}

/// Spheres that get a push leave their skin_boxes long before the others; each gets a new one, and the
/// list what it may meet then: other spheres, of its block and of others, and walls.
static void test_repaired(void** state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        kai_world* worlds[3];
        for (int k = 0; k < 3; k++) {
            worlds[k] = make((setting){.mixed_sizes = mixed, .threads = 1 + k, .plain = k == 2});
            run(worlds[k], 5);
        }
        const kai_grains* grains = &((const kai_contacts*)worlds[0]->contact)->grains;
        size_t repaired = 0, pairs = 0;
        for (size_t round = 0; round < 16; round++) {
            const size_t who = 1 + (round * 997 + 13) % COUNT;
            const kai_vec3 v =
                kai_vec3_make(2.0 * helper_random(3 * round), 2.0 * helper_random(3 * round + 1),
                              2.0 * helper_random(3 * round + 2));
            for (int k = 0; k < 3; k++)
                check_ok(kai_body_set_velocity(worlds[k], kai_body_at(worlds[k], who), v,
                                               kai_vec3_zero()));
            for (int step = 0; step < 4; step++) {
                const size_t before = grains->repaired, end = pairs;
                for (int k = 0; k < 3; k++) run(worlds[k], 1);
                repaired += grains->repaired > before;
                pairs = 0;
                for (size_t b = 0; b + 1 < grains->list.blocks.count; b++)
                    pairs += ((const kai_grains_block*)grains->list.blocks.data)[b].end;
                if (grains->repaired > before && end > 0) assert_true(pairs >= end);
            }
        }
        assert_true(is_fast(worlds[0]) && !is_fast(worlds[2]) && repaired > 4);
        assert_true(kai_world_hash(worlds[0]) == kai_world_hash(worlds[1]));
        compare(worlds[0], worlds[2], 1e-10);
        for (int k = 0; k < 3; k++) kai_world_destroy(worlds[k]);
    }
}

/// Steps that nobody looks at between lead to the same state, contacts and forces as single ones.
static void test_steps_in_a_row(void** state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        kai_world* single = make((setting){.mixed_sizes = mixed, .threads = 1});
        kai_world* row = make((setting){.mixed_sizes = mixed, .threads = 2});
        for (int k = 0; k < 4; k++) {
            run(single, 25);
            check_ok(kai_world_step_until(row, kai_world_time(row) + 25 * STEP, STEP));
            assert_true(kai_world_hash(row) == kai_world_hash(single));
            const size_t count = kai_contact_report_count(single);
            assert_true(count > COUNT / 2);
            assert_int_equal(kai_contact_report_count(row), count);
            for (size_t i = 0; i < count; i++) {
                kai_contact_report p, q;
                check_ok(kai_contact_report_at(single, i, &p));
                check_ok(kai_contact_report_at(row, i, &q));
                assert_memory_equal(&p.force, &q.force, sizeof p.force);
            }
            // Between rows anything may happen.
            kai_world* worlds[2] = {single, row};
            for (int w = 0; w < 2; w++)
                check_ok(kai_body_set_velocity(worlds[w], kai_body_at(worlds[w], 500),
                                               kai_vec3_make(0.0, 50.0, 50.0), kai_vec3_zero()));
        }
        kai_world_destroy(single);
        kai_world_destroy(row);
    }
}

/// What acts on a body is summed up when somebody asks: contact by contact, and all together.
static void test_sums(void** state)
{
    (void)state;
    kai_world* world = make((setting){.threads = 2});
    run(world, 40);
    kai_vec3 all = kai_vec3_zero();
    for (size_t i = 0; i < kai_body_count(world); i++) {
        kai_vec3 force, moment;
        check_ok(kai_contact_report_body(world, kai_body_at(world, i), &force, &moment));
        all = kai_vec3_add(all, force);
    }
    check_vec3(all, kai_vec3_zero(), 1e-9, "action is reaction"); // sum of 5,000 forces of some N
    kai_world_destroy(world);
}

/// A step that fails leaves the state and what contacts remember as they were.
static void test_failure(void** state)
{
    (void)state;
    for (int box = 0; box < 2; box++) {
        kai_world* world = make((setting){.box = box, .threads = 2});
        kai_world* other = make((setting){.box = box, .threads = 2});
        run(world, 40);
        run(other, 40);
        const kai_body bodies[2] = {kai_body_at(world, 1000), kai_body_at(other, 1000)};
        const kai_vec3 spin = kai_body_angular_velocity(world, bodies[0]),
                       velocity = kai_body_velocity(world, bodies[0]);
        const kai_vec3 wild = kai_vec3_make(1e200, 1e200, 0.0);
        check_ok(kai_body_set_velocity(world, bodies[0], velocity, wild));
        const uint64_t before = kai_world_hash(world);
        assert_int_equal(kai_world_step(world, STEP), KAI_ERROR_DIVERGED);
        assert_true(kai_world_hash(world) == before);
        check_ok(kai_body_set_velocity(world, bodies[0], velocity, spin));
        check_ok(kai_body_set_velocity(other, bodies[1], velocity, spin));
        run(world, 20);
        run(other, 20);
        assert_true(kai_world_hash(world) == kai_world_hash(other));
        kai_world_destroy(world);
        kai_world_destroy(other);
    }
}

/// Cells leave spheres to the broad phase where too many are in one place.
static void test_crowd(void** state)
{
    (void)state;
    enum { MANY = 600 };
    kai_memory memory;
    kai_grains g;
    static kai_pose pose[MANY];
    static kai_motion motion[MANY];
    kai_memory_init(&memory, NULL);
    kai_grains_init(&g, &memory);
    g.count = MANY;
    g.one.radius = 0.5;
    check_ok(kai_array_resize(&g.skin_boxes, &memory, MANY, NULL));
    for (size_t i = 0; i < MANY; i++) pose[i].position = kai_vec3_scale(helper_random_vec3(i), 0.1);
    const kai_cell_list_points points = kai_grains_points(&g, pose, motion, MANY, 0.5e-3);
    kai_cell_list cells;
    bool done;
    check_ok(
        kai_cell_list_make(&points, &memory, 1, g.skin_boxes.data, &g.force, &cells, &done, NULL));
    assert_true(done);
    const kai_grains_pair_history none[1] = {0};
    const kai_grains_source source = {.rows = {.cells = &cells, .count = MANY},
                                      .pair_history = none};
    check_ok(kai_grains_list_make(&g, 1, &source, &done, NULL));
    assert_false(done);
    kai_grains_free(&g);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crowd),        cmocka_unit_test(test_equal_to_general),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_reports),
        cmocka_unit_test(test_changes),      cmocka_unit_test(test_slots_change),
        cmocka_unit_test(test_longer_lists), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_deep_in_wall), cmocka_unit_test(test_one_too_fast),
        cmocka_unit_test(test_repaired),     cmocka_unit_test(test_steps_in_a_row),
        cmocka_unit_test(test_sums),         cmocka_unit_test(test_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
