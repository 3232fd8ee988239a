// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The order in which signals are found: each after those that its value looks at. Kinds that are
// `delayed` look at none of their inputs, so that loops may run through them.
//
// What an instance reads is found from its description: SIGNAL and EXPRESSION parameters are its
// inputs; functions of time among its parameters may read signals as well.
#include "control/control.h"

#include "base/kind.h"
#include "math/function_signal.h"
#include "model/id.h"

#include <stdio.h>
#include <string.h>

/// What the walk through one instance collects.
typedef struct walk {
    kai_world* world;
    kai_control* control;
    uint32_t place;   // of the signal
    bool delayed;     // its inputs are no edges
    kai_array* edges; // uint32_t: places that must come before
    kai_error* err;
} walk;

/// The place of a signal by its name.
static uint32_t place_of(const kai_world* world, const char* name)
{
    const kai_id id = kai_names_find(&world->signals.names, name);
    return KAI_IS_NULL(id) ? KAI_CONTROL_NOWHERE : id.index - 1;
}

static kai_result no_signal(const walk* w, const char* name)
{
    char who[KAI_STRING_SIZE + 32];
    const char* near = kai_names_nearest(&w->world->signals.names, name);
    kai_control_name(w->world, w->place, who, sizeof who);
    return near ? kai_error_set(w->err, KAI_ERROR_NAME,
                                "%s reads signal '%s'; there is none, did you mean '%s'?", who,
                                name, near)
                : kai_error_set(w->err, KAI_ERROR_NAME, "%s reads signal '%s'; there is none", who,
                                name);
}

static kai_result add_edge(const walk* w, uint32_t place)
{
    return kai_array_append(w->edges, &w->world->memory, &place, 1, w->err);
}

static kai_result add_input(const walk* w, kai_control_input input)
{
    if (!w->delayed && input.place != KAI_CONTROL_NOWHERE) KAI_TRY(add_edge(w, input.place));
    return kai_array_append(&w->control->inputs, &w->world->memory, &input, 1, w->err);
}

static kai_result take_signal(const walk* w, const char* name)
{
    const uint32_t place = name[0] ? place_of(w->world, name) : KAI_CONTROL_NOWHERE;
    if (name[0] && place == KAI_CONTROL_NOWHERE) return no_signal(w, name);
    return add_input(w, (kai_control_input){.place = place});
}

// Formulas ---------------------------------------------------------------------------------------

/// Names in formulas: signals, and t.
static bool find_variable(void* context, const char* name, kai_expression_variable* out,
                          kai_error* err)
{
    const walk* w = context;
    uint32_t place = place_of(w->world, name);
    if (place == KAI_CONTROL_NOWHERE && strcmp(name, "t") == 0)
        place = (uint32_t)w->world->signals.entries.count; // the time stands behind all signals
    else if (place == KAI_CONTROL_NOWHERE)
        return false;
    else if (!w->delayed && add_edge(w, place) != KAI_OK) {
        *err = *w->err;
        return false;
    }
    *out = (kai_expression_variable){.index = place};
    return true;
}

static const char* nearest_variable(void* context, const char* name)
{
    const walk* w = context;
    return kai_names_nearest(&w->world->signals.names, name);
}

static kai_result take_formula(walk* w, const kai_param* p, const char* text)
{
    kai_control* control = w->control;
    if (!text[0]) return add_input(w, (kai_control_input){.place = KAI_CONTROL_NOWHERE});
    const kai_expression_scope scope = {w, find_variable, nearest_variable};
    kai_error why = {0};
    KAI_TRY(kai_array_resize(&control->formulas, &w->world->memory, control->formulas.count + 1,
                             w->err));
    kai_expression* formula =
        (kai_expression*)control->formulas.data + (control->formulas.count - 1);
    const kai_result r = kai_expression_compile(text, &scope, formula, &why);
    if (r != KAI_OK) {
        char who[KAI_STRING_SIZE + 32];
        kai_control_name(w->world, w->place, who, sizeof who);
        return kai_error_set(w->err, r, "%s: %s '%s', at character %d: %s", who, p->name, text,
                             why.column, why.message);
    }
    return add_input(w, (kai_control_input){.place = KAI_CONTROL_NOWHERE,
                                            .formula = (uint32_t)control->formulas.count});
}

