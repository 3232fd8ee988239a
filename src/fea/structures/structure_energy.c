// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/fea.h"
#include "fea/results.h"
#include "model/check.h"
#include "model/id.h"
#include "model/structures/structure.h"

static double kinetic_of(const kai_world* world, kai_body body)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX || (world->bodies.motion[slot].flags & KAI_BODY_FIXED)) return 0.0;
    const kai_motion* motion = &world->bodies.motion[slot];
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
    const kai_vec3 w = motion->spin, j = mass->moments;
    return 0.5 * (mass->mass * kai_vec3_norm2(motion->velocity) +
                  (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z));
}

static kai_result sum(kai_world* world, kai_structure structure, double* kinetic, double* elastic)
{
    bool frames;
    kai_fea* f = NULL;
    *kinetic = *elastic = 0.0;
    KAI_TRY(kai_structure_check(world, structure, NULL, &frames));
    KAI_TRY(kai_fea_get(world, &f, &world->error));
    const kai_element_result* energy = kai_results_at(KAI_RESULTS_NONE, 0);
    const size_t elements = kai_structure_element_count(world, structure);
    for (size_t i = 0; i < elements; i++) {
        const kai_element element = kai_structure_element_at(world, structure, i);
        const kai_store_entry* entry = kai_store_find(&world->elements, KAI_ID_OF(element));
        if (!entry) continue; // it was removed
        double own = 0.0;
        kai_fea_forces_result(f, world, entry->batch, entry->slot, energy,
                              (const double[3]){0.0, 0.0, 0.0}, &own);
        *elastic += own;
        *kinetic += kai_fea_mass_kinetic(f, world, entry->batch, entry->slot);
    }
    const size_t nodes = kai_structure_size(world, structure, NULL);
    for (size_t i = 0; i < nodes; i++) {
        if (frames) {
            *kinetic += kinetic_of(world, kai_structure_body_at(world, structure, NULL, i));
            continue;
        }
        kai_node_def def;
        const kai_node node = kai_structure_node_at(world, structure, NULL, i);
        if (kai_node_slot(world, node) == UINT32_MAX) continue;
        KAI_TRY(kai_node_get(world, node, &def));
        *kinetic += 0.5 * def.mass * kai_vec3_norm2(def.velocity);
    }
    return KAI_OK;
}

kai_result kai_structure_energy(kai_world* world, kai_structure structure, double* kinetic,
                                double* elastic)
{
    KAI_CHANGE(world, kinetic, elastic);
    return kai_world_fail(world, __func__, sum(world, structure, kinetic, elastic));
}
