// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/describe_drives.h"

#include "math/function_control.h"
#include "model/world.h"
#include "view/describe.h"
#include "view/json.h"
#include "view/live_drag.h"

#include <string.h>

static bool is_motor(const char* section)
{
    return section != NULL && strcmp(section, "motors") == 0;
}

// Instance i of a batch, and a field of it.
static const char* item_of(const kai_store_batch* batch, size_t i)
{
    return (const char*)batch->items.data + i * batch->kind->size;
}

static const void* field_of(const char* item, const kai_param* p) { return item + p->offset; }

static void begin(kai_text* to, bool* first, const kai_store* store, size_t b, size_t i)
{
    kai_text_add(to, "%s{\"name\":", *first ? "" : ",");
    kai_json_string(to, kai_store_name(store, kai_store_id(store, b, i)));
    kai_text_add(to, ",\"type\":");
    kai_json_string(to, store->batches[b].kind->name);
    *first = false;
}

// Bodies and joint, by the description of the kind.
static void add_parts(kai_text* to, const kai_world* world, const kai_movers* m,
                      const kai_kind* kind, const char* item)
{
    long mover[2] = {-1, -1};
    size_t count = 0;
    for (size_t k = 0; k < kind->param_count; k++) {
        const kai_param* p = &kind->params[k];
        const size_t columns = p->columns > 0 ? (size_t)p->columns : 1;
        const kai_body* bodies = field_of(item, p);
        for (size_t c = 0; p->type == KAI_PARAM_BODY && c < columns && count < 2; c++)
            mover[count++] = kai_describe_mover(m, bodies[c]);
        const kai_joint* joint = field_of(item, p);
        if (p->type != KAI_PARAM_JOINT || KAI_IS_NULL(*joint)) continue;
        kai_text_add(to, ",\"joint\":");
        kai_json_string(to, kai_joint_name(world, *joint));
    }
    kai_text_add(to, ",\"a\":%ld,\"b\":%ld", mover[0], mover[1]);
}

// Joint frames, of what begins with a kai_joint_base.
static void add_frames(kai_text* to, const kai_world* world, const kai_joint_base* base)
{
    kai_describe_frame(to, world, "frame_a", base->bodies[0], base->inner[0]);
    kai_describe_frame(to, world, "frame_b", base->bodies[1], base->inner[1]);
}

// Whether instances of a load begin with a kai_joint_base (model/load_frames.h).
static bool has_frames(const kai_kind* kind)
{
    static const kai_load_kind* const kinds[] = {&kai_load_motor_rotation_torque,
                                                 &kai_load_motor_linear_force,
                                                 &kai_load_motor_rotation_pid,
                                                 &kai_load_motor_linear_pid,
                                                 &kai_load_rotational_spring,
                                                 &kai_load_linear_spring,
                                                 &kai_load_bushing};
    for (size_t i = 0; i < KAI_COUNT(kinds); i++)
        if (kind == &kinds[i]->kind) return true;
    return false;
}

static void add_joint_motors(kai_text* to, const kai_world* world, const kai_movers* m, bool* first)
{
    const kai_store* store = &world->joints;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        if (!is_motor(((const kai_joint_kind*)(const void*)batch->kind)->section)) continue;
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* item = item_of(batch, i);
            begin(to, first, store, b, i);
            add_parts(to, world, m, batch->kind, item);
            add_frames(to, world, (const kai_joint_base*)(const void*)item);
            kai_text_add(to, "}");
        }
    }
}

static void add_loads(kai_text* to, const kai_world* world, const kai_movers* m, bool motors,
                      bool* first)
{
    const kai_store* store = &world->loads;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        const kai_load_kind* kind = (const kai_load_kind*)(const void*)batch->kind;
        if (is_motor(kind->section) != motors || batch->kind == &kai_load_spring.kind ||
            batch->kind == &kai_live_drag.kind)
            continue;
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* item = item_of(batch, i);
            begin(to, first, store, b, i);
            add_parts(to, world, m, batch->kind, item);
            if (has_frames(batch->kind))
                add_frames(to, world, (const kai_joint_base*)(const void*)item);
            kai_text_add(to, "}");
        }
    }
}

void kai_describe_drives(const kai_world* world, const kai_movers* movers, kai_text* to)
{
    bool first = true;
    kai_text_add(to, ",\"motors\":[");
    add_joint_motors(to, world, movers, &first);
    add_loads(to, world, movers, true, &first);
    kai_text_add(to, "],\"loads\":[");
    first = true;
    add_loads(to, world, movers, false, &first);
    kai_text_add(to, "]");
}

// Controls ---------------------------------------------------------------------------------------

// Whether a value, or one of three, is a function.
static bool is_driven(const kai_param* p, const char* item, kai_id function)
{
    const size_t values = p->type == KAI_PARAM_VALUE ? 1 : p->type == KAI_PARAM_VALUE3 ? 3 : 0;
    const kai_value* value = field_of(item, p);
    for (size_t k = 0; k < values; k++)
        if (value[k].function.index == function.index &&
            value[k].function.generation == function.generation)
            return true;
    return false;
}

// The name of what a function drives in a store; NULL: nothing by itself.
static const char* driven_in(const kai_store* store, kai_id function)
{
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++)
            for (size_t k = 0; k < batch->kind->param_count; k++)
                if (is_driven(&batch->kind->params[k], item_of(batch, i), function))
                    return kai_store_name(store, kai_store_id(store, b, i));
    }
    return NULL;
}

static void add_control(kai_text* to, const kai_world* world, const kai_function_control_params* p,
                        kai_id id)
{
    const char* name = driven_in(&world->joints, id);
    if (name == NULL) name = driven_in(&world->loads, id);
    kai_text_add(to, "{\"name\":");
    kai_json_string(to, name);
    kai_text_add(to, ",\"key\":");
    kai_json_string(to, p->key.text);
    kai_text_add(to, ",\"key_low\":");
    kai_json_string(to, p->key_low.text);
    kai_text_add(to, ",\"initial\":");
    kai_json_number(to, p->initial);
    kai_text_add(to, ",\"low\":");
    kai_json_number(to, p->low);
    kai_text_add(to, ",\"high\":");
    kai_json_number(to, p->high);
    kai_text_add(to, "}");
}

void kai_describe_drives_controls(const kai_world* world, kai_text* to)
{
    const kai_store* store = &world->functions.store;
    bool first = true;
    kai_text_add(to, ",\"controls\":[");
    for (size_t b = 0; b < store->batch_count; b++) {
        if (store->batches[b].kind != &kai_function_control.kind) continue;
        const kai_function_control_instance* list = store->batches[b].items.data;
        for (size_t i = 0; i < store->batches[b].items.count; i++) {
            if (!first) kai_text_add(to, ",");
            add_control(to, world, &list[i].given, kai_store_id(store, b, i));
            first = false;
        }
    }
    kai_text_add(to, "]");
}