// Descriptions -----------------------------------------------------------------------------------

static kai_result walk_kind(walk* w, const kai_kind* kind, const char* instance, bool inputs);

/// Signals that a function of time reads, in functions that it is made of too.
static kai_result take_function(walk* w, kai_function f)
{
    if (KAI_IS_NULL(f)) return KAI_OK;
    const kai_store* store = &w->world->functions.store;
    const kai_store_entry* entry = kai_store_find(store, KAI_ID_OF(f));
    if (!entry) return KAI_OK;
    return walk_kind(w, store->batches[entry->batch].kind, kai_store_at(store, KAI_ID_OF(f)),
                     false);
}

/// `inputs`: of the signal itself; else of a function, whose signals are no inputs.
static kai_result walk_kind(walk* w, const kai_kind* kind, const char* instance, bool inputs)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const void* field = instance + p->offset;
        if (p->type == KAI_PARAM_SIGNAL && inputs) {
            KAI_TRY(take_signal(w, field));
        } else if (p->type == KAI_PARAM_SIGNAL) {
            const uint32_t place = place_of(w->world, field);
            if (place == KAI_CONTROL_NOWHERE) return no_signal(w, field);
            KAI_TRY(add_edge(w, place));
        } else if (p->type == KAI_PARAM_EXPRESSION && inputs) {
            KAI_TRY(take_formula(w, p, field));
        } else if (p->type == KAI_PARAM_FUNCTION) {
            KAI_TRY(take_function(w, *(const kai_function*)field));
        } else if (p->type == KAI_PARAM_VALUE || p->type == KAI_PARAM_VALUE3) {
            for (size_t k = 0; k < kai_kind_type_numbers(p->type); k++)
                KAI_TRY(take_function(w, ((const kai_value*)field)[k].function));
        } else if (p->type == KAI_PARAM_LIST) {
            const kai_list* list = field;
            for (uint32_t k = 0; k < list->count; k++)
                KAI_TRY(
                    walk_kind(w, p->item, (const char*)list->items + k * p->item->size, inputs));
        }
    }
    return KAI_OK;
}

/// Functions that read signals learn where these are.
static kai_result find_places(kai_world* world, kai_error* err)
{
    const kai_store* store = &world->functions.store;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        if (batch->kind != &kai_function_signal.kind) continue;
        kai_function_signal_instance* readers = batch->items.data;
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* name = readers[i].given.signal.text;
            const uint32_t place = place_of(world, name);
            if (place == KAI_CONTROL_NOWHERE)
                return kai_error_set(err, KAI_ERROR_NAME,
                                     "a function of time reads signal '%s'; there is none", name);
            readers[i].place = place;
        }
    }
    return KAI_OK;
}

// The order --------------------------------------------------------------------------------------

/// Edges of all signals, and how far a search in depth is.
typedef struct search {
    kai_world* world;
    kai_array first; // uint32_t [places + 1] in edges
    kai_array edges; // uint32_t
    kai_array state; // uint8_t [places]
    kai_array path;  // uint32_t: places on the way down
    kai_array next;  // uint32_t [places]: edge to look at next
    kai_error* err;
} search;

enum { NEW, OPEN, DONE };

/// Names the signals of a loop: those of the path from `place` on.
static kai_result tell_loop(const search* s, uint32_t place)
{
    char text[384] = "", name[KAI_STRING_SIZE + 32];
    const uint32_t* path = s->path.data;
    size_t i = s->path.count, used = 0;
    while (i > 0 && path[i - 1] != place) i--;
    for (size_t k = i - 1; k < s->path.count && used < sizeof text; k++) {
        kai_control_name(s->world, path[k], name, sizeof name);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s reads ", name);
    }
    kai_control_name(s->world, place, name, sizeof name);
    return kai_error_set(
        s->err, KAI_ERROR_ARGUMENT,
        "%s%s: a loop in which none knows its value before the others; put a filter, "
        "delay, integrator or sample into it",
        text, name);
}

