/* SPDX-License-Identifier: MIT
 * Foreign, newer and damaged files: refused with a clear error and not changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store/new_store.h"
#include "db/store/query.h"
#include "db/tables/check.h"
#include "db/tables/cursor.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err; /* of the last call that failed */

/* Opening must fail with this status and a text that contains `word`, and not change the file. */
static void expect_refusal(const char *name, StoreMode mode, Status status, const char *word)
{
    struct stat before = {0}, after = {0};
    char *bytes = NULL;
    bool exists = stat(support_at(name), &before) == 0 && S_ISREG(before.st_mode);

    if (exists) bytes = support_read_file(support_at(name));
    Store *store = store_open(support_at(name), mode, &err);
    ck_assert_msg(store == NULL, "%s was opened", name);
    ck_assert_int_eq(err.status, status);
    ck_assert_msg(strstr(err.text, word) != NULL, "'%s' does not contain '%s'", err.text, word);
    ck_assert_msg(strstr(err.text, name) != NULL, "'%s' does not name the file", err.text);
    if (exists) {
        char *now = support_read_file(support_at(name));
        ck_assert_int_eq(stat(support_at(name), &after), 0);
        ck_assert_int_eq(after.st_size, before.st_size);
        ck_assert_int_eq(memcmp(now, bytes, (size_t)before.st_size), 0);
        free(now);
    }
    free(bytes);
}

/* Overwrites bytes of a file. */
static void patch(const char *name, long offset, const void *bytes, size_t size)
{
    FILE *file = fopen(support_at(name), "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(missing_and_empty_files)
{
    expect_refusal("absent.db", STORE_READ, STATUS_BAD_INPUT, "no such file");
    expect_refusal("absent.db", STORE_WRITE, STATUS_BAD_INPUT, "no such file");
    ck_assert_int_ne(access(support_at("absent.db"), F_OK), 0);
    support_write_file(support_at("empty.db"), "");
    expect_refusal("empty.db", STORE_READ, STATUS_DATABASE, "empty");
    store_close(support_open("empty.db", STORE_CREATE)); /* may become ours */
    store_close(support_open("empty.db", STORE_READ));
    ck_assert_ptr_null(store_open("", STORE_CREATE, &err));
    ck_assert_int_eq(err.status, STATUS_BAD_INPUT);
    expect_refusal("no/such/directory.db", STORE_CREATE, STATUS_DATABASE, "cannot be opened");
}
END_TEST

/* A process killed while creating a database leaves a journal that restores an empty file. */
START_TEST(a_creation_undone_is_an_empty_file)
{
    /* Section 3 of SQLite's file format: magic, no records, nonce, no pages, two sizes. */
    static const unsigned char header[28] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0,
                                             0,    0,    1,    2,    3,    4,    0,    0,    0, 0,
                                             0,    0,    2,    0,    0,    0,    0x20, 0};

    store_close(support_open("undone.db", STORE_CREATE));
    support_write_file(support_at("undone.db-journal"), "");
    ck_assert_int_eq(truncate(support_at("undone.db-journal"), 4096), 0);
    patch("undone.db-journal", 0, header, sizeof header);
    ck_assert_ptr_null(store_open(support_at("undone.db"), STORE_READ, &err));
    ck_assert_int_eq(err.status, STATUS_DATABASE);
    ck_assert_msg(strstr(err.text, "an empty file") != NULL, "%s", err.text);
    store_close(support_open("undone.db", STORE_CREATE));
    store_close(support_open("undone.db", STORE_READ));
}
END_TEST

START_TEST(foreign_files_are_left_alone)
{
    support_write_file(support_at("text.db"),
                       "this is a letter to my aunt, and no database at all\n");
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
        expect_refusal("text.db", (StoreMode)mode, STATUS_DATABASE, "not a SQLite database");
        expect_refusal(".", (StoreMode)mode, STATUS_DATABASE, "directory");
    }
    /* Ours, with another program's application_id: offset 68 of SQLite's header. */
    support_make_database("other.db", 1, 0, 1);
    patch("other.db", 68, "\x0f\x05\x51\x12", 4);
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
        expect_refusal("other.db", (StoreMode)mode, STATUS_DATABASE, "another program");
    /* Most programs leave application_id 0. */
    support_make_database("zero.db", 1, 0, 1);
    patch("zero.db", 68, "\0\0\0", 4);
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
        expect_refusal("zero.db", (StoreMode)mode, STATUS_DATABASE, "another program");
}
END_TEST

START_TEST(newer_versions_are_left_alone)
{
    support_make_database("newer.db", 1, 0, 1);
    patch("newer.db", 60, "\0\0\0\x63", 4); /* user_version 99 */
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
        expect_refusal("newer.db", (StoreMode)mode, STATUS_DATABASE, "newer Tabia");
    patch("newer.db", 60, "\0\0\0\0", 4); /* a version that never existed */
    expect_refusal("newer.db", STORE_READ, STATUS_DATABASE, "cannot be upgraded");
    expect_refusal("newer.db", STORE_WRITE, STATUS_DATABASE, "cannot be upgraded");
}
END_TEST

