/* SPDX-License-Identifier: MIT
 * The ordered parallel runner on made-up games: order, errors, interruption, resumption; then real
 * self-play, which must not depend on the number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/store/query.h"
#include "db/store/stmt.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/merge.h"
#include "db/tables/runs.h"
#include "engine/notation/fen.h"
#include "selfplay/run/selfplay.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

enum { JOBS = 400 };

/* The games that fail, and what the callbacks received. */
typedef struct Script {
    int64_t fail_at, unlucky_at, stop_after; /* indices; -1: none */
    int64_t interrupt_at;
    bool no_workers;
    atomic_int interrupted;
    atomic_int workers;
    atomic_int others; /* finished games except the first */
    int64_t seen, last, ticks;
    bool ordered;
} Script;

typedef struct ScriptWorker {
    Script *script;
} ScriptWorker;

static void *create_worker(void *context, Error *err)
{
    Script *script = context;
    ScriptWorker *worker = malloc(sizeof *worker);

    if (script->no_workers || !worker) {
        free(worker);
        (void)error_set(err, STATUS_FAILED, "no worker today");
        return NULL;
    }
    atomic_fetch_add(&script->workers, 1);
    worker->script = script;
    return worker;
}

static void destroy_worker(void *pointer)
{
    ScriptWorker *worker = pointer;
    atomic_fetch_sub(&worker->script->workers, 1);
    free(worker);
}

static Status play(void *pointer, int64_t index, const atomic_int *cancelled, GameRecord *game,
                   Error *err)
{
    Script *script = ((ScriptWorker *)pointer)->script;
    if (index == script->interrupt_at) atomic_store(&script->interrupted, 1);
    if (index == script->fail_at || index == script->unlucky_at)
        return error_set(err, STATUS_ENGINE, "game %lld failed", (long long)index);
    /* Uneven work, so that games finish out of order; one so long that the others, but for the
     * bounded buffer, would come round to its place in it. */
    int64_t delay_us = index == 5 ? 60000 : index * 7919 % 97 * 10;
    (void)nanosleep(&(struct timespec){0, delay_us * 1000}, NULL);
    if (atomic_load(cancelled)) return error_set(err, STATUS_INTERRUPTED, "cancelled");
    strcpy(game->start_fen, START_FEN);
    game->opening_no = index;
    game->nodes = index * index;
    game->result = (GameResult)(index % 3);
    game->reason = REASON_MAX_PLIES;
    game->ply_count = 1;
    game->plies[0] = (GamePly){make_move(12, 28, MOVE_DOUBLE_PUSH), (int16_t)index};
    return STATUS_OK;
}

static bool finished(void *context, const GameRecord *game)
{
    Script *script = context;

    if (game->game_no <= script->last) script->ordered = false;
    script->last = game->game_no;
    script->seen++;
    return game->game_no != script->stop_after;
}

static Script make_script(void)
{
    return (Script){.fail_at = -1,
                    .unlucky_at = -1,
                    .stop_after = -1,
                    .interrupt_at = -1,
                    .last = -1,
                    .ordered = true};
}

/* Plays the script's games that are not stored. */
static Status run_script(Script *script, int threads, Store *store, int64_t run_id, Error *err)
{
    static bool present[JOBS];
    static int64_t indices[JOBS];
    RunnerJob job = {script, create_worker, destroy_worker, play, finished, NULL};
    RunnerOptions options = {.threads = threads,
                             .indices = indices,
                             .store = store,
                             .run_id = run_id,
                             .positions = true,
                             .interrupted = &script->interrupted};

    memset(present, 0, sizeof present);
    if (store) ck_assert_int_eq(store_games_present(store, run_id, 0, JOBS, present, err), 0);
    for (int64_t i = 0; i < JOBS; i++)
        if (!present[i]) indices[options.count++] = i;
    Status status = runner_run(&options, &job, err);
    ck_assert(script->ordered);
    ck_assert_int_eq(atomic_load(&script->workers), 0);
    return status;
}

static Store *create_store(const char *dir, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s.db", dir, name);
    Store *store = store_open(path, STORE_CREATE, &(Error){0});
    ck_assert_ptr_nonnull(store);
    return store;
}

static Store *open_store(const char *dir, const char *name, int64_t *run_id)
{
    RunRecord run = {.kind = RUN_SELFPLAY, .config = "{}", .seed = 1, .generation = -1};
    Store *store = create_store(dir, name);
    run_identify(&run);
    ck_assert_int_eq(store_open_run(store, &run, NULL, &(Error){0}), STATUS_OK);
    *run_id = run.run_id;
    return store;
}

