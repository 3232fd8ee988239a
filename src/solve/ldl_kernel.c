// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_kernel_loops.h"

const kai_ldl_kernel kai_ldl_kernel_plain = LDL_KERNEL_TABLE;

const kai_ldl_kernel* kai_ldl_kernel_best(void)
{
    return KAI_CPU_BEST(&kai_ldl_kernel_plain, &kai_ldl_kernel_v3, &kai_ldl_kernel_v4);
}
