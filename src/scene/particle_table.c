// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/particle_table.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define BUFFER_BYTES ((size_t)1 << 20)
_Static_assert(BUFFER_BYTES > 2 * KAI_PARTICLE_TABLE_LINE, "a buffer holds whole lines");

// Columns ----------------------------------------------------------------------------------------

typedef struct column_info {
    const char *name, *unit;
    int group;
} column_info;

static const column_info COLUMNS[KAI_PARTICLE_TABLE_COUNT] = {
#define COLUMN_INFO(name, group, unit) {#name, unit, group},
    KAI_PARTICLE_TABLE_COLUMNS(COLUMN_INFO)
#undef COLUMN_INFO
};

const char* kai_particle_table_name(size_t column) { return COLUMNS[column].name; }
const char* kai_particle_table_unit(size_t column) { return COLUMNS[column].unit; }

static const char* column_name(size_t i, const void* context)
{
    (void)context;
    return COLUMNS[i].name;
}

// The reader -------------------------------------------------------------------------------------

typedef struct table_reader {
    const char* name;
    kai_particle_table_data* data;
    kai_problems* problems;
    size_t limit;                        // of memory, bytes
    size_t line;                         // 1-based, of the line being read
    size_t found;                        // problems so far
    int order[KAI_PARTICLE_TABLE_COUNT]; // column of each cell
    size_t cells;                        // how many the header has; 0: no header yet
} table_reader;

// A part of a line.
typedef struct span {
    const char *begin, *end;
} span;

static void particle_table_report(table_reader* r, const char* line, const char* at,
                                  const char* format, ...) __attribute__((format(printf, 4, 5)));

static void particle_table_report(table_reader* r, const char* line, const char* at,
                                  const char* format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const int column = (int)(at - line) + 1;
    kai_problems_add(r->problems, KAI_ERROR_FORMAT, (int)r->line, column, "%s:%zu:%d: %s", r->name,
                     r->line, column, text);
    r->found++;
}

static span particle_table_trim(span s)
{
    while (s.begin < s.end && (*s.begin == ' ' || *s.begin == '\t')) s.begin++;
    while (s.begin < s.end && (s.end[-1] == ' ' || s.end[-1] == '\t')) s.end--;
    return s;
}

// Cuts the next cell off `rest`; false when there is none. After the last cell rest->begin is NULL.
static bool next_cell(span* rest, span* cell)
{
    if (!rest->begin) return false;
    const char* comma = memchr(rest->begin, ',', (size_t)(rest->end - rest->begin));
    *cell = particle_table_trim((span){rest->begin, comma ? comma : rest->end});
    rest->begin = comma ? comma + 1 : NULL;
    return true;
}

// A cell as a text for messages, without what could not be shown.
static void cell_text(span cell, char out[41])
{
    size_t n = 0;
    for (const char* c = cell.begin; c < cell.end && n < 40; c++)
        out[n++] = (*c >= 0x20 && *c < 0x7f) ? *c : '?';
    out[n] = '\0';
}

// The header -------------------------------------------------------------------------------------

static void header_cell(table_reader* r, const char* line, span cell,
                        bool seen[KAI_PARTICLE_TABLE_COUNT])
{
    char text[41];
    cell_text(cell, text);
    size_t column = 0;
    while (column < KAI_PARTICLE_TABLE_COUNT && strcmp(text, COLUMNS[column].name) != 0) column++;
    if (column == KAI_PARTICLE_TABLE_COUNT) {
        const char* near = kai_text_nearest(text, KAI_PARTICLE_TABLE_COUNT, column_name, NULL);
        if (near)
            particle_table_report(r, line, cell.begin,
                                  "unknown column \"%s\"; did you mean \"%s\"?", text, near);
        else
            particle_table_report(
                r, line, cell.begin,
                "unknown column \"%s\"; allowed: x, y, z, vx, vy, vz, qw, qx, qy, qz, wx, wy, wz, radius",
                text);
        return;
    }
    if (seen[column]) {
        particle_table_report(r, line, cell.begin, "column %s is given twice", text);
        return;
    }
    seen[column] = true;
    r->order[r->cells++] = (int)column;
}

