/* SPDX-License-Identifier: MIT
 * Fits of king squares: columns and their names, the metric of two levels, the optimum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_tuner.h"
#include "tuner/fit/optimise.h"

static Error err;

typedef struct Kernel {
    Dataset *data;
    Batch *batch;
    Loss *loss;
    Space *space;
} Kernel;

static Kernel make_kernel(int games, int threads)
{
    Kernel k = {.data = tuner_random_terms(5, games, EVAL_ALL_SQUARES)};

    ck_assert_int_eq(batch_create(k.data, &tuner_plain_batch, &k.batch, &err), STATUS_OK);
    ck_assert_int_eq(loss_create(k.batch, threads, &k.loss, &err), STATUS_OK);
    ck_assert_int_eq(space_of_evaluation(EVAL_ALL_SQUARES, ALL_COLUMNS, &k.space, &err), STATUS_OK);
    return k;
}

static void free_kernel(Kernel *k)
{
    space_destroy(k->space);
    loss_destroy(k->loss);
    batch_destroy(k->batch);
    dataset_destroy(k->data);
}

START_TEST(columns_and_weights)
{
    static double value[ALL_DIMENSIONS], again[ALL_DIMENSIONS];
    static EvalWeights w, back;
    Space *space;
    Pcg rng;

    pcg_seed(&rng, 3, 3);
    weights_material(&w);
    for (int i = EVAL_KING_SQUARES; i < EVAL_TERMS; i++)
        for (int half = MG; half <= EG; half++)
            w.term[i][half] = (int16_t)((int)pcg_below(&rng, 401) - 200);
    columns_from_weights(&w, ALL_COLUMNS, value);
    ck_assert_int_eq(columns_to_weights(value, ALL_COLUMNS, &back), 0);
    ck_assert(weights_equal(&w, &back));
    columns_from_weights(&back, ALL_COLUMNS, again);
    ck_assert_mem_eq(value, again, sizeof value);
    columns_centre(&w, &back);
    ck_assert(weights_equal(&w, &back));

    ck_assert_int_eq(space_of_evaluation(EVAL_ALL_SQUARES, ALL_COLUMNS, &space, &err), STATUS_OK);
    int rook = EVAL_ROOK_OWN_KING + 64 * 1 + 3 - EVAL_MATERIAL_COUNT;
    ck_assert_str_eq(space->name[rook], "ROOK_OWN_KING.b1.d1");
    ck_assert(!space->fixed[rook]);
    ck_assert(space->fixed[EVAL_PAWN_OTHER_KING - EVAL_MATERIAL_COUNT]); /* a pawn on a1 */
    ck_assert(space->fixed[EVAL_TEMPO - EVAL_MATERIAL_COUNT]);
    space_destroy(space);
}
END_TEST

/* The sum of the gradient over the columns of a row of the metric's matrix. */
static double slope_of_row(const double *gradient, int row, int rows)
{
    double sum = 0;

    for (int c = 0; c < ALL_COLUMNS; c++)
        if (space_metric_column(COLUMNS, c) == row % rows)
            sum += gradient[row / rows * ALL_COLUMNS + c];
    return sum;
}

/* If every target is the prediction, the Hessian is the difference quotient of the gradient: with
 * the columns of a table moved together, and on the diagonal each by itself. */
