// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Results of elements by name against closed forms: bars, patches, pure bending of beams and
// plates, laminates, an inflated cylinder; reactions, energies, kinds of the user's own.
#include "helper.h"
#include "measure/output.h"

#include <kairos/kairos.h>
#include <math.h>

#define PI 3.14159265358979323846

static const double MIDDLE[3] = {0.0, 0.0, 0.0}, TOP[3] = {0.0, 0.0, 1.0};

#define ok(call)                                                               \
    do {                                                                       \
        if ((call) != KAI_OK) fail_msg("%s", kai_world_error(world)->message); \
    } while (0)

static kai_world* make_world(void)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    kai_world* world;
    kai_error err = {0};
    if (kai_world_create(&def, &world, &err) != KAI_OK) fail_msg("%s", err.message);
    return world;
}

static kai_solid add_solid(kai_world* world, double young, double poisson, double density)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.poisson = poisson;
    p.base.density = density;
    ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

static kai_value3 constant(double x, double y, double z)
{
    return (kai_value3){kai_value_constant(x), kai_value_constant(y), kai_value_constant(z)};
}

static double scalar(kai_world* world, kai_element element, const char* name, const double at[3])
{
    double out[KAI_ELEMENT_COMPONENTS];
    ok(kai_element_result_at(world, element, name, at, out));
    return out[0];
}

// A line along x of `cells` elements, clamped at its start.
static kai_structure add_line(kai_world* world, const kai_element_kind* kind, const void* element,
                              double length, int64_t cells)
{
    const double points[6] = {0, 0, 0, length, 0, 0};
    kai_structure_cable_params p;
    kai_structure structure;
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    p.points = (kai_table){points, 2, 3};
    p.cells = cells;
    p.y_axis = kai_vec3_axis(1);
    ok(kai_structure_create(world, &kai_structure_cable, &p, kind, element, "line", &structure));
    ok(kai_structure_fix(world, structure, "x0", KAI_NODE_FIX_ALL));
    return structure;
}

static kai_structure add_sheet(kai_world* world, const kai_element_kind* kind, const void* element,
                               double length, double width, double cells_x, double cells_y)
{
    kai_structure_sheet_params p;
    kai_structure structure;
    kai_kind_defaults(&kai_structure_sheet.kind, &p);
    p.base.position = kai_vec3_make(0.5 * length, 0.5 * width, 0.0);
    p.size[0] = length, p.size[1] = width;
    p.cells[0] = cells_x, p.cells[1] = cells_y;
    ok(kai_structure_create(world, &kai_structure_sheet, &p, kind, element, "sheet", &structure));
    return structure;
}

// Lines ------------------------------------------------------------------------------------------

// The pull of a bar is what pulls at it, however far it stretches; W = ½ EA L e² with e = ½ (λ² -
// 1). Newton's method of statics stops at 1e-9 or better.
static void bar(void** state)
{
    (void)state;
    kai_world* world = make_world();
    kai_element_bar_params p = {.solid = add_solid(world, 1e7, 0.0, 1000.0), .area = 1e-4};
    const kai_structure line = add_line(world, &kai_element_bar, &p, 2.0, 1);
    ok(kai_structure_force(world, line, "x1", kai_vec3_make(300.0, 0.0, 0.0)));
    const kai_node tip = kai_structure_node_at(world, line, "x1", 0);
    ok(kai_node_set_fixed(world, tip, 6));
    ok(kai_world_statics(world));
    const kai_element e = kai_structure_element_at(world, line, 0);
    kai_node_def def;
    ok(kai_node_get(world, tip, &def));
    const double stretch = def.position.x / 2.0, strain = 0.5 * (stretch * stretch - 1.0);
    assert_true(strain > 0.2);
    check_relative(scalar(world, e, "axial_force", MIDDLE), 300.0, 1e-8, "the load");
    check_relative(scalar(world, e, "strain", MIDDLE), strain, 1e-12, "Green-Lagrange");
    check_relative(scalar(world, e, "energy", MIDDLE), 0.5 * 1000.0 * 2.0 * strain * strain, 1e-12,
                   "St Venant-Kirchhoff");
    kai_vec3 force, moment, held[3];
    ok(kai_structure_reaction(world, line, "x0", &force, &moment));
    check_vec3(force, kai_vec3_make(-300.0, 0.0, 0.0), 300.0 * 1e-8, "balance");
    ok(kai_node_reaction(world, tip, held));
    check_vec3(held[0], kai_vec3_zero(), 1e-9, "nothing pulls across");
    kai_world_destroy(world);
}

