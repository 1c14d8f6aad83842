/* SPDX-License-Identifier: MIT
 * Clearing histories, and evaluation corrections. */
#include "engine/search/history.h"

#include <string.h>

void histories_clear(Histories *h)
{
    Continuation *table = &h->continuation[0][0];

    memset(h, 0, offsetof(Histories, continuation));
    for (size_t i = 0; i < sizeof h->continuation_changed; i++) {
        if (h->continuation_changed[i]) memset(&table[i], 0, sizeof table[i]);
        h->continuation_changed[i] = false;
    }
}

/* A key of one side's pieces and king. Computing it on demand costs less than updating it in every
 * move. The factors are the outputs of SplitMix64 for 1 to 5. */
static unsigned piece_key(const Position *pos, Color c)
{
    Bitboard own = pos->by_color[c];
    uint64_t key = (own & pos->by_type[KNIGHT]) * UINT64_C(0x910a2dec89025cc1) ^
                   (own & pos->by_type[BISHOP]) * UINT64_C(0xbeeb8da1658eec67) ^
                   (own & pos->by_type[ROOK]) * UINT64_C(0xf893a2eefb32555f) ^
                   (own & pos->by_type[QUEEN]) * UINT64_C(0x71c18690ee42c90b) ^
                   (own & pos->by_type[KING]) * UINT64_C(0x71bb54d8d101b5b9);
    return (unsigned)(key >> 50) & (CORRECTION_SIZE - 1);
}

Corrections correction_find(Histories *h, const Position *pos, const Continuation *last,
                            const Continuation *before)
{
    const Continuation *first = &h->continuation[0][0];
    uint64_t line = (uint64_t)(last - first) * (PIECES + 1) * SQUARES + (uint64_t)(before - first);
    unsigned line_key = (unsigned)(line * UINT64_C(0x910a2dec89025cc1) >> 50);

    return (Corrections){.pawns =
                             &h->pawn_correction[pos->stm][pos->pawn_key & (CORRECTION_SIZE - 1)],
                         .pieces = {&h->piece_correction[pos->stm][WHITE][piece_key(pos, WHITE)],
                                    &h->piece_correction[pos->stm][BLACK][piece_key(pos, BLACK)]},
                         .line = &h->line_correction[line_key & (CORRECTION_SIZE - 1)]};
}

/* A slow moving average: a single search changes an entry little. */
static void update_average(int16_t *entry, int weight, int target)
{
    int value = (*entry * (256 - weight) + target * weight) / 256;
    if (value > CORRECTION_MAX) value = CORRECTION_MAX;
    if (value < -CORRECTION_MAX) value = -CORRECTION_MAX;
    *entry = (int16_t)value;
}

void correction_update(const Corrections *c, int depth, int difference)
{
    int weight = depth < 15 ? depth + 1 : 16;
    int target = difference * CORRECTION_UNIT;

    update_average(c->pawns, weight, target);
    update_average(c->pieces[WHITE], weight, target);
    update_average(c->pieces[BLACK], weight, target);
    update_average(c->line, weight, target);
}
