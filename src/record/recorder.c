// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/recorder.h"

#include "control/control.h"
#include "measure/output.h"
#include "measure/output_element.h"
#include "measure/output_sensor.h"
#include "measure/output_table.h"
#include "model/collision/collision.h"
#include "model/id.h"
#include "model/render_mesh.h"
#include "record/csv.h"
#include "record/file.h"
#include "record/image_file.h"
#include "record/schedule.h"
#include "record/snapshot.h"
#include "record/trajectory/render_mesh_file.h"
#include "record/trajectory/trajectory.h"

#include <kairos/event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One output and how far it is.
typedef struct output {
    const kai_output_def* def;
    kai_schedule schedule;
    kai_csv csv;            // not for particles and images
    kai_image_file* images; // of a sensor; NULL: none
    uint64_t samples;
    bool evaluates; // shows what kai_world_evaluate brings up to date
    bool counts;    // counts turns of a joint
    double angle;   // of the joint at the last step, in (-π, π]
    int64_t turns;  // that the angle has made
} output;

// A sensor whose samples are no images, and when it samples.
typedef struct sampled {
    kai_sensor sensor;
    kai_schedule schedule;
} sampled;

struct kai_recorder {
    kai_world* world;
    char* folder;
    output* outputs; // [count]
    size_t count;
    sampled* sensors; // [sensor_count]
    size_t sensor_count;
    kai_trajectory* trajectory;          // NULL: none
    kai_render_mesh_file* render_meshes; // deforming meshes at its frames; NULL: none
    kai_schedule trajectory_schedule;
    uint64_t frame_base; // samples of the trajectory before its file began
    uint64_t next;
    bool whole; // nothing is written
    double flushed;
    kai_checkpoint_output* progress; // [count], for kai_recorder_save
};

static const double FRAME = 1.0 / 30.0; // s
static const double APART = 50.0;       // steps
static const double FRAMES = 100.0;     // at least, where the run has as many steps
static const double FRAMES_MOST = 3000.0;
enum { MANY = 10000 }; // bodies and nodes
static const double FLUSH_SECONDS = 1.0;

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for outputs");
}

// Checking ---------------------------------------------------------------------------------------

static bool same_file(const kai_output_def* a, const kai_output_def* b)
{
    return strcmp(a->file.text, b->file.text) == 0;
}

kai_result kai_recorder_check(const kai_recorder_def* def, kai_error* err)
{
    for (size_t i = 0; i < def->output_count; i++) {
        const kai_output_def* o = def->outputs[i];
        KAI_TRY(kai_output_check(def->world, o, err));
        for (size_t j = 0; j < i; j++)
            if (same_file(o, def->outputs[j]))
                return kai_error_set(err, KAI_ERROR_ARGUMENT, "two outputs write to '%s'",
                                     o->file.text);
    }
    return KAI_OK;
}

// Opening ----------------------------------------------------------------------------------------

// What an output is about, as its columns call it.
typedef struct thing {
    const char *name, *sort;
    uint32_t index;
} thing;

static thing thing_of(const kai_world* world, const kai_output_def* def)
{
    if (!KAI_IS_NULL(def->joint))
        return (thing){kai_joint_name(world, def->joint), "joint", def->joint.index};
    if (!KAI_IS_NULL(def->load))
        return (thing){kai_store_name(&world->loads, KAI_ID_OF(def->load)), "load",
                       def->load.index};
    switch (def->target) {
    case KAI_OUTPUT_SHAFT:
        return (thing){kai_shaft_name(world, def->shaft), "shaft", def->shaft.index};
    case KAI_OUTPUT_SENSOR:
        return (thing){kai_sensor_name(world, def->sensor), "sensor", def->sensor.index};
    case KAI_OUTPUT_SIGNAL:
        return (thing){kai_signal_name(world, def->signal), "signal", def->signal.index};
    case KAI_OUTPUT_NODE: return (thing){kai_node_name(world, def->node), "node", def->node.index};
    case KAI_OUTPUT_ELEMENT:
        return (thing){kai_store_name(&world->elements, KAI_ID_OF(def->element)), "element",
                       def->element.index};
    case KAI_OUTPUT_STRUCTURE:
        return (thing){kai_structure_name(world, def->structure), "structure",
                       def->structure.index};
    default: return (thing){kai_body_name(world, def->body), "body", def->body.index};
    }
}

