/* SPDX-License-Identifier: MIT
 * Move generation: known leaf counts, and every way of asking for moves against every other. */
#include <string.h>

#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

/* Leaf counts known from chessprogramming.org "Perft Results" and the Chess960 results there;
 * tested against other engines besides in tests/commands. */
static const struct {
    const char *fen;
    int depth;
    uint64_t leaves;
} known[] = {
    {START_FEN, 4, 197281},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89890},
    {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4, 182838},
    {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326672},
    {"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667366},
    {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1, 218},
    /* Pieces that no game can have; the counts are Stockfish's. */
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NNBQKBNN w - - 0 1", 2, 440},
    {"qqqqkqqq/qqqqqqqq/8/8/8/8/4P3/R3K2R b KQ - 0 1", 2, 1408},
    {"kbQQ3Q/pp3Q2/3Q3Q/1Q4Q1/4Q3/2Q4Q/Q4Q2/2QQ2K1 w - - 0 1", 2, 465},
};

START_TEST(test_known_counts)
{
    static PsqTable table;
    Position pos;

    pos = board_from_fen(known[_i].fen);
    ck_assert_uint_eq(perft(&pos, known[_i].depth), known[_i].leaves);
    ck_assert_uint_eq(perft_full(&pos, known[_i].depth, &table), known[_i].leaves);
    ck_assert_uint_eq(perft(&pos, 0), 1);
}
END_TEST

static const char *const castling_fens[] = {
    /* Exactly one castling move is legal here … */
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "r3k3/8/8/8/8/8/8/4K3 b q - 0 1",
    "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", /* the rook may cross an attacked square */
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",   /* king and rook change places */
    "4k3/8/8/8/8/8/8/5RK1 w F - 0 1",   /* the king stands on its target square: the queen's side */
    "4k3/8/8/8/8/8/8/1RK5 w B - 0 1",
    /* … and none here: in check, through check, into check, blocked, a rook pinned by castling. */
    "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/5r2/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/6r1/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/8/8/8/4K1NR w K - 0 1",
    "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
    "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",
    "4k3/8/8/8/8/8/8/1K3NR1 w G - 0 1",
};
enum { CASTLING_ALLOWED = 6 };

START_TEST(test_castling)
{
    Position pos;
    MoveList list;
    int castles = 0;

    pos = board_from_fen(castling_fens[_i]);
    movegen_all(&pos, &list);
    for (int i = 0; i < list.count; i++)
        castles += move_is_castle(list.moves[i]);
    ck_assert_msg(castles == (_i < CASTLING_ALLOWED), "%s: %d", castling_fens[_i], castles);
}
END_TEST

static bool contains(const MoveList *list, Move m)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == m) return true;
    return false;
}

/* What a position says of its checks, square by square and move by move, against what follows from
 * the attacks alone and from the positions that the moves lead to. */
static void check_checks(const Position *pos, const MoveList *list)
{
    static PsqTable table;
    Color us = position_stm(pos), them = opponent(us);
    Bitboard own = pos->by_color[us], occ = position_occupied(pos);
    int king = position_king(pos, them);
    Checks checks;

    if (table.value[0][0] == 0) board_random_psq(5, &table);
    checks_find(&checks, pos);
    for (int sq = 0; sq < SQUARES; sq++) {
        Bitboard bb = square_bb(sq);
        ck_assert_int_eq(!(checks.from[PAWN] & bb), !(pawn_attacks(us, sq) & square_bb(king)));
        for (int type = KNIGHT; type < KING; type++)
            ck_assert_int_eq(!(checks.from[type] & bb),
                             !(piece_attacks((PieceType)type, sq, occ) & square_bb(king)));
        Bitboard shown = position_attackers(pos, king, occ & ~bb) & own & ~bb;
        ck_assert_int_eq(!(checks.blockers & bb), !(own & bb && shown));
    }
    for (int i = 0; i < list->count; i++) {
        Position next, same;
        Move m = list->moves[i];
        position_make_eval(&next, pos, m, &table);
        position_make_with(&same, pos, m, &table, &checks);
        ck_assert_mem_eq(&same, &next, sizeof next);
        bool closer = move_is_promotion(m) || move_is_castle(m) || move_is_en_passant(m) ||
                      checks.blockers & square_bb(move_from(m));
        ck_assert_int_eq(checks_may_give(&checks, pos, m), closer || next.checkers != 0);
    }
}

