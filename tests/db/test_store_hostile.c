/* SPDX-License-Identifier: MIT
 * Databases from untrusted files: values of other types and ranges than the schema allows, and
 * trees that give rows again and again. Every reader ends with an error. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/materialize.h"
#include "db/store/query.h"
#include "db/tables/check.h"
#include "db/tables/cursor.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/learning.h"
#include "db/tables/merge.h"
#include "db/tables/players.h"
#include "db/tables/positions.h"
#include "db/tables/runs.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err;

/* ---- Crafting */

static void run_sql(const char *name, const char *sql)
{
    sqlite3 *handle;

    ck_assert_int_eq(sqlite3_open(support_at(name), &handle), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", sql,
                  sqlite3_errmsg(handle));
    ck_assert_int_eq(sqlite3_close(handle), SQLITE_OK);
}

/* A new file a.db with three games, in which `sql` ran without STRICT and CHECK. The schema is the
 * old one again afterwards. */
static void craft(const char *sql)
{
    store_remove(support_at("a.db"));
    support_make_database("a.db", 1, 0, 3);
    char *all =
        sqlite3_mprintf("PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;"
                        "CREATE TEMP TABLE kept AS SELECT name AS n, sql AS s FROM sqlite_schema"
                        " WHERE sql LIKE '%%STRICT%%';"
                        "UPDATE sqlite_schema SET sql ="
                        " replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')');"
                        "PRAGMA writable_schema = RESET; %s; PRAGMA writable_schema = ON;"
                        "UPDATE sqlite_schema SET sql = (SELECT s FROM kept WHERE n = name)"
                        " WHERE name IN (SELECT n FROM kept); PRAGMA writable_schema = RESET",
                        sql);
    run_sql("a.db", all);
    sqlite3_free(all);
}

