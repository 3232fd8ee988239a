// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos sweep: a scene run with many sets of values, each in a process and a folder of its own.
//
//     DIR/run-0001/ …   results, and what the run printed (run.log)
//     DIR/sweep.csv     a row per run
//     DIR/index.html    the same, with plots
//
// A run is kept where its folder holds the results of the scene as it is now: run.json has the
// scene's hash. One that was stopped goes on.
#define _GNU_SOURCE // asprintf
#include "sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int stop; // set by Ctrl-C and its like

static struct {
    const char* directory;
    double end, step;
    int jobs, threads;
    size_t memory;
    cli_list varies, sets, loads;
    bool allow_outside, quiet;
} args = {.end = -1.0};

static const cli_option OPTIONS[] = {
    {"vary", 0, CLI_LIST, &args.varies, "NAME=A:B:N|a,b,c",
     "a value to vary: N equal steps from A to B, or a list; several make a grid"},
    {"output", 'o', CLI_TEXT, &args.directory, "DIR", "folder of the sweep; needed"},
    {"jobs", 'j', CLI_COUNT, &args.jobs, "N", "runs at a time (default: as many as processors)"},
    {"threads", 0, CLI_COUNT, &args.threads, "N", "threads of each run (default: 1)"},
    {"end", 0, CLI_NUMBER, &args.end, "T", "simulated seconds to run to, instead of the scene's"},
    {"step", 0, CLI_POSITIVE, &args.step, "H", "step in seconds, instead of the scene's"},
    {"set", 0, CLI_LIST, &args.sets, "NAME=VALUE",
     "change a value of the scene for all runs; may be given many times"},
    CLI_LOAD(&args.loads),
    {"memory", 0, CLI_SIZE, &args.memory, "SIZE", "most memory that each run may take"},
    {"allow-outside", 0, CLI_FLAG, &args.allow_outside, NULL,
     "let the scene read files outside its own folder"},
    {"quiet", 'q', CLI_FLAG, &args.quiet, NULL, "print errors only"},
};

// One run.
typedef struct job {
    pid_t process; // 0: not running
    size_t number;
    double began;
} job;

typedef struct sweep {
    sweep_plan plan;
    sweep_table* table;
    char scene[2 * PATH_MAX], title[256];
    job* jobs; // [job_count]
    size_t job_count, running, ended;
    bool failed, stopped, told;
} sweep;

// What there is already --------------------------------------------------------------------------

static void folder_of(size_t k, char* out, size_t size)
{
    char name[32];
    sweep_plan_folder(k, name, sizeof name);
    snprintf(out, size, "%s/%s", args.directory, name);
}

static void free_sets(char** sets)
{
    for (size_t i = 0; sets != NULL && sets[i] != NULL; i++) free(sets[i]);
    free(sets);
}

// All values of run k as --set takes them, those of all runs first; NULL when there is no memory.
static char** sets_of(const sweep_plan* plan, size_t k, size_t* count)
{
    const size_t common = args.sets.count;
    *count = common + plan->count;
    char** sets = calloc(*count + 1, sizeof *sets);
    for (size_t i = 0; sets != NULL && i < *count; i++) {
        sets[i] = i < common ? strdup(args.sets.items[i]) : sweep_plan_set(plan, k, i - common);
        if (sets[i] != NULL) continue;
        free_sets(sets);
        return NULL;
    }
    return sets;
}

// The scene of run k, without problems; NULL after an error, which it has printed.
static kai_scene* open_scene(const sweep* s, size_t k)
{
    kai_scene_def def = kai_scene_def_default();
    char** sets = sets_of(&s->plan, k, &def.set_count);
    def.path = s->scene;
    def.sets = (const char* const*)sets;
    def.allow_outside = args.allow_outside;
    def.world.threads = 1;
    def.world.memory_limit = args.memory;
    const bool ready = sets != NULL && cli_plugins_open(&args.loads, &def.world);
    kai_scene* scene = ready ? cli_scene_open(&def) : NULL;
    cli_plugins_free(&def.world);
    free_sets(sets);
    return scene;
}

// What the folder of a run holds of the scene as it is now.
typedef enum held { NOTHING, PART, ALL } held;

