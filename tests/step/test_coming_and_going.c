// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies that come and go while others are held by joints, loads and elements: what was laid out for
// those stays, counted, and they move bit by bit as in a world where nobody comes or goes.
#include "fea/reload.h"
#include "step/joints.h"

#include <kairos/driveline.h>
#include <kairos/kairos.h>

#include "fea/fea.h"
#include "model/world.h"
#include "step/constraints.h"

enum { LINKS = 4, FREE = 40, STEPS = 60 };

typedef struct machine {
    kai_world* world;
    kai_body link[LINKS];
    kai_shaft shaft[2];
    kai_node node[3];
    kai_body free[FREE]; // some of them null
    size_t created;
} machine;

static kai_body add_free(machine* m)
{
    kai_body_def def = joints_body_def(1.0, 0.1, 0.2, 0.3);
    def.position = helper_random_vec3(m->created);
    def.velocity = helper_random_vec3(1000 + m->created++);
    return joints_add(m->world, &def);
}

/// A chain of links with a spring at its end.
static void add_chain(machine* m)
{
    kai_body before = joints_ground(m->world);
    for (int i = 0; i < LINKS; i++) {
        kai_body_def def = joints_body_def(2.0, 0.02, 0.1, 0.1);
        def.position = kai_vec3_make(0.5 + i, 0.0, 0.0);
        m->link[i] = joints_add(m->world, &def);
        kai_joint_base p;
        joints_set(&kai_joint_revolute, &p, before, m->link[i], kai_vec3_make(i, 0.0, 0.0),
                   kai_vec3_make(0.0, 1.0, 0.0));
        joints_make(m->world, &kai_joint_revolute, &p);
        before = m->link[i];
    }
    kai_load_spring_params s;
    kai_load load;
    kai_kind_defaults(&kai_load_spring.kind, &s);
    s.bodies[0] = m->link[0], s.bodies[1] = before;
    s.points[0] = kai_vec3_make(0.5, 0.0, 0.5), s.points[1] = kai_vec3_make(LINKS, 0.0, 0.5);
    s.rest_length = 2.0;
    s.stiffness = kai_curve_line(300.0);
    s.damping = kai_curve_line(5.0);
    check_ok(kai_load_create(m->world, &kai_load_spring, &s, NULL, &load));
}

/// Two shafts on a spring: their places follow those of bodies.
static void add_shafts(machine* m)
{
    for (int i = 0; i < 2; i++) {
        kai_shaft_def def = kai_shaft_def_default();
        def.speed = 3.0 * i;
        check_ok(kai_shaft_create(m->world, &def, NULL, &m->shaft[i]));
    }
    kai_load_torsion_spring_params p;
    kai_load load;
    kai_kind_defaults(&kai_load_torsion_spring.kind, &p);
    p.shafts[0] = m->shaft[0], p.shafts[1] = m->shaft[1];
    p.stiffness = kai_curve_line(20.0);
    check_ok(kai_load_create(m->world, &kai_load_torsion_spring, &p, NULL, &load));
}

/// Two bars between nodes, the first one fixed.
static void add_bars(machine* m)
{
    kai_solid_elastic_params rubber;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &rubber);
    rubber.young = 1e6;
    rubber.base.density = 1000.0;
    check_ok(kai_solid_create(m->world, &kai_solid_elastic, &rubber, NULL, &solid));
    for (int i = 0; i < 3; i++) {
        kai_node_def def = kai_node_def_default();
        def.position = kai_vec3_make(0.3 * i, 2.0, 0.0);
        def.fixed = i == 0 ? KAI_NODE_FIX_POSITION : 0;
        check_ok(kai_node_create(m->world, &def, NULL, &m->node[i]));
    }
    for (int i = 0; i < 2; i++) {
        kai_element_bar_params bar = {{m->node[i], m->node[i + 1]}, solid, 1e-4};
        kai_element element;
        check_ok(kai_element_create(m->world, &kai_element_bar, &bar, NULL, &element));
    }
}

