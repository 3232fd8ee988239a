// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Deforming meshes: a sheet and a cable whose vertices are known at every time, through the
// recorder to meshes.h5 and back.
#include "worlds.h"

#include "model/render_mesh.h"
#include "record/trajectory/render_mesh_file.h"
#include "record/trajectory/render_mesh_read.h"

#include <fcntl.h>
#include <stdlib.h>

enum { SHEET = 4, CABLE = 3 };

static const uint32_t TRIANGLES[] = {0, 1, 2, 0, 2, 3}, LINES[] = {0, 1, 1, 2};
static const kai_render_mesh_field SHEET_FIELDS[] = {{"strain", ""}, {"energy", "J"}},
                                   CABLE_FIELDS[] = {{"strain", ""}};

static void describe(const void* context, size_t i, kai_render_mesh* out)
{
    (void)context;
    static const kai_render_mesh meshes[] = {{.name = "sheet",
                                              .vertex_count = SHEET,
                                              .triangles = TRIANGLES,
                                              .triangle_count = 2,
                                              .fields = SHEET_FIELDS,
                                              .field_count = 2},
                                             {.name = "cable",
                                              .vertex_count = CABLE,
                                              .lines = LINES,
                                              .line_count = 2,
                                              .fields = CABLE_FIELDS,
                                              .field_count = 1}};
    *out = meshes[i];
}

// Vertex v of mesh i at a time, and what its field is.
static double coordinate(size_t i, size_t v, size_t c, double time)
{
    return (double)(100 * i + 10 * v + c) + time;
}

static double number(size_t i, size_t f, size_t v, double time)
{
    return (double)(i + 2 * f + v) * time;
}

static void gather(const void* context, kai_world* world, size_t i, double* position,
                   double* const* fields)
{
    (void)context;
    const double time = kai_world_time(world);
    kai_render_mesh m;
    describe(NULL, i, &m);
    for (size_t v = 0; v < m.vertex_count; v++) {
        for (size_t c = 0; c < 3; c++) position[3 * v + c] = coordinate(i, v, c, time);
        for (size_t f = 0; f < m.field_count; f++) fields[f][v] = number(i, f, v, time);
    }
}

static const kai_render_mesh_source SOURCE = {NULL, 2, describe, gather};

static kai_world* make(void)
{
    const kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_render_mesh_add(world, &SOURCE, NULL));
    assert_int_equal(kai_render_mesh_count(world), 2);
    assert_int_equal(kai_render_mesh_vertices(world), SHEET + CABLE);
    return world;
}

static void check_file(const char* path, size_t frames, double tolerance)
{
    kai_render_mesh_read* reader = NULL;
    double x[3 * (SHEET + CABLE)], s[SHEET + CABLE];
    check_ok(kai_render_mesh_read_open(&reader, path, SHEET + CABLE, NULL));
    assert_int_equal(kai_render_mesh_read_frames(reader), frames);
    for (size_t k = 0; k < frames; k++) {
        const double time = kai_render_mesh_read_times(reader)[k];
        check_near(time, 0.25 * (double)(k + 1), 1e-15, "the time of a frame");
        check_ok(kai_render_mesh_read_positions(reader, k, x, NULL));
        check_ok(kai_render_mesh_read_field(reader, k, "strain", 0, SHEET + CABLE, s, NULL));
        for (size_t v = 0; v < SHEET + CABLE; v++) {
            const size_t i = v >= SHEET, at = v - i * SHEET;
            for (size_t c = 0; c < 3; c++)
                check_near(x[3 * v + c], coordinate(i, at, c, time), tolerance, "the vertex");
            check_near(s[v], number(i, 0, at, time), tolerance, "the field");
        }
        // The cable has no energy.
        check_ok(kai_render_mesh_read_field(reader, k, "energy", SHEET - 1, 2, s, NULL));
        check_near(s[0], number(0, 1, SHEET - 1, time), tolerance, "the field");
        assert_true(isnan(s[1]));
        check_error(kai_render_mesh_read_field(reader, k, "stress", 0, 1, s, NULL),
                    KAI_ERROR_FORMAT);
        check_error(kai_render_mesh_read_field(reader, k, "strain", 1, 7, s, NULL),
                    KAI_ERROR_FORMAT);
    }
    check_error(kai_render_mesh_read_positions(reader, frames, x, NULL), KAI_ERROR_FORMAT);
    kai_render_mesh_read_close(reader);
}

