/* SPDX-License-Identifier: MIT
 * Replaying games: readable positions, and wrong records. */
#include <stdio.h>
#include <string.h>

#include "db/chess/replay.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "tests/support/support.h"

enum { PLIES_MAX = 400 };

static GamePly plies[PLIES_MAX];
static Error err;

/* A record of `moves` (UCI, separated by blanks) from `fen`, with scores 0, 1, 2 … */
static GameRecord make_game(const char *fen, const char *moves, GameResult result,
                            GameReason reason)
{
    GameRecord game = {.game_no = 42, .result = result, .reason = reason, .plies = plies};
    Position pos, before;

    (void)snprintf(game.start_fen, sizeof game.start_fen, "%s", fen);
    ck_assert_int_eq(position_from_fen(&pos, fen, &err), STATUS_OK);
    for (const char *at = moves; *at; at += strspn(at, " ")) {
        Move move;
        ck_assert_msg(move_from_uci(&pos, at, &move, &err) == STATUS_OK, "%s", err.text);
        plies[game.ply_count] = (GamePly){.move = move, .score = (int16_t)game.ply_count};
        game.ply_count++;
        before = pos;
        position_make(&pos, &before, move);
        at += strcspn(at, " ");
    }
    return game;
}

static void expect_true(const char *fen, const char *moves, GameResult result, GameReason reason)
{
    GameRecord game = make_game(fen, moves, result, reason);
    ck_assert_msg(replay_check(&game, &err) == STATUS_OK, "%s", err.text);
}

static void expect_lie(const char *fen, const char *moves, GameResult result, GameReason reason)
{
    GameRecord game = make_game(fen, moves, result, reason);
    ck_assert_msg(replay_check(&game, &err) == STATUS_BAD_INPUT, "%s by %s was accepted: %s",
                  result_text(result), reason_name(reason), moves);
    ck_assert_ptr_nonnull(strstr(err.text, "game 42"));
}

START_TEST(positions_are_readable)
{
    PositionRow rows[8];
    GameRecord game =
        make_game(START_FEN, "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5", RESULT_DRAW, REASON_MAX_PLIES);
    plies[4].score = SCORE_UNKNOWN;
    plies[5].score = -VALUE_MATE + 7;
    ck_assert_int_eq(replay_positions(&game, rows, &err), STATUS_OK);
    for (int i = 0; i < game.ply_count; i++)
        ck_assert_int_eq(rows[i].ply, i);
    ck_assert_str_eq(rows[0].fen, START_FEN);
    ck_assert_str_eq(rows[0].move, "e2e4");
    ck_assert_uint_eq(rows[0].flags, 0);
    ck_assert_uint_eq(rows[2].flags, POSITION_NOISY_MOVE);
    ck_assert_int_eq(rows[3].score, 3);
    ck_assert_int_eq(rows[4].score, SCORE_UNKNOWN);
    ck_assert_uint_eq(rows[4].flags, 0);
    ck_assert_str_eq(rows[5].fen, "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3");
    ck_assert_str_eq(rows[5].move, "d5e5");
    ck_assert_uint_eq(rows[5].flags, POSITION_MATE_SCORE | POSITION_GIVES_CHECK);
    ck_assert_int_eq(rows[5].score, -VALUE_MATE + 7);
}
END_TEST

START_TEST(in_check_and_promotion_flags)
{
    PositionRow rows[2];
    GameRecord game =
        make_game("4k3/P6p/8/8/8/8/8/4K2r w - - 0 1", "e1d2 h7h5", RESULT_DRAW, REASON_MAX_PLIES);
    ck_assert_int_eq(replay_positions(&game, rows, &err), STATUS_OK);
    ck_assert_uint_eq(rows[0].flags, POSITION_IN_CHECK);
    game = make_game("4k3/P6p/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", RESULT_DRAW, REASON_MAX_PLIES);
    ck_assert_int_eq(replay_positions(&game, rows, &err), STATUS_OK);
    ck_assert_str_eq(rows[0].move, "a7a8q");
    ck_assert_uint_eq(rows[0].flags, POSITION_NOISY_MOVE | POSITION_GIVES_CHECK);
}
END_TEST

START_TEST(castling_is_written_as_kings_steps)
{
    PositionRow rows[1];
    GameRecord game =
        make_game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", RESULT_DRAW, REASON_MAX_PLIES);
    ck_assert_int_eq(replay_positions(&game, rows, &err), STATUS_OK);
    ck_assert_str_eq(rows[0].move, "e1c1");
    ck_assert_int_eq(move_to(plies[0].move), 0); /* stored as king takes rook on a1 */
}
END_TEST

START_TEST(mates)
{
    const char *fools = "f2f3 e7e5 g2g4 d8h4";
    expect_true(START_FEN, fools, RESULT_BLACK_WINS, REASON_CHECKMATE);
    expect_lie(START_FEN, fools, RESULT_WHITE_WINS, REASON_CHECKMATE);
    expect_lie(START_FEN, fools, RESULT_DRAW, REASON_CHECKMATE);
    expect_lie(START_FEN, fools, RESULT_DRAW, REASON_STALEMATE);
    expect_lie(START_FEN, fools, RESULT_BLACK_WINS, REASON_WIN_ADJUDICATION);
    expect_lie(START_FEN, "f2f3 e7e5 g2g4", RESULT_BLACK_WINS, REASON_CHECKMATE);
    expect_true("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7", RESULT_WHITE_WINS, REASON_CHECKMATE);
}
END_TEST

