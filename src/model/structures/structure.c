// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/structures/structure.h"

#include "base/kind.h"
#include "model/body.h"
#include "model/check.h"
#include "model/id.h"
#include "model/structures/structure_params.h"

#include <stdio.h>
#include <string.h>

static const kai_param SET_PARAMS[] = {
    KAI_PARAM(STRING, kai_structure_set, name, .doc = "Its name."),
    KAI_PARAM(TABLE, kai_structure_set, nodes, .columns = 1,
              .doc = "Numbers of its nodes in the mesh."),
};

const kai_kind kai_structure_set_kind =
    KAI_KIND("set", kai_structure_set, SET_PARAMS, .doc = "Nodes of a structure that have a name.");

static const kai_param FIELD_PARAMS[] = {
    KAI_PARAM(STRING, kai_structure_field, result, .required = true,
              .doc = "A quantity of element outputs, such as stress; or displacement."),
    KAI_PARAM(STRING, kai_structure_field, component,
              .doc = "Component, such as xx, of a quantity that has several."),
    KAI_PARAM(
        INT, kai_structure_field, layer, .initial = {-1.0}, .range = KAI_BETWEEN(-1.0, 7.0),
        .doc = "Of shells: the layer, from 0 at the bottom; -1: height refers to the whole shell."),
    KAI_PARAM_AS(
        "height", REAL, kai_structure_field, place, .initial = {1.0},
        .range = KAI_BETWEEN(-1.0, 1.0),
        .doc =
            "Of shells: position through the thickness, -1 at the bottom, 1 at the top (the side of the normal)."),
};

const kai_kind kai_structure_field_kind =
    KAI_KIND("field", kai_structure_field, FIELD_PARAMS, .doc = "What a structure is shown with.");

kai_structure_cell kai_structure_cell_of(const kai_element_kind* element)
{
    KAI_GIVEN_OR(KAI_STRUCTURE_NONE, element);
    const kai_element_face* face = element->faces;
    if (element->face_count == 1 && face->count == element->nodes)
        return face->count == 2   ? KAI_STRUCTURE_LINE
               : face->count == 3 ? KAI_STRUCTURE_TRIANGLE
                                  : KAI_STRUCTURE_QUADRANGLE;
    if (element->face_count == 4 && (element->nodes == 4 || element->nodes == 10))
        return KAI_STRUCTURE_TETRAHEDRON;
    if (element->face_count == 6 && (element->nodes == 8 || element->nodes == 20))
        return KAI_STRUCTURE_HEXAHEDRON;
    return KAI_STRUCTURE_NONE;
}

kai_result kai_structure_register(kai_world* world, const kai_structure_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_structure_kind whole;
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_kind_read_table(given, "structure", sizeof whole, &whole, &world->error)));
    kind = &whole;
    if (!kind->build || kind->kind.size < sizeof(kai_structure_base))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_structure_register: the kind has no build(), or no "
                             "kai_structure_base at its start");
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->structures, given, sizeof whole, 0, &world->error));
}

// Names of sets ----------------------------------------------------------------------------------

/// Sets of one structure that are looked through one by one.
enum { FEW_SETS = 16 };

/// The key of a set in the table of all; false when it is too long. That of "" says that the table
/// holds all sets of the structure.
static bool set_key(kai_structure structure, const char* set, char key[KAI_NAMES_LONGEST + 1])
{
    return snprintf(key, KAI_NAMES_LONGEST + 1, "%u/%s", structure.index, set) <= KAI_NAMES_LONGEST;
}

void kai_structure_index_sets_of(kai_world* world, kai_structure structure)
{
    const kai_structure_base* base = kai_store_at(&world->structures, KAI_ID_OF(structure));
    const kai_structure_set* sets = base->sets.items;
    char key[KAI_NAMES_LONGEST + 1];
    if (base->sets.count <= FEW_SETS) return;
    for (uint32_t i = 0; i < base->sets.count; i++)
        if (!set_key(structure, sets[i].name.text, key) ||
            kai_names_add(&world->set_names, "set", key, (kai_id){.index = i + 1}, NULL, NULL) !=
                KAI_OK)
            return;
    if (set_key(structure, "", key))
        (void)kai_names_add(&world->set_names, "set", key, (kai_id){.index = UINT32_MAX}, NULL,
                            NULL);
}

void kai_structure_index_sets(kai_world* world)
{
    kai_names_free(&world->set_names);
    for (size_t i = 0; i < kai_structure_count(world); i++)
        kai_structure_index_sets_of(world, kai_structure_at(world, i));
}

// Parts ------------------------------------------------------------------------------------------

static const kai_structure_base* find(const kai_world* world, kai_structure structure)
{
    return kai_store_at(&world->structures, KAI_ID_OF(structure));
}

/// The members of a set: false when there is none of that name; `*out` is NULL for all nodes.
static bool find_set(const kai_world* world, kai_structure structure, const char* set,
                     const kai_structure_set** out)
{
    const kai_structure_base* base = find(world, structure);
    char key[KAI_NAMES_LONGEST + 1];
    *out = NULL;
    if (!set || strcmp(set, "all") == 0) return true;
    const kai_structure_set* sets = base->sets.items;
    if (base->sets.count > FEW_SETS && set_key(structure, "", key) &&
        !KAI_IS_NULL(kai_names_find(&world->set_names, key))) {
        const uint32_t found =
            set_key(structure, set, key) ? kai_names_find(&world->set_names, key).index : 0;
        if (found > 0 && found <= base->sets.count) *out = &sets[found - 1];
        return *out != NULL;
    }
    for (uint32_t i = 0; i < base->sets.count; i++)
        if (strcmp(sets[i].name.text, set) == 0) *out = &sets[i];
    return *out != NULL;
}