// What an output's columns begin with; things without a name get a number.
static const char* column_name(const kai_recorder* r, const kai_output_def* def, char* number,
                               size_t size)
{
    if (def->target == KAI_OUTPUT_SYSTEM) return "system";
    if (def->target == KAI_OUTPUT_RAY && KAI_IS_NULL(def->body)) return "ray";
    if (def->target == KAI_OUTPUT_NEAREST && KAI_IS_NULL(def->body)) return "nearest";
    if (def->target == KAI_OUTPUT_ELEMENT && !KAI_IS_NULL(def->structure)) {
        snprintf(number, size, "%.200s.%zu", kai_structure_name(r->world, def->structure),
                 kai_output_element_number(r->world, def));
        return number;
    }
    const thing named = thing_of(r->world, def);
    if (named.name[0] != '\0') return named.name;
    snprintf(number, size, "%s%u", named.sort, named.index);
    return number;
}

static kai_result write_header(kai_recorder* r, output* o, kai_error* err)
{
    char number[KAI_STRING_SIZE], cell[3 * KAI_STRING_SIZE];
    const char* name = column_name(r, o->def, number, sizeof number);
    KAI_TRY(kai_csv_text(&o->csv, "time", err));
    if (o->def->target == KAI_OUTPUT_EVENTS) KAI_TRY(kai_csv_text(&o->csv, ",event,action", err));
    for (uint32_t i = 0; i < o->def->quantity_count; i++) {
        const kai_quantity q = kai_output_quantity_of(r->world, o->def, o->def->quantities[i]);
        for (int c = 0; c < q.components; c++) {
            snprintf(cell, sizeof cell, "%s.%s%s%s", name, q.name, q.labels ? "." : "",
                     q.labels ? q.labels[c] : "");
            KAI_TRY(kai_csv_cell(&o->csv, cell, err));
        }
    }
    return kai_csv_end_row(&o->csv, err);
}

// Snapshots after the checkpoint would be written again, but a run that ends earlier must not leave
// them.
static kai_result remove_snapshots(const kai_recorder* r, const output* o, kai_error* err)
{
    for (uint64_t k = o->samples;; k++) {
        char* path = kai_snapshot_path(r->folder, o->def, k);
        if (path == NULL) return no_memory(err);
        const int gone = unlink(path);
        free(path);
        if (gone != 0) return KAI_OK;
    }
}

static kai_result open_output(kai_recorder* r, output* o, const kai_checkpoint_output* before,
                              kai_error* err)
{
    if (before != NULL) o->samples = before->samples;
    if (before != NULL) o->turns = before->turns;
    for (uint32_t i = 0; i < o->def->quantity_count; i++) {
        const int32_t q = o->def->quantities[i];
        o->evaluates = o->evaluates || kai_output_needs_evaluation(o->def->target, q);
        o->counts = o->counts || kai_output_counts_turns(r->world, o->def, q);
    }
    double travel;
    if (o->counts) kai_joint_coordinates(r->world, o->def->joint, &o->angle, &travel);
    if (kai_output_is_snapshot(o->def->target))
        return r->whole ? KAI_OK : remove_snapshots(r, o, err);
    char* path = kai_file_join(r->folder, o->def->file.text);
    if (path == NULL) return no_memory(err);
    if (kai_output_sensor_is_image(r->world, o->def)) {
        const kai_result made = r->whole ? KAI_OK
                                         : kai_image_file_create(&o->images, path, r->world,
                                                                 o->def->sensor, o->samples, err);
        free(path);
        return made;
    }
    const uint64_t keep = before != NULL ? before->bytes : 0;
    kai_result result =
        r->whole ? kai_csv_check(path, keep, err) : kai_csv_open(&o->csv, path, keep, err);
    free(path);
    if (result == KAI_OK && keep == 0 && !r->whole) result = write_header(r, o, err);
    return result;
}

