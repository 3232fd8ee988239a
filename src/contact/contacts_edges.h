// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of a surface of flexible bodies, each once.
//
// Facets of a surface that share a node or an edge are looked at one by one: what touches the edge
// is found twice, and what touches one facet near the edge is found again, aslant, by its
// neighbour, whose nearest point is the edge. A contact at an edge or a node goes
//
// * where a neighbour has the same contact and comes first, or
// * where a neighbour is no less deep in the same thing at its point that is nearest to where that
//   thing bends about: the middle of a ball, a corner.
//
// Things that lie flat keep a contact at every node.
#ifndef CONTACT_CONTACTS_EDGES_H
#define CONTACT_CONTACTS_EDGES_H

#include "contact/contacts.h"

/// Leaves such contacts out of those that were found; the order of the others stays.
kai_result kai_contacts_edges(kai_world* world, kai_error* err);

#endif
