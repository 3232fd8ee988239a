// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "run/summary.h"

#include "measure/output.h"
#include "model/plugin.h"
#include "parallel/comm.h"

#include <jansson.h>
#include <kairos/element.h>
#include <kairos/event.h>
#include <kairos/info.h>
#include <kairos/solver.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// JSON knows no infinity: null.
static void put_number(json_t* to, const char* key, double value)
{
    json_object_set_new(to, key, isfinite(value) ? json_real(value) : json_null());
}

static void put_count(json_t* to, const char* key, uint64_t value)
{
    json_object_set_new(to, key, json_integer((json_int_t)value));
}

// Text from files may be broken UTF-8, which Jansson refuses.
static json_t* text_of(const char* text)
{
    json_t* value = json_string(text);
    return value != NULL ? value : json_string("(text is not UTF-8)");
}

static const char* summary_machine(void)
{
    for (int i = 0;; i++) {
        const kai_fact fact = kai_info_fact(i);
        if (fact.name == NULL) return "unknown";
        if (strcmp(fact.name, "cpu") == 0) return fact.value;
    }
}

static void put_result(json_t* to, const kai_summary* s)
{
    const char* result = s->result == KAI_OK              ? "done"
                         : s->result == KAI_ERROR_STOPPED ? "stopped"
                                                          : "failed";
    json_object_set_new(to, "result", json_string(result));
    const bool failed = s->result != KAI_OK && s->result != KAI_ERROR_STOPPED;
    json_object_set_new(to, "stopped_by",
                        s->stopped_by != NULL ? text_of(s->stopped_by) : json_null());
    json_object_set_new(to, "error", failed ? text_of(s->message) : json_null());
}

static void put_times(json_t* to, const kai_summary* s, const kai_world* world)
{
    const double simulated = kai_world_time(world) - s->start_time;
    put_number(to, "step", s->step);
    const kai_scene_settings* settings = kai_scene_get_settings(s->scene);
    if (settings->step_rule[0] && s->step == settings->step)
        json_object_set_new(to, "step_rule", text_of(settings->step_rule));
    put_number(to, "end", s->end);
    put_count(to, "steps", s->steps);
    put_number(to, "time", kai_world_time(world));
    put_number(to, "load_seconds", s->load_seconds);
    put_number(to, "run_seconds", s->run_seconds);
    put_number(to, "page_seconds", s->page_seconds);
    put_number(to, "real_time_factor", simulated > 0.0 ? s->run_seconds / simulated : 0.0);
    json_t* phases = json_object();
    for (int i = 0; i < KAI_CLOCK_PHASE_COUNT; i++)
        put_number(phases, kai_clock_phase_name((kai_clock_phase)i), s->phase_seconds[i]);
    json_object_set_new(to, "phase_seconds", phases);
}

// Whether contacts were solved, and where the worst of those was that were not.
static void put_contacts(json_t* to, const kai_world* world, const kai_solver_figures* solved)
{
    put_count(to, "solutions", solved->solutions);
    put_count(to, "missed_tolerance", solved->missed);
    put_count(to, "retried", solved->retried);
    put_count(to, "unsolved", solved->unsolved);
    if (solved->missed > 0) put_number(to, "worst_time", solved->worst_time);
    char verdict[700];
    kai_solver_verdict(world, verdict, sizeof verdict);
    json_object_set_new(to, "verdict", text_of(verdict));
}

