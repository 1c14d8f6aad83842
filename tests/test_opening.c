/* SPDX-License-Identifier: MIT
 * Openings: balanced both ways, functions of seed and index, playable; books from files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/game.h"
#include "selfplay/opening.h"
#include "tests/support.h"

enum { OPENINGS = 150 };

static Search *create_verifier(EvalWeights *weights)
{
    weights_material(weights);
    Search *verifier = search_create(weights, 1 << 16, NULL);
    ck_assert_ptr_nonnull(verifier);
    return verifier;
}

static OpeningSettings quick_settings(int max_score)
{
    OpeningSettings s;
    opening_defaults(&s);
    s.verify_nodes = 200;
    s.max_score = max_score;
    return s;
}

/* The verification's own measure, White's view. */
static int white_score(Search *verifier, const OpeningSettings *s, const char *fen)
{
    SearchLimits limits = {.depth = s->verify_depth,
                           .nodes_soft = (uint64_t)s->verify_nodes,
                           .nodes_hard = 8 * (uint64_t)s->verify_nodes};
    SearchResult result;
    Position pos;

    ck_assert_int_eq(position_from_fen(&pos, fen, NULL), STATUS_OK);
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
        opening_random(&s, 3, i, NULL, fen);
        ck_assert_int_eq(position_from_fen(&pos, fen, NULL), STATUS_OK);
        ck_assert(pos.game_ply == 8 || pos.game_ply == 9);
        ck_assert(!game_over(&pos, &none, &result, &reason));
        black_to_move += pos.stm == BLACK;
    }
    /* Half of them have one ply more: 250 ± 4 deviations. */
    ck_assert_int_ge(black_to_move, 205);
    ck_assert_int_le(black_to_move, 295);
}
END_TEST

/* Without verification both sides' advantages occur; with it neither beyond the bound. */
START_TEST(test_balanced_by_absolute_value)
{
    EvalWeights weights;
    Search *verifier = create_verifier(&weights);
    OpeningSettings wild = quick_settings(0), tame = quick_settings(120);
    int good_for_white = 0, good_for_black = 0;

    wild.verify_depth = 0;
    for (uint64_t i = 0; i < OPENINGS; i++) {
        char fen[FEN_MAX];
        opening_random(&wild, 9, i, NULL, fen);
        int score = white_score(verifier, &tame, fen);
        good_for_white += score > tame.max_score;
        good_for_black += score < -tame.max_score;
        opening_random(&tame, 9, i, verifier, fen);
        ck_assert_int_le(abs(white_score(verifier, &tame, fen)), tame.max_score);
    }
    ck_assert_int_gt(good_for_white, 10);
    ck_assert_int_gt(good_for_black, 10);
    search_destroy(verifier);
}
END_TEST

START_TEST(test_function_of_seed_and_index)
{
    EvalWeights weights;
    Search *verifier = create_verifier(&weights);
    OpeningSettings s = quick_settings(150);
    char forth[OPENINGS][FEN_MAX], fen[FEN_MAX];
    int same = 0;

    for (int i = 0; i < OPENINGS; i++)
        opening_random(&s, 1, (uint64_t)i, verifier, forth[i]);
    for (int i = OPENINGS - 1; i >= 0; i--) { /* in another order, after other searches */
        opening_random(&s, 1, (uint64_t)i, verifier, fen);
        ck_assert_str_eq(fen, forth[i]);
        opening_random(&s, 2, (uint64_t)i, verifier, fen);
        same += strcmp(fen, forth[i]) == 0;
        for (int j = 0; j < i; j++)
            same += strcmp(forth[j], forth[i]) == 0;
    }
    ck_assert_int_le(same, 1);
    search_destroy(verifier);
}
END_TEST

/* No bound is so narrow that a run hangs: the best of the tries is taken. */
START_TEST(test_impossible_bound_ends)
{
    EvalWeights weights;
    Search *verifier = create_verifier(&weights);
    OpeningSettings s = quick_settings(-1);
    char fen[FEN_MAX];

    s.verify_depth = 1;
    opening_random(&s, 1, 0, verifier, fen);
    ck_assert_int_le(abs(white_score(verifier, &s, fen)), 10);
    search_destroy(verifier);
}
END_TEST

static Status load(const char *text, OpeningBook *book, Error *err)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/book.epd", support_temp_dir());
    support_write_file(path, text);
    return opening_book_load(path, book, err);
}

START_TEST(test_book)
{
    OpeningBook book = {0};
    Error err = {0};

    Status status =
        load("# start\n" START_FEN "\r\n\n"
             "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 hmvc 3; fmvn 2;\n"
             "8/8/4k3/8/8/3K4/8/7R w - - id \"1\";\n"
             "8/8/4k3/8/8/3K4/8/7R w - -",
             &book, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(book.count, 4);
    ck_assert_str_eq(book.fens[0], START_FEN);
    ck_assert_str_eq(book.fens[1], "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3 2");
    ck_assert_str_eq(book.fens[2], "8/8/4k3/8/8/3K4/8/7R w - - 0 1");
    ck_assert_str_eq(book.fens[3], "8/8/4k3/8/8/3K4/8/7R w - - 0 1");
    opening_book_free(&book);
}
END_TEST

static const struct {
    const char *text, *part;
} bad_books[] = {
    {"", "no positions"},
    {"# nothing\n\n", "no positions"},
    {START_FEN "\nhello\n", ":2: not a FEN"},
    {"8/8/8/8/8/8/8/8 w - -\n", ":1: "},
    {"8/8/4k3/8/8/3K4/8/7R w - - 5\n", ":1: half a FEN"},
    {"\n7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n", ":2: the game is over here (checkmate)"},
    {"\x28\xb5\x2f\xfd rubbish", "damaged"},
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

START_TEST(test_real_books)
{
    static const struct {
        const char *path;
        int count;
    } books[] = {{"openings/noob_3moves_20k.epd.zst", 20000}, {"openings/FRC_openings.epd", 960}};

    for (int i = 0; i < 2; i++) {
        OpeningBook book = {0};
        Error err = {0};
        const char *path = support_data(books[i].path);
        if (!path) continue;
        ck_assert_msg(opening_book_load(path, &book, &err) == STATUS_OK, "%s", err.text);
        ck_assert_int_eq(book.count, books[i].count);
        opening_book_free(&book);
    }
}
END_TEST

START_TEST(test_shuffle)
{
    char a[50][FEN_MAX], b[50][FEN_MAX];
    OpeningBook first = {50, a}, second = {50, b};
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

static Suite *suite(void)
{
    Suite *s = suite_create("opening");
    TCase *c = tcase_create("opening");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, test_playable);
    tcase_add_test(c, test_balanced_by_absolute_value);
    tcase_add_test(c, test_function_of_seed_and_index);
    tcase_add_test(c, test_impossible_bound_ends);
    tcase_add_test(c, test_book);
    tcase_add_loop_test(c, test_bad_book, 0, sizeof bad_books / sizeof *bad_books);
    tcase_add_test(c, test_real_books);
    tcase_add_test(c, test_shuffle);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return support_run(suite());
}
