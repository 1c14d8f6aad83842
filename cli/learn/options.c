/* SPDX-License-Identifier: MIT
 * The options of `tabia learn`. */
#include "cli/learn/options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/match/statistics_text.h"
#include "cli/output/progress.h"
#include "engine/values/value.h"
#include "selfplay/run/pool.h"

/* --pool last:K, whose target is an int. */
static Status parse_pool(void *last, const char *text, Error *err)
{
    Status status = pool_parse_last(text, last, err);

    if (status != STATUS_OK || *(int *)last > 0) return status;
    return error_set(err, STATUS_USAGE, "\"%s\" is not last:K", text);
}

/* An empty text keeps the default test. */
static Status parse_sprt(void *sprt, const char *text, Error *err)
{
    return *text ? match_set_sprt(sprt, text, err) : STATUS_OK;
}

Status learn_parse_budget(void *budget, const char *text, Error *err)
{
    LearnBudget *b = budget;
    int64_t ms = 0;

    b->cpu = value_parse_core_time(text, &ms);
    if (!b->cpu && !value_parse_time(text, &ms))
        return error_set(err, STATUS_USAGE,
                         "\"%s\" is not a time such as 90s or 10m, or core time such as 30cm",
                         text);
    if (ms < 1000) return error_set(err, STATUS_USAGE, "must be at least 1s, not %s", text);
    b->seconds = (double)ms / 1000;
    return STATUS_OK;
}

void learn_budget_text(double seconds, bool cpu, char out[BUDGET_TEXT_MAX])
{
    if (!cpu)
        progress_duration(seconds, out);
    else if (seconds < 60)
        (void)snprintf(out, BUDGET_TEXT_MAX, "%.3g core-seconds", seconds);
    else
        (void)snprintf(out, BUDGET_TEXT_MAX, "%.4g core-minutes", seconds / 60);
}

