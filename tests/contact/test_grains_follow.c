// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Spheres that come and leave while their list of pairs goes on: against the same world written to a
// file and read again, which finds all its pairs anew. Bits must be equal, whatever the list has been
// through.
#include "contact/contacts.h"
#include "contact/grains_list_edit.h"
#include "helper.h"

#include <kairos/contact.h>
#include <kairos/particles.h>
#include <kairos/world.h>
#include <stdio.h>
#include <string.h>

static const double RADIUS = 0.005, STEP = 2e-5;
enum { SIDE = 18, LAYERS = 18, COUNT = SIDE * SIDE * LAYERS, MOST = 4096 };

typedef struct flow {
    kai_world* world;
    kai_material material;
    bool mixed; // sizes
    size_t came;
    uint64_t random;
} flow;

static size_t draw(flow* f, size_t n)
{
    f->random = f->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)((f->random >> 33) % n);
}

static double draw_share(flow* f) { return (double)draw(f, 1 << 20) / (1 << 20); }

static void make_box(flow* f)
{
    kai_body_def fixed = kai_body_def_default();
    kai_body ground;
    fixed.fixed = true;
    check_ok(kai_body_create(f->world, &fixed, &ground));
    for (int k = 0; k < 5; k++) {
        kai_shape_plane_params plane = {kai_vec3_scale(kai_vec3_axis(k % 3), k >= 3 ? -1.0 : 1.0)};
        kai_shape_def def = kai_shape_def_default();
        kai_shape wall;
        def.material = f->material;
        if (k == 3) def.at.x = 2.0 * RADIUS * SIDE;
        if (k == 4) def.at.y = 2.0 * RADIUS * SIDE;
        check_ok(kai_shape_create(f->world, ground, &kai_shape_plane, &plane, &def, &wall));
    }
}

static void add_spheres(flow* f, size_t count, const double* x, const double* y, const double* z)
{
    static double radius[COUNT + MOST];
    kai_particles_def def = kai_particles_def_default();
    kai_shape_sphere_params sphere = {RADIUS};
    kai_particles group;
    for (size_t i = 0; i < count; i++) radius[i] = RADIUS * (0.85 + 0.15 * draw_share(f));
    def.shape = &kai_shape_sphere;
    def.shape_params = &sphere;
    def.common.material = f->material;
    def.density = 2500.0;
    def.table = (kai_particle_table){
        .count = count, .x = x, .y = y, .z = z, .radius = f->mixed ? radius : NULL};
    check_ok(kai_particles_create(f->world, &def, &group));
}

