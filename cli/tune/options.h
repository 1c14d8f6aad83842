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
    int window;      /* 0: not given */
    bool army_typed; /* --army on the command line */
    DatasetFilter filter;
    TuneSettings tune, usual; /* usual: the defaults */
} TuneOptions;
extern const Setting tune_option_settings[];

/* Fills *o with defaults. */
void tune_options_init(TuneOptions *o);

/* After parsing: settles and checks what depends on several options, seed and threads included. */
MUST_CHECK Status tune_options_apply(TuneOptions *o, const OptionParser *parser, Error *err);

#endif
