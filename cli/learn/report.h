/* SPDX-License-Identifier: MIT
 * The results of a run of `tabia learn` as a table and as JSON. */
#ifndef TABIA_CLI_LEARN_REPORT_H
#define TABIA_CLI_LEARN_REPORT_H

#include <stdio.h>

#include "tuner/learn/report.h"

void learn_report_print(FILE *out, const char *dir, const LearnReport *report);

/* One object and a newline. The figures of a match at the top (`elo` …) are the best generation's
 * against generation 0; those of each generation are in `against_previous` and `against_start`. */
void learn_report_json(FILE *out, const char *dir, const LearnReport *report);

#endif
