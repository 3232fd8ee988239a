// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads on bodies and shafts: kinds of kai_load_kind (model/load.c).
#include "step/term.h"

static kai_result loads_forces(kai_world* world, void* data, double time,
                               const kai_fea_options* options, kai_error* err)
{
    (void)data;
    (void)options;
    return kai_load_evaluate(world, time, err);
}

static bool loads_need_velocity(const kai_world* world, void* data)
{
    (void)data;
    return kai_load_needs_velocity(world);
}

static kai_result loads_spend(kai_world* world, void* data, double time, double seconds,
                              kai_error* err)
{
    (void)data;
    (void)time;
    return kai_load_energy_spend(world, seconds, err);
}

static kai_result loads_energy(kai_world* world, void* data, kai_energy* sum, kai_error* err)
{
    (void)data;
    double elastic = 0.0;
    KAI_TRY(kai_load_energy(world, &elastic, err));
    sum->elastic += elastic;
    return KAI_OK;
}

const kai_term kai_term_loads = {.name = "loads",
                                 .forces = loads_forces,
                                 .needs_velocity = loads_need_velocity,
                                 .spend = loads_spend,
                                 .energy = loads_energy};
