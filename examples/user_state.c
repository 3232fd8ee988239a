// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// States and a controller of your own
// ===================================
// A winch lifts a load through a shaft. A controller of the program's own keeps its speed: the
// torque of its motor is T = k_p e + k_i ∫ e dt with the error e = wanted - speed. The integral is
// a *state*: a number with a rate, which the engine integrates together with the mechanics, keeps
// in checkpoints and puts back when a step fails.
//
//     integral' = wanted - ω                    a kind of state
//     T = k_p (wanted - ω) + k_i integral       a kind of load that reads it
//
// With the moment of inertia J and the torque G of the load this is J ω'' + k_p ω' + k_i ω =
// k_i · wanted. With J = 2, k_p = 8, k_i = 8 (twice the root -2): ω = w (1 + (c t - 1) e^{-2t})
// with c = (k_p w - G) / (J w) - 2. The speed settles at `wanted` however heavy the load is.
#include <kairos/kairos.h>
#include <stdio.h>

static const double J = 2.0, KP = 8.0, KI = 8.0, WANTED = 3.0, LOAD = 10.0;

// 1 A kind of state: an instance whose values are parameters, and a function for their rates. It
// runs on all threads at once: it reads the world and writes `rates`, nothing else.
typedef struct integral {
    double value;
    kai_shaft shaft;
} integral;

static void integral_rates(const kai_state_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const integral* p = (const integral*)b->instances + i;
        kai_shaft_def shaft = {0};
        kai_shaft_get(b->world, p->shaft, &shaft);
        b->rates[i] = WANTED - shaft.speed;
    }
}

// clang-format off
static const kai_param INTEGRAL_PARAMS[] = {
    KAI_PARAM(REAL, integral, value, .unit = "rad", .doc = "Where it starts, and is."),
    KAI_PARAM(SHAFT, integral, shaft, .required = true, .doc = "Shaft whose speed is kept.")};

static const kai_state_kind INTEGRAL = {
    .kind = KAI_KIND("integral", integral, INTEGRAL_PARAMS, KAI_SIZES(kai_state_kind),
                     .doc = "Integral of an error of speed."),
    .values = offsetof(integral, value), .count = 1, .rates = integral_rates};
// clang-format on

// 2 A kind of load: the controller, which finds the state by its name.
typedef struct controller {
    kai_shaft shaft;
} controller;

static void controller_apply(const kai_load_batch* b)
{
    const double* sum = kai_state_values(b->world, kai_state_find(b->world, "integral"));
    for (size_t i = b->begin; sum && i < b->end; i++)
        b->out[i].force.x = KP * (WANTED - kai_load_shaft(b, i)->speed) + KI * *sum;
}

// clang-format off
static const kai_param CONTROLLER_PARAMS[] = {
    KAI_PARAM(SHAFT, controller, shaft, .required = true, .doc = "Shaft that it turns.")};

static const kai_load_kind CONTROLLER = {
    .kind = KAI_KIND("controller", controller, CONTROLLER_PARAMS, KAI_SIZES(kai_load_kind), .doc = "A controlled motor."),
    .apply = controller_apply, .needs_velocity = true};
// clang-format on

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

int main(void)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    if (kai_world_create(&def, &world, NULL)) return 1;
    kai_shaft_def drum_def = kai_shaft_def_default();
    kai_shaft drum;
    drum_def.inertia = J;
    if (kai_shaft_create(world, &drum_def, "drum", &drum)) return fail(world);

    // 3 Register the kinds, and make one of each; the weight is a load that ships.
    const integral start = {.shaft = drum};
    const controller motor = {.shaft = drum};
    kai_load_shaft_torque_params weight;
    kai_state state;
    kai_load load;
    kai_kind_defaults(&kai_load_shaft_torque.kind, &weight);
    weight.base.shaft = drum;
    weight.value = kai_value_constant(-LOAD);
    if (kai_state_register(world, &INTEGRAL) || kai_load_register(world, &CONTROLLER) ||
        kai_state_create(world, &INTEGRAL, &start, "integral", &state) ||
        kai_load_create(world, &CONTROLLER, &motor, "motor", &load) ||
        kai_load_create(world, &kai_load_shaft_torque, &weight, "weight", &load) ||
        kai_integrator_set(world, &kai_integrator_rk4, NULL))
        return fail(world);

    const double c = (KP * WANTED - LOAD) / (J * WANTED) - 2.0;
    printf("time   speed    exact    integral\n");
    for (int i = 0; i <= 8; i++) {
        const double t = 0.5 * i;
        kai_shaft_def now;
        if (kai_world_step_until(world, t, 1e-3) || kai_shaft_get(world, drum, &now))
            return fail(world);
        printf("%4.1f  %7.4f  %7.4f  %7.4f\n", t, now.speed,
               WANTED * (1.0 + (c * t - 1.0) * exp(-2.0 * t)), *kai_state_values(world, state));
    }
    printf("the integral carries the load: %.4f / %.0f = %.4f\n", LOAD, KI, LOAD / KI);
    kai_world_destroy(world);
    return 0;
}
