/* SPDX-License-Identifier: MIT
 * Events and records of generations. */
#include "tuner/learn/context.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/chess/stored_weights.h"
#include "db/tables/learning.h"

void learn_generation_name(int generation, char out[GENERATION_NAME_MAX])
{
    (void)snprintf(out, GENERATION_NAME_MAX, "gen-%03d", generation);
}

void learn_emit(Learn *l, LearnEvent *event)
{
    event->seconds_left = budget_check(&l->clock);
    if (l->progress) l->progress(l->context, event);
}

Status learn_put_record(Learn *l, const LearnGeneration *g, Error *err)
{
    char *json = NULL;

    Status status = learn_generation_json(g, &json, err);
    if (status == STATUS_OK)
        status = store_put_generation(l->home.store, g->generation, learn_stage_names[g->stage],
                                      l->best_hash, json, err);
    free(json);
    return status;
}

Status learn_end_stage(Learn *l, LearnGeneration *g, LearnStage stage, Status status, Error *err)
{
    budget_charge(&l->clock, &g->cost[g->stage]);
    if (status == STATUS_OK) {
        g->stage = stage;
        return learn_put_record(l, g, err);
    }
    Status also = learn_put_record(l, g, &(Error){0});
    (void)also; /* the failure that ended the stage is the one to report */
    return status;
}

/* The record of a fit, in a row of its own. */
static Status put_fit(Learn *l, const LearnGeneration *g, Error *err)
{
    char *json = NULL;

    Status status = learn_generation_json(g, &json, err);
    if (status == STATUS_OK)
        status = store_put_fit(l->home.store, g->weights, g->parent, g->dataset_digest, json, err);
    free(json);
    return status;
}

Status learn_store_weights(Learn *l, LearnGeneration *g, const EvalWeights *weights,
                           const char *comment, Error *err)
{
    Store *store = l->home.store;
    char name[GENERATION_NAME_MAX];

    learn_generation_name(g->generation, name);
    Status status = stored_weights_hash(weights, g->weights, err);
    if (status == STATUS_OK) status = store_begin(store, err);
    if (status != STATUS_OK) return status;
    status = stored_weights_put(store, g->weights, name, weights, comment, g->parent, err);
    if (status == STATUS_OK) status = learn_end_stage(l, g, LEARN_FITTED, STATUS_OK, err);
    if (status == STATUS_OK && g->positions > 0) status = put_fit(l, g, err);
    return store_end(store, status, err);
}
