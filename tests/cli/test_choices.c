/* SPDX-License-Identifier: MIT
 * What can be chosen of a fit: what positions count for, the form of the loss, what is tied,
 * frozen, kept in files. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/fnv.h"
#include "tests/support/support.h"
#include "tests/support/support_tuner.h"
#include "tuner/data/fingerprint.h"
#include "tuner/fit/loss.h"
#include "tuner/report/diagnostics.h"

static Error err;

/* ---- What positions count for */

static Batch *batch_with(const Dataset *data, const BatchOptions *options)
{
    Batch *batch;
    ck_assert_int_eq(batch_create(data, options, &batch, &err), STATUS_OK);
    return batch;
}

START_TEST(duplicates_are_merged)
{
    static const GameResult results[] = {RESULT_WHITE_WINS, RESULT_WHITE_WINS, RESULT_DRAW,
                                         RESULT_BLACK_WINS};
    const Occurrence a[] = {1}, b[] = {2};
    Dataset *data;

    ck_assert_int_eq(dataset_create(TUNER_SMALL_COLUMNS, &data, &err), STATUS_OK);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(dataset_add_features(data, a, 1, 7, results[i], SCORE_UNKNOWN, i, &err),
                         STATUS_OK);
    ck_assert_int_eq(dataset_add_features(data, a, 1, 8, 0, SCORE_UNKNOWN, 4, &err), STATUS_OK);
    ck_assert_int_eq(dataset_add_features(data, b, 1, 7, 0, SCORE_UNKNOWN, 5, &err), STATUS_OK);
    ck_assert_int_eq(dataset_finish(data, 1, &err), STATUS_OK);
    ck_assert_int_eq(data->stats.duplicates, 3);
    ck_assert_int_eq(data->stats.contradicting, 2);

    BatchOptions options = {.weighing = {DUPLICATES_MEAN, 1, 1}};
    Batch *mean = batch_with(data, &options);
    ck_assert_int_eq(mean->positions, 3);
    ck_assert_float_eq(mean->target[0], (1 + 1 + 0.5F + 0) / 4);
    options.weighing.duplicates = DUPLICATES_FIRST;
    Batch *first = batch_with(data, &options);
    ck_assert_int_eq(first->positions, 3);
    ck_assert_float_eq(first->target[0], 1);
    options = (BatchOptions){.weighing = {DUPLICATES_MEAN, 0.5, 1}};
    Batch *weighed = batch_with(data, &options);
    ck_assert_float_eq(weighed->target[0], (float)((1 + 1 + 0.25) / 3.5));
    ck_assert_float_eq(weighed->weight[0], 3.5F / 4);
    ck_assert_double_eq(weighed->weight_sum, 2.875);
    batch_destroy(weighed);
    batch_destroy(mean);
    batch_destroy(first);
    dataset_destroy(data);
}
END_TEST

START_TEST(positions_are_weighed)
{
    const Occurrence a[] = {1};
    Dataset *data;

    ck_assert_int_eq(dataset_create(TUNER_SMALL_COLUMNS, &data, &err), STATUS_OK);
    for (int i = 0; i < 4; i++) {
        data->reading = (int16_t)(i / 2);
        ck_assert_int_eq(dataset_add_features(data, a, 1, 7,
                                              i % 2 ? RESULT_DRAW : RESULT_WHITE_WINS,
                                              SCORE_UNKNOWN, i, &err),
                         STATUS_OK);
    }
    BatchOptions options = {.weighing = {DUPLICATES_KEEP, 0.25, 0.5}};
    Batch *batch = batch_with(data, &options);
    static const float expected[] = {0.5F, 0.125F, 1, 0.25F};
    for (int i = 0; i < 4; i++)
        ck_assert_float_eq(batch->weight[i], expected[batch->index[i]]);
    ck_assert_double_eq(batch->weight_sum, 1.875);

    /* A position that weighs two is two positions. */
    Loss *loss;
    double value[TUNER_SMALL_DIMENSIONS] = {0}, gradient[TUNER_SMALL_DIMENSIONS];
    value[1] = value[TUNER_SMALL_COLUMNS + 1] = 100;
    ck_assert_int_eq(loss_create(batch, 1, &loss, &err), STATUS_OK);
    double p = 1 / (1 + exp(-0.25));
    double mean = (1.5 * (p - 1) * (p - 1) + 0.375 * (p - 0.5) * (p - 0.5)) / 1.875;
    ck_assert_double_eq_tol(loss_gradient(loss, value, 1, gradient), mean, 1e-12);

    double k;
    bool fitted;
    ck_assert_int_eq(calibrate_k(loss, value, &k, &fitted, &err), STATUS_OK);
    ck_assert_double_eq_tol(1 / (1 + exp(-k / 4)), (1.5 + 0.375 * 0.5) / 1.875, 1e-6);
    loss_destroy(loss);
    batch_destroy(batch);
    dataset_destroy(data);
}
END_TEST

