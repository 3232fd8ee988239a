// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of shapes. A new kind is one file, shape_<name>.c, and one word here.
#ifndef GEOMETRY_SHAPE_LIST_H
#define GEOMETRY_SHAPE_LIST_H

#define KAI_SHAPE_KINDS(X) \
    X(sphere)              \
    X(ellipsoid)           \
    X(box)                 \
    X(cylinder)            \
    X(capsule)             \
    X(cone)                \
    X(plane)               \
    X(hull)                \
    X(mesh)                \
    X(heightfield)

#endif
