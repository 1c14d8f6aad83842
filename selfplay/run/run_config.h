/* SPDX-License-Identifier: MIT
 * Groups of a run configuration: everything that decides a run's games, as one flat JSON object in
 * a fixed order. Its bytes are hashed and identify the run; doubles have ten significant digits. */
#ifndef TABIA_SELFPLAY_RUN_RUN_CONFIG_H
#define TABIA_SELFPLAY_RUN_RUN_CONFIG_H

#include "db/store/run_record.h"
#include "db/store/store.h"
#include "engine/base/json.h"
#include "selfplay/game/game.h"
#include "selfplay/openings/book.h"

/* The search's signature: the nodes of `tabia-engine bench`, from tests/bench.signature at build
 * time. It is the same on every machine and compiler, and different as soon as the search or the
 * built-in weights play differently. It is part of a run's identity, so that a build that plays
 * different games cannot resume the run. A change of the search without an update of that file is
 * not detected. */
int64_t search_signature(void);

/* Stores the run with its players in one transaction, and weights[i] of player i; NULL: it is a
 * program. */
MUST_CHECK Status run_register(Store *store, RunRecord *run, const PlayerRecord *players,
                               const Evaluation *const *weights, int count, Error *err);

void run_config_limits(JsonWriter *config, const SearchLimits *limits, size_t hash_bytes);
void run_config_book(JsonWriter *config, const OpeningBook *book);

/* What run_config_limits() wrote of times, depth and nodes; none after an error. Any store will do
 * to parse JSON. STATUS_BAD_INPUT when the configuration is not a JSON object, or a number is out
 * of range. */
MUST_CHECK Status run_config_read_limits(Store *store, const char *config, SearchLimits *limits,
                                         Error *err);

#endif
