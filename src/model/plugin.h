// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef MODEL_PLUGIN_H
#define MODEL_PLUGIN_H

#include "model/world.h"

#include <kairos/plugin.h>

/// Has a plug-in register its kinds and sections in a new world, whose error tells a failure.
kai_result kai_plugin_add(kai_world* world, const kai_plugin* plugin);

/// The name of the i-th plug-in of a world; NULL beyond the last.
const char* kai_plugin_at(const kai_world* world, size_t i);

/// What a function of a program's own says of its failure: its own message, or else that of the last call
/// on the world that failed, which goes to `own`; without the name of a call before it.
const char* kai_plugin_said(kai_world* world, kai_error* own);

#endif
