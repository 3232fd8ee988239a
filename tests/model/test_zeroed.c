// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What comes of parameters and definitions that were zeroed instead of filled with defaults, every
// kind of every family: an error with a message, or an object that acts. Only what an instance
// takes hold of (bodies, shafts, nodes, solids) is filled in.
#include "fixture.h"

#include "model/world.h"

#include <kairos/contact.h>
#include <kairos/element_kinds.h>
#include <kairos/node.h>
#include <kairos/shaft.h>
#include <kairos/solver.h>
#include <kairos/structure.h>
#include <stdlib.h>

enum { ENDS = 20 }; // as many as any kind has

typedef struct ends {
    kai_body body[ENDS];
    kai_shaft shaft[ENDS];
    kai_node node[ENDS];
    kai_solid solid;
    size_t bodies, shafts, nodes; // used so far by the instance being filled
} ends;

static ends make_ends(fixture* f)
{
    ends e = {0};
    for (int i = 0; i < ENDS; i++) {
        kai_body_def body = body_def("");
        body.position = kai_vec3_make(i, i % 3, i % 5);
        e.body[i] = add_body(f, &body);
        const kai_shaft_def shaft = kai_shaft_def_default();
        check_ok(kai_shaft_create(f->world, &shaft, NULL, &e.shaft[i]));
        kai_node_def node = kai_node_def_default();
        node.position = kai_vec3_make(i % 2, i / 2 % 2, i / 4);
        check_ok(kai_node_create(f->world, &node, NULL, &e.node[i]));
    }
    kai_solid_elastic_params solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &solid);
    solid.base.density = 1000.0;
    solid.young = 1e6;
    solid.poisson = 0.3;
    check_ok(kai_solid_create(f->world, &kai_solid_elastic, &solid, NULL, &e.solid));
    return e;
}

// A zeroed instance of a kind with all its ends filled in; to be freed.
static void* zeroed(const kai_kind* kind, ends* e)
{
    char* instance = calloc(1, kind->size);
    assert_non_null(instance);
    e->bodies = e->shafts = e->nodes = 0;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->hidden) continue;
        void* at = instance + p->offset;
        for (size_t k = 0; k < kai_kind_repeats(p); k++) {
            if (p->type == KAI_PARAM_BODY) ((kai_body*)at)[k] = e->body[e->bodies++];
            if (p->type == KAI_PARAM_SHAFT) ((kai_shaft*)at)[k] = e->shaft[e->shafts++];
            if (p->type == KAI_PARAM_NODE) ((kai_node*)at)[k] = e->node[e->nodes++];
            if (p->type == KAI_PARAM_SOLID) ((kai_solid*)at)[k] = e->solid;
        }
    }
    return instance;
}

// A refusal has a message; what was made can be told apart from what does nothing.
static bool is_made(fixture* f, const kai_kind* kind, kai_result r)
{
    if (r == KAI_OK) return true;
    const char* message = kai_world_error(f->world)->message;
    if (strstr(message, kind->name) == NULL)
        fail_msg("%s: the message does not name it: %s", kind->name, message);
    return false;
}

// Whether an instance has a parameter "active" that is false: it was made, and does nothing.
static bool is_idle(const kai_kind* kind, const void* instance)
{
    const kai_param* p = kai_kind_param(kind, "active");
    return p && !*(const bool*)((const char*)instance + p->offset);
}

static void test_joints(void** state)
{
    fixture f;
    fixture_start(&f);
    ends e = make_ends(&f);
    for (size_t b = 0; b < f.world->joints.batch_count; b++) {
        const kai_kind* kind = f.world->joints.batches[b].kind;
        void* params = zeroed(kind, &e);
        kai_joint joint;
        const kai_result r =
            kai_joint_create(f.world, (const kai_joint_kind*)(const void*)kind, params, "", &joint);
        const void* made;
        if (is_made(&f, kind, r)) {
            check_ok(kai_joint_get(f.world, joint, NULL, &made));
            if (is_idle(kind, made)) fail_msg("%s: made, and does nothing", kind->name);
            check_ok(kai_joint_destroy(f.world, joint));
        }
        free(params);
    }
    fixture_finish(&f);
}

static void test_loads(void** state)
{
    fixture f;
    fixture_start(&f);
    ends e = make_ends(&f);
    for (size_t b = 0; b < f.world->loads.batch_count; b++) {
        const kai_kind* kind = f.world->loads.batches[b].kind;
        void* params = zeroed(kind, &e);
        kai_load load;
        const kai_result r =
            kai_load_create(f.world, (const kai_load_kind*)(const void*)kind, params, "", &load);
        const void* made;
        if (is_made(&f, kind, r)) {
            check_ok(kai_load_get(f.world, load, NULL, &made));
            if (is_idle(kind, made)) fail_msg("%s: made, and does nothing", kind->name);
            check_ok(kai_load_destroy(f.world, load));
        }
        free(params);
    }
    fixture_finish(&f);
}

