// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Eight numbers at once: AVX-512.
#include "solve/ldl_small.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")
#include "solve/ldl_small_loops.h"

void kai_ldl_small_v4_rows(const kai_ldl_small* chunk, uint32_t begin, uint32_t end)
{
    solve_rows(chunk, begin, end);
}
#endif
