// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos-import: reads the file of a stranger with a library of others, in a process that can reach
// nothing but a folder of its own and the socket to the one who asked. docs/importing.md.
#ifndef IMPORT_H
#define IMPORT_H

#include "import/import_protocol.h"

#include <stdbool.h>
#include <stddef.h>

// Talking: main.c --------------------------------------------------------------------------------

/// Sends or fills bytes; ends the process when the other side is gone.
void import_send(const void* bytes, size_t size);
void import_receive(void* bytes, size_t size);

/// Sends the head of a message of so many bytes.
void import_head(kai_import_kind kind, uint64_t size);

/// Sends KAI_IMPORT_FAILED, and ends the process.
_Noreturn void import_fail(char what, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// What contains it: contain.c, filter.c ----------------------------------------------------------

/// What could be had.
typedef struct import_layers {
    bool namespaces; // of users, mounts, network, …: no network
    bool chroot;     // sees its own folder only
    int landlock;    // the version; 0: none
} import_layers;

/// First, while there is one thread only: namespaces of its own.
void import_contain_begin(import_layers* layers);

/// Last, before a byte of the file is looked at: the working folder is the only one there is,
/// limits, no rights, no way to other processes. `files`: whether files of that folder are opened.
/// Ends the process when seccomp is missing, or when files are opened and others could be, too.
void import_contain_end(import_layers* layers, const kai_import_request* request, bool files,
                        long parent);

/// System calls that are not needed are refused from now on. Returns 0, or an errno.
int import_filter_install(bool files);

// Readers: gmsh.c, assimp.c ----------------------------------------------------------------------

/// Loads Gmsh, and meshes the file of the working folder.
void import_gmsh_load(void);
_Noreturn void import_gmsh_read(const kai_import_request* request);

/// Reads the bytes of a file.
_Noreturn void import_assimp_read(const kai_import_request* request, const char* bytes);

#endif
