// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Straight lines between points, constant outside. At a point the line on its right counts.
#include "control/blocks/block.h"

typedef kai_block_table_params params;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const params* p = instance;
    const double *at = p->points.data, x = m->inputs[0].y;
    const uint32_t rows = p->points.rows;
    if (x < at[0]) return (kai_jet){at[1], 0.0, 0.0};
    if (x >= at[2 * (rows - 1)]) return (kai_jet){at[2 * (rows - 1) + 1], 0.0, 0.0};
    uint32_t low = 0, high = rows - 1; // at[low] ≤ x < at[high]
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (at[2 * middle] <= x)
            low = middle;
        else
            high = middle;
    }
    const double *a = at + 2 * (size_t)low, *b = at + 2 * (size_t)high;
    const double slope = (b[1] - a[1]) / (b[0] - a[0]);
    return (kai_jet){a[1] + slope * (x - a[0]), slope * m->inputs[0].dy, slope * m->inputs[0].ddy};
}

static kai_result check(const void* instance, kai_error* err)
{
    const kai_table* points = &((const params*)instance)->points;
    for (uint32_t i = 1; i < points->rows; i++)
        if (!(points->data[2 * i] > points->data[2 * i - 2]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "points: x of row %u is %g; must be > %g, the x before it", i,
                                 points->data[2 * i], points->data[2 * i - 2]);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(params, "x."),
    KAI_PARAM(TABLE, params, points, .columns = 2, .rows_min = 1, .required = true,
              .doc = "Rows [x, y] with x increasing: straight lines between them, constant "
                     "outside."),
};

const kai_signal_kind kai_block_table = {
    .kind = KAI_KIND("table", params, PARAMS, .check = check, .doc = "A curve over the input."),
    .value = value};
