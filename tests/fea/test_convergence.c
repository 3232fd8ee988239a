// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Every family of elements against a smooth case on meshes that are halved: the error falls with
// the order that theory has for it. tools/plot-fea draws what this prints: "case kind n error".
//
// ctest-labels: slow
#include "fea/shell_mesh.h"
#include "fea/volume_mesh.h"

static const double PI = 3.14159265358979323846;

enum { MESHES = 5 };

/// One line of a figure: results at meshes n, 2 n, 4 n …
typedef struct study {
    const char* name;
    const kai_element_kind* kind;
    double order; // of theory
    int first, count;
} study;

/// Prints errors and checks the order of the last two.
static void check_study(const char* what, const study* s, const double* error)
{
    for (int i = 0; i < s->count; i++)
        print_message("%s | %s | %d | %.3e | %g\n", what, s->name, s->first << i, fabs(error[i]),
                      s->order);
    const double order = log2(fabs(error[s->count - 2] / error[s->count - 1]));
    print_message("    order %.2f\n", order);
    // The last halving is within 0.35 of theory, or better: terms of higher order are not gone yet.
    if (!(order > s->order - 0.35)) fail_msg("%s: %s: order %g", what, s->name, order);
}

// Lines ------------------------------------------------------------------------------------------

/// Deflection of the tip of a cantilever of n elements, P L² / E I = 4, E A / E I = 1e4 / L².
static double elastica(const kai_element_kind* kind, int n)
{
    const double points[6] = {0, 0, 0, 1, 0, 0};
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    kai_structure_cable_params p;
    kai_structure line;
    kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1.0};
    kai_solid made;
    def.gravity = kai_vec3_zero();
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_solid_create(world, &kai_solid_elastic, &solid, NULL, &made));
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    p.points = (kai_table){points, 2, 3};
    p.cells = n;
    kai_element_ancf_cable_params cable;
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    cable.solid = beam.solid = made;
    cable.area = beam.area = 1e4;
    cable.moment = beam.iyy = beam.izz = beam.torsion = 1.0;
    const bool frames = kind->slopes < 0;
    if (kai_structure_create(world, &kai_structure_cable, &p, kind,
                             frames ? (const void*)&beam : &cable, NULL, &line) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    // The slope of a cable is held across it alone: its length is the stretch, which is not zero.
    const int64_t held = frames ? KAI_NODE_FIX_ALL : KAI_NODE_FIX_POSITION | 0x30;
    check_ok(kai_structure_fix(world, line, "x0", held));
    check_ok(kai_structure_force(world, line, "x1", kai_vec3_make(0, 0, 4.0)));
    if (kai_world_statics(world) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    kai_node_def tip = {0};
    if (frames)
        tip.position = kai_body_position(world, kai_structure_body_at(world, line, "x1", 0));
    else
        check_ok(kai_node_get(world, kai_structure_node_at(world, line, "x1", 0), &tip));
    kai_world_destroy(world);
    return tip.position.z;
}

static void lines_converge(void** state)
{
    static const study STUDIES[] = {{"ancf-cable", &kai_element_ancf_cable, 4.0, 2, 5},
                                    {"euler-beam", &kai_element_euler_beam, 2.0, 2, 5}};
    for (size_t k = 0; k < KAI_COUNT(STUDIES); k++) {
        const study* s = &STUDIES[k];
        const double fine[2] = {elastica(s->kind, 64), elastica(s->kind, 128)},
                     limit = fine[1] + (fine[1] - fine[0]) / (pow(2.0, s->order) - 1.0);
        double error[MESHES];
        for (int i = 0; i < s->count; i++)
            error[i] = elastica(s->kind, s->first << i) / limit - 1.0;
        check_study("elastica", s, error);
    }
}

// Surfaces ---------------------------------------------------------------------------------------

/// Middle of a square of thin plate, simply supported, under a pressure p sin πx sin πy that is
/// lumped to nodes: w = p a⁴ / 4 π⁴ D. A quarter of n × n elements.
static double square(const kai_element_kind* kind, int n, double thickness)
{
    const kai_solid_elastic_params solid = {.base.density = 1.0, .young = 1e9, .poisson = 0.3};
    const kai_solid_view solids[KAI_LAYERS_SOLIDS] = {{&kai_solid_elastic, &solid}};
    const double side[2] = {0.5, 0.5}, pressure = pow(thickness, 3.0);
    const size_t each = (size_t)n;
    void* instance = shell_instance(kind, thickness);
    shell_mesh m;
    shell_mesh_init(&m, kind, each, each, shell_rectangle, side, instance, solids);
    for (size_t i = 0; i <= each; i++) {
        shell_mirror(&m, each, i, 0);
        shell_mirror(&m, i, each, 1);
        // Hard supports: what lies along the edge does not move or turn.
        shell_fix(&m, 0, i, false, true, true);
        shell_fix(&m, i, 0, true, false, true);
        for (size_t j = 0; j <= each; j++) {
            const double x = 0.5 * (double)i / n, y = 0.5 * (double)j / n,
                         share =
                             (i == 0 || i == each ? 0.5 : 1.0) * (j == 0 || j == each ? 0.5 : 1.0);
            m.n.load[shell_node(&m, i, j) * m.n.rows + 2] =
                share * pressure * 0.25 / (n * n) * sin(PI * x) * sin(PI * y);
        }
    }
    newton_equilibrium(&m.n, 1.0, 0.0, 1);
    const double w = shell_moved(&m, each, each).z;
    const double bend = 1e9 * pow(thickness, 3.0) / 12.0 / (1.0 - 0.09);
    newton_free(&m.n);
    free(instance);
    return w * 4.0 * pow(PI, 4.0) * bend / pressure;
}

static void surfaces_converge(void** state)
{
    static const study STUDIES[] = {{"ancf-shell", &kai_element_ancf_shell, 2.0, 2, 4},
                                    {"ancf-plate", &kai_element_ancf_plate, 2.0, 2, 4},
                                    {"reissner-shell", &kai_element_reissner_shell, 2.0, 2, 4}};
    for (size_t k = 0; k < KAI_COUNT(STUDIES); k++) {
        const study* s = &STUDIES[k];
        double error[MESHES];
        for (int i = 0; i < s->count; i++) error[i] = square(s->kind, s->first << i, 1e-3) - 1.0;
        check_study("square", s, error);
    }
}

// Volumes ----------------------------------------------------------------------------------------

/// A quarter of a ring of radii 1 and 2, in plane strain.
static kai_vec3 ring(double x, double y, double z)
{
    const double r = 1.0 + x, angle = 0.5 * PI * y;
    return kai_vec3_make(r * cos(angle), r * sin(angle), 0.2 * z);
}

/// Energy of the ring, grown by 1e-6 inside and free outside, over the exact one.
static double growth(const kai_element_kind* kind, int n)
{
    const double nu = 0.3, u = 1e-6;
    const kai_solid_elastic_params solid = {{1.0, 0.0, 0.0}, 1.0, nu};
    volume_mesh m;
    mesh_make(&m, kind, KAI_ELEMENT_AUTOMATIC, true, &kai_solid_elastic, &solid, n, 2 * n, 1, ring,
              kai_vec3_zero());
    mesh_fix(&m, 1, 0, 2);
    mesh_fix(&m, 1, m.size[1] - 1, 1);
    mesh_fix(&m, 2, 0, 4);
    mesh_fix(&m, 2, m.size[2] - 1, 4);
    mesh_fix(&m, 0, 0, KAI_NODE_FIX_POSITION);
    for (size_t p = 0; p < mesh_points(&m); p += (size_t)m.size[0]) {
        if (KAI_IS_NULL(m.nodes[p])) continue;
        const kai_vec3 x = m.places[p], to = kai_vec3_make(x.x * (1.0 + u), x.y * (1.0 + u), x.z);
        mesh_check(&m, kai_node_set_motion(m.world, m.nodes[p], &to, NULL));
    }
    mesh_check(&m, kai_world_statics(m.world));
    // Lamé: p = 3 E u / (1 + ν) (5 - 2 ν), and half of it times the growth of the inner face.
    const double exact = 0.5 * u * 3.0 * u / ((1.0 + nu) * (5.0 - 2.0 * nu)) * 0.2 * 0.5 * PI;
    double energy;
    mesh_check(&m, kai_element_energy(m.world, &energy));
    mesh_free(&m);
    return energy / exact;
}

static void volumes_converge(void** state)
{
    static const study STUDIES[] = {{"tet4", &kai_element_tet4, 2.0, 2, 4},
                                    {"hex8", &kai_element_hex8, 2.0, 2, 4},
                                    {"tet10", &kai_element_tet10, 4.0, 1, 4},
                                    {"hex20", &kai_element_hex20, 4.0, 1, 4}};
    for (size_t k = 0; k < KAI_COUNT(STUDIES); k++) {
        const study* s = &STUDIES[k];
        double error[MESHES];
        for (int i = 0; i < s->count; i++) error[i] = growth(s->kind, s->first << i) - 1.0;
        check_study("ring", s, error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_converge),
                                       cmocka_unit_test(surfaces_converge),
                                       cmocka_unit_test(volumes_converge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
