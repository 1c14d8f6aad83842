/* SPDX-License-Identifier: MIT
 * The final matches. The record of the last generation, finished or not, keeps what they took. */
#include "tuner/learn/finals.h"

#include "db/chess/stored_weights.h"
#include "tuner/learn/derived_settings.h"
#include "tuner/learn/match.h"

/* Plays a final match, the number-th, until the budget ends, and counts it. With the budget spent
 * only matches that began earlier are read again. */
static Status play_final(Learn *l, int number, int generation, const EvalWeights *weights,
                         const char *opponent, const EvalWeights *opponent_weights, int64_t games,
                         MatchScore *score, Error *err)
{
    static const SprtSettings no_sprt = {.enabled = false};
    LearnGeneration *last = learn_report_last(l->report);
    GauntletProgress result = {0};
    Error own = {0};

    if (budget_is_spent(&l->clock) && number >= last->final_matches) return STATUS_OK;
    Status status = learn_match(l, generation, weights, opponent, opponent_weights,
                                learn_derive_seed(l->settings->seed, SEED_FINAL, 0), games,
                                &no_sprt, &result, err);
    *score = result.score;
    status = budget_forgive_cut(&l->clock, status, err);
    budget_charge(&l->clock, &last->cost[LEARN_PROVED]);
    if (number >= last->final_matches) last->final_matches = number + 1;
    Status stored = learn_put_record(l, last, status == STATUS_OK ? err : &own);
    return status == STATUS_OK ? stored : status;
}

static Status against_material(Learn *l, int64_t games, Error *err)
{
    EvalWeights material;

    weights_material(&material);
    return play_final(l, 0, l->report->best, &l->best, "material", &material, games,
                      &l->report->against_material, err);
}

/* A stored generation's final match, the number-th. */
static Status play_generation(Learn *l, int number, int generation, const char *opponent,
                              const EvalWeights *opponent_weights, MatchScore *score, Error *err)
{
    EvalWeights weights;

    Status status = stored_weights_get(l->home.store, l->report->generations[generation].weights,
                                       &weights, NULL, err);
    if (status != STATUS_OK) return status;
    return play_final(l, number, generation, &weights, opponent, opponent_weights,
                      l->settings->final_games, score, err);
}

/* The accepted generations against the start, the latest first. If no matches have compared them,
 * only the best meets the start, and the others meet `material`, as it did. */
static Status all_generations(Learn *l, Error *err)
{
    LearnReport *r = l->report;
    bool compared = l->settings->gauntlet_games > 0;
    EvalWeights start, material;
    int number = 1;

    weights_material(&material);
    Status status = stored_weights_get(l->home.store, l->start_hash, &start, NULL, err);
    for (int i = r->count - 1; i > 0 && status == STATUS_OK; i--) {
        LearnGeneration *g = &r->generations[i];
        if (!g->accepted) continue;
        status =
            compared || i == r->best
                ? play_generation(l, number++, i, "gen-000", &start, &g->against_start, err)
                : play_generation(l, number++, i, "material", &material, &g->against_material, err);
    }
    return status;
}

Status finals_play(Learn *l, Error *err)
{
    const LearnSettings *s = l->settings;
    LearnGeneration *last = learn_report_last(l->report);
    bool no_more = s->generations > 0 && l->report->count > s->generations;
    int64_t games = last->final_games > s->final_games ? last->final_games : s->final_games;

    if (s->final_games == 0) return STATUS_OK;
    budget_limit_all(&l->clock);
    Status status = against_material(l, games, err);
    if (status == STATUS_OK) status = all_generations(l, err);
    /* Time that is too short for a generation makes the proof longer. */
    while (status == STATUS_OK && !no_more && !budget_is_spent(&l->clock) &&
           learn_has_openings(s, 2 * games)) {
        last->final_games = games *= 2;
        status = against_material(l, games, err);
    }
    if (s->gauntlet_games == 0)
        l->report->generations[l->report->best].against_material = l->report->against_material;
    return status;
}
