// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What every kind of element must show: no force from rigid motion, momentum kept, forces that are
// the slope of the energy, tangents that are the slope of the forces, damping that takes energy,
// mass that adds up. A kind comes under test by its line in SAMPLES; one without fails the first
// test.
#include "fea/element_list.h"
#include "fea/layers.h"
#include "rig.h"

static const kai_element_kind* const KINDS[] = {
#define ELEMENT_KIND(name) &kai_element_##name,
    KAI_ELEMENT_KINDS(ELEMENT_KIND)};

// What does not hold for all kinds.
enum {
    SOLID = 1,       // a volume: closed faces, and homogeneous strain is met exactly
    ONE_PLACE = 2,   // its nodes may coincide
    NO_DAMPING = 4,  // the solid's damping has no part in it
    APPROXIMATE = 8, // its tangent leaves out terms of the size of the strain
    NO_VOLUME = 16,  // its volume has no short formula: mass is not compared
};

typedef struct sample {
    const kai_element_kind* kind;
    const char* variant;
    int rules;
    double volume; // m³: mass over density; 0: no mass
    rig_param params[4];
    void (*fill)(char* instance); // what numbers cannot say
    double q[7 * KAI_ELEMENT_NODES];
} sample;

// Two layers of a shell, turned against each other.
static void fill_layers(char* instance)
{
    static const kai_element_layer ITEMS[2] = {{.thickness = 0.03, .angle = 0.6},
                                               {.thickness = 0.02, .angle = -0.3}};
    // All shells have their layers after four nodes.
    const kai_list list = {ITEMS, 2};
    memcpy(instance + 4 * sizeof(kai_node) + offsetof(kai_element_layers, list), &list,
           sizeof list);
}

// A flat quadrangle of 0.64 m², and a warped one whose directors spread.
#define FLAT_SHELL                                                                           \
    {                                                                                        \
        0.1, 0, 0, 0, 0, 1, 1.1, 0.1, 0, 0, 0, 1, 0.9, 0.8, 0, 0, 0, 1, 0.1, 0.7, 0, 0, 0, 1 \
    }
#define WARPED_SHELL                                                                              \
    {                                                                                             \
        0.1, 0, 0, -0.28, 0, 0.96, 1.1, 0.1, 0.1, 0.28, 0, 0.96, 0.9, 0.8, 0, 0, 0.28, 0.96, 0.1, \
            0.7, 0, 0, 0.6, 0.8                                                                   \
    }

// The same, and one that bends, with tangents.
#define FLAT_PLATE                                                                                 \
    {                                                                                              \
        0.1, 0, 0, 1, 0, 0, 0, 1, 0, 1.1, 0.1, 0, 1, 0, 0, 0, 1, 0, 0.9, 0.8, 0, 1, 0, 0, 0, 1, 0, \
            0.1, 0.7, 0, 1, 0, 0, 0, 1, 0                                                          \
    }
#define CURVED_PLATE                                                                          \
    {                                                                                         \
        0.1, 0, 0, 0.96, 0, 0.28, 0, 1, 0, 1.1, 0.1, 0, 0.96, 0, -0.28, 0, 1, 0, 0.9, 0.8, 0, \
            0.96, 0, -0.28, 0, 1, 0, 0.1, 0.7, 0, 0.96, 0, 0.28, 0, 1, 0                      \
    }
// Solids besides the elastic one, of the same density and modulus.
static const kai_solid_neo_hookean_params RUBBER = {{1000.0, 0.01, 0.0}, 1e7, 0.4};
static const kai_solid_orthotropic_params WOOD = {
    {1000.0, 0.01, 0.0}, {1e7, 3e6, 2e6}, {0.3, 0.2, 0.25}, {1e6, 2e6, 3e6}};
static const kai_solid_view NEO_HOOKEAN = {&kai_solid_neo_hookean, &RUBBER};
static const kai_solid_view ORTHOTROPIC = {&kai_solid_orthotropic, &WOOD};

// The solid of a variant is that of its name.
static kai_solid_view solid_of(const sample* s)
{
    if (strcmp(s->variant, "rubber") == 0) return NEO_HOOKEAN;
    if (strcmp(s->variant, "wood") == 0) return ORTHOTROPIC;
    return rig_elastic();
}