// A rectangle b × h of E with EI = E b h³/12.
static kai_element_euler_beam_params beam_params(kai_solid solid)
{
    kai_element_euler_beam_params p;
    kai_kind_defaults(&kai_element_euler_beam.kind, &p);
    p.solid = solid;
    p.width = 0.1; // along y
    p.height = 0.2;
    return p;
}

// A moment at the end is the moment everywhere, κ = M/EI, and W = M² L / 2 EI; nothing shears.
static void beam_bends(void** state)
{
    (void)state;
    const double young = 1e9, iyy = 0.1 * 0.008 / 12.0, izz = 0.2 * 0.001 / 12.0;
    for (int axis = 1; axis <= 2; axis++) {
        kai_world* world = make_world();
        const kai_element_euler_beam_params p = beam_params(add_solid(world, young, 0.3, 1000.0));
        const kai_structure line = add_line(world, &kai_element_euler_beam, &p, 4.0, 16);
        const double bending = young * (axis == 1 ? iyy : izz), m = bending / 8.0; // R = 8 m
        ok(kai_structure_load(world, line, "x1", constant(0, 0, 0),
                              axis == 1 ? constant(0, m, 0) : constant(0, 0, m)));
        ok(kai_world_statics(world));
        double sum = 0.0;
        for (size_t i = 0; i < 16; i++) {
            const kai_element e = kai_structure_element_at(world, line, i);
            double moment[2], shear[2];
            ok(kai_element_result_at(world, e, "bending_moment", MIDDLE, moment));
            ok(kai_element_result_at(world, e, "shear_force", MIDDLE, shear));
            // The end's section is turned by θ ≤ 0.5 rad about y or z: its moment stays m.
            check_near(moment[axis - 1], m, 1e-6 * m, "pure bending");
            check_near(moment[2 - axis], 0.0, 1e-6 * m, "in one plane");
            check_near(hypot(shear[0], shear[1]), 0.0, 1e-5 * m, "pure bending");
            check_near(scalar(world, e, "axial_force", MIDDLE), 0.0, 1e-5 * m, "pure bending");
            sum += scalar(world, e, "energy", MIDDLE);
        }
        check_relative(sum, m * m * 4.0 / (2.0 * bending), 1e-6, "M² L / 2 EI");
        double kinetic, elastic;
        ok(kai_structure_energy(world, line, &kinetic, &elastic));
        check_relative(elastic, sum, 1e-12, "the sum of elements");
        check_near(kinetic, 0.0, 0.0, "at rest");
        kai_vec3 force, moment;
        ok(kai_world_evaluate(world));
        ok(kai_structure_reaction(world, line, "x0", &force, &moment));
        check_vec3(moment, kai_vec3_make(0.0, axis == 1 ? -m : 0.0, axis == 2 ? -m : 0.0), 1e-6 * m,
                   "balance");
        kai_world_destroy(world);
    }
}

// A small force P at the end: shear P, moment P (L - x). Deflections are 1e-6 of the length, and
// so are the differences from linear theory.
static void beam_shears(void** state)
{
    (void)state;
    kai_world* world = make_world();
    const kai_element_euler_beam_params p = beam_params(add_solid(world, 1e9, 0.3, 1000.0));
    const kai_structure line = add_line(world, &kai_element_euler_beam, &p, 4.0, 8);
    ok(kai_structure_force(world, line, "x1", kai_vec3_make(0.05, 0.02, 0.03)));
    ok(kai_world_statics(world));
    for (size_t i = 0; i < 8; i++) {
        const kai_element e = kai_structure_element_at(world, line, i);
        const double at[3] = {0.4, 0.0, 0.0}, arm = 4.0 - 0.5 * ((double)i + 0.7);
        double moment[2], shear[2];
        ok(kai_element_result_at(world, e, "bending_moment", at, moment));
        ok(kai_element_result_at(world, e, "shear_force", at, shear));
        check_near(shear[0], 0.02, 1e-4 * 0.02, "P");
        check_near(shear[1], 0.03, 1e-4 * 0.03, "P");
        check_near(moment[0], -0.03 * arm, 1e-4 * 0.03 * 4.0, "P (L - x)");
        check_near(moment[1], 0.02 * arm, 1e-4 * 0.02 * 4.0, "P (L - x)");
        check_relative(scalar(world, e, "axial_force", at), 0.05, 1e-4, "pull");
    }
    kai_world_destroy(world);
}

