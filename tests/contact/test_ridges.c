// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sharp edges that run the same way: two cards that lean on each other.
#include "contact/stage.h"

static const double LENGTH = 0.1, WIDTH = 0.06, THICK = 0.001, MASS = 0.005;

static void put(kai_world* world, double side, double angle, bool hull, kai_material material)
{
    const double c = cos(angle), s = sin(angle);
    // Its lower face's edges stand on the floor and touch the other card above the origin.
    const kai_vec3 at = kai_vec3_make(-side * (0.5 * LENGTH * c + 0.5 * THICK * s), 0.0,
                                      0.5 * LENGTH * s + 0.5 * THICK * c);
    const kai_quat turn = kai_quat_from_axis_angle(kai_vec3_axis(1), -side * angle);
    const kai_vec3 size = kai_vec3_make(LENGTH, WIDTH, THICK);
    if (!hull) {
        stage_box(world, size, MASS, at, turn, material);
        return;
    }
    double points[24];
    for (int i = 0; i < 8; i++) {
        points[3 * i] = (i & 1 ? 0.5 : -0.5) * LENGTH;
        points[3 * i + 1] = (i & 2 ? 0.5 : -0.5) * WIDTH;
        points[3 * i + 2] = (i & 4 ? 0.5 : -0.5) * THICK;
    }
    const kai_shape_hull_params shape = {.points = {points, 8, 3}, .scale = 1.0};
    kai_body_def def = kai_body_def_default();
    def.mass = MASS;
    def.inertia = (kai_inertia){.xx = MASS / 12.0 * WIDTH * WIDTH,
                                .yy = MASS / 12.0 * LENGTH * LENGTH,
                                .zz = MASS / 12.0 * (LENGTH * LENGTH + WIDTH * WIDTH)};
    def.position = at;
    def.rotation = turn;
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_hull, &shape, kai_vec3_zero(), material);
}

/// How far the cards sink in 0.5 s.
static double sinking(double angle, double friction, bool hull)
{
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    stage_solver(world, KAI_SOLVER_APGD, 1000, 1e-9);
    const kai_material_def surface = stage_rough(friction);
    const kai_material material = stage_material(world, &surface);
    stage_floor(world, material);
    put(world, 1.0, angle, hull, material);
    put(world, -1.0, angle, hull, material);
    const kai_body card = kai_body_at(world, 1);
    const double before = kai_body_position(world, card).z;
    stage_steps(world, 500, 1e-3);
    const double after = kai_body_position(world, card).z;
    kai_world_destroy(world);
    return before - after;
}

// Cards of no thickness stand with μ = 1 / (2 tan α): W (L / 2) cos α = H L sin α about the foot,
// where H is the push at the top, level for reasons of symmetry, and friction at the foot. The foot
// and the top are edges of the lower face: the thickness takes t / (2 L) from that.
static void test_cards(void** state)
{
    for (int degrees = 50; degrees <= 75; degrees += 5) {
        const double angle = degrees * KAI_PI / 180.0;
        const double needed = 0.5 / tan(angle) - 0.5 * THICK / LENGTH;
        for (int hull = 0; hull < 2; hull++) {
            const double stands = sinking(angle, 1.01 * needed, hull);
            const double falls = sinking(angle, 0.98 * needed, hull);
            if (!(fabs(stands) < 1e-6 && falls > 1e-4))
                fail_msg("%d degrees, %s: sinks by %g and %g m", degrees, hull ? "hulls" : "boxes",
                         stands, falls);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
