// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads in time on sets of nodes: harmonic forces and moments on a cable against linear theory,
// moments on solids and frames, courses of sets, resume, errors.
#include "fea/reload.h"

#include <kairos/kairos.h>
#include <math.h>

#define PI 3.14159265358979323846

#define ok(call)                                                               \
    do {                                                                       \
        if ((call) != KAI_OK) fail_msg("%s", kai_world_error(world)->message); \
    } while (0)

static kai_world* make_world(const kai_integrator_kind* integrator)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    kai_world* world;
    kai_error err = {0};
    if (kai_world_create(&def, &world, &err) != KAI_OK) fail_msg("%s", err.message);
    if (integrator) ok(kai_integrator_set(world, integrator, NULL));
    return world;
}

static kai_solid add_solid(kai_world* world, double young, double poisson, double density)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.poisson = poisson;
    p.base.density = density;
    ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

static kai_value3 constant(double x, double y, double z)
{
    return (kai_value3){kai_value_constant(x), kai_value_constant(y), kai_value_constant(z)};
}

static kai_value sine(kai_world* world, double amplitude, double frequency)
{
    kai_function_sine_params p;
    kai_value value = {0};
    kai_kind_defaults(&kai_function_sine.kind, &p);
    p.amplitude = amplitude;
    p.frequency = frequency;
    ok(kai_function_create(world, &kai_function_sine, &p, &value.function));
    return value;
}

static kai_structure add_line(kai_world* world, const kai_element_kind* kind, const void* element,
                              double length, int64_t cells)
{
    const double points[6] = {0, 0, 0, length, 0, 0};
    kai_structure_cable_params p;
    kai_structure structure;
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    p.points = (kai_table){points, 2, 3};
    p.cells = cells;
    p.y_axis = kai_vec3_axis(1);
    ok(kai_structure_create(world, &kai_structure_cable, &p, kind, element, "line", &structure));
    return structure;
}

// Harmonic loads ---------------------------------------------------------------------------------

// A cantilever, EI = 2 N m², 0.2 kg/m, 1 m long: W(x) sin ωt with W'''' = β⁴ W, W(0) = W'(0) = 0,
// EI W''(L) = M, EI W'''(L) = -F.
static const double BENDING = 2.0, LINE = 0.2, LENGTH = 1.0;

typedef struct mode {
    double b, c, s; // W = c (cosh βx - cos βx) + s (sinh βx - sin βx)
} mode;

static mode solve(double omega, double force, double moment)
{
    const double b = pow(LINE * omega * omega / BENDING, 0.25), x = b * LENGTH;
    const double a11 = cosh(x) + cos(x), a12 = sinh(x) + sin(x), a21 = sinh(x) - sin(x), a22 = a11;
    const double r1 = moment / (BENDING * b * b), r2 = -force / (BENDING * b * b * b);
    const double det = a11 * a22 - a12 * a21;
    return (mode){b, (r1 * a22 - a12 * r2) / det, (a11 * r2 - r1 * a21) / det};
}

static double shape(const mode* m, double x)
{
    const double u = m->b * x;
    return m->c * (cosh(u) - cos(u)) + m->s * (sinh(u) - sin(u));
}

static double slope(const mode* m, double x)
{
    const double u = m->b * x;
    return m->b * (m->c * (sinh(u) + sin(u)) + m->s * (cosh(u) - cos(u)));
}

static kai_structure add_cable(kai_world* world)
{
    kai_element_ancf_cable_params p;
    kai_kind_defaults(&kai_element_ancf_cable.kind, &p);
    p.solid = add_solid(world, 2e8, 0.0, 2000.0);
    p.area = 1e-4;
    p.moment = 1e-8;
    const kai_structure line = add_line(world, &kai_element_ancf_cable, &p, LENGTH, 8);
    ok(kai_structure_fix(world, line, "x0", KAI_NODE_FIX_ALL));
    return line;
}

// Started in its harmonic motion, the cable stays there: W sin ωt. The trapezoidal rule stretches
// periods by (ωh)²/12 = 3e-5 rad a radian, over 10 rad; cubics are exact to (βh)⁴/720 = 1e-6.
// Deflections are 1e-4 of the length: their squares do not show.
static void harmonic(void** state)
{
    (void)state;
    for (int turning = 0; turning < 2; turning++) {
        const double omega = 25.0, force = turning ? 0.0 : 4e-4, moment = turning ? 4e-4 : 0.0;
        const mode m = solve(omega, force, moment);
        kai_world* world = make_world(&kai_integrator_trapezoidal);
        const kai_structure line = add_cable(world);
        const kai_value3 none = constant(0, 0, 0);
        kai_value3 load = none;
        load.z = sine(world, turning ? moment : force, omega / (2.0 * PI));
        if (turning) { // a moment about z bends towards y, a force along z towards z
            ok(kai_structure_load(world, line, "x1", none, load));
        } else {
            ok(kai_structure_load(world, line, "x1", load, none));
        }
        for (size_t i = 0; i < kai_structure_size(world, line, NULL); i++) {
            const kai_node node = kai_structure_node_at(world, line, NULL, i);
            kai_node_def def;
            ok(kai_node_get(world, node, &def));
            const double w = omega * shape(&m, def.position.x),
                         d = omega * slope(&m, def.position.x);
            const kai_vec3 v[2] = {kai_vec3_make(0, turning ? w : 0, turning ? 0 : w),
                                   kai_vec3_make(0, turning ? d : 0, turning ? 0 : d)};
            ok(kai_node_set_motion(world, node, NULL, v));
        }
        const double h = 8e-4;
        const double size = fabs(shape(&m, LENGTH));
        for (int i = 1; i <= 500; i++) {
            ok(kai_world_step(world, h));
            if (i % 50) continue;
            kai_node_def def;
            ok(kai_node_get(world, kai_structure_node_at(world, line, "x1", 0), &def));
            const double at = turning ? def.position.y : def.position.z;
            check_near(at, shape(&m, LENGTH) * sin(omega * h * i), 2e-3 * size, "linear theory");
        }
        kai_world_destroy(world);
    }
}

