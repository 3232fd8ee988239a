// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rays in packets on the tree of boxes.
#ifndef PROXIMITY_QUERY_RAYS_H
#define PROXIMITY_QUERY_RAYS_H

#include "proximity/query.h"

/// What up to KAI_RAY_LANES rays (geometry/ray_packet.h) meet first, as kai_query_rays says.
void kai_query_rays_cast(const kai_query* query, const kai_proximity* proximity,
                         const kai_query_ray* rays, size_t count, kai_query_hit* hits);

#endif