// A cable rolled to a circle, M = 2π EI/L. It has no twist: a moment about a fixed axis would throw
// it out of its plane, in which it is held. Cubics of 1/5 rad with an axis of EA/EI = 5e3 m⁻² give
// M to 2e-3, and close the circle to 1e-3 of its length.
static void cable_bends(void** state)
{
    (void)state;
    const double young = 1e9, moment_of_area = 2e-6, bending = young * moment_of_area;
    kai_world* world = make_world();
    kai_element_ancf_cable_params p;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &p);
    p.solid = add_solid(world, young, 0.0, 1000.0);
    p.area = 1e-2;
    p.moment = moment_of_area;
    const kai_structure line = add_line(world, &kai_element_ancf_cable, &p, 4.0, 32);
    const double m = 2.0 * PI * bending / 4.0;
    ok(kai_structure_fix(world, line, NULL, 4 | 32));
    ok(kai_structure_load(world, line, "x1", constant(0, 0, 0), constant(0, 0, m)));
    ok(kai_world_statics(world));
    for (size_t i = 0; i < 32; i++) {
        const kai_element e = kai_structure_element_at(world, line, i);
        double moment[2];
        ok(kai_element_result_at(world, e, "bending_moment", MIDDLE, moment));
        check_relative(moment[1], m, 2e-3, "M = EI/R");
    }
    kai_node_def end;
    ok(kai_node_get(world, kai_structure_node_at(world, line, "x1", 0), &end));
    check_vec3(end.position, kai_vec3_zero(), 4e-3, "a full circle");
    kai_world_destroy(world);

    world = make_world();
    p.solid = add_solid(world, young, 0.0, 1000.0);
    const kai_structure straight = add_line(world, &kai_element_ancf_cable, &p, 4.0, 8);
    ok(kai_structure_force(world, straight, "x1", kai_vec3_make(0.0, 3e-3, 4e-3)));
    ok(kai_world_statics(world));
    for (size_t i = 0; i < 8; i++) {
        const kai_element e = kai_structure_element_at(world, straight, i);
        double moment[2], shear[2];
        ok(kai_element_result_at(world, e, "bending_moment", MIDDLE, moment));
        ok(kai_element_result_at(world, e, "shear_force", MIDDLE, shear));
        check_relative(shear[0], 5e-3, 1e-3, "P");
        check_relative(moment[1], 5e-3 * (4.0 - 0.5 * ((double)i + 0.5)), 1e-3, "P (L - x)");
    }
    kai_world_destroy(world);
}

// Solids -----------------------------------------------------------------------------------------

// A block under a linear field u = G x: the same stress everywhere. With G of 1e-5, stress is λ tr
// ε + 2 μ ε to 1e-4 of it.
static void patch(void** state)
{
    (void)state;
    static const kai_element_kind* const KINDS[] = {&kai_element_tet4, &kai_element_tet10,
                                                    &kai_element_hex8, &kai_element_hex20};
    const double g[3][3] = {{3e-5, 1e-5, 0.0}, {2e-5, -1e-5, 4e-5}, {0.0, 1e-5, 2e-5}};
    const double young = 1e6, poisson = 0.3, mu = young / 2.6, lambda = 2.0 * mu * 0.3 / 0.4;
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        kai_world* world = make_world();
        kai_structure_box_params p;
        kai_structure structure;
        char element[256];
        kai_kind_defaults(&KINDS[k]->kind, element);
        const kai_solid solid = add_solid(world, young, poisson, 1000.0);
        memcpy(element + kai_kind_param(&KINDS[k]->kind, "solid")->offset, &solid, sizeof solid);
        kai_kind_defaults(&kai_structure_box.kind, &p);
        for (int i = 0; i < 3; i++) p.size[i] = 1.0 + 0.5 * i, p.cells[i] = 2.0;
        ok(kai_structure_create(world, &kai_structure_box, &p, KINDS[k], element, "block",
                                &structure));
        for (size_t i = 0; i < kai_structure_size(world, structure, NULL); i++) {
            const kai_node node = kai_structure_node_at(world, structure, NULL, i);
            kai_node_def def;
            ok(kai_node_get(world, node, &def));
            const kai_vec3 x = def.position;
            const kai_vec3 at = kai_vec3_make(x.x + g[0][0] * x.x + g[0][1] * x.y + g[0][2] * x.z,
                                              x.y + g[1][0] * x.x + g[1][1] * x.y + g[1][2] * x.z,
                                              x.z + g[2][0] * x.x + g[2][1] * x.y + g[2][2] * x.z);
            ok(kai_node_set_motion(world, node, &at, NULL));
        }
        const double trace = g[0][0] + g[1][1] + g[2][2];
        const double expected[6] = {lambda * trace + 2.0 * mu * g[0][0],
                                    lambda * trace + 2.0 * mu * g[1][1],
                                    lambda * trace + 2.0 * mu * g[2][2],
                                    mu * (g[1][2] + g[2][1]),
                                    mu * (g[0][2] + g[2][0]),
                                    mu * (g[0][1] + g[1][0])};
        const kai_element last = kai_structure_element_at(
            world, structure, kai_structure_element_count(world, structure) - 1);
        double stress[6], principal[3];
        ok(kai_element_result_at(world, last, "stress", (const double[]){0.3, -0.2, 0.5}, stress));
        for (int i = 0; i < 6; i++) check_near(stress[i], expected[i], 1e-2, "Hooke's law");
        ok(kai_element_result_at(world, last, "principal_stress", MIDDLE, principal));
        assert_true(principal[0] >= principal[1] && principal[1] >= principal[2]);
        const double a = principal[0] - principal[1], b = principal[1] - principal[2],
                     c = principal[2] - principal[0];
        const double von_mises = scalar(world, last, "von_mises", MIDDLE);
        check_relative(von_mises, sqrt(0.5 * (a * a + b * b + c * c)), 1e-9,
                       "von Mises of principal stresses");
        check_near(scalar(world, last, "mean_stress", MIDDLE),
                   (expected[0] + expected[1] + expected[2]) / 3.0, 1e-2, "a third of the trace");
        kai_world_destroy(world);
    }
}

