// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "run/stop.h"

#include "measure/output.h"
#include "model/id.h"
#include "model/world.h"

#include <kairos/driveline.h>
#include <kairos/signal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The number that a condition compares.
static kai_result read_value(kai_world* world, const kai_stop_def* def, double* out, kai_error* err)
{
    const kai_output_def* o = &def->output;
    const int32_t quantity = o->quantities[0];
    const kai_output_subject subject = {.body = o->body,
                                        .joint = o->joint,
                                        .load = o->load,
                                        .shaft = o->shaft,
                                        .signal = o->signal,
                                        .node = o->node};
    double values[KAI_OUTPUT_COMPONENTS];
    if (kai_output_needs_evaluation(o->target, quantity) && kai_world_evaluate(world) != KAI_OK) {
        *err = *kai_world_error(world);
        return err->code;
    }
    KAI_TRY(kai_output_value(world, o->target, quantity, &subject, values, err));
    const kai_quantity q = kai_output_quantity_of(world, o, quantity);
    int c = 0;
    while (c + 1 < q.components && strcmp(q.labels[c], def->component.text) != 0) c++;
    *out = values[c];
    return KAI_OK;
}

static kai_result stop_holds(kai_world* world, const kai_stop_def* def, bool* holds, kai_error* err)
{
    double value = 0.0;
    kai_energy energy;
    *holds = false;
    switch ((kai_stop_when)def->when) {
    case KAI_STOP_VALUE:
        KAI_TRY(read_value(world, def, &value, err));
        *holds = value < def->below || value > def->above;
        break;
    case KAI_STOP_SETTLED:
        if (kai_world_energy(world, &energy) != KAI_OK) {
            *err = *kai_world_error(world);
            return err->code;
        }
        *holds = energy.kinetic < def->kinetic_energy;
        break;
    case KAI_STOP_WALL: break;
    }
    return KAI_OK;
}

kai_result kai_stop_look(kai_world* world, const kai_scene_settings* settings, uint64_t* held,
                         kai_error* err)
{
    for (size_t i = 0; i < settings->stop_count; i++) {
        bool holds;
        KAI_TRY(stop_holds(world, &settings->stops[i], &holds, err));
        held[i] = holds ? held[i] + 1 : 0;
    }
    return KAI_OK;
}

int kai_stop_met(const kai_scene_settings* settings, const uint64_t* held, double step, double wall)
{
    for (size_t i = 0; i < settings->stop_count; i++) {
        const kai_stop_def* def = &settings->stops[i];
        // The first of these steps is where the time begins.
        const double time = (double)(held[i] > 0 ? held[i] - 1 : 0) * step;
        const bool met = def->when == KAI_STOP_WALL
                             ? wall >= def->wall_time
                             : held[i] > 0 && time >= def->duration * (1.0 - 1e-9);
        if (met) return (int)i;
    }
    return -1;
}

bool kai_stop_watches(const kai_scene_settings* settings)
{
    for (size_t i = 0; i < settings->stop_count; i++)
        if (settings->stops[i].when != KAI_STOP_WALL) return true;
    return false;
}

static const char* thing_name(const kai_world* world, const kai_output_def* o)
{
    if (!KAI_IS_NULL(o->joint)) return kai_joint_name(world, o->joint);
    if (!KAI_IS_NULL(o->load)) return kai_store_name(&world->loads, KAI_ID_OF(o->load));
    switch (o->target) {
    case KAI_OUTPUT_BODY: return kai_body_name(world, o->body);
    case KAI_OUTPUT_SHAFT: return kai_shaft_name(world, o->shaft);
    case KAI_OUTPUT_SIGNAL: return kai_signal_name(world, o->signal);
    case KAI_OUTPUT_NODE: return kai_node_name(world, o->node);
    default: return "system";
    }
}

void kai_stop_text(const kai_world* world, const kai_stop_def* def, char* out, size_t size)
{
    char held[64] = "";
    if (def->duration > 0.0) snprintf(held, sizeof held, " for %.6g s", def->duration);
    if (def->when == KAI_STOP_WALL) {
        snprintf(out, size, "%.6g s of wall-clock time", def->wall_time);
        return;
    }
    if (def->when == KAI_STOP_SETTLED) {
        snprintf(out, size, "kinetic energy below %.6g J%s", def->kinetic_energy, held);
        return;
    }
    const kai_quantity q = kai_output_quantity_of(world, &def->output, def->output.quantities[0]);
    const bool low = !isnan(def->below), high = !isnan(def->above), part = def->component.text[0];
    char limits[96] = "";
    if (low) snprintf(limits, sizeof limits, " below %.6g", def->below);
    const size_t used = strlen(limits);
    if (high)
        snprintf(limits + used, sizeof limits - used, "%s above %.6g", low ? " or" : "",
                 def->above);
    snprintf(out, size, "%s.%s%s%s%s%s%s%s", thing_name(world, &def->output), q.name,
             part ? "." : "", def->component.text, limits, q.unit[0] ? " " : "", q.unit, held);
}
