// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files that libraries of others read (STEP, BREP, IGES, glTF, DAE) are read by the program
// kairos-import, in a process that can reach nothing. docs/importing.md says how.
#ifndef KAIROS_IMPORT_H
#define KAIROS_IMPORT_H

#include <kairos/result.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Starts kairos-import and writes what contains it on this machine to `text`, such as "seccomp,
/// landlock 6, namespaces, chroot; 8192 MiB, 300 s". KAI_ERROR_UNSUPPORTED when the program is not
/// there or nothing can contain it: no such file is read then.
KAI_API kai_result kai_import_containment(char* text, size_t size, kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
