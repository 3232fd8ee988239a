// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of flexible bodies in contacts, capsules and triangles, by both methods: what lies
// between nodes is carried, each node by its share; momentum is kept; nothing falls through.
#include "fea/reload.h"
#include "fea/surface_rig.h"
#include "model/collision/patch.h"

#include <string.h>

static const kai_integrator_kind *const EXPLICIT = &kai_integrator_euler,
                                        *const IMPLICIT = &kai_integrator_euler_implicit;

static kai_world* make_world_with(const kai_integrator_kind* integrator, int threads,
                                  int32_t method, bool gravity, double young)
{
    kai_world* world = make_world(threads, method, gravity, young);
    check_ok(kai_integrator_set(world, integrator, NULL));
    return world;
}

// Shares -----------------------------------------------------------------------------------------

/// A weight at share s of a bar whose ends stand on springs as stiff as their shares: the bar sinks
/// and stays level.
static void a_bar_shares_a_weight(const kai_integrator_kind* integrator, int32_t method, double h,
                                  double seconds)
{
    kai_world* world = make_world_with(integrator, 1, method, true, 1e8);
    const double s = 0.3, mass = 2.0, stiffness = 4e4, length = 0.5, r = 0.01, R = 0.02;
    const kai_structure line =
        add_bars(world, length, 1, add_solid(world, 1e9, 1e5, 0.0), 1e-5, 0.0);
    touch(world, line, KAI_STRUCTURE_CONTACT_CAPSULES, r);
    kai_node ends[2];
    for (int k = 0; k < 2; k++) {
        kai_node_def def = kai_node_def_default();
        kai_node foot;
        kai_element spring;
        ends[k] = kai_structure_node_at(world, line, NULL, (size_t)k);
        check_ok(kai_node_set_fixed(world, ends[k], 3)); // up and down alone
        // Half the weight of the bar: 0.5 kg.
        check_ok(kai_node_set_force(world, ends[k], kai_vec3_make(0.0, 0.0, 0.25 * G)));
        def.position = kai_vec3_make(k * length, 0.0, -1.0);
        def.fixed = KAI_NODE_FIX_POSITION;
        check_ok(kai_node_create(world, &def, NULL, &foot));
        const double share = k ? s : 1.0 - s;
        kai_element_node_spring_params p = {
            {foot, ends[k]}, share * stiffness, share * 600.0, -1.0};
        check_ok(kai_element_create(world, &kai_element_node_spring, &p, NULL, &spring));
    }
    const kai_body ball = add_ball(world, mass, R, kai_vec3_make(s * length, 0.0, R + r));
    guide(world, ball, 0.0);
    step(world, h, seconds);
    check_relative(force_on(world, ball), mass * G, 1e-7,
                   "the bar carries the ball; cones stop at 1e-9 m/s or so");
    kai_contact_report report;
    check_ok(kai_contact_report_at(world, 0, &report));
    const kai_element element = kai_structure_element_at(world, line, 0),
                      named[2] = {kai_structure_contact_element(world, report.contact.body_a),
                                  kai_structure_contact_element(world, report.contact.body_b)};
    assert_int_equal(named[0].index + named[1].index, element.index);
    assert_true(KAI_IS_NULL(named[0]) != KAI_IS_NULL(named[1]));
    for (int k = 0; k < 2; k++) {
        kai_node_def node;
        check_ok(kai_node_get(world, ends[k], &node));
        check_relative(-node.position.z, mass * G / stiffness, 1e-7, "each end carries its share");
    }
    kai_world_destroy(world);
}

static void bars_share_weights(void** state)
{
    a_bar_shares_a_weight(EXPLICIT, KAI_CONTACT_SMC, 1e-4, 1.0);
    a_bar_shares_a_weight(EXPLICIT, KAI_CONTACT_NSC, 1e-3, 1.0);
    a_bar_shares_a_weight(IMPLICIT, KAI_CONTACT_NSC, 1e-3, 1.0);
}

// Small things on coarse meshes ------------------------------------------------------------------

