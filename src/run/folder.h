// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The folder of a run: one run at a time writes to it, and what an earlier one left goes away
// before a new one begins.
//
// The file `.lock` is held by a lock of the system (flock), which ends with its process, however
// that ends. It says who holds it and lists the files that the run writes:
//
//     process 1234 on myhost
//     file top.csv
//     numbered grains.csv          grains-000000.csv, grains-000001.csv …
//
// A run that ends removes it; run.json lists the files then. One that was killed leaves it, and so
// the next run in the folder knows what to remove.
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include "model/world.h"

#include <kairos/output.h>

#define KAI_FOLDER_LOCK ".lock"

typedef struct kai_folder {
    char* directory; // NULL: not locked
    int lock;        // descriptor of the lock file
    char* listed;    // what a run that was killed had listed; NULL: nothing
    bool keep;       // the list in the lock file is still needed
} kai_folder;

/// Locks a folder that is there. KAI_ERROR_ARGUMENT names the process that holds it. Where files
/// cannot be locked it warns and goes on. Descriptors 0 to 2, where free, are taken first (by
/// /dev/null), so that nobody's messages get into a file of results.
kai_result kai_folder_lock(kai_folder* folder, const char* directory, const kai_world* world,
                           kai_error* err);

/// Removes what earlier runs left: files that every run may write, checkpoint first, so that what
/// is left never looks like a run to resume; and those that run.json or a lock file list. Only
/// plain files inside the folder are removed.
kai_result kai_folder_clear(kai_folder* folder, kai_error* err);

/// Lists the files of this run, those that events save too. They stay listed until
/// kai_folder_listed_elsewhere.
kai_result kai_folder_list(kai_folder* folder, const kai_world* world,
                           const kai_output_def* const* outputs, size_t count, kai_error* err);

/// Says that run.json lists them now.
void kai_folder_listed_elsewhere(kai_folder* folder);

/// Ends the lock. The file goes, unless its list is still needed.
void kai_folder_unlock(kai_folder* folder);

#endif
