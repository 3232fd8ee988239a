// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/frames_plan.h"

#include "base/parallel.h"
#include "view/codec.h"
#include "view/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_VALUES = 1 << 21, // movers times frames of a block, about
    BLOCK_FRAMES = 64,      // most frames of a block
    SAMPLES = 9,            // frames that tell how large the scene is
    MANY = 512              // movers from which on looking for patterns does not pay
};

// One block on its way: a batch of them is filled by one thread and packed by all.
typedef struct block {
    kai_codec_block data;
    size_t first; // frame of the page
    void* packed;
    size_t packed_size;
    kai_result result;
    kai_error error;
} block;

typedef struct encoder {
    const kai_frames_plan* plan;
    size_t per_block, batch;
    block* blocks;          // [batch]
    int32_t* last_position; // [movers][3] of the frame before
    int16_t* last_rotation; // [rotated][4]
    double *position, *rotation;
    uint64_t beyond;
} encoder;

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the frames of the page");
}

size_t kai_frames_plan_count(const kai_frames_plan* p)
{
    if (p->reader == NULL) return 1;
    return p->recorded == 0 ? 0 : (p->recorded - 1 + p->stride - 1) / p->stride + 1;
}

size_t kai_frames_plan_frame(const kai_frames_plan* p, size_t k)
{
    return k + 1 < kai_frames_plan_count(p) ? k * p->stride : p->recorded - 1;
}

// Reading ----------------------------------------------------------------------------------------

// Positions and rotations of all movers in frame k of the page. A mover that is not in the frame
// gets NaN, and will stay where it was.
static kai_result read_frame(const kai_frames_plan* p, size_t k, double* position, double* rotation,
                             kai_error* err)
{
    const kai_movers* m = p->movers;
    if (p->reader == NULL) {
        kai_movers_gather(m, p->world, position, rotation);
        return KAI_OK;
    }
    kai_trajectory_frame frame;
    const size_t from = kai_frames_plan_frame(p, k);
    const bool whole = kai_trajectory_read_count(p->reader, from) == p->world->bodies.count;
    const size_t turned = whole ? m->turned : SIZE_MAX;
    KAI_TRY(kai_trajectory_read_places(p->reader, from, turned, &frame, err));
    if (!whole) {
        for (size_t i = 0; i < 3 * m->count; i++) position[i] = (double)NAN;
        for (size_t i = 0; i < 4 * m->rotated; i++) rotation[i] = (double)NAN;
    }
    for (size_t i = 0; i < frame.count; i++) {
        const uint32_t mover = frame.id[i] < m->id_count ? m->of_id[frame.id[i]] : UINT32_MAX;
        if (mover == UINT32_MAX) continue;
        memcpy(position + 3 * (size_t)mover, frame.position + 3 * i, 3 * sizeof *position);
        if (mover < m->rotated && i < turned)
            memcpy(rotation + 4 * (size_t)mover, frame.rotation + 4 * i, 4 * sizeof *rotation);
    }
    return KAI_OK;
}

// Scale ------------------------------------------------------------------------------------------

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Corners of the box around the finite positions of a frame; false when there are none.
static bool box_of(const double* position, size_t count, kai_vec3* low, kai_vec3* high)
{
    bool any = false;
    *low = kai_vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = kai_vec3_neg(*low);
    for (size_t i = 0; i < count; i++) {
        const double* x = position + 3 * i;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) continue;
        *low = kai_vec3_make(fmin(low->x, x[0]), fmin(low->y, x[1]), fmin(low->z, x[2]));
        *high = kai_vec3_make(fmax(high->x, x[0]), fmax(high->y, x[1]), fmax(high->z, x[2]));
        any = true;
    }
    return any;
}

static double power_below(double x) { return exp2(floor(log2(x))); }

// The median over some frames of the distance that the scene spans, counted from the first one: a
// body that flies off at the end does not blur the rest.
static kai_result span_of(kai_frames_plan* p, double* span, kai_error* err)
{
    const kai_movers* m = p->movers;
    double* position = malloc((3 * m->count + 4 * m->rotated + 1) * sizeof *position);
    if (position == NULL) return no_memory(err);
    const size_t frames = kai_frames_plan_count(p);
    const size_t samples = frames < SAMPLES ? frames : SAMPLES;
    double spans[SAMPLES];
    size_t known = 0;
    kai_result r = KAI_OK;
    kai_vec3 low, high, first_low = {0}, first_high = {0};
    for (size_t i = 0; r == KAI_OK && i < samples; i++) {
        const size_t k = samples > 1 ? i * (frames - 1) / (samples - 1) : 0;
        r = read_frame(p, k, position, position + 3 * m->count, err);
        if (r != KAI_OK || !box_of(position, m->count, &low, &high)) continue;
        if (known == 0) {
            first_low = low;
            first_high = high;
            p->origin = kai_vec3_scale(kai_vec3_add(low, high), 0.5);
        }
        low = kai_vec3_make(fmin(low.x, first_low.x), fmin(low.y, first_low.y),
                            fmin(low.z, first_low.z));
        high = kai_vec3_make(fmax(high.x, first_high.x), fmax(high.y, first_high.y),
                             fmax(high.z, first_high.z));
        spans[known++] = kai_vec3_distance(low, high);
    }
    free(position);
    qsort(spans, known, sizeof *spans, compare);
    *span = known > 0 ? spans[known / 2] : 0.0;
    return r;
}