/// A marble a tenth as large as a cell, over the middle of one: nodes alone would let it pass.
static void a_marble_stays(const kai_integrator_kind* integrator, int32_t method, double h,
                           bool sheet)
{
    kai_world* world = make_world_with(integrator, 1, method, true, 1e8);
    const kai_solid solid = add_solid(world, 1e7, 1000.0, 1e-2);
    kai_structure s;
    const double r = 0.004;
    if (sheet)
        s = add_sheet(world, 0.4, 2, solid, 0.004, kai_vec3_make(0.2, 0.2, 0.0));
    else
        s = add_bars(world, 0.4, 4, solid, 1e-4, 0.0);
    check_ok(kai_structure_fix(world, s, "x0", KAI_NODE_FIX_ALL));
    check_ok(kai_structure_fix(world, s, "x1", KAI_NODE_FIX_ALL));
    touch(world, s, sheet ? KAI_STRUCTURE_CONTACT_TRIANGLES : KAI_STRUCTURE_CONTACT_CAPSULES, r);
    const kai_body ball =
        add_ball(world, 0.01, 0.01, kai_vec3_make(0.16, sheet ? 0.07 : 0.0, 0.03));
    guide(world, ball, 0.0);
    step(world, h, 1.0);
    // Slack bars swing for long.
    assert_true(kai_body_position(world, ball).z > -0.05);
    check_near(kai_body_velocity(world, ball).z, 0.0, 0.03, "nearly at rest");
    assert_true(force_on(world, ball) > 0.0);
    kai_world_destroy(world);
}

static void marbles_stay(void** state)
{
    for (int sheet = 0; sheet < 2; sheet++) {
        a_marble_stays(EXPLICIT, KAI_CONTACT_SMC, 2e-4, sheet);
        a_marble_stays(EXPLICIT, KAI_CONTACT_NSC, 1e-3, sheet);
        a_marble_stays(IMPLICIT, KAI_CONTACT_NSC, 1e-3, sheet);
    }
}

/// A ball pressed into a flat sheet, or a straight line, is pushed back alike everywhere: inside of
/// cells, on edges and over nodes.
static void surfaces_are_even(void** state)
{
    const double r = 0.01, R = 0.03, depth = 1e-4;
    for (int sheet = 0; sheet < 2; sheet++) {
        double first = 0.0;
        for (int i = 0; i <= 40; i++) {
            kai_world* world = make_world(1, KAI_CONTACT_SMC, false, 1e8);
            const kai_solid solid = add_solid(world, 1e7, 1000.0, 0.0);
            const kai_structure s =
                sheet ? add_sheet(world, 0.4, 4, solid, 0.01, kai_vec3_make(0.2, 0.2, 0.0))
                      : add_bars(world, 0.4, 4, solid, 1e-4, 0.0);
            check_ok(kai_structure_fix(world, s, "all", KAI_NODE_FIX_ALL));
            touch(world, s,
                  sheet ? KAI_STRUCTURE_CONTACT_TRIANGLES : KAI_STRUCTURE_CONTACT_CAPSULES, r);
            // Along a diagonal of cells for half the way, then along an edge.
            const double x = 0.05 + 0.0075 * i, y = sheet ? fmin(x, 0.2) : 0.0;
            const kai_body ball = add_ball(world, 1.0, R, kai_vec3_make(x, y, R + r - depth));
            step(world, 1e-6, 1e-6);
            if (i == 0) first = force_on(world, ball);
            assert_int_equal(kai_contact_report_count(world), 1);
            check_relative(force_on(world, ball), first, 1e-9, "as everywhere");
            kai_world_destroy(world);
        }
    }
}

// Other shapes -----------------------------------------------------------------------------------

/// A sheet, or a line, comes to rest on a floor, which then carries its weight.
static void a_floor_carries(const kai_integrator_kind* integrator, int32_t method, double h,
                            int kind, bool sheet)
{
    kai_world* world = make_world_with(integrator, 1, method, true, 1e6);
    const kai_body floor = add_floor(world, kind);
    const kai_solid solid = add_solid(world, 1e6, 1000.0, 1e-2);
    const double r = 0.01, thickness = 0.01;
    const kai_structure s =
        sheet ? add_sheet(world, 0.2, 2, solid, thickness, kai_vec3_make(0.0, 0.0, r + 1e-3))
              : add_beams(world, 0.2, 3, solid, 0.01);
    if (!sheet)
        for (size_t i = 0; i < kai_structure_size(world, s, NULL); i++)
            check_ok(kai_body_set_frame(
                world, kai_structure_body_at(world, s, NULL, i),
                kai_frame_make(kai_vec3_make(0.2 / 3.0 * (double)i, 0.0, r + 1e-3),
                               kai_quat_identity())));
    touch(world, s, sheet ? KAI_STRUCTURE_CONTACT_TRIANGLES : KAI_STRUCTURE_CONTACT_CAPSULES, r);
    const double weight =
        G * 1000.0 * (sheet ? 0.2 * 0.2 * thickness : 0.2 * 3.14159265358979323846 * 1e-4);
    step(world, h, 0.3);
    // The mean of a few steps: by complementarity what rests may tremble by the solver's tolerance.
    double sum = 0.0;
    for (int i = 0; i < 20; i++) {
        step(world, h, h);
        sum -= force_on(world, floor) / 20.0;
    }
    check_relative(sum, weight, 1e-3, "the floor carries it");
    kai_world_destroy(world);
}

