/* SPDX-License-Identifier: MIT
 * Moves written and scored many at once with AVX-512, VBMI and VBMI2 (Intel from Ice Lake, AMD from
 * Zen 4). Each caller also has a portable loop with the same moves in the same order and the same
 * scores. Source of the idea of compressing a bitboard into moves: Stockfish's "splat_moves". */
#ifndef TABIA_ENGINE_BOARD_VECTOR_MOVES_H
#define TABIA_ENGINE_BOARD_VECTOR_MOVES_H

#include <assert.h>

#include "engine/board/movegen.h"

#if defined(__AVX512VBMI2__) && defined(__AVX512VBMI__) && defined(__AVX512BW__)
#define TABIA_VECTOR_MOVES 1
#include <immintrin.h>

enum { VECTOR_SCORES = 16 }; /* scored at once */

/* Writes the move base + unit * square for each square of `to`, from a1 up, at `next`; returns the
 * end of the list. `to` has at most VECTOR_MOVES squares: no piece reaches more on its lines or on
 * its diagonals, and no side has more pawns. */
ALWAYS_INLINE Move *vector_write_moves(Move *next, Bitboard to, int unit, int base)
{
    const __m512i all = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41,
        40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
        17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m128i squares = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(to, all));
    __m256i moves =
        _mm256_mullo_epi16(_mm256_cvtepu8_epi16(squares), _mm256_set1_epi16((short)unit));

    assert(popcount(to) <= VECTOR_MOVES);
    moves = _mm256_add_epi16(moves, _mm256_set1_epi16((short)base));
    _mm256_storeu_si256((void *)next, moves);
    return next + popcount(to);
}

/* VECTOR_SCORES moves of a list, one a lane. */
ALWAYS_INLINE __m512i vector_load_moves(const Move *moves)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)moves));
}

/* The piece that each of them moves, on a board of a byte a square. The look-up uses only the low
 * six bits of a move, which are its from square. */
ALWAYS_INLINE __m512i vector_moved_pieces(__m512i board, __m512i moves)
{
    return _mm512_and_si512(_mm512_permutexvar_epi8(moves, board), _mm512_set1_epi32(0xff));
}

/* The entries at `indices` of a table of 16-bit entries, in the lanes `wanted`. Reads the two bytes
 * after each entry, too. */
ALWAYS_INLINE __m512i vector_look_up(const int16_t *table, __m512i indices, __mmask16 wanted)
{
    __m512i found = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), wanted, indices, table, 2);
    return _mm512_srai_epi32(_mm512_slli_epi32(found, 16), 16);
}

#else
#define TABIA_VECTOR_MOVES 0
#endif

#endif
