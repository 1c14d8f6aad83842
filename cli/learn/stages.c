/* SPDX-License-Identifier: MIT
 * The stages of a generation of `tabia learn`: play, fit, prove. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/internal.h"
#include "db/chess/stored_weights.h"
#include "db/tables/games.h"
#include "db/tables/learning.h"
#include "db/tables/runs.h"
#include "engine/base/pcg.h"
#include "selfplay/run/pool.h"
#include "tuner/data/from_store.h"

enum { NAME_BYTES = 32 };

/* Independent seeds from one: the SplitMix64 generator. */
uint64_t learn_derive_seed(uint64_t seed, SeedPurpose purpose, int generation)
{
    return mix64(seed + 0x9e3779b97f4a7c15ULL * (1 + (uint64_t)purpose + 8 * (uint64_t)generation));
}

static void generation_name(int generation, char out[NAME_BYTES])
{
    (void)snprintf(out, NAME_BYTES, "gen-%03d", generation);
}

/* ---- Records of generations */

Status learn_put_record(Learn *l, const LearnGeneration *g, bool as_fit, Error *err)
{
    char *json = NULL;

    Status status = learn_generation_json(g, &json, err);
    if (status == STATUS_OK && as_fit)
        status = store_put_fit(l->store, g->weights, g->parent, g->dataset_digest, json, err);
    else if (status == STATUS_OK)
        status = store_put_generation(l->store, g->generation, learn_stage_names[g->stage],
                                      l->best_hash, json, err);
    free(json);
    return status;
}

Status learn_end_stage(Learn *l, LearnGeneration *g, LearnStage stage, Status status, Error *err)
{
    learn_charge(l, &g->cost[g->stage]);
    if (status == STATUS_OK) {
        g->stage = stage;
        return learn_put_record(l, g, false, err);
    }
    Status also = learn_put_record(l, g, false, NULL);
    (void)also; /* the failure that ended the stage is the one to report */
    return status;
}

/* ---- Stage 1: play */

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

    Status status = store_list_runs(l->store, RUN_SELFPLAY, &runs, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        GameCounts counts;
        if (runs[i].generation != g->generation) continue;
        status = store_count_games(l->store, runs[i].run_id, &counts, err);
        if (status != STATUS_OK) break;
        g->games = counts.games;
        g->plies = counts.plies;
    }
    store_free_runs(runs, count);
    return status;
}

uint64_t learn_nodes(const LearnSettings *s, int generation)
{
    double nodes = (double)s->selfplay.limits.nodes_soft;
    double most = fmax(nodes, (double)s->nodes_max);

    if (learn_trains(s, generation) && s->network_nodes > 0) return (uint64_t)s->network_nodes;
    for (int i = 2; i <= generation && nodes < most; i++)
        nodes *= s->nodes_growth;
    return (uint64_t)fmin(nodes, most);
}

int64_t learn_games(const LearnSettings *s, int generation)
{
    bool own = learn_trains(s, generation) && s->network_games > 0;
    return own ? s->network_games : s->selfplay.games;
}

SelfplaySettings learn_selfplay_settings(const LearnSettings *settings, int generation)
{
    SelfplaySettings s = settings->selfplay;

    s.seed = learn_derive_seed(settings->seed, SEED_SELFPLAY, generation);
    s.generation = generation;
    s.threads = settings->threads;
    s.first_game = 0;
    if (generation == 1) {
        s.exploration = settings->first;
        s.adjudication.draw_plies = 0; /* zero weights score every position as equal */
    }
    for (int i = 3; i <= generation; i++)
        s.exploration.random_move *= settings->random_decay;
    s.limits.nodes_soft = learn_nodes(settings, generation);
    s.games = learn_games(settings, generation);
    return s;
}

