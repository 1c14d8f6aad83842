/* SPDX-License-Identifier: MIT
 * A match as the store keeps it: its identity, its players and its outcome. */
#ifndef TABIA_SELFPLAY_MATCH_GAUNTLET_RECORD_H
#define TABIA_SELFPLAY_MATCH_GAUNTLET_RECORD_H

#include "db/store/connection.h"
#include "db/store/run_record.h"
#include "selfplay/match/gauntlet.h"

/* Puts weights, run, players and the row of `gauntlets` into the store, together or not at all.
 * Fills *run but for its config, which is NULL afterwards. */
MUST_CHECK Status gauntlet_record_open(Store *store, const GauntletPlayer *players,
                                       const GauntletSettings *settings,
                                       const GauntletProgress *progress, RunRecord *run,
                                       Error *err);

/* Writes the outcome so far; state: "running", "interrupted", "finished". */
MUST_CHECK Status gauntlet_record_state(Store *store, const RunRecord *run, const char *state,
                                        const GauntletProgress *progress, Error *err);

#endif
