// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Philox 4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC11 (2011), section 3.3.
#include "base/check.h"

#include <kairos/random.h>

#define MULTIPLIER_0 UINT32_C(0xD2511F53)
#define MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define KEY_STEP_0   UINT32_C(0x9E3779B9) // golden ratio
#define KEY_STEP_1   UINT32_C(0xBB67AE85) // sqrt(3) - 1
#define ROUNDS       10

void kai_random_words(uint64_t seed, uint64_t stream, uint64_t index, uint32_t words[4])
{
    KAI_GIVEN_VOID(words);
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    uint32_t c0 = (uint32_t)index, c1 = (uint32_t)(index >> 32);
    uint32_t c2 = (uint32_t)stream, c3 = (uint32_t)(stream >> 32);
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t p0 = (uint64_t)MULTIPLIER_0 * c0, p1 = (uint64_t)MULTIPLIER_1 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += KEY_STEP_0;
        k1 += KEY_STEP_1;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

// Two words as one, the first one low.
static uint64_t join(uint32_t low, uint32_t high) { return (uint64_t)high << 32 | low; }

// The top 53 bits as a multiple of 2⁻⁵³ in [0, 1).
static double unit(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

double kai_random_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t w[4];
    kai_random_words(seed, stream, index, w);
    return unit(join(w[0], w[1]));
}

double kai_random_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t w[4];
    kai_random_words(seed, stream, index, w);
    const double u = 1.0 - unit(join(w[0], w[1])); // in (0, 1]: the logarithm is finite
    return sqrt(-2.0 * log(u)) * cos(2.0 * KAI_PI * unit(join(w[2], w[3])));
}

kai_vec3 kai_random_direction(uint64_t seed, uint64_t stream, uint64_t index)
{
    // Archimedes: the height of a point of the sphere is uniform, and so is its longitude.
    uint32_t w[4];
    kai_random_words(seed, stream, index, w);
    const double z = 2.0 * unit(join(w[0], w[1])) - 1.0;
    const double longitude = 2.0 * KAI_PI * unit(join(w[2], w[3]));
    const double r = sqrt(fmax(0.0, 1.0 - z * z));
    return kai_vec3_normalize(kai_vec3_make(r * cos(longitude), r * sin(longitude), z));
}

kai_quat kai_random_rotation(uint64_t seed, uint64_t stream, uint64_t index)
{
    // K. Shoemake, "Uniform random rotations", Graphics Gems III (1992): three uniform numbers. The
    // 128 bits give 42 to each; the third takes the low bits that the first two leave.
    uint32_t w[4];
    kai_random_words(seed, stream, index, w);
    const uint64_t low = join(w[0], w[1]), high = join(w[2], w[3]);
    const double u = (double)(low >> 22) * 0x1p-42;
    const double a = 2.0 * KAI_PI * (double)(high >> 22) * 0x1p-42;
    const double b = 2.0 * KAI_PI * (double)((low & 0x3fffff) << 20 | (high & 0xfffff)) * 0x1p-42;
    const double r = sqrt(1.0 - u), s = sqrt(u);
    return kai_quat_normalize(kai_quat_make(s * cos(b), r * sin(a), r * cos(a), s * sin(b)));
}
