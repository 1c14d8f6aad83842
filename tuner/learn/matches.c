/* SPDX-License-Identifier: MIT
 * The matches of `tabia learn`. */
#include "tuner/learn/matches.h"

#include <math.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "tuner/learn/derived_settings.h"
#include "tuner/learn/serve.h"

/* A generation against named weights. */
typedef struct LearnMatch {
    Learn *learn;
    int generation;
    const Evaluation *weights;
    const char *opponent;
    const Evaluation *opponent_weights;
    int64_t games;
} LearnMatch;

static void on_gauntlet(void *context, const GauntletProgress *p)
{
    const LearnMatch *m = context;
    LearnEvent event = {.generation = m->generation, .gauntlet = p, .opponent = m->opponent};

    learn_emit(m->learn, &event);
}

/* Games of earlier processes count. */
static Status play_match(LearnMatch m, uint64_t seed, const SprtSettings *sprt,
                         GauntletProgress *result, Error *err)
{
    Learn *l = m.learn;
    char name[GENERATION_NAME_MAX];
    GauntletSettings g;
    GauntletPlayer players[2] = {{.name = name, .engine.weights = m.weights},
                                 {.name = m.opponent, .engine.weights = m.opponent_weights}};
    const GauntletObserver observer = {.context = &m, .progress = on_gauntlet};
    const LearnRequest request = {.kind = REQUEST_MATCH,
                                  .generation = m.generation,
                                  .seed = seed,
                                  .weights = *m.weights,
                                  .opponent = *m.opponent_weights};

    learn_generation_name(m.generation, name);
    learn_match_settings(l->settings, m.generation, seed, &g, players);
    g.games = m.games;
    g.sprt = *sprt;
    g.remote = &l->remote;
    Status status = learn_request(l->settings, &request, NULL, err);
    if (status != STATUS_OK) return status;
    status = gauntlet_run(l->home.store, &g, &observer, &l->clock.stop, result, err);
    scoreboard_free(&result->board); /* score and statistics stay */
    return status;
}

/* ---- A generation against an earlier one, for ratings: no weights depend on it */

static const double strength_share = 0.03; /* of the nodes of self-play since the last such match */
enum { STRENGTH_GAMES_MIN = 20 };

/* As many as cost no more, if they are as long as the generation's own. A random move, a node limit
 * that is not reached: the estimate is from above. */
static int64_t count_strength_games(const Learn *l, const LearnGeneration *g)
{
    const LearnSettings *s = l->settings;
    double moves = 0; /* of matches, for the cost of self-play */

    for (int i = g->anchor > 1 ? g->anchor + 1 : 1; i <= g->generation; i++) {
        const SelfplaySettings play = learn_selfplay_settings(s, i);
        double searched =
            (1 - play.exploration.random_move) * (double)l->report->generations[i].plies;
        double nodes = (double)play.limits.nodes_soft,
               match = (double)s->gauntlet_limits.nodes_soft;
        moves += searched * (nodes > 0 ? nodes / match : 1);
    }
    double games = g->plies > 0 ? strength_share * moves * (double)g->games / (double)g->plies : 0;
    int64_t even = (int64_t)fmin(games, (double)s->strength_games) / 2 * 2;
    return even >= STRENGTH_GAMES_MIN && learn_has_openings(s, even) ? even : 0;
}

/* The budget may cut it off: the generation is done all the same. */
static Status play_strength(Learn *l, LearnGeneration *g, const Evaluation *weights, Error *err)
{
    static const SprtSettings no_sprt = {.enabled = false};
    uint64_t seed = learn_derive_seed(l->settings->seed, SEED_STRENGTH, g->generation);
    GauntletProgress result = {0};
    Evaluation anchor;
    char name[GENERATION_NAME_MAX];

    g->anchor = learn_strength_anchor(g->generation);
    const LearnMatch match = {l,    g->generation, weights,
                              name, &anchor,       g->anchor > 0 ? count_strength_games(l, g) : 0};
    if (match.games == 0) return STATUS_OK;
    learn_generation_name(g->anchor, name);
    Status status = stored_weights_get(l->home.store, l->report->generations[g->anchor].weights,
                                       &anchor, NULL, err);
    if (status == STATUS_OK) status = play_match(match, seed, &no_sprt, &result, err);
    g->strength = result.score;
    return budget_forgive_cut(&l->clock, status, err);
}

/* ---- A generation against the best */

static bool is_better(const GauntletProgress *result)
{
    if (result->stats.decision == SPRT_ACCEPT_H1) return true;
    if (result->stats.decision == SPRT_ACCEPT_H0) return false;
    return result->score.wins > result->score.losses;
}

