// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Another engine at work on the chain of bench_chain.c: `links` boxes in a row along +x, hinged
// about z, the first to the ground at the origin. One file an engine; each is built when Debian's
// package is installed.
#ifndef PEERS_CHAIN_H
#define PEERS_CHAIN_H

#ifdef __cplusplus
extern "C" {
#endif

/// The scene, SI units.
#define CHAIN_LENGTH  0.25
#define CHAIN_WIDTH   0.025
#define CHAIN_DENSITY 500.0
#define CHAIN_GRAVITY (-1.0) // along y
#define CHAIN_STEP    1e-3
#define CHAIN_MASS    (CHAIN_DENSITY * CHAIN_LENGTH * CHAIN_WIDTH * CHAIN_WIDTH)

/// One method of one engine.
typedef struct chain_peer {
    const char *engine, *method;
    int most;                   // links of the longest chain that it can do, or in reasonable time
    void* (*create)(int links); // NULL: could not
    void (*step)(void* scene, int count);
    double (*tip)(void* scene); // height of the centre of the last link
    double (*gap)(void* scene); // largest distance of two points that should coincide; NULL: none
    void (*destroy)(void* scene);
} chain_peer;

extern const chain_peer chain_ode_step, chain_ode_quick; // ode.c
extern const chain_peer chain_bullet;                    // bullet.cpp
extern const chain_peer chain_mujoco;                    // mujoco.c

#ifdef __cplusplus
}
#endif

#endif
