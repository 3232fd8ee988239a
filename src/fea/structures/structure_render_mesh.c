// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/structures/structure_render_mesh.h"

#include "base/error.h"
#include "model/id.h"
#include "model/node.h"
#include "model/part.h"
#include "model/render_mesh.h"
#include "model/structures/structure_faces.h"

#include <stdio.h>
#include <string.h>

enum { DISPLACEMENT, SPEED, OWN }; // fields; those of elements follow

/// One number of elements that vertices are shown with.
typedef struct shown {
    char name[KAI_STRING_SIZE + 64]; // of the field
    char result[KAI_STRING_SIZE];    // of elements, or "displacement"
    int component;
    int64_t layer;
    double place;
} shown;

/// One structure. Its vertices are its nodes.
typedef struct structure_mesh {
    kai_structure structure;
    kai_string name;
    kai_vec3 color;
    uint32_t index; // in the id, kept for restored worlds
    size_t nodes, triangle_count, line_count;
    uint32_t *triangles, *lines;
    uint32_t* elements; // [triangle_count + line_count]: number in the structure
    double* start;      // [nodes][3]: bodies without deformation
    uint32_t* place;    // [places]: 1 + vertex of the node with index `lowest` + i of its id
    size_t places;
    uint32_t lowest;
    double* share; // [nodes]: scratch, cells that a vertex has a number from
    kai_render_mesh_field fields[KAI_RENDER_MESH_FIELDS];
    size_t field_count;
    shown shown[KAI_RENDER_MESH_FIELDS - OWN]; // [field_count - OWN]
} structure_mesh;

/// The vertex of a node, by the index of its id; UINT32_MAX where a file tells of one that is not
/// there.
static uint32_t vertex_of(const structure_mesh* s, uint32_t index)
{
    return index >= s->lowest && index - s->lowest < s->places ? s->place[index - s->lowest] - 1
                                                               : UINT32_MAX;
}

static void describe(const void* context, size_t i, kai_render_mesh* out)
{
    (void)i;
    const structure_mesh* s = context;
    *out = (kai_render_mesh){.name = s->name.text,
                             .vertex_count = s->nodes,
                             .triangles = s->triangles,
                             .triangle_count = s->triangle_count,
                             .lines = s->lines,
                             .elements = s->elements,
                             .line_count = s->line_count,
                             .fields = s->fields,
                             .field_count = s->field_count,
                             .color = s->color.x < 0.0 ? NULL : &s->color};
}

// State ------------------------------------------------------------------------------------------

/// Where a vertex is, how fast, and where it was without deformation.
static void look(const structure_mesh* s, const kai_world* world, size_t i, kai_vec3* at,
                 kai_vec3* velocity, kai_vec3* start)
{
    const kai_node node = kai_structure_node_at(world, s->structure, NULL, i);
    if (KAI_IS_NULL(node)) {
        const kai_body body = kai_structure_body_at(world, s->structure, NULL, i);
        *at = kai_body_position(world, body);
        *velocity = kai_body_velocity(world, body);
        *start = kai_vec3_make(s->start[3 * i], s->start[3 * i + 1], s->start[3 * i + 2]);
        return;
    }
    const uint32_t slot = kai_node_slot(world, node);
    const kai_node_record* record = slot == UINT32_MAX ? NULL : &kai_node_all(world)[slot];
    *at = record ? record->def.position : kai_vec3_zero();
    *velocity = record ? record->def.velocity : kai_vec3_zero();
    *start = record ? record->reference[0] : *at;
}

static void gather_node(const structure_mesh* s, const kai_world* world, size_t i, double* position,
                        double* const* fields)
{
    kai_vec3 at, velocity, start;
    look(s, world, i, &at, &velocity, &start);
    position[3 * i] = at.x, position[3 * i + 1] = at.y, position[3 * i + 2] = at.z;
    fields[DISPLACEMENT][i] = kai_vec3_distance(at, start);
    fields[SPEED][i] = kai_vec3_norm(velocity);
    for (size_t k = OWN; k < s->field_count; k++)
        if (strcmp(s->shown[k - OWN].result, "displacement") == 0)
            fields[k][i] = kai_vec3_get(kai_vec3_sub(at, start), s->shown[k - OWN].component);
}

