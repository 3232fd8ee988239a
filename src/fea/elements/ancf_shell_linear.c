// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shells of linear layers: the kernel for this CPU, and the one that every CPU can run.
#include "fea/elements/ancf_shell_loops.h"

void kai_ancf_shell_linear_force(const kai_element_batch* batch, size_t begin, size_t end)
{
#ifdef KAI_ANCF_SHELL_CPUS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
        kai_ancf_shell_v4(batch, begin, end);
        return;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        kai_ancf_shell_v3(batch, begin, end);
        return;
    }
#endif
    elements(batch, begin, end);
}
