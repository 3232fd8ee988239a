// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tables of kinds that come from programs, which may have been compiled for an older library.
#ifndef BASE_KIND_H
#define BASE_KIND_H

#include "base/error.h"

#include <kairos/kind.h>

/// Bytes of an instance that users give.
static inline size_t kai_kind_given(const kai_kind* kind)
{
    return kind->given > 0 ? kind->given : kind->size;
}

/// Whether fields of that type are texts (kai_string).
static inline bool kai_kind_is_text(kai_param_type type)
{
    return type == KAI_PARAM_STRING || type == KAI_PARAM_SIGNAL || type == KAI_PARAM_EXPRESSION;
}

/// Makes an instance (kind->size bytes) of what users give, NULL: the defaults. The kind's own part
/// starts with its defaults.
void kai_kind_take(const kai_kind* kind, const void* given, void* instance);

/// Copies a program's table into one of `bytes`, as the library knows that of the family. Slots that
/// the program's table lacks become zero. KAI_ERROR_ARGUMENT for sizes that are missing or larger
/// than known; `family` ("load") is for the message.
kai_result kai_kind_read_table(const kai_kind* kind, const char* family, size_t bytes, void* out,
                               kai_error* err);

#endif
