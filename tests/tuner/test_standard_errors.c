/* SPDX-License-Identifier: MIT
 * Diagnostics of a fit: standard errors against planted weights and a bootstrap,
 * cross-validation, the choice of the prior. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_tuner.h"
#include "tuner/report/diagnostics.h"

static Error err;

static FitSettings small_settings(void)
{
    TuneSettings s;
    tune_defaults(&s);
    s.fit.prior = 0;
    s.fit.k = 1;
    s.fit.validation = 0;
    return s.fit;
}

static Fit *fit_small(const Dataset *data, const Space *space, const FitSettings *settings)
{
    static const double zero[TUNER_SMALL_DIMENSIONS];
    Fit *fit;
    ck_assert_int_eq(fit_create(data, space, zero, settings, NULL, &fit, &err), STATUS_OK);
    ck_assert_int_eq(fit_run(fit, settings->prior, NULL, NULL, &err), STATUS_OK);
    return fit;
}

/* Over many drawn sets the deviations from what was planted, divided by their stated errors, have a
 * mean square of 1; with errors by position, as if games were not, it would be about 6. */
START_TEST(planted_weights_lie_within_their_errors)
{
    enum { SETS = SANITIZED ? 4 : 60 };
    FitSettings settings = small_settings();
    Space *space;
    double squares = 0;
    int beyond = 0;

    ck_assert_int_eq(space_create(TUNER_SMALL_COLUMNS, &space, &err), STATUS_OK);
    for (int set = 0; set < SETS; set++) {
        Dataset *data = tuner_small_games(700, (uint64_t)set);
        Fit *fit = fit_small(data, space, &settings);
        StandardErrors *errors;
        const double one = 1;
        ck_assert_int_eq(standard_errors_create(fit, 1, false, NULL, &errors, &err), STATUS_OK);
        for (int i = 0; i < TUNER_SMALL_DIMENSIONS; i++) {
            double sigma = sqrt(standard_errors_variance(errors, &i, &one, 1));
            double t = (fit->best[i] - tuner_small_planted[i]) / sigma;
            squares += t * t;
            beyond += fabs(t) > 1.96;
        }
        ck_assert_double_gt(errors->design_effect, 5);
        standard_errors_destroy(errors);
        fit_destroy(fit);
        dataset_destroy(data);
    }
    ck_assert_double_eq_tol(squares / (SETS * TUNER_SMALL_DIMENSIONS), 1, SANITIZED ? 1 : 0.2);
    ck_assert_double_eq_tol(beyond / (double)(SETS * TUNER_SMALL_DIMENSIONS), 0.05, 0.03);
    space_destroy(space);
}
END_TEST

/* Drawing whole games anew, with replacement, spreads the weights as the errors say. */
START_TEST(bootstrap_agrees)
{
    enum { DRAWS = SANITIZED ? 8 : 200, GAMES = 600 };
    Dataset *data = tuner_small_games(GAMES, 77);
    FitSettings settings = small_settings();
    Space *space;
    Pcg rng;
    double sum[TUNER_SMALL_DIMENSIONS] = {0}, squares[TUNER_SMALL_DIMENSIONS] = {0};
    int64_t *start = malloc((size_t)(data->positions + 1) * sizeof *start);

    ck_assert_ptr_nonnull(start);
    start[0] = 0;
    for (int64_t i = 0; i < data->positions; i++)
        start[i + 1] = start[i] + data->count[i];
    int64_t first[GAMES + 1] = {0};
    for (int64_t i = 0; i < data->positions; i++)
        first[data->game[i] + 1] = i + 1;
    ck_assert_int_eq(space_create(TUNER_SMALL_COLUMNS, &space, &err), STATUS_OK);
    Fit *fit = fit_small(data, space, &settings);
    StandardErrors *errors;
    ck_assert_int_eq(standard_errors_create(fit, 1, false, NULL, &errors, &err), STATUS_OK);
    pcg_seed(&rng, 5, 5);
    for (int draw = 0; draw < DRAWS; draw++) {
        Dataset *again;
        ck_assert_int_eq(dataset_create(TUNER_SMALL_COLUMNS, &again, &err), STATUS_OK);
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
        for (int i = 0; i < TUNER_SMALL_DIMENSIONS; i++) {
            sum[i] += refit->best[i] / DRAWS;
            squares[i] += refit->best[i] * refit->best[i] / DRAWS;
        }
        fit_destroy(refit);
        dataset_destroy(again);
    }
    for (int i = 0; i < TUNER_SMALL_DIMENSIONS; i++) {
        const double one = 1;
        double stated = sqrt(standard_errors_variance(errors, &i, &one, 1));
        double spread = sqrt((squares[i] - sum[i] * sum[i]) * DRAWS / (DRAWS - 1));
        ck_assert_double_eq_tol(stated / spread, 1, SANITIZED ? 2 : 0.25);
    }
    standard_errors_destroy(errors);
    fit_destroy(fit);
    space_destroy(space);
    dataset_destroy(data);
    free(start);
}
END_TEST

