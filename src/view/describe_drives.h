// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What drives and loads a world: motors, loads, and controls that viewers of a live run steer.
#ifndef VIEW_DESCRIBE_DRIVES_H
#define VIEW_DESCRIBE_DRIVES_H

#include "base/text.h"
#include "view/movers.h"

/// Adds ,"motors": […], "loads": […]: loads that are neither motors nor springs.
void kai_describe_drives(const kai_world* world, const kai_movers* movers, kai_text* to);

/// Adds ,"controls": […], in the order in which a live run counts them.
void kai_describe_drives_controls(const kai_world* world, kai_text* to);

#endif
