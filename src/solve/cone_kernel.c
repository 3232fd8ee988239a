// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_kernel_loops.h"

static const kai_cone_kernel plain = CONE_KERNEL_TABLE;

const kai_cone_kernel* kai_cone_kernel_best(void)
{
#ifdef KAI_CONE_KERNEL_CPUS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return &kai_cone_kernel_v4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &kai_cone_kernel_v3;
#endif
    return &plain;
}