// Every group of columns is whole or absent; the position is needed.
static void check_groups(table_reader* r, const char* line,
                         const bool seen[KAI_PARTICLE_TABLE_COUNT])
{
    for (size_t i = 0; i < KAI_PARTICLE_TABLE_COUNT; i++) {
        bool started = COLUMNS[i].group == 0;
        const char* other = NULL;
        for (size_t j = 0; j < KAI_PARTICLE_TABLE_COUNT; j++)
            if (COLUMNS[j].group == COLUMNS[i].group && seen[j])
                started = true, other = COLUMNS[j].name;
        if (!started || seen[i]) continue;
        if (other)
            particle_table_report(r, line, line, "column %s is missing; %s is there",
                                  COLUMNS[i].name, other);
        else
            particle_table_report(r, line, line, "column %s is missing", COLUMNS[i].name);
    }
}

static void read_header(table_reader* r, span line)
{
    bool seen[KAI_PARTICLE_TABLE_COUNT] = {false};
    span rest = line, cell;
    // Names are checked one by one; a header with hundreds of them stops at the limit of problems.
    while (next_cell(&rest, &cell) && r->found < KAI_PARTICLE_TABLE_PROBLEMS) {
        header_cell(r, line.begin, cell, seen);
    }
    if (r->found == 0) check_groups(r, line.begin, seen);
}

// Rows -------------------------------------------------------------------------------------------

// Bytes of a particle in a world: pose, motion, mass and force of its body, a cache line each, and
// its shape.
#define PARTICLE_BYTES (5 * KAI_ALIGNMENT)

/// Whether one row more, and the particle that it becomes, lie within the limit.
static bool has_room(table_reader* r, const char* line)
{
    const size_t each = r->cells * sizeof(double) + PARTICLE_BYTES;
    if (kai_memory_fits(r->limit, (double)r->data->count + 1.0, (double)each)) return true;
    char limit[24];
    kai_memory_text((double)r->limit, limit);
    particle_table_report(
        r, line, line,
        "table has more than %zu rows; each needs about %zu bytes, and the limit of memory is "
        "%s (--memory)",
        r->data->count, each, limit);
    return false;
}

static bool particle_table_grow(table_reader* r)
{
    kai_particle_table_data* data = r->data;
    if (data->count < data->capacity) return true;
    size_t capacity = data->capacity ? data->capacity + data->capacity / 2 : 1024;
    const size_t most = r->limit / (r->cells * sizeof(double) + PARTICLE_BYTES) + 1;
    if (capacity > most) capacity = most;
    for (size_t i = 0; i < r->cells; i++) {
        double** column = &data->column[r->order[i]];
        double* grown = realloc(*column, capacity * sizeof(double));
        if (!grown) return false;
        *column = grown;
    }
    data->capacity = capacity;
    return true;
}

static void number_problem(table_reader* r, const char* line, span cell, size_t column,
                           kai_number_status status)
{
    char text[41];
    cell_text(cell, text);
    const char* name = COLUMNS[column].name;
    if (status == KAI_NUMBER_TOO_LARGE)
        particle_table_report(r, line, cell.begin, "%s is %s; numbers must be finite", name, text);
    else if (status == KAI_NUMBER_TOO_LONG)
        particle_table_report(r, line, cell.begin, "%s has more than %d characters", name,
                              KAI_NUMBER_LONGEST);
    else if (cell.begin == cell.end)
        particle_table_report(r, line, cell.begin, "%s is empty; must be a number", name);
    else
        particle_table_report(r, line, cell.begin, "%s is \"%s\"; must be a number", name, text);
}

// Rules that involve the numbers themselves.
static void check_row(table_reader* r, const char* line)
{
    double* const* c = r->data->column;
    const size_t i = r->data->count;
    const double* radius = c[KAI_PARTICLE_TABLE_radius];
    if (radius && !(radius[i] > 0.0))
        particle_table_report(r, line, line, "radius is %.15g m; must be > 0", radius[i]);
    if (!c[KAI_PARTICLE_TABLE_qw]) return;
    const kai_quat q = {c[KAI_PARTICLE_TABLE_qw][i], c[KAI_PARTICLE_TABLE_qx][i],
                        c[KAI_PARTICLE_TABLE_qy][i], c[KAI_PARTICLE_TABLE_qz][i]};
    if (!kai_quat_is_unit(q, 1e-3))
        particle_table_report(r, line, line, "qw,qx,qy,qz has length %.6g; must be 1",
                              sqrt(kai_quat_norm2(q)));
}

