/* SPDX-License-Identifier: MIT
 * The loss kernel against its definition: values, gradient, Hessian, and equal bits at any number
 * of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/cholesky.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_tuner.h"
#include "tuner/fit/loss.h"

static Error err;

typedef struct Kernel {
    Dataset *data;
    Batch *batch;
    Loss *loss;
} Kernel;

static Kernel make_kernel(int games, int threads)
{
    Kernel k;

    k.data = tuner_random_data(11, games);
    BatchOptions options = tuner_plain_batch;
    options.threads = threads;
    ck_assert_int_eq(batch_create(k.data, &options, &k.batch, &err), STATUS_OK);
    ck_assert_int_eq(loss_create(k.batch, threads, &k.loss, &err), STATUS_OK);
    return k;
}

static void free_kernel(Kernel *k)
{
    loss_destroy(k->loss);
    batch_destroy(k->batch);
    dataset_destroy(k->data);
}

/* ---- The definition, without layout, look-up tables or our own sigmoid */

static double naive_target(const Dataset *data, int64_t i, double lambda, double k)
{
    double target = data->result[i] / 2.0;
    if (data->score[i] == SCORE_UNKNOWN) return target;
    return lambda * target + (1 - lambda) / (1 + exp(-k * data->score[i] / 400));
}

static double naive_loss(const Dataset *data, const double *value, double k, double lambda)
{
    double sum = 0, *cp = malloc((size_t)data->positions * sizeof *cp);

    ck_assert_ptr_nonnull(cp);
    tuner_evaluate(data, value, cp);
    for (int64_t i = 0; i < data->positions; i++) {
        double error = 1 / (1 + exp(-k * cp[i] / 400)) - naive_target(data, i, lambda, k);
        sum += error * error;
    }
    free(cp);
    return sum / (double)data->positions;
}

/* Derivative of cp of each position by one weight. */
static void naive_derivative(const Dataset *data, int dimension, double *by)
{
    double unit[DIMENSIONS] = {0};
    unit[dimension] = 1;
    tuner_evaluate(data, unit, by);
}

static double naive_hessian(const Dataset *data, const double *value, double k, int a, int b)
{
    size_t bytes = (size_t)data->positions * sizeof(double);
    double *cp = malloc(bytes), *by_a = malloc(bytes), *by_b = malloc(bytes), sum = 0;

    ck_assert(cp && by_a && by_b);
    tuner_evaluate(data, value, cp);
    naive_derivative(data, a, by_a);
    naive_derivative(data, b, by_b);
    for (int64_t i = 0; i < data->positions; i++) {
        double p = 1 / (1 + exp(-k * cp[i] / 400)), slope = p * (1 - p) * k / 400;
        sum += 2 * slope * slope * by_a[i] * by_b[i];
    }
    free(cp);
    free(by_a);
    free(by_b);
    return sum / (double)data->positions;
}

/* ---- Tests */

static void check_layout(int threads)
{
    Kernel k = make_kernel(2, threads);
    const Batch *b = k.batch;
    uint8_t *seen = calloc((size_t)k.data->positions, 1);
    int64_t at = 0, *starts = malloc((size_t)k.data->positions * sizeof *starts);

    ck_assert(seen && starts);
    ck_assert_int_eq(b->positions, k.data->positions);
    for (int64_t i = 0; i < k.data->positions; at += k.data->count[i++])
        starts[i] = at;
    for (int c = 0; c < b->chunk_count; c++) {
        ck_assert_int_le(b->phase_chunk[b->chunks[c].phase], c);
        ck_assert_int_gt(b->phase_chunk[b->chunks[c].phase + 1], c);
        for (int r = b->chunks[c].first_run; r < b->chunks[c].first_run + b->chunks[c].run_count;
             r++) {
            const BatchRun *run = &b->runs[r];
            for (int64_t i = 0; i < run->count; i++) {
                int32_t from = b->index[run->first + i];
                ck_assert_int_eq(seen[from]++, 0);
                ck_assert(i == 0 || from > b->index[run->first + i - 1]);
                ck_assert_int_eq(k.data->phase[from], b->chunks[c].phase);
                ck_assert_int_eq(k.data->count[from], run->occurrences);
                for (int j = 0; j < run->occurrences; j++) {
                    Occurrence code = b->occurrence[run->occurrence + i * run->occurrences + j];
                    Occurrence original = k.data->occurrence[starts[from] + j];
                    ck_assert_int_eq(b->column[b->code_of[code]],
                                     occurrence_column(original, COLUMNS));
                    ck_assert_int_eq(b->code_value[code], occurrence_value(original, COLUMNS));
                }
            }
        }
    }
    free(seen);
    free(starts);
    free_kernel(&k);
}

