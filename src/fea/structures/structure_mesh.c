// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/structures/structure_mesh.h"
#include "model/check.h"

#include "model/element.h"
#include "model/node.h"

#include <stdio.h>
#include <string.h>

void kai_structure_mesh_init(kai_structure_mesh* mesh, const kai_element_kind* element,
                             kai_memory* memory, kai_error* err)
{
    *mesh = (kai_structure_mesh){.memory = memory,
                                 .err = err,
                                 .element = element,
                                 .corners = (size_t)element->nodes,
                                 .nodes = kai_array_make(sizeof(kai_structure_node)),
                                 .cells = kai_array_make(sizeof(uint32_t)),
                                 .names = kai_array_make(sizeof(kai_string)),
                                 .places = kai_array_make(sizeof(kai_structure_mesh_place)),
                                 .ties = kai_array_make(2 * sizeof(uint32_t)),
                                 .knots = kai_array_make(sizeof(uint32_t))};
    kai_names_init(&mesh->known, memory);
}

void kai_structure_mesh_free(kai_structure_mesh* mesh)
{
    kai_array_free(&mesh->nodes, mesh->memory);
    kai_array_free(&mesh->cells, mesh->memory);
    kai_array_free(&mesh->names, mesh->memory);
    kai_names_free(&mesh->known);
    kai_array_free(&mesh->places, mesh->memory);
    kai_array_free(&mesh->ties, mesh->memory);
    kai_array_free(&mesh->knots, mesh->memory);
}

/// Bytes of a node: in the mesh, in the world (a node, or the lines of a body), in lists of ids and
/// in its render mesh.
static double node_bytes(const kai_element_kind* element)
{
    const size_t own = element->slopes < 0 ? 4 * KAI_ALIGNMENT : sizeof(kai_node_record);
    return (double)(sizeof(kai_structure_node) + own + 3 * sizeof(double) + 5 * sizeof(kai_id));
}

/// Bytes of a cell: in the mesh, in the world, in lists of ids, and what fea.c lays out for it:
/// data, forces, and its mass, which is listed number by number before it is added up.
static double cell_bytes(const kai_element_kind* element)
{
    enum { MASS = 32 + sizeof(double) };
    const size_t rows = kai_element_rows(element), corners = (size_t)element->nodes;
    const size_t vectors = element->slopes < 0 || !element->mass ? 0 : rows / 3;
    return (double)(2 * corners * sizeof(uint32_t) + element->kind.size + 5 * sizeof(kai_id) +
                    element->data_size + rows * sizeof(double) + vectors * vectors * MASS);
}

kai_result kai_structure_mesh_room(const kai_structure_mesh* mesh, double nodes, double cells,
                                   const char* shape)
{
    const kai_memory* memory = mesh->memory;
    const double bytes = nodes * node_bytes(mesh->element) + cells * cell_bytes(mesh->element);
    const size_t room = memory->bytes < memory->limit ? memory->limit - memory->bytes : 0;
    char needed[24], limit[24];
    kai_memory_text(bytes, needed);
    kai_memory_text((double)memory->limit, limit);
    if (!kai_memory_fits(room, 1.0, bytes))
        return kai_error_set(mesh->err, KAI_ERROR_LIMIT,
                             "%s of %s need about %s; the limit of memory is %s (--memory)", shape,
                             mesh->element->kind.name, needed, limit);
    if (nodes >= (double)(UINT32_MAX - 1) || cells >= (double)(UINT32_MAX - 1))
        return kai_error_set(mesh->err, KAI_ERROR_LIMIT, "%s are more than %u", shape,
                             UINT32_MAX - 1);
    return KAI_OK;
}

kai_result kai_structure_mesh_node(kai_structure_mesh* mesh, const kai_structure_node* node,
                                   uint32_t* out)
{
    KAI_GIVEN(mesh ? mesh->err : NULL, mesh, node);
    if (mesh->nodes.count >= UINT32_MAX - 1)
        return kai_error_set(mesh->err, KAI_ERROR_LIMIT, "the mesh has more than %u nodes",
                             UINT32_MAX - 1);
    if (out) *out = (uint32_t)mesh->nodes.count;
    return kai_array_append(&mesh->nodes, mesh->memory, node, 1, mesh->err);
}

kai_result kai_structure_mesh_knot(kai_structure_mesh* mesh, const kai_structure_node* node,
                                   uint32_t* out)
{
    const uint32_t number = (uint32_t)mesh->nodes.count;
    KAI_TRY(kai_array_append(&mesh->knots, mesh->memory, &number, 1, mesh->err));
    return kai_structure_mesh_node(mesh, node, out);
}

kai_result kai_structure_mesh_cell(kai_structure_mesh* mesh, const uint32_t* nodes)
{
    KAI_GIVEN(mesh ? mesh->err : NULL, mesh, nodes);
    return kai_array_append(&mesh->cells, mesh->memory, nodes, mesh->corners, mesh->err);
}

/// The number of a set; that of the next one when there is none.
static size_t find_set(const kai_structure_mesh* mesh, const char* set)
{
    const kai_string* names = mesh->names.data;
    const size_t count = mesh->names.count;
    // Builders fill one after the other.
    if (count > 0 && strcmp(names[count - 1].text, set) == 0) return count - 1;
    const kai_id known = kai_names_find(&mesh->known, set);
    if (!KAI_IS_NULL(known)) return known.index - 1;
    for (size_t i = 0; mesh->odd && i < count; i++)
        if (strcmp(names[i].text, set) == 0) return i;
    return count;
}

