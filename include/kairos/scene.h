// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Scenes: JSON files that describe a world and how to run it. See docs/scene.md for every key.
#ifndef KAIROS_SCENE_H
#define KAIROS_SCENE_H

#include <kairos/judge.h>
#include <kairos/output.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A scene that was read: its world, its outputs and its problems.
typedef struct kai_scene kai_scene;

/// What to read, and how.
typedef struct kai_scene_def {
    uint64_t cookie; ///< set by kai_scene_def_default
    const char*
        path; ///< the file; with `text`, only a name for messages and a base for relative paths
    const char* text;        ///< JSON text to read instead of the file; NULL: read the file
    size_t text_size;        ///< bytes of text
    const char* const* sets; ///< [set_count] overrides "/json/pointer=value" or "parameter=value"
    size_t set_count;
    const char* start; ///< saved world to begin with, as the key "start" says; NULL: what that says
    bool allow_outside;  ///< files outside the scene's own folder may be read
    kai_world_def world; ///< allocator, log, threads and the user's own kinds of the world (gravity
                         ///< comes from the scene)
} kai_scene_def;

/// What a scene asks for.
typedef enum kai_scene_analysis {
    KAI_SCENE_DYNAMICS,       ///< motion from start to end
    KAI_SCENE_STATICS,        ///< equilibrium, kai_world_statics
    KAI_SCENE_ASSEMBLY,       ///< a state in which joints hold, kai_world_assemble
    KAI_SCENE_LINEAR_STATICS, ///< equilibrium by linear theory, kai_world_statics_linear
    KAI_SCENE_QUASI_STATICS   ///< equilibrium at every step, kai_world_step_statics
} kai_scene_analysis;

/// What a scene says about its run.
typedef struct kai_scene_settings {
    kai_string name;               ///< title
    double step;                   ///< s
    char step_rule[512];           ///< what it follows from where the scene gives none, else empty
    double end;                    ///< s
    kai_scene_analysis analysis;   ///< what is asked for
    kai_trajectory_def trajectory; ///< snapshots for replay
    kai_view_def view;             ///< the page
    kai_judge_def checks;          ///< what every step is held to
    size_t stop_count;             ///< how many of `stops` are used
    kai_stop_def stops[KAI_STOPS_MOST]; ///< what ends the run before its end
    bool contact_given; ///< it says "contact" or "collision": that there is none is no mistake
} kai_scene_settings;

/// The defaults.
KAI_API kai_scene_def kai_scene_def_default(void);

/// Reads a scene, checks all of it and builds its world. On KAI_ERROR_FORMAT (or KAI_ERROR_FILE)
/// `*out` is still a scene that holds every problem found (and no world); on KAI_ERROR_MEMORY it is
/// NULL.
KAI_API kai_result kai_scene_open(const kai_scene_def* def, kai_scene** out, kai_error* err);

/// Closes a scene and destroys its world. NULL is allowed.
KAI_API void kai_scene_close(kai_scene* scene);

/// How many problems were found, and the i-th: its message reads "FILE:LINE:COL: /pointer: text".
KAI_API size_t kai_scene_problem_count(const kai_scene* scene);
KAI_API const kai_error* kai_scene_problem(const kai_scene* scene,
                                           size_t i); ///< NULL when out of range

/// The world, owned by the scene; NULL when there were problems.
KAI_API kai_world* kai_scene_world(const kai_scene* scene);

/// How the scene wants to be run.
KAI_API const kai_scene_settings* kai_scene_get_settings(const kai_scene* scene);

/// How many outputs the scene asks for, and the i-th.
KAI_API size_t kai_scene_output_count(const kai_scene* scene);
KAI_API const kai_output_def* kai_scene_output(const kai_scene* scene,
                                               size_t i); ///< NULL when out of range

/// A fingerprint of the resolved scene (includes and overrides applied, tables read), so that a
/// resumed run can tell whether it is still the same scene. Run length ("end"), outputs' files and
/// the like count too, except the keys that a resumed run may change: "end".
KAI_API uint64_t kai_scene_hash(const kai_scene* scene);

/// Hash of what the world is made of: all but end, start, stop, outputs, checks, trajectory, view,
/// name and description.
KAI_API uint64_t kai_scene_model_hash(const kai_scene* scene);

/// The scene spelled out as JSON text: includes and overrides applied, formulas worked out, the
/// items of all instances in their sections. Owned by the scene.
KAI_API const char* kai_scene_text(const kai_scene* scene);

/// Lays out the text of a scene file: what fits on a line of 110 columns stands on one; numbers,
/// texts, comments and their order stay. `name` is for messages. `*out` is to be given to free().
/// KAI_ERROR_FORMAT when it is no JSON (comments are allowed), KAI_ERROR_MEMORY.
KAI_API kai_result kai_format(const char* name, const char* text, size_t size, char** out,
                              kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
