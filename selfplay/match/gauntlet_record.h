/* SPDX-License-Identifier: MIT
 * A match in the store: its identity, players and outcome. */
#ifndef TABIA_SELFPLAY_MATCH_GAUNTLET_RECORD_H
#define TABIA_SELFPLAY_MATCH_GAUNTLET_RECORD_H

#include "db/store/connection.h"
#include "db/store/run_record.h"
#include "selfplay/match/gauntlet.h"

/* Stores weights, run and players in one transaction. Fills *run, except its config, which is
 * NULL. */
MUST_CHECK Status gauntlet_record_open(Store *store, const GauntletSettings *settings,
                                       RunRecord *run, Error *err);

/* The uuid that such a run has: equal for players, openings and settings that give equal games. */
MUST_CHECK Status gauntlet_record_identify(const GauntletSettings *settings, char uuid[UUID_MAX],
                                           Error *err);

/* Keys of what identifies a player, into the open object; hash: of its weights. search:
 * search_signature(). With `files` also the hashes of the files that arguments and options of a
 * program name. STATUS_ENGINE or STATUS_FAILED for a program that is not yet known. */
MUST_CHECK Status gauntlet_record_player(JsonWriter *config, const GauntletPlayer *player,
                                         const char *hash, int64_t search, bool files, Error *err);

/* How the test differs from that of the stored outcome (json_difference()); "" without either. */
MUST_CHECK Status gauntlet_record_difference(Store *store, const RunRecord *run,
                                             const SprtSettings *sprt, char *text, size_t size,
                                             Error *err);

/* Stores the outcome so far, with the sequential test if it is enabled and each player's faulty PVs
 * (pv_illegal_0, … of player 0); state: "running", "interrupted", "finished". */
MUST_CHECK Status gauntlet_record_state(Store *store, const RunRecord *run, const char *state,
                                        const GauntletSettings *settings,
                                        const GauntletProgress *progress, Error *err);

/* Adds the faulty PVs of the stored outcome to those of the players. */
MUST_CHECK Status gauntlet_record_read_pvs(Store *store, const RunRecord *run,
                                           const GauntletSettings *settings, Error *err);

#endif