static held look(const sweep* s, size_t k)
{
    char folder[2 * PATH_MAX], hash[20];
    kai_results* results = NULL;
    folder_of(k, folder, sizeof folder);
    if (kai_results_open(folder, &results, NULL) != KAI_OK) return NOTHING;
    kai_scene* scene = open_scene(s, k);
    held found = NOTHING;
    if (scene != NULL) {
        const kai_scene_settings* settings = kai_scene_get_settings(scene);
        const double end = args.end >= 0.0 ? args.end : settings->end,
                     step = args.step > 0.0 ? args.step : settings->step;
        const kai_results_figure own = kai_results_figure_find(results, "scene_hash"),
                                 how = kai_results_figure_find(results, "result");
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)kai_scene_hash(scene));
        const bool same = own.text != NULL && strcmp(own.text, hash) == 0 &&
                          kai_results_figure_find(results, "step").value == step &&
                          kai_results_figure_find(results, "time").value <= end + 0.5 * step;
        const bool done = how.text != NULL && strcmp(how.text, "done") == 0 &&
                          kai_results_figure_find(results, "end").value == end;
        const bool failed = how.text == NULL || strcmp(how.text, "failed") == 0;
        found = !same || failed ? NOTHING : done ? ALL : PART;
    }
    kai_scene_close(scene);
    kai_results_close(results);
    return found;
}

// Wrong names and values are found before anything is written: the first run, and the last value of
// each thing that is varied.
static bool check_runs(sweep* s)
{
    size_t each = 1;
    for (size_t i = s->plan.count + 1; i-- > 0;) {
        const size_t k = i < s->plan.count ? each * (s->plan.varies[i].count - 1) : 0;
        kai_scene* scene = open_scene(s, k);
        if (scene == NULL) return false;
        snprintf(s->title, sizeof s->title, "%s", kai_scene_get_settings(scene)->name.text);
        kai_scene_close(scene);
        if (i < s->plan.count) each *= s->plan.varies[i].count;
    }
    return true;
}

// Processes --------------------------------------------------------------------------------------

// The words of a command line.
typedef struct command_line {
    char* words[64];
    size_t count;
} command_line;

// A word, as of printf; one that finds no memory ends the new process.
__attribute__((format(printf, 2, 3))) static void add_word(command_line* to, const char* format,
                                                           ...)
{
    va_list list;
    va_start(list, format);
    if (to->count + 1 == KAI_COUNT(to->words) ||
        vasprintf(&to->words[to->count++], format, list) < 0)
        _exit(CLI_FAILED);
    va_end(list);
}

// `kairos run` with its arguments, in place of this process.
static void become(const sweep* s, size_t k, const char* folder, bool resume)
{
    static command_line line;
    size_t count;
    char** sets = sets_of(&s->plan, k, &count);
    char** words =
        calloc(KAI_COUNT(line.words) + 2 * (count + args.loads.count) + 3, sizeof *words);
    if (sets == NULL || words == NULL) _exit(CLI_FAILED);
    add_word(&line, "kairos");
    add_word(&line, "run");
    add_word(&line, "--quiet");
    add_word(&line, "--output=%s", folder);
    add_word(&line, "--threads=%d", args.threads > 0 ? args.threads : 1);
    if (args.end >= 0.0) add_word(&line, "--end=%.17g", args.end);
    if (args.step > 0.0) add_word(&line, "--step=%.17g", args.step);
    if (args.memory > 0) add_word(&line, "--memory=%zu", args.memory);
    if (args.allow_outside) add_word(&line, "--allow-outside");
    if (resume) add_word(&line, "--resume");
    size_t n = 0;
    for (; n < line.count; n++) words[n] = line.words[n];
    static char set[] = "--set", load[] = "--load", end[] = "--";
    for (size_t i = 0; i < args.loads.count; i++)
        words[n++] = load, words[n++] = strdup(args.loads.items[i]);
    for (size_t i = 0; i < count; i++) words[n++] = set, words[n++] = sets[i];
    words[n++] = end;
    words[n++] = strdup(s->scene);
    execv("/proc/self/exe", words);
    _exit(CLI_FAILED);
}

