/* SPDX-License-Identifier: MIT
 * Error rates of sequential tests, by simulation:
 *   sprt_rates [TRIALS [ELO0 ELO1 [ALPHA BETA]]]     (10,000 trials of [0, 10] at 0.05 and 0.05) */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/support_sprt.h"

static double argument(int argc, char **argv, int i, double otherwise)
{
    return i < argc ? strtod(argv[i], NULL) : otherwise;
}

static void print_rates(const SprtTrials *t, const char *where)
{
    SprtRates rates = sprt_simulate(t);

    printf("%-10s %-11s %s  H1 accepted %6.2f %%  after %8.0f %s\n",
           t->sprt.model == SPRT_LOGISTIC ? "logistic" : "normalised",
           t->pairs ? "pentanomial" : "trinomial", where, 100.0 * rates.accepted_h1 / t->trials,
           rates.mean_outcomes, t->pairs ? "pairs" : "games");
}

int main(int argc, char **argv)
{
    SprtTrials t = {.trials = (int)argument(argc, argv, 1, 10000), .seed = 1};

    t.sprt = (SprtSettings){.enabled = true,
                            .elo0 = argument(argc, argv, 2, 0),
                            .elo1 = argument(argc, argv, 3, 10),
                            .alpha = argument(argc, argv, 4, 0.05),
                            .beta = argument(argc, argv, 5, 0.05)};
    for (int i = 0; i < 4; i++) {
        t.sprt.model = i % 2 ? SPRT_NORMALIZED : SPRT_LOGISTIC;
        t.pairs = i >= 2;
        t.elo = t.sprt.elo0;
        print_rates(&t, "at elo0");
        t.elo = t.sprt.elo1;
        print_rates(&t, "at elo1");
    }
    return 0;
}
