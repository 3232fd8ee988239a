// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/auto_step.h"

#include "model/label.h"
#include "model/node.h"
#include "model/shape.h"
#include "step/fastest_mode.h"
#include "step/integrator.h"

#include <kairos/contact.h>
#include <stdio.h>
#include <string.h>

static const double GRAVITY = 0.01; // of (d / g)^½
static const double STABLE = 0.15;  // of the longest stable step: a 21st of a period
static const double TAUT = 0.5;     // of the longest stable step under the first forces of joints
static const double TURN = 0.01;    // of a turn, or of a function's time
static const double MOTION = 0.2;   // of a body's size
static const double RUN = 1e-3;     // of the run
enum { MOMENTS = 4096, TEXT = 1024 };

/// The shortest step that was asked for so far, and by what.
typedef struct choice {
    kai_world* world;
    double end, step;
    char text[TEXT];
} choice;

/// Whether `step` is the shortest so far: then the caller says why.
static bool is_shorter(choice* c, double step)
{
    if (!(step < c->step) || !(step > 0.0)) return false;
    c->step = step;
    return true;
}

// Bodies -----------------------------------------------------------------------------------------

/// Size of a body, m: twice its largest radius of gyration, or the width of its thinnest shape.
static double size_of(const kai_world* world, size_t slot)
{
    const kai_bodies_mass* m = kai_bodies_mass_of(&world->bodies, slot);
    const double moment = kai_vec3_max_abs(m->moments);
    double size = moment > 0.0 && m->mass > 0.0 ? 2.0 * sqrt(moment / m->mass) : HUGE_VAL;
    if (world->contact_def.method == KAI_CONTACT_NONE) return size;
    uint32_t index = kai_bodies_cold_of(&world->bodies, slot).first_shape;
    while (index != 0) {
        const kai_shape_record record = kai_shape_record_of(world, index);
        if (record.flags & KAI_SHAPE_COLLIDE)
            size = fmin(size, 2.0 * kai_shape_half_width(world, index));
        index = record.next;
    }
    return size;
}

static void ask_bodies(choice* c)
{
    const kai_world* world = c->world;
    const double g = kai_vec3_norm(world->gravity);
    const bool contact = world->contact_def.method != KAI_CONTACT_NONE;
    char name[KAI_STRING_SIZE + 96];
    for (size_t i = 0; i < world->bodies.count; i++) {
        const kai_motion* m = &world->bodies.motion[i];
        if (m->flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) continue;
        const double size = size_of(world, i), v = kai_vec3_norm(m->velocity),
                     w = kai_vec3_norm(m->spin);
        const bool falls = size < HUGE_VAL && is_shorter(c, GRAVITY * sqrt(size / g)),
                   flies = contact && is_shorter(c, MOTION * size / v),
                   turns = is_shorter(c, TURN * 2.0 * KAI_PI / w);
        if (!falls && !flies && !turns) continue;
        kai_label_body(world, i, name, sizeof name);
        if (turns)
            snprintf(c->text, TEXT, "%s, which turns at %.3g rad/s", name, w);
        else if (flies)
            snprintf(c->text, TEXT, "%s of %.3g m, which moves at %.3g m/s", name, size, v);
        else
            snprintf(c->text, TEXT, "%s of %.3g m under gravity", name, size);
    }
}

/// Meshes of finite elements under gravity.
static void ask_nodes(choice* c)
{
    const kai_world* world = c->world;
    const kai_node_record* nodes = kai_node_all(world);
    const size_t count = world->nodes.count;
    if (count < 2) return;
    kai_vec3 low = nodes[0].def.position, high = low;
    for (size_t i = 1; i < count; i++) {
        low = kai_vec3_min(low, nodes[i].def.position);
        high = kai_vec3_max(high, nodes[i].def.position);
    }
    const double spacing = kai_vec3_norm(kai_vec3_sub(high, low)) / sqrt((double)count);
    if (is_shorter(c, GRAVITY * sqrt(spacing / kai_vec3_norm(world->gravity))))
        snprintf(c->text, TEXT, "nodes of finite elements %.3g m apart under gravity", spacing);
}

// Functions of time ------------------------------------------------------------------------------

/// What is to be known of a function over the run.
typedef struct course {
    double most[3]; // |f|, |f'|, |f''|
} course;

