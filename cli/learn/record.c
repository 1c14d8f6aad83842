/* SPDX-License-Identifier: MIT
 * Settings and generations of `tabia learn` as JSON. */
#include "cli/learn/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/json_read.h"
#include "engine/base/json.h"
#include "selfplay/run/run_config.h"

void learn_defaults(LearnSettings *settings)
{
    *settings = (LearnSettings){
        .seed = 1,
        .window = 5,
        .first = {.random_move = 0.6, .random_until_ply = 400},
        .random_decay = 0.7,
        .gauntlet_limits = {.nodes_soft = 1000},
        .gauntlet_games = 400,
        .final_games = 400,
        .sprt = {.alpha = 0.05, .beta = 0.05, .model = SPRT_NORMALIZED},
        .threads = 1,
    };
    selfplay_defaults(&settings->selfplay);
    settings->selfplay.limits = (SearchLimits){.nodes_soft = 500};
    settings->selfplay.games = 5000;
    settings->selfplay.positions = false;
    settings->selfplay.repeat_openings = true; /* random moves make the games differ */
    settings->selfplay.exploration = (Exploration){.random_move = 0.05, .random_until_ply = 200};
    settings->selfplay.opening.verify_nodes = 500;
    dataset_filter_defaults(&settings->filter);
    tune_defaults(&settings->tune);
    /* Weak players draw what they should win; decided games say more of what a piece is worth. */
    settings->filter.drop_drawn = true;
    /* A search sees more than one game's outcome tells. */
    settings->tune.fit.lambda = 0.5;
    /* A strong prior, not an early stop, keeps a fit to few games from learning their noise:
     * squares are learned as slowly as they are seen. */
    settings->tune.fit.prior = 3000;
    settings->tune.fit.patience = 0;
}

static void put_filter(JsonWriter *config, const DatasetFilter *f)
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
    run_config_double(config, "lambda", t->fit.lambda);
    run_config_double(config, "k", t->fit.k);
    run_config_double(config, "army", t->army);
    run_config_double(config, "validation", t->fit.validation);
    json_int(config, "max_iterations", t->fit.max_iterations);
    json_int(config, "patience", t->fit.patience);
    if (t->fit.prior_auto)
        json_string(config, "prior", "auto");
    else
        run_config_double(config, "prior", t->fit.prior);
    if (t->fit.decay != 1) run_config_double(config, "decay", t->fit.decay);
    if (t->terms != EVAL_MATERIAL_PST) {
        char terms[EVAL_FAMILIES_TEXT_MAX];
        eval_families_text(t->terms, terms);
        json_string(config, "terms", terms);
    }
}

static void put_sprt(JsonWriter *config, const SprtSettings *s)
{
    if (!s->enabled) return;
    run_config_double(config, "sprt_elo0", s->elo0);
    run_config_double(config, "sprt_elo1", s->elo1);
    run_config_double(config, "sprt_alpha", s->alpha);
    run_config_double(config, "sprt_beta", s->beta);
    json_string(config, "sprt_model", s->model == SPRT_NORMALIZED ? "normalized" : "logistic");
}

Status learn_settings_json(const LearnSettings *s, const char *from_hash, char **json, Error *err)
{
    JsonWriter config;
    char seed[24];

    Status status = json_begin_text(&config, true, err);
    if (status != STATUS_OK) return status;
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->seed);
    json_string(&config, "from", from_hash);
    json_string(&config, "seed", seed); /* all 64 bits, which a JSON number may not keep */
    json_int(&config, "games", s->selfplay.games);
    json_int(&config, "window", s->window);
    run_config_limits(&config, "", &s->selfplay.limits, s->selfplay.hash_bytes);
    run_config_opening(&config, &s->selfplay.opening);
    run_config_adjudication(&config, &s->selfplay.adjudication);
    run_config_exploration(&config, &s->selfplay.exploration);
    run_config_double(&config, "random_decay", s->random_decay);
    run_config_double(&config, "first_random_move", s->first.random_move);
    json_int(&config, "first_random_until_ply", s->first.random_until_ply);
    if (s->pool_last > 0) json_int(&config, "pool_last", s->pool_last);
    put_filter(&config, &s->filter);
    put_tune(&config, &s->tune);
    run_config_limits(&config, "gauntlet_", &s->gauntlet_limits, s->selfplay.hash_bytes);
    json_int(&config, "gauntlet_games", s->gauntlet_games);
    json_int(&config, "final_games", s->final_games);
    put_sprt(&config, &s->sprt);
    json_int(&config, "search", s->selfplay.search);
    return json_finish_text(&config, json, err);
}

/* ---- Generations */

static const char *const stage_names[] = {
    [LEARN_STARTED] = "started",
    [LEARN_PLAYED] = "played",
    [LEARN_FITTED] = "fitted",
    [LEARN_PROVED] = "proved",
};

const char *learn_stage_name(LearnStage stage)
{
    return stage_names[stage];
}

