/* SPDX-License-Identifier: MIT
 * Attack tables against walking the board square by square, for both ways of looking sliders up. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/bitboard.h"
#include "engine/board/magics.h"
#include "tests/support/support.h"

static bool on_board(int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

/* Walks from sq in one direction, at most `most` steps, to the edge or the first blocker. */
static Bitboard slow_walk(int sq, int df, int dr, int most, Bitboard occ)
{
    Bitboard squares = 0;
    int file = square_file(sq) + df, rank = square_rank(sq) + dr;

    for (int n = 0; n < most && on_board(file, rank); n++, file += df, rank += dr) {
        squares |= 1ULL << (8 * rank + file);
        if (occ >> (8 * rank + file) & 1) break;
    }
    return squares;
}

static Bitboard slow_slider(bool rook, int sq, Bitboard occ)
{
    Bitboard squares = 0;

    for (int df = -1; df <= 1; df++)
        for (int dr = -1; dr <= 1; dr++)
            if ((df || dr) && (df == 0 || dr == 0) == rook)
                squares |= slow_walk(sq, df, dr, 8, occ);
    return squares;
}

/* Every square whose distance from sq is {a, b} in some order. */
static Bitboard slow_leaper(int sq, int a, int b)
{
    Bitboard squares = 0;

    for (int to = 0; to < SQUARES; to++) {
        int df = abs(square_file(to) - square_file(sq)),
            dr = abs(square_rank(to) - square_rank(sq));
        if ((df == a && dr == b) || (df == b && dr == a)) squares |= 1ULL << to;
    }
    return squares;
}

START_TEST(test_leapers)
{
    for (int sq = 0; sq < SQUARES; sq++) {
        Bitboard king = slow_leaper(sq, 1, 0) | slow_leaper(sq, 1, 1);
        ck_assert(knight_attacks(sq) == slow_leaper(sq, 1, 2));
        ck_assert(king_attacks(sq) == king);
        for (int c = WHITE; c <= BLACK; c++) {
            int dr = c == WHITE ? 1 : -1;
            Bitboard pawn = slow_walk(sq, -1, dr, 1, 0) | slow_walk(sq, 1, dr, 1, 0);
            ck_assert(pawn_attacks((Color)c, sq) == pawn);
            ck_assert(pawns_attack((Color)c, 1ULL << sq) == pawn);
            ck_assert(shift_forward((Color)c, 1ULL << sq) == slow_walk(sq, 0, dr, 1, 0));
        }
    }
}
END_TEST

/* Random boards, sparse to full, beyond the relevant squares too. */
START_TEST(test_sliders_on_random_boards)
{
    Pcg rng;

    pcg_seed(&rng, 1, 1);
    for (int n = 0; n < 20000; n++) {
        Bitboard occ = pcg_next64(&rng);
        int sq = (int)pcg_below(&rng, 64);
        if (n % 3 == 1) occ &= pcg_next64(&rng);
        if (n % 3 == 2) occ |= pcg_next64(&rng);
        ck_assert(rook_attacks(sq, occ) == slow_slider(true, sq, occ));
        ck_assert(bishop_attacks(sq, occ) == slow_slider(false, sq, occ));
        ck_assert(queen_attacks(sq, occ) == (rook_attacks(sq, occ) | bishop_attacks(sq, occ)));
        ck_assert(piece_attacks(BISHOP, sq, occ) == bishop_attacks(sq, occ));
        ck_assert(piece_attacks(ROOK, sq, occ) == rook_attacks(sq, occ));
        ck_assert(piece_attacks(QUEEN, sq, occ) == queen_attacks(sq, occ));
        ck_assert(piece_attacks(KING, sq, occ) == king_attacks(sq));
        ck_assert(piece_attacks(KNIGHT, sq, occ) == knight_attacks(sq));
    }
}
END_TEST

/* The look-up this build uses, for every subset of the relevant squares; and whatever it is, the
 * magics give no two subsets with different attacks the same place. */
static void check_square(bool rook, int sq)
{
    static Bitboard seen[4096];
    const SliderAttacks *slider = rook ? &bitboard_tables.rook[sq] : &bitboard_tables.bishop[sq];
    Bitboard magic = rook ? rook_magics[sq] : bishop_magics[sq];
    int shift = 64 - popcount(slider->mask);
    Bitboard occ = 0;

    memset(seen, 0, sizeof seen);
    do {
        Bitboard expected = slow_slider(rook, sq, occ);
        size_t index = occ * magic >> shift;
        ck_assert(slider_attacks(slider, occ) == expected);
        ck_assert_uint_lt(index, 4096);
        ck_assert(seen[index] == 0 || seen[index] == expected);
        seen[index] = expected;
        occ = (occ - slider->mask) & slider->mask;
    } while (occ);
}

START_TEST(test_all_occupancies)
{
    for (int sq = 0; sq < SQUARES; sq++) {
        check_square(false, sq);
        check_square(true, sq);
    }
}
END_TEST

START_TEST(test_between)
{
    for (int a = 0; a < SQUARES; a++) {
        for (int b = 0; b < SQUARES; b++) {
            Bitboard between = 0;
            for (int df = -1; df <= 1; df++) {
                for (int dr = -1; dr <= 1; dr++) {
                    if ((df == 0 && dr == 0) || !(slow_walk(a, df, dr, 8, 0) >> b & 1)) continue;
                    between = slow_walk(a, df, dr, 8, 1ULL << b) & ~(1ULL << b);
                }
            }
            ck_assert(between_bb(a, b) == between);
        }
    }
}
END_TEST

START_TEST(test_sets)
{
    Bitboard b = 1ULL << 3 | 1ULL << 17 | 1ULL << 63;

    ck_assert_int_eq(popcount(b), 3);
    ck_assert_int_eq(lsb(b), 3);
    ck_assert_int_eq(pop_lsb(&b), 3);
    ck_assert(more_than_one(b));
    ck_assert_int_eq(pop_lsb(&b), 17);
    ck_assert(!more_than_one(b));
    ck_assert_int_eq(pop_lsb(&b), 63);
    ck_assert(b == 0);
    ck_assert(file_bb(FILE_H) == FILE_H_BB);
    ck_assert(rank_bb(RANK_8) == 0xff00000000000000ULL);
    ck_assert(!(LIGHT_SQUARES_BB & 1) && (LIGHT_SQUARES_BB >> 7 & 1)); /* a1 is dark, h1 light */
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_leapers, test_sliders_on_random_boards, test_all_occupancies, test_between,
              test_sets);
    return support_run(c);
}
