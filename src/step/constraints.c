// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Layout of the joints' system, and the rows of all joints. The matrix: constraints_factor.c.
#include "step/constraints.h"

#include "model/joint.h"
#include "model/joints/joint_view.h"
#include "model/load.h"
#include "model/part.h"
#include "step/integrator.h"
#include "step/rotation.h"

#include <string.h>

static const size_t BLOCK = 256; // joints, or bodies, a block of work

// Layout -----------------------------------------------------------------------------------------

static void free_constraints(kai_world* world, void* data)
{
    kai_constraints* c = data;
    kai_array* all[] = {&c->joints, &c->ends, &c->bodies,        &c->shafts, &c->node_of, &c->slots,
                        &c->beyond, &c->rows, &c->further,       &c->first,  &c->lambda,  &c->x,
                        &c->state,  &c->kept, &c->shaft_node_of, &c->seen};
    for (size_t i = 0; i < KAI_COUNT(all); i++) kai_array_free(all[i], &world->memory);
    kai_tangents_free(&c->tangents, &world->memory);
    kai_contacts_tangents_free(&c->touch, &world->memory);
    kai_elements_free(&c->elements, &world->memory);
    kai_ldl_free(&c->ldl);
    kai_saddle_free(&c->saddle);
    kai_krylov_free(&c->krylov);
    kai_block_cg_free(&c->definite);
    world->solver = NULL;
}

static kai_result init_constraints(kai_world* world, const kai_part* part, void* data,
                                   kai_error* err)
{
    (void)part, (void)err;
    kai_constraints* c = data;
    c->joints = kai_array_make(sizeof(kai_constraints_joint));
    c->ends = kai_array_make(sizeof(kai_constraints_end));
    c->bodies = c->shafts = c->node_of = c->shaft_node_of = kai_array_make(sizeof(uint32_t));
    c->slots = c->beyond = c->first = kai_array_make(sizeof(uint32_t));
    c->rows = kai_array_make(sizeof(kai_joint_row));
    c->further = kai_array_make(sizeof(kai_wrench));
    c->state = c->seen = kai_array_make(sizeof(uint8_t));
    c->lambda = c->x = c->kept = kai_array_make(sizeof(double));
    kai_tangents_init(&c->tangents);
    kai_contacts_tangents_init(&c->touch);
    kai_elements_init(&c->elements);
    kai_ldl_init(&c->ldl, &world->memory);
    kai_saddle_init(&c->saddle, &world->memory);
    kai_krylov_init(&c->krylov, &world->memory);
    kai_block_cg_init(&c->definite, &world->memory);
    c->world = world;
    world->solver = c;
    return KAI_OK;
}

static kai_result create(kai_world* world, kai_error* err)
{
    static const kai_part PART = {.name = "joint system",
                                  .size = sizeof(kai_constraints),
                                  .init = init_constraints,
                                  .free = free_constraints};
    return world->solver ? KAI_OK : kai_part_attach(world, &PART, NULL, err);
}

static const kai_joint_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_joint_kind*)(const void*)batch->kind;
}

/// Room for the rows of all joints, and where those of each batch begin.
static kai_result make_room(kai_constraints* c, kai_world* world, kai_error* err)
{
    kai_memory* m = &world->memory;
    const kai_store* store = &world->joints;
    size_t rows = 0, beyond = 0, further = 0;
    KAI_TRY(kai_array_resize(&c->first, m, store->batch_count, err));
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_joint_kind* kind = kind_of(&store->batches[b]);
        const size_t count = store->batches[b].items.count, more = (size_t)kai_joint_further(kind);
        ((uint32_t*)c->first.data)[b] = (uint32_t)rows;
        rows += count * (size_t)kind->rows;
        beyond += count * more;
        further += count * more * (size_t)kind->rows;
    }
    KAI_TRY(kai_array_resize(&c->slots, m, 2 * store->count, err));
    KAI_TRY(kai_array_resize(&c->beyond, m, beyond, err));
    KAI_TRY(kai_array_resize(&c->further, m, further, err));
    KAI_TRY(kai_array_resize(&c->rows, m, rows, err));
    KAI_TRY(kai_array_resize(&c->lambda, m, rows, err));
    KAI_TRY(kai_array_resize(&c->state, m, rows, err));
    if (rows > 0) memset(c->state.data, 0, rows);
    if (rows > 0) memset(c->lambda.data, 0, rows * sizeof(double));
    return KAI_OK;
}

