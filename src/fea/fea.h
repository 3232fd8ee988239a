// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The finite elements of a world, laid out for evaluation.
//
// Coordinates of nodes stand one after the other, node by node in the order of the store: three a
// *vector*, one vector for the position and one a slope. Bodies that are nodes of elements have two
// vectors more each (force and torque), behind those of nodes.
//
// Every element writes forces and tangents to a place of its own; every vector then adds up the
// places that belong to it, in the order of elements. No locks, and the same bits for any number of
// threads.
//
// Mass is a sparse matrix of numbers over vectors, M = m ⊗ I₃: it never changes. Gravity is M times
// g at every position.
#ifndef FEA_FEA_H
#define FEA_FEA_H

#include "model/element.h"
#include "model/node.h"

/// The elements of one kind.
typedef struct kai_fea_batch {
    const kai_element_kind* kind;
    uint32_t batch;           // in the store
    uint32_t count;           // elements
    size_t first_element;     // among all
    size_t rows, coordinates; // of each: unknowns, numbers in q
    size_t first_end;         // in `ends`: [count * nodes]
    size_t first_force;       // in `forces`: [count * rows]
    size_t first_tangent;     // in `tangents`: [count * rows * rows]
    size_t first_mass;        // in `masses`: [count * m * m], m = rows / 3; frames have none
    size_t first_data;        // in `data`, in units of 8 bytes
    size_t first_solid;       // in `solids`: [count * solids]
} kai_fea_batch;

/// A node that can touch things, and the body that stands for it.
typedef struct kai_fea_touch {
    uint32_t node, body; // slots
    uint32_t first;      // coordinate of the node
    double mass;         // kg
} kai_fea_touch;

/// A body that is a node of elements, as elements see it.
typedef struct kai_fea_frame {
    double q[7], v[6];
    kai_quat rotation; // of principal axes
} kai_fea_frame;

/// A state of nodes and bodies other than the present one.
typedef struct kai_fea_state {
    const double *q, *v;         // [coordinates]
    const kai_fea_frame* frames; // [bodies]
    double time;                 // s
} kai_fea_state;

#define KAI_FEA_GROUP 64 // elements

/// Where tangents go when they are not kept. Elements are done in groups of KAI_FEA_GROUP of one
/// kind, colour after colour; groups of a colour may be done side by side.
typedef struct kai_fea_sink {
    void (*take)(void* context, size_t element, const double* tangent, size_t rows); // NULL: kept
    void* context;
    const uint32_t* groups;  // first element of each
    const uint32_t* colours; // [colour_count + 1]: first group of each
    size_t colour_count;
    const kai_fea_state* state; // at which they are found; forces are not kept. NULL: at present
} kai_fea_sink;

/// How forces and tangents of elements are found.
typedef struct kai_fea_options {
    bool at_rest; // velocities count as none: the method has damping in its matrix alone
    double position, velocity; // weights of tangents; both 0: mass alone
    bool definite; // what of an element's derivatives drives apart (a compressed beam) is left out
} kai_fea_options;

typedef struct kai_fea {
    uint64_t terms_version, term_slots_version, elements_version; // what it was laid out for
    uint64_t layouts;                                             // how often so far
    size_t coordinates;                                           // of all nodes
    kai_array batches;          // kai_fea_batch, those that have elements
    kai_array first;            // uint32_t [nodes + 1]: first coordinate
    kai_array ends;             // uint32_t: slots of nodes or bodies
    kai_array slopes;           // uint8_t [ends]: which slope of the node is the element's first
    kai_array bodies;           // uint32_t: slots of bodies that are nodes, ascending
    kai_array data;             // double
    kai_array solids;           // kai_solid_view
    kai_array forces, tangents; // double: what elements wrote
    kai_array masses;           // double: m × m of each element
    kai_array damping;          // double [elements]: mass damping, 1/s
    bool damped;                // some of them is not zero
    kai_array gather_first;     // uint32_t [vectors + 2 bodies + 1]
    kai_array gather;           // uint32_t: places in `forces`, in vectors
    kai_array mass_first;       // uint32_t [vectors + 1]
    kai_array mass_column;      // uint32_t
    kai_array mass_value;       // double, kg
    kai_array damping_value;    // double, kg/s; zeros when nothing is damped
    kai_array weight;           // double [vectors]: what gravity acts on, kg
    kai_array touching;         // kai_fea_touch
    kai_array force;            // double [coordinates]: all but inertia, N
    double time;                // for which forces were last evaluated, s
    bool has_tangents;          // `tangents` holds weights other than those of mass
    kai_fea_sink sink;          // of tangents, set by those who lay out the matrix
} kai_fea;

/// The elements laid out for what the world holds now; `*out` is NULL when it has no nodes and no
/// elements.
kai_result kai_fea_get(kai_world* world, kai_fea** out, kai_error* err);

/// Coordinates of all nodes: 0 when there are none.
static inline size_t kai_fea_coordinates(const kai_world* world)
{
    size_t n = 0;
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) n += kai_node_size(&nodes[i]);
    return n;
}

/// Before loads are evaluated: bodies that are nodes of elements start from no force.
kai_result kai_fea_forces_begin(kai_fea* fea, kai_world* world, kai_error* err);

