// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of structures. A new kind is one file, structures/structure_<name>.c, and one
// word here.
#ifndef FEA_STRUCTURE_LIST_H
#define FEA_STRUCTURE_LIST_H

#include <kairos/structure.h>

#define KAI_STRUCTURE_KINDS(X) X(cable) X(sheet) X(cylinder) X(torus) X(box) X(net) X(file)

#endif