void learn_options_init(LearnOptions *o)
{
    LearnSettings *s = &o->settings;

    *o = (LearnOptions){0};
    learn_defaults(s);
    o->common.seed = s->seed;
    play_options_init(&o->play, &s->selfplay.limits, &s->selfplay.hash_bytes, &s->selfplay.opening,
                      &s->selfplay.adjudication);
    const Option table[] = {
        {"from", OPTION_STRING, &o->from, "W",
         "weights of generation 0: builtin, zero, material or a file", .required = true},
        {"budget", OPTION_CUSTOM, &s->budget, "TIME",
         "for everything: wall clock (90s, 10m, 8h), or time of all cores together (90cs, 30cm)",
         .parse = learn_parse_budget},
        {"generations", OPTION_INT, &s->generations, "N", "number of the last generation", 1,
         LEARN_GENERATIONS_MAX},
        {"games", OPTION_INT64, &s->selfplay.games, "N", "games of a generation", 1, 1e9},
        {.kind = OPTION_SETTINGS,
         .settings = exploration_settings,
         .target = &s->selfplay.exploration},
        {"random-decay", OPTION_DOUBLE, &s->random_decay, "X",
         "factor on the probability of random moves for each generation from 3 on", 0, 1},
        {"first-random-move", OPTION_DOUBLE, &s->first.random_move, "P",
         "probability of a random move in generation 1 ...", 0, 1},
        {"first-random-until", OPTION_INT, &s->first.random_until_ply, "PLY", "... before this ply",
         0, GAME_PLIES_MAX},
        {"pool", OPTION_CUSTOM, &s->pool_last, "last:K",
         "self-play opponents: the K latest best weights, one drawn for each game",
         .parse = parse_pool},
        {"nodes-growth", OPTION_DOUBLE, &s->nodes_growth, "X",
         "factor on --nodes for each generation from 2 on ...", 1, 10},
        {"nodes-max", OPTION_INT64, &s->nodes_max, "N",
         "... up to this limit, if --nodes is below it", 1, 1e15},
        {"mirror-until", OPTION_INT, &s->mirror_until, "N",
         "last generation in whose fit squares that mirror each other share a weight", 0, 9999},
        {"window", OPTION_INT, &s->window, "N", "number of latest generations in a fit", 1, 9999},
        {.kind = OPTION_SETTINGS,
         .settings = tune_settings,
         .target = &s->tune,
         .names = "lambda army prior terms validation decay iterations patience"},
        {.kind = OPTION_SETTINGS,
         .settings = dataset_filter_settings,
         .target = &s->filter,
         .names = "min-ply max-score keep-checks keep-noisy keep-unscored drop-drawn "
                  "require-quiet"},
        {"late-from", OPTION_INT, &s->late_from, "N",
         "first generation whose fit uses drawn games, and as --lambda ...; 0: none", 0, 9999},
        {"late-lambda", OPTION_DOUBLE, &s->late_lambda, "X", "... this", 0, 1},
        {"network", OPTION_INT, &s->network.hidden, "H",
         "hidden units of the networks that later generations train; 0: none", 0,
         NETWORK_HIDDEN_MAX},
        {"network-from", OPTION_INT, &s->network_from, "N", "first generation that trains one", 1,
         9999},
        {"network-window", OPTION_INT, &s->network_window, "N",
         "number of latest generations in its training", 1, 9999},
        {"network-games", OPTION_INT64, &s->network_games, "N",
         "games of such a generation; 0: as of the others", 0, 1e9},
        {"network-nodes", OPTION_INT64, &s->network_nodes, "N",
         "nodes of such a generation's self-play, without growth; 0: as of the others", 0, 1e15},
        {"network-epochs", OPTION_INT, &s->network.epochs, "N", "passes over their positions", 1,
         10000},
        {"network-lambda", OPTION_DOUBLE, &s->network.lambda, "X", "--lambda of the training", 0,
         1},
        {"gauntlet-games", OPTION_INT64, &s->gauntlet_games, "N",
         "most games of a generation's match against the best, an even number; 0: none, every "
         "generation replaces the best",
         0, 1e9},
        {"gauntlet-nodes", OPTION_INT64, &s->gauntlet_limits.nodes_soft, "N",
         "soft limit of nodes a move in matches", 1, 1e15},
        {"sprt", OPTION_CUSTOM, &s->sprt, "TEST",
         "sequential test of that match: elo0=X,elo1=Y[,model=...]", .parse = parse_sprt},
        {"final-games", OPTION_INT64, &s->final_games, "N",
         "games of each match at the end, an even number; 0: no such matches", 0, 1e9},
        {.kind = OPTION_TABLE, .target = o->play.rows},
        {0},
    };
    static_assert(sizeof table <= sizeof o->rows, "room for all rows");
    memcpy(o->rows, table, sizeof table);
}

/* Refuses what would have no effect. */
static Status check_effects(const LearnSettings *s, const OptionParser *parser, Error *err)
{
    static const char *const of_networks[] = {"network-from",  "network-window", "network-games",
                                              "network-nodes", "network-epochs", "network-lambda"};
    Status status = exploration_options_check(&s->selfplay.exploration, parser, err);
    if (status == STATUS_OK)
        status = exploration_check_rule(parser, "first-random-move", s->first.random_move > 0,
                                        "first-random-until", s->first.random_until_ply, err);
    if (status == STATUS_OK && s->gauntlet_games == 0 && options_typed(parser, "sprt"))
        status = error_set(err, STATUS_USAGE, "--sprt needs --gauntlet-games above 0");
    if (status == STATUS_OK && s->late_from == 0 && options_typed(parser, "late-lambda"))
        status = error_set(err, STATUS_USAGE, "--late-lambda needs --late-from above 0");
    for (size_t i = 0; i < sizeof of_networks / sizeof *of_networks; i++)
        if (status == STATUS_OK && s->network.hidden == 0 && options_typed(parser, of_networks[i]))
            status = error_set(err, STATUS_USAGE, "--%s needs --network above 0", of_networks[i]);
    return status;
}

Status learn_options_apply(LearnOptions *o, const OptionParser *parser, Error *err)
{
    Status status = check_effects(&o->settings, parser, err);

    if (status != STATUS_OK) return status;
    o->settings.seed = o->common.seed;
    o->settings.threads = options_threads(&o->common);
    return play_options_apply(&o->play, false, parser, err);
}
