// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A world that is saved, destroyed and loaded again, as a run that is stopped and resumed.
#ifndef TESTS_FEA_RELOAD_H
#define TESTS_FEA_RELOAD_H

#include "helper.h"

#include <kairos/world.h>
#include <unistd.h>

HELPER kai_world* reload(kai_world* world, int threads)
{
    char path[] = "/tmp/kairos-test-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    check_ok(kai_world_save(world, path));
    kai_world_destroy(world);
    kai_world_def def = kai_world_def_default();
    kai_error err = {0};
    def.threads = threads;
    if (kai_world_load(&def, path, &world, &err) != KAI_OK) fail_msg("%s", err.message);
    unlink(path);
    return world;
}

#endif
