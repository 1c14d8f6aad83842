/* SPDX-License-Identifier: MIT
 * What a run of `tabia learn` reports: events while it goes on, and its generations. */
#ifndef TABIA_TUNER_LEARN_REPORT_H
#define TABIA_TUNER_LEARN_REPORT_H

#include "db/store/run_record.h"
#include "selfplay/match/gauntlet.h"
#include "selfplay/run/selfplay.h"
#include "tuner/fit/fit.h"
#include "tuner/learn/generation.h"
#include "tuner/network/train.h"

/* Progress: exactly one of the pointers but `opponent` is set; it is valid during the call. */
typedef struct LearnEvent {
    int generation;
    const SelfplayProgress *selfplay;
    const FitIteration *tune;
    const TrainProgress *train;
    const GauntletProgress *gauntlet; /* of the generation against `opponent` */
    const char *opponent;             /* with gauntlet: "gen-002", "material" */
    const LearnGeneration *proved;    /* the generation is done */
    const LearnCost *earlier;         /* first of all: spent by earlier processes */
    double spent; /* so far, by all processes: what the budget counts, else wall clock */
    /* Wall clock until the budget ends this stage; infinite without a budget. */
    double seconds_left;
} LearnEvent;
typedef void (*LearnProgressFn)(void *context, const LearnEvent *event);

typedef struct LearnReport {
    int count;                    /* generations, number 0 included */
    int64_t room;                 /* for generations */
    LearnGeneration *generations; /* [count], owned */
    MatchScore against_material;  /* the best one */
    bool by_material;             /* generations met `material` at the end, not generation 0 */
    bool rated;                   /* ratings say how strong generations are, not those matches */
    int best;                     /* its number */
    Evaluation weights;           /* of the best */
    char from[LABEL_MAX];         /* label of generation 0 */
    LearnCost cost, final_cost;   /* of generations and final matches, over all processes */
} LearnReport;

void learn_report_free(LearnReport *report);

/* Appends a generation; the pointer to it is valid until the next call. */
MUST_CHECK Status learn_report_append(LearnReport *report, LearnGeneration **g, Error *err);

/* The last one; there must be one after generation 0. */
LearnGeneration *learn_report_last(const LearnReport *report);

/* The last one that is finished; NULL: none after generation 0. */
const LearnGeneration *learn_report_last_proved(const LearnReport *report);

/* What they took, without and in final matches. */
void learn_report_costs(const LearnReport *report, LearnCost *generations, LearnCost *finals);

#endif
