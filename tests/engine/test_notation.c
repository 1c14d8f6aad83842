/* SPDX-License-Identifier: MIT
 * Moves as text: round trips over random games, the standard's examples, and what is refused. */
#include "engine/notation/move_text.h"

#include <stdio.h>
#include <string.h>

#include "engine/board/movegen.h"
#include "engine/notation/epd.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

static void check_round_trip(const Position *pos, Move m)
{
    char uci[UCI_MOVE_MAX], san[SAN_MAX];
    Move read;
    Error err = {0};

    move_to_uci(pos, m, uci);
    ck_assert_msg(move_from_uci(pos, uci, &read, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(read == m, "%s", uci);
    move_to_san(pos, m, san);
    ck_assert_msg(move_from_san(pos, san, &read, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(read == m, "%s", san);
}

/* No two legal moves may read alike. */
static void visit_round_trips(const Position *pos, const MoveList *list, void *context)
{
    char texts[MAX_MOVES][SAN_MAX];

    (void)context;
    for (int i = 0; i < list->count; i++) {
        check_round_trip(pos, list->moves[i]);
        move_to_san(pos, list->moves[i], texts[i]);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(texts[i], texts[j]);
    }
}

START_TEST(test_round_trips)
{
    board_walk(3, SANITIZED ? 1 : 2, 120, NULL, visit_round_trips, NULL);
}
END_TEST

/* Position, UCI and the one right SAN. */
static const struct {
    const char *fen, *uci, *san;
} written[] = {
    {START_FEN, "e2e4", "e4"},
    {START_FEN, "g1f3", "Nf3"},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q"},
    {"6k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8r", "e8=R+"},
    {"3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"},
    {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
    {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
    /* By file, by rank, by both; a pinned rival is none. */
    {"4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", "b1c1", "Rc1"},
    {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"},
    {"3k4/8/8/R7/8/8/4K3/R7 w - - 0 1", "a1a3", "R1a3"},
    {"2k5/8/8/8/7Q/8/4K3/7Q w - - 0 1", "h4e4", "Q4e4"},
    {"8/k7/8/8/4Q2Q/8/3K4/7Q w - - 0 1", "h4e1", "Qh4e1"},
    {"4r1k1/8/8/8/N3N3/8/8/4K3 w - - 0 1", "a4c5", "Nc5"},
    {"4k3/8/8/2N5/8/8/8/N3K3 w - - 0 1", "a1b3", "Nab3"},
    {"4k3/8/2q5/2p5/4N3/8/8/N3K2N w - - 0 1", "e4g3", "Neg3"},
    {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O"},
};

START_TEST(test_written_forms)
{
    Position pos;
    Move m;
    char uci[UCI_MOVE_MAX], san[SAN_MAX];
    Error err = {0};

    pos = board_from_fen(written[_i].fen);
    ck_assert_msg(move_from_uci(&pos, written[_i].uci, &m, &err) == STATUS_OK, "%s", err.text);
    move_to_san(&pos, m, san);
    ck_assert_str_eq(san, written[_i].san);
    move_to_uci(&pos, m, uci);
    ck_assert_str_eq(uci, written[_i].uci);
    check_round_trip(&pos, m);
}
END_TEST

/* Position, a text that says it loosely, and the move in UCI. */
static const struct {
    const char *fen, *san, *uci;
} lax[] = {
    {START_FEN, "e4!?", "e2e4"},
    {START_FEN, "Pe4", "e2e4"},
    {START_FEN, "e2e4", "e2e4"},
    {START_FEN, "e2-e4", "e2e4"},
    {START_FEN, "Ng1f3", "g1f3"},
    {START_FEN, "Ng1-f3", "g1f3"},
    {START_FEN, "Ngf3", "g1f3"},
    {START_FEN, "N1f3+!", "g1f3"},
    {START_FEN, "Nf3 d5", "g1f3"},
    {START_FEN, "Nf3\n", "g1f3"},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "e4d5"},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4xd5", "e4d5"},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e:d5", "e4d5"},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "xd5", "e4d5"},
    {"4k3/8/8/8/8/2p5/1P2K3/8 w - - 0 1", "bxc3", "b2c3"},
    {"4k3/8/8/8/8/2p5/1P2K3/8 w - - 0 1", "bc3", "b2c3"},
    {"4k3/8/8/8/8/2p5/3BK3/8 w - - 0 1", "Bc3", "d2c3"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8Q", "e7e8q"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8(Q)", "e7e8q"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8/B", "e7e8b"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n+", "e7e8n"},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0-0", "e1g1"},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", "e1g1"},
    {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "0-0-0", "e1c1"},
};

START_TEST(test_laxity)
{
    Position pos;
    Move m;
    char uci[UCI_MOVE_MAX];
    Error err = {0};

    pos = board_from_fen(lax[_i].fen);
    ck_assert_msg(move_from_san(&pos, lax[_i].san, &m, &err) == STATUS_OK, "%s", err.text);
    move_to_uci(&pos, m, uci);
    ck_assert_str_eq(uci, lax[_i].uci);
}
END_TEST

/* Coordinates as programs write them; NULL: no move. */
static const struct {
    const char *fen, *text, *uci;
} coordinates[] = {
    {START_FEN, "g1f3", "g1f3"},
    {START_FEN, "g1f3!?", "g1f3"},
    {START_FEN, "g1-f3", "g1f3"},
    {"4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1", "a1xc3+", "a1c3"},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1#", "e1g1"},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1-g1", "e1g1"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7-e8q", "e7e8q"},
    {START_FEN, "g1--f3", NULL},
    {START_FEN, "g-1f3", NULL},
    {START_FEN, "g1f3f3f3", NULL},
    {START_FEN, "g1-e3", NULL},
    {START_FEN, "-", NULL},
    {START_FEN, "", NULL},
};

START_TEST(test_coordinates)
{
    Position pos = board_from_fen(coordinates[_i].fen);
    Move m;
    char uci[UCI_MOVE_MAX];
    Error err = {0};

    Status status = move_from_any(&pos, coordinates[_i].text, &m, &err);
    ck_assert_int_eq(status, coordinates[_i].uci ? STATUS_OK : STATUS_BAD_INPUT);
    if (status != STATUS_OK) return;
    move_to_uci(&pos, m, uci);
    ck_assert_str_eq(uci, coordinates[_i].uci);
}
END_TEST

static const struct {
    const char *fen, *text, *why;
} refused_san[] = {
    {START_FEN, "", "not a move in algebraic notation"},
    {START_FEN, "e5", "not legal"},
    {START_FEN, "Ke2", "not legal"},
    {START_FEN, "O-O", "not legal"},
    {START_FEN, "e9", "not a move in algebraic notation"},
    {START_FEN, "--", "not a move in algebraic notation"},
    {START_FEN, "hello-hello-hello-hello", "not a move in algebraic notation"},
    {START_FEN, "Nxxf3", "not a move in algebraic notation"},
    {START_FEN, "=Q", "not a move in algebraic notation"},
    {START_FEN, "e4=Q", "not legal"},
    {START_FEN, "+", "not a move in algebraic notation"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", "not legal"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=K", "not a move in algebraic notation"},
    {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", "ambiguous"},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1", "not legal"},
};

START_TEST(test_san_refusals)
{
    Position pos;
    Move m = 12345;
    Error err = {0};

    pos = board_from_fen(refused_san[_i].fen);
    ck_assert_int_eq(move_from_san(&pos, refused_san[_i].text, &m, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, refused_san[_i].why) != NULL, "%s", err.text);
    ck_assert_int_eq(m, 12345);
}
END_TEST

START_TEST(test_uci_refusals)
{
    static const char *const texts[] = {"",      "0000", "e2",     "e2e5",  "e2e4q",
                                        "e2e4e", "z2z4", "e2e4qq", "e7e5",  "E2E4",
                                        "e1g1",  "a1a1", "e2 e4",  "e2e4\1"};
    Position pos;

    position_set_start(&pos);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Move m = 12345;
        Error err = {0};
        ck_assert_msg(move_from_uci(&pos, texts[i], &m, &err) == STATUS_BAD_INPUT, "%s", texts[i]);
        ck_assert_uint_gt(strlen(err.text), 10);
        ck_assert_int_eq(m, 12345);
    }
}
END_TEST

static Move uci(const Position *pos, const char *text)
{
    Move m = MOVE_NONE;
    Error err = {0};
    ck_assert_msg(move_from_uci(pos, text, &m, &err) == STATUS_OK, "%s", err.text);
    return m;
}

/* Both spellings of castling are read in either mode, and the mode decides which is written. */
START_TEST(test_castling_spellings)
{
    Position pos;
    char out[UCI_MOVE_MAX];

    pos = board_from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    Move short_castle = uci(&pos, "e1g1"), long_castle = uci(&pos, "e1c1");
    ck_assert(move_is_castle(short_castle) && move_is_castle(long_castle));
    ck_assert_int_eq(uci(&pos, "e1h1"), short_castle);
    ck_assert_int_eq(uci(&pos, "e1a1"), long_castle);
    move_to_uci(&pos, long_castle, out);
    ck_assert_str_eq(out, "e1c1");
    pos.chess960 = true;
    move_to_uci(&pos, long_castle, out);
    ck_assert_str_eq(out, "e1a1");
    ck_assert_int_eq(uci(&pos, "e1c1"), long_castle);

    /* f1g1 is the king's step; castling is f1h1. */
    pos = board_from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    ck_assert(!move_is_castle(uci(&pos, "f1g1")));
    ck_assert(move_is_castle(uci(&pos, "f1h1")));
}
END_TEST

START_TEST(test_no_move)
{
    Position pos;
    char uci_text[UCI_MOVE_MAX], san[SAN_MAX], square[3];

    position_set_start(&pos);
    move_to_uci(&pos, MOVE_NONE, uci_text);
    move_to_san(&pos, MOVE_NONE, san);
    ck_assert_str_eq(uci_text, "0000");
    ck_assert_str_eq(san, "--");
    square_to_text(NO_SQUARE, square);
    ck_assert_str_eq(square, "-");
    square_to_text(63, square);
    ck_assert_str_eq(square, "h8");
}
END_TEST

/* ---- Lines of EPD */

#define KINGS "4k3/8/8/8/8/8/8/4K3 w - -"

/* What a line gives: its position as a FEN and its operations, labels in <>; or a refusal. */
static const struct {
    const char *line, *fen, *operations;
} epd_lines[] = {
    {KINGS, KINGS " 0 1", ""},
    {KINGS " 3 7", KINGS " 3 7", ""},
    {KINGS " 3 7 1", KINGS " 3 7", "<1>"},
    {KINGS " 1", KINGS " 0 1", "<1>"},
    {KINGS " 0;", KINGS " 0 1", "<0>"},
    {KINGS " 0.5", KINGS " 0 1", "<0.5>"},
    {KINGS " 1 c9 \"1-0\";", KINGS " 0 1", "<1>c9=1-0 "},
    {KINGS " [1.0] bm Ke2 Kd1; id \"a; b\"", KINGS " 0 1", "<[1.0]>bm=Ke2 id=a; b "},
    {KINGS " \"c9\" c9", KINGS " 0 1", "<c9>c9= "},
    {KINGS " hmvc 12; fmvn 40;", KINGS " 12 40", "hmvc=12 fmvn=40 "},
    {KINGS " fmvn x; 1-0\r", KINGS " 0 1", "fmvn=x <1-0>"},
    {KINGS " 5", NULL, "half-move clock '5' without a move number"},
    {KINGS " 12 bm Ke2;", NULL, "half-move clock '12' without a move number"},
    {"4k3/8/8 w - ; -", NULL, "not a FEN or EPD position: 4k3/8/8 w - ; -"},
};

START_TEST(test_epd_lines)
{
    TextSpan text = text_span(epd_lines[_i].line);
    EpdOperation operation;
    char out[FEN_MAX] = "";
    Error err = {0};
    Position pos;

    if (!epd_lines[_i].fen) {
        ck_assert_int_eq(epd_read_position(&text, &pos, &err), STATUS_BAD_INPUT);
        ck_assert_msg(strstr(err.text, epd_lines[_i].operations) == err.text, "%s", err.text);
        return;
    }
    ck_assert_msg(epd_read_position(&text, &pos, &err) == STATUS_OK, "%s", err.text);
    position_to_fen(&pos, out);
    ck_assert_str_eq(out, epd_lines[_i].fen);
    out[0] = '\0';
    while (epd_next_operation(&text, &operation)) {
        size_t used = strlen(out);
        int a = (int)operation.opcode.length, b = (int)operation.operand.length;
        if (operation.is_label)
            (void)snprintf(out + used, sizeof out - used, "<%.*s>", a, operation.opcode.at);
        else
            (void)snprintf(out + used, sizeof out - used, "%.*s=%.*s ", a, operation.opcode.at, b,
                           operation.operand.at);
    }
    ck_assert_str_eq(out, epd_lines[_i].operations);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_round_trips, test_uci_refusals, test_castling_spellings, test_no_move);
    tcase_add_loop_test(c, test_written_forms, 0, sizeof written / sizeof *written);
    tcase_add_loop_test(c, test_laxity, 0, sizeof lax / sizeof *lax);
    tcase_add_loop_test(c, test_coordinates, 0, sizeof coordinates / sizeof *coordinates);
    tcase_add_loop_test(c, test_san_refusals, 0, sizeof refused_san / sizeof *refused_san);
    tcase_add_loop_test(c, test_epd_lines, 0, sizeof epd_lines / sizeof *epd_lines);
    return support_run(c);
}
