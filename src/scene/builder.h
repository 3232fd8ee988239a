// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From a resolved document to a world: reads section by section, makes what is right and reports
// the rest.
#ifndef SCENE_BUILDER_H
#define SCENE_BUILDER_H

#include "base/store.h"
#include "scene/include.h"
#include "scene/language/instances.h"
#include "scene/paths.h"
#include "scene/reader.h"

#include <kairos/scene.h>

struct kai_builder {
    kai_reader reader;
    kai_memory memory; // of the tables of names
    kai_names groups;  // particle groups that the scene declares
    kai_names loads;
    kai_names motors;
    kai_names couplings;
    kai_names elements;
    kai_names sensors;
    kai_names events;
    kai_names files;         // of outputs
    kai_include* include;    // who reads files of templates
    kai_sections_part scene; // keys of a scene, those of the program's own sections too
    kai_instances instances;
    uint64_t hash; // of particle tables and files of shapes
    kai_scene_settings settings;
    kai_output_def* outputs; // [output_count], given to the scene
    size_t output_count;
};

/// Starts a builder that fills `world`.
void kai_builder_init(kai_builder* builder, kai_world* world, kai_include* include);

/// Reads everything. Problems are in the list; the world is whole only when there are none.
void kai_builder_run(kai_builder* builder, const kai_document_node* root);

/// Gives the memory back, outputs too unless they were taken.
void kai_builder_free(kai_builder* builder);

// Between the files of the builder ---------------------------------------------------------------

/// The items of one section, of the scene and of all instances of templates in it.
typedef struct kai_builder_items {
    kai_builder* builder;
    const char* key;
    size_t scope; // the next one
    size_t index; // of the item, over all scopes
    const kai_document_node* node;
} kai_builder_items;

/// Starts at the beginning. The reader's scope is then always that of the item.
kai_builder_items kai_builder_items_of(kai_builder* builder, const char* key);

/// Goes to the first or next item; false, and the reader is in the scene's scope, when there is
/// none. What is no list is reported the first time.
bool kai_builder_next(kai_builder_items* items);

/// Reads what an object looks at, exactly one of the targets of outputs, and one quantity of it. False
/// after a report.
bool kai_builder_outputs_one(kai_builder* builder, const kai_document_node* node,
                             const kai_document_node* quantity, kai_output_def* out);

/// Enters the names of all items of a section and reports those that are used twice.
void kai_builder_declare(kai_builder* builder, const char* key, const char* what, kai_names* names);

/// Enters the names of a section and reads its items one by one; `first` is false for the second
/// item of a name.
void kai_builder_each(kai_builder* builder, const char* key, const char* what, kai_names* names,
                      void (*read)(kai_builder*, const kai_document_node*, bool first));

/// Reads the items of an object, whose own keys are their names: enters these and reports bad ones,
/// for which `named` is false.
void kai_builder_each_key(kai_builder* builder, const char* key, const char* what, kai_names* names,
                          void (*read)(kai_builder*, const kai_document_node*, bool named));

/// What a reader reads in: a scope of the builder's list.
void kai_builder_enter(kai_builder* builder, const kai_scope* scope);

/// Opens the file that a node, a text, names. False after a report.
bool kai_builder_open(kai_builder* builder, const kai_document_node* node, kai_paths_file* out);

/// False for the second item of a name, which was reported and cannot be made.
bool kai_builder_is_first(const kai_names* names, const kai_document_node* item, size_t index);

/// The "type" of an object, a text; NULL after a report.
const kai_document_node* kai_builder_type(kai_builder* builder, const kai_document_node* node);

/// The kind that an object's "type" names, NULL after a report.
const kai_kind* kai_builder_kind(kai_builder* builder, const kai_document_node* node,
                                 const kai_store* store);

/// An instance of that kind with its defaults, in the memory of the document; NULL after a report.
void* kai_builder_instance(kai_builder* builder, const kai_document_node* node,
                           const kai_store* store, const kai_kind** kind);

// Sections ---------------------------------------------------------------------------------------

/// "bodies": makes them with their shapes.
void kai_builder_bodies(kai_builder* builder);

/// A shape as a scene gives it.
typedef struct kai_builder_shape {
    const kai_shape_kind* kind;
    void* instance;
    kai_shape_def def;
} kai_builder_shape;

/// Reads a shape of a body, or that of particles. False after a report.
bool kai_builder_bodies_shape(kai_builder* builder, const kai_document_node* node,
                              kai_builder_shape* out);

/// "particles": makes all groups from their tables and samplers.
void kai_builder_particles(kai_builder* builder);

/// "solids", "nodes", "elements" and "structures", made in that order; bodies are there already.
void kai_builder_structures(kai_builder* builder);

/// Reports nodes that have no mass, where nothing else is wrong: what was reported may hold them.
void kai_builder_structures_check(kai_builder* builder);

/// "joints", "motors", "forces", "shafts" and "driveline": first all joints, since later ones may
/// refer to them by name.
void kai_builder_mechanism(kai_builder* builder);

/// Lays out the keys of a scene; reports sections of the program's own that have the name of one.
void kai_builder_sections_keys(kai_builder* builder);

/// Sections of the program's own, after all that their items may refer to.
void kai_builder_sections(kai_builder* builder);

/// "sensors": makes them, and an output for each that has a file; those come before the outputs of
/// the scene.
void kai_builder_sensors(kai_builder* builder);

/// Room for `count` more outputs. False when memory ran out.
bool kai_builder_outputs_room(kai_builder* builder, size_t count);

/// Enters the file of an output, a text that was checked for what it ends in. False after a report.
bool kai_builder_outputs_file(kai_builder* builder, const kai_document_node* file);

/// "stop": conditions that end a run before its end, after all that they may look at.
void kai_builder_stop(kai_builder* builder, const kai_document_node* root);

/// "outputs": reads all of them; keeps accelerations where one of them needs these.
void kai_builder_outputs(kai_builder* builder);

/// Reads which one of the targets of outputs an object has; `what` is the object's name in messages.
/// False after a report.
bool kai_builder_outputs_target(kai_builder* builder, const kai_document_node* node,
                                const char* what, kai_output_def* out);

/// "signals": their names, before anything reads one; and all of them, after what they measure.
void kai_builder_signals_declare(kai_builder* builder);
void kai_builder_signals(kai_builder* builder);

/// "events", after all that they name.
void kai_builder_events(kai_builder* builder);

/// Reads the file that a shape of kind hull, mesh or heightfield names into its instance; other
/// kinds are left alone. False after a report.
bool kai_builder_shapes_load(kai_builder* builder, const kai_document_node* node,
                             const kai_shape_kind* kind, void* instance);

#endif
