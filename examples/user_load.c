// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A load of your own
// ==================
// A parachutist falls through air. The engine has such a load, `drag`; here the program brings its
// own, as a model for loads that the engine lacks: an instance, the description of its parameters,
// a function that works on batches, and one call to register it. Everything else (defaults,
// checks, messages, scene keys, checkpoints) follows from the description.
//
// The speed approaches sqrt(m g / k); with m = 80 kg and k = 0.25 kg/m that is 56.03 m/s, and in
// closed form v(t) = v_end tanh(g t / v_end).
#include <kairos/kairos.h>
#include <stdio.h>

// 1 One instance.
typedef struct drag {
    kai_body body;
    double coefficient;
} drag;

// 2 What its parameters are.
static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, drag, body, .required = true, .doc = "Body that moves through the air."),
    KAI_PARAM(REAL, drag, coefficient, .unit = "kg/m", .initial = {0.25},
              .range = KAI_AT_LEAST(0.0), .doc = "Force over speed squared."),
};

// 3 What it does: forces for instances [begin, end) of a batch. Runs on all threads at once.
static void apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const drag* d = KAI_LOAD_AT(b, drag, i);
        const kai_vec3 v = b->motion[b->slot[i]].velocity;
        b->out[i].force = kai_vec3_scale(v, -d->coefficient * kai_vec3_norm(v));
    }
}

static const kai_load_kind DRAG = {.kind =
                                       KAI_KIND("air-drag", drag, PARAMS, KAI_SIZES(kai_load_kind),
                                                .doc = "Air drag, quadratic in speed."),
                                   .apply = apply,
                                   .needs_velocity = true};

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

int main(void)
{
    kai_world_def world_def = kai_world_def_default();
    kai_world* world;
    if (kai_world_create(&world_def, &world, NULL)) return 1;

    kai_body_def body_def = kai_body_def_default();
    body_def.mass = 80.0;
    body_def.inertia = (kai_inertia){15.0, 15.0, 2.0, 0.0, 0.0, 0.0};
    body_def.position.z = 3000.0;
    kai_body jumper;
    if (kai_body_create(world, &body_def, &jumper)) return fail(world);

    // 4 Register the kind, and make one of it.
    drag params;
    kai_kind_defaults(&DRAG.kind, &params);
    params.body = jumper;
    kai_load load;
    if (kai_load_register(world, &DRAG)) return fail(world);
    if (kai_load_create(world, &DRAG, &params, "air", &load)) return fail(world);
    if (kai_integrator_set(world, &kai_integrator_rk4, NULL)) return fail(world);

    const double v_end = sqrt(80.0 * 9.81 / 0.25);
    printf("time  speed    closed form\n");
    for (int t = 5; t <= 25; t += 5) {
        if (kai_world_step_until(world, t, 0.01)) return fail(world);
        printf("%4d  %7.4f  %7.4f\n", t, -kai_body_velocity(world, jumper).z,
               v_end * tanh(9.81 * t / v_end));
    }

    // The description also speaks when a value is wrong.
    params.coefficient = -1.0;
    kai_load_set(world, load, &params);
    printf("%s\n", kai_world_error(world)->message);
    kai_world_destroy(world);
    return 0;
}
