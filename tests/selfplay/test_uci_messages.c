/* SPDX-License-Identifier: MIT
 * Writing position and go commands, reading info lines, and checking PVs. */
#include <limits.h>
#include <string.h>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/players/pv_check.h"
#include "selfplay/players/uci_messages.h"
#include "tests/support/support.h"

typedef struct Said {
    const char *lines[3];
    int score, depth;
    uint64_t nodes;
} Said;

static const Said said[] = {
    {{"info depth 7 seldepth 9 score cp -31 nodes 512 pv e2e4"}, -31, 7, 512},
    {{"info depth 7 score mate 3"}, VALUE_MATE - 5, 7, 0},
    {{"info depth 7 score mate -2"}, -(VALUE_MATE - 4), 7, 0},
    {{"info depth 7 score mate 0"}, -VALUE_MATE, 7, 0},
    {{"info depth 7 score mate 9999999999999999999"}, VALUE_MATE_IN_MAX + 1, 7, 0},
    {{"info depth 1 score cp 9999999999999999999"}, VALUE_MATE_IN_MAX - 1, 1, 0},
    {{"info score cp 1 depth 5", "info depth 6 currmove e2e4 currmovenumber 3"}, 1, 5, 0},
    {{"info depth 5 score cp 1", "info depth 6 score cp 90 lowerbound nodes 40"}, 1, 5, 40},
    {{"info depth 5 score cp 90 upperbound"}, 90, 5, 0},
    {{"info depth 5 score cp 90 lowerbound", "info depth 5 score cp 120"}, 120, 5, 0},
    {{"info depth 5 multipv 1 score cp 8 nodes 3", "info depth 5 multipv 2 score cp 2 nodes 9"},
     8,
     5,
     3},
    {{"info string depth 9 score cp 3 nodes 7"}, SCORE_UNKNOWN, 0, 0},
    {{"info depth -7 score cp 1 nodes -5"}, 1, 0, 0},
    {{"info depth 99999999999 score cp 1 nodes 99999999999999999999"}, 1, INT_MAX, PLY_NODES_MAX},
    {{"info depth 4", "info nodes 12 nps 100"}, SCORE_UNKNOWN, 4, 12},
    {{"info depth", "info score cp", "info"}, 0, 0, 0},
};

START_TEST(info_lines)
{
    const Said *s = &said[_i];
    PlayerMove out = {.score = SCORE_UNKNOWN};
    bool exact = false;

    for (int i = 0; i < 3 && s->lines[i]; i++)
        uci_read_info(s->lines[i], &out, &exact);
    ck_assert_int_eq(out.score, s->score);
    ck_assert_int_eq(out.depth, s->depth);
    ck_assert_uint_eq(out.nodes, s->nodes);
}
END_TEST

/* What goes into comments of PGN: of the last exact line, and only moves are taken as moves. */
START_TEST(test_search_of_a_ply)
{
    PlayerMove out = {.score = SCORE_UNKNOWN, .search = {-1, -1, -1, -1, ""}};
    bool exact = false;

    uci_read_info("info depth 9 seldepth 14 score cp 31 nodes 70 hashfull 5 tbhits 2 time 12 "
                  "pv e2e4 e7e5 g1f3",
                  &out, &exact);
    uci_read_info("info depth 10 seldepth 20 score cp 50 lowerbound nodes 90 tbhits 3 time 15 "
                  "pv e2e4",
                  &out, &exact);
    ck_assert_int_eq(out.search.seldepth, 14);
    ck_assert_int_eq(out.search.hashfull, 5);
    ck_assert_int_eq(out.search.tb_hits, 3);
    ck_assert_int_eq(out.search.time_ms, 15);
    ck_assert_str_eq(out.search.pv, "e2e4 e7e5 g1f3");
    uci_read_info("info depth 11 score cp 20 pv a7a8q  (none) b2b4", &out, &exact);
    ck_assert_str_eq(out.search.pv, "a7a8q");
    uci_read_info("info depth 12 score cp 20 pv e2e4} x", &out, &exact);
    ck_assert_str_eq(out.search.pv, "");
    char line[2048] = "info depth 13 score cp 1 pv";
    for (int i = 0; i < 300; i++)
        strcat(line, " e2e4");
    uci_read_info(line, &out, &exact);
    ck_assert_uint_eq(strlen(out.search.pv), 124); /* whole moves */
}
END_TEST

