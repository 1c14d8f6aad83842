/* SPDX-License-Identifier: MIT
 * Which positions go out: --filter, in the words of `tabia tune`. */
#ifndef TABIA_CLI_TUNE_POSITION_FILTER_H
#define TABIA_CLI_TUNE_POSITION_FILTER_H

#include "db/store/game_record.h"
#include "tuner/data/dataset.h"

/* "min-ply=8,max-score=2000,checks=no": keys min-ply, max-ply, max-score, min-phase, max-phase, and
 * with yes or no checks, noisy, unscored, drawn (are such positions kept?) and quiet (must no
 * capture win?). What is not named is as `tabia tune` has it; "tune" names nothing. STATUS_USAGE.
 */
MUST_CHECK Status position_filter_parse(const char *text, DatasetFilter *filter, Error *err);

/* A PositionFilter over a DatasetFilter. */
bool position_filter_takes(const void *filter, const GameRecord *game, int ply,
                           const Position *pos);

#endif
