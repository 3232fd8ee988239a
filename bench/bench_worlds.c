// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What worlds do with the processors, on scenes that ship.
//
// `two`: two worlds of a scene step at once, each from a thread of its own and with all processors
// allowed. Together they must take no more than 1.1 times as long as one after the other.
//
// `threads`: one world on 1, 2, 4 … threads. More threads must never take longer than fewer (5 % are
// left to noise).
//
// Best of --repetitions runs each, in turn, so that all meet the same noise. --size is the number of
// steps, --file another scene.
#include "base/clock.h"
#include "base/thread_pool.h"
#include "common.h"

#include <kairos/scene.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { STEPS = 40, WARM = 10, MOST = 16 };

static const char* const SCENES[] = {"scenes/pour.json",           "scenes/mixer.json",
                                     "scenes/ball-pool.json",      "scenes/excavator-digging.json",
                                     "scenes/tire-on-ground.json", "scenes/chain-mail.json"};

/// A world that was opened and warmed up.
typedef struct subject {
    kai_scene* scene;
    kai_world* world;
    double step;
    int steps;
} subject;

static subject open_subject(const char* path, int threads, int steps)
{
    kai_scene_def def = kai_scene_def_default();
    kai_error err = {0};
    subject s = {.steps = steps};
    def.path = path;
    def.world.threads = threads;
    if (kai_scene_open(&def, &s.scene, &err) != KAI_OK) {
        fprintf(stderr, "%s: %s\n", path, err.message);
        exit(1);
    }
    s.world = kai_scene_world(s.scene);
    s.step = kai_scene_get_settings(s.scene)->step;
    common_step(s.world, s.step, WARM);
    return s;
}

static void* step_subject(void* context)
{
    const subject* s = context;
    common_step(s->world, s->step, s->steps);
    return NULL;
}

static double time_one(const char* path, int threads, int steps)
{
    subject s = open_subject(path, threads, steps);
    const double began = kai_clock_now();
    step_subject(&s);
    const double seconds = kai_clock_now() - began;
    kai_scene_close(s.scene);
    return seconds;
}

static double time_two_at_once(const char* path, int threads, int steps)
{
    subject a = open_subject(path, threads, steps), b = open_subject(path, threads, steps);
    pthread_t other;
    const double began = kai_clock_now();
    if (pthread_create(&other, NULL, step_subject, &b) != 0) exit(1);
    step_subject(&a);
    pthread_join(other, NULL);
    const double seconds = kai_clock_now() - began;
    kai_scene_close(a.scene);
    kai_scene_close(b.scene);
    return seconds;
}

/// Whether two worlds at once take at most 1.1 times the time of one after the other.
static bool compare_two(const char* path, int steps, const common_options* options)
{
    const int threads = kai_thread_pool_processors();
    double after = HUGE_VAL, once = HUGE_VAL;
    for (int r = 0; r < options->repetitions; r++) {
        after = fmin(after, time_one(path, threads, steps) + time_one(path, threads, steps));
        once = fmin(once, time_two_at_once(path, threads, steps));
    }
    const double ratio = once / after;
    printf("  %-32s two at once / one after the other: %.3f\n", path, ratio);
    if (options->csv)
        fprintf(options->csv, "worlds,two,%s,%d,%.5g,%.5g,%.3f\n", path, threads, after / steps,
                once / steps, ratio);
    return ratio <= 1.1;
}

/// Whether no number of threads takes longer than a smaller one.
static bool compare_threads(const char* path, int steps, const common_options* options)
{
    double seconds[MOST];
    int counts[MOST], count = 0;
    const int processors = kai_thread_pool_processors();
    for (int t = 1; count < MOST; t = 2 * t < processors ? 2 * t : processors) {
        counts[count] = t;
        seconds[count++] = HUGE_VAL;
        if (t >= processors) break;
    }
    for (int r = 0; r < options->repetitions; r++)
        for (int k = 0; k < count; k++)
            seconds[k] = fmin(seconds[k], time_one(path, counts[k], steps));
    bool good = true;
    printf("  %-32s gain:", path);
    for (int k = 0; k < count; k++) {
        good = good && (k == 0 || seconds[k] <= 1.05 * seconds[k - 1]);
        printf("  %d: %.2f", counts[k], seconds[0] / seconds[k]);
        if (options->csv)
            fprintf(options->csv, "worlds,threads,%s,%d,%.5g,,%.3f\n", path, counts[k],
                    seconds[k] / steps, seconds[0] / seconds[k]);
    }
    printf("%s\n", good ? "" : "  SLOWER on more threads");
    return good;
}

int main(int argc, char** argv)
{
    const common_options options =
        common_read_options(argc, argv, "bench_worlds: two worlds at once; one on many threads");
    const int steps = options.size ? options.size : STEPS;
    const size_t scenes = options.file ? 1 : sizeof SCENES / sizeof SCENES[0];
    bool good = true;
    printf("%d processors, %d steps\n", kai_thread_pool_processors(), steps);
    if (options.csv)
        fprintf(options.csv, "benchmark,case,scene,threads,seconds_per_step,"
                             "seconds_per_step_at_once,ratio\n");
    for (size_t i = 0; i < scenes; i++) {
        const char* path = options.file ? options.file : SCENES[i];
        if (common_wanted(&options, "two")) good = compare_two(path, steps, &options) && good;
        if (common_wanted(&options, "threads"))
            good = compare_threads(path, steps, &options) && good;
    }
    if (options.csv) fclose(options.csv);
    return good ? 0 : 1;
}
