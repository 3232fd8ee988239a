// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Worlds for the tests of record/ and run/: one that has everything a file must hold.
#ifndef TESTS_RECORD_WORLDS_H
#define TESTS_RECORD_WORLDS_H

#include "helper.h"

#include <kairos/kairos.h>
#include <unistd.h>

// A load kind of a user's own, with inner state and every type of parameter that loads have.
typedef struct probe {
    kai_body body, other;
    bool on;
    int64_t count;
    double rate;
    kai_value value;
    int32_t word;
    kai_string text;
    kai_table table;
    kai_table history; // hidden
    double memory;     // hidden
} probe;

static const char* const PROBE_WORDS[] = {"one", "two", NULL};

#define PROBE(field, kind) \
    .name = #field, .type = KAI_PARAM_##kind, .offset = offsetof(probe, field), .doc = "For tests."
static const kai_param PROBE_PARAMS[] = {
    {PROBE(body, BODY), .required = true},
    {PROBE(other, BODY), .required = true},
    {PROBE(on, BOOL)},
    {PROBE(count, INT)},
    {PROBE(rate, REAL), .range = KAI_AT_LEAST(0.0)},
    {PROBE(value, VALUE)},
    {PROBE(word, ENUM), .words = PROBE_WORDS},
    {PROBE(text, STRING)},
    {PROBE(table, TABLE), .columns = 2},
    {PROBE(history, TABLE), .columns = 1, .hidden = true},
    {PROBE(memory, REAL), .hidden = true},
};

HELPER void probe_apply(const kai_load_batch* batch)
{
    for (size_t i = batch->begin; i < batch->end; i++) {
        const probe* p = KAI_LOAD_AT(batch, probe, i);
        const double force =
            p->rate * kai_function_set_value(batch->functions, &p->value, batch->time).y +
            p->memory;
        batch->out[2 * i].force.x = force;
        batch->out[2 * i + 1].force.x = -force;
    }
}

HELPER kai_result probe_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)world;
    (void)err;
    ((probe*)instance)->memory = 0.125;
    return KAI_OK;
}

static const kai_load_kind PROBE_KIND = {
    .kind = {KAI_SIZES(kai_load_kind), .name = "probe", .doc = "For tests.", .size = sizeof(probe),
             .params = PROBE_PARAMS, .param_count = KAI_COUNT(PROBE_PARAMS)},
    .apply = probe_apply,
    .prepare = probe_prepare};

