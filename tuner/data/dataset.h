/* SPDX-License-Identifier: MIT
 * Positions as sparse features with outcomes, in reading order. What the loss kernel runs over is
 * laid out from this by batch.h. */
#ifndef TABIA_TUNER_DATA_DATASET_H
#define TABIA_TUNER_DATA_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "db/chess/position_filter.h"
#include "db/files/sha256.h"
#include "db/store/run_record.h"
#include "engine/eval/eval.h"
#include "engine/eval/network.h"
#include "tuner/data/columns.h"
#include "tuner/data/occurrence.h"

typedef struct NumberRange {
    int64_t first, last;
} NumberRange;

/* What of a source is taken, and in which form. Applied on reading. */
typedef struct DatasetFilter {
    PositionFilter positions;
    NumberRange runs; /* of the store: only runs with these numbers, matches included; last below
                         1: all of self-play and imports */
    NumberRange generations; /* of the store: only runs of these; last -1: all. Runs outside `learn`
                                have -1 */
    /* Of the runs of these numbers and generations: is this one wanted? NULL: all. The context is
     * borrowed. */
    bool (*takes_run)(const void *context, const RunRecord *run);
    const void *context;
    /* Replace each position by its quiescent leaf under these weights (quiescence_leaves.h); NULL:
     * keep it. Borrowed. */
    const EvalWeights *leaf_weights;
    /* Of the store: the part of a score that comes from the next one of its game, and so from all
     * later ones and the result, mixed as σ(td_scale × centipawns). 0: scores are as stored. */
    double td, td_scale;
    const char *scratch; /* a folder for the large arrays of the set and its fit; NULL: memory.
                            Borrowed for as long as the set lives */
    EvalFamilies terms;  /* families of terms whose features are taken */
    bool pieces;         /* instead: the inputs of a network, NETWORK_COLUMNS */
    bool keep_going;     /* leave out lines of an EPD file that cannot be read, and count them */
    bool counting;       /* only count what is kept, DatasetStats.pieces */
    bool linked; /* the store passed store_check_links(), and since then only this process added */
} DatasetFilter;

/* A position kept as pieces: the network's inputs as White sees them (network_input()), and the
 * last column where Black moves. */
enum { NETWORK_COLUMNS = NETWORK_INPUTS + 1 };

/* The columns of what the filter keeps of a position. */
static inline int dataset_columns(const DatasetFilter *filter)
{
    return filter->pieces ? NETWORK_COLUMNS : columns_of(filter->terms);
}

extern const Setting dataset_filter_settings[];
/* Those that say which positions are taken, for a report. */
extern const char dataset_filter_reported[];

/* The filter without options: of all runs of self-play and imports. */
void dataset_filter_defaults(DatasetFilter *filter);

/* Counts of positions read, dropped and kept. */
typedef struct DatasetStats {
    int64_t positions_read;         /* before any filter */
    int64_t dropped[DROP_REASONS];  /* by the first filter that applies */
    int64_t pieces[PIECES_MAX + 1]; /* positions counted instead of kept, by number of pieces */
    int64_t results[3];             /* positions kept, by GameResult, the nearest of a soft label */
    int64_t duplicates;             /* positions whose features occurred before */
    int64_t contradicting; /* of them, those with another result than the first occurrence */
    int64_t shared;        /* of them, those whose first occurrence is in another game */
} DatasetStats;

/* Arrays of one element a position, but for `occurrence`, which holds all positions' one after the
 * other. Also used for the parts that threads read, which are then appended in order. */
typedef struct Dataset {
    int columns;         /* of the features */
    bool foreign;        /* they are not Tabia's */
    const char *scratch; /* where the arrays live, scratch.h; borrowed */
    EvalFamilies terms;  /* whose features are taken of positions that are added */
    int64_t positions, positions_capacity;
    int64_t occurrences, occurrences_capacity;
    int32_t games; /* that gave at least one position */
    Occurrence *occurrence;
    uint8_t *count;      /* occurrences of the position */
    uint8_t *phase;      /* 0 … EVAL_PHASE_MAX */
    float *result;       /* White's half points: a GameResult, or between for a soft label */
    int16_t *score;      /* of the search, White's view, centipawns, or SCORE_UNKNOWN */
    int32_t *game;       /* 0 … games - 1, by first appearance */
    int32_t *generation; /* of the run that the game belongs to; -1: none */
    int32_t reading;     /* the generation of what is being added */
    uint64_t *identity;  /* [named] of the first games, dataset_identify_game(); 0: none */
    int64_t named, identity_capacity;
    DatasetStats stats;
    FaultCount left_out; /* lines of the file that cannot be read */
    /* Identifies the set: a SHA-256 over hashes of features, outcomes and game boundaries in
     * reading order (dataset_finish()). */
    char digest[HASH_HEX_MAX];
} Dataset;

void dataset_destroy(Dataset *data); /* NULL-safe */

/* ---- Building sets, for the readers and the tests */

/* An empty set of positions with this number of columns; COLUMNS or ALL_COLUMNS for the evaluation,
 * of which the terms of material and squares are taken, NETWORK_COLUMNS for pieces. */
MUST_CHECK Status dataset_create(int columns, Dataset **data, Error *err);

/* Removes positions, games, statistics and faults; keeps the memory. */
void dataset_clear(Dataset *data);

/* Adds a position of game `game`; raises data->games above it. result: from 0 to 2, as the array
 * has it. */
MUST_CHECK Status dataset_add(Dataset *data, const Position *pos, double result, int score,
                              int32_t game, Error *err);

/* Counts a position that was read, and adds it, or its quiescent leaf, unless there is a reason to
 * drop it or the filter only counts. */
MUST_CHECK Status dataset_read(Dataset *data, const DatasetFilter *filter, DropReason reason,
                               const Position *pos, double result, int score, int32_t game,
                               Error *err);

/* Games with the same identity are equal: a hash of the start and the moves, or of the only
 * position. */
MUST_CHECK Status dataset_identify_game(Dataset *data, int32_t game, uint64_t identity, Error *err);

/* Adds a position given by its features alone: `count` ascending occurrences. */
MUST_CHECK Status dataset_add_features(Dataset *data, const Occurrence *occurrence, int count,
                                       int phase, double result, int score, int32_t game,
                                       Error *err);

/* Appends a part, adding game_offset to its game numbers, and its statistics. */
MUST_CHECK Status dataset_append(Dataset *data, const Dataset *part, int32_t game_offset,
                                 Error *err);

/* Releases memory reserved for more positions. */
MUST_CHECK Status dataset_trim(Dataset *data, Error *err);

#endif