Status learn_play(Learn *l, LearnGeneration *g, Error *err)
{
    SelfplaySettings s = learn_selfplay_settings(l->settings, g->generation);
    const LearnOrder order = {.kind = ORDER_PLAY, .generation = g->generation, .weights = l->best};
    SelfplayProgress totals;
    Pool pool = {0};
    char label[NAME_BYTES];

    generation_name(l->report->best, label);
    Status status = STATUS_OK;
    if (l->settings->pool_last > 0)
        status = pool_load_last(l->store, l->settings->pool_last, &pool, err);
    s.pool = pool.members;
    s.pool_count = pool.count;
    s.remote = &l->remote;
    if (status == STATUS_OK) status = learn_give_order(l, &order, &pool, err);
    if (status == STATUS_OK)
        status =
            selfplay_run(l->store, &l->best, label, &s, &l->stop, on_selfplay, l, &totals, err);
    pool_free(&pool);
    Status counted = count_generation(l, g, status == STATUS_OK ? err : NULL);
    if (status == STATUS_OK) status = counted;
    return learn_end_stage(l, g, LEARN_PLAYED, status, err);
}

/* ---- Stage 2: fit */

static void on_tune(void *context, const FitIteration *iteration)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .tune = iteration};

    learn_emit(l, &event);
}

/* The games of generation 1, decided by random moves, are used until there are two later
 * generations. */
static int window_start(const LearnSettings *s, int generation)
{
    int first = generation - (learn_trains(s, generation) ? s->network_window : s->window) + 1;
    int oldest = generation < 3 ? 1 : 2;
    return first > oldest ? first : oldest;
}

Status learn_read_games(Learn *l, const LearnGeneration *g, DatasetFilter *filter, Dataset **data,
                        Error *err)
{
    filter->generations.first = window_start(l->settings, g->generation);
    filter->generations.last = g->generation;
    store_watch(l->store, l->interrupted);
    Status status = dataset_from_store(l->store, filter, l->settings->threads, data, err);
    store_watch(l->store, NULL); /* Ctrl-C does not stop the storing of what the stage cost */
    return status;
}

uint64_t learn_fit_seed(const LearnSettings *settings)
{
    return learn_derive_seed(settings->seed, SEED_TUNE, 0);
}

double learn_validation(const LearnSettings *settings, const Dataset *data)
{
    double share = settings->tune.fit.validation;
    return share * (double)data->games < 1 ? 0 : share;
}

void learn_source(const Learn *l, int generation, char out[LEARN_SOURCE_MAX])
{
    (void)snprintf(out, LEARN_SOURCE_MAX,
                   "self-play of generations %d to %d, tabia learn --from %s --seed %llu",
                   window_start(l->settings, generation), generation, l->report->from,
                   (unsigned long long)l->settings->seed);
}

Status learn_store_weights(Learn *l, LearnGeneration *g, const EvalWeights *weights,
                           const char *comment, Error *err)
{
    char name[NAME_BYTES];

    generation_name(g->generation, name);
    Status status = stored_weights_hash(weights, g->weights, err);
    if (status == STATUS_OK) status = store_begin(l->store, err);
    if (status != STATUS_OK) return status;
    status = stored_weights_put(l->store, g->weights, name, weights, comment, g->parent, err);
    if (status == STATUS_OK) status = learn_end_stage(l, g, LEARN_FITTED, STATUS_OK, err);
    if (status == STATUS_OK && g->positions > 0) status = learn_put_record(l, g, true, err);
    return store_end(l->store, status, err);
}

static void describe(const Learn *l, const LearnGeneration *g, const Dataset *data,
                     const TuneSettings *settings, const TuneResult *result,
                     char comment[TUNE_COMMENT_MAX])
{
    char source[LEARN_SOURCE_MAX], start[NAME_BYTES];
    LearnSettings defaults;

    learn_defaults(&defaults);
    learn_source(l, g->generation, source);
    generation_name(l->report->best, start);
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
    t.fit.validation = learn_validation(l->settings, data);
    if (t.fit.prior == FIT_PRIOR_AUTO && t.fit.validation <= 0) t.fit.prior = LEARN_PRIOR;
    t.fit.threads = l->settings->threads;
    if (fits_late(l, g)) t.fit.lambda = l->settings->late_lambda;
    t.mirror = g->generation <= l->settings->mirror_until;
    g->window_games = data->games;
    g->positions = data->positions;
    memcpy(g->dataset_digest, data->digest, sizeof data->digest);
    const FitHooks hooks = {.interrupted = &l->stop, .progress = on_tune, .context = l};
    Status status = tune_fit(data, &l->best, &t, &hooks, result, err);
    if (status != STATUS_OK) return status;
    g->k = result->k;
    g->iterations = result->fit.iterations;
    g->train_loss = result->train.after.mse;
    g->validation_loss = result->validation.after.mse;
    g->split = result->split;
    describe(l, g, data, &t, result, comment);
    return STATUS_OK;
}

