/* SPDX-License-Identifier: MIT
 * What a call of `tabia learn` would do, and what that would cost. */
#ifndef TABIA_TUNER_LEARN_PLAN_H
#define TABIA_TUNER_LEARN_PLAN_H

#include "tuner/learn/learn.h"

enum { PLAN_MEASURED_GAMES = 32 }; /* of each kind, for a run that has none */

typedef struct LearnPlan {
    LearnSettings settings;
    int done;        /* generations that are finished in the directory */
    int generations; /* number of the last one after this call */
    int64_t games;   /* of the next generation's self-play */
    uint64_t nodes;  /* a move there, soft limit; 0: limited by depth */
    int window;
    int final_matches; /* if all generations are accepted */
    int basis;         /* the costs are those of this generation of the directory; 0: measured */
    /* Estimates, processor seconds: of the next generation, of the final matches, of everything
     * that is still to do. */
    double generation_cpu, final_cpu, cpu_seconds;
    double seconds;   /* of the latter, wall clock, if each thread has a core of its own */
    double cpu_spent; /* so far, not estimated */
} LearnPlan;

/* Makes the plan. Reads the run in `dir` if there is one; otherwise plays a few games to measure
 * this machine. Writes nothing. Errors as of learn_run(). */
MUST_CHECK Status learn_plan(const char *dir, const LearnStart *from, const LearnSettings *settings,
                             const atomic_int *interrupted, LearnPlan *plan, Error *err);

#endif
