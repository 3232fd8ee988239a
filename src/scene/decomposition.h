// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Convex parts of a mesh, kept in a file beside it so that they are found once.
//
// The file is text: "kairos decomposition 3", then the hash of mesh and bound, the number of rows,
// concavity and volume error, then a row "part x y z" for each corner, then "checksum" and the hash
// of all before. A file that is damaged, cannot be understood, or holds no parts of the mesh
// (decomposition_check.h) is as good as none.
#ifndef SCENE_DECOMPOSITION_H
#define SCENE_DECOMPOSITION_H

#include "base/error.h"

#include <kairos/mesh_file.h>

/// Parts of a mesh.
typedef struct kai_decomposition {
    kai_table parts;     // rows [part, x, y, z], of malloc's memory
    uint32_t count;      // of parts
    double concavity;    // of the worst, at most; share of the mesh's longest side
    double volume_error; // volume of all parts over that of the mesh, minus 1
    bool cached;         // read from the file
    bool distrusted;     // there was a file for this mesh, which was damaged or not of it
} kai_decomposition;

/// What is added to the name of a mesh file.
#define KAI_DECOMPOSITION_SUFFIX ".kairos-decomposition"

/// Parts of at most `concavity`, a share of the longest side: from the file beside `path` when that
/// is for the same mesh and bound and fits it, else found, and written there when that can be done.
/// `path` may be NULL: nothing is kept. `weld` is a distance in the mesh's own units.
kai_result kai_decomposition_find(const kai_mesh_file* mesh, double weld, double concavity,
                                  const char* path, kai_decomposition* out, kai_error* err);

/// Reads the text of such a file, but for its last line; KAI_ERROR_FORMAT when it is not for that
/// hash or is broken.
kai_result kai_decomposition_parse(const char* text, size_t size, uint64_t hash,
                                   kai_decomposition* out);

/// Gives the memory back.
void kai_decomposition_free(kai_decomposition* decomposition);

#endif
