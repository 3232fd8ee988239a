// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Writes the generated pages of docs/ into a folder: kairos-gendocs FOLDER. With a plug-in, those of
// its sections, SECTION.md, and the schema of scenes that have them: kairos-gendocs FOLDER FILE.so
#include "gendocs.h"
#include "families.h"

#include "model/section.h"

#include <dlfcn.h>
#include <errno.h>
#include <kairos/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Writes a text with one newline at its end and frees it. Returns whether all went well.
static int write_page(const char* folder, const char* name, char* text)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || !text) {
        fprintf(stderr, "kairos-gendocs: %s: no memory, or the path is too long\n", name);
        free(text);
        return 0;
    }
    FILE* file = fopen(path, "wb");
    const size_t size = strlen(text);
    const char* end = size > 0 && text[size - 1] == '\n' ? "" : "\n";
    int ok = file && fprintf(file, "%s%s", text, end) >= 0;
    if (file && fclose(file) != 0) ok = 0;
    if (!ok) perror(path);
    free(text);
    return ok;
}

// Makes a folder in a folder, if there is none yet. Returns whether all went well.
static int make_folder(const char* folder, const char* name)
{
    char path[4096];
    const int size = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (size < (int)sizeof path && (mkdir(path, 0777) == 0 || errno == EEXIST)) return 1;
    perror(name);
    return 0;
}

// A world in which a plug-in has registered what it brings; NULL after a message.
static kai_world* load(const char* file)
{
    void* object = dlopen(file, RTLD_NOW);
    const kai_plugin* plugins[] = {object ? dlsym(object, KAI_PLUGIN_SYMBOL) : NULL, NULL};
    if (!plugins[0]) {
        const char* why = dlerror();
        fprintf(stderr, "kairos-gendocs: %s\n", why ? why : "no plug-in");
        return NULL;
    }
    kai_world* world = NULL;
    kai_error err = {0};
    kai_world_def def = kai_world_def_default();
    def.kinds.plugins = plugins;
    if (kai_world_create(&def, &world, &err) != KAI_OK)
        fprintf(stderr, "kairos-gendocs: %s\n", err.message);
    return world;
}

static int write_sections(const char* folder, const kai_world* world)
{
    const kai_section* sections[65] = {NULL};
    const kai_section_record* record;
    int ok = 1;
    for (size_t i = 0; i < 64 && (record = kai_section_at(world, i)) != NULL; i++) {
        char name[300];
        snprintf(name, sizeof name, "%s.md", record->table.name);
        sections[i] = record->given;
        ok = write_page(folder, name, docs_section(record->given)) && ok;
    }
    return write_page(folder, "scene.schema.json", docs_schema(sections)) && ok;
}

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: kairos-gendocs FOLDER [FILE.so]\n");
        return 2;
    }
    if (argc == 3) {
        kai_world* world = load(argv[2]);
        docs_families_of(world);
        const int written = world && write_sections(argv[1], world);
        kai_world_destroy(world);
        return written ? 0 : 1;
    }
    int ok = make_folder(argv[1], "scene");
    const char* path;
    for (size_t i = 0; (path = docs_reference_path(i)) != NULL; i++)
        ok = write_page(argv[1], path, docs_reference(i)) && ok;
    ok = write_page(argv[1], "scene.schema.json", docs_schema(NULL)) && ok;
    return ok ? 0 : 1;
}
