// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Structures: meshes of finite elements made at once, with names for parts of them. In scenes they
// stand under "structures".
//
// A kind of structure is a const table whose build() lays out a mesh: nodes with axes, cells of
// nodes, and *sets* of nodes by name ("x0", "x1", "all"). The engine turns it into nodes (bodies,
// where the element wants frames) and elements of any kind that fits, and keeps the sets.
//
//     axes of a mesh node:    lines     along the line, across, across
//                             surfaces  two along the surface, then its normal
//     slopes of a node:       one: the first axis of lines, the normal of surfaces; two: along the
//                             surface; frames are turned to the axes
#ifndef KAIROS_STRUCTURE_H
#define KAIROS_STRUCTURE_H

#include <kairos/element.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What cells of a mesh are, which follows from the faces of their kind of element.
typedef enum kai_structure_cell {
    KAI_STRUCTURE_NONE,        ///< no mesh can be made of it
    KAI_STRUCTURE_LINE,        ///< 2 nodes
    KAI_STRUCTURE_TRIANGLE,    ///< 3 nodes round a face
    KAI_STRUCTURE_QUADRANGLE,  ///< 4 nodes round a face
    KAI_STRUCTURE_TETRAHEDRON, ///< 4 or 10 nodes
    KAI_STRUCTURE_HEXAHEDRON   ///< 8 or 20 nodes
} kai_structure_cell;

/// What is kept of a structure for pictures: one number of a result of its elements, a mean at
/// nodes of what elements have in their middle.
typedef struct kai_structure_field {
    kai_string result;    ///< name of a kai_element_result
    kai_string component; ///< its label; "" where it has one number
    int64_t layer;        ///< of shells, from 0; -1: see place
    double place;         ///< of shells: height in the layer, or in the shell, -1…1
} kai_structure_field;

/// What every instance of a structure starts with.
typedef struct kai_structure_base {
    kai_vec3 position;         ///< of the origin of the mesh, world, m
    kai_quat rotation;         ///< of the mesh
    kai_vec3 velocity;         ///< of the origin at the start, m/s
    kai_vec3 angular_velocity; ///< about the origin at the start, world, rad/s
    kai_vec3 color;            ///< red, green, blue in 0…1; negative: chosen by the viewer
    kai_list fields; ///< of kai_structure_field: for pictures, beside displacement and speed; none:
                     ///< von_mises on the side of the normal, of lines axial_force
    kai_table nodes; ///< set by the engine: [index, generation] of nodes or bodies
    kai_table elements; ///< likewise
    kai_list sets;      ///< set by the engine: names and members
    bool frames;        ///< set by the engine: nodes are bodies
} kai_structure_base;

/// A mesh that a build() lays out.
typedef struct kai_structure_mesh kai_structure_mesh;

/// A node of a mesh.
typedef struct kai_structure_node {
    kai_vec3 position; ///< m
    kai_vec3 axes[3];  ///< unit vectors at right angles
} kai_structure_node;

/// A kind of structure. Its instance starts with a kai_structure_base.
typedef struct kai_structure_kind {
    kai_kind kind;
    uint32_t cells; ///< bits 1 << kai_structure_cell that build() can make
    /// Lays out the mesh of an instance for a kind of element. Cells have element->nodes nodes.
    kai_result (*build)(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err);
} kai_structure_kind;

// Built-in kinds ---------------------------------------------------------------------------------

/// Parameters of `cable`: a line through points. What is not given of y_axis is NaN.
typedef struct kai_structure_cable_params {
    kai_structure_base base;
    kai_table points; ///< rows [x, y, z], m, two or more
    int64_t cells;    ///< elements
    kai_vec3 y_axis;  ///< of the nodes; NaN: one that turns as little as it can
} kai_structure_cable_params;

/// Parameters of `sheet`: a rectangle in the x-y plane about the origin.
typedef struct kai_structure_sheet_params {
    kai_structure_base base;
    double size[2];  ///< m
    double cells[2]; ///< elements along x and y
} kai_structure_sheet_params;

