/* SPDX-License-Identifier: MIT
 * The digest of games, and merging databases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "db/tables/check.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/learning.h"
#include "db/tables/merge.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "db/tables/weights.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err; /* of the last call that failed */

START_TEST(digest_does_not_depend_on_order)
{
    Store *a = support_open("a.db", STORE_CREATE), *b = support_open("b.db", STORE_CREATE);
    (void)support_put_games(a, 1, 0, 20, true);
    (void)support_put_games(a, 2, 0, 5, false);
    (void)support_put_games(b, 2, 3, 5, false);
    (void)support_put_games(b, 1, 10, 20, false);
    (void)support_put_games(b, 3, 0, 0, false); /* a run without games */
    (void)support_put_games(b, 1, 0, 10, true);
    ck_assert_str_ne(support_digest(a), support_digest(b));
    int64_t run_id = support_put_games(b, 2, 0, 3, false);
    MUST(store_finish_run(b, run_id, &err));
    ck_assert_str_eq(support_digest(a), support_digest(b));
    (void)support_put_games(b, 4, 0, 1, false);
    ck_assert_str_ne(support_digest(a), support_digest(b));
    store_close(a);
    store_close(b);
}
END_TEST

START_TEST(digest_sees_every_field)
{
    enum { CHANGES = 10 };
    char texts[CHANGES][HASH_HEX_MAX];

    for (int what = 0; what < CHANGES; what++) {
        GamePly plies[SUPPORT_PLIES];
        GameRecord game = support_make_game(4, 0, plies);
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
        Store *store = support_open(name, STORE_CREATE);
        RunRecord run = support_make_run(1);
        MUST(store_begin(store, &err));
        MUST(store_open_run(store, &run, NULL, &err));
        MUST(store_put_game(store, run.run_id, &game, NULL, &err));
        MUST(store_commit(store, &err));
        MUST(store_digest(store, texts[what], &err));
        store_close(store);
        for (int i = 0; i < what; i++)
            ck_assert_msg(strcmp(texts[i], texts[what]) != 0, "changes %d and %d", i, what);
    }
}
END_TEST

START_TEST(games_need_their_run)
{
    Store *store = support_open("a.db", STORE_CREATE);
    GamePly plies[SUPPORT_PLIES];
    GameRecord game = support_make_game(0, 0, plies);
    MUST(store_begin(store, &err));
    ck_assert_int_eq(store_put_game(store, 77, &game, NULL, &err), STATUS_DATABASE);
    store_rollback(store);
    store_close(store);
}
END_TEST

START_TEST(merged_halves_are_the_whole)
{
    MergeCounts merged;
    support_make_database("whole.db", 1, 0, 40);
    support_make_database("left.db", 1, 0, 25);
    support_make_database("right's #2%?.db", 1, 20,
                          40); /* overlaps; its name has special characters */

    Store *store = support_open("left.db", STORE_WRITE);
    MUST(store_merge(store, support_at("right's #2%?.db"), NULL, &merged, &err));
    ck_assert_int_eq(merged.added, 15);
    MUST(store_merge(store, support_at("right's #2%?.db"), NULL, &merged, &err));
    ck_assert_int_eq(merged.added, 0);
    Store *whole = support_open("whole.db", STORE_READ);
    ck_assert_str_eq(support_digest(store), support_digest(whole));
    ck_assert_int_eq(support_count_rows(store, "positions"),
                     support_count_rows(whole, "positions"));
    ck_assert_int_eq(support_count_rows(store, "runs"), 1);
    MUST(store_check(store, &err));
    store_close(store);
    store_close(whole);
}
END_TEST

/* One number differs: b is kept as a difference, in the merged file too, unless that has other
 * bytes for its base. */