/* Sets the row number of the last game to 0: the tree gives 1, 2, 0. */
static void craft_disorder(void)
{
    enum { CELLS = 3, CELL_POINTERS = 8 }; /* offsets in a page of a tree */
    uint8_t page[8192];
    sqlite3 *handle;
    sqlite3_stmt *stmt;

    craft("PRAGMA journal_mode = DELETE");
    ck_assert_int_eq(sqlite3_open(support_at("a.db"), &handle), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(handle,
                                        "SELECT rootpage FROM sqlite_schema WHERE name = 'games'",
                                        -1, &stmt, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    long offset = (sqlite3_column_int(stmt, 0) - 1) * (long)sizeof page;
    ck_assert_int_eq(sqlite3_finalize(stmt), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(handle), SQLITE_OK);

    FILE *file = fopen(support_at("a.db"), "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    ck_assert_uint_eq(fread(page, 1, sizeof page, file), sizeof page);
    ck_assert_int_eq(page[0], 13); /* a leaf */
    ck_assert_int_eq(page[CELLS + 1], 3);
    int cell = page[CELL_POINTERS + 4] << 8 | page[CELL_POINTERS + 5];
    while (page[cell] & 128)
        cell++; /* the size of the row: 7 bits a byte */
    ck_assert_int_eq(page[cell + 1], 3);
    page[cell + 1] = 0;
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(page, 1, sizeof page, file), sizeof page);
    ck_assert_int_eq(fclose(file), 0);
}

/* ---- Reading everything */

static Status read_games(Store *store)
{
    const GameRecord *game;
    GameCursor *cursor = store_read_games(store, NULL, 0, 0, &err);
    Status status = cursor ? STATUS_OK : err.status;

    do
        if (status == STATUS_OK) status = game_cursor_next(cursor, &game, NULL, NULL, &err);
    while (status == STATUS_OK && game);
    game_cursor_close(cursor);
    return status;
}

static Status read_present(Store *store)
{
    bool *present = malloc(3);

    Status status = store_games_present(store, 1, 1, 3, present, &err);
    free(present);
    return status;
}

static Status read_counts(Store *store)
{
    GameCounts counts;
    return store_count_games(store, 1, &counts, &err);
}

static Status read_digest(Store *store)
{
    char digest[HASH_HEX_MAX];
    return store_digest(store, digest, &err);
}

static Status read_runs(Store *store)
{
    RunRecord *runs;
    int count;
    Status status = store_list_runs(store, 0, &runs, &count, &err);
    store_free_runs(runs, count);
    return status;
}

static Status read_players(Store *store)
{
    PlayerRecord *players;
    int count;
    Status status = store_list_players(store, 1, &players, &count, &err);
    store_free_players(players, count);
    return status;
}

static Status read_positions(Store *store)
{
    PositionRow *rows;
    int count;
    Status status = store_get_positions(store, 2, &rows, &count, &err);
    free(rows);
    return status;
}

static Status read_generation(Store *store)
{
    int generation;
    char stage[32], best[HASH_HEX_MAX], *json;
    Status status = store_last_generation(store, &generation, stage, best, &json, &err);
    free(json);
    return status;
}

static Status read_by_merge(Store *store)
{
    MergeCounts counts;

    (void)store;
    store_remove(support_at("merged.db"));
    Store *into = support_open("merged.db", STORE_CREATE);
    Status status = store_merge(into, support_at("a.db"), NULL, &counts, &err);
    store_close(into);
    return status;
}

enum {
    GAMES = 1,
    PRESENT = 2,
    COUNTS = 4,
    DIGEST = 8,
    RUNS = 16,
    PLAYERS = 32,
    POSITIONS = 64,
    GENERATION = 128,
    MERGE = 256
};

/* Runs all readers on a.db. Those of `refusers` end with STATUS_DATABASE and a sentence that names
 * the file; no other one may, but merging into the strict tables of another file. */
static void read_all(int refusers, const char *what)
{
    static Status (*const readers[])(Store *) = {read_games,     read_present,    read_counts,
                                                 read_digest,    read_runs,       read_players,
                                                 read_positions, read_generation, read_by_merge};

    Store *store = support_open("a.db", STORE_READ);
    for (int i = 0; i < (int)(sizeof readers / sizeof *readers); i++) {
        Status status = readers[i](store);
        if (1 << i == MERGE && status && !(refusers & MERGE)) continue;
        ck_assert_msg(status == (refusers >> i & 1 ? STATUS_DATABASE : STATUS_OK),
                      "%s: reader %d: status %d, %s", what, i, (int)status, err.text);
        if (status && 1 << i != MERGE) ck_assert_ptr_nonnull(strstr(err.text, "a.db: "));
    }
    store_close(store);
}

static const struct {
    const char *sql;
    int refusers;
} cases[] = {
    {"SELECT 1", 0},
    {"UPDATE games SET game_no = '-99999999x' WHERE game_id = 2", GAMES | PRESENT | DIGEST | MERGE},
    {"UPDATE games SET game_no = -9223372036854775808 WHERE game_id = 2", GAMES | DIGEST | MERGE},
    {"UPDATE games SET game_no = 9223372036854775807 WHERE game_id = 2", GAMES},
    {"UPDATE games SET opening_no = x'00' WHERE game_id = 2", GAMES | DIGEST | MERGE},
    {"UPDATE games SET opening_no = 1e300 WHERE game_id = 2", GAMES | DIGEST | MERGE},
    {"UPDATE games SET start_fen = x'00ff' WHERE game_id = 2", GAMES | DIGEST | MERGE},
    {"UPDATE games SET result = 77 WHERE game_id = 2", GAMES | COUNTS | MERGE},
    {"UPDATE games SET result = 'x' WHERE game_id = 2", GAMES | COUNTS | DIGEST | MERGE},
    {"UPDATE games SET reason = -3 WHERE game_id = 2", GAMES | COUNTS | DIGEST | MERGE},
    {"UPDATE games SET white = 4294967296 WHERE game_id = 2", GAMES},
    {"UPDATE games SET black = -1 WHERE game_id = 2", GAMES},
    {"UPDATE games SET nodes = -1 WHERE game_id = 2", GAMES | COUNTS},
    {"UPDATE games SET nodes = 9223372036854775807", 0} /* the sum of the groups is cut */,
    {"UPDATE games SET nodes = 9223372036854775807, result = 1, reason = 3", 0},
    {"UPDATE games SET varied = -1 WHERE game_id = 2", GAMES},
    {"UPDATE games SET ply_count = 9223372036854775807 WHERE game_id = 2", GAMES | MERGE},
    {"UPDATE games SET ply_count = -1 WHERE game_id = 2", GAMES | COUNTS | MERGE},
    {"UPDATE games SET moves = 5 WHERE game_id = 2", GAMES | DIGEST | MERGE},
    {"UPDATE games SET moves = CAST(moves AS TEXT) WHERE game_id = 2", GAMES | DIGEST | MERGE},
    {"UPDATE games SET clock = 'abc' WHERE game_id = 2", GAMES | MERGE},
    {"UPDATE runs SET seed = 'abc'", RUNS | MERGE},
    {"UPDATE runs SET kind = 'other'", GAMES | DIGEST | RUNS | MERGE},
    {"UPDATE runs SET config = x'22'", RUNS | MERGE},
    {"UPDATE runs SET generation = 4294967296", RUNS},
    {"INSERT INTO players VALUES (1, 0, 'x', NULL, '{}'), (1, 1, 'x', NULL, '{}'), (1, 4294967296, "
     "'x', NULL, '{}')",
     PLAYERS},
    {"INSERT INTO players VALUES (1, 0, 'x', NULL, '{}'), (1, 1, 'x', NULL, '{}'), (1, 'x', 'x', "
     "NULL, '{}')",
     PLAYERS | MERGE},
    {"INSERT INTO players VALUES (1, 1, 'x', NULL, '{}')", GAMES | DIGEST},
    {"UPDATE positions SET ply = 4294967297 WHERE game_id = 2 AND ply = 1", POSITIONS},
    {"UPDATE positions SET score = 'x' WHERE game_id = 2 AND ply = 1", POSITIONS | MERGE},
    {"UPDATE positions SET flags = -1 WHERE game_id = 2 AND ply = 1", POSITIONS},
    {"UPDATE games SET run_id = 7 WHERE game_id = 2", GAMES | DIGEST},
    {"UPDATE games SET reason = 14 WHERE game_id = 2", GAMES | COUNTS | DIGEST | MERGE},
    {"DELETE FROM runs", GAMES | DIGEST},
    {"INSERT INTO gauntlets (run_id, state, json) VALUES (7, 'finished', '{}')", GAMES | DIGEST},
    {"INSERT INTO generations (generation, stage, json) VALUES (4294967296, 'x', '{}')",
     GENERATION},
    {"INSERT INTO generations (generation, stage, json) VALUES (1, x'00', '{}')",
     GENERATION | MERGE},
};

enum { CASES = sizeof cases / sizeof *cases };

START_TEST(hostile_values_are_refused)
{
    craft(cases[_i].sql);
    read_all(cases[_i].refusers, cases[_i].sql);
}
END_TEST

START_TEST(rows_in_disorder_end_every_reader)
{
    MaterializeCounts counts;
    const MaterializeJob job = {.threads = 1};

    craft_disorder();
    /* An order by game number reads the index, in which row 3 is missing now. */
    Store *store = support_open("a.db", STORE_READ);
    ck_assert_int_eq(read_by_merge(store), STATUS_DATABASE);
    ck_assert_ptr_nonnull(strstr(err.text, "a.db: the database is damaged"));
    ck_assert_int_ne(store_check(store, &err), STATUS_OK);
    ck_assert_int_ne(read_games(store), STATUS_OK);
    ck_assert_int_ne(read_digest(store), STATUS_OK);
    store_close(store);
    run_sql("a.db", "DELETE FROM positions");
    store = support_open("a.db", STORE_WRITE);
    ck_assert_int_ne(materialize_positions(store, &job, &counts, &err), STATUS_OK);
    store_close(store);
}
END_TEST

/* ---- Schemas */

static const struct {
    const char *sql;
    const char *refusal; /* part of the sentence; NULL: the file is read */
} schemas[] = {
    {"CREATE INDEX mine ON positions (score, ply DESC); ANALYZE", NULL},
    {"CREATE UNIQUE INDEX mine ON runs (label)", "'mine'"},
    {"CREATE INDEX mine ON runs (abs(seed))", "'mine'"},
    {"CREATE INDEX mine ON runs (seed + 1)", "'mine'"},
    {"CREATE INDEX mine ON games (moves || moves)", "'mine'"},
    {"CREATE INDEX mine ON runs (config ->> '$.x')", "'mine'"},
    {"CREATE INDEX mine ON games (start_fen IS NULL)", "'mine'"},
    {"CREATE INDEX mine ON runs (seed) WHERE seed > 1", "'mine'"},
    {"CREATE TABLE mine (x)", "'mine'"},
    {"CREATE VIEW mine AS SELECT 1", "'mine'"},
    {"CREATE VIRTUAL TABLE mine USING fts5 (x)", "'mine"},
    {"CREATE TRIGGER mine AFTER INSERT ON games BEGIN DELETE FROM runs; END", "'mine'"},
    {"ALTER TABLE games ADD COLUMN more INTEGER", "'games'"},
    {"ALTER TABLE games RENAME COLUMN nodes TO other", "'games'"},
    {"DROP VIEW standings", "1 tables or views"},
    {"DROP VIEW standings; CREATE VIEW standings AS SELECT 1", "'standings'"},
    {"DROP VIEW results; DROP VIEW pairings; DROP VIEW standings; DROP VIEW run_results;"
     "DROP VIEW scored_positions; DROP VIEW about; ALTER TABLE games RENAME TO hidden;"
     "CREATE VIEW games AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
     " SELECT hidden.* FROM n, hidden WHERE i < 0",
     "'hidden'"},
    {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')')"
     " WHERE name = 'games'",
     "'games'"},
    {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
     " replace(sql, 'CHECK (game_no >= 0)', '/* CHECK (game_no >= 0) */') WHERE name = 'games'",
     "'games'"},
    {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || ' -- another comment'",
     NULL},
};

enum { SCHEMAS = sizeof schemas / sizeof *schemas };

START_TEST(altered_schemas_are_refused)
{
    support_make_database("a.db", 1, 0, 3);
    run_sql("a.db", schemas[_i].sql);
    for (StoreMode mode = STORE_READ; mode <= STORE_SALVAGE; mode++) {
        Store *store = store_open(support_at("a.db"), mode, &err);
        if (schemas[_i].refusal) {
            ck_assert_msg(store == NULL, "%s", schemas[_i].sql);
            ck_assert_int_eq(err.status, STATUS_DATABASE);
            ck_assert_msg(strstr(err.text, schemas[_i].refusal) != NULL, "%s", err.text);
            ck_assert_ptr_nonnull(strstr(err.text, "a.db: "));
        } else {
            ck_assert_msg(store != NULL, "%s: %s", schemas[_i].sql, err.text);
            store_close(store);
        }
    }
}
END_TEST

START_TEST(an_altered_old_schema_is_not_upgraded)
{
    static const char *const changes[] = {
        "CREATE TRIGGER mine AFTER INSERT ON weights BEGIN DELETE FROM runs; END",
        "DROP VIEW results; ALTER TABLE runs RENAME TO hidden;"
        "CREATE VIEW runs AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
        " SELECT hidden.* FROM n, hidden WHERE i < 0;"
        "CREATE VIEW results AS SELECT 1"};
    static const char *const refusals[] = {"'mine'", "not tables"};
    const char *source = getenv("TABIA_SOURCE");
    char name[512];

    (void)snprintf(name, sizeof name, "%s/tests/data/version_1.sql", source ? source : ".");
    char *sql = support_read_file(name);
    run_sql("old.db", sql);
    free(sql);
    run_sql("old.db", "DROP VIEW IF EXISTS run_results; DROP VIEW IF EXISTS scored_positions");
    run_sql("old.db", changes[_i]);
    ck_assert_ptr_null(store_open(support_at("old.db"), STORE_WRITE, &err));
    ck_assert_msg(strstr(err.text, refusals[_i]) != NULL, "%s", err.text);
    ck_assert_ptr_null(store_open(support_at("old.db"), STORE_READ, &err));
    ck_assert_msg(strstr(err.text, refusals[_i]) != NULL, "%s", err.text);
}
END_TEST

START_TEST(sql_keeps_the_schema)
{
    static const char *const changes[] = {
        "CREATE TABLE t (x)",
        "CREATE VIEW v AS SELECT 1",
        "DROP VIEW standings",
        "DROP TABLE positions",
        "ALTER TABLE games ADD x",
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE f USING fts5 (x)"};
    static const struct {
        const char *sql, *refusal;
    } others[] = {{"PRAGMA user_version = 99", "this pragma"},
                  {"PRAGMA Application_ID = 5", "this pragma"},
                  {"PRAGMA writable_schema = ON", "this pragma"},
                  {"PRAGMA journal_mode = DELETE", "this pragma"},
                  {"PRAGMA wal_checkpoint", "this pragma"},
                  {"CREATE UNIQUE INDEX u ON games (run_id, game_id)", "nothing was changed"},
                  {"CREATE INDEX e ON games (run_id + 1)", "nothing was changed"},
                  {"CREATE INDEX p ON games (run_id) WHERE run_id > 1", "nothing was changed"},
                  {"CREATE INDEX c ON runs (label COLLATE NOCASE)", "nothing was changed"},
                  {"CREATE INDEX \"a b\" ON runs (label, \"kind\")", "nothing was changed"},
                  {"UPDATE runs SET label = 'x'; CREATE UNIQUE INDEX u ON runs (seed)", "'u'"},
                  {"BEGIN; UPDATE runs SET label = 'x'", "one transaction"},
                  {"UPDATE runs SET label = 'x'; ROLLBACK", "one transaction"},
                  {"SAVEPOINT s; UPDATE runs SET label = 'x'", "one transaction"},
                  {"UPDATE runs SET label = 'x'; SELECT absent FROM runs", "no such column"},
                  {"VACUUM", "tabia db vacuum"}};

    support_make_database("a.db", 1, 0, 3);
    Store *store = support_open("a.db", STORE_WRITE);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ck_assert_msg(store_sql(store, changes[i], false, stdout, &err) == STATUS_BAD_INPUT, "%s",
                      changes[i]);
        ck_assert_ptr_nonnull(strstr(err.text, "cannot be changed"));
    }
    MUST(store_sql(store, "CREATE INDEX mine ON positions (score); ANALYZE; DROP INDEX mine", false,
                   stdout, &err));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ck_assert_msg(store_sql(store, others[i].sql, false, stdout, &err) == STATUS_BAD_INPUT,
                      "%s", others[i].sql);
        ck_assert_msg(strstr(err.text, others[i].refusal) != NULL, "%s: %s", others[i].sql,
                      err.text);
        store_close(support_open("a.db", STORE_READ));
    }
    ck_assert_int_eq(support_count_rows(store, "runs WHERE label = 'x'"), 0);
    /* Nothing changes the schema without SQLite. */
    ck_assert_int_ne(store_sql(store, "DELETE FROM sqlite_schema", false, stdout, &err), STATUS_OK);
    store_close(store);
    store_close(support_open("a.db", STORE_READ));
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, sql_keeps_the_schema, rows_in_disorder_end_every_reader);
    tcase_add_loop_test(c, hostile_values_are_refused, 0, CASES);
    tcase_add_loop_test(c, altered_schemas_are_refused, 0, SCHEMAS);
    tcase_add_loop_test(c, an_altered_old_schema_is_not_upgraded, 0, 2);
    return support_run(c);
}
