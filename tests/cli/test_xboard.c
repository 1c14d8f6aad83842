/* SPDX-License-Identifier: MIT
 * The xboard protocol: features and options, positions, clocks, thinking. */
#include <stdlib.h>
#include <string.h>

#include "cli/xboard/features.h"
#include "cli/xboard/messages.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"

/* What `call` prints to `out`. */
#define CHECK_PRINTED(call, expected)                                                              \
    do {                                                                                           \
        char *text = NULL;                                                                         \
        size_t size;                                                                               \
        FILE *out = open_memstream(&text, &size);                                                  \
        ck_assert_ptr_nonnull(out);                                                                \
        call;                                                                                      \
        (void)fclose(out);                                                                         \
        ck_assert_str_eq(text, expected);                                                          \
        free(text);                                                                                \
    } while (0)

START_TEST(test_features)
{
    XboardFeatures f;

    xboard_features_init(&f);
    ck_assert(f.time && f.reuse && !f.ping && !f.setboard);
    CHECK_PRINTED(
        xboard_features_read(&f, "myname=\"It's, a = b\" ping=1 setboard=1 time=0 done=0", out),
        "accepted myname\naccepted ping\naccepted setboard\naccepted time\naccepted done\n");
    ck_assert_str_eq(f.name, "It's, a = b");
    ck_assert(f.ping && f.setboard && !f.time && f.waits && !f.done);
    CHECK_PRINTED(xboard_features_read(
                      &f, "variants=\"normal, fischerandom\" egt='syzygy' color=2 reuse=0", out),
                  "accepted variants\naccepted egt\nrejected color\naccepted reuse\n");
    ck_assert(f.chess960 && f.syzygy && !f.reuse);
    CHECK_PRINTED(xboard_features_read(&f, "variants=\"normal,notfischerandom\" done=1", out),
                  "accepted variants\naccepted done\n");
    ck_assert(!f.chess960 && f.done && !f.waits);
    /* broken features are ignored */
    CHECK_PRINTED(xboard_features_read(&f, "ping", out), "");
    CHECK_PRINTED(xboard_features_read(&f, "myname=\"no end", out), "accepted myname\n");
    CHECK_PRINTED(xboard_features_read(&f, "=", out), "rejected \n");
    xboard_features_free(&f);
}
END_TEST

