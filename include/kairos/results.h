// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The results of a run, read back from its folder: figures of run.json and time series.
#ifndef KAIROS_RESULTS_H
#define KAIROS_RESULTS_H

#include <kairos/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Results of a run.
typedef struct kai_results kai_results;

/// One figure of run.json, or of results.json where the folder has one. What lies in objects is
/// named with dots: `energy.drift`. Lists are left out.
typedef struct kai_results_figure {
    const char* name;
    const char* text; ///< of a text; NULL: a number, or null, which is NaN
    double value;     ///< NaN for texts; 0 and 1 for false and true
} kai_results_figure;

/// One time series.
typedef struct kai_results_series {
    const char* file;         ///< name in the folder
    const char* const* names; ///< [columns]; the first one is `time`
    size_t columns, rows;
    const double* values; ///< [columns][rows]; NaN for an empty cell
} kai_results_series;

/// Reads the folder of a run that has ended, has failed or was stopped. KAI_ERROR_FILE without a
/// run.json, KAI_ERROR_FORMAT for one that no run wrote. Time series that are not there, or are no
/// tables, are left out.
KAI_API kai_result kai_results_open(const char* directory, kai_results** out, kai_error* err);

/// Gives the memory back. NULL is allowed.
KAI_API void kai_results_close(kai_results* results);

/// How many figures there are, and the i-th, in the order of the file; an empty name behind the
/// last.
KAI_API size_t kai_results_figure_count(const kai_results* results);
KAI_API kai_results_figure kai_results_figure_at(const kai_results* results,
                                                 size_t i); ///< see above

/// A figure by its name; an empty name where there is none.
KAI_API kai_results_figure kai_results_figure_find(const kai_results* results, const char* name);

/// How many time series there are, and the i-th; zero columns behind the last.
KAI_API size_t kai_results_series_count(const kai_results* results);
KAI_API kai_results_series kai_results_series_at(const kai_results* results,
                                                 size_t i); ///< see above

// Two runs ---------------------------------------------------------------------------------------

/// Told of each value in which two scenes differ: its JSON pointer, and the values as JSON; NULL
/// where a scene has none.
typedef void kai_results_tell_fn(void* context, const char* pointer, const char* a, const char* b);

/// Compares the scenes of two runs, as their pages hold them. Items of lists that have names are
/// compared by name. KAI_ERROR_FILE where a folder has no page.
KAI_API kai_result kai_results_compare_scenes(const char* directory_a, const char* directory_b,
                                              kai_results_tell_fn* tell, void* context,
                                              kai_error* err);

/// How far the frames of two trajectories are apart.
typedef struct kai_results_frames {
    size_t frames_a, frames_b; ///< in the two files; 0: there is none
    size_t compared;           ///< frames before the first one with another time or other bodies
    double position_max, position_rms; ///< of coordinates, m
    double rotation_max, rotation_rms; ///< of components of quaternions whose signs agree
    double extent;                     ///< longest side of the box that holds all positions of a, m
    double first_time;                 ///< s, of the first frame that differs; NaN: none does
    uint32_t first_body;               ///< id index of the body that is farthest apart there
} kai_results_frames;

/// Compares trajectory.h5 of two runs frame by frame, as long as times and bodies are the same.
/// Numbers that differ by at most `tolerance` (m, and of quaternions) count as equal for the first
/// time.
KAI_API kai_result kai_results_compare_frames(const char* directory_a, const char* directory_b,
                                              double tolerance, kai_results_frames* out,
                                              kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