/// Slots of everything that joints hold.
static void list_slots(kai_constraints* c, const kai_world* world)
{
    const kai_store* store = &world->joints;
    uint32_t *slot = c->slots.data, *beyond = c->beyond.data;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_joint_base* j =
                (const kai_joint_base*)((char*)batch->items.data + i * batch->kind->size);
            for (int k = 0; k < 2; k++)
                *slot++ = (uint32_t)kai_bodies_slot(&world->bodies, j->bodies[k]);
            if (kai_joint_further(kind_of(batch)) == 0) continue;
            kai_joint_find_further(world, kind_of(batch), j, beyond);
            beyond += kai_joint_further(kind_of(batch));
        }
    }
}

static bool is_fixed(const kai_world* world, const kai_constraints_end* end)
{
    if (end->shaft) return kai_shaft_all(world)[end->slot].fixed;
    if (end->element) {
        const int64_t all = (1 << end->width) - 1, held = end->held >> end->at & all;
        return (kai_node_all(world)[end->slot].def.fixed >> end->at & held) == held;
    }
    return world->bodies.motion[end->slot].flags & KAI_BODY_FIXED;
}

/// The ends of a joint that are there; returns whether one of them can move.
static kai_result list_ends(kai_constraints* c, kai_world* world, const kai_joint_kind* kind,
                            const void* instance, const uint32_t* slot, const uint32_t* beyond,
                            kai_constraints_joint* joint, bool* moves, kai_error* err)
{
    const int further = kai_joint_further(kind);
    joint->end = (uint32_t)c->ends.count;
    *moves = false;
    const int shafts = 2 + kind->other_count, nodes = shafts + kind->shaft_count;
    for (int k = 0; k < 2 + further; k++) {
        kai_constraints_end end = {.slot = k < 2 ? slot[k] : beyond[k - 2],
                                   .node = UINT32_MAX,
                                   .edge = UINT32_MAX,
                                   .piece = (uint8_t)k,
                                   .shaft = k >= shafts && k < nodes,
                                   .element = k >= nodes};
        if (end.slot == UINT32_MAX) continue;
        end.width = end.shaft ? 1 : 6;
        if (end.element) {
            end.at = (k - nodes) % 2 ? 6 : 0;
            const size_t size = kai_node_size(&kai_node_all(world)[end.slot]);
            if (size <= end.at) continue; // it has no second slope
            end.width = (uint8_t)(size - end.at < 6 ? size - end.at : 6);
            end.held = (uint16_t)(kind->held ? kind->held(instance) : KAI_NODE_FIX_ALL);
        }
        *moves |= !is_fixed(world, &end);
        KAI_TRY(kai_array_append(&c->ends, &world->memory, &end, 1, err));
        joint->ends++;
    }
    if (!*moves) c->ends.count = joint->end;
    return KAI_OK;
}

/// Active joints that hold something that can move.
static kai_result list_joints(kai_constraints* c, kai_world* world, kai_error* err)
{
    c->joints.count = c->ends.count = 0;
    c->bounded = c->needs_velocity = false;
    const uint32_t *slot = c->slots.data, *beyond = c->beyond.data;
    uint32_t further = 0;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const kai_joint_kind* kind = kind_of(batch);
        const uint32_t more = (uint32_t)kai_joint_further(kind), rows = (uint32_t)kind->rows;
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_joint_base* j =
                (const kai_joint_base*)((char*)batch->items.data + i * batch->kind->size);
            kai_constraints_joint joint = {.batch = (uint32_t)b,
                                           .index = (uint32_t)i,
                                           .count = (uint8_t)kai_joint_view_rows(kind, j),
                                           .stride = (uint8_t)more,
                                           .velocity_level = kind->velocity_level,
                                           .bounded = kind->bounded,
                                           .first =
                                               ((uint32_t*)c->first.data)[b] + (uint32_t)i * rows,
                                           .further = further};
            bool moves = false;
            if (j->active) KAI_TRY(list_ends(c, world, kind, j, slot, beyond, &joint, &moves, err));
            if (moves) KAI_TRY(kai_array_append(&c->joints, &world->memory, &joint, 1, err));
            c->bounded |= moves && joint.bounded;
            c->needs_velocity |= moves && kind->needs_velocity;
            slot += 2;
            if (more > 0) beyond += more;
            further += rows * more;
        }
    }
    return KAI_OK;
}