// Shells -----------------------------------------------------------------------------------------

static void set_shell(const kai_element_kind* kind, char* element, kai_solid solid,
                      double thickness)
{
    kai_kind_defaults(&kind->kind, element);
    kai_element_layers* layers = (kai_element_layers*)(void*)(element + kind->layers);
    layers->solid = solid;
    layers->thickness = thickness;
}

// A moment m a width at the end of a strip, ν = 0: plate_moment is m, stress at the surface 6 m/h².
// The end turns by 0.01 rad: differences are of the order of its square.
static void plate_bends(void** state)
{
    (void)state;
    static const kai_element_kind* const KINDS[] = {
        &kai_element_ancf_plate, &kai_element_ancf_shell, &kai_element_reissner_shell};
    const double young = 1e9, h = 0.02, width = 0.5, m = young * h * h * h / 12.0 * 0.005;
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        kai_world* world = make_world();
        char element[512];
        set_shell(KINDS[k], element, add_solid(world, young, 0.0, 1000.0), h);
        const kai_structure sheet = add_sheet(world, KINDS[k], element, 2.0, width, 8.0, 2.0);
        ok(kai_structure_fix(world, sheet, "x0", KAI_NODE_FIX_ALL));
        ok(kai_structure_load(world, sheet, "x1", constant(0, 0, 0), constant(0, m * width, 0)));
        ok(kai_world_statics(world));
        for (size_t i = 0; i < kai_structure_element_count(world, sheet); i++) {
            const kai_element e = kai_structure_element_at(world, sheet, i);
            double moment[3], force[3], stress[6];
            ok(kai_element_result_at(world, e, "plate_moment", MIDDLE, moment));
            ok(kai_element_result_at(world, e, "membrane_force", MIDDLE, force));
            ok(kai_element_result_at(world, e, "stress", TOP, stress));
            // A moment about +y bends the end down: the top is pulled.
            check_relative(moment[0], m, 2e-4, "pure bending");
            check_near(moment[1], 0.0, 2e-4 * m, "ν = 0");
            check_near(force[0], 0.0, 2e-3 * m / h, "pure bending");
            check_relative(stress[0], 6.0 * m / (h * h), 2e-4, "6 M/h²");
            check_relative(scalar(world, e, "von_mises", TOP), 6.0 * m / (h * h), 1e-3,
                           "a single stress");
        }
        kai_world_destroy(world);
    }
}

enum { PLIES = 3 };
static const double PLY[PLIES][2] = {{0.001, 0.0}, {0.002, 0.7}, {0.0015, PI / 2.0}};