kai_result kai_structure_check(kai_world* world, kai_structure structure, const char* set,
                               bool* frames)
{
    const kai_structure_base* base = find(world, structure);
    const kai_structure_set* found;
    if (!base) return kai_store_id_error(&world->structures, KAI_ID_OF(structure), &world->error);
    *frames = base->frames;
    if (find_set(world, structure, set, &found)) return KAI_OK;
    char names[256] = "all";
    for (uint32_t i = 0, at = 3; i < base->sets.count && at < sizeof names; i++)
        at += (uint32_t)snprintf(names + at, sizeof names - at, ", %s",
                                 ((const kai_structure_set*)base->sets.items)[i].name.text);
    return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                         "structure '%s' has no set '%s'; it has %s",
                         kai_structure_name(world, structure), set, names);
}

kai_structure kai_structure_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_structure){0}, world, name);
    const kai_id id = kai_names_find(&world->structures.names, name);
    return KAI_ID_AS(kai_structure, id);
}

const char* kai_structure_name(const kai_world* world, kai_structure structure)
{
    KAI_GIVEN_OR("", world);
    return kai_store_name(&world->structures, KAI_ID_OF(structure));
}

size_t kai_structure_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->structures.count;
}

kai_structure kai_structure_at(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_structure){0}, world);
    for (size_t b = 0; b < world->structures.batch_count; b++) {
        const size_t count = world->structures.batches[b].items.count;
        if (i < count) {
            const kai_id id = kai_store_id(&world->structures, b, i);
            return KAI_ID_AS(kai_structure, id);
        }
        i -= count;
    }
    return (kai_structure){0};
}

size_t kai_structure_size(const kai_world* world, kai_structure structure, const char* set)
{
    KAI_GIVEN_OR(0, world);
    const kai_structure_base* base = find(world, structure);
    const kai_structure_set* found;
    if (!base || !find_set(world, structure, set, &found)) return 0;
    return found ? found->nodes.rows : base->nodes.rows;
}

/// The id in row i of a table of ids.
static kai_id row_id(const kai_world* world, const kai_table* table, size_t i)
{
    if (i >= table->rows) return (kai_id){0};
    return (kai_id){(uint32_t)table->data[2 * i], (uint16_t)table->data[2 * i + 1], world->tag};
}

static kai_id member(const kai_world* world, kai_structure structure, const char* set, size_t i,
                     bool frames)
{
    const kai_structure_base* base = find(world, structure);
    const kai_structure_set* found;
    if (!base || base->frames != frames || !find_set(world, structure, set, &found))
        return (kai_id){0};
    if (found && i >= found->nodes.rows) return (kai_id){0};
    return row_id(world, &base->nodes, found ? (size_t)found->nodes.data[i] : i);
}

uint32_t kai_structure_index(const kai_world* world, kai_structure structure, const char* set,
                             size_t i)
{
    const kai_structure_base* base = find(world, structure);
    return base ? member(world, structure, set, i, base->frames).index : 0;
}

kai_node kai_structure_node_at(const kai_world* world, kai_structure structure, const char* set,
                               size_t i)
{
    KAI_GIVEN_OR((kai_node){0}, world);
    const kai_id id = member(world, structure, set, i, false);
    return KAI_ID_AS(kai_node, id);
}

kai_body kai_structure_body_at(const kai_world* world, kai_structure structure, const char* set,
                               size_t i)
{
    KAI_GIVEN_OR((kai_body){0}, world);
    const kai_id id = member(world, structure, set, i, true);
    return KAI_ID_AS(kai_body, id);
}

size_t kai_structure_element_count(const kai_world* world, kai_structure structure)
{
    KAI_GIVEN_OR(0, world);
    const kai_structure_base* base = find(world, structure);
    return base ? base->elements.rows : 0;
}

kai_element kai_structure_element_at(const kai_world* world, kai_structure structure, size_t i)
{
    KAI_GIVEN_OR((kai_element){0}, world);
    const kai_structure_base* base = find(world, structure);
    const kai_id id = base ? row_id(world, &base->elements, i) : (kai_id){0};
    return KAI_ID_AS(kai_element, id);
}

const char* kai_structure_set_name(const kai_world* world, kai_structure structure, size_t i)
{
    KAI_GIVEN_OR(NULL, world);
    const kai_structure_base* base = find(world, structure);
    if (!base || i >= base->sets.count) return NULL;
    return ((const kai_structure_set*)base->sets.items)[i].name.text;
}

const kai_list* kai_structure_fields(const kai_world* world, kai_structure structure)
{
    const kai_structure_base* base = find(world, structure);
    return base ? &base->fields : NULL;
}

// Files ------------------------------------------------------------------------------------------

/// Whether all numbers of a table are whole, from `low` to `high`.
static bool is_whole(const kai_table* table, uint32_t columns, double low, double high)
{
    if (table->rows > 0 && table->columns != columns) return false;
    for (size_t i = 0; i < (size_t)table->rows * columns; i++) {
        const double x = table->data[i];
        if (!(x >= low && x <= high) || x != floor(x)) return false;
    }
    return true;
}

bool kai_structure_is_whole(const void* instance)
{
    const kai_structure_base* base = instance;
    const kai_structure_set* sets = base->sets.items;
    if (!is_whole(&base->nodes, 2, 0.0, UINT32_MAX) ||
        !is_whole(&base->elements, 2, 0.0, UINT32_MAX))
        return false;
    for (uint32_t i = 0; i < base->sets.count; i++)
        if (!is_whole(&sets[i].nodes, 1, 0.0, (double)base->nodes.rows - 1.0)) return false;
    return true;
}