/* ---- Forms of the loss */

START_TEST(forms_of_the_loss)
{
    static const LossForm forms[] = {
        {LOSS_SQUARED, 0}, {LOSS_CROSS_ENTROPY, 0}, {LOSS_NOISE_FLOOR, 0.07}};
    Dataset *data = tuner_small_games(60, 8);
    Batch *batch;
    Loss *loss;
    double value[TUNER_SMALL_DIMENSIONS], gradient[TUNER_SMALL_DIMENSIONS],
        hessian[TUNER_SMALL_DIMENSIONS * TUNER_SMALL_DIMENSIONS];

    for (int i = 0; i < TUNER_SMALL_DIMENSIONS; i++)
        value[i] = 0.7 * tuner_small_planted[i] + 3;
    ck_assert_int_eq(batch_create(data, &tuner_plain_batch, &batch, &err), STATUS_OK);
    ck_assert_int_eq(loss_create(batch, 1, &loss, &err), STATUS_OK);
    for (int f = 0; f < 3; f++) {
        double *cp;
        loss_set_form(loss, &forms[f]);
        ck_assert_int_eq(batch_set_targets(batch, data, 1, 1, &err), STATUS_OK);
        (void)loss_gradient(loss, value, 1, gradient);
        for (int i = 0; i < TUNER_SMALL_DIMENSIONS; i++) {
            double kept = value[i], h = 0.01;
            value[i] = kept + h;
            double above = loss_value(loss, value, 1);
            value[i] = kept - h;
            double below = loss_value(loss, value, 1);
            value[i] = kept;
            ck_assert_double_eq_tol(gradient[i], (above - below) / (2 * h), 1e-9);
        }
        /* Where predictions are right the Hessian is the gradient's difference quotient. */
        ck_assert_int_eq(loss_evaluations(loss, value, "cp", &cp, &err), STATUS_OK);
        for (int64_t i = 0; i < batch->positions; i++) {
            double p = 1 / (1 + exp(-cp[i] / 400)), floor = forms[f].floor;
            batch->target[i] = (float)(floor + (1 - 2 * floor) * p);
        }
        ck_assert_int_eq(
            loss_hessian(loss, TUNER_SMALL_COLUMNS, value, 1, 1, NULL, hessian, NULL, &err),
            STATUS_OK);
        for (int i = 0; i < TUNER_SMALL_DIMENSIONS; i++) {
            double above[TUNER_SMALL_DIMENSIONS], below[TUNER_SMALL_DIMENSIONS], kept = value[i],
                                                                                 h = 0.1;
            value[i] = kept + h;
            (void)loss_gradient(loss, value, 1, above);
            value[i] = kept - h;
            (void)loss_gradient(loss, value, 1, below);
            value[i] = kept;
            for (int j = i; j < TUNER_SMALL_DIMENSIONS; j++)
                ck_assert_double_eq_tol(hessian[i * TUNER_SMALL_DIMENSIONS + j],
                                        (above[j] - below[j]) / (2 * h), 2e-5 * hessian[0]);
        }
        free(cp);
    }
    loss_destroy(loss);
    batch_destroy(batch);
    dataset_destroy(data);
}
END_TEST

/* ---- Ties and frozen terms */

/* 40 more for the queen on one side of the board. */
static void favour_side(EvalWeights *w, bool kings)
{
    weights_material(w);
    for (int sq = 0; sq < SQUARES; sq++)
        if ((square_file(sq) > FILE_D) == kings)
            for (int half = MG; half <= EG; half++)
                w->term[EVAL_PAWN_PST + QUEEN * SQUARES + sq][half] += 40;
}

