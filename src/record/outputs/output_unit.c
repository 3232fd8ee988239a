// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "measure/output.h"

#include <stdio.h>
#include <string.h>

// Which of two units holds: 0 or 1; -1: both, as the quantity mixes them.
static int which(const kai_world* world, const kai_output_def* def, const kai_quantity* q,
                 int component)
{
    switch (def->target) {
    case KAI_OUTPUT_MOTOR: return !kai_output_is_turning(world, def->joint, def->load);
    case KAI_OUTPUT_FORCE: return kai_output_is_turning(world, def->joint, def->load);
    case KAI_OUTPUT_SYSTEM: // linear and angular momentum are one quantity of six numbers
        return q->components == KAI_OUTPUT_COMPONENTS ? component >= q->components / 2 : -1;
    default: return -1;
    }
}

void kai_output_unit(const kai_world* world, const kai_output_def* def, int quantity, int component,
                     char out[KAI_OUTPUT_UNIT])
{
    const kai_quantity q = kai_output_quantity_of(world, def, quantity);
    const char* unit = q.name != NULL ? q.unit : "";
    const char* comma = strstr(unit, ", ");
    const int part = comma != NULL ? which(world, def, &q, component) : -1;
    if (part == 0)
        snprintf(out, KAI_OUTPUT_UNIT, "%.*s", (int)(comma - unit), unit);
    else
        snprintf(out, KAI_OUTPUT_UNIT, "%s", part == 1 ? comma + 2 : unit);
}
