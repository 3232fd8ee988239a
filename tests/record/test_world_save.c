// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A saved and loaded world is the same world: ids, order, state and future, bit for bit; and no
// damaged file is one.
#include "worlds.h"

#include "base/hash.h"
#include "base/store.h"
#include "model/world.h"
#include "record/checkpoint.h"

#include <errno.h>
#include <hdf5.h>
#include <sys/stat.h>

// A checkpoint is tried in a fork first, which costs by the memory there is: less of it is kept
// back by the sanitizer.
const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "quarantine_size_mb=16"; }

static const kai_load_kind* const KINDS[] = {&PROBE_KIND, NULL};

static kai_result load(const char* path, kai_world** out, kai_error* err)
{
    kai_world_def def = kai_world_def_default();
    def.kinds.loads = KINDS;
    return kai_world_load(&def, path, out, err);
}

static void check_stores(const kai_store* a, const kai_store* b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->entries.count, b->entries.count);
    assert_int_equal(a->free_head, b->free_head);
    assert_memory_equal(a->entries.data, b->entries.data,
                        a->entries.count * sizeof(kai_store_entry));
    for (size_t i = 0; i < a->batch_count; i++) {
        const kai_store_batch *x = &a->batches[i], *y = &b->batches[i];
        assert_int_equal(x->items.count, y->items.count);
        for (size_t k = 0; k < x->items.count; k++) {
            const kai_id p = kai_store_id(a, i, k), q = kai_store_id(b, i, k);
            assert_true(p.index == q.index && p.generation == q.generation);
            assert_string_equal(kai_store_name(a, p), kai_store_name(b, q));
        }
    }
}

static void check_same(const kai_world* a, const kai_world* b)
{
    assert_true(kai_world_hash(a) == kai_world_hash(b));
    assert_true(a->time == b->time && a->steps == b->steps && a->work == b->work);
    assert_true(a->energy_reference == b->energy_reference);
    assert_true(a->integrator_steps == b->integrator_steps);
    assert_int_equal(a->integrator_state.count, b->integrator_state.count);
    assert_int_equal(a->bodies.count, b->bodies.count);
    assert_int_equal(a->bodies.entries.count, b->bodies.entries.count);
    assert_memory_equal(a->bodies.entries.data, b->bodies.entries.data,
                        a->bodies.entries.count * sizeof(kai_bodies_entry));
    const size_t n = a->bodies.count;
    assert_memory_equal(a->bodies.pose, b->bodies.pose, n * sizeof(kai_pose));
    assert_memory_equal(a->bodies.motion, b->bodies.motion, n * sizeof(kai_motion));
    assert_memory_equal(a->bodies.acceleration, b->bodies.acceleration, n * sizeof(kai_wrench));
    for (size_t i = 0; i < n; i++) {
        assert_memory_equal(kai_bodies_mass_of(&a->bodies, i), kai_bodies_mass_of(&b->bodies, i),
                            sizeof(kai_bodies_mass));
        kai_bodies_cold p = kai_bodies_cold_of(&a->bodies, i);
        kai_bodies_cold q = kai_bodies_cold_of(&b->bodies, i);
        assert_string_equal(p.name ? p.name : "", q.name ? q.name : "");
        p.name = q.name = NULL;
        assert_memory_equal(&p, &q, sizeof p);
    }
    assert_memory_equal(a->shape_records.data, b->shape_records.data,
                        a->shape_records.count * sizeof(kai_shape_record));
    check_stores(&a->materials, &b->materials);
    check_stores(&a->shapes, &b->shapes);
    check_stores(&a->functions.store, &b->functions.store);
    check_stores(&a->loads, &b->loads);
    assert_true(kai_integrator_get(a) == kai_integrator_get(b));
}

static void test_round_trip(void** state)
{
    char path[256];
    kai_body gone;
    kai_world* a = worlds_make(NULL, &gone);
    kai_world* b = NULL;
    check_ok(kai_world_save(a, worlds_path(path, "round.h5")));
    check_ok(load(path, &b, NULL));
    check_same(a, b);

    // Stale ids stay stale, and the next ids are the same.
    gone.world = b->tag;
    assert_false(kai_body_is_valid(b, gone));
    const kai_body p = worlds_body(a, "new", 3.0), q = worlds_body(b, "new", 3.0);
    assert_true(p.index == q.index && p.generation == q.generation);
    assert_true(kai_body_find(b, "e").index == kai_body_find(a, "e").index);
    assert_true(KAI_IS_NULL(kai_body_find(b, "f")));

    // Parameters, hidden ones too.
    const void* params = NULL;
    check_ok(kai_load_get(b, kai_load_find(b, "sonde"), NULL, &params));
    const probe* sonde = params;
    assert_true(sonde->on && sonde->count == -5 && sonde->word == 1 && sonde->memory == 0.125);
    assert_string_equal(sonde->text.text, "with \"quotes\"");
    assert_true(sonde->table.rows == 2 && sonde->table.data[3] == 4.0);
    kai_material_def material;
    check_ok(kai_material_get(b, kai_material_find(b, "stuff2"), &material));
    assert_true(material.density == 1234.5);
    const kai_particles grains = kai_particles_find(b, "grains");
    assert_int_equal(kai_particles_count(b, grains), 50);
    assert_false(kai_body_is_valid(b, kai_particles_body(b, grains, 7)));
    assert_true(kai_body_is_valid(b, kai_particles_body(b, grains, 8)));

    // The same future, also when bodies go.
    for (int i = 0; i < 50; i++) {
        if (i == 10) {
            check_ok(
                kai_body_destroy(a, kai_particles_body(a, kai_particles_find(a, "grains"), 3)));
            check_ok(kai_body_destroy(b, kai_particles_body(b, grains, 3)));
        }
        check_ok(kai_world_step(a, 1e-3));
        check_ok(kai_world_step(b, 1e-3));
    }
    check_same(a, b);
    kai_world_destroy(a);
    kai_world_destroy(b);
    unlink(path);
}

