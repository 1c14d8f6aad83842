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
    GauntletProgress result = {0};
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

/* A stored generation's final match, the number-th. */
static Status play_generation(Learn *l, int number, int generation, const char *opponent,
                              const EvalWeights *opponent_weights, MatchScore *score, Error *err)
{
    EvalWeights weights;

    Status status = stored_weights_get(l->store, l->report->generations[generation].weights,
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
    Status status = stored_weights_get(l->store, l->start_hash, &start, NULL, err);
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

Status learn_measure_gain(Learn *l, Error *err)
{
    const LearnSettings *s = l->settings;
    LearnGeneration *k = keeper(l);
    bool no_more = s->generations > 0 && l->report->count > s->generations;
    int64_t games = k->final_games > s->final_games ? k->final_games : s->final_games;

    if (s->final_games == 0) return STATUS_OK;
    learn_limit_all(l);
    Status status = against_material(l, games, err);
    if (status == STATUS_OK) status = all_generations(l, err);
    /* Time that is too short for a generation makes the proof longer. */
    while (status == STATUS_OK && !no_more && !learn_time_is_over(l) &&
           learn_has_openings(s, 2 * games)) {
        k->final_games = games *= 2;
        status = against_material(l, games, err);
    }
    if (s->gauntlet_games == 0)
        l->report->generations[l->report->best].against_material = l->report->against_material;
    return status;
}
