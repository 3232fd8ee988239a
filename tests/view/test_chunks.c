// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Chunks of a page come back as they were, from memory and from a file.
#include "helper.h"
#include "view/chunks.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 5 };

static size_t size_of(size_t k) { return 1000 * k + k; } // the first one is empty

static void add_all(kai_chunks* chunks)
{
    for (size_t k = 0; k < COUNT; k++) {
        uint8_t data[COUNT * 1001];
        for (size_t i = 0; i < size_of(k); i++) data[i] = (uint8_t)(7 * i + k);
        size_t index = SIZE_MAX;
        if (k % 2 == 0) {
            check_ok(kai_chunks_add(chunks, data, size_of(k), &index, NULL));
        } else {
            kai_text_add_bytes(kai_chunks_begin(chunks), (const char*)data, size_of(k));
            check_ok(kai_chunks_end(chunks, &index, NULL));
        }
        assert_int_equal(index, k);
    }
}

static void check_all(const kai_chunks* chunks)
{
    uint8_t room[COUNT * 1001];
    assert_int_equal(chunks->count, COUNT);
    for (size_t k = 0; k < COUNT; k++) {
        const size_t n = size_of(k), from = n / 3;
        const uint8_t* data = kai_chunks_read(chunks, k, from, n - from, room);
        assert_non_null(data);
        for (size_t i = from; i < n; i++) assert_int_equal(data[i - from], (uint8_t)(7 * i + k));
        assert_null(kai_chunks_read(chunks, k, 0, n + 1, room));
        assert_null(kai_chunks_read(chunks, k, n + 1, 0, room));
    }
}

static off_t bytes_of(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_size : -1;
}

static void test_memory_and_file(void** state)
{
    char path[128], aside[160];
    snprintf(path, sizeof path, "/tmp/kairos-chunks-%d.bin", (int)getpid());
    snprintf(aside, sizeof aside, "%s.tmp", path);
    kai_chunks held, file;
    check_ok(kai_chunks_hold(&held, path, NULL));
    add_all(&held);
    check_all(&held);
    assert_int_equal(bytes_of(aside), -1); // no file as long as nobody wants it
    const uint64_t bytes = kai_chunks_page_bytes(&held);
    check_ok(kai_chunks_spill(&held, NULL));
    assert_int_equal(bytes_of(aside), held.end);
    check_all(&held);
    check_ok(kai_chunks_keep(&held, "{}", 2, NULL));
    const off_t kept = bytes_of(path);
    kai_chunks_free(&held);
    assert_int_equal(bytes_of(path), kept);
    assert_int_equal(bytes_of(aside), -1);
    assert_int_equal(unlink(path), 0);

    check_ok(kai_chunks_create(&file, path, NULL));
    add_all(&file);
    check_all(&file);
    assert_int_equal(kai_chunks_page_bytes(&file), bytes);
    kai_chunks_free(&file);
    assert_int_equal(bytes_of(aside), -1); // it was not kept
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_and_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
