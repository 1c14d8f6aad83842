/* SPDX-License-Identifier: MIT
 * What a fit says of its own certainty: standard errors against planted weights and a bootstrap,
 * cross-validation, the choice of the prior, duplicates, weights of positions, ties, freezing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support.h"
#include "tests/support_tuner.h"
#include "tuner/detail.h"

static Error err;

/* ---- Small spaces: a few columns of random coefficients, games of random length */

enum { COLUMNS_SMALL = 6, D = 2 * COLUMNS_SMALL };

static const double planted[D] = {120, -60, 40, 0, 90, 15, 60, 30, -45, 75, 20, -10};

/* Games whose positions resemble one another and share one result: drawn by the mean of what their
 * positions promise, so that positions do not count for themselves. */
static Dataset *make_games(int games, uint64_t seed)
{
    Dataset *data;
    Pcg rng;

    pcg_seed(&rng, seed, 9);
    ck_assert_int_eq(dataset_create_columns(COLUMNS_SMALL, &data, &err), STATUS_OK);
    for (int g = 0; g < games; g++) {
        int base[COLUMNS_SMALL], length = 1 + (int)pcg_below(&rng, 12);
        int phase = (int)pcg_below(&rng, EVAL_PHASE_MAX + 1);
        double cp = 0;
        for (int c = 0; c < COLUMNS_SMALL; c++) {
            base[c] = (int)pcg_below(&rng, 9) - 4;
            cp += base[c] * (planted[c] * phase + planted[COLUMNS_SMALL + c] * (24 - phase)) / 24;
        }
        double white = 1 / (1 + exp(-cp / 400));
        GameResult result = pcg_unit(&rng) < white ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
        for (int i = 0; i < length; i++) {
            Occurrence at[OCCURRENCES_MAX];
            int count = 0;
            for (int c = 0; c < COLUMNS_SMALL; c++)
                count = occurrences_add(at, count, c, base[c], COLUMNS_SMALL);
            ck_assert_int_eq(
                dataset_add_features(data, at, count, phase, result, SCORE_UNKNOWN, g, &err),
                STATUS_OK);
        }
    }
    ck_assert_int_eq(dataset_finish(data, 1, &err), STATUS_OK);
    return data;
}

static TuneSettings small_settings(void)
{
    TuneSettings s;
    tune_defaults(&s);
    s.prior = 0;
    s.k = 1;
    s.validation = 0;
    return s;
}

static Fit *fit_small(const Dataset *data, const Space *space, const TuneSettings *settings)
{
    static const double zero[D];
    Fit *fit;
    ck_assert_int_eq(fit_create(data, space, zero, settings, NULL, &fit, &err), STATUS_OK);
    ck_assert_int_eq(fit_run(fit, settings->prior, NULL, NULL, &err), STATUS_OK);
    return fit;
}

/* Over many drawn sets the deviations from what was planted, divided by their stated errors, have a
 * mean square of 1; with errors by position, as if games were not, it would be about 6. */
START_TEST(planted_weights_lie_within_their_errors)
{
    enum { SETS = 60 };
    TuneSettings settings = small_settings();
    Space *space;
    double squares = 0;
    int beyond = 0;

    ck_assert_int_eq(space_create(COLUMNS_SMALL, &space, &err), STATUS_OK);
    for (int set = 0; set < SETS; set++) {
        Dataset *data = make_games(700, (uint64_t)set);
        Fit *fit = fit_small(data, space, &settings);
        Errors *errors;
        const double one = 1;
        ck_assert_int_eq(errors_create(fit, 1, false, &errors, &err), STATUS_OK);
        for (int i = 0; i < D; i++) {
            double sigma = sqrt(errors_variance(errors, &i, &one, 1));
            double t = (fit->best[i] - planted[i]) / sigma;
            squares += t * t;
            beyond += fabs(t) > 1.96;
        }
        ck_assert_double_gt(errors->design_effect, 5);
        errors_destroy(errors);
        fit_destroy(fit);
        dataset_destroy(data);
    }
    ck_assert_double_eq_tol(squares / (SETS * D), 1, 0.2);
    ck_assert_double_eq_tol(beyond / (double)(SETS * D), 0.05, 0.03);
    space_destroy(space);
}
END_TEST

