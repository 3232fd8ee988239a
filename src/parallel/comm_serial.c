// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One rank alone: messages to itself arrive, reductions leave values as they are.
#include "parallel/comm.h"

static kai_result serial_exchange(const kai_comm* comm, const kai_comm_message* send, size_t count,
                                  kai_comm_inbox* inbox, kai_error* err)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (send[i].rank != comm->rank)
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "message %zu is for rank %d of %d", i,
                                 send[i].rank, comm->size);
        bytes += send[i].bytes;
    }
    KAI_TRY(kai_comm_inbox_reserve(inbox, count, bytes, err));
    for (size_t i = 0; i < count; i++)
        kai_comm_inbox_put(inbox, comm->rank, send[i].data, send[i].bytes);
    return KAI_OK;
}

static kai_result serial_reduce(const kai_comm* comm, kai_comm_operation operation, double* values,
                                size_t count, kai_error* err)
{
    (void)comm, (void)operation, (void)values, (void)count, (void)err;
    return KAI_OK;
}

static kai_result serial_gather(const kai_comm* comm, int root, const void* data, size_t bytes,
                                kai_comm_inbox* inbox, kai_error* err)
{
    const kai_comm_message own = {root, data, bytes};
    return serial_exchange(comm, &own, 1, inbox, err);
}

static kai_result serial_barrier(const kai_comm* comm, kai_error* err)
{
    (void)comm, (void)err;
    return KAI_OK;
}

static void serial_abort(const kai_comm* comm, const char* message) { (void)comm, (void)message; }

const kai_comm* kai_comm_serial(void)
{
    static const kai_comm SERIAL = {.name = "serial",
                                    .size = 1,
                                    .exchange = serial_exchange,
                                    .reduce = serial_reduce,
                                    .gather = serial_gather,
                                    .barrier = serial_barrier,
                                    .abort = serial_abort};
    return &SERIAL;
}
