// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which contact of this step is which of the step before.
#ifndef CONTACT_CONTACTS_MATCH_H
#define CONTACT_CONTACTS_MATCH_H

#include "contact/contacts.h"

/// Fills world->contact_memory for the contacts last found, from `previous`: what a contact kept
/// follows it through its name; a new one begins with zeros.
kai_result kai_contacts_match(kai_contacts* c, kai_world* world, kai_error* err);

#endif
