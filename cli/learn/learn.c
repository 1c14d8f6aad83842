/* SPDX-License-Identifier: MIT
 * The loop of `tabia learn`. */
#include "cli/learn/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/internal.h"
#include "db/chess/stored_weights.h"
#include "db/store/json_read.h"
#include "db/tables/learning.h"
#include "engine/base/array.h"

/* ---- Generations */

/* Appends one; the pointer to it is valid until the next call. */
static Status append_generation(LearnReport *r, LearnGeneration **g, Error *err)
{
    Status status = ARRAY_RESERVE(r->generations, r->room, r->count + 1, err);
    if (status != STATUS_OK) return status;
    *g = &r->generations[r->count];
    **g = (LearnGeneration){.generation = r->count++};
    return STATUS_OK;
}

static Status begin_generation(Learn *l, Error *err)
{
    LearnGeneration *g;

    Status status = append_generation(l->report, &g, err);
    if (status != STATUS_OK) return status;
    memcpy(g->parent, l->best_hash, sizeof g->parent);
    return learn_put_record(l, g, false, err);
}

typedef Status (*StageFn)(Learn *l, LearnGeneration *g, Error *err);

/* Runs the stage that begins at `from`, unless it is done. */
static Status run_stage(Learn *l, LearnGeneration *g, LearnStage from, StageFn stage, Error *err)
{
    if (g->stage != from) return STATUS_OK;
    if (learn_time_is_over(l)) {
        l->cut = true;
        return error_set(err, STATUS_INTERRUPTED, "the budget is spent");
    }
    g->final_matches = g->final_games = 0; /* there may be other best weights then */
    return stage(l, g, err);
}

/* Completes the last generation from its present stage. */
static Status finish_generation(Learn *l, Error *err)
{
    LearnGeneration *g = &l->report->generations[l->report->count - 1];
    LearnEvent event = {.generation = g->generation, .proved = g};

    bool train = learn_trains(l->settings, g->generation);
    Status status = run_stage(l, g, LEARN_STARTED, learn_play, err);
    if (status == STATUS_OK)
        status = run_stage(l, g, LEARN_PLAYED, train ? learn_train : learn_fit, err);
    if (status == STATUS_OK) status = learn_publish_generation(l, g->weights, g->generation, err);
    if (status == STATUS_OK) status = run_stage(l, g, LEARN_FITTED, learn_prove, err);
    if (status == STATUS_OK) status = learn_publish(l, l->best_hash, "best", err);
    if (status == STATUS_OK) learn_emit(l, &event);
    return status;
}

static bool may_start_another(const Learn *l)
{
    int done = l->report->count - 1, wanted = l->settings->generations;

    if (wanted > 0 && done >= wanted) return false;
    return done == 0 || learn_fits_another(l);
}

/* ---- Beginning and resuming */

/* Row 0 holds the settings. */
static Status begin_run(Learn *l, const char *settings, Error *err)
{
    LearnGeneration *start;

    Status status = append_generation(l->report, &start, err);
    if (status == STATUS_OK) status = store_begin(l->store, err);
    if (status != STATUS_OK) return status;
    l->best = *l->from->weights;
    memcpy(l->best_hash, l->start_hash, sizeof l->best_hash);
    status = stored_weights_put(l->store, l->start_hash, l->from->label, l->from->weights,
                                l->from->comment, NULL, err);
    if (status == STATUS_OK)
        status = store_put_generation(l->store, 0, learn_stage_names[LEARN_PROVED], l->start_hash,
                                      settings, err);
    return store_end(l->store, status, err);
}

static Status check_settings(const Learn *l, const char *then, const char *present, Error *err)
{
    char difference[256];

    Status status = json_difference(l->store, then, present, difference, sizeof difference, err);
    if (status != STATUS_OK) return error_prefix(err, "%s", store_path(l->store));
    if (!difference[0]) return STATUS_OK;
    return error_set(err, STATUS_USAGE,
                     "%s holds a run with other settings (%s); use those or another directory",
                     l->dir, difference);
}

