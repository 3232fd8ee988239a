// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of the engine needs of finite elements.
#ifndef MODEL_ELEMENT_H
#define MODEL_ELEMENT_H

#include "model/world.h"

#include <kairos/element.h>

static inline const kai_element_kind* kai_element_kind_at(const kai_store_batch* batch)
{
    return (const kai_element_kind*)(const void*)batch->kind;
}

/// The solids of an instance: those of its SOLID parameters, then those of the items of its lists,
/// kind->solids in all.
void kai_element_solids(const kai_world* world, const kai_element_kind* kind, const void* instance,
                        kai_solid_view* out);

/// Coordinates of an element: as they stand, or (`reference`) without deformation.
void kai_element_gather(const kai_world* world, const kai_element_kind* kind, const void* instance,
                        bool reference, double* q);

/// The frame of a body as elements see it: its mass centre, and the axes of its own frame.
void kai_element_frame(const kai_world* world, size_t slot, double q[7]);

/// Whether a node of that many slopes can be one of an element. An element with two nodes and one
/// slope may share a node with another that crosses it: the node then has two.
static inline bool kai_element_fits(const kai_element_kind* kind, int64_t slopes)
{
    return slopes == kind->slopes || (kind->nodes == 2 && kind->slopes == 1 && slopes == 2);
}

/// Which slope of node k is the element's first: of two that of which more points from its first
/// node to its second, without deformation; else 0.
uint8_t kai_element_slope(const kai_world* world, const kai_element_kind* kind,
                          const kai_node* nodes, int k);

/// Works out what a kind keeps of one element. `solids` [kind->solids] is filled too.
kai_result kai_element_prepare(const kai_world* world, size_t batch, size_t index, void* data,
                               kai_solid_view* solids, kai_error* err);

/// Describes an element: "bar 'rod' (#3)".
void kai_element_describe(const kai_world* world, size_t batch, size_t index, char* out,
                          size_t size);

/// Marks what has mass of elements: bit s of held[slot of a node] for its position (s = 0) and its
/// slope s. `held` is zeroed, [world->nodes.count].
void kai_element_mark_held(const kai_world* world, uint8_t* held);

#endif
