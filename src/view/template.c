// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The file is taken in by the assembler: a megabyte of text as a C array would take the compiler
// longer than the rest of the library.
#define _GNU_SOURCE // memmem
#include "view/template.h"

#include <string.h>

// KAIROS_VIEWER_HTML comes from CMakeLists.txt.
__asm__(".section .rodata\n"
        ".hidden kai_template_begin\n"
        ".hidden kai_template_end\n"
        ".global kai_template_begin\n"
        ".global kai_template_end\n"
        ".balign 16\n"
        "kai_template_begin:\n"
        ".incbin \"" KAIROS_VIEWER_HTML "\"\n"
        "kai_template_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char kai_template_begin[], kai_template_end[];

kai_template_text kai_template_get(void)
{
    static const char mark[] = "<!--KAIROS-DATA-->";
    const size_t size = (size_t)(kai_template_end - kai_template_begin);
    const char* found = memmem(kai_template_begin, size, mark, sizeof mark - 1);
    if (found == NULL) return (kai_template_text){kai_template_begin, "", size, 0};
    const char* after = found + sizeof mark - 1;
    return (kai_template_text){kai_template_begin, after, (size_t)(found - kai_template_begin),
                               (size_t)(kai_template_end - after)};
}
