/* SPDX-License-Identifier: MIT
 * Positions: FEN both ways, malformed FENs, published keys, incremental state and its reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/key_history.h"
#include "engine/board/perft.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

/* ---- FEN */

/* FENs that are written as they are read. */
static const char *const canonical_fens[] = {
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/4k3/8/8/3KP3/8/8 b - - 255 32767",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 40",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "krr5/8/8/8/8/8/8/1R2K1R1 w GBc - 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
};

START_TEST(test_fen_round_trip)
{
    Position pos;
    char out[FEN_MAX];

    pos = board_from_fen(canonical_fens[_i]);
    position_to_fen(&pos, out);
    ck_assert_str_eq(out, canonical_fens[_i]);
    ck_assert(position_is_consistent(&pos));
}
END_TEST

/* FENs that are accepted and written in the standard form. */
static const struct {
    const char *in, *out;
} lax_fens[] = {
    {"  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR \t w  KQkq -  0 1 \n", START_FEN},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", START_FEN},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 0", START_FEN},
    /* An en passant square that no pawn can use: no neighbour, or a pinned one. */
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
    {"8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 1", "8/8/8/K1Pp3r/8/8/8/4k3 w - - 0 1"},
    /* X-FEN: the outermost rook. */
    {"4k3/8/8/8/8/8/8/R1RK1RR1 w KQ - 0 1", "4k3/8/8/8/8/8/8/R1RK1RR1 w GA - 0 1"},
    {"1r2k1r1/8/8/8/8/8/8/R4RK1 w Qkq - 0 1", "1r2k1r1/8/8/8/8/8/8/R4RK1 w Agb - 0 1"},
};

START_TEST(test_fen_laxity)
{
    Position pos;
    char out[FEN_MAX];

    pos = board_from_fen(lax_fens[_i].in);
    position_to_fen(&pos, out);
    ck_assert_str_eq(out, lax_fens[_i].out);
}
END_TEST

