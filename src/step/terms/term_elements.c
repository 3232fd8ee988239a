// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Finite elements (fea/fea.h) and their nodes. Their velocities change in one linear system with
// those of joints (elements.h), so there is no kick.
#include "step/term.h"

static kai_result elements_need(kai_world* world, void* data, unsigned* capabilities,
                                kai_error* err)
{
    (void)data;
    (void)err;
    if (world->elements.count + world->nodes.count > 0) *capabilities = KAI_INTEGRATOR_ELEMENTS;
    return KAI_OK;
}

static kai_result elements_begin(kai_world* world, void* data, kai_error* err)
{
    (void)data;
    kai_fea* fea;
    KAI_TRY(kai_fea_get(world, &fea, err));
    return fea ? kai_fea_forces_begin(fea, world, err) : KAI_OK;
}

/// What is laid out for elements; NULL: there are none.
static kai_fea* elements_of(const kai_world* world)
{
    return world->elements.count + world->nodes.count > 0 ? world->fea : NULL;
}

static kai_result elements_forces(kai_world* world, void* data, double time,
                                  const kai_fea_options* options, kai_error* err)
{
    (void)data;
    kai_fea* fea = elements_of(world);
    return fea ? kai_fea_forces_evaluate(fea, world, time, options, err) : KAI_OK;
}

static kai_result elements_spend(kai_world* world, void* data, double time, double seconds,
                                 kai_error* err)
{
    (void)data;
    kai_fea* fea = elements_of(world);
    double work;
    if (!fea) return KAI_OK;
    KAI_TRY(kai_fea_forces_work(fea, world, time, &work, err));
    world->work += seconds * work;
    return KAI_OK;
}

static void elements_drift(kai_world* world, void* data, double h)
{
    (void)data;
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        double *q = kai_node_q(&nodes[i]), *v = kai_node_v(&nodes[i]);
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++) q[k] += h * v[k];
    }
    if (elements_of(world)) kai_fea_follow_nodes(world->fea, world);
}

static kai_result elements_energy(kai_world* world, void* data, kai_energy* sum, kai_error* err)
{
    (void)data;
    double kinetic, potential, stored;
    KAI_TRY(kai_fea_mass_energy(world, &kinetic, &potential, &stored, err));
    sum->kinetic += kinetic;
    sum->potential += potential;
    sum->elastic += stored;
    return KAI_OK;
}

static kai_result elements_momentum(kai_world* world, void* data, kai_vec3* linear,
                                    kai_vec3* angular, kai_error* err)
{
    (void)data;
    kai_vec3 p, l;
    KAI_TRY(kai_fea_mass_momentum(world, &p, &l, err));
    *linear = kai_vec3_add(*linear, p);
    *angular = kai_vec3_add(*angular, l);
    return KAI_OK;
}

const kai_term kai_term_elements = {.name = "elements",
                                    .needs = elements_need,
                                    .begin = elements_begin,
                                    .forces = elements_forces,
                                    .spend = elements_spend,
                                    .drift = elements_drift,
                                    .energy = elements_energy,
                                    .momentum = elements_momentum};
