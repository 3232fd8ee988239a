// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What integrators can do: the bits of kai_integrator_capability, and what a world needs of them.
#ifndef STEP_INTEGRATOR_H
#define STEP_INTEGRATOR_H

#include "model/world.h"

#include <kairos/integrator.h>

/// Whether the integrator of the world has all of these capabilities.
static inline bool kai_integrator_can(const kai_world* world, unsigned capabilities)
{
    return (kai_integrator_get(world)->capabilities & capabilities) == capabilities;
}

/// KAI_ERROR_UNSUPPORTED where something in the world needs a capability that the integrator does
/// not have; the message names the built-in integrators that have it.
kai_result kai_integrator_check(kai_world* world, kai_error* err);

/// The same for the method of contact alone.
kai_result kai_integrator_check_contact(kai_world* world, kai_error* err);

#endif