START_TEST(mirrored_squares_are_tied)
{
    Dataset *data = tuner_random_data(44, 40);
    TuneSettings settings;
    EvalWeights zero, side;

    tuner_plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.mirror = settings.diagnostics = true;
    TuneResult r = tuner_fit(data, &zero, &settings);
    for (int table = 0; table < COLUMN_TABLES; table++)
        for (int sq = 0; sq < SQUARES; sq++)
            for (int half = MG; half <= EG; half++) {
                const int16_t *term = &r.weights.term[EVAL_PAWN_PST + table * SQUARES][half];
                ck_assert_int_eq(term[PHASES * sq], term[PHASES * (sq ^ 7)]);
            }
    double value[DIMENSIONS];
    columns_from_weights(&r.weights, COLUMNS, value);
    ck_assert_double_eq_tol(tuner_start_material(value), COLUMNS_START_MATERIAL, 8);
    ck_assert_double_gt(diagnostics_error(r.diagnostics, ROOK * SQUARES + 7), 0);
    ck_assert_double_eq(diagnostics_error(r.diagnostics, ROOK * SQUARES + 7),
                        diagnostics_error(r.diagnostics, ROOK * SQUARES));
    tune_result_free(&r);
    /* Starts that mirror each other are one start. */
    settings.diagnostics = false;
    favour_side(&side, false);
    double before = tuner_fit(data, &side, &settings).train.before.mse;
    favour_side(&side, true);
    ck_assert_double_eq(tuner_fit(data, &side, &settings).train.before.mse, before);
    dataset_destroy(data);
}
END_TEST

START_TEST(frozen_terms_stay)
{
    Dataset *data = tuner_random_data(45, 40);
    TuneSettings settings;
    EvalWeights start;
    double before[DIMENSIONS], after[DIMENSIONS];

    tuner_plant_material(data);
    favour_side(&start, false);
    columns_from_weights(&start, COLUMNS, before);
    columns_to_weights(before, COLUMNS, &start);
    tune_defaults(&settings);
    settings.fit.patience = 0;
    settings.mirror = _i & 1;
    settings.fit.prior_zero = _i & 2;
    settings.freeze = "QUEEN_*,KING_PST.e1";
    TuneResult r = tuner_fit(data, &start, &settings);
    columns_from_weights(&r.weights, COLUMNS, after);
    ck_assert_double_eq(r.scale, 1);
    for (int half = 0; half < DIMENSIONS; half += COLUMNS)
        for (int sq = 0; sq < SQUARES; sq++)
            ck_assert_double_eq(after[half + QUEEN * SQUARES + sq],
                                before[half + QUEEN * SQUARES + sq]);
    ck_assert_mem_ne(after + ROOK * SQUARES, before + ROOK * SQUARES, SQUARES * sizeof *after);

    settings.freeze = "MATERIAL";
    for (int weak = 0; weak < 2; weak++) {
        if (weak) settings.fit.prior = 0;
        r = tuner_fit(data, &start, &settings);
        for (int piece = 0; piece < EVAL_MATERIAL_COUNT; piece++)
            for (int half = MG; half <= EG; half++)
                ck_assert_int_le(abs(r.weights.term[piece][half] - start.term[piece][half]), 1);
    }
    settings.freeze = "NONSENSE";
    ck_assert_int_eq(tune_fit(data, &start, &settings, NULL, &r, &err), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "NONSENSE"));
    dataset_destroy(data);
}
END_TEST

/* ---- Checkpoints and scratch files */

typedef struct Stop {
    atomic_int now;
    int iteration;
} Stop;

static void stop_at(void *context, const FitIteration *iteration)
{
    Stop *stop = context;
    if (iteration->iteration == stop->iteration) atomic_store(&stop->now, 1);
}

/* Interrupted before, at and after the best iteration by the hold-out, in pieces or once: the fit
 * is the same, bit for bit. _i: OptimiserMethod. */
