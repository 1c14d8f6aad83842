/* SPDX-License-Identifier: MIT
 * Quiescent leaves. */
#include <string.h>

#include "engine/board/see.h"
#include "engine/eval/evaluation_load.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"
#include "tuner/data/quiescence_leaves.h"

static void check_leaf(const char *fen, const char *expected)
{
    EvalWeights w;
    Position pos, leaf, wanted;

    weights_material(&w);
    pos = board_from_fen(fen);
    wanted = board_from_fen(expected);
    quiescence_leaf(&pos, &w, &leaf);
    ck_assert_mem_eq(leaf.board, wanted.board, sizeof leaf.board);
    ck_assert_int_eq(leaf.stm, wanted.stm);
}

START_TEST(captures_are_played_out)
{
    /* nothing to take */
    check_leaf("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    /* a queen that hangs */
    check_leaf("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1");
    /* a pawn that is defended stays */
    check_leaf("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1");
    /* an exchange to its end: knight takes rook, pawn takes knight */
    check_leaf("4k3/8/2p5/3r4/8/2N5/8/4K3 w - - 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2");
    /* a promotion */
    check_leaf("8/P7/8/8/8/1k6/7p/7K w - - 0 1", "Q7/8/8/8/8/1k6/7p/7K b - - 0 1");
}
END_TEST

/* Standing pat is always there: no leaf is worse than the position itself for the side to move. */
static void check_gain(const Position *pos, const MoveList *list, void *context)
{
    const EvalWeights *w = context;
    Position leaf;

    (void)list;
    if (position_in_check(pos)) return;
    quiescence_leaf(pos, w, &leaf);
    int gain = eval_white(&leaf, w) - eval_white(pos, w);
    ck_assert_int_ge(pos->stm == WHITE ? gain : -gain, 0);
}

START_TEST(leaves_are_never_worse)
{
    EvalWeights w;
    ck_assert_int_eq(weights_load("builtin", &w, NULL, &(Error){0}), STATUS_OK);
    board_walk(7, BOARD_GAMES, 60, NULL, check_gain, &w);
}
END_TEST

START_TEST(queens_without_end_are_given_up)
{
    EvalWeights w;
    Position pos, leaf, again;

    ck_assert_int_eq(weights_load("builtin", &w, NULL, &(Error){0}), STATUS_OK);
    pos = board_from_fen("q3q1Q1/2Q2QQq/1q1q1q1Q/k3qQ1Q/2Q1Q1Q1/4qQ1K/3Qq3/8 b - - 0 1");
    quiescence_leaf(&pos, &w, &leaf);
    quiescence_leaf(&pos, &w, &again);
    ck_assert_mem_eq(leaf.board, again.board, sizeof leaf.board);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, captures_are_played_out, leaves_are_never_worse, queens_without_end_are_given_up);
    return support_run(c);
}
