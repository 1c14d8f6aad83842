/* SPDX-License-Identifier: MIT
 * Reading PGN: the standard, real programs' output, our own output, and errors otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/chess/replay.h"
#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "selfplay/formats/pgn_comment.h"
#include "selfplay/formats/pgn_read.h"
#include "selfplay/formats/pgn_write.h"
#include "selfplay/game/game.h"
#include "tests/support/support.h"

/* A reader over a text. */
static GameSource *reader_of(const char *text)
{
    static char path[128];
    Error err = {0};

    if (!path[0]) (void)snprintf(path, sizeof path, "%s/games.pgn", support_temp_dir());
    support_write_file(path, text);
    GameSource *reader = pgn_open(path, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
    return reader;
}

static const PgnGame *next_game(GameSource *reader)
{
    const PgnGame *game;
    Error err = {0};

    ck_assert_msg(pgn_next(reader, &game, &err) == STATUS_OK, "%s", err.text);
    return game;
}

static void expect_end(GameSource *reader)
{
    ck_assert_ptr_null(next_game(reader));
    game_source_close(reader);
}

/* A comment to the end of the line may also end with the file. */
START_TEST(test_last_comment)
{
    GameSource *reader = reader_of("[Result \"1-0\"]\n\n1. e4 ; and the file ends");

    ck_assert_int_eq(next_game(reader)->record->ply_count, 1);
    expect_end(reader);
}
END_TEST

START_TEST(test_torture)
{
    GameSource *reader = reader_of(
        "\xef\xbb\xbf% an escaped line [Event \"no\"]\n"
        "[Event \"a \\\"quoted\\\" \\\\ event\"] [Site \"two] on one line\"]\r\n"
        "[White \"The \"King\" himself\"]\n[Black \"a\\\\b\"]\n[Result \"1/2-1/2\"]\n\n"
        "{before the first move} 1.e4! {+0.31/14 0.52s, n=9000000000000000000} e5 $1 ; -0.20/9 1s\n"
        "2. Nf3 (2. f4 exf4 (2... d5 {) not the end}) 3. Nf3) 2... Nc6 {book} 3 .Bb5 {a [%eval "
        "0.5] b}\n"
        "% 9. Qh9 is not read\n"
        "3... a6?! 4.Ba4 Nf6 5. 0-0 {\n+M5/20 0.001s, n=77, White mates} Be7 1/2-1/2 2. e4\n*\n");
    const PgnGame *game = next_game(reader);

    ck_assert_str_eq(reader->white, "The \"King\" himself");
    ck_assert_str_eq(reader->black, "a\\b");
    ck_assert_int_eq(game->line, 1);
    ck_assert(game->finished);
    ck_assert_str_eq(game->record->start_fen, START_FEN);
    ck_assert_int_eq(game->record->result, RESULT_DRAW);
    ck_assert_int_eq(game->record->reason, REASON_DRAW_ADJUDICATION);
    ck_assert_int_eq(game->record->ply_count, 10);
    ck_assert_int_eq(game->record->nodes, PLY_NODES_MAX + 77);
    static const int scores[10] = {31,
                                   20,
                                   SCORE_UNKNOWN,
                                   SCORE_UNKNOWN,
                                   SCORE_UNKNOWN,
                                   50,
                                   SCORE_UNKNOWN,
                                   SCORE_UNKNOWN,
                                   31995,
                                   SCORE_UNKNOWN};
    for (int i = 0; i < 10; i++)
        ck_assert_msg(game->record->plies[i].score == scores[i], "ply %d: %d", i,
                      game->record->plies[i].score);
    ck_assert(move_is_castle(game->record->plies[8].move));
    /* without tags, from where the last one ended */
    game = next_game(reader);
    ck_assert_int_eq(game->record->ply_count, 1);
    ck_assert(!game->finished);
    expect_end(reader);
}
END_TEST

/* The standard's import format: lines may end between any two tokens. */
START_TEST(test_lines)
{
    GameSource *reader =
        reader_of("[White \"A \"B\"] C\"] [Black\n\"D\" \n ] [Result \"1-0\"] 1. e4 1-0\n"
                  "[\nWhite \"E\"]\n[Black \"F\n[Event \"2\"]\n1. e4 *\n"
                  "[Event \"3\"]1. d4 d5 *\n");
    const PgnGame *game = next_game(reader);
    Error err = {0};

    ck_assert_str_eq(reader->white, "A \"B\"] C");
    ck_assert_str_eq(reader->black, "D");
    ck_assert(game->finished && game->record->ply_count == 1);
    ck_assert_int_eq(pgn_next(reader, &game, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, ":6: the value of the tag Black is not closed"), "%s", err.text);
    game = next_game(reader);
    ck_assert_int_eq(game->line, 9);
    ck_assert_int_eq(game->record->ply_count, 2);
    expect_end(reader);
}
END_TEST

/* Games may share a line, and lines may end with a carriage return alone. */
START_TEST(test_games_of_one_line)
{
    static const char *const texts[] = {
        "[White \"A\"][Result \"1-0\"] 1. e4 1-0 [White \"B\"][Result \"0-1\"] 1. d4 d5 0-1\n",
        "[White \"A\"]\r[Result \"1-0\"]\r1. e4 1-0\r[White \"B\"]\r[Result \"0-1\"]\r1. d4 d5 "
        "0-1\r"};

    for (int i = 0; i < 2; i++) {
        GameSource *reader = reader_of(texts[i]);
        for (int game = 1; game <= 2; game++) {
            const PgnGame *read = next_game(reader);
            ck_assert_str_eq(reader->white, game == 1 ? "A" : "B");
            ck_assert_int_eq(read->record->result,
                             game == 1 ? RESULT_WHITE_WINS : RESULT_BLACK_WINS);
            ck_assert_int_eq(read->record->ply_count, game);
        }
        expect_end(reader);
    }
}
END_TEST

/* An escaped quote does not close a value, unless no other does. */
START_TEST(test_escaped_quotes)
{
    GameSource *reader = reader_of("[White \"x\\\"] [Result \\\"0-1\"]\n[Black \"x\\\"];y\\\\\"]\n"
                                   "[Result \"1-0\"]\n1. e4 1-0\n"
                                   "[White \"C:\\\"]\n[Result \"1-0\"]\n1. e4 1-0\n");
    const PgnGame *game = next_game(reader);

    ck_assert_str_eq(reader->white, "x\"] [Result \"0-1");
    ck_assert_str_eq(reader->black, "x\"];y\\");
    ck_assert_int_eq(game->record->result, RESULT_WHITE_WINS);
    (void)next_game(reader);
    ck_assert_str_eq(reader->white, "C:\\");
    expect_end(reader);
}
END_TEST

/* Comments, annotations and results before, between and after games are no games. */
START_TEST(test_between_games)
{
    GameSource *reader = reader_of("{a book}\n\n[Event \"1\"]\n\n1. e4 1-0 {after it} $1 1-0\n"
                                   "; a line\n{another}\n\n[Event \"2\"]\n\n*\n{the end}\n");

    ck_assert_int_eq(next_game(reader)->record->ply_count, 1);
    const PgnGame *game = next_game(reader);
    ck_assert_int_eq(game->line, 9);
    ck_assert(!game->finished);
    expect_end(reader);
}
END_TEST

/* Chess960 in both spellings of castling rights and of castling; notations of moves. */
START_TEST(test_notations)
{
    static const struct {
        const char *text;
    } games[] = {
        {"[FEN \"1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1\"]\n[Variant \"fischerandom\"]\n"
         "1. O-O-O O-O *"},
        {"[FEN \"1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1\"]\n[Variant \"Chess960\"]\n"
         "1. 0-0-0 0-0 *"},
        {"[FEN \"1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1\"]\n1. e1b1 e8h8 *"},
    };
    for (int i = 0; i < 3; i++) {
        GameSource *reader = reader_of(games[i].text);
        const PgnGame *game = next_game(reader);
        ck_assert_int_eq(game->record->ply_count, 2);
        ck_assert_str_eq(game->record->start_fen, "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1");
        ck_assert_int_eq(game->record->plies[0].move, make_move(4, 1, MOVE_CASTLE));
        ck_assert_int_eq(game->record->plies[1].move, make_move(60, 63, MOVE_CASTLE));
        expect_end(reader);
    }
    GameSource *reader = reader_of("1. e2-e4 e7e5 2. Ng1-f3 b8c6 3. d4 exd4 4. Nf3xd4 *");
    ck_assert_int_eq(next_game(reader)->record->ply_count, 7);
    expect_end(reader);
    static const char *const suffixes[] = {"e.p.", " e.p.", "ep", " ep", "ep!", "e.p.±"};
    for (int i = 0; i < 6; i++) {
        char text[128];
        (void)snprintf(text, sizeof text,
                       "1. e4 Nf6 2. e5 d5 3. exd6%s Nd5 4. dxc7 Qd7 5. c7xb8Q *", suffixes[i]);
        reader = reader_of(text);
        ck_assert_int_eq(next_game(reader)->record->ply_count, 9);
        expect_end(reader);
    }
    reader = reader_of("1. e4+= ± 1…e5 +- 2. Nf3 N −+ 2… Nc6 = 3.Bb5∞ ⩲ a6+/- ~ *");
    ck_assert_int_eq(next_game(reader)->record->ply_count, 6);
    expect_end(reader);
}
END_TEST

/* A section of tags after an empty line is a game if it has a tag that no game has twice. */
START_TEST(test_sections)
{
    GameSource *reader =
        reader_of("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n[Date \"?\"]\n[White \"C\"]\n"
                  "[Result \"0-1\"]\r\n\r\n[Site \"x\"]\r\n[Round \"2\"]\r\n[White \"D\"]\r\n\r\n"
                  "[Black \"E\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 1-0\n");
    static const char *const names[3][2] = {{"A", "B"}, {"C", ""}, {"D", "E"}};

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(next_game(reader)->record->ply_count, i == 2);
        ck_assert_str_eq(reader->white, names[i][0]);
        ck_assert_str_eq(reader->black, names[i][1]);
    }
    expect_end(reader);
}
END_TEST