START_TEST(merge_keeps_differences)
{
    char a[HASH_HEX_MAX], b[HASH_HEX_MAX], with_a[2048], with_b[2048];
    MergeCounts merged;

    sha256_hex("a", 1, a);
    sha256_hex("b", 1, b);
    for (int same = 0; same < 2; same++) {
        (void)snprintf(with_a, sizeof with_a, "%01000d%900d", 1, 12);
        (void)snprintf(with_b, sizeof with_b, "%01000d comment%900d", 1, -3);
        Store *from = support_open(same ? "from1.db" : "from0.db", STORE_CREATE),
              *into = support_open(same ? "into1.db" : "into0.db", STORE_CREATE);
        MUST(store_put_weights(from, a, "a", with_a, NULL, &err));
        MUST(store_put_weights(from, b, "b", with_b, a, &err));
        MUST(store_put_weights(into, a, "mine", same ? with_a : "other", NULL, &err));
        MUST(store_merge(into, store_path(from), NULL, &merged, &err));
        ck_assert_int_eq(support_count_rows(from, "weights WHERE header = '' AND base_id = 1"), 1);
        ck_assert_int_eq(support_count_rows(into, "weights WHERE header = '' AND base_id = 1"),
                         same);
        char *text = store_get_weights(into, b, &err);
        ck_assert_str_eq(text, with_b);
        free(text);
        store_close(from);
        store_close(into);
    }
}
END_TEST

START_TEST(merge_brings_provenance)
{
    char a[HASH_HEX_MAX], b[HASH_HEX_MAX];
    MergeCounts merged;
    RunRecord *runs;
    int count;

    sha256_hex("a", 1, a);
    sha256_hex("b", 1, b);
    Store *from = support_open("from.db", STORE_CREATE),
          *into = support_open("into.db", STORE_CREATE);
    MUST(store_put_weights(from, a, "a", "text a", NULL, &err));
    MUST(store_put_weights(from, b, "b", "text b", a, &err));
    MUST(store_put_weights(into, b, "b", "text b", NULL, &err)); /* other row number, no parent */
    RunRecord run = support_make_run(1);
    (void)strcpy(run.weights[0], b);
    run_identify(&run);
    MUST(store_begin(from, &err));
    MUST(store_open_run(from, &run, NULL, &err));
    support_put_game(from, run.run_id, 0, true);
    MUST(store_put_gauntlet(from, &run, "finished", "{}", &err));
    MUST(store_put_fit(from, b, a, "digest", "{}", &err));
    MUST(store_commit(from, &err));
    for (int i = 0; i < 2; i++)
        MUST(store_merge(into, support_at("from.db"), NULL, &merged, &err));
    MUST(store_list_runs(into, 0, &runs, &count, &err));
    ck_assert_int_eq(count, 1);
    ck_assert_str_eq(runs[0].weights[0], b);
    store_free_runs(runs, count);
    ck_assert_int_eq(
        support_count_rows(into, "weights AS w JOIN weights AS p ON p.weights_id = w.parent_id"
                                 " WHERE w.label = 'b' AND p.label = 'a'"),
        1);
    ck_assert_int_eq(support_count_rows(into, "gauntlets"), 1);
    ck_assert_int_eq(support_count_rows(into, "fits"), 1);
    ck_assert_str_eq(support_digest(into), support_digest(from));
    store_close(from);
    store_close(into);
}
END_TEST

/* A match that was continued elsewhere is finished here too; an older state changes nothing. */
START_TEST(the_later_word_of_a_match_counts)
{
    static const char *const names[] = {"early.db", "late.db"};
    static const char *const states[] = {"interrupted", "finished"};
    MergeCounts merged;

    for (int i = 0; i < 2; i++) {
        char sql[128];
        Store *store = support_open(names[i], STORE_CREATE);
        int64_t run_id = support_put_games(store, 1, 0, 5 + 5 * i, false);
        MUST(store_put_gauntlet(store, &(RunRecord){.run_id = run_id}, states[i], "{}", &err));
        (void)snprintf(sql, sizeof sql, "UPDATE gauntlets SET updated = '2026-01-0%dT00:00:00Z'",
                       1 + i);
        MUST(store_sql(store, sql, false, stdout, &err));
        store_close(store);
    }
    for (int i = 1; i >= 0; i--) {
        Store *into = support_open(names[i], STORE_WRITE);
        MUST(store_merge(into, support_at(names[1 - i]), NULL, &merged, &err));
        ck_assert_int_eq(support_count_rows(into, "games"), 10);
        ck_assert_int_eq(support_count_rows(into, "gauntlets WHERE state = 'finished'"), 1);
        store_close(into);
    }
}
END_TEST

