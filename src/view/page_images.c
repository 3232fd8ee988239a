// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Images of sensors: levels of 12 bits, 0 where nothing was met, else 1 + L (high - low) / 4094 above
// low; of each row the first pixel and then differences modulo 2¹⁶; of a block of images all low
// bytes, then all high ones; docs/page-format.md. Large images are thinned to every so many-th pixel,
// and where there are many, every so many-th image is here.
#include "view/page_images.h"

#include "record/file.h"
#include "record/image_read.h"
#include "view/json.h"

#include <kairos/sensor.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LEVELS = 4095,
    WIDTH_MOST = 1024, // pixels of an image on the page
    HEIGHT_MOST = 768,
    BLOCK_PIXELS = 1 << 20,
    BLOCK_IMAGES = 32
};
static const double PIXEL_BYTES = 1.5; // on the page, about

/// The images of one sensor, as they go to the page.
typedef struct film {
    kai_image_read* reader;
    kai_image_info info;
    size_t across, down;  // every so many-th column and row is shown
    size_t stride, count; // of every stride-th image: `count` of them
    size_t rows, columns; // of these
    double low, high;
    float* pixels;    // [info.rows * info.columns]
    uint16_t* levels; // [rows * columns]
    double* places;   // [count][7]
} film;

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the images of the page");
}

static void close_film(film* f)
{
    kai_image_read_close(f->reader);
    free(f->pixels);
    free(f->levels);
    free(f->places);
}

// How much of the images is shown.
static kai_result plan_film(film* f, double room, kai_error* err)
{
    const kai_image_info* i = &f->info;
    f->across = (i->columns + WIDTH_MOST - 1) / WIDTH_MOST;
    f->down = (i->rows + HEIGHT_MOST - 1) / HEIGHT_MOST;
    f->rows = (i->rows + f->down - 1) / f->down;
    f->columns = (i->columns + f->across - 1) / f->across;
    const double bytes = PIXEL_BYTES * (double)(f->rows * f->columns) * (double)i->frames;
    const double stride = ceil(bytes / room);
    f->stride = stride > 1.0 && stride < 1e9 ? (size_t)stride : 1;
    f->count = (i->frames + f->stride - 1) / f->stride;
    f->low = isfinite(i->range[0]) ? i->range[0] : 0.0;
    f->high = i->range[1] > f->low && isfinite(i->range[1]) ? i->range[1] : f->low + 1.0;
    f->pixels = malloc((size_t)i->rows * i->columns * sizeof *f->pixels);
    f->levels = malloc(f->rows * f->columns * sizeof *f->levels);
    f->places = malloc((7 * f->count + 1) * sizeof *f->places);
    return f->pixels && f->levels && f->places ? KAI_OK : no_memory(err);
}

static uint16_t level_of(const film* f, double x)
{
    if (!(x < HUGE_VAL) || x < f->low || x > f->high) return 0;
    return (uint16_t)(1 + lrint((LEVELS - 1) * (x - f->low) / (f->high - f->low)));
}

// One image, thinned, as differences along its rows, to the two planes of a block.
static void add_image(film* f, kai_text planes[2])
{
    for (size_t r = 0; r < f->rows; r++) {
        uint16_t before = 0;
        for (size_t c = 0; c < f->columns; c++) {
            const float x = f->pixels[r * f->down * f->info.columns + c * f->across];
            const uint16_t level = level_of(f, (double)x);
            f->levels[r * f->columns + c] = (uint16_t)(level - before);
            before = level;
        }
    }
    const size_t n = f->rows * f->columns;
    for (int p = 0; p < 2; p++) {
        char* to = kai_text_room(&planes[p], n);
        for (size_t i = 0; to && i < n; i++) to[i] = (char)(f->levels[i] >> (8 * p));
    }
}

static kai_result write_blocks(film* f, kai_chunks* chunks, kai_text* to, kai_error* err)
{
    kai_text planes[2] = {{0}, {0}};
    size_t first = 0, held = 0;
    kai_result r = KAI_OK;
    kai_text_add(to, ",\"blocks\":[");
    for (size_t k = 0; r == KAI_OK && k < f->count; k++) {
        r = kai_image_read_image(f->reader, k * f->stride, f->pixels, f->places + 7 * k, err);
        if (r == KAI_OK) add_image(f, planes);
        held++;
        const bool full = held == BLOCK_IMAGES || planes[0].size >= BLOCK_PIXELS;
        if (r != KAI_OK || (!full && k + 1 < f->count)) continue;
        size_t chunk = 0;
        kai_text_add_bytes(&planes[0], planes[1].data, planes[1].size);
        if (planes[0].failed || planes[1].failed) r = no_memory(err);
        if (r == KAI_OK) r = kai_chunks_pack(chunks, planes[0].data, planes[0].size, &chunk, err);
        kai_text_add(to, "%s{\"first\":%zu,\"count\":%zu,\"chunk\":%zu}", first ? "," : "", first,
                     held, chunk);
        first += held;
        held = 0;
        planes[0].size = planes[1].size = 0;
    }
    kai_text_free(&planes[0]);
    kai_text_free(&planes[1]);
    kai_text_add(to, "]");
    return r;
}

