/* SPDX-License-Identifier: MIT
 * Formats: round trips as far as the format allows, published examples byte by byte, and errors for
 * damaged files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/game_builder.h"
#include "db/chess/replay.h"
#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "selfplay/formats/formats.h"
#include "selfplay/formats/viri.h"
#include "selfplay/game/game.h"
#include "tests/support/support.h"

enum { GAMES = 60, PLIES = 160 };

typedef struct Library {
    GameRecord games[GAMES];
    GamePly plies[GAMES][PLIES];
} Library;

/* A score for White: mates of every length, SCORE_UNKNOWN, and centipawns. */
static int random_score(Pcg *rng)
{
    int mate = 1 + (int)pcg_below(rng, 200), cp = (int)pcg_below(rng, 8000) - 4000;

    switch (pcg_below(rng, 6)) {
    case 0:
        return VALUE_MATE - mate;
    case 1:
        return mate - VALUE_MATE;
    case 2:
        return SCORE_UNKNOWN;
    default:
        return cp;
    }
}

static void random_game(const char *fen, Pcg *rng, GameRecord *game)
{
    GameBuilder build = {0};
    GameResult result;
    GameReason reason;
    Position pos;
    MoveList list;
    int plies = 1 + (int)pcg_below(rng, PLIES - 1);

    ck_assert_int_eq(position_from_fen(&pos, fen, &(Error){0}), STATUS_OK);
    game_builder_start(&build, &pos);
    while (!game_over(&build.pos, &build.history, &result, &reason) &&
           build.record.ply_count < plies) {
        movegen_all(&build.pos, &list);
        Move move = list.moves[pcg_below(rng, (uint32_t)list.count)];
        ck_assert_int_eq(game_builder_add(&build, move, random_score(rng), &(Error){0}), STATUS_OK);
    }
    if (!game_over(&build.pos, &build.history, &result, &reason))
        result = (GameResult)pcg_below(rng, 3);
    ck_assert_int_eq(game_builder_end(&build, result, (GameReason)0, &(Error){0}), STATUS_OK);
    GamePly *room = game->plies;
    *game = build.record;
    game->plies = room;
    memcpy(room, build.record.plies, (size_t)game->ply_count * sizeof *room);
    game_builder_free(&build);
}

