// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sensors without images, against closed forms.
#include "model/fixture.h"

#include <kairos/kairos.h>
#include <unistd.h>

static const double G = 9.81;

static kai_sensor add_sensor(fixture* f, const kai_sensor_kind* kind, const void* params,
                             const char* name)
{
    kai_sensor sensor = {0};
    if (kai_sensor_create(f->world, kind, params, name, &sensor) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    return sensor;
}

static void sample(fixture* f, kai_sensor sensor, double values[KAI_SENSOR_VALUES])
{
    if (kai_sensor_measure(f->world, sensor) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    check_ok(kai_sensor_values(f->world, sensor, values, KAI_SENSOR_VALUES, NULL));
}

static kai_vec3 vec3(const double* x) { return kai_vec3_make(x[0], x[1], x[2]); }

// A bar that swings about y from its end at the origin: mass 2, moment 0.3 about the mass centre,
// 0.7 m from the pivot; it hangs at angle `angle` from straight down.
enum { PENDULUM_MASS = 2 };
static const double LENGTH = 0.7, MOMENT = 0.3;

static kai_body start_pendulum(fixture* f, double angle, kai_joint* joint)
{
    fixture_start(f);
    check_ok(kai_world_set_gravity(f->world, kai_vec3_make(0.0, 0.0, -G)));
    check_ok(kai_integrator_set(f->world, &kai_integrator_rk4, NULL));
    kai_body_def def = kai_body_def_default();
    set_name(&def.name, "ground");
    def.fixed = true;
    const kai_body ground = add_body(f, &def);
    def = kai_body_def_default();
    set_name(&def.name, "bar");
    def.mass = PENDULUM_MASS;
    def.inertia = (kai_inertia){.xx = MOMENT, .yy = MOMENT, .zz = 0.01};
    def.position = kai_vec3_make(LENGTH * sin(angle), 0.0, -LENGTH * cos(angle));
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), -angle);
    const kai_body bar = add_body(f, &def);
    kai_joint_base params;
    kai_kind_defaults(&kai_joint_revolute.kind, &params);
    params.bodies[0] = ground;
    params.bodies[1] = bar;
    params.at = kai_vec3_zero();
    params.axis = kai_vec3_axis(1);
    check_ok(kai_joint_create(f->world, &kai_joint_revolute, &params, "hinge", joint));
    return bar;
}

// With θ from straight down, the arm e_r = (sin θ, 0, -cos θ) and e_t = (cos θ, 0, sin θ): a point at
// distance d from the pivot has a = d (θ'' e_t - θ'² e_r), so a - g = (-d θ'² - g cos θ) e_r +
// (d θ'' + g sin θ) e_t, with θ'' = -m g L sin θ / I and θ'² = 2 m g L (cos θ - cos θ₀) / I.
static void test_imu_of_pendulum(void** state)
{
    const double start = 1.1, d = 1.3;
    fixture f;
    kai_joint hinge;
    const kai_body bar = start_pendulum(&f, start, &hinge);
    const kai_quat turned = kai_quat_from_axis_angle(kai_vec3_make(1.0, 2.0, 3.0), 0.7);
    kai_sensor_imu_params p;
    kai_kind_defaults(&kai_sensor_imu.kind, &p);
    p.place = (kai_sensor_place){bar, kai_vec3_make(0.0, 0.0, LENGTH - d), turned};
    const kai_sensor imu = add_sensor(&f, &kai_sensor_imu, &p, "imu");
    const double about = MOMENT + PENDULUM_MASS * LENGTH * LENGTH;
    const double k = PENDULUM_MASS * G * LENGTH / about;
    double values[KAI_SENSOR_VALUES], fastest = 0.0;
    for (int i = 0; i < 40; i++) {
        sample(&f, imu, values);
        const kai_vec3 c = kai_body_com_position(f.world, bar);
        const double angle = atan2(c.x, -c.z);
        const double w2 = 2.0 * k * (cos(angle) - cos(start));
        const double rate = kai_body_angular_velocity(f.world, bar).y; // -θ'
        const double radial = -d * w2 - G * cos(angle);
        const double across = -d * k * sin(angle) + G * sin(angle);
        // In the bar's frame x is e_t and z is -e_r.
        const kai_vec3 force = kai_vec3_make(across, 0.0, -radial);
        check_vec3(vec3(values), kai_quat_unrotate(turned, force), 2e-9, "compound pendulum");
        check_near(rate * rate, w2, 1e-9, "energy of the pendulum");
        check_vec3(vec3(values + 3), kai_quat_unrotate(turned, kai_vec3_make(0.0, rate, 0.0)),
                   1e-12, "its rate");
        fastest = fmax(fastest, fabs(rate));
        check_ok(kai_world_step_until(f.world, 0.05 * (i + 1), 1e-3));
    }
    assert_true(fastest > 3.0);
    fixture_finish(&f);
}

