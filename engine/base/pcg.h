/* SPDX-License-Identifier: MIT
 * PCG32 (XSH-RR 64/32): small, seedable, with independent streams.
 * Source: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
 * Algorithms for Random Number Generation", Harvey Mudd College HMC-CS-2014-0905, section 6. */
#ifndef TABIA_ENGINE_BASE_PCG_H
#define TABIA_ENGINE_BASE_PCG_H

#include <stdint.h>

typedef struct Pcg {
    uint64_t state;
    uint64_t increment; /* odd; names the stream */
} Pcg;

/* 32 uniform bits. */
static inline uint32_t pcg_next(Pcg *rng)
{
    uint64_t old = rng->state;
    rng->state = old * 6364136223846793005ULL + rng->increment;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t rotation = (uint32_t)(old >> 59);
    return shifted >> rotation | shifted << (-rotation & 31U);
}

/* Starts stream number `stream` (its top bit is ignored) at `seed`. */
static inline void pcg_seed(Pcg *rng, uint64_t seed, uint64_t stream)
{
    rng->state = 0;
    rng->increment = stream << 1 | 1U;
    (void)pcg_next(rng);
    rng->state += seed;
    (void)pcg_next(rng);
}

/* Uniform in [0, bound), bound > 0, without bias (rejection below 2^32 mod bound). */
static inline uint32_t pcg_below(Pcg *rng, uint32_t bound)
{
    uint32_t threshold = -bound % bound;
    uint32_t r;
    do
        r = pcg_next(rng);
    while (r < threshold);
    return r % bound;
}

/* 64 uniform bits. */
static inline uint64_t pcg_next64(Pcg *rng)
{
    uint64_t high = pcg_next(rng);
    return high << 32 | pcg_next(rng);
}

/* Uniform in [0, 1) with 32 bits. */
static inline double pcg_unit(Pcg *rng)
{
    return pcg_next(rng) * 0x1p-32;
}

/* Mixes 64 bits; a bijection. Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom
 * Number Generators", 2014, the output function of SplitMix64. */
static inline uint64_t mix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

#endif