static kai_result add_set(kai_structure_mesh* mesh, const char* set)
{
    kai_string name = {{0}};
    if (snprintf(name.text, sizeof name.text, "%s", set) >= (int)sizeof name.text)
        return kai_error_set(mesh->err, KAI_ERROR_NAME,
                             "the name of set '%.40s…' is longer than %zu bytes", set,
                             sizeof name.text - 1);
    KAI_TRY(kai_array_append(&mesh->names, mesh->memory, &name, 1, mesh->err));
    const kai_result r = kai_names_add(&mesh->known, "set", set,
                                       (kai_id){.index = (uint32_t)mesh->names.count}, NULL, NULL);
    if (r == KAI_ERROR_NAME) mesh->odd = true;
    return r == KAI_ERROR_MEMORY ? kai_error_set(mesh->err, r, "no memory for set '%s'", set)
                                 : KAI_OK;
}

kai_result kai_structure_mesh_set(kai_structure_mesh* mesh, const char* set, uint32_t node)
{
    KAI_GIVEN(mesh ? mesh->err : NULL, mesh, set);
    const size_t at = find_set(mesh, set);
    if (at == mesh->names.count) KAI_TRY(add_set(mesh, set));
    const kai_structure_mesh_place place = {(uint32_t)at, node};
    return kai_array_append(&mesh->places, mesh->memory, &place, 1, mesh->err);
}

kai_result kai_structure_mesh_tie(kai_structure_mesh* mesh, uint32_t a, uint32_t b)
{
    KAI_GIVEN(mesh ? mesh->err : NULL, mesh);
    return kai_array_append(&mesh->ties, mesh->memory, (const uint32_t[]){a, b}, 1, mesh->err);
}

size_t kai_structure_mesh_node_count(const kai_structure_mesh* mesh)
{
    KAI_GIVEN_OR(0, mesh);
    return mesh->nodes.count;
}

size_t kai_structure_mesh_cell_count(const kai_structure_mesh* mesh)
{
    KAI_GIVEN_OR(0, mesh);
    return mesh->cells.count / mesh->corners;
}

const kai_structure_node* kai_structure_mesh_node_at(const kai_structure_mesh* mesh, size_t i)
{
    KAI_GIVEN_OR(NULL, mesh);
    return i < mesh->nodes.count ? (const kai_structure_node*)mesh->nodes.data + i : NULL;
}

const uint32_t* kai_structure_mesh_cell_at(const kai_structure_mesh* mesh, size_t i)
{
    KAI_GIVEN_OR(NULL, mesh);
    return i < kai_structure_mesh_cell_count(mesh)
               ? (const uint32_t*)mesh->cells.data + i * mesh->corners
               : NULL;
}

static kai_result check_cells(const kai_structure_mesh* mesh, uint8_t* used)
{
    const size_t cells = kai_structure_mesh_cell_count(mesh), count = mesh->nodes.count;
    for (size_t i = 0; i < cells; i++) {
        const uint32_t* cell = kai_structure_mesh_cell_at(mesh, i);
        for (size_t k = 0; k < mesh->corners; k++) {
            if (cell[k] >= count)
                return kai_error_set(mesh->err, KAI_ERROR_ARGUMENT,
                                     "cell %zu of the mesh names node %u; there are %zu", i,
                                     cell[k], count);
            for (size_t j = 0; j < k; j++)
                if (cell[j] == cell[k])
                    return kai_error_set(mesh->err, KAI_ERROR_ARGUMENT,
                                         "cell %lld of the mesh names node %lld twice; must be "
                                         "different ones",
                                         kai_structure_mesh_cell_number(mesh, i),
                                         kai_structure_mesh_node_number(mesh, cell[k]));
            used[cell[k]] = 1;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const kai_vec3 p = kai_structure_mesh_node_at(mesh, i)->position;
        if (!used[i])
            return kai_error_set(mesh->err, KAI_ERROR_ARGUMENT,
                                 "node %lld of the mesh at [%g, %g, %g] belongs to no cell; must "
                                 "belong to one",
                                 kai_structure_mesh_node_number(mesh, i), p.x, p.y, p.z);
        if (!kai_vec3_is_finite(p))
            return kai_error_set(mesh->err, KAI_ERROR_ARGUMENT,
                                 "node %lld of the mesh is at [%g, %g, %g]; must be finite",
                                 kai_structure_mesh_node_number(mesh, i), p.x, p.y, p.z);
    }
    return KAI_OK;
}

kai_result kai_structure_mesh_check(const kai_structure_mesh* mesh)
{
    if (kai_structure_mesh_cell_count(mesh) == 0)
        return kai_error_set(mesh->err, KAI_ERROR_ARGUMENT, "the mesh has no cells");
    const kai_structure_mesh_place* places = mesh->places.data;
    for (size_t i = 0; i < mesh->places.count; i++)
        if (places[i].node >= mesh->nodes.count)
            return kai_error_set(mesh->err, KAI_ERROR_ARGUMENT,
                                 "set '%s' of the mesh names node %u; there are %zu",
                                 ((const kai_string*)mesh->names.data)[places[i].set].text,
                                 places[i].node, mesh->nodes.count);
    const uint32_t* ties = mesh->ties.data;
    for (size_t i = 0; i < 2 * mesh->ties.count; i++)
        if (ties[i] >= mesh->nodes.count)
            return kai_error_set(mesh->err, KAI_ERROR_ARGUMENT,
                                 "a tie of the mesh names node %u; there are %zu", ties[i],
                                 mesh->nodes.count);
    uint8_t* used = kai_memory_allocate_zeroed(mesh->memory, mesh->nodes.count + 1, 1);
    if (!used) return kai_error_set(mesh->err, KAI_ERROR_MEMORY, "no memory for the mesh");
    const kai_result r = check_cells(mesh, used);
    kai_memory_release(mesh->memory, used, mesh->nodes.count + 1);
    return r;
}
