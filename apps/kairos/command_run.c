// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos run: a scene taken to its end.
#include "cli.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Set by Ctrl-C; a second one ends the process, since the first put the signal's default back.
static volatile int stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static struct {
    const char *directory, *device;
    double end, step, checkpoint_every;
    int threads;
    cli_list sets;
    bool resume, allow_outside, quiet, json;
} args = {.end = -1.0};

static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, &args.directory, "DIR", "folder of results (default: out/SCENE)"},
    {"end", 0, CLI_NUMBER, &args.end, "T", "simulated seconds to run to, instead of the scene's"},
    {"step", 0, CLI_POSITIVE, &args.step, "H", "step in seconds, instead of the scene's"},
    {"threads", 0, CLI_COUNT, &args.threads, "N", "threads to use (default: all)"},
    {"device", 0, CLI_TEXT, &args.device, "cpu|cuda", "where to compute (default: cpu)"},
    {"set", 0, CLI_LIST, &args.sets, "/POINTER=VALUE",
     "change a value of the scene; may be given many times"},
    {"checkpoint-every", 0, CLI_POSITIVE, &args.checkpoint_every, "T",
     "simulated seconds between checkpoints"},
    {"resume", 0, CLI_FLAG, &args.resume, NULL,
     "go on from the checkpoint in the folder, if there is one"},
    {"allow-outside", 0, CLI_FLAG, &args.allow_outside, NULL,
     "let the scene read files outside its own folder"},
    {"quiet", 'q', CLI_FLAG, &args.quiet, NULL, "no progress and no summary"},
    {"json", 0, CLI_FLAG, &args.json, NULL, "print run.json on stdout as well"},
};

static void help(void) { cli_print_help(&cli_run, OPTIONS, KAI_COUNT(OPTIONS)); }

// out/<name of the file without its ending>
static void default_directory(const char* path, char* out, size_t size)
{
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const size_t length = strlen(name);
    const size_t stem = length > 5 && strcmp(name + length - 5, ".json") == 0 ? length - 5 : length;
    snprintf(out, size, "out/%.*s", (int)stem, name);
}

static bool check_device(void)
{
    if (args.device == NULL || strcmp(args.device, "cpu") == 0) return true;
    if (strcmp(args.device, "cuda") == 0)
        cli_error("--device cuda: not built with CUDA");
    else
        cli_error("--device is '%s'; must be cpu or cuda", args.device);
    return false;
}

// An error of the run as an exit status. Once run.json is there (`began`), results were kept.
static int status_of(kai_result result, bool began)
{
    if (result == KAI_OK) return CLI_DONE;
    if (began) return CLI_FAILED;
    switch (result) {
    case KAI_ERROR_ARGUMENT:
    case KAI_ERROR_ID:
    case KAI_ERROR_NAME:
    case KAI_ERROR_FORMAT:
    case KAI_ERROR_LIMIT:
    case KAI_ERROR_UNSUPPORTED: return CLI_USAGE;
    default: return CLI_FAILED;
    }
}

// What this process did; run.json counts the parts of before as well.
static void print_summary(const kai_run_progress* p, kai_result result, const char* directory)
{
    const char* how = result == KAI_OK              ? "done"
                      : result == KAI_ERROR_STOPPED ? "stopped"
                                                    : "failed";
    fprintf(stderr, "%s: %llu steps to t = %.6g s in %.3g s (real-time factor %.3g)\n", how,
            (unsigned long long)p->steps, p->time, p->wall_seconds, p->real_time_factor);
    fprintf(stderr, "results in %s\n", directory);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int execute(kai_scene* scene, const char* directory, double load_seconds)
{
    cli_progress progress;
    cli_progress_init(&progress, args.quiet);
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = directory;
    def.end = args.end;
    def.step = args.step;
    def.checkpoint_every = args.checkpoint_every;
    def.resume = args.resume;
    def.progress = cli_progress_show;
    def.context = &progress;
    def.stop = &stop;
    def.load_seconds = load_seconds;

    kai_error error = {0};
    char* json = NULL;
    const kai_result result = kai_run_execute(&def, &json, &error);
    cli_progress_end(&progress);
    if (result == KAI_ERROR_STOPPED)
        cli_error("%s; 'kairos run … --resume' goes on from there", error.message);
    else if (result != KAI_OK)
        cli_error("%s", error.message);
    if (json != NULL && !args.quiet) print_summary(&progress.last, result, directory);
    if (json != NULL && args.json) puts(json);
    const int status = status_of(result, json != NULL);
    free(json);
    return status;
}

// What was chosen or loaded; warnings are in the summary.
static void show_note(void* context, kai_log_level level, const char* message)
{
    (void)context;
    if (level == KAI_LOG_INFO) fprintf(stderr, "%s\n", message);
}

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words) || !check_device())
        return CLI_USAGE;
    if (words == 0) {
        cli_error("run needs a scene: a file, or a name that 'kairos scenes' lists");
        return CLI_USAGE;
    }
    if (args.threads > 1024) {
        cli_error("--threads is %d; must be from 1 to 1024", args.threads);
        return CLI_USAGE;
    }
    static char path[2 * PATH_MAX], directory[2 * PATH_MAX];
    if (!cli_scene_path(word, path, sizeof path)) return CLI_USAGE;
    if (args.directory != NULL)
        snprintf(directory, sizeof directory, "%s", args.directory);
    else
        default_directory(path, directory, sizeof directory);
    if (directory[0] == '\0') {
        cli_error("the folder of results has an empty name");
        return CLI_USAGE;
    }

    catch_signals();
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.sets = args.sets.items;
    def.set_count = args.sets.count;
    def.allow_outside = args.allow_outside;
    def.world.threads = args.threads;
    if (!args.quiet) def.world.log = show_note;
    const double began = cli_now();
    kai_scene* scene = cli_scene_open(&def);
    free(args.sets.items);
    if (scene == NULL) return CLI_USAGE;
    const int status = execute(scene, directory, cli_now() - began);
    kai_scene_close(scene);
    return status;
}

const cli_command cli_run = {"run", "SCENE",
                             "Runs a scene to its end and writes a folder of results.", run, help};
