/* SPDX-License-Identifier: MIT
 * Openings: balanced, functions of seed and index, playable; books from files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/board/chess960.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/game/game.h"
#include "selfplay/openings/book.h"
#include "selfplay/openings/maker.h"
#include "tests/support/support.h"

enum { OPENINGS = 150 };

static Search *create_verifier(Evaluation *weights)
{
    evaluation_material(weights);
    Search *verifier = search_create(weights, 1 << 16, &(Error){0});
    ck_assert_ptr_nonnull(verifier);
    return verifier;
}

static OpeningSettings quick_settings(int max_score)
{
    OpeningSettings s;
    settings_default(opening_settings, &s);
    s.verify_nodes = 200;
    s.max_score = max_score;
    return s;
}

/* The verification score, from White's view. */
static int white_score(Search *verifier, const OpeningSettings *s, const char *fen)
{
    SearchLimits limits = {.depth = s->verify_depth,
                           .nodes_soft = (uint64_t)s->verify_nodes,
                           .nodes_hard = 8 * (uint64_t)s->verify_nodes};
    SearchResult result;
    Position pos;

    ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
    search_new_game(verifier);
    search_run(verifier, &pos, NULL, &limits, &result);
    return pos.stm == WHITE ? result.score : -result.score;
}

START_TEST(test_playable)
{
    OpeningSettings s = quick_settings(0);
    int black_to_move = 0;

    s.verify_depth = 0;
    for (uint64_t i = 0; i < 500; i++) {
        char fen[FEN_MAX];
        Position pos;
        KeyHistory none = {0};
        GameResult result;
        GameReason reason;
        opening_random(&s, 3, i, NULL, NULL, fen);
        ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
        ck_assert(pos.game_ply == 8 || pos.game_ply == 9);
        ck_assert(!game_over(&pos, &none, &result, &reason));
        black_to_move += pos.stm == BLACK;
    }
    /* Half of them have one ply more: 250 ± 4 deviations. */
    ck_assert_int_ge(black_to_move, 205);
    ck_assert_int_le(black_to_move, 295);
}
END_TEST

/* Without verification scores of both signs exceed the bound; with it none does. */
START_TEST(test_balanced_by_absolute_value)
{
    Evaluation weights;
    Search *verifier = create_verifier(&weights);
    OpeningSettings wild = quick_settings(0), tame = quick_settings(120);
    int good_for_white = 0, good_for_black = 0;

    wild.verify_depth = 0;
    for (uint64_t i = 0; i < OPENINGS; i++) {
        char fen[FEN_MAX];
        opening_random(&wild, 9, i, NULL, NULL, fen);
        int score = white_score(verifier, &tame, fen);
        good_for_white += score > tame.max_score;
        good_for_black += score < -tame.max_score;
        opening_random(&tame, 9, i, NULL, verifier, fen);
        ck_assert_int_le(abs(white_score(verifier, &tame, fen)), tame.max_score);
    }
    ck_assert_int_gt(good_for_white, 10);
    ck_assert_int_gt(good_for_black, 10);
    search_destroy(verifier);
}
END_TEST

START_TEST(test_function_of_seed_and_index)
{
    Evaluation weights;
    Search *verifier = create_verifier(&weights);
    OpeningSettings s = quick_settings(150);
    char forth[OPENINGS][FEN_MAX], fen[FEN_MAX];
    int same = 0;

    for (int i = 0; i < OPENINGS; i++)
        opening_random(&s, 1, (uint64_t)i, NULL, verifier, forth[i]);
    for (int i = OPENINGS - 1; i >= 0; i--) { /* in another order */
        opening_random(&s, 1, (uint64_t)i, NULL, verifier, fen);
        ck_assert_str_eq(fen, forth[i]);
        opening_random(&s, 2, (uint64_t)i, NULL, verifier, fen);
        same += strcmp(fen, forth[i]) == 0;
        for (int j = 0; j < i; j++)
            same += strcmp(forth[j], forth[i]) == 0;
    }
    ck_assert_int_le(same, 1);
    search_destroy(verifier);
}
END_TEST