/* A score after 60,000 characters of a comment. */
START_TEST(test_long_comment)
{
    static char text[61000];

    strcpy(text, "1. e4 {");
    memset(text + 7, 'a', 60000);
    strcpy(text + 60007, " [%eval 0.25]} e5 *");
    GameSource *reader = reader_of(text);
    ck_assert_int_eq(next_game(reader)->record->plies[1].score, 25);
    expect_end(reader);
}
END_TEST

static const struct {
    const char *text;
    GameResult result;
    GameReason reason;
} ends[] = {
    {"[Termination \"A won on time\"]\n1. e4 1-0", RESULT_WHITE_WINS, REASON_TIME},
    {"[Termination \"A won - game abandoned\"]\n1. e4 1-0", RESULT_WHITE_WINS, REASON_CRASH},
    {"[Termination \"Game drawn by timeout vs insufficient material\"]\n1. e4 1/2-1/2", RESULT_DRAW,
     REASON_DRAW_ADJUDICATION},
    {"1. f3 e5 2. g4 Qh4# 0-1", RESULT_BLACK_WINS, REASON_CHECKMATE},
    {"[Result \"0-1\"]\n1. f3 e5 2. g4 Qh4#", RESULT_BLACK_WINS, REASON_CHECKMATE},
    {"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2", RESULT_DRAW, REASON_REPETITION},
    {"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1-0", RESULT_WHITE_WINS, REASON_WIN_ADJUDICATION},
    {"[FEN \"8/8/4k3/8/8/3K4/8/7r w - - 0 1\"]\n1. Kd4 Rd1+ 1/2-1/2", RESULT_DRAW,
     REASON_DRAW_ADJUDICATION},
    {"[FEN \"8/8/8/8/8/3K4/7k/7R b - - 0 1\"]\n1... Kxh1 1/2-1/2", RESULT_DRAW, REASON_MATERIAL},
    {"[FEN \"8/8/4k3/8/8/3K4/8/7R w - - 99 90\"]\n90. Rh2 1/2-1/2", RESULT_DRAW,
     REASON_FIFTY_MOVES},
    {"[Termination \"time forfeit\"]\n1. e4 1-0", RESULT_WHITE_WINS, REASON_TIME},
    {"[Termination \"abandoned\"]\n1. e4 1-0", RESULT_WHITE_WINS, REASON_CRASH},
    {"[Termination \"illegal move\"]\n1. e4 e7e4 {x} 1-0", RESULT_WHITE_WINS, REASON_ILLEGAL_MOVE},
    {"[Termination \"adjudication\"]\n1. e4 {+9.00} {tablebase} 1-0", RESULT_WHITE_WINS,
     REASON_TABLEBASE},
    {"1. e4 {maximum length} 1/2-1/2", RESULT_DRAW, REASON_MAX_PLIES},
    {"1. e4 {maximum length} 1-0", RESULT_WHITE_WINS, REASON_WIN_ADJUDICATION},
    {"[Result \"1-0\"]\n1. e4 e5 [Event \"next\"]\n*", RESULT_WHITE_WINS, REASON_WIN_ADJUDICATION},
};

