// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A run: a scene taken to its end, with its folder of results.
#ifndef KAIROS_RUN_H
#define KAIROS_RUN_H

#include <kairos/hook.h>
#include <kairos/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far a run is; given to the progress callback a few times per second.
typedef struct kai_run_progress {
    double time, end;        ///< simulated s now and at the end
    double wall_seconds;     ///< since the run began
    double real_time_factor; ///< wall seconds per simulated second
    double seconds_left;     ///< estimate
    uint64_t steps;          ///< taken in this run
    size_t bodies, contacts; ///< now; bodies as in kai_stats
    size_t particles, nodes; ///< likewise
    double iterations;       ///< of the solver in the last step
} kai_run_progress;

/// What a run is made of.
typedef struct kai_run_def {
    uint64_t cookie;         ///< set by kai_run_def_default
    kai_scene* scene;        ///< a scene without problems; the run changes its world
    const char* directory;   ///< where results go; made when missing
    double end;              ///< s; negative: the scene's
    double step;             ///< s; 0: the scene's
    double checkpoint_every; ///< s of simulated time between checkpoints; 0: only at the end and on
                             ///< a stop
    bool resume;             ///< go on from the folder's checkpoint; a new run when there is none
    void (*progress)(void* context, const kai_run_progress* progress); ///< may be NULL
    void* context;                                                     ///< passed to progress
    const volatile int*
        stop; ///< when it becomes non-zero the run writes a checkpoint and ends; may be NULL
    const kai_hooks* const* hooks; ///< [hook_count] for those who watch or steer the run
    size_t hook_count;             ///< how many there are
    double load_seconds;           ///< what reading the scene took, for run.json
} kai_run_def;

/// The defaults.
KAI_API kai_run_def kai_run_def_default(void);

/// Looks at a scene as it begins and warns (the log of its world) of what is mostly a mistake: shapes
/// that overlap, shapes that will meet although contacts have no effect, a step (s; 0: the scene's)
/// at which springs or contacts are not stable. kai_run_execute does so before a new run. Nothing
/// where the scene's `checks` are off.
KAI_API kai_result kai_run_check(kai_scene* scene, double step, kai_error* err);

/// Runs. KAI_OK at the end; KAI_ERROR_STOPPED when stopped (results and checkpoint written);
/// KAI_ERROR_DIVERGED, KAI_ERROR_FILE … otherwise, with the results so far kept. `*json` (may be
/// NULL) receives the text of run.json, to be given to free().
KAI_API kai_result kai_run_execute(const kai_run_def* def, char** json, kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
