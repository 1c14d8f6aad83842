/* SPDX-License-Identifier: MIT
 * The records of `tabia learn`: generations survive JSON, differences of settings are named. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/json_read.h"
#include "engine/eval/evaluation_load.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"
#include "tuner/learn/learn.h"

static LearnGeneration sample(LearnStage stage)
{
    LearnGeneration g = {.generation = 3,
                         .stage = stage,
                         .games = 2000,
                         .plies = 123456,
                         .window_games = 6000,
                         .positions = 300001,
                         .k = 1.2345678901234567,
                         .train_loss = 0.10123456789012345,
                         .validation_loss = 0.2,
                         .iterations = 17,
                         .match = {60, 30, 10, {1, 2, 30, 10, 7}},
                         .accepted = true,
                         .cost = {{12.5, 25}, {0.25, 0.5}, {7, 13}, {3, 4}},
                         .final_matches = 2,
                         .final_games = 800};
    memset(g.parent, 'a', HASH_HEX_MAX - 1);
    memset(g.weights, 'b', HASH_HEX_MAX - 1);
    memset(g.dataset_digest, 'c', HASH_HEX_MAX - 1);
    return g;
}

static LearnGeneration round_trip(const LearnGeneration *g)
{
    LearnGeneration back;
    Error err = {0};
    char *json = NULL;
    Store *store = support_open("any.db", STORE_CREATE);

    MUST(learn_generation_json(g, &json, &err));
    MUST(learn_generation_read(&back, store, g->generation, learn_stage_names[g->stage], json,
                               &err));
    free(json);
    store_close(store);
    return back;
}

START_TEST(generations_come_back)
{
    LearnGeneration g = sample(LEARN_PROVED), back = round_trip(&g);

    ck_assert_int_eq(back.generation, 3);
    ck_assert_int_eq(back.stage, LEARN_PROVED);
    ck_assert_str_eq(back.parent, g.parent);
    ck_assert_str_eq(back.weights, g.weights);
    ck_assert_str_eq(back.dataset_digest, g.dataset_digest);
    ck_assert_int_eq(back.games, g.games);
    ck_assert_int_eq(back.plies, g.plies);
    ck_assert_int_eq(back.window_games, g.window_games);
    ck_assert_int_eq(back.positions, g.positions);
    ck_assert(back.k == g.k && back.train_loss == g.train_loss); /* to the last bit */
    ck_assert(back.validation_loss == g.validation_loss);
    ck_assert_int_eq(back.iterations, g.iterations);
    ck_assert_mem_eq(&back.match, &g.match, sizeof g.match);
    ck_assert(back.accepted);
    ck_assert_double_eq(learn_generation_cost(&back).wall, 19.75);
    ck_assert_double_eq(learn_generation_cost(&back).cpu, 38.5);
    ck_assert_mem_eq(back.cost, g.cost, sizeof g.cost);
    ck_assert_int_eq(back.final_matches, 2);
    ck_assert_int_eq(back.final_games, 800);
}
END_TEST

/* A stage that follows final matches forgets them, not what they took. */
START_TEST(what_final_matches_took_is_kept)
{
    LearnGeneration g = sample(LEARN_PLAYED);
    g.final_matches = g.final_games = 0;
    LearnGeneration back = round_trip(&g);

    ck_assert_int_eq(back.final_matches, 0);
    ck_assert_double_eq(back.cost[LEARN_PROVED].wall, 3);
    ck_assert_double_eq(back.cost[LEARN_PROVED].cpu, 4);
}
END_TEST

START_TEST(unfinished_ones_too)
{
    LearnGeneration g = sample(LEARN_STARTED), back = round_trip(&g);

    ck_assert_int_eq(back.stage, LEARN_STARTED);
    ck_assert_int_eq(back.games, 2000);
    ck_assert_int_eq(back.positions, 0);
    g = sample(LEARN_FITTED);
    g.validation_loss = NAN; /* nothing held out */
    back = round_trip(&g);
    ck_assert_int_eq(back.stage, LEARN_FITTED);
    ck_assert(isnan(back.validation_loss));
    ck_assert(!back.accepted);
}
END_TEST

