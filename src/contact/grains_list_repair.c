// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/grains_list_repair.h"

#include "contact/grains_list_edit.h"

static bool is_inside(const kai_grains* g, const kai_cell_list_points* points, size_t i)
{
    return kai_cell_list_holds(points, g->skin_boxes.data, g->skin_box_origin, i, i + 1);
}

/// Gives spheres [begin, end) new skin boxes where they have left theirs; false: there is no room for
/// their pairs.
static bool repair_range(kai_grains* g, const kai_cell_list_points* points, size_t begin,
                         size_t end)
{
    const size_t most = g->count / 1024 + 4;
    uint32_t near[KAI_CELL_LIST_ROW];
    for (size_t slot = begin; slot < end; slot++) {
        if (is_inside(g, points, slot - g->skin_box_slot)) continue;
        if (g->repaired++ >= most) return false;
        kai_grains_list_edit_leave(g, (uint32_t)slot);
        if (!kai_grains_list_edit_come(g, points, (uint32_t)slot)) {
            kai_cell_hash_clear(&g->near); // not all boxes are in it
            return false;
        }
        const size_t n = kai_grains_list_edit_near(g, points, (uint32_t)slot, UINT32_MAX, near);
        if (n == SIZE_MAX || !kai_grains_list_edit_meet(g, points, (uint32_t)slot, near, n))
            return false;
    }
    return true;
}

bool kai_grains_list_repair(kai_grains* g, const kai_contacts_list_check* watch,
                            const kai_cell_list_points* points)
{
    const size_t blocks = g->left.count;
    bool whole;
    if (!watch->left || kai_grains_list_edit_begin(g, &whole, NULL) != KAI_OK) return false;
    for (size_t k = 0; k < blocks && whole; k++) {
        const size_t from = k * KAI_GRAINS_BLOCK, to = from + KAI_GRAINS_BLOCK;
        if (watch->left[k])
            whole = repair_range(g, points, from > watch->begin ? from : watch->begin,
                                 to < watch->end ? to : watch->end);
    }
    if (!whole) return false;
    return g->summed || kai_grains_list_make_sums(g, NULL) == KAI_OK;
}
