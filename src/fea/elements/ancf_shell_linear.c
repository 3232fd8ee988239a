// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shells of linear layers: the kernel for this CPU, and the one that every CPU can run.
#include "fea/elements/ancf_shell_loops.h"

void kai_ancf_shell_linear_force(const kai_element_batch* batch, size_t begin, size_t end)
{
    KAI_CPU_BEST(elements, kai_ancf_shell_v3, kai_ancf_shell_v4)(batch, begin, end);
}
