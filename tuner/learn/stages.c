/* SPDX-License-Identifier: MIT
 * The stages of a generation of `tabia learn`: play, fit, prove. */
#include "tuner/learn/stages.h"

#include <string.h>

#include "db/chess/stored_weights.h"
#include "db/tables/games.h"
#include "db/tables/runs.h"
#include "selfplay/run/pool.h"
#include "tuner/learn/derived_settings.h"
#include "tuner/learn/match.h"
#include "tuner/learn/serve.h"
#include "tuner/learn/window.h"

/* ---- Play */

static void on_selfplay(void *context, const SelfplayProgress *p)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .selfplay = p};

    learn_emit(l, &event);
}

/* Games and plies of a generation's self-play by all processes. */
static Status count_generation(Learn *l, LearnGeneration *g, Error *err)
{
    RunRecord *runs;
    int count;

    Status status = store_list_runs(l->home.store, RUN_SELFPLAY, &runs, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        GameCounts counts;
        if (runs[i].generation != g->generation) continue;
        status = store_count_games(l->home.store, runs[i].run_id, &counts, err);
        if (status != STATUS_OK) break;
        g->games = counts.games;
        g->plies = counts.plies;
    }
    store_free_runs(runs, count);
    return status;
}

Status stage_play(Learn *l, LearnGeneration *g, Error *err)
{
    SelfplaySettings s = learn_selfplay_settings(l->settings, g->generation);
    const LearnRequest request = {
        .kind = REQUEST_SELFPLAY, .generation = g->generation, .weights = l->best};
    SelfplayProgress totals;
    Pool pool = {0};
    char label[GENERATION_NAME_MAX];

    learn_generation_name(l->report->best, label);
    Status status = STATUS_OK;
    if (l->settings->pool_last > 0)
        status = pool_load_last(l->home.store, l->settings->pool_last, &pool, err);
    s.pool = pool.members;
    s.pool_count = pool.count;
    s.remote = &l->remote;
    if (status == STATUS_OK) status = learn_request(l->settings, &request, &pool, err);
    if (status == STATUS_OK)
        status = selfplay_run(l->home.store, &l->best, label, &s, &l->clock.stop, on_selfplay, l,
                              &totals, err);
    pool_free(&pool);
    Status counted = count_generation(l, g, status == STATUS_OK ? err : &(Error){0});
    if (status == STATUS_OK) status = counted;
    return learn_end_stage(l, g, LEARN_PLAYED, status, err);
}

/* ---- Fit */

static void on_tune(void *context, const FitIteration *iteration)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .tune = iteration};

    learn_emit(l, &event);
}

static void describe(const Learn *l, const LearnGeneration *g, const Dataset *data,
                     const TuneSettings *settings, const TuneResult *result,
                     char comment[TUNE_COMMENT_MAX])
{
    char source[WINDOW_TEXT_MAX], start[GENERATION_NAME_MAX];
    LearnSettings defaults;

    learn_defaults(&defaults);
    window_text(l, g->generation, source);
    learn_generation_name(l->report->best, start);
    tune_provenance(data, source, start, g->parent, settings, &defaults.tune, result, comment);
}

/* Scores of good players tell more than their results, in drawn games as in others. */
static bool fits_late(const Learn *l, const LearnGeneration *g)
{
    return l->settings->late_from > 0 && g->generation >= l->settings->late_from;
}

static Status fit_dataset(Learn *l, LearnGeneration *g, const Dataset *data, TuneResult *result,
                          char comment[TUNE_COMMENT_MAX], Error *err)
{
    TuneSettings t = l->settings->tune;

    t.fit.seed = learn_fit_seed(l->settings);
    t.fit.validation = window_validation(l->settings, data);
    if (t.fit.prior == FIT_PRIOR_AUTO && t.fit.validation <= 0) t.fit.prior = LEARN_PRIOR;
    t.fit.threads = l->settings->threads;
    if (fits_late(l, g)) t.fit.lambda = l->settings->late_lambda;
    t.mirror = g->generation <= l->settings->mirror_until;
    g->window_games = data->games;
    g->positions = data->positions;
    memcpy(g->dataset_digest, data->digest, sizeof data->digest);
    const FitHooks hooks = {.interrupted = &l->clock.stop, .progress = on_tune, .context = l};
    Status status = tune_fit(data, evaluation_weights(&l->best), &t, &hooks, result, err);
    if (status != STATUS_OK) return status;
    g->k = result->k;
    g->iterations = result->fit.iterations;
    g->train_loss = result->train.after.mse;
    g->validation_loss = result->validation.after.mse;
    g->split = result->split;
    describe(l, g, data, &t, result, comment);
    return STATUS_OK;
}

Status stage_fit(Learn *l, LearnGeneration *g, Error *err)
{
    Dataset *data = NULL;
    TuneResult result;
    char comment[TUNE_COMMENT_MAX];
    DatasetFilter filter = l->settings->filter;

    if (fits_late(l, g)) filter.positions.drop_drawn = false;
    filter.terms = l->settings->tune.terms | weights_families(evaluation_weights(&l->best));
    Status status = window_read(l, g->generation, &filter, &data, err);
    if (status == STATUS_OK) status = fit_dataset(l, g, data, &result, comment, err);
    dataset_destroy(data);
    if (status != STATUS_OK) return learn_end_stage(l, g, LEARN_FITTED, status, err);
    const Evaluation fitted = evaluation_of_weights(&result.weights);
    return learn_store_weights(l, g, &fitted, comment, err);
}

/* ---- Prove */

static bool is_better(const GauntletProgress *result)
{
    if (result->stats.decision == SPRT_ACCEPT_H1) return true;
    if (result->stats.decision == SPRT_ACCEPT_H0) return false;
    return result->score.wins > result->score.losses;
}

Status stage_prove(Learn *l, LearnGeneration *g, Error *err)
{
    GauntletProgress result = {0};
    Evaluation candidate;
    char opponent[GENERATION_NAME_MAX];

    learn_generation_name(l->report->best, opponent);
    Status status = stored_weights_get(l->home.store, g->weights, &candidate, NULL, err);
    if (status == STATUS_OK && l->settings->gauntlet_games > 0)
        status = learn_match(l, g->generation, &candidate, opponent, &l->best,
                             learn_derive_seed(l->settings->seed, SEED_GAUNTLET, g->generation),
                             l->settings->gauntlet_games, &l->settings->sprt, &result, err);
    if (status == STATUS_OK) {
        g->match = result.score;
        g->accepted = l->settings->gauntlet_games == 0 || is_better(&result);
        if (g->accepted) {
            l->best = candidate;
            l->report->best = g->generation;
            memcpy(l->best_hash, g->weights, sizeof l->best_hash);
        }
    }
    return learn_end_stage(l, g, LEARN_PROVED, status, err);
}
