// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos export --problem: the contact problem of one step, from a scene or from where a run stands.
#include "cli.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Where steps come from.
typedef struct source {
    kai_scene* scene; // or NULL
    kai_world* world;
    double step;
} source;

static void on_log(void* context, kai_log_level level, const char* message)
{
    (void)context;
    if (level == KAI_LOG_WARNING) cli_error("warning: %s", message);
}

// The state that a run has saved last, and its step.
static bool open_run(const char* directory, source* s)
{
    static char path[2 * PATH_MAX];
    kai_error error = {0};
    kai_results* results = NULL;
    kai_world_def def = kai_world_def_default();
    if (kai_results_open(directory, &results, &error) != KAI_OK) {
        cli_error("%s", cli_message(&error));
        return false;
    }
    s->step = kai_results_figure_find(results, "step").value;
    kai_results_close(results);
    snprintf(path, sizeof path, "%s/checkpoint.h5", directory);
    def.log = on_log;
    if (kai_world_load(&def, path, &s->world, &error) == KAI_OK) return true;
    cli_error("%s", cli_message(&error));
    return false;
}

static bool open_scene(const cli_problem* p, source* s)
{
    static char path[2 * PATH_MAX];
    kai_scene_def def = kai_scene_def_default();
    if (!cli_scene_path(p->source, path, sizeof path)) return false;
    def.path = path;
    def.sets = p->sets->items;
    def.set_count = p->sets->count;
    def.world.log = on_log;
    s->scene = cli_scene_open(&def);
    if (s->scene == NULL) return false;
    s->world = kai_scene_world(s->scene);
    s->step = kai_scene_get_settings(s->scene)->step;
    return true;
}

static bool write_step(kai_world* world, const char* output)
{
    kai_problem* problem = NULL;
    kai_error error = {0};
    if (kai_problem_step_take(world, &problem) != KAI_OK) {
        cli_error("%s", cli_message(kai_world_error(world)));
        return false;
    }
    const kai_problem_info info = kai_problem_get_info(problem);
    const bool good = kai_problem_write(problem, output, &error) == KAI_OK;
    if (good)
        fprintf(stderr, "step to t = %.6g s: %zu contacts, %zu velocities, %zu equations\n",
                kai_world_time(world), info.contacts, info.velocities, info.equations);
    else
        cli_error("%s", cli_message(&error));
    kai_problem_free(problem);
    return good;
}

static bool take_step(source* s)
{
    if (kai_world_step(s->world, s->step) == KAI_OK) return true;
    cli_error("%s", cli_message(kai_world_error(s->world)));
    return false;
}

// Every step until the one that ends at or behind `time`; with `worst`, the one whose residual is the
// largest of them all is written.
static bool run_steps(const cli_problem* p, source* s)
{
    const double begun = kai_world_time(s->world);
    const double end = p->time >= 0.0 ? p->time : begun + s->step;
    const double steps = fmax(1.0, ceil((end - begun) / s->step - 1e-6));
    double most = -1.0;
    bool written = false;
    if (end < begun - 1e-9 * s->step) {
        cli_error("--time is %.6g s; the state that is there is of %.6g s", end, begun);
        return false;
    }
    for (double i = 1.0; i <= steps; i += 1.0) {
        const bool last = i == steps;
        if (kai_problem_step_keep(s->world, p->worst || last) != KAI_OK || !take_step(s))
            return false;
        const kai_solver_figures figures = kai_solver_measured(s->world);
        if (!p->worst && last) return write_step(s->world, p->output);
        if (!p->worst || !figures.cones || figures.residual_max <= most) continue;
        most = figures.residual_max;
        if (!write_step(s->world, p->output)) return false;
        written = true;
    }
    if (!written) cli_error("no step up to t = %.6g s had contacts by complementarity", end);
    return written;
}

int cli_problem_write(const cli_problem* problem)
{
    struct stat info;
    source s = {0};
    const bool folder = stat(problem->source, &info) == 0 && S_ISDIR(info.st_mode);
    if (!(folder ? open_run(problem->source, &s) : open_scene(problem, &s))) return CLI_USAGE;
    const bool good = run_steps(problem, &s);
    if (s.scene != NULL)
        kai_scene_close(s.scene);
    else
        kai_world_destroy(s.world);
    return good ? CLI_DONE : CLI_FAILED;
}