START_TEST(test_ends)
{
    Error err = {0};
    GameSource *reader = reader_of(ends[_i].text);
    const PgnGame *game = next_game(reader);

    ck_assert(game->finished);
    ck_assert_int_eq(game->record->result, ends[_i].result);
    ck_assert_int_eq(game->record->reason, ends[_i].reason);
    ck_assert_msg(replay_check(game->record, &err) == STATUS_OK, "%s", err.text);
    game_source_close(reader);
}
END_TEST

static const struct {
    const char *text, *part;
} bad[] = {
    {"hello", ":1: move \"hello\": not a move"},
    {"\n\n[Event \"x\"]\n\n1. e4 e5\n2. Ke3", ":6: move \"Ke3\": not legal"},
    {"1. Nd2", "not legal"},
    {"[FEN \"8/8/8/8/8/3K4/8/7R w - - 0 1\"]\n*", ":1: the tag FEN: "},
    {"[Event \"x\"\n[Result \"*\"]\n*", ":1: the value of the tag Event is not closed"},
    {"[]\n1. e4 *", ":1: not a tag"},
    {"[Result 1-0]\n1. e4 *", ":1: not a tag"},
    {"1. e4 {no end", ":1: the comment that begins here has no end"},
    {"1. e4\n(1. d4 {(}", ":2: the variation that begins here has no end"},
    {"1. e4 ) e5 *", ":1: not PGN: ')'"},
    {"1. e4 } e5 *", ":1: not PGN: '}'"},
    {"1. e4 \x01 *", ":1: not PGN: byte 1"},
    {"[Variant \"Atomic\"]\n1. e4 *", "the variant \"Atomic\" is not chess"},
    {"1. f3 e5 2. g4 Qh4# 1-0", "ends by checkmate, which is 0-1, not 1-0"},
    {"1. f3 e5 2. g4 Qh4# 3. a3 0-1", "\"a3\": not legal"},
    {"[Result \"1-0\"]\n1. e4 0-1", "the moves end with 0-1, but the tag Result is 1-0"},
    {"[Termination \"illegal move\"]\n1. e5 e5 *", "\"e5\": not legal"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "not PGN"},
    {"1. e4 e5 2. ♘f3 *", "not PGN: byte 226"},
    {"1. e4 e5 2. -- *", "not a move in algebraic notation"},
    {"\x28\xb5\x2f\xfd rubbish", "cannot be unpacked"},
};