/// Parameters of `cylinder`: about x, its middle on top.
typedef struct kai_structure_cylinder_params {
    kai_structure_base base;
    double radius, length; ///< m
    double angle;          ///< rad; 2π: closed
    double cells[2];       ///< elements along x and round it
} kai_structure_cylinder_params;

/// Parameters of `torus`: a profile swept round y, round or of points.
typedef struct kai_structure_torus_params {
    kai_structure_base base;
    double radius, tube_radius; ///< of a round profile, m; NaN: see profile
    double opening;             ///< of a round profile on the side of the axle, rad
    double cells[2];            ///< elements round y and across
    kai_table profile;          ///< rows [y, r], m
} kai_structure_torus_params;

/// Parameters of `box`: a block about the origin.
typedef struct kai_structure_box_params {
    kai_structure_base base;
    double size[3];  ///< m
    double cells[3]; ///< blocks along x, y and z
} kai_structure_box_params;

/// Parameters of `net`: strands along x and y in the x-y plane about the origin.
typedef struct kai_structure_net_params {
    kai_structure_base base;
    double size[2];   ///< m
    double cells[2];  ///< meshes along x and y
    int64_t segments; ///< elements from knot to knot
} kai_structure_net_params;

/// A group of nodes with a name.
typedef struct kai_structure_group {
    kai_string name;
    kai_table nodes; ///< rows of points
} kai_structure_group;

/// Parameters of `file`: any mesh. From C, give points and cells, or see kairos/structure_file.h.
typedef struct kai_structure_file_params {
    kai_structure_base base;
    kai_string file;      ///< in scenes: where points, cells and groups come from
    double scale;         ///< coordinates are multiplied by it
    double size;          ///< of cells where a shape is meshed, in units of the file; 0: automatic
    kai_table points;     ///< rows [x, y, z]
    kai_table cells;      ///< rows of nodes, rows of points, in the order of VTK
    kai_list groups;      ///< of kai_structure_group: sets
    kai_table numbers[2]; ///< of points and of cells in the file, for messages; none: rows
} kai_structure_file_params;

KAI_API extern const kai_structure_kind kai_structure_net;      ///< of lines
KAI_API extern const kai_structure_kind kai_structure_file;     ///< of anything
KAI_API extern const kai_structure_kind kai_structure_cable;    ///< of lines
KAI_API extern const kai_structure_kind kai_structure_sheet;    ///< of quadrangles
KAI_API extern const kai_structure_kind kai_structure_cylinder; ///< of quadrangles
KAI_API extern const kai_structure_kind kai_structure_torus;    ///< of quadrangles
KAI_API extern const kai_structure_kind kai_structure_box;      ///< of hexahedra or tetrahedra

// Kinds of one's own -----------------------------------------------------------------------------

/// Description of the sets that a structure keeps.
KAI_API extern const kai_kind kai_structure_set_kind;

/// Description of kai_structure_field.
KAI_API extern const kai_kind kai_structure_field_kind;

