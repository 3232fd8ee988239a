// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Communication between the ranks (processes) that share one world. Nothing else in the engine knows
// how ranks talk: comm_serial.c is one rank alone, and MPI is a second file that fills the same
// table.
//
// All ranks make the same calls in the same order. Every reduction adds rank 0 first, then 1, and so
// on, whatever arrives first: all ranks receive the same bits, and a second run the same again.
#ifndef PARALLEL_COMM_H
#define PARALLEL_COMM_H

#include "base/array.h"
#include "base/error.h"

/// Bytes for another rank, or from one.
typedef struct kai_comm_message {
    int rank;         // receiver, or sender
    const void* data; // [bytes]
    size_t bytes;
} kai_comm_message;

/// Messages that were received, in the order of their senders, and of one sender in the order in
/// which it sent them. Start from zero; keep it from one exchange to the next, which uses its memory
/// again.
typedef struct kai_comm_inbox {
    kai_memory* memory;
    kai_array messages; // kai_comm_message, valid until the next exchange
    kai_array bytes;    // char: what they hold
} kai_comm_inbox;

typedef enum kai_comm_operation { KAI_COMM_SUM, KAI_COMM_MIN, KAI_COMM_MAX } kai_comm_operation;

/// The ranks of a world. Slots are never NULL; `context` is the implementation's.
typedef struct kai_comm kai_comm;
struct kai_comm {
    const char* name; // "serial", "mpi"
    int rank, size;   // 0 <= rank < size
    void* context;

    /// Sends messages, to neighbours or to itself, and receives all that were sent here.
    kai_result (*exchange)(const kai_comm* comm, const kai_comm_message* send, size_t count,
                           kai_comm_inbox* inbox, kai_error* err);
    /// Replaces values[i] by the sum, least or largest of all ranks' values[i].
    kai_result (*reduce)(const kai_comm* comm, kai_comm_operation operation, double* values,
                         size_t count, kai_error* err);
    /// Sends `bytes` bytes of each rank to `root`, which receives one message of each.
    kai_result (*gather)(const kai_comm* comm, int root, const void* data, size_t bytes,
                         kai_comm_inbox* inbox, kai_error* err);
    /// Returns when all ranks have called it.
    kai_result (*barrier)(const kai_comm* comm, kai_error* err);
    /// Tells the other ranks that this one cannot go on: their next call fails with this message.
    void (*abort)(const kai_comm* comm, const char* message);
};

/// The one rank of a world that is in one process.
const kai_comm* kai_comm_serial(void);

/// An inbox that takes its memory from there; and its end.
kai_comm_inbox kai_comm_inbox_make(kai_memory* memory);
void kai_comm_inbox_free(kai_comm_inbox* inbox);

/// Empties an inbox and makes room for so many messages and bytes, so that
/// kai_comm_inbox_put cannot fail.
kai_result kai_comm_inbox_reserve(kai_comm_inbox* inbox, size_t messages, size_t bytes,
                                  kai_error* err);

/// Adds a copy of a message that is in there with others; data are aligned to 8 bytes.
void kai_comm_inbox_put(kai_comm_inbox* inbox, int from, const void* data, size_t bytes);

#endif