/* Refused, and the sentence says why. */
static const struct {
    const char *fen, *why;
} hostile_fens[] = {
    {"", "expected 6 fields"},
    {"hello", "expected 6 fields"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0", "expected 6 fields"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 x", "expected 6 fields"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", "64 squares"},
    {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "more than 8 squares"},
    {"rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "not a piece, digit"},
    {"rnbqkbnr/pppppppp/0/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "not a piece, digit"},
    {"rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "two digits"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "64 squares"},
    {"rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "more than 8 ranks"},
    {"rnbqkbnr/ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "does not have 8 squares"},
    {"rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "not a piece, digit"},
    {"8/8/8/8/8/8/8/8 w - - 0 1", "White does not have one king"},
    {"4k3/8/8/8/8/8/8/8 w - - 0 1", "White does not have one king"},
    {"4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black does not have one king"},
    {"4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "first or last rank"},
    {"p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "first or last rank"},
    {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "more than 8 pawns"},
    {"rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1", "16 pieces"},
    {"qqqqkqqq/qqqqqqqq/8/8/8/8/q7/4K3 b - - 0 1", "16 pieces"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1", "side to move"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", "castling letter"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ- - 0 1", "castling letter"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KKkq - 0 1", "given twice"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KHkq - 0 1", "given twice"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e 0 1", "neither a square"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "neither a square"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", "half-move clock"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 256 1", "half-move clock"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 32768", "move number"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999", "move number"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1e3", "move number"},
    {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "side not to move is in check"},
    {"8/8/8/8/8/8/3kK3/8 w - - 0 1", "side not to move is in check"},
    {"4k3/8/8/8/4r3/5n2/8/r3K3 w - - 0 1", "more than two pieces"},
};

START_TEST(test_fen_refusals)
{
    Position pos, before;
    Error err = {0};

    position_set_start(&pos);
    before = pos;
    ck_assert_int_eq(position_from_fen(&pos, hostile_fens[_i].fen, &err), STATUS_BAD_INPUT);
    ck_assert_int_eq(err.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, hostile_fens[_i].why) != NULL, "%s: %s", hostile_fens[_i].fen,
                  err.text);
    ck_assert_mem_eq(&pos, &before, sizeof pos);
    ck_assert_int_eq(position_from_fen(&pos, hostile_fens[_i].fen, &(Error){0}), STATUS_BAD_INPUT);
}
END_TEST

/* What cannot be is dropped with a note; what is left is a FEN again. */
static const struct {
    const char *fen, *fields, *note;
} dropped_fens[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w EQkq - 0 1", " w Qkq - 0 1", "has no rook"},
    {"rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", " w KQq - 0 1", "has no rook"},
    {"4k3/8/8/8/8/8/8/4K2R w Kk - 0 1", " w K - 0 1", "has no rook"},
    {"4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", " w - - 0 1", "king is not on its first rank"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", " w KQkq - 0 1", "en passant"},
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1", " w KQkq - 0 1", "en passant"},
    {"rnbqkbnr/pppppppp/8/8/4P3/4N3/PPPP1PPP/R1BQKBNR b KQkq e3 0 1", " b KQkq - 0 1",
     "en passant"},
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPP1/RNBQKBNR b Kkq e3 0 1", " b Kkq - 0 1", "en passant"},
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", " b KQkq - 0 1", NULL},
};

START_TEST(test_fen_dropped)
{
    char out[FEN_MAX];
    Position pos;
    Error err = {.text = "of an earlier call"};

    ck_assert_int_eq(position_from_fen(&pos, dropped_fens[_i].fen, &err), STATUS_OK);
    position_to_fen(&pos, out);
    ck_assert_str_eq(strchr(out, ' '), dropped_fens[_i].fields);
    if (dropped_fens[_i].note)
        ck_assert_ptr_nonnull(strstr(err.text, dropped_fens[_i].note));
    else
        ck_assert_str_eq(err.text, "");
    ck_assert_int_eq(position_from_fen(&pos, out, &err), STATUS_OK);
    ck_assert_str_eq(err.text, "");
}
END_TEST

START_TEST(test_fen_of_any_length)
{
    static char long_text[100000];
    Position pos;
    Error err = {0};

    memset(long_text, 'r', sizeof long_text - 1);
    ck_assert_int_eq(position_from_fen(&pos, long_text, &err), STATUS_BAD_INPUT);
    for (size_t i = 1; i < sizeof long_text - 1; i += 2)
        long_text[i] = ' ';
    ck_assert_int_eq(position_from_fen(&pos, long_text, &err), STATUS_BAD_INPUT);
}
END_TEST

START_TEST(test_fen_with_nul)
{
    const TextWord fields[FEN_FIELDS] = {{"8/8/8/4k3/8/4K3/8/7\0", 20},
                                         {"w", 1},
                                         {"-", 1},
                                         {"-", 1},
                                         fen_counters[0],
                                         fen_counters[1]};
    Position pos;

    ck_assert_int_eq(position_from_fields(&pos, fields, &(Error){0}), STATUS_BAD_INPUT);
}
END_TEST

/* Every line of a collection of broken and odd positions: taken or refused, and what is taken can
 * be played from. */
START_TEST(test_fen_destructive_file)
{
    const char *path = support_data("fen/cw-destructive.epd");
    if (path == NULL) return;
    char *text = support_read_file(path);
    int taken = 0, refused = 0;

    for (char *line = strtok(text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
        Position pos;
        Error err = {0};
        char *end = strchr(line, ';');
        if (end) *end = '\0';
        if (position_from_fen(&pos, line, &err) != STATUS_OK) {
            ck_assert_uint_gt(strlen(err.text), 10);
            refused++;
            continue;
        }
        ck_assert(position_is_consistent(&pos));
        ck_assert_uint_lt(perft(&pos, 2), 256 * 256);
        taken++;
    }
    free(text);
    ck_assert_int_gt(taken, 5);
    ck_assert_int_gt(refused, 50);
}
END_TEST

/* ---- Keys */

/* The examples of the Polyglot book format's description. */
static const struct {
    const char *moves;
    uint64_t key;
} polyglot_keys[] = {
    {"", 0x463b96181691fc9c},
    {"e2e4", 0x823c9b50fd114196},
    {"e2e4 d7d5", 0x0756b94461c50fb0},
    {"e2e4 d7d5 e4e5", 0x662fafb965db29d4},
    {"e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78},
    {"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1},
    {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9},
    {"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637},
    {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560},
};

static void play(Position *pos, const char *moves)
{
    char buffer[128];

    (void)snprintf(buffer, sizeof buffer, "%s", moves);
    for (char *text = strtok(buffer, " "); text != NULL; text = strtok(NULL, " ")) {
        Position next;
        Move m;
        Error err = {0};
        ck_assert_msg(move_from_uci(pos, text, &m, &err) == STATUS_OK, "%s", err.text);
        position_make(&next, pos, m);
        *pos = next;
    }
}

START_TEST(test_published_keys)
{
    Position pos, read;
    char fen[FEN_MAX];

    position_set_start(&pos);
    play(&pos, polyglot_keys[_i].moves);
    ck_assert_msg(pos.key == polyglot_keys[_i].key, "%s: %016llx", polyglot_keys[_i].moves,
                  (unsigned long long)pos.key);
    position_to_fen(&pos, fen);
    read = board_from_fen(fen);
    ck_assert(read.key == pos.key);
}
END_TEST

/* ---- Incremental state */

static void visit_consistency(const Position *pos, const MoveList *list, void *context)
{
    const PsqTable *table = context;
    Position other, mirror;
    char fen[FEN_MAX];
    Error err = {0};

    (void)list;
    ck_assert(position_is_consistent(pos));
    other = *pos;
    position_refresh_psq(&other, table);
    ck_assert_int_eq(other.psq, pos->psq);

    /* A FEN has the whole position except the rook squares of lost rights. */
    position_to_fen(pos, fen);
    ck_assert_msg(position_from_fen(&other, fen, &err) == STATUS_OK, "%s: %s", fen, err.text);
    position_refresh_psq(&other, table);
    for (int i = 0; i < 4; i++)
        if (!(pos->castling & 1 << i)) other.rook_square[i] = pos->rook_square[i];
    other.chess960 = pos->chess960;
    ck_assert_msg(memcmp(&other, pos, sizeof other) == 0, "%s", fen);

    board_mirror(&mirror, pos);
    ck_assert(position_is_consistent(&mirror));
    ck_assert_int_eq(movegen_count(&mirror), list->count);
    ck_assert_int_eq(position_is_insufficient_material(&mirror),
                     position_is_insufficient_material(pos));
}

START_TEST(test_random_games)
{
    static PsqTable table;

    board_random_psq(5, &table);
    board_walk(1, 5, 150, &table, visit_consistency, &table);
}
END_TEST

START_TEST(test_mirrored_perft)
{
    for (int i = 0; board_fens[i] != NULL; i++) {
        Position pos, mirror;
        pos = board_from_fen(board_fens[i]);
        board_mirror(&mirror, &pos);
        ck_assert_uint_eq(perft(&pos, 3), perft(&mirror, 3));
    }
}
END_TEST

START_TEST(test_null_move)
{
    Position pos, next;

    pos = board_from_fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    position_make_null(&next, &pos);
    ck_assert(position_is_consistent(&next));
    ck_assert_int_eq(next.stm, BLACK);
    ck_assert_int_eq(next.ep_square, NO_SQUARE);
    ck_assert_int_eq(next.rule50, 1);
    ck_assert_int_eq(next.game_ply, pos.game_ply + 1);
}
END_TEST

START_TEST(test_rule50_saturates)
{
    Position pos, next;

    pos = board_from_fen("8/8/4k3/8/8/3KP3/8/8 w - - 254 300");
    play(&pos, "d3d2");
    ck_assert_int_eq(pos.rule50, 255);
    play(&pos, "e6e5");
    ck_assert_int_eq(pos.rule50, 255);
    position_make_null(&next, &pos);
    ck_assert_int_eq(next.rule50, 255);
    play(&pos, "e3e4");
    ck_assert_int_eq(pos.rule50, 0);
}
END_TEST

START_TEST(test_insufficient_material)
{
    static const struct {
        const char *fen;
        bool insufficient;
    } cases[] = {
        {"8/8/4k3/8/8/3K4/8/8 w - - 0 1", true},
        {"8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true},
        {"8/8/4k3/4b3/8/3K4/8/8 w - - 0 1", true},
        {"8/8/4k3/4b3/8/3K1B2/8/8 w - - 0 1", false}, /* dark and light */
        {"8/8/4k3/4b3/8/3KB3/8/8 w - - 0 1", true},   /* both dark */
        {"8/8/B3k3/4b3/8/3KB3/8/8 w - - 0 1", false}, /* a pair */
        {"8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false},   /* mate exists, though it cannot be forced */
        {"8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", false},
        {"8/8/4kb2/8/8/3KN3/8/8 w - - 0 1", false},
        {"8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false},
        {"8/8/4k3/8/8/2KR4/8/8 w - - 0 1", false},
        {"8/8/4k3/8/8/2KQ4/8/8 w - - 0 1", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos;
        pos = board_from_fen(cases[i].fen);
        ck_assert_msg(position_is_insufficient_material(&pos) == cases[i].insufficient, "%s",
                      cases[i].fen);
    }
}
END_TEST

START_TEST(test_attackers)
{
    Position pos;

    pos = board_from_fen("4k3/8/5n2/3p4/8/2N2B2/3RP3/4K3 w - - 0 1");
    /* On d5: knight c3, rook d2, bishop f3; Black's knight f6. */
    Bitboard expected =
        square_bb(make_square(FILE_C, RANK_3)) | square_bb(make_square(FILE_D, RANK_2)) |
        square_bb(make_square(FILE_F, RANK_3)) | square_bb(make_square(FILE_F, RANK_6));
    ck_assert(position_attackers(&pos, make_square(FILE_D, RANK_5), position_occupied(&pos)) ==
              expected);
}
END_TEST

/* ---- Repetition */

static void play_counting(Position *pos, KeyHistory *history, const char *move)
{
    key_history_push(history, pos);
    play(pos, move);
}

START_TEST(test_repetitions)
{
    static const char *const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    Position pos;
    KeyHistory history = {0};

    position_set_start(&pos);
    for (int round = 0; round < 3; round++) {
        ck_assert_int_eq(key_history_repetitions(&history, &pos), round);
        for (int i = 0; i < 4; i++)
            play_counting(&pos, &history, shuffle[i]);
    }
    /* An irreversible move: what was before cannot come again and is forgotten. */
    play_counting(&pos, &history, "e2e4");
    ck_assert_int_eq(key_history_repetitions(&history, &pos), 0);
    play_counting(&pos, &history, "g8f6");
    ck_assert_int_eq(history.count, 1);
}
END_TEST

/* The same pieces with fewer rights, or without the en passant capture, are another position. */
START_TEST(test_rights_make_positions_differ)
{
    static const char *const moves[] = {"e1e2", "e8e7", "e2e1", "e7e8"};
    Position pos;
    KeyHistory history = {0};

    pos = board_from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++)
            play_counting(&pos, &history, moves[i]);
        ck_assert_int_eq(key_history_repetitions(&history, &pos), round);
    }
}
END_TEST

START_TEST(test_long_history)
{
    static const char *const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    Position pos;
    KeyHistory history = {0};

    position_set_start(&pos);
    for (int i = 0; i < 2 * KEY_HISTORY_MAX; i++)
        play_counting(&pos, &history, shuffle[i % 4]);
    ck_assert_int_eq(history.count, KEY_HISTORY_MAX);
    ck_assert_int_eq(pos.rule50, 255);
    ck_assert_int_eq(key_history_repetitions(&history, &pos), 63); /* 4, 8, … 252 plies back */
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_fen_of_any_length, test_fen_with_nul, test_fen_destructive_file,
              test_random_games, test_mirrored_perft, test_null_move, test_rule50_saturates,
              test_insufficient_material, test_attackers, test_repetitions,
              test_rights_make_positions_differ, test_long_history);
    tcase_add_loop_test(c, test_fen_round_trip, 0, sizeof canonical_fens / sizeof *canonical_fens);
    tcase_add_loop_test(c, test_fen_laxity, 0, sizeof lax_fens / sizeof *lax_fens);
    tcase_add_loop_test(c, test_fen_refusals, 0, sizeof hostile_fens / sizeof *hostile_fens);
    tcase_add_loop_test(c, test_fen_dropped, 0, sizeof dropped_fens / sizeof *dropped_fens);
    tcase_add_loop_test(c, test_published_keys, 0, sizeof polyglot_keys / sizeof *polyglot_keys);
    return support_run(c);
}