static kai_world* shake(void)
{
    kai_world* world = make_world(&kai_integrator_hht);
    const kai_structure line = add_cable(world);
    kai_value3 load = constant(0, 0, 0);
    load.y = sine(world, 0.1, 3.0);
    ok(kai_structure_load(world, line, "x1", load, load));
    for (int i = 0; i < 20; i++) ok(kai_world_step(world, 1e-3));
    return world;
}

// A run that is saved in the middle and goes on has the same bits, for any number of threads.
static void resume(void** state)
{
    (void)state;
    kai_world *world = shake(), *other = reload(shake(), 2);
    for (int i = 0; i < 20; i++) {
        ok(kai_world_step(world, 1e-3));
        check_ok(kai_world_step(other, 1e-3));
    }
    assert_true(kai_world_hash(world) == kai_world_hash(other));
    kai_energy a, b;
    ok(kai_world_energy(world, &a));
    check_ok(kai_world_energy(other, &b));
    assert_true(a.work == b.work && a.work != 0.0);
    kai_world_destroy(other);
    kai_world_destroy(world);
}

// Moments ----------------------------------------------------------------------------------------

// A block of hexahedra as a cantilever, b × h = 0.1 × 0.2 m: M L²/2EI at its end, and the clamp
// bears M. ν = 0, and the deflection is 1e-5 of the length: beam theory is exact.
static void on_solids(void** state)
{
    (void)state;
    kai_world* world = make_world(NULL);
    kai_element_hex8_params e;
    kai_structure_box_params p;
    kai_structure block;
    kai_kind_defaults(&kai_element_hex8.kind, &e);
    kai_kind_defaults(&kai_structure_box.kind, &p);
    e.solid = add_solid(world, 1e9, 0.0, 1000.0);
    p.size[0] = 2.0, p.size[1] = 0.1, p.size[2] = 0.2;
    p.cells[0] = 16.0, p.cells[1] = 2.0, p.cells[2] = 4.0;
    p.base.position = kai_vec3_make(1.0, 0.0, 0.0);
    ok(kai_structure_create(world, &kai_structure_box, &p, &kai_element_hex8, &e, "b", &block));
    ok(kai_structure_fix(world, block, "x0", KAI_NODE_FIX_ALL));
    const double bending = 1e9 * 0.1 * 0.008 / 12.0, m = 1e-5 * bending;
    ok(kai_structure_load(world, block, "x1", constant(0, 0, 0), constant(0, m, 0)));
    ok(kai_world_statics(world));
    const kai_node corner = kai_structure_node_at(world, block, "x1y0z0", 0);
    kai_node_def def;
    kai_vec3 start[1 + KAI_NODE_SLOPES];
    ok(kai_node_get(world, corner, &def));
    ok(kai_node_reference(world, corner, start));
    assert_true(kai_vec3_norm(start[1]) == 0.0 && kai_vec3_norm(start[2]) == 0.0); // no slopes
    check_relative(def.position.z - start[0].z, -m * 4.0 / (2.0 * bending), 1e-2,
                   "M L²/2EI; shares by area make a force that is not quite linear");
    kai_vec3 force, moment;
    ok(kai_structure_reaction(world, block, "x0", &force, &moment));
    check_vec3(force, kai_vec3_zero(), 1e-6 * m, "a couple");
    check_vec3(moment, kai_vec3_make(0.0, -m, 0.0), 1e-4 * m, "balance");
    // Two corners cannot take a moment, and a force they can.
    check_error(kai_structure_load(world, block, "x1y0z0", constant(1, 0, 0), constant(0, m, 0)),
                KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "its 1 nodes lie on a line"));
    ok(kai_structure_load(world, block, "x1y0z0", constant(1, 0, 0), constant(0, 0, 0)));
    check_error(kai_structure_load(world, block, "nowhere", constant(1, 0, 0), constant(0, 0, 0)),
                KAI_ERROR_ARGUMENT);
    check_error(
        kai_structure_load(world, block, "x1", constant((double)NAN, 0, 0), constant(0, 0, 0)),
        KAI_ERROR_ARGUMENT);
    kai_world_destroy(world);
}

