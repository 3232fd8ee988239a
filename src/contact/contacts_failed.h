// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts in messages. For steps that fail, before kai_contacts_end.
#ifndef CONTACT_CONTACTS_FAILED_H
#define CONTACT_CONTACTS_FAILED_H

#include "contact/contacts.h"

/// Names both bodies of contact i of the present list: "contact of body 'a' with body 'b'".
void kai_contacts_failed_pair(const kai_world* world, size_t i, char* out, size_t size);

/// Names a contact whose force is not finite, with its overlap: KAI_ERROR_DIVERGED; KAI_OK when
/// there is none. Contacts of spheres that went the fast way are looked for again, so that the step
/// cannot go on.
kai_result kai_contacts_failed(kai_world* world, double time, kai_error* err);

#endif