/// What every kind of structure describes, of kai_structure_base, which is the first member `base`
/// of struct `type_`, before its own parameters:
///
///     static const kai_param PARAMS[] = {KAI_STRUCTURE_PARAMS(helix), {.name = "radius", …}};
#define KAI_STRUCTURE_PARAMS(type_)                                                                                                                                                          \
    {.name = "position",                                                                                                                                                                     \
     .type = KAI_PARAM_VEC3,                                                                                                                                                                 \
     .offset = offsetof(type_, base.position),                                                                                                                                               \
     .placing = KAI_PLACING_POINT,                                                                                                                                                           \
     .unit = "m",                                                                                                                                                                            \
     .doc = "Position of the origin of the mesh."},                                                                                                                                          \
        {.name = "rotation",                                                                                                                                                                 \
         .type = KAI_PARAM_ROTATION,                                                                                                                                                         \
         .offset = offsetof(type_, base.rotation),                                                                                                                                           \
         .placing = KAI_PLACING_POINT,                                                                                                                                                       \
         .initial = {1.0},                                                                                                                                                                   \
         .doc = "Orientation of the mesh about its origin."},                                                                                                                                \
        {.name = "velocity",                                                                                                                                                                 \
         .type = KAI_PARAM_VEC3,                                                                                                                                                             \
         .offset = offsetof(type_, base.velocity),                                                                                                                                           \
         .placing = KAI_PLACING_VECTOR,                                                                                                                                                      \
         .unit = "m/s",                                                                                                                                                                      \
         .doc = "Velocity of the origin at the start."},                                                                                                                                     \
        {.name = "angular_velocity",                                                                                                                                                         \
         .type = KAI_PARAM_VEC3,                                                                                                                                                             \
         .offset = offsetof(type_, base.angular_velocity),                                                                                                                                   \
         .placing = KAI_PLACING_AXIAL,                                                                                                                                                       \
         .unit = "rad/s",                                                                                                                                                                    \
         .doc = "Angular velocity about the origin at the start, world frame."},                                                                                                             \
        {.name = "color",                                                                                                                                                                    \
         .type = KAI_PARAM_COLOR,                                                                                                                                                            \
         .offset = offsetof(type_, base.color),                                                                                                                                              \
         .initial = {-1.0, -1.0, -1.0},                                                                                                                                                      \
         .range = KAI_BETWEEN(0.0, 1.0),                                                                                                                                                     \
         .doc = "Color in pictures; chosen by the viewer when absent."},                                                                                                                     \
        {.name = "fields",                                                                                                                                                                   \
         .type = KAI_PARAM_LIST,                                                                                                                                                             \
         .offset = offsetof(type_, base.fields),                                                                                                                                             \
         .item = &kai_structure_field_kind,                                                                                                                                                  \
         .doc =                                                                                                                                                                              \
             "Results that pictures and meshes.h5 show in addition to displacement and speed, as mean values at nodes. When absent: von_mises, or axial_force for cables, beams and bars."}, \
        {.name = "nodes",                                                                                                                                                                    \
         .type = KAI_PARAM_TABLE,                                                                                                                                                            \
         .offset = offsetof(type_, base.nodes),                                                                                                                                              \
         .columns = 2,                                                                                                                                                                       \
         .hidden = true},                                                                                                                                                                    \
        {.name = "elements",                                                                                                                                                                 \
         .type = KAI_PARAM_TABLE,                                                                                                                                                            \
         .offset = offsetof(type_, base.elements),                                                                                                                                           \
         .columns = 2,                                                                                                                                                                       \
         .hidden = true},                                                                                                                                                                    \
        {.name = "sets",                                                                                                                                                                     \
         .type = KAI_PARAM_LIST,                                                                                                                                                             \
         .offset = offsetof(type_, base.sets),                                                                                                                                               \
         .item = &kai_structure_set_kind,                                                                                                                                                    \
         .hidden = true},                                                                                                                                                                    \
    {                                                                                                                                                                                        \
        .name = "frames", .type = KAI_PARAM_BOOL, .offset = offsetof(type_, base.frames),                                                                                                    \
        .hidden = true                                                                                                                                                                       \
    }

// Building ---------------------------------------------------------------------------------------

/// Which cells a kind of element makes.
KAI_API kai_structure_cell kai_structure_cell_of(const kai_element_kind* element);

/// Adds a node to a mesh; `*out` (may be NULL) is its number. KAI_ERROR_MEMORY, and so for all
/// three.
KAI_API kai_result kai_structure_mesh_node(kai_structure_mesh* mesh, const kai_structure_node* node,
                                           uint32_t* out);

/// Adds a cell of as many nodes as the element has.
KAI_API kai_result kai_structure_mesh_cell(kai_structure_mesh* mesh, const uint32_t* nodes);

/// Puts a node into a set, which is made when it is new. The set "all" needs no telling.
KAI_API kai_result kai_structure_mesh_set(kai_structure_mesh* mesh, const char* set, uint32_t node);

