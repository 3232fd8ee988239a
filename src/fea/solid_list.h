// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of solids. A new kind is one file, solid_<name>.c, and one word here.
#ifndef FEA_SOLID_LIST_H
#define FEA_SOLID_LIST_H

#define KAI_SOLID_KINDS(X) X(elastic) X(orthotropic) X(neo_hookean) X(mooney_rivlin)

#endif
