// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Writes the generated pages of docs/ into a folder: kairos-gendocs FOLDER
#include "gendocs.h"

#include <errno.h>
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

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: kairos-gendocs FOLDER\n");
        return 2;
    }
    int ok = make_folder(argv[1], "scene");
    const char* path;
    for (size_t i = 0; (path = docs_reference_path(i)) != NULL; i++)
        ok = write_page(argv[1], path, docs_reference(i)) && ok;
    ok = write_page(argv[1], "scene.schema.json", docs_schema()) && ok;
    return ok ? 0 : 1;
}
