// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Another engine at work on the scenes of bench_small.c: the same bodies, masses, shapes, joints,
// springs, stops and motors as scenes/NAME.json, in its own way of contact.
#ifndef PEERS_SMALL_H
#define PEERS_SMALL_H

/// Where an engine is.
typedef struct small_state {
    double x, y, z;  // of the scene's first moving body, m
    double contacts; // at present
} small_state;

typedef struct small_peer {
    const char *engine, *method;
    void* (*create)(const char* scene, double h); // NULL: could not
    void (*step)(void* scene);
    small_state (*look)(void* scene);
    void (*destroy)(void* scene);
} small_peer;

extern const small_peer small_mujoco; // mujoco_small.c

#endif
