// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/stop.h"

#include <stdatomic.h>

// Looks that pass, and how many have been taken; 0: no limit.
static atomic_uint_least64_t limit, taken;

void kai_stop_after(uint64_t looks)
{
    atomic_store(&taken, 0);
    atomic_store(&limit, looks);
}

bool kai_stop_asked(const volatile int* stop)
{
    if (!stop) return false;
    if (__atomic_load_n(stop, __ATOMIC_RELAXED) != 0) return true;
    const uint64_t most = atomic_load_explicit(&limit, memory_order_relaxed);
    return most > 0 && atomic_fetch_add(&taken, 1) >= most;
}

kai_result kai_stop_error(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_STOPPED, "stopped on request");
}
