/* SPDX-License-Identifier: MIT
 * Error rates of sequential tests, by simulated matches. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_SPRT_H
#define TABIA_TESTS_SUPPORT_SUPPORT_SPRT_H

#include <stdint.h>

#include "selfplay/match/stats.h"

typedef struct SprtTrials {
    SprtSettings sprt;
    bool pairs; /* outcomes are pairs of games (five), else games (three) */
    double elo; /* true value, on the scale of sprt.model */
    int trials;
    uint64_t seed;
} SprtTrials;

typedef struct SprtRates {
    int accepted_h1;
    double mean_outcomes; /* games or pairs until the decision */
} SprtRates;

/* Simulates the tests one after the other; sprt_llr() decides after each outcome. */
SprtRates sprt_simulate(const SprtTrials *trials);

#endif
