// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The page of signals and events.
#include "pages.h"
#include "tables.h"

#include <kairos/event.h>
#include <kairos/signal.h>

static const char SIGNALS[] =
    "A signal is a number that is found from the world and from other signals while the world moves.\n"
    "[Signals, controllers and events](../signals.md) says how they work together, when each is found, and what is held\n"
    "between steps. Motors, forces and joints read a signal by the function of time `{\"signal\": NAME}`.\n\n";

static const char EVENTS[] =
    "An event happens at the end of the step in which its signal crosses a value.\n"
    "[Signals, controllers and events](../signals.md#events) says what its actions do.\n\n";

void docs_pages_signals(kai_text* out)
{
    kai_text_add(out, "%s", SIGNALS);
    docs_table_part(out, &kai_sections_signal_part);
    docs_table_family(out, docs_signals, NULL);
    kai_text_add(out, "## What `measure` measures\n\n");
    docs_table_part(out, &kai_sections_measure_part);
    kai_text_add(out, "## Events\n\n%s", EVENTS);
    kai_reference_head(out);
    kai_reference_rows(out, &kai_sections_event_kind);
    kai_reference_rows(out, &kai_event_kind);
    kai_text_add(out, "\n## Actions of events\n\n");
    docs_table_kind(out, kai_event_kind.params[kai_event_kind.param_count - 1].item);
}
