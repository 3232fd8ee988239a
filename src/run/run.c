// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A run: samples, step, checkpoint, and again, until the end, a stop or a failure.
//
//     step n:  samples due at n → checkpoint when due → step n + 1
//
// Steps and samples are counted from the start of the run, and a checkpoint follows the samples of
// its step, so a resumed run goes on as if it had never stopped.
#include "base/check.h"
#include "base/clock.h"
#include "fea/fea.h"
#include "measure/output.h"
#include "measure/output_sensor.h"
#include "model/body_order.h"
#include "model/collision/collision.h"
#include "model/hook.h"
#include "record/checkpoint.h"
#include "record/file.h"
#include "record/recorder.h"
#include "record/schedule.h"
#include "run/figures.h"
#include "run/folder.h"
#include "run/stop.h"
#include "run/summary.h"
#include "step/integrator.h"
#include "step/system.h"
#include "step/world_step.h"
#include "view/page.h"

#include <kairos/event.h>
#include <kairos/run.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t COOKIE = UINT64_C(0x4b41494f5352554e);
static const double PROGRESS_SECONDS = 0.1;

enum { WARNINGS_MOST = 100, REORDER_FROM = 5000 };

typedef struct run {
    const kai_run_def* def;
    kai_scene* scene;
    kai_world* world;
    const kai_output_def** outputs; // [output_count]
    kai_recorder* recorder;
    kai_folder folder;
    const volatile int* stop; // of the world, before it was ours
    size_t contacts;          // after the last step
    kai_checkpoint_run state;
    kai_judge judged; // state.judge and the look after the last step
    kai_clock clock;  // phases before this process began, and record
    uint64_t total;   // steps of the whole run
    uint64_t here;    // steps taken by this process
    int stopped_by;   // the scene's condition that ended it; -1: none
    kai_schedule saves;
    double end, began, shown;      // s; shown: when progress was
    double page_seconds;           // spent on the page
    const char** files;            // [file_count] time series, for the page
    const kai_output_def** series; // [file_count] the outputs that write them
    size_t file_count;
    bool done;       // there was nothing left to do
    bool halted;     // an event has ended the run
    bool recorded;   // nothing that was sampled is lost: a checkpoint may be written
    kai_log_fn* log; // of the world, before it was ours
    void* log_context;
    char* warnings[WARNINGS_MOST];
    size_t warning_count;
} run;

kai_run_def kai_run_def_default(void) { return (kai_run_def){.cookie = COOKIE, .end = -1.0}; }

// Warnings ---------------------------------------------------------------------------------------

static void keep_warning(void* context, kai_log_level level, const char* message)
{
    run* r = context;
    if (level == KAI_LOG_WARNING && r->warning_count < WARNINGS_MOST) {
        char* copy = strdup(message);
        if (copy != NULL) r->warnings[r->warning_count++] = copy;
    }
    if (r->log != NULL) r->log(r->log_context, level, message);
}

// Before anything is written ---------------------------------------------------------------------

static kai_result check_def(const kai_run_def* def, kai_error* err)
{
    if (def == NULL || def->cookie != COOKIE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "def was not made by kai_run_def_default()");
    if (def->scene == NULL || kai_scene_world(def->scene) == NULL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "def.scene has no world; run a scene without problems");
    if (def->directory == NULL || def->directory[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "def.directory is empty");
    if (!(def->step >= 0.0) || !isfinite(def->step))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "step is %g s; must be > 0", def->step);
    if (!isfinite(def->end))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "end is %g s; must be finite", def->end);
    if (!(def->checkpoint_every >= 0.0) || !isfinite(def->checkpoint_every))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "checkpoint_every is %g s; must be >= 0",
                             def->checkpoint_every);
    return KAI_OK;
}

static uint64_t steps_done(const run* r) { return r->world->steps - r->state.start_steps; }

static kai_scene_analysis analysis_of(const run* r)
{
    return kai_scene_get_settings(r->scene)->analysis;
}

// Whether what is asked for is more than one sample.
static bool takes_steps(const run* r)
{
    const kai_scene_analysis analysis = analysis_of(r);
    return analysis == KAI_SCENE_DYNAMICS || analysis == KAI_SCENE_QUASI_STATICS;
}