// Contacts are counted where they are looked for; else the figures are zero.
static void put_figures(json_t* to, kai_world* world, const kai_summary* s)
{
    const kai_stats stats = kai_world_stats(world);
    put_count(to, "bodies", stats.bodies);
    put_count(to, "particles", stats.particles);
    put_count(to, "shapes", stats.shapes);
    put_count(to, "loads", stats.loads);
    put_count(to, "nodes", stats.nodes);
    put_count(to, "elements", kai_element_count(world));
    json_object_set_new(to, "integrator", json_string(kai_integrator_get(world)->kind.name));
    put_count(to, "asleep", kai_sleep_count(world));
    put_number(to, "contacts_mean", s->contacts_mean);
    put_count(to, "contacts_max", s->contacts_max);
    const uint64_t rows = kai_output_joints_rows(world);
    put_count(to, "joints", kai_joint_count(world));
    put_count(to, "rows", rows);
    const kai_solver_figures solved = kai_solver_measured(world);
    json_t* solver = json_object();
    json_object_set_new(solver, "name", json_string(solved.name));
    put_number(solver, "iterations_mean", solved.iterations_mean);
    if (solved.cones) {
        const kai_solver_def def = kai_solver_get(world);
        put_number(solver, "tolerance",
                   kai_solver_cone_tolerance(&def, kai_world_gravity(world), s->step));
    }
    put_number(solver, "residual_mean", solved.residual_mean);
    put_number(solver, "residual_max", solved.residual_max);
    if (solved.cones) put_contacts(solver, world, &solved);
    json_object_set_new(to, "solver", solver);
    kai_energy e = {0};
    json_t* energy = json_object();
    if (kai_world_energy(world, &e) == KAI_OK) {
        put_number(energy, "kinetic", e.kinetic);
        put_number(energy, "potential", e.potential);
        put_number(energy, "elastic", e.elastic);
        put_number(energy, "dissipated", e.dissipated);
        put_number(energy, "work", e.work);
        put_number(energy, "drift", e.drift);
    }
    json_object_set_new(to, "energy", energy);
    put_number(to, "max_penetration", s->max_penetration);
    put_number(to, "max_violation", s->max_violation);
    put_count(to, "peak_bytes", stats.peak_bytes);
}

// What steps broke, kind by kind; empty when there is nothing to tell.
static json_t* breaches_of(const kai_judge* judge)
{
    json_t* all = json_object();
    for (int i = 0; i < KAI_JUDGE_TYPES; i++) {
        const kai_judge_breach* b = &judge->breach[i];
        if (b->count == 0) continue;
        json_t* one = json_object();
        put_count(one, "count", b->count);
        put_number(one, "worst", b->worst);
        put_number(one, "limit", b->limit);
        put_count(one, "first_step", b->first_step);
        put_number(one, "first_time", b->first_time);
        json_object_set_new(one, "where", text_of(b->where));
        json_object_set_new(all, kai_judge_word((kai_judge_type)i), one);
    }
    return all;
}

// Names of outputs; `numbered`: only those that are one file a sample, NAME-000000.csv and so on.
static json_t* outputs_of(const kai_scene* scene, bool numbered)
{
    json_t* files = json_array();
    for (size_t i = 0; i < kai_scene_output_count(scene); i++) {
        const kai_output_def* output = kai_scene_output(scene, i);
        if (!numbered || kai_output_is_snapshot(output->target))
            json_array_append_new(files, text_of(output->file.text));
    }
    const char* saved;
    for (size_t i = 0; !numbered && (saved = kai_event_save(kai_scene_world(scene), i)); i++)
        json_array_append_new(files, text_of(saved));
    if (!numbered && kai_scene_get_settings(scene)->trajectory.enabled)
        json_array_append_new(files, json_string("trajectory.h5"));
    return files;
}

static json_t* plugins_of(const kai_world* world)
{
    json_t* names = json_array();
    const char* name;
    for (size_t i = 0; (name = kai_plugin_at(world, i)) != NULL; i++)
        json_array_append_new(names, text_of(name));
    return names;
}

char* kai_summary_text(const kai_summary* s)
{
    kai_world* world = kai_scene_world(s->scene);
    json_t* root = json_object();
    json_object_set_new(root, "scene", text_of(kai_scene_get_settings(s->scene)->name.text));
    put_result(root, s);
    json_object_set_new(root, "version", json_string(kai_info_version()));
    json_object_set_new(root, "machine", text_of(summary_machine()));
    char scene_hash[20];
    snprintf(scene_hash, sizeof scene_hash, "%016llx",
             (unsigned long long)kai_scene_hash(s->scene));
    json_object_set_new(root, "scene_hash", json_string(scene_hash));
    json_object_set_new(root, "plugins", plugins_of(world));
    put_count(root, "ranks", (uint64_t)world->comm->size);
    put_count(root, "threads", (uint64_t)kai_world_threads(world));
    put_times(root, s, world);
    put_figures(root, world, s);
    json_object_set_new(root, "outputs", outputs_of(s->scene, false));
    json_object_set_new(root, "numbered", outputs_of(s->scene, true));
    json_object_set_new(root, "breaches", breaches_of(s->judge));
    json_t* warnings = json_array();
    for (size_t i = 0; i < s->warning_count; i++)
        json_array_append_new(warnings, text_of(s->warnings[i]));
    json_object_set_new(root, "warnings", warnings);
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)kai_world_hash(world));
    json_object_set_new(root, "state_hash", json_string(hash));
    char* text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}
