// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The same bed of grains by both methods: height, coordination number, wall force. 10,000 grains
// under `make validate`.
// ctest-labels: validate slow
// ctest-timeout: 1800
#include "contact/pour.h"

typedef struct bed {
    double height;       // mean of the centres, m
    double coordination; // contacts that push, a grain
    double force, side;  // of all walls along z, of side walls along their normals, N
    double weight;       // N
    double overlap;      // mean over contacts that push, m
} bed;

// Means over the last tenth of the time.
static bed settle(kai_contact_method method, double friction, int side, int layers, double h,
                  double end)
{
    kai_world* world = stage_world(method, 2);
    stage_solver(world, KAI_SOLVER_APGD, 60, 1e-6);
    kai_material_def surface = pour_surface(friction);
    surface.restitution = 0.0;
    surface.young = 2e6;
    const kai_material material = stage_material(world, &surface);
    kai_body walls[5];
    pour_box(world, pour_width(side), material, walls);
    const kai_particles group = pour_grains(world, side, layers, 0.1, material);
    const size_t n = kai_particles_count(world, group);
    bed b = {0};
    const int steps = (int)lround(end / h), counted = steps / 10;
    for (int i = 0; i < steps; i++) {
        stage_steps(world, 1, h);
        if (i < steps - counted) continue;
        for (int k = 0; k < 5; k++) {
            const kai_vec3 f = stage_force(world, walls[k]);
            b.force -= f.z / counted;
            if (k > 0) b.side += (fabs(f.x) > fabs(f.y) ? fabs(f.x) : fabs(f.y)) / counted;
        }
        size_t pushing = 0;
        double overlap = 0.0, contacts = 0.0;
        for (size_t k = 0; k < kai_contact_report_count(world); k++) {
            kai_contact_report report;
            check_ok(kai_contact_report_at(world, k, &report));
            const bool wall = kai_body_is_fixed(world, report.contact.body_a) ||
                              kai_body_is_fixed(world, report.contact.body_b);
            if (kai_vec3_dot(report.force, report.contact.normal) <= 1e-7) continue;
            pushing += wall ? 1 : 2;
            overlap -= report.contact.gap;
            contacts += 1.0;
        }
        b.overlap += overlap / fmax(contacts, 1.0) / counted;
        b.coordination += (double)pushing / (double)n / counted;
    }
    for (size_t i = 0; i < n; i++) {
        kai_mass_properties mass;
        const kai_body body = kai_particles_body(world, group, i);
        check_ok(kai_body_mass(world, body, &mass));
        b.weight += mass.mass * STAGE_G;
        b.height += kai_body_position(world, body).z / (double)n;
    }
    kai_world_destroy(world);
    return b;
}

// A bed at rest pushes on its walls with its weight: within 0.5 %, as what still moves is slow.
//
// Without friction the packing at rest does not depend on how it came to rest, but for chance:
// dense and isostatic, 6 contacts a grain in the bulk of a large one (O'Hern et al. 2003) and fewer
// near walls and for grains that rattle. Both methods must agree, but for the overlap of penalty
// and for the spread of random packings: 0.6 / √N in height (5 % for the 150 grains of the short
// test, 1 % for 10,000) and twice that in contacts a grain. Overlap also makes contacts: near the
// density at which a packing jams their number grows by 7.7 √Δφ (O'Hern et al. 2003), and an
// overlap δ of grains with diameter d squeezes φ = 0.64 by Δφ = 3 φ δ / d.
//
// With friction the density depends on how fast contacts stop to slide while the bed comes to rest
// (0.55 to 0.64 of the room is known: Onoda and Liniger 1990). Springs of the penalty method let
// grains slip farther: 2 % more in height and 5 % in contacts.
/// `height` and `coordination`: what may differ beside chance.
static void compare(double friction, double height, double coordination)
{
    const int side = stage_full() ? 20 : 5, layers = stage_full() ? 25 : 6;
    const double end = stage_full() ? 1.5 : 0.5;
    const double spread = 0.6 / sqrt((double)(side * side * layers));
    const bed nsc = settle(KAI_CONTACT_NSC, friction, side, layers, 1e-3, end),
              smc = settle(KAI_CONTACT_SMC, friction, side, layers, 1e-4, end);
    print_message("nsc: height %.6g, coordination %.4g, force %.6g, sides %.4g, weight %.6g\n",
                  nsc.height, nsc.coordination, nsc.force, nsc.side, nsc.weight);
    print_message("smc: height %.6g, coordination %.4g, force %.6g, sides %.4g, overlap %.3g\n",
                  smc.height, smc.coordination, smc.force, smc.side, smc.overlap);
    check_relative(nsc.force, nsc.weight, 5e-3, "weight");
    check_relative(smc.force, smc.weight, 5e-3, "weight");
    check_relative(nsc.height, smc.height * (1.0 + 0.5 * smc.overlap / POUR_R), spread + height,
                   "the other method");
    const double squeezed = 7.7 * sqrt(3.0 * 0.64 * smc.overlap / (2.0 * POUR_R));
    check_relative(nsc.coordination, smc.coordination,
                   2.0 * spread + coordination + squeezed / smc.coordination, "the other method");
}

static void test_without_friction(void** state) { compare(0.0, 0.0, 0.0); }

static void test_with_friction(void** state) { compare(0.3, 0.02, 0.05); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_without_friction),
                                       cmocka_unit_test(test_with_friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
