// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts. Integrators find them when their method wants them (kai_system_contacts), and get forces
// by penalty or impulses by complementarity.
#include "step/term.h"

static kai_result contacts_need(kai_world* world, void* data, unsigned* capabilities,
                                kai_error* err)
{
    (void)data;
    (void)err;
    if (world->contact_def.method == KAI_CONTACT_SMC)
        *capabilities = KAI_INTEGRATOR_PENALTY_CONTACT;
    if (world->contact_def.method == KAI_CONTACT_NSC) *capabilities = KAI_INTEGRATOR_CONE_CONTACT;
    return KAI_OK;
}

static kai_result contacts_energy(kai_world* world, void* data, kai_energy* sum, kai_error* err)
{
    (void)data;
    (void)err;
    sum->elastic += world->contact_elastic;
    return KAI_OK;
}

const kai_term kai_term_contacts = {
    .name = "contacts", .needs = contacts_need, .energy = contacts_energy};
