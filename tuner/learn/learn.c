/* SPDX-License-Identifier: MIT
 * The loop of `tabia learn`. */
#include "tuner/learn/learn.h"

#include <stdio.h>
#include <string.h>

#include "tuner/learn/context.h"
#include "tuner/learn/derived_settings.h"
#include "tuner/learn/matches.h"
#include "tuner/learn/serve.h"
#include "tuner/learn/stages.h"

/* ---- Generations */

static Status begin_generation(Learn *l, Error *err)
{
    LearnGeneration *g;

    Status status = learn_report_append(l->report, &g, err);
    if (status != STATUS_OK) return status;
    memcpy(g->parent, l->best_hash, sizeof g->parent);
    return learn_put_record(l, g, err);
}

typedef Status (*StageFn)(Learn *l, LearnGeneration *g, Error *err);

/* Runs the stage that begins at `from`, unless it is done. */
static Status run_stage(Learn *l, LearnGeneration *g, LearnStage from, StageFn stage, Error *err)
{
    if (g->stage != from) return STATUS_OK;
    if (budget_is_spent(&l->clock)) {
        l->clock.cut = true;
        return error_set(err, STATUS_INTERRUPTED, "the budget is spent");
    }
    g->final_matches = g->final_games = 0; /* there may be other best weights then */
    return stage(l, g, err);
}

/* Completes the last generation from its present stage. */
static Status finish_generation(Learn *l, Error *err)
{
    LearnGeneration *g = learn_report_last(l->report);
    LearnEvent event = {.generation = g->generation, .proved = g};

    bool train = learn_trains(l->settings, g->generation);
    Status status = run_stage(l, g, LEARN_STARTED, stage_play, err);
    if (status == STATUS_OK)
        status = run_stage(l, g, LEARN_PLAYED, train ? stage_train : stage_fit, err);
    if (status == STATUS_OK)
        status = learn_publish_generation(&l->home, g->weights, g->generation, err);
    if (status == STATUS_OK) status = run_stage(l, g, LEARN_FITTED, stage_prove, err);
    if (status == STATUS_OK) status = learn_publish(&l->home, l->best_hash, "best", err);
    if (status == STATUS_OK) learn_emit(l, &event);
    return status;
}

static bool may_start_another(const Learn *l)
{
    int done = l->report->count - 1, wanted = l->settings->generations;

    if (wanted > 0 && done >= wanted) return false;
    return done == 0 || budget_allows_another(&l->clock, l->report);
}

/* ---- The whole */

static Status learn_generations(Learn *l, Error *err)
{
    Status status = STATUS_OK;

    budget_limit_generations(&l->clock, l->report);
    if (l->report->count > 1 && learn_report_last(l->report)->stage != LEARN_PROVED)
        status = finish_generation(l, err);
    while (status == STATUS_OK) {
        budget_limit_generations(&l->clock, l->report);
        if (!may_start_another(l)) break;
        status = begin_generation(l, err);
        if (status == STATUS_OK) status = finish_generation(l, err);
    }
    return budget_forgive_cut(&l->clock, status, err);
}

static Status learn(Learn *l, const char *dir, Error *err)
{
    static const LearnRequest end = {.kind = REQUEST_END};
    const LearnSettings *s = l->settings;
    LearnEvent event = {.earlier = &l->clock.earlier};

    Status status = learn_check_settings(s, err);
    if (status == STATUS_OK) status = learn_home_open(&l->home, dir, l->clock.interrupted, err);
    if (status == STATUS_OK) status = learn_begin_or_resume(l, err);
    if (status != STATUS_OK) return status;
    budget_resume(&l->clock, l->report);
    if (l->progress) l->progress(l->context, &event);
    if (s->cluster) status = remote_workers_open(&l->remote, s->cluster, s->threads, err);
    if (status == STATUS_OK) status = learn_generations(l, err);
    if (status == STATUS_OK) status = finals_play(l, err);
    return status == STATUS_OK ? learn_request(s, &end, NULL, err) : status;
}

Status learn_run(const char *dir, const LearnStart *from, const LearnSettings *settings,
                 const atomic_int *interrupted, LearnProgressFn progress, void *context,
                 LearnReport *report, Error *err)
{
    Learn l = {.from = from,
               .settings = settings,
               .progress = progress,
               .context = context,
               .report = report,
               .home = {.lock = -1}};

    budget_start(&l.clock, settings, &l.remote, interrupted);
    *report = (LearnReport){.by_material = settings->gauntlet_games == 0,
                            .rated = settings->strength_games > 0};
    (void)snprintf(report->from, sizeof report->from, "%s", from->label);
    Status status = learn(&l, dir, err);
    report->weights = l.best;
    learn_report_costs(report, &report->cost, &report->final_cost);
    remote_workers_close(&l.remote);
    learn_home_close(&l.home);
    return status;
}