static void test_restore_into_a_world(void** state)
{
    char path[256];
    kai_world* a = worlds_make(NULL, NULL);
    kai_world* b = worlds_make(NULL, NULL);
    check_ok(kai_world_save(a, worlds_path(path, "restore.h5")));
    for (int i = 0; i < 30; i++) check_ok(kai_world_step(b, 1e-3));
    worlds_body(b, "extra", 1.0);
    check_ok(kai_checkpoint_read(b, NULL, path, NULL));
    check_same(a, b);
    for (int i = 0; i < 30; i++) {
        check_ok(kai_world_step(a, 1e-3));
        check_ok(kai_world_step(b, 1e-3));
    }
    check_same(a, b);

    // A checkpoint of a world has no run.
    kai_checkpoint_run run;
    kai_error err;
    check_error(kai_checkpoint_read(b, &run, path, &err), KAI_ERROR_FORMAT);
    check_same(a, b);
    kai_world_destroy(a);
    kai_world_destroy(b);
    unlink(path);
}

static void test_empty_world(void** state)
{
    char path[256];
    const kai_world_def def = kai_world_def_default();
    kai_world *a = NULL, *b = NULL;
    check_ok(kai_world_create(&def, &a, NULL));
    check_ok(kai_world_save(a, worlds_path(path, "empty.h5")));
    check_ok(load(path, &b, NULL));
    assert_true(kai_world_hash(a) == kai_world_hash(b));
    check_ok(kai_world_step(b, 1e-3));
    kai_world_destroy(a);
    kai_world_destroy(b);
    unlink(path);
}

static void test_unknown_kind(void** state)
{
    char path[256];
    kai_world *a = worlds_make(NULL, NULL), *b = NULL;
    const kai_world_def def = kai_world_def_default();
    kai_error err;
    check_ok(kai_world_save(a, worlds_path(path, "kind.h5")));
    check_error(kai_world_load(&def, path, &b, &err), KAI_ERROR_FORMAT);
    assert_null(b);
    assert_non_null(strstr(err.message, "probe"));
    kai_world_destroy(a);
    unlink(path);
}

static void test_bad_paths(void** state)
{
    kai_world *a = worlds_make(NULL, NULL), *b = NULL;
    kai_error err;
    check_error(kai_world_save(a, "no/such/folder/x.h5"), KAI_ERROR_FILE);
    assert_non_null(strstr(kai_world_error(a)->message, "no/such/folder/x.h5"));
    check_error(kai_world_save(a, ""), KAI_ERROR_ARGUMENT);
    check_error(kai_world_save(a, NULL), KAI_ERROR_ARGUMENT);
    check_error(load("no-such-file.h5", &b, &err), KAI_ERROR_FILE);
    check_error(load(".", &b, &err), KAI_ERROR_FORMAT);
    assert_null(b);
    kai_world_destroy(a);
}

