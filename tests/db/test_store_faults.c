/* SPDX-License-Identifier: MIT
 * The store on a disk that fails at every possible write: it reports the error, keeps committed
 * data, and continues when the disk works again. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/new_store.h"
#include "db/tables/check.h"
#include "db/tables/games.h"
#include "db/tables/merge.h"
#include "db/tables/runs.h"
#include "tests/support/support.h"
#include "tests/support/support_faults.h"
#include "tests/support/support_store.h"

enum { BATCHES = 4, BATCH_GAMES = 5 };

static Error err;

static void setup(void)
{
    support_store_setup();
    faults_install();
}

/* Games of one batch; returns errors. */
static Status put_batch(Store *store, int batch)
{
    GamePly plies[SUPPORT_PLIES];
    PositionRow rows[SUPPORT_PLIES];
    RunRecord run = support_make_run(1);

    Status status = store_begin(store, &err);
    if (status == STATUS_OK) status = store_open_run(store, &run, NULL, &err);
    for (int i = 0; i < BATCH_GAMES && status == STATUS_OK; i++) {
        GameRecord game = support_make_game(batch * BATCH_GAMES + i, 0, plies);
        support_make_rows(&game, rows);
        status = store_put_game(store, run.run_id, &game, rows, &err);
    }
    if (status == STATUS_OK) status = store_commit(store, &err);
    if (status) store_rollback(store);
    return status;
}

/* All writing functions, until the first failure. *committed counts batches. */
static Status work(int *committed)
{
    MergeCounts merged;

    Store *store = store_open(support_at("a.db"), STORE_CREATE, &err);
    if (!store) return err.status;
    Status status = STATUS_OK;
    for (int i = 0; i < BATCHES && status == STATUS_OK; i++) {
        status = put_batch(store, i);
        *committed += status == STATUS_OK;
    }
    if (status == STATUS_OK)
        status = store_merge(store, support_at("other.db"), NULL, &merged, &err);
    if (status == STATUS_OK) status = store_vacuum(store, &err);
    store_close(store);
    return status;
}

static void remove_files(void)
{
    static const char *const names[] = {"a.db", "a.db-wal", "a.db-shm", "a.db-journal"};
    for (size_t i = 0; i < 4; i++)
        (void)remove(support_at(names[i]));
}

/* After a fault the database passes the check, has all committed games and takes the rest. */
static void expect_recovery(int committed, const char *digest)
{
    GameCounts counts;
    int ignored = 0;

    Store *store = store_open(support_at("a.db"), STORE_CREATE, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    MUST(store_check(store, &err));
    MUST(store_count_games(store, 1, &counts, &err));
    ck_assert_int_ge(counts.games, committed * BATCH_GAMES);
    ck_assert_int_eq(counts.games % BATCH_GAMES, 0);
    store_close(store);
    MUST(work(&ignored));
    store = support_open("a.db", STORE_READ);
    ck_assert_str_eq(support_digest(store), digest);
    MUST(store_check(store, &err));
    store_close(store);
}

static void fail_everywhere(int code, const char *word)
{
    char digest[HASH_HEX_MAX];
    int committed = 0;

    support_make_database("other.db", 2, 0, BATCH_GAMES);
    faults_begin(1L << 40, code);
    MUST(work(&committed));
    long moments = faults_end();
    ck_assert_int_gt(moments, 50);
    Store *store = support_open("a.db", STORE_READ);
    (void)snprintf(digest, sizeof digest, "%s", support_digest(store));
    store_close(store);

    for (long moment = 0; moment < moments; moment += SANITIZED ? 9 : 1) {
        remove_files();
        committed = 0;
        faults_begin(moment, code);
        Status status = work(&committed);
        (void)faults_end();
        if (status) { /* faults on closing are not reported: all data is in the log */
            ck_assert_int_eq(status, STATUS_DATABASE);
            ck_assert_msg(strstr(err.text, ".db: ") && strstr(err.text, word), "moment %ld: %s",
                          moment, err.text);
        } else {
            ck_assert_int_eq(committed, BATCHES);
        }
        expect_recovery(committed, digest);
    }
}

START_TEST(a_full_disk)
{
    fail_everywhere(SQLITE_FULL, "disk is full");
}
END_TEST

START_TEST(a_broken_disk)
{
    fail_everywhere(SQLITE_IOERR_WRITE, "cannot read or write the disk");
}
END_TEST

/* A new database is renamed when all of it is in the file; else the disk's error is reported. */
START_TEST(new_databases_are_whole)
{
    NewStore fresh;
    Status status;
    long moment = 0;

    do {
        MUST(new_store_open(&fresh, support_at("a.db"), &err));
        MUST(put_batch(fresh.store, 0));
        faults_begin(moment, SQLITE_FULL);
        status = new_store_commit(&fresh, &err);
        (void)faults_end();
        if (status == STATUS_OK) break;
        ck_assert_int_eq(status, STATUS_DATABASE);
        ck_assert_msg(strstr(err.text, "disk is full") != NULL, "moment %ld: %s", moment, err.text);
        ck_assert_int_ne(access(support_at("a.db"), F_OK), 0);
    } while (++moment < 1000);
    ck_assert_int_gt(moment, 3);
    Store *store = support_open("a.db", STORE_READ);
    ck_assert_int_eq(support_count_rows(store, "games"), BATCH_GAMES);
    store_close(store);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, setup, NULL);
    ADD_TESTS(c, a_full_disk, a_broken_disk, new_databases_are_whole);
    return support_run(c);
}
