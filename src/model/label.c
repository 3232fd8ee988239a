// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/label.h"

#include "model/collision/patch.h"
#include "model/element.h"
#include "model/id.h"
#include "model/load.h"
#include "model/node.h"
#include "model/shaft.h"

#include <kairos/structure.h>
#include <stdio.h>
#include <string.h>

static const double WILD = 1e60; // m, m/s: squares of products of such numbers overflow

// Bodies -----------------------------------------------------------------------------------------

/// The place of an id in a table of [index, generation], from 1 on; 0: it is not there.
static size_t place_in(const kai_table* table, uint32_t index)
{
    for (size_t i = 0; i < table->rows; i++)
        if ((uint32_t)table->data[2 * i] == index) return i + 1;
    return 0;
}

bool kai_label_structure(const kai_world* world, bool elements, uint32_t index, bool frames,
                         char* out, size_t size)
{
    for (size_t b = 0; b < world->structures.batch_count; b++) {
        const kai_store_batch* batch = &world->structures.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_structure_base* base =
                (const kai_structure_base*)kai_array_at(&batch->items, i);
            if (!elements && base->frames != frames) continue;
            const size_t place = place_in(elements ? &base->elements : &base->nodes, index);
            if (place == 0) continue;
            const kai_id id = kai_store_id(&world->structures, b, i);
            const char* name = kai_store_name(&world->structures, id);
            if (*name)
                snprintf(out, size, "%s %zu of structure '%s'", elements ? "element" : "node",
                         place, name);
            else
                snprintf(out, size, "%s %zu of structure #%u", elements ? "element" : "node", place,
                         id.index);
            return true;
        }
    }
    return false;
}

/// A body that stands for a piece of a surface, or for a node.
static bool describe_stand_in(const kai_world* world, size_t slot, char* out, size_t size)
{
    const kai_body body = kai_bodies_id(&world->bodies, slot);
    const kai_element element = kai_structure_contact_element(world, body);
    if (!KAI_IS_NULL(element))
        return kai_label_structure(world, true, element.index, false, out, size);
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        if (nodes[i].contact.index != body.index) continue;
        kai_node_describe(world, i, out, size);
        return true;
    }
    return false;
}

void kai_label_body(const kai_world* world, size_t slot, char* out, size_t size)
{
    const kai_bodies* bodies = &world->bodies;
    const kai_bodies_cold cold = kai_bodies_cold_of(bodies, slot);
    const kai_particles_group* groups = world->groups.data;
    if (cold.name == NULL) {
        const char* group = cold.group ? groups[cold.group - 1].name : NULL;
        if (group) {
            snprintf(out, size, "particle %u of '%s'", cold.group_index, group);
            return;
        }
        const bool stands_in = bodies->motion[slot].flags & KAI_BODY_NODE;
        if (stands_in && describe_stand_in(world, slot, out, size)) return;
        if (kai_label_structure(world, false, cold.owner, true, out, size)) return;
    }
    kai_bodies_describe(bodies, slot, out, size);
}

void kai_label_overflow(const kai_world* world, size_t slot, char* out, size_t size)
{
    const kai_vec3 x = world->bodies.pose[slot].position, v = world->bodies.motion[slot].velocity;
    out[0] = 0;
    const double most = fmax(kai_vec3_max_abs(x), kai_vec3_max_abs(v));
    if (most < WILD && kai_vec3_is_finite(x) && kai_vec3_is_finite(v)) return;
    char name[KAI_STRING_SIZE + 96];
    kai_label_body(world, slot, name, sizeof name);
    snprintf(out, size, "; %s is at [%.3g, %.3g, %.3g] m, moving at [%.3g, %.3g, %.3g] m/s", name,
             kai_label_number(x.x), kai_label_number(x.y), kai_label_number(x.z),
             kai_label_number(v.x), kai_label_number(v.y), kai_label_number(v.z));
}

// Loads and joints -------------------------------------------------------------------------------

/// Names end k of a parameter that refers to bodies, shafts or nodes.
static void describe_end(const kai_world* world, const kai_param* p, const char* field, size_t k,
                         char* out, size_t size)
{
    if (p->type == KAI_PARAM_BODY) {
        const size_t slot = kai_bodies_slot(&world->bodies, ((const kai_body*)field)[k]);
        if (slot == SIZE_MAX)
            snprintf(out, size, "the ground");
        else
            kai_label_body(world, slot, out, size);
    } else if (p->type == KAI_PARAM_SHAFT) {
        const uint32_t slot = kai_shaft_slot(world, ((const kai_shaft*)field)[k]);
        if (slot == UINT32_MAX)
            snprintf(out, size, "the ground");
        else
            kai_shaft_describe(world, slot, out, size);
    } else {
        const uint32_t slot = kai_node_slot(world, ((const kai_node*)field)[k]);
        if (slot == UINT32_MAX)
            snprintf(out, size, "no node");
        else
            kai_node_describe(world, slot, out, size);
    }
}

