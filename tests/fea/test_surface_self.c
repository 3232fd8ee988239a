// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of flexible bodies that touch themselves.
//
// ctest-labels: slow
#include "fea/surface_rig.h"

/// A soft tube on the ground with a ball on it that presses it flat: wall on wall.
static void a_tube_is_pressed_flat(int32_t method, double h, double seconds)
{
    kai_world* world = make_world(1, method, true, 1e6);
    add_floor(world, 0);
    const kai_solid solid = add_solid(world, 1e5, 1000.0, 2e-2);
    const double r = 0.004, R = 0.03, radius = 0.05;
    kai_structure_cylinder_params p;
    kai_element_ancf_shell_params shell;
    kai_structure tube;
    kai_kind_defaults(&kai_structure_cylinder.kind, &p);
    kai_kind_defaults(&kai_element_ancf_shell.kind, &shell);
    p.base.position = kai_vec3_make(0.0, 0.0, radius + r);
    p.radius = radius;
    p.length = 0.08;
    p.angle = 2.0 * 3.14159265358979323846;
    p.cells[0] = 2;
    p.cells[1] = 14;
    shell.layers.solid = solid;
    shell.layers.thickness = 0.003;
    check_ok(kai_structure_create(world, &kai_structure_cylinder, &p, &kai_element_ancf_shell,
                                  &shell, "tube", &tube));
    check_ok(kai_structure_contact_surface(world, tube, "all", KAI_STRUCTURE_CONTACT_TRIANGLES, r,
                                           kai_material_find(world, "stuff"), true));
    const kai_body ball =
        add_ball(world, 0.3, R, kai_vec3_make(0.0, 0.0, 2.0 * radius + 2.0 * r + R));
    guide(world, ball, 6.0);
    step(world, h, seconds);
    // By penalty walls give way by some tenths of a millimetre, and the ball still trembles.
    check_near(kai_body_position(world, ball).z, R + 4.0 * r, 2e-3, "on two walls");
    if (method == KAI_CONTACT_NSC)
        check_relative(force_on(world, ball), 0.3 * G, 1e-2, "which carry it");
    kai_world_destroy(world);
}

static void tubes_are_pressed_flat(void** state)
{
    a_tube_is_pressed_flat(KAI_CONTACT_SMC, 1e-4, 0.4);
    a_tube_is_pressed_flat(KAI_CONTACT_NSC, 5e-4, 0.6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes_are_pressed_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
