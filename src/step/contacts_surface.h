// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of flexible bodies in the cone problem.
//
// Where a side of a contact is a facet of a surface (contacts_surface_map.h), a *point* of its own
// stands for it, behind all bodies of the problem. It has the velocity of the surface there, and a
// mass with which the cone solver works. What it gains in a pass goes to nodes as an impulse,
// elements are solved with it, and the point follows them, as balls of nodes do.
//
// The mass is no more than what is there, so that passes never do too much: a node of mass m with
// shares s of several contacts, S = Σ s, gives each of them m s / S; a contact then meets
//
//     1 / Σ s S / m,   s = w + |∇w| |d|   (of bodies s = w, and 1/m + d²/I in place of 1/m)
//
// which for one contact is Σ w² / m, and with equal impulses of all exact as well.
#ifndef STEP_CONTACTS_SURFACE_H
#define STEP_CONTACTS_SURFACE_H

#include "step/contacts_cones.h"

/// A point.
typedef struct kai_contacts_surface_point {
    kai_patch_point at;
    double inverse_mass[KAI_PATCH_ENDS];   // of its ends
    double inverse_moment[KAI_PATCH_ENDS]; // likewise, of bodies the largest
    kai_wrench first, given;               // velocity and spin before contacts, and as last given
} kai_contacts_surface_point;

/// Lists the points of all contacts. `cones->world` must be where contacts were found.
kai_result kai_contacts_surface_make(kai_contacts_cones* cones, kai_error* err);

/// Fills their motions, and velocities before the step; bodies must be filled already.
void kai_contacts_surface_fill(kai_contacts_cones* cones);

/// Hands on what points have gained since they were last given velocities (`fresh`: since the
/// first; `still`: since rest): impulses of nodes are added to x, where `first` [nodes] says, and
/// bodies of the problem get them at once.
void kai_contacts_surface_spread(const kai_contacts_cones* cones, bool fresh, bool still,
                                 const uint32_t* first, double* x);

/// Gives points the velocities that their ends have: nodes in the world, bodies in the problem.
void kai_contacts_surface_follow(const kai_contacts_cones* cones);

/// Displacements of points go to nodes of the world, and to bodies of the problem.
kai_result kai_contacts_surface_move(const kai_contacts_cones* cones, kai_error* err);

#endif