// Whether the end can be reached; `*steps` from the start of the run.
static kai_result check_span(const run* r, double* steps, kai_error* err)
{
    const double span = r->end - r->state.start_time, h = r->state.step;
    *steps = round(span / h);
    if (span < -0.5 * h)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "end is %.17g s; the run starts at %.17g s",
                             r->end, r->state.start_time);
    if (!(*steps < 9e15))
        return kai_error_set(err, KAI_ERROR_LIMIT,
                             "%g steps of %g s to the end at %g s are too many", *steps, h, r->end);
    return KAI_OK;
}

// Steps from the start of the run to its end.
static kai_result count_steps(run* r, kai_error* err)
{
    double steps;
    KAI_TRY(check_span(r, &steps, err));
    const double span = r->end - r->state.start_time, h = r->state.step;
    r->total = steps > 0.0 ? (uint64_t)steps : 0;
    if (!takes_steps(r)) {
        r->total = 0; // one sample, where it ends up
        return KAI_OK;
    }
    if (fabs(steps * h - span) > 1e-6 * h)
        kai_world_log(r->world, KAI_LOG_WARNING,
                      "end %.9g s is no multiple of the step %.9g s; the run ends at %.9g s",
                      r->end, h, r->state.start_time + steps * h);
    return KAI_OK;
}

static kai_recorder_def recorder_def(const run* r, const kai_checkpoint_run* resume)
{
    const kai_scene_settings* settings = kai_scene_get_settings(r->scene);
    kai_trajectory_def trajectory = settings->trajectory;
    if (trajectory.every == 0.0 && settings->view.frame_rate > 0.0)
        trajectory.every = 1.0 / settings->view.frame_rate;
    return (kai_recorder_def){.world = r->world,
                              .folder = r->def->directory,
                              .outputs = r->outputs,
                              .output_count = kai_scene_output_count(r->scene),
                              .trajectory = trajectory,
                              .scene = settings->name.text,
                              .step = r->state.step,
                              .span = settings->end - r->state.start_time,
                              .resume = resume};
}

static kai_result run_prepare(run* r, kai_error* err)
{
    const kai_scene_settings* settings = kai_scene_get_settings(r->scene);
    const size_t count = kai_scene_output_count(r->scene);
    r->outputs = calloc(count + 1, sizeof *r->outputs);
    r->files = calloc(count + 1, sizeof *r->files);
    r->series = calloc(count + 1, sizeof *r->series);
    if (r->outputs == NULL || r->files == NULL || r->series == NULL)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for outputs");
    for (size_t i = 0; i < count; i++) {
        r->outputs[i] = kai_scene_output(r->scene, i);
        if (kai_output_is_snapshot(r->outputs[i]->target) ||
            r->outputs[i]->target == KAI_OUTPUT_EVENTS ||
            kai_output_sensor_is_image(r->world, r->outputs[i]))
            continue;
        r->series[r->file_count] = r->outputs[i];
        r->files[r->file_count++] = r->outputs[i]->file.text;
    }
    r->end = r->def->end >= 0.0 ? r->def->end : settings->end;
    r->state = (kai_checkpoint_run){.scene_hash = kai_scene_hash(r->scene),
                                    .model_hash = kai_scene_model_hash(r->scene),
                                    .step = r->def->step > 0.0 ? r->def->step : settings->step,
                                    .start_time = kai_world_time(r->world),
                                    .start_steps = kai_world_steps(r->world)};
    double steps;
    KAI_TRY(check_span(r, &steps, err));
    const kai_recorder_def def = recorder_def(r, NULL);
    return kai_recorder_check(&def, err);
}

// A new run or an old one ------------------------------------------------------------------------

static kai_result run_join(const run* r, const char* name, char** path, kai_error* err)
{
    *path = kai_file_join(r->def->directory, name);
    return *path != NULL ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a path");
}

// The scene must be the one of the checkpoint, with the same step.
static kai_result check_same(const run* r, const kai_checkpoint_run* before, const char* path,
                             kai_error* err)
{
    if (before->scene_hash != r->state.scene_hash)
        return kai_error_set(
            err, KAI_ERROR_FORMAT,
            "%s: is of another scene, or of this one before it was changed; run without --resume",
            path);
    if (before->step != r->state.step)
        return kai_error_set(err, KAI_ERROR_FORMAT, "%s: was made with step %.17g s, not %.17g s",
                             path, before->step, r->state.step);
    return KAI_OK;
}

