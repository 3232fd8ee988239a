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
    SET("Nodes that are held."),
    KAI_PARAM(ENUM, item, coordinates, .words = COORDINATES,
              .doc = "What of them cannot move. Bodies take all."),
};

static const kai_param FORCES[] = {
    SET("Nodes that it is shared by."),
    KAI_PARAM(
        VALUE3, item, force, .placing = KAI_PLACING_VECTOR, .unit = "N",
        .doc = "The whole force: by the area of faces whose nodes are all in the set, else by the "
               "length of edges, else evenly."),
    KAI_PARAM(
        VALUE3, item, moment, .placing = KAI_PLACING_AXIAL, .unit = "N m",
        .doc =
            "The whole moment, shared in the same way. Bodies get torques; nodes with slopes get "
            "generalised forces that turn the slopes; other nodes get forces perpendicular to "
            "the lines to the centre of the set, and these forces keep their direction."),
};

static const kai_param PRESSURES[] = {
    SET("Faces whose nodes are all in the set are pressed."),
    KAI_PARAM(
        VALUE, item, pressure, .unit = "Pa", .required = true,
        .doc =
            "Pressure on the outer faces, or on the side of shells that their normal points to; negative "
            "pulls. It goes with "
            "the faces."),
};

static const char* const TURNS[] = {"free", "held", NULL};

static const kai_param MOTIONS[] = {
    SET("Nodes that are moved."),
    KAI_PARAM(
        VALUE3, item, displacement, .placing = KAI_PLACING_VECTOR, .unit = "m", .required = true,
        .doc =
            "From where they are at the start. Joints named `structure.set.motion`, numbered where "
            "the set has several nodes, tell outputs the force that it takes."),
    KAI_PARAM(
        ENUM, item, turns, .words = TURNS,
        .doc = "Whether slopes of nodes and frames of bodies may turn, or are held as they are."),
};

static const char* const HOLD[] = {"point", "fixed", NULL};

static const kai_param LINKS[] = {
    SET("Nodes that are held."),
    KAI_PARAM(BODY, item, body, .required = true, .doc = "The body that holds them."),
    KAI_PARAM_AS("type", ENUM, item, hold, .words = HOLD,
                 .doc = "Their position alone, or their first slope or frame as well."),
};

static const char* const SURFACES[] = {"nodes", "capsules", "triangles", NULL};

static const kai_param CONTACTS[] = {
    SET("Nodes that touch things; of lines and faces, those whose nodes are all in it."),
    KAI_PARAM(
        ENUM, item, surface, .words = SURFACES,
        .doc =
            "What touches: balls at nodes, a capsule along every line of a cable, a net or a beam, "
            "or the faces of shells and solids as triangles with thickness."),
    KAI_PARAM(REAL, item, radius, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Of balls and capsules, and half the thickness of triangles."),
    KAI_PARAM(MATERIAL, item, material, .doc = "Of its surface."),
    KAI_PARAM_AS(
        "self", BOOL, item, among,
        .doc =
            "True: parts of this structure touch each other. Balls at neighbours must then be "
            "farther apart than two radii; capsules and triangles that share a node never touch."),
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
              .doc = "Unique among its like."),
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