static kai_result read_row(table_reader* r, span line)
{
    if (!has_room(r, line.begin)) return KAI_ERROR_LIMIT;
    if (!particle_table_grow(r)) return KAI_ERROR_MEMORY;
    const size_t before = r->found;
    span rest = line, cell;
    size_t count = 0;
    while (next_cell(&rest, &cell)) {
        if (count < r->cells) {
            const size_t column = (size_t)r->order[count];
            double* out = &r->data->column[column][r->data->count];
            const kai_number_status status = kai_number_parse(cell.begin, cell.end, out);
            if (status != KAI_NUMBER_OK) number_problem(r, line.begin, cell, column, status);
        }
        count++;
    }
    if (count != r->cells)
        particle_table_report(r, line.begin, line.begin, "row has %zu cells; the header has %zu",
                              count, r->cells);
    else if (r->found == before)
        check_row(r, line.begin);
    if (r->found == before) r->data->count++;
    return KAI_OK;
}

static kai_result read_line(table_reader* r, span line)
{
    r->line++;
    if (r->line > (size_t)KAI_PARTICLE_TABLE_ROWS + 1) {
        particle_table_report(r, line.begin, line.begin, "table has more than %d rows",
                              KAI_PARTICLE_TABLE_ROWS);
        return KAI_ERROR_LIMIT;
    }
    if (r->line == 1 && line.end - line.begin >= 3 && memcmp(line.begin, "\xef\xbb\xbf", 3) == 0)
        line.begin += 3; // a byte order mark
    if (line.end > line.begin && line.end[-1] == '\r') line.end--;
    const span content = particle_table_trim(line);
    if (content.begin == content.end) return KAI_OK;
    if (r->cells == 0) {
        read_header(r, line);
        return r->found ? KAI_ERROR_FORMAT : KAI_OK;
    }
    KAI_TRY(read_row(r, line));
    return r->found < KAI_PARTICLE_TABLE_PROBLEMS ? KAI_OK : KAI_ERROR_FORMAT;
}

// The file ---------------------------------------------------------------------------------------

// Reads every whole line of buffer[0, *size) and moves the rest to its front; the last line when
// `ended`.
static kai_result read_lines(table_reader* r, char* buffer, size_t* size, bool ended)
{
    char *begin = buffer, *end = buffer + *size;
    for (;;) {
        char* newline = memchr(begin, '\n', (size_t)(end - begin));
        if ((size_t)((newline ? newline : end) - begin) > KAI_PARTICLE_TABLE_LINE) {
            r->line++;
            particle_table_report(r, begin, begin, "line is longer than %d bytes",
                                  KAI_PARTICLE_TABLE_LINE);
            return KAI_ERROR_LIMIT;
        }
        if (!newline && !(ended && begin < end)) break;
        KAI_TRY(read_line(r, (span){begin, newline ? newline : end}));
        begin = newline ? newline + 1 : end;
    }
    *size = (size_t)(end - begin);
    memmove(buffer, begin, *size);
    return KAI_OK;
}

static kai_result read_stream(table_reader* r, gzFile file, char* buffer)
{
    size_t size = 0;
    for (;;) {
        const int got = gzread(file, buffer + size, (unsigned)(BUFFER_BYTES - size));
        int code = Z_OK;
        const char* text = gzerror(file, &code);
        if (got < 0 || code == Z_BUF_ERROR) {
            kai_problems_add(r->problems, KAI_ERROR_FILE, 0, 0, "%s: cannot be read: %s", r->name,
                             code == Z_BUF_ERROR ? "the gzip data ends too early" : text);
            r->found++;
            return KAI_ERROR_FILE;
        }
        size += (size_t)got;
        KAI_TRY(read_lines(r, buffer, &size, got == 0));
        if (got == 0) return KAI_OK;
    }
}

