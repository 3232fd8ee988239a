// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The process of kairos-import: found, started, talked to until a deadline, ended whatever happens.
#ifndef IMPORT_IMPORT_PROCESS_H
#define IMPORT_IMPORT_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct kai_import_process {
    pid_t pid;        // 0: none
    int socket;       // -1: none
    char folder[256]; // its own, empty at first; "": none
    uint64_t memory;  // most bytes
    double seconds;   // most time
    double until;     // the deadline
    bool late;        // the deadline has passed
} kai_import_process;

/// The limits that hold: of the environment (KAIROS_IMPORT_MEMORY in MiB, KAIROS_IMPORT_SECONDS),
/// else 300 s and half of the machine's memory, at most 8 GiB and at most `memory` (0: no other).
void kai_import_process_limits(kai_import_process* process, uint64_t memory);

/// Starts the program. End it with kai_import_process_end, also after an error.
kai_result kai_import_process_start(kai_import_process* process, kai_error* err);

/// Sends bytes, or fills bytes; false at the end of the process, or when it is late.
bool kai_import_process_send(kai_import_process* process, const void* bytes, size_t size);
bool kai_import_process_receive(kai_import_process* process, void* bytes, size_t size);

/// Waits for the end of a process that says no more, and tells why it ended.
kai_result kai_import_process_why(kai_import_process* process, kai_error* err);

/// KAI_ERROR_LIMIT: it needed more memory than it may have.
kai_result kai_import_process_memory(const kai_import_process* process, kai_error* err);

/// Ends the process and removes its folder.
void kai_import_process_end(kai_import_process* process);

#endif
