// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What is mostly a mistake can be seen before the first step.
#include "model/collision/collision_start.h"
#include "model/collision/collision_unheeded.h"
#include "step/fastest_mode.h"
#include "step/integrator.h"

#include <kairos/run.h>
#include <math.h>

/// Penalty contacts that may gain energy.
static kai_result check_contacts(kai_world* world, double h, kai_error* err)
{
    double most;
    char text[512];
    if (kai_integrator_can(world, KAI_INTEGRATOR_IMPLICIT)) return KAI_OK;
    if (kai_contact_stable_step(world, &most, text, sizeof text) != KAI_OK) {
        if (err) *err = *kai_world_error(world);
        return kai_world_error(world)->code;
    }
    if (h > most)
        kai_world_log(world, KAI_LOG_WARNING,
                      "step %.3g s is longer than %.3g s, the longest safe one of contact smc, set "
                      "by %s",
                      h, most, text);
    return KAI_OK;
}

/// Springs, dampers and other loads that are too fast for explicit methods.
static kai_result check_loads(kai_world* world, double h, kai_error* err)
{
    double most;
    char text[1024];
    KAI_TRY(kai_fastest_mode_step(world, &most, text, sizeof text, err));
    if (h > (1.0 + 1e-6) * most)
        kai_world_log(world, KAI_LOG_WARNING,
                      "step %.3g s is longer than %.3g s, the longest stable one of %s, set by %s; "
                      "take a shorter step, %s",
                      h, most, kai_integrator_get(world)->kind.name, text,
                      kai_fastest_mode_advice(world));
    return KAI_OK;
}

/// Joints under so much force that what they hold swings too fast for explicit methods.
static kai_result check_joints(kai_world* world, double h, kai_error* err)
{
    double most;
    char text[1024];
    KAI_TRY(kai_fastest_mode_taut_step(world, false, &most, text, sizeof text, err));
    if (h > (1.0 + 1e-6) * most)
        kai_world_log(world, KAI_LOG_WARNING,
                      "step %.3g s is longer than %.3g s, the longest stable one of %s, set by %s; "
                      "take a shorter step, %s",
                      h, most, kai_integrator_get(world)->kind.name, text,
                      kai_fastest_mode_taut_advice(world));
    return KAI_OK;
}

/// Surfaces that touch may overlap by a hair; a scene that allows its steps more means it.
static kai_result check_overlaps(kai_world* world, const kai_judge_def* checks, kai_error* err)
{
    kai_judge_def usual;
    kai_kind_defaults(&kai_judge_kind, &usual);
    return kai_collision_start_overlaps(
        world, checks->overlap > usual.overlap ? checks->overlap : 0.01, err);
}

kai_result kai_run_check(kai_scene* scene, double step, kai_error* err)
{
    const kai_scene_settings* settings = scene ? kai_scene_get_settings(scene) : NULL;
    kai_world* world = scene ? kai_scene_world(scene) : NULL;
    if (!world)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_run_check: scene has no world; check one without problems");
    if (!(step >= 0.0) || !isfinite(step))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_run_check: step is %g s; must be >= 0",
                             step);
    const double h = step > 0.0 ? step : settings->step;
    if (!settings->checks.enabled) return KAI_OK;
    if (settings->analysis == KAI_SCENE_DYNAMICS) {
        if (!settings->contact_given)
            KAI_TRY(kai_collision_unheeded(world, settings->end - world->time, err));
        KAI_TRY(check_contacts(world, h, err));
        KAI_TRY(check_loads(world, h, err));
        KAI_TRY(check_joints(world, h, err));
    }
    return check_overlaps(world, &settings->checks, err);
}