/* The prior alone determines a column that never occurs. The other columns count as parameters. */
START_TEST(unseen_columns_are_the_priors)
{
    Dataset *data = tuner_small_games(300, 3);
    FitSettings settings = small_settings();
    Space *space;
    StandardErrors *errors;

    settings.prior = 1;
    for (int64_t i = 0; i < data->occurrences; i++)
        if (occurrence_column(data->occurrence[i], TUNER_SMALL_COLUMNS) == 3)
            data->occurrence[i] = occurrence_make(
                2, occurrence_value(data->occurrence[i], TUNER_SMALL_COLUMNS), TUNER_SMALL_COLUMNS);
    ck_assert_int_eq(space_create(TUNER_SMALL_COLUMNS, &space, &err), STATUS_OK);
    Fit *fit = fit_small(data, space, &settings);
    ck_assert_int_eq(standard_errors_create(fit, 1, false, NULL, &errors, &err), STATUS_OK);
    ck_assert_double_eq(errors->resolution[3], 0); /* no rounding error, which differs by machine */
    ck_assert_double_eq(errors->resolution[TUNER_SMALL_COLUMNS + 3], 0);
    ck_assert_double_eq(fit->best[3], 0);
    ck_assert_double_gt(errors->resolution[0], 0.9);
    ck_assert_int_eq(errors->games[3], 0);
    ck_assert_double_gt(errors->parameters, TUNER_SMALL_DIMENSIONS - 3);
    ck_assert_double_lt(errors->parameters, TUNER_SMALL_DIMENSIONS - 2);
    standard_errors_destroy(errors);
    fit_destroy(fit);
    space_destroy(space);
    dataset_destroy(data);
}
END_TEST

/* ---- The evaluation's own space */

/* What is left are pieces, pawns and knights: fits cost the cube of the number of weights. */
static const char few[] = "BISHOP_PST,ROOK_PST,QUEEN_PST,KING_PST";

START_TEST(diagnostics_are_complete)
{
    Dataset *data = tuner_random_data(41, 3);
    TuneSettings settings;
    EvalWeights zero;
    TermErrors errors;

    tuner_plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.diagnostics = true;
    TuneResult r = tuner_fit(data, &zero, &settings);
    Diagnostics *d = r.diagnostics;
    ck_assert_ptr_nonnull(d);
    int64_t n[3] = {0};
    for (int i = 0; i < BREAKDOWN_PHASES; i++)
        n[0] += d->validation.phase[i].n;
    for (int i = 0; i < BREAKDOWN_MATERIAL; i++)
        n[1] += d->validation.material[i].n;
    for (int i = 0; i < BREAKDOWN_PREDICTIONS; i++)
        n[2] += d->validation.prediction[i].n;
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(n[i], r.validation.after.n);
    ck_assert(breakdown_has_material(&d->train));
    for (int i = 0; i < BREAKDOWN_MATERIAL; i++) { /* the same rows for both sides */
        const BreakdownRow *row = &d->train.material[i];
        const BreakdownRow *mirror = &d->train.material[BREAKDOWN_MATERIAL - 1 - i];
        ck_assert(row->low == INT_MIN ? mirror->high == INT_MAX : row->low == -mirror->high);
    }
    diagnostics_term_errors(d, &errors);
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++) {
        /* The mean over squares is better known than any one of them. */
        ck_assert_double_gt(errors.material_mean[p], 0);
        ck_assert_double_lt(errors.term[EVAL_MATERIAL + p][MG], 200);
    }
    ck_assert_double_gt(d->errors->k_error, 0);
    ck_assert_int_gt(d->held_count, 0); /* few games: many squares were hardly seen */
    ck_assert_int_gt(d->warning_count, 0);
    tune_result_free(&r);
    ck_assert_ptr_null(r.diagnostics);

    if (SANITIZED) settings.freeze = few; /* to the last bit, at any number of threads */
    settings.fit.threads = 3;
    TuneResult again = tuner_fit(data, &zero, &settings), once;
    settings.fit.threads = 1;
    once = tuner_fit(data, &zero, &settings);
    size_t n2 = (size_t)once.diagnostics->errors->count * (size_t)once.diagnostics->errors->count;
    ck_assert_mem_eq(once.diagnostics->errors->covariance, again.diagnostics->errors->covariance,
                     n2 * sizeof(double));
    tune_result_free(&again);
    tune_result_free(&once);
    dataset_destroy(data);
}
END_TEST

