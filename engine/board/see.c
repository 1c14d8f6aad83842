/* SPDX-License-Identifier: MIT
 * Static exchange evaluation, least valuable attacker first. Pins are ignored. */
#include "engine/board/see.h"

const int see_value[PIECE_TYPES] = {100, 300, 300, 500, 900, 0};

/* The sliders among the pieces in occ that attack sq. */
static Bitboard sliders_to(const Position *pos, int sq, Bitboard occ)
{
    Bitboard queens = pos->by_type[QUEEN];
    return occ & ((bishop_attacks(sq, occ) & (pos->by_type[BISHOP] | queens)) |
                  (rook_attacks(sq, occ) & (pos->by_type[ROOK] | queens)));
}

/* The type of the least valuable piece in a non-empty set. */
static PieceType least_valuable(const Position *pos, Bitboard pieces)
{
    int type = PAWN;

    while (!(pos->by_type[type] & pieces))
        type++;
    return (PieceType)type;
}

bool see_exchange(const Position *pos, Move m, int balance)
{
    int from = move_from(m), to = move_to(m);
    Color us = position_stm(pos), side = us;
    Bitboard occ = (position_occupied(pos) ^ square_bb(from)) | square_bb(to);
    if (move_is_en_passant(m)) occ ^= square_bb(to ^ 8);
    Bitboard attackers = position_attackers(pos, to, occ) & occ;

    for (;;) {
        side = opponent(side);
        Bitboard own = attackers & pos->by_color[side];
        if (!own) break;
        PieceType type = least_valuable(pos, own);
        /* The king captures only an undefended piece. */
        if (type == KING && attackers & ~pos->by_color[side]) break;
        occ ^= square_bb(lsb(own & pos->by_type[type]));
        attackers = (attackers | sliders_to(pos, to, occ)) & occ;
        /* One side needs a margin of at least 0, the other more than 0. */
        balance = -balance - 1 - see_value[type];
        if (balance >= 0) return side == us;
    }
    return side != us;
}
