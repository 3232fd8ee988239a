// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Another engine at work on the bed of bench_piles.c: equal spheres between a floor and four walls,
// 50 iterations a step. One file an engine; each is built when Debian's package is installed.
#ifndef PEERS_BED_H
#define PEERS_BED_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The scene, SI units; walls at 0 and `side`, the floor at 0.
typedef struct bed_scene {
    size_t count;
    const double *x, *y, *z; // [count]
    double radius, density, friction, side;
    double gravity; // along -z
    double step;
    int iterations;
} bed_scene;

/// One method of one engine.
typedef struct bed_peer {
    const char *engine, *method;
    void* (*create)(const bed_scene* scene); // NULL: could not
    void (*step)(void* bed);
    size_t (*contacts)(void* bed); // of the last step
    double (*height)(void* bed);   // mean, m
    void (*destroy)(void* bed);
} bed_peer;

extern const bed_peer bed_ode;    // ode_bed.c
extern const bed_peer bed_bullet; // bullet_bed.cpp

#ifdef __cplusplus
}
#endif

#endif
