// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes, materials and contact
// =============================
// A box slides down a slope of 20 degrees with friction 0.25, and a second one with friction 0.6 stays. In
// closed form the first has the acceleration g (sin 20° - 0.25 cos 20°) = 1.0506 m/s².
#include <kairos/kairos.h>
#include <math.h>
#include <stdio.h>

static kai_world* world;

static int fail(void)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

// A body with a box; its mass follows from density and shape.
static kai_result add_box(const char* name, kai_vec3 size, kai_vec3 position, kai_quat rotation,
                          double friction, bool fixed, kai_body* out)
{
    kai_material_def material_def = kai_material_def_default();
    material_def.friction = friction;
    kai_material material;
    kai_result r = kai_material_create(world, &material_def, &material);

    kai_body_def def = kai_body_def_default();
    def.fixed = fixed;
    def.mass = fixed ? 0.0 : 1.0; // until the density is known
    def.inertia = fixed ? (kai_inertia){0} : (kai_inertia){.xx = 1, .yy = 1, .zz = 1};
    def.position = position;
    def.rotation = rotation;
    snprintf(def.name.text, sizeof def.name.text, "%s", name);
    if (!r) r = kai_body_create(world, &def, out);

    const kai_shape_box_params box = {.size = size};
    kai_shape_def shape_def = kai_shape_def_default();
    shape_def.material = material;
    kai_shape shape;
    if (!r) r = kai_shape_create(world, *out, &kai_shape_box, &box, &shape_def, &shape);
    if (!r && !fixed) r = kai_body_set_density(world, *out, 700.0);
    return r;
}

int main(void)
{
    kai_world_def def = kai_world_def_default();
    if (kai_world_create(&def, &world, NULL)) return 1;
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_NSC; // without this bodies pass through each other
    if (kai_contact_set(world, &contact)) return fail();
    kai_solver_def solver = kai_solver_def_default();
    solver.tolerance = 1e-9; // m/s; the default, a ten-thousandth of g h, is enough for most
    if (kai_solver_set(world, &solver)) return fail();

    const double angle = 20.0 * 3.14159265358979 / 180.0;
    const kai_quat tilt =
        kai_quat_make(cos(angle / 2), 0.0, sin(angle / 2), 0.0); // about y: x goes down
    const kai_vec3 down = kai_vec3_make(cos(angle), 0.0, -sin(angle));
    const kai_vec3 up = kai_vec3_make(sin(angle), 0.0, cos(angle));
    const kai_vec3 cube = kai_vec3_make(0.2, 0.2, 0.2);
    kai_body slope, slides, stays;
    // The smaller friction of two materials counts, so the slope gets a large one.
    if (add_box("slope", kai_vec3_make(8, 2, 0.2), kai_vec3_scale(up, -0.1), tilt, 0.9, true,
                &slope))
        return fail();
    const kai_vec3 start = kai_vec3_scale(up, 0.1);
    if (add_box("slides", cube, start, tilt, 0.25, false, &slides)) return fail();
    if (add_box("stays", cube, kai_vec3_add(start, kai_vec3_make(0, 0.5, 0)), tilt, 0.6, false,
                &stays))
        return fail();

    if (kai_world_step_until(world, 1.0, 2e-3)) return fail();
    printf("slides at %.4f m/s, closed form %.4f\n",
           kai_vec3_dot(kai_body_velocity(world, slides), down),
           9.81 * (sin(angle) - 0.25 * cos(angle)));
    printf("stays at %.4f m/s\n", kai_vec3_norm(kai_body_velocity(world, stays)));

    // Who touches whom, and how hard: the contacts of the last step, and their sum on a body.
    size_t touching = 0;
    for (size_t i = 0; i < kai_contact_report_count(world); i++) {
        kai_contact_report one;
        if (kai_contact_report_at(world, i, &one)) return fail();
        touching += kai_vec3_norm(one.force) > 0.0;
    }
    kai_vec3 force, torque;
    kai_mass_properties mass;
    if (kai_contact_report_body(world, stays, &force, &torque)) return fail();
    if (kai_body_mass(world, stays, &mass)) return fail();
    printf(
        "%zu contacts with a force; the slope carries %.3f N of the second box, which weighs %.3f N\n",
        touching, force.z, mass.mass * 9.81);
    kai_world_destroy(world);
    return 0;
}
