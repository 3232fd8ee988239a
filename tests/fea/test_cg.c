// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The solver cg in a world: a net of cables moves as with direct, under euler and hht, in statics
// and with a ball in it; threads and a resume change no bit; steps before are of use; steps too
// stiff for single precision, and elements that drive apart; what it refuses.
#include "fea/reload.h"

#include <kairos/kairos.h>
#include <math.h>

typedef struct net {
    kai_world* world;
    kai_structure structure;
    kai_solid rope;
} net;

/// 4 × 4 meshes of two cables a side, held at two sides; `ball`: something falls into it.
static net make_net(kai_solver_type type, int threads, double young, bool ball)
{
    net n;
    kai_world_def def = kai_world_def_default();
    kai_error err = {0};
    def.threads = threads;
    check_ok(kai_world_create(&def, &n.world, &err));
    kai_solver_def solver = kai_solver_def_default();
    solver.type = type;
    solver.tolerance = 1e-12;
    check_ok(kai_solver_set(n.world, &solver));
    kai_solid_elastic_params p;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.base.density = 1100.0;
    p.base.damping = 1e-3;
    check_ok(kai_solid_create(n.world, &kai_solid_elastic, &p, NULL, &n.rope));
    kai_structure_net_params s;
    kai_element_ancf_cable_params cable;
    kai_kind_defaults(&kai_structure_net.kind, &s);
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    s.size[0] = s.size[1] = 1.0;
    s.cells[0] = s.cells[1] = 4.0;
    s.segments = 2;
    cable.solid = n.rope;
    cable.radius = 0.005;
    check_ok(kai_structure_create(n.world, &kai_structure_net, &s, &kai_element_ancf_cable, &cable,
                                  "net", &n.structure));
    check_ok(kai_structure_fix(n.world, n.structure, "x0", KAI_NODE_FIX_POSITION));
    check_ok(kai_structure_fix(n.world, n.structure, "x1", KAI_NODE_FIX_ALL));
    if (!ball) return n;
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_NSC;
    check_ok(kai_contact_set(n.world, &contact));
    check_ok(kai_structure_contact(n.world, n.structure, "all", 0.02, (kai_material){0}, false));
    kai_body_def body = kai_body_def_default();
    kai_body made;
    kai_shape shape;
    const kai_shape_sphere_params sphere = {0.15};
    const kai_shape_def look = kai_shape_def_default();
    body.mass = 2.0;
    body.inertia = (kai_inertia){0.02, 0.02, 0.02, 0, 0, 0};
    body.position = kai_vec3_make(0.03, 0.02, 0.18);
    body.velocity = kai_vec3_make(0.0, 0.0, -1.0);
    check_ok(kai_body_create(n.world, &body, &made));
    check_ok(kai_shape_create(n.world, made, &kai_shape_sphere, &sphere, &look, &shape));
    return n;
}

static void step(net* n, double h, int count)
{
    for (int i = 0; i < count; i++)
        if (kai_world_step(n->world, h) != KAI_OK)
            fail_msg("%s", kai_world_error(n->world)->message);
}

/// Largest distance of nodes, and of slopes, of two nets.
static double distance(const net* a, const net* b)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_node_count(a->world); i++) {
        kai_node_def x, y;
        check_ok(kai_node_get(a->world, kai_node_at_index(a->world, i), &x));
        check_ok(kai_node_get(b->world, kai_node_at_index(b->world, i), &y));
        most = fmax(most, kai_vec3_distance(x.position, y.position));
        for (int s = 0; s < x.slopes; s++)
            most = fmax(most, kai_vec3_distance(x.slope[s], y.slope[s]));
    }
    return most;
}

static const char* solver_of(const net* n) { return kai_solver_measured(n->world).name; }

// Residuals of 1e-12 of M v in each step: after 40 of them less than 1e-9.
static void it_moves_as_with_direct(void** state)
{
    const kai_integrator_kind* kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        net one = make_net(KAI_SOLVER_DIRECT, 1, 1e7, false),
            two = make_net(KAI_SOLVER_CG, 2, 1e7, false);
        check_ok(kai_integrator_set(one.world, kinds[k], NULL));
        check_ok(kai_integrator_set(two.world, kinds[k], NULL));
        step(&one, 2e-3, 40);
        step(&two, 2e-3, 40);
        assert_string_equal(solver_of(&one), "direct");
        assert_string_equal(solver_of(&two), "cg");
        check_near(distance(&one, &two), 0.0, 1e-9, "nodes");
        kai_world_destroy(one.world);
        kai_world_destroy(two.world);
    }
}

static void statics_and_a_ball(void** state)
{
    net one = make_net(KAI_SOLVER_DIRECT, 1, 1e7, false),
        two = make_net(KAI_SOLVER_CG, 1, 1e7, false);
    check_ok(kai_world_statics(one.world));
    check_ok(kai_world_statics(two.world));
    check_near(distance(&one, &two), 0.0, 1e-7, "nodes at rest");
    kai_world_destroy(one.world);
    kai_world_destroy(two.world);
    // With a ball the cones' own tolerance rules.
    one = make_net(KAI_SOLVER_DIRECT, 1, 1e7, true);
    two = make_net(KAI_SOLVER_CG, 2, 1e7, true);
    step(&one, 1e-3, 40);
    step(&two, 1e-3, 40);
    check_near(distance(&one, &two), 0.0, 1e-6, "nodes with a ball");
    kai_world_destroy(one.world);
    kai_world_destroy(two.world);
}

