// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/page.h"

#include "model/render_mesh.h"
#include "record/file.h"
#include "record/recorder.h"
#include "record/trajectory/render_mesh_file.h"
#include "view/describe.h"
#include "view/frames_plan.h"
#include "view/json.h"
#include "view/manifest.h"
#include "view/page_events.h"
#include "view/page_file.h"
#include "view/page_images.h"
#include "view/page_parts.h"
#include "view/series.h"
#include "view/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FRAMES_MOST = 600,     // of a page, unless the scene gives a rate
    ATTEMPTS = 8,          // at getting below the budget
    SERIES_NUMBER = 11,    // bytes of one number of a time series on the page, about
    SERIES_SHARE = 4,      // at most one part in so many of the budget is for time series
    CONTACTS_SHARE = 4,    // and for contacts
    IMAGES_SHARE = 4,      // and for images of sensors
    TEXT_SPARE = 64 * 1024 // room for run.json, which is not known yet
};

struct kai_page {
    kai_page_def def;
    kai_movers movers;
    kai_trajectory_read* reader; // NULL: no frames were recorded
    kai_frames_plan plan;        // of what is shown
    size_t series_stride, contact_stride;
    kai_chunks chunks, all; // of the page; of view.bin when the page has less
    kai_text body, body_all;
    bool reduced;
};

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the page");
}

// What the page is made of -----------------------------------------------------------------------

static kai_result add_series(kai_page* page, kai_chunks* chunks, kai_text* to, kai_error* err)
{
    kai_text_add(to, ",\"series\":[");
    bool first = true;
    for (size_t i = 0; i < page->def.file_count; i++) {
        char* path = kai_file_join(page->def.folder, page->def.files[i]);
        if (path == NULL) return no_memory(err);
        kai_series series;
        const kai_result r = kai_series_read(&series, path, page->series_stride, err);
        free(path);
        if (r == KAI_ERROR_MEMORY) return r;
        if (r != KAI_OK || series.rows == 0) {
            if (r == KAI_OK) kai_series_free(&series);
            continue; // a run that failed early may lack some
        }
        if (!first) kai_text_add(to, ",");
        first = false;
        const kai_series_entry entry = {.file = page->def.files[i],
                                        .world = page->def.world,
                                        .output = page->def.outputs[i],
                                        .stride = page->series_stride};
        const kai_result written = kai_series_write(&series, &entry, chunks, to, err);
        kai_series_free(&series);
        KAI_TRY(written);
    }
    kai_text_add(to, "]");
    return KAI_OK;
}

static kai_result add_events(const kai_page* page, kai_text* to, kai_error* err)
{
    const char* name = page->def.events;
    char* path = name != NULL ? kai_file_join(page->def.folder, name) : NULL;
    if (name != NULL && path == NULL) return no_memory(err);
    const kai_result r = kai_page_events_write(path, to, err);
    free(path);
    return r;
}

static kai_result page_encode(kai_page* page, const char* name, kai_chunks* chunks, kai_text* to,
                              kai_error* err)
{
    char* path = kai_file_join(page->def.folder, name);
    if (path == NULL) return no_memory(err);
    kai_chunks_free(chunks);
    kai_text_free(to);
    kai_result r = kai_chunks_hold(chunks, path, err);
    free(path);
    uint64_t beyond = 0;
    if (r == KAI_OK) r = kai_describe(page->def.world, &page->movers, chunks, to, err);
    kai_text_add(to, ",");
    if (r == KAI_OK) r = kai_frames_plan_encode(&page->plan, chunks, to, &beyond, err);
    if (r == KAI_OK)
        r = kai_page_contacts_write(&page->plan, page->contact_stride, chunks, to, err);
    if (r == KAI_OK) r = kai_page_render_meshes_write(&page->plan, chunks, to, err);
    kai_text_add(to, ",\"fields\":[");
    const size_t before = to->size;
    if (r == KAI_OK) r = kai_page_fields_write(&page->plan, chunks, to, err);
    if (r == KAI_OK)
        r = kai_page_render_meshes_fields(&page->plan, to->size == before, chunks, to, err);
    kai_text_add(to, "]");
    if (r == KAI_OK) r = add_series(page, chunks, to, err);
    if (r == KAI_OK) r = add_events(page, to, err);
    if (r == KAI_OK)
        r = kai_page_images_write(page->def.world, page->def.folder,
                                  page->def.view->budget / IMAGES_SHARE, chunks, to, err);
    if (r == KAI_OK && to->failed) r = no_memory(err);
    if (r == KAI_OK && beyond > 0 && chunks == &page->chunks)
        kai_world_log(page->def.world, KAI_LOG_WARNING,
                      "the page shows %llu positions nearer than they are: more than %g m away",
                      (unsigned long long)beyond, page->plan.step * 0x1p30);
    return r;
}