// In the new process: a group of its own, so that Ctrl-C comes once, and through us; what it prints
// goes to run.log; it is stopped when we die.
static void begin_process(const char* folder, pid_t parent)
{
    char path[2 * PATH_MAX + 16];
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(CLI_STOPPED);
    snprintf(path, sizeof path, "%s/run.log", folder);
    unlink(path);
    const int log = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666),
              none = open("/dev/null", O_RDONLY);
    if (log >= 0) dup2(log, STDERR_FILENO);
    if (log >= 0) dup2(log, STDOUT_FILENO);
    if (none >= 0) dup2(none, STDIN_FILENO);
    if (log > STDERR_FILENO) close(log);
    if (none > STDERR_FILENO) close(none);
}

static bool start(sweep* s, size_t k, bool resume)
{
    char folder[2 * PATH_MAX];
    job* free_job = s->jobs;
    while (free_job->process != 0) free_job++;
    folder_of(k, folder, sizeof folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: %s", folder, strerror(errno));
        return false;
    }
    fflush(NULL);
    const pid_t parent = getpid(), process = fork();
    if (process < 0) {
        cli_error("a process could not be started: %s", strerror(errno));
        return false;
    }
    if (process == 0) {
        begin_process(folder, parent);
        become(s, k, folder, resume);
    }
    *free_job = (job){process, k, cli_now()};
    s->running++;
    return true;
}

// Ends ------------------------------------------------------------------------------------------

// The first error in what a run printed.
static void print_reason(const char* folder)
{
    char path[2 * PATH_MAX + 16], line[1024];
    snprintf(path, sizeof path, "%s/run.log", folder);
    FILE* file = fopen(path, "rb");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "kairos: ", 8) != 0 || strncmp(line, "kairos: warning:", 16) == 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        cli_error("%s: %s", folder, line + 8);
        break;
    }
    if (file != NULL) fclose(file);
}

static void tell(const sweep* s, size_t k, const char* result, double seconds)
{
    char name[32];
    if (args.quiet) return;
    sweep_plan_folder(k, name, sizeof name);
    fprintf(stderr, "[%zu/%zu] %s ", s->ended, s->plan.total, name);
    for (size_t i = 0; i < s->plan.count; i++)
        fprintf(stderr, " %s=%s", s->plan.varies[i].name, sweep_plan_value(&s->plan, k, i));
    fprintf(stderr, ": %s", result);
    if (seconds >= 0.0) fprintf(stderr, ", %.1f s", seconds);
    putc('\n', stderr);
}

static bool note(sweep* s, size_t k, const char* result, double seconds)
{
    char folder[2 * PATH_MAX];
    folder_of(k, folder, sizeof folder);
    s->ended++;
    tell(s, k, strcmp(result, "kept") == 0 ? "done before" : result, seconds);
    const char* column = strcmp(result, "kept") == 0 ? "done" : result;
    if (sweep_table_add(s->table, k, column, folder)) return true;
    cli_error("out of memory");
    return false;
}

static bool end_job(sweep* s, job* j, int status)
{
    char folder[2 * PATH_MAX];
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const char* result = code == CLI_DONE      ? "done"
                         : code == CLI_FAILED  ? "failed"
                         : code == CLI_USAGE   ? "refused"
                         : code == CLI_STOPPED ? "stopped"
                                               : "killed";
    folder_of(j->number, folder, sizeof folder);
    j->process = 0;
    s->running--;
    if (code == CLI_STOPPED)
        s->stopped = true;
    else if (code != CLI_DONE)
        s->failed = true;
    const bool good = note(s, j->number, result, cli_now() - j->began);
    if (code == CLI_FAILED || code == CLI_USAGE) print_reason(folder);
    return good;
}

// Waits a moment for runs to end; passes a stop on, once.
static bool wait_jobs(sweep* s)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    if (stop != 0 && !s->told) {
        s->told = true;
        for (size_t i = 0; i < s->job_count; i++)
            if (s->jobs[i].process != 0) kill(s->jobs[i].process, SIGTERM);
    }
    bool good = true, ended = false;
    for (size_t i = 0; i < s->job_count; i++) {
        int status;
        if (s->jobs[i].process == 0 || waitpid(s->jobs[i].process, &status, WNOHANG) <= 0) continue;
        good = end_job(s, &s->jobs[i], status) && good;
        ended = true;
    }
    if (!ended) nanosleep(&moment, NULL);
    return good;
}

