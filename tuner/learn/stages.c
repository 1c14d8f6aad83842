/* SPDX-License-Identifier: MIT
 * The stages of a generation of `tabia learn`: play, fit or train. */
#include "tuner/learn/stages.h"

#include <stdio.h>
#include <string.h>

#include "db/tables/games.h"
#include "db/tables/runs.h"
#include "engine/eval/network_file.h"
#include "selfplay/run/pool.h"
#include "tuner/data/from_store.h"
#include "tuner/learn/derived_settings.h"
#include "tuner/learn/serve.h"

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
        if (runs[i].generation != g->generation || !learn_owns_run(l->settings, &runs[i])) continue;
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

/* ---- The window: the games of latest generations that a fit or a training uses */

/* Reads its positions into *data, which is to be destroyed in any case. Ctrl-C ends it with
 * STATUS_INTERRUPTED. */
static Status read_window(Learn *l, LearnGeneration *g, DatasetFilter *filter, Dataset **data,
                          Error *err)
{
    filter->generations.first = learn_window_start(l->settings, g->generation);
    filter->generations.last = g->generation;
    filter->takes_run = learn_owns_run;
    filter->context = l->settings;
    filter->linked = l->linked; /* a check reads all games */
    store_watch(l->home.store, l->clock.interrupted);
    Status status = dataset_from_store(l->home.store, filter, l->settings->threads, data, err);
    store_watch(l->home.store, NULL); /* Ctrl-C does not stop the storing of what the stage cost */
    if (status != STATUS_OK) return status;
    l->linked = true;
    g->window_games = (*data)->games;
    g->positions = (*data)->positions;
    memcpy(g->dataset_digest, (*data)->digest, sizeof g->dataset_digest);
    return STATUS_OK;
}

/* The share of its games that is held out: 0 if that is less than one game. */
static double held_out_share(const Learn *l, const LearnGeneration *g)
{
    double share = l->settings->tune.fit.validation;
    return share * (double)g->window_games < 1 ? 0 : share;
}

enum { WINDOW_TEXT_MAX = 128 };

/* Names its games, for the weights' comment. */
static void name_window(const Learn *l, const LearnGeneration *g, char out[WINDOW_TEXT_MAX])
{
    (void)snprintf(out, WINDOW_TEXT_MAX,
                   "self-play of generations %d to %d, tabia learn --from %s --seed %llu",
                   learn_window_start(l->settings, g->generation), g->generation, l->report->from,
                   (unsigned long long)l->settings->seed);
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
    name_window(l, g, source);
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
    t.fit.validation = held_out_share(l, g);
    if (t.fit.prior == FIT_PRIOR_AUTO && t.fit.validation <= 0) t.fit.prior = LEARN_PRIOR;
    t.fit.threads = l->settings->threads;
    if (fits_late(l, g)) t.fit.lambda = l->settings->late_lambda;
    t.terms = learn_terms(l->settings, g->generation);
    t.mirror = g->generation <= l->settings->mirror_until;
    tune_settle(&t, data);
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
    filter.terms =
        learn_terms(l->settings, g->generation) | weights_families(evaluation_weights(&l->best));
    Status status = read_window(l, g, &filter, &data, err);
    if (status == STATUS_OK) status = fit_dataset(l, g, data, &result, comment, err);
    dataset_destroy(data);
    if (status != STATUS_OK) return learn_end_stage(l, g, LEARN_FITTED, status, err);
    const Evaluation fitted = evaluation_of_weights(&result.weights);
    return learn_store_weights(l, g, &fitted, comment, err);
}

/* ---- Train: a network in later generations, where others have a fit */

static void on_train(void *context, const TrainProgress *p)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .train = p};

    learn_emit(l, &event);
}

/* A network that begins anew begins with the same small numbers in each generation. The first one
 * of more units begins anew: it learns more than trained units with new ones beside them. */
static Status train(Learn *l, LearnGeneration *g, const Dataset *data, TrainResult *result,
                    Error *err)
{
    const LearnSettings *s = l->settings;
    const bool grows = s->network_late > 0 && g->generation == s->network_late_from;
    TrainSettings t = s->network;
    char source[WINDOW_TEXT_MAX];

    t.hidden = learn_hidden(s, g->generation);
    if (grows) t.epochs = s->network_late_epochs;
    t.seed = learn_fit_seed(s);
    t.validation = held_out_share(l, g);
    t.threads = s->threads;
    t.mirror = s->selfplay.opening.base == OPENING_CHESS;
    t.from = s->network_continues && !grows ? evaluation_network(&l->best) : NULL;
    t.from_hash = g->parent;
    Status status = train_network(data, &t, on_train, l, &l->clock.stop, result, err);
    if (status != STATUS_OK) return status;
    g->k = result->k;
    g->iterations = t.epochs;
    g->train_loss = result->train_loss;
    g->validation_loss = result->validation_loss;
    g->split = result->split;
    name_window(l, g, source);
    train_provenance(data, source, &t, result);
    return STATUS_OK;
}

Status stage_train(Learn *l, LearnGeneration *g, Error *err)
{
    Dataset *data = NULL;
    DatasetFilter filter = l->settings->filter;
    TrainResult result = {.network = NULL};
    Evaluation weights;
    char comment[NETWORK_COMMENT_MAX];

    train_filter(&l->settings->network, &filter);
    /* The target is nearly the score, which drawn games have, too. */
    filter.positions.drop_drawn = false;
    Status status = read_window(l, g, &filter, &data, err);
    if (status == STATUS_OK) status = train(l, g, data, &result, err);
    dataset_destroy(data);
    if (status != STATUS_OK) {
        train_result_free(&result);
        return learn_end_stage(l, g, LEARN_FITTED, status, err);
    }
    memcpy(comment, result.network->comment, sizeof comment);
    evaluation_set_network(&weights, network_keep(result.network));
    return learn_store_weights(l, g, &weights, comment, err);
}
