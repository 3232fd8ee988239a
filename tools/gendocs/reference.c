// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The reference of scene files: docs/scene.md, which is the list of contents, the pages of
// docs/scene/, and the index of all keys, which is read off the pages.
#include "gendocs.h"
#include "pages.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GENERATED \
    "<!-- Written by kairos-gendocs from the descriptions of all kinds; do not edit. -->\n\n"

static const char INTRO[] =
    "# Scene files\n\n" GENERATED
    "A scene is a JSON file that describes a world and how to run it. Units are SI, angles are radians, frames\n"
    "are right-handed. Unknown keys are errors, and so are numbers that are not finite, names used twice and\n"
    "bodies without mass. `kairos check SCENE` reports every problem at once, each with file, line, column and\n"
    "JSON pointer. Order inside lists is free: names refer to names. The same description as a JSON Schema, for\n"
    "editors and other programs, is [scene.schema.json](scene.schema.json).\n\n"
    "```json\n"
    "{\n"
    "  \"kairos\": 1,\n"
    "  \"name\": \"thrown ball\",\n"
    "  \"step\": 1e-3, \"end\": 2.0,\n"
    "  \"materials\": {\"rubber\": {\"density\": 1100}},\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"ball\", \"position\": [0, 0, 1], \"velocity\": [3, 0, 4],\n"
    "     \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1, \"material\": \"rubber\"}]}\n"
    "  ],\n"
    "  \"forces\": [\n"
    "    {\"type\": \"force\", \"body\": \"ball\", \"value\": [{\"sine\": {\"amplitude\": 2, \"frequency\": 1}}, 0, 0]}\n"
    "  ],\n"
    "  \"outputs\": [\n"
    "    {\"body\": \"ball\", \"quantities\": [\"position\", \"velocity\"], \"file\": \"ball.csv\"}\n"
    "  ]\n"
    "}\n"
    "```\n\n";

static const char TABLES[] =
    "In the tables of this reference, *needed* means that the key must be given, and – that it may be absent\n"
    "and has no default value. A rule is checked when the scene is read.\n\n";

// Pages ------------------------------------------------------------------------------------------

typedef struct page {
    const char* path; // under docs/
    const char* title;
    const char* about; // one line
    const char* keys;  // of a scene, with blanks around
    void (*write)(kai_text* out);
} page;

static const page PAGES[] = {
    {"scene/bodies.md", "Bodies", "Rigid bodies: mass, inertia, position, rotation, velocity.",
     " bodies ", docs_pages_bodies},
    {"scene/shapes.md", "Shapes", "Geometry of bodies, for mass, contact and pictures.", "",
     docs_pages_shapes},
    {"scene/materials.md", "Materials",
     "Friction, restitution, stiffness and density of surfaces, and of pairs of materials.",
     " materials material_pairs ", docs_pages_materials},
    {"scene/particles.md", "Particles",
     "Groups of many equal bodies from tables or samplers, and the kinds of these.", " particles ",
     docs_pages_particles},
    {"scene/joints.md", "Joints",
     "Constraints between bodies, with limits, springs, damping and friction of their coordinates.",
     " joints ", docs_pages_joints},
    {"scene/motors.md", "Motors", "Actuators and prescribed motion.", " motors ",
     docs_pages_motors},
    {"scene/forces.md", "Forces", "Loads, springs, dampers, bushings and drag.", " forces ",
     docs_pages_forces},
    {"scene/driveline.md", "Driveline",
     "Gears, clutches, differentials, engines: degrees of freedom that only rotate.",
     " shafts driveline ", docs_pages_driveline},
    {"scene/signals.md", "Signals and events",
     "What is measured, computed and controlled, and what happens when a value is crossed.",
     " signals events ", docs_pages_signals},
    {"scene/structures.md", "Structures", "Meshes of finite elements, their supports and loads.",
     " structures ", docs_pages_structures},
    {"scene/elements.md", "Elements and nodes", "Finite elements, one by one, and their nodes.",
     " elements nodes ", docs_pages_elements},
    {"scene/solids.md", "Materials of elements", "Materials of finite elements.", " solids ",
     docs_pages_solids},
    {"scene/functions.md", "Functions of time", "Numbers that vary in time.", "",
     docs_pages_functions},
    {"scene/contact.md", "Contact", "What happens where shapes touch, and how contacts are found.",
     " contact collision ", docs_pages_contact},
    {"scene/integrators.md", "Integrators and solvers",
     "How the world gets from one step to the next, and how its equations are solved.",
     " integrator solver ", docs_pages_integrators},
    {"scene/outputs.md", "Outputs", "Time series and snapshots that a run writes.", " outputs ",
     docs_pages_outputs},
    {"scene/sensors.md", "Sensors", "Measuring instruments with rates, noise and files.",
     " sensors ", docs_pages_sensors},
    {"scene/run.md", "Checks, start, stop, trajectory and page",
     "What a run is held to, what ends it early, and what it keeps.",
     " checks start stop trajectory view ", docs_pages_run},
    {"scene/formulas.md", "Parameters and formulas",
     "Names for numbers, formulas with units in place of numbers, comments.", " parameters ",
     docs_pages_formulas},
    {"scene/templates.md", "Templates and instances",
     "Parts of scenes with parameters, put in once or many times, moved, turned and mirrored.",
     " templates instances template ", docs_pages_templates},
    {"scene/file.md", "Including and overriding",
     "A scene made of several files, values from the command line, limits of size.", " include ",
     docs_pages_file},
};

