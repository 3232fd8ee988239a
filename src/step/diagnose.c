// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The likely cause: mostly a load that is too fast for the step (fastest_mode.h). It is looked for at
// a calm state: what has flown off is brought back, as numbers there say nothing of the system, and
// without joints, whose rows may be what failed.
#include "step/diagnose.h"

#include "contact/contacts_failed.h"
#include "model/label.h"
#include "model/shaft.h"
#include "step/constraints.h"
#include "step/fastest_mode.h"
#include "step/integrator.h"

#include <stdio.h>
#include <string.h>

static const double FAR = 1e3, FAST = 1e2; // m, m/s or rad/s: the calm state
static const double WILD = 1e60;           // squares of products of such numbers overflow

// Joints and contacts ----------------------------------------------------------------------------

static bool is_finite_row(const kai_constraints* c, const kai_constraints_joint* j, uint32_t r)
{
    const kai_joint_row* row = kai_constraints_row(c, j->first + r);
    const kai_constraints_end* ends = kai_constraints_ends(c, j);
    double sum = 0.0 * row->g + 0.0 * row->gt;
    for (int k = 0; k < j->ends; k++) {
        const double* g = kai_constraints_piece(c, j, r, &ends[k]);
        for (uint32_t i = 0; i < ends[k].width; i++) sum += 0.0 * g[i];
    }
    return sum == 0.0;
}

/// Names the first joint whose rows are not finite.
static bool tell_joint(kai_world* world, double time, kai_error* err)
{
    const kai_constraints* c = world->solver;
    if (!c) return false;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++) {
            if (is_finite_row(c, &joints[i], r)) continue;
            char name[KAI_LABEL_SIZE], value[128];
            const kai_joint_row* row = kai_constraints_row(c, joints[i].first + r);
            kai_label_describe(world, &world->joints, joints[i].batch, joints[i].index, name,
                               sizeof name);
            const bool told = kai_label_value(world, &world->joints, joints[i].batch,
                                              joints[i].index, time, value, sizeof value);
            kai_error_set(err, KAI_ERROR_DIVERGED,
                          "%s: what it holds is off by %g m or rad, and asked to move at %g /s, at "
                          "t = %.9g s: not finite%s%s",
                          name, kai_label_number(row->g), kai_label_number(row->gt), time,
                          told ? "; " : "", value);
            return true;
        }
    }
    return false;
}

void kai_diagnose_terms(kai_world* world, double time, kai_error* err)
{
    if (!err || tell_joint(world, time, err)) return;
    kai_contacts_failed(world, time, err);
}

/// How fast a contact's bodies are; infinite where some number of it is not finite.
static double speed_of(const kai_cone_problem* p, size_t i)
{
    const kai_cone_contact* c = &p->contacts[i];
    double most = isfinite(c->bias) && kai_vec3_is_finite(c->normal) ? 0.0 : HUGE_VAL;
    const uint32_t bodies[2] = {c->a, c->b};
    for (int k = 0; k < 2; k++) {
        if (bodies[k] == KAI_CONE_NONE) continue;
        const kai_cone_motion* m = &p->motion[bodies[k]];
        if (!kai_vec3_is_finite(m->v) || !kai_vec3_is_finite(m->w)) return HUGE_VAL;
        most = fmax(most, fmax(kai_vec3_max_abs(m->v), kai_vec3_max_abs(m->w)));
    }
    return most;
}

/// The contact to name when the solver fails: the first whose numbers are not finite, else the one
/// whose bodies are fastest, which overflow first.
static size_t fastest(const kai_cone_problem* p)
{
    double most = -1.0;
    size_t found = 0;
    for (size_t i = 0; i < p->contact_count; i++) {
        const double speed = speed_of(p, i);
        if (speed > most) most = speed, found = i;
    }
    return found;
}

void kai_diagnose_contact(kai_world* world, const kai_cone_problem* problem, double time,
                          kai_error* err)
{
    if (!err || tell_joint(world, time, err)) return;
    const size_t i = fastest(problem);
    if (i >= world->collision->proximity.contact_count) return;
    char pair[KAI_LABEL_SIZE], overflow[2][512];
    uint32_t owner[2];
    kai_contacts_failed_pair(world, i, pair, sizeof pair);
    kai_contacts_owners(world, i, &owner[0], &owner[1]);
    for (int k = 0; k < 2; k++)
        kai_label_overflow(world, owner[k] & ~KAI_BROAD_FIXED, overflow[k], sizeof overflow[k]);
    kai_error_set(err, KAI_ERROR_DIVERGED,
                  "%s: its impulse at t = %.9g s is not finite (gap %.3g m)%s%s", pair, time,
                  kai_label_number(world->collision->proximity.contacts[i].contact.gap),
                  overflow[0], overflow[1]);
}

// A load that is too fast -------------------------------------------------------------------------------

static kai_vec3 calm(kai_vec3 v, double most)
{
    if (!kai_vec3_is_finite(v)) return kai_vec3_zero();
    const double size = kai_vec3_max_abs(v); // the norm may overflow
    return size > most ? kai_vec3_scale(kai_vec3_scale(v, 1.0 / size), most) : v;
}

