/* SPDX-License-Identifier: MIT
 * Error rates of the sequential test: it accepts H1 at elo0, and H0 at elo1, at most as often as
 * alpha and beta. tests/tools/sprt_rates.c runs more trials. */
#include <math.h>

#include "tests/support/support.h"
#include "tests/support/support_sprt.h"

enum { TRIALS = 1000 };

typedef struct Case {
    bool pairs;
    SprtModel model;
    double elo0, elo1;
} Case;

static const Case cases[] = {{false, SPRT_LOGISTIC, 0, 40},
                             {false, SPRT_NORMALIZED, 0, 40},
                             {true, SPRT_LOGISTIC, -20, 20},
                             {true, SPRT_NORMALIZED, 0, 40}};

/* Three standard deviations of a rate. */
static double most(double rate)
{
    return TRIALS * rate + 3 * sqrt(TRIALS * rate * (1 - rate));
}

START_TEST(errors_are_as_rare_as_asked_for)
{
    const Case *c = &cases[_i];
    SprtTrials t = {.sprt = {true, c->elo0, c->elo1, 0.05, 0.1, c->model},
                    .pairs = c->pairs,
                    .trials = TRIALS,
                    .seed = 1};

    t.elo = c->elo0;
    SprtRates rates = sprt_simulate(&t);
    ck_assert_msg(rates.accepted_h1 <= most(t.sprt.alpha), "%d of %d are wrong at elo0",
                  rates.accepted_h1, TRIALS);
    ck_assert_msg(rates.accepted_h1 >= TRIALS * t.sprt.alpha / 4, "never wrong: too careful");
    t.elo = c->elo1;
    rates = sprt_simulate(&t);
    ck_assert_msg(TRIALS - rates.accepted_h1 <= most(t.sprt.beta), "%d of %d are wrong at elo1",
                  TRIALS - rates.accepted_h1, TRIALS);
    ck_assert_msg(TRIALS - rates.accepted_h1 >= TRIALS * t.sprt.beta / 4,
                  "never wrong: too careful");
    t.elo = (c->elo0 + c->elo1) / 2; /* in the middle both are equally likely */
    rates = sprt_simulate(&t);
    ck_assert_msg(rates.accepted_h1 > TRIALS / 4 && rates.accepted_h1 < TRIALS * 3 / 4,
                  "%d of %d accept H1 in the middle", rates.accepted_h1, TRIALS);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_loop_test(c, errors_are_as_rare_as_asked_for, 0, sizeof cases / sizeof *cases);
    return support_run(c);
}
