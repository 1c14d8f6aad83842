/* SPDX-License-Identifier: MIT
 * All attacks of a side's knights and sliders at once, in the eight directions of each, with AVX2
 * or AVX-512 (with VPOPCNTDQ: Intel from Ice Lake, AMD from Zen 4): no loop over pieces and no
 * table. For counting alone: a search is slower with it (docs/search.md).
 * Source: chessprogramming.org "Kogge-Stone Algorithm", "AVX2". */
#ifndef TABIA_ENGINE_BOARD_VECTOR_ATTACKS_H
#define TABIA_ENGINE_BOARD_VECTOR_ATTACKS_H

#include "engine/board/bitboard.h"

/* The same code is slower than loops where vectors have no shifts by lane. */
#if defined(__AVX2__)
#define TABIA_VECTOR_ATTACKS 1
#include <immintrin.h>

typedef Bitboard FourSets __attribute__((vector_size(4 * sizeof(Bitboard))));

/* ---- A set of squares for each of four directions up the board, and for their opposites */

#if defined(__AVX512VPOPCNTDQ__)

typedef Bitboard EightSets __attribute__((vector_size(8 * sizeof(Bitboard))));

ALWAYS_INLINE EightSets sets_each(FourSets up, FourSets down)
{
    return (EightSets){up[0], up[1], up[2], up[3], down[0], down[1], down[2], down[3]};
}
ALWAYS_INLINE EightSets sets_all(Bitboard b)
{
    return (EightSets)_mm512_set1_epi64((long long)b);
}
/* Ranks and files begin on the squares `straight`. */
ALWAYS_INLINE EightSets sets_by_line(Bitboard straight, Bitboard diagonal)
{
    const __mmask8 diagonals = 0xcc;
    return (EightSets)_mm512_mask_set1_epi64((__m512i)sets_all(straight), diagonals,
                                             (long long)diagonal);
}
ALWAYS_INLINE EightSets sets_and(EightSets a, EightSets b)
{
    return a & b;
}
ALWAYS_INLINE EightSets sets_or(EightSets a, EightSets b)
{
    return a | b;
}
/* Moves each set by `step` squares in its direction. What leaves the board may come in again. */
ALWAYS_INLINE EightSets sets_move(EightSets sets, FourSets step)
{
    return (EightSets)_mm512_rolv_epi64((__m512i)sets, (__m512i)sets_each(step, -step));
}
ALWAYS_INLINE Bitboard sets_union(EightSets sets)
{
    return (Bitboard)_mm512_reduce_or_epi64((__m512i)sets);
}
/* The number of squares in `a` and `b` that are targets. */
ALWAYS_INLINE int sets_count(EightSets a, EightSets b, Bitboard targets)
{
    EightSets wanted = sets_all(targets);
    return (int)_mm512_reduce_add_epi64(_mm512_add_epi64(
        _mm512_popcnt_epi64((__m512i)(a & wanted)), _mm512_popcnt_epi64((__m512i)(b & wanted))));
}

#else

typedef struct EightSets {
    FourSets up, down;
} EightSets;

