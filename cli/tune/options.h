/* SPDX-License-Identifier: MIT
 * The options of `tabia tune`. */
#ifndef TABIA_CLI_TUNE_OPTIONS_H
#define TABIA_CLI_TUNE_OPTIONS_H

#include "cli/options/options.h"
#include "tuner/job/tune.h"

typedef struct TuneOptions {
    CommonOptions common;
    const char *db, *epd, *features, *out, *start, *weights, *emit;
    bool rank8_first; /* of --emit */
    bool score_only, resolve, diff;
    int window;                            /* 0: not given */
    int first_generation, last_generation; /* last -1: not given */
    DatasetFilter filter;
    TuneSettings tune;
} TuneOptions;

/* Defaults, INI file and command line, as options_parse(); the parser owns the strings. */
MUST_CHECK Status tune_options_parse(TuneOptions *options, const char *const *sections, int argc,
                                     char **argv, OptionParser **parser, bool *done, Error *err);

/* OptionParseFn for --prior, "auto" or a number; target: TuneSettings. */
MUST_CHECK Status tune_parse_prior(void *settings, const char *text, Error *err);

/* OptionParseFn for --terms; target: EvalFamilies. */
MUST_CHECK Status tune_parse_terms(void *families, const char *text, Error *err);

#endif
