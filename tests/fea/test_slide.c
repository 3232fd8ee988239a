// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The joint `node-slide`: rows are derivatives of their g; beads on stiff and on flexible lines
// against closed forms; from element to element, round a ring; threads, resume, errors.
#include "fea/reload.h"
#include "model/joint.h"
#include "model/node.h"

#include <kairos/joint_nodes.h>
#include <kairos/kairos.h>
#include <math.h>

#define PI 3.14159265358979323846

static const double YOUNG = 1e9, RADIUS = 0.01;

static kai_world* make_world(kai_vec3 gravity, int threads, const kai_integrator_kind* integrator)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = gravity;
    def.threads = threads;
    kai_world* world;
    kai_error err = {0};
    check_ok(kai_world_create(&def, &world, &err));
    if (integrator) check_ok(kai_integrator_set(world, integrator, NULL));
    return world;
}

static void expect(kai_world* world, kai_result r)
{
    if (r != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

static void step(kai_world* world, double h, int count)
{
    for (int i = 0; i < count; i++) expect(world, kai_world_step(world, h));
}

static kai_solid add_solid(kai_world* world, double young)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.base.density = 1000.0;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

/// A straight line of n elements from a to b: cables, or beams.
static kai_structure add_line(kai_world* world, bool beams, kai_vec3 a, kai_vec3 b, int n)
{
    const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    kai_structure_cable_params p;
    kai_structure line;
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    p.points = (kai_table){points, 2, 3};
    p.cells = n;
    const kai_solid solid = add_solid(world, YOUNG);
    kai_element_ancf_cable_params cable;
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    cable.solid = beam.solid = solid;
    cable.radius = beam.radius = RADIUS;
    if (beams)
        expect(world, kai_structure_create(world, &kai_structure_cable, &p, &kai_element_euler_beam,
                                           &beam, "line", &line));
    else
        expect(world, kai_structure_create(world, &kai_structure_cable, &p, &kai_element_ancf_cable,
                                           &cable, "line", &line));
    return line;
}

static kai_body add_bead(kai_world* world, kai_vec3 at, kai_vec3 velocity, double mass)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = mass;
    def.inertia = (kai_inertia){0.1 * mass, 0.2 * mass, 0.15 * mass, 0.01 * mass, 0.0, 0.0};
    def.position = at;
    def.velocity = velocity;
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

static kai_joint_node_slide_params slide_params(kai_body body, kai_node node)
{
    kai_joint_node_slide_params p;
    kai_kind_defaults(&kai_joint_node_slide.kind, &p);
    p.base.bodies[0] = body;
    p.node = node;
    return p;
}

static kai_joint add_slide(kai_world* world, kai_body body, kai_node node)
{
    kai_joint_node_slide_params p = slide_params(body, node);
    kai_joint joint;
    strcpy(p.structure.text, "line");
    expect(world, kai_joint_create(world, &kai_joint_node_slide, &p, "bead", &joint));
    return joint;
}

static double total(kai_world* world)
{
    kai_energy e;
    check_ok(kai_world_energy(world, &e));
    return e.kinetic + e.potential + e.elastic;
}

// Rows -------------------------------------------------------------------------------------------

enum { FURTHER = KAI_JOINT_ENDS - 2 };

static void evaluate(const kai_world* world, const void* instance, kai_joint_row rows[2],
                     kai_wrench further[2 * FURTHER])
{
    const kai_joint_base* base = instance;
    uint32_t slot[2], beyond[FURTHER];
    for (int k = 0; k < 2; k++)
        slot[k] = (uint32_t)kai_bodies_slot(&world->bodies, base->bodies[k]);
    kai_joint_find_further(world, &kai_joint_node_slide, instance, beyond);
    memset(further, 0, 2 * FURTHER * sizeof *further);
    const kai_joint_batch one = {.world = world,
                                 .instances = instance,
                                 .size = kai_joint_node_slide.kind.size,
                                 .end = 1,
                                 .slot = slot,
                                 .pose = world->bodies.pose,
                                 .motion = world->bodies.motion,
                                 .functions = &world->functions,
                                 .rows = rows,
                                 .further_slot = beyond,
                                 .further = further,
                                 .nodes = kai_node_all(world),
                                 .node_size = sizeof(kai_node_record)};
    kai_joint_node_slide.evaluate(&one);
}

/// Random velocities of everything, a move along them.
static void move_all(kai_world* world, uint64_t seed, double d)
{
    for (size_t i = 0; i < world->bodies.count; i++) {
        kai_pose* p = &world->bodies.pose[i];
        p->position = kai_vec3_mul_add(p->position, helper_random_vec3(seed + 2 * i), d);
        p->rotation = kai_quat_mul(p->rotation, kai_quat_from_rotation_vector(kai_vec3_scale(
                                                    helper_random_vec3(seed + 2 * i + 1), d)));
    }
    for (size_t i = 0; i < world->nodes.count; i++) {
        kai_node_record* n = &kai_node_all(world)[i];
        n->def.position =
            kai_vec3_mul_add(n->def.position, helper_random_vec3(seed + 1000 + 2 * i), d);
        n->def.slope[0] =
            kai_vec3_mul_add(n->def.slope[0], helper_random_vec3(seed + 1001 + 2 * i), d);
    }
}

static double rate_of(const kai_world* world, const void* instance, int r, uint64_t seed,
                      const kai_joint_row* rows, const kai_wrench* further)
{
    const kai_joint_base* base = instance;
    uint32_t beyond[FURTHER];
    kai_joint_find_further(world, &kai_joint_node_slide, instance, beyond);
    double rate = 0.0;
    if (!KAI_IS_NULL(base->bodies[0])) {
        const size_t i = kai_bodies_slot(&world->bodies, base->bodies[0]);
        rate += kai_vec3_dot(rows[r].a.force, helper_random_vec3(seed + 2 * i)) +
                kai_vec3_dot(rows[r].a.torque, helper_random_vec3(seed + 2 * i + 1));
    }
    for (int k = 0; k < FURTHER; k++) {
        const kai_wrench* f = &further[r * FURTHER + k];
        if (beyond[k] == UINT32_MAX || (k > 3 && k % 2 == 0)) continue; // second slopes: none
        const uint64_t at = seed + 2 * beyond[k] + (k < 3 ? 0 : 1000);
        rate += kai_vec3_dot(f->force, helper_random_vec3(at)) +
                kai_vec3_dot(f->torque, helper_random_vec3(at + 1));
    }
    return rate;
}

static void check_rows(bool beams, bool node, uint64_t seed)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
    add_line(world, beams, kai_vec3_zero(), kai_vec3_make(1.0, 0.2, 0.1), 4);
    const double at = 0.05 + 0.13 * (double)(seed % 7);
    const kai_vec3 x = kai_vec3_make(at, 0.2 * at, 0.1 * at);
    kai_node_def def = kai_node_def_default();
    kai_node bead = {0};
    kai_body body = {0};
    def.position = x;
    def.slopes = 1;
    if (node)
        check_ok(kai_node_create(world, &def, NULL, &bead));
    else
        body = add_bead(world, x, kai_vec3_zero(), 1.0);
    const kai_joint joint = add_slide(world, body, bead);
    const void* instance;
    check_ok(kai_joint_get(world, joint, NULL, &instance));
    double violation;
    check_ok(kai_joint_violation(world, joint, &violation));
    check_near(violation, 0.0, 1e-14, "it holds at creation");
    // Away from where it holds, on a line that is bent: distances of 0.05 at elements of 0.25.
    move_all(world, seed, 0.03);
    kai_joint_row rows[2], before[2], after[2];
    kai_wrench further[2 * FURTHER], unused[2 * FURTHER];
    evaluate(world, instance, rows, further);
    double rates[2];
    for (int r = 0; r < 2; r++) rates[r] = rate_of(world, instance, r, seed + 50, rows, further);
    const double h = 1e-6;
    move_all(world, seed + 50, h);
    evaluate(world, instance, after, unused);
    move_all(world, seed + 50, -2.0 * h);
    evaluate(world, instance, before, unused);
    for (int r = 0; r < 2; r++) {
        assert_true(fabs(rows[r].g) > 1e-4);
        // rounding 1e-16 / h, and h² times third derivatives of some 1000 / m²
        check_near((after[r].g - before[r].g) / (2.0 * h), rates[r], 1e-8, "central difference");
    }
    kai_world_destroy(world);
}

static void rows_are_derivatives(void** state)
{
    for (uint64_t seed = 0; seed < 28; seed++) check_rows(seed & 1, seed & 2, seed);
}

// Closed forms -----------------------------------------------------------------------------------

// A line that cannot move is an incline: s = ½ g sin α t², which the method integrates exactly.
static void a_bead_slides_down(void** state)
{
    for (int beams = 0; beams < 2; beams++) {
        kai_world* world = make_world(kai_vec3_make(0, 0, -9.81), 1, &kai_integrator_hht);
        const double c = cos(0.5), s = sin(0.5);
        const kai_structure line =
            add_line(world, beams, kai_vec3_zero(), kai_vec3_make(10.0 * c, 0, -10.0 * s), 40);
        check_ok(kai_structure_fix(world, line, "all", KAI_NODE_FIX_ALL));
        const kai_body bead =
            add_bead(world, kai_vec3_make(0.03 * c, 0, -0.03 * s), kai_vec3_zero(), 2.0);
        const kai_joint joint = add_slide(world, bead, (kai_node){0});
        step(world, 2e-3, 500); // 2.35 m: nine elements
        const double way = 0.03 + 0.5 * 9.81 * s;
        check_vec3(kai_body_position(world, bead), kai_vec3_make(way * c, 0, -way * s), 1e-9,
                   "g sin(a) t^2 / 2");
        double violation;
        check_ok(kai_joint_violation(world, joint, &violation));
        check_near(violation, 0.0, 1e-11, "it holds");
        kai_world_destroy(world);
    }
}

/// A node at x of the line that cannot move along it, with a weight.
static kai_node add_weight(kai_world* world, double x, double weight)
{
    kai_node_def def = kai_node_def_default();
    kai_node node;
    def.position = kai_vec3_make(x, 0, 0);
    def.fixed = 1; // x
    def.mass = 1.0;
    check_ok(kai_node_create(world, &def, NULL, &node));
    check_ok(kai_node_set_force(world, node, kai_vec3_make(0, 0, -weight)));
    return node;
}

static double sag_of(const kai_world* world, kai_node node)
{
    kai_node_def def;
    check_ok(kai_node_get(world, node, &def));
    return -def.position.z;
}

// A beam with both ends clamped: δ = W a³ b³ / (3 E I L³). Cubics lack the same of the element
// under the load, whose shape they cannot have: W x³ y³ / (3 E I l³).
static void a_beam_gives_way(void** state)
{
    const double inertia = PI * pow(RADIUS, 4) / 4.0, ei = YOUNG * inertia, weight = 0.05;
    for (int beams = 0; beams < 2; beams++) {
        for (double x = 0.13; x < 1.0; x += 0.1) {
            kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
            const kai_structure line =
                add_line(world, beams, kai_vec3_zero(), kai_vec3_make(1, 0, 0), 8);
            check_ok(kai_structure_fix(world, line, "x0", KAI_NODE_FIX_ALL));
            check_ok(kai_structure_fix(world, line, "x1", KAI_NODE_FIX_ALL));
            const kai_node bead = add_weight(world, x, weight);
            add_slide(world, (kai_body){0}, bead);
            expect(world, kai_world_statics(world));
            const double in = fmod(x, 0.125), out = 0.125 - in;
            const double exact = weight * pow(x * (1.0 - x), 3.0) / (3.0 * ei),
                         lacks = weight * pow(in * out / 0.125, 3.0) / (3.0 * ei);
            // δ up to 3e-5 m to 1e-10 m; stretching adds a share of (δ / radius)² ~ 1e-5
            check_relative(sag_of(world, bead), exact - lacks, 3e-5, "W a^3 b^3 / (3 E I L^3)");
            kai_world_destroy(world);
        }
    }
}

// A string under tension T with bending stiffness, ends pinned, k² = T / E I:
// δ = W / T (a b / L - sinh ka sinh kb / (k sinh kL)).
static void a_string_gives_way(void** state)
{
    const double area = PI * RADIUS * RADIUS, ei = YOUNG * area * RADIUS * RADIUS / 4.0;
    const double stretch = 1.002, weight = 0.01;
    const double tension = YOUNG * area * 0.5 * (stretch * stretch - 1.0) * stretch;
    for (double x = 0.07; x < 1.0; x += 0.11) {
        kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
        const kai_structure line =
            add_line(world, false, kai_vec3_zero(), kai_vec3_make(1, 0, 0), 20);
        check_ok(kai_structure_fix(world, line, "x0", KAI_NODE_FIX_POSITION));
        check_ok(kai_structure_fix(world, line, "x1", KAI_NODE_FIX_POSITION));
        for (size_t i = 0; i < 21; i++) {
            const kai_node node = kai_structure_node_at(world, line, "all", i);
            const kai_vec3 q[2] = {kai_vec3_make(stretch * 0.05 * (double)i, 0, 0),
                                   kai_vec3_make(stretch, 0, 0)};
            check_ok(kai_node_set_motion(world, node, q, NULL));
        }
        const kai_node bead = add_weight(world, stretch * x, weight);
        add_slide(world, (kai_body){0}, bead);
        expect(world, kai_world_statics(world));
        const double k = sqrt(tension / ei), a = stretch * x, b = stretch * (1.0 - x);
        const double exact = weight / tension *
                             (a * b / stretch - sinh(k * a) * sinh(k * b) / k / sinh(k * stretch));
        // 20 cubics at k l = 0.9; E I is that of the unstretched section, a share of 0.002 of a
        // part of δ
        check_relative(sag_of(world, bead), exact, 2e-3, "string with bending stiffness");
        kai_world_destroy(world);
    }
}

// Motion -----------------------------------------------------------------------------------------

/// A slack line of n elements between two points 1 m apart, and a bead that runs through it.
static kai_world* add_swing(bool beams, int threads, const kai_integrator_kind* kind,
                            kai_joint* out, kai_body* bead)
{
    kai_world* world = make_world(kai_vec3_make(0, 0.1, -9.81), threads, kind);
    const kai_structure line = add_line(world, beams, kai_vec3_zero(), kai_vec3_make(1, 0, 0), 10);
    check_ok(kai_structure_fix(world, line, "x0", KAI_NODE_FIX_ALL));
    check_ok(kai_structure_fix(world, line, "x1", KAI_NODE_FIX_ALL));
    *bead = add_bead(world, kai_vec3_make(0.12, 0, 0), kai_vec3_make(1.5, 0, 0), 1.0);
    *out = add_slide(world, *bead, (kai_node){0});
    return world;
}

// A bead crosses a line that bends and swings under it: energy stays, the joint holds, nothing is
// felt where elements meet.
static void energy_stays(void** state)
{
    for (int beams = 0; beams < 2; beams++) {
        kai_joint joint;
        kai_body bead;
        kai_world* world = add_swing(beams, 1, NULL, &joint, &bead);
        kai_integrator_hht_params p;
        kai_kind_defaults(&kai_integrator_hht.kind, &p);
        p.alpha = -0.02;
        check_ok(kai_integrator_set(world, &kai_integrator_hht, &p));
        const double start = total(world);
        double worst = 0.0, lost = 0.0;
        while (kai_body_position(world, bead).x < 0.9 && kai_world_time(world) < 1.0) {
            step(world, 2e-4, 1);
            double violation;
            check_ok(kai_joint_violation(world, joint, &violation));
            worst = fmax(worst, violation);
            lost = fmax(lost, fabs(total(world) - start));
        }
        assert_true(kai_body_position(world, bead).x >= 0.9);
        check_near(worst, 0.0, 1e-9, "the joint holds");
        // α = -0.02 damps what is faster than the step; the line under the bead is not
        check_near(lost, 0.0, 1e-6 * start, "energy");
        kai_world_destroy(world);
    }
}

/// A ring of n cables in the x-y plane that cannot move.
static kai_element add_ring(kai_world* world, int n)
{
    kai_element_ancf_cable_params p;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &p);
    p.solid = add_solid(world, YOUNG);
    p.radius = RADIUS;
    kai_node nodes[64];
    kai_element element = {0};
    for (int i = 0; i < n; i++) {
        const double a = 2.0 * PI * i / n;
        kai_node_def def = kai_node_def_default();
        def.slopes = 1;
        def.fixed = KAI_NODE_FIX_ALL;
        def.position = kai_vec3_make(cos(a), sin(a), 0);
        def.slope[0] = kai_vec3_make(-sin(a), cos(a), 0);
        check_ok(kai_node_create(world, &def, NULL, &nodes[i]));
    }
    for (int i = 0; i < n; i++) {
        p.nodes[0] = nodes[i];
        p.nodes[1] = nodes[(i + 1) % n];
        expect(world, kai_element_create(world, &kai_element_ancf_cable, &p, NULL, &element));
    }
    return element;
}

