// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/sections_structures.h"

typedef kai_sections_structures_item item;

// Items ------------------------------------------------------------------------------------------

static const char* const COORDINATES[] = {"all", "position", "slopes", "x", "y", "z", NULL};

int64_t kai_sections_structures_bits(int32_t word)
{
    static const int64_t BITS[] = {KAI_NODE_FIX_ALL,
                                   KAI_NODE_FIX_POSITION,
                                   KAI_NODE_FIX_SLOPE_0 | KAI_NODE_FIX_SLOPE_1,
                                   1,
                                   2,
                                   4};
    return BITS[word];
}

#define SET(doc_) KAI_PARAM(STRING, item, set, .required = true, .doc = doc_)

static const kai_param FIXED[] = {
    SET("Set of nodes."),
    KAI_PARAM(ENUM, item, coordinates, .words = COORDINATES,
              .doc = "Coordinates that are fixed. Nodes that are bodies are fixed in all."),
};

static const kai_param FORCES[] = {
    SET("Set of nodes that the load is distributed over."),
    KAI_PARAM(
        VALUE3, item, force, .placing = KAI_PLACING_VECTOR, .unit = "N",
        .doc =
            "Total force. It is distributed by the area of faces whose nodes are all in the set, else by the length of edges, else evenly."),
    KAI_PARAM(
        VALUE3, item, moment, .placing = KAI_PLACING_AXIAL, .unit = "N m",
        .doc =
            "Total moment, distributed in the same way. Nodes that are bodies get torques; nodes with slopes get generalised forces that rotate the slopes; other nodes get forces perpendicular to their lines to the centre of the set, and these forces keep their direction."),
};

static const kai_param PRESSURES[] = {
    SET("The pressure acts on faces whose nodes are all in this set."),
    KAI_PARAM(
        VALUE, item, pressure, .unit = "Pa", .required = true,
        .doc =
            "Pressure on the outer faces, or on the side of shells that their normal points to; negative: suction. It follows the faces as they move."),
};

static const char* const TURNS[] = {"free", "held", NULL};

static const kai_param MOTIONS[] = {
    SET("Set of nodes whose motion is prescribed."),
    KAI_PARAM(
        VALUE3, item, displacement, .placing = KAI_PLACING_VECTOR, .unit = "m", .required = true,
        .doc =
            "Displacement from the position at the start, over time. The force that it takes is an output of the joints named `structure.set.motion`, numbered where the set has several nodes."),
    KAI_PARAM(
        ENUM, item, turns, .words = TURNS,
        .doc = "Whether slopes of nodes and frames of bodies may rotate, or keep their direction."),
};

static const char* const HOLD[] = {"point", "fixed", NULL};

static const kai_param LINKS[] = {
    SET("Set of nodes."),
    KAI_PARAM(BODY, item, body, .required = true, .doc = "Body that they are attached to."),
    KAI_PARAM_AS("type", ENUM, item, hold, .words = HOLD,
                 .doc =
                     "point: their position is held; fixed: their first slope or frame as well."),
};

static const char* const SURFACES[] = {"nodes", "capsules", "triangles", NULL};

static const kai_param CONTACTS[] = {
    SET("Set of nodes that can be in contact; lines and faces count when all their nodes are in it."),
    KAI_PARAM(
        ENUM, item, surface, .words = SURFACES,
        .doc =
            "Contact surface: spheres at nodes, a capsule along every line of a cable, net or beam, or the faces of shells and volumes as triangles with thickness."),
    KAI_PARAM(REAL, item, radius, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Radius of spheres and capsules, and half the thickness of triangles."),
    KAI_PARAM(MATERIAL, item, material, .doc = "Material of its surface (one of `materials`)."),
    KAI_PARAM_AS(
        "self", BOOL, item, among,
        .doc =
            "Self-contact: whether parts of this structure can touch each other. Spheres at neighbouring nodes must then be farther apart than two radii; capsules and triangles that share a node never touch."),
};

#define ITEM(name_, doc_, params_) KAI_KIND(name_, item, params_, .doc = doc_)

const kai_kind kai_sections_structures_items[KAI_SECTIONS_STRUCTURES_LISTS] = {
    ITEM("fixed", "A set of nodes that cannot move.", FIXED),
    ITEM("forces", "A force on a set of nodes.", FORCES),
    ITEM("pressures", "A pressure on faces.", PRESSURES),
    ITEM("motions", "Prescribed motion of a set of nodes.", MOTIONS),
    ITEM("links", "A set of nodes held by a body.", LINKS),
    ITEM("contacts", "A set of nodes that touch things.", CONTACTS)};

// Parts ------------------------------------------------------------------------------------------

static const kai_param NAME_PARAMS[] = {
    KAI_PARAM(STRING, kai_sections_element, name, .placing = KAI_PLACING_NAME,
              .doc = "Unique among things of its kind; other parts of the scene refer to it."),
};

#define NAMED(name_, doc_) KAI_KIND(name_, kai_sections_element, NAME_PARAMS, .doc = doc_)

static const kai_kind STRUCTURE = NAMED("structure", "What every structure takes.");
static const kai_kind ELEMENT = NAMED("element", "What every element takes.");
const kai_kind kai_sections_structures_node = NAMED("node", "One node of the list `nodes`.");

static const kai_sections_key TYPE_KEYS[] = {{.name = "type", .required = true}};

const kai_sections_part kai_sections_structures_solid = {.keys = TYPE_KEYS,
                                                         .key_count = KAI_COUNT(TYPE_KEYS)};

const kai_sections_part kai_sections_structures_element = {
    .kind = &ELEMENT, .keys = TYPE_KEYS, .key_count = KAI_COUNT(TYPE_KEYS)};

static const kai_sections_key STRUCTURE_KEYS[] = {{.name = "type", .required = true},
                                                  {.name = "element", .required = true},
                                                  {.name = "fixed"},
                                                  {.name = "forces"},
                                                  {.name = "pressures"},
                                                  {.name = "motions"},
                                                  {.name = "links"},
                                                  {.name = "contacts"}};

const kai_sections_part kai_sections_structures_part = {
    .kind = &STRUCTURE, .keys = STRUCTURE_KEYS, .key_count = KAI_COUNT(STRUCTURE_KEYS)};

kai_kind kai_sections_structures_nodeless(const kai_kind* kind)
{
    kai_kind k = *kind; // the nodes are the first parameter
    k.params++;
    k.param_count--;
    return k;
}