/// The node of a body or shaft, made when it has none.
static kai_result give_node(kai_constraints* c, kai_world* world, uint32_t slot, bool shaft,
                            uint32_t* out, kai_error* err)
{
    uint32_t* node = (uint32_t*)(shaft ? c->shaft_node_of : c->node_of).data + slot;
    if (*node == UINT32_MAX) {
        *node = (uint32_t)(c->bodies.count + c->shafts.count);
        KAI_TRY(kai_array_append(shaft ? &c->shafts : &c->bodies, &world->memory, &slot, 1, err));
    }
    *out = *node;
    return KAI_OK;
}

/// Nodes of the bodies, or of the shafts, of terms that have derivatives.
static kai_result list_term_nodes(kai_constraints* c, kai_world* world, bool shafts, kai_error* err)
{
    kai_tangents_term* terms = c->tangents.terms.data;
    const size_t bodies = world->bodies.count;
    for (size_t i = 0; i < c->tangents.terms.count; i++) {
        for (int k = 0; k < terms[i].ends; k++) {
            const uint32_t slot = terms[i].slot[k];
            if (slot == UINT32_MAX) continue; // the ground
            const kai_constraints_end end = {
                .shaft = slot >= bodies, .slot = slot - (slot >= bodies ? (uint32_t)bodies : 0)};
            if (end.shaft != shafts || is_fixed(world, &end)) continue;
            KAI_TRY(give_node(c, world, end.slot, shafts, &terms[i].node[k], err));
        }
    }
    return KAI_OK;
}

/// Nodes of the bodies that are nodes of elements.
static kai_result list_element_bodies(kai_constraints* c, kai_world* world, kai_error* err)
{
    kai_fea* fea;
    KAI_TRY(kai_fea_get(world, &fea, err));
    for (size_t i = 0; fea && i < fea->bodies.count; i++) {
        const uint32_t slot = ((const uint32_t*)fea->bodies.data)[i];
        uint32_t node;
        if (world->bodies.motion[slot].flags & KAI_BODY_FIXED) continue;
        KAI_TRY(give_node(c, world, slot, false, &node, err));
    }
    return KAI_OK;
}

/// Nodes of bodies with shapes, which contacts may couple.
static kai_result list_touching_bodies(kai_constraints* c, kai_world* world, kai_error* err)
{
    for (size_t slot = 0; slot < world->bodies.count; slot++) {
        uint32_t node;
        if ((world->bodies.motion[slot].flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) ||
            kai_bodies_cold_of(&world->bodies, slot).first_shape == 0)
            continue;
        KAI_TRY(give_node(c, world, (uint32_t)slot, false, &node, err));
    }
    return KAI_OK;
}

/// Makes a list of nodes longer, by bodies or shafts that have none.
static kai_result grow_places(kai_array* list, kai_world* world, size_t count, kai_error* err)
{
    const size_t before = list->count;
    if (count <= before) return KAI_OK;
    KAI_TRY(kai_array_resize(list, &world->memory, count, err));
    memset((uint32_t*)list->data + before, 0xff, (count - before) * sizeof(uint32_t));
    return KAI_OK;
}

/// Nodes of all bodies that joints hold, in the order in which joints name them; then of shafts.
static kai_result list_nodes(kai_constraints* c, kai_world* world, kai_error* err)
{
    c->bodies.count = c->shafts.count = c->node_of.count = c->shaft_node_of.count = 0;
    KAI_TRY(grow_places(&c->node_of, world, world->bodies.count, err));
    KAI_TRY(grow_places(&c->shaft_node_of, world, world->shafts.count, err));
    kai_constraints_end* ends = c->ends.data;
    for (int shafts = 0; shafts < 2; shafts++) {
        for (size_t i = 0; i < c->ends.count; i++) {
            if (ends[i].element || ends[i].shaft != (shafts == 1) || is_fixed(world, &ends[i]))
                continue;
            KAI_TRY(give_node(c, world, ends[i].slot, shafts, &ends[i].node, err));
        }
        KAI_TRY(list_term_nodes(c, world, shafts, err));
        if (shafts == 0) KAI_TRY(list_element_bodies(c, world, err));
        if (shafts == 0 && c->touch.room) KAI_TRY(list_touching_bodies(c, world, err));
    }
    return KAI_OK;
}

