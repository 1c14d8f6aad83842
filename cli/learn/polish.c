/* SPDX-License-Identifier: MIT
 * The last generation of `tabia learn --polish`: matches scale the weights that the fits found. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/learn/internal.h"
#include "cli/spsa/spsa.h"
#include "db/tables/digest.h"
#include "engine/base/text.h"

enum { PATH_BYTES = 4096 };

bool learn_polishes(const LearnSettings *settings, int generation)
{
    return settings->polish > 0 && generation == settings->generations;
}

static void on_spsa(void *context, const SpsaProgress *p)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .polish = p};

    learn_emit(l, &event);
}

/* A match of an iteration, by all processes. */
static Status play(void *context, Store *store, const GauntletPlayer *players,
                   const GauntletSettings *match, const GauntletObserver *observer,
                   GauntletProgress *result, Error *err)
{
    Learn *l = context;
    const LearnOrder order = {.kind = ORDER_MATCH,
                              .generation = match->generation,
                              .seed = match->seed,
                              .weights = *players[0].weights,
                              .opponent = *players[1].weights};

    Status status = learn_give_order(l, &order, NULL, err);
    if (status != STATUS_OK) return status;
    status = gauntlet_run(store, players, 2, match, observer, &l->stop, result, err);
    cluster_seats_dismiss(&l->seats);
    return status;
}

static void describe(const Learn *l, const LearnGeneration *g, const Tunables *list,
                     char comment[TUNE_COMMENT_MAX])
{
    *comment = '\0';
    text_append(comment, TUNE_COMMENT_MAX,
                "Generation %d of tabia learn --from %s --seed %llu --polish %lld, from generation "
                "%d, sha256 %s; %lld games\n"
                "scales, middle game and end game:",
                g->generation, l->report->from, (unsigned long long)l->settings->seed,
                (long long)g->iterations, l->report->best, g->parent, (long long)g->games);
    for (int i = 0; i < list->count; i += PHASES)
        text_append(comment, TUNE_COMMENT_MAX, "%s %.*s %.0f %.0f", i > 0 ? "," : "",
                    (int)strcspn(list->items[i].name, "."), list->items[i].name,
                    list->items[i + MG].value, list->items[i + EG].value);
}

static Status tune(Learn *l, LearnGeneration *g, Store *store, Tunables *list, Error *err)
{
    GauntletPlayer players[2] = {{.name = NULL}};
    SpsaSettings settings;
    SpsaMatch match = {.weights = l->best, .play = play};

    spsa_defaults(&settings);
    settings.seed = learn_derive_seed(l->settings->seed, SEED_POLISH, g->generation);
    settings.iterations = l->settings->polish;
    search_params_defaults(&match.params);
    learn_match_settings(l->settings, 0, 0, &match.settings, players);
    match.player = players[0];
    match.settings.games = l->settings->polish_games;
    match.settings.seats = &l->seats.seats;
    g->iterations = settings.iterations;
    g->k = g->train_loss = g->validation_loss = NAN; /* nothing is fitted */
    return spsa_run(store, &settings, &match, list, on_spsa, l, &l->stop, &g->games, err);
}

/* The weights with their scales, into the store of the run. */
static Status keep(Learn *l, LearnGeneration *g, const Tunables *list, Error *err)
{
    double values[TUNABLES_MAX];
    char comment[TUNE_COMMENT_MAX];
    EvalWeights weights = l->best;
    SearchParams params;

    for (int i = 0; i < list->count; i++)
        values[i] = list->items[i].value;
    search_params_defaults(&params);
    tunables_apply(list, values, &params, &weights);
    describe(l, g, list, comment);
    return learn_store_weights(l, g, &weights, comment, err);
}

Status learn_polish(Learn *l, LearnGeneration *g, Error *err)
{
    char path[PATH_BYTES];
    Tunables list;

    (void)snprintf(path, sizeof path, "%s/polish.db", l->dir);
    Store *store = store_open(path, STORE_CREATE, err);
    Status status = tunables_scales(&l->best, &list, err);
    if (!store) status = err->status;
    if (status == STATUS_OK) status = tune(l, g, store, &list, err);
    if (status == STATUS_OK) status = store_digest(store, 0, g->dataset_digest, err);
    store_close(store);
    if (status == STATUS_OK)
        status = keep(l, g, &list, err);
    else
        status = learn_end_stage(l, g, LEARN_FITTED, status, err);
    tunables_free(&list);
    return status;
}