static kai_result run_restore(run* r, const char* path, kai_checkpoint_run* before, kai_error* err)
{
    kai_checkpoint_run look;
    KAI_TRY(kai_checkpoint_read_run(&look, path, err));
    const kai_result same = check_same(r, &look, path, err);
    free(look.outputs);
    KAI_TRY(same);
    KAI_TRY(kai_checkpoint_read(r->world, before, path, err));
    if (r->world->steps < before->start_steps)
        return kai_error_set(err, KAI_ERROR_FORMAT, "%s: is before the start of its own run", path);
    r->state = *before;
    r->state.outputs = NULL;
    memcpy(r->clock.seconds, before->phase_seconds, sizeof r->clock.seconds);
    return KAI_OK;
}

static kai_result run_start(run* r, kai_error* err)
{
    char* path = NULL;
    kai_checkpoint_run before = {0};
    // Nothing in the folder is looked at before it is ours.
    KAI_TRY(kai_file_make_folder(r->def->directory, err));
    KAI_TRY(kai_folder_lock(&r->folder, r->def->directory, r->world, err));
    KAI_TRY(run_join(r, KAI_RECORDER_CHECKPOINT, &path, err));
    const bool resume = r->def->resume && access(path, F_OK) == 0;
    kai_result result = resume ? run_restore(r, path, &before, err) : KAI_OK;
    free(path);
    if (result == KAI_OK) result = count_steps(r, err);
    if (result == KAI_OK && !resume) result = kai_folder_clear(&r->folder, err);
    if (result == KAI_OK)
        result = kai_folder_list(&r->folder, r->world, r->outputs, kai_scene_output_count(r->scene),
                                 err);
    // Bodies that cannot touch are never looked for beside each other. A run that goes on, resumed
    // or from a saved world, has the order of its checkpoint.
    if (result == KAI_OK && !resume && r->state.start_steps == 0 &&
        r->world->bodies.count > REORDER_FROM && kai_collision_wanted(r->world))
        result = kai_body_order(r->world, err);
    if (result == KAI_OK && !resume) result = kai_run_check(r->scene, r->state.step, err);
    if (result == KAI_OK) {
        kai_recorder_def def = recorder_def(r, resume ? &before : NULL);
        r->halted = resume && !KAI_IS_NULL(kai_event_stopped(r->world));
        r->done = def.whole = resume && r->total > 0 && (steps_done(r) >= r->total || r->halted);
        result = kai_recorder_open(&r->recorder, &def, err);
    }
    r->recorded = result == KAI_OK;
    free(before.outputs);
    return result;
}

// The loop ---------------------------------------------------------------------------------------

// Phases of the whole run: before this process, and in it.
static void run_phases(const run* r, double* seconds)
{
    for (int i = 0; i < KAI_CLOCK_PHASE_COUNT; i++)
        seconds[i] = r->clock.seconds[i] + r->world->clock.seconds[i];
}

// What the end of a run adds to its files (kai_recorder_end) is no part of what goes on from there.
static kai_result record_end(run* r, kai_error* err)
{
    const kai_solver_tally tally = r->world->solver_tally;
    const kai_result result = kai_recorder_end(r->recorder, steps_done(r), err);
    r->world->solver_tally = tally;
    return result;
}

// `end`: of the run. Its samples are on the disk before the checkpoint says that it is done.
static kai_result run_save(run* r, bool end, kai_error* err)
{
    char* path = NULL;
    kai_hook_before_save(r->world);
    kai_checkpoint_run state = r->state;
    state.wall_seconds += kai_clock_now() - r->began;
    run_phases(r, state.phase_seconds);
    const double begun = kai_clock_now();
    kai_result result = kai_recorder_save(r->recorder, &state, err);
    if (result == KAI_OK && end) result = record_end(r, err);
    if (result != KAI_OK) r->recorded = false;
    if (result == KAI_OK) result = run_join(r, KAI_RECORDER_CHECKPOINT, &path, err);
    if (result == KAI_OK) result = kai_checkpoint_write(r->world, &state, path, err);
    kai_clock_lap(&r->clock, KAI_CLOCK_record, begun);
    free(path);
    return result;
}

// What the world's own clock shows: an evaluation for a sample is the world's time, not the
// recorder's.
static double world_seconds(const run* r)
{
    double sum = 0.0;
    for (int i = 0; i < KAI_CLOCK_PHASE_COUNT; i++) sum += r->world->clock.seconds[i];
    return sum;
}