// Reduced stiffness of the solid below turned by an angle, by the textbook (Jones, Mechanics of
// Composite Materials, eq. 2.85).
static void turned_stiffness(double angle, double out[3][3])
{
    const double e1 = 130e9, e2 = 9e9, nu = 0.3, q66 = 5e9, rest = 1.0 - nu * nu * e2 / e1;
    const double q11 = e1 / rest, q22 = e2 / rest, q12 = nu * e2 / rest;
    const double c = cos(angle), s = sin(angle), c2 = c * c, s2 = s * s;
    out[0][0] = q11 * c2 * c2 + 2.0 * (q12 + 2.0 * q66) * s2 * c2 + q22 * s2 * s2;
    out[1][1] = q11 * s2 * s2 + 2.0 * (q12 + 2.0 * q66) * s2 * c2 + q22 * c2 * c2;
    out[0][1] = out[1][0] = (q11 + q22 - 4.0 * q66) * s2 * c2 + q12 * (s2 * s2 + c2 * c2);
    out[2][2] = (q11 + q22 - 2.0 * q12 - 2.0 * q66) * s2 * c2 + q66 * (s2 * s2 + c2 * c2);
    out[0][2] = out[2][0] =
        (q11 - q12 - 2.0 * q66) * s * c2 * c + (q12 - q22 + 2.0 * q66) * s2 * s * c;
    out[1][2] = out[2][1] =
        (q11 - q12 - 2.0 * q66) * s2 * s * c + (q12 - q22 + 2.0 * q66) * s * c2 * c;
}

static kai_solid add_ply(kai_world* world)
{
    kai_solid_orthotropic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_orthotropic.kind, &p);
    p.base.density = 1500.0;
    p.young = kai_vec3_make(130e9, 9e9, 9e9);
    p.poisson = kai_vec3_make(0.0, 0.0, 0.3); // no stress across where strain across is zero
    p.shear = kai_vec3_make(4e9, 5e9, 5e9);
    ok(kai_solid_create(world, &kai_solid_orthotropic, &p, NULL, &solid));
    return solid;
}

static const double STRAIN[3] = {2e-8, -1e-8, 3e-8}, BEND[3] = {2e-6, 1e-6, -3e-6};

// Puts the nodes of a sheet where a small strain and small curvatures want them: w = -½ (κx x² + κy
// y² + κxy x y), so that strain is ε + z κ.
static void strain_sheet(kai_world* world, kai_structure sheet, int64_t slopes)
{
    for (size_t i = 0; i < kai_structure_size(world, sheet, NULL); i++) {
        const kai_node node = kai_structure_node_at(world, sheet, NULL, i);
        kai_node_def def;
        ok(kai_node_get(world, node, &def));
        const double x = def.position.x, y = def.position.y;
        const double wx = -(BEND[0] * x + 0.5 * BEND[2] * y),
                     wy = -(BEND[1] * y + 0.5 * BEND[2] * x);
        const kai_vec3 at = kai_vec3_make(
            x + STRAIN[0] * x + 0.5 * STRAIN[2] * y, y + STRAIN[1] * y + 0.5 * STRAIN[2] * x,
            -0.5 * (BEND[0] * x * x + BEND[1] * y * y + BEND[2] * x * y));
        const kai_vec3 across[3] = {at, kai_vec3_make(-wx, -wy, 1.0), kai_vec3_zero()};
        const kai_vec3 along[3] = {at, kai_vec3_make(1.0 + STRAIN[0], 0.5 * STRAIN[2], wx),
                                   kai_vec3_make(0.5 * STRAIN[2], 1.0 + STRAIN[1], wy)};
        ok(kai_node_set_motion(world, node, slopes == 1 ? across : along, NULL));
    }
}

