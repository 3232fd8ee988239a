// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/mesh_text.h"

#include "base/number.h"

#include <kairos/math.h>

#include <stdbool.h>
#include <string.h>

// Lines and words --------------------------------------------------------------------------------

typedef struct reader {
    kai_mesh_text* mesh;
    const char *at, *end; // what is left of the file
    const char *word, *line_end;
    size_t line; // 1-based
    kai_error* err;
} reader;

typedef struct span {
    const char *begin, *end;
} span;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

// Goes to the next line; false after the last.
static bool next_line(reader* r)
{
    if (r->at == r->end) return false;
    const char* stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->word = r->at;
    r->line_end = stop ? stop : r->end;
    r->at = stop ? stop + 1 : r->end;
    r->line++;
    return true;
}

// The next word of the line, empty when there is none; a comment ends the line.
static span next_word(reader* r)
{
    while (r->word < r->line_end && is_blank(*r->word)) r->word++;
    const char* begin = r->word;
    if (begin < r->line_end && *begin == '#') r->word = r->line_end;
    while (r->word < r->line_end && !is_blank(*r->word)) r->word++;
    if (begin < r->line_end && *begin == '#') begin = r->line_end;
    return (span){begin, r->word};
}

static bool mesh_text_is(span s, const char* word)
{
    const size_t n = strlen(word);
    return (size_t)(s.end - s.begin) == n && memcmp(s.begin, word, n) == 0;
}

static kai_result mesh_text_bad(const reader* r, span s, const char* wanted)
{
    char text[41];
    size_t n = 0;
    for (const char* c = s.begin; c < s.end && n < 40; c++)
        text[n++] = *c >= 0x20 && *c < 0x7f ? *c : '?';
    text[n] = '\0';
    return kai_error_set(r->err, KAI_ERROR_FORMAT, "line %zu: \"%s\" must be %s", r->line, text,
                         wanted);
}

static kai_result read_point(reader* r)
{
    double c[3];
    for (int k = 0; k < 3; k++) {
        const span s = next_word(r);
        if (s.begin == s.end || kai_number_parse(s.begin, s.end, &c[k]) != KAI_NUMBER_OK)
            return mesh_text_bad(r, s, "a number: a point has three");
    }
    const kai_vec3 p = kai_vec3_make(c[0], c[1], c[2]);
    if (r->mesh->points.count >= UINT32_MAX / 4)
        return kai_error_set(r->err, KAI_ERROR_LIMIT, "line %zu: more than %u points", r->line,
                             UINT32_MAX / 4);
    return kai_array_append(&r->mesh->points, r->mesh->memory, &p, 1, r->err);
}

// Polygons ---------------------------------------------------------------------------------------

typedef struct flat {
    double x, y;
} flat;