/// `crowd`: free bodies stand before the machine and behind it.
static machine make(const kai_integrator_kind* integrator, bool elements, bool crowd)
{
    machine m = {.world = joints_world(integrator, 1e-12)};
    for (int i = 0; crowd && i < FREE / 2; i++) m.free[i] = add_free(&m);
    add_chain(&m);
    add_shafts(&m);
    if (elements) add_bars(&m);
    for (int i = FREE / 2; crowd && i < FREE; i++) m.free[i] = add_free(&m);
    return m;
}

/// Some leave, from places before and behind the machine, and some come.
static void change_crowd(machine* m, int step)
{
    for (int k = 0; k < 5; k++) {
        kai_body* body = &m->free[(7 * step + 11 * k) % FREE];
        if (KAI_IS_NULL(*body))
            *body = add_free(m);
        else
            check_ok(kai_body_destroy(m->world, *body));
        if (!kai_body_is_valid(m->world, *body)) *body = (kai_body){0};
    }
}

static bool same_bits(const void* a, const void* b, size_t size) { return !memcmp(a, b, size); }

static void check_same_machine(const machine* a, const machine* b)
{
    for (int i = 0; i < LINKS; i++) {
        const kai_frame p = kai_body_frame(a->world, a->link[i]),
                        q = kai_body_frame(b->world, b->link[i]);
        const kai_vec3 u = kai_body_velocity(a->world, a->link[i]),
                       v = kai_body_velocity(b->world, b->link[i]);
        assert_true(same_bits(&p, &q, sizeof p) && same_bits(&u, &v, sizeof u));
    }
    for (int i = 0; i < 2; i++) {
        kai_shaft_def p, q;
        check_ok(kai_shaft_get(a->world, a->shaft[i], &p));
        check_ok(kai_shaft_get(b->world, b->shaft[i], &q));
        assert_true(p.angle == q.angle && p.speed == q.speed);
    }
    for (int i = 0; !KAI_IS_NULL(a->node[2]) && i < 3; i++) {
        kai_node_def p, q;
        check_ok(kai_node_get(a->world, a->node[i], &p));
        check_ok(kai_node_get(b->world, b->node[i], &q));
        assert_true(same_bits(&p.position, &q.position, sizeof p.position));
    }
}

/// The machine moves as if nobody came or went, and nothing of it is laid out anew.
static void machine_does_not_notice(const kai_integrator_kind* integrator, bool elements)
{
    machine alone = make(integrator, elements, false), m = make(integrator, elements, true);
    for (int i = 0; i < STEPS; i++) {
        change_crowd(&m, i);
        check_ok(kai_world_step(m.world, 2e-3));
        check_ok(kai_world_step(alone.world, 2e-3));
        check_same_machine(&alone, &m);
    }
    assert_int_equal(m.world->solver->layouts, 1);
    if (elements) assert_int_equal(m.world->fea->layouts, 1);
    kai_world_destroy(alone.world);
    kai_world_destroy(m.world);
}

static void joints_and_loads_stay(void** state)
{
    (void)state;
    machine_does_not_notice(&kai_integrator_euler, false);
}

static void elements_stay(void** state)
{
    (void)state;
    machine_does_not_notice(&kai_integrator_euler, true);
}

/// Loads' derivatives are in the system of an implicit method. Its steps begin anew where bodies
/// come and go, so the machine moves as in a world where somebody does far away.
static void implicit_systems_stay(void** state)
{
    (void)state;
    const kai_integrator_kind* all[] = {&kai_integrator_trapezoidal,
                                        &kai_integrator_euler_implicit};
    for (size_t k = 0; k < KAI_COUNT(all); k++) {
        machine few = make(all[k], false, true), m = make(all[k], false, true);
        for (int i = 0; i < STEPS; i++) {
            change_crowd(&m, i);
            const kai_body far = add_free(&few);
            check_ok(kai_body_destroy(few.world, far));
            check_ok(kai_world_step(m.world, 2e-3));
            check_ok(kai_world_step(few.world, 2e-3));
        }
        assert_int_equal(m.world->solver->layouts, 1);
        for (int i = 0; i < LINKS; i++)
            check_vec3(kai_body_position(m.world, m.link[i]),
                       kai_body_position(few.world, few.link[i]), 1e-9,
                       "the tolerance of the iteration, over 60 steps");
        kai_world_destroy(few.world);
        kai_world_destroy(m.world);
    }
}

