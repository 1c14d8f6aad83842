/* SPDX-License-Identifier: MIT
 * The store: round trips of all tables, and resuming runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/query.h"
#include "db/tables/cursor.h"
#include "db/tables/games.h"
#include "db/tables/learning.h"
#include "db/tables/merge.h"
#include "db/tables/positions.h"
#include "db/tables/runs.h"
#include "db/tables/weights.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err; /* of the last call that failed */

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
    RunRecord a = support_make_run(1), b = support_make_run(1);
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
    Store *store = support_open("a.db", STORE_CREATE);
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
    Store *store = support_open("a.db", STORE_CREATE);
    int64_t run_id = support_put_games(store, 1, 0, 50, false), game_id, from_run;
    const GameRecord *game;

    GameCursor *cursor = store_read_games(store, NULL, 0, RUN_SELFPLAY, &(Error){0});
    ck_assert_ptr_nonnull(cursor);
    for (int64_t no = 0; no < 50; no++) {
        GamePly plies[SUPPORT_PLIES];
        GameRecord expected = support_make_game(no, 0, plies);
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
    support_make_database("a.db", 1, 0, 5);
    support_make_database("b.db", 1, 5, 9);
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
        MergeCounts merged;
        Store *store = support_open("a.db", (StoreMode)mode);
        (void)support_digest(store);
        if (mode != STORE_READ) MUST(store_merge(store, support_at("b.db"), NULL, &merged, &err));
        store_close(store);
        for (int i = 0; i < 4; i++) {
            static const char *const beside[] = {"a.db-wal", "a.db-shm", "b.db-wal", "b.db-shm"};
            ck_assert_msg(access(support_at(beside[i]), F_OK) != 0, "%s was left", beside[i]);
        }
    }
}
END_TEST

START_TEST(readers_do_not_write)
{
    support_make_database("a.db", 1, 0, 5);
    Store *store = support_open("a.db", STORE_READ);
    RunRecord run = support_make_run(2);
    ck_assert_int_eq(store_open_run(store, &run, NULL, &err), STATUS_DATABASE);
    ck_assert_int_eq(store_finish_run(store, 1, &err), STATUS_DATABASE);
    store_close(store);
}
END_TEST

START_TEST(an_empty_game_is_a_game)
{
    Store *store = support_open("a.db", STORE_CREATE);
    RunRecord run = support_make_run(1);
    GameRecord game = {.start_fen = "mate on the board", .reason = REASON_CHECKMATE};
    const GameRecord *read;
    MUST(store_begin(store, &err));
    MUST(store_open_run(store, &run, NULL, &err));
    MUST(store_put_game(store, run.run_id, &game, NULL, &err));
    MUST(store_put_game(store, run.run_id, &game, NULL, &err));
    MUST(store_commit(store, &err));
    GameCursor *cursor = store_read_games(store, NULL, 0, 0, &(Error){0});
    MUST(game_cursor_next(cursor, &read, NULL, NULL, &err));
    ck_assert_int_eq(read->ply_count, 0);
    game_cursor_close(cursor);
    store_close(store);
}
END_TEST

