// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos diff: what is not the same in two runs: scene, figures, time series, trajectory.
#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { EQUAL = CLI_DONE, DIFFERENT = 1 };

static struct {
    double tolerance;
    bool quiet;
} args;

static const cli_option OPTIONS[] = {
    {"tolerance", 't', CLI_NUMBER, &args.tolerance, "X",
     "differences up to X, or X times the largest number if that is more than 1, do not count"},
    {"quiet", 'q', CLI_FLAG, &args.quiet, NULL, "print nothing; the exit status tells"},
};

// What has been found.
typedef struct diff {
    const char *a, *b; // folders
    size_t found;
} diff;

__attribute__((format(printf, 3, 4))) static void tell(diff* d, const char* part,
                                                       const char* format, ...)
{
    va_list list;
    d->found++;
    if (args.quiet) return;
    printf("%-14s ", part);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

// `scale`: the largest number there is. Infinite ones are equal where they are the same.
static bool differ(double a, double b, double scale)
{
    if (isnan(a) || isnan(b)) return isnan(a) != isnan(b);
    return a != b && !(fabs(a - b) <= args.tolerance * fmax(1.0, scale));
}

// Scenes -----------------------------------------------------------------------------------------

static const char* shorten(const char* text, char out[96])
{
    if (text == NULL) return "(not given)";
    snprintf(out, 96, strlen(text) < 90 ? "%s" : "%.80s … ", text);
    return out;
}

static void tell_value(void* context, const char* pointer, const char* a, const char* b)
{
    char one[96], other[96];
    tell(context, "scene", "%s: %s, %s", pointer, shorten(a, one), shorten(b, other));
}

static void compare_scenes(diff* d, const kai_results* a, const kai_results* b)
{
    const char *one = kai_results_figure_find(a, "scene_hash").text,
               *other = kai_results_figure_find(b, "scene_hash").text;
    if (one != NULL && other != NULL && strcmp(one, other) == 0) return;
    const size_t before = d->found;
    kai_error error = {0};
    const kai_result read = kai_results_compare_scenes(d->a, d->b, tell_value, d, &error);
    if (d->found > before) return;
    if (read == KAI_OK)
        tell(d, "scene", "files that the scene reads differ");
    else
        tell(d, "scene", "differs; in what is not known: %s", cli_message(&error));
}

// Figures ----------------------------------------------------------------------------------------

// What depends on the machine and its mood is no result.
static bool is_result(const char* name)
{
    static const char* const OTHERS[] = {"machine",      "threads",     "ranks",
                                         "load_seconds", "run_seconds", "page_seconds",
                                         "peak_bytes",   "version",     "real_time_factor",
                                         "scene_hash",   "state_hash"};
    for (size_t i = 0; i < KAI_COUNT(OTHERS); i++)
        if (strcmp(name, OTHERS[i]) == 0) return false;
    return strncmp(name, "phase_seconds.", 14) != 0;
}

static void compare_figure(diff* d, const kai_results_figure* a, const kai_results_figure* b)
{
    if (a->text != NULL || b->text != NULL) {
        if (a->text == NULL || b->text == NULL || strcmp(a->text, b->text) != 0)
            tell(d, "run.json", "%s: %s, %s", a->name, a->text != NULL ? a->text : "null",
                 b->text != NULL ? b->text : "null");
    } else if (differ(a->value, b->value, fmax(fabs(a->value), fabs(b->value)))) {
        tell(d, "run.json", "%s: %.9g, %.9g (differ by %.3g)", a->name, a->value, b->value,
             fabs(a->value - b->value));
    }
}

static void compare_figures(diff* d, const kai_results* a, const kai_results* b)
{
    for (size_t i = 0; i < kai_results_figure_count(a); i++) {
        const kai_results_figure one = kai_results_figure_at(a, i),
                                 other = kai_results_figure_find(b, one.name);
        if (!is_result(one.name)) continue;
        if (other.name[0] == '\0')
            tell(d, "run.json", "%s: is not in %s", one.name, d->b);
        else
            compare_figure(d, &one, &other);
    }
    for (size_t i = 0; i < kai_results_figure_count(b); i++) {
        const char* name = kai_results_figure_at(b, i).name;
        if (is_result(name) && kai_results_figure_find(a, name).name[0] == '\0')
            tell(d, "run.json", "%s: is not in %s", name, d->a);
    }
    const kai_results_figure one = kai_results_figure_find(a, "state_hash"),
                             other = kai_results_figure_find(b, "state_hash");
    // With a tolerance the state counts by what is known of it.
    if (args.tolerance == 0.0) compare_figure(d, &one, &other);
}

// Time series ------------------------------------------------------------------------------------

// The value of column c at a time, linear between rows; `*row` only goes forward. NaN outside.
static double value_at(const kai_results_series* s, size_t c, double time, size_t* row)
{
    const double *t = s->values, *y = s->values + c * s->rows, slack = 1e-9 * fmax(1.0, fabs(time));
    while (*row + 1 < s->rows && t[*row] < time - slack) ++*row;
    const size_t i = *row;
    if (s->rows == 0) return (double)NAN;
    if (fabs(t[i] - time) <= slack) return y[i];
    if (i == 0 || t[i] < time) return (double)NAN;
    return y[i - 1] + (time - t[i - 1]) / (t[i] - t[i - 1]) * (y[i] - y[i - 1]);
}

static void compare_column(diff* d, const kai_results_series* a, size_t ca,
                           const kai_results_series* b, size_t cb)
{
    double most = 0.0, squares = 0.0, scale = 0.0, when = 0.0, first = (double)NAN;
    size_t count = 0, row = 0;
    for (size_t i = 0; i < a->rows; i++) scale = fmax(scale, fabs(a->values[ca * a->rows + i]));
    for (size_t i = 0; i < b->rows; i++) scale = fmax(scale, fabs(b->values[cb * b->rows + i]));
    for (size_t i = 0; i < a->rows; i++) {
        const double time = a->values[i], x = a->values[ca * a->rows + i],
                     y = value_at(b, cb, time, &row), apart = fabs(x - y);
        if (differ(x, y, scale) && isnan(first)) first = time;
        if (isnan(apart)) continue;
        if (apart > most) most = apart, when = time;
        squares += apart * apart;
        count++;
    }
    if (isnan(first)) return;
    tell(d, a->file, "%s: max %.3g at t = %.6g s, rms %.3g, from t = %.6g s on", a->names[ca], most,
         when, count > 0 ? sqrt(squares / (double)count) : 0.0, first);
}

static void compare_table(diff* d, const kai_results_series* a, const kai_results_series* b)
{
    bool same = a->rows == b->rows;
    for (size_t i = 0; same && i < a->rows; i++)
        same = fabs(a->values[i] - b->values[i]) <= 1e-9 * fmax(1.0, fabs(a->values[i]));
    if (!same)
        tell(d, a->file, "%zu rows to t = %.6g s, %zu to %.6g s%s", a->rows,
             a->rows > 0 ? a->values[a->rows - 1] : 0.0, b->rows,
             b->rows > 0 ? b->values[b->rows - 1] : 0.0,
             a->rows != b->rows ? "" : "; not at the same times");
    for (size_t c = 1; c < a->columns; c++) {
        size_t other = 1;
        while (other < b->columns && strcmp(a->names[c], b->names[other]) != 0) other++;
        if (other < b->columns)
            compare_column(d, a, c, b, other);
        else
            tell(d, a->file, "%s: is not in %s", a->names[c], d->b);
    }
    for (size_t c = 1; c < b->columns; c++) {
        size_t other = 1;
        while (other < a->columns && strcmp(b->names[c], a->names[other]) != 0) other++;
        if (other == a->columns) tell(d, a->file, "%s: is not in %s", b->names[c], d->a);
    }
}

static kai_results_series find_series(const kai_results* from, const char* file)
{
    size_t i = 0;
    while (i < kai_results_series_count(from) &&
           strcmp(kai_results_series_at(from, i).file, file) != 0)
        i++;
    return kai_results_series_at(from, i);
}

static void compare_series(diff* d, const kai_results* a, const kai_results* b)
{
    for (size_t i = 0; i < kai_results_series_count(a); i++) {
        const kai_results_series one = kai_results_series_at(a, i),
                                 other = find_series(b, one.file);
        if (other.columns > 0)
            compare_table(d, &one, &other);
        else
            tell(d, one.file, "is not in %s", d->b);
    }
    for (size_t i = 0; i < kai_results_series_count(b); i++) {
        const char* file = kai_results_series_at(b, i).file;
        if (find_series(a, file).columns == 0) tell(d, file, "is not in %s", d->a);
    }
}

// Trajectories -----------------------------------------------------------------------------------

// Positions count by the size of the scene, rotations, whose numbers are at most 1, as they are.
static bool compare_trajectories(diff* d)
{
    kai_results_frames f;
    kai_error error = {0};
    kai_result r = kai_results_compare_frames(d->a, d->b, args.tolerance, &f, &error);
    const double allowed = args.tolerance * fmax(1.0, f.extent);
    if (r == KAI_OK && allowed > args.tolerance)
        r = kai_results_compare_frames(d->a, d->b, allowed, &f, &error);
    if (r != KAI_OK) {
        cli_error("%s", cli_message(&error));
        return false;
    }
    if (f.frames_a != f.frames_b)
        tell(d, "trajectory", "%zu frames, %zu", f.frames_a, f.frames_b);
    else if (f.compared < f.frames_a)
        tell(d, "trajectory", "frame %zu is at another time, or has other bodies", f.compared);
    if (!isnan(f.first_time))
        tell(
            d, "trajectory",
            "positions: max %.3g m, rms %.3g m; rotations: max %.3g, rms %.3g; from t = %.6g s on, "
            "body %u",
            f.position_max, f.position_rms, f.rotation_max, f.rotation_rms, f.first_time,
            f.first_body);
    return true;
}

// The command ------------------------------------------------------------------------------------

static bool open_results(const char* directory, kai_results** out)
{
    kai_error error = {0};
    if (kai_results_open(directory, out, &error) == KAI_OK) return true;
    cli_error("%s", cli_message(&error));
    return false;
}

static int run(int argc, char** argv)
{
    const char* words[2] = {NULL};
    size_t count;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), words, 2, &count)) return CLI_USAGE;
    if (count < 2) {
        cli_error("diff needs the folders of two runs");
        return CLI_USAGE;
    }
    diff d = {.a = words[0], .b = words[1]};
    kai_results *a = NULL, *b = NULL;
    bool good = open_results(words[0], &a) && open_results(words[1], &b);
    if (good) {
        compare_scenes(&d, a, b);
        compare_figures(&d, a, b);
        compare_series(&d, a, b);
        good = compare_trajectories(&d);
    }
    kai_results_close(a);
    kai_results_close(b);
    if (!good) return CLI_USAGE;
    if (d.found == 0 && !args.quiet)
        puts(args.tolerance > 0.0 ? "equal within the tolerance" : "equal");
    return d.found == 0 ? EQUAL : DIFFERENT;
}

static const char NOTES[] =
    "Exit status here: 0 equal, 1 different, 2 bad usage or a folder that cannot be read. Two values\n"
    "on a line are those of A and of B. What depends on the machine (times, memory, threads) is left\n"
    "out. Time series are compared at the times of A, B linearly between its rows where it has none.\n"
    "--tolerance X leaves out differences up to X, and, where numbers are larger than 1, up to X times\n"
    "the largest: of the two figures, of a column, of positions the size of the scene. Rotations are\n"
    "compared by their quaternions. With a tolerance the hash of the state is not looked at.\n";

const cli_command cli_diff = {.name = "diff",
                              .arguments = "DIR DIR",
                              .doc = "Says what is not the same in two runs.",
                              .run = run,
                              CLI_OPTIONS(OPTIONS),
                              .notes = NOTES};