/// Ties two nodes together, which stand in one place: a joint of kind `node-node`.
KAI_API kai_result kai_structure_mesh_tie(kai_structure_mesh* mesh, uint32_t a, uint32_t b);

/// How many nodes and cells a mesh has so far, and one of them; NULL beyond the last.
KAI_API size_t kai_structure_mesh_node_count(const kai_structure_mesh* mesh);
KAI_API size_t kai_structure_mesh_cell_count(const kai_structure_mesh* mesh); ///< likewise
KAI_API const kai_structure_node* kai_structure_mesh_node_at(const kai_structure_mesh* mesh,
                                                             size_t i); ///< likewise
KAI_API const uint32_t* kai_structure_mesh_cell_at(const kai_structure_mesh* mesh,
                                                   size_t i); ///< its nodes

/// Makes a kind of the user's own known to a world.
KAI_API kai_result kai_structure_register(kai_world* world, const kai_structure_kind* kind);

/// Adds a structure of elements of one kind: `element_params` is an instance of it whose nodes are
/// filled in by the mesh. A node that is alone in its set is named "name.set". KAI_ERROR_ARGUMENT
/// names the cell that cannot be. On failure nothing has changed.
KAI_API kai_result kai_structure_create(kai_world* world, const kai_structure_kind* kind,
                                        const void* params, const kai_element_kind* element,
                                        const void* element_params, const char* name,
                                        kai_structure* out);

// Parts ------------------------------------------------------------------------------------------

/// The structure of a name, null when there is none; and the name of a structure.
KAI_API kai_structure kai_structure_find(const kai_world* world, const char* name);
KAI_API const char* kai_structure_name(const kai_world* world,
                                       kai_structure structure); ///< "" without one

/// How many structures the world has, and the i-th of them.
KAI_API size_t kai_structure_count(const kai_world* world);
KAI_API kai_structure kai_structure_at(const kai_world* world, size_t i); ///< null beyond the last

/// How many nodes a set has ("all" or NULL: the structure), 0 when there is no such set.
KAI_API size_t kai_structure_size(const kai_world* world, kai_structure structure, const char* set);

/// The i-th node of a set; null beyond the last, and where nodes are bodies.
KAI_API kai_node kai_structure_node_at(const kai_world* world, kai_structure structure,
                                       const char* set, size_t i);

/// The i-th body of a set; null beyond the last, and where nodes are not bodies.
KAI_API kai_body kai_structure_body_at(const kai_world* world, kai_structure structure,
                                       const char* set, size_t i);

/// How many elements it has, and the i-th of them.
KAI_API size_t kai_structure_element_count(const kai_world* world, kai_structure structure);
KAI_API kai_element kai_structure_element_at(const kai_world* world, kai_structure structure,
                                             size_t i); ///< null beyond the last

/// The name of the i-th set; NULL beyond the last.
KAI_API const char* kai_structure_set_name(const kai_world* world, kai_structure structure,
                                           size_t i);

// Results ----------------------------------------------------------------------------------------

/// Energies of a structure at the present state, J: of motion, and stored in its elements. Mass of
/// nodes and bodies that it shares with others counts in full.
KAI_API kai_result kai_structure_energy(kai_world* world, kai_structure structure, double* kinetic,
                                        double* elastic);

/// Sum of the forces of supports on the nodes of a set that are fixed, N, and their moment about
/// the origin of the world, N m, in world axes; see kai_node_reaction. Bodies that are fixed count
/// with what they are held against.
KAI_API kai_result kai_structure_reaction(kai_world* world, kai_structure structure,
                                          const char* set, kai_vec3* force, kai_vec3* moment);

// Loads and supports -----------------------------------------------------------------------------

/// Says that coordinates of all nodes of a set cannot move: bits of kai_node_fixed, added to those
/// that cannot already. Bodies take KAI_NODE_FIX_ALL alone.
KAI_API kai_result kai_structure_fix(kai_world* world, kai_structure structure, const char* set,
                                     int64_t coordinates);

