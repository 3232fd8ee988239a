// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows of the reference of scenes, in Markdown: what a parameter is, its unit, default and rule. The
// pages of docs/scene are made of them by tools/gendocs, those of plug-ins by plugin_reference.c.
#ifndef SCENE_REFERENCE_H
#define SCENE_REFERENCE_H

#include "base/text.h"

#include <kairos/kind.h>

/// True when the default of a parameter is a value that a scene could give; else it stands for
/// "absent".
bool kai_reference_has_default(const kai_param* param);

/// The two first lines of a table of keys.
void kai_reference_head(kai_text* out);

/// A row, and the rows of a kind.
void kai_reference_param(kai_text* out, const kai_param* p);
void kai_reference_rows(kai_text* out, const kai_kind* kind);

#endif
