// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A live run. The run's thread calls before_step: it does what viewers want, paces itself, and now
// and then leaves a frame in a triple buffer. The server's thread takes frames from there when a
// viewer has said that it is ready for one. Neither waits for the other.
#include "base/check.h"
#include "base/clock.h"
#include "math/function_control.h"
#include "model/collision/collision.h"
#include "model/render_mesh.h"
#include "record/file.h"
#include "view/bundle.h"
#include "view/describe.h"
#include "view/describe_drives.h"
#include "view/frames_plan.h"
#include "view/json.h"
#include "view/live.h"
#include "view/live_drag.h"
#include "view/live_frames.h"
#include "view/live_tail.h"
#include "view/manifest.h"
#include "view/page_parts.h"
#include "view/series.h"

#include <kairos/view.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double FRAME_SECONDS = 1.0 / 60.0; // between frames for viewers
static const double LIVE_SHARE = 0.04;          // most of the time that frames may take
static const double STATE_SECONDS = 0.2;        // between figures
static const double TAIL_SECONDS = 0.5;         // between looks at time series
static const double WAIT_SECONDS = 0.03;        // longest wait inside a call of the run
static const double BEHIND_SECONDS = 0.25;      // farther behind, the clock starts anew

#define CHUNKS "live"

// What the server knows of a viewer.
typedef struct viewer {
    bool greeted, ready, told_end;
    uint32_t frame;
    double state_sent, tail_sent;
    size_t tail_next; // file to look at
    kai_live_tail* tails;
    char error[200];
} viewer;

struct kai_view_live {
    kai_view_live_def def;
    kai_hooks hooks;
    kai_movers movers;
    kai_live live;
    kai_live_frames frames;
    kai_server* server;
    pthread_t thread;
    bool running;
    volatile int stop;
    // Of the run's thread.
    kai_load drags[KAI_SERVER_VIEWERS]; // null: none
    bool warned, reload;
    double anchor_wall, anchor_time, anchor_speed; // pace is counted from here
    double published, told;                        // when, by the clock
    double worked;                                 // s of the run's thread before the last frame
    double waited;                                 // s that it has slept since
    double frame_cost;                             // s of it, of making the last frame
    double served;                                 // s that the server had spent before it
    uint64_t published_steps;
    double rate_wall, rate_time;
    // Of the server's thread.
    viewer viewers[KAI_SERVER_VIEWERS];
    kai_chunks chunks;
    kai_text manifest, outbox; // manifest: up to its series
    kai_text* units;           // [def.file_count] of the columns of time series
    char* page;
    size_t page_size;
};

// The run's thread -------------------------------------------------------------------------------

static void wait_for(kai_view_live* l, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long nanoseconds = until.tv_nsec + (long)(1e9 * fmin(seconds, WAIT_SECONDS));
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    const double begun = kai_clock_now();
    pthread_cond_timedwait(&l->live.changed, &l->live.lock, &until);
    l->waited += kai_clock_now() - begun;
}

static void view_live_warn(kai_view_live* l, const kai_world* world)
{
    if (l->warned) return;
    l->warned = true;
    kai_world_log(world, KAI_LOG_WARNING,
                  "live: a viewer has dragged or steered since t = %.9g s; the results cannot be "
                  "repeated",
                  kai_world_time(world));
}

static void drop_drag(kai_view_live* l, kai_world* world, int v)
{
    if (!KAI_IS_NULL(l->drags[v])) kai_load_destroy(world, l->drags[v]);
    l->drags[v] = (kai_load){0};
}

static void follow_drag(kai_view_live* l, kai_world* world, int v, const kai_live_pull* pull,
                        double h)
{
    if (!pull->active) {
        drop_drag(l, world, v);
        return;
    }
    const kai_live_drag_params params = {.body = kai_movers_body(&l->movers, world, pull->mover),
                                         .point = pull->point,
                                         .target = pull->target,
                                         .step = h};
    const kai_load_kind* kind;
    const void* old;
    // Another body is another load.
    if (!KAI_IS_NULL(l->drags[v]) && kai_load_get(world, l->drags[v], &kind, &old) == KAI_OK &&
        ((const kai_live_drag_params*)old)->body.index != params.body.index)
        drop_drag(l, world, v);
    const kai_result r = KAI_IS_NULL(l->drags[v])
                             ? kai_load_create(world, &kai_live_drag, &params, NULL, &l->drags[v])
                             : kai_load_set(world, l->drags[v], &params);
    if (r == KAI_OK) view_live_warn(l, world);
}