/// The number of a field in the middle of an element; false: it has none.
static bool number_of(kai_world* world, kai_element element, const kai_element_kind* kind,
                      const shown* f, double* out)
{
    double at[3] = {0.0, 0.0, kind->face_count == 1 ? f->place : 0.0}, all[KAI_ELEMENT_COMPONENTS];
    if (f->layer >= 0 &&
        kai_element_layer_at(world, element, (size_t)f->layer, f->place, &at[2]) != KAI_OK)
        return false;
    if (kai_element_result_at(world, element, f->result, at, all) != KAI_OK) return false;
    *out = all[f->component];
    return true;
}

/// What elements have in their middle, as a mean at nodes.
static void gather_shown(const structure_mesh* s, kai_world* world, const shown* f, double* out)
{
    memset(s->share, 0, s->nodes * sizeof *s->share);
    memset(out, 0, s->nodes * sizeof *out);
    const kai_error before = world->error;
    const size_t count = kai_structure_element_count(world, s->structure);
    for (size_t i = 0; i < count; i++) {
        const kai_element element = kai_structure_element_at(world, s->structure, i);
        const kai_element_kind* kind = kai_element_kind_of(world, element);
        const kai_node* nodes = kai_element_params(world, element);
        double number;
        if (!kind) continue;
        // All are of one kind: what one cannot tell, none can.
        if (!number_of(world, element, kind, f, &number)) break;
        for (int k = 0; k < kind->nodes; k++) {
            const uint32_t v = vertex_of(s, nodes[k].index);
            if (v == UINT32_MAX) continue;
            out[v] += number;
            s->share[v] += 1.0;
        }
    }
    world->error = before;
    for (size_t i = 0; i < s->nodes; i++)
        out[i] = s->share[i] > 0.0 ? out[i] / s->share[i] : (double)NAN;
}

static void gather(const void* context, kai_world* world, size_t i, double* position,
                   double* const* fields)
{
    (void)i;
    const structure_mesh* s = context;
    for (size_t k = 0; k < s->nodes; k++) gather_node(s, world, k, position, fields);
    for (size_t k = OWN; k < s->field_count; k++)
        if (strcmp(s->shown[k - OWN].result, "displacement") != 0)
            gather_shown(s, world, &s->shown[k - OWN], fields[k]);
}

// Fields -----------------------------------------------------------------------------------------

/// Names a field after its result, component, layer and height: stress_xx_layer1_top.
static void name_field(const kai_structure_field* given, shown* f)
{
    const char* height = given->place == 1.0    ? "_top"
                         : given->place == -1.0 ? "_bottom"
                         : given->place == 0.0  ? "_middle"
                                                : NULL;
    char layer[32] = "", number[32] = "";
    if (given->layer >= 0) snprintf(layer, sizeof layer, "_layer%lld", (long long)given->layer);
    if (!height) snprintf(number, sizeof number, "_at_%g", given->place);
    // The side of the normal is what is shown without asking.
    if (given->layer < 0 && given->place == 1.0) height = "";
    const char* label = given->component.text;
    snprintf(f->name, sizeof f->name, "%.200s%s%.40s%s%s", given->result.text, label[0] ? "_" : "",
             label, layer, height ? height : number);
    for (char* c = f->name; *c; c++)
        if (*c == '.' || *c == '-' || *c == '+') *c = '_';
}

/// The place of a label; -1 when there is none of that name.
static int component_of(const char* const* labels, int count, const char* label)
{
    if (!labels) return label[0] ? -1 : 0;
    for (int k = 0; k < count; k++)
        if (strcmp(labels[k], label) == 0) return k;
    return -1;
}

