// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Finite elements: terms over nodes (node.h) or, where nodes turn, over bodies.
//
// A kind of element is a const table like that of a load or a joint. It works on batches: the
// engine gathers the coordinates of some elements, the kind writes forces and tangents, the engine
// adds them up in a fixed order. A kind never sees the world.
//
//     nodes with s slopes:  q  position, slopes             3 (1 + s) numbers a node
//                           v  their velocities             likewise
//     frames (bodies):      q  position, quaternion w x y z  7 numbers a node
//                           v  velocity, angular velocity    6 numbers, both in world axes
//
// *Rows* are the unknowns of an element: 3 (1 + s) or 6 a node. Those of a frame are a displacement
// and a small rotation in world axes, and forces on it are a force and a torque in world axes.
#ifndef KAIROS_ELEMENT_H
#define KAIROS_ELEMENT_H

#include <kairos/body.h>
#include <kairos/node.h>
#include <kairos/solid.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KAI_ELEMENT_NODES      20 ///< most nodes of an element
#define KAI_ELEMENT_ROWS       60 ///< most unknowns of an element
#define KAI_ELEMENT_SOLIDS     9  ///< most solids of an element: one, or eight layers of a shell
#define KAI_ELEMENT_FRAMES     -1 ///< kai_element_kind.slopes: nodes are bodies
#define KAI_ELEMENT_COMPONENTS 6  ///< most numbers of one result of an element

/// What a kind's prepare() gets: one element as it is without deformation.
typedef struct kai_element_setup {
    const void* instance;
    const double* q;              ///< coordinates of its nodes
    const kai_solid_view* solids; ///< [solids] of its SOLID parameters, in their order
} kai_element_setup;

/// What a kind's functions get: elements [0, count) that the engine has gathered.
typedef struct kai_element_batch {
    const void* instances;        ///< [count] of the kind's size, side by side
    const void* data;             ///< [count] of data_size, as prepare() left them
    const kai_solid_view* solids; ///< [count * solids] of their SOLID parameters
    size_t count;
    const double* q;           ///< [count * coordinates]
    const double* v;           ///< [count * rows]
    double position, velocity; ///< weights of the tangent
    double* force;             ///< [count * rows]: write forces on the nodes
    double* tangent; ///< [count * rows * rows]: write -(position ∂f/∂q + velocity ∂f/∂v), by rows,
                     ///< symmetric for nodes; of frames the symmetric part counts. NULL: not wanted
    double time;                       ///< s, for what varies in time
    const kai_function_set* functions; ///< for kai_function_set_value
    bool upper; ///< no more than the upper triangle of tangents counts, the rest may be left out;
                ///< never with frames
} kai_element_batch;

/// Mass of an element with frames, lumped to one of them.
typedef struct kai_element_lump {
    double mass;         ///< kg
    kai_inertia inertia; ///< kg m² about the node, in world axes of the undeformed element
} kai_element_lump;

/// Strain and stress at one point of an element.
typedef struct kai_element_sample {
    kai_vec3 position; ///< of the point, deformed, world
    double strain[6];  ///< see kai_element_kind.sample
    double stress[6];  ///< likewise
} kai_element_sample;

struct kai_element_kind;

/// A result of elements: some numbers with a name, at any point of an element.
typedef struct kai_element_result {
    const char* name;          ///< word in scene files, such as "stress"
    const char* unit;          ///< SI, "" for none
    const char* doc;           ///< one sentence
    int components;            ///< how many numbers, 1…KAI_ELEMENT_COMPONENTS
    const char* const* labels; ///< [components] such as xx yy xy; NULL when there is one
    /// Its numbers in element i of a batch of that kind, at ξ, η, ζ in -1…1; NaN: there are none.
    void (*get)(const struct kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                const double at[3], double* out);
} kai_element_result;

/// A face (or a line) of an element, by its nodes: corners counter-clockwise seen from outside.
typedef struct kai_element_face {
    uint8_t count; ///< 2: a line, 3: a triangle, 4: a quadrangle
    uint8_t nodes[4];
} kai_element_face;

