// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Structures: meshes that meet, point out and have their sets; supports, loads, errors, files.
#include "helper.h"
#include "model/render_mesh.h"

#include <kairos/kairos.h>
#include <math.h>
#include <unistd.h>

#define PI 3.14159265358979323846

static kai_world* make_world(void)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    kai_world* world;
    kai_error err = {0};
    if (kai_world_create(&def, &world, &err) != KAI_OK) fail_msg("%s", err.message);
    return world;
}

static kai_solid add_solid(kai_world* world, double young, double density)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.base.density = density;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

// Panels: 4 nodes without force, so that meshes of surfaces can be made of something simple.
typedef struct panel {
    kai_node nodes[4];
} panel;

static const kai_param PANEL_PARAMS[] = {{.name = "nodes",
                                          .type = KAI_PARAM_NODE,
                                          .offset = 0,
                                          .columns = 4,
                                          .required = true,
                                          .doc = "Corners."}};

static kai_result panel_prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    (void)setup, (void)data, (void)err;
    return KAI_OK;
}

static void panel_force(const kai_element_batch* batch)
{
    memset(batch->force, 0, batch->count * 24 * sizeof(double));
    if (batch->tangent) memset(batch->tangent, 0, batch->count * 24 * 24 * sizeof(double));
}

static double panel_energy(const kai_element_batch* batch, size_t i)
{
    (void)batch, (void)i;
    return 0.0;
}

static const kai_element_face PANEL_FACE[] = {{4, {0, 1, 2, 3}}};

static const kai_element_kind PANEL = {.kind = {KAI_SIZES(kai_element_kind), .name = "panel",
                                                .doc = "A face.", .size = sizeof(panel),
                                                .params = PANEL_PARAMS, .param_count = 1},
                                       .nodes = 4,
                                       .slopes = 1,
                                       .prepare = panel_prepare,
                                       .force = panel_force,
                                       .energy = panel_energy,
                                       .faces = PANEL_FACE,
                                       .face_count = 1};

// Tetrahedra of 10 nodes and hexahedra of 20, likewise.
#define VOLUME_KIND(NAME, COUNT, FACES)                                                         \
    {                                                                                           \
        .kind = {KAI_SIZES(kai_element_kind),                                                   \
                 .name = NAME,                                                                  \
                 .doc = "A cell.",                                                              \
                 .size = (COUNT) * sizeof(kai_node),                                            \
                 .params = (const kai_param[]){{.name = "nodes",                                \
                                                .type = KAI_PARAM_NODE,                         \
                                                .columns = COUNT,                               \
                                                .required = true,                               \
                                                .doc = "Nodes."}},                              \
                 .param_count = 1},                                                             \
        .nodes = COUNT, .prepare = panel_prepare, .force = panel_force, .energy = panel_energy, \
        .faces = FACES, .face_count = KAI_COUNT(FACES)                                          \
    }

static const kai_element_face TET_FACES[] = {
    {3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {2, 0, 3}}};
static const kai_element_face HEX_FACES[] = {{4, {0, 3, 2, 1}}, {4, {4, 5, 6, 7}},
                                             {4, {0, 1, 5, 4}}, {4, {1, 2, 6, 5}},
                                             {4, {2, 3, 7, 6}}, {4, {3, 0, 4, 7}}};
static const kai_element_kind TET10 = VOLUME_KIND("cell10", 10, TET_FACES);
static const kai_element_kind HEX20 = VOLUME_KIND("cell20", 20, HEX_FACES);

