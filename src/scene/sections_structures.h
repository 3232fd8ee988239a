// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Descriptions of the sections "solids", "nodes", "elements" and "structures".
#ifndef SCENE_SECTIONS_STRUCTURES_H
#define SCENE_SECTIONS_STRUCTURES_H

#include "scene/sections.h"

#include <kairos/structure.h>

/// What an item of "fixed", "forces", "pressures", "motions", "links" or "contacts" of a structure
/// holds.
typedef struct kai_sections_structures_item {
    kai_string set;
    int32_t coordinates;     // fixed: into kai_sections_structures_coordinates
    kai_value3 force;        // forces
    kai_value3 moment;       // forces
    kai_value pressure;      // pressures
    kai_value3 displacement; // motions
    int32_t turns;           // motions: 0 free, 1 held
    kai_body body;           // links
    int32_t hold;            // links: 0 by position, 1 by frame as well
    int32_t surface;         // contacts: kai_structure_contact_type
    double radius;           // contacts
    kai_material material;   // contacts
    bool among;              // contacts
} kai_sections_structures_item;

extern const kai_sections_part kai_sections_structures_part;
extern const kai_sections_part kai_sections_structures_solid;
extern const kai_sections_part kai_sections_structures_element;
extern const kai_kind kai_sections_structures_node; // what a node takes beside kai_node_kind

/// The kinds of items, in the order of the lists of kai_sections_structures_part.
enum {
    KAI_SECTIONS_STRUCTURES_FIXED,
    KAI_SECTIONS_STRUCTURES_FORCES,
    KAI_SECTIONS_STRUCTURES_PRESSURES,
    KAI_SECTIONS_STRUCTURES_MOTIONS,
    KAI_SECTIONS_STRUCTURES_LINKS,
    KAI_SECTIONS_STRUCTURES_CONTACTS,
    KAI_SECTIONS_STRUCTURES_LISTS
};
extern const kai_kind kai_sections_structures_items[KAI_SECTIONS_STRUCTURES_LISTS];

/// The bits of kai_node_fixed for a word of "coordinates".
int64_t kai_sections_structures_bits(int32_t word);

/// An element as a structure describes it: without its nodes.
kai_kind kai_sections_structures_nodeless(const kai_kind* kind);

#endif