/* Drawing whole games anew, with replacement, spreads the weights as the errors say. */
START_TEST(bootstrap_agrees)
{
    enum { DRAWS = 200, GAMES = 600 };
    Dataset *data = make_games(GAMES, 77);
    TuneSettings settings = small_settings();
    Space *space;
    Pcg rng;
    double sum[D] = {0}, squares[D] = {0};
    int64_t *start = malloc((size_t)(data->positions + 1) * sizeof *start);

    ck_assert_ptr_nonnull(start);
    start[0] = 0;
    for (int64_t i = 0; i < data->positions; i++)
        start[i + 1] = start[i] + data->count[i];
    int64_t first[GAMES + 1] = {0};
    for (int64_t i = 0; i < data->positions; i++)
        first[data->game[i] + 1] = i + 1;
    ck_assert_int_eq(space_create(COLUMNS_SMALL, &space, &err), STATUS_OK);
    Fit *fit = fit_small(data, space, &settings);
    Errors *errors;
    ck_assert_int_eq(errors_create(fit, 1, false, &errors, &err), STATUS_OK);
    pcg_seed(&rng, 5, 5);
    for (int draw = 0; draw < DRAWS; draw++) {
        Dataset *again;
        ck_assert_int_eq(dataset_create_columns(COLUMNS_SMALL, &again, &err), STATUS_OK);
        for (int g = 0; g < GAMES; g++) {
            int from = (int)pcg_below(&rng, GAMES);
            for (int64_t i = first[from]; i < first[from + 1]; i++)
                ck_assert_int_eq(dataset_add_features(again, data->occurrence + start[i],
                                                      data->count[i], data->phase[i],
                                                      (GameResult)data->result[i], SCORE_UNKNOWN, g,
                                                      &err),
                                 STATUS_OK);
        }
        Fit *refit = fit_small(again, space, &settings);
        for (int i = 0; i < D; i++) {
            sum[i] += refit->best[i] / DRAWS;
            squares[i] += refit->best[i] * refit->best[i] / DRAWS;
        }
        fit_destroy(refit);
        dataset_destroy(again);
    }
    for (int i = 0; i < D; i++) {
        const double one = 1;
        double stated = sqrt(errors_variance(errors, &i, &one, 1));
        double spread = sqrt((squares[i] - sum[i] * sum[i]) * DRAWS / (DRAWS - 1));
        ck_assert_double_ge(stated / spread, 0.75);
        ck_assert_double_le(stated / spread, 1.25);
    }
    errors_destroy(errors);
    fit_destroy(fit);
    space_destroy(space);
    dataset_destroy(data);
    free(start);
}
END_TEST

/* A column that never occurs is told by the prior alone; the sum of what is told is between. */
START_TEST(unseen_columns_are_the_priors)
{
    Dataset *data = make_games(300, 3);
    TuneSettings settings = small_settings();
    Space *space;
    Errors *errors;

    settings.prior = 1;
    for (int64_t i = 0; i < data->occurrences; i++)
        if (occurrence_column(data->occurrence[i], COLUMNS_SMALL) == 3)
            data->occurrence[i] = occurrence_make(
                2, occurrence_value(data->occurrence[i], COLUMNS_SMALL), COLUMNS_SMALL);
    ck_assert_int_eq(space_create(COLUMNS_SMALL, &space, &err), STATUS_OK);
    Fit *fit = fit_small(data, space, &settings);
    ck_assert_int_eq(errors_create(fit, 1, false, &errors, &err), STATUS_OK);
    ck_assert_double_eq_tol(errors->told[3], 0, 1e-12);
    ck_assert_double_eq_tol(errors->told[COLUMNS_SMALL + 3], 0, 1e-12);
    ck_assert_double_eq(fit->best[3], 0);
    ck_assert_double_gt(errors->told[0], 0.9);
    ck_assert_int_eq(errors->games[3], 0);
    ck_assert_double_gt(errors->parameters, D - 3);
    ck_assert_double_lt(errors->parameters, D - 2);
    errors_destroy(errors);
    fit_destroy(fit);
    space_destroy(space);
    dataset_destroy(data);
}
END_TEST

/* ---- The evaluation's own space */

