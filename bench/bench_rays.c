// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rays per second of one thread, through the public call (kai_collision_rays): checks of arguments,
// the tree of boxes, hits with body, point and normal.
//
// Scenes: `mesh`, hills of 100,352 triangles; `sphere`, as many on a sphere that the origin is in; `field`, a height field of the same hills; `boxes`, 400 boxes of several sizes on a
// plane; `balls`, 4,000 spheres. Rays: `camera`, 640 × 480 pixels, row by row; `lidar`, 64 rows of
// 2,048 columns around, 16 of a row in a packet; `random`, directions and origins that have nothing
// in common, for which packets are no help.
#include "base/clock.h"
#include "common.h"

#include <kairos/body.h>
#include <kairos/collision.h>
#include <kairos/random.h>
#include <kairos/shape.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 225, MOST = 640 * 480, SEED = 3 };

static const char* const SCENES[] = {"mesh", "sphere", "field", "boxes", "balls"};
static const char* const RAYS[] = {"camera", "lidar", "random"};
enum { SCENE_COUNT = 5, RAY_COUNT = 3 };

static double uniform(uint64_t stream, uint64_t i) { return kai_random_uniform(SEED, stream, i); }

static void* need(void* block)
{
    if (block) return block;
    fprintf(stderr, "bench_rays: no memory\n");
    exit(1);
}

// Scenes -----------------------------------------------------------------------------------------

static double hill(double x, double y)
{
    return 0.8 * sin(0.9 * x) * cos(0.7 * y) + 0.1 * sin(5.0 * x + y);
}

static void add_shape(kai_world* world, kai_body body, const kai_shape_kind* kind,
                      const void* params, kai_vec3 at, kai_quat rotation)
{
    kai_shape_def def = kai_shape_def_default();
    def.at = at;
    def.rotation = rotation;
    kai_shape shape;
    common_check(world, kai_shape_create(world, body, kind, params, &def, &shape));
}

// A sheet of `n` × `n` squares, put in its place point by point.
static void add_sheet(kai_world* world, kai_body body, uint32_t n,
                      kai_vec3 (*place)(double, double))
{
    const size_t points = (size_t)(n + 1) * (n + 1), triangles = (size_t)2 * n * n;
    double* p = need(malloc(3 * points * sizeof *p));
    double* t = need(malloc(3 * triangles * sizeof *t));
    size_t count = 0;
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t k = 0; k <= n; k++) {
            const uint32_t a = i * (n + 1) + k, b = a + n + 1;
            const kai_vec3 x = place((double)k / n, (double)i / n);
            memcpy(p + 3 * (size_t)a, (double[]){x.x, x.y, x.z}, 3 * sizeof *p);
            if (i == n || k == n) continue;
            memcpy(t + count, (double[]){a, a + 1, b + 1, a, b + 1, b}, 6 * sizeof *t);
            count += 6;
        }
    }
    kai_shape_mesh_params m;
    kai_kind_defaults(&kai_shape_mesh.kind, &m);
    m.vertices = (kai_table){p, (uint32_t)points, 3};
    m.triangles = (kai_table){t, (uint32_t)triangles, 3};
    add_shape(world, body, &kai_shape_mesh, &m, kai_vec3_zero(), kai_quat_identity());
    free(p);
    free(t);
}

static kai_vec3 on_hills(double u, double v)
{
    const double x = 20.0 * u - 10.0, y = 20.0 * v - 10.0;
    return kai_vec3_make(x, y, hill(x, y));
}

static kai_vec3 on_sphere(double u, double v)
{
    const double a = 2.0 * KAI_PI * u, b = KAI_PI * (v - 0.5) * 0.999;
    return kai_vec3_make(4.0 * cos(a) * cos(b), 4.0 * sin(a) * cos(b), 4.0 * sin(b));
}

static void add_field(kai_world* world, kai_body ground)
{
    double* z = need(malloc(sizeof *z * POINTS * POINTS));
    for (int i = 0; i < POINTS * POINTS; i++)
        z[i] = on_hills((double)(i % POINTS) / (POINTS - 1), (double)(i / POINTS) / (POINTS - 1)).z;
    kai_shape_heightfield_params p;
    kai_kind_defaults(&kai_shape_heightfield.kind, &p);
    p.grid = (kai_table){z, POINTS, POINTS};
    p.spacing = 20.0 / (POINTS - 1);
    add_shape(world, ground, &kai_shape_heightfield, &p, kai_vec3_zero(), kai_quat_identity());
    free(z);
}

static void add_body(kai_world* world, uint64_t i, const kai_shape_kind* kind, const void* params)
{
    kai_body_def def = kai_body_def_default();
    def.mass = 1.0;
    def.inertia = (kai_inertia){.xx = 1.0, .yy = 1.0, .zz = 1.0};
    def.position = kai_vec3_make(20.0 * uniform(1, i) - 10.0, 20.0 * uniform(2, i) - 10.0,
                                 3.0 * uniform(3, i) - 1.0);
    def.rotation = kai_random_rotation(SEED, 4, i);
    kai_body body;
    common_check(world, kai_body_create(world, &def, &body));
    add_shape(world, body, kind, params, kai_vec3_zero(), kai_quat_identity());
}

