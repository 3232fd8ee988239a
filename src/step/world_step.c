// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/world_step.h"

#include "contact/contacts.h"
#include "model/check.h"
#include "model/collision/collision.h"
#include "model/hook.h"
#include "model/joint.h"
#include "model/label.h"
#include "model/sleep.h"
#include "model/world.h"
#include "step/diagnose.h"
#include "step/integrator.h"
#include "step/system.h"
#include "step/term.h"
#include "step/undo.h"
#include "step/world_energy.h"
#include "step/world_statics.h"

static kai_result check_masses(const kai_world* world, kai_error* err)
{
    const kai_bodies* bodies = &world->bodies;
    if (bodies->massless == 0) return KAI_OK;
    size_t i = 0;
    while ((bodies->motion[i].flags & KAI_BODY_FIXED) ||
           kai_bodies_mass_of(bodies, i)->inverse_mass > 0.0)
        i++;
    char text[KAI_STRING_SIZE + 96];
    kai_label_body(world, i, text, sizeof text);
    return kai_error_set(
        err, KAI_ERROR_ARGUMENT,
        "%s has no mass or no inertia; give it both, or a density with shapes, or fix it", text);
}

/// The energy balance is measured against its value before the first step.
static kai_result note_energy(kai_world* world)
{
    if (world->energy_known) return KAI_OK;
    world->tame_steps = 0; // somebody has changed the state
    kai_energy energy;
    KAI_TRY(kai_world_energy_sum(world, &energy, &world->error));
    world->energy_reference =
        energy.kinetic + energy.potential + energy.elastic + energy.dissipated - energy.work;
    world->energy_known = true;
    return KAI_OK;
}

static void advance_clock(kai_world* world, double h)
{
    if (h != world->time_step) {
        world->time_base = world->time;
        world->steps_base = world->steps;
        world->time_step = h;
    }
    world->steps++;
    world->time = world->time_base + (double)(world->steps - world->steps_base) * h;
}

static kai_result check_step(double h, kai_error* err)
{
    if (h > 0.0 && !isinf(h)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "h is %g s; must be > 0 and finite", h);
}

/// Runs the integrator; a copy of the state is kept for those that do not undo a failed step.
static kai_result integrate(kai_system* system, double h, kai_error* err)
{
    kai_world* world = system->world;
    const kai_integrator_kind* kind = kai_integrator_get(world);
    if (kai_integrator_can(world, KAI_INTEGRATOR_UNDO))
        return kind->step(system, world->integrator_instance, h, err);
    kai_system_backup backup;
    KAI_TRY(kai_system_save(system, &backup, err));
    system->start = &backup;
    kai_result r = kind->step(system, world->integrator_instance, h, err);
    if (r == KAI_OK) r = kai_system_check_finite(system, system->time + h, err);
    kai_system_end(system, &backup, r == KAI_OK);
    return r;
}

static kai_result step(kai_world* world, double h, const kai_world_step_options* options,
                       kai_error* err)
{
    KAI_TRY(check_step(h, err));
    KAI_TRY(check_masses(world, err));
    KAI_TRY(kai_integrator_check(world, err));
    KAI_TRY(kai_sleep_check(world, kai_integrator_get(world)->kind.name, err));
    kai_sleep_look(world);
    KAI_TRY(note_energy(world));
    KAI_TRY(kai_joint_pass(world, NULL, err));
    kai_system system = {.world = world, .time = world->time, .unobserved = options->unobserved};
    world->solver_tally.now = 0.0;
    const kai_result r = integrate(&system, h, err);
    if (r == KAI_ERROR_DIVERGED) kai_diagnose_cause(world, h, err);
    KAI_TRY(r);
    world->solver_tally.last = world->solver_tally.now;
    world->solver_tally.steps += world->solver_tally.last > 0.0;
    world->solver_tally.iterations += world->solver_tally.last;
    advance_clock(world, h);
    if (world->contact_def.method != KAI_CONTACT_NONE) kai_collision_stamp(world);
    return KAI_OK;
}

static kai_result step_or_stop(kai_world* world, double h, const kai_world_step_options* options,
                               kai_error* err)
{
    kai_undo undo;
    KAI_TRY(kai_undo_begin(&undo, world, err));
    return kai_undo_end(&undo, world, step(world, h, options, err));
}

kai_result kai_world_step_with(kai_world* world, double h, const kai_world_step_options* options)
{
    KAI_CHANGE(world);
    kai_result ready = check_step(h, &world->error);
    if (ready == KAI_OK) ready = kai_hook_before_step(world, h, &world->error);
    if (ready != KAI_OK) return kai_world_fail(world, "kai_world_step", ready);
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_step);
    // Signals and hooks look at the world after every step.
    const kai_world_step_options own = {options->unobserved && world->signals.count == 0 &&
                                        world->hooks.count == 0};
    kai_result r = kai_term_prepare_all(world, &world->error);
    if (r == KAI_OK) {
        kai_check_enter(world);
        r = step_or_stop(world, h, &own, &world->error);
        kai_check_leave(world, r);
    }
    if (r == KAI_OK) r = kai_term_finish_all(world, h, &world->error);
    kai_clock_end(&world->clock, outer);
    if (r == KAI_OK) kai_hook_after_step(world, h);
    return kai_world_fail(world, "kai_world_step", r);
}

kai_result kai_world_step(kai_world* world, double h)
{
    return kai_world_step_with(world, h, &(kai_world_step_options){0});
}

kai_result kai_world_step_statics(kai_world* world, double h)
{
    KAI_CHANGE(world);
    if (check_step(h, &world->error) != KAI_OK)
        return kai_world_fail(world, __func__, KAI_ERROR_ARGUMENT);
    kai_result ready = kai_hook_before_step(world, h, &world->error);
    if (ready == KAI_OK) ready = kai_term_prepare_all(world, &world->error);
    if (ready != KAI_OK) return kai_world_fail(world, __func__, ready);
    const double time = world->time, base = world->time_base, last = world->time_step;
    const uint64_t steps_base = world->steps_base;
    advance_clock(world, h);
    kai_check_enter(world);
    const kai_result r = kai_world_statics_find(world, &world->error);
    kai_check_leave(world, r);
    if (r == KAI_OK) {
        const kai_result finished = kai_term_finish_all(world, h, &world->error);
        if (finished == KAI_OK) kai_hook_after_step(world, h);
        return kai_world_fail(world, __func__, finished);
    }
    world->time = time;
    world->time_base = base;
    world->time_step = last;
    world->steps_base = steps_base;
    world->steps--;
    return kai_world_fail(world, __func__, r);
}

kai_result kai_world_step_until(kai_world* world, double end, double h)
{
    KAI_CHANGE(world);
    kai_result r = check_step(h, &world->error);
    if (r == KAI_OK && !isfinite(end))
        r = kai_error_set(&world->error, KAI_ERROR_ARGUMENT, "end is %g s; must be finite", end);
    KAI_TRY(kai_world_fail(world, __func__, r));
    for (bool first = true; r == KAI_OK && world->time < end - 0.5 * h; first = false) {
        const bool unobserved = !first && world->time + h < end - 0.75 * h;
        r = kai_world_step_with(world, h, &(kai_world_step_options){unobserved});
    }
    return r;
}
