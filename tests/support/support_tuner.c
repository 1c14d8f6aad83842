/* SPDX-License-Identifier: MIT
 * Making data sets for the tuner's tests. */
#include "tests/support/support_tuner.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "tests/support/support_board.h"
#include "tuner/data/fingerprint.h"

typedef struct Collector {
    Dataset *data;
    Pcg rng;
    int32_t game;
    GameResult result;
    int last_ply;
} Collector;

/* A ply that does not follow the last one begins another game. */
static void collect(const Position *pos, const MoveList *list, void *context)
{
    Collector *c = context;
    Error err = {0};

    (void)list;
    if (pos->game_ply != c->last_ply + 1) {
        c->game++;
        c->result = (GameResult)pcg_below(&c->rng, 3);
    }
    c->last_ply = pos->game_ply;
    int score = (int)pcg_below(&c->rng, 2001) - 1000;
    if (pcg_below(&c->rng, 8) == 0) score = SCORE_UNKNOWN;
    ck_assert_int_eq(dataset_add(c->data, pos, c->result, score, c->game, &err), STATUS_OK);
}

Dataset *tuner_random_data(uint64_t seed, int games)
{
    return tuner_random_terms(seed, games, EVAL_MATERIAL_PST);
}

Dataset *tuner_random_terms(uint64_t seed, int games, EvalFamilies terms)
{
    Collector c = {.game = -1, .last_ply = -2};
    Error err = {0};

    ck_assert_int_eq(dataset_create(columns_of(terms), &c.data, &err), STATUS_OK);
    c.data->terms = terms;
    pcg_seed(&c.rng, seed, 1);
    board_walk(seed, games, 60, NULL, collect, &c);
    ck_assert_int_eq(dataset_finish(c.data, 1, &err), STATUS_OK);
    return c.data;
}

void tuner_random_values(double *value, double limit, uint64_t seed)
{
    Pcg rng;

    pcg_seed(&rng, seed, 2);
    for (int i = 0; i < DIMENSIONS; i++)
        value[i] = (2 * pcg_unit(&rng) - 1) * limit;
}

void tuner_evaluate(const Dataset *data, const double *value, double *cp)
{
    for (int64_t i = 0, at = 0; i < data->positions; at += data->count[i++]) {
        double mg = 0, eg = 0, phase = data->phase[i];
        for (int j = 0; j < data->count[i]; j++) {
            int column = occurrence_column(data->occurrence[at + j], data->columns);
            int sign = occurrence_value(data->occurrence[at + j], data->columns);
            mg += sign * value[column];
            eg += sign * value[data->columns + column];
        }
        cp[i] = (mg * phase + eg * (EVAL_PHASE_MAX - phase)) / EVAL_PHASE_MAX;
    }
}

void tuner_plant_results(Dataset *data, const double *value, double k, uint64_t seed)
{
    double *cp = malloc((size_t)data->positions * sizeof *cp);
    Pcg rng;

    ck_assert_ptr_nonnull(cp);
    pcg_seed(&rng, seed, 3);
    tuner_evaluate(data, value, cp);
    for (int64_t i = 0; i < data->positions; i++) {
        double white = 1 / (1 + exp(-k * cp[i] / 400));
        data->result[i] = pcg_unit(&rng) < white ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    }
    free(cp);
}

const double tuner_small_planted[TUNER_SMALL_DIMENSIONS] = {120, -60, 40,  0,  90, 15,
                                                            60,  30,  -45, 75, 20, -10};

Dataset *tuner_small_games(int games, uint64_t seed)
{
    Dataset *data;
    Pcg rng;
    Error err = {0};

    pcg_seed(&rng, seed, 9);
    ck_assert_int_eq(dataset_create(TUNER_SMALL_COLUMNS, &data, &err), STATUS_OK);
    for (int g = 0; g < games; g++) {
        int base[TUNER_SMALL_COLUMNS], length = 1 + (int)pcg_below(&rng, 12);
        int phase = (int)pcg_below(&rng, EVAL_PHASE_MAX + 1);
        double cp = 0;
        for (int c = 0; c < TUNER_SMALL_COLUMNS; c++) {
            base[c] = (int)pcg_below(&rng, 9) - 4;
            cp += base[c] *
                  (tuner_small_planted[c] * phase +
                   tuner_small_planted[TUNER_SMALL_COLUMNS + c] * (24 - phase)) /
                  24;
        }
        double white = 1 / (1 + exp(-cp / 400));
        GameResult result = pcg_unit(&rng) < white ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
        for (int i = 0; i < length; i++) {
            Occurrence at[OCCURRENCES_MAX];
            int count = 0;
            for (int c = 0; c < TUNER_SMALL_COLUMNS; c++)
                count = occurrences_add(at, count, c, base[c], TUNER_SMALL_COLUMNS);
            ck_assert_int_eq(
                dataset_add_features(data, at, count, phase, result, SCORE_UNKNOWN, g, &err),
                STATUS_OK);
        }
    }
    ck_assert_int_eq(dataset_finish(data, 1, &err), STATUS_OK);
    return data;
}

void tuner_plant_material(Dataset *data)
{
    EvalWeights w;
    double value[ALL_DIMENSIONS];

    weights_material(&w);
    columns_from_weights(&w, data->columns, value);
    tuner_plant_results(data, value, 1.5, 5);
}

double tuner_start_material(const double *value)
{
    static const int men[] = {[PAWN] = 8, [KNIGHT] = 2, [BISHOP] = 2, [ROOK] = 2, [QUEEN] = 1};
    double sum = 0;

    for (int half = MG; half <= EG; half++)
        for (int table = PAWN; table <= QUEEN; table++) {
            double worth = 0, squares = 0;
            for (int c = table * SQUARES; c < (table + 1) * SQUARES; c++) {
                if (!column_occurs(c)) continue;
                worth += value[half * COLUMNS + c];
                squares++;
            }
            sum += men[table] * worth / squares;
        }
    return sum / PHASES;
}

const BatchOptions tuner_plain_batch = {.weighing = {DUPLICATES_KEEP, 1, 1}};

TuneSettings tuner_plain_settings(void)
{
    TuneSettings settings;

    tune_defaults(&settings);
    settings.fit.prior = 0;
    return settings;
}

TuneResult tuner_fit(const Dataset *data, const EvalWeights *start, const TuneSettings *settings)
{
    TuneResult result;
    Error err = {0};

    ck_assert_msg(tune_fit(data, start, settings, NULL, &result, &err) == STATUS_OK, "%s",
                  err.text);
    return result;
}
