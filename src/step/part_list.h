// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The parts that every world has. Those of model/, fea/ and sense/ stand in one list because their
// order is that of creation, hash and checkpoint (model/part.h); step/ is the first module that
// knows all of them.
// A new part is a file parts/part_<name>.c of its module, and one line here.
#ifndef STEP_PART_LIST_H
#define STEP_PART_LIST_H

#include "model/part.h"

#define KAI_PART_LIST(X) \
    X(time)              \
    X(bodies)            \
    X(laws)              \
    X(materials)         \
    X(material_pairs)    \
    X(shapes)            \
    X(functions)         \
    X(shafts)            \
    X(solids)            \
    X(nodes)             \
    X(states)            \
    X(elements)          \
    X(structures)        \
    X(loads)             \
    X(signals)           \
    X(events)            \
    X(load_switches)     \
    X(joints)            \
    X(sensors)           \
    X(particles)         \
    X(plan)              \
    X(render_meshes)     \
    X(structure_meshes)  \
    X(terms)             \
    X(sections)          \
    X(samplers)          \
    X(hooks)             \
    X(integrator)        \
    X(integrator_state)  \
    X(energy)            \
    X(collision)         \
    X(contact)           \
    X(sleep)             \
    X(solver)

/// Places of the parts: KAI_PART_time, KAI_PART_bodies …
enum {
#define KAI_PART_PLACE(name) KAI_PART_##name,
    KAI_PART_LIST(KAI_PART_PLACE)
#undef KAI_PART_PLACE
        KAI_PART_COUNT
};

#define KAI_PART_DECLARE(name) extern const kai_part kai_part_##name;
KAI_PART_LIST(KAI_PART_DECLARE)
#undef KAI_PART_DECLARE

#endif
