// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "worlds.h"

#include "record/csv.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

static char* text_of(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = calloc(1, 1 << 23);
    *size = fread(text, 1, (1 << 23) - 1, file);
    fclose(file);
    return text;
}

static kai_result add_row(kai_csv* csv, double a, double b)
{
    KAI_TRY(kai_csv_number(csv, a, NULL));
    KAI_TRY(kai_csv_number(csv, b, NULL));
    return kai_csv_end_row(csv, NULL);
}

static void test_numbers(void** state)
{
    char path[256];
    size_t size;
    kai_csv csv;
    check_ok(kai_csv_open(&csv, worlds_path(path, "n.csv"), 0, NULL));
    check_ok(kai_csv_text(&csv, "time,x", NULL));
    check_ok(kai_csv_end_row(&csv, NULL));
    check_ok(add_row(&csv, 0.1, 1.0 / 3.0));
    check_ok(add_row(&csv, -0.0, 1e300));
    check_ok(kai_csv_close(&csv, NULL));
    char* text = text_of(path, &size);
    assert_string_equal(
        text, "time,x\n0.10000000000000001,0.33333333333333331\n-0,1.0000000000000001e+300\n");
    free(text);
    unlink(path);
}

// Numbers that are none make empty cells; a row that is dropped leaves nothing behind.
static void test_not_finite(void** state)
{
    char path[256];
    size_t size;
    kai_csv csv;
    check_ok(kai_csv_open(&csv, worlds_path(path, "e.csv"), 0, NULL));
    check_ok(add_row(&csv, 1.0, (double)NAN));
    check_ok(kai_csv_number(&csv, 2.0, NULL));
    kai_csv_drop_row(&csv);
    check_ok(add_row(&csv, 3.0, -HUGE_VAL));
    check_ok(kai_csv_flush(&csv, false, NULL));
    check_ok(kai_csv_number(&csv, 4.0, NULL));
    kai_csv_drop_row(&csv);
    check_ok(add_row(&csv, 5.0, 6.0));
    check_ok(kai_csv_close(&csv, NULL));
    char* text = text_of(path, &size);
    assert_string_equal(text, "1,\n3,\n5,6\n");
    free(text);
    unlink(path);
}

static void test_goes_on(void** state)
{
    char path[256];
    size_t size;
    kai_csv csv;
    kai_error err;
    check_ok(kai_csv_open(&csv, worlds_path(path, "r.csv"), 0, NULL));
    check_ok(add_row(&csv, 1.0, 2.0));
    check_ok(kai_csv_flush(&csv, true, NULL));
    const uint64_t keep = csv.bytes;
    check_ok(add_row(&csv, 3.0, 4.0));
    check_ok(kai_csv_close(&csv, NULL));
    check_ok(kai_csv_open(&csv, path, keep, NULL));
    check_ok(add_row(&csv, 5.0, 6.0));
    check_ok(kai_csv_close(&csv, NULL));
    char* text = text_of(path, &size);
    assert_string_equal(text, "1,2\n5,6\n");
    free(text);
    check_error(kai_csv_open(&csv, path, 100, &err), KAI_ERROR_FILE);
    assert_non_null(strstr(err.message, "has 8 bytes"));
    check_error(kai_csv_open(&csv, "no/such/folder.csv", 0, &err), KAI_ERROR_FILE);
    unlink(path);
}

// A file that may not grow: an error that names it, and whole rows only.
static void test_full_disk(void** state)
{
    char path[256];
    size_t size;
    kai_csv csv;
    kai_error err = {0};
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    check_ok(kai_csv_open(&csv, worlds_path(path, "f.csv"), 0, NULL));
    for (int i = 0; i < 1000; i++) check_ok(add_row(&csv, i, 0.1));
    const struct rlimit small = {10000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const kai_result r = kai_csv_flush(&csv, false, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    check_error(r, KAI_ERROR_FILE);
    assert_non_null(strstr(err.message, path));
    kai_csv_abandon(&csv);
    char* text = text_of(path, &size);
    assert_true(size > 9000 && size <= 10000);
    assert_true(text[size - 1] == '\n');
    free(text);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_goes_on), cmocka_unit_test(test_full_disk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
