/* SPDX-License-Identifier: MIT
 * Settings and generations of `tabia learn` as JSON. */
#include "cli/learn/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/json.h"
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
    settings->tune.lambda = 0.5;
    /* A strong prior, not an early stop, keeps a fit to few games from learning their noise:
     * squares are learned as slowly as they are seen. */
    settings->tune.prior = 3000;
    settings->tune.patience = 0;
}

static void put_filter(RunConfig *config, const DatasetFilter *f)
{
    run_config_int(config, "min_ply", f->min_ply);
    run_config_int(config, "max_ply", f->max_ply);
    run_config_int(config, "max_score", f->max_score);
    run_config_int(config, "keep_checks", f->keep_checks);
    run_config_int(config, "keep_noisy", f->keep_noisy);
    run_config_int(config, "keep_unscored", f->keep_unscored);
    run_config_int(config, "drop_drawn", f->drop_drawn);
    run_config_int(config, "require_quiet", f->require_quiet);
}

static void put_tune(RunConfig *config, const TuneSettings *t)
{
    run_config_double(config, "lambda", t->lambda);
    run_config_double(config, "k", t->k);
    run_config_double(config, "army", t->army);
    run_config_double(config, "validation", t->validation);
    run_config_int(config, "max_iterations", t->max_iterations);
    run_config_int(config, "patience", t->patience);
    if (t->prior_auto)
        run_config_string(config, "prior", "auto");
    else
        run_config_double(config, "prior", t->prior);
    if (t->decay != 1) run_config_double(config, "decay", t->decay);
    if (t->terms != EVAL_MATERIAL_PST) {
        char terms[EVAL_FAMILIES_TEXT_MAX];
        eval_families_text(t->terms, terms);
        run_config_string(config, "terms", terms);
    }
}

static void put_sprt(RunConfig *config, const SprtSettings *s)
{
    if (!s->enabled) return;
    run_config_double(config, "sprt_elo0", s->elo0);
    run_config_double(config, "sprt_elo1", s->elo1);
    run_config_double(config, "sprt_alpha", s->alpha);
    run_config_double(config, "sprt_beta", s->beta);
    run_config_string(config, "sprt_model",
                      s->model == SPRT_NORMALIZED ? "normalized" : "logistic");
}

Status learn_settings_json(const LearnSettings *s, const char *from_hash, char **json, Error *err)
{
    RunConfig config;
    char seed[24];

    Status status = run_config_begin(&config, err);
    if (status != STATUS_OK) return status;
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->seed);
    run_config_string(&config, "from", from_hash);
    run_config_string(&config, "seed", seed); /* all 64 bits, which a JSON number may not keep */
    run_config_int(&config, "games", s->selfplay.games);
    run_config_int(&config, "window", s->window);
    run_config_limits(&config, "", &s->selfplay.limits, s->selfplay.hash_bytes);
    run_config_opening(&config, &s->selfplay.opening);
    run_config_adjudication(&config, &s->selfplay.adjudication);
    run_config_exploration(&config, &s->selfplay.exploration);
    run_config_double(&config, "random_decay", s->random_decay);
    run_config_double(&config, "first_random_move", s->first.random_move);
    run_config_int(&config, "first_random_until_ply", s->first.random_until_ply);
    if (s->pool_last > 0) run_config_int(&config, "pool_last", s->pool_last);
    put_filter(&config, &s->filter);
    put_tune(&config, &s->tune);
    run_config_limits(&config, "gauntlet_", &s->gauntlet_limits, s->selfplay.hash_bytes);
    run_config_int(&config, "gauntlet_games", s->gauntlet_games);
    run_config_int(&config, "final_games", s->final_games);
    put_sprt(&config, &s->sprt);
    run_config_int(&config, "search", s->selfplay.search);
    return run_config_end(&config, json, err);
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
    json_array(w, "ptnml");
    for (int i = 0; i < 5; i++)
        json_int(w, NULL, g->match.ptnml[i]);
    json_end_array(w);
}

char *learn_generation_json(const LearnGeneration *g)
{
    JsonWriter w;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out) return NULL;
    json_begin(&w, out);
    json_object(&w, NULL);
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
    json_end_object(&w);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

static bool read_fit(LearnGeneration *g, const char *json)
{
    int64_t iterations;

    g->validation_loss = NAN;
    (void)json_get_double(json, "validation_loss", &g->validation_loss); /* may be null */
    bool good =
        json_get_string(json, "weights", g->weights, sizeof g->weights) &&
        json_get_string(json, "dataset_digest", g->dataset_digest, sizeof g->dataset_digest) &&
        json_get_int(json, "window_games", &g->window_games) &&
        json_get_int(json, "positions", &g->positions) && json_get_double(json, "k", &g->k) &&
        json_get_double(json, "train_loss", &g->train_loss) &&
        json_get_int(json, "iterations", &iterations);
    if (good) g->iterations = (int)iterations;
    return good;
}

static bool read_match(LearnGeneration *g, const char *json)
{
    return json_get_bool(json, "accepted", &g->accepted) &&
           json_get_int(json, "wins", &g->match.wins) &&
           json_get_int(json, "draws", &g->match.draws) &&
           json_get_int(json, "losses", &g->match.losses) &&
           json_get_ints(json, "ptnml", g->match.ptnml, 5);
}

Status learn_generation_read(LearnGeneration *g, int generation, const char *stage,
                             const char *json, Error *err)
{
    int known = 0;

    *g = (LearnGeneration){.generation = generation};
    while (known <= LEARN_PROVED && strcmp(stage, stage_names[known]) != 0)
        known++;
    bool good =
        known <= LEARN_PROVED && json_get_string(json, "parent", g->parent, sizeof g->parent);
    if (good) {
        g->stage = (LearnStage)known;
        (void)json_get_double(json, "seconds_selfplay", &g->seconds[LEARN_STARTED]);
        (void)json_get_double(json, "seconds_tune", &g->seconds[LEARN_PLAYED]);
        (void)json_get_double(json, "seconds_gauntlet", &g->seconds[LEARN_FITTED]);
    }
    if (good && g->stage >= LEARN_PLAYED)
        good = json_get_int(json, "games", &g->games) && json_get_int(json, "plies", &g->plies);
    if (good && g->stage >= LEARN_FITTED) good = read_fit(g, json);
    if (good && g->stage >= LEARN_PROVED) good = read_match(g, json);
    if (good) return STATUS_OK;
    return error_set(err, STATUS_DATABASE, "the row of generation %d is none of ours", generation);
}

double learn_generation_seconds(const LearnGeneration *g)
{
    double sum = 0;
    for (int i = 0; i < LEARN_PROVED; i++)
        sum += g->seconds[i];
    return sum;
}
