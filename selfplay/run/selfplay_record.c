/* SPDX-License-Identifier: MIT
 * A self-play run in the store: its identity and its players. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "db/store/json_read.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/version.h"
#include "selfplay/run/internal.h"
#include "selfplay/run/run_config.h"

int selfplay_number(const SelfplaySettings *settings, const EvalWeights *weights, int member)
{
    bool itself = memcmp(settings->pool[member].weights, weights, sizeof *weights) == 0;
    return itself ? 0 : 1 + member;
}

static Status config_text(const SelfplaySettings *s, char **text, Error *err)
{
    const SearchLimits limits = game_limits(&s->limits);
    char pool[SELFPLAY_POOL_MAX][HASH_HEX_MAX], key[16];
    JsonWriter config;
    Status status = STATUS_OK;

    for (int i = 0; i < s->pool_count && status == STATUS_OK; i++)
        status = stored_weights_hash(s->pool[i].weights, pool[i], err);
    if (status == STATUS_OK) status = json_begin_text(&config, true, err);
    if (status != STATUS_OK) return status;
    run_config_limits(&config, "", &limits, s->hash_bytes);
    run_config_opening(&config, &s->opening);
    if (s->book) run_config_book(&config, s->book, s->book_name, s->book_start);
    run_config_adjudication(&config, &s->adjudication);
    run_config_exploration(&config, &s->exploration);
    for (int i = 0; i < s->pool_count; i++) {
        (void)snprintf(key, sizeof key, "pool_%d", i + 1);
        json_string(&config, key, pool[i]);
    }
    json_int(&config, "search", s->search); /* last: other differences are named first */
    return json_finish_text(&config, text, err);
}

/* Refuses when the database holds another run of this seed and generation: it has the same
 * openings, so the user probably meant to resume it. */
static Status refuse_changed_run(Store *store, const RunRecord *run, Error *err)
{
    RunRecord *runs;
    int count;

    Status status = store_list_runs(store, RUN_SELFPLAY, &runs, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const RunRecord *r = &runs[i];
        char difference[256];
        if (r->seed != run->seed || r->generation != run->generation ||
            strcmp(r->uuid, run->uuid) == 0)
            continue;
        status = json_difference(store, r->config, run->config, difference, sizeof difference, err);
        if (status != STATUS_OK) break;
        if (!difference[0])
            (void)snprintf(difference, sizeof difference, "weights %.12s instead of %.12s",
                           run->weights[0], r->weights[0]);
        status = error_set(err, STATUS_USAGE,
                           "%s holds a self-play run of seed %llu with other settings (%s); use "
                           "those, another seed or another database",
                           store_path(store), (unsigned long long)run->seed, difference);
    }
    store_free_runs(runs, count);
    return status;
}

static Status put_weights(Store *store, const EvalWeights *weights, const char *label,
                          char hash[HASH_HEX_MAX], Error *err)
{
    Status status = stored_weights_hash(weights, hash, err);
    return status ? status : stored_weights_put(store, hash, label, weights, NULL, NULL, err);
}

static Status put_player(Store *store, int64_t run_id, int number, const char *label,
                         const char *hash, Error *err)
{
    PlayerRecord player = {.player_no = number, .config = "{}"}; /* settings are in runs.config */

    (void)snprintf(player.name, sizeof player.name, "%s", label);
    (void)snprintf(player.weights, sizeof player.weights, "%s", hash);
    return store_put_player(store, run_id, &player, err);
}

/* Stores the pool, except members that equal the weights. */
static Status put_opponents(Store *store, int64_t run_id, const EvalWeights *weights,
                            const SelfplaySettings *s, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < s->pool_count && status == STATUS_OK; i++) {
        char hash[HASH_HEX_MAX];
        int number = selfplay_number(s, weights, i);
        if (number == 0) continue;
        status = put_weights(store, s->pool[i].weights, s->pool[i].label, hash, err);
        if (status == STATUS_OK)
            status = put_player(store, run_id, number, s->pool[i].label, hash, err);
    }
    return status;
}

/* Stores weights, run and players in one transaction. */
static Status register_run(Store *store, RunRecord *run, const EvalWeights *weights,
                           const SelfplaySettings *s, Error *err)
{
    Status status = store_begin(store, err);

    if (status != STATUS_OK) return status;
    status = put_weights(store, weights, run->label, run->weights[0], err);
    if (status == STATUS_OK) status = store_open_run(store, run, NULL, err);
    if (status == STATUS_OK)
        status = put_player(store, run->run_id, 0, run->label, run->weights[0], err);
    if (status == STATUS_OK) status = put_opponents(store, run->run_id, weights, s, err);
    return store_end(store, status, err);
}

Status selfplay_open_run(Store *store, const EvalWeights *weights, const char *label,
                         const SelfplaySettings *s, int64_t *run_id, Error *err)
{
    RunRecord run = {.kind = RUN_SELFPLAY, .seed = s->seed, .generation = s->generation};
    char *config = NULL;

    Status status = stored_weights_hash(weights, run.weights[0], err);
    if (status == STATUS_OK) status = config_text(s, &config, err);
    if (status == STATUS_OK) {
        run.config = config;
        (void)snprintf(run.label, sizeof run.label, "%s", label);
        (void)snprintf(run.program, sizeof run.program, "%s", TABIA_VERSION);
        run_identify(&run);
        status = refuse_changed_run(store, &run, err);
    }
    if (status == STATUS_OK) status = register_run(store, &run, weights, s, err);
    *run_id = run.run_id;
    free(config);
    return status;
}