ALWAYS_INLINE EightSets sets_each(FourSets up, FourSets down)
{
    return (EightSets){up, down};
}
ALWAYS_INLINE EightSets sets_all(Bitboard b)
{
    return (EightSets){{b, b, b, b}, {b, b, b, b}};
}
ALWAYS_INLINE EightSets sets_by_line(Bitboard straight, Bitboard diagonal)
{
    FourSets four = {straight, straight, diagonal, diagonal};
    return (EightSets){four, four};
}
ALWAYS_INLINE EightSets sets_and(EightSets a, EightSets b)
{
    return (EightSets){a.up & b.up, a.down & b.down};
}
ALWAYS_INLINE EightSets sets_or(EightSets a, EightSets b)
{
    return (EightSets){a.up | b.up, a.down | b.down};
}
ALWAYS_INLINE EightSets sets_move(EightSets sets, FourSets step)
{
    return (EightSets){sets.up << step, sets.down >> step};
}
ALWAYS_INLINE Bitboard sets_union(EightSets sets)
{
    FourSets all = sets.up | sets.down;
    return all[0] | all[1] | all[2] | all[3];
}
/* The number of squares of four sets, byte by byte: looked up for half a byte at a time. */
ALWAYS_INLINE __m256i sets_count_bytes(FourSets sets)
{
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i counts =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    __m256i low_half = _mm256_and_si256((__m256i)sets, low);
    __m256i high_half = _mm256_and_si256((__m256i)(sets >> 4), low);

    return _mm256_add_epi8(_mm256_shuffle_epi8(counts, low_half),
                           _mm256_shuffle_epi8(counts, high_half));
}
ALWAYS_INLINE int sets_count(EightSets a, EightSets b, Bitboard targets)
{
    EightSets wanted = sets_all(targets);
    __m256i rays =
        _mm256_add_epi8(sets_count_bytes(a.up & wanted.up), sets_count_bytes(a.down & wanted.down));
    __m256i leaps =
        _mm256_add_epi8(sets_count_bytes(b.up & wanted.up), sets_count_bytes(b.down & wanted.down));
    FourSets counts =
        (FourSets)_mm256_sad_epu8(_mm256_add_epi8(rays, leaps), _mm256_setzero_si256());

    return (int)(counts[0] + counts[1] + counts[2] + counts[3]);
}

#endif

/* ---- Pieces. No square is reached twice in one direction: the nearer slider stops the other. */

/* The squares reached from `straight` along ranks and files and from `diagonal` along diagonals,
 * first blockers included. */
ALWAYS_INLINE EightSets rays_fill(Bitboard straight, Bitboard diagonal, Bitboard occ)
{
    const Bitboard a = ~FILE_A_BB, h = ~FILE_H_BB, first = ~RANK_1_BB, last = ~(RANK_1_BB << 56);
    const FourSets step = {8, 1, 9, 7}; /* north, east, north-east, north-west */
    /* Where a step can end: none to the east ends on the a-file. */
    const EightSets ends = sets_each((FourSets){first, a, first & a, first & h},
                                     (FourSets){last, h, last & h, last & a});
    EightSets sets = sets_by_line(straight, diagonal), free = sets_and(ends, sets_all(~occ));

    /* Each round doubles the steps that a ray has gone. */
    sets = sets_or(sets, sets_and(free, sets_move(sets, step)));
    free = sets_and(free, sets_move(free, step));
    sets = sets_or(sets, sets_and(free, sets_move(sets, 2 * step)));
    free = sets_and(free, sets_move(free, 2 * step));
    sets = sets_or(sets, sets_and(free, sets_move(sets, 4 * step)));
    return sets_and(ends, sets_move(sets, step));
}

ALWAYS_INLINE EightSets leaps_find(Bitboard knights)
{
    const Bitboard a = ~FILE_A_BB, h = ~FILE_H_BB, first = ~RANK_1_BB, last = ~(RANK_1_BB << 56);
    const Bitboard ab = a & a << 1, gh = h & h >> 1;
    const Bitboard first_two = first & first << 8, last_two = last & last >> 8;
    const EightSets ends =
        sets_each((FourSets){first_two & a, first_two & h, first & ab, first & gh},
                  (FourSets){last_two & h, last_two & a, last & gh, last & ab});

    return sets_and(ends, sets_move(sets_all(knights), (FourSets){17, 15, 10, 6}));
}

/* ---- The interface */

/* The squares that any of the pieces attacks. */
ALWAYS_INLINE Bitboard vector_attacks(Bitboard knights, Bitboard straight, Bitboard diagonal,
                                      Bitboard occ)
{
    return sets_union(sets_or(rays_fill(straight, diagonal, occ), leaps_find(knights)));
}

/* The number of moves of the pieces to `targets`. */
ALWAYS_INLINE int vector_count_moves(Bitboard knights, Bitboard straight, Bitboard diagonal,
                                     Bitboard occ, Bitboard targets)
{
    return sets_count(rays_fill(straight, diagonal, occ), leaps_find(knights), targets);
}

#else
#define TABIA_VECTOR_ATTACKS 0
#endif

#endif