/// Nodes of ends that are nodes of elements.
static void find_element_ends(kai_constraints* c, const kai_world* world)
{
    kai_constraints_end* ends = c->ends.data;
    for (size_t i = 0; i < c->ends.count; i++) {
        if (!ends[i].element || is_fixed(world, &ends[i])) continue;
        const kai_elements_part* part =
            kai_elements_part_of(&c->elements, ends[i].slot, ends[i].at);
        ends[i].node =
            c->elements.base + (uint32_t)(part - (const kai_elements_part*)c->elements.parts.data);
    }
}

/// Edges of a joint: one to each node that it holds.
static void list_edges(const kai_constraints* c, kai_constraints_joint* joint, kai_ldl_edge* edges,
                       uint32_t* count)
{
    kai_constraints_end* ends = (kai_constraints_end*)c->ends.data + joint->end;
    for (int k = 0; k < joint->ends; k++) {
        if (ends[k].node == UINT32_MAX) continue;
        for (int before = 0; before < k && !ends[k].repeated; before++) {
            ends[k].repeated = ends[before].node == ends[k].node;
            if (ends[k].repeated) ends[k].edge = ends[before].edge;
        }
        if (ends[k].repeated) continue;
        ends[k].edge = *count;
        edges[(*count)++] = (kai_ldl_edge){joint->node, ends[k].node};
    }
}

/// Nodes: bodies, shafts, parts of nodes of elements, then joints. Edges: pairs of loads, pairs of
/// elements, each joint to each thing that can move.
static kai_result lay_out_system(kai_constraints* c, kai_world* world, kai_error* err)
{
    const uint32_t bodies = (uint32_t)c->bodies.count, shafts = (uint32_t)c->shafts.count,
                   joints = (uint32_t)c->joints.count;
    KAI_TRY(kai_tangents_pair(&c->tangents, world, 0, err));
    const uint32_t loads = (uint32_t)c->tangents.edges.count;
    c->elements.free = world->solver_def.matrix_free;
    KAI_TRY(kai_elements_list(&c->elements, world, bodies + shafts, err));
    KAI_TRY(kai_elements_pair(&c->elements, world, c->node_of.data, c->tangents.edges.data, loads,
                              err));
    find_element_ends(c, world);
    const uint32_t movers = kai_constraints_movers(c),
                   pairs = loads + (uint32_t)c->elements.edges.count;
    kai_ldl_node* nodes = kai_arena_take(&world->arena, movers + joints, sizeof *nodes, err);
    kai_ldl_edge* edges = kai_arena_take(&world->arena, c->ends.count + pairs, sizeof *edges, err);
    if (!nodes || !edges) return KAI_ERROR_MEMORY;
    if (loads > 0) memcpy(edges, c->tangents.edges.data, loads * sizeof *edges);
    if (pairs > loads)
        memcpy(edges + loads, c->elements.edges.data, (pairs - loads) * sizeof *edges);
    kai_constraints_joint* list = c->joints.data;
    uint32_t edge_count = pairs, rows = (uint32_t)kai_constraints_coordinates(c);
    for (uint32_t i = 0; i < bodies + shafts; i++)
        nodes[i] = (kai_ldl_node){.rows = (uint8_t)(i < bodies ? 6 : 1)};
    for (uint32_t i = bodies + shafts; i < movers; i++)
        nodes[i] = (kai_ldl_node){
            .rows = ((const kai_elements_part*)c->elements.parts.data)[i - bodies - shafts].width};
    for (uint32_t i = 0; i < joints; i++) {
        list[i].node = movers + i;
        list[i].place = rows;
        nodes[movers + i] = (kai_ldl_node){.rows = list[i].count, .constraint = true};
        rows += list[i].count;
        list_edges(c, &list[i], edges, &edge_count);
    }
    KAI_TRY(kai_array_resize(&c->x, &world->memory, rows, err));
    if (c->touch.room)
        KAI_TRY(kai_contacts_tangents_lay_out(c, world, nodes, movers + joints, edges, edge_count,
                                              err));
    return kai_constraints_solver_choose(c, world, nodes, movers + joints, edges, edge_count, err);
}

kai_result kai_constraints_couple(kai_constraints* c, kai_world* world, kai_error* err)
{
    const kai_contacts_tangents* t = &c->touch;
    const bool probed = !c->probe;
    const kai_result r =
        kai_constraints_solver_choose(c, world, t->nodes.data, (uint32_t)t->nodes.count,
                                      t->edges.data, (uint32_t)t->edges.count, err);
    if (probed) c->probe = false; // contacts make no row redundant
    if (r != KAI_OK) c->joints_version = 0;
    return r;
}

