// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/joints/joint_node_line.h"

#include "base/error.h"
#include "model/element.h"
#include "model/id.h"
#include "model/label.h"
#include "model/node.h"

#include <kairos/structure.h>
#include <string.h>

// The chain --------------------------------------------------------------------------------------

/// The elements that the line is made of, by their ends: 2 · slot of the node, + 1 where it is the
/// second slope of the node that lies along the element. Strands that cross in a knot have
/// different ends there.
typedef struct chain {
    const kai_world* world;
    const kai_element_kind* kind;
    const char* name;   // of the structure, NULL: of an element
    const void** items; // [count]: their instances
    uint32_t* ends;     // [2 count]
    uint32_t* meeting;  // elements at each end, at most three
    uint32_t count, start;
} chain;

static kai_result check_kind(const chain* c, kai_error* err)
{
    const kai_element_kind* kind = c->kind;
    if (kind->nodes == 2 && kind->face_count == 1 && kind->faces[0].count == 2 && kind->slopes != 0)
        return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "node-slide: %s has no smooth line to slide along; must be ancf-cable, "
                         "euler-beam or a kind of one's own with two nodes that have tangents",
                         kind->kind.name);
}

static kai_result take_room(chain* c, kai_arena* arena, kai_error* err)
{
    c->items = kai_arena_take(arena, c->count, sizeof *c->items, err);
    c->ends = kai_arena_take(arena, 2 * (size_t)c->count, sizeof *c->ends, err);
    return c->items && c->ends ? KAI_OK : KAI_ERROR_MEMORY;
}

/// The ends of an element.
static void take_ends(const chain* c, uint32_t i)
{
    const kai_node* nodes = c->items[i];
    for (int k = 0; k < 2; k++) {
        const kai_body body = KAI_ID_AS(kai_body, nodes[k]); // ids have one layout
        c->ends[2 * i + (uint32_t)k] = c->kind->slopes < 0
                                           ? 2 * (uint32_t)kai_bodies_slot(&c->world->bodies, body)
                                           : 2 * kai_node_slot(c->world, nodes[k]) +
                                                 kai_element_slope(c->world, c->kind, nodes, k);
    }
}

static kai_id id_of(const chain* c, uint32_t end)
{
    if (c->kind->slopes >= 0) return kai_store_id(&c->world->nodes, 0, end / 2);
    const kai_body body = kai_bodies_id(&c->world->bodies, end / 2);
    return KAI_ID_OF(body);
}

static void node_line_describe(const chain* c, uint32_t end, char* out, size_t size)
{
    if (c->kind->slopes < 0)
        kai_label_body(c->world, end / 2, out, size);
    else
        kai_node_describe(c->world, end / 2, out, size);
}

/// Which elements meet at each end.
static kai_result find_meetings(chain* c, kai_arena* arena, kai_error* err)
{
    const size_t ends = 2 * (c->kind->slopes < 0 ? c->world->bodies.count : c->world->nodes.count);
    c->meeting = kai_arena_take(arena, 3 * ends, sizeof *c->meeting, err);
    if (!c->meeting) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * ends; i++) c->meeting[i] = UINT32_MAX;
    for (uint32_t i = 0; i < 2 * c->count; i++) {
        uint32_t* at = c->meeting + 3 * (size_t)c->ends[i];
        for (int k = 0; k < 3; k++) {
            if (at[k] != UINT32_MAX) continue;
            at[k] = i / 2;
            break;
        }
    }
    return KAI_OK;
}

/// Elements of a structure.
static kai_result list_structure(chain* c, const char* name, kai_arena* arena, kai_error* err)
{
    const kai_structure structure = kai_structure_find(c->world, name);
    if (KAI_IS_NULL(structure))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "node-slide: there is no structure '%s'",
                             name);
    c->name = name;
    c->count = (uint32_t)kai_structure_element_count(c->world, structure);
    KAI_TRY(take_room(c, arena, err));
    for (uint32_t i = 0; i < c->count; i++) {
        const kai_element element = kai_structure_element_at(c->world, structure, i);
        c->items[i] = kai_element_params(c->world, element);
        if (!c->items[i])
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "node-slide: element %u of structure '%s' is gone", i, name);
        c->kind = kai_element_kind_of(c->world, element);
        KAI_TRY(check_kind(c, err));
        take_ends(c, i);
    }
    return KAI_OK;
}

