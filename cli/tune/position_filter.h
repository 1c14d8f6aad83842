/* SPDX-License-Identifier: MIT
 * --filter of `tabia db export`, which chooses positions by the rules of `tabia tune`. */
#ifndef TABIA_CLI_TUNE_POSITION_FILTER_H
#define TABIA_CLI_TUNE_POSITION_FILTER_H

#include "db/store/game_record.h"
#include "tuner/data/dataset.h"

/* "min-ply=8,max-score=2000,checks=no": keys min-ply, max-ply, max-score, min-phase, max-phase, and
 * with yes or no checks, noisy, unscored, drawn (keep such positions) and quiet (drop positions
 * where a capture wins). Other values are the defaults of `tabia tune`; "tune" alone takes them
 * all. STATUS_USAGE. */
MUST_CHECK Status position_filter_parse(const char *text, DatasetFilter *filter, Error *err);

/* A PositionFilter over a DatasetFilter. */
bool position_filter_takes(const void *filter, const GameRecord *game, int ply,
                           const Position *pos);

#endif
