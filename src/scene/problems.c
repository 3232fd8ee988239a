// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/problems.h"

#include <stdlib.h>

void kai_problems_add(kai_problems* problems, kai_result code, int line, int column,
                      const char* format, ...)
{
    if (problems->count++ == 0) problems->code = code;
    if (!problems->list) problems->list = calloc(KAI_PROBLEMS_MOST + 1, sizeof *problems->list);
    if (!problems->list || problems->kept == KAI_PROBLEMS_MOST) return;

    kai_error* problem = &problems->list[problems->kept++];
    va_list args;
    va_start(args, format);
    kai_error_setv(problem, code, format, args);
    va_end(args);
    problem->line = line;
    problem->column = column;
}

void kai_problems_finish(kai_problems* problems)
{
    if (problems->count <= KAI_PROBLEMS_MOST || problems->kept != KAI_PROBLEMS_MOST) return;
    kai_error_set(&problems->list[problems->kept++], KAI_ERROR_FORMAT, "… and %zu more",
                  problems->count - KAI_PROBLEMS_MOST);
}

void kai_problems_free(kai_problems* problems)
{
    free(problems->list);
    *problems = (kai_problems){0};
}
