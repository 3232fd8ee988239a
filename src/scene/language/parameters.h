// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Parameters of a scene or template: names for numbers, which formulas use. They may be given in any
// order and by formulas over each other; each is worked out when it is first asked for.
#ifndef SCENE_PARAMETERS_H
#define SCENE_PARAMETERS_H

#include "math/unit.h"
#include "scene/document.h"

typedef struct kai_reader kai_reader;
typedef struct kai_scope kai_scope;

/// How far the value of a parameter is known.
typedef enum kai_parameters_state {
    KAI_PARAMETERS_GIVEN, // not asked for yet
    KAI_PARAMETERS_OPEN,  // being worked out: who asks for it now is part of a circle
    KAI_PARAMETERS_KNOWN,
    KAI_PARAMETERS_BAD // reported
} kai_parameters_state;

typedef struct kai_parameters_item {
    const char* name;
    const kai_document_node* node;  // as it was declared
    const kai_document_node* value; // number or formula; NULL for a text
    const char* text;               // of a parameter that is a text; NULL: a number
    const char* doc;                // may be ""
    bool has_unit;                  // of the value
    kai_unit unit;                  // of the value
    const char* unit_text;          // as given, "" for none: numbers without unit are in it
    double min, max;                // of the value in that unit
    double number;                  // SI
    const kai_scope* scope;         // in which the value is meant; NULL: that of the parameter
    kai_parameters_state state;
} kai_parameters_item;

typedef struct kai_parameters {
    kai_parameters_item* list;   // [count] in the order of the file
    kai_parameters_item** names; // [count] by name
    size_t count;
} kai_parameters;

/// Reads the key "parameters" of a root, and all its items; NULL when memory ran out. Values are
/// worked out later, in the reader's scope of that time.
kai_parameters* kai_parameters_read(kai_reader* reader, const kai_document_node* root);

/// The parameter of a name, NULL when there is none.
kai_parameters_item* kai_parameters_find(const kai_parameters* parameters, const char* name);

/// The name most like one, NULL when none is near.
const char* kai_parameters_nearest(const kai_parameters* parameters, const char* name);

#endif
