// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The inside of a world. Modules below model/ (step, record, scene) include this; users never see
// it.
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "base/store.h"
#include "math/function_set.h"
#include "model/bodies.h"
#include "model/solver.h"

#include <kairos/contact.h>
#include <kairos/joint.h>
#include <kairos/sleep.h>
#include <kairos/world.h>
#include <stdatomic.h>

/// What every shape has beside its instance in the store. Each has its own, in the order of the
/// store's entries, but for runs: theirs follow each other on bodies that do so.
typedef struct kai_shape_record {
    uint32_t body;     // id index; of a run: that of its first shape
    uint32_t next;     // id index of the body's next shape, 0: last
    uint32_t material; // id index, 0: default material
    uint32_t frame;    // index into shape_frames: the shape in the body's own frame; 0: identity
    uint32_t color;    // 0x01rrggbb, 0: chosen by the viewer
    uint32_t flags;    // KAI_SHAPE_COLLIDE, …_VISIBLE, …_MUTED, family and mask
    double margin;     // radius_margin, m
} kai_shape_record;

#define KAI_SHAPE_COLLIDE 1u
#define KAI_SHAPE_VISIBLE 2u
#define KAI_SHAPE_MUTED   4u // it would collide, but its body is switched off

/// Whether a shape collides now.
static inline bool kai_shape_record_collides(uint32_t flags)
{
    return (flags & (KAI_SHAPE_COLLIDE | KAI_SHAPE_MUTED)) == KAI_SHAPE_COLLIDE;
}

/// The family of a shape, and which families it may touch, from its flags.
static inline uint32_t kai_shape_record_family(const kai_shape_record* record)
{
    return record->flags >> 4 & 15u;
}
static inline uint32_t kai_shape_record_mask(const kai_shape_record* record)
{
    return record->flags >> 16;
}

/// What a contact keeps from step to step; its name is that of kai_collision_contact.
typedef struct kai_contact_memory {
    uint32_t shape_a, shape_b; // id indices
    uint16_t part_a, part_b;
    uint32_t feature;
    double data[KAI_CONTACT_HISTORY_SIZE]; // NSC: impulse and couple on b, world; 1 where it
                                           // slipped; push out of overlap. SMC:
                                           // kai_contact_history
    double place[3]; // of the contact, from the mass centre of a, world axes, m
    float normal[3]; // world axes
    float gap;       // m
} kai_contact_memory;

/// A particle group.
typedef struct kai_particles_group {
    const char* name; // owned by the table of names; NULL without one
    kai_body* bodies; // [count], or NULL: ids in a row from `first` on
    kai_body first;
    size_t count;
} kai_particles_group;

/// Particle i of a group.
static inline kai_body kai_particles_group_body(const kai_particles_group* group, size_t i)
{
    if (group->bodies) return group->bodies[i];
    return (kai_body){group->first.index + (uint32_t)i, group->first.generation,
                      group->first.world};
}

/// Which loads act on which body: rows of a sparse matrix, so that forces are summed body by body
/// in a fixed order, on threads, without locks. Rebuilt when loads or bodies come and go.
typedef struct kai_load_plan {
    uint64_t loads_version, term_slots_version; // what it was built for
    uint64_t builds;                            // how often so far
    kai_array slot; // uint32_t [ends]: body slot, or bodies + shaft, of every end, batch by batch,
                    // instance by instance
    kai_array wrench; // kai_wrench [ends]
    kai_array body;   // uint32_t [rows]: slot of each body or shaft that carries loads
    kai_array first;  // uint32_t [rows + 1]: its first place in `end`
    kai_array end;    // uint32_t [ends]: ends sorted by body
    bool evaluated;   // wrench holds forces
    double time;      // for which they were evaluated, s
} kai_load_plan;

/// Counters that tell of changes between steps; see model/sleep.c.
enum { KAI_SLEEP_VERSIONS = 7 };

