/* SPDX-License-Identifier: MIT
 * `tabia tune --features`: fits the weights of another evaluation. */
#ifndef TABIA_CLI_TUNE_FEATURES_H
#define TABIA_CLI_TUNE_FEATURES_H

#include "cli/tune/options.h"

/* From a file of features to a file of weights, with the report in between. */
MUST_CHECK Status tune_features(const TuneOptions *options, Error *err);

#endif
