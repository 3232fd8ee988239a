// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Lidar and depth camera against closed forms.
#include "model/fixture.h"

#include <kairos/kairos.h>

enum { COLUMNS = 90, ROWS = 12, SUBDIVISIONS = 4 };

static const double RADIUS = 2.0;
static kai_quat turned(void)
{
    return kai_quat_from_axis_angle(kai_vec3_make(0.3, -1.0, 0.5), 0.8);
}

static kai_sensor_lidar_params lidar_params(void)
{
    kai_sensor_lidar_params p;
    kai_kind_defaults(&kai_sensor_lidar.kind, &p);
    p.columns = COLUMNS;
    p.rows = ROWS;
    p.horizontal[0] = -KAI_PI;
    p.horizontal[1] = KAI_PI;
    p.vertical[0] = -0.6;
    p.vertical[1] = 0.7;
    p.range[1] = 50.0;
    return p;
}

// The documented direction of a ray, world frame.
static kai_vec3 ray(const kai_sensor_lidar_params* p, int row, int column)
{
    const double azimuth = p->horizontal[0] + (column + 0.5) *
                                                  (p->horizontal[1] - p->horizontal[0]) /
                                                  (double)p->columns;
    const double up =
        p->vertical[0] + row * (p->vertical[1] - p->vertical[0]) / (double)(p->rows - 1);
    return kai_quat_rotate(p->place.rotation,
                           kai_vec3_make(cos(azimuth) * cos(up), sin(azimuth) * cos(up), sin(up)));
}

static kai_body fixed_body(fixture* f, kai_vec3 at)
{
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    def.position = at;
    return add_body(f, &def);
}

static void scan(fixture* f, const kai_sensor_lidar_params* p, const char* name, float* pixels)
{
    kai_sensor sensor;
    uint32_t rows, columns;
    if (kai_sensor_create(f->world, &kai_sensor_lidar, p, name, &sensor) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    check_ok(kai_sensor_image_size(f->world, sensor, &rows, &columns));
    assert_true(rows == p->rows && columns == p->columns);
    check_ok(kai_sensor_measure_image(f->world, sensor, pixels, (size_t)rows * columns));
}

// From a point beside a sphere: the nearer root of |o + t d - c| = R.
static void test_sphere(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_vec3 centre = kai_vec3_make(4.0, 1.0, -0.5), at = kai_vec3_make(0.5, 0.2, 0.1);
    const kai_shape_sphere_params sphere = {RADIUS};
    add_shape(&f, fixed_body(&f, centre), &kai_shape_sphere, &sphere, kai_vec3_zero(),
              kai_quat_identity());
    kai_sensor_lidar_params p = lidar_params();
    p.place.at = at;
    p.place.rotation = turned();
    static float pixels[ROWS * COLUMNS];
    scan(&f, &p, "lidar", pixels);
    int met = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const kai_vec3 d = ray(&p, i / COLUMNS, i % COLUMNS), o = kai_vec3_sub(at, centre);
        const double b = kai_vec3_dot(o, d), c = kai_vec3_norm2(o) - RADIUS * RADIUS;
        const double root = b * b - c;
        if (fabs(root) < 1e-9) continue; // grazes
        if (root < 0.0 || b > 0.0) {
            assert_true(pixels[i] == INFINITY);
            continue;
        }
        check_near((double)pixels[i], -b - sqrt(root), 4e-7, "sphere; a float of 24 bits");
        met++;
    }
    assert_true(met > 20);
    fixture_finish(&f);
}

// Over a plane: height / -d_z, within the range only.
static void test_plane(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_shape_plane_params plane = {kai_vec3_axis(2)};
    add_shape(&f, fixed_body(&f, kai_vec3_zero()), &kai_shape_plane, &plane, kai_vec3_zero(),
              kai_quat_identity());
    kai_sensor_lidar_params p = lidar_params();
    // On a body of its own that has a shape around the sensor: it does not see itself.
    p.place.body = fixed_body(&f, kai_vec3_make(1.0, 2.0, 3.0));
    const kai_shape_sphere_params own = {0.5};
    add_shape(&f, p.place.body, &kai_shape_sphere, &own, kai_vec3_zero(), kai_quat_identity());
    p.place.at = kai_vec3_make(0.0, 0.0, 0.2);
    p.place.rotation = turned();
    p.range[0] = 4.0;
    p.range[1] = 12.0;
    static float pixels[ROWS * COLUMNS];
    scan(&f, &p, "lidar", pixels);
    int near = 0, far = 0, met = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const double down = -ray(&p, i / COLUMNS, i % COLUMNS).z;
        const double t = down > 0.0 ? 3.2 / down : HUGE_VAL;
        if (t < p.range[0] - 1e-6 || t > p.range[1] + 1e-6) {
            assert_true(pixels[i] == INFINITY);
            near += t < p.range[0];
            far += t > p.range[1];
        } else {
            check_near((double)pixels[i], t, 1e-6, "plane");
            met++;
        }
    }
    assert_true(near > 10 && far > 10 && met > 10);
    fixture_finish(&f);
}

