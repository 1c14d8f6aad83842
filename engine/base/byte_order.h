/* SPDX-License-Identifier: MIT
 * Numbers in files: little-endian (least significant byte first) and big-endian. */
#ifndef TABIA_ENGINE_BASE_BYTE_ORDER_H
#define TABIA_ENGINE_BASE_BYTE_ORDER_H

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

static inline uint64_t get_be(const uint8_t *in, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | in[i];
    return value;
}

#endif
