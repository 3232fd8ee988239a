// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of flexible bodies in contacts: *facets*, lines and triangles between nodes of elements,
// with a radius.
//
// A facet is a shape of a kind of its own on a body that stands for it, so that it is found,
// matched and told of like all shapes. The body goes where the facet is whenever contacts are
// looked for; it has no motion of its own. What a contact does there goes to the *ends* of the
// facet, nodes or bodies.
//
// A point of a facet, at x on its middle and off it by d, moves with velocities v of nodes as
//
//     v(x + d) = Σ w v + ω × d,   ω = c - n (n · c) / 2,   c = Σ ∇w × v
//
// w are linear weights, n is the normal of a triangle (a line has none, and ω has no part along
// it). For a rigid motion this is exact. A force F there with a couple C goes to nodes as what does
// the same work,
//
//     f = w F + τ' × ∇w,   τ = d × F + C,   τ' = τ - n (n · τ) / 2
//
// so that Σ f = F and Σ x × f = (x + d) × F + C, but for the part of τ along a line. Where ends are
// bodies, ω = Σ w ω of theirs, and each gets w F at its mass centre and the couple w τ: that is
// exact without exception.
#ifndef MODEL_PATCH_H
#define MODEL_PATCH_H

#include "model/world.h"

#include <kairos/element.h>
#include <kairos/shape.h>

#define KAI_PATCH_ENDS 3 ///< most ends of a facet

/// Instance of the kind of shape that facets are.
typedef struct kai_patch_params {
    double radius;                    // m
    bool frames;                      // ends are bodies
    double ends[2 * KAI_PATCH_ENDS];  // [index, generation] of nodes or bodies; a line has two
    double element[2];                // of the element that it belongs to
    kai_vec3 corners[KAI_PATCH_ENDS]; // in the frame of its body, m; a line is along z
} kai_patch_params;

extern const kai_shape_kind kai_patch_kind;

/// A facet, laid out.
typedef struct kai_patch_facet {
    uint32_t body;                 // slot
    uint32_t shape;                // id index
    uint32_t instance;             // among those of the kind
    uint32_t ends[KAI_PATCH_ENDS]; // slots of nodes or bodies
    uint8_t count;                 // 2: a line, 3: a triangle
    bool frames;                   // ends are bodies
} kai_patch_facet;

/// The facets of a world.
typedef struct kai_patch {
    uint64_t term_slots_version, shapes_version; // what they were listed for
    uint64_t lists;                              // how often so far
    size_t batch;                                // of the kind in the store of shapes
    kai_array facets;                            // kai_patch_facet
    kai_array facet_of;                          // uint32_t [bodies or more]: 1 + facet; 0: none
    bool frames;                                 // some end at bodies
    kai_array first, around; // uint32_t: facets at every node, then at every body; first is [nodes
                             // + bodies + 1]
} kai_patch;

/// How a point of a facet moves with its ends.
typedef struct kai_patch_point {
    uint32_t ends[KAI_PATCH_ENDS];
    uint8_t count;
    bool frames;
    double weight[KAI_PATCH_ENDS];
    kai_vec3 slope[KAI_PATCH_ENDS]; // gradient of the weight, 1/m
    kai_vec3 normal;                // of a triangle; zero of a line
    kai_vec3 arm;                   // from the middle of the facet to the point, m
} kai_patch_point;

void kai_patch_init(kai_patch* s);
void kai_patch_free(kai_patch* s, kai_memory* memory);

/// Lists the facets anew where bodies or shapes have changed. Those whose ends are gone are left
/// out.
kai_result kai_patch_list(kai_patch* s, kai_world* world, kai_error* err);

/// Bodies that stand for facets go where these are.
void kai_patch_follow(const kai_patch* s, kai_world* world);

/// The instance of a facet.
static inline kai_patch_params* kai_patch_instance(const kai_patch* s, const kai_world* world,
                                                   const kai_patch_facet* facet)
{
    return (kai_patch_params*)world->shapes.batches[s->batch].items.data + facet->instance;
}

/// The facet that a body stands for; NULL: none.
static inline const kai_patch_facet* kai_patch_of(const kai_patch* s, size_t slot)
{
    if (s->facets.count == 0) return NULL;
    const uint32_t i = ((const uint32_t*)s->facet_of.data)[slot];
    return i ? (const kai_patch_facet*)s->facets.data + (i - 1) : NULL;
}

/// Where an end is, m.
kai_vec3 kai_patch_end(const kai_world* world, const kai_patch_facet* facet, int k);

/// Finds how the point `at` moves whose nearest point of the middle is `middle`.
void kai_patch_locate(const kai_world* world, const kai_patch_facet* facet, kai_vec3 middle,
                      kai_vec3 at, kai_patch_point* out);

/// Velocity and angular velocity of a point from those of its ends; w [count] of bodies alone.
kai_vec3 kai_patch_velocity(const kai_patch_point* p, const kai_vec3* v, const kai_vec3* w);
kai_vec3 kai_patch_spin(const kai_patch_point* p, const kai_vec3* v, const kai_vec3* w);

/// The same at the velocities that the world has.
void kai_patch_motion(const kai_world* world, const kai_patch_point* p, kai_vec3* v, kai_vec3* w);

/// What a force and a couple do to the ends: forces, and moments about the mass centres of bodies.
void kai_patch_spread(const kai_patch_point* p, kai_vec3 force, kai_vec3 couple, kai_vec3* f,
                      kai_vec3* m);

/// What a push on an end meets, 1/kg; 0: it does not move.
double kai_patch_inverse_mass(const kai_world* world, const kai_patch_facet* facet, int k);

/// Sets that of nodes, kg.
void kai_patch_set_mass(kai_world* world, const kai_patch_facet* facet,
                        const double mass[KAI_PATCH_ENDS]);

/// Appends pairs of bodies of facets that share an end: smaller slot << 32 | larger.
kai_result kai_patch_neighbours(const kai_patch* s, kai_world* world, kai_array* pairs,
                                kai_error* err);

/// Appends pairs that a joint holds together: of facets at its nodes and bodies with each other and
/// with its bodies.
kai_result kai_patch_joined(const kai_patch* s, kai_world* world, const kai_kind* kind,
                            const void* joint, kai_array* pairs, kai_error* err);

/// Makes a facet. `ends` are ids of nodes or bodies.
kai_result kai_patch_add(kai_world* world, const kai_id* ends, int count, bool frames,
                         kai_element element, double radius, const kai_shape_def* def,
                         kai_error* err);

/// The element of an instance; null where a file has spoilt it.
kai_element kai_patch_element(const kai_world* world, const kai_patch_params* params);

/// Whether some facet ends at a node.
bool kai_patch_uses(const kai_world* world, kai_node node);

#endif