START_TEST(test_bad)
{
    static char path[128];
    const PgnGame *game = NULL;
    Error err = {0};

    (void)snprintf(path, sizeof path, "%s/bad.pgn", support_temp_dir());
    support_write_file(path, bad[_i].text);
    GameSource *reader = pgn_open(path, &err);
    if (reader) ck_assert_int_eq(pgn_next(reader, &game, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_null(game);
    ck_assert_int_eq(err.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, bad[_i].part) != NULL, "%s", err.text);
    ck_assert_msg(strstr(err.text, path) != NULL, "%s", err.text);
    game_source_close(reader);
}
END_TEST

/* After a bad game the next one is read. */
START_TEST(test_goes_on)
{
    const PgnGame *game;
    Error err = {0};
    GameSource *reader = reader_of(
        "[Event \"1\"]\n\n1. e4 e5 1-0\n\n[Event \"2\"]\n\n1. e4 e4\n2. d4 {[%eval 1]} 1-0\n\n"
        "[Event \"3\"\n[White \"w\"]\n\n1. e4 1-0\n\n[Event \"4\"]\n\n1. d4 d5 2. c4 1-0\n"
        "[Event \"5\"]\n\n1. e4 (1. d4 d5 {[}\n(1... c5 1-0\n\n[Event \"6\"]\n\n1. d4 1-0\n\n"
        "[Event \"7\"]\n1. e4 e5 {");

    ck_assert_int_eq(next_game(reader)->record->ply_count, 2);
    ck_assert_int_eq(pgn_next(reader, &game, &(Error){0}), STATUS_BAD_INPUT);
    ck_assert_int_eq(pgn_next(reader, &game, &(Error){0}), STATUS_BAD_INPUT);
    ck_assert_int_eq(next_game(reader)->record->ply_count, 3);
    ck_assert_int_eq(pgn_next(reader, &game, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "variation that begins here has no end"), "%s", err.text);
    ck_assert_int_eq(next_game(reader)->record->ply_count, 1);
    ck_assert_int_eq(pgn_next(reader, &game, &(Error){0}), STATUS_BAD_INPUT);
    expect_end(reader);
}
END_TEST

/* Lines in a bad game's comments are not tags. An unclosed comment ends with the section. */
START_TEST(test_goes_on_behind_comments)
{
    static const char *const games[] = {
        "[Event \"1\"]\n\n1. e4 e4 {a comment\n[%eval 0.3] goes on} 1-0\n\n[Event \"2\"]\n\n1. d4 "
        "*\n",
        "[Event \"1\"]\r\n\r\n1. e4 e4 {not closed 1-0\r\n\r\n[Event \"2\"]\r\n\r\n1. d4 *\r\n"};
    const PgnGame *game;
    GameSource *reader = reader_of(games[_i]);

    ck_assert_int_eq(pgn_next(reader, &game, &(Error){0}), STATUS_BAD_INPUT);
    ck_assert_int_eq(next_game(reader)->record->ply_count, 1);
    expect_end(reader);
}
END_TEST

/* The comment after an illegal move does not belong to the move before. */
START_TEST(test_illegal_comment)
{
    GameSource *reader = reader_of("[Termination \"illegal move\"]\n"
                                   "1. e4 {+0.30/10 0.1s, n=10} e7e4 {-9.00/13 5s, n=7000} 1-0\n");
    const GameRecord *record = next_game(reader)->record;

    ck_assert_int_eq(record->ply_count, 1);
    ck_assert_int_eq(record->plies[0].score, 30);
    ck_assert_int_eq(record->nodes, 10);
    expect_end(reader);
}
END_TEST

/* A read error of the file is reported once, after the games before it. */
START_TEST(test_nul)
{
    char path[128];
    const PgnGame *game;
    Error err = {0};

    (void)snprintf(path, sizeof path, "%s/nul.pgn", support_temp_dir());
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite("1. e4 1-0\n1. d4\0d5 1-0", 1, 22, f), 22);
    (void)fclose(f);
    GameSource *reader = pgn_open(path, &err);
    ck_assert_ptr_nonnull(reader);
    ck_assert_int_eq(next_game(reader)->record->ply_count, 1);
    ck_assert_int_eq(pgn_next(reader, &game, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "NUL") != NULL, "%s", err.text);
    expect_end(reader);
}
END_TEST

