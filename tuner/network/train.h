/* SPDX-License-Identifier: MIT
 * Training a small network (engine/eval/network.h) on positions: minibatches, AdamW, a rate that
 * falls like a cosine.
 *
 * The loss is that of the linear fit: the mean of (σ(K e / 400) − y)², e the evaluation in
 * centipawns, y = λ result + (1 − λ) σ(K score / 400), here as the side to move sees them. K is
 * fitted to the scores of the games, so that the network's centipawns are those of the search that
 * played them. Scores that predict nothing give K as in calibrate_root().
 *
 * With `td` a score is mixed with those of the rest of its game (DatasetFilter). K cannot be fitted
 * to scores that know the result, so it is given.
 *
 * A batch is divided into parts of a fixed size, whose gradients are added in order; the order of
 * positions follows from the seed and the epoch. So the network is the same to the bit with any
 * number of threads.
 *
 * Source: I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization", 2019 (AdamW); bounds
 * of the weights and the rates as the examples of bullet (github.com/jw1912/bullet) have them. */
#ifndef TABIA_TUNER_NETWORK_TRAIN_H
#define TABIA_TUNER_NETWORK_TRAIN_H

#include <stdatomic.h>

#include "engine/eval/network.h"
#include "engine/values/setting.h"
#include "tuner/data/split.h"

/* What each is, is said by its row. */
typedef struct TrainSettings {
    int hidden, buckets;
    bool squared;
    unsigned king_buckets; /* number of the word in TRAIN_KING_WORDS */
    bool mirror; /* nobody but a king on e1 or e8 can castle, except in Chess960, so the mirrored
                    position has the same value */
    int epochs, batch;
    double rate, decay; /* decay: the part of a weight that a step of rate 1 takes away */
    double lambda, k;
    double td; /* nothing without k */
    double validation;
    uint64_t seed;
    int64_t stream_above; /* more positions are shuffled by blocks, so that those in files are read
                             in large pieces */
    int threads;
    const Network *from;    /* what the weights begin with, as of model_start_from(); NULL: random
                               numbers. Borrowed */
    const char *from_hash;  /* its SHA-256, part of the identity */
    const char *checkpoint; /* file that is written after each epoch, and continued if it is there:
                               the network is that of an undisturbed training; NULL: none */
} TrainSettings;

extern const Setting train_settings[];

/* King buckets of the standard tables; 0: none, 1: mirrored only. */
#define TRAIN_KING_WORDS "0|1|4|8|16"
/* Sets those of a network; false when no standard table has them. */
bool train_set_kings(TrainSettings *settings, const NetworkKings *kings);

/* The defaults, on one thread. */
void train_defaults(TrainSettings *settings);

/* Makes the filter read what the training takes of a position. */
void train_filter(const TrainSettings *settings, DatasetFilter *filter);

typedef struct TrainProgress {
    int epoch;           /* from 1 */
    int64_t done, total; /* positions, of all epochs */
    int64_t resumed;     /* of `done`, from the checkpoint */
    double loss;         /* of the epoch so far */
} TrainProgress;
typedef void (*TrainProgressFn)(void *context, const TrainProgress *progress);

typedef struct TrainResult {
    Network *network; /* owned; quantised */
    double k;
    bool k_fitted;     /* false: given, or the reference because the scores predict nothing */
    int64_t positions; /* trained on */
    int resumed;       /* epochs, from the checkpoint */
    int64_t steps;
    SplitCounts split;
    double train_loss;      /* mean of the last epoch, while the weights moved */
    double validation_loss; /* of the quantised network; NAN without hold-out */
} TrainResult;

/* The dataset has columns of pieces (NETWORK_COLUMNS). STATUS_INTERRUPTED when *interrupted became
 * non-zero; STATUS_USAGE for a checkpoint of another training, STATUS_BAD_INPUT for a damaged one.
 * Free the result in any case. */
MUST_CHECK Status train_network(const Dataset *data, const TrainSettings *settings,
                                TrainProgressFn progress, void *context,
                                const atomic_int *interrupted, TrainResult *result, Error *err);
void train_result_free(TrainResult *result);

/* Writes the network's comment: where it comes from. `source` names the games. */
void train_provenance(const Dataset *data, const char *source, const TrainSettings *settings,
                      TrainResult *result);

#endif