// Volume elements, distorted; of more than four or eight nodes with curved edges. Volumes by
// quadrature of order 11 elsewhere.
// clang-format off
#define TET4  0.1, 0, 0, 0.6, 0.1, 0, 0.1, 0.5, 0.1, 0.2, 0.1, 0.6
#define TET10 TET4, 0.34, 0.057, 0.008, 0.352, 0.313, 0.041, 0.111, 0.24, 0.064, \
              0.154, 0.053, 0.314, 0.409, 0.109, 0.287, 0.146, 0.288, 0.341
#define HEX8  0.017, -0.021, -0.176, 0.557, -0.032, -0.205, 0.548, 0.373, -0.181, \
              0.019, 0.391, -0.199, 0.044, 0.007, 0.419, 0.587, -0.017, 0.412, \
              0.566, 0.383, 0.36, 0.088, 0.384, 0.385
#define HEX20 HEX8, 0.299, -0.024, -0.191, 0.561, 0.156, -0.187, 0.28, 0.37, -0.185, \
              0.031, 0.176, -0.184, 0.309, 0.002, 0.422, 0.568, 0.193, 0.391, \
              0.332, 0.393, 0.37, 0.074, 0.207, 0.39, 0.041, -0.01, 0.121, \
              0.561, -0.019, 0.097, 0.568, 0.371, 0.091, 0.05, 0.391, 0.084
#define TET4_VOLUME  (0.146 / 6.0)
#define TET10_VOLUME 0.02253418915555563
#define HEX8_VOLUME  0.122038138416688
#define HEX20_VOLUME 0.1169561345055725
#define COROTATIONAL {"formulation", {1}}
#define TOTAL        {"formulation", {2}}
#define ENHANCED(x)  {"enhanced", {x}}
// clang-format on

// The same between bodies, whose frames stand anyhow.
#define FLAT_FRAMES                                                                               \
    {                                                                                             \
        0.1, 0, 0, 1, 0, 0, 0, 1.1, 0.1, 0, 0.6, 0.8, 0, 0, 0.9, 0.8, 0, 0.5, 0.5, 0.5, 0.5, 0.1, \
            0.7, 0, 1, 0, 0, 0                                                                    \
    }
#define WARPED_FRAMES                                                                          \
    {                                                                                          \
        0.1, 0, 0, 1, 0, 0, 0, 1.1, 0.1, 0.2, 0.6, 0.8, 0, 0, 0.9, 0.8, 0, 0.5, 0.5, 0.5, 0.5, \
            0.1, 0.7, 0.1, 1, 0, 0, 0                                                          \
    }