// At rest 9.81 upwards, on a fixed body and on one that a joint holds; in free fall 0; cut at its
// range, with bias.
static void test_imu_at_rest(void** state)
{
    fixture f;
    kai_joint hinge;
    double values[KAI_SENSOR_VALUES];
    const kai_body bar = start_pendulum(&f, 0.0, &hinge);
    kai_sensor_imu_params p;
    kai_kind_defaults(&kai_sensor_imu.kind, &p);
    p.place.body = bar;
    const kai_sensor held = add_sensor(&f, &kai_sensor_imu, &p, "held");
    p.place.body = kai_body_find(f.world, "ground");
    kai_sensor_error error;
    kai_kind_defaults(&kai_sensor_error_kind, &error);
    error.bias = kai_vec3_make(0.1, -20.0, 0.5);
    error.range = 10.0;
    p.accelerometer = (kai_list){&error, 1};
    const kai_sensor fixed = add_sensor(&f, &kai_sensor_imu, &p, "fixed");
    kai_body_def def = body_def("stone");
    def.angular_velocity = kai_vec3_make(0.0, 3.0, 0.0); // about a principal axis: it stays
    p.place.body = add_body(&f, &def);
    p.accelerometer.count = 0;
    const kai_sensor falling = add_sensor(&f, &kai_sensor_imu, &p, "falling");
    sample(&f, held, values);
    check_vec3(vec3(values), kai_vec3_make(0.0, 0.0, G), 1e-12, "-g");
    sample(&f, fixed, values);
    check_vec3(vec3(values), kai_vec3_make(0.1, -10.0, 10.0), 1e-15, "-g, bias, range");
    sample(&f, falling, values);
    check_vec3(vec3(values), kai_vec3_zero(), 1e-12, "free fall");
    check_vec3(vec3(values + 3), def.angular_velocity, 1e-15, "its spin");
    fixture_finish(&f);
}

// Mean and deviation of N samples: the mean of normal numbers deviates by σ/√N, their variance by
// σ² √(2/N). Four such deviations are allowed: the seed is fixed, and a right generator passes with
// probability 1 - 6e-5 each.
static void test_gps_noise(void** state)
{
    enum { N = 4000 };
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("car");
    def.velocity = kai_vec3_make(3.0, -1.0, 0.5);
    const kai_body car = add_body(&f, &def);
    kai_sensor_gps_params p;
    kai_kind_defaults(&kai_sensor_gps.kind, &p);
    p.place.body = car;
    p.base.seed = 11;
    p.noise = kai_vec3_make(1.5, 1.5, 4.0);
    p.velocity_noise = kai_vec3_make(0.1, 0.2, 0.3);
    p.bias = kai_vec3_make(10.0, 0.0, -5.0);
    const kai_sensor gps = add_sensor(&f, &kai_sensor_gps, &p, "gps");
    const double sigma[6] = {1.5, 1.5, 4.0, 0.1, 0.2, 0.3};
    double sum[6] = {0}, square[6] = {0}, cross = 0.0, before = 0.0, lag = 0.0;
    for (int i = 0; i < N; i++) {
        double values[KAI_SENSOR_VALUES];
        sample(&f, gps, values);
        const kai_vec3 truth[2] = {kai_vec3_add(kai_body_position(f.world, car), p.bias),
                                   def.velocity};
        for (int k = 0; k < 6; k++) {
            const double off = values[k] - kai_vec3_get(truth[k / 3], k % 3);
            sum[k] += off;
            square[k] += off * off;
        }
        const double x = (values[0] - truth[0].x) / 1.5, y = (values[1] - truth[0].y) / 1.5;
        cross += x * y;
        lag += x * before;
        before = x;
        check_ok(kai_world_step(f.world, 0.01));
    }
    for (int k = 0; k < 6; k++) {
        check_near(sum[k] / N, 0.0, 4.0 * sigma[k] / sqrt(N), "mean of normal numbers");
        check_near(square[k] / N, sigma[k] * sigma[k], 4.0 * sigma[k] * sigma[k] * sqrt(2.0 / N),
                   "their variance");
    }
    check_near(cross / N, 0.0, 4.0 / sqrt(N), "x and y do not go together");
    check_near(lag / N, 0.0, 4.0 / sqrt(N), "nor do two samples");
    fixture_finish(&f);
}

