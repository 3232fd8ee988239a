// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"

kai_result kai_check_world(const char* function, const char* names, const void* const* pointers,
                           size_t count)
{
    const kai_world* world = pointers[0];
    return kai_check_refuse(world ? kai_world_error_of(world) : NULL, function, names, pointers,
                            count);
}

kai_result kai_check_busy(const kai_world* world, const char* function)
{
    kai_world* told = (kai_world*)(uintptr_t)world; // to leave a message is no change of state
    atomic_store_explicit(&told->refused, function, memory_order_relaxed);
    return KAI_ERROR_BUSY;
}

void kai_check_enter(kai_world* world) { world->in_step = true; }

void kai_check_leave(kai_world* world, kai_result result)
{
    world->in_step = false;
    const char* function = atomic_exchange_explicit(&world->refused, NULL, memory_order_relaxed);
    if (!function) return;
    static const char TEXT[] = "%s: called from inside a step of the same world; nothing was done";
    if (result == KAI_OK) kai_error_set(&world->error, KAI_ERROR_BUSY, TEXT, function);
    if (!world->refused_told) kai_world_log(world, KAI_LOG_WARNING, TEXT, function);
    world->refused_told = true;
}
