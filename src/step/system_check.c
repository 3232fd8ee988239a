// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/label.h"
#include "model/node.h"
#include "model/shaft.h"
#include "model/state.h"
#include "model/world.h"
#include "step/diagnose.h"
#include "step/system.h"
#include "step/term.h"

/// Names the first node of elements that is not finite.
static kai_result check_nodes(const kai_world* world, double time, kai_error* err)
{
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        const double *q = &nodes[i].def.position.x, *v = &nodes[i].def.velocity.x;
        double sum = 0.0;
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++) sum += 0.0 * q[k] + 0.0 * v[k];
        if (sum == 0.0) continue;
        char text[KAI_STRING_SIZE + 32];
        kai_node_describe(world, i, text, sizeof text);
        return kai_error_set(
            err, KAI_ERROR_DIVERGED,
            "%s: position [%g, %g, %g] m, velocity [%g, %g, %g] m/s at t = %.9g s: "
            "it is not finite",
            text, kai_label_number(q[0]), kai_label_number(q[1]), kai_label_number(q[2]),
            kai_label_number(v[0]), kai_label_number(v[1]), kai_label_number(v[2]), time);
    }
    return KAI_OK;
}

/// Names the first shaft or state that is not finite.
static kai_result check_scalars(const kai_world* world, double time, kai_error* err)
{
    char text[KAI_STRING_SIZE + 32];
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) {
        if (isfinite(shafts[i].angle) && isfinite(shafts[i].speed)) continue;
        kai_shaft_describe(world, i, text, sizeof text);
        return kai_error_set(err, KAI_ERROR_DIVERGED,
                             "%s: angle %g rad, speed %g rad/s at t = %.9g s is not finite", text,
                             shafts[i].angle, shafts[i].speed, time);
    }
    size_t cursor = 0;
    kai_state_source s;
    while (kai_state_next(world, &cursor, &s)) {
        for (size_t i = 0; i < s.items->items.count; i++) {
            const double* y = kai_state_at(&s, i);
            for (size_t k = 0; k < s.count; k++) {
                if (isfinite(y[k])) continue;
                char name[KAI_LABEL_SIZE];
                kai_label_describe(world, s.store, s.batch, i, name, sizeof name);
                return kai_error_set(err, KAI_ERROR_DIVERGED,
                                     "%s: its state %zu is %g at t = %.9g s; it is not finite",
                                     name, k + 1, kai_label_number(y[k]), time);
            }
        }
    }
    return KAI_OK;
}

static bool is_finite(const kai_pose* pose, const kai_motion* motion)
{
    return kai_vec3_is_finite(pose->position) && isfinite(kai_quat_norm2(pose->rotation)) &&
           kai_vec3_is_finite(motion->velocity) && kai_vec3_is_finite(motion->spin);
}

/// Says which numbers of a body are not finite.
static kai_result tell_body(const kai_world* world, size_t i, double time, kai_error* err)
{
    const kai_pose* pose = &world->bodies.pose[i];
    const kai_motion* motion = &world->bodies.motion[i];
    const kai_vec3 turn = kai_quat_vector(pose->rotation);
    const struct {
        const char *what, *unit;
        kai_vec3 value;
    } all[] = {{"velocity", "m/s", motion->velocity},
               {"spin", "rad/s", motion->spin},
               {"position", "m", pose->position},
               {"rotation", "(quaternion)", turn}};
    size_t k = 0;
    while (k + 1 < KAI_COUNT(all) && kai_vec3_is_finite(all[k].value)) k++;
    char text[KAI_STRING_SIZE + 96];
    kai_label_body(world, i, text, sizeof text);
    return kai_error_set(
        err, KAI_ERROR_DIVERGED, "%s: its %s [%g, %g, %g] %s at t = %.9g s is not finite", text,
        all[k].what, kai_label_number(all[k].value.x), kai_label_number(all[k].value.y),
        kai_label_number(all[k].value.z), all[k].unit, time);
}

/// Names the first body that is not finite; one that moves, if there is one.
static kai_result check_bodies(const kai_world* world, double time, kai_error* err)
{
    const kai_bodies* bodies = &world->bodies;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < bodies->count; i++) {
        if (is_finite(&bodies->pose[i], &bodies->motion[i])) continue;
        if (found == SIZE_MAX) found = i;
        if (!(bodies->motion[i].flags & KAI_BODY_FIXED)) return tell_body(world, i, time, err);
    }
    return found == SIZE_MAX ? KAI_OK : tell_body(world, found, time, err);
}

static kai_result check_state(const kai_world* world, double time, kai_error* err)
{
    KAI_TRY(check_bodies(world, time, err));
    KAI_TRY(check_nodes(world, time, err));
    KAI_TRY(check_scalars(world, time, err));
    return kai_term_check_all(world, time, err);
}

kai_result kai_system_check_finite(const kai_system* system, double time, kai_error* err)
{
    const kai_result r = check_state(system->world, time, err);
    if (r != KAI_OK && err) kai_diagnose_terms(system->world, time, err);
    return r;
}