// A late receiver; a bias that walks: after n samples its variance is n Δt σ².
static void test_gps_delay_and_walk(void** state)
{
    enum { LATE = 3, WALKERS = 400 };
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("car");
    def.velocity = kai_vec3_make(2.0, 0.0, 0.0);
    kai_sensor_gps_params p;
    kai_kind_defaults(&kai_sensor_gps.kind, &p);
    p.place.body = add_body(&f, &def);
    p.base.rate = 10.0;
    p.delay = 0.1 * LATE;
    const kai_sensor late = add_sensor(&f, &kai_sensor_gps, &p, "late");
    p.delay = 0.0;
    p.bias_walk = kai_vec3_make(0.5, 0.0, 0.0);
    kai_sensor walkers[WALKERS];
    for (int i = 0; i < WALKERS; i++) {
        p.base.seed = i;
        walkers[i] = add_sensor(&f, &kai_sensor_gps, &p, NULL);
    }
    double values[KAI_SENSOR_VALUES], square = 0.0;
    for (int n = 0; n <= 20; n++) {
        sample(&f, late, values);
        check_near(values[0], 0.2 * (n > LATE ? n - LATE : 0), 1e-12, "2 m/s, 0.3 s late");
        for (int i = 0; i < WALKERS; i++) {
            sample(&f, walkers[i], values);
            if (n == 0) check_near(values[0], 0.0, 1e-15, "no walk before the first sample");
        }
        if (n < 20) check_ok(kai_world_step(f.world, 0.1));
    }
    for (int i = 0; i < WALKERS; i++) {
        check_ok(kai_sensor_values(f.world, walkers[i], values, KAI_SENSOR_VALUES, NULL));
        square += (values[0] - 4.0) * (values[0] - 4.0);
    }
    const double variance = 2.0 * 0.5 * 0.5; // 2 s
    check_near(square / WALKERS, variance, 4.0 * variance * sqrt(2.0 / WALKERS), "n Δt σ²");
    fixture_finish(&f);
}