START_TEST(folds_hold_out_every_position_once)
{
    enum { FOLDS = SANITIZED ? 3 : 4 };
    Dataset *data = tuner_random_data(42, 30);
    TuneSettings settings;
    EvalWeights zero;
    int64_t n = 0, games = 0;

    tuner_plant_material(data);
    weights_zero(&zero);
    tune_defaults(&settings);
    settings.diagnostics = true;
    settings.fit.folds = FOLDS;
    if (SANITIZED) settings.freeze = few;
    TuneResult r = tuner_fit(data, &zero, &settings);
    for (int f = 0; f < FOLDS; f++) {
        n += r.diagnostics->folds[f].held_out.n;
        games += r.diagnostics->folds[f].held_out.games;
        ck_assert_double_gt(r.diagnostics->folds[f].held_out.mse,
                            r.diagnostics->folds[f].train_mse);
    }
    ck_assert_int_eq(n, data->positions);
    ck_assert_int_eq(games, data->games);
    ck_assert_int_eq(r.train.after.n, data->positions); /* then all of it is fitted to */
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

    tuner_plant_material(data);
    weights_material(&start);
    tune_defaults(&settings);
    settings.diagnostics = true;
    settings.fit.prior = FIT_PRIOR_AUTO;
    settings.fit.patience = 0;
    settings.fit.validation = 0.3;
    for (settings.fit.folds = 0; settings.fit.folds <= 3; settings.fit.folds += 3) {
        TuneResult r = tuner_fit(data, &start, &settings);
        ck_assert_int_eq(r.diagnostics->trial_count, FIT_TRIALS);
        double least = INFINITY;
        for (int t = 0; t < FIT_TRIALS; t++)
            least = fmin(least, r.diagnostics->trials[t].mse);
        for (int t = 0; t < FIT_TRIALS; t++)
            if (r.diagnostics->trials[t].mse == least)
                ck_assert_double_eq(r.diagnostics->trials[t].prior, r.fit.prior);
        ck_assert_double_gt(r.fit.prior, 100); /* the start was the truth, and games are few */
        tune_result_free(&r);
    }
    dataset_destroy(data);
}
END_TEST

static void interrupt(void *now, const FitIteration *iteration)
{
    (void)iteration;
    atomic_store((atomic_int *)now, 1);
}

/* Ctrl-C after the last iteration: the fit is complete, without diagnostics. */
START_TEST(interruption_leaves_no_errors)
{
    Dataset *data = tuner_random_data(44, 3);
    atomic_int now = 0;
    const FitHooks hooks = {.interrupted = &now, .progress = interrupt, .context = &now};
    TuneSettings settings;
    EvalWeights start;
    TuneResult r;

    tuner_plant_material(data);
    weights_material(&start);
    tune_defaults(&settings);
    settings.fit.max_iterations = 0;
    settings.diagnostics = true;
    ck_assert_int_eq(tune_fit(data, &start, &settings, &hooks, &r, &err), STATUS_OK);
    ck_assert(now && !r.diagnostics && r.validation.after.n > 0);
    tune_result_free(&r);
    dataset_destroy(data);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, planted_weights_lie_within_their_errors, bootstrap_agrees,
              unseen_columns_are_the_priors, diagnostics_are_complete,
              folds_hold_out_every_position_once, interruption_leaves_no_errors);
    if (!SANITIZED) /* long fits by the same code */
        ADD_TESTS(c, prior_is_chosen_by_held_out_games);
    return support_run(c);
}
