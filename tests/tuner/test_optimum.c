/* SPDX-License-Identifier: MIT
 * Fits find one optimum from every start and by every method. */
#include "engine/eval/evaluation_load.h"
#include "tests/support/support.h"
#include "tests/support/support_tuner.h"

/* Under the same prior and K. */
START_TEST(one_optimum)
{
    EvalWeights truth, start[3];
    TuneSettings settings;
    TuneResult first;
    Dataset *data;

    weights_material(&truth);
    data = tuner_random_data(30, 10);
    tuner_plant_material(data);
    weights_zero(&start[0]);
    ck_assert_int_eq(weights_load("builtin", &start[1], NULL, &(Error){0}), STATUS_OK);
    start[2] = truth;
    tune_defaults(&settings);
    settings.fit.k = 1.5;
    settings.fit.prior = 300;
    settings.fit.prior_zero = settings.diagnostics = true;
    settings.fit.patience = 0;
    settings.fit.validation = 0;
    settings.fit.max_iterations = 20000;
    settings.freeze = SANITIZED ? "BISHOP_PST,ROOK_PST,QUEEN_PST,KING_PST" : NULL;
    for (int i = 0; i < 5; i += SANITIZED ? 3 : 1) {
        settings.fit.threads = 1 + i;
        settings.fit.method = i < 3 ? OPTIMISER_NEWTON : i == 3 ? OPTIMISER_LBFGS : OPTIMISER_ADAM;
        TuneResult result = tuner_fit(data, &start[i % 3], &settings);
        ck_assert(result.fit.converged);
        if (i == 0) {
            first = result;
            continue;
        }
        for (int d = 0; d < DIMENSIONS; d++)
            if (!first.diagnostics->space->fixed[d])
                ck_assert_double_eq_tol(result.diagnostics->value[d], first.diagnostics->value[d],
                                        0.5);
        ck_assert_double_eq_tol(result.fit.objective, first.fit.objective, 1e-9);
        tune_result_free(&result);
    }
    tune_result_free(&first);
    dataset_destroy(data);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, one_optimum);
    return support_run(c);
}
