// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos run: a scene taken to its end.
#include "cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int stop; // set by Ctrl-C and its like

static struct {
    const char *directory, *device, *host, *start;
    double end, step, checkpoint_every;
    int threads, live;
    size_t memory;
    cli_list sets, loads;
    bool resume, allow_outside, quiet, json;
} args = {.end = -1.0, .live = -1};

static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, &args.directory, "DIR",
     "folder of results (default: out/SCENE); one run at a time"},
    {"end", 0, CLI_NUMBER, &args.end, "T", "simulated seconds to run to, instead of the scene's"},
    {"step", 0, CLI_POSITIVE, &args.step, "H", "step in seconds, instead of the scene's"},
    {"threads", 0, CLI_COUNT, &args.threads, "N", "threads to use (default: all)"},
    {"memory", 0, CLI_SIZE, &args.memory, "SIZE",
     "most memory to take, such as 512M or 4G (default: four fifths of what there is)"},
    {"device", 0, CLI_TEXT, &args.device, "cpu|cuda", "where to compute (default: cpu)"},
    {"set", 0, CLI_LIST, &args.sets, "NAME=VALUE",
     "change a parameter, or a value by its JSON pointer; may be given many times"},
    CLI_LOAD(&args.loads),
    {"start", 0, CLI_TEXT, &args.start, "FILE",
     "begin with a saved world (checkpoint.h5 of a run): things take the state of the same name"},
    {"checkpoint-every", 0, CLI_POSITIVE, &args.checkpoint_every, "T",
     "simulated seconds between checkpoints"},
    {"resume", 0, CLI_FLAG, &args.resume, NULL,
     "go on from the checkpoint in the folder, if there is one"},
    {"live", 0, CLI_PORT, &args.live, "[=PORT]",
     "let browsers watch and steer; prints the address to open"},
    {"host", 0, CLI_TEXT, &args.host, "ADDRESS",
     "with --live: address to listen at (default: 127.0.0.1, this machine only)"},
    {"allow-outside", 0, CLI_FLAG, &args.allow_outside, NULL,
     "let the scene read files outside its own folder"},
    {"quiet", 'q', CLI_FLAG, &args.quiet, NULL, "no progress and no summary"},
    {"json", 0, CLI_FLAG, &args.json, NULL, "print run.json on stdout as well"},
};

static const char** live_files;             // names that a live run looks at
static const kai_output_def** live_outputs; // what writes them
static cli_progress* bar;                   // drawn at present, or NULL

// Warnings stand on lines of their own, also beside a bar.
static void on_log(void* context, kai_log_level level, const char* message)
{
    (void)context;
    const bool note = level == KAI_LOG_INFO && !args.quiet; // what was chosen or loaded
    if (level != KAI_LOG_WARNING && !note) return;
    if (bar != NULL) cli_progress_end(bar);
    if (note)
        fprintf(stderr, "%s\n", message);
    else
        cli_error("warning: %s", message);
}

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
    if (result == KAI_ERROR_STOPPED) return CLI_STOPPED;
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
static void print_summary(const kai_run_progress* p, kai_result result, const kai_world* world,
                          const char* directory)
{
    const char* how = result == KAI_OK              ? "done"
                      : result == KAI_ERROR_STOPPED ? "stopped"
                                                    : "failed";
    fprintf(stderr, "%s: %llu steps to t = %.6g s in %.3g s (real-time factor %.3g)\n", how,
            (unsigned long long)p->steps, p->time, p->wall_seconds, p->real_time_factor);
    char verdict[700];
    kai_solver_verdict(world, verdict, sizeof verdict);
    if (verdict[0]) fprintf(stderr, "%s\n", verdict);
    fprintf(stderr, "results in %s\n", directory);
}