static void add_page(kai_text* out, const page* p)
{
    kai_text_add(out, "# %s\n\n" GENERATED "[Scene files](../scene.md) · [all keys](keys.md)\n\n",
                 p->title);
    p->write(out);
}

// Headings ---------------------------------------------------------------------------------------

// A line of a text that ends at a newline.
typedef struct line {
    const char* text;
    size_t size;
} line;

// Gives the lines of a text one by one.
static bool next_line(const char** rest, line* out)
{
    if (!**rest) return false;
    const char* end = strchr(*rest, '\n');
    *out = (line){*rest, end ? (size_t)(end - *rest) : strlen(*rest)};
    *rest += out->size + (end ? 1 : 0);
    return true;
}

static bool is_heading(const line* l) { return l->size > 3 && memcmp(l->text, "## ", 3) == 0; }

// The anchor that a heading gets on GitHub: small letters, blanks as hyphens, marks left out.
static void add_anchor(kai_text* out, const line* l)
{
    for (size_t i = 3; i < l->size; i++) {
        char c = l->text[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c == ' ') c = '-';
        const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (kept || (unsigned char)c >= 0x80) kai_text_add_bytes(out, &c, 1);
    }
}

// The list of contents ---------------------------------------------------------------------------

static void add_contents(kai_text* out, const page* p)
{
    kai_text text = {0};
    add_page(&text, p);
    out->failed |= text.failed;
    kai_text_add(out, "* **[%s](%s)**", p->title, p->path);
    if (*p->keys)
        for (const char* k = p->keys + 1; *k; k += strcspn(k, " ") + 1)
            kai_text_add(out, "%s`%.*s`", k == p->keys + 1 ? " (" : ", ", (int)strcspn(k, " "), k);
    kai_text_add(out, "%s: %s", *p->keys ? ")" : "", p->about);
    const char* rest = text.data ? text.data : "";
    line l;
    for (size_t n = 0; next_line(&rest, &l);) {
        if (!is_heading(&l)) continue;
        kai_text_add(out, "%s[%.*s](%s#", n++ ? " · " : "\n  ", (int)l.size - 3, l.text + 3,
                     p->path);
        add_anchor(out, &l);
        kai_text_add(out, ")");
    }
    kai_text_add(out, "\n");
    kai_text_free(&text);
}

static const page* page_of_key(const char* key)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", key);
    for (size_t i = 0; i < KAI_COUNT(PAGES); i++)
        if (strstr(PAGES[i].keys, word)) return &PAGES[i];
    return NULL;
}

static void add_scene_keys(kai_text* out)
{
    const kai_sections_part* part = &kai_sections_scene_part;
    kai_text_add(out, "## Keys of the whole file\n\n");
    kai_reference_head(out);
    kai_reference_rows(out, part->kind);
    for (size_t i = 0; i < part->key_count; i++) {
        docs_table_key(out, part, i);
        const page* p = page_of_key(part->keys[i].name);
        if (!p || out->failed) continue;
        out->size -= strlen(" |\n");
        kai_text_add(out, " [%s](%s). |\n", p->title, p->path);
    }
    kai_text_add(out, "\n");
}

