/* SPDX-License-Identifier: MIT
 * The settings of `tabia learn`: defaults, JSON, checks. */
#include "tuner/learn/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/store/json_read.h"
#include "selfplay/match/stats_json.h"
#include "selfplay/run/run_config.h"

void learn_defaults(LearnSettings *settings)
{
    *settings = (LearnSettings){
        .seed = 1,
        .window = 5,
        .first = {.random_move = 0.6, .random_until_ply = 400},
        .random_decay = 0.9,
        .nodes_growth = 1.03,
        .nodes_max = 2000,
        .mirror_until = 12,
        .late_from = 8,
        .late_lambda = 0.2,
        .gauntlet_limits = {.nodes_soft = 1000},
        .final_games = 200,
        .sprt = {.alpha = 0.05, .beta = 0.05, .model = SPRT_NORMALIZED},
        .threads = 1,
    };
    selfplay_defaults(&settings->selfplay);
    settings->selfplay.limits = (SearchLimits){.nodes_soft = 500};
    settings->selfplay.games = 2000;
    settings->selfplay.positions = false;
    settings->selfplay.repeat_openings = true; /* random moves make the games differ */
    settings->selfplay.exploration = (Exploration){.random_move = 0.05, .random_until_ply = 200};
    settings->selfplay.opening.verify_nodes = 500;
    dataset_filter_defaults(&settings->filter);
    tune_defaults(&settings->tune);
    /* Weak players draw won positions; decided games say more about the value of pieces. */
    settings->filter.positions.drop_drawn = true;
    /* The search's score carries more information than the result of one game. */
    settings->tune.fit.lambda = 0.5;
    /* A strong prior, not an early stop, keeps a fit to few games from learning their noise: the
     * weight of a square moves only with the number of positions that have it. */
    settings->tune.fit.prior = 1000;
    settings->tune.fit.patience = 0;
    train_defaults(&settings->network);
    settings->network.hidden = 0;
    settings->network_from = 25;
    settings->network_window = 6;
    settings->network.epochs = 10;
    /* A network learns more from many games of few nodes than from few deeper ones. */
    settings->network_games = 60000;
    settings->network_nodes = 100;
}

static void put_filter(JsonWriter *config, const PositionFilter *f)
{
    json_int(config, "min_ply", f->min_ply);
    json_int(config, "max_ply", f->max_ply);
    json_int(config, "max_score", f->max_score);
    json_int(config, "keep_checks", f->keep_checks);
    json_int(config, "keep_noisy", f->keep_noisy);
    json_int(config, "keep_unscored", f->keep_unscored);
    json_int(config, "drop_drawn", f->drop_drawn);
    json_int(config, "require_quiet", f->require_quiet);
}

static void put_tune(JsonWriter *config, const TuneSettings *t)
{
    json_double(config, "lambda", t->fit.lambda, 10);
    json_double(config, "k", t->fit.k, 10);
    json_double(config, "army", t->start_material, 10);
    json_double(config, "validation", t->fit.validation, 10);
    json_int(config, "max_iterations", t->fit.max_iterations);
    json_int(config, "patience", t->fit.patience);
    if (t->fit.prior_auto)
        json_string(config, "prior", "auto");
    else
        json_double(config, "prior", t->fit.prior, 10);
    if (t->fit.decay != 1) json_double(config, "decay", t->fit.decay, 10);
    if (t->terms != EVAL_MATERIAL_PST) {
        char terms[EVAL_FAMILIES_TEXT_MAX];
        eval_families_text(t->terms, terms);
        json_string(config, "terms", terms);
    }
}

static void put_network(JsonWriter *config, const LearnSettings *s)
{
    if (s->network.hidden == 0) return;
    json_int(config, "network", s->network.hidden);
    json_int(config, "network_from", s->network_from);
    json_int(config, "network_window", s->network_window);
    if (s->network_games > 0) json_int(config, "network_games", s->network_games);
    if (s->network_nodes > 0) json_int(config, "network_nodes", s->network_nodes);
    json_int(config, "network_epochs", s->network.epochs);
    json_double(config, "network_lambda", s->network.lambda, 10);
}

Status learn_settings_json(const LearnSettings *s, const char *from_hash, char **json, Error *err)
{
    JsonWriter config;
    char seed[24];

    json_begin_text(&config, true);
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->seed);
    json_string(&config, "from", from_hash);
    json_string(&config, "seed", seed); /* a JSON number may lose bits of 64 */
    json_int(&config, "games", s->selfplay.games);
    json_int(&config, "window", s->window);
    run_config_limits(&config, "", &s->selfplay.limits, s->selfplay.hash_bytes);
    run_config_opening(&config, &s->selfplay.opening);
    run_config_adjudication(&config, &s->selfplay.adjudication);
    run_config_exploration(&config, &s->selfplay.exploration);
    json_double(&config, "random_decay", s->random_decay, 10);
    if (s->nodes_growth != 1) {
        json_double(&config, "nodes_growth", s->nodes_growth, 10);
        json_int(&config, "nodes_max", s->nodes_max);
    }
    if (s->mirror_until > 0) json_int(&config, "mirror_until", s->mirror_until);
    if (s->late_from > 0) {
        json_int(&config, "late_from", s->late_from);
        json_double(&config, "late_lambda", s->late_lambda, 10);
    }
    json_double(&config, "first_random_move", s->first.random_move, 10);
    json_int(&config, "first_random_until_ply", s->first.random_until_ply);
    if (s->pool_last > 0) json_int(&config, "pool_last", s->pool_last);
    put_filter(&config, &s->filter.positions);
    put_tune(&config, &s->tune);
    put_network(&config, s);
    run_config_limits(&config, "gauntlet_", &s->gauntlet_limits, s->selfplay.hash_bytes);
    json_int(&config, "gauntlet_games", s->gauntlet_games);
    json_int(&config, "final_games", s->final_games);
    sprt_json(&config, &s->sprt);
    json_int(&config, "search", s->selfplay.search);
    return json_finish_text(&config, json, err);
}

/* ---- Checks */

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
    if (s->tune.fit.prior_auto && s->tune.fit.validation <= 0)
        return error_set(err, STATUS_USAGE, "--prior auto needs --validation above 0");
    Status status = check_openings(s, "--gauntlet-games", s->gauntlet_games, err);
    if (status == STATUS_OK) status = check_openings(s, "--final-games", s->final_games, err);
    if (status != STATUS_OK) return status;
    if (s->network.hidden > 0 && !network_sizes(s->network.hidden, s->network.buckets))
        return error_set(err, STATUS_USAGE, "--network %d: must be a multiple of %d",
                         s->network.hidden, NETWORK_HIDDEN_STEP);
    return STATUS_OK;
}