static bool run_all(sweep* s)
{
    bool good = true;
    size_t next = 0;
    while (s->running > 0 || (good && stop == 0 && next < s->plan.total)) {
        const bool more = good && stop == 0 && next < s->plan.total;
        if (more && s->running < s->job_count) {
            const held there = look(s, next);
            good = there == ALL ? note(s, next, "kept", -1.0) : start(s, next, there == PART);
            next++;
        } else {
            good = wait_jobs(s) && good;
        }
    }
    s->stopped = s->stopped || stop != 0;
    return good;
}

// The command ------------------------------------------------------------------------------------

static bool make_jobs(sweep* s)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int threads = args.threads > 0 ? args.threads : 1;
    size_t count = args.jobs > 0 ? (size_t)args.jobs
                                 : (size_t)(processors > threads ? processors / threads : 1);
    if (count > s->plan.total) count = s->plan.total;
    s->jobs = calloc(count, sizeof *s->jobs);
    s->job_count = count;
    s->table = sweep_table_make(&s->plan);
    if (s->jobs != NULL && s->table != NULL) return true;
    cli_error("out of memory");
    return false;
}

static int execute(sweep* s)
{
    if (!make_jobs(s)) return CLI_FAILED;
    if (mkdir(args.directory, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: %s", args.directory, strerror(errno));
        return CLI_USAGE;
    }
    cli_signals_stop(&stop);
    bool good = run_all(s);
    good = sweep_table_write(s->table, args.directory, s->title[0] != '\0' ? s->title : s->scene) &&
           good;
    if (s->stopped) {
        cli_error("stopped; the same command goes on from there");
        return CLI_STOPPED;
    }
    if (!args.quiet)
        fprintf(stderr, "%s/index.html, %s/sweep.csv\n", args.directory, args.directory);
    return good && !s->failed ? CLI_DONE : CLI_FAILED;
}

static int run(int argc, char** argv)
{
    static sweep s;
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words)) return CLI_USAGE;
    if (words == 0) {
        cli_error("sweep needs a scene: a file, or a name that 'kairos scenes' lists");
        return CLI_USAGE;
    }
    if (args.directory == NULL || args.directory[0] == '\0') {
        cli_error("sweep needs a folder for its runs: -o DIR");
        return CLI_USAGE;
    }
    if (strlen(args.directory) > PATH_MAX - 64 || args.threads > 1024 || args.jobs > 1024) {
        cli_error(
            "--threads and --jobs must be from 1 to 1024, and the name of the folder shorter");
        return CLI_USAGE;
    }
    cli_signals_quit();
    int status = CLI_USAGE;
    if (cli_scene_path(word, s.scene, sizeof s.scene) && sweep_plan_read(&s.plan, &args.varies) &&
        check_runs(&s))
        status = execute(&s);
    free(s.jobs);
    sweep_table_free(s.table);
    sweep_plan_free(&s.plan);
    free(args.varies.items);
    free(args.sets.items);
    free(args.loads.items);
    return status;
}

static const char NOTES[] =
    "NAME is a JSON pointer (/step, /bodies/arm/mass) or a parameter of the scene, as --set takes it.\n"
    "Each run has a folder of its own, DIR/run-0001 and on; sweep.csv has a row for each, with the\n"
    "values that were varied, the figures of run.json and the last row of each time series, and\n"
    "index.html plots them. The same command once more keeps the runs that are done and goes on with\n"
    "those that were stopped. A run that fails is told and stops no other (status 1 at the end).\n"
    "\n"
    "    kairos sweep double-pendulum --vary /step=1e-3,5e-4,2.5e-4 --jobs 2 -o out/steps\n";

const cli_command cli_sweep = {.name = "sweep",
                               .arguments = "SCENE",
                               .doc = "Runs a scene with many sets of values: a table, and plots.",
                               .run = run,
                               CLI_OPTIONS(OPTIONS),
                               .notes = NOTES};
