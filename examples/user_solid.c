// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A solid of your own
// ===================
// Foam rubber after Blatz and Ko (1962), which finite elements here do not know: an energy
//
//     W = μ/2 (tr C⁻¹ + 2 J - 5),   C = 2E + 1,  J = √det C
//
// with stress S = 2 ∂W/∂C and its slope D. That is all a solid needs; every element then takes it.
//
// A cube of one metre is pulled. In closed form a stretch l leaves the sides at l^(-1/4), and takes
// a force of μ (l^(-1/2) - l^(-3)) on the undeformed face.
#include <kairos/kairos.h>
#include <stdio.h>

// 1 One instance: what every solid has, then its own.
typedef struct foam {
    kai_solid_base base;
    double shear;
} foam;

// 2 What its parameters are.
static const kai_param PARAMS[] = {
    KAI_PARAM_AS("density", REAL, foam, base.density, .unit = "kg/m³", .initial = {200.0},
                 .range = KAI_ABOVE(0.0), .doc = "Mass of a volume without deformation."),
    KAI_PARAM(REAL, foam, shear, .unit = "Pa", .initial = {2e5}, .range = KAI_ABOVE(0.0),
              .doc = "Shear modulus."),
};

static const int ROW[6] = {0, 1, 2, 1, 0, 0}, COLUMN[6] = {0, 1, 2, 2, 2, 1};

/// A symmetric matrix of six numbers xx yy zz yz xz xy; shears are multiplied by `shear`.
static kai_mat33 matrix(const double e[6], double shear)
{
    kai_mat33 m;
    for (int k = 0; k < 6; k++)
        m.m[ROW[k]][COLUMN[k]] = m.m[COLUMN[k]][ROW[k]] = k < 3 ? e[k] : shear * e[k];
    return m;
}

// 3 Energy, stress and stiffness of a strain (engineering shears). With B = C⁻¹:
//     S = μ (J B - B²),   dB = -B dC B,   dJ = J/2 tr(B dC)
static bool evaluate(const void* instance, const double strain[6], double* energy, double* stress,
                     double* stiffness)
{
    const double mu = ((const foam*)instance)->shear;
    kai_mat33 c = matrix(strain, 0.5), b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) c.m[i][j] = 2.0 * c.m[i][j] + (i == j);
    const double det = kai_mat33_determinant(c), size = sqrt(det);
    if (!(det > 0.0) || !kai_mat33_inverse(c, &b)) return false;
    const kai_mat33 bb = kai_mat33_mul(b, b);
    if (energy) *energy = 0.5 * mu * (b.m[0][0] + b.m[1][1] + b.m[2][2] + 2.0 * size - 5.0);
    for (int k = 0; stress && k < 6; k++)
        stress[k] = mu * (size * b.m[ROW[k]][COLUMN[k]] - bb.m[ROW[k]][COLUMN[k]]);
    for (int n = 0; stiffness && n < 6; n++) {
        double unit[6] = {0.0};
        unit[n] = 1.0;
        const kai_mat33 dc = matrix(unit, 0.5), bdc = kai_mat33_mul(b, dc); // half of dC
        const kai_mat33 db = kai_mat33_mul(bdc, b), dbb = kai_mat33_mul(db, b);
        const double trace = bdc.m[0][0] + bdc.m[1][1] + bdc.m[2][2];
        for (int k = 0; k < 6; k++) {
            const int i = ROW[k], j = COLUMN[k];
            stiffness[6 * k + n] = mu * (size * (trace * b.m[i][j] - 2.0 * db.m[i][j]) +
                                         2.0 * (dbb.m[i][j] + dbb.m[j][i]));
        }
    }
    return true;
}

static const kai_solid_kind FOAM = {.kind =
                                        KAI_KIND("foam", foam, PARAMS, KAI_SIZES(kai_solid_kind),
                                                 .doc = "Foam rubber after Blatz and Ko."),
                                    .evaluate = evaluate};

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

int main(void)
{
    static const double CORNERS[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    kai_world_def world_def = kai_world_def_default();
    world_def.gravity = kai_vec3_zero();
    kai_world* world;
    if (kai_world_create(&world_def, &world, NULL)) return 1;

    // 4 Register the kind, and make one of it.
    foam params = {0};
    kai_kind_defaults(&FOAM.kind, &params);
    kai_element_hex8_params cube;
    kai_kind_defaults(&kai_element_hex8.kind, &cube);
    if (kai_solid_register(world, &FOAM)) return fail(world);
    if (kai_solid_create(world, &FOAM, &params, "foam", &cube.solid)) return fail(world);

    // One element; the sides at x = 0, y = 0 and z = 0 slide.
    kai_element element;
    for (int i = 0; i < 8; i++) {
        kai_node_def node = kai_node_def_default();
        node.position = kai_vec3_make(CORNERS[i][0], CORNERS[i][1], CORNERS[i][2]);
        for (int k = 0; k < 3; k++)
            if (CORNERS[i][k] == 0.0) node.fixed |= 1 << k;
        if (kai_node_create(world, &node, NULL, &cube.nodes[i])) return fail(world);
    }
    if (kai_element_create(world, &kai_element_hex8, &cube, NULL, &element)) return fail(world);

    printf("stretch  found    sides  closed form\n");
    for (double l = 1.1; l < 1.35; l += 0.1) {
        const double force = params.shear * (1.0 / sqrt(l) - 1.0 / (l * l * l));
        for (int i = 0; i < 8; i++)
            if (CORNERS[i][0] == 1.0)
                kai_node_set_force(world, cube.nodes[i], kai_vec3_make(force / 4.0, 0.0, 0.0));
        if (kai_world_statics(world)) return fail(world);
        kai_node_def tip;
        kai_node_get(world, cube.nodes[6], &tip);
        printf("%7.2f  %.5f  %.5f  %.5f\n", l, tip.position.x, tip.position.y, pow(l, -0.25));
    }
    kai_world_destroy(world);
    return 0;
}
