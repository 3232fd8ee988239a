// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

#include "scene/height_file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct picture {
    uint32_t width, height;
    size_t depth;  // bytes a pixel
    uint8_t* rows; // [height * (1 + width * depth)] filter byte and pixels of each row
    size_t size;   // of rows
    z_stream stream;
    bool begun;
    size_t limit; // of memory, bytes
} picture;

static uint32_t big_endian(const char* p)
{
    const uint8_t* b = (const uint8_t*)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static kai_result height_png_bad(kai_error* err, const char* what)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "PNG: %s", what);
}

static kai_result read_header(picture* p, const char* at, uint32_t length, kai_error* err)
{
    if (length != 13 || p->rows) return height_png_bad(err, "the header is broken");
    p->width = big_endian(at);
    p->height = big_endian(at + 4);
    const int bits = at[8], color = at[9], compression = at[10], filter = at[11],
              interlace = at[12];
    if (color != 0 || (bits != 8 && bits != 16))
        return kai_error_set(err, KAI_ERROR_FORMAT,
                             "PNG: %d bits of color type %d; must be grey of 8 or 16 bits", bits,
                             color);
    if (compression != 0 || filter != 0 || interlace != 0)
        return height_png_bad(err,
                              interlace ? "is interlaced; must not be" : "the header is broken");
    p->depth = (size_t)bits / 8;
    const uint64_t size = (uint64_t)p->height * (1 + (uint64_t)p->width * p->depth);
    if (p->width == 0 || p->height == 0 || p->width > UINT32_MAX / 4 || size > KAI_HEIGHT_PNG_BYTES)
        return kai_error_set(err, KAI_ERROR_LIMIT,
                             "PNG: %u by %u pixels; at most %zu bytes of them", p->width, p->height,
                             KAI_HEIGHT_PNG_BYTES);
    KAI_TRY(kai_height_file_room(p->limit, (double)p->width * p->height, err));
    p->size = (size_t)size;
    p->rows = malloc(p->size);
    p->begun = p->rows && inflateInit(&p->stream) == Z_OK;
    if (!p->begun) return kai_error_set(err, KAI_ERROR_MEMORY, "PNG: no memory for its pixels");
    p->stream.next_out = p->rows;
    p->stream.avail_out = (uInt)p->size;
    return KAI_OK;
}

static kai_result read_pixels(picture* p, const char* at, uint32_t length, kai_error* err)
{
    if (!p->rows) return height_png_bad(err, "pixels before the header");
    if (p->stream.avail_out == 0) return KAI_OK; // more than needed does no harm
    p->stream.next_in = (Bytef*)(uintptr_t)at;
    p->stream.avail_in = length;
    const int r = inflate(&p->stream, Z_NO_FLUSH);
    if (r == Z_OK || r == Z_STREAM_END || r == Z_BUF_ERROR) return KAI_OK;
    return height_png_bad(err, "the pixels cannot be unpacked");
}

static uint8_t height_png_paeth(int a, int b, int c)
{
    const int p = a + b - c, x = abs(p - a), y = abs(p - b), z = abs(p - c);
    return (uint8_t)(x <= y && x <= z ? a : y <= z ? b : c);
}

// Takes the filters off, row by row.
static kai_result height_png_unfilter(const picture* p, kai_error* err)
{
    const size_t width = p->width * p->depth, stride = width + 1;
    for (uint32_t y = 0; y < p->height; y++) {
        uint8_t* row = p->rows + y * stride + 1;
        const uint8_t *above = y > 0 ? row - stride : NULL, filter = row[-1];
        if (filter > 4) return height_png_bad(err, "a row has an unknown filter");
        for (size_t i = 0; i < width; i++) {
            const int left = i >= p->depth ? row[i - p->depth] : 0, up = above ? above[i] : 0;
            const int corner = above && i >= p->depth ? above[i - p->depth] : 0;
            const int guess = filter == 1   ? left
                              : filter == 2 ? up
                              : filter == 3 ? (left + up) / 2
                              : filter == 4 ? height_png_paeth(left, up, corner)
                                            : 0;
            row[i] = (uint8_t)(row[i] + guess);
        }
    }
    return KAI_OK;
}

static kai_result to_table(const picture* p, kai_table* out, kai_error* err)
{
    const size_t stride = p->width * p->depth + 1;
    double* data = malloc((size_t)p->width * p->height * sizeof *data);
    if (!data) return kai_error_set(err, KAI_ERROR_MEMORY, "PNG: no memory for its heights");
    for (uint32_t y = 0; y < p->height; y++) {
        const uint8_t* row = p->rows + (p->height - 1 - y) * stride + 1;
        double* to = data + (size_t)y * p->width;
        for (uint32_t x = 0; x < p->width; x++)
            to[x] = p->depth == 1 ? row[x] / 255.0 : (row[2 * x] << 8 | row[2 * x + 1]) / 65535.0;
    }
    *out = (kai_table){data, p->height, p->width};
    return KAI_OK;
}

static kai_result read_chunks(picture* p, const char* bytes, size_t size, kai_error* err)
{
    static const char signature[8] = {'\x89', 'P', 'N', 'G', '\r', '\n', '\x1a', '\n'};
    if (size < 8 || memcmp(bytes, signature, 8) != 0) return height_png_bad(err, "it is none");
    for (size_t at = 8;;) {
        if (size - at < 12) return height_png_bad(err, "it is cut short");
        const uint32_t length = big_endian(bytes + at);
        const char* type = bytes + at + 4;
        if (length > size - at - 12) return height_png_bad(err, "it is cut short");
        const uLong sum = crc32(crc32(0, NULL, 0), (const Bytef*)type, (uInt)length + 4);
        if (sum != big_endian(bytes + at + 8 + length))
            return height_png_bad(err, "a checksum is wrong");
        if (memcmp(type, "IHDR", 4) == 0) KAI_TRY(read_header(p, type + 4, length, err));
        if (memcmp(type, "IDAT", 4) == 0) KAI_TRY(read_pixels(p, type + 4, length, err));
        if (memcmp(type, "IEND", 4) == 0) break;
        at += 12 + (size_t)length;
    }
    if (!p->rows || p->stream.avail_out > 0) return height_png_bad(err, "pixels are missing");
    return KAI_OK;
}

kai_result kai_height_png_parse(const char* bytes, size_t size, size_t limit, kai_table* out,
                                kai_error* err)
{
    picture p = {.limit = limit};
    *out = (kai_table){0};
    kai_result r = read_chunks(&p, bytes, size, err);
    if (r == KAI_OK) r = height_png_unfilter(&p, err);
    if (r == KAI_OK) r = to_table(&p, out, err);
    if (p.begun) inflateEnd(&p.stream);
    free(p.rows);
    return r;
}