START_TEST(resumed_fits_are_the_same)
{
    static const int games[] = {5, 5, 3};
    static const double prior[] = {0.5, 4, 0};
    Dataset *data = tuner_random_data(48, games[_i]);
    TuneSettings settings;
    EvalWeights zero;
    char path[128];

    (void)snprintf(path, sizeof path, "%s/checkpoint", support_temp_dir());
    tuner_plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.fit.k = 1;
    settings.fit.prior = prior[_i];
    settings.fit.validation = 0.3;
    settings.fit.method = (OptimiserMethod)_i;
    settings.fit.patience = 12;
    settings.fit.max_iterations = 400;
    TuneResult whole = tuner_fit(data, &zero, &settings);
    int best = whole.fit.best_iteration, last = whole.fit.iterations;
    ck_assert_int_ge(best, 1);
    ck_assert_int_lt(best + 3, last); /* the hold-out matters */
    settings.checkpoint = path;
    const int stops[][3] = {{0}, {best}, {best + 2}, {1, best - 1, best + 3}, {last - 1}};
    for (size_t n = 0; n < sizeof stops / sizeof *stops; n++) {
        TuneResult part;
        for (int i = 0; i < 3 && (i == 0 || stops[n][i] > 0); i++) {
            Stop stop = {0, stops[n][i]};
            const FitHooks hooks = {&stop.now, stop_at, &stop, NULL, NULL};
            ck_assert_int_eq(tune_fit(data, &zero, &settings, &hooks, &part, &err),
                             STATUS_INTERRUPTED);
            ck_assert_int_eq(part.fit.iterations, stops[n][i]);
        }
        settings.fit.threads = (int)n + 1;
        part = tuner_fit(data, &zero, &settings);
        ck_assert(weights_equal(&part.weights, &whole.weights));
        ck_assert_double_eq(part.fit.objective, whole.fit.objective);
        ck_assert_double_eq(part.validation.after.mse, whole.validation.after.mse);
        ck_assert_int_eq(part.fit.best_iteration, best);
        ck_assert_int_eq(part.fit.iterations, last);
        ck_assert_int_eq(part.fit.passes, whole.fit.passes);
        ck_assert_int_eq(unlink(path), 0);
    }
    dataset_destroy(data);
}
END_TEST

/* The text with line `number`, 1 being the first, replaced; free it. */
static char *with_line(const char *text, int number, const char *line)
{
    size_t size = strlen(text) + strlen(line) + 1;
    const char *at = text;
    char *changed = malloc(size);

    ck_assert_ptr_nonnull(changed);
    for (int i = 1; i < number; i++)
        at = strchr(at, '\n') + 1;
    (void)snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, line, strchr(at, '\n'));
    return changed;
}

/* Makes the last line of a checkpoint the sum of those before it. */
static void put_sum(char *text)
{
    char *at = strstr(text, "\nsum ") + 1;
    (void)snprintf(at, strlen(at) + 1, "sum %016" PRIx64 "\n",
                   fnv_add_bytes(FNV_START, text, (size_t)(at - text)));
}

