/* SPDX-License-Identifier: MIT
 * Upgrades of the schema by test steps: complete or rolled back after any failure. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/store/schema.h"
#include "db/tables/games.h"
#include "db/tables/runs.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err;
static char path[256];

static void setup(void)
{
    (void)snprintf(path, sizeof path, "%s/a.db", support_temp_dir());
}

/* Makes `path` from tests/data/version_N.sql. */
static void make_version(int version)
{
    char name[512];
    sqlite3 *handle;
    const char *source = getenv("TABIA_SOURCE");

    (void)snprintf(name, sizeof name, "%s/tests/data/version_%d.sql", source ? source : ".",
                   version);
    char *sql = support_read_file(name);
    (void)remove(path);
    ck_assert_int_eq(sqlite3_open(path, &handle), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", name,
                  sqlite3_errmsg(handle));
    ck_assert_int_eq(sqlite3_close(handle), SQLITE_OK);
    free(sql);
}

enum { NEXT = STORE_SCHEMA_VERSION + 1 };

static const char add_column[] = "CREATE TABLE extra (x INTEGER) STRICT;"
                                 "ALTER TABLE games ADD COLUMN extra INTEGER";
static const char rebuild_games[] =
    "CREATE TABLE games_new (game_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES runs,"
    " moves BLOB) STRICT;"
    "INSERT INTO games_new SELECT game_id, run_id, moves FROM games;"
    "DROP VIEW standings; DROP VIEW pairings; DROP VIEW results; DROP VIEW run_results;"
    "DROP VIEW scored_positions; DROP VIEW about;"
    "DROP TABLE games; ALTER TABLE games_new RENAME TO games";

static Status upgrade(const char *first, const char *second)
{
    const char *steps[NEXT + 1] = {NULL};
    steps[NEXT - 1] = first;
    steps[NEXT] = second;
    Store *store = store_open(path, STORE_WRITE, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    Status status = schema_upgrade(store, steps, NEXT + 1, &err);
    store_close(store);
    return status;
}

/* The result of a query in `path`, of any version. */
static int number(const char *sql)
{
    sqlite3 *handle;
    sqlite3_stmt *stmt;

    ck_assert_int_eq(sqlite3_open(path, &handle), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    int value = sqlite3_column_int(stmt, 0);
    ck_assert_int_eq(sqlite3_finalize(stmt), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(handle), SQLITE_OK);
    return value;
}

START_TEST(an_upgrade_is_whole)
{
    make_version(1);
    MUST(upgrade(add_column, rebuild_games));
    ck_assert_int_eq(number("PRAGMA user_version"), NEXT + 1);
    ck_assert_int_eq(number("SELECT sum(length(moves)) FROM games"), 16);
    ck_assert_int_eq(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    /* This version must refuse it from now on. */
    ck_assert_ptr_null(store_open(path, STORE_WRITE, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "newer Tabia"));
}
END_TEST

START_TEST(half_an_upgrade_is_none)
{
    static const char *const bad[] = {"ALTER TABLE no_such_table ADD COLUMN x",
                                      "DELETE FROM runs" /* leaves games without a run */, NULL};
    for (int i = 0; i < 3; i++) {
        make_version(1);
        ck_assert_int_eq(upgrade(add_column, bad[i]), STATUS_DATABASE);
        ck_assert_ptr_nonnull(strstr(err.text, path));
        ck_assert_int_eq(number("PRAGMA user_version"), STORE_SCHEMA_VERSION);
        ck_assert_int_eq(number("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'"), 0);
        Store *store = store_open(path, STORE_WRITE, &err); /* foreign keys are enforced again */
        RunRecord run = support_make_run(1);
        MUST(store_begin(store, &err));
        MUST(store_open_run(store, &run, NULL, &err));
        GameRecord orphan = {.reason = REASON_CHECKMATE};
        ck_assert_int_eq(store_put_game(store, run.run_id + 1, &orphan, NULL, &err),
                         STATUS_DATABASE);
        store_close(store);
    }
}
END_TEST

START_TEST(rivals_upgrade_once)
{
    enum { RIVALS = 6 };
    pid_t children[RIVALS];

    make_version(1);
    for (int i = 0; i < RIVALS; i++) {
        children[i] = fork();
        ck_assert_int_ge(children[i], 0);
        if (children[i] > 0) continue;
        const char *steps[NEXT] = {NULL};
        steps[NEXT - 1] = add_column; /* would fail a second time */
        Store *store = store_open(path, STORE_WRITE, &err);
        /* A slow process finds the upgrade done and refuses the newer file. */
        bool done = !store && strstr(err.text, "newer Tabia");
        _exit(done || (store && schema_upgrade(store, steps, NEXT, &err) == STATUS_OK) ? 0 : 1);
    }
    for (int i = 0; i < RIVALS; i++) {
        int status;
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_int_eq(number("PRAGMA user_version"), NEXT);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, setup, NULL);
    ADD_TESTS(c, an_upgrade_is_whole, half_an_upgrade_is_none);
    tcase_add_loop_test(c, rivals_upgrade_once, 0, 5);
    return support_run(c);
}
