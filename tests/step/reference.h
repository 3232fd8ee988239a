// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The tables of MSC.ADAMS results that joints and force elements are compared with: what they are
// and where they come from stands in tests/reference/README.md.
#ifndef TESTS_STEP_REFERENCE_H
#define TESTS_STEP_REFERENCE_H

#include "helper.h"

#include <kairos/world.h>

enum { REFERENCE_ROWS = 501 }; // t = 0 … 5 s, every 0.01 s

/// One table: time, then three columns (four for rotations).
typedef struct reference_table {
    double t[REFERENCE_ROWS], v[REFERENCE_ROWS][4];
} reference_table;

/// Reads joints/<name>.txt.
HELPER void reference_read(const char* name, int columns, reference_table* out)
{
    char path[1280], line[512];
    snprintf(path, sizeof path, KAIROS_SOURCE_DIR "/tests/reference/joints/%s.txt", name);
    FILE* file = fopen(path, "r");
    if (!file) fail_msg("%s is not there", path);
    for (int i = 0; i < 3; i++) assert_non_null(fgets(line, sizeof line, file));
    for (int r = 0; r < REFERENCE_ROWS; r++) {
        assert_int_equal(fscanf(file, "%lf", &out->t[r]), 1);
        for (int c = 0; c < columns; c++) assert_int_equal(fscanf(file, "%lf", &out->v[r][c]), 1);
    }
    fclose(file);
}

/// A sum of squares on its way to an RMS over all rows and components.
typedef struct reference_rms {
    double sum;
    int count;
} reference_rms;

HELPER void reference_add(reference_rms* rms, const reference_table* table, int row, kai_vec3 v)
{
    for (int i = 0; i < 3; i++) {
        const double off = kai_vec3_get(v, i) - table->v[row][i];
        rms->sum += off * off;
    }
    rms->count += 3;
}

HELPER double reference_value(const reference_rms* rms)
{
    return sqrt(rms->sum / (rms->count > 0 ? rms->count : 1));
}

// Whole runs -------------------------------------------------------------------------------------

/// What is compared; the names of the tables follow in the same order.
enum {
    REFERENCE_POS,
    REFERENCE_VEL,
    REFERENCE_ACC,
    REFERENCE_AVEL,
    REFERENCE_AACC,
    REFERENCE_WHATS
};

/// One world with one moving body, and its reaction tables beside.
typedef struct reference_rig {
    kai_world* world;
    kai_body ground, body;
    kai_joint joint; // null: none
    kai_load load;   // null: none
    kai_joint motor; // null: none
} reference_rig;

/// The reactions of a rig at its present state, one value a table.
typedef void reference_reactions_fn(const reference_rig* rig, kai_vec3* values);

/// One case: what its tables are called, and which reactions it has.
typedef struct reference_case {
    const char* name;
    const char* reactions[4]; // ended by NULL
    reference_reactions_fn* react;
} reference_case;

/// Reads all tables of a case. The caller frees them.
HELPER reference_table* reference_load(const reference_case* c)
{
    static const char* const whats[] = {"Pos", "Vel", "Acc", "Avel", "Aacc"};
    reference_table* tables = calloc(REFERENCE_WHATS + 4, sizeof *tables);
    assert_non_null(tables);
    for (int i = 0; i < REFERENCE_WHATS + 4; i++) {
        const int r = i - REFERENCE_WHATS;
        if (r >= 0 && !c->reactions[r]) break;
        char name[128];
        snprintf(name, sizeof name, "%s_ADAMS_%s", c->name, r < 0 ? whats[i] : c->reactions[r]);
        reference_read(name, 3, &tables[i]);
    }
    return tables;
}

/// The state of a rig's body, in the order of the tables.
HELPER void reference_state(const reference_rig* rig, kai_vec3 out[REFERENCE_WHATS])
{
    out[REFERENCE_POS] = kai_body_com_position(rig->world, rig->body);
    out[REFERENCE_VEL] = kai_body_com_velocity(rig->world, rig->body);
    out[REFERENCE_ACC] = kai_body_acceleration(rig->world, rig->body);
    out[REFERENCE_AVEL] = kai_body_angular_velocity(rig->world, rig->body);
    out[REFERENCE_AACC] = kai_body_angular_acceleration(rig->world, rig->body);
}

/// Runs a rig along its tables with steps of 0.01 / n and returns the RMS of each.
HELPER void reference_run(const reference_case* c, const reference_rig* rig,
                          const reference_table* tables, int n, double rms[REFERENCE_WHATS + 4])
{
    reference_rms sums[REFERENCE_WHATS + 4] = {{0}};
    for (int row = 0; row < REFERENCE_ROWS; row++) {
        kai_vec3 values[REFERENCE_WHATS + 4] = {{0}};
        check_ok(kai_world_evaluate(rig->world));
        reference_state(rig, values);
        c->react(rig, values + REFERENCE_WHATS);
        for (int i = 0; i < REFERENCE_WHATS + 4; i++) {
            if (i >= REFERENCE_WHATS && !c->reactions[i - REFERENCE_WHATS]) break;
            reference_add(&sums[i], &tables[i], row, values[i]);
        }
        for (int i = 0; i < n; i++) check_ok(kai_world_step(rig->world, 0.01 / n));
    }
    for (int i = 0; i < REFERENCE_WHATS + 4; i++) rms[i] = reference_value(&sums[i]);
}

#endif