// The tangent of a moment on slopes is the symmetric part of what differences give, and forces add
// up to the moment: Σ d × Q = m, less what turns about a single slope.
static void on_slopes(void** state)
{
    (void)state;
    static const kai_element_kind* const KINDS[] = {&kai_element_node_load_1,
                                                    &kai_element_node_load_2};
    for (int slopes = 1; slopes <= 2; slopes++) {
        const size_t n = 3 * (size_t)(1 + slopes);
        kai_world* world = make_world(NULL);
        kai_element_node_load_params p;
        kai_kind_defaults(&KINDS[slopes - 1]->kind, &p);
        p.force = constant(1, 2, 3);
        p.moment = constant(0.3, -0.5, 0.7);
        p.share = 2.0;
        double q[9] = {0.1, 0.2, 0.3, 1.1, 0.2, -0.1, 0.3, 0.9, 0.2}, force[9], tangent[81];
        kai_element_batch batch = {.instances = &p,
                                   .count = 1,
                                   .q = q,
                                   .position = 1.0,
                                   .force = force,
                                   .tangent = tangent};
        KINDS[slopes - 1]->force(&batch);
        kai_vec3 sum = kai_vec3_zero(), m = kai_vec3_make(0.6, -1.0, 1.4);
        for (int s = 0; s < slopes; s++)
            sum = kai_vec3_add(
                sum, kai_vec3_cross(
                         kai_vec3_make(q[3 + 3 * s], q[4 + 3 * s], q[5 + 3 * s]),
                         kai_vec3_make(force[3 + 3 * s], force[4 + 3 * s], force[5 + 3 * s])));
        const kai_vec3 d = kai_vec3_normalize(kai_vec3_make(q[3], q[4], q[5]));
        if (slopes == 1) m = kai_vec3_mul_add(m, d, -kai_vec3_dot(m, d));
        check_vec3(sum, m, 1e-14, "the moment");
        check_near(force[2], 6.0, 1e-14, "the force");
        double slopes_of[9][9];
        for (size_t k = 0; k < n; k++) {
            double low[9], high[9];
            kai_element_batch one = batch;
            const double at = q[k];
            one.tangent = NULL;
            one.force = low, q[k] = at - 1e-6, KINDS[slopes - 1]->force(&one);
            one.force = high, q[k] = at + 1e-6, KINDS[slopes - 1]->force(&one);
            q[k] = at;
            for (size_t r = 0; r < n; r++) slopes_of[r][k] = (low[r] - high[r]) / 2e-6;
        }
        for (size_t r = 0; r < n; r++)
            for (size_t k = 0; k < n; k++)
                check_near(tangent[r * n + k], 0.5 * (slopes_of[r][k] + slopes_of[k][r]), 1e-8,
                           "central differences");
        kai_world_destroy(world);
    }
}

// Courses ----------------------------------------------------------------------------------------

// One end of a clamped beam is moved aside: 3EI δ/L³ when it may turn, 12EI δ/L³ when it is held.
// Bodies and nodes alike. δ is 1e-5 of the length: what it is stretched by does not show.
static void courses(void** state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        for (int bodies = 0; bodies < 2; bodies++) {
            kai_world* world = make_world(NULL);
            const kai_solid solid = add_solid(world, 1e9, 0.3, 1000.0);
            kai_element_euler_beam_params beam;
            kai_element_ancf_cable_params cable;
            kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
            kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
            beam.solid = cable.solid = solid;
            beam.radius = cable.radius = 0.01;
            const kai_structure line =
                bodies ? add_line(world, &kai_element_euler_beam, &beam, 1.0, 8)
                       : add_line(world, &kai_element_ancf_cable, &cable, 1.0, 8);
            ok(kai_structure_fix(world, line, "x0", KAI_NODE_FIX_ALL));
            const kai_value3 course = constant(0.0, 1e-5, 0.0);
            ok((held ? kai_structure_move_held : kai_structure_move)(world, line, "x1", course));
            ok(kai_world_statics(world));
            ok(kai_world_evaluate(world));
            kai_vec3 force, moment;
            ok(kai_structure_reaction(world, line, "x0", &force, &moment));
            const double bending = 1e9 * PI * 1e-8 / 4.0;
            check_relative(force.y, -(held ? 12.0 : 3.0) * bending * 1e-5, 1e-3, "beam theory");
            // What moves it is told by a joint with a name.
            const kai_joint joint = kai_joint_find(world, "line.x1.motion");
            ok(kai_joint_reaction(world, joint, &force, &moment));
            check_relative(force.y, (held ? 12.0 : 3.0) * bending * 1e-5, 1e-3, "beam theory");
            kai_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(harmonic), cmocka_unit_test(resume),
                                       cmocka_unit_test(on_solids), cmocka_unit_test(on_slopes),
                                       cmocka_unit_test(courses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
