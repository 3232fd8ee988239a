// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/law_list.h"
#include "model/part.h"

static const kai_kind* const LAW_KINDS[] = {
#define LAW_KIND(name) &kai_contact_law_##name.kind,
    KAI_CONTACT_LAW_KINDS(LAW_KIND)
#undef LAW_KIND
        NULL};

const kai_part kai_part_laws = {KAI_PART_STORE(laws, "contact_law", LAW_KINDS)};
