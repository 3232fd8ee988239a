// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos new: a scene to begin with, from those in the folder `starters` of the scenes that ship. The
// first line of each says what it is: "// NAME: what".
#define _GNU_SOURCE // asprintf
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STARTERS_MOST = 64, BYTES_MOST = 1 << 20 };

typedef struct starters {
    char names[STARTERS_MOST][64], paths[STARTERS_MOST][2 * PATH_MAX];
    size_t count;
} starters;

static void note(void* context, const char* name, const char* title, const char* path)
{
    (void)title;
    starters* all = context;
    if (all->count == STARTERS_MOST) return;
    snprintf(all->names[all->count], sizeof all->names[0], "%s", name);
    snprintf(all->paths[all->count++], sizeof all->paths[0], "%s", path);
}

static const char* starter_name(size_t i, const void* context)
{
    const starters* all = context;
    return i < all->count ? all->names[i] : NULL;
}

// What the first line says after "// NAME: ".
static void print_starter(const char* name, const char* path)
{
    char line[512] = "";
    FILE* file = fopen(path, "rb");
    if (file != NULL && fgets(line, sizeof line, file) == NULL) line[0] = '\0';
    if (file != NULL) fclose(file);
    line[strcspn(line, "\n")] = '\0';
    const char* colon = strchr(line, ':');
    printf("%-12s %s\n", name, colon != NULL ? colon + 1 + strspn(colon + 1, " ") : "");
}

// Copies a starter to a file that is not there yet.
static int copy(const char* from, const char* to)
{
    static char bytes[BYTES_MOST];
    FILE* in = fopen(from, "rb");
    const size_t size = in != NULL ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (in != NULL) fclose(in);
    if (size == 0 || size == sizeof bytes) {
        cli_error("%s: cannot be read", from);
        return CLI_FAILED;
    }
    const int out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (out < 0) {
        cli_error("%s: %s", to, errno == EEXIST ? "is there already" : strerror(errno));
        return CLI_USAGE;
    }
    const bool good = write(out, bytes, size) == (ssize_t)size;
    if (close(out) == 0 && good) return CLI_DONE;
    cli_error("%s: %s", to, strerror(errno));
    unlink(to);
    return CLI_FAILED;
}

static int make(const starters* all, const char* name, const char* file)
{
    char own[128];
    size_t i = 0;
    while (i < all->count && strcmp(all->names[i], name) != 0) i++;
    if (i == all->count) {
        const char* near = cli_nearest(name, starter_name, all);
        if (near != NULL)
            cli_error("there is no starter '%s'; did you mean '%s'?", name, near);
        else
            cli_error("there is no starter '%s'; 'kairos new' lists them", name);
        return CLI_USAGE;
    }
    snprintf(own, sizeof own, "%s.json", name);
    if (file == NULL) file = own;
    const int status = copy(all->paths[i], file);
    if (status == CLI_DONE)
        fprintf(stderr, "%s: a scene to begin with; 'kairos run %s' runs it\n", file, file);
    return status;
}

static int run(int argc, char** argv)
{
    const char* words[2] = {NULL};
    size_t count;
    if (!cli_parse(argc, argv, NULL, 0, words, 2, &count)) return CLI_USAGE;
    starters* all = calloc(1, sizeof *all);
    if (all == NULL) {
        cli_error("out of memory");
        return CLI_FAILED;
    }
    cli_scene_list("starters", note, all);
    int status = CLI_DONE;
    if (all->count == 0) {
        cli_error("no starters were found; KAIROS_SCENES can name the folder of scenes");
        status = CLI_FAILED;
    } else if (count == 0) {
        for (size_t i = 0; i < all->count; i++) print_starter(all->names[i], all->paths[i]);
    } else {
        status = make(all, words[0], words[1]);
    }
    free(all);
    return status;
}

const cli_command cli_new = {.name = "new",
                             .arguments = "[TEMPLATE [FILE]]",
                             .doc =
                                 "Writes a small scene to begin with; without words, lists them.",
                             .run = run};
