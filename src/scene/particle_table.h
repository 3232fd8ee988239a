// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Reads particle tables: CSV, plain or gzip, with a header row that names the columns in any order.
#ifndef SCENE_PARTICLE_TABLE_H
#define SCENE_PARTICLE_TABLE_H

#include "scene/problems.h"

#include <kairos/particles.h>

/// The columns: X(name, group, unit). A group is given whole or not at all; group 0 is needed.
#define KAI_PARTICLE_TABLE_COLUMNS(X) \
    X(x, 0, "m")                      \
    X(y, 0, "m")                      \
    X(z, 0, "m")                      \
    X(vx, 1, "m/s")                   \
    X(vy, 1, "m/s")                   \
    X(vz, 1, "m/s")                   \
    X(qw, 2, "")                      \
    X(qx, 2, "")                      \
    X(qy, 2, "")                      \
    X(qz, 2, "")                      \
    X(wx, 3, "rad/s")                 \
    X(wy, 3, "rad/s")                 \
    X(wz, 3, "rad/s")                 \
    X(radius, 4, "m")

enum {
#define KAI_PARTICLE_TABLE_ENUM(name, group, unit) KAI_PARTICLE_TABLE_##name,
    KAI_PARTICLE_TABLE_COLUMNS(KAI_PARTICLE_TABLE_ENUM)
#undef KAI_PARTICLE_TABLE_ENUM
        KAI_PARTICLE_TABLE_COUNT
};

/// Limits: lines of a table (blank ones included), bytes of a line, problems told of one table.
#define KAI_PARTICLE_TABLE_ROWS     200000000
#define KAI_PARTICLE_TABLE_LINE     65536
#define KAI_PARTICLE_TABLE_PROBLEMS 10

/// A table in memory.
typedef struct kai_particle_table_data {
    double* column[KAI_PARTICLE_TABLE_COUNT]; // [count] each, NULL: not in the table
    size_t count, capacity;
} kai_particle_table_data;

/// Reads an open file, plain or gzip, and closes it. `name` is for messages. KAI_ERROR_FORMAT when
/// problems were found (they are in the list), also when its rows, as particles of a world, would
/// pass `limit` bytes of memory; KAI_ERROR_MEMORY. Nothing is left in `out` then.
kai_result kai_particle_table_read(int fd, const char* name, size_t limit,
                                   kai_particle_table_data* out, kai_problems* problems);

/// The columns as the library takes them; valid while `data` lives.
kai_particle_table kai_particle_table_view(const kai_particle_table_data* data);

/// Turns all particles about the origin, then moves them. False when memory ran out.
bool kai_particle_table_place(kai_particle_table_data* data, kai_vec3 at, kai_quat rotation);

/// A hash of the numbers and of which columns there are.
uint64_t kai_particle_table_hash(const kai_particle_table_data* data, uint64_t hash);

/// Name and unit of a column, for messages and docs.
const char* kai_particle_table_name(size_t column);
const char* kai_particle_table_unit(size_t column);

/// Gives the memory back.
void kai_particle_table_free(kai_particle_table_data* data);

#endif
