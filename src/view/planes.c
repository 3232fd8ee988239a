// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/planes.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "view/codec.h"
#include "view/deflate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 24576,         // most movers of a slice: finding a code costs as much as packing 2 kB
    PIECE = 16384,         // bytes of a plane that are packed in one go, about
    FEW = 64,              // movers below which a general compression of whole blocks is better
    TILE = 1024,           // movers that are rounded in one go
    PLANES = 3 * 4 + 4 * 2 // x y z of 4 bytes, w x y z of 2
};

// A piece of a plane: where it lies among a slice's bytes, or zeros.
typedef struct piece {
    size_t first, size;
    uint64_t length; // bytes that it stands for
    uint32_t checksum;
    bool zeros;
} piece;

typedef struct slice {
    size_t first, movers, rotated;
    size_t group;           // frames that wait
    uint32_t* position;     // [3][movers] of the frame before, modulo 2^32
    uint32_t* change;       // [3][movers] from the frame before that to it
    int16_t* rotation;      // [rotated][4] of the frame before
    uint8_t* bytes[PLANES]; // [frames of a group][movers] that wait
    bool zeros[PLANES];     // nothing but zeros waits: bytes were not written
    piece* pieces[PLANES];  // [piece_count]
    size_t piece_count;
    kai_text packed;
    uint64_t beyond;
} slice;

struct kai_planes {
    kai_planes_def def;
    size_t group; // frames that are packed in one go
    size_t frame; // frames of the block so far
    slice* slices;
    size_t slice_count;
    const kai_trajectory_places* places; // the frame that is being added
    const uint32_t* rows;
};

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the frames of the page");
}

// Making -----------------------------------------------------------------------------------------

static bool make_slice(const kai_planes* p, slice* s)
{
    const size_t n = s->movers, pieces = p->def.frames / p->group + 1;
    s->position = calloc(3 * n + 1, sizeof *s->position);
    s->change = calloc(3 * n + 1, sizeof *s->change);
    s->rotation = calloc(4 * s->rotated + 1, sizeof *s->rotation);
    bool good = s->position && s->change && s->rotation;
    for (size_t i = 0; good && i < s->rotated; i++)
        s->rotation[4 * i] = (int16_t)(1.0 / KAI_CODEC_ROTATION_STEP);
    for (int k = 0; good && k < PLANES; k++) {
        s->bytes[k] = malloc(p->group * (k < 12 ? n : s->rotated) + 1);
        s->pieces[k] = calloc(pieces, sizeof *s->pieces[k]);
        s->zeros[k] = true;
        good = s->bytes[k] && s->pieces[k];
    }
    return good;
}

kai_result kai_planes_make(kai_planes** out, const kai_planes_def* def, kai_error* err)
{
    kai_planes* p = calloc(1, sizeof *p);
    *out = NULL;
    if (p == NULL) return no_memory(err);
    const size_t n = def->movers, count = n > 0 ? (n + SLICE - 1) / SLICE : 1;
    p->def = *def;
    p->group = count > 1 ? 1 : n > 0 ? (PIECE + n - 1) / n : 1;
    if (p->group > def->frames || n < FEW) p->group = def->frames > 0 ? def->frames : 1;
    p->slices = calloc(count, sizeof *p->slices);
    p->slice_count = p->slices != NULL ? count : 0;
    bool good = p->slices != NULL;
    for (size_t i = 0; good && i < count; i++) {
        slice* s = &p->slices[i];
        s->first = i * n / count;
        s->movers = (i + 1) * n / count - s->first;
        s->rotated = def->rotated > s->first ? def->rotated - s->first : 0;
        if (s->rotated > s->movers) s->rotated = s->movers;
        good = make_slice(p, s);
    }
    if (!good) {
        kai_planes_free(p);
        return no_memory(err);
    }
    *out = p;
    return KAI_OK;
}

