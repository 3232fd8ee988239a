// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_list_check.h"

#include <stdatomic.h>

enum { BLOCK = KAI_GRAINS_BLOCK };

typedef struct watch_context {
    const kai_contacts_list_check* watch;
    const kai_bodies* bodies;
    double lead;
    atomic_int seen; // bits only ever come: the order of threads does not show
} watch_context;

KAI_CLONES
static void see(size_t begin, size_t end, void* context)
{
    watch_context* c = context;
    const int seen = kai_contacts_list_check_look(c->watch, c->bodies, c->lead, begin, end);
    if (seen) atomic_fetch_or_explicit(&c->seen, seen, memory_order_relaxed);
    if (c->watch->left) c->watch->left[begin / BLOCK] = seen != 0;
}

int kai_contacts_list_check_see(const kai_contacts_list_check* watch, const kai_bodies* bodies,
                                double lead, int threads)
{
    watch_context c = {.watch = watch, .bodies = bodies, .lead = lead};
    kai_parallel_for(threads, bodies->count, BLOCK, see, &c);
    return atomic_load(&c.seen);
}

int kai_contacts_list_check_again(const kai_contacts_list_check* watch, const kai_bodies* bodies,
                                  double lead)
{
    int seen = 0;
    for (size_t begin = 0; watch->left && begin < bodies->count; begin += BLOCK) {
        const size_t left = bodies->count - begin;
        if (watch->left[begin / BLOCK])
            seen |= kai_contacts_list_check_look(watch, bodies, lead, begin,
                                                 begin + (left < BLOCK ? left : BLOCK));
    }
    return seen;
}
