// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of contact laws. A new kind is its function of a pair, laws/law_<name>.h, its
// table, laws/contact_law_<name>.c, and one word here.
#ifndef MODEL_LAW_LIST_H
#define MODEL_LAW_LIST_H

#define KAI_CONTACT_LAW_KINDS(X) \
    X(hertz)                     \
    X(hooke)                     \
    X(flores)

#endif
