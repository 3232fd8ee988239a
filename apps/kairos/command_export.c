// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos export: the results of a run for other programs, and as pictures.
#include "cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    const char *to, *output, *size, *theme, *look;
    cli_list bodies, quantities, sets;
    bool problem, worst;
    int every, frame, fps;
    double begin, stop, speed, time;
} args = {.frame = -1, .begin = -1.0, .stop = -1.0, .speed = -1.0, .time = -1.0};

static const cli_option OPTIONS[] = {
    {"to", 0, CLI_TEXT, &args.to, "vtk|csv|png|mp4|webm", "what to write"},
    {"output", 'o', CLI_TEXT, &args.output, "OUT", "folder for the files (default: DIR/export)"},
    {"body", 0, CLI_LIST, &args.bodies, "NAME",
     "vtk, csv: only this body; may be given many times"},
    {"quantity", 0, CLI_LIST, &args.quantities, "NAME",
     "csv: position, rotation, velocity or speed; may be given many times"},
    {"every", 0, CLI_COUNT, &args.every, "N", "every N-th frame (default: all)"},
    {"frame", 0, CLI_INDEX, &args.frame, "K", "png: only this frame, counted from 0"},
    {"size", 0, CLI_TEXT, &args.size, "WxH", "png, mp4, webm: size in pixels (default: 1280x720)"},
    {"theme", 0, CLI_TEXT, &args.theme, "light|dark", "png, mp4, webm: colours (default: light)"},
    {"look", 0, CLI_TEXT, &args.look, "KEYS",
     "png, mp4, webm: more keys of the page's address, such as 'colour=speed&view=front'"},
    {"fps", 0, CLI_COUNT, &args.fps, "N", "mp4, webm: pictures per second (default: 30)"},
    {"begin", 0, CLI_NUMBER, &args.begin, "T",
     "mp4, webm: from this time of the run on (default: its start)"},
    {"end", 0, CLI_NUMBER, &args.stop, "T", "mp4, webm: up to this time (default: its end)"},
    {"speed", 0, CLI_NUMBER, &args.speed, "X",
     "mp4, webm: seconds of the run in a second of film (default: 1)"},
    {"problem", 0, CLI_FLAG, &args.problem, NULL,
     "write the contact problem of a step for other solvers (FCLIB, HDF5); DIR may be a scene"},
    {"time", 0, CLI_NUMBER, &args.time, "T",
     "problem: of the step that ends then (default: the first from where the run or scene stands)"},
    {"worst", 0, CLI_FLAG, &args.worst, NULL,
     "problem: of the steps up to --time the one with the largest residual"},
    {"set", 0, CLI_LIST, &args.sets, "NAME=VALUE",
     "problem: change a parameter of the scene, or a value by its JSON pointer; many times"},
};

static int status_of(kai_result result)
{
    switch (result) {
    case KAI_OK: return CLI_DONE;
    case KAI_ERROR_ARGUMENT:
    case KAI_ERROR_NAME:
    case KAI_ERROR_FORMAT: return CLI_USAGE;
    default: return CLI_FAILED;
    }
}

static bool check_size(int* width, int* height)
{
    char rest;
    *width = 1280;
    *height = 720;
    if (args.size == NULL || (sscanf(args.size, "%dx%d%c", width, height, &rest) == 2 &&
                              *width >= 16 && *height >= 16 && *width <= 8192 && *height <= 8192))
        return true;
    cli_error("--size is '%s'; must be WIDTHxHEIGHT, 16 to 8192 each", args.size);
    return false;
}

static bool check_theme(void)
{
    if (args.theme == NULL) args.theme = "light";
    if (strcmp(args.theme, "light") == 0 || strcmp(args.theme, "dark") == 0) return true;
    cli_error("--theme is '%s'; must be light or dark", args.theme);
    return false;
}

