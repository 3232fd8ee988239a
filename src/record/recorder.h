// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// All that a run writes while it goes: time series, particle snapshots, the trajectory.
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "record/checkpoint.h"

#include <kairos/output.h>

typedef struct kai_recorder kai_recorder;

/// Names of the files that every run may write.
#define KAI_RECORDER_TRAJECTORY "trajectory.h5"
#define KAI_RECORDER_CHECKPOINT "checkpoint.h5"
#define KAI_RECORDER_SUMMARY    "run.json"

/// What to record.
typedef struct kai_recorder_def {
    kai_world* world;
    const char* folder;                   // there already
    const kai_output_def* const* outputs; // [output_count]
    size_t output_count;
    kai_trajectory_def trajectory;
    const char* scene;                // title
    double step;                      // s
    double span;                      // s from start to end, as the scene says; for frames
    const kai_checkpoint_run* resume; // NULL: a new run
    bool whole; // that has nothing left to do: its files are checked, and stay as they are
} kai_recorder_def;

/// Checks the outputs, without touching a file.
kai_result kai_recorder_check(const kai_recorder_def* def, kai_error* err);

/// Opens all files: new ones, or those of the run to resume, cut back to what they held at its
/// checkpoint.
kai_result kai_recorder_open(kai_recorder** out, const kai_recorder_def* def, kai_error* err);

/// The step, counted from the start of the run, at which something is due next.
uint64_t kai_recorder_next(const kai_recorder* recorder);

/// To be called after every step: counts the turns of joints, and writes what happened.
kai_result kai_recorder_track(kai_recorder* recorder, kai_error* err);

/// Takes all samples that are due at a step. Evaluates the world when they show forces,
/// accelerations or reactions.
kai_result kai_recorder_sample(kai_recorder* recorder, uint64_t step, kai_error* err);

/// Writes rows and a frame of the last step of a run, where none were due, to disk. To be called
/// once, after kai_recorder_save, which then does not count them: a run that goes on from there, to
/// a later end, takes them away again and has its samples at equal times.
kai_result kai_recorder_end(kai_recorder* recorder, uint64_t step, kai_error* err);

/// Flushes buffered rows and frames to their files when the last flush was more than a second ago.
kai_result kai_recorder_tick(kai_recorder* recorder, double now, kai_error* err);

/// Writes everything to disk and fills the progress of all outputs into `run`, whose `outputs` points
/// into the recorder.
kai_result kai_recorder_save(kai_recorder* recorder, kai_checkpoint_run* run, kai_error* err);

/// Closes all files. `discard`: after an error, without writing what waits. NULL is allowed.
kai_result kai_recorder_close(kai_recorder* recorder, bool discard, kai_error* err);

#endif