/// Appends the node of a place whose edges are all done.
static kai_result search_node(search* s, const kai_control_node* all, uint32_t place)
{
    ((uint8_t*)s->state.data)[place] = DONE;
    s->path.count--;
    return kai_array_append(&s->world->control->nodes, &s->world->memory, &all[place], 1, s->err);
}

/// All that a place needs, then the place: in depth, without recursion.
static kai_result search_from(search* s, const kai_control_node* all, uint32_t place)
{
    const uint32_t *first = s->first.data, *edges = s->edges.data;
    uint8_t* state = s->state.data;
    uint32_t* next = s->next.data;
    state[place] = OPEN;
    next[place] = first[place];
    KAI_TRY(kai_array_append(&s->path, &s->world->memory, &place, 1, s->err));
    while (s->path.count > 0) {
        const uint32_t top = ((const uint32_t*)s->path.data)[s->path.count - 1];
        if (next[top] == first[top + 1]) {
            KAI_TRY(search_node(s, all, top));
            continue;
        }
        const uint32_t to = edges[next[top]++];
        if (state[to] == OPEN) return tell_loop(s, to);
        if (state[to] == DONE) continue;
        state[to] = OPEN;
        next[to] = first[to];
        KAI_TRY(kai_array_append(&s->path, &s->world->memory, &to, 1, s->err));
    }
    return KAI_OK;
}

static kai_result tell_link(const kai_world* world, uint32_t place, kai_error* err)
{
    char who[KAI_STRING_SIZE + 32];
    kai_control_name(world, place, who, sizeof who);
    kai_error_prefix(err, "%s", who);
    return KAI_ERROR_ARGUMENT;
}

/// Where the signal of each place stands, and what it reads.
static kai_result read_all(search* s, kai_control_node* all)
{
    kai_world* world = s->world;
    kai_control* control = world->control;
    const kai_store_entry* entries = world->signals.entries.data;
    const uint32_t places = (uint32_t)world->signals.entries.count;
    size_t widest = 0;
    uint32_t rates = 0;
    for (uint32_t place = 0; place < places; place++) {
        ((uint32_t*)s->first.data)[place] = (uint32_t)s->edges.count;
        if (entries[place].batch == KAI_STORE_FREE) continue;
        kai_control_node* node = &all[place];
        *node = (kai_control_node){.place = place,
                                   .batch = entries[place].batch,
                                   .slot = entries[place].slot,
                                   .first = (uint32_t)control->inputs.count};
        const kai_signal_kind* kind = kai_control_kind(world, node);
        walk w = {world, control, place, kind->delayed, &s->edges, s->err};
        KAI_TRY(walk_kind(&w, &kind->kind, kai_control_instance(world, node), true));
        node->count = (uint32_t)control->inputs.count - node->first;
        if (node->count > widest) widest = node->count;
        const char* instance = kai_control_instance(world, node);
        if (kind->link && kind->link(world, instance, s->err) != KAI_OK)
            return tell_link(world, place, s->err);
        control->watched |= kind->state_count > 0 || kind->update || kind->sense;
        control->evaluates |= kind->evaluates && kind->evaluates(instance);
        control->fast |= kind->needs_velocity && kind->needs_velocity(instance);
    }
    ((uint32_t*)s->first.data)[places] = (uint32_t)s->edges.count;
    // Rates lie in the order of states: batch by batch.
    for (size_t b = 0; b < world->signals.batch_count; b++) {
        const kai_store_batch* batch = &world->signals.batches[b];
        const size_t states = ((const kai_signal_kind*)(const void*)batch->kind)->state_count;
        for (size_t i = 0; i < batch->owner.count; i++, rates += (uint32_t)states)
            all[((const uint32_t*)batch->owner.data)[i] - 1].rates = rates;
    }
    KAI_TRY(kai_array_resize(&world->signal_rates, &world->memory, rates, s->err));
    return kai_array_resize(&control->jets, &world->memory, widest + 1, s->err);
}

