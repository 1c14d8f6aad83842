/* SPDX-License-Identifier: MIT
 * What `tabia tune` says while it fits and when it is done, for people and as JSON. */
#ifndef TABIA_CLI_TUNE_REPORT_H
#define TABIA_CLI_TUNE_REPORT_H

#include <stdio.h>

#include "engine/base/json.h"
#include "tuner/job/tune.h"

typedef struct TuneReport {
    const char *source;            /* what was read, in words */
    const char *start;             /* label of the start weights */
    const char *start_hash, *hash; /* of the weights before and after */
    const char *out;               /* the header's path */
    const Dataset *data;
    const TuneSettings *settings;
    const TuneResult *result;
    bool foreign;                     /* columns that are not Tabia's evaluation: no hashes */
    double load_seconds, fit_seconds; /* printed only: JSON holds what is reproducible */
} TuneReport;

/* A FitProgressFn whose context is a Progress. */
void tune_report_progress(void *progress, const FitIteration *iteration);

void tune_report_print(FILE *out, const TuneReport *report);

/* The members of the report, into an object that the caller opens and ends. */
void tune_report_json(JsonWriter *w, const TuneReport *report);

/* The same as a malloc'ed string, for the store; NULL when out of memory. */
char *tune_report_json_text(const TuneReport *report);

/* `--score-only`: the weights named `label` measured at k. */
void tune_report_print_score(FILE *out, const char *label, const Dataset *data, double k,
                             const FitScore *score);
void tune_report_json_score(JsonWriter *w, const char *label, const char *source,
                            const Dataset *data, double k, const FitScore *score);

#endif
