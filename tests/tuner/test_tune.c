/* SPDX-License-Identifier: MIT
 * The fit: it finds planted weights, from any start and by any method, and
 * weights that the data do not determine keep their values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "engine/eval/eval.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"
#include "tests/support/support_tuner.h"
#include "tuner/data/dataset.h"
#include "tuner/fit/optimise.h"
#include "tuner/job/tune.h"

static Error err;

/* Weights similar to those of chess, from which outcomes are drawn. */
static void chess_like(EvalWeights *w)
{
    Pcg rng;

    weights_material(w);
    pcg_seed(&rng, 4, 4);
    for (int i = EVAL_PAWN_PST; i < EVAL_CLASSICAL; i++)
        for (int half = MG; half <= EG; half++)
            if (column_occurs(i - EVAL_MATERIAL_COUNT))
                w->term[i][half] = (int16_t)((int)pcg_below(&rng, 61) - 30);
}

static Dataset *planted_data(const EvalWeights *w, int games, uint64_t seed)
{
    double value[DIMENSIONS];
    Dataset *data = tuner_random_data(seed, games);

    columns_from_weights(w, COLUMNS, value);
    tuner_plant_results(data, value, 1.5, seed);
    return data;
}

/* ---- Writing weights out */

static void check_equal_evaluation(const Position *pos, const MoveList *list, void *context)
{
    const EvalWeights *w = context;
    (void)list;
    /* Half a centipawn a piece at most, and the taper's truncation. */
    int men = popcount(position_occupied(pos));
    ck_assert_int_le(abs(eval_white(pos, &w[0]) - eval_white(pos, &w[1])), men / 2 + 1);
}

/* Centring moves value between a piece and its squares and changes no evaluation: exactly if the
 * mean is a whole number, else within rounding. */
START_TEST(centring_changes_no_evaluation)
{
    EvalWeights w[2];
    double value[DIMENSIONS], again[DIMENSIONS];

    chess_like(&w[0]);
    columns_from_weights(&w[0], COLUMNS, value);
    columns_to_weights(value, COLUMNS, &w[1]);
    columns_from_weights(&w[1], COLUMNS, again);
    for (int i = 0; i < DIMENSIONS; i++) {
        int table = i % COLUMNS / SQUARES;
        if (table != KING && column_occurs(i % COLUMNS)) ck_assert_double_eq(again[i], value[i]);
    }
    board_walk(1, BOARD_GAMES, 60, NULL, check_equal_evaluation, w);
    tuner_random_values(value, 800, 3);
    columns_to_weights(value, COLUMNS, &w[1]);
    columns_from_weights(&w[1], COLUMNS, again);
    for (int i = 0; i < DIMENSIONS; i++)
        if (i % COLUMNS / SQUARES != KING && column_occurs(i % COLUMNS))
            ck_assert_double_le(fabs(again[i] - value[i]), 0.5);
}
END_TEST

START_TEST(tables_are_centred_and_bounded)
{
    EvalWeights w;
    double value[DIMENSIONS];

    for (int limit = 300; limit <= 30000; limit *= 10) {
        tuner_random_values(value, limit, (uint64_t)limit);
        ck_assert((columns_to_weights(value, COLUMNS, &w) > 0) == (limit > COLUMN_VALUE_MAX));
        for (int half = MG; half <= EG; half++)
            for (int table = PAWN; table <= KING; table++) {
                int sum = 0, squares = 0;
                for (int sq = 0; sq < SQUARES; sq++) {
                    int term = EVAL_PAWN_PST + table * SQUARES + sq;
                    int material = table < KING ? w.term[EVAL_MATERIAL + table][half] : 0;
                    if (!column_occurs(term - EVAL_MATERIAL_COUNT)) {
                        ck_assert_int_eq(w.term[term][half], 0);
                        continue;
                    }
                    ck_assert_int_le(abs(material + w.term[term][half]), COLUMN_VALUE_MAX);
                    sum += w.term[term][half];
                    squares++;
                }
                if (limit < COLUMN_VALUE_MAX)
                    ck_assert_int_le(abs(sum), squares); /* a mean of zero, rounded */
            }
        if (limit > COLUMN_VALUE_MAX) continue;
        EvalWeights again; /* what was written is written again as it is */
        columns_from_weights(&w, COLUMNS, value);
        columns_to_weights(value, COLUMNS, &again);
        ck_assert_mem_eq(&again, &w, sizeof w);
    }
}
END_TEST