/// A kind of element. Its instance starts with its nodes: kai_node [nodes], or kai_body [nodes] for
/// frames, described by the parameter `nodes`.
typedef struct kai_element_kind {
    kai_kind kind;
    int nodes;        ///< how many, 1…KAI_ELEMENT_NODES
    int slopes;       ///< that each has: 0, 1 or 2, or KAI_ELEMENT_FRAMES
    int solids;       ///< how many SOLID fields an instance has, 0…KAI_ELEMENT_SOLIDS
    size_t data_size; ///< bytes that prepare() writes for each element; a multiple of 8
    /// Frames: offset in the instance of a hidden double [7 nodes], where the engine keeps the
    /// undeformed coordinates. Nodes keep their own.
    size_t reference;
    /// Optional: checks an element and works out what does not change. The message names the rule
    /// that is broken (a volume that is not positive, a thickness of zero); the engine adds which
    /// element.
    kai_result (*prepare)(const kai_element_setup* setup, void* data, kai_error* err);
    /// Mass of element i: Σ ρ ∫ S_a S_b dV, [m × m] by rows with m = nodes (1 + slopes). It does
    /// not change, and the engine makes gravity and inertia of it. NULL: none, or frames.
    void (*mass)(const kai_element_batch* batch, size_t i, double* out);
    /// The same of frames: one lump a node.
    void (*lump)(const kai_element_batch* batch, size_t i, kai_element_lump* out);
    /// Writes forces, and tangents where they are wanted, of all elements of the batch. An element
    /// that cannot be as it is (turned inside out, say) writes NaN.
    void (*force)(const kai_element_batch* batch);
    /// Energy stored in element i, J. NULL: none, where `external`.
    double (*energy)(const kai_element_batch* batch, size_t i);
    /// True: its forces come from outside, and what they do is work. Else they change energy(), and
    /// what part of them goes with velocity makes heat.
    bool external;
    /// Optional: strain and stress at ξ, η, ζ in -1…1. Solids: Green-Lagrange strain and Cauchy
    /// stress in world axes; shells: strain and second Piola-Kirchhoff stress in material axes of
    /// the layer at ζ; beams and cables: axial, shear y, shear z, twist, bending y, bending z and
    /// the forces and moments that go with them.
    void (*sample)(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out);
    /// Faces for pressure, contact and pictures. Shells have one, whose nodes 0 1 2 3 go round the
    /// side of +ζ.
    const kai_element_face* faces;
    size_t face_count;
    /// Half the thickness of element i for contact and pictures, m. NULL: none.
    double (*half_thickness)(const kai_element_batch* batch, size_t i);
    /// Shells: offset in the instance of their kai_element_layers. 0: it has none.
    size_t layers;
    /// Optional: results of its own, beside those that follow from sample() and energy(); see
    /// kai_element_result_at. A name that is there already takes the place of the other.
    const kai_element_result* results;
    size_t result_count; ///< how many
} kai_element_kind;

/// Coordinates of an element in kai_element_batch.q.
static inline size_t kai_element_coordinates(const kai_element_kind* kind)
{
    const size_t each = kind->slopes < 0 ? 7 : 3 * (size_t)(1 + kind->slopes);
    return (size_t)kind->nodes * each;
}

/// Unknowns of an element.
static inline size_t kai_element_rows(const kai_element_kind* kind)
{
    const size_t each = kind->slopes < 0 ? 6 : 3 * (size_t)(1 + kind->slopes);
    return (size_t)kind->nodes * each;
}

/// Makes a kind of the user's own known to a world.
KAI_API kai_result kai_element_register(kai_world* world, const kai_element_kind* kind);

/// Adds an element. `params` is an instance of the kind; its nodes have the slopes that the kind
/// wants. KAI_ERROR_ARGUMENT when they do not, or prepare() finds something wrong.
KAI_API kai_result kai_element_create(kai_world* world, const kai_element_kind* kind,
                                      const void* params, const char* name, kai_element* out);

/// Removes an element.
KAI_API kai_result kai_element_destroy(kai_world* world, kai_element element);

/// The kind of an element and its instance, NULL for a stale id.
KAI_API const kai_element_kind* kai_element_kind_of(const kai_world* world, kai_element element);
KAI_API const void* kai_element_params(const kai_world* world, kai_element element); ///< likewise

/// Strain and stress of an element at the present state. KAI_ERROR_UNSUPPORTED when its kind has
/// none.
KAI_API kai_result kai_element_sample_at(kai_world* world, kai_element element, const double at[3],
                                         kai_element_sample* out);

// Results ----------------------------------------------------------------------------------------

/// Result i that elements of a kind have, NULL after the last: those of the kind's own, `energy`,
/// and what follows from sample():
///
///     solids   strain, stress, von_mises, principal_stress, mean_stress
///     shells   strain, stress, von_mises, principal_stress, membrane_force, plate_moment,
///              plate_shear
///     lines    strain, axial_force, shear_force, twisting_moment, bending_moment
///
/// Solids have more than one face, shells one, lines one of two nodes.
KAI_API const kai_element_result* kai_element_result_of(const kai_element_kind* kind, size_t i);

/// The result of a name, NULL when elements of a kind have none.
KAI_API const kai_element_result* kai_element_result_find(const kai_element_kind* kind,
                                                          const char* name);

/// Numbers of a result of an element at the present state, at ξ, η, ζ in -1…1, to `out`
/// [components]. KAI_ERROR_UNSUPPORTED names what its kind has.
KAI_API kai_result kai_element_result_at(kai_world* world, kai_element element, const char* name,
                                         const double at[3], double* out);

/// How many layers an element has: 0 for all but shells.
KAI_API size_t kai_element_layer_count(const kai_world* world, kai_element element);

/// ζ of a place in a layer, from the bottom (-1) through the middle (0) to the top (1) of it.
/// Faces between two layers belong to the layer asked for. Layer 0 is at the bottom of the shell.
KAI_API kai_result kai_element_layer_at(kai_world* world, kai_element element, size_t layer,
                                        double place, double* zeta);

/// How many elements the world has.
KAI_API size_t kai_element_count(const kai_world* world);

/// Energy stored in all elements at the present state, J.
KAI_API kai_result kai_element_energy(kai_world* world, double* energy);

#ifdef __cplusplus
}
#endif

#endif
