// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"

kai_result kai_check_refuse(kai_error* err, const char* function, const char* names,
                            const void* const* pointers, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && pointers[i]) {
        names += strcspn(names, ",");
        names += strspn(names, ", ");
        i++;
    }
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %.*s is NULL", function,
                         (int)strcspn(names, ","), names);
}
