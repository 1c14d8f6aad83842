/* SPDX-License-Identifier: MIT
 * Which moves may give check, computed once for all moves of a position.
 * Source of the idea: Stockfish's check squares and blockers. */
#ifndef TABIA_ENGINE_BOARD_CHECKS_H
#define TABIA_ENGINE_BOARD_CHECKS_H

#include "engine/board/position.h"

/* Of the side to move, against the enemy king. */
typedef struct Checks {
    Bitboard from[PIECE_TYPES]; /* squares where a piece of that type attacks it; KING: none */
    Bitboard blockers;          /* own pieces, each alone between an own slider and the king */
} Checks;

/* Those of `near` that stand between the king and one of `snipers`. `near` are the own pieces
 * nearest to the king on its lines, `snipers` the own sliders on these lines when `near` is
 * removed. */
ALWAYS_INLINE Bitboard checks_blockers(int king, Bitboard near, Bitboard snipers)
{
    Bitboard blockers = 0;

    while (snipers)
        blockers |= between_bb(king, pop_lsb(&snipers)) & near;
    return blockers;
}

static inline void checks_find(Checks *checks, const Position *pos)
{
    Color us = position_stm(pos), them = opponent(us);
    int king = position_king(pos, them);
    Bitboard own = pos->by_color[us], occ = position_occupied(pos), queens = pos->by_type[QUEEN];
    Bitboard diagonal = bishop_attacks(king, occ), straight = rook_attacks(king, occ);
    Bitboard near_diagonal = diagonal & own, near_straight = straight & own;

    checks->from[PAWN] = pawn_attacks(them, king);
    checks->from[KNIGHT] = knight_attacks(king);
    checks->from[BISHOP] = diagonal;
    checks->from[ROOK] = straight;
    checks->from[QUEEN] = diagonal | straight;
    checks->from[KING] = 0;
    checks->blockers = 0;
    if (near_diagonal) {
        Bitboard snipers =
            bishop_attacks(king, occ ^ near_diagonal) & own & (pos->by_type[BISHOP] | queens);
        checks->blockers |= checks_blockers(king, near_diagonal, snipers);
    }
    if (near_straight) {
        Bitboard snipers =
            rook_attacks(king, occ ^ near_straight) & own & (pos->by_type[ROOK] | queens);
        checks->blockers |= checks_blockers(king, near_straight, snipers);
    }
}

/* False: the legal move m gives no check. True: it gives check, or it is a blocker's move, a
 * promotion, castling or en passant, which need a closer look. */
ALWAYS_INLINE bool checks_may_give(const Checks *checks, const Position *pos, Move m)
{
    int kind = move_kind(m);

    return (checks->from[piece_type(pos->board[move_from(m)])] & square_bb(move_to(m))) ||
           (checks->blockers & square_bb(move_from(m))) || kind & MOVE_PROMOTION ||
           kind == MOVE_CASTLE || kind == MOVE_EN_PASSANT;
}

#endif
