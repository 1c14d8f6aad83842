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
#include "tuner/data/columns.h"

/* A feature: its column (columns.h) and coefficient in one number,
 *
 *     column + columns * step,   step = 2 (c - 1) for a coefficient c > 0, 2 (-c - 1) + 1 for c <
 * 0.
 *
 * A coefficient that is too great for that is split into several. Occurrences of a position ascend
 * by column. */
typedef uint16_t Occurrence;

/* Of a position. Tabia's evaluation gives at most 32 by squares and 30 by mobility, one a man, and
 * of the other families fewer than 140, one for each term that can meet others. */
enum { OCCURRENCES_MAX = 255 };

static inline int occurrence_column(Occurrence o, int columns)
{
    return o % columns;
}
static inline int occurrence_value(Occurrence o, int columns)
{
    int step = o / columns;
    return step % 2 ? -(step / 2 + 1) : step / 2 + 1;
}
/* value: from 1 to occurrence_value_max() in magnitude. */
static inline Occurrence occurrence_make(int column, int value, int columns)
{
    int step = value > 0 ? 2 * (value - 1) : 2 * (-value - 1) + 1;
    return (Occurrence)(column + columns * step);
}
/* Of a coefficient that is 1 or -1: without a branch, which would be unpredictable. */
static inline Occurrence occurrence_of_one(int column, bool negative, int columns)
{
    return (Occurrence)(column + columns * (int)negative);
}
static inline int occurrence_value_max(int columns)
{
    int steps = (UINT16_MAX + 1) / columns;
    return steps / 2 < INT8_MAX ? steps / 2 : INT8_MAX;
}

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
    int64_t first_run, last_run; /* of the store: only runs with these numbers, matches included;
                                    last 0: all of self-play and imports */
    /* Of the store: only runs of these generations; last -1: all. Runs outside `learn` have -1. */
    int64_t first_generation, last_generation;
    /* Replace each position by its quiescent leaf under these weights (quiescence_leaves.h); NULL:
     * keep it. Borrowed. */
    const EvalWeights *leaf_weights;
    const char *scratch; /* a folder for the large arrays of the set and its fit; NULL: memory.
                            Borrowed for as long as the set lives */
    EvalFamilies terms;  /* families of terms whose features are taken */
    bool men;            /* instead: the inputs of a network, NETWORK_COLUMNS */
} DatasetFilter;

/* A position kept as men: the network's inputs as White sees them (network_input()), and the last
 * column where Black moves. */
enum { NETWORK_COLUMNS = NETWORK_INPUTS + 1 };

/* The columns of what the filter keeps of a position. */
static inline int dataset_columns(const DatasetFilter *filter)
{
    return filter->men ? NETWORK_COLUMNS : COLUMNS;
}

void dataset_filter_defaults(DatasetFilter *filter);

/* The filters, in the order in which they apply. */
typedef enum DropReason {
    DROP_DRAWN, /* the game was drawn */
    DROP_PLY,
    DROP_UNSCORED,
    DROP_SCORE,
    DROP_CHECK,
    DROP_NOISY,
    DROP_UNQUIET,
    DROP_PHASE,
    DROP_REASONS,
    DROP_NONE = DROP_REASONS /* the position is kept */
} DropReason;

/* Counts of positions read, dropped and kept. */
typedef struct DatasetStats {
    int64_t positions_read;        /* before any filter */
    int64_t dropped[DROP_REASONS]; /* by the first filter that applies */
    int64_t results[3];            /* positions kept, by GameResult */
    int64_t duplicates;            /* positions whose features occurred before */
    int64_t contradicting; /* of them, those with another result than the first occurrence */
    int64_t shared;        /* of them, those whose first occurrence is in another game */
} DatasetStats;

/* "12 of drawn games, 3 in check": the positions that filters dropped; empty when there are none.
 */