static kai_result search_all(search* s)
{
    kai_world* world = s->world;
    kai_memory* memory = &world->memory;
    const size_t places = world->signals.entries.count;
    KAI_TRY(kai_array_resize(&s->first, memory, places + 1, s->err));
    KAI_TRY(kai_array_resize(&s->state, memory, places, s->err));
    KAI_TRY(kai_array_resize(&s->next, memory, places, s->err));
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_control_node* all = kai_arena_take(&world->arena, places, sizeof *all, s->err);
    if (!all) return KAI_ERROR_MEMORY;
    kai_result r = read_all(s, all);
    const kai_store_entry* entries = world->signals.entries.data;
    for (uint32_t place = 0; r == KAI_OK && place < places; place++)
        if (entries[place].batch != KAI_STORE_FREE && ((const uint8_t*)s->state.data)[place] == NEW)
            r = search_from(s, all, place);
    kai_arena_release(&world->arena, mark);
    return r;
}

/// Room for the values of all places, those of new ones zero.
static kai_result make_room(kai_world* world, kai_error* err)
{
    kai_control* control = world->control;
    kai_memory* memory = &world->memory;
    const size_t places = world->signals.entries.count;
    KAI_TRY(kai_array_resize(&world->functions.signals, memory, places, err));
    KAI_TRY(kai_array_resize(&world->signals_started, memory, places, err));
    KAI_TRY(kai_array_resize(&control->before, memory, places, err));
    return kai_array_resize(&control->numbers, memory, places + 1, err);
}

static kai_result lay_out(kai_world* world, kai_error* err)
{
    kai_control* control = world->control;
    kai_memory* memory = &world->memory;
    search s = {.world = world,
                .first = kai_array_make(sizeof(uint32_t)),
                .edges = kai_array_make(sizeof(uint32_t)),
                .state = kai_array_make(sizeof(uint8_t)),
                .path = kai_array_make(sizeof(uint32_t)),
                .next = kai_array_make(sizeof(uint32_t)),
                .err = err};
    control->nodes.count = control->inputs.count = control->formulas.count = 0;
    control->watched = control->evaluates = control->fast = false;
    kai_result r = make_room(world, err);
    if (r == KAI_OK) r = search_all(&s);
    if (r == KAI_OK) r = find_places(world, err);
    kai_array_free(&s.first, memory);
    kai_array_free(&s.edges, memory);
    kai_array_free(&s.state, memory);
    kai_array_free(&s.path, memory);
    kai_array_free(&s.next, memory);
    return r;
}

static kai_result make_control(kai_world* world, kai_error* err)
{
    kai_control* c = kai_memory_allocate_zeroed(&world->memory, 1, sizeof *c);
    if (!c) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for signals");
    c->nodes = kai_array_make(sizeof(kai_control_node));
    c->inputs = kai_array_make(sizeof(kai_control_input));
    c->formulas = kai_array_make(sizeof(kai_expression));
    c->jets = kai_array_make(sizeof(kai_jet));
    c->numbers = kai_array_make(sizeof(double));
    c->before = kai_array_make(sizeof(double));
    world->control = c;
    return KAI_OK;
}

kai_result kai_control_order(kai_world* world, kai_error* err)
{
    kai_control* c = world->control;
    if (c && c->laid_out && c->signals_version == world->signals.version &&
        c->functions_version == world->functions.store.version)
        return KAI_OK;
    if (!c) KAI_TRY(make_control(world, err));
    c = world->control;
    c->laid_out = false;
    c->joints_version = 0;
    KAI_TRY(lay_out(world, err));
    c->laid_out = true;
    c->signals_version = world->signals.version;
    c->functions_version = world->functions.store.version;
    return KAI_OK;
}