/// Spreads a force over a set, N, beside those that act there already: by the area of the faces
/// whose nodes are all in the set, else by the length of such edges, else evenly. Bodies get loads
/// of kind `force`.
KAI_API kai_result kai_structure_force(kai_world* world, kai_structure structure, const char* set,
                                       kai_vec3 force);

/// The same with a force that varies in time, and with a moment, N m, both in world axes. Shares
/// are those of kai_structure_force.
///
///     bodies      each takes its share of the moment as a torque
///     slopes      each takes its share as forces on its slopes, those of their least turn: what
///                 turns about the only slope of a cable (its twist) has no effect
///     points      forces across the lines to their common centre, those of a turn of the set as
///                 it is when the load is made; they keep their direction
///
/// Makes elements of kind `node-load-…`. KAI_ERROR_ARGUMENT when points that are to take a moment
/// lie on a line.
KAI_API kai_result kai_structure_load(kai_world* world, kai_structure structure, const char* set,
                                      kai_value3 force, kai_value3 moment);

/// Presses on the faces whose nodes are all in a set, from outside (of shells: from the side of
/// their normal), Pa; negative blows up. Pressure goes with the faces. Faces between two cells do
/// not count. Makes elements of kind `pressure-…`.
KAI_API kai_result kai_structure_pressure(kai_world* world, kai_structure structure,
                                          const char* set, kai_value pressure);

/// Moves all nodes of a set by a prescribed motion, a displacement from where they stand, m: joints
/// of kind `node-motion`; where nodes are bodies, of kind `imposed-motion` against a fixed body
/// that is made for it. Slopes and frames may turn.
KAI_API kai_result kai_structure_move(kai_world* world, kai_structure structure, const char* set,
                                      kai_value3 displacement);

/// The same, and slopes and frames are held as they stand: what a clamp that moves does.
KAI_API kai_result kai_structure_move_held(kai_world* world, kai_structure structure,
                                           const char* set, kai_value3 displacement);

/// Holds all nodes of a set on a body (not null), as they stand: by their position, and `turned`
/// also by their first slope or their frame. Joints of kind `node-point` or `node-fixed`; where
/// nodes are bodies, `spherical` or `fixed`.
KAI_API kai_result kai_structure_link(kai_world* world, kai_structure structure, const char* set,
                                      kai_body body, bool turned);

/// Lets all nodes of a set touch things: balls of that radius, m, and material (null: the default
/// one); see kai_node_set_contact. Nodes of one structure touch each other when `among` is true.
KAI_API kai_result kai_structure_contact(kai_world* world, kai_structure structure, const char* set,
                                         double radius, kai_material material, bool among);

/// What of a structure touches things.
typedef enum kai_structure_contact_type {
    KAI_STRUCTURE_CONTACT_NODES,    ///< balls at nodes, as kai_structure_contact makes them
    KAI_STRUCTURE_CONTACT_CAPSULES, ///< a capsule along every line from node to node
    KAI_STRUCTURE_CONTACT_TRIANGLES ///< outer faces, as triangles with thickness
} kai_structure_contact_type;

/// Lets the surface of a structure touch things: all lines or faces whose nodes are all in the set.
/// `radius` is that of capsules, and half the thickness of triangles, m. Forces go to the nodes of
/// the line or triangle, each by its share; pieces that share a node never touch each other, others
/// of this structure do when `among` is true. KAI_ERROR_ARGUMENT for a structure that has no lines
/// or no faces, for a set that holds none, and for one with a line or face that touches already.
KAI_API kai_result kai_structure_contact_surface(kai_world* world, kai_structure structure,
                                                 const char* set, kai_structure_contact_type type,
                                                 double radius, kai_material material, bool among);

/// The element whose surface a body stands for in contacts; null: it is a body like any other.
KAI_API kai_element kai_structure_contact_element(const kai_world* world, kai_body body);

#ifdef __cplusplus
}
#endif

#endif
