// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes side by side that lie level make one surface: what slides or rolls over a floor of tiles
// does not catch on the edge of the next one.
//
// A shape stands on b1, with normal n. Beside b1 lies b2, no higher. The pair of the shape and b2
// alone cannot know better than to see an edge or a side ahead, and its normal would stop the
// shape. But the plane of the contact with b1 parts the shape from b2 too. So a contact at the rim
// of two shapes goes, where
//
// * one of the two has a contact with a third shape, of another normal,
// * the other one lies behind the plane of that contact, and reaches up to it where it touches: both
//   within a thousandth of the smaller radius, and within what the shape has sunk in there,
// * and that contact does not go itself: of two that could each stand for the other the deeper one
//   stays, and what takes the place of others is never taken.
//
// A tile that stands out by more is a step. Contacts with the same normal all stay; so do those of
// nearly the same where the other two move on their own, as each of them needs its support.
#ifndef PROXIMITY_PROXIMITY_SEAMS_H
#define PROXIMITY_PROXIMITY_SEAMS_H

#include "proximity/proximity.h"

/// Pairs are looked at in blocks of so many.
#define KAI_PROXIMITY_BLOCK 256

/// What a block of pairs has found: a cache line.
typedef struct kai_proximity_block {
    uint64_t touch[KAI_PROXIMITY_BLOCK / 64]; ///< one bit a pair
    size_t first;                             ///< of its contacts, in order
    size_t pool;                              ///< where its general contacts are
    uint16_t pooled;                          ///< how many of them
    uint16_t count;                           ///< of all contacts
    uint16_t rims;                            ///< of pairs that touch at a rim
    double deepest;                           ///< largest overlap
} kai_proximity_block;

/// Takes contacts at seams out of the pool and the blocks that have them.
kai_result kai_proximity_seams_drop(kai_proximity* proximity, int threads,
                                    kai_proximity_block* blocks, size_t count,
                                    kai_proximity_contact* pool, kai_error* err);

#endif