// Sensors that sample by themselves, each as often as it has done so far.
static kai_result open_sensors(kai_recorder* r, double step, kai_error* err)
{
    const size_t count = kai_sensor_count(r->world);
    r->sensors = calloc(count + 1, sizeof *r->sensors);
    if (r->sensors == NULL) return no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const kai_sensor sensor = kai_sensor_at(r->world, i);
        const kai_sensor_kind* kind;
        const void* instance;
        KAI_TRY(kai_sensor_get(r->world, sensor, &kind, &instance));
        const double rate = ((const kai_sensor_base*)instance)->rate;
        if (kind->measure == NULL) continue;
        r->sensors[r->sensor_count++] =
            (sampled){sensor, kai_schedule_make(rate > 0.0 ? 1.0 / rate : 0.0, step)};
    }
    return KAI_OK;
}

static kai_result open_outputs(kai_recorder* r, const kai_recorder_def* def, kai_error* err)
{
    const kai_checkpoint_run* resume = def->resume;
    if (resume != NULL && resume->output_count != r->count)
        return kai_error_set(err, KAI_ERROR_FORMAT, "the checkpoint has %zu outputs, the scene %zu",
                             resume->output_count, r->count);
    for (size_t i = 0; i < r->count; i++) {
        const kai_checkpoint_output* before = resume != NULL ? &resume->outputs[i] : NULL;
        if (before != NULL && strcmp(before->file.text, def->outputs[i]->file.text) != 0)
            return kai_error_set(err, KAI_ERROR_FORMAT,
                                 "output %zu is '%s' in the checkpoint, '%s' in the scene", i + 1,
                                 before->file.text, def->outputs[i]->file.text);
        KAI_TRY(open_output(r, &r->outputs[i], before, err));
    }
    return KAI_OK;
}

// Frames without a given time between them stand a whole number of steps apart: equal distances
// make motion easy to predict, and with it the page small.
//
// A step of bodies that meet nothing is so cheap that a frame costs as much as two of them: where
// such bodies are many, frames stand further apart, so that recording stays below a twentieth of
// the run.
static double frame_interval(const kai_recorder_def* def, const kai_world* world)
{
    if (def->trajectory.every > 0.0) return def->trajectory.every;
    const bool free = world->contact_def.method == KAI_CONTACT_NONE && world->joints.count == 0 &&
                      world->elements.count == 0;
    const bool many = world->bodies.count + world->nodes.count > MANY;
    // Short runs have more frames, but not so many that large ones do little else than record.
    const double steps = def->span / def->step;
    const double most = fmax(floor(steps / FRAMES * (1.0 + 1e-9)), many ? APART : 1.0);
    // Long runs have fewer, or the file would grow without bounds.
    const double apart = free && world->bodies.count > MANY ? APART : 1.0;
    const double least = fmax(apart, ceil(steps / FRAMES_MOST * (1.0 - 1e-9)));
    return fmax(fmin(round(FRAME / def->step), most), least) * def->step;
}

static kai_result open_trajectory(kai_recorder* r, const kai_recorder_def* def, kai_error* err)
{
    if (!def->trajectory.enabled || r->whole) return KAI_OK;
    r->trajectory_schedule = kai_schedule_make(frame_interval(def, r->world), def->step);
    char* path = kai_file_join(r->folder, KAI_RECORDER_TRAJECTORY);
    if (path == NULL) return no_memory(err);
    const uint64_t frames = def->resume != NULL ? def->resume->frames : 0;
    kai_result result;
    if (frames > 0 && access(path, F_OK) == 0) {
        result = kai_trajectory_resume(&r->trajectory, path, r->world, &def->trajectory, def->scene,
                                       frames, err);
    } else {
        if (frames > 0) {
            kai_world_log(r->world, KAI_LOG_WARNING, "%s is gone; a new one begins at t = %.9g s",
                          path, kai_world_time(r->world));
            r->frame_base = frames;
        }
        result = kai_trajectory_create(&r->trajectory, path, r->world, &def->trajectory, def->scene,
                                       err);
    }
    free(path);
    return result;
}

