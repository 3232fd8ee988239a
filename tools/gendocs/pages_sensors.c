// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The page on sensors.
#include "pages.h"
#include "tables.h"

#include <kairos/sensor.h>

static const char SENSORS[] =
    "A sensor samples at its own rate and holds the last sample until the next one. Outputs read it by its name\n"
    "(`{\"sensor\": NAME}`), and its own `file` has every sample. Images go to HDF5 files. Formulas, frames and files are in\n"
    "[sensors.md](../sensors.md).\n\n";

static void add_channels(kai_text* out, const kai_kind* kind)
{
    const kai_sensor_kind* sensor = (const kai_sensor_kind*)(const void*)kind;
    const kai_sensor_channel* channel = sensor->image ? sensor->pixel : sensor->channels;
    kai_text_add(out, "| reads | unit | components | meaning |\n| --- | --- | --- | --- |\n");
    for (; channel->name; channel++) {
        kai_text_add(out, "| `%s` | %s | ", channel->name, channel->unit);
        for (int c = 0; channel->labels && c < channel->components; c++)
            kai_text_add(out, "%s%s", c ? " " : "", channel->labels[c]);
        kai_text_add(out, " | %s |\n", channel->doc);
        if (sensor->image) break;
    }
    kai_text_add(out, "\n");
}

void docs_pages_sensors(kai_text* out)
{
    docs_table_part(out, &kai_sections_sensor_part);
    kai_text_add(out, "%s", SENSORS);
    const kai_kind* kind;
    for (size_t i = 0; (kind = docs_sensors(i)) != NULL; i++) {
        kai_text_add(out, "## `%s`\n\n%s\n\n", kind->name, kind->doc);
        docs_table_kind(out, kind);
        add_channels(out, kind);
    }
}
