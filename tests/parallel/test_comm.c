// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Communication between ranks: the serial implementation, one of threads that this file makes by the
// rules of the interface (so that several ranks are tried without MPI), and a world that uses it.
#include "parallel/comm.h"

#include "helper.h"

#include <kairos/world.h>
#include <pthread.h>

#include "model/world.h"

// Ranks that are threads -------------------------------------------------------------------------

enum { RANKS = 3, MOST = 8 };

/// What the ranks share.
typedef struct room {
    pthread_barrier_t barrier;
    const kai_comm_message* sent[RANKS];
    size_t sent_count[RANKS];
    const double* values[RANKS];
} room;

static void wait_for_all(const kai_comm* comm)
{
    pthread_barrier_wait(&((room*)comm->context)->barrier);
}

static kai_result threads_exchange(const kai_comm* comm, const kai_comm_message* send, size_t count,
                                   kai_comm_inbox* inbox, kai_error* err)
{
    room* shared = comm->context;
    shared->sent[comm->rank] = send;
    shared->sent_count[comm->rank] = count;
    wait_for_all(comm);
    size_t messages = 0, bytes = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int from = 0; from < comm->size; from++) {
            for (size_t i = 0; i < shared->sent_count[from]; i++) {
                const kai_comm_message* m = &shared->sent[from][i];
                if (m->rank != comm->rank) continue;
                if (pass) kai_comm_inbox_put(inbox, from, m->data, m->bytes);
                messages++, bytes += m->bytes;
            }
        }
        if (!pass) KAI_TRY(kai_comm_inbox_reserve(inbox, messages, bytes, err));
    }
    wait_for_all(comm); // nobody's data go before all have read
    return KAI_OK;
}

static kai_result threads_reduce(const kai_comm* comm, kai_comm_operation operation, double* values,
                                 size_t count, kai_error* err)
{
    (void)err;
    room* shared = comm->context;
    double sums[MOST];
    assert_true(count <= MOST);
    shared->values[comm->rank] = values;
    wait_for_all(comm);
    for (size_t i = 0; i < count; i++) {
        sums[i] = shared->values[0][i];
        for (int rank = 1; rank < comm->size; rank++) {
            const double v = shared->values[rank][i];
            if (operation == KAI_COMM_SUM) sums[i] += v;
            if (operation == KAI_COMM_MIN) sums[i] = fmin(sums[i], v);
            if (operation == KAI_COMM_MAX) sums[i] = fmax(sums[i], v);
        }
    }
    wait_for_all(comm);
    memcpy(values, sums, count * sizeof *sums);
    return KAI_OK;
}

static kai_result threads_gather(const kai_comm* comm, int root, const void* data, size_t bytes,
                                 kai_comm_inbox* inbox, kai_error* err)
{
    const kai_comm_message own = {root, data, bytes};
    return threads_exchange(comm, &own, 1, inbox, err);
}

static kai_result threads_barrier(const kai_comm* comm, kai_error* err)
{
    (void)err;
    wait_for_all(comm);
    return KAI_OK;
}

static void threads_abort(const kai_comm* comm, const char* message) { (void)comm, (void)message; }

/// Calls a test on every rank.
static void on_ranks(int size, void* (*test)(void* comm))
{
    room shared;
    kai_comm comms[RANKS];
    pthread_t threads[RANKS];
    assert_int_equal(pthread_barrier_init(&shared.barrier, NULL, (unsigned)size), 0);
    for (int i = 0; i < size; i++) {
        comms[i] = (kai_comm){.name = "threads",
                              .rank = i,
                              .size = size,
                              .context = &shared,
                              .exchange = threads_exchange,
                              .reduce = threads_reduce,
                              .gather = threads_gather,
                              .barrier = threads_barrier,
                              .abort = threads_abort};
        assert_int_equal(pthread_create(&threads[i], NULL, test, &comms[i]), 0);
    }
    for (int i = 0; i < size; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&shared.barrier);
}

// Rules that hold for every implementation -------------------------------------------------------

/// cmocka's checks are for one thread: ranks count what is wrong.
static _Atomic int wrong;

static void expect(bool right) { wrong += !right; }

/// Each rank sends its number to all, itself too, and two messages to the next one.
static void* exchanging(void* context)
{
    const kai_comm* comm = context;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_comm_inbox inbox = kai_comm_inbox_make(&memory);
    const int next = (comm->rank + 1) % comm->size,
              before = (comm->rank + comm->size - 1) % comm->size;
    for (int round = 0; round < 3; round++) {
        const char* const text = "behind";
        kai_comm_message send[RANKS + 1];
        for (int i = 0; i < comm->size; i++)
            send[i] = (kai_comm_message){i, &comm->rank, sizeof comm->rank};
        send[comm->size] = (kai_comm_message){next, text, (size_t)(2 * round)};
        expect(comm->exchange(comm, send, (size_t)comm->size + 1, &inbox, NULL) == KAI_OK);
        const kai_comm_message* got = inbox.messages.data;
        expect(inbox.messages.count == (size_t)comm->size + 1);
        for (int from = 0, i = 0; from < comm->size; from++) {
            expect(got[i].rank == from && got[i].bytes == sizeof(int) &&
                   *(const int*)got[i].data == from && (size_t)got[i].data % 8 == 0);
            i++;
            if (from != before) continue;
            expect(got[i].rank == from && got[i].bytes == (size_t)(2 * round) &&
                   memcmp(got[i].data, text, got[i].bytes) == 0);
            i++;
        }
    }
    kai_comm_inbox_free(&inbox);
    expect(memory.bytes == 0);
    return NULL;
}

