/* SPDX-License-Identifier: MIT
 * The matches at the end of `tabia learn`: how much was gained. */
#include <assert.h>

#include "cli/learn/internal.h"
#include "db/chess/stored_weights.h"

/* The last generation, finished or not, keeps what the final matches took. */
static LearnGeneration *keeper(const Learn *l)
{
    assert(l->report->count > 1);
    return &l->report->generations[l->report->count - 1];
}

/* Plays a final match, the number-th, until the budget ends, and counts it. With the budget spent
 * only matches that began earlier are read again. */
static Status play_final(Learn *l, int number, int generation, const EvalWeights *weights,
                         const char *opponent, const EvalWeights *opponent_weights, int64_t games,
                         MatchScore *score, Error *err)
{
    static const SprtSettings no_sprt = {.enabled = false};
    LearnGeneration *k = keeper(l);
    GauntletProgress result;
    Error own = {0};

    if (learn_time_is_over(l) && number >= k->final_matches) return STATUS_OK;
    Status status = learn_match(l, generation, weights, opponent, opponent_weights,
                                learn_derive_seed(l->settings->seed, SEED_FINAL, 0), games,
                                &no_sprt, &result, err);
    *score = result.score;
    status = learn_forgive_cut(l, status, err);
    learn_charge(l, &k->cost[LEARN_PROVED]);
    if (number >= k->final_matches) k->final_matches = number + 1;
    Status stored = learn_put_record(l, k, false, status == STATUS_OK ? err : &own);
    return status == STATUS_OK ? stored : status;
}

static Status against_material(Learn *l, int64_t games, Error *err)
{
    EvalWeights material;

    weights_material(&material);
    return play_final(l, 0, l->report->best, &l->best, "material", &material, games,
                      &l->report->against_material, err);
}

/* The accepted generations against the start, the latest first. */
static Status against_start(Learn *l, Error *err)
{
    LearnReport *r = l->report;
    EvalWeights weights, start;
    int number = 1;

    Status status = stored_weights_get(l->store, l->start_hash, &start, NULL, err);
    for (int i = r->count - 1; i > 0 && status == STATUS_OK; i--) {
        LearnGeneration *g = &r->generations[i];
        if (!g->accepted) continue;
        status = stored_weights_get(l->store, g->weights, &weights, NULL, err);
        if (status == STATUS_OK)
            status = play_final(l, number++, i, &weights, "gen-000", &start,
                                l->settings->final_games, &g->against_start, err);
    }
    return status;
}

Status learn_measure_gain(Learn *l, Error *err)
{
    const LearnSettings *s = l->settings;
    LearnGeneration *k = keeper(l);
    bool all_generations = s->generations > 0 && l->report->count > s->generations;
    int64_t games = k->final_games > s->final_games ? k->final_games : s->final_games;

    if (s->final_games == 0) return STATUS_OK;
    learn_limit_all(l);
    Status status = against_material(l, games, err);
    if (status == STATUS_OK) status = against_start(l, err);
    /* Time that is too short for a generation makes the proof longer. */
    while (status == STATUS_OK && !all_generations && !learn_time_is_over(l)) {
        k->final_games = games *= 2;
        status = against_material(l, games, err);
    }
    return status;
}