// One line a kind, or several: its parameters and its undeformed coordinates.
static const sample SAMPLES[] = {
    {&kai_element_reissner_shell, "", 0, 0.64 * 0.05, {{"thickness", {0.05}}}, NULL, FLAT_FRAMES},
    {&kai_element_reissner_shell,
     "warped",
     NO_VOLUME,
     0,
     {{"thickness", {0.1}}, {"drilling", {0.5}}},
     NULL,
     WARPED_FRAMES},
    {&kai_element_reissner_shell,
     "layers",
     0,
     0.64 * 0.05,
     {{NULL, {0}}},
     fill_layers,
     FLAT_FRAMES},
    {&kai_element_ancf_plate, "", 0, 0.64 * 0.05, {{"thickness", {0.05}}}, NULL, FLAT_PLATE},
    {&kai_element_ancf_plate, "curved", NO_VOLUME, 0, {{"thickness", {0.1}}}, NULL, CURVED_PLATE},
    {&kai_element_ancf_plate, "layers", 0, 0.64 * 0.05, {{NULL, {0}}}, fill_layers, FLAT_PLATE},
    {&kai_element_ancf_shell, "", 0, 0.64 * 0.05, {{"thickness", {0.05}}}, NULL, FLAT_SHELL},
    {&kai_element_ancf_shell, "warped", NO_VOLUME, 0, {{"thickness", {0.1}}}, NULL, WARPED_SHELL},
    {&kai_element_ancf_shell, "layers", 0, 0.64 * 0.05, {{NULL, {0}}}, fill_layers, FLAT_SHELL},
    {&kai_element_ancf_shell,
     "locking",
     0,
     0.64 * 0.05,
     {{"thickness", {0.05}}, {"natural_strain", {0}}, {"enhanced_strain", {0}}},
     NULL,
     FLAT_SHELL},
    {&kai_element_bar, "", 0, 0.7 * 2e-3, {{"area", {2e-3}}}, NULL, {0.1, 0, 0, 0.3, 0.6, 0.3}},
    {&kai_element_ancf_cable,
     "straight",
     0,
     0.5 * 2e-3,
     {{"area", {2e-3}}},
     NULL,
     {0.1, 0, 0, 0.6, 0.8, 0, 0.4, 0.4, 0, 0.6, 0.8, 0}},
    // An arc of radius 1 m; the cubic that ends like it is shorter by 2e-4.
    {&kai_element_ancf_cable,
     "curved",
     0,
     0.59989099649382569 * 2e-3,
     {{"area", {2e-3}}, {"moment", {5e-6}}},
     NULL,
     {0, 0, 0, 1, 0, 0, 0.56464247339503537, 0.17466438509032172, 0, 0.82533561490967833,
      0.56464247339503537, 0}},
    {&kai_element_euler_beam,
     "rectangle",
     0,
     0.5 * 0.02 * 0.05,
     {{"width", {0.02}}, {"height", {0.05}}},
     NULL,
     {0.1, 0, 0, 1, 0, 0, 0, 0.4, 0.4, 0, 1, 0, 0, 0}},
    // Nodes that are turned against each other and against the beam.
    {&kai_element_euler_beam,
     "round",
     0,
     0.5 * 1e-4 * 3.14159265358979323846,
     {{"radius", {0.01}}, {"y_axis", {0, 0.3, 1}}},
     NULL,
     {0.1, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0, 0.6, 0, 0.8, 0}},
    {&kai_element_node_spring,
     "",
     ONE_PLACE,
     0,
     {{"stiffness", {3e4}}, {"damping", {20}}},
     NULL,
     {0.1, 0, 0, 0.3, 0.6, 0.3}},
    {&kai_element_tet4, "", SOLID, TET4_VOLUME, {COROTATIONAL}, NULL, {TET4}},
    {&kai_element_tet4, "total", SOLID, TET4_VOLUME, {TOTAL}, NULL, {TET4}},
    {&kai_element_tet4, "wood", SOLID, TET4_VOLUME, {COROTATIONAL}, NULL, {TET4}},
    {&kai_element_tet4, "rubber", SOLID, TET4_VOLUME, {{0}}, NULL, {TET4}},
    {&kai_element_tet10, "", SOLID, TET10_VOLUME, {COROTATIONAL}, NULL, {TET10}},
    {&kai_element_tet10, "total", SOLID, TET10_VOLUME, {TOTAL}, NULL, {TET10}},
    {&kai_element_tet10, "rubber", SOLID, TET10_VOLUME, {{0}}, NULL, {TET10}},
    {&kai_element_tet10, "mean", SOLID, TET10_VOLUME, {COROTATIONAL, ENHANCED(1)}, NULL, {TET10}},
    {&kai_element_tet10, "mean", SOLID, TET10_VOLUME, {TOTAL, ENHANCED(1)}, NULL, {TET10}},
    {&kai_element_tet10, "rubber", SOLID, TET10_VOLUME, {ENHANCED(1)}, NULL, {TET10}},
    {&kai_element_hex8, "", SOLID, HEX8_VOLUME, {COROTATIONAL}, NULL, {HEX8}},
    {&kai_element_hex8, "wood", SOLID, HEX8_VOLUME, {{0}}, NULL, {HEX8}},
    {&kai_element_hex8, "total", SOLID, HEX8_VOLUME, {TOTAL}, NULL, {HEX8}},
    {&kai_element_hex8, "rubber", SOLID, HEX8_VOLUME, {{0}}, NULL, {HEX8}},
    {&kai_element_hex8, "plain", SOLID, HEX8_VOLUME, {{"enhanced", {0}}}, NULL, {HEX8}},
    {&kai_element_hex20, "", SOLID, HEX20_VOLUME, {COROTATIONAL}, NULL, {HEX20}},
    {&kai_element_hex20, "total", SOLID, HEX20_VOLUME, {TOTAL}, NULL, {HEX20}},
    {&kai_element_hex20, "rubber", SOLID, HEX20_VOLUME, {{0}}, NULL, {HEX20}},
    {&kai_element_hex20, "wood", SOLID, HEX20_VOLUME, {TOTAL}, NULL, {HEX20}},
    {&kai_element_hex20, "plain", SOLID, HEX20_VOLUME, {TOTAL, ENHANCED(0)}, NULL, {HEX20}},
    {&kai_element_hex20, "rubber", SOLID, HEX20_VOLUME, {ENHANCED(0)}, NULL, {HEX20}},
};