static void view_live_steer(kai_view_live* l, kai_world* world)
{
    kai_store* store = &world->functions.store;
    size_t number = 0;
    for (size_t b = 0; b < store->batch_count; b++) {
        if (store->batches[b].kind != &kai_function_control.kind) continue;
        const kai_function_control_instance* list = store->batches[b].items.data;
        for (size_t i = 0; i < store->batches[b].items.count; i++, number++) {
            const double goal = kai_live_goal(&l->live, number, &list[i].given);
            if (goal == list[i].goal) continue;
            const kai_id id = kai_store_id(store, b, i);
            kai_function_steer(world, (kai_function){id.index, id.generation, id.world}, goal);
            view_live_warn(l, world);
        }
    }
}

// Does what hands want, with the lock held.
static void follow_hands(kai_view_live* l, kai_world* world, double h)
{
    if (!l->live.touched && !l->reload) return;
    for (int v = 0; v < KAI_SERVER_VIEWERS; v++) {
        kai_live_pull* pull = &l->live.hands[v].pull;
        if (pull->changed || l->reload) follow_drag(l, world, v, pull, h);
        pull->changed = false;
    }
    view_live_steer(l, world);
    l->live.touched = l->reload = false;
}

// Processor time of the thread that calls.
static double own_seconds(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) return 0.0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processor time of the server's thread so far.
static double server_seconds(const kai_view_live* l)
{
    clockid_t clock;
    struct timespec t;
    if (!l->running || pthread_getcpuclockid(l->thread, &clock) != 0 ||
        clock_gettime(clock, &t) != 0)
        return 0.0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Whether viewers get a frame now: 60 in a second, or fewer, so that making and sending them takes
// no more than its share even where all processors are at work on the run. Time that others have
// the processor for is not the run's: its own time counts, and that in which it had nothing to do.
static bool frame_is_due(const kai_view_live* l, double now)
{
    if (l->live.wanting == 0 || now - l->published < FRAME_SECONDS) return false;
    const double passed = own_seconds() - l->worked + l->waited;
    return passed * LIVE_SHARE >= l->frame_cost + server_seconds(l) - l->served;
}

// What viewers want to see beside where things are, with the lock held.
static kai_live_frames_wish wish_of(kai_view_live* l)
{
    kai_live_frames_wish wish = {0};
    for (int v = 0; v < KAI_SERVER_VIEWERS; v++) {
        const kai_live_hands* hands = &l->live.hands[v];
        wish.contacts = wish.contacts || hands->contacts;
        bool known = hands->field[0] == '\0';
        for (size_t i = 0; i < wish.field_count; i++)
            known = known || strcmp(wish.fields[i], hands->field) == 0;
        if (!known) memcpy(wish.fields[wish.field_count++], hands->field, sizeof hands->field);
    }
    l->live.asked = false;
    return wish;
}

// Leaves a frame and figures when they are due.
static void view_live_publish(kai_view_live* l, kai_world* world, double now, bool always)
{
    if (l->live.viewers == 0 && !always) return;
    const uint64_t steps = kai_world_steps(world);
    const bool moved = steps != l->published_steps || l->frames.written == 0 || l->live.asked;
    const bool frame = moved && frame_is_due(l, now);
    if (!frame && now - l->told < STATE_SECONDS && !always) return;
    if (frame || always) {
        const kai_live_frames_wish wish = wish_of(l);
        l->worked = own_seconds();
        l->waited = 0.0;
        // A message of a failure is the run's own, at its next step.
        if (wish.contacts && kai_collision_wanted(world)) kai_collision_refresh(world, NULL);
        kai_live_frames_write(&l->frames, world, &wish);
        l->published = now;
        l->served = server_seconds(l);
        l->frame_cost = own_seconds() - l->worked;
        l->published_steps = steps;
    }
    if (now - l->rate_wall > BEHIND_SECONDS) {
        const double simulated = kai_world_time(world) - l->rate_time;
        l->live.state.factor = simulated > 0.0 ? (now - l->rate_wall) / simulated : 0.0;
        l->rate_wall = now;
        l->rate_time = kai_world_time(world);
    }
    l->told = now;
    kai_server_wake(l->server);
}

// Whether the next step is due, with the lock held; waits a little when it is not.
static bool is_due(kai_view_live* l, double time, double now)
{
    kai_live* live = &l->live;
    if (live->steps_left > 0) {
        live->steps_left--;
        l->anchor_speed = -1.0;
        return true;
    }
    if (live->paused) {
        l->anchor_speed = -1.0;
        wait_for(l, WAIT_SECONDS);
        return false;
    }
    if (!(live->speed > 0.0)) return true;
    const double ahead = (time - l->anchor_time) / live->speed - (now - l->anchor_wall);
    if (l->anchor_speed != live->speed || ahead < -BEHIND_SECONDS) {
        l->anchor_speed = live->speed;
        l->anchor_wall = now;
        l->anchor_time = time;
        return true;
    }
    if (ahead <= 0.001) return true;
    wait_for(l, ahead);
    return false;
}

static bool before_step(void* context, kai_world* world, double h)
{
    kai_view_live* l = context;
    const double now = kai_clock_now();
    pthread_mutex_lock(&l->live.lock);
    if (h == 0.0) { // the end
        for (int v = 0; v < KAI_SERVER_VIEWERS; v++) drop_drag(l, world, v);
        l->live.state.time = kai_world_time(world);
        l->live.state.steps = kai_world_steps(world);
        view_live_publish(l, world, now, true);
        l->live.ended = true;
        pthread_mutex_unlock(&l->live.lock);
        kai_server_wake(l->server);
        return true;
    }
    follow_hands(l, world, h);
    l->live.state.time = kai_world_time(world);
    l->live.state.steps = kai_world_steps(world);
    view_live_publish(l, world, now, false);
    const bool due = is_due(l, kai_world_time(world), now);
    pthread_mutex_unlock(&l->live.lock);
    return due;
}

static void before_save(void* context, kai_world* world)
{
    kai_view_live* l = context;
    for (int v = 0; v < KAI_SERVER_VIEWERS; v++) drop_drag(l, world, v);
    l->reload = true;
}

// The server's thread ----------------------------------------------------------------------------

static char* path_of(const kai_view_live* l, size_t file)
{
    return kai_file_join(l->def.directory, l->def.files[file]);
}

// Ends a manifest: the time series as far as they are known now.
static void add_series(const kai_view_live* l, kai_text* to)
{
    bool first = true;
    for (size_t i = 0; i < l->def.file_count; i++) {
        char* path = path_of(l, i);
        kai_text columns = {0};
        if (path != NULL && kai_live_tail_columns(path, &columns)) {
            kai_text_add(to, "%s{\"file\":", first ? "" : ",");
            kai_json_string(to, l->def.files[i]);
            kai_text_add(to, ",\"columns\":");
            kai_text_add_bytes(to, columns.data, columns.size);
            kai_text_add_bytes(to, l->units[i].data, l->units[i].size);
            kai_text_add(to, ",\"rows\":0,\"chunk\":-1,\"stride\":1}");
            first = false;
        }
        kai_text_free(&columns);
        free(path);
    }
    kai_text_add(to, "]}");
}

static bool view_live_find(void* context, const char* name, kai_server_body* out)
{
    kai_view_live* l = context;
    size_t number;
    if (name[0] == '\0' || strcmp(name, "index.html") == 0) {
        *out = (kai_server_body){.type = "text/html; charset=utf-8",
                                 .data = l->page,
                                 .size = l->page_size,
                                 .descriptor = -1};
        return true;
    }
    if (strcmp(name, "manifest.json") == 0) {
        kai_text text = {0};
        kai_text_add(&text, "{");
        kai_text_add_bytes(&text, l->manifest.data, l->manifest.size);
        add_series(l, &text);
        *out = (kai_server_body){.type = "application/json",
                                 .data = text.data,
                                 .size = text.size,
                                 .owned = text.data,
                                 .descriptor = -1};
        return text.data != NULL;
    }
    if (!kai_bundle_number(name, "chunk/", &number) || number >= l->chunks.count) return false;
    *out = (kai_server_body){.type = "application/octet-stream",
                             .descriptor = l->chunks.descriptor,
                             .offset = l->chunks.places[number].offset,
                             .size = (size_t)l->chunks.places[number].size};
    return true;
}

static void view_live_joined(void* context, int v)
{
    kai_view_live* l = context;
    kai_live_tail* tails = l->viewers[v].tails;
    memset(tails, 0, (l->def.file_count + 1) * sizeof *tails);
    l->viewers[v] = (viewer){.tails = tails};
    kai_live_join(&l->live);
}

static void view_live_left(void* context, int v)
{
    kai_live_leave(&((kai_view_live*)context)->live, v);
}

static void view_live_said(void* context, int v, const char* text, size_t size)
{
    kai_view_live* l = context;
    kai_message message;
    kai_error err = {0};
    kai_result r = kai_message_read(&message, text, size, &err);
    if (r == KAI_OK) r = kai_live_hear(&l->live, v, &message, l->movers.count, &err);
    if (r != KAI_OK)
        snprintf(l->viewers[v].error, sizeof l->viewers[v].error, "%.190s", err.message);
    else if (message.type == KAI_MESSAGE_READY) {
        l->viewers[v].ready = true;
        kai_live_want(&l->live, v, true);
    } else
        l->viewers[v].state_sent = 0.0; // show at once what it did
}

// The outbox as a message.
static bool send_outbox(kai_view_live* l, kai_server_message* out)
{
    if (l->outbox.failed) return false;
    *out = (kai_server_message){.buffer = (unsigned char*)l->outbox.data,
                                .size = l->outbox.size - KAI_SERVER_ROOM};
    return true;
}

static void begin_outbox(kai_view_live* l)
{
    static const char room[KAI_SERVER_ROOM];
    l->outbox.size = 0;
    l->outbox.failed = false;
    kai_text_add_bytes(&l->outbox, room, sizeof room);
}

static void add_state(kai_view_live* l)
{
    kai_text* to = &l->outbox;
    pthread_mutex_lock(&l->live.lock);
    const kai_live_state s = l->live.state;
    const bool paused = l->live.paused;
    const double speed = l->live.speed;
    const int viewers = l->live.viewers;
    pthread_mutex_unlock(&l->live.lock);
    kai_text_add(to, "{\"type\":\"state\",\"time\":");
    kai_json_number(to, s.time);
    kai_text_add(to, ",\"paused\":%s,\"speed\":", paused ? "true" : "false");
    kai_json_number(to, speed);
    kai_text_add(to, ",\"real_time_factor\":");
    kai_json_number(to, s.factor);
    kai_text_add(to, ",\"step\":%llu,\"viewers\":%d}", (unsigned long long)s.steps, viewers);
}

static bool add_tail(kai_view_live* l, viewer* one, double now)
{
    if (now - one->tail_sent < TAIL_SECONDS) return false;
    while (one->tail_next < l->def.file_count) {
        const size_t i = one->tail_next++;
        char* path = path_of(l, i);
        const bool any =
            path != NULL && kai_live_tail_read(&one->tails[i], path, l->def.files[i], &l->outbox);
        free(path);
        if (any) return true;
    }
    one->tail_next = 0;
    one->tail_sent = now;
    return false;
}

static bool has_ended(kai_view_live* l)
{
    pthread_mutex_lock(&l->live.lock);
    const bool ended = l->live.ended;
    pthread_mutex_unlock(&l->live.lock);
    return ended;
}

static bool view_live_next(void* context, int v, kai_server_message* out)
{
    kai_view_live* l = context;
    viewer* one = &l->viewers[v];
    const double now = kai_clock_now();
    begin_outbox(l);
    if (!one->greeted) {
        one->greeted = true;
        kai_text_add(&l->outbox, "{\"type\":\"manifest\",");
        kai_text_add_bytes(&l->outbox, l->manifest.data, l->manifest.size);
        add_series(l, &l->outbox);
        return send_outbox(l, out);
    }
    if (one->error[0] != '\0') {
        kai_text_add(&l->outbox, "{\"type\":\"error\",\"message\":");
        kai_json_string(&l->outbox, one->error);
        kai_text_add(&l->outbox, "}");
        one->error[0] = '\0';
        return send_outbox(l, out);
    }
    const bool ended = has_ended(l);
    uint32_t number;
    size_t size = 0;
    unsigned char* frame = one->ready ? kai_live_frames_read(&l->frames, &number, &size) : NULL;
    if (frame != NULL && number != one->frame) {
        one->frame = number;
        one->ready = false;
        kai_live_want(&l->live, v, false);
        *out = (kai_server_message){.buffer = frame, .size = size, .binary = true};
        return true;
    }
    if (now - one->state_sent >= STATE_SECONDS) {
        one->state_sent = now;
        add_state(l);
        return send_outbox(l, out);
    }
    if (add_tail(l, one, now)) return send_outbox(l, out);
    if (!ended || one->told_end) return false;
    one->told_end = true;
    kai_text_add(&l->outbox, "{\"type\":\"end\"}");
    return send_outbox(l, out);
}

static void* view_live_serve(void* context)
{
    kai_view_live* l = context;
    kai_server_run(l->server, &l->stop);
    return NULL;
}

// Calls ------------------------------------------------------------------------------------------

// What may be asked for: contacts where they are looked for, and fields.
static void add_fields(const kai_world* world, kai_text* to)
{
    const bool pushing = world->contact_def.method != KAI_CONTACT_NONE;
    bool first = true;
    if (kai_collision_wanted(world))
        kai_text_add(to, ",\"contacts\":{\"stride\":1,\"gap\":[0,0],%s\"blocks\":[]}",
                     pushing ? "\"force\":0," : "");
    kai_text_add(to, ",\"fields\":[");
    for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++) {
        if (!pushing && f >= KAI_TRAJECTORY_FIELD_CONTACT_FORCE) break;
        kai_page_fields_begin(to, first, kai_trajectory_fields_word(f),
                              kai_trajectory_fields_unit(f), SIZE_MAX);
        kai_text_add(to, "],\"range\":[0,0]}");
        first = false;
    }
    for (size_t k = 0; k < kai_render_mesh_count(world); k++) {
        kai_render_mesh m;
        kai_render_mesh_describe(world, k, &m);
        for (size_t i = 0; i < m.field_count; i++) {
            kai_page_fields_begin(to, first, m.fields[i].name, m.fields[i].unit, k);
            kai_text_add(to, "],\"range\":[0,0]}");
            first = false;
        }
    }
    kai_text_add(to, "]");
}