struct kai_world {
    kai_memory memory;
    kai_arena arena;
    kai_error error;
    kai_log_fn* log;
    void* log_context;
    uint16_t tag; // in every id of this world
    bool in_step; // functions of the user's own may be running; see model/check.h
    bool refused_told;
    _Atomic(const char*) refused; // a call that came from inside the step
    const kai_world* aside_of; // read aside, to take the place of that world; NULL: it is a world
    const struct kai_part* const* parts; // [part_count] the table of its parts; see part.h
    size_t part_count;
    kai_array attached; // kai_part_attached: parts beside those of the table
    int threads;
    const volatile int* stop; // non-zero: a long operation is to end; NULL: never

    double time; // time_base + (steps - steps_base) · time_step: equal steps add up without
                 // rounding drift
    uint64_t steps;
    double time_base, time_step;
    uint64_t steps_base;
    kai_vec3 gravity;

    kai_bodies bodies;
    const struct kai_comm* comm; // the ranks that share the world
    // Counters, so that what is laid out for bodies is made anew only when it must. A body carries
    // terms when loads, joints or elements refer to it or it stands for a node of elements.
    uint64_t bodies_version; // bodies or shafts came, went, changed slots, became fixed or free,
                             // or got another principal frame
    uint64_t terms_version;  // likewise, but only bodies that carry terms, shafts and nodes
    uint64_t term_slots_version; // with terms_version, and when a body that carries terms changed
                                 // its slot or the first shaft its place behind all bodies
    kai_store shafts;            // kai_shaft_def, all of one kind
    kai_store states;            // kinds of the user's own
    kai_store laws;              // of the penalty method, kinds of kai_contact_law_kind
    kai_store materials;         // kai_material_def
    kai_store material_pairs;    // kai_material_pair_def
    kai_store shapes;
    kai_array shape_records; // kai_shape_record [entries]
    kai_array shape_runs;    // kai_shape_record [runs]
    kai_frames shape_frames; // shapes in their body's own frame
    kai_function_set functions;
    kai_store loads;
    kai_array loads_off; // uint32_t: id indices of loads that are switched off, in their order
    kai_store signals;   // kinds of kai_signal_kind
    kai_array signals_started;   // uint8_t [entries of signals]: they have a start behind them
    kai_array signal_rates;      // double: rates of their states, as last found
    kai_store events;            // kai_event_def and what is kept with them
    uint32_t event_stop;         // id index of the event that asked for a stop last; 0: none
    kai_array event_records;     // kai_event_record: of the last step
    struct kai_control* control; // what is laid out for signals and events; made when it is needed
    kai_load_plan plan;
    kai_store joints;
    kai_store sensors;    // kinds of kai_sensor_kind; see sense/
    kai_store solids;     // kinds of kai_solid_kind
    kai_store nodes;      // kai_node_def, all of one kind
    kai_store elements;   // kinds of kai_element_kind
    kai_store structures; // kinds of kai_structure_kind
    struct kai_fea* fea;  // what is laid out for elements, made when it is first needed
    kai_array groups;     // kai_particles_group
    kai_names group_names;
    kai_array render_meshes;     // kai_render_mesh_entry
    kai_names render_mesh_names; // of all meshes of render meshes
    kai_names touching;          // places of structures that touch things; see structure_contact.c
    kai_names set_names;         // "index/set" of structures with many sets; see structure.c
    kai_array
        structure_render_meshes; // those of structures; see fea/structures/structure_render_mesh.c

    kai_array sections; // kai_section_record*: of scenes, a program's own; see model/section.h
    kai_array plugins;  // const char*: names of those that registered something; see plugin.h
    kai_store samplers; // kinds of kai_sampler_kind; no instances
    kai_array hooks;    // const kai_hooks*; see model/hook.h
    kai_array terms;    // attached ones; see step/term.h
    const kai_integrator_kind* integrator; // NULL: the default
    void* integrator_instance;             // [integrator->kind.size]