enum { DATASET_LEFT_OUT_MAX = 512 };
void dataset_left_out(const DatasetStats *stats, char out[DATASET_LEFT_OUT_MAX]);

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
    uint8_t *result;     /* GameResult */
    int16_t *score;      /* of the search, White's view, centipawns, or SCORE_UNKNOWN */
    int32_t *game;       /* 0 … games - 1, by first appearance */
    int32_t *generation; /* of the run that the game belongs to; -1: none */
    int32_t reading;     /* the generation of what is being added */
    uint64_t *identity;  /* [named] of the first games, dataset_identify_game(); 0: none */
    int64_t named, identity_capacity;
    DatasetStats stats;
    /* Identifies the set: a SHA-256 over hashes of features, outcomes and game boundaries in
     * reading order (fingerprint_digest()). */
    char digest[HASH_HEX_MAX];
} Dataset;

/* Why the filter drops the position before plies[ply]; it does not look at runs. */
DropReason dataset_filter_drops(const DatasetFilter *filter, const GameRecord *game, int ply,
                                const Position *pos);

/* Whether the position's phase is outside those of the filter. */
bool dataset_filter_drops_phase(const DatasetFilter *filter, const Position *pos);

/* From games in `count` stores, one after another, by replay: those of self-play and imports, or of
 * the filter's runs. Each store is read in one transaction. STATUS_BAD_INPUT for a stored game that
 * breaks the rules. */
MUST_CHECK Status dataset_from_stores(Store *const *stores, int count, const DatasetFilter *filter,
                                      int threads, Dataset **data, Error *err);
static inline Status dataset_from_store(Store *store, const DatasetFilter *filter, int threads,
                                        Dataset **data, Error *err)
{
    return dataset_from_stores(&store, 1, filter, threads, data, err);
}

/* From an EPD or FEN file, plain or .zst, labelled `c9 "1-0"`, `[1.0]`, `c2 "1-0"`, or a bare WDL
 * number or result at the end of the line (epd_line.h). Positions of one game share `id "…"`;
 * without ids each line is its own game. Blank lines and lines starting with '#' are skipped. A
 * line without a label, with an unknown label or an illegal FEN is STATUS_BAD_INPUT with file and
 * line. Of the filter only `terms`, drop_drawn, phases, `leaf_weights` and `scratch` apply. */
MUST_CHECK Status dataset_from_epd(const char *path, const DatasetFilter *filter, int threads,
                                   Dataset **data, Error *err);

/* From a file in bulletformat, which has positions without games: each is its own. A record that is
 * no position is STATUS_BAD_INPUT with the file and the byte. The filter as for EPD. */
MUST_CHECK Status dataset_from_bullet(const char *path, const DatasetFilter *filter, int threads,
                                      Dataset **data, Error *err);

void dataset_destroy(Dataset *data); /* NULL-safe */

/* ---- Building sets, for the readers and the tests */

/* An empty set of positions with this number of columns; COLUMNS for the evaluation, of which the
 * terms of material and squares are taken, NETWORK_COLUMNS for men. */
MUST_CHECK Status dataset_create(int columns, Dataset **data, Error *err);

/* Removes positions, games and statistics; keeps the memory. */
void dataset_clear(Dataset *data);

/* Adds a position of game `game`; raises data->games above it. */
MUST_CHECK Status dataset_add(Dataset *data, const Position *pos, GameResult result, int score,
                              int32_t game, Error *err);

/* Adds the position or its quiescent leaf, as the filter says. A position outside the phases is
 * only counted. */
MUST_CHECK Status dataset_add_filtered(Dataset *data, const Position *pos,
                                       const DatasetFilter *filter, GameResult result, int score,
                                       int32_t game, Error *err);

/* Games with the same identity are equal: a hash of the start and the moves, or of the only
 * position. */
MUST_CHECK Status dataset_identify_game(Dataset *data, int32_t game, uint64_t identity, Error *err);

/* Adds a position given by its features alone: `count` ascending occurrences. */
MUST_CHECK Status dataset_add_features(Dataset *data, const Occurrence *occurrence, int count,
                                       int phase, GameResult result, int score, int32_t game,
                                       Error *err);

