// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_kernel_loops.h"

const kai_ldl_kernel kai_ldl_kernel_plain = LDL_KERNEL_TABLE;

const kai_ldl_kernel* kai_ldl_kernel_best(void)
{
#ifdef KAI_LDL_KERNEL_CPUS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return &kai_ldl_kernel_v4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &kai_ldl_kernel_v3;
#endif
    return &kai_ldl_kernel_plain;
}
