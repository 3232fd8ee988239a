// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Runs the fuzz harnesses over their corpora, over inputs that once did harm, and over damaged
// copies of both, so that every build looks at them, with or without libFuzzer.
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define LLVMFuzzerTestOneInput fuzz_scene
#include "../fuzz/fuzz_scene.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_table
#include "../fuzz/fuzz_table.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_mesh
#include "../fuzz/fuzz_mesh.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_expression
#include "../fuzz/fuzz_expression.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_format
#include "../fuzz/fuzz_format.c"

#include "helper.h"

#include <dirent.h>

#define LARGEST ((size_t)1 << 20)

typedef int harness(const uint8_t* data, size_t size);

// The bytes in a buffer of exactly their size, so that a sanitizer sees a read past the end.
static void run_exact(harness* run, const uint8_t* data, size_t size)
{
    uint8_t* copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    run(copy, size);
    free(copy);
}

// Cuts and changes, the same in every run.
static void run_damaged(harness* run, uint8_t* data, size_t size, uint64_t stream)
{
    for (uint64_t i = 0; i < 40 && size > 0; i++) {
        uint32_t w[4];
        kai_random_words(HELPER_SEED, stream, i, w);
        const size_t place = w[0] % size;
        const uint8_t old = data[place];
        data[place] = (uint8_t)w[1];
        run_exact(run, data, size);
        data[place] = old;
        run_exact(run, data, w[2] % size);
    }
}

static size_t run_folder(harness* run, const char* kind, const char* name)
{
    char path[8192];
    const char* source = getenv("KAIROS_SOURCE");
    snprintf(path, sizeof path, "%s/tests/fuzz/%s/%s", source ? source : ".", kind, name);
    DIR* folder = opendir(path);
    size_t count = 0;
    uint8_t* data = malloc(LARGEST);
    assert_non_null(data);
    for (const struct dirent* entry; folder && (entry = readdir(folder)) != NULL;) {
        char file_path[16384];
        if (entry->d_name[0] == '.') continue;
        snprintf(file_path, sizeof file_path, "%s/%s", path, entry->d_name);
        FILE* file = fopen(file_path, "rb");
        assert_non_null(file);
        const size_t size = fread(data, 1, LARGEST, file);
        fclose(file);
        run_exact(run, data, size);
        run_damaged(run, data, size, strlen(entry->d_name));
        count++;
    }
    if (folder) closedir(folder);
    free(data);
    return count;
}

static void scenes(void** state)
{
    (void)state;
    assert_true(run_folder(fuzz_scene, "corpus", "scene") >= 10);
    run_folder(fuzz_scene, "regressions", "scene");
}

static void tables(void** state)
{
    (void)state;
    assert_true(run_folder(fuzz_table, "corpus", "table") >= 5);
    run_folder(fuzz_table, "regressions", "table");
}

static void meshes(void** state)
{
    (void)state;
    assert_true(run_folder(fuzz_mesh, "corpus", "mesh") >= 5);
    run_folder(fuzz_mesh, "regressions", "mesh");
}

static void formulas(void** state)
{
    (void)state;
    assert_true(run_folder(fuzz_expression, "corpus", "expression") >= 3);
    run_folder(fuzz_expression, "regressions", "expression");
}

static void layouts(void** state)
{
    (void)state;
    assert_true(run_folder(fuzz_format, "corpus", "format") >= 5);
    run_folder(fuzz_format, "regressions", "format");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes),   cmocka_unit_test(tables),  cmocka_unit_test(meshes),
        cmocka_unit_test(formulas), cmocka_unit_test(layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