static void calm_down(kai_world* world)
{
    for (size_t i = 0; i < world->bodies.count; i++) {
        kai_pose* p = &world->bodies.pose[i];
        kai_motion* m = &world->bodies.motion[i];
        p->position = calm(p->position, FAR);
        if (!isfinite(kai_quat_norm2(p->rotation))) p->rotation = kai_quat_identity();
        m->velocity = calm(m->velocity, FAST);
        m->spin = calm(m->spin, FAST);
    }
}

static void describe_mode(const kai_world* world, const kai_fastest_mode* mode, double h, char* out,
                          size_t size)
{
    char text[KAI_LABEL_SIZE + 160];
    kai_fastest_mode_describe(world, mode, text, sizeof text);
    snprintf(
        out, size,
        "; likely cause: the step of %.3g s is too long for %s, which needs steps below %.3g s "
        "with %s; take such a step, %s",
        h, text, mode->limit / mode->rate, kai_integrator_get(world)->kind.name,
        kai_fastest_mode_advice(world));
}

/// Looks for a load that is too fast for the step.
static void find_load(kai_world* world, double h, char* out, size_t size)
{
    if (kai_integrator_can(world, KAI_INTEGRATOR_IMPLICIT) || world->loads.count == 0) return;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const size_t n = world->bodies.count;
    kai_pose* pose = kai_arena_take(&world->arena, n, sizeof *pose, NULL);
    kai_motion* motion = kai_arena_take(&world->arena, n, sizeof *motion, NULL);
    if (pose && motion) {
        kai_fastest_mode mode;
        if (n > 0) memcpy(pose, world->bodies.pose, n * sizeof *pose);
        if (n > 0) memcpy(motion, world->bodies.motion, n * sizeof *motion);
        calm_down(world);
        const kai_result r = kai_fastest_mode_find(world, NULL, false, &mode, NULL);
        if (n > 0) memcpy(world->bodies.pose, pose, n * sizeof *pose);
        if (n > 0) memcpy(world->bodies.motion, motion, n * sizeof *motion);
        if (r == KAI_OK && h * mode.rate > mode.limit) describe_mode(world, &mode, h, out, size);
    }
    kai_arena_release(&world->arena, mark);
}

// Other causes -----------------------------------------------------------------------------------

static void find_gravity(const kai_world* world, double h, char* out, size_t size)
{
    const double g = kai_vec3_max_abs(world->gravity);
    if (h * g < WILD) return;
    snprintf(out, size, "; likely cause: gravity of %.3g m/s² adds %.3g m/s in a step", g, h * g);
}

static void find_contact(kai_world* world, double h, char* out, size_t size)
{
    double most;
    char text[KAI_LABEL_SIZE];
    if (world->contact_def.method != KAI_CONTACT_SMC ||
        kai_integrator_can(world, KAI_INTEGRATOR_IMPLICIT) ||
        kai_contact_stable_step(world, &most, text, sizeof text) != KAI_OK || h <= most)
        return;
    snprintf(out, size,
             "; likely cause: the step of %.3g s is too long for contact smc, which needs steps "
             "below %.3g s (%s); take such a step, a softer material, or contact nsc",
             h, most, text);
}

/// A body that turns so far in a step that the method cannot follow, or is too fast for numbers.
static void find_body(const kai_world* world, double h, char* out, size_t size)
{
    double turn = 0.0, speed = 0.0;
    size_t turning = 0, moving = 0;
    char name[KAI_STRING_SIZE + 96];
    for (size_t i = 0; i < world->bodies.count; i++) {
        const kai_motion* m = &world->bodies.motion[i];
        const double v = kai_vec3_max_abs(m->velocity), w = h * kai_vec3_norm(m->spin);
        if (w > turn) turn = w, turning = i;
        if (v > speed) speed = v, moving = i;
    }
    if (turn > 1.0 && !kai_integrator_can(world, KAI_INTEGRATOR_FAST_SPIN)) {
        kai_label_body(world, turning, name, sizeof name);
        snprintf(out, size,
                 "; likely cause: %s turns by %.3g rad in a step of %.3g s, and %s follows about 1 "
                 "rad; take steps below %.2g s, or euler",
                 name, turn, h, kai_integrator_get(world)->kind.name, h / turn);
    } else if (speed > WILD) {
        kai_label_body(world, moving, name, sizeof name);
        snprintf(out, size, "; likely cause: %s already moves at %.3g m/s", name, speed);
    }
}

void kai_diagnose_cause(kai_world* world, double h, kai_error* err)
{
    if (!err) return;
    const kai_error keep = *err; // it may be the world's own
    char cause[KAI_ERROR_SIZE] = "";
    find_gravity(world, h, cause, sizeof cause);
    if (!cause[0]) find_load(world, h, cause, sizeof cause);
    if (!cause[0]) find_contact(world, h, cause, sizeof cause);
    if (!cause[0]) find_body(world, h, cause, sizeof cause);
    *err = keep;
    kai_error_set(err, keep.code, "%s (step %llu)%s", keep.message,
                  (unsigned long long)world->steps + 1, cause);
}