START_TEST(layout_keeps_every_position)
{
    for (int threads = 1; threads <= 9; threads += 4)
        check_layout(threads);
}
END_TEST

START_TEST(sigmoid_is_libms)
{
    enum { N = 20001 };
    static double x[N], p[N];

    for (int i = 0; i < N; i++)
        x[i] = (i - N / 2) * 0.0713;
    loss_sigmoid(x, p, N);
    for (int i = 0; i < N; i++) {
        double exact = 1 / (1 + exp(-x[i]));
        ck_assert_double_le(fabs(p[i] - exact), 1e-15 * exact + 1e-300);
    }
}
END_TEST

START_TEST(value_is_the_definition)
{
    Kernel k = make_kernel(2, 2);
    double value[DIMENSIONS], cp_sum = 0;

    tuner_random_values(value, 300, 1);
    for (int step = 0; step <= 2; step++) {
        double lambda = 1 - 0.4 * step, scale = 0.7 + step;
        ck_assert_int_eq(batch_set_targets(k.batch, k.data, lambda, scale, &err), STATUS_OK);
        double expected = naive_loss(k.data, value, scale, lambda);
        /* Targets are kept as floats. */
        ck_assert_double_eq_tol(loss_value(k.loss, value, scale), expected, 1e-8);
    }
    double *naive = malloc((size_t)k.data->positions * sizeof *naive), *cp;
    ck_assert_ptr_nonnull(naive);
    ck_assert_int_eq(loss_evaluations(k.loss, value, "cp", &cp, &err), STATUS_OK);
    tuner_evaluate(k.data, value, naive);
    for (int64_t i = 0; i < k.batch->positions; i++) {
        ck_assert_double_eq_tol(cp[i], naive[k.batch->index[i]], 1e-9);
        cp_sum += fabs(cp[i]);
    }
    ck_assert_double_gt(cp_sum, 0);
    free(cp);
    free(naive);
    free_kernel(&k);
}
END_TEST

START_TEST(gradient_is_the_difference_quotient)
{
    Kernel k = make_kernel(2, 2);
    double value[DIMENSIONS], gradient[DIMENSIONS], greatest = 0;
    const double scale = 1.3, h = 0.01;

    tuner_random_values(value, 200, 2);
    double loss = loss_gradient(k.loss, value, scale, gradient);
    ck_assert_double_eq(loss, loss_value(k.loss, value, scale));
    for (int i = 0; i < DIMENSIONS; i++)
        greatest = fmax(greatest, fabs(gradient[i]));
    for (int i = 0; i < DIMENSIONS; i += SANITIZED ? 29 : 1) {
        double kept = value[i];
        value[i] = kept + h;
        double above = loss_value(k.loss, value, scale);
        value[i] = kept - h;
        double below = loss_value(k.loss, value, scale);
        value[i] = kept;
        ck_assert_double_eq_tol(gradient[i], (above - below) / (2 * h), 1e-7 * greatest);
    }
    free_kernel(&k);
}
END_TEST

/* If every target is the prediction, the second derivative has only its Gauss-Newton part. So the
 * Hessian equals the gradient's difference quotient. */