static TuneResult tune(const Dataset *data, const EvalWeights *start, const TuneSettings *settings)
{
    TuneResult result;
    ck_assert_msg(tune_fit(data, start, settings, NULL, NULL, NULL, &result, &err) == STATUS_OK,
                  "%s", err.text);
    return result;
}

static void plant_material(Dataset *data)
{
    EvalWeights w;
    double value[DIMENSIONS];

    weights_material(&w);
    columns_from_weights(&w, value);
    tuner_plant_results(data, value, 1.5, 5);
}

START_TEST(details_are_complete)
{
    Dataset *data = tuner_random_data(41, 3);
    TuneSettings settings;
    EvalWeights zero;
    TuneWeightErrors errors;

    plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.detail = true;
    TuneResult r = tune(data, &zero, &settings);
    TuneDetail *d = r.detail;
    ck_assert_ptr_nonnull(d);
    int64_t n[3] = {0};
    for (int i = 0; i < BREAKDOWN_PHASES; i++)
        n[0] += d->validation.phase[i].n;
    for (int i = 0; i < BREAKDOWN_MATERIAL; i++)
        n[1] += d->validation.material[i].n;
    for (int i = 0; i < BREAKDOWN_PREDICTIONS; i++)
        n[2] += d->validation.prediction[i].n;
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(n[i], r.validation_after.n);
    ck_assert(breakdown_has_material(&d->train));
    detail_weight_errors(d, &errors);
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++) {
        /* The mean over squares is better known than any one of them. */
        ck_assert_double_gt(errors.material_mean[p], 0);
        ck_assert_double_lt(errors.term[EVAL_MATERIAL + p][MG], 200);
    }
    ck_assert_double_gt(d->errors->k_error, 0);
    ck_assert_int_gt(d->held_count, 0); /* few games: many squares were hardly seen */
    ck_assert_int_gt(d->warning_count, 0);
    tune_result_free(&r);
    ck_assert_ptr_null(r.detail);

    settings.threads = 3; /* to the last bit, at any number of threads */
    TuneResult again = tune(data, &zero, &settings), once;
    settings.threads = 1;
    once = tune(data, &zero, &settings);
    size_t n2 = (size_t)once.detail->errors->count * (size_t)once.detail->errors->count;
    ck_assert_mem_eq(once.detail->errors->covariance, again.detail->errors->covariance,
                     n2 * sizeof(double));
    tune_result_free(&again);
    tune_result_free(&once);
    dataset_destroy(data);
}
END_TEST

START_TEST(folds_hold_out_every_position_once)
{
    Dataset *data = tuner_random_data(42, 30);
    TuneSettings settings;
    EvalWeights zero;
    int64_t n = 0, games = 0;

    plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.detail = true;
    settings.folds = 4;
    TuneResult r = tune(data, &zero, &settings);
    for (int f = 0; f < 4; f++) {
        n += r.detail->folds[f].held_out.n;
        games += r.detail->folds[f].held_out.games;
        ck_assert_double_gt(r.detail->folds[f].held_out.mse, r.detail->folds[f].train_mse);
    }
    ck_assert_int_eq(n, data->positions);
    ck_assert_int_eq(games, data->games);
    ck_assert_int_eq(r.train_after.n, data->positions); /* then all of it is fitted to */
    tune_result_free(&r);
    dataset_destroy(data);
}
END_TEST

/* The chosen prior is no worse on the hold-out than any fixed one of the series. */
START_TEST(prior_is_chosen_by_held_out_games)
{
    Dataset *data = tuner_random_data(43, 12);
    TuneSettings settings;
    EvalWeights start;

    plant_material(data);
    weights_material(&start);
    tune_defaults(&settings);
    settings.detail = settings.prior_auto = true;
    settings.patience = 0;
    settings.validation = 0.3;
    for (settings.folds = 0; settings.folds <= 3; settings.folds += 3) {
        TuneResult r = tune(data, &start, &settings);
        ck_assert_int_eq(r.detail->trial_count, FIT_TRIALS);
        double least = INFINITY;
        for (int t = 0; t < FIT_TRIALS; t++)
            least = fmin(least, r.detail->trials[t].mse);
        for (int t = 0; t < FIT_TRIALS; t++)
            if (r.detail->trials[t].mse == least)
                ck_assert_double_eq(r.detail->trials[t].prior, r.prior);
        ck_assert_double_gt(r.prior, 100); /* the start was the truth, and games are few */
        tune_result_free(&r);
    }
    dataset_destroy(data);
}
END_TEST

