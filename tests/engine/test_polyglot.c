/* SPDX-License-Identifier: MIT
 * Polyglot books: the format's published keys, moves, weights, malformed files. Books made by the
 * program polyglot are read in tests/commands/test_book.sh. */
#include "engine/notation/polyglot.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

/* The test data of "PolyGlot book format"; all but the pins agree with our position keys. */
static const struct {
    const char *fen;
    uint64_t key;
} published[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c},
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196},
    {"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0},
    {"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4},
    {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78},
    {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1},
    {"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9},
    {"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637},
    {"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560},
};

START_TEST(test_published_keys)
{
    Position pos = board_from_fen(published[_i].fen);
    ck_assert_uint_eq(pos.key, published[_i].key);
}
END_TEST

/* ---- Books made here */

typedef struct RawEntry {
    uint64_t key;
    unsigned move, weight;
} RawEntry;

static void put_big_endian(FILE *f, uint64_t value, int bytes)
{
    while (bytes-- > 0)
        fputc((int)(value >> 8 * bytes & 255), f);
}

static const char *write_book(const RawEntry *entries, int count)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/book.bin", support_temp_dir());
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < count; i++) {
        put_big_endian(f, entries[i].key, 8);
        put_big_endian(f, entries[i].move, 2);
        put_big_endian(f, entries[i].weight, 2);
        put_big_endian(f, 7, 4);
    }
    ck_assert_int_eq(fclose(f), 0);
    return path;
}

static PolyglotBook *open_book(const RawEntry *entries, int count)
{
    Error err = {0};
    PolyglotBook *book = polyglot_open(write_book(entries, count), &err);
    ck_assert_msg(book != NULL, "%s", err.text);
    return book;
}

static PolyglotMoves moves_of(const PolyglotBook *book, const Position *pos)
{
    PolyglotMoves list;
    Error err = {0};
    ck_assert_msg(polyglot_moves(book, pos, &list, &err) == STATUS_OK, "%s", err.text);
    return list;
}

static unsigned raw_move(int from, int to, unsigned promotion)
{
    return (unsigned)to | (unsigned)from << 6 | promotion << 12;
}

enum { A1 = 0, D1 = 3, E1 = 4, H1 = 7, E2 = 12, D3 = 19, E4 = 28, C7 = 50, B8 = 57, C8 = 58 };

START_TEST(test_moves)
{
    static const struct {
        const char *fen;
        int from, to;
        unsigned promotion;
        const char *uci; /* "": not legal, left out */
    } cases[] = {
        {START_FEN, E2, E4, 0, "e2e4"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", E1, H1, 0, "e1g1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", E1, A1, 0, "e1c1"},
        {"1r5k/2P5/8/8/8/8/8/K7 w - - 0 1", C7, C8, 4, "c7c8q"},
        {"1r5k/2P5/8/8/8/8/8/K7 w - - 0 1", C7, B8, 1, "c7b8n"},
        {"1r5k/2P5/8/8/8/8/8/K7 w - - 0 1", C7, C8, 0, ""},
        {"1r5k/2P5/8/8/8/8/8/K7 w - - 0 1", C7, C8, 7, ""},
        {"8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1", E4, D3, 0, "e4d3"},
        {START_FEN, E2, E2, 0, ""},
        {START_FEN, D1, A1, 0, ""},
    };
    Position pos = board_from_fen(cases[_i].fen);
    RawEntry entry = {pos.key, raw_move(cases[_i].from, cases[_i].to, cases[_i].promotion), 1};
    PolyglotBook *book = open_book(&entry, 1);
    PolyglotMoves list = moves_of(book, &pos);
    char text[UCI_MOVE_MAX] = "";

    ck_assert_int_eq(list.count, cases[_i].uci[0] != '\0');
    if (list.count > 0) {
        move_to_uci(&pos, list.moves[0].move, text);
        ck_assert_uint_eq(list.moves[0].learn, 7);
    }
    ck_assert_str_eq(text, cases[_i].uci);
    polyglot_close(book);
}
END_TEST

/* Every key of a book is found, those between are not, whatever the book's length. */
START_TEST(test_search)
{
    enum { MOST = 130 };
    Position start = board_from_fen(START_FEN);
    RawEntry entries[MOST];

    for (int count = 1; count <= MOST; count = count * 3 / 2 + 1) {
        for (int i = 0; i < count; i++) { /* two entries a key; our position somewhere */
            uint64_t step = (uint64_t)(i / 2) - (uint64_t)(count / 3 / 2);
            entries[i] = (RawEntry){start.key + 2 * step, raw_move(E2, E4, 0), 1};
        }
        PolyglotBook *book = open_book(entries, count);
        for (int i = 0; i < count; i++) {
            Position pos = start;
            int twins = 0;
            pos.key = entries[i].key;
            for (int k = 0; k < count; k++)
                twins += entries[k].key == pos.key;
            ck_assert_int_eq(moves_of(book, &pos).count, twins);
            pos.key++;
            ck_assert_int_eq(moves_of(book, &pos).count, 0);
        }
        polyglot_close(book);
    }
}
END_TEST

/* The format's key counts an en passant capture that a pin forbids; ours does not. */
START_TEST(test_pinned_en_passant)
{
    static const uint64_t d_file = 0x1c99ded33cb890a1;
    Position pos =
        board_from_fen("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"); /* exd3 bares the fourth rank */
    RawEntry entry = {pos.key ^ d_file, raw_move(E4, E4 - 8, 0), 1};
    PolyglotBook *book = open_book(&entry, 1);

    ck_assert_int_eq(pos.ep_square, NO_SQUARE);
    ck_assert_int_eq(moves_of(book, &pos).count, 1);
    pos.rule50 = 1; /* no pawn was pushed last */
    ck_assert_int_eq(moves_of(book, &pos).count, 0);
    pos = board_from_fen("8/8/8/8/k2Pp3/8/8/3K4 b - - 0 1"); /* legal, had it been pushed */
    entry.key = pos.key ^ d_file;
    polyglot_close(book);
    book = open_book(&entry, 1);
    ck_assert_int_eq(moves_of(book, &pos).count, 0);
    polyglot_close(book);
}
END_TEST

/* ---- Choosing */

START_TEST(test_draw)
{
    enum { DRAWS = 20000 };
    PolyglotMoves list = {.count = 4,
                          .moves = {{1, 0, 0}, {2, 30000, 0}, {3, 0, 0}, {4, 10000, 0}}};
    int seen[5] = {0};
    Pcg rng;

    pcg_seed(&rng, 1, 1);
    for (int i = 0; i < DRAWS; i++) {
        const PolyglotMove *m = polyglot_draw(&list, &rng);
        ck_assert_ptr_nonnull(m);
        seen[m->move]++;
    }
    ck_assert_int_eq(seen[1] + seen[3], 0);
    ck_assert_int_lt(seen[4] - DRAWS / 4, 250); /* four standard deviations */
    ck_assert_int_gt(seen[4] - DRAWS / 4, -250);
    list.moves[1].weight = list.moves[3].weight = 0;
    ck_assert_ptr_null(polyglot_draw(&list, &rng));
    list.count = 0;
    ck_assert_ptr_null(polyglot_draw(&list, &rng));
}
END_TEST

/* ---- Files that are no books */

static void refused(const char *path, const char *why)
{
    Error err = {0};
    ck_assert_ptr_null(polyglot_open(path, &err));
    ck_assert_int_eq(err.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, why) && strstr(err.text, path), "%s", err.text);
}

START_TEST(test_refused)
{
    static const RawEntry unsorted[] = {{5, 0, 1}, {5, 0, 1}, {4, 0, 1}};
    char path[512];

    refused("/no/such/book.bin", "No such file");
    refused(support_temp_dir(), "it is not a regular file");
    refused(write_book(unsorted, 0), "it is empty");
    refused(write_book(unsorted, 3), "entry 3 is out of order");
    snprintf(path, sizeof path, "%s/cut.bin", support_temp_dir());
    support_write_file(path, "not sixteen bytes");
    refused(path, "17 bytes are not a multiple of 16");
}
END_TEST

/* A book that is cut while it is open is an error, not a signal. */
START_TEST(test_shrinks)
{
    static const RawEntry entries[] = {{1, 0, 1}, {2, 0, 1}, {3, 0, 1}};
    const char *path = write_book(entries, 3);
    PolyglotBook *book = polyglot_open(path, &(Error){0});
    Position pos = board_from_fen(START_FEN);
    PolyglotMoves list;
    Error err = {0};

    ck_assert_int_eq(truncate(path, 16), 0);
    ck_assert_int_eq(polyglot_moves(book, &pos, &list, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "shorter"));
    ck_assert_int_eq(list.count, 0);
    polyglot_close(book);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_search, test_pinned_en_passant, test_draw, test_refused, test_shrinks);
    tcase_add_loop_test(c, test_published_keys, 0, sizeof published / sizeof *published);
    tcase_add_loop_test(c, test_moves, 0, 10);
    return support_run(c);
}
