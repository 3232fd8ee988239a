// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_kernel_loops.h"

static const kai_cone_kernel plain = CONE_KERNEL_TABLE;

const kai_cone_kernel* kai_cone_kernel_best(void)
{
    return KAI_CPU_BEST(&plain, &kai_cone_kernel_v3, &kai_cone_kernel_v4);
}
