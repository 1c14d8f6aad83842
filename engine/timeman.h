/* SPDX-License-Identifier: MIT
 * How much of the clock one move may take. */
#ifndef TABIA_ENGINE_TIMEMAN_H
#define TABIA_ENGINE_TIMEMAN_H

#include "engine/search.h"

typedef struct TimeBudget {
    bool limited;    /* by any clock at all */
    bool adjustable; /* soft_ms may be stretched and shrunk: a game clock, not `movetime` */
    int64_t soft_ms; /* begin no iteration after this */
    int64_t hard_ms; /* stop at once after this */
} TimeBudget;

/* `overhead_ms` is lost on every move between us and the clock. */
TimeBudget timeman_budget(const SearchLimits *limits, Color stm, int64_t overhead_ms);

/* The soft limit in view of how the iterations went: `stable` iterations with the same best move,
 * `drop_cp` by which the score fell since the last iteration, and the per mille of the nodes that
 * went into the best move. */
int64_t timeman_soft_ms(const TimeBudget *budget, int stable, int drop_cp, int best_share);

#endif
