// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Laws of impact: thin rods that strike a floor with one end, against the rigid-body formulas (Kane
// and Levinson 1985, Dynamics, on energy; Routh 1860 and Stronge 1990 on Poisson's hypothesis);
// double pendulums; rows of balls that touch.
#include "contact/stage.h"

#include <kairos/joint.h>

static const double H = 1e-4, LENGTH = 1.0, RADIUS = 0.01, MASS = 1.0;

static kai_world* space(kai_contact_impact impact, double friction, double e, kai_material* out)
{
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    kai_contact_def contact = kai_contact_get(world);
    contact.impact = impact;
    contact.restitution_speed = 1e-3;
    check_ok(kai_contact_set(world, &contact));
    check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
    kai_material_def surface = stage_rough(friction);
    surface.restitution = e;
    *out = stage_material(world, &surface);
    return world;
}

/// A rod, a capsule, leaning by `angle` from the vertical in the plane x z; its end nearly touches the
/// floor z = 0.
static kai_body rod(kai_world* world, double angle, kai_material material)
{
    kai_body_def def = kai_body_def_default();
    const kai_shape_round_params capsule = {.radius = RADIUS, .length = LENGTH};
    const double i = MASS * LENGTH * LENGTH / 12.0;
    def.mass = MASS;
    def.inertia = (kai_inertia){.xx = i, .yy = i, .zz = 1e-4};
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), angle);
    def.position = kai_vec3_make(0, 0, 0.5 * LENGTH * cos(angle) + RADIUS + 1e-7);
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_capsule, &capsule, kai_vec3_zero(), material);
    return body;
}

typedef struct plane_state {
    double vx, vz, w; // w about y
} plane_state;

/// The impulse along the normal, and by Coulomb's law along x, where `p` is that along the normal.
static double rub(double p, double ux, double gxx, double gxz, double mu)
{
    const double stick = -(ux + gxz * p) / gxx;
    return fmin(fmax(stick, -mu * p), mu * p);
}

/// A rod after the impact of its lower end, arm r, in the plane: the inelastic impulse from its cases
/// (sticks; slips to the left; to the right), then (1 + e) of it.
static plane_state after(plane_state s, double rx, double rz, double mu, double e)
{
    const double i = MASS * LENGTH * LENGTH / 12.0;
    const double gxx = 1 / MASS + rz * rz / i, gzz = 1 / MASS + rx * rx / i, gxz = -rx * rz / i;
    const double ux = s.vx + s.w * rz, uz = s.vz - s.w * rx;
    if (uz >= 0.0) return s;
    double p = (gxz * ux - gxx * uz) / (gxx * gzz - gxz * gxz);
    const double along = -(ux + gxz * p) / gxx;
    if (p < 0.0 || fabs(along) > mu * p) {
        p = -1.0;
        for (int sign = -1; sign <= 1; sign += 2) { // friction is sign μ p, slip against it
            const double q = -uz / (gzz + sign * mu * gxz);
            if (q > 0.0 && -sign * (ux + (gxz + sign * mu * gxx) * q) >= 0.0) p = q;
        }
    }
    assert_true(p > 0.0);
    p *= 1.0 + e;
    const double t = rub(p, ux, gxx, gxz, mu);
    return (plane_state){s.vx + t / MASS, s.vz + p / MASS, s.w + (rz * t - rx * p) / i};
}

static const double FRICTIONS[] = {0.0, 0.2, 0.6, 1.2};
static const double RESTITUTIONS[] = {0.3, 0.9, 1.0};

// In the plane: velocities of the formulas, for rods that slip on, stick, or turn their slip; energy
// never grows; without friction and where nothing slips before, the end leaves with e times its speed.
static void test_rods(void** state)
{
    for (size_t k = 0; k < 12; k++) {
        const double mu = FRICTIONS[k % 4], e = RESTITUTIONS[k / 4];
        for (int j = 0; j < 40; j++) {
            kai_material material;
            kai_world* world = space(KAI_CONTACT_POISSON, mu, e, &material);
            stage_floor(world, material);
            const double angle = 0.1 + 0.03 * j, vx = j % 10 == 0 ? 0.0 : -3.0 + 0.7 * (j % 9);
            const kai_body body = rod(world, angle, material);
            stage_push(world, body, kai_vec3_make(vx, 0, -1.0), kai_vec3_zero());
            const double energy = stage_energy(world);
            const double rx = -0.5 * LENGTH * sin(angle), rz = -0.5 * LENGTH * cos(angle) - RADIUS;
            const plane_state wanted = after((plane_state){vx, -1.0, 0.0}, rx, rz, mu, e);
            stage_steps(world, 1, 1e-6);
            const kai_vec3 v = kai_body_velocity(world, body),
                           w = kai_body_angular_velocity(world, body);
            check_near(v.x, wanted.vx, 1e-5, "speed along the floor");
            check_near(v.z, wanted.vz, 1e-5, "speed from the floor");
            check_near(w.y, wanted.w, 1e-5, "spin");
            assert_true(stage_energy(world) <= energy * (1.0 + 1e-9));
            if (mu == 0.0) check_near(v.z - w.y * rx, e, 1e-5, "speed of the end");
            kai_world_destroy(world);
        }
    }
}

