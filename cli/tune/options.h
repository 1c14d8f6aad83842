/* SPDX-License-Identifier: MIT
 * The options of `tabia tune`. */
#ifndef TABIA_CLI_TUNE_OPTIONS_H
#define TABIA_CLI_TUNE_OPTIONS_H

#include "cli/options/options.h"
#include "tuner/job/tune.h"

typedef struct TuneOptions {
    CommonOptions common;
    const char *db, *epd, *features, *out, *start, *weights, *generations, *runs, *emit,
        *emit_order, *terms;
    bool score_only, resolve, diff;
    DatasetFilter filter;
    TuneSettings tune;
    /* What the table fills and the structures above have in another form. */
    int64_t window, folds, min_phase, max_phase, min_ply, max_ply, max_score, iterations, patience;
    const char *prior, *prior_toward, *loss, *optimiser, *duplicates, *mirror;
} TuneOptions;

/* Defaults, INI file and command line, as options_parse(); the parser owns the strings. */
MUST_CHECK Status tune_options_parse(TuneOptions *options, const char *const *sections, int argc,
                                     char **argv, OptionParser **parser, bool *done, Error *err);

/* "3", "3-7"; *last is -1 when nothing was asked for. */
MUST_CHECK Status tune_options_generations(const char *text, int *first, int *last, Error *err);

/* --prior: "auto" or a number; NULL leaves the settings alone. */
MUST_CHECK Status tune_options_prior(const char *text, TuneSettings *settings, Error *err);

#endif
