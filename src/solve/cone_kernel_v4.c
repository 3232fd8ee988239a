// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Eight numbers at once: AVX-512.
#include "solve/cone_kernel.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")
#include "solve/cone_kernel_loops.h"

const kai_cone_kernel kai_cone_kernel_v4 = CONE_KERNEL_TABLE;
#endif