/* The narrowest bound does not hang. */
START_TEST(test_impossible_bound_ends)
{
    Evaluation weights;
    Search *verifier = create_verifier(&weights);
    OpeningSettings s = quick_settings(-1);
    char fen[FEN_MAX];

    s.verify_depth = 1;
    ck_assert(!opening_random(&s, 1, 0, NULL, verifier, fen));
    ck_assert_str_eq(fen, START_FEN);
    search_destroy(verifier);
}
END_TEST

/* All 960 starts occur before any repeats, then again in the same order; another seed gives another
 * order. */
START_TEST(test_chess960_starts)
{
    OpeningSettings s = quick_settings(0);
    bool seen[960] = {false};
    int same = 0;

    s.base = OPENING_CHESS960;
    s.random_plies = 0;
    ck_assert_int_eq(opening_bases(&s), 960);
    for (uint64_t i = 0; i < 960; i++) {
        char fen[FEN_MAX], again[FEN_MAX], other[FEN_MAX];
        Position pos, start;
        opening_random(&s, 7, i, NULL, NULL, fen);
        opening_random(&s, 7, i + 960, NULL, NULL, again);
        opening_random(&s, 8, i, NULL, NULL, other);
        ck_assert_str_eq(fen, again);
        same += strcmp(fen, other) == 0;
        ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
        int number = 0;
        for (chess960_start(&start, 0, 0); start.key != pos.key; number++)
            chess960_start(&start, number + 1, number + 1);
        ck_assert(!seen[number]);
        seen[number] = true;
    }
    ck_assert_int_le(same, 10);
}
END_TEST