/* ---- The fit */

START_TEST(planted_weights_come_back)
{
    EvalWeights truth, zero;
    Dataset *data;
    TuneSettings settings = tuner_plain_settings();
    double planted[DIMENSIONS], found[DIMENSIONS], error = 0;
    int64_t seen[DIMENSIONS] = {0}, judged = 0;

    chess_like(&truth);
    weights_zero(&zero);
    columns_from_weights(&truth, COLUMNS, planted);
    data = planted_data(&truth, 500, 21);
    TuneResult result = tuner_fit(data, &zero, &settings);
    ck_assert(result.fit.converged);
    ck_assert_double_eq_tol(result.train.after.mse, result.validation.after.mse, 0.01);
    columns_from_weights(&result.weights, COLUMNS, found);
    for (int i = 0; i < 5; i++) {
        double value = (result.weights.term[i][MG] + result.weights.term[i][EG]) / 2.0;
        double wanted = (truth.term[i][MG] + truth.term[i][EG]) / 2.0;
        ck_assert_double_eq_tol(value, wanted, 0.15 * wanted);
    }
    for (int64_t i = 0, at = 0; i < data->positions; at += data->count[i++])
        for (int j = 0; j < data->count[i]; j++)
            seen[occurrence_column(data->occurrence[at + j], COLUMNS) +
                 (data->phase[i] > 12 ? 0 : COLUMNS)]++;
    for (int i = 0; i < DIMENSIONS; i++) {
        if (seen[i] < 4000 || i % COLUMNS / SQUARES == KING) continue;
        error += (found[i] - planted[i]) * (found[i] - planted[i]);
        judged++;
    }
    ck_assert_int_gt(judged, 50);
    ck_assert_double_lt(sqrt(error / (double)judged), 40);
    dataset_destroy(data);
}
END_TEST

/* Fits from different starts end on the same weights, and with any number of threads on the same
 * bits. */
START_TEST(start_and_threads_do_not_matter)
{
    EvalWeights truth, start[3];
    TuneResult result[3];
    TuneSettings settings = tuner_plain_settings();
    Dataset *data;

    chess_like(&truth);
    data = planted_data(&truth, 150, 22);
    weights_zero(&start[0]);
    weights_material(&start[1]);
    start[2] = truth;
    settings.fit.patience = 0;
    settings.fit.validation = 0;
    settings.fit.prior = 1;
    for (int i = 0; i < 3; i++) {
        settings.fit.threads = 1;
        result[i] = tuner_fit(data, &start[i], &settings);
        settings.fit.threads = 2 + i;
        TuneResult again = tuner_fit(data, &start[i], &settings);
        ck_assert(weights_equal(&again.weights, &result[i].weights));
        ck_assert_double_eq(again.k, result[i].k);
        ck_assert_double_eq(again.train.after.mse, result[i].train.after.mse);
        ck_assert_int_eq(again.fit.iterations, result[i].fit.iterations);
    }
    for (int i = 1; i < 3; i++) {
        ck_assert_double_eq_tol(result[i].train.after.mse, result[0].train.after.mse, 1e-4);
        for (int piece = 0; piece < 5; piece++)
            for (int half = MG; half <= EG; half++)
                ck_assert_int_le(
                    abs(result[i].weights.term[piece][half] - result[0].weights.term[piece][half]),
                    result[0].weights.term[piece][half] / 12 + 2);
    }
    dataset_destroy(data);
}
END_TEST