void kai_planes_free(kai_planes* p)
{
    if (p == NULL) return;
    for (size_t i = 0; i < p->slice_count; i++) {
        slice* s = &p->slices[i];
        free(s->position);
        free(s->change);
        free(s->rotation);
        for (int k = 0; k < PLANES; k++) {
            free(s->bytes[k]);
            free(s->pieces[k]);
        }
        kai_text_free(&s->packed);
    }
    free(p->slices);
    free(p);
}

uint64_t kai_planes_beyond(const kai_planes* p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->slice_count; i++) sum += p->slices[i].beyond;
    return sum;
}

// Packing ----------------------------------------------------------------------------------------

static size_t width_of(const slice* s, int plane) { return plane < 12 ? s->movers : s->rotated; }

// Packs what waits in a slice.
static void pack_group(slice* s)
{
    for (int k = 0; k < PLANES; k++) {
        piece* to = &s->pieces[k][s->piece_count];
        *to = (piece){
            .first = s->packed.size, .length = s->group * width_of(s, k), .zeros = s->zeros[k]};
        for (size_t done = 0; !to->zeros && done < to->length;) {
            size_t n = to->length - done;
            if (n > KAI_DEFLATE_PIECE) n = PIECE;
            const uint32_t sum = kai_deflate_piece(s->bytes[k] + done, n, &s->packed);
            to->checksum = done > 0 ? kai_deflate_join(to->checksum, sum, n) : sum;
            done += n;
        }
        to->size = s->packed.size - to->first;
        s->zeros[k] = true;
    }
    s->piece_count++;
    s->group = 0;
}

// One frame's part of a plane: the bytes at `shift` of numbers whose bits are all in `any`. Planes
// of nothing but zeros are not written until something else comes.
KAI_CLONES
static void put_plane32(uint8_t* restrict to, const uint32_t* restrict v, size_t n, unsigned shift)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) to[i] = (uint8_t)(v[i] >> shift);
}

// Where `n` bytes of the waiting frame at `at` go, or NULL for zeros that need not be written.
static uint8_t* place_in(slice* s, int plane, size_t at, size_t n, bool zeros)
{
    uint8_t* bytes = s->bytes[plane];
    const size_t begin = s->group * width_of(s, plane) + at;
    if (zeros && s->zeros[plane]) return NULL;
    if (s->zeros[plane]) memset(bytes, 0, begin);
    s->zeros[plane] = false;
    if (!zeros) return bytes + begin;
    memset(bytes + begin, 0, n);
    return NULL;
}

// Positions --------------------------------------------------------------------------------------

// One coordinate of some movers.
KAI_CLONES
static void load_floats(const float* restrict from, size_t n, double* restrict x)
{
    for (size_t i = 0; i < n; i++) x[i] = (double)from[3 * i];
}

static void planes_load(const kai_planes* p, size_t first, size_t n, size_t c, double* x)
{
    const kai_trajectory_places* f = p->places;
    const float* floats = f->position;
    const double* doubles = f->position;
    if (p->rows == NULL && !f->doubles) {
        load_floats(floats + 3 * first + c, n, x);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t row = p->rows != NULL ? p->rows[first + i] : first + i;
        if (row == UINT32_MAX)
            x[i] = (double)NAN;
        else
            x[i] = f->doubles ? doubles[3 * row + c] : (double)floats[3 * row + c];
    }
}

// Multiples of a step, for numbers that are all within reach; false when one is not.
// Adding 1.5·2^52 rounds to a whole number, which is then in the low bits.
KAI_CLONES
static bool round_tile(const double* restrict x, size_t n, double origin, double inverse,
                       uint32_t* restrict out)
{
    int far = 0;
#pragma omp simd reduction(| : far)
    for (size_t i = 0; i < n; i++) {
        const double v = (x[i] - origin) * inverse;
        far |= !(fabs(v) < (double)KAI_CODEC_FARTHEST);
        const union {
            double number;
            uint64_t bits;
        } u = {v + 0x1.8p52};
        out[i] = (uint32_t)u.bits;
    }
    return far == 0;
}

