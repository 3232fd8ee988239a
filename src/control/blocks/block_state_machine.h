// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a state machine keeps beside its description; `select` looks at it too.
#ifndef CONTROL_BLOCKS_BLOCK_STATE_MACHINE_H
#define CONTROL_BLOCKS_BLOCK_STATE_MACHINE_H

#include <kairos/signal.h>

typedef struct kai_block_state_machine_instance {
    kai_block_state_machine_params given;
    int64_t current; // number of its state
    double since;    // when it was entered, s
} kai_block_state_machine_instance;

#endif