// Counts of a shaft that turns at 7 rad/s: floor(angle / (2π/64)), turns counted.
static void test_encoder(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    kai_joint_base params;
    kai_kind_defaults(&kai_joint_revolute.kind, &params);
    params.bodies[0] = add_body(&f, &def);
    def = body_def("rotor");
    def.angular_velocity = kai_vec3_make(0.0, 0.0, -7.0);
    params.bodies[1] = add_body(&f, &def);
    params.at = kai_vec3_zero();
    params.axis = kai_vec3_axis(2);
    kai_sensor_encoder_params p;
    kai_kind_defaults(&kai_sensor_encoder.kind, &p);
    check_ok(kai_joint_create(f.world, &kai_joint_revolute, &params, "axle", &p.joint));
    p.resolution = 64.0;
    p.offset = 0.01;
    const kai_sensor encoder = add_sensor(&f, &kai_sensor_encoder, &p, "encoder");
    double values[KAI_SENSOR_VALUES], before = 0.0;
    for (int i = 0; i < 30; i++) {
        sample(&f, encoder, values);
        const double exact = (-7.0 * kai_world_time(f.world) - 0.01) * 64.0 / (2.0 * KAI_PI);
        assert_true(values[0] == floor(exact));
        check_near(values[1], floor(exact) * 2.0 * KAI_PI / 64.0, 1e-12, "counts as an angle");
        if (i > 0) check_near(values[2], (values[1] - before) / 0.1, 1e-9, "difference");
        before = values[1];
        for (int s = 0; s < 10; s++) {
            check_ok(kai_world_step(f.world, 0.01));
            kai_sensor_follow(f.world);
        }
    }
    p.coordinate = 2;
    kai_sensor none;
    check_error(kai_sensor_create(f.world, &kai_sensor_encoder, &p, NULL, &none),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_sensor_create: encoder: a joint of kind revolute has no travel");
    fixture_finish(&f);
}

// A box of 3 kg on a plate, 0.2 m and -0.1 m off its middle: force, moment and centre of pressure in
// the frame of the plate's upper face; and contact sensors on box, plate and a body that nothing
// touches.
static void test_force_plate(void** state)
{
    const double mass = 3.0;
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        fixture f;
        fixture_start(&f);
        check_ok(kai_world_set_gravity(f.world, kai_vec3_make(0.0, 0.0, -G)));
        kai_contact_def contact = kai_contact_def_default();
        contact.method = method;
        check_ok(kai_contact_set(f.world, &contact));
        kai_solver_def solver = kai_solver_def_default();
        solver.tolerance = 1e-10; // m/s
        check_ok(kai_solver_set(f.world, &solver));
        kai_body_def def = kai_body_def_default();
        def.fixed = true;
        def.position = kai_vec3_make(5.0, 6.0, 0.0);
        const kai_body plate = add_body(&f, &def);
        kai_shape_box_params box = {{1.0, 1.0, 0.1}};
        add_shape(&f, plate, &kai_shape_box, &box, kai_vec3_zero(), kai_quat_identity());
        def = kai_body_def_default();
        def.mass = mass;
        def.inertia = (kai_inertia){.xx = 0.02, .yy = 0.02, .zz = 0.02};
        def.position = kai_vec3_make(5.2, 5.9, 0.15);
        const kai_body cube = add_body(&f, &def);
        box.size = kai_vec3_make(0.2, 0.2, 0.2);
        add_shape(&f, cube, &kai_shape_box, &box, kai_vec3_zero(), kai_quat_identity());
        kai_sensor_force_plate_params p;
        kai_kind_defaults(&kai_sensor_force_plate.kind, &p);
        p.place = (kai_sensor_place){plate, kai_vec3_make(0.0, 0.0, 0.05), kai_quat_identity()};
        const kai_sensor under = add_sensor(&f, &kai_sensor_force_plate, &p, "plate");
        kai_sensor_contact_params c;
        kai_kind_defaults(&kai_sensor_contact.kind, &c);
        c.place.body = cube;
        c.threshold = 1.0;
        const kai_sensor touch = add_sensor(&f, &kai_sensor_contact, &c, "touch");
        c.with = cube;
        const kai_sensor never = add_sensor(&f, &kai_sensor_contact, &c, "never");
        kai_sensor_imu_params m;
        kai_kind_defaults(&kai_sensor_imu.kind, &m);
        m.place.body = cube;
        const kai_sensor imu = add_sensor(&f, &kai_sensor_imu, &m, "imu");
        check_ok(kai_world_step_until(f.world, method == KAI_CONTACT_NSC ? 0.1 : 1.0, 1e-3));
        double v[KAI_SENSOR_VALUES];
        const double weight = mass * G, tolerance = method == KAI_CONTACT_NSC ? 1e-6 : 1e-3;
        sample(&f, under, v);
        check_vec3(vec3(v), kai_vec3_make(0.0, 0.0, -weight), weight * tolerance, "m g");
        check_vec3(vec3(v + 3), kai_vec3_make(0.1 * weight, 0.2 * weight, 0.0), weight * tolerance,
                   "r × F");
        check_near(v[6], 0.2, tolerance, "under the box");
        check_near(v[7], -0.1, tolerance, "under the box");
        sample(&f, touch, v);
        assert_true(v[0] == 1.0 && v[1] >= 3.0);
        check_vec3(vec3(v + 2), kai_vec3_make(0.0, 0.0, weight), weight * tolerance, "m g");
        sample(&f, never, v);
        assert_true(v[0] == 0.0 && v[1] == 0.0);
        sample(&f, imu, v);
        check_vec3(vec3(v), kai_vec3_make(0.0, 0.0, G), G * tolerance, "at rest on the plate");
        fixture_finish(&f);
    }
}

