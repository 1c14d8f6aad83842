/* SPDX-License-Identifier: MIT
 * Positions laid out for the loss kernel. They are sorted by (phase, number of occurrences): within
 * a phase the taper is one table of weights, and a run of equal counts needs no branches. Loads
 * from the first-level cache limit the kernel, so this layout gives its speed. Chunks, the units of
 * parallel work, depend on the data alone.
 *
 * Here an occurrence is a code: the number of a (column, coefficient) that the positions have. The
 * kernel has a table of the values of all codes, so an evaluation is a sum of look-ups for any
 * coefficients. */
#ifndef TABIA_TUNER_FIT_BATCH_H
#define TABIA_TUNER_FIT_BATCH_H

#include "tuner/data/dataset.h"
#include "tuner/data/space.h"

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

/* Treatment of positions with equal features. */
typedef enum Duplicates {
    DUPLICATES_KEEP,
    DUPLICATES_MEAN, /* one position with their mean target */
    DUPLICATES_FIRST /* only the first */
} Duplicates;

/* What positions count for. */
typedef struct Weighing {
    Duplicates duplicates;
    double draw_weight; /* of a position of a drawn game; that of a decided one is 1 */
    double decay;       /* weight of a generation's positions, those of the next being 1 */
} Weighing;

/* Each counts as one. */
extern const Weighing weighing_none;
bool weighing_is_none(const Weighing *weighing);

typedef struct BatchOptions {
    Weighing weighing;
    const Space *space;  /* for ties; NULL: none. Borrowed by this call alone */
    const uint8_t *take; /* [games] only games with take[game] == which; NULL: all */
    uint8_t which;
    int threads; /* to lay it out with; 0: one */
} BatchOptions;

typedef struct Batch {
    const char *scratch; /* of the data set: where the great arrays are */
    int threads;         /* that laid it out, and compute targets */
    int64_t positions;
    int64_t games;      /* with a position here */
    double weight_sum;  /* of the positions */
    int space_columns;  /* of the data set */
    int columns;        /* that occur here */
    uint16_t *column;   /* [columns] which of the data set's this is, ascending */
    int codes;          /* ascending by column */
    uint16_t *code_of;  /* [codes] index into column[] */
    int8_t *code_value; /* [codes] coefficient */
    Occurrence *occurrence;
    int32_t *index;    /* [positions] which position of the data set this is */
    float *target;     /* [positions] what the evaluation should predict, White's view, 0 … 1 */
    float *weight;     /* [positions], or NULL where all are 1 */
    Weighing weighing; /* of the options */
    int newest;        /* generation, whose positions weigh 1; -1: all do */
    BatchRun *runs;
    int run_count;
    BatchChunk *chunks; /* ascending by phase */
    int chunk_count;
    int phase_chunk[BATCH_PHASES + 1]; /* chunks of phase p: [phase_chunk[p], phase_chunk[p + 1]) */
    /* [positions of the data set] its first duplicate, or -1; NULL unless targets are means */
    int32_t *stands_for;
} Batch;

/* Within a run positions stay in reading order. Targets are the results. May be empty. */
MUST_CHECK Status batch_create(const Dataset *data, const BatchOptions *options, Batch **batch,
                               Error *err);
void batch_destroy(Batch *batch); /* NULL-safe */

/* target = lambda * result + (1 - lambda) * sigmoid(k * score / 400); the result alone where there
 * is no score. */
MUST_CHECK Status batch_set_targets(Batch *batch, const Dataset *data, double lambda, double k,
                                    Error *err);

#endif
