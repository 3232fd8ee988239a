// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The table of parts: each is saved, hashed and put back, and so is a part that a test adds.
#include "base/hash.h"
#include "model/part.h"
#include "record/checkpoint.h"
#include "record/worlds.h"
#include "step/part_list.h"

// A part of the test's own -----------------------------------------------------------------------

typedef struct counter {
    double value;
} counter;

static kai_result counter_save(const kai_world* world, const kai_part* part, const void* data,
                               kai_part_writer* w, kai_error* err)
{
    (void)world;
    KAI_TRY(w->begin(w, part->name, err));
    const kai_result r = w->numbers(w, "value", KAI_NUMBER_F64, 1, data, err);
    w->end(w);
    return r;
}

static kai_result counter_load(kai_world* aside, const kai_part* part, void* data,
                               kai_part_reader* r, kai_error* err)
{
    (void)aside;
    KAI_TRY(r->begin(r, part->name, err));
    const kai_result result = r->numbers(r, "value", KAI_NUMBER_F64, 1, data, err);
    r->end(r);
    return result;
}

static uint64_t counter_hash(const kai_world* world, const void* data, uint64_t hash)
{
    (void)world;
    return kai_hash_bytes(hash, data, sizeof(counter));
}

static const kai_part COUNTER = {.name = "counter",
                                 .size = sizeof(counter),
                                 .save = counter_save,
                                 .load = counter_load,
                                 .hash = counter_hash,
                                 .undo = KAI_PART_STEP};

// Checkpoint, hash and undo see it without being told.
static void a_part_is_one_entry(void** unused)
{
    (void)unused;
    char path[256];
    worlds_path(path, "counter");
    kai_world* world = worlds_make(NULL, NULL);
    const uint64_t without = kai_world_hash(world);
    void* data = NULL;
    check_ok(kai_part_attach(world, &COUNTER, &data, NULL));
    counter* c = data;
    c->value = 1.5;
    const uint64_t with = kai_world_hash(world);
    assert_true(with != without);

    check_ok(kai_world_save(world, path));
    c->value = 2.5;
    assert_true(kai_world_hash(world) != with);
    kai_part_backup backup;
    check_ok(kai_part_backup_begin(world, KAI_PART_STEP, &backup, NULL));
    c->value = 3.5;
    kai_part_backup_end(world, &backup, false);
    assert_true(c->value == 2.5);
    check_ok(kai_part_backup_begin(world, KAI_PART_STEP, &backup, NULL));
    c->value = 4.5;
    kai_part_backup_end(world, &backup, true);
    assert_true(c->value == 4.5);
    check_ok(kai_checkpoint_read(world, NULL, path, NULL));
    assert_true(c->value == 1.5);
    assert_true(kai_world_hash(world) == with);
    kai_world_destroy(world);
    unlink(path);
}

// Changes of state that each part with a hash must show, and a backup must undo.
static void changes_are_hashed_and_undone(void** unused)
{
    (void)unused;
    kai_world* world = worlds_make(NULL, NULL);
    const uint64_t before = kai_world_hash(world);
    kai_part_backup step, stop;
    check_ok(kai_part_backup_begin(world, KAI_PART_STOP, &stop, NULL));
    check_ok(kai_part_backup_begin(world, KAI_PART_STEP, &step, NULL));
    const double work = world->work, elastic = world->contact_elastic;
    const uint64_t steps = world->integrator_steps;
    const kai_solver_tally tally = world->solver_tally;
    world->bodies.pose[3].position.x += 1.0;
    assert_true(kai_world_hash(world) != before);
    world->bodies.motion[0].spin.z += 1.0;
    world->work += 1.0;
    world->contact_elastic += 1.0;
    world->integrator_steps += 1;
    world->solver_tally.iterations += 1.0;
    kai_part_backup_end(world, &step, false);
    assert_true(kai_world_hash(world) == before);
    assert_true(world->work == work);
    kai_part_backup_end(world, &stop, false);
    assert_true(world->contact_elastic == elastic && world->integrator_steps == steps);
    assert_memory_equal(&world->solver_tally, &tally, sizeof tally);
    kai_world_destroy(world);
}