START_TEST(test_double_chess960_starts)
{
    enum { STARTS = 4000 };
    static char fens[STARTS][FEN_MAX];
    OpeningBook book = {.count = STARTS, .fens = fens};
    OpeningSettings s = quick_settings(0);
    int equal_sides = 0;

    s.base = OPENING_DOUBLE_CHESS960;
    s.random_plies = 0;
    for (int i = 0; i < STARTS; i++) {
        opening_random(&s, 7, (uint64_t)i, NULL, NULL, fens[i]);
        equal_sides += strncasecmp(fens[i], strrchr(fens[i], '/') + 1, 8) == 0;
    }
    ck_assert_int_eq(opening_bases(&s), 921600);
    ck_assert_int_eq(opening_book_unique(&book, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(book.count, STARTS);
    ck_assert_int_le(equal_sides, 20); /* one of 960: 4 ± 8 deviations */
}
END_TEST

START_TEST(test_unique)
{
    char fens[5][FEN_MAX] = {"8/8/4k3/8/8/3K4/8/7R w - - 0 1", START_FEN,
                             "8/8/4k3/8/8/3K4/8/7R w - - 9 70", "8/8/4k3/8/8/3K4/8/7R b - - 0 1",
                             START_FEN};
    OpeningBook book = {.count = 5, .fens = fens};

    ck_assert_int_eq(opening_book_unique(&book, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(book.count, 3);
    ck_assert_str_eq(fens[0], "8/8/4k3/8/8/3K4/8/7R w - - 0 1");
    ck_assert_str_eq(fens[1], START_FEN);
    ck_assert_str_eq(fens[2], "8/8/4k3/8/8/3K4/8/7R b - - 0 1");
}
END_TEST

/* Two plies from the start give 400 positions: all are found, once each, in an order that does not
 * depend on threads, and then an error. */
START_TEST(test_make_book)
{
    Evaluation weights;
    OpeningBook one = {0}, two = {0};
    OpeningBookRequest order = {.opening = quick_settings(10000), .weights = &weights, .seed = 3};
    Error err = {0};

    evaluation_material(&weights);
    order.opening.random_plies = 2;
    order.opening.random_plies_extra = 0;
    order.opening.verify_depth = 1;
    order.count = 400;
    order.threads = 1;
    ck_assert_msg(opening_book_make(&order, &one, &err) == STATUS_OK, "%s", err.text);
    order.threads = 3;
    ck_assert_msg(opening_book_make(&order, &two, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(one.count, 400);
    ck_assert_int_eq(two.count, 400);
    ck_assert_int_eq(memcmp(one.fens, two.fens, 400 * sizeof *one.fens), 0);
    ck_assert_int_eq(opening_book_unique(&one, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(one.count, 400);
    order.count = 401;
    ck_assert_int_eq(opening_book_make(&order, &two, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "only 400 different openings found"));
    /* after a book's lines */
    order.base = &one;
    order.count = 1000;
    OpeningBook deeper = {0};
    ck_assert_msg(opening_book_make(&order, &deeper, &err) == STATUS_OK, "%s", err.text);
    Position pos;
    ck_assert_int_eq(position_from_fen(&pos, deeper.fens[0], &(Error){0}), STATUS_OK);
    ck_assert_int_eq(pos.game_ply, 4);
    opening_book_free(&one);
    opening_book_free(&two);
    opening_book_free(&deeper);
}
END_TEST

static Status load(const char *text, OpeningBook *book, Error *err)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/book.epd", support_temp_dir());
    support_write_file(path, text);
    return opening_book_load(path, &(OpeningChoice){0}, book, err);
}

START_TEST(test_book)
{
    OpeningBook book = {0};
    Error err = {0};

    Status status =
        load("# start\n" START_FEN "\r\n\n"
             "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 hmvc 3; fmvn 2;\n"
             "8/8/4k3/8/8/3K4/8/7R w - - id \"1\";\n"
             "  # an indented comment\n"
             "8/8/4k3/8/8/3K4/8/7R w - -\n"
             "8/8/4k3/8/8/3K4/7R/8 w - - 1\n",
             &book, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(book.count, 5);
    ck_assert_str_eq(book.fens[0], START_FEN);
    ck_assert_str_eq(book.fens[1], "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3 2");
    ck_assert_str_eq(book.fens[2], "8/8/4k3/8/8/3K4/8/7R w - - 0 1");
    ck_assert_str_eq(book.fens[3], "8/8/4k3/8/8/3K4/8/7R w - - 0 1");
    ck_assert_str_eq(book.fens[4], "8/8/4k3/8/8/3K4/7R/8 w - - 0 1"); /* 1 is a label */
    opening_book_free(&book);
}
END_TEST

static const struct {
    const char *text, *part;
} bad_books[] = {
    {"", "no positions"},
    {"# nothing\n\n", "no positions"},
    {"\nhello\n", ":2: not a FEN"},
    {"8/8/8/8/8/8/8/8 w - -\n", ":1: "},
    {"8/8/4k3/8/8/3K4/8/7R w - - 5\n", ":1: half-move clock '5' without a move number"},
    {"\n7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n", ":2: the game is over in this position (checkmate)"},
    {"\x28\xb5\x2f\xfd rubbish", "cannot be unpacked"},
};

START_TEST(test_bad_book)
{
    OpeningBook book = {.count = 77};
    Error err = {0};

    ck_assert_int_eq(load(bad_books[_i].text, &book, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, bad_books[_i].part) != NULL, "%s", err.text);
    ck_assert_int_eq(book.count, 77);
}
END_TEST

static const struct {
    const char *path;
    OpeningChoice choice;
    int count;
} books[] = {
    {"openings/noob_3moves_20k.epd.zst", {0}, 20000},
    {"openings/FRC_openings.epd", {.random = true, .seed = 4}, 960},
    {"openings/8moves_v3.pgn.zst", {0}, 34700},
    {"openings/8moves_v3.pgn.zst", {.plies = 4}, 621},
    {"openings/8moves_v3.pgn.zst", {.plies = 1, .random = true}, 13},
    {"pgn/pychess-cutechess-fischerrandom.pgn", {.plies = 3}, 4},
};

START_TEST(test_real_books)
{
    OpeningBook book = {0};
    Position pos;
    Error err = {0};
    const char *path = support_data(books[_i].path);

    if (!path) return;
    ck_assert_msg(opening_book_load(path, &books[_i].choice, &book, &err) == STATUS_OK, "%s",
                  err.text);
    ck_assert_int_eq(book.count, books[_i].count);
    for (int i = 0; i < book.count; i += 1 + book.count / 1000) {
        ck_assert_int_eq(position_from_fen(&pos, book.fens[i], &err), STATUS_OK);
        if (books[_i].choice.plies) ck_assert_int_eq(pos.game_ply, books[_i].choice.plies);
    }
    opening_book_free(&book);
}
END_TEST

/* Random plies from a book position; the position itself when every line ends the game. */
START_TEST(test_base)
{
    static const char base[] = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1";
    static const char last[] = "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"; /* one move, then mate or draw */
    OpeningSettings s = {.random_plies = 4};
    char fen[FEN_MAX], again[FEN_MAX];
    Position pos;

    opening_random(&s, 3, 8, base, NULL, fen);
    opening_random(&s, 3, 8, base, NULL, again);
    ck_assert_str_eq(fen, again);
    ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(pos.game_ply, 4);
    ck_assert(pos.chess960);
    s.random_plies = 60;
    opening_random(&s, 3, 8, last, NULL, fen);
    ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
}
END_TEST

/* ---- Lines */

static Status load_file(const char *name, const void *data, size_t size,
                        const OpeningChoice *choice, OpeningBook *book, Error *err)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", support_temp_dir(), name);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, size, f), size);
    (void)fclose(f);
    return opening_book_load(path, choice, book, err);
}

/* Transpositions count as one opening; lines may be shorter than `plies`. */
START_TEST(test_pgn_book)
{
    static const char text[] = "[White \"x\"]\n\n1. d4 Nf6 2. c4 e6 1-0\n\n1. c4 e6 2. d4 Nf6 *\n"
                               "1. e4 *\n[FEN \"8/8/4k3/8/8/3K4/8/7R w - - 0 1\"]\n1. Kd4 *\n"
                               "1. f3 e5 2. g4 Qh4# 0-1\n";
    OpeningBook book = {0};
    Error err = {0};

    Status status =
        load_file("a.pgn", text, strlen(text), &(OpeningChoice){.plies = 3}, &book, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(book.count, 5);
    ck_assert_str_eq(book.fens[0], "rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2");
    ck_assert_str_eq(book.fens[2], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    ck_assert_str_eq(book.fens[3], "8/8/4k3/8/3K4/8/8/7R b - - 1 1");
    opening_book_free(&book);
    status = load_file("a.pgn", text, strlen(text), &(OpeningChoice){0}, &book, &err);
    ck_assert_int_eq(status, STATUS_OK);
    ck_assert_int_eq(book.left_out.count, 1);
    const char *why = book.left_out.first.text;
    ck_assert_msg(strstr(why, "a.pgn:9: the game is over in this position (checkmate)"), "%s", why);
    opening_book_free(&book);
    status = load_file("b.pgn", "\n1. e4 e4", 9, &(OpeningChoice){0}, &book, &err);
    ck_assert_int_eq(status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "b.pgn:2: move \"e4\": not legal"), "%s", err.text);
}
END_TEST

/* Two lines to one position are different openings of a run; shuffled, each keeps its moves. */
START_TEST(test_pgn_lines)
{
    static const char *const texts[] = {"1. d4 Nf6 2. c4 *\n1. e4 *\n1. a3 a6 *\n",
                                        "1. c4 Nf6 2. d4 *\n1. e4 *\n1. a3 a6 *\n"};
    OpeningBook read[2] = {0};

    for (int i = 0; i < 2; i++) {
        Status status = load_file("lines.pgn", texts[i], strlen(texts[i]), &(OpeningChoice){0},
                                  &read[i], &(Error){0});
        ck_assert_int_eq(status, STATUS_OK);
        opening_book_hash(&read[i]);
    }
    ck_assert_mem_eq(read[0].fens, read[1].fens, 3 * FEN_MAX);
    ck_assert_str_ne(read[0].hash, read[1].hash);
    opening_book_shuffle(&read[0], 5);
    ck_assert_mem_ne(read[0].fens, read[1].fens, 3 * FEN_MAX);
    for (int i = 0; i < 3; i++) {
        const BookLine *line = opening_book_line(&read[0], i);
        Position pos, before;
        char fen[FEN_MAX];
        ck_assert_int_eq(position_from_fen(&pos, line->start_fen, &(Error){0}), STATUS_OK);
        for (int k = 0; k < line->count; k++) {
            before = pos;
            position_make(&pos, &before, read[0].moves[line->first + k]);
        }
        position_to_fen(&pos, fen);
        ck_assert_str_eq(fen, opening_book_fen(&read[0], i));
    }
    for (int i = 0; i < 2; i++)
        opening_book_free(&read[i]);
}
END_TEST

static void put_entry(uint8_t *at, const char *moves, const char *move, uint16_t weight)
{
    Position pos, before;
    Move m;

    position_set_start(&pos);
    for (; *moves; moves += strcspn(moves, " "), moves += *moves == ' ') {
        before = pos;
        ck_assert_int_eq(move_from_uci(&before, moves, &m, &(Error){0}), STATUS_OK);
        position_make(&pos, &before, m);
    }
    ck_assert_int_eq(move_from_uci(&pos, move, &m, &(Error){0}), STATUS_OK);
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(pos.key >> (56 - 8 * i));
    unsigned bits = (unsigned)move_from(m) << 6 | (unsigned)move_to(m);
    at[8] = (uint8_t)(bits >> 8);
    at[9] = (uint8_t)bits;
    at[10] = (uint8_t)(weight >> 8);
    at[11] = (uint8_t)weight;
    memset(at + 12, 0, 4);
}

static int by_key(const void *a, const void *b)
{
    return memcmp(a, b, 8);
}

/* 1. d4 Nf6 2. c4 and 1. c4 Nf6 2. d4 meet; 1. e4 e5; 1. a4 has weight 0. */
START_TEST(test_polyglot_book)
{
    uint8_t data[8][16];
    OpeningBook book = {0}, drawn = {0}, again = {0};
    Error err = {0};
    int e4 = 0;

    put_entry(data[0], "", "d2d4", 3);
    put_entry(data[1], "", "c2c4", 2);
    put_entry(data[2], "", "e2e4", 1);
    put_entry(data[3], "", "a2a4", 0);
    put_entry(data[4], "d2d4", "g8f6", 1);
    put_entry(data[5], "c2c4", "g8f6", 1);
    put_entry(data[6], "d2d4 g8f6", "c2c4", 1);
    put_entry(data[7], "c2c4 g8f6", "d2d4", 1);
    qsort(data, 8, 16, by_key);
    Status status = load_file("a.bin", data, sizeof data, &(OpeningChoice){0}, &book, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(book.count, 2);
    for (int i = 0; i < 2; i++)
        e4 +=
            strcmp(book.fens[i], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1") == 0;
    ck_assert_int_eq(e4, 1);
    opening_book_free(&book);
    status = load_file("a.bin", data, sizeof data, &(OpeningChoice){.plies = 2}, &book, &err);
    ck_assert_int_eq(status, STATUS_OK);
    ck_assert_int_eq(book.count, 3);
    OpeningChoice choice = {.plies = 2, .random = true, .seed = 9};
    ck_assert_int_eq(load_file("a.bin", data, sizeof data, &choice, &drawn, &err), STATUS_OK);
    ck_assert_int_eq(load_file("a.bin", data, sizeof data, &choice, &again, &err), STATUS_OK);
    ck_assert_int_eq(drawn.count, 3);
    ck_assert_mem_eq(drawn.fens, again.fens, 3 * FEN_MAX);
    opening_book_free(&book);
    opening_book_free(&drawn);
    opening_book_free(&again);
    status = load_file("b.bin", "short", 5, &choice, &book, &err);
    ck_assert_int_eq(status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "b.bin") != NULL, "%s", err.text);
}
END_TEST

START_TEST(test_shuffle)
{
    char a[50][FEN_MAX], b[50][FEN_MAX];
    OpeningBook first = {50, a, 50}, second = {50, b, 50};
    int moved = 0, seen[50] = {0};

    for (int i = 0; i < 50; i++) {
        (void)snprintf(a[i], FEN_MAX, "%d", i);
        (void)snprintf(b[i], FEN_MAX, "%d", i);
    }
    opening_book_shuffle(&first, 5);
    opening_book_shuffle(&second, 5);
    for (int i = 0; i < 50; i++) {
        ck_assert_str_eq(a[i], b[i]);
        moved += atoi(a[i]) != i;
        seen[atoi(a[i])]++;
    }
    ck_assert_int_gt(moved, 40);
    for (int i = 0; i < 50; i++)
        ck_assert_int_eq(seen[i], 1);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_playable, test_balanced_by_absolute_value, test_function_of_seed_and_index,
              test_impossible_bound_ends, test_chess960_starts, test_double_chess960_starts,
              test_unique, test_make_book, test_book, test_base, test_pgn_book, test_pgn_lines,
              test_polyglot_book, test_shuffle);
    tcase_add_loop_test(c, test_bad_book, 0, sizeof bad_books / sizeof *bad_books);
    tcase_add_loop_test(c, test_real_books, 0, sizeof books / sizeof *books);
    return support_run(c);
}