static void for_all(void (*fn)(const sample*, rig*))
{
    static rig r;
    for (size_t i = 0; i < KAI_COUNT(SAMPLES); i++) {
        const sample* s = &SAMPLES[i];
        rig_make(&r, s->kind, s->params, s->fill, solid_of(s), s->q);
        fn(s, &r);
    }
}

// Says which sample a number belongs to.
#define check_sample(s, actual, expected, tolerance, source)             \
    do {                                                                 \
        const double actual_ = (actual);                                 \
        if (!(fabs(actual_ - (expected)) <= (tolerance)))                \
            print_error("%s %s:\n", (s)->kind->kind.name, (s)->variant); \
        check_near(actual_, expected, tolerance, source);                \
    } while (0)

// Largest entry of the stiffness without deformation, N/m (slopes and angles: N, N m).
static double stiffness(rig* r)
{
    memcpy(r->q, r->q0, sizeof r->q);
    memset(r->v, 0, sizeof r->v);
    rig_force(r, true);
    return rig_most(r->tangent, r->rows * r->rows);
}

// The list ---------------------------------------------------------------------------------------

static void test_every_kind_has_a_sample(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        size_t found = 0;
        for (size_t k = 0; k < KAI_COUNT(SAMPLES); k++) found += SAMPLES[k].kind == KINDS[i];
        if (found == 0) fail_msg("%s has no line in SAMPLES", KINDS[i]->kind.name);
    }
}

static void test_tables_are_whole(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        const kai_element_kind* k = KINDS[i];
        kai_error err = {0};
        if (kai_kind_validate(&k->kind, &err) != KAI_OK) fail_msg("%s", err.message);
        assert_true(k->prepare && k->force && k->energy);
        assert_true(!k->mass || !k->lump);
        assert_true(kai_element_rows(k) <= KAI_ELEMENT_ROWS && k->data_size % 8 == 0);
        assert_string_equal(k->kind.params[0].name, "nodes");
        assert_true(k->kind.params[0].offset == 0 &&
                    kai_kind_repeats(&k->kind.params[0]) == (size_t)k->nodes);
        for (size_t f = 0; f < k->face_count; f++)
            for (int n = 0; n < k->faces[f].count; n++)
                assert_true(k->faces[f].nodes[n] < k->nodes);
    }
}

// Rigid motion -----------------------------------------------------------------------------------

// Forces of a displacement of the size of rounding are eps K; the element is about 1 m away from
// the origin and its rows add some tens of terms.
#define ROUNDING 1e-13

static void check_rigid(const sample* s, rig* r)
{
    const double k = stiffness(r), size = rig_size(r);
    const kai_vec3 axis = helper_random_direction(11);
    for (int i = 0; i <= 16; i++) {
        memcpy(r->q, r->q0, sizeof r->q);
        const double angle = 2.0 * 3.14159265358979323846 * i / 16.0;
        rig_carry(r, kai_quat_from_axis_angle(axis, angle), helper_random_vec3(12), r->q);
        rig_force(r, false);
        check_sample(s, rig_most(r->force, r->rows), 0.0, ROUNDING * k, "rigid motion");
        check_sample(s, rig_energy(r), 0.0, ROUNDING * ROUNDING * k * size * size, "rigid motion");
        if (r->kind->sample)
            check_sample(s, rig_most(rig_sample(r, 0.1, 0.2, 0.3).strain, 6), 0.0, 1e-12 / size,
                         "rigid motion: strain");
    }
}

static void test_rigid_motion_costs_nothing(void** state) { for_all(check_rigid); }

// A turn of the whole changes neither energy nor forces as the element sees them.
static void check_objective(const sample* s, rig* r)
{
    double f[KAI_ELEMENT_ROWS];
    rig_deform(r, 3, 0.03, false);
    rig_force(r, false);
    memcpy(f, r->force, sizeof f);
    const double w = rig_energy(r), most = rig_most(f, r->rows);
    if (!(w > 0.0))
        fail_msg("%s %s: energy %g J of a deformation", s->kind->kind.name, s->variant, w);
    const kai_quat turn = helper_random_rotation(14);
    rig_carry(r, turn, helper_random_vec3(15), r->q);
    rig_force(r, false);
    check_sample(s, rig_energy(r), w, 1e-9 * w, "energy of a turned element");
    for (size_t i = 0; i < r->rows; i += 3) {
        const kai_vec3 expected = kai_quat_rotate(turn, rig_vec3(f + i));
        const double off = kai_vec3_distance(rig_vec3(r->force + i), expected);
        check_sample(s, off, 0.0, 1e-9 * most, "forces of a turned element");
    }
}