Status learn_fit(Learn *l, LearnGeneration *g, Error *err)
{
    Dataset *data = NULL;
    TuneResult result;
    char comment[TUNE_COMMENT_MAX];
    DatasetFilter filter = l->settings->filter;

    if (fits_late(l, g)) filter.positions.drop_drawn = false;
    filter.terms = l->settings->tune.terms | weights_families(&l->best);
    Status status = learn_read_games(l, g, &filter, &data, err);
    if (status == STATUS_OK) status = fit_dataset(l, g, data, &result, comment, err);
    dataset_destroy(data);
    if (status != STATUS_OK) return learn_end_stage(l, g, LEARN_FITTED, status, err);
    return learn_store_weights(l, g, &result.weights, comment, err);
}

/* ---- Stage 3: prove */

static void on_gauntlet(void *context, const GauntletProgress *p)
{
    Learn *l = context;
    LearnEvent event = {
        .generation = l->match_generation, .gauntlet = p, .opponent = l->match_opponent};

    learn_emit(l, &event);
}

void learn_match_settings(const LearnSettings *settings, int generation, uint64_t seed,
                          GauntletSettings *g, GauntletPlayer players[2])
{
    for (int i = 0; i < 2; i++) {
        players[i].limits = settings->gauntlet_limits;
        players[i].hash_bytes = settings->selfplay.hash_bytes;
    }
    gauntlet_defaults(g);
    g->seed = seed;
    g->generation = generation;
    g->search = settings->selfplay.search;
    g->opening = settings->selfplay.opening;
    g->adjudication = settings->selfplay.adjudication;
    g->threads = settings->threads;
}

Status learn_match(Learn *l, int generation, const EvalWeights *weights, const char *opponent,
                   const EvalWeights *opponent_weights, uint64_t seed, int64_t games,
                   const SprtSettings *sprt, GauntletProgress *result, Error *err)
{
    char name[NAME_BYTES];
    GauntletSettings g;
    GauntletPlayer players[2] = {{.name = name, .weights = weights},
                                 {.name = opponent, .weights = opponent_weights}};
    const GauntletObserver observer = {.context = l, .progress = on_gauntlet};
    const LearnOrder order = {.kind = ORDER_MATCH,
                              .generation = generation,
                              .seed = seed,
                              .weights = *weights,
                              .opponent = *opponent_weights};

    generation_name(generation, name);
    learn_match_settings(l->settings, generation, seed, &g, players);
    g.games = games;
    g.sprt = *sprt;
    g.remote = &l->remote;
    l->match_generation = generation;
    l->match_opponent = opponent;
    Status status = learn_give_order(l, &order, NULL, err);
    if (status != STATUS_OK) return status;
    status = gauntlet_run(l->store, players, 2, &g, &observer, &l->stop, result, err);
    scoreboard_free(&result->board); /* score and statistics stay */
    return status;
}

static bool is_better(const GauntletProgress *result)
{
    if (result->stats.decision == SPRT_ACCEPT_H1) return true;
    if (result->stats.decision == SPRT_ACCEPT_H0) return false;
    return result->score.wins > result->score.losses;
}

Status learn_prove(Learn *l, LearnGeneration *g, Error *err)
{
    GauntletProgress result = {0};
    EvalWeights candidate;
    char opponent[NAME_BYTES];

    generation_name(l->report->best, opponent);
    Status status = stored_weights_get(l->store, g->weights, &candidate, NULL, err);
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