// Classical laminate theory: stresses of layers in their own axes, and N = A ε + B κ, M = B ε + D
// κ. It leaves out squares of slopes, 130e9 · (6e-7)²/2 = 0.02 Pa.
static void laminate(void** state)
{
    (void)state;
    static const kai_element_kind* const KINDS[] = {&kai_element_ancf_plate,
                                                    &kai_element_ancf_shell};
    double half = 0.0;
    for (int l = 0; l < PLIES; l++) half += 0.5 * PLY[l][0];
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        kai_world* world = make_world();
        char element[512];
        kai_element_layer list[PLIES];
        const kai_solid solid = add_ply(world);
        for (int l = 0; l < PLIES; l++) list[l] = (kai_element_layer){solid, PLY[l][0], PLY[l][1]};
        kai_kind_defaults(&KINDS[k]->kind, element);
        ((kai_element_layers*)(void*)(element + KINDS[k]->layers))->list = (kai_list){list, PLIES};
        const kai_structure sheet = add_sheet(world, KINDS[k], element, 0.3, 0.2, 1.0, 1.0);
        strain_sheet(world, sheet, KINDS[k]->slopes);
        const kai_element e = kai_structure_element_at(world, sheet, 0);
        assert_int_equal(kai_element_layer_count(world, e), PLIES);
        double force[3] = {0.0}, moment[3] = {0.0}, z = -half;
        for (int l = 0; l < PLIES; l++) {
            double q[3][3];
            turned_stiffness(PLY[l][1], q);
            const double a = z, b = z + PLY[l][0];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    const double first = 0.5 * (b * b - a * a),
                                 second = (b * b * b - a * a * a) / 3.0;
                    force[i] += q[i][j] * ((b - a) * STRAIN[j] + first * BEND[j]);
                    moment[i] += q[i][j] * (first * STRAIN[j] + second * BEND[j]);
                }
            for (int place = -1; place <= 1; place++) {
                double at[3] = {0.2, -0.4, 0.0}, stress[6], s[3] = {0.0};
                ok(kai_element_layer_at(world, e, (size_t)l, place, &at[2]));
                ok(kai_element_result_at(world, e, "stress", at, stress));
                const double height = 0.5 * (a + b) + 0.5 * place * (b - a);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++) s[i] += q[i][j] * (STRAIN[j] + height * BEND[j]);
                const double c = cos(PLY[l][1]), n = sin(PLY[l][1]);
                const double own[3] = {c * c * s[0] + n * n * s[1] + 2.0 * c * n * s[2],
                                       n * n * s[0] + c * c * s[1] - 2.0 * c * n * s[2],
                                       c * n * (s[1] - s[0]) + (c * c - n * n) * s[2]};
                check_near(stress[0], own[0], 0.1, "layer, along fibres");
                check_near(stress[1], own[1], 0.1, "layer, across fibres");
                check_near(stress[5], own[2], 0.1, "layer, shear");
            }
            z = b;
        }
        double n[3], m[3];
        ok(kai_element_result_at(world, e, "membrane_force", MIDDLE, n));
        ok(kai_element_result_at(world, e, "plate_moment", MIDDLE, m));
        for (int i = 0; i < 3; i++) check_near(n[i], force[i], 1e-5 * fabs(force[0]), "A ε + B κ");
        for (int i = 0; i < 3; i++)
            check_near(m[i], moment[i], 1e-5 * fabs(moment[0]), "B ε + D κ");
        kai_world_destroy(world);
    }
}

// A quarter of a cylinder that pressure blows up, its edges on planes of symmetry: hoop stress p
// R/t in the middle surface. A polygon of 24 sides a quarter has p R within (π/48)²/2 = 2e-3 of it.
static void cylinder(void** state)
{
    (void)state;
    const double radius = 0.5, thickness = 0.005, pressure = 1e3, young = 1e9;
    kai_world* world = make_world();
    char element[512];
    set_shell(&kai_element_ancf_shell, element, add_solid(world, young, 0.0, 1000.0), thickness);
    kai_structure_cylinder_params p;
    kai_structure tube;
    kai_kind_defaults(&kai_structure_cylinder.kind, &p);
    p.base.rotation = kai_quat_from_axis_angle(kai_vec3_axis(0), PI / 4.0);
    p.radius = radius;
    p.length = 0.2;
    p.angle = PI / 2.0;
    p.cells[0] = 2.0;
    p.cells[1] = 24.0;
    ok(kai_structure_create(world, &kai_structure_cylinder, &p, &kai_element_ancf_shell, element,
                            "tube", &tube));
    for (size_t i = 0; i < kai_structure_size(world, tube, NULL); i++) {
        const kai_node node = kai_structure_node_at(world, tube, NULL, i);
        kai_node_def def;
        ok(kai_node_get(world, node, &def));
        int64_t fixed = 1 | 1 << 3; // no motion along the tube
        if (fabs(def.position.y) < 1e-9) fixed |= 2 | 2 << 3;
        if (fabs(def.position.z) < 1e-9) fixed |= 4 | 4 << 3;
        ok(kai_node_set_fixed(world, node, fixed));
    }
    ok(kai_structure_pressure(world, tube, NULL, kai_value_constant(-pressure)));
    ok(kai_world_statics(world));
    const double hoop = pressure * radius / thickness;
    for (size_t i = 0; i < kai_structure_element_count(world, tube); i++) {
        const kai_element e = kai_structure_element_at(world, tube, i);
        double stress[6], force[3];
        ok(kai_element_result_at(world, e, "stress", MIDDLE, stress));
        ok(kai_element_result_at(world, e, "membrane_force", MIDDLE, force));
        const double round = fmax(fabs(stress[0]), fabs(stress[1])); // whichever axis goes round
        check_relative(round, hoop, 3e-3, "p R/t");
        check_relative(fmax(force[0], force[1]), pressure * radius, 3e-3, "p R");
    }
    kai_vec3 force, moment;
    ok(kai_structure_reaction(world, tube, NULL, &force, &moment));
    check_relative(force.y * force.y + force.z * force.z, 2.0 * pow(pressure * 0.2 * radius, 2.0),
                   1e-2, "pressure on the cut planes");
    kai_world_destroy(world);
}