// Round and round: a node with a mass keeps its speed, and the ring is a circle to (2π/n)⁴ / 384.
static void a_bead_goes_round(void** state)
{
    enum { PARTS = 24 };
    kai_world* world = make_world(kai_vec3_zero(), 1, &kai_integrator_hht);
    kai_joint_node_slide_params p = slide_params((kai_body){0}, (kai_node){0});
    p.along = add_ring(world, PARTS);
    kai_node_def def = kai_node_def_default();
    def.mass = 3.0;
    def.position = kai_vec3_make(cos(0.03), sin(0.03), 0);
    def.velocity = kai_vec3_make(-sin(0.03), cos(0.03), 0);
    kai_joint joint;
    check_ok(kai_node_create(world, &def, NULL, &p.node));
    expect(world, kai_joint_create(world, &kai_joint_node_slide, &p, NULL, &joint));
    double angle = 0.03, before = 0.03;
    for (int i = 0; i < 1500; i++) {
        step(world, 0.01, 1);
        check_ok(kai_node_get(world, p.node, &def));
        const double now = atan2(def.position.y, def.position.x);
        angle += remainder(now - before, 2.0 * PI);
        before = now;
        check_near(hypot(def.position.x, def.position.y), 1.0, 1.3e-5, "a circle");
    }
    // 15 m: more than two turns. The speed of each step is that of its chord: (v h)² / 24 ~ 4e-6,
    // and the method damps accelerations that turn by 0.01 a step.
    check_relative(angle, 0.03 + 15.0, 1e-4, "v t / R");
    check_relative(kai_vec3_norm(def.velocity), 1.0, 1e-4, "no force along the line");
    kai_world_destroy(world);
}