// In space, with any motion: energy never grows, and momentum is what the contact gave.
static void test_any_rods(void** state)
{
    double newton = 0.0, poisson = 0.0;
    for (int j = 0; j < 400; j++) {
        for (int law = KAI_CONTACT_POISSON; law <= KAI_CONTACT_NEWTON; law++) {
            kai_material material;
            kai_world* world = space((kai_contact_impact)law, 0.1 + 0.002 * j, 1.0, &material);
            stage_floor(world, material);
            const kai_body body = rod(world, 0.1 + 0.003 * j, material);
            const kai_vec3 v = kai_vec3_scale(helper_random_vec3((uint64_t)j), 2.0);
            stage_push(world, body, kai_vec3_make(v.x, v.y, -fabs(v.z) - 0.1),
                       helper_random_vec3((uint64_t)j + 1000));
            const double before = stage_energy(world);
            kai_vec3 first, last, turn;
            check_ok(kai_world_momentum(world, &first, &turn));
            stage_steps(world, 1, 1e-5);
            const double gain = stage_energy(world) / before - 1.0;
            check_ok(kai_world_momentum(world, &last, &turn));
            const kai_vec3 given = kai_vec3_scale(stage_force(world, body), 1e-5);
            check_vec3(kai_vec3_sub(last, first), given, 1e-12, "momentum");
            double* most = law == KAI_CONTACT_NEWTON ? &newton : &poisson;
            *most = fmax(*most, gain);
            kai_world_destroy(world);
        }
    }
    assert_true(newton > 0.03);
    assert_true(poisson < 1e-9);
}

static kai_body link_at(kai_world* world, kai_vec3 from, double angle, kai_material material)
{
    kai_body_def def = kai_body_def_default();
    const kai_shape_round_params capsule = {.radius = RADIUS, .length = LENGTH};
    const double i = MASS * LENGTH * LENGTH / 12.0;
    def.mass = MASS;
    def.inertia = (kai_inertia){.xx = i, .yy = i, .zz = 1e-4};
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), angle);
    def.position = kai_vec3_mul_add(from, kai_vec3_make(sin(angle), 0, cos(angle)), -0.5 * LENGTH);
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_capsule, &capsule, kai_vec3_zero(), material);
    return body;
}

static void pin(kai_world* world, kai_body a, kai_body b, kai_vec3 at)
{
    kai_joint_base base;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_revolute.kind, &base);
    base.bodies[0] = a;
    base.bodies[1] = b;
    base.at = at;
    base.axis = kai_vec3_axis(1);
    check_ok(kai_joint_create(world, &kai_joint_revolute, &base, "", &joint));
}

/// The gain of energy, of 1, of a double pendulum whose end strikes the floor.
static double strike_pendulum(kai_contact_impact law, int j)
{
    kai_material material;
    kai_world* world = space(law, 0.8, 0.9, &material);
    const kai_vec3 any = helper_random_vec3((uint64_t)j),
                   w = helper_random_vec3((uint64_t)j + 5000);
    const double first = 0.7 + 0.3 * any.x, second = -0.7 + 0.3 * any.y;
    const kai_vec3 knee = kai_vec3_make(-LENGTH * sin(first), 0, -LENGTH * cos(first));
    const double low = knee.z - LENGTH * cos(second) - RADIUS - 1e-7;
    kai_body_def fixed = kai_body_def_default();
    fixed.fixed = true;
    const kai_body ground = stage_body(world, &fixed),
                   a = link_at(world, kai_vec3_zero(), first, material),
                   b = link_at(world, knee, second, material);
    stage_plane(world, kai_vec3_make(0, 0, low), kai_vec3_axis(2), material);
    pin(world, ground, a, kai_vec3_zero());
    pin(world, a, b, knee);
    const double w1 = 3.0 * w.x, w2 = 3.0 * w.y;
    const kai_vec3 m1 = kai_vec3_scale(knee, 0.5),
                   m2 = kai_vec3_make(-0.5 * LENGTH * sin(second), 0, -0.5 * LENGTH * cos(second));
    const kai_vec3 s1 = kai_vec3_make(0, w1, 0), s2 = kai_vec3_make(0, w2, 0);
    stage_push(world, a, kai_vec3_cross(s1, m1), s1);
    stage_push(world, b, kai_vec3_add(kai_vec3_cross(s1, knee), kai_vec3_cross(s2, m2)), s2);
    const double before = stage_energy(world);
    stage_steps(world, 1, 1e-5);
    const double gain = stage_energy(world) / before - 1.0;
    kai_world_destroy(world);
    return gain;
}

