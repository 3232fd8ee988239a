// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/newmark_contacts.h"

#include "fea/fea.h"
#include "model/collision/collision.h"

// Of a step: how long the state at its start is taken to last, so that laws get a step.
static const double MOMENT = 1e-9;

kai_result kai_newmark_contacts_begin(kai_newmark_contacts* k, kai_world* world,
                                      kai_constraints* joints, const kai_system_backup* start,
                                      double h, double share, kai_error* err)
{
    *k = (kai_newmark_contacts){.step = {.h = h,
                                         .share = share,
                                         .pose = start->pose,
                                         .motion = start->motion,
                                         .node_v = start->node_v,
                                         .node_first = world->fea ? world->fea->first.data : NULL}};
    if (world->contact_def.method == KAI_CONTACT_NONE) return KAI_OK;
    KAI_TRY(kai_contacts_get(world, &k->contacts, err));
    if (world->contact_def.method != KAI_CONTACT_NSC) return KAI_OK;
    kai_newmark_contacts_follow(world);
    KAI_TRY(kai_newmark_cones_begin(&k->cones, k->contacts, world, joints, start, h, err));
    k->sums = k->cones.sums;
    k->pose = k->cones.cones.pose;
    return KAI_OK;
}

/// Whether forces are found by penalty at each state.
static bool by_penalty(const kai_newmark_contacts* k, const kai_world* world)
{
    return k->contacts && world->contact_def.method == KAI_CONTACT_SMC;
}

static kai_result push(kai_newmark_contacts* k, kai_world* world, const kai_contacts_instant* step,
                       kai_error* err)
{
    KAI_TRY(kai_contacts_instant_push(k->contacts, world, step, &k->power, err));
    k->sums = world->contact_memory.count > 0 ? k->contacts->sums.data : NULL;
    k->pose = world->bodies.pose;
    return KAI_OK;
}

kai_result kai_newmark_contacts_start(kai_newmark_contacts* k, kai_world* world, kai_error* err)
{
    if (!by_penalty(k, world)) return KAI_OK;
    kai_contacts_instant step = k->step;
    step.h *= MOMENT;
    kai_newmark_contacts_follow(world);
    KAI_TRY(kai_contacts_instant_find(k->contacts, world, step.h, 0.0, err));
    return push(k, world, &step, err);
}

kai_result kai_newmark_contacts_evaluate(kai_newmark_contacts* k, kai_world* world, int64_t number,
                                         double change, bool* changed, kai_error* err)
{
    const bool freeze = number + 1 == KAI_NEWMARK_CONTACTS_FOUND;
    *changed = false;
    for (size_t i = 0; k->cones.nodes && i < world->fea->coordinates; i++)
        ((double*)world->fea->force.data)[i] += k->cones.nodes[i];
    if (!by_penalty(k, world)) return KAI_OK;
    kai_newmark_contacts_follow(world);
    if (number < KAI_NEWMARK_CONTACTS_FOUND)
        KAI_TRY(kai_contacts_instant_find(k->contacts, world, k->step.h,
                                          freeze && isfinite(change) ? 4.0 * change : 0.0, err));
    else
        kai_contacts_instant_move(k->contacts, world);
    if (freeze) KAI_TRY(kai_contacts_instant_freeze(k->contacts, world, err));
    KAI_TRY(push(k, world, &k->step, err));
    if (k->sums) kai_newmark_contacts_elements(world);
    *changed = k->pattern != kai_contacts_instant_pattern(k->contacts, world);
    return KAI_OK;
}

kai_result kai_newmark_contacts_tangents(kai_newmark_contacts* k, struct kai_constraints* c,
                                         kai_world* world, double position, double velocity,
                                         kai_error* err)
{
    if (!by_penalty(k, world)) return KAI_OK;
    k->pattern = kai_contacts_instant_pattern(k->contacts, world);
    const bool first = !k->factored;
    k->factored = true;
    return kai_contacts_tangents_find(c, world, &k->step, position, velocity, first, err);
}

void kai_newmark_contacts_elements(kai_world* world)
{
    const kai_wrench* sums = kai_contacts_sums(world);
    if (!world->fea || !sums) return;
    kai_elements_add_contacts(world, sums, 1.0, world->fea->force.data);
    kai_fea_clear_fixed(world, world->fea->force.data);
}

void kai_newmark_contacts_follow(kai_world* world)
{
    if (world->fea) kai_fea_follow_nodes(world->fea, world);
    if (world->collision) kai_patch_follow(&world->collision->surface, world);
}
