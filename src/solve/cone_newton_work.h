// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the parts of the method (cone_newton.c) share: contacts and rows at work, and passes over
// them.
#ifndef SOLVE_CONE_NEWTON_WORK_H
#define SOLVE_CONE_NEWTON_WORK_H

#include "solve/cone_newton.h"

/// A contact at work.
typedef struct kai_cone_newton_point {
    const kai_cone_contact* contact;
    uint32_t index, a, b; // its place in the problem; nodes, UINT32_MAX: does not move
    kai_cone_friction cone;
    double length, mass; // L, m of cone.h
    double weight;       // R
    double stiff;        // compliance times R
    double shift, kept_shift;
    kai_cone_pair speed, kept_speed; // u + bias, of the iterate
    kai_cone_pair change;            // of it along the step
    kai_cone_pair guess;             // γ
    kai_cone_pair impulse;           // γ⁺
    kai_cone_pair hint;              // what it does in the first step, where it carries
    kai_cone_pair best;              // of the iterate with the least residual
    double slope[36];                // dγ⁺ / dp, p = γ - R û
    bool carries;                    // in the first step
    bool slips;                      // in the step under way; then also:
    kai_cone_pair drift;             // R dγ⁺ / dp n
    kai_cone_pair lean;              // dshift / du
} kai_cone_newton_point;

/// A row of a joint.
typedef struct kai_cone_newton_bar {
    const kai_cone_row* row;
    uint32_t group, place; // where it is in the matrix
    double mass, weight;
    double speed, change, kept_speed;  // G v - rate
    double guess, impulse, best, kept; // as of contacts
    double more;                       // of the impulse along the step
    bool bounded, held;
} kai_cone_newton_bar;

/// A run of the method.
typedef struct kai_cone_newton_work {
    kai_cone_newton* newton;
    kai_cone_matrix* matrix;
    const kai_cone_problem* problem;
    const kai_cone_options* options;
    kai_cone_newton_point* points;
    size_t count;
    kai_cone_newton_bar* bars;
    size_t unknowns;
    int threads;
    double *x, *kept;    // [unknowns] v - v0
    double* gradient;    // ∇φ
    double *step, *free; // dx; velocities that impulses give, less those of x
    double inner;        // m/s: the largest relative velocity in `free`
    double outer;        // m/s: the largest |γ⁺ - γ| / R
    double residual, least;
    double stiff; // R over masses
    bool first;   // the step is the first
    double began, paused;
    kai_error* err;
} kai_cone_newton_work;

/// Contacts and rows of the problem, and the guess.
kai_result kai_cone_newton_work_begin(kai_cone_newton_work* w);

/// B x of a contact, G x of a row.
kai_cone_pair kai_cone_newton_work_speed(const kai_cone_newton_work* w,
                                         const kai_cone_newton_point* c, const double* x);
double kai_cone_newton_work_row_speed(const kai_cone_newton_work* w, const kai_cone_row* row,
                                      const double* x);

/// x += s Bᵀ g of a contact, x += impulse Gᵀ of a row.
void kai_cone_newton_work_push(const kai_cone_newton_work* w, const kai_cone_newton_point* c,
                               kai_cone_pair g, double s, double* x);
void kai_cone_newton_work_push_row(const kai_cone_newton_work* w, const kai_cone_row* row,
                                   double impulse, double* x);

/// out := M x, or M⁻¹ x, of all bodies.
void kai_cone_newton_work_weigh(const kai_cone_newton_work* w, bool inverse, const double* x,
                                double* out);

/// s slope u of a contact.
kai_cone_pair kai_cone_newton_work_slope(const kai_cone_newton_point* c, kai_cone_pair u, double s);

/// w->step, which is K⁻¹ r of the matrix with shifts held, becomes that of the one with shifts that
/// follow (cone_newton_shifts.c). `*any`: some contact slips; else the step is as it was.
kai_result kai_cone_newton_shifts_follow(kai_cone_newton_work* w, bool* any);

#endif
