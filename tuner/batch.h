/* SPDX-License-Identifier: MIT
 * Positions laid out for the loss kernel. They are sorted by (phase, number of occurrences): within
 * a phase the taper is one table of weights, and within a run of equal counts there is nothing to
 * decide. What bounds the kernel is loads from the first-level cache, so this is where its speed
 * comes from. Chunks, the units of parallel work, depend on the data alone. */
#ifndef TABIA_TUNER_BATCH_H
#define TABIA_TUNER_BATCH_H

#include "tuner/dataset_internal.h"

/* Consecutive positions with the same number of occurrences. */
typedef struct BatchRun {
    int occurrences;      /* of each position */
    int64_t first, count; /* positions of the batch */
    int64_t occurrence;   /* where the first position's start */
} BatchRun;

/* Consecutive runs of one phase. */
typedef struct BatchChunk {
    int phase;
    int first_run, run_count;
} BatchChunk;

enum { BATCH_PHASES = EVAL_PHASE_MAX + 1 };

typedef struct Batch {
    int64_t positions;
    int64_t games; /* with a position here */
    Occurrence *occurrence;
    int32_t *index; /* [positions] which position of the data set this is */
    float *target;  /* [positions] what the evaluation should predict, White's view, 0 … 1 */
    BatchRun *runs;
    int run_count;
    BatchChunk *chunks; /* ascending by phase */
    int chunk_count;
    int phase_chunk[BATCH_PHASES + 1]; /* chunks of phase p: [phase_chunk[p], phase_chunk[p + 1]) */
} Batch;

/* The positions whose game has take[game] == which; all of them when take is NULL. Within a run
 * they stay in reading order. Targets are the results. May be empty. */
MUST_CHECK Status batch_create(const Dataset *data, const uint8_t *take, uint8_t which,
                               Batch **batch, Error *err);
void batch_destroy(Batch *batch); /* NULL-safe */

/* target = lambda * result + (1 - lambda) * sigmoid(k * score / 400); the result alone where there
 * is no score. */
void batch_set_targets(Batch *batch, const Dataset *data, double lambda, double k);

#endif