// Frames to take, from the rate that the scene asks for and the frames there are.
static size_t stride_of(const kai_page* page)
{
    const size_t n = page->plan.recorded;
    const double rate = page->def.view->frame_rate;
    if (n < 2) return 1;
    if (!(rate > 0.0)) return (n - 1 + FRAMES_MOST - 2) / (FRAMES_MOST - 1);
    const double* times = kai_trajectory_read_times(page->reader);
    const double every = (times[n - 1] - times[0]) / (double)(n - 1);
    const double stride = rint(1.0 / (rate * every));
    return stride > 1.0 && stride < (double)n ? (size_t)stride : stride > 1.0 ? n : 1;
}

static kai_result open_reader(kai_page* page, kai_error* err)
{
    char* path = kai_file_join(page->def.folder, KAI_RECORDER_TRAJECTORY);
    if (path == NULL) return no_memory(err);
    kai_result r = KAI_OK;
    if (access(path, F_OK) == 0) r = kai_trajectory_read_open(&page->reader, path, UINT32_MAX, err);
    free(path);
    if (r == KAI_OK && page->reader != NULL && kai_trajectory_read_frames(page->reader) == 0) {
        kai_trajectory_read_close(page->reader);
        page->reader = NULL;
    }
    return r;
}

static kai_result open_render_meshes(kai_page* page, kai_error* err)
{
    const size_t vertices = kai_render_mesh_vertices(page->def.world);
    if (vertices == 0) return KAI_OK;
    char* path = kai_file_join(page->def.folder, KAI_RENDER_MESH_FILE);
    if (path == NULL) return no_memory(err);
    kai_result r = KAI_OK;
    if (access(path, F_OK) == 0)
        r = kai_render_mesh_read_open(&page->plan.render_meshes, path, vertices, err);
    free(path);
    return r;
}

static size_t series_stride_of(const kai_page* page)
{
    uint64_t numbers = 0;
    for (size_t i = 0; i < page->def.file_count; i++) {
        char* path = kai_file_join(page->def.folder, page->def.files[i]);
        if (path != NULL) numbers += kai_series_estimate(path);
        free(path);
    }
    const double room = page->def.view->budget / SERIES_SHARE;
    const double stride = ceil((double)numbers * SERIES_NUMBER / room);
    return stride > 1.0 && stride < 1e9 ? (size_t)stride : 1;
}

// The budget -------------------------------------------------------------------------------------

static double page_bytes(const kai_page* page)
{
    const kai_template_text text = kai_template_get();
    const size_t scene = page->def.scene_text != NULL ? strlen(page->def.scene_text) : 0;
    return (double)text.head_size + (double)text.tail_size + (double)page->body.size +
           2.0 * (double)scene + TEXT_SPARE + (double)kai_chunks_page_bytes(&page->chunks);
}

// Asks for less: positions less exact as far as that goes, then fewer frames. A doubling of the
// step saves about a bit a number, and 6 bits make a byte of base64. False when nothing is left.
static bool page_lessen(kai_page* page, double bytes, double coarsest)
{
    kai_frames_plan* plan = &page->plan;
    const size_t frames = kai_frames_plan_count(plan);
    const double numbers = 3.0 * (double)frames * (double)page->movers.count;
    const double bits = ceil(6.0 * (bytes - page->def.view->budget) / fmax(numbers, 1.0));
    const double most = floor(log2(coarsest / plan->step));
    if (most >= 1.0) plan->step *= exp2(fmin(fmax(bits, 1.0), most));
    if (bits <= most) return true;
    if (frames <= 2) return most >= 1.0;
    // What the coarser step saves is not known well: too many frames are better than too few.
    const double saved = fmax(most, 0.0) * numbers / 6.0;
    const double factor = floor((bytes - saved) / page->def.view->budget);
    plan->stride *= factor > 2.0 ? (size_t)factor : 2;
    return true;
}

// A page that is too large becomes view.bin, and a smaller one is made.
static kai_result page_fit(kai_page* page, double coarsest, kai_error* err)
{
    const double bytes = page_bytes(page);
    if (bytes <= page->def.view->budget) return KAI_OK;
    const size_t before = kai_frames_plan_count(&page->plan);
    page->reduced = true;
    page->all = page->chunks;
    page->body_all = page->body;
    page->chunks = (kai_chunks){.descriptor = -1};
    page->body = (kai_text){0};
    KAI_TRY(kai_chunks_spill(&page->all, err)); // its bytes are not wanted in memory again
    page_lessen(page, bytes, coarsest);
    KAI_TRY(page_encode(page, KAI_PAGE_FILE ".chunks", &page->chunks, &page->body, err));
    for (int i = 0; i < ATTEMPTS && page_bytes(page) > page->def.view->budget; i++) {
        if (!page_lessen(page, page_bytes(page), coarsest)) break;
        KAI_TRY(page_encode(page, KAI_PAGE_FILE ".chunks", &page->chunks, &page->body, err));
    }
    if (page_bytes(page) > page->def.view->budget)
        return kai_error_set(
            err, KAI_ERROR_LIMIT,
            "a page of %.3g bytes is the smallest there can be; view.budget is %.3g",
            page_bytes(page), page->def.view->budget);
    kai_world_log(page->def.world, KAI_LOG_WARNING,
                  "the page shows %zu of %zu frames, positions to %.2g m, to stay below %.3g MB; "
                  "'kairos view' shows all, from view.bin",
                  kai_frames_plan_count(&page->plan), before, 0.5 * page->plan.step,
                  page->def.view->budget / 1e6);
    return KAI_OK;
}

