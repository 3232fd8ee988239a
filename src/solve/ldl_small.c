// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_small_loops.h"

#include <string.h>

kai_result kai_ldl_small_lay(kai_ldl* ldl, kai_error* err)
{
    const bool small = ldl->fronts.fronts.count == 0 && ldl->node_count <= KAI_LDL_SMALL_COLUMNS &&
                       ldl->reach.count <= KAI_LDL_SMALL_BLOCKS;
    const size_t count = small ? ldl->reach.count * KAI_LDL_SMALL_BLOCK : 0;
    ldl->small = small;
    KAI_TRY(kai_array_resize(&ldl->turned, ldl->memory, count, err));
    if (count > 0) memset(ldl->turned.data, 0, count * sizeof(double));
    return KAI_OK;
}

void kai_ldl_small_solve(const kai_ldl* ldl, uint32_t begin, uint32_t end, double* x)
{
    _Alignas(64) double rows[KAI_LDL_SMALL_COLUMNS * W];
    const kai_ldl_small k = {.columns = ldl->columns.data,
                             .reach = ldl->reach.data,
                             .first_row = ldl->first_row.data,
                             .idle = ldl->idle.data,
                             .values = ldl->values.data,
                             .turned = ldl->turned.data,
                             .inverse = ldl->inverse.data,
                             .rows = rows};
    for (uint32_t c = begin; c < end; c++) {
        const double* from = x + k.first_row[k.columns[c].node];
        double* to = rows + (size_t)c * W;
        for (int p = 0; p < W; p++) to[p] = p < k.columns[c].rows ? from[p] : 0.0;
    }
    KAI_CPU_BEST(solve_rows, kai_ldl_small_v3_rows, kai_ldl_small_v4_rows)(&k, begin, end);
    for (uint32_t c = begin; c < end; c++) {
        double* to = x + k.first_row[k.columns[c].node];
        for (int p = 0; p < k.columns[c].rows; p++) to[p] = rows[(size_t)c * W + (size_t)p];
    }
}