/// Forces of elements, of users, of gravity and of mass damping at the present state: those on
/// nodes to fea->force, zero where a coordinate is fixed; those on bodies are added to
/// bodies.wrench, after those of loads. KAI_ERROR_DIVERGED names an element whose forces are not
/// finite. With weights in `options` and a sink, tangents go there on the way: one pass over the
/// elements less.
kai_result kai_fea_forces_evaluate(kai_fea* fea, kai_world* world, double time,
                                   const kai_fea_options* options, kai_error* err);

/// Whether they do.
static inline bool kai_fea_brings_tangents(const kai_fea* fea, const kai_fea_options* options)
{
    return fea->sink.take && (options->position != 0.0 || options->velocity != 0.0);
}

/// Power of forces from outside on nodes and bodies, of users and of kinds that are external, W, at
/// the present positions and velocities.
kai_result kai_fea_forces_work(kai_fea* fea, kai_world* world, double time, double* power,
                               kai_error* err);

/// What fea->forces holds of the present state.
typedef enum kai_fea_there {
    KAI_FEA_NOTHING, // of another state
    KAI_FEA_MOVING,  // forces at the present velocities
    KAI_FEA_RESTING  // forces as if nothing moved
} kai_fea_there;

/// What damping of elements turns to heat, W, at the present positions and velocities.
kai_result kai_fea_forces_heat(kai_fea* fea, kai_world* world, kai_fea_there there, double* power,
                               kai_error* err);

/// H = m (1 + velocity · mass damping) - position ∂f/∂q - velocity ∂f/∂v of every element to
/// fea->tangents, or to the sink, at the present state; both weights 0: mass alone. Frames:
/// rotations and torques are in principal axes, and mass is not part of it. With options->definite
/// H is positive definite for certain.
kai_result kai_fea_forces_tangents(kai_fea* fea, kai_world* world, const kai_fea_options* options,
                                   kai_error* err);

/// The same to a sink other than fea->sink.
void kai_fea_forces_sink(const kai_fea* fea, const kai_world* world, const kai_fea_sink* sink,
                         const kai_fea_options* options);

/// A body of fea->bodies, by its place there, at present.
void kai_fea_forces_frame(const kai_fea* fea, const kai_world* world, size_t i, kai_fea_frame* out);

/// The place of a body's slot in fea->bodies.
size_t kai_fea_forces_place(const kai_fea* fea, uint32_t slot);

/// y = M x over coordinates of nodes.
void kai_fea_mass_times(const kai_fea* fea, int threads, const double* x, double* y);

/// The same with mass damping in the place of mass.
void kai_fea_mass_damping_times(const kai_fea* fea, int threads, const double* x, double* y);

/// The vector that local vector j (position and slopes, node by node) of an element over nodes is.
/// `ends`: its nodes, in fea->ends.
static inline uint32_t kai_fea_vector(const kai_fea* fea, const kai_fea_batch* batch,
                                      const uint32_t* ends, size_t j)
{
    const size_t each = (size_t)(1 + batch->kind->slopes), slope = j % each;
    const uint32_t* end = ends + j / each;
    const uint32_t first = ((const uint32_t*)fea->first.data)[*end] / 3;
    if (slope == 0) return first;
    return first + (uint32_t)slope +
           ((const uint8_t*)fea->slopes.data)[end - (const uint32_t*)fea->ends.data];
}

/// Zero in `x` [coordinates] where a coordinate is fixed.
void kai_fea_clear_fixed(const kai_world* world, double* x);

/// Bodies that stand for nodes go where their nodes are; then nodes where their bodies are.
void kai_fea_follow_nodes(const kai_fea* fea, kai_world* world);
void kai_fea_follow_bodies(const kai_fea* fea, kai_world* world); ///< positions alone

/// All coordinates and velocities of nodes, out of the world and into it; either may be NULL.
void kai_fea_read(const kai_world* world, double* q, double* v);
void kai_fea_write(kai_world* world, const double* q, const double* v);

/// Kinetic energy, potential energy of gravity and energy stored, J, of nodes and elements; bodies
/// have their own.
kai_result kai_fea_mass_energy(kai_world* world, double* kinetic, double* potential,
                               double* elastic, kai_error* err);

/// Energy stored in elements, J.
kai_result kai_fea_forces_stored(kai_fea* fea, kai_world* world, double* elastic, kai_error* err);

/// Strain and stress of one element, by its place in the store.
kai_result kai_fea_forces_sample(kai_fea* fea, const kai_world* world, size_t batch, size_t index,
                                 const double at[3], kai_element_sample* out, kai_error* err);

/// A result of one element, by its place in the store.
void kai_fea_forces_result(kai_fea* fea, const kai_world* world, size_t batch, size_t index,
                           const kai_element_result* result, const double at[3], double* out);

/// Forces of elements, of gravity and of users on vector `v` of the node in slot `node` at the
/// present state, N, fixed or not.
kai_vec3 kai_fea_forces_on(const kai_fea* fea, const kai_world* world, size_t node, size_t v);

/// M a and C v, mass and mass damping, of vector v; a as it was last evaluated.
kai_vec3 kai_fea_mass_pull(const kai_fea* fea, const kai_world* world, size_t v);

/// Kinetic energy that the mass of one element of nodes has, by its place in the store, J.
double kai_fea_mass_kinetic(const kai_fea* fea, const kai_world* world, size_t batch, size_t index);

/// Momentum and angular momentum about the origin, of nodes.
kai_result kai_fea_mass_momentum(kai_world* world, kai_vec3* linear, kai_vec3* angular,
                                 kai_error* err);

#endif
