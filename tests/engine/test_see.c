/* SPDX-License-Identifier: MIT
 * Static exchange evaluation: worked examples, and a recursion that follows the same swap rules. */
#include "engine/board/see.h"

#include "engine/board/movegen.h"
#include "engine/notation/move_text.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

/* ---- The reference */

/* Best result, centipawns, for `side` to capture the piece worth `at_risk` on `to`, or not to;
 * least valuable attacker first, the king only where no piece takes back. */
static int slow_capture(const Position *pos, int to, Color side, int at_risk, Bitboard occ)
{
    Bitboard attackers = position_attackers(pos, to, occ) & occ;
    Bitboard own = attackers & pos->by_color[side];

    for (int type = PAWN; type <= KING; type++) {
        Bitboard of_type = own & pos->by_type[type];
        if (!of_type) continue;
        if (type == KING && attackers & ~pos->by_color[side]) return 0;
        Color enemy = opponent(side);
        int reply = slow_capture(pos, to, enemy, see_value[type], occ ^ square_bb(lsb(of_type)));
        return at_risk > reply ? at_risk - reply : 0;
    }
    return 0;
}

static int slow_see(const Position *pos, Move m)
{
    int from = move_from(m), to = move_to(m);
    int gain = pos->board[to] == NO_PIECE ? 0 : see_value[piece_type(pos->board[to])];
    int moved = see_value[piece_type(pos->board[from])];
    Bitboard occ = (position_occupied(pos) ^ square_bb(from)) | square_bb(to);

    if (move_is_castle(m)) return 0;
    if (move_is_en_passant(m)) {
        gain = see_value[PAWN];
        occ ^= square_bb(to ^ 8);
    }
    if (move_is_promotion(m)) {
        moved = see_value[move_promotion(m)];
        gain += moved - see_value[PAWN];
    }
    return gain - slow_capture(pos, to, opponent(position_stm(pos)), moved, occ);
}

/* ---- Tests */

/* The exchange is worth exactly `value`. */
static const struct {
    const char *fen, *move;
    int value;
} cases[] = {
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100},
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100},
    {"4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1", "d2d6", -400},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100},
    {"4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", 800},
    {"3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", -100},
    {"3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 1300},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0},
    {"4k3/8/8/8/8/2p5/8/Q3K3 w - - 0 1", "a1b2", -900},   /* walking into a pawn */
    {"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100}, /* the rook behind joins in */
    {"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400},
    {"8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100}, /* the king may not take back */
    {"8/8/4k3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400}, /* now it may */
};

START_TEST(test_worked_examples)
{
    Position pos;
    Move m;
    Error err = {0};

    pos = board_from_fen(cases[_i].fen);
    ck_assert_msg(move_from_uci(&pos, cases[_i].move, &m, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(slow_see(&pos, m), cases[_i].value);
    ck_assert(see_at_least(&pos, m, cases[_i].value));
    ck_assert(!see_at_least(&pos, m, cases[_i].value + 1));
}
END_TEST

static void visit_see(const Position *pos, const MoveList *list, void *context)
{
    int *losing = context;

    for (int i = 0; i < list->count; i++) {
        Move m = list->moves[i];
        int value = slow_see(pos, m);
        ck_assert(see_at_least(pos, m, value));
        ck_assert(!see_at_least(pos, m, value + 1));
        for (int threshold = -1000; threshold <= 1000; threshold += 250)
            ck_assert_int_eq(see_at_least(pos, m, threshold), value >= threshold);
        *losing += value < 0;
    }
}

START_TEST(test_against_the_reference)
{
    int losing = 0;

    board_walk(4, BOARD_GAMES, 100, NULL, visit_see, &losing);
    ck_assert_int_gt(losing, BOARD_GAMES * 250);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_against_the_reference);
    tcase_add_loop_test(c, test_worked_examples, 0, sizeof cases / sizeof *cases);
    return support_run(c);
}
