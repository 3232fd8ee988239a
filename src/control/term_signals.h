// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef CONTROL_TERM_SIGNALS_H
#define CONTROL_TERM_SIGNALS_H

#include "step/term.h"

extern const kai_term kai_term_signals;

#endif
