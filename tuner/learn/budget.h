/* SPDX-License-Identifier: MIT
 * The budget of `tabia learn`: what was spent, whether another generation fits, when work ends. */
#ifndef TABIA_TUNER_LEARN_BUDGET_H
#define TABIA_TUNER_LEARN_BUDGET_H

#include <stdatomic.h>

#include "selfplay/run/remote_workers.h"
#include "tuner/learn/report.h"
#include "tuner/learn/settings.h"

/* The clocks of one process, seconds in the unit of the budget. */
typedef struct BudgetClock {
    const LearnSettings *settings;
    const RemoteWorkers *remote;   /* their processor time counts */
    const atomic_int *interrupted; /* by the user; or NULL */

    LearnCost earlier; /* spent by earlier processes */
    LearnCost started; /* the clocks at the start of this one … */
    LearnCost charged; /* … and when a stage was charged last */
    double limit;      /* may be spent until the work in progress is cut off */
    atomic_int stop;   /* ends the stage: the user interrupted it, or the limit is passed … */
    bool cut;          /* … namely the latter */
} BudgetClock;

/* Everything is borrowed. */
void budget_start(BudgetClock *clock, const LearnSettings *settings, const RemoteWorkers *remote,
                  const atomic_int *interrupted);

/* What the generations of the report took was spent by earlier processes. */
void budget_resume(BudgetClock *clock, const LearnReport *report);

/* Adds what was spent since the last charge. */
void budget_charge(BudgetClock *clock, LearnCost *sum);

/* This much of what is left of it, at most, is kept for the final matches. */
extern const double budget_final_share;

/* What follows ends when the budget is spent, less what the final matches will cost (at most a
 * tenth of what earlier processes left); or when all of it is. */
void budget_limit_generations(BudgetClock *clock, const LearnReport *report);
void budget_limit_all(BudgetClock *clock);

/* By all processes, in the unit of the budget. */
double budget_spent(const BudgetClock *clock);
bool budget_is_spent(const BudgetClock *clock);
/* Would another generation probably end before the limit? */
bool budget_allows_another(const BudgetClock *clock, const LearnReport *report);

/* Stops the stage when it is time. Returns the wall clock until then, if all threads are busy. */
double budget_check(BudgetClock *clock);

/* STATUS_OK instead of STATUS_INTERRUPTED if the limit, not the user, ended the stage. */
MUST_CHECK Status budget_forgive_cut(const BudgetClock *clock, Status status, Error *err);

#endif
