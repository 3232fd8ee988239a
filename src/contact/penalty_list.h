// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of contact laws. A new kind is one file, contact_law_<name>.c, and one word
// here.
#ifndef CONTACT_PENALTY_LIST_H
#define CONTACT_PENALTY_LIST_H

#define KAI_CONTACT_LAW_KINDS(X) \
    X(hertz)                     \
    X(hooke)                     \
    X(flores)

#endif
