// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A chain of 50 links of 1 kg holds 10,000 kg and swings, beside a box that rests on a floor. What
// the chain holds makes it stiff: explicit steps of 1 ms tear it (test_judge.c tells of it), steps
// of euler-implicit hold it, with contact by complementarity in the same step.
#include "contact/stage.h"

#include <kairos/integrator.h>
#include <kairos/joint.h>

enum { LINKS = 50 };
static const double LINK = 0.1, WEIGHT = 1e4, ACROSS = 1e-5 + 0.1 * 0.1 / 12.0;

typedef struct chain {
    kai_world* world;
    kai_body weight, box;
} chain;

static kai_body add_link(kai_world* world, kai_body before, double mass, double moment,
                         kai_vec3 middle, kai_vec3 at)
{
    kai_body_def def = kai_body_def_default();
    def.mass = mass;
    def.inertia = (kai_inertia){.xx = moment, .yy = moment, .zz = moment};
    def.position = middle;
    const kai_body body = stage_body(world, &def);
    kai_joint_base pin;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_spherical.kind, &pin);
    pin.bodies[0] = before;
    pin.bodies[1] = body;
    pin.at = at;
    check_ok(kai_joint_create(world, &kai_joint_spherical, &pin, NULL, &joint));
    return body;
}

static chain make_chain(double angle)
{
    chain c = {.world = stage_world(KAI_CONTACT_NSC, 1)};
    check_ok(kai_integrator_set(c.world, &kai_integrator_euler_implicit, NULL));
    const kai_vec3 along = {sin(angle), 0.0, -cos(angle)};
    kai_body_def fixed = kai_body_def_default();
    kai_material_def rough = kai_material_def_default();
    rough.friction = 0.5;
    const kai_material material = stage_material(c.world, &rough);
    fixed.fixed = true;
    kai_body before = stage_body(c.world, &fixed);
    for (int i = 0; i < LINKS; i++)
        before = add_link(c.world, before, 1.0, ACROSS, kai_vec3_scale(along, (i + 0.5) * LINK),
                          kai_vec3_scale(along, i * LINK));
    c.weight = add_link(c.world, before, WEIGHT, 160.0, kai_vec3_scale(along, LINKS * LINK),
                        kai_vec3_scale(along, LINKS * LINK));
    stage_plane(c.world, kai_vec3_make(0.0, 0.0, -5.25), kai_vec3_axis(2), material);
    c.box = stage_box(c.world, kai_vec3_make(0.2, 0.2, 0.2), 8.0, kai_vec3_make(3.0, 0.0, -5.15),
                      kai_quat_identity(), material);
    return c;
}

/// A stiff pendulum with the chain's mass: when it hangs straight down, from rest at `angle`.
static double exact_quarter(double angle)
{
    double inertia = WEIGHT * 25.0, moment = WEIGHT * 5.0, speed = 0.0, time = 0.0;
    for (int i = 0; i < LINKS; i++) {
        const double r = (i + 0.5) * LINK;
        inertia += ACROSS + r * r, moment += r;
    }
    const double h = 1e-5, rate2 = STAGE_G * moment / inertia;
    for (; angle > 0.0; time += h) { // order 2
        const double middle = angle + 0.5 * h * speed;
        angle += h * (speed - 0.5 * h * rate2 * sin(angle));
        speed -= h * rate2 * sin(middle);
    }
    return time + angle / -speed;
}

static void test_holds(void** state)
{
    (void)state;
    const double steps[] = {1e-3, 5e-3}, angle = KAI_PI / 6.0, exact = exact_quarter(angle);
    for (size_t k = 0; k < KAI_COUNT(steps); k++) {
        chain c = make_chain(angle);
        double before = 1.0, passed = 0.0, far = 0.0;
        for (double t = 0.0; t < 3.0 - 1e-9; t += steps[k]) {
            stage_steps(c.world, 1, steps[k]);
            const kai_vec3 at = kai_body_position(c.world, c.weight);
            if (before > 0.0 && at.x <= 0.0) passed = t + steps[k] * before / (before - at.x);
            before = at.x;
            far = fmax(far, fabs(kai_vec3_norm(at) - LINKS * LINK));
        }
        check_relative(passed, exact, 2e-3, "the quarter of a stiff pendulum's period");
        check_near(far, 0.0, 1e-3, "the chain stays straight");
        const kai_vec3 box = kai_body_position(c.world, c.box);
        check_vec3(box, kai_vec3_make(3.0, 0.0, -5.15), 1e-6, "the box rests");
        kai_world_destroy(c.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