/* ---- What positions count for */

static Batch *batch_with(const Dataset *data, const BatchOptions *options)
{
    Batch *batch;
    ck_assert_int_eq(batch_create_with(data, options, &batch, &err), STATUS_OK);
    return batch;
}

START_TEST(duplicates_are_merged)
{
    static const GameResult results[] = {RESULT_WHITE_WINS, RESULT_WHITE_WINS, RESULT_DRAW,
                                         RESULT_BLACK_WINS};
    const Occurrence a[] = {1}, b[] = {2};
    Dataset *data;

    ck_assert_int_eq(dataset_create_columns(COLUMNS_SMALL, &data, &err), STATUS_OK);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(dataset_add_features(data, a, 1, 7, results[i], SCORE_UNKNOWN, i, &err),
                         STATUS_OK);
    ck_assert_int_eq(dataset_add_features(data, a, 1, 8, 0, SCORE_UNKNOWN, 4, &err), STATUS_OK);
    ck_assert_int_eq(dataset_add_features(data, b, 1, 7, 0, SCORE_UNKNOWN, 5, &err), STATUS_OK);
    ck_assert_int_eq(dataset_finish(data, 1, &err), STATUS_OK);
    ck_assert_int_eq(dataset_stats(data)->duplicates, 3);
    ck_assert_int_eq(dataset_stats(data)->contradicting, 2);

    BatchOptions options = {.duplicates = DUPLICATES_MEAN, .draw_weight = 1, .decay = 1};
    Batch *mean = batch_with(data, &options);
    ck_assert_int_eq(mean->positions, 3);
    ck_assert_float_eq(mean->target[0], (1 + 1 + 0.5F + 0) / 4);
    options.duplicates = DUPLICATES_FIRST;
    Batch *first = batch_with(data, &options);
    ck_assert_int_eq(first->positions, 3);
    ck_assert_float_eq(first->target[0], 1);
    batch_destroy(mean);
    batch_destroy(first);
    dataset_destroy(data);
}
END_TEST

START_TEST(positions_are_weighed)
{
    const Occurrence a[] = {1};
    Dataset *data;

    ck_assert_int_eq(dataset_create_columns(COLUMNS_SMALL, &data, &err), STATUS_OK);
    for (int i = 0; i < 4; i++) {
        data->reading = (int16_t)(i / 2);
        ck_assert_int_eq(dataset_add_features(data, a, 1, 7,
                                              i % 2 ? RESULT_DRAW : RESULT_WHITE_WINS,
                                              SCORE_UNKNOWN, i, &err),
                         STATUS_OK);
    }
    BatchOptions options = {.draw_weight = 0.25, .decay = 0.5};
    Batch *batch = batch_with(data, &options);
    static const float expected[] = {0.5F, 0.125F, 1, 0.25F};
    for (int i = 0; i < 4; i++)
        ck_assert_float_eq(batch->weight[i], expected[batch->index[i]]);
    ck_assert_double_eq(batch->weight_sum, 1.875);

    /* A position that weighs two is two positions. */
    Loss *loss;
    double value[D] = {0}, gradient[D];
    value[1] = value[COLUMNS_SMALL + 1] = 100;
    ck_assert_int_eq(loss_create(batch, 1, &loss, &err), STATUS_OK);
    double p = 1 / (1 + exp(-0.25));
    double mean = (1.5 * (p - 1) * (p - 1) + 0.375 * (p - 0.5) * (p - 0.5)) / 1.875;
    ck_assert_double_eq_tol(loss_gradient(loss, value, 1, gradient), mean, 1e-12);
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
    Dataset *data = make_games(60, 8);
    Batch *batch;
    Loss *loss;
    double value[D], gradient[D], hessian[D * D];

    for (int i = 0; i < D; i++)
        value[i] = 0.7 * planted[i] + 3;
    ck_assert_int_eq(batch_create(data, NULL, 0, &batch, &err), STATUS_OK);
    ck_assert_int_eq(loss_create(batch, 1, &loss, &err), STATUS_OK);
    double *cp = malloc((size_t)batch->positions * sizeof *cp);
    ck_assert_ptr_nonnull(cp);
    for (int f = 0; f < 3; f++) {
        loss_set_form(loss, &forms[f]);
        ck_assert_int_eq(batch_set_targets(batch, data, 1, 1, &err), STATUS_OK);
        (void)loss_gradient(loss, value, 1, gradient);
        for (int i = 0; i < D; i++) {
            double kept = value[i], h = 0.01;
            value[i] = kept + h;
            double above = loss_value(loss, value, 1);
            value[i] = kept - h;
            double below = loss_value(loss, value, 1);
            value[i] = kept;
            ck_assert_double_eq_tol(gradient[i], (above - below) / (2 * h), 1e-9);
        }
        /* Where predictions are right the Hessian is the gradient's difference quotient. */
        loss_evaluate(loss, value, cp);
        for (int64_t i = 0; i < batch->positions; i++) {
            double p = 1 / (1 + exp(-cp[i] / 400)), floor = forms[f].floor;
            batch->target[i] = (float)(floor + (1 - 2 * floor) * p);
        }
        ck_assert_int_eq(loss_hessian(loss, value, 1, 1, hessian, &err), STATUS_OK);
        for (int i = 0; i < D; i++) {
            double above[D], below[D], kept = value[i], h = 0.1;
            value[i] = kept + h;
            (void)loss_gradient(loss, value, 1, above);
            value[i] = kept - h;
            (void)loss_gradient(loss, value, 1, below);
            value[i] = kept;
            for (int j = i; j < D; j++)
                ck_assert_double_eq_tol(hessian[i * D + j], (above[j] - below[j]) / (2 * h),
                                        2e-5 * hessian[0]);
        }
    }
    free(cp);
    loss_destroy(loss);
    batch_destroy(batch);
    dataset_destroy(data);
}
END_TEST

