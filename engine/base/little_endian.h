/* SPDX-License-Identifier: MIT
 * Numbers in files, least significant byte first. */
#ifndef TABIA_ENGINE_BASE_LITTLE_ENDIAN_H
#define TABIA_ENGINE_BASE_LITTLE_ENDIAN_H

#include <stdint.h>

static inline void put_le(uint8_t *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

static inline uint64_t get_le(const uint8_t *in, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)in[i] << 8 * i;
    return value;
}

#endif