/* Finished are parts that are all finished, or a finished part that has all games of the others. */
START_TEST(a_merged_run_is_finished_when_all_is_there)
{
    static const struct {
        int64_t games[2]; /* of the first part, which is finished, and the other */
        bool both, finished;
    } cases[] = {{{10, 6}, false, true}, {{6, 10}, false, false}, {{6, 10}, true, true}};
    MergeCounts merged;

    for (int into = 0; into < 2; into++) {
        for (int i = 0; i < 2; i++) {
            Store *store = support_open(i ? "other.db" : "first.db", STORE_CREATE);
            int64_t run_id = support_put_games(store, 1, 0, cases[_i].games[i], false);
            MUST(i == 0 || cases[_i].both ? store_finish_run(store, run_id, &err)
                                          : store_reopen_run(store, run_id, &err));
            store_close(store);
        }
        Store *store = support_open(into ? "other.db" : "first.db", STORE_WRITE);
        for (int again = 0; again < 2; again++) {
            MUST(store_merge(store, support_at(into ? "first.db" : "other.db"), NULL, &merged,
                             &err));
            ck_assert_int_eq(support_count_rows(store, "runs WHERE finished IS NOT NULL"),
                             cases[_i].finished);
        }
        store_close(store);
        store_remove(support_at("first.db"));
        store_remove(support_at("other.db"));
    }
}
END_TEST

START_TEST(merge_adds_missing_positions)
{
    MergeCounts merged;
    Store *compact = support_open("compact.db", STORE_CREATE);
    (void)support_put_games(compact, 1, 0, 10, false);
    support_make_database("full.db", 1, 0, 5);
    MUST(store_merge(compact, support_at("full.db"), NULL, &merged, &err));
    ck_assert_int_eq(merged.added, 0);
    ck_assert_int_eq(support_count_rows(compact, "(SELECT DISTINCT game_id FROM positions)"), 5);
    MUST(store_check(compact, &err));
    store_close(compact);
}
END_TEST

START_TEST(merge_refuses_contradictions)
{
    MergeCounts merged;
    GamePly plies[SUPPORT_PLIES];

    support_make_database("into.db", 1, 0, 5);
    Store *from = support_open("from.db", STORE_CREATE);
    int64_t run_id = support_put_games(from, 1, 5, 10, true);
    GameRecord game = support_make_game(3, _i == 0, plies); /* other moves, or only other … */
    game.varied = _i;
    MUST(store_begin(from, &err));
    MUST(store_put_game(from, run_id, &game, NULL, &err));
    MUST(store_commit(from, &err));
    store_close(from);

    Store *into = support_open("into.db", STORE_WRITE);
    const char *before = support_digest(into);
    ck_assert_int_eq(store_merge(into, support_at("from.db"), NULL, &merged, &err), STATUS_FAILED);
    ck_assert_ptr_nonnull(strstr(err.text, "game 3 of run"));
    ck_assert_int_eq(merged.added, 0);
    ck_assert_str_eq(support_digest(into), before);
    ck_assert_int_eq(store_merge(into, support_at("into.db"), NULL, &merged, &err),
                     STATUS_BAD_INPUT);
    ck_assert_int_eq(store_merge(into, support_at("absent.db"), NULL, &merged, &err),
                     STATUS_BAD_INPUT);
    store_close(into);
}
END_TEST

/* ---- Chosen games and refusals */