static const int thread_counts[] = {1, 2, 8};

static void digest_of(const char *dir, const char *name, int threads, char digest[HASH_HEX_MAX])
{
    int64_t run_id;
    Script script = make_script();
    Store *store = open_store(dir, name, &run_id);
    Error err = {0};

    ck_assert_int_eq(run_script(&script, threads, store, run_id, &err), STATUS_OK);
    ck_assert_int_eq(script.seen, JOBS);
    ck_assert_int_eq(store_digest(store, digest, &err), STATUS_OK);
    ck_assert_int_eq(store_check(store, &err), STATUS_OK);
    store_close(store);
}

START_TEST(test_any_number_of_threads)
{
    char one[HASH_HEX_MAX], many[HASH_HEX_MAX];
    const char *dir = support_temp_dir();

    digest_of(dir, "one", 1, one);
    digest_of(dir, "many", thread_counts[_i], many);
    ck_assert_str_eq(one, many);
}
END_TEST

START_TEST(test_first_error_by_index)
{
    int64_t run_id;
    GameCounts counts;
    Script script = make_script();
    Store *store = open_store(support_temp_dir(), "runner", &run_id);
    Error err = {0};

    script.fail_at = 150;
    script.unlucky_at = 151;
    ck_assert_int_eq(run_script(&script, thread_counts[_i], store, run_id, &err), STATUS_ENGINE);
    ck_assert_str_eq(err.text, "game 150 failed");
    ck_assert_int_eq(script.seen, 150);
    ck_assert_int_eq(store_count_games(store, run_id, &counts, &err), STATUS_OK);
    ck_assert_int_eq(counts.games, 150);
    store_close(store);
}
END_TEST

START_TEST(test_no_workers)
{
    Script script = make_script();
    Error err = {0};

    script.no_workers = true;
    ck_assert_int_eq(run_script(&script, thread_counts[_i], NULL, 0, &err), STATUS_FAILED);
    ck_assert_str_eq(err.text, "no worker today");
    ck_assert_int_eq(script.seen, 0);
}
END_TEST

/* The game at which `finished` stops the run is kept, later ones are not. */
START_TEST(test_early_stop)
{
    int64_t run_id;
    GameCounts counts;
    Script script = make_script();
    Store *store = open_store(support_temp_dir(), "runner", &run_id);
    Error err = {0};

    script.stop_after = 77;
    ck_assert_int_eq(run_script(&script, thread_counts[_i], store, run_id, &err), STATUS_OK);
    ck_assert_int_eq(script.seen, 78);
    ck_assert_int_eq(store_count_games(store, run_id, &counts, &err), STATUS_OK);
    ck_assert_int_eq(counts.games, 78);
    store_close(store);
}
END_TEST

START_TEST(test_interrupt_and_resume)
{
    char whole[HASH_HEX_MAX], resumed[HASH_HEX_MAX];
    int64_t run_id;
    GameCounts counts;
    Script script = make_script();
    const char *dir = support_temp_dir();
    Store *store = open_store(dir, "resumed", &run_id);
    Error err = {0};

    script.interrupt_at = 123;
    ck_assert_int_eq(run_script(&script, thread_counts[_i], store, run_id, &err),
                     STATUS_INTERRUPTED);
    ck_assert_int_eq(store_count_games(store, run_id, &counts, &err), STATUS_OK);
    ck_assert_int_eq(counts.games, script.seen);
    ck_assert_int_lt(script.seen, JOBS);
    ck_assert_int_ge(script.seen, 123 / 2);

    script = make_script();
    ck_assert_int_eq(run_script(&script, thread_counts[_i], store, run_id, &err), STATUS_OK);
    ck_assert_int_eq(script.seen, JOBS - counts.games);
    ck_assert_int_eq(store_digest(store, resumed, &err), STATUS_OK);
    store_close(store);
    digest_of(dir, "whole", 1, whole);
    ck_assert_str_eq(whole, resumed);
}
END_TEST

/* Game 0 ends only after another game has reached the writer, or after 10 s. */
static Status play_first_last(void *pointer, int64_t index, const atomic_int *cancelled,
                              GameRecord *game, Error *err)
{
    Script *script = ((ScriptWorker *)pointer)->script;

    for (int i = 0; index == 0 && i < 10000 && !atomic_load(&script->others); i++)
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    return play(pointer, index, cancelled, game, err);
}

static bool note_others(void *context, const GameRecord *game)
{
    if (game->game_no > 0) atomic_store(&((Script *)context)->others, 1);
    return finished(context, game);
}

