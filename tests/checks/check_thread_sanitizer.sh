#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# The thread sanitizer's set-up (clang, LLVM's OpenMP, Archer) sees a real race and no false one: without
# this, a silent set-up would look like clean code.
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
#include <stdio.h>
int main(int count, char** arguments)
{
    (void)arguments;
    static double cells[4096];
    double sum = 0.0, racy = 0.0;
    for (int round = 0; round < 20; ++round) {
#pragma omp parallel for
        for (int i = 0; i < 4096; ++i) cells[i] += i;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 4096; ++i) sum += cells[4095 - i];
        if (count > 1) {
#pragma omp parallel for
            for (int i = 0; i < 4096; ++i) racy += cells[i];
        }
    }
    printf("%g %g\n", sum, racy);
    return 0;
}
C
clang -O1 -g -fopenmp -fsanitize=thread "$tmp/program.c" -o "$tmp/program" 2>"$tmp/log" || {
    cat "$tmp/log"
    skip "clang cannot build a program with -fsanitize=thread -fopenmp"
}

# Archer lies beside the OpenMP library that the program uses.
omp=$(ldd "$tmp/program" | sed -n 's/.*libomp[^ ]* => \([^ ]*\).*/\1/p')
archer=$(dirname "$(readlink -f "${omp:-none}")")/libarcher.so
[ -f "$archer" ] || skip "libarcher.so is not installed (Debian package libomp-dev)"

export OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=$archer
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
