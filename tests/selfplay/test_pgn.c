/* SPDX-License-Identifier: MIT
 * Writing PGN: tags, move numbers, comments, line lengths, refused records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/formats/pgn_write.h"
#include "tests/support/support.h"

/* A record from UCI moves and scores. */
static GameRecord make_game(const char *fen, const char *moves, const int *scores, GamePly *plies)
{
    GameRecord game = {.game_no = 4, .plies = plies};
    Position pos, next;

    (void)snprintf(game.start_fen, sizeof game.start_fen, "%s", fen);
    ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
    for (const char *m = moves; m && *m; m = strchr(m, ' ') ? strchr(m, ' ') + 1 : NULL) {
        Move move;
        ck_assert_int_eq(move_from_uci(&pos, m, &move, &(Error){0}), STATUS_OK);
        plies[game.ply_count] = (GamePly){move, (int16_t)scores[game.ply_count]};
        game.ply_count++;
        position_make(&next, &pos, move);
        pos = next;
    }
    return game;
}

/* The output of pgn_write(); malloc'ed. */
static char *written(const PgnOutput *tags, const GameRecord *game)
{
    char *text = NULL;
    size_t length;
    Error err = {0};
    FILE *out = open_memstream(&text, &length);

    ck_assert_ptr_nonnull(out);
    ck_assert_msg(pgn_write(out, tags, game, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(test_whole_game)
{
    static const int scores[] = {-35, 120, -250, -31999};
    GamePly plies[8];
    PgnOutput tags = {.event = "a \"match\"", .white = "x\\y", .black = "z", .round = 3, .game = 2};
    GameRecord game = make_game(START_FEN, "f2f3 e7e5 g2g4 d8h4", scores, plies);

    game.result = RESULT_BLACK_WINS;
    game.reason = REASON_CHECKMATE;
    char *text = written(&tags, &game);
    ck_assert_str_eq(text, "[Event \"a \\\"match\\\"\"]\n"
                           "[Site \"?\"]\n"
                           "[Date \"????.??.??\"]\n"
                           "[Round \"3.2\"]\n"
                           "[White \"x\\\\y\"]\n"
                           "[Black \"z\"]\n"
                           "[Result \"0-1\"]\n"
                           "[PlyCount \"4\"]\n"
                           "[Termination \"normal\"]\n"
                           "\n"
                           "1. f3 {-0.35} 1... e5 {-1.20} 2. g4 {-2.50} 2... Qh4# {+M1} 0-1\n\n");
    free(text);
}
END_TEST

/* What was played instead of a legal move; nothing in it ends the comment. */
START_TEST(test_illegal_move_is_named)
{
    static const int scores[] = {-35};
    GamePly plies[8];
    PgnOutput tags = {.white = "x", .black = "y"};
    GameRecord game = make_game(START_FEN, "f2f3", scores, plies);

    game.result = RESULT_WHITE_WINS;
    game.reason = REASON_ILLEGAL_MOVE;
    (void)snprintf(game.note, sizeof game.note, "y: \"bestmove a}\tb\" is not a legal move");
    char *text = written(&tags, &game);
    ck_assert_ptr_nonnull(
        strstr(text, "{illegal move: y: \"bestmove a)?b\" is not a legal move} 1-0\n"));
    free(text);
    game.note[0] = '\0';
    text = written(&tags, &game);
    ck_assert_ptr_nonnull(strstr(text, " {illegal move} 1-0\n"));
    free(text);
}
END_TEST

/* Depths and times, as fastchess writes them; mates are in plies. */
START_TEST(test_times)
{
    static const int scores[] = {SCORE_UNKNOWN, 31995, 0, -31996};
    PlyClock clock[4] = {{0, 0, 0}, {12345, 99, 12}, {1, 5, 3}, {3600000, 1, 255}};
    GamePly plies[8];
    const SearchLimits clock_limits = {
        .has_clock = true, .time_ms = {2000, 2000}, .increment_ms = {20, 20}};
    const SearchLimits none = {.depth = 1};
    PgnOutput tags = {.limits = {&clock_limits, &clock_limits}};
    GameRecord game = make_game(START_FEN, "f2f3 e7e5 g2g4 a7a6", scores, plies);

    game.result = RESULT_BLACK_WINS;
    game.reason = REASON_TIME;
    game.clock = clock;
    char *text = written(&tags, &game);
    ck_assert_ptr_nonnull(strstr(text,
                                 "[GameDuration \"01:00:12\"]\n[PlyCount \"4\"]\n"
                                 "[Termination \"time forfeit\"]\n[TimeControl \"2+0.02\"]\n"));
    ck_assert_ptr_nonnull(strstr(text,
                                 "\n\n1. f3 e5 {-M5/12 12.345s} 2. g4 {+0.00/3 0.001s} 2... a6 "
                                 "{+M4/255 3600.000s}\n{time} 0-1\n\n"));
    free(text);
    tags.limits[BLACK] = &none;
    text = written(&tags, &game);
    ck_assert_ptr_nonnull(
        strstr(text, "[WhiteTimeControl \"2+0.02\"]\n[BlackTimeControl \"-\"]\n"));
    free(text);
}
END_TEST

/* Additional fields, by fastchess's names; and PGN_MIN. */
START_TEST(test_fields)
{
    static const int scores[] = {10, 20, 30, 40};
    PlyClock clock[4] = {{500, 1000, 9}, {0, 7, 1}, {1500, 3000, 9}, {250, 7, 1}};
    const SearchLimits session = {
        .has_clock = true, .time_ms = {2000, 2000}, .increment_ms = {100, 100}, .moves_to_go = 2};
    const SearchLimits depth = {.depth = 3};
    PgnOutput tags = {.fields = PGN_NODES | PGN_NPS | PGN_TIME_LEFT, .limits = {&session, &depth}};
    GamePly plies[8];
    GameRecord game = make_game(START_FEN, "f2f3 e7e5 g2g4 a7a6", scores, plies);

    game.result = RESULT_DRAW;
    game.reason = REASON_MAX_PLIES;
    game.clock = clock;
    char *text = written(&tags, &game);
    ck_assert_msg(strstr(text, "1. f3 {+0.10/9 0.500s, tl=1.700s, n=1000, nps=2000}"), "%s", text);
    ck_assert_msg(strstr(text, "e5\n{-0.20/1 0.000s, n=7, nps=7000}"), "%s", text);
    ck_assert_msg(strstr(text, "{+0.30/9 1.500s, tl=2.300s, n=3000, nps=2000}"), "%s", text);
    free(text);
    plies[1].score = SCORE_UNKNOWN;
    text = written(&tags, &game);
    ck_assert_msg(strstr(text, "e5\n{0.000s, n=7, nps=7000}"), "%s", text);
    free(text);
    clock[0] = (PlyClock){0}; /* of a book: its increment and move do not count */
    plies[0].score = SCORE_UNKNOWN;
    text = written(&tags, &game);
    ck_assert_msg(
        strstr(text, "1. f3 e5 {0.000s, n=7, nps=7000} 2. g4\n{+0.30/9 1.500s, tl=0.700s, "), "%s",
        text);
    free(text);
    clock[0] = (PlyClock){500, 1000, 9};
    plies[0].score = 10;
    clock[0].time_ms = 2150; /* 50 ms of the margin */
    text = written(&tags, &game);
    ck_assert_msg(strstr(text, "1. f3 {+0.10/9 2.150s, tl=0.100s, "), "%s", text);
    free(text);
    clock[0].time_ms = 500;
    PlySearch search[4] = {{12, 345, 6, 499, "f2f3 e7e5"}, {-1, -1, -1, -1, ""}};
    game.search = search;
    plies[1].score = 31997; /* mate in 3 plies: White's view */
    tags.fields = PGN_OF_SEARCH | PGN_EVAL | PGN_CLK;
    text = written(&tags, &game);
    ck_assert_msg(strstr(text, "{+0.10/9 0.500s, latency=0.001s, sd=12, hashfull=345, tbhits=6, "
                               "pv=\"f2f3 e7e5\" [%eval 0.10] [%clk 0:00:01.7]}"),
                  "%s", text);
    ck_assert_msg(strstr(text, "e5 {-M3/1 0.000s [%eval #2]}"), "%s", text);
    free(text);
    game.search = NULL;
    plies[1].score = 20;
    tags.fields = PGN_MIN;
    text = written(&tags, &game);
    ck_assert_msg(strstr(text, "[Result \"1/2-1/2\"]\n\n1. f3 e5 2. g4 a6 1/2-1/2\n"), "%s", text);
    free(text);
    plies[0].score = SCORE_UNKNOWN; /* the engine gave none */
    tags.fields = PGN_NODES;
    text = written(&tags, &game);
    ck_assert_msg(strstr(text, "1. f3 {0.500s, n=1000} 1... e5"), "%s", text);
    free(text);
}
END_TEST

/* Black to move first, later moves without comments, an adjudicated end. */
START_TEST(test_position_and_adjudication)
{
    static const int scores[] = {SCORE_UNKNOWN, SCORE_UNKNOWN, 2500, SCORE_UNKNOWN};
    const char *fen = "4k3/8/8/8/8/8/4p3/QK6 b - - 3 40";
    GamePly plies[8];
    PgnOutput tags = {0};
    GameRecord game = make_game(fen, "e8d7 a1a7 d7d6 b1c2", scores, plies);

    game.result = RESULT_WHITE_WINS;
    game.reason = REASON_WIN_ADJUDICATION;
    char *text = written(&tags, &game);
    ck_assert_ptr_nonnull(
        strstr(text, "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/QK6 b - - 3 40\"]\n"));
    ck_assert_ptr_nonnull(strstr(text, "[Termination \"adjudication\"]\n"));
    ck_assert_ptr_nonnull(strstr(text, "[Event \"?\"]\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n\n40... Kd7 41. Qa7+ Kd6 {-25.00} 42. Kc2 {"));
    ck_assert_ptr_nonnull(strstr(text, "} 1-0\n\n"));
    free(text);
}
END_TEST

START_TEST(test_chess960)
{
    static const int scores[] = {0};
    const char *fen = "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1";
    GamePly plies[2];
    GameRecord game = make_game(fen, "e1b1", scores, plies);

    game.result = RESULT_DRAW;
    game.reason = REASON_MAX_PLIES;
    char *text = written(&(PgnOutput){0}, &game);
    ck_assert_ptr_nonnull(strstr(text, "[Variant \"Chess960\"]\n"));
    ck_assert_ptr_nonnull(strstr(text, "1. O-O-O {+0.00} {"));
    free(text);
    /* usual castling, unusual array */
    game = make_game("rbbnkqnr/pppppppp/8/8/8/8/PPPPPPPP/RBBNKQNR w KQkq - 0 1", "", scores, plies);
    game.reason = REASON_MAX_PLIES;
    text = written(&(PgnOutput){0}, &game);
    ck_assert_ptr_nonnull(strstr(text, "[Variant \"Chess960\"]\n"));
    free(text);
}
END_TEST

START_TEST(test_lines_are_short)
{
    enum { PLIES = 300 };
    static GamePly plies[PLIES];
    GameRecord game = {.start_fen = START_FEN, .result = RESULT_DRAW, .reason = REASON_MAX_PLIES};
    Position pos, next;
    Pcg rng;

    pcg_seed(&rng, 1, 1);
    game.plies = plies;
    position_set_start(&pos);
    for (MoveList list; game.ply_count < PLIES; pos = next) {
        movegen_all(&pos, &list);
        if (list.count == 0) break;
        Move move = list.moves[pcg_below(&rng, (uint32_t)list.count)];
        plies[game.ply_count++] = (GamePly){move, (int16_t)((int)pcg_below(&rng, 4000) - 2000)};
        position_make(&next, &pos, move);
    }
    char *text = written(&(PgnOutput){0}, &game);
    size_t longest = 0;
    for (const char *line = strstr(text, "\n\n") + 2; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
        ck_assert(length == 0 || (line[0] != ' ' && line[length - 1] != ' '));
        if (!*line) break;
    }
    ck_assert_uint_le(longest, 79);
    ck_assert_uint_gt(longest, 70);
    free(text);
}
END_TEST

START_TEST(test_refused)
{
    static const int scores[] = {0, 0};
    GamePly plies[2];
    Error err = {0};
    GameRecord game = make_game(START_FEN, "e2e4 e7e5", scores, plies);
    FILE *full = fopen("/dev/full", "w");

    if (full) { /* Linux */
        (void)setvbuf(full, NULL, _IONBF, 0);
        ck_assert_int_eq(pgn_write(full, &(PgnOutput){0}, &game, &err), STATUS_FAILED);
        (void)fclose(full);
    }
    plies[1].move = plies[0].move;
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(pgn_write(out, &(PgnOutput){0}, &game, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "ply 1") != NULL, "%s", err.text);
    (void)fclose(out);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_whole_game, test_illegal_move_is_named, test_fields, test_times,
              test_position_and_adjudication, test_chess960, test_lines_are_short, test_refused);
    return support_run(c);
}