/// Steps by one of the methods of contact.
static void step_by(kai_world* world, kai_contact_method method)
{
    kai_contact_def contact = kai_contact_def_default();
    contact.method = method;
    check_ok(kai_contact_set(world, &contact));
    for (int i = 0; i < 5; i++)
        if (kai_world_step(world, 1e-3) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

// The cone solver's memory belongs to the world: it stays when another method of contact is chosen
// and when a checkpoint is read, and goes with the world.
static void the_cone_solver_goes_with_the_world(void** unused)
{
    (void)unused;
    char path[256];
    worlds_path(path, "cones");
    helper_allocator blocks = {0};
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    def.allocator = helper_allocator_make(&blocks);
    check_ok(kai_world_create(&def, &world, NULL));
    const kai_shape_plane_params plane = {.normal = {0.0, 0.0, 1.0}};
    const kai_shape_sphere_params sphere = {.radius = 0.5};
    kai_body_def body_def = kai_body_def_default();
    const kai_shape_def shape_def = kai_shape_def_default();
    kai_body body;
    kai_shape shape;
    body_def.fixed = true;
    check_ok(kai_body_create(world, &body_def, &body));
    check_ok(kai_shape_create(world, body, &kai_shape_plane, &plane, &shape_def, &shape));
    body_def.fixed = false;
    body_def.mass = 1.0;
    body_def.inertia = (kai_inertia){0.1, 0.1, 0.1, 0.0, 0.0, 0.0};
    body_def.position.z = 0.4999;
    body_def.velocity.x = 1.0;
    check_ok(kai_body_create(world, &body_def, &body));
    check_ok(kai_shape_create(world, body, &kai_shape_sphere, &sphere, &shape_def, &shape));

    assert_null(world->cone);
    step_by(world, KAI_CONTACT_NSC);
    const struct kai_cone* cone = world->cone;
    assert_non_null(cone);
    check_ok(kai_world_save(world, path));
    step_by(world, KAI_CONTACT_NSC);
    const uint64_t hash = kai_world_hash(world);
    step_by(world, KAI_CONTACT_SMC);
    check_ok(kai_checkpoint_read(world, NULL, path, NULL));
    step_by(world, KAI_CONTACT_NSC);
    assert_true(kai_world_hash(world) == hash);
    assert_ptr_equal(world->cone, cone);
    kai_world_destroy(world);
    assert_int_equal(blocks.blocks, 0);
    unlink(path);
}

// A step keeps no more of bodies than poses and motions.
static void a_backup_of_bodies_is_small(void** unused)
{
    (void)unused;
    kai_world* world = worlds_make(NULL, NULL);
    const size_t bytes = kai_part_bodies.backup_bytes(world, &world->bodies);
    assert_int_equal(bytes, world->bodies.count * (sizeof(kai_pose) + sizeof(kai_motion)));
    kai_world_destroy(world);
}

// What all parts say they take is no more than what is in use.
static void bytes_add_up(void** unused)
{
    (void)unused;
    kai_world* world = worlds_make(NULL, NULL);
    size_t sum = 0;
    for (size_t i = 0; i < kai_part_count(world); i++) {
        const kai_part* part = kai_part_at(world, i);
        if (part->bytes) sum += part->bytes(world, kai_part_data(world, i));
    }
    assert_true(sum > 0 && sum <= world->memory.bytes);
    assert_true(kai_part_bodies.bytes(world, &world->bodies) >= 128 * world->bodies.count);
    kai_world_destroy(world);
}

// Both of save and load, or neither; names are different.
static void the_table_is_whole(void** unused)
{
    (void)unused;
    kai_world* world = worlds_make(NULL, NULL);
    for (size_t i = 0; i < kai_part_count(world); i++) {
        const kai_part* part = kai_part_at(world, i);
        assert_non_null(part->name);
        assert_true(!part->save == !part->load);
        assert_true(part->undo == 0 || !part->backup == !part->restore);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(part->name, kai_part_at(world, k)->name);
    }
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_part_is_one_entry),
                                       cmocka_unit_test(the_cone_solver_goes_with_the_world),
                                       cmocka_unit_test(changes_are_hashed_and_undone),
                                       cmocka_unit_test(a_backup_of_bodies_is_small),
                                       cmocka_unit_test(bytes_add_up),
                                       cmocka_unit_test(the_table_is_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
