// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// sweep_page.html is taken in by the assembler; CLI_SWEEP_PAGE, its path, comes from CMake.
#include "sweep.h"

#include <string.h>

__asm__(".section .rodata\n"
        "sweep_page_text:\n"
        ".incbin \"" CLI_SWEEP_PAGE "\"\n"
        ".byte 0\n"
        ".previous\n");

extern const char sweep_page_text[];

bool sweep_page_write(FILE* out, const char* data)
{
    // The comment at the top names the mark as well: the last one is meant.
    static const char mark[] = ">KAIROS-SWEEP<";
    const char* found = strstr(sweep_page_text, mark);
    if (found == NULL) return false;
    fwrite(sweep_page_text, 1, (size_t)(found - sweep_page_text) + 1, out);
    fputs(data, out);
    fputs(found + strlen(mark) - 1, out);
    return ferror(out) == 0;
}
