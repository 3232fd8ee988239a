// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the commands share. The command line uses the public API only.
#ifndef CLI_H
#define CLI_H

#include <kairos/kairos.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Exit status.
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1, ///< the run failed; results so far are kept
    CLI_USAGE = 2,  ///< bad usage or bad input; nothing was written
    CLI_STOPPED = 3 ///< stopped from outside (Ctrl-C, SIGTERM …); a run can be resumed
};

// Options ----------------------------------------------------------------------------------------

/// What an option takes.
typedef enum cli_type {
    CLI_FLAG,
    CLI_TEXT,
    CLI_NUMBER,
    CLI_POSITIVE,
    CLI_COUNT,
    CLI_INDEX,
    CLI_SIZE, ///< size_t: bytes, such as 512M or 4G
    CLI_PORT, ///< int: -1 before; 0 given without a value, which can only follow '='
    CLI_LIST
} cli_type;

/// One option of a command.
typedef struct cli_option {
    const char* name; ///< without the dashes
    char letter;      ///< short form, or 0
    cli_type type;
    void* target; ///< bool, const char*, double, double, int, cli_list
    const char*
        value; ///< what it takes, for help: DIR for a folder, words with | between for a choice
    const char* doc;
} cli_option;

/// An array of options and its length, for a cli_command.
#define CLI_OPTIONS(array) .options = (array), .option_count = KAI_COUNT(array)

/// Values of an option that may be given many times.
typedef struct cli_list {
    const char** items;
    size_t count;
} cli_list;

/// Reads the options; others are collected in `words` (at most `most`). False after an error, which
/// it has printed.
bool cli_parse(int argc, char** argv, const cli_option* options, size_t count, const char** words,
               size_t most, size_t* found);

/// Prints "kairos: message" to stderr.
void cli_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// The message of an error without the C functions ("kai_world_step: ") that it begins with.
const char* cli_message(const kai_error* error);

/// The candidate most like a word, or NULL when none is near. `candidate` gives the i-th one, NULL
/// after the last.
const char* cli_nearest(const char* word, const char* (*candidate)(size_t i, const void* context),
                        const void* context);

/// Seconds since some fixed moment.
double cli_now(void);

// Commands ---------------------------------------------------------------------------------------

/// One command. Help texts, the manual page and the completions of shells are made from these.
typedef struct cli_command {
    const char* name;
    const char* arguments;             ///< its words, for the usage line: SCENE, DIR …
    const char* doc;                   ///< one line
    int (*run)(int argc, char** argv); ///< argv[0] is the command's name
    const cli_option* options;         ///< [option_count]
    size_t option_count;
    const char* notes; ///< what else there is to say, in lines; may be NULL
} cli_command;

extern const cli_command cli_run, cli_new, cli_check, cli_view, cli_export, cli_solve, cli_sweep,
    cli_diff, cli_doc, cli_fmt, cli_scenes, cli_info, cli_bench, cli_completion, cli_help;

/// The i-th command, NULL after the last.
const cli_command* cli_command_at(size_t i);

/// The command of a name; NULL when there is none.
const cli_command* cli_command_find(const char* name);

/// The command most like a word, or NULL.
const char* cli_command_nearest(const char* word);

/// What the exit statuses mean, in lines.
extern const char cli_status_text[];

/// Prints all commands, or usage and options of one.
void cli_print_usage(FILE* out);
void cli_print_help(const cli_command* command);

/// Prints the manual page (troff, macros man).
void cli_print_manual(void);

/// Prints the completion of a shell, bash, zsh or fish; false for others.
bool cli_print_completion(const char* shell);

// Signals ----------------------------------------------------------------------------------------

/// From here on a signal that asks the program to end (SIGINT, SIGTERM, SIGHUP, SIGXCPU) does so at
/// once, with CLI_STOPPED.
void cli_signals_quit(void);

/// From here on it sets `*stop`. A second SIGINT or SIGTERM ends the process.
void cli_signals_stop(volatile int* stop);

// Scenes -----------------------------------------------------------------------------------------

/// The path of a scene given by path or by the name of one that ships; false after an error, which
/// it has printed.
bool cli_scene_path(const char* scene, char* out, size_t size);

/// Calls back for every scene that ships, or every one in a folder `inside` those: its name, title and
/// path. `inside` is "" for the scenes themselves.
void cli_scene_list(const char* inside,
                    void (*visit)(void* context, const char* name, const char* title,
                                  const char* path),
                    void* context);

/// Opens a scene and prints its problems; NULL when there are any.
kai_scene* cli_scene_open(const kai_scene_def* def);

// Plug-ins ---------------------------------------------------------------------------------------

/// The option --load of a command, which fills a cli_list.
#define CLI_LOAD(list)                                                                           \
    {                                                                                            \
        "load", 0, CLI_LIST, list, "FILE.so",                                                    \
            "load kinds and sections of a toolkit from a shared object; may be given many times" \
    }

/// Loads shared objects for the worlds of a definition. False after an error, which it has printed.
bool cli_plugins_open(const cli_list* files, kai_world_def* def);

/// Gives back what it took; the objects stay loaded.
void cli_plugins_free(kai_world_def* def);

// Pictures ---------------------------------------------------------------------------------------

/// Frames of a page as PNG files, or a film of it.
typedef struct cli_pictures {
    const char *directory, *output; ///< of the run; for frame-000000.png …
    size_t first, end, every;       ///< frames
    int width, height;              ///< pixels
    const char* theme;              ///< light or dark
    const char* look;               ///< more keys of the page's address; may be NULL
    int fps;                        ///< of a film, film.mp4 or film.webm; 0: pictures
    bool webm;                      ///< that is the wanted format
    double begin, stop;             ///< s of the run; negative: its start, its end
    double speed;                   ///< s of the run in a second of film
} cli_pictures;

/// Takes the pictures, or makes the film, with a browser; false after an error, which it has printed.
bool cli_pictures_write(const cli_pictures* pictures);

// Problems ---------------------------------------------------------------------------------------

/// The contact problem of one step.
typedef struct cli_problem {
    const char* source;   ///< a scene, or the folder of a run
    const char* output;   ///< file
    double time;          ///< s, that the step ends at; negative: the first one
    bool worst;           ///< of the steps up to then the one with the largest residual
    const cli_list* sets; ///< changes to the scene
} cli_problem;

/// Takes the steps and writes the file. Returns the exit status.
int cli_problem_write(const cli_problem* problem);

// Progress ---------------------------------------------------------------------------------------

/// How progress is shown.
typedef struct cli_progress {
    bool quiet, terminal;
    bool drawn;            ///< a bar stands on the current line
    double shown;          ///< when the last plain line was
    kai_run_progress last; ///< what was told last
} cli_progress;

void cli_progress_init(cli_progress* progress, bool quiet);

/// The callback of kai_run_def.
void cli_progress_show(void* context, const kai_run_progress* progress);

/// Ends the line of the bar.
void cli_progress_end(cli_progress* progress);

#endif