/// A bed on a lattice whose rows are not quite in line, so that it rolls.
static flow start_with(bool mixed, int threads, const kai_allocator* allocator)
{
    static double x[COUNT], y[COUNT], z[COUNT];
    kai_world_def def = kai_world_def_default();
    kai_error err = {0};
    flow f = {.mixed = mixed, .random = 5};
    def.threads = threads;
    if (allocator) def.allocator = *allocator;
    if (kai_world_create(&def, &f.world, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_material_def glass = kai_material_def_default();
    glass.young = 1e7;
    glass.restitution = 0.4;
    glass.friction = 0.4;
    glass.density = 2500.0;
    check_ok(kai_material_create(f.world, &glass, &f.material));
    make_box(&f);
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = RADIUS * (1.0 + 2.0 * (double)(i % SIDE)) + 1e-5 * draw_share(&f);
        y[i] = RADIUS * (1.0 + 2.0 * (double)(i / SIDE % SIDE)) + 1e-5 * draw_share(&f);
        z[i] = 0.999 * RADIUS * (1.0 + 2.0 * (double)(i / SIDE / SIDE));
    }
    add_spheres(&f, COUNT, x, y, z);
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_SMC;
    check_ok(kai_contact_set(f.world, &contact));
    check_ok(kai_world_reorder(f.world));
    for (int k = 0; k < 5; k++) check_ok(kai_world_step(f.world, STEP));
    return f;
}

static flow start(bool mixed, int threads) { return start_with(mixed, threads, NULL); }

/// So many leave, from anywhere.
static void leave(flow* f, size_t count)
{
    static kai_body bodies[COUNT + 16 * MOST];
    const size_t n = kai_body_count(f->world) - 1; // all but the ground
    for (size_t i = 0; i < n; i++) bodies[i] = kai_body_at(f->world, i + 1);
    for (size_t i = 0; i < count; i++) {
        const size_t k = i + draw(f, n - i);
        const kai_body swap = bodies[i];
        bodies[i] = bodies[k];
        bodies[k] = swap;
    }
    check_ok(kai_body_destroy_many(f->world, bodies, count));
}

/// So many come: onto the bed, where they touch each other and what is there.
static void come(flow* f, size_t count)
{
    static double x[MOST], y[MOST], z[MOST];
    for (size_t i = 0; i < count; i++) {
        const size_t at = f->came++ % (SIDE * SIDE);
        x[i] = RADIUS * (1.0 + 2.0 * (double)(at % SIDE));
        y[i] = RADIUS * (1.0 + 2.0 * (double)(at / SIDE));
        z[i] = RADIUS * (1.99 * LAYERS + 1.0 + 2.2 * (double)(f->came / (SIDE * SIDE)));
    }
    add_spheres(f, count, x, y, z);
}

static kai_contacts* contacts_of(const flow* f)
{
    kai_contacts* contacts;
    check_ok(kai_contacts_get(f->world, &contacts, NULL));
    return contacts;
}

static flow read_again(const flow* f, const char* path, int threads)
{
    flow again = *f;
    kai_world_def def = kai_world_def_default();
    kai_error err = {0};
    def.threads = threads;
    check_ok(kai_world_save(f->world, path));
    if (kai_world_load(&def, path, &again.world, &err) != KAI_OK) fail_msg("%s", err.message);
    remove(path);
    return again;
}

static void check_equal(const flow* a, const flow* b, int round)
{
    kai_energy e, g;
    check_ok(kai_world_energy(a->world, &e));
    check_ok(kai_world_energy(b->world, &g));
    if (kai_world_hash(a->world) != kai_world_hash(b->world)) fail_msg("round %d: states", round);
    if (memcmp(&e, &g, sizeof e) != 0)
        fail_msg(
            "round %d: energies, elastic %.17g %.17g, dissipated %.17g %.17g, drift %.17g %.17g",
            round, e.elastic, g.elastic, e.dissipated, g.dissipated, e.drift, g.drift);
}

/// Each pair is in the list once, in order, and has bodies that are there.
static void check_list(const kai_grains* g)
{
    const kai_grains_block* blocks = g->list.blocks.data;
    const uint32_t* entries = g->list.entries.data;
    for (size_t k = 0; k + 1 < g->list.blocks.count; k++) {
        uint32_t a = 0, b = 0;
        for (uint32_t i = 0; i < blocks[k].wall; i++) {
            const uint32_t begin = (uint32_t)k * KAI_GRAINS_BLOCK,
                           entry = entries[kai_grains_place(&g->list, &blocks[k], i)],
                           next_a = begin + KAI_GRAINS_A(entry),
                           next_b = kai_grains_slot_b(&g->list, &blocks[k], begin, entry);
            assert_true(next_a >= a && next_a < g->count);
            b = next_a > a ? 0 : b;
            a = next_a;
            if (next_b == UINT32_MAX) continue; // nobody
            assert_true(next_b > a && next_b > b && next_b < g->count);
            b = next_b;
        }
    }
}

/// Rounds of coming and leaving; a world that is read from a file takes the same steps.
static void go(bool mixed, const char* path)
{
    flow f = start(mixed, 3);
    static const size_t LEAVE[] = {40, 0, 150, 13, 1, 90, 0, 120, 30, 60};
    static const size_t COME[] = {40, 60, 0, 20, 100, 90, 150, 0, 1, 60};
    size_t edited = 0;
    for (int round = 0; round < 10; round++) {
        const uint64_t layout = f.world->collision->layout_version;
        if (round % 2) come(&f, COME[round]);
        leave(&f, LEAVE[round]);
        if (round % 2 == 0) come(&f, COME[round]);
        flow again = read_again(&f, path, 1 + round % 2);
        for (int k = 0; k < 4; k++) {
            check_ok(kai_world_step(f.world, STEP));
            check_ok(kai_world_step(again.world, STEP));
            check_equal(&f, &again, round);
            check_list(&contacts_of(&f)->grains);
            // What left has left pairs with nobody, while the list is still the same.
            edited += k == 0 && contacts_of(&f)->grains.dropped > 0;
        }
        assert_true(f.world->collision->layout_version == layout); // items were not made anew
        kai_world_destroy(again.world);
    }
    assert_true(edited >= 5);
    kai_world_destroy(f.world);
}

static void test_equal(void** state)
{
    (void)state;
    go(false, "test_grains_follow_equal.h5");
}

static void test_mixed(void** state)
{
    (void)state;
    go(true, "test_grains_follow_mixed.h5");
}

/// The list gets blocks and loses them again, down to half of what was there.
static void test_blocks(void** state)
{
    (void)state;
    const char* path = "test_grains_follow_blocks.h5";
    flow f = start(false, 2);
    enum { ROUNDS = 44, MORE = 12, BY = 100 };
    size_t edited = 0;
    const size_t blocks = contacts_of(&f)->grains.list.blocks.count;
    size_t most = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (round < MORE) come(&f, BY);
        if (round >= MORE) leave(&f, BY);
        check_ok(kai_world_step(f.world, STEP));
        check_list(&contacts_of(&f)->grains);
        edited += contacts_of(&f)->grains.dropped > 0;
        const size_t now = contacts_of(&f)->grains.list.blocks.count;
        most = now > most ? now : most;
        if (round % 6 != 5) continue;
        flow again = read_again(&f, path, 2);
        check_ok(kai_world_step(f.world, STEP));
        check_ok(kai_world_step(again.world, STEP));
        check_equal(&f, &again, round);
        kai_world_destroy(again.world);
    }
    assert_true(most > blocks && edited > 10);
    assert_true(contacts_of(&f)->grains.list.blocks.count < blocks);
    kai_world_destroy(f.world);
}