kai_result kai_particle_table_read(int fd, const char* name, size_t limit,
                                   kai_particle_table_data* out, kai_problems* problems)
{
    *out = (kai_particle_table_data){0};
    table_reader r = {.name = name, .data = out, .problems = problems, .limit = limit};
    gzFile file = gzdopen(fd, "rb");
    char* buffer = malloc(BUFFER_BYTES);
    kai_result result = KAI_ERROR_MEMORY;
    if (file && buffer) {
        gzbuffer(file, 1u << 17);
        result = read_stream(&r, file, buffer);
    }
    if (result == KAI_OK && r.found == 0 && out->count == 0) {
        r.line = r.line ? r.line : 1;
        particle_table_report(&r, buffer, buffer,
                              r.cells ? "table has a header but no rows"
                                      : "table is empty; needs a header");
    }
    free(buffer);
    if (file)
        gzclose_r(file);
    else
        close(fd);
    if (result != KAI_ERROR_MEMORY && r.found) result = KAI_ERROR_FORMAT;
    if (result != KAI_OK) kai_particle_table_free(out);
    return result;
}

// What follows -----------------------------------------------------------------------------------

kai_particle_table kai_particle_table_view(const kai_particle_table_data* data)
{
    return (kai_particle_table){.count = data->count,
#define VIEW(name, group, unit) .name = data->column[KAI_PARTICLE_TABLE_##name],
                                KAI_PARTICLE_TABLE_COLUMNS(VIEW)
#undef VIEW
    };
}

// Turns three columns, where they are there.
static void turn_columns(kai_particle_table_data* data, size_t first, kai_quat rotation)
{
    double *x = data->column[first], *y = data->column[first + 1], *z = data->column[first + 2];
    for (size_t i = 0; x && i < data->count; i++) {
        const kai_vec3 v = kai_quat_rotate(rotation, kai_vec3_make(x[i], y[i], z[i]));
        x[i] = v.x;
        y[i] = v.y;
        z[i] = v.z;
    }
}

static bool turn_rotations(kai_particle_table_data* data, kai_quat rotation)
{
    double** q = &data->column[KAI_PARTICLE_TABLE_qw];
    const bool given = q[0] != NULL;
    for (int k = 0; k < 4 && !given; k++) {
        q[k] = calloc(data->count ? data->count : 1, sizeof *q[k]);
        if (!q[k]) return false;
    }
    for (size_t i = 0; i < data->count; i++) {
        const kai_quat own =
            given ? (kai_quat){q[0][i], q[1][i], q[2][i], q[3][i]} : kai_quat_identity();
        const kai_quat r = kai_quat_mul(rotation, own);
        q[0][i] = r.w;
        q[1][i] = r.x;
        q[2][i] = r.y;
        q[3][i] = r.z;
    }
    return true;
}

bool kai_particle_table_place(kai_particle_table_data* data, kai_vec3 at, kai_quat rotation)
{
    const double shift[3] = {at.x, at.y, at.z};
    if (rotation.x != 0.0 || rotation.y != 0.0 || rotation.z != 0.0) {
        turn_columns(data, KAI_PARTICLE_TABLE_x, rotation);
        turn_columns(data, KAI_PARTICLE_TABLE_vx, rotation);
        turn_columns(data, KAI_PARTICLE_TABLE_wx, rotation);
        if (!turn_rotations(data, rotation)) return false;
    }
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; shift[k] != 0.0 && i < data->count; i++)
            data->column[KAI_PARTICLE_TABLE_x + k][i] += shift[k];
    return true;
}

uint64_t kai_particle_table_hash(const kai_particle_table_data* data, uint64_t hash)
{
    for (size_t i = 0; i < KAI_PARTICLE_TABLE_COUNT; i++) {
        const uint64_t head[2] = {i, data->column[i] ? data->count : 0};
        hash = kai_hash_bytes(hash, head, sizeof head);
        if (data->column[i])
            hash = kai_hash_bytes(hash, data->column[i], data->count * sizeof(double));
    }
    return hash;
}

void kai_particle_table_free(kai_particle_table_data* data)
{
    for (size_t i = 0; i < KAI_PARTICLE_TABLE_COUNT; i++) free(data->column[i]);
    *data = (kai_particle_table_data){0};
}
