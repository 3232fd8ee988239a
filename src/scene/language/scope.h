// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a part of a scene is read in: the scene itself, or one instance of a template. Names,
// formulas and places in it mean what they mean there.
#ifndef SCENE_SCOPE_H
#define SCENE_SCOPE_H

#include "scene/keyed.h"
#include "scene/language/parameters.h"
#include "scene/language/placement.h"

/// A variable of an array of instances: i, j or k.
typedef struct kai_scope_index {
    const char* name;
    double value;
} kai_scope_index;

struct kai_scope {
    const kai_scope* parent;       // in which the instance stands; NULL: this is the scene
    const kai_scope* outer;        // whose parameters are seen beside the own ones; NULL: none
    const kai_document_node* root; // object with sections; NULL: only a place for indices
    kai_keyed templates;           // of the root
    kai_keyed ports;               // names here → names in the parent
    const char* prefix;            // of names: "" or "front-left."
    const char* shown;             // what it is, for messages: "" or "front-left"
    kai_placement placement;
    kai_parameters* parameters; // NULL: none
    kai_scope_index index[3];   // of the instance in its array
    int index_count;
};

#endif
