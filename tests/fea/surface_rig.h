// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Worlds with lines, beams, sheets, balls and floors, for tests of surfaces in contacts.
#ifndef TESTS_FEA_SURFACE_RIG_H
#define TESTS_FEA_SURFACE_RIG_H

#include "helper.h"

#include <kairos/kairos.h>
#include <math.h>
#include <stdio.h>

HELPER const double G = 9.81;

HELPER kai_world* make_world(int threads, int32_t method, bool gravity, double young)
{
    kai_world_def def = kai_world_def_default();
    def.threads = threads;
    def.gravity = kai_vec3_make(0.0, 0.0, gravity ? -G : 0.0);
    kai_world* world;
    kai_error err = {0};
    if (kai_world_create(&def, &world, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_contact_def contact = kai_contact_def_default();
    contact.method = method;
    check_ok(kai_contact_set(world, &contact));
    kai_solver_def solver = kai_solver_def_default();
    solver.tolerance = 1e-10; // closed forms
    check_ok(kai_solver_set(world, &solver));
    // What all things here are made of.
    kai_material_def material = kai_material_def_default();
    kai_material made;
    snprintf(material.name.text, sizeof material.name.text, "stuff");
    material.young = young;
    material.restitution = 0.05;
    material.friction = 0.5;
    check_ok(kai_material_create(world, &material, &made));
    return world;
}

HELPER kai_solid add_solid(kai_world* world, double young, double density, double damping)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.base.density = density;
    p.base.damping = damping;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

HELPER kai_body add_body(kai_world* world, double mass, kai_vec3 at, const kai_shape_kind* kind,
                         const void* params, double inertia)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = mass;
    def.inertia = (kai_inertia){inertia, inertia, inertia, 0, 0, 0};
    def.position = at;
    check_ok(kai_body_create(world, &def, &body));
    kai_shape_def shape = kai_shape_def_default();
    kai_shape made;
    shape.material = kai_material_find(world, "stuff");
    check_ok(kai_shape_create(world, body, kind, params, &shape, &made));
    return body;
}

HELPER kai_body add_ball(kai_world* world, double mass, double radius, kai_vec3 at)
{
    const kai_shape_sphere_params sphere = {radius};
    return add_body(world, mass, at, &kai_shape_sphere, &sphere, 0.4 * mass * radius * radius);
}

/// A line of bars along x, at some y.
HELPER kai_structure add_bars(kai_world* world, double length, int cells, kai_solid solid,
                              double area, double y)
{
    kai_structure_cable_params p;
    kai_element_bar_params bar = {.solid = solid, .area = area};
    const double points[] = {0.0, 0.0, 0.0, length, 0.0, 0.0};
    kai_structure structure;
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    p.base.position.y = y;
    p.points = (kai_table){points, 2, 3};
    p.cells = cells;
    check_ok(kai_structure_create(world, &kai_structure_cable, &p, &kai_element_bar, &bar, NULL,
                                  &structure));
    return structure;
}

/// The same of beams, which end at bodies.
HELPER kai_structure add_beams(kai_world* world, double length, int cells, kai_solid solid,
                               double radius)
{
    kai_structure_cable_params p;
    kai_element_euler_beam_params beam;
    const double points[] = {0.0, 0.0, 0.0, length, 0.0, 0.0};
    kai_structure structure;
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    p.points = (kai_table){points, 2, 3};
    p.cells = cells;
    beam.solid = solid;
    beam.radius = radius;
    check_ok(kai_structure_create(world, &kai_structure_cable, &p, &kai_element_euler_beam, &beam,
                                  "beams", &structure));
    return structure;
}

/// A sheet of shells.
HELPER kai_structure add_sheet(kai_world* world, double size, int cells, kai_solid solid,
                               double thickness, kai_vec3 at)
{
    kai_structure_sheet_params p;
    kai_element_ancf_shell_params shell;
    kai_structure structure;
    kai_kind_defaults(&kai_structure_sheet.kind, &p);
    kai_kind_defaults(&kai_element_ancf_shell.kind, &shell);
    p.base.position = at;
    p.size[0] = p.size[1] = size;
    p.cells[0] = p.cells[1] = cells;
    shell.layers.solid = solid;
    shell.layers.thickness = thickness;
    check_ok(kai_structure_create(world, &kai_structure_sheet, &p, &kai_element_ancf_shell, &shell,
                                  "sheet", &structure));
    return structure;
}

HELPER void touch(kai_world* world, kai_structure structure, kai_structure_contact_type type,
                  double radius)
{
    check_ok(kai_structure_contact_surface(world, structure, "all", type, radius,
                                           kai_material_find(world, "stuff"), false));
}

HELPER void step(kai_world* world, double h, double seconds)
{
    for (int i = 0; i < (int)lround(seconds / h); i++)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

HELPER double force_on(kai_world* world, kai_body body)
{
    kai_vec3 force, torque;
    check_ok(kai_contact_report_body(world, body, &force, &torque));
    return force.z;
}

/// A body moves up and down alone, against a damper.
HELPER void guide(kai_world* world, kai_body body, double damping)
{
    kai_body_def def = kai_body_def_default();
    kai_body ground;
    def.fixed = true;
    check_ok(kai_body_create(world, &def, &ground));
    kai_joint_base joint;
    kai_joint id;
    kai_kind_defaults(&kai_joint_prismatic.kind, &joint);
    joint.bodies[0] = ground;
    joint.bodies[1] = body;
    joint.at = kai_body_position(world, body);
    joint.axis = kai_vec3_axis(2);
    check_ok(kai_joint_create(world, &kai_joint_prismatic, &joint, NULL, &id));
    kai_load_linear_spring_params damper;
    kai_load load;
    kai_kind_defaults(&kai_load_linear_spring.kind, &damper);
    damper.joint = id;
    damper.damping = kai_curve_line(damping);
    check_ok(kai_load_create(world, &kai_load_linear_spring, &damper, NULL, &load));
}

/// A floor at z = 0 of some kind.
HELPER kai_body add_floor(kai_world* world, int kind)
{
    const double corners[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, -1, -1, -1, 1, 1, -1};
    const double triangles[] = {0, 1, 2, 0, 2, 3};
    const kai_shape_plane_params plane = {.normal = {0, 0, 1}};
    const kai_shape_box_params box = {.size = {2, 2, 2}};
    const kai_shape_round_params log = {.radius = 1.0, .length = 2.0};
    kai_shape_hull_params hull;
    kai_shape_mesh_params mesh;
    kai_kind_defaults(&kai_shape_hull.kind, &hull);
    kai_kind_defaults(&kai_shape_mesh.kind, &mesh);
    hull.points = (kai_table){corners, 6, 3};
    mesh.vertices = (kai_table){corners, 4, 3};
    mesh.triangles = (kai_table){triangles, 2, 3};
    const kai_shape_kind* kinds[] = {&kai_shape_plane, &kai_shape_box, &kai_shape_hull,
                                     &kai_shape_mesh, &kai_shape_capsule};
    const void* params[] = {&plane, &box, &hull, &mesh, &log};
    const double low[] = {0, -1, 0, 0, -1};
    const kai_body body =
        add_body(world, 1.0, kai_vec3_make(0.0, 0.0, low[kind]), kinds[kind], params[kind], 1.0);
    check_ok(kai_body_set_fixed(world, body, true));
    if (kind == 4) { // it lies
        const kai_quat lying =
            kai_quat_from_axis_angle(kai_vec3_axis(0), 0.5 * 3.14159265358979323846);
        check_ok(
            kai_body_set_frame(world, body, kai_frame_make(kai_vec3_make(0.0, 0.0, -1.0), lying)));
    }
    return body;
}

#endif
