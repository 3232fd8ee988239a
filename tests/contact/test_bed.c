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
static bed settle(kai_contact_method method, double friction, double young, int side, int layers,
                  double h, double end)
{
    kai_world* world = stage_world(method, 2);
    // Loads travel through all layers: 60 iterations leave 25 of them 1 % short of their weight.
    stage_solver(world, KAI_SOLVER_PSOR, 200, 1e-6);
    kai_material_def surface = pour_surface(friction);
    surface.restitution = 0.0;
    surface.young = young;
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
// Complementarity is the limit of stiff grains: heights and numbers of contacts by penalty approach
// it with the overlap, and are taken there along the line through two stiffnesses (625 grains
// without friction in a narrow box: heights of 80.1, 85.6 and 87.0 mm and 6.50, 5.85 and 5.57
// contacts a grain for E = 2e6, 2e7 and 2e8 Pa, and 87.4 to 88.3 mm and 5.46 by complementarity,
// steps from 0.2 to 1 ms). The number of contacts is known to fall with the square root of the
// overlap (O'Hern et al. 2003); above, it falls a little faster.
//
// Without friction the packing at rest does not depend on how it came to rest, but for chance:
// dense and isostatic, 6 contacts a grain in the bulk of a large one (O'Hern et al. 2003) and fewer
// near walls and for grains that rattle. Random packings spread: 0.6 / √N in height (5 % for the
// 150 grains of the short test, 1 % for 10,000), and twice that in contacts a grain.
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
    const bed nsc = settle(KAI_CONTACT_NSC, friction, 2e6, side, layers, 1e-3, end),
              soft = settle(KAI_CONTACT_SMC, friction, 2e6, side, layers, 1e-4, end),
              stiff = settle(KAI_CONTACT_SMC, friction, 2e7, side, layers, 3e-5, end);
    const bed* all[3] = {&nsc, &soft, &stiff};
    for (int k = 0; k < 3; k++) {
        print_message("%s: height %.6g m, coordination %.4g, force %.6g N, sides %.4g N, weight "
                      "%.6g N, overlap %.3g m\n",
                      k ? k > 1 ? "smc, 2e7 Pa" : "smc, 2e6 Pa" : "nsc", all[k]->height,
                      all[k]->coordination, all[k]->force, all[k]->side, all[k]->weight,
                      all[k]->overlap);
        check_relative(all[k]->force, all[k]->weight, 5e-3, "weight");
    }
    const double far = stiff.overlap / (soft.overlap - stiff.overlap);
    check_relative(nsc.height, stiff.height + far * (stiff.height - soft.height), spread + height,
                   "the limit of stiff grains");
    // Between the line and the law of the square root.
    const double root = sqrt(stiff.overlap) / (sqrt(soft.overlap) - sqrt(stiff.overlap)),
                 excess = soft.coordination - stiff.coordination,
                 low = stiff.coordination - root * excess, high = stiff.coordination - far * excess;
    check_relative(nsc.coordination, 0.5 * (low + high),
                   0.5 * fabs(high - low) / nsc.coordination + 2.0 * spread + coordination,
                   "the limit of stiff grains");
}

static void test_without_friction(void** state) { compare(0.0, 0.0, 0.0); }

static void test_with_friction(void** state) { compare(0.3, 0.02, 0.05); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_without_friction),
                                       cmocka_unit_test(test_with_friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