/* Reads the row of the next generation; that of 0 must hold these settings. */
static Status read_row(Learn *l, const char *settings, Error *err)
{
    char stage[32], *json = NULL;
    int generation = l->report->count;
    LearnGeneration *g;

    Status status = append_generation(l->report, &g, err);
    if (status == STATUS_OK) status = store_get_generation(l->store, generation, stage, &json, err);
    if (status == STATUS_OK && !json)
        status = error_set(err, STATUS_DATABASE, "%s: generation %d is missing",
                           store_path(l->store), generation);
    if (status == STATUS_OK && generation == 0) {
        status = check_settings(l, json, settings, err);
    } else if (status == STATUS_OK) {
        status = learn_generation_read(g, l->store, generation, stage, json, err);
        if (status != STATUS_OK) status = error_prefix(err, "%s", store_path(l->store));
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
        status = store_last_generation(l->store, last, stage, l->best_hash, &json, err);
    if (status == STATUS_OK && *last >= 0 && !l->best_hash[0])
        status = error_set(err, STATUS_DATABASE, "%s: generation %d does not name the best weights",
                           store_path(l->store), *last);
    while (status == STATUS_OK && l->report->count <= *last)
        status = read_row(l, *settings, err);
    free(json);
    return status;
}

/* All files of weights: some may be lost or changed since. */
static Status publish_all(Learn *l, Error *err)
{
    const char *linear = l->start_hash;

    Status status = learn_publish_generation(l, l->start_hash, 0, err);
    for (int i = 1; i < l->report->count && status == STATUS_OK; i++) {
        const LearnGeneration *g = &l->report->generations[i];
        if (g->stage >= LEARN_FITTED) status = learn_publish_generation(l, g->weights, i, err);
        if (g->accepted && !learn_trains(l->settings, i)) linear = g->weights;
    }
    if (status == STATUS_OK) status = learn_publish(l, linear, "best", err);
    if (status != STATUS_OK || strcmp(linear, l->best_hash) == 0) return status;
    return learn_publish(l, l->best_hash, "best", err);
}

static Status begin_or_resume(Learn *l, Error *err)
{
    char *settings;
    int last = -1;

    Status status = learn_load(l, &settings, &last, err);
    if (status == STATUS_OK)
        status = last < 0 ? begin_run(l, settings, err)
                          : stored_weights_get(l->store, l->best_hash, &l->best, NULL, err);
    free(settings);
    return status == STATUS_OK ? publish_all(l, err) : status;
}

/* ---- The whole */

bool learn_has_openings(const LearnSettings *s, int64_t games)
{
    const OpeningSettings *o = &s->selfplay.opening;
    return o->random_plies > 0 || games / 2 <= opening_bases(o);
}

static Status check_openings(const LearnSettings *s, const char *option, int64_t games, Error *err)
{
    long long count = opening_bases(&s->selfplay.opening);

    if (learn_has_openings(s, games)) return STATUS_OK;
    return error_set(err, STATUS_USAGE,
                     "%s %lld: without random plies there %s %lld opening%s, each for two games; "
                     "more would be the same games again, which prove nothing",
                     option, (long long)games, count > 1 ? "are" : "is", count,
                     count > 1 ? "s" : "");
}

Status learn_check_settings(const LearnSettings *s, Error *err)
{
    if (s->selfplay.games < 1 || s->window < 1)
        return error_set(err, STATUS_USAGE, "games and window of a generation must be at least 1");
    if (s->gauntlet_games % 2 || s->final_games % 2)
        return error_set(
            err, STATUS_USAGE,
            "the games of a match must be even: --gauntlet-games %lld, --final-games %lld",
            (long long)s->gauntlet_games, (long long)s->final_games);
    if (s->tune.fit.prior == FIT_PRIOR_AUTO && s->tune.fit.validation <= 0)
        return error_set(err, STATUS_USAGE, "--prior auto needs --validation above 0");
    Status status = check_openings(s, "--gauntlet-games", s->gauntlet_games, err);
    if (status == STATUS_OK) status = check_openings(s, "--final-games", s->final_games, err);
    if (status != STATUS_OK) return status;
    if (s->network.hidden > 0 && !network_sizes(s->network.hidden, s->network.buckets))
        return error_set(err, STATUS_USAGE, "--network %d: must be a multiple of %d",
                         s->network.hidden, NETWORK_HIDDEN_STEP);
    return STATUS_OK;
}

static Status learn_generations(Learn *l, Error *err)
{
    Status status = STATUS_OK;

    learn_limit_generations(l);
    if (l->report->count > 1 && l->report->generations[l->report->count - 1].stage != LEARN_PROVED)
        status = finish_generation(l, err);
    while (status == STATUS_OK) {
        learn_limit_generations(l);
        if (!may_start_another(l)) break;
        status = begin_generation(l, err);
        if (status == STATUS_OK) status = finish_generation(l, err);
    }
    return learn_forgive_cut(l, status, err);
}

static Status learn(Learn *l, Error *err)
{
    static const LearnOrder end = {.kind = ORDER_END};
    LearnEvent event = {.earlier = &l->earlier};
    LearnCost finals;

    Status status = learn_check_settings(l->settings, err);
    if (status == STATUS_OK) status = learn_home_open(l, err);
    if (status == STATUS_OK) status = begin_or_resume(l, err);
    if (status != STATUS_OK) return status;
    learn_sum_costs(l->report, &l->earlier, &finals);
    l->earlier.wall += finals.wall;
    l->earlier.cpu += finals.cpu;
    if (l->progress) l->progress(l->context, &event);
    if (l->settings->cluster)
        status = remote_workers_open(&l->remote, l->settings->cluster, l->settings->threads, err);
    if (status == STATUS_OK) status = learn_generations(l, err);
    if (status == STATUS_OK) status = learn_measure_gain(l, err);
    return status == STATUS_OK ? learn_give_order(l, &end, NULL, err) : status;
}

Status learn_run(const char *dir, const LearnStart *from, const LearnSettings *settings,
                 const atomic_int *interrupted, LearnProgressFn progress, void *context,
                 LearnReport *report, Error *err)
{
    Error own = {0};
    Learn l = {.from = from,
               .settings = settings,
               .interrupted = interrupted,
               .progress = progress,
               .context = context,
               .report = report,
               .dir = dir,
               .lock = -1,
               .started = learn_clock(NULL)};

    l.charged = l.started;
    *report = (LearnReport){.by_material = settings->gauntlet_games == 0};
    (void)snprintf(report->from, sizeof report->from, "%s", from->label);
    Status status = learn(&l, err ? err : &own); /* parts of it return err->status */
    report->weights = l.best;
    learn_sum_costs(report, &report->cost, &report->final_cost);
    remote_workers_close(&l.remote);
    learn_home_close(&l);
    return status;
}

void learn_report_free(LearnReport *report)
{
    free(report->generations);
    *report = (LearnReport){0};
}
