// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pages on how a scene is put together and run: including and overriding, functions of time,
// integrators and solvers, contact, checks, trajectory and page.
#include "pages.h"
#include "tables.h"

#include "math/expression.h"
#include "measure/output.h"
#include "scene/document.h"
#include "scene/include.h"
#include "scene/language/instances.h"
#include "scene/particle_table.h"
#include "scene/start.h"

#include <kairos/contact.h>
#include <kairos/scene.h>
#include <kairos/sleep.h>
#include <kairos/solver.h>

static const char INCLUDES[] =
    "`\"include\"` takes a file name, an object as below, or a list of both. Included files are read first, in\n"
    "order; the including file overrides them:\n\n"
    "* objects are merged key by key;\n"
    "* lists whose items are all objects with a `name` are merged by name: items with equal names are merged, new ones are\n"
    "  appended;\n"
    "* everything else is replaced.\n\n"
    "A path is relative to the file that names it, and must stay inside the folder of the main scene, also after\n"
    "following links. `--allow-outside` lifts this, for tables and meshes too.\n\n";

static const char SETS[] =
    "`kairos run SCENE --set /json/pointer=value` sets a value of the scene after all includes. The pointer is\n"
    "that of RFC 6901 (`~0` for `~`, `~1` for `/`); items of a list are found by index or by name, so that\n"
    "`/bodies/arm/mass` works. Objects on the way that are missing are made. The value is JSON, or else a plain text:\n"
    "`--set /step=1e-4 --set /integrator=rk4 --set '/gravity=[0,0,-1.62]'`. `\"set\"` of an include does the same\n"
    "to the included file. A name without a slash is that of a [parameter](formulas.md): `--set track=1.9`, `--set 'track=190 cm'`, and\n"
    "`--set front.camber=\"2 deg\"` for the value that the [instance](templates.md) `front` gives its template.\n\n";

static const char FUNCTIONS[] =
    "Any number that may vary in time takes a function instead: an object whose key is the kind of function.\n"
    "Its parameters are in an object under that key:\n\n"
    "```json\n"
    "{\"sine\": {\"amplitude\": 2, \"frequency\": 0.5}}\n"
    "{\"ramp\": {\"slope\": 3, \"start\": 1}}\n"
    "{\"step\": {\"from\": 0, \"to\": 10, \"at\": 1, \"duration\": 0.5}}\n"
    "{\"repeat\": {\"function\": {\"ramp\": {\"slope\": 1}}, \"period\": 2}}\n"
    "```\n\n"
    "Kinds with a parameter marked *main* take it directly under their name, and the others beside it:\n\n"
    "```json\n"
    "{\"table\": [[0, 1], [2, 3]], \"interpolation\": \"cubic\"}\n"
    "{\"polynomial\": [1, 0, -0.5]}\n"
    "{\"sum\": [1, {\"sine\": {\"amplitude\": 2}}]}\n"
    "{\"product\": [{\"ramp\": {\"slope\": 1}}, {\"sine\": {}}]}\n"
    "{\"sequence\": [{\"duration\": 1, \"value\": 5}, {\"duration\": 2, \"value\": {\"ramp\": {\"slope\": -1}}}]}\n"
    "```\n\n"
    "Functions may contain functions, up to 32 levels deep. All have exact first and second derivatives. Functions of another\n"
    "argument than time (the `law` of a spring) take the same kinds; x stands for the argument.\n\n";

static const char LAWS[] =
    "## Contact laws\n\n"
    "Laws of the penalty method; [contact-laws.md](../contact-laws.md) has the formulas. `law` is a bare name, or an object with\n"
    "`type` and the parameters of the kind. The law of two surfaces is that of their `material_pairs`; else that of their\n"
    "materials, where one names a law; else that of `contact`. Laws that a program registers with\n"
    "`kai_contact_law_register` can be named here too.\n\n";

static const char STOPS[] =
    "```json\n"
    "{\"body\": \"ball\", \"quantity\": \"position\", \"component\": \"z\", \"below\": 0}\n"
    "{\"when\": \"settled\", \"kinetic_energy\": 1e-6, \"for\": 0.1}\n"
    "{\"wall_time\": 3600}\n"
    "```\n\n"
    "They are looked at after every step, and before the first one; the first that is met ends the run: it has a last sample\n"
    "there, and exits with status 0. Angles of joints are those from -π to π. A run that is resumed ends at the same step.\n\n";