kai_result kai_frames_plan_scale(kai_frames_plan* p, double error, double* coarsest, kai_error* err)
{
    double span = 0.0, least, most;
    p->origin = kai_vec3_zero();
    KAI_TRY(span_of(p, &span, err));
    kai_movers_sizes(p->world, &least, &most);
    double whole = fmax(span, most);
    if (!(whole > 1e-100) || !(whole < 1e100)) whole = 1.0;
    // A hundred thousandth of the scene, and a small part of the smallest thing in it.
    double fine = whole * 0x1p-17;
    if (least > 0.0) fine = fmin(fine, least * 0x1p-8);
    fine = fmax(fine, whole * 0x1p-26);
    p->step = power_below(error > 0.0 ? 2.0 * error : fine);
    *coarsest = error > 0.0 ? p->step : 64.0 * p->step;
    // The origin on a multiple of the step, so that round positions stay round.
    const kai_vec3 o = p->origin;
    p->origin = kai_vec3_make(p->step * rint(o.x / p->step), p->step * rint(o.y / p->step),
                              p->step * rint(o.z / p->step));
    return KAI_OK;
}

// Encoding ---------------------------------------------------------------------------------------

static void round_frame(encoder* e, block* b, size_t k)
{
    const kai_frames_plan* p = e->plan;
    const size_t movers = b->data.movers, rotated = b->data.rotated;
    const double origin[3] = {p->origin.x, p->origin.y, p->origin.z};
    for (size_t c = 0; c < 3; c++) {
        int32_t* to = b->data.position + (c * b->data.frames + k) * movers;
        for (size_t i = 0; i < movers; i++) {
            int32_t* last = &e->last_position[3 * i + c];
            *last = kai_codec_position(e->position[3 * i + c], origin[c], p->step, *last);
            to[i] = *last;
            e->beyond += *last == KAI_CODEC_FARTHEST || *last == -KAI_CODEC_FARTHEST;
        }
    }
    for (size_t i = 0; i < rotated; i++) {
        int16_t* last = e->last_rotation + 4 * i;
        kai_codec_rotation(e->rotation + 4 * i, last, last);
        for (size_t c = 0; c < 4; c++)
            b->data.rotation[(c * b->data.frames + k) * rotated + i] = last[c];
    }
}

static kai_result fill_block(encoder* e, block* b, size_t first, size_t frames, kai_error* err)
{
    b->first = first;
    b->data.frames = frames;
    for (size_t k = 0; k < frames; k++) {
        KAI_TRY(read_frame(e->plan, first + k, e->position, e->rotation, err));
        round_frame(e, b, k);
    }
    return KAI_OK;
}

static void pack_blocks(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    encoder* e = context;
    for (size_t i = begin; i < end; i++) {
        block* b = &e->blocks[i];
        const size_t size = kai_codec_size(&b->data);
        uint8_t* bytes = malloc(size + 1);
        if (bytes == NULL) {
            b->result = no_memory(&b->error);
            continue;
        }
        kai_codec_encode(&b->data, bytes);
        b->result = kai_codec_deflate(bytes, size, b->data.movers >= MANY, &b->packed,
                                      &b->packed_size, &b->error);
        free(bytes);
    }
}