START_TEST(chosen_games_alone)
{
    static const int64_t ids[] = {2, 3, 7, 999 /* does not exist */};
    MergeCounts counts;

    Store *from = support_open("from.db", STORE_CREATE);
    MUST(store_finish_run(from, support_put_games(from, 1, 0, 20, true), &err));
    store_close(from);
    Store *into = support_open("into.db", STORE_CREATE);
    const MergeOptions options = {.game_ids = ids, .count = 4};
    MUST(store_merge(into, support_at("from.db"), &options, &counts, &err));
    ck_assert_int_eq(counts.added, 3);
    ck_assert_int_eq(support_count_rows(into, "games WHERE game_no IN (1, 2, 6)"), 3);
    ck_assert_int_eq(support_count_rows(into, "games"), 3);
    ck_assert_int_eq(support_count_rows(into, "runs WHERE finished IS NULL"), 1);
    ck_assert_int_eq(support_count_rows(into, "(SELECT DISTINCT game_id FROM positions)"), 3);
    ck_assert_int_eq(support_count_rows(into, "sqlite_temp_schema"), 0);
    store_close(into);
}
END_TEST

static void count_call(void *calls, const MergeCounts *unused)
{
    (void)unused;
    ++*(int *)calls;
}

START_TEST(many_games_go_in_batches)
{
    enum { GAMES = 9000 };
    MergeCounts counts;
    int calls = 0;

    Store *from = support_open("from.db", STORE_CREATE);
    (void)support_put_games(from, 1, 0, GAMES, false);
    Store *into = support_open("into.db", STORE_CREATE);
    (void)support_put_games(into, 1, 4000, 4100, false);
    const MergeOptions options = {.progress = count_call, .context = &calls};
    MUST(store_merge(into, support_at("from.db"), &options, &counts, &err));
    ck_assert_int_eq(counts.games, GAMES);
    ck_assert_int_eq(counts.added, GAMES - 100);
    ck_assert_int_ge(calls, 3);
    ck_assert_str_eq(support_digest(into), support_digest(from));
    store_close(from);
    store_close(into);
}
END_TEST

static void interrupt(void *interrupted, const MergeCounts *unused)
{
    (void)unused;
    atomic_store((atomic_int *)interrupted, 1);
}

START_TEST(a_run_is_finished_after_its_games)
{
    enum { GAMES = 9000 };
    atomic_int interrupted = 0;
    MergeCounts counts;

    Store *from = support_open("from.db", STORE_CREATE);
    MUST(store_finish_run(from, support_put_games(from, 1, 0, GAMES, false), &err));
    Store *into = support_open("into.db", STORE_CREATE);
    const MergeOptions options = {.progress = interrupt, .context = &interrupted};
    store_watch(into, &interrupted);
    ck_assert_int_eq(store_merge(into, support_at("from.db"), &options, &counts, &err),
                     STATUS_INTERRUPTED);
    store_watch(into, NULL);
    ck_assert_int_eq(support_count_rows(into, "runs WHERE finished IS NULL"), 1);
    ck_assert_int_lt(support_count_rows(into, "games"), GAMES);
    MUST(store_merge(into, support_at("from.db"), NULL, &counts, &err));
    ck_assert_int_eq(support_count_rows(into, "runs WHERE finished IS NOT NULL"), 1);
    store_close(from);
    store_close(into);
}
END_TEST

typedef struct Rival {
    Store *store;
    int calls;
} Rival;

/* Another process finishes the other part when the second batch has found no more games. */
static void finish_late(void *context, const MergeCounts *unused)
{
    Rival *rival = context;

    (void)unused;
    if (++rival->calls == 2)
        MUST(store_finish_run(rival->store, support_put_games(rival->store, 1, 0, 2, false), &err));
}

START_TEST(a_run_that_grew_meanwhile_is_not_finished)
{
    MergeCounts counts;

    Store *from = support_open("from.db", STORE_CREATE);
    (void)support_put_games(from, 1, 0, 1, false);
    Store *into = support_open("into.db", STORE_CREATE);
    Rival rival = {.store = from};
    const MergeOptions options = {.progress = finish_late, .context = &rival};
    MUST(store_merge(into, support_at("from.db"), &options, &counts, &err));
    ck_assert_int_eq(support_count_rows(into, "games"), 1);
    ck_assert_int_eq(support_count_rows(into, "runs WHERE finished IS NULL"), 1);
    MUST(store_merge(into, support_at("from.db"), NULL, &counts, &err));
    ck_assert_int_eq(support_count_rows(into, "runs WHERE finished IS NOT NULL"), 1);
    store_close(from);
    store_close(into);
}
END_TEST