START_TEST(hessian_is_the_difference_quotient)
{
    Kernel k = make_kernel(2, 2);
    double value[DIMENSIONS], above[DIMENSIONS], below[DIMENSIONS], greatest = 0;
    double *hessian = malloc(sizeof(double) * DIMENSIONS * DIMENSIONS), *cp;
    const double scale = 0.8, h = 0.5;

    ck_assert_ptr_nonnull(hessian);
    tuner_random_values(value, 100, 3);
    ck_assert_int_eq(loss_evaluations(k.loss, value, "cp", &cp, &err), STATUS_OK);
    for (int64_t i = 0; i < k.batch->positions; i++)
        k.batch->target[i] = (float)(1 / (1 + exp(-scale * cp[i] / 400)));
    ck_assert_int_eq(loss_hessian(k.loss, COLUMNS, value, scale, 1, NULL, hessian, NULL, &err),
                     STATUS_OK);
    for (int i = 0; i < DIMENSIONS; i++)
        greatest = fmax(greatest, hessian[i * DIMENSIONS + i]);
    for (int i = 1; i < DIMENSIONS; i += 37) {
        double kept = value[i];
        value[i] = kept + h;
        (void)loss_gradient(k.loss, value, scale, above);
        value[i] = kept - h;
        (void)loss_gradient(k.loss, value, scale, below);
        value[i] = kept;
        for (int j = i; j < DIMENSIONS; j++)
            ck_assert_double_eq_tol(hessian[i * DIMENSIONS + j], (above[j] - below[j]) / (2 * h),
                                    1e-5 * greatest);
    }
    free(hessian);
    free(cp);
    free_kernel(&k);
}
END_TEST

START_TEST(hessian_is_the_definition)
{
    Kernel k = make_kernel(1, 2);
    double value[DIMENSIONS];
    double *hessian = malloc(sizeof(double) * DIMENSIONS * DIMENSIONS);
    Pcg rng;

    ck_assert_ptr_nonnull(hessian);
    tuner_random_values(value, 200, 4);
    ck_assert_int_eq(loss_hessian(k.loss, COLUMNS, value, 1.1, 1, NULL, hessian, NULL, &err),
                     STATUS_OK);
    pcg_seed(&rng, 1, 1);
    for (int n = 0; n < 400; n++) {
        int i = (int)pcg_below(&rng, DIMENSIONS), j = (int)pcg_below(&rng, DIMENSIONS);
        if (n < 100) j = i;
        if (j < i) continue;
        double expected = naive_hessian(k.data, value, 1.1, i, j);
        ck_assert_double_eq_tol(hessian[i * DIMENSIONS + j], expected,
                                1e-12 * (1 + fabs(expected)));
    }
    free(hessian);
    free_kernel(&k);
}
END_TEST

/* A column may occur several times in a position (a coefficient other than 1). */
START_TEST(repeated_occurrences)
{
    Dataset *data;
    Batch *batch;
    Loss *loss;
    Position pos;
    double value[DIMENSIONS], gradient[DIMENSIONS];
    double *hessian = malloc(sizeof(double) * DIMENSIONS * DIMENSIONS);

    ck_assert_ptr_nonnull(hessian);
    ck_assert_int_eq(dataset_create(COLUMNS, &data, &err), STATUS_OK);
    position_set_start(&pos);
    ck_assert_int_eq(dataset_add(data, &pos, RESULT_WHITE_WINS, 0, 0, &err), STATUS_OK);
    static const Occurrence repeated[] = {70, 70, 70, COLUMNS + 90};
    memcpy(data->occurrence, repeated, sizeof repeated);
    data->count[0] = 4;
    data->phase[0] = 12;
    ck_assert_int_eq(batch_create(data, &tuner_plain_batch, &batch, &err), STATUS_OK);
    ck_assert_int_eq(loss_create(batch, 1, &loss, &err), STATUS_OK);
    tuner_random_values(value, 50, 6);
    double mean = loss_gradient(loss, value, 1, gradient);
    ck_assert_double_eq_tol(mean, naive_loss(data, value, 1, 1), 1e-12);
    ck_assert_double_eq_tol(gradient[70], -3 * gradient[90], 1e-15);
    ck_assert_int_eq(loss_hessian(loss, COLUMNS, value, 1, 1, NULL, hessian, NULL, &err),
                     STATUS_OK);
    static const int dimensions[] = {70, 90, COLUMNS + 70, COLUMNS + 90};
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++) {
            int a = dimensions[i], b = dimensions[j];
            ck_assert_double_eq_tol(hessian[a * DIMENSIONS + b],
                                    naive_hessian(data, value, 1, a, b), 1e-15);
        }
    free(hessian);
    loss_destroy(loss);
    batch_destroy(batch);
    dataset_destroy(data);
}
END_TEST