/* ---- Ties and frozen terms */

START_TEST(mirrored_squares_are_tied)
{
    Dataset *data = tuner_random_data(44, 40);
    TuneSettings settings;
    EvalWeights zero;

    plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.mirror = settings.detail = true;
    TuneResult r = tune(data, &zero, &settings);
    for (int table = 0; table < COLUMN_TABLES; table++)
        for (int sq = 0; sq < SQUARES; sq++)
            for (int half = MG; half <= EG; half++) {
                const int16_t *term = &r.weights.term[EVAL_PAWN_PST + table * SQUARES][half];
                ck_assert_int_eq(term[PHASES * sq], term[PHASES * (sq ^ 7)]);
            }
    double value[DIMENSIONS];
    columns_from_weights(&r.weights, value);
    ck_assert_double_eq_tol(columns_army(value), COLUMNS_ARMY, 8);
    ck_assert_double_gt(detail_error(r.detail, ROOK * SQUARES + 7), 0);
    ck_assert_double_eq(detail_error(r.detail, ROOK * SQUARES + 7),
                        detail_error(r.detail, ROOK * SQUARES));
    tune_result_free(&r);
    dataset_destroy(data);
}
END_TEST

START_TEST(frozen_terms_stay)
{
    Dataset *data = tuner_random_data(45, 40);
    TuneSettings settings;
    EvalWeights start;
    double before[DIMENSIONS], after[DIMENSIONS];

    plant_material(data);
    weights_material(&start);
    columns_from_weights(&start, before);
    tune_defaults(&settings);
    settings.patience = 0;
    settings.freeze = "QUEEN_*,KING_PST.e1";
    TuneResult r = tune(data, &start, &settings);
    columns_from_weights(&r.weights, after);
    ck_assert_double_eq(r.scale, 1);
    for (int half = 0; half < DIMENSIONS; half += COLUMNS)
        for (int sq = 0; sq < SQUARES; sq++)
            ck_assert_double_eq(after[half + QUEEN * SQUARES + sq],
                                before[half + QUEEN * SQUARES + sq]);
    ck_assert_mem_ne(after + ROOK * SQUARES, before + ROOK * SQUARES, SQUARES * sizeof *after);

    settings.freeze = "MATERIAL";
    r = tune(data, &start, &settings);
    for (int piece = 0; piece < EVAL_MATERIAL_COUNT; piece++)
        for (int half = MG; half <= EG; half++)
            ck_assert_int_le(abs(r.weights.term[piece][half] - start.term[piece][half]), 1);
    settings.freeze = "NONSENSE";
    ck_assert_int_eq(tune_fit(data, &start, &settings, NULL, NULL, NULL, &r, &err), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "NONSENSE"));
    dataset_destroy(data);
}
END_TEST