static course follow(const kai_world* world, const kai_value* value, double end)
{
    course f = {{0.0}};
    const int moments = KAI_IS_NULL(value->function) ? 0 : MOMENTS; // a constant is seen once
    for (int i = 0; i <= moments; i++) {
        const kai_jet y =
            kai_function_set_value(&world->functions, value, world->time + end * i / MOMENTS);
        const double now[3] = {fabs(y.y), fabs(y.dy), fabs(y.ddy)};
        for (int k = 0; k < 3; k++)
            if (now[k] <= 1e30) f.most[k] = fmax(f.most[k], now[k]);
    }
    return f;
}

/// A function of an instance: how fast it changes, and how fast what it drives turns.
static void ask_function(choice* c, const kai_store* store, size_t batch, size_t index,
                         const kai_param* p, const kai_value* value)
{
    const course f = follow(c->world, value, c->end);
    const bool angle = p->unit && strcmp(p->unit, "rad") == 0,
               rate = p->unit && strcmp(p->unit, "rad/s") == 0;
    const double speed = angle ? f.most[1] : rate ? f.most[0] : 0.0;
    const bool turns = is_shorter(c, TURN * 2.0 * KAI_PI / speed),
               changes = is_shorter(c, TURN * 2.0 * KAI_PI * f.most[1] / f.most[2]);
    if (!turns && !changes) return;
    char name[KAI_LABEL_SIZE];
    kai_label_describe(c->world, store, batch, index, name, sizeof name);
    if (changes)
        snprintf(c->text, TEXT, "%s, whose %s changes within %.3g s", name, p->name,
                 2.0 * KAI_PI * f.most[1] / f.most[2]);
    else
        snprintf(c->text, TEXT, "%s, which turns at %.3g rad/s", name, speed);
}

static void ask_functions(choice* c, const kai_store* store)
{
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t k = 0; k < batch->kind->param_count; k++) {
            const kai_param* p = &batch->kind->params[k];
            const size_t values = p->type == KAI_PARAM_VALUE    ? 1
                                  : p->type == KAI_PARAM_VALUE3 ? 3
                                                                : 0;
            for (size_t i = 0; values > 0 && i < batch->items.count; i++) {
                const kai_value* v =
                    (const kai_value*)(const void*)((const char*)kai_array_at(&batch->items, i) +
                                                    p->offset);
                for (size_t j = 0; j < values; j++) ask_function(c, store, b, i, p, &v[j]);
            }
        }
    }
}

// Forces -----------------------------------------------------------------------------------------

static kai_result ask_forces(choice* c, kai_error* err)
{
    double most;
    char text[TEXT - 8];
    KAI_TRY(kai_fastest_mode_step(c->world, &most, text, sizeof text, err));
    if (is_shorter(c, STABLE * most)) snprintf(c->text, TEXT, "%s", text);
    if (kai_integrator_can(c->world, KAI_INTEGRATOR_IMPLICIT)) return KAI_OK;
    KAI_TRY(kai_fastest_mode_taut_step(c->world, false, &most, text, sizeof text, err));
    if (is_shorter(c, TAUT * most)) snprintf(c->text, TEXT, "%s", text);
    if (kai_contact_stable_step(c->world, &most, text, sizeof text) != KAI_OK) {
        if (err) *err = c->world->error;
        return c->world->error.code;
    }
    if (is_shorter(c, most)) snprintf(c->text, TEXT, "%s", text);
    return KAI_OK;
}

// All --------------------------------------------------------------------------------------------

/// A round number that divides the run, or what is left of it.
static double rounded(double most, double end)
{
    static const double ROUND[] = {8.0, 5.0, 4.0, 2.5, 2.0, 1.25, 1.0};
    const double power = pow(10.0, floor(log10(most)));
    for (size_t i = 0; i < KAI_COUNT(ROUND); i++) {
        const double h = ROUND[i] * power, steps = end / h;
        if (h < 0.5 * most) break;
        if (h <= most * (1.0 + 1e-12) && fabs(steps - round(steps)) <= 1e-9 * steps) return h;
    }
    return end > 0.0 ? end / ceil(end / most) : most;
}

kai_result kai_auto_step(kai_world* world, double end, double* step, char* text, size_t size,
                         kai_error* err)
{
    const double span = end - world->time;
    choice c = {.world = world, .end = span, .step = span > 0.0 ? RUN * span : 1e-3};
    snprintf(c.text, TEXT, "the length of the run");
    ask_bodies(&c);
    ask_nodes(&c);
    ask_functions(&c, &world->joints);
    ask_functions(&c, &world->loads);
    KAI_TRY(ask_forces(&c, err));
    *step = rounded(c.step, span);
    if (text && size > 0) snprintf(text, size, "%s", c.text);
    return KAI_OK;
}
