// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/undo.h"

kai_result kai_undo_begin(kai_undo* undo, kai_world* world, kai_error* err)
{
    *undo = (kai_undo){.on = world->stop != NULL};
    return undo->on ? kai_part_backup_begin(world, KAI_PART_STOP, &undo->parts, err) : KAI_OK;
}

kai_result kai_undo_end(const kai_undo* undo, kai_world* world, kai_result result)
{
    if (undo->on) kai_part_backup_end(world, &undo->parts, result != KAI_ERROR_STOPPED);
    return result;
}
