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
    Status (*run)(const struct TuneOptions *options, Error *err);
} TuneOptions;

/* Defaults, INI file and command line, as options_run(); then run() with checked options. */
MUST_CHECK Status tune_options_run(const char *const *sections, int argc, char **argv,
                                   Status (*run)(const TuneOptions *options, Error *err),
                                   Error *err);

#endif