static void floors_carry(void** state)
{
    for (int kind = 0; kind < 5; kind++) {
        for (int sheet = kind == 4; sheet < 2; sheet++) { // a beam would fall off the log
            a_floor_carries(EXPLICIT, KAI_CONTACT_SMC, 1e-4, kind, sheet);
            a_floor_carries(EXPLICIT, KAI_CONTACT_NSC, 1e-3, kind, sheet);
            a_floor_carries(IMPLICIT, KAI_CONTACT_NSC, 1e-3, kind, sheet);
        }
    }
}

/// What a joint holds on a body does not touch it, by the node or body that is held.
static void links_do_not_touch(void** state)
{
    for (int frames = 0; frames < 2; frames++) {
        kai_world* world = make_world(1, KAI_CONTACT_NSC, true, 1e8);
        const kai_solid solid = add_solid(world, 1e8, 1000.0, 1e-2);
        const kai_structure s = frames ? add_beams(world, 0.4, 2, solid, 0.01)
                                       : add_bars(world, 0.4, 2, solid, 1e-4, 0.0);
        touch(world, s, KAI_STRUCTURE_CONTACT_CAPSULES, 0.01);
        const kai_shape_box_params box = {.size = {0.1, 0.1, 0.1}};
        const kai_body block = add_body(world, 1.0, kai_vec3_zero(), &kai_shape_box, &box, 2e-3);
        check_ok(kai_structure_link(world, s, "x0", block, false));
        step(world, 1e-3, 0.01);
        assert_int_equal(kai_contact_report_count(world), 0);
        kai_world_destroy(world);
    }
}

// Friction ---------------------------------------------------------------------------------------

/// A block slides over cells of a sheet, or along two lines, that do not move: v = v₀ - μ g t.
/// Edges and nodes under it do not show.
static void a_block_slides(bool sheet)
{
    kai_world* world = make_world(1, KAI_CONTACT_NSC, true, 1e8);
    const kai_solid solid = add_solid(world, 1e7, 1000.0, 0.0);
    const double r = 0.01, h = 1e-3, speed = 2.0, half = 0.02;
    kai_structure s[2];
    s[0] = sheet ? add_sheet(world, 1.0, 8, solid, 0.01, kai_vec3_make(0.5, 0.0, 0.0))
                 : add_bars(world, 1.0, 8, solid, 1e-4, -0.05);
    s[1] = sheet ? s[0] : add_bars(world, 1.0, 8, solid, 1e-4, 0.05);
    for (int i = 0; i < (sheet ? 1 : 2); i++) {
        check_ok(kai_structure_fix(world, s[i], "all", KAI_NODE_FIX_ALL));
        touch(world, s[i], sheet ? KAI_STRUCTURE_CONTACT_TRIANGLES : KAI_STRUCTURE_CONTACT_CAPSULES,
              r);
    }
    const kai_shape_box_params box = {.size = {0.2, 0.15, 2.0 * half}};
    const kai_body block =
        add_body(world, 1.0, kai_vec3_make(0.2, 0.0, half + r), &kai_shape_box, &box, 4e-3);
    check_ok(kai_body_set_velocity(world, block, kai_vec3_make(speed, 0.0, 0.0), kai_vec3_zero()));
    step(world, h, 0.3);
    // The first step's friction begins with the push of that step.
    check_near(kai_body_velocity(world, block).x, speed - 0.5 * G * 0.3, 1e-6, "μ g t");
    check_near(kai_body_position(world, block).z, half + r, 1e-6, "on the surface");
    kai_world_destroy(world);
}