static void fill(Library *library)
{
    static const char *const fens[] = {
        START_FEN,
        "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1",
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
        "8/1P4k1/8/8/8/4n3/1K5p/8 b - - 12 60",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 7",
        "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    };
    Pcg rng;

    pcg_seed(&rng, 11, 3);
    for (int i = 0; i < GAMES; i++) {
        library->games[i].plies = library->plies[i];
        random_game(fens[i % 6], &rng, &library->games[i]);
        library->games[i].game_no = i;
    }
}

static const char *temporary(const char *name)
{
    static char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", support_temp_dir(), name);
    return path;
}

static void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

static void export_game(const GameFormat *format, const GameRecord *game, const bool *taken,
                        FILE *out, int64_t *positions)
{
    static Position line[PLIES + 1];
    const RunRecord run = {.uuid = "0123-uuid", .kind = RUN_SELFPLAY, .started = "2026-01-02T"};
    const ExportGame export = {.run = &run,
                               .white = "white",
                               .black = "black",
                               .record = game,
                               .positions = line,
                               .taken = taken};
    Error err = {0};

    ck_assert_msg(replay_line(game, line, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(game_format_write(format, out, &export, positions, &err) == STATUS_OK, "%s",
                  err.text);
}

/* Removes what a format does not hold. */
enum { LOSES_COUNTERS = 1, LOSES_MATES = 2 };

static int losses_of(const GameFormat *format)
{
    return strcmp(format->name, "epd") == 0 ? LOSES_COUNTERS | LOSES_MATES : 0;
}

static int expected_score(int score, int losses)
{
    bool mate = score != SCORE_UNKNOWN && value_is_mate(score);
    return mate && losses & LOSES_MATES ? SCORE_UNKNOWN : score;
}

static void expect_equal(const GameRecord *a, const GameRecord *b, int losses)
{
    size_t board = strcspn(a->start_fen, " ");

    if (losses & LOSES_COUNTERS)
        ck_assert_int_eq(strncmp(a->start_fen, b->start_fen, board + 2), 0);
    else
        ck_assert_str_eq(a->start_fen, b->start_fen);
    ck_assert_int_eq(a->ply_count, b->ply_count);
    ck_assert_int_eq(a->result, b->result);
    for (int i = 0; i < a->ply_count; i++) {
        ck_assert_int_eq(a->plies[i].move, b->plies[i].move);
        ck_assert_int_eq(expected_score(a->plies[i].score, losses), b->plies[i].score);
    }
    if (!losses) ck_assert_int_eq(a->reason, b->reason);
}

START_TEST(test_round_trip)
{
    static Library library;
    const GameFormat *format = &game_formats[_i];
    const char *path = temporary("games");
    const GameRecord *game;
    int64_t positions = 0, plies = 0;
    Error err = {0};

    if (!format->open) return;
    fill(&library);
    FILE *out = fopen(path, "wb");
    for (int i = 0; i < GAMES; i++) {
        export_game(format, &library.games[i], NULL, out, &positions);
        plies += library.games[i].ply_count;
    }
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(positions, plies);
    GameSource *source = format->open(path, &err);
    ck_assert_msg(source != NULL, "%s", err.text);
    for (int i = 0; i < GAMES; i++) {
        ck_assert_msg(game_source_next(source, &game, &err) == STATUS_OK, "%s", err.text);
        ck_assert_ptr_nonnull(game);
        expect_equal(&library.games[i], game, losses_of(format));
        ck_assert_msg(replay_check(game, &err) == STATUS_OK, "%s", err.text);
    }
    ck_assert_int_eq(game_source_next(source, &game, &err), STATUS_OK);
    ck_assert_ptr_null(game);
    game_source_close(source);
}
END_TEST

/* A gap in a list of positions begins a new game; no position is lost. */
START_TEST(test_gaps)
{
    static Library library;
    bool taken[PLIES] = {0};
    const GameFormat *format = game_format_find(_i ? "epd" : "plain", &(Error){0});
    const GameRecord *game;
    int64_t positions = 0, plies = 0;
    int games = 0;
    const char *path = temporary("gaps");

    fill(&library);
    GameRecord *whole = &library.games[0];
    while (whole->ply_count < 20)
        whole++;
    whole->ply_count = 20;
    whole->result = RESULT_DRAW;
    for (int i = 0; i < 20; i++)
        taken[i] = i != 4 && i != 9 && i != 10;
    FILE *out = fopen(path, "wb");
    export_game(format, whole, taken, out, &positions);
    (void)fclose(out);
    ck_assert_int_eq(positions, 17);
    GameSource *source = format->open(path, &(Error){0});
    while (game_source_next(source, &game, &(Error){0}) == STATUS_OK && game) {
        games++;
        plies += game->ply_count;
    }
    game_source_close(source);
    ck_assert_int_eq(games, 3);
    ck_assert_int_eq(plies, 17);
}
END_TEST

/* The example in the specification of viriformat. */
static const uint8_t viri_example[] = {
    0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0x16, 0x42, 0x25, 0x61, 0x00, 0x00,
    0x00, 0x00, 0x88, 0x88, 0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9, 0x40, 0x00, 0x01, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x0c, 0x07, 0x0a, 0x00, 0x34, 0x09, 0x14, 0x00, 0xc3, 0x09,
    0xe2, 0xff, 0x3c, 0x0d, 0xff, 0x7f, 0x27, 0x09, 0xff, 0x7f, 0x00, 0x00, 0x00, 0x00};

START_TEST(test_viri_example)
{
    static const int scores[] = {10, 20, -30, SCORE_UNKNOWN, SCORE_UNKNOWN};
    /* an extension before the game */
    uint8_t file[16 + sizeof viri_example] = {0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0};
    char *again = NULL;
    size_t size;
    int64_t positions = 0;
    const GameRecord *game;
    Error err = {0};
    const char *path = temporary("example.viri");

    memcpy(file + 16, viri_example, sizeof viri_example);
    write_bytes(path, file, sizeof file);
    GameSource *source = viri_open(path, &err);
    ck_assert_ptr_nonnull(source);
    ck_assert_msg(game_source_next(source, &game, &err) == STATUS_OK, "%s", err.text);
    ck_assert_ptr_nonnull(game);
    ck_assert_str_eq(game->start_fen, START_FEN);
    ck_assert_int_eq(game->ply_count, 5);
    ck_assert_int_eq(game->reason, REASON_CHECKMATE);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(game->plies[i].score, scores[i]);
    FILE *out = open_memstream(&again, &size);
    export_game(game_format_find("viri", &(Error){0}), game, NULL, out, &positions);
    (void)fclose(out);
    ck_assert_uint_eq(size, sizeof viri_example);
    ck_assert_mem_eq(again, viri_example, size);
    free(again);
    game_source_close(source);
}
END_TEST

/* The published layout of bulletformat with Black to move: the board is mirrored. */
START_TEST(test_bullet_layout)
{
    GamePly plies[2] = {{make_move(60, 61, MOVE_QUIET), -77}, {0, 0}};
    GameRecord game = {.start_fen = "4k3/8/8/2q5/8/8/P7/K7 b - - 0 1",
                       .result = RESULT_WHITE_WINS,
                       .ply_count = 1,
                       .plies = plies};
    static const uint8_t expected[32] = {
        /* mirrored: black king e1, queen c4; white pawn a7, king a8 */
        0x10, 0, 0, 0x04, 0, 0, 0x01, 0x01, 4 << 4 | 5, 13 << 4 | 8, 0, 0, 0, 0, 0, 0,
        0,    0, 0, 0,    0, 0, 0,    0,    77,         0,           0, 4, 0, 0, 0, 0};
    char *text = NULL;
    size_t size;
    int64_t positions = 0;

    FILE *out = open_memstream(&text, &size);
    export_game(game_format_find("bullet", &(Error){0}), &game, NULL, out, &positions);
    plies[0].score = SCORE_UNKNOWN; /* cannot be written */
    export_game(game_format_find("bullet", &(Error){0}), &game, NULL, out, &positions);
    (void)fclose(out);
    ck_assert_int_eq(positions, 1);
    ck_assert_uint_eq(size, sizeof expected);
    for (int i = 0; i < 32; i++)
        ck_assert_msg((uint8_t)text[i] == expected[i], "byte %d: %d", i, (uint8_t)text[i]);
    free(text);
}
END_TEST

#define PLAIN(fen, move, score, result)                                                            \
    "fen " fen "\nmove " move "\nscore " score "\nply 0\nresult " result "\ne\n"
#define KINGS "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"

static const struct {
    const char *format, *text, *part;
} bad[] = {
    {"plain", "hello\n", ":1: not Stockfish's plain text: hello"},
    {"plain", "\n\nfen x\nmove e2e4\nscore 1\nresult 0\ne\n", ":3: FEN"},
    {"plain", "fen " KINGS "\nmove e2e4\nscore 1\nply 0\nresult 0\ne\n", ":1: move \"e2e4\""},
    {"plain", "fen " KINGS "\nscore x\ne\n", ":2: \"x\" is not a number"},
    {"plain", "fen " KINGS "\nscore 99999\ne\n", ":2: \"99999\" is not a number from -32002 to"},
    {"plain", "fen " KINGS "\nmove e1d1\nscore 1\nresult 2\ne\n", ":4: \"2\" is not a number"},
    {"plain", "fen " KINGS "\nmove e1d1\nresult 0\ne\n", ":1: a position without score"},
    {"plain", "fen " KINGS "\nmove e1d1\nscore 1\n", ":4: the file ends within a position"},
    {"plain", PLAIN("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "5", "-1"),
     ":1: the game ends by checkmate, which is 1-0, not 0-1"},
    {"epd", "4k3/8/8/8/8/8/8/R3K3 w Q - id \"a\"; sm Rb1;\n", ":1: no result"},
    {"epd", "#\n \t\n  # a\n4k3/8/8/8/8/8/8/R3K3 w Q - c9 \"1-0\";\n", ":4: no move (opcode sm)"},
    {"epd", "4k3/8/8/8/8/8/8/R3K3 w Q - c9 \"won\"; sm Rb1;\n", "\"won\" is not a result"},
    {"epd", "4k3/8/8/8/8/8/8/R3K3 w Q - c9 \"1-0\"; sm Rb9;\n", "\"Rb9\""},
    {"epd", "hello\n", ":1: not a FEN or EPD position"},
    {"viri", "hello", "cut off: it ends at byte 5"},
    {"binpack", "hello", "cut off: it ends at byte 5"},
    {"binpack", "BINQ0000", ", byte 0: not binpack: no chunk begins here"},
    {"binpack", "BINP0000", "the file ends within the game from byte 8"},
    {"viri", "0123456789012345678901234567890123456789", ", byte 0: not viriformat: result 48"},
};

START_TEST(test_bad)
{
    const GameFormat *format = game_format_find(bad[_i].format, &(Error){0});
    const char *path = temporary("bad");
    const GameRecord *game;
    Error err = {0};

    support_write_file(path, bad[_i].text);
    GameSource *source = format->open(path, &err);
    ck_assert_ptr_nonnull(source);
    ck_assert_int_eq(game_source_next(source, &game, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_null(game);
    ck_assert_msg(strstr(err.text, bad[_i].part) && strstr(err.text, path), "%s", err.text);
    game_source_close(source);
}
END_TEST

/* Any changed byte of a good file gives games or errors, and the reader ends. */
START_TEST(test_damage)
{
    static Library library;
    const GameFormat *format = &game_formats[_i];
    const char *path = temporary("damaged");
    char *text = NULL;
    size_t size;
    int64_t positions = 0;
    Pcg rng;

    if (!format->open) return;
    pcg_seed(&rng, 5, (uint64_t)_i);
    fill(&library);
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < 8; i++)
        export_game(format, &library.games[i], NULL, out, &positions);
    (void)fclose(out);
    for (int trial = 0; trial < 200; trial++) {
        size_t at = pcg_below(&rng, (uint32_t)size);
        char was = text[at];
        const GameRecord *game;
        Error err = {0};
        text[at] = (char)pcg_below(&rng, 256);
        write_bytes(path, text, trial % 4 ? size : at);
        text[at] = was;
        GameSource *source = format->open(path, &err);
        for (size_t calls = 0; source; calls++) {
            ck_assert_uint_lt(calls, size);
            Status status = game_source_next(source, &game, &err);
            if (status == STATUS_OK && !game) break;
            if (status == STATUS_OK)
                ck_assert_int_eq(replay_check(game, &(Error){0}), STATUS_OK);
            else
                ck_assert_msg(status == STATUS_BAD_INPUT && strstr(err.text, path), "%s", err.text);
        }
        game_source_close(source);
    }
    free(text);
}
END_TEST

START_TEST(test_names)
{
    Error err = {0};

    ck_assert_str_eq(game_format_of("a/b.pgn", true)->name, "pgn");
    ck_assert_str_eq(game_format_of("x.viri.zst", false)->name, "viri");
    ck_assert_str_eq(game_format_of(".plain", false)->name, "plain");
    ck_assert_ptr_null(game_format_of("pgn", true));
    ck_assert_ptr_null(game_format_of("x.zst", true));
    ck_assert_str_eq(game_format_of("1.1.0.pgn.bz2", true)->name, "pgn");
    ck_assert_str_eq(game_format_of("1.1.0.pgn.xz", true)->name, "pgn");
    ck_assert_ptr_null(game_format_of("1.1.0.pgn.bz2", false));
    ck_assert_str_eq(game_format_of("a.plain.gz", true)->name, "plain");
    ck_assert_ptr_null(game_format_of("a.plain.gz", false));
    ck_assert_ptr_null(game_format_find("xyz", &err));
    ck_assert_ptr_nonnull(strstr(err.text, "unknown format \"xyz\": use one of pgn, epd, "));
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");
    int formats = 0;

    while (game_formats[formats].name)
        formats++;
    ADD_TESTS(c, test_viri_example, test_bullet_layout, test_names);
    tcase_add_loop_test(c, test_round_trip, 0, formats);
    tcase_add_loop_test(c, test_gaps, 0, 2);
    tcase_add_loop_test(c, test_bad, 0, sizeof bad / sizeof *bad);
    tcase_add_loop_test(c, test_damage, 0, formats);
    return support_run(c);
}