/* ---- Checkpoints and scratch files */

static void keep_iterations(void *context, const TuneIteration *iteration)
{
    atomic_int *stop = context;
    if (iteration->iteration == 3) atomic_store(stop, 1);
}

/* A fit that is interrupted and taken up again ends where the other one does, in fewer steps; the
 * checkpoint of another fit is refused. */
START_TEST(checkpoints_are_taken_up)
{
    Dataset *data = tuner_random_data(46, 40);
    TuneSettings settings;
    TuneResult whole, half, rest;
    EvalWeights zero;
    atomic_int stop = 0;
    char path[] = "/tmp/tabia-checkpoint-XXXXXX";
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(close(fd), 0);
    ck_assert_int_eq(unlink(path), 0);
    plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    whole = tune(data, &zero, &settings);
    settings.checkpoint = path;
    ck_assert_int_eq(tune_fit(data, &zero, &settings, &stop, keep_iterations, &stop, &half, &err),
                     STATUS_INTERRUPTED);
    ck_assert_int_eq(access(path, R_OK), 0);
    settings.seed++;
    ck_assert_int_eq(tune_fit(data, &zero, &settings, NULL, NULL, NULL, &rest, &err),
                     STATUS_BAD_INPUT);
    settings.seed--;
    rest = tune(data, &zero, &settings);
    ck_assert_int_lt(rest.iterations, whole.iterations);
    ck_assert_double_eq_tol(rest.train_after.mse, whole.train_after.mse, 1e-7);
    ck_assert_int_ne(access(path, R_OK), 0);
    dataset_destroy(data);
}
END_TEST

/* The same bits, wherever the positions are. */
START_TEST(scratch_files_change_nothing)
{
    Dataset *data = tuner_random_data(47, 10), *copy;
    TuneSettings settings;
    EvalWeights zero;

    plant_material(data);
    ck_assert_int_eq(dataset_create(&copy, &err), STATUS_OK);
    copy->scratch = "/tmp";
    for (int part = 0; part < 3; part++) /* it grows */
        ck_assert_int_eq(dataset_append(copy, data, copy->games, &err), STATUS_OK);
    ck_assert_int_eq(dataset_finish(copy, 2, &err), STATUS_OK);
    Dataset *plain;
    ck_assert_int_eq(dataset_create(&plain, &err), STATUS_OK);
    for (int part = 0; part < 3; part++)
        ck_assert_int_eq(dataset_append(plain, data, plain->games, &err), STATUS_OK);
    ck_assert_int_eq(dataset_finish(plain, 2, &err), STATUS_OK);
    ck_assert_str_eq(copy->digest, plain->digest);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.duplicates = DUPLICATES_MEAN;
    settings.draw_weight = 0.5;
    settings.detail = true;
    TuneResult a = tune(plain, &zero, &settings), b = tune(copy, &zero, &settings);
    ck_assert_mem_eq(&a.weights, &b.weights, sizeof a.weights);
    ck_assert_double_eq(a.validation_after.mse, b.validation_after.mse);
    tune_result_free(&a);
    tune_result_free(&b);
    dataset_destroy(data);
    dataset_destroy(copy);
    dataset_destroy(plain);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("errors");
    TCase *tc = tcase_create("errors");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, planted_weights_lie_within_their_errors);
    tcase_add_test(tc, bootstrap_agrees);
    tcase_add_test(tc, unseen_columns_are_the_priors);
    tcase_add_test(tc, details_are_complete);
    tcase_add_test(tc, folds_hold_out_every_position_once);
    tcase_add_test(tc, prior_is_chosen_by_held_out_games);
    tcase_add_test(tc, duplicates_are_merged);
    tcase_add_test(tc, positions_are_weighed);
    tcase_add_test(tc, forms_of_the_loss);
    tcase_add_test(tc, mirrored_squares_are_tied);
    tcase_add_test(tc, frozen_terms_stay);
    tcase_add_test(tc, checkpoints_are_taken_up);
    tcase_add_test(tc, scratch_files_change_nothing);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return support_run(suite());
}