static void blocks_slide(void** state)
{
    a_block_slides(true);
    a_block_slides(false);
}

// Momentum ---------------------------------------------------------------------------------------

/// Forces and moments of random pieces: what goes to ends is what acts at the point.
static void spreading_keeps_moments(void** state)
{
    for (uint64_t round = 0; round < 200; round++) {
        kai_vec3 x[3], f[3], m[3];
        for (uint64_t i = 0; i < 3; i++) x[i] = helper_random_vec3(8 * round + i);
        const kai_vec3 force = helper_random_vec3(8 * round + 3),
                       couple = helper_random_vec3(8 * round + 4),
                       v = helper_random_vec3(8 * round + 5), w = helper_random_vec3(8 * round + 6);
        kai_world* world = make_world(1, KAI_CONTACT_NONE, false, 1e8);
        kai_patch_facet piece = {.count = round % 2 ? 3 : 2};
        for (uint32_t i = 0; i < 3; i++) {
            kai_node_def def = kai_node_def_default();
            kai_node node;
            def.position = x[i];
            def.velocity = kai_vec3_add(v, kai_vec3_cross(w, x[i]));
            check_ok(kai_node_create(world, &def, NULL, &node));
            piece.ends[i] = i;
        }
        kai_vec3 middle = kai_vec3_lerp(x[0], x[1], 0.3);
        if (piece.count == 3) middle = kai_vec3_lerp(middle, x[2], 0.4);
        const kai_vec3 at = kai_vec3_add(middle, helper_random_vec3(8 * round + 7));
        kai_patch_point p;
        kai_patch_locate(world, &piece, middle, at, &p);
        kai_patch_spread(&p, force, couple, f, m);
        kai_vec3 sum = kai_vec3_zero(), moment = kai_vec3_zero(), speed, spin;
        for (int k = 0; k < piece.count; k++) {
            sum = kai_vec3_add(sum, f[k]);
            moment = kai_vec3_add(moment, kai_vec3_cross(x[k], f[k]));
        }
        kai_vec3 wanted = kai_vec3_add(kai_vec3_cross(at, force), couple);
        kai_patch_motion(world, &p, &speed, &spin);
        kai_vec3 turn = w;
        if (piece.count == 2) { // no moment about the line, no turn about it
            const kai_vec3 e = kai_vec3_normalize(kai_vec3_sub(x[1], x[0]));
            const kai_vec3 lost =
                kai_vec3_add(kai_vec3_cross(kai_vec3_sub(at, middle), force), couple);
            wanted = kai_vec3_mul_add(wanted, e, -kai_vec3_dot(e, lost));
            turn = kai_vec3_mul_add(w, e, -kai_vec3_dot(e, w));
        }
        const kai_vec3 rigid = kai_vec3_add(kai_vec3_add(v, kai_vec3_cross(w, middle)),
                                            kai_vec3_cross(turn, kai_vec3_sub(at, middle)));
        // Thin triangles amplify rounding: slopes of weights are 1 / height.
        double lever = 1.0;
        for (int k = 0; k < piece.count; k++) lever += kai_vec3_norm(p.slope[k]);
        check_near(kai_vec3_distance(sum, force), 0.0, 1e-14 * lever, "force");
        check_near(kai_vec3_distance(moment, wanted), 0.0, 1e-13 * lever * lever, "moment");
        check_near(kai_vec3_distance(speed, rigid), 0.0, 1e-13 * lever * lever, "velocity");
        check_near(kai_vec3_distance(spin, turn), 0.0, 1e-13 * lever * lever, "spin");
        kai_world_destroy(world);
    }
}