// The largest violation of joints at samples and at the end. A failed run may end with NaN, which
// is not counted: its message says more.
static void note_violation(run* r)
{
    double now = 0.0;
    if (kai_output_joints_violation(r->world, &now) != KAI_OK) return;
    if (now > r->state.max_violation) r->state.max_violation = now;
}

// Contacts after each step, where they are looked for.
static kai_result note_contacts(run* r, kai_error* err)
{
    if (!kai_collision_wanted(r->world)) return KAI_OK;
    KAI_TRY(kai_collision_refresh(r->world, err));
    const uint64_t count = kai_collision_count(r->world);
    r->contacts = count;
    const double depth = kai_collision_depth(r->world);
    r->state.contacts_sum += (double)count;
    r->state.contact_steps++;
    if (count > r->state.contacts_max) r->state.contacts_max = count;
    if (depth > r->state.max_penetration) r->state.max_penetration = depth;
    return KAI_OK;
}

// Equilibria are judged where they are found. The look after the last step (kai_judge_end) is not part
// of a checkpoint: a run in parts counts as one in one go.
static kai_result run_judge(run* r, bool end, kai_error* err)
{
    if (analysis_of(r) != KAI_SCENE_DYNAMICS) return KAI_OK;
    const kai_judge_def* checks = &kai_scene_get_settings(r->scene)->checks;
    const kai_result result =
        end ? kai_judge_end(&r->judged, r->world, checks, r->state.step)
            : kai_judge_step(&r->state.judge, r->world, checks, r->state.step);
    if (result != KAI_OK) *err = r->world->error;
    return result;
}

static kai_result run_record(run* r, double now, kai_error* err)
{
    const uint64_t step = steps_done(r);
    kai_result result = KAI_OK;
    if (step >= kai_recorder_next(r->recorder)) {
        const double before = world_seconds(r);
        note_violation(r);
        result = kai_recorder_sample(r->recorder, step, err);
        if (result == KAI_OK) result = kai_recorder_tick(r->recorder, now, err);
        kai_clock_lap(&r->clock, KAI_CLOCK_record, now + (world_seconds(r) - before));
    }
    if (result != KAI_OK) r->recorded = false;
    return result;
}

static void run_show(run* r, double now, bool always)
{
    if (r->def->progress == NULL || (!always && now - r->shown < PROGRESS_SECONDS)) return;
    r->shown = now;
    const double wall = now - r->began, h = r->state.step;
    const uint64_t done = steps_done(r);
    const double simulated = (double)r->here * h;
    const double left =
        r->here > 0 ? wall / (double)r->here * (double)(r->total > done ? r->total - done : 0)
                    : 0.0;
    const kai_stats stats = kai_world_stats(r->world);
    const kai_run_progress progress = {.time = r->world->time,
                                       .end = r->end,
                                       .wall_seconds = wall,
                                       .real_time_factor = simulated > 0.0 ? wall / simulated : 0.0,
                                       .seconds_left = left,
                                       .steps = r->here,
                                       .bodies = stats.bodies,
                                       .particles = stats.particles,
                                       .nodes = stats.nodes,
                                       .contacts = r->contacts,
                                       .iterations =
                                           (double)kai_solver_measured(r->world).iterations};
    r->def->progress(r->def->context, &progress);
}

// Whether the step after the next one comes without anybody looking at the world or changing it.
// Nobody did since the step before, unless that was in another run.
static bool goes_on(const run* r, uint64_t save)
{
    const uint64_t next = steps_done(r) + 1;
    return r->here > 0 && r->world->hooks.count == 0 && next < r->total && next < save &&
           !kai_stop_watches(kai_scene_get_settings(r->scene)) &&
           next < kai_recorder_next(r->recorder) && !kai_judge_wants_energy(&r->state.judge);
}

// Looks at what may end the run early; before the first step (`first`) a resumed run did so in its
// earlier part.
static kai_result look_at_stops(run* r, bool first, kai_error* err)
{
    const kai_scene_settings* settings = kai_scene_get_settings(r->scene);
    if (!takes_steps(r) || (first && steps_done(r) > 0)) return KAI_OK;
    return kai_stop_look(r->world, settings, r->state.held, err);
}