/* Adds `value` (not 0) of a column to the occurrences out[count]; returns the new count, or -1 when
 * they are more than OCCURRENCES_MAX. */
int occurrences_add(Occurrence *out, int count, int column, int value, int columns);

/* Appends a part, adding game_offset to its game numbers, and its statistics. */
MUST_CHECK Status dataset_append(Dataset *data, const Dataset *part, int32_t game_offset,
                                 Error *err);

/* For each position whose game has take[game] == which (each position when take is NULL): the first
 * such position with the same features and phase, which may be itself; -1 for the others. *first is
 * [positions], in data->scratch. hash[positions]: fingerprint_positions(). Two different positions
 * count as one with a probability of n^2 / 2^65, 3 in a million for 10 million positions. */
MUST_CHECK Status dataset_duplicates(const Dataset *data, const uint64_t *hash, const uint8_t *take,
                                     uint8_t which, int threads, int32_t **first, Error *err);

/* STATUS_BAD_INPUT when the set has no positions: the sentence names the source, and what was left
 * out of it. */
MUST_CHECK Status dataset_check(const Dataset *data, const char *source, Error *err);

/* Call it last: counts duplicates, computes the digest, releases unused memory. */
MUST_CHECK Status dataset_finish(Dataset *data, int threads, Error *err);

/* (*hash)[positions], in data->scratch: 64 bits for the phase and the features of each position. */
MUST_CHECK Status fingerprint_positions(const Dataset *data, int threads, uint64_t **hash,
                                        Error *err);

/* Sets data->digest, from those hashes: a SHA-256 over 64 bits for each stretch of positions of one
 * game, into which their hashes, results and scores and the game's number went in order. It
 * distinguishes sets; it does not protect against forgery. */
MUST_CHECK Status fingerprint_digest(Dataset *data, const uint64_t *hash, int threads, Error *err);

/* ---- Dividing a set by game. The seed and the positions of a game that pass the filters decide
 * its side. So with equal filters it has the same side in every set, except for a few games at the
 * edge, and a later fit does not hold out games that an earlier fit trained on.
 *
 * Games are equal if their identities are, or the features of all their positions and those are at
 * least two. Equal games are on one side, by the least of their random numbers: their order does
 * not matter, but one more of them, of which other positions are read, may move all. Different
 * games may still share positions. Working memory: 32 bytes a game; split_measure() 17 bytes a
 * position, in data->scratch. */

typedef struct SplitCounts {
    int64_t copies;   /* games that are equal to an earlier one */
    int64_t held_out; /* positions held out; with folds all, each of them once */
    int64_t shared;   /* of them, those whose features also occur in training */
} SplitCounts;

/* Above this part of the hold-out, shared positions deserve a warning. */
#define SPLIT_SHARED_MAX 0.01

/* Where more than this part of the hold-out is shared: a warning, one sentence without an end.
 * Otherwise false, and out[] is empty. */
enum { SPLIT_WARNING_MAX = 192 };
bool split_warning(const SplitCounts *counts, double most, char out[SPLIT_WARNING_MAX]);

/* Marks the games held out: take[game] = 1, of data->games elements. These are the
 * round(share * games) games with the lowest random numbers, except that equal games are all marked
 * or none. Sets *copies. */
MUST_CHECK Status split_hold_out(const Dataset *data, double share, uint64_t seed, uint8_t *take,
                                 int64_t *copies, Error *err);

/* Divides the games into folds, of equal size in different games: fold[game] = 0 … folds - 1. Sets
 * *copies. STATUS_BAD_INPUT if different games are fewer than folds. */
MUST_CHECK Status split_folds(const Dataset *data, int folds, uint64_t seed, uint8_t *fold,
                              int64_t *copies, Error *err);

/* Counts the positions held out and shared: side[game] is 0 for training and 1 for the hold-out, or
 * with all_held_out the number of its fold. */
MUST_CHECK Status split_measure(const Dataset *data, const uint8_t *side, bool all_held_out,
                                int threads, SplitCounts *counts, Error *err);

#endif