static void test_turning_changes_nothing(void** state) { for_all(check_objective); }

// Forces -----------------------------------------------------------------------------------------

static void check_momentum(const sample* s, rig* r)
{
    rig_deform(r, 4, 0.03, true);
    rig_force(r, false);
    kai_vec3 sum = kai_vec3_zero(), moment = kai_vec3_zero();
    for (int n = 0; n < r->kind->nodes; n++) {
        const double *q = r->q + (size_t)n * r->each, *f = r->force + (size_t)n * r->step;
        sum = kai_vec3_add(sum, rig_vec3(f));
        for (int k = 0; k <= (r->kind->slopes < 0 ? 0 : r->kind->slopes); k++)
            moment = kai_vec3_add(moment, kai_vec3_cross(rig_vec3(q + 3 * k), rig_vec3(f + 3 * k)));
        if (r->kind->slopes < 0) moment = kai_vec3_add(moment, rig_vec3(f + 3));
    }
    const double most = rig_most(r->force, r->rows);
    check_sample(s, kai_vec3_norm(sum), 0.0, 1e-12 * most, "forces add up to nothing");
    check_sample(s, kai_vec3_norm(moment), 0.0, 1e-11 * most, "moments add up to nothing");
}

static void test_momentum_is_kept(void** state) { for_all(check_momentum); }

static double energy_at(rig* r, size_t row, double delta)
{
    double q[KAI_COUNT(r->q)];
    memcpy(q, r->q, sizeof q);
    rig_nudge(r, row, delta);
    const double w = rig_energy(r);
    memcpy(r->q, q, sizeof q);
    return w;
}

// Central differences of five points: error h⁴ of the fifth derivative, and eps W / h.
static void check_energy(const sample* s, rig* r)
{
    const double size = rig_size(r);
    for (uint64_t seed = 20; seed < 23; seed++) {
        rig_deform(r, seed, 0.03, false);
        rig_force(r, false);
        const double most = rig_most(r->force, r->rows);
        for (size_t k = 0; k < r->rows; k++) {
            const double h = 1e-4 * (k % r->step < 3 ? size : 1.0);
            const double slope = (8.0 * (energy_at(r, k, h) - energy_at(r, k, -h)) -
                                  (energy_at(r, k, 2.0 * h) - energy_at(r, k, -2.0 * h))) /
                                 (12.0 * h);
            check_sample(s, r->force[k], -slope, 1e-8 * most, "f = -dW/dq by differences");
        }
    }
}

static void test_force_is_slope_of_energy(void** state) { for_all(check_energy); }

// Tangents ---------------------------------------------------------------------------------------

static void force_at(rig* r, size_t row, double delta, bool rate, double* f)
{
    double q[KAI_COUNT(r->q)], v[KAI_COUNT(r->v)];
    memcpy(q, r->q, sizeof q);
    memcpy(v, r->v, sizeof v);
    if (rate)
        r->v[row] += delta;
    else
        rig_nudge(r, row, delta);
    rig_force(r, false);
    memcpy(f, r->force, r->rows * sizeof *f);
    memcpy(r->q, q, sizeof q);
    memcpy(r->v, v, sizeof v);
}

// -∂f/∂q or -∂f/∂v by differences, [rows × rows].
static void difference(rig* r, bool rate, double* out)
{
    const double size = rig_size(r);
    double f[4][KAI_ELEMENT_ROWS];
    for (size_t k = 0; k < r->rows; k++) {
        const double h = 1e-4 * (k % r->step < 3 ? size : 1.0);
        force_at(r, k, h, rate, f[0]);
        force_at(r, k, -h, rate, f[1]);
        force_at(r, k, 2.0 * h, rate, f[2]);
        force_at(r, k, -2.0 * h, rate, f[3]);
        for (size_t i = 0; i < r->rows; i++)
            out[i * r->rows + k] = -(8.0 * (f[0][i] - f[1][i]) - (f[2][i] - f[3][i])) / (12.0 * h);
    }
}