/* More than one chunk a phase: 1, 2 and 8 threads give the same bits. */
START_TEST(bits_at_any_thread_count)
{
    static const int threads[] = {1, 2, 8};
    size_t bytes = sizeof(double) * DIMENSIONS * DIMENSIONS;
    double value[DIMENSIONS], gradient[3][DIMENSIONS], loss[3], *hessian[3];

    tuner_random_values(value, 200, 5);
    for (int t = 0; t < 3; t++) {
        Kernel k = make_kernel(200, threads[t]);
        ck_assert_int_gt(k.batch->chunk_count, BATCH_PHASES);
        hessian[t] = calloc(1, bytes);
        ck_assert_ptr_nonnull(hessian[t]);
        loss[t] = loss_gradient(k.loss, value, 1, gradient[t]);
        ck_assert_double_eq(loss[t], loss_value(k.loss, value, 1));
        ck_assert_int_eq(loss_hessian(k.loss, COLUMNS, value, 1, 3, NULL, hessian[t], NULL, &err),
                         STATUS_OK);
        for (int i = 0; i < DIMENSIONS; i++)
            hessian[t][i * DIMENSIONS + i] += 1;
        ck_assert(cholesky_factor(hessian[t], DIMENSIONS, NULL));
        ck_assert_double_eq(loss[t], loss[0]);
        ck_assert_mem_eq(gradient[t], gradient[0], sizeof gradient[0]);
        ck_assert_mem_eq(hessian[t], hessian[0], bytes);
        free_kernel(&k);
    }
    for (int t = 0; t < 3; t++)
        free(hessian[t]);
}
END_TEST

START_TEST(cholesky_solves)
{
    enum { N = 101 };
    static double a[N][N], factor[N][N], x[N], b[N];
    Pcg rng;

    pcg_seed(&rng, 7, 7);
    for (int i = 0; i < N; i++) {
        x[i] = pcg_unit(&rng) - 0.5;
        for (int j = i; j < N; j++)
            a[i][j] = a[j][i] = pcg_unit(&rng) - 0.5 + (i == j ? N : 0);
    }
    for (int i = 0; i < N; i++) {
        b[i] = 0;
        for (int j = 0; j < N; j++)
            b[i] += a[i][j] * x[j];
    }
    memcpy(factor, a, sizeof a);
    ck_assert(cholesky_factor(factor[0], N, NULL));
    cholesky_solve(factor[0], N, b, 1, 1, NULL);
    for (int i = 0; i < N; i++)
        ck_assert_double_eq_tol(b[i], x[i], 1e-13);
    a[50][50] = -1;
    ck_assert(!cholesky_factor(a[0], N, NULL));
}
END_TEST

START_TEST(planted_k_is_found)
{
    Kernel k = make_kernel(150, 2);
    double value[DIMENSIONS], found;
    bool fitted;

    tuner_random_values(value, 60, 8);
    tuner_plant_results(k.data, value, 1.7, 1);
    ck_assert_int_eq(batch_set_targets(k.batch, k.data, 1, 0, &err), STATUS_OK);
    ck_assert_int_eq(calibrate_k(k.loss, value, &found, &fitted, &err), STATUS_OK);
    ck_assert(fitted);
    ck_assert_double_eq_tol(found, 1.7, 0.05);
    double least = loss_value(k.loss, value, found);
    ck_assert_double_gt(loss_value(k.loss, value, found * 1.0001), least);
    ck_assert_double_gt(loss_value(k.loss, value, found * 0.9999), least);

    /* The stronger side always wins: K has no end. */
    tuner_plant_results(k.data, value, 1e6, 1);
    ck_assert_int_eq(batch_set_targets(k.batch, k.data, 1, 0, &err), STATUS_OK);
    for (int i = 0; i < 4; i++) { /* from far below a pawn to far above a queen */
        ck_assert_int_eq(calibrate_k(k.loss, value, &found, &fitted, &err), STATUS_OK);
        ck_assert(!fitted && found == CALIBRATE_K_REFERENCE);
        for (int j = 0; j < DIMENSIONS; j++)
            value[j] *= 5;
    }

    memset(value, 0, sizeof value);
    ck_assert_int_eq(calibrate_k(k.loss, value, &found, &fitted, &err), STATUS_OK);
    ck_assert(!fitted && found == CALIBRATE_K_REFERENCE);
    free_kernel(&k);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, layout_keeps_every_position, sigmoid_is_libms, value_is_the_definition,
              gradient_is_the_difference_quotient, hessian_is_the_difference_quotient,
              hessian_is_the_definition, repeated_occurrences, bits_at_any_thread_count,
              cholesky_solves, planted_k_is_found);
    return support_run(c);
}
