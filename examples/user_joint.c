// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A joint of your own
// ===================
// A bead slides without friction inside a bowl z = k (x² + y²). The engine has no such joint, so
// the program brings its own kind: an instance that begins with kai_joint_base, the description of
// its parameters, a function that writes rows, and one call to register it.
//
// Seen from a, let p = (x, y, z) be the joint point of b. One row holds it on the bowl:
//
//     g = z - k (x² + y²),   n = ∇g = (-2 k x, -2 k y, 1)
//
// A row also says how g changes with the velocities: the force n on b, -n on a, and the torques
// that these have about the mass centres, in the bodies' principal axes.
//
// Any circle is one turn in the time 2π / sqrt(2 g k), high up or low down: with k = 1 / m it is
// 1.4185 s.
#include <kairos/kairos.h>
#include <stdio.h>

// 1 One instance.
typedef struct bowl {
    kai_joint_base base;
    double k;
} bowl;

// 2 What its parameters are: those of every joint, and its own.
static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(REAL, bowl, k, .unit = "1/m", .initial = {1.0}, .range = KAI_AT_LEAST(0.0),
              .doc = "The bowl is z = k (x² + y²) in the joint frame on a."),
};

// 3 Its row, for instances [begin, end) of a batch. Runs on all threads at once.
static void evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const bowl* joint = (const bowl*)b->instances + i;
        const kai_pose *a = &b->pose[b->slot[2 * i]], *c = &b->pose[b->slot[2 * i + 1]];
        const kai_frame frame =
            kai_frame_compose(kai_frame_make(a->position, a->rotation), joint->base.inner[0]);
        const kai_vec3 arm = kai_quat_rotate(c->rotation, joint->base.inner[1].position);
        const kai_vec3 point = kai_vec3_add(c->position, arm);
        const kai_vec3 p = kai_frame_point_from_parent(frame, point);
        const kai_vec3 n = kai_frame_vector_to_parent(
            frame, kai_vec3_make(-2.0 * joint->k * p.x, -2.0 * joint->k * p.y, 1.0));
        const kai_vec3 arm_a = kai_vec3_sub(point, a->position);
        b->rows[i] = (kai_joint_row){
            .g = p.z - joint->k * (p.x * p.x + p.y * p.y),
            .a = {kai_vec3_neg(n), kai_quat_unrotate(a->rotation, kai_vec3_cross(n, arm_a))},
            .b = {n, kai_quat_unrotate(c->rotation, kai_vec3_cross(arm, n))}};
    }
}

static const kai_joint_kind BOWL = {.kind =
                                        KAI_KIND("bowl", bowl, PARAMS, KAI_SIZES(kai_joint_kind),
                                                 .doc = "A point of b stays on a paraboloid of a."),
                                    .rows = 1,
                                    .evaluate = evaluate};

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

    // A bead that circles at r = 0.5 m.
    const double r = 0.5, rate = sqrt(2.0 * 9.81), turn = 2.0 * KAI_PI / rate;
    kai_body_def ground_def = kai_body_def_default(), bead_def = kai_body_def_default();
    kai_body ground, bead;
    ground_def.fixed = true;
    bead_def.mass = 0.1;
    bead_def.inertia = (kai_inertia){1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0};
    bead_def.position = kai_vec3_make(r, 0.0, r * r);
    bead_def.velocity = kai_vec3_make(0.0, r * rate, 0.0);
    if (kai_body_create(world, &ground_def, &ground)) return fail(world);
    if (kai_body_create(world, &bead_def, &bead)) return fail(world);

    // 4 Register the kind, and make one of it: frames are given on each body, as they differ.
    bowl params;
    kai_joint joint;
    kai_kind_defaults(&BOWL.kind, &params);
    params.base.bodies[0] = ground;
    params.base.bodies[1] = bead;
    params.base.frame_a = params.base.frame_b = kai_frame_identity();
    if (kai_joint_register(world, &BOWL)) return fail(world);
    if (kai_joint_create(world, &BOWL, &params, "bowl", &joint)) return fail(world);
    if (kai_integrator_set(world, &kai_integrator_hht, NULL)) return fail(world);

    printf("turns   x        y        z        force\n");
    for (int i = 0; i <= 4; i++) {
        const double turns = 0.1 + 0.25 * i;
        kai_vec3 force, torque;
        if (kai_world_step_until(world, turns * turn, turn / 4000.0)) return fail(world);
        if (kai_world_evaluate(world)) return fail(world);
        kai_joint_reaction(world, joint, &force, &torque);
        const kai_vec3 p = kai_body_position(world, bead);
        printf("%4.2f  %7.4f  %7.4f  %7.4f  %7.4f N\n", turns, p.x, p.y, p.z, kai_vec3_norm(force));
    }
    printf("exact force m g sqrt(1 + 4 k² r²): %.4f N\n", 0.1 * 9.81 * sqrt(2.0));
    kai_world_destroy(world);
    return 0;
}
