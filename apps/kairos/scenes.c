// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Finding scenes: by path, or those that ship by name.
#include "cli.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS = 4, SCENES_MOST = 512 };

// Folders in which scenes that ship may be: the user's choice, this build's, the installed one's,
// and the one beside the executable, for copies that were moved. Empty ones are left out.
static size_t folders(char out[FOLDERS][PATH_MAX])
{
    size_t n = 0;
    const char* own = getenv("KAIROS_SCENES");
    if (own != NULL && own[0] != '\0') snprintf(out[n++], PATH_MAX, "%s", own);
#ifdef KAIROS_SCENES_BUILD_DIR
    snprintf(out[n++], PATH_MAX, "%s", KAIROS_SCENES_BUILD_DIR);
#endif
#ifdef KAIROS_SCENES_INSTALL_DIR
    snprintf(out[n++], PATH_MAX, "%s", KAIROS_SCENES_INSTALL_DIR);
#endif
    char self[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size > 0) {
        self[size] = '\0';
        char* slash = strrchr(self, '/');
        if (slash != NULL) *slash = '\0';
        if ((size_t)snprintf(out[n], PATH_MAX, "%.*s/../share/kairos/scenes", PATH_MAX - 64, self) <
            PATH_MAX)
            n++;
    }
    return n;
}

static bool is_file(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

// Titles -----------------------------------------------------------------------------------------

// Writes a character as UTF-8 where it fits; returns the bytes written.
static size_t put_character(unsigned long code, char* out, size_t room)
{
    const size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (size > room) return 0;
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(heads[size] | code);
    return size;
}

// Reads the four digits after \u, and a second such escape where the first is half a character.
static unsigned long read_escape(const char** at)
{
    unsigned code = 0, low = 0;
    if (sscanf(*at, "%4x", &code) != 1) return '?';
    *at += strnlen(*at, 4);
    if (code < 0xd800 || code > 0xdfff) return code;
    if (code > 0xdbff || sscanf(*at, "\\u%4x", &low) != 1 || low < 0xdc00 || low > 0xdfff)
        return '?';
    *at += strnlen(*at, 6);
    return 0x10000 + ((unsigned long)(code - 0xd800) << 10) + (low - 0xdc00);
}

// Copies a JSON text up to its closing quote; escapes become what they stand for, line ends spaces.
static void copy_text(const char* from, char* out, size_t size)
{
    size_t used = 0;
    while (*from != '\0' && *from != '"' && used + 1 < size) {
        unsigned long code = (unsigned char)*from++;
        if (code != '\\') {
            out[used++] = (char)code; // bytes of longer characters as they are
            continue;
        }
        if (*from == '\0') break;
        const char kind = *from++;
        code = strchr("bfnrt", kind) ? ' ' : kind == 'u' ? read_escape(&from) : (unsigned char)kind;
        const size_t put = put_character(code, out + used, size - used - 1);
        if (put == 0) break;
        used += put;
    }
    out[used] = '\0';
}

// The text of a top-level key, without reading the scene: enough for a list. Empty when it is not
// found.
static void scan_text(const char* json, const char* key, char* out, size_t size)
{
    int depth = 0;
    out[0] = '\0';
    for (const char* c = json; *c != '\0'; c++) {
        if (*c == '{' || *c == '[') depth++;
        if (*c == '}' || *c == ']') depth--;
        if (*c != '"') continue;
        const char* begin = ++c;
        while (*c != '\0' && *c != '"') c += *c == '\\' && c[1] != '\0' ? 2 : 1;
        if (*c == '\0') return;
        const char* after = c + 1 + strspn(c + 1, " \t\r\n");
        const bool match = depth == 1 && *after == ':' && strlen(key) == (size_t)(c - begin) &&
                           strncmp(begin, key, strlen(key)) == 0;
        if (!match) continue;
        after += 1 + strspn(after + 1, " \t\r\n");
        if (*after == '"') copy_text(after + 1, out, size);
        return;
    }
}

static void title_of(const char* path, char* out, size_t size)
{
    enum { ENOUGH = 1 << 16 };
    out[0] = '\0';
    FILE* file = fopen(path, "rb");
    char* text = file == NULL ? NULL : calloc(1, ENOUGH + 1);
    if (text != NULL && fread(text, 1, ENOUGH, file) > 0) {
        scan_text(text, "description", out, size);
        char* sentence = strstr(out, ". ");
        if (sentence != NULL) sentence[1] = '\0';
        if (out[0] == '\0') scan_text(text, "name", out, size);
    }
    free(text);
    if (file != NULL) fclose(file);
}

// Listing ----------------------------------------------------------------------------------------

typedef struct found_scene {
    char name[NAME_MAX + 1], path[2 * PATH_MAX];
} found_scene;

static int by_name(const void* a, const void* b)
{
    return strcmp(((const found_scene*)a)->name, ((const found_scene*)b)->name);
}

static size_t read_folder(const char* folder, found_scene* scenes, size_t count)
{
    DIR* open = opendir(folder);
    if (open == NULL) return count;
    const struct dirent* entry;
    while (count < SCENES_MOST && (entry = readdir(open)) != NULL) {
        const size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0 ||
            entry->d_name[0] == '.')
            continue;
        found_scene* s = &scenes[count];
        snprintf(s->name, sizeof s->name, "%.*s", (int)length - 5, entry->d_name);
        snprintf(s->path, sizeof s->path, "%s/%s", folder, entry->d_name);
        bool known = !is_file(s->path);
        for (size_t i = 0; i < count; i++) known = known || strcmp(scenes[i].name, s->name) == 0;
        if (!known) count++;
    }
    closedir(open);
    return count;
}

