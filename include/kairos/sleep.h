// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sleep: bodies at rest whose neighbours are all at rest cost nearly nothing. Bodies that touch each
// other, directly or through others, are an island; fixed bodies end it. An island in which every
// body has been slower than `speed` for `time` falls asleep: its velocities become zero, gravity no longer
// pulls, and contacts inside it are not looked for. It wakes before anything else in the step in which
// a body that is awake comes into contact with one of its bodies, and when somebody changes the
// world. Bodies that joints, loads or finite elements hold never sleep.
//
//     kai_sleep_def sleep = kai_sleep_def_default();
//     sleep.time = 0.5;
//     kai_sleep_set(world, &sleep);
#ifndef KAIROS_SLEEP_H
#define KAIROS_SLEEP_H

#include <kairos/body.h>
#include <kairos/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/// When bodies fall asleep; scene key "sleep".
typedef struct kai_sleep_def {
    uint64_t cookie; ///< set by kai_sleep_def_default
    double time;     ///< at rest for so long, s; 0: never
    double speed; ///< of a body at rest, m/s: of its mass centre, and of its turning at twice the
                  ///< largest radius of gyration
} kai_sleep_def;

/// Description of kai_sleep_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_sleep_kind;

/// Never; 0.01 m/s.
KAI_API kai_sleep_def kai_sleep_def_default(void);

/// Chooses. Needs contact nsc and integrator euler: else the next step fails with
/// KAI_ERROR_UNSUPPORTED. With time 0 all wake.
KAI_API kai_result kai_sleep_set(kai_world* world, const kai_sleep_def* def);

/// The choice.
KAI_API kai_sleep_def kai_sleep_get(const kai_world* world);

/// How many bodies are asleep.
KAI_API size_t kai_sleep_count(const kai_world* world);

/// Whether a body is asleep; false for ids of no body.
KAI_API bool kai_body_is_asleep(const kai_world* world, kai_body body);

/// Wakes all bodies. Whatever is changed through other calls does so by itself.
KAI_API kai_result kai_sleep_wake(kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