/* The list that the others are compared with must itself hold no move twice and leave no king
 * hanging: the position after each is judged from scratch. */
static void check_list(const Position *pos, const MoveList *list)
{
    for (int i = 0; i < list->count; i++) {
        Position next;
        Move m = list->moves[i];
        position_make(&next, pos, m);
        Bitboard attackers = position_attackers(&next, position_king(&next, position_stm(pos)),
                                                position_occupied(&next));
        ck_assert(!(attackers & next.by_color[next.stm]));
        ck_assert(position_is_consistent(&next));
        ck_assert_int_eq(movegen_gives_check(pos, m), next.checkers != 0);
        for (int j = 0; j < i; j++)
            if (list->moves[j] == m) ck_abort_msg("%04x twice", m);
    }
}

static void check_all_patterns(const Position *pos, const MoveList *list)
{
    static bool legal[1 << 16];

    memset(legal, 0, sizeof legal);
    for (int i = 0; i < list->count; i++)
        legal[list->moves[i]] = true;
    for (int m = 0; m < 1 << 16; m++)
        if (movegen_is_legal(pos, (Move)m) != legal[m]) ck_abort_msg("%04x", (unsigned)m);
}

typedef struct Visits {
    int positions, in_check;
} Visits;

static void visit_agreement(const Position *pos, const MoveList *list, void *context)
{
    Visits *visits = context;
    MoveList noisy, quiet;

    movegen_noisy(pos, &noisy);
    movegen_quiet(pos, &quiet);
    ck_assert_int_eq(movegen_count(pos), list->count);
    ck_assert_int_eq(noisy.count + quiet.count, list->count);
    for (int i = 0; i < list->count; i++) {
        Move m = list->moves[i];
        ck_assert(contains(move_is_noisy(m) ? &noisy : &quiet, m));
        ck_assert_int_eq(move_is_capture(m) && !move_is_en_passant(m),
                         pos->board[move_to(m)] != NO_PIECE && !move_is_castle(m));
    }
    check_list(pos, list);
    check_checks(pos, list);
    if (visits->positions % 8 == 0) check_all_patterns(pos, list);
    visits->positions++;
    visits->in_check += position_in_check(pos);
}

START_TEST(test_agreement_on_random_games)
{
    Visits visits = {0, 0};

    board_walk(2, BOARD_GAMES, 120, NULL, visit_agreement, &visits);
    ck_assert_int_gt(visits.positions, BOARD_GAMES * 1000);
    ck_assert_int_gt(visits.in_check, BOARD_GAMES * 50);
}
END_TEST

/* Every move of these trees, so that rare kinds (en passant with check, promotion by capture,
 * castling with check) are met for certain. */
static void check_tree(const Position *pos, int depth)
{
    MoveList list;

    movegen_all(pos, &list);
    check_list(pos, &list);
    check_all_patterns(pos, &list);
    for (int i = 0; i < list.count && depth > 0; i++) {
        Position next;
        position_make(&next, pos, list.moves[i]);
        check_tree(&next, depth - 1);
    }
}

START_TEST(test_all_patterns_one_ply_deep)
{
    Position pos;

    pos = board_from_fen(board_fens[_i]);
    check_tree(&pos, 1);
}
END_TEST

static int board_fen_count(void)
{
    int n = 0;

    while (board_fens[n] != NULL)
        n++;
    return n;
}

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_agreement_on_random_games);
    tcase_add_loop_test(c, test_known_counts, 0, sizeof known / sizeof *known);
    tcase_add_loop_test(c, test_castling, 0, sizeof castling_fens / sizeof *castling_fens);
    tcase_add_loop_test(c, test_all_patterns_one_ply_deep, 0, board_fen_count());
    return support_run(c);
}