static char* contents(void)
{
    kai_text out = {0};
    kai_text_add(&out, "%s## Contents\n\n", INTRO);
    for (size_t i = 0; i < KAI_COUNT(PAGES); i++) add_contents(&out, &PAGES[i]);
    kai_text_add(&out, "* **[All keys](scene/keys.md)**, from A to Z\n\n%s", TABLES);
    add_scene_keys(&out);
    if (!out.failed) return out.data;
    kai_text_free(&out);
    return NULL;
}

// The index of keys ------------------------------------------------------------------------------

// A row of a table: a key or a quantity, and the heading that it stands under.
typedef struct entry {
    char name[64];
    char link[256];
    size_t order;
} entry;

typedef struct key_index {
    entry* entries;
    size_t count, capacity;
    bool failed;
} key_index;

static void add_entry(key_index* index, const line* row, const char* link)
{
    const size_t size = strcspn(row->text + 3, "`");
    if (index->failed || size >= sizeof index->entries[0].name) return;
    if (index->count == index->capacity) {
        const size_t capacity = index->capacity ? 2 * index->capacity : 1024;
        entry* grown = realloc(index->entries, capacity * sizeof *grown);
        index->failed = !grown;
        if (!grown) return;
        index->entries = grown;
        index->capacity = capacity;
    }
    entry* e = &index->entries[index->count];
    *e = (entry){.order = index->count};
    memcpy(e->name, row->text + 3, size);
    snprintf(e->link, sizeof e->link, "%s", link);
    for (size_t i = index->count; i-- > 0;) // twice under one heading counts once
        if (strcmp(index->entries[i].name, e->name) == 0 &&
            strcmp(index->entries[i].link, link) == 0)
            return;
    index->count++;
}

static void add_entries(key_index* index, const page* p)
{
    kai_text text = {0}, link = {0};
    add_page(&text, p);
    const char* file = strrchr(p->path, '/') + 1;
    kai_text_add(&link, "[%s](%s)", p->title, file);
    const char* rest = text.data ? text.data : "";
    line l;
    while (next_line(&rest, &l)) {
        if (is_heading(&l)) {
            link.size = 0;
            kai_text_add(&link, "[%s: %.*s](%s#", p->title, (int)l.size - 3, l.text + 3, file);
            add_anchor(&link, &l);
            kai_text_add(&link, ")");
        } else if (l.size > 4 && memcmp(l.text, "| `", 3) == 0 && link.data) {
            add_entry(index, &l, link.data);
        }
    }
    index->failed |= text.failed || link.failed;
    kai_text_free(&text);
    kai_text_free(&link);
}

static int by_name(const void* a, const void* b)
{
    const entry *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static char* all_keys(void)
{
    key_index index = {0};
    kai_text out = {0};
    for (size_t i = 0; i < KAI_COUNT(PAGES); i++) add_entries(&index, &PAGES[i]);
    if (index.count > 0) qsort(index.entries, index.count, sizeof *index.entries, by_name);
    kai_text_add(
        &out, "# All keys\n\n" GENERATED
              "[Scene files](../scene.md)\n\nEvery key and every quantity of outputs, and where it "
              "is described.\n\n| key | where |\n| --- | --- |\n");
    for (size_t i = 0; i < index.count; i++) {
        const bool first = i == 0 || strcmp(index.entries[i].name, index.entries[i - 1].name) != 0;
        const bool last =
            i + 1 == index.count || strcmp(index.entries[i].name, index.entries[i + 1].name) != 0;
        if (first) kai_text_add(&out, "| `%s` | ", index.entries[i].name);
        kai_text_add(&out, "%s%s%s", first ? "" : " · ", index.entries[i].link, last ? " |\n" : "");
    }
    const bool failed = out.failed || index.failed;
    free(index.entries);
    if (!failed) return out.data;
    kai_text_free(&out);
    return NULL;
}

// The whole --------------------------------------------------------------------------------------

const char* docs_reference_path(size_t i)
{
    if (i == 0) return "scene.md";
    if (i == 1) return "scene/keys.md";
    return i - 2 < KAI_COUNT(PAGES) ? PAGES[i - 2].path : NULL;
}

char* docs_reference(size_t i)
{
    if (i == 0) return contents();
    if (i == 1) return all_keys();
    kai_text out = {0};
    add_page(&out, &PAGES[i - 2]);
    while (out.size > 1 && memcmp(out.data + out.size - 2, "\n\n", 2) == 0)
        out.data[--out.size] = 0;
    if (!out.failed) return out.data;
    kai_text_free(&out);
    return NULL;
}