static char* read_all(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char* bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void write_all(const char* path, const char* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// 300 files, cut off or with a byte changed: each is refused with a message, and the world is as it
// was.
static void test_damaged_files(void** state)
{
    char path[256], bad[256];
    kai_world* a = worlds_make(NULL, NULL);
    check_ok(kai_world_save(a, worlds_path(path, "good.h5")));
    worlds_path(bad, "bad.h5");
    size_t size;
    char* bytes = read_all(path, &size);
    const uint64_t hash = kai_world_hash(a);
    for (uint64_t i = 0; i < 300; i++) {
        const size_t at = (size_t)(kai_random_uniform(7, 0, i) * (double)size);
        const char was = bytes[at];
        if (i % 3 == 0) {
            write_all(bad, bytes, at);
        } else {
            bytes[at] = (char)(was ^ (1 << (i % 8)));
            write_all(bad, bytes, size);
            bytes[at] = was;
        }
        kai_error err = {0};
        check_error(kai_checkpoint_read(a, NULL, bad, &err), KAI_ERROR_FORMAT);
        assert_non_null(strstr(err.message, bad));
        assert_true(kai_world_hash(a) == hash);
    }
    check_ok(kai_checkpoint_read(a, NULL, path, NULL));
    free(bytes);
    kai_world_destroy(a);
    unlink(path);
    unlink(bad);
}

// Where the raw data of every dataset lies.
typedef struct places {
    haddr_t start[512];
    hsize_t size[512];
    size_t count;
} places;

static herr_t note_place(hid_t object, const char* name, const H5O_info_t* info, void* context)
{
    places* p = context;
    if (info->type != H5O_TYPE_DATASET || p->count == 512) return 0;
    const hid_t set = H5Dopen2(object, name, H5P_DEFAULT);
    const haddr_t start = H5Dget_offset(set);
    if (start != HADDR_UNDEF && H5Dget_storage_size(set) > 0) {
        p->start[p->count] = start;
        p->size[p->count++] = H5Dget_storage_size(set);
    }
    H5Dclose(set);
    return 0;
}

// Makes the checksums of a changed checkpoint right again: see record/checkpoint.h.
static void seal(char* bytes, size_t whole)
{
    uint64_t size, block = 0;
    memcpy(&size, bytes + whole - 16, sizeof size);
    for (uint64_t at = 0; at < size; at += 1 << 20, block++) {
        const uint64_t rest = size - at, used = rest < 1 << 20 ? rest : 1 << 20;
        const uint64_t start = kai_hash_bytes(KAI_HASH_START, &block, sizeof block);
        const uint64_t sum = kai_hash_bytes(start, bytes + at, (size_t)used);
        memcpy(bytes + size + 8 * block, &sum, sizeof sum);
    }
    uint64_t hash = kai_hash_bytes(KAI_HASH_START, &size, sizeof size);
    hash = kai_hash_bytes(hash, bytes + size, (size_t)(8 * block));
    memcpy(bytes + whole - 8, &hash, sizeof hash);
}

// Files that are whole, but say wrong things: counts, indices, links, numbers. They are refused, or
// make a world that can be stepped and destroyed; the sanitizers watch.
static void test_lying_files(void** state)
{
    static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    char path[256];
    kai_world* a = worlds_make(NULL, NULL);
    check_ok(kai_world_save(a, worlds_path(path, "lie.h5")));
    kai_world_destroy(a);
    static places p;
    p.count = 0;
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, note_place, &p) >= 0);
    H5Fclose(file);
    assert_true(p.count > 50);
    size_t size, refused = 0;
    char* bytes = read_all(path, &size);
    for (uint64_t i = 0; i < 750; i++) {
        const size_t k = i % p.count;
        const size_t at =
            (size_t)p.start[k] + (size_t)(kai_random_uniform(8, 0, i) * (double)p.size[k]);
        const char was = bytes[at];
        bytes[at] = (char)values[i / p.count % 5];
        seal(bytes, size);
        write_all(path, bytes, size);
        bytes[at] = was;
        kai_world* b = NULL;
        kai_error err;
        const kai_result r = load(path, &b, &err);
        assert_true(r == KAI_OK || r == KAI_ERROR_FORMAT || r == KAI_ERROR_MEMORY);
        refused += r != KAI_OK;
        if (r == KAI_OK) kai_world_step(b, 1e-3);
        kai_world_destroy(b);
    }
    assert_true(refused > 150);
    free(bytes);
    unlink(path);
}

// Every allocation of a load fails in turn: an error, nothing lost, nothing changed.
static void test_out_of_memory(void** state)
{
    char path[256];
    kai_world* a = worlds_make(NULL, NULL);
    check_ok(kai_world_save(a, worlds_path(path, "memory.h5")));
    helper_allocator counter = {0};
    const kai_allocator allocator = helper_allocator_make(&counter);
    kai_world* b = worlds_make(&allocator, NULL);
    worlds_body(b, "changed", 1.0);
    const uint64_t hash = kai_world_hash(b);
    const size_t blocks = counter.blocks;
    kai_result r = KAI_ERROR_MEMORY;
    uint64_t failed = 0;
    for (uint64_t k = 1; r != KAI_OK; k += 1 + k / 16) {
        counter.fail_at = counter.calls + k;
        r = kai_checkpoint_read(b, NULL, path, NULL);
        counter.fail_at = 0;
        if (r == KAI_OK) break;
        failed++;
        check_error(r, KAI_ERROR_MEMORY);
        assert_true(kai_world_hash(b) == hash);
        assert_int_equal(counter.blocks, blocks);
    }
    assert_true(failed > 20);
    check_same(a, b);

    // Saving asks nothing of the world's allocator.
    counter.fail_at = counter.calls + 1;
    check_ok(kai_world_save(b, path));
    counter.fail_at = 0;
    kai_world_destroy(b);
    assert_int_equal(counter.blocks, 0);
    kai_world_destroy(a);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_restore_into_a_world),
        cmocka_unit_test(test_empty_world), cmocka_unit_test(test_unknown_kind),
        cmocka_unit_test(test_bad_paths),   cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_lying_files), cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