START_TEST(tables_are_columns_of_the_hessian)
{
    static double value[ALL_DIMENSIONS], above[ALL_DIMENSIONS], below[ALL_DIMENSIONS];
    static double diagonal[ALL_COLUMNS - COLUMNS][3];
    const double scale = 0.8, h = 0.25;
    const int rows = space_metric_column(COLUMNS, ALL_COLUMNS);
    const size_t d = 2 * (size_t)rows;
    Kernel k = make_kernel(1, 2);
    double *hessian = malloc(sizeof *hessian * d * d), *cp;
    int checked = 0, alone = 0;

    ck_assert_ptr_nonnull(hessian);
    for (int i = 0; i < ALL_DIMENSIONS; i++)
        value[i] = (double)(i * 7919L % 101 - 50);
    ck_assert_int_eq(loss_evaluations(k.loss, value, "cp", &cp, &err), STATUS_OK);
    for (int64_t i = 0; i < k.batch->positions; i++)
        k.batch->target[i] = (float)(1 / (1 + exp(-scale * cp[i] / 400)));
    ck_assert_int_eq(loss_hessian(k.loss, COLUMNS, value, scale, 1, NULL, hessian, diagonal, &err),
                     STATUS_OK);
    for (int i = 0; i < (int)d; i += 11) {
        if (hessian[(size_t)i * d + (size_t)i] == 0) continue;
        for (int side = -1; side <= 1; side += 2) {
            for (int c = 0; c < ALL_COLUMNS; c++)
                if (space_metric_column(COLUMNS, c) == i % rows)
                    value[i / rows * ALL_COLUMNS + c] += side < 0 ? -h : 2 * h;
            (void)loss_gradient(k.loss, value, scale, side < 0 ? below : above);
        }
        for (int c = 0; c < ALL_COLUMNS; c++)
            if (space_metric_column(COLUMNS, c) == i % rows) value[i / rows * ALL_COLUMNS + c] -= h;
        for (int j = i; j < (int)d; j += SANITIZED ? 65 : 5) {
            double quotient =
                (slope_of_row(above, j, rows) - slope_of_row(below, j, rows)) / (2 * h);
            ck_assert_double_eq_tol(hessian[(size_t)i * d + (size_t)j], quotient,
                                    2e-5 * hessian[(size_t)i * d + (size_t)i] + 1e-13);
        }
        checked += i % rows >= COLUMNS;
    }
    for (int c = COLUMNS; c < ALL_COLUMNS; c += 13) {
        const double *own = diagonal[c - COLUMNS];
        if (own[0] == 0) continue;
        value[c] += h;
        (void)loss_gradient(k.loss, value, scale, above);
        value[c] -= 2 * h;
        (void)loss_gradient(k.loss, value, scale, below);
        value[c] += h;
        int eg = c + ALL_COLUMNS;
        ck_assert_double_eq_tol(own[0], (above[c] - below[c]) / (2 * h), 2e-5 * own[0]);
        ck_assert_double_eq_tol(own[1], (above[eg] - below[eg]) / (2 * h), 2e-5 * own[0]);
        alone++;
    }
    ck_assert_int_gt(checked, 10);
    ck_assert_int_gt(alone, 100);
    free(hessian);
    free(cp);
    free_kernel(&k);
}
END_TEST

/* Minimises to the state without its weights, which go to weights[ALL_DIMENSIONS]. */
static OptimiserState minimise(Kernel *k, OptimiserMethod method, double *weights)
{
    static const double zero[ALL_DIMENSIONS];
    OptimiserSettings settings = {.method = method, .k = 1.5, .ridge = SANITIZED ? 1e-3 : 1e-7};
    Optimiser *o;
    bool converged = false;

    ck_assert_int_eq(optimiser_create(k->loss, k->space, zero, zero, &settings, &o, &err),
                     STATUS_OK);
    for (int i = 0; i < 5000 && !converged; i++)
        ck_assert_int_eq(optimiser_step(o, 1e-9, &converged, &err), STATUS_OK);
    ck_assert(converged);
    OptimiserState end = *optimiser_state(o);
    memcpy(weights, end.weights, ALL_DIMENSIONS * sizeof *weights);
    end.weights = NULL;
    optimiser_destroy(o);
    return end;
}

/* The metric of two levels and the plain first-order method find the same optimum, the first in
 * fewer passes, with few metrics and with the same bits at any number of threads. Tables have a
 * pull of their own. */
START_TEST(both_methods_agree)
{
    static double weights[3][ALL_DIMENSIONS];
    OptimiserState end[3];

    for (int m = 0; m < (SANITIZED ? 2 : 3); m++) {
        Kernel k = make_kernel(SANITIZED ? 1 : 2, m == 1 ? 1 : 2);
        tuner_plant_material(k.data);
        ck_assert_int_eq(batch_set_targets(k.batch, k.data, 1, 1.5, &err), STATUS_OK);
        k.space->table_pull = 4;
        end[m] = minimise(&k, m < 2 ? OPTIMISER_NEWTON : OPTIMISER_LBFGS, weights[m]);
        free_kernel(&k);
    }
    ck_assert_mem_eq(weights[0], weights[1], sizeof weights[0]);
    if (SANITIZED) return;
    ck_assert_double_eq_tol(end[0].objective, end[2].objective, 1e-6 * end[0].objective);
    ck_assert_int_lt(end[0].passes, end[2].passes);
    ck_assert_int_le(end[0].metrics, 2);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, columns_and_weights, tables_are_columns_of_the_hessian, both_methods_agree);
    return support_run(c);
}
