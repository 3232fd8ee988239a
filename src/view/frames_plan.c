// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/frames_plan.h"

#include "base/simd.h"
#include "model/render_mesh.h"
#include "view/codec.h"
#include "view/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_VALUES = 1 << 22, // movers times frames of a block, at most, unless there are very many
    SAMPLES = 9             // frames that tell how large the scene is
};

// Reads frames one after the other, and knows the row of each mover in them.
typedef struct source {
    const kai_frames_plan* plan;
    uint32_t* rows;  // [movers]; UINT32_MAX: not in the frame
    bool known;      // `rows` are those of the frame before
    bool straight;   // row i is mover i
    double* numbers; // [3 movers + 4 rotated] of a world without frames
} source;

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

static kai_result open_source(source* s, const kai_frames_plan* p, kai_error* err)
{
    const kai_movers* m = p->movers;
    *s = (source){.plan = p, .rows = malloc((m->count + 1) * sizeof *s->rows)};
    if (p->reader == NULL)
        s->numbers = malloc((3 * m->count + 4 * m->rotated + 1) * sizeof *s->numbers);
    return s->rows != NULL && (p->reader != NULL || s->numbers != NULL) ? KAI_OK : no_memory(err);
}

static void close_source(source* s)
{
    free(s->rows);
    free(s->numbers);
}

static void find_rows(source* s, const kai_trajectory_places* places)
{
    const kai_movers* m = s->plan->movers;
    memset(s->rows, 0xff, m->count * sizeof *s->rows);
    for (size_t i = 0; i < places->count; i++) {
        const uint32_t id = places->id[i], mover = id < m->id_count ? m->of_id[id] : UINT32_MAX;
        if (mover != UINT32_MAX) s->rows[mover] = (uint32_t)i;
    }
    s->straight = true;
    for (size_t i = 0; i < m->count; i++) s->straight = s->straight && s->rows[i] == i;
    s->known = true;
}

// Frame k of the page. Row of mover i: (*rows)[i], or i when that is NULL.
static kai_result read_frame(source* s, size_t k, kai_trajectory_places* places,
                             const uint32_t** rows, kai_error* err)
{
    const kai_frames_plan* p = s->plan;
    const kai_movers* m = p->movers;
    *rows = NULL;
    if (p->reader == NULL) {
        kai_movers_gather(m, p->world, s->numbers, s->numbers + 3 * m->count);
        *places = (kai_trajectory_places){.count = m->count,
                                          .doubles = true,
                                          .position = s->numbers,
                                          .rotation = s->numbers + 3 * m->count};
        return KAI_OK;
    }
    const size_t from = kai_frames_plan_frame(p, k);
    const bool whole = kai_trajectory_read_count(p->reader, from) == p->world->bodies.count;
    KAI_TRY(kai_trajectory_read_places(p->reader, from, whole ? m->turned : SIZE_MAX, places, err));
    if (!s->known || !places->same_ids) find_rows(s, places);
    if (!s->straight) *rows = s->rows;
    return KAI_OK;
}

// Deforming meshes -------------------------------------------------------------------------------