static void test_elements(void** state)
{
    fixture f;
    fixture_start(&f);
    ends e = make_ends(&f);
    for (size_t b = 0; b < f.world->elements.batch_count; b++) {
        const kai_kind* kind = f.world->elements.batches[b].kind;
        void* params = zeroed(kind, &e);
        kai_element element;
        const kai_result r = kai_element_create(f.world, (const kai_element_kind*)(const void*)kind,
                                                params, "", &element);
        if (is_made(&f, kind, r)) check_ok(kai_element_destroy(f.world, element));
        free(params);
    }
    fixture_finish(&f);
}

// Solids without stiffness, functions without points, structures without size: none is made.
static void test_solids_and_structures(void** state)
{
    fixture f;
    fixture_start(&f);
    ends e = make_ends(&f);
    for (size_t b = 0; b < f.world->solids.batch_count; b++) {
        const kai_kind* kind = f.world->solids.batches[b].kind;
        void* params = zeroed(kind, &e);
        kai_solid solid;
        assert_false(is_made(&f, kind,
                             kai_solid_create(f.world, (const kai_solid_kind*)(const void*)kind,
                                              params, "", &solid)));
        free(params);
    }
    void* element = zeroed(&kai_element_hex8.kind, &e);
    for (size_t b = 0; b < f.world->structures.batch_count; b++) {
        const kai_kind* kind = f.world->structures.batches[b].kind;
        void* params = zeroed(kind, &e);
        kai_structure structure;
        assert_false(
            is_made(&f, kind,
                    kai_structure_create(f.world, (const kai_structure_kind*)(const void*)kind,
                                         params, &kai_element_hex8, element, "", &structure)));
        free(params);
    }
    free(element);
    fixture_finish(&f);
}

// Shapes of size zero are refused, and so is a zeroed definition, which would be a shape that
// neither touches nor shows.
static void test_shapes(void** state)
{
    fixture f;
    fixture_start(&f);
    ends e = make_ends(&f);
    const kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    for (size_t b = 0; b < f.world->shapes.batch_count; b++) {
        const kai_kind* kind = f.world->shapes.batches[b].kind;
        if (kind->hidden) continue;
        void* params = zeroed(kind, &e);
        assert_false(
            is_made(&f, kind,
                    kai_shape_create(f.world, e.body[0], (const kai_shape_kind*)(const void*)kind,
                                     params, &def, &shape)));
        free(params);
    }
    const kai_shape_sphere_params sphere = {.radius = 1.0};
    check_error(kai_shape_create(f.world, e.body[0], &kai_shape_sphere, &sphere,
                                 &(kai_shape_def){0}, &shape),
                KAI_ERROR_ARGUMENT);
    fixture_finish(&f);
}

// Definitions: those with a cookie are refused, a shaft has to have an inertia, a zeroed node is a
// node at the origin.
static void test_definitions(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_world* other;
    kai_body body;
    kai_shaft shaft;
    kai_node node;
    kai_material material;
    kai_material_pair pair;
    kai_particles particles;
    kai_world* w = f.world;
    check_error(kai_world_create(&(kai_world_def){0}, &other, NULL), KAI_ERROR_ARGUMENT);
    check_error(kai_body_create(w, &(kai_body_def){0}, &body), KAI_ERROR_ARGUMENT);
    check_error(kai_shaft_create(w, &(kai_shaft_def){0}, "", &shaft), KAI_ERROR_ARGUMENT);
    check_ok(kai_node_create(w, &(kai_node_def){0}, "", &node));
    check_error(kai_material_create(w, &(kai_material_def){0}, &material), KAI_ERROR_ARGUMENT);
    check_error(kai_material_pair_create(w, &(kai_material_pair_def){0}, &pair),
                KAI_ERROR_ARGUMENT);
    check_error(kai_particles_create(w, &(kai_particles_def){0}, &particles), KAI_ERROR_ARGUMENT);
    check_error(kai_contact_set(w, &(kai_contact_def){0}), KAI_ERROR_ARGUMENT);
    check_error(kai_solver_set(w, &(kai_solver_def){0}), KAI_ERROR_ARGUMENT);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints),   cmocka_unit_test(test_loads),
        cmocka_unit_test(test_elements), cmocka_unit_test(test_solids_and_structures),
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
