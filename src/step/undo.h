// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a stop inside a step must leave as it was, beside the state that kai_system_backup holds:
// the parts with KAI_PART_STOP, all that a checkpoint holds and a step changes before it is done. A world whose step was stopped
// goes on as one that was read from a checkpoint, so that stopped runs end with the bits of others.
#ifndef STEP_UNDO_H
#define STEP_UNDO_H

#include "model/part.h"

typedef struct kai_undo {
    bool on; // somebody may ask for a stop
    kai_part_backup parts;
} kai_undo;

/// Keeps it, where a stop can be asked for. Costs a copy of what an integrator carries.
kai_result kai_undo_begin(kai_undo* undo, kai_world* world, kai_error* err);

/// Ends a step: puts it back when the step was stopped. Returns `result`.
kai_result kai_undo_end(const kai_undo* undo, kai_world* world, kai_result result);

#endif
