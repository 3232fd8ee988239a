// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shells of linear layers for CPUs with AVX2.
#include "fea/elements/ancf_shell.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma")
#include "fea/elements/ancf_shell_loops.h"

void kai_ancf_shell_v3(const kai_element_batch* batch, size_t begin, size_t end)
{
    elements(batch, begin, end);
}
#endif
