/* SPDX-License-Identifier: MIT
 * The store: what goes in comes out, runs resume and merge, and damage is refused in words. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store.h"
#include "tests/support.h"

enum { PLIES = 80 };

static char dir[128];
static Error err; /* of the last call that failed */

static void setup(void)
{
    (void)snprintf(dir, sizeof dir, "%s", support_temp_dir());
}

/* A path in the test's directory; several may be in use at once. */
static const char *at(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

static Store *must_open(const char *name, StoreMode mode)
{
    Store *store = store_open(at(name), mode, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    return store;
}

#define MUST(call)                                                                                 \
    do {                                                                                           \
        Status status_ = (call);                                                                   \
        ck_assert_msg(status_ == STATUS_OK, "%s: %s", #call, err.text);                            \
    } while (0)

static RunRecord make_run(uint64_t seed)
{
    RunRecord run = {.kind = RUN_SELFPLAY,
                     .config = "{\"nodes\":5000}",
                     .seed = seed,
                     .generation = -1,
                     .label = "test",
                     .program = "0.1.0"};
    run_identify(&run);
    return run;
}

/* Game `no`: any numbers will do, for the store knows no chess. `salt` makes another game of it. */
static GameRecord make_game(int64_t no, int salt, GamePly plies[PLIES])
{
    GameRecord game = {.game_no = no,
                       .opening_no = no / 2,
                       .result = (GameResult)(no % 3),
                       .reason = (GameReason)(1 + no % 13),
                       .white = (int)(no % 2),
                       .black = (int)(1 - no % 2),
                       .nodes = 1000 * no + 7,
                       .ply_count = (int)(PLIES - no % 40),
                       .plies = plies};
    (void)snprintf(game.start_fen, sizeof game.start_fen, "start of game %d", (int)no);
    for (int i = 0; i < game.ply_count; i++)
        plies[i] = (GamePly){.move = (uint16_t)(no * 31 + i * 7 + salt),
                             .score = (int16_t)(i % 2 ? -i * 400 : i * 400)};
    return game;
}

static void make_rows(const GameRecord *game, PositionRow rows[PLIES])
{
    for (int i = 0; i < game->ply_count; i++) {
        rows[i] = (PositionRow){.ply = i,
                                .score = i == 3 ? SCORE_UNKNOWN : -10 * i,
                                .move = "e7e8q",
                                .flags = (unsigned)i % 16};
        (void)snprintf(rows[i].fen, sizeof rows[i].fen, "position %d of game %d", i,
                       (int)game->game_no);
    }
}

static void put_game(Store *store, int64_t run_id, int64_t no, bool with_rows)
{
    GamePly plies[PLIES];
    PositionRow rows[PLIES];
    GameRecord game = make_game(no, 0, plies);
    make_rows(&game, rows);
    MUST(store_put_game(store, run_id, &game, with_rows ? rows : NULL, &err));
}

/* Games [first, last) of the run with this seed, in one transaction. */
static int64_t put_games(Store *store, uint64_t seed, int64_t first, int64_t last, bool with_rows)
{
    RunRecord run = make_run(seed);
    MUST(store_begin(store, &err));
    MUST(store_open_run(store, &run, NULL, &err));
    for (int64_t no = first; no < last; no++)
        put_game(store, run.run_id, no, with_rows);
    MUST(store_commit(store, &err));
    return run.run_id;
}

static const char *digest(Store *store)
{
    static char texts[4][HASH_HEX_MAX];
    static int next;
    char *text = texts[next++ % 4];
    MUST(store_digest(store, 0, text, &err));
    return text;
}

static void make_database(const char *name, uint64_t seed, int64_t first, int64_t last)
{
    Store *store = must_open(name, STORE_CREATE);
    (void)put_games(store, seed, first, last, true);
    store_close(store);
}

static int64_t count_rows(Store *store, const char *table)
{
    char sql[128], *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    MUST(store_sql(store, sql, false, out, &err));
    ck_assert_int_eq(fclose(out), 0);
    int64_t count = atoll(text);
    free(text);
    return count;
}

/* Opening must fail with this status and a sentence that has `word`, and leave the file alone. */
static void expect_refusal(const char *name, StoreMode mode, Status status, const char *word)
{
    struct stat before = {0}, after = {0};
    char *bytes = NULL;
    bool exists = stat(at(name), &before) == 0 && S_ISREG(before.st_mode);

    if (exists) bytes = support_read_file(at(name));
    Store *store = store_open(at(name), mode, &err);
    ck_assert_msg(store == NULL, "%s was opened", name);
    ck_assert_int_eq(err.status, status);
    ck_assert_msg(strstr(err.text, word) != NULL, "'%s' does not say '%s'", err.text, word);
    ck_assert_msg(strstr(err.text, name) != NULL, "'%s' does not name the file", err.text);
    if (exists) {
        char *now = support_read_file(at(name));
        ck_assert_int_eq(stat(at(name), &after), 0);
        ck_assert_int_eq(after.st_size, before.st_size);
        ck_assert_int_eq(memcmp(now, bytes, (size_t)before.st_size), 0);
        free(now);
    }
    free(bytes);
}

/* Overwrites bytes in the middle of a file. */
static void patch(const char *name, long offset, const void *bytes, size_t size)
{
    FILE *file = fopen(at(name), "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

/* ---- Records */

START_TEST(sha256_matches_the_standard)
{
    char hex[HASH_HEX_MAX];
    sha256_hex("abc", 3, hex); /* FIPS 180-4's example */
    ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
END_TEST

START_TEST(run_identity_is_content)
{
    RunRecord a = make_run(1), b = make_run(1);
    ck_assert_uint_eq(strlen(a.uuid), 36);
    ck_assert_int_eq(a.uuid[14], '8');
    ck_assert(strchr("89ab", a.uuid[19]) != NULL);
    (void)strcpy(b.label, "another label");
    (void)strcpy(b.program, "9.9");
    run_identify(&b);
    ck_assert_str_eq(a.uuid, b.uuid);

    RunRecord changed[5] = {a, a, a, a, a};
    changed[0].seed = 2;
    changed[1].generation = 0;
    changed[2].config = "{\"nodes\":5001}";
    changed[3].kind = RUN_GAUNTLET;
    memset(changed[4].weights[1], 'a', 64);
    for (int i = 0; i < 5; i++) {
        run_identify(&changed[i]);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(changed[i].uuid, changed[j].uuid);
        ck_assert_str_ne(changed[i].uuid, a.uuid);
    }
}
END_TEST

START_TEST(reason_names_are_those_of_the_table)
{
    Store *store = must_open("a.db", STORE_CREATE);
    char *text = NULL, expected[512] = "";
    size_t size;
    FILE *out = open_memstream(&text, &size);
    MUST(store_sql(store, "SELECT reason, name FROM reasons ORDER BY reason", false, out, &err));
    (void)fclose(out);
    for (int reason = 1; reason <= REASON_TABLEBASE; reason++)
        (void)snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%d|%s\n",
                       reason, reason_name((GameReason)reason));
    ck_assert_str_eq(text, expected);
    ck_assert_str_eq(reason_name((GameReason)0), "unknown");
    ck_assert_str_eq(reason_name((GameReason)14), "unknown");
    free(text);
    store_close(store);
}
END_TEST

/* ---- Round trips */

START_TEST(games_come_back)
{
    Store *store = must_open("a.db", STORE_CREATE);
    int64_t run_id = put_games(store, 1, 0, 50, false), game_id, from_run;
    const GameRecord *game;

    GameCursor *cursor = store_read_games(store, NULL, 0, RUN_SELFPLAY, NULL);
    ck_assert_ptr_nonnull(cursor);
    for (int64_t no = 0; no < 50; no++) {
        GamePly plies[PLIES];
        GameRecord expected = make_game(no, 0, plies);
        MUST(game_cursor_next(cursor, &game, &game_id, &from_run, &err));
        ck_assert_ptr_nonnull(game);
        ck_assert_int_eq(from_run, run_id);
        ck_assert_int_eq(game->game_no, no);
        ck_assert_int_eq(game->opening_no, expected.opening_no);
        ck_assert_str_eq(game->start_fen, expected.start_fen);
        ck_assert_int_eq(game->result, expected.result);
        ck_assert_int_eq(game->reason, expected.reason);
        ck_assert_int_eq(game->white, expected.white);
        ck_assert_int_eq(game->black, expected.black);
        ck_assert_int_eq(game->nodes, expected.nodes);
        ck_assert_int_eq(game->ply_count, expected.ply_count);
        for (int i = 0; i < game->ply_count; i++) {
            ck_assert_uint_eq(game->plies[i].move, plies[i].move);
            ck_assert_int_eq(game->plies[i].score, plies[i].score);
        }
    }
    MUST(game_cursor_next(cursor, &game, &game_id, &from_run, &err));
    ck_assert_ptr_null(game);
    game_cursor_close(cursor);
    store_close(store);
}
END_TEST

START_TEST(the_file_alone_is_the_database)
{
    make_database("a.db", 1, 0, 5);
    make_database("b.db", 1, 5, 9);
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
        int64_t added;
        Store *store = must_open("a.db", (StoreMode)mode);
        (void)digest(store);
        if (mode != STORE_READ) MUST(store_merge(store, at("b.db"), &added, &err));
        store_close(store);
        for (int i = 0; i < 4; i++) {
            static const char *const beside[] = {"a.db-wal", "a.db-shm", "b.db-wal", "b.db-shm"};
            ck_assert_msg(access(at(beside[i]), F_OK) != 0, "%s was left behind", beside[i]);
        }
    }
}
END_TEST

START_TEST(readers_do_not_write)
{
    make_database("a.db", 1, 0, 5);
    Store *store = must_open("a.db", STORE_READ);
    RunRecord run = make_run(2);
    ck_assert_int_eq(store_open_run(store, &run, NULL, &err), STATUS_DATABASE);
    ck_assert_int_eq(store_finish_run(store, 1, &err), STATUS_DATABASE);
    store_close(store);
}
END_TEST

START_TEST(an_empty_game_is_a_game)
{
    Store *store = must_open("a.db", STORE_CREATE);
    RunRecord run = make_run(1);
    GameRecord game = {.start_fen = "mate on the board", .reason = REASON_CHECKMATE};
    const GameRecord *read;
    MUST(store_begin(store, &err));
    MUST(store_open_run(store, &run, NULL, &err));
    MUST(store_put_game(store, run.run_id, &game, NULL, &err));
    MUST(store_put_game(store, run.run_id, &game, NULL, &err));
    MUST(store_commit(store, &err));
    GameCursor *cursor = store_read_games(store, NULL, 0, 0, NULL);
    MUST(game_cursor_next(cursor, &read, NULL, NULL, &err));
    ck_assert_int_eq(read->ply_count, 0);
    game_cursor_close(cursor);
    store_close(store);
}
END_TEST

START_TEST(positions_come_back)
{
    Store *store = must_open("a.db", STORE_CREATE);
    int64_t run_id = put_games(store, 1, 0, 3, true), game_id = 0;
    PositionRow *rows, expected[PLIES];
    GamePly plies[PLIES];
    GameRecord game = make_game(2, 0, plies);
    const GameRecord *read;
    int count;

    make_rows(&game, expected);
    GameCursor *cursor = store_read_games(store, &run_id, 1, 0, NULL);
    for (int i = 0; i < 3; i++)
        MUST(game_cursor_next(cursor, &read, &game_id, NULL, &err));
    game_cursor_close(cursor);

    MUST(store_get_positions(store, game_id, &rows, &count, &err));
    ck_assert_int_eq(count, game.ply_count);
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(rows[i].ply, i);
        ck_assert_str_eq(rows[i].fen, expected[i].fen);
        ck_assert_int_eq(rows[i].score, expected[i].score);
        ck_assert_str_eq(rows[i].move, expected[i].move);
        ck_assert_uint_eq(rows[i].flags, expected[i].flags);
    }
    MUST(store_put_positions(store, game_id, rows, 5, &err)); /* replaces */
    free(rows);
    MUST(store_get_positions(store, game_id, &rows, &count, &err));
    ck_assert_int_eq(count, 5);
    free(rows);
    MUST(store_get_positions(store, 999, &rows, &count, &err));
    ck_assert_int_eq(count, 0);
    ck_assert_ptr_null(rows);
    store_close(store);
}
END_TEST

START_TEST(weights_and_runs_come_back)
{
    Store *store = must_open("a.db", STORE_CREATE);
    char a[HASH_HEX_MAX], b[HASH_HEX_MAX];
    bool created;
    RunRecord *runs;
    int count;

    sha256_hex("a", 1, a);
    sha256_hex("b", 1, b);
    RunRecord run = make_run(UINT64_MAX - 1);
    run.kind = RUN_GAUNTLET;
    run.generation = 3;
    (void)strcpy(run.weights[0], a);
    (void)strcpy(run.weights[1], b);
    run_identify(&run);
    /* Provenance must not point into nothing. */
    ck_assert_int_eq(store_open_run(store, &run, &created, &err), STATUS_FAILED);
    ck_assert_ptr_nonnull(strstr(err.text, a));
    ck_assert_int_eq(store_put_weights(store, b, "child", "text b", a, &err), STATUS_FAILED);

    MUST(store_put_weights(store, a, "parent", "text a", NULL, &err));
    MUST(store_put_weights(store, b, "child", "text b", a, &err));
    MUST(store_put_weights(store, b, "child", "text b", a, &err));
    char *text = store_get_weights(store, b, &err);
    ck_assert_str_eq(text, "text b");
    free(text);
    ck_assert_ptr_null(store_get_weights(store, "no such hash", &err));

    MUST(store_open_run(store, &run, &created, &err));
    ck_assert(created);
    RunRecord again = run;
    again.run_id = 0;
    MUST(store_open_run(store, &again, &created, &err));
    ck_assert(!created);
    ck_assert_int_eq(again.run_id, run.run_id);
    MUST(store_finish_run(store, run.run_id, &err));

    MUST(store_list_runs(store, RUN_GAUNTLET, &runs, &count, &err));
    ck_assert_int_eq(count, 1);
    ck_assert_str_eq(runs[0].uuid, run.uuid);
    ck_assert_str_eq(runs[0].config, run.config);
    ck_assert_str_eq(runs[0].weights[0], a);
    ck_assert_str_eq(runs[0].weights[1], b);
    ck_assert(runs[0].seed == run.seed);
    ck_assert_int_eq(runs[0].generation, 3);
    ck_assert_int_eq(runs[0].kind, RUN_GAUNTLET);
    ck_assert_uint_eq(strlen(runs[0].finished), 20);
    store_free_runs(runs, count);
    MUST(store_list_runs(store, RUN_SELFPLAY, &runs, &count, &err));
    ck_assert_int_eq(count, 0);
    store_close(store);
}
END_TEST

START_TEST(generations_advance)
{
    Store *store = must_open("a.db", STORE_CREATE);
    char stage[32], best[HASH_HEX_MAX], a[HASH_HEX_MAX], *json;
    int generation;

    MUST(store_last_generation(store, &generation, stage, best, &json, &err));
    ck_assert_int_eq(generation, -1);
    ck_assert_ptr_null(json);
    sha256_hex("a", 1, a);
    MUST(store_put_weights(store, a, "a", "text", NULL, &err));
    MUST(store_put_generation(store, 0, "selfplay", "", "{}", &err));
    MUST(store_put_generation(store, 1, "selfplay", a, "{}", &err));
    MUST(store_put_generation(store, 1, "tuned", a, "{\"k\":1}", &err));
    MUST(store_last_generation(store, &generation, stage, best, &json, &err));
    ck_assert_int_eq(generation, 1);
    ck_assert_str_eq(stage, "tuned");
    ck_assert_str_eq(best, a);
    ck_assert_str_eq(json, "{\"k\":1}");
    free(json);
    MUST(store_get_generation(store, 0, stage, &json, &err));
    ck_assert_str_eq(json, "{}");
    free(json);
    MUST(store_get_generation(store, 7, stage, &json, &err));
    ck_assert_ptr_null(json);

    MUST(store_put_fit(store, a, NULL, "digest", "{}", &err));
    RunRecord run = make_run(1);
    MUST(store_open_run(store, &run, NULL, &err));
    GauntletRow row = {.run_id = run.run_id, .state = "running", .json = "{}"};
    MUST(store_put_gauntlet(store, &row, &err));
    row.state = "finished";
    MUST(store_put_gauntlet(store, &row, &err));
    ck_assert_int_eq(count_rows(store, "gauntlets WHERE state = 'finished'"), 1);
    ck_assert_int_eq(count_rows(store, "fits"), 1);
    store_close(store);
}
END_TEST

START_TEST(counts_add_up)
{
    Store *store = must_open("a.db", STORE_CREATE);
    GameCounts counts, all;
    int64_t run_id = put_games(store, 1, 0, 26, false);
    (void)put_games(store, 2, 0, 3, false);
    MUST(store_count_games(store, run_id, &counts, &err));
    MUST(store_count_games(store, 0, &all, &err));
    ck_assert_int_eq(counts.games, 26);
    ck_assert_int_eq(all.games, 29);
    ck_assert_int_eq(counts.losses, 9); /* numbers divisible by 3 */
    ck_assert_int_eq(counts.draws, 9);
    ck_assert_int_eq(counts.wins, 8);
    ck_assert_int_eq(counts.reasons[REASON_TABLEBASE], 2);
    ck_assert_int_eq(counts.plies, 26 * PLIES - 25 * 26 / 2);
    store_close(store);
}
END_TEST

/* ---- Resuming */

START_TEST(presence_tells_what_is_missing)
{
    Store *store = must_open("a.db", STORE_CREATE);
    bool present[10];
    (void)put_games(store, 1, 3, 5, false);
    int64_t run_id = put_games(store, 1, 7, 8, false);
    (void)put_games(store, 2, 0, 10, false); /* another run */
    MUST(store_games_present(store, run_id, 2, 10, present, &err));
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(present[i], i == 1 || i == 2 || i == 5);
    store_close(store);
}
END_TEST

START_TEST(a_game_twice_is_one_game)
{
    Store *store = must_open("a.db", STORE_CREATE);
    (void)put_games(store, 1, 0, 10, true);
    (void)put_games(store, 1, 0, 12, true);
    ck_assert_int_eq(count_rows(store, "games"), 12);
    store_close(store);
}
END_TEST

START_TEST(a_different_game_is_refused)
{
    Store *store = must_open("a.db", STORE_CREATE);
    int64_t run_id = put_games(store, 1, 0, 3, true);
    GamePly plies[PLIES];

    for (int what = 0; what < 4; what++) {
        GameRecord game = make_game(1, what == 0, plies);
        if (what == 1) game.nodes++;
        if (what == 2) game.result = RESULT_WHITE_WINS;
        if (what == 3) plies[game.ply_count - 1].score++;
        MUST(store_begin(store, &err));
        ck_assert_int_eq(store_put_game(store, run_id, &game, NULL, &err), STATUS_FAILED);
        ck_assert_ptr_nonnull(strstr(err.text, "game 1 of run"));
        store_rollback(store);
    }
    store_close(store);
}
END_TEST

START_TEST(rollback_forgets)
{
    Store *store = must_open("a.db", STORE_CREATE);
    int64_t run_id = put_games(store, 1, 0, 3, true);
    const char *before = digest(store);
    MUST(store_begin(store, &err));
    put_game(store, run_id, 3, true);
    store_rollback(store);
    store_rollback(store); /* harmless */
    ck_assert_str_eq(digest(store), before);
    ck_assert_int_eq(count_rows(store, "games"), 3);
    store_close(store);
}
END_TEST

/* ---- Digest and merge */

START_TEST(digest_does_not_depend_on_order)
{
    Store *a = must_open("a.db", STORE_CREATE), *b = must_open("b.db", STORE_CREATE);
    (void)put_games(a, 1, 0, 20, true);
    (void)put_games(a, 2, 0, 5, false);
    (void)put_games(b, 2, 3, 5, false);
    (void)put_games(b, 1, 10, 20, false);
    (void)put_games(b, 3, 0, 0, false); /* a run without games: nothing was played */
    (void)put_games(b, 1, 0, 10, true);
    ck_assert_str_ne(digest(a), digest(b));
    int64_t run_id = put_games(b, 2, 0, 3, false);
    MUST(store_finish_run(b, run_id, &err));
    ck_assert_str_eq(digest(a), digest(b));
    (void)put_games(b, 4, 0, 1, false);
    ck_assert_str_ne(digest(a), digest(b));
    store_close(a);
    store_close(b);
}
END_TEST

START_TEST(digest_sees_every_field)
{
    enum { CHANGES = 10 };
    char texts[CHANGES][HASH_HEX_MAX];

    for (int what = 0; what < CHANGES; what++) {
        GamePly plies[PLIES];
        GameRecord game = make_game(4, 0, plies);
        switch (what) {
        case 1:
            game.game_no++;
            break;
        case 2:
            game.opening_no++;
            break;
        case 3:
            game.result = game.result == RESULT_DRAW ? RESULT_WHITE_WINS : RESULT_DRAW;
            break;
        case 4:
            game.reason = REASON_CRASH;
            break;
        case 5:
            game.white = 1 - game.white;
            break;
        case 6:
            game.black = 1 - game.black;
            break;
        case 7:
            game.nodes++;
            break;
        case 8:
            game.start_fen[0] = 'S';
            break;
        case 9:
            plies[game.ply_count - 1].score++;
            break;
        default:
            break;
        }
        char name[32];
        (void)snprintf(name, sizeof name, "%d.db", what);
        Store *store = must_open(name, STORE_CREATE);
        RunRecord run = make_run(1);
        MUST(store_begin(store, &err));
        MUST(store_open_run(store, &run, NULL, &err));
        MUST(store_put_game(store, run.run_id, &game, NULL, &err));
        MUST(store_commit(store, &err));
        MUST(store_digest(store, 0, texts[what], &err));
        store_close(store);
        for (int i = 0; i < what; i++)
            ck_assert_msg(strcmp(texts[i], texts[what]) != 0, "changes %d and %d", i, what);
    }
}
END_TEST

START_TEST(games_need_their_run)
{
    Store *store = must_open("a.db", STORE_CREATE);
    GamePly plies[PLIES];
    GameRecord game = make_game(0, 0, plies);
    MUST(store_begin(store, &err));
    ck_assert_int_eq(store_put_game(store, 77, &game, NULL, &err), STATUS_DATABASE);
    store_rollback(store);
    store_close(store);
}
END_TEST

START_TEST(digest_by_kind)
{
    Store *store = must_open("a.db", STORE_CREATE);
    char selfplay[HASH_HEX_MAX], again[HASH_HEX_MAX];
    (void)put_games(store, 1, 0, 3, false);
    MUST(store_digest(store, RUN_SELFPLAY, selfplay, &err));
    RunRecord run = make_run(1);
    run.kind = RUN_GAUNTLET;
    run_identify(&run);
    MUST(store_begin(store, &err));
    MUST(store_open_run(store, &run, NULL, &err));
    put_game(store, run.run_id, 0, false);
    MUST(store_commit(store, &err));
    MUST(store_digest(store, RUN_SELFPLAY, again, &err));
    ck_assert_str_eq(selfplay, again);
    ck_assert_str_ne(digest(store), selfplay);
    store_close(store);
}
END_TEST

START_TEST(merged_halves_are_the_whole)
{
    int64_t added;
    make_database("whole.db", 1, 0, 40);
    make_database("left.db", 1, 0, 25);
    make_database("right's #2%?.db", 1, 20, 40); /* overlaps, and has a name that hurts */

    Store *store = must_open("left.db", STORE_WRITE);
    MUST(store_merge(store, at("right's #2%?.db"), &added, &err));
    ck_assert_int_eq(added, 15);
    MUST(store_merge(store, at("right's #2%?.db"), &added, &err));
    ck_assert_int_eq(added, 0);
    Store *whole = must_open("whole.db", STORE_READ);
    ck_assert_str_eq(digest(store), digest(whole));
    ck_assert_int_eq(count_rows(store, "positions"), count_rows(whole, "positions"));
    ck_assert_int_eq(count_rows(store, "runs"), 1);
    MUST(store_check(store, &err));
    store_close(store);
    store_close(whole);
}
END_TEST

START_TEST(merge_brings_provenance)
{
    char a[HASH_HEX_MAX], b[HASH_HEX_MAX];
    int64_t added;
    RunRecord *runs;
    int count;

    sha256_hex("a", 1, a);
    sha256_hex("b", 1, b);
    Store *from = must_open("from.db", STORE_CREATE), *into = must_open("into.db", STORE_CREATE);
    MUST(store_put_weights(from, a, "a", "text a", NULL, &err));
    MUST(store_put_weights(from, b, "b", "text b", a, &err));
    MUST(store_put_weights(into, b, "b", "text b", NULL, &err)); /* other row number, no parent */
    RunRecord run = make_run(1);
    (void)strcpy(run.weights[0], b);
    run_identify(&run);
    MUST(store_begin(from, &err));
    MUST(store_open_run(from, &run, NULL, &err));
    put_game(from, run.run_id, 0, true);
    MUST(store_put_gauntlet(
        from, &(GauntletRow){.run_id = run.run_id, .state = "finished", .json = "{}"}, &err));
    MUST(store_put_fit(from, b, a, "digest", "{}", &err));
    MUST(store_commit(from, &err));
    for (int i = 0; i < 2; i++)
        MUST(store_merge(into, at("from.db"), &added, &err));
    MUST(store_list_runs(into, 0, &runs, &count, &err));
    ck_assert_int_eq(count, 1);
    ck_assert_str_eq(runs[0].weights[0], b);
    store_free_runs(runs, count);
    ck_assert_int_eq(count_rows(into, "weights AS w JOIN weights AS p ON p.weights_id = w.parent_id"
                                      " WHERE w.label = 'b' AND p.label = 'a'"),
                     1);
    ck_assert_int_eq(count_rows(into, "gauntlets"), 1);
    ck_assert_int_eq(count_rows(into, "fits"), 1);
    ck_assert_str_eq(digest(into), digest(from));
    store_close(from);
    store_close(into);
}
END_TEST

START_TEST(merge_adds_missing_positions)
{
    int64_t added;
    Store *compact = must_open("compact.db", STORE_CREATE);
    (void)put_games(compact, 1, 0, 10, false);
    make_database("full.db", 1, 0, 5);
    MUST(store_merge(compact, at("full.db"), &added, &err));
    ck_assert_int_eq(added, 0);
    ck_assert_int_eq(count_rows(compact, "(SELECT DISTINCT game_id FROM positions)"), 5);
    MUST(store_check(compact, &err));
    store_close(compact);
}
END_TEST

START_TEST(merge_refuses_contradictions)
{
    int64_t added;
    GamePly plies[PLIES];

    make_database("into.db", 1, 0, 5);
    Store *from = must_open("from.db", STORE_CREATE);
    int64_t run_id = put_games(from, 1, 5, 10, true);
    GameRecord game = make_game(3, 1, plies);
    MUST(store_begin(from, &err));
    MUST(store_put_game(from, run_id, &game, NULL, &err));
    MUST(store_commit(from, &err));
    store_close(from);

    Store *into = must_open("into.db", STORE_WRITE);
    const char *before = digest(into);
    ck_assert_int_eq(store_merge(into, at("from.db"), &added, &err), STATUS_FAILED);
    ck_assert_ptr_nonnull(strstr(err.text, "game 3 of run"));
    ck_assert_int_eq(added, 0);
    ck_assert_str_eq(digest(into), before);
    ck_assert_int_eq(store_merge(into, at("into.db"), &added, &err), STATUS_BAD_INPUT);
    ck_assert_int_eq(store_merge(into, at("absent.db"), &added, &err), STATUS_BAD_INPUT);
    store_close(into);
}
END_TEST

/* ---- Files that are not what they should be */

START_TEST(missing_and_empty_files)
{
    expect_refusal("absent.db", STORE_READ, STATUS_BAD_INPUT, "no such file");
    expect_refusal("absent.db", STORE_WRITE, STATUS_BAD_INPUT, "no such file");
    ck_assert_int_ne(access(at("absent.db"), F_OK), 0);
    support_write_file(at("empty.db"), "");
    expect_refusal("empty.db", STORE_READ, STATUS_DATABASE, "empty");
    store_close(must_open("empty.db", STORE_CREATE)); /* may become ours */
    store_close(must_open("empty.db", STORE_READ));
    ck_assert_ptr_null(store_open("", STORE_CREATE, &err));
    ck_assert_int_eq(err.status, STATUS_BAD_INPUT);
    expect_refusal("no/such/directory.db", STORE_CREATE, STATUS_DATABASE, "cannot be opened");
}
END_TEST

START_TEST(foreign_files_are_left_alone)
{
    support_write_file(at("text.db"), "this is a letter to my aunt, and no database at all\n");
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
        expect_refusal("text.db", (StoreMode)mode, STATUS_DATABASE, "not a SQLite database");
        expect_refusal(".", (StoreMode)mode, STATUS_DATABASE, "directory");
    }
    /* Ours, with another program's application_id: offset 68 of SQLite's header. */
    make_database("other.db", 1, 0, 1);
    patch("other.db", 68, "\x0f\x05\x51\x12", 4);
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
        expect_refusal("other.db", (StoreMode)mode, STATUS_DATABASE, "another program");
    /* Most programs leave application_id 0. */
    make_database("zero.db", 1, 0, 1);
    patch("zero.db", 68, "\0\0\0", 4);
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
        expect_refusal("zero.db", (StoreMode)mode, STATUS_DATABASE, "another program");
}
END_TEST

START_TEST(newer_versions_are_left_alone)
{
    make_database("newer.db", 1, 0, 1);
    patch("newer.db", 60, "\0\0\0\x63", 4); /* user_version 99 */
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
        expect_refusal("newer.db", (StoreMode)mode, STATUS_DATABASE, "newer Tabia");
    patch("newer.db", 60, "\0\0\0\0", 4); /* a version that never was */
    expect_refusal("newer.db", STORE_READ, STATUS_DATABASE, "older schema");
    expect_refusal("newer.db", STORE_WRITE, STATUS_DATABASE, "migrate");
}
END_TEST

START_TEST(damage_is_found)
{
    struct stat st;
    char zeros[4096] = {0};

    make_database("torn.db", 1, 0, 200);
    Store *store = must_open("torn.db", STORE_READ);
    MUST(store_check(store, &err));
    store_close(store);
    ck_assert_int_eq(stat(at("torn.db"), &st), 0);
    for (long offset = 4096L * (st.st_size / 8192); offset < st.st_size; offset += 4096 * 5)
        patch("torn.db", offset, zeros, sizeof zeros);
    store = must_open("torn.db", STORE_READ);
    ck_assert_int_ne(store_check(store, &err), STATUS_OK);
    ck_assert_ptr_nonnull(strstr(err.text, "torn.db"));
    store_close(store);

    make_database("cut.db", 1, 0, 200);
    ck_assert_int_eq(truncate(at("cut.db"), st.st_size / 2), 0);
    store = store_open(at("cut.db"), STORE_READ, &err); /* SQLite may notice here or there */
    if (store) ck_assert_int_ne(store_check(store, &err), STATUS_OK);
    store_close(store);
}
END_TEST

START_TEST(alterations_are_found)
{
    /* What plain sqlite3 lets anybody do. */
    static const char *const deeds[][2] = {
        {"UPDATE runs SET seed = 5", "altered"},
        {"UPDATE runs SET config = '{}'", "altered"},
        {"DELETE FROM positions WHERE ply = 7 AND game_id = 2", "game 2"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM games WHERE game_id = 2", "positions"},
    };
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        char name[32], command[512];
        (void)snprintf(name, sizeof name, "altered%d.db", (int)i);
        make_database(name, 1, 0, 5);
        (void)snprintf(command, sizeof command, "sqlite3 '%s' \"%s\"", at(name), deeds[i][0]);
        if (system(command) != 0) { /* NOLINT(cert-env33-c) */
            fprintf(stderr, "skipped: no sqlite3 shell\n");
            return;
        }
        Store *store = must_open(name, STORE_READ);
        ck_assert_int_eq(store_check(store, &err), STATUS_FAILED);
        ck_assert_msg(strstr(err.text, deeds[i][1]) != NULL, "%s", err.text);
        store_close(store);
    }
}
END_TEST

/* ---- Questions */

START_TEST(sql_only_reads)
{
    static const char *const forbidden[] = {
        "DELETE FROM games",          "DROP TABLE positions",
        "UPDATE runs SET seed = 1",   "INSERT INTO reasons VALUES (14, 'boredom')",
        "ATTACH 'x.db' AS x",         "BEGIN",
        "PRAGMA user_version = 7",    "PRAGMA journal_mode = DELETE",
        "CREATE TABLE t (x)",         "VACUUM",
        "SELECT 1; DELETE FROM games"};
    Store *store = must_open("a.db", STORE_CREATE);
    (void)put_games(store, 1, 0, 3, true);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        FILE *out = fopen("/dev/null", "w");
        ck_assert_msg(store_sql(store, forbidden[i], false, out, &err) == STATUS_BAD_INPUT, "%s",
                      forbidden[i]);
        ck_assert_str_ne(err.text, "");
        (void)fclose(out);
    }
    ck_assert_int_eq(count_rows(store, "games"), 3);

    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    MUST(store_sql(store,
                   "-- a comment\nSELECT 1 AS one, NULL AS none, x'0aff' AS blob, 'a' AS text;"
                   "SELECT game_no, result, reason FROM results WHERE game_no < 2;",
                   true, out, &err));
    (void)fclose(out);
    ck_assert_str_eq(text, "one|none|blob|text\n1||x'0aff'|a\n"
                           "game_no|result|reason\n0|0-1|checkmate\n1|1/2-1/2|stalemate\n");
    free(text);
    ck_assert_int_eq(store_sql(store, "SELEKT", false, stdout, &err), STATUS_BAD_INPUT);
    store_close(store);
}
END_TEST

START_TEST(views_answer)
{
    Store *store = must_open("a.db", STORE_CREATE);
    char *text = NULL;
    size_t size;
    (void)put_games(store, 1, 0, 6, true);
    FILE *out = open_memstream(&text, &size);
    MUST(store_sql(store,
                   "SELECT games, white_wins, draws, black_wins FROM run_results;"
                   "SELECT ply, avg(score), count(*) FROM scored_positions"
                   " WHERE result = '0-1' GROUP BY ply HAVING ply < 5",
                   false, out, &err));
    (void)fclose(out);
    /* Ply 3 has no score and ply 4 a mate flag. */
    ck_assert_str_eq(text, "6|2|2|2\n0|0.0|2\n1|-10.0|2\n2|-20.0|2\n");
    free(text);
    store_close(store);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("store");
    TCase *c = tcase_create("store");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, sha256_matches_the_standard);
    tcase_add_test(c, run_identity_is_content);
    tcase_add_test(c, reason_names_are_those_of_the_table);
    tcase_add_test(c, games_come_back);
    tcase_add_test(c, the_file_alone_is_the_database);
    tcase_add_test(c, readers_do_not_write);
    tcase_add_test(c, an_empty_game_is_a_game);
    tcase_add_test(c, positions_come_back);
    tcase_add_test(c, weights_and_runs_come_back);
    tcase_add_test(c, generations_advance);
    tcase_add_test(c, counts_add_up);
    tcase_add_test(c, presence_tells_what_is_missing);
    tcase_add_test(c, a_game_twice_is_one_game);
    tcase_add_test(c, a_different_game_is_refused);
    tcase_add_test(c, rollback_forgets);
    tcase_add_test(c, digest_does_not_depend_on_order);
    tcase_add_test(c, digest_sees_every_field);
    tcase_add_test(c, games_need_their_run);
    tcase_add_test(c, digest_by_kind);
    tcase_add_test(c, merged_halves_are_the_whole);
    tcase_add_test(c, merge_brings_provenance);
    tcase_add_test(c, merge_adds_missing_positions);
    tcase_add_test(c, merge_refuses_contradictions);
    tcase_add_test(c, missing_and_empty_files);
    tcase_add_test(c, foreign_files_are_left_alone);
    tcase_add_test(c, newer_versions_are_left_alone);
    tcase_add_test(c, damage_is_found);
    tcase_add_test(c, alterations_are_found);
    tcase_add_test(c, sql_only_reads);
    tcase_add_test(c, views_answer);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return support_run(suite());
}