// Deforming meshes go with the trajectory, frame by frame.
static kai_result open_render_meshes(kai_recorder* r, const kai_recorder_def* def, kai_error* err)
{
    if (r->trajectory == NULL || kai_render_mesh_count(r->world) == 0) return KAI_OK;
    char* path = kai_file_join(r->folder, KAI_RENDER_MESH_FILE);
    if (path == NULL) return no_memory(err);
    uint64_t frames = r->frame_base == 0 ? kai_trajectory_frames(r->trajectory) : 0;
    if (frames > 0 && access(path, F_OK) != 0) {
        kai_world_log(r->world, KAI_LOG_WARNING, "%s is gone; a new one begins at t = %.9g s", path,
                      kai_world_time(r->world));
        frames = 0;
    }
    const kai_result result = kai_render_mesh_file_create(&r->render_meshes, path, r->world,
                                                          &def->trajectory, frames, err);
    free(path);
    return result;
}

// The step at which a sensor samples next.
static uint64_t sensor_due(const kai_recorder* r, const sampled* s)
{
    const void* instance;
    if (kai_sensor_get(r->world, s->sensor, NULL, &instance) != KAI_OK) return UINT64_MAX;
    return kai_schedule_due(&s->schedule, (uint64_t)((const kai_sensor_base*)instance)->samples);
}

static void find_next(kai_recorder* r)
{
    r->next = UINT64_MAX;
    if (r->whole) return;
    for (size_t i = 0; i < r->count; i++) {
        if (r->outputs[i].def->target == KAI_OUTPUT_EVENTS) continue;
        const uint64_t due = kai_schedule_due(&r->outputs[i].schedule, r->outputs[i].samples);
        if (due < r->next) r->next = due;
    }
    for (size_t i = 0; i < r->sensor_count; i++) {
        const uint64_t due = sensor_due(r, &r->sensors[i]);
        if (due < r->next) r->next = due;
    }
    if (r->trajectory == NULL) return;
    const uint64_t frames = r->frame_base + kai_trajectory_frames(r->trajectory);
    const uint64_t due = kai_schedule_due(&r->trajectory_schedule, frames);
    if (due < r->next) r->next = due;
}

kai_result kai_recorder_open(kai_recorder** out, const kai_recorder_def* def, kai_error* err)
{
    kai_recorder* r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL) return no_memory(err);
    r->world = def->world;
    r->whole = def->whole;
    r->count = def->output_count;
    r->flushed = kai_clock_now();
    r->folder = strdup(def->folder);
    r->outputs = calloc(r->count + 1, sizeof *r->outputs);
    r->progress = calloc(r->count + 1, sizeof *r->progress);
    kai_result result = r->folder && r->outputs && r->progress ? KAI_OK : no_memory(err);
    for (size_t i = 0; result == KAI_OK && i < r->count; i++)
        r->outputs[i] = (output){.def = def->outputs[i],
                                 .schedule = kai_schedule_make(def->outputs[i]->every, def->step),
                                 .csv = {.descriptor = -1}};
    if (result == KAI_OK) result = open_sensors(r, def->step, err);
    if (result == KAI_OK) result = open_outputs(r, def, err);
    if (result == KAI_OK) result = open_trajectory(r, def, err);
    if (result == KAI_OK) result = open_render_meshes(r, def, err);
    if (result != KAI_OK) {
        kai_recorder_close(r, true, NULL);
        return result;
    }
    find_next(r);
    *out = r;
    return KAI_OK;
}

// Sampling ---------------------------------------------------------------------------------------

uint64_t kai_recorder_next(const kai_recorder* r) { return r->next; }