/// A ball flies into a sheet (or a line of beams) in free space. Moment of momentum is looked at
/// until the first touch has acted: elements that are bent keep it as well as steps of `euler` do.
static void a_collision_keeps_momentum(const kai_integrator_kind* integrator, int32_t method,
                                       double h, bool frames)
{
    kai_world* world = make_world_with(integrator, 1, method, false, 1e8);
    const kai_solid solid = add_solid(world, 1e7, 1000.0, 1e-3);
    if (frames)
        touch(world, add_beams(world, 0.4, 4, solid, 0.01), KAI_STRUCTURE_CONTACT_CAPSULES, 0.01);
    else
        touch(world, add_sheet(world, 0.4, 3, solid, 0.01, kai_vec3_make(0.2, 0.0, 0.0)),
              KAI_STRUCTURE_CONTACT_TRIANGLES, 0.01);
    const kai_body ball = add_ball(world, 0.2, 0.02, kai_vec3_make(0.11, 0.005, 0.0305));
    check_ok(kai_body_set_velocity(world, ball, kai_vec3_make(1.0, 0.5, -2.0), kai_vec3_zero()));
    kai_vec3 before, spin_before, after, spin_after;
    check_ok(kai_world_momentum(world, &before, &spin_before));
    int touched = 0;
    bool bent = false;
    for (int i = 0; i < 200 && touched < 20; i++) {
        step(world, h, h);
        touched += force_on(world, ball) > 0.0;
        check_ok(kai_world_momentum(world, &after, &spin_after));
        check_near(kai_vec3_distance(after, before), 0.0, 1e-13, "momentum");
        bent = bent || touched > 1 || (touched == 1 && force_on(world, ball) == 0.0);
        if (!bent) check_near(kai_vec3_distance(spin_after, spin_before), 0.0, 1e-14, "moment");
    }
    assert_true(touched > 0);
    assert_true(kai_body_velocity(world, ball).z > -2.0);
    kai_world_destroy(world);
}

static void collisions_keep_momentum(void** state)
{
    for (int frames = 0; frames < 2; frames++) {
        a_collision_keeps_momentum(EXPLICIT, KAI_CONTACT_SMC, 1e-5, frames);
        a_collision_keeps_momentum(EXPLICIT, KAI_CONTACT_NSC, 1e-4, frames);
    }
}

// Threads and files ------------------------------------------------------------------------------