/// Slots are in order again: nothing is laid out anew, and nothing moves differently.
static void reordering_keeps_the_system(void** state)
{
    (void)state;
    machine alone = make(&kai_integrator_euler, false, false),
            m = make(&kai_integrator_euler, false, true);
    for (int i = 0; i < STEPS; i++) {
        if (i % 10 == 5) check_ok(kai_world_reorder(m.world));
        check_ok(kai_world_step(m.world, 2e-3));
        check_ok(kai_world_step(alone.world, 2e-3));
        check_same_machine(&alone, &m);
    }
    assert_int_equal(m.world->solver->layouts, 1);
    kai_world_destroy(alone.world);
    kai_world_destroy(m.world);
}

/// What carries terms still makes all anew when it becomes fixed; what carries none does not.
static void only_terms_count(void** state)
{
    (void)state;
    machine m = make(&kai_integrator_euler, false, true);
    scene_steps(m.world, 3, 1e-3);
    check_ok(kai_body_set_fixed(m.world, m.free[0], true));
    scene_steps(m.world, 1, 1e-3);
    assert_int_equal(m.world->solver->layouts, 1);
    check_ok(kai_body_set_fixed(m.world, m.link[2], true));
    scene_steps(m.world, 1, 1e-3);
    assert_int_equal(m.world->solver->layouts, 2);
    const kai_vec3 at = kai_body_position(m.world, m.link[2]);
    scene_steps(m.world, 20, 1e-3);
    check_vec3(kai_body_position(m.world, m.link[2]), at, 0.0, "it is fixed");
    kai_world_destroy(m.world);
}

/// A run that is saved and resumed after changes ends with the same bits as one that goes on.
static void resumed_runs_are_the_same(void** state)
{
    (void)state;
    const kai_integrator_kind* all[] = {&kai_integrator_euler, &kai_integrator_trapezoidal};
    for (size_t k = 0; k < KAI_COUNT(all); k++) {
        machine a = make(all[k], true, true), b = make(all[k], true, true);
        for (int i = 0; i < STEPS; i++) {
            change_crowd(&a, i), change_crowd(&b, i);
            if (i % 17 == 5) b.world = reload(b.world, 1);
            if (i % 17 == 5) // ids tell which world made them
                for (int n = 0; n < FREE; n++)
                    if (!KAI_IS_NULL(b.free[n])) b.free[n].world = kai_body_at(b.world, 0).world;
            check_ok(kai_world_step(a.world, 2e-3));
            check_ok(kai_world_step(b.world, 2e-3));
            assert_true(kai_world_hash(a.world) == kai_world_hash(b.world));
        }
        kai_world_destroy(a.world);
        kai_world_destroy(b.world);
    }
}

/// The plan of loads is made anew for the ends that there are, and only when one of their bodies
/// moves to another slot.
static void plans_follow_slots_alone(void** state)
{
    (void)state;
    machine m = {.world = joints_world(&kai_integrator_euler, 0.0)};
    add_chain(&m);
    for (int i = 0; i < FREE; i++) m.free[i] = add_free(&m);
    scene_steps(m.world, 1, 1e-3);
    const uint64_t builds = m.world->plan.builds;
    for (int i = 0; i < STEPS; i++) {
        change_crowd(&m, i);
        scene_steps(m.world, 1, 1e-3);
    }
    assert_int_equal(m.world->plan.builds, builds);
    kai_world_destroy(m.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_and_loads_stay),    cmocka_unit_test(elements_stay),
        cmocka_unit_test(implicit_systems_stay),    cmocka_unit_test(reordering_keeps_the_system),
        cmocka_unit_test(only_terms_count),         cmocka_unit_test(resumed_runs_are_the_same),
        cmocka_unit_test(plans_follow_slots_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