START_TEST(mixtures_are_refused)
{
    MergeCounts merged;
    MergeCounts counts;

    support_make_database("from.db", 1, 0, 5);
    Store *into = support_open("into.db", STORE_CREATE);
    RunRecord run = support_make_run(1);
    run.config = "{\"nodes\":6000}";
    run_identify(&run);
    MUST(store_begin(into, &err));
    MUST(store_open_run(into, &run, NULL, &err));
    MUST(store_commit(into, &err));
    ck_assert_int_eq(store_merge(into, support_at("from.db"), NULL, &merged, &err), STATUS_FAILED);
    ck_assert_msg(strstr(err.text, "nodes 5000 instead of 6000") != NULL, "%s", err.text);
    ck_assert_int_eq(support_count_rows(into, "games"), 0);
    ck_assert_int_eq(support_count_rows(into, "runs"), 1);
    const MergeOptions mixed = {.mixed = true};
    MUST(store_merge(into, support_at("from.db"), &mixed, &counts, &err));
    ck_assert_int_eq(counts.added, 5);
    MUST(store_merge(into, support_at("from.db"), NULL, &merged, &err)); /* both are here now */
    ck_assert_int_eq(merged.added, 0);
    store_close(into);

    /* Merging a file that holds both is idempotent like any other merge. */
    Store *copy = support_open("copy.db", STORE_CREATE);
    for (int i = 0; i < 2; i++) {
        MUST(store_merge(copy, support_at("into.db"), NULL, &merged, &err));
        ck_assert_int_eq(merged.added, i == 0 ? 5 : 0);
    }
    store_close(copy);

    /* Another generation of the seed is another run, with any settings. */
    into = support_open("later.db", STORE_CREATE);
    run.generation = 7;
    run_identify(&run);
    MUST(store_begin(into, &err));
    MUST(store_open_run(into, &run, NULL, &err));
    MUST(store_commit(into, &err));
    MUST(store_merge(into, support_at("from.db"), NULL, &merged, &err));
    ck_assert_int_eq(merged.added, 5);
    store_close(into);
}
END_TEST

START_TEST(generations_come_if_they_fit)
{
    MergeCounts merged;

    Store *from = support_open("from.db", STORE_CREATE);
    MUST(store_put_generation(from, 0, "done", NULL, "{\"elo\":1}", &err));
    MUST(store_put_generation(from, 1, "done", NULL, "{\"elo\":2}", &err));
    Store *into = support_open("into.db", STORE_CREATE);
    MUST(store_put_generation(into, 0, "done", NULL, "{\"elo\":1}", &err));
    for (int i = 0; i < 2; i++)
        MUST(store_merge(into, support_at("from.db"), NULL, &merged, &err));
    ck_assert_int_eq(support_count_rows(into, "generations"), 2);
    store_close(into);

    into = support_open("stranger.db", STORE_CREATE);
    MUST(store_put_generation(into, 0, "done", NULL, "{\"elo\":7}", &err));
    MUST(store_merge(into, support_at("from.db"), NULL, &merged, &err));
    ck_assert_int_eq(support_count_rows(into, "generations WHERE json ->> 'elo' = 7"), 1);
    ck_assert_int_eq(support_count_rows(into, "generations"), 1);
    store_close(into);
    store_close(from);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, digest_does_not_depend_on_order, digest_sees_every_field, games_need_their_run,
              merged_halves_are_the_whole, merge_brings_provenance, merge_keeps_differences,
              the_later_word_of_a_match_counts, merge_adds_missing_positions, chosen_games_alone,
              many_games_go_in_batches, a_run_is_finished_after_its_games,
              a_run_that_grew_meanwhile_is_not_finished, mixtures_are_refused,
              generations_come_if_they_fit);
    tcase_add_loop_test(c, a_merged_run_is_finished_when_all_is_there, 0, 3);
    tcase_add_loop_test(c, merge_refuses_contradictions, 0, 2);
    return support_run(c);
}
