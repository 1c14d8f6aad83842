/* SPDX-License-Identifier: MIT
 * What the run of a directory was begun with, for `tabia learn --resume`. */
#ifndef TABIA_TUNER_LEARN_STORED_RUN_H
#define TABIA_TUNER_LEARN_STORED_RUN_H

#include "engine/eval/evaluation_load.h"
#include "tuner/learn/settings.h"

typedef struct StoredRun {
    LearnSettings settings;
    int last;           /* number of the generation that was begun last, at least 1 */
    Evaluation weights; /* of generation 0 */
    WeightsInfo info;
} StoredRun;

/* Files of Syzygy that adjudicated its games are not among the settings: their paths are not
 * stored. STATUS_BAD_INPUT when the directory holds no run. */
MUST_CHECK Status stored_run_read(const char *dir, StoredRun *run, Error *err);

#endif
