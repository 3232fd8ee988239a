// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/solid_list.h"
#include "model/part.h"

#include <kairos/solid.h>

static const kai_kind* const SOLID_KINDS[] = {
#define SOLID_KIND(name) &kai_solid_##name.kind,
    KAI_SOLID_KINDS(SOLID_KIND)
#undef SOLID_KIND
        NULL};

const kai_part kai_part_solids = {KAI_PART_STORE(solids, "solid", SOLID_KINDS)};
