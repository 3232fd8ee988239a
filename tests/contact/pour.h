// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Many balls in a box with an open top.
#ifndef TESTS_CONTACT_POUR_H
#define TESTS_CONTACT_POUR_H

#include "contact/stage.h"

#include <kairos/particles.h>

static const double POUR_R = 5e-3, POUR_DENSITY = 2500.0; // mean radius, m; kg/m³

/// Floor and four walls around a square of side `width`.
HELPER void pour_box(kai_world* world, double width, kai_material material, kai_body walls[5])
{
    walls[0] = stage_floor(world, material);
    for (int i = 0; i < 4; i++) {
        const double sign = i % 2 ? 1.0 : -1.0;
        const kai_vec3 out = i < 2 ? kai_vec3_make(sign, 0, 0) : kai_vec3_make(0, sign, 0);
        walls[i + 1] = stage_plane(world, kai_vec3_scale(out, 0.5 * width),
                                   kai_vec3_scale(out, -1.0), material);
    }
}

/// `side` × `side` × `layers` balls, radii within a tenth of the mean, on a shaken grid that just
/// fits the width 2.3 R side; none touches. They begin with `speed` in all directions.
HELPER kai_particles pour_grains(kai_world* world, int side, int layers, double speed,
                                 kai_material material)
{
    const size_t n = (size_t)side * (size_t)side * (size_t)layers;
    double* columns = malloc(7 * n * sizeof *columns);
    assert_non_null(columns);
    const double pitch = 2.3 * POUR_R, half = 0.5 * (side - 1);
    for (size_t i = 0; i < n; i++) {
        const kai_vec3 shake = kai_vec3_scale(helper_random_vec3(i), 0.05 * POUR_R),
                       v = kai_vec3_scale(helper_random_vec3(n + i), speed);
        const double grid[3] = {(double)(i % (size_t)side) - half,
                                (double)(i / (size_t)side % (size_t)side) - half,
                                (double)(i / (size_t)side / (size_t)side) + 0.6};
        columns[i] = pitch * grid[0] + shake.x;
        columns[n + i] = pitch * grid[1] + shake.y;
        columns[2 * n + i] = pitch * grid[2] + shake.z;
        columns[3 * n + i] = v.x;
        columns[4 * n + i] = v.y;
        columns[5 * n + i] = v.z;
        columns[6 * n + i] = POUR_R * (1.0 + 0.1 * helper_random(3 * n + i));
    }
    const kai_shape_sphere_params sphere = {POUR_R};
    kai_particles_def def = kai_particles_def_default();
    kai_particles group = {0};
    def.shape = &kai_shape_sphere;
    def.shape_params = &sphere;
    def.common.material = material;
    def.density = POUR_DENSITY;
    def.table = (kai_particle_table){.count = n,
                                     .x = columns,
                                     .y = columns + n,
                                     .z = columns + 2 * n,
                                     .vx = columns + 3 * n,
                                     .vy = columns + 4 * n,
                                     .vz = columns + 5 * n,
                                     .radius = columns + 6 * n};
    if (kai_particles_create(world, &def, &group) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    free(columns);
    return group;
}

/// Width of the box of such a pour.
HELPER double pour_width(int side) { return 2.3 * POUR_R * side; }

/// A material whose stable step is about 1e-4 s for these grains.
HELPER kai_material_def pour_surface(double friction)
{
    kai_material_def surface = kai_material_def_default();
    surface.friction = friction;
    surface.young = 1e6;
    surface.restitution = 0.2;
    return surface;
}

#endif
