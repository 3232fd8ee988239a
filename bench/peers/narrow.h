// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Other libraries at work on the pairs of bench_narrow.c: contact points and depth of each pair
// that overlaps. One file a library; each is built when Debian's package is installed.
#ifndef PEERS_NARROW_H
#define PEERS_NARROW_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum narrow_kind { NARROW_BOX, NARROW_HULL, NARROW_ELLIPSOID, NARROW_MESH } narrow_kind;

/// A convex shape about its origin.
typedef struct narrow_shape {
    double size[3]; // half extents or semi-axes
    int vertex_count, face_count;
    const double* vertices; // [3 vertex_count]
    const int* faces;       // of each face: number of corners, corners counter-clockwise
    int face_ints;          // length of faces
} narrow_shape;

typedef struct narrow_pose {
    double position[3];
    double rotation[4]; // w, x, y, z
} narrow_pose;

/// Shape a and shape b; b is the mesh when there is one.
typedef struct narrow_pair {
    int a, b;
    narrow_pose pose_a, pose_b;
} narrow_pair;

typedef struct narrow_task {
    const char* name;
    narrow_kind kind;
    int shape_count, pair_count;
    const narrow_shape* shapes; // [shape_count]
    const narrow_pair* pairs;   // [pair_count]
    int vertex_count, triangle_count;
    const double* vertices; // [3 vertex_count] of the mesh
    const int* triangles;   // [3 triangle_count]
} narrow_task;

/// One method of one library.
typedef struct narrow_peer {
    const char *engine, *method;
    bool (*can)(narrow_kind kind);
    void* (*create)(const narrow_task* task); // shapes and transforms, not timed
    /// gap [pair_count]: of the deepest contact; HUGE_VAL when the pair does not touch.
    void (*run)(void* scene, double* gap);
    void (*destroy)(void* scene);
} narrow_peer;

extern const narrow_peer narrow_ccd_epa, narrow_ccd_mpr; // ccd.c
extern const narrow_peer narrow_fcl, narrow_fcl_indep;   // fcl.cpp
extern const narrow_peer narrow_bullet;                  // bullet_narrow.cpp

#ifdef __cplusplus
}
#endif

#endif