/// All elements of the kind of one of them.
static kai_result list_kind(chain* c, kai_id element, kai_arena* arena, kai_error* err)
{
    const kai_store_entry* entry = kai_store_find(&c->world->elements, element);
    if (!entry) return kai_store_id_error(&c->world->elements, element, err);
    const kai_store_batch* batch = &c->world->elements.batches[entry->batch];
    c->kind = kai_element_kind_at(batch);
    KAI_TRY(check_kind(c, err));
    c->count = (uint32_t)batch->items.count;
    c->start = entry->slot;
    KAI_TRY(take_room(c, arena, err));
    for (uint32_t i = 0; i < c->count; i++) {
        c->items[i] = (const char*)batch->items.data + i * batch->kind->size;
        take_ends(c, i);
    }
    return KAI_OK;
}

/// From an element on through one of its nodes: the next element, UINT32_MAX at the end.
static kai_result go_on(const chain* c, uint32_t element, uint32_t node, uint32_t* next,
                        kai_error* err)
{
    const uint32_t* at = c->meeting + 3 * (size_t)node;
    *next = at[0] == element ? at[1] : at[0];
    if (at[2] == UINT32_MAX) return KAI_OK;
    char text[KAI_STRING_SIZE + 96];
    node_line_describe(c, node, text, sizeof text);
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "node-slide: the line branches at %s, where three elements or more meet; "
                         "must be two",
                         text);
}

static uint32_t other_end(const chain* c, uint32_t element, uint32_t node)
{
    return c->ends[2 * element] == node ? c->ends[2 * element + 1] : c->ends[2 * element];
}

/// Nodes of the line in their order, to `out` [count + 1]; `*closed`: the last goes on to the
/// first.
static kai_result node_line_walk(const chain* c, uint32_t* out, uint32_t* count, bool* closed,
                                 kai_error* err)
{
    // Back to where it begins, or once round.
    uint32_t element = c->start, node = c->ends[2 * element], next = UINT32_MAX, steps = 0;
    *closed = false;
    for (;; steps++) {
        KAI_TRY(go_on(c, element, node, &next, err));
        *closed = next == c->start && steps > 0;
        if (next == UINT32_MAX || *closed) break;
        node = other_end(c, next, node);
        element = next;
    }
    if (*closed) element = c->start, node = c->ends[2 * element];
    *count = 0;
    const uint32_t first = element;
    for (;;) {
        if (c->kind->slopes >= 0 && c->ends[2 * element] != node) {
            char text[KAI_STRING_SIZE + 96];
            node_line_describe(c, node, text, sizeof text);
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "node-slide: elements of the line run against each other from %s "
                                 "on; must go one way",
                                 text);
        }
        out[(*count)++] = node;
        node = other_end(c, element, node);
        KAI_TRY(go_on(c, element, node, &next, err));
        if (next == UINT32_MAX || next == first) break;
        element = next;
    }
    const uint32_t elements = *count;
    if (!*closed) out[(*count)++] = node;
    if (!c->name || elements == c->count) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "node-slide: structure '%s' is not one line: %u of its %u elements hang "
                         "together; must be all",
                         c->name, elements, c->count);
}

// Cubics -----------------------------------------------------------------------------------------

/// A node of the line without load.
typedef struct station {
    kai_vec3 position, tangent;
    kai_quat rotation; // of frames
} station;

static station station_of(const chain* c, uint32_t end)
{
    const uint32_t element = c->meeting[3 * (size_t)end];
    double q[2 * 7];
    kai_element_gather(c->world, c->kind, c->items[element], true, q);
    const size_t each = kai_element_coordinates(c->kind) / 2;
    const double* at = q + (c->ends[2 * element] == end ? 0 : each);
    station s = {.position = kai_vec3_make(at[0], at[1], at[2])};
    if (c->kind->slopes < 0)
        s.rotation = kai_quat_make(at[3], at[4], at[5], at[6]);
    else
        s.tangent = kai_vec3_make(at[3], at[4], at[5]);
    return s;
}

static kai_vec3 node_line_direction(const station* a, const station* b)
{
    return kai_vec3_normalize(kai_vec3_sub(b->position, a->position));
}

