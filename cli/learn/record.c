/* SPDX-License-Identifier: MIT
 * Settings and generations of `tabia learn` as JSON. */
#include "cli/learn/record.h"

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
    settings->tune.fit.prior = LEARN_PRIOR;
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

static const Setting gauntlet_limits[] = {
    {FIELD(LearnSettings, gauntlet_limits), .rows = limits_settings, .prefix = "gauntlet-"}, {0}};

/* Of the filter and the fit: what the options of `tabia learn` set, and K, which is fitted. */
static const char filter_identity[] = "min-ply max-ply max-score keep-checks keep-noisy "
                                      "keep-unscored drop-drawn require-quiet";
static const char tune_identity[] =
    "lambda k army validation iterations patience prior decay terms";

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
    run_config_limits(&config, &s->selfplay.limits, s->selfplay.hash_bytes);
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
    settings_json(&config, dataset_filter_settings, filter_identity, SETTINGS_IDENTITY, &s->filter);
    settings_json(&config, tune_settings, tune_identity, SETTINGS_IDENTITY, &s->tune);
    put_network(&config, s);
    settings_json(&config, gauntlet_limits, "gauntlet-depth gauntlet-nodes gauntlet-nodes-hard",
                  SETTINGS_IDENTITY, s);
    json_uint(&config, "gauntlet_hash_bytes", s->selfplay.hash_bytes);
    json_int(&config, "gauntlet_games", s->gauntlet_games);
    json_int(&config, "final_games", s->final_games);
    sprt_json(&config, &s->sprt);
    json_int(&config, "search", s->selfplay.search);
    return json_finish_text(&config, json, err);
}

/* ---- Generations */

const char *const learn_stage_names[] = {
    [LEARN_STARTED] = "started",
    [LEARN_PLAYED] = "played",
    [LEARN_FITTED] = "fitted",
    [LEARN_PROVED] = "proved",
};

static const Field parent_fields[] = {{"parent", FIELD(LearnGeneration, parent)}, {0}};
static const Field game_fields[] = {
    {"games", FIELD(LearnGeneration, games)},
    {"plies", FIELD(LearnGeneration, plies)},
    {0},
};
const Field learn_fit_hashes[] = {
    {"weights", FIELD(LearnGeneration, weights)},
    {"dataset_digest", FIELD(LearnGeneration, dataset_digest)},
    {0},
};
const Field learn_fit_figures[] = {
    {"window_games", FIELD(LearnGeneration, window_games)},
    {"positions", FIELD(LearnGeneration, positions)},
    {"k", FIELD(LearnGeneration, k), .digits = 17},
    {"train_loss", FIELD(LearnGeneration, train_loss), .digits = 17},
    {"validation_loss", FIELD(LearnGeneration, validation_loss), .digits = 17},
    {"iterations", FIELD(LearnGeneration, iterations)},
    {0},
};
const Field learn_split_fields[] = {
    {"held_out", FIELD(LearnGeneration, split.held_out)},
    {"shared", FIELD(LearnGeneration, split.shared)},
    {"duplicate_games", FIELD(LearnGeneration, split.copies)},
    {0},
};
static const Field match_fields[] = {
    {"accepted", FIELD(LearnGeneration, accepted)},
    {"wins", FIELD(LearnGeneration, match.wins)},
    {"draws", FIELD(LearnGeneration, match.draws)},
    {"losses", FIELD(LearnGeneration, match.losses)},
    {0},
};
const Field learn_time_fields[] = {
    {"seconds_selfplay", FIELD(LearnGeneration, cost[LEARN_STARTED].wall), .digits = 9},
    {"seconds_tune", FIELD(LearnGeneration, cost[LEARN_PLAYED].wall), .digits = 9},
    {"seconds_gauntlet", FIELD(LearnGeneration, cost[LEARN_FITTED].wall), .digits = 9},
    {"cpu_selfplay", FIELD(LearnGeneration, cost[LEARN_STARTED].cpu), .digits = 9},
    {"cpu_tune", FIELD(LearnGeneration, cost[LEARN_PLAYED].cpu), .digits = 9},
    {"cpu_gauntlet", FIELD(LearnGeneration, cost[LEARN_FITTED].cpu), .digits = 9},
    {0},
};
static const Field final_fields[] = {
    {"seconds_final", FIELD(LearnGeneration, cost[LEARN_PROVED].wall), .digits = 9},
    {"cpu_final", FIELD(LearnGeneration, cost[LEARN_PROVED].cpu), .digits = 9},
    {"final_matches", FIELD(LearnGeneration, final_matches)},
    {"final_games", FIELD(LearnGeneration, final_games)},
    {0},
};

