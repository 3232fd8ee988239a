// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Particle tables from anyone, plain or gzip as their first bytes say.
#define _GNU_SOURCE // memfd_create
#include "scene/particle_table.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const int fd = memfd_create("table", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0) abort();
    kai_particle_table_data table;
    kai_problems problems = {0};
    const kai_result result = kai_particle_table_read(fd, "table.csv", SIZE_MAX, &table, &problems);
    if (result == KAI_OK) {
        if (problems.count != 0 || table.count == 0) abort();
        for (size_t c = 0; c < KAI_PARTICLE_TABLE_COUNT; c++)
            for (size_t i = 0; table.column[c] && i < table.count; i++)
                if (!isfinite(table.column[c][i])) abort();
        (void)kai_particle_table_hash(&table, 0);
        kai_particle_table_free(&table);
    } else if (result != KAI_ERROR_MEMORY && problems.count == 0) {
        abort();
    }
    kai_problems_free(&problems);
    return 0;
}