/// A net of cables that cannot move; returns an element of the strand along y at x = 0.
static kai_element add_net(kai_world* world)
{
    kai_structure_net_params net;
    kai_structure made;
    kai_element_ancf_cable_params p;
    kai_kind_defaults(&kai_structure_net.kind, &net);
    kai_kind_defaults(&kai_element_ancf_cable.kind, &p);
    net.size[0] = net.size[1] = 2.0;
    net.cells[0] = net.cells[1] = 4.0;
    net.segments = 2;
    p.solid = add_solid(world, YOUNG);
    p.radius = RADIUS;
    expect(world, kai_structure_create(world, &kai_structure_net, &net, &kai_element_ancf_cable, &p,
                                       "net", &made));
    check_ok(kai_structure_fix(world, made, "all", KAI_NODE_FIX_ALL));
    for (size_t i = 0; i < kai_structure_element_count(world, made); i++) {
        const kai_element element = kai_structure_element_at(world, made, i);
        kai_element_sample s;
        check_ok(kai_element_sample_at(world, element, (const double[]){0, 0, 0}, &s));
        if (fabs(s.position.x) < 1e-9 && s.position.y < -0.8) return element;
    }
    fail_msg("there is no such strand");
    return (kai_element){0};
}

// Strands that cross share a knot, where each has a slope of its own: a bead goes straight on.
static void a_bead_crosses_a_net(void** state)
{
    kai_world* world = make_world(kai_vec3_make(0, 2, -9.81), 1, &kai_integrator_hht);
    kai_joint_node_slide_params p = slide_params((kai_body){0}, (kai_node){0});
    p.along = add_net(world);
    p.base.bodies[0] = add_bead(world, kai_vec3_make(0, -0.9, 0), kai_vec3_make(0, 0.5, 0), 1.0);
    kai_joint joint;
    expect(world, kai_joint_create(world, &kai_joint_node_slide, &p, NULL, &joint));
    step(world, 2e-3, 500);
    check_vec3(kai_body_position(world, p.base.bodies[0]), kai_vec3_make(0, 0.6, 0), 1e-9,
               "0.5 t + g t^2 / 2");
    kai_world_destroy(world);
}

