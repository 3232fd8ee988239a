// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files that a scene names. Paths are relative to the file that names them and must stay inside the
// folder of the main scene, links followed, unless the user allowed more.
#ifndef SCENE_PATHS_H
#define SCENE_PATHS_H

#include "scene/document.h"

/// A file that was opened.
typedef struct kai_paths_file {
    int fd;       // -1: none
    char* real;   // its real path, absolute
    char* folder; // the folder of `real`
    char* shown;  // as messages name it: relative to where the user is
} kai_paths_file;

/// Opens the file that `node` (a text) names; problems are reported at the node. KAI_ERROR_FILE,
/// _MEMORY.
kai_result kai_paths_open(kai_document* document, const kai_document_node* node, bool allow_outside,
                          kai_paths_file* out, kai_problems* problems);

/// Opens the main scene, which may be anything that can be read; the problem is reported without a
/// line.
kai_result kai_paths_open_main(const char* path, kai_paths_file* out, kai_problems* problems);

/// The real path of the folder of `path`, which need not exist itself ("." for a plain name); NULL
/// when there is none. free() it.
char* kai_paths_folder(const char* path);

/// Opens a file that a program names and reads all of it, at most `limit` bytes; free() them. The
/// message is without the path.
kai_result kai_paths_load(const char* path, size_t limit, char** bytes, size_t* size,
                          kai_error* err);

/// Closes the file and gives the memory back.
void kai_paths_close(kai_paths_file* file);

#endif