// The symmetric part counts. Damping that goes with the strain makes a part without symmetry.
static void check_tangent_at(const sample* s, rig* r, double position, double velocity)
{
    static double by_q[KAI_ELEMENT_ROWS * KAI_ELEMENT_ROWS], by_v[KAI_COUNT(by_q)];
    difference(r, false, by_q);
    difference(r, true, by_v);
    r->position = position;
    r->velocity = velocity;
    rig_force(r, true);
    const double most = rig_most(r->tangent, r->rows * r->rows);
    const double allowed = s->rules & APPROXIMATE ? 0.1 : 1e-7;
    for (size_t a = 0; a < r->rows; a++) {
        for (size_t b = 0; b <= a; b++) {
            const size_t ab = a * r->rows + b, ba = b * r->rows + a;
            const double expected =
                0.5 * (position * (by_q[ab] + by_q[ba]) + velocity * (by_v[ab] + by_v[ba]));
            check_sample(s, 0.5 * (r->tangent[ab] + r->tangent[ba]), expected, allowed * most,
                         "-df/dq and -df/dv by differences");
        }
    }
    r->position = 1.0;
    r->velocity = 0.0;
}

static void check_tangent(const sample* s, rig* r)
{
    rig_deform(r, 30, 0.03, false);
    check_tangent_at(s, r, 1.0, 0.0);
    check_tangent_at(s, r, 0.0, 1.0);
    // With strain rates. That their force turns along with the element may be left out of ∂f/∂q:
    // it is no stiffness, and shrinks with the step.
    rig_deform(r, 31, 0.03, true);
    check_tangent_at(s, r, 0.0, 0.7);
}

static void test_tangent_is_slope_of_force(void** state) { for_all(check_tangent); }

// Damping ----------------------------------------------------------------------------------------

static double power(rig* r)
{
    double f[KAI_ELEMENT_ROWS], v[KAI_ELEMENT_ROWS], p = 0.0;
    memcpy(v, r->v, sizeof v);
    rig_force(r, false);
    memcpy(f, r->force, sizeof f);
    memset(r->v, 0, sizeof r->v);
    rig_force(r, false);
    for (size_t k = 0; k < r->rows; k++) p += (f[k] - r->force[k]) * v[k];
    return p;
}

static void check_damping(const sample* s, rig* r)
{
    const double k = stiffness(r), size = rig_size(r);
    if (s->rules & NO_DAMPING) return;
    for (uint64_t seed = 40; seed < 44; seed++) {
        rig_deform(r, seed, 0.03, true);
        const double p = power(r);
        if (!(p < 0.0)) fail_msg("%s %s: damping gives %g W", s->kind->kind.name, s->variant, p);
    }
    // A rigid motion, about no point in particular: v = v₀ + ω × x
    rig_deform(r, 45, 0.03, false);
    const kai_vec3 w = helper_random_vec3(46), v = helper_random_vec3(47);
    for (size_t n = 0; n < (size_t)r->kind->nodes; n++) {
        const double* q = r->q + n * r->each;
        double* rate = r->v + n * r->step;
        rig_put(rate, kai_vec3_add(v, kai_vec3_cross(w, rig_vec3(q))));
        for (int i = 1; i <= r->kind->slopes; i++)
            rig_put(rate + 3 * i, kai_vec3_cross(w, rig_vec3(q + 3 * i)));
        if (r->kind->slopes < 0) rig_put(rate + 3, w);
    }
    check_sample(s, power(r), 0.0, 1e-10 * k * size * size, "rigid motion is not damped");
}

static void test_damping_takes_energy(void** state) { for_all(check_damping); }

// Mass -------------------------------------------------------------------------------------------

