// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the library and the program kairos-import say to each other, over one socket: numbers as
// this machine has them, since both run on it.
//
//     library                          kairos-import
//     kai_import_request, the file  →
//                                   ←  KAI_IMPORT_ASK: the name of another file, as often as needed
//     kai_import_reply, its bytes   →
//                                   ←  KAI_IMPORT_MSH_TEXT, _TRIANGLES, _LAYERS or _FAILED: the end
//
// The library believes nothing of what it is sent. See docs/importing.md.
#ifndef IMPORT_IMPORT_PROTOCOL_H
#define IMPORT_IMPORT_PROTOCOL_H

#include <stdint.h>

/// Formats that are read by libraries of others.
typedef enum kai_import_format {
    KAI_IMPORT_NONE, ///< in a request: only says what it is contained by
    KAI_IMPORT_STEP,
    KAI_IMPORT_BREP,
    KAI_IMPORT_IGES,
    KAI_IMPORT_MSH,
    KAI_IMPORT_GLTF, ///< this and the following: Assimp; those before: Gmsh
    KAI_IMPORT_GLB,
    KAI_IMPORT_DAE,
    KAI_IMPORT_FORMATS
} kai_import_format;

#define KAI_IMPORT_MAGIC   "KAIIMP01"
#define KAI_IMPORT_SOCKET  3                   ///< the descriptor that kairos-import is given
#define KAI_IMPORT_LARGEST ((uint64_t)2 << 30) ///< most bytes of an answer
#define KAI_IMPORT_NAME    4096                ///< most bytes of the name of a file
#define KAI_IMPORT_TEXT    400                 ///< most bytes of a message

/// What is to be done; the bytes of the file follow.
typedef struct kai_import_request {
    char magic[8];
    uint32_t format;    ///< kai_import_format
    uint32_t dimension; ///< of the cells: 1, 2 or 3
    uint32_t order;     ///< of the cells: 1 or 2
    uint32_t quads;     ///< 1: quadrangles instead of triangles
    double size;        ///< largest side of a cell; 0: as Gmsh likes
    uint64_t memory;    ///< most bytes of address space
    uint64_t seconds;   ///< most processor time
    uint64_t bytes;     ///< of the file
} kai_import_request;

/// What kairos-import sends.
typedef enum kai_import_kind {
    KAI_IMPORT_ASK = 1,   ///< a name; a kai_import_reply is waited for
    KAI_IMPORT_MSH_TEXT,  ///< a mesh as a .msh file of version 4.1
    KAI_IMPORT_TRIANGLES, ///< kai_import_counts, coordinates (double), corners (uint32_t)
    KAI_IMPORT_LAYERS,    ///< a text: what contains the program
    KAI_IMPORT_FAILED     ///< a letter (below) and a text
} kai_import_kind;

/// What went wrong, the first letter of a KAI_IMPORT_FAILED.
enum {
    KAI_IMPORT_BAD = 'b',     ///< the file
    KAI_IMPORT_MISSING = 'u', ///< a library, or what contains the program
    KAI_IMPORT_MEMORY = 'm',  ///< the limit of memory was reached
};

/// The head of a message; `size` bytes follow.
typedef struct kai_import_head {
    uint32_t kind, zero;
    uint64_t size;
} kai_import_head;

/// The answer to KAI_IMPORT_ASK; `size` bytes follow.
typedef struct kai_import_reply {
    uint64_t found; ///< 0: there is no such file, or it is not given
    uint64_t size;
} kai_import_reply;

/// Sizes of a mesh of triangles.
typedef struct kai_import_counts {
    uint64_t points, triangles;
} kai_import_counts;

#endif
