// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // memmem
#include "import/import_format.h"

#include <string.h>
#include <strings.h>

typedef struct ending {
    const char* end;
    kai_import_format format;
} ending;

static const ending ENDINGS[] = {
    {".step", KAI_IMPORT_STEP}, {".stp", KAI_IMPORT_STEP}, {".brep", KAI_IMPORT_BREP},
    {".iges", KAI_IMPORT_IGES}, {".igs", KAI_IMPORT_IGES}, {".msh", KAI_IMPORT_MSH},
    {".gltf", KAI_IMPORT_GLTF}, {".glb", KAI_IMPORT_GLB},  {".dae", KAI_IMPORT_DAE}};

// What a file begins with, as messages name it.
static const char* const BEGINNINGS[KAI_IMPORT_FORMATS] = {
    [KAI_IMPORT_STEP] = "\"ISO-10303-21;\"",
    [KAI_IMPORT_BREP] = "\"DBRep_DrawableShape\" or \"CASCADE Topology V\"",
    [KAI_IMPORT_IGES] = "a line of 80 characters with S in column 73",
    [KAI_IMPORT_MSH] = "\"$MeshFormat\"",
    [KAI_IMPORT_GLTF] = "\"{\"",
    [KAI_IMPORT_GLB] = "\"glTF\"",
    [KAI_IMPORT_DAE] = "XML whose first element is COLLADA"};

kai_import_format kai_import_format_of(const char* name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < KAI_COUNT(ENDINGS); i++) {
        const size_t m = strlen(ENDINGS[i].end);
        if (n > m && strcasecmp(name + n - m, ENDINGS[i].end) == 0) return ENDINGS[i].format;
    }
    return KAI_IMPORT_NONE;
}

// Passes over a byte order mark and blanks.
static void skip_blanks(const char** at, const char* end)
{
    if (end - *at >= 3 && memcmp(*at, "\xEF\xBB\xBF", 3) == 0) *at += 3;
    while (*at < end && strchr(" \t\r\n", **at) && **at) ++*at;
}

static bool import_format_begins(const char* at, const char* end, const char* with)
{
    const size_t n = strlen(with);
    return (size_t)(end - at) >= n && memcmp(at, with, n) == 0;
}

static bool is_brep(const char* at, const char* end)
{
    if (import_format_begins(at, end, "DBRep_DrawableShape")) {
        at += strlen("DBRep_DrawableShape");
        skip_blanks(&at, end);
    }
    return import_format_begins(at, end, "CASCADE Topology V");
}

static bool is_iges(const char* at, const char* end)
{
    if (end - at < 80 || memchr(at, '\n', 80) || at[72] != 'S') return false;
    for (int i = 73; i < 80; i++)
        if (at[i] != ' ' && (at[i] < '0' || at[i] > '9')) return false;
    return true;
}

// The first element, after declarations and comments, is COLLADA. There is no document type: that
// could name other files and grow without bound.
static bool is_collada(const char* at, const char* end)
{
    for (;;) {
        skip_blanks(&at, end);
        const char* close = import_format_begins(at, end, "<!--") ? "-->"
                            : import_format_begins(at, end, "<?") ? "?>"
                                                                  : NULL;
        if (!close) break;
        at = memmem(at, (size_t)(end - at), close, strlen(close));
        if (!at) return false;
        at += strlen(close);
    }
    return import_format_begins(at, end, "<COLLADA") && end - at > 8 && strchr(" \t\r\n>", at[8]) &&
           at[8];
}

static bool import_format_fits(kai_import_format format, const char* bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    if (format == KAI_IMPORT_IGES) return is_iges(at, end);
    if (format == KAI_IMPORT_MSH) return import_format_begins(at, end, "$MeshFormat");
    if (format == KAI_IMPORT_GLB) return import_format_begins(at, end, "glTF");
    skip_blanks(&at, end);
    if (format == KAI_IMPORT_STEP) return import_format_begins(at, end, "ISO-10303-21;");
    if (format == KAI_IMPORT_BREP) return is_brep(at, end);
    if (format == KAI_IMPORT_GLTF) return import_format_begins(at, end, "{");
    return format == KAI_IMPORT_DAE && is_collada(at, end);
}

kai_result kai_import_format_check(kai_import_format format, const char* bytes, size_t size,
                                   kai_error* err)
{
    if (format <= KAI_IMPORT_NONE || format >= KAI_IMPORT_FORMATS)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "format %d is not known", (int)format);
    if (import_format_fits(format, bytes, size)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT,
                         "it is not what its name tells: it must begin with %s",
                         BEGINNINGS[format]);
}