// Kane's example of energy from nothing, a double pendulum: Newton's law makes some, the default none.
static void test_double_pendulum(void** state)
{
    double newton = 0.0, poisson = 0.0;
    for (int j = 0; j < 400; j++) {
        newton = fmax(newton, strike_pendulum(KAI_CONTACT_NEWTON, j));
        poisson = fmax(poisson, strike_pendulum(KAI_CONTACT_POISSON, j));
    }
    assert_true(newton > 0.01);
    assert_true(poisson < 1e-8);
}

enum { BALLS = 5 };

/// Balls that touch in a row, the first of them moving; speeds after the impact.
static void roll(kai_contact_impact law, int moving, double e, double heavier, double* speed)
{
    kai_material material;
    kai_world* world = space(law, 0.3, e, &material);
    kai_body balls[BALLS];
    for (int i = 0; i < BALLS; i++) {
        const double gap = i < moving ? 1e-5 : 0.0;
        balls[i] =
            stage_ball(world, 0.05, pow(heavier, i), kai_vec3_make(0.1 * i - gap, 0, 0), material);
        if (i < moving) stage_push(world, balls[i], kai_vec3_axis(0), kai_vec3_zero());
    }
    stage_steps(world, 100, H);
    for (int i = 0; i < BALLS; i++) speed[i] = kai_body_velocity(world, balls[i]).x;
    kai_world_destroy(world);
}

// One after the other: as many balls leave as come, e = 1. Balls each `k` times as heavy as the one
// before hand on 2 / (1 + k) of the speed, and (1 + e) / (1 + k) of it with restitution e.
static void test_sequence(void** state)
{
    double speed[BALLS];
    for (int n = 1; n < BALLS; n++) {
        roll(KAI_CONTACT_SEQUENTIAL, n, 1.0, 1.0, speed);
        for (int i = 0; i < BALLS; i++)
            check_near(speed[i], i < BALLS - n ? 0.0 : 1.0, 1e-12, "as many leave as come");
    }
    roll(KAI_CONTACT_SEQUENTIAL, 1, 1.0, 0.8, speed);
    check_near(speed[BALLS - 1], pow(2.0 / 1.8, BALLS - 1), 1e-12, "lighter and lighter");
    roll(KAI_CONTACT_SEQUENTIAL, 1, 0.7, 0.6, speed);
    check_near(speed[BALLS - 1], pow(1.7 / 1.6, BALLS - 1), 1e-12, "lighter and lighter, e 0.7");
    roll(KAI_CONTACT_POISSON, 1, 1.0, 1.0, speed);
    check_near(speed[0], -0.6, 1e-9, "all at once");
}

/// Newton's cradle of balls that touch, on strings: the energy that leaves in the last ball.
static void test_cradle(void** state)
{
    kai_material material;
    kai_world* world = space(KAI_CONTACT_SEQUENTIAL, 0.0, 1.0, &material);
    kai_body_def fixed = kai_body_def_default();
    kai_body balls[BALLS];
    fixed.fixed = true;
    check_ok(kai_world_set_gravity(world, kai_vec3_make(0, 0, -STAGE_G)));
    const kai_body frame = stage_body(world, &fixed);
    for (int i = 0; i < BALLS; i++) {
        const double angle = i == 0 ? 0.3 : 0.0;
        const kai_vec3 top = kai_vec3_make(0.1 * i, 0, 1),
                       at = kai_vec3_make(0.1 * i - sin(angle), 0, 1 - cos(angle));
        balls[i] = stage_ball(world, 0.05, 1.0, at, material);
        kai_joint_distance_params string;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_distance.kind, &string);
        string.base.bodies[0] = frame;
        string.base.bodies[1] = balls[i];
        string.points[0] = top;
        string.points[1] = at;
        check_ok(kai_joint_create(world, &kai_joint_distance, &string, "", &joint));
    }
    double highest[BALLS] = {0};
    const double energy = stage_energy(world);
    for (int k = 0; k < 1000; k++) { // the first swing of the last ball
        stage_steps(world, 1, 1e-3);
        for (int i = 0; k > 600 && i < BALLS; i++)
            highest[i] = fmax(highest[i], kai_body_position(world, balls[i]).z);
    }
    for (int i = 0; i < BALLS; i++)
        check_near(highest[i], i == BALLS - 1 ? 1 - cos(0.3) : 0.0, 2e-4, "height");
    check_near(stage_energy(world), energy, 1e-4, "energy");
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum), cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_cradle),          cmocka_unit_test(test_rods),
        cmocka_unit_test(test_any_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
