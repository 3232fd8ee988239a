// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A quantity of something, as outputs know it (measure/). What follows from positions and velocities
// alone is read at every moment of a step. All else, forces, accelerations, contacts, rays, is as it
// was at the end of the last step, or at the start, and held until the next one.
//
// Angles count turns: of all angles that differ by whole turns, the one nearest to that at the end of
// the last step.
#include "control/blocks/block.h"
#include "measure/output_element.h"
#include "measure/output_table.h"

#include <kairos/sensor.h>
#include <stdio.h>
#include <string.h>

typedef kai_block_measure_params given;

typedef struct block_measure {
    given given;
    int64_t index, number; // of the quantity, and of its number, as in output.h
    bool held;             // it is sensed between steps
    bool turns;            // it is an angle that counts turns
    double last;           // what was sensed; of angles: at the end of the last step
} block_measure;

static kai_output_def def_of(const kai_world* world, const given* p)
{
    kai_output_def def = kai_output_def_default();
    def.target = (kai_output_target)p->target;
    def.body = p->body;
    def.joint = p->joint;
    def.load = p->load;
    def.shaft = p->shaft;
    def.node = p->node;
    def.element = p->element;
    def.structure = p->structure;
    def.set = p->set;
    memcpy(def.at, &p->at, sizeof def.at);
    def.layer = p->layer;
    def.ray_from = p->ray_from;
    def.ray_direction = p->ray_direction;
    def.ray_length = p->ray_length;
    if (p->sensor.text[0]) def.sensor = kai_sensor_find(world, p->sensor.text);
    return def;
}

static kai_output_subject subject_of(const kai_world* world, const given* p)
{
    return (kai_output_subject){.body = p->body,
                                .joint = p->joint,
                                .load = p->load,
                                .shaft = p->shaft,
                                .node = p->node,
                                .element = p->element,
                                .at = {p->at.x, p->at.y, p->at.z},
                                .layer = p->layer,
                                .structure = p->structure,
                                .sensor = p->sensor.text[0] ? kai_sensor_find(world, p->sensor.text)
                                                            : (kai_sensor){0},
                                .set = p->set.text,
                                .nothing = p->target == KAI_OUTPUT_RAY ? -1.0 : 1e30};
}

// Creation ---------------------------------------------------------------------------------------

static kai_result find_component(const kai_quantity* q, const char* word, int64_t* out,
                                 kai_error* err)
{
    char all[128] = "";
    size_t used = 0;
    *out = 0;
    if (q->components == 1 && word[0] == '\0') return KAI_OK;
    for (int i = 0; q->labels && i < q->components; i++) {
        *out = i;
        if (strcmp(q->labels[i], word) == 0) return KAI_OK;
        used += (size_t)snprintf(all + used, used < sizeof all ? sizeof all - used : 0, "%s%s",
                                 i ? ", " : "", q->labels[i]);
    }
    if (q->components == 1)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "measure: %s is one number; leave component "
                             "out",
                             q->name);
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "measure: component of %s is '%s'; must be one of: %s", q->name, word,
                         all);
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    block_measure* p = instance;
    kai_output_def def = def_of(world, &p->given);
    const kai_output_target target = def.target;
    if ((uint64_t)p->given.target >= KAI_OUTPUT_TARGET_COUNT || target == KAI_OUTPUT_SIGNAL ||
        kai_output_is_snapshot(target))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "measure: target %lld is nothing to measure",
                             (long long)p->given.target);
    // What it refers to comes first: words of elements depend on their kind.
    const int index = kai_output_quantity_search(world, &def, p->given.quantity.text);
    def.quantity_count = 1;
    def.quantities[0] = index < 0 ? 0 : index;
    KAI_TRY(kai_output_check_subject(world, &def, err));
    if (index < 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "measure: there is no quantity '%s' of that",
                             p->given.quantity.text);
    p->index = index;
    p->turns = kai_output_counts_turns(world, &def, index);
    p->held = kai_output_when(target, index) == KAI_OUTPUT_STEPS;
    const kai_quantity q = kai_output_quantity_of(world, &def, index);
    return find_component(&q, p->given.component.text, &p->number, err);
}

