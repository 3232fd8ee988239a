// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A controller of your own, and two observers
// ===========================================
// A cart of 2 kg slides on a rail and is to stand at x = 1. Its controller is a *signal* of a kind of
// the program's own: u = k (target - x) - c v, with k and c as parameters. It reads two other signals,
// which measure the joint. A motor takes u as its force, so the loop is part of the equations of
// motion and is integrated with them: with k = 50 and c = 20 (twice the root -5),
//
//     x = 1 - (1 + 5 t) exp(-5 t)
//
// Two *observers* look at the same run without being part of it: one prints a table, one keeps the
// largest force. An *event* tells when the cart has come half of the way.
#include <kairos/kairos.h>
#include <stdio.h>

// 1 A kind of signal: an instance whose SIGNAL parameters are its inputs, and a function that finds the
// value. Derivatives that it does not know are NaN.
typedef struct controller {
    kai_string position, speed; // names of signals
    double stiffness, damping, target;
} controller;

static kai_jet controller_value(const kai_signal_moment* m, const void* instance)
{
    const controller* p = instance;
    const double x = m->inputs[0].y, v = m->inputs[1].y;
    return (kai_jet){p->stiffness * (p->target - x) - p->damping * v, (double)NAN, (double)NAN};
}

// clang-format off
static const kai_param CONTROLLER_PARAMS[] = {
    KAI_PARAM(SIGNAL, controller, position, .required = true, .doc = "Where the cart is."),
    KAI_PARAM(SIGNAL, controller, speed, .required = true, .doc = "How fast it is."),
    KAI_PARAM(REAL, controller, stiffness, .unit = "N/m", .doc = "Force per distance from the target."),
    KAI_PARAM(REAL, controller, damping, .unit = "N s/m", .doc = "Force per speed."),
    KAI_PARAM(REAL, controller, target, .unit = "m", .doc = "Where it is to be.")};

static const kai_signal_kind CONTROLLER = {
    .kind = KAI_KIND("cart-controller", controller, CONTROLLER_PARAMS, KAI_SIZES(kai_signal_kind),
                     .doc = "Brings a cart to a place."),
    .value = controller_value};
// clang-format on

// 2 Two observers: hooks that are called after every step.
static void print_row(void* context, kai_world* world, double h)
{
    (void)h;
    kai_jet x;
    const double t = kai_world_time(world);
    if (kai_world_steps(world) % 250 != 0) return;
    kai_signal_value(world, kai_signal_find(world, context), &x);
    printf("%4.2f  %.6f  %.6f\n", t, x.y, 1.0 - (1.0 + 5.0 * t) * exp(-5.0 * t));
}

static void keep_largest(void* context, kai_world* world, double h)
{
    (void)h;
    kai_jet u;
    double* largest = context;
    kai_signal_value(world, kai_signal_find(world, "u"), &u);
    *largest = fmax(*largest, fabs(u.y));
}

static void tell(void* context, kai_log_level level, const char* message)
{
    (void)context;
    if (level == KAI_LOG_INFO && message[0] == 'e') printf("%s\n", message); // events
}

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

// 3 A cart on a rail; what is measured of the joint; the controller; a motor that follows it.
static kai_result build(kai_world* world)
{
    kai_body_def body = kai_body_def_default();
    kai_body ground, cart;
    body.fixed = true;
    KAI_TRY(kai_body_create(world, &body, &ground));
    body = kai_body_def_default();
    body.mass = 2.0;
    body.inertia = (kai_inertia){.xx = 1.0, .yy = 1.0, .zz = 1.0};
    KAI_TRY(kai_body_create(world, &body, &cart));
    kai_joint_base rail;
    kai_joint slide;
    kai_kind_defaults(&kai_joint_prismatic.kind, &rail);
    rail.bodies[0] = ground;
    rail.bodies[1] = cart;
    rail.at = kai_vec3_zero();
    rail.axis = kai_vec3_make(1.0, 0.0, 0.0);
    KAI_TRY(kai_joint_create(world, &kai_joint_prismatic, &rail, "slide", &slide));

    kai_signal signal;
    kai_block_measure_params measure;
    kai_kind_defaults(&kai_block_measure.kind, &measure);
    measure.target = KAI_OUTPUT_JOINT;
    measure.joint = slide;
    measure.quantity = (kai_string){"travel"};
    KAI_TRY(kai_signal_create(world, &kai_block_measure, &measure, "x", &signal));
    measure.quantity = (kai_string){"travel_rate"};
    KAI_TRY(kai_signal_create(world, &kai_block_measure, &measure, "v", &signal));
    const controller control = {{"x"}, {"v"}, 50.0, 20.0, 1.0};
    KAI_TRY(kai_signal_register(world, &CONTROLLER));
    KAI_TRY(kai_signal_create(world, &CONTROLLER, &control, "u", &signal));

    kai_joint_motor_params motor;
    kai_load push;
    const kai_function_signal_params read = {{"u"}};
    kai_kind_defaults(&kai_load_motor_linear_force.kind, &motor);
    motor.joint = slide;
    KAI_TRY(kai_function_create(world, &kai_function_signal, &read, &motor.value.function));
    return kai_load_create(world, &kai_load_motor_linear_force, &motor, "push", &push);
}

int main(void)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    def.log = tell;
    if (kai_world_create(&def, &world, NULL)) return 1;
    if (build(world) || kai_integrator_set(world, &kai_integrator_rk4, NULL)) return fail(world);

    kai_event_def half = kai_event_def_default();
    const kai_event_action say = {.type = KAI_EVENT_MESSAGE, .text = {"half of the way"}};
    kai_event event;
    half.signal = (kai_string){"x"};
    half.crosses = 0.5;
    half.actions = (kai_list){&say, 1};
    if (kai_event_create(world, &half, "half", &event)) return fail(world);

    double largest = 0.0;
    char name[] = "x";
    const kai_hooks table = {.context = name, .after_step = print_row};
    const kai_hooks keeper = {.context = &largest, .after_step = keep_largest};
    if (kai_hook_add(world, &table) || kai_hook_add(world, &keeper)) return fail(world);

    printf("time  x         exact\n");
    if (kai_world_step_until(world, 2.0, 1e-3)) return fail(world);
    printf("largest force after a step: %.3f N\n", largest);
    kai_world_destroy(world);
    return 0;
}