static void check_told(UciGameText *t, const GameView *game, const SearchLimits *limits,
                       const char *text)
{
    size_t size;

    ck_assert(uci_position_and_go(t, game, limits, &size));
    ck_assert_int_eq(t->text[size - 1], '\n');
    ck_assert_msg(strlen(text) == size && memcmp(t->text, text, size) == 0, "%.*s", (int)size,
                  t->text);
}

/* The text grows by the moves played since. */
START_TEST(a_game_grows)
{
    const GamePly plies[] = {{make_move(12, 28, MOVE_DOUBLE_PUSH), 0},
                             {make_move(52, 36, MOVE_DOUBLE_PUSH), 0},
                             {make_move(6, 21, MOVE_QUIET), 0}};
    const SearchLimits session = {
        .has_clock = true, .time_ms = {3000, 2000}, .increment_ms = {30, 20}, .moves_to_go = 7};
    const SearchLimits limited = {
        .movetime_ms = 50, .depth = 3, .nodes_soft = 90, .nodes_hard = 99};
    UciGameText t = {.length = 0};
    GameView game = {.start_fen = START_FEN, .plies = plies};

    check_told(&t, &game, &limited, "position startpos\ngo movetime 50 depth 3 nodes 90\n");
    game.ply_count = 2;
    check_told(&t, &game, &limited,
               "position startpos moves e2e4 e7e5\ngo movetime 50 depth 3 nodes 90\n");
    game.ply_count = 3;
    check_told(&t, &game, &session,
               "position startpos moves e2e4 e7e5 g1f3\n"
               "go wtime 3000 btime 2000 winc 30 binc 20 movestogo 7\n");
    t = (UciGameText){.length = 0};
    game = (GameView){.start_fen = "8/8/4k3/8/8/4K3/8/7R w - - 0 1"};
    check_told(&t, &game, &limited,
               "position fen 8/8/4k3/8/8/4K3/8/7R w - - 0 1\ngo movetime 50 depth 3 nodes 90\n");
}
END_TEST

/* The longest game fits. */
START_TEST(the_longest_game)
{
    static GamePly plies[1024];
    const int squares[] = {6, 21, 62, 45}; /* g1f3, g8f6, and back */
    UciGameText t = {.length = 0};
    GameView game = {.start_fen = START_FEN, .plies = plies, .ply_count = 1024};
    size_t size;

    for (int i = 0; i < 1024; i++) {
        int from = squares[i % 2 * 2], to = squares[i % 2 * 2 + 1];
        plies[i].move =
            i / 2 % 2 == 0 ? make_move(from, to, MOVE_QUIET) : make_move(to, from, MOVE_QUIET);
    }
    ck_assert(uci_position_and_go(&t, &game, &(SearchLimits){.depth = 1}, &size));
    ck_assert_uint_gt(size, 5 * 1024);
}
END_TEST

