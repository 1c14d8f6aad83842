/* SPDX-License-Identifier: MIT
 * Generations of `tabia learn` as JSON. */
#include "tuner/learn/generation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/store/json_read.h"

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
/* For reading; written as an array. */
static const Field pair_fields[] = {
    {"ptnml[0]", FIELD(LearnGeneration, match.ptnml[0])},
    {"ptnml[1]", FIELD(LearnGeneration, match.ptnml[1])},
    {"ptnml[2]", FIELD(LearnGeneration, match.ptnml[2])},
    {"ptnml[3]", FIELD(LearnGeneration, match.ptnml[3])},
    {"ptnml[4]", FIELD(LearnGeneration, match.ptnml[4])},
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

/* Counts and figures from untrusted files could overflow in sums. */
static Status check_range(const Field *field, const LearnGeneration *g, Error *err)
{
    const int64_t most = INT64_C(1) << 53;
    FieldValue value = field_value(field, g);

    if (field->kind == FIELD_INT64 && (value.integer < 0 || value.integer > most))
        return error_set(err, STATUS_BAD_INPUT, "field %s is %lld", field->key,
                         (long long)value.integer);
    if (field->kind == FIELD_DOUBLE && fabs(value.number) > (double)most)
        return error_set(err, STATUS_BAD_INPUT, "field %s is %g", field->key, value.number);
    return STATUS_OK;
}

static Status read_fields(LearnGeneration *g, Store *store, const char *json, Error *err)
{
    /* What a row must hold from a stage on. Optional: earlier versions did not write it. */
    static const struct {
        const Field *fields;
        LearnStage from;
        bool optional;
    } parts[] = {
        {parent_fields, LEARN_STARTED, false},    {learn_time_fields, LEARN_STARTED, true},
        {final_fields, LEARN_STARTED, true},      {game_fields, LEARN_STARTED, true},
        {game_fields, LEARN_PLAYED, false},       {learn_fit_hashes, LEARN_FITTED, false},
        {learn_fit_figures, LEARN_FITTED, false}, {learn_split_fields, LEARN_FITTED, true},
        {match_fields, LEARN_PROVED, false},      {pair_fields, LEARN_PROVED, false},
    };
    Status status = STATUS_OK;

    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == STATUS_OK; i++) {
        if (g->stage < parts[i].from) continue;
        status = json_read(store, json, parts[i].fields, g, parts[i].optional, err);
        for (const Field *f = parts[i].fields; f->kind != FIELD_END && status == STATUS_OK; f++)
            status = check_range(f, g, err);
    }
    return status;
}

Status learn_generation_read(LearnGeneration *g, Store *store, int generation, const char *stage,
                             const char *json, Error *err)
{
    int known = 0;

    *g = (LearnGeneration){.generation = generation};
    while (known <= LEARN_PROVED && strcmp(stage, learn_stage_names[known]) != 0)
        known++;
    g->stage = (LearnStage)known;
    Status status = known <= LEARN_PROVED
                        ? read_fields(g, store, json, err)
                        : error_set(err, STATUS_BAD_INPUT, "unknown stage '%s'", stage);
    if (status != STATUS_BAD_INPUT) return status;
    err->status = STATUS_DATABASE;
    (void)error_prefix(err, "the row of generation %d is damaged", generation);
    return STATUS_DATABASE;
}

void learn_cost_add(LearnCost *sum, LearnCost more)
{
    sum->wall += more.wall;
    sum->cpu += more.cpu;
}

LearnCost learn_generation_cost(const LearnGeneration *g)
{
    LearnCost sum = {0};

    for (int i = 0; i < LEARN_PROVED; i++)
        learn_cost_add(&sum, g->cost[i]);
    return sum;
}