static kai_structure build(kai_world* world, const kai_structure_kind* kind, const void* params,
                           const kai_element_kind* element, const void* element_params,
                           const char* name)
{
    kai_structure s;
    if (kai_structure_create(world, kind, params, element, element_params, name, &s) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return s;
}

static kai_node_def node_of(const kai_world* world, kai_node node)
{
    kai_node_def def;
    check_ok(kai_node_get(world, node, &def));
    return def;
}

// Surfaces ---------------------------------------------------------------------------------------

/// Area of all faces, each of which looks along the slope of its nodes, and the volume inside.
static double surface(const kai_world* world, kai_structure s, double* volume)
{
    double area = 0.0;
    *volume = 0.0;
    for (size_t i = 0; i < kai_structure_element_count(world, s); i++) {
        const kai_node* nodes = kai_element_params(world, kai_structure_element_at(world, s, i));
        kai_vec3 p[4], n = kai_vec3_zero();
        for (int k = 0; k < 4; k++) {
            const kai_node_def def = node_of(world, nodes[k]);
            p[k] = def.position;
            n = kai_vec3_add(n, def.slope[0]);
            check_near(kai_vec3_norm(def.slope[0]), 1.0, 1e-14, "slopes are unit vectors");
        }
        const kai_vec3 a =
            kai_vec3_scale(kai_vec3_cross(kai_vec3_sub(p[2], p[0]), kai_vec3_sub(p[3], p[1])), 0.5);
        assert_true(kai_vec3_dot(a, n) > 3.5 * kai_vec3_norm(a));
        area += kai_vec3_norm(a);
        *volume +=
            kai_vec3_dot(a, kai_vec3_add(kai_vec3_add(p[0], p[1]), kai_vec3_add(p[2], p[3]))) /
            12.0;
    }
    return area;
}

static void test_sheet(void** state)
{
    kai_world* world = make_world();
    check_ok(kai_element_register(world, &PANEL));
    kai_structure_sheet_params p;
    kai_kind_defaults(&kai_structure_sheet.kind, &p);
    p.size[0] = 3.0, p.size[1] = 2.0, p.cells[0] = 6.0, p.cells[1] = 5.0;
    p.base.position = kai_vec3_make(1.0, 2.0, 3.0);
    p.base.rotation = kai_quat_from_axis_angle(kai_vec3_axis(0), PI / 2.0);
    const panel params = {0};
    const kai_structure s = build(world, &kai_structure_sheet, &p, &PANEL, &params, "cloth");
    double volume;
    check_near(surface(world, s, &volume), 6.0, 1e-12, "length times width");
    assert_int_equal(kai_structure_size(world, s, NULL), 42);
    assert_int_equal(kai_structure_size(world, s, "all"), 42);
    assert_int_equal(kai_structure_size(world, s, "x0"), 6);
    assert_int_equal(kai_structure_size(world, s, "y1"), 7);
    assert_int_equal(kai_structure_size(world, s, "z1"), 0);
    const kai_node corner = kai_node_find(world, "cloth.x1y0");
    check_vec3(node_of(world, corner).position, kai_vec3_make(2.5, 2.0, 2.0), 1e-14, "a corner");
    check_vec3(node_of(world, corner).slope[0], kai_vec3_make(0.0, -1.0, 0.0), 1e-14, "normal");
    assert_int_equal(kai_structure_find(world, "cloth").index, s.index);
    assert_string_equal(kai_structure_name(world, s), "cloth");
    for (size_t i = 0; i < 6; i++)
        check_near(node_of(world, kai_structure_node_at(world, s, "x0", i)).position.x, -0.5, 1e-14,
                   "x0 is the side of the smallest x");
    kai_world_destroy(world);
}

static void test_cylinder(void** state)
{
    kai_world* world = make_world();
    check_ok(kai_element_register(world, &PANEL));
    kai_structure_cylinder_params p;
    kai_kind_defaults(&kai_structure_cylinder.kind, &p);
    p.radius = 2.0, p.length = 3.0, p.cells[0] = 4.0, p.cells[1] = 50.0;
    const panel params = {0};
    kai_structure s = build(world, &kai_structure_cylinder, &p, &PANEL, &params, "can");
    double volume;
    const double side = 4.0 * sin(PI / 50.0) * 50.0;
    check_near(surface(world, s, &volume), 3.0 * side, 1e-10, "a prism of 50 sides");
    assert_int_equal(kai_structure_size(world, s, NULL), 250);
    assert_int_equal(kai_structure_size(world, s, "x1"), 50);
    assert_int_equal(kai_structure_size(world, s, "y0"), 0);
    p.angle = 1.0;
    s = build(world, &kai_structure_cylinder, &p, &PANEL, &params, "roof");
    assert_int_equal(kai_structure_size(world, s, NULL), 255);
    assert_int_equal(kai_structure_size(world, s, "y0"), 5);
    const kai_vec3 at = node_of(world, kai_structure_node_at(world, s, "y1", 0)).position;
    check_vec3(at, kai_vec3_make(-1.5, 2.0 * sin(0.5), 2.0 * cos(0.5)), 1e-14, "its edge");
    kai_world_destroy(world);
}

static void test_torus(void** state)
{
    kai_world* world = make_world();
    check_ok(kai_element_register(world, &PANEL));
    kai_structure_torus_params p;
    kai_kind_defaults(&kai_structure_torus.kind, &p);
    p.radius = 2.0, p.tube_radius = 0.5, p.cells[0] = 200.0, p.cells[1] = 100.0;
    const panel params = {0};
    kai_structure s = build(world, &kai_structure_torus, &p, &PANEL, &params, "ring");
    double volume;
    // Pappus; flat cells are short by (angle of a cell)²/6.
    check_relative(surface(world, s, &volume), 4.0 * PI * PI * 2.0 * 0.5, 2e-3, "Pappus, area");
    check_relative(volume, 2.0 * PI * PI * 2.0 * 0.25, 2e-3, "Pappus, volume");
    assert_int_equal(kai_structure_size(world, s, NULL), 20000);
    p.opening = 1.0;
    s = build(world, &kai_structure_torus, &p, &PANEL, &params, "tire");
    assert_int_equal(kai_structure_size(world, s, "y0"), 200);
    const double profile[] = {-0.1, 0.2, -0.12, 0.3, 0.0, 0.35, 0.12, 0.3, 0.1, 0.2};
    p.radius = p.tube_radius = (double)NAN;
    p.opening = 0.0;
    p.profile = (kai_table){profile, 5, 2};
    p.cells[1] = 8.0;
    s = build(world, &kai_structure_torus, &p, &PANEL, &params, "wheel");
    surface(world, s, &volume);
    for (size_t i = 0; i < 200; i++) {
        const kai_vec3 r = node_of(world, kai_structure_node_at(world, s, "y1", i)).position;
        check_near(hypot(r.x, r.z), 0.2, 1e-14, "the last point of the profile");
        check_near(r.y, 0.1, 1e-14, "the last point of the profile");
    }
    kai_world_destroy(world);
}

// Volumes ----------------------------------------------------------------------------------------

/// Nodes between corners lie in their middle; cells fill the box.
static double check_cells(const kai_world* world, kai_structure s, int corners,
                          const uint8_t (*edges)[2], int count)
{
    double volume = 0.0;
    for (size_t i = 0; i < kai_structure_element_count(world, s); i++) {
        const kai_node* nodes = kai_element_params(world, kai_structure_element_at(world, s, i));
        kai_vec3 p[20];
        for (int k = 0; k < corners + count; k++) p[k] = node_of(world, nodes[k]).position;
        for (int k = 0; k < count; k++)
            check_vec3(p[corners + k], kai_vec3_lerp(p[edges[k][0]], p[edges[k][1]], 0.5), 1e-14,
                       "the middle of an edge, in VTK's order");
        const kai_vec3 a = kai_vec3_sub(p[1], p[0]),
                       b = kai_vec3_sub(p[corners == 4 ? 2 : 3], p[0]),
                       c = kai_vec3_sub(p[corners == 4 ? 3 : 4], p[0]);
        const double v = kai_vec3_dot(kai_vec3_cross(a, b), c) / (corners == 4 ? 6.0 : 1.0);
        assert_true(v > 0.0);
        volume += v;
    }
    return volume;
}

static void test_box(void** state)
{
    static const uint8_t HEX[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                       {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    static const uint8_t TET[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    kai_world* world = make_world();
    check_ok(kai_element_register(world, &TET10));
    check_ok(kai_element_register(world, &HEX20));
    kai_structure_box_params p;
    kai_kind_defaults(&kai_structure_box.kind, &p);
    const double size[3] = {3.0, 2.0, 1.0}, cells[3] = {4.0, 3.0, 2.0};
    memcpy(p.size, size, sizeof size);
    memcpy(p.cells, cells, sizeof cells);
    const kai_node params[20] = {{0}};
    kai_structure s = build(world, &kai_structure_box, &p, &HEX20, params, "hexahedra");
    check_near(check_cells(world, s, 8, HEX, 12), 6.0, 1e-12, "volume of the box");
    // 60 corners; edges along x, y and z.
    assert_int_equal(kai_structure_size(world, s, NULL), 60 + 4 * 12 + 5 * 9 + 20 * 2);
    assert_int_equal(kai_structure_size(world, s, "x0"), 12 + 9 + 8);
    // A force on a side goes by area: corners of faces get a quarter each.
    check_ok(kai_structure_force(world, s, "x1", kai_vec3_make(0.0, 0.0, 12.0)));
    double sum = 0.0, moment = 0.0;
    for (size_t i = 0; i < kai_structure_size(world, s, "x1"); i++) {
        const kai_node_def def = node_of(world, kai_structure_node_at(world, s, "x1", i));
        sum += def.force[0].z;
        moment += def.position.y * def.force[0].z;
    }
    check_near(sum, 12.0, 1e-12, "the whole force");
    check_near(moment, 0.0, 1e-12, "in the middle");
    s = build(world, &kai_structure_box, &p, &TET10, params, "tetrahedra");
    check_near(check_cells(world, s, 4, TET, 6), 6.0, 1e-12, "volume of the box");
    assert_int_equal(kai_structure_size(world, s, NULL), 9 * 7 * 5);
    assert_int_equal(kai_structure_element_count(world, s), 6 * 24);
    check_vec3(node_of(world, kai_node_find(world, "tetrahedra.x1y0z1")).position,
               kai_vec3_make(1.5, -1.0, 0.5), 1e-14, "a corner");
    kai_world_destroy(world);
}

// Lines ------------------------------------------------------------------------------------------

static kai_structure_cable_params line_of(const double* points, uint32_t count, int64_t cells)
{
    kai_structure_cable_params p;
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    p.points = (kai_table){points, count, 3};
    p.cells = cells;
    return p;
}

static kai_structure rope(kai_world* world, const kai_structure_cable_params* p, double area,
                          double moment, const char* name)
{
    kai_element_ancf_cable_params cable;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    cable.solid = add_solid(world, 1.0, 1.0);
    cable.area = area;
    cable.moment = moment;
    return build(world, &kai_structure_cable, p, &kai_element_ancf_cable, &cable, name);
}

// A quarter of a circle through points: the cubic is near it, and the cells are of equal length.
static void test_cable_through_points(void** state)
{
    double points[17][3];
    for (int i = 0; i < 17; i++) {
        const double a = PI / 2.0 * i / 16.0;
        points[i][0] = sin(a), points[i][1] = 0.0, points[i][2] = 1.0 - cos(a);
    }
    kai_world* world = make_world();
    kai_structure_cable_params p = line_of(&points[0][0], 17, 10);
    const kai_structure s = rope(world, &p, 1.0, 1.0, "arc");
    assert_int_equal(kai_structure_size(world, s, NULL), 11);
    for (size_t i = 0; i <= 10; i++) {
        const kai_node_def def = node_of(world, kai_structure_node_at(world, s, NULL, i));
        const double a = PI / 2.0 * (double)i / 10.0;
        check_vec3(def.position, kai_vec3_make(sin(a), 0.0, 1.0 - cos(a)), 1e-4, "on the circle");
        check_vec3(def.slope[0], kai_vec3_make(cos(a), 0.0, sin(a)), 2e-3, "along it");
    }
    assert_false(KAI_IS_NULL(kai_node_find(world, "arc.x0")));
    assert_false(KAI_IS_NULL(kai_node_find(world, "arc.x1")));
    kai_world_destroy(world);
}

// The elastica of test_element_ancf_cable.c by the engine's own statics: cables and beams. They are
// stretched by P/EA = 2e-5.
static void test_elastica(void** state)
{
    const double points[2][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    kai_world* world = make_world();
    kai_structure_cable_params p = line_of(&points[0][0], 2, 40);
    const kai_structure s = rope(world, &p, 1e5, 1.0, "rope");
    check_ok(kai_structure_fix(world, s, "x0", KAI_NODE_FIX_ALL));
    check_ok(kai_structure_force(world, s, "x1", kai_vec3_make(0.0, 0.0, 2.0)));
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    beam.solid = add_solid(world, 1.0, 1.0);
    beam.area = 1e5, beam.iyy = beam.izz = 1.0, beam.torsion = 1.0;
    p.cells = 20;
    p.base.position.y = 1.0;
    const kai_structure t =
        build(world, &kai_structure_cable, &p, &kai_element_euler_beam, &beam, "rod");
    check_ok(kai_structure_fix(world, t, "x0", KAI_NODE_FIX_ALL));
    check_ok(kai_structure_force(world, t, "x1", kai_vec3_make(0.0, 0.0, 2.0)));
    if (kai_world_statics(world) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    const kai_vec3 end = node_of(world, kai_node_find(world, "rope.x1")).position;
    check_near(1.0 - end.x, 0.16064, 4e-5, "Mattiasson's u/L, cables");
    check_near(end.z, 0.49346, 4e-5, "Mattiasson's w/L, cables");
    const kai_vec3 tip = kai_body_position(world, kai_body_find(world, "rod.x1"));
    check_near(1.0 - tip.x, 0.16064, 4e-5, "Mattiasson's u/L, beams");
    check_near(tip.z, 0.49346, 4e-5, "Mattiasson's w/L, beams");
    kai_world_destroy(world);
}

// Free flight: energy and both momenta are kept, by cables and by beams.
static void check_flight(const kai_element_kind* element, const void* params, kai_world* world)
{
    const double points[2][3] = {{-0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    kai_structure_cable_params p = line_of(&points[0][0], 2, 8);
    p.base.velocity = kai_vec3_make(1.0, 0.5, -0.2);
    p.base.angular_velocity = kai_vec3_make(0.0, 2.0, 3.0);
    const kai_structure s = build(world, &kai_structure_cable, &p, element, params, "bird");
    assert_int_equal(kai_structure_element_count(world, s), 8);
    kai_energy before, after;
    kai_vec3 linear, angular, linear1, angular1;
    check_ok(kai_world_energy(world, &before));
    check_ok(kai_world_momentum(world, &linear, &angular));
    for (int i = 0; i < 500; i++)
        if (kai_world_step(world, 2e-4) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    check_ok(kai_world_energy(world, &after));
    check_ok(kai_world_momentum(world, &linear1, &angular1));
    // 0.1 s of 0.3 kg at 0.4 J: the trapezoidal rule keeps linear momentum to rounding, the others
    // to h², of which the fastest waves along the rod have (6e-2)² a step.
    check_near(after.kinetic + after.elastic, before.kinetic + before.elastic,
               1e-6 * before.kinetic, "energy");
    check_vec3(linear1, linear, 1e-13, "momentum");
    check_vec3(angular1, angular, 1e-6 * kai_vec3_norm(angular), "angular momentum");
}

static void test_flight(void** state)
{
    for (int beams = 0; beams < 2; beams++) {
        kai_world* world = make_world();
        kai_element_ancf_cable_params cable;
        kai_element_euler_beam_params beam;
        kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
        kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
        cable.solid = beam.solid = add_solid(world, 1e8, 1000.0);
        cable.radius = beam.radius = 0.01;
        check_ok(kai_integrator_set(world, &kai_integrator_trapezoidal, NULL));
        if (beams)
            check_flight(&kai_element_euler_beam, &beam, world);
        else
            check_flight(&kai_element_ancf_cable, &cable, world);
        kai_world_destroy(world);
    }
}

/// A net of cables like kai_structure_net's, but each strand has knots of its own, tied by joints.
static void build_tied(kai_world* world, const kai_structure_net_params* p,
                       const kai_element_ancf_cable_params* cable, kai_node knots[2][4][4])
{
    for (int along = 0; along < 2; along++) {
        for (int line = 0; line < 4; line++) {
            kai_node last = {0};
            for (int i = 0; i <= 6; i++) {
                const double s = p->size[along] * (i / 6.0 - 0.5),
                             at = p->size[1 - along] * (line / 3.0 - 0.5);
                kai_node_def def = kai_node_def_default();
                kai_node node;
                kai_element element;
                def.slopes = 1;
                def.slope[0] = kai_vec3_axis(along);
                def.position = along == 0 ? kai_vec3_make(s, at, 0.0) : kai_vec3_make(at, s, 0.0);
                if (i == 0 || i == 6 || (along == 0 && line % 3 == 0) ||
                    (along == 1 && i % 2 == 1 && line % 3 == 0))
                    def.fixed = KAI_NODE_FIX_POSITION;
                // Held once: ties of both would hold twice.
                if (along == 1 && i % 2 == 0) def.fixed = 0;
                check_ok(kai_node_create(world, &def, NULL, &node));
                if (i % 2 == 0)
                    knots[along][along == 0 ? i / 2 : line][along == 0 ? line : i / 2] = node;
                kai_element_ancf_cable_params one = *cable;
                one.nodes[0] = last;
                one.nodes[1] = node;
                if (i > 0)
                    check_ok(
                        kai_element_create(world, &kai_element_ancf_cable, &one, NULL, &element));
                last = node;
            }
        }
    }
    for (int k = 0; k < 16; k++) {
        kai_joint_node_node_params tie;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_node_node.kind, &tie);
        tie.nodes[0] = knots[0][k / 4][k % 4];
        tie.nodes[1] = knots[1][k / 4][k % 4];
        check_ok(kai_joint_create(world, &kai_joint_node_node, &tie, NULL, &joint));
    }
}

// 3 × 2 meshes of two elements a side: knots are shared. A net of cables that is held at its sides
// sags under gravity alike on both sorts of strands, and as one of strands that are tied by joints.
static void test_net(void** state)
{
    kai_world* world = make_world();
    kai_structure_net_params p;
    kai_kind_defaults(&kai_structure_net.kind, &p);
    p.size[0] = 3.0, p.size[1] = 2.0, p.cells[0] = 3.0, p.cells[1] = 2.0, p.segments = 2;
    const kai_solid solid = add_solid(world, 1e6, 1000.0);
    const kai_element_bar_params bar = {{{0}}, solid, 1e-4};
    kai_structure s = build(world, &kai_structure_net, &p, &kai_element_bar, &bar, "bars");
    assert_int_equal(kai_structure_size(world, s, NULL), 12 + 3 * 3 + 4 * 2);
    assert_int_equal(kai_structure_element_count(world, s), 3 * 6 + 4 * 4);
    assert_int_equal(kai_structure_size(world, s, "x0"), 5);
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    beam.solid = solid;
    beam.width = 0.01, beam.height = 0.02;
    s = build(world, &kai_structure_net, &p, &kai_element_euler_beam, &beam, "beams");
    assert_int_equal(kai_structure_size(world, s, NULL), 29);
    kai_world_destroy(world);

    world = make_world();
    kai_element_ancf_cable_params cable;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    cable.solid = add_solid(world, 1e6, 1000.0);
    cable.radius = 0.01;
    p.size[1] = 3.0, p.cells[1] = 3.0, p.segments = 2;
    s = build(world, &kai_structure_net, &p, &kai_element_ancf_cable, &cable, "net");
    assert_int_equal(kai_structure_size(world, s, NULL), 4 * 7 + 4 * 3);
    static const char* const SIDES[] = {"x0", "x1", "y0", "y1"};
    for (int i = 0; i < 4; i++)
        check_ok(kai_structure_fix(world, s, SIDES[i], KAI_NODE_FIX_POSITION));
    kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -9.81));
    if (kai_world_statics(world) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    kai_world* tied = make_world();
    kai_node knots[2][4][4];
    cable.solid = add_solid(tied, 1e6, 1000.0);
    build_tied(tied, &p, &cable, knots);
    kai_world_set_gravity(tied, kai_vec3_make(0.0, 0.0, -9.81));
    if (kai_world_statics(tied) != KAI_OK) fail_msg("%s", kai_world_error(tied)->message);
    double lowest[2] = {0.0, 0.0};
    for (size_t i = 0; i < 40; i++) {
        const kai_node_def def = node_of(world, kai_structure_node_at(world, s, NULL, i));
        if (def.slopes == 1) {
            lowest[i >= 28] = fmin(lowest[i >= 28], def.position.z);
            continue;
        }
        // Both are solved to a residual of some 1e-9 of the weight; stiffness turns that to less.
        for (int along = 0; along < 2; along++) {
            const kai_node_def other = node_of(tied, knots[along][i % 7 / 2][i / 7]);
            check_near(kai_vec3_distance(other.position, def.position), 0.0, 1e-8, "position");
            check_near(kai_vec3_distance(other.slope[0], def.slope[along]), 0.0, 1e-7, "slope");
        }
    }
    assert_true(lowest[0] < -0.01);
    check_near(lowest[1], lowest[0], 1e-9, "the net looks the same along x and y");
    kai_world_destroy(tied);
    kai_world_destroy(world);
}

// A straight rope with damping starts to fall: where it is straight the direction of its curvature
// is not known, and a linearly implicit step must not mind. Energy only goes down.
static void test_damped_rope(void** state)
{
    const double points[2][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    kai_world* world = make_world();
    kai_structure_cable_params line = line_of(&points[0][0], 2, 20);
    kai_solid_elastic_params nylon;
    kai_kind_defaults(&kai_solid_elastic.kind, &nylon);
    nylon.young = 1e7, nylon.base.density = 1100.0, nylon.base.damping = 1e-3;
    kai_element_ancf_cable_params cable;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    check_ok(kai_solid_create(world, &kai_solid_elastic, &nylon, NULL, &cable.solid));
    cable.radius = 0.01;
    const kai_structure s =
        build(world, &kai_structure_cable, &line, &kai_element_ancf_cable, &cable, "rope");
    check_ok(kai_structure_fix(world, s, "x0", KAI_NODE_FIX_POSITION));
    check_ok(kai_structure_fix(world, s, "x1", KAI_NODE_FIX_POSITION));
    kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -9.81));
    double before = 0.0;
    for (int i = 0; i < 200; i++) {
        if (kai_world_step(world, 1e-3) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
        kai_energy e;
        check_ok(kai_world_energy(world, &e));
        const double now = e.kinetic + e.potential + e.elastic;
        if (!(now <= before + 1e-6))
            fail_msg("energy %g J after step %d, %g before", now, i, before);
        before = now;
    }
    assert_true(node_of(world, kai_structure_node_at(world, s, NULL, 10)).position.z < -0.005);
    kai_world_destroy(world);
}

// Render meshes ------------------------------------------------------------------------------------

// Pages and files see the outer faces of a block, and the line of a rod with its force.
static void test_render_mesh(void** state)
{
    kai_world* world = make_world();
    kai_structure_box_params p;
    kai_kind_defaults(&kai_structure_box.kind, &p);
    for (int k = 0; k < 3; k++) p.size[k] = 1.0, p.cells[k] = 2.0;
    kai_element_hex8_params params;
    kai_kind_defaults(&kai_element_hex8.kind, &params);
    params.solid = add_solid(world, 1e6, 1.0);
    build(world, &kai_structure_box, &p, &kai_element_hex8, &params, "block");
    const double points[2][3] = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
    kai_structure_cable_params line = line_of(&points[0][0], 2, 2);
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    beam.solid = add_solid(world, 1e6, 1.0);
    beam.radius = 0.1;
    const kai_structure rod =
        build(world, &kai_structure_cable, &line, &kai_element_euler_beam, &beam, NULL);
    assert_int_equal(kai_render_mesh_count(world), 2);
    kai_render_mesh mesh;
    kai_render_mesh_describe(world, 0, &mesh);
    assert_string_equal(mesh.name, "block");
    assert_int_equal(mesh.triangle_count, 6 * 4 * 2);
    assert_int_equal(mesh.line_count, 0);
    kai_render_mesh_describe(world, 1, &mesh);
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.line_count, 2);
    assert_string_equal(mesh.fields[2].name, "axial_force");
    // The last body is pulled by 0.02 m along the rod: 2 % in the second element.
    check_ok(kai_body_set_frame(
        world, kai_structure_body_at(world, rod, NULL, 2),
        kai_frame_make(kai_vec3_make(2.02, 0.0, 0.0),
                       kai_body_rotation(world, kai_structure_body_at(world, rod, NULL, 2)))));
    double position[9], numbers[3][3], *fields[3] = {numbers[0], numbers[1], numbers[2]};
    kai_render_mesh_gather(world, 1, position, fields);
    const double force = 1e6 * PI * 0.01 * 0.02;
    check_near(position[6], 2.02, 1e-15, "where the body is");
    check_near(numbers[0][2], 0.02, 1e-15, "displacement");
    check_near(numbers[0][1], 0.0, 1e-15, "displacement");
    check_near(numbers[1][2], 0.0, 0.0, "speed");
    check_near(numbers[2][0], 0.0, 1e-9, "no force in the first");
    check_near(numbers[2][1], 0.5 * force, 1e-9 * force, "mean of both");
    check_near(numbers[2][2], force, 1e-9 * force, "E A ε");
    kai_world_destroy(world);
}

// Errors -----------------------------------------------------------------------------------------

static void refuse(kai_world* world, const kai_structure_kind* kind, const void* params,
                   const kai_element_kind* element, const void* element_params, const char* message)
{
    kai_structure s;
    const size_t nodes = kai_node_count(world), elements = kai_element_count(world);
    const size_t bodies = kai_body_count(world);
    check_error(kai_structure_create(world, kind, params, element, element_params, "thing", &s),
                KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(world)->message, message);
    assert_int_equal(kai_node_count(world), nodes);
    assert_int_equal(kai_element_count(world), elements);
    assert_int_equal(kai_body_count(world), bodies);
    assert_int_equal(kai_structure_count(world), 0);
}

static void test_refusals(void** state)
{
    const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    kai_world* world = make_world();
    kai_structure_cable_params p = line_of(&points[0][0], 3, 4);
    kai_element_ancf_cable_params cable;
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    cable.solid = beam.solid = add_solid(world, 1.0, 1.0);
    cable.radius = 0.1;
    refuse(world, &kai_structure_cable, &p, &kai_element_ancf_cable, &cable,
           "kai_structure_create: 'thing': points 1 and 2 are the same; must be apart");
    p.points.rows = 2;
    p.y_axis = kai_vec3_make(1.0, 0.0, 0.0);
    refuse(world, &kai_structure_cable, &p, &kai_element_ancf_cable, &cable,
           "kai_structure_create: 'thing': y_axis is [1, 0, 0]; must not point along the line");
    p.y_axis = kai_vec3_make((double)NAN, (double)NAN, (double)NAN);
    refuse(
        world, &kai_structure_cable, &p, &kai_element_euler_beam, &beam,
        "kai_structure_create: 'thing': cell 0 of the mesh, from node 0 at [0, 0, 0]: euler-beam: "
        "its section is given in 0 ways; must be given by radius, by width and height, or by "
        "area, iyy, izz and torsion");
    refuse(world, &kai_structure_sheet, &p, &kai_element_ancf_cable, &cable,
           "kai_structure_create: 'thing': sheet cannot be made of ancf-cable, which has 2 nodes");
    kai_structure_box_params box;
    kai_kind_defaults(&kai_structure_box.kind, &box);
    check_ok(kai_element_register(world, &HEX20));
    const kai_node nodes[20] = {{0}};
    for (int k = 0; k < 3; k++) box.size[k] = box.cells[k] = 1.0;
    box.cells[1] = 1.5;
    refuse(world, &kai_structure_box, &box, &HEX20, nodes,
           "kai_structure_create: 'thing': cells[1] is 1.5; must be a whole number ≥ 1");
    kai_world_destroy(world);
}

static void test_sets_are_checked(void** state)
{
    const double points[2][3] = {{0, 0, 0}, {1, 0, 0}};
    kai_world* world = make_world();
    kai_structure_cable_params p = line_of(&points[0][0], 2, 4);
    const kai_structure s = rope(world, &p, 1.0, 1.0, "rope");
    check_error(kai_structure_fix(world, s, "end", KAI_NODE_FIX_ALL), KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(world)->message,
                        "kai_structure_fix: structure 'rope' has no set 'end'; it has all, x0, x1");
    check_error(kai_structure_force(world, (kai_structure){0}, "x0", kai_vec3_zero()),
                KAI_ERROR_ID);
    check_error(kai_structure_fix(world, s, "x0", 512), KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_structure_set_name(world, s, 1), "x1");
    assert_null(kai_structure_set_name(world, s, 2));
    kai_world_destroy(world);
}

static void test_file(void** state)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/kairos-structures-%d.h5", (int)getpid());
    const double points[2][3] = {{0, 0, 0}, {1, 0, 0}};
    kai_world *world = make_world(), *copy;
    kai_structure_cable_params p = line_of(&points[0][0], 2, 4);
    const kai_structure s = rope(world, &p, 1.0, 1.0, "rope");
    check_ok(kai_world_save(world, path));
    const kai_world_def def = kai_world_def_default();
    kai_error err = {0};
    if (kai_world_load(&def, path, &copy, &err) != KAI_OK) fail_msg("%s", err.message);
    const kai_structure again = kai_structure_find(copy, "rope");
    assert_int_equal(again.index, s.index);
    assert_int_equal(kai_structure_size(copy, again, NULL), 5);
    assert_int_equal(kai_structure_element_count(copy, again), 4);
    check_vec3(node_of(copy, kai_structure_node_at(copy, again, "x1", 0)).position,
               kai_vec3_make(1.0, 0.0, 0.0), 1e-15, "as it was");
    check_ok(kai_structure_fix(copy, again, "x0", KAI_NODE_FIX_ALL));
    kai_world_destroy(world);
    kai_world_destroy(copy);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheet),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_cable_through_points),
        cmocka_unit_test(test_elastica),
        cmocka_unit_test(test_flight),
        cmocka_unit_test(test_net),
        cmocka_unit_test(test_damped_rope),
        cmocka_unit_test(test_render_mesh),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_sets_are_checked),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
