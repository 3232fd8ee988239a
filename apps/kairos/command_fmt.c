// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos fmt: lays out scene files.
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    bool check, print;
} args;

static const cli_option OPTIONS[] = {
    {"check", 0, CLI_FLAG, &args.check, NULL,
     "change nothing; name the files that are laid out otherwise, and end with 1 if there are any"},
    {"print", 0, CLI_FLAG, &args.print, NULL, "print the result instead of writing the files"},
};

#define FILES 1000

// Reads a whole file; free() it. NULL after a message.
static char* read_all(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    char* text = NULL;
    *size = 0;
    if (!file) {
        cli_error("%s: %s", path, strerror(errno));
        return NULL;
    }
    bool ok = true;
    for (size_t capacity = 0; ok;) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char* grown = realloc(text, capacity);
            ok = grown != NULL;
            if (ok) text = grown;
        }
        const size_t n = ok ? fread(text + *size, 1, capacity - *size, file) : 0;
        *size += n;
        if (n == 0) break;
    }
    ok = ok && !ferror(file);
    fclose(file);
    if (ok) return text;
    cli_error("%s: cannot be read", path);
    free(text);
    return NULL;
}

// Writes aside, then renames: the file is the old one or the new one, whatever happens.
static bool write_all(const char* path, const char* text)
{
    char aside[PATH_MAX + 8];
    struct stat old;
    snprintf(aside, sizeof aside, "%s.tmp", path);
    FILE* file = fopen(aside, "wb");
    bool ok = file && fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (ok && stat(path, &old) == 0) ok = fchmod(fileno(file), old.st_mode & 07777) == 0;
    if (file && fclose(file) != 0) ok = false;
    ok = ok && rename(aside, path) == 0;
    if (ok) return true;
    cli_error("%s: cannot be written: %s", path, strerror(errno));
    if (file) remove(aside);
    return false;
}

// 0 laid out already or now, 1 laid out otherwise, 2 cannot be read.
static int format_file(const char* path)
{
    size_t size;
    char *text = read_all(path, &size), *out = NULL;
    kai_error err;
    if (!text) return CLI_USAGE;
    int status = CLI_DONE;
    if (kai_format(path, text, size, &out, &err) != KAI_OK) {
        cli_error("%s", cli_message(&err));
        status = CLI_USAGE;
    } else if (args.print) {
        fputs(out, stdout);
    } else if (strlen(out) != size || memcmp(out, text, size) != 0) {
        if (args.check) {
            printf("%s\n", path);
            status = CLI_FAILED;
        } else if (!write_all(path, out)) {
            status = CLI_FAILED;
        }
    }
    free(text);
    free(out);
    return status;
}

static int run(int argc, char** argv)
{
    static const char* words[FILES];
    size_t count;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), words, FILES, &count)) return CLI_USAGE;
    if (count == 0) {
        cli_error("fmt needs one or more scene files");
        return CLI_USAGE;
    }
    int status = CLI_DONE;
    for (size_t i = 0; i < count; i++) {
        const int one = format_file(words[i]);
        if (one > status) status = one;
    }
    return status;
}

const cli_command cli_fmt = {.name = "fmt",
                             .arguments = "FILE…",
                             .doc = "Lays out scene files; comments and numbers stay as written.",
                             .run = run,
                             CLI_OPTIONS(OPTIONS)};
