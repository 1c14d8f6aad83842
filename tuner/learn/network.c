/* SPDX-License-Identifier: MIT
 * Later generations of `tabia learn --network`: a network is trained where others have a fit. */
#include "tuner/learn/stages.h"

#include <string.h>

#include "tuner/learn/derived_settings.h"
#include "tuner/learn/window.h"

static void on_train(void *context, const TrainProgress *p)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .train = p};

    learn_emit(l, &event);
}

/* Each generation's network begins anew, with the same small numbers. */
static Status train(Learn *l, LearnGeneration *g, const Dataset *data, TrainResult *result,
                    Error *err)
{
    TrainSettings t = l->settings->network;
    char source[WINDOW_TEXT_MAX];

    t.seed = learn_fit_seed(l->settings);
    t.validation = window_validation(l->settings, data);
    t.threads = l->settings->threads;
    t.mirror = l->settings->selfplay.opening.base == OPENING_CHESS;
    Status status = train_network(data, &t, on_train, l, &l->clock.stop, result, err);
    if (status != STATUS_OK) return status;
    g->window_games = data->games;
    g->positions = data->positions;
    memcpy(g->dataset_digest, data->digest, sizeof data->digest);
    g->k = result->k;
    g->iterations = t.epochs;
    g->train_loss = result->train_loss;
    g->validation_loss = result->validation_loss;
    g->split = result->split;
    window_text(l, g->generation, source);
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

    filter.pieces = true;
    /* The target is nearly the score, which drawn games have, too. */
    filter.positions.drop_drawn = false;
    Status status = window_read(l, g->generation, &filter, &data, err);
    if (status == STATUS_OK) status = train(l, g, data, &result, err);
    dataset_destroy(data);
    if (status != STATUS_OK) {
        train_result_free(&result);
        return learn_end_stage(l, g, LEARN_FITTED, status, err);
    }
    memcpy(comment, result.network->comment, sizeof comment);
    weights = evaluation_of_network(network_keep(result.network));
    return learn_store_weights(l, g, &weights, comment, err);
}