/* L-BFGS without the Hessian and Adam find the same optimum. */
START_TEST(first_order_agrees)
{
    static const OptimiserMethod methods[] = {OPTIMISER_NEWTON, OPTIMISER_LBFGS, OPTIMISER_ADAM};
    EvalWeights truth;
    Dataset *data;
    Batch *batch;
    Loss *loss;
    Space *space;
    double start[DIMENSIONS] = {0}, objective[3], weights[3][DIMENSIONS];
    int passes[3];

    chess_like(&truth);
    data = planted_data(&truth, 10, 23);
    ck_assert_int_eq(space_of_evaluation(EVAL_MATERIAL_PST, COLUMNS, &space, &err), STATUS_OK);
    ck_assert_int_eq(batch_create(data, &tuner_plain_batch, &batch, &err), STATUS_OK);
    ck_assert_int_eq(loss_create(batch, 2, &loss, &err), STATUS_OK);
    for (int m = 0; m < 3; m++) {
        OptimiserSettings settings = {.method = methods[m], .k = 1.5, .ridge = 1e-7};
        Optimiser *o;
        bool converged = false;
        ck_assert_int_eq(optimiser_create(loss, space, start, start, &settings, &o, &err),
                         STATUS_OK);
        for (int i = 0; i < 20000 && !converged; i++)
            ck_assert_int_eq(optimiser_step(o, 1e-13, &converged, &err), STATUS_OK);
        ck_assert(converged);
        objective[m] = optimiser_state(o)->objective;
        passes[m] = optimiser_state(o)->passes;
        memcpy(weights[m], optimiser_state(o)->weights, sizeof weights[0]);
        optimiser_destroy(o);
    }
    for (int m = 1; m < 3; m++) {
        ck_assert_double_eq_tol(objective[0], objective[m], 1e-9);
        for (int i = 0; i < DIMENSIONS; i++)
            ck_assert_double_eq_tol(weights[0][i], weights[m][i], 0.5);
        ck_assert_int_lt(4 * passes[0], passes[m]);
    }
    space_destroy(space);
    loss_destroy(loss);
    batch_destroy(batch);
    dataset_destroy(data);
}
END_TEST

/* Only rooks on e4 and h1 occur, and they win. The queen keeps its value and squares. The rook's
 * other squares keep their differences. */
START_TEST(prior_keeps_what_is_not_seen)
{
    enum { A8 = 56, B8 = 57, E4 = 28, ROOKS = ROOK * SQUARES, QUEENS = QUEEN * SQUARES };
    static const char *const fens[] = {"4k3/8/8/8/4R3/8/8/4K3 b - - 0 1",
                                       "4k3/8/8/8/8/8/8/4K2R w - - 0 1"};
    Dataset *data;
    EvalWeights start;
    double before[DIMENSIONS], after[DIMENSIONS];
    TuneSettings settings = tuner_plain_settings();

    chess_like(&start);
    columns_from_weights(&start, COLUMNS, before);
    ck_assert_int_eq(dataset_create(COLUMNS, &data, &err), STATUS_OK);
    for (int i = 0; i < 300; i++) {
        Position pos;
        pos = board_from_fen(fens[i % 2]);
        GameResult result = i % 7 == 0 ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
        ck_assert_int_eq(dataset_add(data, &pos, result, 0, i, &err), STATUS_OK);
    }
    settings.start_material = 0;
    settings.fit.k = 1;
    TuneResult result = tuner_fit(data, &start, &settings);
    columns_from_weights(&result.weights, COLUMNS, after);
    for (int i = QUEENS; i < QUEENS + SQUARES; i++)
        ck_assert_double_eq(after[COLUMNS + i], before[COLUMNS + i]);
    ck_assert_double_ge(fabs(after[COLUMNS + ROOKS + E4] - before[COLUMNS + ROOKS + E4]), 30);
    double moved = after[COLUMNS + ROOKS + A8] - before[COLUMNS + ROOKS + A8];
    ck_assert_double_ge(fabs(moved), 30);
    ck_assert_double_eq_tol(after[COLUMNS + ROOKS + B8] - before[COLUMNS + ROOKS + B8], moved, 1);
    dataset_destroy(data);
}
END_TEST

