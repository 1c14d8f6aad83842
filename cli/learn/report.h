/* SPDX-License-Identifier: MIT
 * The results and the plan of a run of `tabia learn`, as text and as JSON. */
#ifndef TABIA_CLI_LEARN_REPORT_H
#define TABIA_CLI_LEARN_REPORT_H

#include <stdio.h>

#include "cli/page/ratings.h"
#include "tuner/learn/plan.h"

/* ratings: over all matches of the run; none if there are no players. */
void learn_report_print(FILE *out, const char *dir, const LearnReport *report,
                        const Ratings *ratings);

/* One object and a newline. The figures of a match at the top (`elo` …) are the best generation's
 * against generation 0; those of each generation are in `against_previous` and `against_start`. */
void learn_report_json(FILE *out, const char *dir, const LearnReport *report,
                       const Ratings *ratings);

/* What --dry-run tells, on standard output: a list, or a line. */
void learn_plan_print(const LearnPlan *plan);
void learn_plan_json(const LearnPlan *plan);

#endif