static double mesh_text_turn(flat a, flat b, flat c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Puts the corners into the plane that fits them, by dropping the longest axis of Newell's normal.
static void mesh_text_flatten(const kai_mesh_text* mesh, const uint32_t* corners, size_t count,
                              flat* out)
{
    const kai_vec3* points = mesh->points.data;
    const kai_vec3 o = points[corners[0]];
    kai_vec3 n = kai_vec3_zero();
    for (size_t i = 1; i + 1 < count; i++)
        n = kai_vec3_add(n, kai_vec3_cross(kai_vec3_sub(points[corners[i]], o),
                                           kai_vec3_sub(points[corners[i + 1]], o)));
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    for (size_t i = 0; i < count; i++) {
        const kai_vec3 p = points[corners[i]];
        if (z >= x && z >= y)
            out[i] = n.z > 0.0 ? (flat){p.x, p.y} : (flat){p.y, p.x};
        else if (y >= x)
            out[i] = n.y > 0.0 ? (flat){p.z, p.x} : (flat){p.x, p.z};
        else
            out[i] = n.x > 0.0 ? (flat){p.y, p.z} : (flat){p.z, p.y};
    }
}

// Whether corner i of the ring can be cut off: it is convex and holds no other corner.
static bool is_ear(const flat* ring, size_t count, size_t i)
{
    const size_t h = (i + count - 1) % count, j = (i + 1) % count;
    if (mesh_text_turn(ring[h], ring[i], ring[j]) <= 0.0) return false;
    for (size_t k = 0; k < count; k++) {
        if (k == h || k == i || k == j) continue;
        if (mesh_text_turn(ring[h], ring[i], ring[k]) >= 0.0 &&
            mesh_text_turn(ring[i], ring[j], ring[k]) >= 0.0 &&
            mesh_text_turn(ring[j], ring[h], ring[k]) >= 0.0)
            return false;
    }
    return true;
}

kai_result kai_mesh_text_polygon(kai_mesh_text* mesh, const uint32_t* corners, size_t count,
                                 kai_error* err)
{
    flat ring[KAI_MESH_TEXT_CORNERS];
    uint32_t left[KAI_MESH_TEXT_CORNERS];
    memcpy(left, corners, count * sizeof *left);
    if (count > 3) mesh_text_flatten(mesh, corners, count, ring);
    while (count >= 3) {
        // Where no corner is an ear (a ring that crosses itself), any will do.
        size_t i = 1;
        if (count > 3) {
            for (i = 0; i < count && !is_ear(ring, count, i); i++) {}
            if (i == count) i = 1;
        }
        const uint32_t t[3] = {left[(i + count - 1) % count], left[i], left[(i + 1) % count]};
        KAI_TRY(kai_array_append(&mesh->triangles, mesh->memory, t, 1, err));
        memmove(left + i, left + i + 1, (count - i - 1) * sizeof *left);
        memmove(ring + i, ring + i + 1, (count - i - 1) * sizeof *ring);
        count--;
    }
    return KAI_OK;
}

// OBJ --------------------------------------------------------------------------------------------

// The vertex of "7", "7/1", "7//3" or "-1/2/3": counted from 1, or backwards from the last.
static kai_result read_corner(const reader* r, span s, uint32_t* out)
{
    const char* slash = memchr(s.begin, '/', (size_t)(s.end - s.begin));
    const char* stop = slash ? slash : s.end;
    const bool back = s.begin < stop && *s.begin == '-';
    const size_t count = r->mesh->points.count;
    uint64_t n = 0;
    const char* c = s.begin + back;
    for (; c < stop && *c >= '0' && *c <= '9' && n <= UINT32_MAX; c++)
        n = 10 * n + (uint64_t)(*c - '0');
    if (c != stop || stop == s.begin + back || n == 0)
        return mesh_text_bad(r, s, "the number of a vertex, as in 7, 7/1 or -1");
    if (n > count)
        return kai_error_set(r->err, KAI_ERROR_FORMAT,
                             "line %zu: vertex %s%llu does not exist; there are %zu so far",
                             r->line, back ? "-" : "", (unsigned long long)n, count);
    *out = (uint32_t)(back ? count - n : n - 1);
    return KAI_OK;
}

static kai_result read_face(reader* r)
{
    uint32_t corners[KAI_MESH_TEXT_CORNERS];
    size_t count = 0;
    for (;;) {
        const span s = next_word(r);
        if (s.begin == s.end) break;
        if (count == KAI_MESH_TEXT_CORNERS)
            return kai_error_set(r->err, KAI_ERROR_LIMIT,
                                 "line %zu: a face has more than %d corners", r->line,
                                 KAI_MESH_TEXT_CORNERS);
        KAI_TRY(read_corner(r, s, &corners[count++]));
    }
    if (count < 3)
        return kai_error_set(r->err, KAI_ERROR_FORMAT,
                             "line %zu: a face has %zu corners; needs three or more", r->line,
                             count);
    return kai_mesh_text_polygon(r->mesh, corners, count, r->err);
}

kai_result kai_mesh_text_obj(kai_mesh_text* mesh, const char* text, size_t size, kai_error* err)
{
    reader r = {.mesh = mesh, .at = text, .end = text + size, .err = err};
    while (next_line(&r)) {
        const span word = next_word(&r);
        if (mesh_text_is(word, "v")) KAI_TRY(read_point(&r));
        if (mesh_text_is(word, "f")) KAI_TRY(read_face(&r));
    }
    return KAI_OK;
}

// STL --------------------------------------------------------------------------------------------

static kai_result add_corners(const reader* r)
{
    const size_t n = r->mesh->points.count;
    const uint32_t t[3] = {(uint32_t)(n - 3), (uint32_t)(n - 2), (uint32_t)(n - 1)};
    return kai_array_append(&r->mesh->triangles, r->mesh->memory, t, 1, r->err);
}

// Three "vertex" lines a facet; the other words only give it shape.
static kai_result read_stl_text(reader* r)
{
    size_t corners = 0, facet = 0;
    while (next_line(r)) {
        const span word = next_word(r);
        if (mesh_text_is(word, "facet")) {
            facet = r->line;
            corners = 0;
        } else if (mesh_text_is(word, "vertex")) {
            if (facet == 0 || corners == 3)
                return kai_error_set(r->err, KAI_ERROR_FORMAT, "line %zu: a vertex %s", r->line,
                                     facet ? "too many: a facet has three" : "outside a facet");
            KAI_TRY(read_point(r));
            corners++;
        } else if (mesh_text_is(word, "endfacet")) {
            if (corners != 3)
                return kai_error_set(r->err, KAI_ERROR_FORMAT,
                                     "line %zu: a facet with %zu vertices; needs three", r->line,
                                     corners);
            KAI_TRY(add_corners(r));
            facet = corners = 0;
        }
    }
    if (facet == 0) return KAI_OK;
    return kai_error_set(r->err, KAI_ERROR_FORMAT, "line %zu: the facet of line %zu has no end",
                         r->line, facet);
}

// 80 bytes of title, a count, and for each facet a normal, three corners (float32, little-endian)
// and two bytes.
static kai_result read_stl_binary(reader* r, uint32_t count)
{
    const char* at = r->at + 84;
    for (uint32_t i = 0; i < count; i++, at += 50) {
        for (int k = 0; k < 3; k++) {
            float c[3];
            memcpy(c, at + 12 + 12 * k, sizeof c);
            const kai_vec3 p = kai_vec3_make((double)c[0], (double)c[1], (double)c[2]);
            if (!kai_vec3_is_finite(p))
                return kai_error_set(r->err, KAI_ERROR_FORMAT,
                                     "facet %u: corner %d is [%g, %g, %g]; must be finite", i, k,
                                     p.x, p.y, p.z);
            KAI_TRY(kai_array_append(&r->mesh->points, r->mesh->memory, &p, 1, r->err));
        }
        KAI_TRY(add_corners(r));
    }
    return KAI_OK;
}

kai_result kai_mesh_text_stl(kai_mesh_text* mesh, const char* text, size_t size, kai_error* err)
{
    reader r = {.mesh = mesh, .at = text, .end = text + size, .err = err};
    // Binary files may begin with "solid" too; only they have just the size that their count says.
    uint32_t count = 0;
    if (size >= 84) memcpy(&count, text + 80, sizeof count);
    if (size >= 84 && count <= UINT32_MAX / 12 && size == 84 + 50 * (size_t)count)
        return read_stl_binary(&r, count);
    while (size > 0 && (is_blank(*text) || *text == '\n')) text++, size--;
    if (size >= 5 && memcmp(text, "solid", 5) == 0) return read_stl_text(&r);
    return kai_error_set(err, KAI_ERROR_FORMAT,
                         "neither text that begins with \"solid\" nor a binary STL of %u facets "
                         "(%zu bytes)",
                         count, size);
}
