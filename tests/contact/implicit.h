// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Worlds with penalty contact under the implicit integrators.
#ifndef TESTS_CONTACT_IMPLICIT_H
#define TESTS_CONTACT_IMPLICIT_H

#include "contact/stage.h"

#include <kairos/integrator.h>

enum { IMPLICIT_KINDS = 4 };
static const kai_integrator_kind* const IMPLICIT[IMPLICIT_KINDS] = {
    &kai_integrator_hht, &kai_integrator_newmark, &kai_integrator_trapezoidal,
    &kai_integrator_euler_implicit};

/// Sets the integrator; hht with steps that are not divided for accuracy.
HELPER void implicit_set(kai_world* world, const kai_integrator_kind* kind)
{
    kai_integrator_hht_params hht;
    kai_kind_defaults(&kai_integrator_hht.kind, &hht);
    hht.adaptive = false;
    check_ok(kai_integrator_set(world, kind, kind == &kai_integrator_hht ? &hht : NULL));
}

HELPER kai_world* implicit_world(const kai_integrator_kind* kind, const kai_contact_law_kind* law,
                                 int threads)
{
    kai_world* world = stage_world(KAI_CONTACT_SMC, threads);
    kai_contact_def contact = kai_contact_get(world);
    check_ok(kai_contact_law_create(world, law, NULL, &contact.law));
    check_ok(kai_contact_set(world, &contact));
    implicit_set(world, kind);
    return world;
}

#endif
