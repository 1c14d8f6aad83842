/* SPDX-License-Identifier: MIT
 * Fitting evaluation weights to game outcomes: the whole job behind `tabia tune`.
 *
 * The scale. Multiplying all weights by a number and dividing K by it changes no prediction, so the
 * data cannot say how much a centipawn is. Unless K is given, the result is therefore multiplied so
 * that the army of the start position (8 P, 2 N, 2 B, 2 R, Q; mean of mg and eg) is worth 3900 cp,
 * as under 100-300-300-500-900, and K divided by as much: wherever a fit starts it ends on the same
 * weights, centipawns mean the same in every header, and the search's margins keep their sense from
 * one generation to the next. (The army is far better determined than the pawn alone.) During the
 * fit K is what suits the start weights, or 2 where they predict nothing, as all-zero ones. */
#ifndef TABIA_TUNER_JOB_TUNE_H
#define TABIA_TUNER_JOB_TUNE_H

#include "engine/eval/weights.h"
#include "tuner/report/diagnostics.h"

typedef struct TuneSettings {
    FitSettings fit;
    double army; /* what the army is to be worth, see above; 0: keep the start's centipawns */
    bool mirror; /* squares that mirror each other share a weight */
    EvalFamilies terms; /* families that are fitted; the others stay as they are */
    const char *freeze; /* terms that stay as they are, space_freeze(); NULL: none. Then the start's
                           centipawns are kept too. Borrowed */
    /* A file that holds where the fit stands, written every few seconds and when it is interrupted,
     * read where it exists; NULL: none. Borrowed. The caller removes it once the weights are
     * stored (checkpoint.h) */
    const char *checkpoint;
    bool detail; /* work out TuneResult.detail too */
} TuneSettings;

void tune_defaults(TuneSettings *settings);

typedef struct TuneResult {
    double k;       /* that belongs to `weights` */
    double k_start; /* before rescaling */
    bool k_fitted;  /* false: given, or the reference because the start has no scale */
    double scale;   /* by which the fit was multiplied; 1: the start's centipawns */
    int iterations, best_iteration;
    int passes;       /* over the training positions */
    bool converged;   /* false: max_iterations, patience or an interruption ended it */
    double prior;     /* the one that was used */
    double objective; /* what was minimised, at the weights before rounding */
    FitScore train_before, train_after, validation_before, validation_after;
    EvalWeights weights; /* rounded to centipawns, tables centred */
    TuneDetail *detail;  /* owned; NULL unless settings.detail and
                                   the fit came to its end */
} TuneResult;

/* Frees what a result owns. */
void tune_result_free(TuneResult *result);

/* Fits starting from *start. Bit-identical for any number of threads. STATUS_BAD_INPUT when the set
 * is empty or one side of the split is; STATUS_INTERRUPTED leaves result as of the best iteration
 * (all zero when it came while folds were fitted).
 * interrupted and progress may be NULL. */
MUST_CHECK Status tune_fit(const Dataset *data, const EvalWeights *start,
                           const TuneSettings *settings, const atomic_int *interrupted,
                           FitProgressFn progress, void *context, TuneResult *result, Error *err);

/* The same over columns that are not Tabia's evaluation (foreign.h): the weights are
 * result->detail->value, so settings->detail should be set; result->weights mean nothing. Takes
 * space, whatever happens. */
MUST_CHECK Status tune_fit_columns(const Dataset *data, Space *space, const double *start,
                                   const TuneSettings *settings, const atomic_int *interrupted,
                                   FitProgressFn progress, void *context, TuneResult *result,
                                   Error *err);

/* Fits K alone (or uses settings->k) and measures the given weights over the whole set. Weights
 * that predict nothing are measured at the reference K. */
MUST_CHECK Status tune_score(const Dataset *data, const EvalWeights *weights,
                             const TuneSettings *settings, double *k, FitScore *score, Error *err);

enum { TUNE_COMMENT_MAX = 2048 };

/* The header's opening comment: where the weights come from. source: what was read, in words,
 * without directories; start: a name of the start weights, start_hash their SHA-256, or NULL.
 * Reproducible.
 */
void tune_provenance(const Dataset *data, const char *source, const char *start,
                     const char *start_hash, const TuneSettings *settings, const TuneResult *result,
                     char out[TUNE_COMMENT_MAX]);

#endif