static bool is_positive_definite(double* a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++) a[j * n + j] -= a[j * n + k] * a[j * n + k];
        if (!(a[j * n + j] > 0.0)) return false;
        a[j * n + j] = sqrt(a[j * n + j]);
        for (size_t i = j + 1; i < n; i++) {
            for (size_t k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
    return true;
}

static void check_mass(const sample* s, rig* r)
{
    const double expected = s->volume * RIG_ELASTIC.base.density;
    const kai_element_batch b = rig_batch(r);
    double sum = 0.0;
    if (r->kind->lump) {
        kai_element_lump lump[KAI_ELEMENT_NODES];
        r->kind->lump(&b, 0, lump);
        for (int n = 0; n < r->kind->nodes; n++) {
            sum += lump[n].mass;
            assert_true(lump[n].mass > 0.0 && lump[n].inertia.xx > 0.0 &&
                        lump[n].inertia.yy > 0.0 && lump[n].inertia.zz > 0.0);
        }
        if (!(s->rules & NO_VOLUME))
            check_sample(s, sum, expected, 1e-12 * expected, "density times volume");
    }
    if (!r->kind->mass) return;
    double m[KAI_ELEMENT_ROWS * KAI_ELEMENT_ROWS / 9];
    const size_t each = (size_t)(1 + r->kind->slopes), n = (size_t)r->kind->nodes * each;
    r->kind->mass(&b, 0, m);
    for (size_t a = 0; a < n; a++) {
        for (size_t c = 0; c < n; c++) {
            if (a % each == 0 && c % each == 0) sum += m[a * n + c];
            check_sample(s, m[a * n + c], m[c * n + a], 1e-14 * fabs(m[0]), "symmetric");
        }
    }
    if (!(s->rules & NO_VOLUME))
        check_sample(s, sum, expected, 1e-12 * expected, "density times volume");
    if (!is_positive_definite(m, n))
        fail_msg("%s %s: mass is not positive", s->kind->kind.name, s->variant);
}

static void test_mass_adds_up(void** state) { for_all(check_mass); }

// Volumes ----------------------------------------------------------------------------------------

// x → F x is met exactly: the strain is (FᵀF - 1)/2 everywhere.
static void check_homogeneous(const sample* s, rig* r)
{
    if (!(s->rules & SOLID)) return;
    kai_mat33 f = helper_random_mat33(50);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) f.m[i][k] = (i == k) + 0.05 * f.m[i][k];
    for (size_t i = 0; i < r->coordinates; i += 3)
        rig_put(r->q + i, kai_mat33_mul_vec(f, rig_vec3(r->q0 + i)));
    const kai_mat33 c = kai_mat33_mul(kai_mat33_transpose(f), f);
    const double expected[6] = {0.5 * (c.m[0][0] - 1.0),
                                0.5 * (c.m[1][1] - 1.0),
                                0.5 * (c.m[2][2] - 1.0),
                                c.m[1][2],
                                c.m[0][2],
                                c.m[0][1]};
    kai_element_sample first = rig_sample(r, 0.0, 0.0, 0.0);
    for (uint64_t i = 0; i < 5; i++) {
        const kai_vec3 at = helper_random_vec3(51 + i);
        const kai_element_sample at_i = rig_sample(r, at.x, at.y, at.z);
        for (int k = 0; k < 6; k++) {
            check_sample(s, at_i.strain[k], expected[k], 1e-12, "strain of a linear field");
            check_sample(s, at_i.stress[k], first.stress[k], 1e-12 * RIG_ELASTIC.young,
                         "stress of a linear field");
        }
    }
}

static void test_linear_field_is_met(void** state) { for_all(check_homogeneous); }

// Faces close the volume and look out. Corners only, so that the volume is that of flat faces.
static void check_faces(const sample* s, rig* r)
{
    if (!(s->rules & SOLID)) return;
    kai_vec3 area = kai_vec3_zero();
    double volume = 0.0;
    assert_true(r->kind->face_count > 0);
    for (size_t i = 0; i < r->kind->face_count; i++) {
        const kai_element_face* face = &r->kind->faces[i];
        const kai_vec3 p = rig_vec3(r->q0 + face->nodes[0] * r->each);
        for (int k = 2; k < face->count; k++) {
            const kai_vec3 a = rig_vec3(r->q0 + face->nodes[k - 1] * r->each);
            const kai_vec3 b = rig_vec3(r->q0 + face->nodes[k] * r->each);
            const kai_vec3 n = kai_vec3_cross(kai_vec3_sub(a, p), kai_vec3_sub(b, p));
            area = kai_vec3_add(area, kai_vec3_scale(n, 0.5));
            volume += kai_vec3_dot(p, n) / 6.0;
        }
    }
    check_sample(s, kai_vec3_norm(area), 0.0, 1e-14, "a closed surface");
    check_sample(s, volume, s->volume, 0.1 * s->volume, "volume inside, faces flat");
}

static void test_faces_close_the_volume(void** state) { for_all(check_faces); }

// Bad elements, batches --------------------------------------------------------------------------