/// Spheres that are so fast that they leave their skin boxes in every step: what was listed with the old
/// ones is not found near the new ones, and slots go all the same.
static void test_fast(void** state)
{
    (void)state;
    const char* path = "test_grains_follow_fast.h5";
    flow f = start(false, 2);
    size_t repaired = 0; // steps with a list in which some have new skin boxes
    for (int round = 0; round < 30; round++) {
        const size_t n = kai_body_count(f.world) - 1;
        for (size_t i = 0; i < 2; i++) {
            const kai_body body = kai_body_at(f.world, n - draw(&f, i == 0 ? 12 : n - 1));
            kai_vec3 velocity = kai_body_velocity(f.world, body);
            velocity.z += 4.0;
            check_ok(kai_body_set_velocity(f.world, body, velocity,
                                           kai_body_angular_velocity(f.world, body)));
        }
        for (int k = 0; k < 6; k++) {
            check_ok(kai_world_step(f.world, STEP));
            repaired += contacts_of(&f)->grains.repaired > 0;
        }
        leave(&f, 12);
        if (round % 3) come(&f, 8);
        const bool compared = round % 5 == 4;
        flow again = compared ? read_again(&f, path, 1) : f;
        check_ok(kai_world_step(f.world, STEP));
        check_list(&contacts_of(&f)->grains);
        if (!compared) continue;
        check_ok(kai_world_step(again.world, STEP));
        check_equal(&f, &again, round);
        kai_world_destroy(again.world);
    }
    assert_true(repaired > 8);
    kai_world_destroy(f.world);
}

