// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of finite elements. A new kind is one file, src/fea/element_<name>.c, and one
// word here.
#ifndef MODEL_ELEMENT_LIST_H
#define MODEL_ELEMENT_LIST_H

#include <kairos/element.h>

#define KAI_ELEMENT_KINDS(X) X(bar)

#define KAI_ELEMENT_DECLARE(name) extern const kai_element_kind kai_element_##name;
KAI_ELEMENT_KINDS(KAI_ELEMENT_DECLARE)
#undef KAI_ELEMENT_DECLARE

#endif
