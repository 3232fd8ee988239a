// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A sweep: one scene run with many sets of values.
#ifndef SWEEP_H
#define SWEEP_H

#include "cli.h"

/// What is varied: --vary NAME=VALUES.
typedef struct sweep_vary {
    char* name;
    char** values; ///< [count] as texts
    size_t count;
} sweep_vary;

/// All combinations of values; the last thing varied changes fastest.
typedef struct sweep_plan {
    sweep_vary* varies; ///< [count]
    size_t count, total;
} sweep_plan;

/// Reads what --vary says; false after an error, which it has printed.
bool sweep_plan_read(sweep_plan* plan, const cli_list* texts);
void sweep_plan_free(sweep_plan* plan);

/// The value of thing i in run k.
const char* sweep_plan_value(const sweep_plan* plan, size_t k, size_t i);

/// "NAME=VALUE" of thing i in run k, to be given to free(); NULL when there is no memory.
char* sweep_plan_set(const sweep_plan* plan, size_t k, size_t i);

/// The name of the folder of run k, "run-0001" for the first.
void sweep_plan_folder(size_t k, char* out, size_t size);

/// What came out of all runs: a row each, with the columns that any of them has.
typedef struct sweep_table sweep_table;

sweep_table* sweep_table_make(const sweep_plan* plan); ///< NULL when there is no memory
void sweep_table_free(sweep_table* table);

/// Sets how run k ended, "done", "failed", "stopped" …, and takes its results from its folder.
/// False when there is no memory.
bool sweep_table_add(sweep_table* table, size_t k, const char* result, const char* directory);

/// Writes sweep.csv and index.html to a folder; false after an error, which it has printed.
bool sweep_table_write(const sweep_table* table, const char* directory, const char* scene);

/// Writes the page: `data` is the table as JSON without '<'.
bool sweep_page_write(FILE* out, const char* data);

#endif