/* Real files: games, finished games, plies, plies with a score. */
static const struct {
    const char *path;
    int games, finished, plies, scores;
} real[] = {
    {"pgn/chesslib-backslash_header.pgn", 1, 1, 95, 0},
    {"pgn/chesslib-basic.pgn", 1, 1, 130, 130},
    {"pgn/chesslib-castling.pgn", 1, 1, 6, 0},
    {"pgn/chesslib-comment_before_moves.pgn", 1, 1, 139, 138},
    {"pgn/chesslib-fishtest-fastchess.pgn", 4, 4, 307, 307},
    {"pgn/chesslib-kasparov-deep-blue.pgn", 6, 6, 519, 0},
    {"pgn/chesslib-multiple.pgn", 4, 4, 532, 532},
    {"pgn/chesslib-no_result.pgn", 1, 0, 0, 0},
    {"pgn/chesslib-non_ascii.pgn", 1, 1, 20, 0},
    {"pgn/chesslib-square_bracket_in_header.pgn", 1, 1, 130, 130},
    {"pgn/chesslib-threefold_repetition.pgn", 1, 0, 9, 0},
    {"pgn/chesslib-unescaped_quote_header.pgn", 1, 0, 20, 0},
    {"pgn/chesslib-variations.pgn", 1, 1, 108, 0},
    {"pgn/pychess-cutechess-fischerrandom.pgn", 4, 4, 396, 396},
    {"pgn/pychess-utf8-bom.pgn", 2, 0, 0, 0},
    {"openings/8moves_v3.pgn.zst", 34700, 34700, 555200, 0},
};

