// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Terms that were attached (step/term.h): code, which is in no file.
#include "model/part.h"

static void terms_free(kai_world* world, void* data)
{
    kai_array_free(data, kai_part_memory(world));
}

const kai_part kai_part_terms = {.name = "terms", KAI_PART_SPAN(terms, terms), .free = terms_free};