// Whether a condition of the scene ends the run here.
static bool is_over(run* r, double now)
{
    const kai_scene_settings* settings = kai_scene_get_settings(r->scene);
    if (!takes_steps(r)) return false;
    r->stopped_by = kai_stop_met(settings, r->state.held, r->state.step, now - r->began);
    if (r->stopped_by < 0) return false;
    char text[512];
    kai_stop_text(r->world, &settings->stops[r->stopped_by], text, sizeof text);
    kai_world_log(r->world, KAI_LOG_INFO, "the run ends at t = %.9g s: %s", r->world->time, text);
    return true;
}

static kai_result run_stopped(const run* r, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_STOPPED, "stopped at t = %.9g s", r->world->time);
}

// The result of a call on the world that heard of a stop, whose message goes to `err`.
static kai_result run_told(const run* r, kai_result result, kai_error* err)
{
    r->world->stop = NULL;
    if (result == KAI_ERROR_STOPPED) return run_stopped(r, err);
    if (result != KAI_OK) *err = r->world->error;
    return result;
}

// Samples and files are never left half done: the world hears of a stop only in here, and then is
// as it was before.
static kai_result take_step(run* r, const kai_world_step_options* options, kai_error* err)
{
    r->world->stop = r->def->stop;
    const kai_result result = analysis_of(r) == KAI_SCENE_QUASI_STATICS
                                  ? kai_world_step_statics(r->world, r->state.step)
                                  : kai_world_step_with(r->world, r->state.step, options);
    return run_told(r, result, err);
}

// What events of the last step leave to the run: worlds to save, and the end.
static kai_result save_world(const run* r, const char* name, kai_error* err)
{
    char* path = NULL;
    KAI_TRY(run_join(r, name, &path, err));
    const kai_result result = kai_world_save(r->world, path);
    free(path);
    if (result != KAI_OK) *err = r->world->error;
    return result;
}

static kai_result heed_events(run* r, kai_error* err)
{
    KAI_TRY(kai_recorder_track(r->recorder, err));
    for (size_t i = 0; i < kai_event_fired_count(r->world); i++) {
        const kai_event_def* def = kai_event_get(r->world, kai_event_fired(r->world, i).event);
        const kai_event_action* actions = def ? def->actions.items : NULL;
        for (uint32_t k = 0; def && k < def->actions.count; k++)
            if (actions[k].type == KAI_EVENT_SAVE)
                KAI_TRY(save_world(r, actions[k].file.text, err));
    }
    r->halted = !KAI_IS_NULL(kai_event_stopped(r->world));
    return KAI_OK;
}

static kai_result run_loop(run* r, kai_error* err)
{
    r->saves = kai_schedule_make(r->def->checkpoint_every, r->state.step);
    uint64_t saved = 0;
    const bool saving = r->def->checkpoint_every > 0.0;
    while (saving && kai_schedule_due(&r->saves, saved) <= steps_done(r)) saved++;
    KAI_TRY(look_at_stops(r, true, err));
    for (;;) {
        const double now = kai_clock_now();
        KAI_TRY(run_record(r, now, err));
        // The last checkpoint comes with the end.
        const bool end = steps_done(r) >= r->total || r->halted || is_over(r, now);
        if (saving && !end && steps_done(r) >= kai_schedule_due(&r->saves, saved)) {
            KAI_TRY(run_save(r, false, err));
            saved++;
        }
        run_show(r, now, false);
        if (end) return KAI_OK;
        if (r->def->stop != NULL && *r->def->stop != 0) return run_stopped(r, err);
        const uint64_t next_save = saving ? kai_schedule_due(&r->saves, saved) : UINT64_MAX;
        KAI_TRY(take_step(r, &(kai_world_step_options){goes_on(r, next_save)}, err));
        KAI_TRY(note_contacts(r, err));
        KAI_TRY(run_judge(r, false, err));
        KAI_TRY(look_at_stops(r, false, err));
        KAI_TRY(heed_events(r, err));
        r->here++;
    }
}

// The end ----------------------------------------------------------------------------------------

// A last checkpoint, unless samples are missing or the state is not fit to go on from.
static kai_result last_save(run* r, bool end, kai_error* err)
{
    const kai_system system = {.world = r->world, .time = r->world->time};
    if (r->done || !r->recorded || kai_system_check_finite(&system, r->world->time, NULL) != KAI_OK)
        return KAI_OK;
    return run_save(r, end, err);
}

