/* SPDX-License-Identifier: MIT
 * Sets of squares, and the squares each piece attacks. Sliders use PEXT where the processor has a
 * fast one, magic multiplication elsewhere; results are identical.
 * Sources: chessprogramming.org "Magic Bitboards", "BMI2 - PEXT Bitboards". */
#ifndef TABIA_ENGINE_BOARD_BITBOARD_H
#define TABIA_ENGINE_BOARD_BITBOARD_H

#include <stddef.h>

#include "engine/board/types.h"

/* PEXT is microcoded, and slower than a multiplication, before AMD's Zen 3. It is the compiler's
 * builtin, because immintrin.h takes longer to compile than most files that include this one. */
#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__)
#define TABIA_PEXT 1
#else
#define TABIA_PEXT 0
#endif

/* For small functions that are templates by colour or kind: they are inlined in every build, and
 * their constant arguments are folded. */
#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* Fills the lookup tables. Call it once before anything else of the engine; more calls do nothing.
 * Thread-safe. */
void bitboard_init(void);

static inline Bitboard square_bb(int sq)
{
    return 1ULL << sq;
}
static inline int popcount(Bitboard b)
{
    return __builtin_popcountll(b);
}
/* Lowest square of a non-empty set. */
static inline int lsb(Bitboard b)
{
    return __builtin_ctzll(b);
}
/* Removes and returns the lowest square of a non-empty set. */
static inline int pop_lsb(Bitboard *b)
{
    int sq = lsb(*b);
    *b &= *b - 1;
    return sq;
}
static inline bool more_than_one(Bitboard b)
{
    return (b & (b - 1)) != 0;
}

#define FILE_A_BB        0x0101010101010101ULL
#define FILE_H_BB        (FILE_A_BB << 7)
#define RANK_1_BB        0xffULL
#define LIGHT_SQUARES_BB 0x55aa55aa55aa55aaULL
static inline Bitboard file_bb(int file)
{
    return FILE_A_BB << file;
}
static inline Bitboard rank_bb(int rank)
{
    return RANK_1_BB << 8 * rank;
}

/* One square ahead of each square, as colour c looks at the board. */
static inline Bitboard shift_forward(Color c, Bitboard b)
{
    return c == WHITE ? b << 8 : b >> 8;
}
/* One square ahead and one towards the a-file, or towards the h-file; none wraps round. */
static inline Bitboard shift_forward_west(Color c, Bitboard b)
{
    return shift_forward(c, b & ~FILE_A_BB) >> 1;
}
static inline Bitboard shift_forward_east(Color c, Bitboard b)
{
    return shift_forward(c, b & ~FILE_H_BB) << 1;
}
/* Squares attacked by a set of pawns of colour c. */
static inline Bitboard pawns_attack(Color c, Bitboard pawns)
{
    return shift_forward_west(c, pawns) | shift_forward_east(c, pawns);
}

/* A slider's attacks from one square: `attacks` is indexed by the occupancy of `mask`, the squares
 * where a blocker matters, gathered to the low bits by PEXT or hashed there by `magic`. */
typedef struct SliderAttacks {
    Bitboard mask;
    const Bitboard *attacks;
#if !TABIA_PEXT
    Bitboard magic;
    int shift;
#endif
} SliderAttacks;

/* All lookup tables; constant after bitboard_init(). */
typedef struct BitboardTables {
    Bitboard pawn[COLORS][SQUARES];
    Bitboard knight[SQUARES];
    Bitboard king[SQUARES];
    SliderAttacks bishop[SQUARES];
    SliderAttacks rook[SQUARES];
    Bitboard between[SQUARES][SQUARES];
} BitboardTables;

extern BitboardTables bitboard_tables;

/* The index in `attacks` for an occupancy of the whole board. */
static inline size_t slider_index(const SliderAttacks *slider, Bitboard occ)
{
#if TABIA_PEXT
    return __builtin_ia32_pext_di(occ, slider->mask);
#else
    return (occ & slider->mask) * slider->magic >> slider->shift;
#endif
}

static inline Bitboard slider_attacks(const SliderAttacks *slider, Bitboard occ)
{
    return slider->attacks[slider_index(slider, occ)];
}

/* Squares attacked from sq on a board occupied by occ; the first blocker in each direction, of
 * either colour, is attacked. */
static inline Bitboard pawn_attacks(Color c, int sq)
{
    return bitboard_tables.pawn[c][sq];
}
static inline Bitboard knight_attacks(int sq)
{
    return bitboard_tables.knight[sq];
}
static inline Bitboard king_attacks(int sq)
{
    return bitboard_tables.king[sq];
}
static inline Bitboard bishop_attacks(int sq, Bitboard occ)
{
    return slider_attacks(&bitboard_tables.bishop[sq], occ);
}
static inline Bitboard rook_attacks(int sq, Bitboard occ)
{
    return slider_attacks(&bitboard_tables.rook[sq], occ);
}
static inline Bitboard queen_attacks(int sq, Bitboard occ)
{
    return bishop_attacks(sq, occ) | rook_attacks(sq, occ);
}
/* Not for pawns. */
static inline Bitboard piece_attacks(PieceType type, int sq, Bitboard occ)
{
    switch (type) {
    case KNIGHT:
        return knight_attacks(sq);
    case BISHOP:
        return bishop_attacks(sq, occ);
    case ROOK:
        return rook_attacks(sq, occ);
    case QUEEN:
        return queen_attacks(sq, occ);
    default:
        return king_attacks(sq);
    }
}

/* Squares strictly between two squares of one rank, file or diagonal; else empty. */
static inline Bitboard between_bb(int a, int b)
{
    return bitboard_tables.between[a][b];
}

#endif
