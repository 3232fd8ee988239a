// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Ids of one type as another: the layout is the same, the meaning is the caller's.
#ifndef MODEL_ID_H
#define MODEL_ID_H

#include <kairos/id.h>

/// Any typed id as a plain one.
#define KAI_ID_OF(id) ((kai_id){(id).index, (id).generation, (id).world})

/// A plain id as a typed one.
#define KAI_ID_AS(type, id) ((type){(id).index, (id).generation, (id).world})

#endif