static kai_result lay_out(kai_constraints* c, kai_world* world, kai_tangents_mode mode,
                          kai_error* err)
{
    KAI_TRY(kai_tangents_list(&c->tangents, world, mode, err));
    KAI_TRY(make_room(c, world, err));
    list_slots(c, world);
    KAI_TRY(list_joints(c, world, err));
    KAI_TRY(list_nodes(c, world, err));
    return lay_out_system(c, world, err);
}

// Bodies that change slots -----------------------------------------------------------------------

/// Ends of joints, from the slots of their bodies.
static void follow_ends(kai_constraints* c, const kai_world* world)
{
    const uint32_t *slot = c->slots.data, *beyond = c->beyond.data;
    const kai_constraints_joint *joint = c->joints.data, *last = joint + c->joints.count;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const size_t more = (size_t)kai_joint_further(kind_of(batch));
        for (; joint < last && joint->batch == b; joint++) {
            kai_constraints_end* ends = (kai_constraints_end*)c->ends.data + joint->end;
            for (int k = 0; k < joint->ends; k++)
                ends[k].slot = ends[k].piece < 2
                                   ? slot[2 * joint->index + ends[k].piece]
                                   : beyond[more * joint->index + (ends[k].piece - 2u)];
        }
        slot += 2 * batch->items.count;
        beyond += more * batch->items.count;
    }
}

/// Bodies of the system, from ends and terms that hold them.
static void follow_bodies(kai_constraints* c)
{
    uint32_t *bodies = c->bodies.data, *node_of = c->node_of.data;
    const kai_constraints_end* ends = c->ends.data;
    const kai_tangents_term* terms = c->tangents.terms.data;
    const size_t count = c->bodies.count;
    for (size_t i = 0; i < count; i++) node_of[bodies[i]] = UINT32_MAX;
    for (size_t i = 0; i < c->ends.count; i++)
        if (!ends[i].shaft && ends[i].node < count) bodies[ends[i].node] = ends[i].slot;
    for (size_t i = 0; i < c->tangents.terms.count; i++)
        for (int k = 0; k < terms[i].ends; k++)
            if (terms[i].node[k] < count) bodies[terms[i].node[k]] = terms[i].slot[k];
    for (size_t i = 0; i < count; i++) node_of[bodies[i]] = (uint32_t)i;
}

kai_result kai_constraints_follow(kai_constraints* c, kai_world* world, kai_error* err)
{
    KAI_TRY(grow_places(&c->node_of, world, world->bodies.count, err));
    if (c->term_slots_version == world->term_slots_version) return KAI_OK;
    list_slots(c, world);
    follow_ends(c, world);
    if (c->tangents.terms.count > 0) {
        KAI_TRY(kai_load_ready(world, err));
        kai_tangents_follow(&c->tangents, world);
    }
    follow_bodies(c);
    c->term_slots_version = world->term_slots_version;
    return KAI_OK;
}

/// Whether the system is laid out for what the world holds.
static bool is_current(const kai_constraints* c, const kai_world* world, kai_tangents_mode mode,
                       bool touch)
{
    // Bodies that are nodes of elements are numbered in the order of their slots.
    const bool renumbered = c->term_slots_version != world->term_slots_version && c->elements.fea &&
                            c->elements.fea->bodies.count > 0;
    const bool loads = mode != KAI_TANGENTS_NONE; // only then do they matter
    return !renumbered && c->joints_version == world->joints.version &&
           c->terms_version == world->terms_version && c->solver_version == world->solver_version &&
           c->tangents.mode == mode && c->elements_version == world->elements.version &&
           (!loads || c->loads_version == world->loads.version) && c->touch.room == touch &&
           (!touch || (c->shapes_version == world->shapes.version &&
                       c->bodies_version == world->bodies_version)); // all that touch are in it
}