// Values -----------------------------------------------------------------------------------------

static kai_result read_now(kai_world* world, const block_measure* p,
                           const kai_output_subject* subject, double* out, kai_error* err)
{
    double values[KAI_OUTPUT_COMPONENTS] = {0};
    KAI_TRY(kai_output_value(world, (kai_output_target)p->given.target, (int)p->index, subject,
                             values, err));
    const double now = values[p->number];
    *out = p->turns ? now + 2.0 * KAI_PI * round((p->last - now) / (2.0 * KAI_PI)) : now;
    return KAI_OK;
}

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_measure* p = instance;
    if (p->held) return kai_block_unknown(p->last);
    const kai_output_subject subject = subject_of(m->world, &p->given);
    double y;
    // A thing that is gone has no value: the signal is refused as one that is not a number.
    if (read_now((kai_world*)(uintptr_t)m->world, p, &subject, &y, NULL) != KAI_OK) y = (double)NAN;
    return kai_block_unknown(y);
}

static kai_result sense(kai_world* world, void* instance, kai_error* err)
{
    block_measure* p = instance;
    kai_output_subject subject = subject_of(world, &p->given);
    if (!p->held && !p->turns) return KAI_OK;
    if (p->held) {
        const kai_output_def def = def_of(world, &p->given);
        KAI_TRY(kai_output_queries_ask(world, &def, &subject, err));
    }
    return read_now(world, p, &subject, &p->last, err);
}

static bool evaluates(const void* instance)
{
    const block_measure* p = instance;
    return kai_output_needs_evaluation((kai_output_target)p->given.target, (int)p->index);
}

static bool needs_velocity(const void* instance)
{
    const block_measure* p = instance;
    return kai_output_when((kai_output_target)p->given.target, (int)p->index) ==
           KAI_OUTPUT_VELOCITIES;
}

// What scenes say instead of the hidden ones stands with outputs: kai_sections_measure_part.
static const kai_param PARAMS[] = {
    KAI_PARAM(INT, given, target, .hidden = true),
    KAI_PARAM(INT, given, layer, .hidden = true, .initial = {-1.0}),
    KAI_PARAM(BODY, given, body, .hidden = true),
    KAI_PARAM(JOINT, given, joint, .hidden = true),
    KAI_PARAM(LOAD, given, load, .hidden = true),
    KAI_PARAM(SHAFT, given, shaft, .hidden = true),
    KAI_PARAM(NODE, given, node, .hidden = true),
    KAI_PARAM(ELEMENT, given, element, .hidden = true),
    KAI_PARAM(STRUCTURE, given, structure, .hidden = true),
    KAI_PARAM(STRING, given, set, .hidden = true),
    KAI_PARAM(VEC3, given, at, .hidden = true),
    KAI_PARAM(VEC3, given, ray_from, .hidden = true),
    KAI_PARAM(VEC3, given, ray_direction, .hidden = true),
    KAI_PARAM(REAL, given, ray_length, .hidden = true),
    KAI_PARAM(STRING, given, sensor, .hidden = true),
    KAI_PARAM(STRING, given, quantity, .required = true,
              .doc = "Word of a quantity that an output of that thing knows."),
    KAI_PARAM(STRING, given, component,
              .doc = "Which of its numbers, such as \"x\", where it has several."),
    KAI_PARAM(INT, block_measure, index, .hidden = true),
    KAI_PARAM(INT, block_measure, number, .hidden = true),
    KAI_PARAM(BOOL, block_measure, held, .hidden = true),
    KAI_PARAM(BOOL, block_measure, turns, .hidden = true),
    KAI_PARAM(REAL, block_measure, last, .hidden = true),
};

const kai_signal_kind kai_block_measure = {
    .kind = KAI_KIND("measure", block_measure, PARAMS, .given = sizeof(given),
                     .doc = "A quantity of a body, joint, motor or other thing."),
    .value = value,
    .sense = sense,
    .evaluates = evaluates,
    .needs_velocity = needs_velocity,
    .prepare = prepare};