// An icosphere that stands around the sensor: each ray crosses one of its triangles, and the farthest
// the surface is inside of the sphere is one minus the least cosine of its faces.
typedef struct icosphere {
    double points[3 * 4096], triangles[3 * 8192];
    uint32_t point_count, triangle_count;
} icosphere;

static uint32_t add_point(icosphere* s, kai_vec3 x)
{
    x = kai_vec3_scale(kai_vec3_normalize(x), RADIUS);
    for (uint32_t i = 0; i < s->point_count; i++)
        if (kai_vec3_distance(
                kai_vec3_make(s->points[3 * i], s->points[3 * i + 1], s->points[3 * i + 2]), x) <
            1e-9)
            return i;
    s->points[3 * s->point_count] = x.x;
    s->points[3 * s->point_count + 1] = x.y;
    s->points[3 * s->point_count + 2] = x.z;
    return s->point_count++;
}

static kai_vec3 point(const icosphere* s, uint32_t i)
{
    return kai_vec3_make(s->points[3 * i], s->points[3 * i + 1], s->points[3 * i + 2]);
}

static void split(icosphere* s, uint32_t a, uint32_t b, uint32_t c, int level)
{
    if (level == 0) {
        double* t = s->triangles + (size_t)3 * s->triangle_count++;
        t[0] = a;
        t[1] = b;
        t[2] = c;
        return;
    }
    const uint32_t ab = add_point(s, kai_vec3_add(point(s, a), point(s, b))),
                   bc = add_point(s, kai_vec3_add(point(s, b), point(s, c))),
                   ca = add_point(s, kai_vec3_add(point(s, c), point(s, a)));
    split(s, a, ab, ca, level - 1);
    split(s, b, bc, ab, level - 1);
    split(s, c, ca, bc, level - 1);
    split(s, ab, bc, ca, level - 1);
}