/// A pair in the list with a sphere that has another skin box since, far away, goes with its slots.
static void test_cut(void** state)
{
    (void)state;
    flow f = start(false, 1);
    kai_grains* g = &contacts_of(&f)->grains;
    const uint32_t last = (uint32_t)g->count - 1;
    uint32_t a = 0;
    bool ready;
    check_ok(kai_grains_list_edit_begin(g, &ready, NULL));
    assert_true(ready);
    for (uint32_t slot = 1; slot < last; slot++)
        if (kai_grains_list_edit_find(g, slot, last) != SIZE_MAX) a = slot;
    assert_true(a > 0);
    kai_grains_skin_box* boxes = g->skin_boxes.data;
    kai_grains_list_edit_leave(g, a);
    boxes[a - g->skin_box_slot].low[2] += 1.0f;
    assert_true(kai_cell_hash_add(&g->near, boxes, a - g->skin_box_slot));
    kai_grains_list_edit_leave(g, last);
    kai_grains_list_edit_resize(g, last, g->skin_boxes.count - 1);
    check_list(g);
    kai_world_destroy(f.world);
}

/// Memory that runs out while a list follows: the step fails, and goes on when there is some again.
static void test_memory(void** state)
{
    (void)state;
    const char* path = "test_grains_follow_memory.h5";
    helper_allocator counted = {0};
    const kai_allocator allocator = helper_allocator_make(&counted);
    flow f = start_with(true, 1, &allocator);
    size_t failed = 0;
    for (int round = 0; round < 4; round++) {
        if (round % 2) leave(&f, 30);
        come(&f, 60 << round);
        flow again = read_again(&f, path, 1);
        kai_result r = KAI_ERROR_MEMORY;
        for (uint64_t at = 1; r != KAI_OK; at++) {
            counted.fail_at = counted.calls + at;
            r = kai_world_step(f.world, STEP);
            counted.fail_at = 0;
            assert_true(r == KAI_OK || r == KAI_ERROR_MEMORY);
            failed += r != KAI_OK;
        }
        check_ok(kai_world_step(again.world, STEP));
        check_equal(&f, &again, round);
        check_list(&contacts_of(&f)->grains);
        kai_world_destroy(again.world);
    }
    assert_true(failed > 4);
    kai_world_destroy(f.world);
    assert_int_equal(counted.blocks, 0);
}

/// Reports and files in between, and all that can happen to a list between two steps.
static void test_between(void** state)
{
    (void)state;
    const char* path = "test_grains_follow_between.h5";
    flow f = start(false, 1);
    kai_contact_report report;
    for (int round = 0; round < 6; round++) {
        leave(&f, 20);
        assert_int_equal(kai_contact_report_count(f.world), 0); // not of the bodies that are there
        if (round == 1) check_ok(kai_world_save(f.world, path));
        if (round == 2) check_ok(kai_world_reorder(f.world));
        come(&f, 25);
        leave(&f, 5); // maybe some of those that just came
        if (round == 3) check_ok(kai_world_save(f.world, path));
        flow again = read_again(&f, path, 1);
        check_ok(kai_world_step(f.world, STEP));
        check_ok(kai_world_step(again.world, STEP));
        check_equal(&f, &again, round);
        check_list(&contacts_of(&f)->grains);
        assert_true(kai_contact_report_count(f.world) > COUNT);
        check_ok(kai_contact_report_at(f.world, 100, &report));
        kai_world_destroy(again.world);
    }
    kai_world_destroy(f.world);
}

/// What comes and leaves takes its energy along, and the balance goes on.
static void test_energy(void** state)
{
    (void)state;
    flow f = start(false, 1);
    kai_energy before, after;
    check_ok(kai_world_energy(f.world, &before));
    leave(&f, 30);
    f.came = SIDE * SIDE; // above the others: what overlaps at once has energy from nowhere
    come(&f, 60);
    check_ok(kai_world_step(f.world, STEP));
    check_ok(kai_world_energy(f.world, &after));
    // Contacts of those that left keep what they had stored: at most all that there was.
    if (!(fabs(after.drift - before.drift) < 0.1 * before.elastic))
        fail_msg("drift %g and %g J, elastic %g J", before.drift, after.drift, before.elastic);
    assert_true(fabs(after.potential - before.potential) > 100.0 * fabs(after.drift));
    kai_world_destroy(f.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),  cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_blocks), cmocka_unit_test(test_between),
        cmocka_unit_test(test_energy), cmocka_unit_test(test_fast),
        cmocka_unit_test(test_cut),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