    kai_array
        integrator_state;      // double: what an integrator carries from step to step; see its file
    uint64_t integrator_steps; // 1 + the step that integrator_state is for; 0: for none
    double work;               // done by loads since the start, J
    double dissipated;         // J
    double energy_reference;   // value of the balance at the first step, J
    bool energy_known;         // energy_reference is set
    uint64_t tame_steps;       // 1 + the step after which bodies are far from overflow; 0: unknown
    kai_clock clock;

    double collision_reach;          // gap up to which shapes are in contact, m
    bool collision_detect;           // runs look for contacts after every step
    struct kai_collision* collision; // who touches whom; made when it is first asked

    kai_contact_def contact_def;
    kai_array contact_memory;     // kai_contact_memory: contacts of the last step, in their order
    double contact_elastic;       // energy stored in contacts, J (SMC)
    uint64_t contact_version;     // changes with contact_def
    double contact_reach;         // gap up to which contact wants shapes to be found, m
    bool contacts_deferred;       // world->contact remembers more than contact_memory holds
    struct kai_contacts* contact; // the state of contact/, made when it is first needed

    kai_sleep_def sleep_def;
    size_t asleep; // bodies after the last step; 0: none, whatever flags say
    uint64_t sleep_seen[KAI_SLEEP_VERSIONS]; // what was changed when, after the last step

    kai_solver_def solver_def;
    kai_solver_tally solver_tally;
    uint64_t solver_version; // changes with solver_def
    const char* solver_name; // the one in use; NULL: none yet
    bool solver_resumed;     // the tally is from a checkpoint, and the system not laid out since
    bool joints_passed;      // joints took hold of other ends since the integrator last looked
    struct kai_constraints* solver; // the joints' linear system, made when it is first needed
    struct kai_cone* cone; // memory of the cone solver, likewise; see contacts_velocities.c
    struct kai_problem_kept*
        problem_kept; // the cone problem of the last step, likewise; see problem_step.c
};

/// What a shape has, by id index.
static inline kai_shape_record kai_shape_record_of(const kai_world* world, uint32_t index)
{
    const kai_shape_record* records = world->shape_records.data;
    if (world->shapes.runs.count == 0) return records[index - 1];
    const size_t r = kai_store_run_of(&world->shapes, index);
    if (r == SIZE_MAX) return records[kai_store_place(&world->shapes, index)];
    kai_shape_record record = ((const kai_shape_record*)world->shape_runs.data)[r];
    record.body += index - ((const kai_store_run*)world->shapes.runs.data)[r].first;
    return record;
}

/// A world of these parts, made in their order: kai_world_create without knowing what there is. The
/// table lives longer than the world.
kai_result kai_world_make(const kai_world_def* def, const struct kai_part* const* parts,
                          size_t part_count, kai_world** out, kai_error* err);

/// Records an error of a public call, with the call's name before it: returns `result`.
kai_result kai_world_fail(const kai_world* world, const char* function, kai_result result);

/// Sends a formatted line to the log callback.
void kai_world_log(const kai_world* world, kai_log_level level, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// The world's error, also for a const world: leaving a message is no change of state.
kai_error* kai_world_error_of(const kai_world* world);

/// Evaluates all loads at the present state and time into bodies.wrench (all other entries zero).
/// KAI_ERROR_DIVERGED names the body when a force is not finite.
kai_result kai_load_evaluate(kai_world* world, double time, kai_error* err);

/// Whether any load depends on velocities.
bool kai_load_needs_velocity(const kai_world* world);

/// Energy stored in loads at the present state, J.
kai_result kai_load_energy(kai_world* world, double* elastic, kai_error* err);

/// Adds to world->work and world->dissipated what the loads last evaluated, at the present
/// velocities, do in so many seconds. An integrator calls it once a stage, with the weight of the
/// stage times h.
kai_result kai_load_energy_spend(kai_world* world, double seconds, kai_error* err);

#endif