static kai_result make_manifest(kai_view_live* l, kai_error* err)
{
    kai_frames_plan plan = {.world = l->def.world, .movers = &l->movers, .stride = 1};
    double coarsest;
    KAI_TRY(kai_frames_plan_scale(&plan, 0.0, &coarsest, err));
    char* path = kai_file_join(l->def.directory, CHUNKS);
    if (path == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a path");
    const kai_result made = kai_chunks_create(&l->chunks, path, err);
    free(path);
    KAI_TRY(made);
    const kai_manifest manifest = {.world = l->def.world,
                                   .view = l->def.view,
                                   .name = l->def.name,
                                   .scene_text = l->def.scene_text,
                                   .live = true};
    kai_text* to = &l->manifest;
    kai_manifest_write(&manifest, to);
    kai_text_add(to, ",");
    KAI_TRY(kai_describe(l->def.world, &l->movers, &l->chunks, to, err));
    kai_text_add(to, ",\"frames\":{\"count\":0,\"recorded\":0,\"stride\":1,\"times\":null,"
                     "\"position_step\":0,\"position_error\":0,\"rotation_step\":6.103515625e-5,"
                     "\"origin\":");
    kai_json_vec3(to, plan.origin);
    kai_text_add(to, ",\"rotated\":%zu,\"movers\":%zu,\"blocks\":[]}", l->movers.rotated,
                 l->movers.count);
    kai_result described;
    if (kai_page_render_meshes_describe(l->def.world, &l->chunks, to, &described, err))
        kai_text_add(to, ",\"blocks\":[]}");
    KAI_TRY(described);
    add_fields(l->def.world, to);
    kai_describe_drives_controls(l->def.world, to);
    kai_text_add(to, ",\"series\":[");
    if (to->failed) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the page");
    return kai_live_frames_init(&l->frames, &l->movers, l->def.world, plan.origin, err);
}

// Units of the columns of time series: found now, as the world belongs to the run's thread.
static kai_result find_units(kai_view_live* l, kai_error* err)
{
    l->units = calloc(l->def.file_count + 1, sizeof *l->units);
    if (l->units == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for units");
    for (size_t i = 0; l->def.outputs != NULL && i < l->def.file_count; i++) {
        const kai_series_entry entry = {.world = l->def.world, .output = l->def.outputs[i]};
        kai_series_write_units(&entry, 0, &l->units[i]);
    }
    return KAI_OK;
}

// Signals are the program's business, not the server's.
static kai_result start_thread(kai_view_live* l, kai_error* err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int why = pthread_create(&l->thread, NULL, view_live_serve, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why != 0) return kai_error_set(err, KAI_ERROR_MEMORY, "no thread for the server");
    l->running = true;
    return KAI_OK;
}

static kai_result view_live_start(kai_view_live* l, kai_error* err)
{
    const kai_server_source source = {.context = l,
                                      .find = view_live_find,
                                      .joined = view_live_joined,
                                      .said = view_live_said,
                                      .left = view_live_left,
                                      .next = view_live_next};
    KAI_TRY(kai_server_create(&l->server, l->def.host, l->def.port, &source, err));
    KAI_TRY(kai_file_make_folder(l->def.directory, err));
    KAI_TRY(kai_movers_make(&l->movers, l->def.world, err));
    KAI_TRY(make_manifest(l, err));
    KAI_TRY(find_units(l, err));
    l->page = kai_bundle_viewer(&l->page_size);
    bool good = l->page != NULL;
    for (int v = 0; v < KAI_SERVER_VIEWERS; v++) {
        l->viewers[v].tails = calloc(l->def.file_count + 1, sizeof *l->viewers[v].tails);
        good = good && l->viewers[v].tails != NULL;
    }
    if (!good) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for viewers");
    if (!kai_store_has(&l->def.world->loads, &kai_live_drag.kind) &&
        kai_load_register(l->def.world, &kai_live_drag) != KAI_OK) {
        if (err != NULL) *err = *kai_world_error(l->def.world);
        return KAI_ERROR_ARGUMENT;
    }
    return start_thread(l, err);
}

kai_result kai_view_live_start(const kai_view_live_def* def, kai_view_live** out, kai_error* err)
{
    KAI_CLEAR(out);
    KAI_GIVEN(err, def, out);
    if (def->world == NULL || def->view == NULL || def->directory == NULL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_view_live_start: def needs world, view and directory");
    kai_view_live* l = calloc(1, sizeof *l);
    if (l == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a live run");
    l->def = *def;
    l->chunks.descriptor = -1;
    l->hooks = (kai_hooks){.context = l, .before_step = before_step, .before_save = before_save};
    kai_result r = kai_live_init(&l->live, err);
    if (r == KAI_OK) r = view_live_start(l, err);
    if (r == KAI_OK)
        *out = l;
    else
        kai_view_live_stop(l);
    return r;
}

const char* kai_view_live_url(const kai_view_live* l)
{
    KAI_GIVEN_OR(NULL, l);
    return kai_server_url(l->server);
}

const kai_hooks* kai_view_live_hooks(const kai_view_live* l)
{
    KAI_GIVEN_OR(NULL, l);
    return &l->hooks;
}

// Viewers that are there get what is left for them, for a moment.
static void view_live_drain(kai_view_live* l)
{
    const double begun = kai_clock_now();
    bool waiting = true;
    while (waiting && kai_clock_now() - begun < 1.0) {
        kai_server_wake(l->server);
        pthread_mutex_lock(&l->live.lock);
        l->live.ended = true;
        waiting = l->live.viewers > 0 && kai_clock_now() - begun < BEHIND_SECONDS;
        if (waiting) wait_for(l, WAIT_SECONDS);
        pthread_mutex_unlock(&l->live.lock);
    }
}

void kai_view_live_stop(kai_view_live* l)
{
    if (l == NULL) return;
    if (l->running) {
        view_live_drain(l);
        __atomic_store_n(&l->stop, 1, __ATOMIC_RELAXED);
        kai_server_wake(l->server);
        pthread_join(l->thread, NULL);
    }
    kai_server_destroy(l->server);
    for (int v = 0; v < KAI_SERVER_VIEWERS; v++) free(l->viewers[v].tails);
    kai_live_frames_free(&l->frames);
    kai_chunks_free(&l->chunks);
    kai_text_free(&l->manifest);
    kai_text_free(&l->outbox);
    for (size_t i = 0; l->units != NULL && i < l->def.file_count; i++) kai_text_free(&l->units[i]);
    free(l->units);
    kai_movers_free(&l->movers);
    kai_live_free(&l->live);
    free(l->page);
    free(l);
}
