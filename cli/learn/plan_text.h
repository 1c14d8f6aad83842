/* SPDX-License-Identifier: MIT
 * The plan of tabia learn --dry-run as text and as JSON. */
#ifndef TABIA_CLI_LEARN_PLAN_TEXT_H
#define TABIA_CLI_LEARN_PLAN_TEXT_H

#include "tuner/learn/plan.h"

/* On standard output: a list, or a line. */
void learn_plan_print(const LearnPlan *plan);
void learn_plan_json(const LearnPlan *plan);

#endif