kai_result kai_constraints_get_with(kai_world* world, kai_tangents_mode mode, kai_constraints** out,
                                    kai_error* err)
{
    *out = NULL;
    const bool elements = world->nodes.count + world->elements.count > 0;
    const bool touch = mode == KAI_TANGENTS_LOADS && world->shapes.count > 0 &&
                       world->contact_def.method == KAI_CONTACT_SMC;
    if (world->joints.count == 0 && !elements && !touch &&
        (mode == KAI_TANGENTS_NONE || world->loads.count == 0))
        return KAI_OK;
    KAI_TRY(create(world, err));
    kai_constraints* c = world->solver;
    if (is_current(c, world, mode, touch)) {
        KAI_TRY(kai_constraints_follow(c, world, err));
    } else {
        const kai_arena_mark mark = kai_arena_marked(&world->arena);
        c->joints_version = 0;
        c->kept.count = 0;
        c->touch.room = touch;
        const kai_result r = lay_out(c, world, mode, err);
        kai_arena_release(&world->arena, mark);
        KAI_TRY(r);
        c->joints_version = world->joints.version;
        c->terms_version = world->terms_version;
        c->bodies_version = world->bodies_version;
        c->term_slots_version = world->term_slots_version;
        c->layouts++;
        c->loads_version = world->loads.version;
        c->elements_version = world->elements.version;
        c->shapes_version = world->shapes.version;
        c->solver_version = world->solver_version;
        c->told = c->warned = c->skip_least_norm = c->unshared = false;
        // A run that goes on from a checkpoint shares rows as it did before.
        c->soft = world->solver_resumed && world->solver_tally.redundant > 0.0;
        c->probe &= !world->solver_resumed;
        if (!world->solver_resumed)
            world->solver_tally.largest[0] = world->solver_tally.largest[1] = 0.0;
        world->solver_resumed = false;
        world->solver_tally.redundant = c->soft;
    }
    if (c->joints.count + c->tangents.terms.count > 0 || c->elements.fea || touch) *out = c;
    return KAI_OK;
}

kai_result kai_constraints_get(kai_world* world, kai_constraints** out, kai_error* err)
{
    const bool implicit = kai_integrator_can(world, KAI_INTEGRATOR_IMPLICIT);
    return kai_constraints_get_with(world, implicit ? KAI_TANGENTS_LOADS : KAI_TANGENTS_NONE, out,
                                    err);
}

// Rows -------------------------------------------------------------------------------------------

typedef struct evaluate_context {
    const kai_joint_kind* kind;
    kai_joint_batch batch;
    void* instances; // those of the batch, for follow()
} evaluate_context;

static void evaluate_range(size_t begin, size_t end, void* context)
{
    const evaluate_context* c = context;
    kai_joint_batch batch = c->batch;
    const size_t pieces = (size_t)(kai_joint_further(c->kind) * c->kind->rows);
    batch.begin = begin;
    batch.end = end;
    if (pieces > 0)
        memset(batch.further + begin * pieces, 0, (end - begin) * pieces * sizeof(kai_wrench));
    if (c->kind->follow) c->kind->follow(&batch, c->instances);
    c->kind->evaluate(&batch);
}

void kai_constraints_evaluate(kai_constraints* c, kai_world* world, double time)
{
    const uint32_t *slot = c->slots.data, *beyond = c->beyond.data;
    kai_wrench* further = c->further.data;
    world->functions.signals_ahead = time - world->functions.signals_time;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const size_t count = batch->items.count, more = (size_t)kai_joint_further(kind_of(batch));
        if (count == 0) continue;
        evaluate_context e = {kind_of(batch),
                              {.world = world,
                               .time = time,
                               .instances = batch->items.data,
                               .size = batch->kind->size,
                               .slot = slot,
                               .pose = world->bodies.pose,
                               .motion = world->bodies.motion,
                               .functions = &world->functions,
                               .rows = (kai_joint_row*)c->rows.data + ((uint32_t*)c->first.data)[b],
                               .further_slot = beyond,
                               .further = further,
                               .shafts = kai_shaft_all(world),
                               .nodes = kai_node_all(world),
                               .node_size = sizeof(kai_node_record)},
                              batch->items.data};
        kai_parallel_for(world->threads, count, BLOCK, evaluate_range, &e);
        slot += 2 * count;
        if (more == 0) continue;
        beyond += more * count;
        further += more * count * (size_t)e.kind->rows;
    }
    world->functions.signals_ahead = 0.0;
}

double kai_constraints_violation(const kai_constraints* c, const kai_world* world)
{
    double most = 0.0;
    const kai_joint_row* rows = c->rows.data;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        const kai_joint_kind* kind = kind_of(&world->joints.batches[joints[i].batch]);
        for (uint32_t r = 0; r < joints[i].count; r++)
            most = fmax(most, kai_joint_view_gap(kind, &rows[joints[i].first + r]));
    }
    return most;
}

