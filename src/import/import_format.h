// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files that a reader of others takes in. A name alone does not decide what such a reader does with
// the bytes: the beginning of the file must fit, too.
#ifndef IMPORT_IMPORT_FORMAT_H
#define IMPORT_IMPORT_FORMAT_H

#include "base/error.h"
#include "import/import_protocol.h"

#include <kairos/kind.h>

/// The format that the end of a name tells, whatever its case; KAI_IMPORT_NONE: none of these.
kai_import_format kai_import_format_of(const char* name);

/// KAI_ERROR_FORMAT when the bytes do not begin as a file of that format does.
kai_result kai_import_format_check(kai_import_format format, const char* bytes, size_t size,
                                   kai_error* err);

#endif