static void make_icosphere(icosphere* s)
{
    const double g = 0.5 * (1.0 + sqrt(5.0));
    static const int FACES[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const kai_vec3 corners[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                  {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                  {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
    s->point_count = s->triangle_count = 0;
    for (int i = 0; i < 12; i++) add_point(s, corners[i]);
    for (int i = 0; i < 20; i++)
        split(s, (uint32_t)FACES[i][0], (uint32_t)FACES[i][1], (uint32_t)FACES[i][2], SUBDIVISIONS);
}

// The distance along a ray from the middle to the surface: the least n·a / n·d of the triangles that
// the ray passes through, by solid angles.
static double along(const icosphere* s, kai_vec3 d)
{
    double best = HUGE_VAL;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const kai_vec3 a = point(s, (uint32_t)s->triangles[3 * t]),
                       b = point(s, (uint32_t)s->triangles[3 * t + 1]),
                       c = point(s, (uint32_t)s->triangles[3 * t + 2]);
        const double slack = -1e-9;
        if (kai_vec3_dot(kai_vec3_cross(a, b), d) < slack ||
            kai_vec3_dot(kai_vec3_cross(b, c), d) < slack ||
            kai_vec3_dot(kai_vec3_cross(c, a), d) < slack)
            continue;
        const kai_vec3 n = kai_vec3_cross(kai_vec3_sub(b, a), kai_vec3_sub(c, a));
        best = fmin(best, kai_vec3_dot(n, a) / kai_vec3_dot(n, d));
    }
    return best;
}

static void test_icosphere(void** state)
{
    static icosphere s;
    make_icosphere(&s);
    assert_int_equal(s.triangle_count, 5120);
    fixture f;
    fixture_start(&f);
    const kai_vec3 centre = kai_vec3_make(100.0, -40.0, 7.0);
    kai_shape_mesh_params mesh;
    kai_kind_defaults(&kai_shape_mesh.kind, &mesh);
    mesh.vertices = (kai_table){s.points, s.point_count, 3};
    mesh.triangles = (kai_table){s.triangles, s.triangle_count, 3};
    add_shape(&f, fixed_body(&f, centre), &kai_shape_mesh, &mesh, kai_vec3_zero(),
              kai_quat_identity());
    kai_sensor_lidar_params p = lidar_params();
    p.place.at = centre;
    p.place.rotation = turned();
    static float pixels[ROWS * COLUMNS];
    scan(&f, &p, "lidar", pixels);
    double least = HUGE_VAL;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        check_near((double)pixels[i], along(&s, ray(&p, i / COLUMNS, i % COLUMNS)), 5e-7,
                   "faces of the icosphere");
        least = fmin(least, (double)pixels[i]);
    }
    assert_true(least > 0.99 * RADIUS && least < RADIUS);
    fixture_finish(&f);
}

// A wall at x = 3 that the camera looks at straight: every depth is the same, whatever the ray; and
// noise has its deviation.
static void test_depth_camera(void** state)
{
    enum { WIDTH = 64, HEIGHT = 48, N = WIDTH * HEIGHT };
    fixture f;
    fixture_start(&f);
    const kai_shape_box_params wall = {{1.0, 100.0, 100.0}};
    add_shape(&f, fixed_body(&f, kai_vec3_make(3.5, 0.0, 0.0)), &kai_shape_box, &wall,
              kai_vec3_zero(), kai_quat_identity());
    kai_sensor_depth_camera_params p;
    kai_kind_defaults(&kai_sensor_depth_camera.kind, &p);
    p.width = WIDTH;
    p.height = HEIGHT;
    p.field_of_view = 1.2;
    p.range[1] = 10.0;
    kai_sensor sensor, noisy;
    static float pixels[N];
    check_ok(kai_sensor_create(f.world, &kai_sensor_depth_camera, &p, "eye", &sensor));
    check_ok(kai_sensor_measure_image(f.world, sensor, pixels, N));
    for (int i = 0; i < N; i++) check_near((double)pixels[i], 3.0, 5e-7, "a wall across");
    p.noise = 0.05;
    check_ok(kai_sensor_create(f.world, &kai_sensor_depth_camera, &p, "noisy", &noisy));
    check_ok(kai_sensor_measure_image(f.world, noisy, pixels, N));
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < N; i++) {
        sum += (double)pixels[i] - 3.0;
        square += ((double)pixels[i] - 3.0) * ((double)pixels[i] - 3.0);
    }
    // As for the receiver in test_sensor.c: four deviations of mean and variance.
    check_near(sum / N, 0.0, 4.0 * 0.05 / sqrt(N), "mean");
    check_near(square / N, 0.0025, 4.0 * 0.0025 * sqrt(2.0 / N), "variance");
    check_error(kai_sensor_measure_image(f.world, sensor, pixels, N - 1), KAI_ERROR_LIMIT);
    check_error(kai_sensor_measure(f.world, sensor), KAI_ERROR_UNSUPPORTED);
    p.range[0] = 20.0;
    check_error(kai_sensor_create(f.world, &kai_sensor_depth_camera, &p, "bad", &noisy),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_sensor_create: range is [20, 10] m; the first must be "
                      "below the second");
    fixture_finish(&f);
}

// A camera that is turned to the right by 90 degrees and sees a ball: left of the image is +y of the
// camera, the first row is at the top.
static void test_orientation(void** state)
{
    enum { SIZE = 21 };
    fixture f;
    fixture_start(&f);
    // In the camera's frame the ball is ahead, to the left and up.
    const kai_shape_sphere_params ball = {0.3};
    add_shape(&f, fixed_body(&f, kai_vec3_make(1.0, -5.0, 1.0)), &kai_shape_sphere, &ball,
              kai_vec3_zero(), kai_quat_identity());
    kai_sensor_depth_camera_params p;
    kai_kind_defaults(&kai_sensor_depth_camera.kind, &p);
    p.width = p.height = SIZE;
    p.range[1] = 10.0;
    p.place.rotation = kai_quat_from_axis_angle(kai_vec3_axis(2), -0.5 * KAI_PI);
    kai_sensor sensor;
    float pixels[SIZE * SIZE];
    check_ok(kai_sensor_create(f.world, &kai_sensor_depth_camera, &p, "eye", &sensor));
    check_ok(kai_sensor_measure_image(f.world, sensor, pixels, SIZE * SIZE));
    // f = (21/2) / tan(0.5) = 19.2 pixels; the ball is at 1/5 of that from the middle.
    const int row = 10 - (int)round(19.22 / 5.0), column = 10 - (int)round(19.22 / 5.0);
    assert_true(pixels[row * SIZE + column] < 5.0f);
    assert_true(pixels[row * SIZE + (20 - column)] == INFINITY);
    assert_true(pixels[(20 - row) * SIZE + column] == INFINITY);
    fixture_finish(&f);
}

// The same bits for any number of threads.
static void test_threads(void** state)
{
    static float first[ROWS * COLUMNS], pixels[ROWS * COLUMNS];
    for (int threads = 1; threads <= 5; threads += 2) {
        fixture f;
        fixture_start(&f);
        check_ok(kai_world_set_threads(f.world, threads));
        for (uint64_t i = 0; i < 200; i++) {
            kai_body_def def = body_def("");
            def.position = kai_vec3_scale(helper_random_vec3(3 * i), 12.0);
            def.rotation = helper_random_rotation(i);
            const kai_shape_box_params box = {{1.0, 0.5, 2.0}};
            const kai_shape_round_params round = {0.4, 1.5};
            const kai_body body = add_body(&f, &def);
            if (i % 2)
                add_shape(&f, body, &kai_shape_box, &box, kai_vec3_zero(), kai_quat_identity());
            else
                add_shape(&f, body, &kai_shape_cylinder, &round, kai_vec3_zero(),
                          kai_quat_identity());
        }
        kai_sensor_lidar_params p = lidar_params();
        p.noise = 0.01;
        scan(&f, &p, "lidar", pixels);
        if (threads == 1) memcpy(first, pixels, sizeof first);
        assert_memory_equal(first, pixels, sizeof first);
        fixture_finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),      cmocka_unit_test(test_plane),
        cmocka_unit_test(test_icosphere),   cmocka_unit_test(test_depth_camera),
        cmocka_unit_test(test_orientation), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