// From a frame to the next: `now` becomes what is written, in zigzag; returns all bits of these.
KAI_CLONES
static uint32_t planes_differ(uint32_t* restrict now, uint32_t* restrict before,
                              uint32_t* restrict change, size_t n, size_t frame)
{
    uint32_t any = 0;
    const uint32_t first = frame > 0 ? UINT32_MAX : 0, second = frame > 1 ? UINT32_MAX : 0;
#pragma omp simd reduction(| : any)
    for (size_t i = 0; i < n; i++) {
        const uint32_t p = now[i], d = p - (before[i] & first);
        const uint32_t v = d - (change[i] & second);
        before[i] = p;
        change[i] = d;
        now[i] = v << 1 ^ (0u - (v >> 31));
        any |= now[i];
    }
    return any;
}

static void add_positions(const kai_planes* p, slice* s, size_t at, size_t n, size_t c)
{
    double x[TILE];
    uint32_t now[TILE];
    const double origin[3] = {p->def.origin.x, p->def.origin.y, p->def.origin.z};
    uint32_t* before = s->position + c * s->movers + at;
    planes_load(p, s->first + at, n, c, x);
    if (!round_tile(x, n, origin[c], 1.0 / p->def.step, now))
        for (size_t i = 0; i < n; i++) {
            const int32_t v = kai_codec_position(x[i], origin[c], p->def.step, (int32_t)before[i]);
            s->beyond += v == KAI_CODEC_FARTHEST || v == -KAI_CODEC_FARTHEST;
            now[i] = (uint32_t)v;
        }
    const uint32_t any = planes_differ(now, before, s->change + c * s->movers + at, n, p->frame);
    for (unsigned k = 0; k < 4; k++) {
        uint8_t* to = place_in(s, (int)(4 * c + k), at, n, (any >> 8 * k & 255) == 0);
        if (to != NULL) put_plane32(to, now, n, 8 * k);
    }
}

// Rotations --------------------------------------------------------------------------------------

static void rotation_of(const kai_planes* p, size_t mover, double q[4])
{
    const kai_trajectory_places* f = p->places;
    const size_t row = p->rows != NULL ? p->rows[mover] : mover;
    for (size_t c = 0; c < 4; c++) {
        if (row == UINT32_MAX)
            q[c] = (double)NAN;
        else if (f->doubles)
            q[c] = ((const double*)f->rotation)[4 * row + c];
        else
            q[c] = (double)((const float*)f->rotation)[4 * row + c];
    }
}

static void add_rotations(const kai_planes* p, slice* s, size_t at, size_t n)
{
    uint32_t values[4][TILE];
    uint32_t any[4] = {0};
    for (size_t i = 0; i < n; i++) {
        double q[4];
        int16_t *before = s->rotation + 4 * (at + i), now[4];
        rotation_of(p, s->first + at + i, q);
        kai_codec_rotation(q, before, now);
        for (size_t c = 0; c < 4; c++) {
            const uint16_t from = p->frame > 0 ? (uint16_t)before[c] : 0;
            const uint16_t d = (uint16_t)((uint16_t)now[c] - from);
            const uint16_t v = (uint16_t)(d << 1 ^ (0u - (d >> 15)));
            before[c] = now[c];
            values[c][i] = v;
            any[c] |= v;
        }
    }
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 2; k++) {
            uint8_t* to = place_in(s, (int)(12 + 2 * c + k), at, n, (any[c] >> 8 * k & 255) == 0);
            if (to != NULL) put_plane32(to, values[c], n, 8 * k);
        }
}

// Frames -----------------------------------------------------------------------------------------