// The frame of the meshes that has the time of the k-th one, or the last before it: a file of
// meshes may have begun later.
static size_t mesh_frame(const kai_frames_plan* p, size_t k)
{
    const double* times = kai_render_mesh_read_times(p->render_meshes);
    const double time = kai_trajectory_read_times(p->reader)[kai_frames_plan_frame(p, k)];
    size_t low = 0, high = kai_render_mesh_read_frames(p->render_meshes) - 1;
    while (low < high) {
        const size_t middle = low + (high - low + 1) / 2;
        if (times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// The meshes as they stand; `field` of `mesh` goes to `numbers` unless that is NULL.
static kai_result gather_now(const kai_frames_plan* p, double* position, size_t mesh, size_t field,
                             double* numbers, kai_error* err)
{
    const size_t room = kai_render_mesh_vertices(p->world);
    double* spare = malloc((room * (3 + KAI_RENDER_MESH_FIELDS) + 1) * sizeof *spare);
    if (spare == NULL) return no_memory(err);
    size_t first = 0;
    for (size_t k = 0; k < kai_render_mesh_count(p->world); k++) {
        kai_render_mesh m;
        double* fields[KAI_RENDER_MESH_FIELDS];
        kai_render_mesh_describe(p->world, k, &m);
        for (size_t f = 0; f < m.field_count; f++) fields[f] = spare + (3 + f) * room;
        if (numbers != NULL && k == mesh) fields[field] = numbers;
        kai_render_mesh_gather(p->world, k, position != NULL ? position + 3 * first : spare,
                               fields);
        first += m.vertex_count;
    }
    free(spare);
    return KAI_OK;
}

static bool has_frames(const kai_frames_plan* p)
{
    return p->render_meshes != NULL && p->reader != NULL &&
           kai_render_mesh_read_frames(p->render_meshes) > 0;
}

kai_result kai_frames_plan_vertices(const kai_frames_plan* p, size_t k, double* out, kai_error* err)
{
    if (!has_frames(p)) return gather_now(p, out, 0, 0, NULL, err);
    return kai_render_mesh_read_positions(p->render_meshes, mesh_frame(p, k), out, err);
}

kai_result kai_frames_plan_field(const kai_frames_plan* p, size_t k, size_t mesh, size_t field,
                                 double* out, kai_error* err)
{
    if (!has_frames(p)) return gather_now(p, NULL, mesh, field, out, err);
    kai_render_mesh m = {0};
    size_t first = 0;
    for (size_t i = 0; i <= mesh; i++) {
        first += m.vertex_count;
        kai_render_mesh_describe(p->world, i, &m);
    }
    return kai_render_mesh_read_field(p->render_meshes, mesh_frame(p, k), m.fields[field].name,
                                      first, m.vertex_count, out, err);
}

// Scale ------------------------------------------------------------------------------------------

static int frames_plan_compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Coordinate c of a row.
static double frames_plan_at(const kai_trajectory_places* p, size_t row, size_t c)
{
    return p->doubles ? ((const double*)p->position)[3 * row + c]
                      : (double)((const float*)p->position)[3 * row + c];
}

// The least and the largest of each coordinate of n points, quickly; not where some are not finite.
KAI_CLONES
static bool range_of(const float* x, size_t n, double least[3], double most[3])
{
    enum { LANES = 24 }; // a whole number of points, and of the widest registers
    float low[LANES], high[LANES], sum = 0.0f;
    if (n < LANES) return false;
    for (int k = 0; k < LANES; k++) low[k] = high[k] = x[k];
    for (size_t i = 0; i < 3 * n / LANES; i++)
        for (int k = 0; k < LANES; k++) {
            const float v = x[LANES * i + (size_t)k];
            low[k] = v < low[k] ? v : low[k];
            high[k] = v > high[k] ? v : high[k];
        }
    for (size_t j = 3 * n / LANES * LANES; j < 3 * n; j++) {
        low[j % 3] = x[j] < low[j % 3] ? x[j] : low[j % 3];
        high[j % 3] = x[j] > high[j % 3] ? x[j] : high[j % 3];
    }
    for (int k = 0; k < LANES; k++) {
        least[k % 3] = fmin(least[k % 3], (double)low[k]);
        most[k % 3] = fmax(most[k % 3], (double)high[k]);
        sum += low[k] + high[k];
    }
    return isfinite(sum);
}

// Corners of the box around the finite positions of a frame; false when there are none.
static bool box_of(const kai_trajectory_places* places, const uint32_t* rows, size_t count,
                   kai_vec3* low, kai_vec3* high)
{
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    const bool quick =
        rows == NULL && !places->doubles && range_of(places->position, count, least, most);
    for (int c = 0; !quick && c < 3; c++) {
        least[c] = HUGE_VAL;
        most[c] = -HUGE_VAL;
    }
    for (size_t i = 0; !quick && i < count; i++) {
        const size_t row = rows != NULL ? rows[i] : i;
        if (row == UINT32_MAX) continue;
        const double x[3] = {frames_plan_at(places, row, 0), frames_plan_at(places, row, 1),
                             frames_plan_at(places, row, 2)};
        if (!isfinite(x[0] + x[1] + x[2])) continue;
        for (int c = 0; c < 3; c++) {
            least[c] = x[c] < least[c] ? x[c] : least[c];
            most[c] = x[c] > most[c] ? x[c] : most[c];
        }
    }
    *low = kai_vec3_make(least[0], least[1], least[2]);
    *high = kai_vec3_make(most[0], most[1], most[2]);
    return least[0] <= most[0];
}

// The box around the vertices of deforming meshes as well.
static kai_result frames_plan_widen(const kai_frames_plan* p, size_t k, bool* any, kai_vec3* low,
                                    kai_vec3* high, kai_error* err)
{
    const size_t n = kai_render_mesh_vertices(p->world);
    if (n == 0) return KAI_OK;
    double* x = malloc(3 * n * sizeof *x);
    kai_vec3 least, most;
    kai_result r = x != NULL ? kai_frames_plan_vertices(p, k, x, err) : no_memory(err);
    const kai_trajectory_places places = {.count = n, .doubles = true, .position = x};
    if (r == KAI_OK && box_of(&places, NULL, n, &least, &most)) {
        *low = *any ? kai_vec3_make(fmin(low->x, least.x), fmin(low->y, least.y),
                                    fmin(low->z, least.z))
                    : least;
        *high = *any ? kai_vec3_make(fmax(high->x, most.x), fmax(high->y, most.y),
                                     fmax(high->z, most.z))
                     : most;
        *any = true;
    }
    free(x);
    return r;
}

static double power_below(double x) { return exp2(floor(log2(x))); }

// The median over some frames of the distance that the scene spans, counted from the first one: a
// body that flies off at the end does not blur the rest.
static kai_result span_of(kai_frames_plan* p, double* span, kai_error* err)
{
    const size_t frames = kai_frames_plan_count(p);
    const size_t samples = frames < SAMPLES ? frames : SAMPLES;
    double spans[SAMPLES];
    size_t known = 0;
    source from;
    kai_result r = open_source(&from, p, err);
    kai_vec3 low, high, first_low = {0}, first_high = {0};
    for (size_t i = 0; r == KAI_OK && i < samples; i++) {
        const size_t k = samples > 1 ? i * (frames - 1) / (samples - 1) : 0;
        kai_trajectory_places places;
        const uint32_t* rows;
        r = read_frame(&from, k, &places, &rows, err);
        bool any = r == KAI_OK && box_of(&places, rows, p->movers->count, &low, &high);
        if (r == KAI_OK) r = frames_plan_widen(p, k, &any, &low, &high, err);
        if (r != KAI_OK || !any) continue;
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
    close_source(&from);
    qsort(spans, known, sizeof *spans, frames_plan_compare);
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

// How many frames a block has, all of them about as many: the first two frames of a block, which cannot be foretold, take
// more bytes and time than twenty others.
static size_t frames_of_block(const kai_frames_plan* p, size_t frames)
{
    const size_t n = kai_codec_block(BLOCK_VALUES, p->movers->count, frames);
    const size_t blocks = (frames + n - 1) / n;
    return blocks > 0 ? (frames + blocks - 1) / blocks : 1;
}

kai_result kai_frames_plan_end_block(kai_planes* planes, size_t first, size_t count,
                                     kai_chunks* chunks, kai_text* to, kai_error* err)
{
    size_t chunk;
    KAI_TRY(kai_planes_end(planes, kai_chunks_begin(chunks), err));
    KAI_TRY(kai_chunks_end(chunks, &chunk, err));
    kai_text_add(to, "%s{\"first\":%zu,\"count\":%zu,\"chunk\":%zu}", first > 0 ? "," : "", first,
                 count, chunk);
    return KAI_OK;
}

// Frames [first, first + count) as one chunk.
static kai_result encode_block(source* from, kai_planes* planes, size_t first, size_t count,
                               kai_chunks* chunks, kai_text* to, kai_error* err)
{
    for (size_t k = first; k < first + count; k++) {
        kai_trajectory_places places;
        const uint32_t* rows;
        KAI_TRY(read_frame(from, k, &places, &rows, err));
        KAI_TRY(kai_planes_add(planes, &places, rows, err));
    }
    return kai_frames_plan_end_block(planes, first, count, chunks, to, err);
}

static kai_result encode_blocks(const kai_frames_plan* p, size_t frames, kai_chunks* chunks,
                                kai_text* to, uint64_t* beyond, kai_error* err)
{
    const size_t block = frames_of_block(p, frames);
    const kai_planes_def def = {.movers = p->movers->count,
                                .rotated = p->movers->rotated,
                                .frames = block,
                                .step = p->step,
                                .origin = p->origin,
                                .threads = p->threads};
    kai_planes* planes = NULL;
    source from;
    kai_result r = open_source(&from, p, err);
    if (r == KAI_OK) r = kai_planes_make(&planes, &def, err);
    for (size_t first = 0; r == KAI_OK && first < frames; first += block) {
        const size_t count = frames - first < block ? frames - first : block;
        r = encode_block(&from, planes, first, count, chunks, to, err);
    }
    *beyond = planes != NULL ? kai_planes_beyond(planes) : 0;
    kai_planes_free(planes);
    close_source(&from);
    return r;
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
    const kai_result r = encode_blocks(p, frames, chunks, to, beyond, err);
    kai_text_add(to, "]}");
    return r;
}