/// Tangents of frames: the mean of the directions of both beams.
static void set_tangents(station* s, uint32_t count, bool closed)
{
    for (uint32_t i = 0; i < count; i++) {
        kai_vec3 sum = kai_vec3_zero();
        if (i > 0 || closed)
            sum = kai_vec3_add(sum, node_line_direction(&s[(i + count - 1) % count], &s[i]));
        if (i + 1 < count || closed)
            sum = kai_vec3_add(sum, node_line_direction(&s[i], &s[(i + 1) % count]));
        s[i].tangent = kai_vec3_normalize(sum);
    }
}

/// The length L for which the cubic of two stations has the length L, as ancf-cable has it.
static double length_of(const station* a, const station* b)
{
    static const double AT[5] = {0.0469100770306680, 0.2307653449471585, 0.5, 0.7692346550528415,
                                 0.9530899229693320},
                        WEIGHT[5] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                                     0.2393143352496832, 0.1184634425280945};
    const kai_vec3 chord = kai_vec3_sub(b->position, a->position);
    double length = kai_vec3_norm(chord);
    for (int round = 0; round < 30; round++) {
        double sum = 0.0;
        for (int i = 0; i < 5; i++) {
            const double z = AT[i], y = 1.0 - z;
            kai_vec3 d = kai_vec3_scale(chord, 6.0 * z * y);
            d = kai_vec3_mul_add(d, a->tangent, length * y * (1.0 - 3.0 * z));
            d = kai_vec3_mul_add(d, b->tangent, length * z * (3.0 * z - 2.0));
            sum += WEIGHT[i] * kai_vec3_norm(d);
        }
        length = sum;
    }
    return length;
}

static void write_rows(const chain* c, const uint32_t* slots, station* s, uint32_t count,
                       bool closed, double* rows)
{
    const bool frames = c->kind->slopes < 0;
    for (uint32_t i = 0; i < count; i++) s[i] = station_of(c, slots[i]);
    if (frames) set_tangents(s, count, closed);
    for (uint32_t i = 0; i < count; i++, rows += KAI_JOINT_NODE_LINE_COLUMNS) {
        const kai_id id = id_of(c, slots[i]);
        kai_vec3 t = s[i].tangent;
        if (frames) // in principal axes
            t = kai_quat_rotate(kai_bodies_offset(&c->world->bodies, slots[i] / 2).rotation,
                                kai_quat_unrotate(s[i].rotation, t));
        else
            t = kai_vec3_make(slots[i] % 2, 0.0, 0.0);
        const bool last = i + 1 == count && !closed;
        const double row[KAI_JOINT_NODE_LINE_COLUMNS] = {
            id.index, id.generation, t.x,
            t.y,      t.z,           last ? 0.0 : length_of(&s[i], &s[(i + 1) % count])};
        memcpy(rows, row, sizeof row);
    }
}

kai_result kai_joint_node_line_find(const kai_world* world, kai_arena* arena,
                                    kai_joint_node_line_slide* p, kai_error* err)
{
    chain c = {.world = world};
    const bool named = p->given.element.text[0] != 0;
    if (p->given.structure.text[0]) {
        KAI_TRY(list_structure(&c, p->given.structure.text, arena, err));
    } else {
        const kai_id id = named ? kai_names_find(&world->elements.names, p->given.element.text)
                                : KAI_ID_OF(p->given.along);
        if (named && KAI_IS_NULL(id))
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "node-slide: there is no element '%s'",
                                 p->given.element.text);
        KAI_TRY(list_kind(&c, id, arena, err));
    }
    KAI_TRY(find_meetings(&c, arena, err));
    uint32_t count;
    uint32_t* slots = kai_arena_take(arena, (size_t)c.count + 1, sizeof *slots, err);
    if (!slots) return KAI_ERROR_MEMORY;
    KAI_TRY(node_line_walk(&c, slots, &count, &p->closed, err));
    station* stations = kai_arena_take(arena, count, sizeof *stations, err);
    double* rows =
        kai_arena_take(arena, (size_t)count * KAI_JOINT_NODE_LINE_COLUMNS, sizeof *rows, err);
    if (!stations || !rows) return KAI_ERROR_MEMORY;
    write_rows(&c, slots, stations, count, p->closed, rows);
    p->line = (kai_table){rows, count, KAI_JOINT_NODE_LINE_COLUMNS};
    p->frames = c.kind->slopes < 0;
    return KAI_OK;
}