static void add_slices(size_t begin, size_t end, void* context)
{
    const kai_planes* p = context;
    for (size_t k = begin; k < end; k++) {
        slice* s = &p->slices[k];
        for (size_t at = 0; at < s->movers; at += TILE) {
            const size_t n = s->movers - at < TILE ? s->movers - at : TILE;
            for (size_t c = 0; c < 3; c++) add_positions(p, s, at, n, c);
        }
        for (size_t at = 0; at < s->rotated; at += TILE)
            add_rotations(p, s, at, s->rotated - at < TILE ? s->rotated - at : TILE);
        s->group++;
        if (s->group == p->group && p->def.movers >= FEW) pack_group(s);
    }
}

kai_result kai_planes_add(kai_planes* p, const kai_trajectory_places* places, const uint32_t* rows,
                          kai_error* err)
{
    if (p->frame >= p->def.frames)
        return kai_error_set(err, KAI_ERROR_LIMIT, "a block has no more than %zu frames",
                             p->def.frames);
    p->places = places;
    p->rows = rows;
    kai_parallel_for(p->def.threads, p->slice_count, 1, add_slices, p);
    p->frame++;
    return KAI_OK;
}

// Puts the pieces in order: plane by plane, in each of them frame by frame, then slice by slice.
// Zeros that follow one another become one piece.
static void join_pieces(const kai_planes* p, kai_text* out)
{
    uint32_t checksum = KAI_DEFLATE_EMPTY;
    uint64_t zeros = 0;
    kai_deflate_begin(out);
    for (int k = 0; k < PLANES; k++)
        for (size_t g = 0; g < p->slices[0].piece_count; g++)
            for (size_t i = 0; i < p->slice_count; i++) {
                const slice* s = &p->slices[i];
                const piece* from = &s->pieces[k][g];
                if (from->zeros) {
                    zeros += from->length;
                    continue;
                }
                if (zeros > 0)
                    checksum = kai_deflate_join(checksum, kai_deflate_zeros(zeros, out), zeros);
                zeros = 0;
                kai_text_add_bytes(out, s->packed.data + from->first, from->size);
                checksum = kai_deflate_join(checksum, from->checksum, from->length);
            }
    if (zeros > 0) checksum = kai_deflate_join(checksum, kai_deflate_zeros(zeros, out), zeros);
    kai_deflate_end(checksum, out);
}

// A block of few movers: its bytes as they are, compressed as a whole.
static kai_result pack_whole(const slice* s, kai_text* out, kai_error* err)
{
    kai_text all = {0};
    for (int k = 0; k < PLANES; k++) {
        const size_t size = s->group * width_of(s, k);
        char* to = kai_text_room(&all, size);
        if (to == NULL || size == 0) continue;
        if (s->zeros[k])
            memset(to, 0, size);
        else
            memcpy(to, s->bytes[k], size);
    }
    void* packed = NULL;
    size_t size = 0;
    kai_result r =
        all.failed ? no_memory(err) : kai_codec_deflate(all.data, all.size, &packed, &size, err);
    if (r == KAI_OK) kai_text_add_bytes(out, packed, size);
    free(packed);
    kai_text_free(&all);
    return r;
}

kai_result kai_planes_end(kai_planes* p, kai_text* out, kai_error* err)
{
    kai_result r = KAI_OK;
    if (p->def.movers < FEW) {
        r = pack_whole(&p->slices[0], out, err);
    } else {
        for (size_t i = 0; i < p->slice_count; i++)
            if (p->slices[i].group > 0) pack_group(&p->slices[i]);
        join_pieces(p, out);
    }
    bool failed = out->failed;
    for (size_t i = 0; i < p->slice_count; i++) {
        slice* s = &p->slices[i];
        failed = failed || s->packed.failed;
        s->packed.size = 0;
        s->piece_count = s->group = 0;
        for (int k = 0; k < PLANES; k++) s->zeros[k] = true;
    }
    p->frame = 0;
    return r == KAI_OK && failed ? no_memory(err) : r;
}
