/* SPDX-License-Identifier: MIT
 * FNV-1a, a hash of 64 bits. Source: G. Fowler, L. C. Noll, K.-P. Vo, IETF draft-eastlake-fnv. */
#ifndef TABIA_ENGINE_BASE_FNV_H
#define TABIA_ENGINE_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

/* The hash of nothing. */
#define FNV_START 0xcbf29ce484222325ULL

/* The hash after one more byte; or after a larger unit, which standard FNV-1a does not have. */
static inline uint64_t fnv_add(uint64_t hash, uint64_t unit)
{
    return (hash ^ unit) * 0x100000001b3ULL;
}

static inline uint64_t fnv_add_bytes(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = fnv_add(hash, (unsigned char)bytes[i]);
    return hash;
}

#endif