/* The checkpoint of another fit, of another version or with an impossible state is refused. */
START_TEST(checkpoints_are_checked)
{
    Dataset *data = tuner_random_data(46, 40);
    TuneSettings settings;
    TuneResult half, rest;
    EvalWeights zero, material;
    Stop stop = {0, 3};
    char path[128];

    (void)snprintf(path, sizeof path, "%s/checkpoint", support_temp_dir());
    tuner_plant_material(data);
    weights_zero(&zero);
    weights_material(&material);
    tune_defaults(&settings);
    settings.fit.k = 1;
    settings.checkpoint = path;
    const FitHooks hooks = {&stop.now, stop_at, &stop, NULL, NULL};
    ck_assert_int_eq(tune_fit(data, &zero, &settings, &hooks, &half, &err), STATUS_INTERRUPTED);
    ck_assert_ptr_nonnull(strstr(err.text, path));
    ck_assert_int_eq(access(path, R_OK), 0);
    settings.fit.seed++;
    ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, &rest, &err), STATUS_USAGE);
    settings.fit.seed--;
    const int most = settings.fit.max_iterations;
    settings.fit.max_iterations = 2;
    ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, &rest, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "has 3 iterations, more than the 2"));
    settings.fit.max_iterations = most;
    settings.fit.lambda -= 1e-7;
    ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, &rest, &err), STATUS_USAGE);
    settings.fit.lambda = 1;
    ck_assert_int_eq(tune_fit(data, &material, &settings, NULL, &rest, &err), STATUS_USAGE);
    settings.freeze = "KING_PST";
    ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, &rest, &err), STATUS_USAGE);
    settings.freeze = NULL;
    settings.fit.method = OPTIMISER_LBFGS;
    ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, &rest, &err), STATUS_USAGE);
    settings.fit.method = OPTIMISER_NEWTON;
    enum { PAIRS = 2 + 4 + DIMENSIONS + 4 };
    static const struct {
        int line;
        const char *text, *says;
    } bad[] = {{PAIRS, "13", "no state of this fit"},
               {PAIRS, "-1", "no state of this fit"},
               {2, "-1", "no state of this fit"},
               {3, "1000", "no state of this fit"},
               {9, "nan", ":9: not a number"},
               {9, "1e16", ":9: not a number"},
               {1, "tabia checkpoint 4: x", "other positions or settings"},
               {1, "tabia checkpoint 2: x", "another version"},
               {1, "#pragma once", "not a checkpoint"}};
    char *whole = support_read_file(path);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *changed = with_line(whole, bad[i].line, bad[i].text);
        put_sum(changed);
        support_write_file(path, changed);
        free(changed);
        Status refused = strstr(bad[i].says, "settings") ? STATUS_USAGE : STATUS_BAD_INPUT;
        ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, &rest, &err), refused);
        ck_assert_msg(strstr(err.text, bad[i].says) && strstr(err.text, path), "%s", err.text);
    }
    size_t length = strlen(whole);
    for (size_t i = strcspn(whole, ":") + 2; i < length; i += length / 40) { /* a bit; the end */
        char kept = whole[i];
        whole[i] = (char)(i % 2 ? kept ^ 1 : '\0');
        support_write_file(path, whole);
        whole[i] = kept;
        ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, &rest, &err), STATUS_BAD_INPUT);
        ck_assert_msg(strstr(err.text, "the checkpoint is damaged"), "%s", err.text);
    }
    support_write_file(path, whole);
    free(whole);
    rest = tuner_fit(data, &zero, &settings);
    ck_assert_int_eq(unlink(path), 0); /* until the weights are in safety */
    dataset_destroy(data);
}
END_TEST

/* The same bits, wherever the positions are. */
START_TEST(scratch_files_change_nothing)
{
    Dataset *data = tuner_random_data(47, 10), *copy;
    TuneSettings settings;
    EvalWeights zero;

    tuner_plant_material(data);
    ck_assert_int_eq(dataset_create(COLUMNS, &copy, &err), STATUS_OK);
    copy->scratch = support_temp_dir();
    for (int part = 0; part < 3; part++) /* it grows */
        ck_assert_int_eq(dataset_append(copy, data, copy->games, &err), STATUS_OK);
    ck_assert_int_eq(dataset_finish(copy, 2, &err), STATUS_OK);
    Dataset *plain;
    ck_assert_int_eq(dataset_create(COLUMNS, &plain, &err), STATUS_OK);
    for (int part = 0; part < 3; part++)
        ck_assert_int_eq(dataset_append(plain, data, plain->games, &err), STATUS_OK);
    ck_assert_int_eq(dataset_finish(plain, 2, &err), STATUS_OK);
    ck_assert_str_eq(copy->digest, plain->digest);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.fit.weighing.duplicates = DUPLICATES_MEAN;
    settings.fit.weighing.draw_weight = 0.5;
    settings.diagnostics = true;
    TuneResult a = tuner_fit(plain, &zero, &settings), b = tuner_fit(copy, &zero, &settings);
    ck_assert(weights_equal(&a.weights, &b.weights));
    ck_assert_double_eq(a.validation.after.mse, b.validation.after.mse);
    tune_result_free(&a);
    tune_result_free(&b);
    dataset_destroy(data);
    dataset_destroy(copy);
    dataset_destroy(plain);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, duplicates_are_merged, positions_are_weighed, forms_of_the_loss,
              mirrored_squares_are_tied, checkpoints_are_checked, scratch_files_change_nothing);
    tcase_add_loop_test(c, frozen_terms_stay, 0, 4);
    /* bits: tied, toward zero */ /* bits: tied, toward zero */
    tcase_add_loop_test(c, resumed_fits_are_the_same, OPTIMISER_NEWTON, OPTIMISER_ADAM + 1);
    return support_run(c);
}
