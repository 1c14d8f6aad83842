/* SPDX-License-Identifier: MIT
 * The progress and the report of `tabia tune`, as text and as JSON. */
#ifndef TABIA_CLI_TUNE_REPORT_H
#define TABIA_CLI_TUNE_REPORT_H

#include "tuner/job/tune.h"

typedef struct TuneReport {
    const char *source;                                /* what was read, in words */
    const char *start;                                 /* label of the start weights */
    char start_hash[HASH_HEX_MAX], hash[HASH_HEX_MAX]; /* of the weights before and after */
    const char *out;                                   /* the header's path */
    const Dataset *data;
    const DatasetFilter *filter; /* NULL for columns that are not Tabia's evaluation */
    bool resolved;               /* positions were replaced by their quiescent leaves */
    const TuneSettings *settings;
    const TuneResult *result;
    const EvalWeights *start_weights; /* NULL for columns that are not Tabia's evaluation */
    double load_seconds, fit_seconds; /* only in text: JSON is reproducible */
} TuneReport;

/* A FitProgressFn whose context is a Progress. */
void tune_report_progress(void *progress, const FitIteration *iteration);

/* To standard output, as text or as one JSON object. difference: the text also lists what the fit
 * changed in the start weights. */
void tune_report_print(const TuneReport *report, bool difference, bool json);

/* A warning on standard error if positions lack the score that lambda < 1 needs, unless the filter
 * asks for them. */
void tune_report_unscored(const Dataset *data, const DatasetFilter *filter, double lambda);

/* The JSON for the store, malloc'ed; NULL when out of memory. */
char *tune_report_json_text(const TuneReport *report);

/* `--score-only`: the weights named `label` measured at k, to standard output. */
void tune_report_score(const char *label, const char *source, const Dataset *data, double k,
                       const FitScore *score, bool json);

#endif