static uint64_t run(int threads, bool resume, bool ball)
{
    net n = make_net(KAI_SOLVER_CG, threads, 1e7, ball);
    step(&n, 1e-3, 20);
    if (resume) n.world = reload(n.world, threads);
    step(&n, 1e-3, 20);
    const uint64_t hash = kai_world_hash(n.world);
    kai_world_destroy(n.world);
    return hash;
}

static void threads_and_resume_change_no_bit(void** state)
{
    for (int ball = 0; ball < 2; ball++) {
        const uint64_t one = run(1, false, ball);
        assert_true(run(2, false, ball) == one);
        assert_true(run(5, false, ball) == one);
        assert_true(run(2, true, ball) == one);
    }
}

/// Iterations of one more step, where what is known of steps before is kept or not.
static double iterations_of(net* n, double h, bool forget)
{
    const kai_node node = kai_node_at_index(n->world, 0);
    kai_node_def def;
    check_ok(kai_node_get(n->world, node, &def));
    // Where it is already: nothing changes but that steps before count no more.
    if (forget) check_ok(kai_node_set_motion(n->world, node, &def.position, NULL));
    step(n, h, 1);
    return (double)kai_solver_measured(n->world).iterations;
}

// Velocities of a net that falls change smoothly: from what two steps before tell the iterations
// have less to do than from velocities as they are. Both end within the tolerance, 1e-12 of M v.
static void steps_before_are_of_use(void** state)
{
    net one = make_net(KAI_SOLVER_CG, 1, 1e7, false), two = make_net(KAI_SOLVER_CG, 1, 1e7, false);
    step(&one, 1e-3, 20);
    step(&two, 1e-3, 20);
    assert_true(iterations_of(&one, 1e-3, false) < iterations_of(&two, 1e-3, true));
    check_near(distance(&one, &two), 0.0, 1e-12, "nodes");
    // Steps of another length tell nothing.
    assert_true(iterations_of(&one, 2e-3, false) == iterations_of(&two, 2e-3, true));
    assert_true(iterations_of(&one, 2e-3, false) <= iterations_of(&two, 2e-3, true));
    kai_world_destroy(one.world);
    kai_world_destroy(two.world);
}

// h √(E/ρ) / L is some 7e3: beyond single precision, and minres goes on. The direct solver has the
// residual of rounding times the condition, some 1e-7, too.
static void stiff_steps(void** state)
{
    net one = make_net(KAI_SOLVER_DIRECT, 1, 1e12, false),
        two = make_net(KAI_SOLVER_CG, 1, 1e12, false);
    step(&one, 3e-2, 10);
    step(&two, 3e-2, 10);
    check_near(distance(&one, &two), 0.0, 1e-6, "nodes");
    assert_true(kai_solver_measured(two.world).residual_max < 1e-6);
    kai_world_destroy(one.world);
    kai_world_destroy(two.world);
}

// Strands pressed together at their ends drive apart: the matrix with all of K is not positive
// definite for a long step, and what drives apart is left out. Energy must not grow.
static void compressed(void** state)
{
    net n = make_net(KAI_SOLVER_CG, 1, 1e7, false);
    kai_world_set_gravity(n.world, kai_vec3_zero());
    for (size_t i = 0; i < kai_node_count(n.world); i++) {
        const kai_node node = kai_node_at_index(n.world, i);
        kai_node_def def;
        check_ok(kai_node_get(n.world, node, &def));
        kai_vec3 q[3] = {kai_vec3_scale(def.position, 0.8), def.slope[0], def.slope[1]};
        q[0].z += 1e-4 * sin(3.0 * (double)i);
        check_ok(kai_node_set_motion(n.world, node, q, NULL));
    }
    kai_energy before, after;
    check_ok(kai_world_energy(n.world, &before));
    step(&n, 5e-3, 40);
    check_ok(kai_world_energy(n.world, &after));
    assert_true(after.elastic + after.kinetic < before.elastic + before.kinetic);
    kai_world_destroy(n.world);
}

static void joints_are_refused(void** state)
{
    net n = make_net(KAI_SOLVER_CG, 1, 1e7, false);
    kai_joint_node_node_params tie;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_node_node.kind, &tie);
    tie.nodes[0] = kai_node_at_index(n.world, 10);
    tie.nodes[1] = kai_node_at_index(n.world, 11);
    check_ok(kai_joint_create(n.world, &kai_joint_node_node, &tie, NULL, &joint));
    assert_int_equal(kai_world_step(n.world, 1e-3), KAI_ERROR_UNSUPPORTED);
    assert_non_null(strstr(kai_world_error(n.world)->message, "cg"));
    kai_world_destroy(n.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_moves_as_with_direct),
        cmocka_unit_test(statics_and_a_ball),
        cmocka_unit_test(threads_and_resume_change_no_bit),
        cmocka_unit_test(steps_before_are_of_use),
        cmocka_unit_test(stiff_steps),
        cmocka_unit_test(compressed),
        cmocka_unit_test(joints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
