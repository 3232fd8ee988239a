// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A trajectory read back through HDF5, with bodies that come and go, and one that goes on.
#include "worlds.h"

#include "model/world.h"
#include "record/h5.h"
#include "record/trajectory/trajectory.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const kai_trajectory_def DEF = {.enabled = true, .double_precision = true};

static hsize_t read_set(hid_t file, const char* path, hid_t type, void* out, hsize_t most)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    assert_true(set >= 0);
    const hid_t space = H5Dget_space(set);
    const hsize_t n = (hsize_t)H5Sget_simple_extent_npoints(space);
    assert_true(n <= most);
    assert_true(n == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return n;
}

static int64_t steps_of(hid_t file)
{
    int64_t count = -1;
    const hid_t attribute =
        H5Aopen_by_name(file, "VTKHDF/Steps", "NSteps", H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT64, &count) >= 0);
    H5Aclose(attribute);
    return count;
}

static void test_bodies_come_and_go(void** state)
{
    char path[256];
    kai_world* world = worlds_make(NULL, NULL);
    kai_trajectory* t = NULL;
    check_ok(kai_trajectory_create(&t, worlds_path(path, "t.h5"), world, &DEF, "scene", NULL));
    double x[8], time[8];
    size_t count[8];
    for (int k = 0; k < 8; k++) {
        if (k == 3) worlds_body(world, "late", 2.0);
        if (k == 5) check_ok(kai_body_destroy(world, kai_body_find(world, "b")));
        check_ok(kai_world_step(world, 1e-3));
        check_ok(kai_trajectory_add_world(t, world, NULL));
        if (k == 4) check_ok(kai_trajectory_flush(t, true, NULL));
        time[k] = kai_world_time(world);
        count[k] = kai_body_count(world);
        // Rows are in the order of ids: the youngest comes last.
        kai_body last = kai_body_at(world, 0);
        for (size_t i = 1; i < count[k]; i++)
            if (kai_body_at(world, i).index > last.index) last = kai_body_at(world, i);
        x[k] = kai_body_position(world, last).x;
    }
    assert_int_equal(kai_trajectory_frames(t), 8);
    check_ok(kai_trajectory_close(t, false, NULL));

    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_int_equal(steps_of(file), 8);
    static double points[3 * 1000], values[8];
    int64_t point[8], part[8], sizes[8];
    read_set(file, "VTKHDF/Points", H5T_NATIVE_DOUBLE, points, 3000);
    assert_int_equal(read_set(file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, values, 8), 8);
    assert_int_equal(read_set(file, "VTKHDF/Steps/PointOffsets", H5T_NATIVE_INT64, point, 8), 8);
    assert_int_equal(read_set(file, "VTKHDF/Steps/PartOffsets", H5T_NATIVE_INT64, part, 8), 8);
    assert_int_equal(read_set(file, "VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, sizes, 8), 3);
    for (int k = 0; k < 8; k++) {
        assert_true(values[k] == time[k]);
        assert_int_equal(sizes[part[k]], count[k]);
        assert_true(points[3 * (point[k] + sizes[part[k]] - 1)] == x[k]);
    }
    H5Fclose(file);
    kai_world_destroy(world);
    unlink(path);
}

static long size_of(const char* path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return (long)info.st_size;
}

// Positions and rotations of all frames of a file.
static size_t read_frames(const char* path, float* out, size_t most)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    size_t n = read_set(file, "VTKHDF/Points", H5T_NATIVE_FLOAT, out, most);
    n += read_set(file, "VTKHDF/PointData/rotation", H5T_NATIVE_FLOAT, out + n, most - n);
    H5Fclose(file);
    return n;
}

// Free flight of many bodies; `spin` of the last one from frame `late` on.
// `full`: from before the file is closed on, no file may get larger than this one is.
static size_t fly_packed(const char* path, int late, int compression, bool full, int threads,
                         float* out, size_t most)
{
    enum { BODIES = 5000, FRAMES = 6 };
    kai_world_def def = kai_world_def_default();
    def.threads = threads;
    kai_world* world = NULL;
    check_ok(kai_world_create(&def, &world, NULL));
    kai_body body = {0};
    for (int i = 0; i < BODIES; i++) {
        kai_body_def b = kai_body_def_default();
        b.mass = 1.0;
        b.inertia = (kai_inertia){1, 1, 1, 0, 0, 0};
        b.position = kai_vec3_make(0.37 * i, 0.11 * (i % 71), 0.01 * i);
        b.velocity = kai_vec3_make(1.0, 0.001 * i, 2.0);
        check_ok(kai_body_create(world, &b, &body));
    }
    const kai_trajectory_def trajectory = {
        .enabled = true, .velocity = KAI_TRAJECTORY_VELOCITY_NEVER, .compression = compression};
    kai_trajectory* t = NULL;
    check_ok(kai_trajectory_create(&t, path, world, &trajectory, "scene", NULL));
    for (int k = 0; k < FRAMES; k++) {
        if (k == late)
            check_ok(kai_body_set_velocity(world, body, kai_vec3_zero(), kai_vec3_make(1, 2, 3)));
        check_ok(kai_world_step(world, 1e-3));
        if (k == 2) check_ok(kai_trajectory_flush(t, false, NULL));
        check_ok(kai_world_step(world, 1e-3));
        check_ok(kai_trajectory_add_world(t, world, NULL));
    }
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    check_ok(kai_trajectory_flush(t, true, NULL));
    const struct rlimit now = {(rlim_t)size_of(path), before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    if (full) setrlimit(RLIMIT_FSIZE, &now);
    check_ok(kai_trajectory_close(t, false, NULL));
    setrlimit(RLIMIT_FSIZE, &before);
    kai_world_destroy(world);
    return read_frames(path, out, most);
}

static size_t fly(const char* path, int threads, int late, float* out, size_t most)
{
    return fly_packed(path, late, 0, false, threads, out, most);
}

// Frames are the same on any number of threads.
static void test_threads(void** state)
{
    enum { MOST = 6 * 5000 * 7 };
    char path[256];
    worlds_path(path, "threads.h5");
    float *one = malloc(MOST * sizeof *one), *other = malloc(MOST * sizeof *other);
    for (int late = 0; late < 8; late += 3) { // turns from the first frame, later, or never
        const size_t n = fly(path, 1, late, one, MOST);
        for (int threads = 1; threads < 8; threads += 3) {
            assert_int_equal(fly(path, threads, late, other, MOST), n);
            assert_memory_equal(other, one, n * sizeof *one);
        }
    }
    free(one);
    free(other);
}

// A packed file has the same positions, and rotations to 2⁻¹⁹, in far less room; where there is no
// room for a second file beside the first one, that stays as it was.
static void test_packed(void** state)
{
    enum { MOST = 6 * 5000 * 7, POSITIONS = 6 * 5000 * 3 };
    char path[256], aside[300];
    worlds_path(path, "packed.h5");
    snprintf(aside, sizeof aside, "%s.tmp", path);
    float *raw = malloc(MOST * sizeof *raw), *packed = malloc(MOST * sizeof *packed);
    for (int late = 0; late < 8; late += 3) {
        const size_t n = fly(path, 2, late, raw, MOST);
        const long before = size_of(path);
        assert_int_equal(fly_packed(path, late, 4, false, 2, packed, MOST), n);
        assert_true(size_of(path) < before * 3 / 4);
        assert_memory_equal(packed, raw, POSITIONS * sizeof *raw);
        for (size_t i = POSITIONS; i < n; i++)
            check_near((double)packed[i], (double)raw[i], 0x1p-19, "half of 2⁻¹⁸");
        assert_int_not_equal(access(aside, F_OK), 0);

        assert_int_equal(fly_packed(path, late, 4, true, 2, packed, MOST), n);
        assert_int_equal(size_of(path), before);
        assert_memory_equal(packed, raw, POSITIONS * sizeof *raw);
        assert_int_not_equal(access(aside, F_OK), 0);
    }
    free(raw);
    free(packed);
    unlink(path);
}

// A packed file that goes on has the frames, and in the end the size, of one that was never closed.
static void test_packed_goes_on(void** state)
{
    char path[2][256];
    long size[2];
    static const kai_trajectory_def packed = {.enabled = true, .compression = 6};
    for (int parts = 0; parts < 2; parts++) {
        kai_world* world = worlds_make(NULL, NULL);
        kai_trajectory* t = NULL;
        worlds_path(path[parts], parts ? "in-parts.h5" : "at-once.h5");
        check_ok(kai_trajectory_create(&t, path[parts], world, &packed, "scene", NULL));
        for (int k = 0; k < 300; k++) {
            check_ok(kai_world_step(world, 1e-3));
            check_ok(kai_trajectory_add_world(t, world, NULL));
            if (parts == 0 || k != 99) continue;
            check_ok(kai_trajectory_close(t, false, NULL));
            check_ok(kai_trajectory_resume(&t, path[parts], world, &packed, "scene", 100, NULL));
        }
        check_ok(kai_trajectory_close(t, false, NULL));
        const hid_t file = H5Fopen(path[parts], H5F_ACC_RDONLY, H5P_DEFAULT);
        assert_int_equal(steps_of(file), 300);
        H5Fclose(file);
        size[parts] = size_of(path[parts]);
        kai_world_destroy(world);
    }
    assert_int_equal(size[0], size[1]);
    for (int i = 0; i < 2; i++) unlink(path[i]);
}

static void test_goes_on(void** state)
{
    char path[256];
    kai_world* world = worlds_make(NULL, NULL);
    kai_trajectory* t = NULL;
    kai_error err;
    check_ok(kai_trajectory_create(&t, worlds_path(path, "g.h5"), world, &DEF, "scene", NULL));
    for (int k = 0; k < 10; k++) {
        check_ok(kai_world_step(world, 1e-3));
        check_ok(kai_trajectory_add_world(t, world, NULL));
    }
    check_ok(kai_trajectory_close(t, false, NULL));
    check_error(kai_trajectory_resume(&t, path, world, &DEF, "scene", 11, &err), KAI_ERROR_FORMAT);
    assert_null(t);
    check_ok(kai_trajectory_resume(&t, path, world, &DEF, "scene", 6, NULL));
    check_ok(kai_world_step(world, 1e-3));
    check_ok(kai_trajectory_add_world(t, world, NULL));
    check_ok(kai_trajectory_close(t, false, NULL));
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    double values[16];
    assert_int_equal(steps_of(file), 7);
    assert_int_equal(read_set(file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, values, 16), 7);
    check_near(values[6] - values[5], 5e-3, 1e-12, "five steps of 1 ms between frames 5 and 6");
    H5Fclose(file);

    // No HDF5 file at all.
    FILE* bad = fopen(path, "wb");
    fputs("not an HDF5 file", bad);
    fclose(bad);
    check_error(kai_trajectory_resume(&t, path, world, &DEF, "scene", 1, &err), KAI_ERROR_FORMAT);
    assert_non_null(strstr(err.message, path));
    kai_world_destroy(world);
    unlink(path);
}

// Frames until the file may not grow: an error, and all frames of before.
static void test_full_disk(void** state)
{
    char path[256];
    kai_world* world = worlds_make(NULL, NULL);
    kai_trajectory* t = NULL;
    kai_error err = {0};
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit none = {0, before.rlim_max}, small = {3000000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    check_error(kai_trajectory_create(&t, worlds_path(path, "d.h5"), world, &DEF, "scene", &err),
                KAI_ERROR_FILE);
    setrlimit(RLIMIT_FSIZE, &small);
    check_ok(kai_trajectory_create(&t, path, world, &DEF, "scene", NULL));
    kai_result r = KAI_OK;
    uint64_t good = 0;
    for (int k = 0; k < 10000 && r == KAI_OK; k++) {
        r = kai_trajectory_add_world(t, world, &err);
        if (r == KAI_OK && k % 10 == 9) {
            r = kai_trajectory_flush(t, false, &err);
            if (r == KAI_OK) good = kai_trajectory_frames(t);
        }
    }
    check_error(r, KAI_ERROR_FILE);
    assert_non_null(strstr(err.message, path));
    check_ok(kai_trajectory_close(t, true, &err));
    setrlimit(RLIMIT_FSIZE, &before);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0 && good > 50);
    assert_int_equal(steps_of(file), good);
    H5Fclose(file);
    kai_world_destroy(world);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bodies_come_and_go),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_goes_on),
                                       cmocka_unit_test(test_full_disk),
                                       cmocka_unit_test(test_packed),
                                       cmocka_unit_test(test_packed_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
