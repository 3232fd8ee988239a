// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files that HDF5 must not be trusted with. What HDF5 itself does not survive is tried in
// tests/process/test_damaged.py.
#include "record/h5_file.h"

#include "helper.h"
#include "record/h5_set.h"
#include "worlds.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Opens a file and closes it again; the message is in `err`.
static kai_result try_open(const char* path, kai_error* err)
{
    hid_t file = -1;
    kai_h5_begin();
    const kai_result r = kai_h5_file_open(path, &file, err);
    if (file >= 0) H5Fclose(file);
    kai_h5_end();
    return r;
}

static void check_refused(const char* path, const char* word)
{
    kai_error err = {0};
    check_error(try_open(path, &err), KAI_ERROR_FORMAT);
    if (!strstr(err.message, path) || !strstr(err.message, word)) fail_msg("%s", err.message);
}

// A new file with a dataset "x" of `rows` numbers in chunks of ten, of which none is written.
static hid_t make(char path[256], hsize_t rows)
{
    const hsize_t most = H5S_UNLIMITED, chunk = 10;
    const hid_t file =
        H5Fcreate(worlds_path(path, "h.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &rows, &most), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &chunk);
    const hid_t set =
        H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    return file;
}

static void test_no_files(void** state)
{
    (void)state;
    char path[256];
    kai_error err = {0};
    check_error(try_open("no-such-file.h5", &err), KAI_ERROR_FILE);
    assert_non_null(strstr(err.message, "no-such-file.h5"));
    worlds_path(path, "t.h5");
    const int text = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    check_refused(path, "no HDF5 file");
    assert_int_equal(write(text, "\x89HDF\r\n\x1a\n and then nothing", 25), 25);
    close(text);
    check_refused(path, "cannot open");
    unlink(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    check_refused(path, "is not a regular file");
    unlink(path);
}

// A file that says that it has 10¹² rows has those that it stores.
static void test_claims(void** state)
{
    (void)state;
    char path[256];
    double ten[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, back[20];
    const hsize_t first = 0, count = 10;
    hid_t file = make(path, 1000000000000), set = H5Dopen2(file, "x", H5P_DEFAULT);
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, ten) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);

    kai_h5_set shape;
    kai_error err = {0};
    void* data = NULL;
    size_t rows = 0;
    kai_h5_begin();
    check_ok(kai_h5_file_open(path, &file, &err));
    check_ok(kai_h5_set_open(file, "x", 1, 1, H5T_NATIVE_DOUBLE, &set, &shape, &err));
    assert_true(shape.rows == 1000000000000 && shape.stored == 10);
    assert_true(kai_h5_set_read(set, &shape, H5T_NATIVE_DOUBLE, 4, 6, back));
    assert_true(back[0] == 5.0 && back[5] == 10.0);
    assert_false(kai_h5_set_read(set, &shape, H5T_NATIVE_DOUBLE, 4, 7, back));
    H5Dclose(set);
    check_error(kai_h5_read(file, "x", H5T_NATIVE_DOUBLE, 1, &data, &rows, &err), KAI_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "not whole"));
    check_error(kai_h5_set_open(file, "x", 2, 3, H5T_NATIVE_DOUBLE, &set, &shape, &err),
                KAI_ERROR_FORMAT);
    check_error(kai_h5_set_open(file, "x", 1, 1, H5T_NATIVE_INT64, &set, &shape, &err),
                KAI_ERROR_FORMAT);
    H5Fclose(file);
    kai_h5_end();
    unlink(path);
}

// What Kairos never writes.
static void test_foreign(void** state)
{
    (void)state;
    char path[256];
    hid_t file = make(path, 0);
    H5Lcreate_external("/etc/passwd", "/", file, "outside", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    check_refused(path, "'outside' is a link");

    file = make(path, 0);
    H5Lcreate_soft("/x", file, "y", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    check_refused(path, "'y' is a link");

    file = make(path, 0);
    H5Lcreate_hard(file, "/", file, "again", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    check_refused(path, "too deep");

    file = make(path, 0);
    const hid_t scalar = H5Screate(H5S_SCALAR), list = H5Tvlen_create(H5T_NATIVE_DOUBLE);
    H5Aclose(H5Acreate2(file, "lists", list, scalar, H5P_DEFAULT, H5P_DEFAULT));
    H5Tclose(list);
    H5Sclose(scalar);
    H5Fclose(file);
    check_refused(path, "'lists' has a wrong type");

    const hsize_t three = 3;
    file = make(path, 0);
    const hid_t space = H5Screate_simple(1, &three, NULL), outside = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(outside, "/etc/passwd", 0, 24);
    H5Dclose(H5Dcreate2(file, "z", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, outside, H5P_DEFAULT));
    H5Pclose(outside);
    H5Sclose(space);
    H5Fclose(file);
    check_refused(path, "'z' lies in other files");
    unlink(path);
}

// A host that wants no news of children still gets an answer, and its handlers stay.
static void test_ignored_children(void** state)
{
    (void)state;
    char path[256];
    H5Fclose(make(path, 0));
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    check_ok(try_open(path, NULL));
    assert_true(signal(SIGCHLD, before) == SIG_IGN);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_files), cmocka_unit_test(test_claims),
        cmocka_unit_test(test_foreign), cmocka_unit_test(test_ignored_children)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