// A world that is saved and read goes on with the same samples.
static void test_resume(void** state)
{
    fixture f;
    kai_joint hinge;
    const kai_body bar = start_pendulum(&f, 1.0, &hinge);
    kai_sensor_error error = {.noise = 0.1, .bias_walk = 0.2};
    kai_sensor_imu_params p;
    kai_kind_defaults(&kai_sensor_imu.kind, &p);
    p.place.body = bar;
    p.accelerometer = p.gyroscope = (kai_list){&error, 1};
    add_sensor(&f, &kai_sensor_imu, &p, "imu");
    kai_sensor_gps_params g;
    kai_kind_defaults(&kai_sensor_gps.kind, &g);
    g.place.body = bar;
    g.delay = 0.5;
    g.noise = g.bias_walk = kai_vec3_make(1.0, 1.0, 1.0);
    add_sensor(&f, &kai_sensor_gps, &g, "gps");
    kai_sensor_encoder_params e;
    kai_kind_defaults(&kai_sensor_encoder.kind, &e);
    e.joint = hinge;
    add_sensor(&f, &kai_sensor_encoder, &e, "encoder");
    char path[64];
    snprintf(path, sizeof path, "sensors-%d.h5", (int)getpid());
    kai_world* other = NULL;
    for (int i = 0; i < 20; i++) {
        if (i == 9) {
            check_ok(kai_world_save(f.world, path));
            const kai_world_def def = fixture_def(&f);
            kai_error err;
            if (kai_world_load(&def, path, &other, &err) != KAI_OK) fail_msg("%s", err.message);
            unlink(path);
        }
        for (size_t k = 0; k < kai_sensor_count(f.world); k++) {
            double here[KAI_SENSOR_VALUES] = {0}, there[KAI_SENSOR_VALUES] = {0};
            int64_t samples, same;
            const kai_sensor sensor = kai_sensor_at(f.world, k);
            sample(&f, sensor, here);
            check_ok(kai_sensor_values(f.world, sensor, here, KAI_SENSOR_VALUES, &samples));
            assert_int_equal(samples, i + 1);
            if (other == NULL) continue;
            const kai_sensor twin = kai_sensor_find(other, kai_sensor_name(f.world, sensor));
            check_ok(kai_sensor_measure(other, twin));
            check_ok(kai_sensor_values(other, twin, there, KAI_SENSOR_VALUES, &same));
            assert_int_equal(samples, same);
            assert_memory_equal(here, there, sizeof here);
        }
        check_ok(kai_world_step(f.world, 0.1));
        if (other) check_ok(kai_world_step(other, 0.1));
    }
    assert_true(kai_world_hash(f.world) == kai_world_hash(other));
    kai_world_destroy(other);
    fixture_finish(&f);
}

static void test_refused(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_sensor sensor;
    kai_sensor_gps_params p;
    kai_kind_defaults(&kai_sensor_gps.kind, &p);
    check_error(kai_sensor_create(f.world, &kai_sensor_gps, &p, "gps", &sensor),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_sensor_create: gps: body is missing; must be the name of a body");
    const kai_body_def def = body_def("car");
    p.place.body = add_body(&f, &def);
    p.delay = 4.0;
    check_error(kai_sensor_create(f.world, &kai_sensor_gps, &p, "gps", &sensor),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_sensor_create: delay is 4 s, 40 samples at 10 Hz; must be at most "
                      "32 samples");
    p.delay = 0.0;
    p.noise.y = -1.0;
    check_error(kai_sensor_create(f.world, &kai_sensor_gps, &p, "gps", &sensor),
                KAI_ERROR_ARGUMENT);
    p.noise.y = 0.0;
    check_ok(kai_sensor_create(f.world, &kai_sensor_gps, &p, "gps", &sensor));
    float pixel;
    check_error(kai_sensor_measure_image(f.world, sensor, &pixel, 1), KAI_ERROR_UNSUPPORTED);
    double two[2];
    check_error(kai_sensor_values(f.world, sensor, two, 2, NULL), KAI_ERROR_LIMIT);
    kai_sensor twice;
    check_error(kai_sensor_create(f.world, &kai_sensor_gps, &p, "gps", &twice), KAI_ERROR_NAME);
    check_ok(kai_body_destroy(f.world, p.place.body));
    check_error(kai_sensor_measure(f.world, sensor), KAI_ERROR_ID);
    check_message(&f, "kai_sensor_measure: gps: body 1 does not exist");
    check_ok(kai_sensor_destroy(f.world, sensor));
    check_error(kai_sensor_measure(f.world, sensor), KAI_ERROR_ID);
    assert_int_equal(kai_sensor_count(f.world), 0);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_imu_of_pendulum), cmocka_unit_test(test_imu_at_rest),
        cmocka_unit_test(test_gps_noise),       cmocka_unit_test(test_gps_delay_and_walk),
        cmocka_unit_test(test_encoder),         cmocka_unit_test(test_force_plate),
        cmocka_unit_test(test_resume),          cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
