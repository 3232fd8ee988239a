// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Kinds of samplers: a store without instances, so that a world knows their words. No state.
#include "model/part.h"
#include "model/sampler_list.h"

static const kai_kind* const SAMPLER_KINDS[] = {
#define SAMPLER_KIND(name) &kai_sampler_##name.kind,
    KAI_SAMPLER_KINDS(SAMPLER_KIND)
#undef SAMPLER_KIND
        NULL};

const kai_part kai_part_samplers = {.name = "samplers",
                                    KAI_PART_SPAN(samplers, samplers),
                                    .family = "sampler",
                                    .kinds = SAMPLER_KINDS,
                                    .init = kai_part_store_init,
                                    .free = kai_part_store_free};