static void print_page(const char* directory)
{
    static char path[2 * PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/index.html", directory);
    if (access(path, R_OK) == 0) fprintf(stderr, "page to open: %s\n", path);
}

// A server for the run; NULL after an error, which it has printed.
static kai_view_live* start_live(kai_scene* scene, const char* directory)
{
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    const size_t count = kai_scene_output_count(scene);
    const char** files = calloc(count + 1, sizeof *files);
    const kai_output_def** outputs = calloc(count + 1, sizeof *outputs);
    kai_view_live_def def = {.world = kai_scene_world(scene),
                             .view = &settings->view,
                             .name = settings->name.text,
                             .scene_text = kai_scene_text(scene),
                             .directory = directory,
                             .files = files,
                             .outputs = outputs,
                             .host = args.host,
                             .port = args.live};
    const bool room = files != NULL && outputs != NULL;
    for (size_t i = 0; room && i < count; i++) {
        const kai_output_def* output = kai_scene_output(scene, i);
        const bool images = output->target == KAI_OUTPUT_SENSOR && output->quantity_count == 0;
        if (output->target == KAI_OUTPUT_PARTICLES || images) continue;
        outputs[def.file_count] = output;
        files[def.file_count++] = output->file.text;
    }
    kai_view_live* live = NULL;
    kai_error error = {0};
    if (!room || kai_view_live_start(&def, &live, &error) != KAI_OK) {
        cli_error("--live: %s", !room ? "out of memory" : cli_message(&error));
        free(files);
        free(outputs);
        return NULL;
    }
    live_files = files;
    live_outputs = outputs;
    printf("%s\n", kai_view_live_url(live));
    fflush(stdout);
    if (!args.quiet) fprintf(stderr, "open this address in a browser to watch and steer the run\n");
    return live;
}

// What is at rest need not be computed for somebody who looks on, where nobody asked for the opposite
// ("sleep": {"time": 0} cannot be told from nothing: --set /sleep/speed=0 keeps all awake).
static void let_sleep(kai_world* world)
{
    const double usual = 0.5; // s
    kai_sleep_def def = kai_sleep_get(world);
    const bool able = kai_contact_get(world).method == KAI_CONTACT_NSC &&
                      strcmp(kai_integrator_get(world)->kind.name, "euler") == 0;
    if (!able || def.time > 0.0 || def.speed == 0.0) return;
    def.time = usual;
    kai_sleep_set(world, &def);
}

static int execute(kai_scene* scene, const char* directory, double load_seconds)
{
    cli_progress progress;
    cli_progress_init(&progress, args.quiet);
    if (args.live >= 0) let_sleep(kai_scene_world(scene));
    kai_view_live* live = args.live >= 0 ? start_live(scene, directory) : NULL;
    if (args.live >= 0 && live == NULL) return CLI_USAGE;
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
    const kai_hooks* const hooks[] = {live != NULL ? kai_view_live_hooks(live) : NULL};
    def.hooks = hooks;
    def.hook_count = live != NULL;
    bar = &progress;
    cli_signals_stop(&stop);
    const kai_result result = kai_run_execute(&def, &json, &error);
    bar = NULL;
    cli_progress_end(&progress);
    kai_view_live_stop(live);
    free(live_files);
    free(live_outputs);
    if (result == KAI_ERROR_STOPPED)
        cli_error("%s; 'kairos run … --resume' goes on from there", cli_message(&error));
    else if (result != KAI_OK)
        cli_error("%s", cli_message(&error));
    if (json != NULL && !args.quiet) {
        print_summary(&progress.last, result, kai_scene_world(scene), directory);
        print_page(directory);
    }
    if (json != NULL && args.json) puts(json);
    const int status = status_of(result, json != NULL);
    free(json);
    return status;
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

    cli_signals_quit();
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.sets = args.sets.items;
    def.set_count = args.sets.count;
    def.start = args.start;
    def.allow_outside = args.allow_outside;
    def.world.threads = args.threads;
    def.world.memory_limit = args.memory;
    def.world.log = on_log;
    const double began = cli_now();
    kai_scene* scene = cli_plugins_open(&args.loads, &def.world) ? cli_scene_open(&def) : NULL;
    cli_plugins_free(&def.world);
    free(args.sets.items);
    free(args.loads.items);
    if (scene == NULL) return CLI_USAGE;
    const int status = execute(scene, directory, cli_now() - began);
    kai_scene_close(scene);
    return status;
}

static const char NOTES[] =
    "Ctrl-C, SIGTERM, SIGHUP (unless under nohup) and SIGXCPU stop the run within a second: it\n"
    "writes a checkpoint and closes its files, and --resume goes on from there with the same\n"
    "results as if it had not stopped. A second Ctrl-C or SIGTERM ends it at once.\n"
    "One run at a time writes to a folder. A new run removes what the one before left there.\n"
    "The real-time factor (RTF) is the wall-clock seconds that a simulated second takes.\n";

const cli_command cli_run = {.name = "run",
                             .arguments = "SCENE",
                             .doc = "Runs a scene to its end and writes a folder of results.",
                             .run = run,
                             CLI_OPTIONS(OPTIONS),
                             .notes = NOTES};