// A row for each action of what happened in the last step, or one for an event without any.
static kai_result write_events(const kai_recorder* r, output* o, kai_error* err)
{
    char text[2 * KAI_STRING_SIZE];
    for (size_t i = 0; i < kai_event_fired_count(r->world); i++) {
        const kai_event_record record = kai_event_fired(r->world, i);
        const kai_event_def* def = kai_event_get(r->world, record.event);
        const kai_event_action* actions = def ? def->actions.items : NULL;
        const uint32_t count = def ? def->actions.count : 0;
        for (uint32_t k = 0; k < (count > 0 ? count : 1); k++) {
            text[0] = '\0';
            if (k < count) kai_event_action_text(&actions[k], text, sizeof text);
            KAI_TRY(kai_csv_number(&o->csv, record.time, err));
            KAI_TRY(kai_csv_cell(&o->csv, kai_event_name(r->world, record.event), err));
            KAI_TRY(kai_csv_cell(&o->csv, text, err));
            KAI_TRY(kai_csv_end_row(&o->csv, err));
        }
        o->samples++;
    }
    return KAI_OK;
}

kai_result kai_recorder_track(kai_recorder* r, kai_error* err)
{
    kai_sensor_follow(r->world);
    for (size_t i = 0; i < r->count && kai_event_fired_count(r->world) > 0; i++)
        if (r->outputs[i].def->target == KAI_OUTPUT_EVENTS)
            KAI_TRY(write_events(r, &r->outputs[i], err));
    for (size_t i = 0; i < r->count; i++) {
        output* o = &r->outputs[i];
        double angle, travel;
        if (!o->counts || kai_joint_coordinates(r->world, o->def->joint, &angle, &travel) != KAI_OK)
            continue;
        // More than half a turn in a step is the other way round through ±π.
        if (angle - o->angle > KAI_PI) o->turns--;
        if (angle - o->angle < -KAI_PI) o->turns++;
        o->angle = angle;
    }
    return KAI_OK;
}

// A number that is none must not reach a table: what reads it would go on with it. The row is left
// out.
static kai_result refuse_value(kai_recorder* r, output* o, const kai_quantity* q, int c,
                               double value, kai_error* err)
{
    char number[KAI_STRING_SIZE];
    const char* name = column_name(r, o->def, number, sizeof number);
    kai_csv_drop_row(&o->csv);
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "%s: %s.%s%s%s is %s at t = %.9g s; must be finite", o->csv.path, name,
                         q->name, q->labels ? "." : "", q->labels ? q->labels[c] : "",
                         kai_output_odd_word(value), kai_world_time(r->world));
}

// The numbers of one quantity. Where nothing is near, the distance is an empty cell.
static kai_result write_quantity(kai_recorder* r, output* o, int32_t quantity,
                                 const kai_output_subject* subject, kai_error* err)
{
    const kai_output_def* def = o->def;
    double values[KAI_OUTPUT_COMPONENTS];
    KAI_TRY(kai_output_value(r->world, def->target, quantity, subject, values, err));
    const kai_quantity q = kai_output_quantity_of(r->world, def, quantity);
    const bool nothing = def->target == KAI_OUTPUT_NEAREST && KAI_IS_NULL(subject->hit.body);
    for (int c = 0; c < q.components; c++) {
        if (!isfinite(values[c]) && !nothing) return refuse_value(r, o, &q, c, values[c], err);
        KAI_TRY(kai_csv_number(&o->csv, values[c], err));
    }
    return KAI_OK;
}

static kai_result write_row(kai_recorder* r, output* o, kai_error* err)
{
    const kai_output_def* def = o->def;
    kai_output_subject subject = {.body = def->body,
                                  .joint = def->joint,
                                  .load = def->load,
                                  .shaft = def->shaft,
                                  .signal = def->signal,
                                  .node = def->node,
                                  .element = def->element,
                                  .number = kai_output_element_number(r->world, def),
                                  .at = {def->at[0], def->at[1], def->at[2]},
                                  .layer = def->layer,
                                  .structure = def->structure,
                                  .sensor = def->sensor,
                                  .set = def->set.text,
                                  .turns = o->turns,
                                  .nothing = def->target == KAI_OUTPUT_RAY ? -1.0 : HUGE_VAL};
    KAI_TRY(kai_output_queries_ask(r->world, def, &subject, err));
    KAI_TRY(kai_csv_number(&o->csv, kai_world_time(r->world), err));
    for (uint32_t i = 0; i < def->quantity_count; i++)
        KAI_TRY(write_quantity(r, o, def->quantities[i], &subject, err));
    return kai_csv_end_row(&o->csv, err);
}

