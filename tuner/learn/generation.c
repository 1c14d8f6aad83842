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
    err->status = STATUS_DATABASE;
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