static kai_result write_summary(run* r, kai_result result, const char* message, char** json,
                                kai_error* err)
{
    // A step that was stopped leaves things to lay out: figures that would need it are left out.
    r->world->stop = result == KAI_ERROR_STOPPED ? r->def->stop : NULL;
    note_violation(r);
    char why[512] = "";
    if (r->stopped_by >= 0)
        kai_stop_text(r->world, &kai_scene_get_settings(r->scene)->stops[r->stopped_by], why,
                      sizeof why);
    else if (r->halted)
        snprintf(why, sizeof why, "event '%s'",
                 kai_event_name(r->world, kai_event_stopped(r->world)));
    kai_summary summary = {
        .scene = r->scene,
        .result = result,
        .message = message,
        .stopped_by = why[0] ? why : NULL,
        .step = r->state.step,
        .end = r->end,
        .steps = steps_done(r),
        .start_time = r->state.start_time,
        .load_seconds = r->def->load_seconds,
        .max_violation = r->state.max_violation,
        .max_penetration = r->state.max_penetration,
        .contacts_mean =
            r->state.contact_steps ? r->state.contacts_sum / (double)r->state.contact_steps : 0.0,
        .contacts_max = r->state.contacts_max,
        .run_seconds = r->state.wall_seconds + kai_clock_now() - r->began - r->page_seconds,
        .page_seconds = r->page_seconds,
        .judge = &r->judged,
        .warnings = (const char* const*)r->warnings,
        .warning_count = r->warning_count};
    run_phases(r, summary.phase_seconds);
    char *text = kai_summary_text(&summary), *path = NULL;
    r->world->stop = NULL;
    if (text == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for run.json");
    kai_result written = run_join(r, KAI_RECORDER_SUMMARY, &path, err);
    const kai_file_piece pieces[] = {{text, strlen(text)}, {"\n", 1}};
    if (written == KAI_OK) written = kai_file_replace(path, pieces, KAI_COUNT(pieces), err);
    free(path);
    *json = text;
    return written;
}

// The page is a way to look at results, not one of them: without it a run is no failure.
static void no_page(const run* r, const kai_error* why)
{
    kai_world_log(r->world, KAI_LOG_WARNING, "no %s: %s", KAI_PAGE_FILE, why->message);
}

/// The file of the output that lists events; NULL: none.
static const char* events_file(const kai_scene* scene)
{
    for (size_t i = 0; i < kai_scene_output_count(scene); i++) {
        const kai_output_def* output = kai_scene_output(scene, i);
        if (output->target == KAI_OUTPUT_EVENTS) return output->file.text;
    }
    return NULL;
}

static kai_page* prepare_page(run* r)
{
    const kai_scene_settings* settings = kai_scene_get_settings(r->scene);
    if (!settings->view.enabled) return NULL;
    const double begun = kai_clock_now();
    const kai_page_def def = {.folder = r->def->directory,
                              .world = r->world,
                              .view = &settings->view,
                              .name = settings->name.text,
                              .scene_text = kai_scene_text(r->scene),
                              .files = r->files,
                              .file_count = r->file_count,
                              .outputs = r->series,
                              .events = events_file(r->scene),
                              .threads = kai_world_threads(r->world)};
    kai_page* page;
    kai_error err = {0};
    if (kai_page_prepare(&page, &def, &err) != KAI_OK) no_page(r, &err);
    r->page_seconds = kai_clock_now() - begun;
    return page;
}

// The first failure is the one that is told; what comes after it is tried all the same.
static kai_result run_first(kai_result a, kai_result b)
{
    return a != KAI_OK && a != KAI_ERROR_STOPPED ? a : b != KAI_OK ? b : a;
}

static kai_result run_finish(run* r, kai_result result, char** json, kai_error* err)
{
    kai_error later;
    kai_hook_end(r->world);
    r->judged = r->state.judge;
    if (result == KAI_OK) result = run_judge(r, true, err);
    const bool failed = result != KAI_OK && result != KAI_ERROR_STOPPED;
    later = *err;
    kai_result after = last_save(r, result == KAI_OK, &later);
    if (!failed && after != KAI_OK) *err = later;
    result = run_first(result, after);

    after = kai_recorder_close(r->recorder, !r->recorded, &later);
    r->recorder = NULL;
    if ((result == KAI_OK || result == KAI_ERROR_STOPPED) && after != KAI_OK) *err = later;
    result = run_first(result, after);

    if (result == KAI_OK) result = kai_figures_write(r->world, r->def->directory, err);
    // What the page leaves out is among the warnings of run.json, which is on the page.
    kai_page* page = prepare_page(r);
    char* text = NULL;
    after = write_summary(r, result, err->message, &text, &later);
    if ((result == KAI_OK || result == KAI_ERROR_STOPPED) && after != KAI_OK) *err = later;
    result = run_first(result, after);
    if (after == KAI_OK) kai_folder_listed_elsewhere(&r->folder);
    if (page != NULL && kai_page_finish(page, text, &later) != KAI_OK) no_page(r, &later);
    if (json != NULL)
        *json = text;
    else
        free(text);
    run_show(r, kai_clock_now(), true);
    return result;
}

// Finite elements are laid out before the first sample, which is deaf to a stop.
static kai_result lay_out(const run* r, kai_error* err)
{
    kai_fea* fea;
    r->world->stop = r->def->stop;
    const kai_result result = kai_fea_get(r->world, &fea, err);
    r->world->stop = NULL;
    return result == KAI_ERROR_STOPPED ? run_stopped(r, err) : result;
}

// What is done once, before the first sample; a resumed run has it behind itself.
static kai_result find_state(run* r, kai_error* err)
{
    kai_result result = KAI_OK;
    if (analysis_of(r) == KAI_SCENE_DYNAMICS || steps_done(r) > 0) return KAI_OK;
    r->world->stop = r->def->stop;
    switch (analysis_of(r)) {
    case KAI_SCENE_DYNAMICS: break;
    case KAI_SCENE_QUASI_STATICS:
    case KAI_SCENE_STATICS: result = kai_world_statics(r->world); break;
    case KAI_SCENE_LINEAR_STATICS: result = kai_world_statics_linear(r->world); break;
    case KAI_SCENE_ASSEMBLY: result = kai_world_assemble(r->world); break;
    }
    return run_told(r, result, err);
}

static kai_result run_execute(run* r, char** json, kai_error* err)
{
    KAI_TRY(run_prepare(r, err));
    KAI_TRY(run_start(r, err));
    // The world's clock has not run for the run yet: what loading spent is not ours.
    memset(r->world->clock.seconds, 0, sizeof r->world->clock.seconds);
    r->began = kai_clock_now();
    kai_result result = lay_out(r, err);
    if (result == KAI_OK) result = find_state(r, err);
    if (result == KAI_OK) result = run_loop(r, err);
    return run_finish(r, result, json, err);
}

kai_result kai_run_execute(const kai_run_def* def, char** json, kai_error* err)
{
    kai_error own = {0};
    if (err == NULL) err = &own;
    *err = own;
    if (json != NULL) *json = NULL;
    KAI_GIVEN(err, def);
    kai_result result = check_def(def, err);
    if (result != KAI_OK) {
        kai_error_prefix(err, "kai_run_execute");
        return result;
    }
    run r = {.def = def,
             .scene = def->scene,
             .world = kai_scene_world(def->scene),
             .stopped_by = -1,
             .folder = {.lock = -1}};
    r.stop = r.world->stop;
    r.world->stop = NULL;
    r.log = r.world->log;
    r.log_context = r.world->log_context;
    r.world->log = keep_warning;
    r.world->log_context = &r;
    size_t hooks = 0;
    while (result == KAI_OK && hooks < def->hook_count) {
        result = kai_hook_add(r.world, def->hooks[hooks]);
        hooks += result == KAI_OK;
        if (result != KAI_OK) *err = r.world->error;
    }
    if (result == KAI_OK) result = run_execute(&r, json, err);
    for (size_t i = 0; i < hooks; i++) kai_hook_remove(r.world, def->hooks[i]);
    r.world->log = r.log;
    r.world->log_context = r.log_context;
    r.world->stop = r.stop;
    kai_recorder_close(r.recorder, true, NULL);
    kai_folder_unlock(&r.folder);
    for (size_t i = 0; i < r.warning_count; i++) free(r.warnings[i]);
    free(r.outputs);
    free(r.files);
    free(r.series);
    return result;
}