static kai_result write_snapshot(kai_recorder* r, output* o, kai_error* err)
{
    char* path = kai_snapshot_path(r->folder, o->def, o->samples);
    if (path == NULL) return no_memory(err);
    const kai_result result = kai_snapshot_write(r->world, o->def, path, err);
    free(path);
    return result;
}

// Whether an output is to be written at a step: when its sample is due, or, at the end of a run
// (`last`), when it is a time series whose last row is of an earlier step.
static bool is_wanted(const output* o, uint64_t step, bool last)
{
    if (o->def->target == KAI_OUTPUT_EVENTS) return false; // rows come when events happen
    if (!last) return kai_schedule_due(&o->schedule, o->samples) <= step;
    // A sensor has no sample at the end where none is due.
    return !kai_output_is_snapshot(o->def->target) && o->def->target != KAI_OUTPUT_SENSOR &&
           o->samples > 0 && kai_schedule_due(&o->schedule, o->samples - 1) < step;
}

// Forces, accelerations and reactions at the state that is shown, when a row that is written shows
// them.
static kai_result recorder_evaluate(const kai_recorder* r, uint64_t step, bool last, kai_error* err)
{
    bool needed = false;
    for (size_t i = 0; i < r->count; i++)
        needed = needed || (r->outputs[i].evaluates && is_wanted(&r->outputs[i], step, last));
    if (!needed) return KAI_OK;
    const kai_result result = kai_world_evaluate(r->world);
    if (result != KAI_OK && err != NULL) *err = *kai_world_error(r->world);
    return result;
}

// All rows and snapshots that are to be written.
static kai_result write_wanted(kai_recorder* r, uint64_t step, bool last, kai_error* err)
{
    for (size_t i = 0; i < r->count; i++) {
        output* o = &r->outputs[i];
        if (!is_wanted(o, step, last)) continue;
        if (o->images != NULL) {
            KAI_TRY(kai_image_file_add(o->images, r->world, err));
        } else if (kai_output_is_snapshot(o->def->target)) {
            KAI_TRY(write_snapshot(r, o, err));
        } else {
            KAI_TRY(write_row(r, o, err));
        }
        o->samples++;
    }
    return KAI_OK;
}

static bool frame_is_due(const kai_recorder* r, uint64_t step)
{
    if (r->trajectory == NULL) return false;
    const uint64_t frames = r->frame_base + kai_trajectory_frames(r->trajectory);
    return kai_schedule_due(&r->trajectory_schedule, frames) <= step;
}

static kai_result recorder_flush(kai_recorder* r, bool sync, kai_error* err)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->outputs[i].csv.path != NULL) KAI_TRY(kai_csv_flush(&r->outputs[i].csv, sync, err));
        if (r->outputs[i].images != NULL)
            KAI_TRY(kai_image_file_flush(r->outputs[i].images, sync, err));
    }
    if (r->render_meshes != NULL) KAI_TRY(kai_render_mesh_file_flush(r->render_meshes, sync, err));
    return r->trajectory != NULL ? kai_trajectory_flush(r->trajectory, sync, err) : KAI_OK;
}

static kai_result sample_sensors(kai_recorder* r, uint64_t step, kai_error* err)
{
    for (size_t i = 0; i < r->sensor_count; i++) {
        if (sensor_due(r, &r->sensors[i]) > step) continue;
        const kai_result result = kai_sensor_measure(r->world, r->sensors[i].sensor);
        if (result == KAI_OK) continue;
        if (err != NULL) *err = *kai_world_error(r->world);
        if (result == KAI_ERROR_DIVERGED) recorder_flush(r, false, NULL);
        return result;
    }
    return KAI_OK;
}