// Supports ---------------------------------------------------------------------------------------

// A heavy cantilever: the clamp bears its weight. In motion it bears the weight less what
// accelerates.
static void reactions(void** state)
{
    (void)state;
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_make(0.0, 0.0, -10.0);
    kai_world* world;
    kai_error err = {0};
    check_ok(kai_world_create(&def, &world, &err));
    kai_element_ancf_cable_params p;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &p);
    p.solid = add_solid(world, 1e9, 0.0, 1000.0);
    p.radius = 0.02;
    const kai_structure line = add_line(world, &kai_element_ancf_cable, &p, 1.0, 8);
    const double weight = 1000.0 * PI * 4e-4 * 10.0;
    kai_vec3 force, moment;
    // Let go from straight: nothing has moved, all of it accelerates.
    ok(kai_integrator_set(world, &kai_integrator_hht, NULL));
    for (int i = 0; i < 20; i++) ok(kai_world_step(world, 1e-4));
    ok(kai_world_evaluate(world));
    ok(kai_structure_reaction(world, line, "x0", &force, &moment));
    kai_vec3 before, after, angular;
    ok(kai_world_momentum(world, &before, &angular));
    ok(kai_world_step(world, 1e-5));
    ok(kai_world_momentum(world, &after, &angular));
    const double gain = (after.z - before.z) / 1e-5;
    // Euler's balance over a step whose start the reaction is of: order 1 of the step.
    check_near(force.z, weight + gain, 2e-2 * weight, "momentum of the cable");
    ok(kai_world_statics(world));
    ok(kai_structure_reaction(world, line, "x0", &force, &moment));
    check_vec3(force, kai_vec3_make(0.0, 0.0, weight), 1e-6 * weight, "weight");
    assert_true(moment.y < 0.0); // against the weight, which turns about +y
    kai_world_destroy(world);
}

// The joint that holds a node says how hard, in world axes.
static void joint_of_a_node(void** state)
{
    (void)state;
    kai_world* world = make_world();
    kai_element_bar_params p = {.solid = add_solid(world, 1e7, 0.0, 1000.0), .area = 1e-4};
    const kai_structure line = add_line(world, &kai_element_bar, &p, 1.0, 1);
    kai_joint_node_motion_params motion;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_node_motion.kind, &motion);
    motion.node = kai_structure_node_at(world, line, "x1", 0);
    motion.value = constant(0.1, 0.0, 0.0);
    ok(kai_joint_create(world, &kai_joint_node_motion, &motion, NULL, &joint));
    ok(kai_world_statics(world));
    ok(kai_world_evaluate(world));
    kai_vec3 force, torque;
    ok(kai_joint_reaction(world, joint, &force, &torque));
    const double strain = 0.5 * (1.1 * 1.1 - 1.0);
    check_vec3(force, kai_vec3_make(1000.0 * strain * 1.1, 0.0, 0.0), 1e-6, "pull of the bar");
    kai_world_destroy(world);
}

// Kinds ------------------------------------------------------------------------------------------

static void get_double(const kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                       const double at[3], double* out)
{
    (void)kind, (void)at;
    out[0] = batch->q[6 * i + 3];
    out[1] = 7.0;
}

