// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The last stage of the pipeline; only proximity.c calls it.
#ifndef PROXIMITY_PROXIMITY_CONTACTS_H
#define PROXIMITY_PROXIMITY_CONTACTS_H

#include "proximity/proximity.h"

/// Finds the contacts of all pairs of the broad phase; balls are those of the present poses.
kai_result kai_proximity_contacts_find(kai_proximity* proximity, int threads, kai_error* err);

#endif