START_TEST(damage_is_found)
{
    struct stat st;
    char zeros[4096] = {0};

    support_make_database("torn.db", 1, 0, 200);
    Store *store = support_open("torn.db", STORE_READ);
    MUST(store_check(store, &err));
    store_close(store);
    ck_assert_int_eq(stat(support_at("torn.db"), &st), 0);
    for (long offset = 4096L * (st.st_size / 8192); offset < st.st_size; offset += 4096 * 5)
        patch("torn.db", offset, zeros, sizeof zeros);
    store = support_open("torn.db", STORE_READ);
    ck_assert_int_ne(store_check(store, &err), STATUS_OK);
    ck_assert_ptr_nonnull(strstr(err.text, "torn.db"));
    store_close(store);

    support_make_database("cut.db", 1, 0, 200);
    ck_assert_int_eq(truncate(support_at("cut.db"), st.st_size / 2), 0);
    store =
        store_open(support_at("cut.db"), STORE_READ, &err); /* SQLite may find it here or later */
    if (store) ck_assert_int_ne(store_check(store, &err), STATUS_OK);
    store_close(store);
}
END_TEST

START_TEST(alterations_are_found)
{
    /* Changes that are possible with the sqlite3 shell. */
    static const char *const deeds[][2] = {
        {"UPDATE runs SET seed = 5", "altered"},
        {"UPDATE runs SET config = '{}'", "altered"},
        {"DELETE FROM positions WHERE ply = 7 AND game_id = 2", "game 2"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM games WHERE game_id = 2", "positions"},
    };
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        char name[32], command[512];
        (void)snprintf(name, sizeof name, "altered%d.db", (int)i);
        support_make_database(name, 1, 0, 5);
        (void)snprintf(command, sizeof command, "sqlite3 '%s' \"%s\"", support_at(name),
                       deeds[i][0]);
        if (system(command) != 0) {
            fprintf(stderr, "skipped: no sqlite3 shell\n");
            return;
        }
        Store *store = support_open(name, STORE_READ);
        ck_assert_int_eq(store_check(store, &err), STATUS_FAILED);
        ck_assert_msg(strstr(err.text, deeds[i][1]) != NULL, "%s", err.text);
        store_close(store);
    }
}
END_TEST

/* Readers rely on these numbers: a game with a wrong one is refused, and no other. */
START_TEST(damaged_games_are_not_read)
{
    static const char *const deeds[] = {"result = 3", "ply_count = 3", "clock = x'00'"};
    const GameRecord *game;
    char sql[256];

    support_make_database("damaged.db", 1, 0, 3);
    Store *store = support_open("damaged.db", STORE_WRITE);
    (void)snprintf(sql, sizeof sql,
                   "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;"
                   "UPDATE games SET %s WHERE game_no = 1",
                   deeds[_i]);
    MUST(store_sql(store, sql, false, stdout, &err));
    GameCursor *cursor = store_read_games(store, NULL, 0, 0, &err);
    ck_assert_ptr_nonnull(cursor);
    MUST(game_cursor_next(cursor, &game, NULL, NULL, &err));
    ck_assert_int_eq(game_cursor_next(cursor, &game, NULL, NULL, &err), STATUS_DATABASE);
    ck_assert_msg(strstr(err.text, "damaged") != NULL, "%s", err.text);
    game_cursor_close(cursor);
    store_close(store);
}
END_TEST

/* Files are opened by URIs, in which some characters have a meaning. */
START_TEST(any_name_will_do)
{
    static const char *const names[] = {"a b#c.db", "50%41.db", "what?mode=ro", ":memory:"};

    store_close(support_open(names[_i], STORE_CREATE));
    ck_assert_int_eq(access(support_at(names[_i]), F_OK), 0);
    store_close(support_open(names[_i], STORE_READ));
}
END_TEST

/* ---- New databases */

START_TEST(a_name_taken_meanwhile)
{
    NewStore fresh;

    MUST(new_store_open(&fresh, support_at("a.db"), &err));
    (void)support_put_games(fresh.store, 1, 0, 5, false);
    ck_assert_int_ne(access(support_at("a.db"), F_OK), 0);
    support_make_database("a.db", 2, 0, 3);
    ck_assert_int_eq(new_store_commit(&fresh, &err), STATUS_USAGE);
    ck_assert_msg(strstr(err.text, "a.db: already exists") != NULL, "%s", err.text);
    ck_assert_int_eq(new_store_open(&fresh, support_at("a.db"), &err), STATUS_USAGE);
    new_store_discard(&fresh);
    Store *store = support_open("a.db", STORE_READ);
    ck_assert_int_eq(support_count_rows(store, "games"), 3);
    store_close(store);
}
END_TEST

/* Logs left beside a free name must not become part of the new database. */
START_TEST(logs_of_the_dead)
{
    NewStore fresh;
    char temporary[128];

    Store *dead = support_open("dead.db", STORE_CREATE);
    (void)support_put_games(dead, 1, 0, 5, false);
    ck_assert_int_eq(link(support_at("dead.db-wal"), support_at("a.db-wal")), 0);
    (void)snprintf(temporary, sizeof temporary, "a.db.new-%ld", (long)getpid());
    ck_assert_int_eq(link(support_at("dead.db"), support_at(temporary)), 0);
    MUST(new_store_open(&fresh, support_at("a.db"), &err));
    (void)support_put_games(fresh.store, 2, 0, 3, false);
    MUST(new_store_commit(&fresh, &err));
    Store *ours = support_open("a.db", STORE_READ);
    MUST(store_check(ours, &err));
    ck_assert_int_eq(support_count_rows(ours, "games"), 3);
    ck_assert_int_eq(support_count_rows(ours, "runs WHERE seed = 2"), 1);
    store_close(ours);
    store_close(dead);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, missing_and_empty_files, a_creation_undone_is_an_empty_file,
              a_name_taken_meanwhile, logs_of_the_dead, foreign_files_are_left_alone,
              newer_versions_are_left_alone, damage_is_found, alterations_are_found);
    tcase_add_loop_test(c, damaged_games_are_not_read, 0, 3);
    tcase_add_loop_test(c, any_name_will_do, 0, 4);
    return support_run(c);
}
