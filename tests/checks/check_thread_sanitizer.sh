#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# The thread sanitizer's set-up (clang) sees a real race and no false one: without this, a silent set-up
# would look like clean code.
#
# ctest-labels: unit

set -uo pipefail

skip() {
    echo "thread sanitizer: $*: skipped"
    exit 77
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

command -v clang >/dev/null || skip "clang is not installed"

cat >"$tmp/program.c" <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static double sums[4], racy;
static atomic_int next;
static int race;
static void* work(void* context)
{
    (void)context;
    const int i = atomic_fetch_add(&next, 1);
    for (int k = 0; k < 4096; ++k) sums[i] += k;
    for (int k = 0; race && k < 4096; ++k) racy += k;
    return NULL;
}
int main(int count, char** arguments)
{
    (void)arguments;
    pthread_t threads[4];
    race = count > 1;
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    printf("%g %g\n", sums[0] + sums[1] + sums[2] + sums[3], racy);
    return 0;
}
C
clang -O1 -g -pthread -fsanitize=thread "$tmp/program.c" -o "$tmp/program" 2>"$tmp/log" || {
    cat "$tmp/log"
    skip "clang cannot build a program with -fsanitize=thread"
}

export TSAN_OPTIONS='ignore_noninstrumented_modules=1 halt_on_error=1'
if ! "$tmp/program" >"$tmp/log" 2>&1; then
    cat "$tmp/log"
    echo "thread sanitizer: reports a race in a correct program"
    exit 1
fi
if "$tmp/program" with-a-race >"$tmp/log" 2>&1 || ! grep -q 'data race' "$tmp/log"; then
    cat "$tmp/log"
    echo "thread sanitizer: does not see a race"
    exit 1
fi
echo "thread sanitizer: sees a race, and none in a correct reduction"