static int export_pictures(const char* directory, const char* output, bool film, bool webm)
{
    cli_pictures pictures = {.directory = directory, .output = output, .theme = args.theme};
    size_t frames = 0;
    kai_error error = {0};
    if (!check_size(&pictures.width, &pictures.height) || !check_theme()) return CLI_USAGE;
    pictures.theme = args.theme;
    pictures.look = args.look;
    if (args.look != NULL && strpbrk(args.look, "\"\\<> \n") != NULL) {
        cli_error("--look is '%s'; must be keys as an address has them", args.look);
        return CLI_USAGE;
    }
    if (kai_view_page_frames(directory, &frames, &error) != KAI_OK) {
        cli_error("%s", cli_message(&error));
        return CLI_USAGE;
    }
    if (args.frame >= 0 && (size_t)args.frame >= frames) {
        cli_error("--frame is %d; the page has frames 0 to %zu", args.frame, frames - 1);
        return CLI_USAGE;
    }
    pictures.first = args.frame >= 0 ? (size_t)args.frame : 0;
    pictures.end = args.frame >= 0 ? pictures.first + 1 : frames;
    pictures.every = args.every > 0 ? (size_t)args.every : 1;
    if (film) {
        const double length = args.stop >= 0.0 && args.begin >= 0.0 ? args.stop - args.begin : 1.0;
        if (args.speed == 0.0 || args.fps > 240 || length <= 0.0 || pictures.width % 2 != 0 ||
            pictures.height % 2 != 0) {
            cli_error("%s", args.speed == 0.0 ? "--speed must be above 0"
                            : args.fps > 240  ? "--fps must be at most 240"
                            : length <= 0.0   ? "--end must be after --begin"
                                              : "--size must be even for films");
            return CLI_USAGE;
        }
        pictures.webm = webm;
        pictures.fps = args.fps > 0 ? args.fps : 30;
        pictures.begin = args.begin;
        pictures.stop = args.stop;
        pictures.speed = args.speed > 0.0 ? args.speed : 1.0;
    }
    return cli_pictures_write(&pictures) ? CLI_DONE : CLI_FAILED;
}

static int export_data(const char* directory, const char* output, bool vtk)
{
    const kai_view_export_def def = {.directory = directory,
                                     .output = output,
                                     .bodies = args.bodies.items,
                                     .body_count = args.bodies.count,
                                     .quantities = args.quantities.items,
                                     .quantity_count = args.quantities.count,
                                     .every = (size_t)args.every};
    kai_error error = {0};
    struct stat info;
    if (stat(directory, &info) != 0 || !S_ISDIR(info.st_mode)) {
        cli_error("%s: is no folder", directory);
        return CLI_USAGE;
    }
    const kai_result result =
        vtk ? kai_view_export_vtk(&def, &error) : kai_view_export_csv(&def, &error);
    if (result != KAI_OK) cli_error("%s", cli_message(&error));
    if (result == KAI_ERROR_FILE && access(output, F_OK) != 0) return CLI_USAGE; // nothing to read
    return status_of(result);
}

// The file: OUT, else the name of the scene or folder with .hdf5.
static int export_problem(const char* word)
{
    static char output[PATH_MAX + 16];
    const char* slash = strrchr(word, '/');
    const char* name = slash != NULL && slash[1] != '\0' ? slash + 1 : word;
    const size_t length = strlen(name);
    const bool scene = length > 5 && strcmp(name + length - 5, ".json") == 0;
    snprintf(output, sizeof output, "%.*s.hdf5", (int)(scene ? length - 5 : strcspn(name, "/")),
             name);
    const cli_problem problem = {.source = word,
                                 .output = args.output != NULL ? args.output : output,
                                 .time = args.time,
                                 .worst = args.worst,
                                 .sets = &args.sets};
    const int status = cli_problem_write(&problem);
    if (status == CLI_DONE) fprintf(stderr, "written to %s\n", problem.output);
    return status;
}

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words)) return CLI_USAGE;
    if (words == 0) {
        cli_error("export needs the folder of a run");
        return CLI_USAGE;
    }
    if (args.problem) {
        const int status = export_problem(word);
        free(args.sets.items);
        return status;
    }
    static char output[2 * PATH_MAX];
    snprintf(output, sizeof output, "%s%s", args.output != NULL ? args.output : word,
             args.output != NULL ? "" : "/export");
    // The folder of a run may be of anyone: a link in it must not lead the files elsewhere.
    struct stat info;
    if (args.output == NULL && lstat(output, &info) == 0 && S_ISLNK(info.st_mode)) {
        cli_error("%s is a link; give the folder with -o", output);
        return CLI_USAGE;
    }
    int status = CLI_USAGE;
    const char* to = args.to != NULL ? args.to : "";
    if (strcmp(to, "vtk") == 0 || strcmp(to, "csv") == 0)
        status = export_data(word, output, to[0] == 'v');
    else if (strcmp(to, "png") == 0)
        status = export_pictures(word, output, false, false);
    else if (strcmp(to, "mp4") == 0 || strcmp(to, "webm") == 0)
        status = export_pictures(word, output, true, to[0] == 'w');
    else
        cli_error("--to is '%s'; must be vtk, csv, png, mp4 or webm", to);
    free(args.bodies.items);
    free(args.quantities.items);
    free(args.sets.items);
    if (status == CLI_DONE) fprintf(stderr, "written to %s\n", output);
    return status;
}

const cli_command cli_export = {.name = "export",
                                .arguments = "DIR",
                                .doc = "Writes the results of a run for other programs.",
                                .run = run,
                                CLI_OPTIONS(OPTIONS)};