static kai_result write_samples(kai_recorder* r, uint64_t step, bool last, kai_error* err)
{
    // Sensors first: others show what they have read.
    if (!last) KAI_TRY(sample_sensors(r, step, err));
    // Before the first step, and where somebody has changed the state, signals are to be found.
    KAI_TRY(kai_control_step_refresh(r->world, err));
    KAI_TRY(recorder_evaluate(r, step, last, err));
    // Nobody moves: all queries share one tree.
    kai_collision_hold(r->world, true);
    const kai_result written = write_wanted(r, step, last, err);
    kai_collision_hold(r->world, false);
    // The run ends here, and the files are sound: what was written before stays.
    if (written == KAI_ERROR_DIVERGED) recorder_flush(r, false, NULL);
    return written;
}

static kai_result write_frame(kai_recorder* r, kai_error* err)
{
    if (kai_collision_wanted(r->world)) KAI_TRY(kai_collision_refresh(r->world, err));
    // First the meshes: a frame of the trajectory has its meshes.
    if (r->render_meshes != NULL)
        KAI_TRY(kai_render_mesh_file_add(r->render_meshes, r->world, err));
    return kai_trajectory_add_world(r->trajectory, r->world, err);
}

kai_result kai_recorder_sample(kai_recorder* r, uint64_t step, kai_error* err)
{
    if (step < r->next) return KAI_OK;
    KAI_TRY(write_samples(r, step, false, err));
    if (frame_is_due(r, step)) KAI_TRY(write_frame(r, err));
    find_next(r);
    return KAI_OK;
}

// Files ------------------------------------------------------------------------------------------

kai_result kai_recorder_end(kai_recorder* r, uint64_t step, kai_error* err)
{
    KAI_TRY(write_samples(r, step, true, err));
    if (r->trajectory == NULL) return recorder_flush(r, true, err);
    const uint64_t frames = r->frame_base + kai_trajectory_frames(r->trajectory);
    const bool there = frames > 0 && kai_schedule_due(&r->trajectory_schedule, frames - 1) >= step;
    if (!there) KAI_TRY(write_frame(r, err));
    return recorder_flush(r, true, err);
}

kai_result kai_recorder_tick(kai_recorder* r, double now, kai_error* err)
{
    if (now - r->flushed < FLUSH_SECONDS) return KAI_OK;
    r->flushed = now;
    return recorder_flush(r, false, err);
}

kai_result kai_recorder_save(kai_recorder* r, kai_checkpoint_run* run, kai_error* err)
{
    KAI_TRY(recorder_flush(r, true, err));
    for (size_t i = 0; i < r->count; i++)
        r->progress[i] = (kai_checkpoint_output){.file = r->outputs[i].def->file,
                                                 .samples = r->outputs[i].samples,
                                                 .turns = r->outputs[i].turns,
                                                 .bytes = r->outputs[i].csv.bytes};
    run->outputs = r->progress;
    run->output_count = r->count;
    run->frames = r->trajectory != NULL ? kai_trajectory_frames(r->trajectory) : 0;
    return KAI_OK;
}

kai_result kai_recorder_close(kai_recorder* r, bool discard, kai_error* err)
{
    if (r == NULL) return KAI_OK;
    kai_result result = KAI_OK;
    for (size_t i = 0; r->outputs != NULL && i < r->count; i++) {
        kai_csv* csv = &r->outputs[i].csv;
        const kai_result done =
            kai_image_file_close(r->outputs[i].images, discard, result == KAI_OK ? err : NULL);
        if (result == KAI_OK) result = done;
        if (discard) {
            kai_csv_abandon(csv);
        } else {
            const kai_result closed = kai_csv_close(csv, result == KAI_OK ? err : NULL);
            if (result == KAI_OK) result = closed;
        }
    }
    kai_result closed =
        kai_render_mesh_file_close(r->render_meshes, discard, result == KAI_OK ? err : NULL);
    if (result == KAI_OK) result = closed;
    closed = kai_trajectory_close(r->trajectory, discard, result == KAI_OK ? err : NULL);
    if (result == KAI_OK) result = closed;
    free(r->progress);
    free(r->outputs);
    free(r->sensors);
    free(r->folder);
    free(r);
    return result;
}