/// Sums are those of rank 0 first: bit by bit, though 0.1 + 0.2 + 0.3 depends on the order.
static void* reducing(void* context)
{
    const kai_comm* comm = context;
    const double own = 0.1 * (comm->rank + 1);
    double sum[2] = {own, -own}, least = own, most = own, expected = 0.1;
    for (int i = 1; i < comm->size; i++) expected += 0.1 * (i + 1);
    expect(comm->reduce(comm, KAI_COMM_SUM, sum, 2, NULL) == KAI_OK);
    expect(comm->reduce(comm, KAI_COMM_MIN, &least, 1, NULL) == KAI_OK);
    expect(comm->reduce(comm, KAI_COMM_MAX, &most, 1, NULL) == KAI_OK);
    expect(comm->barrier(comm, NULL) == KAI_OK);
    expect(sum[0] == expected && sum[1] == -expected);
    expect(least == 0.1 && most == 0.1 * comm->size);
    return NULL;
}

static void* gathering(void* context)
{
    const kai_comm* comm = context;
    const int root = comm->size - 1;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_comm_inbox inbox = kai_comm_inbox_make(&memory);
    expect(comm->gather(comm, root, &comm->rank, sizeof(int), &inbox, NULL) == KAI_OK);
    const kai_comm_message* got = inbox.messages.data;
    expect(inbox.messages.count == (comm->rank == root ? (size_t)comm->size : 0));
    for (size_t i = 0; i < inbox.messages.count; i++)
        expect(got[i].rank == (int)i && *(const int*)got[i].data == (int)i);
    kai_comm_inbox_free(&inbox);
    return NULL;
}

static void rules_hold_on_one_rank_and_on_several(void** state)
{
    (void)state;
    void* (*const tests[])(void*) = {exchanging, reducing, gathering};
    for (size_t i = 0; i < KAI_COUNT(tests); i++) {
        kai_comm serial = *kai_comm_serial();
        wrong = 0;
        tests[i](&serial);
        for (int size = 1; size <= RANKS; size++) on_ranks(size, tests[i]);
        assert_int_equal(wrong, 0);
    }
}

static void serial_refuses_other_ranks(void** state)
{
    (void)state;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_comm_inbox inbox = kai_comm_inbox_make(&memory);
    kai_error err = {0};
    const kai_comm* comm = kai_comm_serial();
    const kai_comm_message to_nobody = {1, "", 0};
    assert_int_equal(comm->rank, 0);
    assert_int_equal(comm->size, 1);
    check_error(comm->exchange(comm, &to_nobody, 1, &inbox, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "message 0 is for rank 1 of 1");
    kai_comm_inbox_free(&inbox);
}

// A world ----------------------------------------------------------------------------------------

/// Each rank has a body of its own: energy and momentum are those of all.
static void* summing(void* context)
{
    const kai_comm* comm = context;
    kai_world_def def = kai_world_def_default();
    def.threads = 1;
    def.gravity = kai_vec3_zero();
    kai_world* world = NULL;
    expect(kai_world_create(&def, &world, NULL) == KAI_OK);
    expect(world->comm == kai_comm_serial());
    world->comm = comm;
    kai_body_def body = kai_body_def_default();
    body.mass = 2.0;
    body.inertia = (kai_inertia){1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    body.velocity.x = comm->rank + 1.0;
    kai_body made;
    expect(kai_body_create(world, &body, &made) == KAI_OK);
    kai_energy energy;
    kai_vec3 linear, angular;
    expect(kai_world_energy(world, &energy) == KAI_OK);
    expect(kai_world_momentum(world, &linear, &angular) == KAI_OK);
    double kinetic = 0.0, momentum = 0.0;
    for (int i = 0; i < comm->size; i++)
        kinetic += (i + 1.0) * (i + 1.0), momentum += 2.0 * (i + 1.0);
    expect(energy.kinetic == kinetic && linear.x == momentum && linear.y == 0.0);
    kai_world_destroy(world);
    return NULL;
}

static void worlds_add_up_what_ranks_have(void** state)
{
    (void)state;
    wrong = 0;
    on_ranks(RANKS, summing);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_hold_on_one_rank_and_on_several),
        cmocka_unit_test(serial_refuses_other_ranks),
        cmocka_unit_test(worlds_add_up_what_ranks_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