/// Appends " between a and b", " on a".
static void append_ends(const kai_world* world, const kai_kind* kind, const char* instance,
                        char* out, size_t size)
{
    enum { MOST = 4 };
    char text[MOST][KAI_STRING_SIZE + 96];
    size_t n = 0;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->type != KAI_PARAM_BODY && p->type != KAI_PARAM_SHAFT && p->type != KAI_PARAM_NODE)
            continue;
        for (size_t k = 0; k < kai_kind_repeats(p) && n < MOST; k++) {
            // Those that are left out are not the ground.
            const kai_body* id = (const kai_body*)(const void*)(instance + p->offset);
            if (kai_kind_repeats(p) == 1 && KAI_IS_NULL(*id)) continue;
            describe_end(world, p, instance + p->offset, k, text[n], sizeof text[0]);
            bool twice = false;
            for (size_t j = 0; j < n; j++) twice |= strcmp(text[j], text[n]) == 0;
            n += !twice;
        }
    }
    size_t used = strlen(out);
    for (size_t k = 0; k < n && used < size; k++) {
        const char* word = n == 1 ? " on " : k == 0 ? " between " : k + 1 < n ? ", " : " and ";
        const int wrote = snprintf(out + used, size - used, "%s%s", word, text[k]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

static const char* instance_at(const kai_store_batch* batch, size_t index)
{
    return (const char*)batch->items.data + index * batch->kind->size;
}

void kai_label_describe(const kai_world* world, const kai_store* store, size_t batch, size_t index,
                        char* out, size_t size)
{
    const kai_kind* kind = store->batches[batch].kind;
    const kai_id id = kai_store_id(store, batch, index);
    const char *name = kai_store_name(store, id), *word = store == &world->joints ? " joint" : "";
    if (*name)
        snprintf(out, size, "%s%s '%s'", kind->name, word, name);
    else
        snprintf(out, size, "%s%s #%u", kind->name, word, id.index);
    append_ends(world, kind, instance_at(&store->batches[batch], index), out, size);
}

static bool describe_value(const kai_param* p, double x, char* out, size_t size)
{
    if (isfinite(x)) return false;
    snprintf(out, size, "its %s is %g", p->name, kai_label_number(x));
    return true;
}

bool kai_label_value(const kai_world* world, const kai_store* store, size_t batch, size_t index,
                     double time, char* out, size_t size)
{
    const kai_kind* kind = store->batches[batch].kind;
    const char* instance = instance_at(&store->batches[batch], index);
    const kai_function_set* set = &world->functions;
    out[0] = 0;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const char* field = instance + p->offset;
        if (p->type == KAI_PARAM_FUNCTION) {
            const kai_function f = *(const kai_function*)(const void*)field;
            if (!KAI_IS_NULL(f) &&
                describe_value(p, kai_function_set_at(set, f, time).y, out, size))
                return true;
        } else if (p->type == KAI_PARAM_VALUE || p->type == KAI_PARAM_VALUE3) {
            const kai_value* v = (const kai_value*)(const void*)field;
            for (size_t k = 0; k < kai_kind_type_numbers(p->type); k++)
                if (describe_value(p, kai_function_set_value(set, &v[k], time).y, out, size))
                    return true;
        }
    }
    return false;
}

// Loads that fail --------------------------------------------------------------------------------

static bool is_finite(const kai_wrench* w)
{
    return kai_vec3_is_finite(w->force) && kai_vec3_is_finite(w->torque);
}

/// The force or the torque of an end, whichever is not finite.
static void describe_wrench(const kai_world* world, const kai_wrench* w, uint32_t slot, char* out,
                            size_t size)
{
    const bool body = slot < world->bodies.count, force = !kai_vec3_is_finite(w->force);
    char name[KAI_STRING_SIZE + 96] = "the ground";
    if (body)
        kai_label_body(world, slot, name, sizeof name);
    else if (slot != UINT32_MAX)
        kai_shaft_describe(world, slot - world->bodies.count, name, sizeof name);
    const kai_vec3 f = force ? w->force : w->torque;
    if (!body && slot != UINT32_MAX)
        snprintf(out, size, "torque %g N m on %s", kai_label_number(f.x), name);
    else
        snprintf(out, size, "%s [%g, %g, %g] %s on %s", force ? "force" : "torque",
                 kai_label_number(f.x), kai_label_number(f.y), kai_label_number(f.z),
                 force ? "N" : "N m", name);
}

/// The end of a load to tell of: one that moves, else the first that is not finite.
static size_t failed_end(const kai_world* world, const kai_wrench* w, const uint32_t* slot,
                         size_t ends)
{
    size_t found = ends;
    for (size_t k = 0; k < ends; k++) {
        if (is_finite(&w[k])) continue;
        const bool fixed =
            slot[k] == UINT32_MAX || (slot[k] < world->bodies.count &&
                                      (world->bodies.motion[slot[k]].flags & KAI_BODY_FIXED));
        if (!fixed) return k;
        if (found == ends) found = k;
    }
    return found;
}

kai_result kai_label_load_failed(const kai_world* world, double time, kai_error* err)
{
    const kai_wrench* w = world->plan.wrench.data;
    const uint32_t* slot = world->plan.slot.data;
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        const size_t ends = kai_load_bodies(batch->kind);
        for (size_t i = 0; i < batch->items.count; i++, w += ends, slot += ends) {
            const size_t k = failed_end(world, w, slot, ends);
            if (k == ends) continue;
            char name[KAI_LABEL_SIZE], force[KAI_STRING_SIZE + 256], value[128], overflow[512] = "";
            kai_label_describe(world, &world->loads, b, i, name, sizeof name);
            describe_wrench(world, &w[k], slot[k], force, sizeof force);
            const bool told =
                kai_label_value(world, &world->loads, b, i, time, value, sizeof value);
            if (slot[k] < world->bodies.count)
                kai_label_overflow(world, slot[k], overflow, sizeof overflow);
            return kai_error_set(err, KAI_ERROR_DIVERGED,
                                 "%s: %s at t = %.9g s is not finite%s%s%s", name, force, time,
                                 told ? "; " : "", value, overflow);
        }
    }
    return KAI_OK;
}
