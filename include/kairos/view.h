// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Looking at runs: in a browser while they go or afterwards, and in other programs.
#ifndef KAIROS_VIEW_H
#define KAIROS_VIEW_H

#include <kairos/hook.h>
#include <kairos/output.h>

#ifdef __cplusplus
extern "C" {
#endif

// While a run goes -------------------------------------------------------------------------------

/// What a live run shows, and where. Everything must live until kai_view_live_stop.
typedef struct kai_view_live_def {
    kai_world* world;         ///< of the run
    const kai_view_def* view; ///< as the scene has it
    const char* name;         ///< title of the scene
    const char* scene_text;   ///< resolved scene; may be NULL
    const char* directory;    ///< folder of the run, where time series are read; made when missing
    const char* const* files; ///< [file_count] names of time series in that folder
    size_t file_count;
    const kai_output_def* const* outputs; ///< [file_count] that write them, for units; may be NULL
    const char* host;                     ///< address to listen at; NULL: 127.0.0.1
    int port;                             ///< 0: any that is free
} kai_view_live_def;

/// A live run: a server on a thread of its own.
typedef struct kai_view_live kai_view_live;

/// Starts to serve. Viewers may pause, step and slow the run, drag bodies and steer functions of
/// the kind `control`; what they do is told by a warning to the world's log.
KAI_API kai_result kai_view_live_start(const kai_view_live_def* def, kai_view_live** out,
                                       kai_error* err);

/// The address to open, token included.
KAI_API const char* kai_view_live_url(const kai_view_live* live);

/// Its hooks: one of kai_run_def.hooks.
KAI_API const kai_hooks* kai_view_live_hooks(const kai_view_live* live);

/// Tells viewers that it is over, and ends the server. NULL is allowed.
KAI_API void kai_view_live_stop(kai_view_live* live);

// After a run ------------------------------------------------------------------------------------

/// What kai_view_serve shows, and where.
typedef struct kai_view_serve_def {
    const char* directory;                         ///< folder of a run
    const char* host;                              ///< address to listen at; NULL: 127.0.0.1
    int port;                                      ///< 0: any that is free
    const volatile int* stop;                      ///< ends when it becomes non-zero; NULL: never
    void (*ready)(void* context, const char* url); ///< told the address to open; may be NULL
    void* context;                                 ///< passed to ready
} kai_view_serve_def;

/// Serves the page of a run until stopped. Every request needs the token of the address that
/// `ready` is told. KAI_ERROR_FILE without a page or a port, KAI_ERROR_FORMAT for a page that is
/// none of a run, KAI_ERROR_UNSUPPORTED where the library has no web sockets.
KAI_API kai_result kai_view_serve(const kai_view_serve_def* def, kai_error* err);

// For other programs -----------------------------------------------------------------------------

/// What is exported of a run, and where to.
typedef struct kai_view_export_def {
    const char* directory;     ///< folder of a run
    const char* output;        ///< folder for the files; made when missing
    const char* const* bodies; ///< [body_count] names; none: all bodies
    size_t body_count;
    const char* const* quantities; ///< [quantity_count] position, rotation, velocity, speed
    size_t quantity_count;         ///< 0: position, rotation, velocity
    size_t every;                  ///< every so-many-th frame; 0: all
} kai_view_export_def;

/// Writes points.pvd (a point a body) and shapes.pvd (surfaces), with a .vtp file a frame: what
/// ParaView and VTK read. KAI_ERROR_NAME for a body that does not exist; nothing was written then.
KAI_API kai_result kai_view_export_vtk(const kai_view_export_def* def, kai_error* err);

/// Writes frames.csv: a row per frame and body. KAI_ERROR_ARGUMENT for a quantity that does not
/// exist, otherwise likewise.
KAI_API kai_result kai_view_export_csv(const kai_view_export_def* def, kai_error* err);

/// Writes the page of a run anew to `path`, which must not exist: the viewer of this library with
/// the data of the page in the folder. Of that page only the data are taken, no script, and the new
/// one tells browsers to load nothing from anywhere. For pages that others have made.
KAI_API kai_result kai_view_page_copy(const char* directory, const char* path, kai_error* err);

/// How many frames the page of a run has.
KAI_API kai_result kai_view_page_frames(const char* directory, size_t* frames, kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
