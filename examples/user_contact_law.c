// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A contact law of your own
// =========================
// A ball falls onto a mat that stiffens as it is pressed: F = k d², which no built-in law has. The
// program brings the law as a kind: an instance, the description of its parameter, a function of a
// pair. Two macros make the loops over it that Kairos calls, for touches of any shapes and for the
// fast path of spheres: the law is as fast as the built-in ones. Friction, rolling resistance and
// adhesion would be added around it as the materials ask.
//
// Registered, the law has a word in scenes, {"law": {"type": "mat", "stiffness": 1e5}}, also for
// single pairs of materials, and files keep it.
//
// From a height H the ball sinks in until k d³ / 3 = m g (H + d), and bounces back to H.
#include <kairos/kairos.h>
#include <stdio.h>

// 1 One instance.
typedef struct mat {
    double stiffness;
} mat;

// 2 What its parameters are.
static const kai_param PARAMS[] = {KAI_PARAM(REAL, mat, stiffness, .unit = "N/m²", .initial = {2e5},
                                             .range = KAI_ABOVE(0.0),
                                             .doc = "Force over overlap squared.")};

// 3 What it does: the push of a pair, and the loops over it. They run on all threads at once.
KAI_CONTACT_INLINE kai_contact_normal push(const mat* m, kai_contact_factors factors,
                                           kai_contact_pressed s)
{
    (void)factors; // nothing of it depends on the materials
    const double force = m->stiffness * s.overlap * s.overlap;
    const kai_contact_normal out = {.force = force, .energy = force * s.overlap / 3.0};
    return out;
}
KAI_CONTACT_LAW_NORMAL(push_touches, mat, NULL, push)
KAI_CONTACT_LAW_LANES(push_lanes, mat, push)

static const kai_contact_law_kind MAT = {.kind = KAI_KIND("mat", mat, PARAMS,
                                                          KAI_SIZES(kai_contact_law_kind),
                                                          .doc = "Stiffens as it is pressed."),
                                         .normal = push_touches,
                                         .lanes = push_lanes};

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

/// The root of k d³ / 3 = m g (H + d).
static double deepest(double k, double m, double height)
{
    double d = 0.1;
    for (int i = 0; i < 60; i++)
        d -= (k * d * d * d / 3.0 - m * 9.81 * (height + d)) / (k * d * d - m * 9.81);
    return d;
}

int main(void)
{
    kai_world_def world_def = kai_world_def_default();
    kai_world* world;
    if (kai_world_create(&world_def, &world, NULL)) return 1;

    // A mat that does not move, and a ball of 2 kg half a metre above it.
    kai_body_def body_def = kai_body_def_default();
    kai_shape_def shape_def = kai_shape_def_default();
    kai_body ground, ball;
    kai_shape shape;
    body_def.fixed = true;
    const kai_shape_plane_params plane = {.normal = {0.0, 0.0, 1.0}};
    if (kai_body_create(world, &body_def, &ground)) return fail(world);
    if (kai_shape_create(world, ground, &kai_shape_plane, &plane, &shape_def, &shape))
        return fail(world);
    body_def.fixed = false;
    body_def.mass = 2.0;
    body_def.inertia = (kai_inertia){0.008, 0.008, 0.008, 0.0, 0.0, 0.0};
    body_def.position.z = 0.6;
    const kai_shape_sphere_params sphere = {.radius = 0.1};
    if (kai_body_create(world, &body_def, &ball)) return fail(world);
    if (kai_shape_create(world, ball, &kai_shape_sphere, &sphere, &shape_def, &shape))
        return fail(world);

    // 4 Contact by penalty, with this law wherever materials name no other.
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_SMC;
    mat params;
    kai_kind_defaults(&MAT.kind, &params);
    if (kai_contact_law_register(world, &MAT)) return fail(world);
    if (kai_contact_law_create(world, &MAT, &params, &contact.law)) return fail(world);
    if (kai_contact_set(world, &contact)) return fail(world);

    double low = 0.6, high = 0.0;
    while (kai_world_time(world) < 0.72) {
        if (kai_world_step(world, 1e-5)) return fail(world);
        const double z = kai_body_position(world, ball).z;
        low = z < low ? z : low;
        high = kai_world_time(world) > 0.4 && z > high ? z : high;
    }
    printf("deepest overlap  %.5f m, closed form %.5f m\n", 0.1 - low,
           deepest(params.stiffness, 2.0, 0.5));
    printf("bounces back to  %.4f m of %.4f m\n", high, 0.6);

    // The description also speaks when a value is wrong.
    params.stiffness = 0.0;
    kai_contact_law_create(world, &MAT, &params, &contact.law);
    printf("%s\n", kai_world_error(world)->message);
    kai_world_destroy(world);
    return 0;
}