// Bits -------------------------------------------------------------------------------------------

static uint64_t run(bool beams, int threads, const kai_integrator_kind* kind, int stop)
{
    kai_joint joint;
    kai_body bead;
    kai_world* world = add_swing(beams, threads, kind, &joint, &bead);
    step(world, 1e-3, stop);
    if (stop > 0) world = reload(world, threads);
    step(world, 1e-3, 150 - stop);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

// The window passes on some ten times in 150 steps; runs are stopped before, at and after it.
static void threads_and_resume_change_no_bit(void** state)
{
    const kai_integrator_kind* kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    for (size_t i = 0; i < KAI_COUNT(kinds); i++) {
        for (int beams = 0; beams < 2; beams++) {
            const uint64_t one = run(beams, 1, kinds[i], 0);
            assert_true(run(beams, 2, kinds[i], 0) == one);
            assert_true(run(beams, 5, kinds[i], 0) == one);
            for (int stop = 20; stop < 150; stop += 11)
                assert_true(run(beams, 1, kinds[i], stop) == one);
        }
    }
}

// Errors -----------------------------------------------------------------------------------------

static void refuse(kai_world* world, const kai_joint_node_slide_params* p, const char* text)
{
    kai_joint joint;
    assert_true(kai_joint_create(world, &kai_joint_node_slide, p, NULL, &joint) != KAI_OK);
    if (!strstr(kai_world_error(world)->message, text))
        fail_msg("'%s' is not in '%s'", text, kai_world_error(world)->message);
}

static void bad_input_is_named(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
    add_line(world, false, kai_vec3_zero(), kai_vec3_make(1, 0, 0), 5);
    const kai_body bead = add_bead(world, kai_vec3_make(0.5, 0.1, 0), kai_vec3_zero(), 1.0);
    kai_joint_node_slide_params p = slide_params(bead, (kai_node){0});
    refuse(world, &p, "there is no line; give one of structure and element");
    strcpy(p.structure.text, "rail");
    refuse(world, &p, "there is no structure 'rail'");
    strcpy(p.element.text, "rod");
    refuse(world, &p, "the line is given twice");
    p.structure.text[0] = 0;
    refuse(world, &p, "there is no element 'rod'");
    p.element.text[0] = 0;
    strcpy(p.structure.text, "line");
    refuse(world, &p,
           "is 0.1 m from the line, whose nearest point is [0.5, 0, 0]; must be within "
           "0.002 m, 0.01 of an element's length");
    p.base.bodies[0] = (kai_body){0};
    refuse(world, &p, "nothing is there to slide");
    p.node = kai_structure_node_at(world, kai_structure_find(world, "line"), "all", 2);
    refuse(world, &p, "is a node of the line itself");
    p.base.bodies[0] = bead;
    refuse(world, &p, "body and node are both given");
    kai_world_destroy(world);
}

/// A net, or a truss of bars, is no line.
static void lines_are_lines(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
    const kai_solid solid = add_solid(world, YOUNG);
    kai_structure_net_params net;
    kai_structure made;
    kai_kind_defaults(&kai_structure_net.kind, &net);
    net.size[0] = net.size[1] = 1.0;
    net.cells[0] = net.cells[1] = 2.0;
    kai_element_bar_params bar = {.solid = solid, .area = 1e-4};
    expect(world, kai_structure_create(world, &kai_structure_net, &net, &kai_element_bar, &bar,
                                       "bars", &made));
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    beam.solid = solid;
    beam.radius = RADIUS;
    expect(world, kai_structure_create(world, &kai_structure_net, &net, &kai_element_euler_beam,
                                       &beam, "beams", &made));
    const kai_body bead = add_bead(world, kai_vec3_make(0.2, 0.5, 0), kai_vec3_zero(), 1.0);
    kai_joint_node_slide_params p = slide_params(bead, (kai_node){0});
    strcpy(p.structure.text, "bars");
    refuse(world, &p, "bar has no smooth line to slide along; must be ancf-cable, euler-beam");
    strcpy(p.structure.text, "beams");
    refuse(world, &p, "the line branches at node 4 of structure 'beams'");
    kai_world_destroy(world);
}

// An element goes and a node with it: the joint says so when it comes there.
static void lost_nodes_are_named(void** state)
{
    kai_joint joint;
    kai_body bead;
    kai_world* world = add_swing(false, 1, &kai_integrator_euler, &joint, &bead);
    const kai_structure line = kai_structure_find(world, "line");
    for (size_t i = 6; i < 8; i++)
        check_ok(kai_element_destroy(world, kai_structure_element_at(world, line, i)));
    check_ok(kai_node_destroy(world, kai_structure_node_at(world, line, "all", 7)));
    kai_result r = KAI_OK;
    for (int i = 0; r == KAI_OK && i < 1000; i++) r = kai_world_step(world, 1e-3);
    assert_int_equal(r, KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "joint 'bead': node-slide: a node of"));
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_derivatives), cmocka_unit_test(a_bead_slides_down),
        cmocka_unit_test(a_beam_gives_way),     cmocka_unit_test(a_string_gives_way),
        cmocka_unit_test(energy_stays),         cmocka_unit_test(a_bead_goes_round),
        cmocka_unit_test(a_bead_crosses_a_net), cmocka_unit_test(threads_and_resume_change_no_bit),
        cmocka_unit_test(bad_input_is_named),   cmocka_unit_test(lines_are_lines),
        cmocka_unit_test(lost_nodes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