HELPER kai_body worlds_body(kai_world* world, const char* name, double x)
{
    kai_body_def def = kai_body_def_default();
    snprintf(def.name.text, sizeof def.name.text, "%s", name);
    def.mass = 1.0 + x;
    def.inertia = (kai_inertia){0.1, 0.2, 0.25, 0.01, 0.0, 0.02};
    def.com = kai_vec3_make(0.1, 0.0, 0.2);
    def.position = kai_vec3_make(x, 1.0, 2.0);
    def.velocity = kai_vec3_make(0.0, x, 1.0);
    def.angular_velocity = kai_vec3_make(1.0, 2.0, 3.0 * x);
    def.user_data = 1000 + (uint64_t)x;
    kai_body body;
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

HELPER kai_function worlds_function(kai_world* world)
{
    static const double points[] = {0.0, 1.0, 0.5, 3.0, 1.5, -2.0, 4.0, 0.0};
    kai_function_table_params table = {.points = {points, 4, 2},
                                       .interpolation = KAI_INTERPOLATION_CUBIC};
    kai_function spline, product;
    check_ok(kai_function_create(world, &kai_function_table, &table, &spline));
    const kai_function_operand operands[] = {{{0.0, spline}}, {kai_value_constant(2.0)}};
    const kai_function_operands_params params = {.operands = {operands, 2}};
    check_ok(kai_function_create(world, &kai_function_product, &params, &product));
    return product;
}

HELPER void worlds_shapes(kai_world* world, kai_body body, int count)
{
    kai_material_def material = kai_material_def_default();
    snprintf(material.name.text, sizeof material.name.text, "stuff%u", body.index);
    material.density = 1234.5;
    kai_shape_def def = kai_shape_def_default();
    check_ok(kai_material_create(world, &material, &def.material));
    def.color = kai_vec3_make(0.2, 0.4, 1.0);
    const kai_shape_box_params box = {.size = {0.1, 0.2, 0.3}};
    const kai_shape_sphere_params sphere = {.radius = 0.5};
    for (int i = 0; i < count; i++) {
        def.at = kai_vec3_make(0.1 * i, 0.0, 0.0);
        kai_shape shape;
        check_ok(i % 2 ? kai_shape_create(world, body, &kai_shape_box, &box, &def, &shape)
                       : kai_shape_create(world, body, &kai_shape_sphere, &sphere, &def, &shape));
    }
}

HELPER void worlds_loads(kai_world* world, kai_body a, kai_body b, kai_function function)
{
    static const double rows[] = {1.0, 2.0, 3.0, 4.0};
    probe p;
    kai_kind_defaults(&PROBE_KIND.kind, &p);
    p.body = a;
    p.other = b;
    p.on = true;
    p.count = -5;
    p.rate = 0.75;
    p.value.function = function;
    p.word = 1;
    p.table = (kai_table){rows, 2, 2};
    snprintf(p.text.text, sizeof p.text.text, "with \"quotes\"");
    kai_load load;
    check_ok(kai_load_create(world, &PROBE_KIND, &p, "sonde", &load));
    kai_load_force_params force;
    kai_kind_defaults(&kai_load_force.kind, &force);
    force.body = b;
    force.at_body = kai_vec3_make(0.1, 0.2, 0.3);
    force.value.z.function = function;
    check_ok(kai_load_create(world, &kai_load_force, &force, NULL, &load));
    check_ok(kai_load_create(world, &kai_load_force, &force, "push", &load));
}

// A world with a history: bodies, shapes and loads came and went, and it has been stepped.
HELPER kai_world* worlds_make(const kai_allocator* allocator, kai_body* gone)
{
    kai_world_def def = kai_world_def_default();
    if (allocator != NULL) def.allocator = *allocator;
    def.threads = 2;
    kai_world* world = NULL;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_load_register(world, &PROBE_KIND));
    kai_body body[6];
    const char* const names[] = {"a", "b", "", "", "e", "f"};
    for (int i = 0; i < 6; i++) {
        body[i] = worlds_body(world, names[i], i);
        worlds_shapes(world, body[i], i % 3);
    }
    static double x[50], y[50];
    for (int i = 0; i < 50; i++) x[i] = y[i] = 0.1 * i;
    const kai_shape_sphere_params sphere = {.radius = 0.01};
    kai_particles_def particles = kai_particles_def_default();
    snprintf(particles.name.text, sizeof particles.name.text, "grains");
    particles.shape = &kai_shape_sphere;
    particles.shape_params = &sphere;
    particles.density = 2500.0;
    particles.table =
        (kai_particle_table){.count = 50, .x = x, .y = y, .z = x, .vx = y, .vy = x, .vz = y};
    kai_particles grains;
    check_ok(kai_particles_create(world, &particles, &grains));
    worlds_loads(world, body[0], body[4], worlds_function(world));
    check_ok(kai_load_destroy(world, kai_load_find(world, "push")));
    check_ok(kai_integrator_set(world, &kai_integrator_rk4, NULL));
    check_ok(kai_body_destroy(world, body[2]));
    check_ok(kai_body_destroy(world, body[5]));
    check_ok(kai_body_destroy(world, kai_particles_body(world, grains, 7)));
    for (int i = 0; i < 20; i++) check_ok(kai_world_step(world, 1e-3));
    for (int i = 0; i < 5; i++) check_ok(kai_world_step(world, 2e-3));
    check_ok(kai_world_evaluate(world));
    if (gone != NULL) *gone = body[2];
    return world;
}

// A file name in the folder of the test that no other test has.
HELPER const char* worlds_path(char out[256], const char* name)
{
    snprintf(out, 256, "record-test-%d-%s", (int)getpid(), name);
    return out;
}

#endif