static kai_result add_field(kai_world* world, structure_mesh* s, const kai_structure_field* given)
{
    static const char* const XYZ[] = {"x", "y", "z"};
    const char* structure = s->name.text;
    const kai_element first = kai_structure_element_at(world, s->structure, 0);
    const kai_element_kind* kind = kai_element_kind_of(world, first);
    const bool moved = strcmp(given->result.text, "displacement") == 0;
    const kai_element_result* r = kind ? kai_element_result_find(kind, given->result.text) : NULL;
    if (!moved && !r)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "structure '%s': its elements have no result '%s' that could be shown",
                             structure, given->result.text);
    if (s->field_count == KAI_RENDER_MESH_FIELDS)
        return kai_error_set(&world->error, KAI_ERROR_LIMIT,
                             "structure '%s' has more than %d fields", structure,
                             KAI_RENDER_MESH_FIELDS - OWN);
    shown* f = &s->shown[s->field_count - OWN];
    f->component = moved ? component_of(XYZ, 3, given->component.text)
                         : component_of(r->labels, r->components, given->component.text);
    if (f->component < 0)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "structure '%s': %s has no component '%s'", structure,
                             given->result.text, given->component.text);
    const size_t layers = kai_element_layer_count(world, first);
    if (given->layer >= 0 && (size_t)given->layer >= layers)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "structure '%s': layer of field %s is %lld; must be below %zu, the "
                             "layers of its elements",
                             structure, given->result.text, (long long)given->layer, layers);
    snprintf(f->result, sizeof f->result, "%s", given->result.text);
    f->layer = given->layer;
    f->place = given->place;
    name_field(given, f);
    for (size_t k = 0; k < s->field_count; k++)
        if (strcmp(s->fields[k].name, f->name) == 0)
            return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                                 "structure '%s': field '%s' is given twice", structure, f->name);
    s->fields[s->field_count++] = (kai_render_mesh_field){f->name, moved ? "m" : r->unit};
    return KAI_OK;
}

/// The fields that the structure asks for, or the usual one.
static kai_result add_fields(kai_world* world, structure_mesh* s)
{
    s->fields[DISPLACEMENT] = (kai_render_mesh_field){"displacement", "m"};
    s->fields[SPEED] = (kai_render_mesh_field){"speed", "m/s"};
    s->field_count = OWN;
    const kai_list* list = kai_structure_fields(world, s->structure);
    const kai_structure_field* given = list ? list->items : NULL;
    for (uint32_t i = 0; list && i < list->count; i++) KAI_TRY(add_field(world, s, &given[i]));
    if (list && list->count > 0) return KAI_OK;
    const bool line = s->triangle_count == 0;
    shown* f = &s->shown[0];
    snprintf(f->name, sizeof f->name, "%s", line ? "axial_force" : "von_mises");
    snprintf(f->result, sizeof f->result, "%s", line ? "axial_force" : "von_mises");
    f->layer = -1;
    f->place = 1.0;
    s->fields[s->field_count++] = (kai_render_mesh_field){f->name, line ? "N" : "Pa"};
    return KAI_OK;
}

// Making -----------------------------------------------------------------------------------------

static void free_structure_mesh(kai_memory* memory, structure_mesh* s)
{
    kai_memory_release(memory, s->triangles, 3 * s->triangle_count * sizeof *s->triangles);
    kai_memory_release(memory, s->lines, 2 * s->line_count * sizeof *s->lines);
    kai_memory_release(memory, s->elements,
                       (s->triangle_count + s->line_count) * sizeof *s->elements);
    kai_memory_release(memory, s->start, 3 * s->nodes * sizeof *s->start);
    kai_memory_release(memory, s->place, s->places * sizeof *s->place);
    kai_memory_release(memory, s->share, s->nodes * sizeof *s->share);
    kai_memory_release(memory, s, sizeof *s);
}

/// Numbers of the elements of a structure by the indices of their ids, from the lowest of them on.
static kai_result find_numbers(kai_world* world, kai_structure structure, uint32_t** numbers,
                               size_t* size, uint32_t* first)
{
    const size_t count = kai_structure_element_count(world, structure);
    uint32_t highest = 0;
    *first = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = kai_structure_element_at(world, structure, i).index;
        if (index < *first) *first = index;
        if (index > highest) highest = index;
    }
    *size = count > 0 ? (size_t)highest - *first + 1 : 0;
    *numbers = kai_memory_allocate_zeroed(&world->memory, *size, sizeof **numbers);
    if (*size > 0 && !*numbers)
        return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for a render mesh");
    for (size_t i = 0; i < count; i++)
        (*numbers)[kai_structure_element_at(world, structure, i).index - *first] = (uint32_t)i;
    return KAI_OK;
}

