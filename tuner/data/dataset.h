/* SPDX-License-Identifier: MIT
 * Positions as sparse features with outcomes, in reading order. What the loss kernel runs over is
 * laid out from this by batch.h. */
#ifndef TABIA_TUNER_DATA_DATASET_H
#define TABIA_TUNER_DATA_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "db/files/sha256.h"
#include "db/store/connection.h"
#include "db/store/game_record.h"
#include "engine/eval/eval.h"

typedef struct Dataset Dataset; /* opaque outside this folder: dataset_internal.h */

/* Which positions are used. Applied on reading. */
typedef struct DatasetFilter {
    int min_ply, max_ply; /* plies into the stored game; max 0: no end */
    int max_score;    /* drop |score| beyond, centipawns; 0: keep all (mates are always dropped) */
    bool keep_checks; /* keep positions in check */
    bool keep_noisy;  /* keep positions whose played move is a capture or promotion */
    bool keep_unscored; /* keep positions without a search score: a random move was played there */
    bool drop_drawn;    /* drop drawn games */
    bool require_quiet; /* drop positions where a capture wins material by static exchange */
    int min_phase, max_phase;    /* 0 … EVAL_PHASE_MAX */
    int64_t first_run, last_run; /* of the store: only runs with these numbers; last 0: all */
    /* Replace each position by its quiescent leaf under these weights (quiescence_leaves.h); NULL:
     * keep it. Borrowed. */
    const EvalWeights *leaf_weights;
    const char *scratch; /* a folder for the large arrays of the set and its fit; NULL: memory.
                            Borrowed for as long as the set lives */
    EvalFamilies terms;  /* families of terms whose features are taken */
} DatasetFilter;

void dataset_filter_defaults(DatasetFilter *filter);

/* From games of self-play and imported runs in the store, by replay. generations: only those in
 * [first, last] when last >= 0, else every run (outside `learn` runs have generation -1).
 * STATUS_BAD_INPUT for a stored game that breaks the rules. */
MUST_CHECK Status dataset_from_store(Store *store, int first_generation, int last_generation,
                                     const DatasetFilter *filter, int threads, Dataset **data,
                                     Error *err);

/* From an EPD or FEN file, plain or .zst, labelled `c9 "1-0"`, `[1.0]`, `c2 "1-0"`, or a bare WDL
 * number or result at the end of the line (epd_line.h). Positions of one game share `id "…"`;
 * without ids each line is its own game. Blank lines and lines starting with '#' are skipped. A
 * line without a label, with an unknown label or an illegal FEN is STATUS_BAD_INPUT with file and
 * line. Of the filter only `terms`, drop_drawn, phases and `leaf_weights` apply. A NULL filter
 * keeps all positions. */
MUST_CHECK Status dataset_from_epd(const char *path, const DatasetFilter *filter, int threads,
                                   Dataset **data, Error *err);

void dataset_destroy(Dataset *data); /* NULL-safe */

int64_t dataset_positions(const Dataset *data);
int64_t dataset_games(const Dataset *data); /* that gave at least one position */

/* Counts of positions read, dropped and kept. */
typedef struct DatasetStats {
    int64_t games_read, positions_read; /* before any filter */
    int64_t dropped_drawn;              /* positions of drawn games */
    int64_t dropped_ply, dropped_unscored, dropped_score, dropped_check, dropped_noisy,
        dropped_unquiet, dropped_phase; /* by the first filter that applies, in this order */
    int64_t results[3];                 /* positions kept, by GameResult */
    int64_t duplicates;                 /* positions whose features occurred before */
    int64_t contradicting; /* of them, those with another result than the first occurrence */
} DatasetStats;
const DatasetStats *dataset_stats(const Dataset *data);

/* Whether the position before plies[ply] passes the filter, except phases and runs. Counts the
 * reason for dropping it in *stats (may be NULL). */
bool dataset_filter_takes(const DatasetFilter *filter, const GameRecord *game, int ply,
                          const Position *pos, DatasetStats *stats);

/* Identifies the set: a SHA-256 over hashes of features, outcomes and game boundaries in reading
 * order (fingerprint.h). */
void dataset_digest(const Dataset *data, char out[HASH_HEX_MAX]);

#endif
