/* SPDX-License-Identifier: MIT
 * The schema: upgrades from older versions, players, clock times, the view `about`. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "db/store/schema.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "db/tables/cursor.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/merge.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "db/tables/weights.h"
#include "tests/support/support.h"

static Error err;

#define MUST(call)                                                                                 \
    do {                                                                                           \
        Status status_ = (call);                                                                   \
        ck_assert_msg(status_ == STATUS_OK, "%s: %s", #call, err.text);                            \
    } while (0)

static char *at(const char *dir, const char *name)
{
    size_t size = strlen(dir) + strlen(name) + 2;
    char *path = malloc(size);
    ck_assert_ptr_nonnull(path);
    (void)snprintf(path, size, "%s/%s", dir, name);
    return path;
}

static Store *open_at(const char *dir, const char *name, StoreMode mode)
{
    char *path = at(dir, name);
    Store *store = store_open(path, mode, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    free(path);
    return store;
}

/* The rows of a query as text, freed by the caller. */
static char *ask(Store *store, const char *sql)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    MUST(store_sql(store, sql, false, out, &err));
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static void expect(Store *store, const char *sql, const char *rows)
{
    char *text = ask(store, sql);
    ck_assert_str_eq(text, rows);
    free(text);
}

/* ---- Upgrade */

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *handle;

    ck_assert_int_eq(sqlite3_open(path, &handle), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(handle));
    ck_assert_int_eq(sqlite3_close(handle), SQLITE_OK);
}

static void make_old_file(const char *path, int version)
{
    char sql_path[512];

    const char *source = getenv("TABIA_SOURCE");
    ck_assert_msg(source != NULL, "TABIA_SOURCE is not set");
    (void)snprintf(sql_path, sizeof sql_path, "%s/tests/data/version_%d.sql", source, version);
    char *sql = support_read_file(sql_path);
    run_sql(path, sql);
    free(sql);
}

static int print_row(void *out, int columns, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < columns; i++)
        (void)fprintf(out, "%s|", values[i] ? values[i] : "");
    (void)fputc('\n', out);
    return 0;
}