Status learn_generation_json(const LearnGeneration *g, char **json, Error *err)
{
    JsonWriter w;

    json_begin_text(&w, false);
    fields_json(&w, parent_fields, g);
    fields_json(&w, game_fields, g);
    if (g->stage >= LEARN_FITTED) {
        fields_json(&w, learn_fit_hashes, g);
        fields_json(&w, learn_fit_figures, g);
        fields_json(&w, learn_split_fields, g);
    }
    if (g->stage >= LEARN_PROVED) {
        fields_json(&w, match_fields, g);
        json_ints(&w, "ptnml", g->match.ptnml, 5);
    }
    fields_json(&w, learn_time_fields, g);
    if (g->final_matches > 0 || g->cost[LEARN_PROVED].wall > 0) fields_json(&w, final_fields, g);
    return json_finish_text(&w, json, err);
}

enum { READS_MAX = 40 };

/* The fields for json_read(). */
typedef struct Reads {
    JsonField fields[READS_MAX];
    int count;
} Reads;

static void add_reads(Reads *r, const Field *fields, LearnGeneration *g, bool optional)
{
    for (const Field *f = fields; f->kind != FIELD_END; f++)
        r->fields[r->count++] = (JsonField){.path = f->key,
                                            .kind = f->kind == FIELD_DOUBLE  ? JSON_DOUBLE
                                                    : f->kind == FIELD_BOOL  ? JSON_BOOL
                                                    : f->kind == FIELD_ARRAY ? JSON_TEXT
                                                                             : JSON_INT,
                                            .out = (char *)g + f->offset,
                                            .size = f->size,
                                            .optional = optional};
}

/* Counts and figures that somebody crafted could overflow in sums. */
static Status check_range(const JsonField *field, Error *err)
{
    const int64_t most = INT64_C(1) << 53;

    if (field->kind == JSON_INT) {
        int64_t n = *(const int64_t *)field->out;
        if (n >= 0 && n <= most) return STATUS_OK;
        return error_set(err, STATUS_BAD_INPUT, "field %s is %lld", field->path, (long long)n);
    }
    if (field->kind == JSON_DOUBLE && fabs(*(const double *)field->out) > (double)most)
        return error_set(err, STATUS_BAD_INPUT, "field %s is %g", field->path,
                         *(const double *)field->out);
    return STATUS_OK;
}

Status learn_generation_read(LearnGeneration *g, Store *store, int generation, const char *stage,
                             const char *json, Error *err)
{
    static const char *const pairs[] = {"ptnml[0]", "ptnml[1]", "ptnml[2]", "ptnml[3]", "ptnml[4]"};
    Reads reads = {.count = 0};
    int known = 0;

    *g = (LearnGeneration){.generation = generation};
    while (known <= LEARN_PROVED && strcmp(stage, learn_stage_names[known]) != 0)
        known++;
    g->stage = (LearnStage)known;
    add_reads(&reads, parent_fields, g, false);
    add_reads(&reads, learn_time_fields, g, true);
    add_reads(&reads, final_fields, g, true);
    add_reads(&reads, game_fields, g, known < LEARN_PLAYED);
    if (known >= LEARN_FITTED) {
        add_reads(&reads, learn_fit_hashes, g, false);
        add_reads(&reads, learn_fit_figures, g, false);
        add_reads(&reads, learn_split_fields, g, true);
        g->k = g->train_loss = g->validation_loss = NAN;
        /* Null without a fit, or where nothing was held out. */
        for (int i = 0; i < reads.count; i++)
            if (reads.fields[i].kind == JSON_DOUBLE) reads.fields[i].optional = true;
    }
    if (known >= LEARN_PROVED) add_reads(&reads, match_fields, g, false);
    for (int i = 0; known >= LEARN_PROVED && i < 5; i++)
        reads.fields[reads.count++] = (JsonField){pairs[i], JSON_INT, .out = &g->match.ptnml[i]};
    Status status = known <= LEARN_PROVED
                        ? json_read(store, json, reads.fields, reads.count, err)
                        : error_set(err, STATUS_BAD_INPUT, "unknown stage '%s'", stage);
    for (int i = 0; i < reads.count && status == STATUS_OK; i++)
        status = check_range(&reads.fields[i], err);
    if (status != STATUS_BAD_INPUT) return status;
    if (err) err->status = STATUS_DATABASE;
    (void)error_prefix(err, "the row of generation %d is damaged", generation);
    return STATUS_DATABASE;
}

LearnCost learn_generation_cost(const LearnGeneration *g)
{
    LearnCost sum = {0};

    for (int i = 0; i < LEARN_PROVED; i++) {
        sum.wall += g->cost[i].wall;
        sum.cpu += g->cost[i].cpu;
    }
    return sum;
}
