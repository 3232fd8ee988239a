// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Four numbers at once: AVX2.
#include "solve/ldl_kernel.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma")
#include "solve/ldl_kernel_loops.h"

const kai_ldl_kernel kai_ldl_kernel_v3 = LDL_KERNEL_TABLE;
#endif