START_TEST(test_real)
{
    int games = 0, finished = 0, plies = 0, scores = 0;
    const PgnGame *game;
    Error err = {0};
    const char *path = support_data(real[_i].path);

    if (!path) return;
    GameSource *reader = pgn_open(path, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
    while ((game = next_game(reader)) != NULL) {
        games++;
        finished += game->finished;
        plies += game->record->ply_count;
        for (int i = 0; i < game->record->ply_count; i++)
            scores += game->record->plies[i].score != SCORE_UNKNOWN;
        if (game->finished)
            ck_assert_msg(replay_check(game->record, &err) == STATUS_OK, "%s", err.text);
    }
    const GameSource *source = (const GameSource *)reader;
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(input_consumed(source->file->file), info.st_size);
    game_source_close(reader);
    ck_assert_msg(games == real[_i].games && finished == real[_i].finished &&
                      plies == real[_i].plies && scores == real[_i].scores,
                  "%s: %d games, %d finished, %d plies, %d scores", path, games, finished, plies,
                  scores);
}
END_TEST

static const struct {
    const char *text;
    int score, next_score, depth;
    int64_t time_ms, nodes;
} comments[] = {
    {"+0.31/14 0.52s", 31, SCORE_UNKNOWN, 14, 520, 0},
    {"0.52s", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, 520, 0},
    {"0.520s, tl=1.000s, n=7", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, 520, 7},
    {"0.52seconds", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"-1.05/7/22 12.345s, sd=9, n=900, nps=1", -105, SCORE_UNKNOWN, 7, 12345, 900},
    {"0.00/1 0s", 0, SCORE_UNKNOWN, 1, 0, 0},
    {" +M5/20 0.1s ", 31995, SCORE_UNKNOWN, 20, 100, 0},
    {"-M4/9", -31996, SCORE_UNKNOWN, 9, -1, 0},
    {"+0.35", 35, SCORE_UNKNOWN, 0, -1, 0},
    {"-M2", -31998, SCORE_UNKNOWN, 0, -1, 0},
    {"+655.36/5 1s", VALUE_MATE_IN_MAX - 1, SCORE_UNKNOWN, 5, 1000, 0},
    {"[%eval -0.25] [%clk 0:01:00]", SCORE_UNKNOWN, -25, 0, -1, 0},
    {"good [%eval #3]", SCORE_UNKNOWN, 31994, 0, -1, 0},
    {"[%eval #-3]", SCORE_UNKNOWN, -31995, 0, -1, 0},
    {"[%eval +1.5]", SCORE_UNKNOWN, 150, 0, -1, 0},
    {"[%eval 0.25,16]", SCORE_UNKNOWN, 25, 0, -1, 0},
    {"[%eval 0]", SCORE_UNKNOWN, 0, 0, -1, 0},
    {"[%eval 23,14] [%emt 0:00:27]", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"[%eval -17]", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"[%eval -M1]", SCORE_UNKNOWN, -31999, 0, -1, 0},
    {"[%eval M3]", SCORE_UNKNOWN, 31994, 0, -1, 0},
    {"+0.31/14, 0.520s", 31, SCORE_UNKNOWN, 14, 520, 0},
    {"+0.31/14, 0.520s, n=9", 31, SCORE_UNKNOWN, 14, 520, 9},
    {"(d7d5 Ng1f3) -0.31/14 25", -31, SCORE_UNKNOWN, 14, 25000, 0},
    {"+0.31/14 1:05", 31, SCORE_UNKNOWN, 14, 65000, 0},
    {"+0.31/14 1:02:03.5", 31, SCORE_UNKNOWN, 14, 3723500, 0},
    {"M17/23 650ms", 31983, SCORE_UNKNOWN, 23, 650, 0},
    {"-31/14 132ms", -31, SCORE_UNKNOWN, 14, 132, 0},
    {"31/14", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"31/14 132ms later", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"d=24, sd=36, mt=900, tl=60000, s=1, n=5, pv=e4 e5, tb=0, wv=0.54, R50=50,", 54, SCORE_UNKNOWN,
     24, 900, 5},
    {"ev=0.12, d=20, mt=00:01:05, wv=-M4, ", -31996, SCORE_UNKNOWN, 20, 65000, 0},
    {"[%eval nan]", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"[%eval #-99999999999999999999]", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"+0.31 14/20 520 12345", 31, SCORE_UNKNOWN, 14, 520, 12345},
    {"+1.2e1/14 0.52s", 1200, SCORE_UNKNOWN, 14, 520, 0},
    {"+0.3149999999999999999999/14 5.2000000000000000000001e-1s", 32, SCORE_UNKNOWN, 14, 520, 0},
    {"-M4 9/0 0 0", -31996, SCORE_UNKNOWN, 9, 0, 0},
    {"+0.31 14/20 520", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"+0.31 14/20 520 1 of 2", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"0.00", 0, SCORE_UNKNOWN, 0, -1, 0},
    {"book", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"0.5", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"+0.5 is what I think", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"1.5 years later", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"1/2", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"", SCORE_UNKNOWN, SCORE_UNKNOWN, 0, -1, 0},
    {"+M99999999999999999999/1 1s", SCORE_UNKNOWN, SCORE_UNKNOWN, 1, 1000, 0},
};

START_TEST(test_comments)
{
    PgnComment c;

    char text[128];

    strcpy(text, comments[_i].text);
    pgn_comment_parse(text, strlen(text), true, &c);
    ck_assert_int_eq(c.score, comments[_i].score);
    ck_assert_int_eq(c.next_score, comments[_i].next_score);
    ck_assert_int_eq(c.depth, comments[_i].depth);
    ck_assert_int_eq(c.time_ms, comments[_i].time_ms);
    ck_assert_int_eq(c.nodes, comments[_i].nodes);
}
END_TEST

/* A random game from `fen`, with scores of all kinds. */
static void random_game(const char *fen, Pcg *rng, GameRecord *game)
{
    KeyHistory history = {0};
    Position pos;
    int plies = (int)pcg_below(rng, 200);

    ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
    position_to_fen(&pos, game->start_fen);
    game->ply_count = 0;
    game->result = (GameResult)pcg_below(rng, 3);
    game->reason = game->result == RESULT_DRAW ? REASON_MAX_PLIES : REASON_TIME;
    while (!game_over(&pos, &history, &game->result, &game->reason) && game->ply_count < plies) {
        Position before = pos;
        MoveList list;
        int mate = 1 + (int)pcg_below(rng, 200), score = (int)pcg_below(rng, 6000) - 3000;
        static const int kinds[] = {0, 0, 0, 1, 2, 3};
        switch (kinds[pcg_below(rng, 6)]) {
        case 1:
            score = VALUE_MATE - mate;
            break;
        case 2:
            score = mate - VALUE_MATE;
            break;
        case 3:
            score = SCORE_UNKNOWN;
        }
        movegen_all(&pos, &list);
        Move move = list.moves[pcg_below(rng, (uint32_t)list.count)];
        game->plies[game->ply_count++] = (GamePly){move, (int16_t)score};
        key_history_push(&history, &before);
        position_make(&pos, &before, move);
        game->result = (GameResult)pcg_below(rng, 3);
        game->reason = game->result == RESULT_DRAW ? REASON_MAX_PLIES : REASON_TIME;
    }
}

/* Round trip of our own output. */
START_TEST(test_round_trip)
{
    static const char *const fens[] = {START_FEN,
                                       "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1",
                                       "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
                                       "8/1P4k1/8/8/8/4n3/1K5p/8 b - - 12 60"};
    enum { GAMES = 200 };
    static GamePly plies[GAMES][200];
    static GameRecord games[GAMES];
    char *text;
    size_t length;
    Error err = {0};
    Pcg rng;

    pcg_seed(&rng, 7, 7);
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    for (int i = 0; i < GAMES; i++) {
        games[i].plies = plies[i];
        random_game(fens[i % 4], &rng, &games[i]);
        PgnOutput tags = {.white = "a \"b\" \\", .black = "]", .event = "\\"};
        ck_assert_msg(pgn_write(out, &tags, &games[i], &err) == STATUS_OK, "%s", err.text);
    }
    ck_assert_int_eq(fclose(out), 0);
    GameSource *reader = reader_of(text);
    for (int i = 0; i < GAMES; i++) {
        const PgnGame *game = next_game(reader);
        ck_assert_ptr_nonnull(game);
        ck_assert_str_eq(reader->white, "a \"b\" \\");
        ck_assert_str_eq(reader->black, "]");
        ck_assert_str_eq(game->record->start_fen, games[i].start_fen);
        ck_assert_int_eq(game->record->ply_count, games[i].ply_count);
        ck_assert_mem_eq(game->record->plies, plies[i],
                         (size_t)games[i].ply_count * sizeof(GamePly));
        ck_assert_int_eq(game->record->result, games[i].result);
        ck_assert_int_eq(game->record->reason, games[i].reason);
    }
    expect_end(reader);
    free(text);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_torture, test_between_games, test_lines, test_games_of_one_line,
              test_escaped_quotes, test_sections, test_long_comment, test_last_comment,
              test_notations, test_goes_on, test_illegal_comment, test_nul, test_round_trip);
    tcase_add_loop_test(c, test_ends, 0, sizeof ends / sizeof *ends);
    tcase_add_loop_test(c, test_bad, 0, sizeof bad / sizeof *bad);
    tcase_add_loop_test(c, test_goes_on_behind_comments, 0, 2);
    tcase_add_loop_test(c, test_real, 0, sizeof real / sizeof *real);
    tcase_add_loop_test(c, test_comments, 0, sizeof comments / sizeof *comments);
    return support_run(c);
}