/// Balls fall on a sheet, a line of bars and a line of beams.
static uint64_t run(const kai_integrator_kind* integrator, int32_t method, int threads, bool resume)
{
    kai_world* world = make_world_with(integrator, threads, method, true, 1e8);
    const kai_solid solid = add_solid(world, 1e6, 1000.0, 1e-2);
    const kai_structure sheet =
        add_sheet(world, 0.4, 4, solid, 0.004, kai_vec3_make(0.2, 0.5, 0.0));
    const kai_structure bars = add_bars(world, 0.4, 4, solid, 1e-4, 0.0),
                        beams = add_beams(world, 0.4, 4, solid, 0.01);
    const kai_structure all[] = {sheet, bars, beams};
    for (int i = 0; i < 3; i++) {
        check_ok(kai_structure_fix(world, all[i], "x0", KAI_NODE_FIX_ALL));
        check_ok(kai_structure_fix(world, all[i], "x1", KAI_NODE_FIX_ALL));
        touch(world, all[i], i ? KAI_STRUCTURE_CONTACT_CAPSULES : KAI_STRUCTURE_CONTACT_TRIANGLES,
              0.008);
    }
    for (int i = 0; i < 12; i++)
        add_ball(world, 0.05, 0.02, kai_vec3_make(0.06 + 0.05 * (i % 6), 0.5 * (i / 6), 0.035));
    add_ball(world, 0.05, 0.02, kai_vec3_make(0.16, -0.3, 0.035));
    step(world, 5e-4, 0.05);
    assert_true(kai_contact_report_count(world) > 0);
    if (resume) world = reload(world, threads);
    step(world, 5e-4, 0.02);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void threads_and_resume_change_no_bit(void** state)
{
    const int32_t methods[] = {KAI_CONTACT_NSC, KAI_CONTACT_SMC, KAI_CONTACT_NSC};
    const kai_integrator_kind* const kinds[] = {EXPLICIT, EXPLICIT, IMPLICIT};
    for (int i = 0; i < 3; i++) {
        const uint64_t one = run(kinds[i], methods[i], 1, false);
        assert_true(run(kinds[i], methods[i], 2, false) == one);
        assert_true(run(kinds[i], methods[i], 5, false) == one);
        assert_true(run(kinds[i], methods[i], 1, true) == one);
    }
}

typedef enum line_sort { BARS, BEAMS, NODES } line_sort;

/// Two lines beside each other, the first cells of both fixed, and a ball on both: all of them
/// overlap. `look`: somebody asks for contacts before the first step.
static uint64_t run_fixed(int32_t method, line_sort sort, bool look, bool resume)
{
    kai_world* world = make_world(1, method, true, 1e6);
    const kai_solid solid = add_solid(world, 1e6, 1000.0, 1e-2);
    const kai_structure line = sort == BEAMS ? add_beams(world, 0.4, 4, solid, 0.01)
                                             : add_bars(world, 0.4, 4, solid, 1e-4, 0.0),
                        bars = add_bars(world, 0.4, 4, solid, 1e-4, 0.05);
    if (sort == NODES)
        check_ok(kai_structure_contact(world, line, "all", 0.04, kai_material_find(world, "stuff"),
                                       false));
    else
        touch(world, line, KAI_STRUCTURE_CONTACT_CAPSULES, 0.04);
    touch(world, bars, KAI_STRUCTURE_CONTACT_CAPSULES, 0.04);
    for (size_t i = 0; i < 2; i++) { // when they can touch already
        check_ok(kai_node_set_fixed(world, kai_structure_node_at(world, bars, NULL, i),
                                    KAI_NODE_FIX_POSITION));
        if (sort == BEAMS)
            check_ok(kai_body_set_fixed(world, kai_structure_body_at(world, line, NULL, i), true));
        else
            check_ok(kai_node_set_fixed(world, kai_structure_node_at(world, line, NULL, i),
                                        KAI_NODE_FIX_POSITION));
    }
    add_ball(world, 0.5, 0.1, kai_vec3_make(0.1, 0.03, 0.12));
    if (look) check_ok(kai_world_collide(world));
    step(world, 5e-4, 5e-3);
    assert_true(kai_contact_report_count(world) > 1);
    if (resume) world = reload(world, 2);
    step(world, 5e-4, 5e-3);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void looks_and_resume_change_no_bit(void** state)
{
    const int32_t methods[] = {KAI_CONTACT_NSC, KAI_CONTACT_SMC};
    for (int i = 0; i < 2; i++) {
        for (line_sort sort = BARS; sort <= NODES; sort++) {
            const uint64_t one = run_fixed(methods[i], sort, false, false);
            assert_true(run_fixed(methods[i], sort, true, false) == one);
            assert_true(run_fixed(methods[i], sort, false, true) == one);
            assert_true(run_fixed(methods[i], sort, true, true) == one);
        }
    }
}

// Errors -----------------------------------------------------------------------------------------

static void check_fails(kai_result result, const kai_world* world, const char* text)
{
    check_error(result, KAI_ERROR_ARGUMENT);
    if (!strstr(kai_world_error(world)->message, text))
        fail_msg("'%s' is not in '%s'", text, kai_world_error(world)->message);
}

static void errors_say_what_is_wrong(void** state)
{
    kai_world* world = make_world(1, KAI_CONTACT_SMC, true, 1e8);
    const kai_solid solid = add_solid(world, 1e7, 1000.0, 0.0);
    const kai_structure line = add_bars(world, 1.0, 2, solid, 1e-4, 0.0);
    const kai_material none = {0};
    check_fails(kai_structure_contact_surface(world, line, "all", KAI_STRUCTURE_CONTACT_CAPSULES,
                                              0.0, none, false),
                world, "radius is 0 m; must be > 0 and finite");
    check_fails(kai_structure_contact_surface(world, line, "all", KAI_STRUCTURE_CONTACT_TRIANGLES,
                                              0.1, none, false),
                world, "has no faces whose nodes are all in set 'all'");
    check_fails(kai_structure_contact_surface(world, line, "x0", KAI_STRUCTURE_CONTACT_CAPSULES,
                                              0.1, none, false),
                world, "has no lines whose nodes are all in set 'x0'");
    const kai_structure sheet = add_sheet(world, 1.0, 2, solid, 0.01, kai_vec3_zero());
    check_fails(kai_structure_contact_surface(world, sheet, "all", KAI_STRUCTURE_CONTACT_CAPSULES,
                                              0.1, none, false),
                world, "capsules are for cables, bars and beams");
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spreading_keeps_moments),
        cmocka_unit_test(bars_share_weights),
        cmocka_unit_test(marbles_stay),
        cmocka_unit_test(surfaces_are_even),
        cmocka_unit_test(floors_carry),
        cmocka_unit_test(links_do_not_touch),
        cmocka_unit_test(blocks_slide),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(threads_and_resume_change_no_bit),
        cmocka_unit_test(looks_and_resume_change_no_bit),
        cmocka_unit_test(errors_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