/* A name ends at its type, a value of a combo at the next one: other keywords may be in them. */
START_TEST(option_names_and_values_hold_keywords)
{
    const char *wanted[] = {"Book max ply=50", "Use default net=true", "Style=a max b"};
    static const char *const lines[] = {
        "option name Book max ply type spin default 10 min 1 max 50",
        "option name Use default net type check default true",
        "option name Style type combo default x var x var default var a max b"};
    UciOptionCheck check = {.wanted = wanted, .count = 3};
    Error err = {0};

    for (int i = 0; i < 3; i++)
        ck_assert_msg(uci_option_line(&check, lines[i], &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(uci_option_end(&check, &err) == STATUS_OK, "%s", err.text);
    ck_assert_str_eq(check.names, "Book max ply, Use default net, Style");
    wanted[0] = "Book max ply=51";
    ck_assert_int_eq(uci_option_line(&check, lines[0], &err), STATUS_ENGINE);
}
END_TEST

#define BACK_RANK "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1" /* a1a8 is mate */

typedef struct Pv {
    const char *fen, *best, *lines[2];
    PvFault fault;
} Pv;

static const Pv pvs[] = {
    {START_FEN, "e2e4", {"info depth 3 score cp 3 pv e2e4 e7e5 g1f3 nodes 7"}, PV_SOUND},
    {START_FEN, "e2e4", {"info depth 3 pv e2e4 e7e5 e4e5"}, PV_ILLEGAL},
    {START_FEN, "e2e4", {"info depth 3 pv e2e4 0000"}, PV_ILLEGAL},
    {START_FEN, "e2e4", {"info depth 3 pv e2e5 e7e5"}, PV_ILLEGAL},
    {START_FEN, "e2e4", {"info depth 3 pv d2d4 d7d5"}, PV_OTHER_MOVE},
    {START_FEN, "e2e4", {"info depth 3 pv d2d4", "info depth 4 score cp 9 lowerbound pv e2e4"}, 0},
    {START_FEN, "e2e4", {"info depth 3 pv d2d4", "info depth 4 score cp 9 upperbound"}, 0},
    {START_FEN, "e2e4", {"info pv e2e4", "info multipv 2 depth 3 pv d2d4"}, PV_SOUND},
    {START_FEN, "e2e4", {"info multipv 1 pv d2d4", "info depth 4 currmove e2e4"}, PV_OTHER_MOVE},
    {START_FEN, "e2e4", {"info depth 3 pv d2d4", "info depth 4 pv e2e4"}, PV_SOUND},
    {START_FEN, "e2e4", {"info string the pv d2d4", "info depth 1 score cp 1"}, PV_SOUND},
    {START_FEN, "e2e4", {"info score mate 3 pv e2e4 e7e5"}, PV_SOUND}, /* cut short */
    {START_FEN, "e2e4", {"info score mate 1 pv e2e4"}, PV_NO_MATE},
    {START_FEN, "e2e4", {"info pv e2e4 e7e5 score mate -1"}, PV_NO_MATE},
    {BACK_RANK, "a1a8", {"info score mate 1 pv a1a8"}, PV_SOUND},
    {BACK_RANK, "a1a8", {"info score mate 1 pv a1a8 g8f8"}, PV_ILLEGAL}, /* it goes on after mate */
    {BACK_RANK, "a1b1", {"info score mate 1 pv a1b1 g8f8"}, PV_NO_MATE},
    {"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "f6f7", {"info score mate 2 pv f6f7"}, PV_SOUND},
    {"7k/8/6Q1/8/8/8/8/K7 w - - 0 1",
     "a1b1",
     {"info score mate 9 pv a1b1"},
     PV_NO_MATE}, /* stalemate */
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", {"info pv e1h1 e8c8"}, PV_SOUND},
};

START_TEST(principal_variations)
{
    const Pv *pv = &pvs[_i];
    char kept[PV_LINE_MAX] = "";
    TextWord word;
    Position pos;
    Move best;

    ck_assert_int_eq(position_from_fen(&pos, pv->fen, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(move_from_uci(&pos, pv->best, &best, &(Error){0}), STATUS_OK);
    for (int i = 0; i < 2 && pv->lines[i]; i++)
        pv_keep(kept, pv->lines[i]);
    ck_assert_int_eq(pv_check(&pos, kept, best, &word), pv->fault);
}
END_TEST

/* Lines of options by themselves: what is wrong, or "Name=default". */
START_TEST(options_by_themselves)
{
    static const char *const lines[][2] = {
        {"option name Hash type spin default 16 min 1 max 64", "Hash=16"},
        {"option name Style type combo default Solid var Solid var Very Risky", "Style=Solid"},
        {"option name Clear Hash type button", ""},
        {"option name Book type string default ", ""},
        {"option name Hash type spin default 0 min 1 max 64", "must be from 1 to 64"},
        {"option name Hash type spin default 16", "no min and max"},
        {"option name Style type combo default Wild var Solid", "does not have this value"},
        {"option name Slow type check default 0", "must be true or false"},
        {"option name Slow type check", "no default"},
        {"option name Slow type bool default true", "no type that UCI has"},
        {"option type check default true", "no name"},
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Error err = {0};
        char wanted[100];
        Status status = uci_option_default(lines[i][0], wanted, sizeof wanted, &err);
        const char *got = status == STATUS_OK ? wanted : err.text;
        ck_assert_int_eq(status, i < 4 ? STATUS_OK : STATUS_ENGINE);
        ck_assert_msg(strstr(got, lines[i][1]) != NULL, "%s: %s", lines[i][0], got);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_search_of_a_ply, a_game_grows, the_longest_game,
              option_names_and_values_hold_keywords, options_by_themselves);
    tcase_add_loop_test(c, principal_variations, 0, sizeof pvs / sizeof *pvs);
    tcase_add_loop_test(c, info_lines, 0, sizeof said / sizeof *said);
    return support_run(c);
}
