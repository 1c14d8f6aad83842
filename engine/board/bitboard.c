/* SPDX-License-Identifier: MIT
 * Filling the attack tables, by walking along rays. */
#include "engine/board/bitboard.h"

#include <pthread.h>

#if !TABIA_PEXT
#include "engine/board/magics.h"
#endif

BitboardTables bitboard_tables;

/* One table entry per square and subset of its mask. */
enum { BISHOP_ENTRIES = 5248, ROOK_ENTRIES = 102400 };
static Bitboard bishop_entries[BISHOP_ENTRIES];
static Bitboard rook_entries[ROOK_ENTRIES];

/* A step on the board: files east, ranks north. */
typedef struct BoardStep {
    int file, rank;
} BoardStep;

static const BoardStep bishop_steps[4] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
static const BoardStep rook_steps[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* The square one step away, or NO_SQUARE beyond the edge. */
static int step_from(int sq, BoardStep step)
{
    int file = square_file(sq) + step.file;
    int rank = square_rank(sq) + step.rank;
    bool inside = file >= FILE_A && file <= FILE_H && rank >= RANK_1 && rank <= RANK_8;
    return inside ? make_square(file, rank) : NO_SQUARE;
}

/* The squares along four rays, each up to and including its first blocker. */
static Bitboard rays(int sq, const BoardStep steps[4], Bitboard occ)
{
    Bitboard squares = 0;

    for (int i = 0; i < 4; i++)
        for (int at = sq; (at = step_from(at, steps[i])) != NO_SQUARE;) {
            squares |= square_bb(at);
            if (occ & square_bb(at)) break;
        }
    return squares;
}

static Bitboard leaper(int sq, const BoardStep *steps, int count)
{
    Bitboard squares = 0;

    for (int i = 0; i < count; i++) {
        int to = step_from(sq, steps[i]);
        if (to != NO_SQUARE) squares |= square_bb(to);
    }
    return squares;
}

static void init_leapers(int sq)
{
    static const BoardStep white_pawn[2] = {{-1, 1}, {1, 1}};
    static const BoardStep black_pawn[2] = {{-1, -1}, {1, -1}};
    static const BoardStep knight[8] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                        {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const BoardStep king[8] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                      {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

    bitboard_tables.pawn[WHITE][sq] = leaper(sq, white_pawn, 2);
    bitboard_tables.pawn[BLACK][sq] = leaper(sq, black_pawn, 2);
    bitboard_tables.knight[sq] = leaper(sq, knight, 8);
    bitboard_tables.king[sq] = leaper(sq, king, 8);
}

/* The squares whose occupancy changes the attacks. A blocker on the last square of a ray hides
 * nothing, so the edges are left out. */
static Bitboard relevant_mask(int sq, const BoardStep steps[4])
{
    Bitboard edges = ((rank_bb(RANK_1) | rank_bb(RANK_8)) & ~rank_bb(square_rank(sq))) |
                     ((file_bb(FILE_A) | file_bb(FILE_H)) & ~file_bb(square_file(sq)));
    return rays(sq, steps, 0) & ~edges;
}

/* Fills the entries of one square; returns the start of the next square's. */
static Bitboard *init_slider(SliderAttacks *slider, int sq, const BoardStep steps[4],
                             Bitboard *entries)
{
    Bitboard occ = 0;

    slider->mask = relevant_mask(sq, steps);
    slider->attacks = entries;
#if !TABIA_PEXT
    slider->magic = steps == rook_steps ? rook_magics[sq] : bishop_magics[sq];
    slider->shift = 64 - popcount(slider->mask);
#endif
    do {
        entries[slider_index(slider, occ)] = rays(sq, steps, occ);
        occ =
            (occ - slider->mask) & slider->mask; /* the next subset of the mask, 0 after the last */
    } while (occ);
    return entries + (1 << popcount(slider->mask));
}

static void init_between(int a)
{
    for (int i = 0; i < 8; i++) {
        BoardStep step = i < 4 ? rook_steps[i] : bishop_steps[i - 4];
        Bitboard between = 0;

        for (int b = a; (b = step_from(b, step)) != NO_SQUARE; between |= square_bb(b))
            bitboard_tables.between[a][b] = between;
    }
}

static void init_tables(void)
{
    Bitboard *bishop_next = bishop_entries;
    Bitboard *rook_next = rook_entries;

    for (int sq = 0; sq < SQUARES; sq++) {
        init_leapers(sq);
        init_between(sq);
        bishop_next = init_slider(&bitboard_tables.bishop[sq], sq, bishop_steps, bishop_next);
        rook_next = init_slider(&bitboard_tables.rook[sq], sq, rook_steps, rook_next);
    }
}

void bitboard_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, init_tables);
}
