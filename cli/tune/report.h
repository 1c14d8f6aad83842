/* SPDX-License-Identifier: MIT
 * The progress and the report of `tabia tune`, as text and as JSON. */
#ifndef TABIA_CLI_TUNE_REPORT_H
#define TABIA_CLI_TUNE_REPORT_H

#include "cli/tune/options.h"

typedef struct TuneReport {
    const TuneOptions *options;
    const char *source;                                /* what was read, in words */
    const char *start;                                 /* label of the start weights */
    char start_hash[HASH_HEX_MAX], hash[HASH_HEX_MAX]; /* of the weights before and after */
    const Dataset *data;
    /* Both are NULL for columns that are not Tabia's evaluation. */
    const DatasetFilter *filter; /* as it was applied */
    const EvalWeights *start_weights;
    const TuneResult *result;
    double load_seconds, fit_seconds; /* only in text: JSON is reproducible */
} TuneReport;

/* A FitProgressFn whose context is a Progress. */
void tune_report_progress(void *progress, const FitIteration *iteration);

/* To standard output, as text or as one JSON object. */
void tune_report_print(const TuneReport *report);

/* A warning on standard error if positions lack the score that lambda < 1 needs, unless the filter
 * asks for them. */
void tune_report_unscored(const Dataset *data, const DatasetFilter *filter, double lambda);

/* The JSON for the store, malloc'ed; NULL when out of memory. */
char *tune_report_json_text(const TuneReport *report);

/* `--score-only`: the weights named `label` measured at k, to standard output. */
void tune_report_score(const char *label, const char *source, const Dataset *data, double k,
                       const FitScore *score, bool json);

#endif