kai_result kai_page_prepare(kai_page** out, const kai_page_def* def, kai_error* err)
{
    kai_page* page = calloc(1, sizeof *page);
    *out = NULL;
    if (page == NULL) return no_memory(err);
    page->def = *def;
    page->chunks.descriptor = page->all.descriptor = -1;
    kai_result r = kai_movers_make(&page->movers, def->world, err);
    if (r == KAI_OK) r = open_reader(page, err);
    page->plan = (kai_frames_plan){.world = def->world,
                                   .movers = &page->movers,
                                   .reader = page->reader,
                                   .stride = 1,
                                   .threads = def->threads};
    if (page->reader != NULL) page->plan.recorded = kai_trajectory_read_frames(page->reader);
    page->plan.stride = stride_of(page);
    if (r == KAI_OK) r = open_render_meshes(page, err);
    page->series_stride = series_stride_of(page);
    if (page->series_stride > 1)
        kai_world_log(def->world, KAI_LOG_WARNING,
                      "the page has every %zu-th row of the time series; the CSV files have all",
                      page->series_stride);
    page->contact_stride =
        kai_page_contacts_stride(&page->plan, def->view->budget / CONTACTS_SHARE);
    if (page->contact_stride > 1)
        kai_world_log(def->world, KAI_LOG_WARNING,
                      "the page has every %zu-th contact of each frame; trajectory.h5 has more",
                      page->contact_stride);
    double coarsest = 0.0;
    if (r == KAI_OK)
        r = kai_frames_plan_scale(&page->plan, def->view->position_error, &coarsest, err);
    if (r == KAI_OK) r = page_encode(page, KAI_PAGE_SIDE, &page->chunks, &page->body, err);
    if (r == KAI_OK) r = page_fit(page, coarsest, err);
    if (r == KAI_OK)
        *out = page;
    else
        kai_page_discard(page);
    return r;
}

// Writing ----------------------------------------------------------------------------------------

static kai_result manifest_of(const kai_page* page, const char* summary, const kai_text* body,
                              kai_text* to, kai_error* err)
{
    const kai_manifest manifest = {.world = page->def.world,
                                   .view = page->def.view,
                                   .name = page->def.name,
                                   .scene_text = page->def.scene_text,
                                   .summary = summary};
    kai_text_add(to, "{");
    kai_manifest_write(&manifest, to);
    kai_text_add(to, ",");
    kai_text_add_bytes(to, body->data, body->size);
    kai_text_add(to, "}");
    return to->failed ? no_memory(err) : KAI_OK;
}

static kai_result write_side(kai_page* page, const char* summary, kai_error* err)
{
    kai_text manifest = {0};
    kai_result r = manifest_of(page, summary, &page->body_all, &manifest, err);
    if (r == KAI_OK) r = kai_chunks_keep(&page->all, manifest.data, manifest.size, err);
    kai_text_free(&manifest);
    return r;
}

static kai_result write_page(kai_page* page, const char* summary, kai_error* err)
{
    kai_text manifest = {0};
    char* path = kai_file_join(page->def.folder, KAI_PAGE_FILE);
    kai_result r =
        path != NULL ? manifest_of(page, summary, &page->body, &manifest, err) : no_memory(err);
    if (r == KAI_OK)
        r = kai_page_file_write(path, manifest.data, manifest.size, &page->chunks, err);
    free(path);
    kai_text_free(&manifest);
    return r;
}

kai_result kai_page_finish(kai_page* page, const char* summary, kai_error* err)
{
    kai_result r = page->reduced ? write_side(page, summary, err) : KAI_OK;
    if (r == KAI_OK) r = write_page(page, summary, err);
    kai_page_discard(page);
    return r;
}

void kai_page_discard(kai_page* page)
{
    if (page == NULL) return;
    kai_trajectory_read_close(page->reader);
    kai_render_mesh_read_close(page->plan.render_meshes);
    kai_chunks_free(&page->chunks);
    kai_chunks_free(&page->all);
    kai_text_free(&page->body);
    kai_text_free(&page->body_all);
    kai_movers_free(&page->movers);
    free(page);
}
