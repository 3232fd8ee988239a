// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos solve: a contact problem from a file, by itself.
#include "cli.h"

#include <stdio.h>
#include <string.h>

static struct {
    const char *solver, *output;
    double tolerance;
    int iterations, threads;
    bool associated, json;
} args = {.tolerance = -1.0};

static const cli_option OPTIONS[] = {
    {"solver", 0, CLI_TEXT, &args.solver, "NAME",
     "solver of contacts, as a scene names it: auto, psor, bb, apgd … (default: auto)"},
    {"tolerance", 0, CLI_NUMBER, &args.tolerance, "V",
     "residual in m/s to stop at (default: 1e-8); 0: all iterations"},
    {"iterations", 0, CLI_COUNT, &args.iterations, "N", "most iterations (default: 1000)"},
    {"associated", 0, CLI_FLAG, &args.associated, NULL,
     "the convex problem: without the term of Coulomb's law"},
    {"threads", 0, CLI_COUNT, &args.threads, "N", "threads to use (default: 1)"},
    {"output", 'o', CLI_TEXT, &args.output, "FILE", "write the problem with its solution"},
    {"json", 0, CLI_FLAG, &args.json, NULL, "print what came out as JSON"},
};

// The number of a solver by the word that scenes have for it.
static bool find_solver(const char* word, int32_t* out)
{
    char words[256] = "";
    for (size_t i = 0; i < kai_solver_kind.param_count; i++) {
        const kai_param* p = &kai_solver_kind.params[i];
        if (strcmp(p->name, "cone") != 0) continue;
        for (int32_t k = 0; p->words[k] != NULL; k++) {
            *out = k;
            if (strcmp(word, p->words[k]) == 0) return true;
            const size_t used = strlen(words);
            snprintf(words + used, sizeof words - used, "%s%s", k > 0 ? ", " : "", p->words[k]);
        }
    }
    cli_error("--solver is '%s'; must be one of %s", word, words);
    return false;
}

static void print_report(const char* file, const kai_problem_info* info,
                         const kai_problem_report* r, double tolerance)
{
    const bool reached = r->residual <= tolerance;
    if (args.json) {
        printf("{\"contacts\": %zu, \"velocities\": %zu, \"equations\": %zu, \"solver\": \"%s\", "
               "\"bodies\": %s, \"iterations\": %zu, \"residual\": %.6g, \"reached\": %s, "
               "\"seconds\": %.6g}\n",
               info->contacts, info->velocities, info->equations, r->solver,
               r->bodies ? "true" : "false", r->iterations, r->residual, reached ? "true" : "false",
               r->seconds);
        return;
    }
    printf("%s: %s problem, %zu contacts, %zu velocities, %zu equations\n", file,
           info->global ? "global" : "local", info->contacts, info->velocities, info->equations);
    if (r->bodies)
        printf("solved as contacts of rigid bodies and points\n");
    else
        printf("solved by its matrices: %s\n", r->why);
    printf("%s: residual %.3g m/s after %zu iterations in %.3g s\n", r->solver, r->residual,
           r->iterations, r->seconds);
    if (tolerance > 0.0 && !reached)
        printf("the tolerance of %.3g m/s was not reached\n", tolerance);
}

static int solve(const char* file, const kai_problem_def* def)
{
    kai_problem* problem = NULL;
    kai_problem_report report;
    kai_error error = {0};
    kai_result r = kai_problem_open(file, &problem, &error);
    if (r != KAI_OK) {
        cli_error("%s", cli_message(&error));
        return r == KAI_ERROR_MEMORY ? CLI_FAILED : CLI_USAGE;
    }
    const kai_problem_info info = kai_problem_get_info(problem);
    r = kai_problem_solve(problem, def, &report, &error);
    const bool solved = r == KAI_OK;
    if (solved && args.output != NULL) r = kai_problem_write(problem, args.output, &error);
    kai_problem_free(problem);
    if (r != KAI_OK) {
        cli_error("%s%s%s", solved ? "" : file, solved ? "" : ": ", cli_message(&error));
        return r == KAI_ERROR_ARGUMENT || r == KAI_ERROR_FORMAT || r == KAI_ERROR_UNSUPPORTED
                   ? CLI_USAGE
                   : CLI_FAILED;
    }
    print_report(file, &info, &report, def->tolerance);
    return def->tolerance > 0.0 && report.residual > def->tolerance ? CLI_FAILED : CLI_DONE;
}

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    kai_problem_def def = kai_problem_def_default();
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words)) return CLI_USAGE;
    if (words == 0) {
        cli_error("solve needs a file with a contact problem (FCLIB, HDF5)");
        return CLI_USAGE;
    }
    if (args.solver != NULL && !find_solver(args.solver, &def.cone)) return CLI_USAGE;
    if (args.tolerance >= 0.0) def.tolerance = args.tolerance;
    if (args.iterations > 0) def.iterations = args.iterations;
    if (args.threads > 0) def.threads = args.threads;
    def.associated = args.associated;
    return solve(word, &def);
}

const cli_command cli_solve = {
    .name = "solve",
    .arguments = "FILE",
    .doc = "Solves a contact problem that 'kairos export --problem' or another program wrote.",
    .run = run,
    CLI_OPTIONS(OPTIONS),
    .notes = "The status is 1 where the tolerance was not reached.\n"};
