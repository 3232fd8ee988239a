// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Four numbers at once: AVX2.
#include "solve/cone_kernel.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma")
#include "solve/cone_kernel_loops.h"

const kai_cone_kernel kai_cone_kernel_v3 = CONE_KERNEL_TABLE;
#endif
