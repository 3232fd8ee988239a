// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of a surface of flexible bodies, each once.
//
// Pieces of a surface that share a node or an edge are looked at one by one: what touches the edge
// is found twice, and what touches one piece near the edge is found again, aslant, by its
// neighbour, whose nearest point is the edge. Contacts at an edge or a node go
//
// * where a neighbour that touches the same thing has points nearer to it, or
// * where a neighbour has the same contact and comes first.
#ifndef CONTACT_CONTACTS_SIFT_H
#define CONTACT_CONTACTS_SIFT_H

#include "contact/contacts.h"

/// Leaves such contacts out of those that were found; the order of the others stays.
kai_result kai_contacts_sift(kai_world* world, kai_error* err);

#endif
