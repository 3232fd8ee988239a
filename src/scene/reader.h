// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From nodes to instances: reads the keys of an object into structures that are described by kinds.
// Nothing here knows a particular kind. Every problem is reported and reading goes on.
#ifndef SCENE_READER_H
#define SCENE_READER_H

#include "base/names.h"
#include "scene/document.h"
#include "scene/language/scope.h"
#include "scene/sections.h"

struct kai_reader {
    kai_world* world;
    kai_document* document;
    kai_problems* problems;
    kai_names bodies; // names that the scene declares, whether the thing could be made or not
    kai_names materials;
    kai_names joints;
    kai_names shafts;
    kai_names nodes;
    kai_names solids;
    kai_names structures;
    kai_names signals;
    uint64_t compared;      // letters, in search of names that were meant
    bool unresolved;        // a reference leads to something declared that could not be made
    const kai_scope* scope; // of what is being read; NULL: a scene without one
    int formulas;           // being worked out within each other
    kai_placing joint_axis; // what the axis is of the joint that is being read
};

/// A description and the instance to fill. The instance holds the defaults already.
typedef struct kai_reader_part {
    const kai_kind* kind;
    void* instance;
} kai_reader_part;

/// Reads an object whose keys belong to one of `parts`, or to `keys`, which the caller reads.
/// Reports keys that are unknown or missing. True when all is well and every reference was found.
bool kai_reader_object(kai_reader* reader, const kai_document_node* node,
                       const kai_reader_part* parts, size_t part_count,
                       const kai_sections_key* keys, size_t key_count);

/// The same for one kind and no other keys, into an instance that gets its defaults first.
bool kai_reader_instance(kai_reader* reader, const kai_document_node* node, const kai_kind* kind,
                         void* instance);

/// The same for the kind and the keys of a section; the instance holds the defaults already.
bool kai_reader_section(kai_reader* reader, const kai_document_node* node,
                        const kai_sections_part* section, void* instance);

/// Reports a problem of a node, formatted. Returns false.
bool kai_reader_report(kai_reader* reader, const kai_document_node* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Reports that a node is not what is wanted: "mass is "heavy"; must be a number". Returns false.
bool kai_reader_wrong(kai_reader* reader, const kai_document_node* node, const char* wanted);

/// Reports a word that is none of `count` words: the near one, or all of them. Returns false.
bool kai_reader_unknown_word(kai_reader* reader, const kai_document_node* node, size_t count,
                             const char* (*word)(size_t i, const void* context),
                             const void* context);

/// Reports a name that nobody declared, with the near one. In a scene of very many names the last
/// ones of very many problems are told without it. Returns false.
bool kai_reader_unknown_name(kai_reader* reader, const kai_document_node* node, const char* family,
                             const kai_names* names);

/// What a message calls a node: its key, or key[i] for an item of a list.
void kai_reader_name(const kai_document_node* node, char* out, size_t size);

/// Reports a failed call on the world at a node, without the name of the call before the message.
void kai_reader_failed(kai_reader* reader, const kai_document_node* node);

/// Reports a key that belongs neither to `parts` nor to `keys`, with the near one or, if few, all
/// of them.
void kai_reader_unknown_key(kai_reader* reader, const kai_document_node* child,
                            const kai_reader_part* parts, size_t part_count,
                            const kai_sections_key* keys, size_t key_count);

/// Reads `node` into the field of a parameter. False when a problem was reported.
bool kai_reader_value(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                      void* field);

/// Turns a text that stands where a number is wanted into the number that the formula gives; all
/// else stays. `unit` is that of the key, may be NULL. False after a report.
bool kai_reader_formula(kai_reader* reader, const kai_document_node* node, const char* unit);

/// Reads a formula over signals: names of signals become whole ones, parameters of the scene become
/// numbers. False after a report.
bool kai_reader_formula_signals(kai_reader* reader, const kai_document_node* node, kai_string* out);

/// Puts the values of formulas in braces into a text: "box {i}". False after a report.
bool kai_reader_formula_text(kai_reader* reader, const kai_document_node* node);

/// Works out all parameters of the reader's scope.
void kai_reader_formula_parameters(kai_reader* reader);

/// Puts formulas into a text; for the name of a thing itself, or its key, the name of the instance
/// before it;
/// for a name that refers to something, what it leads to: `names` of a family (materials, solids) that
/// is looked for outside the instance too, else NULL. Once for every node.
void kai_reader_place_text(kai_reader* reader, const kai_document_node* node);
void kai_reader_place_name(kai_reader* reader, const kai_document_node* node);
void kai_reader_place_key(kai_reader* reader, const kai_document_node* node);
void kai_reader_place_reference(kai_reader* reader, const kai_document_node* node,
                                const kai_names* names);

/// What a name leads to in the reader's scope, without changing the document: at most
/// 2 KAI_STRING_SIZE bytes.
void kai_reader_place_lead(const kai_reader* reader, const char* name,
                           char out[2 * KAI_STRING_SIZE]);

/// Moves what was read into a field, and the node with it, to where the instance lies.
void kai_reader_place_value(kai_reader* reader, const kai_document_node* node,
                            const kai_param* param, void* field);

/// Mirrors a shape where the instance is mirrored, by the parameter `mirror` of kinds made of points.
/// False after a report.
bool kai_reader_place_shape(kai_reader* reader, const kai_document_node* node, const kai_kind* kind,
                            void* instance);

/// The same for parameters of an object that were not given, but for lists of them.
void kai_reader_place_defaults(kai_reader* reader, const kai_document_node* object,
                               const kai_kind* kind, void* instance);

/// The same for numbers or functions of time that were not read yet. False after a report.
bool kai_reader_place_functions(kai_reader* reader, const kai_document_node* node,
                                const kai_param* param);

/// Reads an object as a function and creates it in the world. False when a problem was reported.
bool kai_reader_function(kai_reader* reader, const kai_document_node* node, kai_function* out);

/// The parameter that a bare value stands for, NULL when the kind has none.
const kai_param* kai_reader_function_main(const kai_kind* kind);

/// True for an object of which some key is a parameter of the kind.
bool kai_reader_function_has_keys(const kai_document_node* node, const kai_kind* kind);

#endif