static void add(kai_render_mesh_file* file, kai_world* world, int frames)
{
    for (int k = 0; k < frames; k++) {
        check_ok(kai_world_step(world, 0.25));
        check_ok(kai_render_mesh_file_add(file, world, NULL));
    }
}

static void test_round_trip(void** state)
{
    (void)state;
    char path[256];
    for (int doubles = 0; doubles < 2; doubles++) {
        const kai_trajectory_def def = {.enabled = true, .double_precision = doubles != 0};
        kai_world* world = make();
        kai_render_mesh_file* file = NULL;
        worlds_path(path, "m.h5");
        check_ok(kai_render_mesh_file_create(&file, path, world, &def, 0, NULL));
        add(file, world, 6);
        check_ok(kai_render_mesh_file_flush(file, true, NULL));
        check_ok(kai_render_mesh_file_close(file, false, NULL));
        // Single precision keeps 24 bits of numbers below 256.
        check_file(path, 6, doubles ? 0.0 : 0x1p-17);
        kai_world_destroy(world);
        // Gone on with after the first four.
        world = make();
        for (int k = 0; k < 4; k++) check_ok(kai_world_step(world, 0.25));
        check_ok(kai_render_mesh_file_create(&file, path, world, &def, 4, NULL));
        add(file, world, 3);
        check_ok(kai_render_mesh_file_close(file, false, NULL));
        check_file(path, 7, doubles ? 0.0 : 0x1p-17);
        check_error(kai_render_mesh_file_create(&file, path, world, &def, 99, NULL),
                    KAI_ERROR_FORMAT);
        kai_world_destroy(world);
        unlink(path);
    }
}

static void test_refused(void** state)
{
    (void)state;
    kai_world* world = make();
    kai_error err = {0};
    check_error(kai_render_mesh_add(world, &SOURCE, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "kai_render_mesh_add: there is a mesh 'sheet' already");
    check_error(kai_render_mesh_add(world, &(kai_render_mesh_source){.count = 1}, &err),
                KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "kai_render_mesh_add: a source needs describe and gather");
    kai_world_destroy(world);
}

// Corners that are no vertices, fields without names.
static void describe_bad(const void* context, size_t i, kai_render_mesh* out)
{
    (void)i;
    *out = *(const kai_render_mesh*)context;
}

static void test_unsound(void** state)
{
    (void)state;
    static const kai_render_mesh_field field = {"a/b", ""}, many[17] = {{"a", ""}};
    const struct {
        kai_render_mesh mesh;
        const char* message;
    } cases[] = {
        {{.vertex_count = 1}, "kai_render_mesh_add: mesh 0 has no name"},
        {{.name = "m", .vertex_count = 2, .triangles = TRIANGLES, .triangle_count = 1},
         "kai_render_mesh_add: mesh 'm' has a corner that is none of its 2 vertices"},
        {{.name = "m", .vertex_count = 2, .line_count = 1},
         "kai_render_mesh_add: mesh 'm' has a corner that is none of its 2 vertices"},
        {{.name = "m", .fields = &field, .field_count = 1},
         "kai_render_mesh_add: field 0 of mesh 'm' needs a plain name and a unit"},
        {{.name = "m", .fields = many, .field_count = 17},
         "kai_render_mesh_add: mesh 'm' has 17 fields; at most 16"},
    };
    kai_world* world = make();
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        kai_error err = {0};
        const kai_render_mesh_source source = {&cases[i].mesh, 1, describe_bad, gather};
        check_error(kai_render_mesh_add(world, &source, &err), KAI_ERROR_ARGUMENT);
        assert_string_equal(err.message, cases[i].message);
    }
    assert_int_equal(kai_render_mesh_count(world), 2);
    kai_world_destroy(world);
}

// Bytes that are no such file are refused, whatever they are.
static void test_rubbish(void** state)
{
    (void)state;
    char path[256];
    kai_render_mesh_read* reader = NULL;
    worlds_path(path, "rubbish.h5");
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0 && write(file, "no meshes", 9) == 9);
    close(file);
    check_error(kai_render_mesh_read_open(&reader, path, 7, NULL), KAI_ERROR_FORMAT);
    unlink(path);
    check_error(kai_render_mesh_read_open(&reader, path, 7, NULL), KAI_ERROR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unsound), cmocka_unit_test(test_rubbish)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