static kai_world* make_scene(const char* name)
{
    kai_body ground;
    kai_world* world = common_world(1, kai_vec3_zero(), &ground);
    if (strcmp(name, "mesh") == 0) add_sheet(world, ground, POINTS - 1, on_hills);
    if (strcmp(name, "sphere") == 0) add_sheet(world, ground, POINTS - 1, on_sphere);
    if (strcmp(name, "field") == 0) add_field(world, ground);
    for (uint64_t i = 0; strcmp(name, "balls") == 0 && i < 4000; i++)
        add_body(world, i, &kai_shape_sphere,
                 &(kai_shape_sphere_params){0.05 + 0.25 * uniform(5, i)});
    if (strcmp(name, "boxes") != 0) return world;
    add_shape(world, ground, &kai_shape_plane, &(kai_shape_plane_params){kai_vec3_axis(2)},
              kai_vec3_make(0.0, 0.0, -1.0), kai_quat_identity());
    for (uint64_t i = 0; i < 400; i++)
        add_body(world, i, &kai_shape_box,
                 &(kai_shape_box_params){
                     kai_vec3_make(0.1 + uniform(5, i), 0.1 + uniform(6, i), 0.1 + uniform(7, i))});
    return world;
}

// Rays -------------------------------------------------------------------------------------------

static size_t make_rays(const char* name, kai_collision_ray* rays)
{
    size_t n = 0;
    if (strcmp(name, "camera") == 0) {
        const kai_vec3 eye = kai_vec3_make(-12.0, -6.0, 5.0);
        const kai_vec3 ahead = kai_vec3_normalize(kai_vec3_make(12.0, 6.0, -5.0));
        const kai_vec3 right = kai_vec3_normalize(kai_vec3_cross(ahead, kai_vec3_axis(2)));
        const kai_vec3 down = kai_vec3_cross(ahead, right);
        for (int y = 0; y < 480; y++)
            for (int x = 0; x < 640; x++) {
                kai_vec3 d = kai_vec3_mul_add(ahead, right, (x - 319.5) / 600.0);
                d = kai_vec3_mul_add(d, down, (y - 239.5) / 600.0);
                rays[n++] = (kai_collision_ray){.from = eye, .direction = d};
            }
    } else if (strcmp(name, "lidar") == 0) {
        for (int row = 0; row < 64; row++)
            for (int column = 0; column < 2048; column++) {
                const double a = 2.0 * KAI_PI * column / 2048, b = -0.9 + 0.9 * row / 63;
                rays[n++] = (kai_collision_ray){
                    .from = kai_vec3_make(0.5, 0.7, 4.5),
                    .direction = kai_vec3_make(cos(a) * cos(b), sin(a) * cos(b), sin(b))};
            }
    } else {
        for (; n < 131072; n++)
            rays[n] = (kai_collision_ray){.from = kai_vec3_make(24.0 * uniform(8, n) - 12.0,
                                                                24.0 * uniform(9, n) - 12.0,
                                                                8.0 * uniform(10, n)),
                                          .direction = kai_random_direction(SEED, 11, n)};
    }
    return n;
}

static void measure(const common_options* o, kai_world* world, const char* scene, const char* set)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%s", scene, set);
    if (!common_wanted(o, name)) return;
    kai_collision_ray* rays = need(malloc(MOST * sizeof *rays));
    kai_collision_hit* hits = need(malloc(MOST * sizeof *hits));
    const size_t count = make_rays(set, rays);
    double best = HUGE_VAL;
    for (int r = 0; r <= o->repetitions; r++) { // the first one makes the tree
        const double began = kai_clock_now();
        common_check(world, kai_collision_rays(world, rays, count, hits));
        if (r > 0) best = fmin(best, kai_clock_now() - began);
    }
    size_t met = 0;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!(hits[i].distance < HUGE_VAL)) continue;
        met++;
        sum += hits[i].distance;
    }
    printf("  %-8s %-8s %9zu  %5.1f %%  %9.4f  %6.2f\n", scene, set, count,
           100.0 * (double)met / (double)count, met ? sum / (double)met : 0.0,
           1e-6 * (double)count / best);
    if (o->csv)
        fprintf(o->csv, "rays,%s,%s,%zu,%.4f,%.4g\n", scene, set, count,
                (double)met / (double)count, (double)count / best);
    free(rays);
    free(hits);
}

int main(int argc, char** argv)
{
    const common_options o = common_read_options(argc, argv, "Rays per second of one thread.");
    if (o.csv) fprintf(o.csv, "benchmark,scene,rays,count,hits,rays_per_second\n");
    printf("  scene    rays         count     hits   distance  million rays/s\n");
    for (int s = 0; s < SCENE_COUNT; s++) {
        kai_world* world = make_scene(SCENES[s]);
        for (int r = 0; r < RAY_COUNT; r++) measure(&o, world, SCENES[s], RAYS[r]);
        kai_world_destroy(world);
    }
    if (o.csv) fclose(o.csv);
    return 0;
}