/* The schema of a database as text, freed by the caller. */
static char *describe(const char *path)
{
    static const char questions[] =
        "SELECT type, name, tbl_name FROM sqlite_schema ORDER BY 1, 2;"
        "SELECT m.name, i.cid, i.name, i.type, i.\"notnull\", i.pk FROM sqlite_schema AS m,"
        " pragma_table_xinfo(m.name) AS i ORDER BY 1, 2;"
        "SELECT m.name, f.\"table\", f.\"from\", f.\"to\" FROM sqlite_schema AS m,"
        " pragma_foreign_key_list(m.name) AS f ORDER BY 1, 2, 3;"
        "SELECT sql FROM sqlite_schema WHERE type = 'view' OR name = 'players' ORDER BY name;"
        "PRAGMA user_version";
    sqlite3 *handle;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(sqlite3_open(path, &handle), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(handle, questions, print_row, out, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(handle));
    ck_assert_int_eq(sqlite3_close(handle), SQLITE_OK);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

/* An upgraded database has the columns and views of a new one. */
static void same_schema(const char *dir, const char *name)
{
    char *path = at(dir, name), *fresh = at(dir, "fresh.db");

    store_close(open_at(dir, "fresh.db", STORE_CREATE));
    char *expected = describe(fresh), *found = describe(path);
    ck_assert_str_eq(found, expected);
    free(expected);
    free(found);
    free(path);
    free(fresh);
}

START_TEST(old_files_are_brought_up_to_date)
{
    const char *dir = support_temp_dir();
    char *path = at(dir, "old.db"), digest[HASH_HEX_MAX], again[HASH_HEX_MAX];
    char copied[HASH_HEX_MAX];
    int version = _i ? _i : 2;

    make_old_file(path, version);
    if (_i == 0) /* as the first builds of version 2 made them */
        run_sql(path, "ALTER TABLE games DROP COLUMN varied");
    Store *store = open_at(dir, "old.db", STORE_READ);
    expect(store, "SELECT count(*) FROM standings WHERE run_id = 3", "2\n"); /* a view of today */
    MUST(store_digest(store, copied, &err));
    store_close(store);
    char *bytes = support_read_file(path);
    ck_assert_int_eq(bytes[63], version); /* reading changes nothing */
    free(bytes);
    store = open_at(dir, "old.db", STORE_WRITE);
    same_schema(dir, "old.db");
    expect(store,
           "SELECT run_id, player_no, name, weights_id FROM players ORDER BY run_id, player_no",
           "1|0|generation 1|1\n2|0|new|2\n2|1|old|1\n3|0|new|2\n3|1|stockfish|\n");
    expect(store, "SELECT game_no, white_name, black_name, reason FROM results WHERE run_id = 2",
           "0|new|old|checkmate\n1|old|new|time\n");
    expect(store, "SELECT player, points, forfeits FROM pairings WHERE run_id = 2 ORDER BY player",
           "0|1.0|1\n1|1.0|0\n");
    expect(store, "SELECT name, points FROM standings WHERE run_id = 3 ORDER BY player_no",
           "new|0.0\nstockfish|1.0\n");
    expect(store, "SELECT count(*) FROM games WHERE clock IS NULL", "4\n");
    MUST(store_digest(store, digest, &err));
    store_close(store);
    store = open_at(dir, "old.db", STORE_READ);
    MUST(store_digest(store, again, &err));
    ck_assert_str_eq(digest, again);
    ck_assert_str_eq(digest, copied);
    store_close(store);
    free(path);
}
END_TEST

/* ---- The view `about` */

START_TEST(about_names_everything)
{
    Store *store = open_at(support_temp_dir(), "new.db", STORE_CREATE);

    expect(store,
           "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name <> 'about'"
           " EXCEPT SELECT name FROM about",
           "");
    expect(store, "SELECT name FROM about EXCEPT SELECT name FROM sqlite_schema", "");
    store_close(store);
}
END_TEST

/* ---- Players and times */

enum { PLIES = 6 };

static int64_t put_match(Store *store, const GameRecord *games, int count)
{
    const char *const hash = "3333333333333333333333333333333333333333333333333333333333333333";
    RunRecord run = {.kind = RUN_GAUNTLET, .config = "{}", .generation = -1, .label = "three"};
    PlayerRecord players[3] = {{0, "ours", "", "{\"nodes\":1}"},
                               {1, "theirs", "", "{\"program\":\"x\"}"},
                               {2, "third", "", "{}"}};

    strcpy(players[0].weights, hash);
    run_identify(&run);
    MUST(store_begin(store, &err));
    MUST(store_put_weights(store, hash, "ours", "rows", NULL, &err));
    MUST(store_open_run(store, &run, NULL, &err));
    for (int i = 2; i >= 0; i--)
        MUST(store_put_player(store, run.run_id, &players[i], &err));
    for (int i = 0; i < count; i++)
        MUST(store_put_game(store, run.run_id, &games[i], NULL, &err));
    MUST(store_commit(store, &err));
    return run.run_id;
}

static GameRecord make_game(int no, GamePly plies[PLIES], PlyClock clock[PLIES])
{
    for (int i = 0; i < PLIES; i++) {
        plies[i] = (GamePly){(uint16_t)(no + i), (int16_t)-i};
        if (clock)
            clock[i] =
                (PlyClock){UINT32_MAX - (uint32_t)i, 0x01020304u * (uint32_t)i, (uint8_t)(250 + i)};
    }
    return (GameRecord){.game_no = no,
                        .start_fen = "somewhere",
                        .result = RESULT_DRAW,
                        .reason = REASON_REPETITION,
                        .white = no % 3,
                        .black = (no + 1) % 3,
                        .ply_count = PLIES,
                        .plies = plies,
                        .clock = clock};
}

static void check_players(Store *store, int64_t run_id)
{
    PlayerRecord *players;
    int count;

    MUST(store_list_players(store, run_id, &players, &count, &err));
    ck_assert_int_eq(count, 3);
    ck_assert_str_eq(players[0].name, "ours");
    ck_assert_str_eq(players[1].name, "theirs");
    ck_assert_str_eq(players[0].config, "{\"nodes\":1}");
    ck_assert_int_eq(players[0].weights[0], '3');
    ck_assert_str_eq(players[1].weights, "");
    ck_assert_int_eq(players[2].player_no, 2);
    store_free_players(players, count);
}

/* Game 0 has times, game 1 has none. */
static void check_clocks(Store *store, const PlyClock clock[PLIES])
{
    const GameRecord *game;

    GameCursor *cursor = store_read_games(store, NULL, 0, 0, &err);
    ck_assert_ptr_nonnull(cursor);
    MUST(game_cursor_next(cursor, &game, NULL, NULL, &err));
    ck_assert_ptr_nonnull(game->clock);
    for (int i = 0; i < PLIES; i++) {
        ck_assert_uint_eq(game->clock[i].time_ms, clock[i].time_ms);
        ck_assert_uint_eq(game->clock[i].nodes, clock[i].nodes);
        ck_assert_uint_eq(game->clock[i].depth, clock[i].depth);
    }
    MUST(game_cursor_next(cursor, &game, NULL, NULL, &err));
    ck_assert_ptr_null(game->clock);
    ck_assert_int_eq(game->white, 1);
    ck_assert_int_eq(game->black, 2);
    game_cursor_close(cursor);
}

START_TEST(players_and_times_are_kept)
{
    const char *dir = support_temp_dir();
    GamePly plies[2][PLIES];
    PlyClock clock[PLIES];
    GameRecord games[2] = {make_game(0, plies[0], clock), make_game(1, plies[1], NULL)};
    char with[HASH_HEX_MAX], without[HASH_HEX_MAX];
    MergeCounts merged;

    Store *store = open_at(dir, "match.db", STORE_CREATE);
    int64_t run_id = put_match(store, games, 2);
    check_players(store, run_id);
    check_clocks(store, clock);
    MUST(store_digest(store, with, &err));
    Store *other = open_at(dir, "other.db", STORE_CREATE);
    store_close(store);
    char *path = at(dir, "match.db");
    for (int i = 0; i < 2; i++) /* merging twice adds nothing */
        MUST(store_merge(other, path, NULL, &merged, &err));
    ck_assert_int_eq(merged.added, 0);
    check_players(other, 1);
    check_clocks(other, clock);
    MUST(store_check(other, &err));
    store_close(other);
    /* Times do not count: the game without them is the same game. */
    other = open_at(dir, "untimed.db", STORE_CREATE);
    games[0].clock = NULL;
    (void)put_match(other, games, 2);
    MUST(store_digest(other, without, &err));
    ck_assert_str_eq(with, without);
    store_close(other);
    store = open_at(dir, "match.db", STORE_WRITE);
    (void)put_match(store, games, 2);
    check_clocks(store, clock);
    store_close(store);
    free(path);
}
END_TEST

/* The check finds a game that refers to a missing player. */
START_TEST(unknown_players_are_found)
{
    GamePly plies[PLIES];
    GameRecord game = make_game(0, plies, NULL);
    Store *store = open_at(support_temp_dir(), "match.db", STORE_CREATE);

    game.black = 3;
    (void)put_match(store, &game, 1);
    ck_assert_int_eq(store_check(store, &err), STATUS_FAILED);
    ck_assert_ptr_nonnull(strstr(err.text, "player"));
    store_close(store);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, about_names_everything, players_and_times_are_kept, unknown_players_are_found);
    tcase_add_loop_test(c, old_files_are_brought_up_to_date, 0, STORE_SCHEMA_VERSION);
    return support_run(c);
}