static kai_result write_numbers(const film* f, kai_chunks* chunks, kai_text* to, kai_error* err)
{
    size_t times, places;
    double* shown = malloc((f->count + 1) * sizeof *shown);
    if (!shown) return no_memory(err);
    for (size_t k = 0; k < f->count; k++) shown[k] = f->info.times[k * f->stride];
    kai_result r = kai_chunks_pack(chunks, shown, f->count * sizeof *shown, &times, err);
    free(shown);
    if (r == KAI_OK)
        r = kai_chunks_pack(chunks, f->places, 7 * f->count * sizeof *f->places, &places, err);
    if (r == KAI_OK)
        kai_text_add(to, ",\"times\":{\"chunk\":%zu},\"places\":{\"chunk\":%zu}", times, places);
    return r;
}

static void add_pair(kai_text* to, const char* key, const double* pair)
{
    if (!isfinite(pair[0]) || !isfinite(pair[1])) return;
    kai_text_add(to, ",\"%s\":", key);
    kai_json_numbers(to, pair, 2);
}

static kai_result write_film(film* f, kai_chunks* chunks, kai_text* to, kai_error* err)
{
    const kai_image_info* i = &f->info;
    const double range[2] = {f->low, f->high};
    kai_text_add(to, "{\"name\":");
    kai_json_string(to, i->sensor);
    kai_text_add(to, ",\"kind\":");
    kai_json_string(to, i->kind);
    kai_text_add(to, ",\"quantity\":");
    kai_json_string(to, i->quantity);
    kai_text_add(to, ",\"unit\":");
    kai_json_string(to, i->unit);
    kai_text_add(to, ",\"count\":%zu,\"rows\":%zu,\"columns\":%zu,\"full\":[%u,%u]", f->count,
                 f->rows, f->columns, i->rows, i->columns);
    kai_text_add(to, ",\"step\":[%zu,%zu],\"stride\":%zu,\"levels\":%d", f->down, f->across,
                 f->stride, LEVELS);
    add_pair(to, "range", range);
    add_pair(to, "horizontal", i->horizontal);
    add_pair(to, "vertical", i->vertical);
    if (isfinite(i->field_of_view)) {
        kai_text_add(to, ",\"field_of_view\":");
        kai_json_number(to, i->field_of_view);
    }
    KAI_TRY(write_blocks(f, chunks, to, err));
    KAI_TRY(write_numbers(f, chunks, to, err));
    kai_text_add(to, "}");
    return KAI_OK;
}

// The file of the images of a sensor in a folder, in a new block; NULL: none.
static char* file_of(const kai_world* world, kai_sensor sensor, const char* folder)
{
    const kai_sensor_kind* kind;
    const void* instance;
    if (kai_sensor_get(world, sensor, &kind, &instance) != KAI_OK || !kind->image) return NULL;
    const char* name = ((const kai_sensor_base*)instance)->file.text;
    char* path = name[0] ? kai_file_join(folder, name) : NULL;
    if (path && access(path, F_OK) == 0) return path;
    free(path);
    return NULL;
}

kai_result kai_page_images_write(const kai_world* world, const char* folder, double room,
                                 kai_chunks* chunks, kai_text* to, kai_error* err)
{
    size_t written = 0;
    kai_text_add(to, ",\"images\":[");
    for (size_t i = 0; i < kai_sensor_count(world); i++) {
        char* path = file_of(world, kai_sensor_at(world, i), folder);
        if (!path) continue;
        film f = {0};
        kai_result r = kai_image_read_open(&f.reader, path, err);
        free(path);
        if (r == KAI_ERROR_MEMORY) return r;
        if (r != KAI_OK) continue; // a run that failed early may lack some
        f.info = kai_image_read_info(f.reader);
        if (f.info.frames > 0) {
            r = plan_film(&f, room / (double)kai_sensor_count(world), err);
            if (r == KAI_OK && written++ > 0) kai_text_add(to, ",");
            if (r == KAI_OK) r = write_film(&f, chunks, to, err);
        }
        close_film(&f);
        KAI_TRY(r);
    }
    kai_text_add(to, "]");
    return KAI_OK;
}
