// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A structure of your own
// =======================
// A coil spring: beams along a helix. A kind of structure says where nodes are, which of them make
// a cell, and which have a name; elements of any kind that fits are then made of it.
//
// It is pulled along its axis. In closed form (torsion and bending of the wire alone, α the slope
// of the helix, L its length) a force F stretches it by F R² L (cos²α / G J + sin²α / E I).
#include <kairos/kairos.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;

// 1 One instance: what every structure has, then its own.
typedef struct helix {
    kai_structure_base base;
    double radius, height, turns;
    int64_t cells;
} helix;

// 2 What its parameters are.
static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(helix),
    KAI_PARAM(REAL, helix, radius, .unit = "m", .initial = {0.05}, .range = KAI_ABOVE(0.0),
              .doc = "From its axis z to the wire."),
    KAI_PARAM(REAL, helix, height, .unit = "m", .initial = {0.2}, .range = KAI_ABOVE(0.0),
              .doc = "Along z."),
    KAI_PARAM(REAL, helix, turns, .initial = {5.0}, .range = KAI_ABOVE(0.0),
              .doc = "How often it goes round."),
    KAI_PARAM(INT, helix, cells, .initial = {100.0}, .range = KAI_BETWEEN(1.0, 1e6),
              .doc = "Elements."),
};

// 3 The mesh: nodes with their axes (the first along the line), cells, and the ends as sets.
static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    (void)element, (void)err;
    const helix* h = instance;
    kai_result r = KAI_OK;
    for (int64_t i = 0; r == KAI_OK && i <= h->cells; i++) {
        const double s = (double)i / (double)h->cells, angle = 2.0 * PI * h->turns * s;
        const kai_vec3 out = kai_vec3_make(cos(angle), sin(angle), 0.0);
        const kai_vec3 along = kai_vec3_normalize(
            kai_vec3_make(-2.0 * PI * h->turns * h->radius * sin(angle),
                          2.0 * PI * h->turns * h->radius * cos(angle), h->height));
        const kai_structure_node node = {
            .position = kai_vec3_make(h->radius * out.x, h->radius * out.y, h->height * s),
            .axes = {along, out, kai_vec3_cross(along, out)}};
        uint32_t number;
        r = kai_structure_mesh_node(mesh, &node, &number);
        if (r == KAI_OK && i > 0)
            r = kai_structure_mesh_cell(mesh, (const uint32_t[]){number - 1, number});
        if (r == KAI_OK && i == 0) r = kai_structure_mesh_set(mesh, "bottom", number);
        if (r == KAI_OK && i == h->cells) r = kai_structure_mesh_set(mesh, "top", number);
    }
    return r;
}

static const kai_structure_kind HELIX = {
    .kind = KAI_KIND("helix", helix, PARAMS, KAI_SIZES(kai_structure_kind),
                     .doc = "A coil about z. Sets: `bottom`, `top`."),
    .cells = 1 << KAI_STRUCTURE_LINE,
    .build = build};

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

/// How far the top moves up under 1 N along the axis; negative on failure.
static double stretch(kai_world* world, kai_structure spring)
{
    // The force acts on the axis, the wire ends beside it: the top takes a moment as well.
    const kai_value zero = kai_value_constant(0.0);
    const kai_body top = kai_structure_body_at(world, spring, "top", 0);
    const kai_vec3 at = kai_body_position(world, top), axis = kai_vec3_make(0.0, 0.0, at.z);
    const kai_vec3 m = kai_vec3_cross(kai_vec3_sub(axis, at), kai_vec3_axis(2));
    const kai_value3 force = {zero, zero, kai_value_constant(1.0)},
                     moment = {kai_value_constant(m.x), kai_value_constant(m.y), zero};
    const kai_vec3 point = kai_body_point_from_world(world, top, axis);
    if (kai_structure_fix(world, spring, "bottom", KAI_NODE_FIX_ALL) ||
        kai_structure_load(world, spring, "top", force, moment) || kai_world_statics_linear(world))
        return -1.0;
    return kai_body_point_to_world(world, top, point).z - axis.z;
}

/// A spring of steel in a world of its own.
static int measure(int64_t cells)
{
    const double young = 2e11, poisson = 0.3, wire = 0.002;
    kai_world_def world_def = kai_world_def_default();
    world_def.gravity = kai_vec3_zero();
    kai_world* world;
    if (kai_world_create(&world_def, &world, NULL)) return 1;

    // 4 Register the kind, and make one of it.
    kai_solid_elastic_params steel;
    kai_kind_defaults(&kai_solid_elastic.kind, &steel);
    steel.young = young;
    steel.poisson = poisson;
    steel.base.density = 7800.0;
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    beam.radius = wire;
    helix params;
    kai_kind_defaults(&HELIX.kind, &params);
    params.cells = cells;
    kai_structure spring;
    if (kai_structure_register(world, &HELIX)) return fail(world);
    if (kai_solid_create(world, &kai_solid_elastic, &steel, "steel", &beam.solid))
        return fail(world);
    if (kai_structure_create(world, &HELIX, &params, &kai_element_euler_beam, &beam, "spring",
                             &spring))
        return fail(world);

    const double length = hypot(2.0 * PI * params.turns * params.radius, params.height);
    const double sine = params.height / length, bending = young * PI * pow(wire, 4.0) / 4.0;
    const double torsion = bending / (1.0 + poisson);
    const double exact = params.radius * params.radius * length *
                         ((1.0 - sine * sine) / torsion + sine * sine / bending);
    const double way = stretch(world, spring);
    if (way < 0.0) return fail(world);
    printf("%12.0f  %.4f       %.4f\n", (double)cells / params.turns, 1e-3 / way, 1e-3 / exact);
    kai_world_destroy(world);
    return 0;
}

int main(void)
{
    printf("beams a turn    N/mm  closed form\n");
    for (int64_t cells = 50; cells <= 400; cells *= 2)
        if (measure(cells)) return 1;
    return 0;
}
