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

/* Completes the last generation from its present stage. */
static Status finish_generation(Learn *l, Error *err)
{
    LearnGeneration *g = &l->report->generations[l->report->count - 1];
    LearnEvent event = {.generation = g->generation, .proved = g};
    Status status = STATUS_OK;

    if (g->stage == LEARN_STARTED) status = learn_play(l, g, err);
    if (status == STATUS_OK && g->stage == LEARN_PLAYED) status = learn_fit(l, g, err);
    if (status == STATUS_OK) status = learn_publish_generation(l, g->weights, g->generation, err);
    if (status == STATUS_OK && g->stage == LEARN_FITTED) status = learn_prove(l, g, err);
    if (status == STATUS_OK) status = learn_publish(l, l->best_hash, "best.h", err);
    if (status == STATUS_OK && l->progress) l->progress(l->context, &event);
    return status;
}

static double seconds_spent(const LearnReport *r)
{
    double sum = 0;
    for (int i = 1; i < r->count; i++)
        sum += learn_generation_seconds(&r->generations[i]);
    return sum;
}

/* Estimated time of the final matches if one more generation is accepted: one against the start for
 * each accepted generation and one against `material`, at the speed of the last match. */
static double seconds_of_finals(const LearnReport *r, int64_t games)
{
    const LearnGeneration *last = &r->generations[r->count - 1];
    int64_t played = last->match.wins + last->match.draws + last->match.losses;
    int matches = 2;

    for (int i = 1; i < r->count; i++)
        matches += r->generations[i].accepted;
    if (played == 0) return 0;
    return last->seconds[LEARN_FITTED] / (double)played * (double)games * matches;
}

/* Generations take longer as play improves and the window fills. */
static const double slower_next_time = 1.2;

static bool may_start_another(const Learn *l)
{
    const LearnSettings *s = l->settings;
    const LearnReport *r = l->report;
    int done = r->count - 1;

    if (s->generations > 0 && done >= s->generations) return false;
    if (s->budget <= 0 || done == 0) return true;
    double next = slower_next_time * learn_generation_seconds(&r->generations[done]);
    return seconds_spent(r) + next + seconds_of_finals(r, s->final_games) <= s->budget;
}

/* ---- The end: how much was gained */

static Status measure_gain(Learn *l, Error *err)
{
    static const SprtSettings no_sprt = {.enabled = false};
    LearnReport *r = l->report;
    uint64_t seed = learn_derive_seed(l->settings->seed, SEED_FINAL, 0);
    EvalWeights weights, opponent;
    GauntletProgress result;
    Status status = stored_weights_get(l->store, l->start_hash, &opponent, NULL, err);

    for (int i = 1; i < r->count && status == STATUS_OK; i++) {
        if (!r->generations[i].accepted) continue;
        status = stored_weights_get(l->store, r->generations[i].weights, &weights, NULL, err);
        if (status == STATUS_OK)
            status = learn_match(l, i, &weights, "gen-000", &opponent, seed,
                                 l->settings->final_games, &no_sprt, &result, err);
        if (status == STATUS_OK) r->generations[i].against_start = result.score;
    }
    if (status != STATUS_OK) return status;
    weights_material(&opponent);
    status = learn_match(l, r->best, &l->best, "material", &opponent, seed,
                         l->settings->final_games, &no_sprt, &result, err);
    if (status == STATUS_OK) r->against_material = result.score;
    return status;
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

static Status resume_run(Learn *l, int last, const char *settings, Error *err)
{
    Status status = STATUS_OK;

    while (status == STATUS_OK && l->report->count <= last)
        status = read_row(l, settings, err);
    return status == STATUS_OK ? stored_weights_get(l->store, l->best_hash, &l->best, NULL, err)
                               : status;
}

static Status begin_or_resume(Learn *l, Error *err)
{
    char stage[32], *json = NULL, *settings = NULL;
    int last = -1;

    Status status = stored_weights_hash(l->from->weights, l->start_hash, err);
    if (status == STATUS_OK)
        status = learn_settings_json(l->settings, l->start_hash, &settings, err);
    if (status == STATUS_OK)
        status = store_last_generation(l->store, &last, stage, l->best_hash, &json, err);
    if (status == STATUS_OK)
        status = last < 0 ? begin_run(l, settings, err) : resume_run(l, last, settings, err);
    free(json);
    free(settings);
    if (status == STATUS_OK) status = learn_publish_generation(l, l->start_hash, 0, err);
    return status == STATUS_OK ? learn_publish(l, l->best_hash, "best.h", err) : status;
}

/* ---- The whole */

static Status check_limits(const LearnSettings *s, Error *err)
{
    if (s->selfplay.games < 1 || s->window < 1)
        return error_set(err, STATUS_USAGE, "games and window of a generation must be at least 1");
    if (s->gauntlet_games % 2 || s->final_games < 2 || s->final_games % 2)
        return error_set(err, STATUS_USAGE, "a match needs an even number of games, at least 2");
    return STATUS_OK;
}

static Status learn(Learn *l, Error *err)
{
    Status status = check_limits(l->settings, err);

    if (status == STATUS_OK) status = learn_home_open(l, err);
    if (status == STATUS_OK) status = begin_or_resume(l, err);
    if (status == STATUS_OK && l->report->generations[l->report->count - 1].stage != LEARN_PROVED &&
        l->report->count > 1)
        status = finish_generation(l, err);
    while (status == STATUS_OK && may_start_another(l)) {
        status = begin_generation(l, err);
        if (status == STATUS_OK) status = finish_generation(l, err);
    }
    if (status == STATUS_OK) status = measure_gain(l, err);
    return status;
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
               .lock = -1};

    *report = (LearnReport){0};
    (void)snprintf(report->from, sizeof report->from, "%s", from->label);
    Status status = learn(&l, err ? err : &own); /* parts of it return err->status */
    report->weights = l.best;
    report->seconds = seconds_spent(report);
    learn_home_close(&l);
    return status;
}

void learn_report_free(LearnReport *report)
{
    free(report->generations);
    *report = (LearnReport){0};
}
