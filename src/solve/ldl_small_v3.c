// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Four numbers at once: AVX2.
#include "solve/ldl_small.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma")
#include "solve/ldl_small_loops.h"

void kai_ldl_small_v3_rows(const kai_ldl_small* chunk, uint32_t begin, uint32_t end)
{
    solve_rows(chunk, begin, end);
}
#endif
