// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of surfaces of flexible bodies: where they act, and what that does to nodes.
//
// Both sides of a contact are acted on at one point, so that moment of momentum is kept. It is half
// way between the surfaces, as of all contacts. A line of nodes cannot turn about itself: where one
// side is such a line and the other can take a moment, the point is on the line.
#ifndef CONTACT_CONTACTS_SURFACE_MAP_H
#define CONTACT_CONTACTS_SURFACE_MAP_H

#include "contact/contacts.h"

/// The two sides of a contact.
typedef struct kai_contacts_surface_map {
    kai_vec3 at[2];                  // where it acts
    const kai_patch_facet* facet[2]; // NULL: a body like any other
    kai_patch_point point[2];        // of facets
} kai_contacts_surface_map;

/// 1/kg: a facet whose nodes are partly fixed is never quite so, or two of them would have no mass.
#define KAI_CONTACTS_SURFACE_MAP_LEAST 1e-9

/// Finds those of contact i; false, and nothing else, when neither is a facet of a surface.
bool kai_contacts_surface_map_find(const kai_world* world, size_t i, kai_contacts_surface_map* out);

/// Σ w² / m of a side that is a facet, 1/kg.
double kai_contacts_surface_map_inverse_mass(const kai_world* world,
                                             const kai_contacts_surface_map* s, int side);

/// Adds what the forces of all contacts do to nodes, times `scale`, to x; `first` [nodes]: the
/// first number of each.
void kai_contacts_surface_map_nodes(const kai_contacts* c, const kai_world* world,
                                    const uint32_t* first, double scale, double* x);

/// The same to bodies that are ends of facets: sums [bodies].
void kai_contacts_surface_map_bodies(const kai_contacts* c, const kai_world* world,
                                     kai_wrench* sums);

#endif