static kai_result make_encoder(encoder* e, const kai_frames_plan* p, size_t frames, kai_error* err)
{
    const size_t movers = p->movers->count, rotated = p->movers->rotated;
    *e = (encoder){.plan = p, .batch = p->threads > 0 ? (size_t)p->threads : 1};
    e->per_block = movers > 0 ? BLOCK_VALUES / movers : BLOCK_FRAMES;
    if (e->per_block < 8) e->per_block = 8;
    if (e->per_block > BLOCK_FRAMES) e->per_block = BLOCK_FRAMES;
    if (e->per_block > frames) e->per_block = frames > 0 ? frames : 1;
    e->blocks = calloc(e->batch, sizeof *e->blocks);
    e->last_position = calloc(3 * movers + 1, sizeof *e->last_position);
    e->last_rotation = calloc(4 * rotated + 1, sizeof *e->last_rotation);
    e->position = calloc(3 * movers + 1, sizeof *e->position);
    e->rotation = calloc(4 * rotated + 1, sizeof *e->rotation);
    bool good = e->blocks && e->last_position && e->last_rotation && e->position && e->rotation;
    for (size_t i = 0; i < rotated && good; i++)
        e->last_rotation[4 * i] = (int16_t)(1.0 / KAI_CODEC_ROTATION_STEP);
    for (size_t i = 0; good && i < e->batch; i++) {
        kai_codec_block* data = &e->blocks[i].data;
        data->movers = movers;
        data->rotated = rotated;
        data->position = malloc((3 * e->per_block * movers + 1) * sizeof *data->position);
        data->rotation = malloc((4 * e->per_block * rotated + 1) * sizeof *data->rotation);
        good = data->position != NULL && data->rotation != NULL;
    }
    return good ? KAI_OK : no_memory(err);
}

static void free_encoder(encoder* e)
{
    for (size_t i = 0; e->blocks != NULL && i < e->batch; i++) {
        free(e->blocks[i].data.position);
        free(e->blocks[i].data.rotation);
        free(e->blocks[i].packed);
    }
    free(e->blocks);
    free(e->last_position);
    free(e->last_rotation);
    free(e->position);
    free(e->rotation);
}

// All blocks, a batch at a time: HDF5 is read by this thread, packing goes to all of them.
static kai_result encode_blocks(encoder* e, size_t frames, kai_chunks* chunks, kai_text* to,
                                kai_error* err)
{
    for (size_t first = 0; first < frames;) {
        size_t count = 0;
        for (; count < e->batch && first < frames; count++) {
            const size_t n = frames - first < e->per_block ? frames - first : e->per_block;
            KAI_TRY(fill_block(e, &e->blocks[count], first, n, err));
            first += n;
        }
        kai_parallel_for(e->plan->threads, count, 1, pack_blocks, e);
        for (size_t i = 0; i < count; i++) {
            block* b = &e->blocks[i];
            if (b->result != KAI_OK) return kai_error_set(err, b->result, "%s", b->error.message);
            size_t chunk;
            KAI_TRY(kai_chunks_add(chunks, b->packed, b->packed_size, &chunk, err));
            free(b->packed);
            b->packed = NULL;
            kai_text_add(to, "%s{\"first\":%zu,\"count\":%zu,\"chunk\":%zu}",
                         b->first > 0 ? "," : "", b->first, b->data.frames, chunk);
        }
    }
    return KAI_OK;
}

static kai_result add_times(const kai_frames_plan* p, size_t frames, kai_chunks* chunks,
                            kai_text* to, kai_error* err)
{
    double* times = malloc((frames + 1) * sizeof *times);
    if (times == NULL) return no_memory(err);
    const double now = kai_world_time(p->world);
    for (size_t k = 0; k < frames; k++)
        times[k] = p->reader != NULL
                       ? kai_trajectory_read_times(p->reader)[kai_frames_plan_frame(p, k)]
                       : now;
    size_t chunk;
    const kai_result r = kai_chunks_pack(chunks, times, frames * sizeof *times, &chunk, err);
    free(times);
    if (r == KAI_OK) kai_text_add(to, "\"times\":{\"chunk\":%zu},", chunk);
    return r;
}

kai_result kai_frames_plan_encode(const kai_frames_plan* p, kai_chunks* chunks, kai_text* to,
                                  uint64_t* beyond, kai_error* err)
{
    const size_t frames = kai_frames_plan_count(p);
    kai_text_add(to, "\"frames\":{\"count\":%zu,\"recorded\":%zu,\"stride\":%zu,", frames,
                 p->reader != NULL ? p->recorded : 1, p->stride);
    KAI_TRY(add_times(p, frames, chunks, to, err));
    kai_text_add(to, "\"position_step\":");
    kai_json_number(to, p->step);
    kai_text_add(to, ",\"position_error\":");
    kai_json_number(to, 0.5 * p->step);
    kai_text_add(to, ",\"rotation_step\":");
    kai_json_number(to, KAI_CODEC_ROTATION_STEP);
    kai_text_add(to, ",\"origin\":");
    kai_json_vec3(to, p->origin);
    kai_text_add(to, ",\"rotated\":%zu,\"movers\":%zu,\"blocks\":[", p->movers->rotated,
                 p->movers->count);
    encoder e;
    kai_result r = make_encoder(&e, p, frames, err);
    if (r == KAI_OK) r = encode_blocks(&e, frames, chunks, to, err);
    *beyond = e.beyond;
    free_encoder(&e);
    kai_text_add(to, "]}");
    return r;
}