static void add_limits(kai_text* out)
{
    kai_text_add(out,
                 "## Limits\n\n"
                 "| what | at most |\n| --- | --- |\n"
                 "| all JSON files of a scene together | %d MiB |\n"
                 "| nesting of lists and objects | %d |\n"
                 "| nesting of includes | %d |\n"
                 "| included files | %d |\n"
                 "| a name or file name | %d bytes |\n"
                 "| quantities of an output | %d |\n"
                 "| rows of a particle table | %d |\n"
                 "| a line of a particle table | %d bytes |\n"
                 "| problems that are told | %d |\n"
                 "| a formula | %d bytes, %d operations, %d deep |\n"
                 "| instances of templates | %d, %d deep, %d values in all |\n",
                 (int)(KAI_DOCUMENT_BYTES >> 20), KAI_DOCUMENT_DEPTH, KAI_INCLUDE_DEPTH,
                 KAI_INCLUDE_FILES, KAI_STRING_SIZE - 1, KAI_OUTPUT_QUANTITIES,
                 KAI_PARTICLE_TABLE_ROWS, KAI_PARTICLE_TABLE_LINE, KAI_PROBLEMS_MOST,
                 KAI_EXPRESSION_BYTES, KAI_EXPRESSION_OPS, KAI_EXPRESSION_DEPTH, KAI_INSTANCES_MOST,
                 KAI_INSTANCES_DEPTH, KAI_INSTANCES_NODES);
}

void docs_pages_file(kai_text* out)
{
    kai_text_add(out, "## Including other files\n\n%s", INCLUDES);
    docs_table_part(out, &kai_sections_include_part);
    kai_text_add(out, "## Overriding from the command line\n\n%s", SETS);
    add_limits(out);
}

void docs_pages_functions(kai_text* out)
{
    kai_text_add(out, "%s", FUNCTIONS);
    docs_table_family(out, docs_functions, NULL);
}

void docs_pages_integrators(kai_text* out)
{
    kai_text_add(
        out,
        "`integrator` is a bare name, or an object with `type` and the parameters of the kind.\n\n");
    docs_table_common(out, docs_integrators);
    docs_table_family(out, docs_integrators, NULL);
    kai_text_add(out, "## Solvers\n\n%s `solver` is a bare name, or an object with `type`.\n\n",
                 kai_solver_kind.doc);
    docs_table_kind(out, &kai_solver_kind);
}

void docs_pages_contact(kai_text* out)
{
    kai_text_add(out, "%s `contact` is the bare name of a method, or an object with `method`.\n\n",
                 kai_contact_kind.doc);
    docs_table_kind(out, &kai_contact_kind);
    kai_text_add(out, "%s", LAWS);
    docs_table_family(out, docs_laws, NULL);
    kai_text_add(out,
                 "## Collision\n\n%s Bodies that an active "
                 "joint connects are not tested against each other.\n\n",
                 kai_collision_kind.doc);
    docs_table_kind(out, &kai_collision_kind);
    kai_text_add(out, "## Sleep\n\n%s See [contact.md](../contact.md#sleep).\n\n",
                 kai_sleep_kind.doc);
    docs_table_kind(out, &kai_sleep_kind);
}

void docs_pages_run(kai_text* out)
{
    kai_text_add(out, "## Checks\n\n%s See [checks.md](../checks.md).\n\n", kai_judge_kind.doc);
    docs_table_kind(out, &kai_judge_kind);
    kai_text_add(out,
                 "## Start\n\n%s `start` is the name of the file, or an object. See "
                 "[running.md](../running.md#beginning-with-a-saved-world).\n\n",
                 kai_start_kind.doc);
    docs_table_kind(out, &kai_start_kind);
    kai_text_add(out, "## Stop\n\n%s Each item of the list is one of these:\n\n%s",
                 kai_output_stop_kind.doc, STOPS);
    docs_table_part(out, &kai_sections_stop_part);
    kai_text_add(out, "## Trajectory\n\n%s\n\n", kai_output_trajectory_kind.doc);
    docs_table_kind(out, &kai_output_trajectory_kind);
    kai_text_add(out, "## View\n\n%s See [viewing.md](../viewing.md).\n\n",
                 kai_output_view_kind.doc);
    docs_table_kind(out, &kai_output_view_kind);
}