START_TEST(test_options)
{
    XboardFeatures f;

    xboard_features_init(&f);
    CHECK_PRINTED(
        xboard_features_read(
            &f,
            "memory=1 smp=1 option=\"Rand (0-5) -slider 1 0 5\" option=\"Own Book -check 1\""
            " option=\"Style -combo A b /// *C /// D\" option=\"Ini -file /x y.ini\""
            " option=\"Clear -button\" option=\"Odd -wheel 3\" option=\"Bad -spin 1\"",
            out),
        "accepted memory\naccepted smp\naccepted option\naccepted option\naccepted option\n"
        "accepted option\naccepted option\nrejected option\nrejected option\n");
    CHECK_PRINTED(xboard_features_print(&f, out),
                  "option name Hash type spin default 64 min 1 max 1048576\n"
                  "option name Threads type spin default 1 min 1 max 1024\n"
                  "option name Rand (0-5) type spin default 1 min 0 max 5\n"
                  "option name Own Book type check default true\n"
                  "option name Style type combo var A b var C var D default C\n"
                  "option name Ini type string default /x y.ini\n"
                  "option name Clear type button\n");
    /* names and values without case, as the engine spells them; "": there is none such */
    static const struct {
        const char *name, *value, *command;
    } sets[] = {{"Hash", "32", "memory 32\n"},
                {"hash", "no", ""},
                {"Threads", "2", "cores 2\n"},
                {"Threads", "0", ""},
                {"own book", "False", "option Own Book=0\n"},
                {"Own Book", "True", "option Own Book=1\n"},
                {"Own Book", "1", ""},
                {"STYLE", "d", "option Style=D\n"},
                {"Style", "a B", "option Style=A b\n"},
                {"Style", "A", ""},
                {"Style", "", ""},
                {"Rand (0-5)", "5", "option Rand (0-5)=5\n"},
                {"Rand (0-5)", "6", ""},
                {"Rand (0-5)", "abc", ""},
                {"Ini", "/Z z.ini", "option Ini=/Z z.ini\n"},
                {"clear", "", "option Clear\n"},
                {"SyzygyPath", "/t", ""},
                {"Unknown", "1", ""}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        CHECK_PRINTED(ck_assert_int_eq(xboard_features_set(&f, sets[i].name, sets[i].value, out),
                                       sets[i].command[0] != '\0'),
                      sets[i].command);
    xboard_features_free(&f);
}
END_TEST

typedef struct Said {
    const char *fen, *line, *info;
    bool white_scores;
} Said;

static const Said said[] = {
    {START_FEN, "9 156 1084 48000 Nf3 Nc6 Nc3 Nf6",
     "info depth 9 score cp 156 time 10840 nodes 48000 pv g1f3 b8c6 b1c3 g8f6\n", false},
    {START_FEN, "  4    109      14   1435  1. e4 d5 2. Qf3 dxe4 3. Qxe4 Nc6",
     "info depth 4 score cp 109 time 140 nodes 1435 pv e2e4 d7d5 d1f3 d5e4 f3e4 b8c6\n", false},
    {START_FEN, "12. +67 0 2 e2e4 1...e7e5?",
     "info depth 12 score cp 67 upperbound time 0 nodes 2 pv e2e4 e7e5\n", false},
    {START_FEN, "7 -20 5 10 22 400000 0\te4!",
     "info depth 7 seldepth 22 score cp -20 lowerbound time 50 nodes 10 pv e2e4\n", false},
    {START_FEN, "9 156 10 48000\t12.e4 e5",
     "info depth 9 score cp 156 time 100 nodes 48000 pv e2e4 e7e5\n", false},
    {START_FEN, "5 100003 1 10 e4", "info depth 5 score mate 3 time 10 nodes 10 pv e2e4\n", false},
    {START_FEN, "5& -100012 1 10", "info depth 5 score mate -12 time 10 nodes 10\n", false},
    {START_FEN, " 0 0 0 0 (Ng1-f3 c2-c3, book)", "info depth 0 score cp 0 time 0 nodes 0\n", false},
    {"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "3 50 1 9 Kd7 e4",
     "info depth 3 score cp -50 time 10 nodes 9 pv e8d7 e2e4\n", true},
    {START_FEN, "1. e4 e5", NULL, false},
    {START_FEN, "move e2e4", NULL, false},
    {START_FEN, "9 156 1084", NULL, false},
    {START_FEN, "99999999999999999999 1 1 1", NULL, false},
    {START_FEN, "9 99999999999999999999 1 1", NULL, false},
    {START_FEN, "9 -9223372036854775808 1 1", NULL, false},
    {START_FEN, "9 1 99999999999999999999 1", NULL, false},
    {START_FEN, "", NULL, false},
};

START_TEST(test_thinking)
{
    const Said *s = &said[_i];
    XboardThinking thinking;
    Position pos;

    ck_assert_int_eq(position_from_fen(&pos, s->fen, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(xboard_read_thinking(s->line, &thinking), s->info != NULL);
    if (s->info) CHECK_PRINTED(xboard_print_info(out, &thinking, &pos, s->white_scores), s->info);
}
END_TEST

START_TEST(test_clocks)
{
    const SearchLimits clock = {.has_clock = true,
                                .time_ms = {61500, 300000},
                                .increment_ms = {100, 2000},
                                .moves_to_go = 40};
    const SearchLimits seconds = {.movetime_ms = 3000}, tenths = {.movetime_ms = 250};
    const SearchLimits depth = {.depth = 7}, flag = {.has_clock = true};

    CHECK_PRINTED(xboard_print_level(out, &clock, WHITE), "level 40 1:02 0.1\n");
    CHECK_PRINTED(xboard_print_level(out, &clock, BLACK), "level 40 5 2\n");
    CHECK_PRINTED(xboard_print_clocks(out, &clock, WHITE), "time 6150\notim 30000\n");
    CHECK_PRINTED(xboard_print_level(out, &flag, WHITE), "level 0 0:01 0\n");
    CHECK_PRINTED(xboard_print_level(out, &seconds, WHITE), "st 3\n");
    CHECK_PRINTED(xboard_print_level(out, &tenths, WHITE), "level 1 0:01 0\n");
    CHECK_PRINTED(xboard_print_clocks(out, &tenths, WHITE), "time 25\notim 25\n");
    CHECK_PRINTED(xboard_print_level(out, &depth, WHITE), "level 0 600 0\nsd 7\n");
}
END_TEST

/* Set up piece by piece, unless that gives another position. */
START_TEST(test_edit)
{
    Position pos;

    ck_assert_int_eq(position_from_fen(&pos, "r3k3/8/8/8/8/8/4P3/4K2R b Kq - 0 1", &(Error){0}),
                     STATUS_OK);
    CHECK_PRINTED(ck_assert(xboard_print_edit(out, &pos)),
                  "a2a3\nedit\n#\nKe1\nRh1\nPe2\nc\nRa8\nKe8\n.\n");
    static const char *const others[] = {
        "r3k3/8/8/8/8/8/4P3/4K2R w q - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ck_assert_int_eq(position_from_fen(&pos, others[i], &(Error){0}), STATUS_OK);
        CHECK_PRINTED(ck_assert(!xboard_print_edit(out, &pos)), "");
    }
}
END_TEST

START_TEST(test_moves)
{
    char text[SAN_MAX];
    Position pos;
    Move move;

    ck_assert_int_eq(position_from_fen(&pos, "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", &(Error){0}),
                     STATUS_OK);
    ck_assert_int_eq(xboard_read_move(&pos, "O-O", &move), STATUS_OK);
    xboard_move_text(&pos, move, false, text);
    ck_assert_str_eq(text, "e1g1");
    xboard_move_text(&pos, move, true, text);
    ck_assert_str_eq(text, "O-O");
    ck_assert_int_eq(xboard_read_move(&pos, "a7a8q", &move), STATUS_OK);
    xboard_move_text(&pos, move, false, text);
    ck_assert_str_eq(text, "a7a8q");
    xboard_move_text(&pos, move, true, text);
    ck_assert_str_eq(text, "a8=Q+");
    ck_assert_int_eq(xboard_read_move(&pos, "e1e3", &move), STATUS_BAD_INPUT);
    ck_assert_int_eq(position_from_fen(&pos, "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", &(Error){0}),
                     STATUS_OK);
    ck_assert_int_eq(xboard_read_move(&pos, "O-O-O", &move), STATUS_OK);
    xboard_move_text(&pos, move, false, text);
    ck_assert_str_eq(text, "O-O-O");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_features, test_options, test_clocks, test_edit, test_moves);
    tcase_add_loop_test(c, test_thinking, 0, sizeof said / sizeof *said);
    return support_run(c);
}
