// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A 64-bit hash of bytes, for state fingerprints and tables. Not for secrets.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/// Start value of a hash that is built up by several kai_hash_bytes calls.
#define KAI_HASH_START UINT64_C(0x9e3779b97f4a7c15)

/// Mixes `size` bytes into `hash` and returns the new hash. Same bytes, same order: same hash, on
/// any little-endian machine and for any split into calls at multiples of 8 bytes.
uint64_t kai_hash_bytes(uint64_t hash, const void* bytes, size_t size);

#endif