START_TEST(positions_come_back)
{
    Store *store = support_open("a.db", STORE_CREATE);
    int64_t run_id = support_put_games(store, 1, 0, 3, true), game_id = 0;
    PositionRow *rows, expected[SUPPORT_PLIES];
    GamePly plies[SUPPORT_PLIES];
    GameRecord game = support_make_game(2, 0, plies);
    const GameRecord *read;
    int count;

    support_make_rows(&game, expected);
    GameCursor *cursor = store_read_games(store, &run_id, 1, 0, &(Error){0});
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
    Store *store = support_open("a.db", STORE_CREATE);
    char a[HASH_HEX_MAX], b[HASH_HEX_MAX];
    bool created;
    RunRecord *runs;
    int count;

    sha256_hex("a", 1, a);
    sha256_hex("b", 1, b);
    RunRecord run = support_make_run(UINT64_MAX - 1);
    run.kind = RUN_GAUNTLET;
    run.generation = 3;
    (void)strcpy(run.weights[0], a);
    (void)strcpy(run.weights[1], b);
    run_identify(&run);
    /* A parent must be stored. */
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

/* Weights and the fit that refers to them are stored together or not at all. */
START_TEST(a_fit_is_one_transaction)
{
    Store *store = support_open("a.db", STORE_CREATE);
    char a[HASH_HEX_MAX], b[HASH_HEX_MAX];

    sha256_hex("a", 1, a);
    sha256_hex("b", 1, b);
    for (int unknown = 1; unknown >= 0; unknown--) {
        MUST(store_begin(store, &err));
        MUST(store_put_weights(store, a, "a", "text", NULL, &err));
        Status status = store_put_fit(store, a, unknown ? b : NULL, "digest", "{}", &err);
        ck_assert_int_eq(store_end(store, status, &err), unknown ? STATUS_FAILED : STATUS_OK);
        ck_assert_int_eq(support_count_rows(store, "weights"), !unknown);
        ck_assert_int_eq(support_count_rows(store, "fits"), !unknown);
    }
    store_close(store);
}
END_TEST

START_TEST(generations_advance)
{
    Store *store = support_open("a.db", STORE_CREATE);
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
    RunRecord run = support_make_run(1);
    MUST(store_open_run(store, &run, NULL, &err));
    MUST(store_put_gauntlet(store, &run, "running", "{}", &err));
    MUST(store_put_gauntlet(store, &run, "finished", "{}", &err));
    ck_assert_int_eq(support_count_rows(store, "gauntlets WHERE state = 'finished'"), 1);
    ck_assert_int_eq(support_count_rows(store, "fits"), 1);
    store_close(store);
}
END_TEST

START_TEST(counts_add_up)
{
    Store *store = support_open("a.db", STORE_CREATE);
    GameCounts counts;
    int64_t run_id = support_put_games(store, 1, 0, 26, false);
    (void)support_put_games(store, 2, 0, 3, false);
    MUST(store_count_games(store, run_id, &counts, &err));
    ck_assert_int_eq(counts.games, 26);
    ck_assert_int_eq(counts.losses, 9); /* numbers divisible by 3 */
    ck_assert_int_eq(counts.draws, 9);
    ck_assert_int_eq(counts.wins, 8);
    ck_assert_int_eq(counts.reasons[REASON_TABLEBASE], 2);
    ck_assert_int_eq(counts.plies, 26 * SUPPORT_PLIES - 25 * 26 / 2);
    store_close(store);
}
END_TEST

/* ---- Resuming */

START_TEST(presence_tells_what_is_missing)
{
    Store *store = support_open("a.db", STORE_CREATE);
    bool present[11] = {false}; /* one more than requested */
    (void)support_put_games(store, 1, 3, 5, false);
    int64_t run_id = support_put_games(store, 1, 7, 8, false);
    (void)support_put_games(store, 1, 12, 13, false);
    (void)support_put_games(store, 2, 0, 10, false); /* another run */
    MUST(store_games_present(store, run_id, 2, 10, present, &err));
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(present[i], i == 1 || i == 2 || i == 5);
    ck_assert_int_eq(present[10], false);
    store_close(store);
}
END_TEST

START_TEST(a_game_twice_is_one_game)
{
    Store *store = support_open("a.db", STORE_CREATE);
    (void)support_put_games(store, 1, 0, 10, true);
    (void)support_put_games(store, 1, 0, 12, true);
    ck_assert_int_eq(support_count_rows(store, "games"), 12);
    store_close(store);
}
END_TEST

START_TEST(a_different_game_is_refused)
{
    Store *store = support_open("a.db", STORE_CREATE);
    int64_t run_id = support_put_games(store, 1, 0, 3, true);
    GamePly plies[SUPPORT_PLIES];

    for (int what = 0; what < 4; what++) {
        GameRecord game = support_make_game(1, what == 0, plies);
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

START_TEST(readers_see_one_moment)
{
    Store *writer = support_open("a.db", STORE_CREATE);
    (void)support_put_games(writer, 1, 0, 3, true);
    Store *reader = support_open("a.db", STORE_READ);
    MUST(store_begin_reading(reader, &err));
    ck_assert_int_eq(support_count_rows(reader, "runs"), 1);
    (void)support_put_games(writer, 1, 3, 5, true);
    (void)support_put_games(writer, 2, 0, 5, true);
    ck_assert_int_eq(support_count_rows(reader, "runs"), 1);
    ck_assert_int_eq(support_count_rows(reader, "games"), 3);
    store_rollback(reader);
    ck_assert_int_eq(support_count_rows(reader, "games"), 10);
    store_close(reader);
    store_close(writer);
}
END_TEST

START_TEST(rollback_forgets)
{
    Store *store = support_open("a.db", STORE_CREATE);
    int64_t run_id = support_put_games(store, 1, 0, 3, true);
    const char *before = support_digest(store);
    MUST(store_begin(store, &err));
    support_put_game(store, run_id, 3, true);
    store_rollback(store);
    store_rollback(store); /* does nothing */
    ck_assert_str_eq(support_digest(store), before);
    ck_assert_int_eq(support_count_rows(store, "games"), 3);
    store_close(store);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, sha256_matches_the_standard, run_identity_is_content,
              reason_names_are_those_of_the_table, games_come_back, the_file_alone_is_the_database,
              readers_do_not_write, an_empty_game_is_a_game, positions_come_back,
              weights_and_runs_come_back, a_fit_is_one_transaction, generations_advance,
              counts_add_up, presence_tells_what_is_missing, a_game_twice_is_one_game,
              a_different_game_is_refused, readers_see_one_moment, rollback_forgets);
    return support_run(c);
}