static void check_refusals(const sample* s, rig* r)
{
    kai_error err = {0};
    double q[KAI_COUNT(r->q)];
    memcpy(q, r->q0, sizeof q);
    for (size_t n = 1; !(s->rules & ONE_PLACE) && n < (size_t)r->kind->nodes; n++)
        memcpy(r->q0 + n * r->each, r->q0, 3 * sizeof *q);
    if (!(s->rules & ONE_PLACE)) {
        check_error(rig_prepare(r, &err), KAI_ERROR_ARGUMENT);
        assert_non_null(strstr(err.message, "must"));
    }
    memcpy(r->q0, q, sizeof q);
    r->q0[r->each] = (double)NAN;
    check_error(rig_prepare(r, &err), KAI_ERROR_ARGUMENT);
    if (!(s->rules & SOLID)) return;
    // Inside out: a mirror image.
    memcpy(r->q0, q, sizeof q);
    for (size_t i = 0; i < r->coordinates; i += 3) r->q0[i] = -r->q0[i];
    check_error(rig_prepare(r, &err), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "must be > 0"));
}

static void test_bad_elements_are_refused(void** state) { for_all(check_refusals); }

// A batch of unlike states gives what each gives alone, to rounding.
static void check_batch(const sample* s, rig* r)
{
    enum { COUNT = 11 };
    const size_t size = r->kind->kind.size, data = r->kind->data_size, rows = r->rows;
    const size_t solids = (size_t)r->kind->solids;
    char* memory = test_calloc(COUNT, size + data + 64);
    kai_solid_view* views = test_calloc(COUNT * (solids + 1), sizeof *views);
    double* x = test_calloc(COUNT, sizeof(double) * (r->coordinates + 4 * rows + 2 * rows * rows));
    double *q = x, *v = q + COUNT * r->coordinates, *f = v + COUNT * rows, *t = f + COUNT * rows;
    double *f1 = t + COUNT * rows * rows, *t1 = f1 + COUNT * rows;
    char* all_data = memory + COUNT * size + (8 - COUNT * size % 8) % 8;
    r->velocity = 0.3;
    for (size_t i = 0; i < COUNT; i++) {
        rig_deform(r, 60 + i, 0.03, true);
        rig_force(r, true);
        memcpy(memory + i * size, r->instance, size);
        memcpy(all_data + i * data, r->data, data);
        for (size_t k = 0; k < solids; k++) views[i * solids + k] = r->solids[k];
        memcpy(q + i * r->coordinates, r->q, r->coordinates * sizeof *q);
        memcpy(v + i * rows, r->v, rows * sizeof *q);
        memcpy(f1 + i * rows, r->force, rows * sizeof *q);
        memcpy(t1 + i * rows * rows, r->tangent, rows * rows * sizeof *q);
    }
    kai_element_batch b = {memory, all_data, views, COUNT, q, v, 1.0, 0.3, f, t, 0.0, NULL, false};
    r->kind->force(&b);
    const double most = rig_most(f1, COUNT * rows), top = rig_most(t1, COUNT * rows * rows);
    for (size_t i = 0; i < COUNT * rows; i++)
        check_sample(s, f[i], f1[i], 1e-13 * most, "the same element alone");
    for (size_t i = 0; i < COUNT * rows * rows; i++)
        check_sample(s, t[i], t1[i], 1e-13 * top, "the same element alone");
    b.upper = r->kind->slopes >= 0;
    memset(t, 0, COUNT * rows * rows * sizeof *t);
    r->kind->force(&b);
    for (size_t i = 0; i < COUNT * rows * rows; i++)
        if (i % rows >= i / rows % rows)
            check_sample(s, t[i], t1[i], 1e-13 * top, "the upper triangle alone");
    b.tangent = NULL;
    r->kind->force(&b);
    for (size_t i = 0; i < COUNT * rows; i++)
        check_sample(s, f[i], f1[i], 1e-12 * most, "force without tangent");
    test_free(x);
    test_free(views);
    test_free(memory);
}

static void test_batches(void** state) { for_all(check_batch); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_has_a_sample),
        cmocka_unit_test(test_tables_are_whole),
        cmocka_unit_test(test_rigid_motion_costs_nothing),
        cmocka_unit_test(test_turning_changes_nothing),
        cmocka_unit_test(test_momentum_is_kept),
        cmocka_unit_test(test_force_is_slope_of_energy),
        cmocka_unit_test(test_tangent_is_slope_of_force),
        cmocka_unit_test(test_damping_takes_energy),
        cmocka_unit_test(test_mass_adds_up),
        cmocka_unit_test(test_linear_field_is_met),
        cmocka_unit_test(test_faces_close_the_volume),
        cmocka_unit_test(test_bad_elements_are_refused),
        cmocka_unit_test(test_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
