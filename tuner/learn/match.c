/* SPDX-License-Identifier: MIT
 * Matches: their players, settings and events. */
#include "tuner/learn/match.h"

#include "tuner/learn/derived_settings.h"
#include "tuner/learn/serve.h"

/* For the events of a match. */
typedef struct Watched {
    Learn *learn;
    int generation;
    const char *opponent;
} Watched;

static void on_gauntlet(void *context, const GauntletProgress *p)
{
    const Watched *w = context;
    LearnEvent event = {.generation = w->generation, .gauntlet = p, .opponent = w->opponent};

    learn_emit(w->learn, &event);
}

Status learn_match(Learn *l, int generation, const Evaluation *weights, const char *opponent,
                   const Evaluation *opponent_weights, uint64_t seed, int64_t games,
                   const SprtSettings *sprt, GauntletProgress *result, Error *err)
{
    char name[GENERATION_NAME_MAX];
    GauntletSettings g;
    GauntletPlayer players[2] = {{.name = name, .engine.weights = weights},
                                 {.name = opponent, .engine.weights = opponent_weights}};
    Watched watched = {l, generation, opponent};
    const GauntletObserver observer = {.context = &watched, .progress = on_gauntlet};
    const LearnRequest request = {.kind = REQUEST_MATCH,
                                  .generation = generation,
                                  .seed = seed,
                                  .weights = *weights,
                                  .opponent = *opponent_weights};

    learn_generation_name(generation, name);
    learn_match_settings(l->settings, generation, seed, &g, players);
    g.games = games;
    g.sprt = *sprt;
    g.remote = &l->remote;
    Status status = learn_request(l->settings, &request, NULL, err);
    if (status != STATUS_OK) return status;
    status = gauntlet_run(l->home.store, &g, &observer, &l->clock.stop, result, err);
    scoreboard_free(&result->board); /* score and statistics stay */
    return status;
}
