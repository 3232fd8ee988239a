// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Eight numbers at once: AVX-512.
#include "solve/ldl_kernel.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")
#include "solve/ldl_kernel_loops.h"

const kai_ldl_kernel kai_ldl_kernel_v4 = LDL_KERNEL_TABLE;
#endif
