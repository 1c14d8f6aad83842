/* SPDX-License-Identifier: MIT
 * Seeds, nodes, games and windows of generations. */
#include "tuner/learn/derived_settings.h"

#include <math.h>

#include "engine/base/pcg.h"

/* Independent seeds from one: the SplitMix64 generator. */
uint64_t learn_derive_seed(uint64_t seed, SeedPurpose purpose, int generation)
{
    return mix64(seed + 0x9e3779b97f4a7c15ULL * (1 + (uint64_t)purpose + 8 * (uint64_t)generation));
}

bool learn_owns_run(const void *settings, const RunRecord *run)
{
    const LearnSettings *s = settings;
    return run->kind == RUN_SELFPLAY &&
           run->seed == learn_derive_seed(s->seed, SEED_SELFPLAY, run->generation);
}

uint64_t learn_fit_seed(const LearnSettings *settings)
{
    return learn_derive_seed(settings->seed, SEED_TUNE, 0);
}

bool learn_trains(const LearnSettings *settings, int generation)
{
    return settings->network.hidden > 0 && generation >= settings->network_phase.from;
}

static bool is_late(const LearnSettings *s, int generation)
{
    return s->network_late > 0 && generation >= s->network_late_from;
}

int learn_hidden(const LearnSettings *s, int generation)
{
    return is_late(s, generation) ? s->network_late : s->network.hidden;
}

EvalFamilies learn_terms(const LearnSettings *s, int generation)
{
    return generation < s->king_phase.from ? s->tune.terms & EVAL_CLASSICAL_FAMILIES
                                           : s->tune.terms;
}

/* The phase of a generation; one of zeros: the first. */
static LearnPhase phase_of(const LearnSettings *s, int generation)
{
    bool king = s->king_phase.from > 0 && generation >= s->king_phase.from;

    if (learn_trains(s, generation)) return s->network_phase;
    return king ? s->king_phase : (LearnPhase){0};
}

/* Soft nodes of a move in its self-play; 0: no limit of nodes. */
static uint64_t nodes_of(const LearnSettings *s, int generation)
{
    double nodes = (double)s->selfplay.limits.nodes_soft;
    double most = fmax(nodes, (double)s->nodes_max);
    LearnPhase phase = phase_of(s, generation);

    if (phase.nodes > 0) {
        nodes = (double)phase.nodes;
        for (int i = phase.from; i < generation && phase.nodes_growth > 1; i++)
            nodes *= phase.nodes_growth;
        return (uint64_t)fmin(nodes, 1e15);
    }
    for (int i = 2; i <= generation && nodes < most; i++)
        nodes *= s->nodes_growth;
    return (uint64_t)fmin(nodes, most);
}

static int64_t games_of(const LearnSettings *s, int generation)
{
    int64_t own = phase_of(s, generation).games;
    return own > 0 ? own : s->selfplay.games;
}

double learn_play_factor(const LearnSettings *s, int from, int generation)
{
    uint64_t nodes = nodes_of(s, from);
    double games = (double)games_of(s, generation) / (double)games_of(s, from);
    return nodes > 0 ? games * (double)nodes_of(s, generation) / (double)nodes : games;
}

int learn_window(const LearnSettings *s, int generation)
{
    int own = phase_of(s, generation).window;
    if (is_late(s, generation) && s->network_late_window > 0) own = s->network_late_window;
    return own > 0 ? own : s->window;
}

/* The games of generation 1, decided by random moves, are used until there are two later
 * generations. */
int learn_window_start(const LearnSettings *s, int generation)
{
    int first = generation - learn_window(s, generation) + 1;
    int oldest = generation < 3 ? 1 : 2;
    return first > oldest ? first : oldest;
}

int learn_strength_anchor(int generation)
{
    int odd = generation;

    while (odd > 1 && odd % 2 == 0)
        odd /= 2;
    if (generation < 2 || odd > 3) return 0;
    return odd == 3 ? generation / 3 * 2 : generation * 3 / 4;
}

SelfplaySettings learn_selfplay_settings(const LearnSettings *settings, int generation)
{
    SelfplaySettings s = settings->selfplay;
    double random_move = phase_of(settings, generation).random_move;

    s.seed = learn_derive_seed(settings->seed, SEED_SELFPLAY, generation);
    s.generation = generation;
    s.threads = settings->threads;
    s.first_game = 0;
    if (generation == 1) {
        s.exploration = settings->first;
        s.adjudication.draw_plies = 0; /* zero weights score every position as equal */
    }
    for (int i = 3; i <= generation; i++)
        s.exploration.random_move *= settings->random_decay;
    if (random_move > 0) s.exploration.random_move = random_move;
    s.limits.nodes_soft = nodes_of(settings, generation);
    s.games = games_of(settings, generation);
    return s;
}

void learn_match_settings(const LearnSettings *settings, int generation, uint64_t seed,
                          GauntletSettings *g, GauntletPlayer players[2])
{
    for (int i = 0; i < 2; i++) {
        players[i].limits = settings->gauntlet_limits;
        players[i].engine.hash_bytes = settings->selfplay.hash_bytes;
    }
    gauntlet_defaults(g);
    g->players = players;
    g->seed = seed;
    g->generation = generation;
    g->search = settings->selfplay.search;
    g->opening = settings->selfplay.opening;
    g->adjudication = settings->selfplay.adjudication;
    g->threads = settings->threads;
}
