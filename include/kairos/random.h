// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Counter-based random numbers (Philox 4x32-10): the number for (seed, stream, index) is a pure
// function of these three, so any thread may draw any of them in any order and the result is the
// same. All functions start from the same words: two draws for one (seed, stream, index) are not
// independent.
#ifndef KAIROS_RANDOM_H
#define KAIROS_RANDOM_H

#include <kairos/export.h>
#include <kairos/math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Four random 32-bit words for a 64-bit seed (key), stream and index (counter).
KAI_API void kai_random_words(uint64_t seed, uint64_t stream, uint64_t index, uint32_t words[4]);

/// Uniform in [0, 1), 53 random bits.
KAI_API double kai_random_uniform(uint64_t seed, uint64_t stream, uint64_t index);

/// Normal with mean 0 and deviation 1 (Box-Muller).
KAI_API double kai_random_normal(uint64_t seed, uint64_t stream, uint64_t index);

/// A direction uniform on the unit sphere.
KAI_API kai_vec3 kai_random_direction(uint64_t seed, uint64_t stream, uint64_t index);

/// A rotation uniform over all orientations.
KAI_API kai_quat kai_random_rotation(uint64_t seed, uint64_t stream, uint64_t index);

#ifdef __cplusplus
}
#endif

#endif