START_TEST(stronger_prior_stays_nearer)
{
    EvalWeights truth, start;
    Dataset *data;
    TuneSettings settings = tuner_plain_settings();
    double last = INFINITY;

    chess_like(&truth);
    weights_material(&start);
    data = planted_data(&truth, 10, 24);
    settings.start_material = 0;
    settings.fit.validation = 0;
    for (double prior = 1; prior <= 1e6; prior *= 100) {
        double distance = 0;
        settings.fit.prior = prior;
        TuneResult result = tuner_fit(data, &start, &settings);
        for (int i = EVAL_PAWN_PST; i < EVAL_CLASSICAL; i++)
            for (int half = MG; half <= EG; half++)
                distance += fabs((double)result.weights.term[i][half]);
        ck_assert_double_lt(distance, last);
        last = distance;
    }
    ck_assert_double_lt(last, 10 * EVAL_CLASSICAL);
    dataset_destroy(data);
}
END_TEST

/* With few games the fit overfits, and the held-out games stop it. */
static void keep_losses(void *context, const FitIteration *iteration)
{
    double *losses = context;
    ck_assert_int_lt(iteration->iteration, 120);
    losses[iteration->iteration] = iteration->validation_loss;
}

START_TEST(held_out_games_stop_the_fit)
{
    EvalWeights truth, zero;
    Dataset *data;
    TuneSettings settings = tuner_plain_settings();
    TuneResult result;
    double losses[120];
    const FitHooks hooks = {.progress = keep_losses, .context = losses};

    chess_like(&truth);
    weights_zero(&zero);
    data = planted_data(&truth, 3, 25);
    settings.fit.validation = 0.3;
    ck_assert_int_eq(tune_fit(data, &zero, &settings, &hooks, &result, &err), STATUS_OK);
    ck_assert(!result.fit.converged);
    ck_assert_int_eq(result.fit.iterations, result.fit.best_iteration + settings.fit.patience);
    for (int i = 0; i <= result.fit.iterations; i++)
        ck_assert_double_le(losses[result.fit.best_iteration], losses[i] * 1.001);
    ck_assert_double_gt(losses[result.fit.iterations], losses[result.fit.best_iteration] * 1.001);

    settings.fit.patience = 0; /* then they are measured alone */
    result = tuner_fit(data, &zero, &settings);
    ck_assert_int_eq(result.fit.best_iteration, result.fit.iterations);
    ck_assert(isfinite(result.validation.after.mse));
    dataset_destroy(data);
}
END_TEST

/* With the score alone as target, a fit from zero finds the weights of the scores. */
START_TEST(lambda_blends_in_the_score)
{
    EvalWeights truth, zero;
    Dataset *data;
    TuneSettings settings = tuner_plain_settings();
    double value[DIMENSIONS], *cp;

    chess_like(&truth);
    weights_zero(&zero);
    data = tuner_random_data(26, 100);
    cp = malloc((size_t)data->positions * sizeof *cp);
    ck_assert_ptr_nonnull(cp);
    columns_from_weights(&truth, COLUMNS, value);
    tuner_evaluate(data, value, cp);
    for (int64_t i = 0; i < data->positions; i++)
        data->score[i] = (int16_t)fmax(-30000, fmin(30000, round(cp[i])));
    settings.fit.lambda = 0;
    settings.fit.k = 1.5;
    TuneResult result = tuner_fit(data, &zero, &settings);
    ck_assert_double_eq(result.k, 1.5);
    ck_assert_double_lt(result.validation.after.mse, 1e-4);
    for (int i = 0; i < 5; i++)
        ck_assert_int_le(abs(result.weights.term[i][MG] - truth.term[i][MG]), 25);
    free(cp);
    dataset_destroy(data);
}
END_TEST

