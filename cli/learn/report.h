/* SPDX-License-Identifier: MIT
 * What a run of `tabia learn` found, as a table and as JSON. */
#ifndef TABIA_CLI_LEARN_REPORT_H
#define TABIA_CLI_LEARN_REPORT_H

#include <stdio.h>

#include "cli/learn/learn.h"

void learn_report_print(FILE *out, const char *dir, const LearnReport *report);

/* One object and a newline. At the top `elo` and its kin are the best generation's against
 * generation 0; per generation they are in the objects `against_previous` and `against_start`. */
void learn_report_json(FILE *out, const char *dir, const LearnReport *report);

#endif