/* at_once: games that cannot be repeated are stored at once; none waits for an earlier one. */
START_TEST(test_at_once)
{
    static const int64_t indices[] = {0, 1, 2};
    int64_t run_id;
    GameCounts counts;
    Script script = make_script();
    Store *store = open_store(support_temp_dir(), "runner", &run_id);
    RunnerJob job = {&script, create_worker, destroy_worker, play_first_last, note_others, NULL};
    RunnerOptions options = {.threads = 2,
                             .indices = indices,
                             .count = 3,
                             .store = store,
                             .run_id = run_id,
                             .at_once = true};
    Error err = {0};

    ck_assert_msg(runner_run(&options, &job, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(script.seen, 3);
#ifdef _OPENMP
    ck_assert(!script.ordered);
#endif
    ck_assert_int_eq(store_count_games(store, run_id, &counts, &err), STATUS_OK);
    ck_assert_int_eq(counts.games, 3);
    store_close(store);
}
END_TEST

/* A store that cannot be written ends the run with the store's error; all workers are destroyed. */
START_TEST(test_store_failure)
{
    int64_t run_id;
    Script script = make_script();
    Store *store = open_store(support_temp_dir(), "runner", &run_id);
    Error err = {0};

    ck_assert_int_ne(run_script(&script, thread_counts[_i], store, run_id + 1, &err), STATUS_OK);
    ck_assert(err.text[0] != '\0');
    store_close(store);
}
END_TEST

/* ---- Real games */

static SelfplaySettings quick_settings(int threads)
{
    SelfplaySettings s;

    selfplay_defaults(&s);
    s.seed = 7;
    s.games = 12;
    s.limits.nodes_soft = 60;
    s.opening.verify_nodes = 100;
    s.hash_bytes = 1 << 16;
    s.threads = threads;
    return s;
}

static void play_selfplay(Store *store, const SelfplaySettings *s, SelfplayProgress *totals)
{
    Evaluation weights;
    Error err = {0};

    evaluation_material(&weights);
    Status status = selfplay_run(store, &weights, "material", s, NULL, NULL, NULL, totals, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
}

START_TEST(test_selfplay_at_any_number_of_threads)
{
    char one[HASH_HEX_MAX], many[HASH_HEX_MAX];
    const char *dir = support_temp_dir();
    SelfplayProgress totals;
    SelfplaySettings s = quick_settings(1);

    Store *store = create_store(dir, "one");
    play_selfplay(store, &s, &totals);
    ck_assert_int_eq(totals.done, 12);
    ck_assert_int_eq(totals.wins + totals.draws + totals.losses, 12);
    ck_assert_int_eq(store_digest(store, one, &(Error){0}), STATUS_OK);
    store_close(store);

    s.threads = 8;
    store = create_store(dir, "many");
    play_selfplay(store, &s, &totals);
    ck_assert_int_eq(store_digest(store, many, &(Error){0}), STATUS_OK);
    ck_assert_str_eq(one, many);
    play_selfplay(store, &s, &totals); /* nothing left to do */
    ck_assert_int_eq(totals.resumed, 12);
    ck_assert_int_eq(totals.positions, 0);
    store_close(store);
}
END_TEST

START_TEST(test_ranges_merge)
{
    char whole[HASH_HEX_MAX], merged[HASH_HEX_MAX], path[128];
    const char *dir = support_temp_dir();
    SelfplayProgress totals;
    MergeCounts counts;
    SelfplaySettings s = quick_settings(2);

    Store *store = create_store(dir, "whole");
    play_selfplay(store, &s, &totals);
    ck_assert_int_eq(store_digest(store, whole, &(Error){0}), STATUS_OK);
    store_close(store);

    s.games = 5;
    store = create_store(dir, "first");
    play_selfplay(store, &s, &totals);
    store_close(store);
    s.first_game = 5;
    s.games = 7;
    store = create_store(dir, "second");
    play_selfplay(store, &s, &totals);
    (void)snprintf(path, sizeof path, "%s/first.db", dir);
    ck_assert_int_eq(store_merge(store, path, NULL, &counts, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(counts.added, 5);
    ck_assert_int_eq(store_digest(store, merged, &(Error){0}), STATUS_OK);
    ck_assert_str_eq(whole, merged);
    store_close(store);
}
END_TEST

START_TEST(test_changed_settings_are_refused)
{
    Evaluation weights;
    SelfplayProgress totals;
    Error err = {0};
    SelfplaySettings s = quick_settings(1);
    Store *store = create_store(support_temp_dir(), "changed");

    s.games = 2;
    play_selfplay(store, &s, &totals);
    evaluation_material(&weights);
    s.limits.nodes_soft = 61;
    ck_assert_int_eq(selfplay_run(store, &weights, "material", &s, NULL, NULL, NULL, &totals, &err),
                     STATUS_USAGE);
    ck_assert_msg(strstr(err.text, "nodes_soft 61 instead of 60") != NULL, "%s", err.text);
    s.limits.nodes_soft = 60;
    s.search++; /* another build */
    ck_assert_int_eq(selfplay_run(store, &weights, "material", &s, NULL, NULL, NULL, &totals, &err),
                     STATUS_USAGE);
    ck_assert_msg(strstr(err.text, "(search ") != NULL, "%s", err.text);
    s.search--;
    evaluation_zero(&weights);
    ck_assert_int_eq(selfplay_run(store, &weights, "zero", &s, NULL, NULL, NULL, &totals, &err),
                     STATUS_USAGE);
    ck_assert_msg(strstr(err.text, "weights") != NULL, "%s", err.text);
    s.seed = 8; /* another seed is another run */
    ck_assert_int_eq(selfplay_run(store, &weights, "zero", &s, NULL, NULL, NULL, &totals, &err),
                     STATUS_OK);
    store_close(store);
}
END_TEST

START_TEST(test_a_run_that_goes_on_is_not_finished)
{
    static const char finished[] = "SELECT count(*) FROM runs WHERE finished IS NOT NULL";
    const atomic_int interrupted = 1;
    Evaluation weights;
    SelfplayProgress totals;
    Error err = {0};
    int64_t count;
    SelfplaySettings s = quick_settings(1);
    Store *store = create_store(support_temp_dir(), "longer");

    s.games = 4;
    play_selfplay(store, &s, &totals);
    MUST(stmt_read_number(store, finished, &count, &err));
    ck_assert_int_eq(count, 1);
    evaluation_material(&weights);
    s.games = 40;
    ck_assert_int_eq(
        selfplay_run(store, &weights, "material", &s, &interrupted, NULL, NULL, &totals, &err),
        STATUS_INTERRUPTED);
    MUST(stmt_read_number(store, finished, &count, &err));
    ck_assert_int_eq(count, 0);
    s.games = 2; /* a part, which plays nothing */
    play_selfplay(store, &s, &totals);
    MUST(stmt_read_number(store, finished, &count, &err));
    ck_assert_int_eq(count, 0);
    s.games = 4; /* all that is there */
    play_selfplay(store, &s, &totals);
    MUST(stmt_read_number(store, finished, &count, &err));
    ck_assert_int_eq(count, 1);
    MUST(store_sql(store, "UPDATE runs SET finished = 'then'", false, stdout, &err));
    play_selfplay(store, &s, &totals);
    MUST(stmt_read_number(store, "SELECT finished = 'then' FROM runs", &count, &err));
    ck_assert_int_eq(count, 1);
    store_close(store);
}
END_TEST

START_TEST(test_time_limits_are_refused)
{
    Evaluation weights;
    SelfplayProgress totals;
    Error err = {0};
    SelfplaySettings s = quick_settings(1);
    Store *store = create_store(support_temp_dir(), "timed");

    evaluation_material(&weights);
    s.limits.movetime_ms = 10;
    ck_assert_int_eq(selfplay_run(store, &weights, "m", &s, NULL, NULL, NULL, &totals, &err),
                     STATUS_USAGE);
    s.limits = (SearchLimits){0};
    ck_assert_int_eq(selfplay_run(store, &weights, "m", &s, NULL, NULL, NULL, &totals, &err),
                     STATUS_USAGE);
    store_close(store);
}
END_TEST

int main(void)
{
    enum { COUNTS = sizeof thread_counts / sizeof *thread_counts };
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_at_once, test_selfplay_at_any_number_of_threads, test_ranges_merge,
              test_changed_settings_are_refused, test_a_run_that_goes_on_is_not_finished,
              test_time_limits_are_refused);
    tcase_add_loop_test(c, test_any_number_of_threads, 0, COUNTS);
    tcase_add_loop_test(c, test_first_error_by_index, 0, COUNTS);
    tcase_add_loop_test(c, test_no_workers, 0, COUNTS);
    tcase_add_loop_test(c, test_early_stop, 0, COUNTS);
    tcase_add_loop_test(c, test_interrupt_and_resume, 0, COUNTS);
    tcase_add_loop_test(c, test_store_failure, 0, COUNTS);
    return support_run(c);
}