/* The start material is worth what the settings say, and predictions are the same. */
START_TEST(scale_is_the_start_materials)
{
    EvalWeights truth, zero;
    Dataset *data;
    TuneSettings settings = tuner_plain_settings();

    chess_like(&truth);
    weights_zero(&zero);
    data = planted_data(&truth, 100, 27);
    settings.start_material = 0;
    TuneResult own = tuner_fit(data, &zero, &settings);
    ck_assert_double_eq(own.scale, 1);
    settings.start_material = 3000;
    TuneResult scaled = tuner_fit(data, &zero, &settings);
    double value[DIMENSIONS];
    columns_from_weights(&scaled.weights, COLUMNS, value);
    ck_assert_double_eq_tol(tuner_start_material(value), 3000, 8);
    ck_assert_double_eq_tol(scaled.k * scaled.scale, own.k, 1e-12);
    ck_assert_double_eq_tol(scaled.train.after.mse, own.train.after.mse, 1e-5);
    dataset_destroy(data);
}
END_TEST

START_TEST(interrupted_fit)
{
    EvalWeights truth, zero;
    Dataset *data;
    TuneSettings settings = tuner_plain_settings();
    TuneResult result;
    atomic_int stop = 1;
    const FitHooks hooks = {.interrupted = &stop};

    chess_like(&truth);
    weights_zero(&zero);
    data = planted_data(&truth, 5, 28);
    ck_assert_int_eq(tune_fit(data, &zero, &settings, &hooks, &result, &err), STATUS_INTERRUPTED);
    ck_assert_str_eq(err.text, "interrupted before iteration 1");
    ck_assert_int_eq(result.fit.iterations, 0);
    ck_assert(weights_equal(&result.weights, &zero));
    dataset_destroy(data);
}
END_TEST

START_TEST(provenance_says_what_it_must)
{
    EvalWeights truth, zero;
    Dataset *data;
    TuneSettings settings = tuner_plain_settings();
    char text[TUNE_COMMENT_MAX], digest[HASH_HEX_MAX], hash[HASH_HEX_MAX];

    chess_like(&truth);
    weights_zero(&zero);
    data = planted_data(&truth, 20, 29);
    settings.fit.seed = 4711;
    TuneResult result = tuner_fit(data, &zero, &settings);
    const Evaluation start = evaluation_of_weights(&zero);
    ck_assert_int_eq(stored_weights_hash(&start, hash, &err), STATUS_OK);
    const TuneSettings defaults = settings;
    tune_provenance(data, "the source", "zero", hash, &settings, &defaults, &result, text);
    memcpy(digest, data->digest, sizeof data->digest);
    ck_assert_ptr_nonnull(strstr(text, "the source"));
    ck_assert_ptr_nonnull(strstr(text, digest));
    ck_assert_ptr_nonnull(strstr(text, hash));
    ck_assert_ptr_nonnull(strstr(text, "4711"));
    ck_assert_ptr_nonnull(strstr(text, "held out"));
    ck_assert_ptr_nonnull(strstr(text, "seed 4711\n"));
    settings.fit.k = 1.5;
    settings.start_material = 4000;
    settings.fit.loss = (LossForm){LOSS_NOISE_FLOOR, 0.03};
    settings.fit.max_iterations++;
    settings.fit.patience++;
    tune_provenance(data, "the source", "zero", hash, &settings, &defaults, &result, text);
    char said[128];
    (void)snprintf(said, sizeof said, "seed 4711, k 1.5, iterations %d, patience %d, army 4000\n",
                   settings.fit.max_iterations, settings.fit.patience);
    ck_assert_msg(strstr(text, said) &&
                      strstr(text, "settings: loss noise-floor, noise-floor 0.03, lambda"),
                  "%s", text);
    result.scaled = false;
    tune_provenance(data, "the source", "zero", hash, &settings, &defaults, &result, text);
    ck_assert_ptr_null(strstr(text, "army"));
    dataset_destroy(data);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, centring_changes_no_evaluation, tables_are_centred_and_bounded,
              prior_keeps_what_is_not_seen, held_out_games_stop_the_fit, interrupted_fit,
              provenance_says_what_it_must);
    if (!SANITIZED) /* long fits by the same code */
        ADD_TESTS(c, planted_weights_come_back, start_and_threads_do_not_matter, first_order_agrees,
                  stronger_prior_stays_nearer, lambda_blends_in_the_score,
                  scale_is_the_start_materials);
    return support_run(c);
}