// A user's kind has results of its own beside the usual ones; names and errors.
static void own_kind(void** state)
{
    (void)state;
    static const char* const LABELS[] = {"x", "seven"};
    static const kai_element_result OWN[] = {
        {"far_end", "m", "Where its far end is.", 2, LABELS, get_double}};
    kai_element_kind kind = kai_element_bar;
    kind.kind.name = "own-bar";
    kind.kind.sizes = (kai_kind_sizes){sizeof kind, sizeof(kai_kind), sizeof(kai_param)};
    kind.results = OWN;
    kind.result_count = 1;
    kai_world* world = make_world();
    ok(kai_element_register(world, &kind));
    kai_element_bar_params p = {.solid = add_solid(world, 1e7, 0.0, 1000.0), .area = 1e-4};
    const kai_structure line = add_line(world, &kind, &p, 2.0, 2);
    const kai_element e = kai_structure_element_at(world, line, 1);
    double out[6];
    ok(kai_element_result_at(world, e, "far_end", MIDDLE, out));
    check_near(out[0], 2.0, 1e-12, "end of the line");
    check_near(out[1], 7.0, 0.0, "seven");
    assert_string_equal(kai_element_result_of(&kind, 0)->name, "far_end");
    assert_string_equal(kai_element_result_of(&kind, 1)->name, "energy");
    check_error(kai_element_result_at(world, e, "stress", MIDDLE, out), KAI_ERROR_UNSUPPORTED);
    assert_non_null(strstr(kai_world_error(world)->message,
                           "elements of kind own-bar have no result 'stress'; they have far_end, "
                           "energy, strain, axial_force"));
    double zeta;
    check_error(kai_element_layer_at(world, e, 0, 0.0, &zeta), KAI_ERROR_ARGUMENT);
    check_error(kai_element_result_at(world, (kai_element){0}, "stress", MIDDLE, out),
                KAI_ERROR_ID);
    // An output finds all that elements have, by the same names.
    kai_output_def def = kai_output_def_default();
    def.target = KAI_OUTPUT_ELEMENT;
    def.element = e;
    const int own = kai_output_quantity_search(world, &def, "far_end");
    assert_true(own > 0 && kai_output_offers(world, &def, own));
    assert_string_equal(kai_output_quantity_of(world, &def, own).labels[1], "seven");
    const kai_output_subject subject = {.element = e, .layer = -1};
    check_ok(kai_output_value(world, KAI_OUTPUT_ELEMENT, own, &subject, out, NULL));
    check_near(out[0], 2.0, 1e-12, "the same by an output");
    assert_int_equal(kai_output_quantity_of(world, &def, own + 1).components, 0);
    assert_false(kai_output_offers(world, &def, kai_output_quantity_search(world, &def, "stress")));
    static const kai_element_kind* const KINDS[] = {&kai_element_bar, &kai_element_ancf_shell,
                                                    &kai_element_hex8};
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        const kai_element_result* r;
        for (size_t i = 0; (r = kai_element_result_of(KINDS[k], i)) != NULL; i++) {
            const int q = kai_output_quantity_find(KAI_OUTPUT_ELEMENT, r->name);
            if (q < 0) fail_msg("outputs lack %s", r->name);
            const kai_quantity* shown = kai_output_quantity(KAI_OUTPUT_ELEMENT, q);
            assert_string_equal(shown->unit, r->unit);
            assert_int_equal(shown->components, r->components);
        }
    }
    kai_world_destroy(world);
}

// A kind whose forces come from outside stores nothing: it needs neither energy() nor prepare().
static void external_kind(void** state)
{
    (void)state;
    kai_element_kind kind = kai_element_node_load_0;
    kind.kind.name = "own-load";
    kind.kind.sizes = (kai_kind_sizes){sizeof kind, sizeof(kai_kind), sizeof(kai_param)};
    assert_null(kind.energy);
    assert_null(kind.prepare);
    kai_world* world = make_world();
    kind.external = false;
    check_error(kai_element_register(world, &kind), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "lacks one of force() and energy()"));
    kind.external = true;
    ok(kai_element_register(world, &kind));
    kai_node_def def = kai_node_def_default();
    kai_element_node_load_params p;
    kai_element load;
    def.mass = 2.0;
    kai_kind_defaults(&kind.kind, &p);
    ok(kai_node_create(world, &def, NULL, &p.nodes[0]));
    p.force.x = kai_value_constant(3.0);
    ok(kai_element_create(world, &kind, &p, NULL, &load));
    double energy = 1.0, stored = 1.0;
    ok(kai_element_result_at(world, load, "energy", MIDDLE, &energy));
    ok(kai_element_energy(world, &stored));
    check_near(energy, 0.0, 0.0, "energy of a load");
    check_near(stored, 0.0, 0.0, "energy of all elements");
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bar),         cmocka_unit_test(beam_bends),
        cmocka_unit_test(beam_shears), cmocka_unit_test(cable_bends),
        cmocka_unit_test(patch),       cmocka_unit_test(plate_bends),
        cmocka_unit_test(laminate),    cmocka_unit_test(cylinder),
        cmocka_unit_test(reactions),   cmocka_unit_test(joint_of_a_node),
        cmocka_unit_test(own_kind),    cmocka_unit_test(external_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
