/* SPDX-License-Identifier: MIT
 * Events, and the rows of generations: the first one, those that are stored and read again. */
#include "tuner/learn/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "db/store/json_read.h"
#include "db/tables/learning.h"
#include "engine/base/system.h"
#include "tuner/learn/derived_settings.h"

void learn_generation_name(int generation, char out[GENERATION_NAME_MAX])
{
    (void)snprintf(out, GENERATION_NAME_MAX, "gen-%03d", generation);
}

void learn_emit(Learn *l, LearnEvent *event)
{
    event->seconds_left = budget_check(&l->clock);
    event->spent = budget_spent(&l->clock);
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

Status learn_store_weights(Learn *l, LearnGeneration *g, const Evaluation *weights,
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

/* ---- Beginning and resuming */

/* Row 0 holds the settings. */
static Status begin_run(Learn *l, const char *settings, Error *err)
{
    LearnGeneration *start;

    Status status = learn_report_append(l->report, &start, err);
    if (status == STATUS_OK) status = store_begin(l->home.store, err);
    if (status != STATUS_OK) return status;
    l->best = *l->from->weights;
    memcpy(l->best_hash, l->start_hash, sizeof l->best_hash);
    status = stored_weights_put(l->home.store, l->start_hash, l->from->label, l->from->weights,
                                l->from->comment, NULL, err);
    if (status == STATUS_OK)
        status = store_put_generation(l->home.store, 0, learn_stage_names[LEARN_PROVED],
                                      l->start_hash, settings, err);
    return store_end(l->home.store, status, err);
}

static Status check_settings(const Learn *l, const char *then, const char *present, Error *err)
{
    char difference[256];

    Status status =
        json_difference(l->home.store, then, present, difference, sizeof difference, err);
    if (status != STATUS_OK) return error_prefix(err, "%s", store_path(l->home.store));
    if (!difference[0]) return STATUS_OK;
    const char *stored = strstr(difference, " instead of \"");
    if (stored && strncmp(difference, "from ", 5) == 0) {
        char hash[13];
        (void)snprintf(hash, sizeof hash, "%s", stored + strlen(" instead of \""));
        (void)snprintf(difference, sizeof difference, "from %s, weights %.12s instead of %s",
                       l->from->label, l->start_hash, hash);
    }
    return error_set(
        err, STATUS_USAGE,
        "%s holds a run with other settings (%s); use those, as --resume does, or another directory",
        l->home.dir, difference);
}

/* Reads the row of the next generation; that of 0 must hold these settings. */
static Status read_row(Learn *l, const char *settings, Error *err)
{
    char stage[32], *json = NULL;
    int generation = l->report->count;
    LearnGeneration *g;

    Status status = learn_report_append(l->report, &g, err);
    if (status == STATUS_OK)
        status = store_get_generation(l->home.store, generation, stage, &json, err);
    if (status == STATUS_OK && !json)
        status = error_set(err, STATUS_DATABASE, "%s: generation %d is missing",
                           store_path(l->home.store), generation);
    if (status == STATUS_OK && generation == 0) {
        status = check_settings(l, json, settings, err);
    } else if (status == STATUS_OK) {
        status = learn_generation_read(g, l->home.store, generation, stage, json, err);
        if (status != STATUS_OK) status = error_prefix(err, "%s", store_path(l->home.store));
    }
    if (status == STATUS_OK && g->accepted) l->report->best = generation;
    free(json);
    return status;
}

Status learn_load(Learn *l, char **settings, int *last, Error *err)
{
    char stage[32], *json = NULL;

    *settings = NULL;
    Status status = stored_weights_hash(l->from->weights, l->start_hash, err);
    if (status == STATUS_OK)
        status = learn_settings_json(l->settings, l->start_hash, settings, err);
    if (status == STATUS_OK)
        status = store_last_generation(l->home.store, last, stage, l->best_hash, &json, err);
    if (status == STATUS_OK && *last >= 0 && !l->best_hash[0])
        status = error_set(err, STATUS_DATABASE, "%s: generation %d does not name the best weights",
                           store_path(l->home.store), *last);
    while (status == STATUS_OK && l->report->count <= *last)
        status = read_row(l, *settings, err);
    free(json);
    return status;
}

/* All files of weights: some may be lost or changed since. */
static Status publish_all(Learn *l, Error *err)
{
    const char *linear = l->start_hash;

    Status status = learn_publish_generation(&l->home, l->start_hash, 0, err);
    for (int i = 1; i < l->report->count && status == STATUS_OK; i++) {
        const LearnGeneration *g = &l->report->generations[i];
        status = system_check_end(err);
        if (status == STATUS_OK && g->stage >= LEARN_FITTED)
            status = learn_publish_generation(&l->home, g->weights, i, err);
        if (g->accepted && !learn_trains(l->settings, i)) linear = g->weights;
    }
    if (status == STATUS_OK) status = learn_publish(&l->home, linear, "best", err);
    if (status != STATUS_OK || strcmp(linear, l->best_hash) == 0) return status;
    return learn_publish(&l->home, l->best_hash, "best", err);
}

Status learn_begin_or_resume(Learn *l, Error *err)
{
    char *settings;
    int last = -1;

    Status status = learn_load(l, &settings, &last, err);
    if (status == STATUS_OK)
        status = last < 0 ? begin_run(l, settings, err)
                          : stored_weights_get(l->home.store, l->best_hash, &l->best, NULL, err);
    free(settings);
    return status == STATUS_OK ? publish_all(l, err) : status;
}
