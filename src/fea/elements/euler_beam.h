// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What element_euler_beam.c and its formulas share.
#ifndef FEA_EULER_BEAM_H
#define FEA_EULER_BEAM_H

#include <kairos/element.h>

/// What does not change of a beam.
typedef struct kai_euler_beam_data {
    kai_quat own[2];   ///< from the element's axes to those of each node, without deformation
    double length;     ///< L, m
    double axial;      ///< E A, N
    double twist;      ///< G J, N m²
    double bending[2]; ///< E I about y and about z, N m²
    double damping;    ///< β, s
    double mass;       ///< of a node, kg
    double inertia;    ///< of a node about any axis, kg m²
} kai_euler_beam_data;

/// A beam at a state. Vectors are in the element's axes.
typedef struct kai_euler_beam_state {
    kai_vec3 x[2];   ///< positions of its nodes, world
    kai_vec3 e[3];   ///< its axes, world
    double length;   ///< l, m
    double strain;   ///< ε, of the middle of the section
    kai_vec3 t[2];   ///< θ_a: turn of each end against the element
    kai_vec3 y[2];   ///< y axis of each end
    double lean;     ///< y₁/y₂ of the sum of them
    double y_length; ///< y₂, half of that sum
} kai_euler_beam_state;

/// Works out where a beam stands from the coordinates of its nodes [14]. False: its ends coincide,
/// or its y axes point along it or against each other.
bool kai_euler_beam_find(const kai_euler_beam_data* data, const double* q,
                         kai_euler_beam_state* out);

/// Writes forces [12], and the tangent [144] unless it is NULL.
void kai_euler_beam_force(const kai_euler_beam_data* data, const double* q, const double* v,
                          double position, double velocity, double* force, double* tangent);

#endif