static void put_fit(JsonWriter *w, const LearnGeneration *g)
{
    json_string(w, "weights", g->weights);
    json_string(w, "dataset_digest", g->dataset_digest);
    json_int(w, "window_games", g->window_games);
    json_int(w, "positions", g->positions);
    json_double(w, "k", g->k, 17);
    json_double(w, "train_loss", g->train_loss, 17);
    json_double(w, "validation_loss", g->validation_loss, 17);
    json_int(w, "iterations", g->iterations);
}

static void put_match(JsonWriter *w, const LearnGeneration *g)
{
    json_bool(w, "accepted", g->accepted);
    json_int(w, "wins", g->match.wins);
    json_int(w, "draws", g->match.draws);
    json_int(w, "losses", g->match.losses);
    json_ints(w, "ptnml", g->match.ptnml, 5);
}

Status learn_generation_json(const LearnGeneration *g, char **json, Error *err)
{
    JsonWriter w;

    Status status = json_begin_text(&w, false, err);
    if (status != STATUS_OK) return status;
    json_string(&w, "parent", g->parent);
    if (g->stage >= LEARN_PLAYED) {
        json_int(&w, "games", g->games);
        json_int(&w, "plies", g->plies);
    }
    if (g->stage >= LEARN_FITTED) put_fit(&w, g);
    if (g->stage >= LEARN_PROVED) put_match(&w, g);
    json_double(&w, "seconds_selfplay", g->seconds[LEARN_STARTED], 9);
    json_double(&w, "seconds_tune", g->seconds[LEARN_PLAYED], 9);
    json_double(&w, "seconds_gauntlet", g->seconds[LEARN_FITTED], 9);
    return json_finish_text(&w, json, err);
}

Status learn_generation_read(LearnGeneration *g, Store *store, int generation, const char *stage,
                             const char *json, Error *err)
{
    MatchScore *m = &g->match;
    int64_t iterations = 0;
    int known = 0;
    const JsonField fields[] = {
        /* of every stage */
        {"seconds_selfplay", JSON_DOUBLE, .out = &g->seconds[LEARN_STARTED], .optional = true},
        {"seconds_tune", JSON_DOUBLE, .out = &g->seconds[LEARN_PLAYED], .optional = true},
        {"seconds_gauntlet", JSON_DOUBLE, .out = &g->seconds[LEARN_FITTED], .optional = true},
        {"parent", JSON_TEXT, .out = g->parent, .size = sizeof g->parent},
        /* from LEARN_PLAYED on */
        {"games", JSON_INT, .out = &g->games},
        {"plies", JSON_INT, .out = &g->plies},
        /* from LEARN_FITTED on */
        {"validation_loss", JSON_DOUBLE, .out = &g->validation_loss,
         .optional = true}, /* may be null */
        {"weights", JSON_TEXT, .out = g->weights, .size = sizeof g->weights},
        {"dataset_digest", JSON_TEXT, .out = g->dataset_digest, .size = sizeof g->dataset_digest},
        {"window_games", JSON_INT, .out = &g->window_games},
        {"positions", JSON_INT, .out = &g->positions},
        {"k", JSON_DOUBLE, .out = &g->k},
        {"train_loss", JSON_DOUBLE, .out = &g->train_loss},
        {"iterations", JSON_INT, .out = &iterations},
        /* from LEARN_PROVED on */
        {"accepted", JSON_BOOL, .out = &g->accepted},
        {"wins", JSON_INT, .out = &m->wins},
        {"draws", JSON_INT, .out = &m->draws},
        {"losses", JSON_INT, .out = &m->losses},
        {"ptnml[0]", JSON_INT, .out = &m->ptnml[0]},
        {"ptnml[1]", JSON_INT, .out = &m->ptnml[1]},
        {"ptnml[2]", JSON_INT, .out = &m->ptnml[2]},
        {"ptnml[3]", JSON_INT, .out = &m->ptnml[3]},
        {"ptnml[4]", JSON_INT, .out = &m->ptnml[4]},
    };
    static const int counts[] = {4, 6, 14, sizeof fields / sizeof *fields}; /* by stage */

    *g = (LearnGeneration){.generation = generation};
    while (known <= LEARN_PROVED && strcmp(stage, stage_names[known]) != 0)
        known++;
    Status status = known > LEARN_PROVED
                        ? error_set(err, STATUS_BAD_INPUT, "unknown stage '%s'", stage)
                        : STATUS_OK;
    if (status == STATUS_OK) {
        g->stage = (LearnStage)known;
        if (g->stage >= LEARN_FITTED) g->validation_loss = NAN;
        status = json_read(store, json, fields, counts[known], err);
    }
    g->iterations = (int)iterations;
    if (status != STATUS_BAD_INPUT) return status;
    if (err) err->status = STATUS_DATABASE;
    (void)error_prefix(err, "the row of generation %d is damaged", generation);
    return STATUS_DATABASE;
}

double learn_generation_seconds(const LearnGeneration *g)
{
    double sum = 0;
    for (int i = 0; i < LEARN_PROVED; i++)
        sum += g->seconds[i];
    return sum;
}
