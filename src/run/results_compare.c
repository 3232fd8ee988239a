// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two runs beside each other: the values of their scenes, and the frames of their trajectories.
#include "base/check.h"
#include "record/file.h"
#include "record/recorder.h"
#include "record/trajectory/trajectory_read.h"
#include "view/bundle.h"

#include <jansson.h>
#include <kairos/results.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTER_MOST = 1024, DEPTH_MOST = 64 };

// Scenes -----------------------------------------------------------------------------------------

typedef struct teller {
    kai_results_tell_fn* tell;
    void* context;
} teller;

// A member of an object or an item of a list behind a pointer; `~` and `/` are escaped.
static void add_step(char pointer[POINTER_MOST], size_t length, const char* key)
{
    size_t n = length;
    if (n + 1 < POINTER_MOST) pointer[n++] = '/';
    for (; *key != '\0' && n + 3 < POINTER_MOST; key++) {
        const bool escaped = *key == '~' || *key == '/';
        if (escaped) pointer[n++] = '~';
        pointer[n++] = !escaped ? *key : *key == '~' ? '0' : '1';
    }
    pointer[n] = '\0';
}

static char* text_of(const json_t* value, bool exact)
{
    const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY |
                         (exact ? JSON_REAL_PRECISION(17) : JSON_REAL_PRECISION(15));
    return value != NULL ? json_dumps(value, flags) : NULL;
}

static void tell_pair(const teller* to, const char* pointer, const json_t* a, const json_t* b)
{
    char *one = text_of(a, false), *other = text_of(b, false);
    if (one != NULL && other != NULL && strcmp(one, other) == 0) {
        free(one);
        free(other);
        one = text_of(a, true);
        other = text_of(b, true);
    }
    to->tell(to->context, pointer[0] != '\0' ? pointer : "/", one, other);
    free(one);
    free(other);
}

static const char* name_of(const json_t* item)
{
    return json_string_value(json_object_get(item, "name"));
}

// A list whose items all have names, as an object; NULL for another list.
static json_t* by_name(const json_t* list)
{
    json_t* object = json_object();
    for (size_t i = 0; object != NULL && i < json_array_size(list); i++) {
        json_t* item = json_array_get(list, i);
        const char* name = name_of(item);
        if (name != NULL && json_object_get(object, name) == NULL) {
            json_object_set(object, name, item);
            continue;
        }
        json_decref(object);
        object = NULL;
    }
    return object;
}

static void compare_values(const teller* to, char pointer[POINTER_MOST], json_t* a, json_t* b,
                           int depth);

static void compare_objects(const teller* to, char pointer[POINTER_MOST], json_t* a, json_t* b,
                            int depth)
{
    const size_t length = strlen(pointer);
    const char* key;
    json_t* value;
    json_object_foreach(a, key, value)
    {
        add_step(pointer, length, key);
        compare_values(to, pointer, value, json_object_get(b, key), depth);
    }
    json_object_foreach(b, key, value)
    {
        if (json_object_get(a, key) != NULL) continue;
        add_step(pointer, length, key);
        compare_values(to, pointer, NULL, value, depth);
    }
    pointer[length] = '\0';
}

// Lists of equal length without names, item by item; others as a whole.
static void compare_lists(const teller* to, char pointer[POINTER_MOST], json_t* a, json_t* b,
                          int depth)
{
    json_t *one = by_name(a), *other = by_name(b);
    const size_t length = strlen(pointer), count = json_array_size(a);
    const json_t* first = json_array_get(a, 0);
    if (one != NULL && other != NULL) {
        compare_objects(to, pointer, one, other, depth);
    } else if (count != json_array_size(b) || (!json_is_object(first) && !json_is_array(first))) {
        tell_pair(to, pointer, a, b);
    } else {
        for (size_t i = 0; i < count; i++) {
            char number[24];
            snprintf(number, sizeof number, "%zu", i);
            add_step(pointer, length, number);
            compare_values(to, pointer, json_array_get(a, i), json_array_get(b, i), depth);
        }
        pointer[length] = '\0';
    }
    json_decref(one);
    json_decref(other);
}

// Numbers are compared as numbers: 1 and 1.0 are equal.
static bool are_equal(const json_t* a, const json_t* b)
{
    if (json_is_number(a) && json_is_number(b))
        return !(json_number_value(a) < json_number_value(b)) &&
               !(json_number_value(a) > json_number_value(b));
    return json_equal(a, b) != 0;
}

static void compare_values(const teller* to, char pointer[POINTER_MOST], json_t* a, json_t* b,
                           int depth)
{
    if (a != NULL && b != NULL && are_equal(a, b)) return;
    if (depth < DEPTH_MOST && json_is_object(a) && json_is_object(b))
        compare_objects(to, pointer, a, b, depth + 1);
    else if (depth < DEPTH_MOST && json_is_array(a) && json_is_array(b))
        compare_lists(to, pointer, a, b, depth + 1);
    else
        tell_pair(to, pointer, a, b);
}

// The scene that a page holds.
static kai_result read_scene(const char* directory, json_t** scene, kai_error* err)
{
    kai_bundle bundle;
    *scene = NULL;
    KAI_TRY(kai_bundle_open_page(&bundle, directory, err));
    json_t* root = json_loadb(bundle.manifest, bundle.manifest_size, 0, NULL);
    const char* text = json_string_value(json_object_get(root, "scene_text"));
    if (text != NULL) *scene = json_loads(text, 0, NULL);
    json_decref(root);
    kai_bundle_close(&bundle);
    return *scene != NULL
               ? KAI_OK
               : kai_error_set(err, KAI_ERROR_FILE, "%s: its page holds no scene", directory);
}

