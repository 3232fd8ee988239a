// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of flexible bodies in contact under hht: a ball that falls on a line of bars, on beams
// and on a sheet of shells. Energy is kept but for what is damped, threads and a resume in the
// middle of contact change no bit.
#include "fea/surface_rig.h"

#include <unistd.h>

enum { BARS, BEAMS, SHEET, KINDS };

/// A ball over something flexible that is held at both ends.
static kai_world* trampoline(int kind, int threads, kai_body* ball)
{
    kai_world* world = make_world(threads, KAI_CONTACT_SMC, true, 1e8);
    kai_integrator_hht_params hht;
    kai_kind_defaults(&kai_integrator_hht.kind, &hht);
    hht.adaptive = false;
    check_ok(kai_integrator_set(world, &kai_integrator_hht, &hht));
    const kai_solid solid = add_solid(world, 1e8, 1000.0, 1e-3);
    const kai_structure s =
        kind == BARS    ? add_bars(world, 0.4, 4, solid, 1e-4, 0.0)
        : kind == BEAMS ? add_beams(world, 0.4, 4, solid, 0.01)
                        : add_sheet(world, 0.4, 4, solid, 0.01, kai_vec3_make(0.2, 0.2, 0.0));
    check_ok(kai_structure_fix(world, s, "x0", KAI_NODE_FIX_ALL));
    check_ok(kai_structure_fix(world, s, "x1", KAI_NODE_FIX_ALL));
    touch(world, s,
          kind == SHEET ? KAI_STRUCTURE_CONTACT_TRIANGLES : KAI_STRUCTURE_CONTACT_CAPSULES, 0.01);
    const double y = kind == SHEET ? 0.18 : 0.0;
    *ball = add_ball(world, 2.0, 0.05, kai_vec3_make(0.17, y, 0.0601));
    return world;
}

static void energy_is_kept(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        kai_body ball;
        kai_world* world = trampoline(kind, 1, &ball);
        double iterations = 0.0, most = 0.0;
        for (int i = 0; i < 300; i++) {
            step(world, 1e-3, 1e-3);
            iterations += (double)kai_solver_measured(world).iterations;
            most = fmax(most, force_on(world, ball));
        }
        kai_energy e;
        check_ok(kai_world_energy(world, &e));
        // Of 0.8 J that change their form.
        check_near(e.drift, 0.0, 2e-3, "balance");
        assert_true(most > 2.0 * G && kai_body_position(world, ball).z > 0.0);
        // Derivatives that were wrong would show here; bars are slack at first.
        assert_true(iterations < 300 * (kind == BARS ? 25 : 12));
        kai_world_destroy(world);
    }
}

static void threads_and_resume_change_nothing(void** state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "test_surface_implicit_%ld.h5", (long)getpid());
    for (int kind = 0; kind < KINDS; kind++) {
        kai_body ball;
        kai_world *world = trampoline(kind, 1, &ball), *other = trampoline(kind, 5, &ball),
                  *again = NULL;
        step(world, 1e-3, 0.04);
        step(other, 1e-3, 0.04);
        assert_true(kai_contact_report_count(world) > 0);
        assert_int_equal(kai_world_hash(other), kai_world_hash(world));
        check_ok(kai_world_save(world, path));
        kai_world_def def = kai_world_def_default();
        kai_error err;
        def.threads = 2;
        if (kai_world_load(&def, path, &again, &err) != KAI_OK) fail_msg("%s", err.message);
        remove(path);
        step(world, 1e-3, 0.04);
        step(again, 1e-3, 0.04);
        assert_int_equal(kai_world_hash(again), kai_world_hash(world));
        kai_world_destroy(world);
        kai_world_destroy(other);
        kai_world_destroy(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(threads_and_resume_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