double kai_constraints_rate(const kai_constraints* c, const kai_world* world,
                            const kai_constraints_joint* joint, uint32_t r)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    double rate = kai_constraints_row(c, joint->first + r)->gt;
    for (int k = 0; k < joint->ends; k++) {
        const double* g = kai_constraints_piece(c, joint, r, &ends[k]);
        if (ends[k].shaft) {
            rate += g[0] * kai_shaft_all(world)[ends[k].slot].speed;
            continue;
        }
        if (ends[k].element) {
            const double* v = kai_node_v(&kai_node_all(world)[ends[k].slot]) + ends[k].at;
            for (size_t p = 0; p < ends[k].width; p++) rate += g[p] * v[p];
            continue;
        }
        const kai_motion* m = &world->bodies.motion[ends[k].slot];
        const kai_wrench* w = (const kai_wrench*)(const void*)g;
        rate += kai_vec3_dot(w->force, m->velocity) + kai_vec3_dot(w->torque, m->spin);
    }
    return rate;
}

kai_result kai_constraints_residual(kai_world* world, double* most, kai_error* err)
{
    kai_constraints* c;
    *most = 0.0;
    KAI_TRY(kai_constraints_get(world, &c, err));
    if (!c) return KAI_OK;
    kai_constraints_evaluate(c, world, world->time);
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; r < joints[i].count; r++)
            if (*kai_constraints_state_of(c, joints[i].first + r) == KAI_CONSTRAINTS_HELD)
                *most = fmax(*most, fabs(kai_constraints_rate(c, world, &joints[i], r)));
    return KAI_OK;
}

// Momenta and velocities -------------------------------------------------------------------------

typedef struct motion_context {
    kai_constraints* c;
    const kai_world* world;
} motion_context;

void kai_constraints_set_momentum(kai_constraints* c, const kai_world* world, size_t node)
{
    double* x = (double*)c->x.data + kai_constraints_place(c, (uint32_t)node);
    if (node >= c->bodies.count) {
        const uint32_t slot = ((const uint32_t*)c->shafts.data)[node - c->bodies.count];
        *x = kai_shaft_all(world)[slot].inertia * kai_shaft_all(world)[slot].speed;
        return;
    }
    const uint32_t slot = ((const uint32_t*)c->bodies.data)[node];
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
    const kai_motion* motion = &world->bodies.motion[slot];
    const kai_vec3 p = kai_vec3_scale(motion->velocity, mass->mass),
                   l = kai_rotation_momentum(mass, motion->spin);
    const double rhs[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
    memcpy(x, rhs, sizeof rhs);
}

static void momentum_range(size_t begin, size_t end, void* context)
{
    const motion_context* m = context;
    for (size_t i = begin; i < end; i++) kai_constraints_set_momentum(m->c, m->world, i);
}

void kai_constraints_set_momenta(kai_constraints* c, const kai_world* world)
{
    motion_context m = {c, world};
    kai_parallel_for(world->threads, c->bodies.count + c->shafts.count, BLOCK, momentum_range, &m);
    if (c->elements.fea) kai_elements_momenta(&c->elements, world, kai_constraints_element_x(c));
}

void kai_constraints_take_velocity(const kai_constraints* c, const kai_world* world, size_t node)
{
    const double* x = (const double*)c->x.data + kai_constraints_place(c, (uint32_t)node);
    if (node >= c->bodies.count) {
        kai_shaft_all(world)[((const uint32_t*)c->shafts.data)[node - c->bodies.count]].speed = *x;
        return;
    }
    kai_motion* motion = &world->bodies.motion[((const uint32_t*)c->bodies.data)[node]];
    motion->velocity = kai_vec3_make(x[0], x[1], x[2]);
    motion->spin = kai_vec3_make(x[3], x[4], x[5]);
}

static void velocity_range(size_t begin, size_t end, void* context)
{
    const motion_context* m = context;
    for (size_t i = begin; i < end; i++) kai_constraints_take_velocity(m->c, m->world, i);
}

void kai_constraints_take_velocities(kai_constraints* c, kai_world* world)
{
    motion_context m = {c, world};
    kai_parallel_for(world->threads, c->bodies.count + c->shafts.count, BLOCK, velocity_range, &m);
    if (c->elements.fea) kai_fea_write(world, NULL, kai_constraints_element_x(c));
}
