// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which bodies are asleep. kai_motion.rest holds, in its lower half, for how many steps a body has been at
// rest, and in its upper half the number of the island that it sleeps in. Who falls asleep and who
// is woken by touch: step/islands.h.
#ifndef MODEL_SLEEP_H
#define MODEL_SLEEP_H

#include "model/world.h"

/// What does not move in a step: fixed, or asleep.
#define KAI_SLEEP_STILL (KAI_BODY_FIXED | KAI_BODY_ASLEEP)

static inline uint32_t kai_sleep_island(const kai_motion* motion)
{
    return (uint32_t)(motion->rest >> 32);
}

/// Whether bodies may fall asleep in this world; a failure where they may, but contacts or the
/// integrator do not allow it.
kai_result kai_sleep_check(const kai_world* world, const char* integrator, kai_error* err);

/// Wakes an island; 0: all bodies.
void kai_sleep_wake_island(kai_world* world, uint32_t island);

/// Before a step: wakes all where somebody has changed the world since kai_sleep_note.
void kai_sleep_look(kai_world* world);

/// After a step: so many bodies are asleep, in the world as it is now.
void kai_sleep_note(kai_world* world, size_t asleep);

#endif