/// The elements of triangles and lines, in the order of fill().
static kai_result fill_elements(kai_world* world, structure_mesh* s,
                                const kai_structure_faces_item* faces, size_t count)
{
    uint32_t *numbers, first;
    size_t size, t = 0, l = s->triangle_count;
    KAI_TRY(find_numbers(world, s->structure, &numbers, &size, &first));
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = numbers[faces[i].element.index - first];
        if (faces[i].count == 2) s->elements[l++] = number;
        for (uint32_t k = 2; k < faces[i].count; k++) s->elements[t++] = number;
    }
    kai_memory_release(&world->memory, numbers, size * sizeof *numbers);
    return KAI_OK;
}

/// Faces as triangles, and lines.
static void fill(structure_mesh* s, const kai_structure_faces_item* faces, size_t count)
{
    size_t t = 0, l = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t v[4];
        for (uint32_t k = 0; k < faces[i].count; k++) v[k] = vertex_of(s, faces[i].nodes[k].index);
        if (faces[i].count == 2) {
            memcpy(s->lines + 2 * l++, v, 2 * sizeof *v);
            continue;
        }
        for (uint32_t k = 2; k < faces[i].count; k++, t++) {
            s->triangles[3 * t] = v[0];
            s->triangles[3 * t + 1] = v[k - 1];
            s->triangles[3 * t + 2] = v[k];
        }
    }
}

/// Where bodies were without deformation: elements keep it.
static void fill_start(const kai_world* world, structure_mesh* s)
{
    for (size_t i = 0; i < kai_structure_element_count(world, s->structure); i++) {
        const kai_element element = kai_structure_element_at(world, s->structure, i);
        const kai_element_kind* kind = kai_element_kind_of(world, element);
        const kai_node* nodes = kai_element_params(world, element);
        if (!kind || kind->slopes >= 0) return;
        const double* q = (const double*)(const void*)((const char*)nodes + kind->reference);
        for (int k = 0; k < kind->nodes; k++) {
            const uint32_t v = vertex_of(s, nodes[k].index);
            if (v != UINT32_MAX) memcpy(s->start + 3 * (size_t)v, q + 7 * k, 3 * sizeof *q);
        }
    }
}

static kai_result allocate(kai_world* world, structure_mesh* s,
                           const kai_structure_faces_item* faces, size_t count)
{
    kai_memory* memory = &world->memory;
    for (size_t i = 0; i < count; i++) {
        s->line_count += faces[i].count == 2;
        s->triangle_count += faces[i].count - 2;
    }
    uint32_t highest = 0;
    s->lowest = UINT32_MAX;
    for (size_t i = 0; i < s->nodes; i++) {
        const uint32_t index = kai_structure_index(world, s->structure, NULL, i);
        if (index < s->lowest) s->lowest = index;
        if (index > highest) highest = index;
    }
    s->places = s->nodes > 0 ? (size_t)highest - s->lowest + 1 : 0;
    s->triangles = kai_memory_allocate_zeroed(memory, 3 * s->triangle_count, sizeof(uint32_t));
    s->lines = kai_memory_allocate_zeroed(memory, 2 * s->line_count, sizeof(uint32_t));
    s->elements =
        kai_memory_allocate_zeroed(memory, s->triangle_count + s->line_count, sizeof(uint32_t));
    s->start = kai_memory_allocate_zeroed(memory, 3 * s->nodes, sizeof(double));
    s->place = kai_memory_allocate_zeroed(memory, s->places, sizeof(uint32_t));
    s->share = kai_memory_allocate_zeroed(memory, s->nodes, sizeof(double));
    if ((s->triangle_count && !s->triangles) || (s->line_count && !s->lines) ||
        (s->triangle_count + s->line_count && !s->elements) || !s->start || !s->place || !s->share)
        return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for a render mesh");
    for (size_t i = 0; i < s->nodes; i++)
        s->place[kai_structure_index(world, s->structure, NULL, i) - s->lowest] = (uint32_t)i + 1;
    return KAI_OK;
}

