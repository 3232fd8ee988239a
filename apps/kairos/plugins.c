// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// --load FILE.so: kinds and sections of a toolkit. Nothing else opens a shared object: no scene, no
// results, no file that lies beside them.
#include "cli.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Why a file cannot be loaded, without its path, which is told already.
static const char* reason(const char* path)
{
    const char* text = dlerror();
    const size_t length = strlen(path);
    if (text == NULL) return "cannot be loaded";
    return strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0
               ? text + length + 2
               : text;
}

// What a file says of itself; NULL after an error, which it has printed. It stays loaded: worlds refer
// to its tables.
static const kai_plugin* open_plugin(const char* file)
{
    char* path = realpath(file, NULL); // dlopen would look for a bare name elsewhere
    if (path == NULL) {
        cli_error("--load %s: there is no such file", file);
        return NULL;
    }
    void* object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const kai_plugin* plugin = object != NULL ? dlsym(object, KAI_PLUGIN_SYMBOL) : NULL;
    kai_error error = {0};
    if (object == NULL)
        cli_error("--load %s: %s", file, reason(path));
    else if (plugin == NULL)
        cli_error("--load %s: exports no " KAI_PLUGIN_SYMBOL "; must have KAI_PLUGIN(…), see "
                  "kairos/plugin.h",
                  file);
    else if (kai_plugin_check(plugin, &error) != KAI_OK)
        cli_error("--load %s: %s", file, cli_message(&error));
    free(path);
    return error.code == KAI_OK ? plugin : NULL;
}

bool cli_plugins_open(const cli_list* files, kai_world_def* def)
{
    if (files->count == 0) return true;
    const kai_plugin** plugins = calloc(files->count + 1, sizeof *plugins);
    if (plugins == NULL) {
        cli_error("out of memory");
        return false;
    }
    for (size_t i = 0; i < files->count; i++) {
        plugins[i] = open_plugin(files->items[i]);
        if (plugins[i] != NULL) continue;
        free(plugins);
        return false;
    }
    def->kinds.plugins = plugins;
    return true;
}

void cli_plugins_free(kai_world_def* def)
{
    free((void*)(uintptr_t)def->kinds.plugins);
    def->kinds.plugins = NULL;
}
