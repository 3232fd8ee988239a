// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An integrator of your own
// =========================
// A bar swings about a pin, released at 120° from its lowest position. The program brings its own
// method: Ralston's, the Runge-Kutta method of order 2 with the least error,
//
//     y₁ = y₀ + h (k(y₀)/4 + 3 k(y₀ + 2/3 h k(y₀))/4).
//
// Its step asks for accelerations, joints included, and needs no more than the functions of
// kairos/integrator.h. What it says that it can do decides which worlds it may advance.
//
// After a quarter of a period, T/4 = K(sin 60°) sqrt(I / m g d), the bar is at its lowest point; the
// angle there is the error, and falls by four when steps are halved. K comes from the
// arithmetic-geometric mean.
#include <kairos/kairos.h>
#include <stdio.h>
#include <stdlib.h>

// 1 What a step needs: the state at its start, and two sets of rates.
typedef struct vectors {
    double *position, *velocity, *state;           // at the start
    double *first_a, *first_z, *other_a, *other_z; // rates of velocities and states
    double* next;                                  // velocities, or states, that are put together
} vectors;

// out = y + s (a·x + b·z)
static void combine(double* out, const double* y, double s, double a, const double* x, double b,
                    const double* z, size_t count)
{
    for (size_t i = 0; i < count; i++) out[i] = y[i] + s * (a * x[i] + b * z[i]);
}

// 2 The stages. On failure the world puts the old state back by itself.
static kai_result stages(kai_system* system, const vectors* k, double h, kai_error* err)
{
    const kai_system_size n = kai_system_sizes(system);
    const double start = kai_system_time(system), part = 2.0 / 3.0 * h;
    kai_result r = kai_system_read(system, k->position, k->velocity, k->state);
    if (!r) r = kai_system_find_rates(system, start, k->first_a, k->first_z, err);
    if (!r) r = kai_system_spend(system, 0.25 * h, err);
    if (r) return r;

    // On to two thirds of the step.
    kai_system_move(system, k->velocity, part);
    combine(k->next, k->velocity, part, 1.0, k->first_a, 0.0, k->first_a, n.velocities);
    kai_system_write(system, NULL, k->next, NULL);
    combine(k->other_z, k->state, part, 1.0, k->first_z, 0.0, k->first_z, n.states);
    kai_system_write(system, NULL, NULL, k->other_z);
    r = kai_system_find_rates(system, start + part, k->other_a, k->other_z, err);
    if (!r) r = kai_system_spend(system, 0.75 * h, err);
    if (r) return r;

    // The whole step with the mean rates; those of positions are the velocities of both stages.
    kai_system_write(system, k->position, NULL, NULL);
    combine(k->next, k->velocity, 0.5 * h, 1.0, k->first_a, 0.0, k->first_a, n.velocities);
    kai_system_move(system, k->next, h);
    combine(k->next, k->velocity, h, 0.25, k->first_a, 0.75, k->other_a, n.velocities);
    kai_system_write(system, NULL, k->next, NULL);
    combine(k->next, k->state, h, 0.25, k->first_z, 0.75, k->other_z, n.states);
    kai_system_write(system, NULL, NULL, k->next);
    return kai_system_project(system, start + h, err); // joints hold to rounding
}

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    (void)instance;
    const kai_system_size n = kai_system_sizes(system);
    const size_t more = n.velocities > n.states ? n.velocities : n.states;
    double* room =
        malloc((n.positions + 3 * n.velocities + 3 * n.states + more + 1) * sizeof *room);
    if (!room) return KAI_ERROR_MEMORY;
    vectors k = {.position = room};
    k.velocity = k.position + n.positions;
    k.first_a = k.velocity + n.velocities;
    k.other_a = k.first_a + n.velocities;
    k.state = k.other_a + n.velocities;
    k.first_z = k.state + n.states;
    k.other_z = k.first_z + n.states;
    k.next = k.other_z + n.states;
    const kai_result r = stages(system, &k, h, err);
    free(room);
    return r;
}

// 3 The table.
static const kai_integrator_kind RALSTON = {.kind = {KAI_SIZES(kai_integrator_kind),
                                                     .name = "ralston",
                                                     .doc = "Ralston's method: order 2."},
                                            .order = 2,
                                            .capabilities = KAI_INTEGRATOR_JOINTS,
                                            .step = step};

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

// A bar on a pin, at 120°.
static int swing(const kai_integrator_kind* kind, int steps, double* angle, kai_world** world)
{
    static const double MASS = 2.0, ARM = 0.5, INERTIA = 0.3, G = 9.81; // inertia about the middle
    kai_world_def def = kai_world_def_default();
    if (kai_world_create(&def, world, NULL)) return 1;
    kai_body_def ground_def = kai_body_def_default(), bar_def = kai_body_def_default();
    kai_body ground, bar;
    ground_def.fixed = true;
    bar_def.mass = MASS;
    bar_def.inertia = (kai_inertia){INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0};
    bar_def.position = kai_vec3_make(ARM * sin(2.0 * KAI_PI / 3.0), 0.0, 0.5 * ARM);
    if (kai_body_create(*world, &ground_def, &ground)) return fail(*world);
    if (kai_body_create(*world, &bar_def, &bar)) return fail(*world);
    kai_joint_base pin; // its axis is z of its frame: y of the world
    kai_joint joint;
    kai_kind_defaults(&kai_joint_revolute.kind, &pin);
    pin.bodies[0] = ground;
    pin.bodies[1] = bar;
    pin.at = kai_vec3_zero();
    pin.axis = kai_vec3_make(0.0, 1.0, 0.0);
    if (kai_joint_create(*world, &kai_joint_revolute, &pin, "pin", &joint)) return fail(*world);
    if (kai_integrator_set(*world, kind, NULL)) return fail(*world);

    double a = 1.0, b = cos(KAI_PI / 3.0); // K(k) = π / 2 agm(1, sqrt(1 - k²))
    for (int i = 0; i < 6; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    const double about_pin = INERTIA + MASS * ARM * ARM;
    const double quarter = 0.5 * KAI_PI / a * sqrt(about_pin / (MASS * G * ARM));
    for (int i = 0; i < steps; i++)
        if (kai_world_step(*world, quarter / steps)) return fail(*world);
    const kai_vec3 p = kai_body_position(*world, bar);
    *angle = atan2(p.x, -p.z);
    return 0;
}

int main(void)
{
    kai_world* world = NULL;
    double before = 0.0, angle;
    printf("steps  angle at T/4  order\n");
    for (int steps = 50; steps <= 400; steps *= 2) {
        if (world) kai_world_destroy(world);
        if (swing(&RALSTON, steps, &angle, &world)) return 1;
        printf("%5d  %11.2e", steps, angle);
        if (steps > 50) printf("  %5.2f", log2(fabs(before / angle)));
        printf("\n");
        before = angle;
    }

    // What it cannot do is refused by name.
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_SMC;
    if (kai_contact_set(world, &contact)) return fail(world);
    kai_world_step(world, 1e-3);
    printf("%s\n", kai_world_error(world)->message);
    kai_world_destroy(world);
    return 0;
}
