// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos check: every problem of a scene at once.
#include "cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    cli_list sets, loads;
    bool allow_outside, spelled;
    size_t memory;
} args;

static const cli_option OPTIONS[] = {
    {"set", 0, CLI_LIST, &args.sets, "NAME=VALUE",
     "change a parameter, or a value by its JSON pointer; may be given many times"},
    CLI_LOAD(&args.loads),
    {"spelled", 0, CLI_FLAG, &args.spelled, NULL,
     "print the scene spelled out: formulas worked out, instances in their sections"},
    {"allow-outside", 0, CLI_FLAG, &args.allow_outside, NULL,
     "let the scene read files outside its own folder"},
    {"memory", 0, CLI_SIZE, &args.memory, "SIZE",
     "most memory to take, such as 512M or 4G (default: four fifths of what there is)"},
};

static void on_log(void* context, kai_log_level level, const char* message)
{
    (void)context;
    if (level == KAI_LOG_WARNING) cli_error("warning: %s", message);
}

static int print_spelled(kai_scene* scene)
{
    const char* text = kai_scene_text(scene);
    char* laid_out = NULL;
    kai_error err;
    const kai_result r = kai_format("scene", text, strlen(text), &laid_out, &err);
    if (r == KAI_OK)
        fputs(laid_out, stdout);
    else
        cli_error("%s", cli_message(&err));
    free(laid_out);
    kai_scene_close(scene);
    return r == KAI_OK ? CLI_DONE : CLI_FAILED;
}

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words)) return CLI_USAGE;
    if (words == 0) {
        cli_error("check needs a scene: a file, or a name that 'kairos scenes' lists");
        return CLI_USAGE;
    }
    static char path[2 * PATH_MAX];
    if (!cli_scene_path(word, path, sizeof path)) return CLI_USAGE;
    cli_signals_quit();
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.sets = args.sets.items;
    def.set_count = args.sets.count;
    def.allow_outside = args.allow_outside;
    def.world.log = on_log;
    def.world.memory_limit = args.memory;
    kai_scene* scene = cli_plugins_open(&args.loads, &def.world) ? cli_scene_open(&def) : NULL;
    cli_plugins_free(&def.world);
    free(args.sets.items);
    free(args.loads.items);
    if (scene == NULL) return CLI_USAGE;
    kai_error err;
    if (kai_run_check(scene, 0.0, &err) != KAI_OK) {
        cli_error("%s", cli_message(&err));
        kai_scene_close(scene);
        return CLI_FAILED;
    }
    if (args.spelled) return print_spelled(scene);
    const kai_stats stats = kai_world_stats(kai_scene_world(scene));
    char particles[48] = "", nodes[48] = "", elements[48] = "";
    if (stats.particles > 0)
        snprintf(particles, sizeof particles, "%zu particles, ", stats.particles);
    if (stats.nodes > 0) snprintf(nodes, sizeof nodes, "%zu nodes, ", stats.nodes);
    const size_t count = kai_element_count(kai_scene_world(scene));
    if (count > 0) snprintf(elements, sizeof elements, "%zu elements, ", count);
    printf("%s: ok (%zu bodies, %s%s%s%zu shapes, %zu loads, %zu outputs)\n", path,
           stats.bodies - stats.particles, particles, nodes, elements, stats.shapes, stats.loads,
           kai_scene_output_count(scene));
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    if (settings->step_rule[0])
        printf("step %.4g s, set by %s\n", settings->step, settings->step_rule);
    kai_scene_close(scene);
    return CLI_DONE;
}

const cli_command cli_check = {.name = "check",
                               .arguments = "SCENE",
                               .doc = "Checks a scene and reports every problem at once.",
                               .run = run,
                               CLI_OPTIONS(OPTIONS)};