START_TEST(draws_by_rule)
{
    expect_true("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g6", RESULT_DRAW, REASON_STALEMATE);
    expect_lie("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g6", RESULT_WHITE_WINS, REASON_STALEMATE);
    expect_lie("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g4", RESULT_DRAW, REASON_STALEMATE);

    const char *threefold = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    expect_true(START_FEN, threefold, RESULT_DRAW, REASON_REPETITION);
    expect_lie(START_FEN, threefold, RESULT_WHITE_WINS, REASON_REPETITION);
    expect_lie(START_FEN, "g1f3 g8f6 f3g1 f6g8", RESULT_DRAW, REASON_REPETITION);

    const char *late = "4k3/8/8/8/8/8/R7/4K3 w - - 98 80";
    expect_true(late, "a2a3 e8e7", RESULT_DRAW, REASON_FIFTY_MOVES);
    expect_lie(late, "a2a3", RESULT_DRAW, REASON_FIFTY_MOVES);

    const char *bishop = "4k3/8/8/8/8/8/3p4/2B1K3 w - - 0 1";
    expect_true(bishop, "c1d2", RESULT_DRAW, REASON_MATERIAL);
    expect_lie("4k3/8/8/8/8/8/3p4/2R1K3 w - - 0 1", "e1d2", RESULT_DRAW, REASON_MATERIAL);
}
END_TEST

START_TEST(decisions)
{
    expect_true(START_FEN, "e2e4", RESULT_WHITE_WINS, REASON_WIN_ADJUDICATION);
    expect_lie(START_FEN, "e2e4", RESULT_DRAW, REASON_WIN_ADJUDICATION);
    expect_true(START_FEN, "e2e4", RESULT_DRAW, REASON_DRAW_ADJUDICATION);
    expect_lie(START_FEN, "e2e4", RESULT_BLACK_WINS, REASON_DRAW_ADJUDICATION);
    expect_true(START_FEN, "e2e4", RESULT_DRAW, REASON_MAX_PLIES);
    expect_true(START_FEN, "", RESULT_WHITE_WINS, REASON_CRASH);
    expect_lie(START_FEN, "e2e4", RESULT_DRAW, (GameReason)14);
}
END_TEST

START_TEST(illegal_records)
{
    PositionRow rows[4];
    GameRecord game = make_game(START_FEN, "e2e4 e7e5 g1f3", RESULT_DRAW, REASON_MAX_PLIES);
    plies[1].move = make_move(52, 28, MOVE_QUIET); /* e7e4: occupied */
    ck_assert_int_eq(replay_check(&game, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "game 42, ply 1: e7e4"));
    ck_assert_int_eq(replay_positions(&game, rows, &err), STATUS_BAD_INPUT);
    plies[1].move = MOVE_NONE;
    ck_assert_int_eq(replay_check(&game, &err), STATUS_BAD_INPUT);
    (void)strcpy(game.start_fen, "no position at all");
    ck_assert_int_eq(replay_check(&game, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "no position at all"));
}
END_TEST

START_TEST(scores_beyond_a_mate)
{
    static const int scores[] = {VALUE_MATE + 1, -VALUE_MATE - 1, INT16_MIN, SCORE_UNKNOWN - 1};
    GameRecord game = make_game(START_FEN, "e2e4 e7e5", RESULT_DRAW, REASON_MAX_PLIES);

    for (int i = 0; i < 4; i++) {
        plies[1].score = (int16_t)scores[i];
        ck_assert_int_eq(replay_check(&game, &err), STATUS_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.text, "game 42, ply 1: "));
    }
    plies[0].score = VALUE_MATE;
    plies[1].score = -VALUE_MATE;
    ck_assert_int_eq(replay_check(&game, &err), STATUS_OK);
}
END_TEST

/* Property: the rows of a random game are the positions of its moves. */
START_TEST(rows_follow_the_moves)
{
    static PositionRow rows[PLIES_MAX];
    Position pos, before;
    MoveList list;
    uint64_t state = (uint64_t)_i * 977 + 1;

    GameRecord game = make_game(START_FEN, "", RESULT_DRAW, REASON_MAX_PLIES);
    for (position_set_start(&pos); game.ply_count < PLIES_MAX; game.ply_count++) {
        movegen_all(&pos, &list);
        if (list.count == 0) break;
        state = state * 6364136223846793005U + 1442695040888963407U;
        plies[game.ply_count].move = list.moves[(state >> 33) % (uint64_t)list.count];
        before = pos;
        position_make(&pos, &before, plies[game.ply_count].move);
    }
    ck_assert_int_eq(replay_positions(&game, rows, &err), STATUS_OK);
    position_set_start(&pos);
    for (int i = 0; i < game.ply_count; i++) {
        Move move;
        char fen[FEN_MAX];
        ck_assert_int_eq(position_from_fen(&before, rows[i].fen, &err), STATUS_OK);
        position_to_fen(&pos, fen);
        ck_assert_str_eq(rows[i].fen, fen);
        ck_assert_int_eq(move_from_uci(&before, rows[i].move, &move, &err), STATUS_OK);
        ck_assert_uint_eq(move, plies[i].move);
        position_make(&pos, &before, move);
        ck_assert_int_eq((rows[i].flags & POSITION_GIVES_CHECK) != 0, position_in_check(&pos));
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, positions_are_readable, in_check_and_promotion_flags,
              castling_is_written_as_kings_steps, mates, draws_by_rule, decisions, illegal_records,
              scores_beyond_a_mate);
    tcase_add_loop_test(c, rows_follow_the_moves, 0, 20);
    return support_run(c);
}
