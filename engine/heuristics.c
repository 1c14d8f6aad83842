/* SPDX-License-Identifier: MIT
 * Clearing histories, and evaluation corrections by pawn structure. */
#include "engine/heuristics.h"

#include <string.h>

void heuristics_clear(Heuristics *h)
{
    memset(h, 0, sizeof *h);
}

int correction_value(const Heuristics *h, const Position *pos)
{
    return h->pawn_correction[pos->stm][pos->pawn_key & (CORRECTION_SIZE - 1)] / CORRECTION_UNIT;
}

void correction_update(Heuristics *h, const Position *pos, int depth, int difference)
{
    int16_t *entry = &h->pawn_correction[pos->stm][pos->pawn_key & (CORRECTION_SIZE - 1)];
    int weight = depth < 15 ? depth + 1 : 16;
    int target = difference * CORRECTION_UNIT;

    /* A slow average, so that one wild search cannot spoil an entry. */
    int value = (*entry * (256 - weight) + target * weight) / 256;
    if (value > CORRECTION_MAX) value = CORRECTION_MAX;
    if (value < -CORRECTION_MAX) value = -CORRECTION_MAX;
    *entry = (int16_t)value;
}