// `inside`: of a folder in these; "" for themselves.
static size_t find_all(const char* inside, found_scene** scenes)
{
    char(*names)[PATH_MAX] = calloc(FOLDERS, PATH_MAX);
    *scenes = calloc(SCENES_MOST, sizeof **scenes);
    size_t count = 0;
    if (names != NULL && *scenes != NULL) {
        const size_t n = folders(names);
        for (size_t i = 0; i < n; i++) {
            char folder[PATH_MAX + 64];
            snprintf(folder, sizeof folder, "%s%s%s", names[i], inside[0] != '\0' ? "/" : "",
                     inside);
            count = read_folder(folder, *scenes, count);
        }
        qsort(*scenes, count, sizeof **scenes, by_name);
    }
    free(names);
    return count;
}

void cli_scene_list(const char* inside,
                    void (*visit)(void* context, const char* name, const char* title,
                                  const char* path),
                    void* context)
{
    found_scene* scenes;
    const size_t count = find_all(inside, &scenes);
    for (size_t i = 0; i < count; i++) {
        char title[256];
        title_of(scenes[i].path, title, sizeof title);
        visit(context, scenes[i].name, title, scenes[i].path);
    }
    free(scenes);
}

// Opening ----------------------------------------------------------------------------------------

typedef struct scene_names {
    const found_scene* scenes;
    size_t count;
} scene_names;

static const char* scene_name(size_t i, const void* context)
{
    const scene_names* names = context;
    return i < names->count ? names->scenes[i].name : NULL;
}

bool cli_scene_path(const char* scene, char* out, size_t size)
{
    const size_t length = strlen(scene);
    const bool path =
        strchr(scene, '/') != NULL || (length > 5 && strcmp(scene + length - 5, ".json") == 0);
    if (path || is_file(scene)) {
        if ((size_t)snprintf(out, size, "%s", scene) < size) return true;
        cli_error("the path of the scene is too long");
        return false;
    }
    found_scene* scenes = NULL;
    const size_t count = find_all("", &scenes);
    const scene_names names = {scenes, count};
    bool found = false;
    for (size_t i = 0; i < names.count && !found; i++) {
        found = strcmp(scenes[i].name, scene) == 0;
        if (found) snprintf(out, size, "%s", scenes[i].path);
    }
    if (!found) {
        const char* near = cli_nearest(scene, scene_name, &names);
        if (near != NULL)
            cli_error("scene '%s' was not found; did you mean '%s'?", scene, near);
        else
            cli_error(
                "scene '%s' was not found: no such file, and no scene of that name ships ('kairos scenes' lists them)",
                scene);
    }
    free(scenes);
    return found;
}

kai_scene* cli_scene_open(const kai_scene_def* def)
{
    kai_scene* scene = NULL;
    kai_error error = {0};
    const kai_result result = kai_scene_open(def, &scene, &error);
    if (result == KAI_OK) return scene;
    const size_t problems = scene == NULL ? 0 : kai_scene_problem_count(scene);
    for (size_t i = 0; i < problems; i++) cli_error("%s", cli_message(kai_scene_problem(scene, i)));
    if (problems == 0)
        cli_error("%s", error.message[0] != '\0' ? cli_message(&error) : kai_result_text(result));
    kai_scene_close(scene);
    return NULL;
}
