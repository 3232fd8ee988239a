// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/particle_table.h"

#include "base/hash.h"
#include "scene_helper.h"

#include <fcntl.h>
#include <zlib.h>

// Reads a table from a file that holds `text`; the problems are one text, which the caller frees.
static kai_result read_bytes(const char* text, size_t size, bool gz, kai_particle_table_data* out,
                             char** problems)
{
    const char* name = gz ? "t.csv.gz" : "t.csv";
    if (gz) {
        gzFile file = gzopen(name, "wb");
        assert_non_null(file);
        assert_int_equal(gzwrite(file, text, (unsigned)size), (int)size);
        assert_int_equal(gzclose(file), Z_OK);
    } else {
        FILE* file = fopen(name, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(text, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
    }
    kai_problems list = {0};
    const kai_result r = kai_particle_table_read(open(name, O_RDONLY), name, SIZE_MAX, out, &list);
    *problems = calloc(1, 16 * KAI_ERROR_SIZE);
    for (size_t i = 0; i < list.kept; i++) {
        if (i) strcat(*problems, "\n");
        strcat(*problems, list.list[i].message);
    }
    kai_problems_free(&list);
    return r;
}

static void check_bad(const char* text, const char* expected)
{
    kai_particle_table_data data;
    char* problems;
    check_error(read_bytes(text, strlen(text), false, &data, &problems), KAI_ERROR_FORMAT);
    assert_string_equal(problems, expected);
    assert_null(data.column[0]);
    free(problems);
}

static void any_order_of_columns(void** state)
{
    (void)state;
    for (int gz = 0; gz < 2; gz++) {
        const char text[] =
            "\xef\xbb\xbf vz, z,vx , y,vy,x\r\n\r\n6, 3,4,2,5,1\r\n-6,\t-3,-4,-2,-5,-1";
        kai_particle_table_data data;
        char* problems;
        check_ok(read_bytes(text, strlen(text), gz, &data, &problems));
        assert_string_equal(problems, "");
        assert_int_equal(data.count, 2);
        const kai_particle_table t = kai_particle_table_view(&data);
        const double* const columns[] = {t.x, t.y, t.z, t.vx, t.vy, t.vz};
        for (int c = 0; c < 6; c++) {
            check_near(columns[c][0], c + 1.0, 0.0, "the text");
            check_near(columns[c][1], -c - 1.0, 0.0, "the text");
        }
        assert_null(t.qw);
        assert_null(t.radius);
        kai_particle_table_free(&data);
        free(problems);
    }
}

static void bad_headers(void** state)
{
    (void)state;
    check_bad("", "t.csv:1:1: table is empty; needs a header");
    check_bad("\n\n", "t.csv:2:1: table is empty; needs a header");
    check_bad("x,y,z\n", "t.csv:1:1: table has a header but no rows");
    check_bad("x,y\n1,2\n", "t.csv:1:1: column z is missing; y is there");
    check_bad(
        "a,b\n",
        "t.csv:1:1: unknown column \"a\"; allowed: x, y, z, vx, vy, vz, qw, qx, qy, qz, wx, wy, wz, "
        "radius\n"
        "t.csv:1:3: unknown column \"b\"; allowed: x, y, z, vx, vy, vz, qw, qx, qy, qz, wx, wy, wz, "
        "radius");
    check_bad("x,y,z,raduis\n", "t.csv:1:7: unknown column \"raduis\"; did you mean \"radius\"?");
    check_bad("x,y,z,x\n", "t.csv:1:7: column x is given twice");
    check_bad("x,y,z,vx,vz\n", "t.csv:1:1: column vy is missing; vz is there");
    check_bad("x,y,z,qw,qx,qy\n", "t.csv:1:1: column qz is missing; qy is there");
}

static void bad_rows(void** state)
{
    (void)state;
    check_bad("x,y,z\n1,2\n", "t.csv:2:1: row has 2 cells; the header has 3");
    check_bad("x,y,z\n1,2,3,4\n", "t.csv:2:1: row has 4 cells; the header has 3");
    check_bad("x,y,z\n\n1,two,3\n", "t.csv:3:3: y is \"two\"; must be a number");
    check_bad("x,y,z\n1,,3\n", "t.csv:2:3: y is empty; must be a number");
    check_bad("x,y,z\n1,nan,inf\n", "t.csv:2:3: y is \"nan\"; must be a number\n"
                                    "t.csv:2:7: z is \"inf\"; must be a number");
    check_bad("x,y,z\n1,2,1e999\n", "t.csv:2:5: z is 1e999; numbers must be finite");
    check_bad("x,y,z,radius\n1,2,3,0\n", "t.csv:2:1: radius is 0 m; must be > 0");
    check_bad("x,y,z,qw,qx,qy,qz\n1,2,3,1,1,0,0\n",
              "t.csv:2:1: qw,qx,qy,qz has length 1.41421; must be 1");
}

static void problems_of_a_table_are_limited(void** state)
{
    (void)state;
    char text[1024] = "x,y,z\n";
    for (int i = 0; i < 50; i++) strcat(text, "1,2,a\n");
    kai_particle_table_data data;
    char* problems;
    check_error(read_bytes(text, strlen(text), false, &data, &problems), KAI_ERROR_FORMAT);
    size_t lines = 1;
    for (const char* c = problems; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, KAI_PARTICLE_TABLE_PROBLEMS);
    free(problems);
}

static void long_lines_are_refused(void** state)
{
    (void)state;
    const size_t size = 3000000;
    char* text = malloc(size);
    memset(text, ' ', size);
    memcpy(text, "x,y,z\n", 6);
    for (int gz = 0; gz < 2; gz++) {
        kai_particle_table_data data;
        char* problems;
        check_error(read_bytes(text, size, gz, &data, &problems), KAI_ERROR_FORMAT);
        assert_string_equal(problems, gz ? "t.csv.gz:2:1: line is longer than 65536 bytes"
                                         : "t.csv:2:1: line is longer than 65536 bytes");
        free(problems);
    }
    free(text);
}

static void damaged_gzip_is_told(void** state)
{
    (void)state;
    char text[6000] = "x,y,z\n";
    for (int i = 0; i < 400; i++) sprintf(text + strlen(text), "%d,%d,3\n", i, i * i);
    kai_particle_table_data data;
    char* problems;
    check_ok(read_bytes(text, strlen(text), true, &data, &problems));
    kai_particle_table_free(&data);
    free(problems);
    assert_int_equal(truncate("t.csv.gz", 300), 0);
    kai_problems list = {0};
    check_error(
        kai_particle_table_read(open("t.csv.gz", O_RDONLY), "t.csv.gz", SIZE_MAX, &data, &list),
        KAI_ERROR_FORMAT);
    assert_string_equal(list.list[0].message,
                        "t.csv.gz: cannot be read: the gzip data ends too early");
    kai_problems_free(&list);

    FILE* file = fopen("t.csv.gz", "r+b");
    fseek(file, 100, SEEK_SET);
    fputs("garbage garbage", file);
    fclose(file);
    check_error(
        kai_particle_table_read(open("t.csv.gz", O_RDONLY), "t.csv.gz", SIZE_MAX, &data, &list),
        KAI_ERROR_FORMAT);
    assert_true(list.count > 0);
    kai_problems_free(&list);
}

// The text may change its order and spaces, not its numbers.
static void hashes_are_of_numbers(void** state)
{
    (void)state;
    const char* const texts[] = {"x,y,z\n1,2,3\n4,5,6\n", " y,x,z\n2,1,3.0\n\n5,4,6\n",
                                 "x,y,z\n1,2,3\n4,5,7\n"};
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        kai_particle_table_data data;
        char* problems;
        check_ok(read_bytes(texts[i], strlen(texts[i]), false, &data, &problems));
        hash[i] = kai_particle_table_hash(&data, KAI_HASH_START);
        kai_particle_table_free(&data);
        free(problems);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] != hash[2]);
}

// 100,000 rows cross many buffers; every number must arrive.
static void large_tables_arrive_whole(void** state)
{
    (void)state;
    const int rows = 100000;
    FILE* file = fopen("large.csv", "wb");
    fputs("x,y,z\n", file);
    for (int i = 0; i < rows; i++)
        fprintf(file, "%.17g,%d,%.9g\n", helper_random((uint64_t)i), i, (double)i / 7.0);
    fclose(file);
    kai_particle_table_data data;
    kai_problems list = {0};
    check_ok(
        kai_particle_table_read(open("large.csv", O_RDONLY), "large.csv", SIZE_MAX, &data, &list));
    assert_int_equal(data.count, rows);
    for (int i = 0; i < rows; i++) {
        assert_true(data.column[0][i] == helper_random((uint64_t)i));
        assert_true(data.column[1][i] == i);
    }
    kai_particle_table_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_columns),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_rows),
        cmocka_unit_test(problems_of_a_table_are_limited),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(damaged_gzip_is_told),
        cmocka_unit_test(hashes_are_of_numbers),
        cmocka_unit_test(large_tables_arrive_whole),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