kai_result kai_results_compare_scenes(const char* directory_a, const char* directory_b,
                                      kai_results_tell_fn* tell, void* context, kai_error* err)
{
    KAI_GIVEN(err, directory_a, directory_b, tell);
    json_t *a = NULL, *b = NULL;
    kai_result r = read_scene(directory_a, &a, err);
    if (r == KAI_OK) r = read_scene(directory_b, &b, err);
    char pointer[POINTER_MOST] = "";
    const teller to = {tell, context};
    if (r == KAI_OK) compare_values(&to, pointer, a, b, 0);
    json_decref(a);
    json_decref(b);
    return r;
}

// Trajectories -----------------------------------------------------------------------------------

typedef struct sums {
    double position, rotation; // of squares
    double numbers[2];         // of positions, of rotations
    double low[3], high[3];
} sums;

static kai_result open_trajectory(const char* directory, kai_trajectory_read** out, kai_error* err)
{
    char* path = kai_file_join(directory, KAI_RECORDER_TRAJECTORY);
    *out = NULL;
    if (path == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a path");
    const kai_result r =
        access(path, F_OK) == 0 ? kai_trajectory_read_open(out, path, UINT32_MAX, err) : KAI_OK;
    free(path);
    return r;
}

// The largest differences of a frame; `*body`: row of the largest.
static void compare_frame(const kai_trajectory_frame* a, const kai_trajectory_frame* b, sums* s,
                          double* position, double* rotation, size_t* body)
{
    double worst = -1.0;
    *position = *rotation = 0.0;
    *body = 0;
    for (size_t i = 0; i < a->count; i++) {
        const double *p = a->rotation + 4 * i, *q = b->rotation + 4 * i;
        const double sign =
            p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0.0 ? -1.0 : 1.0;
        double apart = 0.0, turned = 0.0;
        for (size_t c = 0; c < 3; c++) {
            const double x = a->position[3 * i + c], d = fabs(b->position[3 * i + c] - x);
            s->low[c] = fmin(s->low[c], x);
            s->high[c] = fmax(s->high[c], x);
            s->position += d * d;
            apart = fmax(apart, d);
        }
        for (size_t c = 0; c < 4; c++) {
            const double d = fabs(sign * q[c] - p[c]);
            s->rotation += d * d;
            turned = fmax(turned, d);
        }
        *position = fmax(*position, apart);
        *rotation = fmax(*rotation, turned);
        if (fmax(apart, turned) > worst) worst = fmax(apart, turned), *body = i;
    }
    s->numbers[0] += 3.0 * (double)a->count;
    s->numbers[1] += 4.0 * (double)a->count;
}

static bool are_alike(const kai_trajectory_frame* a, const kai_trajectory_frame* b)
{
    return fabs(a->time - b->time) <= 1e-9 * fmax(1.0, fabs(a->time)) && a->count == b->count &&
           memcmp(a->id, b->id, a->count * sizeof *a->id) == 0;
}

static kai_result compare_all(kai_trajectory_read* from_a, kai_trajectory_read* from_b,
                              double tolerance, kai_results_frames* out, kai_error* err)
{
    sums s = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    const size_t most = out->frames_a < out->frames_b ? out->frames_a : out->frames_b;
    for (size_t k = 0; k < most; k++) {
        kai_trajectory_frame a, b;
        double position, rotation;
        size_t body;
        KAI_TRY(kai_trajectory_read_frame(from_a, k, &a, err));
        KAI_TRY(kai_trajectory_read_frame(from_b, k, &b, err));
        if (!are_alike(&a, &b)) break;
        compare_frame(&a, &b, &s, &position, &rotation, &body);
        out->compared++;
        out->position_max = fmax(out->position_max, position);
        out->rotation_max = fmax(out->rotation_max, rotation);
        if (!isnan(out->first_time) || (position <= tolerance && rotation <= tolerance)) continue;
        out->first_time = a.time;
        out->first_body = a.count > 0 ? a.id[body] : 0;
    }
    out->position_rms = sqrt(s.position / fmax(s.numbers[0], 1.0));
    out->rotation_rms = sqrt(s.rotation / fmax(s.numbers[1], 1.0));
    for (size_t c = 0; c < 3; c++) out->extent = fmax(out->extent, s.high[c] - s.low[c]);
    return KAI_OK;
}

kai_result kai_results_compare_frames(const char* directory_a, const char* directory_b,
                                      double tolerance, kai_results_frames* out, kai_error* err)
{
    KAI_GIVEN(err, directory_a, directory_b, out);
    *out = (kai_results_frames){.first_time = (double)NAN};
    if (!(tolerance >= 0.0 && isfinite(tolerance)))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_results_compare_frames: tolerance is %g; must be >= 0",
                             tolerance);
    kai_trajectory_read *a = NULL, *b = NULL;
    kai_result r = open_trajectory(directory_a, &a, err);
    if (r == KAI_OK) r = open_trajectory(directory_b, &b, err);
    if (a != NULL) out->frames_a = kai_trajectory_read_frames(a);
    if (b != NULL) out->frames_b = kai_trajectory_read_frames(b);
    if (r == KAI_OK && a != NULL && b != NULL) r = compare_all(a, b, tolerance, out, err);
    kai_trajectory_read_close(a);
    kai_trajectory_read_close(b);
    return r;
}
