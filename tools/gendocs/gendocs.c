// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Writes the generated pages of docs/ into a folder: kairos-gendocs FOLDER. With a plug-in, the page of
// what it brings, NAME.md, and the schema of scenes that have it: kairos-gendocs FOLDER FILE.so
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

// What a file exports; NULL after a message.
static const kai_plugin* load(const char* file)
{
    void* object = dlopen(file, RTLD_NOW);
    const kai_plugin* plugin = object ? dlsym(object, KAI_PLUGIN_SYMBOL) : NULL;
    if (plugin) return plugin;
    const char* why = dlerror();
    fprintf(stderr, "kairos-gendocs: %s\n", why ? why : "no plug-in");
    return NULL;
}

// A world in which a plug-in has registered what it brings; NULL after a message.
static kai_world* make_world(const kai_plugin* plugin)
{
    const kai_plugin* const plugins[] = {plugin, NULL};
    kai_world* world = NULL;
    kai_error err = {0};
    kai_world_def def = kai_world_def_default();
    def.kinds.plugins = plugins;
    if (kai_world_create(&def, &world, &err) != KAI_OK)
        fprintf(stderr, "kairos-gendocs: %s\n", err.message);
    return world;
}

static int write_plugin(const char* folder, const kai_plugin* plugin)
{
    kai_world* world = make_world(plugin);
    if (!world) return 0;
    const kai_section* sections[65] = {NULL};
    const kai_section_record* record;
    for (size_t i = 0; i < 64 && (record = kai_section_at(world, i)) != NULL; i++)
        sections[i] = record->given;
    docs_families_of(world);
    char name[300], *page = NULL;
    snprintf(name, sizeof name, "%.256s.md", plugin->name ? plugin->name : "plugin");
    kai_plugin_reference(plugin, &page, NULL);
    int ok = write_page(folder, name, page);
    ok = write_page(folder, "scene.schema.json", docs_schema(sections)) && ok;
    docs_families_of(NULL);
    kai_world_destroy(world);
    return ok;
}

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: kairos-gendocs FOLDER [FILE.so]\n");
        return 2;
    }
    if (argc == 3) {
        const kai_plugin* plugin = load(argv[2]);
        return plugin && write_plugin(argv[1], plugin) ? 0 : 1;
    }
    int ok = make_folder(argv[1], "scene");
    const char* path;
    for (size_t i = 0; (path = docs_reference_path(i)) != NULL; i++)
        ok = write_page(argv[1], path, docs_reference(i)) && ok;
    ok = write_page(argv[1], "scene.schema.json", docs_schema(NULL)) && ok;
    return ok ? 0 : 1;
}