START_TEST(what_is_no_generation_is_refused)
{
    LearnGeneration g;
    Error err = {0};
    Store *store = support_open("any.db", STORE_CREATE);

    ck_assert_int_eq(learn_generation_read(&g, store, 2, "proved", "{\"parent\": \"a\"}", &err),
                     STATUS_DATABASE);
    ck_assert_str_eq(
        err.text, "the row of generation 2 is damaged: field games is missing or of another type");
    ck_assert_int_eq(learn_generation_read(&g, store, 2, "dreamt", "{\"parent\": \"a\"}", &err),
                     STATUS_DATABASE);
    ck_assert_int_eq(learn_generation_read(&g, store, 2, "started", "{}", &err), STATUS_DATABASE);
    ck_assert_int_eq(learn_generation_read(&g, store, 2, "started", "\"x:y\"", &err),
                     STATUS_DATABASE);
    store_close(store);
}
END_TEST

static char *settings_text(const LearnSettings *s)
{
    Error err = {0};
    char *json = NULL;

    ck_assert_int_eq(learn_settings_json(s, "hash", &json, &err), STATUS_OK);
    return json;
}

START_TEST(settings_name_their_difference)
{
    LearnSettings s;
    Error err = {0};
    Store *store = support_open("any.db", STORE_CREATE);
    char difference[128];

    learn_defaults(&s);
    char *then = settings_text(&s);
    s.threads = 7;
    s.budget.seconds = 1000;
    s.generations = 9; /* these do not decide the weights */
    char *same = settings_text(&s);
    ck_assert_str_eq(then, same);
    s.tune.fit.prior += 1;
    char *now = settings_text(&s);
    MUST(json_difference(store, then, now, difference, sizeof difference, &err));
    ck_assert_ptr_nonnull(strstr(difference, "prior"));
    s.tune.fit.weighing.decay = 0.5;
    char *decayed = settings_text(&s);
    MUST(json_difference(store, now, decayed, difference, sizeof difference, &err));
    ck_assert_ptr_nonnull(strstr(difference, "decay"));
    s.selfplay.search++; /* another build */
    char *rebuilt = settings_text(&s);
    MUST(json_difference(store, decayed, rebuilt, difference, sizeof difference, &err));
    ck_assert_ptr_nonnull(strstr(difference, "search"));
    free(then);
    free(same);
    free(now);
    free(decayed);
    free(rebuilt);
    store_close(store);
}
END_TEST

/* ---- The loop */

typedef struct Watcher {
    atomic_int interrupted;
    int passes; /* of fits or trainings */
} Watcher;

static void interrupt_fit(void *context, const LearnEvent *event)
{
    Watcher *w = context;

    if (!event->tune && !event->train) return;
    w->passes++;
    atomic_store(&w->interrupted, 1);
}

/* A run of one generation, which Ctrl-C ends in its fit. */
static void learn_until_fit(const char *dir, const LearnSettings *s, Watcher *w)
{
    Evaluation weights;
    LearnReport report;
    Error err = {0};
    const LearnStart from = {&weights, "builtin", ""};

    ck_assert_int_eq(evaluation_builtin(&weights, &err), STATUS_OK);
    ck_assert_int_eq(learn_run(dir, &from, s, &w->interrupted, interrupt_fit, w, &report, &err),
                     STATUS_INTERRUPTED);
    ck_assert_int_eq(report.count, 2);
    ck_assert_int_eq(report.generations[1].stage, LEARN_PLAYED);
    learn_report_free(&report);
}

/* Ctrl-C while the games are read ends that, before the first pass over them. */
START_TEST(reading_games_is_interrupted)
{
    LearnSettings s;
    Watcher w = {.passes = 0};
    char dir[512];

    learn_defaults(&s);
    s.threads = s.generations = 1;
    s.selfplay.games = 1000; /* SQLite looks at the flag after some thousand steps */
    s.selfplay.limits.nodes_soft = 1;
    s.network.hidden = _i == 1 ? NETWORK_HIDDEN_STEP : 0;
    s.network_phase.from = 1;
    s.network_phase.games = s.network_phase.nodes = 0; /* as without networks */
    (void)snprintf(dir, sizeof dir, "%s/run", support_temp_dir());
    learn_until_fit(dir, &s, &w);
    ck_assert_int_gt(w.passes, 0);
    w.passes = 0;
    learn_until_fit(dir, &s, &w); /* the flag is still set */
    ck_assert_int_eq(w.passes, 0);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, generations_come_back, what_final_matches_took_is_kept, unfinished_ones_too,
              what_is_no_generation_is_refused, settings_name_their_difference);
    tcase_add_loop_test(c, reading_games_is_interrupted, 0, 2);
    return support_run(c);
}