static kai_result make_of(kai_world* world, kai_structure structure, kai_array* faces)
{
    kai_memory* memory = &world->memory;
    structure_mesh* s = kai_memory_allocate_zeroed(memory, 1, sizeof *s);
    if (!s) return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for a render mesh");
    s->structure = structure;
    s->index = structure.index;
    s->nodes = kai_structure_size(world, structure, NULL);
    const kai_structure_base* base = kai_store_at(&world->structures, KAI_ID_OF(structure));
    s->color = base->color;
    const char* name = kai_structure_name(world, structure);
    if (name[0])
        snprintf(s->name.text, sizeof s->name.text, "%s", name);
    else
        snprintf(s->name.text, sizeof s->name.text, "structure-%u", structure.index);
    kai_result r = kai_structure_faces_find(world, structure, NULL, 0, faces);
    if (r == KAI_OK) r = allocate(world, s, faces->data, faces->count);
    if (r == KAI_OK) r = add_fields(world, s);
    if (r == KAI_OK) r = fill_elements(world, s, faces->data, faces->count);
    if (r == KAI_OK) {
        fill(s, faces->data, faces->count);
        fill_start(world, s);
        r = kai_array_append(&world->structure_render_meshes, memory, &s, 1, &world->error);
    }
    if (r != KAI_OK) {
        free_structure_mesh(memory, s);
        return r;
    }
    const kai_render_mesh_source source = {s, 1, describe, gather};
    r = kai_render_mesh_add(world, &source, &world->error);
    if (r == KAI_OK) return r;
    world->structure_render_meshes.count--;
    free_structure_mesh(memory, s);
    return r;
}

kai_result kai_structure_render_mesh_make(kai_world* world, kai_structure structure)
{
    kai_array faces = kai_array_make(sizeof(kai_structure_faces_item));
    const kai_result r = make_of(world, structure, &faces);
    kai_array_free(&faces, &world->memory);
    return r;
}

/// Makes the render meshes of structures that are not marked, by the index of their ids.
static kai_result make_missing(kai_world* world, const uint8_t* there)
{
    for (size_t i = 0; i < kai_structure_count(world); i++) {
        const kai_structure structure = kai_structure_at(world, i);
        if (!there[structure.index]) KAI_TRY(kai_structure_render_mesh_make(world, structure));
    }
    return KAI_OK;
}

kai_result kai_structure_render_mesh_add(kai_world* world, kai_error* err)
{
    structure_mesh* const* render_meshes = world->structure_render_meshes.data;
    size_t most = 0;
    kai_structure_index_sets(world);
    for (size_t i = 0; i < kai_structure_count(world); i++) {
        const uint32_t index = kai_structure_at(world, i).index;
        most = index > most ? index : most;
    }
    for (size_t k = 0; k < world->structure_render_meshes.count; k++)
        most = render_meshes[k]->index > most ? render_meshes[k]->index : most;
    uint8_t* there = kai_memory_allocate_zeroed(&world->memory, most + 1, 1);
    if (!there) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for render meshes");
    for (size_t k = 0; k < world->structure_render_meshes.count; k++)
        there[render_meshes[k]->index] = 1;
    const kai_result r = make_missing(world, there);
    kai_memory_release(&world->memory, there, most + 1);
    if (r != KAI_OK && err && err != &world->error) *err = world->error;
    return r;
}

void kai_structure_render_mesh_free(kai_world* world)
{
    structure_mesh* const* render_meshes = world->structure_render_meshes.data;
    for (size_t i = 0; i < world->structure_render_meshes.count; i++)
        free_structure_mesh(kai_part_memory(world), render_meshes[i]);
    kai_array_free(&world->structure_render_meshes, kai_part_memory(world));
}
