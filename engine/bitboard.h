/* SPDX-License-Identifier: MIT
 * Sets of squares, and the squares each piece attacks. Sliders use PEXT where the processor has a
 * fast one (compile-time __BMI2__), magic multiplication elsewhere; results are identical.
 * Sources: chessprogramming.org "Magic Bitboards", "BMI2 - PEXT Bitboards". */
#ifndef TABIA_ENGINE_BITBOARD_H
#define TABIA_ENGINE_BITBOARD_H

#include "engine/types.h"

/* Fills the lookup tables; idempotent and thread-safe, called by engine_init() (engine/engine.h). */
void bitboard_init(void);

static inline Bitboard square_bb(int sq) { return 1ULL << sq; }
static inline int popcount(Bitboard b) { return __builtin_popcountll(b); }
/* Lowest square of a non-empty set. */
static inline int lsb(Bitboard b) { return __builtin_ctzll(b); }
/* Removes and returns the lowest square of a non-empty set. */
static inline int pop_lsb(Bitboard *b)
{
    int sq = lsb(*b);
    *b &= *b - 1;
    return sq;
}
static inline bool more_than_one(Bitboard b) { return (b & (b - 1)) != 0; }

#define FILE_A_BB 0x0101010101010101ULL
#define RANK_1_BB 0xffULL
static inline Bitboard file_bb(int file) { return FILE_A_BB << file; }
static inline Bitboard rank_bb(int rank) { return RANK_1_BB << 8 * rank; }

/* The implementation adds here (inline, for speed):
 *   Bitboard pawn_attacks(Color c, int sq), knight_attacks(int sq), king_attacks(int sq),
 *            bishop_attacks(int sq, Bitboard occ), rook_attacks(…), queen_attacks(…),
 *            piece_attacks(PieceType t, int sq, Bitboard occ)   -- not for pawns
 *            between_bb(int a, int b)  squares strictly between two on a line, else empty
 *            line_bb(int a, int b)     the whole line through both, else empty                    */

#endif
