/* SPDX-License-Identifier: MIT
 * The user's SQL statements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err; /* of the last call that failed */

START_TEST(sql_only_reads)
{
    static const char *const forbidden[] = {"DELETE FROM games",
                                            "DROP TABLE positions",
                                            "UPDATE runs SET seed = 1",
                                            "INSERT INTO reasons VALUES (14, 'boredom')",
                                            "ATTACH 'x.db' AS x",
                                            "BEGIN",
                                            "PRAGMA user_version = 7",
                                            "PRAGMA journal_mode = DELETE",
                                            "CREATE TABLE t (x)",
                                            "VACUUM",
                                            "UPDATE sqlite_master SET sql = ''",
                                            "SELECT 1; DELETE FROM games"};
    Store *store = support_open("a.db", STORE_CREATE);
    (void)support_put_games(store, 1, 0, 3, true);
    store_close(store);
    store = support_open("a.db", STORE_READ);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        FILE *out = fopen("/dev/null", "w");
        ck_assert_msg(store_sql(store, forbidden[i], false, out, &err) == STATUS_BAD_INPUT, "%s",
                      forbidden[i]);
        ck_assert_str_ne(err.text, "");
        (void)fclose(out);
    }
    ck_assert_int_eq(support_count_rows(store, "games"), 3);

    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    MUST(store_sql(store,
                   "-- a comment\nSELECT 1 AS one, NULL AS none, x'0aff' AS blob, 'a' AS text;"
                   "SELECT game_no, result, reason FROM results WHERE game_no < 2;"
                   "PRAGMA Table_Info(reasons);",
                   true, out, &err));
    (void)fclose(out);
    ck_assert_str_eq(text, "one|none|blob|text\n1||x'0aff'|a\n"
                           "game_no|result|reason\n0|0-1|checkmate\n1|1/2-1/2|stalemate\n"
                           "cid|name|type|notnull|dflt_value|pk\n"
                           "0|reason|INTEGER|0||1\n1|name|TEXT|1||0\n");
    free(text);
    ck_assert_int_eq(store_sql(store, "SELEKT", false, stdout, &err), STATUS_BAD_INPUT);
    store_close(store);

    store = support_open("a.db", STORE_WRITE);
    MUST(store_sql(store, "UPDATE runs SET label = 'new'", false, stdout, &err));
    ck_assert_int_eq(support_count_rows(store, "runs WHERE label = 'new'"), 1);
    store_close(store);
}
END_TEST

START_TEST(views_answer)
{
    Store *store = support_open("a.db", STORE_CREATE);
    char *text = NULL;
    size_t size;
    (void)support_put_games(store, 1, 0, 6, true);
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

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, sql_only_reads, views_answer);
    return support_run(c);
}