Status stage_prove(Learn *l, LearnGeneration *g, Error *err)
{
    const LearnSettings *s = l->settings;
    uint64_t seed = learn_derive_seed(s->seed, SEED_GAUNTLET, g->generation);
    GauntletProgress result = {0};
    Evaluation candidate;
    char best[GENERATION_NAME_MAX];

    learn_generation_name(l->report->best, best);
    const LearnMatch match = {l, g->generation, &candidate, best, &l->best, s->gauntlet_games};
    Status status = stored_weights_get(l->home.store, g->weights, &candidate, NULL, err);
    if (status == STATUS_OK && match.games > 0)
        status = play_match(match, seed, &s->sprt, &result, err);
    if (status == STATUS_OK && match.games == 0) status = play_strength(l, g, &candidate, err);
    if (status == STATUS_OK) {
        g->match = result.score;
        g->accepted = match.games == 0 || is_better(&result);
        if (g->accepted) {
            l->best = candidate;
            l->report->best = g->generation;
            memcpy(l->best_hash, g->weights, sizeof l->best_hash);
        }
    }
    return learn_end_stage(l, g, LEARN_PROVED, status, err);
}

/* ---- At the end. The record of the last generation, finished or not, keeps what they took. */

/* Plays the number-th final match until the budget ends, and counts it. With the budget spent only
 * matches that began earlier are read again. */
static Status play_final(LearnMatch m, int number, MatchScore *score, Error *err)
{
    static const SprtSettings no_sprt = {.enabled = false};
    Learn *l = m.learn;
    LearnGeneration *last = learn_report_last(l->report);
    uint64_t seed = learn_derive_seed(l->settings->seed, SEED_FINAL, 0);
    GauntletProgress result = {0};
    Error own = {0};

    if (budget_is_spent(&l->clock) && number >= last->final_matches) return STATUS_OK;
    Status status = play_match(m, seed, &no_sprt, &result, err);
    *score = result.score;
    status = budget_forgive_cut(&l->clock, status, err);
    budget_charge(&l->clock, &last->cost[LEARN_PROVED]);
    if (number >= last->final_matches) last->final_matches = number + 1;
    Status stored = learn_put_record(l, last, status == STATUS_OK ? err : &own);
    return status == STATUS_OK ? stored : status;
}

static Status against_material(Learn *l, int64_t games, Error *err)
{
    Evaluation material;

    evaluation_material(&material);
    const LearnMatch match = {l, l->report->best, &l->best, "material", &material, games};
    return play_final(match, 0, &l->report->against_material, err);
}

/* The accepted generations against the start, the latest first. If no matches have compared them,
 * only the best meets the start, and the others meet `material`, as it did. */
static Status all_generations(Learn *l, Error *err)
{
    LearnReport *r = l->report;
    bool compared = l->settings->gauntlet_games > 0;
    Evaluation start, material, weights;
    int number = 1;

    evaluation_material(&material);
    Status status = stored_weights_get(l->home.store, l->start_hash, &start, NULL, err);
    for (int i = r->count - 1; i > 0 && status == STATUS_OK; i--) {
        LearnGeneration *g = &r->generations[i];
        if (!g->accepted) continue;
        LearnMatch match = {l, i, &weights, "material", &material, l->settings->final_games};
        bool meets_start = compared || i == r->best;
        if (meets_start) {
            match.opponent = "gen-000";
            match.opponent_weights = &start;
        }
        status = stored_weights_get(l->home.store, g->weights, &weights, NULL, err);
        if (status == STATUS_OK)
            status = play_final(match, number++,
                                meets_start ? &g->against_start : &g->against_material, err);
    }
    return status;
}

/* What was spent since the last stage counts, too: else the same command could find later that
 * another generation fits into its budget. */
static Status charge_rest(Learn *l, LearnGeneration *last, Error *err)
{
    bool begun = l->report->count > 1; /* else the record is that of the run */

    if (l->settings->budget.seconds == 0 || !begun || last->stage != LEARN_PROVED) return STATUS_OK;
    budget_charge(&l->clock, &last->cost[LEARN_PROVED]);
    return learn_put_record(l, last, err);
}

Status finals_play(Learn *l, Error *err)
{
    const LearnSettings *s = l->settings;
    LearnGeneration *last = learn_report_last(l->report);
    bool no_more = s->generations > 0 && l->report->count > s->generations;
    int64_t games = last->final_games > s->final_games ? last->final_games : s->final_games;

    if (s->final_games == 0) return charge_rest(l, last, err);
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
